import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { axial, cellOf, directionTo, type HexLayout, hexDistance, hexGrid, neighbour } from '../../src/board/hex.ts';

const id = (column: number, row: number): string => `${String(column).padStart(2, '0')}${String(row).padStart(2, '0')}`;
const LAYOUTS: [string, HexLayout][] = [
  ['columns, even lower', { kind: 'columns', columns: [1, 11], rows: [1, 9], lowered: 'even' }],
  ['columns, odd lower', { kind: 'columns', columns: [1, 11], rows: [1, 9], lowered: 'odd' }],
  ['rows, even shifted', { kind: 'rows', columns: [1, 11], rows: [1, 9], shifted: 'even' }],
  ['rows, odd shifted', { kind: 'rows', columns: [1, 11], rows: [1, 9], shifted: 'odd' }],
];

/** Distances by walking, the plain way. */
function walked(grid: ReturnType<typeof hexGrid>, from: number): number[] {
  const far = new Array<number>(grid.size).fill(-1);
  far[from] = 0;
  const queue = [from];
  for (const cell of queue)
    for (let dir = 0; dir < 6; dir++) {
      const near = neighbour(grid, cell, dir);
      if (near < 0 || far[near]! >= 0) continue;
      far[near] = far[cell]! + 1;
      queue.push(near);
    }
  return far;
}

describe.each(LAYOUTS)('%s', (_name, layout) => {
  const grid = hexGrid(layout, id);

  test('neighbours are mutual, in opposite directions', () => {
    for (let cell = 0; cell < grid.size; cell++)
      for (let dir = 0; dir < 6; dir++) {
        const near = neighbour(grid, cell, dir);
        if (near < 0) continue;
        expect(neighbour(grid, near, (dir + 3) % 6)).toBe(cell);
        expect(directionTo(grid, cell, near)).toBe(dir);
      }
  });

  test('an inner hex has six, and the distance is what one walks', () => {
    const inner = cellOf(grid, '0505');
    expect([0, 1, 2, 3, 4, 5].every((dir) => neighbour(grid, inner, dir) >= 0)).toBe(true);
    fc.assert(
      fc.property(fc.nat(grid.size - 1), (from) => {
        const far = walked(grid, from);
        expect(far.map((_, cell) => hexDistance(grid, from, cell))).toEqual(far);
      }),
      { numRuns: 20 },
    );
  });

  test('axial coordinates tell every hex apart', () => {
    const seen = new Set<string>();
    for (let column = 1; column <= 11; column++)
      for (let row = 1; row <= 9; row++) {
        const { q, r } = axial(layout, column, row);
        seen.add(`${q}/${r}`);
      }
    expect(seen.size).toBe(99);
  });
});

test('even columns lower: clockwise from north', () => {
  const grid = hexGrid(LAYOUTS[0]![1], id);
  const around = (hex: string): string[] =>
    [0, 1, 2, 3, 4, 5].map((dir) => grid.ids[neighbour(grid, cellOf(grid, hex), dir)]!);
  expect(around('0405')).toEqual(['0404', '0505', '0506', '0406', '0306', '0305']);
  expect(around('0505')).toEqual(['0504', '0604', '0605', '0506', '0405', '0404']);
});

test('two hexes of one name, and far too many hexes, are faults of ours', () => {
  const layout: HexLayout = { kind: 'columns', columns: [1, 2], rows: [1, 2], lowered: 'even' };
  expect(() => hexGrid(layout, () => 'same')).toThrow(/two hexes/);
  expect(() => hexGrid({ ...layout, columns: [1, 1000], rows: [1, 1000] }, id)).toThrow(/no grid/);
});
