/** Machine Gunner: several targets in one Firing Action (6.2-mg). */

import type { Book } from '../content/opened.ts';
import { classOf } from '../counters/units.ts';
import type { WeaponUse } from '../counters/weapons.ts';
import { rangeOf } from '../ground/sightline.ts';
import type { FireAction } from '../language.ts';
import { never, type Refusal, refuse } from '../refusal.ts';
import type { Known, NormandieUnit } from '../types.ts';
import { modifiedValue, type ShotContext } from './attack.ts';
import { aimedAt, targetNamed } from './targets.ts';

/** Machine Gunner: same type, one group, a part of at least +1 each, no more than the value (6.2-mg; F-04). */
export function splitTargets(
  book: Book,
  known: Known,
  unit: NormandieUnit,
  use: WeaponUse,
  action: FireAction,
  context: ShotContext,
): NormandieUnit[] | Refusal {
  const params = { unit: unit.code };
  if (!('machine-gunner' in use.abilities)) return never('NO MACHINE GUNNER', '6.2-mg-a', params);
  const parts = action.split ?? [];
  const units: NormandieUnit[] = [];
  for (const target of action.targets) {
    if (target.target !== 'unit') return never('NAME EACH TARGET', '6.2-mg-f', params);
    const found = aimedAt(book, known, unit, use, target, context);
    if ('code' in found) return found;
    const named = targetNamed(known, target.code);
    if (named) units.push(named);
  }
  if (units.length !== parts.length || new Set(units).size !== units.length)
    return never('SPLIT', '6.2-mg-f', { ...params, parts: parts.length, targets: units.length });
  if (parts.some((part) => part < 1)) return never('SPLIT BELOW ONE', '6.2-mg-e', params);
  const kinds = new Set(units.map((each) => classOf(book, each)));
  if (kinds.size > 1) return refuse('MIXED TARGETS', '6.2-mg-b', params);
  if (!oneGroup(units, (a, b) => rangeOf(book, known.table, a, b)))
    return refuse('TARGETS TOO FAR APART', '6.2-mg-c', params);
  const { value } = modifiedValue(use, classOf(book, units[0]!), context);
  const sum = parts.reduce((total, part) => total + part, 0);
  if (sum > value) return refuse('SPLIT TOO LARGE', '6.2-mg-e', { ...params, sum, value });
  // A bonus that is split among nobody would be spent for nothing.
  if (sum < value && context.bonus.length > 0) return refuse('SPLIT TOO SMALL', '6.2-mg-e', { ...params, sum, value });
  return units;
}

const GROUP_REACH = 2;

/** Does each target lie within 2 squares of another so that all hang together? */
function oneGroup<T>(units: readonly T[], range: (a: T, b: T) => number): boolean {
  const reached = new Set(units.slice(0, 1));
  for (let grew = true; grew; ) {
    grew = false;
    for (const unit of units) {
      if (reached.has(unit) || ![...reached].some((other) => range(unit, other) <= GROUP_REACH)) continue;
      reached.add(unit);
      grew = true;
    }
  }
  return reached.size === units.length;
}
