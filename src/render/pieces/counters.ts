/** Wargame counters: blank by side and nation, branch symbol, size mark, names, factors, and the marks of their state. */
import type { MapScene, SceneCounter, SceneGrid } from '../../kernel/types.ts';
import {
  type Colour,
  circle,
  L,
  M,
  type Op,
  polyline,
  rectangle,
  roundRectangle,
  type Stamp,
  type Typeface,
} from '../paint/drawing.ts';
import { textWidth } from '../paint/fonts.ts';
import { SMALLEST_TYPE, type Theme } from '../paint/theme.ts';
import { branchStamp } from './branches.ts';

/** Under this side (tenths of a point) a counter shows formation, box and factors only. */
export const COMPACT_UNDER = 300;

/** Under this side the range disc is left out. */
const RANGE_FROM = 240;

/** Stamps made once a document. */
export interface Bench {
  theme: Theme;
  /** Corner radius and kind of the map's grid, for samples at its scale. */
  radius: number;
  kind: SceneGrid['kind'];
  /** A map so large that it is drawn more simply. */
  thrifty: boolean;
  made: Map<string, Stamp>;
}

export function openBench(theme: Theme, radius = 150, kind: SceneGrid['kind'] = 'hex-columns', thrifty = false): Bench {
  return { theme, radius, kind, thrifty, made: new Map() };
}

/** Maps of more cells than this are drawn more simply: 30 sheets of paper must stay a mail attachment. */
const THRIFTY_FROM = 4000;

/** Is the map so large that fields, bends and variants of texture are left out? */
export function isThrifty(scene: MapScene): boolean {
  let cells = 0;
  for (const item of scene.items) if (item.kind === 'cell') cells++;
  return cells > THRIFTY_FROM;
}

/** Takes a symbol from the bench or makes it. */
export function once(bench: Bench, name: string, make: () => Stamp): Stamp {
  const known = bench.made.get(name);
  if (known) return known;
  const symbol = make();
  bench.made.set(name, symbol);
  return symbol;
}

const round = Math.round;

/** A text that fits `room`: smaller if need be, nothing when it would be under the smallest type. */
export function fitted(
  text: string,
  face: Typeface,
  size: number,
  room: number,
  least = SMALLEST_TYPE,
): { text: string; size: number } | undefined {
  if (text === '') return undefined;
  const wide = textWidth(face, text, size);
  const fit = wide <= room ? size : Math.floor((size * room) / wide);
  if (round(fit) >= least) return { text, size: round(fit) };
  if (least > size) return undefined;
  let short = text;
  while (short.length > 1 && textWidth(face, `${short}…`, least) > room) short = short.slice(0, -1);
  return short.length > 1 && textWidth(face, `${short}…`, least) <= room
    ? { text: `${short}…`, size: least }
    : undefined;
}

/** Type on a counter: the theme's ink, or its nation's where that can't be read on its colour. */
function counterInk(theme: Theme, counter: SceneCounter): Colour {
  return theme.liveries.counter(counter).ink ?? theme.ink;
}

/** Corners: square or round, as the side's are. */
export function cornerRadius(theme: Theme, counter: SceneCounter, s: number): number {
  return theme.liveries.side(counter.side).square ? 0 : round(0.1 * s);
}

/** Marks that hang on a counter. */
export function has(counter: SceneCounter, state: string): boolean {
  return counter.states.some((word) => word === state || word.startsWith(`${state}:`));
}

function blank(bench: Bench, counter: SceneCounter, s: number): Stamp {
  const { theme } = bench;
  const { tint, bar } = theme.liveries.counter(counter);
  const { square } = theme.liveries.side(counter.side);
  const octagon = counter.symbol === 'strongpoint' && !counter.faceDown;
  const name = `blank-${tint}-${bar ?? ''}-${square}-${octagon}-${s}`;
  return once(bench, name, () => {
    const h = round(s / 2);
    const r = cornerRadius(theme, counter, s);
    const o = round(s * 0.29);
    const shape = octagon
      ? polyline(
          [
            [-o, -h],
            [o, -h],
            [h, -o],
            [h, o],
            [o, h],
            [-o, h],
            [-h, o],
            [-h, -o],
          ],
          true,
        )
      : roundRectangle(-h, -h, 2 * h, 2 * h, r);
    const edge = Math.max(4, round(0.028 * s));
    const dx = round(0.045 * s);
    const dy = round(0.055 * s);
    const shadow = octagon
      ? shape.map((n, i) => n + (i % 3 === 1 ? dx : i % 3 === 2 ? dy : 0))
      : roundRectangle(-h + dx, -h + dy, 2 * h, 2 * h, r);
    const ops: Op[] = [];
    if (!theme.blackOnly)
      ops.push({
        op: 'path',
        path: octagon ? roundRectangle(-h + dx * 2, -h + dy * 2, 2 * h - dx * 2, 2 * h - dy * 2, o) : shadow,
        fill: '#6b6452',
        opacity: 0.45,
      });
    ops.push({ op: 'path', path: shape, fill: tint });
    if (bar && !octagon) {
      const w = round(0.13 * s);
      ops.push({
        op: 'path',
        path: [M, -h + w, -h, L, -h + w, h],
        stroke: theme.ink,
        width: Math.max(3, round(edge * 0.7)),
      });
      ops.push({ op: 'path', path: leftBar(h, w, r), fill: bar });
    }
    ops.push({ op: 'path', path: shape, stroke: theme.ink, width: edge, round: r > 0 });
    return { name, box: [-h - 20, -h - 20, h + dx + 20, h + dy + 20], ops };
  });
}

/** The nation bar along the left edge, following the round corners. */
function leftBar(h: number, w: number, r: number): number[] {
  const q = Math.min(r, w);
  return [M, -h + w, -h, L, -h + w, h, L, -h + q, h, 2, -h, h, -h, h - q, L, -h, -h + q, 2, -h, -h, -h + q, -h, 4];
}

/** Names at the sides of the box, the size mark above, factors below: a large counter. */
function fullFace(bench: Bench, counter: SceneCounter, x: number, y: number, s: number): Op[] {
  const { theme } = bench;
  const ink = counterInk(theme, counter);
  const shift = theme.liveries.counter(counter).bar ? round(0.055 * s) : 0;
  const cy = y + round((counter.band ? 0.0 : -0.06) * s);
  const line = Math.max(4, round(0.026 * s));
  const ops: Op[] = [];
  const branch = once(bench, `branch-${counter.symbol}-${s}`, () =>
    branchStamp(theme, counter.symbol, 0.44 * s, 0.28 * s, line),
  );
  ops.push({ op: 'use', symbol: branch, x: x + shift, y: cy });
  const small = round(0.15 * s);
  if (counter.size && small >= SMALLEST_TYPE)
    ops.push({
      op: 'text',
      x: x + shift,
      y: cy - round(0.14 * s + 0.035 * s),
      text: counter.size,
      face: 'bold',
      size: small,
      fill: ink,
      anchor: 'middle',
    });
  const side = (text: string, dx: number): void => {
    const fit = fitted(text, 'bold', round((text.length > 4 ? 0.125 : 0.145) * s), 0.44 * s);
    if (fit)
      ops.push({
        op: 'text',
        x: x + shift + dx + round(fit.size * 0.35),
        y: cy,
        text: fit.text,
        face: 'bold',
        size: fit.size,
        fill: ink,
        anchor: 'middle',
        angle: -90,
      });
  };
  side(counter.formation, -round(0.335 * s));
  side(counter.unit, round(0.335 * s));
  ops.push(...factorOps(counter, x + shift, y + round(0.425 * s), round(0.31 * s), ink, s));
  return ops;
}

function factorOps(counter: SceneCounter, x: number, y: number, size: number, ink: Colour, s: number): Op[] {
  const text = counter.factors.join('-');
  const ranged = counter.range !== undefined && s >= RANGE_FROM;
  const fit = fitted(text, 'bold', counter.factors.length > 2 ? round(size * 0.87) : size, (ranged ? 0.62 : 0.86) * s);
  if (!fit) return [];
  return [
    {
      op: 'text',
      x: x - (ranged ? round(0.11 * s) : 0),
      y,
      text: fit.text,
      face: 'bold',
      size: fit.size,
      fill: ink,
      anchor: 'middle',
    },
  ];
}

/** Formation, box, factors: what can be read on a small counter. */
function compactFace(bench: Bench, counter: SceneCounter, x: number, y: number, s: number): Op[] {
  const { theme } = bench;
  const ink = counterInk(theme, counter);
  const shift = theme.liveries.counter(counter).bar ? round(0.055 * s) : 0;
  const line = Math.max(4, round(0.03 * s));
  const branch = once(bench, `branch-${counter.symbol}-compact-${s}`, () =>
    branchStamp(theme, counter.symbol, 0.5 * s, 0.3 * s, line),
  );
  const ops: Op[] = [{ op: 'use', symbol: branch, x: x + shift, y: y - round(0.02 * s) }];
  const label = counter.band ? '' : counter.formation || counter.unit;
  const size = round(0.26 * s);
  const fit = size >= SMALLEST_TYPE ? fitted(label, 'num', size, 0.8 * s) : undefined;
  if (fit)
    ops.push({
      op: 'text',
      x: x + shift,
      y: y - round(0.235 * s),
      text: fit.text,
      face: 'num',
      size: fit.size,
      fill: ink,
      anchor: 'middle',
    });
  ops.push(...factorOps(counter, x + shift, y + round(0.43 * s), round(0.33 * s), ink, s));
  return ops;
}

/** The formation band along the top edge: solid when activated, white with a coloured rule when not. */
function bandOps(bench: Bench, counter: SceneCounter, x: number, y: number, s: number): Op[] {
  const band = counter.band;
  if (!band) return [];
  const { theme } = bench;
  const given = band.colour !== undefined && /^#[0-9a-f]{6}$/i.test(band.colour) ? band.colour : '#7a1f1f';
  const colour = theme.blackOnly ? '#000000' : given;
  const h = round(s / 2);
  const r = cornerRadius(theme, counter, s);
  const deep = round(0.16 * s);
  const symbol = once(bench, `band-${colour}-${band.solid}-${r > 0}-${s}`, () => {
    const path = [
      M,
      -h,
      -h + deep,
      L,
      -h,
      -h + r,
      2,
      -h,
      -h,
      -h + r,
      -h,
      L,
      h - r,
      -h,
      2,
      h,
      -h,
      h,
      -h + r,
      L,
      h,
      -h + deep,
      4,
    ];
    const ops: Op[] = [{ op: 'path', path, fill: band.solid ? colour : '#ffffff' }];
    ops.push({
      op: 'path',
      path: [M, -h, -h + deep, L, h, -h + deep],
      stroke: band.solid ? theme.ink : colour,
      width: Math.max(4, round(0.03 * s)),
    });
    ops.push({ op: 'path', path: [...path.slice(0, -1)], stroke: theme.ink, width: Math.max(4, round(0.028 * s)) });
    return { name: 'band', box: [-h - 20, -h - 20, h + 20, h + 20], ops };
  });
  const ops: Op[] = [{ op: 'use', symbol, x, y }];
  const fit = fitted(band.text, 'bold', round(0.15 * s), 0.9 * s);
  if (fit && 0.15 * s >= SMALLEST_TYPE - 4)
    ops.push({
      op: 'text',
      x,
      y: y - h + round(deep / 2 + fit.size * 0.35),
      text: fit.text,
      face: 'bold',
      size: fit.size,
      fill: band.solid ? '#ffffff' : theme.ink,
      anchor: 'middle',
    });
  return ops;
}

function rangeOps(bench: Bench, counter: SceneCounter, x: number, y: number, s: number): Op[] {
  if (counter.range === undefined || s < RANGE_FROM) return [];
  const r = round(0.125 * s);
  const symbol = once(bench, `range-${s}`, () => ({
    name: 'range',
    box: [-r - 10, -r - 10, r + 10, r + 10],
    ops: [
      {
        op: 'path',
        path: circle(0, 0, r),
        fill: bench.theme.blackOnly ? '#ffffff' : '#f2c230',
        stroke: bench.theme.ink,
        width: Math.max(3, round(0.02 * s)),
      },
    ],
  }));
  const [cx, cy] = [x + round(0.33 * s), y + round(0.335 * s)];
  const size = round(0.16 * s);
  const ops: Op[] = [{ op: 'use', symbol, x: cx, y: cy }];
  if (size >= SMALLEST_TYPE - 5)
    ops.push({
      op: 'text',
      x: cx,
      y: cy + round(size * 0.35),
      text: counter.range,
      face: 'bold',
      size,
      fill: bench.theme.ink,
      anchor: 'middle',
    });
  return ops;
}

/** A face-down counter: a question mark on the side's colour. */
function hiddenFace(bench: Bench, counter: SceneCounter, x: number, y: number, s: number): Op[] {
  const ops: Op[] = [];
  const h = round(0.36 * s);
  ops.push({
    op: 'path',
    path: rectangle(x - h, y - h, 2 * h, 2 * h),
    stroke: counterInk(bench.theme, counter),
    width: Math.max(3, round(0.02 * s)),
  });
  ops.push({
    op: 'text',
    x,
    y: y + round(0.17 * s),
    text: '?',
    face: 'bold',
    size: round(0.5 * s),
    fill: counterInk(bench.theme, counter),
    anchor: 'middle',
  });
  return ops;
}

/** A counter centred on (x, y) with side `s`. */
export function counterOps(bench: Bench, counter: SceneCounter, x: number, y: number, s: number): Op[] {
  const ops: Op[] = [{ op: 'use', symbol: blank(bench, counter, s), x, y }];
  if (counter.faceDown) return [...ops, ...hiddenFace(bench, counter, x, y, s)];
  if (has(counter, 'reduced') || (counter.steps === 1 && has(counter, 'damaged'))) {
    const inner = round(0.5 * s - 0.055 * s);
    ops.push({
      op: 'path',
      path: roundRectangle(x - inner, y - inner, 2 * inner, 2 * inner, cornerRadius(bench.theme, counter, s * 0.8)),
      stroke: '#ffffff',
      width: Math.max(5, round(0.05 * s)),
    });
  }
  ops.push(...bandOps(bench, counter, x, y, s));
  ops.push(...(s < COMPACT_UNDER ? compactFace(bench, counter, x, y, s) : fullFace(bench, counter, x, y, s)));
  ops.push(...rangeOps(bench, counter, x, y, s));
  return ops;
}
