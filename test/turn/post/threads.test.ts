/**
 * One game is one thread in a player's mail program. Gmail puts a mail to those with the same subject (but for Re:) whose
 * ids it names; Outlook goes by the subject without its prefixes, or by the ids; mutt by the ids alone.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { tables } from '../../../src/store/db.ts';
import { type Correspondent, correspondent, GM, type Got } from '../../helpers/club.ts';
import { type TestDatabase, testDatabase } from '../../helpers/db.ts';
import { BLUE, DAY_MS, headerOf, RED, type TestService, testService, textOf } from '../../helpers/service.ts';

let database: TestDatabase;
let one: TestService;
let red: Correspondent;
let gm: Correspondent;
let ref: string;

beforeAll(async () => {
  database = await testDatabase();
  one = testService(database.db);
  gm = correspondent(one, GM);
  red = correspondent(one, RED);
  const blue = correspondent(one, BLUE);
  const [made] = await gm.write(`CREATE tiny/race 3 DAYS AT 20:00 SEAT red ${RED} SEAT blue ${BLUE}`);
  ref = /TNY-\d{4}/.exec(made!.text)![0];
  await red.confirm();
  await blue.confirm();
  // As one writes: with the subject of the mail answered, with a subject of one's own, with none, and a new mail.
  await red.answer(['TURN 1', 'RUN FAST', 'FINAL', 'END'], 'orders');
  await red.answer(['TURN 1', 'RUN STEADY', 'FINAL', 'END'], '');
  await red.answer(['TURN 1', 'RUN', 'END'], `Re: ${red.newest().subject}`);
  await red.answer('MAP');
  await red.answer('STATUS', 'STATUS');
  await red.write('REPORT', { subject: 'REPORT' });
  await red.answer(['PRESS TO blue', 'Good luck.', 'ENDPRESS'], 'AW: good luck');
  await blue.answer(['PRESS TO ALL', 'And to you.', 'ENDPRESS']);
  await gm.write(`ANNOUNCE ${ref} The club room is closed on Monday.`);
  // Not final, so that the deadline is reminded of.
  await red.answer(['TURN 1', 'RUN STEADY', 'END']);
  await blue.answer(['TURN 1', 'RUN STEADY', 'FINAL', 'END']);
  one.clock.forward(4 * DAY_MS);
  for (let hours = 0; hours < 60; hours++) {
    one.clock.forward(DAY_MS / 24);
    await one.settle();
  }
  await red.answer(['TURN 2', 'RUN FAST', 'FINAL', 'END'], `Re: ${red.newest().subject}`);
  await red.answer('REPORT 1', 'last turn');
  expect(one.problems).toEqual([]);
});
afterAll(() => database.close());

const idsOf = (mail: Got, name: string): string[] => headerOf(mail.raw, name)?.match(/<[^<>]+>/g) ?? [];
/** Subjects without the prefixes of answers, as mail programs compare them. */
const base = (subject: string): string =>
  subject.replace(/^(?:(?:re|fwd?|aw|sv|antw)\s*(?:\[\d+\])?:\s*)+/i, '').trim();

/** The mails of the game to red: all but those that are answered with a code, and the old report. */
function ofGame(): Got[] {
  return red
    .inbox()
    .filter((mail) => headerOf(mail.raw, 'List-Id')?.includes(`<${ref.toLowerCase()}.`))
    .filter((mail) => !/^(?:Re: )?(?:Confirm|\[\S+\] Old report)/i.test(mail.subject));
}

/** Threads of mails: those that share what `joins` gives, directly or over others. */
function threads(mails: readonly Got[], joins: (mail: Got) => string[]): number {
  const groups: Set<string>[] = [];
  for (const mail of mails) {
    const keys = joins(mail);
    const touched = groups.filter((group) => keys.some((key) => group.has(key)));
    const joined = new Set([...keys, ...touched.flatMap((group) => [...group])]);
    for (const group of touched) groups.splice(groups.indexOf(group), 1);
    groups.push(joined);
  }
  return groups.length;
}

/** A mail's own id with all it names. */
function ids(mail: Got): string[] {
  return ['Message-ID', 'In-Reply-To', 'References'].flatMap((name) => idsOf(mail, name));
}

describe('one game is one thread', () => {
  test('every kind of mail is among those tried', () => {
    const kinds = ofGame().map((mail) => mail.text);
    expect(kinds.length).toBeGreaterThan(10);
    for (const said of [
      /^Report of/,
      /^Receipt \d+ for/,
      /map is attached/,
      /Good luck|And to you/,
      /club room/,
      /NOT FINAL YET/,
    ])
      expect(
        kinds.some((text) => said.test(text)),
        String(said),
      ).toBe(true);
  });

  test('Gmail: one subject, and each mail names one of the others', () => {
    const mails = ofGame();
    expect(new Set(mails.map((mail) => base(mail.subject)))).toEqual(new Set([`[${ref}] A race`]));
    expect(threads(mails, (mail) => ids(mail).map((id) => `${base(mail.subject)} ${id}`))).toBe(1);
  });

  test('Outlook: one conversation by its topic', () => {
    expect(threads(ofGame(), (mail) => [base(mail.subject)])).toBe(1);
  });

  test('mutt: one tree, whose root is the first mail of the game', () => {
    const mails = ofGame();
    const first = idsOf(mails[0]!, 'Message-ID')[0]!;
    for (const mail of mails.slice(1)) expect(idsOf(mail, 'References')[0]).toBe(first);
    expect(threads(mails, ids)).toBe(1);
  });

  test('an answer names what it answers last, as RFC 5322 has it, and says Re:', () => {
    const mails = ofGame();
    const answers = mails.filter((mail) => idsOf(mail, 'In-Reply-To').length > 0);
    expect(answers.length).toBeGreaterThan(5);
    for (const mail of answers) {
      expect(idsOf(mail, 'References').at(-1)).toBe(idsOf(mail, 'In-Reply-To')[0]);
      expect(mail.subject).toMatch(/^Re: \[/);
      expect(headerOf(mail.raw, 'Auto-Submitted')).toBe('auto-replied');
    }
    for (const mail of mails.filter((each) => !answers.includes(each)))
      expect(headerOf(mail.raw, 'Auto-Submitted')).toBe('auto-generated');
  });

  test('no subject is long or in capitals', () => {
    for (const mail of [...red.inbox(), ...gm.inbox()]) {
      expect(mail.subject.length).toBeLessThanOrEqual(140);
      expect(mail.subject, mail.subject).not.toBe(mail.subject.toUpperCase());
    }
  });

  test('another game and another seat are threads of their own', async () => {
    const [made] = await gm.write(`CREATE tiny/race SEAT red ${RED} SEAT blue ${BLUE}`);
    const other = /TNY-\d{4}/.exec(made!.text)![0];
    const mails = red.inbox().filter((mail) => headerOf(mail.raw, 'List-Id')?.includes(other.toLowerCase()));
    expect(mails.length).toBeGreaterThan(0);
    const known = new Set(ofGame().flatMap((mail) => idsOf(mail, 'Message-ID')));
    for (const mail of mails) expect(ids(mail).some((id) => known.has(id))).toBe(false);
  });

  test('a first mail that never left is no root', async () => {
    const rows = await tables(database.db)
      .selectFrom('mail_out')
      .select(['state', 'message_id', 'refers'])
      .where('to_address', '=', RED)
      .execute();
    const dropped = new Set(rows.filter((row) => row.state === 'dropped').map((row) => row.message_id));
    for (const row of rows) for (const id of row.refers?.split(' ') ?? []) expect(dropped.has(id)).toBe(false);
  });
});

describe('what is sent again', () => {
  test('an old report says so in subject and first line, and offers no form', () => {
    const old = red.inbox().find((mail) => mail.text.includes('An old report, sent again'))!;
    expect(old.subject).toMatch(/^\[TNY-\d{4}\] Old report of turn 1/);
    expect(old.text.split('\n')[0]).toMatch(/^An old report, sent again/);
    expect(old.text).not.toMatch(/\bFINAL\b|orders due|^GAME /m);
    expect(old.raw.toString('latin1')).not.toMatch(/orders\.txt"|mailto:[^"]*body=/);
  });

  test('the newest report sent again is no old one and holds the form', async () => {
    await red.write('REPORT', { subject: 'REPORT' });
    const again = red.inbox().findLast((mail) => mail.text.startsWith('Report of'))!;
    expect(again.text).toMatch(/^FINAL$/m);
    expect(again.raw.toString('latin1')).toContain('orders.txt');
  });

  test('MAP sends the map and nothing of the report', async () => {
    const mails = await red.answer('MAP');
    const map = mails.find((mail) => mail.raw.includes('application/pdf'))!;
    expect(map.text).not.toMatch(/\bFINAL\b|Report of/);
    expect(map.raw.toString('latin1').match(/Content-Disposition: attachment/gi)).toHaveLength(1);
    expect(textOf(map.raw).length).toBeLessThan(700);
  });
});
