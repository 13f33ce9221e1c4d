/** The sample scenes of the gallery: the set-up of every scenario of every system, composed scenes, and a made-up large map. */

import fs from 'node:fs';
import type { Dice, MapScene } from '../../src/kernel/types.ts';
import { viewFor } from '../../src/kernel/view.ts';
import { openWording, saidScene } from '../../src/render/words.ts';
import { openScenarios, SCENARIOS } from '../../src/scenarios.ts';
import { syntheticScene } from '../render/synthetic.ts';

export interface Sample {
  name: string;
  what: string;
  scene: MapScene;
}

/** Dice that always fall the same way: the gallery needs positions, not fairness. */
const sameDice: Dice = {
  roll: (context, count, sides) => Array.from({ length: count }, (_, i) => 1 + ((context.length + i) % sides)),
  shuffle: (_context, items) => [...items],
  draw: () => {},
};

/** Composed scenes kept beside the tests. */
export const FIXTURES = ['overlord-setup', 'overlord-battle', 'dayofdays-a', 'normandie-village'] as const;

export function fixture(name: (typeof FIXTURES)[number]): MapScene {
  return JSON.parse(fs.readFileSync(new URL(`../render/fixtures/${name}.json`, import.meta.url), 'utf8')) as MapScene;
}

/** Every sample; a scenario that cannot be set up without choices is told on the console and left out. */
export function samples(): Sample[] {
  const out: Sample[] = FIXTURES.map((name) => ({ name, what: 'composed to show the marks', scene: fixture(name) }));
  const store = openScenarios([SCENARIOS]);
  const wording = openWording();
  for (const { id, title } of store.list()) {
    try {
      const { rules } = store.open(id);
      const scene = rules.scenes(viewFor(rules.setup({}, sameDice), 'public'), [])[0]!;
      const drawn = saidScene(scene, wording);
      out.push({ name: `scenario-${id.replaceAll('/', '-')}`, what: `${title}, set-up, public view`, scene: drawn });
    } catch (fault) {
      console.log(`${id}: no picture (${fault instanceof Error ? fault.message : String(fault)})`);
    }
  }
  out.push({
    name: 'synthetic-2000',
    what: 'made-up map, 2,000 hexes, 500 counters',
    scene: syntheticScene(50, 40, 500),
  });
  return out;
}
