/** Leaving the board: exits of Allied units and the count that wins the game (Victory Conditions). */
import { assert } from '../../../kernel/assert.ts';
import { type ExitEdge, type ExitOrder, enemyOf, type OverlordEdge } from '../types.ts';
import { type Field, inZoneOf, isIsolated, place } from './field.ts';
import type { Emit } from './ground.ts';
import { follow, halts, type LineAtWork, mayMove, movedOn, put, refuse, unitsOf } from './line.ts';
import { allowanceOf, type Halt, POINT, points, settleWalk, walk, zoneMakers } from './movement.ts';

const EDGES: Record<ExitEdge, OverlordEdge> = { SOUTH: 'S', EAST: 'E' };

/** The edge over which a unit in `cell` may leave: the one named, else the first that fits; undefined when none does. */
export function exitEdge(field: Field, cell: number, named: ExitEdge | null): OverlordEdge | undefined {
  const { board } = field.campaign;
  const allowed = named === null ? board.exitEdges : board.exitEdges.filter((edge) => edge === EDGES[named]);
  return allowed.find((edge) => board.edgeCells[edge].includes(cell));
}

/** Quarters to leave from a cell: a point, a quarter along an entry road (OVR-30). */
export function exitCost(field: Field, cell: number): number {
  const { board } = field.campaign;
  for (const cells of board.entries.values()) if (cells.includes(cell)) return board.alongRoad;
  return POINT;
}

/** EXIT: along the path to an edge hex and off the board, in supply there (OVL-VIC-01, 02; OVR-30). */
export function runExit(line: LineAtWork, order: ExitOrder): void {
  const { field } = line.march;
  const { grid } = field.campaign.board;
  if (line.march.side !== 'allied') {
    refuse(line, 'WRONG SIDE', { verb: 'EXIT', side: 'Allied' }, 'OVL-VIC-01');
    return;
  }
  const cells = order.path.map((hex) => grid.index.get(hex)!);
  const near = (unit: number): boolean => {
    const at = field.at[unit]!;
    const first = cells[0] === at ? cells[1] : cells[0];
    return at >= 0 && (first === undefined || grid.neighbours.subarray(at * 6, at * 6 + 6).includes(first));
  };
  for (const unit of unitsOf(line, order.subject, near)) {
    if (field.table.over) return;
    if (mayMove(line, unit)) exitUnit(line, unit, cells, order.edge);
  }
}

function exitUnit(line: LineAtWork, unit: number, cells: readonly number[], named: ExitEdge | null): void {
  const { field } = line.march;
  const { grid } = field.campaign.board;
  const counter = field.campaign.units[unit]!;
  const at = field.at[unit]!;
  const steps = cells[0] === at ? cells.slice(1) : cells;
  const left = allowanceOf(field, unit);
  const walked = walk(field, unit, at, steps, { left, firstFree: true, hasMoved: false });
  const end = walked.cells.at(-1) ?? at;
  if (!walked.fault && !walked.stop) {
    const edge = exitEdge(field, end, named);
    if (!edge) {
      refuse(line, 'WRONG EDGE', { unit: counter.id, hex: grid.ids[end]!, edge: named ?? '' }, 'OVL-VIC-01');
      return;
    }
    walked.stop = exitHalt(field, unit, end, { moved: walked.cells.length > 0, spent: walked.spent, left });
    if (!walked.stop) {
      follow(line, unit, walked);
      if (isIsolated(field, unit)) {
        refuse(line, 'NOT SUPPLIED', { unit: counter.id, hex: grid.ids[end]! }, 'OVL-VIC-02');
        return;
      }
      movedOn(line, unit, at, walked, left);
      put(line, unit, 'exited');
      countExit(field, unit, end, edge, (event) => line.events.push(event));
      return;
    }
  }
  settleWalk(field, unit, at, walked);
  if (!halts(line, walked)) return;
  follow(line, unit, walked);
  movedOn(line, unit, at, walked, left);
}

/** What keeps a unit in an edge hex from leaving: an enemy zone it has just entered, or too few points. */
function exitHalt(
  field: Field,
  unit: number,
  cell: number,
  way: { moved: boolean; spent: number; left: number },
): Halt | null {
  const { id, side } = field.campaign.units[unit]!;
  const hex = field.campaign.board.grid.ids[cell]!;
  if (way.moved && inZoneOf(field, cell, enemyOf(side)))
    return {
      code: 'ZOC STOP',
      params: { unit: id, hex, to: '', by: zoneMakers(field, cell, enemyOf(side)) },
      rule: 'OVL-ZOC-02',
    };
  const cost = exitCost(field, cell);
  if (way.moved && way.spent + cost > way.left) {
    const params = { unit: id, hex, to: '', cost: points(way.spent + cost), allowance: points(way.left) };
    return { code: 'TOO FAR', params, rule: 'OVL-MOV-02' };
  }
  return null;
}

/**
 * Books a unit that has left: it counts, the Germans owe as many factors (OVL-VIC-03), and the game is won at the moment of
 * the 27th unit (OVL-VIC-08, OVR-31). The unit must have been in supply and be off the map already.
 */
function countExit(field: Field, unit: number, cell: number, edge: OverlordEdge, emit: Emit): void {
  const { table, campaign, turn } = field;
  const counter = campaign.units[unit]!;
  const hex = campaign.board.grid.ids[cell]!;
  assert(table.units[counter.id] === 'exited', `${counter.id} has not left`);
  table.exits = [...table.exits, { unit: counter.id, hex, turn }];
  const owing = table.owed.find((debt) => debt.hex === hex);
  const others = table.owed.filter((debt) => debt.hex !== hex);
  table.owed = [...others, { hex, factors: (owing?.factors ?? 0) + counter.cf }];
  const count = table.exits.length;
  const needed = campaign.data.house.unitsForVictory;
  emit({ type: 'exited', audience: 'all', rule: 'OVL-VIC-01', unit: counter.id, hex, edge, count, cf: counter.cf });
  if (count < needed || table.over) return;
  table.over = { winner: 'allied', reason: 'breakout', score: { allied: count, german: 0 } };
  emit({ type: 'victory', audience: 'all', rule: 'OVL-VIC-08', winner: 'allied', count, reason: 'breakout' });
}

/** Takes a unit off the board in a breakout. */
export function leaveBoard(field: Field, unit: number, cell: number, edge: OverlordEdge, emit: Emit): void {
  place(field, unit, 'exited');
  countExit(field, unit, cell, edge, emit);
}
