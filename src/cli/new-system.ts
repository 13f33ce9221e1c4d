/**
 * `fieldpost new-system`: a new game begins as a copy of the smallest one (src/systems/tiny) under a name of its own, with
 * scenario, looks, ledger, wording and tests. What it writes passes the contract every game must pass
 * (test/systems/every-system.test.ts); from there on it is the author's.
 */
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import { Fault } from '../kernel/assert.ts';
import { systems } from '../systems/index.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const PATTERN = fileURLToPath(new URL('../systems/tiny/', import.meta.url));
const INDEX = 'src/systems/index.ts';

/** Adds the verb to the command line. */
export function newSystemVerb(program: Command): void {
  program
    .command('new-system')
    .description('begin a new game: a folder in src/systems that passes the contract, to be changed from there')
    .argument('<name>', 'lower case, such as bulge')
    .requiredOption('--prefix <letters>', 'the three letters of game references, such as BLG')
    .option('--into <folder>', 'root of a checkout', ROOT)
    .action((name: string, flags: { prefix: string; into: string }) => {
      const written = newSystem(flags.into, name, flags.prefix.toUpperCase());
      const next = `npx vitest run test/systems/${name} test/systems/every-system.test.ts -t ${name}`;
      process.stdout.write(`${written.join('\n')}\nNow: ${next}\n`);
    });
}

/** Writes the files of a new system below a checkout's root; returns their names. Throws one clear line when it can't be. */
export function newSystem(root: string, name: string, prefix: string): string[] {
  if (!/^[a-z][a-z0-9]{2,30}$/.test(name))
    throw new Fault(`"${name}": a system's name is lower-case letters and digits`);
  if (!/^[A-Z]{3}$/.test(prefix)) throw new Fault(`"${prefix}": a prefix is three letters`);
  if (name === 'tiny' || systems.some((system) => system.id === name || system.prefix === prefix))
    throw new Fault(`there is a game ${name} or a prefix ${prefix} already`);
  for (const folder of [`src/systems/${name}`, `scenarios/${name}`, `test/systems/${name}`])
    if (fs.existsSync(path.join(root, folder))) throw new Fault(`${folder} is there already`);
  const index = path.join(root, INDEX);
  if (!fs.existsSync(index)) throw new Fault(`${INDEX} is missing: new-system wants a whole checkout`);
  const copied = patternFiles().map(([from, to]): [string, string] => [
    to.replaceAll('NAME', name),
    renamed(fs.readFileSync(path.join(PATTERN, from), 'utf8'), name, prefix),
  ]);
  for (const [file, text] of copied) {
    fs.mkdirSync(path.join(root, path.dirname(file)), { recursive: true });
    fs.writeFileSync(path.join(root, file), text);
  }
  fs.writeFileSync(index, register(fs.readFileSync(index, 'utf8'), name));
  return [...copied.map(([file]) => file), INDEX];
}

/** The files of the pattern, and where each goes. */
function patternFiles(): [from: string, to: string][] {
  const own = fs.readdirSync(PATTERN).filter((file) => file.endsWith('.ts'));
  if (own.length === 0) throw new Fault('the sources of the pattern are missing: new-system wants a whole checkout');
  return [
    ...own.map((file): [string, string] => [file, `src/systems/NAME/${file}`]),
    ...fs
      .readdirSync(path.join(PATTERN, 'content'))
      .map((file): [string, string] => [`content/${file}`, `scenarios/NAME/${file}`]),
    ['templates/en/tiny.json', 'templates/en/NAME.json'],
    ['tests/race.txt', 'test/systems/NAME/race.test.ts'],
  ];
}

/** The example under another name. */
function renamed(text: string, name: string, prefix: string): string {
  const type = name[0]!.toUpperCase() + name.slice(1);
  return text
    .replace(
      / \* The smallest game[\s\S]*?its copy\.\n/,
      ` * ${type}: begun as a race of two runners. Put your own rules in its place.\n`,
    )
    .replaceAll("'TNY'", `'${prefix}'`)
    .replaceAll('TINY-', `${prefix}-`)
    .replaceAll("title: 'Race'", `title: '${type}'`)
    .replaceAll("title: 'A race'", `title: '${type}'`)
    .replaceAll('Tiny', type)
    .replace(/\btiny\b/g, name);
}

/** The line of the new system in the list of all: at the end, since the first is the one that newcomers meet. */
function register(index: string, name: string): string {
  const line = `import { ${name} } from './${name}/system.ts';\n`;
  const lines = [...index.matchAll(/^import .*\/system\.ts';\n/gm)];
  const after = lines.find((known) => known[0] > line) ?? undefined;
  const last = lines.at(-1);
  const at = after ? after.index : last ? last.index + last[0].length : index.indexOf('\n\n') + 1;
  const added = index.slice(0, at) + line + index.slice(at);
  return added.replace(
    /(export const systems: readonly GameSystem\[\] = \[)([^\]]*)\]/,
    (_, head: string, known: string) => {
      const games = known
        .split(',')
        .map((game) => game.trim())
        .filter((game) => game !== '');
      return `${head}${[...games, name].join(', ')}]`;
    },
  );
}
