/** Which option fits which slot: the stripes of every side must be among those that frame it (2.1-k, HON-F13). */

import { expect, test } from 'vitest';
import { armyFaults } from '../../../../src/systems/normandie/content/lint.ts';
import type { Data, OptionKind, Tile } from '../../../../src/systems/normandie/data.ts';
import { battleData } from '../../../helpers/normandie-battle.ts';

const FRAMES = ['us-green', 'us-blue', 'us-gen'] as const;

/** All subsets of the stripes, the empty one too. */
const SUBSETS = Array.from({ length: 2 ** FRAMES.length }, (_, bits) => FRAMES.filter((_each, i) => bits & (1 << i)));

function fault(stripes: readonly string[], frame: readonly string[], side: 'us' | 'ge' = 'us'): string | undefined {
  const slot = { id: 'A', stripes: [...frame], kinds: ['gear' as OptionKind], unlock: null };
  const data: Data = battleData({ units: {}, tiles: [{ side, slots: [slot] } as Partial<Tile>] });
  data.options = [
    { id: 'kit', kind: 'gear', sides: ['us', 'ge'], cost: 0, stripes: [...stripes], markers: 1, abilities: {} },
  ];
  const army = [{ tile: data.tiles.at(-1)!.id, slots: { A: 'kit' } }];
  return armyFaults(data, side, army, null).find((each) => each.params.slot === 'A')?.words;
}

test('HON-F13 2.1-k: framed green alone an option green and blue does not fit', () => {
  expect(fault(['us-green', 'us-blue'], ['us-green'])).toBe('kit does not go into slot A of t0: stripe');
  expect(fault(['us-green', 'us-blue'], ['us-green', 'us-blue'])).toBeUndefined();
});

test('HON-F13 every frame against every set of stripes: all of them must be there', () => {
  for (const stripes of SUBSETS)
    for (const frame of SUBSETS) {
      const fits = stripes.length > 0 && stripes.every((stripe) => frame.includes(stripe));
      expect([stripes, frame, fault(stripes, frame) === undefined]).toEqual([stripes, frame, fits]);
    }
});

test('an option of both armies has the stripes of the army that recruits it', () => {
  expect(fault(['us-gen', 'ge-gen'], ['us-gen'])).toBeUndefined();
  expect(fault(['us-gen', 'ge-gen'], ['ge-gen'], 'ge')).toBeUndefined();
  expect(fault(['us-gen', 'ge-gen'], ['ge-cmd'], 'ge')).toBe('kit does not go into slot A of t0: stripe');
  expect(fault(['us-gen'], ['ge-gen'], 'ge')).toBe('kit does not go into slot A of t0: stripe');
});
