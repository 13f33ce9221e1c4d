/** Blocks of the column beside the map: headings, tables; they flow into columns and on to further sheets. */
import type { Cell } from '../../kernel/types.ts';
import { L, M, moved, type Op, type Typeface } from '../paint/drawing.ts';
import { textWidth } from '../paint/fonts.ts';
import { type Bench, fitted } from '../pieces/counters.ts';

/** A piece of the column, drawn from (0, 0) downwards. */
export interface Block {
  height: number;
  ops: Op[];
  /** Stays with the block that follows it. */
  heading?: true;
}

export const PANEL_WIDTH = 1830;

export const TEXT = 74;
export const LINE = 98;

/** A title over a rule. */
export function headingBlock(bench: Bench, text: string, width: number): Block {
  return {
    height: 200,
    heading: true,
    ops: [
      {
        op: 'text',
        x: 0,
        y: 120,
        text: text.toUpperCase(),
        face: 'bold',
        size: 96,
        fill: bench.theme.ink,
        spacing: 14,
      },
      { op: 'path', path: [M, 0, 146, L, width, 146], stroke: bench.theme.ink, width: 6 },
    ],
  };
}

/** Cuts a text into lines of a width. */
export function wrapped(text: string, face: Typeface, size: number, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const next = line === '' ? word : `${line} ${word}`;
    if (line !== '' && textWidth(face, next, size) > width) {
      lines.push(line);
      line = word;
    } else line = next;
  }
  if (line !== '') lines.push(line);
  return lines;
}

export interface ListRow {
  at?: Cell | undefined;
  cells: readonly string[];
}

/** A table: first column bold, the last ones right-aligned when they are numbers. Rows become blocks, so that they flow. */
export function tableBlocks(
  bench: Bench,
  title: string,
  columns: readonly string[],
  rows: readonly ListRow[],
  width: number,
  linkTo: (at: Cell) => string | undefined,
): Block[] {
  const { theme } = bench;
  const count = Math.max(columns.length, ...rows.map((row) => row.cells.length));
  const wish = Array.from({ length: count }, (_, i) =>
    Math.max(
      textWidth('num', columns[i] ?? '', 66),
      ...rows.map((row) => textWidth(i === 0 ? 'bold' : 'num', row.cells[i] ?? '', TEXT)),
    ),
  );
  const gap = 60;
  const total = wish.reduce((sum, w) => sum + w + gap, 0);
  const widths = wish.map((w) => (total > width ? ((w + gap) * width) / total : w + gap));
  const left = widths.map((_, i) => Math.round(widths.slice(0, i).reduce((sum, w) => sum + w, 0)));
  const line = (cells: readonly string[], face: (i: number) => Typeface, fill: string, size: number): Op[] =>
    cells.flatMap((text, i): Op[] => {
      const fit = fitted(text, face(i), size, Math.max(60, widths[i]! - gap / 2), 50);
      return fit ? [{ op: 'text', x: left[i]!, y: 74, text: fit.text, face: face(i), size: fit.size, fill }] : [];
    });
  const blocks: Block[] = [headingBlock(bench, title, width)];
  if (columns.some((column) => column !== ''))
    blocks.push({ height: 90, heading: true, ops: line(columns, () => 'num', theme.muted, 66) });
  for (const row of rows) {
    const ops = line(row.cells, (i) => (i === 0 ? 'bold' : 'num'), theme.ink, TEXT);
    const name = row.at ? linkTo(row.at) : undefined;
    if (name) ops.push({ op: 'link', name, box: [0, 6, width, LINE] });
    ops.push({
      op: 'path',
      path: [M, 0, LINE, L, width, LINE],
      stroke: theme.blackOnly ? '#999999' : '#ded6c2',
      width: 3,
    });
    blocks.push({ height: LINE + 6, ops });
  }
  blocks.push({ height: 60, ops: [] });
  return blocks;
}

/** Fills columns top to bottom; returns what found no room. */
export function flow(
  blocks: readonly Block[],
  places: readonly { x: number; y: number; height: number }[],
): { ops: Op[]; rest: Block[] } {
  const ops: Op[] = [];
  let next = 0;
  for (const place of places) {
    let y = 0;
    while (next < blocks.length) {
      const block = blocks[next]!;
      // A heading goes with the first block below it that is not a heading.
      let needed = block.height;
      for (let k = next; blocks[k]?.heading && blocks[k + 1]; k++) needed += blocks[k + 1]!.height;
      if (y + needed > place.height && y > 0) break;
      if (y > 0 || block.ops.length > 0) {
        ops.push(...moved(block.ops, place.x, place.y + y));
        y += block.height;
      }
      next++;
      if (y > place.height) break;
    }
  }
  return { ops, rest: blocks.slice(next) };
}
