/**
 * The common drawing that every renderer paints: paths, clips, symbols and text in tenths of a point, y growing downwards.
 * All coordinates are whole numbers: the PDF stays small and the same scene gives the same bytes.
 *
 * A path or symbol that is used more than once must be the same object each time: renderers store it once and refer to it.
 */

/** Opcodes within a path: M x y, L x y, Q cx cy x y, C ax ay bx by x y, Z. */
export const M = 0;
export const L = 1;
export const Q = 2;
export const C = 3;
export const Z = 4;
/** How many numbers follow each opcode. */
export const ARGUMENTS = [2, 2, 4, 6, 0] as const;

/** Opcodes and coordinates in one flat list. */
export type Path = number[];
/** left, top, right, bottom */
export type Box = readonly [number, number, number, number];
export type Point = readonly [number, number];
/** `#rrggbb` */
export type Colour = string;
export type Typeface = 'num' | 'bold' | 'sans' | 'strong' | 'italic' | 'serif' | 'fallback';

export interface Paint {
  fill?: Colour | undefined;
  stroke?: Colour | undefined;
  width?: number | undefined;
  dash?: readonly number[] | undefined;
  /** Round ends and corners. */
  round?: boolean | undefined;
  /** Only for shadows and ghosts. */
  opacity?: number | undefined;
}

/** A drawing made once and stamped many times. Ops without a colour take the colours of the stamp. */
export interface Stamp {
  name: string;
  box: Box;
  ops: Op[];
}

interface PathOp extends Paint {
  op: 'path';
  path: Path;
  /** All coordinates are multiples of this; the PDF writes them divided. */
  grain?: number | undefined;
}
interface UseOp extends Paint {
  op: 'use';
  symbol: Stamp;
  x: number;
  y: number;
  /** Degrees clockwise. */
  angle?: number | undefined;
  scale?: number | undefined;
}
interface ClipOp {
  op: 'clip';
  /** All coordinates of the path are multiples of this; the PDF writes them divided. */
  grain?: number | undefined;
  /** Moves path and ops alike. */
  shift?: Point | undefined;
  path: Path;
  ops: Op[];
}
export interface TextOp {
  op: 'text';
  x: number;
  /** Baseline. */
  y: number;
  text: string;
  face: Typeface;
  size: number;
  fill: Colour;
  anchor?: 'middle' | 'end' | undefined;
  angle?: number | undefined;
  halo?: { colour: Colour; width: number } | undefined;
  /** Letter spacing. */
  spacing?: number | undefined;
  opacity?: number | undefined;
}
/** Many short texts of one face, size and colour, each centred on its point: hex numbers. */
export interface NumbersOp {
  op: 'numbers';
  face: Typeface;
  size: number;
  fill: Colour;
  at: { x: number; y: number; text: string }[];
}
/** A place inside the document that may be jumped to, or a box that jumps there. */
interface TargetOp {
  op: 'target';
  name: string;
  x: number;
  y: number;
}
interface LinkOp {
  op: 'link';
  name: string;
  box: Box;
}
export type Op = PathOp | UseOp | ClipOp | TextOp | NumbersOp | TargetOp | LinkOp;

/** One page: width and height in tenths of a point. */
export interface Sheet {
  width: number;
  height: number;
  paper: Colour;
  title: string;
  ops: Op[];
}

export function rectangle(x: number, y: number, width: number, height: number): Path {
  return [M, x, y, L, x + width, y, L, x + width, y + height, L, x, y + height, Z];
}

/** A rectangle with round corners; `r` 0 gives square ones. */
export function roundRectangle(x: number, y: number, width: number, height: number, r: number): Path {
  if (r <= 0) return rectangle(x, y, width, height);
  const right = x + width;
  const bottom = y + height;
  return [
    ...[M, x + r, y, L, right - r, y, Q, right, y, right, y + r, L, right, bottom - r],
    ...[Q, right, bottom, right - r, bottom, L, x + r, bottom, Q, x, bottom, x, bottom - r],
    ...[L, x, y + r, Q, x, y, x + r, y, Z],
  ];
}

export function circle(x: number, y: number, r: number): Path {
  return ellipse(x, y, r, r);
}

export function ellipse(x: number, y: number, rx: number, ry: number): Path {
  const kx = Math.round(rx * 0.5523);
  const ky = Math.round(ry * 0.5523);
  return [
    ...[M, x + rx, y, C, x + rx, y + ky, x + kx, y + ry, x, y + ry, C, x - kx, y + ry, x - rx, y + ky, x - rx, y],
    ...[C, x - rx, y - ky, x - kx, y - ry, x, y - ry, C, x + kx, y - ry, x + rx, y - ky, x + rx, y, Z],
  ];
}

/** Straight lines through points; closed on request. */
export function polyline(points: readonly Point[], closed = false): Path {
  const path: Path = [];
  points.forEach(([x, y], i) => {
    path.push(i === 0 ? M : L, x, y);
  });
  if (closed && points.length > 0) path.push(Z);
  return path;
}

/** A copy moved by (dx, dy) after turning by `angle` degrees and scaling; rounded. */
export function placed(path: Path, dx: number, dy: number, angle = 0, scale = 1): Path {
  const c = Math.cos((angle * Math.PI) / 180) * scale;
  const s = Math.sin((angle * Math.PI) / 180) * scale;
  const out: Path = [];
  for (let i = 0; i < path.length; ) {
    const code = path[i++]!;
    out.push(code);
    for (let k = ARGUMENTS[code as 0]; k > 0; k -= 2) {
      const x = path[i++]!;
      const y = path[i++]!;
      out.push(Math.round(c * x - s * y + dx), Math.round(s * x + c * y + dy));
    }
  }
  return out;
}

/** The box around all points of a path, control points included. */
export function boxOf(path: Path): Box {
  let left = Number.POSITIVE_INFINITY;
  let top = Number.POSITIVE_INFINITY;
  let right = Number.NEGATIVE_INFINITY;
  let bottom = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < path.length; ) {
    for (let k = ARGUMENTS[path[i++]! as 0]; k > 0; k -= 2) {
      const x = path[i++]!;
      const y = path[i++]!;
      if (x < left) left = x;
      if (x > right) right = x;
      if (y < top) top = y;
      if (y > bottom) bottom = y;
    }
  }
  return [left, top, right, bottom];
}

export function grown(box: Box, by: number): Box {
  return [box[0] - by, box[1] - by, box[2] + by, box[3] + by];
}

export function overlaps(a: Box, b: Box): boolean {
  return a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3];
}

/** Area shared by two boxes. */
export function sharedArea(a: Box, b: Box): number {
  const width = Math.min(a[2], b[2]) - Math.max(a[0], b[0]);
  const height = Math.min(a[3], b[3]) - Math.max(a[1], b[1]);
  return width > 0 && height > 0 ? width * height : 0;
}

/** Moves ops by whole units. */
export function moved(ops: readonly Op[], dx: number, dy: number): Op[] {
  if (dx === 0 && dy === 0) return [...ops];
  const paths = new Map<number[], number[]>();
  const shift = (path: number[]): number[] => {
    const known = paths.get(path);
    if (known) return known;
    const made = placed(path, dx, dy);
    paths.set(path, made);
    return made;
  };
  return ops.map((op): Op => {
    switch (op.op) {
      case 'path':
        return { ...op, path: shift(op.path) };
      case 'clip':
        return { ...op, shift: [(op.shift?.[0] ?? 0) + dx, (op.shift?.[1] ?? 0) + dy] };
      case 'numbers':
        return { ...op, at: op.at.map((entry) => ({ ...entry, x: entry.x + dx, y: entry.y + dy })) };
      case 'link':
        return { ...op, box: [op.box[0] + dx, op.box[1] + dy, op.box[2] + dx, op.box[3] + dy] };
      default:
        return { ...op, x: op.x + dx, y: op.y + dy };
    }
  });
}

/** The same drawing with its texts at the end, like with like; only where no picture lies over a text. */
export function textsLast(ops: readonly Op[]): Op[] {
  const groups = new Map<string, Op[]>();
  const rest: Op[] = [];
  for (const op of ops) {
    if (op.op !== 'text') {
      rest.push(op);
      continue;
    }
    const id = `${op.face}|${op.size}|${op.fill}|${op.angle ?? ''}|${op.spacing ?? ''}|${op.halo ? 1 : 0}`;
    const group = groups.get(id);
    if (group) group.push(op);
    else groups.set(id, [op]);
  }
  return [...rest, ...[...groups.values()].flat()];
}
