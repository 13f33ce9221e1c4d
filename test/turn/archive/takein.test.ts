/** What is imported proves nothing: addresses answer first, dice keys are burnt, a number that is taken gives the next one. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { tables } from '../../../src/store/db.ts';
import { gameById, seatsOf } from '../../../src/store/games.ts';
import { personByAddress } from '../../../src/store/people.ts';
import { exportGame, readBundle, recordedGame, recordOf } from '../../../src/turn/archive/export.ts';
import { importGame } from '../../../src/turn/archive/takein.ts';
import { verifyGame } from '../../../src/turn/phase/replay.ts';
import { runGame } from '../../../src/turn/phase/run.ts';
import { addressOfSeat } from '../../../src/turn/seats.ts';
import { correspondent, flat } from '../../helpers/club.ts';
import { type TestDatabase, testDatabase } from '../../helpers/db.ts';
import { BLUE, letter, RED, startRace, type TestService, testService } from '../../helpers/service.ts';
import { tiny } from '../../helpers/tiny.ts';

const by = { by: 'the test', door: 'cli' };
let home: TestDatabase;
let away: TestDatabase;
let one: TestService;
let other: TestService;
let bundle: Awaited<ReturnType<typeof readBundle>>;
let was: string;
let gameId: number;

beforeAll(async () => {
  [home, away] = [await testDatabase(), await testDatabase()];
  one = testService(home.db);
  other = testService(away.db);
  const race = await startRace(one, { deadlineRule: null });
  was = race.ref;
  for (const [from, to] of [
    [RED, race.address.red],
    [BLUE, race.address.blue],
  ] as const)
    await one.receive(letter(from, to, ['TURN 1', 'RUN FAST', 'FINAL', 'END']));
  bundle = await readBundle(await exportGame(one.service, was, by), () => tiny as never);
  // Every club's first game has the first number.
  await startRace(other, {
    deadlineRule: null,
    seats: [
      { side: 'red', address: 'x@players.example', name: 'X' },
      { side: 'blue', address: 'y@players.example', name: 'Y' },
    ],
  });
  await other.settle();
});
afterAll(async () => {
  await home.close();
  await away.close();
});

describe('a number that is taken', () => {
  test('is refused with the next one that is free, which --as takes', async () => {
    await expect(importGame(other.service, bundle, by)).rejects.toThrow(
      `there is a game ${was} here already; this one can have the next number: --as TNY-0002`,
    );
    await expect(importGame(other.service, bundle, { ...by, as: 'OVL-0002' })).rejects.toThrow(/like TNY-0002/);
    gameId = await importGame(other.service, bundle, { ...by, as: 'tny-0002' });
    expect(await gameById(away.db, gameId)).toMatchObject({ ref: 'TNY-0002', status: 'paused' });
  });
});

describe('an imported game', () => {
  test('speaks for nobody and sends nobody a report until he has answered from his address', async () => {
    expect(await personByAddress(away.db, RED)).toBeUndefined();
    await other.settle();
    const red = correspondent(other, RED, false);
    expect(red.inbox()).toHaveLength(1);
    expect(flat(red.newest().text)).toContain('names you as a player');
    const [seat] = await seatsOf(away.db, gameId);
    const filed = () =>
      tables(away.db).selectFrom('receipt').select('verdict').where('seat_id', '=', seat!.id).execute();
    const before = (await filed()).length;
    await red.write(['TURN 2', 'RUN STEADY', 'FINAL', 'END'], { to: addressOfSeat(other.service, seat!) });
    expect((await filed()).slice(before).some(({ verdict }) => verdict === 'filed')).toBe(false);
    await red.confirm();
    expect((await personByAddress(away.db, RED))?.id).toBe(seat!.person_id);
    expect(red.inbox().some((mail) => mail.replyTo.includes('+'))).toBe(true);
    await red.answer(['TURN 2', 'RUN STEADY', 'FINAL', 'END']);
    expect((await filed()).at(-1)!.verdict).toBe('filed');
  });

  test('has new dice keys from the phase it stands in, and verifies from its beginning under both numbers', async () => {
    const old = recordedGame(bundle.record).chains.map((chain) => chain.head);
    const chains = await tables(away.db).selectFrom('key_chain').selectAll().where('game_id', '=', gameId).execute();
    const fresh = chains.filter((chain) => !old.includes(chain.head));
    expect(fresh.map((chain) => chain.first_n)).toEqual([2, 2]);
    await tables(away.db).updateTable('game').set({ status: 'running' }).where('id', '=', gameId).execute();
    expect((await runGame(other.service, gameId, { force: true })).result).toBe('done');
    const open = other.service.scenarios.open('tiny/race');
    const result = verifyGame(recordedGame(await recordOf(other.service, away.db, gameId)), open);
    expect(result).toMatchObject({ faults: [], ref: 'TNY-0002' });
    const again = await readBundle(await exportGame(other.service, 'TNY-0002', by), () => tiny as never);
    expect(verifyGame(recordedGame(again.record), again.open).faults).toEqual([]);
  });
});
