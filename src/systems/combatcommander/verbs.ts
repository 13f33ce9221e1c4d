/** The verbs of the campaign's order language: source of help and of the words the intake listens for. */
import type { Verb } from '../../kernel/types.ts';

const ARMOR_CLAUSES = [
  {
    name: 'IF OPPONENT ARMOR',
    pattern: 'IF OPPONENT ARMOR',
    help: { key: 'combatcommander.help clause IF OPPONENT ARMOR' },
  },
  {
    name: 'UNLESS OPPONENT ARMOR',
    pattern: 'UNLESS OPPONENT ARMOR',
    help: { key: 'combatcommander.help clause UNLESS OPPONENT ARMOR' },
  },
];

/** Every verb, in the order in which a battle needs them. */
export const VERBS: Verb[] = [
  {
    verb: 'SECTIONS',
    pattern: 'SECTIONS section… | SECTIONS NONE',
    help: { key: 'combatcommander.help SECTIONS' },
    clauses: [],
    examples: ['SECTIONS C E', 'SECTIONS Krauss, Bowen', 'SECTIONS NONE'],
  },
  {
    verb: 'SUPPORT',
    pattern: 'SUPPORT BUY item, item | SUPPORT BUY CHEAPEST|DEAREST|ALL',
    help: { key: 'combatcommander.help SUPPORT' },
    clauses: [],
    examples: ['SUPPORT BUY Line', 'SUPPORT BUY CHEAPEST'],
  },
  {
    verb: 'ARMOR',
    pattern: 'ARMOR YES | ARMOR NO | ARMOR IF OPPONENT ARMOR',
    help: { key: 'combatcommander.help ARMOR' },
    clauses: ARMOR_CLAUSES,
    examples: ['ARMOR YES', 'ARMOR IF OPPONENT ARMOR'],
  },
  {
    verb: 'ARTILLERY',
    pattern: 'ARTILLERY points [condition [; ELSE points]]',
    help: { key: 'combatcommander.help ARTILLERY' },
    clauses: [
      { name: 'UNLESS ARMOR', pattern: 'UNLESS ARMOR', help: { key: 'combatcommander.help ARTILLERY UNLESS ARMOR' } },
      ...ARMOR_CLAUSES,
      { name: 'ELSE', pattern: 'ELSE points', help: { key: 'combatcommander.help ARTILLERY ELSE' } },
    ],
    examples: ['ARTILLERY 2 UNLESS ARMOR', 'ARTILLERY 3 IF OPPONENT ARMOR ; ELSE 1'],
  },
  {
    verb: 'FORT',
    pattern: 'FORT VP|POINTS|number item [hex…], item [hex…] | FORT NONE',
    help: { key: 'combatcommander.help FORT' },
    clauses: [],
    examples: ['FORT VP Trenches, Wire', 'FORT 2 Trenches H4 I5, Wire F6 F7 F8', 'FORT NONE'],
  },
  {
    verb: 'RADIO',
    pattern: 'RADIO ROLL | RADIO NO',
    help: { key: 'combatcommander.help RADIO' },
    clauses: [],
    examples: ['RADIO ROLL'],
  },
  {
    verb: 'SETUP',
    pattern: 'SETUP unit… hex, unit… hex, weapon WITH unit | SETUP DEPLOY squad INTO team team',
    help: { key: 'combatcommander.help SETUP' },
    clauses: [
      { name: 'WITH', pattern: 'weapon WITH unit', help: { key: 'combatcommander.help SETUP WITH' } },
      { name: 'DEPLOY', pattern: 'DEPLOY squad INTO team team', help: { key: 'combatcommander.help SETUP DEPLOY' } },
    ],
    examples: ['SETUP Craighead Q/1 Q/2 C5, Q/3 D5, MMG WITH Q/1', 'SETUP DEPLOY Q/1 INTO Q/1A Q/1B'],
  },
  {
    verb: 'PLACE',
    pattern: 'PLACE fortification hex…',
    help: { key: 'combatcommander.help PLACE' },
    clauses: [],
    examples: ['PLACE Trenches H4 I5'],
  },
  {
    verb: 'REPORT',
    pattern: 'REPORT BATTLE number WINNER side [VP number] [NOTE words]',
    help: { key: 'combatcommander.help REPORT' },
    clauses: [
      { name: 'VP', pattern: 'VP number', help: { key: 'combatcommander.help REPORT VP' } },
      { name: 'NOTE', pattern: 'NOTE words', help: { key: 'combatcommander.help REPORT NOTE' } },
    ],
    examples: ['REPORT BATTLE 2 WINNER GERMAN VP 11', 'REPORT BATTLE 1 WINNER AMERICAN NOTE "the orchard fell"'],
    freeAfter: 'NOTE',
  },
  {
    verb: 'CONFIRM',
    pattern: 'CONFIRM BATTLE number',
    help: { key: 'combatcommander.help CONFIRM' },
    clauses: [],
    examples: ['CONFIRM BATTLE 2'],
  },
  {
    verb: 'REOPEN',
    pattern: 'REOPEN BATTLE number',
    help: { key: 'combatcommander.help REOPEN' },
    clauses: [],
    examples: ['REOPEN BATTLE 2'],
  },
  {
    verb: 'CHOOSE',
    pattern: 'CHOOSE QUALITY OWN|OPPONENT|NONE | CHOOSE REQUEST 1|2 | CHOOSE LEADER name | CHOOSE REST name…|NONE',
    help: { key: 'combatcommander.help CHOOSE' },
    clauses: [],
    examples: ['CHOOSE QUALITY OWN', 'CHOOSE REQUEST 2', 'CHOOSE LEADER Miller', 'CHOOSE REST Ehnert'],
  },
  {
    verb: 'DOCTRINE',
    pattern:
      'DOCTRINE SECTIONS section… | SUPPORT CHEAPEST|DEAREST|ALL|ASK | ARMOR … | ARTILLERY … | FORT NONE|ASK | RADIO ROLL|NO | QUALITY OWN|OPPONENT|NONE | REQUEST section… | REST YES|NO | word OFF',
    help: { key: 'combatcommander.help DOCTRINE' },
    clauses: [],
    examples: ['DOCTRINE ARMOR IF OPPONENT ARMOR', 'DOCTRINE REQUEST G F C', 'DOCTRINE ARMOR OFF'],
    standing: true,
  },
];
