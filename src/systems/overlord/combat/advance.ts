/** Advances after combat and breakouts (Explanation of Combat Results; Breakout Restriction). */
import { directionTo } from '../../../board/hex.ts';
import type { Decision, DecisionRequest } from '../../../kernel/types.ts';
import { exitCost, exitEdge, leaveBoard } from '../field/exit.ts';
import { type Field, heldBy, inZoneOf, isIsolated, mayStack, place } from '../field/field.ts';
import { type Emit, enterHex } from '../field/ground.ts';
import { allowanceOf, type Halt, POINT, settleWalk, type Walk, walk } from '../field/movement.ts';
import { type ExitEdge, enemyOf } from '../types.ts';
import type { Battle } from './attacks.ts';

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
export function readAdvance(text: string): Advance {
  const [unit, way] = text.split(' -> ');
  const words = (way ?? '').split(' ').filter((word) => word !== '');
  const last = words.at(-1);
  const edge = last === 'SOUTH' || last === 'EAST' ? last : null;
  return { unit: unit ?? '', path: edge ? words.slice(0, -1) : words, edge };
}

function request(
  field: Field,
  battle: Battle,
  kind: 'advance' | 'breakout',
  units: readonly number[],
  params: Record<string, string | number | string[]>,
): DecisionRequest {
  const { campaign } = field;
  const hex = battle.order.target;
  const word = kind === 'advance' ? 'ADVANCE' : 'BREAKOUT';
  return {
    id: `${kind} at ${hex} line ${battle.order.line}`,
    to: campaign.units[units[0]!]!.side,
    kind,
    options: [],
    form: units.map((unit) => `${word} ${campaign.units[unit]!.id} -> ${hex}`),
    min: 0,
    max: units.length,
    fallback: [],
    words: { key: `overlord.ask ${kind}`, params: { hex, ...params } },
    rule: kind === 'advance' ? 'OVL-CRE-09' : 'OVL-CRE-13',
  };
}

/** After EXCH, D BK 2 and D BK 3: who follows, and where (OVR-19). Nothing if enemies are left in the hex (OVR-21). */
export function* advanceAfter(
  field: Field,
  battle: Battle,
  attackers: readonly number[],
  hexes: number,
  emit: Emit,
): Generator<DecisionRequest[], void, Decision[]> {
  const { side } = field.campaign.units[battle.attackers[0]!]!;
  if (hexes === 0 || attackers.length === 0 || heldBy(field, battle.target, enemyOf(side))) return;
  const [decision] = yield [request(field, battle, 'advance', attackers, { hexes })];
  const left = new Set(attackers);
  for (const text of decision?.chosen ?? []) {
    const { unit, path } = readAdvance(text);
    const index = field.campaign.unitIndex.get(unit) ?? -1;
    if (!left.delete(index)) continue;
    advanceUnit(field, index, battle.target, path.slice(0, hexes), emit);
  }
}

function advanceUnit(field: Field, unit: number, target: number, path: readonly string[], emit: Emit): void {
  const { grid, sea } = field.campaign.board;
  const counter = field.campaign.units[unit]!;
  const enemy = enemyOf(counter.side);
  const from = grid.ids[field.at[unit]!]!;
  let at = field.at[unit]!;
  let stopped: string | null = null;
  const cells: number[] = [];
  for (const hex of path) {
    const to = grid.index.get(hex)!;
    const first = cells.length === 0;
    if (first ? to !== target : directionTo(grid, at, to) < 0 || sea[to] === 1 || heldBy(field, to, enemy)) break;
    if (!first && inZoneOf(field, at, enemy)) {
      stopped = 'ZOC STOP';
      break;
    }
    cells.push(to);
    at = to;
  }
  while (cells.length > 0 && !mayStack(field, unit, cells.at(-1)!)) {
    cells.pop();
    stopped = 'STACK FULL';
  }
  if (cells.length === 0) return;
  for (const cell of cells) {
    place(field, unit, cell);
    enterHex(field, unit, cell, emit);
  }
  const told = { side: counter.side, unit: counter.id, from, path: cells.map((cell) => grid.ids[cell]!) };
  emit({ type: 'advanced', audience: 'all', rule: 'OVL-CRE-09', ...told, breakout: false, cost: null, stopped });
}

/** What each attacker may spend in a breakout: the die, at most its own movement now (OVL-CRE-13, 14, 16; OVR-20). */
export function breakoutAllowance(field: Field, unit: number, die: number): number {
  return Math.min(die * POINT, allowanceOf(field, unit));
}

/** After D ELIM: one die, then the ways the attackers take with it (OVL-CRE-13 to 16). */
export function* breakoutAfter(
  field: Field,
  battle: Battle,
  attackers: readonly number[],
  roll: () => number,
  emit: Emit,
): Generator<DecisionRequest[], void, Decision[]> {
  const { side } = field.campaign.units[battle.attackers[0]!]!;
  if (attackers.length === 0 || heldBy(field, battle.target, enemyOf(side))) return;
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
    breakOut(field, unit, battle.target, advance, quarters.get(unit)!, emit);
  }
}

function breakOut(field: Field, unit: number, target: number, advance: Advance, allowance: number, emit: Emit): void {
  const { grid } = field.campaign.board;
  const counter = field.campaign.units[unit]!;
  const at = field.at[unit]!;
  const path = advance.path.map((hex) => grid.index.get(hex)!);
  if (path[0] !== target) return;
  const walked = walk(field, unit, at, path, { left: allowance, firstFree: false, hasMoved: false });
  const whole = walked.cells.length === path.length;
  // What can't be walked ends the breakout; the part before it stands.
  walked.stop ??= walked.fault;
  walked.fault = null;
  const end = walked.cells.at(-1) ?? at;
  const edge = advance.edge && whole && counter.side === 'allied' ? exitEdge(field, end, advance.edge) : undefined;
  const near = edge !== undefined && walked.spent + exitCost(field, end) <= allowance;
  // Whoever leaves needs no room in the last hex.
  if (!near) findRoom(field, unit, at, walked);
  if (walked.cells.length === 0) return;
  for (const cell of walked.cells) {
    place(field, unit, cell);
    enterHex(field, unit, cell, emit);
  }
  const held = near ? heldAtEdge(field, unit, end) : null;
  if (held) {
    walked.stop = held;
    findRoom(field, unit, at, walked);
    if (walked.cells.at(-1) !== end) place(field, unit, walked.cells.at(-1) ?? at);
    if (walked.cells.length === 0) return;
  }
  const told = {
    side: counter.side,
    unit: counter.id,
    from: grid.ids[at]!,
    path: walked.cells.map((cell) => grid.ids[cell]!),
  };
  const stopped = walked.stop?.code ?? null;
  emit({ type: 'advanced', audience: 'all', rule: 'OVL-CRE-13', ...told, breakout: true, cost: walked.spent, stopped });
  if (near && !held) leaveBoard(field, unit, end, edge, emit);
}

/** The part of a breakout that ends in a hex with room (OVL-STK-01). */
function findRoom(field: Field, unit: number, at: number, walked: Walk): void {
  const { grid } = field.campaign.board;
  const end = walked.cells.at(-1);
  if (end === undefined) return;
  if (!mayStack(field, unit, end)) {
    const params = { unit: field.campaign.units[unit]!.id, hex: grid.ids[end]! };
    walked.stop ??= { code: 'STACK FULL', params, rule: 'OVL-STK-01' };
  }
  settleWalk(field, unit, at, walked);
}

/** Why a unit that stands in an edge hex may not leave the board in a breakout: an enemy zone, or no supply there (OVR-30). */
function heldAtEdge(field: Field, unit: number, cell: number): Halt | null {
  const { id, side } = field.campaign.units[unit]!;
  const params = { unit: id, hex: field.campaign.board.grid.ids[cell]! };
  if (inZoneOf(field, cell, enemyOf(side))) return { code: 'ZOC STOP', params, rule: 'OVL-ZOC-02' };
  return isIsolated(field, unit) ? { code: 'NOT SUPPLIED', params, rule: 'OVL-VIC-02' } : null;
}
