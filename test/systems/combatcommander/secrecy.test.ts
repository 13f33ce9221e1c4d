/** The sealed choice and the secret chits: nothing that anybody but their owner is shown depends on them. */
import { describe, expect, test } from 'vitest';
import { publicView, viewFor } from '../../../src/kernel/view.ts';
import { type CommanderSide, SIDES } from '../../../src/systems/combatcommander/types.ts';
import {
  codes,
  fight,
  newCampaign,
  play,
  playTo,
  printedExample,
  read,
  rules,
  type State,
  settle,
} from '../../helpers/combatcommander.ts';
import { heardBy, outputsFor } from '../../helpers/play.ts';

const CHOICES = [[], ['C'], ['C', 'E'], ['C', 'E', 'G'], ['G']];

/** Everything a viewer gets, byte for byte. */
function shown(state: State, viewer: CommanderSide | 'public', lines: string[] = []): string {
  const filed = viewer === 'public' ? { orders: [], standing: [] } : read(state, viewer, lines);
  return JSON.stringify([
    viewFor(state, viewer),
    outputsFor(rules as never, state as never, viewer, heardBy(viewer, []), filed),
  ]);
}

describe('before both choices are in', () => {
  test('C1.55a: whatever the American has sealed, the German and the public are shown the same bytes', () => {
    const first = play(newCampaign(), { american: ['SECTIONS C E'] });
    const before = { german: shown(first.state, 'german', ['SECTIONS D']), public: shown(first.state, 'public') };
    for (const sealed of CHOICES) {
      const other = structuredClone(first.state);
      other.hands.american!.sealed = sealed;
      expect(shown(other, 'german', ['SECTIONS D'])).toBe(before.german);
      expect(shown(other, 'public')).toBe(before.public);
    }
    expect(shown(first.state, 'american')).not.toBe(shown({ ...first.state, hands: newCampaign().hands }, 'american'));
  });

  test('C1.55a: what is told when one has sealed does not depend on what', () => {
    const told = CHOICES.map((letters) => {
      const line = letters.length === 0 ? 'SECTIONS NONE' : `SECTIONS ${letters.join(' ')}`;
      const { events, state } = play(newCampaign(), { american: [line] });
      return JSON.stringify([heardBy('german', events), heardBy('public', events), state.table]);
    });
    expect(new Set(told).size).toBe(1);
  });

  test('an unread order on file is in no state at all', () => {
    const state = newCampaign();
    const filed = read(state, 'american', ['SECTIONS C E']);
    expect(filed.orders).toHaveLength(1);
    expect(JSON.stringify(state)).not.toContain('["C","E"]');
    expect(rules.ready(publicView(state), ['american'])).toBe(false);
    expect(rules.ready(publicView(state), ['american', 'german'])).toBe(true);
  });

  test('C1.55a: nobody can change a sealed choice, neither before nor after the reveal', () => {
    const one = play(newCampaign(), { american: ['SECTIONS C E'] }).state;
    expect(codes(one, 'american', 'SECTIONS G')).toEqual(['SEALED ALREADY']);
    const illegal = rules.parse([{ n: 1, text: 'SECTIONS G' }], viewFor(one, 'american')).orders;
    expect(illegal).toHaveLength(1);
    const both = play(one, { german: ['SECTIONS D'] }).state;
    expect(both.table.battle.bought).toEqual({ american: ['C', 'E'], german: ['D'] });
    expect(both.hands.american!.sealed).toBeNull();
    expect(codes(both, 'german', 'SECTIONS NONE')).toEqual(['SEALED ALREADY']);
  });
});

test('C1.4: in every step the secret chit of one side is nowhere in what the others are shown', () => {
  const states = [newCampaign()];
  for (const step of ['support', 'setup-first', 'setup-second', 'battle']) states.push(playTo(states[0]!, step));
  const closed = fight(printedExample().state, 'german').state;
  states.push(closed, settle(closed).state);
  for (const state of states)
    for (const viewer of [...SIDES, 'public'] as const) {
      const other = structuredClone(state);
      for (const side of SIDES) {
        if (side === viewer) continue;
        other.hands[side]!.chit = 'X';
        other.hands[side]!.chitBefore = 'W';
      }
      other.cup = { chits: ['V'], chitsBefore: null };
      expect(shown(other, viewer), `${viewer} in ${state.phase.step}`).toBe(shown(state, viewer));
    }
});

test('a condition on the opponent’s armor is nowhere told before it is weighed', () => {
  const { state } = play(newCampaign(), { american: ['SECTIONS NONE'], german: ['SECTIONS NONE'] });
  const filed = read(state, 'german', ['ARMOR IF OPPONENT ARMOR', 'ARTILLERY 2 UNLESS ARMOR']);
  expect(rules.preview(viewFor(state, 'german'), filed.orders, []).events).toEqual([]);
  const loud = { american: ['ARMOR YES'], german: ['ARMOR IF OPPONENT ARMOR'] };
  const plain = { american: ['ARMOR YES'], german: ['ARMOR YES'] };
  expect(play(state, loud).events).toEqual(play(state, plain).events);
});
