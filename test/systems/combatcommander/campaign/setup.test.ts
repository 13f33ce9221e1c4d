/** C1.8 to C1.10 and C2.0, C2.1: posture, limits, fortifications, initiative, placement, the battle sheet. */

import { describe, expect, test } from 'vitest';
import { viewFor } from '../../../../src/kernel/view.ts';
import { saidScene } from '../../../../src/render/words.ts';
import { mergeSetup, zoneOf } from '../../../../src/systems/combatcommander/campaign/placement.ts';
import { postureOf } from '../../../../src/systems/combatcommander/campaign/posture.ts';
import type { CampaignQuestion, SetupOrder } from '../../../../src/systems/combatcommander/types.ts';
import {
  all,
  codes,
  complaints,
  data,
  fight,
  fightAll,
  first,
  newCampaign,
  play,
  playTo,
  read,
  reportText,
  rules,
  type State,
  settle,
  wording,
} from '../../../helpers/combatcommander.ts';

/** The printed example with the German buying one LMG: he defends with 3 VP, on a wide front, the American edge on top. */
function german(options: Record<string, unknown> = {}, american = ['ARMOR NO']): State {
  const start = newCampaign(options, { orientation: [1] });
  const sealed = play(
    start,
    { american: ['SECTIONS C E'], german: ['SECTIONS D'] },
    { dice: { 'german support': [4, 3] } },
  );
  return play(sealed.state, { american, german: ['SUPPORT BUY LMG', 'ARMOR NO'] }).state;
}

/** Nobody bought anything and the American took armor for -5; with `vp` given, the marker stood there before. */
function bare(vp: number, american = 'ARMOR NO', options: Record<string, unknown> = {}, answer?: string[]): State {
  const start = newCampaign(options, { orientation: [1] });
  const { state } = play(start, { american: ['SECTIONS NONE'], german: ['SECTIONS NONE'] });
  state.table.campaign.vp = vp;
  return play(state, { american: [american], german: ['ARMOR NO'] }, { answer: () => answer ?? [] }).state;
}

describe('C1.8 posture and limits', () => {
  test('C1.8a: VP make the Defender, the marker on 0 a Recon battle', () => {
    expect(postureOf(3)).toEqual({ american: 'defend', german: 'attack' });
    expect(postureOf(1)).toEqual(postureOf(3));
    expect(postureOf(-1)).toEqual({ american: 'attack', german: 'defend' });
    expect(postureOf(0)).toEqual({ american: 'recon', german: 'recon' });
  });

  test('CC-C19, C1.8b: Order Limit 4 against 3, Sudden Death on 7; hands 6 and 4', () => {
    const sheet = reportText(german(), 'public');
    expect(sheet).toContain(
      'American: posture attack, hand 6, order limit 4, initiative 10, surrender level 9; set-up within 2 rows of the top edge.',
    );
    expect(sheet).toContain('Time marker on 0, Sudden Death marker on 7.');
    expect(sheet.join('\n')).toContain(
      'German: posture defend, hand 4, order limit 3, initiative 5, surrender level 6',
    );
  });

  test('C1.8c: quality starts as Line and follows C3.5 only', () => {
    expect(german().table.campaign.quality).toEqual({ american: 'Line', german: 'Line' });
    const later = settle(fight(german(), 'german').state).state;
    expect(later.table.campaign.quality).toEqual({ american: 'Line', german: 'Line' });
  });

  test('CC-C20, C1.10b, C1.10e: the higher initiative has the card and plays first', () => {
    const state = german();
    expect(state.table.battle.initiative).toBe('american');
    const sheet = reportText(state, 'german').join('\n');
    expect(sheet).toContain('The American side holds the Initiative card and plays first.');
    expect(sheet).toContain('initiative 10, surrender level 9');
    expect(sheet).toContain('initiative 5, surrender level 6');
  });

  test('C1.10e: equal initiative goes to the Attacker, in a Recon battle to the die (CCR-19)', () => {
    const even = (vp: number, dice = {}) => {
      const { state } = play(newCampaign(), { american: ['SECTIONS NONE'], german: ['SECTIONS NONE'] });
      state.table.campaign.vp = vp;
      state.table.battle.bought = { american: [], german: [] };
      const command = data.forces.german.find((one) => one.letter === 'Q')!;
      const before = command.initiative;
      command.initiative = 2;
      const { state: after } = play(state, { american: ['ARMOR NO'], german: ['ARMOR NO'] }, { dice });
      command.initiative = before;
      return after.table.battle;
    };
    expect(even(2)).toMatchObject({ initiative: 'german', first: 'american' });
    expect(even(-2)).toMatchObject({ initiative: 'american', first: 'german' });
    expect(even(0, { 'equal initiative': [3] })).toMatchObject({ initiative: 'american', first: 'american' });
    expect(even(0, { 'equal initiative': [4] })).toMatchObject({ initiative: 'german', first: 'german' });
  });
});

describe('C1.9 fortifications', () => {
  test('C1.9: the Defender buys up to his VP; more is refused, the Attacker has none', () => {
    const state = german();
    expect(state.table.campaign.vp).toBe(-3);
    expect(complaints(state, 'german', 'FORT VP Trenches, Wire, Mines7')).toEqual([
      'these fortifications cost 4 VP; you have 3',
    ]);
    expect(codes(state, 'german', 'FORT VP Trenches, Wire, Mines7')).toEqual(['OVER VP']);
    expect(codes(state, 'german', 'FORT VP Trenches, Wire')).toEqual([]);
    const bought = play(state, { german: ['FORT VP Trenches, Wire'] });
    expect(first(bought.events, 'fort')).toMatchObject({ pay: 'vp', cost: 2, from: -3, to: -1, left: 7 });
    expect(bought.state.table.battle.posture?.german).toBe('defend');
  });

  test('C1.9, C1.91: the American Defender’s VP are counted as before the German digs in', () => {
    const state = bare(2, 'ARMOR NO', {}, ['Wire', 'Mines8']);
    expect(state.table.campaign.vp).toBe(5);
    expect(codes(state, 'american', 'FORT VP Trenches, Wire')).toEqual([]);
    expect(complaints(state, 'american', 'FORT VP Trenches, Mines7')).toEqual([
      'these fortifications cost 3 VP; you have 2',
    ]);
    expect(reportText(state, 'american')).toContain('> # up to 2 VP: FORT VP Trenches, Wire');
  });

  test('FORT NONE takes back what stood above it, and is taken back by a later line', () => {
    const state = german();
    expect(codes(state, 'german', 'FORT VP Wire', 'FORT POINTS Trenches', 'FORT NONE')).toEqual([
      'REPLACED',
      'REPLACED',
    ]);
    const none = play(state, { german: ['FORT VP Wire', 'FORT POINTS Trenches', 'FORT NONE'] });
    expect(none.state.table.battle.forts).toEqual([]);
    expect(codes(state, 'german', 'FORT NONE', 'FORT POINTS Trenches')).toEqual(['REPLACED']);
    const some = play(state, { german: ['FORT NONE', 'FORT POINTS Trenches'] }).state.table.battle.forts;
    expect(some.map((fort) => fort.item)).toEqual(['Trenches']);
  });

  test('a FORT line written before it is known who sets up first is not lost without a word', () => {
    const { state } = play(newCampaign(), { american: ['SECTIONS NONE'], german: ['SECTIONS NONE'] });
    state.table.campaign.vp = -5;
    const blocks = { american: ['ARMOR NO'], german: ['ARMOR NO', 'FORT POINTS Wire'] };
    const { state: first, events } = play(state, blocks);
    expect(first.table.battle.forts).toEqual([]);
    expect(all(events, 'fort-waits').map((event) => event.audience)).toEqual([['german']]);
    expect(reportText(first, 'german', events).join('\n')).toContain('write it again with your set-up');
  });

  test('CC-C18, C1.91b, C1.91c, C1.91d: three OBs with points: 4 left, the marker three spaces on', () => {
    const state = german();
    state.table.campaign.vp = -4;
    const { state: after, events } = play(state, { german: ['FORT POINTS Trenches, Wire, Bunker'] });
    expect(first(events, 'fort')).toMatchObject({ pay: 'points', left: 4, from: -4, to: -1 });
    expect(after.table.campaign.points.fortification).toBe(4);
  });

  test('C1.91a, C1.91e: seven points for the campaign, the German’s alone', () => {
    const state = german();
    expect(state.table.campaign.points.fortification).toBe(7);
    state.table.campaign.points.fortification = 1;
    expect(codes(state, 'german', 'FORT POINTS Trenches, Wire')).toEqual(['OVER FORT POINTS']);
    expect(codes(state, 'german', 'FORT 2 Wire')).toEqual(['FORT COST']);
    expect(codes(bare(5), 'american', 'FORT POINTS Wire')).toEqual(['NOT YOUR SIDE']);
  });

  test('C1.91b: a German who does not set up first is asked, and may answer beforehand', () => {
    const start = newCampaign({}, { orientation: [1] });
    const { state } = play(start, { american: ['SECTIONS NONE'], german: ['SECTIONS NONE'] });
    state.table.campaign.vp = 5;
    const asked = play(state, { american: ['ARMOR NO'], german: ['ARMOR NO'] }, { answer: () => ['Wire', 'Mines8'] });
    expect(asked.requests[0]).toMatchObject({ to: 'german', kind: 'fortify', form: ['FORT NONE'] });
    expect(first(asked.events, 'fort')).toMatchObject({ cost: 3, left: 4, from: 5, to: 8 });
    expect(asked.state.table.battle.posture?.german).toBe('attack');
    const view = viewFor(state, 'german');
    const answer = (text: string) => rules.parseAnswer(view, asked.requests[0] as CampaignQuestion, [{ n: 1, text }]);
    expect(answer('FORT POINTS Wire, Wire')).toEqual({ chosen: ['Wire', 'Wire'] });
    expect(answer('FORT NONE')).toEqual({ chosen: [] });
    expect(answer('FORT POINTS Mines8, Mines8, Mines8, Mines8')).toMatchObject({
      diagnostics: [{ code: 'OVER FORT POINTS' }],
    });
    const early = play(state, { american: ['ARMOR NO'], german: ['ARMOR NO', 'FORT 1 Wire'] });
    expect(early.requests).toEqual([]);
    expect(first(early.events, 'fort')).toMatchObject({ items: ['Wire'], left: 6 });
  });

  test('C1.10g: those bought with points are placed with the units, those of RS.9 after the Attacker’s set-up', () => {
    const state = german();
    const lines = ['FORT 2 Trenches H4 I5, Wire F6 F7 F8', 'FORT VP Foxholes'];
    expect(codes(state, 'german', 'FORT VP Foxholes H4')).toEqual(['FORT LATER']);
    expect(codes(state, 'german', 'FORT 1 Trenches H4 I5 F6')).toEqual(['TOO MANY HEXES']);
    expect(codes(state, 'german', 'FORT 1 Trenches H2 I5')).toEqual(['OUTSIDE SET-UP ZONE']);
    expect(codes(state, 'german', 'FORT 2 Trenches H4 I5, Wire H4')).toEqual(['FORT THERE ALREADY']);
    const placed = play(state, { german: lines }).state;
    expect(placed.table.battle.forts.map(({ item, hexes }) => [item, hexes])).toEqual([
      ['Foxholes', []],
      ['Trenches', ['H4', 'I5']],
      ['Wire', ['F6', 'F7', 'F8']],
    ]);
    const apart = play(state, { german: ['FORT POINTS Trenches, Wire', 'PLACE Trenches H4 I5'] }).state.table.battle;
    expect(apart.forts.map(({ hexes }) => hexes.length)).toEqual([2, 3]);
    expect(apart.forts[0]!.hexes).toEqual(['H4', 'I5']);
    const last = play(placed, { american: [] }).state;
    expect(last.phase.step).toBe('setup-forts');
    expect(codes(last, 'german', 'PLACE Foxholes C3 C4 C5 C6')).toEqual(['FORT NOT BOUGHT']);
    const battle = play(last, { german: ['PLACE Foxholes C3 C4'] });
    expect(battle.state.phase.step).toBe('battle');
    const foxholes = battle.state.table.battle.forts[0]!;
    expect(foxholes.hexes.slice(0, 2)).toEqual(['C3', 'C4']);
    expect(new Set(foxholes.hexes).size).toBe(3);
  });
});

describe('C1.10 placement', () => {
  test('C1.10a: zones of 8 and 2 rows on a wide front, 12 and 3 on a narrow one, 4 and 6 in a Recon battle', () => {
    const state = german();
    const depth = (side: 'american' | 'german', at: State) => zoneOf(data, at.table, side).length;
    expect([depth('german', state), depth('american', state)]).toEqual([8 * 15, 2 * 15]);
    state.table.battle.edge = 'left';
    expect([depth('german', state), depth('american', state)]).toEqual([12 * 10, 3 * 10]);
    const recon = bare(0);
    expect([depth('german', recon), depth('american', recon)]).toEqual([4 * 15, 4 * 15]);
    recon.table.battle.edge = 'right';
    expect(depth('american', recon)).toBe(6 * 10);
  });

  test('C1.10a: what is out of place is refused: zone, stacking, unknown pieces', () => {
    const state = german();
    expect(codes(state, 'german', 'SETUP D/1 H2')).toEqual(['OUTSIDE SET-UP ZONE']);
    expect(complaints(state, 'german', 'SETUP Ehnert D/1 D/2 H4')).toEqual([
      'D/2 in H4: 9 figures in one hex, at most 7',
    ]);
    expect(codes(state, 'german', 'SETUP Ehnert D/1 D/2 H4')).toEqual(['STACK OVER 7']);
    expect(codes(state, 'german', 'SETUP D/9 H4')).toEqual(['UNIT UNKNOWN']);
    expect(codes(state, 'german', 'SETUP D/1 Z99')).toEqual(['NO SUCH HEX']);
    expect(codes(state, 'german', 'SETUP D/1 P3')).toEqual(['NO SUCH HEX']);
    expect(codes(state, 'american', 'SETUP C/1 C2')).toEqual(['NOT NOW']);
  });

  test('C1.10f: a Section’s weapon stays with its Section, one weapon a unit', () => {
    const state = german();
    expect(codes(state, 'german', 'SETUP D/LMG WITH Q/1')).toEqual(['WEAPON SECTION']);
    expect(codes(state, 'german', 'SETUP D/LMG WITH D/1')).toEqual([]);
    expect(codes(state, 'german', 'SETUP Q/LightMortar1 WITH Q/1, Q/LightMortar2 WITH Q/1')).toEqual([
      'TWO WEAPONS ON ONE UNIT',
    ]);
    expect(codes(state, 'german', 'SETUP S/LMG WITH D/2')).toEqual([]);
    expect(codes(state, 'german', 'SETUP D/1 WITH D/2')).toEqual(['NO WEAPON']);
    expect(codes(state, 'german', 'SETUP D/LMG H4')).toEqual(['A WEAPON']);
    expect(codes(state, 'german', 'SETUP LMG WITH D/1')).toEqual(['WHICH ONE']);
    expect(read(state, 'german', ['SETUP LightM WITH Q/1, LightM WITH Q/2']).orders[0]).toMatchObject({
      carry: [
        { weapon: 'Q/LightMortar1', unit: 'Q/1' },
        { weapon: 'Q/LightMortar2', unit: 'Q/2' },
      ],
    });
  });

  test('C1.72i: the free Deploy makes one squad into two teams (CCR-29), only with armor support', () => {
    const plain = playTo(german(), 'setup-second');
    expect(codes(plain, 'american', 'SETUP DEPLOY C/1 INTO C/1A C/1B')).toEqual(['NO DEPLOY']);
    expect(codes(plain, 'american', 'SETUP C/1A C1')).toEqual(['NOT IN YOUR FORCE']);
    const state = playTo(german({}, ['ARMOR YES']), 'setup-second');
    expect(codes(state, 'american', 'SETUP DEPLOY E/1 INTO E/1A E/1B')).toEqual(['NO SQUAD']);
    const lines = ['SETUP DEPLOY C/1 INTO C/1A C/1B, C/1A C/1B D1, CHARGE WITH C/1A, CHARGE WITH C/1B'];
    const { state: after, events } = play(state, { american: lines });
    expect(first(events, 'deployed').unit).toBe('C/1');
    const sheet = reportText(after, 'german').join('\n');
    expect(sheet).toMatch(/C\/1A Line Team .* in D1 with Charge1 Demolition Charge/);
    expect(sheet).toMatch(/C\/1B Line Team .* in D1 with Charge2 Demolition Charge/);
  });

  test('what a player leaves out the service places, legally, and says so', () => {
    const { state, events } = play(german(), { german: ['SETUP Ehnert D/1 H4'] });
    const set = first(events, 'set-up');
    expect(set.auto).toContain('D/2');
    expect(set.auto).not.toContain('D/1');
    const { places, carry } = state.table.battle.setup.german!;
    const order: SetupOrder = {
      verb: 'SETUP',
      line: 1,
      deploy: null,
      places: Object.entries(places).map(([unit, hex]) => ({ unit, hex })),
      carry: Object.entries(carry).map(([weapon, unit]) => ({ weapon, unit })),
    };
    expect(rules.check(viewFor(german(), 'german'), [order], [])).toEqual([]);
    expect(mergeSetup([order]).places).toEqual(places);
  });

  test('RS.11.1: the Attacker may roll for a Radio and must buy the one shown', () => {
    const state = playTo(german(), 'setup-second');
    const { state: after, events } = play(state, { american: ['RADIO ROLL'] }, { dice: { 'radio roll': [5, 4] } });
    expect(first(events, 'radio')).toMatchObject({ calibre: '105mm', cost: 5, from: -3, to: -8 });
    expect(reportText(after, 'public')).toContain('American Radio by Asset Request: 105mm (10 FP).');
    const none = play(state, { american: ['RADIO ROLL'] }, { dice: { 'radio roll': [1, 3] } });
    expect(first(none.events, 'radio')).toMatchObject({ calibre: 'none', cost: 0 });
    expect(all(play(state, { american: ['RADIO NO'] }).events, 'radio')).toEqual([]);
    const recon = playTo(bare(0), 'setup-second');
    const second = recon.table.battle.first === 'american' ? 'german' : 'american';
    expect(codes(recon, second, 'RADIO ROLL')).toEqual(['NOT THE ATTACKER']);
  });

  test('with placement at the table only what costs VP is asked by mail', () => {
    const state = german({ placement: 'table' });
    expect(state.phase.step).toBe('setup-first');
    expect(codes(state, 'german', 'SETUP D/1 H4')).toEqual(['PLACED AT THE TABLE']);
    expect(codes(state, 'german', 'FORT 1 Wire H4')).toEqual(['PLACED AT THE TABLE']);
    const second = play(state, { german: ['FORT 1 Wire'] }).state;
    expect(second.phase.step).toBe('setup-second');
    const battle = play(second, { american: ['RADIO NO'] }).state;
    expect(battle.phase.step).toBe('battle');
    expect(battle.table.battle.setup).toEqual({ american: null, german: null });
    const recon = bare(0, 'ARMOR NO', { placement: 'table' });
    expect(recon.phase.step).toBe('battle');
  });
});

describe('the battle sheet', () => {
  const state = playTo(german({}, ['ARMOR YES']), 'battle');

  test('C2.0, C2.1: it names the special rules of the battle and the Normandy rules No1 to No4', () => {
    expect(reportText(state, 'american')).toContain(
      'Special rules C2 and Normandy rules No1 to No4 apply; the roads of this map are rural roads (No2).',
    );
  });

  test('the scene shows map, edges, pieces, forces with values, the marker and the limits', () => {
    const scene = saidScene(rules.scenes(viewFor(state, 'german'), [])[0]!, wording);
    expect(scene.title).toBe('Battle 1: St Andre lanes');
    expect(scene.items.filter((item) => item.kind === 'cell')).toHaveLength(150);
    const labels = scene.items.flatMap((item) => (item.kind === 'label' ? [item.text] : []));
    expect(labels).toEqual(['American edge', 'German edge']);
    const counters = scene.items.flatMap((item) => (item.kind === 'counter' ? [item.counter.id] : []));
    expect(counters).toEqual(expect.arrayContaining(['Craighead', 'C/1', 'Ehnert', 'D/3', 'Q/Scout']));
    const panels = Object.fromEntries((scene.panels ?? []).map((panel) => [panel.title, panel.rows]));
    expect(panels['German force']?.map((row) => row.cells.slice(0, 3))).toContainEqual([
      'D/1',
      'Elite Rifle',
      'FP 5, range 6, move 5, morale 8',
    ]);
    const sheet = panels['Battle sheet 1']?.map((row) => row.cells.join(' '));
    expect(sheet).toEqual(expect.arrayContaining(['Surrender level 9 6', 'Order limit 4 3', 'VP marker German 8 ']));
    expect(scene.house.length).toBeGreaterThan(0);
  });

  test('objectives under counters are told by plates; a campaign won ends in St. Lô', () => {
    const items = rules.scenes(viewFor(state, 'public'), [])[0]!.items;
    expect(items.flatMap((item) => (item.kind === 'plate' ? [item.big] : []))).toEqual(['1', '2', '3', '4', '5']);
    const open = rules.scenes(viewFor(german(), 'public'), [])[0]!.items;
    expect(open.filter((item) => item.kind === 'marker' && item.marker === 'objective')).toHaveLength(5);
    const won = fightAll('WWWW').state;
    expect(rules.scenes(viewFor(won, 'public'), [])[0]!.items.filter((item) => item.kind === 'arrow')).toHaveLength(4);
    const lost = fightAll('LLLL').state;
    expect(rules.scenes(viewFor(lost, 'public'), [])[0]!.items.filter((item) => item.kind === 'arrow')).toHaveLength(1);
  });

  test('between battles the scene is the campaign track', () => {
    const scene = saidScene(rules.scenes(viewFor(newCampaign(), 'public'), [])[0]!, wording);
    expect(scene.title).toBe('The road to St. Lô');
    const plates = scene.items.flatMap((item) => (item.kind === 'plate' ? [item.big] : []));
    expect(plates).toEqual(['A1', 'A2', 'A3', 'A4', 'G1']);
    expect(scene.panels?.map((panel) => panel.title)).toEqual(['Campaign sheet', 'American leaders', 'German leaders']);
  });
});
