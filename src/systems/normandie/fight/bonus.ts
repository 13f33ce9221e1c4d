/** Alternate Bonuses and gear spent on an action, declared before any die (4.2-i to -o, 7.2-d, 7.2-e; window W2). */
import { known as must } from '../../../kernel/assert.ts';
import type { Book } from '../content/opened.ts';
import { gearFor, gearRefusal, MARKERS_MAX, spend } from '../counters/gear.ts';
import { holdsCard, playCard } from '../counters/hands.ts';
import { type Asking, ask, handOf, type Play, wantsAsking } from '../counters/play.ts';
import type { BonusType, NormandieSide, RollPurpose } from '../data.ts';
import type { Term } from '../events.ts';
import type { Rider } from '../language.ts';
import type { Known, NormandieUnit, Offered } from '../types.ts';

/** What an action has been given; one type of bonus for the whole action, its rolls included (4.2-j). */
export interface Boost {
  type: BonusType | null;
  terms: Term[];
  /** Events played on it: `aim`, `burst`, `surprise`. */
  events: string[];
}

export function noBoost(): Boost {
  return { type: null, terms: [], events: [] };
}

/** Events that may be played on an action by order: which action they serve. */
const EVENTS: Record<string, BonusType> = { aim: 'fire', burst: 'move', surprise: 'move' };

/** Why a card can't be used on an action: not in hand, wrong type of bonus, a type already chosen (4.2-j). */
function bonusRefusal(
  play: Play,
  unit: NormandieUnit,
  card: string,
  action: BonusType,
  boost: Boost,
): string | undefined {
  if (!holdsCard(play, unit.side, card)) return 'CARD NOT IN HAND';
  const { bonus } = must(play.book.cards.get(card), `no card ${card}`);
  if (bonus.type !== action && bonus.type !== 'any') return 'WRONG BONUS';
  if (bonus.type === 'any' && action === 'move') return 'WRONG BONUS';
  return boost.type !== null && boost.type !== bonus.type ? 'BONUS TYPES MIXED' : undefined;
}

/** The bonuses of an action that serve one die roll alone (4.2-o), and those that serve all of it. */
export function partedTerms(terms: readonly Term[]): { once: Term[]; all: Term[] } {
  const isOnce = (term: Term): boolean => term.what === 'any-card';
  return { once: terms.filter(isOnce), all: terms.filter((term) => !isOnce(term)) };
}

/** Rolls that are part of a Firing Action's attack. */
const ACTION_OF: Partial<Record<RollPurpose, string>> = { suppress: 'fire', sniper: 'fire' };

/**
 * Cards for any die roll, before a roll that no action's bonus covers: location, scatter, destruction, a mine, the further
 * rolls of an action, any roll made again (4.2-o). Whoever rolls is asked until he passes; the type is that of the action.
 */
export function* rollBonus(
  play: Play,
  roll: { side: NormandieSide; unit: string; target: string | null; purpose: RollPurpose },
  context: string,
): Asking<Term[]> {
  const { side } = roll;
  const terms: Term[] = [];
  const before = play.boosted.get(roll.unit) ?? null;
  if (before !== null && before !== 'any') return terms;
  for (;;) {
    const of: Record<string, Offered> = {};
    for (const card of [...new Set(handOf(play, side).cards)].sort((a, b) => (a < b ? -1 : 1)))
      if (play.book.cards.get(card)?.bonus.type === 'any')
        of[`${card} BONUS`] = { is: 'card', card, use: 'bonus', at: null };
    const chosen = yield* ask(play, {
      id: `bonus on ${context}`,
      to: side,
      kind: 'bonus',
      options: ['PASS', ...Object.keys(of)],
      of,
      fallback: 'PASS',
      params: {
        unit: roll.unit,
        action: ACTION_OF[roll.purpose] ?? roll.purpose,
        target: roll.target ?? '',
        roll: roll.purpose,
      },
      rule: '4.2-o',
      always: wantsAsking(play, side, 'CARD') && play.table.cards[side].hand > 0,
    });
    const taken = of[chosen];
    if (taken?.is !== 'card') return terms;
    playCard(play, side, taken.card, 'bonus', roll.unit);
    play.boosted.set(roll.unit, 'any');
    const { bonus } = must(play.book.cards.get(taken.card), `no card ${taken.card}`);
    terms.push({ what: 'any-card', n: bonus.value, of: taken.card, rule: '4.2-o' });
  }
}

/**
 * What the riders of a Firing Action at infantry add to its value, as far as cards and markers are there: the value that a
 * Machine Gunner splits holds it already (6.2-mg-e, 8.2).
 */
export function plannedFire(book: Book, known: Known, unit: NormandieUnit, riders: readonly Rider[]): Term[] {
  const terms: Term[] = cardTerms(book, known, unit, riders, ['fire']);
  for (const rider of riders) {
    const help = rider.rider === 'use' ? HELPS[rider.option] : undefined;
    if (rider.rider !== 'use' || help?.action !== 'fire') continue;
    const n = Math.min(rider.n, help.most);
    if (gearRefusal(book, known, unit, rider.option, n) === undefined)
      terms.push({ what: rider.option, n: n * help.each, of: rider.option, rule: help.rule });
  }
  return terms;
}

/** What the riders of a Movement Action add to the Movement Value, as far as the cards are in hand (4.2-i, 4.2-n). */
export function plannedMove(book: Book, known: Known, unit: NormandieUnit, riders: readonly Rider[]): number {
  return cardTerms(book, known, unit, riders, ['move']).reduce((sum, term) => sum + term.n, 0);
}

function cardTerms(
  book: Book,
  known: Known,
  unit: NormandieUnit,
  riders: readonly Rider[],
  types: readonly BonusType[],
): Term[] {
  const left = [...(known.hands[unit.side]?.cards ?? [])];
  const terms: Term[] = [];
  for (const rider of riders) {
    if (rider.rider !== 'card' || rider.as !== 'bonus' || !left.includes(rider.card)) continue;
    const bonus = book.cards.get(rider.card)?.bonus;
    if (!bonus || !types.includes(bonus.type)) continue;
    left.splice(left.indexOf(rider.card), 1);
    terms.push({ what: bonus.type === 'any' ? 'any-card' : 'card', n: bonus.value, of: rider.card, rule: '4.2-i' });
  }
  return terms;
}

/** Would a card do nothing for the action as it is now? Then it is neither offered nor spent (4.2-i). */
export type Vain = (card: string, as: 'event' | 'bonus', boost: Boost) => boolean;

/**
 * Spends the cards of the riders on an action, then asks for more (W2) unless `more` says no (a value already split).
 * What would be in vain is kept, and its owner told; events that serve another part of the action are left.
 */
export function* playBonuses(
  play: Play,
  unit: NormandieUnit,
  action: BonusType,
  riders: readonly Rider[],
  boost: Boost,
  target: string,
  more = true,
  vain: Vain = () => false,
): Asking<void> {
  for (const rider of riders) {
    if (rider.rider !== 'card') continue;
    if (serves(play, rider, action) && vain(rider.card, rider.as, boost)) keep(play, unit, rider.card);
    else if (rider.as === 'event') playEvent(play, unit, rider.card, action, boost);
    else if (serves(play, rider, action)) {
      const why = bonusRefusal(play, unit, rider.card, action, boost);
      if (why === undefined) addBonus(play, unit, rider.card, boost);
      else play.emit({ type: 'no-effect', audience: [unit.side], unit: unit.code, why, rule: '4.2-j' });
    }
  }
  while (more) {
    const cards = [...new Set(handOf(play, unit.side).cards)].sort((a, b) => (a < b ? -1 : 1));
    const of: Record<string, Offered> = {};
    for (const card of cards) {
      if (bonusRefusal(play, unit, card, action, boost) === undefined && !vain(card, 'bonus', boost))
        of[`${card} BONUS`] = { is: 'card', card, use: 'bonus', at: null };
      if (card === 'aim' && action === 'fire' && !boost.events.includes(card) && !vain(card, 'event', boost))
        of[`${card} EVENT`] = { is: 'card', card, use: 'event', at: null };
    }
    const chosen = yield* ask(play, {
      id: `bonus ${action} of ${unit.code} ${target}`,
      to: unit.side,
      kind: 'bonus',
      options: ['PASS', ...Object.keys(of)],
      of,
      fallback: 'PASS',
      params: { unit: unit.code, action, target },
      rule: '4.2-k',
      always: wantsAsking(play, unit.side, 'CARD') && play.table.cards[unit.side].hand > 0,
    });
    const taken = of[chosen];
    if (taken?.is !== 'card') return;
    if (taken.use === 'event') playEvent(play, unit, taken.card, action, boost);
    else addBonus(play, unit, taken.card, boost);
  }
}

function serves(play: Play, rider: Extract<Rider, { rider: 'card' }>, action: BonusType): boolean {
  if (rider.as === 'event') return EVENTS[rider.card] === action;
  const type = play.book.cards.get(rider.card)?.bonus.type;
  return type === action || (type === 'any' && action !== 'move');
}

/** Tells the owner that a card or marker of his order was not spent, since it would have done nothing. */
export function keep(play: Play, unit: NormandieUnit, what: string): void {
  play.emit({ type: 'kept', audience: [unit.side], side: unit.side, unit: unit.code, what });
}

function addBonus(play: Play, unit: NormandieUnit, card: string, boost: Boost): void {
  const { bonus } = must(play.book.cards.get(card), `no card ${card}`);
  playCard(play, unit.side, card, 'bonus', unit.code);
  boost.type = bonus.type;
  play.boosted.set(unit.code, bonus.type);
  boost.terms.push({ what: bonus.type === 'any' ? 'any-card' : 'card', n: bonus.value, of: card, rule: '4.2-i' });
}

function playEvent(play: Play, unit: NormandieUnit, card: string, action: BonusType, boost: Boost): void {
  const serves = EVENTS[card];
  if (serves !== action || !holdsCard(play, unit.side, card)) return;
  playCard(play, unit.side, card, 'event', unit.code);
  boost.events.push(card);
}

/** Gear that helps an action without being one: Ammo in fire at infantry, the Knife in an assault. */
export const HELPS: Record<string, { action: 'fire' | 'assault'; each: number; most: number; rule: string }> = {
  ammo: { action: 'fire', each: 1, most: MARKERS_MAX, rule: '7.2-ammo' },
  knife: { action: 'assault', each: 2, most: 1, rule: '7.5-knife' },
};

/** Spends markers named by riders, or asks doctrine for each gear that could help (7.2-d). */
export function* useGear(
  play: Play,
  unit: NormandieUnit,
  action: 'fire' | 'assault',
  riders: readonly Rider[],
  boost: Boost,
  atInfantry: boolean,
  more = true,
): Asking<void> {
  for (const [option, help] of Object.entries(HELPS)) {
    if (help.action !== action) continue;
    const named = riders.some((rider) => rider.rider === 'use' && rider.option === option);
    if (option === 'ammo' && !atInfantry) {
      if (named) keep(play, unit, option);
      continue;
    }
    const gear = gearFor(play.book, play.known, unit, option);
    if (!gear) continue;
    const ordered = riders.find((rider) => rider.rider === 'use' && rider.option === option);
    let n = ordered?.rider === 'use' ? Math.min(ordered.n, help.most) : 0;
    if (!ordered && more) {
      const most = Math.min(help.most, gear.left ?? help.most);
      const of: Record<string, Offered> = {};
      for (let count = 1; count <= most; count++) of[`${option} ${count}`] = { is: 'gear', option, n: count };
      const chosen = yield* ask(play, {
        id: `gear ${option} of ${unit.code}`,
        to: unit.side,
        kind: 'gear',
        options: ['NONE', ...Object.keys(of)],
        of,
        fallback: 'NONE',
        params: { unit: unit.code, option, action },
        rule: '7.2-d',
      });
      const taken = of[chosen];
      n = taken?.is === 'gear' ? taken.n : 0;
    }
    if (n === 0 || gearRefusal(play.book, play.known, unit, option, n) !== undefined) continue;
    spend(play, unit, gear, n);
    boost.terms.push({ what: option, n: n * help.each, of: option, rule: help.rule });
  }
}
