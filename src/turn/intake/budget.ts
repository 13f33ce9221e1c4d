/** Answers to authors: within a daily budget, and never an oracle for strangers. */
import type { InboundMessage } from '../../mail/inbound.ts';
import type { Trx } from '../../store/db.ts';
import { countReply } from '../../store/mail.ts';
import type { PersonRow, SeatRow } from '../../store/schema.ts';
import type { CommandReply } from '../commands/obey.ts';
import type { Service } from '../context.ts';
import { notice, queueMail } from '../post/outbox.ts';
import { recipient } from '../seats.ts';

/** What shows who wrote a mail, and the host that it came from where nothing does. */
export interface Proof {
  proof: 'token' | 'proved' | 'none';
  host?: string | null;
}

/**
 * Answers to one address on one day; the next one says that it was the last, then there is silence. More for whoever
 * wrote to a secret address of his own: a busy player's receipts, but still no endless talk with a robot. Each kind of
 * proof has its own count, and without any one host can't use up all: no forger silences an author.
 */
const ANSWERS_MAX = { token: 60, proved: 20, none: 20 };
const ANSWERS_TO_HOST_MAX = 12;
/** Refusals to one address on one day, whatever hosts its mails came from. */
const REFUSALS_UNPROVED_MAX = 3;
const COUNTED = { token: 'answer by token', proved: 'answer', none: 'answer unproved' };
/** Mails from other addresses of which a seat's owner is told on one day. */
const PARKED_PER_DAY_MAX = 3;

function dayOf(service: Pick<Service, 'now'>): string {
  return service.now().toISOString().slice(0, 10);
}

/** Counts an answer to an address against its budget of the day; tells once when it is used up. */
export async function mayAnswer(service: Service, trx: Trx, address: string, given: Proof): Promise<boolean> {
  const { proof, host } = given;
  if (proof === 'none' && typeof host === 'string') {
    const ofHost = await countReply(trx, address, `answer to ${host}`, dayOf(service));
    if (ofHost > ANSWERS_TO_HOST_MAX) return false;
  }
  const most = ANSWERS_MAX[proof];
  const count = await countReply(trx, address, COUNTED[proof], dayOf(service));
  if (count === most + 1)
    await queueMail(service, trx, {
      kind: 'notice',
      to: { address, name: null },
      facts: notice(service, 'enough answers', { most }),
    });
  return count <= most;
}

/** Counts a mail that was parked for a seat; false when its owner was told of enough of them today. */
export async function mayTellOfParked(service: Service, trx: Trx, seat: SeatRow): Promise<boolean> {
  return (await countReply(trx, `seat ${seat.id}`, 'parked', dayOf(service))) <= PARKED_PER_DAY_MAX;
}

/** Counts a mail to a seat that was refused for its sender; false when its holder was told of `most` of them today. */
export async function mayTellOfRefused(
  service: Service,
  trx: Trx,
  seat: SeatRow,
  code: string,
  most: number,
): Promise<boolean> {
  return (await countReply(trx, `seat ${seat.id}`, code, dayOf(service))) <= most;
}

/** Counts a second copy of a seat's mail; true for the first one of a day. */
export async function mayTellOfCopy(service: Service, trx: Trx, seat: SeatRow): Promise<boolean> {
  return (await countReply(trx, `seat ${seat.id}`, 'copy', dayOf(service))) === 1;
}

/**
 * The polite refusal: the same words whatever was wrong, at most once a day to an address, nothing quoted, and none to a
 * sender who may be forged.
 */
export async function refuse(
  service: Service,
  trx: Trx,
  message: InboundMessage,
  host: string | null,
): Promise<boolean> {
  const address = message.from;
  if (address === null || message.dmarc === 'fail' || message.listId !== null) return false;
  const proved = message.dmarc === 'pass';
  // Without proof each host has its own, so that a forger's mail doesn't take an author's answer away.
  if ((await countReply(trx, address, proved ? 'refusal' : `refusal ${host ?? ''}`, dayOf(service))) > 1) return false;
  if (!proved && (await countReply(trx, address, 'refusals', dayOf(service))) > REFUSALS_UNPROVED_MAX) return false;
  await queueMail(service, trx, {
    kind: 'refusal',
    to: { address, name: null },
    facts: notice(service, 'refusal', { club: service.config.club.name }),
    answers: message,
  });
  return true;
}

/** One mail with the answers to all commands of a mail. Who speaks for a seat gets it at his registered address. */
export async function answerAuthor(
  service: Service,
  trx: Trx,
  message: InboundMessage,
  replies: readonly CommandReply[],
  from: { seat?: SeatRow; person?: PersonRow } & Proof,
): Promise<void> {
  const paragraphs = replies.flatMap((reply) => reply.paragraphs);
  if (paragraphs.length === 0 || message.from === null) return;
  if (!(await mayAnswer(service, trx, message.from, from))) return;
  const { seat } = from;
  const holder = from.person ? await recipient(trx, from.person.id) : undefined;
  const title =
    replies.find((reply) => reply.subject !== undefined)?.subject ??
    `Re: ${message.subject.replace(/^(?:re|aw|antw|sv)\s*:\s*/i, '')}`.slice(0, 120);
  await queueMail(service, trx, {
    kind: 'notice',
    gameId: seat?.game_id ?? null,
    seatId: seat?.id ?? null,
    personId: holder?.person.id ?? null,
    to: holder?.to ?? { address: message.from, name: message.fromName },
    facts: { make: 'notice', title, paragraphs, answers: true },
    answers: message,
  });
}
