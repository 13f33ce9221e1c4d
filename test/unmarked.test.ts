/**
 * Every word a player reads stands in templates: all of them are read in a language whose letters are marked, and a word
 * without a mark comes from the code. Names of scenarios, words of the order language and what people wrote are no words of
 * ours.
 */
import { afterAll, describe, expect, test } from 'vitest';
import type { GameState, Text } from '../src/kernel/types.ts';
import { publicView, viewFor } from '../src/kernel/view.ts';
import { renderSvg } from '../src/render/sheet/svg.ts';
import { openWording, saidForm, saidScene, shown } from '../src/render/words.ts';
import { openScenarios, SCENARIOS } from '../src/scenarios.ts';
import { diceOf, file, heardBy, playPhase, viewersOf } from './helpers/play.ts';
import { namesIn, pseudoTemplates, readOut, unmarked, wordsOf } from './helpers/pseudo.ts';

const folder = pseudoTemplates();
const wording = openWording('xx', [folder]);
const store = openScenarios([SCENARIOS]);
let total = 0;
afterAll(() => process.stdout.write(`unmarked words: ${total}\n`));

function none(where: string, words: Iterable<string>): void {
  const found = [...new Set(words)];
  total += found.length;
  expect(found, where).toEqual([]);
}

const PHASES = 4;

describe('one turn of each game', () => {
  test.each(store.list().map(({ id }) => id))('%s', (id) => {
    const { rules, files, scenario, system } = store.open(id);
    const patterns = rules.verbs.flatMap(({ pattern, clauses }) => [
      pattern,
      ...clauses.map((clause) => clause.pattern),
    ]);
    const known = [
      namesIn([files, scenario.title, scenario.sides, system.title]),
      new Set(wordsOf(patterns.join(' '))),
    ];
    const say = (text: Text): string => shown(text, wording);
    let state: GameState = rules.setup({}, diceOf('words', { n: 1, turn: 1, step: 'start' }));
    const told: string[] = [
      ...rules.verbs.flatMap(({ help, clauses }) => [help, ...clauses.map((clause) => clause.help)].map(say)),
      ...(rules.rulings ?? []).map(say),
      ...scenario.options.map(({ help }) => say(help)),
    ];
    let events: Parameters<typeof heardBy>[1] = [];
    for (let n = 0; n < PHASES && rules.asks(publicView(state)).length > 0; n++) {
      const filed: Record<string, ReturnType<typeof file>> = {};
      for (const viewer of viewersOf(state)) {
        const view = viewFor(state, viewer);
        const heard = heardBy(viewer, events);
        const report = rules.report(view, heard, { orders: [], standing: [] });
        told.push(...[report.headline, ...report.sections.flatMap(({ title, lines }) => [title, ...lines])].map(say));
        told.push(...saidForm(report.orderForm, wording), ...rules.house(view).map(say));
        told.push(
          readOut(renderSvg(saidScene(rules.scenes(view, heard)[0]!, wording), { footer: '', words: wording })),
        );
        if (viewer === 'public') continue;
        filed[viewer] = file(rules, state, viewer, saidForm(report.orderForm, wording));
        for (const wrong of [filed[viewer], file(rules, state, viewer, ['XYZZY 12', 'HOLD nobody'])])
          told.push(...wrong.diagnostics.map((one) => wording.complain(system.id, one)));
      }
      const played = playPhase(rules, state, filed, 'words');
      told.push(...played.requests.flatMap(({ words }) => (words ? [say(words)] : [])));
      state = played.result.state;
      events = played.result.events;
    }
    none(id, unmarked(told.join('\n'), ...known, new Set(['xyzzy', 'nobody', 'km'])));
  });
});
