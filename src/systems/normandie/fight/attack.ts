/**
 * One shot at one unit: whether it is allowed (attack type, line, range, arc: 3.2.3-b) and the sum it is resolved with, in
 * the order of 8.2: Combat Value, fire on the move, bonuses, doubling, split; roll; penalties on the result.
 */
import { sectorOf } from '../../../board/square.ts';
import { known as must } from '../../../kernel/assert.ts';
import { floorDiv } from '../../../kernel/fraction.ts';
import { type Book, placeOf } from '../content/opened.ts';
import { can, centreOf, classOf, counterOf, faceOf, footprintOf, SUPPRESSED_PENALTY } from '../counters/units.ts';
import type { WeaponUse } from '../counters/weapons.ts';
import type { Class } from '../data.ts';
import type { Sum, Term } from '../events.ts';
import { coverOf, positionAt } from '../ground/ground.ts';
import { type Aim, aimAt, rangeOf } from '../ground/sightline.ts';
import { never, type Refusal, refuse } from '../refusal.ts';
import type { Known, NormandieUnit, RollResult } from '../types.ts';

export const LONG_RANGE_OVER = 7;
const LONG_RANGE_PENALTY = 2;

export interface ShotContext {
  /** Fired during a Movement Action. */
  moving: boolean;
  /** Burst Into Action: any weapon, no penalty for moving. */
  burst: boolean;
  suppress: boolean;
  opportunity: boolean;
  /** Gear and card bonuses. */
  bonus: readonly Term[];
  /** Part of the value given to this target (Machine Gunner). */
  split: number | null;
  /** Steady Aim: no long range penalty and one obscuring square less. */
  steady: boolean;
}

export const PLAIN_SHOT: ShotContext = {
  moving: false,
  burst: false,
  suppress: false,
  opportunity: false,
  bonus: [],
  split: null,
  steady: false,
};

/** Why a unit may not fire a weapon at all now, whatever the target. */
export function weaponRefusal(
  book: Book,
  known: Known,
  unit: NormandieUnit,
  use: WeaponUse,
  context: ShotContext,
): Refusal | undefined {
  const params = { unit: unit.code, weapon: use.label };
  if (context.moving && !context.burst && use.onTheMove === null)
    return never('NO FIRE ON THE MOVE', '3.2.3-type-d', params);
  if (context.suppress && !('suppressive-fire' in use.abilities))
    return never('NO SUPPRESSIVE FIRE', '6.2-suppressive-a', params);
  if (unit.aboard === null) return undefined;
  const found = counterOf(book, known, unit);
  if (can(book, known, unit, 'crew') && unit.face === 'active') return never('CREW ABOARD', '6.1-crew-b', params);
  if (found?.counter.role === 'heavy-weapon' && use.onTheMove === null)
    return refuse('HEAVY WEAPON ABOARD', '6.6-transport-h', params);
  return undefined;
}

/** Why that shot is not allowed now, or the best aim for it. `known` must know the shooter; the target may be concealed. */
export function shotAt(
  book: Book,
  known: Known,
  shooter: NormandieUnit,
  use: WeaponUse,
  target: NormandieUnit,
  context: ShotContext,
): { aim: Aim; range: number } | Refusal {
  const params = { unit: shooter.code, target: target.code, weapon: use.label };
  const refused =
    weaponRefusal(book, known, shooter, use, context) ?? targetRefusal(book, known, shooter, use, target, context);
  if (refused) return refused;
  const range = rangeOf(book, known.table, shooter, target);
  if (use.limit !== null && range > use.limit)
    return refuse('OUT OF RANGE', '6.2-limited-a', { ...params, range, limit: use.limit });
  const found = aimAt(book, known, shooter, target, use.overTerrain);
  if (!('aim' in found))
    return refuse('NO LINE OF SIGHT', '3.2.3-los-a', { ...params, why: found.blocked.why, at: found.blocked.at });
  if (use.arc < 360 && sectorOf(shooter.facing, centreOf(book, known.table, shooter), found.aim.to.point) === 'outside')
    return refuse('OUT OF ARC', '3.2.3-arc-a', params);
  return { aim: found.aim, range };
}

function targetRefusal(
  book: Book,
  known: Known,
  shooter: NormandieUnit,
  use: WeaponUse,
  target: NormandieUnit,
  context: ShotContext,
): Refusal | undefined {
  const params = { unit: shooter.code, target: target.code, weapon: use.label };
  const kind = classOf(book, target);
  if (target.side === shooter.side) return never('OWN UNIT', '3.2.3-b', params);
  if (target.concealed !== null) return refuse('CONCEALED', '6.1-ambush-a', params);
  if (target.aboard !== null) return refuse('ABOARD', '6.6-transport-d', params);
  if (use.manner === 'sniper' && kind !== 'inf') return never('SNIPER', '6.2-sniper-a', params);
  if (use.cv[kind] === 'X') return never('CANNOT HARM', '3.2.3-type-b', params);
  return context.opportunity ? reactionRefusal(book, known, shooter, target) : undefined;
}

/** Opportunity Fire gained from a position alone is no good against units in the same position (5.3-f). */
export function reactionRefusal(
  book: Book,
  known: Known,
  shooter: NormandieUnit,
  target: NormandieUnit,
): Refusal | undefined {
  if (can(book, known, shooter, 'opportunity-fire') || !sharePosition(book, known, shooter, target)) return undefined;
  return refuse('SAME POSITION', '5.3-f', { unit: shooter.code, target: target.code });
}

/** Are both in the same defensive position? */
function sharePosition(book: Book, known: Known, a: NormandieUnit, b: NormandieUnit): boolean {
  const of = (unit: NormandieUnit): (string | null)[] =>
    footprintOf(known.table, unit).map((name) => positionAt(known.table, placeOf(book, name)));
  return of(a).some((position) => position !== null && of(b).includes(position));
}

/** Combat Value after fire on the move, bonuses and doubling: what Machine Gunner splits (8.2-fire-b). */
export function modifiedValue(use: WeaponUse, kind: Class, context: ShotContext): { value: number; terms: Term[] } {
  const printed = must(use.cv[kind] === 'X' ? undefined : (use.cv[kind] as number), 'a shot with X');
  const terms: Term[] = [{ what: 'value', n: printed, of: use.label, rule: '3.2.3-res-a' }];
  if (context.moving && !context.burst && (use.onTheMove ?? 0) > 0)
    terms.push({ what: 'fire on the move', n: -use.onTheMove!, rule: '6.2-fotm-b' });
  terms.push(...context.bonus);
  const single = terms.reduce((sum, term) => sum + term.n, 0);
  if (context.suppress) terms.push({ what: 'doubled', n: single, rule: '6.2-suppressive-a' });
  return { value: context.suppress ? 2 * single : single, terms };
}

/** Penalties on the final result (8.2-fire-d): Suppressed Markers, long range, obscuring squares. */
export function penalties(
  shooter: NormandieUnit,
  range: number | null,
  obscuring: readonly { place: string; value: number }[],
  steady: boolean,
): Term[] {
  const terms: Term[] = [];
  if (shooter.suppressed > 0)
    terms.push({ what: 'suppressed', n: -SUPPRESSED_PENALTY * shooter.suppressed, rule: '3.2.3-res-d' });
  if (range !== null && range > LONG_RANGE_OVER && !steady)
    terms.push({ what: 'long range', n: -LONG_RANGE_PENALTY, rule: '3.2.3-range-b' });
  const squares = [...obscuring].sort((a, b) => b.value - a.value);
  for (const square of steady ? squares.slice(1) : squares)
    terms.push({ what: 'obscured', n: -square.value, of: square.place, rule: '5.1-obsc-b' });
  return terms;
}

/** Defense: printed value, cover of the element unless the firer shares it (5.1-def-a, 5.3-c, 5.4-g, R15). */
export function defenseTerms(
  book: Book,
  known: Known,
  target: NormandieUnit,
  printed: number,
  shooter: NormandieUnit | null,
  withCover: boolean,
): Term[] {
  const terms: Term[] = [{ what: 'defense', n: printed, rule: '1.1-j' }];
  if (!withCover) return terms;
  const attackers = shooter ? footprintOf(known.table, shooter).map((name) => placeOf(book, name)) : [];
  const cover = coverOf(book, known.table, target, classOf(book, target), attackers, 'building');
  if (cover.value > 0) terms.push({ what: cover.what, n: cover.value, of: cover.place, rule: '5.1-def-a' });
  return terms;
}

/** Printed Defense Value of a unit that is not a heavy vehicle, or the side value of one (6.2-howitzer-j). */
export function plainDefense(book: Book, known: Known, target: NormandieUnit): number {
  const defense = must(faceOf(book, known, target), `${target.code} is not known`).defense;
  return typeof defense === 'number' ? defense : defense.side;
}

/** The sum of a direct shot before the dice: everything but the die. */
export function sumOf(
  book: Book,
  known: Known,
  shooter: NormandieUnit,
  use: WeaponUse,
  target: NormandieUnit,
  context: ShotContext,
  shot: { aim: Aim; range: number },
): { terms: Term[]; defense: Term[] } {
  const kind = classOf(book, target);
  const value =
    context.split === null
      ? modifiedValue(use, kind, context).terms
      : [{ what: 'split', n: context.split, of: use.label, rule: '6.2-mg-e' }, ...context.bonus];
  const printed = must(shot.aim.defense, `${target.code} is not known`);
  return {
    terms: [...value, ...penalties(shooter, shot.range, shot.aim.line.obscuring, context.steady)],
    defense: defenseTerms(book, known, target, printed, shooter, true),
  };
}

/** Adds the die: total and need. */
export function withDice(dice: readonly number[], terms: readonly Term[], defense: readonly Term[]): Sum {
  const die = Math.max(...dice);
  return {
    dice: [...dice],
    die,
    terms: [...terms],
    total: die + terms.reduce((sum, term) => sum + term.n, 0),
    defense: [...defense],
    need: defense.reduce((sum, term) => sum + term.n, 0),
  };
}

/** What a total does: hit, double hit, or Suppressed Markers (3.2.3-res-c, 3.2.3-double-a, 6.2-suppressive-b, -c). */
export function resultOf(total: number, need: number, suppress: boolean): RollResult {
  if (total < need) return { effect: 'none' };
  if (suppress) return { effect: 'suppressed', n: floorDiv(total, need) };
  return { effect: total >= 2 * need ? 'destroyed' : 'hit' };
}

/** Per cent (rounded down) that the better of `dice` dice plus the terms reaches the need. */
export function chanceOf(terms: readonly Term[], need: number, dice: number): number {
  const rest = terms.reduce((sum, term) => sum + term.n, 0);
  let misses = 0;
  for (let die = 1; die <= 6; die++) if (die + rest < need) misses++;
  const all = 6 ** dice;
  return floorDiv(100 * (all - misses ** dice), all);
}
