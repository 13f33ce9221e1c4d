/** The report of a phase as one side may hear it. */
import type { Filed, Report } from '../../kernel/types.ts';
import type { Book } from './book.ts';
import type { Event } from './events.ts';
import type { Normandie, SideView } from './types.ts';

export function report(_book: Book, view: SideView, _events: readonly Event[], _filed: Filed<Normandie>): Report {
  return { headline: { key: 'normandie.headline', params: { turn: view.phase.turn } }, sections: [], orderForm: [] };
}
