import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { tables } from '../../../src/store/db.ts';
import { gameById, phaseById } from '../../../src/store/games.ts';
import { inForce, standingOf } from '../../../src/store/orders.ts';
import { json } from '../../../src/store/schema.ts';
import { glanceAt } from '../../../src/turn/intake/accept.ts';
import { type TestDatabase, testDatabase } from '../../helpers/db.ts';
import {
  BLUE,
  headerOf,
  letter,
  RED,
  startRace,
  type TestService,
  testService,
  textOf,
} from '../../helpers/service.ts';

let database: TestDatabase;
let one: TestService;
let race: Awaited<ReturnType<typeof startRace>>;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  one = testService(database.db);
  race = await startRace(one);
  await one.settle();
  one.sent.length = 0;
});

/** The one mail that left since the last look, as text. */
function answer(to = RED): string {
  expect(one.problems).toEqual([]);
  expect(one.sent.map((mail) => mail.to)).toEqual([to]);
  return textOf(one.sent.splice(0)[0]!.raw).replace(/\s+/g, ' ');
}

async function phase() {
  const game = await gameById(database.db, race.gameId);
  return phaseById(database.db, game.phase_id!);
}

async function onFile(side = 'red') {
  return inForce(database.db, (await phase()).id, side);
}

async function verdictOf(messageId: string) {
  const row = await tables(database.db)
    .selectFrom('mail_in')
    .selectAll()
    .where('message_id', '=', messageId)
    .orderBy('id', 'desc')
    .executeTakeFirst();
  return row?.verdict;
}

const red = (lines: string[], headers: Record<string, string> = {}): Promise<void> =>
  one.receive(letter(RED, race.address.red, lines, headers));

describe('a turn by mail', () => {
  test('the start mails each side a report with the heads of the dice chains, a map and a form', async () => {
    const fresh = testService(database.db);
    const other = await startRace(fresh);
    await fresh.settle();
    expect(fresh.sent.map((mail) => mail.to).sort()).toEqual([BLUE, RED]);
    for (const mail of fresh.sent) {
      const whole = mail.raw.toString();
      expect(textOf(mail.raw)).toContain(other.ref);
      expect(textOf(mail.raw)).toMatch(/Open dice:\s[0-9a-f]{64}/);
      expect(whole).toContain('orders.txt');
      expect(whole).toContain('application/pdf');
      // The picture of the map is shown within the mail.
      expect(whole).toContain('cid:map@fieldpost');
      expect(whole).toMatch(/Content-Type: image\/png[\s\S]{1,200}Content-Disposition: inline/);
      expect(whole).toContain('Content-ID: <map@fieldpost>');
      expect(headerOf(mail.raw, 'Reply-To')).toContain(mail.to === RED ? other.address.red : other.address.blue);
      expect(headerOf(mail.raw, 'From')).not.toContain(other.address.red);
      expect(headerOf(mail.raw, 'X-Fieldpost-Loop')).toBe('club.example');
    }
  });

  test('orders get a receipt; when both sides are final the phase runs and both get the next report', async () => {
    await red([`GAME ${race.ref}`, 'TURN 1', 'RUN FAST', 'FINAL', 'END']);
    expect(answer()).toMatch(/Receipt 1\. .*ok RUN FAST .*FINAL/);
    await one.receive(letter(BLUE, race.address.blue, ['TURN 1', 'RUN STEADY', 'FINAL', 'END']));
    expect(one.problems).toEqual([]);
    expect(one.sent.map((mail) => mail.to).sort()).toEqual([BLUE, BLUE, RED]);
    const phases = await tables(database.db)
      .selectFrom('phase')
      .selectAll()
      .where('game_id', '=', race.gameId)
      .orderBy('n')
      .execute();
    expect(phases.map((row) => [row.n, row.status])).toEqual([
      [1, 'done'],
      [2, 'open'],
    ]);
    expect(phases[1]!.previous_hash).toBe(phases[0]!.hash);
    expect(phases[0]!.open_key).toMatch(/^[0-9a-f]{64}$/);
    const report = one.sent.map((mail) => textOf(mail.raw)).find((text) => text.includes('turn 2'))!;
    expect(report).toContain(phases[0]!.open_key);
  });

  test('the receipt answers in the thread and to the registered address only', async () => {
    await red(['TURN 1', 'RUN FAST', 'END'], {
      'Reply-To': 'elsewhere@example.net',
      'Message-ID': '<thread-1@players.example>',
    });
    const mail = one.sent[0]!;
    expect(mail.to).toBe(RED);
    expect(headerOf(mail.raw, 'In-Reply-To')).toBe('<thread-1@players.example>');
    expect(headerOf(mail.raw, 'Auto-Submitted')).toBe('auto-replied');
    expect(mail.from).toMatch(/^bounces\+[0-9a-f]{24}@club\.example$/);
  });
});

describe('the right answer or the right silence, and the game unchanged', () => {
  let before: string;
  beforeEach(async () => {
    before = (await phase()).hash;
  });
  const unchanged = async (): Promise<void> => {
    expect((await phase()).hash).toBe(before);
  };

  test('the same mail twice is read once, whatever the way it came', async () => {
    const mail = letter(RED, race.address.red, ['TURN 1', 'RUN FAST', 'END']);
    await one.receive(mail);
    await one.receive(mail);
    await one.receive(`Received: from elsewhere\r\n${mail}`);
    await one.receive(mail.replaceAll('\r\n', '\n'));
    expect(answer()).toContain('Receipt 1');
    await unchanged();
  });

  test('the same words in another transfer form are a copy too; other words under the same id are a new mail', async () => {
    const id = { 'Message-ID': '<same@players.example>' };
    await red(['TURN 1', 'RUN FAST', 'END'], id);
    answer();
    await red(['VFVSTiAxDQpSVU4gRkFTVA0KRU5EDQo='], { ...id, 'Content-Transfer-Encoding': 'base64' });
    expect(answer()).toContain('It was read once; the second copy changes nothing');
    expect(await verdictOf('<same@players.example>')).toBe('copy');
    await red(['TURN 1', 'RUN STEADY', 'END'], id);
    expect(answer()).toContain('It replaces receipt 1');
  });

  test('a mail for a past turn', async () => {
    await red([`GAME ${race.ref}`, 'TURN 7', 'RUN FAST', 'END']);
    expect(answer()).toContain('the mail is for turn 7, but turn 1 is open now');
    expect(await onFile()).toBeUndefined();
    await unchanged();
  });

  test('a token and a GAME line, or a subject, that disagree', async () => {
    await red(['GAME TNY-9999', 'TURN 1', 'RUN FAST', 'END']);
    expect(answer()).toContain('names the game TNY-9999');
    await red(['TURN 1', 'RUN FAST', 'END'], { Subject: 'Re: TNY-9998 orders' });
    expect(answer()).toContain('names the game TNY-9998');
    await red(['TURN 1', 'SIDE BLUE', 'RUN FAST', 'END']);
    expect(answer()).toContain('names the side blue');
    expect(await onFile()).toBeUndefined();
    await unchanged();
  });

  test('strangers read the same words for a wrong token, an unknown game and a finished game, once a day', async () => {
    await tables(database.db).updateTable('game').set({ status: 'over' }).where('id', '=', race.gameId).execute();
    const wrong = `orders+${'a'.repeat(20)}@club.example`;
    const tries: [string, string, string[]][] = [
      ['a@example.net', wrong, ['TURN 1', 'RUN FAST', 'END']],
      ['b@example.net', 'orders@club.example', ['GAME TNY-9999', 'TURN 1', 'RUN FAST', 'END']],
      ['c@example.net', 'orders@club.example', [`GAME ${race.ref}`, 'TURN 1', 'RUN FAST', 'END']],
    ];
    const answers: string[] = [];
    for (const [from, to, lines] of tries) {
      await one.receive(letter(from, to, lines));
      answers.push(answer(from));
      await one.receive(letter(from, to, lines));
      expect(one.sent).toEqual([]);
    }
    expect(new Set(answers).size).toBe(1);
    expect(answers[0]).not.toMatch(/token|finished|RUN|TNY/);
    one.clock.forward(86_400_000);
    await one.receive(letter('a@example.net', wrong, ['TURN 1', 'RUN FAST', 'END']));
    answer('a@example.net');
  });

  test('the right token from another address is parked: the owner is asked and may accept, nobody else learns', async () => {
    await one.receive(letter('thief@example.net', race.address.red, ['TURN 1', 'RUN FAST', 'END']));
    // What a wrong token gets, too: the thief can't tell the two apart.
    const [refusal] = one.sent.filter((mail) => mail.to === 'thief@example.net').map((mail) => textOf(mail.raw));
    expect(refusal!.replace(/\s+/g, ' ')).toContain('could not be matched');
    one.sent.splice(0, one.sent.length, ...one.sent.filter((mail) => mail.to !== 'thief@example.net'));
    const asked = answer(RED);
    expect(asked).toContain('A mail from thief@example.net');
    expect(asked).toContain('ACCEPT 1');
    expect(await onFile()).toBeUndefined();
    await red(['ACCEPT 1']);
    expect(answer()).toContain('ok RUN FAST');
    expect((await onFile())?.lines).toEqual(['RUN FAST']);
    await red(['ACCEPT 1', 'TURN 1', 'RUN STEADY', 'END']);
    expect(answer()).toContain('ACCEPT 1 was not obeyed, since the mail has orders of its own');
    expect((await onFile())?.lines).toEqual(['RUN STEADY']);
    await red(['ACCEPT 1']);
    answer();
    await red(['ACCEPT 17']);
    expect(answer()).toContain('there is no receipt 17');
    await unchanged();
  });

  test('without a token only a proved address with one seat in the game named may speak', async () => {
    const results = 'club.example; dmarc=pass header.from=players.example';
    await one.receive(letter(RED, 'orders@club.example', [`GAME ${race.ref}`, 'TURN 1', 'RUN FAST', 'END']));
    expect(answer()).toContain('could not be matched');
    await one.receive(
      letter(RED, 'orders@club.example', [`GAME ${race.ref}`, 'TURN 1', 'RUN FAST', 'END'], {
        'Authentication-Results': results,
      }),
    );
    expect(answer()).toContain('ok RUN FAST');
    await one.receive(
      letter(RED, 'orders@club.example', [`GAME ${race.ref}`, 'TURN 1', 'RUN STEADY', 'END'], {
        'Authentication-Results': results.replace('pass', 'fail'),
      }),
    );
    expect(one.sent).toEqual([]);
    expect((await onFile())?.lines).toEqual(['RUN FAST']);
  });

  test('unknown words are listed line by line, and a mail without one good line replaces nothing', async () => {
    await red(['TURN 1', 'RUN FAST', 'END']);
    answer();
    await red(['TURN 1', 'RUN SIDEWAYS', 'DANCE 3', 'END']);
    const text = answer();
    expect(text).toContain('ERROR RUN SIDEWAYS');
    expect(text).toContain('ERROR DANCE 3');
    expect((await onFile())?.number).toBe(1);
    await red(['TURN 1', 'RUN SIDEWAYS', 'RUN STEADY', 'END']);
    expect(answer()).toMatch(/ERROR RUN SIDEWAYS .*ok RUN STEADY/);
    expect((await onFile())?.lines).toEqual(['RUN STEADY']);
    await unchanged();
  });

  test.each([
    ['two authors', { From: `${RED}, ${BLUE}` }, 'names more than one author'],
    ['a spoofed sender', { 'Authentication-Results': 'club.example; dmarc=fail' }, 'did not pass the check'],
    ['nobody', { From: 'Anna' }, 'From line'],
    ['the null sender', { 'Return-Path': '<>' }, 'came without a sender who could be answered'],
  ])('a mail from %s files nothing and is told to the seat’s own address', async (_name, headers, told) => {
    await red(['TURN 1', 'RUN FAST', 'END'], headers);
    expect(one.sent.map((mail) => mail.to)).toEqual([RED]);
    expect(answer()).toContain(told);
    expect(await onFile()).toBeUndefined();
    await unchanged();
  });

  test('the null sender is told of once a day, and is never answered itself', async () => {
    await red(['TURN 1', 'RUN FAST', 'END'], { 'Return-Path': '<>' });
    answer();
    await red(['TURN 1', 'RUN STEADY', 'END'], { 'Return-Path': '<>' });
    await red(['HELP'], { 'Return-Path': '<>' });
    expect(one.sent).toEqual([]);
  });

  test('what is no order is named, and what looks like one holds FINAL back', async () => {
    await red(['Hi Ben,', 'TURN 1', 'RUN FAST', 'FINAL', '', 'Cheers', 'Anna']);
    const named = answer();
    expect(named).toContain('not read: "Hi Ben," and 2 more lines');
    expect(named).toContain('Your orders are FINAL');
    await red(['TURN 1', 'RUN FAST', 'FINAL', 'END', 'PS:', 'RUN JUMP']);
    const held = answer();
    expect(held).toMatch(/ERROR RUN JUMP .*stands outside of the order block/);
    expect(held).toContain('FINAL is not counted yet');
    await red(['STATUS', 'WHO IS LATE']);
    expect(answer()).toContain('not read: "WHO IS LATE"');
  });

  test('a report pasted back below a thank-you keeps what stands, and an unchanged form is no question', async () => {
    await red(['TURN 1', 'RUN FAST', 'END']);
    answer();
    const form = ['ORDER FORM', 'Edit these lines and send them as a new mail or as your answer', 'TURN 1'];
    await red(['Danke!', '', ...form, 'RUN STEADY', 'FINAL', 'END']);
    expect(answer()).toContain('Nothing was filed');
    await red(['Danke!', '', ...form, 'RUN JUMP', 'FINAL', 'END']);
    expect(answer()).toContain('ACCEPT 3');
    expect((await onFile())?.lines).toEqual(['RUN FAST']);
    await red(['ACCEPT 3']);
    expect(answer()).toContain('Your orders are FINAL');
    expect((await onFile())?.lines).toEqual(['RUN JUMP']);
  });

  test('typed numbers that don’t run 1, 2, 3 are asked about', async () => {
    await red(['TURN 1', '1. RUN FAST', '3. RUN STEADY', 'END']);
    expect(answer()).toContain('do not run 1, 2, 3');
    expect(await onFile()).toBeUndefined();
  });

  test('HTML-only orders are read', async () => {
    const html = ['<html><body><div>TURN 1</div><div>RUN <b>FAST</b></div><div>END</div></body></html>'];
    await red(html, { 'Content-Type': 'text/html; charset=utf-8' });
    expect(answer()).toContain('ok RUN FAST');
    expect((await onFile())?.lines).toEqual(['RUN FAST']);
  });

  test.each([
    ['an auto-reply', { 'Auto-Submitted': 'auto-replied' }],
    ['our own marker', { 'X-Fieldpost-Loop': 'club.example' }],
    ['a mail from ourselves', { From: 'orders@club.example' }],
    ['a rule of Exchange', { 'X-MS-Exchange-Inbox-Rules-Loop': 'red@players.example' }],
  ])('%s is recorded and never answered', async (_name, headers) => {
    await red(['TURN 1', 'RUN FAST', 'END'], { 'Message-ID': `<silent-${race.ref}@x.example>`, ...headers });
    expect(one.sent).toEqual([]);
    expect(await onFile()).toBeUndefined();
    const verdict = await verdictOf(`<silent-${race.ref}@x.example>`);
    expect(verdict).toMatch(/autoreply|loop|reject/);
    await unchanged();
  });

  test.each([
    ['a report of complaints', { 'Content-Type': 'multipart/report; report-type=feedback-report; boundary=b' }],
    ['an absence behind Precedence: bulk', { Precedence: 'bulk', Subject: 'Out of office: your report' }],
    ['an absence behind Precedence: list', { Precedence: 'list', Subject: 'Automatische Antwort' }],
    ['prose from the null sender', { 'Return-Path': '<>' }],
    ['a command from the null sender', { 'Return-Path': '<>', Subject: 'STATUS' }],
  ])('%s is never answered, to nobody', async (_name, headers) => {
    await red(['I am away until Monday.'], headers);
    await one.receive(letter('stranger@elsewhere.example', 'orders@club.example', ['I am away.'], headers));
    expect(one.sent).toEqual([]);
    await unchanged();
  });

  test('a quoted, edited form files nothing, and one word files it', async () => {
    await red(['> TURN 1', '> RUN FAST', '> FINAL', '> END', '']);
    const text = answer();
    expect(text).toContain('You edited the order form inside the quoted text');
    expect(text).toContain('RUN FAST');
    expect(text).not.toContain('Your orders are FINAL');
    expect(text.replace(/\s+/g, ' ')).toContain('FINAL stands among these lines: once you accept them');
    expect(await onFile()).toBeUndefined();
    await red(['ACCEPT 1']);
    answer();
    expect((await onFile())?.lines).toEqual(['RUN FAST']);
  });

  test('an empty mail gets a helpful answer', async () => {
    await red(['Hello, how are you?']);
    expect(answer()).toContain('holds no order line of yours');
    await unchanged();
  });

  test('a mail that was sent to others too changes the token', async () => {
    await red(['TURN 1', 'RUN FAST', 'END'], { Cc: BLUE });
    const mail = one.sent.splice(0)[0]!;
    expect(textOf(mail.raw).replace(/\s+/g, ' ')).toContain('Your secret order address was visible to others');
    expect(headerOf(mail.raw, 'Reply-To')).not.toContain(race.address.red);
    await red(['TURN 1', 'RUN STEADY', 'END'], { 'Message-ID': '<old-token@players.example>' });
    expect(await verdictOf('<old-token@players.example>')).toBe('refused');
    expect((await onFile())?.lines).toEqual(['RUN FAST']);
  });
});

describe('what stands', () => {
  test('a later mail replaces, tells what no longer stands, and takes FINAL back', async () => {
    await red(['TURN 1', 'RUN FAST', 'FINAL', 'END']);
    answer();
    await red(['TURN 1', 'RUN STEADY', 'END']);
    const text = answer();
    expect(text).toContain('It replaces receipt 1');
    expect(text).toMatch(/NO LONGER ON FILE .*RUN FAST/);
    expect(text).toContain('are not final');
  });

  test('ADD keeps what it does not name, and replaces what it names', async () => {
    await red(['TURN 1', 'RUN FAST', 'END']);
    answer();
    await red(['ADD', 'TURN 1', 'RUN STEADY', 'END']);
    answer();
    expect((await onFile())?.lines).toEqual(['RUN FAST', 'RUN STEADY']);
    await red(['ADD', 'TURN 1', 'RUN FAST', 'END']);
    answer();
    expect((await onFile())?.lines).toEqual(['RUN STEADY', 'RUN FAST']);
  });

  test('CLEAR takes all back; CHECK files nothing', async () => {
    await red(['TURN 1', 'RUN FAST', 'FINAL', 'END']);
    answer();
    await red(['CHECK', 'TURN 1', 'RUN STEADY', 'END']);
    expect(answer()).toContain('Nothing was filed');
    expect((await onFile())?.lines).toEqual(['RUN FAST']);
    await red(['CLEAR']);
    expect(answer()).toMatch(/taken back.*NO LONGER ON FILE .*RUN FAST/);
    expect(await onFile()).toMatchObject({ verdict: 'cleared', lines: [], final: false });
  });

  test('CHECK foretells the lines of its own mail, not those on file', async () => {
    await tables(database.db)
      .updateTable('seat')
      .set({ settings: json({ map: true }) })
      .where('game_id', '=', race.gameId)
      .execute();
    await red(['CHECK', 'TURN 1', 'RUN STEADY', 'END']);
    expect(one.sent[0]!.raw.toString('latin1')).toContain('orders-1.pdf');
    expect(await onFile()).toBeUndefined();
  });

  test('FINAL does not count while a line of the mail is in error, so that a slip can be mended', async () => {
    await one.receive(letter(BLUE, race.address.blue, ['TURN 1', 'RUN FAST', 'FINAL', 'END']));
    one.sent.length = 0;
    await red(['TURN 1', 'RUN FAST', 'RUM STEADY', 'FINAL', 'END']);
    expect(answer().replace(/\s+/g, ' ')).toContain('FINAL is not counted yet, because 1 line was not accepted');
    expect((await phase()).n).toBe(1);
    await red(['FINAL']);
    expect((await phase()).n).toBe(2);
  });

  test('FINAL and WAIT by themselves leave the orders as they are', async () => {
    await red(['TURN 1', 'RUN FAST', 'END']);
    answer();
    await red(['Thanks!'], { Subject: 'FINAL' });
    answer();
    expect(await onFile()).toMatchObject({ lines: ['RUN FAST'], final: true, wait: false });
    await red(['WAIT']);
    answer();
    expect(await onFile()).toMatchObject({ lines: ['RUN FAST'], final: true, wait: true });
    await one.receive(letter(BLUE, race.address.blue, ['TURN 1', 'RUN FAST', 'FINAL', 'END']));
    expect((await phase()).n).toBe(1);
    one.sent.length = 0;
    await red(['FINAL']);
    expect((await phase()).n).toBe(2);
  });

  test('doctrine is kept one by one until it is replaced, and alone it is no order', async () => {
    await red(['TURN 1', 'DOCTRINE RUN STEADY', 'DOCTRINE CAPTURE ASK', 'END']);
    expect(answer()).toContain('Doctrine kept until you change it');
    await red(['TURN 1', 'DOCTRINE CAPTURE YES', 'END']);
    answer();
    const standing = await standingOf(database.db, race.gameId, 'red');
    expect(standing.map((row) => row.text).sort()).toEqual(['DOCTRINE CAPTURE YES', 'DOCTRINE RUN STEADY']);
    expect(await onFile()).toBeUndefined();
  });

  test('a mail read late does not undo one that came after it', async () => {
    await red(['TURN 1', 'RUN FAST', 'END'], { 'Message-ID': '<late@players.example>' });
    answer();
    await red(['TURN 1', 'RUN STEADY', 'END']);
    answer();
    const late = await tables(database.db)
      .selectFrom('mail_in')
      .select('id')
      .where('message_id', '=', '<late@players.example>')
      .executeTakeFirstOrThrow();
    await tables(database.db)
      .updateTable('mail_in')
      .set({ state: 'new', content_digest: null })
      .where('id', '=', late.id)
      .execute();
    const { processMail } = await import('../../../src/turn/intake/intake.ts');
    await processMail(one.service, late.id);
    await one.settle();
    expect(answer()).toContain('a mail that came after this one');
    expect((await onFile())?.lines).toEqual(['RUN STEADY']);
  });
});

test('the body digest is that of the same mail in every form a server may give it', () => {
  const mail = letter(RED, race.address.red, ['TURN 1', 'END']);
  const { profile } = one.service;
  const forms = [mail, mail.replaceAll('\r\n', '\n'), `Delivered-To: x@y.example\r\n${mail}`, `${mail}\r\n\r\n`];
  const seen = forms.map((form) => glanceAt(Buffer.from(form), profile, []));
  expect(new Set(seen.map((glance) => glance.bodyDigest)).size).toBe(1);
  expect(new Set(seen.map((glance) => glance.messageId)).size).toBe(1);
  expect(seen[0]!.lane).toMatch(/^seat:[0-9a-f]{64}$/);
  expect(glanceAt(Buffer.from('no header at all'), profile, [])).toMatchObject({
    messageId: null,
    lane: 'from:nobody',
  });
});
