/** Counters of squares games: values down the left edge, shield, movement disc, figures, name; vehicles over two squares. */
import type { SceneCounter } from '../../kernel/types.ts';
import {
  type Box,
  circle,
  L,
  M,
  type Op,
  type Path,
  type Point,
  placed,
  polyline,
  Q,
  rectangle,
  roundRectangle,
  type Stamp,
  Z,
} from '../paint/drawing.ts';
import type { FigureLivery } from '../paint/livery.ts';
import { star } from './branches.ts';
import { type Bench, fitted, has, once } from './counters.ts';
import { figures, vehicleFigure } from './figures.ts';

const round = Math.round;
const ROLE_FRAMES = { leader: '#d9a520', heavy: '#a61f1f' };
const HEAVY = new Set(['machine-gun', 'mortar', 'anti-tank']);

function figureOf(bench: Bench, counter: SceneCounter): FigureLivery {
  return bench.theme.liveries.side(counter.side).figure;
}

function frameColour(bench: Bench, counter: SceneCounter): string {
  if (bench.theme.blackOnly) return '#000000';
  if (counter.symbol === 'leader') return ROLE_FRAMES.leader;
  if (HEAVY.has(counter.symbol)) return ROLE_FRAMES.heavy;
  return figureOf(bench, counter).frame;
}

/** Shadow, frame in the side's or role's colour, ground. */
function blank(bench: Bench, counter: SceneCounter, wide: number, high: number): Stamp {
  const { ground } = figureOf(bench, counter);
  const frame = frameColour(bench, counter);
  const { square } = bench.theme.liveries.side(counter.side);
  return once(bench, `token-${frame}-${ground}-${square}-${wide}-${high}`, () => {
    const [w, h] = [round(wide / 2), round(high / 2)];
    const s = Math.min(wide, high);
    const r = square ? round(s * 0.02) : round(s * 0.1);
    const edge = round(s * 0.07);
    const ops: Op[] = [];
    if (!bench.theme.blackOnly)
      ops.push({
        op: 'path',
        path: roundRectangle(-w + round(s * 0.04), -h + round(s * 0.05), 2 * w, 2 * h, r),
        fill: '#6b6452',
        opacity: 0.45,
      });
    ops.push({
      op: 'path',
      path: roundRectangle(-w, -h, 2 * w, 2 * h, r),
      fill: frame,
      stroke: bench.theme.ink,
      width: Math.max(6, s * 0.02),
    });
    ops.push({
      op: 'path',
      path: roundRectangle(-w + edge, -h + edge, 2 * (w - edge), 2 * (h - edge), round(r * 0.6)),
      fill: ground,
      stroke: bench.theme.ink,
      width: Math.max(4, s * 0.012),
    });
    return { name: 'token', box: [-w - 40, -h - 40, w + 60, h + 60], ops };
  });
}

function centred(text: string, x: number, y: number, size: number, fill: string, face: 'bold' | 'num' = 'bold'): Op[] {
  return size < 50 ? [] : [{ op: 'text', x, y: y + round(size * 0.355), text, face, size, fill, anchor: 'middle' }];
}

const KINDS = ['infantry', 'light', 'heavy'] as const;

/** A value square: against infantry yellow, light vehicles purple, heavy vehicles grey. */
function valueSquare(bench: Bench, value: string, kind: number, x: number, y: number, w: number, h: number): Op[] {
  const { theme } = bench;
  const fill = theme.shields[KINDS[kind] ?? 'heavy']!;
  const ink = kind === 1 ? '#ffffff' : theme.ink;
  return [
    {
      op: 'path',
      path: rectangle(x - round(w / 2), y - round(h / 2), w, h),
      fill,
      stroke: theme.ink,
      width: Math.max(4, round(h * 0.06)),
    },
    ...centred(value, x, y, round(h * 0.95), ink),
  ];
}

function shieldPath(x: number, y: number, w: number, h: number): Path {
  const [a, b] = [round(w / 2), round(h / 2)];
  return [
    M,
    x - a,
    y - b,
    L,
    x + a,
    y - b,
    L,
    x + a,
    y,
    Q,
    x + a,
    y + round(b * 0.6),
    x,
    y + b,
    Q,
    x - a,
    y + round(b * 0.6),
    x - a,
    y,
    Z,
  ];
}

function shieldOps(
  bench: Bench,
  kind: 'infantry' | 'light' | 'heavy',
  value: string,
  x: number,
  y: number,
  w: number,
  h: number,
): Op[] {
  const { theme } = bench;
  return [
    {
      op: 'path',
      path: shieldPath(x, y, w, h),
      fill: theme.shields[kind],
      stroke: theme.ink,
      width: Math.max(5, round(w * 0.07)),
    },
    ...centred(
      value,
      x,
      y - round(h * 0.06),
      round(h * (value.length > 1 ? 0.55 : 0.72)),
      kind === 'light' ? '#ffffff' : theme.ink,
    ),
  ];
}

/** The back of an order token, or its number for those who may see it. */
function tokenOps(bench: Bench, counter: SceneCounter, x: number, y: number, r: number): Op[] {
  const back = counter.token === 'back';
  const { token: fill, sign: mark } = figureOf(bench, counter);
  const k = round(r * 0.55);
  const t = round(r * 0.2);
  const sign: Op[] = !back
    ? []
    : mark === 'bar-cross'
      ? [
          {
            op: 'path',
            path: [...rectangle(-k, -t, 2 * k, 2 * t), ...rectangle(-t, -k, 2 * t, 2 * k)],
            fill: '#ffffff',
          },
        ]
      : [{ op: 'path', path: star(0, 0, round(r * 0.68)), fill: '#ffffff' }];
  const symbol = once(bench, `order-${fill}-${mark}-${back}-${r}`, () => ({
    name: 'order',
    box: [-r - 12, -r - 12, r + 12, r + 12],
    ops: [{ op: 'path', path: circle(0, 0, r), fill, stroke: '#ffffff', width: Math.max(6, round(r * 0.16)) }, ...sign],
  }));
  const ops: Op[] = [{ op: 'use', symbol, x, y }];
  if (!back)
    ops.push(...centred(counter.token === 'special' ? '★' : (counter.token ?? ''), x, y, round(r * 1.3), '#ffffff'));
  return ops;
}

/** Suppressed: an orange diamond at the left edge with its number. */
function stateOps(bench: Bench, counter: SceneCounter, x: number, y: number, s: number): Op[] {
  const ops: Op[] = [];
  const { theme } = bench;
  const state = counter.states.find((word) => word.startsWith('suppressed'));
  if (state) {
    const r = round(s * 0.21);
    const number = state.split(':')[1] ?? '1';
    const diamond = polyline(
      [
        [x, y - r],
        [x + r, y],
        [x, y + r],
        [x - r, y],
      ],
      true,
    );
    ops.push({
      op: 'path',
      path: diamond,
      fill: theme.blackOnly ? '#ffffff' : '#e8622c',
      stroke: theme.white,
      width: 10,
    });
    ops.push({
      op: 'path',
      path: diamond,
      stroke: theme.ink,
      width: 4,
    });
    ops.push(
      ...centred(`S${number === '1' ? '' : number}`, x, y, round(r * 0.95), theme.blackOnly ? '#000000' : '#ffffff'),
    );
  }
  return ops;
}

function nameStrip(bench: Bench, counter: SceneCounter, x: number, y: number, wide: number, high: number): Op[] {
  const name = counter.formation && counter.formation !== '??' ? counter.formation : counter.unit;
  const fit = fitted(name, 'bold', round(high * 0.93), wide - 16);
  if (!fit) return [];
  const ops: Op[] = [
    {
      op: 'path',
      path: rectangle(x - round(wide / 2), y - round(high / 2), wide, high),
      fill: figureOf(bench, counter).strip,
    },
  ];
  ops.push(...centred(fit.text, x, y, fit.size, '#ffffff'));
  return ops;
}

/** The silhouette is one stamp a kind and size. */
function figureStamp(bench: Bench, counter: SceneCounter, room: number, long: number): Stamp {
  const kit = figureOf(bench, counter);
  return once(bench, `figure-${counter.symbol}-${counter.side}-${room}-${long}`, () => {
    const reach = Math.max(room, long);
    return {
      name: `figure-${counter.symbol}`,
      box: [-reach, -reach, reach, reach],
      ops: long > 0 ? vehicleFigure(kit, counter.symbol, room, long) : figures(kit, counter.symbol, room),
    };
  });
}

function hidden(bench: Bench, counter: SceneCounter, x: number, y: number, s: number): Op[] {
  const ink = bench.theme.ink;
  return [
    { op: 'use', symbol: blank(bench, { ...counter, symbol: 'infantry' }, s, s), x, y },
    ...centred('?', x, y - round(s * 0.05), round(s * 0.6), ink),
    ...nameStrip(
      bench,
      { ...counter, formation: counter.unit },
      x,
      y + round(s * 0.355),
      round(s * 0.86),
      round(s * 0.15),
    ),
  ];
}

function infantry(bench: Bench, counter: SceneCounter, x: number, y: number, s: number): Op[] {
  const ops: Op[] = [{ op: 'use', symbol: blank(bench, counter, s, s), x, y }];
  const room = round(s * 0.56);
  // Facing 0 is north; eight steps round.
  const turn = counter.facing === undefined ? 0 : counter.facing * 45;
  ops.push({
    op: 'use',
    symbol: figureStamp(bench, counter, room, 0),
    x: x + round(s * 0.09),
    y: y + round(s * 0.04),
    ...(turn ? { angle: turn } : {}),
  });
  (counter.column ?? []).forEach((value, i) => {
    ops.push(
      ...valueSquare(
        bench,
        value,
        i,
        x - round(s * 0.305),
        y - round(s * 0.29) + i * round(s * 0.225),
        round(s * 0.23),
        round(s * 0.22),
      ),
    );
  });
  ops.push(...nameStrip(bench, counter, x, y + round(s * 0.362), round(s * 0.86), round(s * 0.15)));
  if (counter.shield)
    ops.push(
      ...shieldOps(
        bench,
        counter.shield.kind,
        counter.shield.value,
        x + round(s * 0.28),
        y - round(s * 0.26),
        round(s * 0.3),
        round(s * 0.34),
      ),
    );
  const move = counter.factors[0];
  if (move !== undefined) {
    const r = round(s * 0.125);
    const [cx, cy] = [x + round(s * 0.3), y + round(s * 0.19)];
    ops.push(
      { op: 'path', path: circle(cx, cy, r), fill: '#ffffff', stroke: bench.theme.ink, width: Math.max(4, s * 0.016) },
      ...centred(move, cx, cy, round(r * 1.35), bench.theme.ink),
    );
  }
  if (counter.symbol === 'leader')
    ops.push({
      op: 'path',
      path: [
        ...star(x - round(s * 0.04), y + round(s * 0.24), round(s * 0.055)),
        ...star(x + round(s * 0.08), y + round(s * 0.24), round(s * 0.055)),
      ],
      fill: '#ffffff',
      stroke: bench.theme.ink,
      width: 4,
    });
  if (has(counter, 'reduced')) {
    const h = round(s * 0.5 - s * 0.035);
    ops.push({
      op: 'path',
      path: rectangle(x - h, y - h, 2 * h, 2 * h),
      stroke: '#ffffff',
      width: Math.max(6, s * 0.03),
      dash: [round(s * 0.07), round(s * 0.05)],
    });
  }
  return ops;
}

/** A vehicle: the shield of each face stands at that face; the figure points forward. */
function vehicle(
  bench: Bench,
  counter: SceneCounter,
  at: readonly Point[],
  s: number,
): { ops: Op[]; x: number; y: number } {
  const [front, rear] = at as [Point, Point];
  const [x, y] = [round((front[0] + rear[0]) / 2), round((front[1] + rear[1]) / 2)];
  const degrees = round((Math.atan2(front[0] - rear[0], rear[1] - front[1]) * 180) / Math.PI);
  const long = round(Math.hypot(front[0] - rear[0], front[1] - rear[1]) + s);
  const angle = degrees === 0 ? {} : { angle: degrees };
  const turned = (dx: number, dy: number): Point => {
    const [, px, py] = placed([M, dx, dy], x, y, degrees) as [number, number, number];
    return [px, py];
  };
  const ops: Op[] = [
    { op: 'use', symbol: blank(bench, counter, s, long), x, y, ...angle },
    { op: 'use', symbol: figureStamp(bench, counter, round(s * 0.52), round(long * 0.62)), x, y, ...angle },
  ];
  const values = (counter.shield?.value ?? '').split('/');
  const kind = counter.shield?.kind ?? 'heavy';
  const faces: [string | undefined, number, number][] =
    values.length === 3
      ? [
          [values[0], 0, -long * 0.4],
          [values[1], -s * 0.31, s * 0.05],
          [values[1], s * 0.31, s * 0.05],
          [values[2], 0, long * 0.4],
        ]
      : [[values[0], 0, -long * 0.4]];
  for (const [value, dx, dy] of faces)
    if (value)
      ops.push(...shieldOps(bench, kind, value, ...turned(round(dx), round(dy)), round(s * 0.25), round(s * 0.28)));
  (counter.column ?? []).forEach((value, i) => {
    const [vx, vy] = turned(round((i - 1) * s * 0.24), round(-long * 0.22));
    ops.push(...valueSquare(bench, value, i, vx, vy, round(s * 0.21), round(s * 0.21)));
  });
  const move = counter.factors[0];
  if (move !== undefined) {
    const [cx, cy] = turned(round(s * 0.31), round(long * 0.4));
    ops.push(
      { op: 'path', path: circle(cx, cy, round(s * 0.12)), fill: '#ffffff', stroke: bench.theme.ink, width: 7 },
      ...centred(move, cx, cy, round(s * 0.16), bench.theme.ink),
    );
  }
  const [nx, ny] = turned(0, round(long * 0.25));
  const name = fitted(counter.formation || counter.unit, 'bold', round(s * 0.12), s * 0.8);
  if (name)
    ops.push({
      op: 'text',
      x: nx,
      y: ny + round(name.size * 0.36),
      text: name.text,
      face: 'bold',
      size: name.size,
      fill: '#ffffff',
      anchor: 'middle',
      halo: { colour: bench.theme.ink, width: round(name.size * 0.35) },
    });
  return { ops, x, y };
}

/** A counter of a squares game centred on (x, y); `at` gives the squares of a long vehicle, front first. */
export function tokenCounterOps(
  bench: Bench,
  counter: SceneCounter,
  x: number,
  y: number,
  s: number,
  at: readonly Point[],
): { ops: Op[]; tabs: Op[]; boxes: Box[] } {
  const h = round(s / 2);
  const tabs: Op[] = [];
  if (counter.faceDown) {
    if (counter.token !== undefined) tabs.push(...tokenOps(bench, counter, x, y - h, round(s * 0.17)));
    return { ops: hidden(bench, counter, x, y, s), tabs, boxes: [[x - h, y - h, x + h, y + h]] };
  }
  if (at.length === 2) {
    const made = vehicle(bench, counter, at, s);
    if (counter.token !== undefined) tabs.push(...tokenOps(bench, counter, made.x + h, made.y, round(s * 0.17)));
    tabs.push(...stateOps(bench, counter, made.x - h, made.y, s));
    return { ops: made.ops, tabs, boxes: at.map(([ax, ay]): Box => [ax - h, ay - h, ax + h, ay + h]) };
  }
  if (counter.token !== undefined) tabs.push(...tokenOps(bench, counter, x, y - h, round(s * 0.17)));
  tabs.push(...stateOps(bench, counter, x - h, y + round(s * 0.2), s));
  return { ops: infantry(bench, counter, x, y, s), tabs, boxes: [[x - h, y - h, x + h, y + h]] };
}
