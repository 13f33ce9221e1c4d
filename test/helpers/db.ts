import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { inject } from 'vitest';
import { closeDb, type Db, openDb, tables } from '../../src/store/db.ts';
import { databaseUrl } from './setup.ts';

export interface TestDatabase {
  db: Db;
  url: string;
  /** Closes the pool and drops the database. */
  close(): Promise<void>;
}

/**
 * A database of its own on the run's throw-away server, migrated unless it is to be `empty`: one per test file, in
 * `beforeAll`.
 */
export async function testDatabase(options: { empty?: boolean } = {}): Promise<TestDatabase> {
  const server = inject('postgresUrl');
  const name = `t_${randomBytes(6).toString('hex')}`;
  const template = options.empty ? `template0 encoding 'UTF8' locale 'C'` : inject('templateName');
  await onServer(server, `create database ${name} template ${template}`);
  const url = databaseUrl(server, name);
  const db = openDb(url);
  return {
    db,
    url,
    async close() {
      await closeDb(db);
      await onServer(server, `drop database if exists ${name} with (force)`);
    },
  };
}

/** `create database` can't copy a template that another process copies at the same moment: try again. */
async function onServer(url: string, statement: string): Promise<void> {
  const admin = openDb(url, { poolMax: 1 });
  try {
    for (let attempt = 1; ; attempt++) {
      try {
        await sql.raw(statement).execute(tables(admin));
        return;
      } catch (problem) {
        if (attempt >= 50 || !/being accessed by other users/.test(String(problem))) throw problem;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    }
  } finally {
    await closeDb(admin);
  }
}
