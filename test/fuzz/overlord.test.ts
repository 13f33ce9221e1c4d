/**
 * Random whole games of Overlord. CI plays a few; by hand `FUZZ_GAMES=300 FUZZ_SEED=1000 npx vitest run test/fuzz/overlord`
 * plays as many as wished, with figures. A failure names its seed.
 */

import { expect, test } from 'vitest';
import { valuesOf } from '../../src/kernel/questions.ts';
import { normandy } from '../helpers/overlord.ts';
import { playGame, replayFaults, sayAll } from '../helpers/overlord-games.ts';
import { chanceOf, randomOrders, sensibleOrders } from '../helpers/overlord-players.ts';

const GAMES = Number(process.env.FUZZ_GAMES ?? 10);
const FIRST = Number(process.env.FUZZ_SEED ?? 1);

const OPTIONS = [
  {},
  { mode: 'split' },
  { weather: true, naval: true },
  { tac: false },
  { mode: 'split', weather: true, naval: true, tacPerTurn: 32 },
];

/** In some games the Allies know what they want: else nobody would ever break out. */
const goodPlayer = (view: Parameters<typeof randomOrders>[1]) => sensibleOrders(normandy.campaign, view);

test(`${GAMES} random games keep every promise`, { timeout: 3_600_000 }, () => {
  const sum = { phases: 0, battles: 0, lost: 0, retreats: 0, exits: 0, questions: 0, german: 0, allied: 0 };
  for (let seed = FIRST; seed < FIRST + GAMES; seed++) {
    const chance = chanceOf(seed);
    const player = (view: Parameters<typeof randomOrders>[1]) => randomOrders(normandy.campaign, view, chance);
    const start = normandy.rules.setup(OPTIONS[seed % OPTIONS.length]!, {
      roll: () => [],
      shuffle: (_, items) => [...items],
      draw: () => {},
    });
    const record = playGame(
      normandy,
      start,
      { german: player, allied: seed % 4 === 0 ? goodPlayer : player },
      String(seed),
      (request) => {
        sum.questions += 1;
        if (request.options.length === 0) return [];
        return request.kind === 'losses' ? valuesOf(request) : [chance.pick(valuesOf(request))];
      },
    );
    expect(replayFaults(normandy, record), `seed ${seed}`).toEqual([]);
    sayAll(normandy, record, 19);
    for (const { events } of record.phases) {
      sum.phases += 1;
      for (const event of events) {
        if (event.type === 'battle') sum.battles += 1;
        else if (event.type === 'lost') sum.lost += event.units.length;
        else if (event.type === 'retreated') sum.retreats += 1;
        else if (event.type === 'exited') sum.exits += 1;
      }
    }
    if (record.state.table.over?.winner === 'allied') sum.allied += 1;
    else sum.german += 1;
  }
  expect(sum.german + sum.allied).toBe(GAMES);
  expect(sum.battles).toBeGreaterThan(GAMES * 20);
  if (process.env.FUZZ_GAMES) process.stdout.write(`${JSON.stringify({ games: GAMES, from: FIRST, ...sum })}\n`);
});
