/** Places beside one another, and the doors and windows between them (3.2.1, 5.4). */
import { strictlyBetween } from '../../../board/square.ts';
import { type Book, type Place, placeOf } from '../content/opened.ts';
import type { NormandieTable } from '../types.ts';

/** Are two places neighbours on the board, whatever stands between them (3.2.1-c, 3.2.1-offset-c, 3.2.1-offset-d)? */
export function adjacent(book: Book, table: NormandieTable, a: Place, b: Place): boolean {
  const dx = Math.abs(a.centre[0] - b.centre[0]);
  const dy = Math.abs(a.centre[1] - b.centre[1]);
  const far = Math.max(dx, dy);
  if (far === 0) return false;
  if (a.offset === b.offset) return far === 2 && dx % 2 === 0 && dy % 2 === 0;
  if (far > 3) return false;
  const corners = [a, b].flatMap(({ corner: [x, y] }) => [
    [x, y] as const,
    [x + 2, y] as const,
    [x, y + 2] as const,
    [x + 2, y + 2] as const,
  ]);
  if (corners.some((corner) => strictlyBetween(a.centre, b.centre, corner))) return false;
  const { crossed } = book.ground(table.rubble).trace(a.centre, b.centre);
  return crossed.every((name) => name === a.name || name === b.name || placeOf(book, name).incomplete);
}

/** The opening that leads from one place to the other, if there is one. */
export function openingBetween(book: Book, table: NormandieTable, a: Place, b: Place): 'door' | 'window' | undefined {
  let found: 'door' | 'window' | undefined;
  for (const opening of book.ground(table.rubble).sight.openings) {
    const leads =
      (opening.inside === a.name && opening.outside.includes(b.name)) ||
      (opening.inside === b.name && opening.outside.includes(a.name));
    if (leads && found !== 'door') found = opening.kind;
  }
  return found;
}

export function doorBetween(book: Book, table: NormandieTable, a: Place, b: Place): boolean {
  return openingBetween(book, table, a, b) === 'door';
}
