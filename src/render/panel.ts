/** The column beside the map: legend, counters, stacks, the scene's own lists. Blocks flow into columns and on to further sheets. */
import type { Cell, MapScene, SceneCounter } from '../kernel/types.ts';
import { knownBranch } from './branches.ts';
import type { Bench } from './counters.ts';
import { counterOps, fitted } from './counters.ts';
import type { Face, Op } from './drawing.ts';
import { L, M, moved } from './drawing.ts';
import { textWidth } from './fonts.ts';
import { sampleOps } from './samples.ts';
import type { Wording } from './words.ts';

/** A piece of the column, drawn from (0, 0) downwards. */
export interface Block {
  height: number;
  ops: Op[];
  /** Stays with the block that follows it. */
  heading?: true;
}

export const PANEL_WIDTH = 1830;

const TEXT = 74;
const LINE = 98;

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

/** Names known to the legend by wording; a system's own text wins. */
function caption(scene: MapScene, words: Wording, sample: string): string {
  const own = scene.legend?.find((entry) => entry.sample === sample);
  if (own) return own.text;
  const key = `service.legend.${sample}`;
  return words.has(key) ? words.say({ key }) : sample;
}

/** Cuts a text into lines of a width. */
export function wrapped(text: string, face: Face, size: number, width: number): string[] {
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

/** One or two entries beside each other: a picture and its words. */
function entries(
  bench: Bench,
  scene: MapScene,
  words: Wording,
  samples: readonly string[],
  width: number,
  columns: number,
  tall: number,
): Block[] {
  const blocks: Block[] = [];
  const each = Math.floor(width / columns);
  for (let i = 0; i < samples.length; i += columns) {
    const ops: Op[] = [];
    let height = tall;
    samples.slice(i, i + columns).forEach((sample, j) => {
      const picture = sampleOps(bench, sample, tall, bench.radius);
      const x = j * each;
      ops.push(...moved(picture.ops, x, 0));
      const left = x + picture.width + 50;
      const lines = wrapped(caption(scene, words, sample), 'sans', TEXT, each - picture.width - 70);
      lines.forEach((text, k) => {
        const y = Math.round(tall / 2 + 26 + (k - (lines.length - 1) / 2) * LINE * 0.85);
        ops.push({ op: 'text', x: left, y, text, face: 'sans', size: TEXT, fill: bench.theme.ink });
      });
      height = Math.max(height, lines.length * LINE);
    });
    blocks.push({ height: height + 14, ops });
  }
  return blocks;
}

/** What occurs in the scene, in the order of the legend. */
function occurring(scene: MapScene): { grounds: string[]; lines: string[]; marks: string[]; branches: string[] } {
  const grounds = new Map<string, number>();
  const lines = new Set<string>();
  const marks = new Set<string>();
  const branches = new Map<string, number>();
  const count = (map: Map<string, number>, name: string): void => {
    map.set(name, (map.get(name) ?? 0) + 1);
  };
  for (const item of scene.items) {
    if (item.kind === 'cell') {
      count(
        grounds,
        item.hill
          ? item.terrain === 'plain' || item.terrain === 'clear' || item.terrain === 'open'
            ? 'hill'
            : `hill+${item.terrain}`
          : item.terrain,
      );
      if (item.tags?.some((tag) => tag.startsWith('beach'))) lines.add('landing-beach');
    } else if (item.kind === 'edge') lines.add(item.feature === 'beach' ? 'landing-beach' : item.feature);
    else if (item.kind === 'line') lines.add(item.feature);
    else if (item.kind === 'arrow') marks.add(item.inferred ? 'inferred' : item.arrow);
    else if (item.kind === 'counter') {
      for (const state of item.counter.states) marks.add(state.split(':')[0]!);
      if (item.counter.ghost && !item.counter.states.includes('lost')) marks.add('from');
      if (item.counter.faceDown) marks.add('hidden');
      else if (knownBranch(item.counter.symbol)) count(branches, item.counter.symbol);
    }
  }
  return {
    grounds: [...grounds.keys()].filter((name) => name !== 'sea'),
    lines: [...lines],
    marks: [...marks],
    branches: [...branches].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).map(([name]) => name),
  };
}

const LINE_ORDER = [
  'major-river',
  'river',
  'stream',
  'canal',
  'primary',
  'road',
  'trail',
  'railway',
  'landing-beach',
  'wall',
  'hedge',
  'bocage',
  'cliff',
];
const MARK_ORDER = [
  'move',
  'inferred',
  'advance',
  'landing',
  'attack',
  'retreat',
  'fire',
  'blocked',
  'barrage',
  'from',
  'new',
  'lost',
  'isolated',
  'disorganized',
  'reduced',
  'hidden',
];

/** A typical counter of each side that occurs, with its branch signs below. */
function counterBlocks(
  bench: Bench,
  scene: MapScene,
  words: Wording,
  branches: readonly string[],
  width: number,
): Block[] {
  const typical = new Map<string, SceneCounter>();
  for (const item of scene.items) {
    if (item.kind !== 'counter' || item.counter.ghost || item.counter.faceDown) continue;
    const name = `${item.counter.side}-${item.counter.band || item.counter.column ? item.counter.nation : ''}`;
    if (!typical.has(name))
      typical.set(name, { ...item.counter, states: item.counter.states.filter((s) => s === 'reduced') });
  }
  if (typical.size === 0) return [];
  const ops: Op[] = [];
  const s = 400;
  [...typical.values()].slice(0, Math.floor(width / (s + 80))).forEach((counter, i) => {
    ops.push(...counterOps(bench, counter, Math.round(s / 2) + 20 + i * (s + 80), Math.round(s / 2) + 20, s));
  });
  return [{ height: s + 90, ops }, ...entries(bench, scene, words, branches.slice(0, 12), width, 2, 150)];
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
  const line = (cells: readonly string[], face: (i: number) => Face, fill: string, size: number): Op[] =>
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

/** Everything for the column beside the map. */
export function panelBlocks(
  bench: Bench,
  scene: MapScene,
  words: Wording,
  width: number,
  linkTo: (at: Cell) => string | undefined,
): Block[] {
  const say = (name: string): string => words.say({ key: `service.map.${name}` });
  const found = occurring(scene);
  const own = (scene.legend ?? []).map((entry) => entry.sample);
  const known = new Set([...found.grounds, ...found.lines, ...found.marks, ...found.branches]);
  const lines = [
    ...LINE_ORDER.filter((name) => found.lines.includes(name)),
    ...found.lines.filter((name) => !LINE_ORDER.includes(name)),
  ];
  const marks = MARK_ORDER.filter((name) => found.marks.includes(name));
  const blocks: Block[] = [headingBlock(bench, say('legend'), width)];
  blocks.push(...entries(bench, scene, words, found.grounds, width, 2, 210));
  blocks.push(...entries(bench, scene, words, [...lines, ...own.filter((name) => !known.has(name))], width, 2, 120));
  blocks.push({ height: 50, ops: [] });
  const counters = counterBlocks(bench, scene, words, found.branches, width);
  if (counters.length > 0)
    blocks.push(headingBlock(bench, say('counters'), width), ...counters, { height: 50, ops: [] });
  if (marks.length > 0)
    blocks.push(headingBlock(bench, say('changes'), width), ...entries(bench, scene, words, marks, width, 2, 170), {
      height: 50,
      ops: [],
    });
  for (const panel of scene.panels ?? [])
    blocks.push(...tableBlocks(bench, panel.title, panel.columns, panel.rows, width, linkTo));
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
