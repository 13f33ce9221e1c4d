/** The Mine card (GE, 4.2-mine): attacks an enemy that enters an open or road square, in the Supply Phase too. */

import { placeOf } from '../content/opened.ts';
import { holdsCard, playCard } from '../counters/hands.ts';
import { type Asking, ask, type Play, wantsAsking } from '../counters/play.ts';
import { reveal } from '../counters/states.ts';
import { classOf, enemyOf, faceOf } from '../counters/units.ts';
import type { Term } from '../events.ts';
import { inElement } from '../ground/ground.ts';
import type { NormandieUnit } from '../types.ts';
import { chanceOf, defenseTerms, resultOf, withDice } from './attack.ts';
import { destroy, hit } from './effects.ts';
import { rollDice } from './rolls.ts';

const VALUES = { inf: 3, light: 4, heavy: 4 } as const;

/** Asks the other side whether a mine goes off under a unit that has just entered a square. */
export function* mine(play: Play, unit: NormandieUnit, square: string): Asking<void> {
  const side = enemyOf(unit.side);
  const { book, table, known } = play;
  const belongs = book.cards.get('mine')?.sides.includes(side) ?? false;
  if (!belongs || unit.aboard !== null || inElement(book, table, placeOf(book, square))) return;
  const always = wantsAsking(play, side, 'CARD') && table.cards[side].hand > 0;
  const chosen = yield* ask(play, {
    id: `mine under ${unit.code} on ${square}`,
    to: side,
    kind: 'card',
    options: holdsCard(play, side, 'mine') ? ['PASS', 'mine'] : ['PASS'],
    fallback: 'PASS',
    params: { unit: unit.code, square },
    rule: '4.2-mine',
    always,
  });
  if (chosen !== 'mine') return;
  playCard(play, side, 'mine', 'event', square);
  reveal(play, unit, 'spotted');
  const face = faceOf(book, known, unit);
  if (!face) return;
  const printed = typeof face.defense === 'number' ? face.defense : face.defense.rear;
  const terms: Term[] = [{ what: 'value', n: VALUES[classOf(book, unit)], of: 'mine', rule: '4.2-mine' }];
  const defense = defenseTerms(book, known, unit, printed, null, false);
  const judge = (dice: readonly number[], more: readonly Term[]) => {
    const { total, need } = withDice(dice, [...terms, ...more], defense);
    return { total, need, result: resultOf(total, need, false) };
  };
  play.boosted.delete('mine');
  const context = `mine under ${unit.code} on ${square}`;
  const { dice, more } = yield* rollDice(play, {
    side,
    unit: 'mine',
    target: unit.code,
    purpose: 'mine',
    context,
    count: 1,
    judge,
    chance: chanceOf(terms, printed, 1),
  });
  const { result } = judge(dice, more);
  play.emit({
    type: 'shot',
    audience: 'all',
    unit: 'mine',
    target: unit.code,
    weapon: 'mine',
    purpose: 'mine',
    sum: withDice(dice, [...terms, ...more], defense),
    result: result.effect,
    n: 0,
    range: 0,
    rule: '4.2-mine',
  });
  if (result.effect === 'destroyed') yield* destroy(play, unit, null, 'mine');
  else if (result.effect === 'hit') yield* hit(play, unit, null, false, context);
}
