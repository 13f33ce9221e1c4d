/** Bonuses wherever they serve, and nothing spent in vain: HON-F08, HON-F09, HON-F18, the riders of a line, doctrine for bonuses. */

import { describe, expect, test } from 'vitest';
import { adjudicate } from '../../../../src/kernel/judge.ts';
import { valuesOf } from '../../../../src/kernel/questions.ts';
import type { DecisionRequest, Filed, GameTypes, Rules } from '../../../../src/kernel/types.ts';
import { viewFor } from '../../../../src/kernel/view.ts';
import { carryOut } from '../../../../src/systems/normandie/actions/script.ts';
import type { RollPurpose } from '../../../../src/systems/normandie/data.ts';
import { rollDice } from '../../../../src/systems/normandie/fight/rolls.ts';
import type { NormandieOrder } from '../../../../src/systems/normandie/language.ts';
import { check } from '../../../../src/systems/normandie/player/check.ts';
import { openRules } from '../../../../src/systems/normandie/system.ts';
import { normandieScenario } from '../../../helpers/normandie.ts';
import {
  assault,
  type Battle,
  battle,
  face,
  HOUSE,
  move,
  on,
  shoot,
  WITH_HOUSE,
} from '../../../helpers/normandie-battle.ts';
import { diceOf, file } from '../../../helpers/play.ts';

/** Plays the card named as often as a bonus of it is offered for rolls of these kinds. */
const plays =
  (card: string, rolls: readonly string[]) =>
  (request: DecisionRequest): string | undefined =>
    request.kind === 'bonus' && rolls.includes(String(request.words?.params?.roll ?? 'action'))
      ? valuesOf(request).find((value) => value === `${card} BONUS`)
      : undefined;

const PURPOSES: RollPurpose[] = ['fire', 'suppress', 'sniper', 'assault', 'damage', 'scatter', 'destruction', 'mine'];

describe('HON-F08 a card for any die roll serves every roll of its owner (4.2-o)', () => {
  test('a location that Piercing brings to 5 and one more: the tank is destroyed; without the card its gun is', () => {
    const hit = (card: boolean) => {
      const b = battle({
        units: {
          US1: { type: 'stug', at: 'E8', rear: 'E9', facing: 0 },
          GE1: { type: 'pz', at: 'E3', rear: 'E2', facing: 4 },
        },
        cards: { us: card ? ['second'] : [] },
      });
      b.act(shoot('US1', 'GE1'), [6, 4], plays('second', ['damage']));
      return b;
    };
    expect(hit(true).told('damaged')).toMatchObject([{ dice: [4], part: '6' }]);
    expect(hit(true).gone('GE1')).toBe(true);
    expect(hit(true).state.hands.us!.cards).toEqual([]);
    expect(hit(false).told('damaged')).toMatchObject([{ dice: [4], part: '5' }]);
  });

  test.each(PURPOSES)(
    'before a %s roll and before it is made again; a type other than that of the action is not offered',
    (purpose) => {
      for (const given of [null, 'any', 'fire'] as const) {
        const b = battle({
          units: { US1: { type: 'rifle', at: 'B5' }, GE1: { type: 'rifle', at: 'D5' } },
          cards: { us: ['second', 'medic', 'initiative', 'aim'] },
        });
        const rolled = b.run(
          (play) => {
            if (given) play.boosted.set('US1', given);
            return rollDice(play, {
              side: 'us',
              unit: 'US1',
              target: 'GE1',
              purpose,
              context: 'a roll',
              count: 1,
              judge: (dice, more) => ({ total: dice[0]! + more.length, need: 4, result: { effect: 'none' } }),
              chance: 50,
            });
          },
          [2, 3],
          (request, { asked }) => {
            if (request.kind === 'reroll') return valuesOf(request).includes('SECOND') ? 'SECOND' : 'PASS';
            const times = asked.filter((each) => each.kind === 'bonus').length;
            return times % 2 === 1
              ? valuesOf(request).find((value) => value !== 'PASS' && value !== 'second BONUS')
              : 'PASS';
          },
        );
        const offered = b.asked.filter((each) => each.kind === 'bonus').flatMap(valuesOf);
        expect(offered.includes('aim BONUS')).toBe(false);
        expect(rolled.more.map((term) => term.of)).toEqual(given === 'fire' ? [] : ['initiative', 'medic']);
        expect(rolled.dice).toEqual([3]);
      }
    },
  );

  test('scatter 4 and one more is on target, destruction counts each die with it', () => {
    const gun = { how: { faces: { full: face('3 4 3/2/1 flip howitzer destruction:3 indirect-fire:2', '4/3/1') } } };
    const b = battle({
      board: WITH_HOUSE,
      buildings: [HOUSE],
      counters: gun,
      units: { US1: { type: 'how', at: 'J2' }, GE1: { type: 'rifle', at: 'J10' } },
      cards: { us: ['second', 'medic'] },
    });
    b.act(shoot('US1', '@J9', { weapon: 'INDIRECT' }), [4, 3, 3, 1], (request) =>
      request.words?.params?.roll === 'scatter'
        ? plays('second', ['scatter'])(request)
        : plays('medic', ['destruction'])(request),
    );
    expect(b.told('scatter')).toMatchObject([{ die: 5, landed: '@J9' }]);
    expect(b.told('destruction')).toMatchObject([{ dice: [3, 3, 1], points: 2 }]);
  });

  test('played on fire over several targets it serves one roll: the first', () => {
    const b = battle({
      units: {
        US1: { type: 'mg', at: 'H8', face: 'active', facing: 0 },
        GE1: { type: 'blean', at: 'G3' },
        GE2: { type: 'blean', at: 'H3' },
      },
      cards: { us: ['second'] },
    });
    b.act(shoot('US1', ['GE1', 'GE2'], { split: [2, 2] }), [1, 1], undefined, [
      { rider: 'card', card: 'second', as: 'bonus' },
    ]);
    expect(b.told('shot').map((each) => each.sum.total)).toEqual([4, 3]);
    const thrown = battle({
      units: { US1: { type: 'rifle', at: 'E5' }, GE1: { type: 'team', at: 'F6' }, GE2: { type: 'team', at: 'G6' } },
      gear: [{ side: 'us', option: 'grenades', left: 3 }],
      cards: { us: ['second'] },
    });
    thrown.act(shoot('US1', '@F5', { weapon: 'grenades' }), [1, 1], undefined, [
      { rider: 'card', card: 'second', as: 'bonus' },
    ]);
    const [first, then] = thrown.told('shot').map((each) => each.sum.total);
    expect(first! - then!).toBe(1);
  });
});

describe('HON-F09 a movement bonus in the Supply Phase (4.2-n, 3.3-f)', () => {
  const table = () =>
    battle({
      units: { US1: { type: 'rifle', at: 'B9' }, GE1: { type: 'rifle', at: 'O15' } },
      cards: { us: ['go', 'go'] },
    });
  const rules = openRules({ ...normandieScenario('church'), data: table().book.data }) as unknown as Rules;
  const say = (b: Battle, text: string) => {
    b.state.phase = { ...b.state.phase, step: 'supply' };
    const view = viewFor(b.state, 'us');
    const read = rules.parse([{ n: 1, text }], view as never);
    return {
      read,
      codes: [...read.diagnostics, ...rules.check(view as never, read.orders, [])].map(
        (each) => `${each.severity} ${each.code}`,
      ),
    };
  };

  test.each([
    ['SUPPLY MOVE US1 -> B8 B7 B6 B5 B4 CARD go AS BONUS', 5],
    ['SUPPLY MOVE US1 -> B8 B7 B6 B5 B4 B3 ; CARD go AS BONUS', 6],
    ['SUPPLY MOVE US1 -> B8 B7 B6 B5 B4 B3 B2 B1 ; CARD go AS BONUS ; CARD go AS BONUS', 8],
  ])('%s is legal and goes %i squares', (text, squares) => {
    const b = table();
    const { read, codes } = say(b, text);
    expect(codes).toEqual([]);
    expect(rules.print(read.orders[0]!)).toContain('; CARD go AS BONUS');
    b.phase('supply', { us: read.orders as NormandieOrder[] });
    expect(b.unit('US1').at).toBe(`B${9 - squares}`);
    expect(b.told('card')).toHaveLength(squares > 6 ? 2 : 1);
  });

  test.each([
    ['SUPPLY MOVE US1 -> B8 B7 B6 B5 B4', ['error TOO FAR']],
    ['SUPPLY MOVE US1 -> B8 B7 B6 B5 B4 B3 B2 ; CARD go AS BONUS', ['error TOO FAR']],
    ['SUPPLY MOVE US1 -> B8 ; CARD go AS BONUS', ['warning W06']],
    ['SUPPLY MOVE US1 -> B8 ; CARD aim AS BONUS', ['error CARD NOT IN HAND']],
    ['SUPPLY MOVE US1 -> B8 B7 ; USE ammo', ['error E02']],
  ])('%s: %s', (text, expected) => {
    expect(say(table(), text).codes).toEqual(expected);
  });

  test('without an order for it the owner is asked, when the way needs it', () => {
    const order = (path: string): NormandieOrder => ({ verb: 'SUPPLY', line: 1, move: move('US1', path) });
    const b = table();
    b.phase('supply', { us: [order('B8 B7 B6 B5 B4')] }, [], (request) =>
      valuesOf(request).find((value) => value === 'go BONUS'),
    );
    expect(b.unit('US1').at).toBe('B4');
    const near = table();
    near.phase('supply', { us: [order('B8')] });
    expect(near.asked.filter((each) => each.kind === 'bonus')).toEqual([]);
  });
});

describe('HON-F18 what can do nothing is refused by the check, and kept when it comes to it (4.2, 7.2)', () => {
  const table = () =>
    battle({
      board: on({}),
      units: {
        US1: { type: 'rifle', at: 'E8', main: true },
        US2: { type: 'pz', at: 'K8', rear: 'K9', facing: 0 },
        GE1: { type: 'rifle', at: 'E5' },
        GE2: { type: 'pz', at: 'K4', rear: 'K3', facing: 4 },
      },
      cards: { us: ['aim', 'go', 'surprise', 'burst', 'second'] },
      gear: [
        { side: 'us', option: 'ammo', left: 3 },
        { side: 'us', option: 'knife', left: 1 },
      ],
    });
  const codes = (line: string, unit = 'US1') => {
    const b = table();
    const rules = openRules({ ...normandieScenario('church'), data: b.book.data }) as unknown as Rules;
    const view = viewFor(b.state, 'us');
    const read = rules.parse(
      [`TOKEN 1 ${unit}`, `ON 1: ${line}`].map((text, i) => ({ n: i + 1, text })),
      view as never,
    );
    return [...read.diagnostics, ...check(b.book, view, read.orders as NormandieOrder[])]
      .filter((each) => each.line === 2 && each.severity === 'error')
      .map((each) => each.code);
  };

  test.each([
    ['MOVE US1 -> E7 ; CARD aim AS EVENT', 'DOES NOTHING'],
    ['MOVE US1 -> E7 ; CARD burst AS EVENT', 'DOES NOTHING'],
    ['FIRE US1 AT GE1 ; CARD surprise AS EVENT', 'DOES NOTHING'],
    ['FIRE US1 AT GE1 ; CARD go AS BONUS', 'WRONG BONUS'],
    ['MOVE US1 -> E7 ; CARD second AS BONUS', 'WRONG BONUS'],
    ['MOVE US1 -> E7 ; USE ammo', 'DOES NOTHING'],
    ['FIRE US1 AT GE1 ; USE knife', 'DOES NOTHING'],
    ['FIRE US1 AT GE1 ; USE ammo 1 ; USE ammo 1', 'DOES NOTHING'],
    ['FIRE US1 AT GE1 ; CARD aim AS EVENT ; CARD aim AS EVENT', 'DOES NOTHING'],
    ['FIRE US1 AT GE1 ; STOP IF ALIVE GE1', 'DOES NOTHING'],
    ['FIRE US2 AT GE2 ; FOM K8 FIRE US2 WITH SECONDARY AT GE1', 'DOES NOTHING', 'US2'],
    ['MOVE US2 -> FWD ; FOM A1 FIRE US2 WITH SECONDARY AT GE1', 'NOT ON THE WAY', 'US2'],
    ['MOVE US1 -> E7 ; FIRE US1 AT GE1', 'ONE ACTION'],
    ['HOLD ; FIRE US1 AT GE1', 'ONE ACTION'],
    ['FIRE US1 AT GE1 ; MOVE US1 -> E7', 'ONE ACTION'],
    ['ASSAULT US1 VIA E7 E6 AT GE1 ; FIRE US1 AT GE1', 'ONE ACTION'],
  ])('%s: %s', (line, expected, unit = 'US1') => {
    expect(codes(line, unit)).toEqual([expected]);
  });

  test.each([
    ['FIRE US1 AT GE1 ; CARD aim AS BONUS'],
    ['FIRE US1 AT GE1 ; CARD second AS BONUS ; USE ammo 3'],
    ['ASSAULT US1 VIA E7 E6 AT GE1 ; CARD surprise AS BONUS ; USE knife'],
    ['MOVE US1 -> E7 E6 ; STOP IF ALIVE GE1'],
  ])('%s is good', (line) => {
    expect(codes(line)).toEqual([]);
  });

  test('with Burst Into Action a heavy vehicle may fire what it could not fire on the move', () => {
    const line = 'MOVE US2 -> FWD ; FOM K7 FIRE US2 WITH PRIMARY AT GE2';
    expect(codes(line, 'US2')).toEqual(['NO FIRE ON THE MOVE']);
    expect(codes(`${line} ; CARD burst AS EVENT`, 'US2')).toEqual([]);
  });

  test('when things have changed it is kept and told: squares that nobody needs, ammo at a vehicle, aim at short range', () => {
    const kept = (b: Battle) => b.told('kept').map((each) => `${each.unit} ${each.what}`);
    const near = table();
    near.act(move('US1', 'E7'), [], undefined, [{ rider: 'card', card: 'go', as: 'bonus' }]);
    expect([kept(near), near.state.hands.us!.cards.includes('go')]).toEqual([['US1 go'], true]);
    const short = table();
    short.act(shoot('US1', 'GE1'), [1], undefined, [{ rider: 'card', card: 'aim', as: 'event' }]);
    expect([kept(short), short.state.hands.us!.cards.includes('aim')]).toEqual([['US1 aim'], true]);
    const armor = battle({
      units: { US1: { type: 'baz', at: 'E8' }, GE2: { type: 'jeep', at: 'E5' } },
      gear: [{ side: 'us', option: 'ammo', left: 3 }],
    });
    armor.act(shoot('US1', 'GE2'), [1], undefined, [{ rider: 'use', option: 'ammo', n: 2 }]);
    expect([kept(armor), armor.state.table.gear[0]!.left]).toEqual([['US1 ammo'], 3]);
  });
});

describe('doctrine for a bonus acts (DOCTRINE CARD … AS BONUS)', () => {
  test.each([
    ['DOCTRINE CARD aim AS BONUS ON FIRE', 'aim', 'bonus'],
    ['DOCTRINE CARD aim AS BONUS ON FIRE US1', 'aim', 'bonus'],
    ['DOCTRINE CARD second AS BONUS ON ANY', 'second', 'bonus'],
    ['DOCTRINE CARD second AS BONUS ON FIRE', 'second', 'bonus'],
  ])('%s', (line, card, use) => {
    const b = battle({
      units: { US1: { type: 'blean', at: 'B5' }, GE1: { type: 'blean', at: 'D5' } },
      cards: { us: ['aim', 'second'] },
    });
    const rules = openRules({ ...normandieScenario('church'), data: b.book.data }) as unknown as Rules;
    const filed: Record<string, Filed> = {
      us: file(rules, b.state as never, 'us', ['TOKEN 1 US1', 'ON 1: FIRE US1 AT GE1', line, 'END']),
      ge: file(rules, b.state as never, 'ge', ['TOKEN 1 GE1', 'ON 1: HOLD', 'END']),
    };
    const done = adjudicate(
      rules,
      { state: b.state as never, filed: filed as Record<string, Filed<GameTypes>>, answers: {}, nmr: [] },
      diceOf('bonus', b.state.phase),
    );
    if (done.status !== 'done') throw new Error('somebody was asked');
    const events = done.events as { type: string; card?: string; use?: string }[];
    expect(events.filter((event) => event.type === 'card').map(({ card: played, use: as }) => [played, as])).toEqual([
      [card, use],
    ]);
  });

  test('the any-card goes to the attack roll of an assault, and not beside a card of another type', () => {
    const b = battle({
      units: { US1: { type: 'rifle', at: 'C3' }, GE1: { type: 'team', at: 'C2' } },
      cards: { us: ['surprise', 'second'] },
    });
    b.run(
      (play) => carryOut(play, b.unit('US1'), [{ action: assault('US1', 'GE1'), riders: [] }]),
      [6, 5, 1],
      (request) => (request.kind === 'bonus' ? valuesOf(request).find((value) => value !== 'PASS') : undefined),
    );
    expect(b.told('card').map((each) => each.card)).toEqual(['second']);
  });
});
