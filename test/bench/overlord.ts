/**
 * Overlord's figures: a player turn adjudicated, a 60-line order mail read, a 28-turn campaign replayed. Each is the best of
 * five, in processor time, beside a baseline of the same run.
 *
 * Run: npx tsx test/bench/overlord.ts [--json]
 */
import { fileURLToPath } from 'node:url';
import { canonical } from '../../src/kernel/hash.ts';
import { adjudicate } from '../../src/kernel/judge.ts';
import type { GameState } from '../../src/kernel/types.ts';
import { publicView, viewFor } from '../../src/kernel/view.ts';
import { printOrder } from '../../src/systems/overlord/text/orders.ts';
import type { Overlord } from '../../src/systems/overlord/types.ts';
import { normandy } from '../helpers/overlord.ts';
import { diceFor, type GameRecord, playGame, replayFaults } from '../helpers/overlord-games.ts';
import { sensibleOrders } from '../helpers/overlord-players.ts';
import { best, type SystemFigure } from './figures.ts';

const MAIL_LINES = 60;

function figure(
  name: string,
  aim: number,
  work: () => void,
  baseline: { name: string; work: () => void },
): SystemFigure {
  const own = best(work);
  const other = best(baseline.work);
  return { name, best: own, aim, baseline: { name: baseline.name, best: other }, ratio: own / Math.max(other, 0.001) };
}

/** Plain Dijkstra over the map from one hex with an array for a queue: what a naive path search costs. */
function plainDijkstra(): void {
  const { grid, enter, sea } = normandy.campaign.board;
  const cost = new Map<number, number>([[grid.index.get('2814')!, 0]]);
  const open = [...cost.keys()];
  while (open.length > 0) {
    open.sort((a, b) => cost.get(a)! - cost.get(b)!);
    const cell = open.shift()!;
    for (const near of grid.neighbours.subarray(cell * 6, cell * 6 + 6)) {
      if (near < 0 || sea[near] === 1) continue;
      const total = cost.get(cell)! + enter[near]!;
      if (total >= (cost.get(near) ?? Number.POSITIVE_INFINITY)) continue;
      if (!cost.has(near)) open.push(near);
      cost.set(near, total);
    }
  }
}

function campaign(): GameRecord {
  const start = normandy.rules.setup({}, { roll: () => [], shuffle: (_, items) => [...items], draw: () => {} });
  const player = (view: Parameters<typeof sensibleOrders>[1]) => sensibleOrders(normandy.campaign, view);
  return playGame(normandy, start, { german: player, allied: player }, 'bench d');
}

/** The phase of the record with most orders. */
function fullest(record: GameRecord) {
  const size = (i: number): number =>
    Object.values(record.phases[i]!.input.filed).reduce((sum, filed) => sum + filed.orders.length, 0);
  return record.phases.reduce((most, _, i) => (size(i) > size(most) ? i : most), 0);
}

export function benchOverlord(): SystemFigure[] {
  const { rules } = normandy;
  const record = campaign();
  const { input, seed } = record.phases[fullest(record)]!;
  const state: GameState<Overlord> = input.state;
  const side = rules.asks(publicView(state)).find((ask) => ask.must)!.side;
  const texts = input.filed[side]!.orders.map((order) => printOrder(order));
  const idle = normandy.campaign.units.filter((unit) => unit.side === side && /^\d/.test(state.table.units[unit.id]!));
  for (const unit of idle) if (texts.length < MAIL_LINES) texts.push(`HOLD ${unit.id}`);
  const lines = texts.slice(0, MAIL_LINES).map((text, i) => ({ n: i + 1, text }));
  const clone = { name: 'structuredClone of the state', work: () => void structuredClone(state) };
  const view = viewFor(state, side);
  return [
    figure(
      `player turn adjudicated (${input.filed[side]!.orders.length} orders)`,
      30,
      () => void adjudicate(rules, input, diceFor(seed, state.phase)),
      clone,
    ),
    figure(
      `order mail of ${lines.length} lines parsed, checked, previewed`,
      6,
      () => {
        const { orders, standing } = rules.parse(lines, view);
        rules.check(view, orders, standing);
        rules.preview(view, orders, standing);
      },
      { name: 'plain Dijkstra over the map', work: plainDijkstra },
    ),
    figure(`campaign of ${record.phases.length} phases replayed`, 2000, () => void replayFaults(normandy, record), {
      name: 'canonical JSON of every state',
      work: () => {
        for (const phase of record.phases) canonical(phase.input.state);
      },
    }),
  ];
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const figures = benchOverlord();
  if (process.argv.includes('--json')) process.stdout.write(`${JSON.stringify(figures, null, 1)}\n`);
  else
    for (const { name, best: ms, aim, baseline, ratio } of figures)
      process.stdout.write(
        `${name}: ${ms.toFixed(1)} ms (aim ${aim}); ${baseline.name}: ${baseline.best.toFixed(2)} ms; ratio ${ratio.toFixed(1)}\n`,
      );
}
