/** What is done to a seat: who holds it, its token, what it missed, whether mail reaches it. */
import type { SideId } from '../kernel/types.ts';
import { type Reader, type Trx, tables } from './db.ts';
import type { SeatRow } from './schema.ts';

export interface SeatToken {
  hash: string;
  sealed: Buffer;
}

/** Adds a seat to a game, held by somebody or open. */
export async function addSeat(
  trx: Trx,
  seat: { gameId: number; side: SideId; personId: number | null; token: SeatToken; now: Date },
): Promise<number> {
  const { id } = await tables(trx)
    .insertInto('seat')
    .values({
      game_id: seat.gameId,
      side: seat.side,
      person_id: seat.personId,
      status: seat.personId === null ? 'open' : 'held',
      token_hash: seat.token.hash,
      token_sealed: seat.token.sealed,
      mail_failed_at: null,
      joined_at: seat.personId === null ? null : seat.now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Another token: the old one no longer speaks for the seat. */
export async function setSeatToken(trx: Trx, id: number, token: SeatToken): Promise<SeatRow> {
  return tables(trx)
    .updateTable('seat')
    .set({ token_hash: token.hash, token_sealed: token.sealed })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Somebody takes the seat; what his predecessor missed is not his. */
export async function fillSeat(trx: Trx, id: number, personId: number, now: Date): Promise<void> {
  await tables(trx)
    .updateTable('seat')
    .set({ person_id: personId, status: 'held', joined_at: now, missed: 0, mail_failed_at: null })
    .where('id', '=', id)
    .execute();
}

/** Nobody holds the seat any more: open again before the game, vacant in it. */
export async function emptySeat(trx: Trx, id: number, status: 'open' | 'vacant'): Promise<void> {
  const joined = status === 'open' ? { joined_at: null } : {};
  await tables(trx)
    .updateTable('seat')
    .set({ person_id: null, status, mail_failed_at: null, ...joined })
    .where('id', '=', id)
    .execute();
}

/** Somebody was asked to take it. */
export async function markInvited(trx: Trx, id: number): Promise<void> {
  await tables(trx).updateTable('seat').set({ status: 'invited' }).where('id', '=', id).execute();
}

/** Deadlines missed in a row. */
export async function setMissed(trx: Trx, id: number, missed: number): Promise<void> {
  await tables(trx).updateTable('seat').set({ missed }).where('id', '=', id).execute();
}

/** Since when mail to the seat comes back for good; null: it works. */
export async function setSeatUnreachable(trx: Trx, id: number, since: Date | null): Promise<void> {
  await tables(trx).updateTable('seat').set({ mail_failed_at: since }).where('id', '=', id).execute();
}

/** Games in which a person holds a seat. */
export async function gamesOfHolder(db: Reader, personId: number): Promise<number[]> {
  const rows = await tables(db)
    .selectFrom('seat')
    .select('game_id')
    .distinct()
    .where('person_id', '=', personId)
    .execute();
  return rows.map((row) => row.game_id);
}
