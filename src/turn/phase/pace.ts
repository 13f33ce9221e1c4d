/** A game's pace: pausing, going on, moving a deadline, absences. Everybody concerned is told, and why. */
import type { Trx } from '../../store/db.ts';
import {
  gameById,
  logAction,
  markPaused,
  markRunning,
  phaseById,
  seatsOf,
  setGameSettings,
} from '../../store/games.ts';
import { enqueue } from '../../store/jobs.ts';
import { absencesSince } from '../../store/members.ts';
import { personById } from '../../store/people.ts';
import { openQuestions, setDue, setQuestionDue } from '../../store/phases.ts';
import type { GameRow, PhaseRow } from '../../store/schema.ts';
import { gamesOfHolder } from '../../store/seats.ts';
import type { Service } from '../context.ts';
import { actor, type Errand, words } from '../errand.ts';
import { tellGame, tellSeat } from '../post/notices.ts';
import { absencesOf, phaseDue, planSoon, ruleOf, runAt, runSoon } from '../time/deadlines.ts';
import {
  clearOf,
  DAY_MS,
  extended,
  remaining,
  remindersBefore,
  resumed,
  showMoment,
  usualRule,
} from '../time/instants.ts';

/** Hours before a deadline at which a player is reminded unless he chose others. */
export const REMIND_HOURS: readonly number[] = [24, 6];
type Doer = Pick<Errand, 'service' | 'trx' | 'now'> & Partial<Errand>;

async function openPhaseOf(trx: Trx, game: GameRow): Promise<PhaseRow | undefined> {
  if (game.phase_id === null) return undefined;
  const phase = await phaseById(trx, game.phase_id);
  return phase.status === 'open' || phase.status === 'waiting' ? phase : undefined;
}

/** The deadline of the open phase gets its job, and its reminders are planned afresh. */
export async function planDeadline(service: Service, trx: Trx, game: GameRow, phase: PhaseRow): Promise<void> {
  if (phase.due_at === null) return;
  await runAt(service, trx, game, phase.due_at);
  await planSoon(service, trx, game.id);
}

/** The reminders of the open phase get their jobs. Those planned for another deadline find nothing to do. */
export async function planReminders(service: Service, trx: Trx, game: GameRow, phase: PhaseRow): Promise<void> {
  if (phase.due_at === null) return;
  const now = service.now();
  const rule = ruleOf(game);
  if (rule && rule.graceHours > 0) await planReminder(trx, game, phase, phase.due_at, now);
  const hours = new Set<number>();
  for (const seat of await seatsOf(trx, game.id)) {
    const person = seat.person_id === null ? undefined : await personById(trx, seat.person_id);
    for (const hour of person?.settings?.remind ?? REMIND_HOURS) hours.add(hour);
  }
  for (const at of remindersBefore(phase.due_at, [...hours], now)) await planReminder(trx, game, phase, at, now);
}

async function planReminder(trx: Trx, game: GameRow, phase: PhaseRow, at: Date, now: Date): Promise<void> {
  await enqueue(
    trx,
    {
      kind: 'remind',
      payload: { gameId: game.id, phaseId: phase.id, due: phase.due_at?.toISOString() ?? null },
      gameId: game.id,
      runAt: at,
      dedupeKey: `remind:${phase.id}:${at.toISOString()}`,
    },
    now,
  );
}

/** Moves the open phase's deadline and tells everybody, in his own zone. */
export async function moveDeadline(
  service: Service,
  trx: Trx,
  game: GameRow,
  due: Date,
  why: string,
  options: { quiet?: boolean } = {},
): Promise<void> {
  const phase = await openPhaseOf(trx, game);
  if (!phase) return;
  const earlier = phase.due_at;
  const moved = await setDue(trx, phase.id, due);
  // A question that is open gets the same time more.
  if (earlier !== null && due.getTime() > earlier.getTime()) {
    const open = await openQuestions(trx, phase.id);
    for (const request of open) {
      if (request.due_at === null) continue;
      const later = new Date(request.due_at.getTime() + due.getTime() - earlier.getTime());
      await setQuestionDue(trx, request.id, later);
      await runAt(service, trx, game, later);
    }
  }
  await planDeadline(service, trx, game, moved);
  if (options.quiet) return;
  for (const seat of await seatsOf(trx, game.id)) {
    const zone = seat.person_id === null ? undefined : (await personById(trx, seat.person_id))?.zone;
    await tellSeat(service, trx, game, seat, {
      key: 'deadline moved',
      params: { game: game.ref, due: showMoment(due, zone ?? service.config.club.zone), why },
      replaceKey: `deadline:${game.id}`,
      staleAt: due,
    });
  }
}

/** Stops the clock of a game; what was left of the deadline is kept. */
export async function pauseGame(
  doer: Doer,
  game: GameRow,
  why: string,
  options: { quiet?: boolean } = {},
): Promise<boolean> {
  const { service, trx, now } = doer;
  if (game.status !== 'running') return false;
  const phase = await openPhaseOf(trx, game);
  const left = phase?.due_at ? remaining(phase.due_at, now) : null;
  await markPaused(trx, game.id, why);
  await setGameSettings(trx, game.id, { ...game.settings, leftMs: left });
  if (phase) await setDue(trx, phase.id, null);
  await log(doer, game, 'pause', why);
  if (!options.quiet) await tellGame(service, trx, game, { key: 'paused', params: { game: game.ref, why } });
  return true;
}

/** Lets a game go on with what was left of its deadline, but at least a day. */
export async function resumeGame(doer: Doer, game: GameRow, options: { quiet?: boolean } = {}): Promise<boolean> {
  const { service, trx, now } = doer;
  if (game.status !== 'paused') return false;
  const { leftMs, ...settings } = game.settings;
  await markRunning(trx, game.id);
  await setGameSettings(trx, game.id, settings);
  const again = await gameById(trx, game.id);
  await log(doer, game, 'resume', null);
  const phase = await openPhaseOf(trx, again);
  const rule = ruleOf(again);
  if (phase && rule) {
    const absences = await absencesOf(trx, game.id);
    const due =
      typeof leftMs === 'number' ? resumed(rule, leftMs, now, absences) : ((await phaseDue(trx, again, now)) ?? null);
    if (due) await moveDeadline(service, trx, again, due, '', { quiet: true });
    if (!options.quiet) {
      for (const seat of await seatsOf(trx, game.id)) {
        const zone = seat.person_id === null ? undefined : (await personById(trx, seat.person_id))?.zone;
        const params = { game: game.ref, due: due ? showMoment(due, zone ?? service.config.club.zone) : '' };
        await tellSeat(service, trx, again, seat, { key: due ? 'resumed' : 'resumed open', params });
      }
    }
  } else if (!options.quiet)
    await tellGame(service, trx, again, { key: 'resumed open', params: { game: game.ref, due: '' } });
  await runSoon(service, trx, game.id);
  return true;
}

/** So many local days more for the open phase. Returns the new deadline; undefined when there is none to move. */
export async function extendDeadline(doer: Doer, game: GameRow, days: number, why: string): Promise<Date | undefined> {
  const phase = await openPhaseOf(doer.trx, game);
  if (!phase?.due_at) return undefined;
  const rule = ruleOf(game) ?? usualRule(1, doer.service.config.club.zone);
  const due = extended(rule, phase.due_at, days, await absencesOf(doer.trx, game.id));
  await moveDeadline(doer.service, doer.trx, game, due, why);
  await log(doer, game, 'deadline', why);
  return due;
}

/** Deadlines that fall into a new absence move out of it. Returns the games whose deadline moved. */
export async function clearAbsence(doer: Errand, personId: number): Promise<{ game: GameRow; due: Date }[]> {
  const { service, trx, now } = doer;
  const moved: { game: GameRow; due: Date }[] = [];
  for (const gameId of await gamesOfHolder(trx, personId)) {
    const game = await gameById(trx, gameId);
    const phase = await openPhaseOf(trx, game);
    const rule = ruleOf(game);
    if (game.status !== 'running' || !phase?.due_at || !rule || phase.due_at.getTime() <= now.getTime()) continue;
    const due = clearOf(rule, phase.due_at, await absencesOf(trx, gameId));
    if (!due || due.getTime() === phase.due_at.getTime()) continue;
    await moveDeadline(service, trx, game, due, words(doer, 'why absence'));
    moved.push({ game, due });
  }
  return moved;
}

/** Days of absence a person has taken in the 365 days before a moment, by the days' own count. */
export async function absenceDays(trx: Trx, personId: number, now: Date): Promise<number> {
  const rows = await absencesSince(trx, personId, new Date(now.getTime() - 365 * DAY_MS));
  return rows.reduce(
    (sum, row) => sum + Math.round((Date.parse(row.to_day) - Date.parse(row.from_day)) / DAY_MS) + 1,
    0,
  );
}

async function log(doer: Doer, game: GameRow, what: string, why: string | null): Promise<void> {
  const who = doer.door === undefined ? 'service' : actor(doer as Errand);
  await logAction(doer.trx, {
    at: doer.now,
    gameId: game.id,
    who,
    door: doer.door ?? 'service',
    what,
    why,
    public: true,
  });
}
