/** Chapters 1, 2, 7.1 and 5: what the counters, tiles and boards say, and that the rules read it so. */
import { describe, expect, test } from 'vitest';
import { listDice } from '../../../../src/kernel/dice.ts';
import { armyCost, armyCounters, armyFaults, lintData } from '../../../../src/systems/normandie/content/lint.ts';
import { placeOf } from '../../../../src/systems/normandie/content/opened.ts';
import { mayUse } from '../../../../src/systems/normandie/counters/gear.ts';
import { classOf, counterOf, faceOf, squaresOf, weaponsOf } from '../../../../src/systems/normandie/counters/units.ts';
import type { Data } from '../../../../src/systems/normandie/data.ts';
import { destroy, displace, swallow } from '../../../../src/systems/normandie/fight/effects.ts';
import { barredFor, coverOf, inElement } from '../../../../src/systems/normandie/ground/ground.ts';
import { muster, setup } from '../../../../src/systems/normandie/turn/setup.ts';
import { emptyTable, normandieBook, normandieScenario } from '../../../helpers/normandie.ts';
import { battle, lastShot, move, on, refused, shoot } from '../../../helpers/normandie-battle.ts';

const book = normandieBook('church');
const { data } = book;
const counter = (id: string) => book.counters.get(id)!;
const fresh = () => setup(book, {}, listDice('HON-0000', { n: 0, turn: 0, step: 'setup' }, []));

describe('1 units', () => {
  test('1-a 1-b 1.1-d 8.3-i: each counter has one colour, its values and its role', () => {
    for (const each of data.counters) {
      expect(['inf', 'light', 'heavy']).toContain(each.class);
      for (const side of Object.values(each.faces)) {
        expect(typeof side.defense === 'object').toBe(each.class === 'heavy');
        expect(side.cv !== undefined || (side.weapons ?? []).length > 0).toBe(true);
      }
    }
    expect([counter('us-fire').role, counter('us-30cal').role, counter('us-blean').role]).toEqual([
      'regular',
      'heavy-weapon',
      'officer',
    ]);
  });

  test('1.1-a 1.1-b 1.1-g 1.1-f 3.2.3-hit-a 3.2.3-res-d 4.1-a: the side in view counts, reduced values after a Hit', () => {
    const b = battle({ units: { US1: { type: 'rifle', at: 'B5', suppressed: 1 }, GE1: { type: 'rifle', at: 'D5' } } });
    b.act(shoot('US1', 'GE1'), [4]);
    expect(lastShot(b)).toEqual({ total: 4, need: 4, result: 'hit' });
    expect(faceOf(b.book, b.known, b.unit('GE1'))).toMatchObject({ defense: 5, cv: { inf: 1, light: 'X' } });
    b.unit('US1').fired = [];
    b.unit('US1').suppressed = 0;
    b.act(shoot('US1', 'GE1'), [3]);
    expect(b.gone('GE1')).toBe(true);
  });

  test('1.1-c: a gun larger than a square stands on one', () => {
    const b = battle({ units: { US1: { type: 'gun', at: 'B5' } } });
    expect(counterOf(b.book, b.known, b.unit('US1'))!.counter.oversize).toBe(true);
    expect(squaresOf(b.unit('US1'))).toEqual(['B5']);
  });

  test('1.1-e 6.1-e 6.1-d: active and inactive are two states of one unit; without the ability in view there is no way back', () => {
    const b = battle({
      units: { US1: { type: 'amb', at: 'B5', face: 'inactive' }, US2: { type: 'mg', at: 'D5', face: 'inactive' } },
    });
    expect(refused(b, move('US1', '', { flip: 'end' }))).toBe('NO OTHER STATE');
    expect(refused(b, move('US2', '', { flip: 'end' }))).toBeUndefined();
  });

  test('1.1-k: Lt Blean as printed', () => {
    expect(counter('us-blean').faces.full).toEqual({
      cv: { inf: 2, light: 1, heavy: 'X' },
      defense: 6,
      move: 4,
      abilities: { order: 2, assault: 0, 'limited-range': 4 },
      hit: 'flip',
    });
  });

  test('1.2-a 1.3-a: a vehicle occupies one or two squares and is centred on them', () => {
    const b = battle({ units: { US1: { type: 'jeep', at: 'B5' }, US2: { type: 'track', at: 'D5', rear: 'D6' } } });
    expect([squaresOf(b.unit('US1')), squaresOf(b.unit('US2'))]).toEqual([['B5'], ['D5', 'D6']]);
  });

  test('1.2-c: one Defense Value of a light vehicle from every side', () => {
    for (const at of ['D2', 'D9', 'A5', 'H5']) {
      const b = battle({ units: { US1: { type: 'rifle', at }, GE1: { type: 'jeep', at: 'D5' } } });
      b.act(shoot('US1', 'GE1'), [1]);
      expect(lastShot(b).need).toBe(5);
    }
  });

  test('1.2-f: the SdKfz 251/1 as printed', () => {
    expect(counter('ge-251').faces.full).toMatchObject({
      defense: 6,
      move: 6,
      cv: { inf: 4, heavy: 'X' },
      abilities: { transport: 7, 'machine-gunner': 0, 'suppressive-fire': 0, 'fire-on-the-move': 2 },
    });
  });

  test('1.3-b 1.3-d 1.3-g: the Panzer IV as printed, with a wreck side', () => {
    expect(counter('ge-pz4').wreck).not.toBeNull();
    expect(counter('ge-pz4').faces.full).toMatchObject({
      move: 4,
      defense: { front: 9, side: 7, rear: 6 },
      weapons: [
        { slot: 'primary', cv: { inf: 3, light: 5, heavy: 4 }, abilities: { destruction: 2 } },
        {
          slot: 'secondary',
          cv: { inf: 4, light: 2, heavy: 'X' },
          abilities: { 'machine-gunner': 0, 'suppressive-fire': 0, 'fire-on-the-move': 2 },
        },
      ],
    });
    expect(counter('ge-pz4').faces.full!.abilities).not.toHaveProperty('transport');
  });

  test('1.3-e R12: a single weapon is primary and secondary at once', () => {
    const b = battle({ units: { US1: { type: 'stug', at: 'B5', rear: 'B6' }, GE1: { type: 'jeep', at: 'F5' } } });
    expect(refused(b, shoot('US1', 'GE1', { weapon: 'PRIMARY' }))).toBeUndefined();
    expect(refused(b, shoot('US1', 'GE1', { weapon: 'SECONDARY' }))).toBeUndefined();
  });

  test('1.3-f: an ability of one weapon serves that weapon only', () => {
    const b = battle({ units: { US1: { type: 'pz', at: 'B5', rear: 'B6' }, GE1: { type: 'rifle', at: 'F5' } } });
    expect(refused(b, shoot('US1', 'GE1', { weapon: 'SECONDARY', suppress: true }))).toBeUndefined();
    expect(refused(b, shoot('US1', 'GE1', { weapon: 'PRIMARY', suppress: true }))).toBe('NO SUPPRESSIVE FIRE');
    expect(weaponsOf(b.book, b.known, b.unit('US1'))[0]!.abilities).toEqual({ destruction: 2 });
  });

  test('1.1-j 8.3-k 8.3-l 8.3-m 3.2.3-res-b: a total that equals the Defense with its bonus is a hit', () => {
    const b = battle({
      board: on({ D5: 'h' }),
      units: { US1: { type: 'rifle', at: 'B5' }, GE1: { type: 'rifle', at: 'D5' } },
    });
    b.act(shoot('US1', 'GE1'), [4]);
    expect(lastShot(b)).toEqual({ total: 6, need: 6, result: 'hit' });
  });
});

describe('2 recruitment', () => {
  test('2-a 2.1-a 2.4-a 7.1-a: an army deploys the counters and markers of its tiles and options, no more', () => {
    const state = fresh();
    const us = state.table.roster.filter((member) => member.side === 'us');
    expect(us.map((member) => member.type)).toEqual(armyCounters(data, data.scenario.armies.us));
    expect(us[0]).toMatchObject({ code: 'US1', type: 'us-blean', main: true, fate: 'unplaced' });
    const grenades = state.table.gear.find((gear) => gear.side === 'us' && gear.option === 'grenades')!;
    expect([grenades.left, state.table.tiles[grenades.tile]!.tile]).toEqual([3, 'us-t-16a']);
  });

  test('2-a: a tile is a combat group or a single Character, and an army is nothing but its tiles and their options', () => {
    for (const id of ['orchard', 'church', 'hill88']) {
      const { tiles } = normandieBook(id);
      for (const tile of tiles.values()) {
        const characters = tile.units.filter((type) => book.counters.get(type)?.character);
        if (tile.kind === 'tile' && tile.units.length < 2) expect(characters, tile.id).toEqual(tile.units);
      }
    }
    const state = fresh();
    state.table.roster = [];
    state.table.tiles = [];
    muster(book, state, 'us', [{ tile: 'us-t-18a', slots: {} }]);
    const types = () => state.table.roster.map((member) => member.type);
    expect(types()).toEqual(book.tiles.get('us-t-18a')!.units);
    muster(book, state, 'us', [{ tile: 'us-t-16a', slots: {} }]);
    expect(types()).toEqual([...book.tiles.get('us-t-18a')!.units, ...book.tiles.get('us-t-16a')!.units]);
  });

  test('8.3-n: the laurels make a tile a superior’s: its gear and traits serve the whole army; without them only its own', () => {
    const serves = (command: boolean, option: string): boolean => {
      const state = fresh();
      state.table.roster = [];
      state.table.tiles = [];
      state.table.gear = [];
      muster(book, state, 'us', [
        { tile: 'us-t-cmd', slots: { G: option } },
        { tile: 'us-t-18a', slots: {} },
      ]);
      const tiles = new Map(book.tiles);
      tiles.set('us-t-cmd', { ...tiles.get('us-t-cmd')!, command });
      const gear = state.table.gear.find((each) => each.option === option)!;
      const stranger = state.table.roster.find((each) => each.type === 'us-fire-18')!;
      return mayUse({ ...book, tiles }, state.table, gear, book.options.get(option)!, stranger);
    };
    expect(book.tiles.get('us-t-cmd')!.command).toBe(true);
    expect(book.tiles.get('us-t-18a')!.command).toBe(false);
    for (const option of ['ammo', 'veteran'])
      expect([serves(true, option), serves(false, option)], option).toEqual([true, false]);
  });

  test('2.1-b 2.1-h: slots take what fits; costs add up against a budget', () => {
    const army = [{ tile: 'us-t-16a', slots: { L: 'grenades', R: 'veteran' } }];
    expect(armyCost(data, army)).toBe(65 + 10 + 12);
    expect(armyFaults(data, 'us', army, 87)).toEqual([]);
    expect(armyFaults(data, 'us', army, 86).map((fault) => fault.what)).toEqual(['POINTS']);
    expect(
      armyFaults(data, 'us', [{ tile: 'us-t-16a', slots: { R: 'us-s-jeep' } }], null).map((fault) => fault.what),
    ).toEqual(['KIND']);
  });

  const gearCase = (tile: string, slots: Record<string, string>, option: string, type: string): boolean => {
    const state = fresh();
    state.table.roster = [];
    state.table.tiles = [];
    state.table.gear = [];
    const side = tile.startsWith('us') ? 'us' : 'ge';
    muster(book, state, side, [
      { tile, slots },
      { tile: side === 'us' ? 'us-t-18a' : 'ge-t-304b', slots: { L: side === 'us' ? 'us-s-m4' : 'ge-s-stug' } },
    ]);
    const gear = state.table.gear.find((each) => each.option === option)!;
    const member = state.table.roster.find((each) => each.type === type)!;
    return mayUse(book, state.table, gear, book.options.get(option)!, member);
  };

  test.each([
    ['2.1-c 7.2-a', 'us-t-16a', { L: 'grenades' }, 'grenades', 'us-fire', true],
    ['2.1-c 7.2-a', 'us-t-16a', { L: 'grenades' }, 'grenades', 'us-fire-18', false],
    ['7.2-b 2.2-a', 'us-t-cmd', { G: 'ammo' }, 'ammo', 'us-fire-18', true],
    ['7.2-b', 'us-t-cmd', { G: 'ammo' }, 'ammo', 'us-m4', false],
    ['7.2-culin-a', 'us-t-cmd', { G: 'culin' }, 'culin', 'us-m4', true],
    ['7.2-culin-a', 'us-t-cmd', { G: 'culin' }, 'culin', 'us-fire-18', false],
    ['7.3-a', 'us-t-16a', { R: 'veteran' }, 'veteran', 'us-support', true],
    ['7.3-a', 'us-t-16a', { R: 'veteran' }, 'veteran', 'us-support-18', false],
    ['7.3-c', 'us-t-cmd', { G: 'veteran' }, 'veteran', 'us-m4', true],
    ['7.5-a 7.5-b 2.3-a 2.3-b', 'us-t-16a', { C: 'thompson' }, 'thompson', 'us-blean', true],
    ['7.5-b', 'us-t-16a', { C: 'thompson' }, 'thompson', 'us-fire', false],
    ['7.5-b', 'us-t-16a', { C: 'thompson' }, 'thompson', 'us-ostrow', false],
    ['2.1-e', 'ge-t-304b', { R: 'ammo' }, 'ammo', 'ge-sturm', true],
  ] as [string, string, Record<string, string>, string, string, boolean][])(
    '%s: %s %j: %s by %s is %s',
    (_ids, tile, slots, option, type, allowed) => {
      expect(gearCase(tile, slots, option, type)).toBe(allowed);
    },
  );

  test('7.5-d: a customization with markers on a command tile serves any infantry', () => {
    const table = fresh().table;
    const holder = table.tiles.findIndex((tile) => tile.tile === 'us-t-cmd');
    const option = book.options.get('knife')!;
    const gear = { side: 'us' as const, option: 'knife', tile: holder, left: 1 };
    const by = (type: string) => table.roster.find((member) => member.type === type)!;
    expect(mayUse(book, table, gear, option, by('us-fire-18'))).toBe(true);
    expect(mayUse(book, table, gear, option, by('us-m4'))).toBe(false);
    expect(mayUse(book, table, { ...gear, option: 'thompson' }, book.options.get('thompson')!, by('us-fire-18'))).toBe(
      false,
    );
  });

  test('2.1-e 7.1-b: a slot that unlocks markers gives them to the units of its option', () => {
    const state = fresh();
    state.table.roster = [];
    state.table.tiles = [];
    state.table.gear = [];
    muster(book, state, 'us', [{ tile: 'us-t-18a', slots: { R: 'sticky-bomb' } }]);
    const gear = state.table.gear.find((each) => each.option === 'veteran')!;
    expect([gear.left, gear.tile]).toEqual([1, 0]);
  });

  test('7.1-c 7.1-d: the .30 Cal squad holds three counters and breaks by itself', () => {
    const squad = book.tiles.get('us-s-30cal')!;
    expect([squad.units, squad.breakingPoint]).toEqual([['us-fire', 'us-support', 'us-30cal'], 2]);
    const b = battle({
      tiles: [
        { side: 'us', breakingPoint: 1 },
        { side: 'ge' },
        { side: 'us', kind: 'support', breakingPoint: 2, victoryPoints: 2 },
      ],
      units: {
        US1: { type: 'team', at: 'D4' },
        US2: { type: 'team', at: 'D5', tile: 2 },
        US3: { type: 'team', at: 'D6', tile: 2 },
      },
    });
    for (const code of ['US2', 'US3']) b.run((play) => destroy(play, b.unit(code), null, 'fire'));
    expect(b.state.table.tiles.map((tile) => tile.broken)).toEqual([false, false, true]);
    expect(b.told('broken')).toMatchObject([{ points: 2 }]);
  });

  test('every scenario passes its lint; faults are found', () => {
    for (const id of ['orchard', 'church', 'hill88', 'free-orchard', 'free-village', 'free-bocage'])
      expect(lintData(normandieScenario(id).data as Data)).toEqual([]);
    const bad = structuredClone(data);
    bad.board.rows[0] = bad.board.rows[0]!.replace('h', '?');
    bad.counters[3]!.faces = {};
    bad.tiles[0]!.breakingPoint = 9;
    bad.board.noPassage.push(['A1', 'C1']);
    expect(lintData(bad).length).toBeGreaterThanOrEqual(4);
  });
});

describe('5 battlefield', () => {
  const table = emptyTable();
  const orchard = normandieBook('orchard');

  test('5-a 5-b 5.2-a 5.1-prec-a: the printed symbols of a square hold; tokens laid on it change it', () => {
    const hedge = placeOf(orchard, 'C1');
    expect(barredFor(orchard, table, hedge, 'light')).toBe('impassable');
    expect(barredFor(orchard, table, hedge, 'inf')).toBeNull();
    const open = placeOf(orchard, 'A1');
    expect(inElement(orchard, table, open)).toBe(false);
    expect(barredFor(orchard, { ...table, foxholes: ['A1'] }, open, 'light')).toBe('impassable');
  });

  test.each([
    ['5.2-bocage', 'orchard', 'C1', ['impassable', null, 'impassable']],
    ['5.2-rocks', 'orchard', 'I7', ['impassable', null, 'impassable']],
    ['5.2-forest', 'church', 'C3', ['impassable', null, 'impassable']],
    ['5.2-forest', 'church', 'B2', ['impassable', null, null]],
    ['5.2-pond 5.1-water-a', 'hill88', 'P7', ['water', 'water', 'water']],
    ['5.3-a', 'orchard', 'F4', ['impassable', null, null]],
    ['5.4-a', 'orchard', 'E6', ['impassable', null, 'impassable']],
  ] as const)('%s: on %s %s may go light, infantry, heavy: %j', (_id, scenario, square, expected) => {
    const own = normandieBook(scenario);
    const place = placeOf(own, square);
    expect((['light', 'inf', 'heavy'] as const).map((kind) => barredFor(own, table, place, kind))).toEqual(expected);
  });

  test('5.2-c 5.1-def-a: a bonus only when wholly inside the element', () => {
    const b = battle({
      board: on({ D5: 's' }),
      units: { US1: { type: 'rifle', at: 'D5' }, US2: { type: 'track', at: 'D5', rear: 'D6' } },
    });
    expect(coverOf(b.book, b.state.table, b.unit('US1'), 'inf', [], 'building').value).toBe(2);
    expect(coverOf(b.book, b.state.table, b.unit('US2'), 'inf', [], 'building').value).toBe(0);
    expect(classOf(b.book, b.unit('US2'))).toBe('light');
  });

  test('5.1-imp-a 5.1-imps-a: who may enter', () => {
    const b = battle({
      board: on({ D5: 'X', D6: 'h', D7: 's' }),
      units: { US1: { type: 'rifle', at: 'C6' }, US2: { type: 'jeep', at: 'C7' }, US3: { type: 'dozer', at: 'E7' } },
    });
    expect(refused(b, move('US1', 'D5'))).toBe('IMPASSABLE');
    expect(refused(b, move('US1', 'D6'))).toBeUndefined();
    expect(refused(b, move('US2', 'D6'))).toBe('IMPASSABLE');
    expect(refused(b, move('US2', 'D7'))).toBe('IMPASSABLE');
    expect(refused(b, move('US3', 'D7'))).toBeUndefined();
  });

  test('5.1-nopass-a 5.1-nopass-b: no step and no line between two squares', () => {
    const b = battle({
      noPassage: [['D5', 'E6']],
      units: { US1: { type: 'rifle', at: 'D5' }, GE1: { type: 'rifle', at: 'F7' } },
    });
    expect(refused(b, move('US1', 'E6'))).toBe('NO PASSAGE');
    expect(refused(b, shoot('US1', 'GE1'))).toBe('NO LINE OF SIGHT');
    expect(refused(b, move('US1', 'E5'))).toBeUndefined();
  });

  test('5.1-obst-a 3.2.3-los-e 8.2-los-a: an obstacle blocks', () => {
    const b = battle({
      board: on({ D5: 'k' }),
      units: { US1: { type: 'rifle', at: 'B5' }, GE1: { type: 'rifle', at: 'F5' } },
    });
    expect(refused(b, shoot('US1', 'GE1'))).toBe('NO LINE OF SIGHT');
  });

  test('5.1-diff-c: a long vehicle is free once its leading end is out', () => {
    const bog = (at: string, rear: string) =>
      battle({ board: on({ D5: 'b', D4: 'b' }), units: { US1: { type: 'pz', at, rear, facing: 0 } } });
    expect(refused(bog('D3', 'D4'), move('US1', 'FWD FWD'))).toBeUndefined();
    expect(refused(bog('D3', 'D4'), move('US1', 'BACK BACK'))).toBe('MUST STOP');
    expect(refused(bog('D5', 'D6'), move('US1', 'FWD FWD'))).toBe('MUST STOP');
  });

  test.each([
    ['~', 'rifle', 'water', 0],
    ['X', 'rifle', 'impassable', 0],
    ['h', 'jeep', 'impassable', 1],
    ['~', 'jeep', 'water', 0],
  ])(
    '5.1-water-b 5.1-imp-b 5.1-imp-c 5.1-imps-b 3.2.1-forced-d: in %s a %s is destroyed (%s), %i wreck beside it',
    (char, type, why, wrecks) => {
      const b = battle({ board: on({ D5: char }), units: { US1: { type, at: 'D5' } } });
      b.run(swallow);
      expect(b.told('destroyed')).toMatchObject([{ unit: 'US1', why }]);
      expect(b.state.table.wrecks).toHaveLength(wrecks);
      for (const wreck of b.state.table.wrecks) expect(wreck.squares).not.toContain('D5');
    },
  );

  test('3.2.1-forced-d 4.2-fallback-c: nobody can be forced off the board', () => {
    const b = battle({
      board: on({ A2: 'X', B2: 'X', B1: 'X' }),
      units: { US1: { type: 'rifle', at: 'A1' } },
    });
    b.run((play) => displace(play, b.unit('US1'), 'assault'));
    expect(b.gone('US1')).toBe(true);
  });
});
