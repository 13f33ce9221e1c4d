/**
 * Property (e): of wrong and half-understood lines none is `ok` with another meaning than a person would read, in any game;
 * and what is echoed, read again, is the same order. 2,000 runs: `FIELDPOST_MAIL_RUNS=2000`.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { GameState, Rules } from '../../../src/kernel/types.ts';
import { publicView, viewFor } from '../../../src/kernel/view.ts';
import { openScenarios, SCENARIOS } from '../../../src/scenarios.ts';
import { readOrders } from '../../../src/turn/filing/reading.ts';
import { diceOf, formOf, playPhase } from '../../helpers/play.ts';

const RUNS = Number(process.env.FIELDPOST_MAIL_RUNS ?? 100);
const SEED = Number(process.env.FIELDPOST_SEED ?? 1944);
/** Phases of each scenario in which lines are tried. */
const PHASES = 8;
const FORM_LINES = 6;

interface GoodLine {
  system: string;
  /** Without the check: what the parser takes must mean what is written, whether it is legal now or not. */
  rules: Rules;
  state: GameState;
  side: string;
  text: string;
  /** Names of people, which are printed as the letters they stand for. */
  people: readonly string[];
}

/** Forms and examples of the help, each in the first phase in which a side may write it. */
function goodLines(): GoodLine[] {
  const scenarios = openScenarios([SCENARIOS]);
  const found = new Map<string, GoodLine>();
  for (const { id } of scenarios.list()) {
    const { rules, scenario, system } = scenarios.open(id);
    const parsing: Rules = { ...rules, check: () => [] };
    const people = [...JSON.stringify(scenario.data).matchAll(/\b(?:Cpl|Sgt|Lt|Cpt|Maj) (\p{L}+)/gu)].map(
      (match) => match[1]!,
    );
    let state = rules.setup({}, diceOf(id, { n: 0, turn: 0, step: 'setup' }));
    for (let n = 0; n < PHASES && rules.asks(publicView(state)).length > 0; n++) {
      for (const { id: side } of scenario.sides) {
        const form = rules.asks(publicView(state)).some((ask) => ask.side === side)
          ? formOf(rules.report(viewFor(state, side), [], { orders: [], standing: [] }))
          : [];
        const own = form.slice(1, -2).filter((line) => !line.startsWith('#'));
        const lines = own.slice(0, FORM_LINES).map((line) => line.split('#')[0]!.trim());
        for (const text of [...lines, ...rules.verbs.flatMap(({ examples }) => examples)]) {
          const read = readOrders(parsing, state, side, [text]);
          if (read.echo.length === 0 || read.echo.some(({ status }) => status === 'error')) continue;
          const key = `${system.id} ${side} ${text}`;
          if (!found.has(key)) found.set(key, { system: system.id, rules: parsing, state, side, text, people });
        }
      }
      state = playPhase(rules, state, {}, id).result.state;
    }
  }
  return [...found.values()];
}

const good = goodLines();

const JUNK = [
  ...['NOT', 'to', 'and', 'then', 'IF', 'AT', 'WITH', 'VIA', 'OR', 'ELSE', 'UNLESS', 'ONLY', 'NONE', 'ALL', 'please'],
  ...['->', ',', ';', '!', '?', '/', '+', '-', '=', '(', '"x"'],
  ...['1107', 'DE21', '2', 'x', 'US1', 'F12', 'B4', 'Krauss', 'C', 'Q/2'],
];
type Slip = (text: string, others: readonly GoodLine[]) => string;
const words = (text: string): string[] => text.split(' ');
const at = fc.nat(60);
const slip: fc.Arbitrary<Slip> = fc.oneof(
  at.map(
    (n): Slip =>
      (text) =>
        words(text)
          .toSpliced(n % words(text).length, 1)
          .join(' '),
  ),
  at.map(
    (n): Slip =>
      (text) =>
        words(text)
          .toSpliced(n % words(text).length, 0, words(text)[n % words(text).length]!)
          .join(' '),
  ),
  at.map(
    (n): Slip =>
      (text) => {
        const [first, second] = words(text).slice(n % words(text).length);
        return second === undefined ? text : text.replace(`${first} ${second}`, `${second} ${first}`);
      },
  ),
  fc.tuple(at, fc.constantFrom(...JUNK)).map(
    ([n, junk]): Slip =>
      (text) =>
        words(text)
          .toSpliced((n % words(text).length) + 1, 0, junk)
          .join(' '),
  ),
  fc.tuple(at, fc.constantFrom(...'aeBD13;,-/.')).map(
    ([n, letter]): Slip =>
      (text) =>
        text.slice(0, n % (text.length + 1)) + letter + text.slice(n % (text.length + 1)),
  ),
  at.map(
    (n): Slip =>
      (text) =>
        text.slice(0, Math.max(1, text.length - n)),
  ),
  at.map(
    (n): Slip =>
      (text) => {
        const blank = text.indexOf(' ', n % text.length);
        return blank < 0 ? text : text.slice(0, blank) + text.slice(blank + 1);
      },
  ),
  fc.tuple(fc.nat(1000), fc.constantFrom('; ', ' ', ', ', ' and ', ' / ')).map(
    ([n, by]): Slip =>
      (text, others) =>
        `${text}${by}${others[n % others.length]!.text}`,
  ),
);

/** The words of a line that a person would read something in. */
function said(text: string): string[] {
  return text
    .replace(/#.*$|\bNOTE\s*$/i, '')
    .toUpperCase()
    .split(/->|>=|<=|[\s,;:|()"'[\]]+/)
    .map((word) => word.replace(/[.!]$/, ''))
    .filter((word) => word !== '');
}

/** Whether a written word is that printed one: whole, shortened, or without what a reader fills in. */
function isFor(written: string, printed: string): boolean {
  if (printed.startsWith(written)) return true;
  if (/\d|\//.test(printed) && printed.endsWith(written)) return true;
  return /^\d{3}$/.test(written) && printed === `0${written}`;
}

const bare = (orders: readonly object[]): string =>
  JSON.stringify(orders, (key, value) => (key === 'line' ? undefined : value));

describe('a line that is half understood is no order', () => {
  test('every game and both sides have lines to spoil', () => {
    expect(new Set(good.map(({ system, side }) => `${system} ${side}`)).size).toBe(6);
    expect(good.length).toBeGreaterThan(200);
  });

  test('what is ok says every word that was written and none that was not; read again it is the same', () => {
    fc.assert(
      fc.property(fc.nat(good.length - 1), fc.array(slip, { minLength: 1, maxLength: 3 }), (which, slips) => {
        const { rules, state, side, text, people, system } = good[which]!;
        const others = good.filter((one) => one.system === system && one.side === side);
        const written = slips.reduce((line, spoil) => spoil(line, others), text);
        const read = readOrders(rules, state, side, [written]);
        const orders = [...read.orders, ...read.standing];
        if (orders.length === 0) return;
        const printed = read.echo.map((line) => line.text).join(' ; ');
        const told = `${written}\n${printed}`;
        const [from, to] = [said(written), said(printed)];
        const isPerson = (word: string): boolean => people.some((name) => name.toUpperCase().startsWith(word));
        expect(
          from.filter((word) => !to.some((other) => isFor(word, other)) && !isPerson(word)),
          told,
        ).toEqual([]);
        expect(
          to.filter((word) => /\d/.test(word) && !from.some((other) => isFor(other, word))),
          told,
        ).toEqual([]);
        const again = readOrders(rules, state, side, [printed]);
        expect(bare([...again.orders, ...again.standing]), told).toBe(bare(orders));
      }),
      { numRuns: RUNS, seed: SEED },
    );
  });

  const american = good.find(({ system, side }) => system === 'combatcommander' && side === 'american')!;
  test.each([
    'SETUP DEPLOY Q/1 INTO Q/1A Q/1B SECTIONS NONE',
    'SETUP DEPLOY Q/1 INTO Q/1A NOT Q/1B',
    'SETUP DEPLOY Q/1 INTO Q/2A Q/2B',
    'SETUP DEPLOY Q/1 INTO Q/1A Q/1B, DEPLOY Q/2 INTO Q/2A Q/2B',
    'REPORT BATTLE 1 WINNER AMERICAN NOTE "the orchard fell" VP 3',
  ])('Combat Commander: %s', (text) => {
    const { rules, state, side } = american;
    expect(readOrders(rules, state, side, [text]).echo).toMatchObject([{ status: 'error' }]);
  });

  test.each([
    ['REPORT BATTLE 1 WINNER AMERICAN NOTE "won; CONFIRM BATTLE 2 is wrong"', 1],
    ['REPORT BATTLE 1 WINNER AMERICAN NOTE won ; CONFIRM BATTLE 2', 1],
    ['CONFIRM BATTLE 2 ; REPORT BATTLE 1 WINNER AMERICAN', 2],
    ['DOCTRINE ARMOR YES ; REPORT BATTLE 1 WINNER AMERICAN NOTE won', 2],
  ])("a player's own words hold no further order: %s", (text, orders) => {
    const { rules, state, side } = american;
    const read = readOrders(rules, state, side, [text]);
    expect([read.orders.length + read.standing.length, read.echo.map(({ status }) => status)]).toEqual([
      orders,
      ['ok'],
    ]);
    const echo = read.echo.map((line) => line.text);
    expect(readOrders(rules, state, side, echo).echo.map((line) => line.text)).toEqual(echo);
  });
});
