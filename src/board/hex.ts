/**
 * Hex grids as flat arrays: a cell is an integer, its six neighbours stand side by side. Integers only.
 * Directions run clockwise: flat-topped columns 0 N, 1 NE, 2 SE, 3 S, 4 SW, 5 NW; pointed rows 0 NE, 1 E, 2 SE, 3 SW,
 * 4 W, 5 NW.
 */
import { assert, known } from '../kernel/assert.ts';

/** Cells of one grid; more would overflow the sixteen-bit neighbour table. */
const CELLS_MAX = 30_000;

export type HexLayout =
  /** Flat-topped hexes in columns; `lowered` columns (by their number) lie half a hex lower. */
  | { kind: 'columns'; columns: [number, number]; rows: [number, number]; lowered: 'even' | 'odd' }
  /** Pointed hexes in rows; `shifted` rows lie half a hex to the right. */
  | { kind: 'rows'; columns: [number, number]; rows: [number, number]; shifted: 'even' | 'odd' };

export interface HexGrid {
  readonly layout: HexLayout;
  readonly size: number;
  /** Printed id by cell. */
  readonly ids: readonly string[];
  readonly index: ReadonlyMap<string, number>;
  /** Six a cell, clockwise; -1 off the map. */
  readonly neighbours: Int16Array;
  /** Column and row as printed, by cell. */
  readonly columns: Int16Array;
  readonly rows: Int16Array;
  /** Axial coordinates, for distances. */
  readonly q: Int16Array;
  readonly r: Int16Array;
}

/** Axial steps of the six directions, the same for both layouts (the frame is turned, not the numbers). */
const COLUMN_STEPS: readonly (readonly [number, number])[] = [
  [0, -1],
  [1, -1],
  [1, 0],
  [0, 1],
  [-1, 1],
  [-1, 0],
];
const ROW_STEPS: readonly (readonly [number, number])[] = [
  [1, -1],
  [1, 0],
  [0, 1],
  [-1, 1],
  [-1, 0],
  [0, -1],
];

/** Are the even lines the ones pushed by half a hex? */
function evenPushed(layout: HexLayout): boolean {
  return (layout.kind === 'columns' ? layout.lowered : layout.shifted) === 'even';
}

/** Axial coordinates of a column and row; rows grow downwards. `>> 1` rounds towards minus infinity. */
export function axial(layout: HexLayout, column: number, row: number): { q: number; r: number } {
  const even = evenPushed(layout) ? 1 : 0;
  if (layout.kind === 'columns') return { q: column, r: row - ((column + even) >> 1) };
  return { q: column - ((row + even) >> 1), r: row };
}

/** Builds the grid of a layout. `idOf` gives the printed id of a column and row; ids must be unique. */
export function hexGrid(layout: HexLayout, idOf: (column: number, row: number) => string): HexGrid {
  const [firstColumn, lastColumn] = layout.columns;
  const [firstRow, lastRow] = layout.rows;
  const width = lastColumn - firstColumn + 1;
  const height = lastRow - firstRow + 1;
  const size = width * height;
  assert(width > 0 && height > 0 && size <= CELLS_MAX, `no grid of ${width} by ${height} hexes`);
  const ids: string[] = [];
  const index = new Map<string, number>();
  const columns = new Int16Array(size);
  const rows = new Int16Array(size);
  const q = new Int16Array(size);
  const r = new Int16Array(size);
  const byAxial = new Map<number, number>();
  const key = (aq: number, ar: number): number => (aq + 2000) * 4096 + ar + 2000;
  let cell = 0;
  for (let row = firstRow; row <= lastRow; row++) {
    for (let column = firstColumn; column <= lastColumn; column++) {
      const id = idOf(column, row);
      assert(!index.has(id), `two hexes called ${id}`);
      ids.push(id);
      index.set(id, cell);
      columns[cell] = column;
      rows[cell] = row;
      const at = axial(layout, column, row);
      q[cell] = at.q;
      r[cell] = at.r;
      byAxial.set(key(at.q, at.r), cell);
      cell += 1;
    }
  }
  const steps = layout.kind === 'columns' ? COLUMN_STEPS : ROW_STEPS;
  const neighbours = new Int16Array(size * 6).fill(-1);
  for (let at = 0; at < size; at++) {
    for (let dir = 0; dir < 6; dir++) {
      const [dq, dr] = steps[dir]!;
      neighbours[at * 6 + dir] = byAxial.get(key(q[at]! + dq, r[at]! + dr)) ?? -1;
    }
  }
  return { layout, size, ids, index, neighbours, columns, rows, q, r };
}

/** The cell of a printed id, which must exist. */
export function cellOf(grid: HexGrid, id: string): number {
  return known(grid.index.get(id), `no hex ${id}`);
}

/** The neighbour in a direction (0 to 5), or -1. */
export function neighbour(grid: HexGrid, cell: number, dir: number): number {
  return grid.neighbours[cell * 6 + dir]!;
}

/** The direction from a cell to the cell next to it, or -1 when they are not neighbours. */
export function directionTo(grid: HexGrid, from: number, to: number): number {
  for (let dir = 0; dir < 6; dir++) if (grid.neighbours[from * 6 + dir] === to) return dir;
  return -1;
}

/** Hexes from one cell to another as the crow flies; 0 for the cell itself. */
export function hexDistance(grid: HexGrid, a: number, b: number): number {
  const dq = grid.q[a]! - grid.q[b]!;
  const dr = grid.r[a]! - grid.r[b]!;
  return Math.max(Math.abs(dq), Math.abs(dr), Math.abs(dq + dr));
}
