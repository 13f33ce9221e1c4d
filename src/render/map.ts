/** A scene turned into a drawing: the map alone, with its top left corner at (0, 0). The order of layers is the look's. */
import type { Cell, MapScene, SceneCounter, SceneItem } from '../kernel/types.ts';
import type { Bench } from './counters.ts';
import { counterOps, has, openBench } from './counters.ts';
import type { Box, Op, Point } from './drawing.ts';
import { overlaps } from './drawing.ts';
import type { Grid, Key } from './grid.ts';
import { layGrid } from './grid.ts';
import type { Ground, GroundCell } from './ground.ts';
import { groundOps, townOps } from './ground.ts';
import { arrowKind, arrowOps, markerOps, plateOps } from './marks.ts';
import type { Name, NameStyle } from './names.ts';
import { nameOps, riverNameOps } from './names.ts';
import { roadOps } from './roads.ts';
import { countOps, lostOps, outlineOps, tabOps } from './tabs.ts';
import type { Theme } from './theme.ts';
import type { Side } from './water.ts';
import { bandOps, riverClass, riverOps, sideNodes } from './water.ts';

/** Most cells and counters a scene may have. */
export const CELLS_LIMIT = 20_000;
export const ITEMS_LIMIT = 100_000;

export interface MapDrawing {
  grid: Grid;
  ops: Op[];
  box: Box;
  bench: Bench;
  /** Boxes of names, for marks that come later. */
  names: Box[];
  /** Entry roads at the edge of the map. */
  entries: { at: Point; text: string }[];
  /** Counters by cell as drawn in one pile, for the stack list. */
  piles: { at: Cell; counters: SceneCounter[] }[];
}

interface Sorted {
  cells: Map<Key, GroundCell>;
  sides: Side[];
  lines: { feature: string; path: Key[]; name?: string | undefined }[];
  counters: Map<Key, { at: Cell; counters: SceneCounter[] }>;
  ghosts: { at: Cell; counter: SceneCounter }[];
  of<K extends SceneItem['kind']>(kind: K): Extract<SceneItem, { kind: K }>[];
}

function sortItems(grid: Grid, scene: MapScene): Sorted {
  if (scene.items.length > ITEMS_LIMIT) throw new Error(`a scene of ${scene.items.length} items is refused`);
  const cells: Sorted['cells'] = new Map();
  const sides: Side[] = [];
  const lines: Sorted['lines'] = [];
  const counters: Sorted['counters'] = new Map();
  const ghosts: Sorted['ghosts'] = [];
  const key = (at: Cell): Key => grid.key(at[0], at[1]);
  for (const item of scene.items) {
    if (item.kind === 'cell')
      cells.set(key(item.at), {
        terrain: item.terrain,
        hill: item.hill === true,
        number: item.number,
        tags: item.tags ?? [],
      });
    else if (item.kind === 'edge')
      sides.push({ a: key(item.a), b: key(item.b), feature: item.feature, name: item.name });
    else if (item.kind === 'line') lines.push({ feature: item.feature, path: item.path.map(key), name: item.name });
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
function taggedBeaches(grid: Grid, sorted: Sorted, ground: Ground): Side[] {
  const out: Side[] = [];
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
  const roads = roadOps(grid, theme, sorted.lines, still, riverSides);
  const all = [...sorted.cells.keys()];
  const water = riverOps(grid, theme, rivers, roads.bridged, all, ground.isSea);
  const beaches = taggedBeaches(grid, sorted, ground);
  const bands = bandOps(grid, theme, [...sorted.sides.filter((side) => !riverClass(side.feature)), ...beaches], 0.17);
  return {
    under: [
      ...ground.base,
      ...water.ops,
      ...bands,
      ...roads.ops,
      ...roads.bridges,
      ...townOps(grid, theme, sorted.cells, true),
    ],
    numbers: ground.numbers,
    ground,
    rivers: water.lines,
    samples: [...water.samples, ...roads.samples, ...ground.coast.flat()],
  };
}

/** Side of a counter alone in its cell. */
export function counterSide(grid: Grid): number {
  if (grid.sides === 4) return Math.round(grid.pitch * 0.8);
  return Math.round(grid.radius * (grid.radius < 200 ? 1.3 : 1.15));
}

interface Pieces {
  counters: Op[];
  tabs: Op[];
  boxes: Box[];
  piles: MapDrawing['piles'];
}

function squareBox(x: number, y: number, s: number): Box {
  const h = s / 2;
  return [x - h, y - h, x + h, y + h];
}

const FAN: readonly (readonly [number, number])[] = [
  [-0.4, -0.36],
  [0.4, -0.36],
  [0, 0.4],
];

/** Counters of one cell: alone, side by side, fanned, or in a pile with its count. */
function pieceOps(grid: Grid, bench: Bench, at: Cell, counters: readonly SceneCounter[], out: Pieces): void {
  const [x, y] = grid.centre(at);
  const r = grid.radius;
  const put = (counter: SceneCounter, cx: number, cy: number, s: number): void => {
    out.counters.push(...counterOps(bench, counter, cx, cy, s));
    out.tabs.push(...tabOps(bench, counter, cx, cy, s));
    out.boxes.push(squareBox(cx, cy, s));
  };
  const alone = counterSide(grid);
  const beside = Math.round(0.83 * r);
  const fanned = Math.round(0.8 * r);
  if (counters.length === 1) put(counters[0]!, x, y, alone);
  else if (counters.length === 2 && beside >= 300) {
    put(counters[0]!, x - Math.round(beside * 0.51), y, beside);
    put(counters[1]!, x + Math.round(beside * 0.51), y, beside);
  } else if (counters.length === 3 && fanned >= 300)
    counters.forEach((counter, i) => {
      put(counter, x + Math.round(FAN[i]![0] * r), y + Math.round(FAN[i]![1] * r), fanned);
    });
  else {
    const top = counters[0]!;
    const behind = Math.min(3, counters.length - 1);
    for (let i = behind; i > 0; i--) {
      const shift = Math.round(0.05 * alone * i);
      out.counters.push(
        ...counterOps(bench, { ...counters[i]!, faceDown: true, symbol: 'edge' }, x - shift, y - shift, alone).slice(
          0,
          1,
        ),
      );
    }
    put(top, x, y, alone);
    out.tabs.push(...countOps(bench, counters.length, x, y, alone));
    out.piles.push({ at, counters: [...counters] });
  }
}

function ghostOps(grid: Grid, bench: Bench, sorted: Sorted, taken: ReadonlySet<Key>): { under: Op[]; over: Op[] } {
  const under: Op[] = [];
  const over: Op[] = [];
  const s = counterSide(grid);
  for (const { at, counter } of sorted.ghosts) {
    const [x, y] = grid.centre(at);
    const shift = taken.has(grid.key(Math.round(at[0] * 2), Math.round(at[1] * 2))) ? Math.round(0.3 * grid.radius) : 0;
    if (has(counter, 'lost')) {
      const faded: Op[] = counterOps(bench, { ...counter, states: [] }, x + shift, y + shift, s).map((op) =>
        op.op === 'target' || op.op === 'link' || op.op === 'clip' || op.op === 'numbers'
          ? op
          : { ...op, opacity: 0.4 },
      );
      under.push(...faded);
      over.push(...lostOps(bench, x + shift, y + shift, s));
    } else under.push(...outlineOps(bench, x, y, s));
  }
  return { under, over };
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
      plate: plate === undefined ? undefined : (theme.bars[plate] ?? theme.bars.BR),
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
export const COARSE_UNDER = 90;

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
  const terrain = terrainOps(grid, bench, sorted, coarse);
  const pieces: Pieces = { counters: [], tabs: [], boxes: [], piles: [] };
  for (const { at, counters } of sorted.counters.values()) pieceOps(grid, bench, at, counters, pieces);
  const ghosts = ghostOps(grid, bench, sorted, new Set(sorted.counters.keys()));
  const clear = counterSide(grid) / 2;
  const moves: Op[] = [];
  const strikes: Op[] = [];
  for (const item of sorted.of('arrow')) {
    const kind = arrowKind(item.arrow);
    const ops = arrowOps(bench, kind, item.path.map(grid.centre), radius, item.inferred === true, clear);
    (kind === 'move' || kind === 'retreat' || kind === 'landing' || kind === 'advance' ? moves : strikes).push(...ops);
  }
  const markers = sorted
    .of('marker')
    .filter((item) => item.marker !== 'entry')
    .flatMap((item) => markerOps(bench, item.marker, item.text, grid.centre(item.at), radius, item.side));
  const plates = sorted.of('plate').map((item) => plateOps(bench, grid.centre(item.at), item.big, item.small, radius));
  const numberPoints = terrain.numbers.flatMap((op) =>
    op.op === 'numbers'
      ? op.at.flatMap(({ x, y }): Point[] => [
          [x - 40, y - 20],
          [x + 40, y - 20],
          [x, y],
        ])
      : [],
  );
  const obstacles = {
    frame: grid.box,
    boxes: [...pieces.boxes, ...plates.map((plate) => plate.box)],
    points: [...terrain.samples, ...numberPoints],
  };
  const names = nameOps(theme, radius, namesOf(grid, theme, sorted, terrain.ground), obstacles);
  const rivers = riverNameOps(theme, radius, terrain.rivers, obstacles);
  return {
    grid,
    bench,
    box: grid.box,
    piles: pieces.piles,
    names: names.boxes,
    entries: sorted
      .of('marker')
      .filter((item) => item.marker === 'entry')
      .map((item) => ({ at: grid.centre(item.at), text: item.text ?? '' })),
    ops: [
      ...terrain.under,
      ...names.under,
      ...withoutCovered(terrain.numbers, names.boxes),
      ...rivers,
      ...markers,
      ...names.over,
      ...ghosts.under,
      ...moves,
      ...pieces.counters,
      ...ghosts.over,
      ...pieces.tabs,
      ...strikes,
      ...plates.flatMap((plate) => plate.ops),
    ],
  };
}
