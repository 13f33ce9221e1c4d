/** Who has seen one side of a game never plays another, by whatever way he comes to a seat. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { inTransaction, tables } from '../../../src/store/db.ts';
import { gameByRef, seatsOf } from '../../../src/store/games.ts';
import { personByAddress } from '../../../src/store/people.ts';
import { giveSeat } from '../../../src/turn/commands/signup.ts';
import { deedsOf } from '../../../src/turn/deeds.ts';
import { type Correspondent, correspondent, flat } from '../../helpers/club.ts';
import { type TestDatabase, testDatabase } from '../../helpers/db.ts';
import { type TestService, testService } from '../../helpers/service.ts';

let database: TestDatabase;
let one: TestService;
let gm: Correspondent;
let red: Correspondent;
let blue: Correspondent;
let other: Correspondent;
let ref: string;
let counter = 0;

beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  counter++;
  one = testService(database.db, { env: { OPERATOR_EMAIL: `gm${counter}@club.example.org` } });
  gm = correspondent(one, `gm${counter}@club.example.org`);
  red = correspondent(one, `red${counter}@players.example`);
  blue = correspondent(one, `blue${counter}@players.example`);
  other = correspondent(one, `other${counter}@players.example`);
  ref = await newGame('');
});

async function newGame(more: string): Promise<string> {
  const [made] = await gm.write(`CREATE tiny/race SEAT red ${red.address} SEAT blue ${blue.address} ${more}`);
  await red.confirm();
  await blue.confirm();
  return /TNY-\d{4}/.exec(made!.text)![0];
}

async function holder(side: string): Promise<number | null> {
  const game = (await gameByRef(database.db, ref))!;
  return (await seatsOf(database.db, game.id)).find((seat) => seat.side === side)!.person_id;
}
const idOf = async (who: Correspondent): Promise<number> => (await personByAddress(database.db, who.address))!.id;

/** How somebody comes to have seen the red side while blue is vacant afterwards. */
const SEEN: Record<string, () => Promise<Correspondent>> = {
  'held it and resigned': async () => {
    await red.answer('RESIGN');
    await red.confirm();
    await gm.write(`SEAT ${ref} red ${other.address}`);
    await other.confirm();
    return red;
  },
  'holds it': async () => red,
  'stood in for it': async () => {
    await red.answer(`SUBSTITUTE ${other.address} UNTIL 2026-03-20`);
    await other.confirm();
    await red.answer('STATUS');
    return other;
  },
  'stands in for it': async () => {
    await red.answer(`SUBSTITUTE ${other.address} UNTIL 2026-03-20`);
    await other.confirm();
    return other;
  },
  'looked from the desk': async () => {
    await other.write('SIGNUP Other');
    await other.confirm();
    const game = (await gameByRef(database.db, ref))!;
    const person = (await personByAddress(database.db, other.address))!;
    await deedsOf(one.service).look(game, { person, who: 'somebody', what: 'looked', why: null, side: 'red' });
    return other;
  },
};

/** Every way into the vacant seat blue. */
const WAYS: Record<string, (who: Correspondent) => Promise<unknown>> = {
  TAKEOVER: (who) => who.write(`TAKEOVER blue@${ref}`),
  'TAKEOVER of any seat': (who) => who.write(`TAKEOVER ${ref}`),
  JOIN: (who) => who.write(`JOIN ${ref} blue`),
  'the waiting list': async (who) => {
    await who.write(`JOIN ${ref}`);
    await who.write(`TAKEOVER ${ref}`);
  },
  SEAT: async (who) => {
    await gm.write(`SEAT ${ref} blue ${who.address}`);
    if (/blue/i.test(who.newest().text) && who.newest().subject.startsWith('CONFIRM')) await who.confirm();
  },
  'an invitation answered late': async (who) => {
    // Made as if it had gone out before anything was seen.
    const game = (await gameByRef(database.db, ref))!;
    const { invite } = await import('../../../src/turn/commands/signup.ts');
    const seat = (await seatsOf(database.db, game.id)).find((row) => row.side === 'blue')!;
    const { service } = one;
    const common = { service, now: service.now(), from: '', fromName: null, person: null, seat: null, role: null };
    const errand = { ...common, trusted: true, gameRef: null, text: '', args: {}, press: null, door: 'cli' as const };
    await inTransaction(database.db, (trx) => invite({ ...errand, trx }, game, seat, who.address));
    await one.settle();
    await who.confirm();
  },
  'the page': async (who) => {
    const person = (await personByAddress(database.db, who.address))!;
    await deedsOf(one.service).command({ person, name: 'TAKEOVER', args: { game: ref, side: 'blue' } });
  },
  'a new name for an old address': async (who) => {
    await who.write('FORGET ME');
    await who.confirm();
    await who.write('SIGNUP Somebody New');
    await who.confirm();
    await who.write(`TAKEOVER blue@${ref}`);
  },
  'an address that was dropped': async (who) => {
    const second = correspondent(one, `second${counter}@players.example`);
    await who.write(`SET ADDRESS ${second.address}`);
    await second.confirm();
    await second.write(`SET ADDRESS -${who.address}`);
    await who.write('SIGNUP Somebody New');
    await who.confirm();
    await who.write(`TAKEOVER blue@${ref}`);
  },
};

/** All ways for whoever held the other side, the plainest ones for everybody else; all of all by hand. */
const PAIRS = Object.keys(SEEN).flatMap((how, i) =>
  Object.keys(WAYS)
    .filter((way) => i === 0 || way === 'TAKEOVER' || way === 'SEAT' || process.env.ALL_WAYS !== undefined)
    .map((way) => [how, way] as const),
);

test.each(PAIRS)('whoever %s does not come to the other side by %s', async (how, way) => {
  const who = await SEEN[how]!();
  await blue.answer('RESIGN');
  await blue.confirm();
  expect(await holder('blue')).toBeNull();
  await WAYS[way]!(who);
  expect(await holder('blue')).toBeNull();
});

test('SUBSTITUTE: nobody who has seen the other side stands in', async () => {
  await red.answer('RESIGN');
  await red.confirm();
  const [said] = await blue.answer(`SUBSTITUTE ${red.address} UNTIL 2026-03-20`);
  expect(flat(said!.text)).toContain('nor have seen another side');
});

test('whoever left before the game began has seen nothing, and takes his own seat back', async () => {
  const [made] = await gm.write('CREATE tiny/race');
  ref = /TNY-\d{4}/.exec(made!.text)![0];
  await red.write(`JOIN ${ref} red`);
  await red.write(`LEAVE ${ref}`);
  one.clock.forward(1000);
  await blue.write(`JOIN ${ref} red`);
  await red.write(`JOIN ${ref} blue`);
  expect(await holder('blue')).toBe(await idOf(red));
  await red.answer('RESIGN');
  await red.confirm();
  await red.write(`TAKEOVER blue@${ref}`);
  expect(await holder('blue')).toBe(await idOf(red));
});

test('game master and opponent agree by mail: he plays, and it is shown at the end', async () => {
  await red.answer('RESIGN');
  await red.confirm();
  await gm.write(`SEAT ${ref} red ${other.address}`);
  await other.confirm();
  await blue.answer('RESIGN');
  await blue.confirm();
  await gm.write(`SEAT ${ref} blue ${red.address}`);
  expect(await holder('blue')).toBeNull();
  expect(flat(other.newest().text)).toContain('who has seen another side');
  await other.answer('VOTE YES');
  await red.confirm();
  expect(await holder('blue')).toBe(await idOf(red));
  const game = (await gameByRef(database.db, ref))!;
  const log = await tables(database.db)
    .selectFrom('action_log')
    .select(['what', 'public'])
    .where('game_id', '=', game.id)
    .execute();
  expect(log.some((row) => row.public && row.what.includes('although he has seen another side'))).toBe(true);
});

test('the opponent’s no, or the master’s wish alone, seats nobody', async () => {
  await red.answer('RESIGN');
  await red.confirm();
  await gm.write(`SEAT ${ref} red ${other.address}`);
  await other.confirm();
  await blue.answer('RESIGN');
  await blue.confirm();
  await gm.write(`SEAT ${ref} blue ${red.address}`);
  await other.answer('VOTE NO');
  await red.write(`TAKEOVER blue@${ref}`);
  expect(await holder('blue')).toBeNull();
  await other.answer('RESIGN');
  await other.confirm();
  const [said] = await gm.write(`SEAT ${ref} blue ${red.address}`);
  expect(flat(said!.text)).toContain('nobody holds a seat there now');
});

test('a stand-in does not vote himself into the other seat', async () => {
  await red.answer(`SUBSTITUTE ${other.address} UNTIL 2026-03-20`);
  await other.confirm();
  await blue.answer('RESIGN');
  await blue.confirm();
  await gm.write(`SEAT ${ref} blue ${other.address}`);
  const [said] = await other.answer('VOTE YES');
  expect(flat(said!.text)).toContain('is about yourself');
  await other.write(`TAKEOVER blue@${ref}`);
  expect(await holder('blue')).toBeNull();
});

test('a solitaire game is for whoever plays it', async () => {
  const [made] = await red.write('CREATE tiny/race SOLITAIRE');
  ref = /TNY-\d{4}/.exec(made!.text)![0];
  await red.write(`JOIN ${ref} red`);
  await red.write(`JOIN ${ref} blue`);
  expect(await holder('red')).toBe(await holder('blue'));
});

test('the last door itself lets nobody through', async () => {
  const game = (await gameByRef(database.db, ref))!;
  const person = (await personByAddress(database.db, red.address))!;
  const { service } = one;
  const common = { service, now: service.now(), from: '', fromName: null, person, seat: null, role: null };
  const errand = { ...common, trusted: true, gameRef: null, text: '', args: {}, press: null, door: 'cli' as const };
  const seat = (await seatsOf(database.db, game.id)).find((row) => row.side === 'blue')!;
  await expect(inTransaction(database.db, (trx) => giveSeat({ ...errand, trx }, game, seat, person))).rejects.toThrow(
    /has seen another side/,
  );
});
