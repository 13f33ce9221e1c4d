/** The validator (3.10): each complaint about a side's own orders, and that every one can be worded. */
import { describe, expect, test } from 'vitest';
import { viewFor } from '../../../../src/kernel/view.ts';
import { openWording } from '../../../../src/render/words.ts';
import type { Action, NormandieOrder, Rider } from '../../../../src/systems/normandie/language.ts';
import { check } from '../../../../src/systems/normandie/player/check.ts';
import { assault, type Battle, battle, face, move, on, shoot } from '../../../helpers/normandie-battle.ts';

const wording = openWording('en');
const always = { is: 'turn', compare: '>=', value: 1 } as const;

const field = (step: string, cards: string[] = []): Battle => {
  const b = battle({
    board: on({ H6: 'h', D2: '~' }),
    counters: {
      chief: { role: 'officer', character: true, faces: { full: face('6 4 2/1/X flip order:3') } },
      lone: { character: true, faces: { full: face('5 4 1/X/X destroyed autonomous') } },
    },
    units: {
      US1: { type: 'chief', at: 'B2', main: true },
      US2: { type: 'rifle', at: 'B5' },
      US3: { type: 'mg', at: 'B8', face: 'active', facing: 0 },
      US4: { type: 'pz', at: 'E9', rear: 'E10', facing: 0 },
      US5: { type: 'lone', at: 'B12' },
      GE1: { type: 'rifle', at: 'F5' },
      GE2: { type: 'pz', at: 'K5', rear: 'K6', facing: 0 },
      'GE?M': { type: 'amb', at: 'M12', conceals: 'GE3' },
    },
    cards: { us: cards },
    gear: [{ side: 'us', option: 'grenades', left: 1 }],
  });
  b.state.phase = { ...b.state.phase, step };
  return b;
};

const said = (b: Battle, orders: NormandieOrder[]): string[] =>
  check(b.book, viewFor(b.state, 'us'), orders).map((each) => {
    expect(wording.complain('normandie', each)).not.toBe('');
    return `${each.severity === 'error' ? '' : '~'}${each.code} ${each.line}`;
  });

const TOKENS: NormandieOrder[] = [
  { verb: 'TOKEN', line: 1, token: 1, unit: 'US2' },
  { verb: 'TOKEN', line: 2, token: 2, unit: 'US4' },
  { verb: 'TOKEN', line: 3, token: 3, unit: 'US3' },
];
const script = (n: number, action: Action, riders: Rider[] = [], when?: typeof always): NormandieOrder => ({
  verb: 'ON',
  line: 10 + n,
  on: { n },
  clauses: [
    { ...(when ? { when } : {}), parts: [{ action, riders }] },
    { parts: [{ action: { do: 'hold' }, riders: [] }] },
  ],
});
const quiet = (n: number): NormandieOrder => script(n, { do: 'hold' });

describe('orders', () => {
  test('a plain set is accepted without a word', () => {
    expect(said(field('orders'), [...TOKENS, script(1, shoot('US2', 'GE1')), quiet(2), quiet(3)])).toEqual([]);
  });

  test.each([
    ['path too long for the first to act', script(1, move('US2', 'C5 D5 D6 D7 D8')), ['TOO FAR 11']],
    ['a gap in the path', script(1, move('US2', 'D5')), ['NOT ADJACENT 11']],
    ['the same for a later token is only warned of', script(2, move('US4', 'E5')), ['~W01 12']],
    ['Movement X can never move', script(3, move('US3', 'B9')), ['CANNOT MOVE 13']],
    ['no Combat Value is lasting', script(1, shoot('US2', 'GE2')), ['CANNOT HARM 11']],
    ['out of arc may heal', script(3, shoot('US3', 'GE1')), ['~W01 13']],
    ['another unit', script(1, move('US4', 'FWD')), ['OTHER UNIT 11']],
    ['an assault without the ability', script(2, assault('US4', 'GE1')), ['NO ASSAULT 12']],
    ['water', script(1, move('US2', 'C4 C3 D2')), ['WATER 11']],
    ['bocage for a tank later on', script(2, move('US4', 'FWD'), [], always), []],
    ['a concealed enemy is no target now', script(1, shoot('US2', 'GE?M')), ['CONCEALED 11']],
    [
      'fire on the move',
      script(2, move('US4', 'FWD'), [{ rider: 'fom', at: 'E8', fire: shoot('US4', 'GE1', { weapon: 'PRIMARY' }) }]),
      ['NO FIRE ON THE MOVE 12'],
    ],
    [
      'a card not in hand',
      script(1, shoot('US2', 'GE1'), [{ rider: 'card', card: 'aim', as: 'bonus' }]),
      ['CARD NOT IN HAND 11'],
    ],
    [
      'too many markers',
      script(1, shoot('US2', 'GE1'), [{ rider: 'use', option: 'grenades', n: 2 }]),
      ['ONE MARKER 11'],
    ],
    ['gear it has not', script(1, shoot('US2', 'GE1'), [{ rider: 'use', option: 'ammo', n: 1 }]), ['NOT ITS GEAR 11']],
  ] as [string, NormandieOrder, string[]][])('%s', (_what, order, expected) => {
    const others = [1, 2, 3].filter((n) => order.verb !== 'ON' || !('n' in order.on) || order.on.n !== n).map(quiet);
    expect(said(field('orders'), [...TOKENS, order, ...others])).toEqual(expected);
  });

  test('scripts need a token or an Autonomous unit; the last clause wants an ELSE; a token wants a script', () => {
    const on5: NormandieOrder = {
      verb: 'ON',
      line: 20,
      on: { unit: 'US5' },
      clauses: [{ when: always, parts: [{ action: { do: 'hold' }, riders: [] }] }],
    };
    const on1: NormandieOrder = { ...on5, line: 21, on: { unit: 'US1' } };
    const on9: NormandieOrder = { ...on5, line: 22, on: { n: 9 } };
    expect(said(field('orders'), [...TOKENS, quiet(1), quiet(2), on5, on1, on9])).toEqual([
      '~W03 20',
      'E10 21',
      'E10 22',
      '~W02 3',
    ]);
  });

  test('W04 W05: past an enemy that may react, and two units on one square', () => {
    const b = field('orders');
    b.unit('GE1').at = 'H9';
    b.state.table.units.push({ ...b.unit('US3'), code: 'GE9', side: 'ge', type: 'ge-mg', at: 'D14', facing: 0 });
    const to = (n: number, unit: string, path: string): NormandieOrder => script(n, move(unit, path));
    expect(said(b, [...TOKENS, to(1, 'US2', 'C5 D6'), quiet(2), quiet(3)])).toEqual(['~W04 11']);
    const two = [
      ...TOKENS.slice(0, 1),
      { verb: 'TOKEN', line: 2, token: 2, unit: 'US5' } as NormandieOrder,
      TOKENS[2]!,
    ];
    expect(said(field('orders'), [...two, to(1, 'US2', 'C6'), to(2, 'US5', 'B11 C10 C9 C8'), quiet(3)])).toEqual([]);
    expect(said(field('orders'), [...two, to(1, 'US2', 'C6 C7 C8'), to(2, 'US5', 'B11 C10 C9 C8'), quiet(3)])).toEqual([
      '~W05 12',
    ]);
  });

  test('claims and cards', () => {
    const claim = (line: number, what: 'special' | 'initiative' | { unit: string }): NormandieOrder => ({
      verb: 'CLAIM',
      line,
      what,
      when: always,
    });
    const orders = [claim(1, { unit: 'US5' }), claim(2, { unit: 'US2' }), claim(3, 'initiative')];
    expect(said(field('orders'), orders)).toEqual(['NOT AUTONOMOUS 2', 'CARD NOT IN HAND 3']);
    const play = (line: number, card: string, at: 'order-start' | 'order-end' | 'supply-start'): NormandieOrder => ({
      verb: 'PLAY',
      line,
      card,
      at,
    });
    expect(
      said(field('orders', ['go', 'medic']), [
        { ...play(1, 'go', 'order-end'), on: 'US2' } as NormandieOrder,
        play(2, 'medic', 'order-end'),
        play(3, 'smoke', 'order-end'),
      ]),
    ).toEqual(['WRONG WINDOW 2', 'CARD NOT IN HAND 3']);
  });

  test('too many Bluff and Special tokens, and orders of another phase', () => {
    const token = (line: number, kind: 'special' | 'bluff', unit: string): NormandieOrder => ({
      verb: 'TOKEN',
      line,
      token: kind,
      unit,
    });
    expect(
      said(field('orders'), [token(1, 'bluff', 'US1'), token(2, 'bluff', 'US2'), token(3, 'special', 'US3')]),
    ).toEqual(['E09 2', 'E09 3']);
    expect(said(field('orders', ['highcmd']), [token(1, 'special', 'US1')])).toEqual([]);
    const supply: NormandieOrder = { verb: 'SUPPLY', line: 4, move: move('US2', 'C5') };
    expect(said(field('orders'), [supply])).toEqual(['E01 4']);
    const oneMail = field('orders');
    oneMail.state.table.mode = 'one-mail';
    expect(said(oneMail, [supply])).toEqual([]);
    const placed = field('orders');
    placed.state.table.mode = 'placed';
    expect(said(placed, [TOKENS[0]!])).toContain('E01 1');
  });
});

describe('supply', () => {
  const supply = (line: number, unit: string, path: string): NormandieOrder => ({
    verb: 'SUPPLY',
    line,
    move: move(unit, path),
  });

  test('moves, discards and Concealed markers', () => {
    const b = field('supply', ['aim', 'go']);
    b.unit('US4').token = 2;
    expect(
      said(b, [
        supply(1, 'US2', 'C5'),
        supply(2, 'US4', 'FWD'),
        supply(3, 'US9', 'D5'),
        supply(4, 'US2', 'E5 E4'),
        supply(5, 'US3', 'B9'),
        { verb: 'DISCARD', line: 6, cards: ['aim', 'aim'] },
        { verb: 'CONCEAL', line: 7, unit: 'US2', letter: 'A' },
      ]),
    ).toEqual(['HAS ACTED 2', 'E07 3', '~W01 4', 'CANNOT MOVE 5', 'CARD NOT IN HAND 6', 'NO CONCEALED MARKER 7']);
  });
});

test('what is hidden from a side changes nothing it is told', () => {
  const orders = [...TOKENS, script(1, shoot('US2', 'GE?M')), script(2, move('US4', 'FWD FWD'), [], always), quiet(3)];
  const told = (change: (b: Battle) => void): string => {
    const b = field('orders');
    change(b);
    return JSON.stringify(check(b.book, viewFor(b.state, 'us'), orders));
  };
  const plain = told(() => {});
  expect(
    told((b) => {
      b.state.hands.ge!.identities['GE?M'] = { code: 'GE3', type: 'ge-rifle', face: 'full' };
      b.state.hands.ge!.cards = ['mine', 'second'];
      b.state.hands.ge!.tokens = { GE1: 4 };
      b.state.cup.decks.us.reverse();
    }),
  ).toBe(plain);
});
