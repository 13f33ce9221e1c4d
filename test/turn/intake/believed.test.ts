/** RFC 8601, part 5: whose Authentication-Results are believed, by the door a mail came through. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { gameById } from '../../../src/store/games.ts';
import { acceptMail } from '../../../src/turn/intake/accept.ts';
import { type TestDatabase, testDatabase } from '../../helpers/db.ts';
import { letter, startRace, testService } from '../../helpers/service.ts';

const OPERATOR = 'gm@club.example.org';
let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

/** Whose word says that the mail is the operator's, the door, the setting, and whether he is obeyed. */
test.each([
  ['club.example', 'lmtp', undefined, false],
  ['club.example', 'imap', undefined, false],
  ['mail.evil.example', 'lmtp', undefined, false],
  ['mail.club.example', 'lmtp', 'mail.club.example', true],
  ['mail.club.example', 'imap', 'mail.club.example', true],
  ['club.example', 'lmtp', 'mail.club.example', false],
  // Our own listener writes the topmost itself.
  ['club.example', 'smtp', undefined, true],
])('%s by %s with AUTHSERV_ID %s: believed is %s', async (says, door, setting, obeyed) => {
  const one = testService(database.db, { env: setting ? { AUTHSERV_ID: setting } : {} });
  const race = await startRace(one, { deadlineRule: null });
  const forged = letter(OPERATOR, 'orders@club.example', [`PAUSE ${race.ref}`], {
    Subject: `PAUSE ${race.ref}`,
    'Authentication-Results': `${says}; dmarc=pass header.from=club.example.org`,
  });
  await acceptMail(one.service, Buffer.from(forged), one.clock.now, { door });
  await one.settle();
  const { status } = await gameById(database.db, race.gameId);
  expect(status).toBe(obeyed ? 'paused' : 'running');
});
