/**
 * The deadline never beats a mail that came in time: unread mails, an unread mailbox, workers alone, processes that
 * slept and clocks that jumped, each against deadlines of both kinds.
 */

import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { tables } from '../../../src/store/db.ts';
import { addDoor, doorsKnown, noteTrouble, removeDoor } from '../../../src/store/doors.ts';
import { currentPhase, gameById } from '../../../src/store/games.ts';
import { acceptMail } from '../../../src/turn/intake/accept.ts';
import { createGame } from '../../../src/turn/phase/newgame.ts';
import { usualRule } from '../../../src/turn/time/instants.ts';
import { GAP_MS, noteRead, watchDoors } from '../../../src/turn/work/doors.ts';
import { type Correspondent, correspondent, flat } from '../../helpers/club.ts';
import { type TestDatabase, testDatabase } from '../../helpers/db.ts';
import { DAY_MS, letter, type TestService, testService } from '../../helpers/service.ts';

const MINUTE_MS = 60_000;
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
let gameId: number;
let due: Date;
beforeEach(async () => {
  counter++;
  for (const table of ['job', 'door', 'outage', 'turnout'] as const)
    await tables(database.db).deleteFrom(table).execute();
  await tables(database.db).updateTable('game').set({ status: 'cancelled' }).execute();
  await tables(database.db).updateTable('mail_in').set({ state: 'done' }).execute();
  one = testService(database.db, { env: { OPERATOR_EMAIL: `op${counter}@club.example.org` } });
  anna = correspondent(one, `anna${counter}@players.example`);
  carl = correspondent(one, `carl${counter}@players.example`);
  operator = correspondent(one, `op${counter}@club.example.org`);
  gameId = (await race(3)).id;
  await one.settle();
  due = (await phase())!.due_at!;
  await addDoor(database.db, 'imap', one.clock.now);
});

function race(days: number, extra = '') {
  return createGame(one.service, {
    scenarioId: 'tiny/race',
    options: { squares: 1000 },
    seats: [
      { side: 'red', address: extra + anna.address, name: 'Anna' },
      { side: 'blue', address: extra + carl.address, name: 'Carl' },
    ],
    deadlineRule: { ...usualRule(days, 'UTC'), firstFactor: 1 },
    by: 'test',
    door: 'test',
  });
}

const phase = async (id = gameId) => currentPhase(database.db, await gameById(database.db, id));
const turn = async (): Promise<number> => (await phase())!.n;
/** The service does what is due at a moment, with nothing read by any door meanwhile. */
async function at(moment: Date): Promise<void> {
  one.clock.now = moment;
  await one.settle();
}
const later = (ms: number, from = due): Date => new Date(from.getTime() + ms);
const words = (person: Correspondent): string =>
  person
    .inbox()
    .map((mail) => flat(`${mail.subject} ${mail.text}`))
    .join('\n');

/** A mail with orders, as it lies in the mailbox; stored when it is fetched. */
function orders(person: Correspondent, lines: string[]): Buffer {
  const to = person.inbox().findLast((mail) => mail.replyTo.includes('+'))!.replyTo;
  return Buffer.from(letter(person.address, to, lines));
}

/** The mailbox is read: what lay in it is stored, and it is noted that it is empty. */
async function fetched(mails: [Buffer, Date][], asked = one.clock.now): Promise<void> {
  for (const [raw, received] of mails) await acceptMail(one.service, raw, received, { door: 'imap' });
  await noteRead(one.service, 'imap', asked);
  await one.settle();
}

async function standing(side: 'red' | 'blue', n: number): Promise<string[] | undefined> {
  const found = await sql<{ lines: string[] }>`
    select inputs->'filed'->${side}->'lines' as lines from phase where game_id = ${gameId} and n = ${n}`.execute(
    tables(database.db),
  );
  return found.rows[0]?.lines;
}

describe('no phase runs on a deadline before the mailbox has been read past it', () => {
  test('by whatever process: workers alone, a mailbox that refuses, a process that slept', async () => {
    await at(later(MINUTE_MS));
    await at(later(20 * MINUTE_MS));
    expect(await turn()).toBe(1);
    expect((await doorsKnown(database.db))[0]!.wanted, 'the mailbox is asked to be read').toBe(true);
    // Orders that lay in it since four minutes before the deadline count.
    await noteRead(one.service, 'imap', later(-5 * MINUTE_MS));
    await fetched([[orders(anna, ['RUN FAST', 'END']), later(-4 * MINUTE_MS)]]);
    expect(await turn()).toBe(2);
    expect(await standing('red', 1)).toEqual(['RUN FAST']);
    expect((await phase())!.notices).toEqual([]);
  });

  test('read at the very moment of the deadline is not past it', async () => {
    await at(due);
    await fetched([]);
    expect(await turn()).toBe(1);
    await at(later(1000));
    await fetched([]);
    expect(await turn()).toBe(2);
  });

  test('every door counts, and one that is used no more does not', async () => {
    await addDoor(database.db, 'smtp', later(-HOUR_MS));
    await noteRead(one.service, 'imap', later(-MINUTE_MS));
    await at(later(MINUTE_MS));
    await fetched([]);
    expect(await turn()).toBe(1);
    await removeDoor(database.db, 'smtp');
    await at(later(2 * MINUTE_MS));
    expect(await turn()).toBe(2);
  });

  test('a phase that everybody is ready for need not wait', async () => {
    await anna.answer(['RUN FAST', 'FINAL', 'END']);
    await carl.answer(['RUN FAST', 'FINAL', 'END']);
    expect(await turn()).toBe(2);
  });
});

describe('order of receipt decides, whatever is read first', () => {
  test.each([1_000, 30_000, HOUR_MS])(
    'a change stored %i ms before the deadline and read after it counts for that phase',
    async (before) => {
      await at(later(-2 * HOUR_MS));
      await anna.answer(['RUN FAST', 'END']);
      await carl.answer(['RUN FAST', 'END']);
      await at(later(-before));
      await acceptMail(one.service, orders(anna, ['RUN STEADY', 'END']), one.clock.now, { door: 'imap' });
      // Its reading fails at first, which never moves it past the deadline.
      let fails = 3;
      one.service.at = (point) => {
        if (point === 'read' && fails-- > 0) throw new Error('no luck');
      };
      await one.settle();
      await noteRead(one.service, 'imap', later(-500));
      await at(later(1));
      await fetched([], later(1));
      for (let i = 0; i < 10 && (await turn()) === 1; i++) await at(later(20_000, one.clock.now));
      expect(await turn()).toBe(2);
      expect(await standing('red', 1)).toEqual(['RUN STEADY']);
      expect(
        (await tables(database.db).selectFrom('turnout').select('result').execute()).map((row) => row.result),
      ).toEqual(['filed', 'filed']);
    },
  );

  test('a correction that is still unread goes before the FINAL of the other', async () => {
    await anna.answer(['RUN FAST', 'FINAL', 'END']);
    one.clock.forward(MINUTE_MS);
    await acceptMail(one.service, orders(anna, ['RUN STEADY', 'END']), one.clock.now, { door: 'imap' });
    let fails = 1;
    one.service.at = (point) => {
      if (point === 'read' && fails-- > 0) throw new Error('no luck');
    };
    await one.settle();
    await acceptMail(one.service, orders(carl, ['RUN FAST', 'FINAL', 'END']), later(1000, one.clock.now), {
      door: 'imap',
    });
    await one.settle();
    expect(await turn()).toBe(1);
    for (let i = 0; i < 5; i++) await at(later(5_000, one.clock.now));
    expect(await turn(), 'Anna took her FINAL back').toBe(1);
  });

  test('a mail that came before a phase began is no order for it, unless it names it', async () => {
    await anna.answer(['RUN FAST', 'FINAL', 'END']);
    const mail = orders(anna, ['RUN STEADY', 'END']);
    const named = orders(anna, ['TURN 2', 'RUN STEADY', 'END']);
    const received = one.clock.now;
    one.clock.forward(10 * MINUTE_MS);
    await carl.answer(['RUN FAST', 'FINAL', 'END']);
    expect(await turn()).toBe(2);
    one.clock.forward(MINUTE_MS);
    await fetched([[mail, received]]);
    expect(flat(anna.newest().text)).toContain('came before turn 2');
    expect(flat(anna.newest().text)).toContain('nothing was filed');
    await fetched([[named, received]]);
    expect(flat(anna.newest().text)).toContain('ok RUN STEADY');
  });

  test('no server’s clock makes a mail come later than now', async () => {
    const mail = orders(anna, ['RUN FAST', 'END']);
    await fetched([[mail, later(DAY_MS)]]);
    const row = await tables(database.db)
      .selectFrom('mail_in')
      .select('received_at')
      .orderBy('id', 'desc')
      .executeTakeFirst();
    expect(row!.received_at).toEqual(one.clock.now);
  });
});

describe('when nobody read mail for a time', () => {
  const table = [
    { name: 'ten minutes over the deadline', from: -5 * MINUTE_MS, to: 5 * MINUTE_MS, moved: undefined },
    { name: 'just under an hour', from: -MINUTE_MS, to: GAP_MS - MINUTE_MS - 1, moved: undefined },
    { name: 'an hour over the deadline', from: -MINUTE_MS, to: GAP_MS, moved: DAY_MS },
    { name: 'two days over it', from: -HOUR_MS, to: 47 * HOUR_MS, moved: 2 * DAY_MS },
    { name: 'three hours before it', from: -4 * HOUR_MS, to: -HOUR_MS, moved: 0 },
  ];
  test.each(table)('$name', async ({ from, to, moved }) => {
    await noteRead(one.service, 'imap', later(from));
    await tables(database.db).deleteFrom('outage').execute();
    await at(later(to));
    expect(await turn(), 'nothing runs before the doors are read').toBe(1);
    await fetched([[orders(anna, ['RUN FAST', 'END']), later(from + 1)]]);
    if (moved === undefined) {
      expect(await turn()).toBe(2);
      expect(await standing('red', 1)).toEqual(['RUN FAST']);
      return;
    }
    expect(await turn()).toBe(1);
    expect((await phase())!.due_at).toEqual(later(moved));
    if (moved > 0) {
      expect(words(anna)).toContain('the service could read no mail');
      expect(words(operator)).toContain('deadlines of 1 game');
    } else expect(words(anna)).not.toContain('the service could read no mail');
    await at(later(moved + 1000));
    // It lives until then.
    await sql`update door set read_at = ${later(moved - 1000)}`.execute(tables(database.db));
    await fetched([]);
    expect(await turn()).toBe(2);
  });

  test('operator and game masters are told within minutes, once, and again when mail is read', async () => {
    await noteRead(one.service, 'imap', later(-HOUR_MS));
    await noteTrouble(database.db, 'imap', 'the server refuses the password');
    for (const minutes of [1, 2, 3, 4, 5, 30]) {
      one.clock.now = later(-HOUR_MS + minutes * MINUTE_MS);
      await watchDoors(one.service);
      await one.settle();
      const told = operator.inbox().filter((mail) => /No mail is read/.test(mail.subject)).length;
      expect(told, `${minutes} minutes`).toBe(minutes <= 3 ? 0 : 1);
    }
    expect(words(operator)).toContain('the server refuses the password');
    await fetched([]);
    expect(words(operator)).toContain('Mail is read again');
  });

  test('a clock put ahead and back again leaves no deadline later than it was, and runs nothing', async () => {
    const other = await race(6, 'x');
    await one.settle();
    const was = [(await phase())!.due_at, (await phase(other.id))!.due_at];
    for (const jump of [2 * HOUR_MS, 4 * DAY_MS, 300 * DAY_MS]) {
      const real = one.clock.now;
      one.clock.forward(jump);
      await at(one.clock.now);
      await fetched([]);
      expect(await turn()).toBe(1);
      one.clock.now = later(3000, real);
      await fetched([]);
      expect([(await phase())!.due_at, (await phase(other.id))!.due_at]).toEqual(was);
    }
    await noteRead(one.service, 'imap', later(-1000));
    await at(later(1000));
    await fetched([]);
    expect(await turn()).toBe(2);
  });
});
