/** Where a unit can go, and where it had better go: nearer to its aim, into cover, out of sight of what could hit it. */
import { best } from '../../../kernel/planner.ts';
import { flipped } from '../actions/plan.ts';
import { placeOf, standing } from '../content/opened.ts';
import { classOf, counterOf, moveValue, ownCode } from '../counters/units.ts';
import { ownWeapons } from '../counters/weapons.ts';
import { PLAIN_SHOT } from '../fight/attack.ts';
import { shotChance } from '../fight/odds.ts';
import { coverOf } from '../ground/ground.ts';
import { sightBetweenPlaces } from '../ground/sightline.ts';
import { startWalk, type Walk, type WalkRules, walkStep, walkStop } from '../ground/walk.ts';
import type { MoveAction, MoveStep } from '../language.ts';
import type { NormandieUnit } from '../types.ts';
import type { UnitAim } from './goals.ts';
import { apart, FAR, type HeroesDesk, stepsFrom, worthOf } from './playerdesk.ts';

/** Walks looked at for one unit. */
const WALKS_MAX = 90;
/** Places whose danger is looked at. */
const LOOKED_AT = 4;

interface Way {
  steps: MoveStep[];
  walk: Walk;
}

interface WalkPlan {
  steps: MoveStep[];
  /** Where it ends. */
  at: string;
  /** How much better it stands there. */
  gain: number;
}

function choices(desk: HeroesDesk, unit: NormandieUnit, walk: Walk): MoveStep[] {
  if (walk.aboard !== null) {
    const [x, y] = placeOf(desk.book, walk.at).centre;
    const near = standing(desk.book).filter(
      ({ centre }) => Math.abs(centre[0] - x) <= 3 && Math.abs(centre[1] - y) <= 3,
    );
    return near.map((place): MoveStep => ({ step: 'out', square: place.name }));
  }
  if (walk.rear !== null)
    return [{ step: 'fwd' }, { step: 'back' }, { step: 'pivot', turn: 'L' }, { step: 'pivot', turn: 'R' }];
  return stepsFrom(desk, walk.at, classOf(desk.book, unit)).map((square): MoveStep => ({ step: 'to', square }));
}

/** Every place that a unit can come to, each by its first way there. */
function reached(desk: HeroesDesk, unit: NormandieUnit, leaves: boolean): Way[] {
  const value = moveValue(desk.book, desk.known, unit);
  const rules: WalkRules = { budget: value === 'X' ? 0 : value, scout: false, windows: 0, cutters: 0 };
  const key = ({ at, rear, facing }: Walk): string => `${at} ${rear} ${rear === null ? '' : facing}`;
  const ways: Way[] = [{ steps: [], walk: startWalk(unit, rules) }];
  const seen = new Set(ways.map(({ walk }) => key(walk)));
  for (let i = 0; i < ways.length && ways.length < WALKS_MAX; i++) {
    const { steps, walk } = ways[i]!;
    if (walk.spent >= rules.budget || walk.halted) continue;
    const options = leaves ? [{ step: 'off' } as MoveStep, ...choices(desk, unit, walk)] : choices(desk, unit, walk);
    for (const step of options) {
      const after = walkStep(desk.book, desk.known, unit, walk, step, rules);
      if ('code' in after || (!after.exited && seen.has(key(after)))) continue;
      seen.add(key(after));
      ways.push({ steps: [...steps, step], walk: after });
      if (after.exited) return ways;
    }
  }
  return ways;
}

/** Chance in per cent, summed over the enemies, that a unit on that place is hit. */
function dangerAt(desk: HeroesDesk, unit: NormandieUnit, at: string): number {
  const { book, known, enemies } = desk;
  const there: NormandieUnit = { ...unit, at, aboard: null };
  let danger = 0;
  for (const enemy of enemies) {
    if (enemy.concealed !== null || enemy.aboard !== null) continue;
    for (const use of ownWeapons(book, known, enemy))
      if (use.manner === 'direct') danger += shotChance(book, known, enemy, use, there, PLAIN_SHOT) ?? 0;
  }
  return danger;
}

/** The best place that a unit can come to, unless it stands best where it is. `taken` are the places others go to. */
function planWalk(
  desk: HeroesDesk,
  unit: NormandieUnit,
  aim: UnitAim,
  taken: ReadonlySet<string>,
): WalkPlan | undefined {
  const { book, known } = desk;
  const kind = classOf(book, unit);
  const careful = desk.temper === 'careful';
  const plain = ({ walk }: Way): number => {
    if (walk.exited) return 10_000;
    const there: NormandieUnit = { ...unit, at: walk.at, rear: walk.rear, facing: walk.facing, aboard: walk.aboard };
    const cover = coverOf(book, known.table, there, kind, [], 'building').value;
    return -20 * (aim.away.get(walk.at) ?? FAR) + cover * (careful ? 8 : 5);
  };
  const ways = reached(desk, unit, aim.leaves).filter(
    ({ walk }) => (walk.at === unit.at || !taken.has(walk.at)) && !walkStop(book, known, unit, walk),
  );
  const ranked = ways.map((way) => ({ way, worth: plain(way) })).sort((a, b) => b.worth - a.worth);
  const stays = ranked.find(({ way }) => way.steps.length === 0);
  const looked = ranked.slice(0, LOOKED_AT);
  if (stays && !looked.includes(stays)) looked.push(stays);
  const price = worthOf(desk, unit) >= 18 ? 2 : 1;
  const whole = ({ way, worth }: (typeof looked)[number]): number =>
    worth - (way.walk.exited ? 0 : dangerAt(desk, unit, way.walk.at) * price * (careful ? 2 : 1)) * 0.2;
  const chosen = best(looked, whole);
  if (!chosen || chosen.way.steps.length === 0) return undefined;
  const gain = stays ? whole(chosen) - whole(stays) : 10;
  const { steps, walk } = chosen.way;
  return { steps, at: walk.at, gain };
}

/** How far a weapon that is set up is thought to reach, in squares. */
const REACH = 10;

/** Enemies and goals that can be seen from a place, within reach. */
export function seenFrom(desk: HeroesDesk, at: string, goals: readonly string[]): number {
  const { book, known } = desk;
  const looked = [...desk.enemies.filter(({ aboard }) => aboard === null).map((enemy) => enemy.at), ...goals];
  return looked.filter(
    (name) => name !== at && apart(desk, at, name) <= REACH && sightBetweenPlaces(book, known.table, at, name)?.clear,
  ).length;
}

/** Is it a weapon that moves only when it is packed up? */
export function isMounted(desk: HeroesDesk, unit: NormandieUnit): boolean {
  return 'tripod' in (counterOf(desk.book, desk.known, unit)?.counter.faces.active?.abilities ?? {});
}

/**
 * The move of a unit, flips of a mounted weapon included: it packs up where it sees nothing, goes nearer, and is set up again
 * where it sees something.
 */
export function planMove(
  desk: HeroesDesk,
  unit: NormandieUnit,
  aim: UnitAim,
  taken: ReadonlySet<string>,
): { move: MoveAction; at: string } | undefined {
  const code = ownCode(desk.known, unit);
  const mounted = isMounted(desk, unit);
  const active = counterOf(desk.book, desk.known, unit)?.face === 'active';
  if (mounted && active && seenFrom(desk, unit.at, aim.goals) > 0) return undefined;
  if (mounted && !active && seenFrom(desk, unit.at, aim.goals) > 0)
    return { move: { do: 'move', unit: code, steps: [], flip: 'start' }, at: unit.at };
  const packed = mounted && active ? flipped(desk.book, desk.known, unit) : unit;
  if (!('at' in packed)) return undefined;
  const plan = planWalk(desk, packed, aim, taken);
  if (!plan) return undefined;
  const move: MoveAction = { do: 'move', unit: code, steps: plan.steps };
  if (mounted && active) move.flip = 'start';
  else if (mounted && seenFrom(desk, plan.at, aim.goals) > 0) move.flip = 'end';
  return { move, at: plan.at };
}
