/**
 * The judge: clone at the door, let the rules mutate the draft plainly, hash on the way out. Nobody sees the draft until
 * the phase is finished, and the same inputs give the same result to the last bit.
 */
import { assert } from './assert.ts';
import type { LoggedDice } from './dice.ts';
import { hashOf } from './hash.ts';
import type {
  Decision,
  DecisionRequest,
  DieRoll,
  Filed,
  GameState,
  GameTypes,
  PublicView,
  Rules,
  SideId,
} from './types.ts';
import { viewFor } from './view.ts';

/** Times one phase may ask; a rule that asks more often is broken. */
export const ASKS_MAX = 2000;

/** An answer that came by mail, or the note that the time to answer ran out. */
export interface Answer {
  chosen: string[];
  by: 'answer' | 'fallback';
}

export interface PhaseInput<G extends GameTypes> {
  state: GameState<G>;
  filed: Record<SideId, Filed<G>>;
  /** By request id. */
  answers: Record<string, Answer>;
  nmr: SideId[];
}

export type Adjudication<G extends GameTypes> =
  | {
      status: 'waiting';
      /** Open questions, all of one step. */
      requests: DecisionRequest[];
      events: G['event'][];
      /** Hash of the events told so far: a re-run must begin with the same. */
      prefixHash: string;
      dice: DieRoll[];
    }
  | {
      status: 'done';
      state: GameState<G>;
      hash: string;
      events: G['event'][];
      decisions: Decision[];
      dice: DieRoll[];
    };

/**
 * Runs one phase. Questions are settled in the order of DESIGN section 6: recorded answer, own clause or doctrine, mail
 * (`waiting`), fallback.
 */
export function adjudicate<G extends GameTypes>(
  rules: Rules<G>,
  input: PhaseInput<G>,
  dice: LoggedDice,
): Adjudication<G> {
  const draft = structuredClone(input.state);
  const sides = Object.keys(input.state.hands);
  const orders: Record<SideId, G['order'][]> = {};
  const standing: Record<SideId, G['standing'][]> = {};
  for (const side of sides) {
    orders[side] = structuredClone(input.filed[side]?.orders ?? []);
    standing[side] = structuredClone(input.filed[side]?.standing ?? []);
  }
  const events: G['event'][] = [];
  const decisions: Decision[] = [];
  const emit = (event: G['event']): void => {
    events.push(structuredClone(event));
  };
  const run = rules.adjudicate(draft, orders, { dice, emit, nmr: [...input.nmr], standing });
  let asked = 0;
  let step = run.next();
  while (!step.done) {
    asked += step.value.length;
    assert(asked <= ASKS_MAX, `more than ${ASKS_MAX} questions in one phase`);
    const open: DecisionRequest[] = [];
    const settled: Decision[] = [];
    for (const request of step.value) {
      const decision = settle(rules, draft, input, request);
      if (decision === 'ask') open.push(request);
      else settled.push(decision);
    }
    if (open.length > 0) {
      run.return();
      return {
        status: 'waiting',
        requests: structuredClone(open),
        events,
        prefixHash: hashOf(events),
        dice: dice.log,
      };
    }
    decisions.push(...settled);
    step = run.next(settled);
  }
  assert(draft.phase.n === input.state.phase.n + 1, `phase ${input.state.phase.n} did not lead to the next one`);
  return { status: 'done', state: draft, hash: hashOf(draft), events, decisions, dice: dice.log };
}

function settle<G extends GameTypes>(
  rules: Rules<G>,
  draft: GameState<G>,
  input: PhaseInput<G>,
  request: DecisionRequest,
): Decision | 'ask' {
  const recorded = input.answers[request.id];
  if (recorded) return { id: request.id, chosen: [...recorded.chosen], by: recorded.by };
  const filed = input.filed[request.to] ?? { orders: [], standing: [] };
  const said = rules.doctrine(viewFor(draft, request.to), filed, request);
  if (said === 'ask') return 'ask';
  if (said) return { id: request.id, chosen: [...said.chosen], by: said.by };
  return { id: request.id, chosen: [...request.fallback], by: 'fallback' };
}

/** The default of `Rules.ready`: every side that must has final orders. */
export function everyFinal<G extends GameTypes>(
  rules: Pick<Rules<G>, 'asks'>,
  view: PublicView<G>,
  final: readonly SideId[],
): boolean {
  return rules.asks(view).every((ask) => !ask.must || final.includes(ask.side));
}
