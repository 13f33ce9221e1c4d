/** A game master who plays in his own game looks at nothing, does nothing alone, and a deputy stands in for both. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { tables } from '../../../src/store/db.ts';
import { gameByRef } from '../../../src/store/games.ts';
import { deedsOf } from '../../../src/turn/deeds.ts';
import { startWeb, type Web } from '../../../src/web/server.ts';
import { signIn } from '../../helpers/browser.ts';
import { type Correspondent, correspondent, flat } from '../../helpers/club.ts';
import { type TestDatabase, testDatabase } from '../../helpers/db.ts';
import { type TestService, testService } from '../../helpers/service.ts';

let database: TestDatabase;
let one: TestService;
let anna: Correspondent;
let bert: Correspondent;
let dora: Correspondent;
let ref: string;
let counter = 0;

beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  counter++;
  one = testService(database.db, { env: { OPERATOR_EMAIL: `gm${counter}@club.example.org` } });
  anna = correspondent(one, `anna${counter}@players.example`);
  bert = correspondent(one, `bert${counter}@players.example`);
  dora = correspondent(one, `dora${counter}@players.example`);
  for (const who of [anna, bert]) {
    await who.write('SIGNUP');
    await who.confirm();
  }
  const [made] = await anna.write('CREATE tiny/race 3 days');
  ref = /TNY-\d{4}/.exec(made!.text)![0];
  await anna.write(`JOIN ${ref} red`);
  await bert.write(`JOIN ${ref} blue`);
  await bert.answer(['TURN 1', 'RUN STEADY', '// the bridge at dawn', 'END']);
});

const phases = async (): Promise<string> => {
  const game = (await gameByRef(database.db, ref))!;
  const rows = await tables(database.db)
    .selectFrom('phase')
    .select(['n', 'line', 'status', 'due_at', 'closed_at', 'hash'])
    .where('game_id', '=', game.id)
    .orderBy('id')
    .execute();
  const { status, deadline_rule } = game;
  const seats = await tables(database.db).selectFrom('seat').select('status').where('game_id', '=', game.id).execute();
  return JSON.stringify([rows, status, deadline_rule, seats]);
};

const LOOKS = ['PREVIEW {} SURE', 'PREVIEW {}', 'LOG {}', 'LOG {} blue', 'MAIL 1', 'EXPORT {}', 'RERUN {} 1'];
const DEEDS = [
  'REWIND {} 1 so',
  'RERUN {} 1 PUBLISH so',
  'ADJUST {} table.weather = wet BECAUSE so',
  'PROCESS! {}',
  'PROCESS {}',
  'RULING {} so be it',
  'DEADLINE {} +3',
  'SCHEDULE {} 9 days',
  'DISMISS {} blue so',
  'CANCEL {} so',
];

describe('a master who plays', () => {
  test.each(LOOKS)('is not shown %s', async (line) => {
    const before = await phases();
    const id = await tables(database.db)
      .selectFrom('mail_in')
      .select('id')
      .where('verdict', '=', 'filed')
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow();
    const [said] = await anna.write([`GAME ${ref}`, line.replace('{}', ref).replace('MAIL 1', `MAIL ${id.id}`)]);
    expect(said!.text).not.toContain('the bridge at dawn');
    expect(flat(said!.text)).toContain('what is hidden from your side is not shown');
    expect(await phases()).toBe(before);
  });

  test.each(DEEDS)('does %s only once the other side has said yes, and it is told at once', async (line) => {
    const before = await phases();
    const inbox = bert.inbox().length;
    await anna.write(line.replace('{}', ref));
    expect(await phases()).toBe(before);
    const told = bert.inbox().slice(inbox);
    expect(told).toHaveLength(1);
    expect(flat(told[0]!.text)).toContain('who plays in it himself, wants this done');
    await anna.answer('VOTE YES');
    expect(await phases()).toBe(before);
  });

  test('a yes does it', async () => {
    const before = await phases();
    await anna.write(`DEADLINE ${ref} +3 because of the feast`);
    const [said] = await bert.answer('VOTE YES');
    expect(flat(said!.text)).toContain('Agreed, and done');
    expect(await phases()).not.toBe(before);
    expect(flat(anna.newest().text)).toContain('DEADLINE');
  });

  test('a no, and nothing is done', async () => {
    const before = await phases();
    await anna.write(`CANCEL ${ref} I am losing`);
    await bert.answer('VOTE NO');
    expect(await phases()).toBe(before);
  });

  test('whoever left a seat empty gives its holder no say: the master’s own yes is none', async () => {
    await bert.answer('RESIGN');
    await bert.confirm();
    const before = await phases();
    await anna.write(`PROCESS! ${ref}`);
    await anna.answer('VOTE YES');
    expect(await phases()).toBe(before);
  });

  test('pauses, and the others hear of it at once; an invitation as well', async () => {
    await anna.write(`PAUSE ${ref} the flu`);
    expect(flat(bert.newest().text)).toContain('the flu');
    await bert.answer('RESIGN');
    await bert.confirm();
    await anna.write(`SEAT ${ref} blue ${dora.address}`);
    await dora.confirm();
    expect(flat(dora.newest().text)).toContain(ref);
  });

  test('finds the desk of this game closed', async () => {
    const web: Web = await startWeb(one.service, deedsOf(one.service), {
      host: '127.0.0.1',
      port: 0,
      perMinute: { requests: 5000, forms: 5000 },
    });
    try {
      const reader = await signIn(web, one, anna);
      const page = await reader.get(`/desk/${ref}`);
      expect(page.status).toBe(403);
      expect(page.text).not.toContain('bridge at dawn');
    } finally {
      await web.close();
    }
  });
});

describe('a deputy', () => {
  beforeEach(async () => {
    await anna.write(`DEPUTY ${ref} ${dora.address}`);
    await dora.confirm();
  });

  test('is named to everybody, and does what the master may not; the players hear of each look at once', async () => {
    expect(bert.inbox().some((mail) => flat(mail.text).includes('is deputy of the game master'))).toBe(true);
    const id = await tables(database.db)
      .selectFrom('mail_in')
      .select('id')
      .where('verdict', '=', 'filed')
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow();
    const [shown] = await dora.write(`MAIL ${id.id}`);
    expect(shown!.text).toContain('the bridge at dawn');
    for (const player of [anna, bert]) expect(flat(player.newest().text)).toContain(`read mail ${id.id} as it came`);
    await dora.write(`PROCESS! ${ref}`);
    expect(await phases()).toContain('"n":2');
  });

  test('gets what the other side writes to the game master', async () => {
    const before = anna.inbox().length;
    await bert.answer(['PRESS TO GM', 'May my hidden scout swim?', 'ENDPRESS']);
    expect(dora.newest().text).toContain('hidden scout');
    expect(anna.inbox()).toHaveLength(before);
  });

  test('never gets a seat, and no player is made deputy', async () => {
    await bert.answer('RESIGN');
    await bert.confirm();
    const [said] = await dora.write(`TAKEOVER blue@${ref}`);
    expect(flat(said!.text)).toContain('You have seen');
    const [refused] = await anna.write(`DEPUTY ${ref} ${anna.address}`);
    expect(flat(refused!.text)).toContain("can't be its deputy");
  });

  test('OFF ends it', async () => {
    await anna.write(`DEPUTY ${ref} OFF`);
    const [said] = await dora.write(`LOG ${ref}`);
    expect(flat(said!.text)).toContain('There is no such game of which you are the master');
    expect(said!.text).not.toContain('MAIL ');
  });
});

test('CREATE … DEPUTY asks one from the beginning', async () => {
  await anna.write(`CREATE tiny/race DEPUTY ${dora.address} 3 days`);
  const [said] = await dora.confirm();
  expect(flat(said!.text)).toContain('You are deputy of the game master');
});

test('a master who does not play looks as ever, and the players are told at once', async () => {
  const [made] = await dora
    .write(['SIGNUP Dora'])
    .then(() => dora.confirm())
    .then(() => dora.write('CREATE tiny/race'));
  ref = /TNY-\d{4}/.exec(made!.text)![0];
  await anna.write(`JOIN ${ref} red`);
  await bert.write(`JOIN ${ref} blue`);
  const before = bert.inbox().length;
  const [said] = await dora.write(`LOG ${ref}`);
  expect(said!.text).toContain('start');
  expect(bert.inbox()).toHaveLength(before);
});
