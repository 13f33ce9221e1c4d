/** Doctrine answers the questions of the reaction windows: the most specific line that fits decides. */

import { describe, expect, test } from 'vitest';
import { asWritten } from '../../../../src/kernel/questions.ts';
import type { DecisionRequest } from '../../../../src/kernel/types.ts';
import { viewFor } from '../../../../src/kernel/view.ts';
import type { FireAction, QuestionKind } from '../../../../src/systems/normandie/language.ts';
import { answer } from '../../../../src/systems/normandie/player/doctrine.ts';
import { parse } from '../../../../src/systems/normandie/text/orders.ts';
import type { Moment, Normandie, Offered, SideView } from '../../../../src/systems/normandie/types.ts';
import { type Battle, battle } from '../../../helpers/normandie-battle.ts';

/** What the rules say a choice of a window stands for. */
function offered(kind: string, option: string): [string, Offered][] {
  const [word, what] = option.split(' ');
  const shot = /^FIRE (\S+)(?: WITH (\S+))? AT (\S+)( SUPPRESS)?$/.exec(option);
  if (shot) {
    const [, unit, weapon, target, suppress] = shot;
    const fire: FireAction = { do: 'fire', unit: unit!, targets: [{ target: 'unit', code: target! }] };
    if (weapon) fire.weapon = weapon;
    if (suppress) fire.suppress = true;
    return [[option, { is: 'shot', fire, target: target! }]];
  }
  if (kind === 'gear' && what) return [[option, { is: 'gear', option: word!, n: Number(what) }]];
  if (kind === 'card' && word !== 'PASS')
    return [[option, { is: 'card', card: word!, use: 'event', at: what ?? null }]];
  return [];
}

const field = (): Battle =>
  battle({
    board: Array<string>(8).fill('............'),
    units: {
      US1: { type: 'rifle', at: 'A4', token: 2 },
      US2: { type: 'rifle', at: 'B6' },
      GE1: { type: 'rifle', at: 'D4' },
      GE2: { type: 'blean', at: 'F4', suppressed: 1 },
      GE3: { type: 'jeep', at: 'C2' },
    },
    cards: { us: ['fallback', 'aim', 'second'] },
    gear: [{ side: 'us', option: 'ammo', left: 3 }],
  });

const step: Moment = { at: 'move', unit: 'GE1', trigger: 1, from: 'E4', to: 'D4', what: 'step', assaults: null };

function decide(
  kind: QuestionKind,
  options: string[],
  lines: string[],
  given: { unit?: string; action?: string; moment?: Moment; used?: Record<string, number> } = {},
): string | undefined {
  const { book, state } = field();
  state.table.moment = given.moment ?? null;
  if (given.used) state.hands.us!.used = { turn: state.phase.turn, times: given.used };
  const view = viewFor(state, 'us') as SideView;
  const parsed = parse(
    book,
    lines.map((text, i) => ({ n: i + 1, text })),
    view,
  );
  expect(parsed.diagnostics).toEqual([]);
  const request: DecisionRequest<Normandie> = {
    id: 'q',
    to: 'us',
    kind,
    about: { unit: given.unit ?? 'US1', of: Object.fromEntries(options.flatMap((option) => offered(kind, option))) },
    options: asWritten(options),
    min: 1,
    max: 1,
    fallback: [options[0]!],
    words: { key: 'normandie.ask', params: { unit: given.unit ?? 'US1', action: given.action ?? '' } },
  };
  const said = answer(book, view, { orders: [], standing: parsed.standing }, request, true);
  return said === 'ask' ? 'ask' : said?.chosen[0];
}

describe('Opportunity Fire', () => {
  const SHOTS = ['NO', 'FIRE US1 AT GE1', 'FIRE US1 AT GE2', 'FIRE US1 AT GE3'];

  test('without a line nothing is said and the fallback stands', () => {
    expect(decide('opfire', SHOTS, [], { moment: step })).toBeUndefined();
  });

  test('YES takes the best chance, TARGET the kind named first', () => {
    const yes = decide('opfire', SHOTS, ['DOCTRINE OPFIRE ALL YES'], { moment: step });
    expect(yes).toBe('FIRE US1 AT GE1');
    expect(decide('opfire', SHOTS, ['DOCTRINE OPFIRE ALL YES TARGET OFFICER, ANY'], { moment: step })).toBe(
      'FIRE US1 AT GE2',
    );
    expect(decide('opfire', SHOTS, ['DOCTRINE OPFIRE ALL YES TARGET LIGHT'], { moment: step })).toBe('FIRE US1 AT GE3');
    expect(decide('opfire', SHOTS, ['DOCTRINE OPFIRE ALL YES TARGET HEAVY'], { moment: step })).toBeUndefined();
  });

  test('a line for the unit wins over ALL, among equals the first that fits', () => {
    const lines = ['DOCTRINE OPFIRE ALL YES', 'DOCTRINE OPFIRE US1 NO IF TOKEN <= 2'];
    expect(decide('opfire', SHOTS, lines, { moment: step })).toBe('NO');
    const early = ['DOCTRINE OPFIRE US1 NO IF TOKEN <= 1', 'DOCTRINE OPFIRE US1 YES IF RANGE <= 3'];
    expect(decide('opfire', SHOTS, early, { moment: step })).toBe('FIRE US1 AT GE1');
  });

  test('WAIT n lets the first n triggers of an enemy action pass', () => {
    const wait = ['DOCTRINE OPFIRE ALL YES WAIT 2'];
    expect(decide('opfire', SHOTS, wait, { moment: { ...step, trigger: 2 } as Moment })).toBeUndefined();
    expect(decide('opfire', SHOTS, wait, { moment: { ...step, trigger: 3 } as Moment })).toBe('FIRE US1 AT GE1');
  });

  test('ASK puts the window to the player', () => {
    expect(decide('opfire', SHOTS, ['DOCTRINE OPFIRE ALL YES', 'DOCTRINE ASK OPFIRE'], { moment: step })).toBe('ask');
    expect(decide('opfire', SHOTS, ['DOCTRINE OPFIRE ALL NO', 'DOCTRINE ASK RETREAT'], { moment: step })).toBe('NO');
  });
});

describe('re-rolls', () => {
  const roll = (side: 'us' | 'ge', effect: string, chance: number): Moment =>
    ({
      at: 'roll',
      side,
      unit: 'US1',
      target: 'GE1',
      purpose: 'fire',
      dice: [1],
      total: 3,
      need: 4,
      chance,
      result: { effect },
    }) as Moment;
  const OPTIONS = ['PASS', 'VETERAN', 'SECOND'];
  const own = ['DOCTRINE REROLL veteran OWN IF FAILED AND CHANCE >= 50 MAX 2'];

  test('an own miss with a good chance is rolled again, a bad chance not', () => {
    expect(decide('reroll', OPTIONS, own, { moment: roll('us', 'none', 66) })).toBe('VETERAN');
    expect(decide('reroll', OPTIONS, own, { moment: roll('us', 'none', 33) })).toBeUndefined();
    expect(decide('reroll', OPTIONS, own, { moment: roll('us', 'hit', 66) })).toBeUndefined();
  });

  test('the enemy’s roll counts by its chance to fail', () => {
    const enemy = ['DOCTRINE REROLL second ENEMY IF HITS ANY AND CHANCE >= 50'];
    expect(decide('reroll', OPTIONS, enemy, { moment: roll('ge', 'hit', 33) })).toBe('SECOND');
    expect(decide('reroll', OPTIONS, enemy, { moment: roll('ge', 'hit', 66) })).toBeUndefined();
  });

  test('MAX counts the uses of the turn', () => {
    const moment = roll('us', 'none', 66);
    expect(decide('reroll', OPTIONS, own, { moment, used: { 'REROLL veteran': 1 } })).toBe('VETERAN');
    expect(decide('reroll', OPTIONS, own, { moment, used: { 'REROLL veteran': 2 } })).toBeUndefined();
  });
});

describe('cards and gear', () => {
  const targeted: Moment = {
    at: 'fire',
    stage: 'declared',
    unit: 'GE1',
    weapon: 'fire',
    suppress: false,
    targets: ['US1'],
    chance: 66,
  };

  test('a card is played in its window, on its unit, along the path wished', () => {
    const lines = ['DOCTRINE CARD fallback WHEN TARGETED US1 IF CHANCE >= 60 -> B4 A5'];
    const options = ['PASS', 'fallback A3', 'fallback A5'];
    expect(decide('card', options, lines, { moment: targeted })).toBe('fallback A5');
    const other = ['DOCTRINE CARD fallback WHEN TARGETED US2'];
    expect(decide('card', options, other, { moment: targeted })).toBeUndefined();
    const suppressed = ['DOCTRINE CARD fallback WHEN SUPPRESSED US1'];
    expect(decide('card', options, suppressed, { moment: targeted })).toBeUndefined();
  });

  test('KEEP n leaves n cards in the hand', () => {
    const line = (n: number) => [`DOCTRINE CARD fallback WHEN TARGETED ANY KEEP ${n}`];
    expect(decide('card', ['PASS', 'fallback A3'], line(2), { moment: targeted })).toBe('fallback A3');
    expect(decide('card', ['PASS', 'fallback A3'], line(3), { moment: targeted })).toBeUndefined();
  });

  test('a bonus goes to the kind of action and unit named', () => {
    const own: Moment = { ...targeted, unit: 'US1', targets: ['GE1'] };
    const lines = ['DOCTRINE CARD aim AS BONUS ON FIRE US1 IF CHANCE 30..70'];
    const offers = ['PASS', 'aim BONUS', 'aim EVENT'];
    expect(decide('bonus', offers, lines, { moment: own, action: 'fire' })).toBe('aim BONUS');
    expect(decide('bonus', offers, lines, { moment: own, action: 'fire', unit: 'US2' })).toBeUndefined();
    const assault = ['DOCTRINE CARD aim AS BONUS ON ASSAULT'];
    expect(decide('bonus', offers, assault, { moment: own, action: 'fire' })).toBeUndefined();
    expect(decide('bonus', offers, assault, { moment: own, action: 'assault' })).toBe('aim BONUS');
    const any = ['DOCTRINE CARD aim AS BONUS ON ANY'];
    for (const action of ['fire', 'assault', 'move', 'damage', 'scatter', 'destruction', 'mine'])
      expect(decide('bonus', offers, any, { moment: own, action })).toBe('aim BONUS');
    expect(decide('bonus', offers, ['DOCTRINE CARD aim WHEN TARGETED ANY'], { moment: own })).toBeUndefined();
  });

  test('gear markers up to the count', () => {
    const options = ['NONE', 'ammo 1', 'ammo 2', 'ammo 3'];
    expect(decide('gear', options, ['DOCTRINE GEAR ammo ALL ALWAYS IN FIRE COUNT 2'], { moment: targeted })).toBe(
      'ammo 2',
    );
    expect(decide('gear', options, ['DOCTRINE GEAR ammo ALL ALWAYS IN ASSAULT'], { moment: targeted })).toBeUndefined();
  });
});

describe('other choices', () => {
  test('retreat goes towards the first direction that has a square', () => {
    const squares = ['A3', 'B4', 'B5'];
    expect(decide('retreat', squares, ['DOCTRINE RETREAT ALL TOWARD S, E'])).toBe('B4');
    expect(decide('retreat', squares, ['DOCTRINE RETREAT US1 TOWARD SE'])).toBe('B5');
    expect(decide('retreat', squares, ['DOCTRINE RETREAT ALL TOWARD W'])).toBeUndefined();
  });

  test('damage, aim, frightening shot, spotted scouts and targets follow their lines', () => {
    expect(decide('damage', ['2', '5'], ['DOCTRINE DAMAGE ALL PREFER 6, 5, 2'])).toBe('5');
    expect(decide('aim', ['UNIT', 'BUILDING'], ['DOCTRINE AIM ALL BUILDING'])).toBe('BUILDING');
    expect(decide('frighten', ['YES', 'NO'], ['DOCTRINE FRIGHTEN US1 NO'])).toBe('NO');
    expect(decide('spotted', ['GO ON', 'HOLD', 'FIRE'], ['DOCTRINE SPOTTED ALL HOLD'])).toBe('HOLD');
    expect(decide('target', ['GE1', 'GE2', 'GE3'], ['DOCTRINE TARGET ALL SUPPRESSED'])).toBe('GE2');
    expect(decide('target', ['GE2', 'GE1'], ['DOCTRINE TARGET ALL NEAREST'])).toBe('GE1');
  });

  test('an answer that is no option is not given', () => {
    expect(decide('damage', ['2'], ['DOCTRINE DAMAGE ALL PREFER 5'])).toBeUndefined();
  });
});
