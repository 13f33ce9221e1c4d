/** Agreements: a draw, a concession, a pause, more time. One side proposes, the others answer; silence lets it lapse. */
import { addProposal, castVote, closeProposal, daysExtended, openProposals, votesOn } from '../../store/club.ts';
import type { ProposalRow } from '../../store/club-schema.ts';
import { gameById, logAction, phaseById, seatsOf } from '../../store/games.ts';
import type { GameRow, SeatRow } from '../../store/schema.ts';
import { type Ask, actor, confirmFirst, moment, no, type Said, seatMeant, words, yes } from '../errand.ts';
import { concludeGame } from '../phase/course.ts';
import { extendDeadline, pauseGame } from '../phase/pace.ts';
import { tellGame, tellMaster } from '../post/notices.ts';
import { DAY_MS } from '../time/instants.ts';
import { sideName } from './signup.ts';

const VOTE_DAYS = 14;
/** Days a side may be given in one phase by agreement. */
export const EXTEND_DAYS_MAX = 7;

/** PROPOSE DRAW|CONCEDE|PAUSE. */
export async function propose(ask: Ask): Promise<Said> {
  const what = (ask.args.what ?? '').toLowerCase();
  const kind = what.startsWith('conce') ? 'concede' : what === 'pause' ? 'pause' : 'draw';
  return open(ask, kind, {});
}

/** EXTEND days reason: the others and the game master are asked. */
export async function askExtension(ask: Ask): Promise<Said> {
  const days = Number(ask.args.days);
  const meant = await seatMeant(ask);
  if ('said' in meant) return meant.said;
  const { game } = meant;
  if (game.status !== 'running' || game.phase_id === null) return no(ask, 'nothing due', { game: game.ref });
  const phase = await phaseById(ask.trx, game.phase_id);
  if (phase.due_at === null) return no(ask, 'nothing due', { game: game.ref });
  const given = await daysExtended(ask.trx, phase.id);
  if (days < 1 || given + days > EXTEND_DAYS_MAX) return no(ask, 'extend too long', { most: EXTEND_DAYS_MAX, given });
  return open(ask, 'extend', { days, reason: ask.args.rest ?? '' });
}

async function open(ask: Ask, kind: ProposalRow['kind'], detail: Record<string, unknown>): Promise<Said> {
  const meant = await seatMeant(ask);
  if ('said' in meant) return meant.said;
  if (!ask.trusted) return confirmFirst(ask);
  const { seat, game } = meant;
  if ((game.status !== 'running' && game.status !== 'paused') || game.phase_id === null)
    return no(ask, 'not running', { game: game.ref });
  for (const old of await openProposals(ask.trx, game.id))
    if (old.kind === kind && (old.side === seat.side || kind !== 'concede'))
      return old.side === seat.side
        ? no(ask, 'proposed already', { number: old.id })
        : vote({ ...ask, args: { vote: 'yes', n: String(old.id) } });
  const id = await addProposal(ask.trx, {
    gameId: game.id,
    phaseId: game.phase_id,
    kind,
    side: seat.side,
    detail,
    now: ask.now,
    closesAt: new Date(ask.now.getTime() + VOTE_DAYS * DAY_MS),
  });
  await castVote(ask.trx, { proposalId: id, side: seat.side, yes: true, now: ask.now });
  const carried = await count(ask, game, id);
  if (carried) return { ok: true, paragraphs: [carried] };
  const side = sideName(ask.service, game, seat.side);
  const params = {
    game: game.ref,
    side,
    number: id,
    days: Number(detail.days ?? 0),
    reason: String(detail.reason ?? ''),
  };
  const notice = { key: `proposal ${kind}`, params };
  await tellGame(ask.service, ask.trx, game, notice, { except: ask.person?.id, observers: false });
  if (kind === 'extend') await tellMaster(ask.service, ask.trx, game, notice);
  return yes(ask, 'proposed', params);
}

/** VOTE YES|NO [n]: without a number the only open proposal of the game that one has not voted on. */
export async function vote(ask: Ask): Promise<Said> {
  const meant = await seatMeant(ask);
  if ('said' in meant) return meant.said;
  if (!ask.trusted) return confirmFirst(ask);
  const { seat, game } = meant;
  const all = await openProposals(ask.trx, game.id);
  const wanted = ask.args.n === undefined ? all.filter((row) => row.side !== seat.side) : all;
  const proposal = ask.args.n === undefined ? only(wanted) : wanted.find((row) => row.id === Number(ask.args.n));
  if (!proposal)
    return all.length === 0
      ? no(ask, 'no proposal', { game: game.ref })
      : no(ask, 'which proposal', { numbers: all.map((row) => String(row.id)) });
  const agrees = /^(yes|aye)$/i.test(ask.args.vote ?? '');
  await castVote(ask.trx, { proposalId: proposal.id, side: seat.side, yes: agrees, now: ask.now });
  if (!agrees) {
    await closeProposal(ask.trx, proposal.id, proposal.side === seat.side ? 'withdrawn' : 'refused', ask.now);
    const params = { game: game.ref, side: sideName(ask.service, game, seat.side), number: proposal.id };
    await tellGame(
      ask.service,
      ask.trx,
      game,
      { key: 'proposal refused', params },
      { except: ask.person?.id, observers: false },
    );
    return yes(ask, 'voted no', params);
  }
  const carried = await count(ask, game, proposal.id);
  return carried ? { ok: true, paragraphs: [carried] } : yes(ask, 'voted yes', { number: proposal.id });
}

function only<T>(rows: readonly T[]): T | undefined {
  return rows.length === 1 ? rows[0] : undefined;
}

/** Carried when every held seat agrees; then it is done at once. Returns the words for it. */
async function count(ask: Ask, game: GameRow, proposalId: number): Promise<string | undefined> {
  const seats: SeatRow[] = (await seatsOf(ask.trx, game.id)).filter((seat) => seat.status === 'held');
  const votes = await votesOn(ask.trx, proposalId);
  const own = new Set(seats.filter((seat) => seat.person_id === ask.person?.id).map((seat) => seat.side));
  const agreed = (side: string): boolean => votes.some((row) => row.side === side && row.yes);
  // Who plays several sides of a solitaire game speaks for all of them.
  if (!seats.every((seat) => agreed(seat.side) || (own.has(seat.side) && [...own].some(agreed)))) return undefined;
  const proposal = (await openProposals(ask.trx, game.id)).find((row) => row.id === proposalId);
  if (!proposal) return undefined;
  await closeProposal(ask.trx, proposalId, 'carried', ask.now);
  await logAction(ask.trx, {
    at: ask.now,
    gameId: game.id,
    who: actor(ask),
    door: ask.door,
    what: `agreed ${proposal.kind}`,
    detail: { proposal: proposalId },
    public: true,
  });
  return carry(ask, await gameById(ask.trx, game.id), proposal);
}

async function carry(ask: Ask, game: GameRow, proposal: ProposalRow): Promise<string> {
  const side = sideName(ask.service, game, proposal.side);
  if (proposal.kind === 'pause') {
    await pauseGame(ask, game, words(ask, 'why agreed'));
    return words(ask, 'carried pause', { game: game.ref });
  }
  if (proposal.kind === 'extend') {
    const due = await extendDeadline(ask, game, Number(proposal.detail.days), words(ask, 'why agreed'));
    return words(ask, 'carried extend', { game: game.ref, due: moment(ask, due ?? null) });
  }
  await concludeGame(ask, game, proposal.kind, proposal.kind === 'concede' ? proposal.side : undefined);
  return words(ask, `carried ${proposal.kind}`, { game: game.ref, side });
}
