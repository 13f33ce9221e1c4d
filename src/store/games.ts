/** Games, seats, phases and dice keys. */
import { sql } from 'kysely';
import { known } from '../kernel/assert.ts';
import type { Outcome } from '../kernel/types.ts';
import { type Db, type Reader, type Trx, tables } from './db.ts';
import {
  type ActionLogRow,
  type GameRow,
  json,
  type KeyChainRow,
  type PhaseRow,
  type SeatRow,
  type StoredDeadlineRule,
} from './schema.ts';

/** The next free reference of a system: `OVL-0017`. Never given twice, gaps are possible. */
export async function nextRef(db: Db, prefix: string): Promise<string> {
  const row = await tables(db)
    .insertInto('game_counter')
    .values({ prefix, last: 1 })
    .onConflict((conflict) => conflict.column('prefix').doUpdateSet({ last: sql`game_counter.last + 1` }))
    .returning('last')
    .executeTakeFirstOrThrow();
  return `${prefix}-${String(row.last).padStart(4, '0')}`;
}

export async function gameByRef(db: Reader, ref: string): Promise<GameRow | undefined> {
  return tables(db).selectFrom('game').selectAll().where('ref', '=', ref.toUpperCase()).executeTakeFirst();
}

export async function gameById(db: Reader, id: number): Promise<GameRow> {
  const row = await tables(db).selectFrom('game').selectAll().where('id', '=', id).executeTakeFirst();
  return known(row, `no game ${id}`);
}

export async function seatById(db: Reader, id: number): Promise<SeatRow> {
  const row = await tables(db).selectFrom('seat').selectAll().where('id', '=', id).executeTakeFirst();
  return known(row, `no seat ${id}`);
}

export async function seatsOf(db: Reader, gameId: number): Promise<SeatRow[]> {
  return tables(db).selectFrom('seat').selectAll().where('game_id', '=', gameId).orderBy('id').execute();
}

export async function seatByToken(db: Reader, hash: string): Promise<SeatRow | undefined> {
  return tables(db).selectFrom('seat').selectAll().where('token_hash', '=', hash).executeTakeFirst();
}

export async function phaseById(db: Reader, id: number): Promise<PhaseRow> {
  const row = await tables(db).selectFrom('phase').selectAll().where('id', '=', id).executeTakeFirst();
  return known(row, `no phase ${id}`);
}

/** The phase a game stands in; undefined before it starts. */
export async function currentPhase(db: Reader, game: GameRow): Promise<PhaseRow | undefined> {
  return game.phase_id === null ? undefined : phaseById(db, game.phase_id);
}

/** All phases of a game in the order in which they were opened, rewound ones included. */
export async function phasesOf(db: Reader, gameId: number): Promise<PhaseRow[]> {
  return tables(db).selectFrom('phase').selectAll().where('game_id', '=', gameId).orderBy('id').execute();
}

/** The highest phase number that a game ever had, on any line: its keys are used up to there. */
export async function lastNumber(db: Reader, gameId: number): Promise<number> {
  const row = await tables(db)
    .selectFrom('phase')
    .select((all) => all.fn.max('n').as('n'))
    .where('game_id', '=', gameId)
    .executeTakeFirst();
  return row?.n ?? 0;
}

/** The key chain that phase n of a game draws on. */
export async function chainFor(
  db: Reader,
  gameId: number,
  kind: KeyChainRow['kind'],
  n: number,
): Promise<KeyChainRow | undefined> {
  return tables(db)
    .selectFrom('key_chain')
    .selectAll()
    .where('game_id', '=', gameId)
    .where('kind', '=', kind)
    .where('first_n', '<=', n)
    .orderBy('number', 'desc')
    .executeTakeFirst();
}

export async function chainsOf(db: Reader, gameId: number): Promise<KeyChainRow[]> {
  return tables(db)
    .selectFrom('key_chain')
    .selectAll()
    .where('game_id', '=', gameId)
    .orderBy('number')
    .orderBy('kind')
    .execute();
}

/** Records who did what to a game, and why. */
export async function logAction(
  db: Db,
  action: {
    at: Date;
    gameId: number | null;
    who: string;
    door: string;
    what: string;
    why?: string | null;
    detail?: Record<string, unknown>;
    /** Shown to the players at the end. */
    public?: boolean;
  },
): Promise<void> {
  await tables(db)
    .insertInto('action_log')
    .values({
      at: action.at,
      game_id: action.gameId,
      who: action.who,
      door: action.door,
      what: action.what,
      why: action.why ?? null,
      detail: action.detail ? json(action.detail) : null,
      public: action.public ?? false,
    })
    .execute();
}

export async function actionsOf(db: Reader, gameId: number): Promise<ActionLogRow[]> {
  return tables(db).selectFrom('action_log').selectAll().where('game_id', '=', gameId).orderBy('id').execute();
}

/** A value of the service itself (marks, heartbeats). */
export async function serviceValue(db: Reader, key: string): Promise<unknown> {
  const row = await tables(db).selectFrom('service_state').select('value').where('key', '=', key).executeTakeFirst();
  return row?.value;
}

export async function setServiceValue(db: Db, key: string, value: unknown): Promise<void> {
  await tables(db)
    .insertInto('service_state')
    .values({ key, value: json(value) })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value: json(value) }))
    .execute();
}

// ---- what is done to a game

/** Adds a game that is forming. */
export async function addGame(
  trx: Trx,
  game: Pick<
    GameRow,
    | 'ref'
    | 'system'
    | 'scenario'
    | 'scenario_hash'
    | 'rules_version'
    | 'options'
    | 'title'
    | 'deadline_rule'
    | 'settings'
    | 'master_id'
    | 'created_at'
  >,
): Promise<GameRow> {
  return tables(trx)
    .insertInto('game')
    .values({
      ...game,
      status: 'forming',
      options: json(game.options),
      deadline_rule: json(game.deadline_rule),
      settings: json(game.settings),
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** The game runs, by these rules and this scenario. */
export async function markStarted(
  trx: Trx,
  id: number,
  start: { scenarioHash: string; rulesVersion: string; masterPlays: boolean; now: Date },
): Promise<void> {
  await tables(trx)
    .updateTable('game')
    .set({
      status: 'running',
      started_at: start.now,
      scenario_hash: start.scenarioHash,
      rules_version: start.rulesVersion,
      master_plays: start.masterPlays,
    })
    .where('id', '=', id)
    .execute();
}

/** The game stands still; why is shown to everybody. */
export async function markPaused(trx: Trx, id: number, why: string): Promise<void> {
  await tables(trx).updateTable('game').set({ status: 'paused', pause_reason: why }).where('id', '=', id).execute();
}

/** The game goes on (also one that was over, when it is rewound). */
export async function markRunning(trx: Trx, id: number): Promise<void> {
  await tables(trx)
    .updateTable('game')
    .set({ status: 'running', pause_reason: null, outcome: null, ended_at: null })
    .where('id', '=', id)
    .execute();
}

export async function markOver(trx: Trx, id: number, outcome: Outcome, now: Date): Promise<void> {
  await tables(trx)
    .updateTable('game')
    .set({ status: 'over', pause_reason: null, outcome: json(outcome), ended_at: now })
    .where('id', '=', id)
    .execute();
}

export async function markCancelled(trx: Trx, id: number, now: Date): Promise<void> {
  await tables(trx).updateTable('game').set({ status: 'cancelled', ended_at: now }).where('id', '=', id).execute();
}

export async function setDeadlineRule(trx: Trx, id: number, rule: StoredDeadlineRule): Promise<void> {
  await tables(trx)
    .updateTable('game')
    .set({ deadline_rule: json(rule) })
    .where('id', '=', id)
    .execute();
}

export async function setGameSettings(trx: Trx, id: number, settings: GameRow['settings']): Promise<void> {
  await tables(trx)
    .updateTable('game')
    .set({ settings: json(settings) })
    .where('id', '=', id)
    .execute();
}

/** The master took a seat of his own game: everybody is told so. */
export async function markMasterPlays(trx: Trx, id: number): Promise<void> {
  await tables(trx).updateTable('game').set({ master_plays: true }).where('id', '=', id).execute();
}

/** The highest number of a system that was ever given here; 0: none. */
export async function lastRef(db: Reader, prefix: string): Promise<number> {
  const row = await tables(db)
    .selectFrom('game_counter')
    .select('last')
    .where('prefix', '=', prefix)
    .executeTakeFirst();
  return row?.last ?? 0;
}

/** A reference that came from elsewhere is used up here too. */
export async function useUpRef(trx: Trx, prefix: string, number: number): Promise<void> {
  await tables(trx)
    .insertInto('game_counter')
    .values({ prefix, last: number })
    .onConflict((conflict) =>
      conflict.column('prefix').doUpdateSet({ last: number }).where('game_counter.last', '<', number),
    )
    .execute();
}

/** Keeps a chain of dice keys: its head in the open, its root sealed. */
export async function addChain(
  trx: Trx,
  chain: Pick<KeyChainRow, 'game_id' | 'number' | 'kind' | 'first_n' | 'head' | 'root_sealed' | 'created_at'>,
): Promise<void> {
  await tables(trx).insertInto('key_chain').values(chain).execute();
}

// ---- which games

/** Games in one of these states, newest first. */
export async function gamesIn(db: Reader, statuses: readonly GameRow['status'][], most?: number): Promise<GameRow[]> {
  const query = tables(db)
    .selectFrom('game')
    .selectAll()
    .where('status', 'in', [...statuses])
    .orderBy('id', 'desc');
  return (most === undefined ? query : query.limit(most)).execute();
}

/** Games of a master or deputy (of everybody, where none is named), newest first. */
export async function gamesMastered(db: Reader, masterId: number | null, most?: number): Promise<GameRow[]> {
  let query = tables(db).selectFrom('game').selectAll().orderBy('id', 'desc');
  if (most !== undefined) query = query.limit(most);
  if (masterId !== null)
    query = query.where((game) =>
      game.or([
        game('master_id', '=', masterId),
        game.exists(
          game
            .selectFrom('role_token')
            .select('role_token.id')
            .whereRef('role_token.game_id', '=', 'game.id')
            .where('role_token.person_id', '=', masterId)
            .where('role_token.role', '=', 'deputy'),
        ),
      ]),
    );
  return query.execute();
}

/** How many games there are by their state. */
export async function gameCounts(db: Reader): Promise<{ status: GameRow['status']; n: number }[]> {
  return tables(db)
    .selectFrom('game')
    .select('status')
    .select((all) => all.fn.countAll<number>().as('n'))
    .groupBy('status')
    .execute();
}
