/** Plays every golden turn again. `BLESS=1` writes what comes out now, `NEXT=<folder>` makes the folder after it. */
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { openWording } from '../../src/render/words.ts';
import { openScenarios, SCENARIOS } from '../../src/scenarios.ts';
import { bless, makeNext, playFolder, turnFolders } from '../helpers/golden.ts';

const ROOT = fileURLToPath(new URL('./', import.meta.url));
const wording = openWording();
const store = openScenarios([SCENARIOS]);

/** `overlord/campaign/03-1.allied` -> its rules. */
function rulesFor(folder: string) {
  const [system, scenario] = path.relative(ROOT, folder).split(path.sep);
  return { system: system!, rules: store.open(`${system}/${scenario}`).rules };
}

const wanted = process.env.NEXT;
if (wanted) {
  test(`the turn after ${wanted}`, () => {
    const folder = path.resolve(wanted);
    const { system, rules } = rulesFor(folder);
    const made = makeNext(folder, playFolder(rules, wording, system, folder));
    expect(fs.existsSync(path.join(made, 'state.json'))).toBe(true);
  });
}

describe('golden turns', () => {
  test.each(turnFolders(ROOT).map((folder) => [path.relative(ROOT, folder), folder] as const))('%s', (_name, folder) => {
    const { system, rules } = rulesFor(folder);
    const golden = playFolder(rules, wording, system, folder);
    if (process.env.BLESS) bless(folder, golden);
    for (const [name, text] of Object.entries(golden.written)) {
      const file = path.join(folder, name);
      expect(fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : '(not blessed)', name).toBe(text);
    }
    // The next folder begins where this one ends.
    const number = Number(path.basename(folder).split('-')[0]) + 1;
    const next = turnFolders(path.dirname(folder)).find((other) => Number(path.basename(other).split('-')[0]) === number);
    if (next) expect(fs.readFileSync(path.join(next, 'state.json'), 'utf8')).toBe(golden.written['next.json']);
  });
});
