import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { MapScene, SceneGrid } from '../../../src/kernel/types.ts';
import { cropped } from '../../../src/render/paint/crop.ts';
import { chainsOf, loopsAround } from '../../../src/render/paint/curve.ts';
import { type Box, L, M, overlaps, type Path, Z } from '../../../src/render/paint/drawing.ts';
import { covers, FACES, faceFor, textWidth } from '../../../src/render/paint/fonts.ts';
import { layGrid } from '../../../src/render/paint/grid.ts';
import { themeOf } from '../../../src/render/paint/theme.ts';
import { drawMap } from '../../../src/render/sheet/map.ts';
import { pagesOf } from '../../../src/render/sheet/pages.ts';
import { openWording } from '../../../src/render/words.ts';
import { fixture } from '../../gallery/scenes.ts';

const GRIDS: SceneGrid[] = [
  { kind: 'hex-columns', columns: [1, 6], rows: [1, 5], lowered: 'even' },
  { kind: 'hex-columns', columns: [0, 5], rows: [3, 8], lowered: 'odd' },
  { kind: 'hex-rows', columns: [1, 6], rows: [1, 5], shifted: 'even' },
  { kind: 'square', columns: [1, 6], rows: [1, 5] },
];

describe('the grid', () => {
  it('gives neighbours the same two corners, whoever asks', () => {
    for (const size of GRIDS) {
      const grid = layGrid(size, 200);
      const key = grid.key(size.columns[0] + 2, size.rows[0] + 2);
      for (let side = 0; side < grid.sides; side++) {
        const beyond = grid.neighbour(key, side);
        const back = grid.sideTowards(beyond, key);
        expect(back).toBeGreaterThanOrEqual(0);
        const own = [grid.corner(key, side), grid.corner(key, side + 1)].sort((a, b) => a - b);
        const theirs = [grid.corner(beyond, back), grid.corner(beyond, back + 1)].sort((a, b) => a - b);
        expect(theirs).toEqual(own);
      }
    }
  });

  it('keeps every corner of every cell within its box', () => {
    for (const size of GRIDS) {
      const grid = layGrid(size, 150);
      for (let c = size.columns[0]; c <= size.columns[1]; c++)
        for (let r = size.rows[0]; r <= size.rows[1]; r++)
          for (let i = 0; i < grid.sides; i++) {
            const [x, y] = grid.point(grid.corner(grid.key(c, r), i));
            expect(x).toBeGreaterThanOrEqual(grid.box[0]);
            expect(y).toBeGreaterThanOrEqual(grid.box[1]);
            expect(x).toBeLessThanOrEqual(grid.box[2]);
            expect(y).toBeLessThanOrEqual(grid.box[3]);
          }
    }
  });

  it('outlines a set of cells with one loop and its hole with another', () => {
    const grid = layGrid(GRIDS[0]!, 200);
    const middle = grid.key(3, 3);
    const ring = new Set(Array.from({ length: 6 }, (_, side) => grid.neighbour(middle, side)));
    expect(
      loopsAround(grid, ring)
        .map((loop) => loop.length)
        .sort((a, b) => a - b),
    ).toEqual([6, 18]);
  });
});

describe('chains', () => {
  it('use every edge once and split only at ends and forks', () => {
    const edge = fc.tuple(fc.integer({ min: 0, max: 9 }), fc.integer({ min: 0, max: 9 })).filter(([a, b]) => a !== b);
    fc.assert(
      fc.property(fc.array(edge, { maxLength: 25 }), (edges) => {
        const id = (a: number, b: number): string => (a < b ? `${a}-${b}` : `${b}-${a}`);
        const wanted = new Set(edges.map(([a, b]) => id(a, b)));
        const walked = chainsOf(edges).flatMap((chain) => chain.slice(1).map((to, i) => id(chain[i]!, to)));
        expect(new Set(walked)).toEqual(wanted);
        expect(walked.length).toBe(wanted.size);
      }),
      { numRuns: 200 },
    );
  });
});

/** Even-odd test for paths of straight lines. */
function inside(path: Path, px: number, py: number): boolean {
  let odd = false;
  let [x, y, sx, sy] = [0, 0, 0, 0];
  const line = (tx: number, ty: number): void => {
    if (y > py !== ty > py && px < ((tx - x) * (py - y)) / (ty - y) + x) odd = !odd;
    [x, y] = [tx, ty];
  };
  for (let i = 0; i < path.length; ) {
    const code = path[i]!;
    if (code === Z) {
      line(sx, sy);
      i++;
      continue;
    }
    if (code === M) {
      if (i > 0) line(sx, sy);
      [x, y] = [path[i + 1]!, path[i + 2]!];
      [sx, sy] = [x, y];
    } else line(path[i + 1]!, path[i + 2]!);
    i += 3;
  }
  return odd;
}

describe('a tile', () => {
  it('shows what the whole drawing shows there', () => {
    const point = fc.tuple(fc.integer({ min: -3000, max: 6000 }), fc.integer({ min: -3000, max: 6000 }));
    const window: Box = [0, 0, 2000, 2000];
    fc.assert(
      fc.property(
        fc.array(point, { minLength: 16, maxLength: 40 }),
        fc.array(fc.tuple(fc.integer({ min: 0, max: 1999 }), fc.integer({ min: 0, max: 1999 })), {
          minLength: 5,
          maxLength: 5,
        }),
        (points, probes) => {
          const path: Path = points.flatMap(([x, y], i) => [i === 0 ? M : L, x, y]);
          path.push(Z);
          const [cut] = cropped([{ op: 'path', path, fill: '#000000' }], window);
          for (const [x, y] of probes) {
            const shown = cut?.op === 'path' ? inside(cut.path, x + 0.5, y + 0.5) : false;
            expect(shown).toBe(inside(path, x + 0.5, y + 0.5));
          }
        },
      ),
      { numRuns: 150 },
    );
  });
});

describe('faces', () => {
  it('cover the letters of the maps, and the fallback the rest of Europe', () => {
    for (const face of FACES) expect(covers(face, 'AÉèçœŁłöüßńś×½–09')).toBe(true);
    expect(faceFor('sans', 'Կան')).toBe('fallback');
    expect(faceFor('sans', 'Caen')).toBe('sans');
  });

  it('are measured letter by letter', () => {
    expect(textWidth('bold', 'WW', 100)).toBeCloseTo(2 * textWidth('bold', 'W', 100));
    expect(textWidth('bold', 'WWW', 100, 10)).toBeCloseTo(3 * textWidth('bold', 'W', 100) + 20);
  });
});

describe('names', () => {
  it('keep clear of each other and inside the frame', () => {
    for (const name of ['overlord-setup', 'dayofdays-a'] as const) {
      const scene = fixture(name);
      scene.items = scene.items.filter((item) => item.kind !== 'label' || !/^(sea|region)/.test(item.style));
      const { names, box } = drawMap(scene, themeOf(), 150);
      expect(names.length).toBeGreaterThan(30);
      let crossing = 0;
      names.forEach((a, i) => {
        expect(a[0] >= box[0] && a[1] >= box[1] && a[2] <= box[2] && a[3] <= box[3]).toBe(true);
        for (const b of names.slice(i + 1)) if (overlaps(a, b)) crossing++;
      });
      expect(crossing).toBe(0);
    }
  });
});

describe('odd scenes', () => {
  const hexes: SceneGrid = { kind: 'hex-columns', columns: [1, 6], rows: [1, 5], lowered: 'even' };
  const numbers = (value: unknown): number[] =>
    typeof value === 'number'
      ? [value]
      : value && typeof value === 'object'
        ? Object.values(value).flatMap(numbers)
        : [];

  it('with empty regions, unknown words and names wider than the map are drawn with finite numbers only', () => {
    const scene: MapScene = {
      title: 'Odd',
      size: hexes,
      house: [],
      items: [
        { kind: 'cell', at: [1, 1], terrain: 'nowhere' },
        { kind: 'region', cells: [], style: 'unheard', label: 'empty' },
        { kind: 'label', at: [3, 3], text: 'x'.repeat(3000), style: 'sea' },
        { kind: 'marker', at: [2, 2], marker: 'unheard', text: 'y' },
        { kind: 'arrow', arrow: 'attack', path: [[1, 1]] },
      ],
    };
    const { sheets } = pagesOf(scene, { paper: 'A4', mode: 'sheet', footer: '', words: openWording() });
    expect(numbers(sheets).every(Number.isFinite)).toBe(true);
    expect(JSON.stringify(sheets)).not.toContain('XXXX');
  });

  it('tiles of a board say their letters and numbers', () => {
    const page = { paper: 'A4', mode: 'tiles', footer: '', words: openWording() } as const;
    const [tile] = pagesOf(fixture('normandie-village'), page).sheets;
    const said = tile!.ops.flatMap((op) => (op.op === 'text' ? [op.text] : []));
    expect(said).toEqual(expect.arrayContaining(['A', 'N', '1', '14']));
  });
});
