/** The order language: every line reads back as it was printed, shortenings, marks, help. */
import fs from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { GameSystem } from '../../../../src/kernel/types.ts';
import { viewFor } from '../../../../src/kernel/view.ts';
import { openScenarios, SCENARIOS } from '../../../../src/scenarios.ts';
import { overlord } from '../../../../src/systems/overlord/system.ts';
import { ENTRIES, VERBS } from '../../../../src/systems/overlord/text/orders.ts';
import type { OverlordOrder, OverlordStanding, UnitPath } from '../../../../src/systems/overlord/types.ts';
import { helpSystem } from '../../../../src/turn/commands/help.ts';
import { normandy, position, wording } from '../../../helpers/overlord.ts';

const { rules, campaign } = normandy;
const state = position(normandy, { options: { naval: true } });
const parse = (text: string, side = 'allied') => rules.parse([{ n: 1, text }], viewFor(state, side));
const one = (text: string, side = 'allied'): OverlordOrder | OverlordStanding | undefined => {
  const parsed = parse(text, side);
  expect(parsed.diagnostics).toEqual([]);
  return parsed.orders[0] ?? parsed.standing[0];
};

const hexes = campaign.board.grid.ids;
const hex = fc.constantFrom(...hexes);
const way = fc.array(hex, { minLength: 1, maxLength: 8 });
const name = fc.oneof(fc.constantFrom(...campaign.unitIndex.keys()), fc.constantFrom(...campaign.formations.keys()));
const names = fc.array(name, { minLength: 1, maxLength: 5 });
const when = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constant('CLEAR' as const), what: hex }),
    fc.record({ kind: fc.constant('STANDS' as const), what: name }),
  ),
  { maxLength: 2 },
);
const edge = fc.constantFrom('SOUTH' as const, 'EAST' as const, null);
const unitPath: fc.Arbitrary<UnitPath> = fc.record({ unit: name, path: way, edge });
const none = fc.constant([] as string[]);
const line = fc.constant(1);
const number = (most: number): fc.Arbitrary<number> => fc.integer({ min: 0, max: most });

const order: fc.Arbitrary<OverlordOrder | OverlordStanding> = fc.oneof(
  fc.record({ verb: fc.constant('MOVE' as const), line, subject: names, path: way, when }),
  fc.record({
    verb: fc.constant('ENTER' as const),
    line,
    subject: names,
    road: fc.option(number(9)),
    at: fc.option(hex),
    path: fc.oneof(way, none),
    when,
  }),
  fc.record({
    verb: fc.constantFrom('LAND' as const, 'REPLACE' as const),
    line,
    subject: names,
    at: hex,
    path: fc.oneof(way, none),
    when,
  }),
  fc.record({ verb: fc.constant('EXIT' as const), line, subject: names, path: way, edge, when }),
  fc.record({
    verb: fc.constant('ATTACK' as const),
    line,
    target: hex,
    only: fc.oneof(names, none),
    with: names,
    tac: number(16),
    naval: number(8),
    losses: fc.oneof(names, none),
    advance: fc.array(fc.record({ unit: name, path: way, edge: fc.constant(null) }), { maxLength: 2 }),
    breakout: fc.array(unitPath, { maxLength: 2 }),
    when,
  }),
  fc.record({
    verb: fc.constant('INTERDICT' as const),
    line,
    hexes: fc.array(fc.record({ hex, factors: number(4).map((factors) => factors + 1) }), {
      minLength: 1,
      maxLength: 4,
    }),
  }),
  fc.record({ verb: fc.constant('HOLD' as const), line, subject: names }),
);

describe('printing and reading', () => {
  test('parse(print(order)) gives the order again, for every verb', () => {
    fc.assert(
      fc.property(order, (given) => {
        expect(parse(rules.print(given)).orders[0]).toEqual(given);
      }),
      { numRuns: 400 },
    );
  });

  test.each([
    'DOCTRINE RETREAT ROAD EAST 2313',
    'DOCTRINE LOSSES WEAK KEEP US1/1 US9',
    'DOCTRINE ADVANCE ONE',
    'DOCTRINE NAVAL 2009 2510 MAX 4',
    'DOCTRINE LOSSES NONE',
    'ASK BREAKOUT',
    'ASK RETREAT OFF',
  ])('%s reads back as written', (text) => {
    const first = one(text);
    expect(rules.print(first!)).toBe(text);
    expect(one(rules.print(first!))).toEqual(first);
  });

  test('every example of the help is read without a complaint', () => {
    for (const verb of VERBS)
      for (const text of verb.examples)
        for (const side of ['german', 'allied'])
          if (!/WITHDRAW|FIRST|NAVAL/.test(text) || side === (text.includes('NAVAL') ? 'allied' : 'german'))
            expect(parse(text, side).diagnostics, text).toEqual([]);
  });

  test('the table holds every verb of the language, with its clauses', () => {
    expect(ENTRIES.map((entry) => entry.verb.verb)).toEqual([
      'MOVE',
      'ENTER',
      'LAND',
      'REPLACE',
      'EXIT',
      'ATTACK',
      'INTERDICT',
      'HOLD',
      'DOCTRINE',
      'ASK',
    ]);
    expect(VERBS.filter((verb) => verb.standing).map((verb) => verb.verb)).toEqual(['DOCTRINE', 'ASK']);
  });
});

describe('freedom of writing', () => {
  test('case, commas, arrows between hexes, comments', () => {
    const expected = { verb: 'MOVE', line: 1, subject: ['DE12SS'], path: ['3916', '3815'], when: [] };
    for (const text of [
      'move de12ss -> 3916 3815',
      'MOVE DE12SS -> 3916, 3815 # as agreed',
      'Move DE12SS->3916->3815',
      'MOVE DE12SS; -> 3916 3815;',
    ])
      expect(one(text, 'german')).toEqual(expected);
  });

  test.each(['; as agreed', '; DE265', '; SUPORT TAC 4', '; ADVANC DE21/3', '; EAST'])(
    '%s behind an order is an error of its line',
    (rest) => {
      const parsed = parse(`ATTACK 2810 WITH DE21 ${rest}`);
      expect(parsed.orders).toEqual([]);
      expect(parsed.diagnostics).toMatchObject([{ code: 'AFTER SEMICOLON', line: 1 }]);
    },
  );

  test('a semicolon before a clause is no comment', () => {
    expect(one('ATTACK 2810 WITH DE21; ADVANCE DE21/3 -> 2810', 'german')).toMatchObject({
      with: ['DE21'],
      advance: [{ unit: 'DE21/3', path: ['2810'], edge: null }],
    });
  });

  test('a shortening that leaves one name is read; a leading zero may be missing', () => {
    expect(one('HOLD DE12SS/1 BRGDS/2 BR7/1')).toMatchObject({ subject: ['DE12SS/1', 'BRGDSA/2', 'BR7A/1'] });
    expect(one('HOLD US5')).toMatchObject({ subject: ['US5'] });
    expect(one('MOVE US4 -> 703')).toMatchObject({ path: ['0703'] });
  });

  test('ADVANCE without a path means the target; several units share one path', () => {
    expect(one('ATTACK 2810 WITH US1 ADVANCE US1/1 US1/2')).toMatchObject({
      advance: [
        { unit: 'US1/1', path: ['2810'], edge: null },
        { unit: 'US1/2', path: ['2810'], edge: null },
      ],
    });
  });
});

describe('help', () => {
  const page = helpSystem(wording, openScenarios([SCENARIOS]), overlord as unknown as GameSystem).join('\n');

  test('shows every verb with its clauses and examples', () => {
    for (const verb of VERBS) {
      expect(page).toContain(verb.pattern);
      for (const clause of verb.clauses) expect(page).toContain(wording.say(clause.help));
      for (const example of verb.examples) expect(page).toContain(example);
    }
  });

  test('lists all thirty-eight rulings, worded as in the scenario folder', () => {
    const file = fs
      .readFileSync(path.join(SCENARIOS, 'overlord', 'rulings.tsv'), 'utf8')
      .trim()
      .split('\n')
      .slice(1);
    expect(file).toHaveLength(38);
    for (const line of file) {
      const [id, question, ruling] = line.split('\t');
      expect(page).toContain(`${id} ${question}: ${ruling}`);
    }
  });
});
