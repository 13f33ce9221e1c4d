import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { inTransaction, tables } from '../../src/store/db.ts';
import {
  dropTwins,
  enqueue,
  finish,
  hasten,
  type JobKind,
  jobCounts,
  jobToDo,
  PRIORITY,
  putBack,
  wakeForgotten,
} from '../../src/store/jobs.ts';
import { drain, startPickup } from '../../src/store/pickup.ts';
import { freeDead, processEnds, processesKnown, processLives, thisProcess } from '../../src/store/processes.ts';
import { withClock } from '../helpers/clock.ts';
import { type TestDatabase, testDatabase } from '../helpers/db.ts';

let database: TestDatabase;
const start = new Date('2026-03-02T12:00:00Z');
const after = (ms: number): Date => new Date(start.getTime() + ms);
const KINDS: JobKind[] = ['mail', 'run', 'plan', 'remind', 'digest', 'send'];
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  await tables(database.db).deleteFrom('job').execute();
  await tables(database.db).deleteFrom('process').execute();
  await sql`delete from graphile_worker._private_jobs`.execute(tables(database.db));
});

type More = { queue?: string; dedupeKey?: string; runAt?: Date; kind?: JobKind; priority?: number };
type NewJob = Parameters<typeof enqueue>[1];
/** Jobs are told apart by a name that no worker reads. */
const named = (name: string) => ({ gameId: 0, name });
const put = (name: string, more: More = {}): Promise<void> =>
  enqueue(database.db, { kind: 'plan', payload: named(name), runAt: start, ...more } as NewJob, start);
const rows = () => tables(database.db).selectFrom('job').selectAll().orderBy('id').execute();
const nameOf = (job: { payload: object }): string => String((job.payload as { name?: string }).name);

/** Does everything that is due at a moment; what was done, in order. */
async function take(now = start, fate: (name: string) => 'done' | 'later' = () => 'done'): Promise<string[]> {
  const done: string[] = [];
  await withClock(
    () => now,
    () =>
      drain(database.db, KINDS, async (_kind, id) => {
        const job = await jobToDo(database.db, id);
        if (!job) return;
        done.push(nameOf(job));
        if (fate(nameOf(job)) === 'done') await finish(database.db, job, now);
        else await putBack(database.db, job, { runAt: new Date(now.getTime() + 5000), error: 'no luck', failed: true });
      }),
  );
  return done;
}

/** As graphile-worker marks what a process has begun. */
async function begin(process: string, names: readonly string[]): Promise<void> {
  for (const job of await rows())
    if (names.includes(nameOf(job)))
      await sql`update graphile_worker._private_jobs set locked_by = ${process}, locked_at = now(), attempts = 1
        where key = ${`job:${job.id}`}`.execute(tables(database.db));
}

const register = (id: string, pid: number, place = thisProcess().place): Promise<void> =>
  processLives(database.db, { id, host: 'here', pid, place });
/** No process has this number: the largest that a system may give is smaller. */
const GONE = 2 ** 30;

test('a job is done when it is due, the oldest first', async () => {
  await put('b', { runAt: after(-1) });
  await put('a', { runAt: after(-2) });
  await put('later', { runAt: after(1000) });
  expect(await take()).toEqual(['a', 'b']);
  expect(await take()).toEqual([]);
  expect(await take(after(1000))).toEqual(['later']);
  expect(await rows()).toEqual([]);
});

test('what players wrote goes before answers, those before phases, reports and the house', async () => {
  for (const kind of ['digest', 'remind', 'send', 'run', 'mail'] as const)
    await put(kind, { kind, runAt: after(kind === 'mail' ? 0 : -5000) });
  await put('receipt', { kind: 'send', priority: PRIORITY.answer });
  expect(await take()).toEqual(['mail', 'receipt', 'run', 'send', 'digest', 'remind']);
});

test('jobs of one queue are done one after the other; one that failed holds the later ones back, and nobody else', async () => {
  await put('first', { queue: 'q' });
  await put('second', { queue: 'q' });
  await put('third', { queue: 'q' });
  await put('other', { queue: 'r' });
  expect(await take(start, (name) => (name === 'first' ? 'later' : 'done'))).toEqual(['first', 'other']);
  expect(await take(after(1000))).toEqual([]);
  expect(await take(after(5000))).toEqual(['first', 'second', 'third']);
});

test('a job in trouble no longer holds its queue back', async () => {
  await put('poison', { queue: 'q' });
  await put('next', { queue: 'q' });
  const [poison] = await rows();
  await putBack(database.db, poison!, { runAt: after(60_000), error: 'no luck', failed: true, troubledAt: start });
  expect(await take()).toEqual(['next']);
  expect(await rows()).toMatchObject([{ queue: null, suspect: true, failures: 1, last_error: 'no luck' }]);
  expect(await jobCounts(database.db)).toEqual([{ kind: 'plan', open: 1, troubled: 1 }]);
  expect(await take(after(60_000))).toEqual(['poison']);
});

test('a job of the same key is not added while one waits for its time, but while one may run; one run speaks for all', async () => {
  await put('far', { dedupeKey: 'k', runAt: after(3_600_000) });
  await put('far again', { dedupeKey: 'k', runAt: after(3_600_000) });
  await put('near', { dedupeKey: 'n' });
  await put('near again', { dedupeKey: 'n' });
  expect((await rows()).map(nameOf)).toEqual(['far', 'near', 'near again']);
  const [, near] = await rows();
  await dropTwins(database.db, 'n', near!.id, start);
  expect((await rows()).map(nameOf)).toEqual(['far', 'near']);
  await hasten(database.db, 'k', start);
  expect(await take()).toEqual(['near', 'far']);
});

test('a job of a transaction that is rolled back never was', async () => {
  const broken = inTransaction(database.db, async (trx) => {
    await enqueue(trx, { kind: 'plan', payload: named('ghost'), runAt: start }, start);
    throw new Error('rolled back');
  });
  await expect(broken).rejects.toThrow('rolled back');
  expect(await take()).toEqual([]);
});

test('rows that graphile-worker knows nothing of are woken: after a restore, an upgrade, or a hand in the table', async () => {
  await put('a', { queue: 'q' });
  await put('b', { queue: 'q' });
  await put('c');
  await sql`delete from graphile_worker._private_jobs`.execute(tables(database.db));
  expect(await take()).toEqual([]);
  expect(await wakeForgotten(database.db)).toBe(2);
  expect(await wakeForgotten(database.db)).toBe(0);
  expect((await take()).sort()).toEqual(['a', 'b', 'c']);
});

test('another process picks a new job up without waiting for its next look', async () => {
  const done: string[] = [];
  const pickup = startPickup(database.db, {
    kinds: KINDS,
    loops: 2,
    process: thisProcess(),
    closed: () => false,
    log: () => {},
    async work(_kind, id) {
      const job = await jobToDo(database.db, id);
      if (!job) return;
      done.push(nameOf(job));
      await finish(database.db, job, new Date());
    },
  });
  await expect.poll(() => pickup.ids().length).toBe(1);
  expect(await processesKnown(database.db)).toMatchObject([{ pid: process.pid, silent: false }]);
  await put('now');
  await expect.poll(() => done).toEqual(['now']);
  await pickup.stop();
  expect(await processesKnown(database.db)).toEqual([]);
});

test('a dead process of this machine: what it had begun is free at the next start; alone it counts, of several none does', async () => {
  await register('alone', GONE);
  await register('several', GONE);
  await register('alive', process.ppid);
  await register('elsewhere', GONE, 'another machine');
  for (const name of ['a', 'b', 'c', 'd', 'e']) await put(name);
  await begin('alone', ['a']);
  await begin('several', ['b', 'c']);
  await begin('alive', ['d']);
  await begin('elsewhere', ['e']);
  expect(await freeDead(database.db, [], { silent: false })).toBe(3);
  expect((await rows()).map((job) => [nameOf(job), job.deaths, job.suspect])).toEqual([
    ['a', 1, false],
    ['b', 0, true],
    ['c', 0, true],
    ['d', 0, false],
    ['e', 0, false],
  ]);
  expect((await take(new Date())).sort()).toEqual(['a', 'b', 'c']);
  // Not heard of for too long: dead, wherever it was.
  await sql`update process set beat_at = now() - interval '21 seconds' where id = 'elsewhere'`.execute(
    tables(database.db),
  );
  expect(await freeDead(database.db, [], { silent: true })).toBe(1);
  expect(await take(new Date())).toEqual(['e']);
});

test('a process that ends as it should counts against nothing', async () => {
  await register('mine', process.pid);
  await put('a');
  await begin('mine', ['a']);
  await processEnds(database.db, 'mine');
  expect(await rows()).toMatchObject([{ deaths: 0, suspect: false, failures: 0 }]);
  expect(await take()).toEqual(['a']);
});

test('each further death of its process makes a job wait longer; it is never given up', async () => {
  await put('killer');
  const waits: number[] = [];
  for (let death = 1; death <= 9; death++) {
    await register(`process ${death}`, GONE);
    await begin(`process ${death}`, ['killer']);
    const before = Date.now();
    await freeDead(database.db, [], { silent: false });
    const [job] = await rows();
    waits.push(Math.max(0, Math.round((job!.run_at.getTime() - before) / 60_000)));
    await tables(database.db).updateTable('job').set({ run_at: start }).execute();
  }
  expect(waits).toEqual([0, 1, 5, 30, 120, 720, 1440, 1440, 1440]);
  expect((await rows())[0]).toMatchObject({ deaths: 9, failures: 0 });
});
