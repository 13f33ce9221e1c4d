/** From order lines to orders: the verb finds its entry in the table, the entry reads the rest. */
import { error, splitLine, suggest, type Word } from '../../../kernel/orders.ts';
import type { OrderLine, Parsed, View } from '../../../kernel/types.ts';
import type { Campaign } from '../content/campaign.ts';
import type { Overlord, OverlordOrder, OverlordStanding } from '../types.ts';
import { standingFault } from './doctrine.ts';
import { ENTRIES, readClauses } from './orders.ts';
import { clauseWord, emptyDraft, type Reading } from './reading.ts';

/** Reads every line by itself; one bad line never spoils another. */
export function parseLines(campaign: Campaign, lines: readonly OrderLine[], view: View<Overlord>): Parsed<Overlord> {
  const parsed: Parsed<Overlord> = { orders: [], standing: [], diagnostics: [] };
  for (const line of lines) {
    const words = wordsOf(line);
    if (words.length === 0) continue;
    const reading: Reading = { campaign, n: line.n, words, at: 1, faults: parsed.diagnostics };
    const entry = ENTRIES.find((candidate) => candidate.verb.verb === words[0]!.upper);
    if (!entry) {
      const verbs = ENTRIES.map((candidate) => candidate.verb.verb);
      const near = suggest(words[0]!.text, verbs);
      parsed.diagnostics.push(error('VERB UNKNOWN', line.n, { word: words[0]!.text, near, verbs }));
      continue;
    }
    const draft = emptyDraft(line.n);
    if (!entry.subject(reading, draft) || !readClauses(reading, entry, draft)) continue;
    const built = entry.build(draft);
    if (!isStanding(built)) {
      parsed.orders.push(built);
      continue;
    }
    const fault = standingFault(campaign, view, built);
    if (fault) parsed.diagnostics.push(error(fault.code, line.n, fault.params, fault.rule));
    else parsed.standing.push(built);
  }
  return parsed;
}

function isStanding(order: OverlordOrder | OverlordStanding): order is OverlordStanding {
  return 'key' in order;
}

/**
 * The words of a line without commas. A semicolon starts a comment unless a clause follows it: `; ADVANCE DE21/3` is read,
 * `; good luck` is not.
 */
export function wordsOf(line: OrderLine): Word[] {
  const split = splitLine(line, { semicolon: 'clause' });
  if (!split) return [];
  const words: Word[] = [];
  for (const [index, clause] of split.clauses.entries()) {
    if (index > 0 && !clauseWord(clause[0]!)) break;
    words.push(...clause.filter((word) => word.text !== ','));
  }
  return words;
}
