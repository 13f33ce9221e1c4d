/** Three battles on record, one in each mode of ordering, by players who order anything that might be legal. */
import { test } from 'vitest';
import type { Rules } from '../../../../src/kernel/types.ts';
import { normandie } from '../../../../src/systems/normandie/system.ts';
import { expectAsRecorded } from '../../../helpers/chronicle.ts';
import { normandieScenario } from '../../../helpers/normandie.ts';

test.each([
  ['church', 'sealed', 'a'],
  ['hill88', 'one-mail', 'b'],
  ['free-village', 'placed', 'c'],
])('3-a %s, %s: the battle goes as it went', (scenario, mode, seed) => {
  const rules = normandie.open(normandieScenario(scenario)) as unknown as Rules;
  expectAsRecorded({ rules, options: { mode }, seed }, new URL(`../fixtures/${scenario}.txt`, import.meta.url));
});
