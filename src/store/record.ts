/**
 * Everything the store holds of one game, as rows by table: what an exported game is made from and what an import writes.
 * Secrets that only this service can read (seat tokens, sealed keys) stay out; the caller adds the opened keys.
 */
import { sql } from 'kysely';
import { Fault } from '../kernel/assert.ts';
import { type Reader, type Trx, tables } from './db.ts';

/** Values as JSON has them: instants as ISO text. Raw bytes stay Buffers. */
export type RecordRow = Record<string, unknown>;
export type GameRecord = Record<RecordTable, RecordRow[]>;

export type RecordTable = (typeof TABLES)[number]['name'];

const OF_GAME = 'game_id = $game';
const OF_PHASE = 'phase_id in (select id from phase where game_id = $game)';

/** Every table of a game, in the order in which rows can be written; `$game` stands for the game's number. */
const TABLES = [
  { name: 'person', where: '$people', leaves: [] },
  { name: 'address', where: '$people', leaves: [] },
  { name: 'game', where: 'id = $game', leaves: [] },
  { name: 'seat', where: OF_GAME, leaves: ['token_hash', 'token_sealed'] },
  { name: 'key_chain', where: OF_GAME, leaves: ['root_sealed'] },
  { name: 'phase', where: OF_GAME, leaves: [] },
  { name: 'mail_in', where: OF_GAME, leaves: [] },
  { name: 'receipt', where: OF_GAME, leaves: [] },
  { name: 'standing_order', where: OF_GAME, leaves: [] },
  { name: 'request', where: OF_PHASE, leaves: [] },
  { name: 'mail_out', where: OF_GAME, leaves: [] },
  { name: 'proposal', where: OF_GAME, leaves: [] },
  { name: 'vote', where: 'proposal_id in (select id from proposal where game_id = $game)', leaves: [] },
  { name: 'press', where: OF_GAME, leaves: [] },
  { name: 'ruling', where: OF_GAME, leaves: [] },
  { name: 'tenure', where: 'seat_id in (select id from seat where game_id = $game)', leaves: [] },
  { name: 'turnout', where: OF_PHASE, leaves: [] },
  { name: 'action_log', where: OF_GAME, leaves: [] },
] as const;

/** Columns that hold the number of a row elsewhere. */
const POINTS_TO: Readonly<Record<string, RecordTable>> = {
  game_id: 'game',
  seat_id: 'seat',
  phase_id: 'phase',
  from_phase_id: 'phase',
  person_id: 'person',
  master_id: 'person',
  by_person: 'person',
  mail_id: 'mail_in',
  receipt_id: 'receipt',
  proposal_id: 'proposal',
};

/** People who held a seat, mastered the game, ruled, wrote or voted in it. */
const PEOPLE = `select person_id from seat where game_id = $game
  union select master_id from game where id = $game
  union select by_person from ruling where game_id = $game
  union select person_id from press where game_id = $game
  union select person_id from mail_out where game_id = $game
  union select person_id from tenure where seat_id in (select id from seat where game_id = $game)
  union select person_id from turnout where ${OF_PHASE}`;

/** Reads all of a game. The result shares nothing with the store. */
export async function gatherRecord(db: Reader, gameId: number): Promise<GameRecord> {
  if (!Number.isSafeInteger(gameId)) throw new Fault(`no game ${gameId}`);
  const record = {} as GameRecord;
  for (const { name, where, leaves } of TABLES) {
    const key = name === 'address' ? 'person_id' : 'id';
    const condition = (where === '$people' ? `${key} in (${PEOPLE})` : where).replaceAll('$game', String(gameId));
    const order = await orderOf(db, name);
    const { rows } =
      await sql<RecordRow>`select * from ${sql.table(name)} where ${sql.raw(condition)} ${order}`.execute(tables(db));
    const left: readonly string[] = leaves;
    record[name] = rows.map((row) =>
      Object.fromEntries(
        Object.entries(row)
          .filter(([column]) => !left.includes(column))
          .map(([c, v]) => [c, plain(v)]),
      ),
    );
  }
  return record;
}

function plain(value: unknown): unknown {
  return value instanceof Date ? value.toISOString() : value;
}

/** Rows with a number come by it; the others by all their columns that can be compared, so that an export is repeatable. */
async function orderOf(db: Reader, table: RecordTable) {
  const columns = await columnsOf(db, table);
  if (columns.has('id')) return sql`order by id`;
  const names = [...columns].filter(([, type]) => type !== 'json' && type !== 'bytea').map(([name]) => sql.ref(name));
  return sql`order by ${sql.join(names)}`;
}

async function columnsOf(db: Reader, table: RecordTable): Promise<Map<string, string>> {
  const { rows } = await sql<{ column_name: string; data_type: string }>`
    select column_name, data_type from information_schema.columns
    where table_schema = current_schema() and table_name = ${table} order by ordinal_position`.execute(tables(db));
  return new Map(rows.map((row) => [row.column_name, row.data_type]));
}

/** What the importing service adds or changes in a row before it is written. */
export interface Importing {
  seat(row: RecordRow): { token_hash: string; token_sealed: Buffer };
  chain(row: RecordRow, gameId: number): { root_sealed: Buffer };
  game(row: RecordRow): RecordRow;
}

/** Writes a game as new rows and returns its number. People are known again by their addresses. */
export async function restoreRecord(trx: Trx, record: GameRecord, importing: Importing): Promise<number> {
  const numbers = new Map<RecordTable, Map<number, number>>(TABLES.map(({ name }) => [name, new Map()]));
  const known = await knownPeople(trx, record);
  let current: number | null = null;
  for (const { name } of TABLES) {
    const columns = await columnsOf(trx, name);
    for (const row of record[name] ?? []) {
      if (name === 'person' && known.has(Number(row.id))) {
        numbers.get('person')!.set(Number(row.id), known.get(Number(row.id))!);
        continue;
      }
      if (name === 'address' && known.has(Number(row.person_id))) continue;
      const values = pointed(row, numbers);
      if (name === 'game') {
        current = row.phase_id === null ? null : Number(row.phase_id);
        Object.assign(values, importing.game(row), { phase_id: null });
      }
      if (name === 'seat') Object.assign(values, importing.seat(row));
      if (name === 'key_chain') {
        delete values.root;
        Object.assign(values, importing.chain(row, Number(values.game_id)));
      }
      if (name === 'mail_out')
        Object.assign(values, { facts: {}, state: row.state === 'queued' ? 'dropped' : row.state });
      const id = await insertRow(trx, name, values, columns);
      if (row.id !== undefined && id !== null) numbers.get(name)!.set(Number(row.id), id);
    }
  }
  const gameId = [...numbers.get('game')!.values()][0];
  if (gameId === undefined) throw new Fault('the record holds no game');
  const phaseId = current === null ? null : (numbers.get('phase')!.get(current) ?? null);
  await tables(trx).updateTable('game').set({ phase_id: phaseId }).where('id', '=', gameId).execute();
  return gameId;
}

/** People of the record whom this service knows already, by any of their addresses. */
async function knownPeople(trx: Trx, record: GameRecord): Promise<Map<number, number>> {
  const known = new Map<number, number>();
  for (const row of record.address ?? []) {
    const here = await tables(trx)
      .selectFrom('address')
      .select('person_id')
      .where('address', '=', String(row.address).toLowerCase())
      .executeTakeFirst();
    if (here) known.set(Number(row.person_id), here.person_id);
  }
  return known;
}

/** The row with the numbers of its new neighbours; what it points to and isn't there becomes nothing. */
function pointed(row: RecordRow, numbers: ReadonlyMap<RecordTable, ReadonlyMap<number, number>>): RecordRow {
  return Object.fromEntries(
    Object.entries(row)
      .filter(([column]) => column !== 'id')
      .map(([column, value]) => {
        const table = POINTS_TO[column];
        if (!table || value === null || value === undefined) return [column, value];
        return [column, numbers.get(table)?.get(Number(value)) ?? null];
      }),
  );
}

async function insertRow(
  trx: Trx,
  table: RecordTable,
  values: RecordRow,
  columns: ReadonlyMap<string, string>,
): Promise<number | null> {
  const unknown = Object.keys(values).find((column) => !columns.has(column));
  if (unknown) throw new Fault(`the record has a column ${table}.${unknown} that this version does not know`);
  const names = Object.keys(values);
  const written = names.map((name) => {
    const value = values[name];
    return columns.get(name) === 'json' && value !== null ? sql`${JSON.stringify(value)}::json` : sql`${value}`;
  });
  const returning = columns.has('id') ? sql`returning id` : sql``;
  const { rows } = await sql<{ id: number }>`
    insert into ${sql.table(table)} (${sql.join(names.map((name) => sql.ref(name)))})
    values (${sql.join(written)}) on conflict do nothing ${returning}`.execute(tables(trx));
  return rows[0]?.id ?? null;
}
