import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { drawn, mutantsOf, names, readEquivalents } from './mutants.ts';
import { tryMutants } from './trial.ts';

const RULE = `export const STACK_MAX = 2 + 1;
export function mayStack(units: number): boolean {
  return units <= STACK_MAX;
}
export function unproved(units: number): boolean {
  return units > 7;
}
export function halved(units: number): number {
  let rounds = 0;
  while (rounds * 2 < units) rounds++;
  return rounds;
}
`;
const TEST = `import { beforeAll, describe, expect, test } from 'vitest';
import { halved, mayStack } from '../../../src/systems/small/stack.ts';
describe('stacking', () => {
  let units = 0;
  beforeAll(() => { units = 3; });
  test.each([[1], [2]])('%d may stack', (number) => { expect(mayStack(number)).toBe(true); });
  test('three may', async () => { expect(mayStack(units)).toBe(true); });
  test('four not', () => { expect(mayStack(units + 1)).toBe(false); });
  test('half of five', { timeout: 5000 }, () => { expect(halved(5)).toBe(3); });
});
`;
const root = fs.mkdtempSync(path.join(os.tmpdir(), 'fieldpost-mutate-'));
for (const [file, text] of [
  ['src/systems/small/stack.ts', RULE],
  ['src/systems/small/bot/planner.ts', RULE],
  ['test/systems/small/stack.test.ts', TEST],
] as const) {
  fs.mkdirSync(path.join(root, path.dirname(file)), { recursive: true });
  fs.writeFileSync(path.join(root, file), text);
}
afterAll(() => fs.rmSync(root, { recursive: true, force: true }));

test('a change that a test notices dies, at run time, while loading and in a loop; others are told', async () => {
  const { mutants, sources } = await mutantsOf(root, 'src/systems/small');
  const { verdicts, tests } = await tryMutants(root, 'test/systems/small', mutants, sources, () => undefined);
  const fates = verdicts.map(({ mutant, fate }) => [mutant.from, mutant.to, fate]);
  expect(tests).toBe(5);
  expect(fates).toContainEqual(['2 + 1', '2 - 1', 'killed']);
  expect(fates).toContainEqual(['units <= STACK_MAX', 'units < STACK_MAX', 'killed']);
  expect(fates).toContainEqual(['units > 7', 'units >= 7', 'no coverage']);
  expect(fates).toContainEqual(['rounds++', 'rounds--', 'timeout']);
  expect(fates).toContainEqual(['rounds * 2 < units', 'rounds * 2 <= units', 'survived']);
});

test('a test that fails without any change is named', async () => {
  const { mutants, sources } = await mutantsOf(root, 'src/systems/small');
  fs.writeFileSync(
    path.join(root, 'test/systems/small/wrong.test.ts'),
    TEST.replace('toBe(3)', 'toBe(4)').replace('half of five', 'half of five, wrongly'),
  );
  try {
    const trial = tryMutants(root, 'test/systems/small', mutants, sources, () => undefined);
    await expect(trial).rejects.toThrow(
      'fails without any change: test/systems/small/wrong.test.ts: stacking half of five',
    );
  } finally {
    fs.rmSync(path.join(root, 'test/systems/small/wrong.test.ts'));
  }
});

test('players by rule are no rules: what they think is not changed', async () => {
  const { mutants } = await mutantsOf(root, 'src/systems/small');
  expect([...new Set(mutants.map(({ file }) => file))]).toEqual(['src/systems/small/stack.ts']);
});

test('the same seed draws the same, another seed others', async () => {
  const { mutants } = await mutantsOf(root, 'src/systems/small/stack.ts');
  expect(drawn(mutants, 1, 5)).toHaveLength(5);
  expect(drawn(mutants, 1, 5)).toEqual(drawn(mutants, 1, 5));
  expect(drawn(mutants, 2, 5)).not.toEqual(drawn(mutants, 1, 5));
  expect(drawn(mutants, 1, 1000)).toEqual(mutants);
});

test('an equivalent is named by its text and needs a reason', async () => {
  const { mutants } = await mutantsOf(root, 'src/systems/small/stack.ts');
  const row = 'src/systems/small/stack.ts\treturn units > 7;\tunits > 7\tunits >= 7\tnobody has seven';
  const [equivalent] = readEquivalents(`file\tcode\tfrom\tto\treason\n${row}\n`);
  expect(mutants.filter((mutant) => names(equivalent!, mutant))).toHaveLength(1);
  expect(() => readEquivalents(`head\n${row.replace('nobody has seven', '')}`)).toThrow('not five columns');
});
