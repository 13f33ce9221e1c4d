/**
 * Whom a mail speaks for. A token in the plus-address and an address of the seat: the seat. A token and another address:
 * parked. No token: only a proved sender who names one game in which he has exactly one seat. Everything else: nobody.
 */

import type { InboundMessage } from '../../mail/inbound.ts';
import { parsePlusTag } from '../../mail/sender/address.ts';
import { type RoleHolder, roleByToken } from '../../store/club.ts';
import type { Reader } from '../../store/db.ts';
import { gameById, gameByRef, seatByToken, seatsOf } from '../../store/games.ts';
import { personByAddress } from '../../store/people.ts';
import type { GameRow, PersonRow, SeatRow } from '../../store/schema.ts';
import type { Service } from '../context.ts';
import { looksLikeToken, speakersOf, tokenHash } from '../seats.ts';

export type Identity =
  | { who: 'seat'; seat: SeatRow; game: GameRow; person: PersonRow; byToken: boolean }
  | { who: 'parked'; seat: SeatRow; game: GameRow; byToken: boolean }
  /** A token without a seat: game masters and observers. */
  | { who: 'role'; role: RoleHolder; person: PersonRow }
  /** No seat is named; `trusted` says whether the address is proved. */
  | { who: 'author'; person: PersonRow | null; trusted: boolean }
  /** A token or game that is not the author's, or not at all: never told which. */
  | { who: 'nobody'; why: string };

/** The tokens a mail was sent to, in lower case: envelope first, then the address headers. */
export function tokensOf(
  service: Pick<Service, 'profile'>,
  message: InboundMessage,
  rcptTo: readonly string[],
): string[] {
  const tags = [...rcptTo, ...message.recipients].flatMap((address) => {
    const tag = parsePlusTag(address, service.profile)?.tag;
    return tag && looksLikeToken(tag) ? [tag.toLowerCase()] : [];
  });
  return [...new Set(tags)];
}

/** The game a mail is about: by its token, else by the reference in it. Says nothing of whether its author may write. */
export async function gameOfMail(
  service: Pick<Service, 'profile'>,
  db: Reader,
  message: InboundMessage,
  rcptTo: readonly string[],
): Promise<GameRow | undefined> {
  const [token, another] = tokensOf(service, message, rcptTo);
  if (another !== undefined) return undefined;
  if (token === undefined) return message.gameRef === null ? undefined : gameByRef(db, message.gameRef);
  const seat = await seatByToken(db, tokenHash(token));
  return seat && gameById(db, seat.game_id);
}

/**
 * Finds out whom a mail speaks for. `listed`: it came through a mailing list that its game allows. That proves nothing (a
 * List-Id is as easily forged as a From): without a token the owner of the seat is asked.
 */
export async function identify(
  service: Pick<Service, 'profile'>,
  db: Reader,
  message: InboundMessage,
  rcptTo: readonly string[],
  listed?: { game: GameRow },
): Promise<Identity> {
  const person = message.from === null ? undefined : await personByAddress(db, message.from);
  const tokens = tokensOf(service, message, rcptTo);
  if (tokens.length > 1) return { who: 'nobody', why: 'several tokens' };
  const [token] = tokens;
  if (token !== undefined) return byToken(db, token, person);
  const trusted = message.dmarc === 'pass';
  const named = trusted || listed !== undefined ? message.gameRef : null;
  const seat = person && named !== null ? await onlySeat(db, person, named) : undefined;
  if (seat && person && trusted) return { who: 'seat', ...seat, person, byToken: false };
  if (seat) return { who: 'parked', ...seat, byToken: false };
  return { who: 'author', person: person ?? null, trusted };
}

async function byToken(db: Reader, token: string, person: PersonRow | undefined): Promise<Identity> {
  const seat = await seatByToken(db, tokenHash(token));
  if (seat) {
    const game = await gameById(db, seat.game_id);
    const speaks = person !== undefined && (await speakersOf(db, seat)).includes(person.id);
    return speaks ? { who: 'seat', seat, game, person, byToken: true } : { who: 'parked', seat, game, byToken: true };
  }
  const role = await roleByToken(db, tokenHash(token));
  if (role && person && role.person_id === person.id) return { who: 'role', role, person };
  return { who: 'nobody', why: 'wrong token' };
}

/** The one seat that this person may speak for in a game that is still played. */
async function onlySeat(
  db: Reader,
  person: PersonRow,
  ref: string,
): Promise<{ seat: SeatRow; game: GameRow } | undefined> {
  const game = await gameByRef(db, ref);
  if (!game || (game.status !== 'running' && game.status !== 'paused')) return undefined;
  const own: SeatRow[] = [];
  for (const seat of await seatsOf(db, game.id)) if ((await speakersOf(db, seat)).includes(person.id)) own.push(seat);
  return own.length === 1 ? { seat: own[0]!, game } : undefined;
}
