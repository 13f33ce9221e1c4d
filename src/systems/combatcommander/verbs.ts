/** The verbs of the campaign's order language: source of help and of the words the intake listens for. */
import type { Verb } from '../../kernel/types.ts';

const ARMOR_CLAUSES = [
  { name: 'IF OPPONENT ARMOR', pattern: 'IF OPPONENT ARMOR', help: 'only when the opponent takes his armor' },
  { name: 'UNLESS OPPONENT ARMOR', pattern: 'UNLESS OPPONENT ARMOR', help: 'only when he does not' },
];

/** Every verb, in the order in which a battle needs them. */
export const VERBS: Verb[] = [
  {
    verb: 'SECTIONS',
    pattern: 'SECTIONS section… | SECTIONS NONE',
    help: 'the sealed choice: which Sections of your pool you buy for this battle, by letter or leader (C1.55)',
    clauses: [],
    examples: ['SECTIONS C E', 'SECTIONS Krauss, Bowen', 'SECTIONS NONE'],
  },
  {
    verb: 'SUPPORT',
    pattern: 'SUPPORT BUY item, item | SUPPORT BUY CHEAPEST|DEAREST|ALL',
    help: 'what you buy from the rolled column of your Support Table, at least one item (RS.7)',
    clauses: [],
    examples: ['SUPPORT BUY Line', 'SUPPORT BUY CHEAPEST'],
  },
  {
    verb: 'ARMOR',
    pattern: 'ARMOR YES | ARMOR NO | ARMOR IF OPPONENT ARMOR',
    help: 'your armor support (C1.72, C1.73); only the German can wait for what the opponent does',
    clauses: ARMOR_CLAUSES,
    examples: ['ARMOR YES', 'ARMOR IF OPPONENT ARMOR'],
  },
  {
    verb: 'ARTILLERY',
    pattern: 'ARTILLERY points [condition [; ELSE points]]',
    help: 'German artillery support, up to three points a battle (C1.74)',
    clauses: [
      { name: 'UNLESS ARMOR', pattern: 'UNLESS ARMOR', help: 'not when your own armor comes' },
      ...ARMOR_CLAUSES,
      { name: 'ELSE', pattern: 'ELSE points', help: 'how many when the condition does not hold' },
    ],
    examples: ['ARTILLERY 2 UNLESS ARMOR', 'ARTILLERY 3 IF OPPONENT ARMOR ; ELSE 1'],
  },
  {
    verb: 'FORT',
    pattern: 'FORT VP|POINTS|number item [hex…], item [hex…] | FORT NONE',
    help: 'fortifications: the Defender pays with VP (RS.9), the German also with Fortification Points (C1.91)',
    clauses: [],
    examples: ['FORT VP Trenches, Wire', 'FORT 2 Trenches H4 I5, Wire F6 F7 F8', 'FORT NONE'],
  },
  {
    verb: 'RADIO',
    pattern: 'RADIO ROLL | RADIO NO',
    help: 'the Attacker may roll for a Radio and must buy the one shown (RS.11.1)',
    clauses: [],
    examples: ['RADIO ROLL'],
  },
  {
    verb: 'SETUP',
    pattern: 'SETUP unit… hex, unit… hex, weapon WITH unit | SETUP DEPLOY squad INTO team team',
    help: 'where your units stand and who carries what (RS.10, RS.11, RS.13, C1.10f)',
    clauses: [
      { name: 'WITH', pattern: 'weapon WITH unit', help: 'the unit that carries the weapon' },
      { name: 'DEPLOY', pattern: 'DEPLOY squad INTO team team', help: 'the free Deploy event of armor support' },
    ],
    examples: ['SETUP Craighead Q/1 Q/2 C5, Q/3 D5, MMG WITH Q/1', 'SETUP DEPLOY Q/1 INTO Q/1A Q/1B'],
  },
  {
    verb: 'PLACE',
    pattern: 'PLACE fortification hex…',
    help: 'where bought fortifications go (RS.12, C1.10g)',
    clauses: [],
    examples: ['PLACE Trenches H4 I5'],
  },
  {
    verb: 'REPORT',
    pattern: 'REPORT BATTLE number WINNER side [VP number] [NOTE words]',
    help: 'how the battle ended',
    clauses: [
      { name: 'VP', pattern: 'VP number', help: 'VP of the winner at the end' },
      { name: 'NOTE', pattern: 'NOTE words', help: 'a line for the campaign diary' },
    ],
    examples: ['REPORT BATTLE 2 WINNER GERMAN VP 11', 'REPORT BATTLE 1 WINNER AMERICAN NOTE "the orchard fell"'],
  },
  {
    verb: 'CONFIRM',
    pattern: 'CONFIRM BATTLE number',
    help: 'the report of your opponent is right',
    clauses: [],
    examples: ['CONFIRM BATTLE 2'],
  },
  {
    verb: 'REOPEN',
    pattern: 'REOPEN BATTLE number',
    help: 'take a closed battle up again; both must ask before the next Sections are revealed',
    clauses: [],
    examples: ['REOPEN BATTLE 2'],
  },
  {
    verb: 'CHOOSE',
    pattern: 'CHOOSE QUALITY OWN|OPPONENT|NONE | CHOOSE REQUEST 1|2 | CHOOSE LEADER name | CHOOSE REST name…|NONE',
    help: 'the decisions after a battle (C3.5, C3.6, C3.7)',
    clauses: [],
    examples: ['CHOOSE QUALITY OWN', 'CHOOSE REQUEST 2', 'CHOOSE LEADER Miller', 'CHOOSE REST Ehnert'],
  },
  {
    verb: 'DOCTRINE',
    pattern:
      'DOCTRINE SECTIONS section… | SUPPORT CHEAPEST|DEAREST|ALL|ASK | ARMOR … | ARTILLERY … | FORT NONE|ASK | RADIO ROLL|NO | QUALITY OWN|OPPONENT|NONE | REQUEST section… | REST YES|NO | word OFF',
    help: 'what holds when you write nothing; REQUEST lists the Sections you want most, the first one first',
    clauses: [],
    examples: ['DOCTRINE ARMOR IF OPPONENT ARMOR', 'DOCTRINE REQUEST G F C', 'DOCTRINE ARMOR OFF'],
    standing: true,
  },
];
