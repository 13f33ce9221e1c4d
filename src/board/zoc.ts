/** Zones of control as counts: how many units of a side have a cell in their zone. */
import type { HexGrid } from './hex.ts';

/** By cell, how many units next to it. */
export type ZoneCounts = Uint8Array;

/** Nobody anywhere. */
export function zoneCounts(grid: HexGrid): ZoneCounts {
  return new Uint8Array(grid.size);
}

/** Adds (1) or takes away (-1) the zone of one unit in `cell`: the six cells around it, never its own. */
export function addZone(grid: HexGrid, zone: ZoneCounts, cell: number, change: 1 | -1): void {
  for (let dir = 0; dir < 6; dir++) {
    const near = grid.neighbours[cell * 6 + dir]!;
    if (near >= 0) zone[near]! += change;
  }
}
