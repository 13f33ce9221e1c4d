/** Exits, the count, the German withdrawal, the end of the campaign; the sequence of play. */
import { describe, expect, test } from 'vitest';
import { publicView } from '../../../../src/kernel/view.ts';
import { board, codes, eventsOf, normandy, play, position, read, reportLines } from '../../../helpers/overlord.ts';

describe('the sequence of play', () => {
  test('OVL-SEQ-01 German movement and combat, then Allied movement and combat, then the next turn', () => {
    let state = normandy.rules.setup({}, { roll: () => [], shuffle: (_, items) => [...items], draw: () => {} });
    const seen: string[] = [];
    const dice = ['DE77', 'DE275', 'DE265', 'DE3P', 'DE17', 'DE12SS', 'DEPL'].map((id) => ({
      purpose: id,
      rolls: [1],
    }));
    for (let n = 0; n < 5; n++) {
      seen.push(`${state.phase.n}: ${state.phase.turn}.${state.phase.step}`);
      state = play(normandy, state, n === 0 ? { dice } : {}).state;
    }
    expect(seen).toEqual(['1: 1.set-up', '2: 1.german', '3: 1.allied', '4: 2.german', '5: 2.allied']);
  });

  test('OVL-SEQ-04 OVL-SEQ-05 the Allies move, then fight; who does not move owes nothing', () => {
    const state = position(board, { step: 'allied', units: { 'US4/1': '0508', 'DE243/1': '0511' } });
    expect(board.rules.asks(publicView(state))).toEqual([
      { side: 'german', must: false },
      { side: 'allied', must: true },
    ]);
    const { events } = play(board, state, {
      allied: ['MOVE US4/1 -> 0509 0510', 'ATTACK 0511 WITH US4/1'],
      dice: [{ purpose: 'battle 0511', rolls: [5] }],
    });
    expect(events.map((event) => event.type).slice(0, 2)).toEqual(['moved', 'battle']);
  });

  test('split mode: moves in one mail, attacks in the next', () => {
    let state = position(board, {
      step: 'german-moves',
      options: { mode: 'split' },
      units: { 'DE243/1': '0513', 'US4/1': '0510' },
    });
    const orders = ['MOVE DE243/1 -> 0512 0511', 'ATTACK 0510 WITH DE243/1'];
    expect(codes(read(board, state, 'german', orders).diagnostics)).toEqual(['2 WRONG STEP']);
    state = play(board, state, { german: [orders[0]!] }).state;
    expect(state.phase).toMatchObject({ n: 8, turn: 3, step: 'german-combat' });
    expect(codes(read(board, state, 'german', orders).diagnostics)).toEqual(['1 WRONG STEP']);
    const { state: after, events } = play(board, state, {
      german: [orders[1]!],
      dice: [{ purpose: 'battle 0510', rolls: [5] }],
    });
    expect(eventsOf(events, 'battle')).toHaveLength(1);
    expect(after.phase.step).toBe('allied-moves');
  });

  test('nobody filed: the units hold, and the report says so', () => {
    const state = position(board, { units: { 'DE243/1': '0513', 'US4/1': '0510' } });
    const { state: after, events } = play(board, state, { nmr: ['german'] });
    expect(after.table.units).toEqual(state.table.units);
    expect(reportLines(board, after, 'german', events)).toContain(
      'No German orders were received: the units hold, doctrine acts',
    );
  });
});

describe('leaving the board', () => {
  const edge = (units: Record<string, string>) => position(board, { turn: 10, step: 'allied', units });

  test('OVL-VIC-01 OVR-30 off the south or east edge for one point, a quarter along an entry road', () => {
    const { state, events } = play(board, edge({ 'US4/1': '0528', 'US9/1': '0908' }), {
      allied: ['EXIT US4/1 -> 0529 0530 SOUTH', 'EXIT US9/1 -> 0909 EAST'],
    });
    expect(state.table.exits.map((exit) => `${exit.unit} ${exit.hex}`)).toEqual(['US4/1 0530', 'US9/1 0909']);
    expect(eventsOf(events, 'exited').map((event) => event.count)).toEqual([1, 2]);
    const far = read(board, edge({ 'US4/1': '0526' }), 'allied', ['EXIT US4/1 -> 0527 0528 0529 0530 SOUTH']);
    expect(codes(far.diagnostics, 'warning')).toContain('1 TOO FAR');
    // 0230 is the entry of road 1: 16 road hexes and the step off fit into 6 points.
    const road = Array.from({ length: 22 }, (_, i) => `02${String(9 + i).padStart(2, '0')}`);
    const gone = play(board, edge({ 'BR7A/1': '0208' }), { allied: [`EXIT BR7A/1 -> ${road.join(' ')} SOUTH`] });
    expect(gone.state.table.units['BR7A/1']).toBe('exited');
  });

  test('OVL-VIC-02 only a unit in supply at the edge may leave and count', () => {
    const units = { 'US4/1': '0530', DE1SS: '0528', DE91: '0629', DE243: '0429' };
    expect(codes(read(board, edge(units), 'allied', ['EXIT US4/1 SOUTH']).diagnostics)).toEqual(['1 NOT SUPPLIED']);
    expect(play(board, edge(units), { allied: ['EXIT US4/1 SOUTH'] }).state.table.exits).toEqual([]);
  });

  test('wrong edge, and a zone of control entered on the edge', () => {
    expect(codes(read(board, edge({ 'US4/1': '0508' }), 'allied', ['EXIT US4/1 SOUTH']).diagnostics)).toEqual([
      '1 WRONG EDGE',
    ]);
    expect(codes(read(board, edge({ 'US4/1': '0530' }), 'allied', ['EXIT US4/1 EAST']).diagnostics)).toEqual([
      '1 WRONG EDGE',
    ]);
    const { state } = play(board, edge({ 'US4/1': '0528', 'DE243/1': '0630' }), {
      allied: ['EXIT US4/1 -> 0529 0530 SOUTH'],
    });
    expect(state.table.units['US4/1']).toBe('0530');
  });
});

describe('the withdrawal', () => {
  const units = { 'DE243/1': '0527', 'DE91/1': '0327', 'DE116/2': '0524', 'US9/1': '0510' };
  const owed = [{ hex: '0530', factors: 4 }];

  test('OVR-32 ties go by the owner’s list, else the lowest factor first; the rest stays', () => {
    const tied = { 'DE91/1': '0527', 'DE3P/1': '0427' };
    const state = position(board, { turn: 19, units: { ...tied, 'DE116/2': '0524' }, table: { owed } });
    const left = (lines: string[]) => eventsOf(play(board, state, { german: lines }).events, 'withdrawal')[0]?.units;
    expect(left([])).toEqual(['DE91/1']);
    expect(left(['DOCTRINE WITHDRAW DE3P'])).toEqual(['DE3P/1']);
  });

  test('OVL-VIC-04 by the quickest way off the board; a unit without any is passed over', () => {
    const state = position(board, { turn: 19, units, table: { owed } });
    const [event] = eventsOf(play(board, state, {}).events, 'withdrawal');
    expect(event?.paths['DE243/1']).toEqual(['0527', '0528', '0529', '0530']);
    const allied = board.campaign.units.filter((unit) => unit.side === 'allied').map((unit) => unit.id);
    const walls = Object.fromEntries(
      ['0526', '0626', '0627', '0528', '0427', '0426'].map((hex, i) => [allied[i]!, hex]),
    );
    const shut = position(board, {
      turn: 19,
      units: { ...walls, 'DE243/1': '0527', 'DE116/2': '0524' },
      table: { owed },
    });
    expect(eventsOf(play(board, shut, {}).events, 'withdrawal')[0]).toMatchObject({
      passedOver: ['DE243/1'],
      units: ['DE116/2'],
    });
  });

  test('OVL-VIC-03 as many factors as left, and no more once they are reached', () => {
    const state = position(board, { turn: 19, units, table: { owed } });
    const { state: after, events } = play(board, state, {});
    expect(eventsOf(events, 'withdrawal')[0]).toMatchObject({ units: ['DE243/1'], removed: 4, factors: 4 });
    expect([after.table.units['DE91/1'], after.table.units['DE116/2']]).toEqual(['0327', '0524']);
  });

  test('OVL-VIC-04 the quickest way is the cheapest, not the shortest: two steps by road before one over land', () => {
    const state = position(board, { turn: 19, units: { 'DE243/1': '0228', 'US9/1': '0510' }, table: { owed } });
    const [event] = eventsOf(play(board, state, {}).events, 'withdrawal');
    expect(event?.paths['DE243/1']).toEqual(['0228', '0229', '0230']);
  });

  test('OVR-32 several exit hexes together take as many factors as left: what is too much for one counts for the next', () => {
    const two = [
      { hex: '0530', factors: 4 },
      { hex: '0930', factors: 4 },
    ];
    const near = { 'DE12SS/1': '0527', 'DE243/1': '0926' };
    const state = position(board, { turn: 19, units: { ...near, 'US9/1': '0510' }, table: { owed: two } });
    const { state: after, events } = play(board, state, {});
    expect(eventsOf(events, 'withdrawal').map((event) => [event.hex, event.units])).toEqual([['0530', ['DE12SS/1']]]);
    expect(after.table.units['DE243/1']).toBe('0926');
    expect(reportLines(board, after, 'german', events)[2]).toContain('Your DE12SS/1 had to be withdrawn');
  });

  test('OVL-VIC-06 it comes before any German move, and the German is told beforehand who would go', () => {
    const state = position(board, { turn: 19, units, table: { owed } });
    const found = read(board, state, 'german', ['MOVE DE243/1 -> 0526']);
    expect(codes(found.diagnostics)).toEqual(['1 NOT ON MAP']);
    expect(reportLines(board, state, 'german', []).join('\n')).toContain('these are nearest and would go: DE243/1');
    expect(play(board, state, {}).state.table.owed).toEqual([]);
    // Who is nearest is looked at before anybody moves: running away helps nobody.
    const { state: after, events } = play(board, state, {
      german: ['MOVE DE243/1 -> 0526 0525 0425', 'MOVE DE91/1 -> 0328'],
    });
    expect([after.table.units['DE243/1'], after.table.units['DE91/1']]).toEqual(['withdrawn', '0328']);
    const order = events.map((event) => event.type).filter((type) => type === 'withdrawal' || type === 'moved');
    expect(order).toEqual(['withdrawal', 'moved']);
  });
});

describe('the end', () => {
  test('OVL-VIC-07 OVL-INT-01 after turn 28 without nine divisions the Germans have won', () => {
    const state = position(normandy, { turn: 28, step: 'allied', units: { US4: '1307', DE709: '0703' } });
    const { state: after, events } = play(normandy, state, {});
    expect(normandy.rules.outcome(after)).toMatchObject({ winner: 'german', reason: 'time' });
    expect(normandy.rules.asks(publicView(after))).toEqual([]);
    expect(after.phase).toMatchObject({ n: 8, step: 'over' });
    expect(reportLines(normandy, after, 'public', events)[0]).toBe('The Germans have won');
  });

  test('OVR-31 brigades, regiments and the fourth unit of the 1st count alike; the game ends at the 27th', () => {
    const exits = Array.from({ length: 26 }, (_, i) => ({ unit: `US1/${i}`, hex: '0930', turn: 9 }));
    const units = { 'BR1SS/1': '0930', 'US4/1': '0829' };
    const state = position(board, { turn: 21, step: 'allied', units, table: { exits } });
    const { state: after, events } = play(board, state, { allied: ['EXIT BR1SS/1 SOUTH', 'MOVE US4/1 -> 0828'] });
    expect(after.table.over).toMatchObject({ winner: 'allied', reason: 'breakout' });
    expect(after.table.units['US4/1']).toBe('0829');
    expect(eventsOf(events, 'victory')[0]?.rule).toBe('OVL-VIC-08');
  });

  test('surrender, agreement and abandonment end it too', () => {
    for (const [how, side, winner] of [
      ['concede', 'german', 'allied'],
      ['draw', undefined, 'draw'],
      ['abandon', undefined, null],
    ] as const) {
      const state = position(board, {});
      board.rules.conclude(state, how, side);
      expect(board.rules.outcome(state)?.winner).toBe(winner);
      expect(board.rules.asks(publicView(state))).toEqual([]);
    }
  });
});

describe('OVL-SEQ-04 as many units as the player wishes', () => {
  const units = { 'US4/1': '0508', 'US4/2': '0508', 'US4/3': '0508', 'US9/1': '0708' };
  test.each([
    ['none', [], []],
    ['one of a stack', ['MOVE US4/2 -> 0509'], ['US4/2']],
    ['all of them, from two hexes', ['MOVE US4 -> 0509', 'MOVE US9/1 -> 0709'], ['US4/1', 'US4/2', 'US4/3', 'US9/1']],
  ])('OVL-SEQ-04 %s', (_title, orders, moved) => {
    const state = position(board, { step: 'allied', units });
    const { state: after, events } = play(board, state, { allied: orders });
    expect(eventsOf(events, 'moved').flatMap((event) => event.units)).toEqual(moved);
    for (const [unit, hex] of Object.entries(units))
      expect(after.table.units[unit], unit).toBe(moved.includes(unit) ? hex.replace('08', '09') : hex);
  });
});

describe('EXIT in detail', () => {
  const edge = (units: Record<string, string>) => position(board, { turn: 10, step: 'allied', units });
  const end = (units: Record<string, string>, ...lines: string[]): string | undefined =>
    play(board, edge(units), { allied: lines }).state.table.units['US4/1'];
  const warned = (units: Record<string, string>, line: string): string[] =>
    codes(read(board, edge(units), 'allied', [line]).diagnostics, 'warning');

  test('OVL-ZOC-02 a zone holds whom it meets at the edge, not who stood in it: leaving is free', () => {
    expect(end({ 'US4/1': '0530', 'DE243/1': '0630' }, 'EXIT US4/1 SOUTH')).toBe('exited');
    expect(end({ 'US4/1': '0529', 'DE243/1': '0630' }, 'EXIT US4/1 -> 0530 SOUTH')).toBe('0530');
    expect(warned({ 'US4/1': '0529', 'DE243/1': '0630' }, 'EXIT US4/1 -> 0530 SOUTH')).toEqual(['1 ZOC STOP']);
  });

  test('OVR-30 the step off the board costs a point of those left: four points are three hexes and off', () => {
    expect(end({ 'US4/1': '0527' }, 'EXIT US4/1 -> 0528 0529 0530 SOUTH')).toBe('exited');
    expect(end({ 'US4/1': '0526' }, 'EXIT US4/1 -> 0527 0528 0529 0530 SOUTH')).toBe('0530');
    expect(end({ 'US4/1': '0530' }, 'EXIT US4/1 SOUTH')).toBe('exited');
  });

  test('OVL-VIC-01 where south and east meet the edge named counts, and south when none is', () => {
    for (const [line, side] of [
      ['EXIT US4/1 EAST', 'E'],
      ['EXIT US4/1 SOUTH', 'S'],
      ['EXIT US4/1', 'S'],
    ] as const) {
      const { events } = play(board, edge({ 'US4/1': '0930' }), { allied: [line] });
      expect(eventsOf(events, 'exited')[0]).toMatchObject({ hex: '0930', edge: side, cf: 4, count: 1 });
    }
  });

  test('OVL-VIC-03 the Germans owe the factors of all who left over a hex, hex by hex', () => {
    const units = { 'US4/1': '0530', 'BR7A/1': '0530', 'US9/1': '0930' };
    const lines = ['EXIT US4/1 SOUTH', 'EXIT US9/1 SOUTH', 'EXIT BR7A/1 SOUTH'];
    expect(play(board, edge(units), { allied: lines }).state.table.owed).toEqual([
      { hex: '0930', factors: 4 },
      { hex: '0530', factors: 10 },
    ]);
  });

  test('only the Allies leave; a fault on the way is told, and a unit in the enemy’s hands goes nowhere', () => {
    const german = position(board, { turn: 10, units: { 'DE243/1': '0530', 'US4/1': '0510' } });
    expect(codes(read(board, german, 'german', ['EXIT DE243/1 SOUTH']).diagnostics)).toEqual(['1 WRONG SIDE']);
    const blocked = { 'US4/1': '0528', 'DE243/1': '0529' };
    expect(codes(read(board, edge(blocked), 'allied', ['EXIT US4/1 -> 0529 0530 SOUTH']).diagnostics)).toEqual([
      '1 ENEMY IN HEX',
    ]);
    expect(end(blocked, 'EXIT US4/1 -> 0529 0530 SOUTH')).toBe('0528');
  });
});
