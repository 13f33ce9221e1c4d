import { expect, test } from 'vitest';
import type { GameState } from '../../src/kernel/types.ts';
import { viewFor } from '../../src/kernel/view.ts';

const state: GameState = {
  phase: { n: 1, turn: 1, step: 'move' },
  table: { seen: 'by all' },
  hands: { red: { cards: ['red card'] }, blue: { cards: ['blue card'] } },
  cup: ['hidden chit'],
};

test('a side sees the table and its own hand', () => {
  expect(viewFor(state, 'red')).toEqual({
    viewer: 'red',
    phase: state.phase,
    table: state.table,
    hand: { cards: ['red card'] },
  });
});

test('the public sees the table, and no hand even as an empty key', () => {
  expect(Object.keys(viewFor(state, 'public'))).toEqual(['viewer', 'phase', 'table']);
});

test('nothing of other hands or the cup can be reached from a view', () => {
  const text = JSON.stringify(viewFor(state, 'blue'));
  expect(text).not.toContain('red card');
  expect(text).not.toContain('hidden chit');
});

test('a viewer without a hand is a fault', () => {
  expect(() => viewFor(state, 'green')).toThrow('no hand for viewer green');
  expect(() => viewFor(state, 'toString')).toThrow('no hand for viewer toString');
});
