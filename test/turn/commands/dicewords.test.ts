/** The dice's root is made of the club's secret, to which it is bound first, and of words of the players. */
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { commitmentTo } from '../../../src/kernel/dice.ts';
import { tables } from '../../../src/store/db.ts';
import { chainsOf, gameByRef } from '../../../src/store/games.ts';
import { exportGame, readBundle, recordedGame, recordOf } from '../../../src/turn/archive/export.ts';
import { secretOf } from '../../../src/turn/keys.ts';
import { verifyGame } from '../../../src/turn/phase/replay.ts';
import { type Correspondent, correspondent, flat } from '../../helpers/club.ts';
import { type TestDatabase, testDatabase } from '../../helpers/db.ts';
import { type TestService, testService } from '../../helpers/service.ts';
import { tiny } from '../../helpers/tiny.ts';

const SCRIPT = fileURLToPath(new URL('../../../templates/en/bundle/check_root.py', import.meta.url));
let database: TestDatabase;
let one: TestService;
let gm: Correspondent;
let anna: Correspondent;
let bert: Correspondent;
let counter = 0;

beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  counter++;
  one = testService(database.db, { env: { OPERATOR_EMAIL: `gm${counter}@club.example.org` } });
  gm = correspondent(one, `gm${counter}@club.example.org`);
  anna = correspondent(one, `anna${counter}@players.example`);
  bert = correspondent(one, `bert${counter}@players.example`);
  for (const who of [anna, bert, gm]) {
    await who.write('SIGNUP');
    await who.confirm();
  }
});

async function made(by: Correspondent): Promise<{ ref: string; commitment: string }> {
  const [answer] = await by.write('CREATE tiny/race');
  const text = flat(answer!.text);
  return { ref: /TNY-\d{4}/.exec(text)![0], commitment: /digest: ([0-9a-f]{64})/.exec(text)![1]! };
}
const game = async (ref: string) => (await gameByRef(database.db, ref))!;
const verified = async (ref: string) => {
  const record = await recordOf(one.service, database.db, (await game(ref)).id);
  return { record, result: verifyGame(recordedGame(record), one.service.scenarios.open('tiny/race')) };
};

test('the club is bound before any word is read; words of both make the roots, and the script and verify say so', async () => {
  const { ref, commitment } = await made(gm);
  expect(flat((await anna.write(`RULES ${ref}`))[0]!.text)).toContain(commitment);
  await anna.write(`JOIN ${ref} red WORDS The quick  brown fox`);
  expect(flat(anna.newest().text)).toContain(commitment);
  await bert.write(`JOIN ${ref} blue`);
  const { settings, id, status } = await game(ref);
  expect(status).toBe('running');
  const [red, blue] = ['red', 'blue'].map((side) => settings.seed!.words.find((row) => row.side === side)!);
  expect(red).toMatchObject({ text: 'The quick brown fox', how: 'words' });
  expect(blue).toMatchObject({ how: 'mail' });
  expect(blue!.text).toMatch(/^[0-9a-f]{16,}/);
  const report = flat(
    bert
      .inbox()
      .map(({ text }) => text)
      .join(' '),
  );
  for (const said of [commitment, 'Red: the words "The quick brown fox"', blue!.text]) expect(report).toContain(said);
  const secret = secretOf(one.service, settings.seed!)!;
  expect(commitmentTo(secret)).toBe(commitment);
  expect(report).not.toContain(secret.toString('hex'));
  const heads = (await chainsOf(database.db, id)).map((chain) => `head of the ${chain.kind} chain: ${chain.head}`);
  const said = execFileSync('python3', [
    SCRIPT,
    secret.toString('hex'),
    `blue=${blue!.text}`,
    'red=The quick brown fox',
  ]);
  const lines = said.toString().trim().split('\n');
  expect(lines[0]).toBe(`bound by: ${commitment}`);
  expect(lines.slice(1).sort()).toEqual(heads.sort());
  const { result } = await verified(ref);
  expect(result).toMatchObject({ faults: [], notes: [] });
});

test.each([
  [
    'another secret',
    (seed: Record<string, unknown>) => ({ ...seed, secret: '00'.repeat(32) }),
    /not the one it was bound to/,
  ],
  ['other words', (seed: Record<string, unknown>) => ({ ...seed, words: [] }), /not made of the club’s secret/],
])('verify finds %s', async (_what, change, fault) => {
  const { ref } = await made(gm);
  await anna.write(`JOIN ${ref} red WORDS one`);
  await bert.write(`JOIN ${ref} blue WORDS two`);
  const { record } = await verified(ref);
  const row = record.game[0]!;
  const settings = row.settings as { seed: Record<string, unknown> };
  row.settings = { ...settings, seed: change(settings.seed) };
  const { faults } = verifyGame(recordedGame(record), one.service.scenarios.open('tiny/race'));
  expect(faults.map(({ what }) => what).join()).toMatch(fault);
});

test('other words make other dice', async () => {
  const { ref } = await made(gm);
  await anna.write(`JOIN ${ref} red WORDS one`);
  await anna.write(`WORDS ${ref} changed my mind`);
  await bert.write(`JOIN ${ref} blue WORDS two`);
  const { settings } = await game(ref);
  expect(settings.seed!.words.map(({ text }) => text).sort()).toEqual(['changed my mind', 'two']);
  expect(flat((await bert.write(`WORDS ${ref} too late`))[0]!.text)).toContain('has begun');
});

test('who runs the game or the club comes first or not at all: the last word is never his', async () => {
  for (const runner of [anna, gm]) {
    const { ref } = await made(anna);
    await bert.write(`JOIN ${ref} blue WORDS mine`);
    await runner.write(`JOIN ${ref} red WORDS chosen after yours`);
    const { settings } = await game(ref);
    expect(settings.seed!.words.find(({ side }) => side === 'red')).toMatchObject({ text: '', how: 'none' });
  }
  const { ref } = await made(anna);
  await anna.write(`JOIN ${ref} red WORDS first`);
  await bert.write(`JOIN ${ref} blue WORDS last`);
  expect((await game(ref)).settings.seed!.words.map(({ text }) => text).sort()).toEqual(['first', 'last']);
});

test('an invitation binds the club and takes words with its code', async () => {
  const [answer] = await gm.write(`CREATE tiny/race SEAT red ${anna.address} SEAT blue ${bert.address}`);
  const ref = /TNY-\d{4}/.exec(answer!.text)![0];
  expect(flat(anna.newest().text)).toContain((await game(ref)).settings.seed!.commitment);
  await anna.confirm(' WORDS by invitation');
  await bert.confirm();
  expect((await game(ref)).settings.seed!.words.find(({ side }) => side === 'red')).toMatchObject({
    text: 'by invitation',
  });
  expect((await verified(ref)).result.faults).toEqual([]);
});

test('the secret is shown when the game is over, and stands in its archive', async () => {
  const { ref } = await made(gm);
  await anna.write(`JOIN ${ref} red`);
  await bert.write(`JOIN ${ref} blue`);
  await anna.answer('PROPOSE DRAW');
  await bert.answer('VOTE YES');
  const { settings, status } = await game(ref);
  expect(status).toBe('over');
  const secret = secretOf(one.service, settings.seed!)!.toString('hex');
  const { record } = await readBundle(
    await exportGame(one.service, ref, { by: 'test', door: 'cli' }),
    () => tiny as never,
  );
  expect(JSON.stringify(record.game[0])).toContain(secret);
  expect(verifyGame(recordedGame(record), one.service.scenarios.open('tiny/race')).faults).toEqual([]);
});

test('a game begun before keeps its scheme: it verifies, and a note says what its roots are', async () => {
  const { ref } = await made(gm);
  const { id } = await game(ref);
  await tables(database.db).updateTable('game').set({ settings: '{}' }).where('id', '=', id).execute();
  await anna.write(`JOIN ${ref} red WORDS one`);
  await bert.write(`JOIN ${ref} blue WORDS two`);
  expect((await game(ref)).settings.seed).toBeUndefined();
  const { result } = await verified(ref);
  expect(result.faults).toEqual([]);
  expect(result.notes.join()).toContain('begun before players put words');
});
