import { expect, test } from 'vitest';
import { edgeHas, edgeMarks, markEdge } from '../../src/board/edges.ts';
import { cellOf, directionTo, hexGrid } from '../../src/board/hex.ts';

const grid = hexGrid({ kind: 'columns', columns: [1, 5], rows: [1, 5], lowered: 'even' }, (c, r) => `${c}${r}`);

test('a mark is seen from both sides and nowhere else; flags lie beside each other', () => {
  const marks = edgeMarks(grid);
  const a = cellOf(grid, '22');
  const b = cellOf(grid, '23');
  markEdge(grid, marks, a, b, 1);
  markEdge(grid, marks, b, a, 4);
  expect(edgeHas(marks, a, directionTo(grid, a, b), 1)).toBe(true);
  expect(edgeHas(marks, b, directionTo(grid, b, a), 1)).toBe(true);
  expect(edgeHas(marks, a, directionTo(grid, a, b), 2)).toBe(false);
  expect(edgeHas(marks, a, directionTo(grid, a, b), 4)).toBe(true);
  expect([...marks].filter((mark) => mark !== 0)).toHaveLength(2);
});

test('there is no side between hexes that do not touch', () => {
  expect(() => markEdge(grid, edgeMarks(grid), cellOf(grid, '11'), cellOf(grid, '55'), 1)).toThrow(
    /no side between 11 and 55/,
  );
});
