/** Every ruling of the file is shown by RULINGS, in the words of the file. */

import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { openWording } from '../../../../src/render/words.ts';
import { openScenarios, SCENARIOS } from '../../../../src/scenarios.ts';

test('RULINGS shows what rulings.json holds, each once and in its words', () => {
  const file = JSON.parse(fs.readFileSync(path.join(SCENARIOS, 'normandie', 'rulings.json'), 'utf8')) as {
    rulings: { id: string; about: string; text: string }[];
  };
  const wording = openWording();
  const shown = openScenarios([SCENARIOS])
    .open('normandie/orchard')
    .rules.rulings?.map((ruling) => wording.say(ruling));
  expect(shown).toEqual(file.rulings.map(({ id, about, text }) => `${id} ${about}: ${text}`));
  expect(new Set(file.rulings.map(({ id }) => id)).size).toBe(file.rulings.length);
});
