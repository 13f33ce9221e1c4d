/** Plays phases of any game system with nothing but the contract: for the suites that run over all systems. */
import { createHash } from 'node:crypto';
import { type LoggedDice, phaseDice } from '../../src/kernel/dice.ts';
import { type Adjudication, type Answer, adjudicate, type PhaseInput } from '../../src/kernel/judge.ts';
import { readBlock, standingAfter } from '../../src/kernel/orders.ts';
import type {
  DecisionRequest,
  Diagnostic,
  Event,
  Filed,
  GameState,
  GameTypes,
  Report,
  Rules,
  SideId,
  Viewer,
} from '../../src/kernel/types.ts';
import { publicView, viewFor } from '../../src/kernel/view.ts';
import { openWording, saidForm, TEMPLATES } from '../../src/render/words.ts';
import { TINY_TEMPLATES } from './tiny.ts';

const wording = openWording('en', [TEMPLATES, TINY_TEMPLATES]);
/** The form of a report as lines to be sent. */
export const formOf = (report: Pick<Report, 'orderForm'>): string[] => saidForm(report.orderForm, wording);

const ROUNDS_MAX = 200;

/** Keys made from a word: the same word, the same dice. */
export function diceOf(seed: string, phase: GameState['phase']): LoggedDice {
  const key = (kind: string): Buffer => createHash('sha256').update(`${seed}/${phase.n}/${kind}`).digest();
  return phaseDice(key('open'), key('secret'), 'TST-0001', phase);
}

export interface PlayedPhase {
  before: GameState;
  input: PhaseInput<GameTypes>;
  /** Every question the rules asked, whoever answered it. */
  requests: DecisionRequest[];
  result: Extract<Adjudication<GameTypes>, { status: 'done' }>;
}

/** Every viewer of a game: its sides and the public. */
export function viewersOf(state: GameState): Viewer[] {
  return [...Object.keys(state.hands), 'public'];
}

/** The events a viewer hears. */
export function heardBy(viewer: Viewer, events: readonly Event[]): Event[] {
  return events.filter((event) => event.audience === 'all' || event.audience.includes(viewer));
}

/** Files the lines of a block for a side, as a mail would; `diagnostics` holds all complaints of frame, parse and check. */
export function file(
  rules: Rules,
  state: GameState,
  side: SideId,
  texts: readonly string[],
): Filed & { diagnostics: Diagnostic[]; final: boolean } {
  const view = viewFor(state, side);
  const block = readBlock(texts);
  const parsed = rules.parse(block.lines, view);
  const checked = rules.check(view, parsed.orders, standingAfter([], parsed.standing));
  const diagnostics = [...block.diagnostics, ...parsed.diagnostics, ...checked];
  const wrong = new Set(diagnostics.filter(({ severity }) => severity === 'error').map(({ line }) => line));
  return {
    orders: parsed.orders.filter((order) => !wrong.has(order.line)),
    standing: parsed.standing.filter((order) => !wrong.has(order.line)),
    diagnostics,
    final: block.final,
  };
}

/** Runs one phase to its end; a question that would go out by mail gets the answer `answer` gives, else the fallback. */
export function playPhase(
  rules: Rules,
  state: GameState,
  filed: Record<SideId, Filed>,
  seed: string,
  answer: (request: DecisionRequest) => string[] = (request) => request.fallback,
): PlayedPhase {
  const requests = new Map<string, DecisionRequest>();
  const watched = Object.create(rules, {
    adjudicate: {
      value: function* (...args: Parameters<Rules['adjudicate']>): ReturnType<Rules['adjudicate']> {
        const run = rules.adjudicate(...args);
        let step = run.next();
        while (!step.done) {
          for (const request of step.value) requests.set(request.id, structuredClone(request));
          step = run.next(yield step.value);
        }
      },
    },
  }) as Rules;
  const answers: Record<string, Answer> = {};
  const nmr = rules
    .asks(publicView(state))
    .filter(({ side, must }) => must && !filed[side])
    .map(({ side }) => side);
  const input: PhaseInput<GameTypes> = { state, filed, answers, nmr };
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const result = adjudicate(watched, input, diceOf(seed, state.phase));
    if (result.status === 'done') return { before: state, input, requests: [...requests.values()], result };
    for (const request of result.requests) answers[request.id] = { chosen: answer(request), by: 'answer' };
  }
  throw new Error(`phase ${state.phase.n} asks without end`);
}

/** What a viewer gets to see of a phase, as one value to compare. */
export function outputsFor(rules: Rules, state: GameState, viewer: Viewer, events: readonly Event[], filed: Filed) {
  const view = viewFor(state, viewer);
  const heard = heardBy(viewer, events);
  const report = rules.report(view, heard, filed);
  const lines = formOf(report).map((text, i) => ({ n: i + 1, text }));
  return {
    scene: rules.scenes(view, heard)[0]!,
    report,
    house: rules.house(view),
    parsed: viewer === 'public' ? undefined : rules.parse(lines, view),
    checked: viewer === 'public' ? undefined : rules.check(view, filed.orders, filed.standing),
    preview: viewer === 'public' ? undefined : rules.preview(view, filed.orders, filed.standing),
  };
}
