/** Mails in and out. Raw bytes are kept as they came and as they went. */
import { sql } from 'kysely';
import { type Db, type Reader, type Trx, tables } from './db.ts';
import { enqueue, PRIORITY, wakeRow } from './jobs.ts';
import {
  json,
  type MailFacts,
  type MailInRow,
  type MailOutKind,
  type MailOutRow,
  type MailOutState,
} from './schema.ts';

export interface RawMail {
  raw: Buffer;
  /** Of the whole mail: more than `raw` has where only its header was fetched. */
  bytes: number;
  receivedAt: Date;
  door: string;
  envelope: MailInRow['envelope'];
  messageId: string | null;
  digest: string;
  bodyDigest: string;
  /** Mails of one lane are read in the order in which they came. */
  lane: string;
}

/**
 * Stores a mail and the job that reads it, in one statement: stored and to be read, or neither. The Message-ID is the
 * key; the body's digest where it is missing or was used before with another body. Returns null for a second copy.
 */
export async function storeRaw(db: Db, mail: RawMail): Promise<number | null> {
  const byId = mail.messageId === null ? `body:${mail.bodyDigest}` : `id:${mail.messageId}`;
  const first = await insertRaw(db, mail, byId);
  if (first !== null || mail.messageId === null) return first;
  const known = await tables(db)
    .selectFrom('mail_in')
    .select('body_digest')
    .where('message_key', '=', byId)
    .executeTakeFirst();
  if (known?.body_digest === mail.bodyDigest) return null;
  return insertRaw(db, mail, `${byId} ${mail.bodyDigest}`);
}

async function insertRaw(db: Db, mail: RawMail, key: string): Promise<number | null> {
  const stored = await sql<{ id: number }>`
    with stored as (
      insert into mail_in (message_key, message_id, digest, body_digest, raw, bytes, door, envelope, received_at, lane,
        state)
      values (${key}, ${mail.messageId}, ${mail.digest}, ${mail.bodyDigest}, ${mail.raw}, ${mail.bytes},
        ${mail.door}, ${mail.envelope === null ? null : json(mail.envelope)}::json, ${mail.receivedAt}, ${mail.lane}, 'new')
      on conflict (message_key) do nothing returning id
    ), queued as (
      insert into job (kind, priority, queue, payload, run_at, created_at)
      select 'mail', ${sql.lit(PRIORITY.mail)}, ${`mail:${mail.lane}`}::text, json_build_object('mailId', id),
        ${mail.receivedAt}::timestamptz, ${mail.receivedAt}::timestamptz from stored
      returning id, kind, run_at, priority
    ), woken as (select ${wakeRow('queued')} from queued)
    select id, (select count(*) from woken) as woken from stored`.execute(tables(db));
  return stored.rows[0]?.id ?? null;
}

export async function mailInById(db: Reader, id: number): Promise<MailInRow | undefined> {
  return tables(db).selectFrom('mail_in').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Notes what became of a mail. */
export async function closeMail(
  db: Db,
  id: number,
  result: {
    verdict: string;
    at: Date;
    state?: MailInRow['state'];
    detail?: Record<string, unknown>;
    from?: string | null;
    subject?: string | null;
    gameId?: number | null;
    seatId?: number | null;
    contentDigest?: string | null;
  },
): Promise<void> {
  await tables(db)
    .updateTable('mail_in')
    .set({
      state: result.state ?? 'done',
      verdict: result.verdict,
      detail: result.detail ? json(result.detail) : null,
      from_address: result.from ?? null,
      subject: result.subject ?? null,
      game_id: result.gameId ?? null,
      seat_id: result.seatId ?? null,
      content_digest: result.contentDigest ?? null,
      processed_at: result.at,
    })
    .where('id', '=', id)
    .execute();
}

/**
 * Has another mail with this Message-ID and the same words already been read and answered? One that spoke for nobody
 * doesn't count: a forger may have sent it before the player did.
 */
export async function isCopy(db: Reader, mail: MailInRow, contentDigest: string): Promise<boolean> {
  if (mail.message_id === null) return false;
  const other = await tables(db)
    .selectFrom('mail_in')
    .select('id')
    .where('message_id', '=', mail.message_id)
    .where('content_digest', '=', contentDigest)
    .where((other) => other.or([other('seat_id', 'is not', null), other('verdict', '=', 'commands')]))
    .where('id', '<', mail.id)
    .executeTakeFirst();
  return other !== undefined;
}

/**
 * Did mail `a` come before mail `b`? As they were stored; of two from the mailbox the server's own time of receipt says
 * it, for in a burst a server may number them otherwise.
 */
export async function cameBefore(db: Reader, a: number, b: number): Promise<boolean> {
  const rows = await tables(db)
    .selectFrom('mail_in')
    .select(['id', 'door', 'received_at'])
    .where('id', 'in', [a, b])
    .execute();
  const [one, other] = [a, b].map((id) => rows.find((row) => row.id === id));
  if (one?.door !== 'imap' || other?.door !== 'imap') return a < b;
  return (
    one.received_at.getTime() - other.received_at.getTime() < 0 || (+one.received_at === +other.received_at && a < b)
  );
}

export interface NewMailOut {
  kind: MailOutKind;
  gameId?: number | null;
  phaseId?: number | null;
  seatId?: number | null;
  personId?: number | null;
  to: { address: string; name: string | null };
  facts: MailFacts;
  messageId: string;
  inReplyTo?: string | null;
  refers?: string | null;
  replaceKey?: string | null;
  staleAt?: Date | null;
}

/** The Message-ID of the first mail of a game to an address, of its seat where it has one; undefined before there is one. */
export async function firstMailOf(
  db: Db,
  gameId: number | null,
  seatId: number | null,
  address: string,
): Promise<string | undefined> {
  if (gameId === null) return undefined;
  const row = await tables(db)
    .selectFrom('mail_out')
    .select('message_id')
    .where('game_id', '=', gameId)
    .where('seat_id', seatId === null ? 'is' : '=', seatId)
    .where('to_address', '=', address)
    .where('state', '!=', 'dropped')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
  return row?.message_id;
}

/** Puts a mail and the job that sends it into the outbox. An unsent older one with the same replace key is dropped. */
export async function putOut(db: Db, mail: NewMailOut, now: Date): Promise<number> {
  if (mail.replaceKey) {
    await tables(db)
      .updateTable('mail_out')
      .set({ state: 'dropped', response: 'replaced by a newer one' })
      .where('replace_key', '=', mail.replaceKey)
      .where('state', '=', 'queued')
      .execute();
  }
  const row = await tables(db)
    .insertInto('mail_out')
    .values({
      kind: mail.kind,
      game_id: mail.gameId ?? null,
      phase_id: mail.phaseId ?? null,
      seat_id: mail.seatId ?? null,
      person_id: mail.personId ?? null,
      to_address: mail.to.address,
      to_name: mail.to.name,
      facts: json(mail.facts),
      message_id: mail.messageId,
      in_reply_to: mail.inReplyTo ?? null,
      refers: mail.refers ?? null,
      state: 'queued',
      replace_key: mail.replaceKey ?? null,
      stale_at: mail.staleAt ?? null,
      created_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await sendOut(
    db,
    { id: row.id, kind: mail.kind, to_address: mail.to.address, in_reply_to: mail.inReplyTo ?? null },
    now,
  );
  return row.id;
}

/**
 * Adds the job that sends a mail. Mails to one address leave in the order in which they were written, but an answer to
 * what somebody wrote does not wait for reports.
 */
async function sendOut(
  db: Db,
  mail: Pick<MailOutRow, 'id' | 'kind' | 'to_address' | 'in_reply_to'>,
  now: Date,
): Promise<void> {
  const answer = mail.kind === 'receipt' || mail.kind === 'refusal' || mail.in_reply_to !== null;
  const priority = answer ? PRIORITY.answer : PRIORITY.report;
  const queue = `${answer ? 'answer' : 'send'}:${mail.to_address}`;
  await enqueue(db, { kind: 'send', payload: { mailId: mail.id }, runAt: now, queue, priority }, now);
}

export async function mailOutById(db: Reader, id: number): Promise<MailOutRow | undefined> {
  return tables(db).selectFrom('mail_out').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Archives the exact bytes before they are sent. */
export async function keepBytes(db: Db, id: number, raw: Buffer, subject: string): Promise<void> {
  await tables(db).updateTable('mail_out').set({ raw, subject }).where('id', '=', id).execute();
}

export async function markOut(
  db: Db,
  id: number,
  result: { state: MailOutState; response: string | null; at: Date | null; attempted: boolean },
): Promise<void> {
  await tables(db)
    .updateTable('mail_out')
    .set((row) => ({
      state: result.state,
      response: result.response,
      sent_at: result.at,
      attempts: result.attempted ? row('attempts', '+', 1) : row.ref('attempts'),
    }))
    .where('id', '=', id)
    .execute();
}

/** Counts one more reply of a kind to an address on a day (`YYYY-MM-DD`); returns how many there are now. */
export async function countReply(db: Db, address: string, kind: string, day: string): Promise<number> {
  const row = await tables(db)
    .insertInto('reply_count')
    .values({ address, kind, day, n: 1 })
    .onConflict((conflict) => conflict.columns(['address', 'kind', 'day']).doUpdateSet({ n: sql`reply_count.n + 1` }))
    .returning('n')
    .executeTakeFirstOrThrow();
  return row.n;
}

/** Mails to an address, newest first, for the demo's mailboxes. */
export async function mailbox(db: Reader, address: string, most: number): Promise<MailOutRow[]> {
  return tables(db)
    .selectFrom('mail_out')
    .selectAll()
    .where('to_address', '=', address)
    .orderBy('id', 'desc')
    .limit(most)
    .execute();
}

/** Holds a mail that nobody has read until the transaction ends; false: it was read meanwhile. */
export async function holdUnread(trx: Trx, id: number): Promise<boolean> {
  const row = await tables(trx)
    .selectFrom('mail_in')
    .select('state')
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  return row?.state === 'new';
}

/** When the last mail of a seat came. */
export async function lastMailOf(db: Reader, seatId: number): Promise<Date | undefined> {
  const row = await tables(db)
    .selectFrom('mail_in')
    .select('received_at')
    .where('seat_id', '=', seatId)
    .orderBy('id', 'desc')
    .executeTakeFirst();
  return row?.received_at;
}

/** The last mails of a game (of one seat, where it is named), newest first, without their bytes. */
export async function mailsInOf(
  db: Reader,
  gameId: number,
  most: number,
  seatId?: number,
): Promise<Pick<MailInRow, 'id' | 'received_at' | 'verdict' | 'detail' | 'subject' | 'seat_id'>[]> {
  let query = tables(db)
    .selectFrom('mail_in')
    .select(['id', 'received_at', 'verdict', 'detail', 'subject', 'seat_id'])
    .where('game_id', '=', gameId)
    .orderBy('id', 'desc')
    .limit(most);
  if (seatId !== undefined) query = query.where('seat_id', '=', seatId);
  return query.execute();
}

/** Verdicts of mails that were not acted on, besides those that begin with `reject`. */
const REFUSED = ['refused', 'parked', 'no sender'];

/** The last mails that belong to no game or were refused, newest first, without their bytes. */
export async function strayMails(
  db: Reader,
  most: number,
): Promise<Pick<MailInRow, 'id' | 'received_at' | 'verdict' | 'detail' | 'from_address' | 'subject' | 'game_id'>[]> {
  return tables(db)
    .selectFrom('mail_in')
    .select(['id', 'received_at', 'verdict', 'detail', 'from_address', 'subject', 'game_id'])
    .where((one) =>
      one.or([one('game_id', 'is', null), one('verdict', 'in', REFUSED), one('verdict', 'like', 'reject%')]),
    )
    .orderBy('id', 'desc')
    .limit(most)
    .execute();
}

const OUT_COLUMNS = ['id', 'kind', 'created_at', 'state', 'subject', 'game_id', 'seat_id', 'response'] as const;
export type MailOutLine = Pick<MailOutRow, (typeof OUT_COLUMNS)[number]>;

/** The last mails to the people of a game, newest first, without their bytes. */
export async function mailsOutOf(db: Reader, gameId: number, most: number): Promise<MailOutLine[]> {
  return tables(db)
    .selectFrom('mail_out')
    .select(OUT_COLUMNS)
    .where('game_id', '=', gameId)
    .orderBy('id', 'desc')
    .limit(most)
    .execute();
}

/** The last mails that were given up. */
export async function failedMails(db: Reader, most: number): Promise<MailOutLine[]> {
  return tables(db)
    .selectFrom('mail_out')
    .select(OUT_COLUMNS)
    .where('state', '=', 'failed')
    .orderBy('id', 'desc')
    .limit(most)
    .execute();
}

/** The mail of ours that one of these Message-IDs names. */
export async function mailOutByMessageId(db: Reader, ids: readonly string[]): Promise<MailOutRow | undefined> {
  if (ids.length === 0) return undefined;
  return tables(db)
    .selectFrom('mail_out')
    .selectAll()
    .where('message_id', 'in', [...ids])
    .executeTakeFirst();
}

/** Sends a mail once more, whatever became of it and however late it is. */
export async function sendAgain(
  trx: Trx,
  mail: Pick<MailOutRow, 'id' | 'kind' | 'to_address' | 'in_reply_to'>,
  now: Date,
): Promise<void> {
  await tables(trx)
    .updateTable('mail_out')
    .set({ state: 'queued', stale_at: null })
    .where('id', '=', mail.id)
    .execute();
  await sendOut(trx, mail, now);
}

/** Mails in by verdict (`new`: not read yet) and out by state. */
export async function mailCounts(
  db: Reader,
): Promise<{ in: { verdict: string; n: number }[]; out: { state: string; n: number }[] }> {
  const came = await tables(db)
    .selectFrom('mail_in')
    .select('verdict')
    .select((all) => all.fn.countAll<number>().as('n'))
    .groupBy('verdict')
    .execute();
  const went = await tables(db)
    .selectFrom('mail_out')
    .select('state')
    .select((all) => all.fn.countAll<number>().as('n'))
    .groupBy('state')
    .execute();
  return { in: came.map((row) => ({ verdict: row.verdict ?? 'new', n: row.n })), out: went };
}

/** Lets the bytes go of mails that were read and came before a day; what was read of them stays. */
export async function forgetBytes(trx: Trx, before: Date): Promise<void> {
  await tables(trx)
    .updateTable('mail_in')
    .set({ raw: null, envelope: null })
    .where('raw', 'is not', null)
    .where('state', '!=', 'new')
    .where('received_at', '<', before)
    .execute();
}
