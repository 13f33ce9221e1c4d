/** Buildings on boards of squares: floor, walls, doors and windows, and the plate with name and structure. */
import type { SceneItem } from '../../kernel/types.ts';
import { type Box, L, M, type Op, type Path, type Point, rectangle, roundRectangle } from '../paint/drawing.ts';
import { textWidth } from '../paint/fonts.ts';
import type { Grid } from '../paint/grid.ts';
import type { Bench } from '../pieces/counters.ts';

const round = Math.round;

type Region = Extract<SceneItem, { kind: 'region' }>;
type Edge = Extract<SceneItem, { kind: 'edge' }>;

/** Floor, walls outside the squares, and the name on a plate. */
export function buildingOps(
  bench: Bench,
  grid: Grid,
  region: Region,
  n: number,
  counters: readonly Point[] = [],
): { ops: Op[]; plate: Op[]; box: Box | undefined } {
  const q = grid.pitch;
  const h = round(q / 2);
  const black = bench.theme.blackOnly;
  const floors = ['#efcfae', '#d9bd91', '#ecdfd2', '#d9d9d9'];
  const path: Path = [];
  const boards: Path = [];
  let [left, top, right] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  let bottom = Number.NEGATIVE_INFINITY;
  for (const cell of region.cells) {
    const [x, y] = grid.centre(cell);
    path.push(...rectangle(x - h, y - h, 2 * h, 2 * h));
    for (let k = 1; k < 6; k++) {
      const o = round(-h + (k * q) / 6);
      if (n % 2 === 0) boards.push(M, x - h, y + o, L, x + h, y + o);
      else boards.push(M, x - h, y + o, L, x + h, y + o, M, x + o, y - h, L, x + o, y + h);
    }
    left = Math.min(left, x - h);
    right = Math.max(right, x + h);
    top = Math.min(top, y - h);
    bottom = Math.max(bottom, y + h);
  }
  const ops: Op[] = [
    { op: 'path', path, stroke: black ? '#000000' : '#3b3128', width: q * 0.23 },
    { op: 'path', path, stroke: black ? '#888888' : '#6f5b49', width: q * 0.17 },
    { op: 'path', path, fill: black ? '#ffffff' : floors[n % floors.length]! },
    { op: 'path', path: boards, stroke: black ? '#bbbbbb' : '#b79b78', width: 4 },
    {
      op: 'path',
      path,
      stroke: black ? '#555555' : '#8a6c4e',
      width: 7,
      dash: [round(q * 0.08), round(q * 0.06)],
    },
  ];
  const middle = (left + right) / 2;
  const label = region.label ?? '';
  const above = platePlace(bench, label, q, middle, top);
  if (!hidden(above.box, counters, q)) return { ops, ...above };
  // On the lower wall where a counter lies on the upper one.
  const below = platePlace(bench, label, q, middle, bottom + round(q * 0.2));
  return { ops, ...(hidden(below.box, counters, q) ? above : below) };
}

/** Does a counter, in the middle of its square, reach into the box? */
function hidden(box: Box | undefined, counters: readonly Point[], q: number): boolean {
  const reach = q * 0.4;
  return (
    box !== undefined &&
    counters.some(([x, y]) => x + reach > box[0] && x - reach < box[2] && y + reach > box[1] && y - reach < box[3])
  );
}

/** The plate on a wall whose upper edge is `top`: name, and structure on a badge. */
function platePlace(
  bench: Bench,
  label: string,
  q: number,
  middle: number,
  top: number,
): { plate: Op[]; box: Box | undefined } {
  const black = bench.theme.blackOnly;
  const match = /^(.*?)\s+(\d+)$/.exec(label);
  const name = (match?.[1] ?? label).toUpperCase();
  if (name === '') return { plate: [], box: undefined };
  const size = round(q * 0.15);
  const badge = match ? round(size * 1.1) : 0;
  const wide = round(textWidth('strong', name, size, 6)) + badge + round(size * 0.9);
  const high = round(size * 1.35);
  const cx = round(middle);
  const x = cx - round(wide / 2);
  const y = top - round(q * 0.11) - round(high * 0.72);
  const plate: Op[] = [
    { op: 'path', path: roundRectangle(x, y, wide, high, 12), fill: '#fffdf6', stroke: bench.theme.ink, width: 6 },
    {
      op: 'text',
      x: x + round(size * 0.35),
      y: y + round(high * 0.5 + size * 0.32),
      text: name,
      face: 'strong',
      size,
      fill: bench.theme.ink,
      spacing: 6,
    },
  ];
  if (match) {
    const bx = x + wide - badge - round(size * 0.1);
    plate.push({
      op: 'path',
      path: rectangle(bx, y + round(high * 0.14), badge, round(high * 0.72)),
      fill: black ? '#000000' : '#6f5b49',
    });
    plate.push({
      op: 'text',
      x: bx + round(badge / 2),
      y: y + round(high * 0.5 + size * 0.3),
      text: match[2]!,
      face: 'bold',
      size: round(size * 0.9),
      fill: '#ffffff',
      anchor: 'middle',
    });
  }
  return { plate, box: [x, y, x + wide, y + high] };
}

/** A door, window or inner wall on the side of `a` that looks towards `b`. */
export function openingOps(bench: Bench, grid: Grid, edge: Edge): Op[] {
  const q = grid.pitch;
  const black = bench.theme.blackOnly;
  const [ax, ay] = grid.centre(edge.a);
  const [bx, by] = grid.centre(edge.b);
  const level = Math.abs(bx - ax) >= Math.abs(by - ay);
  const dx = level ? Math.sign(bx - ax) : 0;
  const dy = level ? 0 : Math.sign(by - ay);
  const inside = edge.feature.startsWith('inner');
  const out = q * (inside ? 0.5 : 0.553);
  const [x, y] = [round(ax + dx * out), round(ay + dy * out)];
  const along = (half: number, thick: number): Path =>
    level
      ? rectangle(x - round(thick / 2), y - round(half), round(thick), round(2 * half))
      : rectangle(x - round(half), y - round(thick / 2), round(2 * half), round(thick));
  const ink = bench.theme.ink;
  switch (edge.feature) {
    case 'window':
      return [
        { op: 'path', path: along(q * 0.2, q * 0.115), fill: '#ffffff', stroke: ink, width: 7 },
        { op: 'path', path: along(q * 0.18, q * 0.05), fill: black ? '#ffffff' : '#9fc6da', stroke: ink, width: 4 },
        {
          op: 'path',
          path: level
            ? [M, x - round(q * 0.06), y, L, x + round(q * 0.06), y]
            : [M, x, y - round(q * 0.06), L, x, y + round(q * 0.06)],
          stroke: ink,
          width: 5,
        },
      ];
    case 'inner-wall':
      return [{ op: 'path', path: along(q * 0.5, q * 0.1), fill: black ? '#000000' : '#3b3128' }];
    case 'inner-door': {
      const gap = along(q * 0.17, q * 0.1);
      return [
        { op: 'path', path: along(q * 0.5, q * 0.1), fill: black ? '#000000' : '#3b3128' },
        { op: 'path', path: gap, fill: black ? '#ffffff' : '#ecdfd2', stroke: black ? '#000000' : '#a9743c', width: 6 },
      ];
    }
    case 'door': {
      const half = q * 0.19;
      const from: Point = level ? [x, y - round(half)] : [x - round(half), y];
      const leaf: Point = [
        round(from[0] + (level ? dx * half * 1.5 : half * 0.9)),
        round(from[1] + (level ? half * 0.9 : dy * half * 1.5)),
      ];
      return [
        { op: 'path', path: along(half, q * 0.13), fill: black ? '#ffffff' : '#efdcc0', stroke: ink, width: 5 },
        { op: 'path', path: [M, from[0], from[1], L, leaf[0], leaf[1]], stroke: ink, width: q * 0.075 },
        {
          op: 'path',
          path: [M, from[0], from[1], L, leaf[0], leaf[1]],
          stroke: black ? '#ffffff' : '#a9743c',
          width: q * 0.045,
        },
      ];
    }
    default:
      return [{ op: 'path', path: along(q * 0.5, q * 0.08), fill: black ? '#000000' : '#5d574a' }];
  }
}
