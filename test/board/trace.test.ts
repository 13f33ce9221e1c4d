import { expect, test } from 'vitest';
import { cellOf, hexGrid } from '../../src/board/hex.ts';
import { reach } from '../../src/board/trace.ts';

const grid = hexGrid({ kind: 'columns', columns: [1, 7], rows: [1, 5], lowered: 'even' }, (c, r) => `${c}${r}`);
const column = (cell: number): number => grid.columns[cell]!;

test('everything that open cells join to a source is reached, and nothing beyond a wall', () => {
  const reached = reach(grid, [cellOf(grid, '11')], (cell) => column(cell) !== 4);
  expect([...reached].every((mark, cell) => (mark === 1) === column(cell) < 4)).toBe(true);
});

test('one gap is enough; a closed source supplies nobody', () => {
  const gap = cellOf(grid, '43');
  const through = reach(grid, [cellOf(grid, '11')], (cell) => column(cell) !== 4 || cell === gap);
  expect(through[cellOf(grid, '75')]).toBe(1);
  const shut = reach(grid, [cellOf(grid, '11')], (cell) => cell !== cellOf(grid, '11'));
  expect([...shut].some((mark) => mark === 1)).toBe(false);
});

test('several sources count together', () => {
  const reached = reach(grid, [cellOf(grid, '11'), cellOf(grid, '71')], (cell) => column(cell) !== 4);
  expect([...reached].filter((mark) => mark === 1)).toHaveLength(30);
});
