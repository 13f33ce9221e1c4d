import { expect, test } from 'vitest';
import { adjudicate } from '../../src/kernel/judge.ts';
import { publicView, viewFor } from '../../src/kernel/view.ts';
import { openWording, TEMPLATES } from '../../src/render/words.ts';
import { scriptedDice } from './dice.ts';
import { TINY_TEMPLATES, tiny, tinyScenario } from './tiny.ts';

const rules = tiny.open(tinyScenario());
const nobody = { orders: [], standing: [] };

function filed(side: 'red' | 'blue', state: ReturnType<typeof rules.setup>, ...texts: string[]) {
  const lines = texts.map((text, i) => ({ n: i + 1, text }));
  const { orders, standing, diagnostics } = rules.parse(lines, viewFor(state, side));
  expect(diagnostics).toEqual([]);
  return { orders, standing };
}

test('a race runs, asks when one runner catches the other, and ends', () => {
  const wording = openWording('en', [TEMPLATES, TINY_TEMPLATES]);
  let state = rules.setup({}, scriptedDice([]));
  const play = (red: string[], blue: string[], rolls: number[][], answers = {}) => {
    const dice = scriptedDice(rolls.map((roll) => ({ purpose: 'runs fast', rolls: roll })));
    const input = { red: red.length ? filed('red', state, ...red) : nobody, blue: filed('blue', state, ...blue) };
    const result = adjudicate(rules, { state, filed: input, answers, nmr: [] }, dice);
    dice.done();
    if (result.status === 'done') state = result.state;
    return result;
  };
  play(['RUN FAST'], ['RUN STEADY'], [[6]]);
  expect(state.table.places).toEqual({ red: 2, blue: 1 });
  const asked = play([], ['RUN STEADY', 'DOCTRINE CAPTURE ASK'], []);
  expect(asked.status).toBe('waiting');
  if (asked.status !== 'waiting') return;
  const answers = { [asked.requests[0]!.id]: { chosen: ['CAPTURE'], by: 'answer' as const } };
  const done = play([], ['RUN STEADY', 'DOCTRINE CAPTURE ASK'], [], answers);
  expect(state.table.places).toEqual({ red: 0, blue: 2 });
  const report = rules.report(viewFor(state, 'red'), done.events as never, nobody);
  expect(report.sections[0]!.lines.map((line) => wording.say(line))).toContain(
    'blue catches the other runner, who now stands on square 0.',
  );
  for (let i = 0; i < 4; i++) play(['RUN STEADY'], ['RUN STEADY'], []);
  expect(rules.outcome(state)?.winner).toBe('blue');
  expect(rules.asks(publicView(state))).toEqual([]);
});
