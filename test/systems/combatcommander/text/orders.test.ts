/** The order language: reading, printing, complaints in words, and the forms. */

import { describe, expect, test } from 'vitest';
import { viewFor } from '../../../../src/kernel/view.ts';
import type { CommanderSide } from '../../../../src/systems/combatcommander/types.ts';
import {
  codes,
  complaints,
  fight,
  newCampaign,
  play,
  playTo,
  printedExample,
  read,
  reportText,
  rules,
  type State,
  wording,
} from '../../../helpers/combatcommander.ts';
import { formOf } from '../../../helpers/play.ts';

const sections = newCampaign({}, { orientation: [1] });
const support = printedExample({ 'german support': [4, 3] }).state;
const setup = playTo(support, 'setup-first', {});
const battle = playTo(setup, 'battle');
const after = fight(newCampaign(), 'american', { 'american request, first': [6, 6] }).state;

/** What is read from a line, printed. */
function printed(state: State, side: CommanderSide, text: string): string {
  const { orders, standing, diagnostics } = read(state, side, [text]);
  const [order] = [...orders, ...standing];
  if (!order) return diagnostics.map((one) => one.code).join();
  const again = rules.parse([{ n: 1, text: rules.print(order) }], viewFor(state, side));
  expect([...again.orders, ...again.standing]).toEqual([order]);
  return rules.print(order);
}

test.each<[State, CommanderSide, string, string]>([
  [sections, 'american', 'sections bowen, Sgt KRAUSS', 'SECTIONS C E'],
  [sections, 'german', 'SECTIONS none', 'SECTIONS NONE'],
  [sections, 'german', 'SECTIONS Lt Becker D  # both', 'SECTIONS D F'],
  [support, 'german', 'SUPPORT LMG', 'SUPPORT BUY LMG'],
  [support, 'german', 'support buy all', 'SUPPORT BUY ALL'],
  [support, 'american', 'armor yes', 'ARMOR YES'],
  [support, 'german', 'ARMOR IF OPPONENT ARMOR', 'ARMOR IF OPPONENT ARMOR'],
  [support, 'german', 'ARTILLERY 2 UNLESS ARMOR', 'ARTILLERY 2 UNLESS ARMOR'],
  [support, 'german', 'ARTILLERY 3 IF OPPONENT ARMOR ELSE 1', 'ARTILLERY 3 IF OPPONENT ARMOR ; ELSE 1'],
  [support, 'german', 'FORT NONE', 'FORT NONE'],
  [setup, 'german', 'FORT 2 TRENCH H4 I5, WIRE H5 H6 H7', 'FORT 2 Trenches H4 I5, Wire H5 H6 H7'],
  [setup, 'german', 'fort vp bunker', 'FORT VP Bunker'],
  [setup, 'german', 'SETUP Ehnert H5, D/1 H5; D/2 I5, D/LMG WITH D/1', 'SETUP Ehnert D/1 H5, D/2 I5, D/LMG WITH D/1'],
  [battle, 'german', 'REPORT BATTLE 1 WINNER german VP 11', 'REPORT BATTLE 1 WINNER GERMAN VP 11'],
  [
    battle,
    'german',
    'REPORT BATTLE 1 WINNER GERMAN NOTE they ran, and ran   # really',
    'REPORT BATTLE 1 WINNER GERMAN NOTE "they ran, and ran"',
  ],
  [after, 'american', 'choose request 2', 'CHOOSE REQUEST 2'],
  [after, 'american', 'CHOOSE LEADER Cpl Miller', 'CHOOSE LEADER B'],
  [sections, 'german', 'doctrine request Von Hoffman, C', 'DOCTRINE REQUEST G C'],
  [
    sections,
    'german',
    'DOCTRINE ARTILLERY 3 IF OPPONENT ARMOR ; ELSE 1',
    'DOCTRINE ARTILLERY 3 IF OPPONENT ARMOR ; ELSE 1',
  ],
  [sections, 'german', 'DOCTRINE QUALITY opponent own', 'DOCTRINE QUALITY OPPONENT OWN'],
  [sections, 'german', 'DOCTRINE REST NO', 'DOCTRINE REST NO'],
  [sections, 'german', 'DOCTRINE ARMOR OFF', 'DOCTRINE ARMOR OFF'],
])('case %#: reads a line as a player writes it and prints it', (state, side, text, expected) => {
  expect(printed(state, side, text)).toBe(expected);
});

test.each<[State, CommanderSide, string, string]>([
  [sections, 'american', 'SECTION C', 'SECTION is no order of this game; did you mean SECTIONS?'],
  [sections, 'american', 'SECTIONS Patton', '"Patton" is no Section and no Section Leader of yours'],
  [sections, 'american', 'SECTIONS', 'write it as: SECTIONS section… | SECTIONS NONE'],
  [sections, 'american', 'ARMOR YES', 'ARMOR is not asked for now (step sections)'],
  [support, 'german', 'SUPPORT BUY Tiger', '"Tiger" is no item of this list'],
  [support, 'american', 'FORT POINTS Wire', 'FORT POINTS belongs to the German player'],
  [support, 'american', 'ARMOR MAYBE', 'write it as: ARMOR YES | ARMOR NO | ARMOR IF OPPONENT ARMOR'],
  [setup, 'german', 'FORT POINTS Mines', '"Mines" could be Mines6, Mines7, Mines8; which one?'],
  [
    setup,
    'german',
    'SETUP D/1',
    'write it as: SETUP unit… hex, unit… hex, weapon WITH unit | SETUP DEPLOY squad INTO team team',
  ],
  [after, 'german', 'CHOOSE QUALITY OWN', 'QUALITY is chosen by the winner of the battle'],
])('case %#: complains in words', (state, side, text, expected) => {
  expect(complaints(state, side, text)).toEqual([expected]);
});

test('spectators cannot give orders', () => {
  const { orders, diagnostics } = rules.parse([{ n: 1, text: 'SECTIONS C' }], viewFor(sections, 'public'));
  expect(orders).toEqual([]);
  expect(diagnostics.map((one) => one.code)).toEqual(['NOT A PLAYER']);
});

test('a line that became illegal is dropped when the step runs, and its owner is told', () => {
  const { orders } = read(sections, 'american', ['SECTIONS C E']);
  const changed = structuredClone(sections);
  changed.table.campaign.boxes.american.C = 'exhausted';
  const view = viewFor(changed, 'american');
  expect(rules.check(view, orders, [])).toMatchObject([{ code: 'NOT IN POOL', line: 1 }]);
});

describe('the forms', () => {
  test('what is on file comes back in the form', () => {
    const filed = read(sections, 'american', ['SECTIONS G', 'DOCTRINE REQUEST A B']);
    const form = formOf(rules.report(viewFor(sections, 'american'), [], filed));
    expect(form).toContain('SECTIONS G');
    expect(form).not.toContain('SECTIONS NONE');
    expect(form).toContain('DOCTRINE REQUEST A B');
    expect(form.slice(-2)).toEqual(['FINAL', 'END']);
  });

  test('the form of the set-up is a legal placement of every piece', () => {
    const form = reportText(setup, 'german')
      .filter((line) => line.startsWith('> '))
      .map((line) => line.slice(2));
    expect(codes(setup, 'german', ...form)).toEqual([]);
    const played = play(setup, { german: form });
    expect(played.state.table.battle.setup.german?.auto).toEqual([]);
  });

  test('who owes nothing gets no form', () => {
    expect(rules.report(viewFor(setup, 'american'), [], { orders: [], standing: [] }).orderForm).toEqual([]);
    expect(rules.report(viewFor(setup, 'public'), [], { orders: [], standing: [] }).orderForm).toEqual([]);
  });
});

test('the receipt can say what orders will cost and where the pieces would stand', () => {
  const { orders } = read(sections, 'american', ['SECTIONS C E']);
  expect(rules.preview(viewFor(sections, 'american'), orders, []).events).toMatchObject([
    { type: 'forecast-sections', cost: 12, from: 0, to: -12 },
  ]);
  const { events } = rules.preview(viewFor(sections, 'american'), orders, []);
  const report = rules.report(viewFor(sections, 'american'), events, { orders, standing: [] });
  expect(report.sections.flatMap((section) => section.lines.map((line) => wording.say(line)))).toEqual([
    'Your Sections cost 12 VP; by themselves they move the marker from 0 to German 12.',
  ]);
  const placed = rules.preview(viewFor(setup, 'german'), read(setup, 'german', ['SETUP Ehnert D/1 H5']).orders, []);
  expect(placed.events).toMatchObject([{ type: 'forecast-setup', placed: 2 }]);
  expect(placed.scenes[0]!.items).toContainEqual(
    expect.objectContaining({ kind: 'counter', at: [8, 5], counter: expect.objectContaining({ id: 'Ehnert' }) }),
  );
});
