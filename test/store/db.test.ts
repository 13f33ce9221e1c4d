import { afterAll, beforeAll, expect, test } from 'vitest';
import { inTransaction, lockGame, migrate, tables } from '../../src/store/db.ts';
import { json } from '../../src/store/schema.ts';
import { type TestDatabase, testDatabase } from '../helpers/db.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

test('a migrated database needs no further migration, even when several ask at once', async () => {
  const results = await Promise.all([migrate(database.db), migrate(database.db), migrate(database.db)]);
  expect(results.flat()).toEqual([]);
});

test('a JSON column keeps arrays, nesting and the order of keys', async () => {
  const value = { zebra: [1, 'two', null], apple: { b: 1, a: [] } };
  await tables(database.db)
    .insertInto('service_state')
    .values({ key: 'sample', value: json(value) })
    .execute();
  const row = await tables(database.db)
    .selectFrom('service_state')
    .selectAll()
    .where('key', '=', 'sample')
    .executeTakeFirst();
  expect(JSON.stringify(row?.value)).toBe(JSON.stringify(value));
});

test('the lock of a game lets one transaction in at a time, and other games go on', async () => {
  const order: string[] = [];
  let release = (): void => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const first = inTransaction(database.db, async (trx) => {
    await lockGame(trx, 1);
    order.push('first in');
    await held;
    order.push('first out');
  });
  await expect.poll(() => order).toEqual(['first in']);
  const second = inTransaction(database.db, async (trx) => {
    await lockGame(trx, 1);
    order.push('second in');
  });
  await inTransaction(database.db, async (trx) => {
    await lockGame(trx, 2);
    order.push('other game');
  });
  release();
  await Promise.all([first, second]);
  expect(order).toEqual(['first in', 'other game', 'first out', 'second in']);
});
