/** Combat Commander Normandy: the campaign of scenario 56 by mail. The contract of a game system, nothing else. */

import { defineSystem } from '../../kernel/define.ts';
import { error } from '../../kernel/orders.ts';
import { valuesOf } from '../../kernel/questions.ts';
import type { OrderLine, OwnRules, Releases, Scenario, View } from '../../kernel/types.ts';
import { newGame, optionsOf } from './campaign/campaignsheet.ts';
import { faultsOf, speaksFor } from './campaign/check.ts';
import { asksOf, isReady, paceOf, runPhase } from './campaign/phases.ts';
import { scoreOf } from './campaign/results.ts';
import { isName } from './content/names.ts';
import { type CampaignData, readScenario, SCENARIO_FILES } from './content/scenario.ts';
import { fortCost } from './content/support.ts';
import { previewOf } from './telling/preview.ts';
import { campaignReport, rulings } from './telling/report.ts';
import { campaignScene } from './telling/scene.ts';
import { say } from './telling/telling.ts';
import { answerFor } from './text/doctrine.ts';
import { parseOrders, printOrder, printStanding } from './text/orders.ts';
import { type CampaignQuestion, type CombatCommander, enemyOf, isSide } from './types.ts';
import { VERBS } from './verbs.ts';

/** What is our own completion. */
const HOUSE = ['house-sections', 'house-reserves', 'house-support', 'house-maps', 'house-values'].map((key) =>
  say(key),
);

/** The answer to a question as order words: items of the column, or a FORT line. */
function readAnswer(
  rules: OwnRules<CombatCommander>,
  data: CampaignData,
  view: View<CombatCommander>,
  request: CampaignQuestion,
  lines: readonly OrderLine[],
): ReturnType<OwnRules<CombatCommander>['parseAnswer']> {
  if (request.kind === 'support') {
    const words = lines.flatMap((line) => line.text.split(/[\s,;]+/)).filter((word) => word !== '');
    const chosen = valuesOf(request).filter((option) =>
      words.some((word) => word.replaceAll('+', '-').toUpperCase() === option.toUpperCase()),
    );
    const known = words.filter((word) => !/^(SUPPORT|BUY)$/i.test(word)).length;
    if (chosen.length > 0 && chosen.length === known) return { chosen };
    return {
      diagnostics: [
        error('ITEM NOT IN COLUMN', lines[0]?.n ?? 1, { item: words.join(' '), items: valuesOf(request) }, 'C1.71'),
      ],
    };
  }
  const parsed = rules.parse(lines, view);
  if (parsed.diagnostics.length > 0) return { diagnostics: parsed.diagnostics };
  const order = parsed.orders.at(-1);
  const line = lines[0]?.n ?? 1;
  if (order?.verb !== 'FORT' || order.pay === 'vp')
    return { diagnostics: [error('WRITE IT SO', line, { verb: 'FORT', form: 'FORT NONE | FORT POINTS item, item' })] };
  const items = order.items.map((one) => one.item);
  const left = view.table.campaign.points.fortification;
  const cost = fortCost(data, items);
  if (cost > left) return { diagnostics: [error('OVER FORT POINTS', line, { cost, left }, 'C1.91e')] };
  if (order.items.some((one) => one.hexes.length > 0))
    return { diagnostics: [error('FORT LATER', line, {}, 'C1.10g')] };
  return { chosen: items };
}

/** The fists open together; the open chit of a battle and the secret ones are drawn from the cup. */
const RELEASES: Releases<CombatCommander> = {
  revealed: ['hand.sealed'],
  'battle-opened': ['cup.chits'],
  'secret-chit': ['cup.chits', 'hand.chit'],
};

function openCampaign(scenario: Scenario): OwnRules<CombatCommander> {
  const data = scenario.data as CampaignData;
  const rules: OwnRules<CombatCommander> = {
    verbs: VERBS,
    releases: RELEASES,
    rulings: [...rulings(), say('master-help')],
    setup: (options, dice) => newGame(data, optionsOf(options), dice),
    asks: asksOf,
    ready: isReady,
    master: ({ phase, table }) =>
      phase.step === 'ruling' ? say('master-asked', { battle: table.campaign.battle }) : undefined,
    pace: paceOf,
    parse: (lines, view) => parseOrders(data, lines, view),
    print: (order) => (order.verb === 'DOCTRINE' ? printStanding(order) : printOrder(order)),
    subjects: speaksFor,
    knows: (view, word) => isSide(view.viewer) && isName(data, view.table, view.viewer, word),
    parseAnswer: (view, request, lines) => readAnswer(rules, data, view, request, lines),
    check: (view, orders, standing) =>
      isSide(view.viewer)
        ? faultsOf({ data, table: view.table, side: view.viewer, step: view.phase.step, standing }, orders)
        : [],
    preview: (view, orders) => previewOf(data, view, orders),
    adjudicate: (draft, orders, ruling) => runPhase(data, draft, orders, ruling),
    doctrine: (view, filed, request, mayAsk) => answerFor(data, view, filed, request, mayAsk),
    outcome: (state) => state.table.ended ?? undefined,
    conclude(draft, how, side) {
      const { campaign } = draft.table;
      const winner = how === 'concede' && side !== undefined && isSide(side) ? enemyOf(side) : null;
      draft.table.ended = { winner: how === 'draw' ? 'draw' : winner, reason: how, score: scoreOf(campaign) };
    },
    scene: (view) => campaignScene(data, view.table, view.phase.step),
    report: (view, events, filed) => campaignReport(data, view, events, filed),
    house: () => [...HOUSE],
  };
  return rules;
}

export const combatcommander = defineSystem<CombatCommander>({
  id: 'combatcommander',
  title: 'Combat Commander Normandy',
  prefix: 'CCN',
  rulesVersion: '1',
  read: readScenario,
  scenarios: (fileNames) =>
    fileNames
      .filter((name) => name.startsWith('scenario-'))
      .map((name) => ({
        id: `combatcommander/${name.slice('scenario-'.length, -'.json'.length)}`,
        files: [name, ...SCENARIO_FILES, ...fileNames.filter((file) => /^map-.*\.json$/.test(file))],
      })),
  open: openCampaign,
});
