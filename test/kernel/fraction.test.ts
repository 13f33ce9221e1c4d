import { describe, expect, test } from 'vitest';
import { ceilDiv, compareRatios, floorDiv, mixed } from '../../src/kernel/fraction.ts';

describe('whole division', () => {
  test.each([
    [7, 2, 3, 4],
    [8, 2, 4, 4],
    [-7, 2, -4, -3],
    [0, 5, 0, 0],
    [1, 8, 0, 1],
  ])('%i : %i is %i rounded down and %i rounded up', (a, b, down, up) => {
    expect(floorDiv(a, b)).toBe(down);
    expect(ceilDiv(a, b) + 0).toBe(up);
  });

  test('refuses nothing to divide by and parts of numbers', () => {
    expect(() => floorDiv(1, 0)).toThrow('floorDiv(1, 0)');
    expect(() => ceilDiv(1, -2)).toThrow('ceilDiv(1, -2)');
    expect(() => floorDiv(1.5, 2)).toThrow('floorDiv(1.5, 2)');
  });
});

test('ratios are compared without dividing', () => {
  expect(compareRatios(3, 1, 5, 2)).toBe(1);
  expect(compareRatios(5, 2, 3, 1)).toBe(-1);
  expect(compareRatios(6, 4, 3, 2)).toBe(0);
  expect(() => compareRatios(1, 0, 1, 1)).toThrow('positive denominators');
});

test.each([
  [9, 4, '2¼'],
  [2, 4, '½'],
  [3, 4, '¾'],
  [8, 4, '2'],
  [0, 4, '0'],
  [-5, 4, '-1¼'],
  [3, 2, '1½'],
  [6, 8, '¾'],
  [9, 8, '1 1/8'],
  [1, 8, '1/8'],
  [5, 1, '5'],
])('%i of %i to the whole is read as %s', (value, parts, text) => {
  expect(mixed(value, parts)).toBe(text);
});
