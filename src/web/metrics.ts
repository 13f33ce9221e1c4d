/** What a monitor asks for: counts of games, mails and jobs, read from the store when asked. No address, no token, no name. */
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { readMark } from '../store/doors.ts';
import { gameCounts } from '../store/games.ts';
import { jobCounts } from '../store/jobs.ts';
import { mailCounts } from '../store/mail.ts';
import { gamesDue } from '../store/phases.ts';
import type { Looking } from '../turn/context.ts';
import { stormNow } from '../turn/phase/storm.ts';

/** The registry of one service. Its gauges are filled on each reading. */
export function openMetrics(service: Looking): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const gauge = (name: string, help: string, labelNames: string[] = []): Gauge =>
    new Gauge({ name: `fieldpost_${name}`, help, labelNames, registers: [registry] });
  const games = gauge('games', 'games by status', ['status']);
  const mailsIn = gauge('mails_in', 'received mails by verdict', ['verdict']);
  const mailsOut = gauge('mails_out', 'mails of the outbox by state', ['state']);
  const jobs = gauge('jobs', 'jobs by kind', ['kind', 'state']);
  const overdue = gauge('deadlines_overdue', 'running games whose deadline is over');
  const read = gauge('mail_read_age_seconds', 'seconds since every door was last read to its end');
  const storm = gauge('deadlines_stopped', '1 while deadlines stand still because too many orders are missing');
  const { db } = service;
  const fill = async (): Promise<void> => {
    const now = service.now();
    games.reset();
    for (const row of await gameCounts(db)) games.set({ status: row.status }, Number(row.n));
    const mails = await mailCounts(db);
    mailsIn.reset();
    for (const { verdict, n } of mails.in) mailsIn.set({ verdict }, Number(n));
    mailsOut.reset();
    for (const { state, n } of mails.out) mailsOut.set({ state }, Number(n));
    jobs.reset();
    for (const row of await jobCounts(db)) {
      jobs.set({ kind: row.kind, state: 'open' }, row.open);
      jobs.set({ kind: row.kind, state: 'troubled' }, row.troubled);
    }
    const late = await gamesDue(db, new Date(now.getTime() - 3_600_000));
    overdue.set(late.length);
    const mark = await readMark(db);
    read.set(mark ? (now.getTime() - mark.getTime()) / 1000 : 0);
    storm.set((await stormNow(db)) ? 1 : 0);
  };
  const metrics = registry.metrics.bind(registry);
  registry.metrics = async () => {
    await fill();
    return metrics();
  };
  return registry;
}
