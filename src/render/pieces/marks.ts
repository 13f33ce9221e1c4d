/** What happened: moves, attacks, retreats, fire as arrows; battles as plates; places as markers. */

import {
  type Box,
  circle,
  L,
  M,
  type Op,
  type Path,
  type Point,
  polyline,
  Q,
  roundRectangle,
  Z,
} from '../paint/drawing.ts';
import { textWidth } from '../paint/fonts.ts';
import { lineWidth } from '../paint/theme.ts';
import { star } from './branches.ts';
import { type Bench, once } from './counters.ts';
import { objectOps } from './objects.ts';

const round = Math.round;

/** How an arrow is drawn. */
export type ArrowKind = 'move' | 'attack' | 'retreat' | 'advance' | 'landing' | 'barrage' | 'fire' | 'blocked';

export function arrowKind(name: string): ArrowKind {
  switch (name) {
    case 'attack':
    case 'assault':
      return 'attack';
    case 'retreat':
    case 'rout':
      return 'retreat';
    case 'advance':
      return 'advance';
    case 'landing':
    case 'drop':
      return 'landing';
    case 'barrage':
    case 'bombardment':
      return 'barrage';
    case 'fire':
      return 'fire';
    case 'blocked':
    case 'fire-blocked':
      return 'blocked';
    default:
      return 'move';
  }
}

/** The points of a path with both ends moved inwards, so that it starts and ends clear of the counters. */
function trimmed(points: readonly Point[], start: number, end: number): Point[] {
  const out = points.map(([x, y]): Point => [x, y]);
  const pull = (a: Point, b: Point, by: number): Point => {
    const d = Math.hypot(b[0] - a[0], b[1] - a[1]) || 1;
    const t = Math.min(by, d * 0.45) / d;
    return [round(a[0] + (b[0] - a[0]) * t), round(a[1] + (b[1] - a[1]) * t)];
  };
  if (out.length < 2) return out;
  out[0] = pull(out[0]!, out[1]!, start);
  out[out.length - 1] = pull(out[out.length - 1]!, out[out.length - 2]!, end);
  return out;
}

/** A smooth line through the middle of each step. */
function smooth(points: readonly Point[]): Path {
  if (points.length < 3) return polyline(points);
  const path: Path = [M, points[0]![0], points[0]![1]];
  for (let i = 1; i < points.length - 1; i++) {
    const p = points[i]!;
    const next = points[i + 1]!;
    const to: Point = i === points.length - 2 ? next : [round((p[0] + next[0]) / 2), round((p[1] + next[1]) / 2)];
    path.push(Q, p[0], p[1], to[0], to[1]);
  }
  return path;
}

function unit(a: Point, b: Point): { x: number; y: number; length: number } {
  const length = Math.hypot(b[0] - a[0], b[1] - a[1]) || 1;
  return { x: (b[0] - a[0]) / length, y: (b[1] - a[1]) / length, length };
}

/** A triangle at `tip` looking along (x, y). */
function head(tip: Point, x: number, y: number, long: number, wide: number, notch = 0.22): Path {
  const at = (along: number, across: number): [number, number] => [
    round(tip[0] - x * along - y * across),
    round(tip[1] - y * along + x * across),
  ];
  return [M, tip[0], tip[1], L, ...at(long, wide / 2), L, ...at(long * (1 - notch), 0), L, ...at(long, -wide / 2), Z];
}

function moveArrow(bench: Bench, points: Point[], r: number, colour: string, inferred: boolean): Op[] {
  const { theme } = bench;
  const last = points[points.length - 1]!;
  const before = points[points.length - 2]!;
  const way = unit(before, last);
  const long = Math.max(60, round(0.36 * r));
  const wide = Math.max(50, round(0.3 * r));
  const shaft = [
    ...points.slice(0, -1),
    [round(last[0] - way.x * long * 0.7), round(last[1] - way.y * long * 0.7)] as Point,
  ];
  const path = smooth(shaft);
  const width = lineWidth(r, 0.085, 11);
  const tip = head(last, way.x, way.y, long, wide);
  const casing = theme.white;
  const dash = inferred ? [round(width * 2.2), round(width * 1.3)] : undefined;
  return [
    { op: 'path', path, stroke: casing, width: width + lineWidth(r, 0.06, 8), round: true },
    { op: 'path', path: tip, stroke: casing, width: lineWidth(r, 0.06, 8), round: true },
    { op: 'path', path, stroke: colour, width, dash },
    { op: 'path', path: tip, fill: colour },
  ];
}

/** The broad tapered arrow of an attack, with a notched tail. */
function attackArrow(bench: Bench, from: Point, to: Point, r: number): Op[] {
  const way = unit(from, to);
  const at = (along: number, across: number): [number, number] => [
    round(from[0] + way.x * along - way.y * across),
    round(from[1] + way.y * along + way.x * across),
  ];
  const d = way.length;
  const tail = 0.11 * r;
  const neck = 0.14 * r;
  const wing = 0.3 * r;
  const headLong = Math.min(0.42 * r, d * 0.55);
  const path: Path = [
    ...[M, ...at(0, -tail), L, ...at(d - headLong, -neck), L, ...at(d - headLong - 0.08 * r, -wing), L, ...at(d, 0)],
    ...[
      L,
      ...at(d - headLong - 0.08 * r, wing),
      L,
      ...at(d - headLong, neck),
      L,
      ...at(0, tail),
      L,
      ...at(0.1 * r, 0),
      Z,
    ],
  ];
  const { marks, white } = bench.theme;
  return [
    { op: 'path', path, stroke: white, width: lineWidth(r, 0.1, 10), round: true },
    { op: 'path', path, fill: marks.attack, stroke: marks.attackEdge, width: lineWidth(r, 0.025, 4) },
  ];
}

/** Hollow and ticked like a ladder: never mistaken for a move, even in grey. */
function retreatArrow(bench: Bench, points: Point[], r: number): Op[] {
  const { theme } = bench;
  const last = points[points.length - 1]!;
  const before = points[points.length - 2]!;
  const way = unit(before, last);
  const long = Math.max(50, round(0.34 * r));
  const wide = Math.max(60, round(0.36 * r));
  const shaft = [
    ...points.slice(0, -1),
    [round(last[0] - way.x * long * 0.8), round(last[1] - way.y * long * 0.8)] as Point,
  ];
  const path = smooth(shaft);
  const width = lineWidth(r, 0.15, 18);
  const edge = lineWidth(r, 0.035, 5);
  const tip = head(last, way.x, way.y, long, wide, 0);
  const fill = theme.marks.retreat!;
  return [
    { op: 'path', path, stroke: theme.ink, width: width + 2 * edge },
    { op: 'path', path: tip, fill, stroke: theme.ink, width: edge },
    { op: 'path', path, stroke: fill, width },
    { op: 'path', path, stroke: theme.ink, width: round(width * 0.62), dash: [edge, round(width * 0.62)] },
  ];
}

function fireLine(bench: Bench, points: Point[], r: number, blocked: boolean): Op[] {
  const { theme } = bench;
  const from = points[0]!;
  const to = points[points.length - 1]!;
  const way = unit(from, to);
  const width = lineWidth(r, 0.06, 8);
  const colour = blocked ? theme.muted : theme.marks.attack!;
  const dash = [round(width * 2.6), round(width * 1.6)];
  const path = polyline([from, to]);
  const ring = round(0.1 * r);
  const ops: Op[] = [
    { op: 'path', path, stroke: theme.white, width: width * 2, round: true },
    { op: 'path', path, stroke: colour, width, dash },
    { op: 'path', path: circle(from[0], from[1], ring), fill: theme.white, stroke: colour, width: round(width * 0.7) },
  ];
  if (blocked) {
    const c = round(ring * 1.1);
    const k = round(c * 0.7);
    ops.push({
      op: 'path',
      path: circle(to[0], to[1], round(c * 1.3)),
      fill: theme.white,
      stroke: theme.ink,
      width: round(width * 0.6),
    });
    ops.push({
      op: 'path',
      path: [M, to[0] - k, to[1] - k, L, to[0] + k, to[1] + k, M, to[0] - k, to[1] + k, L, to[0] + k, to[1] - k],
      stroke: theme.ink,
      width: round(width * 0.7),
    });
  } else
    ops.push({
      op: 'path',
      path: head(to, way.x, way.y, round(0.3 * r), round(0.26 * r)),
      fill: colour,
      stroke: theme.white,
      width: 4,
    });
  return ops;
}

function barrageLine(bench: Bench, points: Point[], r: number): Op[] {
  const { theme } = bench;
  const to = points[points.length - 1]!;
  const width = lineWidth(r, 0.055, 7);
  const burst: Path = [];
  for (let i = 0; i < 18; i++) {
    const a = (i * Math.PI) / 9;
    const l = (i % 2 === 0 ? 0.26 : 0.13) * r;
    burst.push(i === 0 ? M : L, round(to[0] + l * Math.cos(a)), round(to[1] + l * Math.sin(a)));
  }
  burst.push(Z);
  const path = polyline(points);
  return [
    { op: 'path', path, stroke: theme.white, width: width * 2.2, round: true },
    { op: 'path', path, stroke: theme.marks.range, width: width * 1.2, dash: [1, round(width * 2.4)], round: true },
    {
      op: 'path',
      path: burst,
      fill: theme.blackOnly ? '#ffffff' : '#f28c28',
      stroke: theme.marks.attackEdge,
      width: lineWidth(r, 0.025, 4),
    },
  ];
}

/** One arrow; `clear` is how far it keeps from the centres of its first and last cell. */
export function arrowOps(
  bench: Bench,
  kind: ArrowKind,
  path: readonly Point[],
  r: number,
  inferred: boolean,
  clear: number,
): Op[] {
  if (path.length < 2) return [];
  const { marks } = bench.theme;
  switch (kind) {
    case 'attack': {
      const a = path[path.length - 2]!;
      const b = path[path.length - 1]!;
      const way = unit(a, b);
      const middle: Point = [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2];
      const half = Math.min(0.48 * r, way.length * 0.45);
      const tail: Point =
        path.length > 2 ? path[0]! : [round(middle[0] - way.x * half), round(middle[1] - way.y * half)];
      return attackArrow(bench, tail, [round(middle[0] + way.x * half), round(middle[1] + way.y * half)], r);
    }
    case 'retreat':
      return retreatArrow(bench, trimmed(path, clear * 0.4, clear * 0.95), r);
    case 'fire':
    case 'blocked':
      return fireLine(bench, trimmed(path, clear * 0.6, clear * 0.5), r, kind === 'blocked');
    case 'barrage':
      return barrageLine(bench, trimmed(path, clear * 0.8, 0), r);
    case 'landing':
    case 'advance':
      return moveArrow(
        bench,
        trimmed(path, clear * 0.3, clear * 0.95),
        r,
        kind === 'landing' ? marks.new! : marks.attack!,
        inferred,
      );
    default:
      return moveArrow(bench, trimmed(path, 0, clear * 0.95), r, inferred ? marks.inferred! : marks.move!, inferred);
  }
}

/** The plate of a battle: odds large, the rest small below. Returns its box for other marks to keep clear of. */
export function plateOps(bench: Bench, at: Point, big: string, small: string, r: number): { ops: Op[]; box: Box } {
  const { theme } = bench;
  const bigSize = Math.max(80, round(0.4 * r));
  const smallSize = Math.max(50, round(0.19 * r));
  const width = Math.max(textWidth('bold', big, bigSize), textWidth('bold', small, smallSize));
  const pad = round(bigSize * 0.28);
  const wide = round(width + 2 * pad);
  const high = round(bigSize * 0.95 + (small ? smallSize * 1.15 : 0) + pad * 0.5);
  const x = at[0] - round(wide / 2);
  const y = at[1] - round(high / 2);
  const ops: Op[] = [
    {
      op: 'path',
      path: roundRectangle(x, y, wide, high, round(bigSize * 0.18)),
      fill: theme.white,
      stroke: theme.marks.attack,
      width: lineWidth(r, 0.035, 6),
    },
    {
      op: 'text',
      x: x + pad,
      y: y + round(bigSize * 0.86),
      text: big,
      face: 'bold',
      size: bigSize,
      fill: theme.marks.attack!,
    },
  ];
  if (small)
    ops.push({
      op: 'text',
      x: x + pad,
      y: y + high - round(pad * 0.6),
      text: small,
      face: 'bold',
      size: smallSize,
      fill: theme.ink,
    });
  return { ops, box: [x, y, x + wide, y + high] };
}

function ringed(bench: Bench, name: string, r: number, fill: string, edge: string, sign: Op[]): Op {
  const symbol = once(bench, `marker-${name}-${r}`, () => ({
    name,
    box: [-r - 12, -r - 12, r + 12, r + 12],
    ops: [
      { op: 'path', path: circle(0, 0, r + 6), fill: bench.theme.white },
      { op: 'path', path: circle(0, 0, r), fill, stroke: edge, width: Math.max(5, round(r * 0.14)) },
      ...sign,
    ],
  }));
  return { op: 'use', symbol, x: 0, y: 0 };
}

/** Words for the same marker. */
const MARKER: Record<string, string> = {
  'victory-point': 'victory',
  vp: 'victory',
  control: 'objective',
  'landing-zone': 'zone',
  'drop-zone': 'zone',
  dz: 'zone',
  lz: 'zone',
  barrage: 'burst',
  explosion: 'burst',
  blasted: 'burst',
  blaze: 'fire',
  flame: 'fire',
};

/** A marker lying in a cell. */
export function markerOps(
  bench: Bench,
  marker: string,
  text: string | undefined,
  at: Point,
  r: number,
  side?: string,
): Op[] {
  const { theme } = bench;
  const kind = MARKER[marker] ?? marker;
  const d = Math.max(60, round(0.3 * r));
  const colour = side ? theme.liveries.side(side).marker : theme.marks.objective!;
  const label = (size: number, drop: number, fill: string): Op[] =>
    text ? [{ op: 'text', x: at[0], y: at[1] + round(drop), text, face: 'bold', size, fill, anchor: 'middle' }] : [];
  const put = (op: Op): Op => (op.op === 'use' ? { ...op, x: at[0], y: at[1] } : op);
  switch (kind) {
    case 'victory':
    case 'star': {
      const path = star(0, text ? -round(d * 0.28) : 0, round(d * (text ? 0.45 : 0.75)));
      const name = `victory-${colour}-${text ? 'with' : 'without'}`;
      const disc = ringed(bench, name, d, theme.white, colour, [{ op: 'path', path, fill: colour }]);
      return [put(disc), ...label(Math.max(50, round(d * 0.75)), d * 0.72, theme.ink)];
    }
    case 'objective': {
      const room = round((1.5 * d) / Math.max(1, (text ?? '').length * 0.45));
      const size = Math.min(round(d * 1.1), Math.max(50, room));
      return [
        put(ringed(bench, `objective-${colour}`, d, theme.white, colour, [])),
        ...label(size, size * 0.36, colour),
      ];
    }
    case 'zone': {
      const wide = round(d * 1.3);
      const { zone, zoneEdge } = theme.marks;
      const disc = ringed(bench, 'zone', wide, zone!, zoneEdge!, parachute(bench, wide));
      return [put(disc), ...label(Math.max(50, round(d * 0.55)), d * 0.95, theme.ink)];
    }
    case 'burst':
      return barrageLine(bench, [at, at], r).slice(2);
    default:
      return objectOps(bench, kind, at[0], at[1], round(r * 1.6)) ?? boxed(bench, kind, text, at, r, colour);
  }
}

function parachute(bench: Bench, d: number): Op[] {
  const w = round(d * 0.62);
  const y = -round(d * 0.12);
  return [
    {
      op: 'path',
      path: [M, -w, y, Q, -w, y - w, 0, y - w, Q, w, y - w, w, y, Z],
      fill: bench.theme.white,
      stroke: bench.theme.ink,
      width: Math.max(4, round(d * 0.06)),
    },
    {
      op: 'path',
      path: [M, -w, y, L, 0, round(d * 0.35), L, w, y, M, -round(w / 3), y, L, 0, round(d * 0.35), L, round(w / 3), y],
      stroke: bench.theme.ink,
      width: Math.max(3, round(d * 0.04)),
    },
  ];
}

/** A marker without a picture of its own: a small plate with its words. */
function boxed(bench: Bench, kind: string, text: string | undefined, at: Point, r: number, colour: string): Op[] {
  const { theme } = bench;
  const words = (text ?? kind).toUpperCase();
  const size = Math.max(50, round(0.2 * r));
  const wide = round(textWidth('bold', words, size) + size * 0.7);
  const high = round(size * 1.25);
  const fill = kind === 'interdiction' ? theme.marks.interdiction! : colour;
  return [
    {
      op: 'path',
      path: roundRectangle(at[0] - round(wide / 2), at[1] - round(high / 2), wide, high, round(size * 0.2)),
      fill: theme.white,
      stroke: fill,
      width: Math.max(5, round(size * 0.1)),
    },
    { op: 'text', x: at[0], y: at[1] + round(size * 0.36), text: words, face: 'bold', size, fill, anchor: 'middle' },
  ];
}
