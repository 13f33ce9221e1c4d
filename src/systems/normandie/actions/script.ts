/** Scripts: the clause that fits is carried out; nothing fits: the unit's own script, then the standard default (3.3 c, 3.6). */

import { type Asking, type Play, sideKnown } from '../counters/play.ts';
import { ownWeapons } from '../counters/weapons.ts';
import type { NormandieSide } from '../data.ts';
import { PLAIN_SHOT } from '../fight/attack.ts';
import { keep } from '../fight/bonus.ts';
import { onBoard } from '../fight/effects.ts';
import { fire, STANDING_FIRE } from '../fight/firing.ts';
import { unitNamed } from '../fight/odds.ts';
import { afterFire, opportunity } from '../fight/opportunity.ts';
import { legalTargets } from '../fight/targets.ts';
import type { Clause, FireAction, Part, Rider } from '../language.ts';
import type { NormandieUnit } from '../types.ts';
import { assaultAction } from './assault.ts';
import { holds } from './conditions.ts';
import { actionRefusal } from './legality.ts';
import { moveAction } from './movement.ts';
import { riderRefusal } from './riders.ts';

const DEFAULT_FROM = 50;

/** Why a clause was passed over: `IF` for its condition, else the code of what refused its action. */
interface Skipped {
  clause: number;
  why: string;
}

/** The first clause whose condition holds and whose first action can begin, on the owner's knowledge. */
function chooseClause(
  play: Play,
  side: NormandieSide,
  unit: NormandieUnit,
  clauses: readonly Clause[],
): { taken: number | null; skipped: Skipped[] } {
  const known = sideKnown(play, side);
  const skipped: Skipped[] = [];
  for (const [i, clause] of clauses.entries()) {
    const why = whyNot(play, side, unit, clause);
    if (clause.when && !holds(play.book, known, side, clause.when)) skipped.push({ clause: i + 1, why: 'IF' });
    else if (why) skipped.push({ clause: i + 1, why });
    else return { taken: i, skipped };
  }
  return { taken: null, skipped };
}

function whyNot(play: Play, side: NormandieSide, unit: NormandieUnit, clause: Clause): string | undefined {
  const part = clause.parts[0];
  if (!part) return 'NO ACTION';
  if (part.action.do !== 'hold' && unitNamed(play.known, side, part.action.unit) !== unit) return 'OTHER UNIT';
  return actionRefusal(play.book, sideKnown(play, side), unit, part.action, part.riders)?.code;
}

/** Runs a unit's activation by its scripts. `token` names the activation in the owner's trace. */
export function* activate(
  play: Play,
  side: NormandieSide,
  unit: NormandieUnit,
  token: string,
  scripts: readonly (readonly Clause[])[],
): Asking<void> {
  const skipped: Skipped[] = [];
  for (const clauses of scripts) {
    const choice = chooseClause(play, side, unit, clauses);
    skipped.push(...choice.skipped);
    if (choice.taken === null) continue;
    play.emit({ type: 'clause', audience: [side], side, unit: unit.code, token, taken: choice.taken + 1, skipped });
    yield* carryOut(play, unit, clauses[choice.taken]!.parts);
    return;
  }
  const action = standardDefault(play, unit);
  play.emit({ type: 'clause', audience: [side], side, unit: unit.code, token, taken: action ? 0 : null, skipped });
  yield* carryOut(play, unit, action ? [{ action, riders: [] }] : []);
}

/** Carries out the parts: a move or assault, or the weapons one after the other, then the other side's window (W7). */
export function* carryOut(play: Play, unit: NormandieUnit, parts: readonly Part[]): Asking<void> {
  const [first] = parts;
  if (!first || first.action.do === 'hold') {
    play.emit({ type: 'passed', audience: 'all', unit: unit.code, rule: '3.2-i' });
    return;
  }
  if (first.action.do === 'fire') yield* fireParts(play, unit, parts);
  else {
    const riders = useful(play, unit, first);
    if (first.action.do === 'move') yield* moveAction(play, unit, first.action, riders, 'activation');
    else yield* assaultAction(play, unit, first.action, riders);
  }
}

/** The riders that can do something for their action; of cards and markers that can't the owner hears that he keeps them. */
function useful(play: Play, unit: NormandieUnit, part: Part): Rider[] {
  const known = sideKnown(play, unit.side);
  return part.riders.filter((rider, i) => {
    if (!riderRefusal(play.book, known, unit, part.action, rider, part.riders.slice(0, i))) return true;
    if (rider.rider === 'card') keep(play, unit, rider.card);
    if (rider.rider === 'use') keep(play, unit, rider.option);
    return false;
  });
}

function* fireParts(play: Play, unit: NormandieUnit, parts: readonly Part[]): Asking<void> {
  let fired = false;
  for (const part of parts) {
    if (part.action.do !== 'fire' || !onBoard(play, unit)) continue;
    const refused = yield* fire(play, unit, part.action, useful(play, unit, part), STANDING_FIRE);
    if (refused)
      play.emit({ type: 'no-effect', audience: [unit.side], unit: unit.code, why: refused.code, rule: refused.rule });
    else fired = true;
  }
  if (fired && onBoard(play, unit)) yield* opportunity(play, unit, afterFire(unit));
}

/** 3.6: the legal target with the best chance from 50 per cent on, else suppression from 50; never a move, never markers. */
function standardDefault(play: Play, unit: NormandieUnit): FireAction | undefined {
  const { book } = play;
  const known = sideKnown(play, unit.side);
  if (unit.concealed !== null) return undefined;
  for (const suppress of [false, true]) {
    let best: { action: FireAction; chance: number } | undefined;
    for (const use of ownWeapons(book, known, unit)) {
      if (use.manner !== 'direct' && use.manner !== 'sniper') continue;
      if (suppress && !('suppressive-fire' in use.abilities)) continue;
      const [target] = legalTargets(book, known, unit, use, null, { ...PLAIN_SHOT, suppress });
      if (!target || target.chance < DEFAULT_FROM || (best && best.chance >= target.chance)) continue;
      const action: FireAction = { do: 'fire', unit: unit.code, targets: [{ target: 'unit', code: target.unit.code }] };
      if (use.label !== 'main') action.weapon = use.label.toUpperCase();
      if (suppress) action.suppress = true;
      if (actionRefusal(book, known, unit, action, [])) continue;
      best = { action, chance: target.chance };
    }
    if (best) return best.action;
  }
  return undefined;
}
