/**
 * The display list of a map: what a game says is to be drawn, in words the renderer knows. Nothing here decides a rule.
 */
import type { Looks } from './looks.ts';

/** A place on the grid: column and row as integers; halves are allowed for marks that lie between cells. */
export type Cell = readonly [column: number, row: number];

export type SceneGrid =
  /** Flat-topped hexes in columns; `lowered` says which columns lie half a hex lower. */
  | { kind: 'hex-columns'; columns: [number, number]; rows: [number, number]; lowered: 'even' | 'odd' }
  /** Pointed hexes in rows; `shifted` rows lie half a hex to the right. Row numbers grow downwards on paper. */
  | { kind: 'hex-rows'; columns: [number, number]; rows: [number, number]; shifted: 'even' | 'odd' }
  | { kind: 'square'; columns: [number, number]; rows: [number, number] };

export interface SceneCounter<T = string> {
  id: string;
  /** Of the scenario's looks, which give colour or bar; what they don't have is drawn plainly. */
  side: string;
  nation: string;
  /** NATO branch: infantry, armor, armored-infantry, recon, paratroop, sp-gun, artillery, headquarters, mortar,
   *  machine-gun, anti-tank, engineer, vehicle, leader, sniper, marker, unknown. */
  symbol: string;
  /** II III X XX, or a dot mark; empty for none. */
  size: string;
  formation: string;
  unit: string;
  /** Factors along the lower edge, left to right. */
  factors: string[];
  /** Values down the left edge, for squares games. */
  column?: string[];
  shield?: { kind: 'infantry' | 'light' | 'heavy'; value: string };
  /** isolated, disorganized, moved, new, lost, suppressed:2, damaged, activated, reduced … */
  states: string[];
  /** What the list of units says besides, such as whom it carries. */
  notes?: T[];
  steps?: number;
  facing?: number;
  footprint?: readonly Cell[];
  faceDown?: true;
  /** Drawn pale: where it was, or what was lost. */
  ghost?: true;
  /** Order token on the counter: a number, `special`, or `back` for those who may only see that it is there. */
  token?: string;
  /** Formation band along the top edge (the counter then has its nation's colour): solid when activated. `colour` is #rrggbb. */
  band?: { text: string; colour?: string; solid: boolean };
  /** Range in cells, in a yellow disc lower right. */
  range?: string;
}

/**
 * Words the renderer draws; others are drawn plainly, so a system may be ahead of it.
 * - terrain on hexes: plain (clear, open), bocage, light-bocage, heavy-bocage, woods, brush, orchard, field, swamp, flooded,
 *   beach, rocks, village, city (building), water, sea; `hill` lies under any of them, a tag `level-2` makes it higher.
 * - terrain on squares: open, road, bocage, low-wall, thicket, forest, orchard, rocks, pond, crops, sandbags, foxhole, mg-nest,
 *   rubble, building. Tags: `village` (houses), `beach` (its sea sides), `offset` (a square between squares, not drawn).
 * - edge features: river, major-river, stream, canal, wall, hedge, bocage, cliff, fence, wire, beach; on squares door, window,
 *   inner-wall, inner-door. A road that crosses a river's hexside gets its bridge by itself.
 * - line features: road, primary, trail, railway.
 * - label styles: city, village, `beach:NATION`, region, sea, anything else as a feature. River names come from the edges.
 * - markers: objective, victory, interdiction, drop-zone, landing-zone, entry (at the edge of the map), smoke, wire, foxhole,
 *   trench, bunker, mines, fire, wreck, no-passage, passage, lost, burst; others as a small plate with their text.
 * - arrows: move, attack, retreat, advance, landing, barrage, fire, blocked. `inferred` dashes a move.
 * - region styles: building, range; others as a dashed outline, `zone:SIDE` in the side's colour.
 * - legend samples: any of these words.
 */
export type SceneItem<T = string> =
  | { kind: 'cell'; at: Cell; terrain: string; hill?: true; number?: string; tags?: string[] }
  | { kind: 'edge'; a: Cell; b: Cell; feature: string; name?: string }
  | { kind: 'line'; feature: string; path: Cell[]; name?: string }
  | { kind: 'label'; at: Cell; text: T; style: string; angle?: number; spread?: number }
  | { kind: 'counter'; at: Cell; counter: SceneCounter<T> }
  | { kind: 'marker'; at: Cell; marker: string; text?: T; side?: string }
  | { kind: 'arrow'; arrow: string; path: Cell[]; side?: string; label?: T; inferred?: true }
  | { kind: 'plate'; at: Cell; big: T; small: T }
  /** A region outlined as one (a building, an entry area, a set-up zone). */
  | { kind: 'region'; cells: Cell[]; style: string; label?: T };

interface SceneRow<T = string> {
  at?: Cell;
  cells: T[];
}

/** A list beside or after the map. */
export interface ScenePanel<T = string> {
  title: T;
  columns: T[];
  rows: SceneRow<T>[];
}

/** One of several maps of a state, each with a grid of its own. */
interface SceneSheet<T = string> {
  /** Short, as players write it: `A`. Stands in addresses and file names. */
  id: string;
  name: T;
  /** The maps it goes on at, with one place that stands on both (neighbours overlap). */
  joins: { edge: 'north' | 'east' | 'south' | 'west'; sheet: string; here: string; there: string }[];
}

/**
 * A map to draw: the renderer knows shapes and colours, the system says what lies where. Rules give its texts as words
 * (`MapScene<Text>`); it is drawn when they have been said (`saidScene` in render/words.ts).
 */
export interface MapScene<T = string> {
  title: T;
  subtitle?: T;
  /** Which one it is, where a state has several. */
  sheet?: SceneSheet<T>;
  size: SceneGrid;
  items: SceneItem<T>[];
  /** Lists beside or after the map: stacks, reinforcements, losses. */
  panels?: ScenePanel<T>[];
  legend?: { sample: string; text: T }[];
  /** Metres across one cell, for the scale bar. */
  cellMetres?: number;
  /** House map, house table …; printed in the footer. */
  house: T[];
  credits?: T[];
  looks?: Looks;
}
