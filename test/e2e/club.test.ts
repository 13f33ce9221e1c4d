/**
 * A club from outside: nothing but mails. Two strangers ask for help, join, play Overlord; one goes on vacation, comes back
 * late, falls silent and is replaced; the master rewinds; the replacement concedes in turn 3.
 */
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { publicView } from '../../src/kernel/view.ts';
import { openScenarios, SCENARIOS } from '../../src/scenarios.ts';
import { tables } from '../../src/store/db.ts';
import { campaignBook } from '../../src/turn/archive/campaignbook.ts';
import { recordedGame, recordOf } from '../../src/turn/archive/export.ts';
import { viewMail } from '../../src/turn/archive/mailview.ts';
import { verifyGame } from '../../src/turn/phase/replay.ts';
import { type Correspondent, correspondent, flat, GM } from '../helpers/club.ts';
import { type TestDatabase, testDatabase } from '../helpers/db.ts';
import { DAY_MS, type TestService, testService } from '../helpers/service.ts';

const HOUR_MS = 3_600_000;
const PHASES_MAX = 40;

let database: TestDatabase;
let one: TestService;
beforeAll(async () => {
  database = await testDatabase();
  one = testService(database.db, { scenarios: openScenarios([SCENARIOS]), env: { OPERATOR_EMAIL: GM } });
});
afterAll(() => database.close());

let ref = '';
const seats = new Map<string, Correspondent>();

async function phase() {
  return tables(database.db)
    .selectFrom('phase')
    .innerJoin('game', 'game.phase_id', 'phase.id')
    .selectAll('phase')
    .select(['game.status as gameStatus', 'game.outcome'])
    .where('game.ref', '=', ref)
    .executeTakeFirstOrThrow();
}

function owing(now: Awaited<ReturnType<typeof phase>>): string[] {
  const { rules } = one.service.scenarios.open('overlord/campaign');
  return rules.asks(publicView(now.snapshot)).flatMap((ask) => (ask.must ? [ask.side] : []));
}

/** The order form of the newest report, as a player's program saves it. */
async function formOf(player: Correspondent): Promise<string[]> {
  for (const mail of player.inbox().reverse()) {
    const file = (await viewMail(mail.raw)).files.find((one) => one.name === 'orders.txt');
    if (file) return file.bytes.toString('utf8').split(/\r?\n/);
  }
  throw new Error(`${player.address} got no order form`);
}

/** Moves time on as a day goes by: reminders and deadlines find their moment, and the service says that it lives. */
async function pass(hours: number): Promise<void> {
  const end = one.clock.now.getTime() + hours * HOUR_MS;
  while (one.clock.now.getTime() < end) {
    const next = await tables(database.db).selectFrom('job').select('run_at').orderBy('run_at').executeTakeFirst();
    const at = Math.max(one.clock.now.getTime(), Math.min(end, next?.run_at.getTime() ?? end));
    one.clock.now = new Date(at);
    await one.settle();
    if (at === end) return;
  }
}

/** Whoever owes orders sends the form of his report back, until a turn (and side) is reached. */
async function playUntil(turn: number, side?: string): Promise<void> {
  for (let i = 0; i < PHASES_MAX; i++) {
    const now = await phase();
    if (now.turn >= turn && (side === undefined || owing(now).includes(side))) return;
    const before = now.id;
    for (const owes of owing(now)) {
      const player = seats.get(owes)!;
      await player.answer(await formOf(player), `Re: ${player.newest().subject}`);
    }
    if ((await phase()).id === before)
      throw new Error(`turn ${now.turn} ${now.step} did not run: ${seats.get(owing(now)[0]!)!.newest().text}`);
  }
  throw new Error(`turn ${turn} was not reached`);
}

const texts = (player: Correspondent, from = 0): string =>
  player
    .inbox()
    .slice(from)
    .map((mail) => flat(`${mail.subject} ${mail.text}`))
    .join('\n');

test('from the first HELP to the last report, by mail alone', async () => {
  const gm = correspondent(one, GM);
  const anna = correspondent(one, 'anna@players.example');
  const bert = correspondent(one, 'bert@elsewhere.example');
  const clara = correspondent(one, 'clara@third.example');

  // Two strangers ask.
  expect(flat((await anna.write('HELP'))[0]!.text)).toContain('SIGNUP');
  expect(flat((await bert.write('', { subject: 'help overlord' }))[0]!.text)).toContain('MOVE');

  // The master opens a game; they sign up and join, in one go or in two.
  const [made] = await gm.write('CREATE overlord/campaign 4 DAYS AT 20:00 ZONE Europe/Paris GRACE 12 FIRST x1');
  ref = /OVL-\d{4}/.exec(made!.text)![0];
  expect(flat((await anna.write('GAMES'))[0]!.text)).toContain(`${ref} Overlord`);
  await anna.write('SIGNUP Anna');
  await anna.confirm();
  await anna.write(`JOIN ${ref} allied`);
  await bert.write(`JOIN ${ref} german`);
  await bert.confirm(' PRIVATE');
  seats.set('allied', anna).set('german', bert);
  expect(texts(anna)).toContain('Allied');
  expect((await phase()).gameStatus).toBe('running');
  await anna.answer('SET ZONE Europe/Paris');

  // The first turn, each with the form of the report.
  await playUntil(2, 'german');
  expect(one.problems).toEqual([]);

  // Bert goes on vacation: the deadline moves out of it, and Anna hears of it without a reason being pried into.
  const due = (await phase()).due_at!;
  const away = new Date(due.getTime() - DAY_MS).toISOString().slice(0, 10);
  const back = new Date(due.getTime() + 5 * DAY_MS).toISOString().slice(0, 10);
  await bert.answer(`VACATION ${away} TO ${back}`);
  const moved = (await phase()).due_at!;
  expect(moved.getTime()).toBeGreaterThan(Date.parse(back) + DAY_MS);
  expect(texts(anna)).toContain('somebody is away');

  // He is late: reminded, told that grace runs, and files within it.
  let read = bert.inbox().length;
  await pass((moved.getTime() - one.clock.now.getTime()) / HOUR_MS + 1);
  expect(texts(bert, read)).toContain('You have nothing on file yet');
  expect(texts(bert, read)).toContain('your orders are missing');
  const lateN = (await phase()).n;
  await bert.answer(await formOf(bert));
  expect((await phase()).n).toBeGreaterThan(lateN);
  await playUntil(2, 'german');

  // Then he falls silent: the phase runs without him, twice, and the master is told.
  const missedFirst = (await phase()).n;
  read = gm.inbox().length;
  for (let missed = 0; missed < 2; ) {
    const now = await phase();
    if (owing(now).includes('german')) {
      await pass((now.due_at!.getTime() - one.clock.now.getTime()) / HOUR_MS + 13);
      missed++;
    } else await anna.answer(await formOf(anna));
    expect((await phase()).n).toBeGreaterThan(now.n);
  }
  expect(texts(gm, read)).toMatch(/german.*(missed|deadline)/i);
  expect(texts(anna)).toMatch(/no orders/i);

  // The master makes the seat vacant; a third stranger takes it over and gets a full period.
  await gm.write(`DISMISS ${ref} german silent for two turns`);
  expect((await phase()).gameStatus).toBe('paused');
  await clara.write(`TAKEOVER german@${ref}`);
  await clara.confirm();
  seats.set('german', clara);
  expect((await phase()).gameStatus).toBe('running');
  expect(texts(anna)).toContain('plays German');

  // It would be unfair to leave her with that: back to the first phase he missed.
  await gm.write(`REWIND ${ref} ${missedFirst} a new player should not pay for the old one`);
  expect(texts(clara)).toContain('a new player should not pay for the old one');
  expect(owing(await phase())).toContain('german');
  const bertsOrders = await bert.answer(await formOf(clara).then((form) => form));
  expect(bertsOrders.map((mail) => mail.subject).join()).not.toMatch(/receipt/i);

  // On into turn 3; then Clara concedes, Anna agrees, and it is over.
  await playUntil(3, 'german');
  await clara.answer(['PRESS TO allied', 'Well played. I have nothing left at Caen.', 'ENDPRESS']);
  expect(texts(anna)).toContain('nothing left at Caen');
  await clara.answer('PROPOSE CONCEDE');
  expect((await phase()).gameStatus).toBe('running');
  await anna.answer('VOTE YES');
  const last = await phase();
  expect(last.gameStatus).toBe('over');
  expect(last.outcome).toMatchObject({ winner: 'allied' });
  expect(texts(clara)).toContain('German has conceded the game');

  // Nobody was told what was not his, nothing was sent twice, and anyone can replay it.
  expect(new Set(one.sent.map((mail) => /^Message-ID: (.*)$/im.exec(mail.raw.toString('latin1'))![1])).size).toBe(
    one.sent.length,
  );
  expect(texts(anna)).not.toContain('clara@third.example');
  const game = await tables(database.db)
    .selectFrom('game')
    .selectAll()
    .where('ref', '=', ref)
    .executeTakeFirstOrThrow();
  const record = recordedGame(await recordOf(one.service, database.db, game.id));
  expect(verifyGame(record, one.service.scenarios.open('overlord/campaign')).faults).toEqual([]);
  expect(one.problems).toEqual([]);

  // What remains: the campaign book, the same every time it is asked for.
  const book = await campaignBook(one.service, game);
  expect(book.subarray(0, 5).toString()).toBe('%PDF-');
  expect(await campaignBook(one.service, game)).toEqual(book);
  if (process.env.SHOTS) fs.writeFileSync(path.join(process.env.SHOTS, 'book.pdf'), book);
}, 600_000);
