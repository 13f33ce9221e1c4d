/** From order lines to orders: the verb finds its entry in the table, the entry reads the rest. */
import { error, splitLine, suggest, type Word } from '../../../kernel/orders.ts';
import type { Diagnostic, OrderLine, Parsed, View } from '../../../kernel/types.ts';
import type { Campaign } from '../content/campaign.ts';
import type { Overlord, OverlordOrder, OverlordStanding } from '../types.ts';
import { standingFault } from './doctrine.ts';
import { ENTRIES, readClauses } from './orders.ts';
import { clauseWord, emptyDraft, type Reading } from './reading.ts';

/** Reads every line by itself; one bad line never spoils another. */
export function parseLines(campaign: Campaign, lines: readonly OrderLine[], view: View<Overlord>): Parsed<Overlord> {
  const parsed: Parsed<Overlord> = { orders: [], standing: [], diagnostics: [] };
  for (const line of lines) {
    const words = wordsOf(line, parsed.diagnostics);
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

/** The words of a line without commas. Behind a semicolon stands a clause; a line with anything else there is a fault. */
export function wordsOf(line: OrderLine, faults: Diagnostic[]): Word[] {
  const clauses = splitLine(line)?.clauses ?? [];
  const stray = clauses.find((clause, index) => index > 0 && !clauseWord(clause[0]!));
  if (stray) {
    const verb = clauses[0]![0]!.upper;
    const pattern = ENTRIES.find((entry) => entry.verb.verb === verb)?.verb.pattern ?? '';
    faults.push(error('WORD NOT UNDERSTOOD', line.n, { word: stray[0]!.text, verb: `${verb} ;`, pattern }));
    return [];
  }
  return clauses.flat().filter((word) => word.text !== ',');
}
