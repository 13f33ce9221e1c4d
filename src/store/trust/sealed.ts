/**
 * Mails hold what lets somebody speak for a seat or sign in: secret addresses, codes, links. At rest they are sealed with
 * the club's secret, and whoever is shown a mail sees these words blanked. The exact bytes stay, for whoever must prove them.
 */
import { sql } from 'kysely';
import { type Db, type Reader, tables } from '../db.ts';
import { mailInById } from '../mail.ts';
import { json, type MailFacts, type MailInRow } from '../schema.ts';
import { seal, unseal } from '../seal.ts';

const PURPOSE = 'mail';
/** How sealed bytes begin: no mail begins so. Mails of before are stored as they came. */
const MARK = Buffer.from('\0sealed\0', 'latin1');
const SEALED_TEXT = 'sealed:';
export const BLANK = '[blanked]';

/** What seals and opens: the club's secret, and chance for a nonce. */
export interface Sealing {
  secret: Buffer;
  randomBytes(count: number): Buffer;
}

/** Letters of a word that may be broken by the soft line ends of quoted-printable. */
const soft = (letter: string, count: number): string => `(?:${letter}(?:=\\r?\\n)?){${count}}`;
const CODE = (letter: string): string => [1, 2, 3].map(() => soft(letter, 4)).join('-(?:=\\r?\\n)?');
const SECRETS: readonly RegExp[] = [
  // A secret address: twenty letters behind a plus, in a header, a link or a text.
  new RegExp(`(?<=\\+|%2B|=2B)(?:=\\r?\\n)?${soft('[a-z2-7]', 20)}(?=@|%40|=40)`, 'gi'),
  new RegExp(`(?<=confirm(?:[\\s+_]|%20|=20|=\\r?\\n){1,4})${CODE('[a-z2-9]')}`, 'gi'),
  new RegExp(`(?<=signin/(?:=\\r?\\n)?)${CODE('[a-z2-9]')}`, 'gi'),
  new RegExp(`(?<![A-Z0-9-])${CODE('[A-Z2-9]')}(?![A-Z0-9-])`, 'g'),
];
const BASE64_RUN = /(?:^[A-Za-z0-9+/]{16,}={0,2}\r?$\n?)+/gm;

/** Does a text hold a secret address, a code or a link to sign in? */
function holdsSecret(text: string): boolean {
  return SECRETS.some((pattern) => text.search(pattern) >= 0);
}

/** The text without its secrets. */
export function blankText(text: string): string {
  return SECRETS.reduce((left, pattern) => left.replace(pattern, BLANK), text);
}

/** A whole mail without its secrets, also where a part of it is packed as base64. The same bytes where there are none. */
export function blankMail(raw: Buffer): Buffer {
  const text = raw.toString('latin1');
  const opened = text.replace(BASE64_RUN, (run) =>
    holdsSecret(Buffer.from(run.replace(/\s+/g, ''), 'base64').toString('latin1')) ? `${BLANK}\r\n` : run,
  );
  const blanked = blankText(opened);
  return blanked === text ? raw : Buffer.from(blanked, 'latin1');
}

/** Every text in a value from a table without its secrets. */
export function blankDeep<T>(value: T): T {
  if (typeof value === 'string') return blankText(value) as T;
  if (value === null || typeof value !== 'object' || Buffer.isBuffer(value) || value instanceof Date) return value;
  if (Array.isArray(value)) return value.map((one: unknown) => blankDeep(one)) as T;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, blankDeep(one)])) as T;
}

/** A mail's bytes as they are stored. */
export function sealMail(with_: Sealing, raw: Buffer): Buffer {
  return Buffer.concat([MARK, seal(with_.secret, PURPOSE, raw, with_.randomBytes(12))]);
}

/** A mail's bytes as they came or went, whether they were stored sealed or not. */
export function openMail(secret: Buffer, stored: Buffer): Buffer {
  if (!stored.subarray(0, MARK.length).equals(MARK)) return stored;
  return unseal(secret, PURPOSE, stored.subarray(MARK.length));
}

function sealText(with_: Sealing, text: string): string {
  return SEALED_TEXT + seal(with_.secret, PURPOSE, Buffer.from(text), with_.randomBytes(12)).toString('base64');
}

function openText(secret: Buffer, text: string): string {
  if (!text.startsWith(SEALED_TEXT)) return text;
  return unseal(secret, PURPOSE, Buffer.from(text.slice(SEALED_TEXT.length), 'base64')).toString();
}

/** An envelope as it is stored: secret addresses sealed. */
export function sealEnvelope(with_: Sealing, envelope: MailInRow['envelope']): MailInRow['envelope'] {
  if (envelope === null) return null;
  const rcptTo = envelope.rcptTo.map((address) => (holdsSecret(address) ? sealText(with_, address) : address));
  return { ...envelope, rcptTo };
}

/** What a mail is made from, as it is stored: sealed as a whole where it holds a code or a link. */
export function sealFacts(with_: Sealing, facts: MailFacts): MailFacts {
  const text = JSON.stringify(facts);
  return holdsSecret(text) ? { make: 'sealed', sealed: sealText(with_, text) } : facts;
}

export type OpenFacts = Exclude<MailFacts, { make: 'sealed' }>;

export function openFacts(secret: Buffer, facts: MailFacts): OpenFacts {
  return facts.make === 'sealed' ? (JSON.parse(openText(secret, facts.sealed)) as OpenFacts) : facts;
}

/** A received mail with its bytes and its envelope opened. */
export async function mailInOpened(db: Reader, secret: Buffer, id: number): Promise<MailInRow | undefined> {
  const row = await mailInById(db, id);
  if (!row) return undefined;
  const { raw, envelope } = row;
  return {
    ...row,
    raw: raw === null ? null : openMail(secret, raw),
    envelope: envelope && { ...envelope, rcptTo: envelope.rcptTo.map((address) => openText(secret, address)) },
  };
}

/**
 * Seals some mails of before that were stored as they came, and blanks their subjects. Returns the number of the last one
 * looked at in each table; called again from there until it stays.
 */
export async function sealOld(
  db: Db,
  with_: Sealing,
  after: { in: number; out: number },
  most: number,
): Promise<{ in: number; out: number }> {
  const done = { ...after };
  for (const [name, table] of [
    ['in', 'mail_in'],
    ['out', 'mail_out'],
  ] as const) {
    const rows = await tables(db)
      .selectFrom(table)
      .select(['id', 'raw', 'subject'])
      .where('id', '>', after[name])
      .orderBy('id')
      .limit(most)
      .execute();
    for (const { id, raw, subject } of rows) {
      done[name] = id;
      const plain = raw !== null && !raw.subarray(0, MARK.length).equals(MARK);
      if (!plain && !holdsSecret(subject ?? '')) continue;
      await sql`update ${sql.table(table)} set raw = ${plain ? sealMail(with_, raw) : raw},
        subject = ${subject === null ? null : blankText(subject)} where id = ${id}`.execute(tables(db));
    }
  }
  await sealOldRest(db, with_, after, done);
  return done;
}

/** Envelopes and facts of the same rows. */
async function sealOldRest(
  db: Db,
  with_: Sealing,
  after: { in: number; out: number },
  done: { in: number; out: number },
): Promise<void> {
  const came = await tables(db)
    .selectFrom('mail_in')
    .select(['id', 'envelope'])
    .where('id', '>', after.in)
    .where('id', '<=', done.in)
    .execute();
  for (const { id, envelope } of came)
    if (envelope?.rcptTo.some(holdsSecret))
      await tables(db)
        .updateTable('mail_in')
        .set({ envelope: json(sealEnvelope(with_, envelope)) })
        .where('id', '=', id)
        .execute();
  const went = await tables(db)
    .selectFrom('mail_out')
    .select(['id', 'facts'])
    .where('id', '>', after.out)
    .where('id', '<=', done.out)
    .execute();
  for (const { id, facts } of went) {
    const sealed = sealFacts(with_, facts);
    if (sealed !== facts)
      await tables(db)
        .updateTable('mail_out')
        .set({ facts: json(sealed) })
        .where('id', '=', id)
        .execute();
  }
}
