/** Node's own clock set to another one while some work is done: graphile-worker asks it which jobs are due. */

const Real = Date;

/** Runs `work` with `Date` telling the time of `now`. One at a time in a process. */
export async function withClock<T>(now: () => Date, work: () => Promise<T>): Promise<T> {
  class Told extends Real {
    constructor(...given: unknown[]) {
      // @ts-expect-error: the many forms of Date's constructor, passed on as they came.
      super(...(given.length === 0 ? [now().getTime()] : given));
    }
    static override now(): number {
      return now().getTime();
    }
  }
  globalThis.Date = Told as DateConstructor;
  try {
    return await work();
  } finally {
    globalThis.Date = Real;
  }
}
