/** Answers questions of the rules from doctrine lines, on the owner's view. */
import type { DecisionRequest, Filed } from '../../kernel/types.ts';
import type { Book } from './book.ts';
import type { Normandie, SideView } from './types.ts';

/** What the side's doctrine says to a question; `undefined`: nothing, the fallback of 3.6 stands. */
export function answer(
  _book: Book,
  _view: SideView,
  _filed: Filed<Normandie>,
  _request: DecisionRequest,
): { chosen: string[]; by: 'order' | 'doctrine' } | 'ask' | undefined {
  return undefined;
}
