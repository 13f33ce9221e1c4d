/** Who missed a deadline, and who did not: the counts behind promptness, alarms and the outage brake. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { inTransaction, tables } from '../../../src/store/db.ts';
import { gameById } from '../../../src/store/games.ts';
import { commandOf } from '../../../src/turn/commands/obey.ts';
import { createGame } from '../../../src/turn/phase/newgame.ts';
import { runGame } from '../../../src/turn/phase/run.ts';
import { stormNow } from '../../../src/turn/phase/storm.ts';
import { noteTurnout } from '../../../src/turn/phase/turnout.ts';
import { usualRule } from '../../../src/turn/time/instants.ts';
import { type Correspondent, correspondent } from '../../helpers/club.ts';
import { type TestDatabase, testDatabase } from '../../helpers/db.ts';
import { DAY_MS, type TestService, testService } from '../../helpers/service.ts';

let database: TestDatabase;
let one: TestService;
let anna: Correspondent;
let counter = 0;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  counter++;
  for (const table of ['job', 'turnout', 'service_state'] as const)
    await tables(database.db).deleteFrom(table).execute();
  one = testService(database.db, { env: { OPERATOR_EMAIL: `gm${counter}@club.example.org` } });
  anna = correspondent(one, `anna${counter}@players.example`);
});

async function race(deadline: boolean, blue = `carl${counter}@players.example`, red = anna.address) {
  const game = await createGame(one.service, {
    scenarioId: 'tiny/race',
    options: { squares: 1000 },
    seats: [
      { side: 'red', address: red, name: 'Anna' },
      { side: 'blue', address: blue, name: 'Carl' },
    ],
    deadlineRule: deadline ? { ...usualRule(3, 'UTC'), firstFactor: 1 } : null,
    by: 'test',
    door: 'test',
  });
  await one.settle();
  return game;
}

const results = async () =>
  (await tables(database.db).selectFrom('turnout').select('result').orderBy('seat_id').execute()).map(
    (row) => row.result,
  );
const missed = async (gameId: number) =>
  (
    await tables(database.db).selectFrom('seat').select('missed').where('game_id', '=', gameId).orderBy('id').execute()
  ).map((row) => row.missed);

test('where there is no deadline nobody misses one', async () => {
  const game = await race(false);
  await anna.answer(['RUN FAST', 'FINAL', 'END']);
  expect(await runGame(one.service, game.id, { force: true })).toMatchObject({ result: 'done' });
  expect(await results()).toEqual(['filed']);
  expect(await missed(game.id)).toEqual([0, 0]);
});

test('a side without whose orders a phase was ready owed nothing', async () => {
  const made = await race(true);
  await anna.answer(['RUN FAST', 'END']);
  await inTransaction(database.db, async (trx) => {
    const game = await gameById(trx, made.id);
    const phase = await tables(trx)
      .selectFrom('phase')
      .selectAll()
      .where('id', '=', game.phase_id!)
      .executeTakeFirstOrThrow();
    await noteTurnout(one.service, trx, game, phase, ['red', 'blue'], []);
  });
  expect(await results()).toEqual(['filed']);
});

test('a phase that REWIND undid leaves the counts', async () => {
  const game = await race(true);
  await anna.answer(['RUN FAST', 'FINAL', 'END']);
  one.clock.forward(4 * DAY_MS);
  await one.settle();
  expect(await results()).toEqual(['filed', 'missed']);
  expect(await missed(game.id)).toEqual([0, 1]);
  const said = await inTransaction(database.db, (trx) =>
    commandOf(one.service, trx, { person: null, door: 'cli', text: `REWIND ${game.ref} 1 a slip` }),
  );
  expect(said.ok).toBe(true);
  expect(await results()).toEqual([]);
  expect(await missed(game.id)).toEqual([0, 0]);
});

test.each([
  { name: 'one member’s many games don’t stop the deadlines of all', members: 1, stops: false },
  { name: 'many members who miss one each do', members: 8, stops: true },
])('$name', async ({ members, stops }) => {
  for (let i = 0; i < 8; i++) {
    const who = members === 1 ? 0 : i;
    await race(true, `blue${who}.${counter}@players.example`, `red${who}.${counter}@players.example`);
  }
  one.clock.forward(4 * DAY_MS);
  await one.settle();
  expect((await stormNow(database.db)) !== undefined).toBe(stops);
});
