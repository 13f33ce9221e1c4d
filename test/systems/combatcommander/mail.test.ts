/**
 * A whole campaign by real mail: two bots read the order form that comes with their report, edit it and send it back as a
 * mail; questions are answered from the mail that asks them; a disputed battle is decided by a ruling of the game master.
 * Afterwards the archive of the game is judged again offline.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openScenarios, SCENARIOS } from '../../../src/scenarios.ts';
import { inTransaction, tables } from '../../../src/store/db.ts';
import { gameById, phaseById } from '../../../src/store/games.ts';
import { exportGame, readBundle, recordedGame } from '../../../src/turn/archive/export.ts';
import { makeRuling } from '../../../src/turn/phase/course.ts';
import { createGame } from '../../../src/turn/phase/newgame.ts';
import { verifyGame } from '../../../src/turn/phase/replay.ts';
import { addressOfSeat } from '../../../src/turn/seats.ts';
import { chanceOf, editForm, type Winner } from '../../helpers/combatcommander-bot.ts';
import { type TestDatabase, testDatabase } from '../../helpers/db.ts';
import { letter, type TestService, testService, textOf } from '../../helpers/service.ts';

const MAILS_MAX = 400;
const SIDES = ['american', 'german'] as const;
const PLAYER = { american: 'anna@players.example', german: 'gerd@players.example' };

let database: TestDatabase;
let one: TestService;
beforeAll(async () => {
  database = await testDatabase();
  one = testService(database.db, { scenarios: openScenarios([SCENARIOS]) });
});
afterAll(() => database.close());

/** The text of an attached file of a mail, if it has one of that name. */
function attachment(raw: Buffer, name: RegExp): string | undefined {
  const parts = raw.toString('latin1').split(/\r\n--[^\r\n]+\r\n/);
  const part = parts.find((text) => name.test(text.slice(0, 600)) && /attachment/i.test(text.slice(0, 600)));
  if (!part) return undefined;
  const at = part.indexOf('\r\n\r\n');
  const body = part.slice(at + 4).split('\r\n--')[0]!;
  if (/base64/i.test(part.slice(0, at))) return Buffer.from(body, 'base64').toString('utf8');
  return Buffer.from(body, 'latin1').toString('utf8');
}

test('C0.8: two bots play a campaign by mail, and the archive is judged again without a fault', {
  timeout: 400_000,
}, async () => {
  const { service } = one;
  const game = await createGame(service, {
    scenarioId: 'combatcommander/campaign',
    seats: SIDES.map((side) => ({ side, address: PLAYER[side], name: side })),
    by: 'test',
    door: 'test',
  });
  const seats = await tables(service.db).selectFrom('seat').selectAll().where('game_id', '=', game.id).execute();
  const address = (side: string): string => addressOfSeat(service, seats.find((seat) => seat.side === side)!);
  const chances = { american: chanceOf('anna'), german: chanceOf('gerd') };
  const winner: Winner = (battle) => (battle % 3 === 1 ? 'GERMAN' : 'AMERICAN');
  await one.settle();
  const seen = { american: 0, german: 0 };
  let mails = 0;
  let ruled = 0;
  const current = async () => gameById(database.db, game.id);
  while ((await current()).status === 'running') {
    const before = mails;
    for (const side of SIDES) {
      const mine = one.sent.filter((mail) => mail.to === PLAYER[side]);
      const fresh = mine.slice(seen[side]).reverse();
      seen[side] = mine.length;
      const question = fresh.map((mail) => attachment(mail.raw, /answer-\d+\.txt/)).find((text) => text !== undefined);
      const options = fresh.map((mail) => textOf(mail.raw)).find((text) => /^\s*1\) /m.test(text));
      const form = fresh.map((mail) => attachment(mail.raw, /orders\.txt/)).find((text) => text !== undefined);
      let lines: string[] = [];
      if (question) lines = question.split(/\r?\n/).map((line) => (line === 'FORT NONE' ? 'FORT POINTS Wire' : line));
      else if (options && !form) lines = ['ANSWER 1: 1', 'END'];
      else if (form)
        lines = editForm(
          form.split(/\r?\n/).filter((line) => line !== ''),
          chances[side],
          winner,
        );
      if (lines.length === 0) continue;
      expect(++mails).toBeLessThan(MAILS_MAX);
      await one.receive(letter(PLAYER[side], address(side), lines));
    }
    const now = await current();
    if (now.status !== 'running') break;
    const { snapshot } = await phaseById(database.db, now.phase_id!);
    if (snapshot.phase.step === 'ruling') {
      ruled++;
      await inTransaction(service.db, async (trx) => {
        const deed = { service, trx, now: service.now(), who: 'gm', door: 'test', why: 'both logs' };
        const change = { path: 'table.battle.ruling', value: winner(snapshot.phase.battle!).toLowerCase() };
        expect(await makeRuling(deed, now, 'decided by the logs', [change])).toHaveProperty('number');
      });
    }
    if (mails === before) one.clock.forward(8 * 86_400_000);
    await one.settle();
  }
  expect(one.problems.filter((text) => !/missed/.test(text))).toEqual([]);
  const phases = await tables(database.db)
    .selectFrom('phase')
    .selectAll()
    .where('game_id', '=', game.id)
    .orderBy('n')
    .execute();
  const last = phases.at(-1)!.snapshot as unknown as { table: { campaign: { fought: unknown[] }; ended: object } };
  expect(last.table.campaign.fought.length).toBeGreaterThanOrEqual(4);
  expect(last.table.ended).toMatchObject({ reason: 'won four battles' });
  const asked = await tables(database.db).selectFrom('request').selectAll().execute();
  expect(asked.length).toBeGreaterThan(0);
  expect(asked.map((request) => request.decided_by)).toEqual(asked.map(() => 'answer'));
  expect(ruled).toBeLessThan(8);
  const { record, open } = await readBundle(await exportGame(service, game.ref, { by: 'test', door: 'test' }));
  const verified = verifyGame(recordedGame(record), open);
  expect(verified).toMatchObject({ faults: [], ref: game.ref });
  expect(verified.phases).toBe(phases.length - 1);
});
