/**
 * Whole games of two random players over all scenarios and modes, with every invariant checked after every phase, every
 * phase replayed, and hidden things exchanged to see that the other side's mail does not change by a byte.
 * NORMANDIE_GAMES=300 npx vitest run test/fuzz/normandie.test.ts plays more of them, SEED=word others.
 */

import { expect, test } from 'vitest';
import { canonical } from '../../src/kernel/hash.ts';
import { valuesOf } from '../../src/kernel/questions.ts';
import type { DecisionRequest, Rules } from '../../src/kernel/types.ts';
import { publicView, viewFor } from '../../src/kernel/view.ts';
import { type Book, openBook, placeOf } from '../../src/systems/normandie/content/opened.ts';
import { abilitiesOf, classOf, knownOf, passengersOf, squaresOf } from '../../src/systems/normandie/counters/units.ts';
import { type Data, SIDES } from '../../src/systems/normandie/data.ts';
import { barredFor } from '../../src/systems/normandie/ground/ground.ts';
import { aimAt } from '../../src/systems/normandie/ground/sightline.ts';
import { loadOf } from '../../src/systems/normandie/ground/transport.ts';
import { normandie } from '../../src/systems/normandie/system.ts';
import type { Mode, Normandie, State } from '../../src/systems/normandie/types.ts';
import { normandieScenario } from '../helpers/normandie.ts';
import { chanceOf, randomOrders, sensibleOrders } from '../helpers/normandie-bot.ts';
import { diceOf, file, heardBy, playPhase } from '../helpers/play.ts';

const GAMES = Number(process.env.NORMANDIE_GAMES ?? 10);
const SEED = process.env.SEED ?? 'carentan';
const SCENARIOS = ['orchard', 'church', 'hill88', 'free-orchard', 'free-village', 'free-bocage'];
const MODES: Mode[] = ['sealed', 'one-mail', 'placed', 'live'];
const PHASES_MAX = 600;

interface Game {
  id: string;
  seed: string;
  book: Book;
  rules: Rules<Normandie>;
}

const opened = new Map<string, Game>();
function open(id: string): Game {
  let game = opened.get(id);
  if (!game) {
    const scenario = normandieScenario(id);
    game = { id, seed: '', book: openBook(scenario.data as Data), rules: normandie.open(scenario) };
    opened.set(id, game);
  }
  return game;
}

function checkBoard(game: Game, state: State): void {
  const { table } = state;
  const { book } = game;
  const known = knownOf(state);
  const taken = new Map<string, string>();
  for (const unit of table.units) {
    for (const name of squaresOf(unit)) {
      expect(taken.get(name), `${unit.code} on ${name}`).toBeUndefined();
      taken.set(name, unit.code);
      const place = placeOf(book, name);
      expect(place.incomplete, `${unit.code} on ${name}`).toBe(false);
      expect(barredFor(book, table, place, classOf(book, unit)), `${unit.code} on ${name}`).toBeNull();
      if (classOf(book, unit) !== 'inf') expect(place.offset).toBe(false);
    }
    expect(unit.suppressed).toBeGreaterThanOrEqual(0);
    expect(new Set(unit.damage).size).toBe(unit.damage.length);
    if (unit.concealed !== null) expect([unit.type, unit.face, unit.code.includes('?')]).toEqual([null, null, true]);
    const hand = state.hands[unit.side]!;
    expect(hand.tokens[unit.code] !== undefined, `token of ${unit.code}`).toBe(unit.token === 'back');
    if (unit.aboard === null) continue;
    const vehicle = table.units.find((each) => each.code === unit.aboard)!;
    expect([vehicle.side, vehicle.at]).toEqual([unit.side, unit.at]);
  }
  for (const vehicle of table.units) {
    const aboard = passengersOf(table, vehicle.code);
    const load = aboard.reduce((sum, unit) => sum + loadOf(book, known, unit), 0);
    expect(load).toBeLessThanOrEqual(abilitiesOf(book, known, vehicle).transport ?? 0);
  }
}

/** Sight is mutual between any two units, and of the same quality between units of one class. */
function checkSight(game: Game, state: State): void {
  const known = knownOf(state);
  for (const [i, a] of state.table.units.entries()) {
    for (const b of state.table.units.slice(i + 1)) {
      if (a.aboard !== null || b.aboard !== null) continue;
      const there = aimAt(game.book, known, a, b);
      const back = aimAt(game.book, known, b, a);
      expect('aim' in there, `${a.code} ${b.code}`).toBe('aim' in back);
    }
  }
}

function checkAccounts(game: Game, state: State): void {
  const { table } = state;
  for (const side of SIDES) {
    const hand = state.hands[side]!;
    const identities = Object.values(hand.identities).map((identity) => identity.code);
    const onBoard = table.units.filter((unit) => unit.side === side && unit.type !== null).map((unit) => unit.code);
    const inPlay = table.roster
      .filter((member) => member.side === side && member.fate === 'in play')
      .map((member) => member.code);
    expect([...onBoard, ...identities].sort()).toEqual(inPlay.sort());
    const anonymous = table.units.filter((unit) => unit.side === side && unit.type === null).map((unit) => unit.code);
    expect(Object.keys(hand.identities).sort()).toEqual(anonymous.sort());
    const numbers = Object.values(hand.tokens).filter((token) => typeof token === 'number');
    expect(new Set(numbers).size).toBe(numbers.length);
    expect(numbers.length).toBeLessThanOrEqual(10);
    const counts = table.cards[side];
    expect([counts.hand, counts.deck, counts.discarded]).toEqual([
      hand.cards.length,
      state.cup.decks[side].length,
      hand.discards.length,
    ]);
    const cards = [...hand.cards, ...state.cup.decks[side], ...hand.discards, ...counts.played].sort();
    const deck = game.book.data.cards
      .filter((card) => card.sides.includes(side) && !game.book.data.scenario.removedCards.includes(card.id))
      .flatMap((card) => Array<string>(card.copies).fill(card.id));
    if (state.phase.step !== 'recruit') expect(cards).toEqual(deck.sort());
  }
  for (const gear of table.gear) expect(gear.left === null || gear.left >= 0).toBe(true);
  expect(table.moment).toBeNull();
}

/** A state that looks the same to `side`: the other side's hidden things and the cup are exchanged. */
function exchanged(state: State, side: (typeof SIDES)[number], seed: string): State {
  const twin = structuredClone(state);
  const chance = chanceOf(seed);
  const enemy = side === 'us' ? 'ge' : 'us';
  const hand = twin.hands[enemy]!;
  const codes = Object.keys(hand.tokens);
  const kinds = chance.shuffled(Object.values(hand.tokens));
  codes.forEach((code, i) => {
    hand.tokens[code] = kinds[i]!;
  });
  const names = Object.keys(hand.identities);
  const identities = chance.shuffled(Object.values(hand.identities));
  names.forEach((name, i) => {
    hand.identities[name] = identities[i]!;
  });
  const pool = chance.shuffled([...hand.cards, ...twin.cup.decks[enemy], ...hand.discards]);
  hand.cards = pool.splice(0, hand.cards.length);
  hand.discards = pool.splice(0, hand.discards.length);
  twin.cup.decks[enemy] = pool;
  twin.cup.decks[side] = chance.shuffled(twin.cup.decks[side]);
  hand.plan = { ...hand.plan, scripts: [], claims: [], cards: [], pauseAfter: null };
  return twin;
}

/** Everything a side gets or would get: report, map, form, complaints. */
function mailOf(
  game: Game,
  state: State,
  side: (typeof SIDES)[number],
  events: readonly Normandie['event'][],
  block: readonly string[],
): string {
  const view = viewFor(state, side);
  const heard = heardBy(side, events) as Normandie['event'][];
  const nothing = { orders: [], standing: [] };
  const filed = file(game.rules as unknown as Rules, state as never, side, block);
  const preview = game.rules.preview(view, filed.orders as Normandie['order'][], []);
  return canonical([
    game.rules.report(view, heard, nothing),
    game.rules.scenes(view, heard)[0]!,
    filed.diagnostics,
    filed.orders,
    preview,
  ]);
}

let leaks = 0;

function playGame(n: number): { phases: number; turns: number; state: State } {
  const game = { ...open(SCENARIOS[n % SCENARIOS.length]!), seed: `${SEED}/${n}` };
  const mode = MODES[n % MODES.length]!;
  const random = Object.create(game.rules, {
    doctrine: {
      value: (_view: unknown, _filed: unknown, request: DecisionRequest) => ({
        chosen: [chanceOf(`${game.seed}/${request.id}`).pick(valuesOf(request))],
        by: 'doctrine',
      }),
    },
  }) as Rules<Normandie>;
  const doctrines = n % 3 === 0 ? game.rules : random;
  let state = game.rules.setup({ mode }, diceOf(game.seed, { n: 0, turn: 0, step: 'setup' })) as State;
  let phases = 0;
  while (game.rules.asks(publicView(state)).length > 0) {
    expect(++phases).toBeLessThan(PHASES_MAX);
    const filed: Record<string, { orders: never[]; standing: never[] }> = {};
    for (const side of SIDES) {
      const chance = chanceOf(`${game.seed}/${state.phase.n}/${side}`);
      const block = randomOrders(game.rules, game.book, viewFor(state, side), chance);
      const read = file(game.rules as unknown as Rules, state as never, side, block);
      const unread = read.diagnostics.filter((each) => each.code === 'E02');
      expect(unread, block.join('\n')).toEqual([]);
      const mail = read.diagnostics.some((each) => each.line === 'mail' && each.severity === 'error');
      filed[side] = mail
        ? { orders: [], standing: [] }
        : { orders: read.orders as never[], standing: read.standing as never[] };
    }
    const played = playPhase(doctrines as unknown as Rules, state as never, filed, game.seed);
    const again = playPhase(doctrines as unknown as Rules, state as never, filed, game.seed);
    expect(again.result.hash).toBe(played.result.hash);
    state = played.result.state as unknown as State;
    expect(canonical(JSON.parse(JSON.stringify(state)))).toBe(canonical(state));
    checkBoard(game, state);
    checkAccounts(game, state);
    if (phases % 4 === 0) checkSight(game, state);
    const side = SIDES[n % 2]!;
    const events = played.result.events as Normandie['event'][];
    const block = randomOrders(game.rules, game.book, viewFor(state, side), chanceOf(`leak/${n}/${state.phase.n}`));
    const twin = exchanged(state, side, `${game.seed}/twin/${state.phase.n}`);
    expect(mailOf(game, twin, side, events, block)).toBe(mailOf(game, state, side, events, block));
    leaks++;
    if (state.table.ended) expect(game.rules.outcome(state)).toBeDefined();
  }
  return { phases, turns: state.phase.turn, state };
}

test.each(
  Array.from({ length: GAMES }, (_, n) => [n, SCENARIOS[n % SCENARIOS.length]!, MODES[n % MODES.length]!] as const),
)('game %i: %s, %s', { timeout: 400_000 }, (n) => {
  const { state } = playGame(n);
  expect(state.table.ended).not.toBeNull();
});

test('200 states and more had their hidden things exchanged without a trace', () => {
  expect(leaks).toBeGreaterThanOrEqual(Math.min(200, GAMES * 12));
});

test.each(['orchard', 'church', 'hill88'])(
  '%s: two players who write sensible scripts finish a game with losses and points',
  (id) => {
    const game = open(id);
    let state = game.rules.setup({}, diceOf('sense', { n: 0, turn: 0, step: 'setup' })) as State;
    const told: Normandie['event'][] = [];
    while (game.rules.asks(publicView(state)).length > 0) {
      const filed: Record<string, ReturnType<typeof file>> = {};
      for (const side of SIDES) {
        const block = sensibleOrders(game.rules, game.book, viewFor(state, side));
        const read = file(game.rules as unknown as Rules, state as never, side, block);
        expect(
          read.diagnostics.filter((each) => each.severity === 'error'),
          block.join('\n'),
        ).toEqual([]);
        filed[side] = read;
      }
      const played = playPhase(game.rules as unknown as Rules, state as never, filed, 'sense');
      told.push(...(played.result.events as Normandie['event'][]));
      state = played.result.state as unknown as State;
      checkBoard(game, state);
    }
    expect(state.table.ended).not.toBeNull();
    expect(told.filter((event) => event.type === 'shot').length).toBeGreaterThan(5);
    expect(told.some((event) => event.type === 'destroyed')).toBe(true);
    expect(Object.values(state.table.ended!.score!).some((points) => points > 0)).toBe(true);
  },
);
