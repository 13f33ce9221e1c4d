/** Retreats: the line of least resistance, and elimination where there is none (Retreat/Blocking Terrain). */

import { edgeHas } from '../../../board/edges.ts';
import { hexDistance } from '../../../board/hex.ts';
import { known } from '../../../kernel/assert.ts';
import { asWritten } from '../../../kernel/questions.ts';
import type { Decision } from '../../../kernel/types.ts';
import { ROAD } from '../content/campaign.ts';
import { type Field, heldBy, inZoneOf, mayStack, openField, place, stackIn, supplySources } from '../field/field.ts';
import { type Emit, enterHex } from '../field/ground.ts';
import { POINT, retreatLimit, stepCost } from '../field/movement.ts';
import { enemyOf, type LossCause, type OverlordQuestion, type OverlordSide } from '../types.ts';

/** A way back. */
export interface Retreat {
  cells: number[];
  /** Quarters of a point. */
  cost: number;
  /** Every step along a road. */
  road: boolean;
}

/**
 * The cheapest ways back of `hexes` hexes, one for each hex where they end, best first by the neutral order: nearest own
 * source of supply, fewest friends, lowest hex (OVL-RET-03, 04; OVR-17, 18). Every step leads farther from the vacated hex;
 * never into enemies, their zones (OVL-ZOC-04), sea, off the map or a full last hex. Whether the unit can afford them is
 * not asked here.
 */
export function retreatWays(field: Field, unit: number, hexes: number): Retreat[] {
  const counter = field.campaign.units[unit]!;
  const { board } = field.campaign;
  const enemy = enemyOf(counter.side);
  const start = field.at[unit]!;
  const best = new Map<number, Retreat>();
  const cells: number[] = [];
  const seek = (at: number, cost: number, road: boolean): void => {
    if (cells.length === hexes) {
      const before = best.get(at);
      if (mayStack(field, unit, at) && (!before || cost < before.cost)) best.set(at, { cells: [...cells], cost, road });
      return;
    }
    for (let dir = 0; dir < 6; dir++) {
      const to = board.grid.neighbours[at * 6 + dir]!;
      if (to < 0 || board.sea[to] === 1 || hexDistance(board.grid, start, to) !== cells.length + 1) continue;
      if (heldBy(field, to, enemy) || inZoneOf(field, to, enemy)) continue;
      cells.push(to);
      seek(to, cost + stepCost(field, counter, at, to, dir), road && edgeHas(board.marks, at, dir, ROAD));
      cells.pop();
    }
  };
  seek(start, 0, true);
  const cheapest = Math.min(...[...best.values()].map((way) => way.cost));
  const sources = supplySources(field, counter.side);
  return [...best.values()]
    .filter((way) => way.cost === cheapest)
    .map((way) => ({ way, end: way.cells.at(-1)! }))
    .map(({ way, end }) => ({
      way,
      rank: [nearest(field, end, sources), stackIn(field, end).length, end] as const,
    }))
    .sort((a, b) => a.rank[0] - b.rank[0] || a.rank[1] - b.rank[1] || hexOrder(field, a.rank[2], b.rank[2]))
    .map(({ way }) => way);
}

/** Lowest hex number first, as printed. */
function hexOrder(field: Field, a: number, b: number): number {
  const { ids } = field.campaign.board.grid;
  return ids[a]! < ids[b]! ? -1 : ids[a]! > ids[b]! ? 1 : 0;
}

function nearest(field: Field, cell: number, sources: readonly number[]): number {
  return sources.reduce((least, source) => Math.min(least, hexDistance(field.campaign.board.grid, cell, source)), 999);
}

/** Cells as hex numbers with blanks between. */
export function pathText(field: Field, cells: readonly number[]): string {
  return cells.map((cell) => field.campaign.board.grid.ids[cell]!).join(' ');
}

/**
 * Retreats one unit; eliminated if it has no way. The owner chooses only between equally cheap ways (OVL-CRE-02, 03, 07, 08,
 * 10; OVR-18). True when it survived.
 */
function* retreatUnit(
  field: Field,
  unit: number,
  hexes: number,
  emit: Emit,
): Generator<OverlordQuestion[], boolean, Decision[]> {
  const counter = field.campaign.units[unit]!;
  const { ids } = field.campaign.board.grid;
  const from = field.at[unit]!;
  const ways = retreatWays(field, unit, hexes);
  if (ways.length === 0 || ways[0]!.cost > retreatLimit(field, unit)) {
    const cause = ways.length === 0 ? 'blocked' : 'too dear';
    eliminate(field, [unit], { cause, due: null, side: counter.side }, emit);
    return false;
  }
  let way = ways[0]!;
  if (ways.length > 1) {
    const options = ways.map(({ cells }) => pathText(field, cells));
    const request: OverlordQuestion = {
      id: `retreat ${counter.id} from ${ids[from]}`,
      to: counter.side,
      kind: 'retreat',
      about: {
        kind: 'retreat',
        unit: counter.id,
        from: ids[from]!,
        ways: ways.map(({ cells }) => cells.map((cell) => ids[cell]!)),
      },
      options: asWritten(options),
      min: 1,
      max: 1,
      fallback: [options[0]!],
      words: { key: 'overlord.ask retreat', params: { unit: counter.id, from: ids[from]!, hexes } },
      rule: 'OVL-RET-03',
    };
    const [decision] = yield [request];
    const chosen = options.indexOf(decision?.chosen[0] ?? '');
    way = known(ways[Math.max(0, chosen)], 'no way back');
  }
  for (const cell of way.cells) {
    place(field, unit, cell);
    enterHex(field, unit, cell, emit);
  }
  emit({
    type: 'retreated',
    audience: 'all',
    rule: 'OVL-RET-03',
    side: counter.side,
    unit: counter.id,
    from: ids[from]!,
    path: way.cells.map((cell) => ids[cell]!),
    cost: way.cost,
    mf: counter.mf * POINT,
    road: way.road,
  });
  return true;
}

/**
 * Retreats several units one after another. Who goes first is the owner's choice where it can matter, else the stronger
 * goes first (OVL-RET-03, OVL-STK-01; OVR-37). `purpose` names the battle.
 */
export function* retreatAll(
  field: Field,
  units: readonly number[],
  hexes: number,
  purpose: string,
  emit: Emit,
): Generator<OverlordQuestion[], void, Decision[]> {
  let order = strongerFirst(field, units);
  if (orderMatters(field, order, hexes)) {
    const counters = field.campaign.units;
    const names = order.map((unit) => counters[unit]!.id);
    const request: OverlordQuestion = {
      id: `first to retreat ${purpose}`,
      to: counters[order[0]!]!.side,
      kind: 'first',
      about: { kind: 'first', units: names, hexes },
      options: asWritten(names),
      min: 1,
      max: names.length,
      fallback: names,
      words: { key: 'overlord.ask first', params: { hex: purpose, hexes } },
      rule: 'OVR-37',
    };
    const [decision] = yield [request];
    const wished = [...new Set(decision?.chosen ?? [])].filter((name) => names.includes(name));
    order = [...new Set([...wished, ...names])].map((name) => order[names.indexOf(name)]!);
  }
  for (const unit of order) yield* retreatUnit(field, unit, hexes, emit);
}

function strongerFirst(field: Field, units: readonly number[]): number[] {
  const counters = field.campaign.units;
  return [...units].sort((a, b) => counters[b]!.cf - counters[a]!.cf || a - b);
}

/** Does a unit that goes later find other ways than if it had gone first? */
function orderMatters(field: Field, order: readonly number[], hexes: number): boolean {
  if (order.length < 2) return false;
  const found = (at: Field, unit: number): string =>
    retreatWays(at, unit, hexes)
      .map((way) => way.cells)
      .join('|');
  const first = order.map((unit) => found(field, unit));
  const scratch = openField(field.campaign, structuredClone(field.table), field.turn);
  const silent: Emit = () => undefined;
  return order.some((unit, i) => {
    const changed = found(scratch, unit) !== first[i];
    const run = retreatUnit(scratch, unit, hexes, silent);
    let step = run.next();
    while (!step.done)
      step = run.next(step.value.map(({ id, fallback }) => ({ id, chosen: fallback, by: 'fallback' as const })));
    return changed;
  });
}

const RULES: Record<LossCause, string> = {
  exchange: 'OVL-CRE-05',
  attack: 'OVL-CRE-01',
  defence: 'OVL-CRE-12',
  blocked: 'OVL-ZOC-04',
  'too dear': 'OVL-RET-01',
};

/** Takes units off the map for good, except for replacements. */
export function eliminate(
  field: Field,
  units: readonly number[],
  why: { cause: LossCause; due: number | null; side: OverlordSide },
  emit: Emit,
): void {
  if (units.length === 0) return;
  const { campaign } = field;
  const hexes = units.map((unit) => campaign.board.grid.ids[field.at[unit]!]!);
  for (const unit of units) place(field, unit, 'lost');
  emit({
    type: 'lost',
    audience: 'all',
    rule: RULES[why.cause],
    side: why.side,
    units: units.map((unit) => campaign.units[unit]!.id),
    hexes,
    cause: why.cause,
    due: why.due,
    factors: units.reduce((sum, unit) => sum + campaign.units[unit]!.cf, 0),
  });
}
