/**
 * Which battles the ATTACK lines make, and what is wrong with them. Checking, previewing and judging share this: it sees
 * the position after all movement. INTERDICT is planned here too, since it lives on the TAC factors the attacks leave.
 */

import { directionTo } from '../../../board/hex.ts';
import { error } from '../../../kernel/orders.ts';
import type { Param } from '../../../kernel/types.ts';
import { indexOf } from '../content/campaign.ts';
import { exitEdge } from '../field/exit.ts';
import { type Field, stackIn } from '../field/field.ts';
import { type LineLog, waysOn } from '../field/line.ts';
import { notAdjacent } from '../field/movement.ts';
import { type AttackOrder, enemyOf, type InterdictOrder, type OverlordOrder, type OverlordSide } from '../types.ts';
import { inNavalRange, interdictionFault, tacAllotment } from './air.ts';

/** One battle as ordered. */
export interface OrderedBattle {
  order: AttackOrder;
  target: number;
  /** Chosen defenders; null = everybody in the hex. */
  only: number[] | null;
  attackers: number[];
}

/** What the orders of a combat phase come to. */
export interface Plan {
  battles: OrderedBattle[];
  interdiction: { hex: string; factors: number }[];
}

interface Planning {
  field: Field;
  side: OverlordSide;
  log: LineLog;
  battles: OrderedBattle[];
  /** First line in which a unit attacks for certain. */
  attacking: Map<number, number>;
  tacLeft: number;
  navalLeft: number;
}

/** The battles and interdiction that the orders make, in the order written. Complaints go to the log. */
export function planCombat(
  field: Field,
  side: OverlordSide,
  orders: readonly OverlordOrder[],
  log: LineLog,
  tacMost?: number,
): Plan {
  const planning: Planning = {
    field,
    side,
    log,
    battles: [],
    attacking: new Map(),
    tacLeft: Math.min(tacAllotment(field), tacMost ?? Number.MAX_SAFE_INTEGER),
    navalLeft: field.campaign.data.house.naval.perCombat,
  };
  const interdiction = new Map<string, number>();
  for (const order of orders) {
    if (order.verb === 'ATTACK') planAttack(planning, order);
    else if (order.verb === 'INTERDICT') planInterdiction(planning, order, interdiction);
  }
  return {
    battles: engaged(planning),
    interdiction: [...interdiction].map(([hex, factors]) => ({ hex, factors })),
  };
}

function refuse(planning: Planning, line: number, code: string, params: Record<string, Param>, rule: string): false {
  planning.log.say(error(code, line, params, rule));
  return false;
}

function planAttack(planning: Planning, order: AttackOrder): void {
  const { field } = planning;
  const { board, units } = field.campaign;
  const target = board.grid.index.get(order.target)!;
  const enemies = stackIn(field, target).filter((unit) => units[unit]!.side !== planning.side);
  if (enemies.length === 0) {
    refuse(planning, order.line, 'NO TARGET', { hex: order.target }, 'OVL-CBT-01');
    return;
  }
  const only = chosenDefenders(planning, order, target);
  if (only === undefined) return;
  const attackers = attackersOf(planning, order, target);
  if (attackers === undefined) return;
  if (!clausesFit(planning, order, attackers) || !supportFits(planning, order, target, attackers)) return;
  planning.tacLeft -= order.tac;
  planning.navalLeft -= order.naval;
  if (order.when.length === 0)
    for (const unit of attackers) if (!planning.attacking.has(unit)) planning.attacking.set(unit, order.line);
  planning.battles.push({ order, target, only, attackers });
}

/** The defenders named after ONLY; null for all, undefined when one of them is not there. */
function chosenDefenders(planning: Planning, order: AttackOrder, target: number): number[] | null | undefined {
  if (order.only.length === 0) return null;
  const { field, side } = planning;
  const chosen: number[] = [];
  for (const token of order.only) {
    const ids = field.campaign.formations.get(token)?.units ?? [token];
    const there = ids
      .map((id) => indexOf(field.campaign, id))
      .filter((unit) => field.at[unit] === target && field.campaign.units[unit]!.side === enemyOf(side));
    if (there.length === 0) {
      refuse(planning, order.line, 'NOT IN TARGET', { unit: token, hex: order.target }, 'OVL-SEL-02');
      return undefined;
    }
    for (const unit of there) if (!chosen.includes(unit)) chosen.push(unit);
  }
  return chosen;
}

/** The attackers of a line; undefined when one named cannot attack. Adjacency decides (OVL-CBT-01). */
function attackersOf(planning: Planning, order: AttackOrder, target: number): number[] | undefined {
  const { field } = planning;
  const { campaign } = field;
  const found: number[] = [];
  let clean = true;
  for (const token of order.with) {
    const formation = campaign.formations.get(token);
    if (formation && formation.side === planning.side) {
      const here = formation.units
        .map((id) => indexOf(campaign, id))
        .filter((unit) => nextTo(field, unit, target) && !planning.attacking.has(unit) && !found.includes(unit));
      if (here.length === 0)
        clean = refuse(
          planning,
          order.line,
          'NOT ADJACENT TO TARGET',
          placesOf(field, token, order.target),
          'OVL-CBT-01',
        );
      found.push(...here);
      continue;
    }
    if (formation) clean = refuse(planning, order.line, 'NOT YOURS', { unit: token }, 'OVL-SEQ-01');
    else clean = namedAttacker(planning, order, target, indexOf(campaign, token), found) && clean;
  }
  return clean ? found : undefined;
}

function namedAttacker(planning: Planning, order: AttackOrder, target: number, unit: number, found: number[]): boolean {
  const { field } = planning;
  const { id, side } = field.campaign.units[unit]!;
  if (side !== planning.side) return refuse(planning, order.line, 'NOT YOURS', { unit: id }, 'OVL-SEQ-01');
  const where = field.table.units[id]!;
  if (where === 'lost') return refuse(planning, order.line, 'DEAD', { unit: id }, 'OVL-CRE-12');
  if (field.at[unit]! < 0) {
    const verb = waysOn(side, where);
    return refuse(planning, order.line, 'NOT ON MAP', { unit: id, where, verb }, 'OVL-CBT-01');
  }
  const before = planning.attacking.get(unit);
  if (before !== undefined || found.includes(unit))
    return refuse(planning, order.line, 'ALREADY ATTACKS', { unit: id, earlier: before ?? order.line }, 'OVR-05');
  if (!nextTo(field, unit, target))
    return refuse(planning, order.line, 'NOT ADJACENT TO TARGET', placesOf(field, id, order.target), 'OVL-CBT-01');
  found.push(unit);
  return true;
}

function nextTo(field: Field, unit: number, target: number): boolean {
  return field.at[unit]! >= 0 && directionTo(field.campaign.board.grid, field.at[unit]!, target) >= 0;
}

function placesOf(field: Field, token: string, target: string): Record<string, Param> {
  const ids = field.campaign.formations.get(token)?.units ?? [token];
  return { unit: token, at: [...new Set(ids.map((id) => field.table.units[id]!))], target };
}

/** LOSSES, ADVANCE and BREAKOUT speak of attackers, and advances begin with the vacated hex (OVR-19, OVR-20). */
function clausesFit(planning: Planning, order: AttackOrder, attackers: readonly number[]): boolean {
  const { field } = planning;
  const { campaign } = field;
  const { grid, sea } = campaign.board;
  const names = new Set(attackers.flatMap((unit) => [campaign.units[unit]!.id, campaign.units[unit]!.formation]));
  for (const unit of order.losses)
    if (!names.has(unit)) return refuse(planning, order.line, 'LOSSES OF A NON-ATTACKER', { unit }, 'OVL-CRE-05');
  for (const [clause, list] of [
    ['ADVANCE', order.advance],
    ['BREAKOUT', order.breakout],
  ] as const) {
    for (const { unit, path, edge } of list) {
      if (!names.has(unit))
        return refuse(planning, order.line, 'ADVANCE OF A NON-ATTACKER', { unit, clause }, 'OVL-CRE-09');
      if (path[0] !== order.target)
        return refuse(
          planning,
          order.line,
          'ADVANCE ELSEWHERE',
          { unit, clause, first: path[0] ?? '', target: order.target },
          'OVR-19',
        );
      for (let i = 1; i < path.length; i++) {
        const from = grid.index.get(path[i - 1]!)!;
        const to = grid.index.get(path[i]!)!;
        if (directionTo(grid, from, to) < 0)
          return refuse(planning, order.line, 'NOT ADJACENT', notAdjacent(field, unit, from, to), 'OVL-MOV-01');
        if (sea[to] === 1) return refuse(planning, order.line, 'SEA', { unit, hex: path[i]! }, 'OVR-14');
      }
      if (edge === null) continue;
      const hex = path.at(-1)!;
      if (planning.side !== 'allied')
        return refuse(
          planning,
          order.line,
          'WRONG SIDE',
          { verb: `${clause} … ${edge}`, side: 'Allied' },
          'OVL-VIC-01',
        );
      if (exitEdge(field, grid.index.get(hex)!, edge) === undefined)
        return refuse(planning, order.line, 'WRONG EDGE', { unit, hex, edge }, 'OVL-VIC-01');
    }
  }
  return true;
}

/** TAC and naval factors: modules, weather, ground strength, allotment, range (house). */
function supportFits(planning: Planning, order: AttackOrder, target: number, attackers: readonly number[]): boolean {
  const { field, side } = planning;
  const { options, weather } = field.table;
  const { naval } = field.campaign.data.house;
  const { line } = order;
  if (order.tac + order.naval === 0) return true;
  if (side !== 'allied') return refuse(planning, line, 'SUPPORT NOT YOURS', {}, 'OVL-CLR-10');
  if (order.tac > 0 && !options.tac) return refuse(planning, line, 'MODULE OFF', { module: 'TAC' }, 'OVL-CLR-10');
  if (order.naval > 0 && !options.naval) return refuse(planning, line, 'MODULE OFF', { module: 'NAVAL' }, 'OVL-CLR-10');
  if (weather === 'storm') return refuse(planning, line, 'STORM', {}, 'OVL-CLR-10');
  const strength = attackers.reduce((sum, unit) => sum + field.campaign.units[unit]!.cf, 0);
  if (order.tac > strength)
    return refuse(planning, line, 'TAC OVER GROUND STRENGTH', { tac: order.tac, strength }, 'OVL-CLR-10');
  if (order.tac > planning.tacLeft) {
    const params = { wanted: order.tac, left: planning.tacLeft, allotment: tacAllotment(field) };
    return refuse(planning, line, 'TAC OVER ALLOTMENT', params, 'OVL-CLR-10');
  }
  if (order.naval > naval.mostPerBattle)
    return refuse(planning, line, 'NAVAL OVER 4', { naval: order.naval, most: naval.mostPerBattle }, 'OVL-CLR-10');
  if (order.naval > planning.navalLeft) {
    const params = { wanted: order.naval, left: planning.navalLeft, most: naval.perCombat };
    return refuse(planning, line, 'NAVAL OVER ALLOTMENT', params, 'OVL-CLR-10');
  }
  if (order.naval > 0 && !inNavalRange(field, target))
    return refuse(planning, line, 'NAVAL RANGE', { hex: order.target, range: naval.range }, 'OVL-CLR-10');
  return true;
}

function planInterdiction(planning: Planning, order: InterdictOrder, placed: Map<string, number>): void {
  const { field } = planning;
  const { options, weather } = field.table;
  if (planning.side !== 'allied')
    refuse(planning, order.line, 'WRONG SIDE', { verb: 'INTERDICT', side: 'Allied' }, 'OVL-EXM-05');
  else if (!options.tac || !options.interdiction)
    refuse(planning, order.line, 'MODULE OFF', { module: 'INTERDICT' }, 'OVL-EXM-05');
  else if (weather === 'storm') refuse(planning, order.line, 'STORM', {}, 'OVL-CLR-10');
  else {
    const fault = interdictionFault(field, order, planning.tacLeft, placed);
    if (fault) {
      refuse(planning, order.line, fault.code, fault.params, fault.rule);
      return;
    }
    for (const { hex, factors } of order.hexes) {
      placed.set(hex, (placed.get(hex) ?? 0) + factors);
      planning.tacLeft -= factors;
    }
  }
}

/**
 * Every enemy in an attacked hex must be fought, each once (OVL-SEL-01, 02; OVR-05). A line on everybody is complete by
 * itself; lines with ONLY must cover the hex together. A line under a condition may be followed by another for the case
 * that it comes to nothing.
 */
function engaged(planning: Planning): OrderedBattle[] {
  const dropped = new Set<OrderedBattle>();
  const targets = [...new Set(planning.battles.map((battle) => battle.target))];
  for (const target of targets) {
    const here = planning.battles.filter((battle) => battle.target === target);
    const selective = here.filter((battle) => battle.only !== null);
    let certain: number | undefined;
    for (const battle of here) {
      if (battle.only !== null) continue;
      if (certain === undefined && selective.length > 0 && selective[0]!.order.line < battle.order.line)
        certain = selective[0]!.order.line;
      if (certain !== undefined) dropTwice(planning, battle, certain, dropped);
      else if (battle.order.when.length === 0) certain = battle.order.line;
    }
    if (selective.length > 0 && certain !== undefined && certain < selective[0]!.order.line) {
      for (const battle of selective) dropTwice(planning, battle, certain, dropped);
    } else coverHex(planning, target, selective, dropped);
  }
  return planning.battles.filter((battle) => !dropped.has(battle));
}

function dropTwice(planning: Planning, battle: OrderedBattle, earlier: number, dropped: Set<OrderedBattle>): void {
  dropped.add(battle);
  refuse(planning, battle.order.line, 'ALREADY ATTACKED', { hex: battle.order.target, earlier }, 'OVR-05');
}

function coverHex(
  planning: Planning,
  target: number,
  selective: readonly OrderedBattle[],
  dropped: Set<OrderedBattle>,
): void {
  if (selective.length === 0) return;
  const { field } = planning;
  const name = (unit: number): string => field.campaign.units[unit]!.id;
  const fought = new Map<number, number>();
  for (const battle of selective) {
    const again = battle.only!.find((unit) => fought.has(unit));
    if (again !== undefined) {
      const params = { hex: battle.order.target, unit: name(again), earlier: fought.get(again)! };
      dropped.add(battle);
      refuse(planning, battle.order.line, 'ALREADY ATTACKED', params, 'OVR-05');
    } else for (const unit of battle.only!) fought.set(unit, battle.order.line);
  }
  const left = stackIn(field, target).filter((unit) => !fought.has(unit));
  if (left.length === 0) return;
  for (const battle of selective) {
    if (dropped.has(battle)) continue;
    dropped.add(battle);
    const params = { hex: battle.order.target, units: left.map(name) };
    refuse(planning, battle.order.line, 'DEFENDER NOT ENGAGED', params, 'OVL-SEL-01');
  }
}
