/** Mails that break the reading program, and stores that break off: nothing loops for ever, nobody else pays for it. */

import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inTransaction, tables } from '../../../src/store/db.ts';
import type { JobKind } from '../../../src/store/jobs.ts';
import { freeDead, processEnds, processLives, thisProcess } from '../../../src/store/processes.ts';
import { acceptMail } from '../../../src/turn/intake/accept.ts';
import type { Post } from '../../../src/turn/post/dispatch.ts';
import { queueMail } from '../../../src/turn/post/outbox.ts';
import { startWorker } from '../../../src/turn/work/worker.ts';
import { type TestDatabase, testDatabase } from '../../helpers/db.ts';
import { BLUE, letter, RED, startRace, type TestService, testService, textOf } from '../../helpers/service.ts';

let database: TestDatabase;
let one: TestService;
let race: Awaited<ReturnType<typeof startRace>>;
beforeAll(async () => {
  database = await testDatabase();
  one = testService(database.db);
  race = await startRace(one, { deadlineRule: null });
  await tables(database.db).deleteFrom('job').execute();
});
afterAll(() => database.close());

const order = (from = RED, to = race.address.red): Buffer =>
  Buffer.from(letter(from, to, ['TURN 1', 'RUN FAST', 'END']));

async function store(raw: Buffer): Promise<number> {
  const { mailId } = await acceptMail(one.service, raw, one.clock.now, { door: 'test' });
  return mailId!;
}

const flat = (raw: Buffer): string => textOf(raw).replace(/\s+/g, ' ');

/** A process takes jobs of a kind (or only the one of a mail) and ends, well or not, before they are done. */
async function die(kind: JobKind, how: 'died' | 'ended well', mailId?: number): Promise<void> {
  const { place, host } = thisProcess();
  await processLives(database.db, { id: 'victim', host, pid: 2 ** 30, place });
  await sql`update graphile_worker._private_jobs g set locked_by = 'victim', locked_at = ${one.clock.now}
    from job j where g.key = 'job:' || j.id and j.kind = ${kind}
      and (${mailId ?? null}::int is null or (j.payload->>'mailId')::int = ${mailId ?? null}::int)`.execute(
    tables(database.db),
  );
  if (how === 'died') await freeDead(database.db, [], { silent: false });
  else await processEnds(database.db, 'victim');
}

/** What was put off for the real clock's sake is due again by the test's. */
async function wakeAll(): Promise<void> {
  await sql`update graphile_worker._private_jobs set run_at = ${one.clock.now}`.execute(tables(database.db));
}

const verdictOf = async (id: number): Promise<string | null> =>
  (await tables(database.db).selectFrom('mail_in').select('verdict').where('id', '=', id).executeTakeFirstOrThrow())
    .verdict;

test('a mail that breaks its reading is tried on for ever; after four tries its author, master and operator are told, and the next one of its seat gets through', async () => {
  const poison = await store(order());
  const next = await store(order());
  let seen = 0;
  for (let tries = 1; tries <= 8; tries++) {
    // Each try is another process: all it knows stands in the table.
    const fresh = testService(database.db);
    fresh.clock.now = one.clock.now;
    let broken = 0;
    fresh.service.at = (point) => {
      if (point !== 'read' || broken > 0) return;
      broken++;
      throw new Error('the reader broke');
    };
    await fresh.settle();
    expect(broken, `try ${tries}`).toBe(1);
    expect(await verdictOf(poison)).toBe(null);
    expect(await verdictOf(next), 'mails of one seat keep their order').toBe(tries < 4 ? null : 'filed');
    const told = fresh.sent.filter((mail) => /makes trouble|can't be read|tried again, alone/.test(flat(mail.raw)));
    seen += told.length;
    if (tries === 4) {
      expect(told.map((mail) => mail.to).sort()).toEqual(['gm@club.example.org', RED]);
      for (const mail of told) expect(flat(mail.raw)).toContain(`number ${poison}`);
    }
    const [job] = await tables(database.db)
      .selectFrom('job')
      .selectAll()
      .where('kind', '=', 'mail')
      .orderBy('id')
      .execute();
    const wait = job!.run_at.getTime() - one.clock.now.getTime();
    if (tries > 4) expect(wait, 'later each time').toBeGreaterThan(5 * 60_000);
    one.clock.forward(wait);
  }
  expect(seen, 'told once').toBe(2);
  // Whatever it was is mended: the mail is read as if nothing had been.
  await one.settle();
  expect(await verdictOf(poison)).not.toBe(null);
});

test('a mail whose process died is begun again at once and counts as any other: claims, restarts and clean ends cost nothing', async () => {
  const mail = await store(order());
  for (let restart = 0; restart < 20; restart++) await die('mail', 'ended well');
  await one.settle();
  expect(await verdictOf(mail)).toBe('filed');
});

test('a mail that kills each process that begins it is told to its author, and still never given up', async () => {
  const killer = await store(order());
  const other = await store(order(BLUE, race.address.blue));
  for (let death = 1; death <= 6; death++) {
    await die('mail', 'died', killer);
    await tables(database.db).updateTable('job').set({ run_at: one.clock.now }).execute();
  }
  one.sent.length = 0;
  await wakeAll();
  await one.settle();
  expect(await verdictOf(other)).toBe('filed');
  expect(await verdictOf(killer), 'it was only the machine').toBe('filed');
  expect(one.sent.filter((mail) => /makes trouble/.test(flat(mail.raw))).map((mail) => mail.to)).toEqual([RED]);
});

test('of several jobs that a process had begun when it died each is done alone, and nothing beside it', async () => {
  const { service } = one;
  await inTransaction(database.db, async (trx) => {
    for (const name of ['a', 'b', 'c'])
      await queueMail(service, trx, {
        kind: 'notice',
        to: { address: `${name}@example.net`, name: null },
        facts: { make: 'notice', title: 'Hello', paragraphs: ['Hello.'] },
      });
  });
  await die('send', 'died');
  let goOn = (): void => {};
  const held = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  const to: string[] = [];
  const post: Post = {
    async send(_raw, envelope) {
      to.push(envelope.to);
      if (to.length === 1) await held;
      return { ok: true, response: '250' };
    },
  };
  const real = { ...service, now: () => new Date() };
  const worker = startWorker(real, { post }, { process: thisProcess(), loops: 4, kinds: ['send'] });
  await expect.poll(() => to.length).toBe(1);
  await new Promise((resolve) => setTimeout(resolve, 1200));
  expect(to, 'the others wait').toHaveLength(1);
  goOn();
  await expect.poll(() => to.length, { timeout: 10_000 }).toBe(3);
  await worker.stop();
  expect(await tables(database.db).selectFrom('job').select('id').where('kind', '=', 'send').execute()).toEqual([]);
});

test('a store that breaks off under a job counts against nothing', async () => {
  const mail = await store(order());
  let broke = 0;
  one.service.at = (point) => {
    if (point !== 'before filed' || broke++ >= 12) return;
    throw Object.assign(new Error('terminating connection due to administrator command'), { code: '57P01' });
  };
  for (let i = 0; i < 13; i++) {
    await one.settle();
    one.clock.forward(5_000);
  }
  expect(broke).toBe(13);
  expect(await verdictOf(mail)).toBe('filed');
  one.service.at = (point) => void one.points.push(point);
});

test('a mail too large to be fetched is accounted for and answered from its header alone', async () => {
  one.sent.length = 0;
  const photo = letter(RED, race.address.red, [], {
    Subject: 'FINAL',
    'Content-Type': 'multipart/mixed; boundary=x',
  });
  const head = Buffer.from(photo.slice(0, photo.indexOf('\r\n\r\n') + 4));
  const first = await acceptMail(one.service, head, one.clock.now, { door: 'imap', size: 3_000_000 });
  const again = await acceptMail(one.service, head, one.clock.now, { door: 'imap', size: 3_000_000 });
  expect(again.mailId).toBeNull();
  await one.settle();
  expect(await verdictOf(first.mailId!)).toBe('refused');
  expect(one.sent.map((mail) => mail.to)).toEqual([RED]);
  expect(textOf(one.sent[0]!.raw).replace(/\s+/g, ' ')).toContain(
    'this mail is too large to be read; nothing was filed',
  );
  const robot = Buffer.from(head.toString().replace('Subject: FINAL', 'Auto-Submitted: auto-replied\r\nSubject: away'));
  const away = await acceptMail(one.service, Buffer.from(robot.toString().replace(/letter-/, 'away-')), one.clock.now, {
    door: 'imap',
    size: 3_000_000,
  });
  await one.settle();
  expect(await verdictOf(away.mailId!)).toBe('autoreply');
  expect(one.sent.length).toBe(1);
});
