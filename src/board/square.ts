/**
 * Squares and the half-square lattice. Square (c, r), counted from 0 at the north-west, is the area from (2c, 2r) to
 * (2c + 2, 2r + 2); its centre is (2c + 1, 2r + 1). Interspaces, where four squares meet, have even coordinates; a square
 * off the general grid (offset) is given by its centre in the same units. All integers, so every test is exact.
 */
import { assert } from '../kernel/assert.ts';
import { ceilDiv } from '../kernel/fraction.ts';

/** A lattice point: x grows east, y grows south, two units to a square. */
export type LatticePoint = readonly [x: number, y: number];
/** N NE E SE S SW W NW as 0 to 7. */
export type Octant = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7;

const COLUMNS_MAX = 26;
const A = 65;
/** One square in each of the eight directions, in squares. */
export const OCTANTS: readonly LatticePoint[] = [
  [0, -1],
  [1, -1],
  [1, 0],
  [1, 1],
  [0, 1],
  [-1, 1],
  [-1, 0],
  [-1, -1],
];

/** `D9` for column 3, row 8 (both from 0). */
export function squareName(column: number, row: number): string {
  assert(column >= 0 && column < COLUMNS_MAX && row >= 0, `no square at ${column}, ${row}`);
  return `${String.fromCharCode(A + column)}${row + 1}`;
}

/** Column and row (from 0) of a name such as `D9`, in any case; undefined if it is no square name. */
export function squareAt(name: string): { column: number; row: number } | undefined {
  const match = /^([A-Za-z])([1-9]\d?)$/.exec(name);
  if (!match) return undefined;
  return { column: match[1]!.toUpperCase().charCodeAt(0) - A, row: Number(match[2]) - 1 };
}

/** The interspace named after the square north-west of it: `@D9` is the south-east corner of D9. */
export function interspaceName(point: LatticePoint): string {
  assert(point[0] % 2 === 0 && point[1] % 2 === 0, `no interspace at ${point[0]}, ${point[1]}`);
  return `@${squareName(half(point[0]) - 1, half(point[1]) - 1)}`;
}

/** The point of an interspace name such as `@D9`; undefined if it is none. */
export function interspaceAt(name: string): LatticePoint | undefined {
  if (!name.startsWith('@')) return undefined;
  const square = squareAt(name.slice(1));
  return square && [2 * square.column + 2, 2 * square.row + 2];
}

function half(even: number): number {
  return ceilDiv(even, 2);
}

/** Range in squares between two lattice points: steps of eight neighbours, halves rounded up (G-08). */
export function squaresBetween(a: LatticePoint, b: LatticePoint): number {
  return ceilDiv(Math.max(Math.abs(a[0] - b[0]), Math.abs(a[1] - b[1])), 2);
}

/** Twice the signed area of the triangle p, q, z: its sign says on which side of the line p-q the point z lies. */
export function cross(p: LatticePoint, q: LatticePoint, z: LatticePoint): number {
  return (q[0] - p[0]) * (z[1] - p[1]) - (q[1] - p[1]) * (z[0] - p[0]);
}

/** Is z strictly between p and q on their segment? */
export function strictlyBetween(p: LatticePoint, q: LatticePoint, z: LatticePoint): boolean {
  if (cross(p, q, z) !== 0) return false;
  if ((z[0] === p[0] && z[1] === p[1]) || (z[0] === q[0] && z[1] === q[1])) return false;
  return (
    Math.min(p[0], q[0]) <= z[0] &&
    z[0] <= Math.max(p[0], q[0]) &&
    Math.min(p[1], q[1]) <= z[1] &&
    z[1] <= Math.max(p[1], q[1])
  );
}

/**
 * Where `to` lies seen from `from` against a facing: `inside` 45 degrees each side of it, exactly on an `edge`, or
 * `outside` (G-11). A point seen from itself is inside.
 */
export function sectorOf(facing: Octant, from: LatticePoint, to: LatticePoint): 'inside' | 'edge' | 'outside' {
  const f = OCTANTS[facing]!;
  const d = [to[0] - from[0], to[1] - from[1]] as const;
  const along = f[0] * d[0] + f[1] * d[1];
  const aside = Math.abs(f[0] * d[1] - f[1] * d[0]);
  if (along < 0 || aside > along) return 'outside';
  return aside === along && along > 0 ? 'edge' : 'inside';
}

/** The direction from one square to a neighbouring one, by the signs of the difference; undefined for the same point. */
export function octantOf(from: LatticePoint, to: LatticePoint): Octant | undefined {
  const dx = Math.sign(to[0] - from[0]);
  const dy = Math.sign(to[1] - from[1]);
  const found = OCTANTS.findIndex((octant) => octant[0] === dx && octant[1] === dy);
  return found < 0 ? undefined : (found as Octant);
}

/** The direction 45 degrees to the left or right, or the one opposite. */
export function turned(facing: Octant, by: -1 | 1 | 4): Octant {
  return ((facing + by + 8) % 8) as Octant;
}
