/** C1.5: forces, the sealed choice of Sections, and what it costs. */
import { describe, expect, test } from 'vitest';
import { publicView } from '../../../../src/kernel/view.ts';
import {
  contentsOf,
  costOf,
  forceOf,
  limitsOf,
  sectionOf,
} from '../../../../src/systems/combatcommander/content/forces.ts';
import { SIDES } from '../../../../src/systems/combatcommander/types.ts';
import {
  all,
  codes,
  complaints,
  data,
  fight,
  first,
  newCampaign,
  play,
  printedExample,
  reportText,
  rules,
  settle,
} from '../../../helpers/combatcommander.ts';

describe('the Sections', () => {
  test('C1.51a: sixteen Sections, eight a side', () => {
    expect(data.forces.american).toHaveLength(8);
    expect(data.forces.german).toHaveLength(8);
  });

  test('C1.51b: each Section is known by its own leader', () => {
    const leaders = SIDES.flatMap((side) => data.forces[side].map((section) => section.leader));
    expect(new Set(leaders).size).toBe(16);
    expect(sectionOf(data, 'american', 'C').leader).toBe('Sgt Krauss');
  });

  test('C1.54a, C1.54c, C1.5a: the American Command Section of the first battle', () => {
    const state = newCampaign();
    expect(contentsOf(data, state.table.campaign, 'american', 'Q')).toEqual({ Line: 3, MMG: 1 });
    const { state: battle } = play(state, { american: ['SECTIONS NONE'], german: ['SECTIONS NONE'] });
    const force = forceOf(data, battle.table.campaign, battle.table.battle, 'american');
    expect(force.map((piece) => piece.id)).toEqual(['Craighead', 'Q/1', 'Q/2', 'Q/3', 'Q/MMG']);
    expect(force[0]!.name).toBe('Sgt Craighead');
  });

  test('C1.54d: the German Command Section of the first battle', () => {
    const state = newCampaign();
    expect(contentsOf(data, state.table.campaign, 'german', 'Q')).toEqual({ Scout: 1, Rifle: 3, LightMortar: 2 });
  });

  test('C1.54b: the Command Section fights with platoons of the side’s quality, a Campaign Section does not', () => {
    const { campaign } = newCampaign().table;
    campaign.quality.american = 'Elite';
    campaign.quality.german = 'Green';
    expect(contentsOf(data, campaign, 'american', 'Q')).toEqual({ Elite: 3, MMG: 1 });
    expect(contentsOf(data, campaign, 'german', 'Q')).toMatchObject({ Conscript: 3 });
    expect(contentsOf(data, campaign, 'american', 'C')).toEqual({ Line: 3 });
  });

  test('C1.51d, C1.6: the pieces of each Section bought, its leader included, join the force', () => {
    const { table } = printedExample().state;
    const names = forceOf(data, table.campaign, table.battle, 'american').map((piece) => piece.id);
    expect(names).toEqual('Craighead Q/1 Q/2 Q/3 Q/MMG Krauss C/1 C/2 C/3 Bowen E/1 E/2 E/3 E/LightMortar'.split(' '));
    const leaders = forceOf(data, table.campaign, table.battle, 'german').filter(
      (one) => one.counter.kind === 'leader',
    );
    expect(leaders.map((leader) => leader.id)).toEqual(['Heinzmann', 'Q/Scout', 'Ehnert']);
  });

  test('C1.53c, C1.5b: the Command Section comes by itself, another only if its leader is in the pool', () => {
    const state = newCampaign();
    expect(codes(state, 'american', 'SECTIONS Craighead')).toEqual(['COMMAND COMES ANYWAY']);
    expect(codes(state, 'american', 'SECTIONS A')).toEqual(['NOT IN POOL']);
    expect(complaints(state, 'american', 'SECTIONS Slingluff')).toEqual([
      'A Rifle (Cpl Slingluff) cannot be bought: the leader is in the box "available"; your pool holds C Rifle (Sgt Krauss), E Team (Sgt Bowen), G Engineer (Lt Cawthon)',
    ]);
    expect(codes(state, 'american', 'SECTIONS C E G')).toEqual([]);
  });
});

describe('the closed fist (CC-C10)', () => {
  test('C1.55a, C1.55b, C1.51c: both choices are revealed together; the others stay in the pools', () => {
    const { state, events } = printedExample();
    expect(all(events, 'revealed').map(({ side, letters }) => [side, letters])).toEqual([
      ['american', ['C', 'E']],
      ['german', ['D']],
    ]);
    const { boxes } = state.table.campaign;
    expect([boxes.american.C, boxes.american.E, boxes.german.D]).toEqual(['battle', 'battle', 'battle']);
    expect([boxes.american.G, boxes.german.E, boxes.german.F]).toEqual(['pool', 'pool', 'pool']);
  });

  test('C1.53d: a Section that was bought is not there for the next battle', () => {
    const next = settle(fight(printedExample().state, 'american').state).state;
    expect(codes(next, 'american', 'SECTIONS Krauss')).toEqual(['NOT IN POOL']);
  });

  test('C1.55a, C1.55b: one choice waits in the hand; the side that let its term pass gets a second one, then an empty fist counts', () => {
    const one = play(newCampaign(), { american: ['SECTIONS C E'] });
    expect(one.state.phase).toMatchObject({ n: 2, step: 'sections' });
    expect(one.state.hands.american!.sealed).toEqual(['C', 'E']);
    expect(one.state.table.battle.bought).toBeNull();
    expect(rules.asks(publicView(one.state))).toEqual([
      { side: 'american', must: false },
      { side: 'german', must: true },
    ]);
    expect(codes(one.state, 'american', 'SECTIONS NONE')).toEqual(['SEALED ALREADY']);
    const two = play(one.state, {});
    expect(two.state.table.battle.bought).toEqual({ american: ['C', 'E'], german: [] });
    expect(first(two.events, 'no-sections')).toMatchObject({ side: 'german', audience: ['german'] });
  });

  test('C1.55a: after the reveal the choice stands in every later step', () => {
    let { state } = printedExample();
    for (let i = 0; i < 5 && state.phase.step !== 'battle'; i++) {
      expect(codes(state, 'american', 'SECTIONS NONE'), state.phase.step).toEqual(['SEALED ALREADY']);
      state = play(state, { american: [], german: [] }).state;
    }
    expect(codes(state, 'german', 'SECTIONS NONE')).toEqual(['SEALED ALREADY']);
  });

  test('doctrine stands in for a side that writes nothing, with what is in its pool', () => {
    const { state } = play(
      newCampaign(),
      { american: ['SECTIONS C'] },
      { standing: { german: ['DOCTRINE SECTIONS D A'] } },
    );
    expect(state.table.battle.bought).toEqual({ american: ['C'], german: ['D'] });
  });
});

describe('the price (CC-C11)', () => {
  test('C1.55c: the cost of the Campaign Sections; the Command Section is free', () => {
    expect(costOf(data, 'american', ['C', 'E'])).toBe(12);
    expect(costOf(data, 'german', ['D'])).toBe(8);
    expect(costOf(data, 'german', ['Q'])).toBe(0);
  });

  test('C1.55d, C1.55e: the American moves the marker to -12, the German then to -4 and rolls for support', () => {
    const { state, events } = printedExample();
    expect(all(events, 'cost').map(({ side, from, to }) => [side, from, to])).toEqual([
      ['american', 0, -12],
      ['german', -12, -4],
    ]);
    expect(first(events, 'support-roll').side).toBe('german');
    expect(reportText(state, 'german', events)).toContain(
      'The American side pays 12 VP for its Sections; the VP marker moves from 0 to German 12.',
    );
  });

  test('C1.8d, C1.10c, C1.10d: the totals of the printed example', () => {
    expect(limitsOf(data, 'american', ['C', 'E'])).toEqual({ orders: 4, initiative: 10, surrender: 9 });
    expect(limitsOf(data, 'german', ['D'])).toEqual({ orders: 3, initiative: 5, surrender: 6 });
  });
});

test('C1.52a, C1.52b: the Divisional Reserves Table has an entry for every roll of two dice', () => {
  const chances: Record<string, number> = {};
  for (let a = 1; a <= 6; a++)
    for (let b = 1; b <= 6; b++) {
      const entry = data.forces.reserves.table[a + b]!;
      chances[entry] = (chances[entry] ?? 0) + 1;
    }
  expect(chances).toEqual({ none: 1, A: 8, F: 3, D: 4, B: 7, C: 5, E: 4, G: 3, choice: 1 });
});
