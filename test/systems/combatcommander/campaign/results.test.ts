/** C3.2 to C3.8: fatigue, promotion, quality, the day of rest, requests, the next battle. */
import { describe, expect, test } from 'vitest';
import { publicView } from '../../../../src/kernel/view.ts';
import { adjustQuality, qualityOptions } from '../../../../src/systems/combatcommander/campaign/results.ts';
import type { LeaderBox } from '../../../../src/systems/combatcommander/types.ts';
import {
  all,
  codes,
  fight,
  fightAll,
  first,
  newCampaign,
  play,
  printedExample,
  reportText,
  rules,
  type State,
  settle,
} from '../../../helpers/combatcommander.ts';

/** A closed first battle with boxes and request rolls as given. */
function closed(
  winner: 'american' | 'german',
  rolls: { american: number[][]; german: number[][] },
  boxes: (state: State) => void = () => {},
): State {
  const dice: Record<string, number[]> = {};
  for (const side of ['american', 'german'] as const) {
    const [a, b] = rolls[side];
    if (side === winner) Object.assign(dice, { [`${side} request, first`]: a, [`${side} request, second`]: b });
    else dice[`${side} request, only`] = a!;
  }
  const { state } = fight(newCampaign(), winner, dice);
  boxes(state);
  return state;
}

const put = (state: State, side: 'american' | 'german', letters: string, box: LeaderBox): void => {
  for (const letter of letters) state.table.campaign.boxes[side][letter] = box;
};

describe('C3.2 fatigued units (CC-C22)', () => {
  test('C3.2a, C3.2b, C3.2c: the Command Leader returns, those who fought are Exhausted, the others stay', () => {
    const { state, events } = fight(printedExample().state, 'american');
    expect(state.table.campaign.boxes.american).toMatchObject({ Q: 'pool', C: 'exhausted', E: 'exhausted', G: 'pool' });
    expect(state.table.campaign.boxes.german).toMatchObject({ Q: 'pool', D: 'exhausted', E: 'pool', F: 'pool' });
    expect(all(events, 'fatigued').map((event) => event.exhausted)).toEqual([
      ['Sgt Krauss', 'Sgt Bowen'],
      ['Sgt Ehnert'],
    ]);
    const next = settle(state).state.table.battle;
    expect([next.setup, next.forts, next.bought, next.charges]).toEqual([
      { american: null, german: null },
      [],
      null,
      0,
    ]);
  });
});

describe('C3.4 promotion', () => {
  test('CC-C07, C3.4a, C3.4c, C3.4d, C3.4e: after W, W, L the fourth battle has 1Lt Craighead and 2Lt Heinzmann', () => {
    const { state, events } = fightAll('WWL');
    expect(first(events, 'promoted')).toMatchObject({ side: 'german', leader: '2Lt Heinzmann' });
    const text = reportText(settle(state).state, 'public').join('\n');
    expect(text).toContain('American leaders. Pool: 1Lt Craighead');
    expect(text).toContain('German leaders. Pool: 2Lt Heinzmann');
  });

  test('CC-C08, C3.4b: nobody asks whether the leader was killed', () => {
    const { state } = fight(newCampaign(), 'american', {}, ' NOTE "Sgt Craighead fell"');
    expect(state.table.campaign.rank.american).toBe(1);
    expect(state.table.campaign.boxes.american.Q).toBe('pool');
    expect(state.table.campaign.fought[0]!.note).toBe('Sgt Craighead fell');
  });
});

describe('C3.5 quality (CC-C09)', () => {
  const state = fight(newCampaign(), 'german').state;

  test('C3.5a: the winner raises his own', () => {
    const next = settle(state, ['CHOOSE QUALITY OWN', 'CHOOSE REQUEST 1']);
    expect(first(next.events, 'quality')).toMatchObject({ side: 'german', own: 'Elite', opponent: 'Line' });
    expect(next.state.table.campaign.quality).toEqual({ american: 'Line', german: 'Elite' });
  });

  test('C3.5b: or lowers his opponent’s', () => {
    const next = settle(state, ['CHOOSE QUALITY OPPONENT', 'CHOOSE REQUEST 1']);
    expect(next.state.table.campaign.quality).toEqual({ american: 'Green', german: 'Line' });
  });

  test('not both: the later line counts; not the loser; no step beyond Elite or Green (CCR-16)', () => {
    expect(codes(state, 'german', 'CHOOSE QUALITY OWN', 'CHOOSE QUALITY OPPONENT')).toEqual(['REPLACED']);
    const both = settle(state, ['CHOOSE QUALITY OWN', 'CHOOSE QUALITY OPPONENT', 'CHOOSE REQUEST 1']);
    expect(both.state.table.campaign.quality).toEqual({ american: 'Green', german: 'Line' });
    expect(codes(state, 'american', 'CHOOSE QUALITY OWN')).toEqual(['NOT THE WINNER']);
    const top = structuredClone(state);
    top.table.campaign.quality = { american: 'Green', german: 'Elite' };
    expect(codes(top, 'german', 'CHOOSE QUALITY OWN')).toEqual(['QUALITY LIMIT']);
    expect(codes(top, 'german', 'CHOOSE QUALITY OPPONENT')).toEqual(['QUALITY LIMIT']);
    expect(qualityOptions(top.table.campaign, 'german')).toEqual(['none']);
    adjustQuality(top.table.campaign, 'german', 'own');
    expect(top.table.campaign.quality).toEqual({ american: 'Green', german: 'Elite' });
  });

  test('doctrine: the first wish that is possible', () => {
    const wishes = { standing: { german: ['DOCTRINE QUALITY OWN OPPONENT'] } };
    expect(play(state, {}, wishes).state.table.campaign.quality.german).toBe('Elite');
    const elite = structuredClone(state);
    elite.table.campaign.quality.german = 'Elite';
    expect(play(elite, {}, wishes).state.table.campaign.quality).toEqual({ american: 'Green', german: 'Elite' });
  });
});

describe('C3.6 the day of rest (CC-C24)', () => {
  const dice = { 'first German roll': [2, 3], 'second German roll': [1, 2] };
  const rested = () => {
    const second = fightAll('WL').state;
    const third = settle(second).state;
    put(third, 'american', 'CE', 'exhausted');
    put(third, 'german', 'DE', 'exhausted');
    put(third, 'german', 'A', 'pool');
    return fight(third, 'american', dice);
  };

  test('C3.6a, C3.6b, C3.6c: after three battles the Americans recover, the German rolls twice', () => {
    const { state, events } = rested();
    expect(first(events, 'rest-american').leaders).toEqual(['Sgt Krauss', 'Sgt Bowen']);
    expect(state.table.campaign.boxes.american).toMatchObject({ C: 'available', E: 'available' });
    expect(all(events, 'rest-roll').map((event) => event.names)).toEqual(['D', 'A']);
    expect(all(fight(settle(state).state, 'german').events, 'rest-roll')).toEqual([]);
  });

  test('C3.6d: a leader a roll names may be moved, and only he', () => {
    const { state } = rested();
    expect(rules.asks(publicView(state))).toEqual([
      { side: 'american', must: true },
      { side: 'german', must: true },
    ]);
    expect(codes(state, 'german', 'CHOOSE REST Hummer')).toEqual(['ROLL NOT OFFERED']);
    const moved = settle(state, undefined, ['CHOOSE REST Ehnert']).state.table.campaign.boxes.german;
    expect([moved.D, moved.E]).toEqual(['available', 'exhausted']);
    const stayed = settle(state, undefined, ['CHOOSE REST NONE']).state.table.campaign.boxes.german;
    expect(stayed.D).toBe('exhausted');
    expect(settle(state).state.table.campaign.boxes.german.D).toBe('available');
    const no = { standing: { german: ['DOCTRINE REST NO'] } };
    expect(play(state, { american: ['CHOOSE REQUEST 1'] }, no).state.table.campaign.boxes.german.D).toBe('exhausted');
  });

  test('the rest comes before the request: a rested leader can be drawn at once (CCR-14)', () => {
    const second = settle(fightAll('WL').state).state;
    put(second, 'german', 'D', 'exhausted');
    const closedThird = fight(second, 'american', { ...dice, 'german request, only': [2, 3] }).state;
    const { state } = settle(closedThird, undefined, ['CHOOSE REST Ehnert']);
    expect(state.table.campaign.boxes.german.D).toBe('pool');
  });
});

describe('C3.7 requests (CC-C23)', () => {
  const state = closed('american', {
    american: [
      [3, 4],
      [4, 6],
    ],
    german: [[3, 3]],
  });

  test('C3.7a, C3.7b, C3.7c, C1.52a: one roll for the loser, one of two for the winner', () => {
    const { state: next, events } = settle(state, ['CHOOSE QUALITY NONE', 'CHOOSE REQUEST 1']);
    expect(all(events, 'request').map(({ side, leader, why }) => [side, leader, why])).toEqual([
      ['american', 'Cpl Slingluff', 'joins'],
      ['german', 'Cpl Rubart', 'joins'],
    ]);
    expect(next.table.campaign.boxes.american).toMatchObject({ A: 'pool', B: 'available' });
    expect(next.table.campaign.boxes.german.B).toBe('pool');
  });

  test('C3.7b, C3.7d: a leader already in the pool or exhausted brings nothing', () => {
    const { state: next, events } = settle(state, ['CHOOSE QUALITY NONE', 'CHOOSE REQUEST 2']);
    expect(first(events, 'request')).toMatchObject({ leader: 'Lt Cawthon', why: 'not-available' });
    expect(next.table.campaign.boxes.american.A).toBe('available');
    const tired = closed(
      'german',
      {
        american: [[3, 4]],
        german: [
          [1, 1],
          [1, 1],
        ],
      },
      (at) => put(at, 'american', 'A', 'exhausted'),
    );
    const after = settle(tired);
    expect(all(after.events, 'request').map(({ why }) => why)).toEqual(['not-available', 'none']);
  });

  test('C1.52b: every request is a roll of two dice, shown to both', () => {
    const rolled = fight(newCampaign(), 'american', {
      'american request, first': [6, 4],
      'american request, second': [2, 2],
      'german request, only': [1, 1],
    });
    expect(all(rolled.events, 'request-roll').map(({ dice, names, audience }) => [dice, names, audience])).toEqual([
      [[6, 4], 'G', 'all'],
      [[2, 2], 'F', 'all'],
      [[1, 1], 'none', 'all'],
    ]);
    expect(rolled.result.dice.map(({ sides, rolls }) => [sides, rolls.length])).toEqual([
      [6, 2],
      [6, 2],
      [6, 2],
    ]);
  });

  test('only the winner chooses, and only among two', () => {
    expect(codes(state, 'german', 'CHOOSE REQUEST 1')).toEqual(['NOT THE WINNER']);
    expect(codes(state, 'american', 'CHOOSE REQUEST 3')).toEqual(['ROLL NOT OFFERED']);
    expect(codes(state, 'american', 'CHOOSE LEADER Miller')).toEqual(['ROLL NOT OFFERED']);
  });

  test('a twelve leaves the choice among the Available to the player, the loser too', () => {
    const free = closed('american', {
      american: [
        [1, 1],
        [6, 6],
      ],
      german: [[6, 6]],
    });
    expect(rules.asks(publicView(free)).every((ask) => ask.must)).toBe(true);
    expect(codes(free, 'american', 'CHOOSE LEADER Krauss')).toEqual(['NOT AVAILABLE']);
    const { state: next } = settle(
      free,
      ['CHOOSE REQUEST 2', 'CHOOSE LEADER Richardson'],
      ['CHOOSE LEADER Von Hoffman'],
    );
    expect([next.table.campaign.boxes.american.F, next.table.campaign.boxes.german.G]).toEqual(['pool', 'pool']);
    const silent = play(free, {}, { standing: { german: ['DOCTRINE REQUEST G C'] } }).state.table.campaign.boxes;
    expect([silent.american.A, silent.german.G]).toEqual(['pool', 'pool']);
  });

  test('without a word the winner gets the roll he wishes, or one that brings anything', () => {
    const boxes = play(state, {}).state.table.campaign.boxes.american;
    expect(boxes.A).toBe('pool');
    const two = closed('american', {
      american: [
        [3, 4],
        [2, 4],
      ],
      german: [[1, 1]],
    });
    const wish = { standing: { american: ['DOCTRINE REQUEST B A'] } };
    expect(play(two, {}, wish).state.table.campaign.boxes.american).toMatchObject({ A: 'available', B: 'pool' });
  });
});

describe('C3.8 hostilities', () => {
  test('C3.8a, C3.8b, C3.8c: marker 0, Recall, and the next battle from C1.1', () => {
    const { state } = fight(printedExample().state, 'american');
    expect(state.table.campaign).toMatchObject({ air: 'ground-support' });
    expect(state.table.campaign.vp).not.toBe(0);
    const { state: next, events } = settle(state);
    expect(next.table.campaign).toMatchObject({ vp: 0, air: 'recall', battle: 2 });
    expect(next.phase).toMatchObject({ step: 'sections', battle: 2, turn: 2 });
    expect(first(events, 'battle-opened')).toMatchObject({ battle: 2, position: 'A2' });
  });
});
