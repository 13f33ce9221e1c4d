import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { readInbound } from '../../../src/mail/inbound.ts';
import { inTransaction, tables } from '../../../src/store/db.ts';
import { openMail } from '../../../src/store/trust/sealed.ts';
import { sendMail } from '../../../src/turn/post/dispatch.ts';
import { queueMail } from '../../../src/turn/post/outbox.ts';
import { runJobs, SEND_ATTEMPTS_MAX } from '../../../src/turn/work/worker.ts';
import { withClock } from '../../helpers/clock.ts';
import { type TestDatabase, testDatabase } from '../../helpers/db.ts';
import { headerOf, letter, RED, startRace, type TestService, testService, textOf } from '../../helpers/service.ts';

let database: TestDatabase;
let one: TestService;
let race: Awaited<ReturnType<typeof startRace>>;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  await tables(database.db).deleteFrom('job').execute();
  await tables(database.db).deleteFrom('reply_count').execute();
  one = testService(database.db);
  race = await startRace(one, { deadlineRule: null });
  await one.settle();
  one.sent.length = 0;
});

const orders = (...lines: string[]): Promise<void> =>
  one.receive(letter(RED, race.address.red, [`GAME ${race.ref}`, 'TURN 1', ...lines, 'END']));

async function lastOut() {
  const row = await tables(database.db)
    .selectFrom('mail_out')
    .selectAll()
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow();
  // At rest they are sealed.
  return { ...row, raw: row.raw && openMail(one.service.secret, row.raw) };
}

describe('the way out', () => {
  test('a 4xx is tried again later with the same bytes and the same Message-ID', async () => {
    one.answer({ ok: false, permanent: false, response: '451 come again' });
    await orders('RUN FAST');
    const held = await lastOut();
    expect(held).toMatchObject({ state: 'queued', attempts: 1, response: '451 come again' });
    expect(held.raw).not.toBeNull();
    one.answer({ ok: true, response: '250 taken' });
    await one.settle();
    expect(one.sent).toEqual([]);
    one.clock.forward(60_000);
    await one.settle();
    expect(one.sent).toHaveLength(1);
    expect(one.sent[0]!.raw.equals(held.raw!)).toBe(true);
    expect(headerOf(one.sent[0]!.raw, 'Message-ID')).toBe(held.message_id);
    expect(await lastOut()).toMatchObject({ state: 'sent', attempts: 2 });
  });

  test('a 5xx gives up at once and tells the game master; the orders stand', async () => {
    one.answer({ ok: false, permanent: true, response: '550 no such user' });
    await orders('RUN FAST');
    const rows = await tables(database.db)
      .selectFrom('mail_out')
      .selectAll()
      .where('kind', '=', 'receipt')
      .orderBy('id', 'desc')
      .limit(1)
      .execute();
    expect(rows[0]).toMatchObject({ state: 'failed', response: '550 no such user' });
    one.answer({ ok: true, response: '250 taken' });
    one.clock.forward(3_600_000);
    await one.settle();
    const told = await lastOut();
    expect(told).toMatchObject({ kind: 'notice', to_address: 'gm@club.example.org' });
    const filed = await tables(database.db)
      .selectFrom('receipt')
      .selectAll()
      .where('game_id', '=', race.gameId)
      .execute();
    expect(filed.map((receipt) => receipt.verdict)).toEqual(['filed']);
  });

  test('a mail that is put off for ever is tried for days and given up in the end', async () => {
    one.answer({ ok: false, permanent: false, response: '451 come again' });
    await orders('RUN FAST');
    const newestReceipt = () =>
      tables(database.db)
        .selectFrom('mail_out')
        .selectAll()
        .where('kind', '=', 'receipt')
        .orderBy('id', 'desc')
        .limit(1)
        .executeTakeFirstOrThrow();
    for (let i = 0; i < 14; i++) {
      one.clock.forward(4 * 3_600_000);
      await one.settle();
    }
    expect(await newestReceipt()).toMatchObject({ state: 'queued', attempts: 15 });
    // The hundred tries of the next days, an hour apart, taken as done.
    await tables(database.db)
      .updateTable('job')
      .set({ failures: SEND_ATTEMPTS_MAX - 1 })
      .where('kind', '=', 'send')
      .execute();
    one.clock.forward(4 * 3_600_000);
    await one.settle();
    expect(await newestReceipt()).toMatchObject({ state: 'failed' });
  });

  test('without an outer server mails are kept, with their exact bytes', async () => {
    await inTransaction(database.db, (trx) =>
      queueMail(one.service, trx, {
        kind: 'notice',
        to: { address: RED, name: 'Rosa' },
        facts: { make: 'notice', title: 'A word', paragraphs: ['Hello.'] },
      }),
    );
    await withClock(
      () => one.clock.now,
      () => runJobs(one.service, { post: null }),
    );
    const kept = await lastOut();
    expect(kept).toMatchObject({ state: 'kept', subject: 'Fieldpost: A word' });
    expect(textOf(kept.raw!)).toContain('Hello.');
  });

  test('a stale notice is dropped, a newer one takes the place of an unsent older one', async () => {
    const put = (title: string, more: { staleAt?: Date; replaceKey?: string }): Promise<number> =>
      inTransaction(database.db, (trx) =>
        queueMail(one.service, trx, {
          kind: 'notice',
          to: { address: RED, name: null },
          facts: { make: 'notice', title, paragraphs: ['x'] },
          ...more,
        }),
      );
    await put('stale', { staleAt: one.clock.now });
    await put('older', { replaceKey: 'reminder 1' });
    await put('newer', { replaceKey: 'reminder 1' });
    one.clock.forward(1000);
    await one.settle();
    expect(one.sent.map((mail) => headerOf(mail.raw, 'Subject'))).toEqual(['Fieldpost: newer']);
  });

  test('what we send is known by its marker and never read as orders', async () => {
    await orders('RUN FAST');
    const echo = await readInbound(one.sent[0]!.raw, one.service.profile);
    expect(echo.kind).toBe('loop');
  });

  test('an answer is marked as one, even to a mail that has no Message-ID to refer to', async () => {
    await one.receive(letter(RED, race.address.red, ['STATUS'], { 'Message-ID': '' }));
    await one.receive(letter('stranger@elsewhere.example', 'orders@club.example', ['HELP'], { 'Message-ID': '' }));
    expect(one.sent).toHaveLength(2);
    for (const { raw } of one.sent) {
      expect(headerOf(raw, 'Auto-Submitted')).toBe('auto-replied');
      expect(headerOf(raw, 'Subject')).toMatch(/^Re: /);
      expect(headerOf(raw, 'In-Reply-To')).toBeUndefined();
    }
  });

  test('a player who floods us gets an end to answers, but his orders are filed', async () => {
    for (let i = 0; i < 62; i++) await orders(i % 2 === 0 ? 'RUN FAST' : 'RUN STEADY');
    const texts = one.sent.map((mail) => headerOf(mail.raw, 'Subject')!);
    expect(one.sent.filter((mail) => /^Receipt \d+ for /.test(textOf(mail.raw)))).toHaveLength(60);
    expect(texts.filter((subject) => subject.includes('enough'))).toHaveLength(1);
    const last = await tables(database.db)
      .selectFrom('receipt')
      .selectAll()
      .where('game_id', '=', race.gameId)
      .orderBy('number', 'desc')
      .executeTakeFirst();
    expect(last).toMatchObject({ number: 62, lines: ['RUN STEADY'] });
  });
});

describe('mails that come back', () => {
  const bounce = (to: string, status: string, action: string, original: string): string =>
    [
      'From: MAILER-DAEMON@mx.example.net',
      'Return-Path: <>',
      `To: ${to}`,
      `Message-ID: <bounce-${Math.random()}@mx.example.net>`,
      'Content-Type: multipart/report; report-type=delivery-status; boundary=b',
      '',
      '--b',
      'Content-Type: text/plain',
      '',
      'Sorry.',
      '--b',
      'Content-Type: message/delivery-status',
      '',
      'Reporting-MTA: dns; mx.example.net',
      '',
      `Final-Recipient: rfc822; ${RED}`,
      `Action: ${action}`,
      `Status: ${status}`,
      '--b',
      'Content-Type: message/rfc822',
      '',
      `Message-ID: ${original}`,
      'Subject: your report',
      '',
      '--b--',
      '',
    ].join('\r\n');
  const seat = () =>
    tables(database.db)
      .selectFrom('seat')
      .selectAll()
      .where('game_id', '=', race.gameId)
      .where('side', '=', 'red')
      .executeTakeFirstOrThrow();

  test('for good: mail to the seat is kept, the master is told, and the player’s next mail ends it', async () => {
    await orders('RUN FAST');
    const { from } = one.sent.splice(0)[0]!;
    await one.receive(bounce(from, '5.1.1', 'failed', '<unknown@example.net>'));
    expect((await seat()).mail_failed_at).not.toBeNull();
    expect(one.sent.map((mail) => mail.to)).toEqual(['gm@club.example.org']);
    one.sent.length = 0;
    const id = await inTransaction(database.db, async (trx) =>
      queueMail(one.service, trx, {
        kind: 'report',
        seatId: (await seat()).id,
        to: { address: RED, name: null },
        facts: { make: 'notice', title: 'x', paragraphs: ['x'] },
      }),
    );
    await sendMail(one.service, { send: async () => ({ ok: true, response: '' }) }, id);
    expect(await lastOut()).toMatchObject({ state: 'kept' });
    await orders('RUN STEADY');
    expect((await seat()).mail_failed_at).toBeNull();
    expect(one.sent.map((mail) => mail.to)).toEqual([RED]);
  });

  test('for now, or forged without our secret number: nothing happens', async () => {
    await orders('RUN FAST');
    const { from } = one.sent.splice(0)[0]!;
    await one.receive(bounce(from, '4.4.1', 'delayed', '<unknown@example.net>'));
    await one.receive(bounce('orders@club.example', '5.1.1', 'failed', '<guessed@club.example>'));
    await one.receive(bounce(`bounces+${'0'.repeat(24)}@club.example`, '5.1.1', 'failed', '<guessed@club.example>'));
    expect((await seat()).mail_failed_at).toBeNull();
    expect(one.sent).toEqual([]);
  });
});
