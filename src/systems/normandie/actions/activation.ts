/** Activation Phase: claims, reveals, alternation, pauses (3.2, 3.1-q to -s, 6.5-auto, 3.3). */
import { known as must } from '../../../kernel/assert.ts';
import { hasActed, holdsCard, markActivated, playCard } from '../counters/hands.ts';
import { type Asking, handOf, type Play, sideKnown } from '../counters/play.ts';
import { abilitiesOf, bothSides, enemyOf, findUnit, ownCode } from '../counters/units.ts';
import type { NormandieSide } from '../data.ts';
import { onBoard } from '../fight/effects.ts';
import { unitNamed } from '../fight/odds.ts';
import type { ClaimOrder, Clause } from '../language.ts';
import type { ActivationState, NormandieUnit } from '../types.ts';
import { holds } from './conditions.ts';
import { activate } from './script.ts';
import { updateHolders } from './victory.ts';

export function beginActivation(play: Play): void {
  play.table.activation = {
    next: play.table.initiative,
    shown: { us: 0, ge: 0 },
    done: 0,
    taken: null,
  };
}

/** Runs until everything is used (true) or a pause falls due (false). */
export function* runActivation(play: Play): Asking<boolean> {
  const state = must(play.table.activation, 'no Activation Phase');
  for (;;) {
    if (play.table.ended) return true;
    const acted = yield* nextActivation(play, state);
    if (!acted) return true;
    state.done++;
    updateHolders(play);
    if (pauseDue(play, state) && moreToCome(play, state)) {
      play.emit({ type: 'paused', audience: 'all', after: state.done });
      return false;
    }
  }
}

/** One activation: a claim, else the next number, else what is left over. False when nothing is left. */
function* nextActivation(play: Play, state: ActivationState): Asking<boolean> {
  for (const side of bothSides(play.table.initiative)) if (takesInitiative(play, state, side)) break;
  if (state.taken === null) {
    for (const rank of ['autonomous', 'special'] as const)
      for (const side of bothSides(play.table.initiative))
        if (yield* claim(play, state, side, rank, false)) return true;
  }
  const side = state.taken ?? (numbersLeft(play, state, state.next) > 0 ? state.next : enemyOf(state.next));
  if (numbersLeft(play, state, side) > 0) {
    yield* reveal(play, state, side);
    if (state.taken !== null) state.taken = null;
    else state.next = enemyOf(side);
    return true;
  }
  state.taken = null;
  for (const rank of ['special', 'autonomous'] as const)
    for (const each of bothSides(play.table.initiative)) if (yield* claim(play, state, each, rank, true)) return true;
  return false;
}

function numbersLeft(play: Play, state: ActivationState, side: NormandieSide): number {
  return play.table.tokens[side].numbered - state.shown[side];
}

function moreToCome(play: Play, state: ActivationState): boolean {
  const numbers = numbersLeft(play, state, 'us') + numbersLeft(play, state, 'ge');
  const others = bothSides('us').some((side) => specials(play, side).length + autonomous(play, side).length > 0);
  return numbers > 0 || others;
}

/** The Initiative card: instead of the enemy's next reveal its owner reveals his next number (never over a Special). */
function takesInitiative(play: Play, state: ActivationState, side: NormandieSide): boolean {
  const onTurn = numbersLeft(play, state, state.next) > 0 ? state.next : enemyOf(state.next);
  if (side === onTurn || state.taken !== null || numbersLeft(play, state, side) === 0) return false;
  if (!holdsCard(play, side, 'initiative')) return false;
  const order = claimsOf(play, side).find((each) => each.what === 'initiative' && wants(play, side, each));
  if (!order) return false;
  const { plan } = handOf(play, side);
  plan.claims = plan.claims.filter((each) => each !== order);
  playCard(play, side, 'initiative', 'event', null);
  play.emit({ type: 'claimed', audience: 'all', side, what: 'initiative', rule: '4.2-initiative' });
  state.taken = side;
  return true;
}

function claimsOf(play: Play, side: NormandieSide): ClaimOrder[] {
  return handOf(play, side).plan.claims;
}

function wants(play: Play, side: NormandieSide, order: ClaimOrder): boolean {
  return holds(play.book, sideKnown(play, side), side, order.when);
}

/** Units that hold an unplayed Special token, in the order of their codes. */
function specials(play: Play, side: NormandieSide): NormandieUnit[] {
  const { tokens } = handOf(play, side);
  return Object.keys(tokens)
    .filter((code) => tokens[code] === 'special')
    .sort((a, b) => (a < b ? -1 : 1))
    .flatMap((code) => findUnit(play.table, code) ?? [])
    .filter((unit) => unit.token === 'back');
}

/** Autonomous units that have not acted and hold no number (6.5-auto-a). */
function autonomous(play: Play, side: NormandieSide): NormandieUnit[] {
  return play.table.units.filter(
    (unit) =>
      unit.side === side &&
      !hasActed(unit) &&
      (unit.token === null || handOf(play, side).tokens[unit.code] === 'bluff') &&
      'autonomous' in abilitiesOf(play.book, play.known, unit),
  );
}

/** A Special token or Autonomous unit acts when its owner's claim holds, at the end without one (`last`). */
function* claim(
  play: Play,
  state: ActivationState,
  side: NormandieSide,
  rank: 'autonomous' | 'special',
  last: boolean,
): Asking<boolean> {
  const candidates = rank === 'special' ? specials(play, side) : autonomous(play, side);
  for (const unit of candidates) {
    const orders = claimsOf(play, side).filter((order) =>
      rank === 'special'
        ? order.what === 'special'
        : typeof order.what === 'object' && unitNamed(play.known, side, order.what.unit) === unit,
    );
    const early = rank === 'special' && orders.length === 0 && enemyOut(play, state, side);
    if (!last && !early && !orders.some((order) => wants(play, side, order))) continue;
    const name = ownCode(play.known, unit);
    play.emit({
      type: 'revealed',
      audience: 'all',
      side,
      token: rank,
      unit: unit.code,
      void: false,
      rule: rank === 'special' ? '3.1-q' : '6.5-auto-a',
    });
    if (rank === 'special') {
      const index = handOf(play, side).plan.scripts.filter((script) => 'special' in script.on).length;
      delete handOf(play, side).tokens[unit.code];
      unit.token = 'special';
      yield* activate(
        play,
        side,
        unit,
        'special',
        scriptsFor(play, side, name, { special: index === 1 ? null : name }),
      );
    } else {
      markActivated(play, unit);
      yield* activate(play, side, unit, 'autonomous', scriptsFor(play, side, name, {}));
    }
    return true;
  }
  return false;
}

/** Special not claimed: before the own first unshown number once the enemy has none left (3.6). */
function enemyOut(play: Play, state: ActivationState, side: NormandieSide): boolean {
  return numbersLeft(play, state, enemyOf(side)) === 0;
}

/** Turns up the next number; void if its unit is lost or has acted (3.2-f). */
function* reveal(play: Play, state: ActivationState, side: NormandieSide): Asking<void> {
  const n = ++state.shown[side];
  const hand = handOf(play, side);
  const code = Object.keys(hand.tokens).find((each) => hand.tokens[each] === n);
  const unit = code === undefined ? undefined : findUnit(play.table, code);
  if (!unit || code === undefined) {
    play.emit({ type: 'revealed', audience: 'all', side, token: n, unit: null, void: true, rule: '3.2-f' });
    return;
  }
  delete hand.tokens[code];
  unit.token = n;
  play.emit({ type: 'revealed', audience: 'all', side, token: n, unit: unit.code, void: false, rule: '3.2-b' });
  yield* activate(play, side, unit, `${n}`, scriptsFor(play, side, ownCode(play.known, unit), { n }));
  if (onBoard(play, unit)) unit.token = n;
}

/** The token's script, then the unit's own. */
function scriptsFor(
  play: Play,
  side: NormandieSide,
  name: string,
  key: { n?: number; special?: string | null },
): (readonly Clause[])[] {
  const { scripts } = handOf(play, side).plan;
  const found: (readonly Clause[])[] = [];
  for (const script of scripts) {
    const on = script.on;
    if (key.n !== undefined && 'n' in on && on.n === key.n) found.push(script.clauses);
    if (key.special !== undefined && 'special' in on && servesSpecial(script.clauses, key.special))
      found.push(script.clauses);
  }
  for (const script of scripts) if ('unit' in script.on && script.on.unit === name) found.push(script.clauses);
  return found;
}

/** With one Special script it serves whatever unit; with two, the one that names the unit. */
function servesSpecial(clauses: readonly Clause[], name: string | null): boolean {
  if (name === null) return true;
  return clauses.some((clause) => clause.parts.some((part) => part.action.do !== 'hold' && part.action.unit === name));
}

/** PAUSE AFTER n: when both sides' tokens n are through; in a live game after every activation (3.2). */
function pauseDue(play: Play, state: ActivationState): boolean {
  if (play.table.mode === 'live') return true;
  for (const side of bothSides('us')) {
    const { plan } = handOf(play, side);
    const after = plan.pauseAfter;
    if (after === null) continue;
    const through = bothSides('us').every(
      (each) => state.shown[each] >= Math.min(after, play.table.tokens[each].numbered),
    );
    if (!through) continue;
    plan.pauseAfter = null;
    return true;
  }
  return false;
}
