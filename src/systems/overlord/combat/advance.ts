/** Advances after combat and breakouts (Explanation of Combat Results; Breakout Restriction). */
import { directionTo } from '../../../board/hex.ts';
import type { Decision } from '../../../kernel/types.ts';
import { exitCost, exitEdge, leaveBoard } from '../field/exit.ts';
import { type Field, heldBy, inZoneOf, isIsolated, mayStack, place, stackIn } from '../field/field.ts';
import { type Emit, enterHex } from '../field/ground.ts';
import {
  allowanceOf,
  type Halt,
  type HexWalk,
  notAdjacent,
  POINT,
  points,
  settleWalk,
  walk,
  zoneMakers,
} from '../field/movement.ts';
import {
  type AttackOrder,
  type ExitEdge,
  enemyOf,
  type OverlordEdge,
  type OverlordQuestion,
  type Result,
  type UnitPath,
} from '../types.ts';
import type { OrderedBattle } from './attacks.ts';

/** Hexes that attackers may advance after each result; breakout is counted in points instead (OVL-CRE-03 to 11). */
export const ADVANCE_HEXES: Record<string, number> = { EXCH: 1, 'D BK 2': 1, 'D BK 3': 2 };

/** `US1/1 -> 2110 2211 SOUTH`, as a clause, an answer or doctrine gives it. */
export interface Advance {
  unit: string;
  path: string[];
  edge: ExitEdge | null;
}

/** An advance as one line of text: what a decision holds. */
export function advanceText({ unit, path, edge }: Advance): string {
  return `${unit} -> ${[...path, ...(edge ? [edge] : [])].join(' ')}`;
}

/** Reads what `advanceText` wrote. */
function readAdvance(text: string): Advance {
  const [unit, way] = text.split(' -> ');
  const words = (way ?? '').split(' ').filter((word) => word !== '');
  const last = words.at(-1);
  const edge = last === 'SOUTH' || last === 'EAST' ? last : null;
  return { unit: unit ?? '', path: edge ? words.slice(0, -1) : words, edge };
}

function request(
  field: Field,
  battle: OrderedBattle,
  kind: 'advance' | 'breakout',
  units: readonly number[],
  params: Record<string, string | number | string[]>,
): OverlordQuestion {
  const { campaign } = field;
  const hex = battle.order.target;
  const word = kind === 'advance' ? 'ADVANCE' : 'BREAKOUT';
  const names = units.map((unit) => campaign.units[unit]!.id);
  return {
    id: `${kind} at ${attackName(battle.order)} line ${battle.order.line}`,
    to: campaign.units[units[0]!]!.side,
    kind,
    about: { kind, attack: attackName(battle.order), target: hex, line: battle.order.line, units: names },
    options: [],
    form: names.map((name) => `${word} ${name} -> ${hex}`),
    min: 0,
    max: units.length,
    fallback: [],
    words: { key: `overlord.ask ${kind}`, params: { hex, ...params } },
    rule: kind === 'advance' ? 'OVL-CRE-09' : 'OVL-CRE-13',
  };
}

/** An attack as questions and dice name it: the hex, and who is fought when not everybody is. */
export function attackName({ target, only }: AttackOrder): string {
  return [target, ...only].join(' ');
}

/**
 * The paths an ATTACK line gives for its result: BREAKOUT serves a breakout, ADVANCE an advance, and each serves for the
 * other where that is not written (OVR-38).
 */
export function pathsFor(order: AttackOrder, breakout: boolean): readonly UnitPath[] {
  const [own, other] = breakout ? [order.breakout, order.advance] : [order.advance, order.breakout];
  return own.length > 0 ? own : other;
}

/** One battle whose winners may go on. */
interface Following {
  field: Field;
  battle: OrderedBattle;
  /** The attackers that are left. */
  attackers: readonly number[];
  emit: Emit;
}

/** Who follows a beaten enemy by this result, and what of the line's clause comes to nothing. */
export function* followUp(
  following: Following,
  result: Result,
  roll: () => number,
): Generator<OverlordQuestion[], void, Decision[]> {
  const { field, battle, attackers } = following;
  const { units } = field.campaign;
  const breakout = result === 'D ELIM';
  const hexes = ADVANCE_HEXES[result] ?? 0;
  const wished = pathsFor(battle.order, breakout).map(({ unit }) => unit);
  const gone = wished.filter((name) => {
    const unit = field.campaign.unitIndex.get(name);
    return unit !== undefined && !attackers.includes(unit);
  });
  if (gone.length > 0) tellShort(following, gone, { code: 'gone', params: {}, rule: 'OVL-CRE-09' });
  if (attackers.length === 0) return;
  const enemies = stackIn(field, battle.target).map((unit) => units[unit]!);
  if (!breakout && hexes === 0) {
    if (wished.length > 0) tellShort(following, wished, { code: 'no advance', params: { result }, rule: 'OVL-CRE-03' });
    return;
  }
  // A hex that is not empty of enemies is not entered (OVR-21).
  if (enemies.some(({ side }) => side !== units[attackers[0]!]!.side)) {
    const params = { enemies: enemies.map(({ id }) => id) };
    tellShort(following, wished, { code: breakout ? 'no breakout' : 'hex not empty', params, rule: 'OVR-21' });
    return;
  }
  if (breakout) yield* breakoutAfter(following, roll);
  else yield* advanceAfter(following, hexes);
}

/** Tells the owner which of his units stay or stop, and why. */
function tellShort({ field, battle, emit }: Following, units: readonly string[], halt: Halt): void {
  const { side } = field.campaign.units[battle.attackers[0]!]!;
  const { code, params, rule } = halt;
  const hex = battle.order.target;
  emit({ type: 'advance-short', audience: [side], rule, units: [...units], hex, code, params });
}

/** After EXCH, D BK 2 and D BK 3: who follows, and where (OVR-19). */
function* advanceAfter(following: Following, hexes: number): Generator<OverlordQuestion[], void, Decision[]> {
  const { field, battle, attackers } = following;
  const [decision] = yield [request(field, battle, 'advance', attackers, { hexes })];
  const left = new Set(attackers);
  for (const text of decision?.chosen ?? []) {
    const { unit, path } = readAdvance(text);
    const index = field.campaign.unitIndex.get(unit) ?? -1;
    if (!left.delete(index)) continue;
    advanceUnit(following, index, path.slice(0, hexes));
  }
}

function advanceUnit(following: Following, unit: number, path: readonly string[]): void {
  const { field, battle, emit } = following;
  const { grid } = field.campaign.board;
  const counter = field.campaign.units[unit]!;
  const start = field.at[unit]!;
  const cells: number[] = [];
  let halt: Halt | null = null;
  for (const hex of path) {
    const at = cells.at(-1) ?? start;
    halt = stepHalt(following, unit, at, grid.index.get(hex)!, cells.length === 0);
    if (halt) break;
    cells.push(grid.index.get(hex)!);
  }
  while (cells.length > 0 && !mayStack(field, unit, cells.at(-1)!)) halt = fullStack(field, unit, cells.pop()!);
  for (const cell of cells) {
    place(field, unit, cell);
    enterHex(field, unit, cell, emit);
  }
  if (cells.length > 0) {
    const told = { side: counter.side, unit: counter.id, from: grid.ids[start]!, path: cells.map((c) => grid.ids[c]!) };
    const stopped = halt?.code ?? null;
    emit({ type: 'advanced', audience: 'all', rule: 'OVL-CRE-09', ...told, breakout: false, cost: null, stopped });
  }
  if (halt) tellShort({ ...following, battle }, [counter.id], halt);
}

/** Why an advance does not take a step: the first leads into the vacated hex, later ones stop in enemy zones (OVR-19). */
function stepHalt({ field, battle }: Following, unit: number, at: number, to: number, first: boolean): Halt | null {
  const { board, units } = field.campaign;
  const { ids } = board.grid;
  const { id, side } = units[unit]!;
  const enemy = enemyOf(side);
  if (first ? to !== battle.target : directionTo(board.grid, at, to) < 0)
    return { code: 'NOT ADJACENT', params: notAdjacent(field, id, at, to), rule: 'OVL-MOV-01' };
  if (board.sea[to] === 1) return { code: 'SEA', params: { unit: id, hex: ids[to]! }, rule: 'OVR-14' };
  if (heldBy(field, to, enemy)) {
    const enemies = stackIn(field, to).map((index) => units[index]!.id);
    return { code: 'ENEMY IN HEX', params: { unit: id, hex: ids[to]!, enemies }, rule: 'OVL-CBT-01' };
  }
  if (!first && inZoneOf(field, at, enemy)) {
    const params = { unit: id, hex: ids[at]!, to: ids[to]!, by: zoneMakers(field, at, enemy) };
    return { code: 'ZOC STOP', params, rule: 'OVL-ZOC-02' };
  }
  return null;
}

function fullStack(field: Field, unit: number, cell: number): Halt {
  const { units, board } = field.campaign;
  const there = stackIn(field, cell).filter((other) => other !== unit);
  const params = { unit: units[unit]!.id, hex: board.grid.ids[cell]!, there: there.map((other) => units[other]!.id) };
  return { code: 'STACK FULL', params, rule: 'OVL-STK-01' };
}

/** What each attacker may spend in a breakout: the die, at most its own movement now (OVL-CRE-13, 14, 16; OVR-20). */
export function breakoutAllowance(field: Field, unit: number, die: number): number {
  return Math.min(die * POINT, allowanceOf(field, unit));
}

/** After D ELIM: one die, then the ways the attackers take with it (OVL-CRE-13 to 16). */
function* breakoutAfter(following: Following, roll: () => number): Generator<OverlordQuestion[], void, Decision[]> {
  const { field, battle, attackers, emit } = following;
  const die = roll();
  const quarters = new Map(attackers.map((unit) => [unit, breakoutAllowance(field, unit, die)]));
  const allowances = attackers.map((unit) => ({ unit: field.campaign.units[unit]!.id, quarters: quarters.get(unit)! }));
  emit({ type: 'breakout-roll', audience: 'all', rule: 'OVL-CRE-13', hex: battle.order.target, die, allowances });
  const [decision] = yield [request(field, battle, 'breakout', attackers, { die })];
  const left = new Set(attackers);
  for (const text of decision?.chosen ?? []) {
    if (field.table.over) return;
    const advance = readAdvance(text);
    const unit = field.campaign.unitIndex.get(advance.unit) ?? -1;
    if (!left.delete(unit)) continue;
    breakOut(following, unit, advance, quarters.get(unit)!);
  }
}

function breakOut(following: Following, unit: number, advance: Advance, allowance: number): void {
  const { field, battle, emit } = following;
  const { grid } = field.campaign.board;
  const counter = field.campaign.units[unit]!;
  const at = field.at[unit]!;
  const path = advance.path.map((hex) => grid.index.get(hex)!);
  if (path[0] !== battle.target) return;
  const walked = walk(field, unit, at, path, { left: allowance, firstFree: false, hasMoved: false });
  const whole = walked.cells.length === path.length;
  // What can't be walked ends the breakout; the part before it stands.
  walked.stop ??= walked.fault;
  walked.fault = null;
  const end = walked.cells.at(-1) ?? at;
  const leaving = advance.edge && whole ? leavingBy(field, unit, end, advance.edge, walked.spent, allowance) : null;
  if (leaving && 'code' in leaving) walked.stop = leaving;
  const edge = leaving && 'edge' in leaving ? leaving.edge : undefined;
  // Whoever leaves needs no room in the last hex.
  if (edge === undefined) findRoom(field, unit, at, walked);
  for (const cell of walked.cells) {
    place(field, unit, cell);
    enterHex(field, unit, cell, emit);
  }
  const held = edge !== undefined ? heldAtEdge(field, unit, end) : null;
  if (held) {
    walked.stop = held;
    findRoom(field, unit, at, walked);
    if (walked.cells.at(-1) !== end) place(field, unit, walked.cells.at(-1) ?? at);
  }
  const { cells, spent, stop } = walked;
  if (cells.length > 0) {
    const told = { side: counter.side, unit: counter.id, from: grid.ids[at]!, path: cells.map((c) => grid.ids[c]!) };
    const stopped = stop?.code ?? null;
    emit({ type: 'advanced', audience: 'all', rule: 'OVL-CRE-13', ...told, breakout: true, cost: spent, stopped });
  }
  if (stop) tellShort(following, [counter.id], stop);
  if (edge !== undefined && !held) leaveBoard(field, unit, end, edge, emit);
}

/** The edge by which a unit leaves at the end of its breakout, or why it stays (OVR-30). */
function leavingBy(
  field: Field,
  unit: number,
  end: number,
  named: ExitEdge,
  spent: number,
  allowance: number,
): { edge: OverlordEdge } | Halt {
  const { id, side } = field.campaign.units[unit]!;
  const hex = field.campaign.board.grid.ids[end]!;
  const edge = side === 'allied' ? exitEdge(field, end, named) : undefined;
  if (edge === undefined) return { code: 'WRONG EDGE', params: { unit: id, hex, edge: named }, rule: 'OVL-VIC-01' };
  const cost = spent + exitCost(field, end);
  if (cost <= allowance) return { edge };
  const params = { unit: id, hex, to: '', cost: points(cost), allowance: points(allowance) };
  return { code: 'TOO FAR', params, rule: 'OVL-MOV-02' };
}

/** The part of a breakout that ends in a hex with room (OVL-STK-01). */
function findRoom(field: Field, unit: number, at: number, walked: HexWalk): void {
  const end = walked.cells.at(-1);
  if (end === undefined) return;
  const full = fullStack(field, unit, end);
  const { hex } = full.params;
  if (!mayStack(field, unit, end)) walked.stop ??= full;
  settleWalk(field, unit, at, walked);
  // The hex that is full is named, not the one where the unit stays.
  if (walked.stop === full) walked.stop.params.hex = hex!;
}

/** Why a unit that stands in an edge hex may not leave the board in a breakout: an enemy zone, or no supply there (OVR-30). */
function heldAtEdge(field: Field, unit: number, cell: number): Halt | null {
  const { id, side } = field.campaign.units[unit]!;
  const params = { unit: id, hex: field.campaign.board.grid.ids[cell]! };
  const enemy = enemyOf(side);
  if (inZoneOf(field, cell, enemy))
    return { code: 'ZOC STOP', params: { ...params, to: '', by: zoneMakers(field, cell, enemy) }, rule: 'OVL-ZOC-02' };
  return isIsolated(field, unit) ? { code: 'NOT SUPPLIED', params, rule: 'OVL-VIC-02' } : null;
}
