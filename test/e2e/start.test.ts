/** The service as an operator meets it: what stops a start, and that it starts, stops and starts again. */
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../helpers/db.ts';

const CLI = fileURLToPath(new URL('../../src/cli.ts', import.meta.url));
let folder: string;
let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'fieldpost-start-'));
});
afterAll(async () => {
  await database.close();
  fs.rmSync(folder, { recursive: true, force: true });
});

interface Run {
  out: string;
  err: string;
  code: number | null;
}

/** Starts `fieldpost` with nothing in the environment but what is given. */
function fieldpost(
  args: string[],
  env: Record<string, string>,
  hears?: (out: string, kill: () => void) => void,
): Promise<Run> {
  const child = spawn(process.execPath, ['--import', 'tsx', CLI, ...args], {
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      DATA_DIR: path.join(folder, 'data'),
      HTTP_PORT: '0',
      SMTPD_PORT: '0',
      ...(process.env.FIELDPOST_PG_BIN ? { FIELDPOST_PG_BIN: process.env.FIELDPOST_PG_BIN } : {}),
      ...env,
    },
  });
  const run: Run = { out: '', err: '', code: null };
  child.stdout.on('data', (chunk: Buffer) => {
    run.out += chunk.toString();
    hears?.(run.out, () => child.kill('SIGTERM'));
  });
  child.stderr.on('data', (chunk: Buffer) => {
    run.err += chunk.toString();
  });
  return new Promise((resolve) => child.once('exit', (code) => resolve({ ...run, code })));
}

const stopWhenUp = (out: string, kill: () => void): void => {
  if (out.includes('Fieldpost is up')) kill();
};

/** Somebody else's port. */
async function withPort<T>(work: (port: number) => Promise<T>): Promise<T> {
  const server = net.createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    return await work((server.address() as net.AddressInfo).port);
  } finally {
    server.close();
  }
}

describe('a bad environment gives clear lines and a non-zero exit', () => {
  test.each([
    ['a bad value', { HTTP_PORT: 'eighty' }, /^HTTP_PORT must be a whole number from 0 to 65535, not "eighty"$/],
    [
      'a database that is down',
      { DATABASE_URL: 'postgres://a:hunter2@127.0.0.1:1/x' },
      /^the database at 127\.0\.0\.1:1 does not answer: ECONNREFUSED/,
    ],
    ['an unreadable data folder', { DATA_DIR: '/dev/null/data' }, /^DATA_DIR \/dev\/null\/data can't be used: /],
  ])('%s', { timeout: 400_000 }, async (_name, env, line) => {
    const run = await fieldpost(['serve'], env as unknown as Record<string, string>);
    expect(run.code).toBe(1);
    expect(run.err.trim().split('\n')).toHaveLength(1);
    expect(run.err.trim()).toMatch(line);
    expect(run.err).not.toContain('hunter2');
    expect(run.out).toBe('');
  });

  test.each(['SMTPD_PORT', 'HTTP_PORT'])('%s taken', { timeout: 400_000 }, async (setting) => {
    await withPort(async (port) => {
      const run = await fieldpost(['serve'], {
        DATABASE_URL: database.url,
        SECRET: 'x'.repeat(40),
        [setting]: String(port),
      });
      expect(run.code).toBe(1);
      expect(`${run.out}${run.err}`.trim().split('\n')).toHaveLength(1);
      expect(run.err.trim()).toMatch(new RegExp(`can't use 127\\.0\\.0\\.1:${port}: EADDRINUSE[^\n]*$`));
    });
  });

  test('another secret than the one the database knows', { timeout: 400_000 }, async () => {
    const run = await fieldpost(['migrate'], { DATABASE_URL: database.url, SECRET: 'y'.repeat(40) });
    expect([run.code, run.err.trim()]).toEqual([1, 'SECRET is not the one that this database was made with']);
  });
});

test('first start, clean stop, second start on the same folder', { timeout: 400_000 }, async () => {
  const first = await fieldpost(['serve'], { LOG_LEVEL: 'error' }, stopWhenUp);
  expect(first).toMatchObject({ code: 0, err: '' });
  expect(first.out).toMatch(/The demo game [A-Z]{3}-0001 is running/);
  expect(fs.existsSync(path.join(folder, 'data', 'postgres', 'postmaster.pid'))).toBe(false);
  const second = await fieldpost(['serve'], { LOG_LEVEL: 'error' }, stopWhenUp);
  expect(second).toMatchObject({ code: 0, err: '' });
  expect(second.out).toMatch(/The demo game [A-Z]{3}-0001 is running/);
});

test('serve --help shows every setting', { timeout: 400_000 }, async () => {
  const run = await fieldpost(['serve', '--help'], {});
  expect(run.code).toBe(0);
  for (const name of ['DATABASE_URL', 'SMTP_URL', 'SECRET', 'DEMO']) expect(run.out).toContain(name);
});
