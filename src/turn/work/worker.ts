/**
 * What a process does with the jobs that store/pickup.ts hands it. Nothing is ever given up because a process died: a
 * job that may have killed one is done alone from then on, later and later, and those concerned are told.
 */

import { wantRead } from '../../store/doors.ts';
import {
  dropTwins,
  finish,
  type Job,
  type JobKind,
  type JobPayloads,
  jobToDo,
  putBack,
  type Task,
} from '../../store/jobs.ts';
import { drain, type Pickup, startPickup } from '../../store/pickup.ts';
import type { Process } from '../../store/processes.ts';
import type { Service } from '../context.ts';
import { processMail } from '../intake/intake.ts';
import { runGame } from '../phase/run.ts';
import { sendDigest } from '../post/digest.ts';
import { Later, type Post, sendFailed, sendMail } from '../post/dispatch.ts';
import { deadlineBrake, NOT_READ, plan, remind } from './brakes.ts';
import { tellJobTrouble, tellMailTrouble } from './trouble.ts';

/** With an hour between the later ones: a mail is tried for five days, as mail servers do. */
export const SEND_ATTEMPTS_MAX = 130;
/** After so many failures, or deaths of a process that had begun it alone, a job is in trouble. */
const FAILURES_TROUBLE: Record<JobKind, number> = { mail: 4, run: 6, plan: 6, remind: 6, digest: 6, send: 20 };
const DEATHS_TROUBLE = 3;
const BACKOFF_MS = 1_000;
const BACKOFF_MAX_MS = 3_600_000;
/** A job in trouble is tried again this much later each time, up to a day. */
const TROUBLE_MS = 5 * 60_000;
const TROUBLE_MAX_MS = 24 * 3_600_000;
/** While a job is done alone the others that were taken at the same moment wait so long. */
const AFTER_ALONE_MS = 250;
/** The store broke off under a job: not its fault. */
const STORE_MS = 2_000;
const STORE_BROKE = /^(08|57P|53|40001|40P01|55P03|ECONN|EPIPE|ETIMEDOUT|EHOST|ENETUN)/;
const LOOPS = 4;

/** What the jobs need besides the service: the way out for mails. */
export interface Tools {
  /** Null: mails are kept and shown, not sent. */
  post: Post | null;
}

type Handlers = { [K in JobKind]: (service: Service, payload: JobPayloads[K], tools: Tools) => Promise<void> };

/** One line for each kind of job. */
const handlers: Handlers = {
  mail: (service, payload) => processMail(service, payload.mailId),
  run: async (service, payload) => {
    const options = { force: payload.force === true, brake: deadlineBrake(service) };
    const ran = await runGame(service, payload.gameId, options);
    // Not in the run's own transaction: whoever reads the doors holds their rows and may want the game's lock.
    if (ran.result === 'held' && ran.why === NOT_READ) await wantRead(service.db);
    service.at('run committed');
  },
  plan: (service, payload) => plan(service, payload.gameId),
  remind,
  digest: (service, payload) => sendDigest(service, payload.personId),
  send: (service, payload, tools) => sendMail(service, tools.post, payload.mailId),
};

/** Does what a job says, once. Throws what went wrong. */
export function doTask<K extends JobKind>(service: Service, task: Task<K>, tools: Tools): Promise<void> {
  return handlers[task.kind](service, task.payload, tools);
}

const KINDS = Object.keys(handlers) as JobKind[];

/** Lets one job be alone in its process: it begins when the others have ended, and none begins before it has. */
interface Gate {
  running: number;
  closed: boolean;
  idle: () => void;
}

const openGate = (): Gate => ({ running: 0, closed: false, idle: () => {} });

/** Does the job of a number, unless it was done, has to wait for its turn, or another one is to be alone. */
async function doJob(service: Service, tools: Tools, gate: Gate, id: number): Promise<void> {
  const job = await jobToDo(service.db, id);
  if (!job) return;
  if (gate.closed) {
    const runAt = new Date(service.now().getTime() + AFTER_ALONE_MS);
    return putBack(service.db, job, { runAt });
  }
  const alone = job.suspect || job.deaths > 0;
  if (alone) {
    gate.closed = true;
    while (gate.running > 0) await new Promise<void>((resolve) => (gate.idle = resolve));
  }
  gate.running++;
  try {
    await attempt(service, tools, job);
  } finally {
    gate.running--;
    if (alone) gate.closed = false;
    else if (gate.running === 0) gate.idle();
  }
}

async function attempt(service: Service, tools: Tools, job: Job): Promise<void> {
  const { db } = service;
  try {
    if (job.deaths >= DEATHS_TROUBLE && job.troubled_at === null) {
      // Told before it is begun again: nobody knows whether there will be an afterwards.
      const why = `${job.deaths} processes died of it`;
      await trouble(service, job, why);
      return await putBack(db, job, { runAt: service.now(), error: why, troubledAt: service.now() });
    }
    if (job.dedupe_key !== null) await dropTwins(db, job.dedupe_key, job.id, service.now());
    await doTask(service, job, tools);
    await finish(db, job, service.now());
  } catch (problem) {
    await failed(service, job, problem);
  }
}

/** A job that failed comes back later; what goes wrong again and again is told once and goes on being tried. */
async function failed(service: Service, job: Job, problem: unknown): Promise<void> {
  const now = service.now();
  const why = problem instanceof Error ? problem.message : String(problem);
  const after = (ms: number): Date => new Date(now.getTime() + ms);
  if (isStoreTrouble(problem)) return putBack(service.db, job, { runAt: after(STORE_MS), error: why });
  const failures = job.failures + 1;
  const later = problem instanceof Later;
  if (!later) service.log.warn({ job: job.kind, failures, why }, 'a job failed');
  if (job.kind === 'send' && failures >= SEND_ATTEMPTS_MAX) {
    await sendFailed(service, job.payload.mailId, why);
    return finish(service.db, job, now);
  }
  const limit = FAILURES_TROUBLE[job.kind];
  if (later || failures < limit) {
    const runAt = after(Math.min(BACKOFF_MAX_MS, BACKOFF_MS * 2 ** failures));
    return putBack(service.db, job, { runAt, error: why, failed: true });
  }
  if (job.troubled_at === null) await trouble(service, job, why);
  const runAt = after(Math.min(TROUBLE_MAX_MS, TROUBLE_MS * 3 ** (failures - limit)));
  return putBack(service.db, job, { runAt, error: why, failed: true, troubledAt: now });
}

async function trouble(service: Service, job: Job, why: string): Promise<void> {
  service.log.error({ job: job.kind, id: job.id, why }, 'a job goes wrong again and again; it is tried on, alone');
  if (job.kind === 'mail') await tellMailTrouble(service, job.payload.mailId, why);
  else await tellJobTrouble(service, job, why);
}

/** The connection was cut, the server stops, is full, or broke a deadlock: to be tried again, and nobody is to blame. */
function isStoreTrouble(problem: unknown): boolean {
  const { code, message } = problem as { code?: unknown; message?: unknown };
  return (
    (typeof code === 'string' && STORE_BROKE.test(code)) ||
    (typeof message === 'string' &&
      /^(Connection terminated|timeout exceeded when trying to connect|Query read timeout)/.test(message))
  );
}

/** Does everything that is due now, and what comes of it, in this process. */
export async function runJobs(service: Service, tools: Tools, kinds: readonly JobKind[] = KINDS): Promise<void> {
  const gate = openGate();
  await drain(service.db, kinds, (_kind, id) => doJob(service, tools, gate, id));
}

/** Takes jobs until it is stopped, `loops` at a time. `kinds`: only these. */
export function startWorker(
  service: Service,
  tools: Tools,
  options: { process: Omit<Process, 'id'>; loops?: number; kinds?: readonly JobKind[] },
): Pickup {
  const gate = openGate();
  return startPickup(service.db, {
    kinds: options.kinds ?? KINDS,
    loops: options.loops ?? LOOPS,
    process: options.process,
    closed: () => gate.closed,
    work: (_kind, id) => doJob(service, tools, gate, id),
    log: (level, message) => service.log[level]({ from: 'graphile-worker' }, message),
  });
}
