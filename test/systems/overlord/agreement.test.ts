/**
 * The check and the run agree: over random games with random doctrine a line that the check refuses is one that the run
 * drops, and every other line is carried out. CI plays a few games; by hand
 * `AGREE_GAMES=300 AGREE_SEED=1000 npx vitest run test/systems/overlord/agreement.test.ts` as many as wished.
 */
import { expect, test } from 'vitest';
import { standingAfter } from '../../../src/kernel/orders.ts';
import type { Filed } from '../../../src/kernel/types.ts';
import { publicView, viewFor } from '../../../src/kernel/view.ts';
import { type Overlord, type OverlordSide, type OverlordStanding, SIDES } from '../../../src/systems/overlord/types.ts';
import { normandy } from '../../helpers/overlord.ts';
import { file, runPhase } from '../../helpers/overlord-games.ts';
import { type Chance, chanceOf, randomOrders, sensibleOrders } from '../../helpers/overlord-players.ts';

const GAMES = Number(process.env.AGREE_GAMES ?? 2);
const FIRST = Number(process.env.AGREE_SEED ?? 1);
const { rules, campaign } = normandy;

/** Lines that only the check says, since the run never looks at them in that step. */
const STEPS = ['WRONG STEP', 'NOT YOUR MOVE'];

function randomDoctrine(side: OverlordSide, chance: Chance): string[] {
  const own = [...campaign.formations.values()].filter((formation) => formation.side === side).map(({ id }) => id);
  const lines = [
    'DOCTRINE RETREAT ROAD',
    'DOCTRINE LOSSES WEAK',
    'DOCTRINE ADVANCE ALL',
    `DOCTRINE FIRST ${chance.pick(own)}`,
  ];
  if (side === 'german')
    lines.push(`DOCTRINE WITHDRAW ${chance.pick(own)} ${chance.pick(own)}`, 'DOCTRINE WITHDRAW NONE');
  return lines.filter(() => chance.once(4));
}

/** Lines the check refuses, and lines the run drops, when every line that can be read is filed. */
function compare(
  state: Parameters<typeof file>[1],
  side: OverlordSide,
  texts: string[],
  kept: OverlordStanding[],
  seed: string,
) {
  const view = viewFor(state, side);
  const parsed = rules.parse(
    texts.map((text, i) => ({ n: i + 1, text })),
    view,
  );
  const standing = standingAfter(kept, parsed.standing);
  const found = rules.check(view, parsed.orders, standing).filter(({ severity }) => severity === 'error');
  const skip = new Set(found.filter(({ code }) => STEPS.includes(code)).map(({ line }) => line));
  const filed: Record<string, Filed<Overlord>> = {
    german: { orders: [], standing: [] },
    allied: { orders: [], standing: [] },
  };
  filed[side] = { orders: parsed.orders, standing };
  const { events } = runPhase(normandy, { state, filed, answers: {}, nmr: [] }, seed, (request) => request.fallback);
  const lines = (all: readonly (number | 'mail')[]): (number | 'mail')[] =>
    [...new Set(all)].filter((line) => !skip.has(line)).sort((a, b) => Number(a) - Number(b));
  // A victory in the movement phase ends the game: no battle is looked at any more.
  const over = events.some(({ type }) => type === 'victory');
  const dropped = events.flatMap((event) => (event.type === 'order-dropped' ? [event.line] : []));
  const refused = lines(found.map(({ line }) => line));
  return {
    refused: over ? refused.filter((line) => dropped.includes(Number(line))) : refused,
    dropped: lines(dropped),
    lines: parsed.orders.length,
  };
}

test(`${GAMES} random games: what the check refuses the run drops, and nothing else`, { timeout: 3_600_000 }, () => {
  const sum = { phases: 0, lines: 0, refused: 0, withdrawals: 0 };
  for (let seed = FIRST; seed < FIRST + GAMES; seed++) {
    const chance = chanceOf(seed);
    let state = rules.setup(seed % 2 === 0 ? {} : { mode: 'split' }, {
      roll: () => [],
      shuffle: (_, items) => [...items],
      draw: () => {},
    });
    const kept: Record<OverlordSide, OverlordStanding[]> = { german: [], allied: [] };
    for (let n = 0; !state.table.over && n < 140; n++) {
      const filed: Record<string, Filed<Overlord>> = {};
      for (const side of SIDES) {
        const view = viewFor(state, side);
        const good = side === 'allied' && seed % 2 === 0;
        const orders = good ? sensibleOrders(campaign, view) : randomOrders(campaign, view, chance);
        const texts = [...randomDoctrine(side, chance), ...orders];
        if (rules.asks(publicView(state)).some((ask) => ask.must && ask.side === side)) {
          const { refused, dropped, lines } = compare(state, side, texts, kept[side], String(seed));
          expect(dropped, `seed ${seed}, ${state.phase.turn}.${state.phase.step}`).toEqual(refused);
          sum.phases += 1;
          sum.lines += lines;
          sum.refused += refused.length;
        }
        const read = file(normandy, state, side, texts, kept[side]);
        kept[side] = standingAfter(kept[side], read.standing);
        filed[side] = { orders: read.orders, standing: kept[side] };
      }
      const result = runPhase(
        normandy,
        { state, filed, answers: {}, nmr: [] },
        String(seed),
        (request) => request.fallback,
      );
      expect(result.events.filter(({ type }) => type === 'order-dropped')).toEqual([]);
      sum.withdrawals += result.events.filter(({ type }) => type === 'withdrawal').length;
      state = result.state;
    }
  }
  expect(sum.refused).toBeGreaterThan(0);
  expect(sum.lines).toBeGreaterThan(sum.refused);
  if (process.env.AGREE_GAMES) process.stdout.write(`${JSON.stringify({ games: GAMES, from: FIRST, ...sum })}\n`);
});
