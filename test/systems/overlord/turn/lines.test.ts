/** Lines that speak of formations, of the same unit twice, and of units that go different ways. */
import { describe, expect, test } from 'vitest';
import { board, codes, eventsOf, play, position, read } from '../../../helpers/overlord.ts';

const allied = (units: Record<string, string>) => position(board, { turn: 10, step: 'allied', units });
const said = (units: Record<string, string>, lines: string[], severity: 'error' | 'warning' = 'error'): string[] =>
  codes(read(board, allied(units), 'allied', lines).diagnostics, severity);

describe('EXIT of a formation', () => {
  test('OVL-VIC-01 those of its units that can start on the path leave; the hex they stand in may be written first', () => {
    const units = { 'US4/1': '0528', 'US4/2': '0528', 'US4/3': '0510' };
    for (const way of ['0529 0530 SOUTH', '0528 0529 0530 SOUTH']) {
      const { state, events } = play(board, allied(units), { allied: [`EXIT US4 -> ${way}`] });
      expect([state.table.units['US4/1'], state.table.units['US4/2'], state.table.units['US4/3']]).toEqual([
        'exited',
        'exited',
        '0510',
      ]);
      expect(eventsOf(events, 'exited').map((event) => event.unit)).toEqual(['US4/1', 'US4/2']);
      expect(eventsOf(events, 'moved')).toHaveLength(1);
    }
  });

  test('OVL-VIC-01 without a path: all that stand on the map', () => {
    const { state } = play(board, allied({ 'US4/1': '0530', 'US4/2': '0530' }), { allied: ['EXIT US4 SOUTH'] });
    expect([state.table.units['US4/1'], state.table.units['US4/2'], state.table.units['US4/3']]).toEqual([
      'exited',
      'exited',
      'due',
    ]);
  });
});

describe('OVL-MOV-01 the line that counts', () => {
  const units = { 'US4/1': '0508', 'US4/2': '0508', 'US4/3': '0508' };

  test('the later line counts: the earlier falls, or loses the unit if it names others too', () => {
    const alone = ['MOVE US4/1 -> 0509', 'MOVE US4/1 -> 0608'];
    expect(said(units, alone)).toEqual(['1 DUPLICATE ORDER']);
    expect(play(board, allied(units), { allied: alone }).state.table.units['US4/1']).toBe('0608');
    const together = ['MOVE US4/1 US4/2 -> 0509', 'MOVE US4/1 -> 0608'];
    expect(said(units, together)).toEqual([]);
    expect(said(units, together, 'warning')).toContain('1 DUPLICATE ORDER');
    const { state } = play(board, allied(units), { allied: together });
    expect([state.table.units['US4/1'], state.table.units['US4/2']]).toEqual(['0608', '0509']);
  });

  test('a unit named itself is not moved by a line about its formation', () => {
    const lines = ['MOVE US4/1 -> 0608', 'MOVE US4 -> 0509'];
    expect(said(units, lines)).toEqual([]);
    const { state } = play(board, allied(units), { allied: lines });
    expect(Object.keys(units).map((unit) => state.table.units[unit])).toEqual(['0608', '0509', '0509']);
  });

  test.each([
    ['all dead', { 'US4/1': 'lost', 'US4/2': 'lost', 'US4/3': 'lost' }, '1 DEAD'],
    ['all still to come', {}, '1 NOT ARRIVED'],
    ['some dead, some to come', { 'US4/1': 'lost' }, '1 NONE HERE'],
    ['in two hexes, neither beside the path', { 'US4/1': '0508', 'US4/2': '0510' }, '1 NONE HERE'],
    ['in one hex, not beside the path', { 'US4/1': '0508', 'US4/2': '0508', 'US4/3': '0508' }, '1 NOT ADJACENT'],
  ] as [string, Record<string, string>, string][])('a formation %s', (_title, places, code) => {
    expect(said(places, ['MOVE US4 -> 0515'])).toEqual([code]);
  });

  test('units that walk the same way from the same hex are told together, others by themselves', () => {
    const two = { 'US4/1': '0508', 'US4/2': '0508', 'US9/1': '0608' };
    const groups = (lines: string[]): string[][] =>
      eventsOf(play(board, allied(two), { allied: lines }).events, 'moved').map((event) => event.units);
    expect(groups(['MOVE US4/1 US4/2 US9/1 -> 0509'])).toEqual([['US4/1', 'US4/2'], ['US9/1']]);
    expect(groups(['MOVE US4/1 US4/2 -> 0509'])).toEqual([['US4/1', 'US4/2']]);
  });
});

describe('breakouts', () => {
  const attack = (units: Record<string, string>, way: string) =>
    play(board, position(board, { turn: 3, step: 'allied', units }), {
      allied: [`ATTACK 0529 WITH US4 BREAKOUT US4/1 -> ${way}`],
      dice: [
        { purpose: 'battle 0529', rolls: [1] },
        { purpose: 'breakout 0529', rolls: [6] },
      ],
    });
  const units = { US4: '0528', 'DE243/1': '0529' };

  test('OVR-20 who names no edge stays on the board, even in an edge hex', () => {
    expect(attack(units, '0529 0530').state.table.units['US4/1']).toBe('0530');
    expect(attack(units, '0529 0530 SOUTH').state.table.units['US4/1']).toBe('exited');
  });

  test('OVL-STK-01 a full hex ends a breakout in the hex before it, and that is told', () => {
    const { state, events } = attack({ ...units, US9: '0530' }, '0529 0530');
    expect(state.table.units['US4/1']).toBe('0529');
    expect(eventsOf(events, 'advanced')[0]).toMatchObject({ path: ['0529'], stopped: 'STACK FULL' });
  });
});
