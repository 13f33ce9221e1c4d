/** Modes of play (3.2 of the protocol): sealed, one-mail, placed, live and pauses are the same engine. */
import { describe, expect, test } from 'vitest';
import { hashOf } from '../../../../src/kernel/hash.ts';
import { publicView, viewFor } from '../../../../src/kernel/view.ts';
import type { ClaimOrder, NormandieOrder } from '../../../../src/systems/normandie/language.ts';
import { openRules } from '../../../../src/systems/normandie/system.ts';
import type { Mode, NormandieStep } from '../../../../src/systems/normandie/types.ts';
import { normandieScenario } from '../../../helpers/normandie.ts';
import { type Battle, battle, face, move, shoot } from '../../../helpers/normandie-battle.ts';

const chief = { chief: { role: 'officer' as const, character: true, faces: { full: face('6 4 2/1/X flip order:2') } } };
const meeting = (mode: Mode): Battle =>
  battle({
    counters: chief,
    units: {
      US1: { type: 'chief', at: 'B2' },
      US2: { type: 'rifle', at: 'E5' },
      GE1: { type: 'chief', at: 'O15' },
      GE2: { type: 'rifle', at: 'I5' },
    },
    change: (_data, state) => {
      state.table.mode = mode;
    },
  });

const TOKENS = {
  us: [
    { verb: 'TOKEN', line: 1, token: 1, unit: 'US2' },
    { verb: 'TOKEN', line: 2, token: 2, unit: 'US1' },
  ] as NormandieOrder[],
  ge: [
    { verb: 'TOKEN', line: 1, token: 1, unit: 'GE2' },
    { verb: 'TOKEN', line: 2, token: 2, unit: 'GE1' },
  ] as NormandieOrder[],
};
const on = (line: number, n: number, action: Parameters<Battle['act']>[0]): NormandieOrder => ({
  verb: 'ON',
  line,
  on: { n },
  clauses: [{ parts: [{ action, riders: [] }] }],
});
const SCRIPTS = {
  us: [on(3, 1, shoot('US2', 'GE2')), on(4, 2, move('US1', 'C3'))],
  ge: [on(3, 1, shoot('GE2', 'US2')), on(4, 2, move('GE1', 'N14'))],
};
const SUPPLY: NormandieOrder = { verb: 'SUPPLY', line: 9, move: move('US1', 'B3') };
const DICE = [1, 2];

/** What both sides may have heard, pauses and the mode left out. */
const story = (b: Battle): string =>
  hashOf(b.events.filter((event) => event.type !== 'paused' && event.type !== 'defaulted'));
const both = (extra: { us?: NormandieOrder[]; ge?: NormandieOrder[] } = {}) => ({
  us: [...TOKENS.us, ...SCRIPTS.us, ...(extra.us ?? [])],
  ge: [...TOKENS.ge, ...SCRIPTS.ge, ...(extra.ge ?? [])],
});

describe('the same turn in every mode', () => {
  const sealed = meeting('sealed');
  sealed.phase('orders', both(), DICE);

  test('sealed: two mails, orders and supply', () => {
    expect(sealed.state.phase.step).toBe('supply');
    expect(sealed.told('shot').map((shot) => [shot.unit, shot.sum.total])).toEqual([
      ['US2', 3],
      ['GE2', 4],
    ]);
  });

  test('one-mail: the supply plan is in it', () => {
    const b = meeting('one-mail');
    b.phase('orders', both({ us: [SUPPLY] }), DICE);
    expect(b.state.phase).toMatchObject({ step: 'orders', turn: 3 });
    expect(b.told('order-lost')).toMatchObject([{ why: 'HAS ACTED' }]);
    expect(b.events.slice(0, sealed.events.length)).toEqual(sealed.events);
  });

  test('placed: tokens first, then scripts over known backs', () => {
    const b = meeting('placed');
    b.phase('tokens', TOKENS);
    expect(b.state.phase.step).toBe('orders');
    expect(b.state.table.units.map((unit) => unit.token)).toEqual(['back', 'back', 'back', 'back']);
    b.phase('orders', SCRIPTS, DICE);
    expect(story(b)).toBe(story(sealed));
  });

  test('live: a pause after every activation, scripts as late as one likes', () => {
    const b = meeting('live');
    b.phase('tokens', TOKENS);
    b.phase('orders', { us: [SCRIPTS.us[0]!] }, DICE.slice(0, 1));
    const order: NormandieStep[] = [b.state.phase.step as NormandieStep];
    b.phase('pause', { ge: [SCRIPTS.ge[0]!] }, DICE.slice(1));
    order.push(b.state.phase.step as NormandieStep);
    b.phase('pause', { us: [SCRIPTS.us[1]!] });
    order.push(b.state.phase.step as NormandieStep);
    b.phase('pause', { ge: [SCRIPTS.ge[1]!] });
    order.push(b.state.phase.step as NormandieStep);
    expect(order).toEqual(['pause', 'pause', 'pause', 'supply']);
    expect(story(b)).toBe(story(sealed));
  });

  test('sealed with PAUSE AFTER 1: stops after both numbers 1, takes changed scripts, tokens stay', () => {
    const b = meeting('sealed');
    b.phase('orders', both({ us: [{ verb: 'PAUSE', line: 8, after: 1 }] }), DICE);
    expect(b.state.phase.step).toBe('pause');
    expect(b.told('revealed').map((event) => event.token)).toEqual([1, 1]);
    b.phase('pause', { us: [on(1, 2, move('US1', 'A1'))], ge: [{ ...TOKENS.ge[0]!, unit: 'GE1' } as NormandieOrder] });
    expect(b.state.phase.step).toBe('supply');
    expect([b.unit('US1').at, b.unit('GE1').at]).toEqual(['A1', 'N14']);
  });
});

describe('who owes orders', () => {
  const rules = openRules(normandieScenario('church'));
  const owing = (b: Battle): string[] =>
    rules
      .asks(publicView(b.state))
      .filter((ask) => ask.must)
      .map((ask) => ask.side);

  test('both, but at a pause of a live game only the side that reveals next', () => {
    const b = meeting('live');
    expect(owing(b)).toEqual(['us', 'ge']);
    b.phase('tokens', TOKENS);
    b.phase('orders', { us: [SCRIPTS.us[0]!] }, DICE.slice(0, 1));
    expect(owing(b)).toEqual(['ge']);
    expect(rules.ready(publicView(b.state), ['ge'])).toBe(true);
    expect(rules.ready(publicView(b.state), ['us'])).toBe(false);
    const sealed = meeting('sealed');
    sealed.phase('orders', both({ us: [{ verb: 'PAUSE', line: 8, after: 1 }] }), DICE);
    expect(owing(sealed)).toEqual(['us', 'ge']);
  });

  test('nobody once the game is over; a side may give up, both may agree', () => {
    const b = meeting('sealed');
    rules.conclude(b.state, 'concede', 'us');
    expect(rules.asks(publicView(b.state))).toEqual([]);
    expect(rules.outcome(b.state)).toMatchObject({ winner: 'ge', reason: 'concede' });
    const c = meeting('sealed');
    rules.conclude(c.state, 'draw');
    expect(rules.outcome(c.state)!.winner).toBe('draw');
  });
});

test("what is filed for a pause stays in the owner's hand", () => {
  const b = meeting('sealed');
  const claim: ClaimOrder = {
    verb: 'CLAIM',
    line: 7,
    what: 'initiative',
    when: { is: 'turn', compare: '>=', value: 9 },
  };
  b.phase('orders', both({ us: [{ verb: 'PAUSE', line: 8, after: 1 }, claim] }), DICE);
  expect(b.state.hands.us!.plan.scripts).toHaveLength(2);
  expect(JSON.stringify(viewFor(b.state, 'ge'))).not.toContain('"C3"');
  expect(JSON.stringify(viewFor(b.state, 'public'))).not.toContain('"scripts"');
});

test('a script of nothing but HOLD leaves the board as it was', () => {
  const b = meeting('sealed');
  const before = b.state.table.units.map((unit) => [unit.code, unit.at, unit.face, unit.suppressed]);
  const hold = (line: number, n: number): NormandieOrder => on(line, n, { do: 'hold' });
  b.phase('orders', { us: [...TOKENS.us, hold(3, 1), hold(4, 2)], ge: [...TOKENS.ge, hold(3, 1), hold(4, 2)] });
  expect(b.state.table.units.map((unit) => [unit.code, unit.at, unit.face, unit.suppressed])).toEqual(before);
});
