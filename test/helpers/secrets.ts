/**
 * The step test of the contract: a phase is run again with what one side can't know exchanged, and everything that side is
 * told must stay the same, up to the first event that the rules declare as showing what was exchanged.
 */
import { adjudicate } from '../../src/kernel/judge.ts';
import type { Event, GameState, Rules, SideId, Viewer } from '../../src/kernel/types.ts';
import { publicView, viewFor } from '../../src/kernel/view.ts';
import { diceOf, heardBy, outputsFor, type PlayedPhase } from './play.ts';

/** States that look alike to a viewer and differ in one hidden thing, by its path (`hand.cards`, `cup.decks`). */
export type Exchanges = (state: GameState, viewer: Viewer) => Record<string, GameState[]>;

export interface StepFinding {
  /** What the side was told that depends on what it can't know. */
  leaks: string[];
  /** Runs that could be compared to the end of the phase, of all runs. */
  whole: number;
  runs: number;
}

type Told = Pick<ReturnType<typeof told>, 'heard' | 'asked' | 'after'>;

/** Runs a phase again for every exchange and compares what `viewer` is told. */
export function stepLeaks(
  rules: Rules,
  phase: PlayedPhase,
  viewer: Viewer,
  seed: string,
  exchanges: Exchanges = anyExchange,
): StepFinding {
  const found: StepFinding = { leaks: [], whole: 0, runs: 0 };
  const plain = told(rules, phase, phase.before, viewer, seed);
  for (const [path, states] of Object.entries(exchanges(phase.before, viewer))) {
    const other = firstThatRuns(states, (state) => told(rules, phase, state, viewer, seed));
    if (!other) {
      found.leaks.push(`${path}: no exchange of it can be run`);
      continue;
    }
    found.runs++;
    const cut = Math.min(releaseAt(rules, plain.heard, path), releaseAt(rules, other.heard, path));
    const leak = firstDifference(plain, other, cut);
    if (leak !== undefined) found.leaks.push(`${path}, ${viewer}, phase ${phase.before.phase.step}: ${leak}`);
    else if (cut === Number.POSITIVE_INFINITY) found.whole++;
  }
  return found;
}

function firstThatRuns<T>(states: readonly GameState[], run: (state: GameState) => T): T | undefined {
  for (const state of states) {
    try {
      return run(state);
    } catch {
      // Not every exchange leaves a state that the rules can play: the next one is milder.
    }
  }
  return undefined;
}

/** The phase once more with the same orders, answers and dice: what the viewer hears, is asked, and sees afterwards. */
function told(rules: Rules, phase: PlayedPhase, state: GameState, viewer: Viewer, seed: string) {
  const asked: unknown[] = [];
  const answers: typeof phase.input.answers = {};
  for (;;) {
    const result = adjudicate(rules, { ...phase.input, state, answers }, diceOf(seed, state.phase));
    if (result.status === 'done') {
      const filed = phase.input.filed[viewer] ?? { orders: [], standing: [] };
      const seen = viewFor(result.state, viewer);
      const open = publicView(result.state);
      const dice = result.dice.filter((roll) => !roll.secret);
      return {
        heard: heardBy(viewer, result.events),
        asked,
        after: {
          table: seen.table,
          phase: seen.phase,
          asks: rules.asks(open),
          pace: rules.pace(open),
          master: rules.master?.(open),
          dice,
          shown: outputsFor(rules, result.state, viewer, result.events, filed),
        },
      };
    }
    asked.push(...result.requests.filter(({ to }) => to === viewer));
    for (const { id, fallback } of result.requests)
      answers[id] = phase.input.answers[id] ?? { chosen: fallback, by: 'answer' };
  }
}

/** The first event heard that shows what lies on that path; beyond the end when there is none. */
function releaseAt(rules: Rules, heard: readonly Event[], path: string): number {
  const releases: Record<string, readonly string[] | undefined> = rules.releases ?? {};
  const at = heard.findIndex((event) => releases[event.type]?.some((shown) => covers(shown, path)));
  return at < 0 ? Number.POSITIVE_INFINITY : at;
}

/** `hand.cards` shows itself, and `hand` all of its parts. */
function covers(shown: string, path: string): boolean {
  return shown === path || path.startsWith(`${shown}.`);
}

function firstDifference(plain: Told, other: Told, cut: number): string | undefined {
  const end = Math.min(cut, Math.max(plain.heard.length, other.heard.length));
  for (let i = 0; i < end; i++)
    if (JSON.stringify(plain.heard[i]) !== JSON.stringify(other.heard[i]))
      return `event ${i}: ${JSON.stringify(plain.heard[i])} or ${JSON.stringify(other.heard[i])}`;
  if (cut < Number.POSITIVE_INFINITY) return undefined;
  if (JSON.stringify(plain.asked) !== JSON.stringify(other.asked)) return 'other questions';
  for (const key of Object.keys(plain.after) as (keyof Told['after'])[])
    if (JSON.stringify(plain.after[key]) !== JSON.stringify(other.after[key])) return `another ${key} afterwards`;
  return undefined;
}

/** Exchanges for any game: each part of the other hands and of the cup alone, the bolder change first. */
function anyExchange(state: GameState, viewer: Viewer): Record<string, GameState[]> {
  const paths = new Set<string>();
  for (const [side, hand] of Object.entries(state.hands))
    if (side !== viewer) for (const key of keysOf(hand)) paths.add(key === '' ? 'hand' : `hand.${key}`);
  for (const key of keysOf(state.cup)) paths.add(key === '' ? 'cup' : `cup.${key}`);
  const made: Record<string, GameState[]> = {};
  for (const path of paths) {
    const states = [moved, turned].map((change) => exchange(state, viewer, path, change));
    const own = states.filter((one) => JSON.stringify(one) !== JSON.stringify(state));
    if (own.length > 0) made[path] = own;
  }
  return made;
}

function keysOf(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [''];
  return Array.isArray(value) ? [''] : Object.keys(value);
}

function exchange(state: GameState, viewer: Viewer, path: string, change: (value: unknown) => unknown): GameState {
  const part = (value: unknown, place: string): unknown => {
    if (path === place) return change(value);
    if (!path.startsWith(`${place}.`) || typeof value !== 'object' || value === null) return value;
    const key = path.slice(place.length + 1);
    return Object.hasOwn(value, key) ? { ...value, [key]: change((value as Record<string, unknown>)[key]) } : value;
  };
  const hands = Object.entries(state.hands).map(
    ([side, hand]) => [side, side === viewer ? hand : part(hand, 'hand')] as const,
  );
  return structuredClone({ ...state, hands: Object.fromEntries(hands), cup: part(state.cup, 'cup') });
}

/** Numbers one higher, lists turned round. */
function moved(value: unknown): unknown {
  if (typeof value === 'number') return value + 1;
  return inside(value, moved);
}

/** Lists turned round only. */
function turned(value: unknown): unknown {
  return typeof value === 'object' && value !== null ? inside(value, turned) : value;
}

function inside(value: unknown, change: (value: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map(change).reverse();
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, change(inner)]));
}

// ---- exchanges that only the game itself can make, so that the other state is one that could have been

/** Exchanges of Heroes of Normandie: cards with the deck, tokens and identities among their counters. */
function normandieExchange(state: GameState, viewer: Viewer): Record<string, GameState[]> {
  type Hand = { cards: string[]; tokens: Record<string, unknown>; identities: Record<string, object> };
  const enemies = Object.keys(state.hands).filter((side) => side !== viewer);
  const change = (edit: (hand: Hand, deck: string[]) => void): GameState[] => {
    const twin = structuredClone(state);
    for (const side of enemies) {
      const { decks } = twin.cup as { decks: Record<SideId, string[]> };
      edit(twin.hands[side] as Hand, decks[side]!);
    }
    return JSON.stringify(twin) === JSON.stringify(state) ? [] : [twin];
  };
  const made = {
    'cup.decks': change((_hand, deck) => void deck.reverse()),
    'hand.cards': change((hand, deck) => {
      const pool = [...hand.cards, ...deck].reverse();
      hand.cards = pool.splice(0, hand.cards.length);
      deck.splice(0, deck.length, ...pool);
    }),
    'hand.tokens': change((hand) => rotate(hand.tokens)),
    // Orders name their own units by code: another type hides under the counter, not another code.
    'hand.identities': change((hand) => {
      const codes = Object.entries(hand.identities).map(([name, { code }]: [string, { code?: string }]) => ({
        name,
        code,
      }));
      rotate(hand.identities);
      for (const { name, code } of codes) hand.identities[name] = { ...hand.identities[name], code };
    }),
  };
  return Object.fromEntries(Object.entries(made).filter(([, states]) => states.length > 0));
}

function rotate<T>(values: Record<string, T>): void {
  const keys = Object.keys(values);
  const all = Object.values(values);
  for (const [i, key] of keys.entries()) values[key] = all[(i + 1) % all.length]!;
}

/** Exchanges of Combat Commander: secret chits with the cup, a sealed choice for none or for another. */
function combatCommanderExchange(state: GameState, viewer: Viewer): Record<string, GameState[]> {
  type Hand = { chit: string; sealed: string[] | null };
  const change = (edit: (hand: Hand, cup: { chits: string[] }) => void): GameState[] => {
    const twin = structuredClone(state);
    for (const [side, hand] of Object.entries(twin.hands))
      if (side !== viewer) edit(hand as Hand, twin.cup as { chits: string[] });
    return JSON.stringify(twin) === JSON.stringify(state) ? [] : [twin];
  };
  const made = {
    'cup.chits': change((_hand, cup) => void cup.chits.reverse()),
    'hand.chit': change((hand, cup) => {
      [hand.chit, cup.chits[0]] = [cup.chits[0]!, hand.chit];
    }),
    'hand.sealed': change((hand) => {
      if (hand.sealed !== null) hand.sealed = hand.sealed.length > 0 ? [] : ['C'];
    }),
  };
  return Object.fromEntries(Object.entries(made).filter(([, states]) => states.length > 0));
}

/** The exchanges of a system by its id: its own where it has some. */
export function exchangesOf(system: string): Exchanges {
  const own: Record<string, Exchanges> = { normandie: normandieExchange, combatcommander: combatCommanderExchange };
  return own[system] ?? anyExchange;
}

/** Paths of all that hands and cup still hold: while there is any, no key of shuffles may be shown. */
export function hiddenIn(state: GameState): string[] {
  const holds = (value: unknown): boolean =>
    typeof value === 'object' && value !== null
      ? Object.values(value).some(holds)
      : value !== undefined && value !== null && value !== 0 && value !== false && value !== '';
  const under = (name: string, value: unknown): string[] =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.entries(value).flatMap(([key, inner]) => (holds(inner) ? [`${name}.${key}`] : []))
      : holds(value)
        ? [name]
        : [];
  const hands = Object.entries(state.hands).flatMap(([side, hand]) => under(`hands.${side}`, hand));
  return [...hands, ...under('cup', state.cup)];
}
