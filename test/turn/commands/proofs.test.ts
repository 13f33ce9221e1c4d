/** Commands of one mail together: each obeyed once, one code for all that wait, nothing done in a CHECK, RESIGN asked about. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { tables } from '../../../src/store/db.ts';
import { type Correspondent, correspondent, flat } from '../../helpers/club.ts';
import { type TestDatabase, testDatabase } from '../../helpers/db.ts';
import { type TestService, testService } from '../../helpers/service.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

let one: TestService;
let anna: Correspondent;
let carl: Correspondent;
let gm: Correspondent;
let counter = 0;

beforeEach(() => {
  counter++;
  const master = `gm${counter}@proofs.example.org`;
  one = testService(database.db, { env: { OPERATOR_EMAIL: master } });
  anna = correspondent(one, `anna${counter}@proofs.example`);
  carl = correspondent(one, `carl${counter}@others.example`);
  gm = correspondent(one, master);
});

async function makeGame(): Promise<string> {
  const [answer] = await gm.write('CREATE tiny/race');
  return /TNY-\d{4}/.exec(answer!.text)![0];
}

async function started(): Promise<string> {
  const ref = await makeGame();
  for (const [player, side] of [
    [anna, 'red'],
    [carl, 'blue'],
  ] as const) {
    await player.write([`SIGNUP ${side}`, `JOIN ${ref} ${side}`]);
    await player.confirm();
  }
  return ref;
}

const codesIn = (text: string): number => new Set(text.match(/CONFIRM [A-Z0-9]{4}-[A-Z0-9]{4}-[A-Z0-9]{4}/g)).size;

describe('one code for all that waits', () => {
  test('a stranger who signs up and joins in one mail gets one code, and is in the game after it', async () => {
    const ref = await makeGame();
    const got = await anna.write([`JOIN ${ref} red`, 'SIGNUP Anna Berg']);
    expect(got).toHaveLength(1);
    expect(codesIn(got[0]!.text)).toBe(1);
    expect(flat(got[0]!.text)).toContain('known as "Anna Berg"');
    const [done] = await anna.confirm();
    expect(flat(done!.text)).toContain(`You have the seat Red in ${ref}`);
  });

  test('three commands of a member without proof get one code, and are done after it', async () => {
    await started();
    const forged = correspondent(one, anna.address, false);
    const got = await forged.write(['SET ZONE Europe/Vienna', 'SET PAPER A3', 'VACATION 2026-12-24 TO 2026-12-26']);
    expect(got).toHaveLength(1);
    expect(codesIn(got[0]!.text)).toBe(1);
    const person = () =>
      tables(database.db)
        .selectFrom('person')
        .innerJoin('address', 'address.person_id', 'person.id')
        .select(['person.zone', 'person.paper'])
        .where('address.address', '=', anna.address)
        .executeTakeFirstOrThrow();
    expect(await person()).toMatchObject({ zone: 'UTC', paper: 'A4' });
    const [done] = await anna.confirm();
    expect(await person()).toMatchObject({ zone: 'Europe/Vienna', paper: 'A3' });
    for (const said of ['== SET ZONE Europe/Vienna', '== SET PAPER A3', '== VACATION'])
      expect(flat(done!.text)).toContain(said);
  });
});

describe('each command once', () => {
  test('the same command in subject and body is obeyed once', async () => {
    await started();
    const [answer, more] = await anna.answer('extend  2', 'EXTEND 2');
    expect(more).toBeUndefined();
    expect(flat(answer!.text)).not.toContain('==');
    const asked = carl.inbox().filter((mail) => /EXTEND|more day|2 days/i.test(mail.text)).length;
    expect(asked).toBe(1);
  });

  test('press named in the subject and written in the body is sent once', async () => {
    await started();
    const before = carl.inbox().length;
    await anna.answer(['PRESS TO blue', 'Hello there', 'ENDPRESS'], 'PRESS TO blue');
    const got = carl.inbox().slice(before);
    expect(got).toHaveLength(1);
    expect(got[0]!.text).toContain('| Hello there');
  });
});

describe('within CHECK', () => {
  test('press is not sent, and the answer says so; STATUS is answered', async () => {
    await started();
    const before = carl.inbox().length;
    const got = await anna.answer(['CHECK', 'RUN STEADY', 'PRESS TO blue', 'A secret', 'ENDPRESS', 'STATUS', 'END']);
    expect(carl.inbox()).toHaveLength(before);
    const all = flat(got.map((mail) => mail.text).join(' '));
    expect(all).toContain('This mail is a CHECK');
    expect(all).toContain('== STATUS');
  });
});

describe('RESIGN', () => {
  const seatOf = (ref: string) =>
    tables(database.db)
      .selectFrom('seat')
      .innerJoin('game', 'game.id', 'seat.game_id')
      .select('seat.status')
      .where('game.ref', '=', ref)
      .where('seat.side', '=', 'red')
      .executeTakeFirstOrThrow();

  test.each([
    ['alone', ['RESIGN'], 'Re: your mail'],
    ['in the subject', ['hello'], 'RESIGN'],
    ['among orders', ['TURN 1', 'RUN STEADY', 'RESIGN', 'END'], 'Re: your mail'],
  ])('%s is asked about once and done when its code comes back', async (_where, lines, subject) => {
    const ref = await started();
    const got = await anna.answer(lines, subject);
    expect((await seatOf(ref)).status).toBe('held');
    expect(flat(got.map((mail) => mail.text).join(' '))).toContain("This can't be taken back");
    await anna.confirm();
    expect((await seatOf(ref)).status).toBe('vacant');
  });
});

describe('words that are nearly a command', () => {
  test.each([
    ['SET COLOUR BLUE', 'There is no setting COLOUR. SET takes: ADDRESS'],
    ['SET REMINDER 24', '24 h'],
  ])('%s is answered', async (line, said) => {
    await started();
    const [answer] = await anna.answer(line);
    expect(flat(answer!.text)).toContain(said);
  });

  test('MAP takes its words in either order', async () => {
    await started();
    const got = await anna.answer('MAP 1 BW PNG');
    expect(got.some((mail) => mail.raw.includes('.png'))).toBe(true);
  });
});
