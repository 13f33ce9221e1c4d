/**
 * Replay: a game adjudicated again from set-up, every state, event, decision and die compared with what is on record, and
 * the chain of dice keys walked back to the heads that were mailed at the start. Works on a plain record, from the store or
 * from an exported game; reads nothing else.
 */
import {
  CHAIN_LENGTH,
  chainKey,
  commitmentTo,
  type DiceWords,
  earlierKey,
  fullContext,
  type LoggedDice,
  phaseDice,
  rollsOf,
  rootOf,
  SETUP_PHASE,
} from '../../kernel/dice.ts';
import { canonical, hashOf } from '../../kernel/hash.ts';
import { type Adjudication, type Answer, adjudicate } from '../../kernel/judge.ts';
import type {
  Decision,
  Dice,
  DieRoll,
  Event,
  Filed,
  GameState,
  GameTypes,
  PhaseId,
  QuestionPolicy,
  Rules,
  SideId,
} from '../../kernel/types.ts';
import type { OpenScenario } from '../../scenarios.ts';
import type { RulingEdit } from '../../store/club-schema.ts';
import { revertEdit } from './edits.ts';

/** A phase as it is on record. */
export interface RecordedPhase {
  id: number;
  line: number;
  status: 'open' | 'waiting' | 'done' | 'dropped';
  openedBy: string;
  /** The phase it came from. */
  from: number | null;
  snapshot: GameState;
  hash: string;
  previousHash: string | null;
  rulesVersion: string;
  inputs: { filed: Record<SideId, Filed>; nmr: SideId[]; questions?: QuestionPolicy } | null;
  /** Answers that came by mail or ran out of time, by request id. */
  answers: Record<string, Answer>;
  events: Event[] | null;
  decisions: Decision[] | null;
  dice: DieRoll[] | null;
  /** In hex; null while it must not be known. */
  openKey: string | null;
  /** The key of its shuffles and of all earlier ones, where the rules had it shown; left out in older records. */
  secretKey?: string | null;
}

export interface RecordedChain {
  kind: 'open' | 'secret';
  /** The phase that uses its first key. */
  firstN: number;
  /** As mailed, in hex. */
  head: string;
  /** In hex; null while it must not be known. */
  root: string | null;
}

export interface RecordedGame {
  ref: string;
  /** What the roots of its first chains are made of; the secret is null while it must not be known. */
  seed: { commitment: string; secret: string | null; words: DiceWords[] } | null;
  /** What its dice are named by: the number it began with. */
  diceName: string;
  scenario: string;
  scenarioHash: string;
  rulesVersion: string;
  options: Record<string, unknown>;
  /** The dice of the set-up, where they are on record. */
  setupDice: DieRoll[] | null;
  chains: RecordedChain[];
  phases: RecordedPhase[];
  /** Edits of rulings that stand, by the phase they changed, in their order. */
  rulings: { phase: number; edits: RulingEdit[] }[];
}

interface ReplayFault {
  /** The phase's number, or null for the game as a whole. */
  n: number | null;
  /** Which line of play (a rewind begins a new one). */
  line: number | null;
  what: string;
}

export interface Verification {
  ref: string;
  faults: ReplayFault[];
  /** What could not be checked, and why. */
  notes: string[];
  phases: number;
  dice: number;
  /** Shuffles checked against the secret chain. */
  shuffles: number;
  keys: number;
}

/** Checks a whole game. Faults are values: a game with a fault is still read to its end. */
export function verifyGame(
  game: RecordedGame,
  open: OpenScenario,
  progress?: (done: number, of: number) => void,
): Verification {
  const result: Verification = { ref: game.ref, faults: [], notes: [], phases: 0, dice: 0, shuffles: 0, keys: 0 };
  const fault = (phase: RecordedPhase | null, what: string): void => {
    result.faults.push({ n: phase?.snapshot.phase.n ?? null, line: phase?.line ?? null, what });
  };
  if (open.hash !== game.scenarioHash) fault(null, 'the scenario differs from the one the game began with');
  if (open.system.rulesVersion !== game.rulesVersion)
    result.notes.push(`begun under rules ${game.rulesVersion}, checked with ${open.system.rulesVersion}`);
  for (const chain of game.chains)
    if (chain.root !== null && chainKey(bytes(chain.root), 0).toString('hex') !== chain.head)
      fault(null, `the ${chain.kind} chain from phase ${chain.firstN} does not lead to its head`);
  checkSeed(game, result, (what) => fault(null, what));
  if (game.chains.some((chain) => chain.kind === 'secret' && chain.root === null))
    result.notes.push('shuffles are taken as recorded: their keys are shown when the game is over');
  const byId = new Map(game.phases.map((phase) => [phase.id, phase]));
  const played = new Map<number, Played>();
  game.phases.forEach((phase, i) => {
    checkPhase(game, open, phase, { byId, played, result, fault: (what) => fault(phase, what) });
    progress?.(i + 1, game.phases.length);
  });
  return result;
}

/** The first chains come from the club's secret, to which it was bound, and from the players' words. */
function checkSeed({ seed, chains }: RecordedGame, result: Verification, fault: (what: string) => void): void {
  if (!seed) {
    result.notes.push('begun before players put words into the dice: their roots are the club’s own');
    return;
  }
  if (seed.secret === null) {
    result.notes.push('the club’s secret of the dice is shown when the game is over');
    return;
  }
  const secret = bytes(seed.secret);
  if (commitmentTo(secret) !== seed.commitment) fault('the club’s secret is not the one it was bound to');
  for (const kind of ['open', 'secret'] as const) {
    const first = chains.find((chain) => chain.kind === kind);
    const root = rootOf(secret, seed.words, kind);
    if (first && chainKey(root, 0).toString('hex') !== first.head)
      fault(`the ${kind} chain is not made of the club’s secret and the players’ words`);
  }
}

type Played = Extract<Adjudication<GameTypes>, { status: 'done' }>;

interface Checking {
  byId: ReadonlyMap<number, RecordedPhase>;
  /** Results of the phases replayed so far. */
  played: Map<number, Played>;
  result: Verification;
  fault(what: string): void;
}

function checkPhase(game: RecordedGame, open: OpenScenario, phase: RecordedPhase, checking: Checking): void {
  const { result, fault } = checking;
  if (hashOf(phase.snapshot) !== phase.hash) fault('the state on record does not have its hash');
  checkOrigin(game, open, phase, checking);
  const key = checkKey(game, phase, checking);
  checkSecretKey(game, phase, checking);
  if (phase.dice && key) checkDice(game, phase.snapshot.phase, phase.dice, key, checking);
  if (phase.openedBy === 'setup') checkSetupDice(game, key, checking);
  if (phase.status !== 'done' || !phase.inputs) return;
  if (phase.rulesVersion !== open.system.rulesVersion)
    result.notes.push(`phase ${phase.snapshot.phase.n} was run under rules ${phase.rulesVersion}`);
  try {
    const dice = replayDice(game, phase.snapshot.phase, phase.dice ?? []);
    const version = phase.rulesVersion;
    const input = { state: phase.snapshot, ...phase.inputs, answers: phase.answers, version };
    const played = adjudicate(open.rules, input, dice);
    result.phases++;
    if (played.status === 'waiting') {
      fault(`the replay asks what was not asked: ${played.requests.map(({ id }) => id).join(', ')}`);
      return;
    }
    checking.played.set(phase.id, played);
    for (const [what, now, then] of [
      ['events', played.events, phase.events],
      ['decisions', played.decisions, phase.decisions],
      ['dice', played.dice, phase.dice],
    ] as const)
      if (canonical(now) !== canonical(then)) fault(`other ${what} than on record${firstDifference(now, then ?? [])}`);
  } catch (problem) {
    fault(`the replay stops: ${problem instanceof Error ? problem.message : String(problem)}`);
  }
}

/** Where two lists begin to differ, for the message. */
function firstDifference(now: readonly unknown[], then: readonly unknown[]): string {
  const at = now.findIndex((item, i) => canonical(item) !== canonical(then[i] ?? null));
  return ` (from number ${(at < 0 ? now.length : at) + 1} on)`;
}

/** The state before the first phase: numbered 1 whatever the system calls it. */
export function opening(rules: Rules, options: Record<string, unknown>, dice: Dice): GameState {
  const state = structuredClone(rules.setup(options, dice));
  state.phase.n = 1;
  return state;
}

/** Does the state a phase begins with follow from what it came from? */
function checkOrigin(game: RecordedGame, open: OpenScenario, phase: RecordedPhase, checking: Checking): void {
  const { byId, result, fault } = checking;
  const n = phase.snapshot.phase.n;
  const from = phase.from === null ? undefined : byId.get(phase.from);
  switch (phase.openedBy) {
    case 'setup': {
      const base = setupState(game, open, checking);
      if (base && hashOf(base) !== phase.hash) fault('the set-up gives another state');
      return;
    }
    case 'phase': {
      if (!from) {
        fault('it is not on record which phase it came from');
        return;
      }
      if (phase.previousHash !== from.hash) fault('it names another state before it than the one it came from');
      const then = checking.played.get(from.id);
      if (then && then.hash !== phase.hash)
        fault(`the replay of phase ${from.snapshot.phase.n} leads to another state`);
      return;
    }
    case 'rewind': {
      result.notes.push(`line ${phase.line} goes back: its phase ${n} begins from an earlier state`);
      const before = [...byId.values()].filter((other) => other.id < phase.id);
      if (!before.some((other) => sameButNumber(other.snapshot, phase.snapshot)))
        fault('it goes back to a state that never was');
      return;
    }
    default:
      checkRuling(game, open, phase, from, checking);
  }
}

function setupState(game: RecordedGame, open: OpenScenario, { result, fault }: Checking): GameState | undefined {
  try {
    const dice = replayDice(game, SETUP_PHASE, game.setupDice);
    if (dice) return opening(open.rules, game.options, dice);
    result.notes.push('the set-up is taken as recorded: it draws on keys not yet shown');
  } catch (problem) {
    fault(`the set-up stops: ${problem instanceof Error ? problem.message : String(problem)}`);
  }
  return undefined;
}

/** A ruling may change a state: with its edits taken back the state must follow from play. */
function checkRuling(
  game: RecordedGame,
  open: OpenScenario,
  phase: RecordedPhase,
  from: RecordedPhase | undefined,
  checking: Checking,
): void {
  const { result, fault } = checking;
  const edits = game.rulings.filter((ruling) => ruling.phase === phase.id).flatMap((ruling) => ruling.edits);
  result.notes.push(
    `phase ${phase.snapshot.phase.n} begins by ${phase.openedBy}${edits.length > 0 ? `, with ${edits.length} edits` : ''}`,
  );
  let base: GameState | undefined = phase.snapshot;
  for (const edit of edits.toReversed()) base = base && revertEdit(base, edit);
  if (!base) {
    fault('its state is not what the edits on record put there');
    return;
  }
  const then = from ? checking.played.get(from.id)?.state : setupState(game, open, checking);
  if (then && !sameButNumber(base, then)) fault('its state does not follow from play and the edits on record');
}

function sameButNumber(a: GameState, b: GameState): boolean {
  const bare = (state: GameState): string => canonical({ ...state, phase: { ...state.phase, n: 0 } });
  return bare(a) === bare(b);
}

function bytes(hex: string): Buffer {
  return Buffer.from(hex, 'hex');
}

/** The chain that phase n draws on; the set-up (n = 0) draws on the very first, whatever chains came after a restore. */
function chainOf(game: RecordedGame, kind: RecordedChain['kind'], n: number): RecordedChain | undefined {
  const all = game.chains.filter((chain) => chain.kind === kind);
  if (n < 1) return all[0];
  const fitting = all.filter((chain) => chain.firstN <= n && n < chain.firstN + CHAIN_LENGTH);
  return fitting.reduce<RecordedChain | undefined>(
    (best, chain) => (best && best.firstN > chain.firstN ? best : chain),
    undefined,
  );
}

/** Which key of a chain phase n uses; the set-up uses that of phase 1. */
function placeIn(chain: RecordedChain, n: number): number {
  return Math.max(1, n) - chain.firstN + 1;
}

/** The keys of a chain are walked once, from the root down to the head. */
const walked = new WeakMap<RecordedChain, Buffer[]>();

/** The key of phase n from a chain whose root is known; for shuffles also from a later key that was shown. */
function keyFromRoot(game: RecordedGame, kind: RecordedChain['kind'], n: number): Buffer | undefined {
  const chain = chainOf(game, kind, n);
  if (chain?.root == null) return kind === 'secret' && chain ? keyShown(game, chain, n) : undefined;
  let keys = walked.get(chain);
  if (!keys) {
    keys = [bytes(chain.root)];
    while (keys.length <= CHAIN_LENGTH) keys.push(earlierKey(keys.at(-1)!, 1));
    walked.set(chain, keys);
  }
  return keys[CHAIN_LENGTH - placeIn(chain, n)];
}

/** The key of phase n's shuffles, from the first key of its chain shown at or after it. */
function keyShown(game: RecordedGame, chain: RecordedChain, n: number): Buffer | undefined {
  const shown = game.phases
    .filter(({ secretKey, snapshot }) => secretKey != null && snapshot.phase.n >= n)
    .filter(({ snapshot }) => chainOf(game, 'secret', snapshot.phase.n) === chain)
    .sort((a, b) => a.snapshot.phase.n - b.snapshot.phase.n)[0];
  if (shown?.secretKey == null) return undefined;
  return earlierKey(bytes(shown.secretKey), placeIn(chain, shown.snapshot.phase.n) - placeIn(chain, n));
}

/** A key of shuffles that was shown must lead back to its head as well. */
function checkSecretKey(game: RecordedGame, phase: RecordedPhase, { fault, result }: Checking): void {
  if (phase.secretKey == null) return;
  const { n } = phase.snapshot.phase;
  const chain = chainOf(game, 'secret', n);
  const head = chain && earlierKey(bytes(phase.secretKey), placeIn(chain, n)).toString('hex');
  if (head === undefined || head !== chain?.head)
    fault('its key of shuffles does not lead back to the head that was mailed');
  result.keys++;
}

/** Walks the key of a phase back to the mailed head: what a player does with the keys in his reports. */
function checkKey(game: RecordedGame, phase: RecordedPhase, { result, fault }: Checking): Buffer | undefined {
  if (phase.openKey === null) return undefined;
  const n = phase.snapshot.phase.n;
  const chain = chainOf(game, 'open', n);
  if (!chain) {
    fault('there is no chain of dice keys for it');
    return undefined;
  }
  const shown = bytes(phase.openKey);
  if (earlierKey(shown, placeIn(chain, n)).toString('hex') !== chain.head)
    fault('its key does not lead back to the head that was mailed');
  result.keys++;
  return shown;
}

/** The set-up's dice come from the first chain; the key of phase 1 tells them while it is of the same chain. */
function checkSetupDice(game: RecordedGame, keyOfOne: Buffer | undefined, checking: Checking): void {
  const same = chainOf(game, 'open', 0) === chainOf(game, 'open', 1);
  const key = keyFromRoot(game, 'open', 0) ?? (same ? keyOfOne : undefined);
  if (game.setupDice && key) checkDice(game, SETUP_PHASE, game.setupDice, key, checking);
}

/** Every open die from its key alone, without the rules; shuffles where the secret chain is known. */
function checkDice(game: RecordedGame, at: PhaseId, dice: readonly DieRoll[], key: Buffer, checking: Checking): void {
  const { result, fault } = checking;
  const prefix = fullContext(game.diceName, at, '');
  const secret = keyFromRoot(game, 'secret', at.n);
  const used = new Set<string>();
  for (const roll of dice) {
    if (!roll.context.startsWith(prefix)) fault(`a roll of another phase: ${roll.context}`);
    if (used.has(roll.context)) fault(`the same dice used twice: ${roll.context}`);
    used.add(roll.context);
    // A card that was turned is checked by the replay: its shuffle says which one it had to be.
    if (roll.drawn) continue;
    if (!roll.secret) {
      if (canonical(rollsOf(key, roll.context, roll.rolls.length, roll.sides)) !== canonical(roll.rolls))
        fault(`other dice than the key gives: ${roll.context}`);
      result.dice += roll.rolls.length;
    } else if (secret) {
      const places = Array.from({ length: roll.sides }, (_, i) => i);
      const fresh = phaseDice(key, secret, game.diceName, at).shuffle(roll.context.slice(prefix.length), places);
      if (canonical(fresh) !== canonical(roll.rolls)) fault(`another shuffle than the key gives: ${roll.context}`);
      result.shuffles++;
    }
  }
}

/**
 * Dice to replay a phase with: the real ones where both keys are known; else what is on record, by context. Without a
 * record and without keys there are none.
 */
function replayDice(game: RecordedGame, phase: PhaseId, recorded: readonly DieRoll[]): LoggedDice;
function replayDice(game: RecordedGame, phase: PhaseId, recorded: readonly DieRoll[] | null): LoggedDice | undefined;
function replayDice(game: RecordedGame, phase: PhaseId, recorded: readonly DieRoll[] | null): LoggedDice | undefined {
  const open = keyFromRoot(game, 'open', phase.n);
  const secret = keyFromRoot(game, 'secret', phase.n);
  if (open && secret) return phaseDice(open, secret, game.diceName, phase);
  return recorded ? recordedDice(game.diceName, phase, recorded) : undefined;
}

function recordedDice(ref: string, phase: PhaseId, recorded: readonly DieRoll[]): LoggedDice {
  const left = new Map(recorded.map((roll) => [roll.context, roll]));
  const log: DieRoll[] = [];
  const take = (purpose: string): DieRoll => {
    const context = fullContext(ref, phase, purpose);
    const roll = left.get(context);
    if (!roll) throw new Error(`dice that were not rolled: ${context}`);
    left.delete(context);
    log.push(structuredClone(roll));
    return roll;
  };
  return {
    log,
    roll: (purpose) => [...take(purpose).rolls],
    shuffle: (purpose, items) => take(purpose).rolls.map((i) => items[i]!),
    draw(purpose, drawn) {
      const context = fullContext(ref, phase, purpose);
      left.delete(context);
      log.push({ context, sides: 0, rolls: [], drawn: { ...drawn } });
    },
  };
}
