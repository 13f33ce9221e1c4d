import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { tables } from '../../../src/store/db.ts';
import { type Correspondent, correspondent, flat } from '../../helpers/club.ts';
import { type TestDatabase, testDatabase } from '../../helpers/db.ts';
import { type TestService, testService } from '../../helpers/service.ts';

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
beforeEach(async () => {
  counter++;
  const master = `gm${counter}@club.example.org`;
  one = testService(database.db, { env: { OPERATOR_EMAIL: master } });
  anna = correspondent(one, `anna${counter}@players.example`);
  carl = correspondent(one, `carl${counter}@elsewhere.example`);
  gm = correspondent(one, master);
});

async function signUp(person: Correspondent, name: string): Promise<void> {
  await person.write(`SIGNUP ${name}`);
  await person.confirm();
}

/** A game made by the master by mail; its reference. */
async function makeGame(rest = ''): Promise<string> {
  const [answer] = await gm.write(`CREATE tiny/race ${rest}`.trim());
  return /TNY-\d{4}/.exec(answer!.text)![0];
}

async function started(rest = ''): Promise<string> {
  await signUp(anna, 'Anna');
  await signUp(carl, 'Carl');
  const ref = await makeGame(rest);
  await anna.write(`JOIN ${ref} red`);
  await carl.write(`JOIN ${ref}`);
  return ref;
}

describe('a stranger', () => {
  test('HELP lists every command and every system', async () => {
    const [help] = await anna.write('help', { subject: '' });
    for (const word of ['SIGNUP', 'VACATION', 'REWIND', 'HELP tiny', 'ENDPRESS']) expect(help!.text).toContain(word);
  });

  test('HELP of a system shows its verbs from the table that parses', async () => {
    const [help] = await anna.write('', { subject: 'HELP tiny' });
    expect(flat(help!.text)).toContain('RUN STEADY|FAST|JUMP');
    expect(help!.text).toContain('DOCTRINE CAPTURE ASK');
  });

  test('HELP for something misspelt says what was near', async () => {
    const [help] = await anna.write('HELP VACATON');
    expect(flat(help!.text)).toContain('VACATION');
  });

  test('several commands in one mail are each answered, old words taught', async () => {
    const [answer] = await anna.write(['DICE', 'LIST', 'HELP STATUS']);
    const text = flat(answer!.text);
    expect(text).toContain('== DICE');
    expect(text).toContain('== LIST');
    expect(text).toContain('here the word is GAMES');
    expect(text).toContain('== HELP STATUS');
  });

  test('joins only after the code that went to the address comes back from it', async () => {
    const ref = await makeGame();
    const [asked] = await anna.write(`JOIN ${ref}`);
    expect(asked!.text).toContain('CONFIRM');
    expect(await personCount(anna.address)).toBe(0);
    const code = /CONFIRM (\S+)/.exec(asked!.text)![1]!;
    const [stolen] = await carl.write(`CONFIRM ${code}`);
    expect(flat(stolen!.text)).toContain('not valid');
    const [done] = await anna.confirm();
    expect(flat(done!.text)).toContain(`You have the seat Red in ${ref}`);
    const [again] = await anna.write(`CONFIRM ${code}`);
    expect(flat(again!.text)).toContain('not valid');
  });

  test('the answer to the mail with the code is enough: its subject is the command', async () => {
    const [asked] = await anna.write('SIGNUP Anna');
    const [done] = await anna.write('', { subject: `Re: ${asked!.subject}` });
    expect(flat(done!.text)).toContain('You are a member of');
  });

  test('the old SIGNON names a game with or without a side', async () => {
    const ref = await makeGame();
    const [asked] = await anna.write(`SIGNON ?red@${ref}`);
    expect(flat(asked!.text)).toContain('here the word is JOIN');
    await anna.confirm();
    expect(flat(anna.newest().text)).toContain(`You have the seat Red in ${ref}`);
    await signUp(carl, 'Carl');
    await carl.write(`SIGNON ?${ref}`);
    expect(carl.inbox().some((mail) => flat(mail.text).includes(`You have the seat Blue in ${ref}`))).toBe(true);
  });

  test('a forged From of a member changes nothing without a code', async () => {
    await signUp(anna, 'Anna');
    const ref = await makeGame();
    const forger = correspondent(one, anna.address, false);
    const [answer] = await forger.write(`JOIN ${ref}`);
    expect(flat(answer!.text)).toContain('Nothing proves yet that you wrote this');
    const seats = await tables(database.db)
      .selectFrom('seat')
      .select('person_id')
      .where('person_id', 'is not', null)
      .execute();
    const person = await tables(database.db)
      .selectFrom('address')
      .select('person_id')
      .where('address', '=', anna.address)
      .executeTakeFirst();
    expect(seats.map((seat) => seat.person_id)).not.toContain(person!.person_id);
    await anna.confirm();
    expect(flat(anna.newest().text)).toContain(`You have the seat Red in ${ref}`);
  });

  test('is not the master of anything', async () => {
    const ref = await started();
    for (const command of [
      `PAUSE ${ref}`,
      `REWIND ${ref} 1 fun`,
      `LOG ${ref}`,
      `PROCESS! ${ref}`,
      `PREVIEW ${ref} SURE`,
      `ADJUST ${ref} table.places.red = 6 BECAUSE fun`,
    ]) {
      const [answer] = await anna.write(command);
      expect(flat(answer!.text), command).toContain('no such game of which you are the master');
      const [unknown] = await anna.write(command.replace(ref, 'TNY-9999'));
      expect(flat(unknown!.text).replace('TNY-9999', ref), command).toBe(flat(answer!.text));
    }
  });

  test('gets a suggestion for a subject that is nearly a command', async () => {
    const [answer] = await anna.write('', { subject: 'SIGNPU' });
    expect(flat(answer!.text)).toContain('SIGNUP');
  });
});

async function personCount(address: string): Promise<number> {
  return (await tables(database.db).selectFrom('address').selectAll().where('address', '=', address).execute()).length;
}

describe('a game by mail', () => {
  test('starts when full; STATUS, ORDERS and HISTORY tell where one stands', async () => {
    const ref = await started();
    expect(anna.newest().subject).toContain(`${ref}`);
    const [status] = await anna.answer('STATUS');
    expect(flat(status!.text)).toContain('nothing on file');
    expect(flat(status!.text)).toContain('Blue has not filed yet');
    await anna.answer(['TURN 1', 'RUN FAST', 'END']);
    const [after] = await anna.answer('show');
    expect(flat(after!.text)).toContain('RUN FAST');
    expect(flat(after!.text)).toContain('here the word is STATUS');
    await carl.answer(['TURN 1', 'RUN STEADY', 'FINAL', 'END']);
    const [seen] = await carl.answer('STATUS');
    expect(flat(seen!.text)).toContain('Red has filed');
    expect(seen!.text).not.toContain('RUN FAST');
    await anna.answer(['TURN 1', 'RUN FAST', 'FINAL', 'END']);
    const [orders] = await anna.answer('ORDERS 1');
    expect(orders!.text).toContain('RUN FAST');
    const [history] = await anna.answer('HISTORY');
    expect(flat(history!.text)).toMatch(/1\. turn 1, run: run .* 1 of your orders/);
    const [dice] = await anna.answer('VERIFY 1');
    expect(dice!.text).toMatch(/red runs fast: \d \(d6\)/);
  });

  test('QUESTIONS say which kinds are asked and how many a phase; doctrine answers the others', async () => {
    const ref = await started('QUESTIONS DOCTRINE capture QUESTIONS ASK retreat QUESTIONS MOST 3');
    const game = await tables(database.db)
      .selectFrom('game')
      .selectAll()
      .where('ref', '=', ref)
      .executeTakeFirstOrThrow();
    expect(game.settings.questions).toEqual({ kinds: { capture: 'doctrine', retreat: 'ask' }, most: 3 });
    // Blue wants to be asked; the game says that doctrine decides: nobody is, and the neutral choice is taken.
    await anna.answer(['TURN 1', 'RUN STEADY', 'FINAL', 'END']);
    await carl.answer(['TURN 1', 'DOCTRINE CAPTURE ASK', 'FINAL', 'END']);
    await anna.answer(['TURN 2', 'DOCTRINE RUN STAY', 'FINAL', 'END']);
    await carl.answer(['TURN 2', 'RUN STEADY', 'FINAL', 'END']);
    const phases = await tables(database.db)
      .selectFrom('phase')
      .select(['n', 'status', 'decisions'])
      .where('game_id', '=', game.id)
      .orderBy('n')
      .execute();
    expect(phases.map(({ status }) => status)).toEqual(['done', 'done', 'open']);
    expect(phases[1]!.decisions).toMatchObject([{ chosen: ['PASS'], by: 'fallback' }]);
  });

  test('a full game has a waiting list, and a second seat for one person is refused', async () => {
    const ref = await makeGame();
    await signUp(anna, 'Anna');
    await signUp(carl, 'Carl');
    await anna.write(`JOIN ${ref}`);
    const [twice] = await anna.write(`JOIN ${ref} blue`);
    expect(flat(twice!.text)).toContain('may not play two sides');
    await carl.write(`JOIN ${ref}`);
    const dora = correspondent(one, `dora${counter}@x.example`);
    await signUp(dora, 'Dora');
    const [answer] = await dora.write(`TAKEOVER blue@${ref}`);
    expect(flat(answer!.text)).toContain('on its waiting list');
  });

  test('a solitaire game lets one person play both sides', async () => {
    await signUp(anna, 'Anna');
    const ref = await makeGame('SOLITAIRE');
    await anna.write(`JOIN ${ref} red`);
    const mails = await anna.write(`JOIN ${ref} blue`);
    expect(mails.some((mail) => flat(mail.text).includes('has started'))).toBe(true);
  });

  test('an invitation puts an address into a seat once it is confirmed', async () => {
    const ref = await makeGame(`SEAT red ${anna.address} SEAT blue ${carl.address} 2 DAYS AT 21:00`);
    expect(anna.newest().subject).toMatch(/^Confirm [a-z0-9]{4}-[a-z0-9]{4}-[a-z0-9]{4}$/);
    await anna.confirm(' PRIVATE');
    await carl.confirm();
    expect(anna.newest().text).toContain(ref);
    const game = await tables(database.db)
      .selectFrom('game')
      .selectAll()
      .where('ref', '=', ref)
      .executeTakeFirstOrThrow();
    expect(game.status).toBe('running');
    const [rules] = await carl.write(`RULES ${ref}`);
    expect(flat(rules!.text)).toContain('2 DAYS AT 21:00');
  });

  test('an unknown option or rule is refused with what there is', async () => {
    const [option] = await gm.write('CREATE tiny/race colour=red');
    expect(flat(option!.text)).toContain('has no option colour');
    const [rule] = await gm.write('CREATE tiny/race whenever we like');
    expect(flat(rule!.text)).toContain('is no deadline rule');
    const [scenario] = await gm.write('CREATE tiny/marathon');
    expect(flat(scenario!.text)).toContain('tiny/race');
  });

  test('observers get the public report and public press, and no more', async () => {
    const ref = await started();
    const olga = correspondent(one, `olga${counter}@x.example`);
    await signUp(olga, 'Olga');
    await olga.write(`OBSERVE ${ref}`);
    await anna.answer(['PRESS TO ALL', 'Hello all.', 'ENDPRESS', 'PRESS TO blue', 'Only for you.', 'ENDPRESS']);
    const words = olga
      .inbox()
      .map((mail) => mail.text)
      .join('\n');
    expect(words).toContain('Hello all.');
    expect(words).not.toContain('Only for you.');
    expect(
      carl
        .inbox()
        .map((mail) => mail.text)
        .join('\n'),
    ).toContain('Only for you.');
    await anna.answer(['TURN 1', 'RUN STEADY', 'FINAL', 'END']);
    await carl.answer(['TURN 1', 'RUN STEADY', 'FINAL', 'END']);
    expect(olga.newest().text).toMatch(/^Report of /);
    expect(olga.newest().text).not.toContain('orders.txt');
    const [status] = await olga.answer('STATUS');
    expect(flat(status!.text)).toContain('no seat');
    await olga.write(`SIGNOFF ${ref}`);
    const before = olga.inbox().length;
    await anna.answer(['PRESS TO ALL', 'Still there?', 'ENDPRESS']);
    expect(olga.inbox()).toHaveLength(before);
  });
});

describe('press', () => {
  test('cannot carry orders, commands, headers or the writer’s address', async () => {
    await started();
    await anna.answer(['PRESS TO blue FROM ANON', 'RUN JUMP', 'Bcc: x@y.example', 'RESIGN', 'Regards', 'ENDPRESS']);
    const press = carl.newest();
    expect(press.text).toContain('| RUN JUMP');
    expect(press.text).toContain('| RESIGN');
    expect(flat(press.text)).toContain('somebody writes to Blue');
    const head = press.raw.toString('latin1').split('\r\n\r\n')[0]!;
    expect(head).not.toMatch(/^bcc/im);
    expect(press.raw.toString('latin1')).not.toContain(anna.address);
    // Quoted back, nothing in it is an order or a command.
    const lines = press.text.split('\n').map((line) => `> ${line}`);
    await carl.answer([...lines, 'STATUS']);
    expect(flat(carl.newest().text)).toContain('nothing on file');
    const game = await tables(database.db)
      .selectFrom('game')
      .selectAll()
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow();
    expect(game.status).toBe('running');
  });

  test('is signed only, or not at all, as the game has it', async () => {
    await started('PRESS SIGNED');
    const [signed] = await anna.answer(['PRESS TO ALL FROM ANON', 'Psst.', 'ENDPRESS']);
    expect(flat(signed!.text)).toContain('always signed');
  });

  test('to the game master, and back', async () => {
    const ref = await started();
    await anna.answer(['PRESS TO GM', 'Is this legal?', 'ENDPRESS']);
    expect(gm.newest().text).toContain('Is this legal?');
    await gm.write([`GAME ${ref}`, 'PRESS TO red', 'It is.', 'ENDPRESS']);
    expect(anna.newest().text).toContain('It is.');
    expect(flat(anna.newest().text)).toContain('the game master writes to Red');
  });
});

describe('the map as it is wanted', () => {
  test.each([
    ['MAP', 'application/pdf', /filename="?[\w.-]+\.pdf/],
    ['MAP 1 PNG', 'image/png', /filename="?[\w.-]+\.png/],
    ['MAP SVG', 'image/svg\\+xml', /filename="?[\w.-]+\.svg/],
    ['MAP 1 BW', 'application/pdf', /filename="?[\w.-]+\.pdf/],
  ])('%s', async (command, type, name) => {
    await started();
    const got = await anna.answer(command);
    const mail = got.map((one) => one.raw.toString('latin1')).find((raw) => new RegExp(type).test(raw));
    expect(mail).toMatch(name);
    expect(/\.pdf"?/.test(mail!)).toBe(type === 'application/pdf');
  });
});
