/** Values at the edge of a rule: the sniper's table, a printed 0 and a printed X, who can't retreat. */

import { describe, expect, test } from 'vitest';
import { valuesOf } from '../../../../src/kernel/questions.ts';
import { oddsOf } from '../../../../src/systems/normandie/fight/odds.ts';
import { playOne } from '../../../../src/systems/normandie/turn/phasecards.ts';
import {
  assault,
  type Battle,
  battle,
  face,
  HOUSE,
  move,
  on,
  refused,
  shoot,
  type UnitSketch,
  WITH_HOUSE,
} from '../../../helpers/normandie-battle.ts';

const snipe = (unit: string, target: string) => shoot(unit, target, { weapon: 'SNIPER' });

describe('6.2 the sniper table', () => {
  test.each([
    ['6.2-sniper-c: 1 does nothing', 1, 0, 'full'],
    ['6.2-sniper-d: 2 suppresses', 2, 1, 'full'],
    ['6.2-sniper-d: 3 suppresses', 3, 1, 'full'],
    ['6.2-sniper-e: 4 hits', 4, 0, 'reduced'],
    ['6.2-sniper-e: 5 hits and does not suppress', 5, 0, 'reduced'],
    ['6.2-sniper-f: 6 hits and suppresses', 6, 1, 'reduced'],
  ] as const)('%s', (_title, die, suppressed, shown) => {
    const b = battle({ units: { US1: { type: 'sniper', at: 'B5' }, GE1: { type: 'rifle', at: 'G5' } } });
    b.act(snipe('US1', 'GE1'), [die]);
    expect(b.unit('GE1')).toMatchObject({ suppressed, face: shown });
  });

  test.each([
    ['in the open', '.', 0],
    ['behind bocage: its bonus plays no part', 'h', 0],
    ['in a foxhole: its bonus plays no part', 'x', 0],
  ] as const)('6.2-sniper-b a target under cover, %s', (_title, terrain, cover) => {
    const b = battle({
      board: on({ G5: terrain }),
      units: { US1: { type: 'sniper', at: 'B5' }, GE1: { type: 'rifle', at: 'G5' } },
    });
    b.act(snipe('US1', 'GE1'), [4]);
    expect(b.told('sniper')[0]!.sum.total).toBe(4 - cover);
    expect(b.unit('GE1').face).toBe('reduced');
  });

  test('6.2-sniper-b the sniper’s own Combat Value and the distance play no part; his markers and obstacles do', () => {
    const total = (at: string, suppressed: number, terrain: Record<string, string> = {}): number => {
      const b = battle({
        board: on(terrain),
        units: { US1: { type: 'sniper', at: 'A5', suppressed }, GE1: { type: 'rifle', at } },
      });
      b.act(snipe('US1', 'GE1'), [6]);
      return b.told('sniper')[0]!.sum.total;
    };
    expect(total('C5', 0)).toBe(6);
    expect(total('N5', 0)).toBe(6);
    expect(total('C5', 2)).toBe(2);
    expect(total('E5', 0, { C5: 'w' })).toBe(5);
    expect(total('F5', 1, { C5: 'w', D5: 'w' })).toBe(2);
  });

  test('6.2-sniper-b 6.2-sniper-e what a condition reckons with: the chance of a hit, cover left out', () => {
    const chance = (unit: UnitSketch, terrain: Record<string, string>, at = 'E5'): number | undefined => {
      const b = battle({ board: on(terrain), units: { US1: unit, GE1: { type: 'rifle', at } } });
      return oddsOf(b.book, b.known, 'us', snipe('US1', 'GE1'), 'GE1');
    };
    const sniper: UnitSketch = { type: 'sniper', at: 'A5' };
    expect(chance(sniper, {})).toBe(50);
    expect(chance(sniper, { E5: 'h' })).toBe(50);
    expect(chance(sniper, {}, 'N5')).toBe(50);
    expect(chance(sniper, { C5: 'w' })).toBe(33);
    expect(chance({ ...sniper, suppressed: 1 }, {})).toBe(16);
    expect(chance({ ...sniper, suppressed: 2 }, {})).toBe(0);
    expect(chance(sniper, { C5: 'X' })).toBe(50);
    expect(chance(sniper, { C5: 'k' })).toBeUndefined();
  });

  test('6.2-sniper-h a sniper under cover stays so after a shot as a sniper, not after another, nor under a marker', () => {
    const lurker = {
      lurker: {
        character: true,
        faces: { active: face('5 3 2/X/X destroyed ambush sniper'), inactive: face('5 4 2/X/X destroyed sniper') },
      },
    };
    const coverAfter = (shot: ReturnType<typeof shoot>, shown: 'active' | 'inactive'): string | null => {
      const b = battle({
        counters: lurker,
        units: { US1: { type: 'rifle', at: 'E6' }, 'GE?N': { type: 'lurker', at: 'G6', conceals: 'GE2', face: shown } },
      });
      b.act(shot, [1]);
      return b.state.table.units.find((unit) => unit.side === 'ge')!.concealed;
    };
    expect(coverAfter(snipe('GE?N', 'US1'), 'active')).toBe('ambush');
    expect(coverAfter(shoot('GE?N', 'US1'), 'active')).toBeNull();
    expect(coverAfter(snipe('GE?N', 'US1'), 'inactive')).toBeNull();
  });
});

const outcome = (b: Battle): [number | undefined, number | undefined, string, boolean] => {
  const event = b.told('assault').at(-1)!;
  return [event.attack?.total, event.defense?.total, event.result, event.automatic];
};

describe('6.3 a printed 0 is a value, an X is none', () => {
  const none = (value: string) => ({ odd: { faces: { full: face(`4 4 ${value}/${value}/X flip assault`) } } });

  test('6.3-n 6.3-t a defender with a printed 0 fights for its life; one with an X is lost without a roll', () => {
    const against = (value: string, dice: number[]) => {
      const b = battle({
        counters: none(value),
        units: { US1: { type: 'rifle', at: 'C3' }, GE1: { type: 'odd', at: 'C2' } },
      });
      b.act(assault('US1', 'GE1'), dice);
      return [outcome(b), b.gone('GE1')];
    };
    expect(against('0', [3, 1, 6, 2])).toEqual([[5, 6, 'lost', false], false]);
    expect(against('X', [])).toEqual([[undefined, undefined, 'won', true], true]);
  });

  test('6.3-d 6.3-n an attacker with a printed 0 may assault, one with an X may not', () => {
    const by = (value: string): Battle =>
      battle({ counters: none(value), units: { US1: { type: 'odd', at: 'C3' }, GE1: { type: 'rifle', at: 'C2' } } });
    const zero = by('0');
    expect(refused(zero, assault('US1', 'GE1'))).toBeUndefined();
    zero.act(assault('US1', 'GE1'), [6, 1, 2, 1]);
    expect(outcome(zero)).toEqual([6, 4, 'won', false]);
    expect(refused(by('X'), assault('US1', 'GE1'))).toBe('CANNOT HARM');
    const vehicle = battle({
      counters: none('0'),
      units: { US1: { type: 'odd', at: 'C3' }, GE1: { type: 'jeep', at: 'C2' }, GE2: { type: 'dozer', at: 'D3' } },
    });
    expect(refused(vehicle, assault('US1', 'GE1'))).toBeUndefined();
    expect(refused(vehicle, assault('US1', 'GE2'))).toBe('CANNOT HARM');
  });

  test('6.3-o a tie is neither won nor lost: each total counts as it stands', () => {
    const b = battle({
      counters: none('0'),
      units: { US1: { type: 'odd', at: 'C3' }, GE1: { type: 'odd', at: 'C2' } },
    });
    b.act(assault('US1', 'GE1'), [4, 2, 4, 1]);
    expect(outcome(b)).toEqual([4, 4, 'tie', false]);
    expect([b.unit('US1').at, b.unit('GE1').at]).toEqual(['C3', 'C2']);
  });
});

describe('6.3 the beaten who cannot go', () => {
  /** GE1 on C2 is beaten from C3: does it live, and where? */
  const beaten = (unit: Partial<UnitSketch>, text: string, inactive?: string) => {
    const b = battle({
      counters: {
        held: {
          faces: inactive
            ? { active: face(text), inactive: face(inactive) }
            : { full: face(text), reduced: face('4 4 1/X/X destroyed') },
        },
      },
      units: { US1: { type: 'rifle', at: 'C3' }, GE1: { type: 'held', at: 'C2', ...unit } },
    });
    b.act(assault('US1', 'GE1'), [6, 6, 1], (request) =>
      request.kind === 'retreat' ? valuesOf(request)[0] : undefined,
    );
    return b.gone('GE1') ? 'lost' : b.unit('GE1').at;
  };

  test('6.3-win-inf-a infantry that markers hold fast still retreats: a Forced Move asks for no Movement Value', () => {
    expect(beaten({}, '4 4 1/X/X flip')).toMatch(/^[BCD]1$/);
    expect(beaten({ suppressed: 2 }, '4 4 1/X/X flip')).toMatch(/^[BCD]1$/);
    expect(beaten({ suppressed: 4 }, '4 4 1/X/X flip')).toMatch(/^[BCD]1$/);
  });

  test('3.2.1-x-c infantry whose printed value is X cannot retreat and is Destroyed', () => {
    const b = battle({
      counters: {
        fixed: { faces: { full: face('4 X 1/X/X flip'), reduced: face('4 X 1/X/X destroyed') } },
      },
      units: { US1: { type: 'rifle', at: 'C3' }, GE1: { type: 'fixed', at: 'C2' } },
    });
    b.act(assault('US1', 'GE1'), [6, 6, 1]);
    expect(b.gone('GE1')).toBe(true);
    expect(b.unit('US1').at).toBe('C2');
    expect(b.told('moved').filter((event) => event.how === 'retreat')).toEqual([]);
  });
});

describe('6.6 getting out', () => {
  const jeep = (units: Record<string, UnitSketch> = {}, board = on({})) =>
    battle({
      board,
      units: { US1: { type: 'jeep', at: 'E5' }, US2: { type: 'team', at: 'E5', aboard: 'US1' }, ...units },
    });

  test('6.6-transport-c only beside the vehicle, only where infantry may stand', () => {
    expect(refused(jeep(), move('US2', 'OUT:E6'))).toBeUndefined();
    expect(refused(jeep(), move('US2', 'OUT:F6'))).toBeUndefined();
    expect(refused(jeep(), move('US2', 'OUT:E7'))).toBe('NOT BESIDE THE VEHICLE');
    expect(refused(jeep({}, on({ E6: 'X' })), move('US2', 'OUT:E6'))).toBe('NOT BESIDE THE VEHICLE');
    expect(refused(jeep(), move('US2', 'E6'))).toBe('ABOARD');
  });

  test('3.2.1-d 6.6-transport-c only if the square is free: of enemies and of vehicles; past friends, not on them', () => {
    expect(refused(jeep({ GE1: { type: 'team', at: 'E6' } }), move('US2', 'OUT:E6'))).toBe('OCCUPIED');
    expect(refused(jeep({ US3: { type: 'jeep', at: 'E6' } }), move('US2', 'OUT:E6'))).toBe('OCCUPIED');
    const friend = jeep({ US3: { type: 'team', at: 'E6' } });
    expect(refused(friend, move('US2', 'OUT:E6'))).toBe('OCCUPIED');
    expect(refused(friend, move('US2', 'OUT:E6 E7'))).toBeUndefined();
  });

  test('6.6-transport-c getting out costs a square of the unit’s own move and leaves the vehicle where it is', () => {
    const b = jeep();
    b.act(move('US2', 'OUT:E6 E7 E8'));
    expect(b.unit('US2')).toMatchObject({ at: 'E8', aboard: null });
    expect(b.unit('US1').at).toBe('E5');
    expect(b.told('moved').map((event) => event.spent)).toEqual([1, 2, 3]);
    expect(refused(jeep(), move('US2', 'OUT:E6 E7 E8 E9 E10'))).toBeUndefined();
    expect(refused(jeep(), move('US2', 'OUT:E6 E7 E8 E9 E10 E11'))).toBe('TOO FAR');
  });
});

describe('6.2 opportunity fire at any time of the Movement Action', () => {
  const runs = (square: string) => {
    const b = battle({
      units: {
        US1: { type: 'rifle', at: 'B4' },
        GE1: { type: 'mg', at: 'D9', face: 'active', facing: 0 },
      },
    });
    b.act(move('US1', 'C4 D4 E4 F4'), [1], (request, now) =>
      request.kind !== 'opfire' ? undefined : now.unit('US1').at === square ? 'FIRE GE1 AT US1' : 'NO',
    );
    return [b.told('shot').length, b.asked.filter((request) => request.kind === 'opfire').length];
  };

  test.each([
    ['C4', 1],
    ['D4', 2],
    ['E4', 3],
    ['F4', 4],
  ] as const)(
    '6.2-opp-c after the step to %s: it is offered after every step before it, and not again',
    (square, asked) => {
      expect(runs(square)).toEqual([1, asked]);
    },
  );

  test('6.2-opp-c a Movement Action without a step, on the spot, is one too', () => {
    const b = battle({
      units: { US1: { type: 'rifle', at: 'D5' }, GE1: { type: 'mg', at: 'D9', face: 'active', facing: 0 } },
    });
    b.act(move('US1', ''), [], () => 'NO');
    expect(b.asked.map((request) => request.kind)).toEqual(['opfire']);
    expect(b.unit('US1').at).toBe('D5');
  });
});

describe('4.2 a card’s text and the rules', () => {
  const go = (b: Battle, unit: string, path: string[], at: 'orders-end' | 'supply-start' | 'supply' = 'orders-end') => {
    let why: string | undefined;
    b.run(function* (play) {
      why = yield* playOne(play, 'us', { verb: 'PLAY', line: 1, card: 'go', on: unit, path, at } as never);
    });
    return why;
  };
  const ready = (units: Record<string, UnitSketch>) => battle({ units, cards: { us: ['go'] } });

  test('4.2-h the card moves a unit that markers hold fast and one that has acted', () => {
    const b = ready({ US1: { type: 'rifle', at: 'B5', suppressed: 3, activated: true } });
    expect(refused(b, move('US1', 'C5'))).toBe('TOO FAR');
    const window = b.book.cards.get('go')!.windows[0]!;
    expect(go(b, 'US1', ['C5', 'D5'], window as never)).toBeUndefined();
    expect(b.unit('US1').at).toBe('D5');
    expect(b.state.hands.us!.cards).toEqual([]);
  });

  test('4.2-h but never in the Supply Phase, which no card’s text beats', () => {
    const b = ready({ US1: { type: 'rifle', at: 'B5' } });
    expect(b.book.cards.get('go')!.windows).not.toContain('supply-start');
    expect(go(b, 'US1', ['C5'], 'supply-start')).toBe('WRONG WINDOW');
    expect(b.unit('US1').at).toBe('B5');
    expect(b.state.hands.us!.cards).toEqual(['go']);
    const fires = [...b.book.cards.values()].filter((card) => /shells|burst|surprise|aim|fury|go/.test(card.id));
    for (const card of fires)
      expect(
        card.windows.filter((window) => window.startsWith('supply')),
        card.id,
      ).toEqual([]);
  });
});

test('HOUSE a sniper sees into a building only through its openings', () => {
  const b = battle({
    board: WITH_HOUSE,
    buildings: [HOUSE],
    units: { US1: { type: 'sniper', at: 'N11' }, GE1: { type: 'rifle', at: 'J10' }, GE2: { type: 'rifle', at: 'K11' } },
  });
  expect(refused(b, snipe('US1', 'GE2'))).toBeUndefined();
  expect(refused(b, snipe('US1', 'GE1'))).toBe('NO LINE OF SIGHT');
});
