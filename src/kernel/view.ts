import { assert } from './assert.ts';
import type { GameState, GameTypes, View, Viewer } from './types.ts';

/**
 * What `viewer` may know of a state: the table and its own hand, nothing else (DESIGN: by shape, not by care).
 * The view shares the state's objects; whoever wants to change something clones first.
 */
export function viewFor<G extends GameTypes>(state: GameState<G>, viewer: Viewer): View<G> {
  const view = { viewer, phase: state.phase, table: state.table };
  if (viewer === 'public') return view as unknown as View<G>;
  assert(Object.hasOwn(state.hands, viewer), `no hand for viewer ${viewer}`);
  return { ...view, hand: state.hands[viewer] } as unknown as View<G>;
}
