/**
 * No deadline beats a mail that came in time. Each door says until when everything that came by it has been stored; a
 * phase whose time is up runs only when all doors have been read past that time, in whichever process it runs. A process
 * that slept, a clock that jumped, a mailbox that can't be read, a service of which only workers live: all of them are
 * the same gap in that mark, and it is looked at under the game's lock by the run itself.
 */

import type { MovedDeadline } from '../../store/club-schema.ts';
import { inTransaction, lockGame, type Trx } from '../../store/db.ts';
import {
  addDoor,
  addOutage,
  type DoorName,
  doorsKnown,
  lockDoor,
  markRead,
  mastersWithDeadlines,
  moveQuestions,
  phasesDueBefore,
  takeOutagesAfter,
  takeSilentDoors,
} from '../../store/doors.ts';
import { gameById, phaseById, seatsOf, serviceValue } from '../../store/games.ts';
import { hasten } from '../../store/jobs.ts';
import { personById } from '../../store/people.ts';
import { setDue } from '../../store/phases.ts';
import type { GameRow, PhaseRow, SeatRow } from '../../store/schema.ts';
import type { Service } from '../context.ts';
import { planDeadline } from '../phase/pace.ts';
import { type Notice, tellMaster, tellSeat } from '../post/notices.ts';
import { absencesOf, ruleOf } from '../time/deadlines.ts';
import { clearOf, runsAt, showMoment, slotAfter } from '../time/instants.ts';

/** A shorter gap only holds deadlines until the mail is read; a longer one moves those that fell into it. */
export const GAP_MS = 3_600_000;
/** A clock that goes back by less was only set right. */
const BACK_MS = 60_000;
/** Nobody read a door for so long: operator and masters are told. */
const SILENT_MS = 3 * 60_000;
const KEEP_MS = 3_000;
/** A process that did nothing for so long was asleep. */
const SLEPT_MS = 20_000;
/** What waits for the doors has a job whose key begins so. */
export const HELD = 'held:';

interface Gap {
  from: Date;
  to: Date;
}

/** Opens a door before anything is taken in by it. */
export async function openDoor(service: Service, name: DoorName): Promise<void> {
  // An older Fieldpost kept one mark for the whole service.
  const before = await serviceValue(service.db, 'heartbeat');
  await addDoor(service.db, name, typeof before === 'string' ? new Date(before) : service.now());
}

/**
 * A door was read: everything that came by it before `at` is stored. Returns the gap that moved deadlines, if there was
 * one. A clock that was put back takes with it what its wrong time had moved.
 */
export async function noteRead(service: Service, name: DoorName, at: Date): Promise<Gap | undefined> {
  return inTransaction(service.db, async (trx) => {
    const door = await lockDoor(trx, name);
    if (!door) return undefined;
    const passed = at.getTime() - door.read_at.getTime();
    const gap = passed >= GAP_MS ? { from: door.read_at, to: at } : undefined;
    if (passed < -BACK_MS) await takeBack(service, trx, at);
    if (gap) await moveFallen(service, trx, gap);
    await markRead(trx, name, at);
    if (door.told_at !== null) {
      const params = { door: name, since: showMoment(door.read_at, service.config.club.zone) };
      await tellMaster(service, trx, null, { key: 'door read again', params });
    }
    if (door.wanted) await hasten(trx, HELD, service.now());
    return gap;
  });
}

/** The deadlines that fell into a gap move to the first hour of their game's rule after it; everybody is told. */
async function moveFallen(service: Service, trx: Trx, gap: Gap): Promise<void> {
  const moved: MovedDeadline[] = [];
  for (const { id, game_id } of await phasesDueBefore(trx, gap.to)) {
    await lockGame(trx, game_id);
    const game = await gameById(trx, game_id);
    const phase = await phaseById(trx, id);
    const was = phase.due_at;
    const rule = ruleOf(game);
    const open = game.phase_id === id && game.status === 'running' && phase.status !== 'done';
    // Grace counts as open time: who still could file at the start of the gap still can.
    if (!open || !was || (rule ? runsAt(rule, was) : was) <= gap.from) continue;
    const late = new Date(was.getTime() + gap.to.getTime() - gap.from.getTime());
    const due = rule ? await freeSlot(trx, game, gap.to) : late;
    await setDue(trx, id, due);
    await moveQuestions(trx, id, due, gap);
    moved.push({ phaseId: id, was: was.toISOString(), became: due.toISOString() });
    await replan(service, trx, game, { ...phase, due_at: due }, 'outage', gap);
  }
  await addOutage(trx, gap, moved);
  const zone = service.config.club.zone;
  const params = { from: showMoment(gap.from, zone), to: showMoment(gap.to, zone), count: moved.length };
  service.log.warn(
    { ...gap, moved: moved.length },
    'no mail was read for a time; deadlines that fell into it are moved',
  );
  if (moved.length > 0) await tellMaster(service, trx, null, { key: 'outage master', params });
}

async function freeSlot(trx: Trx, game: GameRow, after: Date): Promise<Date> {
  const rule = ruleOf(game)!;
  const slot = slotAfter(rule, after);
  return clearOf(rule, slot, await absencesOf(trx, game.id)) ?? slot;
}

/** The clock was wrong and is right again: deadlines that its wrong time had moved go back to where they were. */
async function takeBack(service: Service, trx: Trx, now: Date): Promise<void> {
  for (const outage of await takeOutagesAfter(trx, now))
    for (const { phaseId, was, became } of outage.moved) {
      const phase = await phaseById(trx, phaseId);
      await lockGame(trx, phase.game_id);
      const game = await gameById(trx, phase.game_id);
      const stands = phase.due_at?.toISOString() === became && game.phase_id === phaseId && game.status === 'running';
      const due = new Date(was);
      if (!stands || due <= now) continue;
      await setDue(trx, phaseId, due);
      await replan(service, trx, game, { ...phase, due_at: due }, 'outage taken back', {
        from: outage.from_at,
        to: outage.to_at,
      });
    }
  service.log.warn({ now }, 'the clock was put back; what its wrong time had moved is where it was');
}

async function replan(
  service: Service,
  trx: Trx,
  game: GameRow,
  phase: PhaseRow,
  key: Notice['key'],
  gap: Gap,
): Promise<void> {
  await planDeadline(service, trx, game, phase);
  const due = phase.due_at!;
  for (const seat of await seatsOf(trx, game.id)) {
    const zone = await zoneOfSeat(service, trx, seat);
    const times = { from: showMoment(gap.from, zone), to: showMoment(gap.to, zone), due: showMoment(due, zone) };
    const params = { game: game.ref, ...times };
    await tellSeat(service, trx, game, seat, { key, params, replaceKey: `deadline:${game.id}`, staleAt: due });
  }
}

/** The zone of whoever holds a seat. */
export async function zoneOfSeat(service: Service, trx: Trx, seat: SeatRow): Promise<string> {
  const person = seat.person_id === null ? undefined : await personById(trx, seat.person_id);
  return person?.zone ?? service.config.club.zone;
}

/**
 * To be called every few seconds by every process that has lived for some minutes: when a door has not been read for
 * minutes, operator and game masters are told that no deadline runs.
 */
export async function watchDoors(service: Service): Promise<void> {
  const now = service.now();
  const since = new Date(now.getTime() - SILENT_MS);
  if ((await doorsKnown(service.db)).every((door) => door.read_at >= since || door.told_at !== null)) return;
  await inTransaction(service.db, async (trx) => {
    for (const door of await takeSilentDoors(trx, since, now)) {
      const zone = service.config.club.zone;
      const params = { door: door.name, since: showMoment(door.read_at, zone), why: door.trouble ?? '-' };
      service.log.error({ door: door.name, why: door.trouble }, 'no mail is read; no deadline runs until it is');
      await tellMaster(service, trx, null, { key: 'door not read', params });
      for (const gameId of await mastersWithDeadlines(trx))
        await tellMaster(service, trx, await gameById(trx, gameId), { key: 'door not read master', params });
    }
  });
}

/**
 * The serving process keeps its doors: the listener takes mail in all the time, so that it is read up to now; the mailbox
 * is asked to look when a deadline waits for it. Returns what stops it.
 */
export function keepDoors(service: Service, look: () => void): () => Promise<void> {
  let last = performance.now();
  const keep = async (): Promise<void> => {
    const slept = performance.now() - last > SLEPT_MS;
    last = performance.now();
    // Whoever waits at the listener since then is let in first.
    if (!slept) await noteRead(service, 'smtp', service.now());
    if ((await doorsKnown(service.db)).some((door) => door.name === 'imap' && door.wanted)) look();
  };
  const said = (problem: unknown): void => service.log.warn({ why: String(problem) }, 'the doors could not be kept');
  let running = keep().catch(said);
  const timer = setInterval(() => {
    running = running.then(keep).catch(said);
  }, KEEP_MS);
  timer.unref();
  return async () => {
    clearInterval(timer);
    await running;
  };
}
