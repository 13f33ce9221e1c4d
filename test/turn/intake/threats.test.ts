/**
 * The threat table of the post office: each row that is met behind the doors (seats, answers, games, the store, what we
 * send), attacked. Rows met in the reading of a mail and at the doors themselves are attacked in test/mail/sender/threats.test.ts.
 */

import { execFileSync } from 'node:child_process';
import express from 'express';
import { sql } from 'kysely';
import { simpleParser } from 'mailparser';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { viewFor } from '../../../src/kernel/view.ts';
import { openPages } from '../../../src/render/letters/webpages.ts';
import { renderPdf } from '../../../src/render/sheet/pdf.ts';
import { renderSvg } from '../../../src/render/sheet/svg.ts';
import { saidScene } from '../../../src/render/words.ts';
import { inTransaction, tables } from '../../../src/store/db.ts';
import { gameById, phaseById } from '../../../src/store/games.ts';
import { inForce } from '../../../src/store/orders.ts';
import { addressesOf } from '../../../src/store/people.ts';
import { thisProcess } from '../../../src/store/processes.ts';
import { DEMO_ADDRESSES } from '../../../src/turn/democlub.ts';
import { acceptMail } from '../../../src/turn/intake/accept.ts';
import { processMail } from '../../../src/turn/intake/intake.ts';
import { queueMail } from '../../../src/turn/post/outbox.ts';
import { startWorker } from '../../../src/turn/work/worker.ts';
import { demoPages } from '../../../src/web/mailboxes.ts';
import { type TestDatabase, testDatabase } from '../../helpers/db.ts';
import {
  BLUE,
  DAY_MS,
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
  race = await startRace(one, { deadlineRule: null });
  await tables(database.db).deleteFrom('job').execute();
  await tables(database.db).deleteFrom('reply_count').execute();
});

const FAST = ['TURN 1', 'RUN FAST', 'END'];
const STEADY = ['TURN 1', 'RUN STEADY', 'END'];
const PROVED = { 'Authentication-Results': 'club.example; dmarc=pass header.from=players.example' };
const FAILED = { 'Authentication-Results': 'club.example; dmarc=fail header.from=players.example' };

const write = (from: string, to: string, lines: string[], headers: Record<string, string> = {}): Promise<void> =>
  one.receive(letter(from, to, lines, headers));
const red = (lines: string[], headers: Record<string, string> = {}): Promise<void> =>
  write(RED, race.address.red, lines, headers);

const flat = (raw: Buffer): string => textOf(raw).replace(/\s+/g, ' ');
/** Who got what since the last look. */
const taken = (): { to: string; text: string; raw: Buffer }[] =>
  one.sent.splice(0).map(({ to, raw }) => ({ to, raw, text: flat(raw) }));

async function onFile(side: 'red' | 'blue' = 'red') {
  const game = await gameById(database.db, race.gameId);
  return (await inForce(database.db, game.phase_id!, side))?.lines;
}

const seatOf = (side: 'red' | 'blue') =>
  tables(database.db)
    .selectFrom('seat')
    .selectAll()
    .where('game_id', '=', race.gameId)
    .where('side', '=', side)
    .executeTakeFirstOrThrow();

async function newest() {
  return tables(database.db).selectFrom('mail_in').selectAll().orderBy('id', 'desc').limit(1).executeTakeFirstOrThrow();
}

describe('spoofed player: token plus address decide', () => {
  test('the token alone, from the opponent, files nothing', async () => {
    await write(BLUE, race.address.red, FAST);
    expect((await newest()).verdict).toBe('parked');
    expect(await onFile()).toBeUndefined();
    expect(await onFile('blue')).toBeUndefined();
  });

  test('the address alone files nothing, even with the right game and side', async () => {
    await write(RED, 'orders@club.example', [`GAME ${race.ref}`, 'SIDE RED', ...FAST]);
    expect((await newest()).verdict).toBe('refused');
    expect(await onFile()).toBeUndefined();
  });

  test('token and address with a failed DMARC check: nothing, and the seat’s own address is told', async () => {
    await red(FAST, FAILED);
    expect((await newest()).verdict).toBe('reject spoof');
    expect(await onFile()).toBeUndefined();
    expect(taken().map((mail) => mail.to)).toEqual([RED]);
  });

  test('a display name, a Sender or a Reply-To of the player is not his address', async () => {
    await write(`"${RED}" <eve@example.net>`, race.address.red, FAST, { Sender: RED, 'Reply-To': RED });
    expect((await newest()).verdict).toBe('parked');
    expect(await onFile()).toBeUndefined();
  });

  test('receipts go to the registered address only, never to Reply-To or whoever else is named', async () => {
    await red(FAST, { 'Reply-To': 'eve@example.net', 'Return-Path': '<eve@example.net>', Sender: 'eve@example.net' });
    await red(['STATUS'], { 'Reply-To': 'eve@example.net' });
    expect(taken().map((mail) => mail.to)).toEqual([RED, RED]);
  });

  test('several addresses of a player: each may write, answers go to the first, or to one that works', async () => {
    const { person_id } = await seatOf('red');
    const second = `rosa-${race.ref.toLowerCase()}@work.example`;
    await tables(database.db)
      .insertInto('address')
      .values({
        address: second,
        person_id: person_id!,
        place: 9,
        confirmed_at: one.clock.now,
        failed_at: null,
        created_at: one.clock.now,
      })
      .execute();
    expect(await addressesOf(database.db, person_id!)).toContain(second);
    await write(second.toUpperCase(), race.address.red, FAST);
    expect(await onFile()).toEqual(['RUN FAST']);
    expect(taken().map((mail) => mail.to)).toEqual([RED]);
    await tables(database.db)
      .updateTable('address')
      .set({ failed_at: one.clock.now })
      .where('address', '=', RED)
      .execute();
    await write(second, race.address.red, STEADY);
    expect(taken().map((mail) => mail.to)).toEqual([second]);
    await tables(database.db).updateTable('address').set({ failed_at: null }).where('address', '=', RED).execute();
    await tables(database.db).deleteFrom('address').where('address', '=', second).execute();
  });

  test('an owner is told of three parked mails a day, not of three hundred', async () => {
    for (let i = 0; i < 8; i++) await write(`thief${i}@example.net`, race.address.red, FAST);
    expect(taken().filter((mail) => mail.to === RED)).toHaveLength(3);
    expect(await onFile()).toBeUndefined();
  });
});

describe('loops, robots talking: a budget of answers per address', () => {
  test('a robot that answers our answers gets twenty a day, one notice, then silence', async () => {
    const robot = `robot-${race.ref.toLowerCase()}@example.net`;
    for (let i = 0; i < 25; i++) await write(robot, 'orders@club.example', [], { Subject: 'HELP' });
    const answers = taken();
    expect(answers.map((mail) => mail.to)).toEqual(Array.from({ length: 21 }, () => robot));
    expect(answers.filter((mail) => mail.text.includes('You have had 20 answers today'))).toHaveLength(1);
    one.clock.forward(DAY_MS);
    await write(robot, 'orders@club.example', [], { Subject: 'HELP' });
    expect(taken()).toHaveLength(1);
  });

  test('what we send says that a robot wrote it, and comes back to a tag of its own or to nobody', async () => {
    await red(FAST);
    await write('stranger@example.net', 'orders@club.example', FAST);
    const [receipt, refusal] = one.sent.splice(0);
    expect(receipt!.from).toMatch(/^bounces\+[0-9a-f]{24}@club\.example$/);
    expect(refusal!.from).toBe('');
    for (const { raw } of [receipt!, refusal!]) {
      expect(headerOf(raw, 'Auto-Submitted')).toBe('auto-replied');
      expect(headerOf(raw, 'X-Auto-Response-Suppress')).toBe('All');
      expect(headerOf(raw, 'Precedence')).toBeUndefined();
      await one.receive(raw);
      expect((await newest()).verdict).toBe('loop');
    }
    expect(taken()).toEqual([]);
  });

  test('a delayed delivery report pauses nothing; a permanent one silences the seat and the game master is told', async () => {
    await red(FAST);
    const { from } = one.sent.splice(0)[0]!;
    const dsn = (status: string, action: string): string =>
      letter(
        'MAILER-DAEMON@mx.example.net',
        from,
        [
          '--b',
          'Content-Type: text/plain',
          '',
          'Sorry.',
          '--b',
          'Content-Type: message/delivery-status',
          '',
          'Reporting-MTA: dns; mx',
          '',
          `Final-Recipient: rfc822; ${RED}`,
          `Action: ${action}`,
          `Status: ${status}`,
          '',
          '--b--',
        ],
        { 'Return-Path': '<>', 'Content-Type': 'multipart/report; report-type=delivery-status; boundary=b' },
      );
    await one.receive(dsn('4.4.1', 'delayed'));
    expect([(await newest()).verdict, (await seatOf('red')).mail_failed_at]).toEqual(['bounce delayed', null]);
    expect(taken()).toEqual([]);
    await one.receive(dsn('5.1.1', 'failed'));
    expect((await newest()).verdict).toBe('bounce');
    expect((await seatOf('red')).mail_failed_at).not.toBeNull();
    expect(taken().map((mail) => mail.to)).toEqual(['gm@club.example.org']);
    await red(STEADY);
    expect((await seatOf('red')).mail_failed_at).toBeNull();
    expect(taken().map((mail) => mail.to)).toEqual([RED]);
  });
});

describe('backscatter to a forged sender', () => {
  test('one refusal a day to an address whatever it writes and to whom; none when DMARC fails or a list is named', async () => {
    const victim = `victim-${race.ref.toLowerCase()}@example.net`;
    const wrong = `orders+${'b'.repeat(20)}@club.example`;
    for (const to of ['orders@club.example', wrong, race.address.red, race.address.blue])
      for (const lines of [FAST, ['Hello'], [`GAME ${race.ref}`, ...FAST]]) await write(victim, to, lines);
    expect(taken().filter((mail) => mail.to === victim)).toHaveLength(1);
    await write('forged@example.net', wrong, FAST, FAILED);
    await write('list-member@example.net', wrong, FAST, { 'List-Id': '<talk.lists.example>' });
    expect(taken().filter((mail) => mail.to !== RED && mail.to !== BLUE)).toEqual([]);
  });

  test('a refusal is short and quotes nothing of the mail', async () => {
    await write('curious@example.net', 'orders@club.example', [...FAST, 'BUY VIAGRA'], { Subject: 'cheap pills' });
    const [mail] = taken();
    const whole = mail!.raw.toString('latin1');
    expect(whole).not.toMatch(/pills|VIAGRA|RUN FAST/);
    expect(mail!.raw.length).toBeLessThan(12_000);
  });
});

describe('floods: one seat can’t starve others', () => {
  test('a mail of another seat is read next, however many of the flooder’s were stored before it', async () => {
    for (let i = 0; i < 40; i++)
      await acceptMail(one.service, Buffer.from(letter(RED, race.address.red, [...FAST, `// ${i}`])), one.clock.now, {
        door: 'test',
      });
    const { mailId } = await acceptMail(
      one.service,
      Buffer.from(letter(BLUE, race.address.blue, FAST)),
      one.clock.now,
      { door: 'test' },
    );
    const worker = startWorker(one.service, { post: null }, { process: thisProcess(), loops: 1, kinds: ['mail'] });
    const open = () => tables(database.db).selectFrom('job').select('id').where('kind', '=', 'mail').execute();
    await expect.poll(async () => (await open()).length, { timeout: 400_000 }).toBe(0);
    await worker.stop();
    const order = await tables(database.db)
      .selectFrom('receipt')
      .select('mail_id')
      .where('game_id', '=', race.gameId)
      .orderBy('id')
      .execute();
    expect(order).toHaveLength(41);
    expect(order.findIndex((row) => row.mail_id === mailId)).toBeLessThanOrEqual(1);
  });

  test('mails of one seat are read in the order of receipt, and the last one stands', async () => {
    for (const lines of [FAST, STEADY, FAST, STEADY, FAST])
      await acceptMail(one.service, Buffer.from(letter(RED, race.address.red, lines)), one.clock.now, { door: 'test' });
    await one.settle();
    const receipts = await tables(database.db)
      .selectFrom('receipt')
      .select(['number', 'mail_id'])
      .where('game_id', '=', race.gameId)
      .orderBy('number')
      .execute();
    expect(receipts.map((row) => row.number)).toEqual([1, 2, 3, 4, 5]);
    const ids = receipts.map((row) => row.mail_id!);
    expect(ids).toEqual([...ids].sort((a, b) => a - b));
    expect(await onFile()).toEqual(['RUN FAST']);
  });
});

describe('header and SMTP injection: from a subject or a name into our answers', () => {
  test('line ends in subject, name and Message-ID stay inside their values', async () => {
    const evil = '=?utf-8?Q?STATUS=0D=0ABcc:_eve@example.net=0D=0A=0D=0Abody=E2=80=A8X-Evil:_1?=';
    await red(FAST, {
      Subject: evil,
      From: `=?utf-8?Q?R=0D=0ABcc=3A_eve=40example.net?= <${RED}>`,
      References: '<a@b>\r\n <c@d\u0001e>',
    });
    await red(['STATUS'], { Subject: evil });
    for (const { raw, to } of one.sent) {
      expect(to).toBe(RED);
      const head = raw.toString('latin1').split('\r\n\r\n')[0]!;
      expect(head).not.toMatch(/^(?:bcc|x-evil):/im);
      expect(headerOf(raw, 'To')).toMatch(new RegExp(`<?${RED}>?$`));
    }
    expect(taken()).toHaveLength(2);
  });

  test('an answer to a stranger takes nothing but his checked address', async () => {
    const stranger = `injector-${race.ref.toLowerCase()}@example.net`;
    await write(`"x\\" <eve@example.net>, \\"" <${stranger}>`, 'orders@club.example', [], { Subject: 'HELP' });
    expect(taken().map((mail) => mail.to)).toEqual([stranger]);
  });
});

describe('content injection in reports, pages and maps', () => {
  const EVIL = '<img src=x onerror=alert(1)>{{say "x"}}&lt;b&gt;';

  test('order lines, notes, names and press come out escaped in every HTML part', async () => {
    const { person_id } = await seatOf('red');
    await tables(database.db)
      .updateTable('person')
      .set({ name: `Rosa ${EVIL}` })
      .where('id', '=', person_id!)
      .execute();
    await red(['TURN 1', 'RUN FAST', `RUN ${EVIL}`, `// note ${EVIL}`, 'FINAL', 'END']);
    await red(['FINAL']);
    await red(['PRESS TO ALL', `Hello ${EVIL} \u202Edlrow`, 'ENDPRESS']);
    await write(BLUE, race.address.blue, ['TURN 1', 'RUN FAST', 'FINAL', 'END'], { Subject: `mine ${EVIL}` });
    const mails = await Promise.all(one.sent.splice(0).map(({ raw }) => simpleParser(raw)));
    expect(mails.length).toBeGreaterThanOrEqual(6);
    expect(mails.filter((mail) => String(mail.html).includes('&lt;img src')).length).toBeGreaterThanOrEqual(3);
    for (const mail of mails) {
      expect(String(mail.html)).not.toContain('<img src=x');
      expect(`${mail.subject}${mail.html}${mail.text}`).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/);
    }
    await tables(database.db).updateTable('person').set({ name: 'Rosa' }).where('id', '=', person_id!).execute();
  });

  test('a page that shows a mail shows its words as words', async () => {
    const demo = testService(database.db, { env: { DEMO: 'on' } });
    const app = express();
    const pages = openPages();
    app.use(
      '/demo',
      demoPages(demo.service, {
        pages,
        deliver: async () => {},
        smtpPort: 1,
        common: (title) => ({
          title,
          club: 'Club',
          zone: 'UTC',
          lang: 'en',
          section: '',
          feed: false,
          person: null,
          isMaster: false,
          csrf: '',
          flash: '',
        }),
      }),
    );
    await makeDemoMail(demo, EVIL);
    const server = app.listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const address = server.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    const { id } = await tables(database.db)
      .selectFrom('mail_out')
      .select('id')
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirstOrThrow();
    const response = await fetch(`http://127.0.0.1:${port}/demo/mail/${id}`);
    const page = await response.text();
    await new Promise((resolve) => server.close(resolve));
    expect(response.status).toBe(200);
    expect(page).toContain('&lt;img src');
    expect(page).not.toContain('<img src=x');
  });

  test('words in a map stay words: PDF text can’t end its string, SVG text can’t end its element', async () => {
    const title = String.raw`Race \) Tj ET (evil) <script>alert(1)</script> ]]>`;
    const { rules } = one.service.scenarios.open('tiny/race');
    const game = await gameById(database.db, race.gameId);
    const phase = await phaseById(database.db, game.phase_id!);
    const drawn = saidScene(rules.scenes(viewFor(phase.snapshot, 'red'), [])[0]!, one.service.wording);
    const scene = { ...drawn, title };
    const pdf = await renderPdf(scene, { paper: 'A4', mode: 'sheet', footer: title });
    const text = execFileSync('pdftotext', ['-', '-'], { input: pdf, encoding: 'utf8' }).replace(/\s+/g, ' ');
    expect(text).toContain('<script>alert(1)</script>');
    expect(pdf.toString('latin1')).not.toMatch(/\/(?:JavaScript|JS|Launch|OpenAction|AA)\b/);
    const svg = renderSvg(scene, { footer: title });
    expect(svg).not.toContain('<script');
    expect(svg).toContain('&lt;script');
  });
});

/** A mail to the demo's player with such words in it. */
async function makeDemoMail(demo: TestService, words: string): Promise<void> {
  await inTransaction(database.db, async (trx) => {
    await queueMail(demo.service, trx, {
      kind: 'notice',
      to: { address: DEMO_ADDRESSES[0]!, name: words },
      facts: { make: 'notice', title: `Title ${words}`, paragraphs: [`Press: ${words}`] },
    });
  });
  await demo.settle();
}

describe('address and game enumeration', () => {
  test('unknown game, wrong token, finished game, somebody else’s seat: the same words by the same steps', async () => {
    const over = await startRace(one, { deadlineRule: null });
    await tables(database.db).updateTable('game').set({ status: 'over' }).where('id', '=', over.gameId).execute();
    await tables(database.db).deleteFrom('job').execute();
    const tries: Record<string, [string, string[]]> = {
      'wrong token': [`orders+${'a'.repeat(20)}@club.example`, FAST],
      'no token at all': ['orders@club.example', FAST],
      'unknown game': ['orders@club.example', ['GAME TNY-9999', ...FAST]],
      'a game that is played': ['orders@club.example', [`GAME ${race.ref}`, ...FAST]],
      'a finished game': ['orders@club.example', [`GAME ${over.ref}`, ...FAST]],
      'a seat’s real token': [race.address.red, FAST],
      'a finished seat’s real token': [over.address.red, FAST],
    };
    const said = new Map<string, string>();
    for (const [name, [to, lines]] of Object.entries(tries)) {
      const who = `spy-${said.size}-${race.ref.toLowerCase()}@example.net`;
      one.points.length = 0;
      await write(who, to, lines, PROVED);
      const answer = taken().filter((mail) => mail.to === who);
      expect(answer, name).toHaveLength(1);
      const { raw } = answer[0]!;
      const same = ['Subject', 'From', 'Reply-To', 'Auto-Submitted'].map((header) => headerOf(raw, header));
      said.set(name, JSON.stringify([textOf(raw), same]));
    }
    expect(new Set(said.values()).size).toBe(1);
  });

  test('a refusal is written in the same transaction at the same point, whatever was wrong: no answer comes sooner', async () => {
    const steps: string[] = [];
    for (const to of [`orders+${'a'.repeat(20)}@club.example`, 'orders@club.example', race.address.red]) {
      one.points.length = 0;
      await write(`timer-${steps.length}-${race.ref.toLowerCase()}@example.net`, to, FAST, PROVED);
      const mine = one.points.slice(0, one.points.indexOf('filed') + 1);
      steps.push(mine.join());
    }
    expect(new Set(steps).size).toBe(1);
  });

  test('HELP says the same to all, and nobody’s address', async () => {
    const answers: string[] = [];
    for (const who of ['helpless@example.net', RED]) {
      await write(who, 'orders@club.example', [], { Subject: 'HELP' });
      answers.push(taken()[0]!.text);
    }
    expect(answers[0]).toBe(answers[1]);
    expect(answers[0]).not.toContain('players.example');
  });
});

describe('replay of an old order mail', () => {
  test('a mail of a phase that is over changes nothing, and the owner hears of it', async () => {
    const old = letter(RED, race.address.red, [`GAME ${race.ref}`, 'TURN 1', 'RUN STEADY', 'FINAL', 'END']);
    await one.receive(old);
    await write(BLUE, race.address.blue, ['TURN 1', 'RUN STEADY', 'FINAL', 'END']);
    expect((await phaseById(database.db, (await gameById(database.db, race.gameId)).phase_id!)).n).toBe(2);
    await red(['TURN 2', 'RUN FAST', 'END']);
    taken();
    await one.receive(old);
    expect(taken()).toEqual([]);
    await one.receive(old.replace(/Message-ID: <[^>]*>/, 'Message-ID: <replayed@example.net>'));
    const [told] = taken();
    expect(told!.to).toBe(RED);
    expect(told!.text).toContain('the mail is for turn 1, but turn 2 is open now');
    expect(await onFile()).toEqual(['RUN FAST']);
  });

  test('an earlier mail of the same turn, sent once more under another id: the owner reads what it replaced', async () => {
    const old = letter(RED, race.address.red, FAST);
    await one.receive(old);
    await red(STEADY);
    taken();
    await one.receive(old);
    expect(await onFile()).toEqual(['RUN STEADY']);
    await one.receive(old.replace(/Message-ID: <[^>]*>/, 'Message-ID: <again@example.net>'));
    expect(
      taken()
        .map((mail) => mail.text)
        .join(),
    ).toMatch(/It replaces receipt 2.*NO LONGER ON FILE .*RUN STEADY/);
  });

  test('after a preview with the real dice no order of that phase is taken', async () => {
    const game = await gameById(database.db, race.gameId);
    await tables(database.db)
      .updateTable('phase')
      .set({ closed_at: one.clock.now })
      .where('id', '=', game.phase_id)
      .execute();
    await red(FAST);
    expect(await onFile()).toBeUndefined();
    expect((await newest()).verdict).toBe('refused');
  });
});

describe('duplicate delivery, reused id', () => {
  test('the orders, the receipt and its mail are one transaction: all of it or none, and once', async () => {
    const mail = Buffer.from(letter(RED, race.address.red, FAST));
    const { mailId } = await acceptMail(one.service, mail, one.clock.now, { door: 'smtp' });
    const at = one.service.at;
    one.service.at = (point) => {
      if (point === 'before filed') throw new Error('the power went');
    };
    await expect(processMail(one.service, mailId!)).rejects.toThrow('the power went');
    const counts = async () => {
      const rows = await sql<{ receipts: number; out: number; state: string }>`
        select (select count(*)::int from receipt where game_id = ${race.gameId}) as receipts,
          (select count(*)::int from mail_out where game_id = ${race.gameId} and kind = 'receipt') as out,
          (select state from mail_in where id = ${mailId}) as state`.execute(tables(database.db));
      return rows.rows[0];
    };
    expect(await counts()).toEqual({ receipts: 0, out: 0, state: 'new' });
    one.service.at = at;
    await Promise.all([
      processMail(one.service, mailId!),
      processMail(one.service, mailId!),
      acceptMail(one.service, mail, one.clock.now, { door: 'imap' }),
    ]);
    await one.settle();
    expect(await counts()).toEqual({ receipts: 1, out: 1, state: 'done' });
    expect(taken()).toHaveLength(1);
  });

  test('an id that comes again with other words is another mail, each counted once', async () => {
    const id = { 'Message-ID': `<reused-${race.ref}@players.example>` };
    for (const lines of [FAST, STEADY, FAST, STEADY, FAST]) await red(lines, id);
    const rows = await tables(database.db)
      .selectFrom('mail_in')
      .select('verdict')
      .where('message_id', '=', id['Message-ID'])
      .execute();
    expect(rows.map((row) => row.verdict)).toEqual(['filed', 'filed']);
    expect(await onFile()).toEqual(['RUN STEADY']);
  });

  test('a stranger can’t shut a player’s mail out by sending the same Message-ID first', async () => {
    const id = { 'Message-ID': `<guessed-${race.ref}@players.example>` };
    await write('eve@example.net', 'orders@club.example', FAST, id);
    await red(FAST, id);
    expect(await onFile()).toEqual(['RUN FAST']);
  });
});

describe('wrong game, seat or turn: token, GAME, TURN and SIDE must agree', () => {
  test.each([
    ['another game in the block', ['GAME TNY-9999', ...FAST], {}],
    ['another game in the subject', FAST, { Subject: 'TNY-9999 my orders' }],
    ['another turn', ['TURN 2', 'RUN FAST', 'END'], {}],
    ['the other side', ['TURN 1', 'SIDE BLUE', 'RUN FAST', 'END'], {}],
    ['a step that there is not', ['TURN 1', 'STEP retreat', 'RUN FAST', 'END'], {}],
    ['a battle where there is none', ['TURN 1', 'BATTLE 3', 'RUN FAST', 'END'], {}],
    ['two turns at once', ['TURN 1', 'TURN 2', 'RUN FAST', 'END'], {}],
  ])('%s: refused', async (_, lines, headers) => {
    await red(STEADY);
    await red(lines, headers as Record<string, string>);
    expect((await newest()).verdict).toBe('refused');
    expect(await onFile()).toEqual(['RUN STEADY']);
  });

  test('the tokens of both sides in one mail speak for neither', async () => {
    await write(RED, `${race.address.red}, ${race.address.blue}`, FAST);
    expect((await newest()).verdict).toBe('refused');
    expect([await onFile('red'), await onFile('blue')]).toEqual([undefined, undefined]);
  });
});

describe('clock games: the time of receipt counts, Date never', () => {
  test('a mail dated far ahead or long ago is neither late nor early', async () => {
    await red(FAST, { Date: 'Fri, 31 Dec 2099 23:59:59 +0000' });
    expect(await onFile()).toEqual(['RUN FAST']);
    await red(STEADY, { Date: 'Thu, 1 Jan 1970 00:00:00 +0000' });
    expect(await onFile()).toEqual(['RUN STEADY']);
    const row = await newest();
    expect(row.received_at).toEqual(one.clock.now);
    expect(row.processed_at).toEqual(one.clock.now);
  });

  test('orders that come after the phase ran are refused, whatever their Date says', async () => {
    await red(['TURN 1', 'RUN STEADY', 'FINAL', 'END']);
    await write(BLUE, race.address.blue, ['TURN 1', 'RUN STEADY', 'FINAL', 'END']);
    await write(BLUE, race.address.blue, FAST, { Date: 'Thu, 1 Jan 1970 00:00:00 +0000' });
    expect((await newest()).verdict).toBe('refused');
  });
});

describe('secrets in mail', () => {
  test('a token seen in a public Cc is changed: the old one opens nothing any more', async () => {
    await red(FAST, { Cc: 'friends@example.net' });
    const [receipt] = taken();
    const fresh = headerOf(receipt!.raw, 'Reply-To')!;
    expect(fresh).not.toContain(race.address.red);
    expect(receipt!.raw.toString('latin1')).not.toContain(race.address.red);
    await write('eve@example.net', race.address.red, STEADY);
    expect((await newest()).verdict).toBe('refused');
    await write(RED, /[^\s<>]+@[^\s<>]+/.exec(fresh)![0], STEADY);
    expect(await onFile()).toEqual(['RUN STEADY']);
  });

  test('a token that somebody else shows around is changed too, and the owner gets the new one, however often he was told', async () => {
    for (let i = 0; i < 5; i++) await write(`t${i}@example.net`, race.address.red, FAST);
    taken();
    await write('thief@example.net', race.address.red, FAST, { Cc: 'world@example.net' });
    const told = taken().filter((mail) => mail.to === RED);
    expect(told).toHaveLength(1);
    expect(told[0]!.text).toContain('was visible to others');
    expect(headerOf(told[0]!.raw, 'Reply-To')).not.toContain(race.address.red);
    await write('thief@example.net', race.address.red, FAST);
    expect((await newest()).verdict).toBe('refused');
  });

  test('no mail to one seat ever quotes the other’s orders, notes, token or address', async () => {
    const secret = { red: 'zebra crossing', blue: 'yellow submarine' };
    await red(['TURN 1', 'RUN JUMP', `// ${secret.red}`, 'DOCTRINE RUN STEADY', 'FINAL', 'END']);
    await write(BLUE, race.address.blue, ['TURN 1', 'RUN STEADY', `// ${secret.blue}`, 'FINAL', 'END']);
    await write(BLUE, race.address.blue, ['STATUS', 'ORDERS', 'HISTORY', 'REPORT']);
    const mails = one.sent.splice(0);
    for (const { raw, to } of mails) {
      const parsed = await simpleParser(raw);
      const files = parsed.attachments.map((file) => file.content.toString('latin1'));
      const whole = [raw.toString('latin1'), parsed.subject, parsed.text, parsed.html, ...files].join('\n');
      const [other, address, token] =
        to === RED ? [secret.blue, BLUE, race.address.blue] : [secret.red, RED, race.address.red];
      expect(whole).not.toContain(other);
      expect(whole).not.toContain(address);
      expect(whole).not.toContain(token);
      if (to === BLUE) expect(parsed.text).not.toMatch(/RUN JUMP|DOCTRINE RUN/);
    }
    expect(mails.some(({ raw, to }) => to === RED && raw.includes(secret.red))).toBe(true);
  });
});

describe('mailing lists: what breaks DMARC on the way counts only where the game allows that list', () => {
  const LIST = { 'List-Id': '"The race" <race.lists.example>', ...FAILED };
  const allow = (lists: string[]) =>
    tables(database.db)
      .updateTable('game')
      .set({ settings: JSON.stringify({ lists }) as never })
      .where('id', '=', race.gameId)
      .execute();

  test('not allowed: a forged mail like any other, told to the seat’s own address', async () => {
    await red(FAST, LIST);
    expect((await newest()).verdict).toBe('reject spoof');
    await allow(['other.lists.example']);
    await red(FAST, { ...LIST, Subject: 'again' });
    expect((await newest()).verdict).toBe('reject spoof');
    expect(await onFile()).toBeUndefined();
    expect(taken().map((mail) => mail.to)).toEqual([RED, RED]);
  });

  test('allowed: token and address decide as ever, and a token that the list saw is changed', async () => {
    await allow(['race.lists.example']);
    await write(RED, 'race@lists.example', FAST, { ...LIST, 'Delivered-To': race.address.red });
    expect((await newest()).verdict).toBe('filed');
    expect(await onFile()).toEqual(['RUN FAST']);
    await write('eve@example.net', race.address.red, STEADY, LIST);
    expect(await onFile()).toEqual(['RUN FAST']);
  });

  test('allowed, without a token: the owner is asked, nothing is filed', async () => {
    await allow(['race.lists.example']);
    await write(RED, 'orders@club.example', [`GAME ${race.ref}`, ...FAST], { ...LIST, To: 'race@lists.example' });
    expect((await newest()).verdict).toBe('parked');
    expect(await onFile()).toBeUndefined();
    expect(taken().map((mail) => mail.to)).toEqual([RED]);
    await red(['ACCEPT 1']);
    expect(await onFile()).toEqual(['RUN FAST']);
  });

  test('allowed for one game, named by a forger in a mail of commands: silence', async () => {
    await allow(['race.lists.example']);
    await write('eve@example.net', 'orders@club.example', [`GAME ${race.ref}`], { ...LIST, Subject: 'HELP' });
    expect((await newest()).verdict).toBe('reject spoof');
    expect(taken()).toEqual([]);
  });
});
