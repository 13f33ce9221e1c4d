/** Which lines of an attack stand beside which: targets, selective attack, advances, air and sea support. */
import { expect, test } from 'vitest';
import { board, codes, position, read } from '../../../helpers/overlord.ts';

const ARMOR: Record<string, string> = { 'DE21/1': '0505', 'DE21/3': '0505', BR7A: '0504', US4: '0404' };
const THREE: Record<string, string> = {
  'US4/1': '0303',
  'US9/1': '0403',
  'US90/1': '0503',
  'DE243/1': '0304',
  'DE91/1': '0404',
  'DE352/1': '0504',
};

test.each<[string, Record<string, string>, Record<string, number | boolean>, string[], string[]]>([
  ['OVL-SEL-01 OVR-05', ARMOR, {}, ['ATTACK 0505 ONLY DE21/1 WITH BR7A/1', 'ATTACK 0505 ONLY DE21/3 WITH BR7A/2'], []],
  ['OVL-SEL-01 OVR-05', ARMOR, {}, ['ATTACK 0505 ONLY DE21/1 WITH BR7A/1'], ['1 DEFENDER NOT ENGAGED']],
  [
    'OVL-SEL-01 OVR-05',
    ARMOR,
    {},
    ['ATTACK 0505 WITH BR7A/3', 'ATTACK 0505 ONLY DE21/1 WITH BR7A/1', 'ATTACK 0505 ONLY DE21/3 WITH BR7A/2'],
    ['2 ALREADY ATTACKED', '3 ALREADY ATTACKED'],
  ],
  [
    'OVL-SEL-01 OVR-05',
    ARMOR,
    {},
    ['ATTACK 0505 ONLY DE21/1 WITH BR7A/1', 'ATTACK 0505 ONLY DE21/3 WITH BR7A/2', 'ATTACK 0505 WITH BR7A/3'],
    ['3 ALREADY ATTACKED'],
  ],
  [
    'OVL-SEL-01 OVR-05',
    ARMOR,
    {},
    ['ATTACK 0505 ONLY DE21/1 WITH BR7A/1', 'ATTACK 0505 WITH BR7A/3', 'ATTACK 0505 ONLY DE21/3 WITH BR7A/2'],
    ['2 ALREADY ATTACKED'],
  ],
  ['OVL-SEL-01 OVR-05', ARMOR, {}, ['ATTACK 0505 WITH BR7A/3', 'ATTACK 0505 WITH US4/1'], ['2 ALREADY ATTACKED']],
  ['OVL-SEL-01 OVR-05', ARMOR, {}, ['ATTACK 0505 WITH BR7A/3 IF CLEAR 0520', 'ATTACK 0505 WITH US4/1'], []],
  [
    'OVL-SEL-01 OVR-05',
    ARMOR,
    {},
    ['ATTACK 0505 WITH BR7A/3 IF CLEAR 0520', 'ATTACK 0505 WITH US4/1', 'ATTACK 0505 WITH US4/2'],
    ['3 ALREADY ATTACKED'],
  ],
  [
    'OVL-SEL-01 OVR-05',
    ARMOR,
    {},
    [
      'ATTACK 0505 WITH BR7A/3 IF CLEAR 0520',
      'ATTACK 0505 ONLY DE21/1 WITH BR7A/1',
      'ATTACK 0505 ONLY DE21/3 WITH BR7A/2',
    ],
    [],
  ],
  [
    'OVL-SEL-01 OVR-05',
    ARMOR,
    {},
    ['ATTACK 0505 ONLY DE21/1 WITH BR7A/1', 'ATTACK 0505 ONLY DE21/1 WITH US4/1'],
    ['2 ALREADY ATTACKED', '1 DEFENDER NOT ENGAGED'],
  ],
  [
    'OVL-SEL-01 OVR-05',
    ARMOR,
    {},
    [
      'ATTACK 0505 ONLY DE21/1 WITH BR7A/1',
      'ATTACK 0505 ONLY DE21/1 WITH US4/1',
      'ATTACK 0505 ONLY DE21/3 WITH BR7A/2',
    ],
    ['2 ALREADY ATTACKED'],
  ],
  [
    'OVL-SEL-01 OVR-05',
    ARMOR,
    {},
    [
      'ATTACK 0505 ONLY DE21/1 WITH BR7A/1',
      'ATTACK 0505 ONLY DE21/3 WITH BR7A/2',
      'ATTACK 0505 ONLY DE21/1 DE21/3 WITH US4/1',
    ],
    ['3 ALREADY ATTACKED'],
  ],
  ['OVL-CRE-05', ARMOR, {}, ['ATTACK 0505 WITH BR7A/1 LOSSES BR7A/2'], ['1 LOSSES OF A NON-ATTACKER']],
  ['OVR-19', ARMOR, {}, ['ATTACK 0505 WITH BR7A/1 ADVANCE BR7A/2 -> 0505'], ['1 ADVANCE OF A NON-ATTACKER']],
  ['OVR-19', ARMOR, {}, ['ATTACK 0505 WITH BR7A/1 ADVANCE BR7A/1 -> 0506'], ['1 ADVANCE ELSEWHERE']],
  ['OVR-19', ARMOR, {}, ['ATTACK 0505 WITH BR7A/1 ADVANCE BR7A/1 -> 0505 0509'], ['1 NOT ADJACENT']],
  ['OVR-19', ARMOR, {}, ['ATTACK 0505 WITH BR7A/1 BREAKOUT BR7A/1 -> 0505 0506 SOUTH'], ['1 WRONG EDGE']],
  ['OVR-19', ARMOR, {}, ['ATTACK 0505 WITH BR7A/1 ADVANCE BR7A/1 -> 0505 0506'], []],
  ['OVL-CLR-10', THREE, {}, ['ATTACK 0304 WITH US4/1 SUPPORT TAC 4'], []],
  ['OVL-CLR-10', THREE, {}, ['ATTACK 0304 WITH US4/1 SUPPORT TAC 5'], ['1 TAC OVER GROUND STRENGTH']],
  [
    'OVL-CLR-10',
    THREE,
    { tacPerTurn: 8 },
    ['ATTACK 0304 WITH US4/1 SUPPORT TAC 4', 'ATTACK 0404 WITH US9/1 SUPPORT TAC 4'],
    [],
  ],
  [
    'OVL-CLR-10',
    THREE,
    { tacPerTurn: 8 },
    [
      'ATTACK 0304 WITH US4/1 SUPPORT TAC 4',
      'ATTACK 0404 WITH US9/1 SUPPORT TAC 4',
      'ATTACK 0504 WITH US90/1 SUPPORT TAC 1',
    ],
    ['3 TAC OVER ALLOTMENT'],
  ],
  ['OVL-CLR-10', THREE, { tacPerTurn: 8 }, ['ATTACK 0304 WITH US4/1 SUPPORT TAC 4', 'INTERDICT 0206 4'], []],
  [
    'OVL-CLR-10',
    THREE,
    { tacPerTurn: 8 },
    ['ATTACK 0304 WITH US4/1 SUPPORT TAC 4', 'INTERDICT 0206 4, 0207 1'],
    ['2 TAC OVER ALLOTMENT'],
  ],
  [
    'OVL-CLR-10',
    THREE,
    { naval: true },
    ['ATTACK 0304 WITH US4/1 SUPPORT NAVAL 4', 'ATTACK 0404 WITH US9/1 SUPPORT NAVAL 4'],
    [],
  ],
  ['OVL-CLR-10', THREE, { naval: true }, ['ATTACK 0304 WITH US4/1 SUPPORT NAVAL 5'], ['1 NAVAL OVER 4']],
  [
    'OVL-CLR-10',
    THREE,
    { naval: true },
    [
      'ATTACK 0304 WITH US4/1 SUPPORT NAVAL 4',
      'ATTACK 0404 WITH US9/1 SUPPORT NAVAL 3',
      'ATTACK 0504 WITH US90/1 SUPPORT NAVAL 1',
    ],
    [],
  ],
  [
    'OVL-CLR-10',
    THREE,
    { naval: true },
    [
      'ATTACK 0304 WITH US4/1 SUPPORT NAVAL 4',
      'ATTACK 0404 WITH US9/1 SUPPORT NAVAL 4',
      'ATTACK 0504 WITH US90/1 SUPPORT NAVAL 1',
    ],
    ['3 NAVAL OVER ALLOTMENT'],
  ],
  ['OVL-CLR-10', THREE, { naval: true, tac: false }, ['ATTACK 0304 WITH US4/1 SUPPORT TAC 1'], ['1 MODULE OFF']],
  ['OVL-CLR-10', THREE, {}, ['ATTACK 0304 WITH US4/1 SUPPORT NAVAL 1'], ['1 MODULE OFF']],
  ['OVL-CLR-10', THREE, {}, ['ATTACK 0304 WITH US4/1 SUPPORT TAC 0'], []],
  ['OVL-CBT-01', THREE, {}, ['ATTACK 0304 WITH US4/1', 'ATTACK 0404 WITH US4/1'], ['2 ALREADY ATTACKS']],
  ['OVL-CBT-01', THREE, {}, ['ATTACK 0309 WITH US4/1'], ['1 NO TARGET']],
  ['OVL-CBT-01', THREE, {}, ['ATTACK 0403 WITH US4/1'], ['1 NO TARGET']],
  ['OVL-CBT-01', THREE, {}, ['ATTACK 0304 ONLY DE91/1 WITH US4/1'], ['1 NOT IN TARGET']],
  ['OVL-CBT-01', THREE, {}, ['ATTACK 0304 WITH DE91/1'], ['1 NOT YOURS']],
  ['OVL-EXM-05', THREE, {}, ['INTERDICT 0206 5'], ['1 INTERDICTION OVER 4']],
  ['OVL-EXM-05', THREE, {}, ['INTERDICT 0206 2, 0206 3'], ['1 INTERDICTION OVER 4']],
  ['OVL-EXM-05', THREE, {}, ['INTERDICT 0206 2', 'INTERDICT 0206 3'], ['2 INTERDICTION OVER 4']],
  ['OVL-EXM-05', THREE, {}, ['INTERDICT 0511 1'], ['1 INTERDICTION NOT ON ROAD']],
  ['OVL-EXM-05', THREE, {}, ['INTERDICT 0206 4'], []],
])('%s %#', (_rule, units, options, lines, expected) => {
  const state = position(board, { turn: 3, step: 'allied', units, options });
  expect(codes(read(board, state, 'allied', lines).diagnostics), lines.join('\n')).toEqual(expected);
});
