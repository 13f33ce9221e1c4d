import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { tables } from '../../../src/store/db.ts';
import { acceptMail } from '../../../src/turn/intake/accept.ts';
import { createGame } from '../../../src/turn/phase/newgame.ts';
import { stormNow } from '../../../src/turn/phase/storm.ts';
import { usualRule } from '../../../src/turn/time/instants.ts';
import { housekeeping } from '../../../src/turn/work/brakes.ts';
import { noteRead } from '../../../src/turn/work/doors.ts';
import { type Correspondent, correspondent, flat } from '../../helpers/club.ts';
import { type TestDatabase, testDatabase } from '../../helpers/db.ts';
import { DAY_MS, letter, readUpTo, type TestService, testService } from '../../helpers/service.ts';

const HOUR_MS = 3_600_000;

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

let one: TestService;
let counter = 0;
let anna: Correspondent;
let carl: Correspondent;
let operator: Correspondent;
beforeEach(async () => {
  counter++;
  for (const table of ['job', 'service_state', 'turnout', 'door'] as const)
    await tables(database.db).deleteFrom(table).execute();
  await tables(database.db).updateTable('game').set({ status: 'cancelled' }).execute();
  const master = `op${counter}@club.example.org`;
  one = testService(database.db, { env: { OPERATOR_EMAIL: master } });
  anna = correspondent(one, `anna${counter}@players.example`);
  carl = correspondent(one, `carl${counter}@players.example`);
  operator = correspondent(one, master);
});

async function race(grace = 0, number = 0) {
  const extra = number === 0 ? '' : `x${number}`;
  const game = await createGame(one.service, {
    scenarioId: 'tiny/race',
    options: { squares: 1000 },
    seats: [
      { side: 'red', address: extra + anna.address, name: 'Anna' },
      { side: 'blue', address: extra + carl.address, name: 'Carl' },
    ],
    deadlineRule: { ...usualRule(3, 'UTC'), firstFactor: 1, graceHours: grace },
    by: 'test',
    door: 'test',
  });
  return game;
}

async function phase(gameId: number) {
  return tables(database.db)
    .selectFrom('phase')
    .innerJoin('game', 'game.phase_id', 'phase.id')
    .selectAll('phase')
    .where('game.id', '=', gameId)
    .executeTakeFirstOrThrow();
}

/** Lets time pass with a service that lives: the doors were read a minute ago whenever somebody looks. */
async function live(ms: number): Promise<void> {
  const end = one.clock.now.getTime() + ms;
  for (let steps = 0; steps < 1000; steps++) {
    await one.settle();
    const next = await tables(database.db)
      .selectFrom('job')
      .select('run_at')
      .where('run_at', '>', one.clock.now)
      .orderBy('run_at')
      .executeTakeFirst();
    const at = Math.min(end, Math.max(one.clock.now.getTime(), next?.run_at.getTime() ?? end));
    one.clock.now = new Date(at);
    await readUpTo(database.db, new Date(at - 60_000));
    expect(await noteRead(one.service, 'smtp', one.clock.now)).toBeUndefined();
    await one.settle();
    if (at === end) return;
  }
  throw new Error('time stands still');
}

const words = (person: Correspondent): string =>
  person
    .inbox()
    .map((mail) => flat(`${mail.subject} ${mail.text}`))
    .join('\n');

describe('reminders', () => {
  test('come before the deadline to whoever has nothing on file or is not final, and to nobody else', async () => {
    await race();
    await one.settle();
    await anna.answer(['TURN 1', 'RUN STEADY', 'FINAL', 'END']);
    await live(3 * DAY_MS - 10 * HOUR_MS);
    expect(words(carl)).toContain('You have nothing on file yet');
    expect(words(anna)).not.toContain('nothing on file yet');
    const before = carl.inbox().length;
    await carl.answer(['TURN 1', 'RUN STEADY', 'END']);
    await live(14 * HOUR_MS);
    expect(words(carl)).toContain('on file but not FINAL');
    expect(carl.inbox().length).toBe(before + 2);
  });

  test('come at the hours a player chose, or not at all', async () => {
    await race();
    await one.settle();
    await anna.answer('SET REMIND 48, 3');
    await carl.answer('SET REMIND OFF');
    await live(2 * DAY_MS);
    const reminders = () => anna.inbox().filter((mail) => flat(mail.text).includes('nothing on file yet')).length;
    expect(reminders()).toBe(1);
    await live(DAY_MS + 7 * HOUR_MS);
    expect(reminders()).toBe(2);
    expect(words(carl)).not.toContain('nothing on file yet');
  });

  test('that waited in the outbox past their deadline are dropped, and a newer one replaces an older', async () => {
    const game = await race();
    await one.settle();
    await anna.answer('SET REMIND 2,1');
    await live(3 * DAY_MS + 5 * HOUR_MS);
    one.answer({ ok: false, permanent: false, response: '451 later' });
    await live(2.5 * HOUR_MS);
    const waiting = async () =>
      tables(database.db)
        .selectFrom('mail_out')
        .select('state')
        .where('game_id', '=', game.id)
        .where('replace_key', 'like', 'reminder%')
        .where('to_address', '=', anna.address)
        .orderBy('id')
        .execute();
    expect((await waiting()).map((mail) => mail.state)).toEqual(['dropped', 'queued']);
    await live(HOUR_MS);
    one.answer({ ok: true, response: '250 taken' });
    await live(2 * HOUR_MS);
    expect((await waiting()).map((mail) => mail.state)).toEqual(['dropped', 'dropped']);
    expect(words(anna)).not.toContain('nothing on file yet');
  });
});

describe('grace', () => {
  test('the late one is told what he still can do, the others that they wait; then the phase runs', async () => {
    const game = await race(12);
    await one.settle();
    await anna.answer(['TURN 1', 'RUN STEADY', 'FINAL', 'END']);
    await live(3 * DAY_MS + 9 * HOUR_MS);
    expect(words(carl)).toContain('They are still taken until Fri 6 Mar 2026, 08:00');
    expect(words(anna)).toContain('Orders are missing from Blue');
    expect((await phase(game.id)).n).toBe(1);
    await carl.answer(['TURN 1', 'RUN STEADY', 'END']);
    await live(12 * HOUR_MS);
    expect((await phase(game.id)).n).toBe(2);
    const kept = await tables(database.db)
      .selectFrom('turnout')
      .select(['result'])
      .orderBy('seat_id', 'desc')
      .limit(2)
      .execute();
    expect(kept.map((row) => row.result).sort()).toEqual(['filed', 'late']);
    expect(flat((await carl.answer('STATUS'))[0]!.text)).toContain('1 in grace');
  });
});

describe('brakes', () => {
  test('a mail that came in time and is not yet read goes before the deadline', async () => {
    const game = await race();
    await one.settle();
    const due = (await phase(game.id)).due_at!;
    await acceptMail(
      one.service,
      Buffer.from(letter(anna.address, 'orders@club.example', ['HELP'])),
      new Date(due.getTime() - 1000),
      { door: 'test' },
    );
    // Somebody else has it in his hands.
    const lock = (who: string | null) =>
      sql`update graphile_worker._private_jobs set locked_by = ${who}, locked_at = ${who && due} where priority = 10`.execute(
        tables(database.db),
      );
    await lock('another');
    one.clock.now = new Date(due.getTime() + 1000);
    await one.settle();
    expect((await phase(game.id)).n).toBe(1);
    await lock(null);
    await one.settle();
    one.clock.forward(10_000);
    await one.settle();
    expect((await phase(game.id)).n).toBe(2);
  });

  test('a storm of missing orders stops the run and asks the operator; RESUME ALL lets it go on', async () => {
    const games: { id: number }[] = [];
    for (let i = 1; i <= 5; i++) games.push(await race(0, i));
    await one.settle();
    await live(3 * DAY_MS + 9 * HOUR_MS);
    const ran = async (): Promise<number> => {
      let n = 0;
      for (const game of games) if ((await phase(game.id)).n > 1) n++;
      return n;
    };
    expect(await ran()).toBeLessThan(5);
    expect(await stormNow(database.db)).toBeDefined();
    expect(words(operator)).toContain('deadlines stand still');
    const before = await ran();
    await live(DAY_MS);
    expect(await ran()).toBe(before);
    const [said] = await operator.write('RESUME ALL');
    expect(flat(said!.text)).toContain('Deadlines run again');
    expect(await ran()).toBe(5);
  });
});

describe('missed deadlines', () => {
  test('are counted; the second and third running are told to the master with the evidence', async () => {
    const game = await race();
    await one.settle();
    for (let n = 1; n <= 3; n++) {
      await anna.answer([`TURN ${n}`, 'RUN STEADY', 'FINAL', 'END']);
      await live(4 * DAY_MS);
    }
    expect((await phase(game.id)).n).toBe(4);
    expect(words(operator)).toContain('has missed 3 deadlines running');
    expect(words(operator)).toContain(`DISMISS ${game.ref} blue`);
    const seat = await tables(database.db)
      .selectFrom('seat')
      .select('missed')
      .where('game_id', '=', game.id)
      .where('side', '=', 'blue')
      .executeTakeFirstOrThrow();
    expect(seat.missed).toBe(3);
  });
});

describe('a digest', () => {
  test('gathers what can wait into one mail at the chosen hour; what is urgent comes at once', async () => {
    const game = await race();
    await one.settle();
    await anna.answer('SET DIGEST 7');
    await carl.answer(['PRESS TO red', 'First letter.', 'ENDPRESS']);
    await carl.answer(['PRESS TO red', 'Second letter.', 'ENDPRESS']);
    expect(words(anna)).not.toContain('First letter');
    await carl.answer('PROPOSE DRAW');
    expect(words(anna)).toContain('proposes to end');
    await live(18 * HOUR_MS);
    expect(words(anna)).not.toContain('First letter');
    await live(2 * HOUR_MS);
    expect(flat(anna.newest().text)).toMatch(/First letter\..*Second letter\./);
    expect(anna.newest().subject).toContain('2 notices');
    expect(game.ref).toMatch(/^TNY/);
  });

  test('SET FORMAT TEXT: no HTML part', async () => {
    await race();
    await one.settle();
    await anna.answer('SET FORMAT TEXT');
    await anna.answer('STATUS');
    expect(anna.newest().raw.toString()).not.toContain('text/html');
  });
});

test('raw mails are kept as long as the settings say, what was read of them for ever', async () => {
  await anna.write('HELP');
  await housekeeping(one.service);
  const raw = async () =>
    tables(database.db)
      .selectFrom('mail_in')
      .select(['raw', 'verdict'])
      .where('from_address', '=', anna.address)
      .executeTakeFirstOrThrow();
  expect((await raw()).raw).not.toBeNull();
  one.clock.forward((one.service.config.rawMailDays + 1) * DAY_MS);
  await housekeeping(one.service);
  expect(await raw()).toEqual({ raw: null, verdict: 'commands' });
});
