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
  QuestionPolicy,
  Rules,
  SideId,
  View,
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
  /** How the game puts questions; without it every question that orders and doctrine leave to the player goes out. */
  questions?: QuestionPolicy;
  /** The rules version to judge by; left out: today's. */
  version?: string;
}

export type Adjudication<G extends GameTypes> =
  | {
      status: 'waiting';
      /** Open questions, all of one step. */
      requests: DecisionRequest<G>[];
      /** What each side that is asked can see at this moment of the phase. */
      views: Record<SideId, View<G>>;
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
 * Runs one phase. Questions are settled in this order: recorded answer, own clause or doctrine, mail
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
  const version = input.version ?? '';
  const run = rules.adjudicate(draft, orders, { dice, emit, nmr: [...input.nmr], standing, version });
  const put: Record<SideId, number> = {};
  let asked = 0;
  let step = run.next();
  while (!step.done) {
    asked += step.value.length;
    assert(asked <= ASKS_MAX, `more than ${ASKS_MAX} questions in one phase`);
    const open: DecisionRequest<G>[] = [];
    const settled: Decision[] = [];
    for (const request of step.value) {
      const decision = settle(rules, draft, input, request, put);
      if (decision === 'ask') open.push(request);
      else settled.push(decision);
    }
    if (open.length > 0) {
      run.return();
      return {
        status: 'waiting',
        requests: structuredClone(open),
        views: viewsOf(draft, open),
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

/** What the asked sides see now; copies, since the draft goes nowhere from here. */
function viewsOf<G extends GameTypes>(draft: GameState<G>, open: readonly DecisionRequest<G>[]) {
  const views: Record<SideId, View<G>> = {};
  for (const { to } of open) views[to] ??= structuredClone(viewFor(draft, to));
  return views;
}

/** `put` counts the questions that each side has had by mail in this phase. */
function settle<G extends GameTypes>(
  rules: Rules<G>,
  draft: GameState<G>,
  input: PhaseInput<G>,
  request: DecisionRequest<G>,
  put: Record<SideId, number>,
): Decision | 'ask' {
  const { id, to } = request;
  const recorded = input.answers[id];
  if (recorded) {
    put[to] = (put[to] ?? 0) + 1;
    return { id, chosen: [...recorded.chosen], by: recorded.by };
  }
  const filed = input.filed[to] ?? { orders: [], standing: [] };
  const wish = input.questions?.kinds?.[request.kind];
  const said = rules.doctrine(viewFor(draft, to), filed, request, wish !== 'doctrine');
  const decided = (what: typeof said): Decision =>
    what && what !== 'ask'
      ? { id, chosen: [...what.chosen], by: what.by }
      : { id, chosen: [...request.fallback], by: 'fallback' };
  const ownOrder = said !== undefined && said !== 'ask' && said.by === 'order';
  const toBeAsked = wish !== 'doctrine' && (said === 'ask' || (wish === 'ask' && !ownOrder));
  if (!toBeAsked) return decided(said);
  if ((put[to] ?? 0) < (input.questions?.most ?? Number.POSITIVE_INFINITY)) {
    put[to] = (put[to] ?? 0) + 1;
    return 'ask';
  }
  return { ...decided(rules.doctrine(viewFor(draft, to), filed, request, false)), capped: true };
}

/** The default of `Rules.ready`: every side that must has final orders. */
export function everyFinal<G extends GameTypes>(
  rules: Pick<Rules<G>, 'asks'>,
  view: PublicView<G>,
  final: readonly SideId[],
): boolean {
  return rules.asks(view).every((ask) => !ask.must || final.includes(ask.side));
}
