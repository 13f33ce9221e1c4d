/** The ground of a board of squares: grass, roads, hedges, woods, fields, walls; buildings with doors and windows. */
import type { Cell, MapScene, SceneItem } from '../../kernel/types.ts';
import {
  type Box,
  circle,
  ellipse,
  L,
  M,
  type Op,
  type Path,
  type Point,
  polyline,
  Q,
  rectangle,
  roundRectangle,
  type Stamp,
} from '../paint/drawing.ts';
import type { Grid } from '../paint/grid.ts';
import { noise, sequence } from '../paint/jitter.ts';
import { type Bench, once } from '../pieces/counters.ts';
import { buildingOps, openingOps } from './buildings.ts';

const round = Math.round;

interface Square {
  at: Cell;
  terrain: string;
  x: number;
  y: number;
}

/** Other words for the same ground. */
const SAME: Record<string, string> = {
  hedge: 'bocage',
  woods: 'forest',
  'forest-heart': 'forest',
  covered: 'orchard',
  field: 'crops',
  water: 'pond',
  wall: 'low-wall',
  dirt: 'road',
};

interface Colours {
  grass: string;
  light: string;
  dark: string;
  grid: string;
}

function coloursOf(bench: Bench): Colours {
  return bench.theme.blackOnly
    ? { grass: '#ffffff', light: '#ffffff', dark: '#ffffff', grid: '#aaaaaa' }
    : { grass: '#e4e6c4', light: '#ecebd0', dark: '#dbe0b6', grid: '#b7b793' };
}

/** Squares joined into one shape: each inset, with bridges to like neighbours. Outline first, then fill, gives the union. */
function joined(grid: Grid, squares: readonly Square[], inset: number, corner: number): Path {
  const q = grid.pitch;
  const keys = new Set(squares.map(({ at }) => `${at[0]},${at[1]}`));
  const path: Path = [];
  const d = round(inset * q);
  const h = round(q / 2);
  for (const { at, x, y } of squares) {
    path.push(...roundRectangle(x - h + d, y - h + d, 2 * (h - d), 2 * (h - d), round(corner * q)));
    if (d <= 0) continue;
    if (keys.has(`${at[0] + 1},${at[1]}`)) path.push(...rectangle(x, y - h + d, round(q), 2 * (h - d)));
    if (keys.has(`${at[0]},${at[1] + 1}`)) path.push(...rectangle(x - h + d, y, 2 * (h - d), round(q)));
    const diagonal = ['1,0', '0,1', '1,1'].every((s) => {
      const [dx, dy] = s.split(',').map(Number) as [number, number];
      return keys.has(`${at[0] + dx},${at[1] + dy}`);
    });
    if (diagonal) path.push(...rectangle(x, y, round(q), round(q)));
  }
  return path;
}

function blob(path: Path, fill: string, edge: string, width: number): Op[] {
  return [
    { op: 'path', path, stroke: edge, width, round: true },
    { op: 'path', path, fill },
  ];
}

/** A bush or tree crown from above, with its light side. */
function crown(bench: Bench, q: number, variant: number): Stamp {
  const black = bench.theme.blackOnly;
  return once(bench, `crown-${variant}-${q}`, () => {
    const next = sequence(700 + variant);
    const r = q * 0.13;
    const path: Path = [];
    const lights: Path = [];
    for (let i = 0; i < 4; i++) {
      const a = i * 1.57 + next();
      const size = round(r * (0.55 + 0.25 * next()));
      const [x, y] = [round(r * 0.5 * Math.cos(a)), round(r * 0.5 * Math.sin(a))];
      path.push(...circle(x, y, size));
      lights.push(...circle(x - round(size * 0.25), y - round(size * 0.3), round(size * 0.38)));
    }
    const box = round(q * 0.25);
    return {
      name: 'crown',
      box: [-box, -box, box, box],
      ops: [
        { op: 'path', path, stroke: black ? '#000000' : '#2f4519', width: Math.max(10, q * 0.032) },
        { op: 'path', path, fill: black ? '#dddddd' : '#5d8040' },
        { op: 'path', path: lights, fill: black ? '#ffffff' : '#79a054' },
      ],
    };
  });
}

function crowns(bench: Bench, grid: Grid, squares: readonly Square[], most: number, spread: number, scale = 1): Op[] {
  const q = grid.pitch;
  return squares.flatMap(({ x, y }) => {
    const count = most - 1 + Math.floor(noise(x, y, 3) * 2);
    return Array.from({ length: count }, (_, i): Op => {
      const dx = (noise(x + i, y, 5) - 0.5) * spread * q;
      const dy = (noise(x, y + i, 7) - 0.5) * spread * q;
      return {
        op: 'use',
        symbol: crown(bench, round(q), Math.floor(noise(x, y, 11 + i) * 4)),
        x: round(x + dx),
        y: round(y + dy),
        ...(scale === 1 ? {} : { scale }),
      };
    });
  });
}

function grassOps(bench: Bench, grid: Grid): Op[] {
  const colours = coloursOf(bench);
  const [, , w, h] = grid.box;
  const q = grid.pitch;
  const light: Path = [];
  const dark: Path = [];
  const blades: Path = [];
  for (let i = 0; i < w / q; i++)
    for (let j = 0; j < h / q; j++) {
      const n = noise(i, j, 21);
      const [x, y] = [round((i + noise(i, j, 22)) * q), round((j + noise(i, j, 23)) * q)];
      if (n < 0.07) light.push(...ellipse(x, y, round(q * (0.8 + n * 6)), round(q * (0.5 + n * 4))));
      else if (n < 0.14) dark.push(...ellipse(x, y, round(q * (0.6 + n * 4)), round(q * (0.4 + n * 3))));
      for (let k = 0; k < 3; k++) {
        const bx = round((i + noise(i * 3 + k, j, 25)) * q);
        const by = round((j + noise(i, j * 3 + k, 26)) * q);
        const u = round(q * 0.045);
        blades.push(M, bx, by, L, bx - round(u * 0.4), by - u, M, bx + u, by, L, bx + round(u * 1.3), by - u);
      }
    }
  const ops: Op[] = [{ op: 'path', path: rectangle(0, 0, w, h), fill: colours.grass }];
  if (!bench.theme.blackOnly) {
    ops.push({ op: 'path', path: dark, fill: colours.dark }, { op: 'path', path: light, fill: colours.light });
    ops.push({ op: 'path', path: blades, stroke: '#c2c795', width: Math.max(4, q * 0.012) });
  }
  return ops;
}

function roadOps(bench: Bench, grid: Grid, squares: readonly Square[]): Op[] {
  const q = grid.pitch;
  const black = bench.theme.blackOnly;
  const path = joined(grid, squares, 0, 0);
  const ruts: Path = [];
  const stones: Path = [];
  const keys = new Set(squares.map(({ at }) => `${at[0]},${at[1]}`));
  for (const { at, x, y } of squares) {
    const upright = keys.has(`${at[0]},${at[1] - 1}`) || keys.has(`${at[0]},${at[1] + 1}`);
    const level = keys.has(`${at[0] - 1},${at[1]}`) || keys.has(`${at[0] + 1},${at[1]}`);
    const h = round(q * 0.5);
    for (const side of [-0.22, 0.2]) {
      const o = round(side * q);
      if (upright && !(level && noise(x, y, 31) < 0.5))
        ruts.push(M, x + o, y - h, Q, x + o + round(q * 0.03), y, x + o, y + h);
      else if (level) ruts.push(M, x - h, y + o, Q, x, y + o + round(q * 0.03), x + h, y + o);
    }
    for (let k = 0; k < 3; k++)
      stones.push(
        ...circle(
          round(x + (noise(x + k, y, 33) - 0.5) * q),
          round(y + (noise(x, y + k, 34) - 0.5) * q),
          round(q * 0.014),
        ),
      );
  }
  return [
    ...blob(path, black ? '#ffffff' : '#e7d4a6', black ? '#000000' : '#c3ab79', q * 0.05),
    {
      op: 'path',
      path: ruts,
      stroke: black ? '#999999' : '#d0b983',
      width: Math.max(6, q * 0.035),
      dash: [round(q * 0.4), round(q * 0.16)],
    },
    { op: 'path', path: stones, fill: black ? '#777777' : '#b59b68' },
  ];
}

function cropOps(bench: Bench, grid: Grid, squares: readonly Square[]): Op[] {
  const q = grid.pitch;
  const black = bench.theme.blackOnly;
  const rows: Path = [];
  for (const { x, y } of squares)
    for (let k = 0; k < 6; k++) {
      const at = round(y - q / 2 + ((k + 0.5) * q) / 6);
      rows.push(M, round(x - q * 0.44), at, L, round(x + q * 0.44), at);
    }
  const path = joined(grid, squares, 0.04, 0.08);
  return [
    {
      op: 'path',
      path,
      stroke: black ? '#000000' : '#8a6236',
      width: q * 0.03,
      dash: [round(q * 0.08), round(q * 0.05)],
    },
    { op: 'path', path, fill: black ? '#ffffff' : '#eed58a' },
    {
      op: 'path',
      path: rows,
      stroke: black ? '#000000' : '#c09f45',
      width: Math.max(5, q * 0.022),
      dash: [round(q * 0.07), round(q * 0.04)],
    },
  ];
}

function stoneOps(bench: Bench, grid: Grid, squares: readonly Square[]): Op[] {
  const q = grid.pitch;
  const path: Path = [];
  for (const { x, y } of squares)
    for (let k = 0; k < 4; k++) {
      const next = sequence(round(x * 7 + y * 13 + k));
      const r = q * (0.1 + 0.1 * next());
      const [cx, cy] = [x + (next() - 0.5) * q * 0.55, y + (next() - 0.5) * q * 0.55];
      const points: Point[] = Array.from({ length: 6 }, (_, i) => {
        const a = (i * Math.PI) / 3 + next() * 0.5;
        const l = r * (0.75 + 0.4 * next());
        return [round(cx + l * Math.cos(a)), round(cy + l * Math.sin(a))];
      });
      path.push(...polyline(points, true));
    }
  return [
    {
      op: 'path',
      path,
      fill: bench.theme.blackOnly ? '#ffffff' : '#dcd9d0',
      stroke: bench.theme.ink,
      width: Math.max(5, q * 0.014),
    },
  ];
}

/** A low wall along the row or column its squares form. */
function wallOps(bench: Bench, grid: Grid, squares: readonly Square[], fill: string): Op[] {
  const q = grid.pitch;
  const keys = new Set(squares.map(({ at }) => `${at[0]},${at[1]}`));
  const path: Path = [];
  for (const { at, x, y } of squares) {
    const level = keys.has(`${at[0] - 1},${at[1]}`) || keys.has(`${at[0] + 1},${at[1]}`);
    const n = 5;
    for (let k = 0; k < n; k++) {
      const o = round(-q / 2 + (k * q) / n);
      const long = round(q / n) - 6;
      if (level) path.push(...rectangle(x + o + 3, y - round(q * 0.07), long, round(q * 0.14)));
      else path.push(...rectangle(x - round(q * 0.07), y + o + 3, round(q * 0.14), long));
    }
  }
  return [
    {
      op: 'path',
      path,
      fill: bench.theme.blackOnly ? '#ffffff' : fill,
      stroke: bench.theme.ink,
      width: Math.max(5, q * 0.016),
    },
  ];
}

/** Sandbags or earth thrown up in a horseshoe, open to the south. */
function horseshoe(bench: Bench, x: number, y: number, q: number, fill: string): Op[] {
  const ops: Op[] = [];
  for (let k = 0; k <= 8; k++) {
    const a = Math.PI - (k * Math.PI) / 8;
    const [cx, cy] = [round(x + q * 0.34 * Math.cos(a)), round(y + q * 0.1 - q * 0.34 * Math.sin(a))];
    ops.push({
      op: 'path',
      path: circle(cx, cy, round(q * 0.085)),
      fill: bench.theme.blackOnly ? '#ffffff' : fill,
      stroke: bench.theme.ink,
      width: Math.max(4, q * 0.013),
    });
  }
  return ops;
}

function terrainOps(bench: Bench, grid: Grid, kinds: Map<string, Square[]>): Op[] {
  const q = grid.pitch;
  const black = bench.theme.blackOnly;
  const of = (name: string): Square[] => kinds.get(name) ?? [];
  const c = (colour: string, dark: string): string => (black ? dark : colour);
  const ops: Op[] = [];
  if (of('road').length > 0) ops.push(...roadOps(bench, grid, of('road')));
  if (of('crops').length > 0) ops.push(...cropOps(bench, grid, of('crops')));
  if (of('pond').length > 0)
    ops.push(...blob(joined(grid, of('pond'), 0.06, 0.3), c('#b9d6e2', '#ffffff'), c('#3d6478', '#000000'), q * 0.06));
  const woods = of('forest');
  if (woods.length > 0)
    ops.push(
      ...blob(joined(grid, woods, 0.04, 0.16), c('#b7c894', '#ffffff'), c('#4b6333', '#000000'), q * 0.05),
      ...crowns(bench, grid, woods, 6, 0.78, 1.15),
    );
  const thicket = of('thicket');
  if (thicket.length > 0)
    ops.push(
      ...blob(joined(grid, thicket, 0.05, 0.12), c('#ccd6a6', '#ffffff'), c('#6f8050', '#000000'), q * 0.035),
      ...crowns(bench, grid, thicket, 6, 0.8, 0.55),
    );
  if (of('orchard').length > 0) ops.push(...crowns(bench, grid, of('orchard'), 2, 0.5));
  const hedge = of('bocage');
  if (hedge.length > 0)
    ops.push(
      ...blob(joined(grid, hedge, 0.1, 0.14), c('#86a55c', '#dddddd'), c('#2f4519', '#000000'), q * 0.07),
      ...crowns(bench, grid, hedge, 4, 0.6, 0.9),
    );
  if (of('rocks').length > 0) ops.push(...stoneOps(bench, grid, of('rocks')));
  if (of('rubble').length > 0)
    ops.push(
      ...blob(joined(grid, of('rubble'), 0.05, 0.1), c('#d3c6b4', '#ffffff'), c('#7c6a58', '#000000'), q * 0.04),
      ...stoneOps(bench, grid, of('rubble')),
    );
  if (of('low-wall').length > 0) ops.push(...wallOps(bench, grid, of('low-wall'), '#cfcabd'));
  for (const name of ['sandbags', 'foxhole', 'mg-nest'])
    for (const { x, y } of of(name)) ops.push(...horseshoe(bench, x, y, q, name === 'foxhole' ? '#b8935c' : '#d6bd86'));
  return ops;
}

function gridOps(bench: Bench, grid: Grid): Op[] {
  const [, , w, h] = grid.box;
  const path: Path = [];
  for (let i = 1; i < round(w / grid.pitch); i++) path.push(M, round(i * grid.pitch), 0, L, round(i * grid.pitch), h);
  for (let j = 1; j < round(h / grid.pitch); j++) path.push(M, 0, round(j * grid.pitch), L, w, round(j * grid.pitch));
  return [{ op: 'path', path, stroke: coloursOf(bench).grid, width: Math.max(4, grid.pitch * 0.012) }];
}

/** Draws a board of squares. */
export function boardOps(
  bench: Bench,
  grid: Grid,
  items: readonly SceneItem[],
): { under: Op[]; plates: Op[]; boxes: Box[] } {
  const kinds = new Map<string, Square[]>();
  for (const item of items) {
    if (item.kind !== 'cell' || item.tags?.includes('offset')) continue;
    const name = SAME[item.terrain] ?? item.terrain;
    const [x, y] = grid.centre(item.at);
    const list = kinds.get(name) ?? [];
    list.push({ at: item.at, terrain: name, x, y });
    kinds.set(name, list);
  }
  const under: Op[] = [...grassOps(bench, grid), ...terrainOps(bench, grid, kinds), ...gridOps(bench, grid)];
  const plates: Op[] = [];
  const boxes: Box[] = [];
  const counters = items.flatMap((item) => (item.kind === 'counter' ? [grid.centre(item.at)] : []));
  let n = 0;
  for (const item of items) {
    if (item.kind !== 'region' || item.style !== 'building') continue;
    const made = buildingOps(bench, grid, item, n++, counters);
    under.push(...made.ops);
    plates.push(...made.plate);
    if (made.box) boxes.push(made.box);
  }
  for (const item of items) if (item.kind === 'edge') under.push(...openingOps(bench, grid, item));
  return { under, plates, boxes };
}

/** A board of squares with ground of its own, rather than a chart drawn on squares. */
export function isBoard(scene: MapScene): boolean {
  if (scene.size.kind !== 'square') return false;
  return scene.items.some((item) => item.kind === 'cell' && (item.terrain === 'open' || item.terrain === 'grass'));
}
