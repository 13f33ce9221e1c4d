/**
 * The first phase in which a side of a scenario gives orders, with those before it run as if nobody had filed: where
 * `read-mail --receipt` reads a mail. No database, no game's own dice.
 */
import { assert } from '../../kernel/assert.ts';
import { type LoggedDice, listDice, phaseDice, SETUP_PHASE } from '../../kernel/dice.ts';
import { hashOf } from '../../kernel/hash.ts';
import { adjudicate, type PhaseInput } from '../../kernel/judge.ts';
import type { GameState, GameTypes, PhaseId, SideId } from '../../kernel/types.ts';
import { publicView } from '../../kernel/view.ts';
import type { OpenScenario } from '../../scenarios.ts';
import { chooseOptions } from './newgame.ts';
import { opening } from './replay.ts';

/** Phases looked through before it is said that the side never gives orders. */
const PHASES_MAX = 60;
/** Rounds of questions in one phase; more is a fault of the rules. */
const ROUNDS_MAX = 2000;
/** What stands for the game's reference in the contexts of the dice. */
const GAME = 'read-mail';

export interface FirstPhaseInput {
  open: OpenScenario;
  side: SideId;
  options?: Record<string, unknown>;
  /** The dice in the order they are rolled, from the set-up on; undefined: thrown from `seed`. */
  dice?: readonly number[];
  /** Thirty-two bytes of chance. */
  seed: Uint8Array;
}

/** The state of that phase, and how many of the dice were not needed. Throws one clear line where there is no such phase. */
export function firstPhaseOf(input: FirstPhaseInput): { state: GameState; diceLeft: number } {
  const { rules, scenario } = input.open;
  const source = diceSource(input);
  let state = opening(rules, chooseOptions(scenario, input.options ?? {}), source.next(SETUP_PHASE));
  source.done();
  for (let n = 0; n < PHASES_MAX; n++) {
    const asks = rules.asks(publicView(state));
    if (asks.some(({ side, must }) => must && side === input.side)) return { state, diceLeft: source.left() };
    if (asks.length === 0) break;
    state = run(input, state, () => source.next(state.phase)).state;
    source.done();
  }
  throw new Error(`${input.side} gives no orders in the first ${PHASES_MAX} phases of ${scenario.id}`);
}

/** A list of dice dealt out phase by phase, or thrown ones. A phase run again after a question gets the same dice again. */
function diceSource({ dice, seed }: FirstPhaseInput) {
  let spent = 0;
  let current: LoggedDice | undefined;
  const rolled = (): number =>
    (current?.log ?? []).reduce((sum, roll) => sum + (roll.secret ? 0 : roll.rolls.length), 0);
  const key = (phase: PhaseId, kind: string): Buffer =>
    Buffer.from(hashOf([Buffer.from(seed).toString('hex'), phase.n, kind]), 'hex');
  const done = (): void => {
    spent += rolled();
    current = undefined;
  };
  return {
    next(phase: PhaseId): LoggedDice {
      current = dice
        ? listDice(GAME, phase, dice.slice(spent))
        : phaseDice(key(phase, 'open'), key(phase, 'secret'), GAME, phase);
      return current;
    },
    done,
    left: (): number => (dice ? dice.length - spent : 0),
  };
}

function run({ open }: FirstPhaseInput, state: GameState, dice: () => LoggedDice): { state: GameState } {
  const { rules } = open;
  const nmr = rules.asks(publicView(state)).flatMap(({ side, must }) => (must ? [side] : []));
  const phase: PhaseInput<GameTypes> = { state, filed: {}, nmr, answers: {} };
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const result = adjudicate(rules, phase, dice());
    if (result.status === 'done') return result;
    for (const request of result.requests) phase.answers[request.id] = { chosen: request.fallback, by: 'fallback' };
  }
  assert(false, `phase ${state.phase.n} asks without end`);
}
