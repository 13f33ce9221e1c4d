/**
 * How much the tests of the rules notice: `npm run mutate -- FILE|FOLDER… [--seed S] [--sample N] [--least P]`. Small
 * changes ("mutants") are drawn from the sources by the seed, and each is given to the tests of the same folder; a mutant
 * that no test notices is printed with its place. Without a name: the rules folder of every game. See CONTRIBUTING.md.
 */
import fs from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { drawn, type Equivalent, type Mutant, mutantsOf, names, readEquivalents } from './mutants.ts';
import { type Fate, type Trial, tryMutants, type Verdict } from './trial.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const EQUIVALENTS = fileURLToPath(new URL('./equivalents.tsv', import.meta.url));
const SEEDS = 1_000_000;

/** Where the tests of a source stand: `test/systems/overlord` for whatever is below `src/systems/overlord`. */
function testFolderOf(name: string): string {
  const [, area, game] = /^src\/(\w+)(?:\/([\w-]+))?/.exec(name) ?? [];
  if (area === undefined) throw new Error(`${name} is not below src/`);
  return area === 'systems' && game ? `test/systems/${game}` : `test/${area}`;
}

function rulesFolders(): string[] {
  return fs
    .readdirSync(`${ROOT}src/systems`, { withFileTypes: true })
    .flatMap((entry) => (entry.isDirectory() ? [`src/systems/${entry.name}`] : []));
}

function placeOf({ file, line, column, mutator, from, to }: Mutant): string {
  const short = (text: string) => (text.length > 90 ? `${text.slice(0, 87)}...` : text);
  return `${file}:${line}:${column} ${mutator}  ${short(from)}  ->  ${short(to)}`;
}

/** Prints one folder's figures and survivors; gives back the share that died, equivalents left out, in percent. */
function print(name: string, all: number, trial: Trial, equivalents: readonly Equivalent[]): number {
  const isNamed = ({ mutant }: Verdict) => equivalents.some((equivalent) => names(equivalent, mutant));
  const [named, counted] = [trial.verdicts.filter(isNamed), trial.verdicts.filter((verdict) => !isNamed(verdict))];
  const dead = ({ fate }: Verdict) => fate === 'killed' || fate === 'timeout';
  const count = (fate: Fate) => counted.filter((verdict) => verdict.fate === fate).length;
  const percent = counted.length === 0 ? 100 : (100 * counted.filter(dead).length) / counted.length;
  for (const verdict of counted.filter((one) => !dead(one)))
    console.info(
      `  ${verdict.fate === 'survived' ? `survived ${verdict.tests} tests` : verdict.fate}: ${placeOf(verdict.mutant)}`,
    );
  for (const verdict of named.filter(dead))
    console.info(`  named as equivalent, but killed: ${placeOf(verdict.mutant)}`);
  console.info(
    `${name}: ${percent.toFixed(1)} % of ${counted.length} died: killed ${count('killed')}, timeouts ${count('timeout')}, ` +
      `survived ${count('survived')}, no coverage ${count('no coverage')}; ${named.length} equivalents left out ` +
      `(${all} mutants in all; ${trial.tests} tests in ${trial.testFiles} files)`,
  );
  return percent;
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      seed: { type: 'string' },
      sample: { type: 'string', default: '400' },
      least: { type: 'string', default: '90' },
      verbose: { type: 'boolean', default: false },
    },
  });
  const seed = Number(values.seed ?? Math.floor(Math.random() * SEEDS));
  const sample = values.sample === 'all' ? Number.MAX_SAFE_INTEGER : Number(values.sample);
  const equivalents = readEquivalents(fs.readFileSync(EQUIVALENTS, 'utf8'));
  console.info(`seed ${seed}, sample ${values.sample}`);
  for (const name of positionals.length > 0 ? positionals.map((one) => one.replace(/\/$/, '')) : rulesFolders()) {
    const { mutants, sources } = await mutantsOf(ROOT, name);
    if (mutants.length === 0) throw new Error(`${name}: no file, or nothing to change`);
    const stale = equivalents.filter((one) => sources.has(one.file) && !mutants.some((mutant) => names(one, mutant)));
    for (const { file, code, to } of stale)
      console.info(`  equivalents.tsv names what is no more: ${file}: ${code} -> ${to}`);
    const chosen = drawn(mutants, seed, sample);
    const told = (done: number, { fate, mutant, by }: Verdict): void => {
      if (values.verbose) console.info(`  ${fate} ${placeOf(mutant)}${by ? ` by ${by}` : ''}`);
      else if (process.stderr.isTTY) process.stderr.write(`\r${name}: ${done} of ${chosen.length}`);
    };
    const trial = await tryMutants(ROOT, testFolderOf(name), chosen, sources, told);
    if (process.stderr.isTTY) process.stderr.write('\r');
    if (print(name, mutants.length, trial, equivalents) < Number(values.least) || stale.length > 0)
      process.exitCode = 1;
  }
}

await main();
