/** How the balance of a scenario is told: by HELP and on its page; what was replaced is no longer offered. */
import { expect, test } from 'vitest';
import { openPages } from '../../../src/render/letters/webpages.ts';
import { openWording } from '../../../src/render/words.ts';
import { type Balance, openScenarios, SCENARIOS, type ScenarioStore } from '../../../src/scenarios.ts';
import { balanceParagraph, offeredScenarios, shownBalance } from '../../../src/turn/commands/balance.ts';
import { tinyScenarios } from '../../helpers/service.ts';

const wording = openWording();
const measured: Balance = {
  status: 'measured, house',
  command: 'npm run balance -- tiny/race --games 4 --seed 1',
  content: '',
  games: 4,
  options: {},
  rows: [
    { players: { red: 'bold', blue: 'careful' }, games: 2, wins: { red: 2, blue: 0 } },
    { players: { red: 'careful', blue: 'bold' }, games: 2, wins: { red: 1, blue: 0 } },
  ],
  shares: {
    red: { wins: 3, percent: 75, low: 30.1, high: 95.4 },
    blue: { wins: 0, percent: 0, low: 0, high: 49 },
  },
};

function storeWith(balance: Partial<Balance>): ScenarioStore {
  const store = tinyScenarios();
  const { hash } = store.open('tiny/race');
  const entry = { ...measured, content: hash, ...balance };
  const { replacedBy } = entry;
  return {
    ...store,
    balance: () => entry,
    list: () => store.list().map((one) => ({ ...one, ...(replacedBy ? { replacedBy } : {}) })),
  };
}

test('a measured scenario is told side by side, with its interval and who played', () => {
  const store = storeWith({});
  const { sides } = store.open('tiny/race').scenario;
  const shown = shownBalance(store, wording, 'tiny/race')!;
  expect(shown.old).toBe(false);
  expect(shown.sides).toEqual(sides.map(({ name }) => name));
  expect(shown.rows[0]).toEqual({ players: ['bold', 'careful'], wins: [2, 0], games: 2 });
  expect(balanceParagraph(store, wording, 'tiny')[0]!.split('\n')[1]).toBe(
    `tiny/race: ${sides[0]!.name} 75 % (30.1 to 95.4), ${sides[1]!.name} 0 % (0 to 49); 4 games`,
  );
});

test('the page of a scenario shows shares and games as tables, and says which one new games are made with', () => {
  const balance = shownBalance(storeWith({}), wording, 'tiny/race');
  const data = {
    scenario: { id: 'tiny/race', title: 'The race', system: 'Tiny', systemId: 'tiny' },
    sides: balance!.sides,
    options: [],
    title: 'The race',
    section: 'help',
    lang: 'en',
    club: 'A club',
    zone: 'UTC',
    person: null,
    isMaster: false,
    csrf: '',
    flash: '',
    feed: false,
  };
  const page = openPages().page('scenario', { ...data, balance, replacedBy: 'tiny/race-2' });
  expect(page).toContain('<td>75 %</td><td>30.1 %</td><td>95.4 %</td>');
  expect(page).toContain('<td>bold</td><td>careful</td><td>2</td><td>0</td><td>2</td>');
  expect(page).toContain('npm run balance -- tiny/race --games 4 --seed 1');
  expect(page).toContain('<a href="/scenarios/tiny/race-2">');
  const bare = openPages().page('scenario', { ...data, balance: null, replacedBy: '' });
  expect(bare).toContain('Nobody has measured it yet.');
  expect(bare).not.toContain('New games are made with');
});

test('content that was changed since it was measured is said to be so', () => {
  const store = storeWith({ content: 'another' });
  expect(shownBalance(store, wording, 'tiny/race')!.old).toBe(true);
  expect(balanceParagraph(store, wording, 'tiny')[0]).toContain('4 games of an earlier version');
});

test('nothing measured, nothing told; a scenario that was replaced is offered to nobody, and opens all the same', () => {
  expect(balanceParagraph(tinyScenarios(), wording, 'tiny')).toEqual([]);
  const store = storeWith({ replacedBy: 'tiny/race-2' });
  expect(offeredScenarios(store)).toEqual([]);
  expect(balanceParagraph(store, wording, 'tiny')).toEqual([]);
  expect(store.open('tiny/race').scenario.id).toBe('tiny/race');
});

const ours = openScenarios([SCENARIOS]);
const played = ours.list().flatMap((one) => {
  const balance = ours.balance(one.id);
  return balance ? [{ ...one, balance }] : [];
});

test.each(played)('$id: what was measured is its present content, and the figures agree', ({ id, balance }) => {
  expect(balance.status).toBe('measured, house');
  expect(balance.content).toBe(ours.open(id).hash);
  expect(balance.games).toBeGreaterThanOrEqual(100);
  expect(balance.rows.reduce((sum, row) => sum + row.games, 0)).toBe(balance.games);
  expect(balance.rows).toHaveLength(4);
  for (const [side, { wins, percent, low, high }] of Object.entries(balance.shares)) {
    expect(balance.rows.reduce((sum, row) => sum + row.wins[side]!, 0)).toBe(wins);
    expect(percent).toBeCloseTo((100 * wins) / balance.games, 0);
    expect(low <= percent && percent <= high).toBe(true);
  }
});

test('HELP tells of every scenario that is offered and was measured, and of none that was replaced', () => {
  for (const { id, system, replacedBy } of played) {
    const told = balanceParagraph(ours, wording, system.id)[0]!.includes(`${id}: `);
    expect(told, id).toBe(replacedBy === undefined);
  }
});

/** Does a side win more than two of three with the bold players, with the careful ones, and with both changed about? */
function alwaysWon(side: string, rows: readonly Balance['rows'][number][]): boolean {
  const groups = new Map<string, { wins: number; games: number }>();
  for (const { players, wins, games } of rows) {
    const key = [...new Set(Object.values(players))].sort().join();
    const sum = groups.get(key) ?? { wins: 0, games: 0 };
    groups.set(key, { wins: sum.wins + wins[side]!, games: sum.games + games });
  }
  return [...groups.values()].every(({ wins, games }) => wins * 3 > games * 2);
}

test('no scenario that is offered is won by one side in more than two of three, whoever plays it; what was replaced was', () => {
  for (const { id, replacedBy, balance } of played) {
    const { rows, shares } = balance;
    const always = Object.keys(shares).filter((side) => alwaysWon(side, rows));
    expect(always.length, id).toBe(replacedBy === undefined ? 0 : 1);
  }
});

test('a replacement is there and has the same sides', () => {
  for (const { id, replacedBy } of ours.list()) {
    if (replacedBy === undefined) continue;
    const sides = (which: string): string[] => ours.open(which).scenario.sides.map((side) => side.id);
    expect(sides(replacedBy)).toEqual(sides(id));
  }
});
