/** Templates over structures (HON-F07) and a sniper's own table (HON-F14). */

import { describe, expect, test } from 'vitest';
import { pointOf } from '../../../../src/systems/normandie/content/opened.ts';
import { ownWeapons } from '../../../../src/systems/normandie/counters/weapons.ts';
import { PLAIN_SHOT } from '../../../../src/systems/normandie/fight/attack.ts';
import { shotChance } from '../../../../src/systems/normandie/fight/odds.ts';
import { sniperRow, sniperTable } from '../../../../src/systems/normandie/fight/sniper.ts';
import { blastAt } from '../../../../src/systems/normandie/fight/templates.ts';
import { battle, face, HOUSE, on, shoot, WITH_HOUSE } from '../../../helpers/normandie-battle.ts';

const HOWITZER = { how: { faces: { full: face('3 4 3/2/1 flip howitzer destruction:3 indirect-fire:2', '4/3/1') } } };

/** Every interspace whose template touches the house on J10 to K11. */
const AROUND = ['I9', 'J9', 'K9', 'I10', 'K10', 'I11', 'J11', 'K11'];

describe('HON-F07 structures even partly under a template take destruction dice (6.2-howitzer-f, -h)', () => {
  const table = (units = {}) =>
    battle({
      board: WITH_HOUSE,
      buildings: [HOUSE],
      counters: HOWITZER,
      units: {
        US1: { type: 'how', at: 'J2' },
        GE1: { type: 'rifle', at: 'J10' },
        GE2: { type: 'rifle', at: 'K11' },
        ...units,
      },
    });

  test.each(AROUND)('on its outline at @%s: three dice for the house, nobody inside is attacked', (name) => {
    const b = table();
    const under = blastAt(b.book, b.state.table, pointOf(b.book, `@${name}`)!).under;
    expect(under.some((square) => HOUSE.squares.includes(square))).toBe(true);
    b.act(shoot('US1', `@${name}`, { weapon: 'INDIRECT' }), [5, 4, 3, 6]);
    expect(b.told('destruction')).toMatchObject([{ structure: '1', dice: [4, 3, 6], points: 2, total: 2, of: 4 }]);
    expect(b.told('shot')).toEqual([]);
  });

  test('who stands outside under it is attacked first, then the house takes its dice', () => {
    const b = table({ GE3: { type: 'rifle', at: 'J9' } });
    b.act(shoot('US1', '@J9', { weapon: 'HOWITZER' }), [1, 4, 4, 4]);
    const order = b.events.map((event) => event.type).filter((type) => type === 'shot' || type === 'destruction');
    expect(order).toEqual(['shot', 'destruction']);
    expect(b.told('shot')[0]!.target).toBe('GE3');
  });

  test('a template that scatters onto the roof strikes the house alone', () => {
    const b = table();
    b.act(shoot('US1', '@J8', { weapon: 'INDIRECT' }), [3, 4, 4, 4]);
    expect(b.told('scatter')).toMatchObject([{ landed: '@J10' }]);
    expect(b.told('destruction')).toMatchObject([{ structure: '1', points: 3 }]);
    expect(b.told('shot')).toEqual([]);
  });

  test('beside it or without the ability no die is rolled; a wreck that the blast itself makes takes none', () => {
    const beside = table();
    beside.act(shoot('US1', '@J7', { weapon: 'HOWITZER' }));
    expect(beside.told('destruction')).toEqual([]);
    const plain = battle({
      board: WITH_HOUSE,
      buildings: [HOUSE],
      units: { US1: { type: 'gun', at: 'J2' }, GE1: { type: 'rifle', at: 'J10' } },
    });
    plain.act(shoot('US1', '@J9', { weapon: 'HOWITZER' }));
    expect(plain.told('destruction')).toEqual([]);
    const jeep = table({ GE3: { type: 'jeep', at: 'E5' } });
    jeep.act(shoot('US1', '@E5', { weapon: 'HOWITZER' }), [6]);
    expect(jeep.gone('GE3')).toBe(true);
    expect(jeep.told('destruction')).toEqual([]);
  });
});

describe('HON-F14 a firing table on the tile is the sniper’s (6.2-sniper-g)', () => {
  const OWN = [
    { from: 3, hit: true, suppressed: 0 },
    { from: 5, hit: true, suppressed: 2 },
  ];
  const table = (own: boolean) =>
    battle({
      board: on({}),
      counters: { sniper: { faces: { full: face('4 4 0/X/X flip sniper') } } },
      tiles: [own ? { side: 'us', sniper: OWN } : { side: 'us' }, { side: 'ge' }],
      units: { US1: { type: 'sniper', at: 'B5' }, GE1: { type: 'rifle', at: 'D5' } },
    });

  test.each([
    [false, 1, 'none', 'full', 0],
    [false, 2, 'suppressed', 'full', 1],
    [false, 3, 'suppressed', 'full', 1],
    [false, 4, 'hit', 'reduced', 0],
    [false, 5, 'hit', 'reduced', 0],
    [false, 6, 'hit', 'reduced', 1],
    [true, 1, 'none', 'full', 0],
    [true, 2, 'none', 'full', 0],
    [true, 3, 'hit', 'reduced', 0],
    [true, 4, 'hit', 'reduced', 0],
    [true, 5, 'hit', 'reduced', 2],
    [true, 6, 'hit', 'reduced', 2],
  ])('own table %s, die %i: %s, side %s, %i markers', (own, die, result, side, markers) => {
    const b = table(own);
    b.act(shoot('US1', 'GE1', { weapon: 'SNIPER' }), [die]);
    expect(b.told('sniper')).toMatchObject([{ result }]);
    expect([b.unit('GE1').face, b.unit('GE1').suppressed]).toEqual([side, markers]);
  });

  test('the chance of a shot is that of the table', () => {
    const chance = (own: boolean) => {
      const b = table(own);
      const use = ownWeapons(b.book, b.known, b.unit('US1')).find((each) => each.label === 'sniper')!;
      return shotChance(b.book, b.known, b.unit('US1'), use, b.unit('GE1'), PLAIN_SHOT);
    };
    expect([chance(false), chance(true)]).toEqual([50, 66]);
  });

  test('every total finds the last line it reaches, whatever the table', () => {
    const b = table(true);
    const lines = sniperTable(b.book, b.known, b.unit('US1'));
    for (let total = -4; total <= 12; total++) {
      const reached = lines.filter((line) => line.from <= total).at(-1);
      expect(sniperRow(lines, total)).toMatchObject({
        hit: reached?.hit ?? false,
        suppressed: reached?.suppressed ?? 0,
      });
    }
  });
});
