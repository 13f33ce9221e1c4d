import { describe, expect, test } from 'vitest';
import { readBlock, warning } from '../../../src/kernel/orders.ts';
import type { Diagnostic, GameState, Order, Rules } from '../../../src/kernel/types.ts';
import { droppedLines, headerFaults, readOrders } from '../../../src/turn/filing/reading.ts';
import { tinyScenarios } from '../../helpers/service.ts';

const { rules, scenario } = tinyScenarios().open('tiny/race');
const state = rules.setup(
  { squares: 6 },
  { roll: () => [1], shuffle: (_context, items) => [...items], draw: () => {} },
);

describe('reading a block', () => {
  test('good lines stand, bad ones are told with their numbers, in the order written', () => {
    const read = readOrders(rules, state, 'red', [
      'GAME TNY-0001',
      'RUN FAST # quick',
      'DANCE',
      'RUN STEADY',
      'END',
      'RUN JUMP',
    ]);
    expect(read.lines).toEqual(['RUN FAST', 'RUN STEADY']);
    expect(read.echo.map((line) => [line.n, line.status])).toEqual([
      [2, 'ok'],
      [3, 'error'],
      [4, 'ok'],
    ]);
  });

  test('what depended on a dropped line is dropped, too, and told', () => {
    const shaky: Rules = {
      ...rules,
      // The second order needs the first; the first is illegal.
      check: (_view, orders) => {
        const lines = orders.map((order: Order) => order.line);
        const fault = (line: number): Diagnostic => ({
          code: 'NOT UNDERSTOOD',
          severity: 'error',
          line,
          params: { text: '' },
        });
        if (lines.includes(1)) return [fault(1)];
        return lines.includes(2) ? [fault(2)] : [];
      },
    };
    const read = readOrders(shaky, state, 'red', ['RUN FAST', 'RUN STEADY', 'RUN JUMP']);
    expect(read.lines).toEqual(['RUN JUMP']);
    expect(read.echo.map((line) => line.status)).toEqual(['error', 'error', 'ok']);
  });

  test('one full stop, and a remark in parentheses that changes nothing, may end an order', () => {
    const read = readOrders(rules, state, 'red', ['RUN FAST.', 'RUN STEADY (as agreed)', 'run jump (at last!).']);
    expect(read.lines).toEqual(['RUN FAST', 'RUN STEADY', 'RUN JUMP']);
    expect(read.echo.map((line) => [line.text, line.status])).toEqual(read.lines.map((line) => [line, 'ok']));
  });

  test.each(['if he moves', 'not now', 'only 2', 'then jump', 'RUN', 'or not'])(
    'a remark that could: (%s)',
    (remark) => {
      const read = readOrders(rules, state, 'red', [`RUN FAST (${remark})`, 'RUN STEADY']);
      expect(read.lines).toEqual(['RUN STEADY']);
      expect(read.echo[0]).toMatchObject({ status: 'error', diagnostics: [{ code: 'REMARK UNCLEAR' }] });
    },
  );

  test('a second order behind a semicolon is an order; a line of which half is wrong is refused whole', () => {
    expect(readOrders(rules, state, 'red', ['RUN FAST; RUN STEADY # both']).lines).toEqual(['RUN FAST', 'RUN STEADY']);
    const half = readOrders(rules, state, 'red', ['RUN FAST; RUN BACKWARDS']);
    expect([half.lines, half.echo[0]!.status]).toEqual([[], 'error']);
  });

  test('a warning drops nothing', () => {
    const careful: Rules = { ...rules, check: () => [warning('NO JUMP LEFT', 1)] };
    const read = readOrders(careful, state, 'red', ['RUN FAST']);
    expect([read.lines, read.echo[0]!.status]).toEqual([['RUN FAST'], 'warning']);
  });

  test('a line too long, and too many lines', () => {
    const long = readOrders(rules, state, 'red', ['RUN FAST', `RUN ${'X'.repeat(600)}`]);
    expect(long.echo.map((line) => line.status)).toEqual(['ok', 'error']);
    expect(readOrders(rules, state, 'red', Array<string>(401).fill('RUN FAST')).mail).toEqual([
      expect.objectContaining({ code: 'TOO MANY LINES' }),
    ]);
  });

  test('ADD keeps the old lines that are about other units', () => {
    const old = readOrders(rules, state, 'red', ['RUN FAST', 'RUN STEADY']).orders;
    const read = readOrders(rules, state, 'red', ['ADD', 'RUN FAST'], { orders: old });
    expect(read.lines).toEqual(['RUN STEADY', 'RUN FAST']);
    expect(read.echo.map((line) => line.text)).toEqual(['RUN FAST']);
  });

  test('answers are taken out of the orders, with the lines below an empty one', () => {
    const read = readOrders(rules, state, 'red', ['RUN FAST', 'ANSWER 2: 1 # yes', 'ANSWER 3', 'MOVE A -> B', 'END']);
    expect(read.lines).toEqual(['RUN FAST']);
    expect(read.answers.map((answer) => [answer.number, answer.lines.map((line) => line.text)])).toEqual([
      [2, ['1']],
      [3, ['MOVE A -> B']],
    ]);
  });
});

describe('the header', () => {
  const expected = { ref: 'TNY-0001', side: 'red', scenario, phase: { n: 3, turn: 3, step: 'Run', battle: 2 } };
  const faults = (...lines: string[]): string[] => headerFaults(readBlock(lines), expected).map((one) => one.code);

  test('may be left out, and what is given must fit', () => {
    expect(faults('RUN FAST')).toEqual([]);
    expect(faults('GAME TNY-0001 TURN 3 BATTLE 2 SIDE RED STEP RUN')).toEqual([]);
    expect(faults('SIDE R')).toEqual([]);
    expect(faults('GAME TNY-0002', 'TURN 2', 'BATTLE 1', 'SIDE BLUE', 'STEP FIRE')).toEqual([
      'OTHER GAME',
      'OTHER TURN',
      'OTHER BATTLE',
      'OTHER SIDE',
      'OTHER STEP',
    ]);
  });
});

test('earlier lines that no longer stand, and whether most units were forgotten', () => {
  const read = (...lines: string[]): Order[] => readOrders(rules, state, 'red', lines).orders;
  const old = read('RUN FAST', 'RUN STEADY', 'RUN JUMP');
  const lines = ['RUN FAST', 'RUN STEADY', 'RUN JUMP'];
  expect(droppedLines(rules, old, read('RUN FAST'))).toEqual({ dropped: lines.slice(1), mostly: true });
  expect(droppedLines(rules, old, read('RUN FAST', 'RUN JUMP'))).toEqual({ dropped: ['RUN STEADY'], mostly: false });
  expect(droppedLines(rules, [], read('RUN FAST'))).toEqual({ dropped: [], mostly: false });
});

test('reading changes nothing of the state', () => {
  const before = JSON.stringify(state);
  readOrders(rules, state as GameState, 'red', ['RUN FAST', 'DOCTRINE RUN STEADY']);
  expect(JSON.stringify(state)).toBe(before);
});
