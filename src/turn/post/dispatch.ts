/**
 * The last step: a row of the outbox becomes a mail, made from stored facts after the commit that caused it, its exact
 * bytes archived before the first attempt and sent again as they are. A failure here never touches a game.
 */
import { known } from '../../kernel/assert.ts';
import { composeMail, type OutMail, type SendResult } from '../../mail/doors/smtp.ts';
import { inTransaction } from '../../store/db.ts';
import { gameById } from '../../store/games.ts';
import { keepBytes, mailOutById, markOut } from '../../store/mail.ts';
import { isUnreachable, personById } from '../../store/people.ts';
import type { MailOutRow } from '../../store/schema.ts';
import { blankText, openMail, sealMail } from '../../store/trust/sealed.ts';
import type { Service } from '../context.ts';
import { bounceAddress } from './bounces.ts';
import { composeFacts, replyAddress } from './compose.ts';
import type { Composed } from './maps.ts';
import { mailMaster, notice } from './outbox.ts';
import { listOf, unsubscribeOf } from './unsubscribe.ts';

const RESPONSE_CHARS_MAX = 500;

/** The way out: as mail/doors/smtp.ts opens it, or a test's. */
export interface Post {
  send(bytes: Buffer, envelope: { from: string; to: string }): Promise<SendResult>;
}

/** The other server asks us to come again. */
export class Later extends Error {
  override name = 'Later';
}

/** Composes (once) and sends a mail of the outbox; nothing when that was done before. Throws `Later` to be called again. */
export async function sendMail(service: Service, post: Post | null, id: number): Promise<void> {
  const row = await mailOutById(service.db, id);
  if (row?.state !== 'queued') return;
  const now = service.now();
  if (row.stale_at !== null && row.stale_at < now)
    return mark(service, id, 'dropped', 'no longer true when its turn came');
  const raw = row.raw ? openMail(service.secret, row.raw) : await composeRow(service, row);
  service.at('composed');
  if (!post) return mark(service, id, 'kept', 'kept here: no SMTP_URL is set');
  if (await isSilenced(service, row)) return mark(service, id, 'kept', 'kept here: mail to this address came back');
  service.at('before sending');
  const result = await post.send(raw, { from: envelopeFrom(service, row), to: row.to_address });
  service.at('sent');
  if (!result.ok && !result.permanent) {
    await markOut(service.db, id, { state: 'queued', response: clip(result.response), at: null, attempted: true });
    throw new Later(result.response);
  }
  if (result.ok)
    await markOut(service.db, id, { state: 'sent', response: clip(result.response), at: now, attempted: true });
  else await sendFailed(service, id, result.response);
  service.at('marked');
}

/** Gives a mail up and tells the game's master. */
export async function sendFailed(service: Service, id: number, why: string): Promise<void> {
  await inTransaction(service.db, async (trx) => {
    const row = await mailOutById(trx, id);
    if (row?.state !== 'queued') return;
    await markOut(trx, id, { state: 'failed', response: clip(why), at: null, attempted: true });
    // A notice about a notice that failed would never end.
    if (row.kind === 'notice' || row.kind === 'refusal') return;
    const game = row.game_id === null ? null : await gameById(trx, row.game_id);
    const facts = notice(service, 'mail failed', {
      game: game?.ref ?? '-',
      kind: row.kind,
      number: id,
      why: clip(why),
    });
    await mailMaster(service, trx, game, { kind: 'notice', facts });
  });
}

function clip(text: string): string {
  return text.replace(/\s+/g, ' ').slice(0, RESPONSE_CHARS_MAX);
}

async function mark(service: Service, id: number, state: 'dropped' | 'kept', response: string): Promise<void> {
  await markOut(service.db, id, { state, response, at: state === 'kept' ? service.now() : null, attempted: false });
}

/** Mail to a seat that came back for good is kept until the seat writes again; it can be sent again from the desk. */
async function isSilenced(service: Service, row: MailOutRow): Promise<boolean> {
  if (row.seat_id === null) return false;
  return isUnreachable(service.db, row.to_address);
}

/** Reports come back by a secret address of their own; answers have the null sender, so that robots leave them alone. */
function envelopeFrom(service: Service, row: MailOutRow): string {
  return row.kind === 'refusal' ? '' : bounceAddress(service, row.message_id);
}

async function composeRow(service: Service, row: MailOutRow): Promise<Buffer> {
  const made = await composeFacts(service, row);
  const raw = await composeMail(await outMailOf(service, row, made));
  await keepBytes(service.db, row.id, sealMail(service, raw), blankText(made.subject));
  return raw;
}

const KINDS: Record<string, OutMail['kind']> = {
  receipt: 'receipt',
  refusal: 'receipt',
  report: 'report',
  question: 'report',
  press: 'press',
};

/** SET FORMAT TEXT: mails without an HTML part. */
async function wantsText(service: Service, row: MailOutRow): Promise<boolean> {
  const person = row.person_id === null ? undefined : await personById(service.db, row.person_id);
  return person?.settings?.format === 'text';
}

async function outMailOf(service: Service, row: MailOutRow, made: Composed): Promise<OutMail> {
  const { config, profile } = service;
  const own = `${known(profile.ownMailboxes[0], 'no mailbox of our own')}@${profile.ownDomain}`;
  const reply = await replyAddress(service, row);
  const textOnly = await wantsText(service, row);
  const belongs = await listOf(service, row);
  const leave = unsubscribeOf(service, row, belongs?.game ?? null, reply ?? own);
  return {
    from: { name: config.club.name, address: own },
    to: { address: row.to_address, ...(row.to_name ? { name: row.to_name } : {}) },
    ...(reply ? { replyTo: { name: config.club.name, address: reply } } : {}),
    subject: made.subject,
    text: made.text,
    flowed: true,
    ...(textOnly ? {} : { html: made.html }),
    attachments: made.attachments.filter((file) => !textOnly || file.cid === undefined),
    messageId: row.message_id,
    ...(row.in_reply_to ? { inReplyTo: row.in_reply_to } : {}),
    ...(row.refers ? { references: row.refers.split(' ') } : {}),
    date: row.created_at,
    kind: row.facts.make === 'notice' && row.facts.answers ? 'receipt' : (KINDS[row.kind] ?? 'notice'),
    ...(belongs ? { list: belongs.list } : {}),
    ...(leave ? { unsubscribe: leave } : {}),
    loopHeader: profile.loopHeader,
    envelopeFrom: envelopeFrom(service, row),
    ...(service.dkim ? { dkim: service.dkim } : {}),
  };
}
