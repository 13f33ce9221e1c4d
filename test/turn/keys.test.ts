import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CHAIN_LENGTH, rollsOf } from '../../src/kernel/dice.ts';
import { inTransaction } from '../../src/store/db.ts';
import { gameById } from '../../src/store/games.ts';
import { gameDice, makeChains, phaseKeys, renewChains } from '../../src/turn/keys.ts';
import { type TestDatabase, testDatabase } from '../helpers/db.ts';
import { startRace, type TestService, testService } from '../helpers/service.ts';

let database: TestDatabase;
let one: TestService;
let gameId: number;
beforeAll(async () => {
  database = await testDatabase();
  one = testService(database.db);
  gameId = (await startRace(one, { deadlineRule: null })).gameId;
});
afterAll(() => database.close());

const hash = (key: Buffer): string => createHash('sha256').update(key).digest('hex');
const renew = (n: number) => inTransaction(database.db, (trx) => renewChains(one.service, trx, gameId, n));

test('a key hashed gives the one before it, across phases', async () => {
  const [first, second] = [
    await phaseKeys(one.service, database.db, gameId, 1),
    await phaseKeys(one.service, database.db, gameId, 2),
  ];
  expect(hash(second.open)).toBe(first.open.toString('hex'));
  expect(second.previous.equals(first.open)).toBe(true);
  expect(hash(second.secret)).toBe(first.secret.toString('hex'));
  expect(first.open.equals(first.secret)).toBe(false);
});

test('the dice of a phase are those of its key and context', async () => {
  const game = await gameById(database.db, gameId);
  const dice = await gameDice(one.service, database.db, game, { n: 3, turn: 3, step: 'run' });
  const { open } = await phaseKeys(one.service, database.db, gameId, 3);
  expect(dice.roll('red runs fast', 4, 6)).toEqual(rollsOf(open, `${game.ref}/3.run/red runs fast`, 4, 6));
});

test('the next chains are made, and told, before the present ones run out; each phase finds its own', async () => {
  expect(await renew(10)).toBeUndefined();
  const heads = await renew(CHAIN_LENGTH - 10);
  expect(heads).toMatchObject({ firstN: CHAIN_LENGTH + 1 });
  expect(await renew(CHAIN_LENGTH - 9)).toBeUndefined();
  const last = await phaseKeys(one.service, database.db, gameId, CHAIN_LENGTH);
  const next = await phaseKeys(one.service, database.db, gameId, CHAIN_LENGTH + 1);
  expect(hash(next.open)).toBe(heads!.open);
  expect(next.previous.toString('hex')).toBe(heads!.open);
  expect(next.open.equals(last.open)).toBe(false);
});

test('chains made anew (after a restore) replace the keys of the phases they begin with', async () => {
  const before = await phaseKeys(one.service, database.db, gameId, 5);
  await inTransaction(database.db, (trx) => makeChains(one.service, trx, gameId, 5));
  const after = await phaseKeys(one.service, database.db, gameId, 5);
  expect(after.open.equals(before.open)).toBe(false);
  const four = await phaseKeys(one.service, database.db, gameId, 4);
  expect(hash(before.open)).toBe(four.open.toString('hex'));
});

test('a service with another secret reads nothing', async () => {
  const stranger = { secret: Buffer.alloc(32, 9) };
  await expect(phaseKeys(stranger, database.db, gameId, 1)).rejects.toThrow(/another SECRET/);
});
