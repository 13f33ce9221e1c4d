/** The ground: tints and textures as smooth regions, hills, towns, sea with depth steps, grid and hex numbers. */

import {
  chainsOf,
  closedSpline,
  easedLoop,
  loopsAround,
  openSpline,
  roughLoop,
  shakenChain,
  thriftyLoop,
} from '../paint/curve.ts';
import { type Box, L, M, type Op, type Path, type Point, polyline, rectangle, type Stamp } from '../paint/drawing.ts';
import type { Grid, Key } from '../paint/grid.ts';
import { drift, noise, sequence } from '../paint/jitter.ts';
import { type GroundStyle, lineWidth, SMALLEST_TYPE, type Theme, typeSize } from '../paint/theme.ts';
import { type Bench, once } from '../pieces/counters.ts';
import { gridStamp, stampOrigin, textureLayers, variants } from './texture.ts';

/** One cell as the system described it. */
export interface GroundCell {
  terrain: string;
  hill: boolean;
  number?: string | undefined;
  tags: readonly string[];
}

export interface Ground {
  /** Under the grid: tints, textures, sea. */
  base: Op[];
  /** Hex numbers, drawn above rivers and roads. */
  numbers: Op[];
  /** Is this cell sea? */
  isSea(key: Key): boolean;
  styleOf(key: Key): GroundStyle;
  /** The coast as chains of points, for names that keep clear of it. */
  coast: Point[][];
}

/** How far corners of inland regions are drawn in; single hexes of towns and hills keep more of their shape. */
const EASE = 0.55;
const EASE_SMALL = 0.12;
/** How far hexside midpoints of coasts wander, of R. */
const COAST_SHAKE = 0.17;
/** Outlines of regions are written in multiples of this, on small pictures more roughly. */
const GRAIN = 4;
const COARSE_GRAIN = 10;

type Cells = Map<Key, GroundStyle>;

function styleOfCell(theme: Theme, cell: GroundCell): GroundStyle {
  return theme.ground(cell.hill && cell.terrain !== 'sea' ? `hill+${cell.terrain}` : cell.terrain);
}

/** Cells with their style, repeated one cell beyond the edge of the grid. */
function withRim(grid: Grid, theme: Theme, cells: ReadonlyMap<Key, GroundCell>): { all: Cells; own: Cells } {
  const own: Cells = new Map();
  for (const [key, cell] of cells) own.set(key, styleOfCell(theme, cell));
  const all: Cells = new Map(own);
  for (const [key, style] of own)
    for (let side = 0; side < grid.sides; side++) {
      const beyond = grid.neighbour(key, side);
      if (!all.has(beyond) && !grid.inside(...grid.cell(beyond))) all.set(beyond, style);
    }
  return { all, own };
}

/** For each style its cells, spread one cell under every neighbour of higher rank so that no gap shows at curved edges. */
function regionsOf(grid: Grid, all: Cells, spread: boolean): Map<string, { style: GroundStyle; cells: Set<Key> }> {
  const regions = new Map<string, { style: GroundStyle; cells: Set<Key> }>();
  const add = (style: GroundStyle, key: Key): void => {
    const region = regions.get(style.name);
    if (region) region.cells.add(key);
    else regions.set(style.name, { style, cells: new Set([key]) });
  };
  for (const [key, style] of all) {
    add(style, key);
    if (!spread) continue;
    for (let side = 0; side < grid.sides; side++) {
      const other = all.get(grid.neighbour(key, side));
      if (other && other.rank < style.rank) add(other, key);
    }
  }
  return regions;
}

function cellBox(grid: Grid, key: Key): Box {
  const [x, y] = grid.centre(grid.cell(key));
  const r = grid.radius;
  return [x - r, y - r, x + r, y + r];
}

interface Stamps {
  /** A small picture: tints without texture. */
  coarse: boolean;
  /** A map so large that its outlines are drawn in straight pieces. */
  thrifty: boolean;
  /** Texture and grid lines of one style over the given cells. */
  over(style: GroundStyle, cells: Iterable<Key>): Op[];
}

/** The same ground without fields of another tint. */
function withoutFields({ parcels: _, ...style }: GroundStyle): GroundStyle {
  return style;
}

function stampsOf(grid: Grid, bench: Bench, coarse: boolean): Stamps {
  const { thrifty } = bench;
  if (coarse) return { coarse, thrifty, over: () => [] };
  const lines = once(bench, `grid-${grid.kind}-${grid.radius}`, () => gridStamp(grid));
  const [ox, oy] = stampOrigin(grid);
  const { width, height } = grid.period;
  const texture = (style: GroundStyle, i: number, j: number, x: number, y: number): Op[] => {
    const count = thrifty ? 1 : variants(style.texture!);
    const wave = drift(i, j, 1.7, 5) * 0.75 + noise(i, j, 6) * 0.35;
    return textureLayers(
      grid,
      thrifty ? withoutFields(style) : style,
      Math.min(count - 1, Math.floor(wave * count)),
    ).map(({ name, stroke, make }): Op => ({ op: 'use', symbol: once(bench, name, make), x, y, stroke }));
  };
  return {
    coarse,
    thrifty,
    over(style, cells) {
      const everywhere = bench.theme.ground('hill');
      const touched = new Map<number, readonly [number, number]>();
      for (const key of cells) {
        const [left, top, right, bottom] = cellBox(grid, key);
        for (let i = Math.floor((left - ox) / width); i <= Math.floor((right - ox) / width); i++)
          for (let j = Math.floor((top - oy) / height); j <= Math.floor((bottom - oy) / height); j++)
            touched.set(i * 4096 + j, [i, j]);
      }
      const places = [...touched.values()].sort((a, b) => a[1] - b[1] || a[0] - b[0]);
      const grids: Op[] = [];
      const ops: Op[] = [];
      for (const [i, j] of places) {
        const x = Math.round(ox + i * width);
        const y = Math.round(oy + j * height);
        if (style.texture) ops.push(...texture(style, i, j, x, y));
        // Very large maps have one grid over all.
        if (!thrifty || style === everywhere) grids.push({ op: 'use', symbol: lines, stroke: style.grid, x, y });
      }
      return [...ops, ...grids];
    },
  };
}

function regionOps(grid: Grid, stamps: Stamps, style: GroundStyle, cells: ReadonlySet<Key>): Op[] {
  const path: Path = [];
  const small = style.name === 'city' || style.name === 'village' || style.name.startsWith('hill');
  const ease = small ? EASE_SMALL : EASE;
  const grain = stamps.coarse ? COARSE_GRAIN : GRAIN;
  for (const loop of loopsAround(grid, cells)) {
    if (style.name === 'city' && !stamps.coarse && grid.sides === 6)
      closedSpline(shakenChain(grid, loop, 0, true), path);
    else if (grid.sides === 4) path.push(...polyline(loop.map(grid.point), true));
    else if (stamps.coarse || stamps.thrifty) {
      const tolerance = (stamps.coarse ? 0.5 : 0.04) * grid.radius;
      roughLoop(loop.map(grid.point), grain, tolerance, path);
    } else thriftyLoop(easedLoop(grid, loop, ease), grain, path);
  }
  const whole = grid.sides === 4 || style.name === 'city' ? undefined : grain;
  // The stroke closes the gaps that simpler outlines leave between neighbours.
  if (stamps.coarse)
    return [
      { op: 'path', path, fill: style.tint, stroke: style.tint, width: Math.round(grid.radius * 0.5), grain: whole },
    ];
  const tint: Op = { op: 'path', path: coverOf(grid, cells), fill: style.tint };
  const ops: Op[] = [{ op: 'clip', path, grain: whole, ops: [tint, ...stamps.over(style, cells)] }];
  if (style.rim)
    ops.push({ op: 'path', path, stroke: style.rim, width: lineWidth(grid.radius, 0.045, 4), grain: whole });
  return ops;
}

/** A rectangle over all the cells. */
function coverOf(grid: Grid, cells: Iterable<Key>): Path {
  let box: [number, number, number, number] | undefined;
  for (const key of cells) {
    const [left, top, right, bottom] = cellBox(grid, key);
    box = box
      ? [Math.min(box[0], left), Math.min(box[1], top), Math.max(box[2], right), Math.max(box[3], bottom)]
      : [left, top, right, bottom];
  }
  if (!box) return rectangle(0, 0, 1, 1);
  const [left, top] = [Math.floor(box[0]), Math.floor(box[1])];
  return rectangle(left, top, Math.ceil(box[2]) - left, Math.ceil(box[3]) - top);
}

/** Hachures along one side, pointing inwards. */
function combs(grid: Grid): (key: Key, side: number) => { symbol: Stamp; x: number; y: number; shaded: boolean } {
  const made = new Map<number, Stamp>();
  const build = (key: Key, side: number, variant: number): Stamp => {
    const [cx, cy] = grid.centre(grid.cell(key));
    const a = grid.point(grid.corner(key, side));
    const b = grid.point(grid.corner(key, side + 1));
    const length = Math.hypot(b[0] - a[0], b[1] - a[1]);
    const inward = [cx - (a[0] + b[0]) / 2, cy - (a[1] + b[1]) / 2] as const;
    const depth = Math.hypot(...inward);
    const next = sequence(200 + side * 8 + variant);
    const count = Math.max(4, Math.round(length / (0.115 * grid.radius)));
    const path: Path = [];
    for (let i = 0; i < count; i++) {
      const t = (i + 0.3 + 0.4 * next()) / count;
      const root = (0.03 + 0.13 * (2 * t - 1) ** 2) * grid.radius;
      const tick = (i % 2 === 0 ? 0.3 : 0.19) * grid.radius * (0.8 + 0.35 * next());
      const x = a[0] + (b[0] - a[0]) * t - cx;
      const y = a[1] + (b[1] - a[1]) * t - cy;
      const lean = 0.1 * (next() - 0.5);
      const [ux, uy] = [inward[0] / depth - (lean * inward[1]) / depth, inward[1] / depth + (lean * inward[0]) / depth];
      path.push(M, Math.round(x + ux * root), Math.round(y + uy * root));
      path.push(L, Math.round(x + ux * (root + tick)), Math.round(y + uy * (root + tick)));
    }
    const r = Math.ceil(grid.radius * 1.2);
    return { name: `comb-${side}-${variant}`, box: [-r, -r, r, r], ops: [{ op: 'path', path, width: 0 }] };
  };
  return (key, side) => {
    const [x, y] = grid.centre(grid.cell(key));
    const variant = noise(x, y, 77 + side) < 0.5 ? 0 : 1;
    const id = side * 2 + variant;
    let symbol = made.get(id);
    if (!symbol) {
      symbol = build(key, side, variant);
      const [left] = grid.point(grid.corner(key, side));
      const [right] = grid.point(grid.corner(key, side + 1));
      const low = grid.point(grid.corner(key, side))[1] + grid.point(grid.corner(key, side + 1))[1] > 2 * y;
      const shaded = low || (left + right) / 2 > x + grid.radius * 0.5;
      symbol.ops = symbol.ops.map((op) =>
        op.op === 'path'
          ? { ...op, width: lineWidth(grid.radius, shaded ? 0.058 : 0.03, shaded ? 4 : 2.5), round: shaded }
          : op,
      );
      made.set(id, symbol);
    }
    return { symbol, x, y, shaded: false };
  };
}

function hachures(grid: Grid, theme: Theme, all: Cells): Op[] {
  const ops: Op[] = [];
  const comb = combs(grid);
  const isHill = (style: GroundStyle | undefined): boolean => style?.name.startsWith('hill') ?? false;
  for (const [key, style] of all) {
    if (!isHill(style)) continue;
    for (let side = 0; side < grid.sides; side++) {
      const beyond = all.get(grid.neighbour(key, side));
      if (!beyond || isHill(beyond)) continue;
      const { symbol, x, y } = comb(key, side);
      ops.push({ op: 'use', symbol, x, y, stroke: theme.hill });
    }
  }
  return ops;
}

/** Blocks of a town: a turned grid of houses, thinned outward. */
function townStamp(grid: Grid, theme: Theme, variant: number, village: boolean): Stamp {
  const next = sequence(300 + variant * 2 + (village ? 1 : 0));
  const r = grid.radius;
  const step = (village ? 0.2 : 0.185) * r;
  const turn = (next() - 0.5) * 0.9;
  const reach = village ? 1 : 3;
  const dark: Path = [];
  const light: Path = [];
  for (let i = -reach; i <= reach; i++)
    for (let j = -reach; j <= reach; j++) {
      const far = Math.hypot(i, j) / (reach + 0.5);
      if (next() < far * (village ? 0.55 : 0.75) || (village && i === 0 && j === 0)) continue;
      const w = step * (0.32 + 0.13 * next());
      const h = step * (0.32 + 0.13 * next());
      const x = i * step * (village ? 1.05 : 1);
      const y = j * step * (village ? 1.05 : 1);
      const corner = (dx: number, dy: number): Point => [
        Math.round((x + dx) * Math.cos(turn) - (y + dy) * Math.sin(turn)),
        Math.round((x + dx) * Math.sin(turn) + (y + dy) * Math.cos(turn)),
      ];
      const house = polyline([corner(-w, -h), corner(w, -h), corner(w, h), corner(-w, h)], true);
      (next() < 0.3 ? light : dark).push(...house);
    }
  const box = Math.ceil(r);
  return {
    name: `${village ? 'village' : 'town'}-${variant}`,
    box: [-box, -box, box, box],
    ops: [
      { op: 'path', path: light, fill: theme.town.lightBlock },
      { op: 'path', path: dark, fill: theme.town.block },
    ],
  };
}

/** Houses on cities and villages. */
export function townOps(grid: Grid, theme: Theme, cells: ReadonlyMap<Key, GroundCell>, villages: boolean): Op[] {
  const made = new Map<number, Stamp>();
  const ops: Op[] = [];
  for (const [key, cell] of cells) {
    const village = cell.terrain === 'village' || (cell.tags.includes('village') && cell.terrain !== 'city');
    const city = theme.ground(cell.terrain).name === 'city';
    if (villages ? !village : !city) continue;
    const [x, y] = grid.centre(grid.cell(key));
    const variant = Math.floor(noise(x, y, 9) * 4);
    let symbol = made.get(variant);
    if (!symbol) {
      symbol = townStamp(grid, theme, variant, villages);
      made.set(variant, symbol);
    }
    ops.push({ op: 'use', symbol, x, y });
  }
  return ops;
}

/** Sea, depth steps and coast line, over everything else. */
function seaOps(grid: Grid, theme: Theme, stamps: Stamps, all: Cells): { ops: Op[]; coast: Point[][] } {
  const sea = new Set<Key>();
  for (const [key, style] of all) if (style.name === 'sea') sea.add(key);
  if (sea.size === 0) return { ops: [], coast: [] };
  const path: Path = [];
  for (const loop of loopsAround(grid, sea)) {
    if (stamps.coarse) roughLoop(loop.map(grid.point), COARSE_GRAIN, 0.25 * grid.radius, path);
    else closedSpline(shakenChain(grid, loop, COAST_SHAKE, true), path);
  }
  const sides: [number, number][] = [];
  for (const key of sea)
    for (let side = 0; side < grid.sides; side++) {
      const beyond = grid.neighbour(key, side);
      if (all.has(beyond) && !sea.has(beyond)) sides.push([grid.corner(key, side), grid.corner(key, side + 1)]);
    }
  const coastPath: Path = [];
  const coast = chainsOf(sides).map((chain) => {
    const ring = chain.length > 2 && chain[0] === chain[chain.length - 1];
    const points = shakenChain(grid, ring ? chain.slice(0, -1) : chain, COAST_SHAKE, ring);
    if (ring) closedSpline(points, coastPath);
    else openSpline(points, coastPath);
    return points;
  });
  const style = theme.ground('sea');
  const inside: Op[] = [{ op: 'path', path: coverOf(grid, sea), fill: style.tint }];
  theme.depths.forEach((stroke, i) => {
    const width = Math.round([2.4, 1.4, 0.7][i]! * grid.radius);
    inside.push({ op: 'path', path: coastPath, stroke, width, round: true });
  });
  inside.push(...stamps.over(style, sea));
  const ops: Op[] = [
    { op: 'clip', path, ops: inside },
    { op: 'path', path: coastPath, stroke: theme.coast, width: lineWidth(grid.radius, 0.05, 5), round: true },
  ];
  return { ops, coast };
}

/** Size of hex numbers, or 0 where they would be too small to read. */
function numberSize(grid: Grid): number {
  const size = typeSize(grid.radius, 5, 5.5, 7);
  return grid.radius >= 140 ? Math.max(SMALLEST_TYPE, size) : 0;
}

function numberOps(grid: Grid, cells: ReadonlyMap<Key, GroundCell>, own: Cells): Op[] {
  const size = numberSize(grid);
  if (size === 0 || grid.kind === 'square') return [];
  const drop = grid.kind === 'hex-columns' ? -0.866 * grid.radius + 0.95 * size : -0.68 * grid.radius + 0.4 * size;
  const byColour = new Map<string, { x: number; y: number; text: string }[]>();
  for (const [key, cell] of cells) {
    if (!cell.number) continue;
    const colour = own.get(key)!.number;
    const [x, y] = grid.centre(grid.cell(key));
    const entry = { x, y: Math.round(y + drop), text: cell.number };
    const list = byColour.get(colour);
    if (list) list.push(entry);
    else byColour.set(colour, [entry]);
  }
  return [...byColour].map(([fill, at]) => ({ op: 'numbers', face: 'num', size, fill, at }));
}

/** Draws the ground of a hex map. */
export function groundOps(grid: Grid, bench: Bench, cells: ReadonlyMap<Key, GroundCell>, coarse = false): Ground {
  const { theme } = bench;
  const { all, own } = withRim(grid, theme, cells);
  const stamps = stampsOf(grid, bench, coarse);
  const plain = theme.ground('plain');
  const base: Op[] = [];
  const regions = [...regionsOf(grid, all, !coarse).values()].sort((a, b) => a.style.rank - b.style.rank);
  for (const { style, cells: where } of regions) {
    if (style.name === 'sea') continue;
    if (style.name === plain.name)
      base.push({ op: 'path', path: coverOf(grid, where), fill: plain.tint }, ...stamps.over(plain, where));
    else base.push(...regionOps(grid, stamps, style, where));
  }
  if (!coarse) base.push(...hachures(grid, theme, all), ...townOps(grid, theme, cells, false));
  const sea = seaOps(grid, theme, stamps, all);
  base.push(...sea.ops);
  if (bench.thrifty) base.push(...stamps.over(theme.ground('hill'), all.keys()));
  return {
    base,
    numbers: numberOps(grid, cells, own),
    isSea: (key) => all.get(key)?.name === 'sea',
    styleOf: (key) => all.get(key) ?? plain,
    coast: sea.coast,
  };
}
