/** A Movement Action on paper: how far its way goes as the board stands, and which cards it asks for (3.2.1, 4.2-n). */

import type { Book } from '../content/opened.ts';
import { gearFor } from '../counters/gear.ts';
import { flipTarget } from '../counters/states.ts';
import { abilitiesOf, printedMove, SUPPRESSED_PENALTY } from '../counters/units.ts';
import { plannedMove, type Vain } from '../fight/bonus.ts';
import { legalPrefix, startWalk, type Walk, type WalkRules } from '../ground/walk.ts';
import type { MoveAction, Rider } from '../language.ts';
import { never, type Refusal, refuse } from '../refusal.ts';
import type { Known, NormandieUnit } from '../types.ts';

export type MoveKind = 'activation' | 'supply' | 'scout';

/** The unit as it would be with its other side up: for checks before a flip. */
export function flipped(book: Book, known: Known, unit: NormandieUnit): NormandieUnit | Refusal {
  const face = flipTarget(book, known, unit);
  if (typeof face !== 'string') return face;
  const type = unit.type ?? known.hands[unit.side]?.identities[unit.code]?.type ?? null;
  return { ...unit, type, face, concealed: null };
}

/** What a Movement Action allows: Movement Value in view now, bonuses, no bonus with X (3.2.1-x-b), scout squares. */
export function rulesFor(
  book: Book,
  known: Known,
  unit: NormandieUnit,
  kind: MoveKind,
  bonus: number,
  riders: readonly Rider[] = [],
): WalkRules {
  const printed = printedMove(book, known, unit);
  const value = printed === 'X' ? 0 : Math.max(0, printed + bonus - SUPPRESSED_PENALTY * unit.suppressed);
  const scout = kind === 'scout' ? (abilitiesOf(book, known, unit).scout ?? 0) : null;
  const cutters = riders.reduce(
    (sum, rider) => sum + (rider.rider === 'use' && rider.option === 'culin' ? rider.n : 0),
    0,
  );
  const gear = cutters > 0 ? gearFor(book, known, unit, 'culin') : undefined;
  return {
    budget: scout ?? value,
    scout: kind === 'scout',
    windows: 0,
    cutters: Math.min(cutters, gear?.left ?? 0),
  };
}

/** Why a Movement Action can't even begin. `wholePath`: also why it can't be carried through as the board stands. */
export function moveRefusal(
  book: Book,
  known: Known,
  unit: NormandieUnit,
  action: MoveAction,
  kind: MoveKind,
  riders: readonly Rider[] = [],
): MovePlan {
  const stop = (refusal: Refusal): MovePlan => ({ refusal, steps: 0, end: undefined, mover: unit });
  if (unit.damage.includes('2')) return stop(never('TRACKS DESTROYED', '3.2.3-dmg-2', { unit: unit.code }));
  if (action.face !== undefined && unit.rear !== null && action.face !== unit.facing)
    return stop(refuse('PIVOT INSTEAD', '3.2.1-veh2-e', { unit: unit.code }));
  let mover = unit;
  if (action.flip === 'end' && action.steps.length > 0 && isCrewAboard(book, known, unit))
    return stop(never('ONE CHANGE OF STATE', '6.1-a', { unit: unit.code }));
  if (action.flip !== undefined) {
    const turned = flipped(book, known, unit);
    if ('code' in turned && !('at' in turned)) return stop(turned);
    if (action.flip === 'start' || isCrewAboard(book, known, unit)) mover = turned as NormandieUnit;
  } else if (isCrewAboard(book, known, unit)) mover = { ...unit, face: 'inactive' };
  if (action.steps.length === 0) return { refusal: undefined, steps: 0, end: undefined, mover };
  if (printedMove(book, known, mover) === 'X' && kind !== 'scout')
    return stop(never('CANNOT MOVE', '3.2.1-x-a', { unit: unit.code }));
  const bonus = plannedMove(book, known, unit, riders);
  const rules = { ...rulesFor(book, known, mover, kind, bonus, riders), windows: windowsIn(riders) };
  return { ...legalPrefix(book, known, mover, startWalk(mover, rules), action.steps, rules), mover };
}

/** How far a path goes as the board stands. */
export interface MovePlan {
  refusal: Refusal | undefined;
  steps: number;
  /** Where the legal part ends. */
  end: Walk | undefined;
  /** The unit with the side up that it would move with. */
  mover: NormandieUnit;
}

function windowsIn(riders: readonly Rider[]): number {
  return riders.filter((rider) => rider.rider === 'card' && rider.card === 'surprise').length;
}

/** Active crew must turn over before it gets out (6.1-crew-f). */
export function isCrewAboard(book: Book, known: Known, unit: NormandieUnit): boolean {
  return unit.aboard !== null && unit.face === 'active' && 'crew' in abilitiesOf(book, known, unit);
}

/** What a way asks for, however far it is: squares of Movement Value, windows taken as doors. */
export interface Needs {
  squares: number;
  windows: number;
}

const FAR = 99;

export function needsOf(
  book: Book,
  known: Known,
  unit: NormandieUnit,
  move: MoveAction,
  kind: MoveKind,
  riders: readonly Rider[],
): Needs {
  const { mover } = moveRefusal(book, known, unit, move, kind);
  const rules = { ...rulesFor(book, known, mover, kind, 0, riders), budget: FAR, windows: FAR };
  const { end } = legalPrefix(book, known, mover, startWalk(mover, rules), move.steps, rules);
  return { squares: end.spent, windows: FAR - end.windows };
}

/** Cards that would do nothing for a Movement Action: squares nobody needs, no window on the way, nothing fired on the move. */
export function vainFor(
  book: Book,
  known: Known,
  unit: NormandieUnit,
  kind: MoveKind,
  riders: readonly Rider[],
  needs: Needs,
): Vain {
  return (card, as, boost) => {
    if (card === 'surprise' && as === 'event')
      return boost.events.filter((each) => each === card).length >= needs.windows;
    if (card === 'burst' && as === 'event') return !riders.some((rider) => rider.rider === 'fom');
    const bonus = boost.terms.reduce((sum, term) => sum + term.n, 0);
    return rulesFor(book, known, unit, kind, bonus).budget >= needs.squares;
  };
}
