/** Mail commands: each one read, obeyed and answered; all answers of a mail go out as one mail. */
import type { InboundMessage } from '../../mail/inbound.ts';
import type { ClubRole } from '../../store/club-schema.ts';
import type { Trx } from '../../store/db.ts';
import { takePending } from '../../store/members.ts';
import { addressesOf, personByAddress, personById } from '../../store/people.ts';
import type { PersonRow, SeatRow } from '../../store/schema.ts';
import {
  COMMANDS_PER_MAIL_MAX,
  type CommandRole,
  distinctCommands,
  type ReadCommand,
  readCommand,
  suggestCommands,
  TELLING,
} from '../commandwords.ts';
import type { Service } from '../context.ts';
import { codeHash, type Errand, no, offerWaiting, type Said, type Waits, words } from '../errand.ts';
import * as club from './anyone.ts';
import { offerSignup } from './anyone.ts';
import { confirm } from './confirm.ts';
import { create } from './create.ts';
import { diceWords } from './dicewords.ts';
import * as master from './gamemaster.ts';
import { heldBack } from './impartial.ts';
import * as player from './player.ts';
import { press } from './press.ts';
import { rerun } from './rerun.ts';
import { askExtension, propose, vote } from './votes.ts';

/** What one command says back. */
export interface CommandReply extends Said {
  /** The command as written. */
  command: string;
}

export interface CommandMail {
  mail: InboundMessage;
  seat: SeatRow | null;
  person: PersonRow | null;
  role?: { gameId: number; role: ClubRole } | null;
  /** The author proved himself by a token or an aligned DMARC pass. */
  trusted?: boolean;
  /** The host that handed the mail over, where our own listener saw it. */
  host?: string | null;
}

type Handler = (errand: Errand) => Promise<Said>;

const HANDLERS: Record<string, Handler> = {
  HELP: club.help,
  GAMES: club.games,
  RULES: club.rules,
  SIGNUP: (errand) => club.signup(errand),
  CONFIRM: (errand) => confirm(errand, (again) => obey(again)),
  WORDS: diceWords,
  JOIN: club.join,
  LEAVE: club.leave,
  OBSERVE: (errand) => club.observe(errand, 'observer'),
  MONITOR: (errand) => club.observe(errand, 'monitor'),
  SIGNOFF: club.signoff,
  TAKEOVER: club.takeover,
  MYDATA: club.mydata,
  FORGET: club.forget,
  DESK: club.desk,
  SIGNON: player.signon,
  STATUS: player.status,
  REPORT: player.report,
  MAP: player.map,
  ORDERS: player.orders,
  FORM: player.form,
  HISTORY: player.history,
  DICE: player.dice,
  PRESS: press,
  VACATION: player.vacation,
  EXTEND: askExtension,
  PROPOSE: propose,
  VOTE: (errand) => vote(errand, (again, name) => handle(again, name)),
  SUBSTITUTE: player.substitute,
  RESIGN: player.resign,
  SET: player.set,
  CREATE: create,
  START: master.start,
  PAUSE: master.pause,
  RESUME: master.resume,
  CANCEL: master.cancel,
  DEADLINE: master.deadline,
  SCHEDULE: master.schedule,
  PREVIEW: master.preview,
  PROCESS: master.process,
  REWIND: master.rewind,
  RERUN: rerun,
  RULING: master.ruling,
  ADJUST: master.adjust,
  SEAT: master.seat,
  DEPUTY: master.deputy,
  DISMISS: master.dismiss,
  ANNOUNCE: master.announce,
  LISTS: master.lists,
  LOG: master.log,
  MAIL: master.mail,
  EXPORT: master.exportGame,
};

/** Obeys one command. Commands of the intake alone (FINAL without a seat) are told where they belong. */
async function obey(errand: Errand): Promise<Said> {
  const read = readCommand(errand.text);
  if (!read) return unknown(errand);
  return obeyRead({ ...errand, args: { ...read.args, ...errand.args } }, read);
}

/** What a command does, unless its author is a master who plays and it is not for him alone. */
async function handle(errand: Errand, name: string): Promise<Said> {
  const handler = HANDLERS[name];
  if (!handler) return unknown(errand);
  return (await heldBack(errand, name)) ?? handler(errand);
}

async function obeyRead(errand: Errand, read: ReadCommand): Promise<Said> {
  if (!HANDLERS[read.row.name]) return no(errand, 'needs a seat', { usage: read.row.usage });
  const said = await handle(errand, read.row.name);
  if (read.taught === undefined) return said;
  return {
    ...said,
    paragraphs: [...said.paragraphs, words(errand, 'taught', { written: errand.text, taught: read.taught })],
  };
}

/** What may have been meant by a line that is no command. */
function unknown(errand: Errand): Said {
  const roles: CommandRole[] = ['anyone', 'player', 'intake', 'master'];
  const near = suggestCommands(errand.text, roles);
  return near.length > 0
    ? no(errand, 'unknown near', { text: errand.text, near: near.map((row) => row.usage) })
    : no(errand, 'unknown', { text: errand.text });
}

/**
 * Obeys the commands of a mail in their order. Orders' own commands (FINAL, CHECK …) are the intake's and left out here.
 * With CHECK nothing is done; all that needs a code gets one code, told last.
 */
export async function handleCommands(service: Service, trx: Trx, given: CommandMail): Promise<CommandReply[]> {
  const { mail } = given;
  if (mail.from === null) return [];
  const replies: CommandReply[] = [];
  const waits: Waits = { commands: [] };
  const common = {
    service,
    trx,
    now: service.now(),
    from: mail.from,
    fromName: mail.fromName,
    role: given.role ?? null,
    trusted: given.trusted ?? given.seat !== null,
    host: given.host ?? null,
    mailDigest: mail.digest,
    gameRef: mail.gameRef,
    mail,
    door: 'mail' as const,
    seat: given.seat,
    waits,
  };
  const commands = distinctCommands(mail.commands);
  const checks = given.seat !== null && commands.some(({ text }) => readCommand(text)?.row.name === 'CHECK');
  for (const command of commands.slice(0, COMMANDS_PER_MAIL_MAX)) {
    const read = readCommand(command.text);
    if (read && read.row.role === 'intake' && given.seat) continue;
    if (read && checks && !TELLING.has(read.row.name)) {
      const text = words({ service }, 'only checked', { text: command.text });
      replies.push({ command: command.text, ok: false, paragraphs: [text] });
      continue;
    }
    // Read afresh for each command: the one before may have changed it (sign-up, name, zone).
    const person = given.person
      ? ((await personById(trx, given.person.id)) ?? null)
      : ((await personByAddress(trx, mail.from)) ?? null);
    const errand: Errand = {
      ...common,
      person,
      text: command.text,
      args: read?.args ?? {},
      press: command.press ?? null,
    };
    const said = await (read ? obeyRead(errand, read) : obey(errand));
    if (said.paragraphs.length > 0) replies.push({ ...said, command: command.text });
  }
  const code = await codeFor(
    { ...common, person: given.person ?? (await personByAddress(trx, mail.from)) ?? null },
    waits,
  );
  const more = commands.length > COMMANDS_PER_MAIL_MAX;
  const tooMany = {
    command: '',
    ok: false,
    paragraphs: [words({ service }, 'too many commands', { most: COMMANDS_PER_MAIL_MAX })],
  };
  const all = [...replies, ...(more ? [tooMany] : []), ...(code ? [{ command: '', ...code }] : [])];
  return all.length > 1 ? all.map((reply) => headed(service, reply)) : all;
}

/** The one code for everything in the mail that waits for it; undefined where nothing does. */
async function codeFor(
  errand: Pick<Errand, 'service' | 'trx' | 'now' | 'from' | 'person' | 'trusted' | 'host'>,
  { name, commands }: Waits,
): Promise<Said | undefined> {
  if (name !== undefined) return offerSignup(errand, name, commands);
  return commands.length > 0 ? offerWaiting(errand, commands) : undefined;
}

/** With several answers in one mail each says what it answers. */
function headed(service: Service, reply: CommandReply): CommandReply {
  if (reply.command === '') return reply;
  const head = words({ service }, 'answer to', { command: reply.command });
  return { ...reply, paragraphs: [head, ...reply.paragraphs] };
}

/** A subject that is nearly a command, in a mail without any: what was probably meant. Nothing near: no answer. */
export function nearCommand(service: Service, mail: InboundMessage): CommandReply | undefined {
  const subject = mail.subject.replace(/^(re|aw|fwd?|antw|sv)\s*:\s*/i, '').trim();
  const first = subject.split(/\s+/)[0] ?? '';
  if (first.length < 3 || subject.split(/\s+/).length > 4) return undefined;
  const near = suggestCommands(first, ['anyone', 'player', 'intake', 'master']);
  if (near.length === 0) return undefined;
  const params = { text: subject, near: near.map((row) => row.usage) };
  return { command: subject, ok: false, paragraphs: [words({ service }, 'unknown near', params)] };
}

/** One command of a signed-in person from a page or the command line: the same words, the same answer. */
export async function commandOf(
  service: Service,
  trx: Trx,
  given: {
    person: PersonRow | null;
    seat?: SeatRow | null;
    door: 'web' | 'cli';
    press?: string;
  } & ({ text: string } | { name: string; args: Record<string, string> }),
): Promise<Said> {
  const addresses = given.person ? await addressesOf(trx, given.person.id) : [];
  const operator = service.config.operatorEmail?.toLowerCase() ?? '';
  const errand: Errand = {
    service,
    trx,
    now: service.now(),
    // An operator who signed in with any of his addresses acts as operator.
    from: addresses.includes(operator) || given.person === null ? operator : (addresses[0] ?? ''),
    fromName: given.person?.name ?? null,
    person: given.person,
    seat: given.seat ?? null,
    role: null,
    trusted: true,
    gameRef: null,
    text: 'text' in given ? given.text : given.name,
    args: 'args' in given ? given.args : {},
    press: given.press ?? null,
    door: given.door,
  };
  if ('text' in given) return obey(errand);
  return handle(errand, given.name);
}

/** Uses up a code that proves an address, for the sign-in page. */
export async function takeCode(service: Service, trx: Trx, code: string): Promise<{ personId: number } | undefined> {
  const row = await takePending(trx, codeHash(code), service.now());
  return row?.kind === 'signin' && row.person_id !== null ? { personId: row.person_id } : undefined;
}
