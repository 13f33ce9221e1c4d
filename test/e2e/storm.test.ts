/**
 * A storm of mail through both doors, with duplicates, robots, forgers and garbage, while Dovecot and PostgreSQL are each
 * restarted once. Afterwards every mail is accounted for, every valid order was applied once, each seat's last mail wins.
 *
 * 400 mails by default; FIELDPOST_STORM=5000 for the whole storm of 200 seats (some minutes).
 */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import nodemailer from 'nodemailer';
import { expect, onTestFinished, test } from 'vitest';
import { MAIL_BYTES_MAX } from '../../src/mail/bytes/mime.ts';
import { type ImapIntake, startImap } from '../../src/mail/doors/imap.ts';
import { openSender } from '../../src/mail/doors/smtp.ts';
import { type Listener, startListener } from '../../src/mail/doors/smtpd.ts';
import { closeDb, type Db, migrate, openDb, tables } from '../../src/store/db.ts';
import { startEmbedded } from '../../src/store/embedded.ts';
import { thisProcess } from '../../src/store/processes.ts';
import type { Service } from '../../src/turn/context.ts';
import { acceptMail } from '../../src/turn/intake/accept.ts';
import { runGame } from '../../src/turn/phase/run.ts';
import { startWorker } from '../../src/turn/work/worker.ts';
import { type Dovecot, dovecotAvailable, startDovecot } from '../helpers/dovecot.ts';
import { letter, startRace, testService } from '../helpers/service.ts';
import { type Sink, startSink } from '../helpers/sink.ts';

const MAILS = Number(process.env.FIELDPOST_STORM ?? 400);
const GAMES = Math.ceil(MAILS / 50);
const LANES = 5;
const LONG_MS = Math.max(120_000, MAILS * 200);

type Door = 'smtp' | 'imap';
interface Seat {
  gameId: number;
  side: 'red' | 'blue';
  from: string;
  to: string;
  ref: string;
  door: Door;
}
interface Mail {
  raw: string;
  door: Door;
  /** Mails of one lane leave one after the other. */
  lane: number;
  /** The verdict it must get; null for a copy that must leave no trace. */
  verdict: string | null;
  seat?: Seat;
  /** The number in its note, for valid orders. */
  n?: number;
}

/** Chance that is the same in every run. */
function chance(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return Math.floor((state / 0x80000000) * below);
  };
}

/** Robots, forgers and garbage: what they are, and what becomes of them. */
const OTHERS: { verdict: string; make(seat: Seat, n: number): string }[] = [
  {
    verdict: 'autoreply',
    make: (seat) =>
      letter(seat.from, seat.to, ['TURN 1', 'RUN JUMP', 'END'], {
        'Auto-Submitted': 'auto-replied',
        Subject: 'Out of office',
      }),
  },
  { verdict: 'autoreply', make: (seat) => letter(seat.from, seat.to, ['I am away.'], { 'X-Autoreply': 'yes' }) },
  {
    verdict: 'loop',
    make: (seat) => letter(seat.from, seat.to, ['TURN 1', 'RUN JUMP', 'END'], { 'X-Fieldpost-Loop': 'club.example' }),
  },
  { verdict: 'loop', make: (seat) => letter('orders@club.example', seat.to, ['TURN 1', 'RUN JUMP', 'END']) },
  { verdict: 'bounce', make: (_seat, n) => bounce('5.1.1', 'failed', n) },
  { verdict: 'bounce delayed', make: (_seat, n) => bounce('4.4.1', 'delayed', n) },
  {
    verdict: 'refused',
    make: (seat, n) =>
      letter(seat.from, `orders+${'abcdefghij234567abcd'.slice(n % 9)}${'a'.repeat(n % 9)}@club.example`, [
        'TURN 1',
        'RUN JUMP',
        'END',
      ]),
  },
  {
    verdict: 'refused',
    make: (_seat, n) => letter(`stranger${n}@example.net`, 'orders@club.example', ['TURN 1', 'RUN JUMP', 'END']),
  },
  { verdict: 'refused', make: (seat) => letter(seat.from, seat.to, ['GAME TNY-9999', 'TURN 1', 'RUN JUMP', 'END']) },
  { verdict: 'refused', make: (seat) => letter(seat.from, seat.to, ['TURN 1', 'RUN SIDEWAYS', 'DANCE 3', 'END']) },
  { verdict: 'refused', make: (seat) => letter(seat.from, seat.to, ['TURN 5', 'RUN JUMP', 'END']) },
  { verdict: 'parked', make: (seat, n) => letter(`thief${n}@example.net`, seat.to, ['TURN 1', 'RUN JUMP', 'END']) },
  {
    verdict: 'reject spoof',
    make: (seat) =>
      letter(seat.from, seat.to, ['TURN 1', 'RUN JUMP', 'END'], {
        'Authentication-Results': 'club.example; dmarc=fail',
      }),
  },
  {
    verdict: 'reject multiple-from',
    make: (seat) => letter(`${seat.from}, x@example.net`, seat.to, ['TURN 1', 'RUN JUMP', 'END']),
  },
  {
    verdict: 'reject no-from',
    make: (_seat, n) => `garbage ${n} \u0000\u0001 without any header\r\n\r\n${'\u00ff'.repeat(n % 200)} ${n}\r\n`,
  },
  {
    verdict: 'reject no-from',
    make: (seat, n) => letter('', seat.to, ['TURN 1', 'RUN JUMP', `// ${n}`], { Date: '' }),
  },
  {
    verdict: 'reject bomb',
    make: (seat) =>
      letter(
        seat.from,
        seat.to,
        Array.from({ length: 400 }, () => '--b\r\n\r\n'),
        { 'Content-Type': 'multipart/mixed; boundary=b' },
      ),
  },
];

function bounce(status: string, action: string, n: number): string {
  const report = [`Final-Recipient: rfc822; gone${n}@example.net`, `Action: ${action}`, `Status: ${status}`];
  return letter(
    'MAILER-DAEMON@mx.example.net',
    'orders@club.example',
    [
      '--b',
      '',
      'Sorry.',
      '--b',
      'Content-Type: message/delivery-status',
      '',
      'Reporting-MTA: dns; mx',
      '',
      ...report,
      '',
      '--b--',
    ],
    {
      'Return-Path': '<>',
      'Content-Type': 'multipart/report; report-type=delivery-status; boundary=b',
    },
  );
}

/** The whole storm in the order in which it is sent. */
function brew(seats: readonly Seat[]): Mail[] {
  const draw = chance(1944);
  const mails: Mail[] = [];
  while (mails.length < MAILS) {
    const n = mails.length;
    const index = draw(seats.length);
    const seat = seats[index]!;
    const at = { door: seat.door, lane: index % LANES };
    const kind = draw(100);
    if (kind < 10 && n > 0) {
      // Once more, the very bytes; now and then by the other door, or packed otherwise.
      const old = mails[draw(n)]!;
      const again = repeat(old, draw(4));
      const known = mails.some((mail) => mail.raw === again.raw);
      mails.push(known ? { ...again, verdict: null } : again);
    } else if (kind < 40) {
      const other = OTHERS[draw(OTHERS.length)]!;
      mails.push({ raw: other.make(seat, n), verdict: other.verdict, ...at });
    } else {
      const way = ['STEADY', 'FAST', 'JUMP'][draw(3)]!;
      const header = draw(2) === 0 ? [`GAME ${seat.ref}`] : [];
      const raw = letter(seat.from, seat.to, [...header, 'TURN 1', `RUN ${way}`, `// mail ${n}`, 'END']);
      mails.push({ raw, verdict: 'filed', seat, n, ...at });
    }
  }
  return mails;
}

function repeat(old: Mail, how: number): Mail {
  const { raw, lane } = old;
  const again = { raw, door: old.door, lane, verdict: null };
  if (how === 0 && old.verdict === 'filed') {
    // The same mail, packed otherwise by a server on the way: stored, and known as a copy when it is read.
    const [head, body] = raw.split('\r\n\r\n');
    const packed = Buffer.from(body!).toString('base64');
    return { ...again, raw: `${head}\r\nContent-Transfer-Encoding: base64\r\n\r\n${packed}\r\n`, verdict: 'copy' };
  }
  return { ...again, raw: how === 1 ? `Received: from elsewhere by mx.example\r\n${raw}` : raw };
}

/** The service with its doors and workers, wired as in main.ts but with rates for a storm from one host. */
async function openClub(db: Db, service: Service, dovecot: Dovecot, sink: Sink) {
  const post = openSender({ url: sink.url, log: service.log });
  const worker = startWorker(service, { post }, { process: thisProcess() });
  const store = async (raw: Buffer, receivedAt: Date, door: Door, size?: number): Promise<void> => {
    await acceptMail(service, raw, receivedAt, { door, ...(size === undefined ? {} : { size }) });
  };
  const listener: Listener = await startListener({
    host: '127.0.0.1',
    port: 0,
    lmtp: false,
    ownDomain: service.config.club.domain,
    ownMailboxes: service.profile.ownMailboxes,
    limits: {
      hostPerMinute: 1e6,
      hostBurst: 1e6,
      overallPerMinute: 1e6,
      overallBurst: 1e6,
      senderBurst: 1e4,
      recipientBurst: 1e4,
    },
    log: service.log,
    onMail: (raw) => store(raw, service.now(), 'smtp'),
  });
  const intake: ImapIntake = startImap({
    url: dovecot.url,
    log: service.log,
    sizeMax: MAIL_BYTES_MAX,
    backoff: { firstMs: 100, mostMs: 1000 },
    answerSeconds: 10,
    onMail: async (raw, receivedAt) => {
      await store(raw, receivedAt, 'imap');
      return 'done';
    },
    onOversize: (head, receivedAt, size) => store(head, receivedAt, 'imap', size),
    onAuthFailure: (message) => service.log.error({ message }, 'refused'),
  });
  return {
    port: listener.port,
    async close() {
      await intake.close();
      await listener.close();
      await worker.stop();
      post.close();
      await closeDb(db);
    },
  };
}

/** Sends one lane of mails in order, as a mail server does: each again and again until it is taken. */
async function sendLane(mails: readonly Mail[], port: number, lmtp: boolean, sent: () => void): Promise<void> {
  const open = () =>
    nodemailer.createTransport({
      host: '127.0.0.1',
      port,
      lmtp,
      ignoreTLS: true,
      pool: true,
      maxConnections: 1,
      maxMessages: 1e6,
    });
  let transport = open();
  for (const { raw } of mails) {
    const named = /^To: .*?([^\s<>,]+@club\.example)/m.exec(raw)?.[1] ?? 'orders@club.example';
    const from = /^Return-Path: <>/m.test(raw) ? '' : 'sender@players.example';
    const to = lmtp ? 'orders@pbem.example.org' : named;
    for (let taken = false; !taken; ) {
      try {
        await transport.sendMail({ raw: Buffer.from(raw, 'latin1'), envelope: { from, to: [to] } });
        taken = true;
      } catch (problem) {
        const code = (problem as { responseCode?: number }).responseCode ?? 0;
        if (code >= 500) throw problem;
        await new Promise((resolve) => setTimeout(resolve, 100));
        transport.close();
        transport = open();
      }
    }
    sent();
  }
  transport.close();
}

/** How often each verdict must come out. */
function expected(mails: readonly Mail[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { verdict } of mails) if (verdict !== null) counts[verdict] = (counts[verdict] ?? 0) + 1;
  return counts;
}

async function verdicts(db: Db): Promise<Record<string, number>> {
  const rows = await tables(db)
    .selectFrom('mail_in')
    .select((row) => ['verdict', row.fn.countAll<number>().as('n')])
    .groupBy('verdict')
    .execute();
  return Object.fromEntries(rows.map((row) => [row.verdict ?? 'unread', Number(row.n)]));
}

/** A receipt with the mail it answers. */
async function receiptsOf(db: Db) {
  return tables(db)
    .selectFrom('receipt')
    .innerJoin('mail_in', 'mail_in.id', 'receipt.mail_id')
    .select(['receipt.id', 'receipt.mail_id', 'receipt.game_id', 'receipt.side', 'receipt.verdict', 'receipt.number'])
    .select(['receipt.notes', 'receipt.detail', 'mail_in.message_id', 'mail_in.door', 'mail_in.received_at'])
    .orderBy('receipt.seat_id')
    .orderBy('receipt.number')
    .execute();
}
type Receipts = Awaited<ReturnType<typeof receiptsOf>>;

const idOf = (mail: Mail): string => /^Message-ID: (\S+)/m.exec(mail.raw)![1]!;

/** Every mail has its verdict, every receipt its one mail; every valid order was taken once. */
async function checkReceipts(db: Db, mails: readonly Mail[], counts: Record<string, number>): Promise<Receipts> {
  const receipts = await receiptsOf(db);
  // In a burst Dovecot may number mails otherwise than they came: such a mail is told that a later one stands.
  const overtaken = receipts.filter((one) => one.detail.mail.some((fault) => fault.code === 'OVERTAKEN'));
  expect(overtaken.every((one) => one.door === 'imap')).toBe(true);
  const wanted = expected(mails);
  wanted.filed! -= overtaken.length;
  wanted.refused = (wanted.refused ?? 0) + overtaken.length;
  expect(counts, 'every mail accounted for').toEqual(wanted);
  expect(new Set(receipts.map((one) => one.mail_id)).size, 'one receipt a mail').toBe(receipts.length);
  const valid = new Map(mails.filter((mail) => mail.verdict === 'filed').map((mail) => [idOf(mail), mail.n]));
  const filed = receipts.filter((one) => one.verdict === 'filed');
  const taken = [...filed, ...overtaken].map((one) => one.message_id!).sort();
  expect(taken, 'every valid order taken once').toEqual([...valid.keys()].sort());
  for (const one of filed) expect(one.notes).toEqual([`mail ${valid.get(one.message_id!)}`]);
  return receipts;
}

/** One mail left for each receipt; twice only where the store broke off between 250 and our note of it, the same bytes. */
async function checkOutbox(db: Db, receipts: Receipts, sink: Sink): Promise<{ out: number; twice: number }> {
  const out = await tables(db).selectFrom('mail_out').select(['message_id', 'state', 'kind', 'facts']).execute();
  expect(new Set(out.map((row) => row.state))).toEqual(new Set(['sent']));
  const told = out
    .filter((row) => row.kind === 'receipt')
    .map((row) => (row.facts.make === 'receipt' ? row.facts.receiptId : 0));
  const order = (a: number, b: number): number => a - b;
  expect(told.sort(order), 'one mail a receipt').toEqual(receipts.map((one) => one.id).sort(order));
  const arrived = new Map<string, Buffer[]>();
  for (const { messageId, raw } of sink.mails) arrived.set(messageId, [...(arrived.get(messageId) ?? []), raw]);
  expect([...arrived.keys()].sort()).toEqual(out.map((row) => row.message_id).sort());
  const twice = [...arrived.values()].filter((copies) => copies.length > 1);
  expect(twice.length).toBeLessThanOrEqual(4);
  for (const [first, ...copies] of twice) for (const copy of copies) expect(copy.equals(first!)).toBe(true);
  return { out: out.length, twice: twice.length };
}

/** What a seat filed last stands: by order of sending, from the mailbox by the server's time of receipt. */
function checkWinner(seat: Seat, receipts: Receipts, mails: readonly Mail[]): void {
  const own = receipts.filter(
    (one) => one.game_id === seat.gameId && one.side === seat.side && one.verdict === 'filed',
  );
  const winner = own.at(-1);
  const last = mails.filter((mail) => mail.seat === seat && mail.verdict === 'filed').at(-1);
  expect(winner === undefined).toBe(last === undefined);
  if (!winner || !last) return;
  if (seat.door === 'smtp') expect(winner.message_id, `${seat.ref} ${seat.side}`).toBe(idOf(last));
  const latest = Math.max(...own.map((one) => one.received_at.getTime()));
  expect(winner.received_at.getTime(), `${seat.ref} ${seat.side}`).toBe(latest);
}

/** The phase was run with exactly what stood. */
async function checkApplied(db: Db, seats: readonly Seat[], receipts: Receipts): Promise<void> {
  const phases = await tables(db).selectFrom('phase').select(['game_id', 'inputs']).where('n', '=', 1).execute();
  for (const seat of seats) {
    const { inputs } = phases.find((phase) => phase.game_id === seat.gameId)!;
    const own = receipts.filter((one) => one.game_id === seat.gameId && one.side === seat.side);
    const winner = own.findLast((one) => one.verdict === 'filed');
    expect(inputs!.filed[seat.side]!.receipt).toBe(winner?.number ?? null);
    expect(inputs!.filed[seat.side]!.notes).toEqual(winner?.notes ?? []);
  }
}

test.skipIf(!dovecotAvailable())(
  `a storm of ${MAILS} mails, Dovecot and PostgreSQL restarted`,
  { timeout: LONG_MS + 60_000 },
  async () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'fieldpost-storm-'));
    let postgres = await startEmbedded(folder);
    const dovecot = await startDovecot();
    const sink = await startSink();
    onTestFinished(async () => {
      await sink.close();
      await dovecot.stop();
      await postgres.stop();
      fs.rmSync(folder, { recursive: true, force: true });
    });
    const db = openDb(postgres.url, { onError: () => {} });
    await migrate(db);
    // Behind the mailbox stands a server whose word on senders is believed.
    const one = testService(db, { env: { SMTP_URL: sink.url, AUTHSERV_ID: 'club.example' } });
    const service: Service = { ...one.service, now: () => new Date() };
    const seats: Seat[] = [];
    for (let i = 0; i < GAMES; i++) {
      const people = { red: `red${i}@players.example`, blue: `blue${i}@players.example` };
      const race = await startRace(
        { ...one, service },
        {
          deadlineRule: null,
          seats: [
            { side: 'red', address: people.red, name: `Red ${i}` },
            { side: 'blue', address: people.blue, name: `Blue ${i}` },
          ],
        },
      );
      for (const side of ['red', 'blue'] as const)
        seats.push({
          gameId: race.gameId,
          side,
          from: people[side],
          to: race.address[side],
          ref: race.ref,
          door: i % 2 === 0 ? 'imap' : 'smtp',
        });
    }
    // The opening reports are not the matter here.
    await tables(db).deleteFrom('job').execute();
    await tables(db).deleteFrom('mail_out').execute();
    const mails = brew(seats);
    const club = await openClub(db, service, dovecot, sink);
    let sent = 0;
    const begun = performance.now();
    const lane = (door: Door, at: number): Mail[] => mails.filter((mail) => mail.door === door && mail.lane === at);
    const lanes = Array.from({ length: LANES }, (_, i) => [
      sendLane(lane('smtp', i), club.port, false, () => sent++),
      sendLane(lane('imap', i), dovecot.lmtpPort, true, () => sent++),
    ]).flat();
    const share = (part: number): Promise<void> =>
      expect.poll(() => sent, { timeout: LONG_MS, interval: 10 }).toBeGreaterThan(MAILS * part);
    const blows = (async () => {
      await share(0.3);
      await dovecot.kill();
      await new Promise((resolve) => setTimeout(resolve, 1000));
      await dovecot.start();
      await share(0.6);
      const port = Number(new URL(postgres.url).port);
      await postgres.stop();
      await new Promise((resolve) => setTimeout(resolve, 1500));
      postgres = await startEmbedded(folder, { port });
    })();
    await Promise.all([...lanes, blows]);
    const sentAfter = performance.now() - begun;
    // Everything that was sent has been read, and every answer has left.
    const left = async (): Promise<number> => {
      const jobs = await tables(db).selectFrom('job').select('id').execute();
      const fresh = await tables(db).selectFrom('mail_in').select('id').where('state', '=', 'new').execute();
      return jobs.length + fresh.length + (await dovecot.count('INBOX'));
    };
    await expect.poll(left, { timeout: LONG_MS, interval: 200 }).toBe(0);
    const doneAfter = performance.now() - begun;

    const counts = await verdicts(db);
    const receipts = await checkReceipts(db, mails, counts);
    expect(await dovecot.count('Rejected')).toBe(0);
    const { out, twice } = await checkOutbox(db, receipts, sink);
    await tables(db).deleteFrom('job').execute();
    for (const seat of seats) checkWinner(seat, receipts, mails);
    for (const gameId of new Set(seats.map((seat) => seat.gameId)))
      expect(await runGame(service, gameId, { force: true })).toMatchObject({ result: 'done' });
    await checkApplied(db, seats, receipts);
    if (process.env.FIELDPOST_STORM)
      console.info(
        `${MAILS} mails, ${seats.length} seats: sent in ${Math.round(sentAfter / 1000)} s, all answered after ${Math.round(doneAfter / 1000)} s; ` +
          `${receipts.length} receipts, ${out} mails out, ${twice} twice; ${JSON.stringify(counts)}`,
      );
    await club.close();
  },
);
