/**
 * Reading the scenario files: their shape (zod) and their sense. Content that is printed and content that is ours stay
 * apart in the files; here a printed cell wins over a house cell.
 */
import { z } from 'zod';
import type { Scenario, ScenarioOption } from '../../kernel/types.ts';
import { lintCampaign } from './lint.ts';

/** Files every scenario may use; a file whose name ends in `-<scenario>.json` belongs to that scenario alone. */
export const COMMON_FILES = ['map-normandy.json', 'counters.json', 'tables.json', 'setup.json', 'house.json'];

const hex = z.string().regex(/^\d{4}$/);
const hexLists = z.record(z.string(), z.array(hex));
const range = z.tuple([z.int(), z.int()]);

const mapFile = z.looseObject({
  format: z.literal('hexmap/1'),
  id: z.string(),
  title: z.string(),
  houseMap: z.boolean(),
  licence: z.string(),
  grid: z.looseObject({ idPattern: z.literal('CCRR'), rows: range, columns: range, hexMetres: z.int() }),
  legend: z.record(z.string().length(1), z.enum(['sea', 'plain', 'bocage', 'hill', 'hill+bocage', 'swamp', 'city'])),
  terrain: z.array(z.string().regex(/^\d{2}\|/)),
  cities: hexLists,
  towns: z.record(hex, z.string()),
  beaches: z.object({ US: hexLists, British: hexLists }),
  ports: z.record(z.string(), hex),
  entryRoads: hexLists,
  edges: z.object({
    germanSupply: z.array(z.enum(['N', 'S', 'E', 'W'])),
    exit: z.array(z.enum(['N', 'S', 'E', 'W'])),
  }),
  hexsides: z.object({ river: z.record(z.string(), z.array(z.string().regex(/^\d{4}-\d{4}$/))) }),
  lines: z.object({ road: z.record(z.string(), z.array(z.string())) }),
  labels: z.array(z.object({ text: z.string(), style: z.string(), at: z.tuple([z.number(), z.number()]) })).default([]),
  overrides: z.array(z.string()).default([]),
});

const unitType = z.enum(['infantry', 'armor', 'armored-infantry', 'recon', 'paratroop', 'sp-gun']);
const factors = z.array(z.tuple([unitType, z.int().min(1).max(20), z.int().min(1).max(12), z.int().min(1).max(9)]));
const countersFile = z.looseObject({
  format: z.literal('overlord-counters/1'),
  counted: z.object({ german: z.int(), allied: z.int() }),
  formations: z.record(
    z.string().regex(/^[A-Z0-9]+$/),
    z.object({
      side: z.enum(['german', 'allied']),
      nation: z.enum(['US', 'BR', 'CDN', 'FR', 'PL', 'DE', 'SS', 'LW']),
      name: z.string(),
      size: z.enum(['division', 'brigade']),
      turn: z.int().min(1),
      arrival: z.enum(['start', 'beach', 'road']),
      road: z.int().optional(),
      beaches: z.enum(['US', 'British']).optional(),
      printed: factors,
      corrected: factors.optional(),
      correction: z.string().optional(),
      mark: z.enum(['II', 'III', 'X', 'XX']),
    }),
  ),
});

const result = z.enum(['A ELIM', 'A BK 1', 'EXCH', 'D BK 1', 'D BK 2', 'D BK 3', 'D ELIM']);
const dieCells = z.partialRecord(z.enum(['1', '2', '3', '4', '5', '6']), result);
const column = z.object({ printed: dieCells, house: dieCells });
const month = z.enum(['June', 'July', 'August']);
const terrainLine = z.object({
  enter: z.int().min(1),
  enterArmor: z.int().min(1).optional(),
  defence: z.int().min(1),
  halvesArmor: z.boolean().optional(),
  from: z.enum(['printed', 'house']),
});
const tablesFile = z.looseObject({
  format: z.literal('overlord-tables/1'),
  crt: z.object({
    columns: z.array(z.string().regex(/^\d-\d$/)),
    June: z.record(z.string(), column),
    'July-August': z.record(z.string(), column),
  }),
  crtMonths: z.record(month, z.enum(['June', 'July-August'])),
  terrain: z.object({
    plain: terrainLine,
    bocage: terrainLine,
    hill: terrainLine,
    'hill+bocage': terrainLine,
    swamp: terrainLine,
    city: terrainLine,
  }),
  river: z.object({ cross: z.int().min(1), from: z.string() }),
  road: z.object({ along: z.int().min(1), from: z.string() }),
  landing: z.record(month, z.int().min(0)),
  turns: z.array(z.object({ date: z.string(), month, iso: z.string() })),
});

const setupFile = z.looseObject({
  format: z.literal('overlord-setup/1'),
  fortress: z.string(),
  held: z.array(z.string()),
  releasedOn: z.array(z.int()),
  start: z.record(z.string(), hex),
});

const houseFile = z.looseObject({
  format: z.literal('overlord-house/1'),
  weather: z.object({
    die: z.array(z.enum(['clear', 'overcast', 'storm'])).length(6),
    tacHalves: z.object({ clear: z.int(), overcast: z.int(), storm: z.int() }),
    stormLandingCost: z.int(),
  }),
  interdiction: z.object({ mostPerHex: z.int(), pointsPerFactor: z.int(), firstTurn: z.int() }),
  naval: z.object({ perCombat: z.int(), mostPerBattle: z.int(), range: z.int() }),
  replacements: z.object({ turns: z.array(z.int()), factors: z.int() }),
  beachRepairTurns: z.int().min(1),
  unitsForVictory: z.int().min(1),
});

const scenarioFile = z.looseObject({
  format: z.literal('overlord-scenario/1'),
  title: z.string(),
  map: z.string(),
  counters: z.string(),
  tables: z.string(),
  setup: z.string(),
  house: z.string(),
  daysPerPhase: z.number(),
  options: z.object({
    tac: z.boolean(),
    interdiction: z.boolean(),
    naval: z.boolean(),
    weather: z.boolean(),
    tacPerTurn: z.int().min(0).max(64),
    mode: z.enum(['whole', 'split']),
  }),
});

/** What the files of one scenario say, checked for shape. */
export interface CampaignData {
  map: z.infer<typeof mapFile>;
  counters: z.infer<typeof countersFile>;
  tables: z.infer<typeof tablesFile>;
  setup: z.infer<typeof setupFile>;
  house: z.infer<typeof houseFile>;
  options: z.infer<typeof scenarioFile>['options'];
}

/** The scenarios among the file names of a folder, each with the files it may use. */
export function scenarioFiles(fileNames: readonly string[]): { id: string; files: string[] }[] {
  const own = fileNames.filter((name) => /^scenario-[a-z0-9]+\.json$/.test(name));
  return own.map((name) => {
    const short = name.slice('scenario-'.length, -'.json'.length);
    const files = fileNames.filter((other) => COMMON_FILES.includes(other) || other.endsWith(`-${short}.json`));
    return { id: `overlord/${short}`, files };
  });
}

/** Shape, then sense, of one scenario's files: the scenario, or every fault found. */
export function readScenario(
  id: string,
  files: Record<string, unknown>,
): { scenario: Scenario } | { faults: string[] } {
  const faults: string[] = [];
  const shaped = <T>(name: string, schema: z.ZodType<T>): T | undefined => {
    if (!Object.hasOwn(files, name)) {
      faults.push(`there is no file ${name} for ${id} (its name must be one of ours or end in the scenario's name)`);
      return undefined;
    }
    const parsed = schema.safeParse(files[name]);
    if (parsed.success) return parsed.data;
    for (const issue of parsed.error.issues)
      faults.push(`${name}: ${issue.path.join('.') || 'file'}: ${issue.message}`);
    return undefined;
  };
  const main = shaped(`scenario-${id.replace(/^overlord\//, '')}.json`, scenarioFile);
  if (!main) return { faults };
  const map = shaped(main.map, mapFile);
  const counters = shaped(main.counters, countersFile);
  const tables = shaped(main.tables, tablesFile);
  const setup = shaped(main.setup, setupFile);
  const house = shaped(main.house, houseFile);
  if (!map || !counters || !tables || !setup || !house) return { faults };
  const data: CampaignData = { map, counters, tables, setup, house, options: main.options };
  faults.push(...lintCampaign(data));
  if (faults.length > 0) return { faults };
  const scenario: Scenario = {
    id,
    title: main.title,
    sides: [
      { id: 'german', name: 'German', short: 'German' },
      { id: 'allied', name: 'Allied', short: 'Allied' },
    ],
    options: optionsOf(main.options),
    daysPerPhase: main.daysPerPhase,
    turns: tables.turns.length,
    data,
  };
  return { scenario };
}

function optionsOf(defaults: CampaignData['options']): ScenarioOption[] {
  const onOff = (name: keyof CampaignData['options'], help: string): ScenarioOption => ({
    name,
    help,
    values: [true, false],
    fallback: defaults[name],
  });
  return [
    onOff('tac', 'TAC factors (air support) for Allied attacks; house values, named in the rulebook'),
    onOff('interdiction', 'unspent TAC factors slow German road movement; needs tac'),
    onOff('naval', 'naval gunfire near the beaches; house module'),
    onOff('weather', 'a weather die each turn; house module'),
    {
      name: 'tacPerTurn',
      help: 'TAC factors a turn: the number players change to balance the game (OVL-CLR-10)',
      values: [0, 4, 8, 12, 16, 20, 24, 28, 32],
      fallback: defaults.tacPerTurn,
    },
    {
      name: 'mode',
      help: 'whole: moves and attacks in one mail; split: moves, then attacks in a second mail',
      values: ['whole', 'split'],
      fallback: defaults.mode,
    },
  ];
}
