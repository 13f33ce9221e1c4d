/** What is optional is left with one click, as RFC 8058 has it: by a POST alone, and nothing else changes with it. */
import { generateKeyPairSync } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { tables } from '../../src/store/db.ts';
import { readCommand } from '../../src/turn/commandwords.ts';
import { deedsOf } from '../../src/turn/deeds.ts';
import { startWeb, type Web } from '../../src/web/server.ts';
import { type Correspondent, correspondent, GM, type Got } from '../helpers/club.ts';
import { type TestDatabase, testDatabase } from '../helpers/db.ts';
import { BLUE, DAY_MS, headerOf, RED, type TestService, testService } from '../helpers/service.ts';

const OLGA = 'olga@players.example';

let database: TestDatabase;
let one: TestService;
let web: Web;
let ref: string;
const people: Record<string, Correspondent> = {};

beforeAll(async () => {
  database = await testDatabase();
  one = testService(database.db, { env: { BASE_URL: 'https://club.example' } });
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  Object.assign(one.service, { dkim: { domain: 'club.example', selector: 's1', privateKey: pem } });
  web = await startWeb(one.service, deedsOf(one.service), { host: '127.0.0.1', port: 0 });
  for (const address of [GM, RED, BLUE, OLGA]) people[address] = correspondent(one, address);
  const [made] = await people[GM]!.write(`CREATE tiny/race 3 DAYS AT 20:00 SEAT red ${RED} SEAT blue ${BLUE}`);
  ref = /TNY-\d{4}/.exec(made!.text)![0];
  await people[OLGA]!.write('SIGNUP Olga');
  await people[OLGA]!.confirm();
  await people[OLGA]!.write(`OBSERVE ${ref}`);
  await people[RED]!.confirm();
  await people[BLUE]!.confirm();
  await people[RED]!.write('SET DIGEST 7', { subject: 'SET DIGEST 7' });
  await people[GM]!.write(`ANNOUNCE ${ref} The club room is closed on Monday.`);
  await people[BLUE]!.answer(['TURN 1', 'RUN STEADY', 'FINAL', 'END']);
  one.clock.forward(4 * DAY_MS);
  for (let hours = 0; hours < 36; hours++) {
    one.clock.forward(DAY_MS / 24);
    await one.settle();
  }
  expect(one.problems).toEqual([]);
});
afterAll(async () => {
  await web.close();
  await database.close();
});

/** Where the header of a mail says that it is left. */
function linkOf(mail: Got): string {
  return /<https:\/\/club\.example(\/unsubscribe\/[^>]+)>/.exec(headerOf(mail.raw, 'List-Unsubscribe') ?? '')![1]!;
}

const ask = (link: string, method: string, body?: string): Promise<Response> =>
  fetch(`http://127.0.0.1:${web.port}${link}`, {
    method,
    redirect: 'manual',
    ...(body === undefined ? {} : { body, headers: { 'Content-Type': 'application/x-www-form-urlencoded' } }),
  });

/** Everything of the club that a click could change. */
async function everything() {
  return {
    people: await tables(database.db).selectFrom('person').selectAll().orderBy('id').execute(),
    roles: await tables(database.db).selectFrom('role_token').selectAll().orderBy('id').execute(),
    seats: await tables(database.db).selectFrom('seat').selectAll().orderBy('id').execute(),
    jobs: await tables(database.db).selectFrom('job').selectAll().orderBy('id').execute(),
  };
}

/** Each optional kind: the mail that came, who got it, and what is off once it is left. */
const KINDS: [string, string, RegExp][] = [
  ['observer', OLGA, /^Report of /],
  ['reminders', RED, /due/i],
  ['digest', RED, /club room/],
];

function mailOf(what: string, to: string, says: RegExp): Got {
  const optional = people[to]!.inbox().filter((mail) => headerOf(mail.raw, 'List-Unsubscribe')?.includes(`-${what}-`));
  return optional.find((mail) => says.test(mail.text))!;
}

describe('leaving what is optional', () => {
  test.each(KINDS)('%s: signed mails name the page and a mail, the page first', (what, to, says) => {
    const mail = mailOf(what, to, says);
    expect(headerOf(mail.raw, 'List-Unsubscribe')).toMatch(/^<https:\/\/club\.example\/\S+>, <mailto:\S+>$/);
    expect(headerOf(mail.raw, 'List-Unsubscribe-Post')).toBe('List-Unsubscribe=One-Click');
  });

  test.each(KINDS)('%s: whatever only looks changes nothing', async (what, to, says) => {
    const before = await everything();
    const link = linkOf(mailOf(what, to, says));
    const page = await ask(link, 'GET');
    expect(page.status).toBe(200);
    expect(await page.text()).toContain(`<form method="post" action="${link}"`);
    for (const method of ['HEAD', 'OPTIONS', 'PUT', 'DELETE', 'PATCH']) await ask(link, method);
    expect(await everything()).toEqual(before);
  });

  test.each([
    ['another setting', (link: string) => link.replace(/-(?:digest|reminders|observer)-/, '-digest-')],
    ['another person', (link: string) => link.replace(/\/(\d+)-/, (_, id: string) => `/${Number(id) + 1}-`)],
    ['another game', (link: string) => link.replace(ref, 'TNY-0999')],
    ['a guessed code', (link: string) => link.replace(/[0-9a-f]{32}$/, '0'.repeat(32))],
    ['a longer code', (link: string) => `${link}00`],
  ])('a code of %s is good for nothing', async (_, change) => {
    const before = await everything();
    const false_ = change(linkOf(mailOf(...KINDS[0]!)));
    for (const method of ['GET', 'POST'])
      expect((await ask(false_, method, method === 'POST' ? 'List-Unsubscribe=One-Click' : undefined)).status).toBe(
        404,
      );
    expect(await everything()).toEqual(before);
  });

  test.each(KINDS)(
    '%s: one POST without cookies switches it off, twice is the same, and nothing else',
    async (what, to, says) => {
      const before = await everything();
      const link = linkOf(mailOf(what, to, says));
      for (let i = 0; i < 2; i++) expect((await ask(link, 'POST', 'List-Unsubscribe=One-Click')).status).toBe(200);
      const after = await everything();
      const id = Number(/\/(\d+)-/.exec(link)![1]);
      const left = before.people.map((person) => {
        if (person.id !== id || what === 'observer') return person;
        const settings = { ...person.settings };
        if (what === 'digest') delete settings.digestHour;
        else settings.remind = [];
        return { ...person, settings };
      });
      expect(after.people).toEqual(left);
      expect(after.seats).toEqual(before.seats);
      expect(after.roles).toEqual(
        what === 'observer' ? before.roles.filter((role) => role.person_id !== id) : before.roles,
      );
    },
  );

  test('what is not optional can not be left: reports of a seat, receipts, questions about a code', () => {
    for (const mail of [...people[RED]!.inbox(), ...people[BLUE]!.inbox()])
      if (/^(?:Report of|Receipt)|Confirm/.test(`${mail.text}${mail.subject}`))
        expect(headerOf(mail.raw, 'List-Unsubscribe')).toBeUndefined();
  });

  test('the mail that does the same is a command of ours', () => {
    for (const [what, to, says] of KINDS) {
      const listed = headerOf(mailOf(what, to, says).raw, 'List-Unsubscribe')!;
      const subject = decodeURIComponent(/<mailto:[^?>]+\?subject=([^>]+)>/.exec(listed)![1]!);
      expect(['SET', 'SIGNOFF']).toContain(readCommand(subject)?.row.name);
    }
  });
});

test('without https, or unsigned, a mail is the only way: a click could be forged', async () => {
  for (const [env, dkim] of [
    [{ BASE_URL: 'http://club.example' }, true],
    [{ BASE_URL: 'https://club.example' }, false],
  ] as const) {
    const other = testService(database.db, { env });
    if (dkim) Object.assign(other.service, { dkim: one.service.dkim });
    const olga = correspondent(other, OLGA);
    await olga.write(`OBSERVE ${ref}`);
    await correspondent(other, GM).write(`ANNOUNCE ${ref} Once more.`);
    const mail = olga.inbox().find((each) => each.text.includes('Once more.'))!;
    expect(headerOf(mail.raw, 'List-Unsubscribe')).toMatch(/^<mailto:\S+>$/);
    expect(headerOf(mail.raw, 'List-Unsubscribe-Post')).toBeUndefined();
  }
});
