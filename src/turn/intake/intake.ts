import { error } from '../../kernel/orders.ts';
import type { Diagnostic } from '../../kernel/types.ts';
import { MAIL_BYTES_MAX } from '../../mail/bytes/mime.ts';
import { type InboundMessage, readInbound } from '../../mail/inbound.ts';
import type { Profile } from '../../mail/profile.ts';
import { inTransaction, lockGame, type Trx } from '../../store/db.ts';
import { currentPhase, gameById, seatById, seatByToken } from '../../store/games.ts';
import { closeMail, holdUnread, isCopy } from '../../store/mail.ts';
import { setUnreachable } from '../../store/people.ts';
import type { GameRow, MailInRow, ReceiptRow, SeatRow } from '../../store/schema.ts';
import { setSeatUnreachable } from '../../store/seats.ts';
import { blankText, mailInOpened } from '../../store/trust/sealed.ts';
import { type CommandReply, handleCommands, nearCommand } from '../commands/obey.ts';
import { handBack, rotateToken } from '../commands/signup.ts';
import { type ReadCommand, readCommand } from '../commandwords.ts';
import type { Service } from '../context.ts';
import type { HandedIn } from '../filing/decision.ts';
import { acceptOffered, fileOrders } from '../filing/filing.ts';
import type { OpenSeat } from '../filing/openseat.ts';
import { noteBounce } from '../post/bounces.ts';
import { mailSeat, notice } from '../post/outbox.ts';
import { notReadText } from '../post/reporttext.ts';
import { tokenHash } from '../seats.ts';
import { tokenIn } from './accept.ts';
import { answerAuthor, mayAnswer, mayTellOfCopy, mayTellOfParked, mayTellOfRefused, refuse } from './budget.ts';
import { formSent, ofAnotherTime } from './forms.ts';
import { base, commandsOf, faultCode, handedIn, type Origin, writtenLines } from './handed.ts';
import { gameOfMail, type Identity, identify, tokensOf } from './identify.ts';
import { profileFor } from './ourselves.ts';

/** Mails of a doubtful sender of which a seat's own address is told on one day, for each thing that is wrong. */
const REFUSED_TOLD_MAX = 5;
/** Never answered to their author, whatever they hold. */
const SILENT = new Set(['no-from', 'multiple-from', 'bad-from', 'spoof', 'bomb', 'calendar']);

interface Case {
  service: Service;
  trx: Trx;
  row: MailInRow;
  message: InboundMessage;
}

interface Verdict {
  verdict: string;
  game?: GameRow;
  seat?: SeatRow;
  detail?: Record<string, unknown>;
}

/** Reads a stored mail and acts on it; nothing when that was done before. */
export async function processMail(service: Service, mailId: number): Promise<void> {
  const row = await mailInOpened(service.db, service.secret, mailId);
  if (row?.state !== 'new' || row.raw === null) return;
  const message = await readStored(service, row, row.raw);
  service.at('read');
  await inTransaction(service.db, async (trx) => {
    if (!(await holdUnread(trx, mailId))) return;
    const result = await judge({ service, trx, row, message });
    await closeMail(trx, mailId, {
      verdict: result.verdict,
      at: service.now(),
      from: message.from,
      subject: blankText(message.subject),
      contentDigest: message.digest,
      ...(result.detail ? { detail: result.detail } : {}),
      gameId: result.game?.id ?? null,
      seatId: result.seat?.id ?? null,
    });
    service.at('before filed');
  });
  service.at('filed');
}

/** Reads the bytes; of a mail that was too large to be fetched only its header, so that its author gets an answer. */
async function readStored(service: Service, row: MailInRow, raw: Buffer): Promise<InboundMessage> {
  const message = await readMail(service, raw, row.envelope?.rcptTo ?? [], { door: row.door });
  if (row.bytes <= MAIL_BYTES_MAX || (message.kind !== 'orders' && message.kind !== 'empty')) return message;
  return { ...message, kind: 'reject', reason: 'too-large', orderLines: [], commands: [], quotedForm: false };
}

/**
 * Reads a mail with the verbs of the game it is for: its token says which, else its GAME line. Only a mail for no game
 * that we know is read with the verbs of all.
 */
async function readMail(
  service: Service,
  raw: Buffer,
  rcptTo: readonly string[],
  options: { listed?: boolean; door?: string } = {},
): Promise<InboundMessage> {
  const token = tokenIn(raw, service.profile, rcptTo);
  const seat = token === undefined ? undefined : await seatByToken(service.db, tokenHash(token));
  const game = seat && (await gameById(service.db, seat.game_id));
  if (game) return readForSeat(service, raw, game, seat.side, options);
  const message = await readInbound(raw, believed(service, options.door, service.profile), options);
  const prefix = message.gameRef?.split('-')[0];
  const named = prefix && service.scenarios.list().find(({ system }) => system.prefix === prefix);
  return named
    ? readInbound(raw, believed(service, options.door, profileFor(service, named.system.id)), options)
    : message;
}

/**
 * The profile a mail is read with: whose Authentication-Results it may believe depends on the door. Our own listener
 * writes them itself, on top; what another server hands on by LMTP or in a mailbox is believed only in the name that the
 * operator gave (RFC 8601, part 5).
 */
function believed(service: Service, door: string | undefined, profile: Profile): Profile {
  const own = door !== 'lmtp' && door !== 'imap';
  return own || service.config.authservId !== undefined ? profile : { ...profile, receivingHost: '' };
}

/**
 * Reads a mail for a seat. Where it brings back a form, it is read against the one that we sent: a form that nobody
 * changed is no order, one of an earlier turn is no question.
 */
async function readForSeat(
  service: Service,
  raw: Buffer,
  game: GameRow,
  side: string,
  options: { listed?: boolean; door?: string },
): Promise<InboundMessage> {
  const profile = believed(service, options.door, profileFor(service, game.system));
  const message = await readInbound(raw, profile, options);
  const formLike = message.quotedForm || message.reason === 'ambiguous' || message.orderLines.some(hasComment);
  const phase = formLike ? await currentPhase(service.db, game) : undefined;
  if (!phase) return message;
  const { rules } = service.scenarios.open(game.scenario);
  const sent = formSent(rules, phase.snapshot, side, service.wording);
  const again = await readInbound(raw, profile, { ...options, sent });
  if (!again.quotedForm || !ofAnotherTime(again.quotedLines, phase)) return again;
  return { ...again, quotedForm: false, quotedLines: [] };
}

function hasComment(line: string): boolean {
  return line.includes('#');
}

async function judge(one: Case): Promise<Verdict> {
  const { service, trx, row, message } = one;
  if (await isCopy(trx, row, message.digest)) {
    await tellOfCopy(one);
    return { verdict: 'copy' };
  }
  if (message.kind === 'bounce') return noteBounce(service, trx, message, row.envelope?.rcptTo ?? []);
  if (message.kind === 'autoreply' || message.kind === 'mdn' || message.kind === 'loop')
    return { verdict: message.kind };
  const rcptTo = row.envelope?.rcptTo ?? [];
  const listed = await throughList(one, rcptTo);
  if (listed) {
    const identity = await identify(service, trx, listed.message, rcptTo, listed);
    const known = identity.who !== 'author' || message.reason !== 'spoof';
    return known ? judgeAuthor({ ...one, message: listed.message }, identity) : { verdict: 'reject spoof' };
  }
  if (row.door !== 'web' && (message.fromNobody || (row.door === 'smtp' && row.envelope?.mailFrom === ''))) {
    const told = message.orderLines.length > 0 ? await tellSeat(one, error('MAIL NO SENDER', 'mail'), 1) : undefined;
    return { verdict: 'no sender', ...told };
  }
  if (message.kind === 'reject' && SILENT.has(message.reason ?? '')) {
    const told =
      message.reason === 'calendar'
        ? undefined
        : await tellSeat(one, error(faultCode(message), 'mail'), REFUSED_TOLD_MAX);
    return { verdict: `reject ${message.reason}`, ...told };
  }
  return judgeAuthor(one, await identify(service, trx, message, rcptTo));
}

/**
 * A mail to a seat that can't be acted on, since nobody can be held to be its author: the seat's own address is told, a
 * few times a day, and nobody else. Undefined where no seat of ours was meant.
 */
async function tellSeat(
  { service, trx, row, message }: Case,
  fault: Diagnostic,
  most: number,
): Promise<Omit<Verdict, 'verdict'> | undefined> {
  const [token, another] = tokensOf(service, message, row.envelope?.rcptTo ?? []);
  const seat = token === undefined || another !== undefined ? undefined : await seatByToken(trx, tokenHash(token));
  if (!seat) return undefined;
  await lockGame(trx, seat.game_id);
  const game = await gameById(trx, seat.game_id);
  const desk = await deskOf(service, trx, game, seat);
  if (!desk || !(await mayTellOfRefused(service, trx, seat, fault.code, most))) return { game, seat };
  const receipt = await fileOrders(service, trx, desk, { ...base(originOf(row), message, []), lines: [], fault });
  await mailReceipt(service, trx, seat, receipt, null);
  return { game, seat, detail: { receipt: receipt.number } };
}

/** A second copy of a mail changes nothing; the seat it was for is told so, once a day. */
async function tellOfCopy({ service, trx, row, message }: Case): Promise<void> {
  if (message.kind !== 'orders' && message.kind !== 'empty') return;
  const identity = await identify(service, trx, message, row.envelope?.rcptTo ?? []);
  if (identity.who !== 'seat' || message.fromNobody || !(await mayTellOfCopy(service, trx, identity.seat))) return;
  await mailSeat(service, trx, identity.seat, {
    kind: 'notice',
    facts: notice(service, 'copy', { subject: message.subject }),
  });
}

/**
 * A mail that came through a mailing list which its game allows (lists change mails, and so break what proves their
 * author), read as if nothing spoke against it; undefined for every other mail.
 */
async function throughList(
  { service, trx, row, message }: Case,
  rcptTo: readonly string[],
): Promise<{ message: InboundMessage; game: GameRow } | undefined> {
  if (message.listId === null || row.raw === null) return undefined;
  const read =
    message.reason === 'spoof' ? await readMail(service, row.raw, rcptTo, { listed: true, door: row.door }) : message;
  const game = await gameOfMail(service, trx, read, rcptTo);
  const allowed = (game?.settings.lists ?? []) as string[];
  return game && allowed.includes(listName(message.listId)) ? { message: read, game } : undefined;
}

/** `Club list <games.lists.example>` as the master wrote it in LISTS. */
function listName(listId: string): string {
  return (/<([^<>]*)>/.exec(listId)?.[1] ?? listId).trim().toLowerCase();
}

async function judgeAuthor(one: Case, identity: Identity): Promise<Verdict> {
  const { service, trx, message } = one;
  switch (identity.who) {
    case 'seat':
      return forSeat(one, identity);
    case 'parked':
      return park(one, identity);
    case 'nobody':
      await refuse(service, trx, message, hostOf(one.row));
      return { verdict: 'refused', detail: { why: identity.why } };
    default:
      return forAuthor(one, identity);
  }
}

/** A mail without a seat: commands are obeyed as far as they may be, anything else is refused in the same words. */
async function forAuthor(one: Case, identity: Extract<Identity, { who: 'author' | 'role' }>): Promise<Verdict> {
  const { service, trx, message } = one;
  const { others } = commandsOf(message);
  const written = ordersBehindCommands(message, service.profile.orderWords);
  const host = hostOf(one.row);
  const proof = { proof: identity.who === 'role' ? 'token' : identity.trusted ? 'proved' : 'none', host } as const;
  const orders = written.length > 0 || message.kind !== 'orders' || others.length === 0;
  if (orders) {
    const near = written.length === 0 ? nearCommand(service, message) : undefined;
    if (near) await answerAuthor(service, trx, message, [near], proof);
    else await refuse(service, trx, message, hostOf(one.row));
    return { verdict: 'refused', detail: { why: message.reason ?? message.kind } };
  }
  const replies = await handleCommands(service, trx, {
    mail: message,
    seat: null,
    person: identity.person,
    role: identity.who === 'role' ? { gameId: identity.role.game_id, role: identity.role.role } : null,
    trusted: identity.who === 'role' || identity.trusted,
    host,
  });
  await answerAuthor(service, trx, message, [...replies, ...besides(service, message)], proof);
  return { verdict: 'commands', detail: { commands: others.map((command) => command.row.name) } };
}

/**
 * The same for a mail without a seat. PAUSE is an order of one game as well: where a command began the block, only lines
 * that open with an order's word were written as orders, and a greeting below is none.
 */
function ordersBehindCommands(message: InboundMessage, orderWords: readonly string[]): string[] {
  const written = writtenLines(message);
  const first = message.orderLines[0];
  if (first === undefined || written.includes(first) || readCommand(first)?.row.role !== 'master') return written;
  return written.filter((line) => orderWords.includes(line.trim().split(/\s+/)[0]?.toUpperCase() ?? ''));
}

async function forSeat(one: Case, identity: Extract<Identity, { who: 'seat' }>): Promise<Verdict> {
  const { service, trx, row, message } = one;
  await lockGame(trx, identity.game.id);
  const game = await gameById(trx, identity.game.id);
  let seat = await seatById(trx, identity.seat.id);
  // A stand-in hands back when the holder writes again.
  if (identity.person.id === seat.person_id) await handBack(service, trx, seat, 'holder wrote');
  if (seat.mail_failed_at !== null) await mailWorksAgain(trx, seat, message.from);
  const proof = { proof: identity.byToken ? 'token' : 'proved' } as const;
  const hints: NonNullable<HandedIn['hints']> = [];
  if (identity.byToken && message.inPublic.length > 0) {
    seat = await rotateToken(service, trx, seat);
    hints.push({ key: 'post.token was public', params: {} });
  }
  const { intake, others } = commandsOf(message);
  const given = handedIn(originOf(row), message, intake, hints, game.ref);
  const verdict: Verdict = { verdict: 'commands', game, seat };
  if (given) {
    const receipt = await fileAt(service, trx, game, seat, given, intake);
    if (!receipt) await refuse(service, trx, message, hostOf(one.row));
    else if (await mayAnswer(service, trx, message.from!, proof))
      await mailReceipt(service, trx, seat, receipt, message);
    Object.assign(
      verdict,
      receipt ? { verdict: receipt.verdict, detail: { receipt: receipt.number } } : { verdict: 'refused' },
    );
  }
  if (others.length > 0) {
    const replies = await handleCommands(service, trx, {
      mail: message,
      seat,
      person: identity.person,
      role: null,
      trusted: true,
    });
    const said = given ? replies : [...replies, ...besides(service, message)];
    await answerAuthor(service, trx, message, said, { seat, person: identity.person, ...proof });
  }
  return verdict;
}

/** What stands beside the commands of a mail without orders: every line is answered. */
function besides({ wording }: Service, { notRead, strays }: InboundMessage): CommandReply[] {
  const paragraphs = [
    ...(strays.length > 0 ? [wording.say({ key: 'post.strays', params: { lines: strays } })] : []),
    ...(notRead.length > 0 ? [notReadText(wording, notRead)] : []),
  ];
  return paragraphs.length > 0 ? [{ command: '', ok: false, paragraphs }] : [];
}

async function fileAt(
  service: Service,
  trx: Trx,
  game: GameRow,
  seat: SeatRow,
  given: HandedIn,
  intake: readonly ReadCommand[],
): Promise<ReceiptRow | undefined> {
  const desk = await deskOf(service, trx, game, seat);
  if (!desk) return undefined;
  const accept = intake.find((command) => command.row.name === 'ACCEPT');
  const number = Number(accept?.args.n);
  if (!accept) return fileOrders(service, trx, desk, given);
  if (given.lines.length === 0) return acceptOffered(service, trx, desk, number, given);
  // Both can't be meant: what was written counts, and he is told so.
  const hints = [...(given.hints ?? []), { key: 'post.accept beside orders', params: { n: number } }];
  return fileOrders(service, trx, desk, { ...given, hints });
}

/** Where a seat's orders are filed; undefined before a game starts. The caller holds the game's lock. */
export async function deskOf(service: Service, trx: Trx, game: GameRow, seat: SeatRow): Promise<OpenSeat | undefined> {
  const phase = await currentPhase(trx, game);
  if (!phase) return undefined;
  const { rules, scenario } = service.scenarios.open(game.scenario);
  return { game, phase, seat, rules, scenario };
}

/** Queues the mail of a receipt, to the seat's registered address and nowhere else. */
export async function mailReceipt(
  service: Service,
  trx: Trx,
  seat: SeatRow,
  receipt: ReceiptRow,
  message: Pick<InboundMessage, 'messageId' | 'references'> | null,
): Promise<void> {
  await mailSeat(service, trx, seat, {
    kind: 'receipt',
    phaseId: receipt.phase_id,
    facts: { make: 'receipt', receiptId: receipt.id },
    ...(message ? { answers: message } : {}),
  });
}

/**
 * The right token from another address: kept, and the seat's owner is asked. Nobody else learns of it: the author reads
 * what a wrong token gets.
 */
async function park(one: Case, identity: Extract<Identity, { who: 'parked' }>): Promise<Verdict> {
  const { service, trx, row, message } = one;
  await refuse(service, trx, message, hostOf(row));
  await lockGame(trx, identity.game.id);
  const game = await gameById(trx, identity.game.id);
  let seat = await seatById(trx, identity.seat.id);
  const parked: Verdict = { verdict: 'parked', game, seat };
  const hints: NonNullable<HandedIn['hints']> = [{ key: 'post.parked', params: { from: message.from ?? '?' } }];
  const seen = message.inPublic.length > 0 && identity.byToken;
  if (seen) {
    seat = await rotateToken(service, trx, seat);
    hints.push({ key: 'post.token was public', params: {} });
  }
  const desk = await deskOf(service, trx, game, seat);
  // A new address must be told whatever else was told today.
  const tell = (await mayTellOfParked(service, trx, seat)) || seen;
  if (!desk || !tell || (message.orderLines.length === 0 && !seen)) return parked;
  const receipt = await fileOrders(service, trx, desk, {
    ...base(originOf(row), message, hints),
    lines: message.orderLines,
    offered: 'parked',
  });
  await mailReceipt(service, trx, seat, receipt, null);
  return { ...parked, detail: { receipt: receipt.number } };
}

/** The host that handed a mail to our own listener; what others handed on comes from a host of theirs. */
function hostOf(row: MailInRow): string | null {
  return row.door === 'smtp' ? (row.envelope?.remoteAddress ?? null) : null;
}

function originOf(row: MailInRow): Origin {
  return { source: row.door === 'web' ? 'web' : 'mail', mailId: row.id, receivedAt: row.received_at };
}

async function mailWorksAgain(trx: Trx, seat: SeatRow, from: string | null): Promise<void> {
  await setSeatUnreachable(trx, seat.id, null);
  if (from) await setUnreachable(trx, from, null);
}
