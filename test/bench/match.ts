/** One game between two players by rule, through parsing, check and run like a game by mail. */
import { type Answer, adjudicate } from '../../src/kernel/judge.ts';
import { readBlock, standingAfter } from '../../src/kernel/orders.ts';
import { type Chance, chanceOf, type Planner } from '../../src/kernel/planner.ts';
import type {
  DecisionRequest,
  Diagnostic,
  GameState,
  Outcome,
  Rules,
  SideId,
  Standing,
  View,
} from '../../src/kernel/types.ts';
import { publicView, viewFor } from '../../src/kernel/view.ts';
import { diceOf } from '../helpers/play.ts';

/** Whoever plays a side: a planner, or random play. */
export interface Player {
  name: string;
  orders(view: View, chance: Chance): string[];
  answer(view: View, request: DecisionRequest, chance: Chance): string[];
}

export function playerOf(planner: Planner): Player {
  return { ...planner, name: planner.temper };
}

export interface Match {
  rules: Rules;
  options: Record<string, unknown>;
  players: Record<SideId, Player>;
  seed: string;
  /** What happens outside the service before a phase runs, such as a battle on the players' own table. */
  outside?: (state: GameState, chance: Chance) => void;
}

/** A line that the check refused. */
export interface RefusedLine {
  side: SideId;
  text: string;
  complaint: Diagnostic;
}

export interface Played {
  outcome: Outcome | undefined;
  phases: number;
  refused: RefusedLine[];
  state: GameState;
}

const PHASES_MAX = 600;
const ROUNDS_MAX = 500;

/** Plays a game to its end. */
export function playMatch({ rules, options, players, seed, outside }: Match): Played {
  const chance = chanceOf(seed);
  const standing: Record<SideId, Standing[]> = {};
  const refused: RefusedLine[] = [];
  let state = rules.setup(options, diceOf(seed, { n: 0, turn: 0, step: 'setup' }));
  let phases = 0;
  for (let asked = rules.asks(publicView(state)); asked.length > 0; asked = rules.asks(publicView(state))) {
    if (++phases > PHASES_MAX) throw new Error(`${seed}: a game without end`);
    outside?.(state, chance);
    const filed: Record<SideId, { orders: never[]; standing: never[] }> = {};
    for (const { side } of asked) {
      const view = viewFor(state, side);
      const texts = players[side]!.orders(view, chance);
      const block = readBlock([...texts, 'FINAL', 'END']);
      const parsed = rules.parse(block.lines, view);
      const kept = standingAfter(standing[side] ?? [], parsed.standing);
      const complaints = [...block.diagnostics, ...parsed.diagnostics, ...rules.check(view, parsed.orders, kept)];
      const errors = complaints.filter(({ severity }) => severity === 'error');
      for (const complaint of errors)
        refused.push({ side, text: complaint.line === 'mail' ? '' : (texts[complaint.line - 1] ?? ''), complaint });
      const wrong = new Set(errors.map(({ line }) => line));
      standing[side] = kept;
      const good = wrong.has('mail') ? [] : parsed.orders.filter(({ line }) => !wrong.has(line));
      filed[side] = { orders: good as never[], standing: kept as never[] };
    }
    state = run(rules, state, filed, { players, chance, seed });
  }
  return { outcome: rules.outcome(state), phases, refused, state };
}

/** Runs one phase to its end, with every question put to whom it is for. */
function run(
  rules: Rules,
  state: GameState,
  filed: Record<SideId, { orders: never[]; standing: never[] }>,
  by: { players: Record<SideId, Player>; chance: Chance; seed: string },
): GameState {
  const answers: Record<string, Answer> = {};
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const result = adjudicate(rules, { state, filed, answers, nmr: [] }, diceOf(by.seed, state.phase));
    if (result.status === 'done') return result.state;
    for (const request of result.requests) {
      const chosen = by.players[request.to]!.answer(result.views[request.to]!, request, by.chance);
      answers[request.id] = { chosen, by: 'answer' };
    }
  }
  throw new Error(`${by.seed}: phase ${state.phase.n} asks without end`);
}
