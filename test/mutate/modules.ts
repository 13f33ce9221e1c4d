/**
 * The sources a run needs, as scripts that can be started again and again in one process: TypeScript is stripped, imports
 * become calls of `require`. So every mutant meets freshly loaded modules without a new process and without reading a file.
 */
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { transform } from 'esbuild';

/** Relative path of a module, its script, and what it imports: paths of ours, and names of packages. */
export interface ModuleScript {
  file: string;
  script: string;
  ours: string[];
  packages: string[];
}

const MODULES_MAX = 2_000;
/** Code behind these needs a database, a mail server or a page; no test of rules does. */
const OUT_OF_REACH = /^src\/(store|web|cli)\//;

/**
 * Every test below `folder` that reaches one of `mutated` and no database, with all the modules it needs; `plain` are those
 * of `mutated` as they stand in the files.
 */
export async function testsOf(
  root: string,
  folder: string,
  mutated: ReadonlyMap<string, string>,
): Promise<{ tests: string[]; modules: ModuleScript[]; plain: ModuleScript[] }> {
  const known = new Map<string, ModuleScript>();
  const tests: string[] = [];
  for (const test of filesBelow(root, folder).filter((file) => file.endsWith('.test.ts'))) {
    const reached = await reachedFrom(root, test, known, mutated);
    if (reached.some((file) => OUT_OF_REACH.test(file))) continue;
    if (reached.some((file) => mutated.has(file))) tests.push(test);
  }
  const needed = new Set<string>();
  for (const test of tests) for (const file of await reachedFrom(root, test, known, mutated)) needed.add(file);
  const plain = [...needed].filter((file) => mutated.has(file)).map((file) => scriptOf(root, file, undefined));
  return { tests, modules: [...needed].sort().map((file) => known.get(file)!), plain: await Promise.all(plain) };
}

/** Players by rule decide nothing in a game: what they think of a position is no rule to be proved. */
const NO_RULES = 'bot';

/** TypeScript sources and tests below a folder, players by rule left out, or the file itself, in name order. */
export function filesBelow(root: string, name: string): string[] {
  const full = path.join(root, name);
  if (!fs.existsSync(full)) return [];
  if (fs.statSync(full).isFile()) return name.endsWith('.ts') ? [name] : [];
  return fs
    .readdirSync(full, { withFileTypes: true })
    .filter((entry) => !entry.isDirectory() || entry.name !== NO_RULES)
    .flatMap((entry) => filesBelow(root, path.posix.join(name, entry.name)))
    .sort();
}

async function reachedFrom(
  root: string,
  start: string,
  known: Map<string, ModuleScript>,
  mutated: ReadonlyMap<string, string>,
): Promise<string[]> {
  const seen = new Set([start]);
  const queue = [start];
  for (let file = queue.pop(); file !== undefined; file = queue.pop()) {
    if (seen.size > MODULES_MAX) throw new Error(`${start} reaches more than ${MODULES_MAX} modules`);
    let module = known.get(file);
    if (!module) {
      module = await scriptOf(root, file, mutated.get(file));
      known.set(file, module);
    }
    for (const target of module.ours) {
      if (seen.has(target)) continue;
      seen.add(target);
      queue.push(target);
    }
  }
  return [...seen];
}

async function scriptOf(root: string, file: string, changed: string | undefined): Promise<ModuleScript> {
  const full = path.join(root, file);
  const text = changed ?? fs.readFileSync(full, 'utf8');
  if (file.endsWith('.json')) return { file, script: `module.exports = ${text};`, ours: [], packages: [] };
  const { code } = await transform(text, {
    loader: 'ts',
    format: 'cjs',
    platform: 'node',
    target: 'node20',
    sourcefile: file,
    define: { 'import.meta.url': JSON.stringify(pathToFileURL(full).href) },
  });
  const names = [...code.matchAll(/\brequire\("([^"]+)"\)/g)].map(([, name]) => name!);
  return {
    file,
    script: code,
    ours: names.filter((name) => name.startsWith('.')).map((name) => targetOf(file, name)),
    packages: names.filter((name) => !name.startsWith('.')),
  };
}

/** The file a relative import points at. */
export function targetOf(file: string, name: string): string {
  return path.posix.join(path.posix.dirname(file), name);
}
