/** What hangs on an action and can do nothing for it: refused at the check, kept when the action comes (4.2, 7.2, 6.2-fotm). */

import type { Book } from '../content/opened.ts';
import { classOf } from '../counters/units.ts';
import { weaponFor } from '../counters/weapons.ts';
import type { BonusType } from '../data.ts';
import { HELPS } from '../fight/bonus.ts';
import { targetNamed } from '../fight/targets.ts';
import { startWalk, walkStep } from '../ground/walk.ts';
import type { Action, FireAction, Part, Rider } from '../language.ts';
import { never, type Refusal } from '../refusal.ts';
import type { Known, NormandieUnit } from '../types.ts';
import { rulesFor } from './plan.ts';

/** Which bonuses serve an action: an assault is a Movement Action, too. */
function typesFor(action: Action): readonly BonusType[] {
  switch (action.do) {
    case 'fire':
      return ['fire', 'any'];
    case 'assault':
      return ['assault', 'any', 'move'];
    case 'move':
      return ['move'];
    case 'hold':
      return [];
  }
}

/** Why an action after the first of a clause is none: only further weapons of one Firing Action follow (3.2-h, 3.2.3-weap-a). */
export function partRefusal(parts: readonly Part[], i: number, unit: string): Refusal | undefined {
  if (i === 0 || (parts[0]?.action.do === 'fire' && parts[i]?.action.do === 'fire')) return undefined;
  return never('ONE ACTION', '3.2-h', { unit });
}

/** Why a rider can do nothing for its action, whatever the dice; `before`: those of the same action written before it. */
export function riderRefusal(
  book: Book,
  known: Known,
  unit: NormandieUnit,
  action: Action,
  rider: Rider,
  before: readonly Rider[],
): Refusal | undefined {
  const params = { unit: unit.code, what: nameOf(rider) };
  const moves = action.do === 'move' || action.do === 'assault';
  switch (rider.rider) {
    case 'stop':
      return moves ? undefined : never('DOES NOTHING', '3.2.1-a', params);
    case 'fom':
      if (!moves) return never('DOES NOTHING', '6.2-fotm-a', params);
      return passes(book, known, unit, action, before, rider.at)
        ? undefined
        : never('NOT ON THE WAY', '6.2-fotm-a', { unit: unit.code, square: rider.at });
    case 'use':
      return gearServes(book, known, unit, action, rider, before) ? undefined : never('DOES NOTHING', '7.2-d', params);
    case 'card':
      return rider.as === 'bonus'
        ? bonusRefusalOf(book, known, unit, action, rider.card)
        : eventServes(book, known, unit, action, rider.card, before)
          ? undefined
          : never('DOES NOTHING', '4.2-e', params);
  }
}

function nameOf(rider: Rider): string {
  return rider.rider === 'card' ? rider.card : rider.rider === 'use' ? rider.option : rider.rider.toUpperCase();
}

function bonusRefusalOf(
  book: Book,
  known: Known,
  unit: NormandieUnit,
  action: Action,
  card: string,
): Refusal | undefined {
  const type = book.cards.get(card)?.bonus.type;
  if (type === undefined) return undefined;
  if (!typesFor(action).includes(type)) return never('WRONG BONUS', '4.2-j', { card });
  return action.do === 'fire' && !rollsAttack(book, known, unit, action)
    ? never('DOES NOTHING', '4.2-m', { unit: unit.code, what: card })
    : undefined;
}

/** Steady Aim serves fire, once; Burst a heavy vehicle that fires as it moves; Surprise infantry that moves. */
function eventServes(
  book: Book,
  known: Known,
  unit: NormandieUnit,
  action: Action,
  card: string,
  before: readonly Rider[],
): boolean {
  const again = before.some((each) => each.rider === 'card' && each.card === card && each.as === 'event');
  if (action.do === 'fire') return card === 'aim' && !again && rollsAttack(book, known, unit, action);
  if (action.do === 'hold') return false;
  const kind = classOf(book, unit);
  return card === 'surprise' ? kind === 'inf' : card === 'burst' && kind === 'heavy' && !again;
}

/** Does the fire roll attacks at all: not a charge, not a shot at a structure (6.2-destruction, 7.2-sticky-b)? */
function rollsAttack(book: Book, known: Known, unit: NormandieUnit, action: FireAction): boolean {
  const use = weaponFor(book, known, unit, action.weapon);
  if (!('code' in use) && use.manner === 'charge') return false;
  return action.targets.length === 0 || action.targets.some((target) => target.target !== 'building');
}

/** Ammo for fire that may meet infantry, a Knife for an assault, Passage markers for a heavy vehicle's move; each named once. */
function gearServes(
  book: Book,
  known: Known,
  unit: NormandieUnit,
  action: Action,
  rider: Extract<Rider, { rider: 'use' }>,
  before: readonly Rider[],
): boolean {
  if (before.some((each) => each.rider === 'use' && each.option === rider.option)) return false;
  if (rider.option === 'culin')
    return (action.do === 'move' || action.do === 'assault') && classOf(book, unit) === 'heavy';
  const help = HELPS[rider.option];
  if (!help || help.action !== action.do || rider.n > help.most) return false;
  return action.do !== 'fire' || (rollsAttack(book, known, unit, action) && meetsInfantry(book, known, unit, action));
}

function meetsInfantry(book: Book, known: Known, unit: NormandieUnit, action: FireAction): boolean {
  const use = weaponFor(book, known, unit, action.weapon);
  if (!('code' in use) && use.cv.inf === 'X') return false;
  if (action.targets.length === 0) return true;
  return action.targets.some((target) => {
    if (target.target === 'any') return target.class !== 'LIGHT' && target.class !== 'HEAVY';
    if (target.target !== 'unit') return target.target === 'place';
    const enemy = targetNamed(known, target.code);
    return !enemy || classOf(book, enemy) === 'inf';
  });
}

/** Does the way of an action touch a square, as far as it can be walked at all? Beyond that nobody knows yet. */
function passes(
  book: Book,
  known: Known,
  unit: NormandieUnit,
  action: Extract<Action, { do: 'move' | 'assault' }>,
  riders: readonly Rider[],
  square: string,
): boolean {
  const steps = action.do === 'move' ? action.steps : action.via;
  const rules = { ...rulesFor(book, known, unit, 'activation', 0, riders), budget: FAR, windows: FAR };
  let walk = startWalk(unit, rules);
  const here = (): boolean => walk.at === square || walk.rear === square;
  for (const step of steps) {
    if (here()) return true;
    const next = walkStep(book, known, unit, walk, step, rules);
    if ('code' in next) return true;
    walk = next;
  }
  return here();
}

const FAR = 99;
