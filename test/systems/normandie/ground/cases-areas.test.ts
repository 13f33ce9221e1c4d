/** Worked cases HON-C46 to C59: templates, destruction, buildings, transport, crew, hidden units. */

import { describe, expect, test } from 'vitest';
import { valuesOf } from '../../../../src/kernel/questions.ts';
import { destroy } from '../../../../src/systems/normandie/fight/effects.ts';
import {
  assault,
  battle,
  face,
  HOUSE,
  lastShot,
  move,
  on,
  refused,
  shoot,
  WITH_HOUSE,
} from '../../../helpers/normandie-battle.ts';

describe('templates', () => {
  test('C46 6.2-howitzer-a 6.2-howitzer-b 6.2-howitzer-c 6.2-howitzer-d 6.2-howitzer-f 6.2-howitzer-g 6.2-howitzer-i 6.2-howitzer-j 6.2-howitzer-k R9', () => {
    const b = battle({
      board: on({ F5: 'w', L6: 's' }),
      units: {
        US1: { type: 'gun', at: 'B5' },
        'GE?M': { type: 'amb', at: 'K5', conceals: 'GE4' },
        GE1: { type: 'rifle', at: 'L5' },
        GE2: { type: 'team', at: 'L6' },
        GE3: { type: 'pz', at: 'K6', rear: 'K7', facing: 0 },
      },
    });
    expect(refused(b, shoot('US1', 'GE1', { weapon: 'HOWITZER' }))).toBe('AIM AT AN INTERSPACE');
    b.act(shoot('US1', '@K5', { weapon: 'HOWITZER' }), [1, 2, 6]);
    expect(b.told('shot').map((shot) => [shot.target, shot.sum.total, shot.sum.need, shot.result])).toEqual([
      ['GE1', 4, 4, 'hit'],
      ['GE2', 5, 6, 'none'],
      ['GE3', 6, 7, 'none'],
    ]);
    expect(b.unit('GE1').face).toBe('reduced');
    expect(b.unit('GE?M').concealed).toBe('ambush');
  });

  test.each([
    [2, false, '@H6'],
    [2, true, '@G6'],
    [5, false, '@F6'],
    [1, false, '@F4'],
    [4, false, '@D6'],
  ])(
    'C47 6.2-indirect-a 6.2-indirect-c 6.2-indirect-d 6.2-indirect-e 6.2-indirect-f 6.2-indirect-h 6.2-spotter-a: scatter die %i, spotter %s: %s',
    (die, spotter, landed) => {
      const b = battle({
        board: on({ F10: 'z' }),
        counters: { eye: { faces: { full: face('4 4 1/X/X flip artillery-spotter') } } },
        units: {
          US1: { type: 'mortar', at: 'F14', face: 'active', suppressed: 1 },
          ...(spotter ? { US2: { type: 'eye', at: 'B6' }, US3: { type: 'eye', at: 'B7' } } : {}),
          GE1: { type: 'rifle', at: landed.slice(1) },
        },
      });
      b.act(shoot('US1', '@F6', { weapon: 'INDIRECT' }), [die, 5]);
      expect(b.told('scatter')[0]).toMatchObject({ aimed: '@F6', landed });
      expect(lastShot(b)).toEqual({ total: 6, need: 4, result: 'hit' });
    },
  );

  test('6.2-indirect-b 6.2-indirect-g: with clear sight it may fire as a howitzer; not from inside a building', () => {
    const b = battle({
      board: WITH_HOUSE,
      buildings: [HOUSE],
      units: {
        US1: { type: 'mortar', at: 'J10', face: 'active' },
        US2: { type: 'mortar', at: 'B2', face: 'active' },
        GE1: { type: 'rifle', at: 'F2' },
      },
    });
    expect(refused(b, shoot('US1', '@J4', { weapon: 'INDIRECT' }))).toBe('INSIDE A BUILDING');
    b.act(shoot('US2', '@F2', { weapon: 'HOWITZER' }), [6]);
    expect(b.told('scatter')).toEqual([]);
    expect(lastShot(b).total).toBe(9);
  });

  test('C48 6.2-flame-a 6.2-flame-b 6.2-flame-d 6.2-flame-f 6.2-flame-g 6.2-flame-h 8.2-supp-a: fire east after one square', () => {
    const b = battle({
      units: {
        US1: { type: 'flame', at: 'B5' },
        GE1: { type: 'rifle', at: 'D5' },
        GE2: { type: 'jeep', at: 'E5' },
        GE3: { type: 'blean', at: 'F5' },
      },
    });
    b.act(move('US1', 'C5'), [2, 1], undefined, [
      { rider: 'fom', at: 'C5', fire: { do: 'fire', unit: 'US1', weapon: 'FLAME', direction: 2, targets: [] } },
    ]);
    expect(b.told('shot').map((shot) => [shot.target, shot.sum.total, shot.result])).toEqual([
      ['GE1', 5, 'hit'],
      ['GE2', 3, 'none'],
    ]);
    expect([b.unit('GE1').face, b.unit('GE1').suppressed, b.unit('GE2').suppressed, b.unit('GE3').suppressed]).toEqual([
      'reduced',
      1,
      1,
      0,
    ]);
  });

  test('6.2-flame-e 6.2-flame-c: an obstacle cuts the flame off', () => {
    const b = battle({
      board: on({ D5: 'h' }),
      units: { US1: { type: 'flame', at: 'C5' }, GE1: { type: 'rifle', at: 'D5' }, GE2: { type: 'rifle', at: 'E5' } },
    });
    b.act({ do: 'fire', unit: 'US1', weapon: 'FLAME', direction: 2, targets: [] }, [1]);
    expect(b.told('shot').map((shot) => shot.target)).toEqual(['GE1']);
  });

  test('6.2-flame-k 6.2-flame-l: into a position and into a one-room building, no bonus inside', () => {
    const b = battle({
      board: on({ D5: 's', E5: 's' }, WITH_HOUSE),
      buildings: [HOUSE],
      units: {
        US1: { type: 'flame', at: 'C5' },
        US2: { type: 'flame', at: 'J9' },
        GE1: { type: 'rifle', at: 'D5' },
        GE2: { type: 'rifle', at: 'E5' },
        GE3: { type: 'rifle', at: 'D6' },
        GE4: { type: 'rifle', at: 'K11' },
      },
    });
    b.act(shoot('US1', 'D5', { weapon: 'FLAME' }), [1, 1]);
    expect(b.told('shot').map((shot) => [shot.target, shot.sum.total, shot.sum.need])).toEqual([
      ['GE1', 5, 4],
      ['GE2', 5, 4],
    ]);
    expect(b.unit('GE3').suppressed).toBe(0);
    b.act(shoot('US2', 'J10', { weapon: 'FLAME' }), [1]);
    expect(b.told('shot').at(-1)).toMatchObject({ target: 'GE4', sum: { need: 4 } });
    b.unit('US1').fired = [];
    expect(refused(b, shoot('US1', 'J10', { weapon: 'FLAME' }))).toBe('NOT BESIDE AN OPENING');
  });

  const grenades = (units: Record<string, { type: string; at: string }>, board = on({ G5: 's' })) =>
    battle({
      board,
      buildings: board === WITH_HOUSE ? [HOUSE] : [],
      units,
      gear: [{ side: 'us', option: 'grenades', left: 3 }],
      change: (data) => {
        data.options.find((option) => option.id === 'grenades')!.cv = { inf: 3, light: 2, heavy: 0 };
      },
    });

  test('C50 7.2-grenade-a 7.2-grenade-b 7.2-grenade-c 7.2-grenade-d 7.2-grenade-f 7.2-grenade-g R10 R19: in the open and into a position', () => {
    const b = grenades({
      US1: { type: 'rifle', at: 'E5' },
      GE1: { type: 'team', at: 'G5' },
    });
    expect(refused(b, shoot('US1', '@G5', { weapon: 'grenades' }))).toBe('OUT OF RANGE');
    b.act(shoot('US1', '@F4', { weapon: 'grenades' }), [2]);
    expect(lastShot(b)).toEqual({ total: 5, need: 6, result: 'none' });
    expect(b.state.table.gear[0]!.left).toBe(2);
    expect(b.told('scatter')).toEqual([]);
    const inside = grenades({
      US1: { type: 'rifle', at: 'F5' },
      GE1: { type: 'team', at: 'G5' },
      GE2: { type: 'team', at: 'G4' },
    });
    inside.act(shoot('US1', 'G5', { weapon: 'grenades' }), [2]);
    expect(inside.told('shot')).toHaveLength(1);
    expect(lastShot(inside)).toEqual({ total: 5, need: 4, result: 'hit' });
  });

  test('C51 7.2-grenade-h 7.2-grenade-i 6.2-howitzer-h: buildings', () => {
    const b = grenades(
      {
        US1: { type: 'rifle', at: 'J9' },
        US2: { type: 'rifle', at: 'H10' },
        GE1: { type: 'team', at: 'J10' },
        GE2: { type: 'rifle', at: 'K11' },
      },
      WITH_HOUSE,
    );
    expect(refused(b, shoot('US2', 'J10', { weapon: 'grenades' }))).toBe('NOT BESIDE AN OPENING');
    b.act(shoot('US2', '@I10', { weapon: 'grenades' }));
    expect(b.told('shot')).toEqual([]);
    b.act(shoot('US1', 'J10', { weapon: 'grenades' }), [1, 1]);
    expect(b.told('shot').map((shot) => [shot.target, shot.sum.total, shot.sum.need, shot.result])).toEqual([
      ['GE1', 4, 4, 'hit'],
      ['GE2', 4, 4, 'hit'],
    ]);
  });

  test('7.2-grenade-j 7.2-grenade-k 6.2-limited-b 6.2-howitzer-e: thrown out of a building, counted from the opening', () => {
    const b = grenades(
      { US1: { type: 'rifle', at: 'J10' }, US2: { type: 'rifle', at: 'K10' }, GE1: { type: 'team', at: 'K8' } },
      WITH_HOUSE,
    );
    expect(refused(b, shoot('US1', '@J8', { weapon: 'grenades' }))).toBeUndefined();
    expect(refused(b, shoot('US1', '@J7', { weapon: 'grenades' }))).toBe('OUT OF RANGE');
    expect(refused(b, shoot('US2', '@K8', { weapon: 'grenades' }))).toBe('OUT OF RANGE');
    expect(refused(b, shoot('US1', '@J10', { weapon: 'grenades' }))).toBe('NO AIM POINT');
  });
});

describe('destruction and buildings', () => {
  test('C49 6.2-destruction-a 6.2-destruction-b 6.2-destruction-c 6.2-destruction-e 6.2-destruction-f 6.2-destruction-g R11 5.1-struct-a', () => {
    const b = battle({
      board: WITH_HOUSE,
      buildings: [HOUSE],
      units: {
        US1: { type: 'baz', at: 'J8', suppressed: 1 },
        GE1: { type: 'team', at: 'J10' },
        GE2: { type: 'rifle', at: 'K10' },
      },
      change: (_data, state) => {
        state.table.destruction['1'] = 3;
      },
    });
    b.act(shoot('US1', 'GE1'), [4, 3, 4]);
    expect(lastShot(b)).toEqual({ total: 2, need: 7, result: 'none' });
    expect(b.told('destruction')[0]).toMatchObject({ dice: [3, 4], points: 1, total: 4, of: 4 });
    expect(b.state.table.rubble).toEqual(['1']);
    expect([b.unit('GE1').suppressed, b.unit('GE2').suppressed]).toEqual([1, 1]);
    expect(b.asked.filter((request) => request.kind === 'rubble').map((request) => request.to)).toEqual(['ge', 'ge']);
  });

  test('6.2-destruction-d 6.2-destruction-g 6.2-destruction-h: points add up; fire at the building itself; initiative places first', () => {
    const b = battle({
      board: WITH_HOUSE,
      buildings: [HOUSE],
      units: {
        US1: { type: 'baz', at: 'J8' },
        US2: { type: 'rifle', at: 'K11' },
        GE1: { type: 'team', at: 'J11' },
      },
      initiative: 'ge',
      change: (_data, state) => {
        state.table.destruction['1'] = 1;
      },
    });
    b.act(shoot('US1', '#1'), [4, 1]);
    expect(b.state.table.destruction['1']).toBe(2);
    b.unit('US1').fired = [];
    b.act(shoot('US1', '#1'), [4, 6]);
    expect(b.asked.filter((request) => request.kind === 'rubble').map((request) => request.to)).toEqual(['ge', 'us']);
    expect(b.told('shot')).toEqual([]);
  });

  test('C52 5.4-l 5.4-m 5.4-o 5.4-g 5.4-b 5.4-c 5.4-d: fire into and out of a building', () => {
    const b = battle({
      board: WITH_HOUSE,
      buildings: [HOUSE],
      units: { US1: { type: 'rifle', at: 'J5' }, GE1: { type: 'rifle', at: 'J10' }, GE2: { type: 'team', at: 'J11' } },
    });
    expect(refused(b, shoot('US1', 'GE2'))).toBe('NO LINE OF SIGHT');
    b.state.table.units = b.state.table.units.filter((unit) => unit.code !== 'GE1');
    expect(refused(b, shoot('US1', 'GE2'))).toBe('NO LINE OF SIGHT');
    expect(refused(b, shoot('GE2', 'US1'))).toBe('NO LINE OF SIGHT');
    const hit = battle({
      board: WITH_HOUSE,
      buildings: [HOUSE],
      units: { US1: { type: 'rifle', at: 'J5' }, GE1: { type: 'rifle', at: 'J10' } },
    });
    hit.act(shoot('US1', 'GE1'), [4]);
    expect(lastShot(hit)).toEqual({ total: 6, need: 7, result: 'none' });
    expect(refused(hit, shoot('GE1', 'US1'))).toBeUndefined();
  });

  test('5.4-n: a unit outside next to an opening fires at units deep inside, and they at it', () => {
    const b = battle({
      board: WITH_HOUSE,
      buildings: [HOUSE],
      units: { US1: { type: 'rifle', at: 'J9' }, GE1: { type: 'rifle', at: 'J11' } },
    });
    expect(refused(b, shoot('US1', 'GE1'))).toBeUndefined();
    expect(refused(b, shoot('GE1', 'US1'))).toBeUndefined();
  });

  test('5.4-e 5.4-f 4.2-surprise-b 4.2-surprise-a: doors, windows, Surprise', () => {
    const b = battle({
      board: WITH_HOUSE,
      buildings: [HOUSE],
      units: { US1: { type: 'rifle', at: 'J8' }, US2: { type: 'rifle', at: 'L11' } },
      cards: { us: ['surprise', 'surprise'] },
    });
    expect(refused(b, move('US1', 'J9 J10 J11 K11'))).toBeUndefined();
    expect(refused(b, move('US2', 'K11'))).toBe('WINDOW');
    const surprise = { rider: 'card', card: 'surprise', as: 'event' } as const;
    expect(refused(b, move('US2', 'K11'), [surprise])).toBeUndefined();
    expect(refused(b, move('US2', 'K11 L11'), [surprise])).toBe('WINDOW');
    expect(refused(b, move('US2', 'K11 L11'), [surprise, surprise])).toBeUndefined();
    b.act(move('US2', 'K11'), [], undefined, [surprise]);
    expect(b.unit('US2').at).toBe('K11');
    expect(b.state.hands.us!.cards).toEqual(['surprise']);
    expect(refused(b, move('US1', 'K9 K10'))).toBe('WALL');
  });

  test('C78 5.4-e 6.3-win-inf-b 4.2-surprise-a R8: a retreat through a window', () => {
    const sketch = (cards: string[]) =>
      battle({
        board: WITH_HOUSE,
        buildings: [HOUSE],
        units: { US1: { type: 'rifle', at: 'J11' }, GE1: { type: 'rifle', at: 'K11' } },
        cards: { ge: cards },
      });
    const without = sketch([]);
    without.act(assault('US1', 'GE1'), [6, 6, 1, 1]);
    expect(without.gone('GE1')).toBe(true);
    const withCard = sketch(['surprise']);
    withCard.act(assault('US1', 'GE1'), [6, 6, 1, 1], (request) => (request.kind === 'retreat' ? 'L11' : undefined));
    expect(withCard.unit('GE1').at).toBe('L11');
    expect(withCard.state.hands.ge!.cards).toEqual([]);
  });

  test('4.2-surprise-c: an attacker through a window goes back without a second card', () => {
    const b = battle({
      board: WITH_HOUSE,
      buildings: [HOUSE],
      units: { US1: { type: 'rifle', at: 'L11' }, GE1: { type: 'rifle', at: 'K11' } },
      cards: { us: ['surprise'] },
    });
    b.act(assault('US1', 'GE1'), [1, 1, 6, 6], undefined, [{ rider: 'card', card: 'surprise', as: 'event' }]);
    expect(b.unit('US1')).toMatchObject({ at: 'L11', face: 'reduced' });
  });
});

describe('transport and crew', () => {
  const cab = {
    transporter: { faces: { full: face('4 5 1/0/X flip transport-symbol') } },
  };

  test('C54 6.6-transport-a 6.6-transport-b 6.6-transport-c R17: carrying capacity', () => {
    const b = battle({
      counters: cab,
      units: {
        US1: { type: 'track', at: 'E5', rear: 'E6' },
        US2: { type: 'blean', at: 'E5', aboard: 'US1' },
        US3: { type: 'rifle', at: 'E5', aboard: 'US1' },
        US4: { type: 'rifle', at: 'E5', aboard: 'US1' },
        US5: { type: 'rifle', at: 'E5', aboard: 'US1' },
        US6: { type: 'team', at: 'F5' },
        US7: { type: 'transporter', at: 'D5' },
        US8: { type: 'track', at: 'H5', rear: 'H6' },
        US9: { type: 'gun', at: 'H5', aboard: 'US8' },
        US10: { type: 'gun', at: 'I5' },
      },
    });
    expect(refused(b, move('US6', 'IN:US1'))).toBe('TRANSPORT FULL');
    expect(refused(b, move('US10', 'IN:US8'))).toBe('SECOND GUN');
    b.state.table.units = b.state.table.units.filter((unit) => unit.code !== 'US5');
    b.act(move('US7', 'IN:US1'));
    expect(b.unit('US7')).toMatchObject({ aboard: 'US1', at: 'E5' });
    expect(b.told('moved').at(-1)!.spent).toBe(1);
    expect(refused(b, move('US7', 'OUT:D5 C5'))).toBeUndefined();
    expect(refused(b, move('US7', 'OUT:G5'))).toBe('NOT BESIDE THE VEHICLE');
    expect(refused(b, move('US10', 'J5'))).toBeUndefined();
  });

  test('C55 6.6-transport-l 6.6-transport-m 6.6-transport-n 6.6-transport-o 3.2.1-forced-c R18: transport destroyed', () => {
    const around = ['D4', 'E4', 'F4', 'D5', 'F5', 'D6', 'F6', 'D7', 'E7'];
    const b = battle({
      board: on(Object.fromEntries(around.map((square) => [square, 'X']))),
      units: {
        US1: { type: 'track', at: 'E5', rear: 'E6' },
        US2: { type: 'rifle', at: 'E5', aboard: 'US1' },
        US3: { type: 'mg', at: 'E5', aboard: 'US1', face: 'active' },
      },
    });
    b.run(
      (play) => destroy(play, b.unit('US1'), null, 'fire'),
      [],
      (request) => (valuesOf(request).includes('US3') ? 'US3' : undefined),
    );
    expect(b.unit('US3')).toMatchObject({ at: 'F7', suppressed: 1, face: 'inactive', aboard: null });
    expect(b.gone('US2')).toBe(true);
  });

  test('6.6-transport-m: not into the zone of an enemy', () => {
    const b = battle({
      units: {
        US1: { type: 'jeep', at: 'E5' },
        US2: { type: 'rifle', at: 'E5', aboard: 'US1' },
        GE1: { type: 'rifle', at: 'G5' },
      },
    });
    b.run((play) => destroy(play, b.unit('US1'), null, 'fire'));
    const { options } = b.asked.find((request) => request.kind === 'bailout')!;
    expect(options.map(({ value }) => value).sort()).toEqual(['D4', 'D5', 'D6', 'E4', 'E6']);
  });

  test('C56 6.6-transport-d 6.6-transport-e 6.6-transport-f 6.6-transport-g 6.6-transport-h: firing from and at passengers', () => {
    const b = battle({
      units: {
        US1: { type: 'track', at: 'E5', rear: 'E6' },
        US2: { type: 'rifle', at: 'E5', aboard: 'US1' },
        US3: { type: 'gun', at: 'E5', aboard: 'US1' },
        US4: { type: 'rifle', at: 'G5' },
        GE1: { type: 'team', at: 'J5' },
        GE2: { type: 'rifle', at: 'E2' },
      },
    });
    expect(refused(b, shoot('US2', 'GE1'))).toBeUndefined();
    expect(refused(b, shoot('US3', 'GE1'))).toBe('HEAVY WEAPON ABOARD');
    expect(refused(b, shoot('GE2', 'US2'))).toBe('ABOARD');
    expect(refused(b, assault('US2', 'GE2', 'OUT:E4 E3'))).toBeUndefined();
  });

  test('6.3-g 6.6-transport-i 6.6-transport-j 6.6-transport-k: assault from a transport, retreat into one, no zone aboard', () => {
    const b = battle({
      units: {
        US1: { type: 'track', at: 'E5', rear: 'E6' },
        US2: { type: 'rifle', at: 'E5', aboard: 'US1' },
        GE1: { type: 'rifle', at: 'E4' },
        GE2: { type: 'track', at: 'D3', rear: 'C3', facing: 2 },
      },
    });
    b.act(assault('US2', 'GE1'), [6, 6, 1, 1], (request) => (request.kind === 'retreat' ? 'IN GE2' : undefined));
    expect(b.unit('US2')).toMatchObject({ at: 'E4', aboard: null });
    expect(b.unit('GE1')).toMatchObject({ aboard: 'GE2', face: 'reduced' });
    expect(refused(b, move('US2', 'D4 C4'))).toBeUndefined();
  });

  test('C57 6.1-crew-a 6.1-crew-b 6.1-crew-c 6.1-crew-d 6.1-crew-e 6.1-crew-f 6.1-crew-g: crew', () => {
    const b = battle({
      units: {
        US1: { type: 'jeep', at: 'E5' },
        US2: { type: 'rifle', at: 'E5', aboard: 'US1' },
        US3: { type: 'crew', at: 'E6' },
        US4: { type: 'pz', at: 'H5', rear: 'H6' },
        US5: { type: 'crew', at: 'H5', aboard: 'US4', face: 'active' },
        US6: { type: 'crew', at: 'G5' },
        GE1: { type: 'rifle', at: 'E12' },
        GE2: { type: 'rifle', at: 'K12' },
      },
    });
    b.act(move('US3', 'IN:US1'));
    expect(b.unit('US3')).toMatchObject({ aboard: 'US1', face: 'active' });
    expect(refused(b, move('US6', 'IN:US4'))).toBe('ONE CREW');
    expect(refused(b, shoot('GE1', 'US3'))).toBe('ABOARD');
    b.act(move('GE1', 'E11'), [1], (request) =>
      ['FIRE US1 AT GE1', 'NO'].find((option) => valuesOf(request).includes(option)),
    );
    expect(b.told('fired').at(-1)).toMatchObject({ unit: 'US1', opportunity: true });
    b.act(move('US3', 'OUT:D5'));
    expect(b.unit('US3')).toMatchObject({ at: 'D5', face: 'inactive' });
    b.run((play) => destroy(play, b.unit('US4'), null, 'fire'));
    expect(b.unit('US5')).toMatchObject({ aboard: null, face: 'inactive', suppressed: 1 });
  });
});

describe('concealed units', () => {
  const watch = (type: string, at: string, changes: Record<string, string>) =>
    battle({
      board: on(changes),
      units: {
        US1: { type, at, ...(type === 'pz' ? { rear: `${at[0]}${Number(at.slice(1)) + 1}` } : {}) },
        'GE?M': { type: 'amb', at: 'E5', conceals: 'GE1' },
      },
    });

  test.each([
    ['a', 'rifle', 'E12', {}, true],
    ['b', 'rifle', 'E12', { E8: 'w' }, false],
    ['c', 'rifle', 'E8', { E5: 'h' }, false],
    ['d', 'rifle', 'G5', { E5: 'h' }, true],
    ['e', 'pz', 'E7', {}, false],
    ['f', 'jeep', 'E7', {}, true],
  ] as [string, string, string, Record<string, string>, boolean][])(
    'C58%s 6.1-ambush-h 6.1-ambush-i 6.1-ambush-k 6.1-ambush-o 8.2-move-d: %s at %s, %j: spotted %s',
    (_case, type, at, changes, spotted) => {
      const b = watch(type, at, changes);
      b.act(move('US1', ''));
      expect(b.gone('GE?M')).toBe(spotted);
      if (spotted) expect(b.unit('GE1')).toMatchObject({ face: 'inactive', type: 'ge-amb' });
    },
  );

  test('C59 6.1-ambush-g 6.1-ambush-j 6.1-ambush-k 6.1-ambush-l 6.1-ambush-m 8.2-move-c: on the move', () => {
    const b = battle({
      board: on({ D9: 'h', E9: 'h', F9: 'h', G8: 'h', H8: 'h', G7: 'h' }),
      units: { US1: { type: 'rifle', at: 'L4' }, 'GE?M': { type: 'amb', at: 'E5', conceals: 'GE1' } },
      change: (data) => {
        data.board.rows = on({ G5: 'h', H5: 'h' });
      },
    });
    b.act(move('GE?M', 'E4 E3 E2'));
    const moves = b.told('moved').map((event) => [event.unit, event.to]);
    expect(moves).toEqual([
      ['GE?M', 'E4'],
      ['GE1', 'E3'],
    ]);
    expect(b.told('revealed-unit')[0]).toMatchObject({ was: 'GE?M', code: 'GE1', at: 'E4', why: 'spotted' });
  });

  test('6.1-ambush-a 6.1-ambush-b 6.1-ambush-d 6.1-ambush-f 6.1-ambush-n 6.2-sniper-h: fire at, fire by, assault', () => {
    const b = battle({
      counters: {
        lurker: {
          character: true,
          faces: { active: face('5 3 0/X/X destroyed ambush sniper'), inactive: face('5 4 0/X/X destroyed sniper') },
        },
      },
      units: {
        US1: { type: 'rifle', at: 'E6' },
        'GE?M': { type: 'amb', at: 'E5', conceals: 'GE1' },
        'GE?N': { type: 'lurker', at: 'G5', conceals: 'GE2' },
        'GE?P': { type: 'amb', at: 'B6', conceals: 'GE3' },
      },
    });
    expect(refused(b, shoot('US1', 'GE?M'))).toBe('CONCEALED');
    b.act(shoot('GE?N', 'US1', { weapon: 'SNIPER' }), [1]);
    expect(b.unit('GE?N').concealed).toBe('ambush');
    b.act(shoot('GE?P', 'US1'), [1]);
    expect(b.told('revealed-unit').at(-1)).toMatchObject({ was: 'GE?P', code: 'GE3', why: 'fired' });
    b.act(assault('US1', 'GE?M'), [1, 1, 6, 6]);
    expect(b.told('revealed-unit').at(-1)).toMatchObject({ code: 'GE1', why: 'assault' });
  });

  test('C74 7.4-concealed-a 7.4-concealed-b 7.4-concealed-c 7.4-concealed-d 7.4-concealed-e: Concealed markers', () => {
    const b = battle({
      board: on({ H4: 'h' }),
      units: { US1: { type: 'rifle', at: 'H8' }, US2: { type: 'jeep', at: 'B15' }, GE1: { type: 'rifle', at: 'H1' } },
      change: (_data, state) => {
        state.table.tiles[0]!.slots = { A: 'concealed' };
      },
    });
    b.phase('supply', {
      us: [
        { verb: 'CONCEAL', line: 1, unit: 'US1', letter: 'A' },
        { verb: 'CONCEAL', line: 2, unit: 'US2', letter: 'B' },
        { verb: 'SUPPLY', line: 3, move: move('US1', 'H9') },
      ],
    });
    expect(b.unit('US?A')).toMatchObject({ type: null, face: null, concealed: 'marker', at: 'H9' });
    expect(b.told('order-lost').map((event) => [event.line, event.why])).toEqual([[2, 'INFANTRY ONLY']]);
    expect(JSON.stringify(b.state.table.units)).not.toContain('US1"');
    b.act(move('GE1', 'I1'));
    expect(b.unit('US1')).toMatchObject({ type: 'us-rifle', face: 'full' });
    b.phase('supply', { us: [{ verb: 'CONCEAL', line: 1, unit: 'US1', letter: 'A' }] });
    expect(b.unit('US?A').at).toBe('H9');
    expect(b.told('concealed')).toHaveLength(2);
  });
});
