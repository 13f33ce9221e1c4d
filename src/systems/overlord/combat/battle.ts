/** The combat phase: battles one after another in the order written, each with all its results before the next (OVR-21). */
import { directionTo } from '../../../board/hex.ts';
import type { Decision, Dice } from '../../../kernel/types.ts';
import { holds, type Start } from '../field/condition.ts';
import { type Field, stackIn } from '../field/field.ts';
import type { Emit } from '../field/ground.ts';
import type { Odds, OverlordQuestion, OverlordSide, OverlordStanding, Result } from '../types.ts';
import { followUp } from './advance.ts';
import { inNavalRange } from './air.ts';
import type { OrderedBattle, Plan } from './attacks.ts';
import { choosePayment } from './losses.ts';
import { defendersWorth, oddsOf, resultOf, type Support } from './odds.ts';
import { eliminate, retreatAll } from './retreat.ts';

/** The combat phase under way. */
export interface Combat {
  field: Field;
  side: OverlordSide;
  start: Start;
  dice: Dice;
  emit: Emit;
  /** Each unit attacks once and is attacked once a phase (OVR-05). */
  attacked: Set<number>;
  defended: Set<number>;
  /** Hexes whose selective attack cannot be made whole any more. */
  spoiled: Set<number>;
  /** Hexes whose selective attack has begun. */
  begun: Set<number>;
  /** Naval factors still there for the defence. */
  navalLeft: number;
  alliedDoctrine: readonly OverlordStanding[];
}

/** Fights all battles of a plan (OVL-SEQ-03, OVL-SEQ-05). Stops at once when the game is decided. */
export function* fightAll(combat: Combat, plan: Plan): Generator<OverlordQuestion[], void, Decision[]> {
  for (const battle of plan.battles) {
    if (combat.field.table.over) return;
    yield* fight(combat, battle, plan);
  }
}

/** Who can really fight when the battle comes up. */
interface Line {
  attackers: number[];
  defenders: number[];
}

function* fight(combat: Combat, battle: OrderedBattle, plan: Plan): Generator<OverlordQuestion[], void, Decision[]> {
  const { field } = combat;
  const selective = battle.only !== null;
  if (selective && !combat.begun.has(battle.target)) {
    combat.begun.add(battle.target);
    const group = plan.battles.filter((other) => other.only !== null && other.target === battle.target);
    for (const other of group) {
      const why = voidReason(combat, other);
      if (!why) continue;
      combat.spoiled.add(battle.target);
      tellVoid(combat, battle, why);
      return;
    }
  }
  if (selective && combat.spoiled.has(battle.target)) {
    tellVoid(combat, battle, { why: 'not engaged', what: battle.order.target });
    return;
  }
  const why = selective ? null : voidReason(combat, battle);
  if (why) {
    tellVoid(combat, battle, why);
    return;
  }
  const line = lineOf(combat, battle);
  if (line.attackers.length === 0 || line.defenders.length === 0) {
    tellVoid(combat, battle, {
      why: line.defenders.length === 0 ? 'no target' : 'no attackers',
      what: battle.order.target,
    });
    return;
  }
  for (const unit of line.attackers) combat.attacked.add(unit);
  for (const unit of line.defenders) combat.defended.add(unit);
  const odds = oddsOf(field, battle.target, line.attackers, line.defenders, supportOf(combat, battle, line));
  const { die, result, house } = rollBattle(combat, battle, odds);
  const rule = odds.column === null ? 'OVL-CRT-03' : 'OVL-CBT-04';
  combat.emit({ type: 'battle', audience: 'all', rule, side: combat.side, odds, die, result, house });
  yield* carryOut(combat, battle, line, odds, result);
}

/** Why a battle comes to nothing before it is fought; null when it can be fought (OVR-36). */
function voidReason(combat: Combat, battle: OrderedBattle): { why: string; what: string } | null {
  const { field } = combat;
  const failing = battle.order.when.find((condition) => !holds(field, combat.start, [condition]));
  if (failing) return { why: 'condition', what: `IF ${failing.kind} ${failing.what}` };
  const line = lineOf(combat, battle);
  if (line.defenders.length === 0) return { why: 'no target', what: battle.order.target };
  if (line.attackers.length === 0) return { why: 'no attackers', what: battle.order.target };
  return null;
}

function tellVoid(combat: Combat, battle: OrderedBattle, reason: { why: string; what: string }): void {
  const { line, target } = battle.order;
  combat.emit({ type: 'battle-void', audience: [combat.side], rule: 'OVR-36', line, hex: target, ...reason });
}

function lineOf(combat: Combat, battle: OrderedBattle): Line {
  const { field } = combat;
  const { grid } = field.campaign.board;
  const attackers = battle.attackers.filter((unit) => {
    const at = field.at[unit]!;
    return at >= 0 && !combat.attacked.has(unit) && directionTo(grid, at, battle.target) >= 0;
  });
  const there = battle.only ?? stackIn(field, battle.target);
  const defenders = there.filter(
    (unit) =>
      field.at[unit] === battle.target &&
      field.campaign.units[unit]!.side !== combat.side &&
      !combat.defended.has(unit),
  );
  return { attackers, defenders };
}

/** TAC and naval factors of this battle, the defender's by Allied doctrine (house). */
function supportOf(combat: Combat, battle: OrderedBattle, line: Line): Support {
  const { field } = combat;
  const strength = line.attackers.reduce((sum, unit) => sum + field.campaign.units[unit]!.cf, 0);
  const { tac, naval } = battle.order;
  const support: Support = { tac: Math.min(tac, strength), naval, navalDefence: 0 };
  const doctrine = combat.alliedDoctrine.find((order) => order.about === 'naval' && !order.withdraw);
  if (combat.side === 'allied' || doctrine?.verb !== 'DOCTRINE') return support;
  const { options, weather } = field.table;
  const { mostPerBattle } = field.campaign.data.house.naval;
  if (!options.naval || weather === 'storm' || !doctrine.values.includes(battle.order.target)) return support;
  if (!inNavalRange(field, battle.target)) return support;
  const most = Math.min(doctrine.most ?? mostPerBattle, mostPerBattle, combat.navalLeft);
  combat.navalLeft -= most;
  return { ...support, navalDefence: most };
}

/** The purpose of a battle's die: the hex, and who is fought when not everybody is. */
function battlePurpose(field: Field, battle: OrderedBattle): string {
  const names = (battle.only ?? []).map((unit) => field.campaign.units[unit]!.id);
  return names.length === 0 ? battle.order.target : `${battle.order.target} ${names.join(' ')}`;
}

function rollBattle(
  combat: Combat,
  battle: OrderedBattle,
  odds: Odds,
): { die: number | null; result: Result; house: boolean } {
  if (odds.column === null) return { die: null, result: 'D ELIM', house: false };
  const die = combat.dice.roll(`battle ${battlePurpose(combat.field, battle)}`, 1, 6)[0]!;
  return { die, ...resultOf(combat.field.campaign, combat.field.turn, odds.column, die) };
}

/** The seven results (Explanation of Combat Results). */
function* carryOut(
  combat: Combat,
  battle: OrderedBattle,
  line: Line,
  odds: Odds,
  result: Result,
): Generator<OverlordQuestion[], void, Decision[]> {
  const { field, emit, side } = combat;
  const enemy: OverlordSide = side === 'german' ? 'allied' : 'german';
  const purpose = battlePurpose(field, battle);
  const roll = (): number => combat.dice.roll(`breakout ${purpose}`, 1, 6)[0]!;
  switch (result) {
    case 'A ELIM': {
      const left = yield* pay(combat, battle, line, odds, 'attack');
      yield* retreatAll(field, left, 1, purpose, emit);
      return;
    }
    case 'A BK 1':
      yield* retreatAll(field, line.attackers, 1, purpose, emit);
      return;
    case 'EXCH': {
      eliminate(field, line.defenders, { cause: 'defence', due: null, side: enemy }, emit);
      const left = yield* pay(combat, battle, line, odds, 'exchange');
      yield* followUp({ field, battle, attackers: left, emit }, result, roll);
      return;
    }
    case 'D BK 1':
    case 'D BK 2':
    case 'D BK 3':
      yield* retreatAll(field, line.defenders, Number(result.slice(-1)), purpose, emit);
      yield* followUp({ field, battle, attackers: line.attackers, emit }, result, roll);
      return;
    case 'D ELIM':
      eliminate(field, line.defenders, { cause: 'defence', due: null, side: enemy }, emit);
      yield* followUp({ field, battle, attackers: line.attackers, emit }, result, roll);
  }
}

/** The attackers' payment; gives those who are left. */
function* pay(
  combat: Combat,
  battle: OrderedBattle,
  line: Line,
  odds: Odds,
  cause: 'attack' | 'exchange',
): Generator<OverlordQuestion[], number[], Decision[]> {
  const due = defendersWorth(odds);
  const paid = yield* choosePayment(combat.field, battle, line.attackers, due);
  eliminate(combat.field, paid, { cause, due, side: combat.side }, combat.emit);
  return line.attackers.filter((unit) => !paid.includes(unit));
}
