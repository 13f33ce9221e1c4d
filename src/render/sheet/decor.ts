/** Title plate, scale bar and compass, laid where the map is open sea. */
import type { Cell, MapScene } from '../../kernel/types.ts';
import { type Box, grown, L, M, type Op, overlaps, polyline, rectangle, roundRectangle } from '../paint/drawing.ts';
import { textWidth } from '../paint/fonts.ts';
import type { Grid } from '../paint/grid.ts';
import type { Theme } from '../paint/theme.ts';

/** Finds room on open water for boxes of a given size; each place is given once. */
export interface Waters {
  take(width: number, height: number): Box | undefined;
}

/** Looks for water without counters, names or marks. */
export function openWaters(scene: MapScene, grid: Grid, taken: readonly Box[]): Waters {
  const step = Math.round(grid.radius * 0.75);
  const [, , right, bottom] = grid.box;
  const nx = Math.ceil(right / step);
  const ny = Math.ceil(bottom / step);
  const blocked = new Uint8Array(nx * ny).fill(1);
  const open = (at: Cell, value: 0 | 1, reach: number): void => {
    const [x, y] = grid.centre(at);
    for (
      let i = Math.max(0, Math.floor((x - reach) / step));
      i <= Math.min(nx - 1, Math.floor((x + reach) / step));
      i++
    )
      for (
        let j = Math.max(0, Math.floor((y - reach) / step));
        j <= Math.min(ny - 1, Math.floor((y + reach) / step));
        j++
      )
        blocked[j * nx + i] = value;
  };
  const sea = (terrain: string): boolean => terrain === 'sea' || terrain === 'ocean';
  for (const item of scene.items) if (item.kind === 'cell' && sea(item.terrain)) open(item.at, 0, grid.radius * 0.9);
  for (const item of scene.items) {
    if (item.kind === 'cell' && !sea(item.terrain)) open(item.at, 1, grid.radius * 1.1);
    if (item.kind === 'counter' || item.kind === 'marker' || item.kind === 'plate') open(item.at, 1, grid.radius * 1.2);
    if (item.kind === 'arrow') for (const at of item.path) open(at, 1, grid.radius * 1.2);
  }
  const used: Box[] = taken.map((box) => grown(box, grid.radius * 0.7));
  return {
    take(width, height) {
      const w = Math.ceil(width / step);
      const h = Math.ceil(height / step);
      for (let j = 1; j + h < ny; j++)
        for (let i = 1; i + w < nx; i++) {
          const box: Box = [i * step, j * step, i * step + width, j * step + height];
          if (used.some((other) => overlaps(other, box))) continue;
          let free = true;
          for (let y = j; free && y < j + h; y++)
            for (let x = i; free && x < i + w; x++) if (blocked[y * nx + x]) free = false;
          if (!free) continue;
          used.push(box);
          return box;
        }
      return undefined;
    },
  };
}

/** The title on its plate: double rule, title, a red line, subtitle. */
export function titlePlate(theme: Theme, waters: Waters, scene: MapScene, scale: number): Op[] {
  for (const size of [380, 300, 220].map((s) => Math.round(s * scale))) {
    const title = scene.title.toLocaleUpperCase('en');
    const spacing = Math.round(size * 0.16);
    const sub = Math.round(size * 0.4);
    const wide =
      Math.max(textWidth('serif', title, size, spacing), textWidth('italic', scene.subtitle ?? '', sub)) + size * 2;
    const high = size * (scene.subtitle ? 2.5 : 1.8);
    const box = waters.take(wide, high);
    if (!box) continue;
    const [x, y] = [Math.round(box[0]), Math.round(box[1])];
    const [w, h] = [Math.round(wide), Math.round(high)];
    const cx = x + Math.round(w / 2);
    const ops: Op[] = [
      { op: 'path', path: roundRectangle(x, y, w, h, 30), fill: theme.white, stroke: theme.ink, width: 12 },
      { op: 'path', path: rectangle(x + 35, y + 35, w - 70, h - 70), stroke: theme.ink, width: 4 },
      {
        op: 'text',
        x: cx,
        y: y + Math.round(size * 1.25),
        text: title,
        face: 'serif',
        size,
        fill: theme.ink,
        anchor: 'middle',
        spacing,
      },
    ];
    if (scene.subtitle) {
      const rule = y + Math.round(size * 1.5);
      ops.push({
        op: 'path',
        path: [M, x + Math.round(w * 0.2), rule, L, x + Math.round(w * 0.8), rule],
        stroke: theme.marks.attack,
        width: 7,
      });
      ops.push({
        op: 'text',
        x: cx,
        y: y + Math.round(size * 2.02),
        text: scene.subtitle,
        face: 'italic',
        size: sub,
        fill: theme.ink,
        anchor: 'middle',
      });
    }
    return ops;
  }
  return [];
}

/** A round length about `cells` cells long, in metres. */
function roundLength(cellMetres: number, cells: number): number {
  const wish = cellMetres * cells;
  const ten = 10 ** Math.floor(Math.log10(wish));
  return [5, 2, 1].map((n) => n * ten).find((n) => n <= wish) ?? ten;
}

/** A scale bar drawn from its left end; gives its width. */
export function scaleBar(
  theme: Theme,
  pitch: number,
  cellMetres: number,
  x: number,
  y: number,
  onSea: boolean,
  room = Number.POSITIVE_INFINITY,
): { ops: Op[]; width: number } {
  const metres = roundLength(cellMetres, Math.min(5, room / pitch));
  const width = Math.round((metres / cellMetres) * pitch);
  const parts = metres / 10 ** Math.floor(Math.log10(metres)) === 2 ? 4 : 5;
  const high = 26;
  const ink = onSea ? theme.water.seaName : theme.ink;
  const ops: Op[] = [{ op: 'path', path: rectangle(x, y, width, high), fill: theme.white, stroke: ink, width: 5 }];
  for (let i = 0; i < parts; i += 2)
    ops.push({
      op: 'path',
      path: rectangle(x + Math.round((i * width) / parts), y, Math.round(width / parts), high),
      fill: ink,
    });
  const large = metres >= 1000;
  for (let i = 0; i <= parts; i++) {
    const value = (metres * i) / parts / (large ? 1000 : 1);
    const text = `${Number.isInteger(value) ? value : value.toFixed(1)}${i === parts ? (large ? ' km' : ' m') : ''}`;
    ops.push({
      op: 'text',
      x: x + Math.round((i * width) / parts),
      y: y - 18,
      text,
      face: 'bold',
      size: 66,
      fill: ink,
      anchor: 'middle',
    });
  }
  return { ops, width };
}

/** A wind rose of radius `r`; north is up. */
export function compass(theme: Theme, x: number, y: number, r: number): Op[] {
  const ink = theme.water.seaName;
  const ops: Op[] = [];
  for (const turn of [45, 0]) {
    const long = turn === 0 ? r : r * 0.6;
    for (let k = 0; k < 4; k++) {
      const a = ((turn + 90 * k - 90) * Math.PI) / 180;
      const tip: [number, number] = [Math.round(x + long * Math.cos(a)), Math.round(y + long * Math.sin(a))];
      for (const side of [-1, 1]) {
        const b = a + (side * Math.PI) / 4;
        const foot: [number, number] = [
          Math.round(x + long * 0.22 * Math.cos(b)),
          Math.round(y + long * 0.22 * Math.sin(b)),
        ];
        ops.push({
          op: 'path',
          path: polyline([[x, y], tip, foot], true),
          fill: side < 0 ? ink : theme.white,
          stroke: ink,
          width: 4,
        });
      }
    }
  }
  const far = Math.round(r * 1.28);
  const size = Math.round(r * 0.36);
  for (const [text, dx, dy] of [
    ['N', 0, -far],
    ['E', far, 0],
    ['S', 0, far],
    ['W', -far, 0],
  ] as const)
    ops.push({
      op: 'text',
      x: x + dx,
      y: y + dy + Math.round(size * 0.35),
      text,
      face: 'serif',
      size: text === 'N' ? Math.round(size * 1.2) : size,
      fill: ink,
      anchor: 'middle',
    });
  return ops;
}
