/**
 * Who has seen one side of a game never plays another: asked at every way into a seat. Solitaire games and the
 * demonstration are excepted, and whoever game master and opponents agreed on.
 */
import { assert } from '../../kernel/assert.ts';
import { sha256 } from '../../kernel/hash.ts';
import { addProposal, castVote, openProposals, rolesIn } from '../../store/club.ts';
import type { Reader, Trx } from '../../store/db.ts';
import { seatsOf, serviceValue } from '../../store/games.ts';
import { addressesOf } from '../../store/people.ts';
import type { GameRow, PersonRow, SeatRow } from '../../store/schema.ts';
import { isAdmitted, keepSeen, seenBy } from '../../store/trust/seen.ts';
import type { Looking, Service } from '../context.ts';
import { type Errand, no, type Said, yes } from '../errand.ts';
import { tellGame } from '../post/notices.ts';
import { speakersOf } from '../seats.ts';
import { DAY_MS } from '../time/instants.ts';

const VOTE_DAYS = 14;

type At = { service: Service; trx: Trx };

/** What an address is remembered by once its owner has given it up. */
function markOf(service: Pick<Service, 'secret'>, address: string): string {
  return sha256(`seen ${service.secret.toString('hex')} ${address.toLowerCase()}`);
}

/** A solitaire game, and the demonstration's, where nobody has secrets from anybody. */
export async function isExcepted(service: Pick<Looking, 'config'>, db: Reader, game: GameRow): Promise<boolean> {
  if (game.settings.solitaire === true) return true;
  return service.config.demo && (await serviceValue(db, 'demo game')) === game.ref;
}

/** Has this person seen more of the game than who plays that side may? */
export async function hasSeen({ service, trx }: At, game: GameRow, side: string, person: PersonRow): Promise<boolean> {
  if (await isExcepted(service, trx, game)) return false;
  if (await isAdmitted(trx, game.id, person.id, side)) return false;
  const roles = await rolesIn(trx, game.id);
  if (roles.some((one) => one.role === 'deputy' && one.person_id === person.id)) return true;
  const marks = (await addressesOf(trx, person.id)).map((address) => markOf(service, address));
  return (await seenBy(trx, game, person.id, marks)).some((sight) => sight.side === null || sight.side !== side);
}

/** Of some seats those that this person may have. */
export async function openTo(at: At, game: GameRow, seats: readonly SeatRow[], person: PersonRow): Promise<SeatRow[]> {
  const open: SeatRow[] = [];
  for (const seat of seats) if (!(await hasSeen(at, game, seat.side, person))) open.push(seat);
  return open;
}

/** The last door of all ways into a seat: whoever comes here without having been asked before is our own fault. */
export async function assertUnseen(at: At, game: GameRow, side: string, person: PersonRow): Promise<void> {
  assert(!(await hasSeen(at, game, side, person)), `person ${person.id} has seen another side of ${game.ref}`);
}

/** Before an address goes (SET ADDRESS -old, FORGET ME): what its owner has seen stays with it. */
export async function keepSeenOf({ service, trx }: At, personId: number, address: string): Promise<void> {
  await keepSeen(trx, personId, markOf(service, address), service.now());
}

/** SEAT for somebody who has seen another side: the opponents are asked, and he is invited once all have said yes. */
export async function askToAdmit(
  errand: Errand,
  game: GameRow,
  seat: SeatRow,
  person: PersonRow,
  address: string,
  side: string,
): Promise<Said> {
  const { service, trx, now } = errand;
  if (game.phase_id === null) return no(errand, 'not running', { game: game.ref });
  for (const old of await openProposals(trx, game.id))
    if (old.kind === 'admit' && old.side === seat.side) return no(errand, 'proposed already', { number: old.id });
  const held = (await seatsOf(trx, game.id)).filter((one) => one.status === 'held');
  if (held.length === 0) return no(errand, 'nobody to agree', { game: game.ref });
  const number = await addProposal(trx, {
    gameId: game.id,
    phaseId: game.phase_id,
    kind: 'admit',
    side: seat.side,
    detail: { personId: person.id, address },
    now,
    closesAt: new Date(now.getTime() + VOTE_DAYS * DAY_MS),
  });
  const params = { game: game.ref, side, name: person.name, number };
  // A master who plays has said his own yes by asking; the others are to say theirs.
  for (const one of held)
    if (errand.person && (await speakersOf(trx, one)).includes(errand.person.id))
      await castVote(trx, { proposalId: number, side: one.side, yes: true, now });
  await tellGame(
    service,
    trx,
    game,
    { key: 'proposal admit', params },
    { except: errand.person?.id, observers: false },
  );
  return yes(errand, 'asked to admit', params);
}
