import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ledgers } from '../../src/cli/ledger.ts';
import { newSystem } from '../../src/cli/new-system.ts';
import { publicView, viewFor } from '../../src/kernel/view.ts';
import { renderSvg } from '../../src/render/sheet/svg.ts';
import { openWording, saidScene, TEMPLATES } from '../../src/render/words.ts';
import { systems } from '../../src/systems/index.ts';
import { type ForeignGame, foreignGame } from '../helpers/foreign.ts';
import { diceOf } from '../helpers/play.ts';
import { bare, divisions, functionsOf, importsOf } from '../helpers/source.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
/** What the rules' table of contents may take of a function, so that a game of natural size has room in it. */
const RULES_LINES_MAX = 35;
let game: ForeignGame;

const own = (file: string): string => fs.readFileSync(path.join(game.folder, file), 'utf8');
const sources = (): string[] => game.written.filter((file) => file.startsWith('src/systems/waterloo/'));

beforeAll(async () => {
  game = await foreignGame();
});
afterAll(() => fs.rmSync(game.folder, { recursive: true, force: true }));

describe('a game of which the house has never heard', () => {
  test('costs its own folders and its name in the list of games, nothing else', () => {
    const folders =
      /^(src\/systems\/waterloo\/|scenarios\/waterloo\/|test\/systems\/waterloo\/|templates\/en\/waterloo\.json$)/;
    expect(game.written.filter((file) => !folders.test(file))).toEqual(['src/systems/index.ts']);
    for (const needed of [
      'scenarios/waterloo/rules.tsv',
      'scenarios/waterloo/looks.json',
      'templates/en/waterloo.json',
    ])
      expect(game.written).toContain(needed);
    const there = fs.readdirSync(game.folder, { recursive: true, encoding: 'utf8' });
    const files = there
      .filter((file) => !file.startsWith('src/kernel') && fs.lstatSync(path.join(game.folder, file)).isFile())
      .sort();
    expect(files).toEqual([...game.written].sort());
  });

  test('stands last in the list: what plays the first game plays the same as before', () => {
    const index = own('src/systems/index.ts');
    const listed = /GameSystem\[\] = \[([^\]]*)\]/.exec(index)![1]!.split(', ');
    expect(listed).toEqual([...systems.map(({ id }) => id), 'waterloo']);
    const before = fs.readFileSync(path.join(ROOT, 'src/systems/index.ts'), 'utf8').split('\n');
    expect(index.split('\n').filter((line) => !before.includes(line)).length).toBe(2);
  });

  test('keeps the house rules of a system, and names no type that another game has', () => {
    const taken = fs
      .readdirSync(path.join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .flatMap((file) => typesOf(fs.readFileSync(path.join(ROOT, 'src', file), 'utf8')));
    for (const file of sources()) {
      const text = own(file);
      expect(text, file).not.toMatch(/tiny|TNY/i);
      const outside = importsOf(text).filter(
        ({ specifier }) => !/^(\.\.\/\.\.\/kernel|\.)\/[\w]+\.ts$/.test(specifier),
      );
      expect(outside, file).toEqual([]);
      expect(functionsOf(text).filter((one) => one.lines > 70)).toEqual([]);
      expect(divisions(text), file).toEqual([]);
      expect(typesOf(text).filter((name) => taken.includes(name))).toEqual([]);
    }
    const open = functionsOf(own('src/systems/waterloo/system.ts')).find(({ name }) => name === 'openWaterloo');
    expect(open!.lines).toBeLessThanOrEqual(RULES_LINES_MAX);
  });

  test('has a ledger that its own tests prove', () => {
    expect(ledgers(game.folder).map(({ count }) => count)).toEqual([
      { system: 'waterloo', rules: 4, proved: 4, notApplicable: 0, open: 0 },
    ]);
    expect(own('scenarios/waterloo/rules.tsv')).toContain('WAT-01');
    expect(own('test/systems/waterloo/race.test.ts')).toContain("test('WAT-01:");
  });

  test('is drawn in its own colours, under its own names, and tells nobody of a hand', () => {
    const { rules, scenario } = game.scenarios.open('waterloo/first');
    expect(scenario.sides.map(({ name, short }) => [name, short])).toEqual([
      ['French', 'FR'],
      ['Prussian', 'PR'],
    ]);
    const wording = openWording('en', [TEMPLATES, game.templates]);
    const state = rules.setup({}, diceOf('foreign', { n: 1, turn: 1, step: 'start' }));
    const drawn = (viewer: string): string =>
      renderSvg(
        saidScene(rules.scenes(viewer === 'public' ? publicView(state) : viewFor(state, viewer), [])[0]!, wording),
        {
          footer: '',
        },
      );
    expect(drawn('public')).toContain('#123c8c');
    expect(drawn('public')).toContain('#4b2f7d');
    const before = drawn('french');
    (state.hands.prussian as { jumps: number }).jumps = 7;
    expect(drawn('french')).toBe(before);
  });

  test('lint finds nothing wrong with its content', () => {
    expect(game.scenarios.lint()).toEqual([]);
  });
});

const typesOf = (text: string): string[] =>
  [...bare(text).matchAll(/^export (?:interface|type) (\w+)/gm)].map(([, name]) => name!);

test('the tests of a new game are those of the pattern', () => {
  const text = fs.readFileSync(path.join(ROOT, 'src/systems/tiny/tests/race.txt'), 'utf8');
  expect(text).toBe(fs.readFileSync(path.join(ROOT, 'test/systems/tiny/race.test.ts'), 'utf8'));
});

test.each([
  ['Waterloo', 'WTL', 'lower-case'],
  ['bulge', 'B', 'three letters'],
  ['bulge', 'BL', 'three letters'],
  ['bulge', 'BULG', 'three letters'],
  ['overlord', 'BLG', 'already'],
  ['bulge', 'OVL', 'already'],
  ['tiny', 'BLG', 'already'],
  ['waterloo', 'WTL', 'there already'],
])('refuses %s %s and writes nothing', (name, prefix, why) => {
  const before = fs.readdirSync(game.folder, { recursive: true }).length;
  expect(() => newSystem(game.folder, name, prefix)).toThrow(why);
  expect(fs.readdirSync(game.folder, { recursive: true }).length).toBe(before);
});
