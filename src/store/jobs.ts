/**
 * The work to be done: rows of one table, added in the transaction that causes them, and for each a job of
 * graphile-worker that says no more than "look at this row". Failures, order and repetition are kept in our own row;
 * graphile-worker's counters rise whenever a job is fetched and its delays are the database's, so neither is used.
 */
import { type RawBuilder, sql } from 'kysely';
import type { JobRow } from './club-schema.ts';
import { type Db, type Reader, tables } from './db.ts';
import { json } from './schema.ts';

/** Out of reach: a job is never given up by graphile-worker (its column is a small integer). */
const ATTEMPTS_OUT_OF_REACH = 32_767;
/** A flag that all jobs bear: a process that does one job alone takes none that bears it. */
export const OURS = 'fieldpost';
/** Of one key only one job waits; one that is due this soon may be under way already and doesn't count. */
const SOON_MS = 60_000;
const ERROR_CHARS_MAX = 2_000;
/** Forgotten jobs woken at a time. */
const FORGOTTEN_MAX = 1_000;

/** What a worker can do, and what it must know for it. */
export interface JobPayloads {
  mail: { mailId: number };
  run: { gameId: number; force?: true };
  plan: { gameId: number };
  remind: { gameId: number; phaseId: number; due: string | null };
  digest: { personId: number };
  send: { mailId: number };
}

export type JobKind = keyof JobPayloads;

/** A kind of job with what belongs to it. */
export type Task<K extends JobKind = JobKind> = { [Kind in K]: { kind: Kind; payload: JobPayloads[Kind] } }[K];

/** A row of the table as the worker gets it: what was put in by `enqueue` and by no other way. */
export type Job<K extends JobKind = JobKind> = Omit<JobRow, 'kind' | 'payload'> & Task<K>;

/** The order of all work: what players wrote, what they are answered, phases, what phases tell, the house. */
export const PRIORITY = { mail: 10, answer: 20, run: 30, report: 40, house: 50 } as const;

const OF_KIND: Record<JobKind, number> = {
  mail: PRIORITY.mail,
  run: PRIORITY.run,
  send: PRIORITY.report,
  plan: PRIORITY.house,
  remind: PRIORITY.house,
  digest: PRIORITY.house,
};

type NewJob = Task & {
  runAt: Date;
  /** Else its kind's own. */
  priority?: number;
  gameId?: number | null;
  /** Jobs of one queue are done one after the other, oldest first; one that failed holds the later ones back. */
  queue?: string | null;
  /** While a job of that key waits for its time, another one is not added. */
  dedupeKey?: string | null;
};

/** Asks graphile-worker to look at a row: `id`, `kind`, `run_at` and `priority` as SQL. */
function addJob(
  id: RawBuilder<unknown>,
  kind: RawBuilder<unknown>,
  at: RawBuilder<unknown>,
  priority: RawBuilder<unknown>,
) {
  return sql`graphile_worker.add_job(identifier := ${kind}, payload := json_build_object('id', ${id}),
    run_at := ${at}, max_attempts := ${sql.lit(ATTEMPTS_OUT_OF_REACH)}, job_key := 'job:' || ${id},
    priority := ${priority}::int, flags := array[${sql.lit(OURS)}])`;
}

/** The same for rows of `job` that a query calls `name`, not before `at` where that is given. */
export function wakeRow(name: string, at?: Date): RawBuilder<unknown> {
  const column = (part: string) => sql`${sql.ref(`${name}.${part}`)}`;
  const when = at === undefined ? column('run_at') : sql`greatest(${column('run_at')}, ${at}::timestamptz)`;
  return addJob(column('id'), column('kind'), when, column('priority'));
}

/** Adds a job unless one of the same key already waits (one that may run doesn't count: it may have read old facts). */
export async function enqueue(db: Db, job: NewJob, now: Date): Promise<void> {
  const key = job.dedupeKey ?? null;
  await sql`
    with added as (
      insert into job (kind, payload, run_at, priority, game_id, queue, dedupe_key, created_at)
      select ${job.kind}, ${json(job.payload)}::json, ${job.runAt}::timestamptz, ${job.priority ?? OF_KIND[job.kind]}::smallint,
        ${job.gameId ?? null}::bigint, ${job.queue ?? null}::text, ${key}::text, ${now}::timestamptz
      where ${key}::text is null or not exists (
        select 1 from job o where o.dedupe_key = ${key}::text and o.run_at > ${new Date(now.getTime() + SOON_MS)})
      returning id, kind, run_at, priority)
    select ${wakeRow('added')} from added`.execute(tables(db));
}

/** What there is to do for a job's number: nothing when it was done, or when an older one of its queue goes first. */
export async function jobToDo(db: Reader, id: number): Promise<Job | undefined> {
  const found = await sql<Job & { waits: boolean }>`
    select j.*, exists (select 1 from job o where o.queue = j.queue and o.id < j.id) as waits
    from job j where j.id = ${id}`.execute(tables(db));
  const row = found.rows[0];
  return row === undefined || row.waits ? undefined : row;
}

/** One run speaks for all jobs of its key that are due: to be called before it reads anything. */
export async function dropTwins(db: Db, key: string, id: number, now: Date): Promise<void> {
  await sql`delete from job where dedupe_key = ${key} and id <> ${id} and run_at <= ${now}`.execute(tables(db));
}

/**
 * Takes a finished job off the table and wakes the next one of its queue, behind all that wait just now: a long queue
 * doesn't starve others.
 */
export async function finish(db: Db, job: Pick<JobRow, 'id' | 'queue'>, now: Date): Promise<void> {
  if (job.queue === null) await tables(db).deleteFrom('job').where('id', '=', job.id).execute();
  else
    await sql`
      with gone as (delete from job where id = ${job.id}),
      next as (select id, kind, run_at, priority from job where queue = ${job.queue} and id <> ${job.id}
        order by id limit 1)
      select ${wakeRow('next', now)} from next`.execute(tables(db));
}

/** Puts a job back for later. `failed`: it counts. `troubled`: it no longer holds its queue back and is done alone. */
export async function putBack(
  db: Db,
  job: Pick<JobRow, 'id' | 'queue'>,
  given: { runAt: Date; error?: string; failed?: boolean; troubledAt?: Date },
): Promise<void> {
  const troubled = given.troubledAt ?? null;
  await sql`
    with put as (
      update job set run_at = ${given.runAt},
        last_error = coalesce(${given.error?.slice(0, ERROR_CHARS_MAX) ?? null}::text, last_error),
        failures = failures + ${given.failed ? 1 : 0},
        troubled_at = coalesce(troubled_at, ${troubled}::timestamptz),
        queue = case when ${troubled}::timestamptz is null then queue end,
        suspect = suspect or ${troubled !== null}
      where id = ${job.id} returning id, kind, run_at, priority)
    select ${wakeRow('put')} from put`.execute(tables(db));
  if (troubled !== null && job.queue !== null)
    await sql`
      with next as (select id, kind, run_at, priority from job where queue = ${job.queue} order by id limit 1)
      select ${wakeRow('next')} from next`.execute(tables(db));
}

/** Lets jobs that wait for their time begin at once: all whose key begins so. */
export async function hasten(db: Db, keyStart: string, now: Date): Promise<void> {
  await sql`
    with put as (
      update job set run_at = ${now} where starts_with(dedupe_key, ${keyStart}) and run_at > ${now}
      returning id, kind, run_at, priority)
    select ${wakeRow('put')} from put`.execute(tables(db));
}

/**
 * Wakes rows that graphile-worker knows nothing of: after a restore, an upgrade, or when somebody took the job before
 * them in their queue away by hand. Returns how many there were.
 */
export async function wakeForgotten(db: Db): Promise<number> {
  const woken = await sql`
    with lost as (
      select j.id, j.kind, j.run_at, j.priority from job j
      where not exists (select 1 from graphile_worker.jobs g where g.key = 'job:' || j.id)
        and (j.queue is null or not exists (select 1 from job o where o.queue = j.queue and o.id < j.id))
      order by j.id limit ${sql.lit(FORGOTTEN_MAX)})
    select ${wakeRow('lost')} from lost`.execute(tables(db));
  return woken.rows.length;
}

/** Open jobs by kind, and how many of them go wrong again and again, for the operator's pages. */
export async function jobCounts(db: Reader): Promise<{ kind: string; open: number; troubled: number }[]> {
  const counted = await sql<{ kind: string; open: number; troubled: number }>`
    select kind, count(*)::int as open, (count(*) filter (where troubled_at is not null))::int as troubled
    from job group by kind order by kind`.execute(tables(db));
  return counted.rows;
}
