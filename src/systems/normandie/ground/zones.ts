/** Zones of Control (3.2.2, 5.4-h, 5.4-i). Only the zones of infantry without Suppressed Markers ever bind, and only infantry. */
import { type Book, type Place, placeOf } from '../content/opened.ts';
import { classOf } from '../counters/units.ts';
import type { Known, NormandieTable, NormandieUnit } from '../types.ts';
import { barredFor, buildingAt } from './ground.ts';
import { adjacent, doorBetween } from './neighbours.ts';

/** Does a counter's zone reach a place? Vehicles have zones too (3.2.2-l), but `bindsWithin` leaves them out. */
export function controls(book: Book, table: NormandieTable, unit: NormandieUnit, name: string): boolean {
  if (unit.aboard !== null || unit.at === name || unit.rear === name) return false;
  const to = placeOf(book, name);
  return [unit.at, unit.rear].some(
    (own) => own !== null && reaches(book, table, placeOf(book, own), to, classOf(book, unit)),
  );
}

function reaches(book: Book, table: NormandieTable, from: Place, to: Place, kind: ReturnType<typeof classOf>): boolean {
  if (barredFor(book, table, to, kind) !== null) return false;
  const [mine, theirs] = [buildingAt(table, from), buildingAt(table, to)];
  if (mine !== theirs) return doorBetween(book, table, from, to);
  if (from.offset !== to.offset) return from.offset && to.incomplete && touches(from, to);
  if (!from.offset && to.incomplete) return touches(from, to);
  if (!adjacent(book, table, from, to)) return false;
  const trace = book.ground(table.rubble).trace(from.centre, to.centre);
  return !trace.walled && !trace.barred;
}

function touches(a: Place, b: Place): boolean {
  return Math.max(Math.abs(a.centre[0] - b.centre[0]), Math.abs(a.centre[1] - b.centre[1])) <= 2;
}

/** Enemy infantry whose zone holds both places: a step between them is a move within that zone (R13, 3.2.2-h). */
export function bindsWithin(
  book: Book,
  known: Known,
  mover: NormandieUnit,
  from: string,
  to: string,
): NormandieUnit | undefined {
  return known.table.units.find(
    (enemy) =>
      enemy.side !== mover.side &&
      enemy.suppressed === 0 &&
      classOf(book, enemy) === 'inf' &&
      controls(book, known.table, enemy, from) &&
      controls(book, known.table, enemy, to),
  );
}

/** Is a place in the zone of unsuppressed enemy infantry (6.6-transport-m, R18)? */
export function inEnemyZone(book: Book, table: NormandieTable, side: NormandieUnit['side'], name: string): boolean {
  return table.units.some(
    (enemy) =>
      enemy.side !== side &&
      enemy.suppressed === 0 &&
      classOf(book, enemy) === 'inf' &&
      controls(book, table, enemy, name),
  );
}
