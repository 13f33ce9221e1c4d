/**
 * The servers that test/bench/intake.ts measures, each in a process of its own: `bare` writes and syncs a file a mail,
 * `store` is our listener and store alone, `whole` the service with workers and an Overlord game.
 */
import { randomUUID } from 'node:crypto';
import fs from 'node:fs/promises';
import path from 'node:path';
import { SMTPServer } from 'smtp-server';
import { readConfig } from '../../src/config.ts';
import { startListener } from '../../src/mail/doors/smtpd.ts';
import { openService, startService } from '../../src/main.ts';
import { tables } from '../../src/store/db.ts';
import { gameById, seatsOf } from '../../src/store/games.ts';
import { acceptMail } from '../../src/turn/intake/accept.ts';
import { createGame } from '../../src/turn/phase/newgame.ts';
import { runGame } from '../../src/turn/phase/run.ts';
import { addressOfSeat } from '../../src/turn/seats.ts';
import { tinyScenarios } from '../helpers/service.ts';

const [mode, folder] = process.argv.slice(2) as [string, string];
const ANY_TOKEN = `orders+${'a'.repeat(20)}@club.example`;
const MANY = 1_000_000;

async function bare(): Promise<() => Promise<void>> {
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    logger: false,
    onData(stream, _session, callback) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', async () => {
        const file = await fs.open(path.join(folder, randomUUID()), 'w');
        await file.writeFile(Buffer.concat(chunks));
        await file.sync();
        await file.close();
        callback();
      });
    },
  });
  const opened = server.listen(0, '127.0.0.1', () => {
    const address = opened.address();
    process.send?.({ port: typeof address === 'object' && address ? address.port : 0, address: ANY_TOKEN });
  });
  return () => new Promise((resolve) => server.close(() => resolve()));
}

async function store(): Promise<() => Promise<void>> {
  const config = readConfig({ DATA_DIR: folder, LOG_LEVEL: 'error', ...binaries() });
  const { service, close } = await openService(config, { scenarios: tinyScenarios(), owner: true });
  const limits = Object.fromEntries(
    ['overall', 'host', 'sender', 'recipient'].flatMap((name) => [
      [`${name}PerMinute`, MANY],
      [`${name}Burst`, MANY],
    ]),
  );
  const listener = await startListener({
    host: '127.0.0.1',
    port: 0,
    lmtp: false,
    ownDomain: 'club.example',
    limits,
    log: service.log,
    async onMail(raw, envelope) {
      await acceptMail(service, raw, service.now(), { door: 'smtp', envelope });
    },
  });
  process.send?.({ port: listener.port, address: ANY_TOKEN });
  return async () => {
    await listener.close();
    await close();
  };
}

async function whole(): Promise<() => Promise<void>> {
  const running = await startService(
    readConfig({
      DATA_DIR: folder,
      HTTP_PORT: '0',
      SMTPD_PORT: '0',
      SMTP_URL: process.env.SMTP_URL,
      LOG_LEVEL: 'error',
      ...binaries(),
    }),
  );
  const { service } = running;
  const game = await createGame(service, {
    scenarioId: 'overlord/campaign',
    seats: [
      { side: 'german', address: 'anna@players.example', name: 'Anna' },
      { side: 'allied', address: 'ben@players.example', name: 'Ben' },
    ],
    by: 'bench',
    door: 'bench',
  });
  await runGame(service, game.id, { force: true });
  // The reports of the start are on their way; measure after them.
  for (;;) {
    const left = await tables(service.db).selectFrom('mail_out').select('id').where('state', '=', 'queued').execute();
    if (left.length === 0) break;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  const seats = await seatsOf(service.db, (await gameById(service.db, game.id)).id);
  process.send?.({
    port: running.smtpPort,
    address: addressOfSeat(service, seats.find((seat) => seat.side === 'german')!),
  });
  return () => running.close();
}

function binaries(): Record<string, string> {
  return process.env.FIELDPOST_PG_BIN ? { FIELDPOST_PG_BIN: process.env.FIELDPOST_PG_BIN } : {};
}

const close = await { bare, store, whole }[mode as 'bare' | 'store' | 'whole']();
process.on('message', async () => {
  await close();
  process.exit(0);
});
