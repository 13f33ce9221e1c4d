/**
 * kill -9 at ten points between SMTP DATA and "mail sent". Afterwards each mail was processed exactly once, each mail of
 * ours left at least once, and twice only where the kill fell between the outer server's 250 and our own commit, then
 * with the same Message-ID.
 */

import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import nodemailer from 'nodemailer';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { tables } from '../../../src/store/db.ts';
import { secretKey } from '../../../src/store/seal.ts';
import { openMail } from '../../../src/store/trust/sealed.ts';
import { type TestDatabase, testDatabase } from '../../helpers/db.ts';
import { BLUE, letter, RED, startRace, type TestService, testService } from '../../helpers/service.ts';
import { type Sink, startSink } from '../../helpers/sink.ts';

const CHILD = fileURLToPath(new URL('../../helpers/crash-child.ts', import.meta.url));
const SECRET = 'a secret for tests that is long enough';

const POINTS = [
  'before storing',
  'stored',
  'read',
  'before filed',
  'filed',
  'adjudicated',
  'phase written',
  'run committed',
  'composed',
  'sent',
];

let database: TestDatabase;
let sink: Sink;
let here: TestService;
beforeAll(async () => {
  database = await testDatabase();
  sink = await startSink();
  here = testService(database.db);
});
afterAll(async () => {
  await sink.close();
  await database.close();
});

interface Victim {
  child: ChildProcess;
  port: number;
  gone: Promise<NodeJS.Signals | null>;
}

/** Loads a victim; it does nothing until `startVictim`. */
function load(): ChildProcess {
  return fork(CHILD, [], {
    execArgv: ['--import', 'tsx'],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      DATABASE_URL: database.url,
      SMTP_URL: sink.url,
      SECRET,
      LOG_LEVEL: 'error',
    },
  });
}

let next: ChildProcess | undefined;

/** Starts the victim that is loaded, and loads the one after it if there is to be one. */
function startVictim(more: boolean): Promise<Victim> {
  const child = next ?? load();
  next = more ? load() : undefined;
  const gone = new Promise<NodeJS.Signals | null>((resolve) => child.once('exit', (_code, signal) => resolve(signal)));
  child.send({ start: true });
  return new Promise((resolve, reject) => {
    child.once('message', (message: { port: number }) => resolve({ child, port: message.port, gone }));
    void gone.then(() => reject(new Error('the victim died before it was up')));
  });
}

async function arm(victim: Victim, crashAt: string): Promise<void> {
  const armed = new Promise((resolve) => victim.child.once('message', resolve));
  victim.child.send({ crashAt });
  await armed;
}

/** Sends a mail as another server would; false when no 250 came, and it would be sent again. */
async function deliver(port: number, raw: string): Promise<boolean> {
  const to = /^To: (\S+)/m.exec(raw)![1]!;
  const transport = nodemailer.createTransport({ host: '127.0.0.1', port, ignoreTLS: true });
  try {
    await transport.sendMail({ raw, envelope: { from: BLUE, to: [to] } });
    return true;
  } catch {
    return false;
  } finally {
    transport.close();
  }
}

/** Waits until nothing is left to do just now. */
async function quiet(): Promise<void> {
  await expect
    .poll(
      async () => {
        const jobs = await tables(database.db)
          .selectFrom('job')
          .select('kind')
          // A job that waited a moment for another to be done alone is still to be done.
          .where('run_at', '<=', new Date(Date.now() + 120_000))
          .execute();
        const fresh = await tables(database.db).selectFrom('mail_in').select('id').where('state', '=', 'new').execute();
        return jobs.length + fresh.length;
      },
      { timeout: 400_000, interval: 50 },
    )
    .toBe(0);
}

test('killed at ten points: nothing lost, nothing twice but in the one gap', { timeout: 480_000 }, async () => {
  const games: { ref: string; gameId: number; mail: string }[] = [];
  for (const _point of POINTS) {
    const race = await startRace(here, { deadlineRule: null });
    await here.receive(letter(RED, race.address.red, [`GAME ${race.ref}`, 'TURN 1', 'RUN FAST', 'FINAL', 'END']));
    const mail = letter(BLUE, race.address.blue, [`GAME ${race.ref}`, 'TURN 1', 'RUN FAST', 'FINAL', 'END']);
    games.push({ ref: race.ref, gameId: race.gameId, mail });
  }
  await here.settle();
  let victim = await startVictim(true);
  for (const [i, point] of POINTS.entries()) {
    const { mail } = games[i]!;
    await quiet();
    await arm(victim, point);
    const taken = await deliver(victim.port, mail);
    expect(await victim.gone, `the victim dies at "${point}"`).toBe('SIGKILL');
    expect(taken, `250 only after the commit ("${point}")`).toBe(i >= 2);
    victim = await startVictim(i < POINTS.length - 1);
    // No 250: the other server sends it again. It also may when it had one and forgot.
    await deliver(victim.port, mail);
  }
  await quiet();
  victim.child.disconnect();
  await victim.gone;
  for (const [i, { gameId }] of games.entries()) {
    const point = POINTS[i]!;
    const phases = await tables(database.db).selectFrom('phase').selectAll().where('game_id', '=', gameId).execute();
    expect(phases.map((phase) => phase.n).sort(), `phases after "${point}"`).toEqual([1, 2]);
    const mails = await tables(database.db).selectFrom('mail_in').selectAll().where('game_id', '=', gameId).execute();
    expect(
      mails.map((row) => row.verdict),
      `mails after "${point}"`,
    ).toEqual(['filed', 'filed']);
    const receipts = await tables(database.db)
      .selectFrom('receipt')
      .selectAll()
      .where('game_id', '=', gameId)
      .execute();
    expect(receipts.map((row) => [row.side, row.number]).sort(), `receipts after "${point}"`).toEqual([
      ['blue', 1],
      ['red', 1],
    ]);
    const out = await tables(database.db)
      .selectFrom('mail_out')
      .selectAll()
      .where('game_id', '=', gameId)
      .where('created_at', '>', new Date('2026-06-01'))
      .execute();
    expect(out.map((row) => `${row.kind} ${row.state}`).sort(), `outbox after "${point}"`).toEqual([
      'receipt sent',
      'report sent',
      'report sent',
    ]);
    const times = out.map((row) => sink.mails.filter((mail) => mail.messageId === row.message_id).length);
    expect(times.sort(), `times each mail left after "${point}"`).toEqual(point === 'sent' ? [1, 1, 2] : [1, 1, 1]);
    for (const row of out)
      for (const mail of sink.mails.filter((one) => one.messageId === row.message_id))
        expect(mail.raw.equals(openMail(secretKey(SECRET), row.raw!)), 'the bytes sent are the bytes archived').toBe(
          true,
        );
  }
});
