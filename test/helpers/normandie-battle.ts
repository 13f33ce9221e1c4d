/**
 * Small battles for rule tests: a board drawn in ASCII, counters made for the tests, actions given as data, dice in the
 * order rolled. Squares are A1 (north-west) and so on, as on the boards.
 */
import { type LoggedDice, listDice } from '../../src/kernel/dice.ts';
import type { DecisionRequest } from '../../src/kernel/types.ts';
import { actionRefusal } from '../../src/systems/normandie/actions/legality.ts';
import { moveRefusal } from '../../src/systems/normandie/actions/plan.ts';
import { carryOut } from '../../src/systems/normandie/actions/script.ts';
import { type Book, openBook } from '../../src/systems/normandie/content/opened.ts';
import { readAbilities, readSymbols } from '../../src/systems/normandie/content/symbols.ts';
import { type Asking, openPlay, type Play } from '../../src/systems/normandie/counters/play.ts';
import { knownOf } from '../../src/systems/normandie/counters/units.ts';
import type {
  Abilities,
  Building,
  CombatValues,
  CounterType,
  Data,
  Direction,
  Face,
  FaceValues,
  NormandieSide,
  Terrain,
  Tile,
} from '../../src/systems/normandie/data.ts';
import type { NormandieEvent } from '../../src/systems/normandie/events.ts';
import type {
  Action,
  Doctrine,
  FireAction,
  MoveStep,
  NormandieOrder,
  Part,
  Rider,
} from '../../src/systems/normandie/language.ts';
import { runPhase } from '../../src/systems/normandie/turn/phases.ts';
import { setup } from '../../src/systems/normandie/turn/setup.ts';
import type { Known, NormandieStep, NormandieUnit, State } from '../../src/systems/normandie/types.ts';
import { normandieScenario } from './normandie.ts';

/** `2/0/X` as Combat Values against infantry, light and heavy vehicles. */
function values(text: string): CombatValues {
  const [inf, light, heavy] = text.split('/').map((each) => (each === 'X' ? 'X' : Number(each)));
  return { inf: inf!, light: light!, heavy: heavy! };
}

function abilities(words: string): Abilities {
  const faults: string[] = [];
  const read = readAbilities(
    words.split(' ').filter((word) => word !== ''),
    faults,
  );
  if (faults.length > 0) throw new Error(faults.join());
  return read;
}

/** A side of a counter: `4 4 2/0/X flip assault` is Defense, Movement, values, hit symbol, abilities. */
export function face(text: string, template?: string): FaceValues {
  const [defense, move, cv, hit, ...words] = text.split(' ');
  const values_ = values(cv!);
  return {
    cv: values_,
    defense: Number(defense),
    move: move === 'X' ? 'X' : Number(move),
    abilities: abilities(words.join(' ')),
    hit: hit as 'flip' | 'destroyed',
    ...(template ? { template: values(template) } : {}),
  };
}

type Sketch = Partial<Omit<CounterType, 'id' | 'side'>> & { faces: Partial<Record<Face, FaceValues>> };

const heavy = (
  defense: [number, number, number],
  move: number,
  weapons: FaceValues['weapons'],
  words = '',
): FaceValues => ({
  defense: { front: defense[0], side: defense[1], rear: defense[2] },
  move,
  abilities: abilities(words),
  hit: 'flip',
  weapons: weapons!,
});

const weapon = (slot: 'primary' | 'secondary' | 'both', cv: string, words = '', arc = 360) => ({
  slot,
  cv: values(cv),
  abilities: abilities(words),
  arc,
});

const TEAM_REDUCED = face('4 5 0/X/X destroyed');

/** Counters of the worked cases; house values for tests alone, but for Lt Blean, the half-track and the tank. */
const SKETCHES: Record<string, Sketch> = {
  rifle: { faces: { full: face('4 4 2/0/X flip assault'), reduced: face('5 4 1/X/X destroyed assault') } },
  team: { faces: { full: face('4 5 1/0/X flip'), reduced: TEAM_REDUCED } },
  blean: {
    role: 'officer',
    character: true,
    faces: {
      full: face('6 4 2/1/X flip order:2 assault limited-range:4'),
      reduced: face('6 4 1/0/X destroyed order:2 assault limited-range:4'),
    },
  },
  sapper: { faces: { full: face('4 4 1/2/3 flip assault:1'), reduced: TEAM_REDUCED } },
  baz: { faces: { full: face('4 4 0/4/5 flip destruction:2 limited-range:4'), reduced: TEAM_REDUCED } },
  mg: {
    role: 'heavy-weapon',
    faces: {
      inactive: face('4 3 0/X/X destroyed tripod'),
      active: face('5 X 4/1/X destroyed tripod machine-gunner suppressive-fire opportunity-fire limited-fire-arc:90'),
    },
  },
  mortar: {
    role: 'heavy-weapon',
    faces: {
      inactive: face('4 3 X/X/X destroyed tripod'),
      active: face('4 X X/X/X destroyed tripod indirect-fire:2', '3/2/0'),
    },
  },
  gun: {
    role: 'heavy-weapon',
    oversize: true,
    faces: { full: face('5 1 3/4/5 destroyed howitzer piercing', '4/3/1') },
  },
  flame: {
    faces: { full: face('4 3 1/X/X flip assault flamethrower', '4/3/2'), reduced: TEAM_REDUCED },
  },
  sniper: { character: true, faces: { full: face('5 4 1/X/X destroyed sniper') } },
  amb: {
    faces: { active: face('4 2 3/X/X destroyed ambush'), inactive: face('4 4 3/X/X destroyed assault') },
  },
  crew: {
    faces: {
      inactive: face('4 4 1/X/X destroyed crew'),
      active: face('4 4 1/X/X destroyed crew opportunity-fire'),
    },
  },
  jeep: {
    class: 'light',
    role: 'vehicle',
    wreck: 'wreck-1',
    faces: { full: face('5 8 3/1/X flip transport:2 fire-on-the-move:1') },
  },
  car: {
    class: 'light',
    role: 'vehicle',
    wreck: 'wreck-1',
    faces: { full: face('5 6 3/2/X flip assault') },
  },
  track: {
    class: 'light',
    role: 'vehicle',
    footprint: 2,
    wreck: 'wreck-2',
    faces: { full: face('6 6 4/2/X flip transport:7 machine-gunner suppressive-fire fire-on-the-move:2') },
  },
  pz: {
    class: 'heavy',
    role: 'vehicle',
    footprint: 2,
    wreck: 'wreck-2',
    faces: {
      full: heavy([9, 7, 6], 4, [
        weapon('primary', '3/5/4', 'destruction:2'),
        weapon('secondary', '4/2/X', 'machine-gunner suppressive-fire fire-on-the-move:2'),
      ]),
    },
  },
  stug: {
    class: 'heavy',
    role: 'vehicle',
    footprint: 2,
    wreck: 'wreck-2',
    faces: { full: heavy([9, 7, 6], 4, [weapon('both', '3/5/5', 'piercing')]) },
  },
  dozer: {
    class: 'heavy',
    role: 'vehicle',
    wreck: 'wreck-1',
    faces: {
      full: heavy([8, 7, 6], 4, [weapon('primary', '3/4/4'), weapon('secondary', '3/2/1')], 'assault:1'),
    },
  },
};

/** Legend of the test boards. */
const TERRAIN: Record<string, { id: string; symbols: string; position?: true }> = {
  '.': { id: 'open', symbols: '' },
  '=': { id: 'road', symbols: '' },
  h: { id: 'bocage', symbols: 'blocks-los difficult-passage impassable-to:light impassable-to:heavy def:inf:2' },
  k: { id: 'rocks', symbols: 'blocks-los difficult-passage impassable-to:light impassable-to:heavy def:inf:1' },
  w: { id: 'wall', symbols: 'obscures:1' },
  z: { id: 'haze', symbols: 'obscures:2' },
  c: { id: 'wheat', symbols: 'obscures-infantry:1' },
  s: { id: 'sandbags', symbols: 'def:inf:2 impassable-to:light grants-opportunity-fire', position: true },
  x: { id: 'foxhole', symbols: 'def:inf:2 impassable-to:light', position: true },
  '~': { id: 'pond', symbols: 'water difficult-passage' },
  X: { id: 'cliff', symbols: 'impassable' },
  b: { id: 'brambles', symbols: 'difficult-passage' },
  o: { id: 'incomplete', symbols: '' },
  O: { id: 'covered', symbols: '' },
};

const terrainOf = (sketch: (typeof TERRAIN)[string]): Terrain => ({
  id: sketch.id,
  symbols: readSymbols(
    sketch.symbols.split(' ').filter((word) => word !== ''),
    [],
  ),
  defensivePosition: sketch.position ?? false,
});

export interface UnitSketch {
  type: string;
  at: string;
  rear?: string;
  face?: Face;
  facing?: Direction;
  suppressed?: number;
  damage?: NormandieUnit['damage'];
  aboard?: string;
  activated?: true;
  /** Face-down token. */
  token?: number | 'special' | 'bluff';
  /** Own code of a concealed unit; the key is then its table code. */
  conceals?: string;
  /** Index of its tile; 0 for US, 1 for Germany unless said. */
  tile?: number;
  main?: true;
}

export interface BattleSketch {
  board?: string[];
  buildings?: Building[];
  offsetElements?: Data['board']['offsetElements'];
  noPassage?: [string, string][];
  wire?: string[];
  counters?: Record<string, Sketch>;
  units: Record<string, UnitSketch>;
  cards?: Partial<Record<NormandieSide, string[]>>;
  gear?: { side: NormandieSide; option: string; left: number | null; tile?: number }[];
  tiles?: Partial<Tile>[];
  initiative?: NormandieSide;
  wrecks?: State['table']['wrecks'];
  change?: (data: Data, state: State) => void;
}

/** Answers questions: the option, or nothing for the default. */
type Decide = (request: DecisionRequest, battle: Battle) => string | undefined;

export interface Battle {
  book: Book;
  state: State;
  known: Known;
  events: NormandieEvent[];
  asked: DecisionRequest[];
  unit(code: string): NormandieUnit;
  gone(code: string): boolean;
  /** Runs something of the engine with dice and answers; every die must be used. */
  run<T>(what: (play: Play) => Asking<T>, dice?: number[], decide?: Decide): T;
  /** Carries out an action of a unit and then the windows of the other side. */
  act(action: Action, dice?: number[], decide?: Decide, riders?: Rider[]): NormandieEvent[];
  /** Runs the phase of that step. */
  phase(
    step: NormandieStep,
    orders: Partial<Record<NormandieSide, NormandieOrder[]>>,
    dice?: number[],
    decide?: Decide,
  ): NormandieEvent[];
  told<T extends NormandieEvent['type']>(type: T): Extract<NormandieEvent, { type: T }>[];
}

const OPEN = Array<string>(16).fill('................');

/** The scenario content of a test battle. */
export function battleData(sketch: BattleSketch): Data {
  const data = structuredClone(normandieScenario('church').data) as Data;
  const rows = sketch.board ?? OPEN;
  data.terrain = Object.fromEntries(Object.entries(TERRAIN).map(([char, each]) => [char, terrainOf(each)]));
  data.overlays = {
    ...data.overlays,
    'wreck-1': { id: 'wreck-1', symbols: readSymbols(['structure:2'], []), defensivePosition: false },
    'wreck-2': { id: 'wreck-2', symbols: readSymbols(['structure:3'], []), defensivePosition: false },
  };
  data.flame = {
    straight: [
      [0, -1],
      [0, -2],
      [0, -3],
    ],
    diagonal: [
      [1, -1],
      [2, -2],
      [3, -3],
    ],
  };
  data.board = {
    id: 'T',
    name: 'Test board',
    columns: rows[0]!.length,
    rows,
    buildings: sketch.buildings ?? [],
    offsetElements: sketch.offsetElements ?? [],
    noPassage: sketch.noPassage ?? [],
    wire: sketch.wire ?? [],
  };
  data.counters = [...data.counters];
  for (const [name, each] of Object.entries({ ...SKETCHES, ...sketch.counters }))
    for (const side of ['us', 'ge'] as const)
      data.counters.push({
        id: `${side}-${name}`,
        name: name.toUpperCase(),
        side,
        class: 'inf',
        role: 'regular',
        stripe: side === 'us' ? 'us-16' : 'ge-304',
        footprint: 1,
        character: false,
        oversize: false,
        wreck: null,
        house: true,
        ...each,
      });
  const tiles: Partial<Tile>[] = sketch.tiles ?? [{ side: 'us' }, { side: 'ge' }];
  data.tiles = [...data.tiles, ...tiles.map((tile, i) => tileOf(tile, i))];
  data.scenario = { ...data.scenario, armies: { us: [], ge: [] }, objectives: [], entry: [] };
  return data;
}

function tileOf(tile: Partial<Tile>, i: number): Tile {
  const side = tile.side ?? 'us';
  return {
    id: `t${i}`,
    name: `Tile ${i}`,
    side,
    kind: 'tile',
    command: false,
    leadingRole: false,
    cost: 0,
    breakingPoint: 99,
    victoryPoints: 3,
    units: [`${side}-rifle`],
    mainCharacter: null,
    slots: [],
    stripes: [],
    breakingCounts: null,
    ...tile,
  };
}

/** Sets up a battle as drawn. */
export function battle(sketch: BattleSketch): Battle {
  const data = battleData(sketch);
  const dice = listDice('HON-0000', { n: 0, turn: 0, step: 'setup' }, []);
  const first = openBook(data);
  const state = setup(first, {}, dice);
  state.phase = { n: 3, turn: 2, step: 'orders' };
  const tiles = sketch.tiles ?? [{ side: 'us' }, { side: 'ge' }];
  state.table.tiles = tiles.map((tile, i) => ({
    side: tile.side ?? 'us',
    tile: `t${i}`,
    parent: null,
    slots: {},
    broken: false,
  }));
  state.table.initiative = sketch.initiative ?? 'us';
  for (const side of ['us', 'ge'] as const) {
    state.hands[side]!.cards = [...(sketch.cards?.[side] ?? [])];
    state.table.cards[side].hand = state.hands[side]!.cards.length;
  }
  state.table.gear = (sketch.gear ?? []).map((gear) => ({ tile: gear.side === 'us' ? 0 : 1, ...gear }));
  state.table.wrecks = sketch.wrecks ?? [];
  state.table.nextWreck = 1 + state.table.wrecks.length;
  for (const [code, each] of Object.entries(sketch.units)) placeUnit(state, data, code, each);
  sketch.change?.(data, state);
  return fight(openBook(data), state);
}

function placeUnit(state: State, data: Data, code: string, sketch: UnitSketch): void {
  const side = code.slice(0, 2).toLowerCase() as NormandieSide;
  const counter =
    data.counters.find((each) => each.id === `${side}-${sketch.type}`) ??
    data.counters.find((each) => each.id === sketch.type);
  if (!counter) throw new Error(`no counter ${sketch.type}`);
  const own = sketch.conceals ?? code;
  const shown: Face = sketch.face ?? (counter.faces.full ? 'full' : sketch.conceals ? 'active' : 'inactive');
  const carrier = sketch.aboard ? state.table.units.find((each) => each.code === sketch.aboard) : undefined;
  const unit: NormandieUnit = {
    code,
    side,
    type: sketch.conceals ? null : counter.id,
    face: sketch.conceals ? null : shown,
    concealed: sketch.conceals ? (shown === 'active' ? 'ambush' : 'marker') : null,
    at: carrier?.at ?? sketch.at,
    rear: sketch.rear ?? null,
    facing: sketch.facing ?? 0,
    aboard: sketch.aboard ?? null,
    suppressed: sketch.suppressed ?? 0,
    activated: sketch.activated ?? false,
    damage: sketch.damage ?? [],
    token: sketch.token === undefined ? null : 'back',
    fired: [],
  };
  state.table.units.push(unit);
  if (sketch.conceals) state.hands[side]!.identities[code] = { code: own, type: counter.id, face: shown };
  if (sketch.token !== undefined) state.hands[side]!.tokens[code] = sketch.token;
  state.table.roster.push({
    code: own,
    side,
    type: counter.id,
    tile: sketch.tile ?? (side === 'us' ? 0 : 1),
    main: sketch.main ?? false,
    fate: 'in play',
  });
}

function fight(book: Book, state: State): Battle {
  const events: NormandieEvent[] = [];
  const asked: DecisionRequest[] = [];
  const find = (code: string): NormandieUnit | undefined => state.table.units.find((each) => each.code === code);
  const run = <T>(
    what: (play: Play) => Asking<T>,
    dice: number[] = [],
    decide?: Decide,
    orders: Partial<Record<NormandieSide, NormandieOrder[]>> = {},
  ): T => {
    const list: LoggedDice & { finish(): void } = listDice('HON-0000', state.phase, dice);
    const play = openPlay(book, state, orders, {
      dice: list,
      emit: (event) => events.push(structuredClone(event)),
      nmr: [],
      version: '2',
      standing: { us: [] as Doctrine[], ge: [] },
    });
    const steps = what(play);
    let step = steps.next();
    while (!step.done) {
      const answers = step.value.map((request) => {
        asked.push(request);
        const chosen = decide?.(request, made);
        return {
          id: request.id,
          chosen: chosen === undefined ? request.fallback : [chosen],
          by: chosen === undefined ? ('fallback' as const) : ('order' as const),
        };
      });
      step = steps.next(answers);
    }
    list.finish();
    return step.value;
  };
  const since = (begin: () => void): NormandieEvent[] => {
    const from = events.length;
    begin();
    return events.slice(from);
  };
  const made: Battle = {
    book,
    state,
    known: knownOf(state),
    events,
    asked,
    unit(code) {
      const unit = find(code);
      if (!unit) throw new Error(`${code} is not on the board`);
      return unit;
    },
    gone: (code) => find(code) === undefined,
    run: (what, dice, decide) => run(what, dice, decide),
    act(action, dice, decide, riders = []) {
      const parts: Part[] = [{ action, riders }];
      return since(() => {
        const unit = find((action as { unit: string }).unit);
        if (!unit) throw new Error('no such unit');
        run((play) => carryOut(play, unit, parts), dice, decide);
      });
    },
    phase(step, orders, dice, decide) {
      return since(() => {
        state.phase = { ...state.phase, step };
        run(runPhase, dice, decide, orders);
        made.known = knownOf(state);
      });
    },
    told: (type) =>
      events.filter((event): event is Extract<NormandieEvent, { type: typeof type }> => event.type === type),
  };
  return made;
}

// --- actions in short ------------------------------------------------------------------------------------------------

/** `shoot('US1', 'GE1')`, `shoot('US1', '@D5', { weapon: 'grenades' })`; a list is tried in order. */
export function shoot(unit: string, at: string | string[], more: Partial<FireAction> = {}): FireAction {
  const targets = [at].flat().map((each): FireAction['targets'][number] => {
    if (each.startsWith('#')) return { target: 'building', id: each.slice(1) };
    if (each.startsWith('@') || /^[A-Z]\d+$/.test(each)) return { target: 'place', place: each };
    if (each === 'ANY') return { target: 'any', class: null };
    return { target: 'unit', code: each };
  });
  return { do: 'fire', unit, targets, ...more };
}

/** `steps('B2 C3 FWD L')`: squares and short words. */
function steps(text: string): MoveStep[] {
  return text
    .split(' ')
    .filter((word) => word !== '')
    .map((word): MoveStep => {
      if (word === 'FWD' || word === 'BACK') return { step: word === 'FWD' ? 'fwd' : 'back' };
      if (word === 'L' || word === 'R') return { step: 'pivot', turn: word };
      if (word === 'OFF') return { step: 'off' };
      if (word.startsWith('IN:')) return { step: 'in', unit: word.slice(3) };
      if (word.startsWith('OUT:')) return { step: 'out', square: word.slice(4) };
      if (word.startsWith('PUSH:')) return { step: 'push', square: word.slice(5) };
      return { step: 'to', square: word };
    });
}

export function move(
  unit: string,
  path: string,
  more: Partial<Extract<Action, { do: 'move' }>> = {},
): Extract<Action, { do: 'move' }> {
  return { do: 'move', unit, steps: steps(path), ...more };
}

export function assault(
  unit: string,
  at: string,
  via = '',
  more: Partial<Extract<Action, { do: 'assault' }>> = {},
): Extract<Action, { do: 'assault' }> {
  return { do: 'assault', unit, at, via: steps(via), ...more };
}

/** The house of the worked cases: J10 K10 J11 K11, door north of J10, window east of K11. */
export const HOUSE: Building = {
  id: '1',
  name: 'House',
  structure: 4,
  symbols: readSymbols(['blocks-los', 'impassable-to:light', 'impassable-to:heavy', 'def:inf:3'], []),
  squares: ['J10', 'K10', 'J11', 'K11'],
  offsetSquares: {},
  openings: [
    { kind: 'door', inside: 'J10', outside: ['J9'] },
    { kind: 'window', inside: 'K11', outside: ['L11'] },
  ],
  interiorWalls: [],
};

/** The board with that house drawn on it. */
export const WITH_HOUSE = OPEN.map((row, i) => (i === 9 || i === 10 ? `${row.slice(0, 9)}11${row.slice(11)}` : row));

/** An open board with some squares changed: `on({ D5: 'h' })`. */
export function on(changes: Record<string, string>, base: readonly string[] = OPEN): string[] {
  const rows = base.map((row) => [...row]);
  for (const [name, char] of Object.entries(changes)) rows[Number(name.slice(1)) - 1]![name.charCodeAt(0) - 65] = char;
  return rows.map((row) => row.join(''));
}

// --- what would be refused -------------------------------------------------------------------------------------------

/** Code of what forbids an action as it stands, the whole path of a move included; undefined when it is legal. */
export function refused(b: Battle, action: Action, riders: Rider[] = []): string | undefined {
  const unit = action.do === 'hold' ? undefined : b.unit(action.unit);
  if (!unit) return undefined;
  if (action.do === 'move') return moveRefusal(b.book, b.known, unit, action, 'activation', riders).refusal?.code;
  return actionRefusal(b.book, b.known, unit, action, riders)?.code;
}

/** The last sum rolled against a target: total and need. */
export function lastShot(b: Battle): { total: number; need: number; result: string } {
  const shot = b.told('shot').at(-1);
  if (!shot) throw new Error('nobody has fired');
  return { total: shot.sum.total, need: shot.sum.need, result: shot.result };
}
