/** Lines of supply: what can be reached from the sources over open cells. */
import type { HexGrid } from './hex.ts';

/**
 * 1 for every cell joined to a source by open cells, 0 elsewhere. A source that is not open itself supplies nobody.
 * One flood serves all units of a side until something moves.
 */
export function reach(grid: HexGrid, sources: readonly number[], open: (cell: number) => boolean): Uint8Array {
  const reached = new Uint8Array(grid.size);
  const queue: number[] = [];
  for (const source of sources) {
    if (reached[source] === 1 || !open(source)) continue;
    reached[source] = 1;
    queue.push(source);
  }
  for (let i = 0; i < queue.length; i++) {
    const cell = queue[i]!;
    for (let dir = 0; dir < 6; dir++) {
      const near = grid.neighbours[cell * 6 + dir]!;
      if (near < 0 || reached[near] === 1 || !open(near)) continue;
      reached[near] = 1;
      queue.push(near);
    }
  }
  return reached;
}
