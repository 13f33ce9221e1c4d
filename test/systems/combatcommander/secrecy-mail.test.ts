/** The closed fist by real mail: what the other side can ask for says nothing of a choice, and no mail changes one. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openScenarios, SCENARIOS } from '../../../src/scenarios.ts';
import { tables } from '../../../src/store/db.ts';
import type { CommanderTable } from '../../../src/systems/combatcommander/types.ts';
import { type Correspondent, correspondent, flat, GM } from '../../helpers/club.ts';
import { type TestDatabase, testDatabase } from '../../helpers/db.ts';
import { type TestService, testService } from '../../helpers/service.ts';

let database: TestDatabase;
let one: TestService;
let anna: Correspondent;
let gerd: Correspondent;
beforeAll(async () => {
  database = await testDatabase();
  one = testService(database.db, { scenarios: openScenarios([SCENARIOS]), env: { OPERATOR_EMAIL: GM } });
  anna = correspondent(one, 'anna@players.example');
  gerd = correspondent(one, 'gerd@elsewhere.example');
  await correspondent(one, GM).write(
    `CREATE combatcommander/campaign SEAT american ${anna.address} SEAT german ${gerd.address}`,
  );
  await anna.confirm();
  await gerd.confirm();
});
afterAll(() => database.close());

async function table(): Promise<CommanderTable> {
  const game = await tables(database.db).selectFrom('game').selectAll().executeTakeFirstOrThrow();
  const phase = await tables(database.db)
    .selectFrom('phase')
    .selectAll()
    .where('id', '=', game.phase_id!)
    .executeTakeFirstOrThrow();
  return phase.snapshot.table as CommanderTable;
}

/** What the German gets when he asks for everything he may ask for, without the numbers of the mails themselves. */
async function asked(): Promise<string> {
  const got = [];
  for (const lines of [['STATUS'], ['HISTORY'], ['CHECK', 'SECTIONS D', 'END']])
    got.push(...(await gerd.answer(lines)).map((mail) => mail.text));
  return flat(got.join('\n')).replace(/[Rr]eceipt \d+|letter-\d+/g, '');
}

test('C1.55a: whatever the American has filed, each of the German’s questions gets the same answer', async () => {
  const answers: string[] = [];
  for (const line of ['SECTIONS C E', 'SECTIONS NONE', 'SECTIONS G']) {
    const [receipt] = await anna.answer([line, 'END']);
    expect(flat(receipt!.text)).toContain(`ok ${line}`);
    answers.push(await asked());
  }
  expect(answers[0]).toContain('American has filed');
  expect(new Set(answers).size).toBe(1);
});

test('C1.55b: nobody files for the other side, and after the reveal no mail changes the choice', async () => {
  const [other] = await gerd.answer(['SIDE AMERICAN', 'SECTIONS NONE', 'FINAL', 'END']);
  expect(flat(other!.text)).toContain('but this seat is German; nothing was filed');
  await anna.answer(['SECTIONS C E', 'FINAL', 'END']);
  await gerd.answer(['SECTIONS D', 'FINAL', 'END']);
  const bought = { american: ['C', 'E'], german: ['D'] };
  expect((await table()).battle.bought).toEqual(bought);
  const [old] = await anna.answer(['BATTLE 1 SIDE AMERICAN STEP sections', 'SECTIONS G', 'FINAL', 'END']);
  expect(flat(old!.text)).toContain('the mail is for the step sections, but support is open now');
  const [late] = await anna.answer(['SECTIONS G', 'FINAL', 'END']);
  expect(flat(late!.text)).toContain('your choice of Sections is sealed and can no longer be changed');
  expect((await table()).battle.bought).toEqual(bought);
});
