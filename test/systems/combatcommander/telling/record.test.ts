/** Two whole campaigns on record: by edited forms, and by players who are often silent and leave it to their doctrine. */
import { test } from 'vitest';
import type { Rules } from '../../../../src/kernel/types.ts';
import { expectAsRecorded } from '../../../helpers/chronicle.ts';
import { rules } from '../../../helpers/combatcommander.ts';

test.each([
  ['C0.1a, C0.8: a campaign of edited forms', 'campaign-of-forms.txt', 'c'],
  ['C0.1a, C0.8: a campaign by doctrine', 'campaign-by-doctrine.txt', 'e'],
])('%s goes as it went', (_title, name, seed) => {
  const opening = { rules: rules as unknown as Rules, options: {}, seed };
  expectAsRecorded(opening, new URL(`../fixtures/${name}`, import.meta.url));
});
