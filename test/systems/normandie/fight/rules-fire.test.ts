/** Chapter 3.2.3, 5.3, 5.4, 6.2 and 8.2: what the worked cases leave open about fire and sight. */

import { describe, expect, test } from 'vitest';
import { valuesOf } from '../../../../src/kernel/questions.ts';
import { weaponFor } from '../../../../src/systems/normandie/counters/weapons.ts';
import { mayReact, offersAt } from '../../../../src/systems/normandie/fight/opportunity.ts';
import { interspacesAt, isAimPoint } from '../../../../src/systems/normandie/fight/templates.ts';
import { aimAt, defenseSeenFrom, lineToPlace, sees } from '../../../../src/systems/normandie/ground/sightline.ts';
import { controls } from '../../../../src/systems/normandie/ground/zones.ts';
import {
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

describe('3.2.3 conditions of fire', () => {
  test('3.2.3-a 3.2.3-b 3.2-h: fire instead of a move; type, line, range and arc must all fit', () => {
    const b = battle({
      board: on({ D5: 'h' }),
      units: {
        US1: { type: 'blean', at: 'B5' },
        GE1: { type: 'pz', at: 'B3', rear: 'B2' },
        GE2: { type: 'rifle', at: 'E5' },
        GE3: { type: 'rifle', at: 'H8' },
        GE4: { type: 'rifle', at: 'D7' },
      },
    });
    expect(['GE1', 'GE2', 'GE3', 'GE4'].map((target) => refused(b, shoot('US1', target)))).toEqual([
      'CANNOT HARM',
      'NO LINE OF SIGHT',
      'OUT OF RANGE',
      undefined,
    ]);
    b.act(shoot('US1', 'GE4'), [1]);
    expect(b.unit('US1').at).toBe('B5');
  });

  test('3.2.3-los-a 3.2.3-los-f 3.2.3-range-a: obscured is enough for fire, not for spotting; no limit unless stated', () => {
    const b = battle({
      board: on({ D5: 'w' }),
      units: { US1: { type: 'rifle', at: 'A5' }, GE1: { type: 'rifle', at: 'P5' } },
    });
    expect(refused(b, shoot('US1', 'GE1'))).toBeUndefined();
    expect(sees(b.book, b.known, b.unit('US1'), b.unit('GE1'))).toEqual({ clear: false, obscured: true });
  });

  test('3.2.3-los-h: sight is mutual, counters and terrain included', () => {
    const b = battle({
      board: on({ D5: 'w', E6: 'k', G4: 'z' }),
      units: {
        US1: { type: 'rifle', at: 'A5' },
        US2: { type: 'pz', at: 'C8', rear: 'C9', facing: 0 },
        GE1: { type: 'rifle', at: 'H5' },
        GE2: { type: 'track', at: 'F8', rear: 'G9', facing: 7 },
        GE3: { type: 'team', at: 'D6' },
      },
    });
    for (const a of b.state.table.units)
      for (const c of b.state.table.units)
        expect(sees(b.book, b.known, a, c).clear || sees(b.book, b.known, a, c).obscured, `${a.code} ${c.code}`).toBe(
          sees(b.book, b.known, c, a).clear || sees(b.book, b.known, c, a).obscured,
        );
  });

  test('3.2.3-los-k 3.2.3-los-l 3.2.3-los-o G-10: from and at any square of a long vehicle, or between', () => {
    const b = battle({
      board: on({ D4: 'k' }),
      units: { US1: { type: 'pz', at: 'B4', rear: 'B5', facing: 0 }, GE1: { type: 'rifle', at: 'H4' } },
    });
    const there = aimAt(b.book, b.known, b.unit('US1'), b.unit('GE1'));
    expect('aim' in there && there.aim.from.point).toEqual([3, 9]);
    expect(refused(b, shoot('GE1', 'US1'))).toBe('CANNOT HARM');
    const back = aimAt(b.book, b.known, b.unit('GE1'), b.unit('US1'));
    expect('aim' in back && back.aim.to.point).toEqual([3, 9]);
  });

  test.each([
    ['front', [9, -9], 9],
    ['side', [29, 9], 7],
    ['rear', [9, 39], 6],
    ['side', [19, -1], 7],
    ['rear', [-1, 19], 6],
  ] as const)('3.2.3-los-m 3.2.3-los-n G-11 1.3-c: %s from %j', (facet, from, value) => {
    const b = battle({
      units: { US1: { type: 'rifle', at: 'A1' }, GE1: { type: 'pz', at: 'E5', rear: 'E6', facing: 0 } },
    });
    expect(defenseSeenFrom(b.book, b.known, b.unit('GE1'), from, [9, 9])).toEqual({ facet, value });
  });

  test('3.2.3-alt-b 3.2.3-alt-c 8.3-c: an Alternate Firing Action has only its own values and abilities', () => {
    const b = battle({
      counters: { ace: { faces: { full: face('4 4 5/5/X flip dual-weapon suppressive-fire opportunity-fire') } } },
      units: { US1: { type: 'ace', at: 'B5' }, GE1: { type: 'jeep', at: 'D5' } },
      gear: [{ side: 'us', option: 'panzerfaust', left: 1 }],
    });
    const use = weaponFor(b.book, b.known, b.unit('US1'), 'panzerfaust');
    expect(use).toMatchObject({ cv: { inf: 1, light: 5, heavy: 6 }, abilities: { destruction: 2 }, limit: 4 });
    expect(refused(b, shoot('US1', 'GE1', { weapon: 'panzerfaust', suppress: true }))).toBe('NO SUPPRESSIVE FIRE');
    b.act(shoot('US1', 'GE1', { weapon: 'panzerfaust' }), [2]);
    expect(b.told('shot')[0]!.sum.dice).toHaveLength(1);
    const c = battle({
      counters: { ace: { faces: { full: face('4 4 5/5/X flip opportunity-fire') } } },
      units: { US1: { type: 'ace', at: 'B5' }, GE1: { type: 'jeep', at: 'D5' } },
      gear: [{ side: 'us', option: 'panzerfaust', left: 1 }],
    });
    expect(offersAt(c.book, c.known, c.unit('US1'), c.unit('GE1')).map((offer) => offer.text)).toEqual([
      'FIRE US1 AT GE1',
      'FIRE US1 WITH panzerfaust AT GE1',
    ]);
  });

  test('8.2-fire-a 8.2-fire-c 8.2-fire-e: declared, rolled, applied in that order', () => {
    const b = battle({ units: { US1: { type: 'track', at: 'B5', rear: 'B6' }, GE1: { type: 'rifle', at: 'D5' } } });
    b.act(shoot('US1', 'GE1', { suppress: true }), [1]);
    expect(b.events.map((event) => event.type)).toEqual(['fired', 'shot', 'suppressed']);
  });

  test('3.2.3-hit-d 8.3-e 3.2.3-dest-c: a heavy vehicle takes a location roll, its wreck is terrain', () => {
    const b = battle({
      units: { US1: { type: 'stug', at: 'B5', rear: 'A5', facing: 2 }, GE1: { type: 'dozer', at: 'F5', facing: 6 } },
    });
    b.act(shoot('US1', 'GE1'), [5, 5]);
    expect(b.events.map((event) => event.type)).toEqual(['fired', 'shot', 'damaged', 'destroyed']);
    expect(b.state.table.wrecks).toHaveLength(1);
  });

  test('8.3-f 3.3-c: no Firing Action outside the Activation Phase', () => {
    const b = battle({ units: { US1: { type: 'rifle', at: 'B5' }, GE1: { type: 'mg', at: 'E9', face: 'active' } } });
    b.phase('supply', { us: [{ verb: 'SUPPLY', line: 1, move: move('US1', 'C5 D5') }] });
    expect(b.told('fired')).toEqual([]);
  });

  test('6.2-limited-c: a red triangle ignores obstacles', () => {
    const b = battle({
      board: on({ D5: 'k', E5: 'w' }),
      counters: { lobber: { faces: { full: face('4 4 1/0/X flip limited-range-ignores-obstacles:6') } } },
      units: { US1: { type: 'lobber', at: 'B5' }, GE1: { type: 'rifle', at: 'G5' } },
    });
    b.act(shoot('US1', 'GE1'), [3]);
    expect(lastShot(b)).toEqual({ total: 4, need: 4, result: 'hit' });
  });

  test('6.2-suppressive-e R11: scatter, location and destruction dice are not modified, the rest is', () => {
    const b = battle({
      units: { US1: { type: 'baz', at: 'B5', suppressed: 2 }, GE1: { type: 'pz', at: 'D4', rear: 'D5', facing: 0 } },
      wrecks: [{ id: 'W1', kind: 'wreck-2', squares: ['B8'], facing: 0, points: 0 }],
    });
    b.act(shoot('US1', 'GE1'), [6, 5]);
    expect(lastShot(b)).toEqual({ total: 7, need: 7, result: 'hit' });
    expect(b.unit('GE1').damage).toEqual(['5']);
    b.unit('US1').fired = [];
    b.act(shoot('US1', 'B8'), [4, 3]);
    expect(b.told('destruction')[0]!.points).toBe(1);
  });

  test('6.2-suppressive-i 4.1-c 8.2-supp-b 3.2.2-k: the zone of a suppressed unit is ignored', () => {
    const b = battle({ units: { US1: { type: 'rifle', at: 'D4' }, GE1: { type: 'rifle', at: 'F4', suppressed: 1 } } });
    expect(refused(b, move('US1', 'E4 E3'))).toBeUndefined();
  });

  test('6.2-howitzer-l G-21: between the grids the firing player picks the interspace', () => {
    const b = battle({
      board: on({ E5: 'o', F5: 'o', G5: 'o', E6: 'o', F6: 'O', G6: 'o', E7: 'o', F7: 'o', G7: 'o' }),
      offsetElements: [
        {
          id: 'W',
          name: 'Wood',
          symbols: [],
          offsetSquares: { 'W.a': [10, 10], 'W.b': [12, 10], 'W.c': [10, 12], 'W.d': [12, 12] },
        },
      ],
      units: {
        US1: { type: 'mortar', at: 'F14', face: 'active' },
        GE1: { type: 'rifle', at: 'W.a' },
      },
    });
    expect(interspacesAt(b.book, [11, 11])).toEqual(['@W.a']);
    expect(interspacesAt(b.book, [10, 10]).length).toBeGreaterThan(1);
    b.act(shoot('US1', '@E7', { weapon: 'INDIRECT' }), [1, 4]);
    const question = b.asked.find((request) => request.kind === 'interspace')!;
    expect(question.to).toBe('us');
    expect(valuesOf(question)).toContain(question.fallback[0]);
    expect(b.told('shot')[0]!.target).toBe('GE1');
  });

  test('5.2-b G-20: an interspace is where four squares meet', () => {
    const b = battle({ units: { US1: { type: 'rifle', at: 'A1' } } });
    expect(isAimPoint(b.book, b.state.table, '@A1')).toBe(true);
    expect(isAimPoint(b.book, b.state.table, '@P1')).toBe(false);
    expect(isAimPoint(b.book, b.state.table, '@A16')).toBe(false);
    expect(lineToPlace(b.book, b.state.table, b.unit('US1'), '@F6')?.penalty).toBe(0);
  });

  test('7.2-grenade-e: totals with a card bonus against defense with terrain', () => {
    const b = battle({
      board: on({ G5: 's' }),
      units: { US1: { type: 'rifle', at: 'E6' }, GE1: { type: 'team', at: 'G5' }, GE2: { type: 'team', at: 'G6' } },
      gear: [{ side: 'us', option: 'grenades', left: 1 }],
      cards: { us: ['aim'] },
    });
    b.act(shoot('US1', '@F5', { weapon: 'grenades' }), [3, 1], undefined, [
      { rider: 'card', card: 'aim', as: 'bonus' },
    ]);
    expect(b.told('shot').map((shot) => [shot.target, shot.sum.total, shot.sum.need])).toEqual([
      ['GE1', 7, 6],
      ['GE2', 5, 4],
    ]);
  });
});

describe('5.3 positions and 5.4 buildings', () => {
  test('5.3-c 5.3-d 5.3-b: a position protects unless the attacker is inside too', () => {
    const b = battle({
      board: on({ D5: 's', E5: 's' }),
      units: { US1: { type: 'rifle', at: 'D5' }, US2: { type: 'rifle', at: 'E7' }, GE1: { type: 'rifle', at: 'E5' } },
    });
    b.act(shoot('US2', 'GE1'), [1]);
    expect(lastShot(b).need).toBe(6);
    b.act(shoot('US1', 'GE1'), [1]);
    expect(lastShot(b).need).toBe(4);
    b.act({ do: 'assault', unit: 'US1', at: 'GE1', via: [] }, [1, 1, 6, 6]);
    expect(b.told('assault')[0]!.defense!.terms.some((term) => term.what === 'position')).toBe(false);
  });

  test('5.3-e 5.3-f: Opportunity Fire from a position, not at units in it', () => {
    const b = battle({
      board: on({ D5: 's', E5: 's' }),
      units: {
        US1: { type: 'rifle', at: 'E5' },
        US2: { type: 'rifle', at: 'H5' },
        GE1: { type: 'rifle', at: 'D5' },
        GE2: { type: 'rifle', at: 'D9' },
      },
    });
    expect(mayReact(b.book, b.known, b.unit('GE1'))).toBe(true);
    expect(mayReact(b.book, b.known, b.unit('GE2'))).toBe(false);
    expect(offersAt(b.book, b.known, b.unit('GE1'), b.unit('US1'))).toEqual([]);
    b.state.table.units = b.state.table.units.filter((unit) => unit.code !== 'US1');
    expect(offersAt(b.book, b.known, b.unit('GE1'), b.unit('US2'))).toHaveLength(1);
  });

  const block = [HOUSE, { ...HOUSE, id: '2', squares: ['M10', 'N10', 'M11', 'N11'], openings: [] }];
  const street = WITH_HOUSE.map((row, i) => (i === 9 || i === 10 ? `${row.slice(0, 12)}22${row.slice(14)}` : row));

  test('5.4-j: between two adjacent buildings only infantry moves and stops', () => {
    const b = battle({
      board: street,
      buildings: block,
      units: { US1: { type: 'rifle', at: 'L12' }, US2: { type: 'jeep', at: 'L9' } },
    });
    expect(refused(b, move('US1', 'L11'))).toBeUndefined();
    expect(refused(b, move('US2', 'L10'))).toBe('LANE');
  });

  test('5.4-k: between two diagonally adjacent buildings vehicles may pass', () => {
    const rows = on({ M12: '2', N12: '2', M13: '2', N13: '2' }, WITH_HOUSE);
    const b = battle({
      board: rows,
      buildings: [HOUSE, { ...HOUSE, id: '2', squares: ['M12', 'N12', 'M13', 'N13'], openings: [] }],
      units: { US1: { type: 'jeep', at: 'L11' } },
    });
    expect(refused(b, move('US1', 'L12'))).toBeUndefined();
  });

  test('5.4-h 5.4-i G-17: walls and windows cut zones off, a door lets them through both ways', () => {
    const b = battle({
      board: WITH_HOUSE,
      buildings: [HOUSE],
      units: { GE1: { type: 'rifle', at: 'J10' }, GE2: { type: 'rifle', at: 'K11' }, US1: { type: 'rifle', at: 'J9' } },
    });
    const { table } = b.state;
    expect(controls(b.book, table, b.unit('GE1'), 'J9')).toBe(true);
    expect(controls(b.book, table, b.unit('GE1'), 'K9')).toBe(false);
    expect(controls(b.book, table, b.unit('GE1'), 'I10')).toBe(false);
    expect(controls(b.book, table, b.unit('GE2'), 'L11')).toBe(false);
    expect(controls(b.book, table, b.unit('US1'), 'J10')).toBe(true);
    expect(controls(b.book, table, b.unit('GE1'), 'K11')).toBe(true);
  });

  test('3.2.2-b 3.2.2-c 3.2.2-d 3.2.2-e 3.2.2-n: where a zone reaches', () => {
    const rows = on({ E5: 'o', F5: 'o', G5: 'o', E6: 'o', F6: 'O', G6: 'o', E7: 'o', F7: 'o', G7: 'o', C3: 'X' });
    const b = battle({
      board: rows,
      offsetElements: [
        {
          id: 'W',
          name: 'Wood',
          symbols: [],
          offsetSquares: { 'W.a': [10, 10], 'W.b': [12, 10], 'W.c': [10, 12], 'W.d': [12, 12] },
        },
      ],
      units: { US1: { type: 'rifle', at: 'D4' }, US2: { type: 'rifle', at: 'W.a' }, GE1: { type: 'jeep', at: 'C5' } },
    });
    const { table } = b.state;
    const reach = (code: string, names: string[]) =>
      names.filter((name) => controls(b.book, table, b.unit(code), name));
    expect(reach('US1', ['C3', 'D3', 'E3', 'E5', 'W.a', 'D6'])).toEqual(['D3', 'E3', 'E5']);
    expect(reach('US2', ['W.b', 'W.d', 'E5', 'F5', 'D5', 'D6', 'G7'])).toEqual(['W.b', 'W.d', 'E5', 'F5']);
    expect(refused(b, move('GE1', 'D5 D6'))).toBeUndefined();
  });
});

describe('6.2 and 7.5 alternate weapons', () => {
  const armed = (option: string, more = {}) =>
    battle({
      counters: { hero: { character: true, faces: { full: face('6 4 2/1/X flip') } } },
      units: {
        US1: { type: 'hero', at: 'B5', main: true },
        GE1: { type: 'rifle', at: 'F5' },
        GE2: { type: 'pz', at: 'E2', rear: 'E3', facing: 0 },
        GE3: { type: 'jeep', at: 'C6' },
        ...more,
      },
      gear: [{ side: 'us', option, left: 2 }],
    });

  test('7.5-bazooka: fires as the Bazooka unit does', () => {
    const b = armed('bazooka');
    expect(weaponFor(b.book, b.known, b.unit('US1'), 'bazooka')).toMatchObject({
      cv: { inf: 1, light: 4, heavy: 4 },
      abilities: { destruction: 1 },
      limit: 5,
    });
    b.act(shoot('US1', 'GE2', { weapon: 'bazooka' }), [3, 5]);
    expect(lastShot(b)).toMatchObject({ total: 7, need: 6 });
    expect(b.state.table.gear[0]!.left).toBe(1);
  });

  test('7.5-panzerfaust: a character has one', () => {
    const b = armed('panzerfaust-1');
    expect(weaponFor(b.book, b.known, b.unit('US1'), 'panzerfaust-1')).toMatchObject({
      limit: 4,
      abilities: { destruction: 2 },
    });
  });

  test('7.5-flamer: the flamethrower ability', () => {
    const b = armed('flamer');
    b.act({ do: 'fire', unit: 'US1', weapon: 'flamer', direction: 3, targets: [] }, [4]);
    expect(b.told('shot')[0]).toMatchObject({ target: 'GE3', weapon: 'flamer', sum: { total: 7 } });
    const fresh = armed('flamer');
    expect(weaponFor(fresh.book, fresh.known, fresh.unit('US1'), 'flamer')).toMatchObject({ onTheMove: 1 });
  });

  test('7.5-mp40: Limited Range 4 and Suppressive Fire with its own values', () => {
    const b = armed('mp40');
    b.act(shoot('US1', 'GE1', { weapon: 'mp40', suppress: true }), [2]);
    expect(lastShot(b)).toEqual({ total: 8, need: 4, result: 'suppressed' });
    expect(refused(armed('mp40', { GE4: { type: 'rifle', at: 'B10' } }), shoot('US1', 'GE4', { weapon: 'mp40' }))).toBe(
      'OUT OF RANGE',
    );
  });

  test('7.5-overwatch C-16: gives Opportunity Fire with the normal values', () => {
    const b = armed('overwatch');
    expect(mayReact(b.book, b.known, b.unit('US1'))).toBe(true);
    b.act(move('GE1', 'F6'), [1], (request) => (request.kind === 'opfire' ? 'FIRE US1 AT GE1' : undefined));
    expect(b.told('fired')).toMatchObject([{ unit: 'US1', weapon: 'main', opportunity: true }]);
    expect(lastShot(b).total).toBe(3);
  });

  test('7.2-riflegrenade: indirect, seven interspaces', () => {
    const b = battle({
      board: on({ D5: 'k' }),
      units: { US1: { type: 'rifle', at: 'B5' }, GE1: { type: 'rifle', at: 'G5' } },
      gear: [{ side: 'us', option: 'rifle-grenade', left: 3 }],
    });
    expect(refused(b, shoot('US1', '@I5', { weapon: 'rifle-grenade' }))).toBe('OUT OF RANGE');
    b.act(shoot('US1', '@F5', { weapon: 'rifle-grenade' }), [5, 2]);
    expect(lastShot(b)).toMatchObject({ total: 4, result: 'hit' });
  });

  test('7.2-sticky-a 7.2-sticky-b C-17: placed at range 1, goes off at the end of Supply against its target alone', () => {
    const b = battle({
      units: {
        US1: { type: 'rifle', at: 'D6' },
        US2: { type: 'rifle', at: 'D4' },
        GE1: { type: 'pz', at: 'C5', rear: 'C6', facing: 0 },
        GE2: { type: 'rifle', at: 'E6' },
      },
      gear: [{ side: 'us', option: 'sticky-bomb', left: 3 }],
    });
    expect(refused(b, shoot('US1', 'GE2', { weapon: 'sticky-bomb' }))).toBe('CANNOT HARM');
    b.act(shoot('US1', 'GE1', { weapon: 'sticky-bomb' }));
    expect(b.state.table.bombs).toEqual([{ option: 'sticky-bomb', by: 'US1', target: 'GE1' }]);
    expect(b.told('shot')).toEqual([]);
    b.phase('supply', {}, [1, 1]);
    expect(lastShot(b)).toEqual({ total: 7, need: 7, result: 'hit' });
    expect(b.unit('GE1').damage).toEqual(['1']);
    expect(b.state.table.bombs).toEqual([]);
  });
});
