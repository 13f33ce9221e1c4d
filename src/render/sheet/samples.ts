/** The little pictures of the legend. */

import type { SceneGrid, SceneItem } from '../../kernel/types.ts';
import { boardOps } from '../ground/board.ts';
import { groundOps } from '../ground/land.ts';
import { classOps, roadClass } from '../ground/roads.ts';
import { bandLayers, riverClass, riverLayers } from '../ground/water.ts';
import { M, moved, type Op, type Path, polyline, Q, rectangle, roundRectangle } from '../paint/drawing.ts';
import { layGrid } from '../paint/grid.ts';
import { branchStamp, knownBranch } from '../pieces/branches.ts';
import { type Bench, counterOps, once } from '../pieces/counters.ts';
import { arrowKind, arrowOps, markerOps } from '../pieces/marks.ts';
import { lostOps, outlineOps, tabOps } from '../pieces/tabs.ts';

const ARROWS = new Set(['move', 'inferred', 'advance', 'landing', 'attack', 'retreat', 'fire', 'blocked', 'barrage']);
const STATES = new Set(['new', 'lost', 'from', 'isolated', 'disorganized', 'reduced', 'hidden']);

/** One cell of the map's own kind; charts on squares show hexes. */
function sampleGrid(bench: Bench): SceneGrid {
  const one: [number, number] = [1, 1];
  return bench.kind === 'hex-rows'
    ? { kind: 'hex-rows', columns: one, rows: one, shifted: 'odd' }
    : { kind: 'hex-columns', columns: one, rows: one, lowered: 'odd' };
}

/** A hex of ground, with its texture and grid line. */
function groundSample(bench: Bench, name: string, tall: number): Op[] {
  // Drawn at the map's own scale, so that the map's stamps serve, and brought to size as a whole.
  const symbol = once(bench, `sample-${name}`, () => {
    const hill = name.startsWith('hill');
    const grid = layGrid(sampleGrid(bench), bench.radius);
    const key = grid.key(1, 1);
    const terrain = hill ? (name.split('+')[1] ?? 'plain') : name;
    const cells = new Map([[key, { terrain, hill, tags: terrain === 'village' ? ['village'] : [] }]]);
    const around: typeof cells = new Map(cells);
    if (hill)
      for (let side = 0; side < 6; side++) around.set(grid.neighbour(key, side), { terrain, hill: false, tags: [] });
    const ops = groundOps(grid, bench, around).base;
    const corners = [0, 1, 2, 3, 4, 5].map((i) => grid.point(grid.corner(key, i)));
    const path = polyline(corners, true);
    return {
      name: `sample-${name}`,
      box: [-20, -20, grid.box[2] + 20, grid.box[3] + 20],
      ops: [
        { op: 'clip', path, ops },
        { op: 'path', path, stroke: bench.theme.ground(name).grid, width: 7 },
      ],
    };
  });
  return [{ op: 'use', symbol, x: 0, y: 4, scale: Math.round((1000 * tall) / (1.78 * bench.radius)) / 1000 }];
}

function wave(width: number, tall: number): Path {
  const y = Math.round(tall / 2);
  const h = Math.round(tall * 0.22);
  const q = Math.round(width / 4);
  return [M, 10, y, Q, q, y - 2 * h, 2 * q, y, Q, 3 * q, y + 2 * h, width - 10, y];
}

/** Draws a sample about `tall` high; says how wide it is. */
export function sampleOps(bench: Bench, name: string, tall: number): { ops: Op[]; width: number } {
  const { theme } = bench;
  const wide = 330;
  const r = 260;
  const river = riverClass(name);
  if (river) return { ops: riverLayers(theme, river, wave(wide, tall), r), width: wide };
  const road = roadClass(name);
  if (road) return { ops: classOps(r, theme, road, wave(wide, tall)), width: wide };
  if (ARROWS.has(name)) {
    const y = Math.round(tall / 2);
    const from: [number, number] = [20, y];
    const to: [number, number] = [wide + 10, y];
    const ops = arrowOps(
      bench,
      arrowKind(name === 'inferred' ? 'move' : name),
      [from, to],
      Math.round(tall * 1.6),
      name === 'inferred',
      0,
    );
    return { ops, width: wide + 50 };
  }
  if (STATES.has(name)) {
    const s = Math.round(tall * 0.82);
    const [x, y] = [Math.round(s * 0.75), Math.round(tall / 2)];
    if (name === 'from') return { ops: outlineOps(bench, x, y, s), width: Math.round(s * 1.5) };
    const counter = {
      id: '',
      ...theme.liveries.sample,
      symbol: 'infantry',
      size: '',
      formation: '',
      unit: '',
      factors: [],
      states: name === 'lost' ? [] : [name],
      ...(name === 'hidden' ? { faceDown: true as const } : {}),
    };
    const body = counterOps(bench, counter, x, y, s);
    const over = name === 'lost' ? lostOps(bench, x, y, s) : name === 'hidden' ? [] : tabOps(bench, counter, x, y, s);
    return { ops: [...body, ...over], width: Math.round(s * 1.5) };
  }
  if (knownBranch(name)) {
    const [w, h] = [Math.round(tall * 1.25), Math.round(tall * 0.8)];
    const symbol = once(bench, `sample-${name}`, () => branchStamp(theme, name, w, h, 8));
    return { ops: [{ op: 'use', symbol, x: Math.round(w / 2) + 8, y: Math.round(tall / 2) }], width: w + 20 };
  }
  if (['landing-beach', 'wall', 'hedge', 'cliff', 'fence', 'wire'].includes(name)) {
    const path = wave(wide, tall);
    return { ops: bandLayers(theme, name === 'landing-beach' ? 'beach' : name, path, r), width: wide };
  }
  if (MARKERS.has(name)) {
    const middle = Math.round(tall / 2);
    return { ops: markerOps(bench, name, undefined, [middle + 10, middle], Math.round(tall * 1.4)), width: tall + 20 };
  }
  if (name === 'plate') {
    const path = roundRectangle(8, Math.round(tall * 0.2), tall, Math.round(tall * 0.6), 14);
    return { ops: [{ op: 'path', path, fill: theme.white, stroke: theme.marks.attack!, width: 9 }], width: tall + 20 };
  }
  return { ops: moved(groundSample(bench, name, tall), 0, 0), width: Math.round(tall * 1.13) };
}

/** Markers that a legend may explain. */
const MARKERS = new Set([
  'victory',
  'objective',
  'star',
  'drop-zone',
  'landing-zone',
  'smoke',
  'mines',
  'fire',
  'wreck',
  'no-passage',
]);

const OPENINGS = new Set(['window', 'door', 'inner-wall', 'inner-door']);

/** What a sample square or opening looks like on a board of three by three. */
function sampleItems(name: string): SceneItem[] {
  const items: SceneItem[] = [];
  const opening = OPENINGS.has(name);
  for (let column = 1; column <= 3; column++)
    for (let row = 1; row <= 3; row++) {
      const wall = name === 'low-wall' && column === 2;
      const middle = column === 2 && row === 2;
      items.push({ kind: 'cell', at: [column, row], terrain: (middle && !opening) || wall ? name : 'open' });
    }
  const cells: [number, number][] = [
    [2, 2],
    [3, 2],
  ];
  if (opening || name === 'building') items.push({ kind: 'region', cells, style: 'building' });
  if (opening) items.push({ kind: 'edge', a: [2, 2], b: name.startsWith('inner') ? [3, 2] : [2, 3], feature: name });
  return items;
}

/** A square of a board, or a piece of wall with an opening. */
export function boardSample(bench: Bench, name: string, tall: number): { ops: Op[]; width: number } {
  const grid = layGrid({ kind: 'square', columns: [1, 3], rows: [1, 3] }, bench.radius);
  const q = grid.pitch;
  const left = name.startsWith('inner') ? 1.4 : 0.94;
  const top = OPENINGS.has(name) && !name.startsWith('inner') ? 1.3 : 0.94;
  const symbol = once(bench, `board-sample-${name}`, () => {
    const side = Math.round(q * 1.12);
    const path = rectangle(Math.round(q * left), Math.round(q * top), side, side);
    return {
      name: `board-${name}`,
      box: [0, 0, Math.round(3 * q), Math.round(3 * q)],
      ops: [
        { op: 'clip', path, ops: boardOps(bench, grid, sampleItems(name)).under },
        { op: 'path', path, stroke: bench.theme.ink, width: Math.round(q * 0.015) },
      ],
    };
  });
  const scale = Math.round((1000 * tall * 0.88) / (q * 1.12)) / 1000;
  const x = 4 - Math.round(q * left * scale);
  const y = Math.round(tall * 0.06 - q * top * scale);
  return { ops: [{ op: 'use', symbol, x, y, scale }], width: Math.round(tall * 0.9) };
}
