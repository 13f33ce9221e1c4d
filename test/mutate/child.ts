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
    const script = plain ?? scripts.get(target)!;
    script(module.exports as object, (inner) => need(target, inner), module);
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
  return { kind: 'covered', whileLoading: seen.static, covered };
}

async function tryMutant(request: Extract<Request, { kind: 'mutant' }>): Promise<Reply> {
  const round: Round = new Map();
  const files = [...new Set(request.tests.map(({ file }) => file))];
  board.hitCount = 0;
  board.hitLimit = request.hitLimit;
  board.activeMutant = request.whileLoading ? request.id : undefined;
  let at = 'while loading';
  try {
    const loaded = new Map(files.map((file) => [file, testsIn(file, round, request.file)]));
    board.activeMutant = request.id;
    for (const { file, number } of request.tests) {
      const test = loaded.get(file)![number];
      at = `${file}: ${test?.name}`;
      await test!.run();
    }
    return { kind: 'tried', by: undefined, loop: false };
  } catch (error) {
    return {
      kind: 'tried',
      by: at,
      loop: board.hitCount > board.hitLimit || String(error).includes('Hit count limit'),
    };
  } finally {
    board.activeMutant = undefined;
  }
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
