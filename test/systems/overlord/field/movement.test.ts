/** Movement, zones of control and stacking on the case board. */
import { describe, expect, test } from 'vitest';
import { directionTo } from '../../../../src/board/hex.ts';
import { indexOf } from '../../../../src/systems/overlord/content/campaign.ts';
import { inZoneOf } from '../../../../src/systems/overlord/field/field.ts';
import { allowanceOf, stepCost } from '../../../../src/systems/overlord/field/movement.ts';
import { board, codes, eventsOf, fieldOf, play, position, read } from '../../../helpers/overlord.ts';

const { grid } = board.campaign.board;
const cell = (hex: string): number => grid.index.get(hex)!;

/** Quarters of a point for one step. */
function cost(unit: string, from: string, to: string): number {
  const field = fieldOf(board, position(board, { units: { [unit]: from } }));
  const counter = board.campaign.units[indexOf(board.campaign, unit)]!;
  return stepCost(field, counter, cell(from), cell(to), directionTo(grid, cell(from), cell(to)));
}

describe('terrain costs in quarters of a point', () => {
  test.each([
    ['OVL-TMV-01 plain costs 1', 'DE243/1', '0407', '0408', 4],
    ['OVL-TMV-02 bocage costs 2', 'DE243/1', '0303', '0304', 8],
    ['OVL-TMV-03 a river costs 2 to cross', 'DE243/1', '0508', '0608', 12],
    ['OVL-TMV-04 a swamp costs pure armor 4', 'DE116/1', '0704', '0804', 16],
    ['OVL-TMV-05 a swamp costs everybody else 2', 'DE116/2', '0704', '0804', 8],
    ['OVL-TMV-06 a city costs 1', 'DE243/1', '0707', '0606', 4],
    ['OVL-TMV-07 a hill costs nothing more', 'DE243/1', '0603', '0604', 4],
    ['OVL-TMV-07 a hill with bocage costs the bocage', 'DE243/1', '0705', '0605', 8],
    ['OVL-TMV-09 OVL-TMV-10 bocage across a river costs 4', 'DE243/1', '0507', '0607', 16],
    ['OVL-MOV-03 a road costs a quarter whatever the ground', 'DE243/1', '0204', '0205', 1],
  ])('%s', (_name, unit, from, to, expected) => {
    expect(cost(unit, from, to)).toBe(expected);
  });
});

describe('how far', () => {
  const end = (unit: string, at: string, order: string, more: Record<string, string> = {}): string | undefined =>
    play(board, position(board, { units: { [unit]: at, ...more } }), { german: [order] }).state.table.units[unit];

  test('OVL-MOV-01 a unit has as many points as its movement factor', () => {
    expect(end('DE243/1', '0714', 'MOVE DE243/1 -> 0715 0716 0717 0718')).toBe('0718');
  });

  test('OVL-MOV-02 it may not make a move that costs more than is left: it stops before', () => {
    const state = position(board, { units: { 'DE243/1': '0714' } });
    const orders = ['MOVE DE243/1 -> 0715 0716 0717 0718 0719'];
    expect(codes(read(board, state, 'german', orders).diagnostics, 'warning')).toContain('1 TOO FAR');
    expect(play(board, state, { german: orders }).state.table.units['DE243/1']).toBe('0718');
  });

  test('OVL-MOV-04 it may always move one hex, whatever the cost (OVR-15)', () => {
    // A 2-2 into bocage across a river: 4 points, and it has 2.
    expect(end('DE709/1', '0507', 'MOVE DE709/1 -> 0607')).toBe('0607');
    // Only as its first hex.
    expect(end('DE709/1', '0407', 'MOVE DE709/1 -> 0507 0607')).toBe('0507');
  });

  test('OVR-15 not into an enemy, the sea, or a full hex', () => {
    const units = { 'DE709/1': '0302', 'US4/1': '0303', DE243: '0402' };
    const state = position(board, { units });
    const tried = ['MOVE DE709/1 -> 0303', 'MOVE DE709/1 -> 0301', 'MOVE DE709/1 -> 0402'];
    const found = tried.map((order) => codes(read(board, state, 'german', [order]).diagnostics));
    expect(found).toEqual([['1 ENEMY IN HEX'], ['1 SEA'], ['1 STACK FULL']]);
  });

  test('OVR-13 a road step costs a quarter instead of terrain and river; it needs the road link', () => {
    expect(cost('DE243/1', '0203', '0303')).toBe(1);
    expect(cost('DE243/1', '0203', '0304')).toBe(8);
  });

  test('OVL-MOV-01 the hex a unit stands in may be written first', () => {
    expect(end('DE243/1', '0714', 'MOVE DE243/1 -> 0714 0715')).toBe('0715');
  });
});

describe('zones of control', () => {
  test('OVL-ZOC-01 OVL-EXM-04 the zone is the ring of six hexes around a unit, not its own', () => {
    const field = fieldOf(board, position(board, { units: { 'DE1SS/1': '0510' } }));
    const ring = grid.ids.filter((_, at) => inZoneOf(field, at, 'german'));
    expect(ring).toEqual(['0409', '0410', '0509', '0511', '0609', '0610'].sort((a, b) => cell(a) - cell(b)));
  });

  test('OVR-14 rivers and terrain do not stop it; leaving is free', () => {
    const field = fieldOf(board, position(board, { units: { 'DE1SS/1': '0507' } }));
    expect(inZoneOf(field, cell('0607'), 'german')).toBe(true);
    const state = position(board, { units: { 'US4/1': '0710', 'DE116/1': '0711' } });
    const { events } = play(board, state, { german: ['MOVE DE116/1 -> 0712 0713 0714'] });
    expect(eventsOf(events, 'moved')[0]).toMatchObject({ costs: [12], stopped: null });
  });

  test('OVR-14 own units do not cancel it for movement', () => {
    const state = position(board, { units: { 'US4/1': '0710', 'DE243/1': '0711', 'DE116/1': '0713' } });
    const { state: after } = play(board, state, { german: ['MOVE DE116/1 -> 0712 0711 0811'] });
    expect(after.table.units['DE116/1']).toBe('0711');
  });

  test('OVL-ZOC-03 OVL-CBT-06 nobody in an enemy zone has to fight', () => {
    const state = position(board, { units: { 'US4/1': '0710', 'DE116/1': '0711' } });
    const { events } = play(board, state, { german: ['HOLD DE116/1'] });
    expect(eventsOf(events, 'battle')).toEqual([]);
  });

  test('OVL-ZOC-06 a unit may move one hex within zones and then fight', () => {
    const state = position(board, { units: { 'US4/1': '0710', 'DE116/1': '0711' } });
    const orders = ['MOVE DE116/1 -> 0810', 'ATTACK 0710 WITH DE116/1'];
    expect(codes(read(board, state, 'german', orders).diagnostics)).toEqual([]);
    const { events } = play(board, state, { german: orders, dice: [{ purpose: 'battle 0710', rolls: [5] }] });
    expect(eventsOf(events, 'battle')[0]?.odds.ratio).toBe('1-1');
  });
});

describe('orders within one mail', () => {
  test('OVL-SEQ-02 as many units as wished move, one after another; later ones see what earlier ones did', () => {
    const units = { US4: '0510', 'US9/1': '0511' };
    const state = position(board, { step: 'allied', units });
    const full = ['MOVE US9/1 -> 0510'];
    expect(codes(read(board, state, 'allied', full).diagnostics)).toEqual(['1 STACK FULL']);
    const room = ['MOVE US4 -> 0509', 'MOVE US9/1 -> 0510'];
    expect(codes(read(board, state, 'allied', room).diagnostics)).toEqual([]);
    expect(play(board, state, { allied: room }).state.table.units['US9/1']).toBe('0510');
  });

  test('OVR-16 passing through a full hex is free', () => {
    const state = position(board, { step: 'allied', units: { US4: '0510', 'US9/1': '0511' } });
    const { state: after } = play(board, state, { allied: ['MOVE US9/1 -> 0510 0509'] });
    expect(after.table.units['US9/1']).toBe('0509');
  });

  test('a formation name means its units that stand next to the first hex', () => {
    const state = position(board, { units: { 'DE243/1': '0510', 'DE243/2': '0510', 'DE243/3': '0520' } });
    const { state: after } = play(board, state, { german: ['MOVE DE243 -> 0511'] });
    expect(['DE243/1', 'DE243/2', 'DE243/3'].map((id) => after.table.units[id])).toEqual(['0511', '0511', '0520']);
  });

  test('a unit named itself is not moved by the line of its formation', () => {
    const state = position(board, { units: { DE243: '0510' } });
    const orders = ['MOVE DE243/2 -> 0610', 'MOVE DE243 -> 0511'];
    expect(codes(read(board, state, 'german', orders).diagnostics)).toEqual([]);
    const { state: after } = play(board, state, { german: orders });
    expect(['DE243/1', 'DE243/2', 'DE243/3'].map((id) => after.table.units[id])).toEqual(['0511', '0610', '0511']);
  });

  test('a path cut short never ends on a full hex', () => {
    const units = { DE243: '0712', 'US4/1': '0710', 'DE116/1': '0714', DE91: '0711' };
    const { state } = play(board, position(board, { units }), { german: ['MOVE DE116/1 -> 0713 0712 0711 0811'] });
    expect(state.table.units['DE116/1']).toBe('0713');
  });

  test('a line that falls takes back all it did', () => {
    const units = { 'DE116/1': '0510', 'DE116/2': '0510', US4: '0512' };
    const { state, events } = play(board, position(board, { units }), {
      german: ['MOVE DE116/1 DE116/2 DE243/1 -> 0509'],
    });
    expect([state.table.units['DE116/1'], state.table.units['DE116/2']]).toEqual(['0510', '0510']);
    expect(eventsOf(events, 'moved')).toEqual([]);
    expect(eventsOf(events, 'order-dropped').map((event) => event.code)).toEqual(['NOT ARRIVED']);
  });

  test('OVL-SUP-03 an isolated unit has half its points, and turn one comes off afterwards (OVR-29)', () => {
    const units = { 'DE116/1': '0510', US4: '0509', 'US9/1': '0511', 'US9/2': '0409', 'US9/3': '0610' };
    const points = (turn: number): number =>
      allowanceOf(fieldOf(board, position(board, { turn, units })), indexOf(board.campaign, 'DE116/1'));
    expect([points(2), points(1)]).toEqual([12, 8]);
  });
});

describe('stacks at the end of movement (OVR-16)', () => {
  const full = { US4: '0510', US9: '0511' };

  test('two full stacks may change places in one mail', () => {
    const state = position(board, { step: 'allied', units: full });
    const swap = ['MOVE US4 -> 0511', 'MOVE US9 -> 0510'];
    expect(codes(read(board, state, 'allied', swap).diagnostics)).toEqual([]);
    const { state: after } = play(board, state, { allied: swap });
    expect([after.table.units['US4/1'], after.table.units['US9/1']]).toEqual(['0511', '0510']);
  });

  test('if those who should leave cannot, the line that relied on them falls and nobody else', () => {
    const state = position(board, { step: 'allied', units: { ...full, US90: '0520' } });
    const orders = ['MOVE US4 -> 0511', 'MOVE US90 -> 0521', 'MOVE US9 -> 0513'];
    expect(codes(read(board, state, 'allied', orders).diagnostics)).toEqual(['1 STACK FULL', '3 NOT ADJACENT']);
    const { state: after } = play(board, state, { allied: orders });
    expect(['US4/1', 'US9/1', 'US90/1'].map((id) => after.table.units[id])).toEqual(['0510', '0511', '0521']);
  });
});
