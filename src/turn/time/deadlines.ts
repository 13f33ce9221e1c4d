/** When a phase, or an answer, is due: the game's deadline rule, its players' absences, and the job that wakes us then. */
import type { Rules } from '../../kernel/types.ts';
import type { Reader, Trx } from '../../store/db.ts';
import { enqueue } from '../../store/jobs.ts';
import { absencesInGame } from '../../store/members.ts';
import type { GameRow } from '../../store/schema.ts';
import type { Service } from '../context.ts';
import { type Absence, type DeadlineRule, nextDeadline, runsAt } from './instants.ts';

/** Days in which a question is to be answered, unless the game's rule gives less. */
const ANSWER_DAYS = 2;

/** The deadline rule of a game; undefined for a game without deadlines. */
export function ruleOf(game: Pick<GameRow, 'deadline_rule'>): DeadlineRule | undefined {
  const rule = game.deadline_rule as Partial<DeadlineRule>;
  return rule.kind === undefined ? undefined : (rule as DeadlineRule);
}

/** Absences of everyone who holds a seat of the game. */
export async function absencesOf(db: Reader, gameId: number): Promise<Absence[]> {
  const rows = await absencesInGame(db, gameId);
  return rows.map((row) => ({ from: row.from_day, to: row.to_day, zone: row.zone }));
}

/** When a phase that opens now is due; null without a rule. */
export async function phaseDue(
  db: Reader,
  game: GameRow,
  from: Date,
  given: { pace?: ReturnType<Rules['pace']>; first?: boolean } = {},
): Promise<Date | null> {
  const rule = ruleOf(game);
  if (!rule) return null;
  const absences = await absencesOf(db, game.id);
  const days = given.pace?.days === undefined ? {} : { days: given.pace.days };
  return nextDeadline(rule, from, { ...days, first: given.first === true, absences });
}

/** When an answer asked for now is due; null without a rule. */
export async function answerDue(db: Reader, game: GameRow, from: Date): Promise<Date | null> {
  const rule = ruleOf(game);
  if (!rule) return null;
  const days = rule.kind === 'days' ? Math.min(rule.days, ANSWER_DAYS) : ANSWER_DAYS;
  return nextDeadline({ ...rule, kind: 'days', days }, from, { absences: await absencesOf(db, game.id) });
}

/**
 * When a phase is due that goes on with the turn of the one before it: with that turn, but never sooner than an answer
 * would be; whoever is to go on after his time was up still gets to read what he is asked.
 */
export async function continuedDue(db: Reader, game: GameRow, from: Date, turnDue: Date | null): Promise<Date | null> {
  const answer = await answerDue(db, game, from);
  if (!answer || !turnDue) return answer;
  return new Date(Math.max(turnDue.getTime(), answer.getTime()));
}

/** The moment at which a deadline's phase runs, grace included; null without a deadline. */
export function runTime(game: Pick<GameRow, 'deadline_rule'>, due: Date | null): Date | null {
  const rule = ruleOf(game);
  return due !== null && rule ? runsAt(rule, due) : due;
}

/** Is the time up, grace included? */
export function isUp(game: Pick<GameRow, 'deadline_rule'>, due: Date | null, now: Date): boolean {
  if (due === null) return false;
  const rule = ruleOf(game);
  return (rule ? runsAt(rule, due) : due).getTime() <= now.getTime();
}

/** Looks at a game as soon as a worker is free. */
export async function runSoon(service: Pick<Service, 'now'>, trx: Trx, gameId: number): Promise<void> {
  const now = service.now();
  await enqueue(trx, { kind: 'run', payload: { gameId }, gameId, runAt: now, dedupeKey: `run:${gameId}` }, now);
}

/** Looks at a game when a deadline (and its grace) is over. A deadline that was moved meanwhile makes that look harmless. */
export async function runAt(service: Pick<Service, 'now'>, trx: Trx, game: GameRow, due: Date): Promise<void> {
  const rule = ruleOf(game);
  const at = rule ? runsAt(rule, due) : due;
  const dedupeKey = `due:${game.id}:${at.toISOString()}`;
  const now = service.now();
  await enqueue(trx, { kind: 'run', payload: { gameId: game.id }, gameId: game.id, runAt: at, dedupeKey }, now);
}

/** Plans the reminders of a deadline once the phase that has it is written. */
export async function planSoon(service: Pick<Service, 'now'>, trx: Trx, gameId: number): Promise<void> {
  const now = service.now();
  await enqueue(trx, { kind: 'plan', payload: { gameId }, gameId, runAt: now, dedupeKey: `plan:${gameId}` }, now);
}
