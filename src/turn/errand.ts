/** What a mail command (or a form of the desk) is given, what it says back, and the small questions all of them ask. */
import { sha256 } from '../kernel/hash.ts';
import type { Param } from '../kernel/types.ts';
import { rolesIn, seatsOfPerson } from '../store/club.ts';
import type { ClubRole, PendingKind, PendingPayload } from '../store/club-schema.ts';
import type { Reader, Trx } from '../store/db.ts';
import { gameById, gameByRef } from '../store/games.ts';
import { addPending } from '../store/members.ts';
import type { GameRow, PersonRow, SeatRow } from '../store/schema.ts';
import type { Looking, Service } from './context.ts';
import { DAY_MS, showMoment } from './time/instants.ts';

const CODE_DAYS = 7;
const LETTERS = 'abcdefghijkmnpqrstuvwxyz23456789';
const CODE_LETTERS = 12;

/** One command as it is to be obeyed. */
export interface Errand {
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
  /** The host that handed the mail over, where our own listener saw it; a page's asker. */
  host?: string | null;
  /** Digest of the words of the mail that the command came in. */
  mailDigest?: string | null;
  /** The author proved himself: a token, an aligned DMARC pass, a code, or a signed-in session. */
  trusted: boolean;
  /** The game named in the mail's header line. */
  gameRef: string | null;
  /** The mail it stands in, that a mail sent for it may answer it. */
  mail?: { messageId: string | null; references: readonly string[] };
  /** As written, for the answer. */
  text: string;
  args: Record<string, string>;
  press: string | null;
  door: 'mail' | 'web' | 'cli';
  /** What of the same mail waits for a code; one code is good for all of it. */
  waits?: Waits;
  /** A code came back for this very command. */
  confirmed?: boolean;
  /** The other sides said yes to this very command of a master who plays. */
  agreed?: boolean;
}

/** What of a mail waits for a code: commands, and a stranger's sign-up under a name. */
export interface Waits {
  commands: HeldCommand[];
  name?: string;
}

/** A command that is done once a code comes back. */
export interface HeldCommand {
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
export function words(errand: Pick<Errand, 'service'>, key: string, params: Record<string, Param> = {}): string {
  return errand.service.wording.say({ key: `club.${key}`, params });
}

export function yes(errand: Errand, key: string, params: Record<string, Param> = {}): Said {
  return { ok: true, paragraphs: [words(errand, key, params)] };
}

export function no(errand: Errand, key: string, params: Record<string, Param> = {}): Said {
  return { ok: false, paragraphs: [words(errand, key, params)] };
}

/** The zone an answer's times are shown in. */
export function zoneOf(errand: Errand): string {
  return errand.person?.zone ?? errand.service.config.club.zone;
}

export function moment(errand: Errand, at: Date | null): string {
  return at === null ? words(errand, 'no deadline') : showMoment(at, zoneOf(errand));
}

/** Who acts, as the log names him: never an address. */
export function actor(errand: Errand): string {
  if (errand.person) return `${errand.person.name} (${errand.person.id})`;
  return errand.door === 'cli' ? 'the operator' : 'a stranger';
}

/** Is this person the one who runs the whole service? */
export function isOperator(service: Looking, addresses: readonly string[]): boolean {
  const operator = service.config.operatorEmail?.toLowerCase();
  return operator !== undefined && addresses.includes(operator);
}

/** Does this person act for the master of a game? */
export async function isDeputy(db: Reader, gameId: number, personId: number): Promise<boolean> {
  return (await rolesIn(db, gameId)).some((one) => one.role === 'deputy' && one.person_id === personId);
}

/** May the author act as master of this game? Trust is asked for besides. */
export async function mayMaster(errand: Errand, game: GameRow): Promise<boolean> {
  const { role, person } = errand;
  if ((role?.role === 'master' || role?.role === 'deputy') && role.gameId === game.id) return true;
  if (person && (game.master_id === person.id || (await isDeputy(errand.trx, game.id, person.id)))) return true;
  return actsAsOperator(errand);
}

/** The operator, by his address or at the machine itself. */
export function actsAsOperator(errand: Pick<Errand, 'service' | 'from' | 'door'>): boolean {
  return errand.door === 'cli' || isOperator(errand.service, [errand.from]);
}

/** The game a command means: its own words, the token, the header line. */
export async function gameMeant(errand: Errand): Promise<GameRow | undefined> {
  if (errand.args.game) return gameByRef(errand.trx, errand.args.game);
  if (errand.seat) return gameById(errand.trx, errand.seat.game_id);
  if (errand.role) return gameById(errand.trx, errand.role.gameId);
  if (errand.gameRef) return gameByRef(errand.trx, errand.gameRef);
  return undefined;
}

export type SeatMeant = { seat: SeatRow; game: GameRow } | { said: Said };

/**
 * The seat a command is for: the token's, or the member's only one in the game named, or his only one in a game that runs.
 * Answers go to registered addresses only, so no proof is needed to be told about one's own seat.
 */
export async function seatMeant(errand: Errand): Promise<SeatMeant> {
  if (errand.seat && (!errand.args.game || (await gameMeant(errand))?.id === errand.seat.game_id))
    return { seat: errand.seat, game: await gameById(errand.trx, errand.seat.game_id) };
  if (!errand.person) return { said: no(errand, 'not a member') };
  const named = await gameMeant(errand);
  const seats = await seatsOfPerson(errand.trx, errand.person.id);
  const here = named ? seats.filter((seat) => seat.game_id === named.id) : seats;
  const running: { seat: SeatRow; game: GameRow }[] = [];
  for (const seat of here) {
    const game = await gameById(errand.trx, seat.game_id);
    if (named || game.status === 'running' || game.status === 'paused' || game.status === 'forming')
      running.push({ seat, game });
  }
  if (running.length === 1) return running[0]!;
  if (running.length === 0) return { said: no(errand, named ? 'no seat there' : 'no seat') };
  const refs = [...new Set(running.map(({ game }) => game.ref))];
  if (refs.length === 1) return { said: no(errand, 'two seats', { game: refs[0]! }) };
  return { said: no(errand, 'which game', { games: refs }) };
}

/** A code of 60 bits as it is mailed, and what is kept of it. */
function newCode(service: Pick<Service, 'randomBytes'>): { code: string; hash: string } {
  const letters = [...service.randomBytes(CODE_LETTERS)].map((byte) => LETTERS[byte % LETTERS.length]).join('');
  const code = `${letters.slice(0, 4)}-${letters.slice(4, 8)}-${letters.slice(8)}`.toUpperCase();
  return { code, hash: codeHash(code) };
}

export function codeHash(code: string): string {
  return sha256(`code ${code.toUpperCase()}`);
}

/** Makes a code for an address and remembers what it is good for. */
export async function offerCode(
  errand: Pick<Errand, 'service' | 'trx' | 'now'>,
  offer: {
    kind: PendingKind;
    address: string;
    personId?: number | null;
    gameId?: number | null;
    payload?: PendingPayload;
    days?: number;
  },
): Promise<string> {
  const { code, hash } = newCode(errand.service);
  await addPending(errand.trx, {
    codeHash: hash,
    kind: offer.kind,
    address: offer.address,
    personId: offer.personId ?? null,
    gameId: offer.gameId ?? null,
    payload: offer.payload ?? {},
    now: errand.now,
    expiresAt: new Date(errand.now.getTime() + (offer.days ?? CODE_DAYS) * DAY_MS),
  });
  return code;
}

/**
 * Has the command wait for a code, since nothing proves yet who wrote it or since it can't be taken back. The code itself
 * comes with the last answer of the mail, once for all commands that wait.
 */
export async function confirmFirst(errand: Errand, why: HeldCommand['why'] = 'proof'): Promise<Said> {
  const waiting: HeldCommand = {
    text: errand.text,
    gameRef: errand.gameRef,
    seatId: errand.seat?.id ?? null,
    press: errand.press,
    why,
  };
  if (!errand.waits) return offerWaiting(errand, [waiting]);
  errand.waits.commands.push(waiting);
  return { ok: false, paragraphs: [] };
}

/** One code for all that waits: to be told in the mail it waits for. */
export async function offerWaiting(
  errand: Pick<Errand, 'service' | 'trx' | 'now' | 'from' | 'person'>,
  waiting: readonly HeldCommand[],
): Promise<Said> {
  const code = await offerCode(errand, {
    kind: 'command',
    address: errand.from,
    personId: errand.person?.id ?? null,
    payload: { commands: waiting },
    days: 2,
  });
  const proof = waiting.some(({ why }) => why === 'proof');
  const done = waiting.map(({ text }) => text).join('\n');
  const params = { code, done, count: waiting.length };
  return {
    ok: false,
    subject: `CONFIRM ${code}`,
    paragraphs: [words(errand, proof ? 'confirm first' : 'confirm sure', params)],
  };
}
