/** Legality: what may be ordered in each step, by whom. The same functions serve the receipt and the judge. */

import { error, warning } from '../../../kernel/orders.ts';
import type { Diagnostic } from '../../../kernel/types.ts';
import { sectionName } from '../content/forces.ts';
import { sideName } from '../content/names.ts';
import type { CampaignData } from '../content/scenario.ts';
import { fortBudget, fortCost, fortPieces } from '../content/support.ts';
import { orderOrDoctrine } from '../text/doctrine.ts';
import { readOrder } from '../text/orders.ts';
import {
  type ArmorOrder,
  type ArtilleryOrder,
  type BattleOrder,
  type CampaignDoctrine,
  type CampaignOrder,
  type ChooseOrder,
  type CommanderSide,
  type CommanderTable,
  enemyOf,
  type FortOrder,
  type PlaceOrder,
  type ReportOrder,
  type SectionsOrder,
  type SetupOrder,
  type SupportOrder,
} from '../types.ts';
import { inBox } from './campaignsheet.ts';
import { checkFortHexes, checkPlaces, checkSetup, unplacedForts, zoneOf } from './placement.ts';
import { defenderOf } from './posture.ts';
import { leaderChoices, qualityOptions, requestOf, restMatches } from './results.ts';

/** What a side's orders are checked against: everything here is on the table. */
export interface Yardstick {
  data: CampaignData;
  table: CommanderTable;
  side: CommanderSide;
  step: string;
  /** The side's standing orders in force. */
  standing: readonly CampaignDoctrine[];
}

const BATTLE_STEPS: readonly string[] = ['battle', 'confirm', 'dispute', 'ruling'];

/** What an order speaks for: the choice it makes, or the pieces and items it places. */
export function speaksFor(order: CampaignOrder): string[] {
  if (order.verb === 'PLACE') return [`PLACE ${order.item}`];
  if (order.verb !== 'SETUP') return subjectsOf(order);
  const { deploy, places, carry } = order;
  return [
    ...(deploy === null ? [] : [`DEPLOY ${deploy}`]),
    ...places.map(({ unit }) => unit),
    ...carry.map(({ weapon }) => weapon),
  ];
}

/** Verbs of which one counts; a later one replaces the one before. `FORT NONE` takes back both kinds of payment. */
function subjectsOf(order: CampaignOrder): string[] {
  if (order.verb === 'SETUP' || order.verb === 'PLACE') return [];
  if (order.verb === 'CHOOSE') return [`CHOOSE ${order.what.toUpperCase()}`];
  if (order.verb === 'FORT')
    return order.pay === 'none' ? ['FORT VP', 'FORT POINTS'] : [`FORT ${order.pay.toUpperCase()}`];
  return [order.verb === 'CONFIRM' ? 'REPORT' : order.verb];
}

/** All complaints about a side's orders in the present step. */
export function faultsOf(bench: Yardstick, orders: readonly CampaignOrder[]): Diagnostic[] {
  const faults: Diagnostic[] = [];
  const last = new Map<string, number>();
  orders.forEach((order, i) => {
    for (const subject of subjectsOf(order)) last.set(subject, i);
  });
  orders.forEach((order, i) => {
    const subject = subjectsOf(order).find((one) => last.get(one) !== i);
    if (subject !== undefined)
      faults.push(warning('REPLACED', order.line, { subject, by: orders[last.get(subject)!]!.line }));
    faults.push(...faultsOfOrder(bench, order, orders));
  });
  faults.push(...setupFaults(bench, orders));
  return faults;
}

function notNow(bench: Yardstick, order: CampaignOrder): Diagnostic[] {
  return [error('NOT NOW', order.line, { verb: order.verb, step: bench.step })];
}

function faultsOfOrder(bench: Yardstick, order: CampaignOrder, orders: readonly CampaignOrder[]): Diagnostic[] {
  switch (order.verb) {
    case 'SECTIONS':
      return checkSections(bench, order);
    case 'SUPPORT':
      return checkSupport(bench, order);
    case 'ARMOR':
      return checkArmor(bench, order);
    case 'ARTILLERY':
      return checkArtillery(bench, order, orders);
    case 'FORT':
      return checkFort(bench, order);
    case 'RADIO':
      return checkRadio(bench, order);
    case 'SETUP':
    case 'PLACE':
      return checkTurnToPlace(bench, order);
    case 'REPORT':
      return checkReport(bench, order);
    case 'CONFIRM':
    case 'REOPEN':
      return order.verb === 'CONFIRM' ? checkConfirm(bench, order) : checkReopen(bench, order);
    case 'CHOOSE':
      return checkChoose(bench, order);
  }
}

/** C1.55a: any of the Sections whose leader is in the pool; once sealed the choice stands. */
function checkSections(bench: Yardstick, order: SectionsOrder): Diagnostic[] {
  const { data, table, side, step } = bench;
  const { campaign, battle } = table;
  if (step === 'after' || step === 'over') return notNow(bench, order);
  if (battle.sealed[side] || battle.bought) return [error('SEALED ALREADY', order.line, {}, 'C1.55a')];
  const pool = inBox(campaign, side, 'pool').filter((letter) => letter !== 'Q');
  return order.letters
    .filter((letter) => !pool.includes(letter))
    .map((letter) =>
      error(
        'NOT IN POOL',
        order.line,
        {
          section: sectionName(data, campaign, side, letter),
          box: campaign.boxes[side][letter] ?? 'available',
          pool: pool.map((one) => sectionName(data, campaign, side, one)),
        },
        'C1.53c',
      ),
    );
}

/** RS.7: items of the rolled column, at least one. A wish like CHEAPEST may also be filed for a roll still to come. */
function checkSupport(bench: Yardstick, order: SupportOrder): Diagnostic[] {
  const { table, side, step } = bench;
  if (step !== 'support') return notNow(bench, order);
  if (typeof order.buy === 'string') return [];
  const roll = table.battle.support.find((one) => one.side === side && one.bought === null);
  if (!roll) return [error('NO SUPPORT ROLL', order.line, {}, 'C1.71')];
  if (order.buy.length === 0) return [error('MUST BUY', order.line, { items: names(roll.items) }, 'C1.71')];
  return order.buy
    .filter((item) => !roll.items.some((one) => one.item === item))
    .map((item) => error('ITEM NOT IN COLUMN', order.line, { item, items: names(roll.items) }, 'C1.71'));
}

function names(items: readonly { item: string; cost: number }[]): string[] {
  return items.map((one) => `${one.item} (${one.cost} VP)`);
}

/** C1.72, C1.73: points left; the American decides first and so cannot wait for the German. */
function checkArmor(bench: Yardstick, order: ArmorOrder): Diagnostic[] {
  const { table, side, step } = bench;
  if (step !== 'support') return notNow(bench, order);
  if (order.when === 'no') return [];
  if (side === 'american') {
    if (table.campaign.points.americanArmor === 0)
      return [error('NO POINTS', order.line, { what: 'armor', left: 0, wanted: 1 }, 'C1.72c')];
    return order.when === 'yes' ? [] : [error('AMERICAN DECIDES FIRST', order.line, {}, 'C1.73b')];
  }
  return table.campaign.points.germanArmor === 0 ? [error('ARMOR USED', order.line, {}, 'C1.73c')] : [];
}

/** C1.74: the German, at most three points and no more than are left, not together with his armor. */
function checkArtillery(bench: Yardstick, order: ArtilleryOrder, orders: readonly CampaignOrder[]): Diagnostic[] {
  const { data, table, side, step } = bench;
  if (side !== 'german') return [error('NOT YOUR SIDE', order.line, { verb: 'ARTILLERY', side: 'German' }, 'C1.74a')];
  if (step !== 'support') return notNow(bench, order);
  const most = data.tables.support.germanArtillery.perBattle;
  const wanted = Math.max(order.points, order.otherwise);
  const left = table.campaign.points.germanArtillery;
  if (wanted > most) return [error('OVER 3 ARTILLERY', order.line, { wanted, most }, 'C1.74b')];
  if (wanted > left) return [error('NO POINTS', order.line, { what: 'artillery', left, wanted }, 'C1.74c')];
  // Armor is decided first, by order or by doctrine.
  const filed = { orders, standing: bench.standing };
  const armor = orderOrDoctrine(data, table, side, filed, 'ARMOR', readOrder);
  const taken = armor !== undefined && armor.when !== 'no' && table.campaign.points.germanArmor > 0;
  if (wanted === 0 || !taken || order.when === 'unless-armor') return [];
  if (armor.when === 'yes') return [error('ARTILLERY EXCLUDED BY ARMOR', order.line, {}, 'C1.74d')];
  if (armor.when === opposite(order.when) && order.otherwise === 0) return [];
  return [warning('ARTILLERY MAY BE EXCLUDED', order.line, {}, 'C1.74d')];
}

function opposite(when: ArmorOrder['when']): ArmorOrder['when'] | undefined {
  if (when === 'if-opponent-armor') return 'unless-opponent-armor';
  return when === 'unless-opponent-armor' ? 'if-opponent-armor' : undefined;
}

/** RS.9: the Defender within his VP. C1.91: the German within the points, in any posture. */
function checkFort(bench: Yardstick, order: FortOrder): Diagnostic[] {
  const { data, table, side, step } = bench;
  const { battle, campaign } = table;
  const first = step === 'setup-first' && battle.first === side;
  const ahead = step === 'support' && side === 'german' && order.pay !== 'vp';
  if (order.pay === 'points' && side !== 'german')
    return [error('NOT YOUR SIDE', order.line, { verb: 'FORT POINTS', side: 'German' }, 'C1.91a')];
  if (!first && !ahead) return notNow(bench, order);
  if (order.pay === 'none') return [];
  const items = order.items.map((one) => one.item);
  const cost = fortCost(data, items);
  const faults: Diagnostic[] = [];
  if (order.pay === 'vp' && defenderOf(battle) !== side) return [error('NOT THE DEFENDER', order.line, {}, 'C1.9')];
  const left = fortBudget(data, table, side);
  if (order.pay === 'vp' && cost > left) faults.push(error('OVER VP', order.line, { cost, left }, 'C1.9'));
  if (order.pay === 'points' && cost > campaign.points.fortification)
    faults.push(error('OVER FORT POINTS', order.line, { cost, left: campaign.points.fortification }, 'C1.91e'));
  if (order.stated !== null && order.stated !== cost)
    faults.push(error('FORT COST', order.line, { cost, stated: order.stated }, 'C1.91c'));
  const hexes = order.items.flatMap((one) => one.hexes);
  if (hexes.length === 0) return faults;
  if (ahead || order.pay === 'vp') return [...faults, error('FORT LATER', order.line, {}, 'C1.10g')];
  if (table.options.placement === 'table') return [...faults, error('PLACED AT THE TABLE', order.line, {})];
  for (const one of order.items) {
    const most = fortPieces(data, one.item);
    if (one.hexes.length > most)
      faults.push(error('TOO MANY HEXES', order.line, { item: one.item, most, wanted: one.hexes.length }, 'C1.10g'));
  }
  const zone = new Set(zoneOf(data, table, side));
  return [...faults, ...checkFortHexes(data, table, side, order.line, hexes, zone, new Set())];
}

/** RS.11.1: only the Attacker. */
function checkRadio(bench: Yardstick, order: CampaignOrder): Diagnostic[] {
  const { battle } = bench.table;
  if (bench.step !== 'setup-second' || battle.first === bench.side) return notNow(bench, order);
  if (battle.posture?.[bench.side] !== 'attack') return [error('NOT THE ATTACKER', order.line, {}, 'C1.10a')];
  return [];
}

function checkTurnToPlace(bench: Yardstick, order: SetupOrder | PlaceOrder): Diagnostic[] {
  const { table, side, step } = bench;
  if (table.options.placement === 'table') return [error('PLACED AT THE TABLE', order.line, {})];
  const { battle } = table;
  const own =
    (step === 'setup-first' && battle.first === side) ||
    (step === 'setup-second' && battle.first !== side) ||
    (step === 'setup-forts' && order.verb === 'PLACE' && battle.first === side);
  return own ? [] : notNow(bench, order);
}

/** Placement is checked as a whole: what stands together in a hex comes from several lines. */
function setupFaults(bench: Yardstick, orders: readonly CampaignOrder[]): Diagnostic[] {
  const { data, table, side, step } = bench;
  const first = step === 'setup-first' || step === 'setup-forts';
  if (table.options.placement === 'table' || (!first && step !== 'setup-second')) return [];
  if ((table.battle.first === side) !== first) return [];
  const setups = orders.filter((order) => order.verb === 'SETUP');
  const places = orders.filter((order) => order.verb === 'PLACE');
  const faults = step === 'setup-forts' ? [] : checkSetup(data, table, side, setups);
  if (places.length === 0) return faults;
  const open = unplacedForts(data, table, side, step === 'setup-forts' ? 'vp' : 'points').map((fort) => ({ ...fort }));
  for (const order of orders)
    if (order.verb === 'FORT' && order.pay === 'points')
      open.push(...order.items.map(({ item, hexes }) => ({ side, pay: 'points' as const, item, hexes })));
  return [...faults, ...checkPlaces(data, table, side, places, open)];
}

/** The battle a report speaks of must be the one in hand. */
function checkBattleNumber(bench: Yardstick, order: ReportOrder | BattleOrder): Diagnostic | undefined {
  const { campaign } = bench.table;
  const { battle, line } = order;
  if (campaign.fought.some((one) => one.battle === battle)) return error('ALREADY CONFIRMED', line, { battle });
  if (battle !== campaign.battle) return error('NOT YOUR BATTLE', line, { battle, current: campaign.battle });
  if (!BATTLE_STEPS.includes(bench.step)) return notNow(bench, order)[0];
  return undefined;
}

function checkReport(bench: Yardstick, order: ReportOrder): Diagnostic[] {
  const wrong = checkBattleNumber(bench, order);
  if (wrong) return [wrong];
  const theirs = bench.table.battle.reports[enemyOf(bench.side)];
  if (!theirs || sameResult(theirs, order)) return [];
  const vp = theirs.vp === null ? '' : ` VP ${theirs.vp}`;
  return [warning('REPORTS DIFFER', order.line, { battle: order.battle, winner: sideName(theirs.winner), vp })];
}

/** Equal winner, and equal VP where both tell them. */
export function sameResult(
  a: { winner: CommanderSide; vp: number | null },
  b: { winner: CommanderSide; vp: number | null },
): boolean {
  return a.winner === b.winner && (a.vp === null || b.vp === null || a.vp === b.vp);
}

function checkConfirm(bench: Yardstick, order: BattleOrder): Diagnostic[] {
  const wrong = checkBattleNumber(bench, order);
  if (wrong) return [wrong];
  if (bench.table.battle.reports[enemyOf(bench.side)]) return [];
  return [error('NOTHING TO CONFIRM', order.line, { battle: order.battle })];
}

/** The last closed battle, until the next Sections are revealed. */
function checkReopen(bench: Yardstick, order: BattleOrder): Diagnostic[] {
  const last = bench.table.campaign.fought.at(-1)?.battle ?? 0;
  if (order.battle !== last) return [error('NOT YOUR BATTLE', order.line, { battle: order.battle, current: last })];
  const open = bench.table.before !== null && (bench.step === 'after' || bench.step === 'sections');
  return open ? [] : [error('TOO LATE TO REOPEN', order.line, { battle: order.battle })];
}

/** C3.5 to C3.7: the winner's quality and request; a leader where the table gave a choice; the German's day of rest. */
function checkChoose(bench: Yardstick, order: ChooseOrder): Diagnostic[] {
  const { data, table, side, step } = bench;
  const { after, campaign } = table;
  if (step !== 'after' || !after) return notNow(bench, order);
  const { line } = order;
  switch (order.what) {
    case 'quality': {
      if (side !== after.winner) return [error('NOT THE WINNER', line, { what: 'QUALITY' }, 'C3.5a')];
      const whose = order.option === 'own' ? side : enemyOf(side);
      if (qualityOptions(campaign, side).includes(order.option)) return [];
      return [error('QUALITY LIMIT', line, { side: sideName(whose), level: campaign.quality[whose] }, 'C3.5a')];
    }
    case 'request':
      if (side !== after.winner) return [error('NOT THE WINNER', line, { what: 'REQUEST' }, 'C3.7b')];
      if (after.requests[side][order.roll - 1]) return [];
      return [error('ROLL NOT OFFERED', line, { roll: order.roll }, 'C3.7b')];
    case 'leader': {
      const choices = leaderChoices(campaign, after, side);
      const section = sectionName(data, campaign, side, order.letter);
      if (!requestOf(after, side).some((roll) => roll.names === 'choice'))
        return [error('ROLL NOT OFFERED', line, { roll: section }, 'C3.7c')];
      return choices.includes(order.letter) ? [] : [error('NOT AVAILABLE', line, { section }, 'C3.7c')];
    }
    case 'rest':
      if (side !== 'german' || !after.rest) return [error('ROLL NOT OFFERED', line, { roll: 'REST' }, 'C3.6d')];
      if (restMatches(campaign, after.rest, order.letters)) return [];
      return [error('ROLL NOT OFFERED', line, { roll: order.letters.join(' ') }, 'C3.6d')];
  }
}
