/**
 * A club's year in a few minutes: many small games with mixed deadline rules, zones, grace, absences and players of
 * different diligence; both clock-change days, outages and jumps of the host's clock included. Counts what must not happen.
 */

import { type Db, inTransaction, lockGame, tables } from '../../src/store/db.ts';
import { currentPhase, gameById, seatsOf } from '../../src/store/games.ts';
import { finish, type Job } from '../../src/store/jobs.ts';
import { addAbsence } from '../../src/store/members.ts';
import type { GameRow, PhaseRow } from '../../src/store/schema.ts';
import { fileOrders } from '../../src/turn/filing/filing.ts';
import { createGame } from '../../src/turn/phase/newgame.ts';
import { type DeadlineRule, localDate, readRule, runsAt, usualRule } from '../../src/turn/time/instants.ts';
import { noteRead } from '../../src/turn/work/doors.ts';
import { doTask } from '../../src/turn/work/worker.ts';
import { readUpTo, testService } from '../helpers/service.ts';
import { seededRandom } from './random.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** Rules of a club's games. The hours lie where a clock change could hurt, too. */
const RULES = [
  '14 DAYS AT 20:00 ZONE Europe/Vienna',
  '21 DAYS AT 02:30 ZONE Europe/Vienna',
  'SUN AT 02:30 ZONE America/New_York',
  '20 DAYS AT 18:00 ZONE America/New_York GRACE 12',
  '15 DAYS AT 21:15 ZONE Australia/Sydney SKIP WEEKENDS',
  '16 DAYS AT 20:00 ZONE Asia/Kolkata GRACE 24',
  'WED AT 00:00 ZONE Europe/London',
  '18 DAYS AT 12:00 ZONE UTC OFF 2026-12-20..2027-01-06',
  '28 DAYS AT 23:59 ZONE America/Los_Angeles',
  '24 DAYS AT 08:00 ZONE Pacific/Auckland FIRST x2',
];

export interface YearFigures {
  games: number;
  phases: number;
  deadlines: number;
  early: number;
  /** Deadlines run more than a minute after their time, outages apart. */
  late: string[];
  /** Phases run before their deadline although not everything was final. */
  tooEarly: string[];
  /** Phases that were run more than once. */
  twice: string[];
  /** Games whose deadline is over at the end and that were not run. */
  missed: string[];
  /** Deadlines that were not at the local hour of their rule, moved ones apart. */
  offHour: string[];
  outages: number;
  reminders: number;
  mails: number;
  seconds: number;
}

/** Plays the year. `outages`: moments at which nothing runs for so many hours; `jumps`: the host's clock is wrong for a while. */
export async function playYear(db: Db, options: { games: number; days?: number; seed?: number }): Promise<YearFigures> {
  const began = process.hrtime.bigint();
  const random = seededRandom(options.seed ?? 1);
  const test = testService(db, { env: { OPERATOR_EMAIL: 'operator@club.example' } });
  const { service, clock } = test;
  clock.now = new Date('2026-03-01T12:00:00Z');
  const end = clock.now.getTime() + (options.days ?? 366) * DAY_MS;
  const figures: YearFigures = {
    games: options.games,
    phases: 0,
    deadlines: 0,
    early: 0,
    late: [],
    tooEarly: [],
    twice: [],
    missed: [],
    offHour: [],
    outages: 0,
    reminders: 0,
    mails: 0,
    seconds: 0,
  };
  const rules = new Map<number, DeadlineRule>();
  for (let i = 0; i < options.games; i++) {
    const rule = readRule(ruleText(i), { ...usualRule(7, 'UTC'), firstFactor: 1 })!;
    const game = await createGame(service, {
      scenarioId: 'tiny/race',
      options: { squares: 1000 },
      seats: [
        { side: 'red', address: `r${i}@players.example`, name: `Red ${i}`, zone: rule.zone },
        { side: 'blue', address: `b${i}@players.example`, name: `Blue ${i}` },
      ],
      deadlineRule: rule,
      by: 'year',
      door: 'test',
    });
    rules.set(game.id, rule);
    if (i % 7 === 0) await goAway(db, game, random, clock.now);
    await play(test.service, game.id, random);
  }
  const outages = [40, 200, 331].map((day) => ({ at: clock.now.getTime() + day * DAY_MS, hours: 3 + (day % 30) }));
  const jumps = [100, 250].map((day) => ({ at: clock.now.getTime() + day * DAY_MS, hours: 5 }));
  let excused = 0;
  for (;;) {
    await tables(db).deleteFrom('job').where('kind', '=', 'send').execute();
    const next = await tables(db).selectFrom('job').select('run_at').orderBy('run_at').executeTakeFirst();
    if (!next || next.run_at.getTime() > end) break;
    const target = Math.max(clock.now.getTime(), next.run_at.getTime());
    const outage = outages[0] && target >= outages[0].at ? outages.shift() : undefined;
    const jump = jumps[0] && target >= jumps[0].at ? jumps.shift() : undefined;
    if (outage || jump) {
      // Up to this moment the service lived and said so.
      const from = new Date((outage ?? jump)!.at);
      await readUpTo(db, from);
      clock.now = new Date(from.getTime() + (outage ?? jump)!.hours * 3_600_000);
      if ((await noteRead(service, 'smtp', clock.now)) !== undefined) figures.outages++;
      excused = clock.now.getTime();
      if (jump) {
        await work(service, db, figures, rules, excused, random);
        clock.now = new Date(from.getTime() + MINUTE_MS);
        await noteRead(service, 'smtp', clock.now);
      }
      continue;
    }
    clock.now = new Date(target);
    await readUpTo(db, new Date(target - MINUTE_MS));
    if ((await noteRead(service, 'smtp', clock.now)) !== undefined)
      throw new Error('an outage was found where there was none');
    await work(service, db, figures, rules, excused, random);
  }
  await audit(db, figures, new Date(end));
  figures.reminders = await count(db, 'reminder');
  figures.mails = await count(db, '');
  figures.seconds = Number((process.hrtime.bigint() - began) / 1_000_000n) / 1000;
  return figures;
}

/** The first hundred games are brisk; of a whole club's most take their time, or the year would take an hour. */
function ruleText(i: number): string {
  const text = RULES[i % RULES.length]!;
  if (i < 100) return text;
  const slower = text.replace(/^(\d+) DAYS/, (_, days: string) => `${Math.min(90, Number(days) * 3)} DAYS`);
  return slower.replace(/^(SUN|WED)/, '60 DAYS');
}

type Service = ReturnType<typeof testService>['service'];

async function goAway(db: Db, game: GameRow, random: () => number, now: Date): Promise<void> {
  const seats = await seatsOf(db, game.id);
  const from = new Date(now.getTime() + Math.floor(random() * 200) * DAY_MS);
  await addAbsence(db, {
    personId: seats[0]!.person_id!,
    from: localDate(from, 'UTC'),
    to: localDate(new Date(from.getTime() + 13 * DAY_MS), 'UTC'),
    zone: 'America/Los_Angeles',
    now,
  });
}

/** Files for the open phase of a game: most file, some are final, some forget. */
async function play(service: Service, gameId: number, random: () => number): Promise<void> {
  await inTransaction(service.db, async (trx) => {
    await lockGame(trx, gameId);
    const game = await gameById(trx, gameId);
    const phase = await currentPhase(trx, game);
    if (phase?.status !== 'open') return;
    const { rules, scenario } = service.scenarios.open(game.scenario);
    for (const seat of await seatsOf(trx, gameId)) {
      if (random() < 0.12) continue;
      await fileOrders(
        service,
        trx,
        { game, phase, seat, rules, scenario },
        {
          lines: ['RUN STEADY'],
          final: random() < 0.4,
          source: 'desk',
          mailId: null,
          replyTo: { subject: '', date: null, messageId: null },
        },
      );
    }
  });
}

/** Does every job that is due, as two workers would: one after the other, but some of them twice. */
async function work(
  service: Service,
  db: Db,
  figures: YearFigures,
  rules: ReadonlyMap<number, DeadlineRule>,
  excused: number,
  random: () => number,
): Promise<void> {
  for (;;) {
    const jobs = await tables(db)
      .selectFrom('job')
      .selectAll()
      .where('run_at', '<=', service.now())
      .where('kind', 'in', ['run', 'plan', 'remind'])
      .orderBy('run_at')
      .orderBy('id')
      .limit(16)
      .execute();
    if (jobs.length === 0) return;
    for (const job of jobs) {
      const gameId = Number(job.payload.gameId);
      const before = job.kind === 'run' ? await phaseOf(db, gameId) : undefined;
      await doTask(service, job as Job, { post: null });
      // A worker that died after its commit does it again.
      if (random() < 0.1) await doTask(service, job as Job, { post: null });
      await finish(db, job, service.now());
      if (before) await judge(service, db, figures, rules.get(gameId)!, before, excused, random);
    }
  }
}

async function phaseOf(db: Db, gameId: number): Promise<PhaseRow | undefined> {
  return currentPhase(db, await gameById(db, gameId));
}

async function judge(
  service: Service,
  db: Db,
  figures: YearFigures,
  rule: DeadlineRule,
  before: PhaseRow,
  excused: number,
  random: () => number,
): Promise<void> {
  const after = await phaseOf(db, before.game_id);
  if (!after || after.id === before.id) return;
  figures.phases++;
  const now = service.now().getTime();
  const due = before.due_at!;
  const at = runsAt(rule, due).getTime();
  const name = `${before.game_id}/${before.n} due ${due.toISOString()} run ${service.now().toISOString()}`;
  const receipts = await tables(db)
    .selectFrom('receipt')
    .select('final')
    .where('phase_id', '=', before.id)
    .where('verdict', '=', 'filed')
    .execute();
  const allFinal = receipts.length === 2 && receipts.every((receipt) => receipt.final);
  if (allFinal) figures.early++;
  else {
    figures.deadlines++;
    if (now < at) figures.tooEarly.push(name);
    if (now > at + MINUTE_MS && now - MINUTE_MS > excused) figures.late.push(name);
  }
  const local = new Intl.DateTimeFormat('en-GB', {
    timeZone: rule.zone,
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
  const shown = local.format(after.due_at!);
  const wanted = `${String(rule.hour).padStart(2, '0')}:${String(rule.minute).padStart(2, '0')}`;
  // 02:30 does not exist on one day of the year in each zone with a clock change: an hour later is right.
  if (shown !== wanted && !(wanted === '02:30' && shown === '03:30'))
    figures.offHour.push(`${name}: next ${shown}, not ${wanted}`);
  await play(service, before.game_id, random);
}

/** What the store says at the end. */
async function audit(db: Db, figures: YearFigures, end: Date): Promise<void> {
  const doubles = await tables(db)
    .selectFrom('phase')
    .select(['game_id', 'n', (all) => all.fn.countAll<number>().as('times')])
    .where('status', '=', 'done')
    .groupBy(['game_id', 'n'])
    .having((all) => all.fn.countAll<number>(), '>', 1)
    .execute();
  figures.twice.push(...doubles.map((row) => `${row.game_id}/${row.n}`));
  const done = await tables(db)
    .selectFrom('phase')
    .select((all) => all.fn.countAll<number>().as('n'))
    .where('status', '=', 'done')
    .executeTakeFirstOrThrow();
  if (Number(done.n) !== figures.phases) figures.twice.push(`${done.n} phases on record, ${figures.phases} seen`);
  const open = await tables(db)
    .selectFrom('phase')
    .innerJoin('game', 'game.phase_id', 'phase.id')
    .select(['game.ref', 'phase.n', 'phase.due_at', 'game.status', 'game.deadline_rule'])
    .execute();
  for (const row of open) {
    if (row.status !== 'running') figures.missed.push(`${row.ref} is ${row.status}`);
    else if (!row.due_at || runsAt(row.deadline_rule as unknown as DeadlineRule, row.due_at) <= end)
      figures.missed.push(`${row.ref}/${row.n} due ${row.due_at?.toISOString()}`);
  }
}

async function count(db: Db, replaceKey: string): Promise<number> {
  const row = await tables(db)
    .selectFrom('mail_out')
    .select((all) => all.fn.countAll<number>().as('n'))
    .where((all) => (replaceKey === '' ? all.lit(true) : all('replace_key', 'like', `${replaceKey}%`)))
    .executeTakeFirstOrThrow();
  return Number(row.n);
}
