/**
 * The process in which mutants are tried. It is given scripts once, then one mutant after the other; each meets modules
 * loaded anew, is switched on where StrykerJS's instrumentation asks for it, and dies with the first test that fails. A
 * mutant that never ends is ended by its parent, who starts another child.
 */
import vm from 'node:vm';
import { type CollectedTest, collector } from './collected.ts';
import { type ModuleScript, targetOf } from './modules.ts';

/** A test by its file and its number in the file. */
export interface TestId {
  file: string;
  number: number;
}
export interface Covered extends TestId {
  milliseconds: number;
  /** How often each mutant was met, by its id. */
  hits: Record<string, number>;
  /** The same for what stands before all tests of its suites. */
  opening: Record<string, number>;
}
export type Request =
  | { kind: 'load'; modules: ModuleScript[]; plain: ModuleScript[] }
  | { kind: 'dry'; tests: string[] }
  | { kind: 'mutant'; id: string; file: string; whileLoading: boolean; hitLimit: number; tests: TestId[] };
export type Reply =
  | { kind: 'loaded' }
  | { kind: 'covered'; whileLoading: Record<string, number>; covered: Covered[] }
  | { kind: 'failed'; test: string; message: string }
  | { kind: 'tried'; by: string | undefined; loop: boolean };

type Wrapped = (exports: object, require: (name: string) => unknown, module: { exports: unknown }) => void;

/** The names are those of StrykerJS's instrumentation. */
interface Switchboard {
  activeMutant?: string | undefined;
  currentTestId?: string | undefined;
  hitCount?: number | undefined;
  hitLimit?: number | undefined;
  mutantCoverage?: { static: Record<string, number>; perTest: Record<string, Record<string, number>> } | undefined;
}

const board: Switchboard = {};
Object.assign(globalThis, { __stryker__: board });
const scripts = new Map<string, Wrapped>();
/** The same for trials: the switches are there, nothing is counted any more. */
const trialScripts = new Map<string, Wrapped>();
/** Files with mutants, as they are: while one mutant is tried, no other file needs its switches. */
const plainScripts = new Map<string, Wrapped>();
type Round = Map<string, { exports: unknown }>;
const packages = new Map<string, object>();

function wrapped({ file, script }: ModuleScript): Wrapped {
  const text = `(function (exports, require, module) {${script}\n})`;
  return new vm.Script(text, { filename: file }).runInThisContext() as Wrapped;
}

async function load(modules: readonly ModuleScript[], plain: readonly ModuleScript[]): Promise<void> {
  for (const module of plain) plainScripts.set(module.file, wrapped(module));
  for (const module of modules) {
    const { file, packages: names } = module;
    scripts.set(file, wrapped(module));
    const uncounted = { ...module, script: module.script.replace(/stryCov_9fa48\("[^)]*\)/g, '0') };
    trialScripts.set(file, uncounted.script === module.script ? scripts.get(file)! : wrapped(uncounted));
    for (const name of names)
      if (!packages.has(name) && name !== 'vitest') {
        const loaded = (await import(name)) as { default?: { configureGlobal?: (settings: object) => void } };
        packages.set(name, { __esModule: true, ...loaded });
        // The same cases for every mutant; a counterexample needn't be made small.
        if (name === 'fast-check') loaded.default!.configureGlobal!({ seed: 1, endOnFailure: true });
      }
  }
}

/**
 * The tests of one file in modules of this round; `round` holds what has been loaded in it so far. With `mutated`, only that
 * file has its switches.
 */
function testsIn(file: string, round: Round, mutated?: string): CollectedTest[] {
  const { words, tests } = collector();
  const need = (from: string, name: string): unknown => {
    if (name === 'vitest') return words;
    if (!name.startsWith('.')) return packages.get(name);
    const target = targetOf(from, name);
    const there = round.get(target);
    if (there) return there.exports;
    const module = { exports: {} as unknown };
    round.set(target, module);
    const plain = mutated === undefined || target === mutated ? undefined : plainScripts.get(target);
    const script = plain ?? (board.mutantCoverage ? scripts : trialScripts).get(target)!;
    script(module.exports as object, (inner) => need(target, inner), module);
    // Plain values instead of getters, which would slow every call: no module of ours imports in a circle or changes an export.
    if (target.endsWith('.ts')) module.exports = { __esModule: true, ...(module.exports as object) };
    return module.exports;
  };
  need('', `./${file}`);
  return tests;
}

/** Runs every test once, unchanged. Each file has its own modules, so that what one file has cached hides nothing. */
async function dry(tests: readonly string[]): Promise<Reply> {
  const seen = { static: {}, perTest: {} as Record<string, Record<string, number>> };
  board.mutantCoverage = seen;
  const covered: Covered[] = [];
  for (const file of tests) {
    board.currentTestId = undefined;
    const opening = `${file} opening`;
    for (const [number, { name, open, run }] of testsIn(file, new Map()).entries()) {
      const id = `${file} ${number}`;
      const start = performance.now();
      try {
        board.currentTestId = opening;
        await open();
        board.currentTestId = id;
        await run();
      } catch (error) {
        return { kind: 'failed', test: `${file}: ${name}`, message: String(error) };
      }
      const milliseconds = performance.now() - start;
      covered.push({ file, number, milliseconds, hits: seen.perTest[id] ?? {}, opening: seen.perTest[opening] ?? {} });
    }
  }
  board.currentTestId = undefined;
  board.mutantCoverage = undefined;
  return { kind: 'covered', whileLoading: seen.static, covered };
}

/** Modules that stay loaded from one mutant to the next, with the tests of each file. */
interface Warm {
  round: Round;
  loaded: Map<string, CollectedTest[]>;
}
const newWarm = (): Warm => ({ round: new Map(), loaded: new Map() });
let warm = newWarm();
/** So many of the quickest tests are tried in warm modules before all are in fresh ones. */
const WARM_TESTS = 40;

function testOf(given: Warm, { file, number }: TestId, mutated?: string): CollectedTest {
  let tests = given.loaded.get(file);
  if (!tests) {
    tests = testsIn(file, given.round, mutated);
    given.loaded.set(file, tests);
  }
  return tests[number]!;
}

/** The first of the tests that fails; undefined when none does. */
async function firstFailure(tests: readonly TestId[], find: (test: TestId) => CollectedTest) {
  for (const test of tests) {
    let name = 'while loading';
    try {
      const found = find(test);
      name = found.name;
      await found.run();
    } catch (error) {
      const loop = (board.hitCount ?? 0) > (board.hitLimit ?? 0) || String(error).includes('Hit count limit');
      return { test, by: `${test.file}: ${name}`, loop };
    }
  }
  return undefined;
}

/**
 * A mutant met only by tests is tried in warm modules first: it has died there if a test fails with it and passes without.
 * Whatever else comes out may be due to something kept in a module, and is tried again in fresh ones.
 */
async function triedWarm({ id, hitLimit, tests }: Extract<Request, { kind: 'mutant' }>): Promise<Reply | undefined> {
  Object.assign(board, { hitCount: 0, hitLimit, activeMutant: undefined });
  for (const test of tests.slice(0, WARM_TESTS)) testOf(warm, test);
  board.activeMutant = id;
  const failed = await firstFailure(tests.slice(0, WARM_TESTS), (test) => testOf(warm, test));
  board.activeMutant = undefined;
  if (!failed) return undefined;
  const clean = await firstFailure([failed.test], (test) => testOf(warm, test));
  if (!clean) return { kind: 'tried', by: failed.by, loop: failed.loop };
  warm = newWarm();
  return undefined;
}

async function tryMutant(request: Extract<Request, { kind: 'mutant' }>): Promise<Reply> {
  const { id, file, hitLimit, tests, whileLoading } = request;
  const early = whileLoading ? undefined : await triedWarm(request);
  if (early) return early;
  Object.assign(board, { hitCount: 0, hitLimit, activeMutant: id });
  const fresh = newWarm();
  const failed = await firstFailure(tests, (test) => testOf(fresh, test, file));
  board.activeMutant = undefined;
  return { kind: 'tried', by: failed?.by, loop: failed?.loop ?? false };
}

async function answer(request: Request): Promise<Reply> {
  if (request.kind === 'dry') return dry(request.tests);
  if (request.kind === 'mutant') return tryMutant(request);
  await load(request.modules, request.plain);
  return { kind: 'loaded' };
}

process.on('message', (request: Request) => {
  answer(request).then(
    (reply) => process.send!(reply),
    (error: unknown) => {
      console.error(error);
      process.exit(1);
    },
  );
});
