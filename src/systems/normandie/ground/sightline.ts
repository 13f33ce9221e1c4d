/**
 * Line of Sight (3.2.3, 5.1, 5.4) between units, squares and interspaces as the board lies now.
 */

import type { SightOpening } from '../../../board/sight.ts';
import { type LatticePoint, sectorOf, squaresBetween, strictlyBetween, turned } from '../../../board/square.ts';
import { known as must } from '../../../kernel/assert.ts';
import { floorDiv } from '../../../kernel/fraction.ts';
import { type Book, type Place, placeOf, placesTouching, pointOf } from '../content/opened.ts';
import { classOf, faceOf, footprintOf, isVehicle, squaresOf } from '../counters/units.ts';
import type { Class } from '../data.ts';
import type { Known, NormandieTable, NormandieUnit } from '../types.ts';
import { buildingAt, symbolsAt } from './ground.ts';

/** One end of a line: a point and the squares around it that never count (3.2.3-los-g). */
export interface End {
  point: LatticePoint;
  places: readonly string[];
}

export type SightLine =
  | {
      clear: false;
      why: 'wall' | 'no passage' | 'opening' | 'building' | 'terrain' | 'vehicle' | 'infantry';
      at: string;
    }
  /** `obscuring`: places crossed that take something off the roll. */
  | { clear: true; penalty: number; obscuring: { place: string; value: number }[]; through: SightOpening[] };

export interface SightRules {
  /** Yellow triangles count (5.1-obsc-e). */
  infantryTarget: boolean;
  /** Infantry in between blocks: firer and target both infantry, firer not aboard (3.2.3-los-i, 6.6-transport-g). */
  infantryBlocks: boolean;
  /** Units that do not count: the two at the ends, vehicles they sit in. */
  besides: readonly string[];
  /** Only openings, walls and counters matter (red triangle, 6.2-limited-c). */
  overTerrain?: boolean;
}

/** The line between two ends as it is now. */
export function lineBetween(book: Book, table: NormandieTable, a: End, b: End, looking: SightRules): SightLine {
  const ground = book.ground(table.rubble);
  const trace = ground.trace(a.point, b.point);
  if (!looking.overTerrain && trace.walled) return { clear: false, why: 'wall', at: '' };
  if (!looking.overTerrain && trace.barred) return { clear: false, why: 'no passage', at: '' };
  const houses = [a, b].map((end) => houseOf(book, table, end));
  if (!looking.overTerrain && !openingsServe(a, b, houses, trace.through))
    return { clear: false, why: 'opening', at: houses[0] ?? houses[1] ?? '' };
  const besides = new Set([...a.places, ...b.places]);
  const counters = countersInTheWay(book, table, looking);
  const corner = table.units.find((unit) => standsOnCorner(book, unit, a.point, b.point, looking.besides));
  if (corner) return { clear: false, why: 'vehicle', at: corner.at };
  const obscuring: { place: string; value: number }[] = [];
  const effect = (name: string): Effect => {
    const place = placeOf(book, name);
    const house = buildingAt(table, place);
    if (house !== null && !houses.includes(house)) return { blocks: 'building', value: 0 };
    const counter = counters.get(name);
    if (counter) return { blocks: counter, value: 0 };
    return looking.overTerrain ? { value: 0 } : terrainEffect(book, table, place, looking.infantryTarget);
  };
  for (const name of trace.crossed) {
    if (besides.has(name)) continue;
    const { blocks, value } = effect(name);
    if (blocks && !(looking.overTerrain && blocks === 'building')) return { clear: false, why: blocks, at: name };
    if (value > 0) obscuring.push({ place: name, value });
  }
  for (const pair of trace.along) {
    if (pair.some((name) => besides.has(name))) continue;
    const [one, other] = pair.map(effect) as [Effect, Effect];
    if (one.blocks && other.blocks) return { clear: false, why: one.blocks, at: pair.join('|') };
    const values = [one, other].flatMap((each) => (each.blocks ? [] : [each.value]));
    const value = Math.min(...values);
    if (value > 0) obscuring.push({ place: pair.join('|'), value });
  }
  const penalty = obscuring.reduce((sum, each) => sum + each.value, 0);
  return { clear: true, penalty, obscuring, through: trace.through };
}

interface Effect {
  blocks?: 'building' | 'terrain' | 'vehicle' | 'infantry';
  value: number;
}

function terrainEffect(book: Book, table: NormandieTable, place: Place, infantryTarget: boolean): Effect {
  let value = 0;
  const house = buildingAt(table, place);
  for (const symbol of symbolsAt(book, table, place)) {
    if (symbol.is === 'blocks' && house === null) return { blocks: 'terrain', value: 0 };
    if (symbol.is === 'obscures' && (infantryTarget || !symbol.infantryOnly)) value += symbol.value;
  }
  return { value };
}

function countersInTheWay(book: Book, table: NormandieTable, looking: SightRules): Map<string, 'vehicle' | 'infantry'> {
  const squares = new Map<string, 'vehicle' | 'infantry'>();
  for (const unit of table.units) {
    if (unit.aboard !== null || looking.besides.includes(unit.code)) continue;
    const vehicle = isVehicle(book, unit);
    if (!vehicle && (!looking.infantryBlocks || unit.concealed !== null)) continue;
    for (const name of squaresOf(unit)) squares.set(name, vehicle ? 'vehicle' : 'infantry');
  }
  return squares;
}

/** A vehicle standing diagonally also blocks through the corner between its squares (G-13). */
function standsOnCorner(
  book: Book,
  unit: NormandieUnit,
  p: LatticePoint,
  q: LatticePoint,
  besides: readonly string[],
): boolean {
  if (unit.rear === null || unit.aboard !== null || besides.includes(unit.code)) return false;
  if (unit.facing % 2 === 0) return false;
  const front = placeOf(book, unit.at).centre;
  const rear = placeOf(book, unit.rear).centre;
  return strictlyBetween(p, q, [floorDiv(front[0] + rear[0], 2), floorDiv(front[1] + rear[1], 2)]);
}

function houseOf(book: Book, table: NormandieTable, end: End): string | null {
  if (end.places.length === 0) return null;
  const houses = end.places.map((name) => buildingAt(table, placeOf(book, name)));
  return houses.every((house) => house === houses[0]) ? (houses[0] ?? null) : null;
}

/** In or out of a building only through an opening that one of the ends is next to (5.4-l to 5.4-n). */
function openingsServe(a: End, b: End, houses: (string | null)[], through: readonly SightOpening[]): boolean {
  return [[a, houses[0], b, houses[1]] as const, [b, houses[1], a, houses[0]] as const].every(
    ([end, house, other, otherHouse]) => {
      if (!house || house === otherHouse) return true;
      return through.some(
        (opening) =>
          opening.building === house &&
          (end.places.includes(opening.inside) || other.places.some((name) => opening.outside.includes(name))),
      );
    },
  );
}

/** Points a unit may trace from or be aimed at: one, or front, middle and rear of a long vehicle (G-10). */
export function endsOf(book: Book, table: NormandieTable, unit: NormandieUnit): End[] {
  const places = footprintOf(table, unit);
  const points = places.map((name) => placeOf(book, name).centre);
  const [front, rear] = points;
  if (!rear || unit.aboard !== null) return points.map((point) => ({ point, places }));
  const middle: LatticePoint = [floorDiv(front![0] + rear[0], 2), floorDiv(front![1] + rear[1], 2)];
  return [front!, middle, rear].map((point) => ({ point, places }));
}

/** The end at a square, or at an interspace with the squares that touch it. */
function endAt(book: Book, name: string): End | undefined {
  const point = pointOf(book, name);
  if (!point) return undefined;
  if (!name.startsWith('@')) return { point, places: [name] };
  return { point, places: placesTouching(book, point).map((place) => place.name) };
}

/** Range in squares between two units, nearest squares counting (R1, G-08). */
export function rangeOf(book: Book, table: NormandieTable, a: NormandieUnit, b: NormandieUnit): number {
  return rangeBetween(book, footprintOf(table, a), footprintOf(table, b));
}

/** Range in squares between two sets of places. */
export function rangeBetween(book: Book, a: readonly string[], b: readonly string[]): number {
  let least = Number.MAX_SAFE_INTEGER;
  for (const one of a)
    for (const other of b)
      least = Math.min(least, squaresBetween(placeOf(book, one).centre, placeOf(book, other).centre));
  return least;
}

export type Facet = 'front' | 'side' | 'rear';

/** A way to see a target: the pair of points, the line, and for a heavy vehicle the value it meets. */
export interface Aim {
  from: End;
  to: End;
  line: Extract<SightLine, { clear: true }>;
  /** Printed Defense Value from there; undefined for a concealed enemy. */
  defense: number | undefined;
  facet: Facet | undefined;
  length: number;
}

/** The best aim of one unit at another, or why there is none (G-10, 3.2.3-los-n, 3.2.3-los-o). */
export function aimAt(
  book: Book,
  known: Known,
  shooter: NormandieUnit,
  target: NormandieUnit,
  overTerrain = false,
): { aim: Aim } | { blocked: Extract<SightLine, { clear: false }> } {
  const { table } = known;
  const infantry = (unit: NormandieUnit): boolean => classOf(book, unit) === 'inf';
  const looking: SightRules = {
    infantryTarget: infantry(target),
    infantryBlocks: infantry(shooter) && infantry(target) && shooter.aboard === null,
    besides: [shooter, target].flatMap((unit) => (unit.aboard === null ? [unit.code] : [unit.code, unit.aboard])),
    overTerrain,
  };
  let best: Aim | undefined;
  let blocked: Extract<SightLine, { clear: false }> | undefined;
  for (const from of endsOf(book, table, shooter)) {
    for (const to of endsOf(book, table, target)) {
      const line = lineBetween(book, table, from, to, looking);
      if (!line.clear) {
        blocked ??= line;
        continue;
      }
      const met = defenseSeenFrom(book, known, target, from.point, to.point);
      const dx = from.point[0] - to.point[0];
      const dy = from.point[1] - to.point[1];
      const aim: Aim = { from, to, line, defense: met?.value, facet: met?.facet, length: dx * dx + dy * dy };
      if (!best || isBetter(aim, best)) best = aim;
    }
  }
  return best ? { aim: best } : { blocked: must(blocked, 'a unit without a place') };
}

function isBetter(a: Aim, b: Aim): boolean {
  const order = [(a.defense ?? 0) - (b.defense ?? 0), a.line.penalty - b.line.penalty, a.length - b.length];
  return (order.find((step) => step !== 0) ?? 0) < 0;
}

/** Printed Defense Value met by a shot; on an exact edge the attacker gets the lower of the two (1.3-c, G-11). */
export function defenseSeenFrom(
  book: Book,
  known: Known,
  target: NormandieUnit,
  from: LatticePoint,
  aimed: LatticePoint,
): { value: number; facet: Facet | undefined } | undefined {
  const defense = faceOf(book, known, target)?.defense;
  if (defense === undefined) return undefined;
  if (typeof defense === 'number') return { value: defense, facet: undefined };
  const ahead = sectorOf(target.facing, aimed, from);
  const behind = sectorOf(turned(target.facing, 4), aimed, from);
  const facets: Facet[] =
    ahead === 'inside'
      ? ['front']
      : behind === 'inside'
        ? ['rear']
        : ahead === 'edge'
          ? ['front', 'side']
          : behind === 'edge'
            ? ['rear', 'side']
            : ['side'];
  const facet = facets.reduce((low, each) => (defense[each] < defense[low] ? each : low));
  return { value: defense[facet], facet };
}

/** A clear or obscured line from a unit to a place or interspace, the best of its points. */
export function lineToPlace(
  book: Book,
  table: NormandieTable,
  unit: NormandieUnit,
  name: string,
  infantryTarget = true,
): Extract<SightLine, { clear: true }> | undefined {
  const to = endAt(book, name);
  if (!to) return undefined;
  let best: Extract<SightLine, { clear: true }> | undefined;
  for (const from of endsOf(book, table, unit)) {
    const line = lineBetween(book, table, from, to, {
      infantryTarget,
      infantryBlocks: false,
      besides: unit.aboard === null ? [unit.code] : [unit.code, unit.aboard],
    });
    if (line.clear && (!best || line.penalty < best.penalty)) best = line;
  }
  return best;
}

/** Mutual sight of two units, counters in between included: clear or obscured (3.2.3-los-h). */
export function sees(
  book: Book,
  known: Known,
  a: NormandieUnit,
  b: NormandieUnit,
): { clear: boolean; obscured: boolean } {
  const found = aimAt(book, known, a, b);
  if (!('aim' in found)) return { clear: false, obscured: false };
  return { clear: found.aim.line.penalty === 0, obscured: found.aim.line.penalty > 0 };
}

/** Can this class be met here at all? For conditions on squares. */
export function sightBetweenPlaces(
  book: Book,
  table: NormandieTable,
  a: string,
  b: string,
  target: Class = 'inf',
): SightLine | undefined {
  const [from, to] = [endAt(book, a), endAt(book, b)];
  if (!from || !to) return undefined;
  return lineBetween(book, table, from, to, { infantryTarget: target === 'inf', infantryBlocks: false, besides: [] });
}
