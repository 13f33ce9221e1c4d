/** `fieldpost backup` and `restore`: the whole club in one file, and back from it. The secret always goes with it. */

import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import readline from 'node:readline';
import { finished } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import type { Command } from 'commander';
import { type Config, readConfig } from '../config.ts';
import { Fault } from '../kernel/assert.ts';
import {
  appliedMigrations,
  clearTables,
  dumpTables,
  fixSequences,
  loadRows,
  prepareForLoad,
  type TableText,
} from '../store/backup.ts';
import { type Db, inTransaction } from '../store/db.ts';
import { burnKeys } from '../turn/phase/restore.ts';
import { type Connect, withStore } from './connect.ts';

const FORMAT = 'fieldpost-backup/1';

interface Head {
  format: string;
  at: string;
  secret: string;
  migrations: string[];
}

/** Adds the verb `backup` to the command line. */
export function backupVerb(program: Command, connect: Connect): void {
  program
    .command('backup')
    .description('write the whole club into one file: games, mails, people and the secret')
    .argument('<file>', 'where to; readable for you alone, keep it as safe as the service itself')
    .action(async (file: string) => {
      const { readSecret } = await import('../main.ts');
      const rows = await withStore(connect, (service) =>
        writeBackup(service.db, readSecret(service.config), file, service.now()),
      );
      process.stdout.write(`${file}: ${rows} rows\n`);
    });
}

/** Adds the verb `restore` to the command line. */
export function restoreVerb(program: Command): void {
  program
    .command('restore')
    .description('fill an empty database from a backup; burns every dice key that could have been seen since')
    .argument('<file>', 'what backup wrote')
    .action(async (file: string) => {
      const { rows, games } = await restore(readConfig(process.env), file);
      process.stdout.write(
        `${file}: ${rows} rows; ${games} games go on with new dice keys, and their players are told\n`,
      );
    });
}

/** Writes a backup; an old file of that name stays until the new one is whole. Returns the number of rows. */
export async function writeBackup(db: Db, secret: string, file: string, now: Date): Promise<number> {
  const half = `${file}.half`;
  const zip = createGzip();
  const out = zip.pipe(fs.createWriteStream(half, { mode: 0o600 }));
  const head: Head = { format: FORMAT, at: now.toISOString(), secret, migrations: await appliedMigrations(db) };
  const write = async (value: unknown): Promise<void> => {
    if (!zip.write(`${JSON.stringify(value)}\n`)) await once(zip, 'drain');
  };
  let rows = 0;
  await write(head);
  await dumpTables(db, async (part) => {
    rows += part.rows.length;
    await write(part);
  });
  await write({ rows });
  zip.end();
  await finished(out);
  fs.renameSync(half, file);
  return rows;
}

/** Fills an empty database. Throws one clear line when the file is not whole, has no secret, or doesn't fit. */
export async function restore(config: Config, file: string): Promise<{ rows: number; games: number }> {
  const { makeDataDir, makeLog, openService, openStore } = await import('../main.ts');
  const lines = linesOf(file);
  const head = readHead(await nextLine(lines, file), file);
  makeDataDir(config.dataDir);
  keepSecret(config, head.secret);
  const store = await openStore(config, makeLog(config), true);
  let rows = 0;
  try {
    await prepareForLoad(store.db, head.migrations);
    await inTransaction(store.db, async (trx) => {
      await clearTables(trx);
      let told: number | undefined;
      for await (const line of lines) {
        const part = JSON.parse(line) as TableText & { rows: TableText['rows'] | number };
        if (typeof part.rows === 'number') told = part.rows;
        else {
          await loadRows(trx, part);
          rows += part.rows.length;
        }
      }
      if (told !== rows) throw new Fault(`${file} is not whole: nothing was restored`);
      await fixSequences(trx);
    });
  } finally {
    await store.close();
  }
  const { service, close } = await openService(config, { owner: true });
  try {
    return { rows, games: await burnKeys(service) };
  } finally {
    await close();
  }
}

function linesOf(file: string): AsyncIterableIterator<string> {
  if (!fs.existsSync(file)) throw new Fault(`there is no file ${file}`);
  const unzipped = fs.createReadStream(file).pipe(createGunzip());
  const reader = readline.createInterface({ input: unzipped, crlfDelay: Number.POSITIVE_INFINITY });
  unzipped.on('error', () => reader.close());
  return reader[Symbol.asyncIterator]();
}

async function nextLine(lines: AsyncIterableIterator<string>, file: string): Promise<string> {
  const first = await lines.next();
  if (first.done) throw new Fault(`${file} is no backup of Fieldpost`);
  return first.value;
}

function readHead(line: string, file: string): Head {
  let head: Partial<Head>;
  try {
    head = JSON.parse(line) as Partial<Head>;
  } catch {
    throw new Fault(`${file} is no backup of Fieldpost`);
  }
  if (head.format !== FORMAT) throw new Fault(`${file} is no backup of Fieldpost`);
  if (!head.secret) throw new Fault(`${file} was made without the secret: its dice keys and tokens could not be read`);
  return head as Head;
}

/** The secret of the backup becomes ours; another one that is already set can't be right. */
function keepSecret(config: Config, secret: string): void {
  const file = path.join(config.dataDir, 'secret');
  const own = config.secret ?? (fs.existsSync(file) ? fs.readFileSync(file, 'utf8').trim() : undefined);
  if (own === secret) return;
  if (config.secret !== undefined) throw new Fault('SECRET is not the one that the backup was made with');
  if (own !== undefined) throw new Fault(`${file} is not the secret of the backup: restore into an empty DATA_DIR`);
  fs.writeFileSync(file, secret, { mode: 0o600 });
}
