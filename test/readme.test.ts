/** What the README says is so: commands, settings, verbs, and the script that checks dice. */
import { execFile, execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SETTINGS } from '../src/config.ts';
import { earlierKey } from '../src/kernel/dice.ts';
import { fieldpost } from './helpers/cli.ts';
import { recordedRace } from './helpers/recorded.ts';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const readme = fs.readFileSync(path.join(ROOT, 'README.md'), 'utf8');
const run = promisify(execFile);

/** Cells of the table under a heading, without its head. */
function tableUnder(heading: string): string[][] {
  const section = readme.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';
  const rows = section.split('\n').filter((line) => line.startsWith('|'));
  return rows.slice(2).map((row) =>
    row
      .slice(1, -1)
      .split(' | ')
      .map((cell) => cell.trim()),
  );
}

test('the settings are those that are read, with the same words', () => {
  expect(tableUnder('Settings')).toEqual(SETTINGS.map(({ name, fallback, help }) => [`\`${name}\``, fallback, help]));
});

test('the verbs are those of the command line, with the same words', async () => {
  const { stdout } = await fieldpost(['--help'], { cwd: os.tmpdir() });
  const listed = stdout.split('\nCommands:\n')[1] ?? '';
  // A line that begins deeper continues the one above.
  const commands = listed
    .trimEnd()
    .replace(/\n {10,}/g, ' ')
    .split('\n')
    .map((line) => {
      const [, verb, help] = /^ {2}(\S+)(?: \S+)*? {2,}(.*)$/.exec(line) ?? [];
      return [`\`${verb}\``, help];
    });
  expect(tableUnder('Verbs')).toEqual(commands.filter(([verb]) => verb !== '`help`'));
});

test('the commands it names are there', () => {
  const { scripts } = JSON.parse(fs.readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as { scripts: object };
  for (const name of ['start', 'test']) expect(Object.keys(scripts)).toContain(name);
  expect(readme).toContain('    npm ci\n    npm start\n');
  expect(readme).toContain('    npm ci\n    npm test\n');
  const ci = fs.readFileSync(path.join(ROOT, '.ci/run'), 'utf8');
  expect(ci).toMatch(/^npm ci /m);
  expect(ci).toMatch(/ npm test$/m);
  for (const name of readme.matchAll(/`((?:src|test|scenarios|templates|migrations|\.ci)\/[\w./-]*[\w/])`/g))
    if (!name[1]!.includes('NAME')) expect(fs.existsSync(path.join(ROOT, name[1]!)), name[1]).toBe(true);
});

test('the credits stand in it', () => {
  expect(readme.replaceAll('\n', ' ')).toContain(
    'Contains IGN Admin Express / Geofla data (Licence Ouverte Etalab) and GeoNames data (CC BY 4.0)',
  );
  for (const font of ['Alegreya', 'Alegreya Sans', 'Barlow Condensed', 'DejaVu']) expect(readme).toContain(font);
});

test('.ci/run is a script that bash understands', () => {
  expect(() => execFileSync('bash', ['-n', path.join(ROOT, '.ci/run')])).not.toThrow();
});

describe('the script that checks dice', () => {
  let folder: string;
  let script: string;
  const block = readme.split('```python\n')[1]?.split('```')[0] ?? '';
  const check = async (...args: (string | number)[]): Promise<string[]> =>
    (await run('python3', [script, ...args.map(String)])).stdout.trim().split('\n');

  beforeAll(() => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'fieldpost-readme-'));
    script = path.join(folder, 'check_dice.py');
    fs.writeFileSync(script, block);
  });
  afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

  test('has ten lines, and is the one that goes out with exported games', () => {
    const lines = block
      .trimEnd()
      .split('\n')
      .filter((line) => !line.startsWith('#'));
    expect(lines).toHaveLength(10);
    expect(block).toBe(fs.readFileSync(path.join(ROOT, 'templates/en/bundle/check_dice.py'), 'utf8'));
  });

  test('gives the published rolls', async () => {
    const [, dice] = await check(`${'00'.repeat(31)}2a`, 0, 'game42/turn7/combat3', 12, 6);
    expect(dice).toBe('dice: 3 5 5 4 5 3 6 4 1 2 5 6');
  });

  test('from the last key of a game alone it recomputes every open die, back to the head of the first mail', async () => {
    const game = recordedRace(true);
    const done = game.phases.filter((phase) => phase.openKey !== null);
    const last = done.at(-1)!;
    let dice = 0;
    for (const phase of done)
      for (const roll of phase.dice ?? []) {
        if (roll.secret) continue;
        const back = last.snapshot.phase.n - phase.snapshot.phase.n;
        const said = await check(last.openKey!, back, roll.context, roll.rolls.length, roll.sides);
        const before = earlierKey(Buffer.from(phase.openKey!, 'hex'), 1).toString('hex');
        expect(said).toEqual([`the key before it: ${before}`, `dice: ${roll.rolls.join(' ')}`]);
        dice += roll.rolls.length;
      }
    expect(dice).toBeGreaterThan(2);
    const head = game.chains.find((chain) => chain.kind === 'open')!.head;
    expect((await check(last.openKey!, last.snapshot.phase.n - 1, 'x', 1, 6))[0]).toBe(`the key before it: ${head}`);
  });
});
