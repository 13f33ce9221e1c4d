/** Worked cases HON-C25 to C45: assault, zones of control, movement, wrecks. */

import { describe, expect, test } from 'vitest';
import { valuesOf } from '../../../../src/kernel/questions.ts';
import { assault, type Battle, battle, move, on, refused, shoot } from '../../../helpers/normandie-battle.ts';

const totals = (b: Battle) => {
  const event = b.told('assault').at(-1)!;
  return [event.attack?.total, event.defense?.total, event.result];
};

describe('assault', () => {
  test('C25 6.3-n 6.3-o 6.3-p 6.3-v 6.3-u 6.3-win-inf-a 6.3-win-inf-e 6.3-win-inf-f 6.3-f 4.2-l R8: infantry with a flip symbol is beaten', () => {
    const b = battle({
      board: on({ C2: 'h' }),
      units: { US1: { type: 'rifle', at: 'C3' }, GE1: { type: 'rifle', at: 'C2' } },
      cards: { us: ['return'] },
    });
    b.act(assault('US1', 'GE1'), [6, 1, 3, 2], (request) => (request.kind === 'retreat' ? 'D1' : undefined), [
      { rider: 'card', card: 'return', as: 'bonus' },
    ]);
    expect(totals(b)).toEqual([9, 7, 'won']);
    const question = b.asked.find((request) => request.kind === 'retreat')!;
    expect(valuesOf(question).sort()).toEqual(['B1', 'C1', 'D1']);
    expect(question.to).toBe('ge');
    expect(b.unit('GE1')).toMatchObject({ at: 'D1', face: 'reduced' });
    expect(b.unit('US1').at).toBe('C2');
  });

  test('C26 6.3-win-inf-a R8: a diagonal launch leaves three squares behind', () => {
    const b = battle({ units: { US1: { type: 'rifle', at: 'C3' }, GE1: { type: 'rifle', at: 'D2' } } });
    b.act(assault('US1', 'GE1'), [6, 6, 1, 1]);
    expect(valuesOf(b.asked.find((request) => request.kind === 'retreat')!).sort()).toEqual(['D1', 'E1', 'E2']);
  });

  test('C26 6.3-win-inf-b: none can be entered: Destroyed, the attacker takes the square', () => {
    const b = battle({
      board: on({ E1: 'X' }),
      units: {
        US1: { type: 'rifle', at: 'C3' },
        GE1: { type: 'rifle', at: 'D2' },
        GE2: { type: 'team', at: 'D1' },
        GE3: { type: 'team', at: 'E2' },
      },
    });
    b.act(assault('US1', 'GE1'), [6, 6, 1, 1]);
    expect(b.gone('GE1')).toBe(true);
    expect(b.unit('US1').at).toBe('D2');
  });

  test('C27 6.3-win-inf-e 6.3-win-inf-f: the Destroyed symbol means no retreat', () => {
    const b = battle({
      units: { US1: { type: 'rifle', at: 'C3' }, GE1: { type: 'rifle', at: 'C2', face: 'reduced' } },
    });
    b.act(assault('US1', 'GE1'), [5, 2, 4, 4]);
    expect(totals(b)).toEqual([7, 5, 'won']);
    expect(b.gone('GE1')).toBe(true);
    expect(b.told('moved').some((event) => event.how === 'retreat')).toBe(false);
    expect(b.unit('US1').at).toBe('C2');
  });

  test('C28 6.3-c 6.3-o 6.3-lose-a 6.3-lose-b: a defender without Assault rolls one die and wins', () => {
    const b = battle({ units: { US1: { type: 'rifle', at: 'C3' }, GE1: { type: 'team', at: 'C2' } } });
    b.act(assault('US1', 'GE1'), [2, 1, 5]);
    expect(totals(b)).toEqual([4, 6, 'lost']);
    expect(b.unit('US1')).toMatchObject({ at: 'C3', face: 'reduced' });
    expect(b.unit('GE1')).toMatchObject({ at: 'C2', face: 'full' });
  });

  test('C29 6.3-tie-a: a tie sends attacking infantry back', () => {
    const b = battle({
      board: on({ C2: 'h' }),
      units: { US1: { type: 'rifle', at: 'C3' }, GE1: { type: 'rifle', at: 'C2' } },
    });
    b.act(assault('US1', 'GE1'), [5, 2, 3, 1]);
    expect(totals(b)).toEqual([7, 7, 'tie']);
    expect([b.unit('US1').at, b.unit('US1').face, b.unit('GE1').face]).toEqual(['C3', 'full', 'full']);
  });

  test('C30 6.3-win-light-b 6.3-win-light-c 6.3-win-light-d: infantry wrecks a light vehicle and stays', () => {
    const b = battle({ units: { US1: { type: 'rifle', at: 'C3' }, GE1: { type: 'jeep', at: 'C2' } } });
    b.act(assault('US1', 'GE1'), [6, 4, 2]);
    expect(totals(b)).toEqual([6, 5, 'won']);
    expect(b.state.table.wrecks).toMatchObject([{ squares: ['C2'] }]);
    expect(b.unit('US1').at).toBe('C3');
  });

  test('C31 6.3-r 6.3-win-heavy-a 6.3-win-heavy-b 6.3-d 6.3-b: infantry against a heavy vehicle, Secondary Weapon', () => {
    const b = battle({
      units: {
        US1: { type: 'sapper', at: 'C4' },
        US2: { type: 'rifle', at: 'B3' },
        GE1: { type: 'pz', at: 'C3', rear: 'C2', facing: 4 },
      },
    });
    expect(refused(b, assault('US2', 'GE1'))).toBe('CANNOT HARM');
    b.act(assault('US1', 'GE1'), [6, 5, 3, 2]);
    expect(totals(b)).toEqual([10, 7, 'won']);
    expect(b.unit('GE1').damage).toEqual(['2']);
    expect(b.unit('US1').at).toBe('C4');
  });

  test('C32 6.3-t 6.3-win-light-e R14: a defender with X is destroyed at once; the heavy attacker rolls onto the wreck', () => {
    const b = battle({
      units: { US1: { type: 'dozer', at: 'C3' }, GE1: { type: 'jeep', at: 'C2' } },
    });
    b.act(assault('US1', 'GE1'));
    expect(b.told('assault')[0]).toMatchObject({ automatic: true, result: 'won' });
    expect(b.unit('US1').at).toBe('C2');
    expect(b.state.table.wrecks).toMatchObject([{ squares: ['C2'], points: 1 }]);
  });

  test('6.3-s 6.3-t: a heavy vehicle without Secondary Weapon takes one Damage', () => {
    const b = battle({
      units: {
        US1: { type: 'sapper', at: 'C4' },
        GE1: { type: 'stug', at: 'C3', rear: 'C2', facing: 4, damage: ['5'] },
      },
    });
    b.act(assault('US1', 'GE1'), [1]);
    expect(b.told('assault')[0]!.automatic).toBe(true);
    expect(b.unit('GE1').damage).toEqual(['5', '1']);
  });

  test('C33 6.3-tie-b: a vehicle that ties takes the square, the infantry is pushed aside', () => {
    const b = battle({ units: { US1: { type: 'car', at: 'C3' }, GE1: { type: 'rifle', at: 'C2' } } });
    b.act(assault('US1', 'GE1'), [2, 1, 5, 3], (request) => (request.kind === 'displace' ? 'B2' : undefined));
    expect(totals(b)).toEqual([5, 5, 'tie']);
    expect([b.unit('US1').at, b.unit('GE1').at, b.unit('GE1').face, b.unit('GE1').suppressed]).toEqual([
      'C2',
      'B2',
      'full',
      0,
    ]);
  });

  test('C34 6.3-lose-a 6.3-lose-c 3.2.3-hit-c: a beaten vehicle is a wreck on the square of its victor', () => {
    const b = battle({ units: { US1: { type: 'car', at: 'C3' }, GE1: { type: 'rifle', at: 'C2' } } });
    b.act(assault('US1', 'GE1'), [1, 1, 6, 2], (request) => (request.kind === 'displace' ? 'B1' : undefined));
    expect(totals(b)).toEqual([4, 6, 'lost']);
    expect(b.state.table.wrecks).toMatchObject([{ squares: ['C2'] }]);
    expect(b.unit('GE1')).toMatchObject({ at: 'B1', face: 'full', suppressed: 0 });
  });

  test('6.3-lose-d 6.3-tie-a: a vehicle beaten by a vehicle stays where it launched', () => {
    const b = battle({
      units: { US1: { type: 'dozer', at: 'C3' }, GE1: { type: 'stug', at: 'C2', rear: 'C1', facing: 4 } },
    });
    b.act(assault('US1', 'GE1'), [1, 1, 6, 1]);
    expect(totals(b)).toEqual([6, 11, 'lost']);
    expect([b.unit('US1').at, b.unit('US1').damage, b.unit('GE1').at]).toEqual(['C3', ['1'], 'C2']);
  });

  test('C35 6.3-arc-a 6.3-supp-a 6.3-tie-a 6.3-q: assaulted outside its arc it is suppressed first', () => {
    const b = battle({
      units: { US1: { type: 'rifle', at: 'E6' }, GE1: { type: 'mg', at: 'E5', face: 'active', facing: 0 } },
    });
    b.act(assault('US1', 'GE1'), [5, 3, 5], (request) => (request.kind === 'opfire' ? 'NO' : undefined));
    expect(totals(b)).toEqual([7, 7, 'tie']);
    expect(b.unit('GE1').suppressed).toBe(1);
    expect(b.unit('US1').at).toBe('E6');
  });

  test.each([
    ['rifle', 0, true],
    ['rifle', 1, false],
    ['jeep', 0, false],
  ])(
    'C36 6.3-win-inf-d 3.2.2-h 3.2.2-k 3.2.2-m R13 R18: a further %s with %i Suppressed: the beaten unit dies %s',
    (type, suppressed, dies) => {
      const b = battle({
        board: on({ B1: 'X' }),
        units: {
          US1: { type: 'rifle', at: 'C3' },
          US2: { type, at: 'D2', suppressed },
          GE1: { type: 'rifle', at: 'C2' },
        },
      });
      b.act(assault('US1', 'GE1'), [6, 6, 1, 1]);
      expect(b.gone('GE1')).toBe(dies);
    },
  );

  test('C37 6.3-h 4.1-b 6.3-e 6.3-supp-a: move left for the assault, -2 on its dice', () => {
    const b = battle({
      units: {
        US1: { type: 'rifle', at: 'C5', suppressed: 1 },
        GE1: { type: 'team', at: 'C2' },
        GE2: { type: 'team', at: 'E5' },
      },
    });
    expect(refused(b, assault('US1', 'GE1', 'C4 C3'))).toBe('NO MOVE LEFT');
    b.act(assault('US1', 'GE2', 'D5'), [6, 1, 1]);
    expect(totals(b)).toEqual([6, 2, 'won']);
  });

  test('6.3-a 6.3-g 6.1-ambush-e: who may assault from where', () => {
    const b = battle({
      units: {
        US1: { type: 'team', at: 'C3' },
        US2: { type: 'rifle', at: 'C4' },
        'US?M': { type: 'amb', at: 'D3', conceals: 'US9' },
        GE1: { type: 'team', at: 'C2' },
      },
    });
    expect(refused(b, assault('US1', 'GE1'))).toBe('NO ASSAULT');
    expect(refused(b, assault('US2', 'GE1'))).toBe('NOT ADJACENT');
    expect(refused(b, assault('US2', 'GE1', 'C3'))).toBe('OCCUPIED');
    expect(refused(b, assault('US?M', 'GE1'))).toBe('TURN OVER FIRST');
    expect(refused(b, assault('US?M', 'GE1', '', { flip: 'start' }))).toBeUndefined();
  });

  test('6.3-i 6.3-j 6.3-l O-05: Opportunity Fire strikes in the launch square, before the combat', () => {
    const b = battle({
      units: {
        US1: { type: 'rifle', at: 'C4' },
        GE1: { type: 'team', at: 'C2' },
        GE2: { type: 'mg', at: 'C9', face: 'active', facing: 0 },
      },
    });
    b.act(assault('US1', 'GE1', 'C3'), [1, 6, 5, 1], (request, now) =>
      request.kind === 'opfire' && now.unit('US1').at === 'C3' ? 'FIRE GE2 AT US1' : undefined,
    );
    const order = b.events.map((event) => event.type).filter((type) => type === 'shot' || type === 'assault');
    expect(order).toEqual(['shot', 'assault']);
    expect(b.told('shot')[0]!.target).toBe('US1');
  });

  test('6.3-m 3.2.2-i 6.3-k: one step into two zones, then an assault inside one of them', () => {
    const b = battle({
      units: {
        US1: { type: 'rifle', at: 'C5' },
        GE1: { type: 'team', at: 'B3' },
        GE2: { type: 'team', at: 'C3' },
      },
    });
    expect(refused(b, assault('US1', 'GE2', 'C4'))).toBeUndefined();
    expect(refused(b, move('US1', 'C4 D4'))).toBe('WITHIN A ZONE OF CONTROL');
  });

  test('6.3-win-light-a 1.2-b: a light vehicle without wreck side is removed', () => {
    const b = battle({
      counters: {
        bike: {
          class: 'light',
          role: 'vehicle',
          faces: {
            full: { cv: { inf: 1, light: 0, heavy: 'X' }, defense: 4, move: 8, abilities: {}, hit: 'destroyed' },
          },
        },
      },
      units: { US1: { type: 'rifle', at: 'C3' }, GE1: { type: 'bike', at: 'C2' } },
    });
    b.act(assault('US1', 'GE1'), [6, 6, 1]);
    expect(b.gone('GE1')).toBe(true);
    expect(b.state.table.wrecks).toEqual([]);
  });

  test('6.2-flame-i: a flamethrower that loses an assault is removed; 6.2-flame-j: by fire it is turned over', () => {
    const b = battle({
      units: { US1: { type: 'rifle', at: 'C3' }, GE1: { type: 'flame', at: 'C2' }, GE2: { type: 'flame', at: 'G3' } },
    });
    b.act(assault('US1', 'GE1'), [6, 6, 1, 1]);
    expect(b.gone('GE1')).toBe(true);
    b.act(shoot('US1', 'GE2'), [6]);
    expect(b.unit('GE2').face).toBe('reduced');
  });

  test('6.2-destruction-a: an assault with the Destruction ability may hurt the structure', () => {
    const b = battle({
      board: on({}),
      counters: {
        wreckers: {
          faces: {
            full: {
              cv: { inf: 2, light: 2, heavy: 2 },
              defense: 4,
              move: 4,
              abilities: { assault: 0, destruction: 1 },
              hit: 'flip',
            },
          },
        },
      },
      wrecks: [{ id: 'W1', kind: 'wreck-1', squares: ['C2'], facing: 0, points: 0 }],
      units: { US1: { type: 'wreckers', at: 'C3' }, GE1: { type: 'team', at: 'C2' } },
    });
    b.act(assault('US1', 'GE1'), [6, 6, 1, 4]);
    expect(b.state.table.wrecks[0]!.points).toBe(1);
  });
});

describe('movement', () => {
  test('C38 3.2.1-a 3.2.1-c 3.2.1-inf-a 3.2.1-inf-b 3.2.1-inf-c 3.2.1-d: diagonals, friends, enemies', () => {
    const b = battle({
      units: {
        US1: { type: 'rifle', at: 'B2' },
        US2: { type: 'team', at: 'C3' },
        US3: { type: 'pz', at: 'B3', rear: 'B4' },
        GE1: { type: 'rifle', at: 'D1' },
        GE2: { type: 'jeep', at: 'P16' },
      },
    });
    expect(refused(b, move('US1', 'C3 D4 E5 F6'))).toBeUndefined();
    expect(refused(b, move('US1', 'C3'))).toBe('OCCUPIED');
    expect(refused(b, move('US1', 'C2 D1'))).toBe('ENEMY IN THE WAY');
    expect(refused(b, move('US1', 'B3'))).toBe('VEHICLE IN THE WAY');
    expect(refused(b, move('US1', 'C3 D4 E5 F6 G7'))).toBe('TOO FAR');
  });

  test('C39 5.1-diff-a 5.1-diff-b 5.2-bocage 3.2.1-e: Difficult Passage', () => {
    const b = battle({ board: on({ D2: 'h', E2: 'h' }), units: { US1: { type: 'team', at: 'B2' } } });
    expect(refused(b, move('US1', 'C2 D2 E2'))).toBe('MUST STOP');
    b.act(move('US1', 'C2 D2 E2'));
    expect(b.unit('US1').at).toBe('D2');
    expect(b.told('moved')).toHaveLength(2);
    expect(refused(b, move('US1', 'E2'))).toBeUndefined();
    expect(refused(b, move('US1', 'D3 D4'))).toBe('MUST STOP');
  });

  test.each([
    ['rifle', 'E4 E3', 'WITHIN A ZONE OF CONTROL'],
    ['rifle', 'E4 D3', undefined],
    ['jeep', 'E4 E3', undefined],
  ])('C40 3.2.2-a 3.2.2-g 3.2.2-h 3.2.2-j 3.2.2-l R13: beside an enemy %s, path %s: %s', (type, path, code) => {
    const b = battle({ units: { US1: { type: 'rifle', at: 'D4' }, GE1: { type, at: 'F4' } } });
    expect(refused(b, move('US1', path))).toBe(code);
  });

  test('C40 3.2.2-i: into the zone and an assault', () => {
    const b = battle({ units: { US1: { type: 'rifle', at: 'D4' }, GE1: { type: 'rifle', at: 'F4' } } });
    expect(refused(b, assault('US1', 'GE1', 'E4'))).toBeUndefined();
  });

  test('C41 3.2.1-veh2-a 3.2.1-veh2-b 3.2.1-veh2-c 3.2.1-veh2-d 3.2.1-veh2-e R20: a two-square vehicle', () => {
    const b = battle({ units: { US1: { type: 'pz', at: 'E5', rear: 'E6', facing: 0 } } });
    expect(refused(b, move('US1', 'FWD FWD BACK BACK'))).toBeUndefined();
    expect(refused(b, move('US1', 'FWD FWD BACK BACK FWD'))).toBe('TOO FAR');
    expect(refused(b, move('US1', 'R R FWD FWD'))).toBeUndefined();
    expect(refused(b, move('US1', 'R R FWD FWD FWD'))).toBe('TOO FAR');
    expect(refused(b, move('US1', 'FWD R R'))).toBe('ONE PIVOT A SQUARE');
    b.act(move('US1', 'R'));
    expect(b.unit('US1')).toMatchObject({ at: 'E5', rear: 'D6', facing: 1 });
    expect(b.told('moved').at(-1)!.spent).toBe(1);
  });

  test('C41 3.2.1-veh2-f 3.2.1-veh2-g G-13: a diagonal between impassable squares', () => {
    const b = battle({
      board: on({ E4: 'X', F5: 'X' }),
      units: { US1: { type: 'pz', at: 'E5', rear: 'D6', facing: 1 } },
    });
    expect(refused(b, move('US1', 'FWD FWD'))).toBeUndefined();
    b.act(move('US1', 'FWD'));
    expect(b.unit('US1')).toMatchObject({ at: 'F4', rear: 'E5' });
  });

  test('C42 3.2.1-over-a 3.2.1-over-b 3.2.1-over-c 8.2-supp-a R13 R18: running over infantry', () => {
    const sketch = (more: Record<string, { type: string; at: string }> = {}) =>
      battle({
        units: {
          US1: { type: 'jeep', at: 'C5' },
          US2: { type: 'rifle', at: 'F5' },
          GE1: { type: 'team', at: 'D5' },
          GE2: { type: 'rifle', at: 'E5' },
          ...more,
        },
      });
    const b = sketch();
    b.act(move('US1', 'D5 E5'));
    expect(valuesOf(b.asked.find((request) => request.kind === 'displace')!).sort()).toEqual(['D4', 'D6']);
    expect(b.unit('GE1')).toMatchObject({ at: 'D5', suppressed: 0 });
    expect(b.unit('GE2').suppressed).toBe(1);
    const full = sketch({ GE3: { type: 'team', at: 'D4' }, GE4: { type: 'team', at: 'D6' } });
    full.act(move('US1', 'D5 E5'));
    expect(full.gone('GE2')).toBe(true);
  });

  test('C43 3.2.1-forced-c 3.2.1-over-e 3.2.1-x-d 3.2.1-forced-a R6: run over while set up', () => {
    const b = battle({
      counters: {
        fixed: {
          faces: { full: { cv: { inf: 1, light: 1, heavy: 1 }, defense: 5, move: 0, abilities: {}, hit: 'destroyed' } },
        },
      },
      units: {
        US1: { type: 'jeep', at: 'C5' },
        US2: { type: 'jeep', at: 'C8' },
        US3: { type: 'jeep', at: 'C11' },
        GE1: { type: 'mg', at: 'D5', face: 'active', facing: 4 },
        GE2: { type: 'fixed', at: 'D8' },
        GE3: { type: 'rifle', at: 'D11', suppressed: 2 },
      },
    });
    b.act(move('US1', 'D5'), [], (request) => (request.kind === 'opfire' ? 'NO' : undefined));
    expect(b.unit('GE1')).toMatchObject({ face: 'inactive', suppressed: 1 });
    expect(b.unit('GE1').at).not.toBe('D5');
    b.act(move('US2', 'D8'));
    expect(b.gone('GE2')).toBe(true);
    b.act(move('US3', 'D11'));
    expect(b.unit('GE3').suppressed).toBe(3);
  });

  const pushing = (changes: Record<string, string>, more = {}) =>
    battle({
      board: on(changes),
      units: { US1: { type: 'pz', at: 'E5', rear: 'E6', facing: 0 }, ...more },
      wrecks: [{ id: 'W1', kind: 'wreck-1', squares: ['E4'], facing: 2, points: 0 }],
    });

  test('C44 3.2.1-push-a 3.2.1-push-e 3.2.1-push-f: a free square: wreck on, vehicle after it, action over', () => {
    const b = pushing({});
    expect(refused(b, move('US1', 'PUSH:E4 FWD'))).toBe('MUST STOP');
    b.act(move('US1', 'PUSH:E4'));
    expect(b.state.table.wrecks).toMatchObject([{ squares: ['E3'], facing: 2 }]);
    expect(b.unit('US1')).toMatchObject({ at: 'E4', rear: 'E5' });
  });

  test('C44 3.2.1-push-k: in a pond it sinks', () => {
    const b = pushing({ E3: '~' });
    b.act(move('US1', 'PUSH:E4'));
    expect(b.state.table.wrecks).toEqual([]);
    expect(b.told('wreck-pushed')[0]!.sunk).toBe(true);
  });

  test('C44 3.2.1-push-j 3.2.1-push-l 3.2.1-push-c 3.2.1-push-b 3.2.1-push-i 3.2.1-push-d: what is refused', () => {
    expect(refused(pushing({ E3: 'h' }), move('US1', 'PUSH:E4'))).toBe('IMPASSABLE');
    expect(refused(pushing({}), move('US1', 'BACK PUSH:E4'))).toBe('NOT ADJACENT');
    expect(refused(pushing({ E4: 'X' }), move('US1', 'PUSH:E4'))).toBe('IMPASSABLE');
    const edge = battle({
      units: { US1: { type: 'pz', at: 'E2', rear: 'E3', facing: 0 } },
      wrecks: [{ id: 'W1', kind: 'wreck-1', squares: ['E1'], facing: 0, points: 0 }],
    });
    expect(refused(edge, move('US1', 'PUSH:E1'))).toBe('OFF THE BOARD');
    const light = battle({
      units: { US1: { type: 'jeep', at: 'E5' }, US2: { type: 'pz', at: 'F3', rear: 'G3', facing: 6 } },
      wrecks: [{ id: 'W1', kind: 'wreck-2', squares: ['E4', 'E3'], facing: 0, points: 0 }],
    });
    expect(refused(light, move('US1', 'PUSH:E4'))).toBe('WRECK TOO LARGE');
    expect(refused(light, move('US2', 'PUSH:E3'))).toBeUndefined();
  });

  test('C44 3.2.1-push-g 3.2.1-push-h R7: infantry in the way gives way without a marker; it dies if it cannot', () => {
    const b = pushing({}, { GE1: { type: 'team', at: 'E3' } });
    b.act(move('US1', 'PUSH:E4'));
    expect(b.unit('GE1').suppressed).toBe(0);
    expect(b.unit('GE1').at).not.toBe('E3');
    const fixed = pushing({}, { GE1: { type: 'mg', at: 'E3', face: 'active' } });
    fixed.unit('GE1').face = 'active';
    fixed.act(move('US1', 'PUSH:E4'), [], (request) => (request.kind === 'opfire' ? 'NO' : undefined));
    expect(fixed.unit('GE1').face).toBe('inactive');
  });

  test('C45 3.2.1-crush-a 3.2.1-crush-b 5.1-struct-b 1.2-e: crushing a wreck', () => {
    const b = battle({
      units: { US1: { type: 'pz', at: 'E6', rear: 'E7', facing: 0 } },
      wrecks: [{ id: 'W1', kind: 'wreck-2', squares: ['E5', 'E4'], facing: 0, points: 0 }],
    });
    b.act(move('US1', 'FWD FWD BACK FWD'));
    expect(b.state.table.wrecks).toMatchObject([{ points: 2 }]);
    b.act(move('US1', 'BACK BACK'));
    expect(b.state.table.wrecks).toMatchObject([{ points: 2 }]);
    b.act(move('US1', 'FWD'));
    expect(b.state.table.wrecks).toEqual([]);
  });
});
