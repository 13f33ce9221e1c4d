/**
 * The processes that take jobs: each says that it lives, and what a dead one had begun is freed, at once on its own
 * machine, elsewhere by its silence. Times are the database's own: clocks of several machines need not agree, and none of
 * them can be set.
 */
import fs from 'node:fs';
import os from 'node:os';
import { sql } from 'kysely';
import { type Db, inTransaction, type Reader, type Trx, tables } from './db.ts';
import { wakeForgotten, wakeRow } from './jobs.ts';

const BEAT_MS = 3_000;
/** Every so many beats jobs are looked for that nobody would pick up. */
const BEATS_PER_SEARCH = 20;
/** Whoever slept this long can't tell who else is dead: all were as silent as he. */
const SLEPT_MS = 12_000;

/** Not heard of for so long: dead. With a beat every few seconds its jobs are free within half a minute. */
const SILENT_SECONDS = 20;
/** Minutes that a job waits after each death of a process that had begun it alone; the last one for all further deaths. */
const DEATH_WAITS_MINUTES = [0, 1, 5, 30, 120, 720, 1440];

export interface Process {
  id: string;
  host: string;
  pid: number;
  /** The same for all processes that see each other's numbers; null where that can't be known. */
  place: string;
}

/** Says that a process lives. To be called before it takes its first job, and every few seconds. */
export async function processLives(db: Db, process: Process): Promise<void> {
  await sql`
    insert into process (id, host, pid, place) values (${process.id}, ${process.host}, ${process.pid}, ${process.place})
    on conflict (id) do update set beat_at = now()`.execute(tables(db));
}

/** A process that ends as it should, or lost its store: what it had begun is free again, and nothing counts. */
export async function processEnds(db: Db, id: string): Promise<void> {
  await inTransaction(db, (trx) => bury(trx, [id], false));
}

/** Every process that is known. */
export async function processesKnown(db: Reader): Promise<(Process & { silent: boolean })[]> {
  const known = await sql<Process & { silent: boolean }>`
    select id, host, pid, place, beat_at < now() - interval '1 second' * ${sql.lit(SILENT_SECONDS)} as silent
    from process order by id`.execute(tables(db));
  return known.rows;
}

/**
 * Frees what dead processes had begun. A job that was the only one its process had begun counts that death; of several
 * nobody knows which it was, so each of them is done alone from now on. Returns how many jobs are free again.
 */
async function freeJobsOf(db: Db, dead: readonly string[]): Promise<number> {
  return dead.length === 0 ? 0 : inTransaction(db, (trx) => bury(trx, dead, true));
}

async function bury(trx: Trx, dead: readonly string[], died: boolean): Promise<number> {
  // Two heirs at once: the one who takes the rows away buries them.
  const gone = await tables(trx)
    .deleteFrom('process')
    .where('id', 'in', [...dead])
    .returning('id')
    .execute();
  let freed = 0;
  for (const { id } of gone) {
    const begun = await sql<{ id: number }>`
      select j.id from job j join graphile_worker.jobs g on g.key = 'job:' || j.id
      where g.locked_by = ${id}`.execute(tables(trx));
    const ids = begun.rows.map((row) => row.id);
    freed += ids.length;
    await sql`select graphile_worker.force_unlock_workers(${sql.val([id])}::text[])`.execute(tables(trx));
    if (died && ids.length === 1) await countDeath(trx, ids[0]!);
    else if (died && ids.length > 1)
      await tables(trx).updateTable('job').set({ suspect: true }).where('id', 'in', ids).execute();
    // What was put back for later had a new job by then; the old one would lie about for ever.
    await sql`delete from graphile_worker._private_jobs where key is null and locked_by is null`.execute(tables(trx));
  }
  return freed;
}

/** The second death and each one after it makes the job wait longer before it is tried again. */
async function countDeath(trx: Trx, id: number): Promise<void> {
  const minutes = sql.join(DEATH_WAITS_MINUTES.map((wait) => sql.lit(wait)));
  await sql`
    with put as (
      update job set deaths = deaths + 1, run_at = greatest(run_at, now() + interval '1 minute' *
        (array[${minutes}])[least(deaths + 1, ${sql.lit(DEATH_WAITS_MINUTES.length)})])
      where id = ${id} returning id, kind, run_at, priority)
    select ${wakeRow('put')} from put`.execute(tables(trx));
}

/** What is the same for all processes that can see each other's numbers: one running kernel, one set of numbers. */
function thisPlace(): string {
  try {
    const boot = fs.readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return `${boot} ${fs.readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return os.hostname();
  }
}

/** This process, but for the number that it gets when it begins to take jobs. */
export function thisProcess(): Omit<Process, 'id'> {
  return { host: os.hostname(), pid: process.pid, place: thisPlace() };
}

/** Is there a process of a number on this machine? */
function runs(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (problem) {
    return (problem as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/**
 * Frees the jobs of processes that are dead: gone from this machine, or (`silent`) not heard of for too long. Returns how
 * many jobs are free again.
 */
export async function freeDead(db: Db, mine: readonly string[], options: { silent: boolean }): Promise<number> {
  const place = thisPlace();
  const dead = (await processesKnown(db)).filter(
    (one) =>
      !mine.includes(one.id) &&
      ((options.silent && one.silent) || (one.place === place && (one.pid === process.pid || !runs(one.pid)))),
  );
  return freeJobsOf(
    db,
    dead.map((one) => one.id),
  );
}

/** Beats every few seconds until stopped. `ids`: the processes that we are just now. */
export function startBeats(
  db: Db,
  ids: () => readonly string[],
  log: { warn(fields: object, message: string): void },
): { stop(): Promise<void> } {
  const known = thisProcess();
  let beats = 0;
  let last = performance.now();
  const beat = async (): Promise<void> => {
    const slept = performance.now() - last > SLEPT_MS;
    last = performance.now();
    const mine = ids();
    for (const id of mine) await processLives(db, { ...known, id });
    const freed = await freeDead(db, mine, { silent: !slept });
    if (freed > 0) log.warn({ jobs: freed }, 'a process died; its jobs are free again');
    if (beats++ % BEATS_PER_SEARCH === 0) await wakeForgotten(db);
  };
  let running = Promise.resolve();
  const timer = setInterval(() => {
    running = running.then(beat).catch((problem: unknown) => log.warn({ why: String(problem) }, 'no sign of life'));
  }, BEAT_MS);
  timer.unref();
  return {
    async stop() {
      clearInterval(timer);
      await running;
    },
  };
}
