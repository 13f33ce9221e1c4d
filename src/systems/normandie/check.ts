/** Legality of a set of orders as far as their owner can know (3.10), by the same code that adjudication uses. */
import type { Diagnostic } from '../../kernel/types.ts';
import type { Book } from './book.ts';
import type { Order } from './language.ts';
import type { SideView } from './types.ts';

export function check(_book: Book, _view: SideView, _orders: readonly Order[]): Diagnostic[] {
  return [];
}
