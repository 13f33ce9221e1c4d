/**
 * The movement phase: order lines carried out in the order written. Checking, previewing and judging all run this same
 * code; they differ only in where events and complaints go. A line either stands or is taken back whole.
 */
import { warning } from '../../../kernel/orders.ts';
import type { Diagnostic } from '../../../kernel/types.ts';
import { nameUnits } from '../content/names.ts';
import { holds, type Start } from '../field/condition.ts';
import { runExit } from '../field/exit.ts';
import { type Field, forgetSupply, isIsolated, mayStack, place } from '../field/field.ts';
import { groundOf } from '../field/ground.ts';
import {
  type Claim,
  follow,
  type Group,
  halts,
  isMovement,
  join,
  type LineAtWork,
  type LineLog,
  type March,
  type MovementOrder,
  mayMove,
  movedEvent,
  say,
  unitsOf,
} from '../field/line.ts';
import { allowanceOf, settleWalk, walk } from '../field/movement.ts';
import type { OverlordEvent, OverlordOrder, OverlordSide } from '../types.ts';
import { runEnter, runLand, runReplace } from './arrival.ts';

/**
 * Carries out every movement order of a side. Stops at once when the game is decided. Stacks are checked at the end of
 * movement (OVR-16): a unit may enter a full hex that others leave later in the mail. If they don't leave after all, the
 * line that relied on them must find room at once, and everything is carried out anew.
 */
export function runMovement(
  field: Field,
  side: OverlordSide,
  orders: readonly OverlordOrder[],
  start: Start,
  log: LineLog,
): March {
  const own = orders.filter(isMovement);
  const claims = claimsOf(field, own);
  const strict = new Set<number>();
  for (;;) {
    const { units, beaches, control, exits, owed, over } = field.table;
    const before = { units: { ...units }, beaches, control, exits, owed, over };
    const told: { events: OverlordEvent[]; said: Diagnostic[] } = { events: [], said: [] };
    const heard: LineLog = { emit: (event) => told.events.push(event), say: (one) => told.said.push(one) };
    const march = carryOut({ field, side, log: heard, start, claims, strict }, own);
    const late = field.table.over ? undefined : lineOfOverfull(march);
    if (late === undefined) {
      for (const event of told.events) log.emit(event);
      for (const one of told.said) log.say(one);
      return march;
    }
    strict.add(late);
    for (const [unit, counter] of field.campaign.units.entries()) {
      const where = before.units[counter.id]!;
      if (field.table.units[counter.id] !== where)
        place(field, unit, field.campaign.board.grid.index.get(where) ?? where);
    }
    Object.assign(field.table, { beaches, control, exits, owed, over });
    forgetSupply(field);
  }
}

type Given = Pick<March, 'field' | 'side' | 'log' | 'start' | 'claims' | 'strict'>;

function carryOut(given: Given, orders: readonly MovementOrder[]): March {
  const march: March = { ...given, moved: new Set(), held: new Set(), replaced: 0, lineOf: new Map() };
  const { field } = march;
  for (const order of orders) {
    if (field.table.over) break;
    field.leaving = march.strict.has(order.line) ? undefined : (unit) => leavesLater(march, unit, order.line);
    runLine(march, order);
  }
  field.leaving = undefined;
  return march;
}

/** Will a later line of the mail move the unit away? */
function leavesLater(march: March, unit: number, line: number): boolean {
  const { id, side } = march.field.campaign.units[unit]!;
  if (side !== march.side || march.moved.has(unit)) return false;
  return ['MOVE', 'EXIT'].some((verb) => (march.claims.get(`${verb} ${id}`)?.line ?? 0) > line);
}

/** The last line that put a unit into a hex that holds too many now and did not have to find room at once. */
function lineOfOverfull(march: March): number | undefined {
  const { field } = march;
  let latest: number | undefined;
  for (const [unit, line] of march.lineOf) {
    const cell = field.at[unit]!;
    if (cell < 0 || march.strict.has(line) || mayStack(field, unit, cell)) continue;
    if (latest === undefined || line > latest) latest = line;
  }
  return latest;
}

/**
 * Which line counts for each unit and verb: the last that names it, else the last that names its formation. A HOLD line
 * never takes another order back.
 */
function claimsOf(field: Field, orders: readonly MovementOrder[]): Map<string, Claim> {
  const claims = new Map<string, Claim>();
  for (const order of orders) {
    for (const token of order.subject) {
      const formation = field.campaign.formations.get(token);
      for (const unit of formation ? formation.units : [token]) {
        const key = `${order.verb} ${unit}`;
        const before = claims.get(key);
        if (before?.named && formation) continue;
        claims.set(key, { line: order.line, named: !formation });
      }
    }
  }
  return claims;
}

function runLine(march: March, order: MovementOrder): void {
  const line: LineAtWork = { march, line: order.line, verb: order.verb, events: [], faults: [], undo: [] };
  const ground = groundOf(march.field.table);
  const { exits, owed, over } = march.field.table;
  const saved = { exits: [...exits], owed: [...owed], over, replaced: march.replaced };
  if (order.verb !== 'HOLD' && !holds(march.field, march.start, order.when)) {
    say(line, warning('CONDITION FAILS', order.line, { verb: order.verb }));
  } else runVerb(line, order);
  const failed = line.faults.some((fault) => fault.severity === 'error');
  if (failed) {
    for (const { unit, where } of line.undo.reverse()) {
      march.moved.delete(unit);
      place(march.field, unit, march.field.campaign.board.grid.index.get(where) ?? where);
    }
    Object.assign(march.field.table, ground, { exits: saved.exits, owed: saved.owed, over: saved.over });
    march.replaced = saved.replaced;
    forgetSupply(march.field);
  } else for (const event of line.events) march.log.emit(event);
  for (const fault of joinedFaults(line)) march.log.say(fault);
}

/** The same fault of several units of a line is said once, with all their names. */
function joinedFaults(line: LineAtWork): Diagnostic[] {
  const joined: { key: string; units: string[]; fault: Diagnostic }[] = [];
  for (const fault of line.faults) {
    const { unit, ...others } = fault.params;
    const key = `${fault.code} ${fault.severity} ${JSON.stringify(others)}`;
    const same = joined.find((entry) => entry.key === key);
    if (typeof unit === 'string' && same) same.units.push(unit);
    else joined.push({ key, units: typeof unit === 'string' ? [unit] : [], fault });
  }
  const { campaign } = line.march.field;
  return joined.map(({ units, fault }) =>
    units.length < 2 ? fault : { ...fault, params: { ...fault.params, unit: nameUnits(campaign, units) } },
  );
}

function runVerb(line: LineAtWork, order: MovementOrder): void {
  switch (order.verb) {
    case 'MOVE':
      runMove(line, order.subject, order.path);
      return;
    case 'ENTER':
      runEnter(line, order);
      return;
    case 'LAND':
      runLand(line, order);
      return;
    case 'REPLACE':
      runReplace(line, order);
      return;
    case 'EXIT':
      runExit(line, order);
      return;
    case 'HOLD':
      for (const unit of unitsOf(line, order.subject, () => true)) line.march.held.add(unit);
      return;
  }
}

/** MOVE: each unit follows the path as far as it may (OVL-MOV-01 to 04). */
function runMove(line: LineAtWork, subject: readonly string[], path: readonly string[]): void {
  const { field } = line.march;
  const { grid } = field.campaign.board;
  const cells = path.map((hex) => grid.index.get(hex)!);
  const beside = (unit: number): boolean => {
    const at = field.at[unit]!;
    if (at < 0) return false;
    const first = cells[0] === at ? cells[1] : cells[0];
    return first !== undefined && grid.neighbours.subarray(at * 6, at * 6 + 6).includes(first);
  };
  const units = unitsOf(line, subject, beside);
  const groups: Group[] = [];
  for (const unit of units) {
    if (!mayMove(line, unit)) continue;
    const at = field.at[unit]!;
    // The hex it stands in may be written first; it costs nothing.
    const steps = cells[0] === at ? cells.slice(1) : cells;
    const isolated = isIsolated(field, unit);
    const left = allowanceOf(field, unit);
    const walked = settleWalk(
      field,
      unit,
      at,
      walk(field, unit, at, steps, { left, firstFree: true, hasMoved: false }),
    );
    if (!halts(line, walked)) continue;
    follow(line, unit, walked);
    join(groups, { from: grid.ids[at]!, walked, unit, left, isolated });
  }
  for (const group of groups) line.events.push(movedEvent(line, group));
}
