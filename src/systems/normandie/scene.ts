/** The map of a view: board, counters, tokens, lines of fire and moves of the last phase. */
import type { MapScene } from '../../kernel/types.ts';
import type { Book } from './book.ts';
import type { Event } from './events.ts';
import type { SideView } from './types.ts';

export function scene(book: Book, _view: SideView, _events: readonly Event[]): MapScene {
  const { board } = book.data;
  return {
    title: board.name,
    size: { kind: 'square', columns: [1, board.columns], rows: [1, board.rows.length] },
    items: [],
    house: [],
  };
}
