/** Attacks by odds: for every enemy hex in reach the attackers and air support that promise most, the best ones first. */

import type { Temper } from '../../../kernel/planner.ts';
import { best } from '../../../kernel/planner.ts';
import { tacAllotment } from '../combat/air.ts';
import { defendersWorth, FACTOR, oddsOf, resultOf } from '../combat/odds.ts';
import { heldBy, inZoneOf, stackIn } from '../field/field.ts';
import { enemyOf, type Odds, type Result } from '../types.ts';
import { arrow, hexOf, nameOf, neighboursOf, type OverlordDesk, unitsWhere } from './playerdesk.ts';

/** Air support tried in one battle. */
const TAC_TRIED = [0, 2, 4, 6, 8];
/** What a factor of air support must bring, in eighths of a combat factor. */
const TAC_PRICE = 2;
/** Ground gained is worth so many eighths. */
const GROUND = 16;
/** Eighths that an attack must promise over the six dice together. */
const LEAST: Record<Temper, number> = { bold: 24, careful: 120 };
/** What an own loss counts against an enemy's, in quarters. */
const OWN_LOSS: Record<Temper, number> = { bold: 3, careful: 6 };

interface Battle {
  target: number;
  attackers: number[];
  tac: number;
  promise: number;
}

/** What a result is worth to the attacker, in eighths of a combat factor. */
function worthOf(result: Result, odds: Odds, temper: Temper): number {
  const defence = odds.defenders.reduce((sum, { worth }) => sum + worth, 0);
  const attack = odds.attackers.reduce((sum, { cf }) => sum + cf * FACTOR, 0);
  const paid = Math.min(attack, defendersWorth(odds)) * OWN_LOSS[temper] * 0.25;
  switch (result) {
    case 'D ELIM':
      return defence + GROUND;
    case 'D BK 1':
    case 'D BK 2':
    case 'D BK 3':
      return GROUND + Number(result.slice(-1)) * 4;
    case 'EXCH':
      return defence - paid;
    case 'A BK 1':
      return -GROUND;
    case 'A ELIM':
      return -paid - GROUND;
  }
}

/** Over the six dice. */
function promiseOf(desk: OverlordDesk, odds: Odds, temper: Temper): number {
  if (odds.column === null) return 6 * worthOf('D ELIM', odds, temper);
  let sum = 0;
  for (let die = 1; die <= 6; die++)
    sum += worthOf(resultOf(desk.campaign, desk.field.turn, odds.column, die).result, odds, temper);
  return sum;
}

function bestOn(
  desk: OverlordDesk,
  target: number,
  free: ReadonlySet<number>,
  tac: number,
  temper: Temper,
): Battle | undefined {
  const all = neighboursOf(desk, target).flatMap((near) => stackIn(desk.field, near).filter((unit) => free.has(unit)));
  if (all.length === 0) return undefined;
  const defenders = [...stackIn(desk.field, target)];
  const strength = all.reduce((sum, unit) => sum + desk.campaign.units[unit]!.cf, 0);
  const tried = TAC_TRIED.filter((factors) => factors <= Math.min(tac, strength)).map((factors): Battle => {
    const odds = oddsOf(desk.field, target, all, defenders, { tac: factors, naval: 0, navalDefence: 0 });
    const promise = promiseOf(desk, odds, temper) - factors * TAC_PRICE;
    return { target, attackers: all, tac: factors, promise };
  });
  return best(tried, ({ promise }) => promise);
}

/** Leaves out attackers, weakest first, as long as the odds stay in their column. */
function trimmed(desk: OverlordDesk, { target, attackers, tac }: Battle): number[] {
  const defenders = [...stackIn(desk.field, target)];
  const columnOf = (units: readonly number[]): string | null =>
    oddsOf(desk.field, target, units, defenders, { tac, naval: 0, navalDefence: 0 }).column;
  const column = columnOf(attackers);
  const cf = (unit: number): number => desk.campaign.units[unit]!.cf;
  let left = [...attackers];
  for (const unit of [...attackers].sort((a, b) => cf(a) - cf(b))) {
    const fewer = left.filter((other) => other !== unit);
    const strength = fewer.reduce((sum, other) => sum + cf(other), 0);
    if (fewer.length > 0 && strength >= tac && columnOf(fewer) === column) left = fewer;
  }
  return left;
}

/** Writes the attacks that promise enough; what air support is left interdicts a road in a German zone. */
export function strike(desk: OverlordDesk, temper: Temper, away: Int32Array): void {
  const { board } = desk.campaign;
  const free = new Set(unitsWhere(desk, (unit) => desk.field.at[unit]! >= 0));
  let tac = desk.side === 'allied' ? tacAllotment(desk.field) : 0;
  const targets = new Set<number>();
  for (const unit of free)
    for (const near of neighboursOf(desk, desk.field.at[unit]!))
      if (heldBy(desk.field, near, enemyOf(desk.side))) targets.add(near);
  while (targets.size > 0) {
    const found = [...targets].flatMap((target) => bestOn(desk, target, free, tac, temper) ?? []);
    const battle = best(found, ({ promise }) => promise);
    if (!battle || battle.promise < LEAST[temper]) break;
    targets.delete(battle.target);
    const attackers = trimmed(desk, battle);
    tac -= battle.tac;
    for (const unit of attackers) free.delete(unit);
    desk.lines.push(attackLine(desk, { ...battle, attackers }, away));
  }
  const { options, weather } = desk.field.table;
  if (desk.side !== 'allied' || !options.interdiction || weather === 'storm' || tac <= 0) return;
  const roads = board.grid.ids.flatMap((_, cell) =>
    board.onRoad[cell] === 1 && inZoneOf(desk.field, cell, 'german') ? [cell] : [],
  );
  const nearest = best(roads, (cell) => away[cell]!);
  const { mostPerHex } = desk.campaign.data.house.interdiction;
  if (nearest !== undefined) desk.lines.push(`INTERDICT ${hexOf(desk, nearest)} ${Math.min(mostPerHex, tac)}`);
}

/** The line of an attack: the strongest attacker follows up, in a breakout on towards the goal. */
function attackLine(desk: OverlordDesk, { target, attackers, tac }: Battle, away: Int32Array): string {
  const hex = hexOf(desk, target);
  const names = attackers.map((unit) => nameOf(desk, unit));
  const air = tac > 0 ? ` SUPPORT TAC ${tac}` : '';
  const lead = nameOf(desk, best(attackers, (unit) => desk.campaign.units[unit]!.cf)!);
  const way = [target];
  for (let i = 0; i < 3; i++) {
    const at = way.at(-1)!;
    const next = best(
      neighboursOf(desk, at).filter((cell) => away[cell]! >= 0 && away[cell]! < away[at]!),
      (cell) => -away[cell]!,
    );
    if (next === undefined) break;
    way.push(next);
  }
  return `ATTACK ${hex} WITH ${names.join(' ')}${air} ADVANCE ${lead} -> ${hex} BREAKOUT ${lead}${arrow(desk, way)}`;
}
