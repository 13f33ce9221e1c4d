/** Two campaigns on record, whole turns in a mail and split ones, by players who order anything that might be legal. */
import { test } from 'vitest';
import type { Rules } from '../../../../src/kernel/types.ts';
import { expectAsRecorded } from '../../../helpers/chronicle.ts';
import { normandy } from '../../../helpers/overlord.ts';

test.each([
  ['OVL-SEQ-01 the first turns, with weather and ships', 'campaign-weather.txt', '2', { weather: true, naval: true }],
  [
    'OVL-SEQ-01 the first turns in split mails, by Allies who know what they want',
    'campaign-split.txt',
    '3',
    { mode: 'split', weather: true, naval: true, tacPerTurn: 32 },
  ],
])('%s go as they went', (_title, name, seed, options) => {
  const opening = { rules: normandy.rules as unknown as Rules, options, seed };
  expectAsRecorded(opening, new URL(`../fixtures/${name}`, import.meta.url));
});
