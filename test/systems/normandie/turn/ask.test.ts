/** Questions put by mail (ASK): the phase waits, runs again with the answer, and a question never gives a hand away. */

import { describe, expect, test } from 'vitest';
import { type Answer, adjudicate } from '../../../../src/kernel/judge.ts';
import { valuesOf } from '../../../../src/kernel/questions.ts';
import type { Filed, GameTypes, Rules } from '../../../../src/kernel/types.ts';
import { openRules } from '../../../../src/systems/normandie/system.ts';
import type { Normandie } from '../../../../src/systems/normandie/types.ts';
import { normandieScenario } from '../../../helpers/normandie.ts';
import { battle, face } from '../../../helpers/normandie-battle.ts';
import { diceOf, file } from '../../../helpers/play.ts';

const chief = { chief: { role: 'officer' as const, character: true, faces: { full: face('6 4 2/1/X flip order:1') } } };

function ambush(germanCards: string[], doctrine: string[]) {
  const b = battle({
    counters: chief,
    units: {
      US1: { type: 'chief', at: 'B2' },
      GE1: { type: 'chief', at: 'O15' },
      GE2: { type: 'mg', at: 'C9', face: 'active', facing: 0 },
    },
    cards: { ge: germanCards },
  });
  const rules = openRules({ ...normandieScenario('church'), data: b.book.data }) as unknown as Rules;
  const filed: Record<string, Filed> = {
    us: file(rules, b.state as never, 'us', ['TOKEN 1 US1', 'ON 1: MOVE US1 -> C3 D3', 'END']),
    ge: file(rules, b.state as never, 'ge', ['TOKEN 1 GE1', 'ON 1: HOLD', ...doctrine, 'END']),
  };
  const run = (answers: Record<string, Answer>) =>
    adjudicate(
      rules,
      { state: b.state as never, filed: filed as Record<string, Filed<GameTypes>>, answers, nmr: [] },
      diceOf('ask', b.state.phase),
    );
  return { run };
}

describe('ASK OPFIRE', () => {
  const { run } = ambush([], ['DOCTRINE ASK OPFIRE']);
  const waiting = run({});

  test('the phase waits at the first window, with every legal shot as an option', () => {
    if (waiting.status !== 'waiting') throw new Error('nobody was asked');
    expect(waiting.requests).toMatchObject([{ to: 'ge', kind: 'opfire', about: { unit: 'GE2' } }]);
    expect(valuesOf(waiting.requests[0]!)).toEqual(['NO', 'FIRE GE2 AT US1', 'FIRE GE2 AT US1 SUPPRESS']);
  });

  test('an answer runs it again from the start to the same words, and on', () => {
    if (waiting.status !== 'waiting') throw new Error('nobody was asked');
    const [first] = waiting.requests;
    const second = run({ [first!.id]: { chosen: ['NO'], by: 'answer' } });
    if (second.status !== 'waiting') throw new Error('the second window did not open');
    expect(second.events.slice(0, waiting.events.length)).toEqual(waiting.events);
    const done = run({
      [first!.id]: { chosen: ['NO'], by: 'answer' },
      [second.requests[0]!.id]: { chosen: ['FIRE GE2 AT US1'], by: 'answer' },
    });
    if (done.status !== 'done') throw new Error('still waiting');
    const events = done.events as Normandie['event'][];
    expect(events.filter((event) => event.type === 'fired')).toMatchObject([{ unit: 'GE2', opportunity: true }]);
    expect(done.decisions.map((decision) => [decision.chosen[0], decision.by])).toEqual([
      ['NO', 'answer'],
      ['FIRE GE2 AT US1', 'answer'],
    ]);
  });
});

test('without ASK nobody is asked: doctrine or the default decides', () => {
  expect(ambush([], []).run({}).status).toBe('done');
  expect(ambush([], ['DOCTRINE OPFIRE GE2 YES']).run({}).status).toBe('done');
});

test('ASK CARD puts the question whether the card is held or not (3.7): the pause does not tell', () => {
  const asked = (cards: string[]) => {
    const run = ambush(cards, ['DOCTRINE ASK CARD']).run({});
    return run.status === 'waiting' ? run.requests.map((request) => [request.id, request.to, request.kind]) : [];
  };
  const held = asked(['mine', 'go']);
  expect(held.length).toBeGreaterThan(0);
  expect(asked(['medic', 'go'])).toEqual(held);
});
