/** The connection to PostgreSQL and the migrations. One dialect, whether the server is our own or shared. */
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Kysely, type Migration, Migrator, PostgresDialect, sql, type Transaction } from 'kysely';
import pg from 'pg';
import { Fault } from '../kernel/assert.ts';
import type { Schema } from './schema.ts';

export type Db = Kysely<Schema>;
/** A transaction; everything that takes a `Db` takes one too. */
export type Trx = Transaction<Schema>;

/** The oldest PostgreSQL we run on. */
export const POSTGRES_MIN = 150000;
const POOL_MAX = 12;
const CONNECT_TIMEOUT_MS = 10_000;
const MIGRATIONS = fileURLToPath(new URL('../../migrations/', import.meta.url));

// Ids stay far below 2^53, so they may be numbers; days are text, never local midnights.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);
pg.types.setTypeParser(pg.types.builtins.DATE, String);

/** Opens a pool on a database. Nothing is sent until the first query. `onError` hears of connections that broke. */
export function openDb(url: string, options: { poolMax?: number; onError?: (error: Error) => void } = {}): Db {
  const pool = new pg.Pool({
    connectionString: url,
    max: options.poolMax ?? POOL_MAX,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    application_name: 'fieldpost',
  });
  // Without a listener a connection that the server closes would end the process: an idle one, which is the pool's, and
  // one in use that happens to wait between two queries of a transaction, which is not.
  const onError = (error: Error): void => options.onError?.(error);
  pool.on('error', onError);
  pool.on('connect', (client) => client.on('error', onError));
  return new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) });
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
  const version = await sql<{ v: number }>`select current_setting('server_version_num')::int as v`.execute(db);
  const found = version.rows[0]?.v ?? 0;
  if (found < POSTGRES_MIN) throw new Fault(`PostgreSQL 15 or newer is needed, this is ${found}`);
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => readMigrations() },
    allowUnorderedMigrations: true,
  });
  const { error, results } = await (upTo === undefined ? migrator.migrateToLatest() : migrator.migrateTo(upTo));
  if (error) throw error instanceof Error ? error : new Fault(`migration failed: ${String(error)}`);
  return (results ?? []).filter((result) => result.status === 'Success').map((result) => result.migrationName);
}

/** The tables behind a handle: for the files of store/ alone. A transaction's are those of its own connection. */
export function tables(db: Db): Kysely<Schema> {
  return db;
}

/** Does something in one transaction: all of it is written, or (when it throws) nothing. */
export async function inTransaction<T>(db: Db, deed: (trx: Trx) => Promise<T>): Promise<T> {
  return db.transaction().execute(deed);
}

/** Closes the connections of a handle; it can't be used any more. */
export async function closeDb(db: Db): Promise<void> {
  await db.destroy();
}

/** Takes the lock of a game until the transaction ends: one run, filing or rewind at a time. */
export async function lockGame(trx: Trx, gameId: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(${GAME_LOCK}, ${gameId})`.execute(trx);
}

/** First half of the advisory lock of a game; any constant that nobody else in the database uses. */
const GAME_LOCK = 7301;
