/**
 * The back door: takes mail out of an IMAP mailbox. A mail is fetched, handed over, and only then moved to Processed or
 * Rejected; everything still in the inbox is looked at again after each reconnect, so nothing is lost and a second fetch
 * of the same mail is left to the receiver to recognise.
 */
import { randomInt } from 'node:crypto';
import { type FetchMessageObject, ImapFlow } from 'imapflow';
import type { Log } from '../log.ts';
import { isLoopback } from './smtp.ts';

/** Mails and bytes fetched at a time. */
const BATCH_MAILS = 200;
const BATCH_BYTES = 8 * 1024 * 1024;
/** Mails whose sizes and times are asked at once, and in one look at the inbox; the rest waits for the next. */
const LISTED_BATCH = 1000;
const LISTED_MAX = 20_000;
const POLL_SECONDS = 60;
/** A command without an answer for so long means that the server is gone. */
const ANSWER_SECONDS = 60;
const BACKOFF_FIRST_MS = 1000;
const BACKOFF_MOST_MS = 60_000;
/** After a refused login: no deadline runs meanwhile, so a provider's hiccup must not last longer than it does. */
const REFUSED_MS = 60_000;
/** A mail that failed so often while others went through is set aside. */
const FAILURES_MAX = 2;
/** Bytes of an oversized mail that are shown to `onOversize`. */
const HEAD_BYTES = 64 * 1024;
const LINE_BYTES_MAX = 4 * 1024 * 1024;

type ImapState = 'connecting' | 'idle' | 'down' | 'auth-failed';

export interface ImapOptions {
  /** `imaps://user:password@host/INBOX`; `imap://` uses STARTTLS, which is required unless the host is this machine. */
  url: string;
  log: Log;
  /** Resolves once the mail is safe; rejects to have it handed over again later. */
  onMail(raw: Buffer, receivedAt: Date): Promise<'done' | 'rejected'>;
  /** Called with the headers of a mail that is moved to Rejected unread. */
  onOversize?(head: Buffer, receivedAt: Date, size: number): Promise<void>;
  /** Bytes; larger mails are never fetched. */
  sizeMax: number;
  pollSeconds?: number;
  answerSeconds?: number;
  backoff?: { firstMs: number; mostMs: number };
  now?: () => Date;
  /** Called once for a refused login, until one succeeds. The message holds no password. */
  onAuthFailure(message: string): void;
  /** The inbox was read to its end: everything in it at that moment has been handed over. */
  onRead?(at: Date): void;
  /** The inbox can't be read, or not to its end; called again at each try. */
  onTrouble?(why: string): void;
}

export interface ImapIntake {
  close(): Promise<void>;
  state(): ImapState;
  /** Resolves when everything that was in the inbox at the first connection has been handed over. */
  drained(): Promise<void>;
  /** Looks at the inbox at once. */
  look(): void;
}

/** Mutable facts of one intake, over all its connections. */
interface Intake {
  options: ImapOptions;
  state: ImapState;
  closing: boolean;
  client: ImapFlow | undefined;
  /** Wakes the waiting loop. */
  wake: () => void;
  /** Something came while nobody waited. */
  dirty: boolean;
  uidValidity: bigint | undefined;
  /** Handed over but not yet moved away; good for one UIDVALIDITY. */
  handled: Map<number, 'Processed' | 'Rejected'>;
  failures: Map<number, number>;
  firstScan: () => void;
}

/** Starts taking mail; reconnects for ever until closed. */
export function startImap(options: ImapOptions): ImapIntake {
  let firstScan = (): void => {};
  const drained = new Promise<void>((resolve) => {
    firstScan = resolve;
  });
  const intake: Intake = {
    options,
    state: 'connecting',
    closing: false,
    client: undefined,
    wake: () => {},
    dirty: false,
    uidValidity: undefined,
    handled: new Map(),
    failures: new Map(),
    firstScan,
  };
  const running = run(intake);
  return {
    state: () => intake.state,
    drained: () => drained,
    look: () => signal(intake),
    async close() {
      intake.closing = true;
      signal(intake);
      await running;
    },
  };
}

function signal(intake: Intake): void {
  intake.dirty = true;
  intake.wake();
}

async function run(intake: Intake): Promise<void> {
  const { firstMs, mostMs } = intake.options.backoff ?? { firstMs: BACKOFF_FIRST_MS, mostMs: BACKOFF_MOST_MS };
  let failed = 0;
  let told = false;
  while (!intake.closing) {
    intake.state = intake.state === 'auth-failed' ? 'auth-failed' : 'connecting';
    const outcome = await session(intake, () => {
      failed = 0;
      told = false;
    });
    if (intake.closing) break;
    intake.options.onTrouble?.(outcome.text);
    let wait = jitter(Math.min(mostMs, firstMs * 2 ** Math.min(failed, 20)));
    failed++;
    if (outcome.refused) {
      intake.state = 'auth-failed';
      wait = jitter(REFUSED_MS);
      if (!told) intake.options.onAuthFailure(outcome.text);
      told = true;
    } else {
      intake.state = 'down';
      intake.options.log.warn({ reason: outcome.text, retryMs: wait }, 'the connection to the IMAP server is lost');
    }
    await pause(intake, wait);
  }
  intake.state = 'down';
}

/** Between a half and the whole of the time, so that many clients don't come back at once. */
function jitter(milliseconds: number): number {
  return Math.floor(milliseconds / 2) + randomInt(Math.max(1, Math.ceil(milliseconds / 2)));
}

/** Waits for the time to pass or for a close. */
async function pause(intake: Intake, milliseconds: number): Promise<void> {
  const until = Date.now() + milliseconds;
  while (!intake.closing && Date.now() < until) await nextSignal(intake, until - Date.now());
}

function nextSignal(intake: Intake, milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => intake.wake(), Math.max(1, milliseconds));
    intake.wake = () => {
      clearTimeout(timer);
      intake.wake = () => {};
      resolve();
    };
    if (intake.closing) intake.wake();
  });
}

/** One connection from login to loss. Never throws. */
async function session(intake: Intake, connected: () => void): Promise<{ refused: boolean; text: string }> {
  let client: ImapFlow;
  try {
    client = newClient(intake.options);
  } catch (error) {
    return { refused: false, text: String(error) };
  }
  intake.client = client;
  let lost = '';
  client.on('error', (error: Error) => {
    lost ||= error.message;
  });
  client.on('close', () => {
    lost ||= 'closed by the server';
    signal(intake);
  });
  client.on('exists', () => signal(intake));
  try {
    await answered(intake, client, () => client.connect());
    connected();
    const folder = decodeURIComponent(new URL(intake.options.url).pathname.slice(1)) || 'INBOX';
    await ensureFolders(intake, client);
    const lock = await answered(intake, client, () => client.getMailboxLock(folder));
    try {
      await attend(intake, client, () => lost === '' && client.usable);
    } finally {
      lock.release();
    }
    return { refused: false, text: lost };
  } catch (error) {
    const refusal = error as { authenticationFailed?: boolean; serverResponseCode?: string; message?: string };
    const refused = refusal.authenticationFailed === true && refusal.serverResponseCode !== 'UNAVAILABLE';
    return { refused, text: lost || (refusal.message ?? String(error)) };
  } finally {
    intake.client = undefined;
    await quit(client);
  }
}

async function quit(client: ImapFlow): Promise<void> {
  if (client.usable)
    await Promise.race([client.logout().catch(() => {}), new Promise((resolve) => setTimeout(resolve, 1000))]);
  client.close();
}

function newClient(options: ImapOptions): ImapFlow {
  const url = new URL(options.url);
  const secure = url.protocol === 'imaps:';
  const answerMs = (options.answerSeconds ?? ANSWER_SECONDS) * 1000;
  const pollMs = (options.pollSeconds ?? POLL_SECONDS) * 1000;
  return new ImapFlow({
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? (secure ? 993 : 143) : Number(url.port),
    secure,
    ...(secure ? {} : { doSTARTTLS: !isLoopback(url.hostname) }),
    auth: { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) },
    logger: false,
    disableAutoIdle: true,
    connectionTimeout: answerMs,
    greetingTimeout: answerMs,
    socketTimeout: answerMs + 2 * pollMs,
    maxLineLength: LINE_BYTES_MAX,
    maxLiteralSize: options.sizeMax + HEAD_BYTES,
    maxResponseSize: options.sizeMax + HEAD_BYTES + LINE_BYTES_MAX,
  });
}

/** Runs a command; a server that doesn't answer in time is gone, and the connection with it. */
async function answered<T>(intake: Intake, client: ImapFlow, command: () => Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => {
        reject(new Error('the IMAP server does not answer'));
        client.close();
      },
      (intake.options.answerSeconds ?? ANSWER_SECONDS) * 1000,
    );
  });
  try {
    return await Promise.race([command(), late]);
  } finally {
    clearTimeout(timer);
  }
}

async function ensureFolders(intake: Intake, client: ImapFlow): Promise<void> {
  const folders = await answered(intake, client, () => client.list());
  for (const name of ['Processed', 'Rejected']) {
    if (folders.some((folder) => folder.path === name || folder.name === name)) continue;
    await answered(intake, client, () => client.mailboxCreate(name));
  }
}

/** Scans the inbox at once, after each push and at each poll. Returns when the connection is lost or closed. */
async function attend(intake: Intake, client: ImapFlow, alive: () => boolean): Promise<void> {
  const pollMs = (intake.options.pollSeconds ?? POLL_SECONDS) * 1000;
  while (!intake.closing && alive()) {
    const validity = client.mailbox ? client.mailbox.uidValidity : undefined;
    if (validity !== intake.uidValidity) {
      if (intake.uidValidity !== undefined)
        intake.options.log.warn({ uidValidity: String(validity) }, 'the inbox was renumbered and is read anew');
      intake.handled.clear();
      intake.failures.clear();
      intake.uidValidity = validity;
    }
    intake.dirty = false;
    const asked = (intake.options.now ?? (() => new Date()))();
    const clean = await scan(intake, client);
    if (clean) {
      intake.firstScan();
      intake.options.onRead?.(asked);
    } else intake.options.onTrouble?.('a mail could not be stored');
    if (intake.closing || !alive()) return;
    intake.state = 'idle';
    if (intake.dirty) continue;
    // A push, the poll or a close ends the wait; the next command ends IDLE by itself.
    client.idle().catch(() => {});
    await nextSignal(intake, clean ? pollMs : Math.min(pollMs, retryMs(intake)));
  }
}

/** How long a mail that could not be stored waits: longer with every failure. */
function retryMs(intake: Intake): number {
  const { firstMs, mostMs } = intake.options.backoff ?? { firstMs: BACKOFF_FIRST_MS, mostMs: BACKOFF_MOST_MS };
  const failures = Math.max(0, ...intake.failures.values());
  return jitter(Math.min(mostMs, firstMs * 2 ** Math.min(failures, 20)));
}

interface Listed {
  uid: number;
  size: number;
  receivedAt: Date;
}

/** Hands over everything in the inbox, oldest first. True when nothing is left behind. */
async function scan(intake: Intake, client: ImapFlow): Promise<boolean> {
  const found = await answered(intake, client, () => client.search({ all: true }, { uid: true }));
  const uids = (Array.isArray(found) ? found : []).sort((a, b) => a - b);
  const present = new Set(uids);
  for (const uid of intake.handled.keys()) if (!present.has(uid)) intake.handled.delete(uid);
  const open = uids.filter((uid) => !intake.handled.has(uid));
  const listed: Listed[] = [];
  for (let at = 0; at < open.length && at < LISTED_MAX && !intake.closing; at += LISTED_BATCH)
    listed.push(...(await list(intake, client, open.slice(at, at + LISTED_BATCH))));
  // By order of receipt: in a burst a server may number mails otherwise than they came.
  listed.sort((a, b) => a.receivedAt.getTime() - b.receivedAt.getTime() || a.uid - b.uid);
  let clean = open.length <= LISTED_MAX;
  for (let at = 0; at < listed.length && !intake.closing; at += BATCH_MAILS) {
    const fitting: Listed[] = [];
    for (const entry of listed.slice(at, at + BATCH_MAILS)) {
      if (entry.size <= intake.options.sizeMax) fitting.push(entry);
      else await setAside(intake, client, entry);
    }
    if (!(await handOver(intake, client, fitting))) {
      clean = false;
      break;
    }
    await moveHandled(intake, client);
  }
  await moveHandled(intake, client);
  return clean;
}

async function list(intake: Intake, client: ImapFlow, uids: readonly number[]): Promise<Listed[]> {
  const query = { uid: true, size: true, internalDate: true } as const;
  const mails = await answered(intake, client, () => client.fetchAll(uids.join(','), query, { uid: true }));
  return mails.map((mail) => ({ uid: mail.uid, size: mail.size ?? 0, receivedAt: receivedAt(intake, mail) }));
}

function receivedAt(intake: Intake, mail: FetchMessageObject): Date {
  const date = mail.internalDate === undefined ? undefined : new Date(mail.internalDate);
  return date && !Number.isNaN(date.getTime()) ? date : (intake.options.now ?? (() => new Date()))();
}

/** An oversized mail: its headers may be looked at, the mail itself is never fetched. */
async function setAside(intake: Intake, client: ImapFlow, entry: Listed): Promise<void> {
  intake.options.log.warn({ uid: entry.uid, size: entry.size }, 'a mail is too large and was not read');
  if (intake.options.onOversize) {
    const query = { uid: true, source: { maxLength: HEAD_BYTES } } as const;
    const mail = await answered(intake, client, () => client.fetchOne(String(entry.uid), query, { uid: true }));
    const start = mail ? (mail.source ?? Buffer.alloc(0)) : Buffer.alloc(0);
    const end = start.indexOf('\r\n\r\n');
    await intake.options.onOversize(end < 0 ? start : start.subarray(0, end + 4), entry.receivedAt, entry.size);
  }
  intake.handled.set(entry.uid, 'Rejected');
}

/** Parts a list by bytes, so that no more than a few megabytes are in memory. */
function portions(entries: readonly Listed[]): Listed[][] {
  const portionsOf: Listed[][] = [];
  let bytes = 0;
  for (const entry of entries) {
    const last = portionsOf.at(-1);
    if (last && bytes + entry.size <= BATCH_BYTES) last.push(entry);
    else {
      portionsOf.push([entry]);
      bytes = 0;
    }
    bytes += entry.size;
  }
  return portionsOf;
}

/** Fetches and hands over. The next portion is fetched while this one is worked on. False when a mail is to be tried again. */
async function handOver(intake: Intake, client: ImapFlow, entries: readonly Listed[]): Promise<boolean> {
  const parts = portions(entries);
  const fetching = (at: number): Promise<Map<number, Buffer>> | undefined => {
    const part = parts[at];
    const work = part && sources(intake, client, part);
    // A failed fetch is met where it is awaited.
    work?.catch(() => {});
    return work;
  };
  let next = fetching(0);
  let stuck: { uid: number; source: Buffer; when: Date } | undefined;
  for (let at = 0; at < parts.length && !intake.closing; at++) {
    const fetched = await next!;
    next = fetching(at + 1);
    for (const { uid, receivedAt: when } of parts[at]!) {
      const source = fetched.get(uid);
      if (source === undefined || intake.closing) continue;
      const verdict = await handOne(intake, uid, source, when);
      if (verdict) {
        intake.handled.set(uid, verdict);
        intake.failures.delete(uid);
        // The store works: what fails before and after that is to blame itself.
        if (stuck) {
          const again = await handOne(intake, stuck.uid, stuck.source, stuck.when);
          if (again) intake.handled.set(stuck.uid, again);
          else setPoisonAside(intake, stuck.uid);
          intake.failures.delete(stuck.uid);
        }
        stuck = undefined;
        continue;
      }
      // Two in a row mean that the store is down: stop, keep the order, come back.
      if (stuck !== undefined || (intake.failures.get(uid) ?? 0) < FAILURES_MAX) {
        await next?.catch(() => {});
        return false;
      }
      stuck = { uid, source, when };
    }
  }
  return stuck === undefined && !intake.closing;
}

async function handOne(
  intake: Intake,
  uid: number,
  source: Buffer,
  when: Date,
): Promise<'Processed' | 'Rejected' | undefined> {
  try {
    return (await intake.options.onMail(source, when)) === 'done' ? 'Processed' : 'Rejected';
  } catch (error) {
    intake.failures.set(uid, (intake.failures.get(uid) ?? 0) + 1);
    intake.options.log.error({ uid, error: String(error) }, 'a mail could not be stored and stays in the inbox');
    return undefined;
  }
}

function setPoisonAside(intake: Intake, uid: number): void {
  intake.options.log.error({ uid }, 'a mail failed again and again while others went through; it is set aside');
  intake.handled.set(uid, 'Rejected');
  intake.failures.delete(uid);
}

async function sources(intake: Intake, client: ImapFlow, part: readonly Listed[]): Promise<Map<number, Buffer>> {
  const query = { uid: true, source: { maxLength: intake.options.sizeMax + 1 } };
  const range = part.map((entry) => entry.uid).join(',');
  const mails = await answered(intake, client, () => client.fetchAll(range, query, { uid: true }));
  return new Map(mails.flatMap((mail) => (mail.source ? [[mail.uid, mail.source] as const] : [])));
}

/** Moves in bulk what was handed over. A failed move is tried again at the next scan; the mail isn't fetched again. */
async function moveHandled(intake: Intake, client: ImapFlow): Promise<void> {
  for (const folder of ['Processed', 'Rejected'] as const) {
    const uids = [...intake.handled].filter(([, to]) => to === folder).map(([uid]) => uid);
    if (uids.length === 0) continue;
    const moved = await answered(intake, client, () => client.messageMove(uids.join(','), folder, { uid: true }));
    if (moved) for (const uid of uids) intake.handled.delete(uid);
  }
}
