import { describe, expect, test } from 'vitest';
import {
  interspaceAt,
  interspaceName,
  octantOf,
  sectorOf,
  squareAt,
  squareName,
  squaresBetween,
  strictlyBetween,
  turned,
} from '../../src/board/square.ts';

describe('names', () => {
  test('squares and interspaces read back', () => {
    expect(squareAt('D9')).toEqual({ column: 3, row: 8 });
    expect(squareAt('d9')).toEqual({ column: 3, row: 8 });
    expect(squareName(3, 8)).toBe('D9');
    expect(interspaceAt('@D9')).toEqual([8, 18]);
    expect(interspaceName([8, 18])).toBe('@D9');
    for (const wrong of ['', 'D', '9', 'DD9', 'D0', 'D100', '@'])
      expect([squareAt(wrong), interspaceAt(wrong)]).toEqual([undefined, undefined]);
  });
});

describe('range', () => {
  test.each([
    [[1, 1], [1, 1], 0],
    [[1, 1], [3, 3], 1],
    [[1, 1], [15, 5], 7],
    [[1, 1], [17, 5], 8],
    [[1, 21], [4, 22], 2],
  ] as const)('G-08 3.2.3-range-c from %j to %j is %i', (a, b, n) => {
    expect(squaresBetween(a, b)).toBe(n);
    expect(squaresBetween(b, a)).toBe(n);
  });
});

describe('sectors of 90 degrees', () => {
  test.each([
    [0, [5, 1], 'inside'],
    [0, [9, 1], 'edge'],
    [0, [11, 3], 'outside'],
    [0, [5, 9], 'outside'],
    [1, [9, 1], 'inside'],
    [1, [5, 1], 'edge'],
    [1, [9, 5], 'edge'],
    [1, [3, 1], 'outside'],
    [2, [9, 4], 'inside'],
  ] as const)('G-12 facing %i from [5,5] towards %j is %s', (facing, to, sector) => {
    expect(sectorOf(facing, [5, 5], to)).toBe(sector);
  });
});

test('directions', () => {
  expect(octantOf([1, 1], [7, 1])).toBe(2);
  expect(octantOf([1, 1], [1, 1])).toBeUndefined();
  expect([turned(0, -1), turned(7, 1), turned(6, 4)]).toEqual([7, 0, 2]);
});

test('a point strictly between two others', () => {
  expect(strictlyBetween([1, 1], [5, 5], [2, 2])).toBe(true);
  expect(strictlyBetween([1, 1], [5, 5], [5, 5])).toBe(false);
  expect(strictlyBetween([1, 1], [5, 5], [6, 6])).toBe(false);
  expect(strictlyBetween([1, 1], [5, 5], [2, 3])).toBe(false);
});
