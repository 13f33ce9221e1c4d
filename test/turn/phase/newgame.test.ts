import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inTransaction, tables } from '../../../src/store/db.ts';
import { gameById, nextRef, phaseById, seatsOf } from '../../../src/store/games.ts';
import { chooseOptions, createGame, startGame } from '../../../src/turn/phase/newgame.ts';
import { addressOfSeat, looksLikeToken, newToken, openToken, tokenHash } from '../../../src/turn/seats.ts';
import { type TestDatabase, testDatabase } from '../../helpers/db.ts';
import { BLUE, RED, startRace, type TestService, testService, tinyScenarios } from '../../helpers/service.ts';

let database: TestDatabase;
let one: TestService;
beforeAll(async () => {
  database = await testDatabase();
  one = testService(database.db);
});
afterAll(() => database.close());

const seats = [
  { side: 'red', address: RED, name: 'Rosa' },
  { side: 'blue', address: BLUE, name: 'Bert' },
];
const race = (more: object = {}) => ({ scenarioId: 'tiny/race', seats, by: 'test', door: 'test', ...more });

describe('making a game', () => {
  test('starts when every side has a holder, in a phase numbered 1 with a deadline', async () => {
    const game = await createGame(one.service, race());
    expect(game).toMatchObject({ status: 'running', system: 'tiny', options: { squares: 6 }, line: 1 });
    const phase = await phaseById(database.db, game.phase_id!);
    expect(phase).toMatchObject({ n: 1, turn: 1, opened_by: 'setup', status: 'open', previous_hash: null });
    expect(phase.due_at!.getTime()).toBeGreaterThan(one.clock.now.getTime());
  });

  test('waits for players otherwise, and can’t be started before they are there', async () => {
    const game = await createGame(one.service, race({ seats: seats.slice(0, 1) }));
    expect(game).toMatchObject({ status: 'forming', phase_id: null });
    const starting = inTransaction(database.db, (trx) => startGame(one.service, trx, game.id));
    await expect(starting).rejects.toThrow(`game ${game.ref} still lacks blue`);
  });

  test.each([
    [{ scenarioId: 'tiny/marathon' }, /no scenario "tiny\/marathon"/],
    [{ seats: [{ side: 'green', address: RED, name: 'G' }] }, /has the sides red, blue, not green/],
    [{ options: { squares: 7 } }, /option squares of tiny\/race can be 6, 12, 1000, not 7/],
    [{ options: { hills: true } }, /tiny\/race has no option hills; there are: squares/],
  ])('refused in one line: %o', async (more, line) => {
    const before = await tables(database.db).selectFrom('game').select('id').execute();
    await expect(createGame(one.service, race(more))).rejects.toThrow(line);
    expect(await tables(database.db).selectFrom('game').select('id').execute()).toEqual(before);
  });

  test('options are taken as they are meant', () => {
    const { scenario } = tinyScenarios().open('tiny/race');
    expect(chooseOptions(scenario, {})).toEqual({ squares: 6 });
    expect(chooseOptions(scenario, { squares: '12' })).toEqual({ squares: 12 });
  });

  test('references run on, also when many are made at once', async () => {
    const refs = await Promise.all(Array.from({ length: 8 }, () => nextRef(database.db, 'XYZ')));
    expect(refs.sort()).toEqual(Array.from({ length: 8 }, (_, i) => `XYZ-000${i + 1}`));
  });

  test('the same set-up comes from the same keys', async () => {
    const { gameId } = await startRace(one);
    const game = await gameById(database.db, gameId);
    const { openingState } = await import('../../../src/turn/phase/newgame.ts');
    const again = await openingState(one.service, database.db, game);
    expect(again.state).toEqual((await phaseById(database.db, game.phase_id!)).snapshot);
    expect(again.dice).toEqual([
      expect.objectContaining({ context: `${game.ref}/0.setup/weather deck`, secret: true }),
    ]);
  });
});

describe('seat tokens', () => {
  test('100 bits, found by hash, readable with the secret only, case free', async () => {
    const token = newToken(one.service);
    expect(looksLikeToken(token.token)).toBe(true);
    expect(looksLikeToken(token.token.toUpperCase())).toBe(true);
    expect(tokenHash(token.token.toUpperCase())).toBe(token.hash);
    expect(openToken(one.service, token.sealed)).toBe(token.token);
    expect(() => openToken({ secret: Buffer.alloc(32) }, token.sealed)).toThrow(/another SECRET/);
    expect(token.token.length * 5).toBeGreaterThanOrEqual(80);
  });

  test('each seat has its own, and none stands in the store in clear', async () => {
    const { gameId } = await startRace(one);
    const rows = await seatsOf(database.db, gameId);
    const tags = rows.map((seat) => /\+([a-z2-7]{20})@/.exec(addressOfSeat(one.service, seat))![1]!);
    expect(new Set(tags).size).toBe(2);
    for (const tag of tags) expect(JSON.stringify(rows)).not.toContain(tag);
  });
});
