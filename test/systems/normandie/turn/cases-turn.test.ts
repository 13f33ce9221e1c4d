/** Worked cases HON-C60 to C77: orders, activation, supply, cards, gear, traits, recruitment, states, offset grid. */

import { describe, expect, test } from 'vitest';
import { valuesOf } from '../../../../src/kernel/questions.ts';
import { viewFor } from '../../../../src/kernel/view.ts';
import { moveAction } from '../../../../src/systems/normandie/actions/movement.ts';
import { armyFaults, starsOfArmy } from '../../../../src/systems/normandie/content/lint.ts';
import type { Asking, Play } from '../../../../src/systems/normandie/counters/play.ts';
import type { NormandieSide } from '../../../../src/systems/normandie/data.ts';
import type { NormandieOrder } from '../../../../src/systems/normandie/language.ts';
import { check } from '../../../../src/systems/normandie/player/check.ts';
import { goGoGo } from '../../../../src/systems/normandie/turn/phasecards.ts';
import { suddenDeath, tokensOf } from '../../../../src/systems/normandie/turn/tokens.ts';
import { normandieBook } from '../../../helpers/normandie.ts';
import {
  assault,
  type Battle,
  battle,
  face,
  lastShot,
  move,
  on,
  refused,
  shoot,
} from '../../../helpers/normandie-battle.ts';

const token = (line: number, n: number | 'special' | 'bluff', unit: string): NormandieOrder => ({
  verb: 'TOKEN',
  line,
  token: n,
  unit,
});
const script = (n: number, unit: string, action: Parameters<Battle['act']>[0] = { do: 'hold' }): NormandieOrder => ({
  verb: 'ON',
  line: 10 + n,
  on: { n },
  clauses: [{ parts: [{ action: action.do === 'hold' ? action : { ...action, unit }, riders: [] }] }],
});
const hold = (line: number, unit: string): NormandieOrder => ({
  verb: 'ON',
  line,
  on: { unit },
  clauses: [{ parts: [{ action: { do: 'hold' }, riders: [] }] }],
});
const errors = (b: Battle, side: NormandieSide, orders: NormandieOrder[]): string[] =>
  check(b.book, viewFor(b.state, side), orders)
    .filter((each) => each.severity === 'error')
    .map((each) => `${each.code} ${each.line}`);
/** A step that asks nobody, as a generator. */
const nothing = <T>(what: (play: Play) => T) =>
  function* (play: Play): Asking<T> {
    yield* [];
    return what(play);
  };
const officers = (n: number) => ({
  chief: { role: 'officer' as const, character: true, faces: { full: face(`6 4 2/1/X flip order:${n}`) } },
});

describe('orders', () => {
  test('C60 3.1-c 3.1-d 3.1-g 3.1-h 2.1-f 2.1-g: stars 1 + 1 + 2 + 1 make tokens 1 to 5', () => {
    const { data } = normandieBook('church');
    const army = [
      { tile: 'us-t-16a', slots: { L: 'grenades' } },
      { tile: 'us-t-cmd', slots: { A: 'planning' } },
    ];
    expect(starsOfArmy(data, army)).toBe(5);
  });

  test('C60 3.1-u 3.1-l: never above 10; 3.1-v: 2 Special; 3.1-w 3.1-n 7.4-bluff: 1 Bluff free, 2 with the option', () => {
    const b = battle({
      counters: officers(12),
      units: { US1: { type: 'chief', at: 'B2' }, GE1: { type: 'rifle', at: 'P16' } },
      change: (_data, state) => {
        state.table.tiles[0]!.slots = { A: 'battle-plan', B: 'bluff' };
      },
    });
    expect(tokensOf(b.book, b.known, 'us', 2)).toEqual({ numbered: 10, special: 2, bluff: 2 });
    b.state.table.tiles[0]!.slots = { A: 'bluff', B: 'bluff' };
    expect(tokensOf(b.book, b.known, 'us', 0)).toEqual({ numbered: 10, special: 0, bluff: 2 });
    b.state.table.tiles[0]!.slots = {};
    expect(tokensOf(b.book, b.known, 'us', 0).bluff).toBe(1);
  });

  test('C61 3.1-f 3.1-x 3.1-m 6.5-personal-b 6.5-personal-a: illegal placement', () => {
    const b = battle({
      counters: {
        ...officers(3),
        lone: { character: true, faces: { full: face('5 4 1/X/X destroyed personal-order') } },
      },
      units: {
        US1: { type: 'chief', at: 'B2' },
        US2: { type: 'rifle', at: 'B3' },
        US3: { type: 'lone', at: 'B4' },
        GE1: { type: 'chief', at: 'P16' },
      },
    });
    const rest = [token(2, 2, 'US1'), token(3, 3, 'US3')];
    expect(tokensOf(b.book, b.known, 'us', 0).numbered).toBe(4);
    expect(errors(b, 'us', [token(1, 1, 'US2'), ...rest])).toEqual([]);
    expect(errors(b, 'us', [token(1, 1, 'US2'), ...rest, token(4, 'bluff', 'US2')])).toEqual(['E06 4']);
    expect(errors(b, 'us', [token(1, 1, 'US2'), token(2, 2, 'GE1'), token(3, 'bluff', 'US3')])).toEqual(['E07 2']);
    expect(errors(b, 'us', [token(1, 1, 'US2'), token(2, 2, 'US1')])).toEqual(['E08 mail']);
    expect(errors(b, 'us', [token(1, 1, 'US2'), token(2, 'bluff', 'US3')])).toEqual([]);
    expect(errors(b, 'us', [token(1, 1, 'US2'), token(2, 3, 'US3')])).toEqual(['E05 mail']);
    expect(errors(b, 'us', [token(1, 5, 'US2'), token(2, 'bluff', 'US3')])).toEqual(['E05 mail']);
    b.phase('orders', {
      us: [token(1, 1, 'US2'), token(2, 2, 'US1'), token(3, 'bluff', 'US3'), hold(4, 'US1'), hold(5, 'US2')],
      ge: [hold(1, 'GE1')],
    });
    const told = b.told('tokens').find((event) => event.side === 'us')!;
    expect(told.audience).toBe('all');
    expect(Object.keys(told).sort()).toEqual(['audience', 'backs', 'numbered', 'rule', 'side', 'special', 'type']);
  });

  test('C62 3.1-i 3.1-j 3.1-k 6.5-orders-a 6.5-orders-b 8.1-b: the token on another unit still activates it; next turn nothing is left', () => {
    const b = battle({
      counters: { chief: { role: 'officer', character: true, faces: { full: face('4 4 2/1/X destroyed order:2') } } },
      units: {
        US1: { type: 'chief', at: 'B2' },
        US2: { type: 'rifle', at: 'B5' },
        GE1: { type: 'chief', at: 'B8' },
        GE2: { type: 'rifle', at: 'C3' },
      },
      initiative: 'ge',
      change: (_data, state) => {
        state.table.tiles[0]!.slots = { A: 'bluff' };
      },
    });
    b.phase(
      'orders',
      {
        us: [token(1, 1, 'US1'), token(2, 2, 'US2'), script(2, 'US2', move('US2', 'C5'))],
        ge: [token(1, 1, 'GE2'), script(1, 'GE2', shoot('GE2', 'US1')), token(2, 2, 'GE1'), script(2, 'GE1')],
      },
      [6],
    );
    expect(b.gone('US1')).toBe(true);
    expect(b.told('revealed').map((event) => [event.side, event.token, event.unit, event.void])).toEqual([
      ['ge', 1, 'GE2', false],
      ['us', 1, null, true],
      ['ge', 2, 'GE1', false],
      ['us', 2, 'US2', false],
    ]);
    expect(b.unit('US2').at).toBe('C5');
    b.phase('supply', {});
    b.phase('orders', {});
    expect(b.told('sudden-death')).toMatchObject([{ sides: ['us'] }]);
    expect(b.state.table.ended).toMatchObject({ winner: 'ge', reason: 'sudden death' });
    expect(suddenDeath(b.state.table)).toEqual(['us']);
  });

  test('C63 3.2-b 3.2-d 3.2-f 3.2-g 3.1-e: alternation with a lost token', () => {
    const b = battle({
      counters: {
        ...officers(3),
        vice: { role: 'officer', character: true, faces: { full: face('6 4 2/1/X flip order:2') } },
      },
      units: {
        US1: { type: 'chief', at: 'B2' },
        US2: { type: 'rifle', at: 'E5' },
        US3: { type: 'rifle', at: 'B6' },
        GE1: { type: 'vice', at: 'O15' },
        GE2: { type: 'team', at: 'G5' },
      },
    });
    b.phase(
      'orders',
      {
        us: [
          token(1, 1, 'US2'),
          token(2, 2, 'US1'),
          token(3, 3, 'US3'),
          script(1, 'US2', shoot('US2', 'GE2')),
          script(2, 'US1'),
          script(3, 'US3'),
        ],
        ge: [token(1, 1, 'GE2'), token(2, 2, 'GE1'), script(1, 'GE2'), script(2, 'GE1')],
      },
      [6],
    );
    expect(b.told('revealed').map((event) => `${event.side}${event.token}${event.void ? ' void' : ''}`)).toEqual([
      'us1',
      'ge1 void',
      'us2',
      'ge2',
      'us3',
    ]);
  });

  test('C64 3.1-p 3.1-q 3.1-r 3.1-s 3.2-c 6.5-auto-a 6.5-auto-b 6.5-auto-c: Special tokens and Autonomous units', () => {
    const always = { is: 'turn', compare: '>=', value: 1 } as const;
    const b = battle({
      counters: { ...officers(1), lone: { character: true, faces: { full: face('5 4 1/X/X destroyed autonomous') } } },
      units: {
        US1: { type: 'chief', at: 'B2' },
        US2: { type: 'rifle', at: 'B4' },
        GE1: { type: 'chief', at: 'O15' },
        GE2: { type: 'rifle', at: 'O13' },
        GE3: { type: 'lone', at: 'O11' },
      },
      change: (_data, state) => {
        for (const tile of state.table.tiles) tile.slots = { A: 'battle-plan' };
      },
    });
    b.phase('orders', {
      us: [
        token(1, 1, 'US1'),
        token(2, 'special', 'US2'),
        { verb: 'CLAIM', line: 3, what: 'special', when: always },
        hold(8, 'US1'),
        hold(9, 'US2'),
      ],
      ge: [
        token(1, 1, 'GE1'),
        token(2, 'special', 'GE2'),
        { verb: 'CLAIM', line: 3, what: 'special', when: always },
        { verb: 'CLAIM', line: 4, what: { unit: 'GE3' }, when: always },
        hold(7, 'GE1'),
        hold(8, 'GE2'),
        hold(9, 'GE3'),
      ],
    });
    expect(b.told('revealed').map((event) => `${event.unit} ${event.token}`)).toEqual([
      'GE3 autonomous',
      'US2 special',
      'GE2 special',
      'US1 1',
      'GE1 1',
    ]);
    expect(b.unit('GE3').activated).toBe(true);
  });
});

describe('supply', () => {
  test('C65 3.3-a 3.3-c 3.3-e 3.3-f 3.3-g 8.1-d 3.2-e: who moves', () => {
    const b = battle({
      units: {
        US1: { type: 'rifle', at: 'B2', suppressed: 3 },
        US2: { type: 'rifle', at: 'B5', token: 'bluff' },
        US3: { type: 'rifle', at: 'B8', suppressed: 1 },
        US4: { type: 'rifle', at: 'B11', activated: true },
        GE1: { type: 'rifle', at: 'C5' },
      },
    });
    b.unit('US1').token = 1;
    const supply = (line: number, unit: string, path: string): NormandieOrder => ({
      verb: 'SUPPLY',
      line,
      move: move(unit, path),
    });
    const orders = [supply(1, 'US1', 'B3'), supply(2, 'US2', 'A5'), supply(3, 'US3', 'C8 D8'), supply(4, 'US4', 'B12')];
    b.state.phase = { ...b.state.phase, step: 'supply' };
    expect(errors(b, 'us', orders)).toEqual(['HAS ACTED 1', 'HAS ACTED 4']);
    expect(errors(b, 'us', [supply(1, 'US3', 'C8 D8 E8')])).toEqual(['TOO FAR 1']);
    expect(errors(b, 'us', [supply(1, 'US2', 'C5')])).toEqual([]);
    b.phase('supply', { us: [supply(1, 'US2', 'C5'), ...orders] });
    expect(b.unit('US2').at).toBe('A5');
    expect(b.told('assault')).toEqual([]);
    expect(b.unit('US3')).toMatchObject({ at: 'D8', suppressed: 0 });
    expect(b.unit('US1')).toMatchObject({ at: 'B2', suppressed: 2 });
    expect(b.unit('US4').at).toBe('B11');
    expect(b.told('bluffs')).toMatchObject([{ side: 'us', units: ['US2'] }]);
  });

  test('C66 3-e 3.3-l 3.3-h 3-b 3-c 3-d: Initiative switches; the turn limit ends the game', () => {
    const b = battle({
      counters: officers(1),
      units: { US1: { type: 'chief', at: 'B2' }, GE1: { type: 'chief', at: 'O15' } },
    });
    b.state.table.turns = 5;
    const holders: string[] = [];
    for (let turn = 1; turn <= 5; turn++) {
      b.state.phase = { ...b.state.phase, turn };
      holders.push(b.state.table.initiative);
      b.phase('orders', {});
      b.phase('supply', {});
    }
    expect(holders).toEqual(['us', 'ge', 'us', 'ge', 'us']);
    expect(b.state.table.ended).not.toBeNull();
    expect(b.state.phase.turn).toBe(5);
  });
});

describe('cards, gear, traits', () => {
  const cards = (hand: string[]) =>
    battle({
      board: on({ D5: 'h' }),
      units: { US1: { type: 'rifle', at: 'B5' }, GE1: { type: 'team', at: 'D5' } },
      cards: { us: hand },
    });
  const bonus = (card: string) => ({ rider: 'card', card, as: 'bonus' }) as const;

  test('C67 4.2-d 4.2-i 4.2-j 4.2-k 4.2-m 4.2-o 4.2-g: several cards of one type, never mixed, never after the die', () => {
    const b = cards(['nerves', 'aim', 'second']);
    b.act(shoot('US1', 'GE1'), [1], undefined, [bonus('nerves'), bonus('aim'), bonus('second')]);
    expect(lastShot(b)).toEqual({ total: 6, need: 6, result: 'hit' });
    expect(b.state.hands.us!.cards).toEqual(['second']);
    expect(b.state.table.cards.us.played).toEqual(['nerves', 'aim']);
    const asked = b.asked.filter((request) => request.kind === 'reroll');
    expect(asked.every((request) => valuesOf(request).every((option) => ['PASS', 'SECOND'].includes(option)))).toBe(
      true,
    );
    const mixed: NormandieOrder[] = [
      token(1, 1, 'US1'),
      {
        verb: 'ON',
        line: 2,
        on: { n: 1 },
        clauses: [{ parts: [{ action: shoot('US1', 'GE1'), riders: [bonus('nerves'), bonus('second')] }] }],
      },
    ];
    const c = cards(['nerves', 'second']);
    c.state.table.tiles[0]!.slots = { A: 'planning' };
    expect(errors(c, 'us', mixed)).toEqual(['BONUS TYPES MIXED 2']);
  });

  test('C68 7.2-ammo 7.2-e 7.2-a 7.2-d 7.2-panzerfaust 3.2.3-type-c 7.2-c 3.2.3-alt-a: three markers at most', () => {
    const b = battle({
      units: {
        US1: { type: 'rifle', at: 'B5' },
        GE1: { type: 'team', at: 'D5' },
        GE2: { type: 'jeep', at: 'D8' },
        GE3: { type: 'pz', at: 'F6', rear: 'F7', facing: 0 },
        GE4: { type: 'pz', at: 'G12', rear: 'G13', facing: 0 },
      },
      gear: [
        { side: 'us', option: 'ammo', left: 3 },
        { side: 'us', option: 'panzerfaust', left: 3 },
      ],
      change: (data) => {
        data.options.find((option) => option.id === 'panzerfaust')!.cv!.heavy = 6;
      },
    });
    const use = (option: string, n: number) => ({ rider: 'use', option, n }) as const;
    b.act(shoot('US1', 'GE2'), [1], undefined, [use('ammo', 1)]);
    expect(b.told('gear')).toEqual([]);
    b.unit('US1').fired = [];
    b.act(shoot('US1', 'GE1'), [1], undefined, [use('ammo', 3)]);
    expect(lastShot(b).total).toBe(6);
    expect(b.state.table.gear[0]!.left).toBe(0);
    b.unit('US1').fired = [];
    expect(refused(b, shoot('US1', 'GE4', { weapon: 'panzerfaust' }))).toBe('OUT OF RANGE');
    b.act(shoot('US1', 'GE3', { weapon: 'panzerfaust' }), [1, 1]);
    expect(lastShot(b)).toEqual({ total: 7, need: 7, result: 'hit' });
    expect(b.state.table.gear[1]!.left).toBe(2);
    b.state.table.tiles[0]!.slots = { A: 'planning' };
    const four: NormandieOrder[] = [
      token(1, 1, 'US1'),
      {
        verb: 'ON',
        line: 2,
        on: { n: 1 },
        clauses: [{ parts: [{ action: { do: 'hold' }, riders: [use('ammo', 4), use('panzerfaust', 2)] }] }],
      },
    ];
    expect(errors(b, 'us', four)).toEqual(['TOO MANY MARKERS 2', 'ONE MARKER 2']);
  });

  test('C69 7.3-veteran-a 7.3-veteran-b 7.3-a 7.3-b: the new result stands unless another marker is spent', () => {
    const b = battle({
      units: { US1: { type: 'rifle', at: 'B5' }, GE1: { type: 'rifle', at: 'D5' } },
      gear: [{ side: 'ge', option: 'veteran', left: 2 }],
    });
    b.act(shoot('US1', 'GE1'), [6, 5, 6], (request) => (request.kind === 'reroll' ? 'VETERAN' : undefined));
    expect(b.told('rerolled').map((event) => [event.was, event.dice])).toEqual([
      [[6], [5]],
      [[5], [6]],
    ]);
    expect(lastShot(b).total).toBe(8);
    expect(b.state.table.gear[0]!.left).toBe(0);
    expect(b.gone('GE1')).toBe(true);
  });

  test('C70 3.2.3-break-a 3.2.3-break-b 2.1-i 2.1-m 3.2.3-dest-a: Breaking Point', () => {
    const b = battle({
      tiles: [{ side: 'us', breakingPoint: 3, victoryPoints: 3 }, { side: 'ge' }],
      units: {
        US1: { type: 'team', at: 'D4' },
        US2: { type: 'team', at: 'D5' },
        US3: { type: 'team', at: 'D6' },
        US4: { type: 'rifle', at: 'D7' },
        GE1: { type: 'rifle', at: 'B5' },
      },
    });
    for (const [target, die] of [
      ['US1', 6],
      ['US2', 6],
      ['US3', 3],
    ] as const) {
      b.unit('GE1').fired = [];
      b.act(shoot('GE1', target), [die]);
    }
    expect(b.unit('US3').face).toBe('reduced');
    expect(b.told('broken')).toEqual([]);
    b.unit('GE1').fired = [];
    b.act(shoot('GE1', 'US3'), [5]);
    expect(b.told('broken')).toMatchObject([{ side: 'us', points: 3, restored: false }]);
    expect(b.state.table.tiles[0]!.broken).toBe(true);
  });

  test('C71 2.1-d 2.1-j 2.1-k 2.1-l 7.4-planning 7.4-a: filling a slot', () => {
    const { data } = normandieBook('church');
    const fault = (slots: Record<string, string>, tile = 'us-t-18a') =>
      armyFaults(data, 'us', [{ tile, slots }], null).map((each) => each.what);
    expect(fault({ L: 'us-s-m3' })).toEqual([]);
    expect(fault({ L: 'us-s-30cal' })).toEqual(['STRIPE']);
    expect(fault({ R: 'us-s-m3' })).toEqual(['KIND']);
    expect(fault({ R: 'planning' })).toEqual(['KIND']);
    expect(fault({ X: 'ammo' })).toEqual(['SLOT']);
    expect(fault({ R: 'panzerfaust' })).toEqual(['SIDE']);
    expect(starsOfArmy(data, [{ tile: 'us-t-16a', slots: { L: 'grenades' } }])).toBe(3);
    expect(starsOfArmy(data, [{ tile: 'us-t-16a', slots: {} }])).toBe(2);
  });
});

describe('states and the rest', () => {
  test('C72 6.1-a 6.1-b 6.1-d 6.1-tripod-a 3.2.1-x-a 3.2.1-x-f 8.3-d 8.3-o: setting up a machine gun', () => {
    const sketch = (side: 'active' | 'inactive') =>
      battle({ units: { US1: { type: 'mg', at: 'D4', face: side }, GE1: { type: 'rifle', at: 'O15' } } });
    const off = sketch('inactive');
    expect(refused(off, move('US1', 'E4 F4 G4', { flip: 'end' }))).toBeUndefined();
    expect(refused(off, move('US1', 'E4', { flip: 'start' }))).toBe('CANNOT MOVE');
    expect(refused(off, shoot('US1', 'GE1', { suppress: true }))).toBe('NO SUPPRESSIVE FIRE');
    off.act(move('US1', 'E4 F4 G4', { flip: 'end' }));
    expect(off.unit('US1')).toMatchObject({ at: 'G4', face: 'active' });
    const set = sketch('active');
    expect(refused(set, move('US1', 'E4'))).toBe('CANNOT MOVE');
    set.act(move('US1', 'E4 F4 G4', { flip: 'start' }));
    expect(set.unit('US1')).toMatchObject({ at: 'G4', face: 'inactive' });
  });

  test('C73 R5 7.5-a 7.5-b 7.5-c 7.5-e 7.5-knife 7.5-thompson: customizations', () => {
    const b = battle({
      units: {
        US1: { type: 'blean', at: 'C3', main: true },
        US2: { type: 'team', at: 'G7' },
        GE1: { type: 'rifle', at: 'C2' },
        GE2: { type: 'rifle', at: 'G3' },
      },
      gear: [
        { side: 'us', option: 'knife', left: 1 },
        { side: 'us', option: 'thompson', left: null },
        { side: 'us', option: 'ammo', left: 2 },
      ],
      change: (data) => {
        data.options.find((option) => option.id === 'thompson')!.cv = { inf: 2, light: 0, heavy: 'X' };
      },
    });
    b.act(assault('US1', 'GE1'), [3, 2, 4, 1], undefined, [{ rider: 'use', option: 'knife', n: 1 }]);
    expect(b.told('assault')[0]).toMatchObject({ attack: { total: 7 }, defense: { total: 6 }, result: 'won' });
    expect(b.state.table.gear[0]!.left).toBe(0);
    b.state.table.gear[0]!.left = 1;
    b.state.table.tiles[0]!.slots = { A: 'planning' };
    const knife: NormandieOrder[] = [
      token(1, 1, 'US2'),
      {
        verb: 'ON',
        line: 2,
        on: { n: 1 },
        clauses: [{ parts: [{ action: { do: 'hold' }, riders: [{ rider: 'use', option: 'knife', n: 1 }] }] }],
      },
    ];
    expect(errors(b, 'us', knife)).toEqual(['NOT ITS GEAR 2']);
    expect(refused(b, shoot('US2', 'GE2', { weapon: 'thompson' }))).toBe('NOT ITS GEAR');
    b.unit('US1').fired = [];
    b.act(shoot('US1', 'GE2', { weapon: 'thompson', suppress: true }), [2], undefined, [
      { rider: 'use', option: 'ammo', n: 2 },
    ]);
    expect(lastShot(b)).toEqual({ total: 10, need: 4, result: 'suppressed' });
    expect(b.unit('GE2').suppressed).toBe(2);
  });

  test('C75 6.5-scout-b 6.5-scout-e: a scout move goes through Difficult Passage', () => {
    const b = battle({
      board: on({ C2: 'h' }),
      counters: { ranger: { faces: { full: face('4 5 1/0/X flip scout:3') } } },
      units: { US1: { type: 'ranger', at: 'B2' } },
    });
    b.run((play) => moveAction(play, b.unit('US1'), move('US1', 'C2 D2 E2 F2'), [], 'scout'));
    expect(b.unit('US1').at).toBe('E2');
  });

  test('C76 3.2.1-offset-a 3.2.1-offset-b 3.2.1-offset-c 3.2.1-offset-d 3.2.1-offset-e 3.2.2-f: the Offset Grid', () => {
    const rows = on({ E5: 'o', F5: 'o', G5: 'o', E6: 'o', F6: 'O', G6: 'o', E7: 'o', F7: 'o', G7: 'o' });
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
      units: { US1: { type: 'rifle', at: 'W.a' }, US2: { type: 'jeep', at: 'D5' } },
    });
    expect(refused(b, move('US1', 'W.d'))).toBeUndefined();
    expect(refused(b, move('US1', 'D5'))).toBe('VEHICLE IN THE WAY');
    expect(refused(b, move('US1', 'D6'))).toBeUndefined();
    expect(refused(b, move('US1', 'D4'))).toBe('NOT ADJACENT');
    expect(refused(b, move('US1', 'E5'))).toBe('NO PLACE TO STAND');
    expect(refused(b, move('US2', 'W.a'))).toBe('OFFSET GRID');
    b.act(move('US1', 'D6 D7'));
    expect(b.told('moved').map((event) => event.spent)).toEqual([1, 2]);
  });

  test('C77 4.2-h 4.2-gogo 3.2.1-x-c 3.2.1-forced-b: Go Go Go!', () => {
    const b = battle({
      counters: { fixed: { faces: { full: face('5 X 3/4/5 destroyed') } } },
      units: {
        US1: { type: 'rifle', at: 'B5', suppressed: 2 },
        US2: { type: 'fixed', at: 'B9' },
        GE1: { type: 'mg', at: 'C9', face: 'active' },
      },
      cards: { us: ['go', 'go'] },
    });
    expect(b.run(nothing((play) => goGoGo(play, 'us', 'US1', ['C5', 'D5', 'E5'])))).toBeUndefined();
    expect(b.unit('US1').at).toBe('D5');
    expect(b.asked).toEqual([]);
    expect(b.run(nothing((play) => goGoGo(play, 'us', 'US2', ['B10'])))).toBe('CANNOT MOVE');
    expect(b.state.hands.us!.cards).toEqual(['go']);
  });

  test('C77 R6 4.2-fallback-a 4.2-fallback-b 4.2-initiative 4.2-e 3.3-b: Fall Back, Initiative, cards of other phases', () => {
    const b = battle({
      units: { US1: { type: 'rifle', at: 'E3' }, GE1: { type: 'mg', at: 'E7', face: 'active', suppressed: 1 } },
      cards: { ge: ['fallback', 'go', 'shells'] },
    });
    b.act(shoot('US1', 'GE1'), [1], (request) =>
      request.kind === 'card' && valuesOf(request).includes('fallback E10')
        ? 'fallback E10'
        : request.kind === 'opfire'
          ? 'NO'
          : undefined,
    );
    expect(b.unit('GE1')).toMatchObject({ at: 'E10', face: 'inactive' });
    b.state.phase = { ...b.state.phase, step: 'supply' };
    expect(errors(b, 'ge', [{ verb: 'PLAY', line: 1, card: 'shells', on: '@E5', at: 'supply-start' }])).toEqual([
      'WRONG WINDOW 1',
    ]);
    b.phase('supply', { ge: [{ verb: 'PLAY', line: 1, card: 'shells', on: '@E5', at: 'supply-start' }] });
    expect(b.told('order-lost')).toMatchObject([{ side: 'ge', why: 'WRONG WINDOW' }]);
  });

  test('4.2-initiative: the card takes the next reveal from the enemy, never from a Special Order', () => {
    const always = { is: 'turn', compare: '>=', value: 1 } as const;
    const b = battle({
      counters: officers(2),
      units: {
        US1: { type: 'chief', at: 'B2' },
        US2: { type: 'rifle', at: 'B4' },
        GE1: { type: 'chief', at: 'O15' },
        GE2: { type: 'rifle', at: 'O13' },
        GE3: { type: 'rifle', at: 'O11' },
      },
      cards: { us: ['initiative'] },
      change: (_data, state) => {
        state.table.tiles[1]!.slots = { A: 'battle-plan' };
      },
    });
    b.phase('orders', {
      us: [
        token(1, 1, 'US1'),
        token(2, 2, 'US2'),
        { verb: 'CLAIM', line: 3, what: 'initiative', when: { is: 'shown', side: 'us', n: 1 } },
        hold(8, 'US1'),
        hold(9, 'US2'),
      ],
      ge: [
        token(1, 1, 'GE1'),
        token(2, 2, 'GE2'),
        token(3, 'special', 'GE3'),
        { verb: 'CLAIM', line: 4, what: 'special', when: always },
        hold(7, 'GE1'),
        hold(8, 'GE2'),
        hold(9, 'GE3'),
      ],
    });
    expect(b.told('revealed').map((event) => `${event.side} ${event.token}`)).toEqual([
      'ge special',
      'us 1',
      'us 2',
      'ge 1',
      'ge 2',
    ]);
  });
});
