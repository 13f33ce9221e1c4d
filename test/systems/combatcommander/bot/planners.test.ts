/** Players by rule of the campaign: every line they write is legal, and with equal luck they beat random play. */
import { expect, test } from 'vitest';
import { expectedVp, fightBattle, strengthIn } from '../../../../src/systems/combatcommander/bot/fight.ts';
import { againstRandom, contestOf, pairings, playContest } from '../../../bench/contest.ts';
import { data, newCampaign, play } from '../../../helpers/combatcommander.ts';

const contest = contestOf('combatcommander/campaign');

test('whatever the planners order, the check takes, with placement by mail, too', () => {
  for (const pairing of pairings(contest)) {
    const { outcome, refused } = playContest({ ...contest, options: {} }, pairing, 'legal');
    expect(refused).toEqual([]);
    expect(outcome?.reason).toBe('won four battles');
  }
});

test('they beat random play in 36 of 40 campaigns and more', () => {
  const games = againstRandom(contest).flatMap((pairing) =>
    Array.from({ length: 10 }, (_, n) => ({ pairing, seed: `random ${n}` })),
  );
  const won = games.filter(({ pairing, seed }) => {
    const { winner } = playContest(contest, pairing, seed).outcome!;
    return pairing[winner!] !== 'random';
  });
  expect(won.length).toBeGreaterThanOrEqual(36);
});

test('the battle outside: whoever brings more is stronger, VP count, and the dice decide what is close', () => {
  const { state } = play(newCampaign(), { american: ['SECTIONS C E'], german: ['SECTIONS NONE'] });
  const { campaign, battle } = state.table;
  const [american, german] = [
    strengthIn(data, campaign, battle, 'american'),
    strengthIn(data, campaign, battle, 'german'),
  ];
  expect(american).toBeGreaterThan(german * 1.5);
  expect(expectedVp(0, american, german)).toBeGreaterThan(0);
  expect(expectedVp(-3, 500, 500)).toBe(-30);
  const even = { ...campaign, vp: 0 };
  const alone = { ...battle, bought: { american: [], german: [] }, support: [] };
  const [a, g] = [strengthIn(data, even, alone, 'american'), strengthIn(data, even, alone, 'german')];
  expect(Math.abs(expectedVp(0, a, g))).toBeLessThan(50);
  expect(fightBattle(data, even, alone, { roll: () => [6, 6] })).toBe('american');
  expect(fightBattle(data, even, alone, { roll: () => [1, 1] })).toBe('german');
});
