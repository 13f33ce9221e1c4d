/** Forced Moves: displaced, beaten or sent infantry (3.2.1-forced, 3.2.1-over, 6.3-win-inf; R6, R8, R18). */
import { squaresBetween } from '../../board/square.ts';
import { type Book, placeOf, standing } from './book.ts';
import { destroy, onBoard, standDown, suppress } from './effects.ts';
import { coverOf } from './ground.ts';
import { holdsCard, playCard } from './hands.ts';
import { type Asking, ask, type Play, wantsAsking } from './play.ts';
import { rangeBetween } from './sightline.ts';
import { passageRefusal, placeRefusal } from './steps.ts';
import { canBoard } from './transport.ts';
import type { Table, Unit } from './types.ts';
import { classOf, footprintOf, printedMove, unitsOn } from './units.ts';
import { bindsWithin } from './zones.ts';

export type ForcedHow = 'displaced' | 'retreat' | 'forced';

/**
 * Squares a unit may be forced to from its own: free, open to infantry, no step inside one enemy zone (R18). `windows`:
 * by a Surprise card.
 */
export function forcedSquares(play: Play, unit: Unit, among: readonly string[], windows: boolean): string[] {
  const { book, table, known } = play;
  return among.filter((name) => {
    const place = placeOf(book, name);
    if (unitsOn(table, name).length > 0) return false;
    if (passageRefusal(book, table, placeOf(book, unit.at), place, 'inf', windows)) return false;
    return bindsWithin(book, known, unit, unit.at, name) === undefined;
  });
}

/** All places beside a unit's square. */
export function besideOf(book: Book, table: Table, name: string): string[] {
  const from = placeOf(book, name);
  return standing(book)
    .filter((place) => {
      const refusal = passageRefusal(book, table, from, place, 'inf', true);
      return refusal === undefined || (refusal.code !== 'NOT ADJACENT' && refusal.code !== 'NO PLACE TO STAND');
    })
    .map((place) => place.name);
}

/** Sorts squares by the default of 3.6: towards the own edge or away from the enemy, then cover, then north-west. */
export function inOrder(play: Play, unit: Unit, squares: readonly string[], by: 'own edge' | 'enemy'): string[] {
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

function edgeDistance(table: Table, unit: Unit, y: number): number {
  const south = table.zones[unit.side].rows[0] > table.zones[unit.side === 'us' ? 'ge' : 'us'].rows[0];
  return south ? -y : y;
}

function nearestEnemy(play: Play, unit: Unit, name: string): number {
  const enemies = play.table.units.filter((each) => each.side !== unit.side && each.aboard === null);
  return Math.min(99, ...enemies.map((each) => rangeBetween(play.book, [name], footprintOf(play.table, each))));
}

/**
 * Infantry that must leave its square for another beside it (run over, wreck pushed, beaten by a vehicle); never for
 * `taken`, the square that the vehicle behind a wreck rolls onto.
 */
export function* displace(play: Play, unit: Unit, why: 'run over' | 'wreck' | 'assault', taken = ''): Asking<void> {
  standDown(play, unit);
  const printed = printedMove(play.book, play.known, unit);
  const stuck = printed === 'X' || (printed === 0 && why !== 'assault');
  const beside = besideOf(play.book, play.table, unit.at).filter((name) => name !== taken);
  const squares = stuck ? [] : forcedSquares(play, unit, beside, false);
  if (squares.length === 0) {
    yield* destroy(play, unit, null, why);
    return;
  }
  yield* sendTo(play, unit, squares, 'displaced', inOrder(play, unit, squares, 'own edge')[0]!);
  if (why === 'run over' && onBoard(play, unit)) yield* suppress(play, unit, 1, 'run over');
}

/** Asks for one of the squares and moves there; no reactions (3.2.1-forced-b). */
export function* sendTo(
  play: Play,
  unit: Unit,
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
export function putDown(play: Play, unit: Unit, to: string, how: ForcedHow | 'back' | 'advance'): void {
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

/**
 * A beaten defender retreats to one of the three squares opposite the launch square (R8), through a window with Surprise,
 * or into a transport beside it (6.6-transport-j). Without any it is destroyed.
 */
export function* retreat(play: Play, unit: Unit, from: string): Asking<void> {
  const { book, table } = play;
  standDown(play, unit);
  if (printedMove(book, play.known, unit) === 'X') {
    yield* destroy(play, unit, null, 'retreat');
    return;
  }
  const three = opposite(book, from, unit.at);
  const plain = forcedSquares(play, unit, three, false);
  const windows = forcedSquares(play, unit, three, true).filter((name) => !plain.includes(name));
  const byWindow = holdsCard(play, unit.side, 'surprise') ? windows : [];
  const rides = table.units
    .filter((vehicle) => vehicle.side === unit.side && canBoard(book, play.known, unit, vehicle) === undefined)
    .map((vehicle) => `IN ${vehicle.code}`);
  const options = [...inOrder(play, unit, plain, 'enemy'), ...rides, ...inOrder(play, unit, byWindow, 'enemy')];
  if (plain.length + rides.length === 0) options.unshift('LOST');
  const always = windows.length > 0 && wantsAsking(play, unit.side, 'RETREAT') && table.cards[unit.side].hand > 0;
  if (options.length === 1 && options[0] === 'LOST' && !always) {
    yield* destroy(play, unit, null, 'retreat');
    return;
  }
  const to = yield* ask(play, {
    id: `retreat ${unit.code} from ${unit.at}`,
    to: unit.side,
    kind: 'retreat',
    options,
    fallback: options[0]!,
    params: { unit: unit.code, from: unit.at },
    rule: '6.3-win-inf-a',
    always,
  });
  if (to === 'LOST') {
    yield* destroy(play, unit, null, 'retreat');
    return;
  }
  if (byWindow.includes(to)) playCard(play, unit.side, 'surprise', 'event', unit.code);
  putDown(play, unit, to, 'retreat');
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
export function canStand(play: Play, unit: Unit, name: string): boolean {
  const kind = classOf(play.book, unit);
  return unitsOn(play.table, name).length === 0 && !placeRefusal(play.book, play.table, placeOf(play.book, name), kind);
}
