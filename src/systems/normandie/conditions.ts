/** Conditions of scripts and doctrine, evaluated on what one side knows (3.4): never on the full state. */
import type { Book } from './book.ts';
import type { Condition, Side } from './language.ts';
import type { Known } from './types.ts';

/**
 * Does the condition hold for `side`? `known` must be that side's own knowledge (`sideKnown` in play.ts), so that a
 * concealed enemy can't be probed. Doctrine words look at `known.table.moment`.
 */
export function holds(_book: Book, _known: Known, _side: Side, _condition: Condition): boolean {
  return false;
}
