/**
 * From raw bytes to what a player wrote.
 */
import type { Profile } from './profile.ts';

export type MailKind = 'orders' | 'autoreply' | 'bounce' | 'mdn' | 'loop' | 'empty' | 'reject';

export type RejectReason =
  | 'too-large'
  | 'bomb'
  | 'no-from'
  | 'multiple-from'
  | 'bad-from'
  | 'spoof'
  | 'encrypted'
  | 'opaque-smime'
  | 'tnef'
  | 'attachment-type'
  | 'ambiguous'
  | 'calendar';

export type Dmarc = 'pass' | 'fail' | 'none' | 'temperror';

/** A mail command as it was written, in line form. */
export interface MailCommand {
  text: string;
  where: 'subject' | 'body';
  /** The words between PRESS and ENDPRESS as written: decoded and unflowed, nothing else done to them. */
  press?: string;
}

export interface BounceFacts {
  /** Lower case. */
  finalRecipient: string | null;
  /** `5.1.1` */
  status: string | null;
  permanent: boolean;
  originalMessageId?: string;
}

/** What a mail says. Every text in it is free of line breaks and control characters, `press` excepted. */
export interface InboundMessage {
  kind: MailKind;
  /** The one author's address in lower case, or null where nobody can be held to be the author. */
  from: string | null;
  fromName: string | null;
  reason?: RejectReason;
  source?: 'text' | 'html' | 'attachment';
  bounce?: BounceFacts;
  gameRef: string | null;
  orderLines: string[];
  commands: MailCommand[];
  subject: string;
  messageId: string | null;
  inReplyTo: string | null;
  references: string[];
  /** The Date header: a claim, never a deadline. */
  date: string | null;
  /** Addresses of To, Cc, Delivered-To and X-Original-To, lower case; tags keep their case nowhere. */
  recipients: string[];
  /** To and Cc addresses when the mail was also addressed to others than us; else empty. */
  inPublic: string[];
  dmarc: Dmarc;
  listId: string | null;
  /** Nothing was written, but the quoted text is an edited order form. */
  quotedForm: boolean;
  /** SHA-256 over author, subject and order lines: equal for copies of one mail. */
  digest: string;
}

/** Reads a raw mail. Never throws for a bad mail: what is wrong with it is in `kind` and `reason`. */
export async function readInbound(_raw: Buffer, _profile: Profile): Promise<InboundMessage> {
  throw new Error('not yet written');
}
