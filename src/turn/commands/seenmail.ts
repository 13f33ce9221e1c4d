/**
 * Received mail as masters and the operator may see it: its verdict in words, and never a secret address or a code in
 * clear, with which one could write in another's name.
 */
import { plainMail } from '../../mail/bytes/plaintext.ts';
import type { Profile } from '../../mail/profile.ts';
import type { Reader } from '../../store/db.ts';
import { gameById, logAction } from '../../store/games.ts';
import { mailInById, strayMails } from '../../store/mail.ts';
import type { MailInRow, PersonRow } from '../../store/schema.ts';
import { blankText, openMail } from '../../store/trust/sealed.ts';
import type { Looking } from '../context.ts';
import { actsAsOperator, confirmFirst, type Errand, moment, no, type Said, words } from '../errand.ts';
import { deedOf } from '../phase/course.ts';
import { playsIn } from './impartial.ts';

const STRAYS_SHOWN = 100;
/** Characters of a mail that are shown. */
const MAIL_CHARS_MAX = 60_000;
const HIDDEN = '***';
/** Codes of CONFIRM, tokens of seats wherever they stand, and what our links and proofs are made of. */
const SECRETS = [
  /\b[a-z0-9]{4}\s?-\s?[a-z0-9]{4}\s?-\s?[a-z0-9]{4}\b/gi,
  /\b[abcdefghijkmnpqrstuvwxyz23456789]{20}\b/gi,
  /\b[0-9a-f]{24,}\b/gi,
  /(?<=\/(?:signin|unsubscribe)\/)[^\s"'<>]+/gi,
];

/** A text of a mail without what only its owner may know. */
export function masked(profile: Pick<Profile, 'ownDomain'>, text: string): string {
  const domain = profile.ownDomain.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const tags = new RegExp(`\\+[^\\s@<>"]{1,80}(?=@${domain})`, 'gi');
  return SECRETS.reduce((all, secret) => all.replace(secret, HIDDEN), text.replace(tags, `+${HIDDEN}`));
}

/** What became of a mail, in words. */
export function verdictText(
  { wording }: Pick<Looking, 'wording'>,
  { verdict, detail }: Pick<MailInRow, 'verdict' | 'detail'>,
): string {
  const say = (name: string): string | undefined => {
    const key = `club.verdict ${name}`;
    return wording.has(key) ? wording.say({ key }) : undefined;
  };
  const told = say(verdict ?? 'none') ?? say('other')!;
  const why = typeof detail?.why === 'string' ? say(`why ${detail.why}`) : undefined;
  return why === undefined ? told : `${told}: ${why}`;
}

/** One line of the list of stray mail, in words. */
export interface SeenMail {
  id: number;
  at: Date;
  from: string;
  subject: string;
  verdict: string;
  /** The game it was for, or empty. */
  ref: string;
}

/** Mail that belongs to no game, and refused mail, newest first. Of a game that he plays in, an operator reads no words. */
export async function seenStrays(service: Looking, db: Reader, person: PersonRow | null): Promise<SeenMail[]> {
  const seen: SeenMail[] = [];
  for (const row of await strayMails(db, STRAYS_SHOWN)) {
    const game = row.game_id === null ? undefined : await gameById(db, row.game_id);
    const plays = game !== undefined && person !== null && (await playsIn(service, db, game, person.id));
    seen.push({
      id: row.id,
      at: row.received_at,
      from: masked(service.profile, row.from_address ?? '-'),
      subject: plays ? HIDDEN : masked(service.profile, row.subject ?? ''),
      verdict: verdictText(service, row),
      ref: game?.ref ?? '',
    });
  }
  return seen;
}

/** A mail with its words, masked; undefined where its bytes are no longer kept. */
export async function seenMail(
  { profile, wording, secret }: Pick<Looking, 'profile' | 'wording' | 'secret'>,
  raw: Buffer | null,
): Promise<string | undefined> {
  if (raw === null) return undefined;
  const { header, text, files } = await plainMail(openMail(secret, raw));
  const named = files.map((file) => wording.say({ key: 'club.mail part', params: { file } }));
  return blankText(masked(profile, [...header, '', text, ...named].join('\n'))).slice(0, MAIL_CHARS_MAX);
}

/** LOG MAIL, LOG MAIL n: the operator's list of stray mail, and one of it. */
export async function logMail(errand: Errand): Promise<Said> {
  if (!actsAsOperator(errand)) return no(errand, 'not the operator');
  if (!errand.trusted) return confirmFirst(errand);
  if (errand.args.n !== undefined) return oneStray(errand, Number(errand.args.n));
  const lines = (await seenStrays(errand.service, errand.trx, errand.person)).map((mail) => {
    const game = mail.ref === '' ? '' : `  ${mail.ref}`;
    return [
      `MAIL ${mail.id}  ${moment(errand, mail.at)}${game}`,
      `  ${mail.from}  ${mail.subject}`,
      `  ${mail.verdict}`,
    ];
  });
  if (lines.length === 0) return { ok: true, paragraphs: [words(errand, 'log mail none')] };
  return { ok: true, paragraphs: [words(errand, 'log mail'), lines.flat().join('\n')] };
}

/** Looking into a mail is on record. */
async function oneStray(errand: Errand, id: number): Promise<Said> {
  const row = await mailInById(errand.trx, id);
  if (!row) return no(errand, 'no such mail', { n: id });
  const { who } = deedOf(errand);
  await logAction(errand.trx, { at: errand.now, gameId: null, who, door: errand.door, what: `read mail ${row.id}` });
  return saidMail(errand, row);
}

/** The answer that shows a mail. */
export async function saidMail(errand: Errand, row: MailInRow): Promise<Said> {
  const shown = await seenMail(errand.service, row.raw);
  if (shown === undefined) return no(errand, 'mail gone', { n: row.id });
  return {
    ok: true,
    paragraphs: [words(errand, 'mail', { n: row.id, verdict: verdictText(errand.service, row) }), shown],
  };
}
