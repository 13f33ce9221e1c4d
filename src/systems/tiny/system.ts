/**
 * The smallest game that uses every part of the contract: two runners race over some squares. One order verb (RUN), a die
 * for the fast way, a hidden jump in each hand, a weather deck in the cup, doctrine, and a question when one runner catches
 * the other. It is no game of the service: tests play it, and new-system begins a new game as its copy.
 */
import { defineSystem } from '../../kernel/define.ts';
import type { OwnRules, Scenario } from '../../kernel/types.ts';
import { answerOf, doctrineOf, parseRace, printRace, VERBS } from './orders.ts';
import { outcomeOf, runRace, startOf } from './race.ts';
import { offered, readRace, type TinyData } from './scenario.ts';
import { reportOf, sceneOf } from './telling.ts';
import { SIDES, type Tiny, type TinyWay, WAYS } from './types.ts';

/** The contents of the rules: what each member does stands in the chapter it names. */
function openTiny(scenario: Scenario): OwnRules<Tiny> {
  const { squares } = scenario.data as TinyData;
  return {
    verbs: VERBS,
    // How far somebody got shows the weather that was turned up for the turn.
    releases: { ran: ['cup'] },
    setup: (options, dice) => startOf(Number(options.squares ?? squares), dice),
    asks: (view) => (outcomeOf(view) ? [] : SIDES.map((side) => ({ side, must: true }))),
    parse: parseRace,
    print: printRace,
    subjects: (order) => [`RUN ${order.way.toUpperCase()}`],
    knows: (_view, word) => WAYS.includes(word.toLowerCase() as TinyWay),
    parseAnswer: (_view, request, lines) => answerOf(request, lines),
    check: () => [],
    preview: (view) => ({ events: [], scene: sceneOf(view) }),
    adjudicate: runRace,
    doctrine: (_view, filed, _request, mayAsk) => doctrineOf(filed, mayAsk),
    outcome: outcomeOf,
    scene: sceneOf,
    report: reportOf,
    house: () => [],
  };
}

export const tiny = defineSystem<Tiny>({
  id: 'tiny',
  title: 'Race',
  prefix: 'TNY',
  rulesVersion: '1',
  scenarios: offered,
  read: readRace,
  open: openTiny,
});
