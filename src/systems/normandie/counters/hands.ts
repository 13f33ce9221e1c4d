/** Cards and tokens in a hand: playing, discarding, losing. */

import type { NormandieSide } from '../data.ts';
import type { NormandieUnit, State } from '../types.ts';
import { handOf, type Play } from './play.ts';

export function holdsCard(play: Play, side: NormandieSide, card: string): boolean {
  return handOf(play, side).cards.includes(card);
}

/** Plays a card from the hand face up (4.2-g) and tells everybody. */
export function playCard(
  play: Play,
  side: NormandieSide,
  card: string,
  use: 'event' | 'bonus',
  on: string | null,
): void {
  const { cards } = handOf(play, side);
  cards.splice(cards.indexOf(card), 1);
  play.table.cards[side].played.push(card);
  countCards(play.draft, side);
  play.emit({ type: 'card', audience: 'all', side, card, use, on, rule: '4.2-g' });
}

/** Takes an unplayed token off a unit: a number is still shown when it comes up (3.2-f). */
export function dropToken(play: Play, unit: NormandieUnit): void {
  if (unit.token !== 'back') return;
  const hand = handOf(play, unit.side);
  const token = hand.tokens[unit.code];
  delete hand.tokens[unit.code];
  unit.token = null;
  if (typeof token === 'number') hand.voided.push(token);
}

/** Puts an Activated Marker on a unit, which loses its token unrevealed (4.1-e, 4.1-f). */
export function markActivated(play: Play, unit: NormandieUnit): void {
  dropToken(play, unit);
  unit.activated = true;
  play.emit({ type: 'activated', audience: 'all', unit: unit.code, rule: '4.1-e' });
}

/** Has it acted already, by a token shown or a marker (8.3-a)? */
export function hasActed(unit: NormandieUnit): boolean {
  return unit.activated || (unit.token !== null && unit.token !== 'back' && unit.token !== 'bluff');
}

/** Brings the public numbers of a side's cards up to date. */
export function countCards(draft: State, side: NormandieSide): void {
  const counts = draft.table.cards[side];
  counts.hand = draft.hands[side]!.cards.length;
  counts.deck = draft.cup.decks[side].length;
  counts.discarded = draft.hands[side]!.discards.length;
}
