/** Movement Actions step by step, in the order of 8.2: step, spotting, fire on the move, Opportunity Fire; then the end. */

import { known as must } from '../../../kernel/assert.ts';
import { gearFor, spend } from '../counters/gear.ts';
import { type Asking, ask, type Play, sideKnown } from '../counters/play.ts';
import { flipTarget, turnOver } from '../counters/states.ts';
import { abilitiesOf, classOf, isVehicle, memberOfUnit, passengersOf, squaresOf } from '../counters/units.ts';
import { type Boost, noBoost, playBonuses } from '../fight/bonus.ts';
import { displace, onBoard } from '../fight/effects.ts';
import { fire } from '../fight/firing.ts';
import { mine } from '../fight/mines.ts';
import { opportunity } from '../fight/opportunity.ts';
import { spotAll, spotMover } from '../fight/spotting.ts';
import { legalPrefix, startWalk, type Walk, type WalkRules, walkStep, walkStop } from '../ground/walk.ts';
import type { MoveAction, MoveStep, Rider } from '../language.ts';
import type { Refusal } from '../refusal.ts';
import type { Moment, NormandieUnit } from '../types.ts';
import { holds } from './conditions.ts';
import { flipped, isCrewAboard, type MoveKind, type Needs, needsOf, rulesFor, vainFor } from './plan.ts';
import { crush, pushWreck } from './wrecks.ts';

/** A move under way. */
export interface Travel {
  unit: NormandieUnit;
  walk: Walk;
  rules: WalkRules;
  riders: readonly Rider[];
  kind: MoveKind;
  boost: Boost;
  /** Windows opened so far. */
  trigger: number;
  /** Unit assaulted at the end, told only from the launch square on. */
  assaults: string | null;
  crushed: Map<string, number>;
  lastStop: Walk;
  /** A Passage marker clears the wire of this action. */
  clearing: boolean;
  /** It has changed its state: only once an action (6.1). */
  turned: boolean;
}

/** A whole Movement Action. */
export function* moveAction(
  play: Play,
  unit: NormandieUnit,
  action: MoveAction,
  riders: readonly Rider[],
  kind: MoveKind,
): Asking<void> {
  const needs = needsOf(play.book, play.known, unit, action, kind, riders);
  const travel = yield* setOut(play, unit, action.flip, riders, kind, action.steps.length > 0, needs);
  if (!travel) return finish(play);
  yield* go(play, travel, action.steps);
  if (onBoard(play, unit)) yield* arrive(play, travel, action);
  finish(play);
}

export function finish(play: Play): void {
  play.mover = null;
  play.table.moment = null;
}

/** Bonuses, change of state at the start, fire on the move before leaving (8.2-move-a). */
export function* setOut(
  play: Play,
  unit: NormandieUnit,
  flip: 'start' | 'end' | undefined,
  riders: readonly Rider[],
  kind: MoveKind,
  moves: boolean,
  needs: Needs,
): Asking<Travel | undefined> {
  const { book, known } = play;
  play.mover = { unit, stopped: false };
  const boost = noBoost();
  play.boosted.delete(unit.code);
  const turns = flip === 'start' || (moves && isCrewAboard(book, known, unit));
  if (kind !== 'scout' && moves) {
    const mover = turns ? flipped(book, known, unit) : unit;
    const vain = vainFor(book, known, 'at' in mover ? mover : unit, kind, riders, needs);
    yield* playBonuses(play, unit, 'move', riders, boost, unit.at, true, vain);
  }
  if (turns) turnOver(play, unit, must(other(flipTarget(book, known, unit)), 'no other side'), 'order');
  const bonus = boost.terms.reduce((sum, term) => sum + term.n, 0);
  const rules = rulesFor(book, known, unit, kind, bonus, riders);
  rules.windows = boost.events.filter((card) => card === 'surprise').length;
  const walk = startWalk(unit, rules);
  const travel: Travel = {
    unit,
    walk,
    rules,
    riders,
    kind,
    boost,
    trigger: 0,
    assaults: null,
    crushed: new Map(),
    lastStop: walk,
    clearing: false,
    turned: turns,
  };
  if (turns) yield* window(play, travel, unit.at, 'state');
  if (onBoard(play, unit) && moves) yield* fireHere(play, travel, 'fired');
  return onBoard(play, unit) ? travel : undefined;
}

const other = (face: ReturnType<typeof flipTarget>): 'active' | 'inactive' | undefined =>
  face === 'active' || face === 'inactive' ? face : undefined;

/** Takes the steps while they are legal and nothing stops the unit. */
export function* go(play: Play, travel: Travel, steps: readonly MoveStep[]): Asking<void> {
  const { book, known } = play;
  const { unit } = travel;
  for (let i = 0; i < steps.length; i++) {
    const rest = steps.slice(i);
    const ahead = legalPrefix(book, known, unit, travel.walk, rest, travel.rules);
    if (ahead.steps === 0) {
      halt(play, travel, ahead.refusal);
      return;
    }
    const from = travel.walk.at;
    const before = squaresOf(unit);
    const step = rest[0]!;
    const next = legalPrefix(book, known, unit, travel.walk, [step], travel.rules);
    const taken = next.steps === 1 ? next.end : passThrough(play, travel, step);
    if (step.step === 'push') yield* pushWreck(play, unit, travel.walk, step.square);
    place(play, travel, taken, step);
    if (taken.exited) {
      leave(play, travel);
      return;
    }
    if (walkStop(book, known, unit, taken) === undefined) travel.lastStop = taken;
    yield* crush(play, unit, travel.crushed, before);
    const last = i === steps.length - 1;
    yield* afterStep(play, travel, from, before, step, last);
    if (!onBoard(play, unit)) return;
    if (play.mover?.stopped || stopsHere(play, travel)) {
      halt(play, travel, undefined);
      return;
    }
  }
}

/** A step onto a friend's square, on the way to another. */
function passThrough(play: Play, travel: Travel, step: MoveStep): Walk {
  const next = walkOne(play, travel, step);
  return must('code' in next ? undefined : next, 'an illegal step');
}

function walkOne(play: Play, travel: Travel, step: MoveStep): Walk | Refusal {
  return walkStep(play.book, play.known, travel.unit, travel.walk, step, travel.rules);
}

/** Ends the move early: that it wanted to go on is its owner's knowledge alone (3.8). A unit caught on a friend's square goes back to the last free one. */
function halt(play: Play, travel: Travel, refusal: Refusal | undefined): void {
  const { unit } = travel;
  if (refusal)
    play.emit({
      type: 'stopped',
      audience: [unit.side],
      unit: unit.code,
      at: unit.at,
      why: refusal.code,
      rule: refusal.rule,
    });
  if (!isVehicle(play.book, unit) && walkStop(play.book, play.known, unit, travel.walk) !== undefined)
    place(play, travel, travel.lastStop, { step: 'to', square: travel.lastStop.at });
}

/** Moves the counter, and whoever sits in it, and tells it. */
function place(play: Play, travel: Travel, walk: Walk, step: MoveStep): void {
  const { unit, rules, kind } = travel;
  const from = unit.at;
  const cut = travel.walk.cutters - walk.cutters;
  travel.walk = walk;
  unit.at = walk.at;
  unit.rear = walk.rear;
  unit.facing = walk.facing;
  unit.aboard = walk.aboard;
  for (const passenger of passengersOf(play.table, unit.code)) passenger.at = unit.at;
  const how =
    step.step === 'in'
      ? 'board'
      : step.step === 'out'
        ? 'leave'
        : step.step === 'pivot'
          ? 'pivot'
          : step.step === 'push'
            ? 'push'
            : kind === 'activation'
              ? 'step'
              : kind;
  play.emit({
    type: 'moved',
    audience: 'all',
    unit: unit.code,
    from,
    to: unit.at,
    rear: unit.rear,
    facing: unit.facing,
    how,
    aboard: unit.aboard,
    ...paceOf(unit, walk, rules),
    rule: '3.2.1-a',
  });
  if (cut > 0) cutThrough(play, travel);
  clearWire(play, travel);
  if (step.step !== 'in' || travel.turned) return;
  if (!('crew' in abilitiesOf(play.book, play.known, unit)) || unit.face !== 'inactive') return;
  travel.turned = true;
  turnOver(play, unit, 'active', 'crew');
}

/** Squares spent of those it has; of a concealed unit nobody is told, its Movement Value would name it (6.1-ambush-g). */
function paceOf(unit: NormandieUnit, walk: Walk, rules: WalkRules): { spent: number; of: number } {
  return unit.concealed === null ? { spent: walk.spent, of: rules.budget } : { spent: 0, of: 0 };
}

/** A Culin cutter leaves a Passage marker on the hedgerow (7.2-culin-a). */
function cutThrough(play: Play, travel: Travel): void {
  const { unit } = travel;
  const gear = gearFor(play.book, play.known, unit, 'culin');
  const square = travel.walk.lead === 'rear' && unit.rear !== null ? unit.rear : unit.at;
  if (!gear) return;
  spend(play, unit, gear, 1);
  play.table.passages.push(square);
  play.emit({ type: 'passage', audience: 'all', unit: unit.code, square, rule: '7.2-culin-a' });
}

/** One Passage marker clears all the wire a heavy vehicle drives through in one action (7.2-culin-c). */
function clearWire(play: Play, travel: Travel): void {
  const { unit } = travel;
  const squares = squaresOf(unit).filter((name) => play.table.wire.includes(name));
  if (squares.length === 0 || classOf(play.book, unit) !== 'heavy') return;
  if (!travel.clearing) {
    const gear = travel.walk.cutters > 0 ? gearFor(play.book, play.known, unit, 'culin') : undefined;
    if (!gear) return;
    spend(play, unit, gear, 1);
    travel.walk = { ...travel.walk, cutters: travel.walk.cutters - 1 };
    travel.clearing = true;
  }
  play.table.wire = play.table.wire.filter((name) => !squares.includes(name));
  play.emit({ type: 'wire-cleared', audience: 'all', unit: unit.code, squares, rule: '7.2-culin-c' });
}

function leave(play: Play, travel: Travel): void {
  const { unit } = travel;
  const gone = [unit, ...passengersOf(play.table, unit.code)];
  for (const each of gone) {
    const member = must(memberOfUnit(play.known, each), `no member ${each.code}`);
    member.fate = 'exited';
    const hand = play.draft.hands[each.side]!;
    delete hand.identities[each.code];
    if (each.token === 'back') delete hand.tokens[each.code];
    for (const objective of play.table.objectives)
      if (objective.kind === 'exit' && objective.side === each.side) play.table.score[each.side] += objective.points;
    play.emit({ type: 'exited', audience: 'all', unit: each.code, at: unit.at });
  }
  play.table.units = play.table.units.filter((each) => !gone.includes(each));
}

/** 8.2-move-c: spotting of a concealed mover, fire on the move, mine, Opportunity Fire. */
function* afterStep(
  play: Play,
  travel: Travel,
  from: string,
  before: readonly string[],
  step: MoveStep,
  last: boolean,
): Asking<void> {
  const { unit, kind } = travel;
  if (kind !== 'scout' && spotMover(play, unit)) {
    const on = yield* goesOn(play, unit);
    if (!on && play.mover) play.mover.stopped = true;
  }
  if (step.step === 'to' || step.step === 'fwd' || step.step === 'back' || step.step === 'out') {
    yield* mine(play, unit, enteredSquare(unit, before));
    if (!onBoard(play, unit)) return;
  }
  yield* fireHere(play, travel, null);
  if (!onBoard(play, unit)) return;
  const assaults = last ? travel.assaults : null;
  yield* window(play, travel, from, step.step === 'pivot' ? 'pivot' : 'step', assaults);
}

/** The square that a step has brought the unit into: behind it when it drives back. */
function enteredSquare(unit: NormandieUnit, before: readonly string[]): string {
  return squaresOf(unit).find((name) => !before.includes(name)) ?? unit.at;
}

/** A scout flipped on the way: go on or hold (SPOTTED doctrine). */
function* goesOn(play: Play, unit: NormandieUnit): Asking<boolean> {
  const chosen = yield* ask(play, {
    id: `spotted ${unit.code} on ${unit.at}`,
    to: unit.side,
    kind: 'spotted',
    options: ['GO ON', 'HOLD'],
    fallback: 'GO ON',
    params: { unit: unit.code },
    rule: '6.1-ambush-m',
  });
  return chosen === 'GO ON';
}

/** Opens W6 for the other side; Supply and scout moves open none (6.2-opp-a). */
export function* window(
  play: Play,
  travel: Travel,
  from: string,
  what: Extract<Moment, { at: 'move' }>['what'],
  assaults: string | null = null,
): Asking<void> {
  if (travel.kind !== 'activation') return;
  travel.trigger++;
  const { unit } = travel;
  yield* opportunity(play, unit, {
    at: 'move',
    unit: unit.code,
    trigger: travel.trigger,
    from,
    to: unit.at,
    what,
    assaults,
  });
}

/** Fire on the move ordered for the square the unit is on (6.2-fotm-a); before leaving it alone opens a window. */
function* fireHere(play: Play, travel: Travel, leaving: 'fired' | null): Asking<void> {
  const { unit, riders, kind } = travel;
  if (kind !== 'activation') return;
  const here = squaresOf(unit);
  for (const rider of riders) {
    if (rider.rider !== 'fom' || !here.includes(rider.at) || !onBoard(play, unit)) continue;
    const burst = travel.boost.events.includes('burst');
    const refused = yield* fire(play, unit, rider.fire, [], { opportunity: false, moving: true, burst });
    if (!refused && leaving && onBoard(play, unit)) yield* window(play, travel, unit.at, 'fired');
  }
}

/** `STOP IF` riders, on the owner's own knowledge. */
function stopsHere(play: Play, travel: Travel): boolean {
  const { unit, riders } = travel;
  if (walkStop(play.book, play.known, unit, travel.walk) !== undefined) return false;
  const known = sideKnown(play, unit.side);
  return riders.some((rider) => rider.rider === 'stop' && holds(play.book, known, unit.side, rider.when));
}

/** The end of the action: change of state, facing, run over infantry, spotting (8.2-move-d). */
function* arrive(play: Play, travel: Travel, action: MoveAction): Asking<void> {
  const { unit } = travel;
  if (action.flip === 'end' && !travel.turned) {
    const face = other(flipTarget(play.book, play.known, unit));
    if (face) turnOver(play, unit, face, 'order');
  }
  if (action.face !== undefined && unit.rear === null && action.face !== unit.facing) {
    unit.facing = action.face;
    play.emit({
      type: 'moved',
      audience: 'all',
      unit: unit.code,
      from: unit.at,
      to: unit.at,
      rear: null,
      facing: unit.facing,
      how: 'turn',
      aboard: unit.aboard,
      ...paceOf(unit, travel.walk, travel.rules),
      rule: '3.2.1-inf-e',
    });
  }
  if (action.flip === 'end' || action.steps.length === 0) yield* window(play, travel, unit.at, 'state');
  if (onBoard(play, unit)) yield* settle(play, travel);
}

/** Infantry under a vehicle gives way; everybody looks for concealed units. */
export function* settle(play: Play, travel: Travel): Asking<void> {
  yield* runOver(play, travel.unit);
  if (travel.kind !== 'scout') spotAll(play, travel.unit);
}

/** Infantry where a vehicle has ended its Movement Action makes a Forced Move (3.2.1-over-b), friends too. */
function* runOver(play: Play, vehicle: NormandieUnit): Asking<void> {
  if (!isVehicle(play.book, vehicle)) return;
  const squares = squaresOf(vehicle);
  const under = play.table.units
    .filter(
      (unit) => unit !== vehicle && unit.aboard === null && squares.includes(unit.at) && !isVehicle(play.book, unit),
    )
    .sort((a, b) => (a.code < b.code ? -1 : 1));
  for (const unit of under) if (onBoard(play, unit)) yield* displace(play, unit, 'run over');
}
