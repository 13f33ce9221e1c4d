/** Players by rule of Overlord: every line they write is legal, and they beat random play from either side. */
import { expect, test } from 'vitest';
import { againstRandom, contestOf, pairings, playContest } from '../../../bench/contest.ts';

const contest = contestOf('overlord/campaign');

test.each([
  ['whole', {}, 1],
  ['split, with ships and weather', { mode: 'split', naval: true, weather: true }, 2],
])('a campaign, %s: whatever the planners order, the check takes', (_title, options, which) => {
  const { outcome, refused } = playContest({ ...contest, options }, pairings(contest)[which]!, 'legal');
  expect(refused).toEqual([]);
  expect(['german', 'allied']).toContain(outcome?.winner);
});

test('OVL-VIC-01, OVL-VIC-07: both planners beat random play, as Allies by leaving the board and as Germans by holding out', () => {
  for (const pairing of againstRandom(contest)) {
    const { outcome, refused } = playContest(contest, pairing, 'random');
    expect(pairing[outcome!.winner!], JSON.stringify(pairing)).not.toBe('random');
    expect(refused.filter(({ side }) => pairing[side] !== 'random')).toEqual([]);
  }
});
