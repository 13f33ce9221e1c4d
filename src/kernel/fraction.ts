/**
 * The only place where one number is divided by another. Rules count in integers: movement in quarter points, combat in
 * eighths and so on; these helpers keep the results whole.
 */
import { assert } from './assert.ts';

/** a : b rounded down. b > 0. */
export function floorDiv(a: number, b: number): number {
  assert(Number.isInteger(a) && Number.isInteger(b) && b > 0, `floorDiv(${a}, ${b})`);
  return Math.floor(a / b);
}

/** a : b rounded up. b > 0. */
export function ceilDiv(a: number, b: number): number {
  assert(Number.isInteger(a) && Number.isInteger(b) && b > 0, `ceilDiv(${a}, ${b})`);
  return Math.ceil(a / b);
}

/** Sign of a/b - c/d for positive denominators. */
export function compareRatios(a: number, b: number, c: number, d: number): number {
  assert(b > 0 && d > 0, 'compareRatios needs positive denominators');
  return Math.sign(a * d - c * b);
}

const QUARTERS = ['', '¼', '½', '¾'];

/** A number of `parts` to the whole (1, 2, 4 or 8) as players read it: 9 quarters are `2¼`. */
export function mixed(value: number, parts: number): string {
  const sign = value < 0 ? '-' : '';
  const whole = Math.floor(Math.abs(value) / parts);
  const rest = Math.abs(value) % parts;
  if (rest === 0) return `${sign}${whole}`;
  const quarter = (rest * 4) / parts;
  const tail = Number.isInteger(quarter) ? QUARTERS[quarter] : ` ${rest}/${parts}`;
  return `${sign}${whole === 0 ? '' : whole}${tail}`.trim();
}
