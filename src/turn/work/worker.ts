/** The worker: takes jobs off the table and does them. Any number of workers, in any number of processes. */
import { Fault } from '../../kernel/assert.ts';
import { ATTEMPTS_MAX, claim, fail, finish, release, stillOurs } from '../../store/jobs.ts';
import type { JobRow } from '../../store/schema.ts';
import type { Service } from '../context.ts';
import { giveUpMail, processMail } from '../intake/intake.ts';
import { runGame } from '../phase/run.ts';
import { sendDigest } from '../post/digest.ts';
import { Later, type Post, sendFailed, sendMail } from '../post/dispatch.ts';
import { deadlineBrake, plan, remind } from './brakes.ts';

/** What this process enqueues wakes its loops at once; what others do is seen by the next look. */
const POLL_MS = 500;
/** A worker takes so many jobs at a time from the table. */
const BATCH = 8;
/** Reading of a mail is tried so often before it is put aside. */
const MAIL_ATTEMPTS_MAX = 4;
/** With an hour between the later ones: a mail is tried for five days, as mail servers do. */
export const SEND_ATTEMPTS_MAX = 130;

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
  digest: (service, payload) => sendDigest(service, Number(payload.personId)),
  send: (service, payload, tools) => sendMail(service, tools.post, Number(payload.mailId)),
};

/** What is done when a job failed for good. */
const lastRites: Record<string, (service: Service, payload: Record<string, unknown>, why: string) => Promise<void>> = {
  mail: (service, payload, why) => giveUpMail(service, Number(payload.mailId), why),
  send: (service, payload, why) => sendFailed(service, Number(payload.mailId), why),
};

const ATTEMPTS: Record<string, number> = { mail: MAIL_ATTEMPTS_MAX, send: SEND_ATTEMPTS_MAX };

/** Does one job and takes it off the table, or puts it back with a delay. */
async function doJob(service: Service, tools: Tools, job: JobRow): Promise<void> {
  const handler = handlers[job.kind];
  if (!handler) {
    // Another version of the service may know it.
    await fail(service.db, job, `no worker here knows jobs of kind ${job.kind}`, service.now());
    return;
  }
  if (!(await stillOurs(service.db, job, service.now()))) return;
  const most = ATTEMPTS[job.kind] ?? ATTEMPTS_MAX;
  try {
    // Begun that often without coming to an end, not even a bad one: the process died of it each time.
    if (job.attempts > (job.last_error === null ? Math.min(most, ATTEMPTS_MAX) : most))
      throw new Fault(`begun ${most} times and never ended`);
    await handler(service, job.payload, tools);
    await finish(service.db, job);
  } catch (problem) {
    const why = problem instanceof Error ? problem.message : String(problem);
    if (!(problem instanceof Later)) service.log.warn({ job: job.kind, attempts: job.attempts, why }, 'a job failed');
    const hopeless = job.kind === 'mail' && job.attempts >= most;
    if (!hopeless && !(await fail(service.db, job, why, service.now(), { most }))) return;
    service.log.error({ job: job.kind, why }, 'a job was given up');
    await lastRites[job.kind]?.(service, job.payload, why);
    if (hopeless) await finish(service.db, job);
  }
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

/** What one loop has taken from the table and not done yet, and how many it takes next time. */
interface Taken {
  held: JobRow[];
  most: number;
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
  const back = (job: JobRow, begun = false): Promise<void> => release(service.db, job, job.run_at, begun);
  const round = async (taken: Taken): Promise<boolean> => {
    const { held } = taken;
    // The store broke off: what was taken then is put back before anything else, the first of it was begun.
    for (let begun = true; held.length > 0; begun = false, held.shift()) await back(held[0]!, begun);
    const kinds = options.kinds?.();
    const { most } = taken;
    held.push(
      ...(await claim(service.db, { now: service.now(), worker: options.name, most, ...(kinds && { kinds }) })),
    );
    if (held.length === 0) return false;
    // A job that was begun before may kill this process: it is done alone, or it would count against all taken with it.
    taken.most = held[0]!.attempts > 1 ? 1 : BATCH;
    const alone = held.findIndex((job, i) => i > 0 && (held[0]!.attempts > 1 || job.attempts > 1));
    while (alone > 0 && held.length > alone) await back(held.pop()!);
    for (; held.length > 0; held.shift()) await (stopping ? back(held[0]!) : doJob(service, tools, held[0]!));
    wake();
    return true;
  };
  const loop = async (): Promise<void> => {
    const held: Taken = { held: [], most: BATCH };
    while (!stopping) {
      try {
        if (!(await round(held))) await sleep();
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
