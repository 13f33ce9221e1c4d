/** Lines of supply: what can be reached from the sources over open cells. */
import type { HexGrid } from './hex.ts';

/**
 * 1 for every cell joined to a source by open cells, 0 elsewhere. A source that is not open itself supplies nobody.
 * One flood serves all units of a side until something moves.
 */
export function reach(grid: HexGrid, sources: readonly number[], open: (cell: number) => boolean): Uint8Array {
  const reached = new Uint8Array(grid.size);
  const queue = new Int16Array(grid.size);
  let filled = 0;
  for (const source of sources) {
    if (reached[source] === 1 || !open(source)) continue;
    reached[source] = 1;
    queue[filled++] = source;
  }
  const { neighbours } = grid;
  for (let i = 0; i < filled; i++) {
    const first = queue[i]! * 6;
    for (let side = first; side < first + 6; side++) {
      const near = neighbours[side]!;
      if (near < 0 || reached[near] === 1 || !open(near)) continue;
      reached[near] = 1;
      queue[filled++] = near;
    }
  }
  return reached;
}
