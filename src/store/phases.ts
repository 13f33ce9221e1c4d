/** What is done to a phase and its questions. Values are given as they are; how they are written is known here alone. */
import type { Insertable } from 'kysely';
import type { Decision, DecisionRequest, DieRoll, Event, GameState, SideId, View } from '../kernel/types.ts';
import { type Reader, type Trx, tables } from './db.ts';
import {
  json,
  type PhaseChange,
  type PhaseInputs,
  type PhaseNotice,
  type PhaseRow,
  type PhaseTable,
  type RequestRow,
} from './schema.ts';

/** A phase as it is opened: what is left out is nothing yet. */
export type NewPhase = Pick<
  PhaseRow,
  'n' | 'turn' | 'step' | 'battle' | 'status' | 'snapshot' | 'hash' | 'game_id' | 'line' | 'opened_by' | 'rules_version'
> &
  Partial<PhaseRow> & { opened_at: Date };

const JSON_COLUMNS = new Set([
  'snapshot',
  'inputs',
  'events',
  'decisions',
  'asked',
  'dice',
  'house',
  'notices',
  'views',
]);

/** A row as the tables take it: values of JSON columns as text. */
function written(values: Partial<PhaseRow>): PhaseChange {
  return Object.fromEntries(
    Object.entries(values).map(([column, value]) => [
      column,
      JSON_COLUMNS.has(column) && value !== null ? json(value) : value,
    ]),
  );
}

async function change(trx: Trx, id: number, values: Partial<PhaseRow>): Promise<PhaseRow> {
  return tables(trx)
    .updateTable('phase')
    .set(written(values))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Opens a phase and makes it the one the game stands in. */
export async function openPhase(trx: Trx, phase: NewPhase): Promise<PhaseRow> {
  const row = await tables(trx)
    .insertInto('phase')
    .values(written(phase) as Insertable<PhaseTable>)
    .returningAll()
    .executeTakeFirstOrThrow();
  await tables(trx)
    .updateTable('game')
    .set({ phase_id: row.id, line: phase.line })
    .where('id', '=', phase.game_id)
    .execute();
  return row;
}

/** Another deadline, or none. Returns the phase as it is now. */
export async function setDue(trx: Trx, id: number, due: Date | null): Promise<PhaseRow> {
  return change(trx, id, { due_at: due });
}

/** A phase that will not run: its line was left, or the game is over. One that has run stays what it is. */
export async function dropPhase(trx: Trx, id: number, now: Date): Promise<void> {
  await tables(trx)
    .updateTable('phase')
    .set({ status: 'dropped', due_at: null, done_at: now })
    .where('id', '=', id)
    .where('status', 'in', ['open', 'waiting'])
    .execute();
}

/** From now on no orders are taken for it. */
export async function closePhase(trx: Trx, id: number, now: Date): Promise<void> {
  await change(trx, id, { closed_at: now });
}

/** Everything that is to be said in its report besides the events. */
export async function setNotices(trx: Trx, id: number, notices: PhaseNotice[]): Promise<void> {
  await change(trx, id, { notices });
}

/** A ruling puts another state in place of the one it began in. */
export async function setSnapshot(trx: Trx, id: number, snapshot: GameState, hash: string): Promise<void> {
  await change(trx, id, { snapshot, hash, opened_by: 'ruling' });
}

/** The run stopped at a question: what it was run from is fixed, and what was told so far is kept. */
export async function keepWaiting(
  trx: Trx,
  id: number,
  kept: {
    inputs: PhaseInputs;
    notices: PhaseNotice[];
    prefixHash: string;
    events: Event[];
    dice: DieRoll[];
    views: Record<SideId, View>;
    rulesVersion: string;
  },
): Promise<void> {
  const { prefixHash, rulesVersion, ...rest } = kept;
  await change(trx, id, { ...rest, status: 'waiting', prefix_hash: prefixHash, rules_version: rulesVersion });
}

/** The run came to its end. */
export async function keepDone(
  trx: Trx,
  id: number,
  kept: {
    inputs: PhaseInputs;
    notices: PhaseNotice[];
    events: Event[];
    decisions: Decision[];
    asked: DecisionRequest[];
    dice: DieRoll[];
    openKey: string;
    /** Shown early by the rules; else null. */
    secretKey: string | null;
    rulesVersion: string;
    now: Date;
  },
): Promise<void> {
  const { openKey, secretKey, rulesVersion, now, ...rest } = kept;
  await change(trx, id, {
    ...rest,
    status: 'done',
    prefix_hash: null,
    views: null,
    open_key: openKey,
    secret_key: secretKey,
    rules_version: rulesVersion,
    done_at: now,
  });
}

/** A phase that waited for an answer begins again from the orders on file; its questions are gone. */
export async function beginAgain(trx: Trx, id: number): Promise<void> {
  await tables(trx).deleteFrom('request').where('phase_id', '=', id).execute();
  const nothing = {
    inputs: null,
    events: null,
    decisions: null,
    asked: null,
    dice: null,
    prefix_hash: null,
    views: null,
  };
  await change(trx, id, { status: 'open', ...nothing });
}

// ---- questions

/** Puts a question on file. */
export async function addQuestion(
  trx: Trx,
  question: { phaseId: number; number: number; halt: number; body: DecisionRequest; due: Date | null; now: Date },
): Promise<void> {
  await tables(trx)
    .insertInto('request')
    .values({
      phase_id: question.phaseId,
      request_id: question.body.id,
      number: question.number,
      halt: question.halt,
      side: question.body.to,
      body: json(question.body),
      asked_at: question.now,
      due_at: question.due,
      answered_at: null,
      receipt_id: null,
    })
    .execute();
}

/** What was answered, by its side or for it. */
export async function decideQuestion(
  trx: Trx,
  id: number,
  decided: { chosen: string[]; by: NonNullable<RequestRow['decided_by']>; now: Date },
): Promise<void> {
  await tables(trx)
    .updateTable('request')
    .set({ answered_at: decided.now, chosen: json(decided.chosen), decided_by: decided.by })
    .where('id', '=', id)
    .execute();
}

/** Questions of a phase that nobody has answered. */
export async function openQuestions(db: Reader, phaseId: number): Promise<{ id: number; due_at: Date | null }[]> {
  return tables(db)
    .selectFrom('request')
    .select(['id', 'due_at'])
    .where('phase_id', '=', phaseId)
    .where('answered_at', 'is', null)
    .execute();
}

export async function setQuestionDue(trx: Trx, id: number, due: Date): Promise<void> {
  await tables(trx).updateTable('request').set({ due_at: due }).where('id', '=', id).execute();
}

// ---- which phases

/** Running games whose phase is due at a moment or was before it (any deadline where no moment is given). */
export async function gamesDue(db: Reader, moment?: Date): Promise<{ gameId: number; phaseId: number }[]> {
  let query = tables(db)
    .selectFrom('phase')
    .innerJoin('game', 'game.phase_id', 'phase.id')
    .select(['game.id as gameId', 'phase.id as phaseId'])
    .where('game.status', '=', 'running')
    .where('phase.status', 'in', ['open', 'waiting'])
    .where('phase.due_at', 'is not', null);
  if (moment) query = query.where('phase.due_at', '<=', moment);
  return query.execute();
}

/** Phases that the present line of a game led to, newest first. */
export async function newestPhases(
  db: Reader,
  most: number,
): Promise<{ id: number; n: number; opened_at: Date; gameId: number; ref: string; title: string }[]> {
  return tables(db)
    .selectFrom('phase')
    .innerJoin('game', 'game.id', 'phase.game_id')
    .select(['phase.id', 'phase.n', 'phase.opened_at', 'game.id as gameId', 'game.ref', 'game.title'])
    .where('phase.opened_by', '=', 'phase')
    .whereRef('phase.line', '=', 'game.line')
    .orderBy('phase.opened_at', 'desc')
    .limit(most)
    .execute();
}

/** When a side first filed orders for a phase. */
export async function firstFiled(db: Reader, phaseId: number, side: SideId): Promise<Date | undefined> {
  const row = await tables(db)
    .selectFrom('receipt')
    .leftJoin('mail_in', 'mail_in.id', 'receipt.mail_id')
    // When it came, not when it was read.
    .select((columns) => columns.fn.coalesce('mail_in.received_at', 'receipt.created_at').as('came'))
    .where('receipt.phase_id', '=', phaseId)
    .where('receipt.side', '=', side)
    .where('receipt.verdict', '=', 'filed')
    .orderBy('receipt.number')
    .executeTakeFirst();
  return row?.came;
}
