/** Members of the club: what they chose, codes mailed to them, absences, how they keep deadlines, desk sessions. */
import type { PendingKind, PendingPayload, PendingRow } from './club-schema.ts';
import { type Db, type Reader, type Trx, tables } from './db.ts';
import { json, type PersonRow, type PersonSettings } from './schema.ts';

export async function addAddress(db: Db, personId: number, address: string, place: number, now: Date): Promise<void> {
  await tables(db)
    .insertInto('address')
    .values({
      address: address.toLowerCase(),
      person_id: personId,
      place,
      confirmed_at: now,
      failed_at: null,
      created_at: now,
    })
    .onConflict((conflict) =>
      conflict.column('address').doUpdateSet({ person_id: personId, place, confirmed_at: now, failed_at: null }),
    )
    .execute();
}

export async function dropAddress(db: Db, personId: number, address: string): Promise<boolean> {
  const gone = await tables(db)
    .deleteFrom('address')
    .where('person_id', '=', personId)
    .where('address', '=', address.toLowerCase())
    .executeTakeFirst();
  return gone.numDeletedRows > 0n;
}

export async function changePerson(
  db: Db,
  id: number,
  change: { name?: string; zone?: string; paper?: string; language?: string; settings?: PersonSettings },
): Promise<void> {
  const { settings, ...plain } = change;
  await tables(db)
    .updateTable('person')
    .set(settings === undefined ? plain : { ...plain, settings: json(settings) })
    .where('id', '=', id)
    .execute();
}

/** Takes a person's name and addresses out; games keep a nameless seat. Press is blanked by the caller. */
export async function erasePerson(db: Db, id: number, name: string, now: Date): Promise<void> {
  await tables(db).deleteFrom('address').where('person_id', '=', id).execute();
  await tables(db).deleteFrom('desk_session').where('person_id', '=', id).execute();
  await tables(db).deleteFrom('waiting').where('person_id', '=', id).execute();
  await tables(db).deleteFrom('pending').where('person_id', '=', id).execute();
  await tables(db).deleteFrom('role_token').where('person_id', '=', id).execute();
  await tables(db).updateTable('absence').set({ ended_at: now }).where('person_id', '=', id).execute();
  await tables(db)
    .updateTable('person')
    .set({ name, settings: json({ consent: 'private' }), erased_at: now })
    .where('id', '=', id)
    .execute();
}

// ---- codes

export interface NewPending {
  codeHash: string;
  kind: PendingKind;
  address: string;
  personId?: number | null;
  gameId?: number | null;
  payload?: PendingPayload;
  now: Date;
  expiresAt: Date;
}

export async function addPending(db: Db, row: NewPending): Promise<void> {
  await tables(db)
    .insertInto('pending')
    .values({
      code_hash: row.codeHash,
      kind: row.kind,
      address: row.address.toLowerCase(),
      person_id: row.personId ?? null,
      game_id: row.gameId ?? null,
      payload: json(row.payload ?? {}),
      created_at: row.now,
      expires_at: row.expiresAt,
      used_at: null,
    })
    .execute();
}

/** Uses up the open code of that hash, if it was mailed to this address (any address when none is given). */
export async function takePending(
  db: Db,
  codeHash: string,
  now: Date,
  address?: string,
): Promise<PendingRow | undefined> {
  let query = tables(db)
    .updateTable('pending')
    .set({ used_at: now })
    .where('code_hash', '=', codeHash)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now);
  if (address !== undefined) query = query.where('address', '=', address.toLowerCase());
  return query.returningAll().executeTakeFirst();
}

/** Takes back what was offered for a seat and not yet confirmed. */
export async function dropPending(db: Db, gameId: number, kind: PendingKind, side: string, now: Date): Promise<void> {
  const rows = await tables(db)
    .selectFrom('pending')
    .select(['id', 'payload'])
    .where('game_id', '=', gameId)
    .where('kind', '=', kind)
    .where('used_at', 'is', null)
    .execute();
  const ids = rows.filter((row) => row.payload.side === side).map((row) => row.id);
  if (ids.length > 0) await tables(db).updateTable('pending').set({ used_at: now }).where('id', 'in', ids).execute();
}

// ---- absences

export interface AbsenceOf {
  id: number;
  person_id: number;
  from_day: string;
  to_day: string;
  zone: string;
}

export async function addAbsence(
  db: Db,
  absence: { personId: number; from: string; to: string; zone: string; now: Date },
): Promise<void> {
  await tables(db)
    .insertInto('absence')
    .values({
      person_id: absence.personId,
      from_day: absence.from,
      to_day: absence.to,
      zone: absence.zone,
      created_at: absence.now,
      ended_at: null,
    })
    .execute();
}

/** Absences of some people that end on or after a day. */
export async function absencesOf(db: Reader, personIds: readonly number[], onOrAfter: string): Promise<AbsenceOf[]> {
  if (personIds.length === 0) return [];
  return tables(db)
    .selectFrom('absence')
    .select(['id', 'person_id', 'from_day', 'to_day', 'zone'])
    .where('person_id', 'in', [...personIds])
    .where('to_day', '>=', onOrAfter)
    .where('ended_at', 'is', null)
    .orderBy('from_day')
    .execute();
}

/** Absences of everyone who holds a seat of a game. */
export async function absencesInGame(
  db: Reader,
  gameId: number,
): Promise<{ from_day: string; to_day: string; zone: string }[]> {
  return tables(db)
    .selectFrom('absence')
    .innerJoin('seat', 'seat.person_id', 'absence.person_id')
    .select(['absence.from_day', 'absence.to_day', 'absence.zone'])
    .where('seat.game_id', '=', gameId)
    .where('absence.ended_at', 'is', null)
    .execute();
}

/** Absences that a person took since then. */
export async function absencesSince(
  db: Reader,
  personId: number,
  since: Date,
): Promise<{ from_day: string; to_day: string }[]> {
  return tables(db)
    .selectFrom('absence')
    .select(['from_day', 'to_day'])
    .where('person_id', '=', personId)
    .where('created_at', '>', since)
    .where('ended_at', 'is', null)
    .execute();
}

/** Ends every absence of a person that is not over; returns how many. */
export async function endAbsences(db: Db, personId: number, today: string, now: Date): Promise<number> {
  const ended = await tables(db)
    .updateTable('absence')
    .set({ ended_at: now })
    .where('person_id', '=', personId)
    .where('to_day', '>=', today)
    .where('ended_at', 'is', null)
    .executeTakeFirst();
  return Number(ended.numUpdatedRows);
}

// ---- how deadlines are kept

export interface Turnout {
  phaseId: number;
  seatId: number;
  personId: number;
  result: 'filed' | 'late' | 'missed';
  hoursLeft: number | null;
}

export async function addTurnout(db: Db, row: Turnout, now: Date): Promise<void> {
  await tables(db)
    .insertInto('turnout')
    .values({
      phase_id: row.phaseId,
      seat_id: row.seatId,
      person_id: row.personId,
      result: row.result,
      hours_left: row.hoursLeft,
      at: now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Who kept a deadline and who missed one since then: people, for one may hold many seats. */
export async function turnoutSince(db: Reader, since: Date): Promise<{ kept: Set<number>; missed: Set<number> }> {
  const rows = await tables(db).selectFrom('turnout').select(['result', 'person_id']).where('at', '>', since).execute();
  const people = (missed: boolean): Set<number> =>
    new Set(rows.filter((row) => (row.result === 'missed') === missed).map((row) => row.person_id));
  return { kept: people(false), missed: people(true) };
}

/** Phases that were undone leave the counts of those who played them. */
export async function forgetTurnout(trx: Trx, phaseIds: readonly number[]): Promise<void> {
  if (phaseIds.length > 0)
    await tables(trx)
      .deleteFrom('turnout')
      .where('phase_id', 'in', [...phaseIds])
      .execute();
}

export interface Promptness {
  filed: number;
  late: number;
  missed: number;
  /** Median hours before the deadline of the first orders; null when none were filed. */
  hoursLeft: number | null;
}

/** How a person kept deadlines, in one seat or in all games. */
export async function promptnessOf(db: Reader, personId: number, seatId?: number): Promise<Promptness> {
  let query = tables(db).selectFrom('turnout').select(['result', 'hours_left']).where('person_id', '=', personId);
  if (seatId !== undefined) query = query.where('seat_id', '=', seatId);
  const rows = await query.execute();
  const hours = rows.flatMap((row) => (row.hours_left === null ? [] : [row.hours_left])).sort((a, b) => a - b);
  const count = (result: string): number => rows.filter((row) => row.result === result).length;
  return {
    filed: count('filed'),
    late: count('late'),
    missed: count('missed'),
    hoursLeft: hours.length === 0 ? null : hours[Math.floor(hours.length / 2)]!,
  };
}

// ---- the desk

export async function addSession(
  db: Db,
  session: { tokenHash: string; personId: number; now: Date; expiresAt: Date },
): Promise<void> {
  await tables(db)
    .insertInto('desk_session')
    .values({
      token_hash: session.tokenHash,
      person_id: session.personId,
      created_at: session.now,
      expires_at: session.expiresAt,
    })
    .execute();
}

export async function sessionPerson(db: Reader, tokenHash: string, now: Date): Promise<PersonRow | undefined> {
  return tables(db)
    .selectFrom('person')
    .innerJoin('desk_session', 'desk_session.person_id', 'person.id')
    .selectAll('person')
    .where('desk_session.token_hash', '=', tokenHash)
    .where('desk_session.expires_at', '>', now)
    .where('person.erased_at', 'is', null)
    .executeTakeFirst();
}

export async function dropSession(db: Db, tokenHash: string): Promise<void> {
  await tables(db).deleteFrom('desk_session').where('token_hash', '=', tokenHash).execute();
}

/** Codes and sessions that were over before these moments are gone. */
export async function forgetCodes(db: Db, moments: { codes: Date; sessions: Date }): Promise<void> {
  await tables(db).deleteFrom('pending').where('expires_at', '<', moments.codes).execute();
  await tables(db).deleteFrom('desk_session').where('expires_at', '<', moments.sessions).execute();
}

// ---- notices once a day

/** Puts a notice aside for the mail of the day. */
export async function addDigestItem(
  db: Db,
  item: { personId: number; gameId: number | null; title: string; paragraphs: string[]; now: Date },
): Promise<void> {
  await tables(db)
    .insertInto('digest_item')
    .values({
      person_id: item.personId,
      game_id: item.gameId,
      title: item.title,
      paragraphs: json(item.paragraphs),
      created_at: item.now,
    })
    .execute();
}

/** Takes everything that was put aside for a person, oldest first. */
export async function takeDigestItems(db: Db, personId: number): Promise<{ title: string; paragraphs: string[] }[]> {
  const items = await tables(db).deleteFrom('digest_item').where('person_id', '=', personId).returningAll().execute();
  return items.sort((a, b) => a.id - b.id);
}
