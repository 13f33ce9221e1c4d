/**
 * Seats changing hands: joining, invitations, starting when full, leaving, replacement players, stand-ins. A seat that
 * changes hands gets a new token, so that nothing the last holder still has can speak for it.
 */
import { known } from '../../kernel/assert.ts';
import {
  dropWaiting,
  endTenure,
  lastHolder,
  standIn,
  standInsBefore,
  startTenure,
  waitingFor,
} from '../../store/club.ts';
import type { Trx } from '../../store/db.ts';
import { gameById, logAction, markMasterPlays, phaseById, seatById, seatsOf } from '../../store/games.ts';
import { dropPending } from '../../store/members.ts';
import { personByAddress, personById } from '../../store/people.ts';
import type { GameRow, PersonRow, SeatRow } from '../../store/schema.ts';
import { emptySeat, fillSeat, markInvited, setSeatToken } from '../../store/seats.ts';
import type { Service } from '../context.ts';
import { actor, actsAsOperator, type Errand, offerCode, words } from '../errand.ts';
import { mailReports, startGame } from '../phase/newgame.ts';
import { moveDeadline, pauseGame, resumeGame } from '../phase/pace.ts';
import { tellAddress, tellGame, tellMaster, tellPerson, tellSeat } from '../post/notices.ts';
import { newToken } from '../seats.ts';
import { phaseDue } from '../time/deadlines.ts';
import { localDate } from '../time/instants.ts';
import { putWords } from './dicewords.ts';
import { assertUnseen, hasSeen } from './seen.ts';

/** The name of a side as the scenario has it. */
export function sideName(service: Pick<Service, 'scenarios'>, game: GameRow, side: string): string {
  const { scenario } = service.scenarios.open(game.scenario);
  return scenario.sides.find((candidate) => candidate.id === side)?.name ?? side;
}

/** Gives a seat a new token; old mails of the seat no longer speak for it. */
export async function rotateToken(service: Service, trx: Trx, seat: SeatRow): Promise<SeatRow> {
  return setSeatToken(trx, seat.id, newToken(service));
}

/** Puts a person into an empty seat. */
export async function giveSeat(errand: Errand, game: GameRow, seat: SeatRow, person: PersonRow): Promise<SeatRow> {
  const { service, trx, now } = errand;
  await assertUnseen(errand, game, seat.side, person);
  const fresh = await rotateToken(service, trx, seat);
  await endTenure(trx, seat.id, 'all', 'replaced', now);
  await fillSeat(trx, seat.id, person.id, now);
  await startTenure(trx, { seatId: seat.id, personId: person.id, now });
  await dropWaiting(trx, game.id, person.id);
  await dropPending(trx, game.id, 'invite', seat.side, now);
  if (person.id === game.master_id) await markMasterPlays(trx, game.id);
  await logAction(trx, {
    at: now,
    gameId: game.id,
    who: actor(errand),
    door: errand.door,
    what: 'seat',
    detail: { side: seat.side, person: person.id },
  });
  return seatById(trx, fresh.id);
}

/** Starts a game that is forming as soon as every seat is held. Returns whether it did. */
export async function startIfFull(errand: Errand, game: GameRow): Promise<boolean> {
  const seats = await seatsOf(errand.trx, game.id);
  if (game.settings.startByHand === true || seats.some((seat) => seat.status !== 'held')) return false;
  await startGame(errand.service, errand.trx, game.id);
  return true;
}

/**
 * Gives a vacant seat of a running game to a replacement player: he gets the last report and a full period. Whoever left
 * the seat himself and takes it back gets no extra time.
 */
export async function giveVacantSeat(
  errand: Errand,
  game: GameRow,
  seat: SeatRow,
  person: PersonRow,
): Promise<Date | null> {
  const { service, trx, now } = errand;
  const last = await lastHolder(trx, seat.id);
  const held = await giveSeat(errand, game, seat, person);
  const side = sideName(service, game, seat.side);
  await tellGame(
    service,
    trx,
    game,
    { key: 'new player', params: { game: game.ref, side, name: person.name } },
    { except: person.id },
  );
  if (game.phase_id === null) return null;
  const phase = await phaseById(trx, game.phase_id);
  await mailReports(service, trx, phase, [held]);
  if (game.status === 'paused' && game.pause_reason === 'vacant') await resumeGame(errand, game, { quiet: true });
  const again = await gameById(trx, game.id);
  const current = await phaseById(trx, phase.id);
  if (last === person.id || again.status !== 'running') return current.due_at;
  const full = await phaseDue(trx, again, now);
  if (full === null || (current.due_at !== null && current.due_at.getTime() >= full.getTime())) return current.due_at;
  await moveDeadline(service, trx, again, full, words(errand, 'why new player', { side }), { quiet: true });
  return full;
}

/** A holder leaves or is dismissed: the seat falls vacant, the game waits for a replacement, everybody hears of it. */
export async function vacate(
  errand: Pick<Errand, 'service' | 'trx' | 'now'>,
  game: GameRow,
  seat: SeatRow,
  why: 'resigned' | 'dismissed' | 'absent' | 'forgotten',
): Promise<void> {
  const { service, trx, now } = errand;
  await endTenure(trx, seat.id, 'all', why, now);
  await rotateToken(service, trx, seat);
  await emptySeat(trx, seat.id, game.status === 'forming' ? 'open' : 'vacant');
  const side = sideName(service, game, seat.side);
  const params = { game: game.ref, side, why: words(errand, `left ${why}`) };
  await tellGame(service, trx, game, { key: 'seat vacant', params });
  await tellMaster(service, trx, game, { key: 'seat vacant master', params });
  if (game.status === 'running') await pauseGame(errand, game, 'vacant', { quiet: true });
  for (const waiting of await waitingFor(trx, game.id)) {
    if (waiting.side !== null && waiting.side !== seat.side) continue;
    await tellPerson(
      service,
      trx,
      waiting.person_id,
      { key: 'seat free', params: { ...params, id: seat.side } },
      { game },
    );
  }
}

/**
 * Game and inviter as an address is told of them. A stranger's mail holds no words that a member chose: the title is the
 * scenario's, and a name is no address of a page.
 */
export async function namedTo(errand: Errand, game: GameRow, address: string): Promise<{ title: string; by: string }> {
  const by = errand.person?.name ?? words(errand, 'the game master');
  if (actsAsOperator(errand) || (await personByAddress(errand.trx, address))) return { title: game.title, by };
  return { title: errand.service.scenarios.open(game.scenario).scenario.title, by: by.replace(/[.,]/g, ' ').trim() };
}

/** Invites an address to a seat: the seat is kept until the code comes back or another is invited. */
export async function invite(errand: Errand, game: GameRow, seat: SeatRow, address: string): Promise<void> {
  const { service, trx, now } = errand;
  await dropPending(trx, game.id, 'invite', seat.side, now);
  const payload = { side: seat.side };
  const code = await offerCode(errand, { kind: 'invite', address, gameId: game.id, payload, days: 14 });
  if (seat.status === 'open') await markInvited(trx, seat.id);
  const params = {
    ...(await namedTo(errand, game, address)),
    club: service.config.club.name,
    game: game.ref,
    side: sideName(service, game, seat.side),
    code,
  };
  const bound = game.settings.seed && game.status === 'forming' ? game.settings.seed.commitment : '';
  const about = { key: 'invitation', params: { ...params, bound }, title: `CONFIRM ${code}` };
  await tellAddress(service, trx, address, about, { game });
}

/** A confirmed invitation: into the seat, whether the game is forming or runs. Says whether the seat could be had. */
export async function acceptInvitation(
  errand: Errand,
  gameId: number,
  side: string,
  person: PersonRow,
): Promise<'joined' | 'started' | 'taken over' | 'gone' | 'seen'> {
  const game = await gameById(errand.trx, gameId);
  const seats = await seatsOf(errand.trx, gameId);
  const seat = known(
    seats.find((candidate) => candidate.side === side),
    `no side ${side} in ${game.ref}`,
  );
  const already = seats.some((candidate) => candidate.person_id === person.id) && game.settings.solitaire !== true;
  if (seat.status === 'held' || already || game.status === 'over' || game.status === 'cancelled') return 'gone';
  if (await hasSeen(errand, game, side, person)) return 'seen';
  if (game.status !== 'forming') {
    await giveVacantSeat(errand, game, seat, person);
    return 'taken over';
  }
  await giveSeat(errand, game, seat, person);
  await putWords(errand, game.id, side, person.id);
  return (await startIfFull(errand, game)) ? 'started' : 'joined';
}

/** Asks an address to stand in for a seat until a day. */
export async function askStandIn(
  errand: Errand,
  game: GameRow,
  seat: SeatRow,
  address: string,
  until: string,
): Promise<void> {
  const payload = { seat: seat.id, until };
  const code = await offerCode(errand, { kind: 'substitute', address, gameId: game.id, payload });
  const params = {
    ...(await namedTo(errand, game, address)),
    club: errand.service.config.club.name,
    game: game.ref,
    side: sideName(errand.service, game, seat.side),
    until,
    code,
  };
  await tellAddress(
    errand.service,
    errand.trx,
    address,
    { key: 'stand-in asked', params, title: `CONFIRM ${code}` },
    { game },
  );
}

/** The stand-in said yes: from now on he speaks for the seat and gets its mails. */
export async function startStandIn(errand: Errand, seatId: number, until: string, person: PersonRow): Promise<boolean> {
  const { service, trx, now } = errand;
  const seat = await seatById(trx, seatId);
  const game = await gameById(trx, seat.game_id);
  const seats = await seatsOf(trx, game.id);
  if (seat.person_id === null || seats.some((candidate) => candidate.person_id === person.id)) return false;
  if (await hasSeen(errand, game, seat.side, person)) return false;
  await endTenure(trx, seat.id, 'stand-in', 'replaced', now);
  await startTenure(trx, { seatId, personId: person.id, standIn: true, untilDay: until, now });
  const side = sideName(service, game, seat.side);
  await tellGame(
    service,
    trx,
    game,
    { key: 'stand-in began', params: { game: game.ref, side, name: person.name, until } },
    { except: person.id },
  );
  if (game.phase_id !== null) {
    const phase = await phaseById(trx, game.phase_id);
    await mailReports(service, trx, phase, [{ ...seat, person_id: person.id }]);
  }
  return true;
}

/** The holder writes again, or the last day is over: the stand-in hands back. Returns whether there was one. */
export async function handBack(
  service: Service,
  trx: Trx,
  seat: SeatRow,
  why: 'holder wrote' | 'last day' | 'called off',
): Promise<boolean> {
  const stand = await standIn(trx, seat.id);
  if (!stand) return false;
  const now = service.now();
  await endTenure(trx, seat.id, 'stand-in', why, now);
  const game = await gameById(trx, seat.game_id);
  const side = sideName(service, game, seat.side);
  const params = { game: game.ref, side, name: (await personById(trx, stand.person_id))?.name ?? '' };
  await tellPerson(service, trx, stand.person_id, { key: 'stand-in over', params }, { game });
  await tellSeat(service, trx, game, seat, { key: 'stand-in handed back', params });
  return true;
}

/** Ends every stand-in whose last day is over, in the zone of whoever he stands in for. */
export async function endStandIns(service: Service, trx: Trx): Promise<void> {
  const now = service.now();
  const tomorrow = localDate(new Date(now.getTime() + 86_400_000), 'UTC');
  for (const stand of await standInsBefore(trx, tomorrow)) {
    const seat = await seatById(trx, stand.seat_id);
    const owner = seat.person_id === null ? undefined : await personById(trx, seat.person_id);
    if (stand.until_day !== null && stand.until_day < localDate(now, owner?.zone ?? 'UTC'))
      await handBack(service, trx, seat, 'last day');
  }
}
