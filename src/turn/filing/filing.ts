/**
 * Filing orders and answers: what a player wrote becomes what stands, with a numbered receipt in the same transaction.
 * Everything here happens under the game's lock, so no order slips into a phase that is being run.
 */

import { hashOf } from '../../kernel/hash.ts';
import { error, warning } from '../../kernel/orders.ts';
import type { Diagnostic, GameState, Order } from '../../kernel/types.ts';
import { publicView } from '../../kernel/view.ts';
import type { Trx } from '../../store/db.ts';
import { cameBefore } from '../../store/mail.ts';
import { inForce, nextReceipt, putStanding, receiptByNumber, standingOf } from '../../store/orders.ts';
import {
  type EchoLine,
  type GameRow,
  json,
  type ReceiptDetail,
  type ReceiptRow,
  type ReceiptVerdict,
  type SeatRow,
} from '../../store/schema.ts';
import type { Service } from '../context.ts';
import { runSoon } from '../time/deadlines.ts';
import { takeAnswers } from './answers.ts';
import type { OpenSeat } from './openseat.ts';
import { droppedLines, headerFaults, type OrdersRead, readOrders } from './reading.ts';

/** What a player handed in, whatever the door. */
export interface HandedIn {
  lines: readonly string[];
  final?: boolean;
  wait?: boolean;
  /** Takes back everything filed. */
  clear?: boolean;
  /** Says how the orders would be read and files nothing. */
  check?: boolean;
  /** The words of a quoted form, or of a mail from an address that is not the seat's: files nothing until accepted. */
  offered?: 'quoted' | 'parked';
  /** A fault of the whole mail found before its lines were read (no text, a picture, an encrypted mail …). */
  fault?: Diagnostic;
  source: 'mail' | 'web' | 'desk';
  mailId: number | null;
  replyTo: ReceiptDetail['replyTo'];
  hints?: NonNullable<ReceiptDetail['hints']>;
}

interface Decided {
  verdict: ReceiptVerdict;
  lines: string[];
  orders: Order[];
  notes: string[];
  final: boolean;
  wait: boolean;
  detail: ReceiptDetail;
}

/** Files what a player handed in and returns the receipt. The caller holds the game's lock and queues the mail. */
export async function fileOrders(service: Service, trx: Trx, desk: OpenSeat, given: HandedIn): Promise<ReceiptRow> {
  const before = await inForce(trx, desk.phase.id, desk.seat.side);
  const standing = (await standingOf(trx, desk.game.id, desk.seat.side)).map((row) => row.body);
  const onFile = { lines: before?.lines ?? [], standing };
  const read = readOrders(desk.rules, desk.phase.snapshot, desk.seat.side, given.lines, onFile);
  const late = before?.mail_id && given.mailId !== null && (await cameBefore(trx, given.mailId, before.mail_id));
  const faults = given.fault ? [given.fault] : mailFaults(desk, read, late ? before.number : undefined, given);
  const taken = faults.some(isError) ? [] : await takeAnswers(service, trx, desk, read.answers, given.check === true);
  const decided = decide(read, given, before, faults, taken);
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
  if (!offered || !fits) return fileOrders(service, trx, desk, refusal(given, 'NOTHING TO ACCEPT', { number }));
  if (offered.phase_id !== desk.phase.id)
    return fileOrders(service, trx, desk, refusal(given, 'ACCEPT TOO LATE', { number }));
  const words = offered.detail.offered ?? [];
  return fileOrders(service, trx, desk, { ...given, lines: words });
}

function refusal(given: Omit<HandedIn, 'lines'>, code: string, params: Record<string, number>): HandedIn {
  return { ...given, lines: [], fault: error(code, 'mail', params) };
}

function isError(diagnostic: Diagnostic): boolean {
  return diagnostic.severity === 'error';
}

/** Why nothing of this mail may be filed, and warnings about the whole. */
function mailFaults(desk: OpenSeat, read: OrdersRead, overtakenBy: number | undefined, given: HandedIn): Diagnostic[] {
  const { game, phase, seat, scenario } = desk;
  const header = headerFaults(read.block, { ref: game.ref, side: seat.side, scenario, phase: phase.snapshot.phase });
  const faults = [...header, ...read.mail];
  const orders = read.echo.length > read.standing.length || given.clear === true;
  const change = orders || read.block.final || given.final === true;
  if (!change) return faults;
  if (phase.status === 'waiting') {
    // An answer counts even when the old form stands below it.
    faults.push((read.answers.length > 0 ? warning : error)('PHASE IS RUNNING', 'mail'));
    Object.assign(read, { orders: [], lines: [] });
  } else if (!desk.rules.asks(publicView(phase.snapshot)).some((ask) => ask.side === seat.side)) {
    faults.push(error('NOT YOUR PHASE', 'mail', { step: phase.step }));
  }
  if (phase.closed_at !== null) faults.push(error('ORDERS CLOSED', 'mail'));
  if (overtakenBy !== undefined) faults.push(error('OVERTAKEN', 'mail', { number: overtakenBy }));
  return faults;
}

function decide(
  read: OrdersRead,
  given: HandedIn,
  before: ReceiptRow | undefined,
  faults: Diagnostic[],
  taken: EchoLine[],
): Decided {
  const detail: ReceiptDetail = {
    echo: [...read.echo, ...taken].sort((a, b) => a.n - b.n),
    mail: faults,
    dropped: [],
    replyTo: given.replyTo,
    ...(given.hints ? { hints: given.hints } : {}),
    ...(read.standingLines.length > 0 ? { doctrine: read.standingLines } : {}),
  };
  const stays = { lines: before?.lines ?? [], orders: before?.orders ?? [], notes: before?.notes ?? [] };
  const flags = { final: before?.final ?? false, wait: before?.wait ?? false };
  const final = given.final === true || read.block.final;
  const wait = given.wait === true || read.block.wait;
  const keeps = (verdict: ReceiptVerdict): Decided => ({ verdict, ...stays, ...flags, detail });
  const fresh = { lines: read.lines, orders: read.orders, notes: read.block.notes };
  if (faults.some(isError)) return keeps('refused');
  if (given.offered)
    return { verdict: given.offered, ...fresh, final, wait, detail: { ...detail, offered: [...given.lines] } };
  if (given.check)
    return {
      ...keeps('checked'),
      detail: { ...detail, checked: fresh.lines, checkedOrders: fresh.orders, checkedStanding: read.standing },
    };
  if (given.clear) {
    detail.dropped = stays.lines;
    return { verdict: 'cleared', lines: [], orders: [], notes: [], final: false, wait: false, detail };
  }
  if (read.orders.length > 0) {
    const { dropped, mostly } = droppedLines(stays.lines, read.lines);
    detail.dropped = dropped;
    if (mostly && dropped.length > 0) detail.mostlyDropped = true;
    // The form ends with FINAL: a slip in one line must not run the phase before it can be mended.
    const bad = read.echo.filter((line) => line.status === 'error').length;
    if (final && bad > 0) detail.mail.push(warning('FINAL HELD', 'mail', { lines: bad }));
    return { verdict: 'filed', ...fresh, final: final && bad === 0, wait, detail };
  }
  const running = faults.some((one) => one.code === 'PHASE IS RUNNING');
  return withoutOrders(read, taken, keeps, { final: final && !running, wait: wait && !running });
}

/** A mail without one good order replaces nothing; it may still carry doctrine, answers, FINAL or WAIT. */
function withoutOrders(
  read: OrdersRead,
  taken: EchoLine[],
  keeps: (verdict: ReceiptVerdict) => Decided,
  said: { final: boolean; wait: boolean },
): Decided {
  const answered = taken.some((line) => line.status !== 'error');
  const bad = read.echo.some((line) => line.status === 'error') || taken.some((line) => line.status === 'error');
  if ((said.final || said.wait) && !bad) {
    const kept = keeps('filed');
    if (kept.lines.length === 0) kept.detail.mail.push(warning('NOTHING ON FILE', 'mail'));
    // FINAL ends an earlier WAIT; WAIT leaves an earlier FINAL as it is.
    return { ...kept, final: said.final || kept.final, wait: said.wait };
  }
  if (read.standing.length > 0 || answered) return keeps('answered');
  const refused = keeps('refused');
  if (!bad) refused.detail.mail.push(error('NO ORDERS FOUND', 'mail'));
  return refused;
}

async function writeReceipt(
  service: Service,
  trx: Trx,
  desk: OpenSeat,
  given: HandedIn,
  decided: Decided,
  before: ReceiptRow | undefined,
): Promise<ReceiptRow> {
  const files = decided.verdict === 'filed' || decided.verdict === 'cleared';
  const number = await nextReceipt(trx, desk.seat.id);
  return trx
    .insertInto('receipt')
    .values({
      game_id: desk.game.id,
      phase_id: desk.phase.id,
      seat_id: desk.seat.id,
      side: desk.seat.side,
      number,
      verdict: decided.verdict,
      mail_id: given.mailId,
      source: given.source,
      lines: json(decided.lines),
      orders: json(decided.orders),
      notes: json(decided.notes),
      final: decided.final,
      wait: decided.wait,
      supersedes: files ? (before?.number ?? null) : null,
      hash: onFileHash(desk.game, desk.phase.snapshot, desk.seat, decided),
      detail: json(decided.detail),
      created_at: service.now(),
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** The digest of what stands for a seat: equal texts in the same phase give the same. */
export function onFileHash(
  game: Pick<GameRow, 'ref'>,
  state: Pick<GameState, 'phase'>,
  seat: Pick<SeatRow, 'side'>,
  filed: { lines: readonly string[]; final: boolean; wait: boolean },
): string {
  const { lines, final, wait } = filed;
  return hashOf({ game: game.ref, phase: state.phase.n, side: seat.side, lines, final, wait });
}
