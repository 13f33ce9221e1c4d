/** Every refusal of the campaign, in the words the player reads. */
import { expect, test } from 'vitest';
import type { CommanderSide } from '../../../../src/systems/combatcommander/types.ts';
import { complaints, fight, newCampaign, play, playTo, type State, settle } from '../../../helpers/combatcommander.ts';

const sections = newCampaign({}, { orientation: [1] });
const blocks = { american: ['SECTIONS C E'], german: ['SECTIONS D'] };
const support = play(sections, blocks, { dice: { 'german support': [4, 3] } }).state;
const poor = structuredClone(support);
poor.table.campaign.points = { americanArmor: 0, germanArmor: 0, germanArtillery: 1, fortification: 1 };
const setup = play(support, { american: ['ARMOR NO'], german: ['SUPPORT BUY LMG', 'ARMOR NO'] }).state;
const short = structuredClone(setup);
short.table.campaign.points.fortification = 1;
const second = play(setup, { german: [] }).state;
const battle = playTo(second, 'battle');
const reported = play(battle, { american: ['REPORT BATTLE 1 WINNER AMERICAN VP 12'] }).state;
const after = fight(newCampaign(), 'american').state;
const top = structuredClone(after);
top.table.campaign.quality = { american: 'Elite', german: 'Green' };
const next = settle(after).state;
const revealed = play(next, { american: ['SECTIONS NONE'], german: ['SECTIONS NONE'] }).state;

test.each<[string, State, CommanderSide, string[], string]>([
  [
    'NOT IN POOL',
    sections,
    'german',
    ['SECTIONS G'],
    'G Pioneer (Lt Von Hoffman) cannot be bought: the leader is in the box "available"; your pool holds D Veteran (Sgt Ehnert), E Paratrooper (Sgt Hummer), F Paratrooper (Lt Becker)',
  ],
  [
    'SECTION UNKNOWN',
    sections,
    'german',
    ['SECTIONS Ehnart'],
    '"Ehnart" is no Section and no Section Leader of yours; did you mean Ehnert?',
  ],
  [
    'SEALED ALREADY',
    support,
    'german',
    ['SECTIONS D E'],
    'your choice of Sections is sealed and can no longer be changed',
  ],
  ['NO POINTS (armor)', poor, 'american', ['ARMOR YES'], '1 armor point asked for, 0 left'],
  ['NO POINTS (artillery)', poor, 'german', ['ARTILLERY 2'], '2 artillery points asked for, 1 left'],
  ['OVER 3 ARTILLERY', support, 'german', ['ARTILLERY 5'], '5 artillery points asked for; at most 3 in a battle'],
  [
    'ARTILLERY EXCLUDED BY ARMOR',
    support,
    'german',
    ['ARMOR YES', 'ARTILLERY 1'],
    'no artillery in a battle in which you take armor; write UNLESS ARMOR or leave one of them out',
  ],
  ['ARMOR USED', poor, 'german', ['ARMOR YES'], 'your one armor support of this campaign has been used'],
  [
    'ITEM NOT IN COLUMN',
    support,
    'german',
    ['SUPPORT BUY Rifle'],
    'Rifle is not in the column you rolled: LMG (1 VP), EliteRifle (2 VP)',
  ],
  [
    'MUST BUY',
    support,
    'german',
    ['SUPPORT NONE'],
    'you must buy at least one item of your column: LMG (1 VP), EliteRifle (2 VP)',
  ],
  ['OVER VP', setup, 'german', ['FORT VP Mines8, Mines8'], 'these fortifications cost 4 VP; you have 3'],
  [
    'OVER FORT POINTS',
    short,
    'german',
    ['FORT POINTS Mines8'],
    'these fortifications cost 2 Fortification Points; 1 are left',
  ],
  [
    'OUTSIDE SET-UP ZONE',
    setup,
    'german',
    ['SETUP D/1 H1'],
    'D/1 in H1: outside your set-up zone, 8 rows from the bottom edge',
  ],
  ['STACK OVER 7', setup, 'german', ['SETUP D/1 D/2 H4'], 'D/2 in H4: 8 figures in one hex, at most 7'],
  [
    'WEAPON SECTION',
    setup,
    'german',
    ['SETUP D/LMG WITH Q/1'],
    'D/LMG belongs to Section D and cannot go with Q/1 of Section Q',
  ],
  [
    'TWO WEAPONS ON ONE UNIT',
    setup,
    'german',
    ['SETUP D/LMG WITH D/1, S/LMG WITH D/1'],
    'D/1 already carries D/LMG and cannot carry S/LMG',
  ],
  ['NOT THE WINNER', after, 'german', ['CHOOSE REQUEST 1'], 'REQUEST is chosen by the winner of the battle'],
  ['ROLL NOT OFFERED', after, 'american', ['CHOOSE REQUEST 4'], 'the dice do not offer this: 4'],
  [
    'QUALITY LIMIT (own)',
    top,
    'american',
    ['CHOOSE QUALITY OWN'],
    'the American troops are Elite; there is no further step',
  ],
  [
    'QUALITY LIMIT (opponent)',
    top,
    'american',
    ['CHOOSE QUALITY OPPONENT'],
    'the German troops are Green; there is no further step',
  ],
  [
    'NOT YOUR BATTLE',
    battle,
    'german',
    ['REPORT BATTLE 3 WINNER GERMAN'],
    'battle 3 is not the one in hand; that is battle 1',
  ],
  [
    'ALREADY CONFIRMED',
    after,
    'german',
    ['CONFIRM BATTLE 1'],
    'battle 1 is closed; both of you can still REOPEN it before the next Sections are revealed',
  ],
  [
    'REPORTS DIFFER',
    reported,
    'german',
    ['REPORT BATTLE 1 WINNER GERMAN'],
    'your opponent reports battle 1 differently: winner American VP 12; if both stay with it, another round follows',
  ],
  [
    'TOO LATE TO REOPEN',
    revealed,
    'german',
    ['REOPEN BATTLE 1'],
    'battle 1 can no longer be reopened: the next Sections are revealed or the campaign is decided',
  ],
  ['NOT THE DEFENDER', second, 'american', ['FORT VP Wire'], 'FORT is not asked for now (step setup-second)'],
  ['NOT YOUR SIDE', support, 'american', ['ARTILLERY 1'], 'ARTILLERY belongs to the German player'],
])('%s', (_code, state, side, lines, expected) => {
  expect(complaints(state, side, ...lines)).toEqual([expected]);
});

test('all faults of a mail are told together', () => {
  const lines = ['SETUP D/1 D/2 H4', 'SETUP D/LMG WITH Q/1', 'FORT VP Mines8, Mines8', 'CHOOSE REQUEST 1'];
  expect(complaints(setup, 'german', ...lines)).toHaveLength(4);
});
