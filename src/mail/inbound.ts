/**
 * From raw bytes to what a player wrote. The rules are those of the mail corpus (test/mail/fixtures).
 */
import { sha256 } from '../kernel/hash.ts';
import { clip, decodeText, looksLikeText, PART_TEXT_MAX } from './bytes/charset.ts';
import { allFields, firstField, type MailField, messageIds, readable } from './bytes/headers.ts';
import { htmlToLines, isPage, struckOut } from './bytes/html.ts';
import { type Leaf, type MailTree, splitMail } from './bytes/mime.ts';
import type { Wrapping } from './lines/block.ts';
import {
  type MailCommand,
  type MailReading,
  nothingRead,
  rawLines,
  readLines,
  subjectCommands,
} from './lines/lines.ts';
import { type ProfileWords, wordsOf } from './lines/profilewords.ts';
import type { Profile } from './profile.ts';
import { parseMailboxes, parsePlusTag } from './sender/address.ts';
import { type BounceFacts, readBounce } from './sender/bounce.ts';
import { authorOf, type Dmarc, dmarcOf, fromNobody, isAbsence, robotOf } from './sender/screen.ts';

type MailKind = 'orders' | 'autoreply' | 'bounce' | 'mdn' | 'loop' | 'empty' | 'reject';

type RejectReason =
  | 'too-large'
  | 'too-long'
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

/** Text files of one mail that are read. */
const FILES_MAX = 10;

/** What a mail says. Every text in it is free of line breaks and control characters, `press` excepted. */
export interface InboundMessage {
  kind: MailKind;
  /** The one author's address in lower case, or null where nobody can be held to be the author. */
  from: string | null;
  fromName: string | null;
  reason?: RejectReason;
  /** Why the body can't be read as it stands: nothing in it though commands are in the subject, or its orders cut off. */
  bodyFault?: RejectReason;
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
  /** Addresses of To, Cc, Delivered-To and X-Original-To, lower case, tags included. */
  recipients: string[];
  /** All To and Cc addresses, when somebody besides us and the author is among them; else empty. */
  inPublic: string[];
  dmarc: Dmarc;
  listId: string | null;
  /** Its return path is the null sender: never answered. */
  fromNobody: boolean;
  /** Nothing was written, but the quoted text holds an order form that isn't as we sent it. */
  quotedForm: boolean;
  /** The lines of that form as read; empty unless `quotedForm`. */
  quotedLines: string[];
  /** Places in `orderLines` of lines that are chat: greetings, sign-offs. */
  chat: number[];
  /** The author's own lines that are neither orders nor commands, chat included. */
  notRead: string[];
  /** Own lines outside of any block that look like orders. */
  strays: string[];
  /** Typed numbers before the order lines don't run 1, 2, 3. */
  misnumbered: boolean;
  /** Order lines with a typed number, as written. */
  numbered: string[];
  /** Files that came with the mail, for an answer that names them: type and file name. */
  files: { type: string; name: string }[];
  /** SHA-256 over author, subject, order lines and commands: equal for copies of one mail. */
  digest: string;
}

export interface ReadingOptions {
  /** A list that may be used changed the mail on the way, so a DMARC failure is not held against it. */
  listed?: boolean;
  /** Whether order lines are, unchanged, those of a form that we sent. */
  sent?: (lines: readonly string[]) => boolean;
}

/** Reads a raw mail. Never throws for a bad mail: what is wrong with it is in `kind` and `reason`. */
export async function readInbound(
  raw: Buffer,
  profile: Profile,
  options: ReadingOptions = {},
): Promise<InboundMessage> {
  const tree = await splitMail(raw);
  const author = authorOf(tree.fields);
  const message: InboundMessage = {
    kind: 'empty',
    from: author.from,
    fromName: author.fromName,
    gameRef: null,
    orderLines: [],
    commands: [],
    ...headerFacts(tree.fields, author.from, profile),
    quotedForm: false,
    quotedLines: [],
    chat: [],
    notRead: [],
    strays: [],
    misnumbered: false,
    numbered: [],
    files: [],
    digest: '',
  };
  const robot = tree.broken ? undefined : robotOf(tree.fields, author, profile);
  const trouble = tree.broken ?? author.fault ?? (message.dmarc === 'fail' && !options.listed ? 'spoof' : undefined);
  if (robot) {
    message.kind = robot;
    if (robot === 'bounce') message.bounce = readBounce(tree.fields, tree.leaves);
  } else if (trouble) {
    message.kind = 'reject';
    message.reason = trouble;
  } else readContent(message, tree, profile, options.sent ?? (() => false));
  message.digest = digestOf(message);
  return message;
}

function headerFacts(fields: readonly MailField[], author: string | null, profile: Profile) {
  const addresses = (name: string): string[] =>
    allFields(fields, name)
      .flatMap((value) => parseMailboxes(value))
      .flatMap((mailbox) => (mailbox.address === null ? [] : [mailbox.address]));
  const visible = [...addresses('to'), ...addresses('cc')];
  const others = visible.filter((address) => address !== author && parsePlusTag(address, profile) === null);
  const date = firstField(fields, 'date');
  const listId = firstField(fields, 'list-id');
  return {
    subject: readable(firstField(fields, 'subject') ?? ''),
    messageId: messageIds(firstField(fields, 'message-id'))[0] ?? null,
    inReplyTo: messageIds(firstField(fields, 'in-reply-to'))[0] ?? null,
    references: messageIds(firstField(fields, 'references')),
    date: date === undefined ? null : readable(date),
    recipients: [...new Set([...visible, ...addresses('delivered-to'), ...addresses('x-original-to')])],
    inPublic: others.length > 0 ? [...new Set(visible)] : [],
    dmarc: dmarcOf(fields, profile),
    listId: listId === undefined ? null : readable(listId),
    fromNobody: fromNobody(fields),
  };
}

/** A part's block of orders and where it stood. */
interface Found {
  reading: MailReading;
  source: 'text' | 'html' | 'attachment';
}

function readContent(
  message: InboundMessage,
  tree: MailTree,
  profile: Profile,
  sent: (lines: readonly string[]) => boolean,
): void {
  const { leaves } = tree;
  const words = wordsOf(profile);
  message.files = leaves
    .filter((leaf) => leaf.fileName !== '' || leaf.disposition === 'attachment')
    .slice(0, FILES_MAX)
    .map((leaf) => ({ type: readable(leaf.type), name: readable(leaf.fileName) }));
  const body = readBody(leaves, words);
  const files = leaves
    .filter(isTextFile)
    .slice(0, FILES_MAX)
    .map((leaf) => readFile(leaf, words))
    // Our own form, come back as it was sent, says nothing.
    .filter(({ reading }) => !reading.block || !sent(reading.block));
  const own = body.reading;
  if (own.block && own.proseAbove && sent(own.block)) {
    delete own.block;
    own.chat = new Set();
    own.commands = own.commandsOutside;
  }
  const found: Found[] = [body, ...files].filter(({ reading }) => reading.block !== undefined);
  const first = found[0];
  message.commands = [...subjectCommands(message.subject, words), ...body.reading.commands];
  const lines = first?.reading.block ?? [];
  if (found.some(({ reading }) => reading.block!.join('\n') !== lines.join('\n'))) {
    message.kind = 'reject';
    message.reason = 'ambiguous';
    message.commands = [];
    return;
  }
  if (first) {
    takeBlock(message, first, leaves);
  } else if (message.commands.length > 0) {
    message.kind = 'orders';
    message.source = 'text';
    // A command in the subject never hides what is wrong with the body.
    const fault = own.commands.length === 0 ? reasonWithoutBlock(tree, own) : undefined;
    if (fault) message.bodyFault = fault;
  } else {
    const reason = reasonWithoutBlock(tree, body.reading);
    if (reason) {
      message.kind = 'reject';
      message.reason = reason;
      return;
    }
    if (isAbsence(tree.fields, message.subject)) {
      message.kind = 'autoreply';
      return;
    }
    const quoted = own.quotedBlocks.length > 0 ? own.quotedBlocks : quotedInHtml(leaves, words);
    const edited = quoted.filter((block) => !sent(block)).at(-1);
    message.quotedForm = edited !== undefined;
    message.quotedLines = edited ?? [];
  }
  for (const { reading } of [body, ...files]) {
    message.notRead.push(...reading.notRead);
    message.strays.push(...reading.strays);
  }
  message.gameRef = first?.reading.gameRef ?? referenceOf(message, tree.fields, profile, words);
}

function takeBlock(message: InboundMessage, { reading, source }: Found, leaves: readonly Leaf[]): void {
  const { block = [], chat, misnumbered, numbered } = reading;
  Object.assign(message, { kind: 'orders', source, orderLines: block, chat: [...chat], misnumbered, numbered });
  // A block that goes on where reading stopped is not what its author wrote.
  if (reading.toTheEnd && leaves.some(isCut)) message.bodyFault = 'too-long';
}

/** The game in the subject, else in the tag of an address of ours. */
function referenceOf(
  message: InboundMessage,
  fields: readonly MailField[],
  profile: Profile,
  words: ProfileWords,
): string | null {
  const inSubject = words.referenceWithin.exec(message.subject);
  if (inSubject) return inSubject[0].toUpperCase();
  for (const name of ['to', 'delivered-to', 'x-original-to']) {
    for (const { address } of allFields(fields, name).flatMap((value) => parseMailboxes(value))) {
      const tag = address === null ? null : (parsePlusTag(address, profile)?.tag ?? null);
      if (tag !== null && words.reference.test(tag)) return tag.toUpperCase();
    }
  }
  return null;
}

function isBody(leaf: Leaf): boolean {
  return leaf.fileName === '' && leaf.disposition !== 'attachment';
}

function isTextFile(leaf: Leaf): boolean {
  if (isBody(leaf) || NEVER_READ.test(leaf.type)) return false;
  return /\.(?:txt|ord)\s*$/i.test(leaf.fileName) || leaf.type === 'text/plain';
}

/** Never opened, whatever their names. */
const NEVER_READ = /^(?:message\/|text\/calendar$|application\/(?:ics$|(?:vnd\.)?ms-tnef$|(?:x-)?pkcs7|pgp-))/;

/** Is a text so long that its end is not read? */
function isCut(leaf: Leaf): boolean {
  return (leaf.type.startsWith('text/') || isTextFile(leaf)) && leaf.bytes().length > PART_TEXT_MAX;
}

/** A part's text, never more than the limit; a line (in HTML: an element) cut in two at the limit is left out. */
function textOf(leaf: Leaf): string {
  const { bytes, cut } = clip(leaf.bytes());
  const text = decodeText(bytes, leaf.charset);
  if (!cut) return text;
  return text.slice(
    0,
    Math.max(0, ...(leaf.type === 'text/html' ? ['<'] : ['\n', '\r']).map((c) => text.lastIndexOf(c))),
  );
}

function readBody(leaves: readonly Leaf[], words: ProfileWords): Found {
  const plain = leaves.filter((leaf) => isBody(leaf) && leaf.type === 'text/plain');
  const parts = plain.map((leaf): { lines: readonly string[]; wrapping: Wrapping } => {
    const said = textOf(leaf);
    if (isPage(said)) return { lines: rawLines(htmlToLines(said), NOT_FLOWED, words), wrapping: 'html' };
    return { lines: rawLines(said, leaf, words), wrapping: leaf.flowed ? 'flowed' : 'wrapped' };
  });
  const raw = parts.length === 1 ? parts[0]!.lines : parts.flatMap(({ lines }) => lines);
  const wrappings = parts.length > 1 ? parts.flatMap(({ lines, wrapping }) => lines.map(() => wrapping)) : [];
  const only = parts[0]?.wrapping ?? 'wrapped';
  const text: Found = { reading: readLines(raw, (line) => wrappings[line] ?? only, words), source: 'text' };
  const pages = leaves.filter((leaf) => isBody(leaf) && leaf.type === 'text/html').map(textOf);
  if (pages.length === 0) return text;
  const struck = pages.some(struckOut);
  if (text.reading.block && !struck && !raw.some((line) => FORMATTED.test(line))) return text;
  const shown = pages.map((page) => htmlToLines(page)).join('\n');
  const html: Found = { reading: readLines(rawLines(shown, NOT_FLOWED, words), () => 'html', words), source: 'html' };
  if (html.reading.block) return html;
  // What was struck out stands in the text as if it counted: the page decides.
  if (text.reading.block) return struck ? html : text;
  // An alternative says a command twice: the HTML counts only where the text says nothing.
  if (text.reading.commands.length > 0 || raw.some((line) => line.trim() !== '')) return text;
  return html;
}

const NOT_FLOWED = { flowed: false, delSp: false };
/** Bold as the text part of a mail keeps it: `*MOVE* …`. */
const FORMATTED = /^[\s\d.)-]{0,8}(?:\*[^\s*][^*]{0,200}\*|_[^\s_][^_]{0,200}_)/;

function readFile(leaf: Leaf, words: ProfileWords): Found {
  if (!looksLikeText(leaf.bytes(), leaf.charset)) return { reading: nothingRead(), source: 'attachment' };
  const flow = leaf.type === 'text/plain' ? leaf : NOT_FLOWED;
  const raw = rawLines(textOf(leaf), flow, words);
  return { reading: readLines(raw, () => (flow.flowed ? 'flowed' : 'wrapped'), words), source: 'attachment' };
}

function quotedInHtml(leaves: readonly Leaf[], words: ProfileWords): string[][] {
  for (const leaf of leaves) {
    if (!isBody(leaf) || leaf.type !== 'text/html') continue;
    const reading = readLines(
      rawLines(htmlToLines(textOf(leaf), 'with-quotes'), NOT_FLOWED, words),
      () => 'html',
      words,
    );
    const blocks = reading.block ? [reading.block] : reading.quotedBlocks;
    if (blocks.length > 0) return blocks;
  }
  return [];
}

/** Why there is no block, in the order of the rules; undefined for a mail that simply says nothing. */
function reasonWithoutBlock(tree: MailTree, body: MailReading): RejectReason | undefined {
  const { leaves } = tree;
  const smime = leaves.filter(
    (leaf) => /^application\/(?:x-)?pkcs7-mime$/.test(leaf.type) || /\.p7m$/i.test(leaf.fileName),
  );
  if (tree.multiparts.has('multipart/encrypted') || body.encrypted || smime.some(isEnveloped)) return 'encrypted';
  if (smime.length > 0) return 'opaque-smime';
  if (
    leaves.some((leaf) => /^application\/(?:vnd\.)?ms-tnef$/.test(leaf.type) || /^winmail\.dat$/i.test(leaf.fileName))
  )
    return 'tnef';
  if (leaves.some(isUnreadFile)) return 'attachment-type';
  return leaves.some(isCalendar) ? 'calendar' : undefined;
}

const ENVELOPED = Buffer.from([0x06, 0x09, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x07, 0x03]);

function isEnveloped(leaf: Leaf): boolean {
  const declared = (leaf.params()['smime-type'] ?? '').toLowerCase();
  if (declared !== '') return declared.includes('enveloped');
  return leaf.bytes().subarray(0, 64).includes(ENVELOPED);
}

function isCalendar(leaf: Leaf): boolean {
  return /^(?:text\/(?:x-v)?calendar|application\/ics)$/.test(leaf.type) || /\.(?:ics|vcs)$/i.test(leaf.fileName);
}

/** A file that might have held orders and was not opened. Signatures, inline pictures and whole mails are none. */
function isUnreadFile(leaf: Leaf): boolean {
  if (isCalendar(leaf) || leaf.type.startsWith('message/')) return false;
  if (/^application\/(?:pgp-|(?:x-)?pkcs7)/.test(leaf.type) || /\.(?:p7s|asc|sig|vcf)$/i.test(leaf.fileName))
    return false;
  if (isTextFile(leaf)) return !looksLikeText(leaf.bytes(), leaf.charset);
  if (leaf.type.startsWith('image/') && leaf.disposition !== 'attachment') return false;
  if (leaf.contentId && leaf.parent === 'multipart/related') return false;
  if (isBody(leaf)) return !/^(?:text|multipart)\//.test(leaf.type);
  return true;
}

function digestOf(message: InboundMessage): string {
  return sha256(JSON.stringify([message.from, message.subject, message.orderLines, message.commands]));
}

/** The fields of a mail that `read-mail` prints, in the form of the mail corpus. */
export interface CorpusRecord {
  kind: MailKind;
  from: string | null;
  gameRef: string | null;
  orderLines: string[];
  reason?: RejectReason;
  source?: 'text' | 'html' | 'attachment';
  bounce?: { finalRecipient: string | null; status: string | null; permanent: boolean };
  commands?: MailCommand[];
}

/** The record of a mail for `read-mail`; fields that say nothing are left out. */
export function corpusRecord(message: InboundMessage): CorpusRecord {
  const { kind, from, gameRef, orderLines, reason, source, bounce, commands } = message;
  const record: CorpusRecord = { kind, from, gameRef, orderLines };
  if (reason) record.reason = reason;
  if (source) record.source = source;
  if (bounce) {
    const { finalRecipient, status, permanent } = bounce;
    record.bounce = { finalRecipient, status, permanent };
  }
  if (commands.length > 0) record.commands = commands;
  return record;
}
