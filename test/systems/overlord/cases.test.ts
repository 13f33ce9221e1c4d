/** The worked cases, each named by its number and the rules it proves. */
import { describe, expect, test } from 'vitest';
import { publicView, viewFor } from '../../../src/kernel/view.ts';
import { ADVANCE_HEXES, breakoutAllowance } from '../../../src/systems/overlord/combat/advance.ts';
import {
  attackShare,
  defenceShare,
  FACTOR,
  oddsOf,
  ratioOf,
  resultOf,
} from '../../../src/systems/overlord/combat/odds.ts';
import { retreatWays as ways } from '../../../src/systems/overlord/combat/retreat.ts';
import { crtTableOf, indexOf } from '../../../src/systems/overlord/content/campaign.ts';
import { isIsolated } from '../../../src/systems/overlord/field/field.ts';
import { allowanceOf, walk } from '../../../src/systems/overlord/field/movement.ts';
import { landingCost } from '../../../src/systems/overlord/turn/arrival.ts';
import {
  board,
  codes,
  complaints,
  eventsOf,
  fieldOf,
  normandy,
  type Position,
  play,
  position,
  read,
} from '../../helpers/overlord.ts';

const NONE = { tac: 0, naval: 0, navalDefence: 0 };

/** The odds of attackers against everybody in a hex of the case board. */
function odds(given: Position, attackers: string[], target: string) {
  const field = fieldOf(board, position(board, given));
  const cell = board.campaign.board.grid.index.get(target)!;
  const units = attackers.map((id) => indexOf(board.campaign, id));
  return oddsOf(field, cell, units, field.stacks[cell]!, NONE);
}

function cell(hex: string): number {
  return board.campaign.board.grid.index.get(hex)!;
}

/** Result of the table in force at a column on a die. */
function result(turn: number, column: string, die: number): string {
  return resultOf(board.campaign, turn, column, die).result;
}

describe('combat', () => {
  test('OVL-C01 printed odds example (OVL-CBT-02, OVL-CBT-03, OVL-CRT-05)', () => {
    const units = { BR7A: '0504', 'DE116/1': '0505' };
    const { state, events } = play(board, position(board, { turn: 2, step: 'allied', units }), {
      allied: ['ATTACK 0505 WITH BR7A'],
      dice: [
        { purpose: 'battle 0505', rolls: [1] },
        { purpose: 'breakout 0505', rolls: [3] },
      ],
    });
    const [battle] = eventsOf(events, 'battle');
    expect(battle?.odds).toMatchObject({
      attack: 18 * FACTOR,
      defence: 6 * FACTOR,
      ratio: '3-1',
      column: '3-1',
      table: 'June',
    });
    expect(battle?.result).toBe('D ELIM');
    expect(state.table.units['DE116/1']).toBe('lost');
  });

  test('OVL-C02 odds round down above 1-1 (OVL-CBT-05, OVL-CRT-05)', () => {
    const units = { 'BR7A/1': '0504', 'BR7A/2': '0504', 'US82P/1': '0504', 'DE116/1': '0505' };
    const found = odds({ turn: 3, units }, ['BR7A/1', 'BR7A/2', 'US82P/1'], '0505');
    expect([found.attack, found.defence, found.column]).toEqual([17 * FACTOR, 6 * FACTOR, '2-1']);
    expect(result(3, '2-1', 1)).toBe('D BK 3');
    expect(ADVANCE_HEXES['D BK 3']).toBe(2);
  });

  test('OVL-C03 odds round up below 1-1; the two tables differ (OVL-CBT-05, OVL-CRT-01, 02, OVL-CRT-05, OVL-CRT-07)', () => {
    const units = { 'US4/1': '0504', 'DE243/1': '0505', 'DE3P/1': '0505' };
    const found = odds({ turn: 8, units }, ['US4/1'], '0505');
    expect([found.attack, found.defence, found.ratio, found.column]).toEqual([4 * FACTOR, 9 * FACTOR, '1-3', '1-3']);
    expect(result(8, '1-3', 1)).toBe('D BK 1');
    expect(result(9, '1-3', 1)).toBe('A BK 1');
  });

  test('OVL-C04 bocage doubles (OVL-TCB-02)', () => {
    const units = { US4: '0303', 'DE243/1': '0304' };
    const found = odds({ units }, ['US4/1', 'US4/2', 'US4/3'], '0304');
    expect([found.attack, found.defence, found.column]).toEqual([12 * FACTOR, 8 * FACTOR, '1-1']);
  });

  test('OVL-C05 city times three and river half, cumulative (OVL-TCB-03, OVL-TCB-06, OVL-TCB-09, OVL-TCB-10)', () => {
    const units = { BR7A: '0507', 'DE243/1': '0606' };
    const found = odds({ turn: 3, units }, ['BR7A/1', 'BR7A/2', 'BR7A/3'], '0606');
    expect([found.attack, found.defence, found.column]).toEqual([9 * FACTOR, 12 * FACTOR, '1-2']);
    expect(result(3, '1-2', 1)).toBe('D BK 2');
  });

  test('OVL-C06 only the attackers that cross the river are halved (OVL-TCB-03)', () => {
    const units = { 'BR7A/1': '0507', 'BR7A/2': '0605', 'DE709/1': '0606' };
    const found = odds({ units }, ['BR7A/1', 'BR7A/2'], '0606');
    expect([found.attack, found.defence, found.column]).toEqual([9 * FACTOR, 6 * FACTOR, '1-1']);
  });

  test('OVL-C07 hill and bocage is three, not four (OVL-TCB-08)', () => {
    const units = { US4: '0604', US9: '0705', 'DE243/1': '0605' };
    const found = odds({ units }, ['US4/1', 'US4/2', 'US4/3', 'US9/1', 'US9/2', 'US9/3'], '0605');
    expect([found.attack, found.defence, found.column]).toEqual([24 * FACTOR, 12 * FACTOR, '2-1']);
  });

  test('OVL-C08 swamp halves pure armor only (OVL-TCB-04, OVL-TCB-05)', () => {
    const armor = odds({ units: { 'US4/1': '0704', 'US4/2': '0704', 'DE116/1': '0804' } }, ['US4/1', 'US4/2'], '0804');
    expect([armor.attack, armor.defence, armor.column]).toEqual([8 * FACTOR, 3 * FACTOR, '2-1']);
    const infantry = odds(
      { units: { 'US4/1': '0704', 'US4/2': '0704', 'DE116/2': '0804' } },
      ['US4/1', 'US4/2'],
      '0804',
    );
    expect([infantry.attack, infantry.defence, infantry.column]).toEqual([8 * FACTOR, 6 * FACTOR, '1-1']);
  });

  test('OVL-C09 armor attacking out of a swamp (OVL-TCB-04)', () => {
    const units = { 'DE1SS/1': '0804', 'DE1SS/2': '0804', 'US4/1': '0704' };
    const found = odds({ units }, ['DE1SS/1', 'DE1SS/2'], '0704');
    expect([found.attack, found.defence, found.column]).toEqual([8 * FACTOR, 4 * FACTOR, '2-1']);
  });

  test('OVL-C19 A ELIM is measured by the defender (OVL-CRE-01, OVL-CRE-02)', () => {
    const units = { 'US1/1': '0706', 'US1/2': '0706', 'US1/3': '0707', 'US1/4': '0707', 'DE243/1': '0606' };
    const { state, events } = play(board, position(board, { turn: 3, step: 'allied', units }), {
      allied: ['ATTACK 0606 WITH US1'],
      dice: [{ purpose: 'battle 0606', rolls: [6] }],
    });
    const [battle] = eventsOf(events, 'battle');
    expect([battle?.odds.attack, battle?.odds.defence, battle?.odds.column]).toEqual([16 * FACTOR, 12 * FACTOR, '1-1']);
    expect(battle?.result).toBe('A ELIM');
    const [lost] = eventsOf(events, 'lost');
    expect([lost?.factors, lost?.due]).toEqual([12, 12 * FACTOR]);
    expect(eventsOf(events, 'retreated').map((event) => event.unit)).toEqual(['US1/1']);
    expect(state.table.units['DE243/1']).toBe('0606');
  });

  test('OVL-C20 breakout is capped by the movement factor (OVL-CRE-13 to 16)', () => {
    const units = { 'BR7A/1': '0216', 'US4/1': '0316', 'DE709/1': '0516' };
    const field = fieldOf(board, position(board, { turn: 3, units }));
    const points = (id: string) => breakoutAllowance(field, indexOf(board.campaign, id), 6);
    expect([points('BR7A/1'), points('US4/1'), points('DE709/1')]).toEqual([24, 16, 8]);
    const road = Array.from({ length: 24 }, (_, i) => cell(`02${String(27 - i).padStart(2, '0')}`));
    const empty = fieldOf(board, position(board, { turn: 3, units: { 'BR7A/1': '0228' } }));
    const rules = { left: 24, firstFree: false, hasMoved: false };
    const walked = walk(empty, indexOf(board.campaign, 'BR7A/1'), cell('0228'), road, rules);
    expect([walked.cells.length, walked.spent, walked.stop, walked.fault]).toEqual([24, 24, null, null]);
  });

  test('OVL-C21 advance after each result (OVL-CRE-03, 06, 07, 09, 11)', () => {
    expect(['A BK 1', 'EXCH', 'D BK 1', 'D BK 2', 'D BK 3'].map((name) => ADVANCE_HEXES[name] ?? 0)).toEqual([
      0, 1, 0, 1, 2,
    ]);
  });

  test('OVL-C29 table by month (OVL-CRT-01, OVL-CRT-02)', () => {
    expect([8, 9, 28].map((turn) => result(turn, '2-1', 1))).toEqual(['D BK 3', 'D ELIM', 'D ELIM']);
  });

  test('OVL-C31 every unit in the hex must be fought (OVL-SEL-01, OVL-SEL-02)', () => {
    const units = { 'DE21/1': '0505', 'DE21/3': '0505', BR7A: '0504' };
    const state = position(board, { turn: 3, step: 'allied', units });
    const all = read(board, state, 'allied', ['ATTACK 0505 ONLY DE21/1 WITH BR7A/1 BR7A/2 BR7A/3']);
    expect(codes(all.diagnostics)).toEqual(['1 DEFENDER NOT ENGAGED']);
    expect(complaints(all.diagnostics)[0]).toContain('DE21/3');
    const split = ['ATTACK 0505 ONLY DE21/1 WITH BR7A/1 BR7A/2', 'ATTACK 0505 ONLY DE21/3 WITH BR7A/3'];
    expect(codes(read(board, state, 'allied', split).diagnostics)).toEqual([]);
    const { orders } = read(board, state, 'allied', split);
    const { events } = board.rules.preview(viewFor(state, 'allied'), orders, []);
    expect(eventsOf(events, 'forecast').map((event) => event.odds.ratio)).toEqual(['2-1', '1-2']);
  });

  test('OVL-C32 high odds (OVL-CRT-03)', () => {
    const columns = [28, 40, 43, 44].map((attack) => ratioOf(board.campaign, attack * FACTOR, 4 * FACTOR));
    expect(columns.map(({ column }) => column)).toEqual(['6-1', '8-1', '8-1', null]);
    expect(columns.map(({ ratio }) => ratio)).toEqual(['7-1', '10-1', '10-1', '11-1']);
    const units = { US1: '0504', BRGDSA: '0506', BR7A: '0405', 'DE709/1': '0505' };
    const { events } = play(board, position(board, { turn: 3, step: 'allied', units }), {
      allied: ['ATTACK 0505 WITH US1 BRGDSA BR7A'],
      dice: [{ purpose: 'breakout 0505', rolls: [2] }],
    });
    expect(eventsOf(events, 'battle')[0]).toMatchObject({ die: null, result: 'D ELIM', rule: 'OVL-CRT-03' });
  });
});

describe('supply', () => {
  test('OVL-C10 isolation halves infantry, not paratroopers (OVL-SUP-01, OVL-SUP-09, OVL-SUP-10)', () => {
    for (const [formation, attack, column] of [
      ['US4', 6, '1-1'],
      ['US101P', 15, '3-1'],
    ] as const) {
      const units = { [formation]: '0525', 'DE243/1': '0524' };
      const field = fieldOf(board, position(board, { turn: 3, units }));
      const ids = board.campaign.formations.get(formation)!.units.map((id) => indexOf(board.campaign, id));
      expect(ids.map((unit) => isIsolated(cutOff(field), unit))).toEqual([true, true, true]);
      const found = oddsOf(cutOff(field), cell('0524'), ids, [indexOf(board.campaign, 'DE243/1')], NONE);
      expect([found.attack, found.column]).toEqual([attack * FACTOR, column]);
      expect(allowanceOf(cutOff(field), ids[0]!)).toBe(8);
    }
  });

  test('OVL-C11 Cherbourg garrison (OVL-SUP-02, OVL-SUP-08, OVL-TCB-06)', () => {
    const units = { DE709: '0102', 'DE243/1': '0103', US4: '0104', US9: '0203', US90: '0202' };
    const field = fieldOf(board, position(board, { turn: 3, units }));
    const garrison = ['DE709/1', 'DE709/2'].map((id) => indexOf(board.campaign, id));
    const other = indexOf(board.campaign, 'DE243/1');
    const attackers = [indexOf(board.campaign, 'US90/1')];
    expect(oddsOf(field, cell('0102'), attackers, garrison, NONE).defence).toBe(12 * FACTOR);
    expect(garrison.map((unit) => allowanceOf(field, unit))).toEqual([8, 8]);
    expect(defenceShare(field, other).worth).toBe(2 * FACTOR);
    expect(allowanceOf(field, other)).toBe(8);
  });
});

/** Takes the beaches and ports away from the Allies: everybody is isolated. */
function cutOff(field: ReturnType<typeof fieldOf>): ReturnType<typeof fieldOf> {
  for (const hex of Object.keys(field.table.control)) field.table.control[hex] = 'german';
  field.supplied = { german: undefined, allied: undefined };
  return field;
}

describe('movement and zones', () => {
  test('OVL-C12 stop on entering a zone of control (OVL-ZOC-02)', () => {
    const state = position(board, { turn: 3, units: { 'US4/1': '0710', 'DE116/1': '0714' } });
    const found = read(board, state, 'german', ['MOVE DE116/1 -> 0713 0712 0711 0811']);
    expect(codes(found.diagnostics, 'warning')).toContain('1 ZOC STOP');
    const { state: after, events } = play(board, state, { german: ['MOVE DE116/1 -> 0713 0712 0711 0811'] });
    expect(after.table.units['DE116/1']).toBe('0711');
    expect(eventsOf(events, 'moved')[0]).toMatchObject({ costs: [12], stopped: 'ZOC STOP' });
  });

  test('OVL-C13 one hex from zone to zone (OVL-ZOC-05, OVL-ZOC-06)', () => {
    const state = position(board, { turn: 3, units: { 'US4/1': '0710', 'DE116/1': '0711' } });
    const end = (order: string) => play(board, state, { german: [order] }).state.table.units['DE116/1'];
    expect(codes(read(board, state, 'german', ['MOVE DE116/1 -> 0810']).diagnostics)).toEqual([]);
    expect(end('MOVE DE116/1 -> 0810')).toBe('0810');
    const two = read(board, state, 'german', ['MOVE DE116/1 -> 0810 0910']);
    expect(codes(two.diagnostics, 'warning')).toContain('1 ZOC STOP');
    expect(end('MOVE DE116/1 -> 0810 0910')).toBe('0810');
    expect(end('MOVE DE116/1 -> 0811 0911')).toBe('0911');
  });

  test('OVL-C22 German confusion on turn one (OVL-CLR-11)', () => {
    const units = { 'DE12SS/2': '0210', 'DE243/1': '0310', 'DE709/1': '0410' };
    const points = (turn: number) => {
      const field = fieldOf(board, position(board, { turn, units }));
      return Object.keys(units).map((id) => allowanceOf(field, indexOf(board.campaign, id)));
    };
    expect(points(1)).toEqual([20, 12, 4]);
    expect(points(2)).toEqual([24, 16, 8]);
    const allied = fieldOf(board, position(board, { turn: 1, units: { 'US4/1': '0310' } }));
    expect(allowanceOf(allied, indexOf(board.campaign, 'US4/1'))).toBe(16);
  });

  test('OVL-C23 release rolls (OVL-GOB-02, OVL-GOB-03)', () => {
    const rolls: [string, number][] = [
      ['DE77', 1],
      ['DE275', 4],
      ['DE265', 3],
      ['DE3P', 2],
      ['DE17', 6],
      ['DE12SS', 3],
      ['DEPL', 5],
    ];
    const start = normandy.rules.setup({}, { roll: () => [], shuffle: (_, items) => [...items], draw: () => {} });
    const dice = rolls.map(([formation, die]) => ({ purpose: `release of ${formation}`, rolls: [die] }));
    const { state } = play(normandy, start, { dice });
    expect(state.table.held).toEqual(['DE275', 'DE17', 'DEPL']);
    const tried = read(normandy, state, 'german', ['MOVE DE275/1 -> 0527', 'MOVE DE77/1 -> 0826']);
    expect(codes(tried.diagnostics)).toEqual(['1 NOT RELEASED']);
    const second = play(normandy, play(normandy, state, {}).state, {}).state;
    expect(second.phase).toMatchObject({ turn: 2, step: 'german' });
    expect(second.table.held).toEqual([]);
  });

  test('OVL-C26 road and interdiction (OVL-TMV-08, OVL-EXM-05)', () => {
    const order = 'MOVE DE12SS/2 -> 0205 0206 0207 0208';
    const cost = (interdiction: Record<string, number>) => {
      const state = position(board, { turn: 3, units: { 'DE12SS/2': '0204' }, table: { interdiction } });
      return eventsOf(play(board, state, { german: [order] }).events, 'moved')[0]?.costs;
    };
    expect(cost({})).toEqual([4]);
    expect(cost({ '0206': 4 })).toEqual([20]);
  });

  test('OVL-C30 stacking (OVL-STK-01, OVL-STK-02)', () => {
    const move = (units: Record<string, string>, side: 'german' | 'allied', order: string) =>
      codes(read(board, position(board, { turn: 3, step: side, units }), side, [order]).diagnostics);
    expect(move({ 'US90/1': '0510', 'US2/1': '0510', 'BR7A/1': '0511' }, 'allied', 'MOVE BR7A/1 -> 0510')).toEqual([]);
    expect(
      move({ 'US1/1': '0510', 'US1/2': '0510', 'US1/3': '0510', 'US1/4': '0511' }, 'allied', 'MOVE US1/4 -> 0510'),
    ).toEqual([]);
    expect(
      move({ 'DEPL/1': '0510', 'DEPL/2': '0510', 'DEPL/3': '0510', 'DEPL/4': '0511' }, 'german', 'MOVE DEPL/4 -> 0510'),
    ).toEqual([]);
    expect(move({ US4: '0510', 'BR8A/1': '0511' }, 'allied', 'MOVE BR8A/1 -> 0510')).toEqual(['1 STACK FULL']);
  });
});

describe('retreat and exchange', () => {
  test('OVL-C14 retreat blocked on all sides (OVL-ZOC-04, OVL-CRE-07)', () => {
    const units = { 'DE243/1': '0515', 'US4/1': '0514', 'US4/2': '0616', 'US4/3': '0416' };
    const field = fieldOf(board, position(board, { units }));
    expect(ways(field, indexOf(board.campaign, 'DE243/1'), 1)).toEqual([]);
    // The defender is isolated: 4 to 2 is 2-1, and die 4 gives D BK 1.
    const { state, events } = play(board, position(board, { turn: 3, step: 'allied', units }), {
      allied: ['ATTACK 0515 WITH US4/1'],
      dice: [{ purpose: 'battle 0515', rolls: [4] }],
    });
    expect(eventsOf(events, 'battle')[0]?.result).toBe('D BK 1');
    expect(state.table.units['DE243/1']).toBe('lost');
    expect(eventsOf(events, 'lost')[0]).toMatchObject({ cause: 'blocked', rule: 'OVL-ZOC-04' });
  });

  test('OVL-C15 retreat follows the road (OVL-RET-03, OVL-RET-04)', () => {
    const field = fieldOf(board, position(board, { units: { 'DE243/1': '0216', 'US4/1': '0215' } }));
    const found = ways(field, indexOf(board.campaign, 'DE243/1'), 1);
    expect(found.map((way) => [way.cells, way.cost])).toEqual([[[cell('0217')], 1]]);
  });

  test('OVL-C16 a weak unit cannot retreat through bocage (OVL-RET-01, OVL-RET-02)', () => {
    // Zones of control leave only 0305 and 0404, then 0306 and 0405: bocage all the way, 4 points.
    const units = { 'US4/1': '0303', 'US4/2': '0105', 'US4/3': '0604' };
    for (const [unit, odds1, end] of [
      ['DE709/1', '1-1', 'lost'],
      ['DE243/1', '1-2', '0405'],
    ] as const) {
      const { state, events } = play(
        board,
        position(board, { turn: 3, step: 'allied', units: { ...units, [unit]: '0304' } }),
        { allied: ['ATTACK 0304 WITH US4/1'], dice: [{ purpose: 'battle 0304', rolls: [1] }] },
      );
      expect(eventsOf(events, 'battle')[0]).toMatchObject({ result: 'D BK 2', odds: { ratio: odds1 } });
      expect(state.table.units[unit]).toBe(end);
      const [lost] = eventsOf(events, 'lost');
      expect(lost?.cause).toBe(end === 'lost' ? 'too dear' : undefined);
    }
  });

  test('OVL-C17 exchange in bocage (OVL-CRE-04 to 06, OVL-TCB-11)', () => {
    const units = { US4: '0303', 'DE243/1': '0304' };
    const { state, events } = play(board, position(board, { turn: 3, step: 'allied', units }), {
      allied: ['ATTACK 0304 WITH US4', 'DOCTRINE ADVANCE ONE'],
      dice: [{ purpose: 'battle 0304', rolls: [4] }],
    });
    expect(eventsOf(events, 'battle')[0]?.result).toBe('EXCH');
    expect(eventsOf(events, 'lost').map((event) => event.units)).toEqual([['DE243/1'], ['US4/2', 'US4/3']]);
    expect(state.table.units['US4/1']).toBe('0304');
  });

  test('OVL-C18 river halving is ignored in an exchange (OVL-TCB-12)', () => {
    const units = { 'BR7A/1': '0508', 'BR7A/2': '0508', 'DE243/1': '0608' };
    const { events } = play(board, position(board, { turn: 3, step: 'allied', units }), {
      allied: ['ATTACK 0608 WITH BR7A/1 BR7A/2'],
      dice: [{ purpose: 'battle 0608', rolls: [4] }],
    });
    const [battle] = eventsOf(events, 'battle');
    expect([battle?.odds.attack, battle?.odds.defence, battle?.odds.column]).toEqual([6 * FACTOR, 4 * FACTOR, '1-1']);
    const paid = eventsOf(events, 'lost').find((event) => event.cause === 'exchange');
    expect([paid?.units, paid?.due]).toEqual([['BR7A/2'], 4 * FACTOR]);
  });
});

describe('arrivals', () => {
  test('OVL-C24 landing cost by month (OVL-LND-01, 02, 03, 05)', () => {
    const left = (turn: number) => {
      const state = position(board, { turn, step: 'allied', units: { 'US9/1': 'off' } });
      const { events } = play(board, state, { allied: ['LAND US9/1 AT 0402 -> 0403'] });
      return eventsOf(events, 'moved')[0]?.allowances[0];
    };
    // On turn 2 (June 9), 10 (July 3) and 20 (August 3); quarters of a point.
    expect([left(2), left(10), left(20)]).toEqual([8, 12, 16]);
  });

  test('OVL-C25 beach destroyed and rebuilt (OVL-CLR-06, OVL-CLR-07, OVL-CLR-08)', () => {
    let state = position(board, { turn: 8, units: { 'DE243/1': '0303', 'US4/1': '0504' } });
    state = play(board, state, { german: ['MOVE DE243/1 -> 0302'] }).state;
    expect(state.table.beaches['0302']).toEqual({ destroyed: true, usableFrom: null });
    state.table.units['DE243/1'] = 'lost';
    state.table.units['US4/1'] = '0303';
    const land = (turn: number) => {
      state.table.units['US9/1'] = 'off';
      state.phase = { n: 9, turn, step: 'allied' };
      return codes(read(board, state, 'allied', ['LAND US9/1 AT 0302']).diagnostics);
    };
    expect(land(9)).toEqual(['1 BEACH DESTROYED']);
    state.phase = { n: 10, turn: 10, step: 'allied' };
    state = play(board, state, { allied: ['MOVE US4/1 -> 0302'] }).state;
    expect([land(10), land(11), land(12)]).toEqual([
      ['1 BEACH DESTROYED'],
      ['1 BEACH DESTROYED'],
      ['1 BEACH DESTROYED'],
    ]);
    expect(land(13)).toEqual([]);
  });

  test('OVL-C33 order of battle corrections (OVL-CLR-01, OVL-CLR-03, OVL-CLR-04)', () => {
    const factors = (id: string) =>
      normandy.campaign.units.filter((unit) => unit.formation === id).map((unit) => `${unit.cf}-${unit.mf}`);
    expect(factors('US4A')).toEqual(['6-6', '6-6', '4-6']);
    expect(factors('DE346')).toEqual(['4-4', '4-4', '4-4']);
    expect(normandy.campaign.formations.get('DE346')).toMatchObject({ turn: 2, road: 5 });
    expect(factors('DE346B')).toEqual(['3-4', '3-4']);
    expect(normandy.campaign.formations.get('DE346B')).toMatchObject({ turn: 16, road: 3 });
  });
});

describe('victory and calendar', () => {
  test('OVL-C27 twenty-seven regiments make nine divisions (OVL-VIC-01, OVL-VIC-08)', () => {
    const gone = ['US4', 'US9', 'US90', 'US2', 'US29', 'US79', 'BR43', 'BR49'].flatMap(
      (id) => board.campaign.formations.get(id)!.units,
    );
    const exits = [...gone, 'BR3/1'].map((unit) => ({ unit, hex: '0930', turn: 20 }));
    const out = Object.fromEntries(exits.map(({ unit }) => [unit, 'exited']));
    const units = { ...out, 'BR3/2': '0930', 'BR3/3': '0930' };
    const state = position(board, { turn: 21, step: 'allied', units, table: { exits } });
    const before = play(board, state, { allied: ['EXIT BR3/2 SOUTH'] });
    expect([before.state.table.exits.length, board.rules.outcome(before.state)]).toEqual([26, undefined]);
    const after = play(board, state, { allied: ['EXIT BR3/2 SOUTH', 'EXIT BR3/3 SOUTH'] });
    expect(board.rules.outcome(after.state)).toMatchObject({ winner: 'allied', score: { allied: 27 } });
    expect(board.rules.asks(publicView(after.state))).toEqual([]);
  });

  test('OVL-C28 German withdrawal after a breakthrough (OVL-VIC-03, OVL-VIC-05, OVL-VIC-06)', () => {
    const units = { 'US2A/1': '0930', 'US2A/3': '0930', 'DE243/1': '0927', 'DE1SS/1': '0926', 'DE116/2': '0924' };
    const exited = play(board, position(board, { turn: 18, step: 'allied', units }), {
      allied: ['EXIT US2A/1 SOUTH', 'EXIT US2A/3 SOUTH'],
    }).state;
    expect(exited.table.owed).toEqual([{ hex: '0930', factors: 10 }]);
    expect(exited.phase).toMatchObject({ turn: 19, step: 'german' });
    const { state, events } = play(board, exited, {});
    expect(eventsOf(events, 'withdrawal')[0]).toMatchObject({ units: ['DE243/1', 'DE1SS/1'], removed: 12 });
    expect([state.table.units['DE243/1'], state.table.units['DE1SS/1'], state.table.units['DE116/2']]).toEqual([
      'withdrawn',
      'withdrawn',
      '0924',
    ]);
  });

  test('OVL-C34 calendar (OVL-SEQ-01, OVL-CRT-01, 02, OVL-LND-02, 03)', () => {
    const { turns } = normandy.campaign;
    expect([1, 8, 9, 19, 20, 28].map((turn) => turns[turn - 1]?.date)).toEqual([
      'June 6',
      'June 27',
      'July 1',
      'July 30',
      'August 3',
      'August 28',
    ]);
    expect([1, 8, 9, 19, 20, 28].map((turn) => crtTableOf(normandy.campaign, turn))).toEqual([
      'June',
      'June',
      ...Array.from({ length: 4 }, () => 'July-August'),
    ]);
    const cost = (turn: number) => landingCost(fieldOf(normandy, position(normandy, { turn })));
    expect([1, 8, 9, 19, 20, 28].map(cost)).toEqual([2, 2, 1, 1, 0, 0]);
    expect(turns).toHaveLength(28);
  });
});

test('attackers are halved once for each kind of trouble (OVL-TCB-09)', () => {
  const field = cutOff(fieldOf(board, position(board, { units: { 'BR7A/1': '0508', 'DE243/1': '0608' } })));
  const share = attackShare(field, indexOf(board.campaign, 'BR7A/1'), cell('0608'));
  expect(share).toMatchObject({ worth: 12, notes: ['isolated', 'river'] });
});
