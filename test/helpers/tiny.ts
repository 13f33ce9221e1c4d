/** The smallest game (src/systems/tiny) as tests use it: its one scenario and its wording. */
import fs from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Scenario } from '../../src/kernel/types.ts';
import { openContent } from '../../src/scenarios.ts';
import { tiny } from '../../src/systems/tiny/system.ts';

export type { Tiny } from '../../src/systems/tiny/types.ts';
export { tiny };

const FOLDER = new URL('../../src/systems/tiny/', import.meta.url);

/** Its names and colours. */
export const TINY_LOOKS: unknown = JSON.parse(fs.readFileSync(new URL('./content/looks.json', FOLDER), 'utf8'));

/** The one scenario of the example, read as the service would read it. */
export function tinyScenario(squares = 6): Scenario {
  return openContent(tiny, 'tiny/race', { 'scenario-race.json': { squares } }, TINY_LOOKS).scenario;
}

/** The example's wording, to be laid over ours: `openWording('en', [TEMPLATES, TINY_TEMPLATES])`. */
export const TINY_TEMPLATES = fileURLToPath(new URL('./templates/', FOLDER));
