/**
 * Lines over a board of squares, in exact integer arithmetic: which areas a line crosses, which walls stop it, which
 * openings it uses. A line and its reverse give the same answer by construction. What an area does to sight is for the
 * game to say.
 */
import { cross, type LatticePoint, strictlyBetween } from './square.ts';

/** An area a unit can stand on, or an incomplete square: two lattice units wide, `corner` is its north-west corner. */
export interface SightPlace {
  name: string;
  centre: LatticePoint;
  corner: LatticePoint;
  building: string | null;
}

type Segment = readonly [LatticePoint, LatticePoint];

export interface SightWall {
  segment: Segment;
  /** Building it belongs to. */
  building: string;
  interior: boolean;
}

/** A door or window: a stretch of outline without wall. */
export interface SightOpening {
  segment: Segment;
  building: string;
  kind: 'door' | 'window';
  inside: string;
  outside: readonly string[];
}

export interface SightGround {
  places: readonly SightPlace[];
  walls: readonly SightWall[];
  openings: readonly SightOpening[];
  /** Corners where the board prints No Passage: a line through one is blocked. */
  barriers: readonly LatticePoint[];
}

export interface Trace {
  /** A wall stops it. */
  walled: boolean;
  /** It passes a No Passage corner. */
  barred: boolean;
  /** Names of the places whose open interior it crosses, ends included. */
  crossed: string[];
  /** Pairs of places on both sides where it runs along their common edge. */
  along: [string, string][];
  /** Openings it passes through. */
  through: SightOpening[];
}

/** Everything geometric about the line between two lattice points. */
export function traceLine(ground: SightGround, p: LatticePoint, q: LatticePoint): Trace {
  return {
    walled: meetsWall(ground, p, q),
    barred: ground.barriers.some((point) => strictlyBetween(p, q, point)),
    crossed: ground.places.filter((place) => crosses(p, q, place.corner)).map((place) => place.name),
    along: edgesAlong(ground.places, p, q),
    through: ground.openings.filter((opening) => passesThrough(p, q, opening.segment)),
  };
}

/** Does the line meet the open interior of the two by two area with that north-west corner? Touching a corner does not (R2). */
export function crosses(p: LatticePoint, q: LatticePoint, corner: LatticePoint): boolean {
  const [x, y] = corner;
  if (Math.max(p[0], q[0]) <= x || Math.min(p[0], q[0]) >= x + 2) return false;
  if (Math.max(p[1], q[1]) <= y || Math.min(p[1], q[1]) >= y + 2) return false;
  const sides = [
    cross(p, q, [x, y]),
    cross(p, q, [x, y + 2]),
    cross(p, q, [x + 2, y]),
    cross(p, q, [x + 2, y + 2]),
  ] as const;
  if (!(Math.min(...sides) < 0 && Math.max(...sides) > 0)) return false;
  return clipped(p, q, corner);
}

/** Liang-Barsky with ratios kept as pairs: is a stretch of positive length of the segment inside the open area? */
function clipped(p: LatticePoint, q: LatticePoint, corner: LatticePoint): boolean {
  let low: readonly [number, number] = [0, 1];
  let high: readonly [number, number] = [1, 1];
  for (const axis of [0, 1] as const) {
    const run = q[axis] - p[axis];
    const near = corner[axis];
    if (run === 0) {
      if (!(near < p[axis] && p[axis] < near + 2)) return false;
      continue;
    }
    const sign = Math.sign(run);
    const a: readonly [number, number] = [(near - p[axis]) * sign, Math.abs(run)];
    const b: readonly [number, number] = [(near + 2 - p[axis]) * sign, Math.abs(run)];
    const [first, last] = sign > 0 ? [a, b] : [b, a];
    if (first[0] * low[1] > low[0] * first[1]) low = first;
    if (last[0] * high[1] < high[0] * last[1]) high = last;
  }
  return low[0] * high[1] < high[0] * low[1];
}

/**
 * G-03 and G-04. A line is stopped by a wall that it properly crosses; at a lattice point where outline segments meet, only
 * if wall leaves that point on both sides of the line (a corner post counts as wall even between two openings).
 */
function meetsWall(ground: SightGround, p: LatticePoint, q: LatticePoint): boolean {
  const posts = new Map<string, Post>();
  const post = (z: LatticePoint): Post => {
    const key = `${z[0]},${z[1]}`;
    let found = posts.get(key);
    if (!found) {
      found = { wall: new Set(), soft: new Set(), upright: new Set() };
      posts.set(key, found);
    }
    return found;
  };
  for (const { segment } of ground.openings) {
    const [a, c] = segment;
    for (const [z, other] of [
      [a, c],
      [c, a],
    ] as const) {
      if (!strictlyBetween(p, q, z)) continue;
      post(z).soft.add(Math.sign(cross(p, q, other)));
      post(z).upright.add(a[0] === c[0]);
    }
  }
  for (const wall of ground.walls) {
    const [a, c] = wall.segment;
    const u = cross(p, q, a);
    const v = cross(p, q, c);
    if (u === 0 && v === 0) {
      if (runsAlong(ground, wall, p, q)) return true;
    } else if (u * v < 0 && cross(a, c, p) * cross(a, c, q) < 0) return true;
    for (const [z, side] of [
      [a, v],
      [c, u],
    ] as const) {
      if (!strictlyBetween(p, q, z)) continue;
      post(z).wall.add(Math.sign(side));
      post(z).upright.add(a[0] === c[0]);
    }
  }
  for (const { wall, soft, upright } of posts.values()) {
    if (wall.has(1) && wall.has(-1)) return true;
    const either = (side: number): boolean => wall.has(side) || soft.has(side);
    if (upright.size === 2 && either(1) && either(-1)) return true;
  }
  return false;
}

interface Post {
  /** Sides of the line (signs) on which wall leaves this point, and opening. */
  wall: Set<number>;
  soft: Set<number>;
  upright: Set<boolean>;
}

/** A wall lying on the line stops it, unless both ends are outside that building and it touches on one side only (G-04). */
function runsAlong(ground: SightGround, wall: SightWall, p: LatticePoint, q: LatticePoint): boolean {
  const [a, c] = wall.segment;
  const axis = a[0] === c[0] ? 1 : 0;
  const from = Math.max(Math.min(p[axis], q[axis]), Math.min(a[axis], c[axis]));
  const to = Math.min(Math.max(p[axis], q[axis]), Math.max(a[axis], c[axis]));
  if (from >= to) return false;
  if (wall.interior) return true;
  const across = axis === 1 ? 0 : 1;
  const beside = (low: boolean): boolean =>
    ground.places.some(
      (place) =>
        place.building !== null &&
        place.corner[across] + (low ? 2 : 0) === a[across] &&
        place.corner[axis] < to &&
        place.corner[axis] + 2 > from,
    );
  if (beside(true) && beside(false)) return true;
  return [p, q].some((end) => ground.places.some((place) => place.building === wall.building && holds(place, end)));
}

function holds(place: SightPlace, point: LatticePoint): boolean {
  const [x, y] = place.corner;
  return x < point[0] && point[0] < x + 2 && y < point[1] && point[1] < y + 2;
}

function passesThrough(p: LatticePoint, q: LatticePoint, [a, c]: Segment): boolean {
  return cross(p, q, a) * cross(p, q, c) <= 0 && cross(a, c, p) * cross(a, c, q) < 0;
}

/** G-02: a line along a grid line crosses neither neighbour; both are reported, pair by pair. */
function edgesAlong(places: readonly SightPlace[], p: LatticePoint, q: LatticePoint): [string, string][] {
  const pairs: [string, string][] = [];
  for (const axis of [0, 1] as const) {
    if (p[axis] !== q[axis]) continue;
    const run = axis === 0 ? 1 : 0;
    const line = p[axis];
    const low = Math.min(p[run], q[run]);
    const high = Math.max(p[run], q[run]);
    const near = places.filter((place) => place.corner[run] < high && place.corner[run] + 2 > low);
    const before = near.filter((place) => place.corner[axis] + 2 === line);
    const after = near.filter((place) => place.corner[axis] === line);
    for (const a of before) {
      for (const b of after) {
        const from = Math.max(a.corner[run], b.corner[run], low);
        const to = Math.min(a.corner[run] + 2, b.corner[run] + 2, high);
        if (from < to) pairs.push([a.name, b.name]);
      }
    }
  }
  return pairs;
}
