/** Every complaint of the order language with the exact words a player gets: what was wrong, where, what was expected. */
import { describe, expect, test } from 'vitest';
import { board, normandy, type Position, position, read, type World, wording } from '../../../helpers/overlord.ts';

interface Case {
  on?: World;
  at?: Position;
  side?: 'german' | 'allied';
  lines: string[];
  /** `line severity CODE rule: words`; the first complaint is compared. */
  says: string;
}

const pair = { US4: '0510', 'DE243/1': '0511', 'DE91/1': '0511' };
const fight: Position = { step: 'allied', units: pair };

const CASES: Record<string, Case> = {
  'UNKNOWN UNIT': {
    lines: ['HOLD DE12SS/9'],
    says: '1 error UNKNOWN UNIT OVL-PCS-02: there is no unit or formation DE12SS/9; did you mean DE12SS/1, DE12SS/2, DE12SS/3?',
  },
  'AMBIGUOUS UNIT': {
    lines: ['HOLD DE12'],
    says: '1 error AMBIGUOUS UNIT OVL-PCS-02: DE12 could be DE12SS, DE12SP: write more of the name',
  },
  'NOT YOURS': { lines: ['HOLD US4/1'], says: '1 error NOT YOURS OVL-SEQ-01: US4/1 belongs to the other side' },
  'NOT ON MAP': {
    at: { units: { 'DE271/1': 'off' } },
    lines: ['MOVE DE271/1 -> 0511'],
    says: '1 error NOT ON MAP OVL-APP-02: DE271/1 is not on the map (off); ENTER brings on a unit that waits off the board',
  },
  DEAD: {
    at: { units: { 'DE243/1': 'lost' } },
    lines: ['MOVE DE243/1 -> 0511'],
    says: '1 error DEAD OVL-CRE-12: DE243/1 has been eliminated',
  },
  'WRONG TURN': {
    at: { turn: 4, step: 'allied', units: { 'US4/1': 'lost' } },
    side: 'allied',
    lines: ['REPLACE US4/1 AT 0302'],
    says: '1 error WRONG TURN OVL-AOB-25: REPLACE is allowed on turns 26, 27, 28 only; this is turn 4',
  },
  'WRONG SIDE': {
    at: { units: { 'DE271/1': 'off' } },
    lines: ['LAND DE271/1 AT 0302'],
    says: '1 error WRONG SIDE OVL-APP-05: LAND is an order of the Allied side',
  },
  'NOT YOUR MOVE': {
    at: { step: 'allied' },
    lines: ['MOVE DE243/1 -> 0511'],
    says: '1 error NOT YOUR MOVE OVL-SEQ-01: MOVE cannot be ordered now: in the step allied the other side moves; DOCTRINE and ASK are read at any time',
  },
  'NOT RELEASED': {
    at: { turn: 1, units: { 'DE77/1': '0511' }, table: { held: ['DE77'] } },
    lines: ['MOVE DE77/1 -> 0512'],
    says: '1 error NOT RELEASED OVL-GOB-02: DE77/1 may not move on June 6: DE77 was not released',
  },
  'HEX UNKNOWN': {
    at: { units: { 'DE243/1': '0511' } },
    lines: ['MOVE DE243/1 -> 0532'],
    says: '1 error HEX UNKNOWN OVL-EXM-01: there is no hex 0532 on this map, which runs from 0101 to 0930; did you mean 0502, 0512, 0522?',
  },
  'NOT ADJACENT': {
    at: { units: { 'DE243/1': '0511' } },
    lines: ['MOVE DE243/1 -> 0513'],
    says: '1 error NOT ADJACENT OVL-MOV-01: DE243/1: 0513 is not next to 0511; next to it are 0410, 0411, 0510, 0512, 0610, 0611',
  },
  SEA: {
    at: { units: { 'DE243/1': '0302' } },
    lines: ['MOVE DE243/1 -> 0301'],
    says: '1 error SEA OVR-14: DE243/1 cannot enter 0301: it is sea',
  },
  'ENEMY IN HEX': {
    at: { units: { 'DE243/1': '0511', US4: '0512' } },
    lines: ['MOVE DE243/1 -> 0512'],
    says: '1 error ENEMY IN HEX OVL-CBT-01: DE243/1 cannot enter 0512, which is held by US4/1, US4/2, US4/3; attack them from next to it',
  },
  'TOO FAR': {
    at: { units: { 'DE709/1': '0711' } },
    lines: ['MOVE DE709/1 -> 0712 0713 0714'],
    says: '1 warning TOO FAR OVL-MOV-02: DE709/1 cannot go on from 0713 to 0714: that would cost 3 MP and it has 2; it stops in 0713',
  },
  'ZOC STOP': {
    at: { units: { 'DE243/1': '0713', 'US4/1': '0710' } },
    lines: ['MOVE DE243/1 -> 0712 0711 0811'],
    says: '1 warning ZOC STOP OVL-ZOC-02: DE243/1 must stop in 0711, in the zone of control of US4/1; the step to 0811 is not made',
  },
  'STACK FULL': {
    at: { units: { DE243: '0511', 'DE91/1': '0512' } },
    lines: ['MOVE DE91/1 -> 0511'],
    says: '1 error STACK FULL OVL-STK-01: DE91/1 cannot end in 0511 beside DE243/1, DE243/2, DE243/3: a hex holds three units or one division',
  },
  'ALREADY MOVED': {
    on: normandy,
    at: { units: { 'DE271/1': 'off' } },
    lines: ['ENTER DE271/1 ROAD 2', 'MOVE DE271/1 -> 1527'],
    says: '2 error ALREADY MOVED OVL-MOV-01: DE271/1 has moved already this turn; MOVE comes too late',
  },
  'ALREADY ATTACKS': {
    at: fight,
    side: 'allied',
    lines: ['ATTACK 0511 ONLY DE243/1 WITH US4/1', 'ATTACK 0511 ONLY DE91/1 WITH US4/1'],
    says: '2 error ALREADY ATTACKS OVR-05: US4/1 attacks already by line 1; each unit attacks once',
  },
  'NOT ADJACENT TO TARGET': {
    at: { step: 'allied', units: { 'US4/1': '0508', 'DE243/1': '0511' } },
    side: 'allied',
    lines: ['ATTACK 0511 WITH US4/1'],
    says: '1 error NOT ADJACENT TO TARGET OVL-CBT-01: US4/1 (in 0508) is not next to 0511',
  },
  'NO TARGET': {
    at: fight,
    side: 'allied',
    lines: ['ATTACK 0409 WITH US4'],
    says: '1 error NO TARGET OVL-CBT-01: there is no enemy in 0409',
  },
  'NOT IN TARGET': {
    at: fight,
    side: 'allied',
    lines: ['ATTACK 0511 ONLY DE21/1 WITH US4'],
    says: '1 error NOT IN TARGET OVL-SEL-02: DE21/1 does not stand in 0511',
  },
  'DEFENDER NOT ENGAGED': {
    at: fight,
    side: 'allied',
    lines: ['ATTACK 0511 ONLY DE243/1 WITH US4'],
    says: '1 error DEFENDER NOT ENGAGED OVL-SEL-01: the attack on 0511 leaves out DE91/1: everybody in the hex must be fought, by this line or another',
  },
  'ALREADY ATTACKED': {
    at: fight,
    side: 'allied',
    lines: ['ATTACK 0511 WITH US4/1', 'ATTACK 0511 WITH US4/2'],
    says: '2 error ALREADY ATTACKED OVR-05: 0511 is attacked already by line 1; each unit is attacked once',
  },
  'TAC OVER ALLOTMENT': {
    at: { ...fight, options: { tacPerTurn: 8 } },
    side: 'allied',
    lines: ['ATTACK 0511 WITH US4 SUPPORT TAC 9'],
    says: '1 error TAC OVER ALLOTMENT OVL-CLR-10: 9 TAC factors are too many: 8 of 8 are left this turn',
  },
  'TAC OVER GROUND STRENGTH': {
    at: fight,
    side: 'allied',
    lines: ['ATTACK 0511 WITH US4/1 SUPPORT TAC 5'],
    says: '1 error TAC OVER GROUND STRENGTH OVL-CLR-10: 5 TAC factors are too many: at most as many as the attackers’ printed combat factors, 4',
  },
  'SUPPORT NOT YOURS': {
    at: { units: pair },
    lines: ['ATTACK 0510 WITH DE243/1 SUPPORT TAC 1'],
    says: '1 error SUPPORT NOT YOURS OVL-CLR-10: only the Allies have TAC factors and naval gunfire',
  },
  'NAVAL RANGE': {
    at: { ...fight, options: { naval: true }, units: { US4: '0520', 'DE243/1': '0521' } },
    side: 'allied',
    lines: ['ATTACK 0521 WITH US4 SUPPORT NAVAL 2'],
    says: '1 error NAVAL RANGE OVL-CLR-10: 0521 is out of naval range: farther than 4 hexes from every usable beach in Allied hands',
  },
  'NAVAL OVER 4': {
    at: { ...fight, options: { naval: true } },
    side: 'allied',
    lines: ['ATTACK 0511 WITH US4 SUPPORT NAVAL 5'],
    says: '1 error NAVAL OVER 4 OVL-CLR-10: 5 naval factors are too many: at most 4 in one battle',
  },
  STORM: {
    at: { ...fight, table: { weather: 'storm' } },
    side: 'allied',
    lines: ['ATTACK 0511 WITH US4 SUPPORT TAC 1'],
    says: '1 error STORM OVL-CLR-10: no air or naval support in a storm',
  },
  'MODULE OFF': {
    at: fight,
    side: 'allied',
    lines: ['ATTACK 0511 WITH US4 SUPPORT NAVAL 1'],
    says: '1 error MODULE OFF OVL-CLR-10: NAVAL is not used in this game',
  },
  'BEACH DESTROYED': {
    at: {
      turn: 10,
      step: 'allied',
      units: { 'US9/1': 'off' },
      table: { beaches: { '0302': { destroyed: true, usableFrom: 12 } } },
    },
    side: 'allied',
    lines: ['LAND US9/1 AT 0302'],
    says: '1 error BEACH DESTROYED OVL-CLR-07: US9/1 cannot land in 0302: its landing places are destroyed until turn 12',
  },
  'NOT A BEACH': {
    at: { step: 'allied', units: { 'US9/1': 'off' } },
    side: 'allied',
    lines: ['LAND US9/1 AT 0303'],
    says: '1 error NOT A BEACH OVL-APP-05: US9/1 cannot land in 0303: it is no invasion beach',
  },
  "WRONG NATION'S BEACH": {
    at: { step: 'allied', units: { 'US9/1': 'off' } },
    side: 'allied',
    lines: ['LAND US9/1 AT 0702'],
    says: "1 error WRONG NATION'S BEACH OVL-AOB-26: US9/1 cannot land in 0702 (SWORD): it lands on the US beaches",
  },
  'ROAD UNKNOWN': {
    on: normandy,
    at: { units: { 'DE271/1': 'off' } },
    lines: ['ENTER DE271/1 ROAD 7'],
    says: '1 error ROAD UNKNOWN OVL-APP-02: DE271/1 enters by road 2, not by road 7',
  },
  'ENTRY BLOCKED': {
    on: normandy,
    at: { units: { 'DE271/1': 'off', 'US9/1': '1528' } },
    lines: ['ENTER DE271/1 ROAD 2'],
    says: '1 warning ENTRY BLOCKED OVL-APP-04: road 2 is blocked at 1528: DE271/1 enters at 1328 instead',
  },
  'ENTRY NOT THERE': {
    on: normandy,
    at: { units: { 'DE346/1': 'off' } },
    lines: ['ENTER DE346/1 ROAD 5 AT 4210'],
    says: '1 error ENTRY NOT THERE OVL-APP-04: DE346/1 cannot enter at 4210; possible for road 5: 4221, 4215',
  },
  'NOT ARRIVED': {
    lines: ['MOVE DE271/1 -> 0511'],
    says: '1 error NOT ARRIVED OVL-APP-01: DE271/1 arrives on turn 3 (June 12)',
  },
  'NOT SUPPLIED': {
    at: { step: 'allied', units: { 'US4/1': '0530', DE1SS: '0528', DE91: '0629', DE243: '0429' } },
    side: 'allied',
    lines: ['EXIT US4/1 SOUTH'],
    says: '1 error NOT SUPPLIED OVL-VIC-02: US4/1 cannot leave at 0530: it is not in supply there and would not count',
  },
  'WRONG EDGE': {
    at: { step: 'allied', units: { 'US4/1': '0530' } },
    side: 'allied',
    lines: ['EXIT US4/1 EAST'],
    says: '1 error WRONG EDGE OVL-VIC-01: US4/1 cannot leave at 0530 to the EAST: units leave from land hexes of the south and east edges',
  },
  'INTERDICTION NOT ON ROAD': {
    at: fight,
    side: 'allied',
    lines: ['INTERDICT 0511 2'],
    says: '1 error INTERDICTION NOT ON ROAD OVL-EXM-05: 0511 has no road to interdict',
  },
  'INTERDICTION OVER 4': {
    at: fight,
    side: 'allied',
    lines: ['INTERDICT 0206 5'],
    says: '1 error INTERDICTION OVER 4 OVL-EXM-05: 5 factors on 0206 are too many: at most 4 a hex',
  },
  'REPLACEMENT OVER 16': {
    on: normandy,
    at: { turn: 26, step: 'allied', units: { BRGDSA: 'lost' } },
    side: 'allied',
    lines: ['REPLACE BRGDSA/1 BRGDSA/2 BRGDSA/3 AT 2410'],
    says: '1 error REPLACEMENT OVER 16 OVL-AOB-25: BRGDSA/3 (8 factors) is too much: 16 of 16 replacement factors of this turn are used',
  },
  'NOT A LANDING PLACE': {
    at: { turn: 26, step: 'allied', units: { 'US4/1': 'lost' } },
    side: 'allied',
    lines: ['REPLACE US4/1 AT 0102'],
    says: '1 error NOT A LANDING PLACE OVL-AOB-28: US4/1 cannot come back in 0102: replacements land on an invasion beach or in an Allied port',
  },
  'NOT LOST': {
    at: { turn: 26, step: 'allied', units: { 'US4/1': '0510' } },
    side: 'allied',
    lines: ['REPLACE US4/1 AT 0302'],
    says: '1 error NOT LOST OVL-AOB-25: US4/1 has not been eliminated',
  },
  'ADVANCE OF A NON-ATTACKER': {
    at: fight,
    side: 'allied',
    lines: ['ATTACK 0511 WITH US4/1 ADVANCE US4/2 -> 0511'],
    says: '1 error ADVANCE OF A NON-ATTACKER OVL-CRE-09: US4/2 is named to ADVANCE but does not attack in this line',
  },
  'ADVANCE ELSEWHERE': {
    at: fight,
    side: 'allied',
    lines: ['ATTACK 0511 WITH US4/1 BREAKOUT US4/1 -> 0512'],
    says: '1 error ADVANCE ELSEWHERE OVR-19: US4/1: BREAKOUT begins with the vacated hex 0511, not with 0512',
  },
  'LOSSES OF A NON-ATTACKER': {
    at: fight,
    side: 'allied',
    lines: ['ATTACK 0511 WITH US4/1 LOSSES US4/2'],
    says: '1 error LOSSES OF A NON-ATTACKER OVL-CRE-05: US4/2 is named for losses but does not attack in this line',
  },
  'DUPLICATE ORDER': {
    at: { units: { 'DE243/1': '0511' } },
    lines: ['MOVE DE243/1 -> 0512', 'MOVE DE243/1 -> 0510'],
    says: '1 error DUPLICATE ORDER OVL-MOV-01: DE243/1 has a later MOVE in line 2; the last one counts',
  },
  'WRONG STEP': {
    at: { step: 'german-moves', options: { mode: 'split' }, units: { 'DE243/1': '0511', 'US4/1': '0510' } },
    lines: ['ATTACK 0510 WITH DE243/1'],
    says: '1 error WRONG STEP OVL-SEQ-01: ATTACK does not belong to the step german-moves',
  },
  'ON MAP': {
    at: { step: 'allied', units: { 'US9/1': '0510' } },
    side: 'allied',
    lines: ['LAND US9/1 AT 0302'],
    says: '1 error ON MAP OVL-APP-01: US9/1 is on the map already, in 0510: write MOVE instead of LAND',
  },
  'NONE HERE': {
    at: { units: { 'DE243/1': '0511', 'DE243/2': '0513' } },
    lines: ['MOVE DE243 -> 0520'],
    says: '1 error NONE HERE: no unit of DE243 can carry out this MOVE: its units are in 0511, 0513, due',
  },
  'CONDITION FAILS': {
    at: { units: { 'DE243/1': '0511', 'US4/1': '0520' } },
    lines: ['MOVE DE243/1 -> 0512 IF CLEAR 0520'],
    says: '1 warning CONDITION FAILS: the condition of this MOVE does not hold, so it is not carried out',
  },
  'VERB UNKNOWN': {
    lines: ['MOV DE243/1 -> 0511'],
    says: '1 error VERB UNKNOWN: "MOV" is no order of this game; did you mean MOVE? Orders begin with MOVE, ENTER, LAND, REPLACE, EXIT, ATTACK, INTERDICT, HOLD, DOCTRINE, ASK.',
  },
  'CLAUSE NOT HERE': {
    lines: ['MOVE DE243/1 -> 0511 WITH DE91'],
    says: '1 error CLAUSE NOT HERE: MOVE has no clause WITH',
  },
  'CLAUSE MISSING': {
    lines: ['MOVE DE243/1'],
    says: '1 error CLAUSE MISSING: -> is missing; the order is written MOVE unit … -> hex hex …',
  },
  'CLAUSE UNCLEAR': {
    lines: ['ATTACK 0510 WITH DE243/1 IF POSSIBLE'],
    says: '1 error CLAUSE UNCLEAR: this clause is not understood; it is written IF CLEAR hex | IF STANDS unit',
  },
  'WORD NOT UNDERSTOOD': {
    lines: ['DOCTRINE ADVANCE BOLDLY'],
    says: '1 error WORD NOT UNDERSTOOD: the word "BOLDLY" is not understood after DOCTRINE ADVANCE',
  },
  'EXIT WANTED': {
    lines: ['MOVE DE243/1 -> 0530 SOUTH'],
    says: '1 error EXIT WANTED: MOVE does not leave the board: write EXIT to go off over the SOUTH edge',
  },
  'UNIT MISSING': { lines: ['HOLD'], says: '1 error UNIT MISSING: a unit is expected after HOLD' },
  'HEX MISSING': {
    lines: ['MOVE DE243/1 ->'],
    says: '1 error HEX MISSING: a hex number of four digits is expected after ->',
  },
  'NUMBER MISSING': {
    lines: ['ENTER DE271 ROAD TWO'],
    says: '1 error NUMBER MISSING: a number is expected after ROAD, not "TWO"',
  },
  'DOCTRINE UNKNOWN': {
    lines: ['DOCTRINE COURAGE'],
    says: '1 error DOCTRINE UNKNOWN: DOCTRINE is followed by one of RETREAT, FIRST, LOSSES, ADVANCE, WITHDRAW, NAVAL and what is wished; "COURAGE" alone says nothing',
  },
  'ASK UNKNOWN': {
    lines: ['ASK NICELY'],
    says: '1 error ASK UNKNOWN: ASK is followed by one of RETREAT, FIRST, LOSSES, ADVANCE, BREAKOUT, WITHDRAW, not "NICELY"',
  },
  'LOW ODDS': {
    at: { step: 'allied', units: { 'US4/1': '0505', DE243: '0605' } },
    side: 'allied',
    lines: ['ATTACK 0605 WITH US4/1'],
    says: '1 warning LOW ODDS OVL-CBT-05: the attack on 0605 is at 1-18, worse than 1-3',
  },
  'NO RETREAT': {
    at: {
      step: 'allied',
      units: { 'US4/1': '0511', 'DE243/1': '0512', 'DE1SS/1': '0609', 'DE1SS/2': '0612', 'DE1SS/3': '0311' },
    },
    side: 'allied',
    lines: ['ATTACK 0512 WITH US4/1'],
    says: '1 warning NO RETREAT OVL-ZOC-04: if driven back, US4/1 would have no hex to retreat to and be lost',
  },
  'ENDS ISOLATED': {
    at: { step: 'allied', units: { 'US4/1': '0511', 'DE1SS/1': '0609', 'DE1SS/2': '0612', 'DE1SS/3': '0311' } },
    side: 'allied',
    lines: ['HOLD US4/1'],
    says: 'mail warning ENDS ISOLATED OVL-SUP-05: isolated after these moves: US4/1 (0511)',
  },
  'NOT ORDERED': {
    at: { step: 'allied', units: { 'US4/1': '0511', US9: '0521' } },
    side: 'allied',
    lines: ['HOLD US4/1'],
    says: 'mail warning NOT ORDERED OVL-SEQ-02: 3 units have no order and hold: US9',
  },
};

describe('complaints', () => {
  test.each(Object.entries(CASES))('%s', (_code, { on = board, at = {}, side = 'german', lines, says }) => {
    const state = position(on, at);
    const [first] = read(on, state, side, lines).diagnostics;
    expect(first).toBeDefined();
    const { line, severity, code, rule } = first!;
    expect(`${line} ${severity} ${code}${rule ? ` ${rule}` : ''}: ${wording.complain('overlord', first!)}`).toBe(says);
  });

  test.each([
    ['MOVE DE243/1 0512', 'write -> before the way: -> 0512'],
    ['HOLD DE243/1 0512', '0512 is a hex, not a unit; a way begins with ->, as -> 0512'],
    [
      'ATTACK 0511 DE243/1',
      'the word "DE243/1" is not understood after ATTACK; the order is written ATTACK hex [ONLY unit …] WITH unit …',
    ],
    ['HOLD DE', 'DE could be DE709, DE243, DE91, DE352, DE711, DE716, DE21, DE77 or 38 others: write more of the name'],
    ['INTERDICT 0204 0', 'a number is expected after 0204, not "0"'],
    ['DOCTRINE LOSSES KEEP', 'a unit is expected after KEEP'],
    ['MOVE DE91/1 -> 0512', 'DE91/1 is not on the map (withdrawn); it has left the game'],
    ['ATTACK 0511 WITH DE91/1', 'DE91/1 is not on the map (withdrawn); it has left the game'],
  ])('%s is answered in words that help', (text, words) => {
    const units = { 'DE243/1': '0510', 'DE91/1': 'withdrawn', 'US4/1': '0511' };
    const [first] = read(board, position(board, { units }), 'german', [text]).diagnostics;
    expect(wording.complain('overlord', first!)).toBe(words);
  });

  test('a line with an error falls, the rest of the mail stands', () => {
    const state = position(board, { units: { 'DE243/1': '0511', 'DE91/1': '0521' } });
    const found = read(board, state, 'german', ['MOVE DE243/1 -> 0513', 'MOVE DE91/1 -> 0522']);
    expect(found.diagnostics.filter((one) => one.severity === 'error').map((one) => one.line)).toEqual([1]);
  });

  test('the same fault of several units of a line is said once', () => {
    const state = position(board, { units: { DE243: '0511' } });
    const found = read(board, state, 'german', ['MOVE DE243/1 DE243/2 -> 0513']).diagnostics;
    expect(found.filter((one) => one.severity === 'error')).toHaveLength(1);
    expect(found[0]?.params.unit).toBe('DE243/1 DE243/2');
  });
});
