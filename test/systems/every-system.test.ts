/**
 * The contract every registered game must pass, whatever its rules. It runs over the example game too, so that it is
 * itself tested. A new system gets all of this by its line in src/systems/index.ts.
 */
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { canonical, hashOf } from '../../src/kernel/hash.ts';
import { readBlock } from '../../src/kernel/orders.ts';
import { valuesOf } from '../../src/kernel/questions.ts';
import type {
  DecisionRequest,
  Diagnostic,
  Filed,
  GameState,
  GameSystem,
  Rules,
  SideId,
  Words,
} from '../../src/kernel/types.ts';
import { publicView, viewFor } from '../../src/kernel/view.ts';
import { openWording, saidScene, shown, TEMPLATES } from '../../src/render/words.ts';
import { openContent, openScenarios, SCENARIOS } from '../../src/scenarios.ts';
import { systems } from '../../src/systems/index.ts';
import { foreignGame } from '../helpers/foreign.ts';
import { diceOf, file, formOf, heardBy, outputsFor, type PlayedPhase, playPhase, viewersOf } from '../helpers/play.ts';
import { exchangesOf, hiddenIn, stepLeaks } from '../helpers/secrets.ts';
import { capitalsIn, literalsOf } from '../helpers/source.ts';
import { TINY_TEMPLATES, tiny } from '../helpers/tiny.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
/** Phases played per scenario: enough to pass through every step of most games' first turn. */
const PHASES = 6;
const nobody: Filed = { orders: [], standing: [] };

/** A game that the house has never heard of has to keep the same contract. */
const foreign = await foreignGame();
afterAll(() => fs.rmSync(foreign.folder, { recursive: true, force: true }));

const wording = openWording('en', [TEMPLATES, TINY_TEMPLATES, foreign.templates]);
const store = openScenarios([SCENARIOS]);
const example = tiny as unknown as GameSystem;

interface Case {
  system: GameSystem;
  /** Folder or file of its sources. */
  sources: string;
  scenarios: string[];
  open(id: string): {
    rules: Rules;
    again: Rules;
    options: { name: string; values: readonly unknown[] }[];
    sides: SideId[];
    files: unknown;
  };
}

const cases: Case[] = [
  {
    system: example,
    sources: 'src/systems/tiny',
    scenarios: ['tiny/race'],
    open: (id) => opened(example, id, { 'scenario-race.json': { squares: 12 } }),
  },
  {
    system: foreign.system,
    sources: path.join(foreign.folder, 'src/systems/waterloo'),
    scenarios: foreign.scenarios.list().map((entry) => entry.id),
    open: (id) => opened(foreign.system, id, foreign.scenarios.open(id).files),
  },
  ...systems.map((system) => ({
    system,
    sources: `src/systems/${system.id}`,
    scenarios: store
      .list()
      .filter((entry) => entry.system === system)
      .map((entry) => entry.id),
    open: (id: string) => opened(system, id, store.open(id).files),
  })),
];

function opened(system: GameSystem, id: string, files: Record<string, unknown>): ReturnType<Case['open']> {
  const { rules, scenario } = openContent(system, id, files);
  const again = openContent(system, id, files).rules;
  return { rules, again, options: scenario.options, sides: scenario.sides.map((side) => side.id), files };
}

/** Freezes a value and all within it: a function that changes what it was given throws. */
function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const inner of Object.values(value)) frozen(inner);
  }
  return value;
}

/** JSON of the same kind that says something else: numbers moved, texts altered, lists turned round and cut. */
function scrambled(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(scrambled).reverse().slice(1);
  if (typeof value === 'number') return value + 1;
  if (typeof value === 'string') return `${value}?`;
  if (typeof value === 'boolean') return !value;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, scrambled(inner)]));
}

const words = (report: { headline: Words; sections: { title: Words; lines: Words[] }[] }): Words[] => [
  report.headline,
  ...report.sections.flatMap((section) => [section.title, ...section.lines]),
];

const errorsOf = (diagnostics: Diagnostic[]): Diagnostic[] =>
  diagnostics.filter(({ severity }) => severity === 'error');

test('ids, prefixes and titles are told apart', () => {
  for (const key of ['id', 'prefix', 'title'] as const)
    expect(new Set(systems.map((system) => system[key])).size).toBe(systems.length);
  for (const system of systems) {
    expect(system.id).toMatch(/^[a-z]+$/);
    expect(system.prefix).toMatch(/^[A-Z]{3}$/);
    expect(system.rulesVersion).not.toBe('');
  }
});

describe.each(cases.map((entry) => [entry.system.id, entry] as const))('%s', (id, { sources, scenarios, open }) => {
  test('offers at least one scenario, under its own name', () => {
    expect(scenarios.length).toBeGreaterThan(0);
    expect(scenarios.every((scenario) => scenario.startsWith(`${id}/`))).toBe(true);
  });

  test('every code and every key written in its sources has a wording', () => {
    const missing = new Set<string>();
    for (const { code, key } of literalsOf(path.resolve(ROOT, sources), id)) {
      if (code !== undefined && !wording.has(`${id}.${code}`) && !wording.has(`kernel.${code}`)) missing.add(code);
      if (key !== undefined && !wording.has(key)) missing.add(key);
    }
    expect([...missing]).toEqual([]);
  });

  test('every text in capitals in its sources has a wording, or is of the order language or the content', () => {
    const { rules, files } = open(scenarios[0]!);
    const content = JSON.stringify(files);
    const grammar = rules.verbs.flatMap(({ verb, pattern, examples, clauses }) => [
      ...[verb, pattern, ...examples],
      ...clauses.flatMap((clause) => [clause.name, clause.pattern]),
    ]);
    // Help explains words of the language in capitals.
    const explained = rules.verbs.flatMap(({ help, clauses }) =>
      [help, ...clauses.map((clause) => clause.help)].map((text) => wording.say(text)),
    );
    const language = new Set([
      ...(grammar
        .join(' ')
        .toUpperCase()
        .match(/[A-Z0-9'-]+/g) ?? []),
      ...(explained.join(' ').match(/\b[A-Z]{2,}\b/g) ?? []),
    ]);
    const dumb = [...capitalsIn(path.resolve(ROOT, sources))].filter(
      (text) =>
        !wording.has(`${id}.${text}`) &&
        !wording.has(`kernel.${text}`) &&
        !content.includes(`"${text}"`) &&
        !text.split(' ').every((word) => language.has(word) || /^\d+$/.test(word)),
    );
    expect(dumb).toEqual([]);
  });

  describe.each(scenarios)('%s', (scenarioId) => {
    let rules: Rules;
    let again: Rules;
    let sides: SideId[];
    let start: GameState;
    const phases: PlayedPhase[] = [];
    /** Every state that was seen, the start first. */
    const states: GameState[] = [];

    beforeAll(() => {
      ({ rules, again, sides } = open(scenarioId));
      start = rules.setup({}, diceOf(scenarioId, { n: 0, turn: 0, step: 'setup' }));
      states.push(start);
      let state = start;
      for (let i = 0; i < PHASES && rules.asks(publicView(state)).length > 0; i++) {
        // By turns nobody files anything, and everybody sends the form back as it came.
        const filed: Record<SideId, Filed> = {};
        const told = phases.at(-1)?.result.events ?? [];
        if (i % 2 === 1)
          for (const { side } of rules.asks(publicView(state))) {
            const form = formOf(rules.report(viewFor(state, side), heardBy(side, told), nobody));
            filed[side] = file(rules, state, side, form);
          }
        const played = playPhase(rules, state, filed, scenarioId);
        phases.push(played);
        state = played.result.state;
        states.push(state);
      }
    });

    test('sets up with every option it offers; the state is plain JSON', () => {
      const { options } = open(scenarioId);
      const choices = [{}, ...options.flatMap(({ name, values }) => values.map((value) => ({ [name]: value })))];
      for (const choice of choices) {
        const state = rules.setup(choice, diceOf(scenarioId, { n: 0, turn: 0, step: 'setup' }));
        expect(JSON.parse(JSON.stringify(state)), JSON.stringify(choice)).toEqual(state);
        expect(state.phase.n).toBe(1);
        expect(Object.keys(state.hands).sort()).toEqual([...sides].sort());
        expect(state.hands).not.toHaveProperty('public');
      }
    });

    test('a phase leads to plain JSON, the same again, also with rules freshly opened', () => {
      expect(phases.length).toBeGreaterThan(0);
      for (const { before, input, result } of phases) {
        expect(JSON.parse(JSON.stringify(result))).toEqual(result);
        expect(result.state.phase.n).toBe(before.phase.n + 1);
        const answers = Object.fromEntries(
          result.decisions.map(({ id, chosen }) => [id, { chosen, by: 'answer' as const }]),
        );
        const copy = JSON.parse(JSON.stringify(before)) as GameState;
        const replay = playPhase(again, copy, input.filed, scenarioId, (request) => answers[request.id]!.chosen);
        expect(hashOf(replay.result.state)).toBe(result.hash);
        expect(canonical(replay.result.events)).toBe(canonical(result.events));
        expect(replay.result.dice).toEqual(result.dice);
      }
    });

    test('every event has an audience that exists', () => {
      for (const { result } of phases)
        for (const event of result.events) {
          expect(event.type).not.toBe('');
          if (event.audience !== 'all') {
            expect(event.audience.length).toBeGreaterThan(0);
            for (const side of event.audience) expect(sides).toContain(side);
          }
        }
    });

    test('who is asked is a side; when all owing sides are final the phase may run, when none is it may not', () => {
      for (const state of states) {
        const asks = rules.asks(publicView(state));
        for (const { side } of asks) expect(sides).toContain(side);
        expect(new Set(asks.map(({ side }) => side)).size).toBe(asks.length);
        expect(asks.length > 0).toBe(rules.outcome(state) === undefined);
        if (asks.length === 0) continue;
        expect(rules.ready(publicView(state), sides)).toBe(true);
        if (asks.some(({ must }) => must)) expect(rules.ready(publicView(state), [])).toBe(false);
        const pace = rules.pace(publicView(state));
        if (pace?.days !== undefined) expect(pace.days).toBeGreaterThan(0);
      }
    });

    test('questions are well formed, and their own options are read as answers', () => {
      const asked: { request: DecisionRequest; state: GameState }[] = phases.flatMap(({ requests, before }) =>
        requests.map((request) => ({ request, state: before })),
      );
      for (const { request, state } of asked) {
        expect(sides).toContain(request.to);
        expect(request.min).toBeLessThanOrEqual(request.max);
        if (request.form) continue;
        expect(request.options.length).toBeGreaterThan(0);
        expect(new Set(valuesOf(request)).size).toBe(request.options.length);
        expect(request.fallback.length).toBeGreaterThanOrEqual(request.min);
        expect(request.fallback.length).toBeLessThanOrEqual(request.max);
        for (const chosen of request.fallback) expect(valuesOf(request)).toContain(chosen);
        for (const { words: said } of request.options) expect(wording.say(said)).not.toBe('');
        if (request.words) expect(wording.say(request.words)).not.toBe('');
        if (request.min !== 1) continue;
        const read = rules.parseAnswer(viewFor(state, request.to), request, [{ n: 1, text: valuesOf(request)[0]! }]);
        expect(read).toEqual({ chosen: [valuesOf(request)[0]] });
      }
      expect(asked.every(({ request }) => request.id !== '')).toBe(true);
    });

    test('the order form of every report parses without an error and says FINAL above END', () => {
      let forms = 0;
      states.forEach((state, i) => {
        const told = phases[i - 1]?.result.events ?? [];
        for (const { side } of rules.asks(publicView(state))) {
          const orderForm = formOf(rules.report(viewFor(state, side), heardBy(side, told), nobody));
          forms++;
          const where = `${side}, phase ${state.phase.n} (${state.phase.step})`;
          expect(errorsOf(file(rules, state, side, orderForm).diagnostics), where).toEqual([]);
          expect(orderForm.at(-1), where).toBe('END');
          expect(readBlock(orderForm).final, where).toBe(true);
        }
      });
      expect(forms).toBeGreaterThan(0);
    });

    test('every report, complaint and house note can be worded, for every viewer', () => {
      states.forEach((state, i) => {
        const told = phases[i - 1]?.result.events ?? [];
        const filed = phases[i - 1]?.input.filed ?? {};
        for (const viewer of viewersOf(state)) {
          const view = viewFor(state, viewer);
          const own = filed[viewer] ?? nobody;
          for (const said of words(rules.report(view, heardBy(viewer, told), own)))
            expect(wording.say(said)).not.toBe('');
          for (const note of rules.house(view)) expect(shown(note, wording)).not.toBe('');
        }
      });
    });

    test('house data is owned up to', () => {
      const { files } = open(scenarioId);
      if (/"house"|"houseMap":true/.test(JSON.stringify(files)))
        expect(rules.house(viewFor(start, 'public'))).not.toEqual([]);
    });

    test('nothing that is shown changes with what others hold or the cup hides, and nothing shown changes the state', () => {
      states.forEach((state, i) => {
        const told = phases[i - 1]?.result.events ?? [];
        for (const viewer of viewersOf(state)) {
          const other: GameState = {
            ...structuredClone(state),
            cup: scrambled(state.cup),
            hands: Object.fromEntries(
              Object.entries(state.hands).map(([side, hand]) => [side, side === viewer ? hand : scrambled(hand)]),
            ),
          };
          const own = phases[i]?.input.filed[viewer] ?? nobody;
          const shown = JSON.stringify(
            outputsFor(rules, frozen(structuredClone(state)), viewer, frozen(told), frozen(own)),
          );
          expect(JSON.stringify(outputsFor(again, frozen(other), viewer, told, own))).toBe(shown);
        }
      });
    });

    test('a phase tells nobody what he can not know, up to the event that the rules say shows it', () => {
      const counts = { whole: 0, runs: 0 };
      const leaks: string[] = [];
      for (const phase of phases)
        for (const viewer of viewersOf(phase.before)) {
          const found = stepLeaks(again, phase, viewer, scenarioId, exchangesOf(id));
          leaks.push(...found.leaks);
          counts.whole += found.whole;
          counts.runs += found.runs;
        }
      expect(leaks).toEqual([]);
      process.stdout.write(`${scenarioId}: ${counts.whole} of ${counts.runs} runs compared to their end\n`);
      expect(counts.whole * 2).toBeGreaterThanOrEqual(counts.runs);
    });

    test('the key of the shuffles is shown early only when no hand and no cup holds anything any more', () => {
      for (const state of states)
        if (rules.opens?.(publicView(state)) === true) expect(hiddenIn(state), `phase ${state.phase.n}`).toEqual([]);
    });

    test('what is declared as shown is something hidden, and the events that show it exist', () => {
      const parts = new Set(
        states.flatMap((state) => [
          ...Object.values(state.hands).flatMap((hand) => Object.keys(hand ?? {}).map((key) => `hand.${key}`)),
          ...Object.keys(state.cup ?? {}).map((key) => `cup.${key}`),
        ]),
      );
      for (const [type, paths] of Object.entries(rules.releases ?? {}))
        for (const shown of paths ?? [])
          expect(shown === 'hand' || shown === 'cup' || parts.has(shown), `${type}: ${shown}`).toBe(true);
    });

    test('scenes are plain JSON with everything on the grid', () => {
      for (const state of states)
        for (const viewer of viewersOf(state)) {
          const scene = rules.scenes(viewFor(state, viewer), [])[0]!;
          expect(JSON.parse(JSON.stringify(scene))).toEqual(scene);
          const said = saidScene(scene, wording);
          expect(said.title).not.toBe('');
          expect(scene.house.length > 0).toBe(rules.house(viewFor(state, viewer)).length > 0);
          expect(scene.items.length).toBeGreaterThan(0);
        }
    });

    test('a game can be ended by agreement or surrender', () => {
      for (const [how, side] of [['draw'], ['abandon'], ['concede', sides[0]]] as const) {
        const draft = structuredClone(start);
        rules.conclude(draft, how, side);
        expect(JSON.parse(JSON.stringify(draft))).toEqual(draft);
        expect(rules.asks(publicView(draft))).toEqual([]);
        const outcome = rules.outcome(draft);
        expect(outcome).toBeDefined();
        if (how === 'draw') expect(outcome?.winner).toBe('draw');
        if (how === 'concede') expect(outcome?.winner).not.toBe(side);
      }
    });

    describe('verbs', () => {
      /** Every view of a side that was met, the later the more may be ordered. */
      const views = () => states.flatMap((state) => sides.map((side) => ({ state, side, view: viewFor(state, side) })));

      test('each has a pattern, help and examples that begin with it', () => {
        expect(rules.verbs.length).toBeGreaterThan(0);
        for (const verb of rules.verbs) {
          expect(verb.verb).toBe(verb.verb.toUpperCase());
          expect(verb.pattern.toUpperCase()).toContain(verb.verb);
          expect(wording.say(verb.help)).not.toBe('');
          expect(verb.examples.length, verb.verb).toBeGreaterThan(0);
          for (const clause of verb.clauses)
            for (const text of [clause.name, clause.pattern, wording.say(clause.help)]) expect(text).not.toBe('');
          for (const text of verb.examples) expect(text.toUpperCase().startsWith(verb.verb), text).toBe(true);
        }
      });

      test('what is read from an example, and from every form, is printed so that it is read the same again', () => {
        let read = 0;
        for (const { state, side, view } of views()) {
          const form = rules.asks(publicView(state)).some((ask) => ask.side === side)
            ? formOf(rules.report(view, [], nobody))
            : [];
          const texts = [
            ...rules.verbs.flatMap(({ examples }) => examples),
            ...readBlock(form).lines.map(({ text }) => text),
          ];
          for (const text of texts) {
            const parsed = rules.parse([{ n: 1, text }], view);
            if (errorsOf(parsed.diagnostics).length > 0) continue;
            for (const order of [...parsed.orders, ...parsed.standing]) {
              const reread = rules.parse([{ n: 1, text: rules.print(order) }], view);
              expect(errorsOf(reread.diagnostics), `${text} -> ${rules.print(order)}`).toEqual([]);
              expect([...reread.orders, ...reread.standing], text).toEqual([order]);
              read++;
            }
          }
        }
        expect(read).toBeGreaterThan(0);
      });

      test('whatever is written, each line is read or complained about, in words', () => {
        const broken = rules.verbs.flatMap(({ verb, examples }) => [
          verb,
          `${verb} nothing known`,
          `${verb}${verb} 1`,
          `${verb} -> -> ;;`,
          ...examples.map((text) => text.split(' ').reverse().join(' ')),
          ...examples.map((text) => text.slice(0, -2)),
        ]);
        const texts = [...broken, 'DANCE 12 -> 13', '"', '->', '999999999999', `${'x'.repeat(400)}`];
        for (const { view } of views()) {
          for (const text of texts) {
            const parsed = rules.parse([{ n: 7, text }], view);
            const checked = rules.check(view, parsed.orders, parsed.standing);
            for (const diagnostic of [...parsed.diagnostics, ...checked]) {
              expect([7, 'mail']).toContain(diagnostic.line);
              expect(diagnostic.code).toMatch(/^[A-Z0-9][A-Z0-9 '/-]*$/);
              expect(wording.complain(id, diagnostic)).not.toBe('');
            }
            const heard = parsed.orders.length + parsed.standing.length + parsed.diagnostics.length;
            expect(heard, text).toBeGreaterThan(0);
          }
        }
      });
    });
  });
});

test('each example of each verb is legal somewhere: with some option, or in some phase', () => {
  const dark: string[] = [];
  for (const { system, scenarios, open } of cases) {
    const readable = new Set<string>();
    const all = new Set<string>();
    for (const id of scenarios) {
      const { rules, sides, options } = open(id);
      for (const { examples } of rules.verbs) for (const text of examples) all.add(text);
      const tryIn = (state: GameState): void => {
        for (const side of sides)
          for (const text of all)
            if (
              !readable.has(text) &&
              errorsOf(rules.parse([{ n: 1, text }], viewFor(state, side)).diagnostics).length === 0
            )
              readable.add(text);
      };
      const setup = (choice: Record<string, unknown>): GameState => {
        const state = rules.setup(choice, diceOf(id, { n: 0, turn: 0, step: 'setup' }));
        tryIn(state);
        return state;
      };
      for (const { name, values } of options) for (const value of values) setup({ [name]: value });
      let state = setup({});
      for (let i = 0; i < PHASES && rules.asks(publicView(state)).length > 0; i++) {
        state = playPhase(rules, state, {}, id).result.state;
        tryIn(state);
      }
    }
    dark.push(...[...all].filter((text) => !readable.has(text)).map((text) => `${system.id}: ${text}`));
  }
  expect(dark).toEqual([]);
});

test('every file of our scenarios folder belongs to a registered system', () => {
  const ids = new Set(systems.map((system) => system.id));
  const folders = fs.readdirSync(SCENARIOS, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  expect(folders.map((entry) => entry.name).filter((name) => !ids.has(name))).toEqual([]);
});
