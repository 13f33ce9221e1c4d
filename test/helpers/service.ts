import { createHash } from 'node:crypto';
import { readConfig } from '../../src/config.ts';
import type { SendResult } from '../../src/mail/doors/smtp.ts';
import { openWording, TEMPLATES } from '../../src/render/words.ts';
import { openContent, type ScenarioStore } from '../../src/scenarios.ts';
import { type Db, tables } from '../../src/store/db.ts';
import { addDoor } from '../../src/store/doors.ts';
import { secretKey } from '../../src/store/seal.ts';
import type { Service } from '../../src/turn/context.ts';
import { acceptMail } from '../../src/turn/intake/accept.ts';
import { profileOf } from '../../src/turn/intake/ourselves.ts';
import { createGame, type NewGame } from '../../src/turn/phase/newgame.ts';
import { addressOfSeat } from '../../src/turn/seats.ts';
import { runJobs } from '../../src/turn/work/worker.ts';
import { withClock } from './clock.ts';
import { TINY_LOOKS, TINY_TEMPLATES, tiny } from './tiny.ts';

export const DAY_MS = 86_400_000;
export const RED = 'red@players.example';
export const BLUE = 'blue@players.example';

export interface SentMail {
  raw: Buffer;
  from: string;
  to: string;
}

export interface TestService {
  service: Service;
  clock: { now: Date; forward(ms: number): void };
  /** What left by SMTP, oldest first. */
  sent: SentMail[];
  /** Answers of the outer mail server; the last one stays. */
  answer(result: SendResult): void;
  /** Stores a mail as a door would, then does everything that is due. Returns how many mails left. */
  receive(raw: string | Buffer): Promise<void>;
  /** Does everything that is due. */
  settle(): Promise<void>;
  /** What the service warned of. */
  problems: string[];
  /** The kill points passed, in order. */
  points: string[];
}

/** The example game alone, as a scenario store. */
export function tinyScenarios(squares = 6): ScenarioStore {
  const opened = openContent(tiny, 'tiny/race', { 'scenario-race.json': { squares } }, TINY_LOOKS);
  return {
    list: () => [{ id: 'tiny/race', title: opened.scenario.title, system: tiny }],
    open(id) {
      if (id !== 'tiny/race') throw new Error(`no scenario "${id}"`);
      return opened;
    },
    lint: () => [],
    balance: () => undefined,
  };
}

/** Blocks of chance drawn by all services of a test file: never the same twice. */
let drawn = 0;

/** A service on a test's database: clock, chance and the way out are in the test's hand. */
export function testService(
  db: Db,
  options: { scenarios?: ScenarioStore; env?: Record<string, string> } = {},
): TestService {
  const config = readConfig({ OPERATOR_EMAIL: 'gm@club.example.org', LOG_LEVEL: 'silent', ...options.env });
  const scenarios = options.scenarios ?? tinyScenarios();
  const clock = {
    now: new Date('2026-03-02T12:00:00Z'),
    forward(ms: number) {
      clock.now = new Date(clock.now.getTime() + ms);
    },
  };
  const points: string[] = [];
  const quiet = (): void => {};
  const problems: string[] = [];
  const note = (fields: object, message: string): void => void problems.push(`${message} ${JSON.stringify(fields)}`);
  const service: Service = {
    config,
    db,
    scenarios,
    wording: openWording('en', [TEMPLATES, TINY_TEMPLATES]),
    log: { debug: quiet, info: quiet, warn: note, error: note },
    now: () => clock.now,
    // Chance that is the same in each run of a test, and never the same twice within it.
    randomBytes: (count) => {
      const blocks = Array.from({ length: Math.ceil(count / 32) }, () =>
        createHash('sha256').update(`draw ${drawn++}`).digest(),
      );
      return Buffer.concat(blocks).subarray(0, count);
    },
    secret: secretKey('a secret for tests that is long enough'),
    profile: profileOf(config, scenarios),
    at: (point) => void points.push(point),
  };
  const sent: SentMail[] = [];
  let result: SendResult = { ok: true, response: '250 taken' };
  const post = {
    async send(raw: Buffer, envelope: { from: string; to: string }): Promise<SendResult> {
      if (result.ok) sent.push({ raw, ...envelope });
      return result;
    },
  };
  const settle = async (): Promise<void> => {
    await withClock(
      () => clock.now,
      () => runJobs(service, { post }),
    );
  };
  return {
    service,
    clock,
    sent,
    points,
    problems,
    settle,
    answer(next) {
      result = next;
    },
    async receive(raw) {
      await acceptMail(service, Buffer.isBuffer(raw) ? raw : Buffer.from(raw), clock.now, { door: 'test' });
      await settle();
    },
  };
}

/** A race between RED and BLUE, started. Gives the secret order addresses of both. */
export async function startRace(
  test: TestService,
  given: Partial<NewGame> = {},
): Promise<{ gameId: number; ref: string; address: { red: string; blue: string } }> {
  const { service } = test;
  const game = await createGame(service, {
    scenarioId: 'tiny/race',
    seats: [
      { side: 'red', address: RED, name: 'Rosa' },
      { side: 'blue', address: BLUE, name: 'Bert' },
    ],
    by: 'test',
    door: 'test',
    ...given,
  });
  const seats = await tables(service.db).selectFrom('seat').selectAll().where('game_id', '=', game.id).execute();
  const address = { red: '', blue: '' };
  for (const seat of seats) address[seat.side as 'red' | 'blue'] = addressOfSeat(service, seat);
  return { gameId: game.id, ref: game.ref, address };
}

/** All doors were read up to a moment: the listener stood open until then. */
export async function readUpTo(db: Db, at: Date): Promise<void> {
  await addDoor(db, 'smtp', at);
  await tables(db).updateTable('door').set({ read_at: at }).execute();
}

let written = 0;
/** A plain mail as a player's program writes it. Headers given replace or add to the usual ones. */
export function letter(from: string, to: string, lines: string[], headers: Record<string, string> = {}): string {
  const all: Record<string, string> = {
    From: from,
    To: to,
    Subject: 'my turn',
    Date: 'Mon, 2 Mar 2026 13:00:00 +0100',
    'Message-ID': `<letter-${++written}@players.example>`,
    'MIME-Version': '1.0',
    'Content-Type': 'text/plain; charset=utf-8',
    ...headers,
  };
  const head = Object.entries(all).filter(([, value]) => value !== '');
  return [...head.map(([name, value]) => `${name}: ${value}`), '', ...lines, ''].join('\r\n');
}

/** The plain text of a mail that left, flowed lines joined. */
export function textOf(raw: Buffer): string {
  const whole = raw.toString('utf8');
  const part = /Content-Type: text\/plain[\s\S]*?\r\n\r\n([\s\S]*?)\r\n--/.exec(whole)?.[1] ?? whole;
  const decoded = /quoted-printable/i.test(whole.slice(0, whole.indexOf(part)))
    ? Buffer.from(
        part
          .replace(/=\r\n/g, '')
          .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
        'latin1',
      ).toString('utf8')
    : part;
  return decoded.replace(/ \r\n/g, ' ').replace(/\r\n/g, '\n');
}

/** A header of a mail that left, unfolded. */
export function headerOf(raw: Buffer, name: string): string | undefined {
  const head = raw
    .toString('latin1')
    .split('\r\n\r\n')[0]!
    .replace(/\r\n[ \t]+/g, ' ');
  return new RegExp(`^${name}: (.*)$`, 'im').exec(head)?.[1];
}
