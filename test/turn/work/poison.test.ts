/** Mails that break the reading program, and stores that break off: nothing loops for ever, nobody else pays for it. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inTransaction, tables } from '../../../src/store/db.ts';
import { claim, clearLeases, stillOurs } from '../../../src/store/jobs.ts';
import { acceptMail } from '../../../src/turn/intake/accept.ts';
import { giveUpMail } from '../../../src/turn/intake/intake.ts';
import type { Post } from '../../../src/turn/post/dispatch.ts';
import { queueMail } from '../../../src/turn/post/outbox.ts';
import { startWorker } from '../../../src/turn/work/worker.ts';
import { type TestDatabase, testDatabase } from '../../helpers/db.ts';
import { DAY_MS, letter, RED, startRace, type TestService, testService, textOf } from '../../helpers/service.ts';

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

const verdictOf = async (id: number): Promise<string | null> =>
  (await tables(database.db).selectFrom('mail_in').select('verdict').where('id', '=', id).executeTakeFirstOrThrow())
    .verdict;

test('a mail that breaks its reading is put aside after four tries, counted over restarts; the next one of its seat gets through', async () => {
  const poison = await store(order());
  const next = await store(order());
  for (let tries = 1; tries <= 4; tries++) {
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
    expect(broken).toBe(1);
    expect(await verdictOf(poison)).toBe(tries < 4 ? null : 'fault');
    expect(await verdictOf(next), 'mails of one seat keep their order').toBe(tries < 4 ? null : 'filed');
    one.clock.forward(60_000);
    if (tries < 4) continue;
    const told = fresh.sent.find((mail) => mail.to === 'gm@club.example.org')!;
    expect(textOf(told.raw)).toContain(`number ${poison}`);
  }
});

test('a mail that kills the process is given up at the fifth start without being opened again', async () => {
  const killer = await store(order());
  for (let death = 1; death <= 4; death++) {
    const [job] = await claim(database.db, { now: one.clock.now, worker: `process ${death}`, kinds: ['mail'] });
    expect(job!.payload.mailId).toBe(killer);
    await clearLeases(database.db);
  }
  one.points.length = 0;
  await one.settle();
  expect(await verdictOf(killer)).toBe('fault');
  expect(one.points).not.toContain('read');
  expect(await tables(database.db).selectFrom('job').select('id').where('kind', '=', 'mail').execute()).toEqual([]);
});

test('a job that may kill the process is done alone: those taken with it are put back before it begins', async () => {
  const { service } = one;
  await inTransaction(database.db, async (trx) => {
    for (const name of ['a', 'b', 'c'])
      await queueMail(service, trx, {
        kind: 'notice',
        to: { address: `${name}@example.net`, name: null },
        facts: { make: 'notice', title: 'Hello', paragraphs: ['Hello.'] },
      });
  });
  // A process took the first and died.
  await claim(database.db, { now: one.clock.now, worker: 'died', kinds: ['send'] });
  await clearLeases(database.db);
  const jobs = () =>
    tables(database.db).selectFrom('job').selectAll().where('kind', '=', 'send').orderBy('id').execute();
  let goOn = (): void => {};
  const held = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  const to: string[] = [];
  const post: Post = {
    async send(_raw, envelope) {
      to.push(envelope.to);
      await held;
      return { ok: true, response: '250' };
    },
  };
  const worker = startWorker(service, { post }, { name: 'careful', loops: 1, kinds: () => ['send'] });
  await expect.poll(() => to.length).toBe(1);
  const during = await jobs();
  goOn();
  await expect.poll(async () => (await jobs()).length).toBe(0);
  await worker.stop();
  expect(during.map((job) => [job.attempts, job.locked_until !== null])).toEqual([
    [2, true],
    [0, false],
    [0, false],
  ]);
  expect(to).toEqual(['a@example.net', 'b@example.net', 'c@example.net']);
});

test('giving up never undoes what was done', async () => {
  const good = await store(order());
  await one.settle();
  await giveUpMail(one.service, good, 'too late');
  expect(await verdictOf(good)).toBe('filed');
});

test('a lease that is nearly over is renewed before its job begins, and one that went to somebody else is left alone', async () => {
  await store(order());
  const now = one.clock.now;
  const [mine] = await claim(database.db, { now, worker: 'slow', kinds: ['mail'] });
  const later = new Date(now.getTime() + 100_000);
  expect(await stillOurs(database.db, mine!, now)).toBe(true);
  expect(await stillOurs(database.db, mine!, later)).toBe(true);
  const over = new Date(now.getTime() + DAY_MS);
  const [theirs] = await claim(database.db, { now: over, worker: 'other', kinds: ['mail'] });
  expect(theirs!.id).toBe(mine!.id);
  expect(await stillOurs(database.db, mine!, over)).toBe(false);
  await clearLeases(database.db);
  await one.settle();
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
