/** The rules of the game, each by its row in the ledger (rules.tsv of its scenarios). */
import { describe, expect, test } from 'vitest';
import { adjudicate } from '../../../src/kernel/judge.ts';
import type { Dice, Filed, GameState } from '../../../src/kernel/types.ts';
import { viewFor } from '../../../src/kernel/view.ts';
import { openContent } from '../../../src/scenarios.ts';
import { tiny } from '../../../src/systems/tiny/system.ts';
import type { Tiny } from '../../../src/systems/tiny/types.ts';

const rules = tiny.open(openContent(tiny, 'tiny/first', { 'scenario-first.json': { squares: 12 } }).scenario);
const rolling = (face: number): Dice => ({
  roll: (_context, count) => Array<number>(count).fill(face),
  shuffle: (_context, items) => [...items],
  draw: () => {},
});

/** Plays one turn by order lines; the fast way rolls `face`. */
function play(state: GameState<Tiny>, red: string, blue: string, face = 6): GameState<Tiny> {
  const filed = (side: string, text: string): Filed<Tiny> => {
    const { orders, standing, diagnostics } = rules.parse([{ n: 1, text }], viewFor(state, side));
    expect(diagnostics).toEqual([]);
    return { orders, standing };
  };
  const input = { state, filed: { red: filed('red', red), blue: filed('blue', blue) }, answers: {}, nmr: [] };
  const result = adjudicate(rules, input, { ...rolling(face), log: [] });
  if (result.status !== 'done') throw new Error('the phase waits for an answer');
  return result.state;
}

const start = (): GameState<Tiny> => rules.setup({}, rolling(1));

describe('a race', () => {
  test('TINY-01: the card turned up goes under the deck', () => {
    const after = play(start(), 'RUN STEADY', 'RUN STEADY');
    expect([after.table.weather, after.cup]).toEqual(['dry', ['dry', 'mud', 'dry']]);
  });

  test('TINY-02: steady is one square, fast two by a die of 3 or more, the jump three', () => {
    expect(play(start(), 'RUN STEADY', 'RUN FAST').table.places).toEqual({ red: 1, blue: 2 });
    expect(play(start(), 'RUN JUMP', 'RUN FAST', 2).table.places).toEqual({ red: 3, blue: 0 });
  });

  test('TINY-03: given a runner caught, when its hunter passes, then both stand where they are', () => {
    const ahead = play(start(), 'RUN STEADY', 'RUN FAST');
    expect(play(ahead, 'RUN FAST', 'RUN STEADY').table.places).toEqual({ red: 3, blue: 3 });
  });

  test('TINY-04: who is home first has won', () => {
    let state = start();
    for (let turn = 0; turn < state.table.squares; turn++) state = play(state, 'RUN STEADY', 'RUN FAST', 1);
    expect(rules.outcome(state)?.winner).toBe('red');
  });
});
