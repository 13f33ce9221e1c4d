/** What a mail command (or a form of the desk) is given, what it says back, and the small questions all of them ask. */
import { sha256 } from '../kernel/hash.ts';
import type { Param } from '../kernel/types.ts';
import { rolesIn, seatsOfPerson } from '../store/club.ts';
import type { ClubRole, PendingKind, PendingPayload } from '../store/club-schema.ts';
import type { Trx } from '../store/db.ts';
import { gameById, gameByRef } from '../store/games.ts';
import { addPending } from '../store/members.ts';
import type { GameRow, PersonRow, SeatRow } from '../store/schema.ts';
import type { Looking, Service } from './context.ts';
import { DAY_MS, showMoment } from './time/instants.ts';

export const CODE_DAYS = 7;
const LETTERS = 'abcdefghijkmnpqrstuvwxyz23456789';
const CODE_LETTERS = 12;

/** One command as it is to be obeyed. */
export interface Ask {
  service: Service;
  trx: Trx;
  now: Date;
  /** The author's address, lower case. */
  from: string;
  fromName: string | null;
  /** The member the address belongs to. */
  person: PersonRow | null;
  /** The seat the mail may speak for. */
  seat: SeatRow | null;
  /** A role without a seat, proved by its token. */
  role: { gameId: number; role: ClubRole } | null;
  /** The author proved himself: a token, an aligned DMARC pass, a code, or a signed-in session. */
  trusted: boolean;
  /** The game named in the mail's header line. */
  gameRef: string | null;
  /** As written, for the answer. */
  text: string;
  args: Record<string, string>;
  press: string | null;
  door: 'mail' | 'web' | 'cli';
  /** What of the same mail waits for a code; one code is good for all of it. */
  waits?: Waits;
  /** A code came back for this very command. */
  confirmed?: boolean;
}

/** What of a mail waits for a code: commands, and a stranger's sign-up under a name. */
export interface Waits {
  commands: Waiting[];
  name?: string;
}

/** A command that is done once a code comes back. */
export interface Waiting {
  text: string;
  gameRef: string | null;
  seatId: number | null;
  press: string | null;
  /** Nothing proves who wrote it; or it can't be taken back and is asked about once; or it waits for the sign-up. */
  why: 'proof' | 'sure' | 'sign-up';
}

/** What a command says back: paragraphs (a line break inside one is kept) and, for a code, the subject to answer with. */
export interface Said {
  ok: boolean;
  paragraphs: string[];
  subject?: string;
}

/** The wording of a key of templates/en/club.json. */
export function words(ask: Pick<Ask, 'service'>, key: string, params: Record<string, Param> = {}): string {
  return ask.service.wording.say({ key: `club.${key}`, params });
}

export function yes(ask: Ask, key: string, params: Record<string, Param> = {}): Said {
  return { ok: true, paragraphs: [words(ask, key, params)] };
}

export function no(ask: Ask, key: string, params: Record<string, Param> = {}): Said {
  return { ok: false, paragraphs: [words(ask, key, params)] };
}

/** The zone an answer's times are shown in. */
export function zoneOf(ask: Ask): string {
  return ask.person?.zone ?? ask.service.config.club.zone;
}

export function moment(ask: Ask, at: Date | null): string {
  return at === null ? words(ask, 'no deadline') : showMoment(at, zoneOf(ask));
}

/** Who acts, as the log names him: never an address. */
export function actor(ask: Ask): string {
  if (ask.person) return `${ask.person.name} (${ask.person.id})`;
  return ask.door === 'cli' ? 'the operator' : 'a stranger';
}

/** Is this person the one who runs the whole service? */
export function isOperator(service: Looking, addresses: readonly string[]): boolean {
  const operator = service.config.operatorEmail?.toLowerCase();
  return operator !== undefined && addresses.includes(operator);
}

/** May the author act as master of this game? Trust is asked for besides. */
export async function mayMaster(ask: Ask, game: GameRow): Promise<boolean> {
  if (ask.role?.role === 'master' && ask.role.gameId === game.id) return true;
  if (ask.person && game.master_id === ask.person.id) return true;
  return actsAsOperator(ask);
}

/** The operator, by his address or at the machine itself. */
export function actsAsOperator(ask: Pick<Ask, 'service' | 'from' | 'door'>): boolean {
  return ask.door === 'cli' || isOperator(ask.service, [ask.from]);
}

/** The game a command means: its own words, the token, the header line. */
export async function gameMeant(ask: Ask): Promise<GameRow | undefined> {
  if (ask.args.game) return gameByRef(ask.trx, ask.args.game);
  if (ask.seat) return gameById(ask.trx, ask.seat.game_id);
  if (ask.role) return gameById(ask.trx, ask.role.gameId);
  if (ask.gameRef) return gameByRef(ask.trx, ask.gameRef);
  return undefined;
}

export type SeatMeant = { seat: SeatRow; game: GameRow } | { said: Said };

/**
 * The seat a command is for: the token's, or the member's only one in the game named, or his only one in a game that runs.
 * Answers go to registered addresses only, so no proof is needed to be told about one's own seat.
 */
export async function seatMeant(ask: Ask): Promise<SeatMeant> {
  if (ask.seat && (!ask.args.game || (await gameMeant(ask))?.id === ask.seat.game_id))
    return { seat: ask.seat, game: await gameById(ask.trx, ask.seat.game_id) };
  if (!ask.person) return { said: no(ask, 'not a member') };
  const named = await gameMeant(ask);
  const seats = await seatsOfPerson(ask.trx, ask.person.id);
  const here = named ? seats.filter((seat) => seat.game_id === named.id) : seats;
  const running: { seat: SeatRow; game: GameRow }[] = [];
  for (const seat of here) {
    const game = await gameById(ask.trx, seat.game_id);
    if (named || game.status === 'running' || game.status === 'paused' || game.status === 'forming')
      running.push({ seat, game });
  }
  if (running.length === 1) return running[0]!;
  if (running.length === 0) return { said: no(ask, named ? 'no seat there' : 'no seat') };
  const refs = [...new Set(running.map(({ game }) => game.ref))];
  if (refs.length === 1) return { said: no(ask, 'two seats', { game: refs[0]! }) };
  return { said: no(ask, 'which game', { games: refs }) };
}

/** Holders of a role in a game. */
export async function holders(ask: Ask, gameId: number, role: ClubRole): Promise<number[]> {
  return (await rolesIn(ask.trx, gameId)).filter((row) => row.role === role).map((row) => row.person_id);
}

/** A code of 60 bits as it is mailed, and what is kept of it. */
export function newCode(service: Pick<Service, 'randomBytes'>): { code: string; hash: string } {
  const letters = [...service.randomBytes(CODE_LETTERS)].map((byte) => LETTERS[byte % LETTERS.length]).join('');
  const code = `${letters.slice(0, 4)}-${letters.slice(4, 8)}-${letters.slice(8)}`.toUpperCase();
  return { code, hash: codeHash(code) };
}

export function codeHash(code: string): string {
  return sha256(`code ${code.toUpperCase()}`);
}

/** Makes a code for an address and remembers what it is good for. */
export async function offerCode(
  ask: Pick<Ask, 'service' | 'trx' | 'now'>,
  offer: {
    kind: PendingKind;
    address: string;
    personId?: number | null;
    gameId?: number | null;
    payload?: PendingPayload;
    days?: number;
  },
): Promise<string> {
  const { code, hash } = newCode(ask.service);
  await addPending(ask.trx, {
    codeHash: hash,
    kind: offer.kind,
    address: offer.address,
    personId: offer.personId ?? null,
    gameId: offer.gameId ?? null,
    payload: offer.payload ?? {},
    now: ask.now,
    expiresAt: new Date(ask.now.getTime() + (offer.days ?? CODE_DAYS) * DAY_MS),
  });
  return code;
}

/**
 * Has the command wait for a code, since nothing proves yet who wrote it or since it can't be taken back. The code itself
 * comes with the last answer of the mail, once for all commands that wait.
 */
export async function confirmFirst(ask: Ask, why: Waiting['why'] = 'proof'): Promise<Said> {
  const waiting: Waiting = {
    text: ask.text,
    gameRef: ask.gameRef,
    seatId: ask.seat?.id ?? null,
    press: ask.press,
    why,
  };
  if (!ask.waits) return offerWaiting(ask, [waiting]);
  ask.waits.commands.push(waiting);
  return { ok: false, paragraphs: [] };
}

/** One code for all that waits: to be told in the mail it waits for. */
export async function offerWaiting(
  ask: Pick<Ask, 'service' | 'trx' | 'now' | 'from' | 'person'>,
  waiting: readonly Waiting[],
): Promise<Said> {
  const code = await offerCode(ask, {
    kind: 'command',
    address: ask.from,
    personId: ask.person?.id ?? null,
    payload: { commands: waiting },
    days: 2,
  });
  const proof = waiting.some(({ why }) => why === 'proof');
  const done = waiting.map(({ text }) => text).join('\n');
  const params = { code, done, count: waiting.length };
  return {
    ok: false,
    subject: `CONFIRM ${code}`,
    paragraphs: [words(ask, proof ? 'confirm first' : 'confirm sure', params)],
  };
}
