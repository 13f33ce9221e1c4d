/** From order lines to orders: the verb finds its entry in the table, the entry reads the rest. */
import { error, splitLine, suggest, type Word } from '../../../kernel/orders.ts';
import type { Diagnostic, OrderLine, Parsed, View } from '../../../kernel/types.ts';
import type { Campaign } from '../content/campaign.ts';
import type { Overlord, OverlordOrder, OverlordStanding } from '../types.ts';
import { standingFault } from './doctrine.ts';
import { CLAUSE_WORDS, clauseWord, emptyDraft, type LineReading } from './linereading.ts';
import { ENTRIES, readClauses } from './orders.ts';

/** Reads every line by itself; one bad line never spoils another. A line that cannot be read whole is refused whole. */
export function parseLines(campaign: Campaign, lines: readonly OrderLine[], view: View<Overlord>): Parsed<Overlord> {
  const parsed: Parsed<Overlord> = { orders: [], standing: [], diagnostics: [] };
  for (const line of lines) {
    const faults: Diagnostic[] = [];
    const built = ordersOf(line, faults).flatMap((words) => readOrder(campaign, line.n, words, view, faults));
    parsed.diagnostics.push(...faults);
    if (faults.length > 0) continue;
    for (const order of built) {
      if (isStanding(order)) parsed.standing.push(order);
      else parsed.orders.push(order);
    }
  }
  return parsed;
}

/** One order of a line; nothing, and a fault more, when it cannot be read. */
function readOrder(
  campaign: Campaign,
  n: number,
  words: readonly Word[],
  view: View<Overlord>,
  faults: Diagnostic[],
): (OverlordOrder | OverlordStanding)[] {
  const reading: LineReading = { campaign, n, words, at: 1, faults };
  const entry = ENTRIES.find((candidate) => candidate.verb.verb === words[0]!.upper);
  if (!entry) {
    const near = suggest(words[0]!.text, VERB_NAMES);
    faults.push(error('VERB UNKNOWN', n, { word: words[0]!.text, near, verbs: VERB_NAMES }));
    return [];
  }
  const draft = emptyDraft(n);
  if (!entry.subject(reading, draft) || !readClauses(reading, entry, draft)) return [];
  const built = entry.build(draft);
  const fault = isStanding(built) ? standingFault(campaign, view, built) : undefined;
  if (fault) faults.push(error(fault.code, n, fault.params, fault.rule));
  return [built];
}

const VERB_NAMES = ENTRIES.map((candidate) => candidate.verb.verb);

function isStanding(order: OverlordOrder | OverlordStanding): order is OverlordStanding {
  return 'key' in order;
}

/**
 * The orders of a line as words. What follows a semicolon is a clause of the order before it, or an order of its own, and
 * never a remark: anything else is a fault.
 */
function ordersOf(line: OrderLine, faults: Diagnostic[]): Word[][] {
  const orders: Word[][] = [];
  for (const [i, part] of partsOf(line).entries()) {
    const first = part[0]!;
    if (i === 0 || VERB_NAMES.includes(first.upper)) orders.push([...part]);
    else if (clauseWord(first) && orders.length > 0) orders.at(-1)!.push(...part);
    else {
      const text = part.map((word) => word.text).join(' ');
      const near = suggest(first.text, [...VERB_NAMES, ...CLAUSE_WORDS]);
      faults.push(error('AFTER SEMICOLON', line.n, { text, near, verb: orders[0]?.[0]?.upper ?? '' }));
    }
  }
  return orders;
}

/** The words of a line between its semicolons, without commas. */
export function partsOf(line: OrderLine): Word[][] {
  const clauses = splitLine(line)?.clauses ?? [];
  return clauses.map((clause) => clause.filter((word) => word.text !== ',')).filter((clause) => clause.length > 0);
}
