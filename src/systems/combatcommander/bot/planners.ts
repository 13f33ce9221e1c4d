/**
 * Two players by rule of the campaign. Both weigh what a Section, a Radio or an item brings on the map against the VP it
 * costs; the careful one also counts that a leader who has fought is tired afterwards.
 */
import { best, type Planner, TEMPERS, type Temper } from '../../../kernel/planner.ts';
import { valuesOf } from '../../../kernel/questions.ts';
import type { Scenario, View } from '../../../kernel/types.ts';
import { inBox, winsOf } from '../campaign/campaignsheet.ts';
import { leaderChoices, mustChoose, qualityOptions, requestOf, restCandidates } from '../campaign/results.ts';
import { costOf, sectionOf } from '../content/forces.ts';
import type { CampaignData } from '../content/scenario.ts';
import { itemsCost } from '../content/support.ts';
import {
  type Battle,
  type CampaignSheet,
  type CombatCommander,
  type CommanderSide,
  enemyOf,
  type Letter,
} from '../types.ts';
import { expectedVp, strengthIn } from './fight.ts';

/** What a tired leader costs the careful one, in tenths of a VP. */
const TIRED = 15;

/** The two planners for a scenario. */
export function campaignPlanners(scenario: Scenario): Planner<CombatCommander>[] {
  const data = scenario.data as CampaignData;
  return TEMPERS.map((temper) => ({
    temper,
    orders: (view) => ordersOf({ data, view, side: view.viewer as CommanderSide, temper }),
    answer(view, request) {
      const about = request.about;
      if (about.kind !== 'support') return [];
      return itemsFor({ data, view, side: view.viewer as CommanderSide, temper }) ?? [valuesOf(request)[0]!];
    },
  }));
}

interface Desk {
  data: CampaignData;
  view: View<CombatCommander>;
  side: CommanderSide;
  temper: Temper;
}

function ordersOf(desk: Desk): string[] {
  switch (desk.view.phase.step) {
    case 'sections':
      return desk.view.table.battle.sealed[desk.side] ? [] : [sectionsLine(desk)];
    case 'support':
      return supportLines(desk);
    case 'after':
      return afterLines(desk);
    default:
      return [];
  }
}

/** What the side may hope for with a battle as given, in tenths of a VP. */
function hope({ data, side }: Desk, campaign: CampaignSheet, battle: Battle): number {
  const american = strengthIn(data, campaign, battle, 'american');
  const german = strengthIn(data, campaign, battle, 'german');
  const vp = expectedVp(campaign.vp, american, german);
  return side === 'american' ? vp : -vp;
}

/** All choices of some of the letters, none among them. */
function choicesOf(letters: readonly Letter[]): Letter[][] {
  const sets: Letter[][] = [[]];
  for (const letter of letters) sets.push(...sets.map((set) => [...set, letter]));
  return sets;
}

/** What the enemy would buy on average: his cheapest Section. */
function expectedOf(desk: Desk): Letter[] {
  const { data, view } = desk;
  const enemy = enemyOf(desk.side);
  const pool = inBox(view.table.campaign, enemy, 'pool').filter((letter) => letter !== 'Q');
  const cheapest = best(pool, (letter) => -sectionOf(data, enemy, letter).cost);
  return cheapest === undefined ? [] : [cheapest];
}

/** The Sections with which the battle is hoped to go best, whatever one Section the enemy brings. */
function sectionsLine(desk: Desk): string {
  const { data, view, side, temper } = desk;
  const { campaign, battle } = view.table;
  const enemy = enemyOf(side);
  const theirs = expectedOf(desk);
  const last = winsOf(campaign.fought, enemy) === data.campaign.winsNeeded - 1;
  const price = temper === 'careful' && !last ? TIRED : 0;
  const pool = inBox(campaign, side, 'pool').filter((letter) => letter !== 'Q');
  const chosen = best(choicesOf(pool), (letters) => {
    const bought = { [side]: letters, [enemy]: theirs } as Battle['bought'];
    const own = costOf(data, side, letters);
    const vp = costOf(data, enemy, theirs) - own;
    const then = { ...campaign, vp: campaign.vp + (side === 'american' ? vp : -vp) };
    return hope(desk, then, { ...battle, bought }) - letters.length * price;
  })!;
  return chosen.length === 0 ? 'SECTIONS NONE' : `SECTIONS ${chosen.join(' ')}`;
}

/** The items of the column that help most for what they cost; undefined where nothing was rolled. */
function itemsFor(desk: Desk): string[] | undefined {
  const { view, side } = desk;
  const { campaign, battle } = view.table;
  const roll = battle.support.find((one) => one.side === side && one.bought === null);
  if (!roll) return undefined;
  const sets = choicesOf(roll.items.map(({ item }) => item)).filter((items) => items.length > 0);
  return best(sets, (items) => {
    const cost = itemsCost(roll, items) * (side === 'american' ? -1 : 1);
    const support = battle.support.map((one) => (one === roll ? { ...roll, bought: items } : one));
    return hope(desk, { ...campaign, vp: campaign.vp + cost }, { ...battle, support });
  });
}

function supportLines(desk: Desk): string[] {
  const { data, view, side } = desk;
  const { campaign, battle } = view.table;
  const { americanArmor, germanArtillery } = data.tables.support;
  const items = itemsFor(desk);
  const lines = items ? [`SUPPORT BUY ${items.join(', ')}`] : [];
  const now = hope(desk, campaign, battle);
  if (side === 'american') {
    if (campaign.points.americanArmor === 0) return lines;
    const cost = americanArmor.vp + americanArmor.chargesVp;
    const armed = { ...battle, armor: { ...battle.armor, american: 'taken' as const }, charges: americanArmor.charges };
    const then = hope(desk, { ...campaign, vp: campaign.vp - cost }, armed);
    return [...lines, then > now ? 'ARMOR YES' : 'ARMOR NO'];
  }
  if (campaign.points.germanArmor > 0) lines.push('ARMOR IF OPPONENT ARMOR');
  const most = Math.min(germanArtillery.perBattle, campaign.points.germanArtillery);
  // The points must last: the careful German fires two of them a battle.
  const points = desk.temper === 'careful' ? Math.min(2, most) : most;
  if (points === 0) return lines;
  const guns = { ...battle, artillery: points };
  const then = hope(desk, { ...campaign, vp: campaign.vp + germanArtillery.vp }, guns);
  if (then > now) lines.push(`ARTILLERY ${points} UNLESS ARMOR`);
  return lines;
}

/** How much a Section is wanted: what it costs tells what it is worth. */
const wanted = ({ data, side }: Desk, letter: Letter): number => sectionOf(data, side, letter).cost;

function afterLines(desk: Desk): string[] {
  const { view, side } = desk;
  const { campaign, after } = view.table;
  if (!after || !mustChoose(campaign, after, side)) return [];
  const lines: string[] = [];
  const choices = leaderChoices(campaign, after, side);
  const leader = best(choices, (letter) => wanted(desk, letter));
  if (side === after.winner) {
    const [quality] = (['own', 'opponent', 'none'] as const).filter((one) =>
      qualityOptions(campaign, side).includes(one),
    );
    lines.push(`CHOOSE QUALITY ${quality!.toUpperCase()}`);
    const brings = (names: Letter): number => {
      if (names === 'none') return -1;
      if (names === 'choice') return leader ? wanted(desk, leader) : -1;
      return campaign.boxes[side][names] === 'available' ? wanted(desk, names) : -1;
    };
    const rolls = requestOf(after, side).map((roll, i) => ({ n: i + 1, worth: brings(roll.names) }));
    lines.push(`CHOOSE REQUEST ${best(rolls, ({ worth }) => worth)!.n}`);
  }
  if (leader && requestOf(after, side).some(({ names }) => names === 'choice')) lines.push(`CHOOSE LEADER ${leader}`);
  if (side === 'german' && after.rest) {
    const rested = after.rest.flatMap((roll) => restCandidates(campaign, [roll]).slice(0, 1));
    const letters = [...new Set(rested)];
    if (letters.length > 0) lines.push(`CHOOSE REST ${letters.join(' ')}`);
  }
  return lines;
}
