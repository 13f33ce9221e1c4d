/** Air, interdiction, naval gunfire and weather: names printed, values house; each module on or off per game. */
import { describe, expect, test } from 'vitest';
import { tacAllotment } from '../../../../src/systems/overlord/combat/air.ts';
import { FACTOR } from '../../../../src/systems/overlord/combat/odds.ts';
import {
  board,
  codes,
  eventsOf,
  fieldOf,
  normandy,
  type Position,
  play,
  position,
  read,
} from '../../../helpers/overlord.ts';

const battle = { US4: '0510', 'DE243/1': '0511' };
const allied = (given: Position = {}) => position(board, { step: 'allied', units: battle, ...given });

describe('TAC factors', () => {
  test('OVL-CLR-10 the number a turn is an option of the game, named in the Balance note', () => {
    const allotment = (options: Position['options'], weather: 'clear' | 'overcast' | 'storm' = 'clear') =>
      tacAllotment(fieldOf(board, allied({ options: options ?? {}, table: { weather } })));
    expect([allotment({}), allotment({ tacPerTurn: 24 }), allotment({ tac: false })]).toEqual([16, 24, 0]);
    expect([allotment({}, 'overcast'), allotment({}, 'storm')]).toEqual([8, 0]);
  });

  test('each adds one factor to an Allied attack after all halving; never lost', () => {
    const { events } = play(board, allied(), {
      allied: ['ATTACK 0511 WITH US4/1 SUPPORT TAC 4'],
      dice: [{ purpose: 'battle 0511', rolls: [6] }],
    });
    expect(eventsOf(events, 'battle')[0]?.odds).toMatchObject({ tac: 4, attack: 8 * FACTOR, ratio: '2-1' });
  });

  test('the turn’s number covers support and interdiction together, in the order of the mail', () => {
    const orders = ['ATTACK 0511 WITH US4 SUPPORT TAC 12', 'INTERDICT 0206 3', 'INTERDICT 0207 2'];
    expect(codes(read(board, allied(), 'allied', orders).diagnostics)).toEqual(['3 TAC OVER ALLOTMENT']);
  });
});

describe('interdiction', () => {
  test('placed after the Allied battles, it lasts until the Germans have moved', () => {
    const state = position(board, { step: 'allied', units: { 'US4/1': '0510', 'DE12SS/2': '0204' } });
    const placed = play(board, state, { allied: ['INTERDICT 0206 4'] }).state;
    expect(placed.table.interdiction).toEqual({ '0206': 4 });
    const moved = play(board, placed, { german: ['MOVE DE12SS/2 -> 0205 0206 0207'] });
    expect(eventsOf(moved.events, 'moved')[0]?.costs).toEqual([19]);
    expect(moved.state.table.interdiction).toEqual({});
    expect(eventsOf(moved.events, 'interdiction-lifted')).toHaveLength(1);
  });

  test('only road steps pay it, only German ones', () => {
    const table = { interdiction: { '0206': 4 } };
    const off = position(board, { units: { 'DE12SS/2': '0306' }, table });
    expect(eventsOf(play(board, off, { german: ['MOVE DE12SS/2 -> 0206'] }).events, 'moved')[0]?.costs).toEqual([4]);
    const friend = position(board, { step: 'allied', units: { 'US4/1': '0205' }, table });
    expect(eventsOf(play(board, friend, { allied: ['MOVE US4/1 -> 0206'] }).events, 'moved')[0]?.costs).toEqual([1]);
  });

  test('before the first German move the Allies may place eight factors, owed by default nothing', () => {
    const state = normandy.rules.setup({}, { roll: () => [], shuffle: (_, items) => [...items], draw: () => {} });
    expect(codes(read(normandy, state, 'allied', ['INTERDICT 2814 4, 2813 4']).diagnostics)).toEqual([]);
    expect(codes(read(normandy, state, 'allied', ['INTERDICT 2814 4, 2813 4, 2714 1']).diagnostics)).toEqual([
      '1 TAC OVER ALLOTMENT',
    ]);
    expect(codes(read(normandy, state, 'allied', ['MOVE US4 -> 1308']).diagnostics)).toEqual(['1 WRONG STEP']);
    const dice = ['DE77', 'DE275', 'DE265', 'DE3P', 'DE17', 'DE12SS', 'DEPL'].map((id) => ({
      purpose: id,
      rolls: [6],
    }));
    const { state: after } = play(normandy, state, { allied: ['INTERDICT 2814 4, 2813 4'], dice });
    expect(after.table.interdiction).toEqual({ '2813': 4, '2814': 4 });
  });

  test('it needs TAC: without it the option is off', () => {
    const state = allied({ options: { tac: false } });
    expect(state.table.options.interdiction).toBe(false);
    expect(codes(read(board, state, 'allied', ['INTERDICT 0206 1']).diagnostics)).toEqual(['1 MODULE OFF']);
  });
});

describe('naval gunfire', () => {
  const near = { US4: '0304', 'DE243/1': '0305' };
  test('adds to an Allied attack within four hexes of a live beach, at most four a battle', () => {
    const state = position(board, { step: 'allied', units: near, options: { naval: true } });
    const { events } = play(board, state, {
      allied: ['ATTACK 0305 WITH US4 SUPPORT NAVAL 4'],
      dice: [{ purpose: 'battle 0305', rolls: [2] }],
    });
    expect(eventsOf(events, 'battle')[0]?.odds).toMatchObject({ naval: 4, attack: 16 * FACTOR, defence: 8 * FACTOR });
    state.table.beaches['0302'] = { destroyed: true, usableFrom: null };
    state.table.beaches['0402'] = { destroyed: true, usableFrom: null };
    state.table.beaches['0702'] = { destroyed: true, usableFrom: null };
    const found = read(board, state, 'allied', ['ATTACK 0305 WITH US4 SUPPORT NAVAL 4']);
    expect(codes(found.diagnostics)).toEqual(['1 NAVAL RANGE']);
  });

  test('helps the defence by doctrine, eight factors a German combat phase', () => {
    const units = {
      'US4/1': '0303',
      'US4/2': '0403',
      'US4/3': '0503',
      'DE243/1': '0304',
      'DE91/1': '0404',
      'DE352/1': '0504',
    };
    const state = position(board, { units, options: { naval: true } });
    const { events } = play(board, state, {
      german: ['ATTACK 0303 WITH DE243/1', 'ATTACK 0403 WITH DE91/1', 'ATTACK 0503 WITH DE352/1'],
      allied: ['DOCTRINE NAVAL 0303 0403 0503 MAX 4'],
      dice: ['0303', '0403', '0503'].map((hex) => ({ purpose: `battle ${hex}`, rolls: [3] })),
    });
    expect(eventsOf(events, 'battle').map((event) => event.odds.navalDefence)).toEqual([4, 4, 0]);
    expect(eventsOf(events, 'battle')[0]?.odds.defence).toBe(8 * FACTOR);
  });

  test('with the module off both forms are refused', () => {
    const state = position(board, { step: 'allied', units: near });
    const lines = ['ATTACK 0305 WITH US4 SUPPORT NAVAL 4', 'DOCTRINE NAVAL 0303 MAX 4'];
    expect(codes(read(board, state, 'allied', lines).diagnostics)).toEqual(['2 MODULE OFF', '1 MODULE OFF']);
  });
});

describe('weather', () => {
  test('one die a turn from the second on, told with the new turn; off: always clear', () => {
    const state = position(board, { turn: 3, step: 'allied', units: battle, options: { weather: true } });
    const rolled = play(board, state, { dice: [{ purpose: 'weather of turn 4', rolls: [6] }] });
    expect(rolled.state.table.weather).toBe('storm');
    expect(eventsOf(rolled.events, 'turn-began')[0]).toMatchObject({ turn: 4, weather: 'storm', die: 6 });
    expect(play(board, allied(), {}).state.table.weather).toBe('clear');
  });

  test('a storm forbids air and naval support and makes landing dearer', () => {
    const options = { weather: true, naval: true };
    const state = allied({ options, table: { weather: 'storm' }, units: { ...battle, 'US9/1': 'off' } });
    const lines = ['ATTACK 0511 WITH US4 SUPPORT TAC 1', 'INTERDICT 0206 1'];
    expect(codes(read(board, state, 'allied', lines).diagnostics)).toEqual(['1 STORM', '2 STORM']);
    const { events } = play(board, state, {
      allied: ['LAND US9/1 AT 0302'],
      dice: [{ purpose: 'weather', rolls: [1] }],
    });
    expect(eventsOf(events, 'landed')[0]?.cost).toBe(12);
  });
});
