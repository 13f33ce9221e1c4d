/** A race of the example game as the service would have it on record, with real keys; for the tests of replay and export. */
import { chainKey, commitmentTo, type DiceWords, phaseDice, rootOf, SETUP_PHASE } from '../../src/kernel/dice.ts';
import { hashOf } from '../../src/kernel/hash.ts';
import { type Answer, adjudicate } from '../../src/kernel/judge.ts';
import type { Filed, GameState, GameSystem } from '../../src/kernel/types.ts';
import { viewFor } from '../../src/kernel/view.ts';
import { openContent } from '../../src/scenarios.ts';
import type { RecordedChain, RecordedGame, RecordedPhase } from '../../src/turn/phase/replay.ts';
import { TINY_LOOKS, tiny } from './tiny.ts';

export const race = openContent(
  tiny as unknown as GameSystem,
  'tiny/race',
  { 'scenario-race.json': { squares: 12 } },
  TINY_LOOKS,
);
const REF = 'TNY-0001';
const SECRET = Buffer.alloc(32, 1);
const WORDS: DiceWords[] = [
  { side: 'red', text: 'a wet road' },
  { side: 'blue', text: 'a dry one' },
];
const ROOTS = { open: rootOf(SECRET, WORDS, 'open'), secret: rootOf(SECRET, WORDS, 'secret') };
const FRESH_ROOTS = { open: Buffer.alloc(32, 3), secret: Buffer.alloc(32, 4) };

/** Walked once: a key costs thousands of hashes. */
const keys = new Map<string, Buffer>();
function key(kind: 'open' | 'secret', n: number, roots = ROOTS): Buffer {
  const name = `${kind} ${n} ${roots[kind].toString('hex')}`;
  const found = keys.get(name) ?? chainKey(roots[kind], n);
  keys.set(name, found);
  return found;
}

/** The key of a phase's shuffles, as the rules may have it shown. */
export const secretKeyOf = (n: number): string => key('secret', n).toString('hex');

/** One phase: the order lines of each side, and what is answered should it ask. */
export interface Move {
  red?: string[];
  blue?: string[];
  answer?: string;
}

/** Enough moves to use silence, a question answered by mail, dice, doctrine and a jump. */
const MOVES: Move[] = [
  { red: ['RUN STEADY'] },
  { blue: ['RUN STEADY', 'DOCTRINE CAPTURE ASK'], answer: 'CAPTURE' },
  { red: ['RUN FAST'], blue: ['RUN FAST', 'DOCTRINE CAPTURE ASK'] },
  { red: ['RUN JUMP', 'DOCTRINE CAPTURE YES'], blue: ['RUN STEADY'] },
  { red: ['RUN FAST'], blue: ['RUN FAST'] },
];

function filed(state: GameState, side: string, texts: string[]): Filed {
  const lines = texts.map((text, i) => ({ n: i + 1, text }));
  const { orders, standing } = race.rules.parse(lines, viewFor(state, side));
  return { orders, standing };
}

/**
 * Plays the moves; `over` tells whether the secret chain may be known. `burnt`: the club was restored from a backup while
 * the first phase was open, and plays with new chains.
 */
export function recordedRace(over: boolean, moves: readonly Move[] = MOVES, burnt = false): RecordedGame {
  const chain = (kind: 'open' | 'secret', roots = ROOTS): RecordedChain => ({
    kind,
    firstN: 1,
    head: key(kind, 0, roots).toString('hex'),
    root: over ? roots[kind].toString('hex') : null,
  });
  const inUse = burnt ? FRESH_ROOTS : ROOTS;
  const phases: RecordedPhase[] = [];
  const setupDice = phaseDice(key('open', 1), key('secret', 1), REF, SETUP_PHASE);
  let state = race.rules.setup({}, setupDice);
  const add = (from: RecordedPhase | undefined): RecordedPhase => {
    const phase: RecordedPhase = {
      id: phases.length + 1,
      line: 1,
      status: 'open',
      openedBy: from ? 'phase' : 'setup',
      from: from?.id ?? null,
      snapshot: state,
      hash: hashOf(state),
      previousHash: from?.hash ?? null,
      rulesVersion: tiny.rulesVersion,
      inputs: null,
      answers: {},
      events: null,
      decisions: null,
      dice: null,
      openKey: null,
    };
    phases.push(phase);
    return phase;
  };
  let phase = add(undefined);
  for (const move of moves) {
    const { n } = state.phase;
    const sides = (['red', 'blue'] as const).filter((side) => move[side]);
    const nmr = ['red', 'blue'].filter((side) => !sides.includes(side as 'red'));
    const inputs = { filed: Object.fromEntries(sides.map((side) => [side, filed(state, side, move[side]!)])), nmr };
    const answers: Record<string, Answer> = {};
    const run = () =>
      adjudicate(
        race.rules,
        { state, ...inputs, answers },
        phaseDice(key('open', n, inUse), key('secret', n, inUse), REF, state.phase),
      );
    let result = run();
    if (result.status === 'waiting') {
      for (const { id } of result.requests) answers[id] = { chosen: [move.answer ?? 'PASS'], by: 'answer' };
      result = run();
    }
    if (result.status !== 'done') throw new Error('the race asks twice');
    const { events, decisions, dice } = result;
    Object.assign(phase, {
      status: 'done',
      inputs,
      answers,
      events,
      decisions,
      dice,
      openKey: key('open', n, inUse).toString('hex'),
    });
    state = result.state;
    phase = add(phase);
  }
  const game = {
    ref: REF,
    scenario: 'tiny/race',
    scenarioHash: race.hash,
    rulesVersion: tiny.rulesVersion,
    options: {},
    setupDice: setupDice.log,
    seed: { commitment: commitmentTo(SECRET), secret: over ? SECRET.toString('hex') : null, words: WORDS },
    diceName: REF,
    chains: [
      chain('open'),
      chain('secret'),
      ...(burnt ? [chain('open', FRESH_ROOTS), chain('secret', FRESH_ROOTS)] : []),
    ],
    phases,
    rulings: [],
  };
  return JSON.parse(JSON.stringify(game)) as RecordedGame;
}
