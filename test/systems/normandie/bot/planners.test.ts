/** Players by rule of Heroes of Normandie: every line they write is legal, and they beat random play. */
import { expect, test } from 'vitest';
import { canonical } from '../../../../src/kernel/hash.ts';
import { chanceOf } from '../../../../src/kernel/planner.ts';
import { viewFor } from '../../../../src/kernel/view.ts';
import { againstRandom, contestOf, pairings, playContest } from '../../../bench/contest.ts';
import { diceOf } from '../../../helpers/play.ts';

test.each([
  ['orchard', 'one-mail'],
  ['church', 'sealed'],
  ['hill88', 'placed'],
  ['free-orchard', 'one-mail'],
  ['free-village', 'live'],
  ['free-bocage', 'one-mail'],
])('%s, %s: whatever the planners order, the check takes', (name, mode) => {
  const contest = { ...contestOf(`normandie/${name}`), options: { mode } };
  const pairing = pairings(contest)[name.length % 4]!;
  const { outcome, refused } = playContest(contest, pairing, `legal ${name}`);
  expect(refused).toEqual([]);
  expect(outcome).toBeDefined();
});

test('they beat random play: 11 of 12 small battles and more', () => {
  const contest = contestOf('normandie/orchard');
  const games = againstRandom(contest).flatMap((pairing) => ['a', 'b', 'c'].map((seed) => ({ pairing, seed })));
  const won = games.filter(({ pairing, seed }) => {
    const { winner } = playContest(contest, pairing, `random ${seed}`).outcome!;
    return winner !== 'draw' && pairing[winner!] !== 'random';
  });
  expect(won.length).toBeGreaterThanOrEqual(11);
});

test('a planner leaves its view as it is, and the same view and chance give the same orders', () => {
  const { open, options, players } = contestOf('normandie/church');
  const state = open.rules.setup(options, diceOf('view', { n: 0, turn: 0, step: 'setup' }));
  for (const side of Object.keys(state.hands)) {
    const view = viewFor(state, side);
    const before = canonical(view);
    const orders = players.bold!.orders(view, chanceOf('same'));
    expect(canonical(view)).toBe(before);
    expect(players.bold!.orders(view, chanceOf('same'))).toEqual(orders);
  }
});
