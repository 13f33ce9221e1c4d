/** Opportunity Fire: windows W6 and W7 (6.2-opp, 5.3-e, 7.5-overwatch). */

import type { Octant } from '../../../board/square.ts';
import { type Book, placeOf, pointOf } from '../content/opened.ts';
import { hasOverwatch } from '../counters/gear.ts';
import { hasActed, markActivated } from '../counters/hands.ts';
import { type Asking, ask, handOf, type Play, wantsAsking } from '../counters/play.ts';
import { abilitiesOf, classOf, enemyOf, squaresOf } from '../counters/units.ts';
import { allWeapons, type WeaponUse } from '../counters/weapons.ts';
import { givesOpportunity } from '../ground/ground.ts';
import { aimAt, rangeOf } from '../ground/sightline.ts';
import type { FireAction } from '../language.ts';
import { printFire } from '../text/print.ts';
import type { Known, Moment, NormandieUnit } from '../types.ts';
import { PLAIN_SHOT, reactionRefusal, type ShotContext, shotAt, weaponRefusal } from './attack.ts';
import { onBoard } from './effects.ts';
import { fire } from './firing.ts';
import { shotChance } from './odds.ts';
import { aimedAt } from './targets.ts';
import { blastAt, flameSquares, interspacesAt, withinArc } from './templates.ts';

const YES_FROM = 50;

/** Has a unit the ability now, from counter, crew, position or Overwatch? */
export function mayReact(book: Book, known: Known, unit: NormandieUnit): boolean {
  if (hasActed(unit)) return false;
  if ('opportunity-fire' in abilitiesOf(book, known, unit)) return true;
  if (classOf(book, unit) !== 'inf') return false;
  const inPosition = squaresOf(unit).some((name) => givesOpportunity(book, known.table, placeOf(book, name)));
  return inPosition || hasOverwatch(book, known, unit);
}

/** Opens the window: every enemy that may and wants fires, each before the next decides. Ends when the target is gone. */
export function* opportunity(play: Play, target: NormandieUnit, moment: Moment): Asking<void> {
  const side = enemyOf(target.side);
  const shooters = play.table.units
    .filter((unit) => unit.side === side)
    .sort((a, b) => byNumber(a.code) - byNumber(b.code) || (a.code < b.code ? -1 : 1));
  for (const shooter of shooters) {
    if (!onBoard(play, target)) return;
    if (!onBoard(play, shooter)) continue;
    play.table.moment = moment;
    const shot = yield* wanted(play, shooter, target, moment);
    if (!shot) continue;
    const refused = yield* fire(play, shooter, shot, [], { opportunity: true, moving: false, burst: false });
    if (refused) continue;
    if (onBoard(play, shooter)) {
      markActivated(play, shooter);
      yield* opportunity(play, shooter, afterFire(shooter));
    }
  }
  play.table.moment = null;
}

/** The moment after a whole Firing Action (W7). */
export function afterFire(unit: NormandieUnit): Moment {
  return { at: 'fire', stage: 'done', unit: unit.code, weapon: '', suppress: false, targets: [], chance: 0 };
}

const byNumber = (code: string): number => Number(/\d+/.exec(code)?.[0] ?? 0);

interface Offer {
  text: string;
  action: FireAction;
  chance: number;
  /** Chosen by order or doctrine only: it spends a marker, or lays a template where friends may lie. */
  wished: boolean;
}

/** Asks the owner whether and how to fire. */
function* wanted(
  play: Play,
  shooter: NormandieUnit,
  target: NormandieUnit,
  moment: Moment,
): Asking<FireAction | undefined> {
  const { book, known } = play;
  const side = shooter.side;
  const asks = wantsAsking(play, side, 'OPFIRE');
  const offers = mayReact(book, known, shooter) ? offersAt(book, known, shooter, target) : [];
  if (offers.length === 0 && !(asks && mightReact(book, known, shooter, target))) return undefined;
  const free = offers.filter((offer) => !offer.wished);
  const best = free.reduce((a, b) => (b.chance > a.chance ? b : a), free[0] ?? { text: 'NO', chance: 0 });
  const chosen = yield* ask(play, {
    id: `opfire ${shooter.code} at ${target.code} ${where(moment)}`,
    to: side,
    kind: 'opfire',
    options: ['NO', ...offers.map((offer) => offer.text)],
    // Doctrine speaks of units by their own codes: a concealed one fires by its default or by an answer.
    of:
      shooter.concealed !== null
        ? {}
        : Object.fromEntries(
            offers.map(({ text, action }) => [text, { is: 'shot' as const, fire: action, target: target.code }]),
          ),
    fallback: shootsByDefault(play, shooter, target, moment, best.chance) ? best.text : 'NO',
    params: {
      unit: shooter.code,
      target: target.code,
      chance: best.chance,
      range: rangeOf(play.book, play.table, shooter, target),
    },
    rule: '6.2-opp-a',
    always: asks,
  });
  return offers.find((offer) => offer.text === chosen)?.action;
}

/** For all the enemy knows a concealed unit that sees the target may react: a pause must not tell which one it is (3.7). */
function mightReact(book: Book, known: Known, unit: NormandieUnit, target: NormandieUnit): boolean {
  return unit.concealed !== null && !hasActed(unit) && 'aim' in aimAt(book, known, unit, target);
}

function where(moment: Moment): string {
  return moment.at === 'move' ? `${moment.what} ${moment.trigger}` : 'after fire';
}

/**
 * Every legal way to fire at the unit: printed weapons and gear, plain and suppressive; a template on each interspace in
 * reach that touches it, a flame in each direction that reaches it, a charge, fire into its position or room (3.2.3-alt-c).
 */
export function offersAt(book: Book, known: Known, shooter: NormandieUnit, target: NormandieUnit): Offer[] {
  const weapons = allWeapons(book, known, shooter);
  return [
    ...weapons.flatMap((use) => shotOffers(book, known, shooter, use, target)),
    ...weapons.flatMap((use) => areaOffers(book, known, shooter, use, target)),
  ];
}

function shotOffers(book: Book, known: Known, shooter: NormandieUnit, use: WeaponUse, target: NormandieUnit): Offer[] {
  const offers: Offer[] = [];
  for (const suppress of [false, true]) {
    if (suppress && !('suppressive-fire' in use.abilities)) continue;
    const context: ShotContext = { ...PLAIN_SHOT, opportunity: true, suppress };
    const chance = shotChance(book, known, shooter, use, target, context);
    if (chance === undefined) continue;
    const action: FireAction = {
      ...firing(shooter, use),
      targets: [{ target: 'unit', code: target.code }],
      ...(suppress ? { suppress } : {}),
    };
    offers.push({ text: printFire(action), action, chance, wished: use.gear !== null });
  }
  return offers;
}

function firing(shooter: NormandieUnit, use: WeaponUse): FireAction {
  const weapon = use.label === 'main' ? {} : { weapon: use.gear ? use.label : use.label.toUpperCase() };
  return { do: 'fire', unit: shooter.code, ...weapon, targets: [] };
}

const OCTANTS_ALL: readonly Octant[] = [0, 1, 2, 3, 4, 5, 6, 7];

/** Templates, flames and charges that would touch the unit; the attack on it is the reason, whoever else lies under it. */
function areaOffers(book: Book, known: Known, shooter: NormandieUnit, use: WeaponUse, target: NormandieUnit): Offer[] {
  if (use.manner === 'direct' || use.manner === 'sniper') return [];
  const context: ShotContext = { ...PLAIN_SHOT, opportunity: true };
  const barred = weaponRefusal(book, known, shooter, use, context) ?? reactionRefusal(book, known, shooter, target);
  if (barred || target.concealed !== null || target.aboard !== null || use.cv[classOf(book, target)] === 'X') return [];
  const base = firing(shooter, use);
  const touches = (squares: readonly string[]): boolean => squaresOf(target).some((name) => squares.includes(name));
  const actions: FireAction[] = [];
  if (use.manner === 'charge') {
    if (!('code' in shotAt(book, known, shooter, use, target, context)))
      actions.push({ ...base, targets: [{ target: 'unit', code: target.code }] });
  } else {
    if (use.manner === 'flame')
      for (const direction of OCTANTS_ALL)
        if (
          (use.arc >= 360 || withinArc(shooter.facing, direction)) &&
          touches(flameSquares(book, known.table, shooter, direction))
        )
          actions.push({ ...base, direction });
    for (const place of placesAt(book, known, use, target, touches))
      if (!('code' in aimedAt(book, known, shooter, use, { target: 'place', place }, context)))
        actions.push({ ...base, targets: [{ target: 'place', place }] });
  }
  return actions.map((action) => ({ text: printFire(action), action, chance: 0, wished: true }));
}

/** Where a template may be laid so that it touches the unit: interspaces, its own square for fire into a position or room. */
function placesAt(
  book: Book,
  known: Known,
  use: WeaponUse,
  target: NormandieUnit,
  touches: (squares: readonly string[]) => boolean,
): string[] {
  const own = use.manner === 'grenade' || use.manner === 'flame' ? squaresOf(target) : [];
  if (use.manner === 'flame') return own;
  const near = squaresOf(target).flatMap((name) => {
    const [x, y] = placeOf(book, name).centre;
    return [-1, 1].flatMap((dy) => [-1, 1].flatMap((dx) => interspacesAt(book, [x + dx, y + dy])));
  });
  const covering = [...new Set(near)].filter((name) => {
    const point = pointOf(book, name);
    return point !== undefined && touches(blastAt(book, known.table, point).squares);
  });
  return [...covering, ...own];
}

/** Default of 3.6: free units at 50 per cent, units with a token never; against an assault on itself or a neighbour always. */
function shootsByDefault(
  play: Play,
  shooter: NormandieUnit,
  target: NormandieUnit,
  moment: Moment,
  chance: number,
): boolean {
  if (moment.at !== 'move') return false;
  if (moment.assaults !== null && moment.unit === target.code) {
    const victim = play.table.units.find((unit) => unit.code === moment.assaults);
    if (victim && (victim === shooter || rangeOf(play.book, play.table, shooter, victim) <= 1)) return true;
  }
  const token = handOf(play, shooter.side).tokens[shooter.code];
  const free = shooter.token === null || token === 'bluff';
  return free && chance >= YES_FROM;
}
