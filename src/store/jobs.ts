/**
 * The work to be done: rows of one table, taken with SKIP LOCKED and a lease, enqueued in the transaction that causes
 * them. Times come from the service's clock, never from the database.
 */
import { sql } from 'kysely';
import { type Db, type Reader, tables } from './db.ts';
import { type JobRow, json } from './schema.ts';

/** A job that failed so often is put aside as dead and shown to the operator. */
export const ATTEMPTS_MAX = 12;
const LEASE_MS = 2 * 60_000;
/** A lease with less time left is renewed before its job begins; no job may take longer (a mail: `SEND_MS`). */
const LEASE_FRESH_MS = 90_000;
const BACKOFF_MS = 1_000;
const BACKOFF_MAX_MS = 3_600_000;
const ERROR_CHARS_MAX = 2_000;

export interface NewJob {
  kind: string;
  payload: Record<string, unknown>;
  runAt: Date;
  gameId?: number | null;
  /** Jobs of one queue are done one after the other, oldest first. */
  queue?: string | null;
  /** While a job of that key waits, another one is not added. */
  dedupeKey?: string | null;
}

/** Adds a job unless one of the same key already waits (one that runs doesn't count: it may have read old facts). */
export async function enqueue(db: Db, job: NewJob, now: Date): Promise<void> {
  await tables(db)
    .insertInto('job')
    .values({
      kind: job.kind,
      payload: json(job.payload),
      run_at: job.runAt,
      game_id: job.gameId ?? null,
      queue: job.queue ?? null,
      dedupe_key: job.dedupeKey ?? null,
      created_at: now,
    })
    .onConflict((conflict) =>
      conflict
        .column('dedupe_key')
        .where('dedupe_key', 'is not', null)
        .where('dead_at', 'is', null)
        .where('locked_until', 'is', null)
        .doNothing(),
    )
    .execute();
}

/** Takes up to `most` jobs that are due, oldest first; nothing when there is none. A lease that ran out is taken over. */
export async function claim(
  db: Db,
  options: { now: Date; worker: string; most?: number; kinds?: readonly string[] },
): Promise<JobRow[]> {
  const { now, worker } = options;
  const kinds = options.kinds ? sql`and j.kind in (${sql.join([...options.kinds])})` : sql``;
  const until = new Date(now.getTime() + LEASE_MS);
  const taken = await sql<JobRow>`
    update job set locked_until = ${until}, locked_by = ${worker}, attempts = attempts + 1
    where id in (
      select j.id from job j
      where j.dead_at is null and j.run_at <= ${now} and (j.locked_until is null or j.locked_until < ${now}) ${kinds}
        and (j.queue is null or not exists (
          select 1 from job o where o.queue = j.queue and o.id < j.id and o.dead_at is null))
      order by j.run_at, j.id
      for update skip locked limit ${options.most ?? 1})
    returning *`.execute(tables(db));
  return taken.rows.sort((a, b) => a.id - b.id);
}

/**
 * Takes a lease anew that is no longer fresh; false when it ran out meanwhile and somebody else has the job. Jobs taken
 * together wait for each other, and a slow mail server can use up the time of all of them.
 */
export async function stillOurs(db: Db, job: JobRow, now: Date): Promise<boolean> {
  const left = (job.locked_until?.getTime() ?? 0) - now.getTime();
  if (left > LEASE_FRESH_MS) return true;
  const until = new Date(now.getTime() + LEASE_MS);
  const renewed = await tables(db)
    .updateTable('job')
    .set({ locked_until: until })
    .where('id', '=', job.id)
    .where('attempts', '=', job.attempts)
    .where('locked_until', '=', job.locked_until)
    .returning('id')
    .executeTakeFirst();
  return renewed !== undefined;
}

/** Takes a finished job off the table. */
export async function finish(db: Db, job: Pick<JobRow, 'id'>): Promise<void> {
  await tables(db).deleteFrom('job').where('id', '=', job.id).execute();
}

/** Puts a failed job back with a growing delay, or aside when it failed too often. Returns whether it is dead. */
export async function fail(
  db: Db,
  job: JobRow,
  error: string,
  now: Date,
  { retryAt, most = ATTEMPTS_MAX }: { retryAt?: Date; most?: number } = {},
): Promise<boolean> {
  const dead = job.attempts >= most;
  const delay = Math.min(BACKOFF_MAX_MS, BACKOFF_MS * 2 ** job.attempts);
  await giveWay(db, job);
  await tables(db)
    .updateTable('job')
    .set({
      locked_until: null,
      locked_by: null,
      last_error: error.slice(0, ERROR_CHARS_MAX),
      run_at: retryAt ?? new Date(now.getTime() + delay),
      dead_at: dead ? now : null,
    })
    .where('id', '=', job.id)
    .execute();
  return dead;
}

/** A newer job of the same key already waits: it will do the work of both. */
async function giveWay(db: Db, job: Pick<JobRow, 'id'>): Promise<void> {
  await sql`
    delete from job j where j.id = ${job.id} and j.dedupe_key is not null and exists (
      select 1 from job o where o.dedupe_key = j.dedupe_key and o.id <> j.id
        and o.dead_at is null and o.locked_until is null)`.execute(tables(db));
}

/** Forgets every lease (there is no table yet on the very first start): only for the one process that owns the database, when it starts after a crash. */
export async function clearLeases(db: Db): Promise<void> {
  const found = await sql<{ is: boolean }>`select to_regclass('job') is not null as is`.execute(tables(db));
  if (!found.rows[0]?.is) return;
  const held = await tables(db)
    .selectFrom('job')
    .select('id')
    .where('locked_until', 'is not', null)
    .orderBy('id')
    .execute();
  for (const job of held) {
    await giveWay(db, job);
    await tables(db).updateTable('job').set({ locked_until: null, locked_by: null }).where('id', '=', job.id).execute();
  }
}

/** Puts a job back: the process stops, or the store broke off under it. Not `begun`: it doesn't count as an attempt. */
export async function release(db: Db, job: JobRow, runAt: Date, begun = false): Promise<void> {
  await giveWay(db, job);
  await sql`update job set locked_until = null, locked_by = null, attempts = attempts - ${begun ? 0 : 1},
    run_at = ${runAt} where id = ${job.id} and attempts = ${job.attempts}`.execute(tables(db));
}

/** Open and dead jobs by kind, for the operator's pages. */
export async function jobCounts(db: Reader): Promise<{ kind: string; open: number; dead: number }[]> {
  const counted = await sql<{ kind: string; open: number; dead: number }>`
    select kind, (count(*) filter (where dead_at is null))::int as open,
      (count(*) filter (where dead_at is not null))::int as dead
    from job group by kind order by kind`.execute(tables(db));
  return counted.rows;
}

/** Is there a mail in the house that came before a moment and has not been read? One that failed for good doesn't count. */
export async function mailUnreadBefore(db: Reader, moment: Date): Promise<boolean> {
  const unread = await tables(db)
    .selectFrom('job')
    .select('id')
    .where('kind', '=', 'mail')
    .where('run_at', '<=', moment)
    .where('dead_at', 'is', null)
    .limit(1)
    .executeTakeFirst();
  return unread !== undefined;
}
