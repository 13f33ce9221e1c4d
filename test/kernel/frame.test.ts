import { describe, expect, test } from 'vitest';
import {
  FRAME,
  isFrameLine,
  isHarmless,
  looksLikeOrder,
  readHeaderLine,
  remarkOf,
  unmarked,
  withoutFullStop,
} from '../../src/kernel/frame.ts';
import { readBlock } from '../../src/kernel/orders.ts';
import { readCommand } from '../../src/turn/commandwords.ts';

const verbs = new Set(['MOVE', 'HOLD', 'ATTACK', 'SUPPORT', 'SECTIONS']);
const opens = (text: string): boolean => /^(?:MOVE|HOLD|GAME|TURN|FINAL|END)\b/i.test(text);

describe('the words of the frame', () => {
  const spoken = FRAME.filter(({ word }) => ['FINAL', 'WAIT', 'CHECK', 'ADD', 'CLEAR'].includes(word));

  test.each(spoken.map((row) => [row.word, row] as const))('%s is one word for every reader', (word, row) => {
    const names = [word, ...(word === 'FINAL' ? ['set final', 'SET NOWAIT', 'commit', 'READY', 'FinalOrders'] : [])];
    const endings = ['', ...row.forgives];
    for (const name of names)
      for (const ending of endings) {
        expect(readCommand(`${name}${ending}`)?.row.name, `${name}${ending}`).toBe(word);
        if (word === 'FINAL') expect(readBlock([`${name}${ending}`]).final, `${name}${ending}`).toBe(true);
        if (word === 'WAIT') expect(readBlock([`${name}${ending}`]).wait).toBe(true);
        if (word === 'ADD') expect(readBlock([`${name}${ending}`]).add).toBe(true);
      }
  });

  test.each(['END', 'end.', 'END!', 'End of orders', 'END # all'])('%s ends a block', (line) => {
    expect(isFrameLine(line, 'END')).toBe(true);
  });

  test.each(['end of the bridge', 'Final thoughts: none', 'FINAL ASSAULT', 'wait for me'])('%s is none', (line) => {
    expect([isFrameLine(line, 'END'), isFrameLine(line, 'FINAL'), isFrameLine(line, 'WAIT')]).not.toContain(true);
  });
});

describe('header lines', () => {
  test.each([
    ['GAME ovl-0017 TURN 3 SIDE German', 'GAME=ovl-0017 TURN=3 SIDE=German'],
    ['Turn: 3', 'TURN=3'],
    ['GAME: OVL-0017, TURN: 3.', 'GAME=OVL-0017 TURN=3'],
    ['STEP set-up', 'STEP=set-up'],
    ['MAIL O AFTER 3', 'MAIL=O AFTER=3'],
    ['TURN 3 # the present one', 'TURN=3'],
  ])('%s', (line, fields) => {
    expect(
      readHeaderLine(line)
        ?.map(({ name, value }) => `${name}=${value}`)
        .join(' '),
    ).toBe(fields);
  });

  test.each([
    'Turn 1 was great fun, thanks!',
    'GAME OVL-0017 is going well',
    'MAIL 12',
    'BATTLE 2810 WITH 352',
    'TURN',
    'Side note: none',
  ])('%s is none', (line) => {
    expect(readHeaderLine(line)).toBeUndefined();
  });
});

describe('marks around a line', () => {
  test.each([
    ['1. HOLD DE243', 'HOLD DE243', 1],
    ['2) MOVE A -> 1', 'MOVE A -> 1', 2],
    ['(3) MOVE A -> 1', 'MOVE A -> 1', 3],
    ['- HOLD DE243', 'HOLD DE243', undefined],
    ['• HOLD DE243', 'HOLD DE243', undefined],
    ['* HOLD DE243', 'HOLD DE243', undefined],
    ['*MOVE* A -> 1', 'MOVE A -> 1', undefined],
    ['**MOVE A -> 1**', 'MOVE A -> 1', undefined],
    ['- *FINAL*', 'FINAL', undefined],
    ['MOVE *A* -> 1', 'MOVE A -> 1', undefined],
    ['HOLD *', 'HOLD *', undefined],
    ['HOLD DE12* DE13*', 'HOLD DE12* DE13*', undefined],
    ['- Hello Ben', '- Hello Ben', undefined],
    ['*Hello* Ben', '*Hello* Ben', undefined],
  ])('%s', (line, text, number) => {
    expect(unmarked(line, opens)).toEqual(number === undefined ? { text } : { text, number });
  });

  test('one full stop may end an order; more is no full stop', () => {
    expect(withoutFullStop('HOLD A.')).toBe('HOLD A');
    expect(withoutFullStop('HOLD A. # stay')).toBe('HOLD A # stay');
    expect(withoutFullStop('HOLD A...')).toBe('HOLD A...');
  });

  test('a remark changes nothing when it holds no digit, condition or word of the game', () => {
    const known = (word: string): boolean => word === 'CAEN' || word === 'B';
    expect(remarkOf('HOLD A (as before).')).toEqual({ order: 'HOLD A', remark: 'as before' });
    expect(remarkOf('HOLD A')).toBeUndefined();
    expect(['as before', 'good luck!', 'b for bravo'].map((one) => isHarmless(one, known))).toEqual([true, true, true]);
    for (const remark of ['if clear', 'Only A', 'not yet', 'to Caen', '2 steps', 'B', 'or else', '-> Caen'])
      expect(isHarmless(remark, known), remark).toBe(false);
  });
});

describe('what looks like an order', () => {
  test.each([
    'MOVE DE3P -> 1025',
    'Hi Ben, MOVE DE12SS -> 4016 3916',
    'MVOE DE3P 1025',
    'MOVVE DE3P -> 1025',
    'hold DE243 please',
    'SECTIONS C E',
    'please attack 2810 at once',
    'and then hold DE243',
    'DE3P -> 1025',
  ])('%s', (line) => {
    expect(looksLikeOrder(line, verbs)).toBe(true);
  });

  test.each([
    'Good luck, Ben!',
    'Hold on, Ben!',
    'Move along, 2 beers for you.',
    'We should move on 3 May 2026 at 19:30.',
    'Sent from my Galaxy S21',
    'Tel. +49 171 2345678',
    'The information in this e-mail may support a claim; see clause 12.',
    'Cheers',
    'Turn 1 was great fun, thanks!',
  ])('%s does not', (line) => {
    expect(looksLikeOrder(line, verbs)).toBe(false);
  });
});
