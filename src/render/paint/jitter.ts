/** Chance that isn't: the same place always gives the same number, so that the same map has the same wobbles. */

/** A number from 0 (included) to 1 (excluded) for two integers and a seed. */
export function noise(x: number, y: number, seed: number): number {
  let h = Math.imul(x | 0, 0x27d4eb2d) ^ Math.imul(y | 0, 0x165667b1) ^ Math.imul(seed | 0, 0x9e3779b1);
  h = Math.imul(h ^ (h >>> 15), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return ((h ^ (h >>> 16)) >>> 0) / 4294967296;
}

/** From -1 to 1. */
export function wobble(x: number, y: number, seed: number): number {
  return noise(x, y, seed) * 2 - 1;
}

/** A slowly changing number from 0 to 1: neighbouring places are alike. `scale` is the distance between independent ones. */
export function drift(x: number, y: number, scale: number, seed: number): number {
  const gx = Math.floor(x / scale);
  const gy = Math.floor(y / scale);
  const fx = x / scale - gx;
  const fy = y / scale - gy;
  const sx = fx * fx * (3 - 2 * fx);
  const sy = fy * fy * (3 - 2 * fy);
  const top = noise(gx, gy, seed) * (1 - sx) + noise(gx + 1, gy, seed) * sx;
  const bottom = noise(gx, gy + 1, seed) * (1 - sx) + noise(gx + 1, gy + 1, seed) * sx;
  return top * (1 - sy) + bottom * sy;
}

/** A running source for building one texture. */
export function sequence(seed: number): () => number {
  let n = 0;
  return () => noise(n++, seed, seed ^ 0x5bd1e995);
}
