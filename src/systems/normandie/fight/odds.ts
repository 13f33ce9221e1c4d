/** Chances on public facts, for conditions and defaults: no dice are rolled and nothing hidden is looked at. */

import type { Book } from '../content/opened.ts';
import { findUnit, tableCode } from '../counters/units.ts';
import { type WeaponUse, weaponFor } from '../counters/weapons.ts';
import type { NormandieSide } from '../data.ts';
import type { FireAction } from '../language.ts';
import type { Known, NormandieUnit } from '../types.ts';
import { chanceOf, PLAIN_SHOT, type ShotContext, shotAt, sumOf } from './attack.ts';
import { sniperChance } from './sniper.ts';

/** A unit by the name its owner or opponent would use: table code, or the own code of a concealed one. */
export function unitNamed(known: Known, side: NormandieSide, name: string): NormandieUnit | undefined {
  const direct = findUnit(known.table, name);
  if (direct) return direct;
  const code = tableCode(known, side, name);
  return code === undefined ? undefined : findUnit(known.table, code);
}

/**
 * Chance in per cent (rounded down) that a shot has its effect on the target: a Hit, or with `suppress` at least one
 * Suppressed Marker. Undefined when the unit may not fire at it now. `unit` is an own code or table code of `side`.
 */
export function oddsOf(
  book: Book,
  known: Known,
  side: NormandieSide,
  shot: FireAction,
  target: string,
): number | undefined {
  const shooter = unitNamed(known, side, shot.unit);
  const enemy = findUnit(known.table, target);
  if (!shooter || !enemy) return undefined;
  const use = weaponFor(book, known, shooter, shot.weapon);
  if ('code' in use) return undefined;
  return shotChance(book, known, shooter, use, enemy, { ...PLAIN_SHOT, suppress: shot.suppress === true });
}

/** The same for a weapon at hand. Templates and charges are not counted as shots at a unit. */
export function shotChance(
  book: Book,
  known: Known,
  shooter: NormandieUnit,
  use: WeaponUse,
  target: NormandieUnit,
  context: ShotContext,
): number | undefined {
  if (use.manner !== 'direct' && use.manner !== 'sniper') return undefined;
  const shot = shotAt(book, known, shooter, use, target, context);
  if ('code' in shot) return undefined;
  if (use.manner === 'sniper') return sniperChance(book, known, shooter, shot.aim, context);
  const { terms, defense } = sumOf(book, known, shooter, use, target, context, shot);
  const need = defense.reduce((sum, term) => sum + term.n, 0);
  return chanceOf(terms, need, 'dual-weapon' in use.abilities ? 2 : 1);
}
