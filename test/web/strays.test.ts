/** Mail that belongs to no game, and refused mail: the operator sees all of it, with its verdict in words and no secret. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { tables } from '../../src/store/db.ts';
import { blankText } from '../../src/store/trust/sealed.ts';
import { masked, verdictText } from '../../src/turn/commands/seenmail.ts';
import { deedsOf } from '../../src/turn/deeds.ts';
import { startWeb, type Web } from '../../src/web/server.ts';
import { type Reader, reader, signIn } from '../helpers/browser.ts';
import { type Correspondent, correspondent, DESK, flat, GM } from '../helpers/club.ts';
import { type TestDatabase, testDatabase } from '../helpers/db.ts';
import { BLUE, letter, RED, startRace, type TestService, testService } from '../helpers/service.ts';

let database: TestDatabase;
let one: TestService;
let web: Web;
let race: Awaited<ReturnType<typeof startRace>>;
let operator: Correspondent;
const pages: Record<string, Reader> = {};
const LOST = 'lost@elsewhere.example';
const CODE = 'ABCD-EFGH-2345';

/** Each mail as it came: its subject, what is said of it, and the mail itself. */
let sent: [string, RegExp, string][];

beforeAll(async () => {
  database = await testDatabase();
  one = testService(database.db);
  race = await startRace(one, { deadlineRule: null });
  await one.settle();
  operator = correspondent(one, GM);
  await operator.write('SIGNUP Mona');
  const fail = { 'Authentication-Results': `${one.service.profile.receivingHost}; dmarc=fail` };
  const red = race.address.red;
  const orders = ['TURN 1', 'RUN FAST', 'END'];
  sent = [
    ['a question', /neither orders nor a command/, letter(LOST, DESK, ['How do I join?'], { Subject: 'a question' })],
    ['to whom it may', /holds orders/, letter(LOST, DESK, orders, { Subject: 'to whom it may' })],
    ['forged', /may be forged/, letter(RED, red, orders, { Subject: 'forged', ...fail })],
    ['nobody', /no author/, letter('', red, orders, { Subject: 'nobody', From: '' })],
    ['two', /more than one author/, letter(`${RED}, ${BLUE}`, red, orders, { Subject: 'two' })],
    ['null', /no sender who could be answered/, letter(RED, red, orders, { Subject: 'null', 'Return-Path': '<>' })],
    ['absent', /robot/, letter(LOST, DESK, ['I am away.'], { Subject: 'absent', 'Auto-Submitted': 'auto-replied' })],
    ['another address', /none of the seat/, letter(LOST, red, orders, { Subject: 'another address' })],
    [
      'wrong token',
      /secret address is none of ours/,
      letter(LOST, 'orders+abcdefghijkmnpqrstuv@club.example', orders, { Subject: 'wrong token' }),
    ],
    ['help please', /commands were answered/, letter(LOST, DESK, ['HELP'], { Subject: 'help please' })],
    [
      `Confirm ${CODE}`,
      /commands were answered/,
      letter(LOST, DESK, [`CONFIRM ${CODE}`, red, 'http://x/signin/abc234def567'], { Subject: `Confirm ${CODE}` }),
    ],
  ];
  for (const [, , raw] of sent) await one.receive(raw);
  web = await startWeb(one.service, deedsOf(one.service), { host: '127.0.0.1', port: 0 });
  pages.operator = await signIn(web, one, operator);
  pages.red = await signIn(web, one, correspondent(one, RED));
  pages.stranger = reader(web);
});
afterAll(async () => {
  await web.close();
  await database.close();
});

/** A subject as it is stored, without codes, and shown, without tags. */
const listed = (subject: string): string => masked(one.service.profile, blankText(subject));

/** What nobody but its owner may know. */
function secrets(): string[] {
  const tag = (address: string): string => /\+([^@]+)@/.exec(address)![1]!;
  return [tag(race.address.red), tag(race.address.blue), CODE, 'abcdefghijkmnpqrstuv', 'abc234def567'];
}

describe('by mail', () => {
  test('LOG MAIL lists each with date, author, subject and verdict in words', async () => {
    const [answer] = await operator.write('LOG MAIL');
    const text = answer!.text;
    for (const [subject, says] of sent) {
      const at = text.indexOf(listed(subject));
      expect(at, subject).toBeGreaterThan(0);
      expect(flat(text.slice(at, at + 250))).toMatch(says);
    }
    expect(text).toMatch(/MAIL \d+ +Mon 2 Mar 2026, 12:00/);
    expect(text).toContain(LOST);
    for (const secret of secrets()) expect(text.toLowerCase()).not.toContain(secret.toLowerCase());
  });

  test('LOG MAIL n shows one, without its secrets, and the look is recorded', async () => {
    for (const [subject, says] of sent) {
      const row = await tables(database.db)
        .selectFrom('mail_in')
        .selectAll()
        .where('subject', '=', blankText(subject))
        .executeTakeFirstOrThrow();
      const [answer] = await operator.write(`LOG MAIL ${row.id}`);
      expect(flat(answer!.text)).toMatch(says);
      expect(answer!.text).toContain(`subject: ${masked(one.service.profile, subject)}`);
      for (const secret of secrets()) expect(answer!.text.toLowerCase()).not.toContain(secret.toLowerCase());
      const looks = await tables(database.db).selectFrom('action_log').selectAll().orderBy('id', 'desc').execute();
      const what = `read mail ${row.id}${row.game_id === null ? '' : ' as it came'}`;
      expect(looks[0]).toMatchObject({ what, game_id: row.game_id, public: row.game_id !== null });
    }
    expect(flat((await operator.write('LOG MAIL 99999'))[0]!.text)).toContain('There is no mail 99999');
  });

  test('a base64 body is read, and hides no secret', async () => {
    const body = Buffer.from(`Hello there\n${race.address.blue}\nconfirm ${CODE}\n`).toString('base64');
    const headers = { Subject: 'packed', 'Content-Transfer-Encoding': 'base64' };
    await one.receive(letter(LOST, DESK, [body], headers));
    const listed = (await operator.write('LOG MAIL'))[0]!.text;
    const id = /MAIL (\d+)[^\n]*\n *\S+ +packed/.exec(listed)![1]!;
    const { text } = (await operator.write(`LOG MAIL ${id}`))[0]!;
    expect(text).toContain('Hello there');
    expect(text).not.toContain(body.slice(0, 24));
    for (const secret of secrets()) expect(text.toLowerCase()).not.toContain(secret.toLowerCase());
  });

  test('nobody but the operator, and he only when it is proved that he writes', async () => {
    const red = await correspondent(one, RED).write('LOG MAIL');
    expect(flat(red[0]!.text)).toContain('for the operator');
    const unproved = await correspondent(one, GM, false).write('LOG MAIL');
    expect(flat(unproved[0]!.text)).not.toContain(LOST);
    expect(unproved[0]!.text).toMatch(/CONFIRM [A-Z0-9]{4}-/);
  });

  test('an operator who plays reads no words of mails to his own game', async () => {
    const own = testService(database.db, { env: { OPERATOR_EMAIL: BLUE } });
    own.clock.now = one.clock.now;
    const blue = correspondent(own, BLUE);
    const listed = flat((await blue.write('LOG MAIL'))[0]!.text);
    expect(listed).toContain('a question');
    expect(listed).not.toMatch(/example (?:another address|forged)/);
    const row = await tables(database.db)
      .selectFrom('mail_in')
      .select('id')
      .where('subject', '=', 'another address')
      .executeTakeFirstOrThrow();
    expect((await blue.write(`LOG MAIL ${row.id}`))[0]!.text).not.toContain('RUN FAST');
  });

  test('MAIL n of a game shows its master no secret either', async () => {
    await one.receive(letter(RED, race.address.red, ['TURN 1', 'RUN FAST', 'END']));
    const row = await tables(database.db)
      .selectFrom('mail_in')
      .selectAll()
      .where('verdict', '=', 'filed')
      .executeTakeFirstOrThrow();
    const { text } = (await operator.write(`MAIL ${row.id}`))[0]!;
    expect(text).toContain('RUN FAST');
    for (const secret of secrets()) expect(text.toLowerCase()).not.toContain(secret.toLowerCase());
  });
});

describe('at the page', () => {
  test('the desk leads to the list, the list to one', async () => {
    expect((await pages.operator!.get('/desk')).text).toContain('href="/desk/post"');
    const list = await pages.operator!.get('/desk/post');
    for (const [subject, says] of sent) {
      const at = list.text.indexOf(`<td>${listed(subject)}</td>`);
      expect(at, subject).toBeGreaterThan(0);
      expect(flat(list.text.slice(at, at + 250).replace(/&#x27;|&#39;/g, "'"))).toMatch(says);
    }
    const link = /action="(\/desk\/post\/\d+)"/.exec(list.text)![1]!;
    const mail = await pages.operator!.post(link);
    expect(mail.status).toBe(200);
    expect(mail.text).toContain('<pre>');
    for (const page of [list, mail])
      for (const secret of secrets()) expect(page.text.toLowerCase()).not.toContain(secret.toLowerCase());
  });

  test('for others there is no such page', async () => {
    const list = await pages.operator!.get('/desk/post');
    const link = /action="(\/desk\/post\/\d+)"/.exec(list.text)![1]!;
    expect((await pages.red!.get('/desk/post')).status).toBe(404);
    expect((await pages.red!.post(link)).status).toBe(404);
    expect((await pages.stranger!.post(link)).status).toBe(401);
    expect((await pages.stranger!.get('/desk/post')).text).not.toContain(LOST);
    expect((await pages.operator!.post('/desk/post/99999')).status).toBe(404);
  });
});

test('every verdict has words', () => {
  const verdicts = [
    ...['filed', 'cleared', 'refused', 'checked', 'quoted', 'parked', 'answered', 'commands', 'copy', 'bounce'],
    ...['bounce delayed', 'autoreply', 'mdn', 'loop', 'no sender'],
    ...['no-from', 'multiple-from', 'bad-from', 'spoof', 'bomb', 'calendar'].map((reason) => `reject ${reason}`),
  ];
  const unknown = verdictText(one.service, { verdict: 'something new', detail: null });
  const said = verdicts.map((verdict) => verdictText(one.service, { verdict, detail: null }));
  expect(new Set([...said, unknown]).size).toBe(verdicts.length + 1);
  const whys = ['several tokens', 'wrong token', 'orders', 'empty', 'too-large', 'encrypted', 'opaque-smime', 'tnef'];
  for (const why of [...whys, 'attachment-type', 'ambiguous'])
    expect(verdictText(one.service, { verdict: 'refused', detail: { why } })).toMatch(/^refused: .+: .+/);
});

test.each([
  ['orders+k7f2abcdefghijkmnpqr@club.example', 'orders+***@club.example'],
  ['ORDERS+K7F2ABCDEFGHIJKMNPQR@CLUB.EXAMPLE', 'ORDERS+***@CLUB.EXAMPLE'],
  ['bounces+0123456789abcdef01234567@club.example', 'bounces+***@club.example'],
  ['anna+games@players.example', 'anna+games@players.example'],
  ['CONFIRM abcd-efgh-2345 PRIVATE', 'CONFIRM *** PRIVATE'],
  ['my token is k7f2abcdefghijkmnpqr.', 'my token is ***.'],
  ['https://club.example/signin/ABCD-EFGH-2345?x', 'https://club.example/signin/***'],
  ['MOVE DE21 -> 2914 2913', 'MOVE DE21 -> 2914 2913'],
  ['14-15 Mar 2026, 20:00', '14-15 Mar 2026, 20:00'],
])('what is masked: %s', (text, shown) => {
  expect(masked(one.service.profile, text)).toBe(shown);
});
