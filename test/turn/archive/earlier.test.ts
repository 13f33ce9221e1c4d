/**
 * Games begun with an earlier Fieldpost: a small dump of each, made while a question was open, is brought to today's
 * tables, verified, answered and played on.
 */
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { openScenarios, SCENARIOS } from '../../../src/scenarios.ts';
import { clearTables, fixSequences, loadRows, prepareForLoad, type TableText } from '../../../src/store/backup.ts';
import { inTransaction, migrate } from '../../../src/store/db.ts';
import { gameById, phaseById, phasesOf, seatsOf } from '../../../src/store/games.ts';
import { requestsOf } from '../../../src/store/orders.ts';
import { recordedGame, recordOf } from '../../../src/turn/archive/export.ts';
import { verifyGame } from '../../../src/turn/phase/replay.ts';
import { runGame } from '../../../src/turn/phase/run.ts';
import { addressOfSeat } from '../../../src/turn/seats.ts';
import { testDatabase } from '../../helpers/db.ts';
import { letter, type TestService, testService, textOf } from '../../helpers/service.ts';

const FIXTURES = fileURLToPath(new URL('./fixtures/', import.meta.url));
const store = openScenarios([SCENARIOS]);

/** Loads a dump into an empty database and brings it up to date. */
async function opened(file: string): Promise<{ one: TestService; close(): Promise<void> }> {
  const [head, ...parts] = gunzipSync(fs.readFileSync(`${FIXTURES}${file}`))
    .toString('utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { migrations: string[] } & TableText);
  const database = await testDatabase({ empty: true });
  await prepareForLoad(database.db, head!.migrations);
  await inTransaction(database.db, async (trx) => {
    await clearTables(trx);
    for (const part of parts.slice(0, -1)) await loadRows(trx, part);
    await fixSequences(trx);
  });
  await migrate(database.db);
  const one = testService(database.db, { scenarios: store });
  // The tests' own chance would draw the message ids of the dump again.
  one.service.randomBytes = randomBytes;
  return { one, close: database.close };
}

test.each([
  ['overlord.backup', 'ANSWER 1: 2'],
  ['normandie.backup', 'ANSWER 1: 1'],
  ['combatcommander.backup', 'ANSWER 1: FORT NONE'],
])('%s opens, verifies, answers its open question and plays on', async (file, answer) => {
  const { one, close } = await opened(file);
  const { db } = one.service;
  const before = await gameById(db, 1);
  const waiting = await phaseById(db, before.phase_id!);
  expect(waiting.status).toBe('waiting');
  const verified = verifyGame(recordedGame(await recordOf(one.service, db, 1)), store.open(before.scenario));
  expect(verified.faults).toEqual([]);
  expect(verified.phases).toBe((await phasesOf(db, 1)).length - 1);
  const question = (await requestsOf(db, waiting.id)).find((each) => each.decided_by === null);
  const seats = await seatsOf(db, 1);
  const write = async (side: string, lines: string[]): Promise<void> => {
    const seat = seats.find((each) => each.side === side)!;
    await one.receive(letter(`${side}@players.example`, addressOfSeat(one.service, seat), [...lines, 'END']));
  };
  await write(question!.side, [answer]);
  const taken = (await requestsOf(db, waiting.id)).find((each) => each.id === question!.id);
  expect(taken, one.sent.map(({ raw }) => textOf(raw)).join()).toMatchObject({ decided_by: 'answer' });
  expect(one.problems).toEqual([]);
  // Whatever else it asks goes by its first choice.
  for (let left = 40; left > 0 && (await gameById(db, 1)).phase_id === waiting.id; left--) {
    const more = (await requestsOf(db, waiting.id)).find((each) => each.decided_by === null);
    if (more) await write(more.side, [`ANSWER ${more.number}: 1`]);
  }
  const after = await gameById(db, 1);
  expect(after).toMatchObject({ status: 'running' });
  expect(after.phase_id).not.toBe(waiting.id);
  const next = await phaseById(db, after.phase_id!);
  expect((await runGame(one.service, 1, { force: true })).result).toBe('done');
  await one.settle();
  expect((await gameById(db, 1)).phase_id).not.toBe(next.id);
  expect(verifyGame(recordedGame(await recordOf(one.service, db, 1)), store.open(after.scenario)).faults).toEqual([]);
  await close();
});
