/**
 * The way out: mails composed to exact bytes, and a sender that says whether to try again.
 */
import nodemailer from 'nodemailer';
import { sha256 } from '../../kernel/hash.ts';
import type { Log } from '../log.ts';
import { isPlainAddress } from '../sender/address.ts';
import {
  field,
  filePart,
  headerText,
  type MailPart,
  mailbox,
  pagePart,
  textPart,
  together,
  whole,
} from './assemble.ts';
import { rateLimit } from './rates.ts';

/** Columns of flowed text, the blank at the end included. */
const FLOW_COLUMNS = 76;
const SUBJECT_MAX = 250;
const NAME_MAX = 120;
const REFERENCES_MAX = 20;
const FILE_NAME_MAX = 120;
/** Milliseconds for connecting and for an answer of the server. */
const CONNECT_MS = 30_000;
const ANSWER_MS = 60_000;
/** Milliseconds for one mail from first to last: a server that keeps talking without saying anything is left. */
const SEND_MS = 80_000;
/** Bytes of one answer of the server. */
const ANSWER_BYTES_MAX = 64 * 1024;

interface Addr {
  name?: string;
  address: string;
}

export interface OutMail {
  from: Addr;
  to: Addr;
  replyTo?: Addr;
  subject: string;
  text: string;
  /** The text is format=flowed already: folded, with soft line ends, stuffed. */
  flowed?: boolean;
  html?: string;
  attachments: { filename: string; contentType: string; content: Buffer; cid?: string }[];
  /** With angle brackets. */
  messageId: string;
  inReplyTo?: string;
  references?: string[];
  date: Date;
  kind: 'receipt' | 'report' | 'notice' | 'press';
  /** `Name: value` of our own marker. */
  loopHeader: string;
  /** Empty for the null sender. Not part of the bytes: hand it to the sender. */
  envelopeFrom: string;
  /** The list it belongs to: words for people, and a name like that of a host. */
  list?: { name: string; id: string };
  /** `mailto:` and `https:` addresses, the preferred first; `oneClick`: a POST to the `https:` one is enough (RFC 8058). */
  unsubscribe?: { links: string[]; oneClick: boolean };
  dkim?: { domain: string; selector: string; privateKey: string };
}

/**
 * Composes the exact bytes to archive and to send, with CRLF. The same mail gives the same bytes (a DKIM signature
 * excepted). Throws on an address, Message-ID or marker that isn't a plain one: those are made by us.
 */
export async function composeMail(mail: OutMail): Promise<Buffer> {
  const id = checkedId(mail.messageId);
  const colon = mail.loopHeader.indexOf(':');
  const marker = mail.loopHeader.slice(0, colon).trim();
  if (!/^[A-Za-z][A-Za-z0-9-]{0,60}$/.test(marker)) throw new Error('composeMail: the loop header has no plain name');
  const { from, to } = { from: checkedAddress(mail.from), to: checkedAddress(mail.to) };
  const fields = [
    field('Date', mail.date.toUTCString().replace('GMT', '+0000')),
    field('From', mailbox(from)),
    field('To', mailbox(to)),
    ...(mail.replyTo ? [field('Reply-To', mailbox(checkedAddress(mail.replyTo)))] : []),
    field('Subject', headerText(oneLine(mail.subject, SUBJECT_MAX))),
    field('Message-ID', id),
    ...(mail.inReplyTo === undefined ? [] : [field('In-Reply-To', checkedId(mail.inReplyTo))]),
    ...(mail.references ? threadOf(mail) : []),
    field(
      'Auto-Submitted',
      mail.kind === 'receipt' || mail.inReplyTo !== undefined ? 'auto-replied' : 'auto-generated',
    ),
    field('X-Auto-Response-Suppress', 'All'),
    field(marker, headerText(oneLine(mail.loopHeader.slice(colon + 1), 200))),
    ...(mail.list === undefined ? [] : [field('List-Id', listId(mail.list))]),
    ...(mail.unsubscribe === undefined ? [] : unsubscribeFields(mail.unsubscribe)),
    'MIME-Version: 1.0',
  ];
  const content = contentOf(mail, sha256(id).slice(0, 24));
  const bytes = Buffer.from(whole({ fields: [...fields, ...content.fields], body: content.body }), 'latin1');
  return mail.dkim ? signed(bytes, mail, mail.dkim) : bytes;
}

function listId({ name, id }: { name: string; id: string }): string {
  if (!/^[a-z0-9-]{1,60}(?:\.[a-z0-9-]{1,60}){1,8}$/.test(id)) throw new Error('composeMail: not a list id');
  return `${headerText(oneLine(name, NAME_MAX).replace(/[<>"\\]/g, ' '))} <${id}>`;
}

function unsubscribeFields({ links, oneClick }: { links: string[]; oneClick: boolean }): string[] {
  const listed = links.map((link) => `<${checkedLink(link)}>`).join(', ');
  return [
    field('List-Unsubscribe', listed),
    ...(oneClick ? [field('List-Unsubscribe-Post', 'List-Unsubscribe=One-Click')] : []),
  ];
}

/** Fields that are signed: one-click unsubscribing asks for both of its own (RFC 8058). */
const SIGNED_FIELDS = [
  'From:Reply-To:Subject:Date:Message-ID:To:MIME-Version:Content-Type:Content-Transfer-Encoding',
  'In-Reply-To:References:List-Id:List-Unsubscribe:List-Unsubscribe-Post:Auto-Submitted',
].join(':');

/** The parts. Boundaries are made from the id: the same mail has the same bytes. */
function contentOf(mail: OutMail, mark: string): MailPart {
  const files = mail.attachments.map((file) => ({
    ...file,
    contentType: oneLine(file.contentType, NAME_MAX),
    filename: oneLine(file.filename, FILE_NAME_MAX).replace(/[/\\]/g, '_'),
  }));
  const shown = files.filter((file) => file.cid !== undefined && mail.html !== undefined);
  const flowed = mail.flowed ? mail.text.replace(/\r\n|\n|\r/g, '\r\n') : flow(mail.text);
  const text = textPart('text/plain; charset=utf-8; format=flowed', flowed);
  const page =
    mail.html === undefined
      ? []
      : [together('related', [pagePart(mail.html), ...shown.map(filePart)], `----r-${mark}`)];
  const words = together('alternative', [text, ...page], `----a-${mark}`);
  const attached = files.filter((file) => !shown.includes(file)).map(filePart);
  return together('mixed', [words, ...attached], `----m-${mark}`);
}

async function signed(bytes: Buffer, mail: OutMail, dkim: NonNullable<OutMail['dkim']>): Promise<Buffer> {
  const transport = nodemailer.createTransport({
    streamTransport: true,
    buffer: true,
    newline: 'windows',
    disableFileAccess: true,
    disableUrlAccess: true,
    dkim: {
      domainName: dkim.domain,
      keySelector: dkim.selector,
      privateKey: dkim.privateKey,
      headerFieldNames: SIGNED_FIELDS,
    },
  });
  const envelope = { from: mail.envelopeFrom, to: [mail.to.address] };
  return (await transport.sendMail({ raw: bytes, envelope })).message as Buffer;
}

/** `References` with the mail that is answered, where there is anything to refer to. */
function threadOf(mail: OutMail): string[] {
  const ids = (mail.references ?? []).filter((id) => isMessageId(id)).slice(-REFERENCES_MAX);
  const all = mail.inReplyTo !== undefined && !ids.includes(mail.inReplyTo) ? [...ids, mail.inReplyTo] : ids;
  return all.length > 0 ? [field('References', all.join(' '))] : [];
}

function isMessageId(id: string): boolean {
  return /^<[!-;=?-~]{1,250}>$/.test(id);
}

function checkedId(id: string): string {
  if (!isMessageId(id)) throw new Error('composeMail: not a Message-ID');
  return id;
}

function checkedAddress(addr: Addr): { name: string; address: string } {
  if (!isPlainAddress(addr.address)) throw new Error('composeMail: not a plain address');
  return { name: oneLine(addr.name ?? '', NAME_MAX), address: addr.address };
}

function checkedLink(link: string): string {
  if (!/^(?:mailto|https):[!-;=?-~]{1,500}$/.test(link)) throw new Error('composeMail: not a link to unsubscribe');
  return link;
}

/** A header value for people: no line break, no control character, cut at `most` characters. */
function oneLine(text: string, most: number): string {
  return [...text.replace(/[\s\p{Cc}\u2028\u2029]+/gu, ' ').trim()].slice(0, most).join('');
}

/**
 * Text as format=flowed (RFC 3676): lines longer than 76 columns flow, shorter ones stay as they are, no line ends in a
 * blank by accident, and lines that begin with a blank, `>` or `From ` are stuffed.
 */
export function flow(text: string): string {
  const out: string[] = [];
  for (const raw of text.split(/\r\n|\n|\r/)) {
    let line = raw === '-- ' ? raw : raw.trimEnd();
    if (line === '-- ') {
      out.push(line);
      continue;
    }
    while (line.length > FLOW_COLUMNS) {
      let cut = line.lastIndexOf(' ', FLOW_COLUMNS - 2);
      // A cut must leave words on both sides, else the next blank will do.
      if (line.slice(0, cut + 1).trim() === '') cut = line.indexOf(' ', FLOW_COLUMNS - 2);
      if (cut < 0) break;
      out.push(stuffed(line.slice(0, cut + 1)));
      line = line.slice(cut + 1);
    }
    out.push(stuffed(line));
  }
  return out.join('\r\n');
}

function stuffed(line: string): string {
  return /^(?: |>|From )/.test(line) ? ` ${line}` : line;
}

export type SendResult = { ok: true; response: string } | { ok: false; permanent: boolean; response: string };

export interface SenderOptions {
  /** `smtp://` or `smtps://`, with user and password where the server wants them. */
  url: string;
  log: Log;
  rate?: {
    /** Mails a minute altogether. */
    perMinute?: number;
    /** Mails a minute to one receiving domain. */
    perDomainPerMinute?: number;
    connections?: number;
  };
  /** Milliseconds that one mail may take. */
  sendMs?: number;
}

export interface Sender {
  /** Sends ready bytes to one recipient. Never throws. Not permanent: worth another try with the same bytes. */
  send(bytes: Buffer, envelope: { from: string; to: string }): Promise<SendResult>;
  close(): void;
}

/** Whether connections to the host stay on this machine. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || host === '::1' || /^127\./.test(host);
}

/** Opens a pool of connections to the outgoing server. TLS is required unless it is on this machine. */
export function openSender(options: SenderOptions): Sender {
  const url = new URL(options.url);
  const secure = url.protocol === 'smtps:';
  const local = isLoopback(url.hostname);
  const transport = nodemailer.createTransport({
    pool: true,
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? (secure ? 465 : 587) : Number(url.port),
    secure,
    ...(secure ? {} : local ? { ignoreTLS: true } : { requireTLS: true }),
    ...(url.username === ''
      ? {}
      : { auth: { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) } }),
    maxConnections: options.rate?.connections ?? 5,
    maxMessages: 100,
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    socketTimeout: ANSWER_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
    logger: false,
    ...{ maxResponseSize: ANSWER_BYTES_MAX },
  });
  transport.on('error', (error) => options.log.warn({ error: error.message }, 'the outgoing mail server failed'));
  const perMinute = options.rate?.perMinute;
  const perDomain = options.rate?.perDomainPerMinute;
  const overall = perMinute === undefined ? undefined : rateLimit(perMinute, Math.max(1, perMinute / 6));
  const byDomain = perDomain === undefined ? undefined : rateLimit(perDomain, Math.max(1, perDomain / 6));
  return {
    async send(bytes, envelope) {
      if (!isPlainAddress(envelope.to) || (envelope.from !== '' && !isPlainAddress(envelope.from)))
        return { ok: false, permanent: true, response: 'not a plain address' };
      const domain = envelope.to.slice(envelope.to.lastIndexOf('@') + 1).toLowerCase();
      const now = Date.now();
      if ((overall && overall.wait('', now) > 0) || (byDomain && byDomain.wait(domain, now) > 0))
        return { ok: false, permanent: false, response: 'held back by our own rate limit' };
      overall?.take('', now);
      byDomain?.take(domain, now);
      try {
        const info = await transport.sendMail({
          raw: bytes,
          envelope: { from: envelope.from, to: [envelope.to] },
          ...{ signal: AbortSignal.timeout(options.sendMs ?? SEND_MS) },
        });
        return { ok: true, response: oneLine(String(info.response ?? ''), 500) };
      } catch (error) {
        return failureOf(error);
      }
    },
    close: () => transport.close(),
  };
}

/** Codes that blame us or the way, not the recipient: authentication and encryption. */
const OURS = new Set([530, 534, 535, 538]);

/**
 * 5xx is permanent, unless it is about our own login; 4xx and everything without a code is not. A connection lost after
 * the data were sent leaves the outcome open: the same bytes may be sent again, known by their Message-ID.
 */
function failureOf(error: unknown): { ok: false; permanent: boolean; response: string } {
  const { responseCode, code, response, message } = error as {
    responseCode?: number;
    code?: string;
    response?: string;
    message?: string;
  };
  const refused = responseCode !== undefined && responseCode >= 500 && responseCode < 600;
  const permanent = refused && !OURS.has(responseCode) && code !== 'EAUTH' && code !== 'ETLS';
  return { ok: false, permanent, response: oneLine(response ?? message ?? String(code ?? 'unknown'), 500) };
}
