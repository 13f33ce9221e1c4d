/** Secret addresses, codes and links stand in clear in no table, page, mail shown, or archive; the exact bytes stay. */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sha256 } from '../../../src/kernel/hash.ts';
import { dumpTables } from '../../../src/store/backup.ts';
import { tables } from '../../../src/store/db.ts';
import { seatsOf } from '../../../src/store/games.ts';
import { blankMail, openMail, sealOld } from '../../../src/store/trust/sealed.ts';
import { unpackBundle } from '../../../src/turn/archive/bundle.ts';
import { exportGame } from '../../../src/turn/archive/export.ts';
import { acceptMail } from '../../../src/turn/intake/accept.ts';
import { addressOfSeat } from '../../../src/turn/seats.ts';
import { housekeeping } from '../../../src/turn/work/brakes.ts';
import { type Correspondent, correspondent, flat } from '../../helpers/club.ts';
import { type TestDatabase, testDatabase } from '../../helpers/db.ts';
import { letter, type TestService, testService } from '../../helpers/service.ts';

let database: TestDatabase;
let one: TestService;
let gm: Correspondent;
let red: Correspondent;
let ref: string;
let words: string[];
let used: string;

beforeAll(async () => {
  database = await testDatabase();
  one = testService(database.db, { env: { OPERATOR_EMAIL: 'gm@club.example.org' } });
  gm = correspondent(one, 'gm@club.example.org');
  red = correspondent(one, 'red@players.example');
  const blue = correspondent(one, 'blue@players.example');
  const [made] = await gm.write(`CREATE tiny/race SEAT red ${red.address} SEAT blue ${blue.address}`);
  ref = /TNY-\d{4}/.exec(made!.text)![0];
  used = red.newest().subject;
  await red.confirm();
  await blue.confirm();
  await red.answer(['TURN 1', 'RUN STEADY', 'END']);
  await red.answer('SUBSTITUTE friend@players.example UNTIL 2026-03-20');
  await red.write('SET ADDRESS second@players.example');
  await red.write('DESK');
  await red.answer('RESIGN');
  const game = await tables(database.db).selectFrom('game').select('id').executeTakeFirstOrThrow();
  const [seat] = await seatsOf(database.db, game.id);
  // By the listener, with a secret address in the envelope.
  const envelope = {
    mailFrom: red.address,
    rcptTo: [addressOfSeat(one.service, seat!)],
    remoteAddress: '192.0.2.1',
  };
  const mail = letter(red.address, envelope.rcptTo[0]!, ['TURN 1', 'RUN FAST', 'END']);
  await acceptMail(one.service, Buffer.from(mail), one.clock.now, { door: 'smtp', envelope });
  await one.settle();
  const sent = one.sent.map(({ raw }) => flat(raw.toString('latin1').replace(/=\r\n/g, ''))).join(' ');
  const codes = sent.match(/\b[A-Z2-9]{4}-[A-Z2-9]{4}-[A-Z2-9]{4}\b/g) ?? [];
  const tokens = (await seatsOf(database.db, game.id)).map(
    (row) => /\+([a-z2-7]{20})@/.exec(addressOfSeat(one.service, row))![1]!,
  );
  words = [...new Set([...codes, ...tokens])];
});
afterAll(() => database.close());

/** The bytes of every column of every table, as somebody reads them who has the database alone. */
async function everything(): Promise<string> {
  const parts: string[] = [];
  await dumpTables(database.db, ({ rows }) => {
    for (const row of rows)
      for (const value of row)
        if (value !== null)
          parts.push(value.startsWith('\\x') ? Buffer.from(value.slice(2), 'hex').toString('latin1') : value);
  });
  return parts.join('\n').replace(/=\r?\n/g, '');
}

test('the club has mailed codes, a link and secret addresses', () => {
  expect(words.length).toBeGreaterThanOrEqual(8);
  expect(one.sent.some(({ raw }) => raw.includes('/signin/'))).toBe(true);
});

test('none of them stands in any table', async () => {
  const all = (await everything()).toLowerCase();
  for (const word of words) expect(all.includes(word.toLowerCase()), word).toBe(false);
});

test('the exact bytes are there for whoever has the secret, in and out', async () => {
  const came = await tables(database.db).selectFrom('mail_in').select(['raw', 'digest']).execute();
  for (const { raw, digest } of came) expect(sha256(openMail(one.service.secret, raw!))).toBe(digest);
  const went = await tables(database.db).selectFrom('mail_out').select('raw').where('raw', 'is not', null).execute();
  const opened = went.map(({ raw }) => openMail(one.service.secret, raw!).toString('latin1'));
  for (const { raw } of one.sent) expect(opened).toContain(raw.toString('latin1'));
});

test('no archive holds one', async () => {
  const files = await unpackBundle(await exportGame(one.service, ref, { by: 'test', door: 'cli' }));
  for (const [name, bytes] of files) {
    const text = bytes
      .toString('latin1')
      .replace(/=\r?\n/g, '')
      .toLowerCase();
    for (const word of words) expect(text.includes(word.toLowerCase()), `${word} in ${name}`).toBe(false);
  }
});

test('no mail that is shown to the game master holds one', async () => {
  const rows = await tables(database.db).selectFrom('mail_in').select('id').where('game_id', 'is not', null).execute();
  for (const { id } of rows) {
    const [shown] = await gm.write(`MAIL ${id}`);
    for (const word of words) expect(shown!.text.toLowerCase()).not.toContain(word.toLowerCase());
  }
  const [log] = await gm.write(`LOG ${ref}`);
  for (const word of words) expect(log!.text).not.toContain(word);
});

test('a code that was used is dead', async () => {
  const [said] = await red.write([], { subject: used });
  expect(flat(said!.text)).toContain('This code is not valid');
});

test('mails that were stored as they came before are sealed by and by', async () => {
  const code = 'ABCD-EFGH-JKMN';
  const token = 'abcdefghijklmnopqrst';
  const raw = Buffer.from(letter('old@players.example', `orders+${token}@club.example`, [`CONFIRM ${code}`]));
  await tables(database.db)
    .updateTable('mail_in')
    .set({
      raw,
      subject: `CONFIRM ${code}`,
      envelope: JSON.stringify({ mailFrom: '', rcptTo: [`orders+${token}@club.example`], remoteAddress: '' }),
    })
    .where('id', '=', 1)
    .execute();
  await tables(database.db)
    .updateTable('mail_out')
    .set({
      raw,
      subject: `CONFIRM ${code}`,
      facts: JSON.stringify({ make: 'notice', title: `CONFIRM ${code}`, paragraphs: [] }),
    })
    .where('id', '=', 1)
    .execute();
  expect(await everything()).toContain(code);
  await housekeeping(one.service);
  const all = await everything();
  expect(all).not.toContain(code);
  expect(all).not.toContain(token);
  const first = await tables(database.db)
    .selectFrom('mail_in')
    .select('raw')
    .where('id', '=', 1)
    .executeTakeFirstOrThrow();
  expect(openMail(one.service.secret, first.raw!).equals(raw)).toBe(true);
  const done = await sealOld(database.db, one.service, { in: 0, out: 0 }, 10);
  expect(done.in).toBeGreaterThan(0);
});

describe('a mail shown', () => {
  const letters = fc.string({
    unit: fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz234567'),
    minLength: 20,
    maxLength: 20,
  });
  const code = fc
    .string({ unit: fc.constantFrom(...'ABCDEFGHJKMNPQRSTUVWXYZ23456789'), minLength: 12, maxLength: 12 })
    .map((text) => `${text.slice(0, 4)}-${text.slice(4, 8)}-${text.slice(8)}`);

  test('holds no secret, however a program broke or packed it', () => {
    fc.assert(
      fc.property(
        letters,
        code,
        fc.nat(30),
        fc.constantFrom('plain', 'soft', 'base64', 'percent', 'lower'),
        (token, word, at, how) => {
          const text = `See orders+${token}@club.example and CONFIRM ${word} or https://club.example/signin/${word} now.`;
          const body = {
            plain: text,
            soft: `${text.slice(0, at + 5)}=\r\n${text.slice(at + 5)}`.replace(
              word,
              `${word.slice(0, at % 12)}=\r\n${word.slice(at % 12)}`,
            ),
            base64: `Content-Transfer-Encoding: base64\r\n\r\n${Buffer.from(text)
              .toString('base64')
              .replace(/(.{76})/g, '$1\r\n')}`,
            percent: text.replace('+', '%2B').replace('@', '%40').replace(`CONFIRM ${word}`, `CONFIRM%20${word}`),
            lower: text.toLowerCase(),
          }[how];
          const shown = blankMail(Buffer.from(`Subject: CONFIRM ${word}\r\n\r\n${body}\r\n`)).toString('latin1');
          const read = `${shown.replace(/=\r?\n/g, '')} ${Buffer.from(shown.split('\r\n\r\n').at(-1)!, 'base64').toString('latin1')}`;
          expect(read.toLowerCase()).not.toContain(token.toLowerCase());
          expect(read.toLowerCase()).not.toContain(word.toLowerCase());
        },
      ),
      { numRuns: Number(process.env.RUNS ?? 100) },
    );
  });

  test('stays as it is where it holds none', () => {
    const raw = Buffer.from([0x46, 0x72, 0x6f, 0x6d, 0x3a, 0x00, 0xff, 0x0d, 0x0a, 0x80]);
    expect(blankMail(raw)).toBe(raw);
    const plain = Buffer.from('Subject: TURN 3\r\n\r\nOVL-0007 moves 2-4-6, see plus+sized things\r\n');
    expect(blankMail(plain)).toBe(plain);
  });
});
