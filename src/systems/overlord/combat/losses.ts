/** Who pays in an exchange or A ELIM: whole units at printed factors, at least the amount due (OVR-07, OVR-08). */

import { asWritten } from '../../../kernel/questions.ts';
import type { Decision } from '../../../kernel/types.ts';
import type { Campaign } from '../content/campaign.ts';
import type { Field } from '../field/field.ts';
import type { OverlordQuestion, OverlordUnit } from '../types.ts';
import { attackName } from './advance.ts';
import type { OrderedBattle } from './attacks.ts';
import { FACTOR, worthText } from './odds.ts';

/** Total that the units of a list are worth when paying, in eighths. */
function payment(campaign: Campaign, units: readonly number[]): number {
  return units.reduce((sum, unit) => sum + campaign.units[unit]!.cf * FACTOR, 0);
}

/**
 * The smallest sufficient payment: least total of printed factors that reaches `due` eighths, then lowest movement factor,
 * then last listed (OVR-08). All of them when even that is too little.
 */
export function smallestPayment(campaign: Campaign, units: readonly number[], due: number): number[] {
  // Units that should go first stand first: slow before fast, later before earlier.
  const order = [...units].sort((a, b) => campaign.units[a]!.mf - campaign.units[b]!.mf || b - a);
  return leastCover(campaign, order, due);
}

/** Of units in the order in which they should go: those of the least total of printed factors that reaches `due` eighths. */
export function leastCover(campaign: Campaign, order: readonly number[], due: number): number[] {
  const total = payment(campaign, order);
  if (total <= due) return [...order].sort((a, b) => a - b);
  const target = Math.max(due, 0);
  // reachable[i] holds the sums that units from i on can make.
  const reachable: Set<number>[] = [new Set([0])];
  for (let i = order.length - 1; i >= 0; i--) {
    const worth = campaign.units[order[i]!]!.cf * FACTOR;
    const before = reachable[0]!;
    reachable.unshift(new Set([...before, ...[...before].map((sum) => sum + worth)]));
  }
  let left = total;
  for (const sum of reachable[0]!) if (sum >= target && sum < left) left = sum;
  const chosen: number[] = [];
  order.forEach((unit, i) => {
    const worth = campaign.units[unit]!.cf * FACTOR;
    if (left >= worth && reachable[i + 1]!.has(left - worth)) {
      chosen.push(unit);
      left -= worth;
    }
  });
  return chosen.sort((a, b) => a - b);
}

/** Takes units in the order wished until the amount is reached, then the smallest sufficient rest. */
export function orderedPayment(
  campaign: Campaign,
  units: readonly number[],
  wished: readonly number[],
  due: number,
): number[] {
  const chosen: number[] = [];
  for (const unit of wished) {
    if (payment(campaign, chosen) >= due) break;
    if (units.includes(unit) && !chosen.includes(unit)) chosen.push(unit);
  }
  const paid = payment(campaign, chosen);
  if (paid >= due) return chosen.sort((a, b) => a - b);
  const rest = units.filter((unit) => !chosen.includes(unit));
  return [...chosen, ...smallestPayment(campaign, rest, due - paid)].sort((a, b) => a - b);
}

/** Doctrine: MIN smallest total, WEAK weakest first; KEEP units only when the others do not suffice. */
export function doctrinePayment(
  campaign: Campaign,
  units: readonly number[],
  due: number,
  values: readonly string[],
): number[] {
  const kept = (unit: OverlordUnit): boolean => {
    const at = values.indexOf('KEEP');
    return at >= 0 && values.slice(at + 1).some((name) => name === unit.id || name === unit.formation);
  };
  const spendable = units.filter((unit) => !kept(campaign.units[unit]!));
  const weak = values.includes('WEAK');
  const byWeakness = [...spendable].sort((a, b) => campaign.units[a]!.cf - campaign.units[b]!.cf || b - a);
  if (weak) return orderedPayment(campaign, units, byWeakness, due);
  if (payment(campaign, spendable) < due) return orderedPayment(campaign, units, spendable, due);
  return smallestPayment(campaign, spendable, due);
}

/** Asks the attacker, where there is a choice, which units pay `due` eighths (OVL-CRE-01, OVL-CRE-05). */
export function* choosePayment(
  field: Field,
  battle: OrderedBattle,
  attackers: readonly number[],
  due: number,
): Generator<OverlordQuestion[], number[], Decision[]> {
  const { campaign } = field;
  if (attackers.length <= 1 || payment(campaign, attackers) <= due) return [...attackers];
  const names = attackers.map((unit) => campaign.units[unit]!.id);
  const fallback = smallestPayment(campaign, attackers, due).map((unit) => campaign.units[unit]!.id);
  const request: OverlordQuestion = {
    id: `losses at ${attackName(battle.order)} line ${battle.order.line}`,
    to: campaign.units[attackers[0]!]!.side,
    kind: 'losses',
    about: {
      kind: 'losses',
      attack: attackName(battle.order),
      target: battle.order.target,
      line: battle.order.line,
      eighths: due,
    },
    options: asWritten(names),
    min: 1,
    max: names.length,
    fallback,
    words: { key: 'overlord.ask losses', params: { hex: battle.order.target, due: worthText(due), eighths: due } },
    rule: 'OVR-08',
  };
  const [decision] = yield [request];
  const wished = (decision?.chosen ?? []).map((name) => attackers[names.indexOf(name)] ?? -1);
  return orderedPayment(campaign, attackers, wished, due);
}
