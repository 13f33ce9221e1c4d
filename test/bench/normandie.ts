/**
 * Heroes of Normandie's figures: lines of sight of all pairs of the largest board, a sealed turn resolved, a whole game
 * replayed, a report with its map. Each is the best of five, in processor time, beside a baseline of the same run.
 *
 * Run: npx tsx test/bench/normandie.ts [--json]
 */
import { fileURLToPath } from 'node:url';
import { canonical } from '../../src/kernel/hash.ts';
import type { Rules } from '../../src/kernel/types.ts';
import { publicView, viewFor } from '../../src/kernel/view.ts';
import { openBook, standing } from '../../src/systems/normandie/content/opened.ts';
import type { Data } from '../../src/systems/normandie/data.ts';
import { sightBetweenPlaces } from '../../src/systems/normandie/ground/sightline.ts';
import { normandie } from '../../src/systems/normandie/system.ts';
import type { Normandie, State } from '../../src/systems/normandie/types.ts';
import { emptyTable, normandieScenario } from '../helpers/normandie.ts';
import { chanceOf, randomOrders } from '../helpers/normandie-bot.ts';
import { diceOf, file, heardBy, type PlayedPhase, playPhase } from '../helpers/play.ts';
import { best, type SystemFigure } from './figures.ts';

interface Recorded {
  state: State;
  filed: Parameters<typeof playPhase>[2];
  played: PlayedPhase;
}

function record(id: string, seed: string): { rules: Rules<Normandie>; phases: Recorded[] } {
  const scenario = normandieScenario(id);
  const rules = normandie.open(scenario);
  const book = openBook(scenario.data as Data);
  let state = rules.setup({}, diceOf(seed, { n: 0, turn: 0, step: 'setup' })) as State;
  const phases: Recorded[] = [];
  while (rules.asks(publicView(state)).length > 0) {
    const filed: Recorded['filed'] = {};
    for (const side of ['us', 'ge']) {
      const block = randomOrders(rules, book, viewFor(state, side), chanceOf(`${seed}/${state.phase.n}/${side}`));
      filed[side] = file(
        rules as unknown as Rules,
        state as never,
        side,
        block.filter((line) => !line.startsWith('PAUSE')),
      );
    }
    const played = playPhase(rules as unknown as Rules, state as never, filed, seed);
    phases.push({ state, filed, played });
    state = played.result.state as unknown as State;
  }
  return { rules, phases };
}

/** All figures. */
export function normandieFigures(): SystemFigure[] {
  const { rules, phases } = record('church', 'bench');
  const busiest = phases
    .filter((phase) => phase.state.phase.step === 'orders')
    .reduce((a, b) => (b.played.result.events.length > a.played.result.events.length ? b : a));
  const states = phases.map((phase) => phase.state);
  const cloning = best(() => {
    for (const state of states) canonical(structuredClone(state));
  });
  const baseline = { name: 'clone and write out every state of the game', best: cloning };
  const figure = (name: string, aim: number, work: () => void): SystemFigure => {
    const least = best(work);
    return { name, best: least, aim, baseline, ratio: least / Math.max(cloning, 0.01) };
  };
  const table = emptyTable();
  const last = phases.at(-1)!;
  return [
    figure('lines of sight of all pairs of the 16 x 14 board, traced anew', 1000, () => {
      const book = openBook(normandieScenario('hill88').data as Data);
      const places = standing(book).map((place) => place.name);
      for (const [i, a] of places.entries()) for (const b of places.slice(i + 1)) sightBetweenPlaces(book, table, a, b);
    }),
    figure('a sealed turn of 9 against 8 tokens, resolved', 200, () => {
      playPhase(rules as unknown as Rules, busiest.state as never, busiest.filed, 'bench');
    }),
    figure('the same in a service just started (nothing traced before)', 1000, () => {
      const cold = normandie.open(normandieScenario('church'));
      playPhase(cold as unknown as Rules, busiest.state as never, busiest.filed, 'bench');
    }),
    figure('a whole game of seven turns replayed', 3000, () => {
      for (const phase of phases) playPhase(rules as unknown as Rules, phase.state as never, phase.filed, 'bench');
    }),
    figure('report and map of a turn', 50, () => {
      const view = viewFor(last.state, 'us');
      const events = heardBy('us', last.played.result.events) as Normandie['event'][];
      rules.report(view, events, { orders: [], standing: [] });
      rules.scenes(view, events)[0]!;
    }),
  ];
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const figures = normandieFigures();
  if (process.argv.includes('--json')) console.log(JSON.stringify(figures, null, 2));
  else
    for (const { name, best: least, aim, ratio } of figures)
      console.log(`${name}: ${least.toFixed(1)} ms (aim ${aim}), ${ratio.toFixed(1)} times the baseline`);
}
