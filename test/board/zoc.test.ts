import { expect, test } from 'vitest';
import { cellOf, hexGrid } from '../../src/board/hex.ts';
import { addZone, zoneCounts } from '../../src/board/zoc.ts';

const grid = hexGrid({ kind: 'columns', columns: [1, 6], rows: [1, 6], lowered: 'even' }, (c, r) => `${c}${r}`);

test('a unit covers the six cells around it, never its own; counts add up and go back', () => {
  const zone = zoneCounts(grid);
  const middle = cellOf(grid, '33');
  addZone(grid, zone, middle, 1);
  expect([...zone].filter((count) => count === 1)).toHaveLength(6);
  expect(zone[middle]).toBe(0);
  addZone(grid, zone, middle, 1);
  addZone(grid, zone, middle, -1);
  expect([...zone].reduce((sum, count) => sum + count, 0)).toBe(6);
});

test('at the rim only the cells on the map count', () => {
  const zone = zoneCounts(grid);
  addZone(grid, zone, cellOf(grid, '11'), 1);
  expect([...zone].filter((count) => count === 1)).toHaveLength(2);
});
