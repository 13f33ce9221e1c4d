/** Supply Phase, steps 1 to 8 (3.3, 8.1-e): never any fire or assault. */

import { holds } from '../actions/conditions.ts';
import { moveAction } from '../actions/movement.ts';
import { moveRefusal } from '../actions/plan.ts';
import { checkEnd, scoreTurn, updateHolders } from '../actions/victory.ts';
import type { Book } from '../content/opened.ts';
import { countCards, hasActed } from '../counters/hands.ts';
import { type Asking, ask, handOf, type Play, sideKnown, wantsAsking } from '../counters/play.ts';
import { hide } from '../counters/states.ts';
import { bothSides, classOf, enemyOf, findUnit } from '../counters/units.ts';
import type { NormandieSide } from '../data.ts';
import type { Term } from '../events.ts';
import { chanceOf, defenseTerms, plainDefense, resultOf, withDice } from '../fight/attack.ts';
import { destroy, hit, onBoard } from '../fight/effects.ts';
import { unitNamed } from '../fight/odds.ts';
import { rollDice } from '../fight/rolls.ts';
import type { ConcealOrder, MoveAction, SupplyOrder } from '../language.ts';
import { never, type Refusal, refuse } from '../refusal.ts';
import type { Bomb, Known, NormandieUnit } from '../types.ts';
import { playPhaseCards } from './phasecards.ts';
import { emptyPlan, ordersOptions } from './setup.ts';

/** All eight steps; the plan of both hands holds what was ordered. */
export function* supply(play: Play, conceals: Record<NormandieSide, ConcealOrder[]>): Asking<void> {
  const { table } = play;
  table.activation = null;
  table.smoke = [];
  yield* playPhaseCards(play, 'supply-start');
  for (const side of bothSides(table.initiative)) for (const order of conceals[side]) concealUnit(play, side, order);
  dropBluffs(play);
  for (const side of bothSides(table.initiative)) {
    yield* supplyMoves(play, side);
    rally(play, side);
    updateHolders(play);
  }
  yield* explodeBombs(play);
  clearTurn(play);
  for (const side of bothSides(table.initiative)) yield* refill(play, side);
  updateHolders(play);
  scoreTurn(play);
  checkEnd(play);
  table.initiative = enemyOf(table.initiative);
}

/** Step 2: Bluff tokens are turned up and dropped, so their units may move (3.3-e). */
function dropBluffs(play: Play): void {
  for (const side of bothSides(play.table.initiative)) {
    const { tokens } = handOf(play, side);
    const units = Object.keys(tokens)
      .filter((code) => tokens[code] === 'bluff')
      .sort((a, b) => (a < b ? -1 : 1));
    for (const code of units) {
      delete tokens[code];
      const unit = findUnit(play.table, code);
      if (unit) unit.token = null;
    }
    if (units.length > 0) play.emit({ type: 'bluffs', audience: 'all', side, units, rule: '3.3-e' });
  }
}

/** Why a unit may not move in the Supply Phase (3.3-a, 4.1-h, 8.1-d). `tokens`: those of its owner, if one may look. */
export function supplyRefusal(known: Known, unit: NormandieUnit): Refusal | undefined {
  const token = known.hands[unit.side]?.tokens[unit.code];
  const bluff = token === 'bluff';
  if (hasActed(unit) || (unit.token === 'back' && !bluff)) return never('HAS ACTED', '3.3-a', { unit: unit.code });
  return undefined;
}

/** The move that a supply order means now: the first path if its condition holds and it is legal as a whole, else the other. */
export function supplyMove(
  book: Book,
  known: Known,
  side: NormandieSide,
  unit: NormandieUnit,
  order: SupplyOrder,
): { move: MoveAction | undefined; refusal: Refusal | undefined } {
  const refused = supplyRefusal(known, unit);
  if (refused) return { move: undefined, refusal: refused };
  const wanted = !order.when || holds(book, known, side, order.when);
  const { riders } = order;
  const first = wanted ? moveRefusal(book, known, unit, order.move, 'supply', riders) : undefined;
  if (first && !first.refusal) return { move: order.move, refusal: undefined };
  if (order.otherwise) {
    const move: MoveAction = { ...order.move, steps: order.otherwise };
    const second = moveRefusal(book, known, unit, move, 'supply', riders);
    if (!second.refusal || second.steps > 0) return { move, refusal: undefined };
  }
  if (first && first.steps > 0) return { move: order.move, refusal: undefined };
  return { move: undefined, refusal: first?.refusal ?? refuse('CONDITION', '3.3-f', { unit: unit.code }) };
}

/** Step 3a: one Movement Action each, as written (3.3-f). */
function* supplyMoves(play: Play, side: NormandieSide): Asking<void> {
  const moved = new Set<NormandieUnit>();
  const { plan } = handOf(play, side);
  if (play.nmr.includes(side) && plan.supply.length === 0)
    play.emit({ type: 'defaulted', audience: [side], side, what: 'supply', filed: false, units: [] });
  for (const order of plan.supply) {
    const unit = unitNamed(play.known, side, order.move.unit);
    const why = (code: string): void =>
      play.emit({
        type: 'order-lost',
        audience: [side],
        side,
        line: order.line,
        text: `SUPPLY MOVE ${order.move.unit}`,
        why: code,
      });
    if (!unit || unit.side !== side) {
      why('NOT ON THE BOARD');
      continue;
    }
    if (moved.has(unit)) {
      why('MOVED ALREADY');
      continue;
    }
    const { move, refusal } = supplyMove(play.book, sideKnown(play, side), side, unit, order);
    if (!move) {
      why(refusal?.code ?? 'CONDITION');
      continue;
    }
    moved.add(unit);
    yield* moveAction(play, unit, move, order.riders ?? [], 'supply');
  }
}

/** Step 3b: exactly one Suppressed Marker off each unit that has any (3.3-g). */
function rally(play: Play, side: NormandieSide): void {
  for (const unit of play.table.units) {
    if (unit.side !== side || unit.suppressed === 0) continue;
    unit.suppressed--;
    play.emit({ type: 'rallied', audience: 'all', unit: unit.code, left: unit.suppressed, rule: '3.3-g' });
  }
}

/** Why a Concealed marker can't be put on a unit now (7.4-concealed-a, -b). */
export function concealRefusal(
  book: Book,
  known: Known,
  side: NormandieSide,
  code: string,
  letter: string,
): Refusal | undefined {
  const unit = unitNamed(known, side, code);
  const params = { unit: code, letter };
  if (!unit || unit.side !== side) return never('NO SUCH UNIT', '7.4-concealed-b', params);
  if (ordersOptions(known.table, side, 'concealed') === 0 || !['A', 'B'].includes(letter))
    return never('NO CONCEALED MARKER', '7.4-concealed-a', params);
  if (classOf(book, unit) !== 'inf') return never('INFANTRY ONLY', '7.4-concealed-a', params);
  if (unit.concealed !== null || unit.aboard !== null) return refuse('CONCEALED', '7.4-concealed-b', params);
  if (findUnit(known.table, `${side.toUpperCase()}?${letter}`))
    return refuse('MARKER IN USE', '7.4-concealed-e', params);
  return undefined;
}

/** A lettered marker takes the place of a unit (7.4-concealed-c). */
function concealUnit(play: Play, side: NormandieSide, order: ConcealOrder): void {
  const refusal = concealRefusal(play.book, play.known, side, order.unit, order.letter);
  const unit = unitNamed(play.known, side, order.unit);
  if (refusal || !unit) {
    play.emit({
      type: 'order-lost',
      audience: [side],
      side,
      line: order.line,
      text: `CONCEAL ${order.unit}`,
      why: refusal?.code ?? 'NO SUCH UNIT',
    });
    return;
  }
  hide(play, unit, 'marker', order.letter);
}

/** Step 5: charges placed this turn go off against their one target (7.2-sticky-b). */
function* explodeBombs(play: Play): Asking<void> {
  const bombs = play.table.bombs;
  play.table.bombs = [];
  for (const bomb of bombs) {
    const target = findUnit(play.table, bomb.target);
    if (!target) continue;
    play.emit({ type: 'exploded', audience: 'all', target: target.code, option: bomb.option, rule: '7.2-sticky-b' });
    yield* explode(play, bomb, target);
  }
}

function* explode(play: Play, bomb: Bomb, target: NormandieUnit): Asking<void> {
  const { book, known } = play;
  const value = book.options.get(bomb.option)?.cv?.[classOf(book, target)];
  if (value === undefined || value === 'X') return;
  const terms: Term[] = [{ what: 'value', n: value, of: bomb.option, rule: '7.2-sticky-a' }];
  const defense = defenseTerms(book, known, target, plainDefense(book, known, target), null, false);
  const judge = (dice: readonly number[], more: readonly Term[]) => {
    const { total, need } = withDice(dice, [...terms, ...more], defense);
    return { total, need, result: resultOf(total, need, false) };
  };
  play.boosted.delete(bomb.by);
  const context = `${bomb.option} of ${bomb.by} on ${target.code}`;
  const { dice, more } = yield* rollDice(play, {
    side: enemyOf(target.side),
    unit: bomb.by,
    target: target.code,
    purpose: 'fire',
    context,
    count: 1,
    judge,
    chance: chanceOf(terms, judge([1], []).need, 1),
  });
  const { result } = judge(dice, more);
  play.emit({
    type: 'shot',
    audience: 'all',
    unit: bomb.by,
    target: target.code,
    weapon: bomb.option,
    purpose: 'fire',
    sum: withDice(dice, [...terms, ...more], defense),
    result: result.effect,
    n: 0,
    range: 0,
    rule: '7.2-sticky-b',
  });
  if (!onBoard(play, target)) return;
  if (result.effect === 'destroyed') yield* destroy(play, target, null, 'bomb');
  else if (result.effect === 'hit') yield* hit(play, target, null, false, context);
}

/** Step 6: all tokens and Activated Markers go (3.3-j). */
function clearTurn(play: Play): void {
  for (const side of bothSides('us')) {
    const hand = handOf(play, side);
    hand.tokens = {};
    hand.voided = [];
  }
  for (const unit of play.table.units) {
    unit.token = null;
    unit.activated = false;
    unit.fired = [];
  }
  play.table.fury = [];
}

/** Step 7: discards face down, then up to the hand size; Improvisation draws one more and discards one (3.3-k, 7.4). */
function* refill(play: Play, side: NormandieSide): Asking<void> {
  const hand = handOf(play, side);
  const out: string[] = [];
  for (const card of hand.plan.discards ?? []) {
    const at = hand.cards.indexOf(card);
    if (at >= 0) out.push(...hand.cards.splice(at, 1));
  }
  hand.discards.push(...out);
  const size = play.table.cards[side].size;
  const extra = ordersOptions(play.table, side, 'improvisation') > 0 ? 1 : 0;
  const drawn: string[] = [];
  while (hand.cards.length < size + extra) {
    const card = draw(play, side);
    if (card === undefined) break;
    hand.cards.push(card);
    drawn.push(card);
  }
  if (hand.cards.length > size) {
    const options = [...new Set(hand.cards)];
    const chosen = yield* ask(play, {
      id: `improvisation ${side}`,
      to: side,
      kind: 'card',
      options,
      fallback: hand.cards.at(-1)!,
      rule: '7.4-improvisation',
      params: { side },
      always: wantsAsking(play, side, 'CARD'),
    });
    hand.cards.splice(hand.cards.lastIndexOf(chosen), 1);
    hand.discards.push(chosen);
    out.push(chosen);
  }
  countCards(play.draft, side);
  play.emit({ type: 'drew', audience: 'all', side, n: drawn.length, discarded: out.length, rule: '3.3-k' });
  play.emit({ type: 'drew-cards', audience: [side], side, cards: drawn, discarded: out, rule: '3.3-k' });
  hand.plan = emptyPlan();
}

/** The top card; an empty deck is made anew of everything played and discarded. */
function draw(play: Play, side: NormandieSide): string | undefined {
  const deck = play.draft.cup.decks[side];
  if (deck.length === 0) {
    const hand = handOf(play, side);
    const counts = play.table.cards[side];
    const old = [...counts.played, ...hand.discards].sort((a, b) => (a < b ? -1 : 1));
    counts.played = [];
    hand.discards = [];
    deck.push(...play.shuffle(`${side.toUpperCase()} deck again`, old));
  }
  return deck.shift();
}
