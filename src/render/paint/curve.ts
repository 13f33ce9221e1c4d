/** Smooth lines through the lattice: boundaries of regions as loops, chains of hexsides, and their spline. */
import { C, L, M, type Path, type Point, Q, Z } from './drawing.ts';
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

/** To the nearest multiple of the grain. */
export function snap(n: number, grain: number): number {
  return Math.round(n / grain) * grain;
}

/**
 * A smooth loop at a third less: cubics whose first handle lies on their start, so that one point of each is not written.
 * It leaves and meets its neighbours in the same directions as the spline above. Coordinates are multiples of the grain.
 */
export function thriftyLoop(points: readonly Point[], grain: number, into: Path): void {
  const n = points.length;
  if (n < 3) return;
  const snapped = points.map(([x, y]): Point => [snap(x, grain), snap(y, grain)]);
  const between = (a: Point, b: Point): Point => [snap((a[0] + b[0]) / 2, grain), snap((a[1] + b[1]) / 2, grain)];
  const start = between(snapped[n - 1]!, snapped[0]!);
  into.push(M, start[0], start[1]);
  let [x, y] = start;
  for (let i = 0; i < n; i++) {
    const p = snapped[i]!;
    const to = i === n - 1 ? start : between(p, snapped[i + 1]!);
    into.push(C, x, y, p[0], p[1], to[0], to[1]);
    [x, y] = to;
  }
  into.push(Z);
}

/** Fewer points for a line: those nearer than `tolerance` to the straight way between their neighbours kept are dropped. */
export function simplified(points: readonly Point[], tolerance: number): Point[] {
  if (points.length < 3) return [...points];
  const keep = new Uint8Array(points.length);
  keep[0] = keep[points.length - 1] = 1;
  const open: [number, number][] = [[0, points.length - 1]];
  while (open.length > 0) {
    const [from, to] = open.pop()!;
    const [ax, ay] = points[from]!;
    const [bx, by] = points[to]!;
    const length = Math.hypot(bx - ax, by - ay);
    let far = tolerance;
    let at = -1;
    for (let i = from + 1; i < to; i++) {
      const [x, y] = points[i]!;
      const d =
        length < 1 ? Math.hypot(x - ax, y - ay) : Math.abs((bx - ax) * (y - ay) - (by - ay) * (x - ax)) / length;
      if (d > far) {
        far = d;
        at = i;
      }
    }
    if (at < 0) continue;
    keep[at] = 1;
    open.push([from, at], [at, to]);
  }
  return points.filter((_, i) => keep[i] === 1);
}

/** A loop in straight pieces from hexside middle to hexside middle, for small pictures of large maps. */
export function roughLoop(points: readonly Point[], grain: number, tolerance: number, into: Path): void {
  const n = points.length;
  if (n < 3) return;
  const middles = points.map(([x, y], i): Point => {
    const [bx, by] = points[(i + 1) % n]!;
    return [snap((x + bx) / 2, grain), snap((y + by) / 2, grain)];
  });
  // Two halves, so that the ends of a simplified half stay where they are.
  const half = Math.floor(n / 2);
  const first = simplified(middles.slice(0, half + 1), tolerance);
  const second = simplified([...middles.slice(half), middles[0]!], tolerance);
  [...first, ...second.slice(1, -1)].forEach(([x, y], i) => {
    into.push(i === 0 ? M : L, x, y);
  });
  into.push(Z);
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
