/**
 * Where cells lie on paper. Centres and corners stand on a lattice of half steps, so that the corner shared by three hexes
 * is one node with one pair of whole numbers, whichever hex asks.
 */
import type { Cell, SceneGrid } from '../../kernel/types.ts';
import type { Box, Point } from './drawing.ts';

/** A cell's number: one integer for maps and sets. */
export type Key = number;
/** A corner's number. */
export type Node = number;

const SPAN = 8192;
const OFFSET = 2048;

export interface Grid {
  kind: SceneGrid['kind'];
  /** Corner radius of a hex (for squares: half the side divided by .866), in tenths of a point. */
  radius: number;
  /** Paper distance of neighbouring cell centres. */
  pitch: number;
  /** Sides of a cell. */
  sides: 6 | 4;
  key(column: number, row: number): Key;
  cell(key: Key): Cell;
  inside(column: number, row: number): boolean;
  centre(at: Cell): Point;
  /** The cell beyond each side; side i joins corner i and i + 1, clockwise on paper. */
  neighbour(key: Key, side: number): Key;
  corner(key: Key, i: number): Node;
  point(node: Node): Point;
  /** Which side of `a` is shared with `b`, or -1. */
  sideTowards(a: Key, b: Key): number;
  /** Bounding box of all cells. */
  box: Box;
  columns: readonly [number, number];
  rows: readonly [number, number];
  /** The period of the grid pattern, for stamps that carry grid lines: columns, rows, width, height. */
  period: { columns: number; rows: number; width: number; height: number };
}

interface Lattice {
  ux: number;
  uy: number;
  sides: 6 | 4;
  centre(column: number, row: number): Point;
  corners: readonly Point[];
  neighbours(column: number, row: number): readonly Cell[];
}

function isOdd(n: number): boolean {
  return Math.abs(n % 2) === 1;
}

function hexColumns(radius: number, lowered: 'even' | 'odd'): Lattice {
  const low = (column: number): number => (isOdd(column) === (lowered === 'odd') ? 1 : 0);
  return {
    ux: radius / 2,
    uy: (radius * Math.sqrt(3)) / 2,
    sides: 6,
    centre: (column, row) => [3 * column, 2 * row + low(column)],
    corners: [
      [-1, -1],
      [1, -1],
      [2, 0],
      [1, 1],
      [-1, 1],
      [-2, 0],
    ],
    neighbours: (column, row) => {
      const down = low(column);
      return [
        [column, row - 1],
        [column + 1, row - 1 + down],
        [column + 1, row + down],
        [column, row + 1],
        [column - 1, row + down],
        [column - 1, row - 1 + down],
      ];
    },
  };
}

function hexRows(radius: number, shifted: 'even' | 'odd'): Lattice {
  const shift = (row: number): number => (isOdd(row) === (shifted === 'odd') ? 1 : 0);
  return {
    ux: (radius * Math.sqrt(3)) / 2,
    uy: radius / 2,
    sides: 6,
    centre: (column, row) => [2 * column + shift(row), 3 * row],
    corners: [
      [0, -2],
      [1, -1],
      [1, 1],
      [0, 2],
      [-1, 1],
      [-1, -1],
    ],
    neighbours: (column, row) => {
      const right = shift(row);
      return [
        [column + right, row - 1],
        [column + 1, row],
        [column + right, row + 1],
        [column - 1 + right, row + 1],
        [column - 1, row],
        [column - 1 + right, row - 1],
      ];
    },
  };
}

function squares(radius: number): Lattice {
  const half = radius * 0.8660254;
  return {
    ux: half,
    uy: half,
    sides: 4,
    centre: (column, row) => [2 * column, 2 * row],
    corners: [
      [-1, -1],
      [1, -1],
      [1, 1],
      [-1, 1],
    ],
    neighbours: (column, row) => [
      [column, row - 1],
      [column + 1, row],
      [column, row + 1],
      [column - 1, row],
    ],
  };
}

function latticeOf(size: SceneGrid, radius: number): Lattice {
  if (size.kind === 'hex-columns') return hexColumns(radius, size.lowered);
  if (size.kind === 'hex-rows') return hexRows(radius, size.shifted);
  return squares(radius);
}

/** Lays the grid with its top left cell corner box at (0, 0). `radius` in tenths of a point. */
export function layGrid(size: SceneGrid, radius: number): Grid {
  const lattice = latticeOf(size, radius);
  const { ux, uy, corners, sides } = lattice;
  const [c0, c1] = size.columns;
  const [r0, r1] = size.rows;
  let left = Number.POSITIVE_INFINITY;
  let top = Number.POSITIVE_INFINITY;
  let right = Number.NEGATIVE_INFINITY;
  let bottom = Number.NEGATIVE_INFINITY;
  for (const column of [c0, c0 + 1, c1 - 1, c1])
    for (const row of [r0, r0 + 1, r1 - 1, r1]) {
      if (column < c0 || column > c1 || row < r0 || row > r1) continue;
      const [x, y] = lattice.centre(column, row);
      for (const [dx, dy] of corners) {
        left = Math.min(left, x + dx);
        right = Math.max(right, x + dx);
        top = Math.min(top, y + dy);
        bottom = Math.max(bottom, y + dy);
      }
    }
  const px = (x: number): number => Math.round((x - left) * ux);
  const py = (y: number): number => Math.round((y - top) * uy);
  const key = (column: number, row: number): Key => (column + OFFSET) * SPAN + row + OFFSET;
  const cell = (k: Key): Cell => [Math.floor(k / SPAN) - OFFSET, (k % SPAN) - OFFSET];
  const latticeCentre = ([column, row]: Cell): Point => {
    const low = lattice.centre(Math.floor(column), Math.floor(row));
    if (Number.isInteger(column) && Number.isInteger(row)) return low;
    const high = lattice.centre(Math.ceil(column), Math.ceil(row));
    return [(low[0] + high[0]) / 2, (low[1] + high[1]) / 2];
  };
  const period = sides === 4 ? { columns: 4, rows: 4 } : { columns: 4, rows: 4 };
  const width = size.kind === 'hex-columns' ? 3 * ux * period.columns : 2 * ux * period.columns;
  const height = size.kind === 'hex-rows' ? 3 * uy * period.rows : 2 * uy * period.rows;
  return {
    kind: size.kind,
    radius,
    pitch: size.kind === 'square' ? 2 * ux : radius * Math.sqrt(3),
    sides,
    key,
    cell,
    inside: (column, row) => column >= c0 && column <= c1 && row >= r0 && row <= r1,
    centre: (at) => {
      const [x, y] = latticeCentre(at);
      return [px(x), py(y)];
    },
    neighbour: (k, side) => {
      const [column, row] = cell(k);
      const [nc, nr] = lattice.neighbours(column, row)[side]!;
      return key(nc, nr);
    },
    corner: (k, i) => {
      const [x, y] = lattice.centre(...cell(k));
      const [dx, dy] = corners[i % sides]!;
      return (x + dx + OFFSET) * SPAN * 2 + y + dy + OFFSET;
    },
    point: (node) => [px(Math.floor(node / (SPAN * 2)) - OFFSET), py((node % (SPAN * 2)) - OFFSET)],
    sideTowards: (a, b) => {
      const [column, row] = cell(a);
      return lattice.neighbours(column, row).findIndex(([nc, nr]) => key(nc, nr) === b);
    },
    box: [0, 0, px(right), py(bottom)],
    columns: size.columns,
    rows: size.rows,
    period: { ...period, width, height },
  };
}
