/** Points recruitment: sealed lists checked on slots, stripes, cost and limits; the sample for those who file none. */
import { beforeAll, describe, expect, test } from 'vitest';
import { listDice } from '../../../../src/kernel/dice.ts';
import type { Rules } from '../../../../src/kernel/types.ts';
import { viewFor } from '../../../../src/kernel/view.ts';
import { armyCost, armyFaults } from '../../../../src/systems/normandie/content/lint.ts';
import { openRules } from '../../../../src/systems/normandie/system.ts';
import { checkRecruitment, sampleArmy } from '../../../../src/systems/normandie/turn/recruitment.ts';
import type { Normandie, State } from '../../../../src/systems/normandie/types.ts';
import { normandieBook, normandieScenario } from '../../../helpers/normandie.ts';

const book = normandieBook('hill88');
let rules: Rules<Normandie>;
let state: State;

beforeAll(() => {
  rules = openRules(normandieScenario('hill88'));
  state = rules.setup({}, listDice('HON-0001', { n: 0, turn: 0, step: 'setup' }, []));
});

const faultsOf = (...texts: string[]) => {
  const view = viewFor(state, 'us');
  const lines = texts.map((text, i) => ({ n: i + 1, text }));
  const parsed = rules.parse(lines, view);
  expect(parsed.diagnostics).toEqual([]);
  return checkRecruitment(book, view, parsed.orders).map((fault) => [fault.code, fault.line, fault.params.what]);
};

describe('a list is checked line by line', () => {
  test('2.1-j: an option goes only into a slot that exists and takes its kind', () => {
    const rest = ['RECRUIT us-t-18a', 'RECRUIT us-t-cmd'];
    expect(faultsOf('RECRUIT us-t-16a L=grenades', ...rest)).toEqual([]);
    expect(faultsOf('RECRUIT us-t-16a Z=grenades', ...rest)).toEqual([['E29', 1, 'SLOT']]);
    expect(faultsOf('RECRUIT us-t-16a R=us-s-m4', ...rest)).toEqual([['E29', 1, 'KIND']]);
  });

  test('2.1-h: the cost stays within the points of the scenario', () => {
    const dear = [
      'RECRUIT us-t-16a L=us-s-m4 R=grenades C=knife',
      'RECRUIT us-t-18a L=us-s-mortar',
      'RECRUIT us-t-cmd',
    ];
    expect(faultsOf(...dear, 'RECRUIT us-t-armor L=us-s-m4')).toContainEqual(['E29', 'mail', 'POINTS']);
  });

  test('limits of the scenario: two infantry tiles at least, one of a kind', () => {
    expect(faultsOf('RECRUIT us-t-16a')).toEqual([['E29', 'mail', 'INFANTRY TILES']]);
    expect(faultsOf('RECRUIT us-t-16a', 'RECRUIT us-t-16a')).toContainEqual(['E29', 'mail', 'SAME TILE']);
  });
});

describe('who files nothing', () => {
  test.each(['us', 'ge'] as const)('takes the sample list of %s, which is legal', (side) => {
    const army = sampleArmy(book.data, side, book.data.scenario.points[side]);
    expect(armyFaults(book.data, side, army, book.data.scenario.points[side])).toEqual([]);
  });

  test.each(['free-orchard', 'free-village', 'free-bocage'])(
    'gets a legal army in %s at 150, 250 and 400 points',
    (id) => {
      const { data } = normandieBook(id);
      for (const side of ['us', 'ge'] as const)
        for (const budget of [150, 250, 400]) {
          const army = sampleArmy(data, side, budget);
          expect(armyFaults(data, side, army, budget)).toEqual([]);
          expect(armyCost(data, army)).toBeGreaterThan(budget * 0.6);
        }
    },
  );
});
