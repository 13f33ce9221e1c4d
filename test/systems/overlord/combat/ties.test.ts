/** What decides between equals: ways back (OVR-17), units that pay (OVR-08). */
import { describe, expect, test } from 'vitest';
import { doctrinePayment, smallestPayment } from '../../../../src/systems/overlord/combat/losses.ts';
import { FACTOR } from '../../../../src/systems/overlord/combat/odds.ts';
import { pathText, retreatWays } from '../../../../src/systems/overlord/combat/retreat.ts';
import { indexOf } from '../../../../src/systems/overlord/content/campaign.ts';
import { board, fieldOf, position } from '../../../helpers/overlord.ts';

const index = (id: string): number => indexOf(board.campaign, id);

describe('OVR-17 the neutral way back: nearest own supply, then fewest friends, then the lowest hex', () => {
  /** The ways of DE243/1 in 0511 before an enemy in 0510, with its friends so. */
  const ways = (friends: Record<string, string>, hexes = 2): string[] => {
    const units = { 'US4/1': '0510', 'DE243/1': '0511', ...friends };
    const field = fieldOf(board, position(board, { step: 'allied', units }));
    return retreatWays(field, index('DE243/1'), hexes).map(({ cells }) => pathText(field, cells));
  };

  test.each([
    ['nobody anywhere: the lower of the two hexes that lie two from the east edge', {}, '0611 0711'],
    ['a friend in the lower one: the other, since it is empty', { 'DE91/1': '0711' }, '0611 0712'],
    ['one friend against two', { 'DE91/1': '0711', 'DE91/2': '0712', 'DE352/1': '0712' }, '0611 0711'],
    ['two against one', { 'DE91/1': '0711', 'DE91/2': '0711', 'DE352/1': '0712' }, '0611 0712'],
    ['full hexes are no way at all', { DE91: '0711', DE352: '0712' }, '0611 0612'],
    [
      'supply comes before friends: an empty hex a step farther off is no better',
      { 'DE91/1': '0711', 'DE352/1': '0712' },
      '0611 0711',
    ],
  ])('OVR-17 %s', (_title, friends: Record<string, string>, expected) => {
    expect(ways(friends)[0]).toBe(expected);
  });

  test('OVR-17 OVL-RET-04 all ways that cost the same are offered, in this order', () => {
    expect(ways({})).toEqual([
      '0611 0711',
      '0611 0712',
      '0611 0612',
      '0512 0513',
      '0512 0412',
      '0411 0311',
      '0411 0312',
    ]);
    expect(ways({}, 1)).toEqual(['0611', '0512', '0411']);
  });

  test('OVL-RET-03 only the cheapest: plain ground before bocage', () => {
    const units = { 'US4/1': '0402', 'DE243/1': '0403' };
    const field = fieldOf(board, position(board, { step: 'allied', units }));
    expect(retreatWays(field, index('DE243/1'), 1).map(({ cells }) => pathText(field, cells))).toEqual(['0504']);
  });

  test('OVL-ZOC-04 never through the enemy or his zones, off the map or into the sea', () => {
    expect(ways({ 'US9/1': '0512' })).toEqual([]);
    expect(ways({ 'US9/1': '0712' }).every((way) => !/0711|0712|0611|0612/.test(way))).toBe(true);
    const shore = fieldOf(board, position(board, { units: { 'DE243/1': '0102', 'US4/1': '0202' } }));
    for (const { cells } of retreatWays(shore, index('DE243/1'), 1)) expect(pathText(shore, cells)).not.toMatch(/01$/);
  });

  test('OVL-STK-01 the last hex must have room, the ones before need none', () => {
    const full = { 'DE91/1': '0611', 'DE91/2': '0611', 'DE352/1': '0611' };
    expect(ways(full, 1)).toEqual(['0512', '0411']);
    expect(ways(full, 2)[0]).toBe('0611 0711');
  });
});

describe('OVR-08 who pays: the smallest sufficient total, then the slowest, then the last listed', () => {
  const pay = (units: string[], due: number): string[] =>
    smallestPayment(board.campaign, units.map(index), due * FACTOR).map((unit) => board.campaign.units[unit]!.id);

  test.each([
    ['the slower of two fours, though the other is listed later', ['US4/1', 'BR6R/1'], 4, ['US4/1']],
    ['the slower of two fours, listed later', ['BR6R/1', 'US90/1'], 4, ['US90/1']],
    ['two fours as slow as each other: the last listed', ['US4/1', 'US4/3', 'US4/2'], 4, ['US4/3']],
    ['two fast fours: the last listed', ['BR6R/1', 'US2A/3'], 3, ['US2A/3']],
    ['four and five before six and four', ['US4/1', 'US82P/1', 'BR7A/1'], 9, ['US4/1', 'US82P/1']],
    ['four and six when nine are too few', ['US4/1', 'US82P/1', 'BR7A/1'], 10, ['US4/1', 'BR7A/1']],
    ['a single six before four and five', ['US4/1', 'US82P/1', 'BR7A/1'], 6, ['BR7A/1']],
    ['seven takes nine, not ten', ['US4/1', 'US82P/1', 'BR7A/1'], 7, ['US4/1', 'US82P/1']],
    ['exactly all', ['US4/1', 'US82P/1'], 9, ['US4/1', 'US82P/1']],
    ['all, when even that is too little', ['US4/1', 'US82P/1'], 12, ['US4/1', 'US82P/1']],
  ])('OVR-08 %s', (_title, units, due, expected) => {
    expect(pay(units, due)).toEqual(expected);
  });

  const keep = (units: string[], due: number, ...values: string[]): string[] =>
    doctrinePayment(board.campaign, units.map(index), due * FACTOR, values).map(
      (unit) => board.campaign.units[unit]!.id,
    );

  test.each([
    ['WEAK: the weakest first, the last listed of equals', ['BR7A/1', 'US4/1', 'US4/2'], 4, ['WEAK'], ['US4/2']],
    ['WEAK goes on to the next weakest', ['BR7A/1', 'US4/1', 'US4/2'], 9, ['WEAK'], ['US4/1', 'US4/2', 'BR7A/1']],
    ['KEEP a unit', ['US4/1', 'US4/2'], 4, ['KEEP', 'US4/2'], ['US4/1']],
    ['KEEP a formation', ['US4/1', 'US4/2', 'US82P/1'], 4, ['KEEP', 'US4'], ['US82P/1']],
    ['KEEP without MIN is MIN', ['US4/1', 'US82P/1', 'BR7A/1'], 5, ['KEEP', 'US82P'], ['BR7A/1']],
    ['who is kept pays only what is missing', ['US4/1', 'US4/2', 'US82P/1'], 8, ['KEEP', 'US4'], ['US4/2', 'US82P/1']],
    ['WEAK and KEEP', ['US4/1', 'US4/2', 'US82P/1'], 4, ['WEAK', 'KEEP', 'US4'], ['US82P/1']],
    ['a name before KEEP keeps nobody', ['US4/1', 'US4/2'], 4, ['MIN'], ['US4/2']],
  ])('OVR-08 %s', (_title, units, due, values, expected) => {
    expect(keep(units, due, ...values)).toEqual(expected);
  });
});
