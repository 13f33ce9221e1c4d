/** Explosions and flames: who is under a template, scatter, attacks one by one (6.2-howitzer, -indirect, -flame, 7.2-grenade). */
import { type LatticePoint, OCTANTS, type Octant, squaresBetween, turned } from '../../../board/square.ts';
import { known as must } from '../../../kernel/assert.ts';
import { ceilDiv } from '../../../kernel/fraction.ts';
import { type Book, type Place, placeOf, placesTouching, pointOf } from '../content/opened.ts';
import { type Asking, ask, type Play } from '../counters/play.ts';
import { reveal } from '../counters/states.ts';
import { can, classOf, findUnit, squaresOf, unitsOn } from '../counters/units.ts';
import type { WeaponUse } from '../counters/weapons.ts';
import type { NormandieSide } from '../data.ts';
import type { Term } from '../events.ts';
import { buildingAt, positionAt } from '../ground/ground.ts';
import { endsOf, lineBetween, lineToPlace } from '../ground/sightline.ts';
import type { NormandieTable, NormandieUnit } from '../types.ts';
import { chanceOf, defenseTerms, plainDefense, resultOf, withDice } from './attack.ts';
import { rollDestruction } from './destruction.ts';
import { destroy, hit, onBoard, suppress } from './effects.ts';
import { plusOf, rollDice } from './rolls.ts';

/** A blast or flame about to be resolved. */
export interface Area {
  side: NormandieSide;
  /** Thrower, for logs and re-rolls. */
  by: string;
  use: WeaponUse;
  /** Added to every attack die: bonuses, then penalties. */
  terms: Term[];
  /** Added to the first of them alone: cards for one die roll, declared with the action (4.2-o); null once that is rolled. */
  once: Term[] | null;
  cover: boolean;
  flame: boolean;
  context: string;
  /** More defense for one unit (Hold Your Ground). */
  dug: { unit: string; n: number } | null;
}

/** Squares an explosion on a point covers: outside buildings only (R9, 6.2-howitzer-h). */
export function blastSquares(book: Book, table: NormandieTable, point: LatticePoint): Place[] {
  return placesTouching(book, point).filter((place) => buildingAt(table, place) === null);
}

/** What an explosion on a point does: squares whose units are attacked, and all squares under it, for structures (6.2-howitzer-f). */
export function blastAt(book: Book, table: NormandieTable, point: LatticePoint): Blast {
  const names = (places: readonly Place[]): string[] => places.map((place) => place.name);
  return { squares: names(blastSquares(book, table, point)), under: names(placesTouching(book, point)) };
}

/** Squares of a template: whose units it attacks, and those it covers at all. */
export interface Blast {
  squares: readonly string[];
  under: readonly string[];
}

/** May a template be aimed at that point: four squares of the map, not inside a building (6.2-howitzer-e)? */
export function isAimPoint(book: Book, table: NormandieTable, name: string): boolean {
  const point = pointOf(book, name);
  if (!point || !name.startsWith('@')) return false;
  const around = placesTouching(book, point);
  const { board } = book.data;
  const inside = point[0] > 0 && point[1] > 0 && point[0] < 2 * board.columns && point[1] < 2 * board.rows.length;
  return inside && around.some((place) => buildingAt(table, place) === null);
}

/** Interspaces from a thrower to a point: the corners of its square are 1 away (R10); out of a building, from the opening (7.2-grenade-j). */
export function interspacesTo(book: Book, table: NormandieTable, unit: NormandieUnit, name: string): number {
  const point = must(pointOf(book, name), `no interspace ${name}`);
  const from = placeOf(book, unit.at);
  const house = buildingAt(table, from);
  const outside = placesTouching(book, point).every((place) => buildingAt(table, place) !== house);
  const apart = (a: LatticePoint): number => squaresBetween(a, point);
  if (house === null || outside === false) return apart(from.centre);
  const ends = book
    .ground(table.rubble)
    .sight.openings.filter((opening) => opening.inside === unit.at)
    .flatMap((opening) => opening.segment);
  return ends.length === 0
    ? 99
    : 1 +
        Math.min(...ends.map((end) => ceilDiv(Math.max(Math.abs(end[0] - point[0]), Math.abs(end[1] - point[1])), 2)));
}

/** Units even partly on any of the squares, by code; concealed ones and passengers are not touched (6.1-ambush-b, 6.6-transport-d). */
export function unitsUnder(table: NormandieTable, squares: readonly string[], concealedToo: boolean): NormandieUnit[] {
  return table.units
    .filter(
      (unit) => (concealedToo || unit.concealed === null) && squaresOf(unit).some((name) => squares.includes(name)),
    )
    .sort((a, b) => (a.code < b.code ? -1 : 1));
}

/** Scatter roll from which the shot is on target (6.2-indirect-d). */
const ON_TARGET = 5;

/** Scatter of Indirect Fire (6.2-indirect-c to -e): where the template comes down; undefined when lost off the map. */
export function* scatter(
  play: Play,
  unit: NormandieUnit,
  use: WeaponUse,
  aimed: string,
  context: string,
): Asking<string | undefined> {
  const { book } = play;
  const { dice: rolled, more } = yield* rollDice(play, {
    side: unit.side,
    unit: unit.code,
    target: null,
    purpose: 'scatter',
    context: `scatter, ${context}`,
    count: 1,
    judge: (dice, extra) => {
      const total = dice[0]! + plusOf(extra);
      return { total, need: ON_TARGET, result: { effect: total >= ON_TARGET ? 'on target' : 'scattered' } };
    },
    chance: 33,
  });
  const die = Math.min(6, rolled[0]! + plusOf(more));
  const direction = book.data.scatter[die];
  let landed: string | undefined = aimed;
  if (direction !== undefined) {
    const distance = Math.max(0, (use.abilities['indirect-fire'] ?? 0) - (spotted(play, unit, aimed) ? 1 : 0));
    const from = must(pointOf(book, aimed), `no interspace ${aimed}`);
    const [dx, dy] = OCTANTS[direction]!;
    landed = yield* comesDown(play, unit, [from[0] + 2 * distance * dx, from[1] + 2 * distance * dy], aimed);
  }
  play.emit({
    type: 'scatter',
    audience: 'all',
    unit: unit.code,
    aimed,
    die,
    landed: landed ?? null,
    rule: '6.2-indirect-c',
  });
  return landed;
}

/** Has the side an Artillery Spotter with a clear line to the interspace (6.2-spotter-a)? */
function spotted(play: Play, unit: NormandieUnit, aimed: string): boolean {
  return play.table.units.some((each) => {
    if (each.side !== unit.side || !can(play.book, play.known, each, 'artillery-spotter')) return false;
    return lineToPlace(play.book, play.table, each, aimed)?.penalty === 0;
  });
}

/** The interspace for a point; between the grids the firing player picks one (6.2-howitzer-l, G-21). */
function* comesDown(play: Play, unit: NormandieUnit, point: LatticePoint, aimed: string): Asking<string | undefined> {
  const { book, table } = play;
  const names = interspacesAt(book, point);
  const touching = names.filter((name) => placesTouching(book, pointOf(book, name)!).length > 0);
  if (touching.length === 0) return undefined;
  const worth = (name: string): number => {
    const squares = blastSquares(book, table, pointOf(book, name)!).map((place) => place.name);
    return unitsUnder(table, squares, false).reduce((sum, each) => sum + (each.side === unit.side ? -1 : 1), 0);
  };
  const best = touching.reduce((a, b) => (worth(b) > worth(a) ? b : a));
  return yield* ask(play, {
    id: `scatter of ${unit.code} at ${aimed}`,
    to: unit.side,
    kind: 'interspace',
    options: touching,
    fallback: best,
    params: { unit: unit.code },
    rule: '6.2-howitzer-l',
  });
}

/** Names of the interspaces at a point, or of the nearest of the grid it has come to. */
export function interspacesAt(book: Book, point: LatticePoint): string[] {
  const names = [...book.places.values()].map((place) => `@${place.name}`);
  const at = (x: number, y: number): string[] =>
    names.filter((name) => {
      const own = pointOf(book, name);
      return own !== undefined && own[0] === x && own[1] === y;
    });
  const covered = [...book.places.values()].filter(
    (place) => place.offset && Math.abs(place.centre[0] - point[0]) <= 1 && Math.abs(place.centre[1] - point[1]) <= 1,
  );
  const exact = at(point[0], point[1]);
  const isCorner = covered.some(
    (place) => (place.centre[0] - point[0]) % 2 !== 0 && (place.centre[1] - point[1]) % 2 !== 0,
  );
  if (exact.length > 0 && (covered.length === 0 || isCorner)) return exact.slice(0, 1);
  const near: string[] = [];
  for (const dy of [-1, 0, 1]) for (const dx of [-1, 0, 1]) near.push(...at(point[0] + dx, point[1] + dy));
  return [...new Set(near)];
}

/** Squares of a flame in a direction that it reaches: nothing blocks the way to them (6.2-flame-e, -f). */
export function flameSquares(book: Book, table: NormandieTable, unit: NormandieUnit, direction: Octant): string[] {
  const { straight, diagonal } = book.data.flame;
  const quarters = (direction - (direction % 2)) >> 1;
  const shape = direction % 2 === 0 ? straight : diagonal;
  const ends = endsOf(book, table, unit);
  return shape.flatMap(([x, y]) => {
    let [dx, dy] = [x, y];
    for (let i = 0; i < quarters; i++) [dx, dy] = [-dy, dx];
    for (const end of ends) {
      const at = [end.point[0] + 2 * dx, end.point[1] + 2 * dy] as const;
      const place = [...book.places.values()].find((each) => each.centre[0] === at[0] && each.centre[1] === at[1]);
      if (!place || place.incomplete) continue;
      const line = lineBetween(
        book,
        table,
        end,
        { point: place.centre, places: [place.name] },
        {
          infantryTarget: true,
          infantryBlocks: false,
          besides: [unit.code, ...unitsOn(table, place.name).map((each) => each.code)],
        },
      );
      if (line.clear) return [place.name];
    }
    return [];
  });
}

/** All squares of the position or building that a place belongs to, for charges thrown inside (7.2-grenade-g, -i). */
export function insideSquares(book: Book, table: NormandieTable, name: string): string[] {
  const place = placeOf(book, name);
  const position = positionAt(table, place);
  const room = buildingAt(table, place) === null ? null : place.room;
  return [...book.places.values()]
    .filter((other) =>
      room !== null ? other.room === room : position !== null && positionAt(table, other) === position,
    )
    .map((other) => other.name);
}

/**
 * Attacks everybody on the squares, one by one (6.2-howitzer-k); a flame also suppresses (6.2-flame-g). Structures even
 * partly under the template then take destruction dice, whoever is inside unharmed (6.2-howitzer-f, -h).
 */
export function* attackSquares(play: Play, area: Area, { squares, under }: Blast): Asking<void> {
  const structures = structuresUnder(play, under);
  for (const unit of unitsUnder(play.table, squares, area.flame)) {
    if (!onBoard(play, unit)) continue;
    if (unit.concealed !== null) reveal(play, unit, 'spotted');
    yield* attackOne(play, area, unit);
    if (area.flame && onBoard(play, unit)) yield* suppress(play, unit, 1, 'flame');
  }
  const dice = area.use.abilities.destruction ?? 0;
  if (dice === 0) return;
  for (const structure of structures)
    yield* rollDestruction(play, { side: area.side, unit: area.by }, dice, structure, area.context);
}

function structuresUnder(play: Play, squares: readonly string[]): string[] {
  const found = new Set<string>();
  for (const name of squares) {
    const house = buildingAt(play.table, placeOf(play.book, name));
    if (house !== null) found.add(house);
    const wreck = play.table.wrecks.find((each) => each.squares.includes(name));
    if (wreck) found.add(wreck.id);
  }
  return [...found].sort((a, b) => (a < b ? -1 : 1));
}

function* attackOne(play: Play, area: Area, unit: NormandieUnit): Asking<void> {
  const { book, known } = play;
  const value = area.use.cv[classOf(book, unit)];
  if (value === 'X') return;
  const shooter = findUnit(play.table, area.by) ?? null;
  const once = area.once;
  area.once = null;
  const own: Term = { what: 'value', n: value, of: area.use.label, rule: '6.2-howitzer-d' };
  const terms: Term[] = [own, ...area.terms, ...(once ?? [])];
  const defense = defenseTerms(book, known, unit, plainDefense(book, known, unit), shooter, area.cover);
  if (area.dug?.unit === unit.code) defense.push({ what: 'hold your ground', n: area.dug.n, of: 'dig' });
  const need = defense.reduce((sum, term) => sum + term.n, 0);
  const sum = (dice: readonly number[], more: readonly Term[]) => withDice(dice, [...terms, ...more], defense);
  const { dice, more } = yield* rollDice(play, {
    side: area.side,
    unit: area.by,
    target: unit.code,
    purpose: 'fire',
    context: `${area.context} on ${unit.code}`,
    count: 1,
    judge: (each, extra) => {
      const { total } = sum(each, extra);
      return { total, need, result: resultOf(total, need, false) };
    },
    chance: chanceOf(terms, need, 1),
    ...(once ? { declared: true } : {}),
  });
  const done = sum(dice, more);
  const result = resultOf(done.total, need, false);
  play.emit({
    type: 'shot',
    audience: 'all',
    unit: area.by,
    target: unit.code,
    weapon: area.use.label,
    purpose: 'fire',
    sum: done,
    result: result.effect,
    n: 0,
    range: 0,
    rule: '6.2-howitzer-k',
  });
  if (result.effect === 'destroyed') yield* destroy(play, unit, shooter, 'fire');
  else if (result.effect === 'hit')
    yield* hit(play, unit, shooter, 'piercing' in area.use.abilities, `${area.context} on ${unit.code}`);
}

/** Direction of a flame that faces a square, for arcs. */
export function withinArc(facing: Octant, direction: Octant): boolean {
  return direction === facing || direction === turned(facing, 1) || direction === turned(facing, -1);
}
