import { describe, expect, test } from 'vitest';
import { best, chanceOf } from '../../src/kernel/planner.ts';

describe('chanceOf', () => {
  test('the same word draws the same, another word something else', () => {
    const draws = (word: string): number[] => {
      const chance = chanceOf(word);
      return Array.from({ length: 20 }, () => chance.below(1000));
    };
    expect(draws('one')).toEqual(draws('one'));
    expect(draws('one')).not.toEqual(draws('two'));
  });

  test('below, pick and often keep within their bounds and reach them', () => {
    const chance = chanceOf('bounds');
    const drawn = new Set(Array.from({ length: 200 }, () => chance.below(4)));
    expect([...drawn].sort()).toEqual([0, 1, 2, 3]);
    expect(new Set(Array.from({ length: 50 }, () => chance.pick(['a', 'b'])))).toEqual(new Set(['a', 'b']));
    const often = Array.from({ length: 1000 }, () => chance.often(30)).filter(Boolean).length;
    expect(often).toBeGreaterThan(230);
    expect(often).toBeLessThan(370);
    expect(chance.often(0)).toBe(false);
    expect(chance.often(100)).toBe(true);
  });
});

test('best: the most worth, the first among equals, nothing of nothing', () => {
  expect(best([3, 9, 4], (n) => n)).toBe(9);
  expect(best(['a', 'bb', 'cc'], (word) => word.length)).toBe('bb');
  expect(best([], () => 1)).toBeUndefined();
});
