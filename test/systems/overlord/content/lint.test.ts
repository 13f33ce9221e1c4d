/** Every fault that the campaign's content can have is named, and nothing beside it. */
import { describe, expect, test } from 'vitest';
import { lintCampaign } from '../../../../src/systems/overlord/content/lint.ts';
import type { OverlordData } from '../../../../src/systems/overlord/content/scenario.ts';
import { campaignData } from '../../../helpers/overlord.ts';

type Json = { [key: string]: Json };
type Change = (data: OverlordData) => void;

function faults(change: Change): string[] {
  const data = campaignData();
  change(data);
  return lintCampaign(data);
}

/** Sets one value; `undefined` takes it away. */
function set(path: string, value: unknown): Change {
  return (data) => {
    const names = path.split('.');
    const last = names.pop()!;
    const at = names.reduce((inner, name) => inner[name]!, data as unknown as Json);
    if (value === undefined) delete at[last];
    else at[last] = value as Json;
  };
}

const row = (data: OverlordData, number: number): number =>
  data.map.terrain.findIndex((line) => line.startsWith(String(number).padStart(2, '0')));
const formation = (data: OverlordData, id: string) => data.counters.formations[id]!;

describe('the map', () => {
  test.each<[string, Change, string[]]>([
    ['nothing changed', () => {}, []],
    [
      'a row too few',
      (d) => {
        d.map.terrain.pop();
      },
      [`map: ${campaignData().map.terrain.length - 1} terrain rows, ${campaignData().map.terrain.length} expected`],
    ],
    [
      'rows exchanged',
      (d) => {
        [d.map.terrain[0], d.map.terrain[1]] = [d.map.terrain[1]!, d.map.terrain[0]!];
      },
      ['map: terrain row 02 stands where 1 belongs', 'map: terrain row 01 stands where 2 belongs'],
    ],
    [
      'a hex too many',
      (d) => {
        d.map.terrain[4] += ' .';
      },
      ['map: terrain row 05 has 43 hexes, 42 expected'],
    ],
    [
      'a letter unknown',
      set('map.terrain.4', campaignData().map.terrain[4]!.replace(/\S$/, '?')),
      ['map: letter "?" in row 05 is not in the legend'],
    ],
    [
      'a river to nowhere',
      (d) => {
        d.map.hexsides.river.Orne!.push('2814-9999');
      },
      ['map: river Orne: no hex 9999'],
    ],
    [
      'a river from nowhere',
      (d) => {
        d.map.hexsides.river.Orne!.push('9999-2814');
      },
      ['map: river Orne: no hex 9999'],
    ],
    [
      'a river between strangers',
      (d) => {
        d.map.hexsides.river.Orne!.push('2814-2917');
      },
      ['map: river Orne: 2814 and 2917 are not neighbours'],
    ],
    ['a road that joins nothing', set('map.lines.road.new', ['2814']), ['map: road new: "2814" joins nothing']],
    [
      'a road that jumps, at its second step',
      set('map.lines.road.new', ['2814 2815 2817']),
      ['map: road new: 2815 and 2817 are not neighbours'],
    ],
    ['a road into the sea', set('map.lines.road.new', ['0703 0702']), ['map: road new: 0702 is sea']],
    ['a road out of the sea', set('map.lines.road.new', ['0702 0703']), ['map: road new: 0702 is sea']],
    [
      'a city at sea',
      set('map.cities.Atlantis', ['0101']),
      ['map: city Atlantis: 0101 is not a land hex', 'map: city Atlantis: 0101 is not drawn as a city'],
    ],
    ['a city in the fields', set('map.cities.Ville', ['2814']), ['map: city Ville: 2814 is not drawn as a city']],
    ['a town at sea', set('map.towns.0101', 'Ys'), ['map: town Ys: 0101 is not a land hex']],
    ['a port at sea', set('map.ports.Ys', '0101'), ['map: port Ys: 0101 is not a land hex']],
    [
      'a British beach at sea',
      set('map.beaches.British.SWORD', ['0101']),
      ['map: beach SWORD: 0101 is not a land hex'],
    ],
    ['a road without entry', set('map.entryRoads.6', []), ['map: road 6 has no entry hex']],
    ['an entry inland', set('map.entryRoads.6', ['2814']), ['map: entry of road 6: 2814 does not lie on the map edge']],
    ['a fortress without a port', set('setup.fortress', 'Paris'), ['setup: the fortress Paris is not a port']],
  ])('%s', (_title, change, expected) => {
    expect(faults(change)).toEqual(expected);
  });

  test('a river side twice, whichever way round it is written', () => {
    const [side] = campaignData().map.hexsides.river.Vire!;
    const [a, b] = side!.split('-').sort();
    for (const written of [`${a}-${b}`, `${b}-${a}`])
      expect(
        faults((d) => {
          d.map.hexsides.river.Orne!.push(written);
        }).join(),
      ).toContain(`map: hexside ${a}-${b} belongs to `);
  });

  test('sea is sea whatever the row', () => {
    const data = campaignData();
    expect(row(data, 1)).toBe(0);
    expect(faults(set('map.lines.road.new', ['2814 2815'])).length).toBe(0);
  });
});

describe('counters and set-up', () => {
  const at = (data: OverlordData, hex: string): string[] =>
    Object.entries(data.setup.start).flatMap(([id, where]) => (where === hex ? [id] : []));

  test.each<[string, Change, string[]]>([
    [
      'an Allied counter too many',
      set('counters.formations.US4.printed.0.3', 4),
      ['counters: 150 allied counters, 149 expected'],
    ],
    [
      'a late arrival',
      set('counters.formations.US4.turn', 29),
      [
        'counters: US4 arrives on turn 29, after the last',
        'counters: US4 is at start but has turn 29',
        'counters: US4: start is no way for this side to arrive on turn 29',
      ],
    ],
    ['at start on turn 2', set('counters.formations.DE709.turn', 2), ['counters: DE709 is at start but has turn 2']],
    ['no road', set('counters.formations.DE271.road', undefined), ['counters: DE271 has no entry hex: road missing']],
    ['an unknown road', set('counters.formations.DE271.road', 9), ['counters: DE271 has no entry hex: road 9']],
    ['no beaches', set('counters.formations.US9.beaches', undefined), ['counters: US9 has no landing beaches']],
    [
      'a German by sea',
      set('counters.formations.DE271.arrival', 'beach'),
      [`counters: DE271: beach is no way for this side to arrive on turn ${formation(campaignData(), 'DE271').turn}`],
    ],
    ['an unknown formation', set('setup.start.XX1', '2009'), ['setup: no formation XX1']],
    ['a late formation at start', set('setup.start.DE271', '4208'), ['setup: DE271 is not an at-start formation']],
    ['a formation left out', set('setup.start.US4', undefined), ['setup: US4 has no hex']],
    [
      'a hold on strangers',
      (d) => {
        d.setup.held.push('US4', 'XX1');
      },
      ['setup: held formation US4 is unknown', 'setup: held formation XX1 is unknown'],
    ],
  ])('%s', (_title, change, expected) => {
    expect(faults(change)).toEqual(expected);
  });

  test('OVL-STK-01 both sides in a hex, and more than three units unless of one formation', () => {
    const data = campaignData();
    const german = data.setup.start.DE709!;
    expect(faults(set('setup.start.US4', german)).join()).toContain(`setup: both sides stand in ${german}`);
    const [id, hex] = Object.entries(data.setup.start).find(
      ([name, where]) => name.startsWith('US') && at(data, where).length === 1,
    )!;
    const other = Object.keys(data.setup.start).find((name) => /^(US|BR|CDN)/.test(name) && name !== id)!;
    expect(faults(set(`setup.start.${other}`, hex)).join()).toMatch(new RegExp(`setup: \\d units in ${hex}`));
  });
});

describe('tables, options and house values', () => {
  test.each<[string, Change, string[]]>([
    [
      'a hole',
      set('tables.crt.July-August.1-1.house.6', undefined),
      ['tables: July-August has no result at 1-1, die 6'],
    ],
    [
      'a column that is not listed',
      set('tables.crt.June.9-1', campaignData().tables.crt.June['8-1']!),
      ['tables: June has a column 9-1 that is not listed'],
    ],
    [
      'two turns on one day',
      set('tables.turns.3.iso', campaignData().tables.turns[2]!.iso),
      ['tables: turn 4 is not later than turn 3'],
    ],
    ['interdiction without TAC', set('options.tac', false), ['options: interdiction needs tac']],
    ['neither', set('options', { ...campaignData().options, tac: false, interdiction: false }), []],
    [
      'replacements before the first turn',
      set('house.replacements.turns', [0]),
      ['house: replacements on turn 0, which does not exist'],
    ],
    ['on the last turn', set('house.replacements.turns', [1, 28]), []],
    [
      'after the last turn',
      set('house.replacements.turns', [29]),
      ['house: replacements on turn 29, which does not exist'],
    ],
  ])('%s', (_title, change, expected) => {
    expect(faults(change)).toEqual(expected);
  });
});
