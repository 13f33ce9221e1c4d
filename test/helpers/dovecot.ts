/**
 * A real Dovecot for tests: its own folder, free ports on loopback, no Unix users. Needs root and the Debian packages
 * dovecot-core, dovecot-imapd, dovecot-lmtpd.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { ImapFlow } from 'imapflow';
import nodemailer from 'nodemailer';

const BINARY = '/usr/sbin/dovecot';
const READY_MS = 120_000;
/** The mail user's ids: no such Unix user is needed. */
const MAIL_ID = 5000;

/** Whether Dovecot can be run here. Where it can't, tests fail in CI and are skipped, with a word, elsewhere. */
export function dovecotAvailable(): boolean {
  const here = fs.existsSync(BINARY) && process.getuid?.() === 0;
  if (here) return true;
  const how =
    'Dovecot is needed for this test (as root): apt-get install -y --no-install-recommends dovecot-core dovecot-imapd dovecot-lmtpd';
  if (process.env.CI) throw new Error(how);
  console.warn(how);
  return false;
}

export interface Dovecot {
  imapPort: number;
  lmtpPort: number;
  /** `imap://orders:pw@127.0.0.1:port/INBOX` */
  url: string;
  /** A client of the tests' own, connected. */
  client(): Promise<ImapFlow>;
  /** Appends raw mails to the inbox, one after the other. */
  append(mails: readonly Buffer[]): Promise<void>;
  /** Hands raw mails in by LMTP, over one connection. */
  deliver(mails: readonly Buffer[], to?: string): Promise<void>;
  /** The raw mails of a folder. */
  read(folder: string): Promise<Buffer[]>;
  /** The number of mails in a folder. */
  count(folder: string): Promise<number>;
  /** SIGKILL to the server and its children. */
  kill(): Promise<void>;
  /** Starts it again after `kill` on the same ports and mail. */
  start(): Promise<void>;
  /** SIGSTOP to everything; `thaw` lets it run again. */
  freeze(): void;
  thaw(): void;
  /** Forgets the numbering of the inbox: the next session sees a new UIDVALIDITY. */
  renumber(): void;
  /** Failed logins so far. */
  failedLogins(): number;
  stop(): Promise<void>;
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = net.createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as net.AddressInfo;
      server.close(() => resolve(port));
    });
  });
}

function configuration(dir: string, imapPort: number, lmtpPort: number): string {
  return `
base_dir = ${dir}/run
log_path = ${dir}/dovecot.log
protocols = imap lmtp
listen = 127.0.0.1
ssl = no
disable_plaintext_auth = no
auth_mechanisms = plain login
auth_username_format = %Ln
auth_verbose = yes
auth_failure_delay = 0
first_valid_uid = 1000
mail_location = maildir:~/Maildir
mail_fsync = never
mail_max_userip_connections = 100
default_process_limit = 50
passdb {
  driver = passwd-file
  args = scheme=PLAIN username_format=%n ${dir}/users
}
userdb {
  driver = static
  args = uid=${MAIL_ID} gid=${MAIL_ID} home=${dir}/mail/%n
}
namespace inbox {
  inbox = yes
  separator = /
  mailbox Processed {
    auto = create
  }
  mailbox Rejected {
    auto = create
  }
}
service imap-login {
  inet_listener imap {
    address = 127.0.0.1
    port = ${imapPort}
  }
  inet_listener imaps {
    port = 0
  }
}
service lmtp {
  inet_listener lmtp {
    address = 127.0.0.1
    port = ${lmtpPort}
  }
}
protocol lmtp {
  recipient_delimiter = +
  postmaster_address = postmaster@pbem.example.org
}
`;
}

/** Processes of this instance: the master and all its children. */
function processesOf(master: number): number[] {
  const table = execFileSync('ps', ['-eo', 'pid=,ppid='], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number));
  const family = [master];
  for (const [pid, parent] of table) if (parent === master) family.push(pid!);
  return family;
}

function signalAll(pids: readonly number[], name: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, name);
    } catch {
      // It has ended already.
    }
  }
}

async function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = net.connect(port, '127.0.0.1');
    const done = (up: boolean): void => {
      socket.destroy();
      resolve(up);
    };
    socket.once('data', () => done(true));
    socket.once('error', () => done(false));
    setTimeout(() => done(false), 2000).unref();
  });
}

/** Starts a Dovecot of its own with the one mailbox `orders`, password `pw`. */
export async function startDovecot(): Promise<Dovecot> {
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'dovecot-'));
  fs.chmodSync(dir, 0o755);
  for (const name of ['run', 'mail']) fs.mkdirSync(path.join(dir, name), { mode: 0o755 });
  fs.chownSync(path.join(dir, 'mail'), MAIL_ID, MAIL_ID);
  fs.writeFileSync(path.join(dir, 'users'), 'orders:{PLAIN}pw::::::\n');
  const [imapPort, lmtpPort] = [await freePort(), await freePort()];
  fs.writeFileSync(path.join(dir, 'dovecot.conf'), configuration(dir, imapPort, lmtpPort));
  let server: ChildProcess | undefined;
  const pids = (): number[] => (server?.pid === undefined ? [] : processesOf(server.pid));

  const start = async (): Promise<void> => {
    server = spawn(BINARY, ['-F', '-c', path.join(dir, 'dovecot.conf')], { stdio: 'ignore' });
    const until = Date.now() + READY_MS;
    while (!((await answers(imapPort)) && (await answers(lmtpPort)))) {
      if (Date.now() > until)
        throw new Error(`Dovecot did not start: ${fs.readFileSync(path.join(dir, 'dovecot.log'), 'utf8')}`);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  };
  const end = async (name: NodeJS.Signals): Promise<void> => {
    const old = server;
    if (!old || old.exitCode !== null) return;
    const gone = new Promise((resolve) => old.once('exit', resolve));
    const family = pids();
    signalAll(family, 'SIGCONT');
    signalAll(name === 'SIGKILL' ? family : [old.pid!], name);
    await gone;
    server = undefined;
  };
  const client = async (): Promise<ImapFlow> => {
    const imap = new ImapFlow({
      host: '127.0.0.1',
      port: imapPort,
      secure: false,
      doSTARTTLS: false,
      auth: { user: 'orders', pass: 'pw' },
      logger: false,
      disableAutoIdle: true,
    });
    imap.on('error', () => {});
    await imap.connect();
    return imap;
  };
  const withClient = async <T>(work: (imap: ImapFlow) => Promise<T>): Promise<T> => {
    const imap = await client();
    try {
      return await work(imap);
    } finally {
      await imap.logout().catch(() => {});
    }
  };
  process.once('exit', () => signalAll(pids(), 'SIGKILL'));
  await start();
  return {
    imapPort,
    lmtpPort,
    url: `imap://orders:pw@127.0.0.1:${imapPort}/INBOX`,
    client,
    append: (mails) =>
      withClient(async (imap) => {
        for (const raw of mails) await imap.append('INBOX', raw);
      }),
    deliver: async (mails, to = 'orders@pbem.example.org') => {
      const transport = nodemailer.createTransport({
        host: '127.0.0.1',
        port: lmtpPort,
        lmtp: true,
        ignoreTLS: true,
        pool: true,
        maxConnections: 1,
      });
      try {
        for (const raw of mails) {
          const nobody = raw.subarray(0, 200).includes('Return-Path: <>');
          await transport.sendMail({ raw, envelope: { from: nobody ? '' : 'player@example.com', to } });
        }
      } finally {
        transport.close();
      }
    },
    read: (folder) =>
      withClient(async (imap) => {
        const lock = await imap.getMailboxLock(folder);
        try {
          if (!imap.mailbox || imap.mailbox.exists === 0) return [];
          const mails = await imap.fetchAll('1:*', { uid: true, source: true });
          return mails.sort((a, b) => a.uid - b.uid).map((mail) => mail.source!);
        } finally {
          lock.release();
        }
      }),
    count: (folder) =>
      withClient(async (imap) => {
        const status = await imap.status(folder, { messages: true });
        return status ? (status.messages ?? 0) : 0;
      }),
    kill: () => end('SIGKILL'),
    start,
    freeze: () => signalAll(pids(), 'SIGSTOP'),
    thaw: () => signalAll(pids(), 'SIGCONT'),
    renumber: () => {
      for (const name of [
        'dovecot-uidlist',
        'dovecot.index',
        'dovecot.index.log',
        'dovecot.index.cache',
        'dovecot-uidvalidity',
      ])
        fs.rmSync(path.join(dir, 'mail/orders/Maildir', name), { force: true });
    },
    failedLogins: () =>
      (fs.readFileSync(path.join(dir, 'dovecot.log'), 'utf8').match(/password mismatch/gi) ?? []).length,
    stop: async () => {
      await end('SIGTERM');
      fs.rmSync(dir, { recursive: true, force: true });
    },
  };
}
