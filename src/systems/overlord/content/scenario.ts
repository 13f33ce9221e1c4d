/**
 * Reading the scenario files: their shape (zod) and their sense. Content that is printed and content that is ours stay
 * apart in the files; here a printed cell wins over a house cell.
 */
import { z } from 'zod';

/** What the content of a file must look like. */
export type Shape<T> = z.ZodType<T>;

const hex = z.string().regex(/^\d{4}$/);
const hexLists = z.record(z.string(), z.array(hex));
const range = z.tuple([z.int(), z.int()]);

export const mapFile = z.looseObject({
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
export const countersFile = z.looseObject({
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
export const tablesFile = z.looseObject({
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

export const setupFile = z.looseObject({
  format: z.literal('overlord-setup/1'),
  fortress: z.string(),
  held: z.array(z.string()),
  releasedOn: z.array(z.int()),
  start: z.record(z.string(), hex),
});

export const houseFile = z.looseObject({
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

export const scenarioFile = z.looseObject({
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
export interface OverlordData {
  map: z.infer<typeof mapFile>;
  counters: z.infer<typeof countersFile>;
  tables: z.infer<typeof tablesFile>;
  setup: z.infer<typeof setupFile>;
  house: z.infer<typeof houseFile>;
  options: z.infer<typeof scenarioFile>['options'];
}
