/** Roads, trails and railways: smooth lines that cross each hexside at its middle, and the bridges over rivers. */

import { simplified, snap } from '../paint/curve.ts';
import { ARGUMENTS, C, L, M, type Op, type Path, type Point, polyline, Q, type Stamp } from '../paint/drawing.ts';
import type { Grid, Key } from '../paint/grid.ts';
import { wobble } from '../paint/jitter.ts';
import { lineWidth, type Theme } from '../paint/theme.ts';
import { sideNodes } from './water.ts';

export interface CellLine {
  feature: string;
  path: readonly Key[];
  name?: string | undefined;
}

const CLASS: Record<string, string> = {
  road: 'road',
  roads: 'road',
  primary: 'primary',
  'primary-road': 'primary',
  primaryroad: 'primary',
  highway: 'primary',
  trail: 'trail',
  track: 'trail',
  path: 'trail',
  railway: 'railway',
  rail: 'railway',
  railroad: 'railway',
};
/** Drawn in this order, each class's edges before its fills. */
const ORDER = ['railway', 'trail', 'road', 'primary'] as const;

/** How far road bends wander from hex centres, of R. */
const BEND = 0.17;

export function roadClass(feature: string): string | undefined {
  return CLASS[feature.toLowerCase()];
}

interface Network {
  links: Map<Key, Key[]>;
  bend(key: Key): Point;
  middle(a: Key, b: Key): Point;
  /** The two links that run through a junction. */
  through(key: Key): readonly [Key, Key] | undefined;
}

function networkOf(grid: Grid, edges: readonly (readonly [Key, Key])[], still: (key: Key) => boolean): Network {
  const links = new Map<Key, Key[]>();
  const add = (a: Key, b: Key): void => {
    const list = links.get(a);
    if (!list) links.set(a, [b]);
    else if (!list.includes(b)) list.push(b);
  };
  for (const [a, b] of edges) {
    add(a, b);
    add(b, a);
  }
  const middle = (a: Key, b: Key): Point => {
    const nodes = sideNodes(grid, { a, b });
    if (!nodes) {
      const [p, q] = [grid.centre(grid.cell(a)), grid.centre(grid.cell(b))];
      return [Math.round((p[0] + q[0]) / 2), Math.round((p[1] + q[1]) / 2)];
    }
    const [p, q] = [grid.point(nodes[0]), grid.point(nodes[1])];
    return [Math.round((p[0] + q[0]) / 2), Math.round((p[1] + q[1]) / 2)];
  };
  const through = (key: Key): readonly [Key, Key] | undefined => {
    const list = links.get(key) ?? [];
    if (list.length < 2) return undefined;
    let best: readonly [Key, Key] | undefined;
    let straightest = 2;
    const [x, y] = grid.centre(grid.cell(key));
    for (let i = 0; i < list.length; i++)
      for (let j = i + 1; j < list.length; j++) {
        const [ax, ay] = middle(key, list[i]!);
        const [bx, by] = middle(key, list[j]!);
        const cosine =
          ((ax - x) * (bx - x) + (ay - y) * (by - y)) / (Math.hypot(ax - x, ay - y) * Math.hypot(bx - x, by - y) || 1);
        if (cosine < straightest - 1e-9) {
          straightest = cosine;
          best = [list[i]!, list[j]!];
        }
      }
    return best;
  };
  return {
    links,
    bend: (key) => {
      const [x, y] = grid.centre(grid.cell(key));
      if (still(key)) return [x, y];
      const r = BEND * grid.radius;
      return [Math.round(x + r * wobble(x, y, 21)), Math.round(y + r * wobble(x, y, 22))];
    },
    middle,
    through,
  };
}

/** Where the curve through a junction passes: branches end there. */
function apex(net: Network, key: Key): Point {
  const pair = net.through(key);
  const [x, y] = net.bend(key);
  if (!pair) return [x, y];
  const a = net.middle(key, pair[0]);
  const b = net.middle(key, pair[1]);
  return [Math.round((a[0] + b[0] + 2 * x) / 4), Math.round((a[1] + b[1] + 2 * y) / 4)];
}

/** Chains of cells, running straight on through junctions. */
function chains(net: Network): Key[][] {
  const used = new Set<string>();
  const id = (a: Key, b: Key): string => (a < b ? `${a}|${b}` : `${b}|${a}`);
  const onward = (from: Key, at: Key): Key | undefined => {
    const pair = net.through(at);
    if (!pair) return undefined;
    const next = pair[0] === from ? pair[1] : pair[1] === from ? pair[0] : undefined;
    return next === undefined || used.has(id(at, next)) ? undefined : next;
  };
  const walk = (from: Key, to: Key): Key[] => {
    const chain = [from, to];
    used.add(id(from, to));
    for (let next = onward(from, to); next !== undefined; ) {
      const at = chain[chain.length - 1]!;
      used.add(id(at, next));
      chain.push(next);
      next = onward(at, next);
    }
    return chain;
  };
  const out: Key[][] = [];
  const isEnd = (from: Key, key: Key): boolean => {
    const pair = net.through(key);
    return !pair || (pair[0] !== from && pair[1] !== from);
  };
  for (const [key, list] of net.links)
    for (const to of list) if (!used.has(id(key, to)) && isEnd(to, key)) out.push(walk(key, to));
  for (const [key, list] of net.links) for (const to of list) if (!used.has(id(key, to))) out.push(walk(key, to));
  return out;
}

function chainPath(
  net: Network,
  chain: readonly Key[],
  leave: (key: Key) => Point | undefined,
  thrifty: boolean,
  into: Path,
): void {
  const first = chain[0]!;
  const last = chain[chain.length - 1]!;
  const end = (key: Key): { at: Point; out?: Point | undefined } => ({
    at: apex(net, key),
    out: (net.links.get(key)?.length ?? 0) === 1 ? leave(key) : undefined,
  });
  const start = end(first);
  if (start.out) {
    const m = net.middle(first, chain[1]!);
    into.push(M, start.out[0], start.out[1], Q, start.at[0], start.at[1], m[0], m[1]);
  } else {
    const m = net.middle(first, chain[1]!);
    into.push(M, start.at[0], start.at[1], L, m[0], m[1]);
  }
  let at = net.middle(first, chain[1]!);
  for (let i = 1; i < chain.length - 1; i++) {
    const p = net.bend(chain[i]!);
    const m = net.middle(chain[i]!, chain[i + 1]!);
    if (thrifty) into.push(C, at[0], at[1], p[0], p[1], m[0], m[1]);
    else into.push(Q, p[0], p[1], m[0], m[1]);
    at = m;
  }
  const stop = end(last);
  if (first === last) return;
  if (stop.out) into.push(Q, stop.at[0], stop.at[1], stop.out[0], stop.out[1]);
  else into.push(L, stop.at[0], stop.at[1]);
}

/** A road that ends in a cell at the edge of the map runs on through the frame. */
function leaving(grid: Grid, stays: (key: Key) => boolean): (key: Key) => Point | undefined {
  const [c0, c1] = grid.columns;
  const [r0, r1] = grid.rows;
  return (key) => {
    const [column, row] = grid.cell(key);
    if (stays(key)) return undefined;
    const [x, y] = grid.centre([column, row]);
    const out = grid.radius * 2;
    if (row === r1) return [x, y + out];
    if (row === r0) return [x, y - out];
    if (column === c1) return [x + out, y];
    if (column === c0) return [x - out, y];
    return undefined;
  };
}

function bridgeStamp(grid: Grid, theme: Theme, wide: number): Stamp {
  const r = grid.radius;
  const half = Math.round(0.17 * r);
  const off = Math.round(wide * 0.5 + 0.03 * r);
  const flare = Math.round(0.07 * r);
  const path: Path = [];
  for (const side of [-1, 1]) {
    const y = side * off;
    path.push(M, -half - flare, y + side * flare, L, -half, y, L, half, y, L, half + flare, y + side * flare);
  }
  const box = half + off + flare * 3;
  return {
    name: 'bridge',
    box: [-box, -box, box, box],
    ops: [{ op: 'path', path, stroke: theme.ink, width: lineWidth(r, 0.042, 4) }],
  };
}

/** Roads of very large maps are written in multiples of this. */
const GRAIN = 4;

function snapAll(path: Path, grain: number): void {
  for (let i = 0; i < path.length; ) {
    const end = i + ARGUMENTS[path[i] as 0];
    for (i++; i <= end; i++) path[i] = snap(path[i]!, grain);
  }
}

/** Widths of each class: edge and fill as shares of R. */
const WIDTHS: Record<string, [number, number]> = { road: [0.17, 0.095], primary: [0.22, 0.15] };

/** The strokes of one class of road along a path; `r` is the corner radius. */
export function classOps(r: number, theme: Theme, kind: string, path: Path): Op[] {
  if (kind === 'railway')
    return [
      { op: 'path', path, stroke: theme.road.rail, width: lineWidth(r, 0.05, 4) },
      {
        op: 'path',
        path,
        stroke: theme.road.rail,
        width: lineWidth(r, 0.17, 12),
        dash: [lineWidth(r, 0.045, 4), lineWidth(r, 0.28, 24)],
      },
    ];
  if (kind === 'trail') {
    const dash = [lineWidth(r, 0.2, 16), lineWidth(r, 0.12, 10)];
    return [{ op: 'path', path, stroke: theme.road.trail, width: lineWidth(r, 0.06, 4), dash, round: false }];
  }
  const [edge, fill] = WIDTHS[kind]!;
  return [
    { op: 'path', path, stroke: theme.road.edge, width: lineWidth(r, edge, 8), round: true },
    {
      op: 'path',
      path,
      stroke: kind === 'primary' ? theme.road.primary : theme.road.fill,
      width: lineWidth(r, fill, 4),
      round: true,
    },
  ];
}

/**
 * Draws roads and bridges. `still` names cells whose road bend stays on the centre (towns); `riverSides` are hexsides with a
 * river as `node|node`.
 */
export function roadOps(
  grid: Grid,
  theme: Theme,
  lines: readonly CellLine[],
  still: (key: Key) => boolean,
  riverSides: ReadonlySet<string>,
  detail: 'fine' | 'thrifty' | 'coarse' = 'fine',
): { ops: Op[]; bridges: Op[]; bridged: Set<string>; samples: Point[] } {
  const byClass = new Map<string, [Key, Key][]>();
  for (const line of lines) {
    const kind = roadClass(line.feature);
    if (!kind) continue;
    const edges = byClass.get(kind) ?? [];
    for (let i = 0; i + 1 < line.path.length; i++) edges.push([line.path[i]!, line.path[i + 1]!]);
    byClass.set(kind, edges);
  }
  const ops: Op[] = [];
  const bridges: Op[] = [];
  const bridged = new Set<string>();
  const samples: Point[] = [];
  for (const kind of ORDER) {
    const edges = byClass.get(kind);
    if (!edges) continue;
    const net = networkOf(grid, edges, still);
    const path: Path = [];
    if (detail === 'coarse') {
      for (const chain of chains(net)) {
        const points = simplified(
          chain.map((key) => grid.centre(grid.cell(key))),
          0.7 * grid.radius,
        );
        path.push(...polyline(points.map(([x, y]): Point => [snap(x, 10), snap(y, 10)])));
      }
      ops.push({ op: 'path', path, stroke: theme.road.edge, width: 8, grain: 10 });
      continue;
    }
    for (const chain of chains(net)) chainPath(net, chain, leaving(grid, still), detail === 'thrifty', path);
    if (detail === 'thrifty') snapAll(path, GRAIN);
    const layers = classOps(grid.radius, theme, kind, path);
    ops.push(
      ...(detail === 'thrifty' ? layers.map((op): Op => (op.op === 'path' ? { ...op, grain: GRAIN } : op)) : layers),
    );
    const symbol = bridgeStamp(grid, theme, lineWidth(grid.radius, WIDTHS[kind]?.[0] ?? 0.1, 8));
    for (const [a, b] of edges) {
      const nodes = sideNodes(grid, { a, b });
      if (!nodes) continue;
      samples.push(net.middle(a, b), net.bend(a));
      const id = nodes[0] < nodes[1] ? `${nodes[0]}|${nodes[1]}` : `${nodes[1]}|${nodes[0]}`;
      if (!riverSides.has(id) || bridged.has(id) || kind === 'trail') continue;
      bridged.add(id);
      const [x, y] = net.middle(a, b);
      const [ax, ay] = grid.centre(grid.cell(a));
      const [bx, by] = grid.centre(grid.cell(b));
      const angle = Math.round((Math.atan2(by - ay, bx - ax) * 180) / Math.PI);
      bridges.push({ op: 'use', symbol, x, y, angle });
    }
  }
  return { ops, bridges, bridged, samples };
}
