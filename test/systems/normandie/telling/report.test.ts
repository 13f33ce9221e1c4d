/** The report of a phase: every event has a teller and a wording, sums are shown, and only what the viewer may hear is told. */

import fs from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { listDice } from '../../../../src/kernel/dice.ts';
import { readBlock } from '../../../../src/kernel/orders.ts';
import type { Report, Rules } from '../../../../src/kernel/types.ts';
import { viewFor } from '../../../../src/kernel/view.ts';
import { openWording } from '../../../../src/render/words.ts';
import type { Book } from '../../../../src/systems/normandie/content/opened.ts';
import type { NormandieEvent } from '../../../../src/systems/normandie/events.ts';
import { openRules } from '../../../../src/systems/normandie/system.ts';
import { sumText, tell } from '../../../../src/systems/normandie/telling/tell.ts';
import type { Normandie, State } from '../../../../src/systems/normandie/types.ts';
import { normandieBook, normandieScenario } from '../../../helpers/normandie.ts';
import { formOf } from '../../../helpers/play.ts';

const wording = openWording();
const SOURCES = new URL('../../../../src/systems/normandie/', import.meta.url);
/** Words of the order language that the search for codes finds as well. */
const ORDER_WORDS = ['ASK NONE', 'GO ON', 'KEEP ALL', 'STOP IF'];
const nobody = { orders: [], standing: [] };
let rules: Rules<Normandie>;
let book: Book;
let state: State;

beforeAll(() => {
  rules = openRules(normandieScenario('church'));
  book = normandieBook('church');
  state = rules.setup({}, listDice('HON-0001', { n: 0, turn: 0, step: 'setup' }, []));
});

const textOf = (report: Report): string =>
  [report.headline, ...report.sections.flatMap((section) => [section.title, ...section.lines])]
    .map((words) => wording.say(words))
    .join('\n');

const SUM = {
  dice: [4],
  die: 4,
  terms: [
    { what: 'value', n: 2 },
    { what: 'obscured', n: -1, rule: '5.1-obsc-b' },
    { what: 'ammo', n: 0 },
  ],
  total: 5,
  defense: [
    { what: 'printed', n: 4 },
    { what: 'terrain', n: 2 },
  ],
  need: 6,
};
const all = { audience: 'all' as const };
const us = { audience: ['us'] };

/** One of every type; the compiler insists that the list is whole. */
const SAMPLES: { [T in NormandieEvent['type']]: Extract<NormandieEvent, { type: T }> } = {
  kept: { type: 'kept', ...us, side: 'us', unit: 'US3', what: 'go' },
  turn: { type: 'turn', ...all, turn: 2, initiative: 'us' },
  drafted: { type: 'drafted', ...all, side: 'us', army: [{ tile: 'us-t-16a', slots: {} }], cost: 65 },
  deployed: { type: 'deployed', ...all, unit: 'US3', side: 'us', at: 'D9', rear: null, facing: 0, aboard: null },
  identity: { type: 'identity', ...us, unit: 'US?A', code: 'US2', counter: 'us-recon' },
  foxhole: { type: 'foxhole', ...all, side: 'ge', square: 'G5' },
  tokens: { type: 'tokens', ...all, side: 'us', numbered: 9, special: 0, backs: ['US1', 'US3'] },
  'own-tokens': { type: 'own-tokens', ...us, side: 'us', tokens: { US1: 1, US3: 'bluff' } },
  defaulted: { type: 'defaulted', ...all, side: 'ge', what: 'supply', filed: false, units: [] },
  bluffs: { type: 'bluffs', ...all, side: 'us', units: ['US7'] },
  planned: {
    type: 'planned',
    ...us,
    side: 'us',
    token: '1',
    unit: 'US3',
    clause: 1,
    when: 'LOST GE6',
    action: 'MOVE US3 -> F10',
    outlook: 'IF',
    chance: null,
  },
  'sudden-death': { type: 'sudden-death', ...all, sides: ['ge'] },
  revealed: { type: 'revealed', ...all, side: 'us', token: 1, unit: 'US3', void: false },
  clause: {
    type: 'clause',
    ...us,
    side: 'us',
    unit: 'US3',
    token: '1',
    taken: 2,
    skipped: [{ clause: 1, why: 'no line' }],
  },
  passed: { type: 'passed', ...all, unit: 'US3' },
  paused: { type: 'paused', ...all, after: 3 },
  claimed: { type: 'claimed', ...all, side: 'us', what: 'special' },
  moved: {
    type: 'moved',
    ...all,
    unit: 'US3',
    from: 'D9',
    to: 'D8',
    rear: null,
    facing: 0,
    how: 'step',
    aboard: null,
    spent: 1,
    of: 4,
  },
  stopped: { type: 'stopped', ...all, unit: 'US3', at: 'D8', why: 'enemy zone of control' },
  flipped: { type: 'flipped', ...all, unit: 'US3', face: 'reduced', why: 'hit' },
  'revealed-unit': {
    type: 'revealed-unit',
    ...all,
    was: 'GE?A',
    code: 'GE2',
    counter: 'ge-spah',
    at: 'D4',
    why: 'spotted',
  },
  concealed: { type: 'concealed', ...all, was: 'GE2', unit: 'GE?A' },
  exited: { type: 'exited', ...all, unit: 'US3', at: 'I1' },
  'wreck-pushed': { type: 'wreck-pushed', ...all, wreck: 'w1', by: 'US12', to: ['H9'], sunk: false },
  passage: { type: 'passage', ...all, unit: 'US12', square: 'E12' },
  'wire-cleared': { type: 'wire-cleared', ...all, unit: 'US12', squares: ['E12'] },
  fired: {
    type: 'fired',
    ...all,
    unit: 'US4',
    weapon: 'PRIMARY',
    suppress: true,
    targets: ['GE6'],
    at: null,
    opportunity: true,
    moving: false,
  },
  shot: {
    type: 'shot',
    ...all,
    unit: 'US4',
    target: 'GE6',
    weapon: 'PRIMARY',
    purpose: 'fire',
    sum: SUM,
    result: 'missed',
    n: 1,
    range: 3,
    side: 'rear',
  },
  'no-effect': { type: 'no-effect', ...all, unit: 'US4', why: 'the target is gone' },
  scatter: { type: 'scatter', ...all, unit: 'US20', aimed: '@D9', die: 2, landed: null },
  rerolled: { type: 'rerolled', ...all, side: 'us', source: 'veteran', purpose: 'fire', was: [1], dice: [5] },
  sniper: { type: 'sniper', ...all, unit: 'US17', target: 'GE7', sum: SUM, result: 'missed' },
  suppressed: { type: 'suppressed', ...all, unit: 'GE6', n: 2, total: 3, why: 'fire' },
  hit: { type: 'hit', ...all, unit: 'GE6', by: 'US4' },
  damaged: { type: 'damaged', ...all, unit: 'GE11', dice: [4], part: '3-4' },
  destroyed: { type: 'destroyed', ...all, unit: 'GE11', counter: 'ge-pz4', by: 'US12', why: 'fire', wreck: 'w1' },
  'removed-wreck': { type: 'removed-wreck', ...all, wreck: 'w1' },
  destruction: { type: 'destruction', ...all, structure: '1', dice: [3], points: 1, total: 2, of: 3 },
  rubble: { type: 'rubble', ...all, building: '1' },
  activated: { type: 'activated', ...all, unit: 'GE6' },
  bomb: { type: 'bomb', ...all, unit: 'US3', target: 'GE11', option: 'sticky-bomb' },
  exploded: { type: 'exploded', ...all, target: 'GE11', option: 'sticky-bomb' },
  assault: {
    type: 'assault',
    ...all,
    unit: 'US3',
    target: 'GE6',
    from: 'F9',
    attack: SUM,
    defense: SUM,
    result: 'tie',
    automatic: false,
  },
  card: { type: 'card', ...all, side: 'us', card: 'go', use: 'event', on: 'US3' },
  gear: { type: 'gear', ...all, side: 'us', option: 'ammo', unit: 'US4', n: 1, left: 2 },
  'token-moved': { type: 'token-moved', ...all, from: 'US3', to: 'US4' },
  cancelled: { type: 'cancelled', ...all, what: 'suppressed', unit: 'US3' },
  restored: { type: 'restored', ...all, unit: 'GE3', at: 'D4' },
  smoke: { type: 'smoke', ...all, squares: ['D4', 'D5'] },
  rallied: { type: 'rallied', ...all, unit: 'US3', left: 0 },
  drew: { type: 'drew', ...all, side: 'us', n: 2, discarded: 1 },
  'drew-cards': { type: 'drew-cards', ...us, side: 'us', cards: ['go'], discarded: [] },
  broken: { type: 'broken', ...all, tile: 'us-t-16a', side: 'us', points: 3, restored: false },
  objective: { type: 'objective', ...all, objective: 'church', side: 'us', points: 4 },
  considered: { type: 'considered', ...us, side: 'us', window: 'opfire', unit: 'US3', chosen: 'NO' },
  'order-lost': { type: 'order-lost', ...us, side: 'us', line: 4, text: 'ON 4: HOLD', why: 'unit lost' },
  outcome: { type: 'outcome', ...all, winner: 'us', reason: 'points', score: { us: 8, ge: 3 } },
};

describe('telling', () => {
  test.each(Object.values(SAMPLES))('$type is worded without gaps', (event) => {
    const text = wording.say(tell(book, event).words);
    expect(text).not.toMatch(/undefined|null|\[object|\{\{/);
    expect(text.trim().length).toBeGreaterThan(4);
  });

  test('a sum shows die, terms with their rules, total and need; terms of nothing are left out', () => {
    expect(wording.say(sumText(SUM))).toBe(
      'die 4 + 2 value - 1 obscured [5.1-obsc-b] = 5 against 6 (4 printed + 2 terrain)',
    );
  });
});

/** Codes that may stand against an order: every text in capitals that the rules hand to `refuse`, `never` or as a reason. */
const CODES = [
  ...new Set(
    fs
      .readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .flatMap((name) => {
        const text = fs.readFileSync(new URL(name, SOURCES), 'utf8');
        const given = text.matchAll(/\b(?:refuse|never|why|stop)\(\s*'([A-Z][A-Z -]+)'/g);
        const reasons = text.matchAll(/(?:return|\?\?|\?|:) '([A-Z]+(?: [A-Z]+)+)'/g);
        return [...given, ...reasons].map((match) => match[1]!);
      }),
  ),
].filter((code) => !ORDER_WORDS.includes(code));

describe('codes', () => {
  test.each([...CODES, 'IF'])('%s never reaches the story as it is', (code) => {
    const told: NormandieEvent[] = [
      { ...SAMPLES.stopped, why: code },
      { ...SAMPLES['no-effect'], why: code },
      { ...SAMPLES['order-lost'], text: '', why: code },
      { ...SAMPLES.clause, skipped: [{ clause: 1, why: code }] },
      { ...SAMPLES.planned, when: null, action: '', outlook: code },
    ];
    for (const event of told) {
      const text = wording.say(tell(book, event).words);
      expect(text.replace(/\bUS\d+\b|\bD8\b|\[.*\]/g, ''), event.type).not.toMatch(/\b[A-Z]{2,}\b/);
    }
    const warned = wording.complain('normandie', {
      severity: 'warning',
      code: 'W01',
      line: 1,
      params: { why: code, clause: 1, unit: '' },
    });
    expect(warned).not.toMatch(/\b[A-Z]{2,}\b/);
  });
});

describe('the report', () => {
  test('tells a side its own trace, the enemy and the public not', () => {
    const events = Object.values(SAMPLES);
    const own = textOf(rules.report(viewFor(state, 'us'), events, nobody));
    const enemy = textOf(rules.report(viewFor(state, 'ge'), events, nobody));
    const open = textOf(rules.report(viewFor(state, 'public'), events, nobody));
    expect(own).toContain('your tokens: 1 on US1, Bluff on US3');
    for (const text of [enemy, open]) {
      expect(text).not.toContain('your tokens');
      expect(text).not.toContain('clause 2');
    }
    expect(open).toContain('US shows 1: US3');
  });

  test('names the cards of the own hand only', () => {
    const held = state.hands.us!.cards[0]!;
    expect(textOf(rules.report(viewFor(state, 'us'), [], nobody))).toContain(`${held}`);
    expect(textOf(rules.report(viewFor(state, 'ge'), [], nobody))).toContain('US holds 3 cards');
  });

  test.each(['us', 'ge'])('the form of %s is a block without faults', (side) => {
    const view = viewFor(state, side);
    const orderForm = formOf(rules.report(view, [], nobody));
    const block = readBlock(orderForm);
    expect(block.diagnostics).toEqual([]);
    expect(block.final).toBe(true);
    expect(rules.parse(block.lines, view).diagnostics).toEqual([]);
  });
});
