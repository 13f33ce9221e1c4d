/** The short forms of abilities and terrain symbols in the scenario files. */
import type { Abilities, AbilityName, Class, TerrainSymbol } from '../data.ts';

const ABILITIES: readonly AbilityName[] = [
  'ambush',
  'amphibious',
  'anti-aircraft',
  'artillery-spotter',
  'assault',
  'autonomous',
  'crew',
  'destruction',
  'dual-weapon',
  'fire-on-the-move',
  'flamethrower',
  'frightening-shot',
  'howitzer',
  'indirect-fire',
  'limited-fire-arc',
  'limited-range',
  'limited-range-ignores-obstacles',
  'machine-gunner',
  'opportunity-fire',
  'order',
  'personal-order',
  'piercing',
  'positive-waves',
  'scout',
  'sniper',
  'suppressive-fire',
  'transport',
  'transport-symbol',
  'tripod',
];

/** `assault`, `order:2` … as a record; the number is 0 where none is printed. */
export function readAbilities(words: readonly string[], faults: string[]): Abilities {
  const abilities: Abilities = {};
  for (const word of words) {
    const [name, number = '0'] = word.split(':');
    const known = ABILITIES.find((ability) => ability === name);
    if (!known || !/^\d+$/.test(number)) faults.push(`unknown ability "${word}"`);
    else abilities[known] = Number(number);
  }
  return abilities;
}

/** Terrain symbols of 5.1 from their short form: `blocks-los`, `obscures:2`, `def:inf:2` … */
export function readSymbols(words: readonly string[], faults: string[]): TerrainSymbol[] {
  return words.flatMap((word): TerrainSymbol[] => {
    const [name, first = '', second = ''] = word.split(':');
    const classes: readonly string[] = ['inf', 'light', 'heavy'];
    switch (name) {
      case 'blocks-los':
        return [{ is: 'blocks' }];
      case 'obscures':
      case 'obscures-infantry':
        return [{ is: 'obscures', value: Number(first), infantryOnly: name === 'obscures-infantry' }];
      case 'difficult-passage':
      case 'difficult-infantry':
        return [{ is: 'difficult', infantryOnly: name === 'difficult-infantry' }];
      case 'water':
        return [{ is: 'water' }];
      case 'impassable':
        return [{ is: 'impassable', to: 'all' }];
      case 'impassable-to':
        if (classes.includes(first)) return [{ is: 'impassable', to: first as Class }];
        break;
      case 'def':
        if (classes.includes(first)) return [{ is: 'defense', class: first as Class, value: Number(second) }];
        break;
      case 'structure':
        return [{ is: 'structure', value: Number(first) }];
      case 'grants-opportunity-fire':
        return [{ is: 'opportunity-fire' }];
    }
    faults.push(`unknown terrain symbol "${word}"`);
    return [];
  });
}
