/**
 * How a process takes jobs: graphile-worker tells it at once of new ones (LISTEN/NOTIFY), gives each to one process only,
 * the urgent first, and never loses one. All that it would decide by itself about failures is taken from it: a job that
 * comes out of `work` is done as far as graphile-worker is concerned, whatever `work` made of it.
 */
import { EventEmitter } from 'node:events';
import { type Job, Logger, run, runTaskListOnce, type TaskList } from 'graphile-worker';
import type { Db } from './db.ts';
import { poolOf } from './db.ts';
import { type JobKind, OURS } from './jobs.ts';
import { type Process, processEnds, processLives } from './processes.ts';

/** Jobs whose time comes are seen so soon; new ones at once. */
const POLL_MS = 500;
/**
 * A pool of which nothing runs any more is waited for so long. Its own account of jobs to be taken off the table can be
 * wrong after its database went away under it (0.17.3: it then waits for ever); what it leaves is freed by its number.
 */
const LAST_MS = 3_000;
/** After graphile-worker gave up (the database went away under it) a new one is started this soon. */
const AGAIN_MS = 1_000;

/** What is done with the row of a number. Must not throw but when the store is away. */
export type Work = (kind: JobKind, id: number) => Promise<void>;

export interface PickupOptions {
  kinds: readonly JobKind[];
  work: Work;
  /** Jobs done at the same time. */
  loops: number;
  /** Who we are; graphile-worker gives each of its pools a number, which becomes the process' id. */
  process: Omit<Process, 'id'>;
  /** True while one job is done alone: none is taken. */
  closed: () => boolean;
  /** What graphile-worker has to say. */
  log: (level: 'debug' | 'warn' | 'error', message: string) => void;
}

export interface Pickup {
  /** The processes that we are just now: to be said alive every few seconds. */
  ids(): string[];
  /** Finishes what is being done and takes nothing more. */
  stop(): Promise<void>;
}

/** Takes jobs until stopped; never gives up. */
export function startPickup(db: Db, options: PickupOptions): Pickup {
  const ids = new Set<string>();
  let stopping = false;
  let stopNow = (): void => {};
  const stopped = new Promise<void>((resolve) => {
    stopNow = resolve;
  });
  const forever = async (): Promise<void> => {
    while (!stopping || ids.size > 0) {
      try {
        // What the last pool still holds in the table is freed before anything is taken anew.
        for (const id of [...ids]) {
          await processEnds(db, id);
          ids.delete(id);
        }
        if (!stopping) await session(db, options, ids, stopped);
      } catch (problem) {
        options.log('error', String(problem));
        // Whoever is told to stop while the store is away leaves the freeing to those who see that he is dead.
        if (stopping) return;
        await Promise.race([stopped, new Promise((resolve) => setTimeout(resolve, AGAIN_MS))]);
      }
    }
  };
  const running = forever();
  return {
    ids: () => [...ids],
    async stop() {
      stopping = true;
      stopNow();
      await running;
    },
  };
}

/**
 * One pool of graphile-worker from its start until it is stopped or can't be sure any more which jobs it holds. Its
 * numbers are in `ids` when it ends, to be taken off the table of processes by the caller.
 */
async function session(db: Db, options: PickupOptions, ids: Set<string>, stopped: Promise<void>): Promise<void> {
  const events = new EventEmitter();
  // A connection that breaks while a job is fetched may leave it marked as ours in the table though we never heard of
  // it: nobody would do it, and all of its queue would wait. So the pool finishes what it has, and a new one begins.
  const unsure = new Promise<void>((resolve) => {
    events.once('worker:getJob:error', () => {
      options.log('warn', 'a job may have been lost on the way from the database; jobs are taken anew');
      resolve();
    });
  });
  // Jobs being fetched and jobs being done: while there are any the pool is not left behind.
  let busy = 0;
  let idle = (): void => {};
  const less = (): void => {
    // A pool that can't even begin says that a fetch went wrong which never was.
    busy = Math.max(0, busy - 1);
    if (busy === 0) idle();
  };
  events.on('worker:getJob:start', () => busy++);
  for (const over of ['worker:getJob:empty', 'worker:getJob:error', 'job:complete', 'worker:fatalError'])
    events.on(over, less);
  const runner = await run({
    pgPool: poolOf(db),
    taskList: tasksOf(options.kinds, options.work),
    concurrency: options.loops,
    pollInterval: POLL_MS,
    useNodeTime: true,
    noHandleSignals: true,
    forbiddenFlags: () => (options.closed() ? [OURS] : null),
    logger: loggerFor(options.log),
    parsedCronItems: [],
    events,
    preset: {
      // Without a batch a job that can't be taken off the table ends the process, unhandled.
      worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 },
      plugins: [
        {
          name: 'FieldpostProcess',
          version: '1',
          worker: {
            hooks: {
              // Known before it takes its first job, or nobody could free that.
              async startWorker(_context, { worker }) {
                const { id } = worker.workerPool;
                ids.add(id);
                await processLives(db, { ...options.process, id });
              },
            },
          },
        },
      ],
    },
  });
  const ended = runner.promise.catch(() => {});
  await Promise.race([ended, stopped, unsure]);
  // One that ended by itself is stopped already and says so.
  const stop = runner.stop().catch(() => {});
  await Promise.race([
    Promise.all([stop, ended]),
    new Promise<void>((resolve) => {
      idle = () => void setTimeout(resolve, LAST_MS);
      if (busy === 0) idle();
    }),
  ]);
}

/** Does everything that is due by node's clock, and what comes of it, in this process, one after the other. */
export async function drain(db: Db, kinds: readonly JobKind[], work: Work): Promise<void> {
  const client = await poolOf(db).connect();
  try {
    await runTaskListOnce(drainOptions(db), tasksOf(kinds, work), client);
  } finally {
    client.release();
  }
}

/** Kept for each handle: graphile-worker remembers by them what it has looked up. */
const DRAINS = new WeakMap<Db, Parameters<typeof runTaskListOnce>[0]>();

function drainOptions(db: Db): Parameters<typeof runTaskListOnce>[0] {
  const kept = DRAINS.get(db) ?? { useNodeTime: true, noHandleSignals: true, logger: loggerFor(() => {}) };
  DRAINS.set(db, kept);
  return kept;
}

function tasksOf(kinds: readonly JobKind[], work: Work): TaskList {
  return Object.fromEntries(kinds.map((kind) => [kind, (payload: unknown) => work(kind, idOf(payload))]));
}

function idOf(payload: unknown): number {
  return Number((payload as Job['payload'] & { id: number }).id);
}

function loggerFor(log: PickupOptions['log']): Logger {
  return new Logger(() => (level, message) => {
    // Each job begun and done, each connection: nothing an operator wants to read.
    log(level === 'error' ? 'error' : level === 'warning' ? 'warn' : 'debug', message);
  });
}
