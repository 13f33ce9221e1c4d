import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { endTenure, startTenure } from '../../src/store/club.ts';
import { inTransaction, tables } from '../../src/store/db.ts';
import { gameByRef, setGameSettings } from '../../src/store/games.ts';
import { changePerson } from '../../src/store/members.ts';
import { personFor } from '../../src/store/people.ts';
import { deedsOf } from '../../src/turn/deeds.ts';
import { startWeb, type Web } from '../../src/web/server.ts';
import { type Reader, reader, signIn } from '../helpers/browser.ts';
import { type Correspondent, correspondent, flat } from '../helpers/club.ts';
import { type TestDatabase, testDatabase } from '../helpers/db.ts';
import { type TestService, testService } from '../helpers/service.ts';

let database: TestDatabase;
let one: TestService;
let web: Web;
let ref: string;
const people: Record<string, Correspondent> = {};
const readers: Record<string, Reader> = {};
/** Words that only RED may see while the game is played. */
const SECRETS = ['RUN JUMP', 'DOCTRINE RUN FAST', 'the bridge at dawn', 'jumps'];

beforeAll(async () => {
  database = await testDatabase();
  one = testService(database.db, { env: { OPERATOR_EMAIL: 'gm@club.example.org' } });
  web = await startWeb(one.service, deedsOf(one.service), {
    host: '127.0.0.1',
    port: 0,
    perMinute: { requests: 5000, forms: 5000 },
  });
  for (const [name, address] of [
    ['red', 'red@players.example'],
    ['blue', 'blue@players.example'],
    ['olga', 'olga@players.example'],
    ['mona', 'mona@players.example'],
    ['gm', 'gm@club.example.org'],
  ])
    people[name!] = correspondent(one, address!);
  const [made] = await people.gm!.write('CREATE tiny/race SEAT red red@players.example SEAT blue blue@players.example');
  ref = /TNY-\d{4}/.exec(made!.text)![0];
  await people.red!.confirm();
  await people.blue!.confirm();
  for (const name of ['olga', 'mona']) {
    await people[name]!.write(`SIGNUP ${name}`);
    await people[name]!.confirm();
  }
  await people.olga!.write(`OBSERVE ${ref}`);
  await people.red!.answer(['TURN 1', 'RUN STEADY', 'FINAL', 'END']);
  await people.blue!.answer(['TURN 1', 'RUN STEADY', 'FINAL', 'END']);
  await people.red!.answer(['TURN 2', 'RUN JUMP', 'DOCTRINE RUN FAST', '// the bridge at dawn', 'END']);
  await people.red!.answer(['PRESS TO GM', 'Meet me at the bridge at dawn.', 'ENDPRESS']);
  readers.stranger = reader(web);
  for (const name of ['red', 'blue', 'olga', 'mona', 'gm']) readers[name] = await signIn(web, one, people[name]!);
  expect(one.problems).toEqual([]);
});
afterAll(async () => {
  await web.close();
  await database.close();
});

/** Every page of a game a browser could ask for. */
function routes(): string[] {
  return [
    '/',
    '/games',
    `/games/${ref}`,
    `/games/${ref}/phases/1`,
    `/games/${ref}/phases/2`,
    `/games/${ref}?as=red`,
    `/games/${ref}/phases/2?as=red`,
    `/games/${ref}/phases/2/map.svg?as=red`,
    `/games/${ref}/phases/2/map.svg`,
    `/games/${ref}/archive.zip`,
    `/games/${ref}/book.pdf`,
    '/feed.xml',
    '/help',
    '/help/tiny',
    '/about',
    '/scenarios/tiny/race',
    '/signin',
    '/mine',
    `/mine/${ref}`,
    `/mine/${ref}?as=red`,
    '/desk',
    `/desk/${ref}`,
    '/metrics',
    '/healthz',
    '/readyz',
  ];
}

/** Every form of the pages. */
function forms(): [string, Record<string, string>][] {
  return [
    [`/mine/${ref}/orders?as=red`, { text: 'RUN FAST', what: 'file' }],
    [`/mine/${ref}/orders?as=red`, { text: 'RUN FAST', what: 'check' }],
    [`/mine/${ref}/orders?as=red`, { what: 'clear' }],
    [`/mine/${ref}/do?as=red`, { verb: 'RESIGN' }],
    [`/mine/${ref}/do?as=red`, { verb: 'PRESS', to: 'all', words: 'I am Red.' }],
    [`/desk/${ref}/do`, { verb: 'PAUSE', rest: 'because' }],
    [`/desk/${ref}/do`, { verb: 'REWIND', n: '1', rest: 'because' }],
    [`/desk/${ref}/do`, { verb: 'ADJUST', path: 'table.places.red', value: '6', rest: 'because' }],
    [`/desk/${ref}/do`, { verb: 'PREVIEW', sure: 'sure' }],
    [`/desk/${ref}/look`, { side: 'red', why: 'curious' }],
    [`/desk/${ref}/answer`, { side: 'red', text: 'RUN FAST', why: 'curious' }],
    [`/desk/${ref}/mail/1`, {}],
    [`/desk/${ref}/resend/1`, {}],
    [`/desk/${ref}/export.zip`, {}],
    ['/desk/do', { verb: 'RESUME' }],
  ];
}

async function stateOf(): Promise<string> {
  const game = await tables(database.db)
    .selectFrom('game')
    .select(['status', 'phase_id', 'settings'])
    .where('ref', '=', ref)
    .executeTakeFirstOrThrow();
  const receipts = await tables(database.db).selectFrom('receipt').select(['id', 'verdict']).orderBy('id').execute();
  const press = await tables(database.db).selectFrom('press').select('id').orderBy('id').execute();
  const phase = await tables(database.db)
    .selectFrom('phase')
    .select(['hash', 'closed_at', 'status'])
    .where('id', '=', game.phase_id!)
    .executeTakeFirst();
  return JSON.stringify([game, receipts, press, phase]);
}

describe('while the game is played', () => {
  test.each(['stranger', 'blue', 'olga', 'mona'])('%s sees nothing of Red’s on any page', async (who) => {
    for (const path of routes()) {
      const page = await readers[who]!.get(path);
      for (const secret of SECRETS) expect(page.text, `${who} ${path}`).not.toContain(secret);
      const asked = page.text.includes('Mail me a link');
      if (path.includes('as=red')) expect(asked ? 401 : page.status, `${who} ${path}`).toBeGreaterThan(400);
    }
  });

  test.each(['stranger', 'blue', 'olga', 'mona'])('%s changes nothing by any form', async (who) => {
    const before = await stateOf();
    for (const [path, fields] of forms()) {
      const page = await readers[who]!.post(path, fields);
      expect([401, 403, 404], `${who} ${path} ${page.status}`).toContain(page.status === 200 ? 200 : page.status);
      for (const secret of SECRETS) expect(page.text, `${who} ${path}`).not.toContain(secret);
    }
    expect(await stateOf()).toBe(before);
  });

  test('Red sees his own orders, doctrine and map', async () => {
    const page = await readers.red!.get(`/mine/${ref}?as=red`);
    expect(page.text).toContain('RUN JUMP');
    expect(page.text).toContain('DOCTRINE RUN FAST');
    expect((await readers.red!.get(`/games/${ref}/phases/2/map.svg?as=red`)).type).toContain('svg');
    expect(page.headers.get('cache-control')).toContain('no-store');
  });

  test('a form without the session’s token is refused, whoever sends it', async () => {
    const before = await stateOf();
    for (const [path, fields] of forms()) {
      const page = await readers.gm!.post(path, { ...fields, csrf: '0'.repeat(40) });
      expect([403, 404], path).toContain(page.status);
    }
    expect(await stateOf()).toBe(before);
  });

  test.each(['stranger', 'blue', 'olga', 'mona'])('by mail %s gets nothing of Red’s either', async (who) => {
    const writer = who === 'stranger' ? correspondent(one, 'nobody@else.example') : people[who]!;
    const before = await stateOf();
    const red = await tables(database.db)
      .selectFrom('address')
      .select('person_id')
      .where('address', '=', 'red@players.example')
      .executeTakeFirstOrThrow();
    const commands = [
      'STATUS',
      'REPORT',
      'REPORT 1',
      'MAP 2',
      'ORDERS',
      'ORDERS 2',
      'HISTORY',
      'DICE',
      'MYDATA',
      `RULES ${ref}`,
      `LOG ${ref} red`,
      'MAIL 1',
      `EXPORT ${ref}`,
      `PREVIEW ${ref} SURE`,
      `ADJUST ${ref} table.places.red = 6 BECAUSE x`,
      `SEAT ${ref} red x@y.example`,
      `DISMISS ${ref} red x`,
      `REWIND ${ref} 1 x`,
      `TAKEOVER red@${ref}`,
    ];
    for (const command of commands) {
      const got = await writer.write([`GAME ${ref}`, command]);
      for (const mail of got)
        for (const secret of SECRETS) expect(flat(mail.text), `${who} ${command}`).not.toContain(secret);
    }
    const seat = await tables(database.db)
      .selectFrom('seat')
      .select('person_id')
      .where('side', '=', 'red')
      .executeTakeFirstOrThrow();
    expect(seat.person_id).toBe(red.person_id);
    expect(JSON.parse(await stateOf())[3]).toEqual(JSON.parse(before)[3]);
  });

  test('the master’s look is allowed, and on record', async () => {
    const page = await readers.gm!.post(`/desk/${ref}/look`, { side: 'red', why: 'a complaint' });
    expect(page.text).toContain('RUN JUMP');
    const acts = await tables(database.db)
      .selectFrom('action_log')
      .selectAll()
      .where('what', 'like', 'looked%')
      .execute();
    expect(acts).toHaveLength(1);
    expect(acts[0]).toMatchObject({ why: 'a complaint', public: true });
    const mails = await readers.gm!.get(`/desk/${ref}`);
    expect(mails.text).toContain('filed');
  });

  test('the calendar’s secret link, and no other', async () => {
    const mine = await readers.blue!.get('/mine');
    const link = /\/calendar\/\d+-[0-9a-f]{32}\.ics/.exec(mine.text)![0];
    const page = await readers.stranger!.get(link);
    expect(page.type).toContain('text/calendar');
    expect(page.text).toContain(`SUMMARY:${ref} orders due`);
    expect((await readers.stranger!.get(link.replace(/-./, '-x'))).status).toBe(404);
  });

  test('the link that EXPORT mails leads to a page that exists, and from there to the file', async () => {
    const [mail] = await people.gm!.write(`EXPORT ${ref}`);
    const { pathname } = new URL(/https?:\S+/.exec(mail!.text)![0]);
    const page = await readers.gm!.get(pathname);
    expect(page.status).toBe(200);
    expect(page.text).toContain(`action="/desk/${ref}/export.zip"`);
  });

  test('a sign-in link works once, and says the same for unknown addresses', async () => {
    const someone = reader(web);
    const known = await someone.post('/signin', { address: 'mona@players.example' });
    const unknown = await someone.post('/signin', { address: 'nobody@nowhere.example' });
    expect(known.text).toBe(unknown.text);
    await one.settle();
    const code = /\/signin\/([A-Z0-9-]{14})/.exec(people.mona!.newest().text)![1];
    expect((await someone.post(`/signin/${code}`)).status).toBe(200);
    expect((await reader(web).post(`/signin/${code}`)).status).toBe(400);
  });
});

describe('the pages', () => {
  test('the operator of the settings signs in without having written before', async () => {
    const operator = 'first@club.example.org';
    const other = testService(database.db, { env: { OPERATOR_EMAIL: operator } });
    const desk = await startWeb(other.service, deedsOf(other.service), { host: '127.0.0.1', port: 0 });
    try {
      const visitor = await signIn(desk, other, correspondent(other, operator));
      expect((await visitor.get('/desk')).status).toBe(200);
    } finally {
      await desk.close();
    }
  });

  test('security headers stand on every page', async () => {
    const page = await readers.stranger!.get('/');
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(page.headers.get('x-content-type-options')).toBe('nosniff');
    expect(page.headers.get('x-powered-by')).toBeNull();
  });

  test('the checker gives the receipt of a mail and files nothing; sending files it', async () => {
    const checked = await readers.blue!.post(`/mine/${ref}/orders?as=blue`, {
      text: 'TURN 2\nRUN FATS\nRUN FAST\nEND',
      what: 'check',
    });
    expect(checked.text).toContain('Checked, nothing filed');
    expect(checked.text).toContain('RUN FATS');
    const seat = await tables(database.db)
      .selectFrom('seat')
      .select('id')
      .where('side', '=', 'blue')
      .executeTakeFirstOrThrow();
    const count = async () =>
      (
        await tables(database.db)
          .selectFrom('receipt')
          .selectAll()
          .where('seat_id', '=', seat.id)
          .where('verdict', '=', 'filed')
          .execute()
      ).length;
    const before = await count();
    await readers.blue!.post(`/mine/${ref}/orders?as=blue`, { text: 'TURN 2\nRUN FAST\nEND', what: 'file' });
    expect(await count()).toBe(before + 1);
    await one.settle();
    expect(flat(people.blue!.newest().text)).toContain('RUN FAST');
  });

  test('what players wrote is text, never markup', async () => {
    await readers.blue!.post(`/mine/${ref}/do?as=blue`, {
      verb: 'PRESS',
      to: 'all',
      words: '<script>alert(1)</script>',
    });
    const page = await readers.stranger!.get(`/games/${ref}`);
    expect(page.text).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
    expect(page.text).not.toContain('<script>alert');
  });

  test('a sign-in form of another site starts no session', async () => {
    const post = (path: string, headers: Record<string, string>) =>
      fetch(`http://127.0.0.1:${web.port}${path}`, {
        method: 'POST',
        redirect: 'manual',
        headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
        body: 'address=mona@players.example',
      });
    for (const headers of [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
    ])
      for (const path of ['/signin', '/signin/ABCD-ABCD-ABCD']) expect((await post(path, headers)).status).toBe(403);
    expect((await post('/signin', { origin: `http://127.0.0.1:${web.port}` })).status).toBe(200);
  });

  test('metrics are for this machine alone, also behind a proxy, unless the operator opens them', async () => {
    const from = async (asker: string, env: Record<string, string> = {}): Promise<number> => {
      const other = testService(database.db, { env });
      const pages = await startWeb(other.service, deedsOf(other.service), { host: '127.0.0.1', port: 0 });
      try {
        const headers = { 'x-forwarded-for': asker };
        return (await fetch(`http://127.0.0.1:${pages.port}/metrics`, { headers })).status;
      } finally {
        await pages.close();
      }
    };
    expect(await from('203.0.113.9')).toBe(404);
    expect(await from('127.0.0.1, 203.0.113.9')).toBe(404);
    expect(await from('127.0.0.1, 10.1.2.3')).toBe(404);
    // The proxy is one of ours: what it says of the asker counts.
    expect(await from('127.0.0.1, 10.1.2.3', { TRUSTED_PROXIES: '10.0.0.0/8' })).toBe(200);
    expect(await from('203.0.113.9', { METRICS: 'on' })).toBe(200);
  });

  test('metrics and health tell no address', async () => {
    const metrics = await readers.stranger!.get('/metrics');
    expect(metrics.text).toContain('fieldpost_games{status="running"} 1');
    expect(metrics.text).not.toContain('@players');
    expect(JSON.parse((await readers.stranger!.get('/healthz')).text)).toMatchObject({ ok: true });
    expect((await readers.stranger!.get('/readyz')).status).toBe(200);
  });

  test('odd paths are not found, never an error', async () => {
    for (const path of [
      '/games/TNY-0000',
      '/games/..%2f..',
      `/games/${ref}/phases/99`,
      `/games/${ref}?as=green`,
      '/style.css.bak',
      '/signin/xx',
      '/calendar/1.ics',
      '/%00',
    ])
      expect((await readers.stranger!.get(path)).status, path).toBeGreaterThanOrEqual(400);
    for (const path of ['/games/TNY-0000', `/games/${ref}/phases/99`])
      expect((await readers.stranger!.get(path)).status).toBe(404);
  });
});

describe('when the game is over', () => {
  test('everything is open to everybody: orders, hands by viewer, dice, and what the master looked at', async () => {
    await people.red!.answer('PROPOSE CONCEDE');
    await people.blue!.answer('VOTE YES');
    const page = await readers.stranger!.get(`/games/${ref}?as=red`);
    expect(page.status).toBe(200);
    const orders = await readers.stranger!.get(`/games/${ref}/phases/2`);
    expect(orders.text).toContain('RUN STEADY');
    expect(orders.text).toContain('looked into the hand and orders of Red (a complaint)');
    expect((await readers.stranger!.get(`/games/${ref}/phases/2/map.svg?as=red`)).status).toBe(200);
    const zip = await readers.stranger!.get(`/games/${ref}/archive.zip`);
    expect(zip.type).toContain('zip');
    const book = await readers.stranger!.get(`/games/${ref}/book.pdf`);
    expect(book.type).toContain('pdf');
    expect(book.text.startsWith('%PDF-')).toBe(true);
    expect((await readers.stranger!.get('/feed.xml')).text).toContain(`${ref} A race`);
    // Press to the game master stays with those who wrote and got it.
    expect(page.text).not.toContain('the bridge at dawn');
  });

  test('a player who left before the end keeps his wish for privacy', async () => {
    const { id } = await tables(database.db)
      .selectFrom('seat')
      .select('id')
      .where('side', '=', 'blue')
      .executeTakeFirstOrThrow();
    const gone = await personFor(
      database.db,
      { address: 'gone@players.example', name: 'Gone', zone: 'UTC' },
      one.clock.now,
    );
    await changePerson(database.db, gone.id, { settings: { consent: 'private' } });
    await startTenure(database.db, { seatId: id, personId: gone.id, now: one.clock.now });
    await endTenure(database.db, id, 'all', 'resigned', one.clock.now);
    expect((await readers.stranger!.get(`/games/${ref}/archive.zip`)).status).toBe(404);
  });

  test('a game kept private shows its orders to those who played, and to no stranger on any page', async () => {
    const game = (await gameByRef(database.db, ref))!;
    await inTransaction(database.db, (trx) => setGameSettings(trx, game.id, { ...game.settings, archive: 'private' }));
    for (const path of [`/games/${ref}`, ...[1, 2, 3].map((n) => `/games/${ref}/phases/${n}`)]) {
      const page = await readers.stranger!.get(path);
      expect(page.text, path).not.toContain('RUN STEADY');
      expect(page.text, path).not.toContain('looked into the hand');
    }
    expect((await readers.red!.get(`/games/${ref}/phases/2`)).text).toContain('RUN STEADY');
  });
});
