/** Who must decide what, when a phase may run, and what a side may choose: the edges of C1.7 and C3. */

import { describe, expect, test } from 'vitest';
import { asWritten } from '../../../../src/kernel/questions.ts';
import { publicView, viewFor } from '../../../../src/kernel/view.ts';
import { isReady } from '../../../../src/systems/combatcommander/campaign/phases.ts';
import {
  leaderChoices,
  mustChoose,
  restCandidates,
  restMatches,
} from '../../../../src/systems/combatcommander/campaign/results.ts';
import { holds, pickItems, vpOf } from '../../../../src/systems/combatcommander/content/support.ts';
import type {
  After,
  CommanderSide,
  LeaderBox,
  Letter,
  ReserveRoll,
} from '../../../../src/systems/combatcommander/types.ts';
import {
  codes,
  fight,
  first,
  newCampaign,
  play,
  playTo,
  printedExample,
  read,
  rules,
  type State,
} from '../../../helpers/combatcommander.ts';

const roll = (names: Letter): ReserveRoll => ({ dice: [1, 1], names });

/** The boxes of a side: letters not named are in the pool. */
function campaignWith(side: CommanderSide, boxes: Partial<Record<LeaderBox, string>>) {
  const { campaign } = structuredClone(newCampaign().table);
  for (const letter of 'ABCDEFG') campaign.boxes[side][letter] = 'pool';
  for (const [box, letters] of Object.entries(boxes))
    for (const letter of letters) campaign.boxes[side][letter] = box as LeaderBox;
  return campaign;
}

function afterBattle(
  winner: CommanderSide,
  requests: Partial<Record<CommanderSide, Letter[]>>,
  rest: Letter[] | null = null,
): After {
  const rolls = (side: CommanderSide) => (requests[side] ?? ['none']).map(roll);
  return {
    battle: 3,
    winner,
    requests: { american: rolls('american'), german: rolls('german') },
    rest: rest === null ? null : rest.map(roll),
  };
}

describe('C3.6d who may rest', () => {
  const tired = campaignWith('german', { exhausted: 'BDE' });

  test.each([
    ['the one a roll names', ['D', 'A'], ['D']],
    ['both that two rolls name', ['E', 'B'], ['B', 'E']],
    ['nobody by a roll that names nobody', ['none', 'none'], []],
    ['any of them by a free choice', ['choice', 'none'], ['B', 'D', 'E']],
  ] as [string, Letter[], Letter[]][])('C3.6d %s', (_title, names, expected) => {
    expect(restCandidates(tired, names.map(roll))).toEqual(expected);
  });

  test.each([
    [['D', 'E'], ['D', 'E'], true],
    [['D', 'E'], ['D'], true],
    [['D', 'E'], [], true],
    [['D', 'E'], ['B'], false],
    [['D', 'none'], ['D', 'B'], false],
    [['choice', 'D'], ['D', 'B'], true],
    [['choice', 'D'], ['E', 'B'], false],
    [['choice', 'choice'], ['E', 'B'], true],
    [['choice', 'choice'], ['E', 'B', 'D'], false],
    [['choice', 'choice'], ['A'], false],
  ] as [Letter[], Letter[], boolean][])('C3.6d rolls %j let %j rest: %s', (names, letters, expected) => {
    expect(restMatches(tired, names.map(roll), letters)).toBe(expected);
  });
});

describe('who must choose after a battle', () => {
  const two = campaignWith('german', { available: 'AB', exhausted: 'D' });

  test('C3.5a the winner always, the loser only where the table leaves him a choice', () => {
    expect(mustChoose(two, afterBattle('german', {}), 'german')).toBe(true);
    expect(mustChoose(two, afterBattle('american', { german: ['A'] }), 'german')).toBe(false);
    expect(mustChoose(two, afterBattle('american', { german: ['none'] }), 'german')).toBe(false);
    expect(mustChoose(two, afterBattle('american', { german: ['choice'] }), 'german')).toBe(true);
    const one = campaignWith('german', { available: 'A' });
    expect(mustChoose(one, afterBattle('american', { german: ['choice'] }), 'german')).toBe(false);
    const none = campaignWith('german', {});
    expect(mustChoose(none, afterBattle('american', { german: ['choice'] }), 'german')).toBe(false);
  });

  test('C3.6d the German on the day of rest, if a roll brings him anybody; the American never for that', () => {
    expect(mustChoose(two, afterBattle('american', {}, ['D', 'none']), 'german')).toBe(true);
    expect(mustChoose(two, afterBattle('american', {}, ['A', 'none']), 'german')).toBe(false);
    const american = campaignWith('american', { exhausted: 'D' });
    expect(mustChoose(american, afterBattle('german', {}, ['D', 'choice']), 'american')).toBe(false);
  });

  test('C3.7c a free choice is among those Available, and the rested of that day', () => {
    expect(leaderChoices(two, afterBattle('american', {}), 'german')).toEqual(['A', 'B']);
    expect(leaderChoices(two, afterBattle('american', {}, ['D', 'A']), 'german')).toEqual(['A', 'B', 'D']);
    expect(leaderChoices(two, afterBattle('american', {}, ['none', 'A']), 'german')).toEqual(['A', 'B']);
    const american = campaignWith('american', { available: 'C', exhausted: 'D' });
    expect(leaderChoices(american, afterBattle('german', {}, ['D', 'choice']), 'american')).toEqual(['C']);
  });

  test('C3.7b C3.7c a loser with a free choice gets whom he names, else his wish, else the first', () => {
    const base = fight(newCampaign(), 'american', { 'german request, only': [1, 1] }).state;
    base.table.after!.requests.german = [roll('choice')];
    const got = (german: string[], standing: string[] = []): string => {
      const played = play(base, { american: ['CHOOSE REQUEST 1'], german }, { standing: { german: standing } });
      const event = played.events.filter((one) => one.type === 'request').at(-1)!;
      return event.type === 'request' ? event.leader : '';
    };
    expect(got(['CHOOSE LEADER C'])).toBe('Sgt Gessler');
    expect(got([], ['DOCTRINE REQUEST G B'])).toBe('Lt Von Hoffman');
    expect(got(['CHOOSE LEADER B'], ['DOCTRINE REQUEST G'])).toBe('Cpl Rubart');
    expect(got([], ['DOCTRINE REQUEST D'])).toBe('Cpl Wetteman');
    expect(got([])).toBe('Cpl Wetteman');
  });
});

describe('who owes orders in B2', () => {
  const asks = (state: State) =>
    Object.fromEntries(rules.asks(publicView(state)).map(({ side, must }) => [side, must]));
  const support = (points: Record<string, number>, rolled?: CommanderSide): State => {
    const { state } = play(newCampaign(), { american: ['SECTIONS NONE'], german: ['SECTIONS NONE'] });
    Object.assign(state.table.campaign.points, { americanArmor: 0, germanArmor: 0, germanArtillery: 0 }, points);
    if (rolled)
      state.table.battle.support = [{ side: rolled, dice: [1, 1], items: [{ item: 'LMG', cost: 1 }], bought: null }];
    return state;
  };

  test.each([
    ['nothing left to decide', {}, undefined, false, false],
    ['American armor', { americanArmor: 1 }, undefined, true, false],
    ['German armor', { germanArmor: 1 }, undefined, false, true],
    ['German artillery', { germanArtillery: 1 }, undefined, false, true],
    ['an American support roll', {}, 'american', true, false],
    ['a German support roll', {}, 'german', false, true],
  ] as [string, Record<string, number>, CommanderSide | undefined, boolean, boolean][])(
    'C1.7 %s',
    (_title, points, rolled, american, german) => {
      expect(asks(support(points, rolled))).toEqual({ american, german });
    },
  );

  test('C1.7 what has been bought is decided', () => {
    const state = support({}, 'german');
    state.table.battle.support[0]!.bought = ['LMG'];
    expect(asks(state)).toEqual({ american: false, german: false });
  });
});

describe('when a phase may run', () => {
  const battle = playTo(newCampaign(), 'battle');
  const confirm = play(battle, { american: ['REPORT BATTLE 1 WINNER AMERICAN'] }).state;
  const ready = (state: State, final: CommanderSide[], spoken: CommanderSide[] = final): boolean =>
    isReady(publicView(state), final, spoken);
  const ruled = (state: State, ruling: string | null): State => {
    const copy = structuredClone(state);
    copy.table.battle.ruling = ruling;
    return copy;
  };

  test('C0.6 one report is enough to go on from the battle; a bare FINAL is no word', () => {
    expect(ready(battle, [])).toBe(false);
    expect(ready(battle, ['german'])).toBe(true);
    expect(ready(battle, ['german'], [])).toBe(false);
    expect(ready(battle, ['german'], ['american'])).toBe(false);
  });

  test('C0.6 the other side has its term: the reporter cannot cut it short', () => {
    expect(ready(confirm, ['american'])).toBe(false);
    expect(ready(confirm, ['german'])).toBe(true);
    expect(ready(confirm, ['german'], ['american'])).toBe(false);
  });

  test('C0.6 the game master’s ruling ends every step of the battle, and no other', () => {
    for (const step of ['battle', 'confirm', 'dispute', 'ruling']) {
      const state = structuredClone(battle);
      state.phase.step = step;
      expect(ready(ruled(state, 'german'), []), step).toBe(true);
      expect(ready(ruled(state, 'nobody'), []), step).toBe(false);
      expect(ready(ruled(state, null), []), step).toBe(false);
    }
    expect(ready(ruled(newCampaign(), 'german'), [])).toBe(false);
    const dispute = structuredClone(battle);
    dispute.phase.step = 'dispute';
    expect(ready(dispute, ['german'])).toBe(false);
    expect(ready(dispute, ['german', 'american'])).toBe(true);
  });

  test('C0.8 nothing runs when the campaign is over', () => {
    const over = structuredClone(battle);
    over.table.ended = { winner: 'german', reason: 'concede' };
    expect(ready(ruled(over, 'german'), ['american', 'german'])).toBe(false);
  });
});

describe('an end by agreement', () => {
  test.each([
    ['concede', 'american', 'german'],
    ['concede', 'german', 'american'],
    ['draw', undefined, 'draw'],
    ['abandon', undefined, null],
    ['abandon', 'american', null],
  ] as const)('%s by %s: %s', (how, side, winner) => {
    const state = fight(newCampaign(), 'american').state;
    rules.conclude(state, how, side);
    expect(rules.outcome(state)).toEqual({ winner, reason: how, score: { american: 1, german: 0 } });
    expect(rules.asks(publicView(state))).toEqual([]);
  });
});

describe('conditions and wishes', () => {
  test('C1.73b C1.74d a condition looks at the other side, UNLESS ARMOR at the own', () => {
    const table = (when: Parameters<typeof holds>[0]) =>
      [false, true].map((own) => [false, true].map((opponent) => holds(when, own, opponent)));
    const [no, yes] = [false, true];
    expect(table('yes')).toEqual([
      [yes, yes],
      [yes, yes],
    ]);
    expect(table('no')).toEqual([
      [no, no],
      [no, no],
    ]);
    expect(table('if-opponent-armor')).toEqual([
      [no, yes],
      [no, yes],
    ]);
    expect(table('unless-opponent-armor')).toEqual([
      [yes, no],
      [yes, no],
    ]);
    expect(table('unless-armor')).toEqual([
      [yes, yes],
      [no, no],
    ]);
  });

  test.each([
    ['ARMOR IF OPPONENT ARMOR', 'ARTILLERY 2 UNLESS OPPONENT ARMOR', []],
    ['ARMOR UNLESS OPPONENT ARMOR', 'ARTILLERY 2 IF OPPONENT ARMOR', []],
    ['ARMOR UNLESS OPPONENT ARMOR', 'ARTILLERY 2 UNLESS OPPONENT ARMOR', ['ARTILLERY MAY BE EXCLUDED']],
    ['ARMOR IF OPPONENT ARMOR', 'ARTILLERY 2 IF OPPONENT ARMOR', ['ARTILLERY MAY BE EXCLUDED']],
    ['ARMOR IF OPPONENT ARMOR', 'ARTILLERY 2 UNLESS OPPONENT ARMOR ELSE 1', ['ARTILLERY MAY BE EXCLUDED']],
    ['ARMOR IF OPPONENT ARMOR', 'ARTILLERY 0', []],
    ['ARMOR IF OPPONENT ARMOR', 'ARTILLERY 2 UNLESS ARMOR', []],
    ['ARMOR NO', 'ARTILLERY 2', []],
    ['ARMOR YES', 'ARTILLERY 0', []],
    ['ARMOR YES', 'ARTILLERY 2 IF OPPONENT ARMOR', ['ARTILLERY EXCLUDED BY ARMOR']],
  ])('C1.74d %s beside %s', (armor, artillery, expected) => {
    const { state } = play(newCampaign(), { american: ['SECTIONS NONE'], german: ['SECTIONS NONE'] });
    expect(codes(state, 'german', armor, artillery)).toEqual(expected);
  });

  test.each([
    ['ARMOR YES', 'ARTILLERY 2', ['ARTILLERY EXCLUDED BY ARMOR']],
    ['ARMOR NO', 'ARTILLERY 2', []],
    ['ARMOR IF OPPONENT ARMOR', 'ARTILLERY 2 UNLESS OPPONENT ARMOR', []],
    ['ARMOR YES', 'ARTILLERY 2 UNLESS ARMOR', []],
  ])('CC-X12 C1.74d standing DOCTRINE %s beside the order %s', (armor, artillery, expected) => {
    const { state } = play(newCampaign(), { american: ['SECTIONS NONE'], german: ['SECTIONS NONE'] });
    const { standing } = read(state, 'german', [`DOCTRINE ${armor}`]);
    expect(read(state, 'german', [artillery], standing).codes).toEqual(expected);
    expect(read(state, 'german', [`DOCTRINE ${armor}`, artillery]).codes).toEqual(expected);
    // An order of its own comes before the doctrine.
    expect(read(state, 'german', ['ARMOR NO', artillery], standing).codes).toEqual([]);
  });

  test('C1.71 CHEAPEST, DEAREST and ALL; the first of equals', () => {
    const items = [
      { item: 'a', cost: 2 },
      { item: 'b', cost: 1 },
      { item: 'c', cost: 2 },
      { item: 'd', cost: 1 },
    ];
    expect([pickItems(items, 'cheapest'), pickItems(items, 'dearest'), pickItems(items, 'all')]).toEqual([
      ['b'],
      ['a'],
      ['a', 'b', 'c', 'd'],
    ]);
  });

  test('C1.71 the side with the VP rolls: the American with a plus, the German with a minus', () => {
    expect([
      vpOf({ vp: 3 }, 'american'),
      vpOf({ vp: 3 }, 'german'),
      vpOf({ vp: -2 }, 'american'),
      vpOf({ vp: -2 }, 'german'),
    ]).toEqual([3, 0, 0, 2]);
    const { events } = play(newCampaign(), { american: ['SECTIONS NONE'], german: ['SECTIONS D'] });
    expect(first(events, 'support-roll').side).toBe('american');
    expect(first(printedExample().events, 'support-roll').side).toBe('german');
  });
});

describe('answers to the two questions', () => {
  const { state } = printedExample({ 'german support': [6, 6] });
  const question = (kind: string, options: string[]) => ({
    id: 'q',
    to: 'american',
    kind,
    about: kind === 'support' ? { kind, side: 'american' } : { kind, left: 7 },
    options: asWritten(options),
    min: 1,
    max: 2,
    fallback: [],
  });
  const read = (side: CommanderSide, kind: string, options: string[], ...texts: string[]) => {
    const lines = texts.map((text, i) => ({ n: i + 1, text }));
    const answer = rules.parseAnswer(viewFor(state, side), question(kind, options) as never, lines);
    return 'chosen' in answer ? answer.chosen : answer.diagnostics.map((one) => one.code);
  };
  const support = (...texts: string[]) => read('american', 'support', ['Sgt1', 'HMG-WeaponTeam'], ...texts);
  const forts = (...texts: string[]) => read('german', 'fortify', [], ...texts);

  test('C1.71 items of the column, with or without the verb, in any case and order', () => {
    expect(support('SUPPORT BUY hmg+weaponteam, SGT1')).toEqual(['Sgt1', 'HMG-WeaponTeam']);
    expect(support('Sgt1')).toEqual(['Sgt1']);
    expect(support('Sgt1', 'HMG-WeaponTeam')).toEqual(['Sgt1', 'HMG-WeaponTeam']);
    expect(support('Sgt1 Tiger')).toEqual(['ITEM NOT IN COLUMN']);
    expect(support('')).toEqual(['ITEM NOT IN COLUMN']);
  });

  test('C1.91b a FORT line within the points, without hexes yet', () => {
    expect(forts('FORT POINTS Wire, Trenches')).toEqual(['Wire', 'Trenches']);
    expect(forts('FORT NONE')).toEqual([]);
    expect(forts('FORT VP Wire')).toEqual(['WRITE IT SO']);
    expect(forts('ARMOR NO')).toEqual(['WRITE IT SO']);
    expect(forts('FORT POINTS Hedge')).toEqual(['ITEM UNKNOWN']);
    expect(forts('FORT POINTS Mines8, Mines8, Mines8, Mines8')).toEqual(['OVER FORT POINTS']);
    expect(forts('FORT POINTS Wire H5')).toEqual(['FORT LATER']);
  });
});

describe('whose turn it is to set up', () => {
  const begin = (vp: number, placement: string, points = 7): State => {
    const { state } = play(newCampaign({ placement }, { orientation: [1] }), {
      american: ['SECTIONS NONE'],
      german: ['SECTIONS NONE'],
    });
    state.table.campaign.vp = vp;
    state.table.campaign.points.fortification = points;
    return play(state, { american: ['ARMOR NO'], german: ['ARMOR NO'] }, { answer: () => [] }).state;
  };

  test.each([
    ['by mail the Defender', -3, 'mail', 7, 'setup-first', 'german'],
    ['at the table a German Defender, who may buy fortifications', -3, 'table', 0, 'setup-first', 'german'],
    ['at the table an American Defender likewise', 3, 'table', 7, 'setup-first', 'american'],
    ['at the table in a Recon battle the German with points', 0, 'table', 7, 'setup-first', 'german'],
    ['at the table in a Recon battle nobody without points', 0, 'table', 0, 'battle', undefined],
  ] as const)('C1.9 C1.10 %s', (_title, vp, placement, points, step, side) => {
    const state = begin(vp, placement, points);
    if (vp === 0 && state.table.battle.first === 'american') {
      // The die has given the American the Initiative: then there is nothing to buy.
      expect(state.phase.step).toBe('battle');
      return;
    }
    expect(state.phase.step).toBe(step);
    const owing = rules.asks(publicView(state)).filter((ask) => ask.must);
    if (side) expect(owing.map((ask) => ask.side)).toEqual([side]);
  });

  test('C1.9 C1.10a what a side may write before and after its turn', () => {
    const setup = begin(-3, 'mail');
    expect(codes(setup, 'american', 'SETUP Craighead H9')).toEqual(['NOT NOW']);
    expect(codes(setup, 'american', 'RADIO ROLL')).toEqual(['NOT NOW']);
    expect(codes(setup, 'american', 'FORT VP Wire')).toEqual(['NOT NOW']);
    const second = play(setup, { german: [] }).state;
    expect(second.phase.step).toBe('setup-second');
    expect(codes(second, 'german', 'FORT VP Wire')).toEqual(['NOT NOW']);
    expect(codes(second, 'german', 'RADIO ROLL')).toEqual(['NOT NOW']);
    expect(codes(second, 'american', 'RADIO ROLL')).toEqual([]);
  });

  test('C0.6 while the game master decides nobody must, and both may', () => {
    const state = playTo(newCampaign(), 'battle');
    state.phase.step = 'ruling';
    expect(rules.asks(publicView(state))).toEqual([
      { side: 'american', must: false },
      { side: 'german', must: false },
    ]);
  });
});
