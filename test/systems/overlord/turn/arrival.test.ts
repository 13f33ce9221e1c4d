/** Landing, replacements, entry by road. */
import { describe, expect, test } from 'vitest';
import { board, codes, complaints, eventsOf, normandy, play, position, read } from '../../../helpers/overlord.ts';

describe('landing', () => {
  const sea = (units: Record<string, string>, turn = 3) => position(normandy, { turn, step: 'allied', units });

  test('OVL-APP-05 OVL-LND-04 units come in on a beach hex and move on with what is left', () => {
    const { state, events } = play(normandy, sea({ 'US9/1': 'off' }), { allied: ['LAND US9/1 AT 1307 -> 1308 1309'] });
    expect(eventsOf(events, 'landed')[0]).toMatchObject({ hex: '1307', cost: 8 });
    // 2 points left, bocage costs 2: one hex on.
    expect(state.table.units['US9/1']).toBe('1308');
  });

  test('OVL-LND-05 the landing cost replaces the terrain of the beach hex', () => {
    const { events } = play(normandy, sea({ 'US9/1': 'off' }, 10), { allied: ['LAND US9/1 AT 1307 -> 1308'] });
    expect(eventsOf(events, 'moved')[0]?.allowances).toEqual([12]);
  });

  test('OVL-LND-03 in August landing costs nothing', () => {
    const { events } = play(normandy, sea({ 'US9/1': 'off' }, 20), { allied: ['LAND US9/1 AT 1307 -> 1308'] });
    expect(eventsOf(events, 'landed')[0]?.cost).toBe(0);
    expect(eventsOf(events, 'moved')[0]?.allowances).toEqual([16]);
  });

  test('OVL-AOB-26 U.S. units land on any U.S. beach only', () => {
    const state = sea({ 'US9/1': 'off', 'US9/2': 'off' });
    expect(codes(read(normandy, state, 'allied', ['LAND US9/1 AT 2009', 'LAND US9/2 AT 1407']).diagnostics)).toEqual(
      [],
    );
    expect(codes(read(normandy, state, 'allied', ['LAND US9/1 AT 2410']).diagnostics)).toEqual([
      "1 WRONG NATION'S BEACH",
    ]);
  });

  test('OVL-AOB-27 British, Canadians, Poles and French land on British beaches', () => {
    const units = { 'BR43/1': 'off', 'CDN2/1': 'off', 'PL1A/1': 'off', 'FR2A/1': 'off' };
    const lines = Object.keys(units).map((id, i) => `LAND ${id} AT ${['2410', '2510', '2610', '2911'][i]}`);
    expect(codes(read(normandy, sea(units), 'allied', lines).diagnostics)).toEqual([]);
    expect(codes(read(normandy, sea(units), 'allied', ['LAND PL1A/1 AT 2009']).diagnostics)).toHaveLength(1);
  });

  test('OVR-25 any number through one beach hex, one after another; the stack is checked where each ends', () => {
    const units = { US9: 'off', US90: 'off' };
    const { state } = play(normandy, sea(units), { allied: ['LAND US9 AT 1307 -> 1308', 'LAND US90 AT 1307'] });
    expect([state.table.units['US9/1'], state.table.units['US90/1']]).toEqual(['1308', '1307']);
    const full = read(normandy, sea({ ...units, US79: 'off' }), 'allied', ['LAND US9 AT 1307', 'LAND US90/1 AT 1307']);
    expect(codes(full.diagnostics)).toEqual(['2 STACK FULL']);
  });

  test('OVR-25 not onto an enemy; in an enemy zone the unit lands and stops; it may wait at sea', () => {
    const units = { 'US9/1': 'off', DE243: '1308', 'DE91/1': '2009' };
    const { state } = play(normandy, sea(units), { allied: ['LAND US9/1 AT 1307 -> 1207'] });
    expect(state.table.units['US9/1']).toBe('1307');
    expect(codes(read(normandy, sea(units), 'allied', ['LAND US9/1 AT 2009']).diagnostics)).toEqual(['1 ENEMY IN HEX']);
    expect(play(normandy, sea(units), {}).state.table.units['US9/1']).toBe('off');
  });
});

describe('replacements', () => {
  const lost = { US4: 'lost', BRGDSA: 'lost', US9: '1307' };

  test('OVL-AOB-25 sixteen factors of eliminated units on each of the last three turns, unspent ones lapse', () => {
    const state = position(normandy, { turn: 26, step: 'allied', units: lost });
    const two = ['REPLACE BRGDSA/1 AT 2410', 'REPLACE BRGDSA/2 AT 2410'];
    expect(codes(read(normandy, state, 'allied', two).diagnostics)).toEqual([]);
    const three = read(normandy, state, 'allied', [...two, 'REPLACE US4/1 AT 2009']);
    expect(codes(three.diagnostics)).toEqual(['3 REPLACEMENT OVER 16']);
    const { state: after, events } = play(normandy, state, { allied: [two[0]!] });
    expect(after.table.units['BRGDSA/1']).toBe('2410');
    expect(eventsOf(events, 'landed')[0]).toMatchObject({ how: 'replaced', rule: 'OVL-AOB-25' });
    const early = position(normandy, { turn: 25, step: 'allied', units: lost });
    expect(codes(read(normandy, early, 'allied', ['REPLACE US4/1 AT 2009']).diagnostics)).toEqual(['1 WRONG TURN']);
  });

  test('OVL-AOB-28 at any invasion beach or any port in Allied hands', () => {
    const state = position(normandy, { turn: 27, step: 'allied', units: lost });
    expect(codes(read(normandy, state, 'allied', ['REPLACE US4/1 AT 2410']).diagnostics)).toEqual([]);
    expect(codes(read(normandy, state, 'allied', ['REPLACE US4/1 AT 0703']).diagnostics)).toEqual([
      '1 NOT A LANDING PLACE',
    ]);
    state.table.control['0703'] = 'allied';
    expect(codes(read(normandy, state, 'allied', ['REPLACE US4/1 AT 0703 -> 0704']).diagnostics)).toEqual([]);
  });
});

describe('entry by road', () => {
  const waiting = (units: Record<string, string>, interdiction: Record<string, number> = {}) =>
    position(normandy, { turn: 3, units, table: { interdiction } });

  test('OVL-APP-02 a unit enters on the road of the order of battle: a quarter point by road', () => {
    const { state, events } = play(normandy, waiting({ 'DE271/1': 'off' }), {
      german: ['ENTER DE271/1 ROAD 2 -> 1527'],
    });
    expect(eventsOf(events, 'entered')[0]).toMatchObject({ hex: '1528', road: 2, diverted: false });
    expect(eventsOf(events, 'moved')[0]?.allowances).toEqual([15]);
    expect(state.table.units['DE271/1']).toBe('1527');
    const wrong = read(normandy, waiting({ 'DE271/1': 'off' }), 'german', ['ENTER DE271/1 ROAD 3']);
    expect(complaints(wrong.diagnostics)[0]).toBe('1: DE271/1 enters by road 2, not by road 3');
  });

  test('OVL-APP-03 of two roads five the German chooses', () => {
    const at = (line: string) =>
      play(normandy, waiting({ 'DE346/1': 'off' }), { german: [line] }).state.table.units['DE346/1'];
    expect([at('ENTER DE346/1 ROAD 5'), at('ENTER DE346/1 ROAD 5 AT 4215')]).toEqual(['4221', '4215']);
  });

  test('OVL-APP-04 OVL-GOB-27 blocked by a unit, a zone or interdiction: the nearest clear hex of that edge', () => {
    const enter = (units: Record<string, string>, interdiction: Record<string, number> = {}) =>
      play(normandy, waiting({ 'DE271/1': 'off', ...units }, interdiction), { german: ['ENTER DE271/1 ROAD 2'] })
        .events;
    for (const events of [enter({ 'US9/1': '1528' }), enter({ 'US9/1': '1527' }), enter({}, { '1528': 1 })])
      expect(eventsOf(events, 'entered')[0]).toMatchObject({ diverted: true, blocked: '1528', rule: 'OVL-APP-04' });
    expect(eventsOf(enter({}, { '1528': 1 }), 'entered')[0]?.hex).toBe('1428');
  });

  test('OVR-27 between equally near hexes the German chooses with AT; the hex used costs its terrain; entry may wait', () => {
    const state = waiting({ 'DE271/1': 'off' }, { '1528': 2 });
    const { events } = play(normandy, state, { german: ['ENTER DE271/1 ROAD 2 AT 1628 -> 1627'] });
    expect(eventsOf(events, 'entered')[0]?.hex).toBe('1628');
    expect(eventsOf(events, 'moved')[0]?.allowances).toEqual([8]);
    const found = read(normandy, state, 'german', ['ENTER DE271/1 ROAD 2 -> 1527 1526']);
    expect(codes(found.diagnostics, 'warning')).toContain('1 ENTRY BLOCKED');
    expect(complaints(found.diagnostics)[0]).toBe('1: road 2 is blocked at 1528: DE271/1 enters at 1428 instead');
    expect(codes(read(normandy, state, 'german', ['ENTER DE271/1 AT 2728']).diagnostics)).toEqual([
      '1 ENTRY NOT THERE',
    ]);
    expect(play(normandy, state, {}).state.table.units['DE271/1']).toBe('off');
  });

  test('no clear hex on the edge: the unit waits', () => {
    const units: Record<string, string> = { 'DE116/1': 'off' };
    let n = 0;
    const names = board.campaign.units.filter((unit) => unit.side === 'allied').map((unit) => unit.id);
    for (let row = 8; row <= 28; row += 1) units[names[n++]!] = `42${String(row).padStart(2, '0')}`;
    expect(codes(read(normandy, waiting(units), 'german', ['ENTER DE116/1 ROAD 6']).diagnostics)).toEqual([
      '1 ENTRY BLOCKED',
    ]);
  });
});
