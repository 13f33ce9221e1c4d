/** A scene turned into a drawing: the map alone, with its top left corner at (0, 0). The order of layers is the look's. */
import type { Cell, MapScene, SceneCounter, SceneItem } from '../../kernel/types.ts';
import { boardOps, isBoard } from '../ground/board.ts';
import { type Ground, type GroundCell, groundOps, townOps } from '../ground/land.ts';
import { zoneOps } from '../ground/regions.ts';
import { roadOps } from '../ground/roads.ts';
import { bandOps, riverClass, riverOps, sideNodes, type WaterSide } from '../ground/water.ts';
import { opBox } from '../paint/crop.ts';
import { type Box, type Op, overlaps, type Point } from '../paint/drawing.ts';
import { type Grid, type Key, layGrid } from '../paint/grid.ts';
import type { Theme } from '../paint/theme.ts';
import { type Bench, openBench } from '../pieces/counters.ts';
import { arrowKind, arrowOps, markerOps } from '../pieces/marks.ts';
import { battlePlates, counterSide, ghostOps, piecesOf } from '../pieces/stacks.ts';
import { type Name, type NameStyle, nameOps, riverNameOps } from './placenames.ts';

/** Most cells and counters a scene may have. */
const CELLS_LIMIT = 20_000;
const ITEMS_LIMIT = 100_000;

export interface MapDrawing {
  grid: Grid;
  ops: Op[];
  box: Box;
  bench: Bench;
  /** Boxes of names, for marks that come later. */
  names: Box[];
  /** Entry roads at the edge of the map. */
  entries: { at: Point; text: string }[];
}

interface Sorted {
  cells: Map<Key, GroundCell>;
  sides: WaterSide[];
  lines: { feature: string; path: Key[]; name?: string | undefined }[];
  counters: Map<Key, { at: Cell; counters: SceneCounter[] }>;
  ghosts: { at: Cell; counter: SceneCounter }[];
  of<K extends SceneItem['kind']>(kind: K): Extract<SceneItem, { kind: K }>[];
}

function sortItems(grid: Grid, scene: MapScene): Sorted {
  if (scene.items.length > ITEMS_LIMIT) throw new Error(`a scene of ${scene.items.length} items is refused`);
  const cells: Sorted['cells'] = new Map();
  const sides: WaterSide[] = [];
  const lines: Sorted['lines'] = [];
  const counters: Sorted['counters'] = new Map();
  const ghosts: Sorted['ghosts'] = [];
  const key = (at: Cell): Key => grid.key(at[0], at[1]);
  for (const item of scene.items) {
    if (item.kind === 'cell') {
      // Squares that lie between others belong to the board's buildings.
      if (!Number.isInteger(item.at[0]) || !Number.isInteger(item.at[1])) continue;
      cells.set(key(item.at), {
        terrain: item.terrain,
        hill: item.hill === true,
        number: item.number,
        tags: item.tags ?? [],
      });
    } else if (item.kind === 'edge') {
      if (grid.sides === 6) sides.push({ a: key(item.a), b: key(item.b), feature: item.feature, name: item.name });
    } else if (item.kind === 'line') lines.push({ feature: item.feature, path: item.path.map(key), name: item.name });
    else if (item.kind === 'counter') {
      if (item.counter.ghost) {
        ghosts.push({ at: item.at, counter: item.counter });
        continue;
      }
      const where = grid.key(Math.round(item.at[0] * 2), Math.round(item.at[1] * 2));
      const pile = counters.get(where);
      if (pile) pile.counters.push(item.counter);
      else counters.set(where, { at: item.at, counters: [item.counter] });
    }
  }
  if (cells.size > CELLS_LIMIT) throw new Error(`a scene of ${cells.size} cells is refused`);
  return {
    cells,
    sides,
    lines,
    counters,
    ghosts,
    of: <K extends SceneItem['kind']>(kind: K) =>
      scene.items.filter((item): item is Extract<SceneItem, { kind: K }> => item.kind === kind),
  };
}

/** Beaches given as a tag of the land hex: every hexside towards the sea. */
function taggedBeaches(grid: Grid, sorted: Sorted, ground: Ground): WaterSide[] {
  const out: WaterSide[] = [];
  for (const [key, cell] of sorted.cells) {
    if (!cell.tags.some((tag) => tag === 'beach' || tag.startsWith('beach:'))) continue;
    for (let side = 0; side < grid.sides; side++) {
      const beyond = grid.neighbour(key, side);
      if (ground.isSea(beyond)) out.push({ a: key, b: beyond, feature: 'beach' });
    }
  }
  return out;
}

function sideId(grid: Grid, side: { a: Key; b: Key }): string | undefined {
  const nodes = sideNodes(grid, side);
  if (!nodes) return undefined;
  return nodes[0] < nodes[1] ? `${nodes[0]}|${nodes[1]}` : `${nodes[1]}|${nodes[0]}`;
}

interface Terrain {
  under: Op[];
  numbers: Op[];
  ground: Ground;
  rivers: { name: string; points: Point[] }[];
  samples: Point[];
}

function terrainOps(grid: Grid, bench: Bench, sorted: Sorted, coarse: boolean): Terrain {
  const { theme } = bench;
  const ground = groundOps(grid, bench, sorted.cells, coarse);
  const rivers = sorted.sides.filter((side) => riverClass(side.feature));
  const riverSides = new Set(rivers.map((side) => sideId(grid, side)).filter((id) => id !== undefined));
  const still = (key: Key): boolean => {
    const cell = sorted.cells.get(key);
    return cell !== undefined && (theme.ground(cell.terrain).name === 'city' || cell.tags.includes('village'));
  };
  const all = [...sorted.cells.keys()];
  const detail = coarse ? 'coarse' : bench.thrifty ? 'thrifty' : 'fine';
  const roads = roadOps(grid, theme, sorted.lines, still, riverSides, detail);
  const water = riverOps(grid, theme, rivers, roads.bridged, all, ground.isSea, detail);
  const beaches = taggedBeaches(grid, sorted, ground);
  const bands = bandOps(grid, theme, [...sorted.sides.filter((side) => !riverClass(side.feature)), ...beaches], 0.17);
  return {
    under: [
      ...ground.base,
      ...water.ops,
      ...bands,
      ...roads.ops,
      ...(coarse ? [] : roads.bridges),
      ...townOps(grid, theme, sorted.cells, true),
    ],
    numbers: ground.numbers,
    ground,
    rivers: water.lines,
    samples: [...water.samples, ...roads.samples, ...ground.coast.flat()],
  };
}

const NAME_STYLES: Record<string, NameStyle> = {
  city: 'city',
  town: 'city',
  port: 'city',
  village: 'village',
  sea: 'sea',
  region: 'region',
  beach: 'beach',
  river: 'river',
};

function namesOf(grid: Grid, theme: Theme, scene: Sorted, ground: Ground): Name[] {
  return scene.of('label').map((label) => {
    const key = grid.key(Math.round(label.at[0]), Math.round(label.at[1]));
    const [style, plate] = label.style.split(':') as [string, string | undefined];
    return {
      text: label.text,
      style: NAME_STYLES[style] ?? 'feature',
      at: grid.centre(label.at),
      angle: label.angle,
      spread: label.spread,
      ground: ground.styleOf(key).tint,
      plate: plate === undefined ? undefined : theme.liveries.bar(plate),
    };
  });
}

/** Hex numbers that a name half covers would only smear it. */
function withoutCovered(numbers: readonly Op[], names: readonly Box[]): Op[] {
  const near = new Map<number, Box[]>();
  for (const box of names)
    for (let i = Math.floor(box[0] / 500) - 1; i <= Math.floor(box[2] / 500) + 1; i++)
      for (let j = Math.floor(box[1] / 500) - 1; j <= Math.floor(box[3] / 500) + 1; j++) {
        const list = near.get(i * 65536 + j);
        if (list) list.push(box);
        else near.set(i * 65536 + j, [box]);
      }
  return numbers.map((op) => {
    if (op.op !== 'numbers') return op;
    const clear = op.at.filter(({ x, y }) => {
      const own: Box = [x - op.size * 0.85, y - op.size * 0.7, x + op.size * 0.85, y];
      return !near.get(Math.floor(x / 500) * 65536 + Math.floor(y / 500))?.some((box) => overlaps(box, own));
    });
    return { ...op, at: clear };
  });
}

/** Under this corner radius textures, grid and type are left out. */
const COARSE_UNDER = 90;

/** Draws the whole map at a corner radius given in tenths of a point. */
export function drawMap(
  scene: MapScene,
  theme: Theme,
  radius: number,
  bench = openBench(theme),
  coarse = radius < COARSE_UNDER,
): MapDrawing {
  const grid = layGrid(scene.size, radius);
  const sorted = sortItems(grid, scene);
  const board = isBoard(scene) ? boardOps(bench, grid, scene.items) : undefined;
  const terrain = board ? boardTerrain(theme, board.under) : terrainOps(grid, bench, sorted, coarse);
  const zones = zoneOps(bench, grid, sorted.of('region'));
  const pieces = piecesOf(grid, bench, sorted.counters.values(), coarse);
  const ghosts = ghostOps(grid, bench, sorted.ghosts, new Set(sorted.counters.keys()));
  const clear = counterSide(grid) / 2;
  const arrows = { moves: [] as Op[], strikes: [] as Op[] };
  for (const item of sorted.of('arrow')) {
    const kind = arrowKind(item.arrow);
    const path = item.path.map(grid.centre);
    const ops = arrowOps(bench, kind, path, radius, item.inferred === true, clear);
    const under = kind === 'move' || kind === 'retreat' || kind === 'landing' || kind === 'advance';
    (under ? arrows.moves : arrows.strikes).push(...ops);
  }
  const markers = sorted
    .of('marker')
    .filter((item) => item.marker !== 'entry')
    .flatMap((item) => markerOps(bench, item.marker, item.text, grid.centre(item.at), radius, item.side));
  const ways = sorted.of('arrow').flatMap((item) => wayBoxes(item.path.map(grid.centre), radius));
  const taken = [...pieces.boxes, ...(board?.boxes ?? []), ...ways, ...markers.map(opBox)];
  const plates = coarse ? { ops: [], boxes: [] } : battlePlates(grid, bench, sorted.of('plate'), taken);
  const obstacles = {
    frame: grid.box,
    boxes: [...taken, ...plates.boxes],
    points: [...terrain.samples, ...numberPoints(terrain.numbers)],
    shores: terrain.ground.coast.flat(),
  };
  const names = nameOps(theme, radius, namesOf(grid, theme, sorted, terrain.ground), obstacles);
  const rivers = riverNameOps(theme, radius, terrain.rivers, obstacles);
  return {
    grid,
    bench,
    box: grid.box,
    names: names.boxes,
    entries: sorted
      .of('marker')
      .filter((item) => item.marker === 'entry')
      .map((item) => ({ at: grid.centre(item.at), text: item.text ?? '' })),
    ops: [
      ...terrain.under,
      ...zones.under,
      ...names.under,
      ...withoutCovered(terrain.numbers, names.boxes),
      ...rivers,
      ...zones.over,
      ...markers,
      ...(board?.plates ?? []),
      ...names.over,
      ...ghosts.under,
      ...arrows.moves,
      ...pieces.counters,
      ...ghosts.over,
      ...pieces.tabs,
      ...arrows.strikes,
      ...plates.ops,
    ],
  };
}

function boardTerrain(theme: Theme, under: Op[]): Terrain {
  const plain = theme.ground('plain');
  const ground: Ground = { base: [], numbers: [], isSea: () => false, styleOf: () => plain, coast: [] };
  return { under, numbers: [], ground, rivers: [], samples: [] };
}

/** Small boxes along an arrow, for plates and names that keep off it. */
function wayBoxes(path: readonly Point[], radius: number): Box[] {
  const half = radius * 0.2;
  return path.slice(1).flatMap(([x, y], i) =>
    [0.2, 0.4, 0.6, 0.8].map((t): Box => {
      const [fx, fy] = path[i]!;
      const [cx, cy] = [fx + (x - fx) * t, fy + (y - fy) * t];
      return [cx - half, cy - half, cx + half, cy + half];
    }),
  );
}

/** Where hex numbers stand, for names that keep clear of them. */
function numberPoints(numbers: readonly Op[]): Point[] {
  return numbers.flatMap((op) =>
    op.op === 'numbers'
      ? op.at.flatMap(({ x, y }): Point[] => [
          [x - 40, y - 20],
          [x + 40, y - 20],
          [x, y],
        ])
      : [],
  );
}
