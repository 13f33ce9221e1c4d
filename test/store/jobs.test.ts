import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { inTransaction, tables } from '../../src/store/db.ts';
import { ATTEMPTS_MAX, claim, clearLeases, enqueue, fail, finish, jobCounts, release } from '../../src/store/jobs.ts';
import { type TestDatabase, testDatabase } from '../helpers/db.ts';

let database: TestDatabase;
const start = new Date('2026-03-02T12:00:00Z');
const after = (ms: number): Date => new Date(start.getTime() + ms);
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());
beforeEach(() => tables(database.db).deleteFrom('job').execute());

const put = (kind: string, more: { queue?: string; dedupeKey?: string; runAt?: Date } = {}): Promise<void> =>
  enqueue(database.db, { kind, payload: {}, runAt: start, ...more }, start);
const take = async (now = start, most = 10): Promise<string[]> =>
  (await claim(database.db, { now, worker: 'w', most })).map((job) => job.kind);

test('a job is taken once, when it is due, the oldest first', async () => {
  await put('a');
  await put('b');
  await put('later', { runAt: after(1000) });
  expect(await take(start, 1)).toEqual(['a']);
  expect(await take()).toEqual(['b']);
  expect(await take()).toEqual([]);
  expect(await take(after(1000))).toEqual(['later']);
});

test('many workers at once never take the same job', async () => {
  for (let i = 0; i < 60; i++) await put(`job ${i}`);
  const taken = await Promise.all(Array.from({ length: 10 }, () => take(start, 6)));
  expect(taken.flat().sort()).toEqual(Array.from({ length: 60 }, (_, i) => `job ${i}`).sort());
});

test('jobs of one queue are done one after the other, a waiting one holds the later ones back', async () => {
  await put('first', { queue: 'q' });
  await put('second', { queue: 'q' });
  await put('other', { queue: 'r' });
  const [first, other] = await claim(database.db, { now: start, worker: 'w', most: 10 });
  expect([first!.kind, other!.kind]).toEqual(['first', 'other']);
  expect(await take()).toEqual([]);
  await fail(database.db, first!, 'no luck', start, { retryAt: after(5000) });
  expect(await take(after(1000))).toEqual([]);
  const [again] = await claim(database.db, { now: after(5000), worker: 'w' });
  expect(again!.kind).toBe('first');
  await finish(database.db, again!);
  expect(await take(after(5000))).toEqual(['second']);
});

test('a job of the same key is not added while one waits, but while one runs', async () => {
  await put('run', { dedupeKey: 'run:1' });
  await put('run', { dedupeKey: 'run:1' });
  const taken = await claim(database.db, { now: start, worker: 'w', most: 10 });
  expect(taken).toHaveLength(1);
  await put('run', { dedupeKey: 'run:1' });
  expect(await fail(database.db, taken[0]!, 'no luck', start)).toBe(false);
  const left = await tables(database.db).selectFrom('job').selectAll().execute();
  expect(left).toHaveLength(1);
  expect(left[0]!.id).not.toBe(taken[0]!.id);
});

test('a killed worker’s job is taken over when its lease is over, or at once by the owner of the store', async () => {
  await put('a');
  await take();
  expect(await take(after(60_000))).toEqual([]);
  expect(await take(after(121_000))).toEqual(['a']);
  await clearLeases(database.db);
  expect(await take()).toEqual(['a']);
});

test('failing: the delay grows, and after the last attempt the job is put aside', async () => {
  await put('a');
  let now = start;
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt++) {
    const [job] = await claim(database.db, { now, worker: 'w' });
    expect(job!.attempts).toBe(attempt);
    expect(await fail(database.db, job!, 'no luck', now)).toBe(attempt === ATTEMPTS_MAX);
    now = new Date(now.getTime() + 3_600_000);
  }
  expect(await take(now)).toEqual([]);
  expect(await jobCounts(database.db)).toEqual([{ kind: 'a', open: 0, dead: 1 }]);
});

test('a released job counts no attempt', async () => {
  await put('a');
  const [job] = await claim(database.db, { now: start, worker: 'w' });
  await release(database.db, job!, start);
  const [again] = await claim(database.db, { now: start, worker: 'w' });
  expect(again!.attempts).toBe(1);
});

test('a job of a transaction that is rolled back never was', async () => {
  const broken = inTransaction(database.db, async (trx) => {
    await enqueue(trx, { kind: 'ghost', payload: {}, runAt: start }, start);
    throw new Error('rolled back');
  });
  await expect(broken).rejects.toThrow('rolled back');
  expect(await take()).toEqual([]);
});
