/**
 * A disputed battle by real mail: three rounds of different reports, the service calls the game master, and his ADJUST
 * closes the battle. Also what a newcomer does by mistake: the form sent back as it came.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openScenarios, SCENARIOS } from '../../../src/scenarios.ts';
import { tables } from '../../../src/store/db.ts';
import type { CommanderTable } from '../../../src/systems/combatcommander/types.ts';
import { type Correspondent, correspondent, flat, GM } from '../../helpers/club.ts';
import { type TestDatabase, testDatabase } from '../../helpers/db.ts';
import { DAY_MS, type TestService, testService } from '../../helpers/service.ts';

let database: TestDatabase;
let one: TestService;
let anna: Correspondent;
let gerd: Correspondent;
let gm: Correspondent;
let ref: string;
beforeAll(async () => {
  database = await testDatabase();
  one = testService(database.db, { scenarios: openScenarios([SCENARIOS]), env: { OPERATOR_EMAIL: GM } });
  anna = correspondent(one, 'anna@players.example');
  gerd = correspondent(one, 'gerd@elsewhere.example');
  gm = correspondent(one, GM);
  const [made] = await gm.write(
    `CREATE combatcommander/campaign SEAT american ${anna.address} SEAT german ${gerd.address} placement=table`,
  );
  ref = /CCN-\d{4}/.exec(made!.text)![0];
  await anna.confirm();
  await gerd.confirm();
});
afterAll(() => database.close());

async function now(): Promise<{ step: string; table: CommanderTable; n: number }> {
  const game = await tables(database.db)
    .selectFrom('game')
    .selectAll()
    .where('ref', '=', ref)
    .executeTakeFirstOrThrow();
  const phase = await tables(database.db)
    .selectFrom('phase')
    .selectAll()
    .where('id', '=', game.phase_id!)
    .executeTakeFirstOrThrow();
  return { step: phase.step, table: phase.snapshot.table as CommanderTable, n: phase.n };
}

const block = (...lines: string[]): string[] => [...lines, 'FINAL', 'END'];

/** The set-up with nothing bought: the marker is on 0, the higher initiative (the American) would set up first. */
async function toBattle(): Promise<void> {
  const battle = (await now()).table.campaign.battle;
  for (let i = 0; i < 20 && (await now()).step !== 'battle'; i++) {
    const { step } = await now();
    if (step === 'sections') {
      await anna.answer(block(`BATTLE ${battle}`, 'SECTIONS NONE'));
      await gerd.answer(block(`BATTLE ${battle}`, 'SECTIONS NONE'));
    } else if (step === 'support') {
      await anna.answer(block('ARMOR NO'));
      await gerd.answer(block('ARMOR NO', 'FORT NONE'));
    } else {
      one.clock.forward(8 * DAY_MS);
      await one.settle();
    }
  }
}

test('a form sent back as it came is no report: the battle keeps its term and nobody is bothered', async () => {
  await toBattle();
  const before = await now();
  expect(before.step).toBe('battle');
  const mails = gerd.inbox().length;
  await anna.answer(block('BATTLE 1 SIDE AMERICAN STEP battle', '# REPORT BATTLE 1 WINNER AMERICAN'));
  expect((await now()).n).toBe(before.n);
  expect(gerd.inbox()).toHaveLength(mails);
});

test('a bare FINAL neither confirms nor ends the term to answer a report', async () => {
  await anna.answer(block('REPORT BATTLE 1 WINNER AMERICAN VP 12'));
  const asked = await now();
  expect(asked.step).toBe('confirm');
  await gerd.answer(block());
  await anna.answer(block('CONFIRM BATTLE 1'));
  expect(await now()).toMatchObject({ step: 'confirm', n: asked.n, table: { campaign: { fought: [] } } });
});

test('after three rounds the game master is called, and his ADJUST by mail closes the battle at once', async () => {
  await gerd.answer(block('REPORT BATTLE 1 WINNER GERMAN'));
  for (const round of [1, 2]) {
    expect(await now()).toMatchObject({ step: 'dispute', table: { battle: { rounds: round } } });
    await anna.answer(block('REPORT BATTLE 1 WINNER AMERICAN VP 12'));
    await gerd.answer(block('REPORT BATTLE 1 WINNER GERMAN'));
  }
  expect((await now()).step).toBe('ruling');
  expect(flat(gm.newest().text).toLowerCase()).toContain(`${ref} waits for your decision`.toLowerCase());
  expect(flat(gm.newest().text)).toContain(
    `Write ADJUST ${ref} table.battle.ruling = american BECAUSE and your reason`,
  );

  const [cheat] = await anna.write(`ADJUST ${ref} table.battle.ruling = american BECAUSE I won`);
  expect(flat(cheat!.text)).toContain('no such game of which you are the master');
  expect((await now()).table.battle.ruling).toBeNull();
  await anna.answer(block());
  expect((await now()).step).toBe('ruling');

  const [made] = await gm.write(`ADJUST ${ref} table.battle.ruling = german BECAUSE the log of the table says so`);
  expect(flat(made!.text)).toContain('table.battle.ruling: null -> "german"');
  const { step, table } = await now();
  expect(step).toBe('after');
  expect(table.campaign.fought).toMatchObject([{ winner: 'german', how: 'ruling' }]);
  for (const player of [anna, gerd]) {
    const all = flat(
      player
        .inbox()
        .map((mail) => mail.text)
        .join('\n'),
    );
    expect(all).toContain('Battle 1 is closed: German victory (decided by the game master).');
    expect(all).toContain('the log of the table says so');
  }
});

test('a battle closed by ruling can be taken up again by both, and waits for new reports', async () => {
  await anna.answer(block('REOPEN BATTLE 1'));
  await gerd.answer(block('REOPEN BATTLE 1'));
  expect(await now()).toMatchObject({ step: 'battle', table: { battle: { ruling: null }, campaign: { fought: [] } } });
});

test('the help for the game master tells of it', async () => {
  const [help] = await gm.write('HELP ADJUST');
  expect(flat(help!.text)).toContain('table.battle.ruling = german BECAUSE');
  const [system] = await gm.write('HELP combatcommander');
  expect(flat(system!.text)).toContain('decides a battle fought outside');
});
