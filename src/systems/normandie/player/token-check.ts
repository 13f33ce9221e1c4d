/** Tokens of a mail against what the side is entitled to (3.1; E05 to E09). */
import { error } from '../../../kernel/orders.ts';
import type { Diagnostic } from '../../../kernel/types.ts';
import type { Book } from '../content/opened.ts';
import { ownCode } from '../counters/units.ts';
import type { NormandieSide } from '../data.ts';
import { unitNamed } from '../fight/odds.ts';
import type { TokenOrder } from '../language.ts';
import { ordersOptions } from '../turn/setup.ts';
import { BLUFF_MAX, bearers, isPersonal, SPECIAL_MAX, tokensOf } from '../turn/tokens.ts';
import type { Known } from '../types.ts';

/** Numbers without gap or double within the total (E05), one token a unit, kinds within limits. */
export function checkTokens(
  known: Known,
  side: NormandieSide,
  tokens: readonly TokenOrder[],
  book: Book,
): Diagnostic[] {
  const found: Diagnostic[] = [];
  const seen = new Set<string>();
  const allowed = tokensOf(book, known, side, 0);
  const counts = { special: 0, bluff: 0 };
  const commands = known.hands[side]?.cards.filter((card) => card === 'highcmd').length ?? 0;
  const most = {
    special: Math.min(SPECIAL_MAX, ordersOptions(known.table, side, 'battle-plan') + commands),
    bluff: Math.min(BLUFF_MAX, allowed.bluff),
  };
  for (const order of tokens) {
    const unit = unitNamed(known, side, order.unit);
    if (!unit || unit.side !== side) found.push(error('E07', order.line, { unit: order.unit }, '3.1-x'));
    else if (seen.has(unit.code)) found.push(error('E06', order.line, { unit: order.unit }, '3.1-f'));
    if (unit) seen.add(unit.code);
    if (typeof order.token === 'number') continue;
    counts[order.token]++;
    if (counts[order.token] > most[order.token])
      found.push(
        error(
          'E09',
          order.line,
          { kind: order.token, most: most[order.token] },
          order.token === 'bluff' ? '3.1-w' : '3.1-v',
        ),
      );
  }
  const numbers = tokens.flatMap((order) => (typeof order.token === 'number' ? [order.token] : []));
  const highest = Math.max(0, ...numbers);
  const twice = numbers.find((n, i) => numbers.indexOf(n) !== i);
  const missing = Array.from({ length: highest }, (_, i) => i + 1).find((n) => !numbers.includes(n));
  if (twice !== undefined) found.push(error('E05', 'mail', { detail: `${twice} is used twice` }, '3.1-d'));
  else if (highest > allowed.numbered)
    found.push(error('E05', 'mail', { detail: `${highest} is above your total of ${allowed.numbered}` }, '3.1-d'));
  else if (missing !== undefined) found.push(error('E05', 'mail', { detail: `${missing} is missing` }, '3.1-d'));
  return found;
}

/** A Personal Order unit without a token (E08): when tokens are ordered at all, it must get one of them. */
export function checkPersonal(
  book: Book,
  known: Known,
  side: NormandieSide,
  tokens: readonly TokenOrder[],
): Diagnostic[] {
  const first = tokens[0];
  if (!first) return [];
  return bearers(known, side)
    .filter((unit) => isPersonal(book, known, unit))
    .filter((unit) => !tokens.some((order) => unitNamed(known, side, order.unit) === unit))
    .map((unit) => error('E08', 'mail', { unit: ownCode(known, unit) }, '6.5-personal-b'));
}
