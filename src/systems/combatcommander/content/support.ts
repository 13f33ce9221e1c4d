/** C1.55c to C1.75: paying for Sections, support rolls, armor, artillery and air superiority. One function a rule. */

import { known } from '../../../kernel/assert.ts';
import { asWritten } from '../../../kernel/questions.ts';
import type { Decision, GameState, Ruling } from '../../../kernel/types.ts';
import {
  type ArmorOrder,
  type ArtilleryOrder,
  type CampaignQuestion,
  type CampaignSheet,
  type CombatCommander,
  type CommanderSide,
  type CommanderTable,
  enemyOf,
  type Letter,
  SIDES,
  type SupportPick,
  type SupportRoll,
  type When,
} from '../types.ts';
import { costOf } from './forces.ts';
import type { CampaignData } from './scenario.ts';

/** What the rules of a phase work with. */
export interface Desk {
  data: CampaignData;
  draft: GameState<CombatCommander>;
  ruling: Ruling<CombatCommander>;
}

/** The VP marker moves towards the opponent of the side that pays; gives where it was and where it is. */
export function pay(campaign: CampaignSheet, side: CommanderSide, cost: number): { from: number; to: number } {
  const from = campaign.vp;
  campaign.vp += side === 'american' ? -cost : cost;
  return { from, to: campaign.vp };
}

/** The VP that lie on a side's half of the track. */
export function vpOf(campaign: Pick<CampaignSheet, 'vp'>, side: CommanderSide): number {
  return Math.max(0, side === 'american' ? campaign.vp : -campaign.vp);
}

/** C1.55b-e: both choices are revealed at once, the Sections leave the pool, the American pays, then the German. */
export function revealSections(desk: Desk, bought: Record<CommanderSide, Letter[]>): void {
  const { data, draft, ruling } = desk;
  const { campaign, battle } = draft.table;
  battle.bought = bought;
  for (const side of SIDES) {
    for (const letter of ['Q', ...bought[side]]) campaign.boxes[side][letter] = 'battle';
    draft.hands[side]!.sealed = null;
    ruling.emit({ type: 'revealed', audience: 'all', rule: 'C1.55b', side, letters: bought[side] });
  }
  for (const side of SIDES) {
    const cost = costOf(data, side, bought[side]);
    const rule = side === 'american' ? 'C1.55d' : 'C1.55e';
    ruling.emit({ type: 'cost', audience: 'all', rule, side, cost, ...pay(campaign, side, cost) });
  }
}

/** RS.7: two dice for a column of the side's Support Table. */
function rollSupport(desk: Desk, side: CommanderSide): SupportRoll {
  const { data, draft, ruling } = desk;
  const dice = ruling.dice.roll(`${side} support roll`, 2, 6);
  const items = known(data.forces.supportTables[side][dice[0]! + dice[1]!], 'support column');
  const roll: SupportRoll = { side, dice, items: structuredClone(items), bought: null };
  draft.table.battle.support.push(roll);
  ruling.emit({
    type: 'support-roll',
    audience: 'all',
    rule: 'C1.71',
    side,
    dice,
    items: items.map((one) => `${one.item} ${one.cost}`),
  });
  return roll;
}

/** C1.71: with the VP marker off 0 the side that has the VP (the cheaper force) rolls first. */
export function openSupport(desk: Desk): void {
  const { vp } = desk.draft.table.campaign;
  if (vp === 0) desk.ruling.emit({ type: 'support-none', audience: 'all', rule: 'C1.71' });
  else rollSupport(desk, vp > 0 ? 'american' : 'german');
}

/** Items by a wish: the cheapest one, the dearest one, or all; ties by their order in the column. */
export function pickItems(items: readonly { item: string; cost: number }[], pick: SupportPick): string[] {
  if (pick === 'all') return items.map((one) => one.item);
  const wanted = items.map((one) => one.cost).reduce((a, b) => (pick === 'cheapest' ? Math.min(a, b) : Math.max(a, b)));
  return [items.find((one) => one.cost === wanted)!.item];
}

/** The price of items of a column. */
export function itemsCost(roll: SupportRoll, names: readonly string[]): number {
  return roll.items.filter((one) => names.includes(one.item)).reduce((sum, one) => sum + one.cost, 0);
}

/** Books what a side buys from its column; items that are not in it fall away, and at least one is bought (RS.7). */
function buySupport(desk: Desk, roll: SupportRoll, names: readonly string[]): void {
  const chosen = roll.items.map((one) => one.item).filter((item) => names.includes(item));
  const forced = chosen.length === 0;
  const items = forced ? pickItems(roll.items, 'cheapest') : chosen;
  roll.bought = items;
  const cost = itemsCost(roll, items);
  const move = pay(desk.draft.table.campaign, roll.side, cost);
  desk.ruling.emit({
    type: 'support-bought',
    audience: 'all',
    rule: 'C1.71',
    side: roll.side,
    items,
    cost,
    forced,
    ...move,
  });
}

/**
 * C1.71 as a whole: the first side buys; only if that takes the marker across 0 does the other side roll and buy, and is
 * asked what, since it sees its column only now.
 */
export function* standardSupport(
  desk: Desk,
  wishes: Record<CommanderSide, string[] | SupportPick>,
): Generator<CampaignQuestion[], void, Decision[]> {
  const { campaign, battle } = desk.draft.table;
  const first = battle.support[0];
  if (!first) return;
  const wish = wishes[first.side];
  buySupport(desk, first, typeof wish === 'string' ? pickItems(first.items, wish) : wish);
  const second = enemyOf(first.side);
  if (vpOf(campaign, second) === 0) return;
  const roll = rollSupport(desk, second);
  const decisions = yield [
    {
      id: `support of the ${second}`,
      to: second,
      kind: 'support',
      about: { kind: 'support', side: second },
      options: asWritten(roll.items.map((one) => one.item)),
      min: 1,
      max: roll.items.length,
      fallback: pickItems(roll.items, 'cheapest'),
      words: {
        key: 'combatcommander.ask-support',
        params: { items: roll.items.map((one) => `${one.item} (${one.cost} VP)`) },
      },
      rule: 'C1.71',
    },
  ];
  buySupport(desk, roll, decisions[0]?.chosen ?? []);
}

/** Whether a condition holds. `own`: the side's own armor is taken; `opponent`: the other side's was chosen. */
export function holds(when: When, own: boolean, opponent: boolean): boolean {
  switch (when) {
    case 'yes':
      return true;
    case 'no':
      return false;
    case 'if-opponent-armor':
      return opponent;
    case 'unless-opponent-armor':
      return !opponent;
    case 'unless-armor':
      return !own;
  }
}

/** C1.72: one point, the 75mm Radio for 4 VP and two Demolition Charges for 1 more. */
export function americanArmor(desk: Desk, order: ArmorOrder | undefined): void {
  const { campaign, battle } = desk.draft.table;
  const { emit } = desk.ruling;
  const terms = desk.data.tables.support.americanArmor;
  if (order?.when !== 'yes' || campaign.points.americanArmor === 0) {
    const left = campaign.points.americanArmor;
    emit({ type: 'armor-declined', audience: 'all', rule: 'C1.72b', side: 'american', left });
    return;
  }
  campaign.points.americanArmor -= terms.perBattle;
  battle.armor.american = 'taken';
  const left = campaign.points.americanArmor;
  const paid = pay(campaign, 'american', terms.vp);
  emit({ type: 'armor', audience: 'all', rule: 'C1.72d', side: 'american', left, ...paid });
  battle.charges = terms.charges;
  emit({ type: 'charges', audience: 'all', rule: 'C1.72g', ...pay(campaign, 'american', terms.chargesVp) });
}

/** C1.73: the German's one point; it also cancels American armor chosen for this battle (rulings CCR-07, CCR-08). */
export function germanArmor(desk: Desk, order: ArmorOrder | undefined): void {
  const { campaign, battle } = desk.draft.table;
  const { emit } = desk.ruling;
  const opponent = battle.armor.american === 'taken';
  if (campaign.points.germanArmor === 0) return;
  if (!order || !holds(order.when, false, opponent)) {
    const left = campaign.points.germanArmor;
    emit({ type: 'armor-declined', audience: 'all', rule: 'C1.73b', side: 'german', left });
    return;
  }
  campaign.points.germanArmor -= desk.data.tables.support.germanArmor.perBattle;
  battle.armor.german = 'taken';
  const paid = pay(campaign, 'german', desk.data.tables.support.germanArmor.vp);
  emit({ type: 'armor', audience: 'all', rule: 'C1.73c', side: 'german', left: campaign.points.germanArmor, ...paid });
  if (!opponent) return;
  battle.armor.american = 'cancelled';
  emit({ type: 'armor-cancelled', audience: 'all', rule: 'C1.73f' });
}

/** C1.74: up to three points for 5 VP in all; not in a battle with German armor. */
export function germanArtillery(desk: Desk, order: ArtilleryOrder | undefined): void {
  const { campaign, battle } = desk.draft.table;
  if (!order) return;
  const terms = desk.data.tables.support.germanArtillery;
  const own = battle.armor.german === 'taken';
  const wanted = holds(order.when, own, battle.armor.american !== 'none') ? order.points : order.otherwise;
  const points = Math.min(wanted, terms.perBattle, campaign.points.germanArtillery);
  if (points <= 0) return;
  if (own) {
    desk.ruling.emit({ type: 'artillery-excluded', audience: ['german'], rule: 'C1.74d' });
    return;
  }
  campaign.points.germanArtillery -= points;
  battle.artillery = points;
  const left = campaign.points.germanArtillery;
  desk.ruling.emit({
    type: 'artillery',
    audience: 'all',
    rule: 'C1.74c',
    points,
    left,
    ...pay(campaign, 'german', terms.vp),
  });
}

/** C1.75: without American armor chosen the marker shows Ground Support (cancelled armor was chosen: CCR-08). */
export function airSuperiority(desk: Desk): void {
  const { campaign, battle } = desk.draft.table;
  campaign.air = battle.armor.american === 'none' ? 'ground-support' : 'recall';
  desk.ruling.emit({ type: 'air', audience: 'all', rule: 'C1.75', face: campaign.air });
}

/** The price of Fortification OBs. */
export function fortCost(data: CampaignData, items: readonly string[]): number {
  const price = (item: string): number =>
    known(
      data.forces.fortifications.list.find((entry) => entry.item === item),
      `fortification ${item}`,
    ).cost;
  return items.reduce((sum, item) => sum + price(item), 0);
}

/**
 * RS.9: the VP the Defender may spend on fortifications. That step comes before C1.91, so what the German has paid with
 * Fortification Points for this battle does not count, though it moved the marker.
 */
export function fortBudget(
  data: CampaignData,
  table: Pick<CommanderTable, 'campaign' | 'battle'>,
  side: CommanderSide,
): number {
  const deep = table.battle.forts.filter((fort) => fort.pay === 'points').map((fort) => fort.item);
  return vpOf({ vp: table.campaign.vp - fortCost(data, deep) }, side);
}

/** How many pieces an OB holds. */
export function fortPieces(data: CampaignData, item: string): number {
  return known(
    data.forces.fortifications.list.find((entry) => entry.item === item),
    `fortification ${item}`,
  ).pieces;
}

/**
 * RS.9 (with VP, by the Defender) and C1.91 (with Fortification Points, by the German): books the OBs, moves the marker
 * by their cost, and leaves the posture as it is (ruling CCR-10).
 */
export function buyForts(
  desk: Desk,
  side: CommanderSide,
  means: 'vp' | 'points',
  items: readonly { item: string; hexes: string[] }[],
): void {
  const { campaign, battle } = desk.draft.table;
  if (items.length === 0) return;
  const names = items.map((one) => one.item);
  const cost = fortCost(desk.data, names);
  if (means === 'points') campaign.points.fortification -= cost;
  const move = pay(campaign, side, cost);
  for (const { item, hexes } of items) battle.forts.push({ side, pay: means, item, hexes });
  desk.ruling.emit({
    type: 'fort',
    audience: 'all',
    rule: means === 'points' ? 'C1.91c' : 'C1.9',
    side,
    pay: means,
    items: names,
    cost,
    left: campaign.points.fortification,
    ...move,
  });
}
