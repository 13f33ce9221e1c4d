import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { restore, writeBackup } from '../../src/cli/backup.ts';
import { readConfig } from '../../src/config.ts';
import { chainKey } from '../../src/kernel/dice.ts';
import { tables } from '../../src/store/db.ts';
import { chainsOf, gameById, phaseById, phasesOf } from '../../src/store/games.ts';
import { chainRoot, phaseKeys } from '../../src/turn/keys.ts';
import { type TestDatabase, testDatabase } from '../helpers/db.ts';
import { BLUE, letter, RED, startRace, type TestService, testService, textOf } from '../helpers/service.ts';

const SECRET = 'a secret for tests that is long enough';
let old: TestDatabase;
let one: TestService;
let race: Awaited<ReturnType<typeof startRace>>;
let folder: string;
let file: string;

beforeAll(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'fieldpost-backup-'));
  file = path.join(folder, 'club.backup');
  old = await testDatabase();
  one = testService(old.db);
  race = await startRace(one, { deadlineRule: null });
  await one.settle();
  await turn(one);
  await one.receive(letter(BLUE, race.address.blue, ['TURN 2', 'DOCTRINE CAPTURE ASK', 'RUN STEADY', 'FINAL', 'END']));
  await one.receive(letter(RED, race.address.red, ['TURN 2', 'FINAL', 'END']));
  expect((await phasesOf(old.db, race.gameId)).map((phase) => phase.status)).toEqual(['done', 'waiting']);
  await writeBackup(old.db, SECRET, file, one.clock.now);
});
afterAll(async () => {
  await old.close();
  fs.rmSync(folder, { recursive: true });
});

async function turn(test: TestService): Promise<void> {
  await test.receive(letter(RED, race.address.red, ['TURN 1', 'RUN STEADY', 'FINAL', 'END']));
  await test.receive(letter(BLUE, race.address.blue, ['TURN 1', 'FINAL', 'END']));
}

const config = (url: string, more: Record<string, string> = {}) =>
  readConfig({ DATABASE_URL: url, DATA_DIR: fs.mkdtempSync(path.join(folder, 'data-')), LOG_LEVEL: 'silent', ...more });

test('a club comes back whole, with its keys burnt and its players told', { timeout: 400_000 }, async () => {
  const fresh = await testDatabase({ empty: true });
  const settings = config(fresh.url);
  expect(await restore(settings, file)).toMatchObject({ games: 1 });
  expect(fs.statSync(path.join(settings.dataDir, 'secret')).mode & 0o777).toBe(0o600);
  for (const table of ['person', 'seat', 'receipt', 'mail_in', 'standing_order'] as const) {
    const rows = async (db: TestDatabase['db']) =>
      (await tables(db).selectFrom(table).selectAll().execute()).map((row) => JSON.stringify(row)).sort();
    expect(await rows(fresh.db), table).toEqual(await rows(old.db));
  }
  const [before, after] = [await phasesOf(old.db, race.gameId), await phasesOf(fresh.db, race.gameId)];
  expect(after.map((phase) => [phase.n, phase.hash, phase.open_key])).toEqual(
    before.map((phase) => [phase.n, phase.hash, phase.open_key]),
  );
  expect(JSON.stringify(after[1]!.snapshot)).toBe(JSON.stringify(before[1]!.snapshot));

  const chains = await chainsOf(fresh.db, race.gameId);
  expect(chains.map((chain) => [chain.number, chain.kind, chain.first_n])).toEqual([
    [1, 'open', 1],
    [1, 'secret', 1],
    [2, 'open', 2],
    [2, 'secret', 2],
  ]);
  const again = testService(fresh.db);
  const keys = await phaseKeys(again.service, fresh.db, race.gameId, 2);
  expect(keys.open.equals(chainKey(chainRoot(again.service, chains[0]!), 2))).toBe(false);
  expect(keys.previous.toString('hex')).toBe(chains[2]!.head);

  // The phase that waited begins again under the new key, with the orders on file.
  again.clock.now = new Date(Date.now() + 60_000);
  await again.settle();
  const asked = await phaseById(fresh.db, (await gameById(fresh.db, race.gameId)).phase_id!);
  expect(asked).toMatchObject({ n: 2, status: 'waiting' });
  const told = again.sent.map((mail) => textOf(mail.raw)).find((text) => text.includes('restored from a backup'))!;
  expect(told).toContain(chains[2]!.head);
  await again.receive(letter(BLUE, race.address.blue, ['ANSWER 1: 2']));
  expect(again.problems).toEqual([]);
  const third = await phaseById(fresh.db, (await gameById(fresh.db, race.gameId)).phase_id!);
  expect(third.n).toBe(3);
  await fresh.close();
});

test('refused with one line: no secret, not whole, not empty, not a backup, another secret', {
  timeout: 400_000,
}, async () => {
  const fresh = await testDatabase({ empty: true });
  const lines = gunzipSync(fs.readFileSync(file)).toString().trimEnd().split('\n');
  const write = (name: string, changed: string[]): string => {
    const target = path.join(folder, name);
    fs.writeFileSync(target, gzipSync(changed.join('\n')));
    return target;
  };
  const head = JSON.parse(lines[0]!) as Record<string, unknown>;
  const bare = write('bare', [JSON.stringify({ ...head, secret: undefined }), ...lines.slice(1)]);
  await expect(restore(config(fresh.url), bare)).rejects.toThrow(/made without the secret/);
  const cut = write('cut', lines.slice(0, -2));
  await expect(restore(config(fresh.url), cut)).rejects.toThrow(/is not whole/);
  const newer = write('newer', [JSON.stringify({ ...head, migrations: ['9999_future'] }), ...lines.slice(1)]);
  await expect(restore(config(fresh.url), newer)).rejects.toThrow(/made by a newer Fieldpost/);
  await expect(restore(config(fresh.url), write('odd', ['{}']))).rejects.toThrow(/no backup of Fieldpost/);
  await expect(restore(config(old.url), file)).rejects.toThrow(/not empty/);
  const other = config(fresh.url, { SECRET: 'another secret that is long enough too' });
  await expect(restore(other, file)).rejects.toThrow(/SECRET is not the one/);
  await fresh.close();
});
