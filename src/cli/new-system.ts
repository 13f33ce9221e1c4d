/**
 * `fieldpost new-system`: a fifth game begins as the example of the tests under a name of its own. What it writes passes the
 * contract every game must pass (test/systems/every-system.test.ts); from there on it is the author's.
 */
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import { Fault } from '../kernel/assert.ts';
import { systems } from '../systems/index.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const EXAMPLE = 'test/helpers/tiny.ts';
const EXAMPLE_WORDS = 'test/helpers/templates/en/tiny.json';

/** Adds the verb to the command line. */
export function newSystemVerb(program: Command): void {
  program
    .command('new-system')
    .description('begin a new game: a folder in src/systems that passes the contract, to be changed from there')
    .argument('<name>', 'lower case, such as bulge')
    .requiredOption('--prefix <letters>', 'two to four letters for game references, such as BLG')
    .option('--into <folder>', 'root of a checkout', ROOT)
    .action((name: string, flags: { prefix: string; into: string }) => {
      const written = newSystem(flags.into, name, flags.prefix.toUpperCase());
      process.stdout.write(`${written.join('\n')}\nNow: npx vitest run test/systems/every-system.test.ts -t ${name}\n`);
    });
}

/** Writes the files of a new system below a checkout's root; returns their names. Throws one clear line when it can't be. */
export function newSystem(root: string, name: string, prefix: string): string[] {
  if (!/^[a-z][a-z0-9]{2,30}$/.test(name))
    throw new Fault(`"${name}": a system's name is lower-case letters and digits`);
  if (!/^[A-Z]{2,4}$/.test(prefix)) throw new Fault(`"${prefix}": a prefix is two to four letters`);
  if (systems.some((system) => system.id === name || system.prefix === prefix))
    throw new Fault(`there is a game ${name} or a prefix ${prefix} already`);
  const folder = path.join(root, 'src/systems', name);
  if (fs.existsSync(folder)) throw new Fault(`src/systems/${name} is there already`);
  const example = path.join(root, EXAMPLE);
  if (!fs.existsSync(example)) throw new Fault(`${EXAMPLE} is missing: new-system wants a whole checkout`);
  const files: Record<string, string> = {
    [`src/systems/${name}/system.ts`]: renamed(fs.readFileSync(example, 'utf8'), name, prefix),
    [`scenarios/${name}/scenario-first.json`]: `${JSON.stringify({ format: 1, source: 'example', squares: 12 }, null, 2)}\n`,
    [`templates/en/${name}.json`]: fs.readFileSync(path.join(root, EXAMPLE_WORDS), 'utf8'),
  };
  for (const [file, text] of Object.entries(files)) {
    fs.mkdirSync(path.join(root, path.dirname(file)), { recursive: true });
    fs.writeFileSync(path.join(root, file), text);
  }
  const index = 'src/systems/index.ts';
  const registered = register(fs.readFileSync(path.join(root, index), 'utf8'), name);
  fs.writeFileSync(path.join(root, index), registered);
  return [...Object.keys(files), index];
}

/** The example under another name, without what only tests need. */
function renamed(example: string, name: string, prefix: string): string {
  const type = name[0]!.toUpperCase() + name.slice(1);
  const own = example
    .slice(0, example.indexOf('/** The one scenario of the example'))
    .replace(/import \{ fileURLToPath \} from 'node:url';\n/, '')
    .replaceAll('../../src/kernel/', '../../kernel/')
    .replaceAll("'TNY'", `'${prefix}'`)
    .replaceAll('openTiny', `open${type}`)
    .replaceAll('Tiny', type)
    .replace(/\btiny\b/g, name);
  return own
    .replace(
      /^\/\*\*[\s\S]*?\*\/\n/,
      `/** ${type}: begun from the example, a race of two runners. Put your own rules in its place. */\n`,
    )
    .trimEnd()
    .concat('\n');
}

/** The line of the new system in the list of all. */
function register(index: string, name: string): string {
  const line = `import { ${name} } from './${name}/system.ts';\n`;
  const imports = index.lastIndexOf("/system.ts';\n");
  const at = imports < 0 ? index.indexOf('\n\n') + 1 : imports + "/system.ts';\n".length;
  const added = index.slice(0, at) + line + index.slice(at);
  return added.replace(/(export const systems: readonly GameSystem\[\] = \[)/, `$1${name}, `);
}
