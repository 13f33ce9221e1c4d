/** Pages of a file: the map on one sheet, or an overview and overlapping tiles; then the lists that found no room. */
import type { Cell, MapScene } from '../../kernel/types.ts';
import { cropped } from '../paint/crop.ts';
import { type Box, L, M, type Op, rectangle, type Sheet, textsLast } from '../paint/drawing.ts';
import { textWidth } from '../paint/fonts.ts';
import { layGrid } from '../paint/grid.ts';
import { type Theme, themeOf } from '../paint/theme.ts';
import { isThrifty, openBench } from '../pieces/counters.ts';
import type { Wording } from '../words.ts';
import { panelBlocks } from './legend.ts';
import { drawMap, type MapDrawing } from './map.ts';
import { type Block, flow } from './panel.ts';
import {
  FOOT,
  footOps,
  frameOps,
  HEAD,
  headOps,
  MARGIN,
  mapSheet,
  PAPERS,
  type Paper,
  placeName,
  placesOf,
  RULER,
  rulerOps,
  unitBlocks,
} from './sheet.ts';

/** Most tiles one map may take. */
const TILES_LIMIT = 60;
/** More places than this are not linked one by one: each link costs more than its line of text. */
const LINKS_LIMIT = 220;

export interface PageOptions {
  paper: Paper;
  mode: 'sheet' | 'tiles';
  blackOnly?: boolean | undefined;
  footer: string;
  words: Wording;
}

export interface Pages {
  sheets: Sheet[];
  outline: { sheet: number; title: string; level: 0 | 1 }[];
}

interface Layout {
  radius: number;
  width: number;
  height: number;
  /** Window on the map that one tile shows. */
  windowX: number;
  windowY: number;
  columns: number;
  rows: number;
}

/** Smallest and largest corner radius on tiles. */
const LEAST_RADIUS = 200;
const MOST_RADIUS = 300;

/** The scale, orientation and number of tiles that waste least paper: few pages, large cells. */
function tileLayout(scene: MapScene, paper: Paper): Layout {
  const [short, long] = PAPERS[paper].map((points) => points * 10) as [number, number];
  let best: Layout | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const [width, height] of [
    [short, long],
    [long, short],
  ] as const)
    for (let radius = LEAST_RADIUS; radius <= MOST_RADIUS; radius += 5) {
      const grid = layGrid(scene.size, radius);
      const windowX = width - 2 * MARGIN;
      const windowY = height - 2 * MARGIN - HEAD - FOOT - (grid.sides === 4 ? RULER : 0);
      const overlap = Math.round(grid.pitch);
      const [, , right, bottom] = grid.box;
      const columns = Math.max(1, Math.ceil((right - overlap) / (windowX - overlap)));
      const rows = Math.max(1, Math.ceil((bottom - overlap) / (windowY - overlap)));
      const price = (columns * rows) / (radius / 260) ** 1.1;
      if (price < least - 1e-9 && (columns * rows <= TILES_LIMIT || !best)) {
        least = price;
        best = { radius, width, height, windowX, windowY, columns, rows };
      }
    }
  if (!best || best.columns * best.rows > TILES_LIMIT) throw new Error('a map of too many tiles is refused');
  return best;
}

function tileName(column: number, row: number): string {
  return `${String.fromCharCode(65 + column)}${row + 1}`;
}

interface Tile {
  name: string;
  column: number;
  row: number;
  window: Box;
}

/** Tiles spread evenly, so that overlaps are equal and no sheet is half empty. */
function tilesOf(layout: Layout, drawing: MapDrawing): Tile[] {
  const [, , right, bottom] = drawing.box;
  const width = Math.min(layout.windowX, right);
  const height = Math.min(layout.windowY, bottom);
  const tiles: Tile[] = [];
  for (let row = 0; row < layout.rows; row++)
    for (let column = 0; column < layout.columns; column++) {
      const x = layout.columns === 1 ? 0 : Math.round((column * (right - width)) / (layout.columns - 1));
      const y = layout.rows === 1 ? 0 : Math.round((row * (bottom - height)) / (layout.rows - 1));
      tiles.push({ name: tileName(column, row), column, row, window: [x, y, x + width, y + height] });
    }
  return tiles;
}

/** Marks on the frame where the neighbour begins, its name, and a link to it. */
function neighbourOps(
  theme: Theme,
  layout: Layout,
  tiles: readonly Tile[],
  tile: Tile,
  left: number,
  top: number,
): Op[] {
  const ops: Op[] = [];
  const [x0, y0, x1, y1] = tile.window;
  const at = (column: number, row: number): Tile | undefined => tiles.find((t) => t.column === column && t.row === row);
  const label = (text: string, x: number, y: number, angle: number): void => {
    const wide = textWidth('bold', text, 70) / 2 + 20;
    ops.push({
      op: 'text',
      x,
      y,
      text,
      face: 'bold',
      size: 70,
      fill: theme.muted,
      anchor: 'middle',
      ...(angle ? { angle } : {}),
    });
    const box: Box = angle ? [x - 60, y - wide, x + 60, y + wide] : [x - wide, y - 60, x + wide, y + 20];
    ops.push({ op: 'link', name: `tile-${text}`, box });
  };
  const cx = left + Math.round((x1 - x0) / 2);
  const cy = top + Math.round((y1 - y0) / 2);
  const cut = (x: number, y: number, dx: number, dy: number): void => {
    ops.push({ op: 'path', path: [M, x, y, L, x + dx, y + dy], stroke: theme.ink, width: 12 });
  };
  const west = at(tile.column - 1, tile.row);
  const east = at(tile.column + 1, tile.row);
  const north = at(tile.column, tile.row - 1);
  const south = at(tile.column, tile.row + 1);
  if (west) {
    label(west.name, left - 85, cy, -90);
    for (const y of [top, top + y1 - y0]) cut(left + west.window[2] - x0, y, 0, y === top ? -60 : 60);
  }
  if (east) {
    label(east.name, left + x1 - x0 + 135, cy, -90);
    for (const y of [top, top + y1 - y0]) cut(left + east.window[0] - x0, y, 0, y === top ? -60 : 60);
  }
  if (north) {
    label(north.name, cx, top - 55, 0);
    for (const x of [left, left + x1 - x0]) cut(x, top + north.window[3] - y0, x === left ? -60 : 60, 0);
  }
  if (south) {
    label(south.name, left + x1 - x0 - 60, top + y1 - y0 + 105, 0);
    for (const x of [left, left + x1 - x0]) cut(x, top + south.window[1] - y0, x === left ? -60 : 60, 0);
  }
  return [...ops, ...indexOps(theme, layout, tile, left + (x1 - x0), top)];
}

/** A small plan of all tiles with this one filled. */
function indexOps(theme: Theme, layout: Layout, tile: Tile, right: number, top: number): Op[] {
  const size = Math.min(30, Math.floor(110 / layout.rows));
  const ops: Op[] = [];
  for (let column = 0; column < layout.columns; column++)
    for (let row = 0; row < layout.rows; row++) {
      const path = rectangle(right - (layout.columns - column) * size, top - 175 + row * size, size, size);
      const here = column === tile.column && row === tile.row;
      ops.push({ op: 'path', path, fill: here ? theme.ink : theme.white, stroke: theme.muted, width: 3 });
    }
  return ops;
}

function tileSheet(
  scene: MapScene,
  theme: Theme,
  layout: Layout,
  drawing: MapDrawing,
  tiles: readonly Tile[],
  tile: Tile,
  options: PageOptions,
  targets: readonly Op[],
): Sheet {
  const [x0, y0, x1, y1] = tile.window;
  const left = Math.round((layout.width - (x1 - x0)) / 2);
  const top = MARGIN + HEAD + (drawing.grid.sides === 4 ? RULER : 0);
  const title = `${scene.title} · ${options.words.say({ key: 'service.map.tile', params: { name: tile.name } })}`;
  const inside = cropped(drawing.ops, tile.window);
  const shift: [number, number] = [left - x0, top - y0];
  const here = targets.filter((op) => op.op === 'target' && op.x >= x0 && op.x < x1 && op.y >= y0 && op.y < y1);
  return {
    width: layout.width,
    height: layout.height,
    paper: theme.paper,
    title,
    ops: [
      { op: 'target', name: `tile-${tile.name}`, x: 0, y: 0 },
      ...here.map((op): Op => (op.op === 'target' ? { ...op, x: op.x + shift[0], y: op.y + shift[1] } : op)),
      { op: 'clip', shift, path: rectangle(x0, y0, x1 - x0, y1 - y0), ops: inside },
      ...frameOps(theme, left, top, x1 - x0, y1 - y0),
      ...neighbourOps(theme, layout, tiles, tile, left, top),
      ...rulerOps(theme, scene, drawing, left, top, tile.window),
      ...headOps(theme, title, left, MARGIN + 10),
      ...footOps(theme, scene, options.words, options.footer, left, layout.height - MARGIN - FOOT + 110, x1 - x0 - 180),
    ],
  };
}

/** The whole map small on one page, with the tiles outlined and linked. */
function overviewSheet(
  scene: MapScene,
  theme: Theme,
  layout: Layout,
  big: Box,
  tiles: readonly Tile[],
  options: PageOptions,
): Sheet {
  const [short, long] = PAPERS[options.paper].map((points) => points * 10) as [number, number];
  const wide = big[2] > big[3];
  const [width, height] = wide ? [long, short] : [short, long];
  const roomX = width - 2 * MARGIN;
  const roomY = height - 2 * MARGIN - HEAD - FOOT;
  const radius = Math.min(LEAST_RADIUS, Math.floor(layout.radius * Math.min(roomX / big[2], roomY / big[3])));
  const drawing = drawMap(scene, theme, Math.max(10, radius), openBench(theme), true);
  const [, , w, h] = drawing.box;
  const left = Math.round((width - w) / 2);
  const top = MARGIN + HEAD;
  const scale = w / big[2];
  const ops: Op[] = [
    { op: 'target', name: 'overview', x: 0, y: 0 },
    { op: 'clip', shift: [left, top], path: rectangle(0, 0, w, h), ops: drawing.ops },
    ...frameOps(theme, left, top, w, h),
  ];
  for (const tile of tiles) {
    const [x0, y0, x1, y1] = tile.window.map((n) => Math.round(n * scale)) as [number, number, number, number];
    ops.push({
      op: 'path',
      path: rectangle(left + x0, top + y0, x1 - x0, y1 - y0),
      stroke: theme.marks.attack,
      width: 9,
      dash: [50, 26],
    });
    const [cx, cy] = [left + Math.round((x0 + x1) / 2), top + Math.round((y0 + y1) / 2)];
    ops.push({
      op: 'text',
      x: cx,
      y: cy + 90,
      text: tile.name,
      face: 'bold',
      size: 260,
      fill: theme.marks.attack!,
      anchor: 'middle',
      halo: { colour: '#ffffff', width: 50 },
    });
    ops.push({ op: 'link', name: `tile-${tile.name}`, box: [left + x0, top + y0, left + x1, top + y1] });
  }
  const title = `${scene.title}${scene.subtitle ? ` · ${scene.subtitle}` : ''} · ${options.words.say({ key: 'service.map.overview' })}`;
  ops.push(...headOps(theme, title, left, MARGIN + 10));
  ops.push(...footOps(theme, scene, options.words, options.footer, left, height - MARGIN - FOOT + 110, w));
  return { width, height, paper: theme.paper, title, ops };
}

/** Lists on portrait pages of their own, in as many columns as fit. */
function listSheets(
  scene: MapScene,
  theme: Theme,
  blocks: readonly Block[],
  options: PageOptions,
  columnWidth: number,
): Sheet[] {
  const [width, height] = PAPERS[options.paper].map((points) => points * 10) as [number, number];
  const gap = 130;
  const columns = Math.max(1, Math.floor((width - 2 * MARGIN + gap) / (columnWidth + gap)));
  const top = MARGIN + HEAD;
  const room = height - top - MARGIN - FOOT;
  const places = Array.from({ length: columns }, (_, i) => ({
    x: MARGIN + i * (columnWidth + gap),
    y: top,
    height: room,
  }));
  const sheets: Sheet[] = [];
  for (let rest = [...blocks]; rest.length > 0 && sheets.length < TILES_LIMIT; ) {
    const page = flow(rest, places);
    rest = page.rest;
    const title = `${scene.title} · ${options.words.say({ key: 'service.map.units' })}`;
    sheets.push({
      width,
      height,
      paper: theme.paper,
      title,
      ops: [
        ...(sheets.length === 0 ? [{ op: 'target' as const, name: 'lists', x: 0, y: 0 }] : []),
        ...textsLast(page.ops),
        ...headOps(theme, title, MARGIN, MARGIN + 10),
        ...footOps(
          theme,
          scene,
          options.words,
          options.footer,
          MARGIN,
          height - MARGIN - FOOT + 110,
          width - 2 * MARGIN,
        ),
      ],
    });
  }
  return sheets;
}

function onTiles(scene: MapScene, options: PageOptions): Pages {
  const theme = themeOf(options.blackOnly, scene.looks);
  const layout = tileLayout(scene, options.paper);
  const bench = openBench(theme, layout.radius, scene.size.kind, isThrifty(scene));
  const drawing = drawMap(scene, theme, layout.radius, bench);
  const tiles = tilesOf(layout, drawing);
  const places = placesOf(scene);
  const linked = places.size <= LINKS_LIMIT;
  const targets: Op[] = linked
    ? [...places.values()].map((at): Op => {
        const [x, y] = drawing.grid.centre(at);
        return { op: 'target', name: placeName(at), x, y };
      })
    : [];
  // A place on two tiles is linked to the first.
  const seen = new Set<string>();
  const sheets: Sheet[] = [];
  if (tiles.length > 1) sheets.push(overviewSheet(scene, theme, layout, drawing.box, tiles, options));
  for (const tile of tiles) {
    const [x0, y0, x1, y1] = tile.window;
    const own = targets.filter((op) => {
      if (op.op !== 'target' || seen.has(op.name) || op.x < x0 || op.x >= x1 || op.y < y0 || op.y >= y1) return false;
      seen.add(op.name);
      return true;
    });
    sheets.push(tileSheet(scene, theme, layout, drawing, tiles, tile, options, own));
  }
  const tileAt = (at: Cell): string => {
    const [x, y] = drawing.grid.centre(at);
    return tiles.find((t) => x >= t.window[0] && x < t.window[2] && y >= t.window[1] && y < t.window[3])?.name ?? '';
  };
  const linkTo = (at: Cell): string | undefined => (linked && places.has(placeName(at)) ? placeName(at) : undefined);
  const width = 1750;
  const blocks = [
    ...panelBlocks(bench, scene, options.words, width, linkTo),
    ...unitBlocks(bench, scene, options.words, width, linkTo, tiles.length > 1 ? tileAt : undefined),
  ];
  const lists = listSheets(scene, theme, blocks, options, width);
  const first = sheets.length;
  sheets.push(...lists);
  const outline: Pages['outline'] = [];
  const say = (name: string): string => options.words.say({ key: `service.map.${name}` });
  if (tiles.length > 1) outline.push({ sheet: 0, title: say('overview'), level: 0 });
  tiles.forEach((tile, i) => {
    if (i === 0) outline.push({ sheet: tiles.length > 1 ? 1 : 0, title: say('tiles'), level: 0 });
    outline.push({
      sheet: i + (tiles.length > 1 ? 1 : 0),
      title: options.words.say({ key: 'service.map.tile', params: { name: tile.name } }),
      level: 1,
    });
  });
  if (lists.length > 0) outline.push({ sheet: first, title: say('units'), level: 0 });
  return { sheets, outline };
}

/** All pages of a map file. */
export function pagesOf(scene: MapScene, options: PageOptions): Pages {
  if (options.mode === 'tiles') return onTiles(scene, options);
  const made = mapSheet(scene, { ...options, links: true });
  const lists = listSheets(scene, made.theme, made.rest, options, 1750);
  const title = scene.title;
  const outline: Pages['outline'] = [{ sheet: 0, title, level: 0 }];
  if (lists.length > 0) outline.push({ sheet: 1, title: options.words.say({ key: 'service.map.units' }), level: 0 });
  return { sheets: [made.sheet, ...lists], outline };
}
