/** Combat: attacks, odds, the two tables, results, retreats, losses, advances and breakouts. */
import { describe, expect, test } from 'vitest';
import { directionTo } from '../../../../src/board/hex.ts';
import { doctrinePayment, orderedPayment, smallestPayment } from '../../../../src/systems/overlord/combat/losses.ts';
import {
  attackShare,
  defendersWorth,
  FACTOR,
  oddsOf,
  ratioOf,
  resultOf,
} from '../../../../src/systems/overlord/combat/odds.ts';
import { indexOf } from '../../../../src/systems/overlord/content/campaign.ts';
import { place } from '../../../../src/systems/overlord/field/field.ts';
import { stepCost } from '../../../../src/systems/overlord/field/movement.ts';
import {
  board,
  campaignData,
  codes,
  eventsOf,
  fieldOf,
  normandy,
  type Played,
  play,
  position,
  read,
} from '../../../helpers/overlord.ts';

/** Road steps of the campaign map that cross a river. */
const ROADS_OVER_RIVERS: [string, string][] = Object.values(campaignData().map.lines.road)
  .flat()
  .flatMap((path) => path.split(' ').map((hex, i, all): [string, string] => [all[i - 1] ?? hex, hex]))
  .filter(([from, to]) => {
    const sides = Object.values(campaignData().map.hexsides.river).flat();
    return sides.includes(`${from}-${to}`) || sides.includes(`${to}-${from}`);
  });

const index = (id: string): number => indexOf(board.campaign, id);
const cell = (hex: string): number => board.campaign.board.grid.index.get(hex)!;

/** An Allied attack on turn 3; every die as scripted. */
function attack(units: Record<string, string>, orders: string[], ...dice: [string, number][]): Played {
  return play(board, position(board, { turn: 3, step: 'allied', units }), {
    allied: orders,
    dice: dice.map(([purpose, die]) => ({ purpose, rolls: [die] })),
  });
}

describe('who attacks', () => {
  test('OVL-CBT-01 a unit attacks an enemy it stands next to, in its own part of the turn', () => {
    const units = { 'US4/1': '0510', 'DE243/1': '0511', 'DE243/2': '0513' };
    const state = position(board, { step: 'allied', units });
    expect(codes(read(board, state, 'allied', ['ATTACK 0511 WITH US4/1']).diagnostics)).toEqual([]);
    expect(codes(read(board, state, 'allied', ['ATTACK 0513 WITH US4/1']).diagnostics)).toEqual([
      '1 NOT ADJACENT TO TARGET',
    ]);
    expect(codes(read(board, state, 'german', ['ATTACK 0510 WITH DE243/1']).diagnostics)).toEqual(['1 NOT YOUR MOVE']);
  });

  test('OVL-SEQ-01 movement comes before combat in both halves of a turn, whatever the order of the lines', () => {
    const units = { US4: '0510', 'DE243/1': '0513' };
    for (const [side, step, lines] of [
      ['allied', 'allied', ['ATTACK 0513 WITH US4', 'MOVE US4 -> 0511 0512']],
      ['german', 'german', ['ATTACK 0510 WITH DE243/1', 'MOVE DE243/1 -> 0512 0511']],
    ] as const) {
      const target = lines[0].split(' ')[1]!;
      const dice = [{ purpose: `battle ${target}`, rolls: [6] }];
      const { events } = play(board, position(board, { step, units }), { [side]: [...lines], dice });
      const order = events.map(({ type }) => type).filter((type) => type === 'moved' || type === 'battle');
      expect(order).toEqual(['moved', 'battle']);
    }
  });

  test('OVL-CBT-07 the rest of a stack need not attack', () => {
    const { events } = attack({ US4: '0510', 'DE243/1': '0511' }, ['ATTACK 0511 WITH US4/1'], ['battle 0511', 5]);
    expect(eventsOf(events, 'battle')[0]?.odds.attackers.map((share) => share.unit)).toEqual(['US4/1']);
  });

  test('OVR-05 each unit attacks once and is attacked once', () => {
    const units = { US4: '0510', 'DE243/1': '0511', 'DE91/1': '0410' };
    const state = position(board, { step: 'allied', units });
    const twice = ['ATTACK 0511 WITH US4/1 US4/2', 'ATTACK 0410 WITH US4/2 US4/3'];
    expect(codes(read(board, state, 'allied', twice).diagnostics)).toEqual(['2 ALREADY ATTACKS']);
    const same = ['ATTACK 0511 WITH US4/1', 'ATTACK 0511 WITH US4/2'];
    expect(codes(read(board, state, 'allied', same).diagnostics)).toEqual(['2 ALREADY ATTACKED']);
  });

  test('OVL-CBT-04 one die a battle, read in the column of the odds (OVL-SEQ-05)', () => {
    const { events } = attack({ US4: '0510', 'DE243/1': '0511' }, ['ATTACK 0511 WITH US4'], ['battle 0511', 2]);
    expect(eventsOf(events, 'battle')[0]).toMatchObject({ die: 2, result: 'D BK 3', odds: { ratio: '3-1' } });
  });

  test('OVL-SEQ-03 the Germans fight in their own part of the turn', () => {
    const state = position(board, { units: { 'DE243/1': '0511', 'US4/1': '0510' } });
    const { events } = play(board, state, {
      german: ['ATTACK 0510 WITH DE243/1'],
      dice: [{ purpose: 'battle 0510', rolls: [5] }],
    });
    expect(eventsOf(events, 'battle')[0]).toMatchObject({ side: 'german', result: 'A BK 1' });
  });
});

describe('terrain in combat', () => {
  const defence = (unit: string, hex: string, from: string): number => {
    const field = fieldOf(board, position(board, { units: { [unit]: hex, 'US4/1': from } }));
    const none = { tac: 0, naval: 0, navalDefence: 0 };
    return oddsOf(field, cell(hex), [index('US4/1')], [index(unit)], none).defence;
  };
  test.each([
    ['OVL-TCB-01 plain has no effect', 'DE243/1', '0511', '0510', 4],
    ['OVL-TCB-02 bocage doubles', 'DE243/1', '0404', '0403', 8],
    ['OVL-TCB-06 a city triples', 'DE243/1', '0606', '0706', 12],
    ['OVL-TCB-07 a hill doubles', 'DE243/1', '0604', '0603', 8],
    ['OVL-TCB-08 hill and bocage triple', 'DE243/1', '0605', '0705', 12],
    ['OVL-TCB-04 armor in a swamp is halved', 'DE116/1', '0804', '0803', 3],
    ['OVL-TCB-05 others in a swamp are not', 'DE116/2', '0804', '0803', 6],
  ])('%s', (_name, unit, hex, from, expected) => {
    expect(defence(unit, hex, from)).toBe(expected * FACTOR);
  });
});

describe('the tables', () => {
  test('OVL-CRT-04 twelve columns from 1-6 to 8-1, die 1 to 6, both tables total', () => {
    const { columns } = campaignData().tables.crt;
    expect(columns).toEqual(['1-6', '1-5', '1-4', '1-3', '1-2', '1-1', '2-1', '3-1', '4-1', '5-1', '6-1', '8-1']);
    for (const table of ['June', 'July-August'] as const)
      for (const column of columns) expect(board.campaign.crt[table].get(column)).toHaveLength(6);
  });

  const printed = (turn: number, die: number, columns: string[]): string[] =>
    columns.map((column) => {
      const { result, house } = resultOf(board.campaign, turn, column, die);
      expect(house).toBe(false);
      return result;
    });
  const all = campaignData().tables.crt.columns;

  test('OVL-CRT-05 June, die 1', () => {
    expect(printed(1, 1, all).join(', ')).toBe(
      'A ELIM, A BK 1, A BK 1, D BK 1, D BK 2, D BK 2, D BK 3, D ELIM, D ELIM, D ELIM, D ELIM, D ELIM',
    );
  });
  test('OVL-CRT-07 July-August, die 1', () => {
    expect(printed(9, 1, all).join(', ')).toBe(
      'A ELIM, A BK 1, A BK 1, A BK 1, D BK 1, D BK 2, D ELIM, D ELIM, D ELIM, D ELIM, D ELIM, D ELIM',
    );
  });
  test('OVL-CRT-06 OVL-CRT-08 die 2 up to 1-3 is printed, the rest of both tables is house', () => {
    for (const turn of [1, 9]) {
      expect(printed(turn, 2, all.slice(0, 4))).toEqual(['A ELIM', 'A ELIM', 'A BK 1', 'A BK 1']);
      for (const column of all)
        for (let die = 2; die <= 6; die++)
          if (die > 2 || !all.slice(0, 4).includes(column))
            expect(resultOf(board.campaign, turn, column, die).house).toBe(true);
    }
  });

  test('OVL-CRT-09 the completion keeps the intent: never worse with better odds, harder on both at low odds in July', () => {
    const order = ['A ELIM', 'A BK 1', 'EXCH', 'D BK 1', 'D BK 2', 'D BK 3', 'D ELIM'];
    const rank = (turn: number, column: string, die: number): number =>
      order.indexOf(resultOf(board.campaign, turn, column, die).result);
    for (const turn of [1, 9]) {
      for (let die = 1; die <= 6; die++)
        for (let i = 1; i < all.length; i++)
          expect(rank(turn, all[i]!, die)).toBeGreaterThanOrEqual(rank(turn, all[i - 1]!, die));
      for (const column of all)
        for (let die = 2; die <= 6; die++)
          expect(rank(turn, column, die)).toBeLessThanOrEqual(rank(turn, column, die - 1));
    }
    const removing = (turn: number, column: string): number =>
      [1, 2, 3, 4, 5, 6].filter((die) => /ELIM|EXCH/.test(resultOf(board.campaign, turn, column, die).result)).length;
    expect([removing(1, '1-1'), removing(9, '1-1')]).toEqual([2, 4]);
    const killing = (turn: number): number =>
      [1, 2, 3, 4, 5, 6].filter((die) => resultOf(board.campaign, turn, '5-1', die).result === 'D ELIM').length;
    expect([killing(1), killing(9)]).toEqual([3, 4]);
  });

  test('OVR-02 OVR-03 OVR-04 rounding, columns between the printed ones, and worse than 1-6', () => {
    const column = (a: number, d: number): string | null => ratioOf(board.campaign, a, d).column;
    expect([column(17, 6), column(4, 9), column(7, 1), column(9, 1), column(10, 1), column(1, 7)]).toEqual([
      '2-1',
      '1-3',
      '6-1',
      '8-1',
      '8-1',
      '1-6',
    ]);
  });
});

describe('results', () => {
  test('OVL-CRE-03 A BK 1: every attacker goes back one hex', () => {
    const { state } = attack({ 'US4/1': '0510', 'DE243/1': '0511' }, ['ATTACK 0511 WITH US4/1'], ['battle 0511', 5]);
    expect(state.table.units['US4/1']).not.toBe('0510');
    expect(state.table.units['DE243/1']).toBe('0511');
  });

  test('OVL-CRE-05 OVL-CRE-06 EXCH: the attacker pays as much, survivors may occupy the hex', () => {
    const units = { 'US4/1': '0510', 'DE709/1': '0511', 'DE709/2': '0511' };
    const { state, events } = attack(
      { ...units, 'BR7A/1': '0510' },
      ['ATTACK 0511 WITH US4/1 BR7A/1 LOSSES US4/1 ADVANCE BR7A/1 -> 0511'],
      ['battle 0511', 5],
    );
    expect(eventsOf(events, 'battle')[0]).toMatchObject({ result: 'EXCH', odds: { ratio: '2-1' } });
    expect([state.table.units['US4/1'], state.table.units['BR7A/1']]).toEqual(['lost', '0511']);
  });

  test('OVL-CRE-05 whoever names too few for the exchange pays the rest all the same', () => {
    const bocage = attack(
      { US4: '0403', US9: '0504', 'DE243/1': '0404' },
      ['ATTACK 0404 WITH US4 US9 LOSSES US4/1'],
      ['battle 0404', 6],
    );
    expect(eventsOf(bocage.events, 'battle')[0]?.result).toBe('EXCH');
    expect(eventsOf(bocage.events, 'lost').map(({ units, due }) => [units.length, due])).toEqual([
      [1, null],
      [2, 64],
    ]);
  });

  test('OVL-CRE-07 D BK 1: defenders go back one hex and nobody advances', () => {
    const { state, events } = attack(
      { US4: '0510', 'DE243/1': '0511' },
      ['ATTACK 0511 WITH US4/1 US4/2 ADVANCE US4/1 -> 0511'],
      ['battle 0511', 4],
    );
    expect(eventsOf(events, 'battle')[0]?.result).toBe('D BK 1');
    expect(eventsOf(events, 'retreated')[0]?.path).toHaveLength(1);
    expect(state.table.units['US4/1']).toBe('0510');
  });

  test('OVL-CRE-08 OVL-CRE-09 D BK 2: defenders go back two hexes, attackers may advance one', () => {
    const { state, events } = attack(
      { US4: '0510', 'DE243/1': '0511' },
      ['ATTACK 0511 WITH US4 ADVANCE US4/1 -> 0511 0512'],
      ['battle 0511', 3],
    );
    expect(eventsOf(events, 'retreated')[0]?.path).toHaveLength(2);
    expect(state.table.units['US4/1']).toBe('0511');
  });

  test('OVL-CRE-08 OVR-17 each step leads farther from the battle: round the corner is no retreat', () => {
    const around = { 'US9/1': '0413', 'US9/2': '0613', 'US9/3': '0211', 'US90/1': '0811' };
    const { state, events } = attack(
      { US4: '0510', 'DE243/1': '0511', ...around },
      ['ATTACK 0511 WITH US4/1'],
      ['battle 0511', 2],
    );
    expect(eventsOf(events, 'battle')[0]?.result).toBe('D BK 2');
    // 0411, 0512 and 0611 are free, every hex behind them is in a zone.
    expect(state.table.units['DE243/1']).toBe('lost');
    expect(eventsOf(events, 'lost')[0]?.cause).toBe('blocked');
  });

  test('OVL-CRE-10 OVL-CRE-11 D BK 3: defenders go back three hexes, attackers may advance two', () => {
    const { state, events } = attack(
      { US4: '0510', 'DE243/1': '0511' },
      ['ATTACK 0511 WITH US4 ADVANCE US4/1 -> 0511 0512 0513'],
      ['battle 0511', 2],
    );
    expect(eventsOf(events, 'retreated')[0]?.path).toHaveLength(3);
    expect([state.table.units['US4/1'], state.table.units['US4/2']]).toEqual(['0512', '0510']);
  });

  test('OVR-19 an advance stops in an enemy zone', () => {
    const { state } = attack(
      { US4: '0510', 'DE243/1': '0511', 'DE91/1': '0411' },
      ['ATTACK 0511 WITH US4 ADVANCE US4/1 -> 0511 0512'],
      ['battle 0511', 2],
    );
    expect(state.table.units['US4/1']).toBe('0511');
  });

  test('OVL-CRE-12 OVL-CRE-14 OVL-CRE-16 D ELIM: defenders are gone; breakout by die, never beyond the own factor', () => {
    const { state, events } = attack(
      { US4: '0510', 'DE243/1': '0511' },
      ['ATTACK 0511 WITH US4 BREAKOUT US4/1 -> 0511 0512 0513 0514 0515 0516'],
      ['battle 0511', 1],
      ['breakout 0511', 6],
    );
    expect(state.table.units['DE243/1']).toBe('lost');
    expect(state.table.units['US4/1']).toBe('0514');
    expect(eventsOf(events, 'advanced')[0]).toMatchObject({ breakout: true, cost: 16, stopped: 'TOO FAR' });
  });

  test('OVL-CRE-13 the breakout die is what every attacker may spend at most', () => {
    const { state, events } = attack(
      { US4: '0510', 'DE243/1': '0511' },
      ['ATTACK 0511 WITH US4 BREAKOUT US4/1 US4/2 -> 0511 0512 0513'],
      ['battle 0511', 1],
      ['breakout 0511', 2],
    );
    expect(eventsOf(events, 'breakout-roll')[0]?.allowances.map(({ quarters }) => quarters)).toEqual([8, 8, 8]);
    expect([state.table.units['US4/1'], state.table.units['US4/2']]).toEqual(['0512', '0512']);
  });

  test('OVL-CRE-15 an armored unit with a six goes 24 road hexes', () => {
    const path = Array.from({ length: 25 }, (_, i) => `02${String(4 + i).padStart(2, '0')}`);
    const { state, events } = attack(
      { 'BR7A/1': '0203', 'BR7A/2': '0203', 'BR7A/3': '0203', 'DE709/1': '0204' },
      [`ATTACK 0204 WITH BR7A BREAKOUT BR7A/1 -> ${path.join(' ')}`],
      ['battle 0204', 1],
      ['breakout 0204', 6],
    );
    expect(eventsOf(events, 'advanced')[0]?.path).toHaveLength(24);
    expect(state.table.units['BR7A/1']).toBe('0227');
  });

  test('OVR-20 a breakout stops in an enemy zone and may leave the board', () => {
    const stopped = attack(
      { US4: '0510', 'DE243/1': '0511', 'DE91/1': '0412' },
      ['ATTACK 0511 WITH US4 BREAKOUT US4/1 -> 0511 0512 0513'],
      ['battle 0511', 1],
      ['breakout 0511', 6],
    );
    expect(stopped.state.table.units['US4/1']).toBe('0512');
    const gone = attack(
      { US4: '0528', 'DE243/1': '0529' },
      ['ATTACK 0529 WITH US4 BREAKOUT US4/1 -> 0529 0530 SOUTH'],
      ['battle 0529', 1],
      ['breakout 0529', 4],
    );
    expect(gone.state.table.units['US4/1']).toBe('exited');
    expect(gone.state.table.exits).toEqual([{ unit: 'US4/1', hex: '0530', turn: 3 }]);
  });

  test('OVR-20 OVL-STK-01 whom a zone or want of supply keeps on the board finds no room in a full edge hex', () => {
    const order = ['ATTACK 0529 WITH US4 BREAKOUT US4/1 -> 0529 0530 SOUTH'];
    const units = { US4: '0528', 'DE243/1': '0529' };
    const end = (more: Record<string, string>): [string | undefined, string | null | undefined] => {
      const { state, events } = attack({ ...units, ...more }, order, ['battle 0529', 1], ['breakout 0529', 6]);
      return [state.table.units['US4/1'], eventsOf(events, 'advanced')[0]?.stopped];
    };
    expect(end({ US9: '0530', 'DE91/1': '0630' })).toEqual(['0529', 'ZOC STOP']);
    expect(end({ 'DE91/1': '0630' })).toEqual(['0530', 'ZOC STOP']);
    expect(end({ US9: '0530' })).toEqual(['exited', null]);
    const cutOff = { 'DE91/1': '0127', 'DE91/2': '0326', 'DE91/3': '0926', 'DE352/1': '0726', 'DE352/2': '0526' };
    const { state, events } = attack(
      { US101P: '0529', 'DE243/1': '0530', ...cutOff },
      ['ATTACK 0530 WITH US101P BREAKOUT US101P/1 -> 0530 SOUTH'],
      ['battle 0530', 1],
      ['breakout 0530', 6],
    );
    expect(state.table.units['US101P/1']).toBe('0530');
    expect(eventsOf(events, 'advanced')[0]?.stopped).toBe('NOT SUPPLIED');
  });

  test('OVR-06 OVR-07 A ELIM takes the defender’s worth at printed factors, whatever halved the attackers', () => {
    const { events } = attack(
      { 'BR7A/1': '0508', 'BR7A/2': '0508', 'BR7A/3': '0508', 'DE243/1': '0608', 'DE243/2': '0608' },
      ['ATTACK 0608 WITH BR7A'],
      ['battle 0608', 6],
    );
    // 9 to 8 at 1-1: the defender is worth 8, two 6-6 pay it.
    expect(eventsOf(events, 'lost')[0]).toMatchObject({ cause: 'attack', due: 8 * FACTOR, factors: 12 });
    expect(eventsOf(events, 'retreated')).toHaveLength(1);
  });
});

describe('payment (OVR-08)', () => {
  const units = ['US4/1', 'US4/2', 'BR7A/1', 'US82P/1'].map(index);
  const names = (list: number[]): string[] => list.map((unit) => board.campaign.units[unit]!.id);
  test('OVR-08 the smallest sufficient total, then the slowest, then the last listed', () => {
    expect(names(smallestPayment(board.campaign, units, 4 * FACTOR))).toEqual(['US4/2']);
    expect(names(smallestPayment(board.campaign, units, 5 * FACTOR))).toEqual(['US82P/1']);
    expect(names(smallestPayment(board.campaign, units, 99 * FACTOR))).toHaveLength(4);
  });
  test('wishes come first, the rest is the smallest that suffices', () => {
    expect(names(orderedPayment(board.campaign, units, [index('BR7A/1')], 4 * FACTOR))).toEqual(['BR7A/1']);
    expect(names(orderedPayment(board.campaign, units, [index('US4/1')], 8 * FACTOR))).toEqual(['US4/1', 'US4/2']);
  });
  test('doctrine MIN, WEAK and KEEP', () => {
    expect(names(doctrinePayment(board.campaign, units, 6 * FACTOR, ['WEAK']))).toEqual(['US4/1', 'US4/2']);
    expect(names(doctrinePayment(board.campaign, units, 4 * FACTOR, ['MIN', 'KEEP', 'US4']))).toEqual(['US82P/1']);
    expect(names(doctrinePayment(board.campaign, units, 15 * FACTOR, ['KEEP', 'BR7A/1']))).toContain('BR7A/1');
  });
});

describe('what counts in an exchange', () => {
  const worth = (units: Record<string, string>, target: string, attackers: string[], defenders: string[]): number => {
    const field = fieldOf(board, position(board, { units }));
    const none = { tac: 6, naval: 0, navalDefence: 4 };
    return defendersWorth(oddsOf(field, cell(target), attackers.map(index), defenders.map(index), none));
  };
  test('OVL-TCB-13 OVR-09 swamp on defending armor counts, on attacking armor not', () => {
    expect(worth({ 'DE116/1': '0804', 'US4/1': '0704' }, '0804', ['US4/1'], ['DE116/1'])).toBe(3 * FACTOR);
    expect(worth({ 'DE243/1': '0704', 'BR7A/1': '0804' }, '0704', ['BR7A/1'], ['DE243/1'])).toBe(4 * FACTOR);
  });
  test('OVL-EXC-01 terrain and isolation of the defender count, air and sea support never', () => {
    const cut = { 'DE243/1': '0304', US4: '0303', 'US9/1': '0204', 'US9/2': '0305', 'US9/3': '0404' };
    expect(worth(cut, '0304', ['US4/1'], ['DE243/1'])).toBe(4 * FACTOR);
    expect(worth({ 'DE243/1': '0304', US4: '0303' }, '0304', ['US4/1'], ['DE243/1'])).toBe(8 * FACTOR);
  });
});

describe('selective attack and order of battles', () => {
  const units = { 'DE21/1': '0505', 'DE21/3': '0505', BR7A: '0504' };
  const soak = ['ATTACK 0505 ONLY DE21/1 WITH BR7A/1 BR7A/2', 'ATTACK 0505 ONLY DE21/3 WITH BR7A/3'];

  test('OVL-SEL-02 each group has its own die; advance only into a hex empty of enemies (OVR-21)', () => {
    const { state, events } = attack(
      units,
      [`${soak[0]} ADVANCE BR7A/1 -> 0505`, soak[1]!],
      ['battle 0505 DE21/1', 3],
      ['battle 0505 DE21/3', 3],
    );
    expect(eventsOf(events, 'battle').map((event) => [event.odds.ratio, event.result])).toEqual([
      ['2-1', 'D BK 2'],
      ['1-2', 'A BK 1'],
    ]);
    expect(state.table.units['DE21/1']).not.toBe('0505');
    expect(state.table.units['BR7A/1']).toBe('0504');
  });

  test('OVL-SEL-01 if the rest of the hex cannot be fought, no battle there takes place', () => {
    const { events } = attack(units, [`${soak[0]} IF CLEAR 0520`, `${soak[1]} IF CLEAR 0505`]);
    expect(eventsOf(events, 'battle')).toEqual([]);
    expect(eventsOf(events, 'battle-void').map((event) => event.why)).toEqual(['condition', 'not engaged']);
  });

  test('OVR-36 a battle without a target is void and its attackers are free for a later one', () => {
    const { events } = attack(
      { US4: '0510', 'DE243/1': '0511', 'DE91/1': '0410' },
      ['ATTACK 0511 WITH US4/1 IF CLEAR 0410', 'ATTACK 0410 WITH US4/1'],
      ['battle 0410', 5],
    );
    expect(eventsOf(events, 'battle-void')[0]).toMatchObject({
      why: 'condition',
      what: 'IF CLEAR 0410',
      audience: ['allied'],
    });
    expect(eventsOf(events, 'battle')).toHaveLength(1);
  });

  test('OVR-21 battles are fought in the order written, each with its results before the next; IF STANDS looks at them', () => {
    const { events } = attack(
      { US4: '0510', 'DE243/1': '0511', 'DE91/1': '0410' },
      ['ATTACK 0511 WITH US4/1 US4/2', 'ATTACK 0410 WITH US4/3 IF STANDS DE243/1'],
      ['battle 0511', 1],
    );
    expect(eventsOf(events, 'battle')[0]?.result).toBe('D BK 3');
    expect(eventsOf(events, 'battle-void')[0]).toMatchObject({ why: 'condition', what: 'IF STANDS DE243/1' });
  });

  test('OVR-05 nobody is driven into a hex that is attacked too: it lies in the attackers’ zone', () => {
    const { state } = attack(
      { 'US4/1': '0510', 'US9/1': '0513', 'DE243/1': '0511', 'DE91/1': '0512' },
      ['ATTACK 0511 WITH US4/1', 'ATTACK 0512 WITH US9/1'],
      ['battle 0511', 3],
      ['battle 0512', 5],
    );
    expect(['0411', '0611']).toContain(state.table.units['DE243/1']);
  });
});

describe('rulings on strength', () => {
  const share = (unit: string, at: string, target: string, enemy: string) => {
    const field = fieldOf(board, position(board, { units: { [unit]: at, [enemy]: target } }));
    return attackShare(field, index(unit), cell(target));
  };

  test('OVR-01 fractions are exact: halves of halves are kept until the odds are rounded', () => {
    const cut = { 'DE12SS/2': '0508', US4: '0608', US9: '0409', US90: '0507', US79: '0509', US2: '0408' };
    const field = fieldOf(board, position(board, { units: cut }));
    expect(attackShare(field, index('DE12SS/2'), cell('0608'))).toMatchObject({
      worth: 12,
      notes: ['isolated', 'river'],
    });
  });

  test('OVR-10 multipliers of different kinds multiply: river, swamp, isolation', () => {
    const field = fieldOf(board, position(board, { units: { 'BR7A/1': '0804', 'DE116/1': '0805' } }));
    for (const hex of Object.keys(field.table.control)) field.table.control[hex] = 'german';
    field.supplied = { german: undefined, allied: undefined };
    expect(attackShare(field, index('BR7A/1'), cell('0805'))).toMatchObject({
      worth: 12,
      notes: ['isolated', 'swamp'],
    });
  });

  test('OVR-11 only the type armor is pure armor: recon, guns and armored infantry are not', () => {
    expect(share('DEPL/4', '0804', '0704', 'US4/1').worth).toBe(6 * FACTOR);
    expect(share('DEJP/1', '0804', '0704', 'US4/1').worth).toBe(6 * FACTOR);
    expect(share('DEPL/1', '0804', '0704', 'US4/1').worth).toBe(5 * FACTOR);
  });

  test('OVR-12 a bridge helps movement, not an attack over the river', () => {
    const bridge = { units: { 'DE243/1': '2814', 'BR3/1': '2813' } };
    const field = fieldOf(normandy, position(normandy, bridge));
    const { grid } = normandy.campaign.board;
    const crossing = ROADS_OVER_RIVERS[0]!;
    const unit = indexOf(normandy.campaign, 'DE243/1');
    place(field, unit, grid.index.get(crossing[0]!)!);
    const target = grid.index.get(crossing[1]!)!;
    const dir = directionTo(grid, grid.index.get(crossing[0]!)!, target);
    expect(stepCost(field, normandy.campaign.units[unit]!, grid.index.get(crossing[0]!)!, target, dir)).toBe(1);
    expect(attackShare(field, unit, target).notes).toContain('river');
  });

  test('OVR-28 held divisions may attack, defend and retreat on June 6', () => {
    const units = { 'DE77/1': '0511', 'US4/1': '0510' };
    const state = position(board, { turn: 1, units, table: { held: ['DE77'] } });
    expect(codes(read(board, state, 'german', ['ATTACK 0510 WITH DE77/1']).diagnostics)).toEqual([]);
    const { state: after } = play(board, state, {
      german: ['ATTACK 0510 WITH DE77/1'],
      dice: [{ purpose: 'battle 0510', rolls: [5] }],
    });
    expect(after.table.units['DE77/1']).not.toBe('0511');
  });
});

test('the scenario on the campaign map fights with the same tables', () => {
  expect(normandy.campaign.crt.June.get('3-1')?.[0]).toEqual({ result: 'D ELIM', house: false });
});
