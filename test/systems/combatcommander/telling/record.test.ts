/**
 * Two whole campaigns on record: one by players who send back edited forms, one by players who are often silent and leave it
 * to their doctrine. GOLDEN=write writes down what comes of the same orders now; read the diff before it is kept.
 */
import fs from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import type { Rules } from '../../../../src/kernel/types.ts';
import { replayRecord } from '../../../helpers/chronicle.ts';
import { rules } from '../../../helpers/combatcommander.ts';

test.each([
  ['C0.1a, C0.8: a campaign of edited forms', 'campaign-of-forms.txt', 'c'],
  ['C0.1a, C0.8: a campaign by doctrine', 'campaign-by-doctrine.txt', 'e'],
])('%s goes as it went', (_title, name, seed) => {
  const file = fileURLToPath(new URL(`../fixtures/${name}`, import.meta.url));
  const write = process.env.GOLDEN === 'write';
  const opening = { rules: rules as unknown as Rules, options: {}, seed };
  const now = replayRecord(opening, fs.readFileSync(file, 'utf8'), (block, then) => {
    if (!write) expect(block).toBe(then);
  });
  if (write) fs.writeFileSync(file, now);
});
