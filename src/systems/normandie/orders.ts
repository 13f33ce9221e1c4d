/** The order language: one table of verbs, from which parsing, printing, help and the order form come. */
import type { DecisionRequest, Diagnostic, OrderLine, Parsed, Verb } from '../../kernel/types.ts';
import type { Book } from './book.ts';
import type { Doctrine, Order } from './language.ts';
import type { Normandie, SideView } from './types.ts';

export const verbs: Verb[] = [];

/** Reads order lines against a view: good lines as orders, bad ones as diagnostics (E01 to E30 of the rulings). */
export function parse(_book: Book, _lines: readonly OrderLine[], _view: SideView): Parsed<Normandie> {
  return { orders: [], standing: [], diagnostics: [] };
}

/** One order as a line that parses back to it. */
export function print(order: Order | Doctrine): string {
  return order.verb;
}

/** An answer to a question put by mail: one of its options. */
export function parseAnswer(
  _book: Book,
  _view: SideView,
  request: DecisionRequest,
  _lines: readonly OrderLine[],
): { chosen: string[] } | { diagnostics: Diagnostic[] } {
  return { chosen: request.fallback };
}
