/** What a receipt says of the receipts before it: counted from 1, and "replaces" only where something was replaced. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { tables } from '../../../src/store/db.ts';
import { deedsOf } from '../../../src/turn/deeds.ts';
import { type Correspondent, correspondent, flat } from '../../helpers/club.ts';
import { type TestDatabase, testDatabase } from '../../helpers/db.ts';
import { RED, startRace, type TestService, testService } from '../../helpers/service.ts';

let database: TestDatabase;
let one: TestService;
let red: Correspondent;
let gameId: number;

beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  await tables(database.db).deleteFrom('reply_count').execute();
  one = testService(database.db);
  ({ gameId } = await startRace(one, { deadlineRule: null }));
  await one.settle();
  red = correspondent(one, RED);
});

/** Sends a mail and gives the words of its receipt. */
async function receipt(lines: string | string[]): Promise<string> {
  const mails = await red.answer(lines);
  return flat(mails.find((mail) => /^Receipt /.test(mail.text))!.text);
}

const FILED = ['TURN 1', 'RUN FAST', 'END'];
const OTHER = ['TURN 1', 'RUN STEADY', 'END'];
const WRONG = ['TURN 1', 'DANCE', 'END'];

describe('receipts are counted as the player gets them', () => {
  test('the first is number 1, whatever was tried at the page before', async () => {
    const seat = await tables(database.db)
      .selectFrom('seat')
      .select(['id', 'person_id'])
      .where('game_id', '=', gameId)
      .where('side', '=', 'red')
      .executeTakeFirstOrThrow();
    const person = await tables(database.db)
      .selectFrom('person')
      .selectAll()
      .where('id', '=', seat.person_id!)
      .executeTakeFirstOrThrow();
    const checked = { seatId: seat.id, text: 'RUN FAST', file: false, person, source: 'web' as const };
    for (let i = 0; i < 3; i++) await deedsOf(one.service).handIn(checked);
    expect(await receipt(FILED)).toMatch(/^Receipt 1 for /);
    expect(await receipt(WRONG)).toMatch(/^Receipt 2 for /);
    expect(await receipt(OTHER)).toMatch(/^Receipt 3 for .*It replaces receipt 1\./);
  });
});

describe('a receipt replaces only what it replaces', () => {
  test.each<[string, (string | string[])[], RegExp, RegExp | null]>([
    ['the first orders', [FILED], /These are the first orders on file/, /replaces/],
    ['a wrong first mail', [WRONG], /Nothing was filed/, /replaces|first orders/],
    ['orders after a wrong mail', [WRONG, FILED], /These are the first orders on file/, /replaces/],
    ['other orders', [FILED, OTHER], /It replaces receipt 1\./, /first orders/],
    ['a wrong mail after orders', [FILED, WRONG], /What stood before still stands.*ON FILE.*RUN FAST/, /replaces/],
    ['the same orders again', [FILED, FILED], /The orders on file are as before/, /replaces/],
    ['FINAL alone', [FILED, 'FINAL'], /ON FILE.*RUN FAST.*FINAL/, /replaces|No order line/],
    ['FINAL with nothing on file', ['FINAL'], /FINAL/, /replaces|first orders/],
    ['a check', [FILED, ['CHECK', ...OTHER]], /Receipt 2/, /replaces/],
    ['CLEAR', [FILED, 'CLEAR'], /replaces receipt 1/, /first orders/],
    ['CLEAR of nothing', ['CLEAR'], /Receipt 1/, /replaces|first orders/],
    ['orders after CLEAR', [FILED, 'CLEAR', OTHER], /These are the first orders on file/, /replaces/],
    ['ADD to orders', [FILED, ['TURN 1', 'ADD', 'DOCTRINE RUN FAST', 'END']], /Receipt 2/, /first orders/],
  ])('%s', async (_, mails, says, never) => {
    let text = '';
    for (const lines of mails) text = await receipt(lines);
    expect(text).toMatch(says);
    if (never) expect(text).not.toMatch(never);
  });
});
