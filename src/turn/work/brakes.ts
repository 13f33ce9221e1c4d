/**
 * The club's clock: reminders and late notices, and three brakes against deadlines that would hit the innocent. A gap in
 * service moves deadlines; too many missing orders at once stop the run and call the operator; mails that came before a
 * deadline are read before it runs. Time comes from the service, so tests run months in seconds.
 */
import type { SideId } from '../../kernel/types.ts';
import { publicView } from '../../kernel/view.ts';
import { lapseProposals } from '../../store/club.ts';
import { type Db, inTransaction, type Trx } from '../../store/db.ts';
import {
  gameById,
  heldServiceValue,
  logAction,
  phaseById,
  seatsOf,
  serviceValue,
  setServiceValue,
} from '../../store/games.ts';
import { enqueue, mailUnreadBefore } from '../../store/jobs.ts';
import { forgetBytes } from '../../store/mail.ts';
import { forgetCodes, turnoutSince } from '../../store/members.ts';
import { allInForce, inForce } from '../../store/orders.ts';
import { personById } from '../../store/people.ts';
import { gamesDue, openQuestions, setDue, setQuestionDue } from '../../store/phases.ts';
import type { GameRow, PhaseRow, SeatRow } from '../../store/schema.ts';
import { endStandIns, sideName } from '../commands/signup.ts';
import type { Service } from '../context.ts';
import { planDeadline, planReminders, REMIND_HOURS } from '../phase/pace.ts';
import { FORGIVEN, STORM, type Storm } from '../phase/storm.ts';
import { tellMaster, tellSeat } from '../post/notices.ts';
import { isUp, ruleOf } from '../time/deadlines.ts';
import { afterOutage, DAY_MS, runsAt, showMoment } from '../time/instants.ts';

/** The service says that often that it lives; a silence of `GAP_MS` was an outage. */
export const BEAT_MS = 60_000;
export const GAP_MS = 10 * 60_000;
/** So many deadlines missed within a day, and more than were kept, stop the run. */
const STORM_MISSED_MIN = 6;
const BEATS_PER_TIDY = 60;
/** Codes are kept so long after their end, so that repeated asking is seen. */
const CODES_KEPT_MS = 2 * DAY_MS;
const HOUR_MS = 3_600_000;
const HEARTBEAT = 'heartbeat';

/**
 * To be called every minute, and before anything else after a start. Returns the outage it found, if there was one: all
 * deadlines that were open then have moved by it.
 */
export async function beat(service: Service): Promise<{ from: Date; to: Date } | undefined> {
  const now = service.now();
  return inTransaction(service.db, async (trx) => {
    const last = await lastBeat(trx);
    const to = now.getTime();
    await setServiceValue(trx, HEARTBEAT, now.toISOString());
    if (last === undefined || to - last.getTime() < GAP_MS) return undefined;
    const gap = { from: last, to: now };
    const moved = await moveDeadlines(service, trx, gap);
    service.log.warn({ from: last, to: now, games: moved }, 'the service was down; deadlines were moved');
    if (moved > 0) {
      const zone = service.config.club.zone;
      const params = { from: showMoment(last, zone), to: showMoment(now, zone), count: moved };
      await tellMaster(service, trx, null, { key: 'outage master', params });
    }
    return gap;
  });
}

/** The last sign of life, its row locked so that only one process finds an outage. */
async function lastBeat(trx: Trx): Promise<Date | undefined> {
  const last = await heldServiceValue(trx, HEARTBEAT);
  return last === undefined ? undefined : new Date(String(last));
}

async function moveDeadlines(service: Service, trx: Trx, gap: { from: Date; to: Date }): Promise<number> {
  const open = await gamesDue(trx);
  let moved = 0;
  for (const { phaseId } of open) {
    const phase = await phaseById(trx, phaseId);
    const game = await gameById(trx, phase.game_id);
    if (await moveByGap(service, trx, game, phase, gap)) moved++;
  }
  return moved;
}

async function moveByGap(
  service: Service,
  trx: Trx,
  game: GameRow,
  phase: PhaseRow,
  gap: { from: Date; to: Date },
): Promise<boolean> {
  const rule = ruleOf(game);
  // Grace counts as open time: who still could file at the start of the gap keeps what he had.
  const open = phase.due_at && rule ? runsAt(rule, phase.due_at) : phase.due_at;
  if (!phase.due_at || !open || open.getTime() <= gap.from.getTime()) return false;
  const length = gap.to.getTime() - gap.from.getTime();
  const due =
    phase.due_at.getTime() > gap.from.getTime()
      ? afterOutage(phase.due_at, gap)
      : new Date(phase.due_at.getTime() + length);
  const late = await setDue(trx, phase.id, due);
  const requests = await openQuestions(trx, phase.id);
  for (const request of requests)
    if (request.due_at) await setQuestionDue(trx, request.id, afterOutage(request.due_at, gap));
  await planDeadline(service, trx, game, late);
  for (const seat of await seatsOf(trx, game.id)) {
    const zone = await zoneOfSeat(service, trx, seat);
    const params = {
      game: game.ref,
      from: showMoment(gap.from, zone),
      to: showMoment(gap.to, zone),
      due: showMoment(due, zone),
    };
    await tellSeat(service, trx, game, seat, {
      key: 'outage',
      params,
      replaceKey: `deadline:${game.id}`,
      staleAt: due,
    });
  }
  return true;
}

async function zoneOfSeat(service: Service, db: Db, seat: SeatRow): Promise<string> {
  const person = seat.person_id === null ? undefined : await personById(db, seat.person_id);
  return person?.zone ?? service.config.club.zone;
}

// ---- before a deadline runs

/**
 * The brake of run.ts: holds a run back that only the deadline asks for. Mails that came before the deadline and are not
 * yet read go first; a storm of missing orders waits for the operator.
 */
export function deadlineBrake(
  service: Service,
): (trx: Trx, game: GameRow, phase: PhaseRow, missing: SideId[]) => Promise<string | undefined> {
  return async (trx, game, phase, missing) => {
    if (missing.length === 0) return undefined;
    const now = service.now();
    if (await mailUnreadBefore(trx, runTime(game, phase) ?? now)) {
      await enqueue(
        trx,
        {
          kind: 'run',
          payload: { gameId: game.id },
          gameId: game.id,
          runAt: new Date(now.getTime() + 5_000),
          dedupeKey: `unread:${phase.id}`,
        },
        now,
      );
      return 'mails that came before the deadline are read first';
    }
    const storm = (await serviceValue(trx, STORM)) as Storm | null | undefined;
    if (storm) return 'deadlines stand still';
    const forgiven = new Date(String((await serviceValue(trx, FORGIVEN)) ?? 0));
    const run = runTime(game, phase);
    if (run !== null && run <= forgiven) return undefined;
    const since = Math.max(now.getTime() - DAY_MS, forgiven.getTime());
    const day = await turnoutSince(trx, new Date(since));
    const missed = day.missed + missing.length;
    if (missed < STORM_MISSED_MIN || missed <= day.kept) return undefined;
    await setServiceValue(trx, STORM, { since: now.toISOString(), missed, kept: day.kept });
    await logAction(trx, {
      at: now,
      gameId: null,
      who: 'service',
      door: 'service',
      what: 'storm',
      detail: { missed, kept: day.kept },
    });
    await tellMaster(service, trx, null, { key: 'storm', params: { missed, kept: day.kept } });
    service.log.error({ missed, kept: day.kept }, 'too many orders are missing; deadlines stand still');
    return 'deadlines stand still';
  };
}

function runTime(game: GameRow, phase: PhaseRow): Date | null {
  const rule = ruleOf(game);
  return phase.due_at && rule ? runsAt(rule, phase.due_at) : phase.due_at;
}

// ---- reminders

/** A job's moment has come: reminds whoever has nothing on file, or tells that the deadline is over and grace runs. */
export async function remind(service: Service, payload: Record<string, unknown>): Promise<void> {
  const now = service.now();
  await inTransaction(service.db, async (trx) => {
    const game = await gameById(trx, Number(payload.gameId));
    if (game.status !== 'running' || game.phase_id !== Number(payload.phaseId)) return;
    const phase = await phaseById(trx, game.phase_id);
    // Planned for a deadline that has moved since: the new one has reminders of its own.
    if (phase.status !== 'open' || phase.due_at === null || phase.due_at.toISOString() !== payload.due) return;
    if (isUp(game, phase.due_at, now)) return;
    const { rules } = service.scenarios.open(game.scenario);
    const owing = rules.asks(publicView(phase.snapshot)).flatMap((ask) => (ask.must ? [ask.side] : []));
    if (phase.due_at.getTime() <= now.getTime()) await tellLate(service, trx, game, phase, owing);
    else await remindSeats(service, trx, game, phase, owing);
  });
}

async function remindSeats(
  service: Service,
  trx: Trx,
  game: GameRow,
  phase: PhaseRow,
  owing: readonly SideId[],
): Promise<void> {
  const due = phase.due_at!;
  const hoursLeft = (due.getTime() - service.now().getTime()) / HOUR_MS;
  for (const seat of await seatsOf(trx, game.id)) {
    if (!owing.includes(seat.side) || seat.person_id === null) continue;
    const person = await personById(trx, seat.person_id);
    const hours = person?.settings?.remind ?? REMIND_HOURS;
    // Which of his hours this is; other players' reminders fall at other times.
    if (!hours.some((hour) => Math.abs(hour - hoursLeft) < 0.25)) continue;
    const receipt = await inForce(trx, phase.id, seat.side);
    if (receipt?.verdict === 'filed' && (receipt.final || receipt.wait)) continue;
    const params = {
      game: game.ref,
      turn: phase.turn,
      step: phase.step,
      due: showMoment(due, person?.zone ?? service.config.club.zone),
    };
    await tellSeat(service, trx, game, seat, {
      key: receipt?.verdict === 'filed' ? 'reminder final' : 'reminder',
      params,
      replaceKey: `reminder:${game.id}`,
      staleAt: due,
    });
  }
}

/** The deadline is over and grace begins: told to all once, the late ones what they still can do. */
async function tellLate(
  service: Service,
  trx: Trx,
  game: GameRow,
  phase: PhaseRow,
  owing: readonly SideId[],
): Promise<void> {
  const onFile = await allInForce(trx, phase.id);
  const missing = owing.filter((side) => onFile.get(side)?.verdict !== 'filed');
  if (missing.length === 0) return;
  const until = runTime(game, phase)!;
  const sides = missing.map((side) => sideName(service, game, side));
  for (const seat of await seatsOf(trx, game.id)) {
    const zone = await zoneOfSeat(service, trx, seat);
    await tellSeat(service, trx, game, seat, {
      key: missing.includes(seat.side) ? 'late' : 'late others',
      params: { game: game.ref, sides, until: showMoment(until, zone) },
      replaceKey: `reminder:${game.id}`,
      staleAt: until,
    });
  }
}

/** Once an hour or so: stand-ins whose time is over, proposals nobody answered. */
export async function housekeeping(service: Service): Promise<void> {
  await inTransaction(service.db, async (trx) => {
    await endStandIns(service, trx);
    await lapseProposals(trx, service.now());
    await forgetOld(service, trx);
  });
}

/** Raw mails past their time, codes and sessions that are over. What was read of a mail stays. */
async function forgetOld(service: Service, trx: Trx): Promise<void> {
  const now = service.now();
  const old = new Date(now.getTime() - service.config.rawMailDays * DAY_MS);
  await forgetBytes(trx, old);
  await forgetCodes(trx, { codes: new Date(now.getTime() - CODES_KEPT_MS), sessions: now });
}

/** Plans the reminders of the phase a game stands in. */
export async function plan(service: Service, gameId: number): Promise<void> {
  await inTransaction(service.db, async (trx) => {
    const game = await gameById(trx, gameId);
    if (game.status !== 'running' || game.phase_id === null) return;
    const phase = await phaseById(trx, game.phase_id);
    if (phase.status === 'open') await planReminders(service, trx, game, phase);
  });
}

/** Beats at once, then every minute, and tidies up every hour. Returns what stops it. */
export async function startTime(service: Service): Promise<() => void> {
  await beat(service);
  let beats = 0;
  const timer = setInterval(() => {
    const work = beats++ % BEATS_PER_TIDY === 0 ? housekeeping(service) : Promise.resolve();
    Promise.all([beat(service), work]).catch((problem: unknown) =>
      service.log.error({ why: String(problem) }, 'the clock could not be kept'),
    );
  }, BEAT_MS);
  timer.unref();
  return () => clearInterval(timer);
}
