/** `npm run check`: the figures of the house, each of which has to be nought, and what is against them where one is not. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const VITEST = fileURLToPath(new URL('../node_modules/vitest/vitest.mjs', import.meta.url));
const TESTS = ['test/tidy.test.ts', 'test/house.test.ts', 'test/unmarked.test.ts'];
const FIGURES = [
  'circles',
  'upward imports',
  'folders over the limit',
  'exported type names used twice',
  'query-builder calls outside store',
  'unmarked words',
  'unused exports, files and packages',
];

const run = spawnSync(process.execPath, [VITEST, 'run', ...TESTS], { encoding: 'utf8' });
for (const name of FIGURES) {
  const value = new RegExp(`^${name}: (\\d+)$`, 'm').exec(run.stdout)?.[1];
  process.stdout.write(`${name} ${value ?? 'not counted'}\n`);
  if (value === undefined) process.exitCode = 1;
}
if (run.status !== 0) {
  process.stderr.write(`${run.stdout}${run.stderr}`);
  process.exitCode = 1;
}
