/** Wires everything: the store, the doors, the workers, the pages. The only place that knows all parts. */
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { pino } from 'pino';
import type { Config } from './config.ts';
import { Fault } from './kernel/assert.ts';
import { MAIL_BYTES_MAX } from './mail/bytes/mime.ts';
import { verifySender } from './mail/doors/auth.ts';
import { demoPost } from './mail/doors/demopost.ts';
import { type ImapIntake, startImap } from './mail/doors/imap.ts';
import { isLoopback, openSender, type Sender } from './mail/doors/smtp.ts';
import { type Listener, startListener } from './mail/doors/smtpd.ts';
import type { Log } from './mail/log.ts';
import { openWording, templateFolders } from './render/words.ts';
import { openScenarios, type ScenarioStore, scenarioFolders } from './scenarios.ts';
import { answers, closeDb, type Db, holdOwner, migrate, openDb } from './store/db.ts';
import { noteTrouble, removeDoor } from './store/doors.ts';
import { type EmbeddedPostgres, startEmbedded } from './store/embedded.ts';
import { serviceValue, setServiceValue } from './store/games.ts';
import { wakeForgotten } from './store/jobs.ts';
import { freeDead, startBeats, thisProcess } from './store/processes.ts';
import { secretKey, secretMark } from './store/seal.ts';
import type { Service } from './turn/context.ts';
import { deedsOf } from './turn/deeds.ts';
import { makeDemo } from './turn/democlub.ts';
import { acceptMail } from './turn/intake/accept.ts';
import { profileOf } from './turn/intake/ourselves.ts';
import { startTime } from './turn/work/brakes.ts';
import { keepDoors, noteRead, openDoor } from './turn/work/doors.ts';
import { startWorker, type Tools } from './turn/work/worker.ts';
import { startWeb, type Web } from './web/server.ts';

const LOCK_WAIT_MS = 10_000;

export interface OpenOptions {
  log?: Log;
  scenarios?: ScenarioStore;
  now?: () => Date;
  randomBytes?: (count: number) => Buffer;
  /** Called with the name of each point at which the process may be killed. */
  at?: (point: string) => void;
  /** Folders of wording and layouts, later ones over earlier ones; else ours and `templates` in the data folder. */
  templates?: readonly string[];
  /** This process is to be the only one on an embedded database. */
  owner?: boolean;
}

export interface Opened {
  service: Service;
  close(): Promise<void>;
}

/** The service without doors or workers: what the operator's verbs use. Throws a Fault with one clear line. */
export async function openService(config: Config, options: OpenOptions = {}): Promise<Opened> {
  const log = options.log ?? makeLog(config);
  makeDataDir(config.dataDir);
  const store = await openStore(config, log, options.owner === true);
  try {
    const { db } = store;
    await migrate(db);
    const secret = secretKey(readSecret(config));
    await checkSecret(db, secret);
    const scenarios = options.scenarios ?? openScenarios(scenarioFolders(config.dataDir));
    const service: Service = {
      config,
      db,
      scenarios,
      wording: openWording('en', options.templates ?? templateFolders(config.dataDir)),
      log,
      now: options.now ?? (() => new Date()),
      randomBytes: options.randomBytes ?? ((count) => randomBytes(count)),
      secret,
      profile: profileOf(config, scenarios),
      at: options.at ?? (() => {}),
      ...(config.dkim ? { dkim: readDkim(config.dkim) } : {}),
    };
    return { service, close: store.close };
  } catch (problem) {
    await store.close();
    throw problem;
  }
}

/** pino, to standard error: standard output belongs to what a verb answers. */
export function makeLog(config: Pick<Config, 'logLevel'>): Log {
  return pino({ level: config.logLevel }, pino.destination({ dest: 2, sync: true }));
}

/** Makes the data folder, or says in one line why it can't be used. */
export function makeDataDir(folder: string): void {
  try {
    fs.mkdirSync(folder, { recursive: true });
    fs.accessSync(folder, fs.constants.R_OK | fs.constants.W_OK | fs.constants.X_OK);
  } catch (problem) {
    throw new Fault(`DATA_DIR ${folder} can't be used: ${reasonOf(problem)}`);
  }
}

function reasonOf(problem: unknown): string {
  const { code, message } = problem as { code?: string; message?: string };
  return [code, message?.split('\n')[0]].filter((part) => part).join(' ') || String(problem);
}

export interface Store {
  db: Db;
  close(): Promise<void>;
}

/** The database alone, as it is: not migrated, nothing checked. */
export async function openStore(config: Config, log: Log, owner: boolean): Promise<Store> {
  let closing = false;
  const onError = (error: Error): void => {
    // A server that is stopped ends its connections: nothing worth a line.
    if (!closing) log.warn({ why: error.message }, 'a connection to the database broke');
  };
  if (config.databaseUrl !== undefined) {
    const db = openDb(config.databaseUrl, { onError });
    try {
      await answers(db);
    } catch (problem) {
      await closeDb(db);
      const { host } = new URL(config.databaseUrl);
      throw new Fault(`the database at ${host || 'DATABASE_URL'} does not answer: ${reasonOf(problem)}`);
    }
    return { db, close: () => closeDb(db) };
  }
  const server = await startOwn(config);
  const db = openDb(server.url, { onError });
  const lock = await holdOwner(db, owner ? LOCK_WAIT_MS : 0);
  if (owner && !lock) {
    await closeDb(db);
    throw new Fault(`another Fieldpost already runs on ${config.dataDir}`);
  }
  return {
    db,
    async close() {
      closing = true;
      // The server is stopped by whoever owns it; a verb that ran beside a service leaves it alone.
      const last = lock ?? (await holdOwner(db, 0));
      await last?.release();
      await closeDb(db);
      if (last) await server.stop();
    },
  };
}

async function startOwn(config: Config): Promise<EmbeddedPostgres> {
  try {
    return await startEmbedded(config.dataDir, { bin: config.postgresBin });
  } catch (problem) {
    if (problem instanceof Fault) throw problem;
    throw new Fault(`PostgreSQL could not be started in ${config.dataDir}: ${reasonOf(problem)}`);
  }
}

/** The secret from the settings, or the one made once in the data folder. */
export function readSecret(config: Pick<Config, 'secret' | 'dataDir'>): string {
  if (config.secret !== undefined) return config.secret;
  const file = path.join(config.dataDir, 'secret');
  if (!fs.existsSync(file)) fs.writeFileSync(file, randomBytes(32).toString('hex'), { mode: 0o600, flag: 'wx' });
  return fs.readFileSync(file, 'utf8').trim();
}

async function checkSecret(db: Db, secret: Buffer): Promise<void> {
  const mark = secretMark(secret);
  const known = await serviceValue(db, 'secret mark');
  if (known === undefined) await setServiceValue(db, 'secret mark', mark);
  else if (known !== mark) throw new Fault('SECRET is not the one that this database was made with');
}

function readDkim(dkim: NonNullable<Config['dkim']>): NonNullable<Service['dkim']> {
  return { domain: dkim.domain, selector: dkim.selector, privateKey: fs.readFileSync(dkim.keyFile, 'utf8') };
}

// ---------------------------------------------------------------------------------------------------------------------

export interface Running {
  service: Service;
  httpPort: number;
  smtpPort: number;
  /** Stops taking mail, finishes what is being done, closes everything. */
  close(): Promise<void>;
}

/** Starts the whole service: doors, workers, pages, and the demo club where it is wanted. */
export async function startService(config: Config, options: OpenOptions = {}): Promise<Running> {
  const { service, close } = await openService(config, { ...options, owner: true });
  const parts: (() => Promise<void> | void)[] = [close];
  const stop = async (): Promise<void> => {
    for (const part of parts.reverse()) await part();
  };
  sayWhoIsBelieved(config, service.log);
  try {
    // Known before anything runs: no deadline does before they have been read.
    await openDoor(service, 'smtp');
    if (config.imapUrl === undefined) await removeDoor(service.db, 'imap');
    else await openDoor(service, 'imap');
    parts.push(startTime(service));
    const imap: { intake?: ImapIntake } = {};
    const hands = await startHands(service, toolsOf(service, parts));
    parts.push(() => hands.stop());
    const listener = await openListener(service);
    parts.push(() => listener.close());
    if (config.imapUrl !== undefined) {
      imap.intake = openImap(service, config.imapUrl);
      const { intake } = imap;
      parts.push(() => intake.close());
    }
    parts.push(keepDoors(service, () => imap.intake?.look()));
    if (config.demo) await makeDemo(service);
    const web = await openWeb(service, listener.port, () => imap.intake?.state());
    parts.push(() => web.close());
    return { service, httpPort: web.port, smtpPort: listener.port, close: stop };
  } catch (problem) {
    await stop();
    throw problem;
  }
}

/** Without a name to believe, what another mail server vouches for proves nobody: the operator should know what follows. */
function sayWhoIsBelieved(config: Config, log: Log): void {
  if (config.authservId !== undefined || (!config.smtpd.lmtp && config.imapUrl === undefined)) return;
  log.warn(
    {},
    'AUTHSERV_ID is not set: no mail by LMTP or IMAP proves its sender, so commands and strangers’ orders are confirmed by a code; set it to the name your mail server writes into Authentication-Results',
  );
}

/** Starts a worker alone, on a shared database. */
export async function startWorkerOnly(config: Config, options: OpenOptions = {}): Promise<{ close(): Promise<void> }> {
  if (config.databaseUrl === undefined) throw new Fault('worker: DATABASE_URL must be set');
  const { service, close } = await openService(config, options);
  const parts: (() => Promise<void> | void)[] = [close];
  parts.push(startTime(service));
  const hands = await startHands(service, toolsOf(service, parts));
  parts.push(() => hands.stop());
  return {
    async close() {
      for (const part of parts.reverse()) await part();
    },
  };
}

function toolsOf(service: Service, parts: (() => Promise<void> | void)[]): Tools {
  const { smtpUrl } = service.config;
  if (smtpUrl === undefined) return { post: null };
  const sender: Sender = openSender({ url: smtpUrl, log: service.log });
  parts.push(() => sender.close());
  return { post: sender };
}

/** Takes jobs, says that it lives, and frees what dead processes had begun: those of this machine at once. */
async function startHands(service: Service, tools: Tools): Promise<{ stop(): Promise<void> }> {
  const { db, log } = service;
  await freeDead(db, [], { silent: false });
  await wakeForgotten(db);
  const pickup = startWorker(service, tools, { process: thisProcess() });
  const beats = startBeats(db, () => pickup.ids(), log);
  return {
    async stop() {
      await pickup.stop();
      await beats.stop();
    },
  };
}

async function openListener(service: Service): Promise<Listener> {
  const { smtpd, club } = service.config;
  const tls =
    smtpd.tlsCert && smtpd.tlsKey
      ? { cert: fs.readFileSync(smtpd.tlsCert), key: fs.readFileSync(smtpd.tlsKey) }
      : undefined;
  try {
    return await startListener({
      host: smtpd.host,
      port: smtpd.port,
      lmtp: smtpd.lmtp,
      ownDomain: club.domain,
      ownMailboxes: service.profile.ownMailboxes,
      ...(tls ? { tls } : {}),
      log: service.log,
      now: service.now,
      async onMail(raw, envelope) {
        // Behind LMTP the outer server has checked the sender; from this machine there is nothing to check.
        const verify = !smtpd.lmtp && !isLoopback(envelope.remoteAddress);
        const checked = smtpd.lmtp
          ? raw
          : (await verifySender(raw, envelope, { receivingHost: service.profile.receivingHost, verify })).raw;
        await acceptMail(service, checked, service.now(), { door: smtpd.lmtp ? 'lmtp' : 'smtp', envelope });
      },
    });
  } catch (problem) {
    throw new Fault(`the mail listener can't use ${smtpd.host}:${smtpd.port}: ${reasonOf(problem)}`);
  }
}

function openImap(service: Service, url: string): ImapIntake {
  const note = (noted: Promise<unknown>): void =>
    void noted.catch((problem: unknown) => service.log.warn({ why: String(problem) }, 'the mailbox could not be kept'));
  return startImap({
    url,
    log: service.log,
    sizeMax: MAIL_BYTES_MAX,
    now: service.now,
    async onMail(raw, receivedAt) {
      await acceptMail(service, raw, receivedAt, { door: 'imap' });
      return 'done';
    },
    async onOversize(head, receivedAt, size) {
      await acceptMail(service, head, receivedAt, { door: 'imap', size });
    },
    onAuthFailure: (message) => service.log.error({ message }, 'IMAP_URL: the server refuses the password'),
    onRead: (at) => note(noteRead(service, 'imap', at)),
    onTrouble: (why) => note(noteTrouble(service.db, 'imap', why)),
  });
}

async function openWeb(service: Service, smtpPort: number, imapState: () => string | undefined): Promise<Web> {
  const { host, port } = service.config.http;
  const deliver = demoPost(service.config.smtpd.host, smtpPort);
  try {
    return await startWeb(service, deedsOf(service), { host, port, smtpPort, imapState, deliver });
  } catch (problem) {
    throw new Fault(`the web pages can't use ${host}:${port}: ${reasonOf(problem)}`);
  }
}
