/** Where two rules, or an order and a standing order, meet: the positions of the ledger of interactions, OVL-X. */

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { asWritten } from '../../../src/kernel/questions.ts';
import { viewFor } from '../../../src/kernel/view.ts';
import type { OverlordQuestion } from '../../../src/systems/overlord/types.ts';
import type { ScriptedRoll } from '../../helpers/dice.ts';
import {
  board,
  codes,
  complaints,
  eventsOf,
  judge,
  normandy,
  type Play,
  play,
  position,
  read,
  reportLines,
} from '../../helpers/overlord.ts';

const RUNS = Number(process.env.FIELDPOST_RUNS ?? 100);

describe('OVL-X02 the check knows the standing orders', () => {
  const owed = [{ hex: '0530', factors: 4 }];
  const state = position(board, { turn: 22, units: { 'DE243/1': '0527', 'DE709/1': '0527' }, table: { owed } });
  const doctrine = 'DOCTRINE WITHDRAW DE243';
  const order = 'MOVE DE709/1 -> 0526';

  test('a doctrine of the same mail saves the order, in the receipt and in the run', () => {
    expect(codes(read(board, state, 'german', [doctrine, order]).diagnostics)).toEqual([]);
    const { state: after } = play(board, state, { german: [doctrine, order] });
    expect([after.table.units['DE243/1'], after.table.units['DE709/1']]).toEqual(['withdrawn', '0526']);
  });

  test('so does one that stands already, until it is taken back', () => {
    const twins = position(board, { turn: 22, units: { 'DE243/1': '0527', 'DE243/2': '0527' }, table: { owed } });
    for (const [goes, stays] of [
      ['DE243/1', 'DE243/2'],
      ['DE243/2', 'DE243/1'],
    ]) {
      const { standing } = read(board, twins, 'german', [`DOCTRINE WITHDRAW ${goes}`]);
      expect(codes(read(board, twins, 'german', [`MOVE ${stays} -> 0526`], standing).diagnostics)).toEqual([]);
      expect(codes(read(board, twins, 'german', [`MOVE ${goes} -> 0526`], standing).diagnostics)).toEqual([
        '1 NOT ON MAP',
      ]);
    }
    const { standing } = read(board, twins, 'german', ['DOCTRINE WITHDRAW DE243/2']);
    // He sees it on the map: he is told what takes it off.
    const { diagnostics } = read(board, twins, 'german', ['MOVE DE243/2 -> 0526'], standing);
    expect(complaints(diagnostics)[0]).toMatch(
      /^1: DE243\/2 leaves the map before your moves: it is among the units that go for the \d+ factors/,
    );
    const back = ['DOCTRINE WITHDRAW NONE', 'MOVE DE243/1 -> 0526'];
    expect(codes(read(board, twins, 'german', back, standing).diagnostics)).toEqual(['2 NOT ON MAP']);
  });

  test('who wants to be asked is told which units may have to go; only who must go at any rate is refused', () => {
    const found = read(board, state, 'german', ['ASK WITHDRAW', 'MOVE DE709/1 -> 0526']);
    expect(codes(found.diagnostics)).toEqual([]);
    expect(codes(found.diagnostics, 'warning')).toContain('mail WITHDRAWAL OPEN');
    // Without DE243/1 the two factors of DE709/1 do not suffice.
    expect(codes(read(board, state, 'german', ['ASK WITHDRAW', 'MOVE DE243/1 -> 0526']).diagnostics)).toEqual([
      '2 NOT ON MAP',
    ]);
  });
});

describe('OVL-X01 a semicolon never hides anything', () => {
  const setUp = position(normandy, { turn: 1, step: 'set-up' });
  const lines = (text: string) => read(normandy, setUp, 'allied', [text]);

  test('a second order of the line is an order of its own', () => {
    const found = lines('INTERDICT 3113 2; INTERDICT 3814 2');
    expect(codes(found.diagnostics)).toEqual([]);
    expect(found.orders.map((order) => normandy.rules.print(order))).toEqual(['INTERDICT 3113 2', 'INTERDICT 3814 2']);
    const { state } = play(normandy, setUp, {
      allied: ['INTERDICT 3113 2; INTERDICT 3814 2'],
      dice: ['DE77', 'DE275', 'DE265', 'DE3P', 'DE17', 'DE12SS', 'DEPL'].map((id) => ({ purpose: id, rolls: [1] })),
    });
    expect(state.table.interdiction).toEqual({ '3113': 2, '3814': 2 });
  });

  test.each([
    ['INTERDICT 3113 2; INTERDIKT 3814 2', 'did you mean INTERDICT?'],
    ['ATTACK 0510 WITH US4 ; SUPORT TAC 4', 'did you mean SUPPORT?'],
    ['ATTACK 0510 WITH US4; ADVANC US4/1', 'did you mean ADVANCE?'],
    ['MOVE US4/1 -> 0510; US4/2 as well', 'a remark begins with #'],
    ['MOVE US4/1 -> 0510; 0511', 'a remark begins with #'],
    ['HOLD US4; good luck', 'a remark begins with #'],
  ])('%s: refused whole, with what may be meant', (text, says) => {
    const found = lines(text);
    expect(codes(found.diagnostics)).toEqual(['1 AFTER SEMICOLON']);
    expect(complaints(found.diagnostics)[0]).toContain(says);
    expect(found.orders).toEqual([]);
  });

  test('a line is read as the same orders written one a line, or not at all', () => {
    const parts = fc.constantFrom(
      'MOVE US4/1 -> 0509',
      'HOLD US4/2',
      'ATTACK 0510 WITH US4/3',
      'ASK LOSSES',
      'ADVANCE US4/3 -> 0510',
      'SUPPORT TAC 2',
      'SUPORT TAC 2',
      'MOVE US4/1 to 0509',
      'thanks',
      'US4/3',
      '0510',
    );
    fc.assert(
      fc.property(fc.array(parts, { minLength: 1, maxLength: 4 }), (written) => {
        const state = position(board, { step: 'allied', units: { US4: '0509', 'DE243/1': '0510' } });
        const together = read(board, state, 'allied', [written.join('; ')]);
        const said = [...together.orders, ...together.standing].map((order) => board.rules.print(order)).join(' ');
        if (codes(together.diagnostics).length > 0 && said === '') return;
        // Every word written is in what was understood.
        for (const word of written.join(' ').split(' ')) expect(said).toContain(word);
      }),
      { numRuns: RUNS },
    );
  });

  test('an answer is read to its end', () => {
    const state = position(board, { step: 'allied', units: { US4: '0509', 'DE709/1': '0510' } });
    const request: OverlordQuestion = {
      id: 'breakout at 0510 line 1',
      to: 'allied',
      kind: 'breakout',
      about: { kind: 'breakout', attack: '0510', target: '0510', line: 1, units: ['US4/1', 'US4/2'] },
      options: [],
      form: ['BREAKOUT US4/1 -> 0510', 'BREAKOUT US4/2 -> 0510'],
      min: 0,
      max: 2,
      fallback: [],
    };
    const answer = (text: string) => board.rules.parseAnswer(viewFor(state, 'allied'), request, [{ n: 1, text }]);
    expect(answer('BREAKOUT US4/1 -> 0510; BREAKOUT US4/2 -> 0510 0511')).toEqual({
      chosen: ['US4/1 -> 0510', 'US4/2 -> 0510 0511'],
    });
    expect(answer('BREAKOUT US4/1 -> 0510 ADVANCE US4/2 -> 0510')).toEqual({
      chosen: ['US4/1 -> 0510', 'US4/2 -> 0510'],
    });
    expect(answer('BREAKOUT US4/1 -> 0510; thanks')).toMatchObject({ diagnostics: [{ code: 'ANSWER UNCLEAR' }] });
    expect(answer('BREAKOUT US4')).toEqual({ chosen: ['US4/1 -> 0510', 'US4/2 -> 0510'] });
  });
});

describe('OVL-X03 OVL-X04 OVL-X05 clauses serve the result that comes', () => {
  const weak = position(board, { turn: 3, step: 'allied', units: { US4: '0509', 'DE709/1': '0510' } });
  const strong = position(board, { turn: 3, step: 'allied', units: { US4: '0509', 'DE243/1': '0510' } });
  const die = (n: number) => ({ purpose: 'battle 0510', rolls: [n] });
  const breakout = { purpose: 'breakout 0510', rolls: [3] };
  const where = (given: typeof weak, orders: Play) => {
    const { state } = play(board, given, orders);
    return ['US4/1', 'US4/2', 'US4/3'].map((unit) => state.table.units[unit]);
  };

  test('X03 ADVANCE alone: its way is walked with the breakout points', () => {
    const attack = (way: string) =>
      where(weak, { allied: [`ATTACK 0510 WITH US4 ADVANCE US4/1 -> ${way}`], dice: [die(1), breakout] });
    expect(attack('0510')).toEqual(['0510', '0509', '0509']);
    expect(attack('0510 0511')).toEqual(['0511', '0509', '0509']);
  });

  test('X04 BREAKOUT alone: its first hex after D BK 2, the second too after D BK 3', () => {
    const attack = (n: number) =>
      where(strong, { allied: ['ATTACK 0510 WITH US4/1 US4/2 BREAKOUT US4/1 -> 0510 0410 0310'], dice: [die(n)] });
    expect(attack(2)).toEqual(['0510', '0509', '0509']);
  });

  test('each serves its own result where both are written', () => {
    const line = 'ATTACK 0510 WITH US4 ADVANCE US4/1 -> 0510 BREAKOUT US4/2 -> 0510 0511';
    expect(where(weak, { allied: [line], dice: [die(1), breakout] })).toEqual(['0509', '0511', '0509']);
  });

  test('X05 the line’s own clause comes before doctrine, for either result', () => {
    for (const clause of ['ADVANCE US4/2 -> 0510', 'BREAKOUT US4/2 -> 0510'])
      expect(
        where(weak, { allied: ['DOCTRINE ADVANCE ALL', `ATTACK 0510 WITH US4 ${clause}`], dice: [die(1), breakout] }),
      ).toEqual(['0509', '0510', '0509']);
    expect(where(weak, { allied: ['DOCTRINE ADVANCE ALL', 'ATTACK 0510 WITH US4'], dice: [die(1), breakout] })).toEqual(
      ['0510', '0510', '0510'],
    );
  });
});

describe('OVL-X06 what cannot be made is told: who, where, why', () => {
  const said = (units: Record<string, string>, orders: Play) => {
    const state = position(board, { turn: 3, step: 'allied', units });
    const { state: after, events } = play(board, state, orders);
    const german = reportLines(board, after, 'german', events).join(' | ');
    expect(german).not.toMatch(/cannot follow|stops in|no breakout/);
    return reportLines(board, after, 'allied', events).join(' | ');
  };

  test('too few breakout points: cost and points', () => {
    const lines = said(
      { US2A: '0508', 'DE709/1': '0608' },
      {
        allied: ['ATTACK 0608 WITH US2A BREAKOUT US2A/1 -> 0608 0609'],
        dice: [
          { purpose: 'battle 0608', rolls: [1] },
          { purpose: 'breakout 0608', rolls: [1] },
        ],
      },
    );
    expect(lines).toContain('US2A/1 stops in 0508: to go on to 0608 would cost 3 MP in all and it has 1 (OVL-MOV-02)');
  });

  test('another German still in the hex: no die, and why', () => {
    const attack = (clause: string) =>
      said(
        { US4: '0509', US9: '0511', 'DE709/1': '0510', 'DE243/1': '0510' },
        {
          allied: [`ATTACK 0510 ONLY DE709/1 WITH US4${clause}`, 'ATTACK 0510 ONLY DE243/1 WITH US9'],
          // Isolated, DE709/1 is beaten without a die.
          dice: [{ purpose: 'battle 0510 DE243/1', rolls: [5] }],
        },
      );
    expect(attack(' ADVANCE US4/1')).toContain('no breakout of US4/1 and no die for it: DE243/1 are still in 0510');
    expect(attack('')).toContain('no breakout and no die for it: DE243/1 are still in 0510');
  });

  test('a full hex, a zone on the way, an enemy in the next hex, a result without an advance', () => {
    const won = (units: Record<string, string>, dice: ScriptedRoll[], line: string) =>
      said({ US4: '0509', 'DE243/1': '0510', ...units }, { allied: [line], dice });
    const full = 'ATTACK 0510 WITH US4 US9/1 ADVANCE US4 -> 0510 ADVANCE US9/1 -> 0510';
    const dice = [
      { purpose: 'battle 0510', rolls: [1] },
      { purpose: 'breakout 0510', rolls: [3] },
    ];
    expect(won({ 'US9/1': '0609' }, dice, full)).toContain(
      'US9/1 cannot end in 0510 beside US4/1, US4/2, US4/3: a hex holds three units or one division (OVL-STK-01)',
    );
    const on = 'ATTACK 0510 WITH US4 BREAKOUT US4/1 -> 0510 0511 0512';
    expect(won({ 'DE709/1': '0411' }, dice, on)).toContain(
      'US4/1 stops in 0511, in the zone of control of DE709/1; the step to 0512 is not made (OVL-ZOC-02)',
    );
    expect(won({ 'DE709/1': '0512' }, dice, on)).toContain(
      'US4/1 cannot enter 0512, which is held by DE709/1 (OVL-CBT-01)',
    );
    const back = 'ATTACK 0510 WITH US4/1 US4/2 ADVANCE US4/1';
    expect(won({}, [{ purpose: 'battle 0510', rolls: [4] }], back)).toContain(
      'US4/1 cannot follow to 0510: D BK 1 gives no advance (OVL-CRE-03)',
    );
  });

  test('the way over an edge that is none is refused at once', () => {
    const state = position(board, { turn: 3, step: 'allied', units: { US4: '0509', 'DE243/1': '0510' } });
    const line = 'ATTACK 0510 WITH US4 BREAKOUT US4/1 -> 0510 SOUTH';
    expect(codes(read(board, state, 'allied', [line]).diagnostics)).toEqual(['1 WRONG EDGE']);
  });

  test('an exit from a breakout that falls short by its points says so', () => {
    const lines = said(
      { US2A: '0528', 'DE709/1': '0529' },
      {
        allied: ['ATTACK 0529 WITH US2A BREAKOUT US2A/1 -> 0529 0530 SOUTH'],
        dice: [
          { purpose: 'battle 0529', rolls: [1] },
          { purpose: 'breakout 0529', rolls: [2] },
        ],
      },
    );
    expect(lines).toContain(
      'US2A/1 stops in 0530: to leave the board would cost 3 MP in all and it has 2 (OVL-MOV-02)',
    );
  });
});

describe('OVL-X07 a road never makes a hex dearer than none', () => {
  const moved = (interdiction: Record<string, number>, order: string, unit = 'DE243/1', at = '0210') => {
    const state = position(board, { turn: 5, units: { [unit]: at }, table: { interdiction } });
    const [event] = eventsOf(play(board, state, { german: [order] }).events, 'moved');
    return [event?.path.at(-1), event?.costs[0]];
  };

  test('beside an interdicted road the unit marches at terrain cost', () => {
    expect(moved({ '0211': 4 }, 'MOVE DE243/1 -> 0211 0212')).toEqual(['0212', 5]);
  });

  test('whatever is interdicted, a unit gets as far as over the same hexes without a road', () => {
    const hexes = ['0205', '0206', '0207', '0208', '0209', '0210'];
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...hexes), fc.integer({ min: 1, max: 4 })), (interdiction) => {
        const [end, cost] = moved(interdiction, `MOVE DE243/1 -> ${hexes.join(' ')}`, 'DE243/1', '0204');
        // Plain hexes: a point each beside the road, a quarter on it where nothing lies.
        const least = hexes.map((hex) => (interdiction[hex] ? 4 : 1));
        let spent = 0;
        const within = hexes.filter((_, i) => {
          spent += least[i]!;
          return spent <= 16;
        });
        expect(end).toBe(within.at(-1));
        expect(cost).toBeLessThanOrEqual(16);
      }),
      { numRuns: RUNS },
    );
  });
});

describe('OVL-X08 the default withdrawal comes nearest to the number due', () => {
  test('an equal number goes alone; more only where it cannot be helped', () => {
    const gone = (units: Record<string, string>, factors: number) => {
      const state = position(board, { turn: 22, units, table: { owed: [{ hex: '0530', factors }] } });
      return eventsOf(play(board, state, {}).events, 'withdrawal')[0];
    };
    expect(gone({ 'DE243/1': '0527', 'DE709/1': '0527' }, 4)).toMatchObject({ units: ['DE243/1'], removed: 4 });
    expect(gone({ 'DE243/1': '0527', 'DE709/1': '0527' }, 2)).toMatchObject({ units: ['DE709/1'], removed: 2 });
    expect(gone({ 'DE243/1': '0527', 'DE709/1': '0527' }, 5)).toMatchObject({ removed: 6 });
    // A nearer unit goes first, however well a farther one would fit.
    expect(gone({ 'DE243/1': '0526', 'DE709/1': '0527' }, 4)).toMatchObject({ removed: 6 });
  });

  test('of all sets of equally near units none that suffices is smaller', () => {
    const names = ['DE243/1', 'DE709/1', 'DE12SS/1', 'DE21/1', 'DE91/1'];
    fc.assert(
      fc.property(fc.subarray(names, { minLength: 1 }), fc.integer({ min: 1, max: 24 }), (units, factors) => {
        const table = { owed: [{ hex: '0530', factors }] };
        const at = Object.fromEntries(units.map((unit) => [unit, '0527']));
        const [event] = eventsOf(play(board, position(board, { turn: 22, units: at, table }), {}).events, 'withdrawal');
        const worth = units.map((unit) => board.campaign.units[board.campaign.unitIndex.get(unit)!]!.cf);
        const sums = Array.from({ length: 2 ** units.length }, (_, set) =>
          worth.reduce((sum, cf, i) => sum + (Math.floor(set / 2 ** i) % 2) * cf, 0),
        ).filter((sum) => sum >= factors);
        expect(event?.removed).toBe(sums.length > 0 ? Math.min(...sums) : worth.reduce((sum, cf) => sum + cf, 0));
      }),
      { numRuns: RUNS },
    );
  });
});

describe('OVL-X09 the owner says who retreats first', () => {
  const units = {
    'DE243/1': '0510',
    'DE709/1': '0510',
    'DE91/1': '0511',
    'DE91/2': '0511',
    US2A: '0509',
    US3A: '0409',
    'US9/1': '0609',
    'US1/1': '0309',
  };
  const state = position(board, { turn: 3, step: 'allied', units });
  const attack = { allied: ['ATTACK 0510 WITH US2A'], dice: [{ purpose: 'battle 0510', rolls: [4] }] };
  const left = (german: string[]) => {
    const { state: after } = play(board, state, { ...attack, german });
    return ['DE243/1', 'DE709/1'].filter((unit) => after.table.units[unit] !== 'lost');
  };

  test('default: the stronger; doctrine: whoever it names', () => {
    expect(left([])).toEqual(['DE243/1']);
    expect(left(['DOCTRINE FIRST DE709/1'])).toEqual(['DE709/1']);
    expect(left(['DOCTRINE FIRST DE709'])).toEqual(['DE709/1']);
    expect(left(['DOCTRINE FIRST DE709/1', 'DOCTRINE FIRST NONE'])).toEqual(['DE243/1']);
  });

  test('ASK FIRST puts the question by mail', () => {
    const result = judge(board, state, { ...attack, german: ['ASK FIRST'] });
    expect(result.status).toBe('waiting');
    if (result.status !== 'waiting') return;
    const [request] = result.requests;
    expect(request).toMatchObject({ to: 'german', kind: 'first', options: asWritten(['DE243/1', 'DE709/1']) });
    const answers = { [request!.id]: { chosen: ['DE709/1'], by: 'answer' as const } };
    const { state: after } = play(board, state, { ...attack, german: ['ASK FIRST'], answers });
    expect(after.table.units['DE243/1']).toBe('lost');
  });

  test('nobody is asked where it makes no difference', () => {
    const free = position(board, {
      turn: 3,
      step: 'allied',
      units: { 'DE243/1': '0510', 'DE709/1': '0510', US2A: '0509' },
    });
    const { decisions } = play(board, free, { ...attack, german: ['ASK FIRST'] });
    expect(decisions.filter(({ id }) => id.startsWith('first'))).toEqual([]);
  });
});

describe('OVL-M a refusal says what to write', () => {
  const state = position(normandy, { turn: 3, step: 'allied', units: { US9: 'off', US1: '2010', BR3: '2410' } });
  test.each([
    ['EXIT US1/1 WEST', 'only the south and the east edge count'],
    ['EXIT US1/1 -> 2011 WEST', 'only the south and the east edge count'],
    ['MOVE US1 to 2011', 'write -> before the way: -> 2011'],
    ['MOVE US1 TO 2011', 'write -> before the way: -> 2011'],
    ['MOVE US1 - 2011', 'write -> before the way: -> 2011'],
    ['MOVE US1 > 2011', 'write -> before the way: -> 2011'],
    ['MOVE US1 2011', 'write -> before the way: -> 2011'],
    ['LAND US9 1407', 'write LAND unit AT 1407'],
    ['LAND US9 ON 1407', 'write LAND unit AT 1407'],
    ['ATTACK WITH BR3', 'which hex is attacked?'],
    ['LAND US9 AT UTAH', 'write the number of the hex instead of UTAH'],
    ['MOVE BR3/1 -> Caen', 'write the number of the hex instead of Caen: '],
    ['MOVE BR3/1 -> US1', 'US1 is a unit'],
  ])('%s', (line, says) => {
    const found = read(normandy, state, 'allied', [line]);
    expect(complaints(found.diagnostics)[0]).toContain(says);
    expect(found.orders).toEqual([]);
  });

  test('M6 an exit stopped by a zone names who holds it', () => {
    const near = position(board, { turn: 3, step: 'allied', units: { 'US9/2': '0529', 'DE243/1': '0630' } });
    const [first] = complaints(read(board, near, 'allied', ['EXIT US9/2 -> 0530 SOUTH']).diagnostics);
    expect(first).toContain('in the zone of control of DE243/1; it does not leave the board');
  });
});
