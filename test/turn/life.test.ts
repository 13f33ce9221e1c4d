import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../helpers/db.ts';
import { BLUE, headerOf, letter, RED, startRace, type TestService, testService, textOf } from '../helpers/service.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

describe('a turn by mail', () => {
  let one: TestService;
  let race: Awaited<ReturnType<typeof startRace>>;
  beforeEach(async () => {
    one = testService(database.db);
    race = await startRace(one);
    await one.settle();
  });

  test('the start mails a report to each side with the heads of the dice chains, a map and a form', () => {
    expect(one.sent.map((mail) => mail.to).sort()).toEqual([BLUE, RED]);
    const text = textOf(one.sent[0]!.raw);
    expect(text).toContain(race.ref);
    expect(text).toMatch(/Open dice:\s[0-9a-f]{64}/);
    expect(one.sent[0]!.raw.toString()).toContain('orders.txt');
    expect(one.sent[0]!.raw.toString()).toContain('application/pdf');
    expect(headerOf(one.sent[0]!.raw, 'Reply-To')).toContain(
      one.sent[0]!.to === RED ? race.address.red : race.address.blue,
    );
  });

  test('orders get a receipt; when both are final the phase runs and both get the next report', async () => {
    one.sent.length = 0;
    await one.receive(letter(RED, race.address.red, [`GAME ${race.ref}`, 'TURN 1', 'RUN FAST', 'FINAL', 'END']));
    expect(one.problems).toEqual([]);
    expect(one.sent.map((mail) => mail.to)).toEqual([RED]);
    expect(textOf(one.sent[0]!.raw)).toContain('RUN FAST');
    await one.receive(letter(BLUE, race.address.blue, ['TURN 1', 'RUN STEADY', 'FINAL', 'END']));
    const subjects = one.sent.map((mail) => headerOf(mail.raw, 'Subject'));
    expect(one.problems).toEqual([]);
    expect(subjects).toHaveLength(4);
    const phases = await database.db
      .selectFrom('phase')
      .selectAll()
      .where('game_id', '=', race.gameId)
      .orderBy('n')
      .execute();
    expect(phases.map((phase) => [phase.n, phase.status])).toEqual([
      [1, 'done'],
      [2, 'open'],
    ]);
    expect(phases[1]!.previous_hash).toBe(phases[0]!.hash);
    console.log(textOf(one.sent[3]!.raw));
    console.log(textOf(one.sent[1]!.raw));
  });
});
