/**
 * The first step of a mail's life: the raw bytes are stored, once, before anybody looks at what they say. Whoever handed
 * the mail over may forget it as soon as this resolves; reading it is a job of its own (intake.ts).
 */
import { sha256 } from '../../kernel/hash.ts';
import type { Profile } from '../../mail/profile.ts';
import { parseMailboxes, parsePlusTag } from '../../mail/sender/address.ts';
import { storeRaw } from '../../store/mail.ts';
import { sealEnvelope, sealMail } from '../../store/trust/sealed.ts';
import type { Service } from '../context.ts';
import { looksLikeToken, tokenHash } from '../seats.ts';

/** Only so much of a mail is looked at for its header. */
const HEADER_BYTES_MAX = 64 * 1024;
const ID_CHARS_MAX = 250;

interface StoredEnvelope {
  mailFrom: string;
  rcptTo: string[];
  remoteAddress: string;
}

export interface Delivery {
  /** `smtp`, `imap`, `web`, `test` */
  door: string;
  envelope?: StoredEnvelope;
  /** Bytes of the whole mail, where it was too large to be fetched and only its header was. */
  size?: number;
}

/** Stores a mail and the job that reads it. Resolves after the commit; `copy` when the same mail was here before. */
export async function acceptMail(
  service: Service,
  raw: Buffer,
  receivedAt: Date,
  delivery: Delivery,
): Promise<{ mailId: number | null }> {
  service.at('before storing');
  const glance = glanceAt(raw, service.profile, delivery.envelope?.rcptTo ?? []);
  const { size } = delivery;
  // A mail server whose clock is ahead of ours makes nobody's mail come later than now.
  const now = service.now();
  const at = receivedAt > now ? now : receivedAt;
  const mailId = await storeRaw(service.db, {
    raw: sealMail(service, raw),
    receivedAt: at,
    door: delivery.door,
    envelope: sealEnvelope(service, delivery.envelope ?? null),
    digest: sha256(raw),
    ...glance,
    bytes: size ?? raw.length,
    ...(size === undefined ? {} : { bodyDigest: sha256(`${size} bytes`) }),
  });
  service.at('stored');
  return { mailId };
}

/** The token that a mail was sent to, by its envelope or its address headers; undefined when there is none. */
export function tokenIn(raw: Buffer, profile: Profile, rcptTo: readonly string[]): string | undefined {
  const head = raw.subarray(0, HEADER_BYTES_MAX).toString('latin1');
  const end = /\r?\n\r?\n/.exec(head);
  return tokenOf((end ? head.slice(0, end.index) : head).replace(/\r?\n[ \t]+/g, ' '), profile, rcptTo);
}

/** What must be known of a mail before it is read: its id, a digest of its body, and whose mails it must not overtake. */
export function glanceAt(
  raw: Buffer,
  profile: Profile,
  rcptTo: readonly string[],
): { messageId: string | null; bodyDigest: string; lane: string } {
  const head = raw.subarray(0, HEADER_BYTES_MAX).toString('latin1');
  const end = /\r?\n\r?\n/.exec(head);
  const header = (end ? head.slice(0, end.index) : head).replace(/\r?\n[ \t]+/g, ' ');
  const body = end ? raw.subarray(end.index + end[0].length).toString('latin1') : '';
  const field = (name: string): string | null =>
    new RegExp(`^${name}[ \\t]*:(.*)$`, 'im').exec(header)?.[1]?.trim() || null;
  const messageId = /<[^<>\s]+>/.exec(field('message-id') ?? '')?.[0] ?? null;
  const from = parseMailboxes(field('from') ?? '')[0]?.address ?? 'nobody';
  // Servers change line ends and trailing blanks on the way; what is left is the same in every copy.
  const words = body.replace(/\r/g, '').trimEnd();
  const token = tokenOf(header, profile, rcptTo)?.toLowerCase();
  const lane = token === undefined ? `from:${from}` : `seat:${tokenHash(token)}`;
  // Author and seat belong to it: nobody can shut a mail out by sending its Message-ID and words under another name.
  const about = [
    from,
    token === undefined ? from : `token:${token}`,
    ...(messageId === null ? [field('date'), field('subject')] : []),
  ].join('\n');
  const bodyDigest = sha256(Buffer.from(`${about}\n${words}`, 'latin1'));
  const usable = messageId !== null && messageId.length <= ID_CHARS_MAX ? messageId : null;
  return {
    messageId: usable?.replace(/[^\x21-\x7e]/g, '?') ?? null,
    bodyDigest,
    lane,
  };
}

function tokenOf(header: string, profile: Profile, rcptTo: readonly string[]): string | undefined {
  const named = [...header.matchAll(/^(?:to|cc|delivered-to|x-original-to)[ \t]*:(.*)$/gim)].flatMap((match) =>
    parseMailboxes(match[1]!).map((mailbox) => mailbox.address ?? ''),
  );
  for (const address of [...rcptTo, ...named]) {
    const tag = parsePlusTag(address, profile)?.tag;
    if (tag && looksLikeToken(tag)) return tag;
  }
  return undefined;
}
