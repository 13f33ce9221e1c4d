/** The connection to PostgreSQL and the migrations. One dialect, whether the server is our own or shared. */
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Logger, runMigrations } from 'graphile-worker';
import { Kysely, type Migration, Migrator, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import { Fault, known } from '../kernel/assert.ts';
import type { Schema } from './schema.ts';

declare const reads: unique symbol;
declare const writes: unique symbol;
declare const inOne: unique symbol;

/** A database to ask. Outside this folder a handle can be handed on and nothing else: questions and deeds stand here. */
export interface Reader {
  readonly [reads]: true;
}
/** A database to ask and to change. */
export interface Db extends Reader {
  readonly [writes]: true;
}
/** A transaction; everything that takes a `Db` takes one too. */
export interface Trx extends Db {
  readonly [inOne]: true;
}

/** The oldest PostgreSQL we run on. */
const POSTGRES_MIN = 150000;
const POOL_MAX = 12;
const CONNECT_TIMEOUT_MS = 10_000;
/**
 * A question whose connection breaks at a bad moment may never be answered (seen when PostgreSQL is restarted under load):
 * after so long whoever asked is told that the store broke off. No question of ours takes this long, migrations excepted.
 */
const QUERY_TIMEOUT_MS = 30_000;
/** graphile-worker tells the console what it does unless it is given something else to tell. */
const QUIET = new Logger(() => () => {});
const MIGRATIONS = fileURLToPath(new URL('../../migrations/', import.meta.url));

// Ids stay far below 2^53, so they may be numbers; days are text, never local midnights.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);
pg.types.setTypeParser(pg.types.builtins.DATE, String);

/**
 * Opens a pool on a database. Nothing is sent until the first query. `onError` hears of connections that broke; a
 * `patient` handle waits for any answer as long as it takes.
 */
export function openDb(
  url: string,
  options: { poolMax?: number; patient?: boolean; onError?: (error: Error) => void } = {},
): Db {
  const pool = new pg.Pool({
    connectionString: url,
    max: options.poolMax ?? POOL_MAX,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    ...(options.patient ? {} : { query_timeout: QUERY_TIMEOUT_MS }),
    application_name: 'fieldpost',
  });
  // Without a listener a connection that the server closes would end the process: an idle one, which is the pool's, and
  // one in use that happens to wait between two queries of a transaction, which is not.
  const onError = (error: Error): void => options.onError?.(error);
  pool.on('error', onError);
  pool.on('connect', (client) => client.on('error', onError));
  const db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) }) as unknown as Db;
  POOLS.set(db, pool);
  return db;
}

const POOLS = new WeakMap<Db, pg.Pool>();

/** The pool behind a database handle, for graphile-worker, which keeps connections of its own out of it. */
export function poolOf(db: Db): pg.Pool {
  return known(POOLS.get(db), 'no pool: not a handle of openDb');
}

/** Every file of migrations/ as kysely wants them, in name order. */
export function readMigrations(folder = MIGRATIONS): Record<string, Migration> {
  const migrations: Record<string, Migration> = {};
  const names = fs.readdirSync(folder).filter((name) => name.endsWith('.sql'));
  names.sort();
  for (const name of names) {
    const text = fs.readFileSync(path.join(folder, name), 'utf8');
    migrations[name.slice(0, -'.sql'.length)] = {
      async up(db) {
        await sql.raw(text).execute(db);
      },
    };
  }
  return migrations;
}

/** Brings the database to the newest schema (or to `upTo`); several at once are fine. Returns the names applied now. */
export async function migrate(db: Db, upTo?: string): Promise<string[]> {
  const patient = openDb(known(poolOf(db).options.connectionString, 'a pool without an address'), { patient: true });
  try {
    return await migrateWith(patient, upTo);
  } finally {
    await closeDb(patient);
  }
}

async function migrateWith(db: Db, upTo?: string): Promise<string[]> {
  const version = await sql<{ v: number }>`select current_setting('server_version_num')::int as v`.execute(tables(db));
  const found = version.rows[0]?.v ?? 0;
  if (found < POSTGRES_MIN) throw new Fault(`PostgreSQL 15 or newer is needed, this is ${found}`);
  const migrator = new Migrator({
    db: tables(db),
    provider: { getMigrations: async () => readMigrations() },
    allowUnorderedMigrations: true,
  });
  const { error, results } = await (upTo === undefined ? migrator.migrateToLatest() : migrator.migrateTo(upTo));
  if (error) throw error instanceof Error ? error : new Fault(`migration failed: ${String(error)}`);
  await runMigrations({ pgPool: poolOf(db), logger: QUIET });
  return (results ?? []).filter((result) => result.status === 'Success').map((result) => result.migrationName);
}

/** The tables behind a handle: for the files of store/ alone. A transaction's are those of its own connection. */
export function tables(db: Reader): Kysely<Schema> {
  return db as unknown as Kysely<Schema>;
}

/** Does something in one transaction: all of it is written, or (when it throws) nothing. */
export async function inTransaction<T>(db: Db, deed: (trx: Trx) => Promise<T>): Promise<T> {
  return tables(db)
    .transaction()
    .execute((trx) => deed(trx as unknown as Trx));
}

/** Closes the connections of a handle; it can't be used any more. */
export async function closeDb(db: Db): Promise<void> {
  await tables(db).destroy();
}

/** Takes the lock of a game until the transaction ends: one run, filing or rewind at a time. */
export async function lockGame(trx: Trx, gameId: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(${GAME_LOCK}, ${gameId})`.execute(tables(trx));
}

/** First half of the advisory lock of a game; any constant that nobody else in the database uses. */
const GAME_LOCK = 7301;

/** Throws when the server doesn't answer. */
export async function answers(db: Reader): Promise<void> {
  await sql`select 1`.execute(tables(db));
}

/** The advisory lock of the one process that owns an embedded database. */
const OWNER_LOCK = 7300;

/** Holds the owner's lock on a connection of its own until `release`; undefined when another process has it. */
export async function holdOwner(db: Reader, waitMs: number): Promise<{ release(): Promise<void> } | undefined> {
  for (let waited = 0; ; waited += 100) {
    const lock = await tryOwner(db);
    if (lock || waited >= waitMs) return lock;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

function tryOwner(db: Reader): Promise<{ release(): Promise<void> } | undefined> {
  return new Promise((resolve, reject) => {
    const held = tables(db)
      .connection()
      .execute(async (connection) => {
        const tried = await sql<{ ok: boolean }>`select pg_try_advisory_lock(${OWNER_LOCK}) as ok`.execute(connection);
        if (!tried.rows[0]?.ok) return resolve(undefined);
        await new Promise<void>((free) => {
          resolve({
            async release() {
              free();
              await held;
            },
          });
        });
        await sql`select pg_advisory_unlock(${OWNER_LOCK})`.execute(connection);
      });
    held.catch(reject);
  });
}
