/**
 * vitest's global set-up: one throw-away PostgreSQL for the whole run with a migrated template database. Looked for in
 * this order: TEST_DATABASE_URL (a server we may make databases on), FIELDPOST_PG_BIN, npm's binaries, the system's.
 */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { sql } from 'kysely';
import type { TestProject } from 'vitest/node';
import { closeDb, migrate, openDb, tables } from '../../src/store/db.ts';
import { startEmbedded } from '../../src/store/embedded.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** URL of the server's maintenance database. */
    postgresUrl: string;
    /** Name of the migrated database to copy. */
    templateName: string;
  }
}

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env.TEST_DATABASE_URL;
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'fieldpost-test-'));
  const server = given
    ? undefined
    : await startEmbedded(folder, { throwAway: true, bin: process.env.FIELDPOST_PG_BIN });
  const url = given ?? server!.url;
  const templateName = `fieldpost_template_${process.pid}`;
  const admin = openDb(url, { poolMax: 1 });
  await sql.raw(`create database ${templateName} template template0 encoding 'UTF8' locale 'C'`).execute(tables(admin));
  const template = openDb(databaseUrl(url, templateName), { poolMax: 1 });
  await migrate(template);
  await closeDb(template);
  project.provide('postgresUrl', url);
  project.provide('templateName', templateName);
  return async () => {
    if (given) await sql.raw(`drop database if exists ${templateName} with (force)`).execute(tables(admin));
    await closeDb(admin);
    await server?.stop();
    fs.rmSync(folder, { recursive: true, force: true });
  };
}

/** The same server, another database. */
export function databaseUrl(url: string, name: string): string {
  const changed = new URL(url);
  changed.pathname = `/${name}`;
  return changed.href;
}
