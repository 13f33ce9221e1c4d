import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { canonical, hashOf, sha256 } from '../../src/kernel/hash.ts';

describe('canonical', () => {
  test('sorts keys at every depth, leaves lists alone, drops what is undefined', () => {
    expect(canonical({ b: [3, 1], a: { d: null, c: 'x' }, e: undefined })).toBe('{"a":{"c":"x","d":null},"b":[3,1]}');
  });

  test('is JSON, and equal for equal values however they were built', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = canonical(value);
        const again = JSON.parse(text);
        expect(canonical(again)).toBe(text);
        expect(again).toEqual(JSON.parse(JSON.stringify(value)));
      }),
      { numRuns: 200, seed: 11 },
    );
  });

  test('refuses what JSON cannot hold', () => {
    expect(() => canonical({ a: Number.NaN })).toThrow('NaN is not JSON');
    expect(() => canonical([Number.POSITIVE_INFINITY])).toThrow('Infinity is not JSON');
    expect(() => canonical({ a: () => 1 })).toThrow('a function is not JSON');
    expect(() => canonical([undefined])).toThrow('a undefined is not JSON');
    expect(() => canonical(1n)).toThrow('a bigint is not JSON');
  });
});

test('sha256 gives the published digest of "abc"', () => {
  expect(sha256('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  expect(sha256(Buffer.from('abc'))).toBe(sha256('abc'));
});

test('equal values have equal hashes, others not', () => {
  expect(hashOf({ a: 1, b: 2 })).toBe(hashOf({ b: 2, a: 1 }));
  expect(hashOf({ a: 1, b: 2 })).not.toBe(hashOf({ a: 2, b: 1 }));
  expect(hashOf([1, 2])).not.toBe(hashOf([2, 1]));
});
