/** Heroes of Normandie as a game system of Fieldpost. */

import { completeRules, defineSystem } from '../../kernel/define.ts';
import type { Releases, Rules, Scenario } from '../../kernel/types.ts';
import { pointsOf } from './actions/victory.ts';
import { openBook } from './content/opened.ts';
import { offered, readScenario } from './content/scenario.ts';
import { openPlay } from './counters/play.ts';
import { type Data, type NormandieSide, SIDES } from './data.ts';
import { check } from './player/check.ts';
import { answer } from './player/doctrine.ts';
import { planned } from './player/preview.ts';
import { report } from './telling/report.ts';
import { rulings } from './telling/rulings.ts';
import { scene } from './telling/scene.ts';
import { parse, parseAnswer, print, verbs } from './text/orders.ts';
import { subjectsOf } from './text/print.ts';
import { isName, namesFor } from './text/reader.ts';
import { runPhase } from './turn/phases.ts';
import { setup } from './turn/setup.ts';
import type { Normandie, SideView } from './types.ts';

export const normandie = defineSystem<Normandie>({
  id: 'normandie',
  title: 'Heroes of Normandie',
  prefix: 'HON',
  rulesVersion: '2',
  read: readScenario,
  scenarios: offered,
  open: openRules,
});

/** What lies hidden and which event turns it up: cards played, tokens turned over, anonymous counters that act or fall. */
const RELEASES: Releases<Normandie> = {
  card: ['hand.cards'],
  gear: ['hand.identities'],
  revealed: ['hand.tokens', 'hand.identities'],
  bluffs: ['hand.tokens'],
  'revealed-unit': ['hand.identities'],
  destroyed: ['hand.identities'],
  drafted: ['hand.draft'],
  'drew-cards': ['cup.decks'],
};

/** The rules bound to one scenario. */
export function openRules(scenario: Scenario): Rules<Normandie> {
  const book = openBook(scenario.data as Data);
  return completeRules<Normandie>({
    verbs,
    rulings: rulings(),
    releases: RELEASES,
    setup: (options, dice) => setup(book, options, dice),
    asks: (view) => (view.table.ended ? [] : SIDES.map((side) => ({ side, must: mustFile(view, side) }))),
    parse: (lines, view) => parse(book, lines, view),
    print,
    subjects: subjectsOf,
    knows: (view, word) => isName(namesFor(book, view), word),
    parseAnswer: (view, request, lines) => parseAnswer(book, view, request, lines),
    check: (view, orders) => check(book, view, orders),
    preview: (view, orders) => {
      const events = planned(book, view, orders);
      return { events, scene: scene(book, view, events) };
    },
    *adjudicate(draft, orders, ruling) {
      yield* runPhase(openPlay(book, draft, orders, ruling));
    },
    doctrine: (view, filed, request, mayAsk) => answer(book, view, filed, request, mayAsk),
    outcome: (state) => state.table.ended ?? undefined,
    conclude(draft, how, side) {
      const winner =
        how === 'draw' ? 'draw' : side === undefined ? null : (SIDES.find((each) => each !== side) ?? null);
      draft.table.ended = { winner, reason: how, score: pointsOf(book, draft) };
    },
    scene: (view, events) => scene(book, view, events),
    report: (view, events, filed) => report(book, view, events, filed),
    house: () => [...book.data.scenario.house],
  });
}

/** In a live game only the side whose reveal is next owes orders at a pause; otherwise both do (3.2). */
function mustFile({ table, phase }: SideView, side: NormandieSide): boolean {
  const { activation, mode, tokens } = table;
  if (phase.step !== 'pause' || mode !== 'live' || !activation) return true;
  const left = (each: NormandieSide): number => tokens[each].numbered - activation.shown[each];
  const next = left(activation.next) > 0 ? activation.next : activation.next === 'us' ? 'ge' : 'us';
  return side === next;
}
