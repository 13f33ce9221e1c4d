/** Conditions of scripts and doctrine: what each word means, and that none looks further than its owner may. */
import { describe, expect, test } from 'vitest';
import { viewFor } from '../../../../src/kernel/view.ts';
import { holds, type Offer } from '../../../../src/systems/normandie/actions/conditions.ts';
import { knownFrom } from '../../../../src/systems/normandie/counters/units.ts';
import type { NormandieSide } from '../../../../src/systems/normandie/data.ts';
import { readCondition } from '../../../../src/systems/normandie/text/read-conditions.ts';
import { namesFor, readerOf } from '../../../../src/systems/normandie/text/reader.ts';
import type { Moment, SideView } from '../../../../src/systems/normandie/types.ts';
import { type Battle, battle } from '../../../helpers/normandie-battle.ts';

/** A small field: a wall of rocks parts the left from the right; GE?A hides the sniper GE9. */
const field = (): Battle =>
  battle({
    board: ['........', '...k....', '...k....', '...k....', '........', '........'],
    units: {
      US1: { type: 'rifle', at: 'A3', token: 2 },
      US2: { type: 'mg', at: 'E5', face: 'active', suppressed: 1, activated: true },
      GE1: { type: 'rifle', at: 'G3', face: 'reduced' },
      GE2: { type: 'pz', at: 'G5', rear: 'H5', damage: ['1'], token: 'bluff' },
      'GE?A': { type: 'amb', at: 'C5', conceals: 'GE9' },
    },
    cards: { us: ['go', 'aim'] },
    change: (_data, state) => {
      state.table.roster.push({ code: 'GE3', side: 'ge', type: 'ge-rifle', tile: 1, main: false, fate: 'lost' });
      state.table.roster.push({ code: 'US7', side: 'us', type: 'us-jeep', tile: 0, main: false, fate: 'lost' });
      state.table.activation = { next: 'us', shown: { us: 1, ge: 2 }, done: 3, taken: null };
      const square = { id: 'square', kind: 'square', squares: ['B2'], score: 'end', from: 1, points: 1 } as const;
      state.table.objectives = [{ ...square, squares: ['B2'] }];
      state.table.held = { square: 'us' };
    },
  });

function evaluate(text: string, side: NormandieSide = 'us', moment: Moment | null = null, offer: Offer = {}): boolean {
  const { book, state } = field();
  state.table.moment = moment;
  const view = viewFor(state, side) as SideView;
  const reader = readerOf({ n: 1, text }, namesFor(book, view), true);
  const condition = readCondition(reader);
  expect(reader.problem).toBeNull();
  expect(reader.done()).toBe(true);
  return holds(book, knownFrom(view), side, condition, offer);
}

describe('units', () => {
  test.each([
    ['ALIVE GE1', true],
    ['LOST GE3', true],
    ['LOST GE1', false],
    ['SEEN GE1', true],
    ['HIT GE1', true],
    ['HIT GE2', true],
    ['HIT US1', false],
    ['WRECKED US7', true],
    ['WRECKED GE3', false],
    ['ACTIVATED US2', true],
    ['ACTIVATED US1', false],
    ['MARKED GE2', true],
    ['MARKED GE1', false],
    ['SUPPRESSED US2', true],
    ['SUPPRESSED US2 >= 2', false],
    ['SUPPRESSED GE1 <= 0', true],
  ])('%s is %s', (text, expected) => {
    expect(evaluate(text)).toBe(expected);
  });
});

describe('places', () => {
  test.each([
    ['AT US1 A3', true],
    ['AT US1 A1:B4', true],
    ['AT US1 B1:D4', false],
    ['AT GE2 H5', true],
    ['ENEMY IN E1:H6 >= 2', true],
    ['ENEMY IN E1:H6 >= 3', false],
    ['FRIEND IN E5', true],
    ['ENEMY IN WITHIN 2 OF US2', true],
    ['ENEMY IN WITHIN 1 OF US2', false],
    ['RANGE US2 GE1 <= 2', true],
    ['RANGE US1 A3 <= 0', true],
    ['FREE B3', true],
    ['FREE G3', false],
    ['LOS US1 GE1', false],
    ['LOS US2 GE1', true],
    ['LOS A3 C3', true],
    ['LOS A3 G3', false],
  ])('%s is %s', (text, expected) => {
    expect(evaluate(text)).toBe(expected);
  });
});

describe('the game', () => {
  test.each([
    ['TURN >= 2', true],
    ['TURN >= 3', false],
    ['CARDS >= 2', true],
    ['CARDS >= 3', false],
    ['SHOWN GE 2', true],
    ['SHOWN US 2', false],
    ['HOLD square', true],
    ['NOT HOLD square', false],
    ['TURN >= 3 OR CARDS >= 2 AND HOLD square', true],
    ['( TURN >= 3 OR CARDS >= 2 ) AND NOT HOLD square', false],
  ])('%s is %s', (text, expected) => {
    expect(evaluate(text)).toBe(expected);
  });
});

describe('a condition sees no further than its owner', () => {
  test('an enemy under concealment is there for its owner only', () => {
    expect(evaluate('ALIVE GE9', 'ge')).toBe(true);
    expect(evaluate('AT GE9 C5', 'ge')).toBe(true);
    expect(evaluate('AT GE9 C5', 'us')).toBe(false);
    expect(evaluate('LOS US1 GE9', 'us')).toBe(false);
    expect(evaluate('CANFIRE US1 GE9', 'us')).toBe(false);
    expect(evaluate('ODDS US1 GE9 <= 100', 'us')).toBe(false);
  });

  test('its anonymous counter counts as an enemy on its square', () => {
    expect(evaluate('ENEMY IN C5', 'us')).toBe(true);
    expect(evaluate('FREE C5', 'us')).toBe(false);
    expect(evaluate('SEEN GE?A', 'us')).toBe(false);
  });

  test('the number of cards is one’s own', () => {
    expect(evaluate('CARDS >= 1', 'ge')).toBe(false);
  });
});

describe('words of doctrine look at the moment', () => {
  const step: Moment = { at: 'move', unit: 'GE1', trigger: 1, from: 'G4', to: 'G3', what: 'step', assaults: 'US2' };
  const roll = (result: { effect: string; part?: string }, target = 'US2'): Moment =>
    ({
      at: 'roll',
      side: 'ge',
      unit: 'GE1',
      target,
      purpose: 'fire',
      dice: [3],
      total: 5,
      need: 4,
      chance: 66,
      result,
    }) as Moment;

  test.each([
    ['ENTERS G1:G3', step, true],
    ['ENTERS A1:B2', step, false],
    ['ASSAULTS US2', step, true],
    ['ASSAULTS US1', step, false],
    ['AFTERFIRE', step, false],
    ['HITS US2', roll({ effect: 'hit' }), true],
    ['HITS US1', roll({ effect: 'hit' }), false],
    ['HITS ANY', roll({ effect: 'destroyed' }), true],
    ['SUPPRESSES US2', roll({ effect: 'suppressed' }), true],
    ['FAILED', roll({ effect: 'none' }), true],
    ['FAILED', roll({ effect: 'hit' }), false],
    ['SCATTERED', roll({ effect: 'scattered' }), true],
    ['DAMAGES US2 >= 5', roll({ effect: 'damage', part: '5' }), true],
    ['DAMAGES US2 >= 5', roll({ effect: 'damage', part: '3-4' }), false],
    ['LOSES ASSAULT US2', roll({ effect: 'won' }), true],
    ['LOSES ASSAULT US2', roll({ effect: 'lost' }), false],
    ['CHANCE >= 60', roll({ effect: 'none' }), true],
    ['CHANCE 30..65', roll({ effect: 'none' }), false],
  ] as [string, Moment, boolean][])('%s', (text, moment, expected) => {
    expect(evaluate(text, 'us', moment)).toBe(expected);
  });

  test('ODDS, RANGE and TOKEN without units speak of the shot that is offered', () => {
    const offer = { unit: 'US1', chance: 40, range: 6 };
    expect(evaluate('ODDS >= 35 AND RANGE <= 7', 'us', step, offer)).toBe(true);
    expect(evaluate('MINRANGE 7', 'us', step, offer)).toBe(false);
    expect(evaluate('TOKEN <= 2', 'us', step, offer)).toBe(true);
    expect(evaluate('TOKEN <= 1', 'us', step, offer)).toBe(false);
    expect(evaluate('TOKEN <= 9', 'us', step, { ...offer, unit: 'US2' })).toBe(false);
  });
});
