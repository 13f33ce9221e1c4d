/** The hexes of a battle map: flat-topped, columns A, B, C …, every second column half a hex lower. */
import type { Cell } from '../../../kernel/types.ts';
import type { CommanderEdge } from '../types.ts';

export interface MapData {
  id: string;
  name: string;
  columns: number;
  rows: number;
  terrain: Partial<Record<string, string[]>>;
  elevation: Record<string, number>;
  roads: [string, string][];
  hedges: [string, string][];
  multiHexBuildings: string[][];
  ruralRoads: boolean;
  objectives: Record<string, string>;
}

/** Column and row of a hex name, from 1; undefined when the map has no such hex. */
export function cellOf(map: Pick<MapData, 'columns' | 'rows'>, hex: string): Cell | undefined {
  const match = /^([A-Z])([1-9]\d?)$/.exec(hex.toUpperCase());
  if (!match) return undefined;
  const column = match[1]!.charCodeAt(0) - 64;
  const row = Number(match[2]);
  return column <= map.columns && row <= map.rows ? [column, row] : undefined;
}

/** The printed name of a hex, such as `C5`. */
function hexName(column: number, row: number): string {
  return `${String.fromCharCode(64 + column)}${row}`;
}

/** All hexes, column by column. */
export function allHexes(map: Pick<MapData, 'columns' | 'rows'>): string[] {
  const hexes: string[] = [];
  for (let column = 1; column <= map.columns; column++)
    for (let row = 1; row <= map.rows; row++) hexes.push(hexName(column, row));
  return hexes;
}

/** Neighbours of a hex clockwise from the north; empty for a hex that is not on the map. */
export function neighboursOf(map: Pick<MapData, 'columns' | 'rows'>, hex: string): string[] {
  const cell = cellOf(map, hex);
  if (!cell) return [];
  const [column, row] = cell;
  const down = column % 2 === 0 ? 1 : 0;
  const around: Cell[] = [
    [column, row - 1],
    [column + 1, row - 1 + down],
    [column + 1, row + down],
    [column, row + 1],
    [column - 1, row + down],
    [column - 1, row - 1 + down],
  ];
  return around
    .filter(([c, r]) => c >= 1 && c <= map.columns && r >= 1 && r <= map.rows)
    .map(([c, r]) => hexName(c, r));
}

/** Terrain of a hex; `open` where nothing is listed. */
export function terrainOf(map: MapData, hex: string): string {
  for (const [terrain, hexes] of Object.entries(map.terrain)) if (hexes?.includes(hex)) return terrain;
  return 'open';
}

const OPPOSITE: Record<CommanderEdge, CommanderEdge> = { top: 'bottom', bottom: 'top', left: 'right', right: 'left' };

/** The edge across the map. */
export function oppositeEdge(edge: CommanderEdge): CommanderEdge {
  return OPPOSITE[edge];
}

/** Along the long side of the map the front is wide, along the short side narrow. */
export function frontOf(edge: CommanderEdge): 'wide' | 'narrow' {
  return edge === 'top' || edge === 'bottom' ? 'wide' : 'narrow';
}

/** The hex rows from an edge: 1 for the hexes on it. */
export function rowsFrom(map: Pick<MapData, 'columns' | 'rows'>, edge: CommanderEdge, hex: string): number {
  const [column, row] = cellOf(map, hex) ?? [0, 0];
  if (edge === 'top') return row;
  if (edge === 'bottom') return map.rows - row + 1;
  return edge === 'left' ? column : map.columns - column + 1;
}
