/** Movement: what a unit has to spend, what a step costs, and how far along a path it gets. All in quarters of a point. */
import { edgeHas } from '../../../board/edges.ts';
import { directionTo } from '../../../board/hex.ts';
import { mixed } from '../../../kernel/fraction.ts';
import { isPureArmor, RIVER, ROAD } from '../content/campaign.ts';
import { enemyOf, type OverlordUnit } from '../types.ts';
import { type Field, heldBy, inZoneOf, isIsolated, mayStack } from './field.ts';

/** Quarters in one movement point. */
export const POINT = 4;

/** Where and why a path ended early or cannot be taken. `code` is the diagnostic's code. */
export interface Halt {
  code: string;
  params: Record<string, string | number | string[]>;
  rule: string;
}

/** How far a unit gets along a path. */
export interface HexWalk {
  /** Cells entered, the start not included. */
  cells: number[];
  /** Quarters spent on each. */
  costs: number[];
  spent: number;
  /** Why the rest of the path is not walked: the part before stands. */
  stop: Halt | null;
  /** The path cannot be taken at all. */
  fault: Halt | null;
}

/** Points as players read them: 9 quarters are `2¼`. */
export function points(quarters: number): string {
  return mixed(quarters, POINT);
}

/**
 * What a unit may spend now: its factor, halved while isolated (OVL-SUP-03, 10), then one less for Germans on turn one
 * (OVL-CLR-11, OVR-29).
 */
export function allowanceOf(field: Field, unit: number): number {
  const counter = field.campaign.units[unit]!;
  const halved = isIsolated(field, unit) ? 2 : POINT;
  return confused(field, counter, counter.mf * halved);
}

/** Takes off the point the Germans lose on turn one. */
function confused(field: Field, counter: OverlordUnit, quarters: number): number {
  return counter.side === 'german' && field.turn === 1 ? Math.max(0, quarters - POINT) : quarters;
}

/** The factor that limits a retreat: halved while isolated, no turn-one penalty (OVR-17). */
export function retreatLimit(field: Field, unit: number): number {
  return field.campaign.units[unit]!.mf * (isIsolated(field, unit) ? 2 : POINT);
}

/**
 * The least cost of one step between neighbours (OVL-TMV-01 to 09): along a road, or beside it at the cost of terrain and
 * river where interdiction makes the road dearer. A road never makes a hex dearer than none (OVR-13).
 */
export function stepCost(field: Field, unit: OverlordUnit, from: number, to: number, dir: number): number {
  const { board } = field.campaign;
  const terrain = isPureArmor(unit) ? board.enterArmor[to]! : board.enter[to]!;
  const beside = terrain + (edgeHas(board.marks, from, dir, RIVER) ? board.crossRiver : 0);
  return edgeHas(board.marks, from, dir, ROAD) ? Math.min(roadCost(field, unit, to), beside) : beside;
}

/** A quarter instead of terrain and river (OVR-12), plus a point for each interdiction factor on the hex (OVL-EXM-05). */
function roadCost(field: Field, unit: OverlordUnit, to: number): number {
  const { board, data } = field.campaign;
  return board.alongRoad + interdictionCost(field, unit, to, data.house);
}

function interdictionCost(
  field: Field,
  unit: OverlordUnit,
  to: number,
  house: { interdiction: { pointsPerFactor: number } },
): number {
  if (unit.side !== 'german') return 0;
  const factors = field.table.interdiction[field.campaign.board.grid.ids[to]!] ?? 0;
  return factors * house.interdiction.pointsPerFactor * POINT;
}

/** What holds for one walk. */
export interface HexWalkRules {
  /** Quarters the unit may still spend. */
  left: number;
  /** The first hex may be entered at any cost (OVL-MOV-04, OVR-15). */
  firstFree: boolean;
  /** It has already entered a hex this turn (landing, entering): a zone it stands in stops it. */
  hasMoved: boolean;
}

/**
 * Follows a path from a cell, by road where there is one, as in the printed example (OVL-EXM-05). A unit that would not get
 * to the end so leaves the road where the ground beside it is cheaper (OVR-13).
 */
export function walk(field: Field, unit: number, start: number, path: readonly number[], rules: HexWalkRules): HexWalk {
  const byRoad = walkBy(field, unit, start, path, rules, true);
  return byRoad.stop?.code === 'TOO FAR' ? walkBy(field, unit, start, path, rules, false) : byRoad;
}

/**
 * Follows a path step by step. Enemy zones stop the unit in the hex where it enters them; leaving one is free,
 * and from zone to zone it goes only as its sole hex (OVL-ZOC-02, 05, 06; OVR-14).
 */
function walkBy(
  field: Field,
  unit: number,
  start: number,
  path: readonly number[],
  rules: HexWalkRules,
  road: boolean,
): HexWalk {
  const counter = field.campaign.units[unit]!;
  const { board } = field.campaign;
  const enemy = enemyOf(counter.side);
  const ids = board.grid.ids;
  const result: HexWalk = { cells: [], costs: [], spent: 0, stop: null, fault: null };
  let at = start;
  let moved = rules.hasMoved;
  for (const to of path) {
    const dir = directionTo(board.grid, at, to);
    if (dir < 0) return faulty(result, 'NOT ADJACENT', notAdjacent(field, counter.id, at, to), 'OVL-MOV-01');
    if (board.sea[to] === 1) return faulty(result, 'SEA', { unit: counter.id, hex: ids[to]! }, 'OVR-14');
    if (heldBy(field, to, enemy)) {
      const who = field.stacks[to]!.map((index) => field.campaign.units[index]!.id);
      return faulty(result, 'ENEMY IN HEX', { unit: counter.id, hex: ids[to]!, enemies: who }, 'OVL-CBT-01');
    }
    if (moved && inZoneOf(field, at, enemy)) {
      const params = { unit: counter.id, hex: ids[at]!, to: ids[to]!, by: zoneMakers(field, at, enemy) };
      result.stop = { code: 'ZOC STOP', params, rule: 'OVL-ZOC-02' };
      return result;
    }
    const along = road && edgeHas(board.marks, at, dir, ROAD);
    const cost = along ? roadCost(field, counter, to) : stepCost(field, counter, at, to, dir);
    const first = rules.firstFree && result.cells.length === 0;
    if (result.spent + cost > rules.left && !first) {
      const params = {
        unit: counter.id,
        hex: ids[at]!,
        to: ids[to]!,
        cost: points(result.spent + cost),
        allowance: points(rules.left),
      };
      result.stop = { code: 'TOO FAR', params, rule: 'OVL-MOV-02' };
      return result;
    }
    result.cells.push(to);
    result.costs.push(cost);
    result.spent += cost;
    at = to;
    moved = true;
  }
  return result;
}

/** What a NOT ADJACENT message names: the two hexes, and the land hexes next to the first. */
export function notAdjacent(field: Field, unit: string, from: number, to: number): Halt['params'] {
  const { grid, sea } = field.campaign.board;
  const near: string[] = [];
  for (let dir = 0; dir < 6; dir++) {
    const cell = grid.neighbours[from * 6 + dir]!;
    if (cell >= 0 && sea[cell] === 0) near.push(grid.ids[cell]!);
  }
  return { unit, from: grid.ids[from]!, to: grid.ids[to]!, near: near.sort((a, b) => (a < b ? -1 : 1)) };
}

function faulty(result: HexWalk, code: string, params: Halt['params'], rule: string): HexWalk {
  result.fault = { code, params, rule };
  return result;
}

/** The units of `side` that have the cell in their zone. */
export function zoneMakers(field: Field, cell: number, side: 'german' | 'allied'): string[] {
  const { grid } = field.campaign.board;
  const makers: string[] = [];
  for (let dir = 0; dir < 6; dir++) {
    const near = grid.neighbours[cell * 6 + dir]!;
    if (near >= 0 && heldBy(field, near, side))
      for (const unit of field.stacks[near]!) makers.push(field.campaign.units[unit]!.id);
  }
  return makers;
}

/**
 * Where a walk that ended may leave the unit. A path walked to its end must end in a hex that has room: else it is a fault
 * (OVL-STK-01). A path cut short falls back to its last hex with room.
 */
export function settleWalk(field: Field, unit: number, start: number, walked: HexWalk): HexWalk {
  if (walked.fault || walked.cells.length === 0) return walked;
  const end = walked.cells.at(-1)!;
  if (mayStack(field, unit, end)) return walked;
  const { ids } = field.campaign.board.grid;
  const { id } = field.campaign.units[unit]!;
  if (!walked.stop) {
    const there = (field.stacks[end] ?? []).map((index) => field.campaign.units[index]!.id);
    walked.fault = { code: 'STACK FULL', params: { unit: id, hex: ids[end]!, there }, rule: 'OVL-STK-01' };
    return walked;
  }
  while (walked.cells.length > 0 && !mayStack(field, unit, walked.cells.at(-1)!)) {
    walked.cells.pop();
    walked.spent -= walked.costs.pop()!;
  }
  walked.stop.params.hex = ids[walked.cells.at(-1) ?? start]!;
  return walked;
}
