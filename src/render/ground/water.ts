/** Rivers along hexsides, wider towards the mouth, and the bands that follow hexsides: beaches, walls, hedges, cliffs. */
import { chainsOf, openSpline, shakenChain, simplified, snap } from '../paint/curve.ts';
import { C, M, type Op, type Path, type Point, polyline } from '../paint/drawing.ts';
import type { Grid, Key, Node } from '../paint/grid.ts';
import { lineWidth, type Theme } from '../paint/theme.ts';

/** A hexside with its feature. */
export interface WaterSide {
  a: Key;
  b: Key;
  feature: string;
  name?: string | undefined;
}

/** A named water line, for its name. */
export interface NamedLine {
  name: string;
  points: Point[];
}

/** How far hexside midpoints of rivers wander, of R. */
const RIVER_SHAKE = 0.13;
/** Rivers are written in multiples of this. */
const RIVER_GRAIN = 3;
/** Widths from source to mouth in this many steps. */
const STEPS = 6;

/** Fill and edge of a river as shares of R at its source and at its mouth. */
const RIVERS: Record<string, { from: [number, number]; to: [number, number] }> = {
  river: { from: [0.052, 0.108], to: [0.115, 0.185] },
  stream: { from: [0.04, 0.085], to: [0.06, 0.11] },
  canal: { from: [0.085, 0.14], to: [0.085, 0.14] },
  'major-river': { from: [0.16, 0.235], to: [0.19, 0.27] },
};
const RIVER_NAMES: Record<string, string> = {
  river: 'river',
  minorriver: 'river',
  majorriver: 'major-river',
  'major-river': 'major-river',
  'minor-river': 'river',
  stream: 'stream',
  canal: 'canal',
};

/** Is the feature a water line? Gives its drawn class. */
export function riverClass(feature: string): string | undefined {
  return RIVER_NAMES[feature.toLowerCase()];
}

export function sideNodes(grid: Grid, side: { a: Key; b: Key }): [Node, Node] | undefined {
  const i = grid.sideTowards(side.a, side.b);
  return i < 0 ? undefined : [grid.corner(side.a, i), grid.corner(side.a, i + 1)];
}

/** Control points with hexsides that carry a bridge left in their place, so that road and river meet. */
function riverPoints(grid: Grid, chain: readonly Node[], bridged: ReadonlySet<string>): Point[] {
  const shaken = shakenChain(grid, chain, RIVER_SHAKE, false);
  return shaken.map((point, i) => {
    if (i % 2 === 0) return point;
    const a = chain[(i - 1) / 2]!;
    const b = chain[(i + 1) / 2]!;
    if (!bridged.has(a < b ? `${a}|${b}` : `${b}|${a}`)) return point;
    const [ax, ay] = grid.point(a);
    const [bx, by] = grid.point(b);
    return [Math.round((ax + bx) / 2), Math.round((ay + by) / 2)];
  });
}

/** The part of an open spline between two control points, continuous with the parts before and after it. */
function splinePart(points: readonly Point[], from: number, to: number, into: Path): void {
  const n = points.length;
  const knot = (i: number): Point => {
    if (i <= 0) return points[0]!;
    if (i >= n - 2) return points[n - 1]!;
    const a = points[i]!;
    const b = points[i + 1]!;
    return [snap((a[0] + b[0]) / 2, RIVER_GRAIN), snap((a[1] + b[1]) / 2, RIVER_GRAIN)];
  };
  const start = knot(from);
  into.push(M, start[0], start[1]);
  let [x, y] = start;
  for (let i = from + 1; i <= to; i++) {
    const p = points[i]!;
    const end = knot(i);
    into.push(C, x, y, p[0], p[1], end[0], end[1]);
    [x, y] = end;
  }
}

interface Mouths {
  /** A point in the sea beyond this node, when sea touches it. */
  beyond(node: Node): Point | undefined;
}

function mouthsOf(grid: Grid, cells: Iterable<Key>, isSea: (key: Key) => boolean): Mouths {
  const sea = new Map<Node, Key>();
  for (const key of cells) if (isSea(key)) for (let i = 0; i < grid.sides; i++) sea.set(grid.corner(key, i), key);
  return {
    beyond(node) {
      const key = sea.get(node);
      if (key === undefined) return undefined;
      const [x, y] = grid.point(node);
      const [cx, cy] = grid.centre(grid.cell(key));
      return [Math.round(x + (cx - x) * 0.4), Math.round(y + (cy - y) * 0.4)];
    },
  };
}

/** Chains of one river: pieces of the same name joined, ends towards the sea or the greater river last. */
function courses(
  grid: Grid,
  sides: readonly WaterSide[],
  mouths: Mouths,
): { kind: string; name: string; chain: Node[]; toSea: boolean; joins: boolean }[] {
  const groups = new Map<string, { kind: string; name: string; edges: [Node, Node][] }>();
  const owners = new Map<Node, Set<string>>();
  for (const side of sides) {
    const kind = riverClass(side.feature);
    const nodes = kind === undefined ? undefined : sideNodes(grid, side);
    if (!kind || !nodes) continue;
    const id = `${kind}|${side.name ?? ''}`;
    const group = groups.get(id) ?? { kind, name: side.name ?? '', edges: [] };
    group.edges.push(nodes);
    groups.set(id, group);
    for (const node of nodes) owners.set(node, (owners.get(node) ?? new Set()).add(id));
  }
  const out: { kind: string; name: string; chain: Node[]; toSea: boolean; joins: boolean }[] = [];
  for (const { kind, name, edges } of groups.values())
    for (const chain of chainsOf(edges)) {
      const first = chain[0]!;
      const last = chain[chain.length - 1]!;
      const rank = (node: Node): number => (mouths.beyond(node) ? 2 : (owners.get(node)?.size ?? 0) > 1 ? 1 : 0);
      const ordered = rank(first) > rank(last) ? [...chain].reverse() : chain;
      const end = rank(ordered[ordered.length - 1]!);
      out.push({ kind, name, chain: ordered, toSea: end === 2, joins: end === 1 });
    }
  return out;
}

/** A river of even width, for the legend. */
export function riverLayers(theme: Theme, kind: string, path: Path, radius: number): Op[] {
  const { to } = RIVERS[kind]!;
  return [
    { op: 'path', path, stroke: theme.water.edge, width: lineWidth(radius, to[1], 8), round: true },
    { op: 'path', path, stroke: theme.water.fill, width: lineWidth(radius, to[0], 4), round: true },
  ];
}

/** Draws all rivers: every edge, then every fill. */
export function riverOps(
  grid: Grid,
  theme: Theme,
  sides: readonly WaterSide[],
  bridged: ReadonlySet<string>,
  cells: Iterable<Key>,
  isSea: (key: Key) => boolean,
  detail: 'fine' | 'thrifty' | 'coarse' = 'fine',
): { ops: Op[]; lines: NamedLine[]; samples: Point[] } {
  const mouths = mouthsOf(grid, cells, isSea);
  const levels = new Map<string, { fill: number; edge: number; path: Path }>();
  const lines: NamedLine[] = [];
  const points: Point[] = [];
  for (const course of courses(grid, sides, mouths)) {
    const bent =
      detail === 'fine'
        ? riverPoints(grid, course.chain, bridged)
        : simplified(course.chain.map(grid.point), detail === 'coarse' ? 0.6 * grid.radius : 0);
    if (course.toSea) bent.push(mouths.beyond(course.chain[course.chain.length - 1]!)!);
    const control = bent.map(([x, y]): Point => [snap(x, RIVER_GRAIN), snap(y, RIVER_GRAIN)]);
    points.push(...control);
    if (course.name) lines.push({ name: course.name, points: control });
    const style = RIVERS[course.kind]!;
    const top = course.toSea ? 1 : course.joins ? 0.6 : 0.45;
    const n = control.length - 2;
    for (let step = 0; step < STEPS; step++) {
      const from = Math.round((n * step) / STEPS);
      const to = Math.round((n * (step + 1)) / STEPS);
      if (to <= from) continue;
      const level = Math.round(((step + 0.5) / STEPS) * top * STEPS) / STEPS;
      const share = (i: 0 | 1): number => style.from[i] + (style.to[i] - style.from[i]) * level;
      const id = `${course.kind}|${level}`;
      const made = levels.get(id) ?? {
        fill: lineWidth(grid.radius, share(0), 4),
        edge: lineWidth(grid.radius, share(1), 8),
        path: [],
      };
      splinePart(control, from, to, made.path);
      levels.set(id, made);
    }
  }
  const ordered = [...levels.values()].sort((a, b) => a.edge - b.edge);
  const ops: Op[] = [];
  if (detail !== 'coarse')
    for (const { path, edge } of ordered)
      ops.push({ op: 'path', path, stroke: theme.water.edge, width: edge, round: true, grain: RIVER_GRAIN });
  for (const { path, fill } of ordered)
    ops.push({ op: 'path', path, stroke: theme.water.fill, width: fill, round: true, grain: RIVER_GRAIN });
  return { ops, lines, samples: points };
}

/** Bands along hexsides, by feature: outline width and colour, then what lies within. */
function bandStyle(theme: Theme, feature: string): { share: number; colour: string; dash?: number[] }[] {
  const black = theme.blackOnly;
  switch (feature) {
    case 'wall':
      return [
        { share: 0.15, colour: black ? '#000000' : '#4f4a42' },
        { share: 0.085, colour: black ? '#ffffff' : '#c9c4b8', dash: [0.2, 0.035] },
      ];
    case 'hedge':
      return [
        { share: 0.17, colour: black ? '#000000' : '#4b6333' },
        { share: 0.11, colour: black ? '#bbbbbb' : '#8fae62' },
      ];
    case 'bocage':
      return [
        { share: 0.23, colour: black ? '#000000' : '#34491f' },
        { share: 0.17, colour: black ? '#999999' : '#6d8c44' },
        { share: 0.08, colour: black ? '#000000' : '#4b6b2c', dash: [0.01, 0.17] },
      ];
    case 'cliff':
      return [
        { share: 0.05, colour: theme.hill },
        { share: 0.22, colour: theme.hill, dash: [0.035, 0.08] },
      ];
    case 'fence':
    case 'wire':
    case 'barbed-wire':
      return [
        { share: 0.035, colour: theme.ink },
        { share: 0.13, colour: theme.ink, dash: [0.03, 0.2] },
      ];
    case 'beach':
      return [
        { share: 0.22, colour: theme.hill },
        { share: 0.16, colour: black ? '#ffffff' : '#f3d98f' },
        { share: 0.05, colour: theme.hill, dash: [0.001, 0.15] },
      ];
    default:
      return [{ share: 0.09, colour: theme.muted, dash: [0.15, 0.08] }];
  }
}

/** The strokes of one band along a path. */
export function bandLayers(theme: Theme, feature: string, path: Path, radius: number): Op[] {
  return bandStyle(theme, feature).map(({ share, colour, dash }) => ({
    op: 'path',
    path,
    stroke: colour,
    width: lineWidth(radius, share, 3),
    dash: dash?.map((part) => Math.max(1, Math.round(part * radius))),
    round: feature !== 'cliff' && feature !== 'wall' && !(dash && share > 0.12),
  }));
}

/** Beaches on the coast's own curve; walls, hedges, cliffs straight along their hexsides. */
export function bandOps(grid: Grid, theme: Theme, sides: readonly WaterSide[], coastShake: number): Op[] {
  const groups = new Map<string, [Node, Node][]>();
  for (const side of sides) {
    if (riverClass(side.feature)) continue;
    const nodes = sideNodes(grid, side);
    if (!nodes) continue;
    const list = groups.get(side.feature);
    if (list) list.push(nodes);
    else groups.set(side.feature, [nodes]);
  }
  const ops: Op[] = [];
  for (const [feature, edges] of groups) {
    const path: Path = [];
    for (const chain of chainsOf(edges)) {
      if (feature === 'beach') openSpline(shakenChain(grid, chain, coastShake, false), path);
      else path.push(...polyline(chain.map(grid.point)));
    }
    ops.push(...bandLayers(theme, feature, path, grid.radius));
  }
  return ops;
}
