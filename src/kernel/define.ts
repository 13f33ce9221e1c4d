/** What makes a game of a system's own rules: the kernel's defaults, and one place where its JSON types are let go. */
import { known } from './assert.ts';
import { everyFinal } from './judge.ts';
import type { Looks } from './looks.ts';
import type { GameState, GameSystem, GameTypes, OwnRules, OwnSystem, Rules, SideId } from './types.ts';

/** A game that its own tests see with its types, and the service without. */
export type DefinedSystem<G extends GameTypes> = GameSystem<G> & GameSystem;

/**
 * A game for the list in systems/index.ts. What its rules leave out is put in: `ready` when every owing side is final, no
 * own `pace`, and an end by agreement or surrender that the kernel notes on the state.
 */
export function defineSystem<G extends GameTypes>(own: OwnSystem<G>): DefinedSystem<G> {
  const system: GameSystem<G> = {
    ...own,
    open: (scenario) => drawnAs(completeRules(own.open(scenario)), scenario.looks),
  };
  // The service knows no game's own JSON types: it hands back only what the same rules gave it.
  return system as unknown as DefinedSystem<G>;
}

/** The same rules; every map they make says how the sides are drawn. */
function drawnAs<G extends GameTypes>(rules: Rules<G>, looks: Looks | undefined): Rules<G> {
  if (!looks) return rules;
  return {
    ...rules,
    scenes: (view, events) => rules.scenes(view, events).map((scene) => ({ ...scene, looks })),
    preview(view, orders, standing) {
      const shown = rules.preview(view, orders, standing);
      return { ...shown, scenes: shown.scenes.map((scene) => ({ ...scene, looks })) };
    },
  };
}

/** Rules with the kernel's defaults in place of what they leave out. */
export function completeRules<G extends GameTypes>(own: OwnRules<G>): Rules<G> {
  const rules: Rules<G> = {
    ready: (view, final) => everyFinal(rules, view, final),
    pace: () => undefined,
    ...own,
    ...mapsOf(own),
    asks: (view) => (view.ended ? [] : own.asks(view)),
    outcome: (state) => state.ended ?? own.outcome(state),
    conclude: own.conclude ?? endBy,
  };
  return rules;
}

/** A game of one map has a list of one. */
function mapsOf<G extends GameTypes>(own: OwnRules<G>): Pick<Rules<G>, 'scenes' | 'preview'> {
  const listed = <T>(several: T[] | undefined, one: T | undefined): T[] =>
    several ?? [known(one, 'a game draws one map (scene) or several (scenes)')];
  return {
    scenes: (view, events) => listed(own.scenes?.(view, events), own.scene?.(view, events)),
    preview(view, orders, standing) {
      const { events, scenes, scene } = own.preview(view, orders, standing);
      return { events, scenes: listed(scenes, scene) };
    },
  };
}

/** Notes the end on the state: who gives up loses to the only other side, if there is only one. */
function endBy<G extends GameTypes>(draft: GameState<G>, how: 'concede' | 'draw' | 'abandon', side?: SideId): void {
  const others = Object.keys(draft.hands).filter((other) => other !== side);
  const winner = how === 'concede' && others.length === 1 ? others[0]! : null;
  draft.ended = { winner: how === 'draw' ? 'draw' : winner, reason: how };
}
