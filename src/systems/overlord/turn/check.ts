/** Checking and previewing orders on a scratch copy of what the player sees, with the very code that will judge them. */

import { error, warning } from '../../../kernel/orders.ts';
import { valuesOf } from '../../../kernel/questions.ts';
import type { Diagnostic, GameState, View } from '../../../kernel/types.ts';
import { viewFor } from '../../../kernel/view.ts';
import { type Plan, planCombat } from '../combat/attacks.ts';
import { oddsOf } from '../combat/odds.ts';
import { retreatWays } from '../combat/retreat.ts';
import type { Campaign } from '../content/campaign.ts';
import { startOf } from '../field/condition.ts';
import { type Field, inZoneOf, isIsolated, openField, stackIn } from '../field/field.ts';
import { isMovement, type LineLog, type March } from '../field/line.ts';
import { retreatLimit } from '../field/movement.ts';
import { settleQuestion } from '../text/doctrine.ts';
import {
  enemyOf,
  type Overlord,
  type OverlordEvent,
  type OverlordOrder,
  type OverlordSide,
  type OverlordStanding,
} from '../types.ts';
import { runMovement } from './moves.ts';
import { planFirstInterdiction, stepOf } from './phases.ts';
import { rehearseWithdrawal } from './withdrawal.ts';

/** Formations named in the note about units without orders. */
const NAMED_MOST = 12;

interface Rehearsal {
  diagnostics: Diagnostic[];
  events: OverlordEvent[];
  field: Field;
}

/** Runs the orders as far as they go without dice, with the standing orders that will be in force. */
export function rehearse(
  campaign: Campaign,
  view: View<Overlord>,
  orders: readonly OverlordOrder[],
  standing: readonly OverlordStanding[],
): Rehearsal {
  const diagnostics: Diagnostic[] = [];
  const events: OverlordEvent[] = [];
  const field = openField(campaign, structuredClone(view.table), view.phase.turn);
  const log: LineLog = {
    emit: (event) => events.push(event),
    say: (diagnostic) => diagnostics.push(asOfNow(diagnostic, events)),
  };
  const step = stepOf(view.table.options.mode, view.phase);
  events.push({ type: 'rehearsal', audience: 'all', side: view.viewer === 'german' ? 'german' : 'allied' });
  if (!step || step.side !== view.viewer) {
    for (const order of orders)
      log.say(error('NOT YOUR MOVE', order.line, { verb: order.verb, step: view.phase.step }, 'OVL-SEQ-01'));
    return { diagnostics, events, field };
  }
  const fitting = orders.filter((order) => fitsStep(step.parts, step.name, order, log));
  if (step.name === 'set-up') {
    const placed = planFirstInterdiction(field, fitting, log);
    if (placed.length > 0) log.emit({ type: 'interdicted', audience: [step.side], hexes: placed });
    return { diagnostics, events, field };
  }
  if (step.parts.includes('withdrawal')) withdrawAsOrdered(field, fitting, standing, log);
  const march = runMovement(field, step.side, fitting, startOf(field, step.side), log);
  const battles = fitting.filter((order) => !isMovement(order));
  const plan = planCombat(field, step.side, battles, log);
  forecast(field, plan, log);
  warnUnits(field, step.side, march, plan, orders, log);
  return { diagnostics, events, field };
}

/** A unit that the withdrawal of this very move takes off is on the map as the player sees it: he is told what takes it. */
function asOfNow(diagnostic: Diagnostic, events: readonly OverlordEvent[]): Diagnostic {
  if (diagnostic.code !== 'NOT ON MAP') return diagnostic;
  const unit = String(diagnostic.params.unit);
  const gone = events.find((event) => event.type === 'withdrawal' && event.units.includes(unit));
  if (gone?.type !== 'withdrawal') return diagnostic;
  const { hex, factors } = gone;
  return { ...diagnostic, params: { ...diagnostic.params, hex, factors }, rule: 'OVL-VIC-03' };
}

/**
 * The withdrawal as doctrine will have it. Who will be asked is not told yet: of the units that may go, those without an
 * order go, so that no order is refused that an answer can still save.
 */
function withdrawAsOrdered(
  field: Field,
  orders: readonly OverlordOrder[],
  standing: readonly OverlordStanding[],
  log: LineLog,
): void {
  const { campaign, table, turn } = field;
  const spared = new Set(
    orders.flatMap((order) =>
      order.verb !== 'HOLD' && 'subject' in order
        ? order.subject.flatMap((name) => campaign.formations.get(name)?.units ?? [name])
        : [],
    ),
  );
  rehearseWithdrawal(field, log.emit, (request) => {
    const said = settleQuestion(campaign, table, turn, { orders: [...orders], standing: [...standing] }, request, true);
    if (said === undefined) return request.fallback;
    if (said !== 'ask') return said.chosen;
    log.say(warning('WITHDRAWAL OPEN', 'mail', { units: valuesOf(request) }, 'OVL-VIC-05'));
    const idle = valuesOf(request).filter((name) => !spared.has(name));
    return [...idle, ...valuesOf(request).filter((name) => spared.has(name))];
  });
}

/** In split mode moves and attacks each have their step; at set-up only INTERDICT is read. */
function fitsStep(parts: readonly string[], step: string, order: OverlordOrder, log: LineLog): boolean {
  if (step === 'set-up' || order.verb === 'HOLD') return true;
  const wanted = isMovement(order) ? 'movement' : 'combat';
  if (parts.includes(wanted)) return true;
  log.say(error('WRONG STEP', order.line, { verb: order.verb, step }, 'OVL-SEQ-01'));
  return false;
}

/** Odds of every battle as things stand after movement; a warning under 1-3, and for attackers without a way back. */
function forecast(field: Field, plan: Plan, log: LineLog): void {
  const { units } = field.campaign;
  for (const { order, target, only, attackers } of plan.battles) {
    const defenders = only ?? [...stackIn(field, target)];
    const odds = oddsOf(field, target, attackers, defenders, { tac: order.tac, naval: order.naval, navalDefence: 0 });
    log.emit({ type: 'forecast', audience: 'all', line: order.line, odds });
    const low = /^1-(\d+)$/.exec(odds.ratio);
    if (low && Number(low[1]) > 3)
      log.say(warning('LOW ODDS', order.line, { hex: order.target, odds: odds.ratio }, 'OVL-CBT-05'));
    const stuck = attackers.filter((unit) => {
      const ways = retreatWays(field, unit, 1);
      return ways.length === 0 || ways[0]!.cost > retreatLimit(field, unit);
    });
    if (stuck.length > 0)
      log.say(warning('NO RETREAT', order.line, { units: stuck.map((unit) => units[unit]!.id) }, 'OVL-ZOC-04'));
  }
}

/** Units that end isolated, units in enemy zones without a way back, units without orders. */
function warnUnits(
  field: Field,
  side: OverlordSide,
  march: March,
  plan: Plan,
  orders: readonly OverlordOrder[],
  log: LineLog,
): void {
  const { units, board } = field.campaign;
  const attacking = new Set(plan.battles.flatMap((battle) => battle.attackers));
  const isolated: string[] = [];
  const stuck: string[] = [];
  const idle: string[] = [];
  units.forEach((counter, unit) => {
    if (counter.side !== side || field.at[unit]! < 0) return;
    if (isIsolated(field, unit)) isolated.push(`${counter.id} (${board.grid.ids[field.at[unit]!]})`);
    if (march.moved.has(unit) && !attacking.has(unit) && inZoneOf(field, field.at[unit]!, enemyOf(side))) {
      if (retreatWays(field, unit, 1).length === 0) stuck.push(counter.id);
    }
    if (!march.moved.has(unit) && !march.held.has(unit) && !attacking.has(unit)) idle.push(counter.formation);
  });
  if (orders.length === 0) return;
  if (isolated.length > 0) log.say(warning('ENDS ISOLATED', 'mail', { units: isolated }, 'OVL-SUP-05'));
  if (stuck.length > 0) log.say(warning('NO RETREAT', 'mail', { units: stuck }, 'OVL-ZOC-04'));
  if (idle.length === 0) return;
  const formations = [...new Set(idle)];
  const named = formations.slice(0, NAMED_MOST);
  const params = { count: idle.length, formations: named, more: formations.length - named.length };
  log.say(warning('NOT ORDERED', 'mail', params, 'OVL-SEQ-02'));
}

/** A view of the scratch position, for drawing the preview. */
export function scratchView(view: View<Overlord>, field: Field): View<Overlord> {
  const state: GameState<Overlord> = {
    phase: view.phase,
    table: field.table,
    hands: { german: {}, allied: {} },
    cup: {},
  };
  return viewFor(state, view.viewer);
}
