/** Battles fought outside: reports, confirmation, differing reports, the game master's ruling. Nothing here uses dice. */

import type { Desk } from '../content/support.ts';
import {
  type Battle,
  type BattleReport,
  type CampaignOrder,
  type CommanderSide,
  enemyOf,
  isSide,
  SIDES,
} from '../types.ts';
import { sameResult } from './check.ts';
import { closeBattle, goTo } from './results.ts';

/** Rounds of differing reports before the game master decides. */
const ROUNDS_MAX = 3;

/** The winner by the game master's ruling, if he has put one on the table. */
export function rulingOf(battle: Battle): CommanderSide | undefined {
  const side = battle.ruling?.toLowerCase() ?? '';
  return isSide(side) ? side : undefined;
}

/** The last report or confirmation of a side. */
function lastResult(orders: readonly CampaignOrder[]): CampaignOrder | undefined {
  return orders.filter((order) => order.verb === 'REPORT' || order.verb === 'CONFIRM').at(-1);
}

/** Lays a side's report on the table; a confirmation repeats what the opponent had reported. Tells whether it spoke. */
function fileReport(
  desk: Desk,
  side: CommanderSide,
  orders: readonly CampaignOrder[],
  before: Record<CommanderSide, BattleReport | null>,
): 'report' | 'confirm' | 'nothing' {
  const { battle, campaign } = desk.draft.table;
  const order = lastResult(orders);
  const theirs = before[enemyOf(side)];
  if (order?.verb === 'CONFIRM' && theirs) {
    battle.reports[side] = { ...theirs, note: '' };
    return 'confirm';
  }
  if (order?.verb !== 'REPORT') return 'nothing';
  const { winner, vp, note } = order;
  battle.reports[side] = { winner, vp, note };
  desk.ruling.emit({
    type: 'reported',
    audience: 'all',
    side,
    battle: campaign.battle,
    winner,
    vp: vp ?? 0,
    told: vp !== null,
    note,
  });
  return 'report';
}

/** Two equal reports as one: the VP if anybody told them, and both notes. */
function merge(a: BattleReport, b: BattleReport): BattleReport {
  const notes = [a.note, b.note].filter((note, i, all) => note !== '' && all.indexOf(note) === i);
  return { winner: a.winner, vp: a.vp ?? b.vp, note: notes.join(' | ') };
}

/**
 * Runs the steps `battle`, `confirm`, `dispute` and `ruling`. Equal reports or a confirmation close the battle; one report
 * and silence past the term close it too; after three rounds of different reports the game master decides.
 */
export function runOutside(desk: Desk, orders: Record<CommanderSide, CampaignOrder[]>): void {
  const { draft, ruling } = desk;
  const { battle, campaign } = draft.table;
  const decision = rulingOf(battle);
  if (decision) {
    closeBattle(desk, { winner: decision, vp: null, note: '' }, 'ruling');
    return;
  }
  const before = { ...battle.reports };
  const spoke = { american: 'nothing', german: 'nothing' };
  for (const side of SIDES) spoke[side] = fileReport(desk, side, orders[side], before);
  const { american, german } = battle.reports;
  if (american && german) settle(desk, american, german, spoke);
  else if (american || german) oneReport(desk, american ? 'american' : 'german', spoke);
  else {
    ruling.emit({ type: 'battle-awaited', audience: 'all', battle: campaign.battle });
    goTo(desk, 'battle');
  }
}

/** One report: the other side is asked. The step `confirm` runs without a word from either only when the term is over. */
function oneReport(desk: Desk, reporter: CommanderSide, spoke: Record<CommanderSide, string>): void {
  const { table, phase } = desk.draft;
  const report = table.battle.reports[reporter];
  const silence = phase.step === 'confirm' && SIDES.every((side) => spoke[side] === 'nothing');
  if (report && silence) closeBattle(desk, report, 'silence');
  else goTo(desk, 'confirm');
}

function settle(desk: Desk, american: BattleReport, german: BattleReport, spoke: Record<CommanderSide, string>): void {
  const { draft, ruling } = desk;
  const { battle, campaign } = draft.table;
  const confirmed = SIDES.some((side) => spoke[side] === 'confirm');
  // A confirmation is of the report as it was read: VP that were told or changed meanwhile are another report.
  if (sameResult(american, german) && (!confirmed || american.vp === german.vp)) {
    closeBattle(desk, merge(american, german), confirmed ? 'confirmed' : 'agreed');
    return;
  }
  if (battle.disputed) {
    ruling.emit({ type: 'disputed', audience: 'all', battle: campaign.battle });
    goTo(desk, 'ruling');
    return;
  }
  battle.rounds++;
  ruling.emit({ type: 'reports-differ', audience: 'all', battle: campaign.battle, round: battle.rounds });
  battle.disputed = battle.rounds >= ROUNDS_MAX;
  if (battle.disputed) ruling.emit({ type: 'disputed', audience: 'all', battle: campaign.battle });
  goTo(desk, battle.disputed ? 'ruling' : 'dispute');
}
