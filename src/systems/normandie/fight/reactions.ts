/** What the side fired at may do before the dice (W2): Nerves, Fall Back, Hold Your Ground, Return to Sender. */
import { placeOf, pointOf } from '../content/opened.ts';
import { holdsCard, playCard } from '../counters/hands.ts';
import { type Asking, ask, type Play, wantsAsking } from '../counters/play.ts';
import { classOf, counterOf, enemyOf, printedMove } from '../counters/units.ts';
import type { WeaponUse } from '../counters/weapons.ts';
import { buildingAt, isDifficult } from '../ground/ground.ts';
import { passageRefusal } from '../ground/steps.ts';
import { bindsWithin } from '../ground/zones.ts';
import type { NormandieUnit, Offered } from '../types.ts';
import { standDown } from './effects.ts';
import { besideOf, canStand, putDown } from './forced.ts';
import { blastSquares, insideSquares, interspacesAt, unitsUnder } from './templates.ts';

const DUG_IN = 2;
const FALL_BACK_SQUARES = 3;

export interface Reply {
  dug: { unit: string; n: number } | null;
  /** Where a grenade goes instead. */
  thrownBack: string | null;
}

/** Nerves (US): an Opportunity Fire just declared is cancelled; its unit still gets the Activated Marker. */
export function* cancelOpportunity(
  play: Play,
  shooter: NormandieUnit,
  targets: readonly NormandieUnit[],
): Asking<boolean> {
  const side = enemyOf(shooter.side);
  const belongs = play.book.cards.get('nerves')?.sides.includes(side) ?? false;
  const chosen = yield* ask(play, {
    id: `nerves against ${shooter.code}`,
    to: side,
    kind: 'card',
    options: holdsCard(play, side, 'nerves') ? ['PASS', 'nerves'] : ['PASS'],
    fallback: 'PASS',
    params: { unit: targets[0]?.code ?? '', by: shooter.code },
    always: belongs && wantsAsking(play, side, 'CARD') && play.table.cards[side].hand > 0,
  });
  if (chosen !== 'nerves') return false;
  playCard(play, side, 'nerves', 'event', shooter.code);
  play.emit({ type: 'cancelled', audience: 'all', what: 'opportunity fire', unit: shooter.code });
  return true;
}

/** Asks the side under fire until it passes; each card once. */
export function* targetReacts(
  play: Play,
  shooter: NormandieUnit,
  use: WeaponUse,
  targets: readonly NormandieUnit[],
  aimed: string | null,
): Asking<Reply> {
  const reply: Reply = { dug: null, thrownBack: null };
  if (use.manner === 'charge') return reply;
  const side = enemyOf(shooter.side);
  const under = targets.length > 0 ? targets : underTemplate(play, aimed, side);
  const infantry = under.filter((unit) => unit.side === side && classOf(play.book, unit) === 'inf');
  if (infantry.length === 0) return reply;
  let fell = false;
  for (;;) {
    const of: Record<string, Offered> = {};
    const offer = (card: string, at: string): void => {
      of[`${card} ${at}`] = { is: 'card', card, use: 'event', at };
    };
    if (!reply.dug && holdsCard(play, side, 'dig')) for (const unit of infantry) offer('dig', unit.code);
    if (!fell && targets.length === 1 && holdsCard(play, side, 'fallback'))
      for (const name of fallBackSquares(play, targets[0]!)) offer('fallback', name);
    if (!reply.thrownBack && use.manner === 'grenade' && holdsCard(play, side, 'return'))
      for (const name of returnPoints(play, shooter, aimed)) offer('return', name);
    const chosen = yield* ask(play, {
      id: `card against ${shooter.code} ${use.label} ${aimed ?? targets[0]?.code ?? ''}`,
      to: side,
      kind: 'card',
      options: ['PASS', ...Object.keys(of)],
      of,
      fallback: 'PASS',
      params: { unit: infantry[0]!.code, by: shooter.code, weapon: use.label },
      always: wantsAsking(play, side, 'CARD') && play.table.cards[side].hand > 0,
    });
    const taken = of[chosen];
    if (taken?.is !== 'card') return reply;
    const { card, at } = taken;
    playCard(play, side, card, 'event', at);
    if (card === 'dig') reply.dug = { unit: at!, n: DUG_IN };
    if (card === 'return') reply.thrownBack = at!;
    if (card === 'fallback') {
      fell = true;
      fallBack(play, targets[0]!, at!);
    }
  }
}

function underTemplate(play: Play, aimed: string | null, side: NormandieUnit['side']): NormandieUnit[] {
  const point = aimed === null ? undefined : pointOf(play.book, aimed);
  if (!point) return [];
  const squares = aimed!.startsWith('@')
    ? blastSquares(play.book, play.table, point).map((place) => place.name)
    : insideSquares(play.book, play.table, aimed!);
  return unitsUnder(play.table, squares, false).filter((unit) => unit.side === side);
}

/** Interspaces touching the thrower's square; a charge thrown inside comes back on his square alone (Return to Sender). */
function returnPoints(play: Play, shooter: NormandieUnit, aimed: string | null): string[] {
  if (aimed !== null && !aimed.startsWith('@')) return [shooter.at];
  const [x, y] = placeOf(play.book, shooter.at).centre;
  const corners = [-1, 1].flatMap((dx) => [-1, 1].flatMap((dy) => interspacesAt(play.book, [x + dx, y + dy])));
  return [...new Set(corners)].filter((name) => {
    const point = pointOf(play.book, name)!;
    const houses = blastSquares(play.book, play.table, point).map((place) => buildingAt(play.table, place));
    return houses.length > 0;
  });
}

/** Squares within three of a Fall Back: terrain slows, markers and printed zones of one enemy do as for any Forced Move (4.2-fallback-b). */
function fallBackSquares(play: Play, unit: NormandieUnit): string[] {
  const { book, table, known } = play;
  const found = counterOf(book, known, unit);
  const printed = found?.face === 'active' ? found.counter.faces.inactive?.move : printedMove(book, known, unit);
  if (printed === undefined || printed === 'X') return [];
  const reached = new Map<string, number>([[unit.at, 0]]);
  const open = [unit.at];
  for (let at = open.shift(); at !== undefined; at = open.shift()) {
    const spent = reached.get(at)!;
    const stuck = isDifficult(book, table, placeOf(book, at), 'inf') && spent > 0;
    if (spent >= FALL_BACK_SQUARES || stuck) continue;
    if (isDifficult(book, table, placeOf(book, unit.at), 'inf') && spent === 1) continue;
    for (const name of besideOf(book, table, at)) {
      if (reached.has(name) || !canStand(play, unit, name)) continue;
      if (passageRefusal(book, table, placeOf(book, at), placeOf(book, name), 'inf')) continue;
      if (bindsWithin(book, known, unit, at, name)) continue;
      reached.set(name, spent + 1);
      open.push(name);
    }
  }
  return [...reached.keys()].filter((name) => name !== unit.at);
}

/** The move itself: the Active Side is turned over first (4.2-fallback-a). */
function fallBack(play: Play, unit: NormandieUnit, to: string): void {
  standDown(play, unit);
  putDown(play, unit, to, 'forced');
}
