/** Cheapest ways over a grid, by a bucket queue: costs are small whole numbers, so no heap is needed. */
import { assert } from '../kernel/assert.ts';
import type { HexGrid } from './hex.ts';

/** Largest cost a flood may be asked for. */
export const FLOOD_COST_MAX = 20_000;

export interface Flood {
  /** Cheapest cost by cell; -1 where nothing reaches. */
  cost: Int32Array;
  /** The cell before this one on the cheapest way; -1 at the start and where nothing reaches. */
  from: Int16Array;
}

/**
 * Cheapest costs from the start cells outward. `step` gives the cost of entering `to` from its neighbour `from` in
 * direction `dir` (0 or more), or -1 where that is forbidden. Nothing beyond `limit` is visited. Of equally cheap ways the
 * first found stands: starts in the order given, directions clockwise.
 */
export function flood(
  grid: HexGrid,
  starts: readonly number[],
  limit: number,
  step: (from: number, to: number, dir: number) => number,
): Flood {
  assert(limit >= 0 && limit <= FLOOD_COST_MAX, `no flood to cost ${limit}`);
  const cost = new Int32Array(grid.size).fill(-1);
  const from = new Int16Array(grid.size).fill(-1);
  const buckets: number[][] = [];
  const put = (cell: number, at: number): void => {
    const bucket = buckets[at];
    if (bucket) bucket.push(cell);
    else buckets[at] = [cell];
  };
  for (const start of starts) {
    cost[start] = 0;
    put(start, 0);
  }
  for (let at = 0; at < buckets.length; at++) {
    const bucket = buckets[at];
    if (!bucket) continue;
    // A step of cost 0 lands in the bucket being read, so its length may grow.
    for (let i = 0; i < bucket.length; i++) {
      const cell = bucket[i]!;
      if (cost[cell] !== at) continue;
      for (let dir = 0; dir < 6; dir++) {
        const to = grid.neighbours[cell * 6 + dir]!;
        if (to < 0) continue;
        const price = step(cell, to, dir);
        if (price < 0) continue;
        const total = at + price;
        if (total > limit || (cost[to]! >= 0 && cost[to]! <= total)) continue;
        cost[to] = total;
        from[to] = cell;
        put(to, total);
      }
    }
  }
  return { cost, from };
}

/** The cells of the cheapest way to `cell`, start and end included; undefined where nothing reaches. */
export function pathTo(found: Flood, cell: number): number[] | undefined {
  if (found.cost[cell]! < 0) return undefined;
  const path = [cell];
  for (let at = found.from[cell]!; at >= 0; at = found.from[at]!) path.push(at);
  return path.reverse();
}
