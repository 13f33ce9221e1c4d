/** The bookkeeping of a tournament: who plays whom how often, and what is written down of it. */
import { expect, test } from 'vitest';
import { gamesOf, playTask, type Result, rowsOf, sharesOf } from './balance.ts';
import { againstRandom, contestOf, pairings } from './contest.ts';

const contest = contestOf('normandie/orchard');

test('each planner plays each side against each, equally often; against random play each plays each side', () => {
  expect(pairings(contest)).toEqual([
    { us: 'bold', ge: 'bold' },
    { us: 'bold', ge: 'careful' },
    { us: 'careful', ge: 'bold' },
    { us: 'careful', ge: 'careful' },
  ]);
  expect(againstRandom(contest)).toHaveLength(4);
  const games = gamesOf(pairings(contest), 8);
  expect(games.map(({ n }) => n)).toEqual([0, 0, 0, 0, 1, 1, 1, 1]);
  expect(games.filter(({ pairing }) => pairing.us === 'bold' && pairing.ge === 'careful')).toHaveLength(2);
});

test('wins are counted by who played; a draw is a game that nobody won', () => {
  const pairing = { us: 'bold', ge: 'careful' };
  const result = (winner: string): Result => ({ pairing, winner, phases: 1, refused: 0 });
  const rows = rowsOf(contest, ['us', 'us', 'ge', 'draw'].map(result));
  expect(rows).toEqual([{ players: pairing, games: 4, wins: { us: 2, ge: 1 } }]);
  expect(sharesOf(rows)).toEqual({
    us: { wins: 2, percent: 50, low: 15, high: 85 },
    ge: { wins: 1, percent: 25, low: 4.6, high: 69.9 },
  });
});

test('the same seed plays the same games, another seed others', () => {
  const games = gamesOf(pairings(contest), 4);
  const play = (seed: string) => playTask({ scenario: 'normandie/orchard', seed, games }, contest);
  const first = play('1');
  expect(play('1')).toEqual(first);
  expect(first.every(({ refused }) => refused === 0)).toBe(true);
});
