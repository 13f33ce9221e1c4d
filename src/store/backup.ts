/**
 * Everything the store holds as text, table by table, and back: every value is cast to text by PostgreSQL itself and
 * read back by it, so nothing is rounded, reordered or re-encoded on the way.
 */
import { sql } from 'kysely';
import { Fault } from '../kernel/assert.ts';
import { type Db, migrate, type Reader, readMigrations, type Trx, tables } from './db.ts';

const ROWS_AT_ONCE = 200;
/** kysely's own tables; which migrations were applied stands in the head of a backup. */
const NOT_OURS = new Set(['kysely_migration', 'kysely_migration_lock']);
/** What is true of running processes only. */
const NOT_KEPT = new Set(['process', 'door', 'budget']);

export interface TableText {
  table: string;
  columns: string[];
  rows: (string | null)[][];
}

/** The migrations that a database has had, in name order. */
export async function appliedMigrations(db: Reader): Promise<string[]> {
  const rows = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(tables(db));
  return rows.rows.map((row) => row.name);
}

/** Reads every table in one snapshot, a few hundred rows at a time, parents before children. */
export async function dumpTables(db: Db, take: (part: TableText) => Promise<void> | void): Promise<void> {
  await tables(db)
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (one) => {
      const trx = one as unknown as Trx;
      for (const table of (await tablesInOrder(trx)).filter((name) => !NOT_KEPT.has(name))) {
        const columns = await columnsOf(trx, table);
        const list = sql.join(columns.map(({ name }) => sql`${sql.ref(name)}::text`));
        const first = sql.ref(columns[0]!.name);
        await sql`declare rows no scroll cursor for select ${list} from ${sql.table(table)} order by ${first}`.execute(
          tables(trx),
        );
        for (;;) {
          const some = await sql<Record<string, string | null>>`fetch ${sql.lit(ROWS_AT_ONCE)} from rows`.execute(
            tables(trx),
          );
          if (some.rows.length === 0) break;
          const names = columns.map(({ name }) => name);
          const rows = some.rows.map((row) => names.map((name) => row[name] ?? null));
          await take({ table, columns: names, rows });
        }
        await sql`close rows`.execute(tables(trx));
      }
    });
}

/** Brings an empty database to the schema of a backup. Throws when it is not empty or the backup is newer than we are. */
export async function prepareForLoad(db: Db, migrations: readonly string[]): Promise<void> {
  const found = await sql<{
    n: number;
  }>`select count(*)::int as n from pg_tables where schemaname = current_schema()`.execute(tables(db));
  if ((found.rows[0]?.n ?? 0) > 0 && !(await isBlank(db)))
    throw new Fault('the database is not empty: a backup is restored into an empty one only');
  const known = Object.keys(readMigrations());
  const newer = migrations.filter((name) => !known.includes(name));
  if (newer.length > 0) throw new Fault(`the backup was made by a newer Fieldpost (it has ${newer.join(', ')})`);
  const there = await sql<{ is: boolean }>`select to_regclass('kysely_migration') is not null as is`.execute(
    tables(db),
  );
  const applied = there.rows[0]?.is ? await appliedMigrations(db) : [];
  if (!migrations.every((name) => applied.includes(name))) await migrate(db, migrations.at(-1));
}

async function isBlank(db: Reader): Promise<boolean> {
  const known = await sql<{ is: boolean }>`select to_regclass('game') is not null as is`.execute(tables(db));
  if (!known.rows[0]?.is) return true;
  const games = await sql<{
    n: number;
  }>`select (select count(*) from game)::int + (select count(*) from person)::int as n`.execute(tables(db));
  return games.rows[0]?.n === 0;
}

/** Writes rows of one table. */
export async function loadRows(trx: Trx, part: TableText): Promise<void> {
  if (NOT_OURS.has(part.table)) throw new Fault(`a backup holds no table ${part.table}`);
  const columns = await columnsOf(trx, part.table);
  const types = part.columns.map((name) => {
    const column = columns.find((one) => one.name === name);
    if (!column) throw new Fault(`table ${part.table} has no column ${name}`);
    return column.type;
  });
  const names = sql.join(part.columns.map((name) => sql.ref(name)));
  const rows = part.rows.map(
    (row) => sql`(${sql.join(row.map((value, i) => sql`${value}::text::${sql.raw(types[i]!)}`))})`,
  );
  await sql`insert into ${sql.table(part.table)} (${names}) values ${sql.join(rows)}`.execute(tables(trx));
}

/** Empties what migrations and a first start put into the tables, so that a backup can take its place. */
export async function clearTables(trx: Trx): Promise<void> {
  const ordered = await tablesInOrder(trx);
  for (const table of ordered.reverse()) await sql`delete from ${sql.table(table)}`.execute(tables(trx));
  // Jobs that pointed at rows of before would point at others now; those of the backup are woken at the next start.
  await sql`delete from graphile_worker._private_jobs`.execute(tables(trx));
}

/** After rows were written with their own ids: new rows get higher ones. */
export async function fixSequences(trx: Trx): Promise<void> {
  const found = await sql<{ table: string; column: string }>`
    select table_name as table, column_name as column from information_schema.columns
    where table_schema = current_schema() and is_identity = 'YES'`.execute(tables(trx));
  for (const { table, column } of found.rows)
    await sql`select setval(pg_get_serial_sequence(${table}, ${column}),
      greatest((select coalesce(max(${sql.ref(column)}), 0) from ${sql.table(table)}), 1))`.execute(tables(trx));
}

async function columnsOf(db: Reader, table: string): Promise<{ name: string; type: string }[]> {
  const found = await sql<{ name: string; type: string }>`
    select a.attname as name, format_type(a.atttypid, a.atttypmod) as type from pg_attribute a
    where a.attrelid = ${table}::regclass and a.attnum > 0 and not a.attisdropped order by a.attnum`.execute(
    tables(db),
  );
  return found.rows;
}

/** Our tables, those first that others refer to. References checked only at the commit don't count. */
async function tablesInOrder(db: Reader): Promise<string[]> {
  const all = await sql<{ name: string }>`
    select tablename as name from pg_tables where schemaname = current_schema() order by tablename`.execute(tables(db));
  const links = await sql<{ child: string; parent: string }>`
    select conrelid::regclass::text as child, confrelid::regclass::text as parent from pg_constraint
    where contype = 'f' and not condeferrable and conrelid <> confrelid`.execute(tables(db));
  const left = all.rows.map((row) => row.name).filter((name) => !NOT_OURS.has(name));
  const ordered: string[] = [];
  while (left.length > 0) {
    const next = left.find((name) => links.rows.every((link) => link.child !== name || ordered.includes(link.parent)));
    if (next === undefined) throw new Fault(`tables refer to each other in a circle: ${left.join(', ')}`);
    ordered.push(next);
    left.splice(left.indexOf(next), 1);
  }
  return ordered;
}
