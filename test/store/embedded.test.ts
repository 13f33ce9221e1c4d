import { type ChildProcess, fork } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { closeDb, openDb, tables } from '../../src/store/db.ts';
import { findBinaries, startEmbedded } from '../../src/store/embedded.ts';

const HOLDER = fileURLToPath(new URL('../helpers/hold-postgres.ts', import.meta.url));
const bin = process.env.FIELDPOST_PG_BIN;
let folder: string;
beforeAll(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'fieldpost-embedded-'));
});
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

/** A process that starts the server and then only waits to be killed. */
function holder(): Promise<{ child: ChildProcess; url: string }> {
  const child = fork(HOLDER, [folder], { execArgv: ['--import', 'tsx'] });
  return new Promise((resolve) =>
    child.once('message', (message: { url: string }) => resolve({ child, url: message.url })),
  );
}

test('a server that outlived its killed parent is adopted with everything in it, then stopped', {
  timeout: 400_000,
}, async () => {
  const { child } = await holder();
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await gone;
  const server = await startEmbedded(folder, { bin });
  expect(server.adopted).toBe(true);
  const db = openDb(server.url);
  expect((await sql<{ n: number }>`select n from left_behind`.execute(tables(db))).rows).toEqual([{ n: 7 }]);
  const settings = await sql<{ name: string; setting: string }>`select name, setting from pg_settings
    where name in ('fsync', 'listen_addresses', 'full_page_writes') order by name`.execute(tables(db));
  expect(settings.rows.map((row) => row.setting)).toEqual(['on', 'on', '127.0.0.1']);
  await closeDb(db);
  await server.stop();
  const again = await startEmbedded(folder, { bin });
  expect(again.adopted).toBe(false);
  await again.stop();
});

test('nobody gets in without the password, which only the owner may read', { timeout: 400_000 }, async () => {
  const server = await startEmbedded(folder, { bin });
  const open = new URL(server.url);
  open.password = 'guessed';
  const db = openDb(open.href);
  await expect(sql`select 1`.execute(tables(db))).rejects.toThrow(/password authentication failed/);
  await closeDb(db);
  await server.stop();
  expect(fs.statSync(path.join(folder, 'postgres-password')).mode & 0o777).toBe(0o600);
});

test('a folder of another version, and a folder without binaries, are named in one line', async () => {
  expect(() => findBinaries(folder)).toThrow(`no PostgreSQL binaries in ${folder}`);
  const other = fs.mkdtempSync(path.join(os.tmpdir(), 'fieldpost-version-'));
  fs.mkdirSync(path.join(other, 'postgres'));
  fs.writeFileSync(path.join(other, 'postgres', 'PG_VERSION'), '9\n');
  await expect(startEmbedded(other, { bin })).rejects.toThrow(/belongs to PostgreSQL 9/);
  fs.rmSync(other, { recursive: true });
});
