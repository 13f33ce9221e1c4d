import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  error,
  joinLines,
  LINE_LENGTH_MAX,
  matchName,
  ORDER_LINES_MAX,
  readBlock,
  splitLine,
  suggest,
  warning,
} from '../../src/kernel/orders.ts';
import type { Verb } from '../../src/kernel/types.ts';

const words = (text: string): string[][] =>
  splitLine({ n: 1, text })?.clauses.map((clause) => clause.map((word) => word.text)) ?? [];

describe('splitLine', () => {
  test.each([
    ['MOVE 21/192 2810->2811', [['MOVE', '21/192', '2810', '->', '2811']]],
    ['move  a,b -> A1.31', [['move', 'a', ',', 'b', '->', 'A1.31']]],
    [
      'ATTACK 2811 WITH 352 ; RETREAT TO 2709; ADVANCE',
      [['ATTACK', '2811', 'WITH', '352'], ['RETREAT', 'TO', '2709'], ['ADVANCE']],
    ],
    ['FIRE # at the church', [['FIRE']]],
    ['NAME "Ste. Mère; Église" X', [['NAME', 'Ste. Mère; Église', 'X']]],
    ['NAME "left open', [['NAME', 'left open']]],
    ['IF odds>=3', [['IF', 'odds>=3']]],
    ['A-B -1 a->b', [['A-B', '-1', 'a', '->', 'b']]],
    ['; ;', []],
    ['# all comment', []],
    ['   ', []],
  ])('%s', (text, clauses) => {
    expect(words(text)).toEqual(clauses);
  });

  test('a semicolon never begins a comment', () => {
    expect(words('MOVE 352 -> 2811 ; as agreed')).toEqual([
      ['MOVE', '352', '->', '2811'],
      ['as', 'agreed'],
    ]);
  });

  test('columns count from 1 at the word itself', () => {
    const columns = splitLine({ n: 4, text: 'MOVE  352->"x y" ,b' })!.clauses[0]!.map((word) => [
      word.text,
      word.column,
    ]);
    expect(columns).toEqual([
      ['MOVE', 1],
      ['352', 7],
      ['->', 10],
      ['x y', 12],
      [',', 18],
      ['b', 19],
    ]);
  });

  test('keeps the number of the line, and words in upper case beside', () => {
    expect(splitLine({ n: 9, text: 'Hold é' })).toMatchObject({
      n: 9,
      clauses: [[{ upper: 'HOLD' }, { upper: 'É' }]],
    });
  });

  test('whatever is written, it ends and no clause is empty', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
        const split = splitLine({ n: 1, text });
        expect(split === undefined || split.clauses.every((clause) => clause.length > 0)).toBe(true);
      }),
      { numRuns: 300, seed: 3 },
    );
  });
});

describe('joinLines', () => {
  test('a line that begins with a bar, an arrow or a comma continues the one above', () => {
    expect(joinLines(['MOVE 352', '-> 2810', ', 2811', '| -> 2812', 'HOLD 716'])).toEqual([
      { n: 1, text: 'MOVE 352 -> 2810 , 2811 -> 2812' },
      { n: 5, text: 'HOLD 716' },
    ]);
  });

  test('a comment above does not swallow the continuation', () => {
    expect(joinLines(['MOVE 352 # slowly', '-> 2810'])).toEqual([{ n: 1, text: 'MOVE 352 -> 2810' }]);
  });

  test('in a script the bar separates clauses and stays', () => {
    const script: Verb = {
      verb: 'ON',
      pattern: 'ON n: …',
      help: { key: 'none' },
      clauses: [],
      examples: [],
      script: true,
    };
    expect(joinLines(['ON 1: MOVE', '| FIRE'], [script])).toEqual([{ n: 1, text: 'ON 1: MOVE | FIRE' }]);
    expect(joinLines(['ON 1: MOVE', '| FIRE'])).toEqual([{ n: 1, text: 'ON 1: MOVE FIRE' }]);
  });

  test('nothing is joined to a note or to nothing', () => {
    expect(joinLines(['| MOVE', '// note', '-> x'])).toEqual([
      { n: 1, text: '| MOVE' },
      { n: 2, text: '// note' },
      { n: 3, text: '-> x' },
    ]);
  });
});

describe('readBlock', () => {
  test('reads header, flags, notes and orders up to END', () => {
    const block = readBlock([
      'GAME ovl-0017 TURN 3 SIDE German',
      'STEP move',
      '',
      '// remember Caen',
      'MOVE 352 -> 2810 # first',
      '# nothing here',
      'final',
      'END',
      'MOVE 716 -> 2811',
    ]);
    expect(block).toEqual({
      game: 'OVL-0017',
      turn: 3,
      side: 'german',
      step: 'move',
      final: true,
      wait: false,
      add: false,
      notes: ['remember Caen'],
      lines: [{ n: 5, text: 'MOVE 352 -> 2810 # first' }],
      diagnostics: [],
    });
  });

  test.each(['FINAL', 'SET FINAL', 'nowait', 'Commit', 'READY', 'FINAL # done'])('%s: everything is in', (line) => {
    expect(readBlock([line])).toMatchObject({ final: true, lines: [] });
  });

  test('WAIT and ADD are flags; within an order they are words', () => {
    expect(readBlock(['ADD', 'SET WAIT'])).toMatchObject({ add: true, wait: true, lines: [] });
    expect(readBlock(['ADD 352', 'FINAL ASSAULT'])).toMatchObject({
      add: false,
      final: false,
      lines: [
        { n: 1, text: 'ADD 352' },
        { n: 2, text: 'FINAL ASSAULT' },
      ],
    });
  });

  test('the battle is given as BATTLE or AFTER', () => {
    expect(readBlock(['GAME CCN-0001', 'BATTLE 2'])).toMatchObject({ battle: 2 });
    expect(readBlock(['GAME CCN-0001', 'MAIL O AFTER 3'])).toMatchObject({ battle: 3, step: 'o' });
  });

  test('a header word that stands as a verb is an order; a header below an order is still one', () => {
    expect(readBlock(['BATTLE 2810 WITH 352']).lines).toHaveLength(1);
    expect(readBlock(['MOVE 352 -> 2810', 'TURN 3'])).toMatchObject({ turn: 3, lines: [{ n: 1 }] });
    const turn: Verb = { verb: 'TURN', pattern: 'TURN n', help: { key: 'none' }, clauses: [], examples: [] };
    expect(readBlock(['TURN 3', 'TURN 4'], [turn])).toMatchObject({ turn: 4, diagnostics: [{ code: 'HEADER TWICE' }] });
    expect(readBlock(['MOVE 352 -> 2810', 'TURN 3'], [turn]).lines).toHaveLength(2);
  });

  test('below END nothing is read but a block with a header of its own', () => {
    const block = readBlock(['TURN 3', 'HOLD 352', 'END', 'HOLD 716', 'TURN 3', 'HOLD 12', 'FINAL!', 'END.']);
    expect(block).toMatchObject({ turn: 3, final: true, lines: [{ n: 2 }, { n: 6, text: 'HOLD 12' }] });
  });

  test('a header that contradicts itself is a fault of the mail', () => {
    expect(readBlock(['TURN 3', 'TURN 4']).diagnostics).toEqual([
      error('HEADER TWICE', 'mail', { word: 'TURN', line: 2 }),
    ]);
    expect(readBlock(['TURN 3', 'TURN 3']).diagnostics).toEqual([]);
  });

  test('limits: too many lines read nothing, a line too long drops itself', () => {
    const many = Array.from({ length: ORDER_LINES_MAX + 1 }, () => 'HOLD 352');
    expect(readBlock(many)).toMatchObject({
      lines: [],
      diagnostics: [{ code: 'TOO MANY LINES', line: 'mail', params: { lines: 401, most: 400 } }],
    });
    const long = `MOVE ${'x'.repeat(LINE_LENGTH_MAX)}`;
    expect(readBlock([long, 'HOLD 352'])).toMatchObject({
      lines: [{ n: 2, text: 'HOLD 352' }],
      diagnostics: [{ code: 'LINE TOO LONG', line: 1 }],
    });
  });
});

describe('did you mean', () => {
  test('the nearest come first, at most three, nothing far', () => {
    expect(suggest('MOOVE', ['MOVE', 'ATTACK', 'REMOVE'])).toEqual(['MOVE']);
    expect(suggest('attak', ['ATTACK', 'MOVE'])).toEqual(['ATTACK']);
    expect(suggest('ABCDEFGHI', ['ABCDEFGH3', 'ABCDEFGH2', 'ABCDEFGH1', 'ABCDEFGHI2'])).toEqual([
      'ABCDEFGH1',
      'ABCDEFGH2',
      'ABCDEFGH3',
    ]);
    expect(suggest('ZZZZ', ['MOVE', 'ATTACK'])).toEqual([]);
  });

  test('a name is found in any case or by its beginning, and an ambiguous one lists its candidates', () => {
    const names = ['352/914', '352/915', '716/726', '716'];
    expect(matchName('352/914', names)).toEqual({ name: '352/914' });
    expect(matchName('716', names)).toEqual({ name: '716' });
    expect(matchName('716/', names)).toEqual({ name: '716/726' });
    expect(matchName('352', names)).toEqual({ among: ['352/914', '352/915'] });
    expect(matchName('353/914', names)).toEqual({ near: ['352/914', '352/915'] });
  });
});

test('diagnostics carry a rule only where one is given', () => {
  expect(error('TOO FAR', 3, { hex: '2810' })).toEqual({
    code: 'TOO FAR',
    severity: 'error',
    line: 3,
    params: { hex: '2810' },
  });
  expect(warning('NO SUPPLY', 'mail', {}, 'OVL-SUP-01')).toEqual({
    code: 'NO SUPPLY',
    severity: 'warning',
    line: 'mail',
    params: {},
    rule: 'OVL-SUP-01',
  });
});
