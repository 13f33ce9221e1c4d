/** Chances on public facts, for conditions and defaults: no dice are rolled and nothing hidden is looked at. */
import type { Book } from './book.ts';
import type { FireAction, Side } from './language.ts';
import type { Known } from './types.ts';

/**
 * Chance in per cent (rounded down) that a shot has its effect on the target: a Hit, or with `suppress` at least one
 * Suppressed Marker. Undefined when the unit may not fire at it now. `unit` is an own code or table code of `side`.
 */
export function oddsOf(
  _book: Book,
  _known: Known,
  _side: Side,
  _shot: FireAction,
  _target: string,
): number | undefined {
  return undefined;
}
