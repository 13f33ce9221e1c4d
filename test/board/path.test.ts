import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hexGrid } from '../../src/board/hex.ts';
import { FLOOD_COST_MAX, flood, pathTo } from '../../src/board/path.ts';

const grid = hexGrid({ kind: 'columns', columns: [1, 12], rows: [1, 10], lowered: 'even' }, (c, r) => `${c}.${r}`);

/** The same costs the plain way: relax until nothing changes. */
function plain(start: number, price: readonly number[], limit: number): number[] {
  const cost = new Array<number>(grid.size).fill(-1);
  cost[start] = 0;
  for (let changed = true; changed; ) {
    changed = false;
    for (let cell = 0; cell < grid.size; cell++) {
      if (cost[cell]! < 0) continue;
      for (const near of grid.neighbours.subarray(cell * 6, cell * 6 + 6)) {
        if (near < 0 || price[near]! < 0) continue;
        const total = cost[cell]! + price[near]!;
        if (total > limit || (cost[near]! >= 0 && cost[near]! <= total)) continue;
        cost[near] = total;
        changed = true;
      }
    }
  }
  return cost;
}

describe('flood', () => {
  const prices = fc.array(fc.integer({ min: -1, max: 9 }), { minLength: grid.size, maxLength: grid.size });
  test('finds the cheapest cost of every cell, within the limit', () => {
    fc.assert(
      fc.property(fc.nat(grid.size - 1), prices, fc.nat(40), (start, price, limit) => {
        const found = flood(grid, [start], limit, (_, to) => price[to]!);
        expect([...found.cost]).toEqual(plain(start, price, limit));
      }),
      { numRuns: 120 },
    );
  });

  test('the path costs what was promised and goes from neighbour to neighbour', () => {
    fc.assert(
      fc.property(fc.nat(grid.size - 1), fc.nat(grid.size - 1), prices, (start, end, price) => {
        const found = flood(grid, [start], 200, (_, to) => price[to]!);
        const path = pathTo(found, end);
        if (!path) {
          expect(found.cost[end]).toBe(-1);
          return;
        }
        expect([path[0], path.at(-1)]).toEqual([start, end]);
        const total = path.slice(1).reduce((sum, cell, i) => {
          expect([...grid.neighbours.subarray(path[i]! * 6, path[i]! * 6 + 6)]).toContain(cell);
          return sum + price[cell]!;
        }, 0);
        expect(total).toBe(found.cost[end]);
      }),
      { numRuns: 120 },
    );
  });

  test('several starts; free steps; a limit beyond reason is our fault', () => {
    const found = flood(grid, [0, grid.size - 1], 0, () => 0);
    expect([...found.cost].every((cost) => cost === 0)).toBe(true);
    expect(() => flood(grid, [0], FLOOD_COST_MAX + 1, () => 1)).toThrow(/no flood/);
  });
});
