/** What the benchmarks of the game systems share: a figure beside its yardstick, the best of a few runs. */

const RUNS = 5;

export interface SystemFigure {
  name: string;
  /** Milliseconds of processor time, best of five. */
  best: number;
  /** What we aim at. */
  aim: number;
  baseline: { name: string; best: number };
  /** How many times the baseline. */
  ratio: number;
}

/** Milliseconds of processor time that the quickest of five runs took. */
export function best(work: () => void): number {
  let least = Number.POSITIVE_INFINITY;
  for (let run = 0; run < RUNS; run++) {
    const before = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, (user + system) / 1000);
  }
  return least;
}
