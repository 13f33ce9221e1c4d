import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { tables } from '../../../src/store/db.ts';
import { type Correspondent, correspondent, flat } from '../../helpers/club.ts';
import { type TestDatabase, testDatabase } from '../../helpers/db.ts';
import { DAY_MS, type TestService, testService } from '../../helpers/service.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

let one: TestService;
let counter = 0;
let anna: Correspondent;
let carl: Correspondent;
let gm: Correspondent;
let ref: string;
beforeEach(async () => {
  counter++;
  const master = `gm${counter}@club.example.org`;
  one = testService(database.db, { env: { OPERATOR_EMAIL: master } });
  anna = correspondent(one, `anna${counter}@players.example`);
  carl = correspondent(one, `carl${counter}@elsewhere.example`);
  gm = correspondent(one, master);
  const [made] = await gm.write(`CREATE tiny/race SEAT red ${anna.address} SEAT blue ${carl.address} FIRST x1`);
  ref = /TNY-\d{4}/.exec(made!.text)![0];
  await anna.confirm();
  await carl.confirm();
  expect(one.problems).toEqual([]);
});

/** Both file and are final: the phase runs. */
async function turn(n: number, red: string, blue: string): Promise<void> {
  await anna.answer([`TURN ${n}`, `RUN ${red}`, 'FINAL', 'END']);
  await carl.answer([`TURN ${n}`, `RUN ${blue}`, 'FINAL', 'END']);
}

async function game() {
  return tables(database.db).selectFrom('game').selectAll().where('ref', '=', ref).executeTakeFirstOrThrow();
}

async function phase() {
  const { phase_id } = await game();
  return tables(database.db).selectFrom('phase').selectAll().where('id', '=', phase_id!).executeTakeFirstOrThrow();
}

async function places(): Promise<Record<string, number>> {
  return ((await phase()).snapshot.table as { places: Record<string, number> }).places;
}

describe('rewind', () => {
  test('goes back under a fresh number, keeps orders on request, restores doctrine and the count of misses', async () => {
    await anna.answer(['TURN 1', 'RUN STEADY', 'DOCTRINE CAPTURE YES', 'FINAL', 'END']);
    await carl.answer(['TURN 1', 'RUN STEADY', 'FINAL', 'END']);
    await anna.answer(['TURN 2', 'RUN JUMP', 'DOCTRINE CAPTURE NO', 'FINAL', 'END']);
    await carl.answer(['TURN 2', 'RUN STEADY', 'FINAL', 'END']);
    expect((await phase()).n).toBe(3);
    const [refused] = await gm.write(`REWIND ${ref} 2`);
    expect(flat(refused!.text)).toContain('give a reason');
    const [done] = await gm.write(`REWIND ${ref} 2 KEEP a slip of the pen`);
    expect(flat(done!.text)).toContain('Orders filed again: Red, Blue');
    const now = await phase();
    expect([now.n, now.turn, now.line, now.opened_by]).toEqual([4, 2, 2, 'rewind']);
    expect(now.opened_by).toBe('rewind');
    expect(await places()).toEqual({ red: 1, blue: 1 });
    for (const player of [anna, carl]) {
      const words = flat(
        player
          .inbox()
          .map((mail) => mail.text)
          .join('\n'),
      );
      expect(words).toContain('a slip of the pen');
      expect(words).toContain('New dice will be used');
    }
    const [orders] = await anna.answer('STATUS');
    expect(orders!.text).toContain('RUN JUMP');
    expect(orders!.text).toContain('DOCTRINE CAPTURE NO');
    await gm.write(`REWIND ${ref} 4 once more, without`);
    const [before] = await anna.answer('STATUS');
    expect(before!.text).toContain('DOCTRINE CAPTURE YES');
    expect(flat(before!.text)).toContain('nothing on file');
    await turn(2, 'STEADY', 'STEADY');
    expect(await places()).toEqual({ red: 2, blue: 2 });
    expect((await phase()).n).toBe(6);
  });

  test('brings back a game that is over', async () => {
    await anna.answer('I concede');
    await carl.answer('VOTE YES');
    expect((await game()).status).toBe('over');
    await gm.write(`REWIND ${ref} 1 it was a joke`);
    expect((await game()).status).toBe('running');
    expect((await game()).outcome).toBeNull();
    await turn(1, 'STEADY', 'STEADY');
    expect(await places()).toEqual({ red: 1, blue: 1 });
  });
});

describe('rulings', () => {
  test('an edit is shown to those who may know it, stands in the next report, and can be taken back', async () => {
    const [made] = await gm.write(`ADJUST ${ref} table.places.red = 3 BECAUSE the mail was lost`);
    expect(flat(made!.text)).toContain('table.places.red: 0 -> 3');
    expect(await places()).toEqual({ red: 3, blue: 0 });
    expect(flat(carl.newest().text)).toContain('Ruling 1: table.places.red was 0, is 3.');
    const [undone] = await gm.write(`RULING ${ref} UNDO 1 my mistake`);
    expect(flat(undone!.text)).toContain('Ruling 1 is taken back');
    expect(await places()).toEqual({ red: 0, blue: 0 });
    await gm.write(`ADJUST ${ref} table.places.blue = 2 BECAUSE of the wind`);
    await turn(1, 'STEADY', 'STEADY');
    expect(await places()).toEqual({ red: 1, blue: 3 });
    expect(flat(anna.newest().text)).toContain('Ruling 2 of the game master: of the wind');
    const [late] = await gm.write(`RULING ${ref} UNDO 2`);
    expect(flat(late!.text)).toContain('moved on');
  });

  test('what is hidden stays hidden', async () => {
    await gm.write(`ADJUST ${ref} hands.red.jumps = 2 BECAUSE of a slip`);
    expect(flat(anna.newest().text)).toContain('hands.red.jumps was 1, is 2');
    expect(carl.newest().text).not.toContain('jumps');
    expect(flat(carl.newest().text)).toContain('changed something you may not see');
  });

  test.each([
    ['table.places.red = "far" BECAUSE x', 'must stay of its kind'],
    ['table.places.green = 1 BECAUSE x', 'There is no table.places.green'],
    ['table.__proto__.x = 1 BECAUSE x', 'is no path'],
    ['table.places.red = 0 BECAUSE x', 'has that value already'],
  ])('refuses ADJUST %s', async (edit, answer) => {
    const [said] = await gm.write(`ADJUST ${ref} ${edit}`);
    expect(flat(said!.text)).toContain(answer);
    expect(await places()).toEqual({ red: 0, blue: 0 });
  });
});

describe('preview', () => {
  test('uses the real dice, closes the phase and is told to all; the phase then runs as it was seen', async () => {
    await anna.answer(['TURN 1', 'RUN FAST', 'FINAL', 'END']);
    await carl.answer(['TURN 1', 'RUN FAST', 'WAIT', 'END']);
    const [asked] = await gm.write(`PREVIEW ${ref}`);
    expect(flat(asked!.text)).toContain('If you are sure');
    const [seen] = await gm.write(`PREVIEW ${ref} SURE`);
    const foreseen = /Red stands on square (\d), Blue on square (\d)/.exec(flat(seen!.text))!;
    expect(flat(carl.newest().text)).toContain('has looked at the coming result');
    await carl.answer(['TURN 1', 'RUN JUMP', 'FINAL', 'END']);
    const [edit] = await gm.write(`ADJUST ${ref} table.places.red = 5 BECAUSE I know the dice`);
    expect(flat(edit!.text)).toContain('was previewed');
    await gm.write(`PROCESS ${ref}`);
    expect(await places()).toEqual({ red: Number(foreseen[1]), blue: Number(foreseen[2]) });
    expect(flat(carl.newest().text)).toContain('had looked at this result');
  });
});

describe('rerun', () => {
  test('the same rules give the same result, and nothing to publish', async () => {
    await turn(1, 'FAST', 'FAST');
    const [same] = await gm.write(`RERUN ${ref} 1`);
    expect(flat(same!.text)).toContain('comes out the same');
    const [publish] = await gm.write(`RERUN ${ref} 1 PUBLISH because`);
    expect(flat(publish!.text)).toContain('comes out the same');
    expect((await phase()).line).toBe(1);
  });

  test('a record that differs from what the rules make of it is shown by viewer, and published with a reason', async () => {
    await turn(1, 'STEADY', 'STEADY');
    // What a fault in the rules of that time would have left behind.
    const wrong = await phase();
    const snapshot = structuredClone(wrong.snapshot) as { table: { places: { blue: number } } };
    snapshot.table.places.blue = 5;
    await tables(database.db)
      .updateTable('phase')
      .set({ snapshot: JSON.stringify(snapshot) })
      .where('id', '=', wrong.id)
      .execute();
    const [shown] = await gm.write(`RERUN ${ref} 1`);
    const words = flat(shown!.text);
    expect(words).toContain('- Red stands on square 1, Blue on square 5');
    expect(words).toContain('+ Red stands on square 1, Blue on square 1');
    expect((await phase()).id).toBe(wrong.id);
    await gm.write(`RERUN ${ref} 1 PUBLISH the rules were wrong`);
    expect(await places()).toEqual({ red: 1, blue: 1 });
    expect((await phase()).n).toBe(3);
    expect(
      flat(
        carl
          .inbox()
          .map((mail) => mail.text)
          .join('\n'),
      ),
    ).toContain('the rules were wrong');
    await turn(2, 'STEADY', 'STEADY');
    expect(await places()).toEqual({ red: 2, blue: 2 });
  });
});

describe('the clock in the master’s hand', () => {
  test('a greeting below PAUSE, which is an order of one game too, takes nothing from it', async () => {
    const { profile } = one.service;
    Object.assign(one.service, { profile: { ...profile, orderWords: [...profile.orderWords, 'PAUSE'] } });
    await gm.write([`PAUSE ${ref} rain`, 'Regards', 'Bob']);
    expect((await game()).status).toBe('paused');
  });

  test('pause keeps what is left, orders may be filed meanwhile, resume goes on', async () => {
    const before = (await phase()).due_at!;
    await gm.write(`PAUSE ${ref} Christmas`);
    expect((await phase()).due_at).toBeNull();
    expect(flat(anna.newest().text)).toContain('Christmas');
    one.clock.forward(20 * DAY_MS);
    await anna.answer(['TURN 1', 'RUN STEADY', 'FINAL', 'END']);
    expect(flat(anna.newest().text)).toContain('RUN STEADY');
    await gm.write(`RESUME ${ref}`);
    expect((await phase()).due_at!.getTime()).toBe(before.getTime() + 20 * DAY_MS);
  });

  test('DEADLINE moves the phase and refuses times that are not or are over', async () => {
    const [moved] = await gm.write(`DEADLINE ${ref} +2 for the fair`);
    expect(flat(moved!.text)).toContain('Sat 7 Mar 2026, 20:00');
    expect(flat(anna.newest().text)).toContain('for the fair');
    const [past] = await gm.write(`DEADLINE ${ref} 2026-01-01`);
    expect(flat(past!.text)).toContain('is over');
  });

  test('SCHEDULE lists dates and changes the rule from the next phase on', async () => {
    const [dates] = await gm.write(`SCHEDULE ${ref} ?`);
    expect(flat(dates!.text)).toContain('Thu 5 Mar 2026, 20:00');
    await gm.write(`SCHEDULE ${ref} SUN AT 12:00`);
    await turn(1, 'STEADY', 'STEADY');
    expect((await phase()).due_at!.toISOString()).toBe('2026-03-08T12:00:00.000Z');
  });

  test('PROCESS wants everything in, PROCESS! does not', async () => {
    await anna.answer(['TURN 1', 'RUN STEADY', 'END']);
    const [refused] = await gm.write(`PROCESS ${ref}`);
    expect(flat(refused!.text)).toContain('missing from: Blue');
    await gm.write(`PROCESS! ${ref}`);
    expect(await places()).toEqual({ red: 1, blue: 0 });
  });

  test('CANCEL ends it; nothing is due afterwards', async () => {
    await gm.write(`CANCEL ${ref} nobody has time`);
    expect((await game()).status).toBe('cancelled');
    expect(flat(carl.newest().text)).toContain('nobody has time');
    one.clock.forward(30 * DAY_MS);
    const before = anna.inbox().length;
    await one.settle();
    expect(anna.inbox()).toHaveLength(before);
  });
});

describe('seats', () => {
  test('SEAT says that a seat is held, and by which word it falls vacant', async () => {
    const [answer] = await gm.write(`SEAT ${ref} blue dora@x.example`);
    expect(flat(answer!.text)).toContain('Blue has a player; DISMISS');
  });

  test('DISMISS pauses; a replacement by invitation gets the report and a full period; the old token is dead', async () => {
    await gm.write(`DISMISS ${ref} blue never writes`);
    expect((await game()).status).toBe('paused');
    one.clock.forward(10 * DAY_MS);
    const dora = correspondent(one, `dora${counter}@x.example`);
    await gm.write(`SEAT ${ref} blue ${dora.address}`);
    await dora.confirm();
    expect((await game()).status).toBe('running');
    expect((await phase()).due_at!.getTime() - one.clock.now.getTime()).toBeGreaterThan(2.5 * DAY_MS);
    const before = carl.inbox().length;
    await carl.answer(['TURN 1', 'RUN JUMP', 'FINAL', 'END']);
    expect(
      carl
        .inbox()
        .slice(before)
        .map((mail) => flat(mail.text))
        .join(' '),
    ).not.toContain('RUN JUMP');
    await dora.answer(['TURN 1', 'RUN STEADY', 'FINAL', 'END']);
    await anna.answer(['TURN 1', 'RUN STEADY', 'FINAL', 'END']);
    expect(await places()).toEqual({ red: 1, blue: 1 });
  });

  test('RESIGN and TAKEOVER by a member', async () => {
    const dora = correspondent(one, `dora${counter}@x.example`);
    await dora.write('SIGNUP Dora');
    await dora.confirm();
    await carl.answer('RESIGN');
    await carl.confirm();
    expect(flat(anna.newest().text)).toContain('vacant');
    const [taken] = await dora.write(`TAKEOVER blue@${ref}`);
    expect(
      flat(
        dora
          .inbox()
          .map((mail) => mail.text)
          .join(' '),
      ),
    ).toContain(`You play Blue in ${ref}`);
    expect(taken).toBeDefined();
    expect(flat(anna.newest().text)).toContain('Dora plays Blue');
  });

  test('whoever takes his own seat back gets no extra time', async () => {
    const due = (await phase()).due_at!;
    one.clock.forward(2 * DAY_MS);
    await carl.answer('RESIGN');
    await carl.confirm();
    await carl.write(`TAKEOVER blue@${ref}`);
    expect((await game()).status).toBe('running');
    expect((await phase()).due_at!.getTime()).toBeLessThanOrEqual(due.getTime());
  });

  test('a stand-in plays until the holder writes again', async () => {
    const dora = correspondent(one, `dora${counter}@x.example`);
    await carl.answer(`SUBSTITUTE ${dora.address} UNTIL 2026-03-20`);
    await dora.confirm();
    await dora.answer(['TURN 1', 'RUN STEADY', 'FINAL', 'END']);
    expect(flat(dora.newest().text)).toContain('RUN STEADY');
    await carl.answer(['TURN 1', 'RUN FAST', 'END']);
    expect(flat(dora.newest().text)).toContain('no longer stand in');
    await dora.answer(['TURN 1', 'RUN JUMP', 'FINAL', 'END']);
    const filed = await tables(database.db)
      .selectFrom('receipt')
      .select('lines')
      .where('verdict', '=', 'filed')
      .orderBy('id', 'desc')
      .executeTakeFirst();
    expect(filed!.lines).toEqual(['RUN FAST']);
  });

  test('a stand-in’s time ends by itself', async () => {
    const dora = correspondent(one, `dora${counter}@x.example`);
    await carl.answer(`SUBSTITUTE ${dora.address} UNTIL 2026-03-03`);
    await dora.confirm();
    one.clock.forward(3 * DAY_MS);
    const { housekeeping } = await import('../../../src/turn/work/brakes.ts');
    await housekeeping(one.service);
    await one.settle();
    expect(
      flat(
        dora
          .inbox()
          .map((mail) => mail.text)
          .join(' '),
      ),
    ).toContain('no longer stand in');
  });
});

describe('agreements', () => {
  test('a draw needs everybody', async () => {
    await anna.answer('PROPOSE DRAW');
    expect((await game()).status).toBe('running');
    expect(flat(carl.newest().text)).toContain('proposes to end');
    await carl.answer('VOTE NO');
    expect(flat(anna.newest().text)).toContain('said no');
    await anna.answer('OFFER DRAW');
    await carl.answer('VOTE AYE');
    expect((await game()).outcome).toMatchObject({ winner: 'draw' });
    expect(flat(anna.newest().text)).toContain('agreed on a draw');
  });

  test('both proposing the same is an agreement', async () => {
    await anna.answer('PROPOSE PAUSE');
    await carl.answer('PROPOSE PAUSE');
    expect((await game()).status).toBe('paused');
  });

  test('more time by agreement, within limits; abuse is refused', async () => {
    const due = (await phase()).due_at!;
    await anna.answer('EXTEND 3 the exam');
    expect((await phase()).due_at).toEqual(due);
    expect(flat(gm.newest().text)).toContain('the exam');
    await carl.answer('VOTE YES');
    expect((await phase()).due_at!.getTime()).toBe(due.getTime() + 3 * DAY_MS);
    const [refused] = await anna.answer('EXTEND 5');
    expect(flat(refused!.text)).toContain('7 days more by agreement');
  });

  test('a vacation moves the deadline out of the days away and has limits', async () => {
    const set = await anna.answer('VACATION 2026-03-04 TO 2026-03-10');
    expect(flat(set.map((mail) => mail.text).join(' '))).toContain('the deadline is now Thu 12 Mar 2026, 20:00');
    expect(flat(carl.newest().text)).toContain('somebody is away');
    const [long] = await anna.answer('ABSENCE FROM 2026-06-01 TO 2026-08-01');
    expect(flat(long!.text)).toContain('too many');
    expect(flat(long!.text)).toContain('here the word is VACATION');
    const [off] = await anna.answer('VACATION OFF');
    expect(flat(off!.text)).toContain('called off');
  });
});

describe('settings', () => {
  test('zone, name, reminders; a new address counts after its code', async () => {
    const [zone] = await anna.answer('SET ZONE america/new york');
    expect(flat(zone!.text)).toContain('America/New_York');
    const [status] = await anna.answer('STATUS');
    expect(flat(status!.text)).toContain('Thu 5 Mar 2026, 15:00 (America/New_York, UTC-5)');
    const [wrong] = await anna.answer('SET ZONE Gondor');
    expect(flat(wrong!.text)).toContain('no time zone');
    const home = correspondent(one, `home${counter}@x.example`);
    await anna.answer(`SET ADDRESS ${home.address}`);
    await home.confirm();
    const [mine] = await home.write('STATUS');
    expect(flat(mine!.text)).toContain('nothing on file');
    expect(mine!.text).toContain(ref);
  });

  test('SET TOKEN NEW: the old address of the seat is dead', async () => {
    const old = anna.newest().replyTo;
    await anna.answer('SET TOKEN NEW');
    expect(anna.newest().replyTo).not.toBe(old);
    await anna.write(['TURN 1', 'RUN JUMP', 'FINAL', 'END'], { to: old });
    const [status] = await anna.answer('STATUS');
    expect(flat(status!.text)).toContain('nothing on file');
  });

  test('MYDATA shows what is kept, FORGET ME removes it after a code', async () => {
    await anna.answer(['PRESS TO blue', 'My secret plan.', 'ENDPRESS']);
    const [data] = await anna.write('MYDATA');
    expect(flat(data!.text)).toContain('press written: 1');
    await anna.write('FORGET ME');
    await anna.confirm();
    expect(one.problems).toEqual([]);
    const left = await tables(database.db)
      .selectFrom('address')
      .selectAll()
      .where('address', '=', anna.address)
      .execute();
    expect(left).toEqual([]);
    const press = await tables(database.db)
      .selectFrom('press')
      .selectAll()
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow();
    expect(press.body).toBe('');
    expect((await game()).status).toBe('paused');
  });
});

test('a master whose address nothing proves answers a mail of his game, and that is proof', async () => {
  const doubted = correspondent(one, gm.address, false);
  const [asked] = await doubted.write(`PAUSE ${ref} Christmas`);
  expect(flat(asked!.text)).toContain('Nothing proves yet');
  expect((await game()).status).toBe('running');
  await anna.answer(['PRESS TO GM', 'May I?', 'ENDPRESS']);
  await doubted.answer('PAUSE Christmas');
  expect((await game()).status).toBe('paused');
  const stranger = correspondent(one, `eve${counter}@x.example`, false);
  await stranger.write(`RESUME ${ref}`, { to: doubted.newest().replyTo });
  expect((await game()).status).toBe('paused');
});

test('every action of the master is on record with who and why', async () => {
  await gm.write(`PAUSE ${ref} Christmas`);
  const [log] = await gm.write(`LOG ${ref}`);
  expect(flat(log!.text)).toMatch(/: pause \(Christmas\)/);
});
