/** Shape and sense of the campaign's files: every id resolves, and the house sheets add up to every printed total. */
import { z } from 'zod';
import { floorDiv } from '../../../kernel/fraction.ts';
import { unnamed } from '../../../kernel/looks.ts';
import type { Scenario } from '../../../kernel/types.ts';
import { SIDES } from '../types.ts';
import { type MapData, neighboursOf } from './ground.ts';

const whole = z.number().int();
const count = whole.min(0);
const sideRecord = <T extends z.ZodType>(value: T) => z.object({ american: value, german: value });
const letter = z.string().regex(/^[A-G]$/);
const position = z.enum(['A1', 'A2', 'A3', 'A4', 'G1']);
const quality = z.enum(['Green', 'Line', 'Elite']);
const edge = z.enum(['top', 'right', 'bottom', 'left']);
const contents = z.record(z.string(), whole.min(1));
const radio = z.object({ calibre: z.string(), fp: count });
const place = z.object({ map: z.string(), place: z.string() });

const campaignShape = z.object({
  format: z.literal('fieldpost-combatcommander-campaign/1'),
  source: z.string(),
  status: z.string(),
  title: z.string(),
  year: whole,
  maximumBattles: whole.min(1).max(9),
  winsNeeded: whole.min(1),
  restAfterBattle: whole,
  dates: z.array(z.string()),
  start: z.object({
    position,
    quality: sideRecord(quality),
    vp: whole,
    air: z.enum(['recall', 'ground-support']),
    pool: sideRecord(z.array(z.string())),
    available: sideRecord(z.array(letter)),
    points: z.object({ americanArmor: count, germanArmor: count, germanArtillery: count, fortification: count }),
  }),
  daysPerPhase: whole.min(1),
});

const depth = z.object({ wide: whole, narrow: whole });
const chit = z.object({
  id: z.string(),
  kind: z.enum(['objective', 'every', 'all-five', 'exit', 'elimination']),
  objective: whole.min(1).max(5).optional(),
  vp: whole.optional(),
});
const totals = z.object({ orders: whole.optional(), initiative: whole, surrender: whole });

const tablesShape = z.object({
  format: z.literal('fieldpost-combatcommander-tables/1'),
  source: z.string(),
  positions: z.object({
    status: z.string(),
    order: z.array(position),
    A1: place,
    A2: place,
    A3: place,
    A4: place,
    G1: place,
  }),
  orientation: z.object({ status: z.string(), edges: z.array(edge).length(6) }),
  ranks: z.object({ status: z.string(), names: z.array(z.string()).length(4) }),
  quality: z.object({ status: z.string(), levels: z.tuple([quality, quality, quality]) }),
  support: z.object({
    status: z.string(),
    americanArmor: z.object({ perBattle: whole, vp: whole, charges: whole, chargesVp: whole, radio }),
    germanArmor: z.object({ perBattle: whole, vp: whole, radio }),
    germanArtillery: z.object({ perBattle: whole, vp: whole, radio }),
  }),
  hands: z.object({ status: z.string(), attack: whole, recon: whole, defend: whole }),
  depth: z.object({ status: z.string(), defend: depth, attack: depth, recon: depth }),
  stacking: z.object({
    status: z.string(),
    most: whole,
    figures: z.object({ squad: whole, team: whole, leader: whole }),
  }),
  chits: z.object({ status: z.string(), list: z.array(chit) }),
  printed: z.object({
    status: z.string(),
    american: totals.extend({ sections: z.array(letter) }),
    german: totals.extend({ sections: z.array(letter) }),
    command: sideRecord(totals),
    types: sideRecord(z.record(z.string(), z.string())),
    leaders: sideRecord(z.record(z.string(), z.string())),
    commandAtLine: sideRecord(contents),
    sections: whole,
  }),
});

const sectionBase = z.object({
  letter: z.string().regex(/^[A-GQ]$/),
  type: z.string(),
  leader: z.string(),
  counter: z.string().optional(),
  cost: count,
  orders: whole,
  initiative: whole,
  surrender: whole,
  status: z.string(),
});
const section = z.union([
  sectionBase.extend({ letter: letter, counter: z.string(), contents }),
  sectionBase.extend({
    letter: z.literal('Q'),
    contents: z.object({ Green: contents, Line: contents, Elite: contents }),
  }),
]);
const column = z.array(z.object({ item: z.string(), cost: whole.min(1) })).min(1);
const sums = z.record(z.string().regex(/^([2-9]|1[0-2])$/), column);

const forcesShape = z.object({
  format: z.literal('fieldpost-combatcommander-forces/1'),
  source: z.string(),
  status: z.string(),
  reasoning: z.array(z.string()),
  commandCounters: sideRecord(z.array(z.string()).length(4)).extend({ status: z.string() }),
  american: z.array(section),
  german: z.array(section),
  reserves: z.object({
    status: z.string(),
    note: z.string(),
    table: z.record(z.string().regex(/^([2-9]|1[0-2])$/), z.union([letter, z.enum(['choice', 'none'])])),
  }),
  supportTables: z.object({ status: z.string(), american: sums, german: sums }),
  radioTable: z.object({
    status: z.string(),
    rows: z.array(
      z.object({
        from: whole,
        to: whole,
        calibre: z.string().optional(),
        fp: whole.optional(),
        cost: whole.optional(),
      }),
    ),
  }),
  fortifications: z.object({
    status: z.string(),
    list: z.array(z.object({ item: z.string(), name: z.string(), pieces: whole.min(1), cost: whole.min(1) })),
  }),
  pointValues: sideRecord(z.record(z.string(), whole)).extend({ status: z.string() }),
});

const counter = z.object({
  kind: z.enum(['leader', 'squad', 'team', 'weapon']),
  name: z.string(),
  fp: whole,
  range: whole.optional(),
  reach: z.string().optional(),
  move: whole.optional(),
  penalty: whole.optional(),
  command: whole.optional(),
  morale: whole.optional(),
  deploysInto: z.string().optional(),
  status: z.string().optional(),
});
const countersShape = z.object({
  format: z.literal('fieldpost-combatcommander-counters/1'),
  source: z.string(),
  status: z.string(),
  american: z.record(z.string(), counter),
  german: z.record(z.string(), counter),
});

const link = z.tuple([z.string(), z.string()]);
const mapShape = z.object({
  format: z.literal('fieldpost-combatcommander-map/1'),
  source: z.string(),
  status: z.string(),
  id: z.string(),
  name: z.string(),
  columns: whole,
  rows: whole,
  terrain: z.partialRecord(z.enum(['brush', 'building', 'field', 'orchard', 'woods']), z.array(z.string())),
  elevation: z.record(z.string(), whole),
  roads: z.array(link),
  hedges: z.array(link),
  multiHexBuildings: z.array(z.array(z.string())),
  ruralRoads: z.boolean(),
  objectives: z.record(z.string().regex(/^[1-5]$/), z.string()),
});

type CampaignFile = z.infer<typeof campaignShape>;
type TablesFile = z.infer<typeof tablesShape>;
type ForcesFile = z.infer<typeof forcesShape>;
export type SectionData = z.infer<typeof section>;
export type CounterData = z.infer<typeof counter>;

/** All content of a campaign, as the rules use it. */
export interface CampaignData {
  campaign: CampaignFile;
  tables: TablesFile;
  forces: ForcesFile;
  counters: { american: Record<string, CounterData>; german: Record<string, CounterData> };
  maps: Record<string, MapData>;
}

/** The files every campaign needs beside its own and the maps. */
export const SCENARIO_FILES = ['tables.json', 'forces.json', 'counters.json'] as const;

/** Reads the files of one campaign: the scenario, or every fault found in shape and sense. */
export function readScenario(
  id: string,
  files: Record<string, unknown>,
): { scenario: Scenario } | { faults: string[] } {
  const faults: string[] = [];
  const take = <T>(name: string, shape: z.ZodType<T>): T | undefined => {
    const result = shape.safeParse(files[name]);
    if (result.success) return result.data;
    for (const issue of result.error.issues.slice(0, 20))
      faults.push(`${name}: ${issue.path.join('.')}: ${issue.message}`);
    return undefined;
  };
  const main = Object.keys(files).find((name) => name.startsWith('scenario-')) ?? 'scenario-campaign.json';
  const campaign = take(main, campaignShape);
  const tables = take('tables.json', tablesShape);
  const forces = take('forces.json', forcesShape);
  const counters = take('counters.json', countersShape);
  const maps: Record<string, MapData> = {};
  for (const name of Object.keys(files).filter((file) => file.startsWith('map-'))) {
    const map = take(name, mapShape);
    if (map) maps[map.id] = map;
  }
  if (!campaign || !tables || !forces || !counters || faults.length > 0) return { faults };
  const data: CampaignData = { campaign, tables, forces, counters, maps };
  faults.push(...lintCampaign(data), ...lintForces(data), ...lintTables(data), ...lintMaps(data));
  return faults.length > 0 ? { faults } : { scenario: scenarioOf(id, data) };
}

function scenarioOf(id: string, data: CampaignData): Scenario {
  return {
    id,
    title: data.campaign.title,
    sides: unnamed(SIDES),
    options: [
      {
        name: 'placement',
        help: { key: 'combatcommander.option placement' },
        values: ['mail', 'table'],
        fallback: 'mail',
      },
      {
        name: 'armor',
        help: { key: 'combatcommander.option armor' },
        values: ['standard', 'optional'],
        fallback: 'standard',
      },
      {
        name: 'germanArmorAttacks',
        help: { key: 'combatcommander.option germanArmorAttacks' },
        values: [1, 2],
        fallback: 1,
      },
      { name: 'battleDays', help: { key: 'combatcommander.option battleDays' }, values: [7, 14, 28], fallback: 14 },
      {
        name: 'confirmDays',
        help: { key: 'combatcommander.option confirmDays' },
        values: [3, 7, 14],
        fallback: 7,
      },
    ],
    daysPerPhase: data.campaign.daysPerPhase,
    turns: data.campaign.maximumBattles,
    data,
  };
}

/** The campaign sheet: every leader in exactly one place at the start, dates for every battle (CS.1 to CS.9). */
function lintCampaign({ campaign, forces }: CampaignData): string[] {
  const faults: string[] = [];
  if (campaign.dates.length !== campaign.maximumBattles)
    faults.push(`scenario-campaign.json: ${campaign.dates.length} dates for ${campaign.maximumBattles} battles`);
  if (campaign.winsNeeded * 2 - 1 !== campaign.maximumBattles)
    faults.push('scenario-campaign.json: the wins needed do not fit the number of battles');
  for (const side of SIDES) {
    const placed = [...campaign.start.pool[side], ...campaign.start.available[side]];
    const letters = forces[side].map((entry) => entry.letter);
    for (const one of letters)
      if (placed.filter((other) => other === one).length !== 1)
        faults.push(`scenario-campaign.json: ${side} Section ${one} is not in exactly one box`);
    for (const one of placed)
      if (!letters.includes(one)) faults.push(`scenario-campaign.json: no ${side} Section ${one}`);
  }
  return faults;
}

/** The house sheet of Sections against everything the rulebook prints about it. */
function lintForces({ tables, forces, counters }: CampaignData): string[] {
  const faults: string[] = [];
  const complain = (text: string): void => void faults.push(`forces.json: ${text}`);
  const { printed } = tables;
  if (forces.american.length + forces.german.length !== printed.sections)
    complain(`there must be ${printed.sections} Sections`);
  for (const side of SIDES) {
    const find = (one: string) => forces[side].find((entry) => entry.letter === one);
    const command = find('Q');
    if (!command) {
      complain(`no ${side} Command Section`);
      continue;
    }
    const sum = (field: 'orders' | 'initiative' | 'surrender'): number =>
      printed[side].sections.reduce((total, one) => total + (find(one)?.[field] ?? 0), command[field]);
    for (const field of ['orders', 'initiative', 'surrender'] as const) {
      const wanted = printed[side][field];
      if (wanted !== undefined && sum(field) !== wanted)
        complain(`${side} ${field} of the printed example come to ${sum(field)}, not ${wanted}`);
      const alone = printed.command[side][field];
      if (alone !== undefined && command[field] !== alone)
        complain(`${side} Command Section: ${field} is not ${alone}`);
    }
    for (const [one, type] of Object.entries(printed.types[side]))
      if (find(one)?.type !== type) complain(`${side} Section ${one} is printed as ${type}`);
    for (const [one, leader] of Object.entries(printed.leaders[side]))
      if (find(one)?.leader !== leader) complain(`${side} Section ${one} is led by ${leader}`);
    if (command.letter === 'Q' && !sameCounts(lineOf(command), printed.commandAtLine[side]))
      complain(`${side} Command Section at Line is not as printed`);
    for (const entry of forces[side]) faults.push(...lintSection(side, entry, forces, counters[side]));
  }
  return faults;
}

function lineOf(section: SectionData): Record<string, number> {
  return section.letter === 'Q' ? (section.contents as { Line: Record<string, number> }).Line : {};
}

function sameCounts(a: Record<string, number>, b: Record<string, number>): boolean {
  const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...keys].every((key) => a[key] === b[key]);
}

/** Pieces exist, and the cost is a hundredth of the point values, rounded to the nearest. */
function lintSection(
  side: 'american' | 'german',
  section: SectionData,
  forces: ForcesFile,
  counters: Record<string, CounterData>,
): string[] {
  const faults: string[] = [];
  const complain = (text: string): void => void faults.push(`forces.json: ${side} Section ${section.letter}: ${text}`);
  const lists = section.letter === 'Q' ? Object.values(section.contents) : [section.contents];
  for (const list of lists as Record<string, number>[])
    for (const piece of Object.keys(list)) if (!counters[piece]) complain(`no counter ${piece}`);
  if (section.letter === 'Q') {
    for (const piece of forces.commandCounters[side]) if (!counters[piece]) complain(`no counter ${piece}`);
    return faults;
  }
  const lead = section.counter ?? '';
  if (counters[lead]?.kind !== 'leader') complain(`${lead} is no leader`);
  const values = forces.pointValues[side];
  let points = values[lead] ?? 0;
  for (const [piece, many] of Object.entries(section.contents as Record<string, number>))
    points += (values[piece] ?? 0) * many;
  if (floorDiv(points + 50, 100) !== section.cost) complain(`costs ${section.cost} for ${points} points`);
  return faults;
}

/** Support columns, reserves, radios, fortifications and chits. */
function lintTables({ tables, forces, counters, maps }: CampaignData): string[] {
  const faults: string[] = [];
  const rolls = Array.from({ length: 11 }, (_, i) => i + 2);
  for (const roll of rolls) {
    if (!forces.reserves.table[roll]) faults.push(`forces.json: reserves: nothing for a roll of ${roll}`);
    const rows = forces.radioTable.rows.filter((row) => row.from <= roll && roll <= row.to);
    if (rows.length !== 1) faults.push(`forces.json: radios: ${rows.length} rows for a roll of ${roll}`);
    for (const side of SIDES) {
      const items = forces.supportTables[side][roll];
      if (!items) faults.push(`forces.json: ${side} support: no column ${roll}`);
      for (const { item, cost } of items ?? []) {
        const points = item.split('-').map((piece) => forces.pointValues[side][piece]);
        if (item.split('-').some((piece) => !counters[side][piece]) || points.includes(undefined))
          faults.push(`forces.json: ${side} support ${item}: unknown piece`);
        else if (floorDiv(points.reduce<number>((sum, value) => sum + (value ?? 0), 0) + 99, 100) !== cost)
          faults.push(`forces.json: ${side} support ${item} costs ${cost}`);
      }
    }
  }
  for (const id of ['A1', 'A2', 'A3', 'A4', 'G1'] as const)
    if (!maps[tables.positions[id].map]) faults.push(`tables.json: position ${id}: no map ${tables.positions[id].map}`);
  if (tables.chits.list.length !== 22) faults.push(`tables.json: ${tables.chits.list.length} chits instead of 22`);
  if (new Set(tables.chits.list.map((one) => one.id)).size !== tables.chits.list.length)
    faults.push('tables.json: a chit twice');
  return faults;
}

/** Hexes exist, edges join neighbours, five objectives, multi-hex buildings hang together, rural roads as No2. */
function lintMaps({ maps }: CampaignData): string[] {
  const faults: string[] = [];
  for (const map of Object.values(maps)) {
    const complain = (text: string): void => void faults.push(`map-${map.id}.json: ${text}`);
    const seen = new Map<string, string>();
    const exists = (hex: string): boolean => neighboursOf(map, hex).length > 0;
    for (const [terrain, hexes] of Object.entries(map.terrain))
      for (const hex of hexes ?? []) {
        if (!exists(hex)) complain(`no hex ${hex}`);
        if (seen.has(hex)) complain(`${hex} is ${seen.get(hex)} and ${terrain}`);
        seen.set(hex, terrain);
      }
    for (const [a, b] of [...map.roads, ...map.hedges])
      if (!neighboursOf(map, a).includes(b)) complain(`${a} and ${b} are no neighbours`);
    for (const hex of Object.keys(map.elevation)) if (!exists(hex)) complain(`no hex ${hex}`);
    const objectives = Object.values(map.objectives);
    if (objectives.length !== 5 || new Set(objectives).size !== 5) complain('there must be five objectives');
    for (const hex of objectives) if (!exists(hex)) complain(`no hex ${hex}`);
    for (const group of map.multiHexBuildings)
      for (const hex of group) {
        if (seen.get(hex) !== 'building') complain(`${hex} is no building`);
        if (!group.some((other) => neighboursOf(map, hex).includes(other))) complain(`${hex} stands apart`);
      }
    if (map.ruralRoads !== map.multiHexBuildings.length < 2) complain('rural roads do not fit the buildings (No2)');
  }
  return faults;
}
