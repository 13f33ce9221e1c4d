/** Whether an action can begin as things stand for its owner: the same question for checks, scripts and the engine. */

import type { Book } from '../content/opened.ts';
import { weaponFor } from '../counters/weapons.ts';
import { PLAIN_SHOT, type ShotContext, weaponRefusal } from '../fight/attack.ts';
import { plannedFire } from '../fight/bonus.ts';
import { splitTargets } from '../fight/split.ts';
import { aimedAt, legalTargets } from '../fight/targets.ts';
import type { Action, FireAction, Rider } from '../language.ts';
import { type Refusal, refuse } from '../refusal.ts';
import type { Known, NormandieUnit } from '../types.ts';
import { assaultOrderRefusal } from './assault.ts';
import { moveRefusal } from './plan.ts';

/** Why a unit can't begin an action now. A move is legal if its first steps are (3.3 c). */
export function actionRefusal(
  book: Book,
  known: Known,
  unit: NormandieUnit,
  action: Action,
  riders: readonly Rider[],
): Refusal | undefined {
  switch (action.do) {
    case 'hold':
      return undefined;
    case 'fire':
      return fireRefusal(book, known, unit, action, PLAIN_SHOT, riders);
    case 'assault':
      return assaultOrderRefusal(book, known, unit, action, riders);
    case 'move': {
      const { refusal, steps } = moveRefusal(book, known, unit, action, 'activation', riders);
      return steps === 0 ? refusal : undefined;
    }
  }
}

/** Why none of the targets of a Firing Action can be fired at now. */
export function fireRefusal(
  book: Book,
  known: Known,
  unit: NormandieUnit,
  action: FireAction,
  mode: ShotContext,
  riders: readonly Rider[] = [],
): Refusal | undefined {
  const use = weaponFor(book, known, unit, action.weapon);
  if ('code' in use) return use;
  const context: ShotContext = { ...mode, suppress: action.suppress === true };
  const refused = weaponRefusal(book, known, unit, use, context);
  if (refused) return refused;
  if (action.split) {
    const group = splitTargets(book, known, unit, use, action, {
      ...context,
      bonus: plannedFire(book, known, unit, riders),
    });
    return 'code' in group ? group : undefined;
  }
  if (use.manner === 'flame' && action.targets.length === 0) return undefined;
  let refusal: Refusal = refuse('NO TARGET', '3.2.3-b', { unit: unit.code });
  for (const target of action.targets) {
    if (target.target === 'any') {
      if (legalTargets(book, known, unit, use, target.class, context).length > 0) return undefined;
      continue;
    }
    const found = aimedAt(book, known, unit, use, target, context);
    if (!('code' in found)) return undefined;
    refusal = found;
  }
  return refusal;
}
