/** Counters where they lie: alone, side by side, fanned or in a pile; ghosts of what moved or died; plates of battles. */
import type { Cell, SceneCounter, SceneItem } from '../../kernel/types.ts';
import {
  type Box,
  circle,
  grown,
  L,
  M,
  type Op,
  overlaps,
  type Point,
  sharedArea,
  textsLast,
} from '../paint/drawing.ts';
import type { Grid, Key } from '../paint/grid.ts';
import { type Bench, COMPACT_UNDER, counterOps, has } from './counters.ts';
import { plateOps } from './marks.ts';
import { tokenCounterOps } from './squarecounters.ts';
import { countOps, lostOps, outlineOps, tabOps } from './tabs.ts';

/** Side of a counter alone in its cell. */
export function counterSide(grid: Grid): number {
  if (grid.sides === 4) return Math.round(grid.pitch * 0.8);
  return Math.round(grid.radius * (grid.radius < 200 ? 1.3 : 1.15));
}

export interface Pieces {
  counters: Op[];
  tabs: Op[];
  boxes: Box[];
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
    if (grid.sides === 4 && counter.symbol !== 'marker') {
      const made = tokenCounterOps(bench, counter, cx, cy, s, (counter.footprint ?? []).map(grid.centre));
      out.counters.push(...made.ops);
      out.tabs.push(...made.tabs);
      out.boxes.push(...made.boxes);
      return;
    }
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
  }
}

/** All counters of a map. On a coarse map only the topmost of each pile is drawn. */
export function piecesOf(
  grid: Grid,
  bench: Bench,
  stacks: Iterable<{ at: Cell; counters: SceneCounter[] }>,
  coarse: boolean,
): Pieces {
  const out: Pieces = { counters: [], tabs: [], boxes: [] };
  for (const { at, counters } of stacks) {
    if (!coarse) pieceOps(grid, bench, at, counters, out);
    else {
      const [x, y] = grid.centre(at);
      out.counters.push(...counterOps(bench, { ...counters[0]!, states: [] }, x, y, counterSide(grid)).slice(0, 1));
    }
  }
  // Small counters of different cells never touch: their type can be set together.
  if (grid.sides === 6 && counterSide(grid) < COMPACT_UNDER) out.counters = textsLast(out.counters);
  return out;
}

/** Ghosts: eliminated units faded under a cross, dashed outlines where units stood. */
export function ghostOps(
  grid: Grid,
  bench: Bench,
  ghosts: readonly { at: Cell; counter: SceneCounter }[],
  taken: ReadonlySet<Key>,
): { under: Op[]; over: Op[] } {
  const under: Op[] = [];
  const over: Op[] = [];
  const s = counterSide(grid);
  for (const { at, counter } of ghosts) {
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

type Plate = Extract<SceneItem, { kind: 'plate' }>;

/** Plates beside their battle, where they cover least; a line leads to the hex fought over. */
export function battlePlates(
  grid: Grid,
  bench: Bench,
  plates: readonly Plate[],
  taken: readonly Box[],
): { ops: Op[]; boxes: Box[] } {
  const r = grid.radius;
  const [, , right, bottom] = grid.box;
  const boxes: Box[] = [];
  const ops: Op[] = [];
  for (const plate of plates) {
    const [x, y] = grid.centre(plate.at);
    const size = plateOps(bench, [0, 0], plate.big, plate.small, r).box;
    const [w, h] = [size[2] - size[0], size[3] - size[1]];
    let best: Point = [x, y];
    let least = Number.POSITIVE_INFINITY;
    for (const far of [0.75, 1.1, 1.6])
      for (let k = 0; k < 12; k++) {
        const a = (k * Math.PI) / 6 + Math.PI / 5;
        const cx = Math.round(x + Math.cos(a) * (far * r + w / 2));
        const cy = Math.round(y + Math.sin(a) * (far * r + h / 2));
        const box: Box = [cx - w / 2, cy - h / 2, cx + w / 2, cy + h / 2];
        const outside = box[0] < 0 || box[1] < 0 || box[2] > right || box[3] > bottom;
        let price = (outside ? 1e7 : 0) + far * r * 4 + k;
        for (const other of taken) price += sharedArea(box, other);
        for (const other of boxes) price += sharedArea(grown(box, 20), other) * 4;
        if (price < least) {
          least = price;
          best = [cx, cy];
        }
      }
    const made = plateOps(bench, best, plate.big, plate.small, r);
    boxes.push(made.box);
    const edge: Point = [
      Math.round(Math.max(made.box[0], Math.min(made.box[2], x))),
      Math.round(Math.max(made.box[1], Math.min(made.box[3], y))),
    ];
    const { attack } = bench.theme.marks;
    if (!overlaps(made.box, [x - 1, y - 1, x + 1, y + 1])) {
      ops.push({ op: 'path', path: [M, edge[0], edge[1], L, x, y], stroke: bench.theme.white, width: 22 });
      ops.push({ op: 'path', path: [M, edge[0], edge[1], L, x, y], stroke: attack, width: 10 });
      ops.push({
        op: 'path',
        path: circle(x, y, Math.max(20, Math.round(r * 0.05))),
        fill: attack,
        stroke: '#ffffff',
        width: 5,
      });
    }
    ops.push(...made.ops);
  }
  return { ops, boxes };
}
