/** Supply and isolation at every instant; the fortress; airborne troops; control of beaches and ports. */
import { describe, expect, test } from 'vitest';
import { defenceShare } from '../../../../src/systems/overlord/combat/odds.ts';
import { indexOf } from '../../../../src/systems/overlord/content/campaign.ts';
import { isIsolated, supplySources } from '../../../../src/systems/overlord/field/field.ts';
import { retreatLimit } from '../../../../src/systems/overlord/field/movement.ts';
import {
  board,
  codes,
  eventsOf,
  fieldOf,
  normandy,
  play,
  position,
  read,
  reportLines,
} from '../../../helpers/overlord.ts';

const index = (id: string): number => indexOf(board.campaign, id);
const isolated = (units: Record<string, string>, id: string): boolean =>
  isIsolated(fieldOf(board, position(board, { units })), index(id));

/** Three German units whose zones close a ring around 0511. */
const RING = { 'DE1SS/1': '0609', 'DE1SS/2': '0612', 'DE1SS/3': '0311' };

describe('the line of supply', () => {
  test('OVL-SUP-05 it runs to a friendly board edge, beach or port, free of enemy zones', () => {
    expect(isolated({ 'US4/1': '0511' }, 'US4/1')).toBe(false);
    expect(isolated({ 'US4/1': '0511', ...RING }, 'US4/1')).toBe(true);
    expect(isolated({ 'DE243/1': '0511' }, 'DE243/1')).toBe(false);
    expect(isolated({ 'DE243/1': '0511', US4: '0609', US9: '0612', US90: '0311' }, 'DE243/1')).toBe(true);
  });

  test('OVL-SUP-06 OVL-SUP-07 a friendly unit in a hex cancels enemy zones there: the line runs through own units', () => {
    expect(isolated({ 'US4/1': '0511', ...RING, 'US9/1': '0510' }, 'US4/1')).toBe(false);
    // One more zone across the way: now it takes a chain of three.
    const more = { ...RING, 'DE91/1': '0408', 'US4/1': '0511', 'US9/1': '0510' };
    expect(isolated(more, 'US4/1')).toBe(true);
    expect(isolated({ ...more, 'US9/2': '0409' }, 'US4/1')).toBe(true);
    expect(isolated({ ...more, 'US9/2': '0409', 'US9/3': '0309' }, 'US4/1')).toBe(false);
  });

  test('OVL-EXM-02 surrounded by panzer zones the 4th is isolated, fights and moves at half', () => {
    const state = position(board, { step: 'allied', units: { US4: '0511', ...RING } });
    const field = fieldOf(board, state);
    expect(defenceShare(field, index('US4/1'))).toMatchObject({ worth: 16, notes: ['isolated'] });
    const { events } = play(board, state, { allied: ['MOVE US4/1 -> 0510'] });
    expect(eventsOf(events, 'moved')[0]).toMatchObject({ allowances: [8], isolated: ['US4/1'] });
  });

  test('OVL-EXM-03 OVL-SUP-04 OVR-22 moving the 90th into the gap ends the isolation at once: the order of lines matters', () => {
    const units = { 'US4/1': '0511', ...RING, 'US90/3': '0509' };
    const state = position(board, { turn: 4, step: 'allied', units });
    const points = (lines: string[]): number | undefined =>
      eventsOf(play(board, state, { allied: lines }).events, 'moved').find((event) => event.units[0] === 'US4/1')
        ?.allowances[0];
    expect(points(['MOVE US4/1 -> 0611', 'MOVE US90/3 -> 0510'])).toBe(8);
    expect(points(['MOVE US90/3 -> 0510', 'MOVE US4/1 -> 0611'])).toBe(16);
  });

  test('OVL-SUP-01 OVL-SUP-02 isolation is looked at in each battle', () => {
    const units = { US4: '0511', ...RING, 'DE243/1': '0512' };
    const { events } = play(board, position(board, { turn: 4, step: 'allied', units }), {
      allied: ['ATTACK 0512 WITH US4/1'],
      dice: [{ purpose: 'battle 0512', rolls: [6] }],
    });
    expect(eventsOf(events, 'battle')[0]?.odds.attackers[0]).toMatchObject({ worth: 16, notes: ['isolated'] });
  });

  test('OVR-17 isolation halves what a retreat may cost; the confusion of turn one does not', () => {
    const ring = { US4: '0609', US9: '0612', US90: '0311' };
    const limit = (units: Record<string, string>, turn: number): number =>
      retreatLimit(fieldOf(board, position(board, { turn, units })), index('DE243/1'));
    expect([limit({ 'DE243/1': '0511' }, 3), limit({ 'DE243/1': '0511', ...ring }, 3)]).toEqual([16, 8]);
    expect(limit({ 'DE243/1': '0511' }, 1)).toBe(16);
  });

  test('OVR-23 OVR-26 sources: edges for the Germans, usable beaches and Allied ports for the Allies', () => {
    const state = position(normandy, {});
    const { grid } = normandy.campaign.board;
    const names = (side: 'german' | 'allied'): string[] =>
      supplySources(fieldOf(normandy, state), side).map((cell) => grid.ids[cell]!);
    expect(names('allied')).toHaveLength(10);
    expect(names('german').every((hex) => /^(..28|42..|01..)$/.test(hex))).toBe(true);
    state.table.control['0703'] = 'allied';
    state.table.beaches['1307'] = { destroyed: true, usableFrom: 9 };
    expect(names('allied')).toContain('0703');
    expect(names('allied')).not.toContain('1307');
  });
});

describe('exceptions', () => {
  test('OVL-SUP-08 OVR-24 Germans in the fortress ignore isolation while they stay', () => {
    const units = { DE709: '0102', US4: '0103', US9: '0202' };
    expect(isolated(units, 'DE709/1')).toBe(false);
    expect(isolated({ ...units, DE709: '0203', US4: '0204', US9: '0202', US90: '0304' }, 'DE709/1')).toBe(true);
    expect(isolated({ US4: '0102', DE1SS: '0103', DE91: '0202' }, 'US4/1')).toBe(true);
  });

  test('OVL-SUP-09 OVL-SUP-10 OVL-SUP-11 airborne of both sides keep their combat factor, not their movement', () => {
    const ring = { US4: '0609', US9: '0612', US90: '0311' };
    const field = fieldOf(board, position(board, { units: { 'DE3P/1': '0511', ...ring } }));
    expect(isIsolated(field, index('DE3P/1'))).toBe(true);
    expect(defenceShare(field, index('DE3P/1'))).toMatchObject({ worth: 40, notes: ['isolated airborne'] });
    const allied = fieldOf(board, position(board, { units: { 'US101P/1': '0511', ...RING } }));
    expect(defenceShare(allied, index('US101P/1')).worth).toBe(40);
  });
});

describe('control', () => {
  test('OVR-35 the last side to enter controls a port; it is told', () => {
    const state = position(board, { step: 'allied', units: { 'US4/1': '0103' } });
    expect(state.table.control['0102']).toBe('german');
    const { state: after, events } = play(board, state, { allied: ['MOVE US4/1 -> 0102'] });
    expect(after.table.control['0102']).toBe('allied');
    expect(eventsOf(events, 'port-taken')).toHaveLength(1);
    expect(reportLines(board, after, 'allied', events).join('\n')).toContain('0102 Cherbourg is in Allied hands');
  });

  test('OVR-26 OVL-CLR-06 any German entry destroys a beach, also in retreat; a destroyed beach supplies nobody', () => {
    const state = position(board, { units: { 'DE243/1': '0303', 'US4/1': '0506' } });
    const { state: after, events } = play(board, state, { german: ['MOVE DE243/1 -> 0302'] });
    expect(eventsOf(events, 'beach-destroyed')[0]).toMatchObject({ hex: '0302', rule: 'OVL-CLR-06' });
    const field = fieldOf(board, after);
    expect(supplySources(field, 'allied').map((cell) => board.campaign.board.grid.ids[cell]!)).not.toContain('0302');
  });

  test('OVL-CLR-07 OVL-CLR-08 recaptured on turn 4 it is usable on turn 7, and the report says so', () => {
    const beaches = { '0302': { destroyed: true, usableFrom: null } };
    const state = position(board, { turn: 4, step: 'allied', units: { 'US4/1': '0303', 'US9/1': 'off' } });
    Object.assign(state.table.beaches, beaches);
    state.table.control['0302'] = 'german';
    const { state: after, events } = play(board, state, { allied: ['MOVE US4/1 -> 0302'] });
    expect(eventsOf(events, 'beach-recaptured')[0]).toMatchObject({ usableFrom: 7 });
    let later = after;
    for (let phase = 0; phase < 5; phase++) later = play(board, later, {}).state;
    expect([later.phase.turn, later.phase.step]).toEqual([7, 'allied']);
    expect(later.table.beaches['0302']).toEqual({ destroyed: false, usableFrom: null });
    expect(codes(read(board, later, 'allied', ['LAND US9/1 AT 0302']).diagnostics)).toEqual([]);
  });
});
