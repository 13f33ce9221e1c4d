/**
 * Addresses: who wrote, to whom, and the tag of a plus-address. Strict, because an address decides whose orders these are.
 */
import type { Profile } from '../profile.ts';

/** Characters of one address header that are looked at. */
const LIST_LENGTH_MAX = 16 * 1024;
/** Addresses read from one header. */
const LIST_MAX = 200;
const ADDRESS_LENGTH_MAX = 254;

const PLAIN =
  /^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?)*$/;

/** Whether the text is one plain `local@domain`: ASCII, nothing quoted, no encoded word, no blank, no line break. */
export function isPlainAddress(text: string): boolean {
  return text.length <= ADDRESS_LENGTH_MAX && PLAIN.test(text) && !text.includes('=?');
}

/** Whether two addresses are the same mailbox. Case is ignored on both sides of the `@`, as every big host does. */
export function sameAddress(a: string, b: string): boolean {
  return a.trim().toLowerCase() === b.trim().toLowerCase();
}

/** One entry of an address header: the address where it is a plain one, and the display name, still encoded. */
export interface Mailbox {
  address: string | null;
  name: string;
}

/**
 * Splits an address header at its top-level commas. Quotes, comments and angle brackets are honoured, groups and routes
 * give `address: null`, encoded words stay as they are. Linear in the length of the header.
 */
export function parseMailboxes(header: string): Mailbox[] {
  const simple = simpleMailbox(header);
  if (simple) return [simple];
  const entries: Mailbox[] = [];
  for (const entry of splitEntries(header.slice(0, LIST_LENGTH_MAX))) {
    if (entry.text.trim() === '' && entry.angle.length === 0 && entry.comment === '') continue;
    entries.push(readEntry(entry));
    if (entries.length >= LIST_MAX) break;
  }
  return entries;
}

const SIMPLE = /^([^"(),:;<>@\\]*)<([^"(),:;<>\\\s]+)>$/;

/** `Anna Berg <anna@example.com>` and `anna@example.com`, as most headers are; undefined for all that takes more thought. */
function simpleMailbox(header: string): Mailbox | undefined {
  if (header.length > ADDRESS_LENGTH_MAX) return undefined;
  const match = SIMPLE.exec(header);
  const address = match ? match[2]! : header;
  if (!isPlainAddress(address)) return undefined;
  return { address: address.toLowerCase(), name: match ? match[1]!.replace(/\s+/g, ' ').trim() : '' };
}

interface Entry {
  /** What stands outside of angle brackets and comments; a quoted string is kept as its words. */
  text: string;
  /** A quoted string, colon or semicolon stood in `text`. */
  quoted: boolean;
  group: boolean;
  angle: string[];
  /** Words after the closing bracket. */
  after: string;
  comment: string;
  broken: boolean;
}

function splitEntries(header: string): Entry[] {
  const fresh = (): Entry => ({
    text: '',
    quoted: false,
    group: false,
    angle: [],
    after: '',
    comment: '',
    broken: false,
  });
  const entries: Entry[] = [];
  let entry = fresh();
  let depth = 0;
  let inQuote = false;
  let inAngle = false;
  for (let i = 0; i < header.length; i++) {
    const c = header[i]!;
    if (inQuote) {
      if (c === '\\') entry.text += header[++i] ?? '';
      else if (c === '"') inQuote = false;
      else entry.text += c;
    } else if (depth > 0) {
      if (c === '\\') i++;
      else if (c === '(') depth++;
      else if (c === ')') depth--;
      else entry.comment += c;
    } else if (inAngle) {
      if (c === '>') inAngle = false;
      else entry.angle[entry.angle.length - 1] += c;
    } else if (c === '"') {
      inQuote = true;
      entry.quoted = true;
    } else if (c === '(') {
      depth = 1;
      entry.text += ' ';
    } else if (c === '<') {
      inAngle = true;
      entry.angle.push('');
    } else if (c === ',') {
      entries.push(entry);
      entry = fresh();
    } else {
      if (c === ':' || c === ';') entry.group = true;
      if (entry.angle.length > 0) entry.after += c;
      else entry.text += c;
    }
  }
  entry.broken = inQuote || inAngle || depth > 0;
  entries.push(entry);
  return entries;
}

function readEntry(entry: Entry): Mailbox {
  const name = (entry.angle.length > 0 ? entry.text : entry.comment).replace(/\s+/g, ' ').trim();
  const bad: Mailbox = { address: null, name };
  if (entry.broken || entry.group || entry.angle.length > 1 || entry.after.trim() !== '') return bad;
  const written = entry.angle[0] ?? entry.text;
  if (entry.angle.length === 0 && entry.quoted) return bad;
  const address = written.trim();
  return isPlainAddress(address) ? { address: address.toLowerCase(), name } : bad;
}

/**
 * The one address in angle brackets of a header whose display name is no proper one: with bare commas, colons, an open
 * quote or parenthesis. Null where there is none, several, or another address stands beside it.
 */
export function onlyBracketed(header: string): Mailbox | null {
  const text = header
    .slice(0, LIST_LENGTH_MAX)
    .replace(/"(?:[^"\\]|\\.){0,1000}"/g, (quoted) => quoted.replace(/[<>@,]/g, ' '))
    .replace(/\([^()]{0,1000}\)/g, (comment) => comment.replace(/[<>@,]/g, ' '));
  const found = [...text.matchAll(/<([^<>]{0,400})>/g)];
  if (found.length !== 1) return null;
  const address = found[0]![1]!.trim();
  if (!isPlainAddress(address)) return null;
  const before = text.slice(0, found[0]!.index);
  const after = text.slice(found[0]!.index + found[0]![0].length);
  // A name that repeats the address is a name; another address is a second author.
  const others = `${before} ${after}`.match(/[^\s,;:<>"']+@[^\s,;:<>"']+/g) ?? [];
  if (others.some((other) => !sameAddress(other, address))) return null;
  if (!/^[\s,;.)"']*$/.test(after.replace(/\([^()]*\)/g, ''))) return null;
  return { address: address.toLowerCase(), name: before.replace(/["\s]+/g, ' ').trim() };
}

/** How many mailboxes a From header names: entries that hold an `@` outside a quoted name. */
export function countMailboxes(header: string): number {
  if (simpleMailbox(header)) return 1;
  return splitEntries(header.slice(0, LIST_LENGTH_MAX)).reduce(
    (count, entry) =>
      count + (entry.angle.length > 0 ? entry.angle.length : !entry.quoted && entry.text.includes('@') ? 1 : 0),
    0,
  );
}

/**
 * Reads an address of our own: the mailbox and its tag (`orders+k7f2@…` has the tag `k7f2`), both in lower case.
 * Null when it is no plain address, another domain's or not one of our mailboxes.
 */
export function parsePlusTag(address: string, profile: Profile): { mailbox: string; tag: string | null } | null {
  const text = address.trim().toLowerCase();
  if (!isPlainAddress(text)) return null;
  const at = text.lastIndexOf('@');
  if (text.slice(at + 1) !== profile.ownDomain.toLowerCase()) return null;
  const local = text.slice(0, at);
  const plus = local.indexOf('+');
  const mailbox = plus < 0 ? local : local.slice(0, plus);
  if (!profile.ownMailboxes.some((own) => own.toLowerCase() === mailbox)) return null;
  const tag = plus < 0 ? '' : local.slice(plus + 1);
  return { mailbox, tag: tag === '' ? null : tag };
}

/** The address that takes the orders of the seat with this token. */
export function seatAddress(token: string, profile: Profile): string {
  return `${profile.ownMailboxes[0] ?? 'orders'}+${token}@${profile.ownDomain}`;
}
