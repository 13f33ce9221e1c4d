/** The order language of Heroes of Normandie: examples of the plan for play by mail, printing and reading, faults by line. */
import { beforeAll, describe, expect, test } from 'vitest';
import { listDice } from '../../../../src/kernel/dice.ts';
import type { Rules } from '../../../../src/kernel/types.ts';
import { viewFor } from '../../../../src/kernel/view.ts';
import type { NormandieOrder } from '../../../../src/systems/normandie/language.ts';
import { openRules } from '../../../../src/systems/normandie/system.ts';
import { verbs } from '../../../../src/systems/normandie/text/orders.ts';
import type { Normandie, SideView } from '../../../../src/systems/normandie/types.ts';
import { normandieScenario } from '../../../helpers/normandie.ts';

let rules: Rules<Normandie>;
let us: SideView;
let ge: SideView;

beforeAll(() => {
  rules = openRules(normandieScenario('church'));
  const state = rules.setup({}, listDice('HON-0001', { n: 0, turn: 0, step: 'setup' }, [1, 1, 1, 1, 1, 1]));
  us = viewFor(state, 'us');
  ge = viewFor(state, 'ge');
});

const read = (text: string, view = us) => rules.parse([{ n: 1, text }], view);
const one = (text: string, view = us): NormandieOrder => {
  const parsed = read(text, view);
  expect(parsed.diagnostics).toEqual([]);
  expect(parsed.orders).toHaveLength(1);
  return parsed.orders[0]!;
};

/** e01 to e40 of the plan; squares show the form, legality is another question. */
const ORDERS = [
  'TOKEN 1 US4',
  'TOKEN 2 US3',
  'TOKEN 3 US12',
  'TOKEN BLUFF US7',
  'TOKEN SPECIAL US9',
  'PLAY highcmd AT ORDER-START',
  'ON 1: IF CANFIRE US4 GE6: FIRE US4 AT GE6 SUPPRESS ; CARD aim AS BONUS | IF ENEMY IN BUILDING 1: FIRE US4 AT ANY INF SUPPRESS | ELSE: MOVE US4 -> F12 F11',
  'ON 2: IF SUPPRESSED GE6 AND FREE F9: ASSAULT US3 VIA F10 F9 AT GE6 ; CARD surprise AS BONUS | IF LOST GE6: MOVE US3 -> F10 F9 E9 | ELSE: FIRE US3 AT GE6, GE5, ANY INF',
  'ON 3: IF ODDS US12 GE11 >= 40: FIRE US12 WITH PRIMARY AT GE11 ; FIRE US12 WITH SECONDARY AT ANY INF SUPPRESS | ELSE: MOVE US12 -> FWD FWD PIVOT R FWD ; FOM G9 FIRE US12 WITH SECONDARY AT GE6 SUPPRESS',
  'ON 4: MOVE US8 -> E12 E11 ; STOP IF RANGE US8 GE6 <= 2',
  'ON SPECIAL 1: MOVE US9 -> FWD FWD FACE N',
  'CLAIM SPECIAL WHEN SHOWN GE 2 OR WRECKED US12',
  'CLAIM INITIATIVE WHEN MARKED GE11 AND NOT ACTIVATED GE11 AND ODDS US12 GE11 >= 50',
  'ON US7: IF LOS US7 GE7: FIRE US7 WITH SNIPER AT GE7, ANY INF',
  'CLAIM US7 WHEN SHOWN GE 1',
  'PAUSE AFTER 3',
  'ON 1: FIRE US3 WITH INDIRECT AT @K5',
  'ON 1: FIRE US7 AT GE3, GE4 SPLIT 2,1',
  'ON 1: MOVE US3 -> IN US9',
  'ON 1: FIRE US3 WITH FLAME NE',
  'ON 1: FIRE US3 WITH grenades AT @D9',
  'ON 1: MOVE US7 -> FLIP START FACE N',
  'ON 1: MOVE US12 -> PUSH H9',
  'ON 1: FIRE US12 WITH PRIMARY AT BUILDING 3',
  'SUPPLY MOVE US10 -> D12 D11 ELSE D12',
  'DISCARD mine second',
  'PLAY go ON US3 -> F11 F10 AT ORDER-END',
];
const DOCTRINE = [
  'DOCTRINE OPFIRE US7 YES IF ODDS >= 35 AND RANGE <= 7 TARGET ASSAULTER, OFFICER, ANY',
  'DOCTRINE OPFIRE ALL NO IF TOKEN <= 2',
  'DOCTRINE REROLL veteran OWN IF FAILED AND CHANCE >= 50 MAX 2',
  'DOCTRINE REROLL veteran ENEMY IF HITS US1 OR HITS US12 MAX 1',
  'DOCTRINE CARD fallback WHEN TARGETED US1 IF ODDS >= 60 -> E13 D13',
  'DOCTRINE CARD return WHEN GRENADED ANY',
  'DOCTRINE CARD aim AS BONUS ON FIRE US12 IF CHANCE 30..65',
  'DOCTRINE GEAR knife US8 ALWAYS IN ASSAULT',
  'DOCTRINE RETREAT ALL TOWARD S, W',
  'DOCTRINE DAMAGE US12 PREFER 5, 1, 3-4, 2, 6',
  'DOCTRINE TARGET ALL OFFICER, HEAVY-WEAPON, NEAREST',
  'DOCTRINE SPOTTED ALL GO ON',
  'DOCTRINE AIM ALL BUILDING',
  'DOCTRINE FRIGHTEN US12 NO',
  'DOCTRINE ASK OPFIRE, RETREAT',
];

describe('reading and printing', () => {
  test.each(ORDERS)('reads and prints %s', (text) => {
    const order = one(text);
    expect(one(rules.print(order))).toEqual(order);
  });

  test.each(DOCTRINE)('reads and prints %s', (text) => {
    const { standing, diagnostics } = read(text);
    expect(diagnostics).toEqual([]);
    expect(standing).toHaveLength(1);
    expect(read(rules.print(standing[0]!)).standing).toEqual(standing);
  });

  test('the German side reads the same forms with its own units', () => {
    expect(one('CONCEAL GE5 AS A', ge)).toMatchObject({ verb: 'CONCEAL', unit: 'GE5', letter: 'A' });
    expect(one('deploy ge3 at f4 face s inactive', ge)).toMatchObject({ unit: 'GE3', at: ['F4'], facing: 4 });
  });

  test('every example of the verbs table is understood', () => {
    for (const verb of verbs)
      for (const example of verb.examples) {
        const parsed = read(example);
        expect({ example, faults: parsed.diagnostics }).toEqual({ example, faults: [] });
      }
  });

  test('AND binds tighter than OR, brackets are kept where they are needed', () => {
    const order = one('CLAIM SPECIAL WHEN ( LOST US1 OR LOST US3 ) AND NOT ( FREE F9 AND TURN >= 2 )');
    expect(order).toMatchObject({ when: { is: 'and', of: [{ is: 'or' }, { is: 'not', of: { is: 'and' } }] } });
    expect(one(rules.print(order))).toEqual(order);
    expect(one('CLAIM SPECIAL WHEN LOST US1 OR LOST US3 AND TURN >= 2')).toMatchObject({ when: { is: 'or' } });
  });
});

describe('doctrine is replaced as a whole for one kind and unit', () => {
  test('two lines make one standing order of two rules, printed as one line', () => {
    const { standing } = rules.parse(
      [
        { n: 1, text: 'DOCTRINE OPFIRE US7 YES IF RANGE <= 3' },
        { n: 2, text: 'DOCTRINE OPFIRE US7 NO' },
        { n: 3, text: 'DOCTRINE OPFIRE ALL NO' },
      ],
      us,
    );
    expect(standing.map((line) => [line.key, line.rules.length])).toEqual([
      ['OPFIRE US7', 2],
      ['OPFIRE ALL', 1],
    ]);
    const printed = rules.print(standing[0]!);
    expect(printed).toBe('DOCTRINE OPFIRE US7 YES IF RANGE <= 3 | OPFIRE US7 NO');
    expect(read(printed).standing).toEqual([standing[0]]);
  });

  test('NONE withdraws it', () => {
    expect(read('DOCTRINE OPFIRE US7 NONE').standing).toMatchObject([{ key: 'OPFIRE US7', withdraw: true }]);
    expect(read('DOCTRINE ASK NONE').standing).toMatchObject([{ key: 'ASK', withdraw: true }]);
  });
});

describe('faults name the line and what was expected', () => {
  test.each([
    ['TOKEN 1 US99', 'E03', { text: 'US99' }],
    ['TOKEN 0 US3', 'E02', { text: '0' }],
    ['ON 1: MOVE US3 -> Z9', 'E04', { text: 'Z9' }],
    ['ON 1: FIRE US3 AT GE99', 'E03', { text: 'GE99', whose: 'enemy' }],
    ['ON 1: FIRE US3 AT Q40', 'E04', { text: 'Q40' }],
    ['SUPPLY FIRE US3 AT GE1', 'E28', { word: 'FIRE' }],
    ['SUPPLY ASSAULT US3 AT GE1', 'E28', { word: 'ASSAULT' }],
    ['CLAIM SPECIAL WHEN TOKEN <= 2', 'E11', { text: 'TOKEN' }],
    ['CLAIM SPECIAL WHEN HITS US1', 'E11', { text: 'HITS' }],
    ['ON 1: FIRE US7 AT GE3, GE4 SPLIT 2', 'E21', { targets: 2, parts: 1 }],
    ['ON 1: MOVE US7 -> F12 FLIP START FLIP END', 'E17', { unit: 'US7' }],
    ['DEPLOY US3 AT F99', 'E04', { text: 'F99' }],
    ['TOKEM 1 US3', 'E02', { text: 'TOKEM', near: ['TOKEN'] }],
    ['ON 1: HOLD | HOLD | HOLD | HOLD | HOLD', 'E02', { expected: 'at most 4 clauses' }],
  ])('%s', (text, code, params) => {
    const parsed = read(text);
    expect(parsed.orders).toEqual([]);
    expect(parsed.diagnostics).toHaveLength(1);
    expect(parsed.diagnostics[0]).toMatchObject({ code, line: 1, severity: 'error', params });
  });

  test('one bad line leaves the others', () => {
    const parsed = rules.parse(
      [
        { n: 1, text: 'TOKEN 1 US3' },
        { n: 2, text: 'TOKEN 2 US' },
        { n: 3, text: 'TOKEN 3 US4' },
      ],
      us,
    );
    expect(parsed.orders.map((order) => order.line)).toEqual([1, 3]);
    expect(parsed.diagnostics.map((fault) => fault.line)).toEqual([2]);
  });
});
