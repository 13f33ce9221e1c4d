/** Order Phase: how many tokens, placing them, Sudden Death (3.1, 6.5-orders, 6.5-personal, 7.4-bluff, 7.4-planning). */
import { known as must } from '../../../kernel/assert.ts';
import type { Book } from '../content/opened.ts';
import { handOf, type Play } from '../counters/play.ts';
import { counterOf, findUnit, ownCode, tableCode } from '../counters/units.ts';
import type { NormandieSide, TokenKind } from '../data.ts';
import type { TokenOrder } from '../language.ts';
import type { Known, Member, NormandieTable, NormandieUnit } from '../types.ts';
import { ordersOptions } from './setup.ts';

/** Limits of 3.1-u, -v, -w. */
const NUMBERED_MAX = 10;
export const SPECIAL_MAX = 2;
export const BLUFF_MAX = 2;

/** Tokens a side may take: stars of units alive, filled slots of unbroken tiles, options, at most 10, 2 and 2 (3.1-c). */
export function tokensOf(
  book: Book,
  known: Known,
  side: NormandieSide,
  highCommand: number,
): NormandieTable['tokens'][NormandieSide] {
  const { table } = known;
  const stars = unitStars(book, known, side) + slotStars(book, table, side) + ordersOptions(table, side, 'planning');
  return {
    numbered: Math.min(NUMBERED_MAX, stars),
    special: Math.min(SPECIAL_MAX, ordersOptions(table, side, 'battle-plan') + highCommand),
    bluff: Math.min(BLUFF_MAX, 1 + ordersOptions(table, side, 'bluff')),
  };
}

/** Stars of officers and Personal Orders in play or safely off the board; the side in view counts. */
function unitStars(book: Book, known: Known, side: NormandieSide): number {
  let stars = 0;
  for (const member of known.table.roster) {
    if (member.side !== side || member.fate === 'lost' || member.fate === 'unplaced') continue;
    const abilities = abilitiesInView(book, known, member);
    stars += abilities.order ?? 0;
    if ('personal-order' in abilities) stars += 1;
  }
  return stars;
}

/** Without knowledge of a concealed unit's side in view, its full side is taken: officers are public by their tile. */
function abilitiesInView(book: Book, known: Known, member: Member) {
  const code = tableCode(known, member.side, member.code);
  const unit = code === undefined ? undefined : findUnit(known.table, code);
  const found = unit && counterOf(book, known, unit);
  const counter = must(book.counters.get(member.type), `no counter ${member.type}`);
  const face = found ? counter.faces[found.face] : (counter.faces.full ?? counter.faces.active);
  return face?.abilities ?? {};
}

/** An Order unlocked by a filled slot counts for the army until its tile breaks (2.1-f, R22). */
function slotStars(book: Book, table: NormandieTable, side: NormandieSide): number {
  let stars = 0;
  for (const holder of table.tiles) {
    if (holder.side !== side || holder.broken) continue;
    for (const slot of book.tiles.get(holder.tile)?.slots ?? [])
      if (slot.unlock?.what === 'order' && holder.slots[slot.id] !== undefined) stars += slot.unlock.n;
  }
  return stars;
}

/** Own units that may hold a token: on the board or aboard, in the order of their codes. */
export function bearers(known: Known, side: NormandieSide): NormandieUnit[] {
  const number = (unit: NormandieUnit): number => Number(/\d+/.exec(ownCode(known, unit))?.[0] ?? 0);
  return known.table.units.filter((unit) => unit.side === side).sort((a, b) => number(a) - number(b));
}

/** Puts a side's tokens down as ordered, the rest by default; every Personal Order unit gets one (6.5-personal-b). */
export function placeTokens(play: Play, side: NormandieSide, orders: readonly TokenOrder[]): void {
  const { table, known } = play;
  const hand = handOf(play, side);
  const allowed = table.tokens[side];
  const taken = new Map<string, TokenKind>();
  const counts = { special: 0, bluff: 0 };
  for (const order of orders) {
    const code = tableCode(known, side, order.unit);
    const unit = code === undefined ? undefined : findUnit(table, code);
    if (!unit || unit.side !== side || taken.has(unit.code)) {
      lost(play, side, order, unit ? 'TWO TOKENS' : 'NOT ON THE BOARD');
      continue;
    }
    const { token } = order;
    if (typeof token === 'number') {
      if (token < 1 || token > allowed.numbered || [...taken.values()].includes(token))
        lost(play, side, order, 'NUMBER');
      else taken.set(unit.code, token);
    } else if (counts[token] >= allowed[token]) lost(play, side, order, 'TOO MANY TOKENS');
    else {
      counts[token]++;
      taken.set(unit.code, token);
    }
  }
  if (orders.length === 0)
    play.emit({ type: 'defaulted', audience: [side], side, what: 'tokens', filed: false, units: [] });
  fillNumbers(play, side, taken);
  personalOrders(play, side, taken);
  closeGaps(taken);
  const numbered = [...taken.values()].filter((token) => typeof token === 'number').length;
  allowed.numbered = numbered;
  hand.tokens = Object.fromEntries(taken);
  hand.voided = [];
  for (const code of taken.keys()) must(findUnit(table, code), code).token = 'back';
  const backs = [...taken.keys()].sort((a, b) => (a < b ? -1 : 1));
  play.emit({ type: 'tokens', audience: 'all', side, numbered, special: allowed.special, backs, rule: '3.1-x' });
  play.emit({ type: 'own-tokens', audience: [side], side, tokens: { ...hand.tokens }, rule: '3.1-y' });
}

function lost(play: Play, side: NormandieSide, order: TokenOrder, why: string): void {
  play.emit({
    type: 'order-lost',
    audience: [side],
    side,
    line: order.line,
    text: `TOKEN ${order.token} ${order.unit}`,
    why,
  });
}

/** Numbers not assigned go to units in the order of their codes, officers last (3.6). */
function fillNumbers(play: Play, side: NormandieSide, taken: Map<string, TokenKind>): void {
  const used = new Set(taken.values());
  const officer = (unit: NormandieUnit): number =>
    counterOf(play.book, play.known, unit)?.counter.role === 'officer' ? 1 : 0;
  const free = bearers(play.known, side).filter((unit) => !taken.has(unit.code));
  free.sort((a, b) => officer(a) - officer(b));
  for (let n = 1; n <= play.table.tokens[side].numbered; n++) {
    if (used.has(n)) continue;
    const unit = free.shift();
    if (!unit) return;
    taken.set(unit.code, n);
  }
}

/** A Personal Order unit left without gets a Bluff if one is left, else the highest number of another (6.5-personal-b). */
function personalOrders(play: Play, side: NormandieSide, taken: Map<string, TokenKind>): void {
  const allowed = play.table.tokens[side];
  for (const unit of bearers(play.known, side)) {
    if (taken.has(unit.code) || !isPersonal(play.book, play.known, unit)) continue;
    const bluffs = [...taken.values()].filter((token) => token === 'bluff').length;
    if (bluffs < allowed.bluff) {
      taken.set(unit.code, 'bluff');
      continue;
    }
    const others = [...taken].filter(([code, token]) => {
      const other = findUnit(play.table, code);
      return typeof token === 'number' && other !== undefined && !isPersonal(play.book, play.known, other);
    });
    const highest = others.sort((a, b) => (b[1] as number) - (a[1] as number))[0];
    if (!highest) continue;
    taken.delete(highest[0]);
    taken.set(unit.code, highest[1]);
  }
}

export function isPersonal(book: Book, known: Known, unit: NormandieUnit): boolean {
  const found = counterOf(book, known, unit);
  return found !== undefined && 'personal-order' in (found.counter.faces[found.face]?.abilities ?? {});
}

/** Numbers run on from 1 without a gap (3.1-d): with fewer units than tokens the highest stay unused. */
function closeGaps(taken: Map<string, TokenKind>): void {
  const numbered = [...taken].filter((entry): entry is [string, number] => typeof entry[1] === 'number');
  numbered.sort((a, b) => a[1] - b[1]);
  for (const [i, [code]] of numbered.entries()) taken.set(code, i + 1);
}

/** Sides without any Numbered or Special token to assign lose at once (3.1-i). */
export function suddenDeath(table: NormandieTable): NormandieSide[] {
  return (['us', 'ge'] as const).filter((side) => table.tokens[side].numbered + table.tokens[side].special === 0);
}
