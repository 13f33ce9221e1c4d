/** Firing Actions from declaration to effect (3.2.3, 6.2, 8.2; windows W2 and W7). */
import { known as must } from '../../../kernel/assert.ts';
import { pointOf } from '../content/opened.ts';
import { spend } from '../counters/gear.ts';
import { type Asking, ask, type Play, sideKnown } from '../counters/play.ts';
import { reveal } from '../counters/states.ts';
import { classOf, squaresOf } from '../counters/units.ts';
import { type WeaponUse, weaponFor } from '../counters/weapons.ts';
import type { Term } from '../events.ts';
import { lineToPlace } from '../ground/sightline.ts';
import type { FireAction, Rider } from '../language.ts';
import { never, type Refusal, refuse } from '../refusal.ts';
import type { NormandieUnit, RollResult } from '../types.ts';
import {
  chanceOf,
  LONG_RANGE_OVER,
  PLAIN_SHOT,
  penalties,
  resultOf,
  type ShotContext,
  shotAt,
  sumOf,
  weaponRefusal,
  withDice,
} from './attack.ts';
import { type Boost, keep, noBoost, partedTerms, plannedFire, playBonuses, useGear, type Vain } from './bonus.ts';
import { rollDestruction, structureAt } from './destruction.ts';
import { destroy, hit, onBoard, suppress } from './effects.ts';
import { cancelOpportunity, targetReacts } from './reactions.ts';
import { rollDice } from './rolls.ts';
import { snipe } from './sniper.ts';
import { splitTargets } from './split.ts';
import { type Aimed, chooseTarget } from './targets.ts';
import {
  type Area,
  attackSquares,
  type Blast,
  blastAt,
  flameSquares,
  insideSquares,
  scatter,
  withinArc,
} from './templates.ts';

export interface FireMode {
  opportunity: boolean;
  moving: boolean;
  burst: boolean;
}

export const STANDING_FIRE: FireMode = { opportunity: false, moving: false, burst: false };

/** A declared shot. */
interface Declared {
  unit: NormandieUnit;
  use: WeaponUse;
  action: FireAction;
  mode: FireMode;
  aimed: Aimed;
  group: NormandieUnit[];
  boost: Boost;
  context: ShotContext;
}

/** Carries out one weapon's fire. Returns why nothing was fired, if so; then nothing has been spent or shown. */
export function* fire(
  play: Play,
  unit: NormandieUnit,
  action: FireAction,
  riders: readonly Rider[],
  mode: FireMode,
): Asking<Refusal | undefined> {
  const declared = yield* declare(play, unit, action, mode, riders);
  if ('code' in declared) return declared;
  play.boosted.delete(unit.code);
  announce(play, declared);
  if (mode.opportunity && (yield* cancelOpportunity(play, unit, declared.group))) return undefined;
  yield* prepare(play, declared, riders);
  const answer = yield* targetReacts(play, unit, declared.use, declared.group, pointOfAim(declared.aimed));
  if (!onBoard(play, unit)) return undefined;
  const dug = answer.dug;
  switch (declared.aimed.at) {
    case 'unit':
      yield* shootAll(play, declared, dug);
      break;
    case 'structure': {
      const dice = declared.use.abilities.destruction ?? 0;
      yield* rollDestruction(
        play,
        { side: unit.side, unit: unit.code },
        dice,
        declared.aimed.id,
        contextOf(declared, declared.aimed.id),
      );
      break;
    }
    default:
      yield* shootArea(play, declared, answer.thrownBack, dug);
  }
  play.table.moment = null;
  return undefined;
}

function pointOfAim(aimed: Aimed): string | null {
  return aimed.at === 'point' || aimed.at === 'inside' ? aimed.name : null;
}

function contextOf(declared: Declared, at: string): string {
  return `${declared.unit.code} fires ${declared.use.label} at ${at}`;
}

/** Weapon, target, split: everything that may be refused, before anything is shown. */
function* declare(
  play: Play,
  unit: NormandieUnit,
  action: FireAction,
  mode: FireMode,
  riders: readonly Rider[],
): Asking<Declared | Refusal> {
  const { book, known } = play;
  const use = weaponFor(book, known, unit, action.weapon);
  if ('code' in use) return use;
  const context: ShotContext = { ...PLAIN_SHOT, ...mode, suppress: action.suppress === true };
  const refused = weaponRefusal(book, known, unit, use, context);
  if (refused) return refused;
  if (
    use.manner === 'flame' &&
    action.direction !== undefined &&
    use.arc < 360 &&
    !withinArc(unit.facing, action.direction)
  )
    return refuse('OUT OF ARC', '6.2-flame-c', { unit: unit.code });
  if (action.split) {
    const bonus = plannedFire(book, sideKnown(play, unit.side), unit, riders);
    const group = splitTargets(book, known, unit, use, action, { ...context, bonus });
    if ('code' in group) return group;
    return { unit, use, action, mode, aimed: { at: 'unit', unit: group[0]! }, group, boost: noBoost(), context };
  }
  const aimed = yield* chooseTarget(play, unit, use, action.targets, context);
  if ('code' in aimed) return aimed;
  if (aimed.at === 'flame' && action.direction === undefined)
    return never('NO DIRECTION', '6.2-flame-c', { unit: unit.code });
  const group = aimed.at === 'unit' ? [aimed.unit] : [];
  return { unit, use, action, mode, aimed, group, boost: noBoost(), context };
}

/** The shot is told; a concealed firer is turned over, a sniper on its concealed side is not (6.1-ambush-f, 6.2-sniper-h). */
function announce(play: Play, declared: Declared): void {
  const { unit, use, aimed, mode, action } = declared;
  if (unit.concealed !== null && !(use.manner === 'sniper' && unit.concealed === 'ambush')) reveal(play, unit, 'fired');
  unit.fired.push(use.slot);
  const at =
    aimed.at === 'structure' ? aimed.id : aimed.at === 'flame' ? `${action.direction ?? 0}` : pointOfAim(aimed);
  play.emit({
    type: 'fired',
    audience: 'all',
    unit: unit.code,
    weapon: use.label,
    suppress: action.suppress === true,
    targets: declared.group.map((each) => each.code),
    at,
    opportunity: mode.opportunity,
    moving: mode.moving,
    rule: mode.opportunity ? '6.2-opp-a' : '3.2.3-a',
  });
  if (use.gear) spend(play, unit, use.gear, use.gear.left === null ? 0 : 1);
}

/** Gear and bonus cards of the firer, before any die (8.2-fire-b). */
function* prepare(play: Play, declared: Declared, riders: readonly Rider[]): Asking<void> {
  const { unit, use, boost, group, aimed } = declared;
  const chance = group[0] ? chanceNow(play, declared, group[0]) : 0;
  play.table.moment = {
    at: 'fire',
    stage: 'declared',
    unit: unit.code,
    weapon: use.label,
    suppress: declared.context.suppress,
    targets: group.map((each) => each.code),
    chance,
  };
  if (use.manner === 'charge' || aimed.at === 'structure') {
    for (const rider of riders)
      if (rider.rider === 'card' || rider.rider === 'use')
        keep(play, unit, rider.rider === 'card' ? rider.card : rider.option);
    return;
  }
  const infantry = group.length === 0 ? use.cv.inf !== 'X' : classOf(play.book, group[0]!) === 'inf';
  const target = group[0]?.code ?? pointOfAim(aimed) ?? 'flame';
  const more = declared.action.split === undefined;
  yield* useGear(play, unit, 'fire', riders, boost, infantry, more);
  const vain: Vain = (_card, as) => as === 'event' && !steadyHelps(play, declared);
  yield* playBonuses(play, unit, 'fire', riders, boost, target, more, vain);
  declared.context = { ...declared.context, bonus: boost.terms, steady: boost.events.includes('aim') };
}

/** Would Steady Aim take anything off the penalties: long range, or an obscuring square on the way? */
function steadyHelps({ book, known, table }: Play, { unit, use, group, aimed, context }: Declared): boolean {
  const name = pointOfAim(aimed);
  if (name !== null)
    return use.manner === 'howitzer' && (lineToPlace(book, table, unit, name)?.obscuring.length ?? 0) > 0;
  return group.some((target) => {
    const shot = shotAt(book, known, unit, use, target, context);
    if ('code' in shot) return false;
    const far = use.manner === 'direct' && shot.range > LONG_RANGE_OVER;
    return far || shot.aim.line.obscuring.length > 0;
  });
}

/** Chance of the declared shot, for the moment; 0 when it can't be worked out. */
function chanceNow(play: Play, declared: Declared, target: NormandieUnit): number {
  if (declared.use.manner !== 'direct') return 0;
  const shot = shotAt(play.book, play.known, declared.unit, declared.use, target, declared.context);
  if ('code' in shot) return 0;
  const { terms, defense } = sumOf(play.book, play.known, declared.unit, declared.use, target, declared.context, shot);
  const need = defense.reduce((sum, term) => sum + term.n, 0);
  return chanceOf(terms, need, 'dual-weapon' in declared.use.abilities ? 2 : 1);
}

function* shootAll(play: Play, declared: Declared, dug: { unit: string; n: number } | null): Asking<void> {
  const parts = declared.action.split;
  // Each part holds the bonuses of the action; a card for one die roll is added to the first.
  const { once } = partedTerms(declared.context.bonus);
  let effect = false;
  for (const [i, target] of declared.group.entries()) {
    if (!onBoard(play, target) || !onBoard(play, declared.unit)) continue;
    const context = parts ? { ...declared.context, split: parts[i]!, bonus: i === 0 ? once : [] } : declared.context;
    const before = structureAt(play, squaresOf(target)[0] ?? target.at);
    const extra = dug?.unit === target.code ? dug.n : 0;
    const result = yield* shootOne(play, declared, target, context, extra);
    if (result === 'gone') continue;
    effect ||= result !== 'none';
    const dice = declared.use.abilities.destruction ?? 0;
    if (dice > 0 && before !== undefined && declared.use.manner === 'direct')
      yield* rollDestruction(
        play,
        { side: declared.unit.side, unit: declared.unit.code },
        dice,
        before,
        contextOf(declared, target.code),
      );
  }
  const [target] = declared.group;
  const frightens = 'frightening-shot' in declared.use.abilities && !parts && declared.use.manner === 'direct';
  if (effect || !frightens || !target || !onBoard(play, target)) return;
  const used = yield* ask(play, {
    id: `frighten ${target.code} by ${declared.unit.code}`,
    to: declared.unit.side,
    kind: 'frighten',
    options: ['YES', 'NO'],
    fallback: 'YES',
    params: { unit: declared.unit.code, target: target.code },
    rule: '6.2-fright-a',
  });
  if (used === 'YES') yield* suppress(play, target, 1, 'frightening shot');
}

/** One attack roll at one unit; `gone` when the shot is no longer possible (the target has fallen back). */
function* shootOne(
  play: Play,
  declared: Declared,
  target: NormandieUnit,
  context: ShotContext,
  dug: number,
): Asking<RollResult['effect'] | 'gone'> {
  const { book, known } = play;
  const { unit, use } = declared;
  const shot = shotAt(book, known, unit, use, target, context);
  if ('code' in shot) {
    play.emit({ type: 'no-effect', audience: 'all', unit: unit.code, why: shot.code, rule: shot.rule });
    return 'gone';
  }
  if (use.manner === 'charge') {
    play.table.bombs.push({ option: use.label, by: unit.code, target: target.code });
    play.emit({
      type: 'bomb',
      audience: 'all',
      unit: unit.code,
      target: target.code,
      option: use.label,
      rule: '7.2-sticky-b',
    });
    return 'gone';
  }
  if (use.manner === 'sniper')
    return yield* snipe(play, unit, target, { aim: shot.aim, context, words: contextOf(declared, target.code) });
  const { terms, defense } = sumOf(book, known, unit, use, target, context, shot);
  if (dug > 0) defense.push({ what: 'hold your ground', n: dug, of: 'dig' });
  const need = defense.reduce((sum, term) => sum + term.n, 0);
  const count = 'dual-weapon' in use.abilities ? 2 : 1;
  const judge = (dice: readonly number[], more: readonly Term[]) => {
    const { total } = withDice(dice, [...terms, ...more], defense);
    return { total, need, result: resultOf(total, need, context.suppress) };
  };
  const purpose = context.suppress ? 'suppress' : 'fire';
  const { dice, more } = yield* rollDice(play, {
    side: unit.side,
    unit: unit.code,
    target: target.code,
    purpose,
    context: contextOf(declared, target.code),
    count,
    judge,
    chance: chanceOf(terms, need, count),
    ...(context.split === null || context.bonus.length > 0 ? { declared: true } : {}),
  });
  const { result } = judge(dice, more);
  const facet = shot.aim.facet === undefined ? {} : { side: shot.aim.facet };
  play.emit({
    type: 'shot',
    audience: 'all',
    unit: unit.code,
    target: target.code,
    weapon: use.label,
    purpose,
    sum: withDice(dice, [...terms, ...more], defense),
    result: result.effect,
    n: result.n ?? 0,
    range: shot.range,
    ...facet,
    rule: '3.2.3-res-c',
  });
  const piercing = 'piercing' in use.abilities;
  if (result.effect === 'suppressed') yield* suppress(play, target, result.n ?? 1, 'suppressive fire');
  else if (result.effect === 'destroyed') yield* destroy(play, target, unit, 'fire');
  else if (result.effect === 'hit') yield* hit(play, target, unit, piercing, contextOf(declared, target.code));
  return result.effect;
}

/** Templates, grenades and flames. */
function* shootArea(
  play: Play,
  declared: Declared,
  thrownBack: string | null,
  dug: { unit: string; n: number } | null,
): Asking<void> {
  const { book, table } = play;
  const { unit, use, aimed, context, action } = declared;
  const name = thrownBack ?? pointOfAim(aimed);
  const direct = use.manner === 'howitzer' && name !== null ? lineToPlace(book, table, unit, name) : undefined;
  const moving: Term[] =
    use.manner === 'flame' && context.moving && !context.burst
      ? [{ what: 'fire on the move', n: -(use.onTheMove ?? 0), rule: '6.2-flame-b' }]
      : [];
  const { once, all } = partedTerms(context.bonus);
  const area: Area = {
    side: unit.side,
    by: unit.code,
    use,
    terms: [...moving, ...all, ...penalties(unit, null, direct?.obscuring ?? [], context.steady)],
    once,
    cover: aimed.at !== 'inside' || thrownBack !== null,
    flame: use.manner === 'flame',
    context: contextOf(declared, name ?? 'flame'),
    dug,
  };
  const squares = yield* areaSquares(play, declared, name, action);
  if (squares === undefined) return;
  yield* attackSquares(play, area, squares);
}

function* areaSquares(
  play: Play,
  declared: Declared,
  name: string | null,
  action: FireAction,
): Asking<Blast | undefined> {
  const { book, table } = play;
  const { unit, use } = declared;
  const within = (squares: readonly string[]): Blast => ({ squares, under: squares });
  if (name === null) return within(flameSquares(book, table, unit, action.direction ?? 0));
  if (!name.startsWith('@')) return within(name === unit.at ? [name] : insideSquares(book, table, name));
  const landed = use.manner === 'indirect' ? yield* scatter(play, unit, use, name, contextOf(declared, name)) : name;
  if (landed === undefined) return undefined;
  return blastAt(book, table, must(pointOf(book, landed), `no interspace ${landed}`));
}
