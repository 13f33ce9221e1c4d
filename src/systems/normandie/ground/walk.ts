/**
 * A path on paper: what each step of a Movement Action would do, without reactions. The same walk serves checks on a view,
 * the forecast in a receipt and the engine, which asks before every step how far the rest of the path still goes.
 */
import { type Book, placeOf } from '../content/opened.ts';
import { classOf, findUnit, squaresOf, turnTowards, unitsOn, wreckOn } from '../counters/units.ts';
import type { Direction } from '../data.ts';
import type { MoveStep } from '../language.ts';
import { never, type Refusal, refuse } from '../refusal.ts';
import type { Known, NormandieUnit } from '../types.ts';
import { isDifficult } from './ground.ts';
import { passageRefusal, stepRefusal, stopRefusal } from './steps.ts';
import { canBoard } from './transport.ts';
import { isHedge, neighbour, stanceAfter, stanceRefusal } from './vehicles.ts';

/** What the action allows. */
export interface WalkRules {
  budget: number;
  /** Scout moves disregard Difficult Passage (6.5-scout-b). */
  scout: boolean;
  /** Windows that may be used as doors (Surprise). */
  windows: number;
  /** Culin markers declared. */
  cutters: number;
}

export interface Walk {
  at: string;
  rear: string | null;
  facing: Direction;
  aboard: string | null;
  spent: number;
  /** Squares entered so far. */
  entered: number;
  /** No further step: difficult ground, boarded, pushed, left the board. */
  halted: boolean;
  /** Which end led into the last square entered; a free pivot follows only then. */
  lead: 'front' | 'rear' | null;
  pivotFree: boolean;
  windows: number;
  cutters: number;
  exited: boolean;
}

export function startWalk(unit: NormandieUnit, rules: WalkRules): Walk {
  return {
    at: unit.at,
    rear: unit.rear,
    facing: unit.facing,
    aboard: unit.aboard,
    spent: 0,
    entered: 0,
    halted: false,
    lead: null,
    pivotFree: false,
    windows: rules.windows,
    cutters: rules.cutters,
    exited: false,
  };
}

/** The walk after one more step, or why it can't be taken. */
export function walkStep(
  book: Book,
  known: Known,
  unit: NormandieUnit,
  walk: Walk,
  step: MoveStep,
  rules: WalkRules,
): Walk | Refusal {
  const here: NormandieUnit = { ...unit, at: walk.at, rear: walk.rear, facing: walk.facing, aboard: walk.aboard };
  if (walk.halted) return refuse('MUST STOP', '5.1-diff-a', { at: walk.at });
  if (walk.aboard !== null && step.step !== 'out' && step.step !== 'in')
    return refuse('ABOARD', '6.6-transport-c', { unit: unit.code });
  const next =
    step.step === 'push' ? pushed(book, known, here, walk, step.square) : moved(book, known, here, walk, step, rules);
  if ('code' in next) return next;
  if (next.spent > rules.budget)
    return refuse('TOO FAR', '3.2.1-a', { unit: unit.code, budget: rules.budget, spent: next.spent });
  return next;
}

function moved(
  book: Book,
  known: Known,
  unit: NormandieUnit,
  walk: Walk,
  step: MoveStep,
  rules: WalkRules,
): Walk | Refusal {
  if (step.step === 'off') return leaves(known, unit, walk);
  if (step.step === 'in') return boards(book, known, unit, walk, step.unit);
  if (step.step === 'out') return getsOut(book, known, unit, walk, step.square, rules);
  return walk.rear === null
    ? oneSquare(book, known, unit, walk, step, rules)
    : long(book, known, unit, walk, step, rules);
}

function oneSquare(
  book: Book,
  known: Known,
  unit: NormandieUnit,
  walk: Walk,
  step: MoveStep,
  rules: WalkRules,
): Walk | Refusal {
  const to =
    step.step === 'to'
      ? step.square
      : step.step === 'fwd' || step.step === 'back'
        ? neighbour(book, walk.at, step.step === 'fwd' ? walk.facing : (((walk.facing + 4) % 8) as Direction))
        : undefined;
  if (step.step === 'pivot') return { ...walk, facing: ((walk.facing + (step.turn === 'L' ? 7 : 1)) % 8) as Direction };
  if (to === undefined) return refuse('OFF THE BOARD', '3.2.1-a', { from: walk.at });
  const plain = stepRefusal(book, known, unit, walk.at, to);
  const usesWindow = plain?.code === 'WINDOW' && walk.windows > 0;
  const refusal = usesWindow ? stepRefusal(book, known, unit, walk.at, to, { window: true }) : plain;
  const hedge =
    refusal?.code === 'IMPASSABLE' && walk.cutters > 0 && classOf(book, unit) === 'heavy' && isHedge(book, known, to);
  if (refusal && !hedge) return refusal;
  const facing =
    classOf(book, unit) === 'inf'
      ? walk.facing
      : (turnTowards(placeOf(book, walk.at).centre, placeOf(book, to).centre) ?? walk.facing);
  return entering(book, known, unit, walk, to, rules, {
    at: to,
    facing,
    windows: walk.windows - (usesWindow ? 1 : 0),
    cutters: walk.cutters - (hedge ? 1 : 0),
  });
}

/** Cost and Difficult Passage of entering a square (5.1-diff): stop on entering; from inside only one step. */
function entering(
  book: Book,
  known: Known,
  unit: NormandieUnit,
  walk: Walk,
  to: string,
  rules: WalkRules,
  change: Partial<Walk>,
): Walk {
  const kind = classOf(book, unit);
  const leading = walk.rear !== null && change.lead === 'rear' ? walk.rear : walk.at;
  const stuck =
    walk.entered === 0 && walk.aboard === null && isDifficult(book, known.table, placeOf(book, leading), kind);
  const mud = isDifficult(book, known.table, placeOf(book, to), kind);
  return {
    ...walk,
    spent: walk.spent + 1,
    entered: walk.entered + 1,
    halted: !rules.scout && (stuck || mud),
    ...change,
  };
}

function long(
  book: Book,
  known: Known,
  unit: NormandieUnit,
  walk: Walk,
  step: MoveStep,
  rules: WalkRules,
): Walk | Refusal {
  const stance = { at: walk.at, rear: walk.rear!, facing: walk.facing };
  if (step.step === 'pivot' && walk.entered > 0 && !walk.pivotFree)
    return refuse('ONE PIVOT A SQUARE', '3.2.1-veh2-d', { unit: unit.code });
  const after = stanceAfter(book, stance, step, walk.lead);
  if ('code' in after) return after;
  const cuts = walk.cutters > 0 && classOf(book, unit) === 'heavy';
  const refusal = stanceRefusal(book, known, unit, stance, after.stance, after.entered, after.pivot, cuts);
  if (refusal) return refusal;
  if (after.pivot) {
    const free = walk.pivotFree;
    return { ...walk, ...after.stance, spent: walk.spent + (free ? 0 : 1), pivotFree: false };
  }
  const hedge = cuts && isHedge(book, known, after.entered);
  return entering(book, known, unit, walk, after.entered, rules, {
    ...after.stance,
    lead: after.lead,
    pivotFree: true,
    cutters: walk.cutters - (hedge ? 1 : 0),
  });
}

/** Boarding counts as a square and ends the move (6.6-transport-c, R17). */
function boards(book: Book, known: Known, unit: NormandieUnit, walk: Walk, code: string): Walk | Refusal {
  const vehicle = findUnit(known.table, code);
  if (!vehicle) return refuse('NO TRANSPORT', '6.6-transport-a', { vehicle: code });
  if (walk.aboard !== null) return refuse('ABOARD', '6.6-transport-c', { unit: unit.code });
  const refusal = canBoard(book, known, unit, vehicle);
  if (refusal) return refusal;
  return {
    ...walk,
    at: vehicle.at,
    aboard: vehicle.code,
    spent: walk.spent + 1,
    entered: walk.entered + 1,
    halted: true,
  };
}

function getsOut(
  book: Book,
  known: Known,
  unit: NormandieUnit,
  walk: Walk,
  to: string,
  rules: WalkRules,
): Walk | Refusal {
  const vehicle = walk.aboard === null ? undefined : findUnit(known.table, walk.aboard);
  if (!vehicle) return refuse('NOT ABOARD', '6.6-transport-c', { unit: unit.code });
  const place = book.places.get(to);
  if (!place) return refuse('NO SUCH SQUARE', '3.2.1-a', { to });
  const reached = squaresOf(vehicle).some(
    (square) => passageRefusal(book, known.table, placeOf(book, square), place, 'inf') === undefined,
  );
  if (!reached) return refuse('NOT BESIDE THE VEHICLE', '6.6-transport-c', { to, vehicle: vehicle.code });
  const enemy = unitsOn(known.table, to).find((other) => other.side !== unit.side || classOf(book, other) !== 'inf');
  if (enemy) return refuse('OCCUPIED', '3.2.1-d', { to, unit: enemy.code });
  return entering(book, known, unit, walk, to, rules, { at: to, aboard: null });
}

/** Leaving by an exit objective of the own side costs a square. */
function leaves(known: Known, unit: NormandieUnit, walk: Walk): Walk | Refusal {
  const squares = walk.rear === null ? [walk.at] : [walk.at, walk.rear];
  const exit = known.table.objectives.some(
    (objective) =>
      objective.kind === 'exit' &&
      objective.side === unit.side &&
      squares.some((name) => objective.squares.includes(name)),
  );
  if (!exit) return never('NO EXIT', '3.2.1-a', { at: walk.at, unit: unit.code });

  return { ...walk, spent: walk.spent + 1, halted: true, exited: true };
}

/** Pushing a wreck ends the action, at whatever point of it: a written order has announced it before (3.2.1-push-b). */
function pushed(book: Book, known: Known, unit: NormandieUnit, walk: Walk, square: string): Walk | Refusal {
  const { table } = known;
  const params = { unit: unit.code, at: square };
  const kind = classOf(book, unit);
  if (kind === 'inf') return never('VEHICLES PUSH', '3.2.1-push-a', params);
  const wreck = wreckOn(table, square);
  if (!wreck) return refuse('NO WRECK THERE', '3.2.1-push-a', params);
  if (kind === 'light' && wreck.squares.length > 1) return never('WRECK TOO LARGE', '3.2.1-push-c', params);
  const direction = pushDirection(book, walk, square);
  if (direction === undefined) return refuse('NOT ADJACENT', '3.2.1-push-e', params);
  const targets = wreck.squares.map((name) => neighbour(book, name, direction));
  for (const to of targets) {
    if (to === undefined) return refuse('OFF THE BOARD', '3.2.1-push-l', params);
    const refusal = wreckRefusal(book, known, to, wreck.id);
    if (refusal) return refusal;
  }
  const without: Known = { ...known, table: { ...table, wrecks: table.wrecks.filter((each) => each !== wreck) } };
  const vacated = passageRefusal(
    book,
    without.table,
    placeOf(book, nearEnd(book, walk, square)),
    placeOf(book, square),
    kind,
  );
  if (vacated) return { ...vacated, rule: '3.2.1-push-i' };
  const stance: Partial<Walk> =
    walk.rear === null
      ? { at: square, facing: direction }
      : nearEnd(book, walk, square) === walk.at
        ? { at: square, rear: walk.at }
        : { at: walk.rear, rear: square };
  return { ...walk, ...stance, spent: walk.spent + 1, entered: walk.entered + 1, halted: true };
}

/** Which end of the vehicle the square is in front of. */
function nearEnd(book: Book, walk: Walk, square: string): string {
  if (walk.rear === null) return walk.at;
  return neighbour(book, walk.at, walk.facing) === square ? walk.at : walk.rear;
}

/** Direction of a push: straight ahead, straight back, or towards a neighbour for a one-square vehicle. */
export function pushDirection(
  book: Book,
  walk: Pick<Walk, 'at' | 'rear' | 'facing'>,
  square: string,
): Direction | undefined {
  if (walk.rear === null) {
    for (let d = 0; d < 8; d++) if (neighbour(book, walk.at, d as Direction) === square) return d as Direction;
    return undefined;
  }
  if (neighbour(book, walk.at, walk.facing) === square) return walk.facing;
  const back = ((walk.facing + 4) % 8) as Direction;
  return neighbour(book, walk.rear, back) === square ? back : undefined;
}

function wreckRefusal(book: Book, known: Known, to: string, id: string): Refusal | undefined {
  const { table } = known;
  const place = placeOf(book, to);
  const params = { to };
  if (place.incomplete || place.offset) return refuse('NO PLACE TO STAND', '3.2.1-push-j', params);
  if (place.building !== null && !table.rubble.includes(place.building)) return refuse('WALL', '3.2.1-push-j', params);
  for (const symbol of place.symbols) {
    if (symbol.is === 'impassable' && symbol.to !== 'inf') return refuse('IMPASSABLE', '3.2.1-push-j', params);
  }
  const other = wreckOn(table, to);
  if (other && other.id !== id) return refuse('OCCUPIED', '3.2.1-push-j', { ...params, unit: other.id });
  const vehicle = unitsOn(table, to).find((unit) => classOf(book, unit) !== 'inf');
  return vehicle && refuse('OCCUPIED', '3.2.1-push-j', { ...params, unit: vehicle.code });
}

/** May the action end where the walk has come to? */
export function walkStop(book: Book, known: Known, unit: NormandieUnit, walk: Walk): Refusal | undefined {
  if (walk.exited || walk.aboard !== null) return undefined;
  const here: NormandieUnit = { ...unit, at: walk.at, rear: walk.rear, aboard: null };
  for (const name of squaresOf(here)) {
    const refusal = stopRefusal(book, known, here, name);
    if (refusal) return refusal;
  }
  return undefined;
}

/** Steps that may be taken so that the action can end legally: the longest such prefix, and what stops the next. */
export function legalPrefix(
  book: Book,
  known: Known,
  unit: NormandieUnit,
  walk: Walk,
  steps: readonly MoveStep[],
  rules: WalkRules,
): { steps: number; end: Walk; refusal: Refusal | undefined } {
  let now = walk;
  let best = { steps: 0, end: walk };
  let refusal: Refusal | undefined;
  let stop: Refusal | undefined;
  for (const [i, step] of steps.entries()) {
    const next = walkStep(book, known, unit, now, step, rules);
    if ('code' in next) {
      refusal = next;
      break;
    }
    now = next;
    stop = walkStop(book, known, unit, now);
    if (!stop) best = { steps: i + 1, end: now };
  }
  return { ...best, refusal: refusal ?? stop };
}
