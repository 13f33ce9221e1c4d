/** Smooth lines through the lattice: boundaries of regions as loops, chains of hexsides, and their spline. */
import type { Path, Point } from './drawing.ts';
import { L, M, Q, Z } from './drawing.ts';
import type { Grid, Key, Node } from './grid.ts';
import { wobble } from './jitter.ts';

function mid(a: Point, b: Point): Point {
  return [Math.round((a[0] + b[0]) / 2), Math.round((a[1] + b[1]) / 2)];
}

/** Closed loops of corner nodes around a set of cells, the set on the right hand. */
export function loopsAround(grid: Grid, cells: ReadonlySet<Key>): Node[][] {
  const next = new Map<Node, Node[]>();
  for (const key of cells)
    for (let side = 0; side < grid.sides; side++) {
      if (cells.has(grid.neighbour(key, side))) continue;
      const from = grid.corner(key, side);
      const to = grid.corner(key, side + 1);
      const list = next.get(from);
      if (list) list.push(to);
      else next.set(from, [to]);
    }
  const loops: Node[][] = [];
  for (const start of next.keys()) {
    while ((next.get(start)?.length ?? 0) > 0) {
      const loop: Node[] = [];
      let at = start;
      do {
        loop.push(at);
        at = next.get(at)!.pop()!;
      } while (at !== start);
      loops.push(loop);
    }
  }
  return loops;
}

/** The control polygon of a loop: corners drawn a little towards the middle of their sides, which takes out the stair-steps. */
export function easedLoop(grid: Grid, loop: readonly Node[], ease: number): Point[] {
  const points = loop.map(grid.point);
  const n = points.length;
  return points.map(([x, y], i) => {
    const a = points[(i + n - 1) % n]!;
    const b = points[(i + 1) % n]!;
    return [Math.round(x + (ease / 4) * (a[0] + b[0] - 2 * x)), Math.round(y + (ease / 4) * (a[1] + b[1] - 2 * y))];
  });
}

/** A hexside's midpoint moved along its normal by a share of the radius that depends on the place alone. */
function shakenMiddle(grid: Grid, a: Point, b: Point, share: number): Point {
  const x = (a[0] + b[0]) / 2;
  const y = (a[1] + b[1]) / 2;
  const length = Math.hypot(b[0] - a[0], b[1] - a[1]) || 1;
  // The sign must not depend on the direction of travel.
  const flip = b[0] > a[0] || (b[0] === a[0] && b[1] > a[1]) ? 1 : -1;
  const by = (flip * share * grid.radius * wobble(Math.round(x / 4), Math.round(y / 4), 17)) / length;
  return [Math.round(x - by * (b[1] - a[1])), Math.round(y + by * (b[0] - a[0]))];
}

/** Corners with shaken midpoints between them: the control polygon of coasts and rivers. */
export function shakenChain(grid: Grid, chain: readonly Node[], share: number, closed: boolean): Point[] {
  const out: Point[] = [];
  const points = chain.map(grid.point);
  points.forEach((point, i) => {
    out.push(point);
    const to = points[i + 1] ?? (closed ? points[0] : undefined);
    if (to) out.push(shakenMiddle(grid, point, to, share));
  });
  return out;
}

/** A uniform quadratic B-spline with the points as control polygon. */
export function closedSpline(points: readonly Point[], into: Path = []): Path {
  const n = points.length;
  if (n < 3) return into;
  const start = mid(points[n - 1]!, points[0]!);
  into.push(M, start[0], start[1]);
  for (let i = 0; i < n; i++) {
    const p = points[i]!;
    const to = i === n - 1 ? start : mid(p, points[i + 1]!);
    into.push(Q, p[0], p[1], to[0], to[1]);
  }
  into.push(Z);
  return into;
}

/** The same for an open chain: it begins and ends in the first and last point. */
export function openSpline(points: readonly Point[], into: Path = []): Path {
  const n = points.length;
  if (n < 2) return into;
  into.push(M, points[0]![0], points[0]![1]);
  for (let i = 1; i < n - 1; i++) {
    const p = points[i]!;
    const to = i === n - 2 ? points[n - 1]! : mid(p, points[i + 1]!);
    into.push(Q, p[0], p[1], to[0], to[1]);
  }
  if (n === 2) into.push(L, points[1]![0], points[1]![1]);
  return into;
}

/** Points along an open spline, a few to each control point, for placing names and samples. */
export function samples(points: readonly Point[]): Point[] {
  const out: Point[] = [];
  for (let i = 0; i + 1 < points.length; i++) {
    out.push(points[i]!, mid(points[i]!, points[i + 1]!));
  }
  if (points.length > 0) out.push(points[points.length - 1]!);
  return out;
}

/** Chains of an undirected graph: each edge once, split at ends and forks; rings closed by repeating the first node. */
export function chainsOf(edges: readonly (readonly [number, number])[]): number[][] {
  const links = new Map<number, Set<number>>();
  const join = (a: number, b: number): void => {
    const set = links.get(a);
    if (set) set.add(b);
    else links.set(a, new Set([b]));
  };
  for (const [a, b] of edges) {
    join(a, b);
    join(b, a);
  }
  const degree = new Map<number, number>();
  for (const [node, set] of links) degree.set(node, set.size);
  const chains: number[][] = [];
  const walk = (from: number, to: number): void => {
    const chain = [from];
    let a = from;
    let b = to;
    for (;;) {
      links.get(a)!.delete(b);
      links.get(b)!.delete(a);
      chain.push(b);
      if (degree.get(b) !== 2 || links.get(b)!.size === 0) break;
      a = b;
      b = links.get(b)!.values().next().value!;
    }
    chains.push(chain);
  };
  for (const [node, set] of links)
    if (degree.get(node) !== 2) for (const to of [...set]) if (set.has(to)) walk(node, to);
  for (const [node, set] of links) for (const to of [...set]) if (set.has(to)) walk(node, to);
  return chains;
}
