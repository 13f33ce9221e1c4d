/** The order of battle, the counters and the set-up, row by row of the ledger. */
import { describe, expect, test } from 'vitest';
import { viewFor } from '../../../../src/kernel/view.ts';
import type { UnitType } from '../../../../src/systems/overlord/types.ts';
import { campaignData, eventsOf, normandy, play, position } from '../../../helpers/overlord.ts';

const { campaign, rules } = normandy;
const start = rules.setup({}, { roll: () => [], shuffle: (_, items) => [...items], draw: () => {} });

const LETTERS: Record<UnitType, string> = {
  infantry: '',
  armor: 'A',
  'armored-infantry': 'AI',
  recon: 'R',
  paratroop: 'P',
  'sp-gun': 'G',
};

/** `2x6-6A 4-6A`: the counters of a formation in the order of its units. */
function counters(id: string): string {
  const units = campaign.units.filter((unit) => unit.formation === id).map((u) => `${u.cf}-${u.mf}${LETTERS[u.type]}`);
  return [...new Set(units)]
    .map((kind) => {
      const count = units.filter((other) => other === kind).length;
      return count > 1 ? `${count}x${kind}` : kind;
    })
    .join(' ');
}

/** What arrives on a turn, with the way it comes. */
function arriving(side: string, turn: number): string[] {
  return [...campaign.formations.values()]
    .filter((formation) => formation.side === side && formation.turn === turn)
    .map((formation) => `${formation.id} ${formation.beaches ?? `road ${formation.road}`}: ${counters(formation.id)}`);
}

const ARRIVALS: [string, number, string[]][] = [
  [
    'OVL-AOB-01',
    2,
    ['US90 US: 3x4-4', 'US2 US: 3x4-4', 'US29 US: 3x4-4', 'BR7A British: 3x6-6A', 'BR51 British: 3x4-4'],
  ],
  ['OVL-AOB-02', 3, ['US9 US: 3x4-4', 'US2A US: 2x6-6A 4-6A', 'BR49 British: 3x4-4']],
  ['OVL-AOB-03', 4, ['US79 US: 3x4-4']],
  ['OVL-AOB-04', 5, ['BR43 British: 3x4-4']],
  ['OVL-AOB-05', 6, ['BR11A British: 3x6-6A']],
  ['OVL-AOB-06', 7, ['BR15 British: 3x4-4']],
  ['OVL-AOB-07', 8, ['BR59 British: 3x4-4']],
  ['OVL-AOB-08', 9, ['US8 US: 3x4-4']],
  ['OVL-AOB-09', 10, ['US30 US: 3x4-4']],
  ['OVL-AOB-10', 11, ['US83 US: 3x4-4']],
  ['OVL-AOB-11', 12, ['US3A US: 2x8-6A 6-6A']],
  ['OVL-AOB-12', 13, ['BR53 British: 3x4-4']],
  ['OVL-AOB-13', 14, ['BR2 British: 3x4-4', 'BR39 British: 3x4-4']],
  ['OVL-AOB-14', 15, ['CDN2 British: 3x4-4', 'US5 US: 3x4-4']],
  ['OVL-AOB-15', 16, ['BRGDSA British: 3x8-6A', 'BR5A British: 3x6-6A']],
  ['OVL-AOB-16', 17, ['US4A US: 2x6-6A 4-6A', 'US6A US: 2x6-6A 4-6A']],
  ['OVL-AOB-17', 18, ['US87 US: 3x4-4', 'US35 US: 3x4-4']],
  ['OVL-AOB-18', 19, ['BR11 British: 3x4-4', 'US7A US: 2x6-6A 4-6A']],
  ['OVL-AOB-19', 20, ['BR33A British: 3x6-6A', 'CDN4A British: 3x6-6A']],
  ['OVL-AOB-20', 21, ['FR2A British: 2x6-6A', 'PL1A British: 2x6-6A']],
  ['OVL-AOB-21', 22, ['US5A US: 2x6-6A 4-6A', 'CDN4 British: 3x4-4']],
  ['OVL-AOB-22', 23, ['BR5 British: 3x4-4', 'US26 US: 3x4-4']],
  ['OVL-AOB-23', 24, ['US11A US: 2x6-6A 4-6A']],
  ['OVL-AOB-24', 25, ['US84 US: 3x4-4']],
  ['OVL-GOB-04', 2, ['DE116 road 6: 6-6A 2x6-6AI', 'DE346 road 5: 3x4-4']],
  ['OVL-GOB-05', 3, ['DE271 road 2: 3x4-4', 'DE2 road 6: 6-6A 2x6-6AI']],
  ['OVL-GOB-06', 4, ['DE715 road 6: 2x2-2', 'DE5P road 1: 3x5-4P', 'DEJP road 5: 6-6G']],
  ['OVL-GOB-07', 5, ['DE1SS road 6: 2x8-6A 8-6AI', 'DE341 road 3: 3x4-4', 'DEJT road 4: 7-4G']],
  ['OVL-GOB-08', 6, ['DE10SS road 5: 8-6A 6-6A 6-6AI']],
  ['OVL-GOB-09', 7, ['DE276 road 3: 3x4-4']],
  ['OVL-GOB-10', 8, ['DE9SS road 6: 8-6A 6-6A 6-6AI']],
  ['OVL-GOB-11', 9, ['DE16LW road 6: 3x2-4']],
  ['OVL-GOB-12', 10, ['DE51SS road 6: 4-6AI', 'DE49SS road 6: 4-6AI']],
  ['OVL-GOB-13', 11, ['DE353 road 4: 3x3-4']],
  ['OVL-GOB-14', 12, ['DE12SP road 2: 4-6G']],
  ['OVL-GOB-15', 13, ['DE266 road 6: 2x4-4']],
  ['OVL-GOB-16', 14, ['DE277 road 1: 3x4-4']],
  ['OVL-GOB-17', 15, ['DE272 road 2: 3x4-4']],
  ['OVL-GOB-18', 16, ['DE30AI road 2: 4-6AI', 'DE346B road 3: 2x3-4', 'DE365 road 4: 3x3-4']],
  ['OVL-GOB-19', 17, ['DE265B road 6: 3x3-4']],
  ['OVL-GOB-20', 18, ['DE84 road 4: 3x3-4']],
  ['OVL-GOB-21', 19, ['DE85 road 4: 3x4-4']],
  ['OVL-GOB-22', 20, ['DE708 road 6: 2x2-2']],
  ['OVL-GOB-23', 21, ['DE331 road 5: 3x3-4']],
  ['OVL-GOB-24', 22, ['DE9 road 3: 6-6A 2x4-6AI']],
  ['OVL-GOB-25', 23, ['DE89 road 4: 3x3-3']],
  ['OVL-GOB-26', 24, ['DE17LW road 6: 2x2-4']],
];

describe('reinforcements by turn', () => {
  test.each(ARRIVALS)('%s', (id, turn, expected) => {
    expect(arriving(id.startsWith('OVL-AOB') ? 'allied' : 'german', turn)).toEqual(expected);
  });

  test('OVL-APP-01 they become available on their turn, not before', () => {
    let state = position(normandy, { turn: 2, step: 'allied', units: { DE709: '0703', US4: '1307' } });
    expect([state.table.units['US9/1'], state.table.units['DE271/1']]).toEqual(['due', 'due']);
    const { state: after, events } = play(normandy, state, {});
    state = after;
    expect([state.table.units['US9/1'], state.table.units['DE271/1']]).toEqual(['off', 'off']);
    expect(state.table.units['US79/1']).toBe('due');
    expect(eventsOf(events, 'arrived').map((event) => event.units[0])).toEqual([
      'DE271/1',
      'DE2/1',
      'US9/1',
      'US2A/1',
      'BR49/1',
    ]);
  });
});

describe('at start', () => {
  const standing = (id: string): string[] => [
    ...new Set(campaign.formations.get(id)!.units.map((u) => start.table.units[u]!)),
  ];

  test('OVL-AOB-00 thirty-one Allied counters stand on the map', () => {
    const ids = [
      'US4',
      'US82P',
      'US1',
      'BR56',
      'BR2AI',
      'BR3',
      'CDN3',
      'BR6R',
      'US101P',
      'BR4SS',
      'BR27A',
      'BR8A',
      'BR6P',
      'BR1SS',
    ];
    expect(arriving('allied', 1).map((line) => line.split(' ')[0])).toEqual(ids);
    const onMap = campaign.units.filter(
      (unit) => unit.side === 'allied' && /^\d{4}$/.test(start.table.units[unit.id]!),
    );
    expect(onMap).toHaveLength(31);
    expect(ids.map(counters).join(', ')).toBe(
      '3x4-4, 3x5-4P, 4x4-4, 3x4-4, 4-4AI, 3x4-4, 3x4-4, 4-6R, 3x5-4P, 5-4, 6-6A, 6-6A, 3x5-4P, 5-4',
    );
  });

  test('OVL-GOB-00 OVL-GOB-01 the Germans free from the start, and the seven held divisions', () => {
    const free = ['DE709', 'DE243', 'DE91', 'DE352', 'DE711', 'DE716', 'DE21'];
    const held = ['DE77', 'DE275', 'DE265', 'DE3P', 'DE17', 'DE12SS', 'DEPL'];
    expect(free.map(counters).join(', ')).toBe('2x2-2, 3x4-4, 3x4-4, 3x4-4, 2x2-2, 2x2-2, 2x6-6AI 8-6A');
    expect(held.map(counters).join(', ')).toBe(
      '3x4-4, 3x4-4, 3x4-4, 3x5-4P, 2x6-6AI 6-6A, 8-6A 2x6-6AI, 2x10-6A 8-6AI 6-6R',
    );
    expect(start.table.held).toEqual(held);
    expect([...free, ...held].every((id) => /^\d{4}$/.test(standing(id)[0]!))).toBe(true);
  });

  test('OVL-SET-02 OVL-SET-03 OVL-SET-04 both sides stand on land by division, one hex each', () => {
    for (const formation of campaign.formations.values()) {
      if (formation.turn !== 1) continue;
      const hexes = standing(formation.id);
      expect(hexes, formation.id).toHaveLength(1);
      expect(campaign.board.sea[campaign.board.grid.index.get(hexes[0]!)!], formation.id).toBe(0);
    }
  });

  test('OVL-SET-01 the first row is north: sea above the beaches, the last row the south edge', () => {
    const { grid, sea } = campaign.board;
    expect(grid.ids.filter((id, cell) => id.endsWith('01') && sea[cell] === 0)).toEqual(['0201']);
    expect(campaign.board.edgeCells.S.every((cell) => grid.ids[cell]!.endsWith('28'))).toBe(true);
    expect(campaign.board.names.get(grid.index.get('0703')!)).toBe('Cherbourg');
  });
});

describe('the counters', () => {
  const scene = rules.scenes(viewFor(start, 'public'), [])[0]!;
  const drawn = scene.items.flatMap((item) => (item.kind === 'counter' ? [item.counter] : []));

  test('OVL-PCS-01 OVL-PCS-02 each is drawn with side, size, nation, formation, type and both factors', () => {
    expect(drawn.find((counter) => counter.id === 'US4/2')).toEqual({
      id: 'US4/2',
      side: 'allied',
      nation: 'US',
      symbol: 'infantry',
      size: 'III',
      formation: '4',
      unit: '2',
      factors: ['4', '4'],
      states: [],
    });
    expect(drawn.find((counter) => counter.id === 'DE12SS/1')).toMatchObject({
      side: 'german',
      nation: 'SS',
      factors: ['8', '6'],
    });
  });

  test('OVL-PCS-03 OVL-PCS-04 six types, the size symbols of battalion, regiment and brigade', () => {
    expect([...new Set(campaign.units.map((unit) => unit.type))].sort((a, b) => (a < b ? -1 : 1))).toEqual([
      'armor',
      'armored-infantry',
      'infantry',
      'paratroop',
      'recon',
      'sp-gun',
    ]);
    expect([...new Set(campaign.units.map((unit) => unit.mark))].sort((a, b) => (a < b ? -1 : 1))).toEqual([
      'II',
      'III',
      'X',
    ]);
  });

  test('OVL-PCS-05 nations: British, Canadian, French, Polish, everybody else on the Allied side American', () => {
    const nations = [...new Set(campaign.units.filter((unit) => unit.side === 'allied').map((unit) => unit.nation))];
    expect(nations.sort((a, b) => (a < b ? -1 : 1))).toEqual(['BR', 'CDN', 'FR', 'PL', 'US']);
    for (const [id, formation] of campaign.formations)
      if (formation.side === 'allied') expect(id.startsWith(formation.nation)).toBe(true);
  });

  test('the printed counts: 119 German, 149 Allied', () => {
    expect(campaign.units.filter((unit) => unit.side === 'german')).toHaveLength(119);
    expect(campaign.units.filter((unit) => unit.side === 'allied')).toHaveLength(149);
  });

  test('OVL-CLR-02 the 341st has three 4-4, the 331st three 3-4', () => {
    expect([counters('DE341'), counters('DE331')]).toEqual(['3x4-4', '3x3-4']);
  });

  test('OVL-CLR-05 the commandos are ordinary British brigades', () => {
    for (const id of ['BR1SS', 'BR4SS']) {
      expect(campaign.formations.get(id)).toMatchObject({ nation: 'BR', side: 'allied', beaches: 'British' });
      expect(counters(id)).toBe('5-4');
    }
  });

  test('printed and corrected factors are both kept (OVL-CLR-01)', () => {
    const { US4A } = campaignData().counters.formations;
    expect(US4A).toMatchObject({
      printed: [['armor', 6, 6, 3]],
      corrected: [
        ['armor', 6, 6, 2],
        ['armor', 4, 6, 1],
      ],
    });
  });

  test('OVR-33 the second 265th is a formation of its own; OVR-34 Allied armor is armor throughout', () => {
    expect(campaign.formations.get('DE265B')).toMatchObject({ turn: 17, road: 6 });
    expect(campaign.units.filter((unit) => unit.formation === 'US2A').every((unit) => unit.type === 'armor')).toBe(
      true,
    );
  });
});
