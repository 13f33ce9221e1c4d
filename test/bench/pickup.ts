/**
 * How soon another process begins a job after the transaction that added it was committed: `tsx test/bench/pickup.ts`.
 * Prints the median and the 95th percentile of 100 jobs, one every 200 ms.
 */
import { type ChildProcess, fork } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { closeDb, inTransaction, migrate, openDb } from '../../src/store/db.ts';
import { startEmbedded } from '../../src/store/embedded.ts';
import { enqueue, finish, type Job, jobToDo } from '../../src/store/jobs.ts';
import { startPickup } from '../../src/store/pickup.ts';
import { thisProcess } from '../../src/store/processes.ts';

const JOBS = 100;
const BETWEEN_MS = 200;
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** The other process: takes jobs and says when it began each. */
async function worker(url: string): Promise<void> {
  const db = openDb(url);
  const pickup = startPickup(db, {
    kinds: ['plan'],
    loops: 4,
    process: thisProcess(),
    closed: () => false,
    log: () => {},
    async work(_kind, id) {
      const at = Date.now();
      const job = await jobToDo(db, id);
      if (!job) return;
      process.send?.({ began: at, n: (job as Job<'plan'>).payload.gameId });
      await finish(db, job, new Date());
    },
  });
  while (pickup.ids().length === 0) await pause(50);
  process.send?.({ up: true });
  process.on('disconnect', () => process.exit(0));
}

async function measure(): Promise<void> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'fieldpost-pickup-'));
  const server = await startEmbedded(folder, { throwAway: true, bin: process.env.FIELDPOST_PG_BIN });
  const db = openDb(server.url);
  let child: ChildProcess | undefined;
  try {
    await migrate(db);
    child = fork(fileURLToPath(import.meta.url), [server.url], { execArgv: ['--import', 'tsx'] });
    const waits: number[] = [];
    const added = new Map<number, number>();
    await new Promise<void>((resolve) => {
      child!.on('message', (message: { up?: true; began?: number; n?: number }) => {
        if (message.up) resolve();
        else waits.push(message.began! - added.get(message.n!)!);
      });
    });
    await pause(1000);
    for (let n = 0; n < JOBS; n++) {
      const now = new Date();
      await inTransaction(db, (trx) => enqueue(trx, { kind: 'plan', payload: { gameId: n }, runAt: now }, now));
      added.set(n, Date.now());
      await pause(BETWEEN_MS);
    }
    await pause(1000);
    waits.sort((a, b) => a - b);
    const at = (part: number): number => waits[Math.min(waits.length - 1, Math.floor(waits.length * part))]!;
    const load = os.loadavg()[0]!.toFixed(1);
    process.stdout.write(
      `job pick-up by another process: median ${at(0.5)} ms, 95 of 100 within ${at(0.95)} ms, ${waits.length} jobs (load ${load})\n`,
    );
  } finally {
    child?.disconnect();
    await closeDb(db);
    await server.stop();
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

await (process.argv[2] === undefined ? measure() : worker(process.argv[2]));
