/** The legend: what occurs in the scene, each with a picture and its words. */
import type { Cell, MapScene, SceneCounter } from '../../kernel/types.ts';
import { isBoard } from '../ground/board.ts';
import { moved, type Op } from '../paint/drawing.ts';
import { knownBranch } from '../pieces/branches.ts';
import { type Bench, counterOps } from '../pieces/counters.ts';
import { tokenCounterOps } from '../pieces/squarecounters.ts';
import type { Wording } from '../words.ts';
import { type Block, headingBlock, LINE, TEXT, tableBlocks, wrapped } from './panel.ts';
import { boardSample, sampleOps } from './samples.ts';

interface Occurring {
  grounds: string[];
  lines: string[];
  marks: string[];
  branches: string[];
}

/** `marker:objective` and `objective` are the same sample. */
function sampleName(sample: string): string {
  return sample.replace(/^(cell|terrain|edge|line|marker|region|arrow):/, '');
}

/** The words of a sample: the system's own, else ours, else its name. */
function caption(scene: MapScene, words: Wording, sample: string): string {
  const own = scene.legend?.find(
    (entry) => sampleName(entry.sample) === sample || (sample === 'landing-beach' && entry.sample === 'beach'),
  );
  if (own) return own.text;
  const key = `service.legend.${sample}`;
  if (words.has(key)) return words.say({ key });
  const [first, second] = sample.split('+');
  return first === 'hill' && second
    ? `${caption(scene, words, 'hill')}, ${caption(scene, words, second).toLowerCase()}`
    : sample;
}

/** What occurs in the scene, by the look's own names. */
function occurring(bench: Bench, scene: MapScene, board: boolean): Occurring {
  const grounds = new Set<string>();
  const lines = new Set<string>();
  const marks = new Set<string>();
  const branches = new Map<string, number>();
  const ground = (terrain: string, hill: boolean): string => {
    if (board) return terrain === 'forest-heart' ? 'forest' : terrain;
    const plain = bench.theme.ground(terrain).name;
    return hill ? (plain === 'plain' ? 'hill' : bench.theme.ground(`hill+${terrain}`).name) : plain;
  };
  for (const item of scene.items) {
    if (item.kind === 'cell') {
      if (!item.tags?.includes('offset')) grounds.add(ground(item.terrain, item.hill === true));
      if (item.tags?.some((tag) => tag.startsWith('beach'))) lines.add('landing-beach');
    } else if (item.kind === 'edge') lines.add(item.feature === 'beach' ? 'landing-beach' : item.feature);
    else if (item.kind === 'line') lines.add(item.feature);
    else if (item.kind === 'arrow') marks.add(item.inferred ? 'inferred' : item.arrow);
    else if (item.kind === 'counter') {
      for (const state of item.counter.states) marks.add(state.split(':')[0]!);
      if (item.counter.ghost && !item.counter.states.includes('lost')) marks.add('from');
      if (item.counter.faceDown) marks.add('hidden');
      else if (!board && knownBranch(item.counter.symbol))
        branches.set(item.counter.symbol, (branches.get(item.counter.symbol) ?? 0) + 1);
    }
  }
  const common = [...branches].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).map(([name]) => name);
  return {
    grounds: [...grounds].filter((name) => name !== 'sea'),
    lines: [...lines],
    marks: [...marks],
    branches: common,
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

/** Entries beside each other: a picture and its words. */
function entries(
  bench: Bench,
  scene: MapScene,
  words: Wording,
  samples: readonly string[],
  width: number,
  tall: number,
  board: boolean,
): Block[] {
  const blocks: Block[] = [];
  const columns = 2;
  const each = Math.floor(width / columns);
  for (let i = 0; i < samples.length; i += columns) {
    const ops: Op[] = [];
    const row = samples.slice(i, i + columns).map((sample) => {
      const picture = board ? boardSample(bench, sample, tall) : sampleOps(bench, sample, tall);
      const lines = wrapped(caption(scene, words, sample), 'sans', TEXT, each - picture.width - 70);
      return { picture, lines };
    });
    const leading = LINE * 0.85;
    const height = Math.max(tall, ...row.map(({ lines }) => lines.length * leading + 20));
    row.forEach(({ picture, lines }, j) => {
      const x = j * each;
      ops.push(...moved(picture.ops, x, Math.round((height - tall) / 2)));
      lines.forEach((text, k) => {
        const y = Math.round(height / 2 + 26 + (k - (lines.length - 1) / 2) * leading);
        ops.push({ op: 'text', x: x + picture.width + 50, y, text, face: 'sans', size: TEXT, fill: bench.theme.ink });
      });
    });
    blocks.push({ height: Math.round(height) + 14, ops });
  }
  return blocks;
}

/** A typical counter of each kind that occurs, large enough to read every value. */
function counterBlocks(
  bench: Bench,
  scene: MapScene,
  words: Wording,
  branches: readonly string[],
  width: number,
  board: boolean,
): Block[] {
  const typical = new Map<string, SceneCounter>();
  for (const item of scene.items) {
    if (item.kind !== 'counter' || item.counter.ghost || item.counter.faceDown || item.counter.footprint) continue;
    const { counter } = item;
    const name = board
      ? `${counter.side}-${counter.symbol === 'leader' ? 'leader' : counter.symbol === 'infantry' ? 'infantry' : 'heavy'}`
      : `${counter.side}-${counter.band ? counter.nation : ''}`;
    if (!typical.has(name))
      typical.set(name, { ...counter, states: counter.states.filter((state) => state === 'reduced') });
  }
  if (typical.size === 0) return [];
  const ops: Op[] = [];
  const s = board ? 520 : 400;
  const most = Math.floor(width / (s + 70));
  const shown = [...typical.values()];
  const rows = Math.ceil(Math.min(shown.length, most * 2) / most);
  shown.slice(0, most * 2).forEach((counter, i) => {
    const x = Math.round(s / 2) + 20 + (i % most) * (s + 70);
    const y = Math.round(s / 2) + 20 + Math.floor(i / most) * (s + 60);
    ops.push(...(board ? tokenCounterOps(bench, counter, x, y, s, []).ops : counterOps(bench, counter, x, y, s)));
  });
  const blocks: Block[] = [{ height: rows * (s + 60) + 30, ops }];
  return board ? blocks : [...blocks, ...entries(bench, scene, words, branches.slice(0, 12), width, 150, false)];
}

/** Everything for the column beside the map: legend, counters, changes, the scene's own lists. */
export function panelBlocks(
  bench: Bench,
  scene: MapScene,
  words: Wording,
  width: number,
  linkTo: (at: Cell) => string | undefined,
): Block[] {
  const say = (name: string): string => words.say({ key: `service.map.${name}` });
  const board = isBoard(scene);
  const found = occurring(bench, scene, board);
  const known = new Set([...found.grounds, ...found.lines, ...found.marks, ...found.branches]);
  const own = (scene.legend ?? [])
    .map((entry) => sampleName(entry.sample))
    .filter((name) => !known.has(name) && !(name === 'beach' && known.has('landing-beach')));
  const lines = [...found.lines].sort(
    (a, b) => ((LINE_ORDER.indexOf(a) + 99) % 99) - ((LINE_ORDER.indexOf(b) + 99) % 99),
  );
  const marks = MARK_ORDER.filter((name) => found.marks.includes(name));
  const gap: Block = { height: 50, ops: [] };
  const blocks: Block[] = [headingBlock(bench, say('legend'), width)];
  blocks.push(...entries(bench, scene, words, found.grounds, width, 210, board));
  blocks.push(...entries(bench, scene, words, [...lines, ...own], width, board ? 210 : 130, board), gap);
  const counters = counterBlocks(bench, scene, words, found.branches, width, board);
  if (counters.length > 0) blocks.push(headingBlock(bench, say('counters'), width), ...counters, gap);
  if (marks.length > 0)
    blocks.push(
      headingBlock(bench, say('changes'), width),
      ...entries(bench, scene, words, marks, width, 170, false),
      gap,
    );
  for (const panel of scene.panels ?? [])
    if (panel.rows.length > 0)
      blocks.push(...tableBlocks(bench, panel.title, panel.columns, panel.rows, width, linkTo));
  return blocks;
}
