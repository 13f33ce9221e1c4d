/** Leaks planted into the example game: each must be found by what the contract suite does with every game. */

import { describe, expect, test } from 'vitest';
import { asWritten } from '../../src/kernel/questions.ts';
import type { GameState, Rules } from '../../src/kernel/types.ts';
import { publicView } from '../../src/kernel/view.ts';
import { playPhase } from '../helpers/play.ts';
import { hiddenIn, stepLeaks } from '../helpers/secrets.ts';
import { type Tiny, tiny, tinyScenario } from '../helpers/tiny.ts';

const honest: Rules<Tiny> = tiny.open(tinyScenario());
type Run = Rules<Tiny>['adjudicate'];

/** The example with something added before or after each phase. */
function planted(plant: (draft: GameState<Tiny>, emit: Parameters<Run>[2]['emit']) => void): Rules {
  const rules: Rules<Tiny> = {
    ...honest,
    *adjudicate(draft, orders, ruling) {
      plant(draft, ruling.emit);
      yield* honest.adjudicate(draft, orders, ruling);
    },
  };
  return rules as unknown as Rules;
}

/** What the step test finds in the first phase, looked at by red. */
function found(rules: Rules): string[] {
  const start = rules.setup({}, { roll: () => [1], shuffle: (_context, items) => [...items], draw: () => {} });
  return stepLeaks(rules, playPhase(rules, start, {}, 'leaks'), 'red', 'leaks').leaks;
}

describe('planted leaks', () => {
  test('the example itself tells nothing', () => {
    expect(found(planted(() => undefined))).toEqual([]);
  });

  test('who owes orders can not depend on a hidden hand: what asks is given has none', () => {
    const start = honest.setup({}, { roll: () => [1], shuffle: (_context, items) => [...items], draw: () => {} });
    const leaking = (view: unknown) => [{ side: 'red', must: (view as GameState<Tiny>).hands.blue!.jumps > 0 }];
    expect(leaking(start)).toEqual([{ side: 'red', must: true }]);
    expect(() => leaking(publicView(start))).toThrow();
    expect(Object.keys(publicView(start)).sort()).toEqual(['phase', 'table', 'viewer']);
  });

  test('an event told to all that says what only one side knows', () => {
    const rules = planted((draft, emit) =>
      emit({ type: 'ran', audience: 'all', side: 'blue', place: draft.hands.blue!.jumps }),
    );
    expect(found(rules).join('\n')).toMatch(/hand\.jumps, red, phase run: event 0/);
  });

  test('a hidden number copied onto the table', () => {
    const rules = planted((draft) => {
      draft.table.squares = 1000 + draft.hands.blue!.jumps;
    });
    expect(found(rules).join('\n')).toMatch(/hand\.jumps, red, phase run: another table/);
  });

  test('an event told to one side only that says what lies in the other hand', () => {
    const rules = planted((draft, emit) =>
      emit({ type: 'ran', audience: ['red'], side: 'blue', place: draft.hands.blue!.jumps }),
    );
    expect(found(rules).join('\n')).toMatch(/hand\.jumps, red/);
  });

  test('a question that names what lies in the other hand', () => {
    const rules: Rules<Tiny> = {
      ...honest,
      *adjudicate(draft, orders, ruling) {
        const options = asWritten([`${draft.hands.blue!.jumps}`, 'PASS']);
        yield [
          { id: 'nosy', to: 'red', kind: 'nosy', about: { place: 0 }, options, min: 1, max: 1, fallback: ['PASS'] },
        ];
        yield* honest.adjudicate(draft, orders, ruling);
      },
      doctrine: () => 'ask',
    };
    expect(found(rules as unknown as Rules).join('\n')).toMatch(/hand\.jumps, red, phase run: other questions/);
  });

  test('declared as shown, the same event is no leak', () => {
    const rules = planted((draft, emit) =>
      emit({ type: 'caught', audience: 'all', side: 'blue', place: draft.hands.blue!.jumps }),
    );
    expect(found({ ...rules, releases: { ...rules.releases, caught: ['hand.jumps'] } })).toEqual([]);
    expect(found({ ...rules, releases: { ...rules.releases, caught: ['cup'] } })).not.toEqual([]);
  });

  test('the key of all shuffles shown while a hand or the cup still holds something', () => {
    const start = honest.setup({}, { roll: () => [1], shuffle: (_context, items) => [...items], draw: () => {} });
    expect(hiddenIn(start)).toEqual(['hands.red.jumps', 'hands.blue.jumps', 'cup']);
    const bare = { ...start, hands: { red: { jumps: 0 }, blue: { jumps: 0 } }, cup: [] };
    expect(hiddenIn(bare)).toEqual([]);
  });
});
