/**
 * Textures of the ground as seeded stamps of one period of the grid. Stamps of the same texture fit each other at their
 * edges whatever variant they are, so that wide areas change their pattern without a seam.
 */
import { circle, L, M, type Op, type Path, Q, type Stamp, Z } from '../paint/drawing.ts';
import type { Grid } from '../paint/grid.ts';
import { noise, sequence, wobble } from '../paint/jitter.ts';
import { type GroundStyle, lineWidth, type Texture } from '../paint/theme.ts';

/** How many different stamps a texture has. */
export function variants(texture: Texture): number {
  return texture.startsWith('hedges') ? 5 : texture === 'crowns' ? 2 : 1;
}

interface Net {
  nx: number;
  ny: number;
  node(i: number, j: number): readonly [number, number];
}

/** A jittered square net over one period; its rim is the same for every variant. */
function net(grid: Grid, cell: number, seed: number, variant: number): Net {
  const { width, height } = grid.period;
  const nx = Math.max(2, Math.round(width / (cell * grid.radius)));
  const ny = Math.max(2, Math.round(height / (cell * grid.radius)));
  const node = (i: number, j: number): readonly [number, number] => {
    const a = i % nx;
    const b = j % ny;
    const own = a === 0 || b === 0 ? seed : seed + 100 * (variant + 1);
    const dx = wobble(a, b, own) * 0.3;
    const dy = wobble(a, b, own + 1) * 0.3;
    return [Math.round(((i + dx) * width) / nx), Math.round(((j + dy) * height) / ny)];
  };
  return { nx, ny, node };
}

/** How the hedges of a bocage are knitted: size of a field, share of sides left out, width of a hedge. */
interface Weave {
  cell: number;
  least: number;
  k: number;
}

const WEAVES: Partial<Record<Texture, Weave>> = {
  hedges: { cell: 0.4, least: 0.12, k: 0.036 },
  'hedges-light': { cell: 0.5, least: 0.3, k: 0.026 },
  'hedges-heavy': { cell: 0.34, least: 0.08, k: 0.036 },
};

/** Hedges: a net with sides left out and trees where hedges meet; the colour comes from the stamp. */
function hedges(grid: Grid, weave: Weave, variant: number): Op[] {
  const seed = Math.round(weave.cell * 100);
  const { nx, ny, node } = net(grid, weave.cell, seed, variant);
  const missing = weave.least + 0.065 * variant;
  const lines: Path = [];
  const trees: Path = [];
  for (let i = 0; i < nx; i++)
    for (let j = 0; j < ny; j++) {
      const [x, y] = node(i, j);
      const across = j === 0 ? seed + 7 : seed + 7 + variant * 31;
      const down = i === 0 ? seed + 9 : seed + 9 + variant * 31;
      if (noise(i, j, across) > (j === 0 ? weave.least + 0.12 : missing)) lines.push(M, x, y, L, ...node(i + 1, j));
      if (noise(i, j, down) > (i === 0 ? weave.least + 0.12 : missing)) lines.push(M, x, y, L, ...node(i, j + 1));
      if (noise(i, j, seed + 3 + variant) < 0.07) trees.push(M, x, y, L, x + 1, y);
    }
  const width = lineWidth(grid.radius, weave.k, 3);
  const ops: Op[] = [{ op: 'path', path: lines, width, round: true }];
  if (grid.radius >= 180 && trees.length > 0) ops.push({ op: 'path', path: trees, width: width * 3, round: true });
  return ops;
}

/** Single fields of the net in another tint. */
function parcels(grid: Grid, style: GroundStyle, weave: Weave, variant: number): Op[] {
  const seed = Math.round(weave.cell * 100);
  const { nx, ny, node } = net(grid, weave.cell, seed, variant);
  const paths: Path[] = (style.parcels ?? []).map(() => []);
  for (let i = 0; i < nx; i++)
    for (let j = 0; j < ny; j++) {
      const path = paths[Math.floor(noise(i, j, seed + 5 + variant * 13) * 8)];
      path?.push(M, ...node(i, j), L, ...node(i + 1, j), L, ...node(i + 1, j + 1), L, ...node(i, j + 1), Z);
    }
  return paths.flatMap((path, i): Op[] => (path.length > 0 ? [{ op: 'path', path, fill: style.parcels![i]! }] : []));
}

/** Scatters a small shape over the period, clear of its rim. */
function scattered(grid: Grid, every: number, seed: number, draw: (x: number, y: number, n: number) => void): void {
  const { width, height } = grid.period;
  const nx = Math.max(1, Math.round(width / (every * grid.radius)));
  const ny = Math.max(1, Math.round(height / (every * grid.radius)));
  for (let i = 0; i < nx; i++)
    for (let j = 0; j < ny; j++) {
      const x = ((i + 0.5 + (j % 2 ? 0.25 : -0.25) + 0.22 * wobble(i, j, seed)) * width) / nx;
      const y = ((j + 0.5 + 0.28 * wobble(i, j, seed + 1)) * height) / ny;
      draw(Math.round(x), Math.round(y), noise(i, j, seed + 2));
    }
}

function tufts(grid: Grid, style: GroundStyle): Op[] {
  const r = grid.radius;
  const u = (share: number): number => Math.round(share * r);
  const path: Path = [];
  scattered(grid, 0.66, 31, (x, y, n) => {
    if (n < 0.12) return;
    const h = 0.8 + 0.5 * n;
    path.push(M, x - u(0.15), y, L, x + u(0.15), y);
    path.push(M, x, y, L, x, y - u(0.17 * h), M, x - u(0.04), y, L, x - u(0.1), y - u(0.12 * h));
    path.push(M, x + u(0.04), y, L, x + u(0.1), y - u(0.12 * h));
  });
  return [{ op: 'path', path, stroke: style.ink, width: lineWidth(r, 0.032, 3) }];
}

function waves(grid: Grid, style: GroundStyle): Op[] {
  const r = grid.radius;
  const path: Path = [];
  scattered(grid, 0.62, 41, (x, y, n) => {
    if (n < 0.2) return;
    const a = Math.round(0.13 * r);
    const h = Math.round(0.07 * r);
    path.push(M, x - 2 * a, y, Q, x - a, y - h, x, y, Q, x + a, y + h, x + 2 * a, y);
  });
  return [{ op: 'path', path, stroke: style.ink, width: lineWidth(r, 0.026, 3), round: true }];
}

/** Woods: a few crowns of different size, stamped all over. */
function crowns(grid: Grid, style: GroundStyle, variant: number): Op[] {
  const r = grid.radius;
  const sizes = [0.13, 0.16, 0.19, 0.22].map((share) => Math.round(share * r));
  const stamps = sizes.map((size): Stamp => {
    const low = Math.round(size * 0.2);
    const arc: Path = [M, -size, low, Q, -size, size, 0, size, Q, size, size, size, 0];
    return {
      name: `crown-${size}`,
      box: [-size - 10, -size - 10, size + 10, size + 10],
      ops: [
        { op: 'path', path: circle(0, 0, size), fill: style.ink },
        { op: 'path', path: arc, stroke: style.rim ?? style.ink, width: lineWidth(r, 0.022, 2), round: true },
      ],
    };
  });
  const ops: Op[] = [];
  scattered(grid, 0.4, 51 + variant, (x, y, n) => {
    ops.push({ op: 'use', symbol: stamps[Math.floor(n * stamps.length)]!, x, y });
  });
  return ops;
}

function rows(grid: Grid, style: GroundStyle): Op[] {
  const { width, height } = grid.period;
  const path: Path = [];
  const ny = Math.round(height / (0.2 * grid.radius));
  for (let j = 0; j < ny; j++) {
    const y = Math.round(((j + 0.5) * height) / ny);
    path.push(M, 0, y, L, Math.round(width), y);
  }
  const dash = [Math.round(0.16 * grid.radius), Math.round(0.07 * grid.radius)];
  return [{ op: 'path', path, stroke: style.ink, width: lineWidth(grid.radius, 0.028, 3), dash }];
}

function dots(grid: Grid, style: GroundStyle, every: number, size: number): Op[] {
  const path: Path = [];
  scattered(grid, every, 61, (x, y) => {
    path.push(M, x, y, L, x + 1, y);
  });
  return [{ op: 'path', path, stroke: style.ink, width: lineWidth(grid.radius, size, 4), round: true }];
}

function orchard(grid: Grid, style: GroundStyle): Op[] {
  const { width, height } = grid.period;
  const nx = Math.round(width / (0.36 * grid.radius));
  const ny = Math.round(height / (0.36 * grid.radius));
  const path: Path = [];
  const r = Math.round(0.1 * grid.radius);
  for (let i = 0; i < nx; i++)
    for (let j = 0; j < ny; j++)
      path.push(...circle(Math.round(((i + 0.5) * width) / nx), Math.round(((j + 0.5) * height) / ny), r));
  return [{ op: 'path', path, fill: style.ink }];
}

function brush(grid: Grid, style: GroundStyle): Op[] {
  const path: Path = [];
  const u = Math.round(0.08 * grid.radius);
  scattered(grid, 0.45, 71, (x, y, n) => {
    path.push(M, x - u, y, Q, x - u, y - u, x, y - u, Q, x + u, y - u, x + u, y);
    if (n > 0.5) path.push(M, x, y, Q, x, y - u, x + u, y - u, Q, x + 2 * u, y - u, x + 2 * u, y);
  });
  return [{ op: 'path', path, stroke: style.ink, width: lineWidth(grid.radius, 0.03, 3), round: true }];
}

function grass(grid: Grid, style: GroundStyle): Op[] {
  const path: Path = [];
  const u = Math.round(0.09 * grid.radius);
  scattered(grid, 0.75, 81, (x, y, n) => {
    if (n < 0.55) path.push(M, x, y, L, x + Math.round(u / 3), y - u, M, x + u, y, L, x + u + Math.round(u / 3), y - u);
  });
  return [{ op: 'path', path, stroke: style.ink, width: lineWidth(grid.radius, 0.018, 2), round: true }];
}

function stones(grid: Grid, style: GroundStyle): Op[] {
  const path: Path = [];
  const next = sequence(91);
  scattered(grid, 0.6, 91, (x, y) => {
    const r = (0.08 + 0.1 * next()) * grid.radius;
    for (let k = 0; k < 6; k++) {
      const a = (k * Math.PI) / 3 + next() * 0.6;
      const l = r * (0.75 + 0.4 * next());
      path.push(k === 0 ? M : L, Math.round(x + l * Math.cos(a)), Math.round(y + l * Math.sin(a)));
    }
    path.push(Z);
  });
  return [{ op: 'path', path, fill: '#f4f2ec', stroke: style.ink, width: lineWidth(grid.radius, 0.025, 3) }];
}

/** Black-only sea: level lines four points apart. */
function levelLines(grid: Grid, style: GroundStyle): Op[] {
  const path: Path = [];
  const { width, height } = grid.period;
  const count = Math.max(1, Math.round(height / 40));
  for (let j = 0; j < count; j++) {
    const y = Math.round(((j + 0.5) * height) / count);
    path.push(M, 0, y, L, Math.ceil(width), y);
  }
  return [{ op: 'path', path, stroke: style.ink, width: 3 }];
}

function textureOps(grid: Grid, style: GroundStyle, variant: number): Op[] {
  switch (style.texture) {
    case 'tufts':
      return tufts(grid, style);
    case 'waves':
      return waves(grid, style);
    case 'crowns':
      return crowns(grid, style, variant);
    case 'rows':
      return rows(grid, style);
    case 'dots':
      return dots(grid, style, 0.3, 0.05);
    case 'orchard':
      return orchard(grid, style);
    case 'brush':
      return brush(grid, style);
    case 'grass':
      return grass(grid, style);
    case 'stones':
      return stones(grid, style);
    case 'lines':
      return levelLines(grid, style);
    default:
      return [];
  }
}

/** A stamp with the name it is kept under and, where the stamp itself has none, its colour. */
export interface TextureLayer {
  name: string;
  stroke?: string;
  make(): Stamp;
}

/** The layers of one period of a ground's texture, lowest first. Layers of one name are the same stamp. */
export function textureLayers(grid: Grid, style: GroundStyle, variant: number): TextureLayer[] {
  const { texture } = style;
  if (!texture) return [];
  const { width, height } = grid.period;
  const margin = Math.round(grid.radius * 0.4);
  const stamp = (name: string, ops: Op[]): Stamp => ({
    name,
    box: [-margin, -margin, Math.ceil(width) + margin, Math.ceil(height) + margin],
    ops,
  });
  const weave = WEAVES[texture];
  const id = `${grid.kind}-${grid.radius}-${variant}`;
  if (!weave) {
    const name = `texture-${texture}-${style.ink}-${id}`;
    return [{ name, make: () => stamp(name, textureOps(grid, style, variant)) }];
  }
  const lines = `texture-${texture}-${id}`;
  const layers: TextureLayer[] = [
    { name: lines, stroke: style.ink, make: () => stamp(lines, hedges(grid, weave, variant)) },
  ];
  const fields = `parcels-${style.name}-${id}`;
  if (style.parcels) layers.unshift({ name: fields, make: () => stamp(fields, parcels(grid, style, weave, variant)) });
  return layers;
}

/** One period of grid lines, as connected strokes; colour and width come from the stamp. */
export function gridStamp(grid: Grid): Stamp {
  const path: Path = [];
  const { columns, rows, width, height } = grid.period;
  const [c0, r0] = [grid.columns[0], grid.rows[0]];
  const origin = grid.point(grid.corner(grid.key(c0, r0), 0));
  for (let i = 0; i < columns; i++)
    for (let j = 0; j < rows; j++) {
      const key = grid.key(c0 + i, r0 + j);
      // Half of the sides of every cell, the other half belongs to its neighbours.
      for (let side = 0; side <= grid.sides / 2; side++) {
        const [x, y] = grid.point(grid.corner(key, side));
        if (side === 0) path.push(M, x - origin[0], y - origin[1]);
        else path.push(L, x - origin[0], y - origin[1]);
      }
    }
  const margin = Math.ceil(grid.radius * 2.2);
  return {
    name: 'grid',
    box: [-margin, -margin, Math.ceil(width) + margin, Math.ceil(height) + margin],
    ops: [{ op: 'path', path, width: lineWidth(grid.radius, 0.023, 2.5) }],
  };
}

/** The origin of stamp (0, 0): where the grid pattern repeats. */
export function stampOrigin(grid: Grid): readonly [number, number] {
  return grid.point(grid.corner(grid.key(grid.columns[0], grid.rows[0]), 0));
}
