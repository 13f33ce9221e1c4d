/**
 * Filing orders and answers: what a player wrote becomes what stands, with a numbered receipt in the same transaction.
 * Everything here happens under the game's lock, so no order slips into a phase that is being run.
 */

import { hashOf } from '../../kernel/hash.ts';
import { error } from '../../kernel/orders.ts';
import type { GameState } from '../../kernel/types.ts';
import type { Trx } from '../../store/db.ts';
import { cameBefore } from '../../store/mail.ts';
import {
  addReceipt,
  inForce,
  nextReceipt,
  putStanding,
  receiptByNumber,
  silentReceipt,
  standingOf,
} from '../../store/orders.ts';
import { decideQuestion } from '../../store/phases.ts';
import type { GameRow, ReceiptRow, SeatRow } from '../../store/schema.ts';
import type { Service } from '../context.ts';
import { putQuestions } from '../post/openquestions.ts';
import { runSoon } from '../time/deadlines.ts';
import type { TakenAnswer } from './answers.ts';
import { type Decided, decideOrders, type HandedIn, refusal } from './decision.ts';
import type { OpenSeat } from './openseat.ts';

/** Files what a player handed in and returns the receipt. The caller holds the game's lock and queues the mail. */
export async function fileOrders(service: Service, trx: Trx, desk: OpenSeat, given: HandedIn): Promise<ReceiptRow> {
  const before = await inForce(trx, desk.phase.id, desk.seat.side);
  const overtaken =
    before?.mail_id != null && given.mailId !== null && (await cameBefore(trx, given.mailId, before.mail_id));
  const standing = (await standingOf(trx, desk.game.id, desk.seat.side)).map((row) => row.body);
  const { rows: requests, views } = await putQuestions(service, trx, desk);
  const ground = { ...desk, before, standing, overtaken, requests, views, wording: service.wording };
  const { read, decided, taken } = decideOrders(ground, given);
  await recordAnswers(service, trx, taken);
  tellOfBefore(
    decided,
    before,
    standing.map((order) => desk.rules.print(order)),
  );
  const receipt = await writeReceipt(service, trx, desk, given, decided, before);
  if (given.offered || given.check || decided.verdict === 'refused') return receipt;
  for (const order of read.standing) {
    const text = desk.rules.print(order);
    await putStanding(trx, {
      gameId: desk.game.id,
      side: desk.seat.side,
      order,
      text,
      receiptId: receipt.id,
      at: service.now(),
    });
  }
  if (desk.game.status === 'running' && (decided.final || taken.length > 0)) await runSoon(service, trx, desk.game.id);
  return receipt;
}

/** `ACCEPT n`: files what an earlier receipt only showed (a quoted form, a mail from another address). */
export async function acceptOffered(
  service: Service,
  trx: Trx,
  desk: OpenSeat,
  number: number,
  given: Omit<HandedIn, 'lines'>,
): Promise<ReceiptRow> {
  const offered = await receiptByNumber(trx, desk.seat.id, number);
  const fits = offered && (offered.verdict === 'quoted' || offered.verdict === 'parked');
  if (!offered || !fits)
    return fileOrders(service, trx, desk, refusal(given, error('NOTHING TO ACCEPT', 'mail', { number })));
  if (offered.phase_id !== desk.phase.id)
    return fileOrders(service, trx, desk, refusal(given, error('ACCEPT TOO LATE', 'mail', { number })));
  const words = offered.detail.offered ?? [];
  return fileOrders(service, trx, desk, { ...given, lines: words });
}

/** Puts into the receipt what became of what stood before: replaced, the same again, or still standing as it is. */
function tellOfBefore(
  { verdict, detail, lines, orders }: Decided,
  before: ReceiptRow | undefined,
  standing: string[],
): void {
  const old = before?.lines ?? [];
  const same = before !== undefined && JSON.stringify(old) === JSON.stringify(lines);
  if ((verdict === 'filed' && orders === before?.orders) || verdict === 'refused' || verdict === 'answered')
    detail.onFile = [...lines, ...standing];
  else if (verdict === 'filed' || verdict === 'cleared') {
    if (old.length > 0) detail.replaced = same ? 'same' : before!.number > 0 ? 'orders' : 'kept';
    else if (lines.length > 0) detail.replaced = 'first';
  }
}

/** Records answers with their questions. */
async function recordAnswers(service: Service, trx: Trx, taken: readonly TakenAnswer[]): Promise<void> {
  for (const { requestId, chosen } of taken)
    await decideQuestion(trx, requestId, { chosen, by: 'answer', now: service.now() });
}

async function writeReceipt(
  service: Service,
  trx: Trx,
  desk: OpenSeat,
  given: HandedIn,
  decided: Decided,
  before: ReceiptRow | undefined,
): Promise<ReceiptRow> {
  const { replaced } = decided.detail;
  const number = await (given.unmailed ? silentReceipt : nextReceipt)(trx, desk.seat.id);
  return addReceipt(trx, {
    game_id: desk.game.id,
    phase_id: desk.phase.id,
    seat_id: desk.seat.id,
    side: desk.seat.side,
    number,
    verdict: decided.verdict,
    mail_id: given.mailId,
    source: given.source,
    lines: decided.lines,
    orders: decided.orders,
    notes: decided.notes,
    final: decided.final,
    wait: decided.wait,
    supersedes: replaced === 'orders' || replaced === 'kept' ? (before?.number ?? null) : null,
    hash: onFileHash(desk.game, desk.phase.snapshot, desk.seat, decided),
    detail: decided.detail,
    created_at: service.now(),
  });
}

/** The digest of what stands for a seat: equal texts in the same phase give the same. */
function onFileHash(
  game: Pick<GameRow, 'ref'>,
  state: Pick<GameState, 'phase'>,
  seat: Pick<SeatRow, 'side'>,
  filed: { lines: readonly string[]; final: boolean; wait: boolean },
): string {
  const { lines, final, wait } = filed;
  return hashOf({ game: game.ref, phase: state.phase.n, side: seat.side, lines, final, wait });
}
