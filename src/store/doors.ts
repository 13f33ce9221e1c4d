/** The doors mail comes in by, how far each has been read, and outages. */
import { sql } from 'kysely';
import type { DoorRow, MovedDeadline, OutageRow } from './club-schema.ts';
import { type Db, type Reader, type Trx, tables } from './db.ts';
import { json } from './schema.ts';

export type DoorName = 'smtp' | 'imap';

/** Opens a door that was never there before; one that was keeps its mark. */
export async function addDoor(db: Db, name: DoorName, readAt: Date): Promise<void> {
  await tables(db)
    .insertInto('door')
    .values({ name, read_at: readAt })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute();
}

/** A door that is no longer used: no deadline waits for it any more. */
export async function removeDoor(db: Db, name: DoorName): Promise<void> {
  await tables(db).deleteFrom('door').where('name', '=', name).execute();
}

export async function doorsKnown(db: Reader): Promise<DoorRow[]> {
  return tables(db).selectFrom('door').selectAll().orderBy('name').execute();
}

/** Everything that came in before this moment, by whatever door, has been stored. Undefined: no door was ever open. */
export async function readMark(db: Reader): Promise<Date | undefined> {
  const found = await sql<{ at: Date | null }>`select min(read_at) as at from door`.execute(tables(db));
  return found.rows[0]?.at ?? undefined;
}

/** A door, its row locked until the transaction ends: one process at a time notes what was read. */
export async function lockDoor(trx: Trx, name: DoorName): Promise<DoorRow | undefined> {
  return tables(trx).selectFrom('door').selectAll().where('name', '=', name).forUpdate().executeTakeFirst();
}

/** Notes how far a door has been read; whatever was wrong with it is over. */
export async function markRead(trx: Trx, name: DoorName, at: Date): Promise<void> {
  const values = { read_at: at, wanted: false, trouble: null, told_at: null };
  await tables(trx).updateTable('door').set(values).where('name', '=', name).execute();
}

/** Asks for doors to be read at once that have not been read up to now. */
export async function wantRead(db: Db): Promise<void> {
  await sql`update door set wanted = true where not wanted`.execute(tables(db));
}

/** Notes why a door can't be read. */
export async function noteTrouble(db: Db, name: DoorName, trouble: string): Promise<void> {
  await tables(db)
    .updateTable('door')
    .set({ trouble: trouble.slice(0, 500) })
    .where('name', '=', name)
    .execute();
}

/** Doors that have not been read since a moment and of which nobody was told yet; they are as told from now on. */
export async function takeSilentDoors(trx: Trx, since: Date, now: Date): Promise<DoorRow[]> {
  return tables(trx)
    .updateTable('door')
    .set({ told_at: now })
    .where('read_at', '<', since)
    .where('told_at', 'is', null)
    .returningAll()
    .execute();
}

export async function addOutage(trx: Trx, gap: { from: Date; to: Date }, moved: MovedDeadline[]): Promise<void> {
  await tables(trx)
    .insertInto('outage')
    .values({ from_at: gap.from, to_at: gap.to, moved: json(moved) })
    .execute();
}

/** Outages that end later than it is: the clock was wrong when they were noted. They are forgotten. */
export async function takeOutagesAfter(trx: Trx, now: Date): Promise<OutageRow[]> {
  const taken = await tables(trx).deleteFrom('outage').where('to_at', '>', now).returningAll().execute();
  return taken.sort((a, b) => b.id - a.id);
}

/** Phases of running games whose deadline lies before a moment. */
export async function phasesDueBefore(db: Reader, moment: Date): Promise<{ id: number; game_id: number }[]> {
  return tables(db)
    .selectFrom('phase')
    .innerJoin('game', 'game.phase_id', 'phase.id')
    .select(['phase.id', 'phase.game_id'])
    .where('game.status', '=', 'running')
    .where('phase.status', 'in', ['open', 'waiting'])
    .where('phase.due_at', '<=', moment)
    .orderBy('phase.game_id')
    .execute();
}

/** Moves the open questions of a phase that were due within a gap. */
export async function moveQuestions(
  trx: Trx,
  phaseId: number,
  due: Date,
  gap: { from: Date; to: Date },
): Promise<void> {
  await tables(trx)
    .updateTable('request')
    .set({ due_at: due })
    .where('phase_id', '=', phaseId)
    .where('answered_at', 'is', null)
    .where('due_at', '>', gap.from)
    .where('due_at', '<=', gap.to)
    .execute();
}

/** The masters of running games that have a deadline, each with one of his games. */
export async function mastersWithDeadlines(db: Reader): Promise<number[]> {
  const found = await sql<{ id: number }>`
    select min(game.id)::int as id from game join phase on phase.id = game.phase_id
    where game.status = 'running' and phase.due_at is not null and game.master_id is not null
    group by game.master_id order by 1`.execute(tables(db));
  return found.rows.map((row) => row.id);
}

/**
 * Is there a mail in the house that came before a moment and has not been read? One that makes trouble counts only
 * against the game that it may be for, or nobody else's deadline would ever run again.
 */
export async function unreadBefore(db: Reader, moment: Date, gameId: number): Promise<boolean> {
  const found = await sql<{ is: boolean }>`
    select exists (
      select 1 from mail_in m where m.state = 'new' and m.received_at <= ${moment} and (${ofGame(gameId)} or not exists (
        select 1 from job j where j.kind = 'mail' and j.troubled_at is not null
          and (j.payload->>'mailId')::bigint = m.id))) as is`.execute(tables(db));
  return found.rows[0]?.is === true;
}

/** Is there a mail that may be for a game and has not been read? */
export async function unreadOfGame(db: Reader, gameId: number): Promise<boolean> {
  const found = await sql<{ is: boolean }>`
    select exists (select 1 from mail_in m where m.state = 'new' and ${ofGame(gameId)}) as is`.execute(tables(db));
  return found.rows[0]?.is === true;
}

function ofGame(gameId: number) {
  return sql`m.lane in (
    select 'seat:' || s.token_hash from seat s where s.game_id = ${gameId}
    union all select 'from:' || a.address from seat s join address a on a.person_id = s.person_id
      where s.game_id = ${gameId})`;
}
