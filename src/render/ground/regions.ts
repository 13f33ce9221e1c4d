/** Regions drawn as one: set-up zones and areas by their outline, buildings over several hexes as a solid block. */
import type { SceneItem } from '../../kernel/types.ts';
import { closedSpline, easedLoop, loopsAround } from '../paint/curve.ts';
import { type Op, type Path, type Point, polyline } from '../paint/drawing.ts';
import { textWidth } from '../paint/fonts.ts';
import type { Grid, Key } from '../paint/grid.ts';
import { lineWidth } from '../paint/theme.ts';
import type { Bench } from '../pieces/counters.ts';

type Region = Extract<SceneItem, { kind: 'region' }>;

function keysOf(grid: Grid, region: Region): Set<Key> {
  return new Set(
    region.cells
      .filter(([column, row]) => Number.isInteger(column) && Number.isInteger(row))
      .map(([column, row]) => grid.key(column, row)),
  );
}

/** The outline of a set of cells drawn a little inside its hexsides, so that neighbours do not share a line. */
function insetLoop(grid: Grid, loop: readonly number[], inset: number): Point[] {
  const points = loop.map(grid.point);
  const n = points.length;
  return points.map(([x, y], i) => {
    const [ax, ay] = points[(i + n - 1) % n]!;
    const [bx, by] = points[(i + 1) % n]!;
    // The set lies on the right hand of the loop: the normal to the right of the way from a to b points inwards.
    const length = Math.hypot(bx - ax, by - ay) || 1;
    return [Math.round(x - ((by - ay) / length) * inset), Math.round(y + ((bx - ax) / length) * inset)];
  });
}

/** Building outlines on hex maps: roof over all the hexes, with a ridge. */
function buildingBlock(bench: Bench, grid: Grid, region: Region): Op[] {
  const path: Path = [];
  for (const loop of loopsAround(grid, keysOf(grid, region)))
    path.push(...polyline(insetLoop(grid, loop, grid.radius * 0.3), true));
  const { theme } = bench;
  return [
    {
      op: 'path',
      path,
      fill: theme.blackOnly ? '#ffffff' : '#b98a72',
      stroke: theme.ink,
      width: lineWidth(grid.radius, 0.045, 5),
      round: true,
    },
  ];
}

const RANGE = '#b45309';

/** All regions of a map; buildings of square boards are drawn by the board itself. */
export function zoneOps(bench: Bench, grid: Grid, regions: readonly Region[]): { under: Op[]; over: Op[] } {
  const under: Op[] = [];
  const over: Op[] = [];
  const { theme } = bench;
  for (const region of regions) {
    if (region.cells.length === 0) continue;
    if (region.style === 'building') {
      if (grid.sides === 6) under.push(...buildingBlock(bench, grid, region));
      continue;
    }
    const [style, side] = region.style.split(':') as [string, string | undefined];
    const plain = style === 'range' ? RANGE : theme.marks.move!;
    const zone = side !== undefined && theme.liveries.has(side) ? theme.liveries.side(side).outline : plain;
    const colour = theme.blackOnly ? '#000000' : zone;
    const path: Path = [];
    for (const loop of loopsAround(grid, keysOf(grid, region))) {
      const points = insetLoop(grid, loop, grid.radius * 0.07);
      if (style === 'range') closedSpline(easedLoop(grid, loop, 0.3), path);
      else path.push(...polyline(points, true));
    }
    const width = lineWidth(grid.radius, 0.07, 9);
    over.push({ op: 'path', path, stroke: theme.white, width: width * 1.9, round: true });
    over.push({ op: 'path', path, stroke: colour, width, dash: [width * 4, width * 2.2] });
    if (region.label) over.push(...labelOps(grid, region, colour));
  }
  return { under, over };
}

/** The label on a plate in the middle of the region's upper edge. */
function labelOps(grid: Grid, region: Region, colour: string): Op[] {
  const centres = region.cells.map(grid.centre);
  const top = Math.min(...centres.map(([, y]) => y));
  const upper = centres.filter(([, y]) => y < top + grid.pitch * 0.6);
  const x = Math.round(upper.reduce((sum, [cx]) => sum + cx, 0) / Math.max(1, upper.length));
  const size = Math.max(60, Math.round(grid.radius * 0.24));
  const y = Math.round(top - grid.pitch * 0.38 + size * 0.5);
  const text = (region.label ?? '').toUpperCase();
  const half = textWidth('bold', text, size) / 2 + size * 0.3;
  const [, , right] = grid.box;
  const cx = Math.round(Math.max(half, Math.min(right - half, x)));
  return [
    {
      op: 'text',
      x: cx,
      y,
      text,
      face: 'bold',
      size,
      fill: colour,
      anchor: 'middle',
      halo: { colour: '#ffffff', width: Math.round(size * 0.3) },
    },
  ];
}
