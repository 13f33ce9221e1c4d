/** Who may play which scenario in a tournament: the two planners of its system, and random play to measure them by. */

import type { Chance, Planner } from '../../src/kernel/planner.ts';
import { valuesOf } from '../../src/kernel/questions.ts';
import type { DecisionRequest, GameTypes, Rules, Scenario, View } from '../../src/kernel/types.ts';
import { type OpenScenario, openScenarios, SCENARIOS } from '../../src/scenarios.ts';
import { fightBattle } from '../../src/systems/combatcommander/bot/fight.ts';
import { campaignPlanners } from '../../src/systems/combatcommander/bot/planners.ts';
import type { CampaignData as StLo } from '../../src/systems/combatcommander/content/scenario.ts';
import type { CommanderTable } from '../../src/systems/combatcommander/types.ts';
import { normandiePlanners } from '../../src/systems/normandie/bot/planners.ts';
import { openBook } from '../../src/systems/normandie/content/opened.ts';
import type { Data } from '../../src/systems/normandie/data.ts';
import type { Normandie, SideView } from '../../src/systems/normandie/types.ts';
import { overlordPlanners } from '../../src/systems/overlord/bot/planners.ts';
import { openCampaign } from '../../src/systems/overlord/content/campaign.ts';
import type { OverlordData } from '../../src/systems/overlord/content/scenario.ts';
import type { Overlord } from '../../src/systems/overlord/types.ts';
import * as stlo from '../helpers/combatcommander-bot.ts';
import * as heroes from '../helpers/normandie-bot.ts';
import * as overlord from '../helpers/overlord-players.ts';
import { formOf } from '../helpers/play.ts';
import { type Match, type Played, type Player, playerOf, playMatch } from './match.ts';

/** A scenario ready to be played. */
export interface Contest {
  open: OpenScenario;
  options: Record<string, unknown>;
  /** `bold`, `careful`, `random`. */
  players: Record<string, Player>;
  outside?: Match['outside'];
}

const word = (chance: Chance): string => String(chance.below(1_000_000_000));

function random(orders: Player['orders'], answer?: Player['answer']): Player {
  const anything = (_view: View, request: DecisionRequest, chance: Chance): string[] =>
    request.options.length === 0 ? [] : [chance.pick(valuesOf(request))];
  return { name: 'random', orders, answer: answer ?? anything };
}

type Own = Omit<Contest, 'open' | 'players'> & { planners: readonly unknown[]; random: Player };

/** What each system brings. Normandie is played in one mail a turn, the campaign without placing its pieces. */
const OWN: Record<string, (scenario: Scenario, rules: Rules) => Own> = {
  overlord(scenario) {
    const campaign = openCampaign(scenario.data as OverlordData);
    const orders: Player['orders'] = (view, chance) =>
      overlord.randomOrders(campaign, view as View as View<Overlord>, overlord.chanceOf(chance.below(1_000_000_000)));
    return { options: {}, planners: overlordPlanners(scenario), random: random(orders, (_view, one) => one.fallback) };
  },
  normandie(scenario, rules) {
    const book = openBook(scenario.data as Data);
    const own = rules as Rules<GameTypes> as unknown as Rules<Normandie>;
    const orders: Player['orders'] = (view, chance) =>
      heroes
        .randomOrders(own, book, view as View as SideView, heroes.chanceOf(word(chance)))
        .filter((line) => line !== 'FINAL' && line !== 'END');
    return { options: { mode: 'one-mail' }, planners: normandiePlanners(scenario), random: random(orders) };
  },
  combatcommander(scenario, rules) {
    const data = scenario.data as StLo;
    const orders: Player['orders'] = (view, chance) => {
      const form = formOf(rules.report(view, [], { orders: [], standing: [] }));
      // The battles are fought below; nobody reports one.
      const edited = stlo.editForm(form, stlo.chanceOf(word(chance)), () => 'AMERICAN');
      return edited.filter((line) => !/^(FINAL|END|REPORT|CONFIRM|REOPEN)\b/.test(line));
    };
    return {
      options: { placement: 'table' },
      planners: campaignPlanners(scenario),
      random: random(orders, (_view, request, chance) => stlo.answerBy(stlo.chanceOf(word(chance)), request)),
      outside(state, chance) {
        if (state.phase.step !== 'battle') return;
        const { campaign, battle } = state.table as CommanderTable;
        const roll = (_: string, count: number, sides: number): number[] =>
          Array.from({ length: count }, () => 1 + chance.below(sides));
        battle.ruling = fightBattle(data, campaign, battle, { roll });
      },
    };
  },
};

const store = openScenarios([SCENARIOS]);

/** Every scenario of ours. */
export const scenarioIds = (): string[] => store.list().map(({ id }) => id);

export function contestOf(id: string, open = store.open(id)): Contest {
  const own = OWN[open.system.id];
  if (!own) throw new Error(`${open.system.id} has no planners`);
  const { planners, random: dice, ...rest } = own(open.scenario, open.rules);
  const players = [...(planners as readonly Planner[]).map(playerOf), dice];
  return { ...rest, open, players: Object.fromEntries(players.map((player) => [player.name, player])) };
}

/** Who plays which side, by its name. */
export type Pairing = Record<string, string>;

/** Plays one game of a scenario. */
export function playContest(contest: Contest, pairing: Pairing, seed: string): Played {
  const { open, options, players, outside } = contest;
  const seats = Object.fromEntries(Object.entries(pairing).map(([side, name]) => [side, players[name]!]));
  const match: Match = { rules: open.rules, options, players: seats, seed };
  return playMatch(outside ? { ...match, outside } : match);
}

/** Both planners on both sides: against each other, changed about, and each against itself. */
export function pairings(contest: Contest): Pairing[] {
  const [one, two] = contest.open.scenario.sides.map(({ id }) => id);
  return ['bold', 'careful'].flatMap((a) => ['bold', 'careful'].map((b) => ({ [one!]: a, [two!]: b })));
}

/** Each planner on each side against random play. */
export function againstRandom(contest: Contest): Pairing[] {
  const [one, two] = contest.open.scenario.sides.map(({ id }) => id);
  return ['bold', 'careful'].flatMap((name) => [
    { [one!]: name, [two!]: 'random' },
    { [one!]: 'random', [two!]: name },
  ]);
}
