/** Putting mails into the outbox, in the transaction that causes them. What they look like is decided in dispatch.ts. */

import { rolesIn } from '../../store/club.ts';
import type { Trx } from '../../store/db.ts';
import { seatsOf } from '../../store/games.ts';
import { firstMailOf, putOut } from '../../store/mail.ts';
import type { GameRow, MailFacts, MailOutKind, PersonRow, SeatRow } from '../../store/schema.ts';
import { sealFacts } from '../../store/trust/sealed.ts';
import type { Service } from '../context.ts';
import { recipient, speakersOf } from '../seats.ts';

/** Characters of the digest that a receipt shows. */
export const DIGEST_CHARS = 16;

const REFERENCES_MAX = 8;
const ID_BYTES = 12;

/** The mail that is answered. */
interface Answered {
  messageId: string | null;
  references: readonly string[];
}

export interface OutboxMail {
  kind: MailOutKind;
  facts: MailFacts;
  gameId?: number | null;
  phaseId?: number | null;
  seatId?: number | null;
  personId?: number | null;
  answers?: Answered;
  replaceKey?: string;
  staleAt?: Date;
}

/** A Message-ID of ours: fixed before the first attempt, so that a mail sent twice can be recognised. */
function newMessageId(service: Pick<Service, 'randomBytes' | 'profile'>): string {
  return `<${service.randomBytes(ID_BYTES).toString('hex')}@${service.profile.ownDomain}>`;
}

/** Queues one mail to one address. Returns its number in the outbox. */
export async function queueMail(
  service: Service,
  trx: Trx,
  mail: OutboxMail & { to: { address: string; name: string | null } },
): Promise<number> {
  const inReplyTo = mail.answers?.messageId ?? null;
  // The first mail of the game is what all others of it hang on, whatever mail program threads them.
  const root = await firstMailOf(trx, mail.gameId ?? null, mail.seatId ?? null, mail.to.address);
  const answered = [...(mail.answers?.references ?? []), ...(inReplyTo ? [inReplyTo] : [])];
  const refers = [...(root ? [root] : []), ...answered.filter((id) => id !== root).slice(-REFERENCES_MAX)];
  return putOut(
    trx,
    {
      kind: mail.kind,
      gameId: mail.gameId ?? null,
      phaseId: mail.phaseId ?? null,
      seatId: mail.seatId ?? null,
      personId: mail.personId ?? null,
      to: mail.to,
      facts: sealFacts(service, mail.facts),
      messageId: newMessageId(service),
      inReplyTo,
      refers: refers.length > 0 ? refers.join(' ') : null,
      replaceKey: mail.replaceKey ?? null,
      staleAt: mail.staleAt ?? null,
    },
    service.now(),
  );
}

/** Queues a mail to the holder of a seat and to whoever stands in for him; nothing when nobody holds it. */
export async function mailSeat(service: Service, trx: Trx, seat: SeatRow, mail: OutboxMail): Promise<void> {
  for (const personId of await speakersOf(trx, seat)) {
    const known = await recipient(trx, personId);
    const common = { gameId: seat.game_id, seatId: seat.id, personId };
    if (known) await queueMail(service, trx, { ...mail, ...common, to: known.to });
  }
}

/** Queues a mail to a person; nothing when he has no address any more. */
export async function mailPerson(
  service: Service,
  trx: Trx,
  person: Pick<PersonRow, 'id'>,
  mail: OutboxMail,
): Promise<number | undefined> {
  const known = await recipient(trx, person.id);
  return known && queueMail(service, trx, { ...mail, personId: person.id, to: known.to });
}

/** The deputy, where the master plays: what the other sides write to the game master is not for a player's eyes. */
async function whoRuns(trx: Trx, game: Pick<GameRow, 'id' | 'master_id'>): Promise<number | undefined> {
  const deputy = (await rolesIn(trx, game.id)).find((one) => one.role === 'deputy');
  if (!deputy) return undefined;
  for (const seat of await seatsOf(trx, game.id))
    if (game.master_id !== null && (await speakersOf(trx, seat)).includes(game.master_id)) return deputy.person_id;
  return undefined;
}

/** A notice to the game's master, or to the operator where there is none; nothing when there is neither. */
export async function mailMaster(
  service: Service,
  trx: Trx,
  game: Pick<GameRow, 'id' | 'master_id'> | null,
  mail: OutboxMail,
): Promise<number | undefined> {
  const given = { ...mail, gameId: game?.id ?? null };
  const master = game?.master_id ? await recipient(trx, (await whoRuns(trx, game)) ?? game.master_id) : undefined;
  if (master) return queueMail(service, trx, { ...given, personId: master.person.id, to: master.to });
  const operator = service.config.operatorEmail;
  return operator === undefined
    ? undefined
    : queueMail(service, trx, { ...given, to: { address: operator, name: null } });
}

/** A notice in words of templates/en/post.json: `key` for the body, `key title` for the headline. */
export function notice(
  service: Pick<Service, 'wording'>,
  key: string,
  params: Record<string, string | number | string[]> = {},
): Extract<MailFacts, { make: 'notice' }> {
  const text = service.wording.say({ key: `post.${key}`, params });
  const title = service.wording.say({ key: `post.${key} title`, params });
  return { make: 'notice', title, paragraphs: text.split('\n\n') };
}
