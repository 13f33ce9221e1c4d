/**
 * What becomes of what a player handed in: which orders stand, what is refused and why, whether FINAL counts. Pure, so that
 * `read-mail --receipt` gives the very answer of the service without a store.
 */
import { withoutFullStop } from '../../kernel/frame.ts';
import { error, warning } from '../../kernel/orders.ts';
import type { Diagnostic, Order } from '../../kernel/types.ts';
import { publicView, viewFor } from '../../kernel/view.ts';
import type { EchoLine, ReceiptDetail, ReceiptVerdict } from '../../store/schema.ts';
import { readAnswers, type TakenAnswer } from './answers.ts';
import type { SeatDesk } from './openseat.ts';
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
  /** The writer's own lines that are neither orders nor commands. */
  notRead?: readonly string[];
  /** His lines outside of any block that look like orders: errors, and FINAL waits. */
  strays?: readonly string[];
  /** Lines that began with a typed number, as written. */
  numbered?: readonly string[];
  source: 'mail' | 'web' | 'desk';
  /** Nobody gets the receipt by mail, so that it takes no number of the player's. */
  unmailed?: boolean;
  mailId: number | null;
  /** When it came; undefined: now. */
  receivedAt?: Date;
  replyTo: ReceiptDetail['replyTo'];
  hints?: NonNullable<ReceiptDetail['hints']>;
}

/** Mail servers tell the time of receipt in whole seconds. */
const SAME_MOMENT_MS = 2_000;

export interface Decided {
  verdict: ReceiptVerdict;
  lines: string[];
  orders: Order[];
  notes: string[];
  final: boolean;
  wait: boolean;
  detail: ReceiptDetail;
}

export interface DecidedMail {
  read: OrdersRead;
  decided: Decided;
  /** Answers that are recorded; empty when they were only tried, or wait for ACCEPT. */
  taken: TakenAnswer[];
}

/** Decides what becomes of a block of one side; changes nothing. */
export function decideOrders(ground: SeatDesk, handed: HandedIn): DecidedMail {
  const given = answerMeant(ground, handed) ?? overlooked(ground, handed);
  const { rules, phase, seat, before } = ground;
  const onFile = { orders: before?.orders ?? [], standing: ground.standing };
  const read = readOrders(rules, phase.snapshot, seat.side, given.lines, onFile);
  const faults = given.fault ? [given.fault] : mailFaults(ground, read, given);
  const { echo, taken } = faults.some(isError) ? { echo: [], taken: [] } : readAnswers(ground, read.answers);
  const decided = decide(ground, read, given, faults, echo);
  // What is only tried or asked about decides nothing.
  return { read, decided, taken: given.check || given.offered ? [] : taken };
}

/** What was taken for chat, but is an order of this game as it stands, is a line outside of the block like any other. */
function overlooked({ rules, phase, seat }: SeatDesk, given: HandedIn): HandedIn {
  const verbs = new Set(rules.verbs.map(({ verb }) => verb));
  const candidates = (given.notRead ?? []).filter((text) => verbs.has(text.split(/[\s:]/)[0]!.toUpperCase()));
  if (candidates.length === 0) return given;
  const view = viewFor(phase.snapshot, seat.side);
  const isOrder = (text: string): boolean => {
    const { orders, standing, diagnostics } = rules.parse([{ n: 1, text: withoutFullStop(text) }], view);
    return orders.length + standing.length > 0 && diagnostics.every((one) => !isError(one));
  };
  const found = new Set(candidates.filter(isOrder));
  return {
    ...given,
    notRead: (given.notRead ?? []).filter((text) => !found.has(text)),
    strays: [...(given.strays ?? []), ...found],
  };
}

/**
 * With a question open, a numbered line that fits one of its options may be meant as its answer: it is asked about, and
 * filed once it is accepted. Undefined where none is.
 */
function answerMeant({ requests, seat, wording }: SeatDesk, given: HandedIn): HandedIn | undefined {
  const open = requests.filter((one) => one.side === seat.side && one.decided_by !== 'fallback');
  for (const text of [...(given.notRead ?? []), ...(given.numbered ?? [])]) {
    const match = /^\(?(\d{1,2})[.):]? ?(.*)$/.exec(text);
    if (!match) continue;
    const fits = open.find(({ body }) => {
      const option = body.options[Number(match[1]) - 1];
      const written = option ? [option.value, wording.say(option.words)] : [];
      return written.some((text) => match[2] === '' || plain(match[2]!) === plain(text));
    });
    if (!fits) continue;
    const line = `ANSWER ${fits.number}: ${match[1]}`;
    const { fault: _none, ...rest } = given;
    const hints = [...(given.hints ?? []), { key: 'post.answer meant', params: { line, text } }];
    return { ...rest, lines: [line], offered: 'quoted', hints };
  }
  return undefined;
}

function plain(text: string): string {
  return text
    .trim()
    .replace(/[.!]+$/, '')
    .replace(/\s+/g, ' ')
    .toUpperCase();
}

/** Lines outside of any block that look like orders, as lines of the receipt: each an error that says what to do. */
function strayLines(read: OrdersRead, given: HandedIn): EchoLine[] {
  const last = Math.max(given.lines.length, ...read.echo.map((line) => line.n));
  return (given.strays ?? []).map((text, i) => ({
    n: last + 1 + i,
    text,
    status: 'error',
    diagnostics: [error('OUTSIDE THE BLOCK', last + 1 + i)],
  }));
}

function isError(diagnostic: Diagnostic): boolean {
  return diagnostic.severity === 'error';
}

/**
 * A mail that came before this phase began was written for the one before it, unless it names this one: read late, it
 * must not become orders for a phase that its author had not seen.
 */
function isOfBefore(openedAt: Date, { block }: OrdersRead, { receivedAt }: HandedIn): boolean {
  if (receivedAt === undefined || receivedAt.getTime() >= openedAt.getTime() - SAME_MOMENT_MS) return false;
  return block.turn === undefined && block.battle === undefined && block.step === undefined;
}

/** Why nothing of this mail may be filed, and warnings about the whole. */
function mailFaults(ground: SeatDesk, read: OrdersRead, given: HandedIn): Diagnostic[] {
  const { game, phase, seat, scenario, before, overtaken } = ground;
  const header = headerFaults(read.block, { ref: game.ref, side: seat.side, scenario, phase: phase.snapshot.phase });
  const faults = [...header, ...read.mail];
  const orders = read.echo.length > read.standing.length || given.clear === true;
  const change = orders || read.block.final || given.final === true;
  if (!change) return faults;
  if (isOfBefore(phase.opened_at, read, given))
    faults.push(error('CAME BEFORE', 'mail', { turn: phase.snapshot.phase.turn, step: phase.step }));
  if (phase.status === 'waiting') {
    // An answer counts even when the old form stands below it.
    faults.push((read.answers.length > 0 ? warning : error)('PHASE IS RUNNING', 'mail'));
    Object.assign(read, { orders: [], lines: [] });
  } else if (!ground.rules.asks(publicView(phase.snapshot)).some((ask) => ask.side === seat.side)) {
    faults.push(error('NOT YOUR PHASE', 'mail', { step: phase.step }));
  }
  if (phase.closed_at !== null) faults.push(error('ORDERS CLOSED', 'mail'));
  if (overtaken && before) faults.push(error('OVERTAKEN', 'mail', { number: before.number }));
  return faults;
}

function decide(ground: SeatDesk, read: OrdersRead, given: HandedIn, faults: Diagnostic[], taken: EchoLine[]): Decided {
  const { before } = ground;
  const strays = strayLines(read, given);
  const detail: ReceiptDetail = {
    echo: [...read.echo, ...taken, ...strays].sort((a, b) => a.n - b.n),
    mail: faults,
    dropped: [],
    replyTo: given.replyTo,
    ...(given.hints ? { hints: given.hints } : {}),
    ...(given.notRead?.length ? { notRead: [...given.notRead] } : {}),
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
  // Orders of the same mail take the place of all that is cleared.
  if (given.clear && read.orders.length === 0) {
    detail.dropped = stays.lines;
    return { verdict: 'cleared', lines: [], orders: [], notes: [], final: false, wait: false, detail };
  }
  if (read.orders.length > 0) {
    const { dropped, mostly } = droppedLines(ground.rules, stays.orders, read.orders);
    detail.dropped = dropped;
    if (mostly && dropped.length > 0) detail.mostlyDropped = true;
    // The form ends with FINAL: a slip in one line must not run the phase before it can be mended.
    const bad = detail.echo.filter((line) => line.status === 'error').length;
    if (final && bad > 0) detail.mail.push(warning('FINAL HELD', 'mail', { lines: bad }));
    return { verdict: 'filed', ...fresh, final: final && bad === 0, wait, detail };
  }
  const running = faults.some((one) => one.code === 'PHASE IS RUNNING');
  return withoutOrders(read, [...taken, ...strays], keeps, { final: final && !running, wait: wait && !running });
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

/** The same mail, refused as a whole. */
export function refusal(given: Omit<HandedIn, 'lines'>, fault: Diagnostic): HandedIn {
  return { ...given, lines: [], fault };
}
