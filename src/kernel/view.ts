import { assert } from './assert.ts';
import type { GameState, GameTypes, PublicView, View, Viewer } from './types.ts';

/**
 * What `viewer` may know of a state: the table and its own hand, nothing else (by shape, not by care).
 * The view shares the state's objects; whoever wants to change something clones first.
 */
export function viewFor<G extends GameTypes>(state: GameState<G>, viewer: Viewer): View<G> {
  if (viewer === 'public') return publicView(state);
  assert(Object.hasOwn(state.hands, viewer), `no hand for viewer ${viewer}`);
  return { ...seen(state, viewer), hand: state.hands[viewer] } as unknown as View<G>;
}

/** What everybody may know of a state: the table alone. */
export function publicView<G extends GameTypes>(state: GameState<G>): PublicView<G> {
  return seen(state, 'public') as unknown as PublicView<G>;
}

function seen<G extends GameTypes>(state: GameState<G>, viewer: Viewer) {
  const { phase, table, ended } = state;
  return { viewer, phase, table, ...(ended === undefined ? {} : { ended }) };
}
