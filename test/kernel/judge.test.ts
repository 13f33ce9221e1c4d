import { describe, expect, test } from 'vitest';
import { hashOf } from '../../src/kernel/hash.ts';
import { type Answer, ASKS_MAX, adjudicate, everyFinal, type PhaseInput } from '../../src/kernel/judge.ts';
import { asWritten } from '../../src/kernel/questions.ts';
import type { DecisionRequest, Filed, GameState, Rules } from '../../src/kernel/types.ts';
import { publicView, viewFor } from '../../src/kernel/view.ts';
import { scriptedDice } from '../helpers/dice.ts';
import { type Tiny, tiny, tinyScenario } from '../helpers/tiny.ts';

const rules = tiny.open(tinyScenario());

/** Red on 2, blue on 1: if red stands still and blue runs one, blue catches red. */
function chase(): GameState<Tiny> {
  const state = rules.setup({}, scriptedDice([]));
  state.table.places = { red: 2, blue: 1 };
  return state;
}

function filed(state: GameState<Tiny>, side: string, ...texts: string[]): Filed<Tiny> {
  const { orders, standing } = rules.parse(
    texts.map((text, i) => ({ n: i + 1, text })),
    viewFor(state, side),
  );
  return { orders, standing };
}

function input(state: GameState<Tiny>, blue: string[], answers: Record<string, Answer> = {}): PhaseInput<Tiny> {
  return { state, filed: { blue: filed(state, 'blue', ...blue) }, answers, nmr: ['red'] };
}

describe('adjudicate', () => {
  test('leaves its input alone and gives the same to the last bit again', () => {
    const state = chase();
    const given = input(state, ['RUN STEADY', 'DOCTRINE CAPTURE YES']);
    const before = JSON.stringify(given);
    const one = adjudicate(rules, given, scriptedDice([]));
    const two = adjudicate(rules, given, scriptedDice([]));
    expect(JSON.stringify(given)).toBe(before);
    expect(one).toEqual(two);
    expect(one).toMatchObject({ status: 'done', state: { phase: { n: 2, turn: 2 } } });
    if (one.status === 'done') expect(one.hash).toBe(hashOf(one.state));
  });

  test('keeps the dice that were rolled', () => {
    const state = chase();
    const dice = scriptedDice([{ purpose: 'blue runs fast', rolls: [1] }]);
    const result = adjudicate(rules, input(state, ['RUN FAST']), dice);
    expect(result.dice).toEqual([{ context: 'blue runs fast', sides: 6, rolls: [1] }]);
  });

  test('an event changed afterwards by the rules stays as it was told', () => {
    const telling: Rules<Tiny> = {
      ...rules,
      // biome-ignore lint/correctness/useYield: this phase asks nothing
      *adjudicate(draft, _orders, ruling) {
        const event = { type: 'ran' as const, audience: 'all' as const, side: 'red', place: 1 };
        ruling.emit(event);
        event.place = 99;
        draft.phase = { ...draft.phase, n: draft.phase.n + 1 };
      },
    };
    expect(adjudicate(telling, input(chase(), []), scriptedDice([])).events).toEqual([
      { type: 'ran', audience: 'all', side: 'red', place: 1 },
    ]);
  });

  test('a phase that leads nowhere is a fault', () => {
    const stuck: Rules<Tiny> = {
      ...rules,
      *adjudicate() {},
    };
    expect(() => adjudicate(stuck, input(chase(), []), scriptedDice([]))).toThrow(
      'phase 1 did not lead to the next one',
    );
  });

  test('a phase that asks without end is a fault', () => {
    const asking: Rules<Tiny> = {
      ...rules,
      *adjudicate() {
        for (let n = 0; ; n++) yield [request(`again ${n}`)];
      },
    };
    expect(() => adjudicate(asking, input(chase(), []), scriptedDice([]))).toThrow(
      `more than ${ASKS_MAX} questions in one phase`,
    );
  });
});

function request(id: string, to = 'blue'): DecisionRequest<Tiny> {
  return {
    id,
    to,
    kind: 'capture',
    about: { place: 2 },
    options: asWritten(['CAPTURE', 'PASS']),
    min: 1,
    max: 1,
    fallback: ['PASS'],
  };
}

describe('questions', () => {
  const id = 'capture at 2';

  test('nothing written: the fallback', () => {
    expect(adjudicate(rules, input(chase(), ['RUN STEADY']), scriptedDice([]))).toMatchObject({
      decisions: [{ id, chosen: ['PASS'], by: 'fallback' }],
    });
  });

  test('doctrine decides before the fallback', () => {
    const result = adjudicate(rules, input(chase(), ['RUN STEADY', 'DOCTRINE CAPTURE YES']), scriptedDice([]));
    expect(result).toMatchObject({
      decisions: [{ id, chosen: ['CAPTURE'], by: 'doctrine' }],
      state: { table: { places: { red: 0, blue: 2 } } },
    });
  });

  test('ASK stops the phase; what was told so far is a prefix of the whole', () => {
    const state = chase();
    const orders = ['RUN STEADY', 'DOCTRINE CAPTURE ASK'];
    const waiting = adjudicate(rules, input(state, orders), scriptedDice([]));
    expect(waiting).toMatchObject({ status: 'waiting', requests: [{ id, to: 'blue' }] });
    const done = adjudicate(
      rules,
      input(state, orders, { [id]: { chosen: ['CAPTURE'], by: 'answer' } }),
      scriptedDice([]),
    );
    expect(done).toMatchObject({ status: 'done', decisions: [{ id, chosen: ['CAPTURE'], by: 'answer' }] });
    if (waiting.status !== 'waiting') throw new Error('not waiting');
    expect(waiting.prefixHash).toBe(hashOf(done.events.slice(0, waiting.events.length)));
  });

  test('time ran out: the recorded fallback', () => {
    const orders = ['RUN STEADY', 'DOCTRINE CAPTURE ASK'];
    const result = adjudicate(
      rules,
      input(chase(), orders, { [id]: { chosen: ['PASS'], by: 'fallback' } }),
      scriptedDice([]),
    );
    expect(result).toMatchObject({ decisions: [{ id, chosen: ['PASS'], by: 'fallback' }] });
  });

  test('questions of one step are asked together, and decisions come in their order', () => {
    const heard: string[][] = [];
    const two: Rules<Tiny> = {
      ...rules,
      *adjudicate(draft) {
        heard.push(
          (yield [request('one'), request('two', 'red'), request('three')]).map(({ id, by }) => `${id} ${by}`),
        );
        draft.phase = { ...draft.phase, n: draft.phase.n + 1 };
      },
    };
    const state = chase();
    const given = input(state, ['DOCTRINE CAPTURE ASK']);
    const waiting = adjudicate(two, given, scriptedDice([]));
    expect(waiting).toMatchObject({ status: 'waiting', requests: [{ id: 'one' }, { id: 'three' }] });
    given.answers = { three: { chosen: ['PASS'], by: 'answer' }, one: { chosen: ['PASS'], by: 'answer' } };
    expect(adjudicate(two, given, scriptedDice([])).status).toBe('done');
    expect(heard).toEqual([['one answer', 'two fallback', 'three answer']]);
  });
});

test('everyFinal: all who must have final orders; those who may do not count', () => {
  const asks = () => [
    { side: 'red', must: true },
    { side: 'blue', must: false },
  ];
  const state = publicView(chase());
  expect(everyFinal({ asks }, state, [])).toBe(false);
  expect(everyFinal({ asks }, state, ['blue'])).toBe(false);
  expect(everyFinal({ asks }, state, ['red'])).toBe(true);
});
