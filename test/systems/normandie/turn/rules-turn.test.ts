/** Chapters 3, 4, 6.5, 7.4 and 8: phases, markers, cards, options, as the worked cases leave them open. */

import { describe, expect, test } from 'vitest';
import { valuesOf } from '../../../../src/kernel/questions.ts';
import type { DecisionRequest } from '../../../../src/kernel/types.ts';
import { viewFor } from '../../../../src/kernel/view.ts';
import { hasActed, markActivated } from '../../../../src/systems/normandie/counters/hands.ts';
import { knownFrom } from '../../../../src/systems/normandie/counters/units.ts';
import { checkBreaking, destroy, suppress } from '../../../../src/systems/normandie/fight/effects.ts';
import type { NormandieOrder } from '../../../../src/systems/normandie/language.ts';
import { tokensOf } from '../../../../src/systems/normandie/turn/tokens.ts';
import { assault, battle, face, lastShot, move, on, refused, shoot } from '../../../helpers/normandie-battle.ts';

const token = (line: number, n: number | 'special' | 'bluff', unit: string): NormandieOrder => ({
  verb: 'TOKEN',
  line,
  token: n,
  unit,
});
const hold = (line: number, unit: string): NormandieOrder => ({
  verb: 'ON',
  line,
  on: { unit },
  clauses: [{ parts: [{ action: { do: 'hold' }, riders: [] }] }],
});
const does = (line: number, n: number, action: Parameters<ReturnType<typeof battle>['act']>[0]): NormandieOrder => ({
  verb: 'ON',
  line,
  on: { n },
  clauses: [{ parts: [{ action, riders: [] }] }],
});
const chief = (stars = 2) => ({
  chief: { role: 'officer' as const, character: true, faces: { full: face(`6 4 2/1/X flip order:${stars}`) } },
});

describe('3 the turn', () => {
  const ordinary = () =>
    battle({
      counters: chief(),
      units: {
        US1: { type: 'chief', at: 'B2' },
        US2: { type: 'rifle', at: 'B4' },
        US3: { type: 'rifle', at: 'B6' },
        GE1: { type: 'chief', at: 'O15' },
        GE2: { type: 'rifle', at: 'O13' },
      },
    });

  test('3-a 3.1-a 3.2-a 3.2-h 8.1-e 8.3-a 8.3-j: Order, Activation, Supply; only units with a token act', () => {
    const b = ordinary();
    b.phase('orders', {
      us: [
        token(1, 1, 'US1'),
        token(2, 2, 'US2'),
        does(3, 1, move('US1', 'B3')),
        does(4, 2, move('US2', 'C4')),
        hold(5, 'US3'),
      ],
      ge: [hold(1, 'GE1'), hold(2, 'GE2')],
    });
    expect(b.state.phase.step).toBe('supply');
    expect([b.unit('US1').at, b.unit('US2').at, b.unit('US3').at]).toEqual(['B3', 'C4', 'B6']);
    expect([hasActed(b.unit('US1')), hasActed(b.unit('US3'))]).toEqual([true, false]);
    b.phase('supply', { us: [{ verb: 'SUPPLY', line: 1, move: move('US3', 'C6') }] });
    expect(b.unit('US3').at).toBe('C6');
    expect(b.state.phase).toMatchObject({ step: 'orders', turn: 3 });
  });

  test('3.1-o 3.1-y 3.1-z 8.1-c: both place at once; backs look alike, only the owner reads them', () => {
    const b = ordinary();
    b.state.table.mode = 'placed';
    b.phase('tokens', {
      us: [token(1, 1, 'US1'), token(2, 2, 'US2'), token(3, 'bluff', 'US3')],
      ge: [token(1, 1, 'GE1'), token(2, 2, 'GE2')],
    });
    expect(b.state.table.units.map((unit) => unit.token)).toEqual(['back', 'back', 'back', 'back', 'back']);
    const theirs = knownFrom(viewFor(b.state, 'ge'));
    expect(theirs.hands.us).toBeUndefined();
    expect(JSON.stringify(viewFor(b.state, 'ge'))).not.toContain('"US3":"bluff"');
    expect(b.state.hands.us!.tokens).toEqual({ US1: 1, US2: 2, US3: 'bluff' });
    expect(b.state.phase.step).toBe('orders');
  });

  test('3.2-i: doing nothing counts as having acted', () => {
    const b = ordinary();
    b.phase('orders', {
      us: [token(1, 1, 'US2'), token(2, 2, 'US1'), hold(3, 'US2'), hold(4, 'US1')],
      ge: [hold(1, 'GE1'), hold(2, 'GE2')],
    });
    expect(b.told('passed').map((event) => event.unit)).toContain('US2');
    b.phase('supply', { us: [{ verb: 'SUPPLY', line: 1, move: move('US2', 'C4') }] });
    expect(b.unit('US2').at).toBe('B4');
  });

  test('3.3-j 3.3-k 4.2-b: tokens go, cards are discarded face down and the hand is filled', () => {
    const b = ordinary();
    b.state.hands.us!.cards = ['go', 'aim', 'dig'];
    b.state.cup.decks.us = ['medic', 'smoke', 'burst', 'nerves'];
    b.state.table.cards.us.size = 3;
    b.phase('orders', { us: [hold(1, 'US1'), hold(2, 'US2'), hold(3, 'US3')], ge: [hold(1, 'GE1'), hold(2, 'GE2')] });
    b.phase('supply', { us: [{ verb: 'DISCARD', line: 1, cards: ['aim', 'go'] }] });
    expect(b.state.table.units.every((unit) => unit.token === null)).toBe(true);
    expect(b.state.hands.us!.cards).toEqual(['dig', 'medic', 'smoke']);
    expect(b.state.hands.us!.discards).toEqual(['aim', 'go']);
    const told = b.told('drew').find((event) => event.side === 'us')!;
    expect(told).toMatchObject({ n: 2, discarded: 2 });
    expect(b.told('drew-cards').find((event) => event.side === 'us')!.audience).toEqual(['us']);
  });

  test('4.2-a: the hand is drawn from the own deck; an empty deck is made anew', () => {
    const b = ordinary();
    b.state.hands.us!.cards = [];
    b.state.hands.us!.discards = ['go'];
    b.state.table.cards.us.played = ['aim'];
    b.state.cup.decks.us = [];
    b.state.table.cards.us.size = 2;
    b.phase('supply', {});
    expect([...b.state.hands.us!.cards].sort()).toEqual(['aim', 'go']);
    expect(b.state.table.cards.us.played).toEqual([]);
  });

  test('7.4-improvisation 7.4-b: one card more, then one goes', () => {
    const b = ordinary();
    b.state.table.tiles[0]!.slots = { A: 'improvisation' };
    b.state.hands.us!.cards = ['go'];
    b.state.cup.decks.us = ['medic', 'smoke'];
    b.state.table.cards.us.size = 2;
    b.phase('supply', {}, [], (request) => (request.id.startsWith('improvisation') ? 'go' : undefined));
    expect(b.state.hands.us!.cards).toEqual(['medic', 'smoke']);
  });

  test('3.1-b 3.1-za 3.3-d 3.3-i 8.1-a 4.2-c: cards of a phase edge, the initiative player first', () => {
    const b = ordinary();
    b.state.hands.us!.cards = ['highcmd', 'smoke'];
    b.state.hands.ge!.cards = ['highcmd', 'fury'];
    b.state.table.initiative = 'ge';
    const command: NormandieOrder = { verb: 'PLAY', line: 8, card: 'highcmd', at: 'order-start' };
    b.phase('orders', {
      us: [
        command,
        { verb: 'PLAY', line: 9, card: 'smoke', on: '@E4', at: 'order-end' },
        hold(1, 'US1'),
        hold(2, 'US2'),
        hold(3, 'US3'),
      ],
      ge: [command, { verb: 'PLAY', line: 9, card: 'fury', at: 'order-end' }, hold(1, 'GE1'), hold(2, 'GE2')],
    });
    expect(b.told('card').map((event) => `${event.side} ${event.card}`)).toEqual([
      'ge highcmd',
      'us highcmd',
      'ge fury',
      'us smoke',
    ]);
    expect(b.told('tokens').map((event) => event.special)).toEqual([1, 1]);
    expect(b.state.table.smoke).toEqual(['E4', 'F4', 'E5', 'F5']);
    b.phase('supply', {});
    expect([b.state.table.smoke, b.state.table.fury]).toEqual([[], []]);
  });

  test('8.3-b 4.1-e: an Activated Marker shows who acted without a token', () => {
    const b = ordinary();
    b.run(function* (play) {
      yield* [];
      markActivated(play, b.unit('US3'));
    });
    expect(b.unit('US3').activated).toBe(true);
    expect(hasActed(b.unit('US3'))).toBe(true);
  });

  test('8.3-h: a destroyed unit is out of the game, a vehicle stays as a wreck', () => {
    const b = battle({ units: { US1: { type: 'rifle', at: 'B2' }, US2: { type: 'jeep', at: 'B4' } } });
    for (const code of ['US1', 'US2']) b.run((play) => destroy(play, b.unit(code), null, 'fire'));
    expect(b.state.table.units).toEqual([]);
    expect(b.state.table.roster.map((member) => member.fate)).toEqual(['lost', 'lost']);
    expect(b.state.table.wrecks).toHaveLength(1);
  });
});

describe('3.2.1 movement', () => {
  test('3.2.1-b 3.2.1-inf-d 3.2.1-inf-e 8.2-move-b T-06: a 0 move, facing at its end; it opens a window', () => {
    const b = battle({
      units: {
        US1: { type: 'mg', at: 'E5', face: 'active', facing: 0 },
        GE1: { type: 'mg', at: 'E12', face: 'active', facing: 0 },
      },
    });
    b.act(move('US1', '', { face: 3 }), [1], (request) =>
      request.kind === 'opfire' ? 'FIRE GE1 AT US1 SUPPRESS' : undefined,
    );
    expect(b.unit('US1')).toMatchObject({ at: 'E5', facing: 3 });
    expect(b.told('fired')).toMatchObject([{ unit: 'GE1', opportunity: true }]);
  });

  test('3.2.1-x-b 4.2-n: no bonus moves an X unit; a movement card adds squares to another', () => {
    const bonus = { rider: 'card', card: 'go', as: 'bonus' } as const;
    const b = battle({
      units: { US1: { type: 'rifle', at: 'B5' }, US2: { type: 'mg', at: 'B8', face: 'active' } },
      cards: { us: ['go', 'go'] },
    });
    b.act(move('US1', 'C5 D5 E5 F5 G5 H5 I5'), [], undefined, [bonus]);
    expect(b.unit('US1').at).toBe('H5');
    expect(refused(b, move('US2', 'C8'), [bonus])).toBe('CANNOT MOVE');
  });

  test('3.2.1-veh-a 3.2.1-veh-b: a one-square vehicle moves as infantry does and may end diagonally', () => {
    const b = battle({ units: { US1: { type: 'jeep', at: 'B5' } } });
    b.act(move('US1', 'C6 D6', { face: 1 }));
    expect(b.unit('US1')).toMatchObject({ at: 'D6', facing: 1 });
  });

  test('3.2.1-over-d: no square left: off the board, occupied, Impassable or inside a zone', () => {
    const b = battle({
      board: on({ B1: 'X' }),
      units: {
        US1: { type: 'jeep', at: 'A3' },
        US2: { type: 'rifle', at: 'C2' },
        GE1: { type: 'rifle', at: 'A1' },
        GE2: { type: 'team', at: 'A2' },
        GE3: { type: 'team', at: 'B2' },
      },
    });
    b.act(move('US1', 'A2 A1'));
    expect(b.gone('GE1')).toBe(true);
    expect(b.gone('GE2')).toBe(false);
  });

  test('3.2.1-crush-c: an Impassable wreck lets nobody in', () => {
    const b = battle({
      units: { US1: { type: 'rifle', at: 'B5' }, US2: { type: 'dozer', at: 'B6' } },
      wrecks: [{ id: 'W1', kind: 'wreck-2-heavy', squares: ['C5'], facing: 0, points: 0 }],
    });
    expect(refused(b, move('US1', 'C5'))).toBe('IMPASSABLE');
    expect(refused(b, move('US2', 'C5'))).toBeUndefined();
  });

  test('3.2.1-spec-a 6.3-win-inf-c: an assault is a move into an enemy square; a retreat is none and draws no fire', () => {
    const b = battle({
      units: {
        US1: { type: 'rifle', at: 'C4' },
        US2: { type: 'mg', at: 'C9', face: 'active', facing: 0 },
        GE1: { type: 'rifle', at: 'C3' },
      },
    });
    b.act(assault('US1', 'GE1'), [6, 6, 1, 1]);
    expect(b.told('moved').map((event) => event.how)).toEqual(['retreat', 'advance']);
    expect(b.asked.filter((request) => request.kind === 'opfire')).toEqual([]);
  });

  test('8.2-move-a 6.2-fotm-a O-03: before leaving only fire on the move opens a window', () => {
    const sketch = () =>
      battle({
        units: {
          US1: { type: 'jeep', at: 'E5' },
          GE1: { type: 'mg', at: 'E12', face: 'active', facing: 0 },
          GE2: { type: 'rifle', at: 'B5' },
        },
      });
    const quiet = sketch();
    quiet.act(move('US1', 'F5'), [], (request) => (request.kind === 'opfire' ? 'NO' : undefined));
    expect(quiet.asked.filter((request) => request.kind === 'opfire').map((request) => request.id)).toEqual([
      'opfire GE1 at US1 step 1',
    ]);
    const firing = sketch();
    firing.act(move('US1', 'F5'), [1], (request) => (request.kind === 'opfire' ? 'NO' : undefined), [
      { rider: 'fom', at: 'E5', fire: shoot('US1', 'GE2') },
    ]);
    expect(firing.asked.filter((request) => request.kind === 'opfire').map((request) => request.id)).toEqual([
      'opfire GE1 at US1 fired 1',
      'opfire GE1 at US1 step 2',
    ]);
  });

  test('7.2-culin-a 7.2-culin-b 7.2-culin-c: through a hedgerow, through wire, until no marker is left', () => {
    const b = battle({
      board: on({ E4: 'h', E9: 'h' }),
      wire: ['H4', 'H3'],
      units: {
        US1: { type: 'pz', at: 'E5', rear: 'E6', facing: 0 },
        US2: { type: 'pz', at: 'H5', rear: 'H6', facing: 0 },
        US3: { type: 'rifle', at: 'I4' },
      },
      gear: [{ side: 'us', option: 'culin', left: 2 }],
    });
    const cut = { rider: 'use', option: 'culin', n: 1 } as const;
    expect(refused(b, move('US3', 'H4 G4'))).toBe('MUST STOP');
    expect(refused(b, move('US1', 'FWD'))).toBe('IMPASSABLE');
    b.act(move('US1', 'FWD FWD'), [], undefined, [cut]);
    expect(b.unit('US1').at).toBe('E4');
    expect(b.state.table.passages).toEqual(['E4']);
    expect(refused(b, move('US1', 'FWD FWD'))).toBeDefined();
    b.act(move('US2', 'FWD FWD FWD'), [], undefined, [cut]);
    expect(b.state.table.wire).toEqual([]);
    expect(b.state.table.gear[0]!.left).toBe(0);
    expect(
      refused(
        battle({
          board: on({ E4: 'h' }),
          units: { US1: { type: 'pz', at: 'E5', rear: 'E6' } },
          gear: [{ side: 'us', option: 'culin', left: 0 }],
        }),
        move('US1', 'FWD'),
        [cut],
      ),
    ).toBe('IMPASSABLE');
  });
});

describe('4.2 cards', () => {
  test('4.2-burst: every weapon once on the move without penalty', () => {
    const b = battle({
      units: { US1: { type: 'pz', at: 'E8', rear: 'E9', facing: 0 }, GE1: { type: 'rifle', at: 'J6' } },
      cards: { us: ['burst'] },
    });
    b.act(move('US1', 'FWD FWD'), [1, 1], undefined, [
      { rider: 'card', card: 'burst', as: 'event' },
      { rider: 'fom', at: 'E7', fire: shoot('US1', 'GE1', { weapon: 'PRIMARY' }) },
      { rider: 'fom', at: 'E6', fire: shoot('US1', 'GE1', { weapon: 'SECONDARY' }) },
      { rider: 'fom', at: 'E6', fire: shoot('US1', 'GE1', { weapon: 'SECONDARY' }) },
    ]);
    expect(b.told('shot').map((shot) => [shot.weapon, shot.sum.total])).toEqual([
      ['primary', 4],
      ['secondary', 5],
    ]);
  });

  test('4.2-desertion: only on a unit that already has a marker; not on characters', () => {
    const b = battle({
      units: {
        US1: { type: 'rifle', at: 'B2' },
        GE1: { type: 'rifle', at: 'D5' },
        GE2: { type: 'blean', at: 'D8', suppressed: 1 },
      },
      cards: { us: ['desertion'] },
    });
    const yes = (request: DecisionRequest) => (valuesOf(request).includes('desertion') ? 'desertion' : undefined);
    b.run((play) => suppress(play, b.unit('GE1'), 1, 'test'), [], yes);
    b.run((play) => suppress(play, b.unit('GE2'), 1, 'test'), [], yes);
    expect([b.gone('GE1'), b.unit('GE2').suppressed]).toEqual([false, 2]);
    b.run((play) => suppress(play, b.unit('GE1'), 1, 'test'), [], yes);
    expect(b.gone('GE1')).toBe(true);
  });

  test('Iron Nerves cancel one Suppressed Marker as it is given', () => {
    const b = battle({ units: { GE1: { type: 'rifle', at: 'D5' } }, cards: { ge: ['eisern'] } });
    b.run(
      (play) => suppress(play, b.unit('GE1'), 2, 'test'),
      [],
      (request) => (valuesOf(request).includes('eisern') ? 'eisern' : undefined),
    );
    expect(b.unit('GE1').suppressed).toBe(1);
  });

  test('4.2-dynamic: the hidden number goes to another unit, never one that has acted', () => {
    const b = battle({
      units: {
        GE1: { type: 'team', at: 'D5', token: 2 },
        GE2: { type: 'rifle', at: 'D7' },
        GE3: { type: 'rifle', at: 'D9', activated: true },
        GE4: { type: 'rifle', at: 'D11', token: 'bluff' },
      },
      cards: { ge: ['dynamic'] },
    });
    b.run(
      (play) => destroy(play, b.unit('GE1'), null, 'fire'),
      [],
      (request) => (request.kind === 'dynamic' ? 'GE2' : undefined),
    );
    expect(valuesOf(b.asked.find((request) => request.kind === 'dynamic')!)).toEqual(['PASS', 'GE2']);
    expect(b.unit('GE2').token).toBe('back');
    expect(b.state.hands.ge!.tokens.GE2).toBe(2);
    expect(JSON.stringify(b.told('token-moved'))).not.toContain('2}');
  });

  test('4.2-return: a grenade of any kind comes back', () => {
    const b = battle({
      units: { US1: { type: 'rifle', at: 'E5' }, GE1: { type: 'rifle', at: 'G5' } },
      gear: [{ side: 'us', option: 'grenades', left: 1 }],
      cards: { ge: ['return'] },
    });
    b.act(shoot('US1', '@F5', { weapon: 'grenades' }), [6], (request) =>
      valuesOf(request).includes('return @E5') ? 'return @E5' : undefined,
    );
    expect(b.told('shot').map((shot) => shot.target)).toEqual(['US1']);
  });

  test('4.2-second: all dice are rolled again and stand', () => {
    const b = battle({
      counters: { dual: { faces: { full: face('4 4 2/0/X flip dual-weapon') } } },
      units: { US1: { type: 'dual', at: 'B5' }, GE1: { type: 'rifle', at: 'D5' } },
      cards: { us: ['second'] },
    });
    b.act(shoot('US1', 'GE1'), [1, 1, 5, 2], (request) => (request.kind === 'reroll' ? 'SECOND' : undefined));
    expect(b.told('rerolled')[0]).toMatchObject({ was: [1, 1], dice: [5, 2], source: 'second' });
    expect(lastShot(b)).toMatchObject({ total: 7, result: 'hit' });
  });

  test('4.2-f: several cards on one action, events and bonuses', () => {
    const b = battle({
      board: on({ E5: 'w', F5: 'w' }),
      units: { US1: { type: 'rifle', at: 'B5' }, GE1: { type: 'rifle', at: 'K5' } },
      cards: { us: ['aim', 'nerves'], ge: ['dig'] },
    });
    b.act(shoot('US1', 'GE1'), [5], (request) => valuesOf(request).find((option) => option.startsWith('dig')), [
      { rider: 'card', card: 'aim', as: 'event' },
      { rider: 'card', card: 'nerves', as: 'bonus' },
    ]);
    expect(lastShot(b)).toEqual({ total: 5 + 2 + 1 - 1, need: 6, result: 'hit' });
  });

  test('4.2-mine: under an enemy that enters an open square, in Supply too', () => {
    const mined = (step: 'act' | 'supply') => {
      const b = battle({
        units: { US1: { type: 'pz', at: 'E8', rear: 'E9', facing: 0 }, GE1: { type: 'rifle', at: 'P16' } },
        cards: { ge: ['mine'] },
      });
      const yes = (request: DecisionRequest) => (valuesOf(request).includes('mine') ? 'mine' : undefined);
      if (step === 'act') b.act(move('US1', 'FWD FWD'), [2, 5], yes);
      else b.phase('supply', { us: [{ verb: 'SUPPLY', line: 1, move: move('US1', 'FWD FWD') }] }, [2, 5], yes);
      return b;
    };
    for (const step of ['act', 'supply'] as const) {
      const b = mined(step);
      expect(lastShot(b)).toEqual({ total: 6, need: 6, result: 'hit' });
      expect(b.unit('US1')).toMatchObject({ at: 'E6', damage: ['5'] });
    }
  });

  test('4.2-fury: Assault +2 as an ability for all infantry of the side this turn', () => {
    const b = battle({
      units: { US1: { type: 'rifle', at: 'C2' }, GE1: { type: 'team', at: 'C3' } },
      change: (_data, state) => {
        state.table.fury = ['ge'];
      },
    });
    b.act(assault('GE1', 'US1'), [4, 1, 1, 1]);
    expect(b.told('assault')[0]).toMatchObject({ attack: { total: 7 }, defense: { total: 3 }, result: 'won' });
  });

  test('4.2-hitlerjugend-a 4.2-hitlerjugend-b: back from the dead; its tile and its star are whole again', () => {
    const b = battle({
      tiles: [
        { side: 'us' },
        {
          side: 'ge',
          breakingPoint: 1,
          victoryPoints: 3,
          slots: [{ id: 'L', stripes: [], kinds: ['gear'], unlock: { what: 'order', n: 1 } }],
        },
      ],
      units: { US1: { type: 'rifle', at: 'A1' }, GE1: { type: 'rifle', at: 'B2' }, GE2: { type: 'rifle', at: 'O15' } },
      cards: { ge: ['hj'] },
      change: (_data, state) => {
        state.table.tiles[1]!.slots = { L: 'ammo' };
        state.table.zones.ge = { rows: [1, 6], columns: [1, 14] };
      },
    });
    expect(tokensOf(b.book, b.known, 'ge', 0).numbered).toBe(1);
    b.run((play) => destroy(play, b.unit('GE1'), null, 'fire'));
    expect(b.state.table.tiles[1]!.broken).toBe(true);
    expect(tokensOf(b.book, b.known, 'ge', 0).numbered).toBe(0);
    b.phase('supply', { ge: [{ verb: 'PLAY', line: 1, card: 'hj', on: 'GE1', path: ['E3'], at: 'supply-start' }] });
    expect(b.unit('GE1')).toMatchObject({ at: 'E3', face: 'reduced' });
    expect(b.state.table.tiles[1]!.broken).toBe(false);
    expect(tokensOf(b.book, b.known, 'ge', 0).numbered).toBe(1);
    expect(b.told('broken').map((event) => event.restored)).toEqual([false, true]);
    b.run(function* (play) {
      yield* [];
      checkBreaking(play, 1);
    });
    expect(b.told('broken')).toHaveLength(2);
  });

  test('Artillery call, Medic and Nerves', () => {
    const b = battle({
      counters: chief(),
      units: {
        US1: { type: 'chief', at: 'B2', suppressed: 3 },
        US2: { type: 'rifle', at: 'B5', face: 'reduced' },
        GE1: { type: 'rifle', at: 'J2' },
        GE2: { type: 'mg', at: 'E12', face: 'active', facing: 0 },
        GE3: { type: 'chief', at: 'P16' },
      },
      cards: { us: ['medic', 'medic', 'shells', 'nerves'] },
    });
    b.phase(
      'orders',
      {
        us: [
          { verb: 'PLAY', line: 1, card: 'shells', on: '@J2', at: 'order-end' },
          token(2, 1, 'US2'),
          does(3, 1, move('US2', 'C5 D5')),
          hold(4, 'US1'),
        ],
        ge: [hold(5, 'GE1'), hold(6, 'GE3'), token(7, 1, 'GE1'), token(8, 2, 'GE3')],
      },
      [5, 4],
      (request) => ['FIRE GE2 AT US2', 'nerves'].find((option) => valuesOf(request).includes(option)),
    );
    expect(b.told('shot').map((shot) => [shot.target, shot.sum.total])).toEqual([['GE1', 8]]);
    expect(b.told('cancelled')).toMatchObject([{ what: 'opportunity fire', unit: 'GE2' }]);
    expect(b.unit('GE2').activated).toBe(true);
    const medic = (line: number, unit: string): NormandieOrder => ({
      verb: 'PLAY',
      line,
      card: 'medic',
      on: unit,
      at: 'supply-start',
    });
    b.phase('supply', { us: [medic(1, 'US1'), medic(2, 'US2')] });
    expect([b.unit('US1').suppressed, b.unit('US2').face]).toEqual([0, 'full']);
  });
});
