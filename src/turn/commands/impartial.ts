/**
 * A game master who plays in his own game: he looks at nothing that is hidden from his side, and what he does to the game
 * waits for the others' yes; a deputy may do both. Whoever looks, the players are told at once.
 */
import { addProposal, castVote, openProposals, rolesIn } from '../../store/club.ts';
import type { Reader, Trx } from '../../store/db.ts';
import { gameById, logAction, seatsOf } from '../../store/games.ts';
import { mailInById } from '../../store/mail.ts';
import type { GameRow, PersonRow } from '../../store/schema.ts';
import { noteSeen } from '../../store/trust/seen.ts';
import type { Looking, Service } from '../context.ts';
import { type Errand, gameMeant, mayMaster, no, type Said, yes } from '../errand.ts';
import { tellGame } from '../post/notices.ts';
import { speakersOf } from '../seats.ts';
import { DAY_MS } from '../time/instants.ts';
import { isExcepted } from './seen.ts';

const VOTE_DAYS = 14;
/** Commands that show what is hidden from a side. */
const LOOKS = new Set(['PREVIEW', 'LOG', 'MAIL', 'EXPORT']);
/** Commands that change the course of a game. */
const DEEDS = new Set([
  ...['REWIND', 'RERUN', 'ADJUST', 'PROCESS', 'RULING', 'DEADLINE', 'SCHEDULE', 'DISMISS', 'CANCEL'],
]);

/** Does this person play in a game that others play too and that is not over? Then he is not to look at its hidden things. */
export async function playsIn(
  service: Pick<Looking, 'config'>,
  db: Reader,
  game: GameRow,
  personId: number,
): Promise<boolean> {
  if (game.status !== 'running' && game.status !== 'paused') return false;
  if (await isExcepted(service, db, game)) return false;
  for (const seat of await seatsOf(db, game.id)) if ((await speakersOf(db, seat)).includes(personId)) return true;
  return false;
}

async function hasDeputy(trx: Trx, gameId: number): Promise<boolean> {
  return (await rolesIn(trx, gameId)).some((one) => one.role === 'deputy');
}

/** What is said instead of obeying a command of a master who plays; undefined: it is obeyed as ever. */
export async function heldBack(errand: Errand, name: string): Promise<Said | undefined> {
  if ((!LOOKS.has(name) && !DEEDS.has(name)) || errand.agreed === true || !errand.person || !errand.trusted)
    return undefined;
  const game = await gameOf(errand, name);
  if (!game || !(await mayMaster(errand, game))) return undefined;
  if (!(await playsIn(errand.service, errand.trx, game, errand.person.id))) return undefined;
  const deputy = (await hasDeputy(errand.trx, game.id)) ? 'yes' : '';
  if (LOOKS.has(name) || (name === 'RERUN' && errand.args.publish === undefined))
    return no(errand, 'master plays look', { game: game.ref, deputy });
  return proposeDeed(errand, game, errand.person, name, deputy);
}

async function gameOf(errand: Errand, name: string): Promise<GameRow | undefined> {
  const listed = name === 'LOG' && errand.args.mail !== undefined;
  if (name !== 'MAIL' && !listed) return gameMeant(errand);
  if (errand.args.n === undefined) return undefined;
  const row = await mailInById(errand.trx, Number(errand.args.n));
  return row?.game_id ? gameById(errand.trx, row.game_id) : undefined;
}

/** Puts a deed before the other sides. */
async function proposeDeed(
  errand: Errand,
  game: GameRow,
  person: PersonRow,
  name: string,
  deputy: string,
): Promise<Said> {
  const { service, trx, now } = errand;
  if (game.phase_id === null) return no(errand, 'not running', { game: game.ref });
  const what = [name, ...Object.values(errand.args)].join(' ').replace(/\s+/g, ' ').slice(0, 300);
  for (const old of await openProposals(trx, game.id))
    if (old.kind === 'deed' && old.detail.what === what) return no(errand, 'proposed already', { number: old.id });
  const own = [];
  for (const seat of await seatsOf(trx, game.id))
    if (seat.status === 'held' && (await speakersOf(trx, seat)).includes(person.id)) own.push(seat.side);
  const { args, from, door } = errand;
  const number = await addProposal(trx, {
    gameId: game.id,
    phaseId: game.phase_id,
    kind: 'deed',
    side: own[0] ?? 'gm',
    detail: { what, name, args: { ...args, game: game.ref }, personId: person.id, from, door },
    now,
    closesAt: new Date(now.getTime() + VOTE_DAYS * DAY_MS),
  });
  for (const side of own) await castVote(trx, { proposalId: number, side, yes: true, now });
  const params = { game: game.ref, number, what, deputy };
  await tellGame(service, trx, game, { key: 'proposal deed', params }, { except: person.id, observers: false });
  return yes(errand, 'master plays deed', params);
}

export interface Look {
  person: PersonRow | null;
  who: string;
  door: string;
  /** As the log and the players read it. */
  what: string;
  why: string | null;
  /** The side whose things were seen; null: all. */
  side: string | null;
}

/** Puts a look at hidden things on record, remembers who has seen what, and tells the players at once while they play. */
export async function noteLook(at: { service: Service; trx: Trx }, game: GameRow, look: Look): Promise<void> {
  const { service, trx } = at;
  const now = service.now();
  const { who, door, what, why } = look;
  await logAction(trx, { at: now, gameId: game.id, who, door, what, why, public: true });
  if (game.status !== 'running' && game.status !== 'paused') return;
  if (look.person) await noteSeen(trx, { gameId: game.id, personId: look.person.id, side: look.side, how: what, now });
  const params = { game: game.ref, who: look.person?.name ?? who, what, why: why ?? '' };
  await tellGame(service, trx, game, { key: 'looked', params }, { except: look.person?.id, observers: false });
}
