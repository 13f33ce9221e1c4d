import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newSystem } from '../../src/cli/new-system.ts';
import { functionsOf, importsOf } from '../helpers/source.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
let folder = '';

beforeAll(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'fieldpost-new-'));
  for (const file of ['src/systems/index.ts', 'test/helpers/tiny.ts', 'test/helpers/templates/en/tiny.json']) {
    fs.mkdirSync(path.join(folder, path.dirname(file)), { recursive: true });
    fs.copyFileSync(path.join(ROOT, file), path.join(folder, file));
  }
});
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

test('a new system is written, registered, and keeps to the house rules of a system', () => {
  const written = newSystem(folder, 'bulge', 'BLG');
  expect(written).toEqual([
    'src/systems/bulge/system.ts',
    'scenarios/bulge/scenario-first.json',
    'templates/en/bulge.json',
    'src/systems/index.ts',
  ]);
  const text = fs.readFileSync(path.join(folder, 'src/systems/bulge/system.ts'), 'utf8');
  expect(text).toContain("id: 'bulge'");
  expect(text).toContain("prefix: 'BLG'");
  expect(text).not.toMatch(/tiny/i);
  expect(
    importsOf(text)
      .map(({ specifier }) => specifier)
      .every((one) => one.startsWith('../../kernel/')),
  ).toBe(true);
  expect(functionsOf(text).filter((one) => one.lines > 70)).toEqual([]);
  const index = fs.readFileSync(path.join(folder, 'src/systems/index.ts'), 'utf8');
  expect(index).toContain("import { bulge } from './bulge/system.ts';");
  expect(index).toContain('readonly GameSystem[] = [bulge, ');
});

test.each([
  ['Bulge', 'BLG', 'lower-case'],
  ['bulge', 'B', 'two to four letters'],
  ['overlord', 'BLG', 'already'],
  ['bulge', 'BLG', 'there already'],
])('refuses %s %s', (name, prefix, why) => {
  expect(() => newSystem(folder, name, prefix)).toThrow(why);
});
