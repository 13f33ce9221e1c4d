/**
 * Every word of the pages stands in templates: they are read in a language whose letters are marked, by a stranger and a
 * player; what comes in plain letters is a name, of the order language, or somebody's own words.
 */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openWording } from '../../src/render/words.ts';
import { deedsOf } from '../../src/turn/deeds.ts';
import { startWeb, type Web } from '../../src/web/server.ts';
import { type Reader, reader, signIn } from '../helpers/browser.ts';
import { correspondent } from '../helpers/club.ts';
import { type TestDatabase, testDatabase } from '../helpers/db.ts';
import { pseudoTemplates, readOut, unmarked } from '../helpers/pseudo.ts';
import { type TestService, testService } from '../helpers/service.ts';

let database: TestDatabase;
let one: TestService;
let web: Web;
let ref = '';
const readers: Record<string, Reader> = {};
const mails: string[] = [];
/** Names of the club, of its game and scenario and what lies on its table, and of people; the subject the players write. */
const NAMES = new Set(['zyx', 'race', 'red', 'blue', 'tiny', 'run', 'dry', 'mud', 'your', 'mail']);
/** Days and months are written in English in every language so far. */
const DATES = new Set('mon tue wed thu fri sat sun jan feb mar apr may jun jul aug sep oct nov dec'.split(' '));

beforeAll(async () => {
  database = await testDatabase();
  const folder = pseudoTemplates();
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'fieldpost-words-'));
  fs.symlinkSync(folder, path.join(dataDir, 'templates'));
  one = testService(database.db, { env: { DATA_DIR: dataDir, CLUB_NAME: 'Zyx' } });
  one.service.wording = openWording('xx', [folder]);
  web = await startWeb(one.service, deedsOf(one.service), { host: '127.0.0.1', port: 0 });
  readers.stranger = reader(web);
  const [red, blue, gm] = ['red@players.example', 'blue@players.example', 'gm@club.example.org'].map((address) =>
    correspondent(one, address),
  );
  const [made] = await gm!.write('CREATE tiny/race SEAT red red@players.example SEAT blue blue@players.example');
  mails.push(made!.text);
  ref = /TNY-\d{4}/.exec(made!.text)![0];
  for (const player of [red!, blue!]) mails.push(...(await player.confirm()).map(({ text }) => text));
  for (const player of [red!, blue!])
    mails.push(...(await player.answer(['TURN 1', 'RUN STEADY', 'FINAL', 'END'])).map(({ text }) => text));
  mails.push(...(await red!.answer(['TURN 2', 'DANCE', 'END'])).map(({ text }) => text));
  readers.red = await signIn(web, one, red!);
});
afterAll(async () => {
  await web.close();
  await database.close();
});

test.each([
  ['stranger', '/'],
  ['stranger', '/games'],
  ['stranger', '/help'],
  ['stranger', '/about'],
  ['stranger', '/signin'],
  ['stranger', '/nowhere'],
  ['stranger', '/games/REF'],
  ['stranger', '/games/REF/phases/1'],
  ['red', '/games/REF?as=red'],
])('read by %s, %s has no word of ours in plain letters', async (who, url) => {
  const page = await readers[who]!.get(url.replace('REF', ref));
  expect(unmarked(readOut(page.text), NAMES, DATES)).toEqual([]);
});

test('the mails of a game being begun and played have none either', () => {
  expect(mails.length).toBeGreaterThan(4);
  expect(unmarked(mails.join('\n'), NAMES, DATES)).toEqual([]);
});
