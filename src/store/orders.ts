/** Orders on file: receipts, standing orders, questions and their answers. */
import type { SideId, Standing } from '../kernel/types.ts';
import { type Reader, type Trx, tables } from './db.ts';
import { json, type ReceiptRow, type RequestRow, type StandingOrderRow } from './schema.ts';

/** What stands for a side in a phase: the newest receipt that filed or cleared. */
export async function inForce(db: Reader, phaseId: number, side: SideId): Promise<ReceiptRow | undefined> {
  return tables(db)
    .selectFrom('receipt')
    .selectAll()
    .where('phase_id', '=', phaseId)
    .where('side', '=', side)
    .where('verdict', 'in', ['filed', 'cleared'])
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** What stands for every side that filed anything, by side. */
export async function allInForce(db: Reader, phaseId: number): Promise<Map<SideId, ReceiptRow>> {
  const rows = await tables(db)
    .selectFrom('receipt')
    .distinctOn('side')
    .selectAll()
    .where('phase_id', '=', phaseId)
    .where('verdict', 'in', ['filed', 'cleared'])
    .orderBy('side')
    .orderBy('number', 'desc')
    .execute();
  return new Map(rows.map((row) => [row.side, row]));
}

/** The last orders that a side filed in a phase, also when it took them back since. */
export async function lastFiled(db: Reader, phaseId: number, side: SideId): Promise<ReceiptRow | undefined> {
  return tables(db)
    .selectFrom('receipt')
    .selectAll()
    .where('phase_id', '=', phaseId)
    .where('side', '=', side)
    .where('verdict', '=', 'filed')
    .orderBy('number', 'desc')
    .executeTakeFirst();
}

/** The next receipt number of a seat; holds the seat's row until the transaction ends. */
export async function nextReceipt(trx: Trx, seatId: number): Promise<number> {
  const row = await tables(trx)
    .updateTable('seat')
    .set((seat) => ({ receipts: seat('receipts', '+', 1) }))
    .where('id', '=', seatId)
    .returning('receipts')
    .executeTakeFirstOrThrow();
  return row.receipts;
}

/**
 * A number for a receipt that nobody gets by mail (a check at the page, orders kept at a rewind): 0 and below, so that a
 * player's first receipt is his number 1. The caller holds the seat's row or the game's lock.
 */
export async function silentReceipt(trx: Trx, seatId: number): Promise<number> {
  const row = await tables(trx)
    .selectFrom('receipt')
    .select((eb) => eb.fn.min('number').as('least'))
    .where('seat_id', '=', seatId)
    .executeTakeFirst();
  return Math.min(1, row?.least ?? 1) - 1;
}

export async function receiptById(db: Reader, id: number): Promise<ReceiptRow | undefined> {
  return tables(db).selectFrom('receipt').selectAll().where('id', '=', id).executeTakeFirst();
}

export async function receiptByNumber(db: Reader, seatId: number, number: number): Promise<ReceiptRow | undefined> {
  return tables(db)
    .selectFrom('receipt')
    .selectAll()
    .where('seat_id', '=', seatId)
    .where('number', '=', number)
    .executeTakeFirst();
}

/** Writes a receipt. */
export async function addReceipt(trx: Trx, receipt: Omit<ReceiptRow, 'id'>): Promise<ReceiptRow> {
  return tables(trx)
    .insertInto('receipt')
    .values({
      ...receipt,
      lines: json(receipt.lines),
      orders: json(receipt.orders),
      notes: json(receipt.notes),
      detail: json(receipt.detail),
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Takes every standing order of a game off the list. */
export async function dropStanding(trx: Trx, gameId: number): Promise<void> {
  await tables(trx).deleteFrom('standing_order').where('game_id', '=', gameId).execute();
}

/** Standing orders in force, in the order in which they were filed. */
export async function standingOf(db: Reader, gameId: number, side: SideId): Promise<StandingOrderRow[]> {
  return tables(db)
    .selectFrom('standing_order')
    .selectAll()
    .where('game_id', '=', gameId)
    .where('side', '=', side)
    .orderBy('filed_at')
    .orderBy('key')
    .execute();
}

/** Puts one standing order in place of the one with the same key, or takes the key off the list. */
export async function putStanding(
  trx: Trx,
  given: { gameId: number; side: SideId; order: Standing; text: string; receiptId: number | null; at: Date },
): Promise<void> {
  const { gameId, side, order } = given;
  if (order.withdraw) {
    await tables(trx)
      .deleteFrom('standing_order')
      .where('game_id', '=', gameId)
      .where('side', '=', side)
      .where('key', '=', order.key)
      .execute();
    return;
  }
  const values = { text: given.text, body: json(order), receipt_id: given.receiptId, filed_at: given.at };
  await tables(trx)
    .insertInto('standing_order')
    .values({ game_id: gameId, side, key: order.key, ...values })
    .onConflict((conflict) => conflict.columns(['game_id', 'side', 'key']).doUpdateSet(values))
    .execute();
}

/** Questions of a phase, by their number. */
export async function requestsOf(db: Reader, phaseId: number): Promise<RequestRow[]> {
  return tables(db).selectFrom('request').selectAll().where('phase_id', '=', phaseId).orderBy('number').execute();
}
