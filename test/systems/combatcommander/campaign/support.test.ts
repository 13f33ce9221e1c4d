/** C1.7: support rolls, armor, artillery, air superiority. */

import { describe, expect, test } from 'vitest';
import { asWritten } from '../../../../src/kernel/questions.ts';
import { publicView, viewFor } from '../../../../src/kernel/view.ts';
import { pay } from '../../../../src/systems/combatcommander/content/support.ts';
import type { CampaignQuestion, SupportPoints } from '../../../../src/systems/combatcommander/types.ts';
import {
  all,
  codes,
  complaints,
  first,
  newCampaign,
  type Played,
  play,
  printedExample,
  reportText,
  rules,
  type State,
} from '../../../helpers/combatcommander.ts';

/** A campaign in step B2 with nothing bought, so that the marker is on 0 and nobody has rolled. */
function support({ vp = 0, ...points }: Partial<SupportPoints> & { vp?: number } = {}): State {
  const { state } = play(newCampaign(), { american: ['SECTIONS NONE'], german: ['SECTIONS NONE'] });
  state.table.campaign.vp = vp;
  Object.assign(state.table.campaign.points, points);
  return state;
}

/** The American posture when he takes armor with the marker so. */
function postureWith(vp: number): string | undefined {
  const state = support({ vp });
  return run(state, ['ARMOR YES'], none).state.table.battle.posture?.american;
}

const none = ['ARMOR NO'];
const run = (state: State, american: string[], german: string[], dice = {}): Played =>
  play(state, { american, german }, { dice });

describe('C1.71 standard support rolls', () => {
  test('C1.71, C1.7: the side with the VP rolls, buys at least one item of the column, and pays', () => {
    const { state, events } = printedExample({ 'german support': [4, 2] });
    expect(first(events, 'support-roll').items).toEqual(['Rifle 1', 'WeaponTeam 1']);
    const { state: after, events: bought } = run(state, none, ['SUPPORT BUY Rifle, WeaponTeam', 'ARMOR NO']);
    expect(first(bought, 'support-bought')).toMatchObject({ items: ['Rifle', 'WeaponTeam'], from: -4, to: -2 });
    expect(after.table.battle.support[0]!.bought).toEqual(['Rifle', 'WeaponTeam']);
    expect(bought.map((event) => event.type).slice(0, 4)).toEqual([
      'support-bought',
      'armor-declined',
      'armor-declined',
      'air',
    ]);
  });

  test('C1.71: with the marker on 0 nobody rolls', () => {
    const { events, state } = play(newCampaign(), { american: ['SECTIONS NONE'], german: ['SECTIONS NONE'] });
    expect(first(events, 'support-none').type).toBe('support-none');
    expect(codes(state, 'german', 'SUPPORT BUY Rifle')).toEqual(['NO SUPPORT ROLL']);
  });

  test('C1.71: who has rolled must buy; another column’s items are refused; silence buys the cheapest', () => {
    const { state } = printedExample({ 'german support': [4, 3] });
    expect(complaints(state, 'german', 'SUPPORT NONE')).toEqual([
      'you must buy at least one item of your column: LMG (1 VP), EliteRifle (2 VP)',
    ]);
    expect(codes(state, 'german', 'SUPPORT NONE')).toEqual(['MUST BUY']);
    expect(codes(state, 'german', 'SUPPORT BUY Rifle')).toEqual(['ITEM NOT IN COLUMN']);
    expect(first(play(state, {}).events, 'support-bought')).toMatchObject({ items: ['LMG'], forced: false });
  });

  test('C1.71: only when the marker crosses 0 does the other side roll, and is asked by mail', () => {
    const { state } = printedExample({ 'german support': [6, 6] });
    const blocks = { american: none, german: ['SUPPORT BUY Sgt1, HMG+WeaponTeam', 'ARMOR NO'] };
    const played = play(state, blocks, {
      dice: { 'american support': [6, 5] },
      answer: (request) => (request.kind === 'support' ? ['Satchel'] : request.fallback),
    });
    const [request] = played.requests;
    expect(request).toMatchObject({
      to: 'american',
      options: asWritten(['Sgt1', 'Satchel']),
      fallback: ['Satchel'],
      min: 1,
      max: 2,
    });
    expect(all(played.events, 'support-bought').map(({ side, from, to }) => [side, from, to])).toEqual([
      ['german', -4, 3],
      ['american', 3, 2],
    ]);
    const lines = [{ n: 1, text: 'SUPPORT BUY Sgt1, Satchel' }];
    expect(rules.parseAnswer(viewFor(state, 'american'), request as CampaignQuestion, lines)).toEqual({
      chosen: ['Sgt1', 'Satchel'],
    });
    const wrong = rules.parseAnswer(viewFor(state, 'american'), request as CampaignQuestion, [{ n: 1, text: 'Elite' }]);
    expect(wrong).toMatchObject({ diagnostics: [{ code: 'ITEM NOT IN COLUMN' }] });
  });

  test('C1.71: a marker that comes to 0 has not crossed it; who answers nothing gets the cheapest item', () => {
    const { state } = printedExample({ 'german support': [6, 6] });
    const exact = run(state, none, ['SUPPORT BUY Sgt1', 'ARMOR NO']);
    expect(all(exact.events, 'support-bought').map(({ to }) => to)).toEqual([0]);
    expect(all(exact.events, 'support-roll')).toEqual([]);
    const german = ['SUPPORT BUY ALL', 'ARMOR NO'];
    const dumb = play(
      state,
      { american: none, german },
      { dice: { 'american support': [6, 5] }, answer: (request) => (request.kind === 'support' ? [] : ['none']) },
    );
    expect(all(dumb.events, 'support-bought')[1]).toMatchObject({ side: 'american', items: ['Satchel'], forced: true });
  });

  test('C1.7: support, American armor, German armor, artillery and aircraft come in the printed order', () => {
    const { state } = printedExample({ 'german support': [4, 2] });
    const types = (american: string[], german: string[]): string[] =>
      run(state, american, german).events.map((event) =>
        'side' in event ? `${event.type} ${event.side}` : event.type,
      );
    expect(types(['ARMOR YES'], ['SUPPORT BUY Rifle', 'ARMOR YES']).slice(0, 6)).toEqual([
      'support-bought german',
      'armor american',
      'charges',
      'armor german',
      'armor-cancelled',
      'air',
    ]);
    expect(types(['ARMOR YES'], ['SUPPORT BUY Rifle', 'ARTILLERY 1']).slice(3, 7)).toEqual([
      'armor-declined german',
      'artillery',
      'air',
      'posture',
    ]);
  });

  test('a wish filed beforehand or doctrine saves that mail', () => {
    const { state } = printedExample({ 'german support': [6, 6] });
    const german = ['SUPPORT BUY ALL', 'ARMOR NO'];
    const dice = { 'american support': [6, 5] };
    const ordered = play(state, { american: ['SUPPORT BUY DEAREST', 'ARMOR NO'], german }, { dice });
    expect(ordered.result.decisions.find((one) => one.id.startsWith('support'))).toMatchObject({
      chosen: ['Sgt1'],
      by: 'order',
    });
    const standing = { american: ['DOCTRINE SUPPORT ALL'], german: ['DOCTRINE FORT NONE'] };
    const wished = play(state, { american: none, german }, { dice, standing });
    expect(wished.requests).toEqual([]);
    expect(wished.result.decisions[0]).toMatchObject({ chosen: ['Sgt1', 'Satchel'], by: 'doctrine' });
  });
});

describe('C1.72 American armor (CC-C12)', () => {
  test('C1.72a, C1.72b, C1.72d, C1.72e, C1.72f, C1.72g, C1.72h: Radio, charges, a point and 5 VP', () => {
    const state = support({ vp: -4 });
    const { state: after, events } = run(state, ['ARMOR YES'], none);
    expect(first(events, 'armor')).toMatchObject({ side: 'american', left: 4, from: -4, to: -8 });
    expect(first(events, 'charges')).toMatchObject({ from: -8, to: -9 });
    expect(after.table.campaign).toMatchObject({ vp: -9, points: { americanArmor: 4 } });
    const sheet = reportText(after, 'public').join('\n');
    expect(sheet).toContain('American armor: 75mm Radio (8 FP)');
    expect(sheet).toContain('Charge1 Demolition Charge');
    expect(sheet).toContain('Charge2 Demolition Charge');
  });

  test('C1.72c: five times in the campaign, once a battle', () => {
    const empty = support({ americanArmor: 0 });
    expect(codes(empty, 'american', 'ARMOR YES')).toEqual(['NO POINTS']);
    expect(rules.asks(publicView(empty))).toEqual([
      { side: 'american', must: false },
      { side: 'german', must: true },
    ]);
    expect(complaints(support(), 'american', 'ARMOR IF OPPONENT ARMOR')).toEqual([
      'the American decides on armor before the German does: write ARMOR YES or ARMOR NO',
    ]);
    expect(codes(support(), 'american', 'ARMOR IF OPPONENT ARMOR')).toEqual(['AMERICAN DECIDES FIRST']);
  });

  test('C1.72b: whatever his posture will be', () => {
    expect(postureWith(6)).toBe('defend');
    expect(postureWith(5)).toBe('recon');
    expect(postureWith(4)).toBe('attack');
  });
});

describe('C1.73 German armor (CC-C13)', () => {
  const both = () => run(support({ vp: -4 }), ['ARMOR YES'], ['ARMOR IF OPPONENT ARMOR']);

  test('C1.73a, C1.73b, C1.73c, C1.73d, C1.73e: the Radio for the one point and 4 VP', () => {
    const { state, events } = both();
    expect(all(events, 'armor')[1]).toMatchObject({ side: 'german', left: 0, from: -9, to: -5 });
    expect(state.table.campaign).toMatchObject({ vp: -5, points: { germanArmor: 0 } });
    expect(reportText(state, 'public').join('\n')).toContain('German armor: 105mm Radio (10 FP)');
  });

  test('C1.73f, C1.73g: it cancels American armor; Radio and point are lost, VP and charges as ruled (CCR-07)', () => {
    const { state, events } = both();
    expect(first(events, 'armor-cancelled').rule).toBe('C1.73f');
    expect(state.table.battle).toMatchObject({ armor: { american: 'cancelled', german: 'taken' }, charges: 2 });
    expect(state.table.campaign.points.americanArmor).toBe(4);
    expect(reportText(state, 'public').join('\n')).not.toContain('75mm Radio (8 FP), blast');
  });

  test('C1.73b: the condition is weighed against what the American did, and tells nobody how it was written', () => {
    const alone = run(support(), none, ['ARMOR IF OPPONENT ARMOR']);
    expect(alone.state.table.campaign.points.germanArmor).toBe(1);
    const unless = run(support(), none, ['ARMOR UNLESS OPPONENT ARMOR']);
    expect(unless.state.table.campaign.points.germanArmor).toBe(0);
    const plain = run(support(), none, none);
    expect(alone.events).toEqual(plain.events);
  });

  test('C1.73c: once used it is gone', () => {
    const used = support({ germanArmor: 0 });
    expect(codes(used, 'german', 'ARMOR YES')).toEqual(['ARMOR USED']);
  });
});

describe('C1.74 German artillery (CC-C14, CC-C15)', () => {
  test('C1.74a, C1.74b, C1.74c, C1.74e, C1.74f, C1.74g: three points, the Radio, three markers, 5 VP in all', () => {
    const state = support({ vp: -4 });
    const { state: after, events } = run(state, none, ['ARMOR NO', 'ARTILLERY 3']);
    expect(first(events, 'artillery')).toMatchObject({ points: 3, left: 8, from: -4, to: 1 });
    expect(after.table.battle.posture).toEqual({ american: 'defend', german: 'attack' });
    expect(reportText(after, 'public').join('\n')).toContain(
      'German artillery: 150mm Radio (12 FP) and 3 Pre-Registered Fire markers (C2.5).',
    );
  });

  test('C1.74d: not in a battle with German armor', () => {
    const state = support();
    expect(codes(state, 'german', 'ARMOR YES', 'ARTILLERY 2')).toEqual(['ARTILLERY EXCLUDED BY ARMOR']);
    expect(codes(state, 'german', 'ARMOR YES', 'ARTILLERY 2 UNLESS ARMOR')).toEqual([]);
    expect(codes(state, 'german', 'ARMOR IF OPPONENT ARMOR', 'ARTILLERY 2')).toEqual(['ARTILLERY MAY BE EXCLUDED']);
    const { state: after, events } = run(state, ['ARMOR YES'], ['ARMOR IF OPPONENT ARMOR', 'ARTILLERY 2']);
    expect(after.table.campaign.points.germanArtillery).toBe(11);
    expect(first(events, 'artillery-excluded').audience).toEqual(['german']);
  });

  test('C1.74a, C1.74b, C1.74c: limits and conditions', () => {
    expect(codes(support(), 'german', 'ARTILLERY 4')).toEqual(['OVER 3 ARTILLERY']);
    const poor = support({ germanArtillery: 1 });
    expect(codes(poor, 'german', 'ARTILLERY 2')).toEqual(['NO POINTS']);
    expect(codes(support(), 'american', 'ARTILLERY 1')).toEqual(['NOT YOUR SIDE']);
    const line = ['ARMOR NO', 'ARTILLERY 3 IF OPPONENT ARMOR ; ELSE 1'];
    expect(run(support(), ['ARMOR YES'], line).state.table.battle.artillery).toBe(3);
    expect(run(support(), none, line).state.table.battle.artillery).toBe(1);
    expect(run(support(), none, ['ARMOR NO', 'ARTILLERY 2 UNLESS ARMOR']).state.table.battle.artillery).toBe(2);
  });

  test.each([
    ['attacks with', 9, 'attack'],
    ['is Recon with', 5, 'recon'],
    ['defends with', 1, 'defend'],
  ] as const)(
    'C1.74b, C1.74g: a German who %s one, two or three points (his posture is no matter)',
    (_title, american, posture) => {
      // The marker has gone to the American by so much less the five spaces that artillery costs.
      for (const points of [1, 2, 3]) {
        const state = support({ vp: american - 10 });
        const { state: after, events } = run(state, none, ['ARMOR NO', `ARTILLERY ${points}`]);
        expect(after.table.battle.posture?.german, `${points}`).toBe(posture);
        expect(after.table.battle.artillery).toBe(points);
        expect(first(events, 'artillery')).toMatchObject({ points, left: 11 - points, to: american - 5 });
      }
      expect(codes(support({ vp: american - 10 }), 'german', 'ARTILLERY 4')).toEqual(['OVER 3 ARTILLERY']);
    },
  );

  test('doctrine takes part in every battle without a word', () => {
    const standing = { german: ['DOCTRINE ARMOR IF OPPONENT ARMOR', 'DOCTRINE ARTILLERY 2 UNLESS ARMOR'] };
    const quiet = play(support(), { american: none }, { standing });
    expect(quiet.state.table.battle).toMatchObject({ artillery: 2, armor: { german: 'none' } });
    const loud = play(support(), { american: ['ARMOR YES'] }, { standing });
    expect(loud.state.table.battle).toMatchObject({ artillery: 0, armor: { german: 'taken', american: 'cancelled' } });
  });
});

describe('C1.75 air superiority (CC-C16)', () => {
  test.each([
    ['C1.75: with American armor the marker stays on Recall', ['ARMOR YES'], none, 'recall'],
    ['C1.75: without it the aircraft come', none, none, 'ground-support'],
    ['C1.75: armor cancelled was chosen (CCR-08)', ['ARMOR YES'], ['ARMOR YES'], 'recall'],
  ])('%s', (_title, american, german, face) => {
    expect(run(support(), american, german).state.table.campaign.air).toBe(face);
  });

  test('C1.75: with no point left it is not available', () => {
    const empty = support({ americanArmor: 0 });
    expect(run(empty, [], none).state.table.campaign.air).toBe('ground-support');
  });
});

test('CC-C17: the battle sheet tells both sides what Interdiction events do while Ground Support shows', () => {
  const { state } = run(support(), none, none);
  for (const viewer of ['american', 'german', 'public'] as const)
    expect(reportText(state, viewer)).toContain(
      'Air Superiority marker: Ground Support; American Interdiction events are Air Support until the first German one (C2.6).',
    );
});

test('the marker moves towards the opponent of the side that pays', () => {
  const { campaign } = newCampaign().table;
  expect(pay(campaign, 'american', 5)).toEqual({ from: 0, to: -5 });
  expect(pay(campaign, 'german', 7)).toEqual({ from: -5, to: 2 });
});
