/** One step of infantry or of a one-square vehicle: geometry, walls, doors, terrain, counters (3.2.1, 5.1, 5.4). */

import { type Book, type Place, placeOf, standing } from '../content/opened.ts';
import { classOf, unitsOn } from '../counters/units.ts';
import { type Refusal, refuse } from '../refusal.ts';
import type { Known, NormandieTable, NormandieUnit } from '../types.ts';
import { barredFor, buildingAt } from './ground.ts';
import { adjacent, openingBetween } from './neighbours.ts';
import { bindsWithin } from './zones.ts';

/**
 * Why nobody of that class can go from one place to the next, counters apart. `window`: a Surprise card lets infantry
 * through a window.
 */
export function passageRefusal(
  book: Book,
  table: NormandieTable,
  from: Place,
  to: Place,
  kind: ReturnType<typeof classOf>,
  window = false,
): Refusal | undefined {
  const where = { from: from.name, to: to.name };
  if (!adjacent(book, table, from, to)) return refuse('NOT ADJACENT', '3.2.1-a', where);
  if (to.incomplete) return refuse('NO PLACE TO STAND', '3.2.1-offset-e', where);
  if (kind !== 'inf' && (from.offset || to.offset)) return refuse('OFFSET GRID', '3.2.1-offset-a', where);
  const trace = book.ground(table.rubble).trace(from.centre, to.centre);
  if (trace.barred) return refuse('NO PASSAGE', '5.1-nopass-a', where);
  if (buildingAt(table, from) !== buildingAt(table, to)) {
    const opening = openingBetween(book, table, from, to);
    if (opening === undefined) return refuse('WALL', '5.4-e', where);
    if (opening === 'window' && !window) return refuse('WINDOW', '5.4-e', where);
  } else if (trace.walled) return refuse('WALL', '5.4-e', where);
  return placeRefusal(book, table, to, kind);
}

/** Why a class may not stand on a place at all. */
export function placeRefusal(
  book: Book,
  table: NormandieTable,
  to: Place,
  kind: ReturnType<typeof classOf>,
): Refusal | undefined {
  const barred = barredFor(book, table, to, kind);
  if (barred === 'water') return refuse('WATER', '5.1-water-a', { to: to.name });
  if (barred) return refuse('IMPASSABLE', '5.1-imps-a', { to: to.name });
  if (kind !== 'inf' && isLane(book, table, to)) return refuse('LANE', '5.4-j', { to: to.name });
  return undefined;
}

/** A place with different buildings on opposite sides: only infantry fits between (5.4-j, 5.4-k). */
function isLane(book: Book, table: NormandieTable, place: Place): boolean {
  if (place.offset || buildingAt(table, place) !== null) return false;
  const [x, y] = place.centre;
  const house = (dx: number, dy: number): string | null => {
    const beside = standing(book).find((other) => other.centre[0] === x + dx && other.centre[1] === y + dy);
    return beside ? buildingAt(table, beside) : null;
  };
  return [
    [house(-2, 0), house(2, 0)],
    [house(0, -2), house(0, 2)],
  ].some(([a, b]) => a !== null && b !== null && a !== b);
}

export interface StepOptions {
  window?: boolean;
  /** The last step of an assault: into the enemy, its zone and all others ignored (3.2.2-i, 6.3-k). */
  assault?: boolean;
}

/** Why a unit may not take a step now: passage, counters (3.2.1-inf), zones (3.2.2-h). */
export function stepRefusal(
  book: Book,
  known: Known,
  unit: NormandieUnit,
  from: string,
  to: string,
  options: StepOptions = {},
): Refusal | undefined {
  const { table } = known;
  const kind = classOf(book, unit);
  const target = book.places.get(to);
  if (!target) return refuse('NO SUCH SQUARE', '3.2.1-a', { to });
  const passage = passageRefusal(book, table, placeOf(book, from), target, kind, options.window);
  if (passage || options.assault) return passage;
  const across = acrossVehicle(book, known, unit, from, to);
  if (across) return refuse('VEHICLE IN THE WAY', '3.2.1-d', { to, unit: across.code });
  for (const other of unitsOn(table, to)) {
    if (other.code === unit.code) continue;
    const vehicle = classOf(book, other) !== 'inf';
    if (kind === 'inf' && vehicle) return refuse('VEHICLE IN THE WAY', '3.2.1-inf-b', { to, unit: other.code });
    if (kind === 'inf' && other.side !== unit.side)
      return refuse('ENEMY IN THE WAY', '3.2.1-inf-a', { to, unit: other.code });
    if (kind !== 'inf' && vehicle) return refuse('VEHICLE IN THE WAY', '3.2.1-d', { to, unit: other.code });
  }
  if (kind !== 'inf') return undefined;
  const binding = bindsWithin(book, known, unit, from, to);
  return binding && refuse('WITHIN A ZONE OF CONTROL', '3.2.2-h', { from, to, unit: binding.code });
}

/** The vehicle that lies across a diagonal step: its two squares are those on either side of it (3.2.1-d). */
function acrossVehicle(
  book: Book,
  known: Known,
  unit: NormandieUnit,
  from: string,
  to: string,
): NormandieUnit | undefined {
  const [x, y] = placeOf(book, from).centre;
  const [toX, toY] = placeOf(book, to).centre;
  if (x === toX || y === toY) return undefined;
  const lies = (name: string, atX: number, atY: number): boolean => {
    const { centre } = placeOf(book, name);
    return centre[0] === atX && centre[1] === atY;
  };
  return known.table.units.find(
    ({ code, at, rear, aboard }) =>
      code !== unit.code &&
      aboard === null &&
      rear !== null &&
      ((lies(at, x, toY) && lies(rear, toX, y)) || (lies(at, toX, y) && lies(rear, x, toY))),
  );
}

/** May a Movement Action end there (3.2.1-d)? Vehicles may stop on infantry, which must give way (3.2.1-over-b). */
export function stopRefusal(book: Book, known: Known, unit: NormandieUnit, to: string): Refusal | undefined {
  const kind = classOf(book, unit);
  const other = unitsOn(known.table, to).find(
    (each) => each.code !== unit.code && (kind === 'inf' || classOf(book, each) !== 'inf'),
  );
  return other && refuse('OCCUPIED', '3.2.1-d', { to, unit: other.code });
}
