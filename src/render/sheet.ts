/** One sheet: the map in its frame, with title, lists and footer round it. */
import type { MapScene } from '../kernel/types.ts';
import type { Op, Sheet } from './drawing.ts';
import { placed, rectangle } from './drawing.ts';
import { drawMap } from './map.ts';
import type { Theme } from './theme.ts';
import { themeOf } from './theme.ts';

/** Points of the papers, portrait. */
export const PAPERS = { A4: [595, 842], A3: [842, 1191], Letter: [612, 792] } as const;
export type Paper = keyof typeof PAPERS;

export interface SheetOptions {
  paper?: Paper;
  blackOnly?: boolean;
  footer?: string;
  /** The map alone, without header, lists and footer. */
  bare?: boolean;
}

const MARGIN = 227;

/** Moves ops by whole units. */
export function moved(ops: readonly Op[], dx: number, dy: number): Op[] {
  if (dx === 0 && dy === 0) return [...ops];
  const paths = new Map<number[], number[]>();
  const shift = (path: number[]): number[] => {
    const known = paths.get(path);
    if (known) return known;
    const made = placed(path, dx, dy);
    paths.set(path, made);
    return made;
  };
  return ops.map((op): Op => {
    switch (op.op) {
      case 'path':
        return { ...op, path: shift(op.path) };
      case 'clip':
        return { ...op, path: shift(op.path), ops: moved(op.ops, dx, dy) };
      case 'numbers':
        return { ...op, at: op.at.map((entry) => ({ ...entry, x: entry.x + dx, y: entry.y + dy })) };
      case 'link':
        return { ...op, box: [op.box[0] + dx, op.box[1] + dy, op.box[2] + dx, op.box[3] + dy] };
      default:
        return { ...op, x: op.x + dx, y: op.y + dy };
    }
  });
}

function frameOps(theme: Theme, x: number, y: number, width: number, height: number): Op[] {
  return [
    { op: 'path', path: rectangle(x - 5, y - 5, width + 10, height + 10), stroke: theme.ink, width: 16 },
    { op: 'path', path: rectangle(x - 32, y - 32, width + 64, height + 64), stroke: theme.rule, width: 6 },
  ];
}

/** The whole map on one sheet. */
export function mapSheet(scene: MapScene, options: SheetOptions): Sheet {
  const theme = themeOf(options.blackOnly);
  const radius = 150;
  const drawing = drawMap(scene, theme, radius);
  const [, , width, height] = drawing.box;
  const left = options.bare ? 0 : MARGIN;
  const top = options.bare ? 0 : MARGIN + 150;
  const ops: Op[] = [
    { op: 'clip', path: rectangle(left, top, width, height), ops: moved(drawing.ops, left, top) },
    ...frameOps(theme, left, top, width, height),
  ];
  if (!options.bare) {
    ops.push({ op: 'text', x: left, y: MARGIN + 60, text: scene.title, face: 'bold', size: 110, fill: theme.ink });
    ops.push({
      op: 'text',
      x: left,
      y: top + height + 150,
      text: options.footer ?? '',
      face: 'sans',
      size: 70,
      fill: theme.muted,
    });
  }
  return {
    width: width + 2 * left,
    height: options.bare ? height : top + height + MARGIN + 60,
    paper: theme.paper,
    title: scene.title,
    ops,
  };
}
