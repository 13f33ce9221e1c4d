import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  CHAIN_LENGTH,
  chainKey,
  DiceListError,
  fullContext,
  listDice,
  noDice,
  phaseDice,
  rollsOf,
} from '../../src/kernel/dice.ts';

const sha = (bytes: Uint8Array): Buffer => createHash('sha256').update(bytes).digest();
const key = Buffer.from(`${'00'.repeat(31)}2a`, 'hex');
const phase = { n: 5, turn: 3, step: 'german' };

describe('rollsOf', () => {
  test('gives the published rolls', () => {
    expect(rollsOf(key, 'game42/turn7/combat3', 12, 6)).toEqual([3, 5, 5, 4, 5, 3, 6, 4, 1, 2, 5, 6]);
  });

  test('more dice of the same context begin with the same', () => {
    const many = rollsOf(key, 'a long siege', 200, 6);
    expect(rollsOf(key, 'a long siege', 40, 6)).toEqual(many.slice(0, 40));
  });

  test('every face of every kind of die comes up about equally often', () => {
    // 99.9 % limits of chi-square for the degrees of freedom used. Fixed key: this can't fail by chance.
    const limits: Record<number, number> = { 2: 10.83, 3: 13.82, 6: 20.52, 10: 27.88, 12: 31.26, 20: 43.82 };
    for (const [sides, limit] of Object.entries(limits).map(([s, l]) => [Number(s), l] as const)) {
      const counts = new Array<number>(sides).fill(0);
      const each = 60_000;
      for (let i = 0; i < each; i += 500)
        for (const roll of rollsOf(key, `sample ${i}`, 500, sides)) counts[roll - 1]!++;
      const expected = each / sides;
      const chiSquare = counts.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
      expect(chiSquare, `${sides} sides`).toBeLessThan(limit);
      expect(chiSquare, `${sides} sides`).toBeGreaterThan(0);
    }
  });

  test('every roll is from 1 to the number of sides', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 2, max: 256 }),
        fc.integer({ min: 1, max: 80 }),
        fc.string(),
        (sides, count, context) => {
          const rolls = rollsOf(key, context, count, sides);
          expect(rolls).toHaveLength(count);
          expect(rolls.every((roll) => Number.isInteger(roll) && roll >= 1 && roll <= sides)).toBe(true);
        },
      ),
      { numRuns: 100, seed: 7 },
    );
  });

  test('refuses a die that is none and a handful too many', () => {
    expect(() => rollsOf(key, 'x', 1, 1)).toThrow('no die of 1 sides');
    expect(() => rollsOf(key, 'x', 1, 257)).toThrow('no die of 257 sides');
    expect(() => rollsOf(key, 'x', 0, 6)).toThrow('cannot roll 0 dice');
    expect(() => rollsOf(key, 'x', 1001, 6)).toThrow('cannot roll 1001 dice');
  });
});

describe('chainKey', () => {
  test('each key is the hash of the next; the root is the last', () => {
    expect(chainKey(key, CHAIN_LENGTH)).toEqual(key);
    expect(chainKey(key, CHAIN_LENGTH - 1)).toEqual(sha(key));
    expect(chainKey(key, 0)).toEqual(sha(chainKey(key, 1)));
    expect(chainKey(key, 17)).toEqual(sha(chainKey(key, 18)));
  });

  test('there is no key outside the chain', () => {
    expect(() => chainKey(key, CHAIN_LENGTH + 1)).toThrow('no chain key 4097');
    expect(() => chainKey(key, -1)).toThrow('no chain key -1');
    expect(() => chainKey(key, 1.5)).toThrow('no chain key 1.5');
  });
});

describe('phaseDice', () => {
  const other = sha(key);

  test('logs each roll with its full context, as anyone can recompute it', () => {
    const dice = phaseDice(key, other, 'OVL-0017', phase);
    const rolls = dice.roll('battle 2810', 2, 6);
    expect(dice.log).toEqual([{ context: 'OVL-0017/3.german/battle 2810', sides: 6, rolls }]);
    expect(rolls).toEqual(rollsOf(key, 'OVL-0017/3.german/battle 2810', 2, 6));
  });

  test('a roll depends on its purpose and not on the order of resolution', () => {
    const one = phaseDice(key, other, 'OVL-0017', phase);
    const two = phaseDice(key, other, 'OVL-0017', phase);
    const a = one.roll('battle 2810', 1, 6);
    const b = one.roll('battle 2811', 1, 6);
    expect(two.roll('battle 2811', 1, 6)).toEqual(b);
    expect(two.roll('battle 2810', 1, 6)).toEqual(a);
  });

  test('what the rules do with the rolls they got does not change the log', () => {
    const dice = phaseDice(key, other, 'OVL-0017', phase);
    const rolls = dice.roll('battle 2810', 3, 6);
    const before = [...rolls];
    rolls.length = 0;
    expect(dice.log[0]!.rolls).toEqual(before);
  });

  test('a context can be used once, by a roll or by a shuffle', () => {
    const dice = phaseDice(key, other, 'OVL-0017', phase);
    dice.roll('battle 2810', 1, 6);
    expect(() => dice.roll('battle 2810', 1, 6)).toThrow('dice context used twice: OVL-0017/3.german/battle 2810');
    expect(() => dice.shuffle('battle 2810', [1, 2])).toThrow('used twice');
  });

  test('a shuffle is a permutation from the secret key, logged as secret', () => {
    const cards = Array.from({ length: 72 }, (_, i) => `card ${i}`);
    const dice = phaseDice(key, other, 'CCN-0001', phase);
    const shuffled = dice.shuffle('deck', cards);
    expect([...shuffled].sort()).toEqual([...cards].sort());
    expect(shuffled).not.toEqual(cards);
    expect(dice.log[0]).toMatchObject({ sides: 72, secret: true });
    expect(dice.log[0]!.rolls.map((i) => cards[i])).toEqual(shuffled);
    expect(phaseDice(sha(other), other, 'CCN-0001', phase).shuffle('deck', cards)).toEqual(shuffled);
    expect(phaseDice(key, sha(other), 'CCN-0001', phase).shuffle('deck', cards)).not.toEqual(shuffled);
  });

  test('every place of a shuffle takes every card about equally often', () => {
    const counts = Array.from({ length: 5 }, () => [0, 0, 0, 0, 0]);
    const dice = phaseDice(key, other, 'CCN-0001', phase);
    for (let i = 0; i < 5000; i++)
      dice.shuffle(`deck ${i}`, [0, 1, 2, 3, 4]).forEach((card, place) => {
        counts[place]![card]!++;
      });
    const chiSquare = counts.flat().reduce((sum, count) => sum + (count - 1000) ** 2 / 1000, 0);
    expect(chiSquare).toBeLessThan(39.25); // 16 degrees of freedom, 99.9 %
  });

  test('a card that is turned stands in the log, open, with its shuffle and place; once for each context', () => {
    const dice = phaseDice(key, key, 'CCN-0001', phase);
    const drawn = { from: 'American', card: '12 Fire', shuffle: 'American deck', place: 3 };
    dice.draw('American attack, first card', drawn);
    expect(dice.log).toEqual([
      { context: fullContext('CCN-0001', phase, 'American attack, first card'), sides: 0, rolls: [], drawn },
    ]);
    expect(() => dice.draw('American attack, first card', drawn)).toThrow('dice context used twice');
  });

  test('nothing and one thing can be shuffled', () => {
    const dice = phaseDice(key, other, 'CCN-0001', phase);
    expect(dice.shuffle('none', [])).toEqual([]);
    expect(dice.shuffle('one', ['x'])).toEqual(['x']);
  });
});

test('the full context names game, turn, step and battle', () => {
  expect(fullContext('OVL-0017', phase, 'x')).toBe('OVL-0017/3.german/x');
  expect(fullContext('CCN-0001', { ...phase, battle: 2 }, 'x')).toBe('CCN-0001/3.german.b2/x');
});

describe('listDice', () => {
  test('reads the list in order, keeps shuffles as they lie, and logs as the real dice do', () => {
    const dice = listDice('what-if', phase, [3, 5, 1]);
    expect(dice.roll('first', 2, 6)).toEqual([3, 5]);
    expect(dice.shuffle('deck', ['a', 'b'])).toEqual(['a', 'b']);
    expect(dice.roll('second', 1, 6)).toEqual([1]);
    dice.finish();
    expect(dice.log.map(({ context, rolls }) => [context, rolls])).toEqual([
      ['what-if/3.german/first', [3, 5]],
      ['what-if/3.german/deck', [0, 1]],
      ['what-if/3.german/second', [1]],
    ]);
  });

  test('a shuffle that is named gives the named items first, in that order, the others after them', () => {
    const cards = [{ id: 'A' }, { id: 'B' }, { id: 'C' }, { id: 'B' }];
    const dice = listDice('OVL-0017', phase, [], { deck: ['C', 'B'], letters: ['z'] });
    expect(dice.shuffle('deck', cards).map(({ id }) => id)).toEqual(['C', 'B', 'A', 'B']);
    expect(dice.shuffle('letters', ['x', 'y', 'z'])).toEqual(['z', 'x', 'y']);
    expect(dice.shuffle('other', [3, 1])).toEqual([3, 1]);
    expect(dice.log.map(({ rolls }) => rolls)).toEqual([
      [2, 1, 0, 3],
      [2, 0, 1],
      [0, 1],
    ]);
    expect(() => dice.finish()).not.toThrow();
  });

  test('a name that is not among the items, or a shuffle that never comes, is refused', () => {
    expect(() => listDice('OVL-0017', phase, [], { deck: ['D'] }).shuffle('deck', ['A'])).toThrow(
      '"D" is not among what is shuffled',
    );
    expect(() => listDice('OVL-0017', phase, [], { deck: ['A', 'A'] }).shuffle('deck', ['A', 'B'])).toThrow(
      DiceListError,
    );
    expect(() => listDice('OVL-0017', phase, [], { deck: ['A'] }).finish()).toThrow('never shuffled: deck');
  });

  test('too short, too long and impossible lists are refused', () => {
    expect(() => listDice('g', phase, [3]).roll('first', 2, 6)).toThrow(
      'the dice list is too short: no die left for g/3.german/first',
    );
    expect(() => listDice('g', phase, [3]).finish()).toThrow('the dice list is too long: 1 of 1 not used');
    expect(() => listDice('g', phase, [7]).roll('first', 1, 6)).toThrow('7 is no roll of a 6-sided die');
    expect(() => listDice('g', phase, [1.5]).roll('first', 1, 6)).toThrow('1.5 is no roll');
  });
});

test('where no dice may be rolled, none are', () => {
  expect(() => noDice.roll('x', 1, 6)).toThrow('no dice may be rolled here: x');
  expect(() => noDice.shuffle('deck', [1])).toThrow('no cards may be shuffled here: deck');
});
