/** Making a game and starting it: keys and their commitment, set-up with keyed dice, the first phase and its mails. */
import { assert, Fault } from '../../kernel/assert.ts';
import { SETUP_PHASE } from '../../kernel/dice.ts';
import { hashOf } from '../../kernel/hash.ts';
import type { GameState, Scenario, SideId } from '../../kernel/types.ts';
import { publicView } from '../../kernel/view.ts';
import { addRole, startTenure, watchersOf } from '../../store/club.ts';
import { inTransaction, type Reader, type Trx } from '../../store/db.ts';
import { addGame, gameById, logAction, markStarted, nextRef, seatsOf, setGameSettings } from '../../store/games.ts';
import { addressesOf, personFor } from '../../store/people.ts';
import { openPhase } from '../../store/phases.ts';
import type { GameRow, GameSeed, GameSettings, PhaseRow, SeatRow, SeedWords } from '../../store/schema.ts';
import { addSeat } from '../../store/seats.ts';
import type { Service } from '../context.ts';
import { gameDice, makeChains, newSeed } from '../keys.ts';
import { mailPerson, mailSeat } from '../post/outbox.ts';
import { newToken, ROLE_PURPOSE } from '../seats.ts';
import { phaseDue, planSoon, runAt, runSoon } from '../time/deadlines.ts';
import { type DeadlineRule, usualRule } from '../time/instants.ts';

export interface NewGame {
  scenarioId: string;
  options?: Record<string, unknown>;
  /** Sides left out are open for anybody. */
  seats: { side: SideId; address: string; name: string; zone?: string }[];
  /** Null: a game without deadlines. Undefined: the scenario's days per phase, in the club's way. */
  deadlineRule?: DeadlineRule | null;
  title?: string;
  masterId?: number | null;
  settings?: GameSettings;
  /** Who makes it, for the log. */
  by: string;
  door: string;
}

/** The scenario's options with what was chosen; throws one clear line for an unknown name or a value not allowed. */
export function chooseOptions(scenario: Scenario, given: Record<string, unknown>): Record<string, unknown> {
  const chosen: Record<string, unknown> = {};
  for (const option of scenario.options) {
    const value = given[option.name] ?? option.fallback;
    const fitting = option.values.find((allowed) => String(allowed).toLowerCase() === String(value).toLowerCase());
    if (fitting === undefined)
      throw new Fault(`option ${option.name} of ${scenario.id} can be ${option.values.join(', ')}, not ${value}`);
    chosen[option.name] = fitting;
  }
  const unknown = Object.keys(given).filter((name) => !scenario.options.some((option) => option.name === name));
  if (unknown.length > 0) {
    const names = scenario.options.map((option) => option.name).join(', ') || 'none';
    throw new Fault(`${scenario.id} has no option ${unknown.join(', ')}; there are: ${names}`);
  }
  return chosen;
}

/** Makes a game; it starts at once when every side has a holder. Throws one clear line for what can't be. */
export async function createGame(service: Service, given: NewGame): Promise<GameRow> {
  return inTransaction(service.db, (trx) => createGameIn(service, trx, given));
}

/** The same inside a transaction that is already open. */
export async function createGameIn(service: Service, trx: Trx, given: NewGame): Promise<GameRow> {
  const { system, scenario, hash } = service.scenarios.open(given.scenarioId);
  const now = service.now();
  const sides = scenario.sides.map((side) => side.id);
  for (const seat of given.seats)
    if (!sides.includes(seat.side))
      throw new Fault(`${scenario.id} has the sides ${sides.join(', ')}, not ${seat.side}`);
  const rule =
    given.deadlineRule === undefined ? usualRule(scenario.daysPerPhase, service.config.club.zone) : given.deadlineRule;
  const game = await addGame(trx, {
    ref: await nextRef(trx, system.prefix),
    system: system.id,
    scenario: scenario.id,
    scenario_hash: hash,
    rules_version: system.rulesVersion,
    options: chooseOptions(scenario, given.options ?? {}),
    title: given.title ?? scenario.title,
    deadline_rule: { ...rule },
    settings: { ...given.settings, seed: newSeed(service) },
    master_id: given.masterId ?? null,
    created_at: now,
  });
  if (game.master_id !== null) await giveMasterToken(service, trx, game, game.master_id);
  for (const side of scenario.sides) await makeSeat(service, trx, game, side.id, given.seats);
  await logAction(trx, { at: now, gameId: game.id, who: given.by, door: given.door, what: 'create' });
  if (sides.every((side) => given.seats.some((seat) => seat.side === side))) await startGame(service, trx, game.id);
  return gameById(trx, game.id);
}

/** A master's answers to mails about his game prove him as a seat's do. */
async function giveMasterToken(service: Service, trx: Trx, game: GameRow, personId: number): Promise<void> {
  const token = newToken(service, ROLE_PURPOSE);
  const role = { gameId: game.id, personId, role: 'master' as const, now: service.now() };
  await addRole(trx, { ...role, tokenHash: token.hash, tokenSealed: token.sealed });
}

async function makeSeat(
  service: Service,
  trx: Trx,
  game: GameRow,
  side: SideId,
  holders: NewGame['seats'],
): Promise<void> {
  const now = service.now();
  const given = holders.find((candidate) => candidate.side === side);
  const zone = given?.zone ?? service.config.club.zone;
  const person = given && (await personFor(trx, { ...given, zone }, now));
  const token = newToken(service);
  const seatId = await addSeat(trx, { gameId: game.id, side, personId: person?.id ?? null, token, now });
  if (person) await startTenure(trx, { seatId, personId: person.id, now });
}

/** The state before the first phase: set up with the keys of phase 1, numbered 1 whatever the system calls it. */
export async function openingState(
  service: Service,
  db: Reader,
  game: GameRow,
): Promise<{ state: GameState; dice: PhaseRow['dice'] }> {
  const { rules } = service.scenarios.open(game.scenario);
  const dice = await gameDice(service, db, game, SETUP_PHASE);
  const state = structuredClone(rules.setup(game.options, dice));
  state.phase.n = 1;
  return { state, dice: dice.log };
}

/** Starts a game that is still forming. Every seat must be held. */
export async function startGame(service: Service, trx: Trx, gameId: number): Promise<PhaseRow> {
  const game = await gameById(trx, gameId);
  assert(game.status === 'forming', `game ${game.ref} has started already`);
  const seats = await seatsOf(trx, game.id);
  const empty = seats.filter((seat) => seat.person_id === null).map((seat) => seat.side);
  if (empty.length > 0) throw new Fault(`game ${game.ref} still lacks ${empty.join(', ')}`);
  const now = service.now();
  const { rules, system, hash } = service.scenarios.open(game.scenario);
  await makeChains(service, trx, game.id, 1, await fixWords(trx, game, seats));
  const { state, dice } = await openingState(service, trx, game);
  await markStarted(trx, game.id, {
    scenarioHash: hash,
    rulesVersion: system.rulesVersion,
    masterPlays: await playsToo(service, trx, game, seats),
    now,
  });
  const due = await phaseDue(trx, game, now, { pace: rules.pace(publicView(state)), first: true });
  const phase = await openPhase(trx, {
    ...phaseOf(state),
    game_id: game.id,
    line: 1,
    opened_by: 'setup',
    rules_version: system.rulesVersion,
    due_at: due,
    opened_at: now,
  });
  await logAction(trx, { at: now, gameId: game.id, who: 'service', door: 'service', what: 'start', detail: { dice } });
  await mailReports(service, trx, phase, seats);
  if (due) {
    await runAt(service, trx, game, due);
    await planSoon(service, trx, game.id);
  }
  await runSoon(service, trx, game.id);
  return phase;
}

/** From now on the words that go into the dice are fixed: a side that put in nothing has none. */
async function fixWords(trx: Trx, game: GameRow, seats: readonly SeatRow[]): Promise<GameSeed | undefined> {
  const { seed } = game.settings;
  if (!seed) return undefined;
  const words = seats.map(
    ({ side }): SeedWords =>
      seed.words.find((one) => one.side === side) ?? { side, text: '', how: 'none', runs: false },
  );
  await setGameSettings(trx, game.id, { ...game.settings, seed: { ...seed, words } });
  return { ...seed, words };
}

/** Does whoever runs the game, or the service, hold a seat in it? */
async function playsToo(service: Service, trx: Trx, game: GameRow, seats: readonly SeatRow[]): Promise<boolean> {
  const operator = service.config.operatorEmail;
  for (const { person_id } of seats) {
    if (person_id === null) continue;
    if (person_id === game.master_id) return true;
    if (operator !== undefined && (await addressesOf(trx, person_id)).includes(operator)) return true;
  }
  return false;
}

/** The columns of a phase that come from its state. */
export function phaseOf(state: GameState) {
  return {
    n: state.phase.n,
    turn: state.phase.turn,
    step: state.phase.step,
    battle: state.phase.battle ?? null,
    status: 'open' as const,
    snapshot: state,
    hash: hashOf(state),
  };
}

/** Queues the report that opens a phase for every seat and everyone who looks on. */
export async function mailReports(
  service: Service,
  trx: Trx,
  phase: Pick<PhaseRow, 'id' | 'game_id'>,
  seats: readonly SeatRow[],
): Promise<void> {
  for (const seat of seats)
    await mailSeat(service, trx, seat, {
      kind: 'report',
      phaseId: phase.id,
      facts: { make: 'report', phaseId: phase.id, viewer: seat.side },
    });
  for (const id of await watchersOf(trx, phase.game_id))
    await mailPerson(
      service,
      trx,
      { id },
      {
        kind: 'report',
        gameId: phase.game_id,
        phaseId: phase.id,
        facts: { make: 'report', phaseId: phase.id, viewer: 'public', optional: 'observer' },
      },
    );
}
