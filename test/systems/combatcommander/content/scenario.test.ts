/** The campaign's files: what is printed is reproduced, what is wrong is found; the ledger has every rule. */

import fs from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { shown } from '../../../../src/render/words.ts';
import { neighboursOf, rowsFrom, terrainOf } from '../../../../src/systems/combatcommander/content/ground.ts';
import { readScenario } from '../../../../src/systems/combatcommander/content/scenario.ts';
import { combatcommander } from '../../../../src/systems/combatcommander/system.ts';
import { data, files, rules, wording } from '../../../helpers/combatcommander.ts';

type Changes = (content: Record<string, never>) => void;

/** The faults found after a change of one file. */
function faults(name: string, change: (content: never) => void): string[] {
  const copy = structuredClone(files);
  (change as Changes)(copy[name] as Record<string, never>);
  const read = readScenario('combatcommander/campaign', copy);
  return 'faults' in read ? read.faults : [];
}

interface SectionFile {
  american: { letter: string; leader: string; cost: number; initiative: number; contents: Record<string, number> }[];
}

test('the files read without a fault, as the system offers them', () => {
  expect(faults('tables.json', () => {})).toEqual([]);
  expect(combatcommander.scenarios(['scenario-campaign.json', 'map-2.json', 'rules.json'])).toEqual([
    {
      id: 'combatcommander/campaign',
      files: ['scenario-campaign.json', 'tables.json', 'forces.json', 'counters.json', 'map-2.json'],
    },
  ]);
});

describe('lint', () => {
  test.each<[string, string, (content: never) => void, string]>([
    [
      'a printed total that no longer comes out',
      'forces.json',
      (content: SectionFile) => {
        content.american[3]!.initiative = 5;
      },
      'american initiative of the printed example come to 11, not 10',
    ],
    [
      'a printed leader',
      'forces.json',
      (content: SectionFile) => {
        content.american[3]!.leader = 'Sgt York';
      },
      'american Section C is led by Sgt Krauss',
    ],
    [
      'a price that does not fit the pieces',
      'forces.json',
      (content: SectionFile) => {
        content.american[1]!.cost = 9;
      },
      'american Section A: costs 9 for 506 points',
    ],
    [
      'a counter that does not exist',
      'forces.json',
      (content: SectionFile) => {
        content.american[1]!.contents.Tiger = 1;
      },
      'american Section A: no counter Tiger',
    ],
    [
      'a leader in no box',
      'scenario-campaign.json',
      (content: { start: { pool: { american: string[] } } }) => {
        content.start.pool.american.pop();
      },
      'american Section G is not in exactly one box',
    ],
    [
      'a hedge between hexes that do not touch',
      'map-42.json',
      (content: { hedges: string[][] }) => {
        content.hedges.push(['A1', 'C9']);
      },
      'A1 and C9 are no neighbours',
    ],
    [
      'a hole in the reserves',
      'forces.json',
      (content: { reserves: { table: Record<string, string> } }) => {
        delete content.reserves.table['7'];
      },
      'reserves: nothing for a roll of 7',
    ],
    [
      'a wrong shape',
      'tables.json',
      (content: { orientation: { edges: string[] } }) => {
        content.orientation.edges.pop();
      },
      'orientation.edges',
    ],
  ] as [string, string, (content: never) => void, string][])('finds %s', (_title, name, change, expected) => {
    const found = faults(name, change);
    expect(found.length).toBeGreaterThan(0);
    expect(found.join('\n')).toContain(expected);
  });
});

describe('the battle maps', () => {
  test.each(Object.values(data.maps).map((map) => [map.id, map] as const))('map %s', (_id, map) => {
    expect([map.columns, map.rows]).toEqual([15, 10]);
    expect(neighboursOf(map, 'B5')).toEqual(['B4', 'C5', 'C6', 'B6', 'A6', 'A5']);
    expect(neighboursOf(map, 'A1')).toEqual(['B1', 'A2']);
    expect(map.ruralRoads).toBe(map.multiHexBuildings.length < 2);
    expect(terrainOf(map, map.multiHexBuildings[0]?.[0] ?? Object.values(map.terrain)[0]![0]!)).not.toBe('open');
    expect(rowsFrom(map, 'right', 'O3')).toBe(1);
    expect(rowsFrom(map, 'bottom', 'A9')).toBe(2);
  });
});

describe('the ledger', () => {
  const path = fileURLToPath(new URL('../../../../scenarios/combatcommander/rules.tsv', import.meta.url));
  const [head, ...rows] = fs.readFileSync(path, 'utf8').trimEnd().split('\n');
  const cells = rows.map((row) => row.split('\t'));

  test('holds all 256 rules in two parts, the tactical one openly unfinished', () => {
    expect(head).toBe('id\tsection\trule\tsource\tby_mail\tpart\tstate');
    expect(cells).toHaveLength(256);
    expect(new Set(cells.map((row) => row[0])).size).toBe(256);
    for (const [id, , , , , part, state] of cells) {
      const campaign = /^(C0|C1|C3|CS)\./.test(id!) || id === 'C2.0' || id === 'C2.1';
      expect(part, id).toBe(campaign ? 'campaign' : 'tactical');
      expect(state, id).toBe(campaign ? '' : 'open: tactical engine');
    }
  });
});

test('house tables are owned up to, and every ruling of the house has its words', () => {
  expect(
    rules
      .house({} as never)
      .map((text) => shown(text, wording))
      .join('\n'),
  ).toContain('house maps for maps 2, 42, 43 and 44');
  for (let n = 1; n <= 32; n++) {
    const id = `CCR-${String(n).padStart(2, '0')}`;
    expect(wording.say({ key: `combatcommander.${id}` })).toContain(`${id}: `);
  }
  expect(wording.has('combatcommander.CCR-33')).toBe(false);
});
