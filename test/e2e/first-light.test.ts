/**
 * The whole path with real doors: a German mail with a move and an attack goes in, a receipt with every line comes out,
 * and when both sides are final each gets its report with a map. In by SMTP and by a real Dovecot (IMAP IDLE), out by
 * SMTP, on PostgreSQL.
 */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import nodemailer from 'nodemailer';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { type Running, startService } from '../../src/main.ts';
import { gameById, phasesOf, seatsOf } from '../../src/store/games.ts';
import { createGame } from '../../src/turn/phase/newgame.ts';
import { addressOfSeat } from '../../src/turn/seats.ts';
import { type TestDatabase, testDatabase } from '../helpers/db.ts';
import { type Dovecot, dovecotAvailable, startDovecot } from '../helpers/dovecot.ts';
import { headerOf, letter, textOf } from '../helpers/service.ts';
import { type Sink, startSink } from '../helpers/sink.ts';

const GERMAN = 'anna@players.example';
const ALLIED = 'ben@players.example';

interface Club {
  running: Running;
  sink: Sink;
  gameId: number;
  address: Record<string, string>;
  close(): Promise<void>;
}

async function openClub(env: Record<string, string>): Promise<Club> {
  const database: TestDatabase = await testDatabase();
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'fieldpost-light-'));
  const sink = await startSink();
  const running = await startService(
    readConfig({
      DATABASE_URL: database.url,
      DATA_DIR: folder,
      HTTP_PORT: '0',
      SMTPD_PORT: '0',
      SMTP_URL: sink.url,
      LOG_LEVEL: 'warn',
      ...env,
    }),
  );
  const { service } = running;
  const game = await createGame(service, {
    scenarioId: 'overlord/campaign',
    seats: [
      { side: 'german', address: GERMAN, name: 'Anna' },
      { side: 'allied', address: ALLIED, name: 'Ben' },
    ],
    by: 'test',
    door: 'test',
  });
  const address: Record<string, string> = {};
  for (const seat of await seatsOf(service.db, game.id)) address[seat.side] = addressOfSeat(service, seat);
  return {
    running,
    sink,
    gameId: game.id,
    address,
    async close() {
      await running.close();
      await sink.close();
      await database.close();
      fs.rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Bytes of a mail in which its first words stand: maps behind them need not be looked at. */
const HEAD_BYTES = 30_000;

/** The first mail to somebody whose text says that, once it has come. */
async function arrived({ sink }: Club, to: string, says: RegExp): Promise<Buffer> {
  const found = (): Buffer | undefined =>
    sink.mails.find((mail) => mail.to === to && says.test(textOf(mail.raw.subarray(0, HEAD_BYTES))))?.raw;
  await expect.poll(() => found() !== undefined, { timeout: 400_000, interval: 50 }).toBe(true);
  return found()!;
}

/** Plays set-up and the first German phase; `send` is the way in. */
async function playFirstTurn(club: Club, send: (raw: string) => Promise<void>): Promise<void> {
  const { gameId, address, running } = club;
  const { ref } = await gameById(running.service.db, gameId);
  await arrived(club, ALLIED, /^Report of .*set up, Allied/);
  await send(letter(ALLIED, address.allied!, [`GAME ${ref}`, 'FINAL', 'END']));
  await arrived(club, GERMAN, /^Report of .*german, German/);

  const orders = [`GAME ${ref}`, 'TURN 1', 'MOVE DE21 -> 2914 2913', 'ATTACK 3012 WITH DE21', 'MOVE DE99 -> 1212'];
  const { hash } = (await phasesOf(running.service.db, gameId)).at(-1)!;
  const wrong = ['MOVE DE716 -> 9999', 'MOVE DE243 -> 0708 0709 0710 0711 0712', 'END'];
  await send(letter(GERMAN, address.german!, [...orders, ...wrong], { Subject: `Re: ${ref} turn 1` }));
  const receipt = textOf(await arrived(club, GERMAN, /^Receipt 1 .*2 lines not accepted/)).replace(/\s+/g, ' ');
  expect(receipt).toMatch(/ok MOVE DE21 -> 2914 2913 .*ok ATTACK 3012 WITH DE21 .*ERROR MOVE DE99/);
  expect(receipt).toMatch(/DE89/);
  expect(receipt).toMatch(/ERROR MOVE DE716 -> 9999 .*warning MOVE DE243 -> 0708 0709 0710 0711 0712/);
  expect((await phasesOf(running.service.db, gameId)).at(-1)!.hash).toBe(hash);
  expect((await phasesOf(running.service.db, gameId)).map((phase) => phase.status)).toEqual(['done', 'open']);

  await send(letter(GERMAN, address.german!, ['FINAL'], { Subject: `Re: ${ref}` }));
  const says = /^Report of turn 1 of 28, allied, (German|Allied)/;
  for (const to of [GERMAN, ALLIED]) {
    const report = await arrived(club, to, says);
    expect(report.toString('latin1')).toMatch(/filename=\S+\.pdf/);
    expect(textOf(report)).toContain('3012');
  }
  const phases = await phasesOf(running.service.db, gameId);
  expect(phases.map((phase) => phase.status)).toEqual(['done', 'done', 'open']);
  expect(phases[2]!.previous_hash).toBe(phases[1]!.hash);
  expect(phases[1]!.dice!.length).toBeGreaterThan(0);
}

/** What mutt makes of an answer: the mail's own lines behind `> ` below an attribution, edited where they stand. */
function muttReply(mail: Buffer, from: string, edit: (line: string) => string): string {
  const attribution = 'On Mon, Mar 02, 2026 at 12:00:00PM +0000, Fieldpost wrote:';
  const quoted = textOf(mail)
    .trimEnd()
    .split('\n')
    .map((line) => (line === '' ? '>' : `> ${edit(line)}`));
  return letter(from, headerOf(mail, 'Reply-To')!, [attribution, ...quoted, '', '-- ', 'Ben'], {
    Subject: headerOf(mail, 'Subject')!.replace(/^(?:Re: )?/, 'Re: '),
    'In-Reply-To': headerOf(mail, 'Message-ID')!,
    'User-Agent': 'Mutt/2.2.9 (2022-11-12)',
    'Content-Type': 'text/plain; charset=us-ascii',
    'Content-Disposition': 'inline',
  });
}

/** What a web mailer makes of an answer: HTML alone, each line a block, the mail answered in a marked quotation. */
function webmailReply(mail: Buffer, from: string, lines: readonly string[]): string {
  const escaped = (text: string): string => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
  const html = [
    '<html><body><div style="font-family: Verdana;font-size: 12.0px;">',
    ...lines.map((line) => `<div>${escaped(line) || '&nbsp;'}</div>`),
    '<div name="quote" style="margin:10px 5px 5px 10px; padding: 10px 0 10px 10px; border-left:2px solid #C3D9E5;">',
    '<div style="margin:0 0 10px 0;"><b>Gesendet:</b>&nbsp;Montag, 02. M&auml;rz 2026 um 13:00 Uhr<br/>',
    '<b>Von:</b>&nbsp;Fieldpost<br/><b>An:</b>&nbsp;Ben<br/><b>Betreff:</b>&nbsp;Report</div>',
    ...textOf(mail)
      .split('\n')
      .map((line) => `<div>${escaped(line)}</div>`),
    '</div></div></body></html>',
  ];
  return letter(from, headerOf(mail, 'Reply-To')!, html, {
    Subject: headerOf(mail, 'Subject')!.replace(/^(?:Re: )?/, 'Aw: '),
    'In-Reply-To': headerOf(mail, 'Message-ID')!,
    'Content-Type': 'text/html; charset=UTF-8',
  });
}

describe('in by our own listener', () => {
  let club: Club;
  beforeAll(async () => {
    club = await openClub({});
  });
  afterAll(() => club.close());

  test('a turn of Overlord, and the service is well', { timeout: 400_000 }, async () => {
    const transport = nodemailer.createTransport({ host: '127.0.0.1', port: club.running.smtpPort, ignoreTLS: true });
    await playFirstTurn(club, async (raw) => {
      const to = /^To: (\S+)/m.exec(raw)![1]!;
      await transport.sendMail({ raw, envelope: { from: GERMAN, to: [to] } });
    });
    transport.close();
    const health = await fetch(`http://127.0.0.1:${club.running.httpPort}/healthz`);
    expect(health.status).toBe(200);
    expect(await health.json()).toMatchObject({ ok: true, store: 'up' });
  });
});

describe.skipIf(!dovecotAvailable())('in by Dovecot, with IMAP IDLE', () => {
  let dovecot: Dovecot;
  let club: Club;
  beforeAll(async () => {
    dovecot = await startDovecot();
    club = await openClub({ IMAP_URL: dovecot.url });
  });
  afterAll(async () => {
    await club?.close();
    await dovecot?.stop();
  });

  test('the same turn; what was read is moved away', { timeout: 400_000 }, async () => {
    await playFirstTurn(club, async (raw) => {
      await dovecot.deliver([Buffer.from(raw)], /^To: (\S+)/m.exec(raw)![1]!);
    });
    await expect.poll(() => dovecot.count('Processed'), { timeout: 400_000 }).toBe(3);
    expect(await dovecot.count('INBOX')).toBe(0);
  });

  test('the form edited in a quoted report, as mutt quotes it, and an answer of a web mailer', {
    timeout: 400_000,
  }, async () => {
    const send = async (raw: string): Promise<void> => {
      await dovecot.deliver([Buffer.from(raw)], /^To: .*?([^\s<>]+@[^\s<>]+)>?$/m.exec(raw)![1]!);
    };
    const report = await arrived(club, ALLIED, /^Report of turn 1 of 28, allied, Allied/);
    await send(muttReply(report, ALLIED, (line) => line.replace(/^HOLD (CDN3)\b.*$/, 'MOVE $1 -> 2611')));
    const asked = textOf(await arrived(club, ALLIED, /^Receipt 2 .*allied, Allied/));
    expect(asked).toMatch(/ok +MOVE CDN3 -> 2611/);
    expect(asked).not.toMatch(/ERROR/);
    const number = /ACCEPT (\d+)/.exec(asked)![1]!;
    await send(webmailReply(report, ALLIED, ['Hallo,', `ACCEPT ${number}`, '', 'Viele Gr\u00fc\u00dfe', 'Ben']));
    const filed = textOf(await arrived(club, ALLIED, /^Receipt 3 .*allied, Allied/));
    expect(filed).toMatch(/Your orders are FINAL/);
    await arrived(club, ALLIED, /^Report of turn 2 of 28/);
  });
});
