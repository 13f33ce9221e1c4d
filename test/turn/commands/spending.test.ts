/** What costs, sends mail or gives something up needs proof or a budget; no budget is used up by what a stranger says. */
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { tables } from '../../../src/store/db.ts';
import { COMMAND_TABLE } from '../../../src/turn/commandwords.ts';
import { deedsOf } from '../../../src/turn/deeds.ts';
import { acceptMail } from '../../../src/turn/intake/accept.ts';
import { type Correspondent, correspondent, flat } from '../../helpers/club.ts';
import { type TestDatabase, testDatabase } from '../../helpers/db.ts';
import { letter, type TestService, testService } from '../../helpers/service.ts';

let database: TestDatabase;
let one: TestService;
let gm: Correspondent;
let red: Correspondent;
let blue: Correspondent;
let ref: string;
let counter = 0;

beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  counter++;
  one = testService(database.db, { env: { OPERATOR_EMAIL: `gm${counter}@club.example.org` } });
  gm = correspondent(one, `gm${counter}@club.example.org`);
  red = correspondent(one, `red${counter}@players.example`);
  blue = correspondent(one, `blue${counter}@players.example`);
  const [made] = await gm.write(`CREATE tiny/race SEAT red ${red.address} SEAT blue ${blue.address}`);
  ref = /TNY-\d{4}/.exec(made!.text)![0];
  await red.confirm();
  await blue.confirm();
});

/** A mail from nowhere with somebody's From, handed over by a host of the writer's. */
async function forge(from: string, lines: string[], host = '203.0.113.7'): Promise<void> {
  const envelope = { mailFrom: from, rcptTo: ['orders@club.example'], remoteAddress: host };
  const raw = letter(from, 'orders@club.example', lines, { Subject: 'hello' });
  await acceptMail(one.service, Buffer.from(raw), one.clock.now, { door: 'smtp', envelope });
  await one.settle();
}

/** Everything a command could change, but the mails themselves, counts and codes. */
async function everything(): Promise<string> {
  const rows: unknown[] = [];
  for (const table of ['seat', 'waiting', 'role_token', 'tenure', 'game', 'absence', 'proposal', 'vote', 'press'])
    rows.push((await sql`select * from ${sql.table(table)} order by 1, 2`.execute(tables(database.db))).rows);
  for (const table of ['person', 'address', 'receipt', 'phase', 'ruling', 'desk_session'])
    rows.push((await sql`select * from ${sql.table(table)} order by 1, 2`.execute(tables(database.db))).rows);
  return JSON.stringify(rows);
}

/** One of each command, as a forger would write it who knows the game's number. */
const LINES: Record<string, (game: string) => string> = {
  HELP: () => 'HELP',
  GAMES: () => 'GAMES',
  RULES: (game) => `RULES ${game}`,
  SIGNUP: () => 'SIGNUP Somebody Else',
  CONFIRM: () => 'CONFIRM ABCD-EFGH-JKMN',
  JOIN: (game) => `JOIN ${game} red`,
  WORDS: (game) => `WORDS ${game} open sesame`,
  LEAVE: (game) => `LEAVE ${game}`,
  OBSERVE: (game) => `OBSERVE ${game}`,
  MONITOR: (game) => `MONITOR ${game}`,
  SIGNOFF: (game) => `SIGNOFF ${game}`,
  TAKEOVER: (game) => `TAKEOVER red@${game}`,
  MYDATA: () => 'MYDATA',
  FORGET: () => 'FORGET ME',
  DESK: () => 'DESK',
  SIGNON: (game) => `SIGNON red@${game} secret`,
  STATUS: (game) => `STATUS ${game}`,
  REPORT: () => 'REPORT',
  MAP: () => 'MAP 1 PNG',
  FORM: () => 'FORM FULL',
  ORDERS: () => 'ORDERS',
  HISTORY: () => 'HISTORY',
  DICE: () => 'DICE',
  PRESS: () => 'PRESS TO ALL',
  VACATION: () => 'VACATION 2026-12-24 TO 2026-12-26',
  EXTEND: () => 'EXTEND 2',
  PROPOSE: () => 'PROPOSE CONCEDE',
  VOTE: () => 'VOTE YES',
  SUBSTITUTE: () => 'SUBSTITUTE victim@elsewhere.example UNTIL 2026-12-24',
  RESIGN: () => 'RESIGN',
  SET: () => 'SET ADDRESS victim@elsewhere.example',
  FINAL: () => 'FINAL',
  WAIT: () => 'WAIT',
  CHECK: () => 'CHECK',
  ADD: () => 'ADD',
  CLEAR: () => 'CLEAR',
  ACCEPT: () => 'ACCEPT 1',
  ANSWER: () => 'ANSWER 1: 1',
  CREATE: () => 'CREATE tiny/race SEAT red victim@elsewhere.example',
  START: (game) => `START ${game}`,
  PAUSE: (game) => `PAUSE ${game}`,
  RESUME: (game) => `RESUME ${game}`,
  CANCEL: (game) => `CANCEL ${game} so`,
  DEADLINE: (game) => `DEADLINE ${game} +3`,
  SCHEDULE: (game) => `SCHEDULE ${game} 5 days`,
  PREVIEW: (game) => `PREVIEW ${game} SURE`,
  PROCESS: (game) => `PROCESS! ${game}`,
  REWIND: (game) => `REWIND ${game} 1 so`,
  RERUN: (game) => `RERUN ${game} 1 PUBLISH so`,
  RULING: (game) => `RULING ${game} so be it`,
  ADJUST: (game) => `ADJUST ${game} table.turn = 4 BECAUSE so`,
  SEAT: (game) => `SEAT ${game} red victim@elsewhere.example`,
  DEPUTY: (game) => `DEPUTY ${game} victim@elsewhere.example`,
  DISMISS: (game) => `DISMISS ${game} red so`,
  ANNOUNCE: (game) => `ANNOUNCE ${game} hear hear`,
  LISTS: (game) => `LISTS ${game} games.lists.example`,
  LOG: (game) => `LOG ${game}`,
  MAIL: () => 'MAIL 1',
  EXPORT: (game) => `EXPORT ${game}`,
};

describe('a forged From', () => {
  test('every command of the table has its line here', () => {
    const named = Object.keys(LINES);
    expect(COMMAND_TABLE.map((row) => row.name).filter((name) => !named.includes(name))).toEqual([]);
  });

  test('no command of the table changes anything for it, whoever is named, and nobody else gets a mail', async () => {
    await gm.write(`SEAT ${ref} red x@y.example`);
    const olga = correspondent(one, `olga${counter}@players.example`);
    await olga.write('SIGNUP Olga');
    await olga.confirm();
    await olga.write(`OBSERVE ${ref}`);
    await olga.write(`JOIN ${ref}`);
    for (const [i, { name, role }] of COMMAND_TABLE.entries()) {
      const onlooker = name === 'LEAVE' || name === 'SIGNOFF';
      const author = onlooker ? olga : role === 'master' ? gm : red;
      const before = await everything();
      one.sent.splice(0);
      await forge(author.address, [`GAME ${ref}`, LINES[name]!(ref)], `198.51.100.${i}`);
      expect(await everything(), `${name} of ${author.address}`).toBe(before);
      expect(
        one.sent.filter(({ to }) => to !== author.address).map(({ to }) => to),
        `mails of ${name} to others`,
      ).toEqual([]);
    }
  }, 120_000);

  test('three mails full of REPORT and MAP bring a member a few mails, not sixty', async () => {
    one.sent.splice(0);
    const lines = [...Array(20).keys()].map((i) => (i % 2 ? `REPORT ${i}` : 'MAP 1 PNG'));
    for (let i = 0; i < 3; i++) await forge(red.address, [`GAME ${ref}`, ...lines, 'REPORT', 'MAP 1']);
    expect(one.sent.length).toBeLessThanOrEqual(6);
    expect(one.sent.reduce((sum, { raw }) => sum + raw.length, 0)).toBeLessThan(3_000_000);
    // What a forger used up is not taken from the member himself.
    one.sent.splice(0);
    await red.write([`GAME ${ref}`, 'REPORT']);
    expect(one.sent.filter(({ to }) => to === red.address).length).toBeGreaterThan(0);
    expect(flat(red.newest().text)).not.toContain('CONFIRM');
  });

  test('twenty mails of a forger leave the author his own answers and his own link', async () => {
    for (let i = 0; i < 25; i++) await forge(red.address, ['HELP', 'DESK'], `198.51.100.${i % 2}`);
    const got = one.sent.filter(({ to }) => to === red.address).length;
    expect(got).toBeLessThan(40);
    const [answer] = await red.write(['DESK']);
    expect(flat(answer!.text)).toContain('/signin/');
  });
});

describe('mails to an address that did not ask', () => {
  test('five mails full of SET ADDRESS make a few mails to a stranger, not a hundred', async () => {
    const victim = `victim${counter}@elsewhere.example`;
    for (let i = 0; i < 5; i++)
      await red.write([...Array(20).keys()].map((k) => `SET ADDRESS ${victim}${' '.repeat(k % 3)}`));
    for (let i = 0; i < 5; i++) await red.write(Array.from({ length: 20 }, () => `SET ADDRESS <${victim}>`));
    expect(one.sent.filter(({ to }) => to === victim).length).toBeLessThanOrEqual(3);
  });

  test('whoever it is, one address gets no more than eight in a day, and a member asks no more than fifteen', async () => {
    const victim = `victim${counter}@elsewhere.example`;
    for (let i = 0; i < 4; i++) {
      const member = correspondent(one, `m${i}.${counter}@players.example`);
      await member.write('SIGNUP M');
      await member.confirm();
      for (let k = 0; k < 4; k++) await member.write(`SET ADDRESS ${victim}`);
    }
    expect(one.sent.filter(({ to }) => to === victim)).toHaveLength(8);
    for (let i = 0; i < 20; i++) await blue.write(`SET ADDRESS n${i}.${counter}@elsewhere.example`);
    expect(one.sent.filter(({ to }) => to.endsWith('elsewhere.example') && to !== victim)).toHaveLength(15);
  });

  test('CREATE with forty invitations: one a seat, no words of the maker, and an end to it', async () => {
    const victim = `victim${counter}@elsewhere.example`;
    await red.write('SET NAME Visit evil.example now');
    const seats = Array.from({ length: 20 }, (_, i) => `SEAT ${i % 2 ? 'red' : 'blue'} ${victim}`).join(' ');
    for (let i = 0; i < 3; i++) await red.write(`CREATE tiny/race TITLE "Buy at evil.example" ${seats.slice(0, 200)}`);
    const got = one.sent.filter(({ to }) => to === victim);
    expect(got.length).toBeLessThanOrEqual(3);
    for (const { raw } of got) expect(raw.toString()).not.toContain('evil.example');
    const made = () => tables(database.db).selectFrom('game').select('id').execute();
    const before = (await made()).length;
    for (let i = 0; i < 3; i++)
      await blue.write(Array.from({ length: 20 }, (_, k) => `CREATE tiny/race size=${i}${k}`));
    for (let i = 0; i < 3; i++)
      await blue.write(Array.from({ length: 20 }, (_, k) => `CREATE tiny/race TITLE "t ${i}${k}"`));
    expect((await made()).length - before).toBeLessThanOrEqual(10);
  });
});

describe('the sign-in page', () => {
  test('thirty requests bring a member three links, and he may still ask by mail', async () => {
    const deeds = deedsOf(one.service);
    one.sent.splice(0);
    for (let i = 0; i < 30; i++) await deeds.mailSignIn(red.address, `198.51.100.${i}`);
    await one.settle();
    expect(one.sent.filter(({ to }) => to === red.address)).toHaveLength(3);
    await red.write('DESK');
    expect(red.newest().text).toContain('/signin/');
    one.clock.forward(31 * 60_000);
    // The limiter reads the clock of the machine: its half hour is over when that one says so.
    await tables(database.db).updateTable('budget').set({ expire: 1 }).execute();
    await deeds.mailSignIn(red.address, null);
    await one.settle();
    expect(one.sent.filter(({ to }) => to === red.address)).toHaveLength(5);
  });
});

describe('when the budgets can’t be asked', () => {
  test('what costs is refused with a clear word, and orders are taken', async () => {
    await sql`alter table budget rename to budget_away`.execute(tables(database.db));
    try {
      const [answer] = await red.write(`SET ADDRESS new${counter}@elsewhere.example`);
      expect(flat(answer!.text)).toContain('Orders are taken as ever');
      expect(one.sent.filter(({ to }) => to === `new${counter}@elsewhere.example`)).toEqual([]);
      const [receipt] = await red.answer(['TURN 1', 'RUN STEADY', 'END']);
      expect(flat(receipt!.text)).toContain('RUN STEADY');
      const [filed] = await tables(database.db).selectFrom('receipt').select('verdict').orderBy('id', 'desc').execute();
      expect(filed?.verdict).toBe('filed');
    } finally {
      await sql`alter table budget_away rename to budget`.execute(tables(database.db));
    }
  });
});
