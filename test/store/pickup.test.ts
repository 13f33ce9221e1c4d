/** Taking jobs over a line that breaks: nothing stays marked as begun by a process that never heard of it. */
import net from 'node:net';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { closeDb, openDb, tables } from '../../src/store/db.ts';
import { enqueue, finish, jobToDo } from '../../src/store/jobs.ts';
import { startPickup } from '../../src/store/pickup.ts';
import { processesKnown, startBeats, thisProcess } from '../../src/store/processes.ts';
import { type TestDatabase, testDatabase } from '../helpers/db.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

interface Line {
  url: string;
  /** How often the line was cut. */
  cuts(): number;
  close(): Promise<void>;
}

/** A line to PostgreSQL that is cut instead of bringing an answer in which `when` finds what it waits for. */
async function lineThatBreaks(url: string, when: (answer: Buffer) => boolean): Promise<Line> {
  let cuts = 0;
  const target = new URL(url);
  const open = new Set<net.Socket>();
  const server = net.createServer((near) => {
    const far = net.connect({ host: target.hostname, port: Number(target.port) });
    for (const socket of [near, far]) {
      open.add(socket);
      socket.on('close', () => open.delete(socket)).on('error', () => {});
    }
    near.pipe(far);
    near.on('close', () => far.destroy());
    far.on('close', () => near.destroy());
    far.on('data', (answer: Buffer) => {
      if (!when(answer)) return void near.write(answer);
      cuts++;
      near.destroy();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as net.AddressInfo;
  const through = new URL(url);
  through.hostname = '127.0.0.1';
  through.port = String(port);
  return {
    url: through.href,
    cuts: () => cuts,
    async close() {
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

test('jobs whose fetch breaks off on the way back are done all the same, each once, and nobody died of it', async () => {
  // The first two answers that bring a job are lost: PostgreSQL has marked it as taken, we never hear of it.
  let losses = 2;
  const line = await lineThatBreaks(database.url, (answer) => answer.includes('{"id"') && losses-- > 0);
  const db = openDb(line.url, { onError: () => {} });
  const done: number[] = [];
  const pickup = startPickup(db, {
    kinds: ['plan'],
    loops: 2,
    process: thisProcess(),
    closed: () => false,
    log: () => {},
    async work(_kind, id) {
      const job = await jobToDo(db, id);
      if (!job) return;
      done.push(job.id);
      await finish(db, job, new Date());
    },
  });
  const beats = startBeats(database.db, pickup.ids, { warn: () => {} });
  await expect.poll(() => pickup.ids().length).toBeGreaterThan(0);
  for (let i = 0; i < 5; i++)
    await enqueue(database.db, { kind: 'plan', payload: { gameId: 0 }, runAt: new Date(), queue: 'one' }, new Date());
  await expect.poll(() => done.length, { timeout: 60_000 }).toBe(5);
  expect(line.cuts()).toBe(2);
  expect(new Set(done).size).toBe(5);
  await pickup.stop();
  await beats.stop();
  expect(await processesKnown(database.db)).toEqual([]);
  const held = await sql`select 1 from graphile_worker.jobs where locked_by is not null`.execute(tables(database.db));
  expect(held.rows).toEqual([]);
  const counted = await tables(database.db).selectFrom('job').selectAll().execute();
  expect(counted).toEqual([]);
  await closeDb(db);
  await line.close();
});
