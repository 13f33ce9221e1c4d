/** What hangs on counters: new, isolated, disorganized, suppressed, lost, and the count of a stack. */
import type { SceneCounter } from '../../kernel/types.ts';
import { circle, L, M, type Op, type Path, placed, roundRectangle } from '../paint/drawing.ts';
import { textWidth } from '../paint/fonts.ts';
import { type Bench, cornerRadius, has, once } from './counters.ts';

const round = Math.round;

/** States that are drawn on the counter itself or need no tab. */
const SILENT = new Set(['reduced', 'moved', 'activated', 'not-activated', 'new', 'lost', 'damaged', 'hidden', 'full']);
/** Short words of tabs; other states are shown by their own name. */
const WORDS: Record<string, { long: string; short: string }> = {
  isolated: { long: 'ISOLATED', short: 'ISO' },
  disorganized: { long: 'DG', short: 'DG' },
  disorganised: { long: 'DG', short: 'DG' },
  broken: { long: 'BROKEN', short: 'BRK' },
  suppressed: { long: 'SUPPRESSED', short: 'SUP' },
};

function tab(
  bench: Bench,
  words: string,
  x: number,
  y: number,
  size: number,
  fill: string,
  ink: string,
  angle = 0,
): Op[] {
  const wide = round(textWidth('bold', words, size) + size * 0.8);
  const high = round(size * 1.3);
  const path: Path = placed(
    roundRectangle(-round(wide / 2), -round(high / 2), wide, high, round(size * 0.22)),
    x,
    y,
    angle,
  );
  const radians = (angle * Math.PI) / 180;
  return [
    { op: 'path', path, fill, stroke: bench.theme.ink, width: Math.max(3, round(size * 0.07)), round: true },
    {
      op: 'text',
      x: round(x - Math.sin(radians) * size * 0.36),
      y: round(y + Math.cos(radians) * size * 0.36),
      text: words,
      face: 'bold',
      size,
      fill: ink,
      anchor: 'middle',
      ...(angle ? { angle } : {}),
    },
  ];
}

/** The tabs of one counter of side `s` centred on (x, y). */
export function tabOps(bench: Bench, counter: SceneCounter, x: number, y: number, s: number): Op[] {
  const { theme } = bench;
  const ops: Op[] = [];
  const small = s < 340;
  const size = Math.max(50, round((small ? 0.2 : 0.155) * s));
  let low = y + round(0.5 * s);
  if (has(counter, 'new')) {
    const h = round(s * 0.5 + size * 0.22);
    ops.push({
      op: 'path',
      path: roundRectangle(x - h, y - h, 2 * h, 2 * h, cornerRadius(theme, counter, s)),
      stroke: theme.marks.new,
      width: Math.max(7, round(0.05 * s)),
    });
    ops.push(...tab(bench, 'NEW', x, y - h, size, theme.marks.new!, '#ffffff'));
  }
  for (const state of counter.states) {
    const [word, value] = state.split(':') as [string, string | undefined];
    if (SILENT.has(word)) continue;
    const named = WORDS[word];
    const words = `${named ? (small ? named.short : named.long) : word.toUpperCase()}${value ? ` ${value}` : ''}`;
    const orange = word === 'disorganized' || word === 'disorganised' || word === 'suppressed';
    if (word.startsWith('disorgani'))
      ops.push(
        ...tab(
          bench,
          words,
          x - round(0.4 * s),
          y + round(0.3 * s),
          round(size * 1.15),
          theme.marks.disorganized!,
          theme.marks.disorganizedInk!,
          -10,
        ),
      );
    else {
      ops.push(
        ...tab(
          bench,
          words,
          x,
          low,
          size,
          orange ? theme.marks.disorganized! : theme.ink,
          orange ? theme.marks.disorganizedInk! : '#ffffff',
        ),
      );
      low += round(size * 1.3);
    }
  }
  return ops;
}

/** A faded counter under a red cross. */
export function lostOps(bench: Bench, x: number, y: number, s: number): Op[] {
  const { theme } = bench;
  const k = round(0.46 * s);
  const cross: Path = [M, x - k, y - k, L, x + k, y + k, M, x - k, y + k, L, x + k, y - k];
  const ops: Op[] = [
    { op: 'path', path: cross, stroke: theme.white, width: Math.max(12, round(0.12 * s)), round: true },
    { op: 'path', path: cross, stroke: theme.marks.lost, width: Math.max(7, round(0.07 * s)), round: true },
  ];
  if (s >= 380) ops.push(...tab(bench, 'ELIMINATED', x, y, round(0.145 * s), theme.marks.lost!, '#ffffff'));
  return ops;
}

/** Where a unit stood: a dashed outline. */
export function outlineOps(bench: Bench, x: number, y: number, s: number): Op[] {
  const h = round(s / 2);
  const width = Math.max(5, round(0.028 * s));
  const path = roundRectangle(x - h, y - h, 2 * h, 2 * h, round(0.1 * s));
  return [
    { op: 'path', path, fill: bench.theme.white, opacity: 0.45 },
    { op: 'path', path, stroke: bench.theme.marks.move, width, dash: [width * 4, width * 3] },
  ];
}

/** The black disc with the number of counters in the hex. */
export function countOps(bench: Bench, count: number, x: number, y: number, s: number): Op[] {
  const { theme } = bench;
  const r = Math.max(34, round((s < 300 ? 0.19 : 0.165) * s));
  const symbol = once(bench, `count-${r}`, () => ({
    name: 'count',
    box: [-r - 20, -r - 20, r + 20, r + 20],
    ops: [
      { op: 'path', path: circle(0, 0, r), fill: theme.ink, stroke: theme.white, width: Math.max(5, round(r * 0.16)) },
    ],
  }));
  const cx = x + round(0.45 * s);
  const cy = y - round(0.45 * s);
  const size = Math.max(50, round(r * 1.45));
  return [
    { op: 'use', symbol, x: cx, y: cy },
    {
      op: 'text',
      x: cx,
      y: cy + round(size * 0.35),
      text: String(count),
      face: 'bold',
      size,
      fill: '#ffffff',
      anchor: 'middle',
    },
  ];
}
