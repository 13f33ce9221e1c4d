/** Forced Moves: displaced, beaten or sent infantry (3.2.1-forced, 3.2.1-over, 6.3-win-inf; R6, R8, R18). */

import { squaresBetween } from '../../../board/square.ts';
import { type Book, placeOf, standing } from '../content/opened.ts';
import { type Asking, ask, type Play } from '../counters/play.ts';
import { classOf, footprintOf, unitsOn } from '../counters/units.ts';
import { coverOf } from '../ground/ground.ts';
import { rangeBetween } from '../ground/sightline.ts';
import { passageRefusal, placeRefusal } from '../ground/steps.ts';
import { bindsWithin } from '../ground/zones.ts';
import type { NormandieTable, NormandieUnit } from '../types.ts';

export type ForcedHow = 'displaced' | 'retreat' | 'forced';

/**
 * Squares a unit may be forced to from its own: free, open to infantry, no step inside one enemy zone (R18). `windows`:
 * by a Surprise card.
 */
export function forcedSquares(play: Play, unit: NormandieUnit, among: readonly string[], windows: boolean): string[] {
  const { book, table, known } = play;
  return among.filter((name) => {
    const place = placeOf(book, name);
    if (unitsOn(table, name).length > 0) return false;
    if (passageRefusal(book, table, placeOf(book, unit.at), place, 'inf', windows)) return false;
    return bindsWithin(book, known, unit, unit.at, name) === undefined;
  });
}

/** All places beside a unit's square. */
export function besideOf(book: Book, table: NormandieTable, name: string): string[] {
  const from = placeOf(book, name);
  return standing(book)
    .filter((place) => {
      const refusal = passageRefusal(book, table, from, place, 'inf', true);
      return refusal === undefined || (refusal.code !== 'NOT ADJACENT' && refusal.code !== 'NO PLACE TO STAND');
    })
    .map((place) => place.name);
}

/** Sorts squares by the default of 3.6: towards the own edge or away from the enemy, then cover, then north-west. */
export function inOrder(
  play: Play,
  unit: NormandieUnit,
  squares: readonly string[],
  by: 'own edge' | 'enemy',
): string[] {
  const { book, table } = play;
  const rank = new Map(
    squares.map((name) => {
      const place = placeOf(book, name);
      const cover = coverOf(book, table, { ...unit, at: name, rear: null, aboard: null }, 'inf', [], 'building').value;
      const distance = by === 'own edge' ? edgeDistance(table, unit, place.centre[1]) : -nearestEnemy(play, unit, name);
      return [name, [distance, -cover, place.centre[1], place.centre[0]]] as const;
    }),
  );
  return [...squares].sort((a, b) => {
    const [x, y] = [rank.get(a)!, rank.get(b)!];
    for (let i = 0; i < x.length; i++) if (x[i] !== y[i]) return x[i]! - y[i]!;
    return 0;
  });
}

function edgeDistance(table: NormandieTable, unit: NormandieUnit, y: number): number {
  const south = table.zones[unit.side].rows[0] > table.zones[unit.side === 'us' ? 'ge' : 'us'].rows[0];
  return south ? -y : y;
}

function nearestEnemy(play: Play, unit: NormandieUnit, name: string): number {
  const enemies = play.table.units.filter((each) => each.side !== unit.side && each.aboard === null);
  return Math.min(99, ...enemies.map((each) => rangeBetween(play.book, [name], footprintOf(play.table, each))));
}

/** Asks for one of the squares and moves there; no reactions (3.2.1-forced-b). */
export function* sendTo(
  play: Play,
  unit: NormandieUnit,
  squares: readonly string[],
  how: ForcedHow,
  fallback: string,
): Asking<void> {
  const to = yield* ask(play, {
    id: `${how} ${unit.code} from ${unit.at}`,
    to: unit.side,
    kind: how === 'retreat' ? 'retreat' : 'displace',
    options: [...squares],
    fallback,
    params: { unit: unit.code, from: unit.at },
    rule: how === 'retreat' ? '6.3-win-inf-a' : '3.2.1-over-b',
  });
  putDown(play, unit, to, how);
}

/** Puts a unit on a square or into a transport (`IN US9`) by a Forced Move. */
export function putDown(play: Play, unit: NormandieUnit, to: string, how: ForcedHow | 'back' | 'advance'): void {
  const from = unit.at;
  if (to.startsWith('IN ')) {
    const vehicle = play.table.units.find((each) => each.code === to.slice(3))!;
    unit.aboard = vehicle.code;
    unit.at = vehicle.at;
  } else {
    unit.aboard = null;
    unit.at = to;
  }
  play.emit({
    type: 'moved',
    audience: 'all',
    unit: unit.code,
    from,
    to: unit.at,
    rear: unit.rear,
    facing: unit.facing,
    how,
    aboard: unit.aboard,
    spent: 0,
    of: 0,
    rule: '3.2.1-forced-a',
  });
}

/** The square opposite the launch square and the two beside it that touch the defender's (R8). */
export function opposite(book: Book, from: string, at: string): string[] {
  const [lx, ly] = placeOf(book, from).centre;
  const [x, y] = placeOf(book, at).centre;
  const far = [2 * x - lx, 2 * y - ly] as const;
  return standing(book)
    .filter((place) => {
      const own = squaresBetween(place.centre, [x, y]) === 1;
      const dx = Math.abs(place.centre[0] - far[0]);
      const dy = Math.abs(place.centre[1] - far[1]);
      return own && dx <= 2 && dy <= 2 && dx + dy <= 2;
    })
    .map((place) => place.name);
}

/** Can a unit of infantry stand there at all (boarded squares and rubble included)? */
export function canStand(play: Play, unit: NormandieUnit, name: string): boolean {
  const kind = classOf(play.book, unit);
  return unitsOn(play.table, name).length === 0 && !placeRefusal(play.book, play.table, placeOf(play.book, name), kind);
}
