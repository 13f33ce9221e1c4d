/** Notices of the club: short mails to a person, a seat, a whole game or its master, queued with what caused them. */
import type { Param } from '../../kernel/types.ts';
import { rolesIn, standIn } from '../../store/club.ts';
import type { Trx } from '../../store/db.ts';
import { seatsOf } from '../../store/games.ts';
import type { GameRow, MailFacts, Optional, SeatRow } from '../../store/schema.ts';
import type { Service } from '../context.ts';
import { putAside } from './digest.ts';
import { mailMaster, mailPerson, type OutboxMail, queueMail } from './outbox.ts';

export interface Notice {
  /** Key in templates/en/club.json; `<key> title` is the subject. */
  key: string;
  params?: Record<string, Param>;
  /** Said instead of the key's own text. */
  paragraphs?: string[];
  /** Instead of the key's own title. */
  title?: string;
  links?: { text: string; url: string }[];
  /** An unsent older notice of the same key to the same person is replaced. */
  replaceKey?: string;
  /** Not sent after this instant. */
  staleAt?: Date;
  kind?: 'notice' | 'press';
  optional?: Optional;
}

/** The worded facts of a notice. */
export function noticeFacts(service: Pick<Service, 'wording'>, notice: Notice): MailFacts {
  const say = (key: string): string => service.wording.say({ key: `club.${key}`, params: notice.params ?? {} });
  return {
    make: 'notice',
    title: notice.title ?? say(`${notice.key} title`),
    paragraphs: notice.paragraphs ?? say(notice.key).split('\n\n'),
    ...(notice.links ? { links: notice.links } : {}),
    ...(notice.optional ? { optional: notice.optional } : {}),
  };
}

function mailOf(service: Service, notice: Notice, to: string, about: { game?: GameRow; seat?: SeatRow }): OutboxMail {
  return {
    kind: notice.kind ?? 'notice',
    facts: noticeFacts(service, notice),
    gameId: about.game?.id ?? null,
    seatId: about.seat?.id ?? null,
    ...(notice.replaceKey === undefined ? {} : { replaceKey: `${notice.replaceKey}:${to}` }),
    ...(notice.staleAt === undefined ? {} : { staleAt: notice.staleAt }),
  };
}

/** Writes to a person; nothing happens when he has no address any more. */
export async function tellPerson(
  service: Service,
  trx: Trx,
  personId: number,
  notice: Notice,
  about: { game?: GameRow; seat?: SeatRow } = {},
): Promise<void> {
  const mail = mailOf(service, notice, String(personId), about);
  const { facts, gameId } = mail;
  if (
    facts.make === 'notice' &&
    (await putAside(service, trx, personId, { key: notice.key, facts, gameId: gameId ?? null }))
  )
    return;
  await mailPerson(service, trx, { id: personId }, mail);
}

/** Writes to an address that belongs to no member yet (invitations, codes). */
export async function tellAddress(
  service: Service,
  trx: Trx,
  address: string,
  notice: Notice,
  about: { game?: GameRow } = {},
): Promise<void> {
  const to = { address: address.toLowerCase(), name: null };
  await queueMail(service, trx, { ...mailOf(service, notice, address, about), to });
}

/** Whoever holds a seat just now: the holder and a stand-in. */
export async function peopleOf(trx: Trx, seat: SeatRow): Promise<number[]> {
  const stand = await standIn(trx, seat.id);
  const people = seat.person_id === null ? [] : [seat.person_id];
  if (stand && !people.includes(stand.person_id)) people.push(stand.person_id);
  return people;
}

/** Writes to whoever holds a seat, and to the stand-in. */
export async function tellSeat(
  service: Service,
  trx: Trx,
  game: GameRow,
  seat: SeatRow,
  notice: Notice,
): Promise<void> {
  for (const person of await peopleOf(trx, seat)) await tellPerson(service, trx, person, notice, { game, seat });
}

/** Writes to all seats of a game and its observers; `except` leaves one person out. */
export async function tellGame(
  service: Service,
  trx: Trx,
  game: GameRow,
  notice: Notice,
  options: { except?: number | undefined; observers?: boolean } = {},
): Promise<void> {
  const told = new Set<number>(options.except === undefined ? [] : [options.except]);
  for (const seat of await seatsOf(trx, game.id)) {
    for (const personId of await peopleOf(trx, seat)) {
      if (told.has(personId)) continue;
      told.add(personId);
      await tellPerson(service, trx, personId, notice, { game, seat });
    }
  }
  if (options.observers === false) return;
  for (const role of await rolesIn(trx, game.id)) {
    if (role.role !== 'observer' || told.has(role.person_id)) continue;
    told.add(role.person_id);
    await tellPerson(service, trx, role.person_id, { ...notice, optional: 'observer' }, { game });
  }
}

/** Writes to the game master; to the operator when a game has none. Nobody: it stays in the log. */
export async function tellMaster(service: Service, trx: Trx, game: GameRow | null, notice: Notice): Promise<void> {
  const told = await mailMaster(service, trx, game, mailOf(service, notice, 'master', game ? { game } : {}));
  if (told === undefined) service.log.warn({ game: game?.ref, notice: notice.key }, 'nobody to tell');
}
