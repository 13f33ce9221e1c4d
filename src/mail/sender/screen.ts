/**
 * Who speaks, before anybody listens: robots, bounces, loops and doubtful senders, by the top-level headers alone.
 */

import { allFields, firstField, type MailField, readable, structured } from '../bytes/headers.ts';
import type { Profile } from '../profile.ts';
import { countMailboxes, onlyBracketed, parseMailboxes, parsePlusTag } from './address.ts';

/** More `Received` lines than this are a loop. */
const HOPS_MAX = 50;
/** Characters of one Authentication-Results that are looked at. */
const RESULTS_LENGTH_MAX = 8192;

export type Dmarc = 'pass' | 'fail' | 'none' | 'temperror';

export interface Author {
  /** Lower case, or null where nobody can be held to be the author. */
  from: string | null;
  fromName: string | null;
  fault?: 'no-from' | 'multiple-from' | 'bad-from';
}

/** The one author: exactly one From header with exactly one plain mailbox. */
export function authorOf(fields: readonly MailField[]): Author {
  const headers = allFields(fields, 'from');
  const nobody = (fault: 'no-from' | 'multiple-from' | 'bad-from'): Author => ({ from: null, fromName: null, fault });
  if (headers.length === 0) return nobody('no-from');
  if (headers.length > 1) return nobody('multiple-from');
  const header = headers[0]!;
  if (countMailboxes(header) > 1) return nobody('multiple-from');
  const mailboxes = parseMailboxes(header);
  const proper = mailboxes.length === 1 && mailboxes[0]!.address !== null ? mailboxes[0]! : null;
  const only = proper ?? onlyBracketed(header);
  if (!only || only.address === null || header.length > 2000) return nobody('bad-from');
  const name = readable(only.name);
  return { from: only.address, fromName: name === '' ? null : name };
}

/**
 * What the topmost `Authentication-Results` of the receiving host says of DMARC; every other such header is the
 * sender's own words. Comments and quoted strings are no results. A host that writes a header for each method may have
 * its `fail` further down; a `pass` further down is never believed.
 */
export function dmarcOf(fields: readonly MailField[], profile: Profile): Dmarc {
  const said = allFields(fields, 'authentication-results').map((value) => resultOf(value, profile.receivingHost));
  const own = said.filter((result) => result !== undefined);
  return own[0] === 'silent' ? (own.includes('fail') ? 'fail' : 'none') : (own[0] ?? 'none');
}

/** The DMARC result of one header of that host; `silent` when it says nothing of DMARC. */
function resultOf(value: string, host: string): Dmarc | 'silent' | undefined {
  const text = withoutComments(value.slice(0, RESULTS_LENGTH_MAX)).toLowerCase();
  const id = /^\s*([^\s;]+)(?:\s+\d+)?\s*(?:;|$)/.exec(text)?.[1];
  if (id !== host.toLowerCase()) return undefined;
  if (!text.includes('dmarc')) return 'silent';
  const results = [...text.matchAll(/(?:^|;)\s*dmarc\s*=\s*([a-z]+)/g)].map((match) => match[1]);
  if (results.length === 0) return 'silent';
  if (results.includes('fail')) return 'fail';
  if (results.includes('temperror')) return 'temperror';
  return results.includes('pass') ? 'pass' : 'none';
}

/** Takes comments and quoted strings out of a structured header, in one pass. */
function withoutComments(value: string): string {
  if (!/[("]/.test(value)) return value;
  let out = '';
  let depth = 0;
  let quoted = false;
  for (let i = 0; i < value.length; i++) {
    const c = value[i]!;
    if (c === '\\' && (quoted || depth > 0)) i++;
    else if (quoted) quoted = c !== '"';
    else if (c === '(') depth++;
    else if (c === ')' && depth > 0) depth--;
    else if (depth === 0) {
      if (c === '"') quoted = true;
      else out += c;
    }
  }
  return out;
}

/** Whether the topmost Return-Path is the null sender. */
function nullReturnPath(fields: readonly MailField[]): boolean {
  const path = firstField(fields, 'return-path');
  return path !== undefined && (path === '' || /^<\s*>/.test(path));
}

/** Headers that only answering programs set. */
const ROBOTS = ['x-autoreply', 'x-autorespond', 'x-ms-exchange-inbox-rules-loop'];

/** Subjects that are nothing but a notice of absence, with or without the subject they answer behind a colon. */
const ABSENT = new RegExp(
  `^(?:${[
    'auto(?:matic|mated|mated)?[- ]?(?:reply|response|answer)|out[- ]of[- ](?:the[- ])?office(?: (?:auto)?[- ]?reply)?',
    'away from (?:the |my )?(?:office|mail)|on (?:vacation|holiday|leave)|vacation (?:reply|response|notice)',
    'abwesenheit(?:snotiz|sassistent|snachricht)?|abwesend|nicht im (?:büro|hause)|automatische (?:antwort|nachricht)',
    'urlaub|im urlaub|(?:message|réponse) (?:d.absence|automatique)|absen(?:ce|t) du bureau|absence',
    'respuesta automática|fuera de (?:la )?oficina|ausente|risposta automatica|fuori (?:sede|ufficio)|assente',
    'automatisch antwoord|afwezig(?:heids(?:bericht|assistent))?|resposta automática|ausência(?: temporária)?',
    'automatisk svar|autosvar|ikke på kontoret|fraværende|frånvaro(?:meddelande)?|automatiskt svar|poissa(?:olo)?',
    'automaattinen vastaus|odpowiedź automatyczna|poza biurem|nieobecność|automatická odpověď|mimo kancelář',
    'automatikus válasz|házon kívül|автоматический ответ|автоответ|нет на месте|автоматична відповідь',
    'otomatik yanıt|ofis dışında|αυτόματη απάντηση|răspuns automat|自動応答|自動返信|不在通知|自动回复|自動回覆|자동 응답|부재 중',
  ].join('|')})(?: ?[!.])?(?:(?: ?[:(-]| - ).*)?$`,
  'iu',
);

/**
 * Whether a mail without an order block is a robot's notice of absence that hides as bulk or list mail. `subject` as it is
 * read by people.
 */
export function isAbsence(fields: readonly MailField[], subject: string): boolean {
  const bulk = allFields(fields, 'precedence').some((value) => /^(?:bulk|list)$/i.test(value));
  return bulk && ABSENT.test(subject);
}

/** Whether nobody can be answered: the mail's sender, for its return path, is nobody. */
export function fromNobody(fields: readonly MailField[]): boolean {
  return nullReturnPath(fields);
}

/** What kind of robot or loop the headers show; undefined for people. */
export function robotOf(
  fields: readonly MailField[],
  author: Author,
  profile: Profile,
): 'loop' | 'bounce' | 'mdn' | 'autoreply' | undefined {
  const colon = profile.loopHeader.indexOf(':');
  const marker = profile.loopHeader.slice(0, colon).trim().toLowerCase();
  const markValue = profile.loopHeader
    .slice(colon + 1)
    .trim()
    .toLowerCase();
  if (allFields(fields, marker).some((value) => value.toLowerCase() === markValue)) return 'loop';
  if (author.from !== null && parsePlusTag(author.from, profile) !== null) return 'loop';
  if (allFields(fields, 'received').length > HOPS_MAX) return 'loop';

  const type = structured(firstField(fields, 'content-type') ?? '');
  const report = type.value === 'multipart/report' ? (type.params['report-type'] ?? '').toLowerCase().trim() : '';
  const nobody = nullReturnPath(fields);
  if (report === 'delivery-status') return 'bounce';
  if (nobody && isPostmaster(fields, author)) return 'bounce';
  if (report === 'disposition-notification') return 'mdn';
  if (report === 'feedback-report') return 'autoreply';

  const submitted = firstField(fields, 'auto-submitted');
  if (submitted !== undefined && withoutComments(submitted).split(';')[0]!.trim().toLowerCase() !== 'no')
    return 'autoreply';
  if (ROBOTS.some((name) => firstField(fields, name) !== undefined)) return 'autoreply';
  const precedence = allFields(fields, 'precedence').map((value) => value.toLowerCase());
  if (nobody && precedence.some((value) => value === 'junk' || value === 'auto_reply')) return 'autoreply';
  return undefined;
}

function isPostmaster(fields: readonly MailField[], author: Author): boolean {
  if (author.from !== null) return /^(?:mailer-daemon|postmaster)@/.test(author.from);
  return allFields(fields, 'from').some((value) => /(?:^|[<\s])(?:mailer-daemon|postmaster)(?:[@>\s(]|$)/i.test(value));
}
