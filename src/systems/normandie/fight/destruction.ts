/** Destruction Points on wrecks and buildings, rubble (6.2-destruction, 3.2.1-crush, 5.1-struct). */
import { known as must } from '../../../kernel/assert.ts';
import { placeOf } from '../content/opened.ts';
import { type Asking, ask, type Play } from '../counters/play.ts';
import { bothSides, isVehicle, squaresOf } from '../counters/units.ts';
import type { NormandieSide } from '../data.ts';
import type { Term } from '../events.ts';
import { buildingAt } from '../ground/ground.ts';
import type { NormandieUnit, Wreck } from '../types.ts';
import { destroy, onBoard, suppress } from './effects.ts';
import { canStand, inOrder, putDown } from './forced.ts';
import { plusOf, rollDice } from './rolls.ts';

/** Destruction Points one action may deal to a wreck by driving over it (3.2.1-crush-b). */
export const CRUSH_MAX = 2;

const POINT_FROM = 4;

/** Structure value of a wreck. */
function structureOf(play: Play, wreck: Wreck): number {
  const symbols = must(play.book.data.overlays[wreck.kind], `no wreck ${wreck.kind}`).symbols;
  for (const symbol of symbols) if (symbol.is === 'structure') return symbol.value;
  return 1;
}

/** Rolls the dice of a Destruction ability against a structure: each 4 or more is a point; suppression does not count (R11). */
export function* rollDestruction(
  play: Play,
  by: { side: NormandieSide; unit: string },
  dice: number,
  structure: string,
  context: string,
): Asking<void> {
  if (!exists(play, structure)) return;
  const points = (rolled: readonly number[], more: readonly Term[]): number =>
    rolled.filter((die) => die + plusOf(more) >= POINT_FROM).length;
  const { dice: rolled, more } = yield* rollDice(play, {
    side: by.side,
    unit: by.unit,
    target: null,
    purpose: 'destruction',
    context: `destruction of ${structure}, ${context}`,
    count: dice,
    judge: (each, extra) => {
      const n = points(each, extra);
      return { total: n, need: 1, result: { effect: 'points', n } };
    },
    chance: 50,
  });
  yield* addPoints(play, structure, points(rolled, more), rolled);
}

function exists(play: Play, structure: string): boolean {
  return play.book.buildings.has(structure)
    ? !play.table.rubble.includes(structure)
    : play.table.wrecks.some((wreck) => wreck.id === structure);
}

/** Adds points; at its value a wreck is removed and a building turned to rubble (6.2-destruction-e). */
export function* addPoints(play: Play, structure: string, points: number, dice: readonly number[]): Asking<void> {
  const { table, book } = play;
  const wreck = table.wrecks.find((each) => each.id === structure);
  const building = book.buildings.get(structure);
  const of = wreck ? structureOf(play, wreck) : must(building, `no structure ${structure}`).structure;
  const total = (wreck ? wreck.points : (table.destruction[structure] ?? 0)) + points;
  if (wreck) wreck.points = total;
  else table.destruction[structure] = total;
  play.emit({
    type: 'destruction',
    audience: 'all',
    structure,
    dice: [...dice],
    points,
    total,
    of,
    rule: '6.2-destruction-c',
  });
  if (total < of) return;
  if (wreck) {
    table.wrecks = table.wrecks.filter((each) => each !== wreck);
    play.emit({ type: 'removed-wreck', audience: 'all', wreck: structure, rule: '5.1-struct-b' });
  } else yield* toRubble(play, structure);
}

/** Turns a building to rubble: infantry inside is suppressed and placed again, vehicles on it are wrecked (6.2-destruction-f to -h). */
function* toRubble(play: Play, id: string): Asking<void> {
  const { table, book } = play;
  const squares = [...book.places.values()].filter((place) => place.building === id).map((place) => place.name);
  const inside = table.units.filter((unit) => squaresOf(unit).some((name) => squares.includes(name)));
  table.rubble.push(id);
  play.emit({ type: 'rubble', audience: 'all', building: id, rule: '6.2-destruction-f' });
  for (const unit of inside) {
    if (!onBoard(play, unit)) continue;
    if (isVehicle(book, unit)) yield* destroy(play, unit, null, 'rubble');
    else yield* suppress(play, unit, 1, 'building destroyed');
  }
  for (const side of bothSides(table.initiative)) {
    for (const unit of inside.filter((each) => each.side === side && onBoard(play, each)).sort(byCode))
      yield* placeAgain(play, unit, squares);
  }
}

const byCode = (a: NormandieUnit, b: NormandieUnit): number => (a.code < b.code ? -1 : 1);

/** Owners place their own units in the rubble; by default where they were (F-18). */
function* placeAgain(play: Play, unit: NormandieUnit, squares: readonly string[]): Asking<void> {
  const free = squares.filter((name) => name === unit.at || canStand(play, unit, name));
  const ordered = [unit.at, ...inOrder(play, unit, free, 'own edge').filter((name) => name !== unit.at)];
  const to = yield* ask(play, {
    id: `rubble ${unit.code}`,
    to: unit.side,
    kind: 'rubble',
    options: ordered,
    fallback: unit.at,
    params: { unit: unit.code },
    rule: '6.2-destruction-g',
  });
  if (to !== unit.at) putDown(play, unit, to, 'forced');
}

/** The structure a unit is in or a square belongs to: building or wreck. */
export function structureAt(play: Play, name: string): string | undefined {
  const building = buildingAt(play.table, placeOf(play.book, name));
  return building ?? play.table.wrecks.find((wreck) => wreck.squares.includes(name))?.id;
}
