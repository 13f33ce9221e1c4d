/** Set-up: deployment, concealment, scouts, improvisation (2.1, 6.1-c, 6.5-scout, 7.4). */
import { describe, expect, test } from 'vitest';
import { viewFor } from '../../../../src/kernel/view.ts';
import { openWording } from '../../../../src/render/words.ts';
import type { Data } from '../../../../src/systems/normandie/data.ts';
import type { DeployOrder, NormandieOrder } from '../../../../src/systems/normandie/language.ts';
import { check } from '../../../../src/systems/normandie/player/check.ts';
import { tell } from '../../../../src/systems/normandie/telling/tell.ts';
import { type Battle, battle, face, move, on } from '../../../helpers/normandie-battle.ts';

/** A battle whose units wait to be set up: types by own code. */
function camp(types: Record<string, string>, change: (data: Data, b: Battle['state']) => void = () => {}): Battle {
  const units = Object.fromEntries(Object.entries(types).map(([code, type]) => [code, { type, at: 'A1' }]));
  const b = battle({
    board: on({ C14: 'h' }),
    counters: {
      scout: {
        faces: { active: face('5 3 2/0/X destroyed ambush scout:3'), inactive: face('5 5 2/0/X destroyed scout:3') },
      },
      ranger: { faces: { full: face('4 5 1/0/X flip scout:3') } },
      truck: {
        class: 'light',
        role: 'vehicle',
        wreck: 'wreck-1',
        faces: { full: face('5 8 2/1/X flip transport:4 scout:3') },
      },
    },
    units,
    change: (data, state) => {
      state.table.units = [];
      for (const member of state.table.roster) member.fate = 'unplaced';
      state.table.zones = { us: { rows: [12, 14], columns: [1, 14] }, ge: { rows: [1, 6], columns: [1, 14] } };
      change(data, state);
    },
  });
  b.state.phase = { ...b.state.phase, step: 'setup' };
  return b;
}

const at = (line: number, unit: string, squares: string, more: Partial<DeployOrder> = {}): NormandieOrder => ({
  verb: 'DEPLOY',
  line,
  unit,
  at: squares.split(' ').filter((square) => square !== ''),
  ...more,
});
const scout = (line: number, unit: string, path: string): NormandieOrder => ({
  verb: 'SCOUT',
  line,
  move: move(unit, path),
});
const said = (b: Battle, orders: NormandieOrder[]): string[] =>
  check(b.book, viewFor(b.state, 'us'), orders).map((each) => `${each.code} ${each.line}`);

describe('deployment', () => {
  test('2.1-a: only counters of the army, once, in the own zone, where they can stand', () => {
    const b = camp({ US1: 'rifle', US2: 'pz', US3: 'jeep', GE1: 'rifle' });
    expect(said(b, [at(1, 'US1', 'B13'), at(2, 'US2', 'D12 D13'), at(3, 'US3', 'F14')])).toEqual([]);
    expect(
      said(b, [
        at(1, 'US1', 'B11'),
        at(2, 'US1', 'B13'),
        at(3, 'US1', 'C13'),
        at(4, 'US3', 'C14'),
        at(5, 'US3', 'B13'),
        at(6, 'GE1', 'D13'),
        at(7, 'US2', 'D12 F12'),
        at(8, 'US9', 'D12'),
      ]),
    ).toEqual([
      'OUTSIDE THE ZONE 1',
      'SET UP TWICE 3',
      'IMPASSABLE 4',
      'OCCUPIED 5',
      'NO SUCH UNIT 6',
      'NOT ADJACENT 7',
      'NO SUCH UNIT 8',
    ]);
  });

  test('6.1-c: either side up; the default is set up for guns, hidden for scouts, inactive for crews', () => {
    const b = camp({ US1: 'mg', US2: 'mg', US3: 'scout', US4: 'scout', US5: 'crew', GE1: 'rifle' });
    b.phase('setup', {
      us: [
        at(1, 'US1', 'B13', { face: 'inactive' }),
        at(2, 'US2', 'D13', { facing: 1 }),
        at(3, 'US3', 'F13', { face: 'inactive' }),
        at(4, 'US4', 'H13'),
        at(5, 'US5', 'J13'),
      ],
    });
    expect([
      b.unit('US1').face,
      b.unit('US2').face,
      b.unit('US2').facing,
      b.unit('US3').face,
      b.unit('US5').face,
    ]).toEqual(['inactive', 'active', 1, 'inactive', 'inactive']);
    expect(b.gone('US4')).toBe(true);
    expect(b.state.table.units.filter((unit) => unit.concealed === 'ambush')).toMatchObject([
      { at: 'H13', type: null, face: null },
    ]);
  });

  test('6.1-ambush-g: nothing told to all names a unit set up in ambush', () => {
    const b = camp({ US1: 'scout', US2: 'rifle', GE1: 'rifle' });
    b.phase('setup', { us: [at(1, 'US1', 'B13'), at(2, 'US2', 'D13')] });
    const heard = JSON.stringify(b.events.filter((event) => event.audience === 'all'));
    expect(heard).not.toContain('US1');
    expect(heard).not.toContain('us-scout');
    expect(b.told('identity')).toMatchObject([{ audience: ['us'], code: 'US1', counter: 'us-scout' }]);
    expect(JSON.stringify(viewFor(b.state, 'ge').table.units)).not.toContain('scout');
  });

  test('aboard: capacity as in play; crews are active there; an unknown vehicle is refused', () => {
    const b = camp({ US1: 'truck', US2: 'ranger', US3: 'rifle', US4: 'rifle', US5: 'crew', GE1: 'rifle' });
    const orders = [
      at(1, 'US1', 'B13'),
      at(2, 'US2', '', { in: 'US1' }),
      at(3, 'US3', '', { in: 'US1' }),
      at(4, 'US4', '', { in: 'US1' }),
      at(5, 'US5', '', { in: 'US1' }),
    ];
    expect(said(b, orders)).toEqual(['TRANSPORT FULL 4']);
    b.phase('setup', { us: [...orders.filter((order) => order.line !== 4), at(4, 'US4', 'D13')] });
    expect([b.unit('US2').aboard, b.unit('US5').aboard, b.unit('US5').face]).toEqual(['US1', 'US1', 'active']);
  });

  test('units without orders are placed all the same; units that drive in stand on an entry square', () => {
    const b = camp({ US1: 'rifle', US2: 'pz', US3: 'pz', US4: 'track', GE1: 'pz', GE2: 'rifle' }, (data, state) => {
      data.scenario.entry = [{ side: 'us', squares: ['G14'], tiles: ['t0'] }];
      state.table.roster.find((member) => member.code === 'US1')!.tile = 1;
      state.table.roster.find((member) => member.code === 'US3')!.tile = 1;
      state.table.roster.find((member) => member.code === 'US4')!.tile = 1;
    });
    expect(said(b, [at(1, 'US2', 'D12 D13')])).toEqual(['ENTRY SQUARE 1']);
    b.phase('setup', {});
    expect(b.state.table.units).toHaveLength(6);
    expect(b.unit('US2')).toMatchObject({ at: 'G13', rear: 'G14', facing: 0 });
    expect(b.unit('US1').at).toBe('C14');
    expect(b.told('defaulted').map((event) => event.side)).toEqual(['us', 'ge']);
  });

  test('foxholes go on open squares of the zone, as many as there are', () => {
    const b = camp({ US1: 'rifle', GE1: 'rifle' }, (_data, state) => {
      state.table.foxholesLeft = { us: 1, ge: 0 };
    });
    const dig = (line: number, square: string): NormandieOrder => ({ verb: 'FOXHOLE', line, square });
    expect(said(b, [dig(1, 'C14'), dig(2, 'B5'), dig(3, 'B13'), dig(4, 'D13')])).toEqual([
      'NOT OPEN GROUND 1',
      'OUTSIDE THE ZONE 2',
      'NO FOXHOLE LEFT 4',
    ]);
    b.phase('setup', { us: [dig(1, 'B13'), dig(2, 'D13')] });
    expect(b.state.table.foxholes).toEqual(['B13']);
  });

  test('7.4-concealed-b: a marker may be assigned at deployment', () => {
    const b = camp({ US1: 'rifle', US2: 'jeep', GE1: 'rifle' }, (_data, state) => {
      state.table.tiles[0]!.slots = { B: 'concealed' };
    });
    const conceal = (line: number, unit: string, letter: string): NormandieOrder => ({
      verb: 'CONCEAL',
      line,
      unit,
      letter,
    });
    const orders = [at(1, 'US1', 'B13'), at(2, 'US2', 'D13')];
    expect(
      said(b, [
        ...orders,
        conceal(3, 'US1', 'A'),
        conceal(4, 'US2', 'B'),
        conceal(5, 'US1', 'A'),
        conceal(6, 'US1', 'C'),
      ]),
    ).toEqual(['INFANTRY ONLY 4', 'MARKER IN USE 5', 'NO CONCEALED MARKER 6']);
    b.phase('setup', { us: [...orders, conceal(3, 'US1', 'A')] });
    expect(b.unit('US?A')).toMatchObject({ concealed: 'marker', at: 'B13' });
  });

  test('7.4-improvisation: at the start the hand holds one more, then one is discarded', () => {
    const b = camp({ US1: 'rifle', GE1: 'rifle' });
    b.state.hands.us!.cards = ['go', 'aim', 'dig'];
    b.state.table.cards.us.size = 2;
    b.phase('setup', { us: [{ verb: 'DISCARD', line: 1, cards: ['aim'] }] });
    expect(b.state.hands.us!.cards).toEqual(['go', 'dig']);
  });
});

describe('scouts', () => {
  test('6.5-scout-a 6.5-scout-b C75: a move of the printed number after deployment', () => {
    const b = camp({ US1: 'ranger', US2: 'rifle', GE1: 'rifle' });
    const orders = [at(1, 'US1', 'B13'), at(2, 'US2', 'H13')];
    expect(said(b, [...orders, scout(3, 'US2', 'H12'), scout(4, 'US1', 'C14 D13 D12 D11')])).toEqual([
      'NO SCOUT 3',
      'TOO FAR 4',
    ]);
    b.phase('setup', { us: [...orders, scout(3, 'US1', 'C14 D13 D12 D11')] });
    expect(b.unit('US1').at).toBe('D12');
  });

  test('6.5-scout-c: a concealed scout stays concealed', () => {
    const b = camp({ US1: 'scout', GE1: 'rifle' });
    b.phase('setup', { us: [at(1, 'US1', 'B13'), scout(2, 'US1', 'B12 B11 B10')], ge: [at(1, 'GE1', 'B6')] });
    expect(b.state.table.units.find((unit) => unit.side === 'us')).toMatchObject({ concealed: 'ambush', at: 'B10' });
    expect(b.told('revealed-unit')).toEqual([]);
  });

  test('6.5-scout-d: not to end beside an objective or in its area', () => {
    const b = camp({ US1: 'ranger', GE1: 'rifle' }, (_data, state) => {
      state.table.objectives = [{ id: 'x', kind: 'square', squares: ['B9'], score: 'end', from: 1, points: 1 }];
    });
    const orders = [at(1, 'US1', 'B12')];
    expect(said(b, [...orders, scout(2, 'US1', 'B11 B10')])).toEqual(['NEAR AN OBJECTIVE 2']);
    b.phase('setup', { us: [...orders, scout(2, 'US1', 'B11 B10')] });
    expect(b.unit('US1').at).toBe('B11');
  });

  test('6.5-scout-f 6.5-scout-g: a transport takes only scouts along, and passengers do not scout', () => {
    const b = camp({ US1: 'truck', US2: 'rifle', US3: 'ranger', US4: 'truck', GE1: 'rifle' });
    const orders = [
      at(1, 'US1', 'B13'),
      at(2, 'US2', '', { in: 'US1' }),
      at(3, 'US4', 'D13'),
      at(4, 'US3', '', { in: 'US4' }),
    ];
    expect(said(b, [...orders, scout(5, 'US1', 'B12'), scout(6, 'US4', 'D12'), scout(7, 'US3', 'OUT:E13')])).toEqual([
      'PASSENGERS DO NOT SCOUT 5',
      'ABOARD 7',
    ]);
  });
});

describe('what set-up says of the default', () => {
  const wording = openWording();
  const told = (orders: NormandieOrder[]): string[] => {
    const b = camp({ US1: 'rifle', US2: 'jeep', GE1: 'rifle' });
    b.phase('setup', { us: orders, ge: [at(1, 'GE1', 'B2')] });
    return b
      .told('defaulted')
      .filter((event) => event.side === 'us')
      .map((event) => wording.say(tell(b.book, event).words));
  };

  test('nothing filed, a part filed, everything filed', () => {
    expect(told([])).toEqual([expect.stringContaining('US filed nothing: the default was used for setup')]);
    expect(told([at(1, 'US1', 'B13')])).toEqual([
      expect.stringContaining('no DEPLOY line put down US2; the default was used for these units alone'),
    ]);
    expect(told([at(1, 'US1', 'B11'), at(2, 'US2', 'B13')])).toEqual([expect.stringContaining('put down US1;')]);
    expect(told([at(1, 'US1', 'B13'), at(2, 'US2', 'C13')])).toEqual([]);
  });
});
