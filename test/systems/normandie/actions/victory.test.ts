/** Objectives, points and the end of the game (3-b, 2.1-i). */
import { describe, expect, test } from 'vitest';
import { pointsOf } from '../../../../src/systems/normandie/actions/victory.ts';
import type { NormandieSide, Objective } from '../../../../src/systems/normandie/data.ts';
import type { NormandieUnit } from '../../../../src/systems/normandie/types.ts';
import {
  type Battle,
  type BattleSketch,
  battle,
  HOUSE,
  move,
  type UnitSketch,
  WITH_HOUSE,
} from '../../../helpers/normandie-battle.ts';

const RIFLES: Record<string, UnitSketch> = { US1: { type: 'rifle', at: 'B2' }, GE1: { type: 'rifle', at: 'O15' } };
const square = (points: number, more: Partial<Objective> = {}): Objective => ({
  id: 'hill',
  kind: 'square',
  squares: ['E5', 'E6'],
  score: 'end',
  from: 1,
  points,
  ...more,
});
const house: Objective = {
  id: 'house',
  kind: 'building',
  building: '1',
  squares: [],
  score: 'end',
  from: 1,
  points: 3,
};

interface Given extends Partial<BattleSketch> {
  objectives?: Objective[];
  held?: Record<string, NormandieSide>;
  lost?: string[];
  turn?: number;
  turns?: number;
  annihilation?: boolean;
  characterPoints?: number;
  tie?: NormandieSide | 'lower-cost' | 'draw';
}

/** A battle at the end of a turn: what is held, who is lost, how long it lasts. */
function given({ objectives = [], held = {}, lost = [], turn = 2, turns = 6, ...more }: Given = {}): Battle {
  const { annihilation = true, characterPoints = 0, tie = 'lower-cost', units = RIFLES, ...sketch } = more;
  const b = battle({
    units,
    ...sketch,
    change: (data, state) => {
      state.table.objectives = objectives;
      Object.assign(state.table.held, held);
      for (const member of state.table.roster) if (lost.includes(member.code)) member.fate = 'lost';
      state.table.units = state.table.units.filter((unit) => !lost.includes(unit.code));
      state.table.turns = turns;
      Object.assign(data.scenario, { annihilation, characterPoints, tie });
    },
  });
  b.state.phase.turn = turn;
  return b;
}

const over = (b: Battle) => {
  b.phase('supply', {});
  return b.state.table.ended;
};
const ride = (at: string): UnitSketch => ({ type: 'jeep', at });

describe('who holds an objective', () => {
  const holder = (units: Record<string, UnitSketch>, more: Given = {}): NormandieSide | null | undefined => {
    const b = given({ objectives: [square(2)], units: { ...RIFLES, ...units }, ...more });
    b.phase('supply', {});
    return b.state.table.held.hill;
  };

  test.each([
    ['nobody has been there', {}, {}, undefined],
    ['a side that is alone there', { US2: { type: 'team', at: 'E6' } }, {}, 'us'],
    [
      'both are there: nobody takes it',
      { US2: { type: 'team', at: 'E6' }, GE2: { type: 'team', at: 'E5' } },
      {},
      undefined,
    ],
    [
      'both are there: who held it keeps it',
      { US2: { type: 'team', at: 'E6' }, GE2: { type: 'team', at: 'E5' } },
      { held: { hill: 'ge' } },
      'ge',
    ],
    ['it is kept when everybody has left', {}, { held: { hill: 'ge' } }, 'ge'],
    ['the other alone there takes it', { US2: { type: 'team', at: 'E5' } }, { held: { hill: 'ge' } }, 'us'],
    ['a vehicle holds open ground', { GE2: ride('E5') }, {}, 'ge'],
    ['the rear of a long vehicle counts', { GE2: { type: 'track', at: 'F5', rear: 'E5', facing: 2 } }, {}, 'ge'],
    [
      'who sits in a vehicle there does not',
      { US2: ride('E5'), US3: { type: 'team', at: 'E5', aboard: 'US2' }, GE2: { type: 'team', at: 'E6' } },
      {},
      undefined,
    ],
  ] as [string, Record<string, UnitSketch>, Given, NormandieSide | undefined][])(
    '3-b %s',
    (_title, units, more, expected) => {
      expect(holder(units, more)).toBe(expected);
    },
  );

  test('3-b passengers hold nothing: the vehicle does', () => {
    const aboard = { US2: ride('E5'), US3: { type: 'team', at: 'E5', aboard: 'US2' } };
    expect(holder(aboard)).toBe('us');
    const building = given({
      board: WITH_HOUSE,
      buildings: [HOUSE],
      objectives: [house],
      units: { ...RIFLES, US2: { type: 'team', at: 'K10' } },
    });
    building.phase('supply', {});
    expect(building.state.table.held.house).toBe('us');
    expect(building.told('objective')).toEqual([
      { type: 'objective', audience: 'all', objective: 'house', side: 'us', points: 0 },
    ]);
  });

  test('3-b vehicles do not hold buildings, not even one driven over its rubble', () => {
    const inside = (type: string): NormandieSide | null | undefined => {
      const b = given({
        board: WITH_HOUSE,
        buildings: [HOUSE],
        objectives: [{ ...house, kind: 'building' }],
        units: { ...RIFLES, US2: { type, at: 'J10' } },
      });
      b.phase('supply', {});
      return b.state.table.held.house;
    };
    expect(inside('jeep')).toBeUndefined();
    expect(inside('rifle')).toBe('us');
  });

  test('3-b a building in ruins can neither be taken nor scored', () => {
    const b = given({
      board: WITH_HOUSE,
      buildings: [HOUSE],
      objectives: [house],
      held: { house: 'ge' },
      units: { ...RIFLES, US2: { type: 'rifle', at: 'J10' } },
    });
    expect(pointsOf(b.book, b.known)).toEqual({ us: 0, ge: 3 });
    b.state.table.rubble.push('1');
    b.phase('supply', {});
    expect(b.state.table.held.house).toBe('ge');
    expect(pointsOf(b.book, b.known)).toEqual({ us: 0, ge: 0 });
  });
});

describe('points', () => {
  test.each([
    ['before its turn it scores nothing', 1, 0],
    ['from its turn on it scores', 2, 2],
    ['and every turn after', 3, 2],
  ])('3-b an objective of every turn, from turn 2: %s', (_title, turn, points) => {
    const each = square(2, { score: 'each-turn', from: 2 });
    const b = given({ objectives: [each], held: { hill: 'ge' }, turn });
    b.phase('supply', {});
    expect(b.state.table.score).toEqual({ us: 0, ge: points });
    expect(b.told('objective').map((event) => [event.side, event.points])).toEqual(points ? [['ge', 2]] : []);
  });

  test('3-b an objective of the end scores for whoever holds it then, and is not saved up', () => {
    const b = given({ objectives: [square(2)], held: { hill: 'us' } });
    b.phase('supply', {});
    expect(b.state.table.score).toEqual({ us: 0, ge: 0 });
    expect(pointsOf(b.book, b.known)).toEqual({ us: 2, ge: 0 });
    const nobody = given({ objectives: [square(2), square(2, { id: 'x', score: 'each-turn' })] });
    nobody.phase('supply', {});
    expect(pointsOf(nobody.book, nobody.known)).toEqual({ us: 0, ge: 0 });
  });

  test('2.1-i a broken tile scores its points for the enemy, a whole one nothing', () => {
    const b = given({
      tiles: [
        { side: 'us', victoryPoints: 4 },
        { side: 'ge', victoryPoints: 7 },
      ],
    });
    expect(pointsOf(b.book, b.known)).toEqual({ us: 0, ge: 0 });
    b.state.table.tiles[0]!.broken = true;
    expect(pointsOf(b.book, b.known)).toEqual({ us: 0, ge: 4 });
    b.state.table.tiles[1]!.broken = true;
    expect(pointsOf(b.book, b.known)).toEqual({ us: 7, ge: 4 });
  });

  test('3-b a scenario may give points for destroyed characters: those that are lost, and characters alone', () => {
    const units = {
      ...RIFLES,
      US2: { type: 'blean', at: 'B4' },
      GE2: { type: 'rifle', at: 'O13' },
      US3: { type: 'blean', at: 'B6' },
    };
    const worth = (characterPoints: number, lost: string[]) => {
      const b = given({ units, characterPoints, lost });
      return pointsOf(b.book, b.known);
    };
    expect(worth(2, ['US2'])).toEqual({ us: 0, ge: 2 });
    expect(worth(2, ['US2', 'US3'])).toEqual({ us: 0, ge: 4 });
    expect(worth(2, [])).toEqual({ us: 0, ge: 0 });
    expect(worth(2, ['GE2'])).toEqual({ us: 0, ge: 0 });
    expect(worth(0, ['US2'])).toEqual({ us: 0, ge: 0 });
  });
});

describe('the end', () => {
  test('3-b annihilation ends the game, but not on turn 1', () => {
    expect(over(given({ lost: ['GE1'], turn: 1 }))).toBeNull();
    expect(over(given({ lost: ['GE1'], turn: 2 }))).toEqual({
      winner: 'us',
      reason: 'annihilation',
      score: { us: 0, ge: 0 },
    });
    expect(over(given({ lost: ['US1'], turn: 2 }))?.winner).toBe('ge');
    expect(over(given({ lost: ['US1', 'GE1'], turn: 2 }))).toMatchObject({ winner: 'draw', reason: 'annihilation' });
  });

  test('3-b only a scenario that says so ends by annihilation, and only when nobody is left', () => {
    expect(over(given({ lost: ['GE1'], annihilation: false }))).toBeNull();
    expect(over(given({ lost: ['GE2'], units: { ...RIFLES, GE2: { type: 'team', at: 'O13' } } }))).toBeNull();
    expect(over(given())).toBeNull();
  });

  test.each([
    ['more points win', { objectives: [square(2)], held: { hill: 'ge' } }, 'ge'],
    ['for the other side too', { objectives: [square(2)], held: { hill: 'us' } }, 'us'],
    [
      'equal: the cheaper army',
      {
        tiles: [
          { side: 'us', cost: 40 },
          { side: 'ge', cost: 30 },
        ],
      },
      'ge',
    ],
    [
      'equal: the cheaper army, the other way',
      {
        tiles: [
          { side: 'us', cost: 20 },
          { side: 'ge', cost: 30 },
        ],
      },
      'us',
    ],
    ['equal in cost too: a draw', {}, 'draw'],
    [
      'equal: the side the scenario names',
      {
        tie: 'ge',
        tiles: [
          { side: 'us', cost: 20 },
          { side: 'ge', cost: 30 },
        ],
      },
      'ge',
    ],
  ] as [string, Given, NormandieSide | 'draw'][])('3-b at the turn limit: %s', (_title, more, winner) => {
    expect(over(given({ turn: 5, ...more }))).toBeNull();
    const ended = over(given({ turn: 6, ...more }));
    expect(ended).toMatchObject({ winner, reason: 'points' });
  });

  test('3-b what is told: winner, reason and score', () => {
    const b = given({ turn: 6, objectives: [square(2)], held: { hill: 'us' } });
    b.phase('supply', {});
    expect(b.told('outcome')).toEqual([
      { type: 'outcome', audience: 'all', winner: 'us', reason: 'points', score: { us: 2, ge: 0 } },
    ]);
  });

  test('3-b by the exit of its own side a unit leaves for points; not elsewhere, not by the enemy’s', () => {
    const exit: Objective = {
      id: 'road',
      kind: 'exit',
      side: 'us',
      squares: ['A1', 'A2'],
      score: 'per-unit',
      from: 1,
      points: 2,
    };
    const leave = (at: string, side: NormandieSide): [string[], Record<NormandieSide, number>] => {
      const b = given({ objectives: [{ ...exit, side }], units: { ...RIFLES, US2: { type: 'rifle', at } } });
      b.act(move('US2', 'OFF'));
      return [b.state.table.units.map((unit: NormandieUnit) => unit.code), b.state.table.score];
    };
    expect(leave('A2', 'us')).toEqual([['US1', 'GE1'], { us: 2, ge: 0 }]);
    expect(leave('A3', 'us')).toEqual([['US1', 'GE1', 'US2'], { us: 0, ge: 0 }]);
    expect(leave('A2', 'ge')).toEqual([['US1', 'GE1', 'US2'], { us: 0, ge: 0 }]);
  });
});
