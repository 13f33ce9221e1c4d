/** The page of a seat that is asked in the middle of a phase: what has happened so far, the map of that moment, the question. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { deedsOf } from '../../src/turn/deeds.ts';
import { startWeb, type Web } from '../../src/web/server.ts';
import { type Reader, reader, signIn } from '../helpers/browser.ts';
import { type Correspondent, correspondent } from '../helpers/club.ts';
import { type TestDatabase, testDatabase } from '../helpers/db.ts';
import { type TestService, testService } from '../helpers/service.ts';

let database: TestDatabase;
let one: TestService;
let web: Web;
let ref: string;
const people: Record<string, Correspondent> = {};
const readers: Record<string, Reader> = {};

beforeAll(async () => {
  database = await testDatabase();
  one = testService(database.db, { env: { OPERATOR_EMAIL: 'gm@club.example.org' } });
  web = await startWeb(one.service, deedsOf(one.service), {
    host: '127.0.0.1',
    port: 0,
    perMinute: { requests: 5000, forms: 5000 },
  });
  for (const name of ['red', 'blue']) people[name] = correspondent(one, `${name}@players.example`);
  const gm = correspondent(one, 'gm@club.example.org');
  const [made] = await gm.write('CREATE tiny/race SEAT red red@players.example SEAT blue blue@players.example');
  ref = /TNY-\d{4}/.exec(made!.text)![0];
  await people.red!.confirm();
  await people.blue!.confirm();
  // Red goes to square 1, then blue comes up to him and wants to be asked.
  await people.red!.answer(['TURN 1', 'RUN STEADY', 'FINAL', 'END']);
  await people.blue!.answer(['TURN 1', 'DOCTRINE CAPTURE ASK', 'FINAL', 'END']);
  await people.red!.answer(['TURN 2', 'DOCTRINE RUN STAY', 'FINAL', 'END']);
  await people.blue!.answer(['TURN 2', 'RUN STEADY', 'FINAL', 'END']);
  for (const name of ['red', 'blue']) readers[name] = await signIn(web, one, people[name]!);
  readers.stranger = reader(web);
});
afterAll(async () => {
  await web.close();
  await database.close();
});

/** Where blue's mark stands on a map, as the drawing places it. */
const marks = (svg: string): number => (svg.match(/<(?:circle|path|rect|polygon)/g) ?? []).length;

test('who is asked reads what has happened, sees the moment and answers there', async () => {
  const page = await readers.blue!.get(`/mine/${ref}?as=blue`);
  expect(page.text).toContain('You are asked');
  expect(page.text).toContain('What has happened up to this question');
  expect(page.text).toContain('blue runs to square 1.');
  const own = await readers.blue!.get(`/games/${ref}/phases/2/map.svg?as=blue`);
  const before = await readers.red!.get(`/games/${ref}/phases/2/map.svg?as=red`);
  expect(own.status).toBe(200);
  expect(marks(own.text)).toBeGreaterThan(0);
  // The phase began with blue on square 0; at the moment he is asked he stands on 1.
  expect(own.text).not.toBe(before.text);
  const after = await readers.blue!.post(`/mine/${ref}/orders?as=blue`, { text: 'ANSWER 1: 2', what: 'file' });
  expect(after.text).not.toContain('You are asked');
});

test('nobody else reads or sees anything of it', async () => {
  const page = await readers.red!.get(`/mine/${ref}?as=red`);
  expect(page.text).not.toContain('You are asked');
  const seen = await readers.stranger!.get(`/games/${ref}/phases/2`);
  expect(seen.text).not.toContain('What has happened up to this question');
});
