/**
 * The club's clock: reminders and late notices, and the brakes against deadlines that would hit the innocent. Mails that
 * came before a deadline are read before it runs (doors.ts says whether all have); too many missing orders at once stop
 * the run and call the operator. Time comes from the service, so tests run months in seconds.
 */
import type { SideId } from '../../kernel/types.ts';
import { publicView } from '../../kernel/view.ts';
import { lapseProposals } from '../../store/club.ts';
import { inTransaction, type Trx } from '../../store/db.ts';
import { readMark, unreadBefore, unreadOfGame } from '../../store/doors.ts';
import { gameById, logAction, phaseById, seatsOf, serviceValue, setServiceValue } from '../../store/games.ts';
import { enqueue, type JobPayloads } from '../../store/jobs.ts';
import { forgetBytes } from '../../store/mail.ts';
import { forgetCodes, turnoutSince } from '../../store/members.ts';
import { allInForce, inForce } from '../../store/orders.ts';
import { personById } from '../../store/people.ts';
import type { GameRow, PhaseRow } from '../../store/schema.ts';
import { clearBudgets } from '../../store/trust/budgets.ts';
import { sealOld } from '../../store/trust/sealed.ts';
import { endStandIns, sideName } from '../commands/signup.ts';
import type { Service } from '../context.ts';
import { planReminders, REMIND_HOURS } from '../phase/pace.ts';
import type { Brake } from '../phase/run.ts';
import { FORGIVEN, STORM, type Storm } from '../phase/storm.ts';
import { tellMaster, tellSeat } from '../post/notices.ts';
import { isUp, runTime } from '../time/deadlines.ts';
import { DAY_MS, showMoment } from '../time/instants.ts';
import { HELD, watchDoors, zoneOfSeat } from './doors.ts';

const LOOK_MS = 10_000;
const LOOKS_PER_TIDY = 360;
const SETTLED_MS = 4 * 60_000;
/** A run that was held back looks again so often; what it waits for calls it sooner. */
const HELD_MS = 15_000;
const UNREAD_MS = 2_000;
/** Why a run waits for the doors. */
export const NOT_READ = 'the doors are read up to the deadline first';
/** So many people who missed a deadline within a day, and more than kept one, stop the run. */
const STORM_MISSED_MIN = 6;
/** Codes are kept so long after their end, so that repeated asking is seen. */
const SEALED_AT_ONCE = 500;
const CODES_KEPT_MS = 2 * DAY_MS;
const HOUR_MS = 3_600_000;

// ---- before a deadline runs

/**
 * The brake of run.ts. Nothing runs while a mail that may be for the game is unread. What only a deadline asks for waits
 * until all mail of before it has been read, and all doors have been read past it; and a storm of missing orders waits
 * for the operator.
 */
export function deadlineBrake(service: Service): Brake {
  return async (trx, game, phase, { missing, up }) => {
    const now = service.now();
    const waits =
      up === null
        ? (await unreadOfGame(trx, game.id)) && 'a mail for this game is read first'
        : await beforeDeadline(trx, game.id, up);
    if (waits) {
      const runAt = new Date(now.getTime() + (waits === NOT_READ ? HELD_MS : UNREAD_MS));
      const dedupeKey = `${HELD}${phase.id}`;
      await enqueue(trx, { kind: 'run', payload: { gameId: game.id }, gameId: game.id, runAt, dedupeKey }, now);
      return waits;
    }
    if (up === null || missing.length === 0) return undefined;
    const storm = (await serviceValue(trx, STORM)) as Storm | null | undefined;
    if (storm) return 'deadlines stand still';
    const forgiven = new Date(String((await serviceValue(trx, FORGIVEN)) ?? 0));
    if (up <= forgiven) return undefined;
    const since = Math.max(now.getTime() - DAY_MS, forgiven.getTime());
    const day = await turnoutSince(trx, new Date(since));
    for (const seat of await seatsOf(trx, game.id))
      if (missing.includes(seat.side) && seat.person_id !== null) day.missed.add(seat.person_id);
    const [missed, kept] = [day.missed.size, day.kept.size];
    if (missed < STORM_MISSED_MIN || missed <= kept) return undefined;
    await setServiceValue(trx, STORM, { since: now.toISOString(), missed, kept });
    await logAction(trx, {
      at: now,
      gameId: null,
      who: 'service',
      door: 'service',
      what: 'storm',
      detail: { missed, kept },
    });
    await tellMaster(service, trx, null, { key: 'storm', params: { missed, kept } });
    service.log.error({ missed, kept }, 'too many orders are missing; deadlines stand still');
    return 'deadlines stand still';
  };
}

/** What has to be read before a deadline may run; undefined when everything was. */
async function beforeDeadline(trx: Trx, gameId: number, up: Date): Promise<string | undefined> {
  const mark = await readMark(trx);
  if (mark !== undefined && mark <= up) return NOT_READ;
  return (await unreadBefore(trx, up, gameId)) ? 'mails that came before the deadline are read first' : undefined;
}

// ---- reminders

/** A job's moment has come: reminds whoever has nothing on file, or tells that the deadline is over and grace runs. */
export async function remind(service: Service, payload: JobPayloads['remind']): Promise<void> {
  const now = service.now();
  await inTransaction(service.db, async (trx) => {
    const game = await gameById(trx, payload.gameId);
    if (game.status !== 'running' || game.phase_id === null || game.phase_id !== payload.phaseId) return;
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
      optional: 'reminders',
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
  const until = runTime(game, phase.due_at)!;
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
  await sealMailsOfBefore(service);
}

/** Mails that an earlier Fieldpost stored as they came, some at a time. */
async function sealMailsOfBefore(service: Service): Promise<void> {
  const key = 'mails sealed up to';
  const after = ((await serviceValue(service.db, key)) ?? { in: 0, out: 0 }) as { in: number; out: number };
  const done = await sealOld(service.db, service, after, SEALED_AT_ONCE);
  if (done.in !== after.in || done.out !== after.out) await setServiceValue(service.db, key, done);
}

/** Raw mails past their time, codes and sessions that are over. What was read of a mail stays. */
async function forgetOld(service: Service, trx: Trx): Promise<void> {
  const now = service.now();
  const old = new Date(now.getTime() - service.config.rawMailDays * DAY_MS);
  await forgetBytes(trx, old);
  await clearBudgets(trx, now);
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

/** Tidies up at once and every hour, and looks at the doors every few seconds. Returns what stops it. */
export function startTime(service: Service): () => void {
  const begun = performance.now();
  let looks = 0;
  const timer = setInterval(() => {
    const tidy = looks++ % LOOKS_PER_TIDY === 0 ? housekeeping(service) : Promise.resolve();
    // Whoever has just begun, or slept, gives the doors time to be read before he complains.
    const watch = performance.now() - begun > SETTLED_MS ? watchDoors(service) : Promise.resolve();
    Promise.all([tidy, watch]).catch((problem: unknown) =>
      service.log.error({ why: String(problem) }, 'the clock could not be kept'),
    );
  }, LOOK_MS);
  timer.unref();
  return () => clearInterval(timer);
}
