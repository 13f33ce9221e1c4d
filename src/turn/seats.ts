/** Seats and their tokens: a token of 100 random bits in the plus-address names game and seat and can't be guessed. */
import { known } from '../kernel/assert.ts';
import { sha256 } from '../kernel/hash.ts';
import { seatAddress } from '../mail/sender/address.ts';
import { standInsOf } from '../store/club.ts';
import type { Reader } from '../store/db.ts';
import { personById, workingAddress } from '../store/people.ts';
import type { PersonRow, SeatRow } from '../store/schema.ts';
import { seal, unseal } from '../store/seal.ts';
import type { Service } from './context.ts';

/** Base32 as RFC 4648 has it, lower case: mail systems fold the case of an address. */
const LETTERS = 'abcdefghijklmnopqrstuvwxyz234567';
const TOKEN_LETTERS = 20;
const PURPOSE = 'seat token';
/** What tokens of masters and observers are sealed for. */
export const ROLE_PURPOSE = 'role token';
const TOKEN = new RegExp(`^[${LETTERS}]{${TOKEN_LETTERS}}$`);

export interface NewToken {
  token: string;
  hash: string;
  sealed: Buffer;
}

/** A fresh token with what is stored of it. */
export function newToken(service: Pick<Service, 'randomBytes' | 'secret'>, purpose = PURPOSE): NewToken {
  const token = [...service.randomBytes(TOKEN_LETTERS)].map((byte) => LETTERS[byte % LETTERS.length]).join('');
  const sealed = seal(service.secret, purpose, Buffer.from(token), service.randomBytes(12));
  return { token, hash: tokenHash(token), sealed };
}

/** What a token is found by. Case is free. */
export function tokenHash(token: string): string {
  return sha256(`token ${token.toLowerCase()}`);
}

/** Could this plus-tag be a token at all? */
export function looksLikeToken(tag: string): boolean {
  return TOKEN.test(tag.toLowerCase());
}

export function openToken(service: Pick<Service, 'secret'>, sealed: Buffer, purpose = PURPOSE): string {
  return unseal(service.secret, purpose, sealed).toString();
}

/** The address that a seat writes to. */
export function addressOfSeat(service: Pick<Service, 'secret' | 'profile'>, seat: SeatRow): string {
  return seatAddress(openToken(service, seat.token_sealed), service.profile);
}

/** Who may speak for a seat: its holder, and whoever stands in for him just now. */
export async function speakersOf(db: Reader, seat: SeatRow): Promise<number[]> {
  const people = seat.person_id === null ? [] : [seat.person_id];
  for (const id of await standInsOf(db, seat.id)) if (!people.includes(id)) people.push(id);
  return people;
}

export interface Recipient {
  person: PersonRow;
  to: { address: string; name: string };
}

/** A person and the address mails go to, one that works if there is any; undefined when there is none at all any more. */
export async function recipient(db: Reader, personId: number): Promise<Recipient | undefined> {
  const person = known(await personById(db, personId), `no person ${personId}`);
  const address = await workingAddress(db, personId);
  if (address === undefined || person.erased_at !== null) return undefined;
  return { person, to: { address, name: person.name } };
}
