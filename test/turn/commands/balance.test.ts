/** How the balance of a scenario is told: by HELP and on its page; what was replaced is no longer offered. */
import { expect, test } from 'vitest';
import { openWording } from '../../../src/render/words.ts';
import type { Balance, ScenarioStore } from '../../../src/scenarios.ts';
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
