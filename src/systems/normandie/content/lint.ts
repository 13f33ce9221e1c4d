/**
 * Sense of the data: boards covered, openings joined, abilities carried, armies within slots, stripes and points. The
 * same army check serves recruitment by mail (`armyFaults`).
 */
import { squareAt, squareName } from '../../../board/square.ts';
import { floorDiv } from '../../../kernel/fraction.ts';
import {
  type ArmyTile,
  type Board,
  type Data,
  type NormandieSide,
  type ScenarioData,
  SIDES,
  type Tile,
} from '../data.ts';

/** Every fault of the assembled data of one scenario, in plain words. */
export function lintData(data: Data, totals?: Record<NormandieSide, number>): string[] {
  const faults: string[] = [];
  const fault = (text: string): void => {
    faults.push(text);
  };
  lintBoard(data, fault);
  lintCounters(data, fault);
  lintTiles(data, fault);
  lintScenario(data, fault);
  for (const side of SIDES) {
    const army = data.scenario.armies[side];
    if (army.length === 0) continue;
    const budget = data.scenario.recruitment === 'points' ? data.scenario.points[side] : null;
    for (const found of armyFaults(data, side, army, budget)) fault(`${side}: ${found.words}`);
    const stars = starsOfArmy(data, army);
    if (totals && stars !== totals[side]) fault(`${side}: ${stars} numbered tokens, ${totals[side]} expected`);
  }
  return faults;
}

type Fault = (text: string) => void;

function lintBoard(data: Data, fault: Fault): void {
  const { board } = data;
  const on = (name: string): string | undefined => charAt(board, name);
  for (const row of board.rows) {
    if (row.length !== board.columns) fault(`row "${row}" has not ${board.columns} squares`);
    for (const char of row) if (!data.terrain[char] && !/\d/.test(char)) fault(`"${char}" is in no legend`);
  }
  lintOffsets(board, fault);
  for (const building of board.buildings) {
    const floor = squaresWith(board, building.id);
    if (floor.sort(byText).join() !== [...building.squares].sort(byText).join())
      fault(`building ${building.id}: its squares are not those drawn`);
    for (const opening of building.openings) {
      const inside = building.squares.includes(opening.inside) || building.offsetSquares[opening.inside] !== undefined;
      if (!inside) fault(`building ${building.id}: no square ${opening.inside} inside`);
      for (const name of opening.outside) {
        const char = on(name);
        if (char === undefined || 'oO'.includes(char) || /\d/.test(char)) fault(`opening leads to ${name}`);
        else if (inside && !facesOpening(building.offsetSquares, opening.inside, name))
          fault(`opening from ${opening.inside} does not face ${name}`);
      }
    }
    for (const wall of building.interiorWalls)
      for (const name of wall.between) if (!building.squares.includes(name)) fault(`inner wall at ${name}`);
  }
  for (const [a, b] of board.noPassage) {
    const [p, q] = [squareAt(a), squareAt(b)];
    if (!p || !q || Math.max(Math.abs(p.column - q.column), Math.abs(p.row - q.row)) !== 1)
      fault(`No Passage between ${a} and ${b}`);
  }
  for (const name of board.wire) if (on(name) !== '.') fault(`wire on ${name}`);
}

function facesOpening(offsets: Record<string, [number, number]>, inside: string, outside: string): boolean {
  const out = squareAt(outside);
  if (!out) return false;
  const own = squareAt(inside);
  if (own && !offsets[inside]) return Math.abs(own.column - out.column) + Math.abs(own.row - out.row) === 1;
  const [x, y] = offsets[inside]!;
  const dx = Math.abs(2 * out.column + 1 - x);
  const dy = Math.abs(2 * out.row + 1 - y);
  return Math.min(dx, dy) <= 1 && Math.max(dx, dy) === 3;
}

function lintOffsets(board: Board, fault: Fault): void {
  const cover = new Map<string, number>();
  const offsets = [...board.buildings, ...board.offsetElements].flatMap((element) =>
    Object.values(element.offsetSquares),
  );
  for (const [x, y] of offsets) {
    for (const dx of [-1, 0]) {
      for (const dy of [-1, 0]) {
        const name = squareName(floorDiv(x + dx, 2), floorDiv(y + dy, 2));
        cover.set(name, (cover.get(name) ?? 0) + 1);
      }
    }
  }
  for (const [name, times] of cover) {
    const expected = times === 4 ? 'O' : 'o';
    if (charAt(board, name) !== expected) fault(`${name} should be drawn ${expected}`);
  }
  for (const char of 'oO')
    for (const name of squaresWith(board, char)) if (!cover.has(name)) fault(`nothing covers ${name}`);
}

function charAt(board: Board, name: string): string | undefined {
  const square = squareAt(name);
  return square && board.rows[square.row]?.[square.column];
}

function squaresWith(board: Board, char: string): string[] {
  return board.rows.flatMap((row, r) => [...row].flatMap((each, c) => (each === char ? [squareName(c, r)] : [])));
}

const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

function lintCounters(data: Data, fault: Fault): void {
  const ids = new Set<string>();
  for (const counter of data.counters) {
    if (ids.has(counter.id)) fault(`counter ${counter.id} twice`);
    ids.add(counter.id);
    const faces = Object.keys(counter.faces);
    if (!counter.faces.full && !(counter.faces.active && counter.faces.inactive)) fault(`${counter.id}: no full side`);
    for (const name of faces) {
      const face = counter.faces[name as keyof typeof counter.faces]!;
      if ((counter.class === 'heavy') !== (typeof face.defense === 'object')) fault(`${counter.id}: Defense Values`);
      if (!face.cv && !face.weapons?.length) fault(`${counter.id}: no Combat Values`);
      const thrower = (['howitzer', 'indirect-fire', 'flamethrower'] as const).some((name) => name in face.abilities);
      if (thrower && !face.template) fault(`${counter.id}: no template values`);
      for (const weapon of face.weapons ?? []) {
        const area = 'howitzer' in weapon.abilities || 'indirect-fire' in weapon.abilities;
        if (area && !weapon.template) fault(`${counter.id}: no template values on its ${weapon.slot} weapon`);
      }
    }
    if (counter.class === 'inf' && counter.wreck) fault(`${counter.id}: infantry leaves no wreck`);
    if (counter.wreck && !data.overlays[counter.wreck]) fault(`${counter.id}: unknown wreck ${counter.wreck}`);
  }
}

function lintTiles(data: Data, fault: Fault): void {
  const onTiles = new Set<string>();
  for (const tile of data.tiles) {
    for (const id of tile.units) {
      onTiles.add(id);
      const counter = data.counters.find((each) => each.id === id);
      if (!counter) fault(`tile ${tile.id}: unknown counter ${id}`);
      else if (counter.side !== tile.side) fault(`tile ${tile.id}: ${id} is of the other side`);
    }
    if (tile.breakingPoint > tile.units.length) fault(`tile ${tile.id}: Breaking Point above its counters`);
    if (tile.mainCharacter && !data.counters.find((each) => each.id === tile.mainCharacter)?.character)
      fault(`tile ${tile.id}: ${tile.mainCharacter} is no character`);
    if (tile.sniper?.some((row, i, rows) => i > 0 && row.from <= rows[i - 1]!.from))
      fault(`tile ${tile.id}: the lines of its firing table do not rise`);
    for (const slot of tile.slots)
      if (
        slot.unlock &&
        slot.unlock.what !== 'order' &&
        !data.options.some((option) => option.id === slot.unlock!.what)
      )
        fault(`tile ${tile.id}: slot ${slot.id} unlocks an unknown ${slot.unlock.what}`);
  }
  for (const counter of data.counters) if (!onTiles.has(counter.id)) fault(`counter ${counter.id} is on no tile`);
  for (const option of data.options)
    if (option.usesUnit && !data.counters.some((each) => each.id === option.usesUnit))
      fault(`option ${option.id}: unknown counter ${option.usesUnit}`);
}

function lintScenario(data: Data, fault: Fault): void {
  const { scenario, board } = data;
  for (const side of SIDES) {
    const zone = scenario.deploy[side];
    if (zone.columns[1] > board.columns || zone.rows[1] > board.rows.length) fault(`${side}: zone off the board`);
    let free = 0;
    for (let row = zone.rows[0]; row <= zone.rows[1]; row++)
      for (let column = zone.columns[0]; column <= zone.columns[1]; column++)
        if (!'oO~'.includes(board.rows[row - 1]?.[column - 1] ?? 'O')) free++;
    const counters = armyCounters(data, scenario.armies[side]).length;
    if (free < 2 * counters) fault(`${side}: zone too small for ${counters} counters`);
  }
  for (const objective of scenario.objectives) {
    if (objective.kind === 'building' && !board.buildings.some((building) => building.id === objective.building))
      fault(`objective ${objective.id}: no such building`);
    for (const name of objective.squares)
      if (charAt(board, name) === undefined) fault(`objective ${objective.id}: ${name}`);
  }
  for (const card of scenario.removedCards) if (!data.cards.some((each) => each.id === card)) fault(`no card ${card}`);
  for (const entry of scenario.entry)
    for (const name of entry.squares) if (!charAt(board, name)) fault(`entry at ${name}`);
}

/** All counters an army brings, by id. */
export function armyCounters(data: Data, army: readonly ArmyTile[]): string[] {
  return army.flatMap((pick) => tilesOf(data, pick).flatMap((tile) => tile.units));
}

function tilesOf(data: Data, pick: ArmyTile): Tile[] {
  return [pick.tile, ...Object.values(pick.slots)].flatMap((id) => data.tiles.filter((tile) => tile.id === id));
}

/** Numbered tokens an army starts with (3.1-c), at most 10. */
export function starsOfArmy(data: Data, army: readonly ArmyTile[]): number {
  let stars = 0;
  for (const id of armyCounters(data, army)) {
    const faces = data.counters.find((each) => each.id === id)?.faces ?? {};
    const face = faces.full ?? faces.active;
    stars += face?.abilities.order ?? 0;
    if (face && 'personal-order' in face.abilities) stars += 1;
  }
  for (const pick of army) {
    const tile = data.tiles.find((each) => each.id === pick.tile);
    for (const [slot, option] of Object.entries(pick.slots)) {
      const unlock = tile?.slots.find((each) => each.id === slot)?.unlock;
      if (unlock?.what === 'order') stars += unlock.n;
      if (option === 'planning') stars += 1;
    }
  }
  return Math.min(stars, 10);
}

export interface ArmyFault {
  /** TILE, SLOT, KIND, STRIPE, SIDE, POINTS, COMMAND TILES, LEADING ROLES, INFANTRY TILES, SAME TILE, SAME SUPPORT */
  what: string;
  words: string;
  params: Record<string, string | number>;
  /** Index in the army, if one line is to blame. */
  pick?: number;
}

/** What is wrong with an army: tiles, slots (2.1-j, 2.1-k), cost against a budget (2.1-h) and the scenario's limits. */
export function armyFaults(
  data: Data,
  side: NormandieSide,
  army: readonly ArmyTile[],
  budget: number | null,
): ArmyFault[] {
  const faults: ArmyFault[] = [];
  army.forEach((pick, index) => {
    const tile = data.tiles.find((each) => each.id === pick.tile && each.side === side && each.kind === 'tile');
    if (!tile) {
      faults.push({ what: 'TILE', words: `no tile ${pick.tile}`, params: { tile: pick.tile }, pick: index });
      return;
    }
    for (const [slot, option] of Object.entries(pick.slots)) {
      const fault = slotFault(data, side, tile, slot, option);
      if (fault)
        faults.push({
          what: fault,
          words: `${option} does not go into slot ${slot} of ${tile.id}: ${fault.toLowerCase()}`,
          params: { tile: tile.id, slot, option },
          pick: index,
        });
    }
  });
  const cost = armyCost(data, army);
  if (budget !== null && cost > budget)
    faults.push({ what: 'POINTS', words: `costs ${cost} of ${budget}`, params: { cost, budget } });
  faults.push(...limitFaults(data, data.scenario, army));
  return faults;
}

/** Why an option does not fit a slot: SLOT (none such), OPTION, SIDE, KIND or STRIPE; undefined when it fits. */
function slotFault(data: Data, side: NormandieSide, tile: Tile, slotId: string, id: string): string | undefined {
  const slot = tile.slots.find((each) => each.id === slotId);
  if (!slot) return 'SLOT';
  const option = data.options.find((each) => each.id === id);
  const support = data.tiles.find((each) => each.id === id && each.kind === 'support');
  if (!option && !support) return 'OPTION';
  const sides = option ? option.sides : [support!.side];
  if (!sides.includes(side)) return 'SIDE';
  if (!slot.kinds.includes(option ? option.kind : 'support')) return 'KIND';
  const stripes = stripesFor(side, option ? option.stripes : support!.stripes);
  const framed = stripes.length > 0 && stripes.every((stripe) => slot.stripes.includes(stripe));
  return framed ? undefined : 'STRIPE';
}

/** The stripes on the sides of an option tile as that army has it: a list for both armies names those of either (2.1-k). */
function stripesFor(side: NormandieSide, stripes: readonly string[]): string[] {
  const others = SIDES.filter((each) => each !== side);
  return stripes.filter((stripe) => !others.some((other) => stripe.startsWith(`${other}-`)));
}

/** Army points of tiles and options (2.1-h, 2.4-a). */
export function armyCost(data: Data, army: readonly ArmyTile[]): number {
  let cost = 0;
  for (const pick of army) {
    for (const id of [pick.tile, ...Object.values(pick.slots)]) {
      const found = data.tiles.find((each) => each.id === id) ?? data.options.find((each) => each.id === id);
      cost += found?.cost ?? 0;
    }
  }
  return cost;
}

function limitFaults(data: Data, scenario: ScenarioData, army: readonly ArmyTile[]): ArmyFault[] {
  const picked = army.flatMap((pick) => data.tiles.filter((tile) => tile.id === pick.tile));
  const supports = army
    .flatMap((pick) => Object.values(pick.slots))
    .filter((id) => data.tiles.some((tile) => tile.id === id));
  const most = (ids: readonly string[]): number =>
    Math.max(0, ...ids.map((id) => ids.filter((other) => other === id).length));
  const infantry = picked.filter((tile) => {
    const counters = tile.units.map((id) => data.counters.find((each) => each.id === id));
    return tile.units.length > 1 && counters.every((counter) => counter?.class === 'inf');
  }).length;
  const { limits } = scenario;
  const over = (what: string, n: number, limit: number): ArmyFault[] =>
    n > limit ? [{ what, words: `${what.toLowerCase()}: ${n}, at most ${limit}`, params: { n, limit } }] : [];
  const faults = [
    ...over('COMMAND TILES', picked.filter((tile) => tile.command).length, limits.commandTiles),
    ...over('LEADING ROLES', picked.filter((tile) => tile.leadingRole).length, limits.leadingRoles),
    ...over('SAME TILE', most(picked.map((tile) => tile.id)), limits.sameTile),
    ...over('SAME SUPPORT', most(supports), limits.sameSupport),
  ];
  if (infantry < limits.infantryTiles)
    faults.push({
      what: 'INFANTRY TILES',
      words: `${infantry} infantry tiles, at least ${limits.infantryTiles}`,
      params: { n: infantry, limit: limits.infantryTiles },
    });
  return faults;
}
