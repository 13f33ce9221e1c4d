/** Overlord behind the contract of a game system: every part is a file of its own. */
import { defineSystem } from '../../kernel/define.ts';
import type { OwnRules, Scenario, Words } from '../../kernel/types.ts';
import { openCampaign } from './content/campaign.ts';
import { readScenario, scenarioFiles } from './content/files.ts';
import { isName } from './content/names.ts';
import type { OverlordData } from './content/scenario.ts';
import { setUp } from './content/setup.ts';
import { houseLines, reportOf } from './telling/report.ts';
import { sceneOf } from './telling/scene.ts';
import { readAnswer } from './text/answer.ts';
import { settleQuestion } from './text/doctrine.ts';
import { printOrder, subjectsOf, VERBS } from './text/orders.ts';
import { parseLines } from './text/parse.ts';
import { rehearse, scratchView } from './turn/check.ts';
import { runPhase, stepOf } from './turn/phases.ts';
import { type Overlord, SIDES } from './types.ts';

/** Raise with every change that could alter a result. */
const RULES_VERSION = '2';

/** The rulings OVR-01 to OVR-38, worded in the templates. */
const RULINGS_COUNT = 38;
const RULINGS: Words[] = Array.from({ length: RULINGS_COUNT }, (_, i) => ({
  key: `overlord.ruling OVR-${String(i + 1).padStart(2, '0')}`,
}));

function openRules(scenario: Scenario): OwnRules<Overlord> {
  const campaign = openCampaign(scenario.data as OverlordData);
  return {
    verbs: VERBS,
    rulings: RULINGS,
    setup: (options) => setUp(campaign, options),
    asks({ table, phase }) {
      const step = table.over ? undefined : stepOf(table.options.mode, phase);
      return step ? SIDES.map((side) => ({ side, must: side === step.side })) : [];
    },
    parse: (lines, view) => parseLines(campaign, lines, view),
    print: printOrder,
    subjects: (order) => subjectsOf(campaign, order),
    knows: (_view, word) => isName(campaign, word),
    parseAnswer: (_view, request, lines) => readAnswer(campaign, request, lines),
    check: (view, orders, standing) => rehearse(campaign, view, orders, standing).diagnostics,
    preview(view, orders, standing) {
      const { events, field } = rehearse(campaign, view, orders, standing);
      // Drawn only for whoever looks: most receipts tell the events alone.
      return {
        events,
        get scene() {
          return sceneOf(campaign, scratchView(view, field), events);
        },
      };
    },
    adjudicate: (draft, orders, ruling) => runPhase(campaign, draft, orders, ruling),
    doctrine: (view, filed, request, mayAsk) =>
      settleQuestion(campaign, view.table, view.phase.turn, filed, request, mayAsk),
    outcome: (state) => state.table.over ?? undefined,
    conclude(draft, how, side) {
      const winner = how === 'concede' ? (side === 'german' ? 'allied' : 'german') : how === 'draw' ? 'draw' : null;
      draft.table.over = { winner, reason: how, score: { allied: draft.table.exits.length, german: 0 } };
    },
    scene: (view, events) => sceneOf(campaign, view, events),
    report: (view, events, filed) => reportOf(campaign, view, events, filed),
    house: (view) => houseLines(view.table),
  };
}

/** The game as the service knows it. */
export const overlord = defineSystem<Overlord>({
  id: 'overlord',
  title: 'Overlord',
  prefix: 'OVL',
  rulesVersion: RULES_VERSION,
  read: readScenario,
  scenarios: scenarioFiles,
  open: openRules,
});
