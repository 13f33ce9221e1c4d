/**
 * Players by rule: they see what a player of that side sees and write orders as he would, so that what they write goes
 * through parsing, check and run like a mail. Tournaments of them measure how a scenario is balanced.
 */
import type { DecisionRequest, GameTypes, View } from './types.ts';

/** Chance handed to a planner: the same seed, the same game. */
export interface Chance {
  /** From 0 up to and without `n`. */
  below(n: number): number;
  pick<T>(items: readonly T[]): T;
  /** True that many times in a hundred. */
  often(percent: number): boolean;
}

/** How a planner plays: `bold` goes by odds and objectives, `careful` spares its own. */
export type Temper = 'bold' | 'careful';
export const TEMPERS: readonly Temper[] = ['bold', 'careful'];

/** A player by rule of one game. */
export interface Planner<G extends GameTypes = GameTypes> {
  temper: Temper;
  /** Order lines for the phase that the view shows; every one of them legal. */
  orders(view: View<G>, chance: Chance): string[];
  /** Values chosen where the rules ask; most questions are left to doctrine. */
  answer(view: View<G>, request: DecisionRequest<G>, chance: Chance): string[];
}

/** A planner's own way of choosing: the best by `worth`, the first among equals. Undefined of nothing. */
export function best<T>(items: readonly T[], worth: (item: T) => number): T | undefined {
  let found: T | undefined;
  let most = Number.NEGATIVE_INFINITY;
  for (const item of items) {
    const own = worth(item);
    if (own > most) {
      most = own;
      found = item;
    }
  }
  return found;
}

/** Chance from a word: the same word, the same run. */
export function chanceOf(word: string): Chance {
  let at = 2166136261;
  for (const letter of word) at = Math.imul(at ^ letter.charCodeAt(0), 16777619) >>> 0;
  const below = (n: number): number => {
    at = (at + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(at ^ (at >>> 15), at | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % n;
  };
  return { below, pick: (items) => items[below(items.length)]!, often: (percent) => below(100) < percent };
}
