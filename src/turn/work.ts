/** The worker: takes jobs off the table and does them. Any number of workers, in any number of processes. */
import { claim, fail, finish, release } from '../store/jobs.ts';
import type { JobRow } from '../store/schema.ts';
import type { Service } from './context.ts';
import { Later, type Post, sendFailed, sendMail } from './dispatch.ts';
import { giveUpMail, processMail } from './intake.ts';
import { runGame } from './run.ts';
import { deadlineBrake, plan, remind } from './time.ts';

const POLL_MS = 100;
/** A worker takes so many jobs at a time from the table. */
const BATCH = 8;
/** Reading of a mail is tried so often before it is put aside. */
const MAIL_ATTEMPTS_MAX = 4;

/** What the jobs need besides the service: the way out for mails. */
export interface Tools {
  /** Null: mails are kept and shown, not sent. */
  post: Post | null;
}

type Handler = (service: Service, payload: Record<string, unknown>, tools: Tools) => Promise<void>;

/** One line for each kind of job. */
export const handlers: Record<string, Handler> = {
  mail: (service, payload) => processMail(service, Number(payload.mailId)),
  run: async (service, payload) => {
    await runGame(service, Number(payload.gameId), { force: payload.force === true, brake: deadlineBrake(service) });
    service.at('run committed');
  },
  plan: (service, payload) => plan(service, Number(payload.gameId)),
  remind,
  send: (service, payload, tools) => sendMail(service, tools.post, Number(payload.mailId)),
};

/** What is done when a job failed for good. */
const lastRites: Record<string, (service: Service, payload: Record<string, unknown>, why: string) => Promise<void>> = {
  mail: (service, payload, why) => giveUpMail(service, Number(payload.mailId), why),
  send: (service, payload, why) => sendFailed(service, Number(payload.mailId), why),
};

/** Does one job and takes it off the table, or puts it back with a delay. */
async function doJob(service: Service, tools: Tools, job: JobRow): Promise<void> {
  const handler = handlers[job.kind];
  if (!handler) {
    // Another version of the service may know it.
    await fail(service.db, job, `no worker here knows jobs of kind ${job.kind}`, service.now());
    return;
  }
  try {
    await handler(service, job.payload, tools);
  } catch (problem) {
    const why = problem instanceof Error ? problem.message : String(problem);
    if (!(problem instanceof Later)) service.log.warn({ job: job.kind, attempts: job.attempts, why }, 'a job failed');
    const hopeless = job.kind === 'mail' && job.attempts >= MAIL_ATTEMPTS_MAX;
    const dead = hopeless || (await fail(service.db, job, why, service.now()));
    if (!dead) return;
    service.log.error({ job: job.kind, why }, 'a job was given up');
    await lastRites[job.kind]?.(service, job.payload, why);
    if (!hopeless) return;
  }
  await finish(service.db, job);
}

/** Does everything that is due now, and what comes of it, in this process. Returns how many jobs were done. */
export async function runJobs(service: Service, tools: Tools, limit = 10_000): Promise<number> {
  let done = 0;
  while (done < limit) {
    const jobs = await claim(service.db, { now: service.now(), worker: 'here', most: 1 });
    if (jobs.length === 0) return done;
    for (const job of jobs) await doJob(service, tools, job);
    done += jobs.length;
  }
  return done;
}

export interface Worker {
  /** Something was enqueued: look now. */
  wake(): void;
  /** Finishes what is being done and takes nothing more. */
  stop(): Promise<void>;
}

/** Starts `loops` loops that do jobs until they are stopped. `kinds`: only these. */
export function startWorker(
  service: Service,
  tools: Tools,
  options: { name: string; loops?: number; kinds?: () => readonly string[] | undefined },
): Worker {
  let stopping = false;
  const sleepers = new Set<() => void>();
  const sleep = (): Promise<void> =>
    new Promise((resolve) => {
      const up = (): void => {
        clearTimeout(timer);
        sleepers.delete(up);
        resolve();
      };
      const timer = setTimeout(up, POLL_MS);
      sleepers.add(up);
    });
  const wake = (): void => {
    for (const up of [...sleepers]) up();
  };
  const round = async (): Promise<boolean> => {
    const kinds = options.kinds?.();
    const now = service.now();
    const jobs = await claim(service.db, { now, worker: options.name, most: BATCH, ...(kinds ? { kinds } : {}) });
    for (const job of jobs) {
      if (stopping) await release(service.db, job, job.run_at);
      else await doJob(service, tools, job);
    }
    if (jobs.length > 0) wake();
    return jobs.length > 0;
  };
  const loop = async (): Promise<void> => {
    while (!stopping) {
      try {
        if (!(await round())) await sleep();
      } catch (problem) {
        const why = problem instanceof Error ? problem.message : String(problem);
        service.log.error({ why }, 'the store does not answer; trying again');
        await sleep();
      }
    }
  };
  const loops = Array.from({ length: options.loops ?? 2 }, loop);
  return {
    wake,
    async stop() {
      stopping = true;
      wake();
      await Promise.all(loops);
    },
  };
}
