/** Worked cases HON-C01 to C24 and C53: firing, line of sight, suppression, machine guns, opportunity fire, damage. */

import { describe, expect, test } from 'vitest';
import { asWritten, valuesOf } from '../../../../src/kernel/questions.ts';
import { carryOut } from '../../../../src/systems/normandie/actions/script.ts';
import { battle, face, lastShot, move, on, refused, shoot } from '../../../helpers/normandie-battle.ts';

describe('firing', () => {
  test('C01 3.2.3-res-a 3.2.3-res-c 3.2.3-res-e 5.1-def-a 3.2.3-hit-b: die 4, value 2 and one Ammo make 7 against 4 + 2', () => {
    const b = battle({
      board: on({ D5: 'h' }),
      units: { US1: { type: 'rifle', at: 'B5' }, GE1: { type: 'rifle', at: 'D5' } },
      gear: [{ side: 'us', option: 'ammo', left: 3 }],
    });
    b.act(shoot('US1', 'GE1'), [4], undefined, [{ rider: 'use', option: 'ammo', n: 1 }]);
    expect(lastShot(b)).toEqual({ total: 7, need: 6, result: 'hit' });
    expect(b.unit('GE1').face).toBe('reduced');
    expect(b.state.table.gear[0]!.left).toBe(2);
  });

  test('C02 3.2.3-type-a 3.2.3-type-b 3.2.3-hit-c 1.1-h 1.1-i: X forbids, 0 allows', () => {
    const b = battle({
      units: {
        US1: { type: 'rifle', at: 'B5' },
        GE1: { type: 'jeep', at: 'D5' },
        GE2: { type: 'pz', at: 'D8', rear: 'D9' },
      },
    });
    expect(refused(b, shoot('US1', 'GE2'))).toBe('CANNOT HARM');
    b.act(shoot('US1', 'GE1'), [5]);
    expect(lastShot(b)).toEqual({ total: 5, need: 5, result: 'hit' });
    expect(b.gone('GE1')).toBe(true);
    expect(b.state.table.wrecks).toMatchObject([{ kind: 'wreck-1', squares: ['D5'] }]);
  });

  test.each([
    [6, 8, true],
    [5, 7, false],
  ])('C03 3.2.3-double-a 3.2.3-hit-b 3.2.3-dest-a: die %i totals %i, destroyed %s', (die, total, destroyed) => {
    const b = battle({ units: { US1: { type: 'rifle', at: 'B5' }, GE1: { type: 'team', at: 'D5' } } });
    b.act(shoot('US1', 'GE1'), [die]);
    expect(lastShot(b).total).toBe(total);
    expect(b.gone('GE1')).toBe(destroyed);
    expect(b.state.table.roster.find((each) => each.code === 'GE1')!.fate).toBe(destroyed ? 'lost' : 'in play');
    if (!destroyed) expect(b.unit('GE1').face).toBe('reduced');
  });

  test.each([
    ['I6', 7, 5, 'hit'],
    ['J6', 8, 3, 'none'],
  ])(
    'C04 3.2.3-range-b 3.2.3-range-c 3.2.3-range-d 8.2-fire-f: to %s, range %i, total %i: %s',
    (at, range, total, result) => {
      const b = battle({ units: { US1: { type: 'rifle', at: 'B2' }, GE1: { type: 'rifle', at } } });
      b.act(shoot('US1', 'GE1'), [3]);
      expect(b.told('shot')[0]!.range).toBe(range);
      expect(lastShot(b)).toMatchObject({ total, result });
    },
  );

  test.each([
    ['rifle', 5, 4, 'hit'],
    ['jeep', 6, 4, 'none'],
  ])(
    'C05 5.1-obsc-b 5.1-obsc-c 5.1-obsc-d 5.1-obsc-e 3.2.3-los-d: at a %s, die %i, total %i: %s',
    (type, die, total, result) => {
      const b = battle({
        board: on({ C5: 'w', D5: 'w', H5: 'w', F5: 'c' }),
        units: { US1: { type: 'rifle', at: 'B5' }, GE1: { type, at: 'H5' } },
      });
      b.act(shoot('US1', 'GE1'), [die]);
      expect(lastShot(b)).toMatchObject({ total, result });
    },
  );

  test('C06 5.1-obsc-a 3.2.3-los-b 3.2.3-los-g 3.2.3-los-c: squares crossed in part count, corners touched do not', () => {
    const part = battle({
      board: on({ B2: 'w', C2: 'w', C3: 'w' }),
      units: { US1: { type: 'rifle', at: 'B2' }, GE1: { type: 'rifle', at: 'D3' } },
    });
    part.act(shoot('US1', 'GE1'), [1]);
    expect(lastShot(part).total).toBe(1 + 2 - 2);
    const corner = battle({
      board: on({ B2: 'w', C2: 'w', B3: 'w' }),
      units: { US1: { type: 'rifle', at: 'B2' }, GE1: { type: 'rifle', at: 'E5' } },
    });
    corner.act(shoot('US1', 'GE1'), [1]);
    expect(lastShot(corner).total).toBe(3);
  });

  test.each([
    ['team', 'US2 team', true],
    ['jeep', 'US2 team', false],
    ['team', 'US2 jeep', true],
    ['jeep', 'US2 jeep', true],
    ['team', 'GE?M amb', false],
  ])('C07 3.2.3-los-i 3.2.3-los-j 6.1-ambush-c: %s behind %s is blocked: %s', (target, between, blocked) => {
    const [code, type] = between.split(' ') as [string, string];
    const b = battle({
      units: {
        US1: { type: 'rifle', at: 'B5' },
        GE1: { type: target, at: 'G5' },
        [code]: { type, at: 'D5', ...(code.includes('?') ? { conceals: 'GE9' } : {}) },
      },
    });
    expect(refused(b, shoot('US1', 'GE1'))).toBe(blocked ? 'NO LINE OF SIGHT' : undefined);
  });

  test('C08 6.2-limited-a 3.2.3-arc-a 3.2.3-arc-b 3.2.3-arc-c 3.2.1-x-e: limited range and firing arc', () => {
    const b = battle({
      units: {
        US1: { type: 'blean', at: 'B2' },
        US2: { type: 'mg', at: 'E5', face: 'active', facing: 0 },
        GE1: { type: 'team', at: 'F2' },
        GE2: { type: 'team', at: 'G2' },
        GE3: { type: 'team', at: 'F3' },
        GE4: { type: 'team', at: 'G4' },
      },
    });
    expect(refused(b, shoot('US1', 'GE1'))).toBeUndefined();
    b.state.table.units = b.state.table.units.filter((unit) => unit.code !== 'GE1');
    expect(refused(b, shoot('US1', 'GE2'))).toBe('OUT OF RANGE');
    expect(refused(b, shoot('US2', 'GE3'))).toBeUndefined();
    expect(refused(b, shoot('US2', 'GE4'))).toBe('OUT OF ARC');
    expect(refused(b, move('US2', '', { face: 1 }))).toBeUndefined();
    expect(refused(b, move('US2', 'E4'))).toBe('CANNOT MOVE');
  });

  test('C09 3.2.3-weap-a 3.2.3-weap-b 3.2.3-weap-c: two weapons one after the other, the second target after the first result', () => {
    const b = battle({
      units: {
        US1: { type: 'pz', at: 'B5', rear: 'B6' },
        GE1: { type: 'rifle', at: 'E5' },
        GE2: { type: 'jeep', at: 'E3' },
      },
    });
    b.run(
      function* (play) {
        yield* carryOut(play, b.unit('US1'), [
          { action: shoot('US1', 'GE2', { weapon: 'PRIMARY' }), riders: [] },
          { action: shoot('US1', ['GE2', 'GE1'], { weapon: 'SECONDARY' }), riders: [] },
        ]);
      },
      [1, 2],
    );
    expect(b.told('shot').map((shot) => [shot.target, shot.weapon, shot.sum.total, shot.result])).toEqual([
      ['GE2', 'primary', 6, 'hit'],
      ['GE1', 'secondary', 6, 'hit'],
    ]);
    expect(b.unit('GE1').face).toBe('reduced');
  });

  test('C10 6.2-fotm-a 6.2-fotm-b 3.2.3-type-d 3.2.3-weap-d 3.2.1-spec-b: fire on the move', () => {
    const b = battle({
      units: { US1: { type: 'pz', at: 'B8', rear: 'B9' }, GE1: { type: 'rifle', at: 'F7' } },
    });
    b.act(move('US1', 'FWD FWD FWD'), [1], undefined, [
      { rider: 'fom', at: 'B7', fire: shoot('US1', 'GE1', { weapon: 'SECONDARY' }) },
      { rider: 'fom', at: 'B6', fire: shoot('US1', 'GE1', { weapon: 'PRIMARY' }) },
    ]);
    expect(lastShot(b)).toEqual({ total: 3, need: 4, result: 'none' });
    expect(b.told('shot')).toHaveLength(1);
    expect(b.unit('US1').at).toBe('B5');
  });

  test.each([
    [[2, 5], 7, 'hit', 0],
    [[1, 3], 5, 'none', 1],
  ])('C11 6.2-dual-a 6.2-fright-a: dice %j keep the better, total %i: %s, %i Suppressed', (dice, total, result, n) => {
    const b = battle({
      board: on({ D5: 'h' }),
      counters: { dual: { faces: { full: face('4 4 2/0/X flip assault dual-weapon frightening-shot') } } },
      units: { US1: { type: 'dual', at: 'B5' }, GE1: { type: 'rifle', at: 'D5' } },
    });
    b.act(shoot('US1', 'GE1'), dice);
    expect(lastShot(b)).toMatchObject({ total, result });
    expect(b.unit('GE1').suppressed).toBe(n);
  });

  test('C11 6.2-fright-b: not together with Machine Gunner', () => {
    const b = battle({
      counters: { twin: { faces: { full: face('4 4 2/0/X flip machine-gunner frightening-shot') } } },
      units: {
        US1: { type: 'twin', at: 'B5' },
        GE1: { type: 'blean', at: 'D5' },
        GE2: { type: 'blean', at: 'D6' },
      },
    });
    b.act(shoot('US1', ['GE1', 'GE2'], { split: [1, 1] }), [1, 1]);
    expect(b.unit('GE1').suppressed + b.unit('GE2').suppressed).toBe(0);
  });
});

describe('suppression and machine guns', () => {
  test('C12 6.2-suppressive-a 6.2-suppressive-b 6.2-suppressive-c 6.2-suppressive-d: doubled value, two markers, no flip', () => {
    const b = battle({ units: { US1: { type: 'track', at: 'B5', rear: 'B6' }, GE1: { type: 'rifle', at: 'E5' } } });
    b.act(shoot('US1', 'GE1', { suppress: true }), [3]);
    expect(lastShot(b)).toEqual({ total: 11, need: 4, result: 'suppressed' });
    expect(b.unit('GE1')).toMatchObject({ suppressed: 2, face: 'full' });
  });

  test('C13 R5 6.2-fotm-b 6.2-suppressive-f 8.2-fire-b 8.2-fire-d 4.2-m: penalty and card are doubled, Suppressed Markers are not', () => {
    const b = battle({
      board: on({ E5: 'h' }),
      units: { US1: { type: 'track', at: 'B5', rear: 'B6', suppressed: 1 }, GE1: { type: 'rifle', at: 'E5' } },
      cards: { us: ['nerves'] },
    });
    b.act(
      move('US1', 'FWD'),
      [6],
      (request) =>
        request.kind === 'bonus' && valuesOf(request).includes('nerves BONUS') ? 'nerves BONUS' : undefined,
      [{ rider: 'fom', at: 'B5', fire: shoot('US1', 'GE1', { suppress: true }) }],
    );
    expect(lastShot(b)).toEqual({ total: 10, need: 6, result: 'suppressed' });
    expect(b.unit('GE1').suppressed).toBe(1);
  });

  const line = () =>
    battle({
      units: {
        US1: { type: 'mg', at: 'H8', face: 'active', facing: 0 },
        GE1: { type: 'rifle', at: 'H2' },
        GE2: { type: 'rifle', at: 'I2' },
        GE3: { type: 'rifle', at: 'K2' },
        GE4: { type: 'rifle', at: 'N2' },
      },
    });

  test('C14 6.2-mg-a 6.2-mg-c 6.2-mg-e 6.2-mg-f 6.2-mg-h: the split of the example', () => {
    const b = line();
    expect(refused(b, shoot('US1', ['GE1', 'GE4'], { split: [2, 2] }))).toBe('TARGETS TOO FAR APART');
    expect(refused(b, shoot('US1', ['GE1', 'GE2'], { split: [4, 0] }))).toBe('SPLIT BELOW ONE');
    b.act(shoot('US1', ['GE1', 'GE2', 'GE3'], { split: [1, 1, 2] }), [4, 2, 2]);
    expect(b.told('shot').map((shot) => [shot.target, shot.sum.total, shot.result])).toEqual([
      ['GE1', 5, 'hit'],
      ['GE2', 3, 'none'],
      ['GE3', 4, 'hit'],
    ]);
  });

  test('C15 R5 6.2-mg-i 8.2-fire-b 6.2-suppressive-c: the doubled value is split', () => {
    const b = line();
    expect(refused(b, shoot('US1', ['GE1', 'GE2'], { split: [2, 7], suppress: true }))).toBe('SPLIT TOO LARGE');
    b.act(shoot('US1', ['GE1', 'GE2'], { split: [1, 7], suppress: true }), [3, 2]);
    expect([b.unit('GE1').suppressed, b.unit('GE2').suppressed]).toEqual([1, 2]);
  });

  test('6.2-mg-b 6.2-mg-d 6.2-mg-g: one type of target, each line with its own obstacles', () => {
    const b = battle({
      board: on({ D4: 'w' }),
      units: {
        US1: { type: 'mg', at: 'D6', face: 'active', facing: 0 },
        GE1: { type: 'rifle', at: 'D3' },
        GE2: { type: 'rifle', at: 'E3' },
        GE3: { type: 'jeep', at: 'F3' },
      },
    });
    expect(refused(b, shoot('US1', ['GE2', 'GE3'], { split: [1, 1] }))).toBe('MIXED TARGETS');
    b.act(shoot('US1', ['GE1', 'GE2'], { split: [2, 2] }), [3, 3]);
    expect(b.told('shot').map((shot) => shot.sum.total)).toEqual([4, 5]);
  });
});

describe('opportunity fire', () => {
  const sketch = () =>
    battle({
      counters: { runner: { faces: { full: face('4 4 2/0/X flip'), reduced: face('5 2 1/X/X destroyed') } } },
      units: {
        US1: { type: 'runner', at: 'B4' },
        GE1: { type: 'mg', at: 'E9', face: 'active', facing: 0, token: 3 },
      },
    });
  const when = (square: string) => (request: { kind: string; id: string }, b: { unit(code: string): { at: string } }) =>
    request.kind === 'opfire' && b.unit('US1').at === square ? 'FIRE GE1 AT US1' : undefined;

  test('C16 6.2-opp-a 6.2-opp-c 6.2-opp-d 6.2-opp-e 3.2-f 4.1-e 4.1-f 4.1-h 1.1-b: at the third square; the mover goes on with its own value', () => {
    const b = sketch();
    b.act(move('US1', 'C4 D4 E4 F4'), [2], (request, now) => when('E4')(request, now));
    expect(lastShot(b)).toEqual({ total: 6, need: 4, result: 'hit' });
    expect(b.unit('US1')).toMatchObject({ at: 'F4', face: 'reduced' });
    expect(b.unit('GE1')).toMatchObject({ activated: true, token: null });
    expect(b.state.hands.ge!.voided).toEqual([3]);
    expect(b.told('moved').filter((event) => event.unit === 'US1')).toHaveLength(4);
  });

  test('C17 6.2-opp-b 3.2.1-forced-b 8.3-g 3.3-c 4.1-g: after fire yes; after a Forced Move, in Supply or once it has acted no', () => {
    const fired = battle({
      units: {
        US1: { type: 'rifle', at: 'E4' },
        GE1: { type: 'mg', at: 'E9', face: 'active', facing: 0 },
        GE2: { type: 'team', at: 'B4' },
      },
    });
    fired.act(shoot('US1', 'GE2'), [1, 3], (request) => (request.kind === 'opfire' ? 'FIRE GE1 AT US1' : undefined));
    expect(fired.told('fired').map((event) => [event.unit, event.opportunity])).toEqual([
      ['US1', false],
      ['GE1', true],
    ]);
    const acted = sketch();
    acted.unit('GE1').activated = true;
    acted.act(move('US1', 'C4 D4 E4'));
    expect(acted.asked).toHaveLength(0);
    const supply = sketch();
    supply.phase('supply', { us: [{ verb: 'SUPPLY', line: 1, move: move('US1', 'C4 D4 E4') }] });
    expect(supply.asked).toHaveLength(0);
    expect(supply.unit('US1').at).toBe('E4');
  });

  test('C18 4.1-d 6.2-suppressive-h 4.1-b 3.2-j 6.2-suppressive-g: a marker gained on the move does not slow it', () => {
    const b = battle({
      units: { US1: { type: 'rifle', at: 'B4' }, GE1: { type: 'mg', at: 'C9', face: 'active', facing: 0 } },
    });
    b.act(move('US1', 'C4 D4 E4 F4'), [3], (request, now) =>
      request.kind === 'opfire' && now.unit('US1').at === 'C4' ? 'FIRE GE1 AT US1 SUPPRESS' : undefined,
    );
    expect(b.unit('US1')).toMatchObject({ at: 'F4', suppressed: 2 });
    expect(refused(b, move('US1', 'G4'))).toBe('TOO FAR');
    expect(refused(b, move('US1', ''))).toBeUndefined();
  });
});

describe('damage to heavy vehicles', () => {
  const duel = (more = {}) =>
    battle({
      units: {
        US1: { type: 'pz', at: 'E10', rear: 'E11', facing: 0 },
        GE1: { type: 'pz', at: 'E5', rear: 'E4', facing: 4, ...more },
      },
    });

  test.each([
    [1, ['1'], 0],
    [2, ['2'], 0],
    [4, ['3-4'], 2],
    [5, ['5'], 0],
  ] as const)(
    'C19 3.2.3-dmg-a 3.2.3-dmg-1 3.2.3-dmg-2 3.2.3-dmg-3 3.2.3-dmg-5 1.3-c 8.3-e: location %i gives %j, %i Suppressed',
    (die, damage, suppressed) => {
      const b = duel();
      b.act(shoot('US1', 'GE1', { weapon: 'PRIMARY' }), [5, die]);
      expect(b.told('shot')[0]).toMatchObject({ side: 'front' });
      expect(lastShot(b)).toEqual({ total: 9, need: 9, result: 'hit' });
      expect(b.unit('GE1')).toMatchObject({ damage, suppressed });
    },
  );

  test('C19 3.2.3-dmg-6 3.2.3-dest-b 1.2-d: location 6 makes a wreck', () => {
    const b = duel();
    b.act(shoot('US1', 'GE1', { weapon: 'PRIMARY' }), [5, 6]);
    expect(b.gone('GE1')).toBe(true);
    expect(b.state.table.wrecks).toMatchObject([{ squares: ['E5', 'E4'] }]);
  });

  test('C19 effects: one weapon a turn, no Movement Action, no primary', () => {
    const crew = duel({ damage: ['1'] });
    crew.run(
      function* (play) {
        yield* carryOut(play, crew.unit('GE1'), [
          { action: shoot('GE1', 'US1', { weapon: 'PRIMARY' }), riders: [] },
          { action: shoot('GE1', 'US1', { weapon: 'SECONDARY' }), riders: [] },
        ]);
      },
      [1],
    );
    expect(crew.told('fired')).toHaveLength(1);
    expect(refused(duel({ damage: ['2'] }), move('GE1', 'FWD'))).toBe('TRACKS DESTROYED');
    expect(refused(duel({ damage: ['5'] }), shoot('GE1', 'US1', { weapon: 'PRIMARY' }))).toBe('WEAPON DESTROYED');
  });

  test.each([
    ['3-4', 3, true],
    ['2', 4, false],
    ['5', 5, true],
  ] as const)('C20 3.2.3-dmg-b R3: with marker %s a location of %i destroys: %s', (had, die, destroyed) => {
    const b = duel({ damage: [had] });
    b.act(shoot('US1', 'GE1', { weapon: 'PRIMARY' }), [5, die]);
    expect(b.gone('GE1')).toBe(destroyed);
    if (!destroyed) expect(b.unit('GE1')).toMatchObject({ damage: ['2', '3-4'], suppressed: 2 });
  });

  test.each([
    [5, true, '6'],
    [6, true, '6'],
    [1, false, '2'],
  ])('C21 6.2-pierce-a 3.2.3-dmg-6 R4: Piercing makes location die %i part %s', (die, destroyed, part) => {
    const b = battle({
      units: {
        US1: { type: 'stug', at: 'C5', rear: 'B5', facing: 2 },
        GE1: { type: 'pz', at: 'H5', rear: 'H6', facing: 0 },
      },
    });
    b.act(shoot('US1', 'GE1'), [2, die]);
    expect(b.told('shot')[0]).toMatchObject({ side: 'side' });
    expect(lastShot(b)).toEqual({ total: 7, need: 7, result: 'hit' });
    expect(b.told('damaged')[0]!.part).toBe(part);
    expect(b.gone('GE1')).toBe(destroyed);
  });

  test('C22 6.4-waves-a: the owner picks one of two dice after seeing both', () => {
    const b = battle({
      counters: {
        ace: {
          class: 'heavy',
          footprint: 2,
          wreck: 'wreck-2',
          faces: {
            full: {
              defense: { front: 9, side: 7, rear: 6 },
              move: 4,
              abilities: { 'positive-waves': 0 },
              hit: 'flip',
              weapons: [{ slot: 'both', cv: { inf: 3, light: 5, heavy: 4 }, abilities: {}, arc: 360 }],
            },
          },
        },
      },
      units: {
        US1: { type: 'pz', at: 'E10', rear: 'E11' },
        GE1: { type: 'ace', at: 'E5', rear: 'E4', facing: 4 },
      },
    });
    b.act(shoot('US1', 'GE1', { weapon: 'PRIMARY' }), [5, 6, 2], (request) =>
      request.kind === 'damage' ? '2' : undefined,
    );
    expect(b.asked.find((request) => request.kind === 'damage')).toMatchObject({
      to: 'ge',
      options: asWritten(['6', '2']),
    });
    expect(b.unit('GE1')).toMatchObject({ damage: ['2'], suppressed: 0 });
  });

  test.each([
    [[], [6, 1], false, 11],
    [['nerves'], [6], true, 12],
  ])(
    'C23 3.2.3-dmg-c 3.2.3-double-a 4.2-m 4.2-k: at the rear with cards %j, dice %j, wreck at once %s',
    (cards, dice, wreck, total) => {
      const b = battle({
        units: {
          US1: { type: 'stug', at: 'E10', rear: 'E11' },
          GE1: { type: 'pz', at: 'E4', rear: 'E5', facing: 0 },
        },
        cards: { us: cards },
      });
      b.act(
        shoot('US1', 'GE1'),
        dice,
        undefined,
        cards.length > 0 ? [{ rider: 'card', card: 'nerves', as: 'bonus' }] : [],
      );
      expect(b.told('shot')[0]).toMatchObject({ side: 'rear' });
      expect(lastShot(b).total).toBe(total);
      expect(b.gone('GE1')).toBe(wreck);
      expect(b.told('damaged')).toHaveLength(wreck ? 0 : 1);
    },
  );

  test.each([
    [2, 'E8'],
    [3, 'E8'],
    [5, 'E5'],
  ])('C24 R16 3.2.3-dmg-2 3.2.3-dmg-3 6.2-opp-e: hit on the move at location %i it ends on %s', (die, at) => {
    const b = battle({
      counters: {
        pak: { faces: { full: face('5 4 2/6/9 destroyed opportunity-fire') } },
      },
      units: {
        US1: { type: 'pz', at: 'E9', rear: 'E10', facing: 0 },
        GE1: { type: 'pak', at: 'E2' },
      },
    });
    b.act(move('US1', 'FWD FWD FWD FWD'), [1, die], (request, now) =>
      request.kind === 'opfire' && now.unit('US1').at === 'E8' ? valuesOf(request).at(-1) : undefined,
    );
    expect(b.unit('US1').at).toBe(at);
  });
});

describe('snipers', () => {
  test.each([
    ['rifle', 5, 1, {}, 3, 1, 'full', false],
    ['rifle', 4, 0, { E5: 'w' }, 3, 1, 'full', false],
    ['rifle', 6, 0, {}, 6, 1, 'reduced', false],
    ['reduced', 6, 0, {}, 6, 0, 'reduced', true],
    ['rifle', 2, 1, {}, 0, 0, 'full', false],
    ['rifle', 4, 0, {}, 4, 0, 'reduced', false],
  ] as const)(
    'C53 6.2-sniper-a 6.2-sniper-b 6.2-sniper-c 6.2-sniper-d 6.2-sniper-e 6.2-sniper-f: at a %s, die %i, %i Suppressed, %j: total %i',
    (target, die, own, terrain, total, suppressed, shown, dead) => {
      const b = battle({
        board: on({ G5: 'h', ...terrain }),
        units: {
          US1: { type: 'sniper', at: 'B5', suppressed: own },
          GE1: { type: 'rifle', at: 'G5', face: target === 'reduced' ? 'reduced' : 'full' },
        },
      });
      b.act(shoot('US1', 'GE1', { weapon: 'SNIPER' }), [die]);
      expect(b.told('sniper')[0]!.sum.total).toBe(total);
      expect(b.gone('GE1')).toBe(dead);
      if (!dead) expect(b.unit('GE1')).toMatchObject({ suppressed, face: shown });
    },
  );

  test('C53 6.2-sniper-a: not at vehicles', () => {
    const b = battle({ units: { US1: { type: 'sniper', at: 'B5' }, GE1: { type: 'jeep', at: 'G5' } } });
    expect(refused(b, shoot('US1', 'GE1', { weapon: 'SNIPER' }))).toBe('SNIPER');
  });
});
