import { afterAll, beforeAll, expect, test } from 'vitest';
import { playYear } from '../../bench/year.ts';
import { type TestDatabase, testDatabase } from '../../helpers/db.ts';

/** `CLOCK_GAMES=1000 npx vitest run test/turn/work/year.test.ts` plays the whole club. */
const GAMES = Number(process.env.CLOCK_GAMES ?? 20);

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

test('a year of deadlines: none missed, none late, none too early, none run twice', async () => {
  const figures = await playYear(database.db, { games: GAMES, seed: 7 });
  if (process.env.CLOCK_GAMES) console.log(JSON.stringify(figures));
  expect(figures).toMatchObject({ late: [], tooEarly: [], twice: [], missed: [], offHour: [] });
  expect(figures.outages).toBe(5);
  expect(figures.deadlines).toBeGreaterThan(GAMES * 3);
  expect(figures.early).toBeGreaterThan(0);
  expect(figures.reminders).toBeGreaterThan(GAMES);
}, 3_600_000);
