/** The campaign sheet, the positions, winning: C0, CS, C1.1 to C1.4, C3.1, C3.3. */
import { describe, expect, test } from 'vitest';
import { publicView } from '../../../../src/kernel/view.ts';
import { nextPosition } from '../../../../src/systems/combatcommander/campaign/campaignsheet.ts';
import type { Fought, PositionId } from '../../../../src/systems/combatcommander/types.ts';
import {
  all,
  data,
  fight,
  fightAll,
  first,
  newCampaign,
  play,
  reportText,
  rules,
  settle,
} from '../../../helpers/combatcommander.ts';

/** The positions of a campaign with these results, the next one included. */
function positions(results: string): PositionId[] {
  const fought: Fought[] = [];
  const list: PositionId[] = [nextPosition(data, fought)];
  for (const result of results) {
    fought.push({
      battle: fought.length + 1,
      position: list.at(-1)!,
      edge: 'top',
      winner: result === 'W' ? 'american' : 'german',
      vp: null,
      how: 'agreed',
      note: '',
      bought: { american: [], german: [] },
    });
    list.push(nextPosition(data, fought));
  }
  return list;
}

describe('the sheet at the start', () => {
  const { campaign } = newCampaign().table;

  test('CS.1, C0.4a, C1.11b: the first battle is at A1, one of five positions', () => {
    expect(campaign.position).toBe('A1');
    expect(data.tables.positions.order).toEqual(['A1', 'A2', 'A3', 'A4']);
    expect(data.tables.positions.G1.map).toBe('2');
  });

  test('CS.2, C1.3a: both troop qualities are Line', () => {
    expect(campaign.quality).toEqual({ american: 'Line', german: 'Line' });
  });

  test('CS.3: three promotions lie ready for each Command Leader', () => {
    expect(campaign.rank).toEqual({ american: 0, german: 0 });
    expect(data.tables.ranks.names).toEqual(['Sgt', '2Lt', '1Lt', 'Cpt']);
  });

  test('CS.4a, CS.4b: the Available Divisional Resources of both sides', () => {
    const text = reportText(newCampaign(), 'public').join('\n');
    expect(text).toContain('Available: A Rifle (Cpl Slingluff), B Rifle (Cpl Miller), D Team (Sgt Ewing), F Engineer');
    expect(text).toContain(
      'Available: A Rifle (Cpl Wetteman), B Rifle (Cpl Rubart), C Weapons (Sgt Gessler), G Pioneer',
    );
  });

  test('CS.5a, CS.5b, C1.53a, C1.53b: the Regimental Resource Pools of both sides', () => {
    const text = reportText(newCampaign(), 'public').join('\n');
    expect(text).toContain('Pool: Sgt Craighead, C Rifle (Sgt Krauss), E Team (Sgt Bowen), G Engineer (Lt Cawthon).');
    expect(text).toContain(
      'Pool: Sgt Heinzmann, D Veteran (Sgt Ehnert), E Paratrooper (Sgt Hummer), F Paratrooper (Lt Becker).',
    );
  });

  test('CS.6, CS.7a, CS.7b, CS.7c: the markers of the support track', () => {
    expect(campaign.points).toEqual({ americanArmor: 5, germanArmor: 1, germanArtillery: 11, fortification: 7 });
  });

  test('CS.8: the Air Superiority marker shows Recall', () => {
    expect(campaign.air).toBe('recall');
  });

  test('CS.9, C1.2b: the year is 1944, the VP marker on 0', () => {
    expect(data.campaign.year).toBe(1944);
    expect(campaign.vp).toBe(0);
    expect(reportText(newCampaign(), 'public').join('\n')).toMatch(/Battle 1, 11 July 1944.*1944\./);
  });

  test('C1.2a, C0.1b: the sides are American and German for the whole campaign', () => {
    expect(rules.asks(publicView(newCampaign())).map((ask) => ask.side)).toEqual(['american', 'german']);
    expect(Object.keys(fightAll('LWL').state.hands)).toEqual(['american', 'german']);
  });
});

describe('C3.3 positions (CC-C01 to CC-C05)', () => {
  test.each([
    ['CC-C01, C3.3b, C3.3d: a win at A1 leads to A2', 'W', 'A1 A2'],
    ['CC-C02, C3.3c, C3.3e: a loss leads to G1, a win there to A2', 'LW', 'A1 G1 A2'],
    ['CC-C03, C3.3f: a second loss leaves the marker on G1', 'LL', 'A1 G1 G1'],
    ['CC-C04: win, loss, win go to A3, since A2 has been fought', 'WLW', 'A1 A2 G1 A3'],
    ['CC-C05: a full campaign ends at A4', 'LWLWLW', 'A1 G1 A2 G1 A3 G1 A4'],
    ['C1.11c: after a loss at A4 the next battle is at A4 again', 'WWWLL', 'A1 A2 A3 A4 A4 A4'],
  ])('%s', (_title, results, expected) => {
    expect(positions(results).join(' ')).toBe(expected);
  });

  test('C0.4b, C3.3a: the closed form holds for every sequence of results of seven battles', () => {
    for (let bits = 0; bits < 128; bits++) {
      const results = [...bits.toString(2).padStart(7, '0')].map((bit) => (bit === '1' ? 'W' : 'L'));
      let wins = 0;
      let losses = 0;
      const fought = [];
      for (const result of results) {
        if (wins === 4 || losses === 4) break;
        fought.push(result);
        if (result === 'W') wins++;
        else losses++;
        if (wins === 4 || losses === 4) break;
        const form = result === 'W' ? `A${wins + 1}` : wins === 3 ? 'A4' : 'G1';
        expect(positions(fought.join('')).at(-1), fought.join('')).toBe(form);
      }
    }
  });

  test('C1.11a, C3.3a: the map is the one of the position, in play as on paper', () => {
    const played = fight(newCampaign(), 'american');
    expect(first(played.events, 'moved')).toMatchObject({ from: 'A1', to: 'A2' });
    expect(reportText(settle(played.state).state, 'public').join('\n')).toContain(
      'Map 42 (house map Hill 122 shoulder)',
    );
  });

  test.each([
    ['C1.11d: A1 on map 2', 'A1', '2'],
    ['C1.11e: A2 on map 42', 'A2', '42'],
    ['C1.11f: A3 on map 43', 'A3', '43'],
    ['C1.11g: A4 on map 44', 'A4', '44'],
    ['C1.11h: G1 on map 2', 'G1', '2'],
  ] as const)('%s', (_title, position, map) => {
    expect(data.tables.positions[position].map).toBe(map);
    expect(data.maps[map]?.objectives).toBeDefined();
  });
});

describe('winning', () => {
  test('CC-C06, C3.1, C0.8: four wins end the campaign after battle 4, with none of the later steps', () => {
    const played = fightAll('WWWW');
    expect(rules.asks(publicView(played.state))).toEqual([]);
    expect(rules.outcome(played.state)).toMatchObject({ winner: 'american', score: { american: 4, german: 0 } });
    expect(first(played.events, 'campaign-won')).toMatchObject({ side: 'american', battle: 4 });
    for (const type of ['fatigued', 'moved', 'promoted', 'request-roll', 'battle-opened'] as const)
      expect(all(played.events, type)).toEqual([]);
    expect(reportText(played.state, 'german', played.events)[0]).toBe(
      'The campaign is over: American victory (won four battles).',
    );
  });

  test('C0.3a, C0.3b, C0.1a: seven linked battles at most, on 11 to 13 and 15 to 18 July', () => {
    expect(data.campaign.dates).toEqual([11, 12, 13, 15, 16, 17, 18].map((day) => `${day} July 1944`));
    const played = fightAll('LWLWLWL');
    expect(played.state.table.campaign.fought.map((battle) => battle.battle)).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(rules.outcome(played.state)).toMatchObject({ winner: 'german', score: { american: 3, german: 4 } });
  });

  test('C3.0, C0.7: the winner is noted and the steps follow in the printed order', () => {
    const { events } = fight(newCampaign(), 'german');
    expect(events.map((event) => event.type)).toEqual([
      'closed',
      'fatigued',
      'fatigued',
      'moved',
      'promoted',
      'request-roll',
      'request-roll',
      'request-roll',
    ]);
  });

  test('C0.5, C0.2: a battle goes from position and map to Sections, support, posture, set-up and the battle', () => {
    let state = newCampaign();
    const steps = [state.phase.step];
    while (state.phase.step !== 'battle') {
      state = play(state, { american: [], german: [] }).state;
      if (steps.at(-1) !== state.phase.step) steps.push(state.phase.step);
    }
    expect(steps).toEqual(['sections', 'support', 'setup-first', 'setup-second', 'battle']);
  });
});

describe('a battle opens', () => {
  test.each([
    ['CC-C21, C1.12a: white die 1', 1, 'top'],
    ['C1.12a: white die 2', 2, 'right'],
    ['C1.12a: white die 3', 3, 'right'],
    ['C1.12a: white die 4', 4, 'bottom'],
    ['C1.12a: white die 5', 5, 'left'],
    ['C1.12a: white die 6', 6, 'left'],
  ])('%s', (_title, die, edge) => {
    expect(newCampaign({}, { orientation: [die] }).table.battle.edge).toBe(edge);
  });

  test('C1.12b: the map is oriented afresh, also at a position fought before', () => {
    const lost = fightAll('LL', newCampaign({}, { orientation: [1] })).state;
    expect(lost.table.campaign.position).toBe('G1');
    const next = play(lost, { german: ['CHOOSE REQUEST 1'] }, { dice: { orientation: [4] } });
    expect(next.state.table.battle.edge).toBe('bottom');
    expect(first(next.events, 'battle-opened')).toMatchObject({ position: 'G1', die: 4, edge: 'bottom' });
  });

  test('C1.4: one open chit for all and a secret one for each, from a full cup of 22 in every battle', () => {
    const state = newCampaign();
    expect(state.table.battle.chit).toBe('A');
    expect([state.hands.american!.chit, state.hands.german!.chit]).toEqual(['B', 'C']);
    expect(state.cup.chits).toHaveLength(19);
    expect(reportText(state, 'american').join('\n')).toContain('Your secret chit B: objective 2 is worth 1 VP.');
    expect(reportText(state, 'public').join('\n')).not.toContain('secret chit');
    const { state: next, events } = settle(fight(state, 'american').state);
    expect(next.cup.chits).toHaveLength(19);
    expect(all(events, 'secret-chit').map(({ side, audience }) => [side, audience])).toEqual([
      ['american', ['american']],
      ['german', ['german']],
    ]);
  });

  test('C1.3b, C3.5c: quality in a later battle is what the sheet says after the last one', () => {
    const closed = fight(newCampaign(), 'american').state;
    const next = settle(closed, ['CHOOSE QUALITY OWN', 'CHOOSE REQUEST 1']).state;
    expect(next.table.campaign.quality).toEqual({ american: 'Elite', german: 'Line' });
    expect(reportText(next, 'public').join('\n')).toContain('Troop quality: American Elite, German Line.');
  });
});
