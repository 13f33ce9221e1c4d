/** The scenario files: shape, sense, printed and house values told apart, a club's own transcription beside ours. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { layOver, openScenarios, SCENARIOS } from '../../../../src/scenarios.ts';
import { openCampaign } from '../../../../src/systems/overlord/content/campaign.ts';
import { readScenario, scenarioFiles } from '../../../../src/systems/overlord/content/files.ts';
import { lintCampaign } from '../../../../src/systems/overlord/content/lint.ts';
import type { OverlordData } from '../../../../src/systems/overlord/content/scenario.ts';
import { campaignData, campaignFiles, normandy } from '../../../helpers/overlord.ts';

const ID = 'overlord/campaign';

function faultsOf(change: (data: OverlordData) => void): string[] {
  const data = campaignData();
  change(data);
  return lintCampaign(data);
}

describe('our own files', () => {
  test('have no fault', () => {
    expect(lintCampaign(campaignData())).toEqual([]);
    expect(readScenario(ID, campaignFiles())).toMatchObject({ scenario: { id: ID, turns: 28 } });
  });

  test('OVL-EXM-01 the house map has every printed terrain, rivers on hexsides and roads, and calls itself house', () => {
    const { map } = campaignData();
    expect(map.houseMap).toBe(true);
    expect(new Set(normandy.campaign.board.terrain)).toEqual(
      new Set(['sea', 'plain', 'bocage', 'hill', 'hill+bocage', 'swamp', 'city']),
    );
    expect(Object.keys(map.hexsides.river)).toContain('Orne');
    expect(Object.values(map.lines.road).flat().length).toBeGreaterThan(50);
    expect(normandy.campaign.board.terrain.filter((kind) => kind !== 'sea')).toHaveLength(786);
  });

  test('every file says where it comes from', () => {
    for (const [name, file] of Object.entries(campaignFiles()))
      expect(file, name).toMatchObject({ format: expect.any(String), source: expect.any(String) });
  });

  test('16 of 72 cells of each table are printed', () => {
    const { crt } = campaignData().tables;
    for (const table of ['June', 'July-August'] as const) {
      const cells = Object.values(crt[table]).map((column) => Object.keys(column.printed).length);
      expect(cells.reduce((sum, count) => sum + count, 0)).toBe(16);
    }
  });
});

describe('faults are found', () => {
  test.each<[string, (data: OverlordData) => void, RegExp]>([
    ['a short terrain row', (d) => d.map.terrain.splice(3, 1, '04|~ .'), /row 04 has 2 hexes/],
    [
      'an unknown letter',
      (d) => {
        d.map.terrain[0] = d.map.terrain[0]!.replace('.', '?');
      },
      /"\?" in row 01/,
    ],
    [
      'a river between strangers',
      (d) => d.map.hexsides.river.Orne!.push('2814-2917'),
      /2814 and 2917 are not neighbours/,
    ],
    ['a river side twice', (d) => d.map.hexsides.river.Orne!.push(d.map.hexsides.river.Vire![0]!), /belongs to/],
    [
      'a road that jumps',
      (d) => {
        d.map.lines.road.new = ['2814 2817'];
      },
      /not neighbours/,
    ],
    [
      'a road into the sea',
      (d) => {
        d.map.lines.road.new = ['0703 0702'];
      },
      /0702 is sea/,
    ],
    [
      'a beach at sea',
      (d) => {
        d.map.beaches.US.UTAH = ['0101'];
      },
      /beach UTAH: 0101/,
    ],
    [
      'an entry inland',
      (d) => {
        d.map.entryRoads['6'] = ['2814'];
      },
      /does not lie on the map edge/,
    ],
    [
      'an entry without a road',
      (d) => {
        d.map.entryRoads['6'] = ['4209'];
      },
      /no road reaches 4209/,
    ],
    [
      'a formation without entry',
      (d) => {
        d.counters.formations.DE271!.road = 9;
      },
      /DE271 has no entry hex/,
    ],
    [
      'a counter too many',
      (d) => {
        d.counters.formations.US4!.printed[0]![3] = 4;
      },
      /150 allied counters, 149 expected/,
    ],
    [
      'two formations on four counters',
      (d) => {
        d.setup.start.BR6R = '2009';
      },
      /5 units in 2009/,
    ],
    [
      'a start hex at sea',
      (d) => {
        d.setup.start.US4 = '0101';
      },
      /not a land hex/,
    ],
    ['a formation left out', (d) => void delete d.setup.start.US4, /US4 has no hex/],
    [
      'a hole in the table',
      (d) => void delete d.tables.crt.June['3-1']!.house['4'],
      /June has no result at 3-1, die 4/,
    ],
    [
      'turns out of order',
      (d) => {
        d.tables.turns[3]!.iso = '1944-06-01';
      },
      /turn 4 is not later/,
    ],
    [
      'interdiction without TAC',
      (d) => {
        d.options.tac = false;
      },
      /interdiction needs tac/,
    ],
  ])('%s', (_name, change, fault) => {
    expect(faultsOf(change).join('\n')).toMatch(fault);
  });

  test('a wrong shape names file and field', () => {
    const files = campaignFiles();
    files['house.json'] = { ...(files['house.json'] as object), unitsForVictory: 'many' };
    const read = readScenario(ID, files);
    expect('faults' in read && read.faults[0]).toMatch(/^house\.json: unitsForVictory/);
    expect(readScenario('overlord/other', files)).toMatchObject({
      faults: [expect.stringContaining('scenario-other.json')],
    });
  });
});

describe('a club’s own transcription', () => {
  test('lies beside ours: files whose names end in the scenario’s name belong to it', () => {
    const names = [
      'counters.json',
      'house.json',
      'map-normandy.json',
      'scenario-campaign.json',
      'scenario-club.json',
      'setup.json',
      'tables-club.json',
      'tables.json',
    ];
    expect(scenarioFiles(names)).toEqual([
      { id: 'overlord/campaign', files: names.filter((name) => !name.includes('club')) },
      { id: 'overlord/club', files: names.filter((name) => name !== 'scenario-campaign.json') },
    ]);
  });

  test('a printed cell laid over wins over our house cell, without touching code', () => {
    const files = campaignFiles();
    files['tables-club.json'] = layOver(files['tables.json'], { crt: { June: { '3-1': { printed: { 4: 'EXCH' } } } } });
    files['scenario-club.json'] = layOver(files['scenario-campaign.json'], { tables: 'tables-club.json' });
    const read = readScenario('overlord/club', files);
    if ('faults' in read) throw new Error(read.faults.join());
    const opened = openCampaign(read.scenario.data as OverlordData);
    expect(opened.crt.June.get('3-1')?.[3]).toEqual({ result: 'EXCH', house: false });
    expect(normandy.campaign.crt.June.get('3-1')?.[3]).toEqual({ result: 'D BK 2', house: true });
  });

  test('a folder laid over ours, as its read-me shows', () => {
    const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'club-'));
    try {
      const readme = fs.readFileSync(path.join(SCENARIOS, 'overlord', 'README.md'), 'utf8');
      const blocks = [...readme.matchAll(/`(\S+-club\.json)`\n\n```json\n([^`]+)```/g)];
      expect(blocks).toHaveLength(2);
      fs.mkdirSync(path.join(dir, 'overlord'));
      for (const [, name, content] of blocks) fs.writeFileSync(path.join(dir, 'overlord', name!), content!);
      const store = openScenarios([SCENARIOS, dir]);
      expect(store.open('overlord/club').scenario.title).toBe('Overlord with the printed table');
      const data = store.open('overlord/club').scenario.data as OverlordData;
      expect(openCampaign(data).crt.June.get('3-1')?.[3]).toEqual({ result: 'EXCH', house: false });
      expect(store.open('overlord/campaign').hash).toBe(openScenarios([SCENARIOS]).open('overlord/campaign').hash);
    } finally {
      fs.rmSync(dir, { recursive: true });
    }
  });
});
