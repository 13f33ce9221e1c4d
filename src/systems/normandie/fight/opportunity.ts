/** Opportunity Fire: windows W6 and W7 (6.2-opp, 5.3-e, 7.5-overwatch). */

import { type Book, placeOf } from '../content/opened.ts';
import { hasOverwatch } from '../counters/gear.ts';
import { hasActed, markActivated } from '../counters/hands.ts';
import { type Asking, ask, handOf, type Play, wantsAsking } from '../counters/play.ts';
import { abilitiesOf, classOf, enemyOf, squaresOf } from '../counters/units.ts';
import { allWeapons, type WeaponUse } from '../counters/weapons.ts';
import { givesOpportunity } from '../ground/ground.ts';
import { aimAt, rangeOf } from '../ground/sightline.ts';
import type { FireAction } from '../language.ts';
import type { Known, Moment, NormandieUnit } from '../types.ts';
import { PLAIN_SHOT, type ShotContext } from './attack.ts';
import { onBoard } from './effects.ts';
import { fire } from './firing.ts';
import { shotChance } from './odds.ts';

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
  /** Costs a marker of the unit's gear. */
  spends: boolean;
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
  // Markers are spent by order or doctrine only, never by default.
  const free = offers.filter((offer) => !offer.spends);
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

/** Every legal shot: printed weapons and gear, plain and suppressive. */
export function offersAt(book: Book, known: Known, shooter: NormandieUnit, target: NormandieUnit): Offer[] {
  const offers: Offer[] = [];
  for (const use of allWeapons(book, known, shooter)) {
    for (const suppress of [false, true]) {
      if (suppress && !('suppressive-fire' in use.abilities)) continue;
      const context: ShotContext = { ...PLAIN_SHOT, opportunity: true, suppress };
      const chance = shotChance(book, known, shooter, use, target, context);
      if (chance === undefined) continue;
      offers.push({
        text: wording(shooter, use, target, suppress),
        action: actionOf(shooter, use, target, suppress),
        chance,
        spends: use.gear !== null,
      });
    }
  }
  return offers;
}

function actionOf(shooter: NormandieUnit, use: WeaponUse, target: NormandieUnit, suppress: boolean): FireAction {
  const action: FireAction = { do: 'fire', unit: shooter.code, targets: [{ target: 'unit', code: target.code }] };
  if (use.label !== 'main') action.weapon = use.gear ? use.label : use.label.toUpperCase();
  if (suppress) action.suppress = true;
  return action;
}

function wording(shooter: NormandieUnit, use: WeaponUse, target: NormandieUnit, suppress: boolean): string {
  const weapon = use.label === 'main' ? '' : ` WITH ${use.gear ? use.label : use.label.toUpperCase()}`;
  return `FIRE ${shooter.code}${weapon} AT ${target.code}${suppress ? ' SUPPRESS' : ''}`;
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
