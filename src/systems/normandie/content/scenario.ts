/**
 * Reads the files of scenarios/normandie: shape (zod) and sense (lint). All content is data; a club may lay its own
 * transcription of the printed counters, tiles, cards and boards beside ours in the same shape.
 */
import { z } from 'zod';
import { unnamed } from '../../../kernel/looks.ts';
import type { Scenario } from '../../../kernel/types.ts';
import type {
  Board,
  Building,
  Card,
  CounterType,
  Data,
  Direction,
  FaceValues,
  RecruitOption,
  ScenarioData,
  Terrain,
  Tile,
} from '../data.ts';
import { lintData } from './lint.ts';
import { readAbilities, readSymbols } from './symbols.ts';

const SHARED = ['terrain.json', 'counters.json', 'tiles.json', 'options.json', 'cards.json'] as const;

const side = z.enum(['us', 'ge']);
const value = z.union([z.number().int().min(-5).max(20), z.literal('X')]);
const cv = z.strictObject({ inf: value, light: value, heavy: value });
const head = {
  format: z.string().startsWith('fieldpost/normandie-'),
  source: z.string(),
  house: z.union([z.string(), z.array(z.string())]).optional(),
};
const text = z.string().min(1);
const symbols = z.array(z.string());
const provenance = { source: z.enum(['printed', 'house', 'mixed']), printed: z.array(z.string()).optional() };

const terrainFile = z.strictObject({
  ...head,
  terrain: z.record(z.string(), z.strictObject({ id: text, symbols, defensivePosition: z.boolean().optional() })),
  overlays: z.record(z.string(), z.strictObject({ id: text, symbols, defensivePosition: z.boolean().optional() })),
  scatter: z.record(z.enum(['1', '2', '3', '4']), z.number().int().min(0).max(7)),
  flame: z.strictObject({
    straight: z.array(z.tuple([z.number().int(), z.number().int()])),
    diagonal: z.array(z.tuple([z.number().int(), z.number().int()])),
  }),
});

const weapon = z.strictObject({
  slot: z.enum(['primary', 'secondary', 'both']),
  cv,
  abilities: z.array(z.string()),
  arc: z.union([z.literal(360), z.literal(90)]),
  template: cv.optional(),
});
const face = z.strictObject({
  cv: cv.optional(),
  defense: z.union([
    z.number().int(),
    z.strictObject({ front: z.number().int(), side: z.number().int(), rear: z.number().int() }),
  ]),
  move: value,
  abilities: z.array(z.string()),
  hit: z.enum(['flip', 'destroyed']),
  template: cv.optional(),
  weapons: z.array(weapon).optional(),
});
const countersFile = z.strictObject({
  ...head,
  counters: z.array(
    z.strictObject({
      id: text,
      name: text,
      side,
      class: z.enum(['inf', 'light', 'heavy']),
      role: z.enum(['officer', 'regular', 'heavy-weapon', 'vehicle']),
      stripe: text,
      footprint: z.union([z.literal(1), z.literal(2)]),
      character: z.boolean(),
      oversize: z.boolean().optional(),
      faces: z.partialRecord(z.enum(['full', 'reduced', 'active', 'inactive']), face),
      wreck: z.string().optional(),
      ...provenance,
    }),
  ),
});

const kinds = z.enum(['gear', 'trait', 'order', 'customization', 'support']);
const tilesFile = z.strictObject({
  ...head,
  tiles: z.array(
    z.strictObject({
      id: text,
      name: text,
      side,
      kind: z.enum(['tile', 'support']),
      command: z.boolean(),
      leadingRole: z.boolean(),
      cost: z.number().int().min(0),
      breakingPoint: z.number().int().min(1),
      victoryPoints: z.number().int().min(0),
      units: z.array(text),
      mainCharacter: z.string().nullable(),
      slots: z.array(
        z.strictObject({
          id: text,
          stripes: z.array(text),
          kinds: z.array(kinds),
          unlock: z.strictObject({ what: z.enum(['order', 'veteran', 'ammo']), n: z.number().int() }).nullable(),
        }),
      ),
      stripes: z.array(text),
      breakingCounts: z.array(text).optional(),
      sniper: z
        .array(z.strictObject({ from: z.number().int(), hit: z.boolean(), suppressed: z.number().int().min(0).max(9) }))
        .optional(),
      ...provenance,
    }),
  ),
});
const optionsFile = z.strictObject({
  ...head,
  options: z.array(
    z.strictObject({
      id: text,
      kind: z.enum(['gear', 'trait', 'order', 'customization']),
      sides: z.array(side),
      cost: z.number().int().min(0),
      stripes: z.array(text),
      markers: z.number().int().nullable(),
      cv: cv.optional(),
      range: z.number().int().optional(),
      abilities: z.array(z.string()).optional(),
      template: cv.optional(),
      usesUnit: z.string().optional(),
      markerMove: z.number().int().optional(),
    }),
  ),
});
const cardsFile = z.strictObject({
  ...head,
  cards: z.array(
    z.strictObject({
      id: text,
      name: text,
      sides: z.array(side),
      copies: z.number().int().min(1),
      windows: z.array(text),
      text,
      bonus: z.strictObject({ type: z.enum(['assault', 'fire', 'move', 'any']), value: z.number().int() }),
      ...provenance,
    }),
  ),
});
const offset = z.record(z.string(), z.tuple([z.number().int(), z.number().int()]));
const boardFile = z.strictObject({
  ...head,
  id: text,
  name: text,
  columns: z.number().int().min(2).max(26),
  rows: z.array(text),
  buildings: z.array(
    z.strictObject({
      id: text,
      name: text,
      structure: z.number().int().min(1),
      symbols,
      squares: z.array(text),
      offsetSquares: offset,
      openings: z.array(
        z.strictObject({ kind: z.enum(['door', 'window']), inside: text, outside: z.array(text).min(1) }),
      ),
      interiorWalls: z.array(z.strictObject({ between: z.tuple([text, text]), kind: z.enum(['wall', 'inner-door']) })),
    }),
  ),
  offsetElements: z.array(z.strictObject({ id: text, name: text, symbols, offsetSquares: offset })),
  noPassage: z.array(z.tuple([text, text])),
  wire: z.array(text),
});
const perSide = <T extends z.ZodType>(inner: T) => z.strictObject({ us: inner, ge: inner });
const zone = z.strictObject({
  rows: z.tuple([z.number().int(), z.number().int()]),
  columns: z.tuple([z.number().int(), z.number().int()]),
});
const scenarioFile = z.strictObject({
  ...head,
  id: text,
  name: text,
  board: text,
  turns: z.number().int().min(1).max(30),
  firstInitiative: z.enum(['us', 'ge', 'dice']),
  hand: z.number().int().min(0),
  removedCards: z.array(text),
  recruitment: z.enum(['fixed', 'points']),
  armies: perSide(z.array(z.strictObject({ tile: text, slots: z.record(z.string(), z.string()) }))),
  points: perSide(z.number().int()),
  limits: z.strictObject({
    commandTiles: z.number().int(),
    leadingRoles: z.number().int(),
    infantryTiles: z.number().int(),
    sameTile: z.number().int(),
    sameSupport: z.number().int(),
  }),
  deploy: perSide(zone),
  entry: z.array(z.strictObject({ side, squares: z.array(text), tiles: z.array(text) })),
  foxholes: perSide(z.number().int()),
  objectives: z.array(
    z.strictObject({
      id: text,
      kind: z.enum(['building', 'square', 'exit']),
      building: z.string().optional(),
      squares: z.array(text),
      score: z.enum(['end', 'each-turn', 'per-unit']),
      from: z.number().int(),
      points: z.number().int(),
      side: side.optional(),
    }),
  ),
  tie: z.enum(['us', 'ge', 'draw', 'lower-cost']),
  characterPoints: z.number().int(),
  annihilation: z.boolean(),
  freeBattle: z.boolean(),
  /** Numbered tokens of turn 1, as a check on the armies. */
  orderTotals: perSide(z.number().int()).optional(),
});

/** The scenarios offered by the files of the folder: `scenario-church.json` is `normandie/church`. */
export function offered(fileNames: readonly string[]): { id: string; files: string[] }[] {
  const boards = fileNames.filter((name) => /^board-.*\.json$/.test(name));
  return fileNames.flatMap((name) => {
    const match = /^scenario-(.+)\.json$/.exec(name);
    return match ? [{ id: `normandie/${match[1]}`, files: [...SHARED, ...boards, name] }] : [];
  });
}

/** Shape and sense of one scenario's files; every fault found, or the scenario. */
export function readScenario(
  id: string,
  files: Record<string, unknown>,
): { scenario: Scenario } | { faults: string[] } {
  const faults: string[] = [];
  const parse = <T>(schema: z.ZodType<T>, name: string): T | undefined => {
    const result = schema.safeParse(files[name]);
    if (result.success) return result.data;
    for (const issue of result.error.issues.slice(0, 10))
      faults.push(`${name}: ${issue.path.join('.')}: ${issue.message}`);
    return undefined;
  };
  const name = `scenario-${id.replace(/^normandie\//, '')}.json`;
  const raw = parse(scenarioFile, name);
  const terrain = parse(terrainFile, 'terrain.json');
  const counters = parse(countersFile, 'counters.json');
  const tiles = parse(tilesFile, 'tiles.json');
  const options = parse(optionsFile, 'options.json');
  const cards = parse(cardsFile, 'cards.json');
  const board = raw && parse(boardFile, raw.board);
  if (!raw || !terrain || !counters || !tiles || !options || !cards || !board) return { faults };
  const houseOf = (file: { house?: string | string[] | undefined }): string[] => [file.house ?? []].flat();
  const house = [terrain, board, counters, tiles, options, cards, raw].flatMap(houseOf);
  const data = assemble({ raw, terrain, counters, tiles, options, cards, board, house }, faults);
  faults.push(...lintData(data, raw.orderTotals).map((fault) => `${name}: ${fault}`));
  if (faults.length > 0) return { faults };
  return { scenario: scenarioOf(id, data) };
}

interface Files {
  raw: z.infer<typeof scenarioFile>;
  terrain: z.infer<typeof terrainFile>;
  counters: z.infer<typeof countersFile>;
  tiles: z.infer<typeof tilesFile>;
  options: z.infer<typeof optionsFile>;
  cards: z.infer<typeof cardsFile>;
  board: z.infer<typeof boardFile>;
  house: string[];
}

function assemble(files: Files, faults: string[]): Data {
  const { raw, terrain, counters, tiles, options, cards, board } = files;
  const kind = (from: { id: string; symbols: string[]; defensivePosition?: boolean | undefined }): Terrain => ({
    id: from.id,
    symbols: readSymbols(from.symbols, faults),
    defensivePosition: from.defensivePosition ?? false,
  });
  const each = <T, U>(record: Record<string, T>, change: (inner: T) => U): Record<string, U> =>
    Object.fromEntries(Object.entries(record).map(([key, inner]) => [key, change(inner)]));
  const scatter: Record<number, Direction> = {};
  for (const [die, direction] of Object.entries(terrain.scatter)) scatter[Number(die)] = direction as Direction;
  return {
    terrain: each(terrain.terrain, kind),
    overlays: each(terrain.overlays, kind),
    scatter,
    flame: terrain.flame,
    counters: counters.counters.map((counter) => counterOf(counter, faults)),
    tiles: tiles.tiles.map((tile): Tile => {
      const { source: _source, printed: _printed, breakingCounts, ...rest } = tile;
      return defined({ ...rest, breakingCounts: breakingCounts ?? null });
    }),
    options: options.options.map((option): RecruitOption => {
      const { abilities, ...rest } = option;
      return defined({ ...rest, abilities: readAbilities(abilities ?? [], faults) });
    }),
    cards: cards.cards.map((card): Card => {
      const { source: _source, printed: _printed, ...rest } = card;
      return rest;
    }),
    board: boardOf(board, faults),
    scenario: scenarioDataOf(raw, board.id, files.house),
  };
}

function scenarioDataOf(raw: Files['raw'], board: string, house: string[]): ScenarioData {
  const { format: _format, source: _source, house: _house, orderTotals: _totals, ...rest } = raw;
  return { ...rest, board, house, objectives: raw.objectives.map((objective) => defined(objective)) };
}

/** Drops keys that are undefined, so that the result is plain JSON. */
function defined<T extends object>(from: T): Compact<T> {
  return Object.fromEntries(Object.entries(from).filter(([, inner]) => inner !== undefined)) as Compact<T>;
}
type Compact<T> = { [K in keyof T]: Exclude<T[K], undefined> };

function counterOf(raw: Files['counters']['counters'][number], faults: string[]): CounterType {
  const faces: CounterType['faces'] = {};
  for (const [name, inner] of Object.entries(raw.faces)) {
    if (!inner) continue;
    const { abilities, weapons, ...rest } = inner;
    faces[name as keyof CounterType['faces']] = defined({
      ...rest,
      abilities: readAbilities(abilities, faults),
      weapons: weapons?.map((each) => defined({ ...each, abilities: readAbilities(each.abilities, faults) })),
    }) as FaceValues;
  }
  return {
    id: raw.id,
    name: raw.name,
    side: raw.side,
    class: raw.class,
    role: raw.role,
    stripe: raw.stripe,
    footprint: raw.footprint,
    character: raw.character,
    oversize: raw.oversize ?? false,
    faces,
    wreck: raw.wreck ?? null,
    house: raw.source !== 'printed',
  };
}

function boardOf(raw: Files['board'], faults: string[]): Board {
  return {
    id: raw.id,
    name: raw.name,
    columns: raw.columns,
    rows: raw.rows,
    buildings: raw.buildings.map(
      (building): Building => ({ ...building, symbols: readSymbols(building.symbols, faults) }),
    ),
    offsetElements: raw.offsetElements.map((element) => ({
      ...element,
      symbols: readSymbols(element.symbols, faults),
    })),
    noPassage: raw.noPassage,
    wire: raw.wire,
  };
}

const PACE = 3;

function scenarioOf(id: string, data: Data): Scenario {
  const { scenario } = data;
  const options: Scenario['options'] = [
    {
      name: 'mode',
      help: { key: 'normandie.option mode' },
      values: ['sealed', 'one-mail', 'placed', 'live'],
      fallback: 'sealed',
    },
    { name: 'askHours', help: { key: 'normandie.option askHours' }, values: [6, 12, 24, 48], fallback: 24 },
  ];
  if (scenario.freeBattle)
    options.push({ name: 'points', help: { key: 'normandie.option points' }, values: [150, 250, 400], fallback: 250 });
  return {
    id,
    title: scenario.name,
    sides: unnamed(['us', 'ge']),
    options,
    daysPerPhase: PACE,
    turns: scenario.turns,
    data,
  };
}
