/** Starts the embedded server, leaves a row in it, says so, and waits to be killed. */
import { sql } from 'kysely';
import { openDb, tables } from '../../src/store/db.ts';
import { startEmbedded } from '../../src/store/embedded.ts';

const server = await startEmbedded(process.argv[2]!, { bin: process.env.FIELDPOST_PG_BIN });
const db = openDb(server.url);
await sql`create table left_behind as select 7 as n`.execute(tables(db));
process.send?.({ url: server.url });
setInterval(() => {}, 60_000);
