/** Limits that hold on every path to them, and bonuses that a check counts as the run does: the ledger of interactions, HON-F. */

import { describe, expect, test } from 'vitest';
import { listDice } from '../../../src/kernel/dice.ts';
import { valuesOf } from '../../../src/kernel/questions.ts';
import type { GameState } from '../../../src/kernel/types.ts';
import { viewFor } from '../../../src/kernel/view.ts';
import { openWording } from '../../../src/render/words.ts';
import { openScenarios, SCENARIOS } from '../../../src/scenarios.ts';
import { carryOut } from '../../../src/systems/normandie/actions/script.ts';
import type { Action, FireAction, NormandieOrder, Rider } from '../../../src/systems/normandie/language.ts';
import { check } from '../../../src/systems/normandie/player/check.ts';
import type { Normandie } from '../../../src/systems/normandie/types.ts';
import { assault, type Battle, battle, move, on, refused, shoot } from '../../helpers/normandie-battle.ts';
import { formOf, playPhase } from '../../helpers/play.ts';

const wording = openWording();
const bonus = (card: string): Rider => ({ rider: 'card', card, as: 'bonus' }) as Rider;
const use = (option: string, n: number): Rider => ({ rider: 'use', option, n }) as Rider;

/** What the check says to one script of US1's token. */
function codesOf(b: Battle, unit: string, parts: { action: Action; riders: Rider[] }[]): string[] {
  const orders: NormandieOrder[] = [
    { verb: 'TOKEN', line: 1, token: 1, unit },
    { verb: 'ON', line: 2, on: { n: 1 }, clauses: [{ parts }] } as NormandieOrder,
  ];
  return check(b.book, viewFor(b.state, 'us'), orders)
    .filter((each) => each.line === 2 && each.severity === 'error')
    .map((each) => each.code);
}

describe('HON-F01 one Alternate Firing Action an activation, whatever the path (3.2.3, 7.2-e)', () => {
  const grenade = (): FireAction => shoot('US1', '@F5', { weapon: 'grenades' });
  const table = (): Battle =>
    battle({
      units: { US1: { type: 'rifle', at: 'E5' }, GE1: { type: 'blean', at: 'G5' } },
      gear: [
        { side: 'us', option: 'grenades', left: 3 },
        { side: 'us', option: 'rifle-grenade', left: 3 },
      ],
    });
  const main = (): FireAction => shoot('US1', 'GE1');

  test.each([
    ['main, then an option', [main(), grenade()]],
    ['an option, then main', [grenade(), main()]],
    ['an option twice', [grenade(), grenade()]],
    ['main twice', [main(), main()]],
  ])('%s: the second is refused by the check and by the judge', (_name, actions) => {
    const parts = actions.map((action) => ({ action, riders: [] }));
    expect(codesOf(table(), 'US1', parts)).toEqual(['FIRED ALREADY']);
    expect(codesOf(table(), 'US1', [parts[0]!])).toEqual([]);
    const b = table();
    b.run((play) => carryOut(play, play.table.units.find((unit) => unit.code === 'US1')!, parts), [1]);
    expect(b.told('fired')).toHaveLength(1);
    expect(b.told('no-effect').map((each) => each.why)).toEqual(['FIRED ALREADY']);
  });

  test('another option after the first is refused, too', () => {
    const parts = [grenade(), shoot('US1', '@F5', { weapon: 'rifle-grenade' })].map((action) => ({
      action,
      riders: [],
    }));
    expect(codesOf(table(), 'US1', parts)).toEqual(['FIRED ALREADY']);
  });
});

describe('HON-F02 a Machine Gunner splits the value with its bonuses (6.2-mg-e, 8.2)', () => {
  const table = (): Battle =>
    battle({
      units: {
        US1: { type: 'mg', at: 'H8', face: 'active', facing: 0 },
        GE1: { type: 'blean', at: 'G3' },
        GE2: { type: 'blean', at: 'H3' },
      },
      cards: { us: ['aim'] },
      gear: [{ side: 'us', option: 'ammo', left: 3 }],
    });
  const split = (a: number, b: number): FireAction => shoot('US1', ['GE1', 'GE2'], { split: [a, b] });
  const riders = [use('ammo', 3), bonus('aim')];

  test('4 + 3 + 2 = 9 is split whole; less would spend the bonus for nothing, more is too much', () => {
    expect(codesOf(table(), 'US1', [{ action: split(5, 4), riders }])).toEqual([]);
    expect(codesOf(table(), 'US1', [{ action: split(2, 2), riders }])).toEqual(['SPLIT TOO SMALL']);
    expect(codesOf(table(), 'US1', [{ action: split(6, 4), riders }])).toEqual(['SPLIT TOO LARGE']);
    expect(codesOf(table(), 'US1', [{ action: split(2, 2), riders: [] }])).toEqual([]);
    expect(codesOf(table(), 'US1', [{ action: split(5, 4), riders: [] }])).toEqual(['SPLIT TOO LARGE']);
  });

  test('the judge splits the same value; a split that is refused keeps card and markers', () => {
    const b = table();
    b.act(split(5, 4), [1, 1], undefined, riders);
    expect(b.told('shot').map((each) => each.sum.total)).toEqual([6, 5]);
    expect(b.state.hands.us!.cards).toEqual([]);
    expect(b.state.table.gear[0]!.left).toBe(0);
    const kept = table();
    kept.act(split(2, 2), [], undefined, riders);
    expect(kept.told('fired')).toEqual([]);
    expect(kept.state.hands.us!.cards).toEqual(['aim']);
    expect(kept.state.table.gear[0]!.left).toBe(3);
  });
});

describe('HON-F03 a movement bonus is counted by the check and by the judge (4.2-n, 6.3-h)', () => {
  const table = (cards: string[]): Battle =>
    battle({ units: { US1: { type: 'rifle', at: 'A8' }, GE1: { type: 'rifle', at: 'A2' } }, cards: { us: cards } });
  const far = move('US1', 'B8 B7 B6 B5 B4 B3');
  const charge = assault('US1', 'GE1', 'B8 B7 B6 B5 B4 B3');

  test('six squares with Go, five without one are refused; the card must be in hand', () => {
    expect(codesOf(table(['go']), 'US1', [{ action: far, riders: [bonus('go')] }])).toEqual([]);
    expect(codesOf(table(['go']), 'US1', [{ action: far, riders: [] }])).toEqual(['TOO FAR']);
    expect(codesOf(table([]), 'US1', [{ action: far, riders: [bonus('go')] }])).toContain('TOO FAR');
    expect(refused(table(['go']), far, [bonus('go')])).toBeUndefined();
  });

  test('an assault goes as far as a move, and one square less than that is left for it', () => {
    expect(refused(table(['go']), assault('US1', 'GE1', 'B8 B7 B6 B5 B4'), [bonus('go')])).toBe('NOT ADJACENT');
    expect(refused(table(['go']), charge, [bonus('go')])).toBe('NO MOVE LEFT');
    expect(refused(table(['go']), charge, [])).toBe('TOO FAR');
    const near = battle({
      units: { US1: { type: 'rifle', at: 'A8' }, GE1: { type: 'rifle', at: 'A3' } },
      cards: { us: ['go'] },
    });
    expect(refused(near, assault('US1', 'GE1', 'B8 B7 B6 B5 B4'), [bonus('go')])).toBeUndefined();
  });
});

test('HON-F04 one type of bonus for the whole assault, the way to it included (4.2-j)', () => {
  const b = battle({
    units: { US1: { type: 'rifle', at: 'C8' }, GE1: { type: 'team', at: 'C2' } },
    cards: { us: ['go', 'surprise'] },
  });
  b.act(
    assault('US1', 'GE1', 'C7 C6 C5 C4 C3'),
    [6, 5, 1],
    (request) => valuesOf(request).find((each) => each !== 'PASS'),
    [bonus('go')],
  );
  const offered = b.asked.filter((each) => each.kind === 'bonus' && each.to === 'us').flatMap(valuesOf);
  expect(offered).not.toContain('surprise BONUS');
  expect(b.state.hands.us!.cards).toEqual(['surprise']);
});

test('HON-F05 Opportunity Fire by default spends no marker; the option stands for those who want it (7.2)', () => {
  const table = () =>
    battle({
      board: on({ E5: 's' }),
      units: { US1: { type: 'jeep', at: 'H8' }, GE1: { type: 'rifle', at: 'E5' } },
      gear: [{ side: 'ge', option: 'panzerfaust', left: 3 }],
    });
  const b = table();
  b.act(move('US1', 'H7 H6'));
  expect(b.state.table.gear[0]!.left).toBe(3);
  expect(b.told('fired').every((each) => each.weapon === 'main')).toBe(true);
  const [asked] = b.asked.filter((each) => each.kind === 'opfire');
  expect(valuesOf(asked!)).toContain('FIRE GE1 WITH panzerfaust AT US1');
  expect(asked?.fallback[0]).not.toContain('panzerfaust');
});

test('HON-F10 The Fury gives Assault +2 to every unit, vehicles too (4.2)', () => {
  const table = (fury: boolean) =>
    battle({
      units: { GE1: { type: 'jeep', at: 'C3' }, US1: { type: 'rifle', at: 'C2' } },
      change: (_data, state) => {
        if (fury) state.table.fury.push('ge');
      },
    });
  expect(refused(table(true), assault('GE1', 'US1'))).toBeUndefined();
  expect(refused(table(false), assault('GE1', 'US1'))).toBe('NO ASSAULT');
});

describe('HON-F11 a wreck may be pushed at the end of a move (3.2.1-push)', () => {
  const table = () =>
    battle({
      units: { US1: { type: 'pz', at: 'E7', rear: 'E8', facing: 0 } },
      wrecks: [{ id: 'W1', kind: 'wreck-1', squares: ['E4'], facing: 0, points: 0 }],
    });
  test('after moving, and it ends the action', () => {
    expect(refused(table(), move('US1', 'FWD FWD PUSH:E4'))).toBeUndefined();
    expect(refused(table(), move('US1', 'FWD FWD PUSH:E4 FWD'))).toBe('MUST STOP');
    expect(refused(table(), move('US1', 'FWD PUSH:E4'))).toBe('NOT ADJACENT');
    const b = table();
    b.act(move('US1', 'FWD FWD PUSH:E4'));
    expect([b.unit('US1').at, b.state.table.wrecks[0]!.squares]).toEqual(['E4', ['E3']]);
  });
});

describe('HON-F12 crew changes its state once in an action (6.1)', () => {
  const table = () =>
    battle({
      units: {
        US1: { type: 'pz', at: 'E5', rear: 'E6', facing: 0 },
        US2: { type: 'crew', at: 'E5', aboard: 'US1', face: 'active' },
        US3: { type: 'jeep', at: 'H5' },
        US4: { type: 'crew', at: 'H7' },
      },
    });
  test('out of one vehicle and into another: turned over once', () => {
    const b = table();
    b.act(move('US2', 'OUT:F5 G5 IN:US3'));
    expect(b.unit('US2')).toMatchObject({ aboard: 'US3', face: 'inactive' });
    expect(b.told('flipped').filter((each) => each.unit === 'US2')).toHaveLength(1);
  });
  test('FLIP END beside the change that boarding or getting out makes is no second one', () => {
    const b = table();
    b.act(move('US4', 'H6 IN:US3', { flip: 'end' }));
    expect(b.told('flipped').filter((each) => each.unit === 'US4')).toHaveLength(1);
    expect(b.unit('US4').face).toBe('active');
    expect(refused(table(), move('US2', 'OUT:F5', { flip: 'end' }))).toBe('ONE CHANGE OF STATE');
  });
});

test('HON-F15 nobody crosses a vehicle that lies across a diagonal (3.2.1-d)', () => {
  const table = (rear: string) =>
    battle({
      units: {
        GE1: { type: 'pz', at: 'F4', rear, facing: 1 },
        US1: { type: 'rifle', at: 'E4' },
        US2: { type: 'jeep', at: 'F5' },
      },
    });
  expect(refused(table('E5'), move('US1', 'F5'))).toBe('VEHICLE IN THE WAY');
  expect(refused(table('E5'), move('US2', 'E4'))).toBe('VEHICLE IN THE WAY');
  expect(refused(table('G3'), move('US2', 'E6'))).toBeUndefined();
});

test('HON-F17 a mine goes off in the square entered, also behind a reversing vehicle', () => {
  const b = battle({
    units: { US1: { type: 'pz', at: 'E5', rear: 'E6', facing: 0 } },
    cards: { ge: ['mine'] },
  });
  b.act(move('US1', 'BACK'));
  expect(b.asked.filter((each) => each.kind === 'card').map((each) => each.words?.params?.square)).toEqual(['E7']);
});

describe('HON-F19 HON-F20 HON-F21 what a report says of points, tokens and the mail to write', () => {
  const opened = openScenarios([SCENARIOS]).open('normandie/orchard');
  const start = (mode: string) => {
    const state = opened.rules.setup(
      { ...Object.fromEntries(opened.scenario.options.map((option) => [option.name, option.fallback])), mode },
      listDice('HON-0000', { n: 0, turn: 0, step: 'setup' }, []),
    );
    const filed = Object.fromEntries(['us', 'ge'].map((side) => [side, { orders: [], standing: [] }]));
    return playPhase(opened.rules, state, filed, 'interactions').result.state;
  };
  const text = (state: GameState, side: string) => {
    const report = opened.rules.report(viewFor(state, side), [], { orders: [], standing: [] });
    const lines = report.sections.flatMap((section) => section.lines.map((line) => wording.say(line)));
    return { head: wording.say(report.headline), lines, form: formOf(report) };
  };

  test('F20 before the first orders the tokens that the form offers are those of the report', () => {
    const state = start('sealed');
    expect(state.phase.step).toBe('orders');
    for (const [side, other] of [
      ['us', 'GE'],
      ['ge', 'US'],
    ] as const) {
      const { lines, form } = text(state, side);
      const offered = /^# (\d+) numbered, (\d+) special, (\d+) bluff/.exec(
        form.find((line) => /numbered/.test(line))!,
      )!;
      expect(lines.join(' ')).toContain(`tokens ${offered[1]} numbered, ${offered[2]} special, ${offered[3]} bluff`);
      expect(lines.join(' ')).toMatch(new RegExp(`${other} holds \\d+ cards and has [1-9]`));
    }
  });

  test('F19 headline and section tell one score, also once the game is over', () => {
    const state = start('sealed') as GameState<Normandie>;
    state.table.score = { us: 2, ge: 0 };
    state.table.tiles.find((tile) => tile.side === 'us')!.broken = true;
    const points = (said: string) => /US (\d+), Germany (\d+)/.exec(said)?.slice(1);
    const running = text(state as unknown as GameState, 'us');
    const score = running.lines.map(points).find((found) => found !== undefined);
    expect(points(running.head)).toEqual(score);
    expect(Number(score![1])).toBeGreaterThan(0);
    opened.rules.conclude(state as unknown as GameState, 'concede', 'ge');
    const over = text(state as unknown as GameState, 'us');
    expect(points(over.head)).toEqual(score);
    expect(state.table.ended?.score).toEqual({ us: Number(score![0]), ge: Number(score![1]) });
  });

  test('F21 a mail for the whole turn offers the Supply Phase, too', () => {
    const whole = text(start('one-mail'), 'us').form.join(' | ');
    expect(whole).toContain('this mail holds the Supply Phase of the turn, too');
    expect(whole).toMatch(/# SUPPLY MOVE US/);
    expect(whole).toContain('KEEP ALL');
    expect(text(start('sealed'), 'us').form.join(' | ')).not.toContain('SUPPLY MOVE');
  });
});

describe('HON-F18 a card that would come to nothing is refused, not lost (4.2)', () => {
  const table = (): Battle =>
    battle({
      units: {
        US1: { type: 'rifle', at: 'H8' },
        US2: { type: 'pz', at: 'C8', rear: 'C9' },
        GE1: { type: 'rifle', at: 'P1' },
      },
      cards: { us: ['smoke', 'go', 'medic'] },
    });
  const said = (card: string, target: string, at: string) =>
    check(table().book, viewFor(table().state, 'us'), [
      { verb: 'PLAY', line: 1, card, on: target, at } as NormandieOrder,
    ])
      .filter((each) => each.line === 1)
      .map((each) => `${each.severity} ${wording.complain('normandie', each)}`);

  test.each([
    ['smoke', '@A1', 'order-end', /error smoke could not be played on @A1/],
    ['smoke', '@ZZ99', 'order-end', /error smoke could not be played on @ZZ99/],
    ['go', 'US2', 'order-end', /error go could not be played on US2/],
    ['medic', 'GE1', 'order-end', /error medic could not be played on GE1/],
  ])('%s on %s', (card, target, at, expected) => {
    const windows = table().book.cards.get(card)!.windows;
    expect(said(card, target, windows.includes(at as never) ? at : windows[0]!)[0]).toMatch(expected);
  });

  test('within reach it is good', () => {
    expect(said('smoke', '@H7', table().book.cards.get('smoke')!.windows[0]!)).toEqual([]);
  });
});
