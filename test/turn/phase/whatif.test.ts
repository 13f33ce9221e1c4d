import { describe, expect, test } from 'vitest';
import type { GameState, GameSystem } from '../../../src/kernel/types.ts';
import { openWording, TEMPLATES } from '../../../src/render/words.ts';
import { openContent } from '../../../src/scenarios.ts';
import { type WhatIfInput, whatIf } from '../../../src/turn/phase/whatif.ts';
import { TINY_TEMPLATES, type Tiny, tiny } from '../../helpers/tiny.ts';

const wording = openWording('en', [TEMPLATES, TINY_TEMPLATES]);
const open = openContent(tiny as unknown as GameSystem, 'tiny/race', { 'scenario-race.json': { squares: 6 } });
const seed = Buffer.alloc(32, 7);

function run(input: Partial<WhatIfInput>) {
  return whatIf({ open, seed, orders: {}, ...input }, wording);
}

/** Red on 2, blue on 1. */
function chase(): GameState {
  const { scenario: _scenario, ...state } = run({ orders: {} }).state;
  (state.table as Tiny['table']).places = { red: 2, blue: 1 };
  return state;
}

describe('whatIf', () => {
  test('runs the first phase of a scenario from the orders of both sides', () => {
    const result = run({ orders: { red: ['RUN FAST', 'END'], blue: ['RUN STEADY'] }, dice: [5] });
    expect(result.phase).toEqual({ n: 1, turn: 1, step: 'run' });
    expect(result.state).toMatchObject({
      scenario: 'tiny/race',
      phase: { n: 2 },
      table: { places: { red: 2, blue: 1 }, weather: 'dry' },
    });
    expect(result.dice.filter((roll) => !roll.secret)).toEqual([
      { context: 'what-if/1.run/red runs fast', sides: 6, rolls: [5] },
    ]);
    expect(result.events.map((event) => event.type)).toEqual(['ran', 'ran']);
    expect(JSON.parse(JSON.stringify(result))).toEqual(result);
  });

  test('the order of a shuffle can be given, of the set-up as well; one that never comes is refused', () => {
    const dry = run({ orders: { red: ['RUN FAST', 'END'] }, dice: [5] });
    expect(dry.state.table).toMatchObject({ weather: 'dry', places: { red: 2 } });
    const muddy = run({ orders: { red: ['RUN FAST', 'END'] }, dice: [5], shuffles: { 'weather deck': ['mud'] } });
    expect(muddy.state.table).toMatchObject({ weather: 'mud', places: { red: 1 } });
    expect(() => run({ dice: [], shuffles: { 'weather deck': ['snow'] } })).toThrow(
      '"snow" is not among what is shuffled',
    );
    expect(() => run({ dice: [], shuffles: { cups: ['mud'] } })).toThrow('never shuffled: cups');
  });

  test('a receipt repeats each line with what was understood or what is wrong', () => {
    const { receipts } = run({
      orders: { red: ['TURN 1', 'run fast', 'DANCE', 'DOCTRINE CAPTURE YES', 'FINAL'] },
      dice: [1],
    });
    expect(receipts).toEqual([
      {
        side: 'red',
        lines: [
          { line: 2, status: 'ok', code: null, rule: null, text: 'RUN FAST', order: 'run fast' },
          {
            line: 3,
            status: 'error',
            code: 'NOT UNDERSTOOD',
            rule: null,
            text: '"DANCE" is no order of this game; write RUN STEADY, RUN FAST or RUN JUMP',
            order: 'DANCE',
          },
          {
            line: 4,
            status: 'ok',
            code: null,
            rule: null,
            text: 'DOCTRINE CAPTURE YES',
            order: 'DOCTRINE CAPTURE YES',
          },
        ],
      },
    ]);
  });

  test('a fault of the whole mail files nothing', () => {
    const result = run({ orders: { red: ['TURN 1', 'TURN 2', 'RUN STEADY'] } });
    expect(result.receipts[0]!.lines[0]).toMatchObject({
      line: 'mail',
      status: 'error',
      code: 'HEADER TWICE',
      order: null,
    });
    expect(result.state.table).toMatchObject({ places: { red: 0 } });
  });

  test('a header for another turn files nothing, the reference of a game is not looked at', () => {
    expect(run({ orders: { red: ['GAME TNY-0001 TURN 1', 'RUN STEADY'] } }).state.table).toMatchObject({
      places: { red: 1 },
    });
    const result = run({ orders: { red: ['TURN 4', 'RUN STEADY'] } });
    expect(result.receipts[0]!.lines[0]).toMatchObject({ line: 'mail', status: 'error', code: 'OTHER TURN' });
    expect(result.state.table).toMatchObject({ places: { red: 0 } });
  });

  test('reports are in words, one for each side and the public', () => {
    const { report } = run({ orders: { red: ['RUN STEADY'] }, dice: [] });
    expect(Object.keys(report)).toEqual(['red', 'blue', 'public']);
    expect(report.red).toMatchObject({
      headline: 'Red stands on square 1, Blue on square 0; the track is dry.',
      sections: [{ title: 'Moves', lines: ['red runs to square 1.', 'blue runs to square 0.'] }],
    });
    expect(report.red!.orderForm).toContain('RUN STEADY');
  });

  test('takes the state it gave', () => {
    const first = run({ orders: { red: ['RUN STEADY'] } });
    const { scenario: _scenario, ...state } = first.state;
    const second = run({ state, orders: { red: ['RUN STEADY'] } });
    expect(second.phase.n).toBe(2);
    expect(second.state.table).toMatchObject({ places: { red: 2 } });
  });

  test('without a list the dice come from the seed, the same for the same', () => {
    const orders = { red: ['RUN FAST'], blue: ['RUN FAST'] };
    expect(run({ orders })).toEqual(run({ orders }));
    const rolls = new Set(
      [1, 2, 3, 4, 5, 6, 7, 8].map((n) => JSON.stringify(run({ orders, seed: Buffer.alloc(32, n) }).dice)),
    );
    expect(rolls.size).toBeGreaterThan(3);
  });

  test.each([
    [[], 'the dice list is too short: no die left for what-if/1.run/red runs fast'],
    [[1, 2], 'the dice list is too long: 1 of 2 not used'],
    [[7], '7 is no roll of a 6-sided die (what-if/1.run/red runs fast)'],
  ])('the list %j is refused', (dice, message) => {
    expect(() => run({ orders: { red: ['RUN FAST'] }, dice })).toThrow(message);
  });

  test('an option is taken, an unknown name or value is refused', () => {
    expect(run({ options: { squares: 12 } }).state.table).toMatchObject({ squares: 12 });
    expect(() => run({ options: { length: 12 } })).toThrow('tiny/race has no option length; there are: squares');
    expect(() => run({ options: { squares: 7 } })).toThrow('option squares of tiny/race can be 6, 12, 1000, not 7');
  });

  test('an unknown side is refused', () => {
    expect(() => run({ orders: { green: ['RUN FAST'] } })).toThrow('no side "green" in tiny/race; there are red, blue');
  });

  test('a game that is over has no phase to run', () => {
    const state = chase();
    (state.table as Tiny['table']).places = { red: 6, blue: 1 };
    expect(() => run({ state })).toThrow('the game is over');
  });

  describe('questions that would go out by mail', () => {
    const orders = { blue: ['RUN STEADY', 'DOCTRINE CAPTURE ASK'] };
    const id = 'capture at 2';

    test('are listed and get the fallback', () => {
      const result = run({ state: chase(), orders });
      expect(result.asked.map((request) => request.id)).toEqual([id]);
      expect(result.decisions).toEqual([{ id, chosen: ['PASS'], by: 'fallback' }]);
    });

    test('take the answer given', () => {
      const result = run({ state: chase(), orders, answers: { [id]: ['CAPTURE'] } });
      expect(result.decisions).toEqual([{ id, chosen: ['CAPTURE'], by: 'answer' }]);
    });

    test('take an ANSWER line by the number of the question', () => {
      const result = run({ state: chase(), orders: { blue: [...orders.blue, 'ANSWER 1: capture'] } });
      expect(result.decisions).toEqual([{ id, chosen: ['CAPTURE'], by: 'answer' }]);
      expect(() => run({ state: chase(), orders: { blue: [...orders.blue, 'ANSWER 1: eat'] } })).toThrow(
        `line 3 of blue: "ANSWER 1: eat" is no answer to "${id}" (NOT UNDERSTOOD)`,
      );
    });

    test('refuse what is no option, and an answer that nothing asks', () => {
      expect(() => run({ state: chase(), orders, answers: { [id]: ['EAT'] } })).toThrow(
        `"EAT" is no answer to "${id}"; there are CAPTURE, PASS`,
      );
      expect(() => run({ state: chase(), orders, answers: { lunch: ['EAT'] } })).toThrow('nothing asks "lunch"');
    });
  });

  test('doctrine in force holds for a side that files nothing, and is replaced by its key', () => {
    const before = [{ verb: 'DOCTRINE', line: 1, key: 'RUN', value: 'steady' }];
    expect(run({ standing: { red: before } }).state.table).toMatchObject({ places: { red: 1 } });
    const later = run({ standing: { red: before }, orders: { red: ['DOCTRINE RUN jump'] }, dice: [] });
    expect(later.state.table).toMatchObject({ places: { red: 3 } });
  });
});
