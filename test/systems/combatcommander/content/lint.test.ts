/** Every fault that the campaign's files can have is named, and nothing beside it. */
import { expect, test } from 'vitest';
import {
  cellOf,
  frontOf,
  neighboursOf,
  oppositeEdge,
  rowsFrom,
} from '../../../../src/systems/combatcommander/content/ground.ts';
import { readScenario } from '../../../../src/systems/combatcommander/content/scenario.ts';
import { files } from '../../../helpers/combatcommander.ts';

type Json = { [key: string]: Json };

/** The faults after some values of one file were set; a path ends at the value, `undefined` takes it away. */
function faults(file: string, changes: Record<string, unknown>): string[] {
  const copy = structuredClone(files);
  for (const [path, value] of Object.entries(changes)) {
    const names = path.split('.');
    const last = names.pop()!;
    const at = names.reduce((inner, name) => inner[name]!, copy[file] as Json);
    if (value === undefined) delete at[last];
    else at[last] = value as Json;
  }
  const read = readScenario('combatcommander/campaign', copy);
  return 'faults' in read ? read.faults : [];
}

const CAMPAIGN = 'scenario-campaign.json';
const FORCES = 'forces.json';
const TABLES = 'tables.json';
const MAP = 'map-42.json';

test.each<[string, string, Record<string, unknown>, string[]]>([
  ['nothing changed', CAMPAIGN, {}, []],
  ['a date too few', CAMPAIGN, { dates: ['11 July 1944'] }, [`${CAMPAIGN}: 1 dates for 7 battles`]],
  [
    'wins that do not fit',
    CAMPAIGN,
    { winsNeeded: 3 },
    [`${CAMPAIGN}: the wins needed do not fit the number of battles`],
  ],
  [
    'a leader in no box',
    CAMPAIGN,
    { 'start.pool.american': ['Q', 'C', 'E'] },
    [`${CAMPAIGN}: american Section G is not in exactly one box`],
  ],
  [
    'a leader in two boxes',
    CAMPAIGN,
    { 'start.available.german': ['A', 'B', 'C', 'G', 'D'] },
    [`${CAMPAIGN}: german Section D is not in exactly one box`],
  ],
  [
    'a leader twice in one',
    CAMPAIGN,
    { 'start.available.german': ['A', 'B', 'C', 'G', 'G'] },
    [`${CAMPAIGN}: german Section G is not in exactly one box`],
  ],
  [
    'a Section that is none',
    CAMPAIGN,
    { 'start.pool.german': ['Q', 'D', 'E', 'F', 'X'] },
    [`${CAMPAIGN}: no german Section X`],
  ],
  [
    'a printed total',
    FORCES,
    { 'american.3.orders': 2 },
    ['forces.json: american orders of the printed example come to 5, not 4'],
  ],
  [
    'a printed total of the command',
    FORCES,
    { 'german.0.surrender': 4 },
    [
      'forces.json: german surrender of the printed example come to 7, not 6',
      'forces.json: german Command Section: surrender is not 3',
    ],
  ],
  ['a printed type', FORCES, { 'german.4.type': 'Rifle' }, ['forces.json: german Section D is printed as Veteran']],
  [
    'a printed leader',
    FORCES,
    { 'german.4.leader': 'Sgt York' },
    ['forces.json: german Section D is led by Sgt Ehnert'],
  ],
  [
    'the command at Line',
    FORCES,
    { 'american.0.contents.Line.MMG': 2 },
    ['forces.json: american Command Section at Line is not as printed'],
  ],
  [
    'the command at Line, a piece more',
    FORCES,
    { 'american.0.contents.Line.Satchel': 1 },
    ['forces.json: american Command Section at Line is not as printed'],
  ],
  ['the command at Elite is ours', FORCES, { 'american.0.contents.Elite.MMG': 2 }, []],
  [
    'an unknown piece of the command',
    FORCES,
    { 'american.0.contents.Elite.Tiger': 1 },
    ['forces.json: american Section Q: no counter Tiger'],
  ],
  [
    'an unknown command counter',
    FORCES,
    { 'commandCounters.german.3': 'General' },
    ['forces.json: german Section Q: no counter General'],
  ],
  [
    'an unknown piece',
    FORCES,
    { 'american.1.contents.Tiger': 1 },
    ['forces.json: american Section A: no counter Tiger'],
  ],
  [
    'a leader who is none',
    FORCES,
    { 'american.1.counter': 'Line' },
    ['forces.json: american Section A: Line is no leader'],
  ],
  ['a price', FORCES, { 'american.1.cost': 6 }, ['forces.json: american Section A: costs 6 for 506 points']],
  [
    'a roll without reserves',
    FORCES,
    { 'reserves.table.12': undefined },
    ['forces.json: reserves: nothing for a roll of 12'],
  ],
  ['a roll without a radio', FORCES, { 'radioTable.rows.3.to': 11 }, ['forces.json: radios: 0 rows for a roll of 12']],
  [
    'a roll with two radios',
    FORCES,
    { 'radioTable.rows.3.from': 10 },
    ['forces.json: radios: 2 rows for a roll of 10'],
  ],
  ['no support column', FORCES, { 'supportTables.german.2': undefined }, ['forces.json: german support: no column 2']],
  [
    'an unknown support piece',
    FORCES,
    { 'supportTables.german.6': [{ item: 'Rifle-Tiger', cost: 1 }] },
    ['forces.json: german support Rifle-Tiger: unknown piece'],
  ],
  [
    'a support price',
    FORCES,
    { 'supportTables.german.6': [{ item: 'Rifle', cost: 2 }] },
    ['forces.json: german support Rifle costs 2'],
  ],
  ['a position without a map', TABLES, { 'positions.A4.map': '99' }, ['tables.json: position A4: no map 99']],
  ['a chit twice', TABLES, { 'chits.list.1.id': 'A' }, ['tables.json: a chit twice']],
  ['a hex off the map', MAP, { 'terrain.woods': ['B4', 'Z9'] }, ['map-42.json: no hex Z9']],
  ['a hex with two terrains', MAP, { 'terrain.orchard': ['B4'] }, ['map-42.json: B4 is orchard and woods']],
  ['a road that jumps', MAP, { roads: [['A1', 'C9']] }, ['map-42.json: A1 and C9 are no neighbours']],
  ['a hedge that jumps', MAP, { hedges: [['A1', 'A3']] }, ['map-42.json: A1 and A3 are no neighbours']],
  ['a height off the map', MAP, { elevation: { P1: 1 } }, ['map-42.json: no hex P1']],
  ['four objectives', MAP, { 'objectives.5': undefined }, ['map-42.json: there must be five objectives']],
  ['an objective twice', MAP, { 'objectives.5': 'I4' }, ['map-42.json: there must be five objectives']],
  ['an objective off the map', MAP, { 'objectives.5': 'A11' }, ['map-42.json: no hex A11']],
  ['rural roads', MAP, { ruralRoads: false }, ['map-42.json: rural roads do not fit the buildings (No2)']],
  [
    'a building that is none',
    'map-2.json',
    { multiHexBuildings: [['A1', 'A2']] },
    ['map-2.json: A1 is no building', 'map-2.json: A2 is no building'],
  ],
  [
    'a building in two places',
    'map-44.json',
    {
      multiHexBuildings: [
        ['G4', 'L5'],
        ['L5', 'M6'],
      ],
    },
    ['map-44.json: G4 stands apart', 'map-44.json: L5 stands apart'],
  ],
])('%s', (_title, file, changes, expected) => {
  expect(faults(file, changes)).toEqual(expected);
});

test.each<[string, string, Record<string, unknown>]>([
  ['a Section of two letters', FORCES, { 'american.1.letter': 'AB' }],
  ['an available leader of two letters', CAMPAIGN, { 'start.available.american': ['AB'] }],
  ['a column for thirteen', FORCES, { 'supportTables.german.13': [{ item: 'Rifle', cost: 1 }] }],
  ['a column for twenty', FORCES, { 'supportTables.german.20': [{ item: 'Rifle', cost: 1 }] }],
  ['reserves that bring H', FORCES, { 'reserves.table.12': 'H' }],
  ['reserves for one', FORCES, { 'reserves.table.1': 'A' }],
  ['reserves for 112', FORCES, { 'reserves.table.112': 'A' }],
  ['a sixth objective', MAP, { 'objectives.6': 'A1' }],
  ['objective 15', MAP, { 'objectives.15': 'A1' }],
  ['an unknown terrain', MAP, { 'terrain.lava': ['A1'] }],
  ['five edges', TABLES, { 'orientation.edges': ['top', 'top', 'top', 'top', 'top'] }],
  ['another format', TABLES, { format: 'fieldpost-combatcommander-tables/2' }],
  ['a wrong counter', 'counters.json', { 'american.Line.kind': 'tank' }],
])('a wrong shape: %s', (_title, file, changes) => {
  const found = faults(file, changes);
  expect(found.length).toBeGreaterThan(0);
  for (const fault of found) expect(fault.startsWith(`${file}: `), fault).toBe(true);
});

test('the ground: hexes, edges, rows', () => {
  const map = { columns: 15, rows: 10 };
  expect(['A1', 'o10', 'O11', 'P1', 'A0', 'A01', 'AA1', 'A100', '1A'].map((hex) => cellOf(map, hex))).toEqual([
    [1, 1],
    [15, 10],
    ...Array<undefined>(7).fill(undefined),
  ]);
  expect(neighboursOf(map, 'C5')).toEqual(['C4', 'D4', 'D5', 'C6', 'B5', 'B4']);
  expect(neighboursOf(map, 'O10')).toEqual(['O9', 'N10', 'N9']);
  expect(neighboursOf(map, 'Z1')).toEqual([]);
  expect(
    (['top', 'bottom', 'left', 'right'] as const).map((edge) => [
      oppositeEdge(edge),
      frontOf(edge),
      rowsFrom(map, edge, 'C4'),
    ]),
  ).toEqual([
    ['bottom', 'wide', 4],
    ['top', 'wide', 7],
    ['right', 'narrow', 3],
    ['left', 'narrow', 13],
  ]);
});
