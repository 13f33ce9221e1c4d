import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readConfig } from '../../../src/config.ts';
import { sha256 } from '../../../src/kernel/hash.ts';
import type { GameSystem } from '../../../src/kernel/types.ts';
import { openWording, TEMPLATES } from '../../../src/render/words.ts';
import { openContent, type ScenarioStore } from '../../../src/scenarios.ts';
import { inTransaction, lockGame, tables } from '../../../src/store/db.ts';
import { gameById, gameByRef, phasesOf, seatsOf } from '../../../src/store/games.ts';
import { secretKey } from '../../../src/store/seal.ts';
import { digestsOf, MANIFEST, packBundle, parse, unpackBundle } from '../../../src/turn/archive/bundle.ts';
import { exportGame, readBundle, recordedGame, recordOf } from '../../../src/turn/archive/export.ts';
import { importGame } from '../../../src/turn/archive/takein.ts';
import type { Service } from '../../../src/turn/context.ts';
import { fileOrders } from '../../../src/turn/filing/filing.ts';
import { profileOf } from '../../../src/turn/intake/ourselves.ts';
import { createGame } from '../../../src/turn/phase/newgame.ts';
import { verifyGame } from '../../../src/turn/phase/replay.ts';
import { runGame } from '../../../src/turn/phase/run.ts';
import { type TestDatabase, testDatabase } from '../../helpers/db.ts';
import { TINY_LOOKS, TINY_TEMPLATES, tiny } from '../../helpers/tiny.ts';

const system = tiny as unknown as GameSystem;
const find = (id: string): GameSystem | undefined => (id === 'tiny' ? system : undefined);
/** Bytes that no text can hold. */
const ODD_MAIL = Buffer.from([0x46, 0x72, 0x6f, 0x6d, 0x3a, 0x00, 0xff, 0x0d, 0x0a, 0x80]);
const by = { by: 'the test', door: 'cli' };

function raceStore(squares: number): ScenarioStore {
  const open = openContent(system, 'tiny/race', { 'scenario-race.json': { squares } }, TINY_LOOKS);
  return {
    open: () => open,
    list: () => [{ id: 'tiny/race', title: 'A race', system }],
    lint: () => [],
    balance: () => undefined,
  };
}

/** A club on a database of its own. `name` tells secrets apart. */
function clubOn(database: TestDatabase, name: string, squares = 6): Service {
  const config = readConfig({ SECRET: `${name} of thirty-two characters or more`, CLUB_DOMAIN: `${name}.example` });
  const scenarios = raceStore(squares);
  let count = 0;
  let time = Date.parse('2030-03-01T12:00:00Z');
  return {
    config,
    db: database.db,
    scenarios,
    wording: openWording('en', [TEMPLATES, TINY_TEMPLATES]),
    log: { debug() {}, info() {}, warn() {}, error() {} },
    now() {
      time += 1000;
      return new Date(time);
    },
    randomBytes(length) {
      count++;
      const hex = [0, 1, 2, 3].map((part) => sha256(`${name} ${count} ${part}`)).join('');
      return Buffer.from(hex, 'hex').subarray(0, length);
    },
    secret: secretKey(config.secret ?? ''),
    profile: profileOf(config, scenarios),
    at: () => {},
  };
}

/** Files order lines for one side, as a mail would. */
async function fileFor(service: Service, ref: string, side: string, lines: string[]): Promise<void> {
  await inTransaction(service.db, async (trx) => {
    const game = (await gameByRef(trx, ref))!;
    await lockGame(trx, game.id);
    const phase = (await phasesOf(trx, game.id)).find((row) => row.id === game.phase_id)!;
    const seat = (await seatsOf(trx, game.id)).find((row) => row.side === side)!;
    const { rules, scenario } = service.scenarios.open(game.scenario);
    await fileOrders(service, trx, { game, phase, seat, rules, scenario }, {
      lines,
      source: 'web',
      mailId: null,
      replyTo: { subject: 'orders', date: null, messageId: null },
    } as never);
  });
}

/** Plays a race: doctrine, a question left to the fallback, fast running, to the end or so many phases. */
async function play(service: Service, phases: number): Promise<string> {
  const game = await createGame(service, {
    scenarioId: 'tiny/race',
    seats: [
      { side: 'red', address: 'rita@players.example', name: 'Rita' },
      { side: 'blue', address: 'bob@players.example', name: 'Bob' },
    ],
    deadlineRule: null,
    ...by,
  });
  for (let i = 0; i < phases; i++) {
    if ((await gameById(service.db, game.id)).status !== 'running') break;
    if (i === 0) await fileFor(service, game.ref, 'red', ['RUN STEADY', 'FINAL']);
    else if (i === 1) await fileFor(service, game.ref, 'blue', ['RUN STEADY', 'DOCTRINE CAPTURE ASK', 'FINAL']);
    else for (const side of ['red', 'blue']) await fileFor(service, game.ref, side, ['RUN FAST', 'FINAL']);
    let result = await runGame(service, game.id, { force: true });
    while (result.result === 'asked') result = await runGame(service, game.id, { force: true });
    expect(result.result).toBe('done');
  }
  return game.ref;
}

let home: TestDatabase;
let away: TestDatabase;
let club: Service;
let other: Service;
let over: string;
let running: string;

beforeAll(async () => {
  [home, away] = [await testDatabase(), await testDatabase()];
  club = clubOn(home, 'home');
  other = clubOn(away, 'away');
  over = await play(club, 40);
  running = await play(club, 3);
  const game = (await gameByRef(club.db, over))!;
  await tables(club.db)
    .insertInto('mail_in')
    .values({
      message_key: 'id:<odd@players.example>',
      message_id: '<odd@players.example>',
      digest: sha256(ODD_MAIL),
      body_digest: '',
      content_digest: null,
      raw: ODD_MAIL,
      bytes: ODD_MAIL.length,
      door: 'test',
      envelope: null,
      received_at: club.now(),
      state: 'done',
      verdict: 'orders',
      detail: null,
      from_address: 'rita@players.example',
      subject: 'orders',
      game_id: game.id,
      seat_id: null,
      processed_at: club.now(),
    })
    .execute();
});

afterAll(async () => {
  await home?.close();
  await away?.close();
});

describe('a game on record', () => {
  test('replays from the store without a fault, whether it is over or not', async () => {
    for (const ref of [over, running]) {
      const game = (await gameByRef(club.db, ref))!;
      const record = await recordOf(club, club.db, game.id);
      const result = verifyGame(recordedGame(record), club.scenarios.open('tiny/race'));
      expect(result).toMatchObject({ faults: [], notes: [], ref });
      expect(result.phases).toBe(record.phase.length - 1);
      expect(result.keys).toBe(result.phases);
      expect(result.dice).toBeGreaterThan(0);
      expect(result.shuffles).toBe(1);
    }
    expect((await gameByRef(club.db, over))!.status).toBe('over');
    expect((await gameByRef(club.db, running))!.status).toBe('running');
  });
});

describe('exported', () => {
  test('replays from the archive alone', async () => {
    const { record, open } = await readBundle(await exportGame(club, over, by), find);
    expect(open.scenario.id).toBe('tiny/race');
    expect(verifyGame(recordedGame(record), open)).toMatchObject({ faults: [], notes: [], ref: over });
  });

  test('is the same archive again', async () => {
    expect((await exportGame(club, over, by)).equals(await exportGame(club, over, by))).toBe(true);
  });

  test('holds orders, reports, keys and the script that checks dice, in files that can be read without us', async () => {
    const files = await unpackBundle(await exportGame(club, over, by));
    const names = [...files.keys()];
    expect(names[0]).toBe(MANIFEST);
    for (const name of ['README.txt', 'check_dice.py', 'game.json', 'scenario/scenario-race.json'])
      expect(names).toContain(name);
    expect(files.get('phases/0001.1-1.run/orders.red.txt')!.toString()).toBe('RUN STEADY\n');
    expect(files.get('reports/0002.1-2.run.public.txt')!.toString()).toContain('red runs to square 1.');
    const phase = parse(files.get('phases/0001.1-1.run/phase.json')!) as { open_key: string; hash: string };
    expect(phase.open_key).toMatch(/^[0-9a-f]{64}$/);
    expect(parse(files.get('phases/0002.1-2.run/answers.json')!)).toMatchObject([
      { request_id: 'capture at 1', decided_by: 'fallback' },
    ]);
  });

  test('without mails it names no address', async () => {
    const whole = await unpackBundle(await exportGame(club, over, by));
    const text = (files: Map<string, Buffer>): string => [...files.values()].map(String).join('\n');
    expect(text(whole)).toContain('rita@players.example');
    const files = await unpackBundle(await exportGame(club, over, { ...by, noMails: true }));
    expect(text(files)).not.toContain('players.example');
    expect(text(files)).toContain('Rita');
    const { record, open } = await readBundle(await packBundle(files), find);
    expect(verifyGame(recordedGame(record), open).faults).toEqual([]);
  });

  test('a running game is exported with a note in its log, for the players to see at the end', async () => {
    await exportGame(club, running, by);
    const game = (await gameByRef(club.db, running))!;
    const log = await tables(club.db).selectFrom('action_log').selectAll().where('game_id', '=', game.id).execute();
    expect(log.filter((row) => row.what === 'export')).toMatchObject([{ who: 'the test', public: true }]);
  });

  test.each([
    ['phases/0001.1-1.run/snapshot.json', 'phases/0001.1-1.run/snapshot.json in the exported game was changed'],
    ['phases/0001.1-1.run/extra.json', 'has a file more than its manifest: phases/0001.1-1.run/extra.json'],
  ])('a change of %s is found', async (name, message) => {
    const files = await unpackBundle(await exportGame(club, over, by));
    files.set(name, Buffer.from('{}'));
    await expect(readBundle(await packBundle(files), find)).rejects.toThrow(message);
  });

  test('a change with its digest put right is found by the replay', async () => {
    const files = await unpackBundle(await exportGame(club, over, by));
    const name = 'phases/0002.1-2.run/snapshot.json';
    files.set(name, Buffer.from(files.get(name)!.toString().replace('"red": 1', '"red": 5')));
    const manifest = parse(files.get(MANIFEST)!) as { files: object };
    files.set(MANIFEST, Buffer.from(JSON.stringify({ ...manifest, files: digestsOf(files) })));
    const { record, open } = await readBundle(await packBundle(files), find);
    expect(verifyGame(recordedGame(record), open).faults.length).toBeGreaterThan(0);
  });

  test('what is no archive is refused in one line', async () => {
    await expect(readBundle(Buffer.from('hello'), find)).rejects.toThrow(/^not an exported game: /);
    await expect(readBundle(await packBundle(new Map([['a.txt', Buffer.from('a')]])), find)).rejects.toThrow(
      'not an exported game: it has no manifest.json',
    );
    const files = await unpackBundle(await exportGame(club, over, by));
    await expect(readBundle(await packBundle(files), () => undefined)).rejects.toThrow(
      'a game of the system "tiny", which is not here',
    );
  });

  test('there is nothing to export of a game unknown or not begun', async () => {
    await expect(exportGame(club, 'TNY-9999', by)).rejects.toThrow('no game TNY-9999');
    const { ref } = await createGame(club, { scenarioId: 'tiny/race', seats: [], ...by });
    await expect(exportGame(club, ref, by)).rejects.toThrow(`game ${ref} has not begun`);
  });
});

describe('imported by another club', () => {
  test('a finished game is the same record, and verifies there with that club’s own secret', async () => {
    const bundle = await readBundle(await exportGame(club, over, by), find);
    const id = await importGame(other, bundle, by);
    const game = await gameById(other.db, id);
    expect(game).toMatchObject({ ref: over, status: 'over' });
    const record = await recordOf(other, other.db, id);
    const open = other.scenarios.open('tiny/race');
    expect(verifyGame(recordedGame(record), open)).toMatchObject({ faults: [], notes: [] });
    const before = recordedGame(bundle.record).phases.map(({ hash, openKey, events }) => ({ hash, openKey, events }));
    expect(recordedGame(record).phases.map(({ hash, openKey, events }) => ({ hash, openKey, events }))).toEqual(before);
    const mails = await tables(other.db).selectFrom('mail_in').select('raw').where('game_id', '=', id).execute();
    expect(mails.map(({ raw }) => raw?.equals(ODD_MAIL))).toEqual([true]);
    await expect(importGame(other, bundle, by)).rejects.toThrow(
      `there is a game ${over} here already; this one can have the next number: --as TNY-`,
    );
  });

  test('a running game is paused, has new addresses and the old orders, and can be played on', async () => {
    await fileFor(club, running, 'red', ['RUN FAST', 'FINAL']);
    const bundle = await readBundle(await exportGame(club, running, by), find);
    const id = await importGame(other, bundle, by);
    expect(await gameById(other.db, id)).toMatchObject({ status: 'paused', pause_reason: 'imported' });
    const tokens = async (service: Service, gameId: number) =>
      (await seatsOf(service.db, gameId)).map((s) => s.token_hash);
    const here = await tokens(other, id);
    expect(here).toHaveLength(2);
    expect(here).not.toEqual(await tokens(club, (await gameByRef(club.db, running))!.id));
    await tables(other.db).updateTable('game').set({ status: 'running' }).where('id', '=', id).execute();
    await fileFor(other, running, 'blue', ['RUN FAST', 'FINAL']);
    expect(await runGame(other, id)).toMatchObject({ result: 'done' });
    await fileFor(club, running, 'blue', ['RUN FAST', 'FINAL']);
    const original = (await gameByRef(club.db, running))!;
    expect(await runGame(club, original.id)).toMatchObject({ result: 'done' });
    // The keys of the archive are burnt: the same orders meet other dice here, and both games can be checked.
    const rolls = async (service: Service, gameId: number) =>
      JSON.stringify((await phasesOf(service.db, gameId)).filter((phase) => phase.status === 'done').at(-1)!.open_key);
    expect(await rolls(other, id)).not.toBe(await rolls(club, original.id));
    const open = other.scenarios.open('tiny/race');
    expect(verifyGame(recordedGame(await recordOf(other, other.db, id)), open).faults).toEqual([]);
  });

  test('people who are known there stay one person', async () => {
    const people = await tables(other.db).selectFrom('person').select('name').orderBy('name').execute();
    expect(people.map((person) => person.name)).toEqual(['Bob', 'Rita']);
  });

  test('new games there get numbers after it', async () => {
    const { ref } = await createGame(other, { scenarioId: 'tiny/race', seats: [], ...by });
    expect(Number(ref.split('-')[1])).toBeGreaterThan(Number(running.split('-')[1]));
  });

  test('a running game is refused where the scenario differs', async () => {
    const third = await testDatabase();
    try {
      const bundle = await readBundle(await exportGame(club, running, by), find);
      const strange = clubOn(third, 'third', 12);
      await expect(importGame(strange, bundle, by)).rejects.toThrow(
        'the scenario tiny/race of this club differs from the one the game is played with',
      );
    } finally {
      await third.close();
    }
  });
});
