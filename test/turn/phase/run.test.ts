import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { chainKey, earlierKey } from '../../../src/kernel/dice.ts';
import type { PublicView } from '../../../src/kernel/types.ts';
import { inTransaction, tables } from '../../../src/store/db.ts';
import { chainsOf, gameById, phaseById, phasesOf, seatsOf } from '../../../src/store/games.ts';
import { requestsOf } from '../../../src/store/orders.ts';
import { json, type PhaseRow } from '../../../src/store/schema.ts';
import { rewindGame } from '../../../src/turn/phase/course.ts';
import { runGame } from '../../../src/turn/phase/run.ts';
import { type TestDatabase, testDatabase } from '../../helpers/db.ts';
import {
  BLUE,
  DAY_MS,
  letter,
  RED,
  startRace,
  type TestService,
  testService,
  textOf,
  tinyScenarios,
} from '../../helpers/service.ts';

let database: TestDatabase;
let one: TestService;
let race: Awaited<ReturnType<typeof startRace>>;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  one = testService(database.db);
  race = await startRace(one, { deadlineRule: null });
  await one.settle();
  one.sent.length = 0;
});

const say = (side: 'red' | 'blue', ...lines: string[]): Promise<void> =>
  one.receive(letter(side === 'red' ? RED : BLUE, race.address[side], [`GAME ${race.ref}`, ...lines, 'END']));
const all = (): Promise<PhaseRow[]> => phasesOf(database.db, race.gameId);
const now = async (): Promise<PhaseRow> => phaseById(database.db, (await gameById(database.db, race.gameId)).phase_id!);
const mailTo = (to: string): string =>
  one.sent
    .filter((mail) => mail.to === to)
    .map((mail) => textOf(mail.raw).replace(/\s+/g, ' '))
    .join(' === ');

describe('when a phase runs', () => {
  test('not before every side that owes orders is final', async () => {
    await say('red', 'RUN FAST', 'FINAL');
    await say('blue', 'RUN STEADY');
    expect((await now()).n).toBe(1);
    expect(await runGame(one.service, race.gameId)).toEqual({ result: 'not ready', waitingFor: ['blue'] });
    await say('blue', 'RUN STEADY', 'FINAL');
    expect((await now()).n).toBe(2);
  });

  test('twice at once: one of them does it', async () => {
    await say('red', 'RUN FAST');
    await say('blue', 'RUN STEADY');
    const results = await Promise.all([1, 2, 3, 4].map(() => runGame(one.service, race.gameId, { force: true })));
    // Forced runs go on to the next phases; no phase is ever run twice.
    const rows = await all();
    expect(results.every((result) => result.result === 'done')).toBe(true);
    expect(new Set(rows.map((row) => row.n)).size).toBe(rows.length);
    expect(rows.length).toBe(5);
  });

  test('at the deadline with whatever is filed; who filed nothing is named, and the second time the master is told', async () => {
    await tables(database.db)
      .updateTable('game')
      .set({ deadline_rule: json({}) })
      .where('id', '=', race.gameId)
      .execute();
    const due = new Date(one.clock.now.getTime() + DAY_MS);
    await tables(database.db).updateTable('phase').set({ due_at: due }).where('game_id', '=', race.gameId).execute();
    await say('red', 'RUN STEADY');
    expect((await runGame(one.service, race.gameId)).result).toBe('not ready');
    one.clock.forward(DAY_MS + 1000);
    one.sent.length = 0;
    expect((await runGame(one.service, race.gameId)).result).toBe('done');
    await one.settle();
    expect(mailTo(RED)).toContain('No orders came from blue in time');
    const [first] = await all();
    expect(first!.inputs?.nmr).toEqual(['blue']);
    await tables(database.db)
      .updateTable('phase')
      .set({ due_at: one.clock.now })
      .where('id', '=', (await now()).id)
      .execute();
    await say('red', 'RUN STEADY');
    await runGame(one.service, race.gameId);
    await one.settle();
    expect(mailTo('gm@club.example.org')).toContain(
      `blue in ${race.ref} has filed nothing for turn 2; that makes 2 deadlines`,
    );
  });

  test('doctrine acts for a side that filed nothing', async () => {
    await say('blue', 'DOCTRINE RUN STEADY');
    await say('red', 'RUN STEADY');
    await runGame(one.service, race.gameId, { force: true });
    expect((await now()).snapshot.table).toMatchObject({ places: { red: 1, blue: 1 } });
  });

  test('states, keys and dice hang together and can be checked by anyone', async () => {
    for (let i = 0; i < 2; i++) {
      await say('red', 'RUN FAST', 'FINAL');
      await say('blue', 'RUN FAST', 'FINAL');
    }
    const [first, second, third] = await all();
    expect([first!.n, second!.n, third!.n]).toEqual([1, 2, 3]);
    expect([second!.previous_hash, third!.previous_hash]).toEqual([first!.hash, second!.hash]);
    const hash = (hex: string): string => createHash('sha256').update(Buffer.from(hex, 'hex')).digest('hex');
    const head = (await chainsOf(database.db, race.gameId)).find((chain) => chain.kind === 'open')!.head;
    expect(hash(first!.open_key!)).toBe(head);
    expect(hash(second!.open_key!)).toBe(first!.open_key);
    expect(third!.open_key).toBeNull();
    const sealed = (await chainsOf(database.db, race.gameId)).map((chain) => chain.root_sealed.toString('hex'));
    expect(sealed.join()).not.toContain(second!.open_key);
  });

  test('the game ends when its rules say so, and nobody is asked any more', async () => {
    for (let i = 0; i < 6; i++) {
      await say('red', 'RUN STEADY', 'FINAL');
      await say('blue', 'RUN STEADY', 'FINAL');
    }
    const game = await gameById(database.db, race.gameId);
    expect(game).toMatchObject({ status: 'over', outcome: { winner: 'draw' } });
    expect((await runGame(one.service, race.gameId, { force: true })).result).toBe('not running');
    const root = /Root of the chain for shuffles and cups: ([0-9a-f]{64})/.exec(mailTo(RED))?.[1];
    const head = (await chainsOf(database.db, race.gameId)).find((chain) => chain.kind === 'secret')!.head;
    expect(chainKey(Buffer.from(root!, 'hex'), 0).toString('hex')).toBe(head);
  });
});

/** Red stands on square 1 and blue comes up from behind: blue's doctrine says ASK. */
async function uptoQuestion(): Promise<void> {
  await say('blue', 'DOCTRINE CAPTURE ASK');
  await say('red', 'RUN STEADY', 'FINAL');
  await say('blue', 'FINAL');
  one.sent.length = 0;
  await say('red', 'FINAL');
  await say('blue', 'RUN STEADY', 'FINAL');
}

describe('questions by mail', () => {
  beforeEach(uptoQuestion);

  test('the phase stops, keeps its inputs, and its owner alone is asked', async () => {
    const phase = await now();
    expect(phase).toMatchObject({ n: 2, status: 'waiting' });
    expect(phase.inputs?.filed.blue?.lines).toEqual(['RUN STEADY']);
    expect(mailTo(BLUE)).toContain('ANSWER 1: 1');
    expect(mailTo(BLUE)).toContain('2. PASS');
    expect(mailTo(RED)).not.toContain('CAPTURE');
  });

  test.each([
    ['ANSWER 1: 1', 0],
    ['ANSWER 1: capture', 0],
    ['answer #1: 2', 1],
    ['ANSWER 1: PASS', 1],
  ])('%s goes on with the phase', async (answer, redAt) => {
    await say('blue', answer);
    expect(one.problems).toEqual([]);
    const [, second, third] = await all();
    expect(second!.status).toBe('done');
    expect(third!.snapshot.table).toMatchObject({ places: { red: redAt, blue: 1 } });
    expect(second!.decisions).toEqual([expect.objectContaining({ by: 'answer' })]);
    expect(mailTo(BLUE)).toContain('WHO DECIDED');
    expect(mailTo(RED)).not.toContain('WHO DECIDED');
  });

  test('the mail tells what has happened up to here, with a map of that moment', async () => {
    const mail = mailTo(BLUE);
    expect(mail).toContain('What has happened up to this question');
    expect(mail).toContain('blue runs');
    const question = one.sent.find(({ to, raw }) => to === BLUE && raw.toString('latin1').includes('question.pdf'));
    expect(question).toBeDefined();
    const { views, events } = await now();
    // Blue has run from 0 to 1 in the draft; the phase began with blue on 0.
    expect(views?.blue).toMatchObject({ viewer: 'blue', table: { places: { red: 1, blue: 1 } } });
    expect(Object.keys(views ?? {})).toEqual(['blue']);
    expect(events?.map(({ type }) => type)).toEqual(['ran', 'ran']);
  });

  test('doctrine changed while the phase waits is kept for later: the phase is judged by what stood at its first run', async () => {
    await say('blue', 'DOCTRINE CAPTURE YES');
    expect((await now()).status).toBe('waiting');
    await say('blue', 'ANSWER 1: PASS');
    const [, second, third] = await all();
    expect(second!.decisions).toEqual([{ id: 'capture at 1', chosen: ['PASS'], by: 'answer' }]);
    expect(second!.inputs?.filed.blue?.standing).toMatchObject([{ key: 'CAPTURE', value: 'ask' }]);
    expect(third!.snapshot.table).toMatchObject({ places: { red: 1, blue: 1 } });
  });

  test('a phase that stopped before questions had facts and a view asks the same, and goes on', async () => {
    const phase = await now();
    const old = { id: 'capture at 1', to: 'blue', kind: 'capture', min: 1, max: 1, fallback: ['PASS'] };
    await tables(database.db).updateTable('phase').set({ views: null }).where('id', '=', phase.id).execute();
    await tables(database.db)
      .updateTable('request')
      .set({ body: JSON.stringify({ ...old, options: ['CAPTURE', 'PASS'] }) })
      .where('phase_id', '=', phase.id)
      .execute();
    await say('blue', 'ANSWER 1: 3');
    expect((await now()).status).toBe('waiting');
    await say('blue', 'ANSWER 1: capture');
    expect((await all())[2]!.snapshot.table).toMatchObject({ places: { red: 0, blue: 1 } });
  });

  test('a wrong answer is explained and changes nothing; orders wait', async () => {
    await say('blue', 'ANSWER 1: 3');
    await say('blue', 'ANSWER 2: 1');
    expect(mailTo(BLUE)).toContain('no question with the number 2');
    await say('red', 'ANSWER 1: 1');
    expect(mailTo(RED)).toContain('no question with the number 1');
    await say('red', 'RUN FAST');
    expect(mailTo(RED)).toContain('waits for answers only');
    expect(await now()).toMatchObject({ n: 2, status: 'waiting' });
  });

  test('an answer counts even when an old order form stands below it', async () => {
    await say('blue', 'ANSWER 1: 1', 'RUN FAST');
    const [, second] = await all();
    expect(second!.status).toBe('done');
    expect(mailTo(BLUE)).toContain('order lines were not filed');
  });

  test('time runs out: the fallback is taken and said to its owner', async () => {
    const phase = await now();
    await tables(database.db)
      .updateTable('request')
      .set({ due_at: one.clock.now })
      .where('phase_id', '=', phase.id)
      .execute();
    await runGame(one.service, race.gameId);
    await one.settle();
    expect((await requestsOf(database.db, phase.id))[0]).toMatchObject({ decided_by: 'fallback', chosen: ['PASS'] });
    const [, second] = await all();
    expect(second!.decisions).toEqual([{ id: 'capture at 1', chosen: ['PASS'], by: 'fallback' }]);
    expect(mailTo(BLUE)).toContain('neutral choice');
  });

  test('a re-run that tells another story stops the game and calls its master', async () => {
    const phase = await now();
    await tables(database.db)
      .updateTable('phase')
      .set({ prefix_hash: 'f'.repeat(64) })
      .where('id', '=', phase.id)
      .execute();
    await say('blue', 'ANSWER 1: 1');
    expect(await gameById(database.db, race.gameId)).toMatchObject({ status: 'paused' });
    expect((await now()).status).toBe('waiting');
    expect(mailTo('gm@club.example.org')).toContain('ran differently after an answer');
  });
});

describe('how a game puts questions', () => {
  const puts = async (questions: object): Promise<void> => {
    await tables(database.db)
      .updateTable('game')
      .set({ settings: JSON.stringify({ questions }) })
      .where('id', '=', race.gameId)
      .execute();
    await uptoQuestion();
  };

  test('a kind left to doctrine is never asked', async () => {
    await puts({ kinds: { capture: 'doctrine' } });
    const [, second] = await all();
    expect(second).toMatchObject({ status: 'done', decisions: [{ by: 'fallback', chosen: ['PASS'] }] });
  });

  test('a kind that is asked is asked though doctrine has an answer', async () => {
    await say('blue', 'DOCTRINE CAPTURE YES');
    await puts({ kinds: { capture: 'ask' } });
    expect((await now()).status).toBe('waiting');
  });

  test('after as many questions as there may be doctrine decides, and the report says so', async () => {
    await puts({ most: 0 });
    const [, second] = await all();
    expect(second).toMatchObject({ status: 'done', decisions: [{ by: 'fallback', capped: true }] });
    expect(mailTo(BLUE)).toContain('the most there may be');
    expect(mailTo(RED)).not.toContain('the most there may be');
  });
});

test('a game over that is rewound goes on with chains that nobody knows', async () => {
  for (let i = 0; i < 6; i++) {
    await say('red', 'RUN STEADY', 'FINAL');
    await say('blue', 'RUN STEADY', 'FINAL');
  }
  await inTransaction(database.db, async (trx) => {
    const game = await gameById(trx, race.gameId);
    const deed = { service: one.service, trx, now: one.clock.now, who: 'test', door: 'test', why: 'a mistake' };
    await rewindGame(deed, game, 6);
  });
  const phase = await now();
  expect(phase).toMatchObject({ n: 8, turn: 6, opened_by: 'rewind' });
  expect((await chainsOf(database.db, race.gameId)).map((chain) => [chain.number, chain.first_n])).toEqual([
    [1, 1],
    [1, 1],
    [2, 8],
    [2, 8],
  ]);
  one.sent.length = 0;
  await one.settle();
  expect(mailTo(RED)).toMatch(/Open dice: [0-9a-f]{64}/);
});

test('players are told when the game master, or whoever runs the service, also plays', async () => {
  await startRace(one, {
    seats: [
      { side: 'red', address: 'gm@club.example.org', name: 'Greta' },
      { side: 'blue', address: BLUE, name: 'Bert' },
    ],
  });
  await one.settle();
  expect(mailTo(BLUE)).toContain('also plays in this game');
});

test('a fault of the rules stops the game, keeps nothing of the phase and calls the master', async () => {
  const { rules } = one.service.scenarios.open('tiny/race');
  const good = rules.adjudicate;
  rules.adjudicate = function* () {
    yield* [];
    throw new Error('the table is upside down');
  };
  try {
    await say('red', 'RUN STEADY', 'FINAL');
    await say('blue', 'RUN STEADY', 'FINAL');
  } finally {
    rules.adjudicate = good;
  }
  expect(await gameById(database.db, race.gameId)).toMatchObject({ status: 'paused' });
  expect(await now()).toMatchObject({ n: 1, status: 'open', inputs: null });
  expect(mailTo('gm@club.example.org')).toContain('the table is upside down');
});

test('orders that became illegal since are left out and their owner is told', async () => {
  await say('red', 'RUN JUMP');
  const phase = await now();
  const hands = { ...phase.snapshot.hands, red: { jumps: 0 } };
  await tables(database.db)
    .updateTable('phase')
    .set({ snapshot: json({ ...phase.snapshot, hands }) })
    .where('id', '=', phase.id)
    .execute();
  await runGame(one.service, race.gameId, { force: true });
  await one.settle();
  expect(mailTo(RED)).toContain('no longer legal when the phase ran and was left out: RUN JUMP');
  expect(mailTo(BLUE)).not.toContain('JUMP');
});

describe('keys of shuffles', () => {
  test('are kept until the game is over, but shown where the rules say that nothing is hidden any more', async () => {
    const store = tinyScenarios();
    const open = (id: string) => {
      const found = store.open(id);
      return { ...found, rules: { ...found.rules, opens: (view: PublicView) => view.phase.n === 3 } };
    };
    const other = testService(database.db, { scenarios: { ...store, open } });
    const game = await startRace(other, { deadlineRule: null });
    for (let i = 0; i < 3; i++) await runGame(other.service, game.gameId, { force: true });
    await other.settle();
    const rows = await phasesOf(database.db, game.gameId);
    expect(rows.map(({ n, secret_key }) => [n, secret_key !== null])).toEqual([
      [1, false],
      [2, true],
      [3, false],
      [4, false],
    ]);
    const key = rows[1]!.secret_key!;
    const heads = (await chainsOf(database.db, game.gameId)).filter(({ kind }) => kind === 'secret');
    expect(earlierKey(Buffer.from(key, 'hex'), 2).toString('hex')).toBe(heads[0]!.head);
    const told = other.sent.filter(({ raw }) => textOf(raw).replace(/\s+/g, '').includes(`chainforsecrets:${key}`));
    expect(new Set(told.map(({ to }) => to))).toEqual(new Set([RED, BLUE]));
  });
});

describe('a phase that goes on with the same turn', () => {
  /** Even phases go on with the turn of the odd ones before them. */
  const goingOn = () => {
    const store = tinyScenarios();
    const open = (id: string) => {
      const found = store.open(id);
      const pace = (view: PublicView) => (view.phase.n % 2 === 0 ? ({ continues: true } as const) : undefined);
      return { ...found, rules: { ...found.rules, pace } };
    };
    return testService(database.db, { scenarios: { ...store, open } });
  };
  const missedBy = async (gameId: number): Promise<number[]> =>
    (await seatsOf(database.db, gameId)).map(({ missed }) => missed);

  test('keeps the deadline of the turn', async () => {
    const other = goingOn();
    const game = await startRace(other);
    const [first] = await phasesOf(database.db, game.gameId);
    await runGame(other.service, game.gameId, { force: true });
    const [, second] = await phasesOf(database.db, game.gameId);
    expect(second!.due_at).toEqual(first!.due_at);
    other.clock.forward(3_600_000);
    await runGame(other.service, game.gameId, { force: true });
    const [, , third] = await phasesOf(database.db, game.gameId);
    // The first turn of a game is given longer than the others: a new turn's deadline is told from it.
    expect(third!.due_at).not.toEqual(first!.due_at);
    expect(third!.due_at!.getTime()).toBeGreaterThan(other.service.now().getTime() + DAY_MS);
  });

  test('after the deadline leaves the time of an answer; silence counts once a turn', async () => {
    const other = goingOn();
    const game = await startRace(other);
    const [first] = await phasesOf(database.db, game.gameId);
    other.clock.forward(first!.due_at!.getTime() - other.service.now().getTime() + DAY_MS);
    expect(await runGame(other.service, game.gameId)).toMatchObject({ result: 'done' });
    expect(await missedBy(game.gameId)).toEqual([1, 1]);
    const [, second] = await phasesOf(database.db, game.gameId);
    expect(second!.due_at!.getTime()).toBeGreaterThan(other.service.now().getTime() + DAY_MS);
    other.clock.forward(second!.due_at!.getTime() - other.service.now().getTime() + DAY_MS);
    expect(await runGame(other.service, game.gameId)).toMatchObject({ result: 'done' });
    expect(await missedBy(game.gameId)).toEqual([1, 1]);
    const [, , third] = await phasesOf(database.db, game.gameId);
    other.clock.forward(third!.due_at!.getTime() - other.service.now().getTime() + DAY_MS);
    expect(await runGame(other.service, game.gameId)).toMatchObject({ result: 'done' });
    expect(await missedBy(game.gameId)).toEqual([2, 2]);
  });
});

describe('questions with a time and a window of their own', () => {
  /** The race puts each of its questions twice, in two windows, and gives six hours for the first. */
  const twice = () => {
    const store = tinyScenarios();
    const open = (id: string) => {
      const found = store.open(id);
      const { rules } = found;
      const adjudicate: typeof rules.adjudicate = function* (draft, orders, ruling) {
        const run = rules.adjudicate(draft, orders, ruling);
        for (let step = run.next(); !step.done; ) {
          const [asked] = step.value;
          const [decision] = yield [
            { ...asked!, hours: 6, batch: 'first' },
            { ...asked!, id: `${asked!.id} again`, batch: 'second' },
            { ...asked!, id: `${asked!.id} once more`, batch: 'second' },
          ];
          step = run.next([decision!]);
        }
      };
      return { ...found, rules: { ...rules, adjudicate } };
    };
    return testService(database.db, { scenarios: { ...store, open } });
  };

  test('each window goes out as one mail with its questions, due by its own time', async () => {
    const other = twice();
    // Players of their own: whoever had many mails on this day already gets the next ones as a digest.
    const who = { red: 'rita@players.example', blue: 'bert@players.example' };
    const seats = (['red', 'blue'] as const).map((side) => ({ side, address: who[side], name: who[side] }));
    const game = await startRace(other, { seats });
    const send = (side: 'red' | 'blue', ...lines: string[]) =>
      other.receive(letter(who[side], game.address[side], [`GAME ${game.ref}`, ...lines, 'END']));
    await send('red', 'RUN STEADY', 'FINAL');
    await send('blue', 'DOCTRINE CAPTURE ASK', 'FINAL');
    await send('red', 'FINAL');
    other.sent.length = 0;
    await send('blue', 'RUN STEADY', 'FINAL');
    const phase = (await phasesOf(database.db, game.gameId)).find(({ status }) => status === 'waiting')!;
    const asked = await requestsOf(database.db, phase.id);
    const now = other.service.now().getTime();
    expect(asked.map(({ body }) => body.batch)).toEqual(['first', 'second', 'second']);
    const hours = asked.map(({ due_at }) => (due_at!.getTime() - now) / 3_600_000);
    expect(hours[0]).toBe(6);
    expect(hours[1]).toBeGreaterThan(24);
    const mails = other.sent.map(({ raw }) => textOf(raw)).filter((text) => /ANSWER \d: 1/.test(text));
    expect(mails.map((text) => [...text.matchAll(/^(\d)\)/gm)].map(([, n]) => n))).toEqual([['1'], ['2', '3']]);
  });
});
