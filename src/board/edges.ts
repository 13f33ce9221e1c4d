/** Marks on hexsides (rivers, roads, cliffs), one byte of flags a side, the same seen from both cells. */
import { assert } from '../kernel/assert.ts';
import { directionTo, type HexGrid } from './hex.ts';

/** Flags by cell and direction: `marks[cell * 6 + direction]`. */
export type EdgeMarks = Uint8Array;

/** No marks yet. */
export function edgeMarks(grid: HexGrid): EdgeMarks {
  return new Uint8Array(grid.size * 6);
}

/** Sets `flag` (a bit) on the side between two neighbours, seen from both. Throws when they are not neighbours. */
export function markEdge(grid: HexGrid, marks: EdgeMarks, a: number, b: number, flag: number): void {
  const there = directionTo(grid, a, b);
  assert(there >= 0, `no side between ${grid.ids[a]} and ${grid.ids[b]}`);
  marks[a * 6 + there]! |= flag;
  marks[b * 6 + ((there + 3) % 6)]! |= flag;
}

/** Has the side of `cell` in `direction` the flag? */
export function edgeHas(marks: EdgeMarks, cell: number, direction: number, flag: number): boolean {
  return (marks[cell * 6 + direction]! & flag) !== 0;
}
