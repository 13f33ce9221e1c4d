/** One sheet: the map in its frame, with title, legend, lists and footer round it. */
import type { Cell, MapScene, SceneCounter } from '../../kernel/types.ts';
import {
  type Box,
  L,
  M,
  moved,
  type Op,
  type Point,
  polyline,
  rectangle,
  type Sheet,
  textsLast,
} from '../paint/drawing.ts';
import { textWidth } from '../paint/fonts.ts';
import { layGrid } from '../paint/grid.ts';
import { type Theme, themeOf } from '../paint/theme.ts';
import { type Bench, isThrifty, openBench } from '../pieces/counters.ts';
import { counterSide } from '../pieces/stacks.ts';
import { openWording, type Wording } from '../words.ts';
import { compass, openWaters, scaleBar, titlePlate } from './decor.ts';
import { panelBlocks } from './legend.ts';
import { drawMap, type MapDrawing } from './map.ts';
import { type Block, flow, headingBlock, PANEL_WIDTH, wrapped } from './panel.ts';

/** Points of the papers, portrait. */
export const PAPERS = { A4: [595, 842], A3: [842, 1191], Letter: [612, 792] } as const;
export type Paper = keyof typeof PAPERS;

export interface SheetOptions {
  paper?: Paper | undefined;
  blackOnly?: boolean | undefined;
  footer?: string | undefined;
  words?: Wording | undefined;
  /** The map alone, without header, lists and footer. */
  bare?: boolean | undefined;
  /** Links between lists and map. */
  links?: boolean | undefined;
}

export interface MadeSheet {
  sheet: Sheet;
  theme: Theme;
  /** Blocks that found no room beside the map. */
  rest: Block[];
}

/** Eight millimetres. */
export const MARGIN = 227;
export const HEAD = 170;
export const FOOT = 150;
const GAP = 150;
/** Smallest and largest corner radius of a sheet: below, type would be left out; the page grows instead. */
const LEAST_RADIUS = 150;
const MOST_RADIUS = 600;
/** Counters of squares games carry names: their squares are never smaller than this allows. */
const LEAST_BOARD = 290;
/** Room for letters and numbers along a board of squares. */
export const RULER = 170;
/** Most places with a link of their own. */
const LINKS_LIMIT = 220;

/** Name of a place that can be jumped to. */
export function placeName([column, row]: Cell): string {
  return `at-${column}-${row}`;
}

/** Cells with counters, by name. */
export function placesOf(scene: MapScene): Map<string, Cell> {
  const places = new Map<string, Cell>();
  for (const item of scene.items)
    if (item.kind === 'counter' && !item.counter.ghost) places.set(placeName(item.at), item.at);
  return places;
}

/** The frame: a strong line and a thin one round it. */
export function frameOps(theme: Theme, x: number, y: number, width: number, height: number): Op[] {
  return [
    { op: 'path', path: rectangle(x - 5, y - 5, width + 10, height + 10), stroke: theme.ink, width: 16 },
    { op: 'path', path: rectangle(x - 32, y - 32, width + 64, height + 64), stroke: theme.rule, width: 6 },
  ];
}

export function headOps(theme: Theme, title: string, left: number, y: number): Op[] {
  return [{ op: 'text', x: left, y: y + 60, text: title, face: 'bold', size: 110, fill: theme.ink }];
}

/** Footer: game, turn, viewer; then house marks and credits as far as the width goes. */
export function footOps(
  theme: Theme,
  scene: MapScene,
  words: Wording,
  footer: string,
  left: number,
  y: number,
  width: number,
): Op[] {
  const ops: Op[] = [{ op: 'text', x: left, y, text: footer, face: 'bold', size: 76, fill: theme.ink }];
  const house =
    scene.house.length > 0 ? [words.say({ key: 'service.map.house', params: { house: scene.house.join('; ') } })] : [];
  const rest = [...house, ...(scene.credits ?? [])].join(' · ');
  const start = footer ? textWidth('bold', footer, 76) + 120 : 0;
  const size = 58;
  const letters = [...rest];
  let line = '';
  let room = width - start;
  let x = left + Math.round(start);
  let at = y;
  const put = (): void => {
    ops.push({ op: 'text', x, y: at, text: line.trim(), face: 'sans', size, fill: theme.muted });
    line = '';
    room = width;
    x = left;
    at += 66;
  };
  for (const word of letters.join('').split(' ')) {
    if (line !== '' && textWidth('sans', `${line} ${word}`, size) > room) put();
    line = line === '' ? word : `${line} ${word}`;
  }
  if (line !== '') put();
  return ops;
}

/** The list of units by place, with links to the map. */
export function unitBlocks(
  bench: Bench,
  scene: MapScene,
  words: Wording,
  width: number,
  linkTo: (at: Cell) => string | undefined,
  tileAt?: (at: Cell) => string,
): Block[] {
  const numbers = new Map<string, string>();
  for (const item of scene.items) if (item.kind === 'cell' && item.number) numbers.set(placeName(item.at), item.number);
  const stacks = new Map<string, { at: Cell; where: string; counters: SceneCounter[] }>();
  for (const item of scene.items) {
    if (item.kind !== 'counter' || item.counter.ghost) continue;
    const name = placeName(item.at);
    const where = numbers.get(name) ?? `${item.at[0]}.${item.at[1]}`;
    const stack = stacks.get(name) ?? { at: item.at, where, counters: [] };
    stack.counters.push(item.counter);
    stacks.set(name, stack);
  }
  if (stacks.size === 0) return [];
  const rows = [...stacks.values()].sort((a, b) => (a.where < b.where ? -1 : a.where > b.where ? 1 : 0));
  const size = 74;
  const line = 92;
  const left = Math.max(...rows.map((row) => textWidth('bold', row.where, size))) + (tileAt ? 230 : 70);
  const blocks: Block[] = [headingBlock(bench, words.say({ key: 'service.map.units' }), width)];
  for (const { at, where, counters } of rows) {
    const lines = wrapped(counters.map(unitText).join(',  '), 'num', size, width - left);
    const height = lines.length * line + 16;
    const ops: Op[] = [
      { op: 'text', x: 0, y: 70, text: where, face: 'bold', size, fill: bench.theme.ink },
      ...lines.map(
        (text, i): Op => ({
          op: 'text',
          x: Math.round(left),
          y: 70 + i * line,
          text,
          face: 'num',
          size,
          fill: bench.theme.ink,
        }),
      ),
    ];
    if (!bench.thrifty)
      ops.push({
        op: 'path',
        path: [M, 0, height - 6, L, width, height - 6],
        stroke: bench.theme.blackOnly ? '#999999' : '#ded6c2',
        width: 3,
      });
    if (tileAt)
      ops.push({
        op: 'text',
        x: Math.round(left) - 40,
        y: 70,
        text: tileAt(at),
        face: 'num',
        size,
        fill: bench.theme.muted,
        anchor: 'end',
      });
    const name = linkTo(at);
    if (name) ops.push({ op: 'link', name, box: [0, 0, width, height] });
    blocks.push({ height, ops });
  }
  return blocks;
}

/** One counter in a list: its id, its values, its states. */
function unitText(counter: SceneCounter): string {
  if (counter.faceDown) return '?';
  const values = counter.column
    ? `${counter.column.join('/')}·${counter.shield?.value ?? ''}`
    : counter.factors.join('-');
  const states = counter.states.filter((state) => state !== 'activated' && state !== 'not-activated');
  // Blanks inside an entry do not break.
  return `${counter.id} ${values}${states.length > 0 ? ` (${states.join(', ')})` : ''}`.replaceAll(' ', '\u00a0');
}

/** Black triangles on the frame where roads enter the map. */
function entryOps(theme: Theme, drawing: MapDrawing, left: number, top: number): Op[] {
  const [, , width, height] = drawing.box;
  const r = Math.max(75, Math.round(drawing.grid.radius * 0.55));
  return drawing.entries.flatMap(({ at: [x, y], text }): Op[] => {
    const sides: [number, Point, Point][] = [
      [x, [0, y], [1, 0]],
      [width - x, [width, y], [-1, 0]],
      [y, [x, 0], [0, 1]],
      [height - y, [x, height], [0, -1]],
    ];
    const [, [ex, ey], [dx, dy]] = sides.reduce((a, b) => (b[0] < a[0] ? b : a));
    const [cx, cy] = [left + ex, top + ey];
    const at = (along: number, across: number): Point => [
      Math.round(cx + dx * along - dy * across),
      Math.round(cy + dy * along + dx * across),
    ];
    const size = Math.max(60, Math.round(r * 0.8));
    const [tx, ty] = at(-r * 0.05, 0);
    return [
      {
        op: 'path',
        path: polyline([at(r * 0.9, 0), at(-r * 0.6, r), at(-r * 0.6, -r)], true),
        fill: theme.ink,
        stroke: theme.white,
        width: 8,
      },
      {
        op: 'text',
        x: tx,
        y: ty + Math.round(size * 0.36),
        text,
        face: 'bold',
        size,
        fill: theme.white,
        anchor: 'middle',
      },
    ];
  });
}

/** Letters and numbers along the frame of a board of squares, or of the `window` on it whose corner lies at left, top. */
export function rulerOps(
  theme: Theme,
  scene: MapScene,
  drawing: MapDrawing,
  left: number,
  top: number,
  window: Box = drawing.box,
): Op[] {
  if (drawing.grid.sides !== 4) return [];
  const ops: Op[] = [];
  const size = 100;
  const [c0] = drawing.grid.columns;
  const [r0] = drawing.grid.rows;
  const put = (text: string, x: number, y: number): void => {
    ops.push({ op: 'text', x, y, text, face: 'bold', size, fill: theme.ink, anchor: 'middle' });
  };
  for (const item of scene.items) {
    if (item.kind !== 'cell') continue;
    const match = /^([A-Z]+)(\d+)$/.exec(item.number ?? '');
    if (!match) continue;
    const [x, y] = drawing.grid.centre(item.at);
    const [x0, y0, x1, y1] = window;
    if (item.at[1] === r0 && x >= x0 && x <= x1) put(match[1]!, left + x - x0, top - 60);
    if (item.at[0] === c0 && y >= y0 && y <= y1) put(match[2]!, left - 110, top + y - y0 + 36);
  }
  return ops;
}

interface Room {
  radius: number;
  width: number;
  height: number;
  panel: number;
}

/** Page size and scale: the paper turned the better way, or a page of its shape large enough for readable type. */
function roomFor(scene: MapScene, options: SheetOptions): Room {
  const unit = layGrid(scene.size, 1000);
  const [, , w, h] = unit.box;
  const panel = PANEL_WIDTH + GAP;
  const ruler = unit.sides === 4 ? RULER : 0;
  if (!options.paper) {
    const wish = Math.round(Math.min(400, Math.max(170, (13_500 / w) * 1000)));
    const radius = unit.sides === 4 ? Math.min(350, wish) : wish;
    const [, , mw, mh] = layGrid(scene.size, radius).box;
    return {
      radius,
      width: mw + 2 * MARGIN + panel + ruler,
      height: mh + 2 * MARGIN + HEAD + FOOT + ruler,
      panel,
    };
  }
  const [short, long] = PAPERS[options.paper].map((points) => points * 10) as [number, number];
  const fitting = (width: number, height: number): number =>
    Math.floor(
      1000 * Math.min((width - 2 * MARGIN - panel - ruler) / w, (height - 2 * MARGIN - HEAD - FOOT - ruler) / h),
    );
  const ways = [
    [long, short],
    [short, long],
  ] as const;
  const [width, height] = fitting(...ways[0]) >= fitting(...ways[1]) ? ways[0] : ways[1];
  const radius = Math.min(MOST_RADIUS, fitting(width, height));
  const least = unit.sides === 4 ? LEAST_BOARD : LEAST_RADIUS;
  if (radius >= least) return { radius, width, height, panel };
  const [, , mw, mh] = layGrid(scene.size, least).box;
  return {
    radius: least,
    width: mw + 2 * MARGIN + panel + ruler,
    height: Math.max(mh, width < height ? 0 : short - 800) + 2 * MARGIN + HEAD + FOOT + ruler,
    panel,
  };
}

function decorations(
  theme: Theme,
  scene: MapScene,
  drawing: MapDrawing,
  title: boolean,
): { ops: Op[]; scaled: boolean } {
  if (drawing.grid.sides === 4) return { ops: [], scaled: false };
  const waters = openWaters(scene, drawing.grid, drawing.names);
  const ops: Op[] = title ? titlePlate(theme, waters, scene, drawing.grid.radius / 150) : [];
  let scaled = false;
  if (scene.cellMetres) {
    const trial = scaleBar(theme, drawing.grid.pitch, scene.cellMetres, 0, 0, true);
    const box = waters.take(trial.width + 300, 300);
    if (box) {
      ops.push(
        ...scaleBar(
          theme,
          drawing.grid.pitch,
          scene.cellMetres,
          Math.round(box[0]) + 100,
          Math.round(box[1]) + 170,
          true,
        ).ops,
      );
      scaled = true;
    }
  }
  const r = Math.round(drawing.grid.radius * 2);
  const box = waters.take(r * 3.2, r * 3.2);
  if (box) ops.push(...compass(theme, Math.round((box[0] + box[2]) / 2), Math.round((box[1] + box[3]) / 2), r));
  return { ops, scaled };
}

/** The map alone, edge to edge. */
export function bareSheet(scene: MapScene, options: SheetOptions): Sheet {
  const theme = themeOf(options.blackOnly, scene.looks);
  const { radius } = roomFor(scene, {});
  const drawing = drawMap(scene, theme, radius);
  const [, , width, height] = drawing.box;
  const ruler = drawing.grid.sides === 4 ? 200 : 0;
  const ops: Op[] = [
    { op: 'clip', shift: [ruler, ruler], path: rectangle(0, 0, width, height), ops: drawing.ops },
    ...moved(decorations(theme, scene, drawing, false).ops, ruler, ruler),
    ...frameOps(theme, ruler, ruler, width, height),
    ...rulerOps(theme, scene, drawing, ruler, ruler),
    ...entryOps(theme, drawing, ruler, ruler),
  ];
  return {
    width: width + ruler + (ruler ? 40 : 0),
    height: height + ruler + (ruler ? 40 : 0),
    paper: theme.paper,
    title: scene.title,
    ops,
  };
}

/** The whole map on one sheet; blocks that found no room beside it are handed back. */
export function mapSheet(scene: MapScene, options: SheetOptions): MadeSheet {
  const theme = themeOf(options.blackOnly, scene.looks);
  const words = options.words ?? openWording();
  const room = roomFor(scene, options);
  const bench = openBench(theme, room.radius, scene.size.kind, isThrifty(scene));
  const drawing = drawMap(scene, theme, room.radius, bench);
  const [, , width, height] = drawing.box;
  const free = room.width - 2 * MARGIN - room.panel - width;
  const ruler = drawing.grid.sides === 4 ? RULER : 0;
  const left = MARGIN + ruler;
  const top = MARGIN + HEAD + ruler;
  const places = placesOf(scene);
  const linked = options.links === true && places.size <= LINKS_LIMIT;
  const linkTo = (at: Cell): string | undefined => (linked && places.has(placeName(at)) ? placeName(at) : undefined);
  const decor = decorations(theme, scene, drawing, true);
  const panelX = left + width + GAP;
  const columns = Math.max(1, Math.floor((free + room.panel) / (PANEL_WIDTH + GAP)));
  const blocks: Block[] = panelBlocks(bench, scene, words, PANEL_WIDTH, linkTo);
  if (!decor.scaled && scene.cellMetres) {
    const bar = scaleBar(theme, drawing.grid.pitch, scene.cellMetres, 60, 120, false, PANEL_WIDTH - 200);
    blocks.unshift({ height: 210, ops: bar.ops });
  }
  blocks.push(...unitBlocks(bench, scene, words, PANEL_WIDTH, linkTo));
  const tall = room.height - top - MARGIN - FOOT;
  const panel = flow(
    blocks,
    Array.from({ length: columns }, (_, i) => ({ x: panelX + i * (PANEL_WIDTH + GAP), y: top, height: tall })),
  );
  const targets: Op[] = linked
    ? [...places].map(([name, at]): Op => {
        const [x, y] = drawing.grid.centre(at);
        return { op: 'target', name, x: left + x, y: top + y - counterSide(drawing.grid) };
      })
    : [];
  const ops: Op[] = [
    ...targets,
    { op: 'clip', shift: [left, top], path: rectangle(0, 0, width, height), ops: drawing.ops },
    ...moved(decor.ops, left, top),
    ...frameOps(theme, left, top, width, height),
    ...rulerOps(theme, scene, drawing, left, top),
    ...entryOps(theme, drawing, left, top),
    ...textsLast(panel.ops),
    ...headOps(theme, `${scene.title}${scene.subtitle ? ` · ${scene.subtitle}` : ''}`, MARGIN, MARGIN + 10),
    ...footOps(theme, scene, words, options.footer ?? '', left, top + height + 150, room.width - MARGIN - left),
  ];
  const box: Box = [0, 0, room.width, room.height];
  return {
    theme,
    rest: panel.rest,
    sheet: { width: box[2], height: box[3], paper: theme.paper, title: scene.title, ops },
  };
}
