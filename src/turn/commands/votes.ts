/** Agreements: a draw, a concession, a pause, more time. One side proposes, the others answer; silence lets it lapse. */
import { known } from '../../kernel/assert.ts';
import { addProposal, castVote, closeProposal, daysExtended, openProposals, votesOn } from '../../store/club.ts';
import type { ProposalRow } from '../../store/club-schema.ts';
import { gameById, logAction, phaseById, seatsOf } from '../../store/games.ts';
import { personById } from '../../store/people.ts';
import type { GameRow, SeatRow } from '../../store/schema.ts';
import { admit } from '../../store/trust/seen.ts';
import { actor, confirmFirst, type Errand, moment, no, type Said, seatMeant, words, yes } from '../errand.ts';
import { concludeGame } from '../phase/course.ts';
import { extendDeadline, pauseGame } from '../phase/pace.ts';
import { tellGame, tellMaster, tellPerson } from '../post/notices.ts';
import { speakersOf } from '../seats.ts';
import { DAY_MS } from '../time/instants.ts';
import { invite, sideName } from './signup.ts';

const VOTE_DAYS = 14;
/** Days a side may be given in one phase by agreement. */
const EXTEND_DAYS_MAX = 7;

/** PROPOSE DRAW|CONCEDE|PAUSE. */
export async function propose(errand: Errand): Promise<Said> {
  const what = (errand.args.what ?? '').toLowerCase();
  const kind = what.startsWith('conce') ? 'concede' : what === 'pause' ? 'pause' : 'draw';
  return open(errand, kind, {});
}

/** EXTEND days reason: the others and the game master are asked. */
export async function askExtension(errand: Errand): Promise<Said> {
  const days = Number(errand.args.days);
  const meant = await seatMeant(errand);
  if ('said' in meant) return meant.said;
  const { game } = meant;
  if (game.status !== 'running' || game.phase_id === null) return no(errand, 'nothing due', { game: game.ref });
  const phase = await phaseById(errand.trx, game.phase_id);
  if (phase.due_at === null) return no(errand, 'nothing due', { game: game.ref });
  const given = await daysExtended(errand.trx, phase.id);
  if (days < 1 || given + days > EXTEND_DAYS_MAX)
    return no(errand, 'extend too long', { most: EXTEND_DAYS_MAX, given });
  return open(errand, 'extend', { days, reason: errand.args.rest ?? '' });
}

async function open(errand: Errand, kind: ProposalRow['kind'], detail: Record<string, unknown>): Promise<Said> {
  const meant = await seatMeant(errand);
  if ('said' in meant) return meant.said;
  if (!errand.trusted) return confirmFirst(errand);
  const { seat, game } = meant;
  if ((game.status !== 'running' && game.status !== 'paused') || game.phase_id === null)
    return no(errand, 'not running', { game: game.ref });
  for (const old of await openProposals(errand.trx, game.id))
    if (old.kind === kind && (old.side === seat.side || kind !== 'concede'))
      return old.side === seat.side
        ? no(errand, 'proposed already', { number: old.id })
        : vote({ ...errand, args: { vote: 'yes', n: String(old.id) } });
  const id = await addProposal(errand.trx, {
    gameId: game.id,
    phaseId: game.phase_id,
    kind,
    side: seat.side,
    detail,
    now: errand.now,
    closesAt: new Date(errand.now.getTime() + VOTE_DAYS * DAY_MS),
  });
  await castVote(errand.trx, { proposalId: id, side: seat.side, yes: true, now: errand.now });
  const carried = await count(errand, game, id);
  if (carried) return { ok: true, paragraphs: [carried] };
  const side = sideName(errand.service, game, seat.side);
  const params = {
    game: game.ref,
    side,
    number: id,
    days: Number(detail.days ?? 0),
    reason: String(detail.reason ?? ''),
  };
  const notice = { key: `proposal ${kind}`, params };
  await tellGame(errand.service, errand.trx, game, notice, { except: errand.person?.id, observers: false });
  if (kind === 'extend') await tellMaster(errand.service, errand.trx, game, notice);
  return yes(errand, 'proposed', params);
}

type Obey = (errand: Errand, name: string) => Promise<Said>;

/** VOTE YES|NO [n]: without a number the only open proposal of the game that one has not voted on. */
export async function vote(errand: Errand, obey?: Obey): Promise<Said> {
  const meant = await seatMeant(errand);
  if ('said' in meant) return meant.said;
  if (!errand.trusted) return confirmFirst(errand);
  const { seat, game } = meant;
  const all = await openProposals(errand.trx, game.id);
  const wanted = errand.args.n === undefined ? all.filter((row) => row.side !== seat.side) : all;
  const proposal = errand.args.n === undefined ? only(wanted) : wanted.find((row) => row.id === Number(errand.args.n));
  if (!proposal)
    return all.length === 0
      ? no(errand, 'no proposal', { game: game.ref })
      : no(errand, 'which proposal', { numbers: all.map((row) => String(row.id)) });
  // Whoever is to be let in has no vote on it, for whatever seat he may speak.
  if (proposal.kind === 'admit' && Number(proposal.detail.personId) === errand.person?.id)
    return no(errand, 'vote on oneself', { number: proposal.id });
  const agrees = /^(yes|aye)$/i.test(errand.args.vote ?? '');
  await castVote(errand.trx, { proposalId: proposal.id, side: seat.side, yes: agrees, now: errand.now });
  if (!agrees) {
    await closeProposal(errand.trx, proposal.id, proposal.side === seat.side ? 'withdrawn' : 'refused', errand.now);
    const params = { game: game.ref, side: sideName(errand.service, game, seat.side), number: proposal.id };
    await tellGame(
      errand.service,
      errand.trx,
      game,
      { key: 'proposal refused', params },
      { except: errand.person?.id, observers: false },
    );
    return yes(errand, 'voted no', params);
  }
  const carried = await count(errand, game, proposal.id, obey);
  return carried ? { ok: true, paragraphs: [carried] } : yes(errand, 'voted yes', { number: proposal.id });
}

function only<T>(rows: readonly T[]): T | undefined {
  return rows.length === 1 ? rows[0] : undefined;
}

/** Carried when every held seat agrees; then it is done at once. Returns the words for it. */
async function count(errand: Errand, game: GameRow, proposalId: number, obey?: Obey): Promise<string | undefined> {
  const seats: SeatRow[] = (await seatsOf(errand.trx, game.id)).filter((seat) => seat.status === 'held');
  const votes = await votesOn(errand.trx, proposalId);
  const own = new Set(seats.filter((seat) => seat.person_id === errand.person?.id).map((seat) => seat.side));
  const agreed = (side: string): boolean => votes.some((row) => row.side === side && row.yes);
  // Who plays several sides of a solitaire game speaks for all of them.
  if (!seats.every((seat) => agreed(seat.side) || (own.has(seat.side) && [...own].some(agreed)))) return undefined;
  const proposal = (await openProposals(errand.trx, game.id)).find((row) => row.id === proposalId);
  if (!proposal) return undefined;
  // A master's wish is no agreement: another side has to have said yes.
  if ((proposal.kind === 'deed' || proposal.kind === 'admit') && !(await othersAgree(errand, game, seats, agreed)))
    return undefined;
  await closeProposal(errand.trx, proposalId, 'carried', errand.now);
  await logAction(errand.trx, {
    at: errand.now,
    gameId: game.id,
    who: actor(errand),
    door: errand.door,
    what: `agreed ${proposal.kind}`,
    detail: { proposal: proposalId },
    public: true,
  });
  return carry(errand, await gameById(errand.trx, game.id), proposal, obey);
}

/** Has a side that the master doesn't play said yes? */
async function othersAgree(
  errand: Errand,
  game: GameRow,
  seats: readonly SeatRow[],
  agreed: (side: string) => boolean,
): Promise<boolean> {
  for (const seat of seats) {
    const masters = game.master_id !== null && (await speakersOf(errand.trx, seat)).includes(game.master_id);
    if (!masters && agreed(seat.side)) return true;
  }
  return false;
}

/** What master and opponents agreed on: somebody who has seen another side is invited all the same. */
async function admitNow(errand: Errand, game: GameRow, proposal: ProposalRow): Promise<string> {
  const { trx, now } = errand;
  const { detail, side } = proposal;
  const personId = Number(detail.personId);
  await admit(trx, { gameId: game.id, personId, side, proposalId: proposal.id, now });
  const seat = (await seatsOf(trx, game.id)).find((one) => one.side === side)!;
  if (seat.status !== 'held') await invite({ ...errand, person: null }, game, seat, String(detail.address));
  const name = (await personById(trx, personId))?.name ?? '';
  const params = { game: game.ref, side: sideName(errand.service, game, side), name };
  await logAction(trx, {
    at: now,
    gameId: game.id,
    who: actor(errand),
    door: errand.door,
    what: words(errand, 'admitted', params),
    public: true,
  });
  return words(errand, 'carried admit', params);
}

/** A deed of a master who plays, done as he wrote it; he is told what came of it. */
async function doDeed(errand: Errand, game: GameRow, proposal: ProposalRow, obey: Obey): Promise<string> {
  const { what, name, args, personId, from } = proposal.detail as unknown as Deed;
  const person = (await personById(errand.trx, personId)) ?? null;
  const { waits: _, ...alone } = errand;
  const wish = { ...alone, person, from, seat: null, role: null, trusted: true, agreed: true, text: what, args };
  const said = await obey(wish, name);
  if (person)
    await tellPerson(
      errand.service,
      errand.trx,
      person.id,
      {
        key: 'deed agreed',
        params: { game: game.ref, what, number: proposal.id },
        paragraphs: [what, ...said.paragraphs],
      },
      { game },
    );
  return words(errand, said.ok ? 'carried deed' : 'carried in vain', { game: game.ref, what });
}

interface Deed {
  what: string;
  name: string;
  args: Record<string, string>;
  personId: number;
  from: string;
}

async function carry(errand: Errand, game: GameRow, proposal: ProposalRow, obey?: Obey): Promise<string> {
  if (proposal.kind === 'admit') return admitNow(errand, game, proposal);
  if (proposal.kind === 'deed') return doDeed(errand, game, proposal, known(obey, 'a deed without its verb'));
  const side = sideName(errand.service, game, proposal.side);
  if (proposal.kind === 'pause') {
    await pauseGame(errand, game, words(errand, 'why agreed'));
    return words(errand, 'carried pause', { game: game.ref });
  }
  if (proposal.kind === 'extend') {
    const due = await extendDeadline(errand, game, Number(proposal.detail.days), words(errand, 'why agreed'));
    return words(errand, 'carried extend', { game: game.ref, due: moment(errand, due ?? null) });
  }
  await concludeGame(errand, game, proposal.kind, proposal.kind === 'concede' ? proposal.side : undefined);
  return words(errand, `carried ${proposal.kind}`, { game: game.ref, side });
}
