/** Which target of a list is fired at: the first legal one; ANY by doctrine or best chance (3.5, 3.6). */

import { type Book, placeOf, pointOf } from '../content/opened.ts';
import { type Asking, ask, type Play, wantsAsking } from '../counters/play.ts';
import { classOf, counterOf, findUnit, footprintOf } from '../counters/units.ts';
import type { WeaponUse } from '../counters/weapons.ts';
import { buildingAt, positionAt } from '../ground/ground.ts';
import { adjacent } from '../ground/neighbours.ts';
import { endsOf, lineBetween, lineToPlace, rangeBetween, rangeOf } from '../ground/sightline.ts';
import type { FireTarget, TargetClass } from '../language.ts';
import { never, type Refusal, refuse } from '../refusal.ts';
import type { Known, NormandieUnit } from '../types.ts';
import { PLAIN_SHOT, type ShotContext, shotAt } from './attack.ts';
import { shotChance } from './odds.ts';
import { interspacesTo, isAimPoint } from './templates.ts';

/** What a shot is aimed at once a target is chosen. */
export type Aimed =
  | { at: 'unit'; unit: NormandieUnit }
  | { at: 'structure'; id: string }
  /** A template on an interspace. */
  | { at: 'point'; name: string }
  /** Everything inside the position or room of that square. */
  | { at: 'inside'; name: string }
  | { at: 'flame' };

/** A unit by the code it has or had (`GE?A` after it was revealed). */
export function targetNamed(known: Known, code: string): NormandieUnit | undefined {
  return findUnit(known.table, code) ?? findUnit(known.table, known.table.aliases[code] ?? '');
}

/** Chooses the first legal target; the refusal is that of the last one tried. */
export function* chooseTarget(
  play: Play,
  unit: NormandieUnit,
  use: WeaponUse,
  targets: readonly FireTarget[],
  context: ShotContext,
): Asking<Aimed | Refusal> {
  let refusal: Refusal = refuse('NO TARGET', '3.2.3-b', { unit: unit.code });
  if (use.manner === 'flame' && targets.length === 0) return { at: 'flame' };
  for (const target of targets) {
    if (target.target === 'any') {
      const chosen = yield* chooseAny(play, unit, use, target.class, context);
      if (chosen) return { at: 'unit', unit: chosen };
      continue;
    }
    const found = aimedAt(play.book, play.known, unit, use, target, context);
    if (!('code' in found)) return found;
    refusal = found;
  }
  return refusal;
}

/** Is a named target legal now, and what is it? */
export function aimedAt(
  book: Book,
  known: Known,
  unit: NormandieUnit,
  use: WeaponUse,
  target: Exclude<FireTarget, { target: 'any' }>,
  context: ShotContext,
): Aimed | Refusal {
  switch (target.target) {
    case 'unit': {
      const enemy = targetNamed(known, target.code);
      if (!enemy) return refuse('TARGET GONE', '3.2.3-b', { target: target.code });
      if (use.manner === 'howitzer' || use.manner === 'indirect' || use.manner === 'grenade')
        return never('AIM AT AN INTERSPACE', '6.2-howitzer-a', { target: target.code });
      const shot = shotAt(book, known, unit, use, enemy, context);
      return 'code' in shot ? shot : { at: 'unit', unit: enemy };
    }
    case 'building':
      return structureRefusal(book, known, unit, use, target.id) ?? { at: 'structure', id: target.id };
    case 'place':
      return aimedAtPlace(book, known, unit, use, target.place);
  }
}

function aimedAtPlace(book: Book, known: Known, unit: NormandieUnit, use: WeaponUse, name: string): Aimed | Refusal {
  const params = { unit: unit.code, target: name, weapon: use.label };
  if (!pointOf(book, name)) return never('NO SUCH SQUARE', '5.2-b', params);
  if (name.startsWith('@')) {
    if (!['howitzer', 'indirect', 'grenade'].includes(use.manner))
      return never('AIM AT A UNIT', '6.2-howitzer-a', params);
    return pointRefusal(book, known, unit, use, name) ?? { at: 'point', name };
  }
  const wreck = known.table.wrecks.find((each) => each.squares.includes(name));
  if (wreck && use.manner === 'direct')
    return structureRefusal(book, known, unit, use, wreck.id) ?? { at: 'structure', id: wreck.id };
  if (use.manner !== 'grenade' && use.manner !== 'flame')
    return never('AIM AT AN INTERSPACE', '6.2-howitzer-a', params);
  return insideRefusal(book, known, unit, use, name) ?? { at: 'inside', name };
}

/** Templates: range in interspaces, line for a howitzer, not from or into a building (6.2-howitzer, -indirect, 7.2-grenade). */
function pointRefusal(
  book: Book,
  known: Known,
  unit: NormandieUnit,
  use: WeaponUse,
  name: string,
): Refusal | undefined {
  const { table } = known;
  const params = { unit: unit.code, target: name, weapon: use.label };
  if (!isAimPoint(book, table, name)) return never('NO AIM POINT', '6.2-howitzer-e', params);
  const range = interspacesTo(book, table, unit, name);
  if (use.limit !== null && range > use.limit)
    return refuse('OUT OF RANGE', '6.2-limited-b', { ...params, range, limit: use.limit });
  const indoors = footprintOf(table, unit).some((square) => buildingAt(table, placeOf(book, square)) !== null);
  if (use.manner === 'indirect' && indoors) return refuse('INSIDE A BUILDING', '6.2-indirect-g', params);
  const line = lineToPlace(book, table, unit, name);
  if (use.manner === 'howitzer' && !line) return refuse('NO LINE OF SIGHT', '6.2-howitzer-c', params);
  return undefined;
}

/** Into a position from a square beside it, into a building from beside an opening (7.2-grenade-g, -i, 6.2-flame-k, -l). */
function insideRefusal(
  book: Book,
  known: Known,
  unit: NormandieUnit,
  use: WeaponUse,
  name: string,
): Refusal | undefined {
  const { table } = known;
  const params = { unit: unit.code, target: name, weapon: use.label };
  const place = placeOf(book, name);
  const own = placeOf(book, unit.at);
  const house = buildingAt(table, place);
  if (house !== null) {
    const rooms = new Set([...book.places.values()].filter((each) => each.building === house).map((each) => each.room));
    if (use.manner === 'flame' && rooms.size > 1) return refuse('MORE THAN ONE ROOM', '6.2-flame-l', params);
    const beside = book
      .ground(table.rubble)
      .sight.openings.some(
        (opening) => placeOf(book, opening.inside).room === place.room && opening.outside.includes(unit.at),
      );
    return beside ? undefined : refuse('NOT BESIDE AN OPENING', '7.2-grenade-i', params);
  }
  const position = positionAt(table, place);
  if (position === null) return never('NO POSITION THERE', '7.2-grenade-g', params);
  if (positionAt(table, own) === position && use.manner === 'flame') return undefined;
  const near = [...book.places.values()].some(
    (each) => positionAt(table, each) === position && adjacent(book, table, own, each),
  );
  return near ? undefined : refuse('NOT BESIDE THE POSITION', '7.2-grenade-g', params);
}

/** Fire at a structure itself: needs the Destruction ability and sight of a square beside it. */
function structureRefusal(
  book: Book,
  known: Known,
  unit: NormandieUnit,
  use: WeaponUse,
  id: string,
): Refusal | undefined {
  const { table } = known;
  const params = { unit: unit.code, target: id, weapon: use.label };
  if (!use.abilities.destruction) return never('NO DESTRUCTION', '6.2-destruction-a', params);
  const wreck = table.wrecks.find((each) => each.id === id);
  if (!wreck && (!book.buildings.has(id) || table.rubble.includes(id)))
    return refuse('TARGET GONE', '6.2-destruction-a', params);
  const squares = wreck
    ? wreck.squares
    : [...book.places.values()].filter((place) => place.building === id).map((place) => place.name);
  const range = rangeBetween(book, footprintOf(table, unit), squares);
  if (use.limit !== null && range > use.limit)
    return refuse('OUT OF RANGE', '6.2-limited-a', { ...params, range, limit: use.limit });
  return seesStructure(book, known, unit, squares, wreck === undefined)
    ? undefined
    : refuse('NO LINE OF SIGHT', '3.2.3-los-a', params);
}

function seesStructure(
  book: Book,
  known: Known,
  unit: NormandieUnit,
  squares: readonly string[],
  building: boolean,
): boolean {
  const { table } = known;
  const looking = {
    infantryTarget: false,
    infantryBlocks: false,
    besides: [unit.code, ...(unit.aboard ? [unit.aboard] : [])],
  };
  const seen = (name: string): boolean =>
    endsOf(book, table, unit).some(
      (end) => lineBetween(book, table, end, { point: placeOf(book, name).centre, places: [name] }, looking).clear,
    );
  if (!building) return squares.some(seen);
  const beside = [...book.places.values()].filter(
    (place) =>
      !squares.includes(place.name) &&
      squares.some((name) => {
        const [x, y] = placeOf(book, name).centre;
        return Math.max(Math.abs(place.centre[0] - x), Math.abs(place.centre[1] - y)) <= 2;
      }),
  );
  return beside.some((place) => place.name === unit.at || seen(place.name));
}

function* chooseAny(
  play: Play,
  unit: NormandieUnit,
  use: WeaponUse,
  kind: TargetClass | null,
  context: ShotContext,
): Asking<NormandieUnit | undefined> {
  const ranked = legalTargets(play.book, play.known, unit, use, kind, context);
  if (ranked.length === 0) return undefined;
  const codes = ranked.map((each) => each.unit.code);
  const chosen = yield* ask(play, {
    id: `target of ${unit.code} ${use.label}`,
    to: unit.side,
    kind: 'target',
    options: codes,
    fallback: codes[0]!,
    params: { unit: unit.code },
    always: wantsAsking(play, unit.side, 'TARGET'),
  });
  return ranked.find((each) => each.unit.code === chosen)?.unit;
}

/** Legal targets of a class, best chance first, then nearest, then by code. */
export function legalTargets(
  book: Book,
  known: Known,
  unit: NormandieUnit,
  use: WeaponUse,
  kind: TargetClass | null,
  context: ShotContext = PLAIN_SHOT,
): { unit: NormandieUnit; chance: number }[] {
  return known.table.units
    .filter((other) => other.side !== unit.side && isOfClass(book, known, other, kind))
    .flatMap((other) => {
      const chance = shotChance(book, known, unit, use, other, context);
      return chance === undefined ? [] : [{ unit: other, chance, range: rangeOf(book, known.table, unit, other) }];
    })
    .sort((a, b) => b.chance - a.chance || a.range - b.range || (a.unit.code < b.unit.code ? -1 : 1));
}

/** Is a unit of that target class, as far as one can see? NEAREST, BEST and ANY take all. */
function isOfClass(book: Book, known: Known, unit: NormandieUnit, kind: TargetClass | null): boolean {
  const counter = unit.concealed === null ? counterOf(book, known, unit)?.counter : undefined;
  const moment = known.table.moment;
  switch (kind) {
    case 'INF':
    case 'LIGHT':
    case 'HEAVY':
      return classOf(book, unit) === kind.toLowerCase();
    case 'OFFICER':
      return counter?.role === 'officer';
    case 'HEAVY-WEAPON':
      return counter?.role === 'heavy-weapon';
    case 'CHARACTER':
      return counter?.character ?? false;
    case 'TRANSPORT':
      return counter !== undefined && Object.values(counter.faces).some((face) => 'transport' in face.abilities);
    case 'REDUCED':
      return unit.face === 'reduced' || unit.damage.length > 0;
    case 'SUPPRESSED':
      return unit.suppressed > 0;
    case 'ASSAULTER':
      return moment?.at === 'move' && moment.unit === unit.code && moment.assaults !== null;
    default:
      return true;
  }
}
