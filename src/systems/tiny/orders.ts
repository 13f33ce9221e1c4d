/** The order language: from this table come parsing, the echo, the form and HELP. */
import { error, splitLine } from '../../kernel/orders.ts';
import { valuesOf } from '../../kernel/questions.ts';
import type { DecisionRequest, Diagnostic, Filed, OrderLine, Parsed, Verb, View } from '../../kernel/types.ts';
import { type Tiny, type TinyWay, WAYS } from './types.ts';

export const VERBS: Verb[] = [
  { verb: 'RUN', pattern: 'RUN STEADY|FAST|JUMP', help: { key: 'tiny.help RUN' }, clauses: [], examples: ['RUN FAST'] },
  {
    verb: 'DOCTRINE',
    pattern: 'DOCTRINE RUN way | DOCTRINE CAPTURE YES|NO|ASK',
    help: { key: 'tiny.help DOCTRINE' },
    clauses: [],
    examples: ['DOCTRINE CAPTURE ASK'],
    standing: true,
  },
];

/** Lines to orders and doctrine; what is no order of this game is said line by line. */
export function parseRace(lines: readonly OrderLine[], view: View<Tiny>): Parsed<Tiny> {
  const parsed: Parsed<Tiny> = { orders: [], standing: [], diagnostics: [] };
  for (const line of lines) {
    const [words = [], ...more] = splitLine(line)?.clauses ?? [];
    const [verb, what, value] = words.map((word) => word.upper);
    // A line is read whole or not at all.
    const whole = more.length === 0 && words.length === (verb === 'RUN' ? 2 : 3);
    const way = (what ?? '').toLowerCase();
    if (whole && verb === 'RUN' && WAYS.includes(way as TinyWay)) {
      if (way === 'jump' && view.hand?.jumps === 0) parsed.diagnostics.push(error('NO JUMP LEFT', line.n));
      else parsed.orders.push({ verb, line: line.n, way: way as TinyWay });
    } else if (whole && verb === 'DOCTRINE' && what && value)
      parsed.standing.push({ verb, line: line.n, key: what, value: value.toLowerCase() });
    else parsed.diagnostics.push(error('NOT UNDERSTOOD', line.n, { text: line.text }));
  }
  return parsed;
}

/** An order as it is read again. */
export function printRace(order: Tiny['order'] | Tiny['standing']): string {
  return (order.verb === 'RUN' ? `RUN ${order.way}` : `DOCTRINE ${order.key} ${order.value}`).toUpperCase();
}

/** One of the choices, written as it was offered. */
export function answerOf(
  request: DecisionRequest<Tiny>,
  lines: readonly OrderLine[],
): { chosen: string[] } | { diagnostics: Diagnostic[] } {
  const chosen = lines.map((line) => line.text.trim().toUpperCase()).filter((text) => valuesOf(request).includes(text));
  return chosen.length === 1 ? { chosen } : { diagnostics: [error('NOT UNDERSTOOD', 1, { text: 'the answer' })] };
}

/** What DOCTRINE CAPTURE says to the question. */
export function doctrineOf(
  filed: Filed<Tiny>,
  mayAsk: boolean,
): { chosen: string[]; by: 'order' | 'doctrine' } | 'ask' | undefined {
  const said = filed.standing.find((order) => order.key === 'CAPTURE')?.value;
  if (said === 'ask') return mayAsk ? 'ask' : undefined;
  return said === undefined ? undefined : { chosen: [said === 'yes' ? 'CAPTURE' : 'PASS'], by: 'doctrine' };
}
