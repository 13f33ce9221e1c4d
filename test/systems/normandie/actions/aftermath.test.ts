/** Passengers of a vehicle that is lost in its own assault get out beside its wreck (6.6-transport-l, 6.3-lose-c, HON-F16). */

import { describe, expect, test } from 'vitest';
import { assault, type Battle, battle, face } from '../../../helpers/normandie-battle.ts';

const CARRIER = {
  carrier: {
    class: 'light' as const,
    role: 'vehicle' as const,
    wreck: 'wreck-1',
    faces: { full: face('5 6 2/0/X flip assault transport:4') },
  },
};

const places = (b: Battle, square: string): [number, number] => {
  const { centre } = b.book.places.get(square)!;
  return [centre[0], centre[1]];
};
const beside = (b: Battle, a: string, c: string): boolean => {
  const [[x, y], [u, v]] = [places(b, a), places(b, c)];
  return Math.max(Math.abs(x - u), Math.abs(y - v)) === 2;
};

describe('HON-F16', () => {
  const table = (units = {}) =>
    battle({
      counters: CARRIER,
      units: {
        US1: { type: 'carrier', at: 'C3' },
        US2: { type: 'rifle', at: 'C3', aboard: 'US1' },
        GE1: { type: 'rifle', at: 'C2' },
        ...units,
      },
    });

  test('C3 assaults C2 and loses: the infantry gives way, the wreck lies on C2, the passenger beside it', () => {
    const b = table();
    b.act(assault('US1', 'GE1'), [1, 1, 6, 6]);
    expect(b.gone('US1')).toBe(true);
    expect(b.state.table.wrecks.map((wreck) => wreck.squares)).toEqual([['C2']]);
    expect(b.unit('US2')).toMatchObject({ aboard: null, suppressed: 1 });
    expect(beside(b, b.unit('US2').at, 'C2')).toBe(true);
    expect(beside(b, b.unit('GE1').at, 'C2')).toBe(true);
    const told = b.events.map((event) => event.type).filter((type) => type === 'wreck-pushed' || type === 'moved');
    expect(told).toEqual(['moved', 'wreck-pushed', 'moved']);
  });

  test.each(['C3', 'D4', 'E3', 'B4'])(
    'from %s too, every square offered to the passenger touches the wreck',
    (from) => {
      const b = battle({
        counters: CARRIER,
        units: {
          US1: { type: 'carrier', at: from },
          US2: { type: 'rifle', at: from, aboard: 'US1' },
          US3: { type: 'team', at: from, aboard: 'US1' },
          GE1: { type: 'rifle', at: from === 'E3' ? 'F4' : 'C3' === from ? 'C2' : 'C3' },
        },
      });
      b.act(assault('US1', 'GE1'), [1, 1, 6, 6]);
      const [wreck] = b.state.table.wrecks;
      for (const code of ['US2', 'US3']) expect(beside(b, b.unit(code).at, wreck!.squares[0]!)).toBe(true);
    },
  );

  test('with no free square there outside enemy zones the passenger is destroyed, though the launch square is free', () => {
    const ring = ['B1', 'C1', 'D1', 'B2', 'D2', 'B3', 'D3'];
    const b = table(Object.fromEntries(ring.map((at, i) => [`US${i + 10}`, { type: 'jeep', at }] as [string, object])));
    b.act(assault('US1', 'GE1'), [1, 1, 6, 6]);
    // The infantry has only C3 to go to, and then holds it against the passenger.
    expect(b.unit('GE1').at).toBe('C3');
    expect(b.gone('US2')).toBe(true);
  });

  test('a vehicle that is lost elsewhere lets its passengers out where it stood', () => {
    const b = battle({
      counters: CARRIER,
      units: {
        US1: { type: 'carrier', at: 'C3' },
        US2: { type: 'rifle', at: 'C3', aboard: 'US1' },
        GE1: { type: 'jeep', at: 'C2' },
      },
      change: (_data, state) => {
        state.table.fury.push('ge');
      },
    });
    b.act(assault('US1', 'GE1'), [1, 1, 6, 6]);
    expect(b.state.table.wrecks.map((wreck) => wreck.squares)).toEqual([['C3']]);
    expect(beside(b, b.unit('US2').at, 'C3')).toBe(true);
  });
});
