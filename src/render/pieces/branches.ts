/** NATO branch symbols: the box with its sign, drawn about (0, 0). */
import { circle, L, M, type Op, type Path, Q, rectangle, type Stamp, Z } from '../paint/drawing.ts';
import type { Theme } from '../paint/theme.ts';

/** What a sign is made of: lines, solid shapes, and whether the box is drawn. */
interface Sign {
  lines: Path;
  solid: Path;
  box?: false;
}

type Draw = (w: number, h: number) => Sign;

const sign = (lines: Path, solid: Path = []): Sign => ({ lines, solid });
const cross = (w: number, h: number): Path => [M, -w, -h, L, w, h, M, -w, h, L, w, -h];
const oval = (w: number, h: number): Path => {
  const x = Math.round(w * 0.62);
  const y = Math.round(h * 0.52);
  const r = Math.min(x, y);
  return [
    ...[M, -x + r, -y, L, x - r, -y, Q, x, -y, x, 0, Q, x, y, x - r, y],
    ...[L, -x + r, y, Q, -x, y, -x, 0, Q, -x, -y, -x + r, -y, Z],
  ];
};
const dot = (_w: number, h: number, y = 0): Path => circle(0, y, Math.round(h * 0.34));
const gull = (w: number, h: number): Path => {
  const a = Math.round(w * 0.4);
  const up = Math.round(h * 0.42);
  return [M, -a, h, Q, -a, up, Math.round(-a / 2), up, Q, 0, up, 0, h, Q, 0, up, Math.round(a / 2), up, Q, a, up, a, h];
};
const round = Math.round;

const SIGNS: Record<string, Draw> = {
  infantry: (w, h) => sign(cross(w, h)),
  armor: (w, h) => sign(oval(w, h)),
  'armored-infantry': (w, h) => sign([...cross(w, h), ...oval(w, h)]),
  recon: (w, h) => sign([M, -w, h, L, w, -h]),
  'armored-recon': (w, h) => sign([M, -w, h, L, w, -h, ...oval(w, h)]),
  cavalry: (w, h) => sign([M, -w, h, L, w, -h]),
  paratroop: (w, h) => sign([...cross(w, h), ...gull(w, h)]),
  glider: (w, h) => sign([...cross(w, h), M, -round(w * 0.5), -round(h * 0.45), L, round(w * 0.5), -round(h * 0.45)]),
  'sp-gun': (w, h) => sign(oval(w, h), dot(w, h * 0.8)),
  artillery: (w, h) => sign([], dot(w, h)),
  'airborne-artillery': (w, h) => sign(gull(w, h), dot(w, h, -round(h * 0.3))),
  headquarters: (w, h) =>
    sign([M, -w, -round(h * 0.2), L, w, -round(h * 0.2)], rectangle(-w, -h, 2 * w, round(h * 0.8))),
  mortar: (w, h) =>
    sign([
      ...circle(0, round(h * 0.45), round(h * 0.24)),
      ...[M, 0, round(h * 0.2), L, 0, -round(h * 0.7)],
      ...[M, -round(w * 0.18), -round(h * 0.35), L, 0, -round(h * 0.7), L, round(w * 0.18), -round(h * 0.35)],
    ]),
  'machine-gun': (w, h) =>
    sign([
      ...[
        M,
        -round(w * 0.28),
        round(h * 0.65),
        L,
        round(w * 0.28),
        round(h * 0.65),
        M,
        0,
        round(h * 0.65),
        L,
        0,
        -round(h * 0.7),
      ],
      ...[M, -round(w * 0.2), -round(h * 0.35), L, 0, -round(h * 0.7), L, round(w * 0.2), -round(h * 0.35)],
    ]),
  'anti-tank': (w, h) => sign([M, -w, h, L, 0, -round(h * 0.75), L, w, h]),
  flak: (w, h) =>
    sign([
      M,
      -round(w * 0.62),
      h,
      Q,
      -round(w * 0.62),
      -round(h * 0.75),
      0,
      -round(h * 0.75),
      Q,
      round(w * 0.62),
      -round(h * 0.75),
      round(w * 0.62),
      h,
    ]),
  engineer: (w, h) => {
    const x = round(w * 0.42);
    const y = round(h * 0.45);
    return sign([M, -x, y, L, -x, -y, L, x, -y, L, x, y, M, 0, -y, L, 0, y]);
  },
  'motor-infantry': (w, h) => sign([...cross(w, h), M, 0, -h, L, 0, h]),
  vehicle: (w, h) =>
    sign([
      M,
      -round(w * 0.6),
      round(h * 0.3),
      L,
      round(w * 0.6),
      round(h * 0.3),
      ...circle(-round(w * 0.35), round(h * 0.6), round(h * 0.2)),
      ...circle(round(w * 0.35), round(h * 0.6), round(h * 0.2)),
      ...rectangle(-round(w * 0.55), -round(h * 0.5), round(w * 1.1), round(h * 0.8)),
    ]),
  supply: (w, h) => sign([M, -w, round(h * 0.5), L, w, round(h * 0.5)]),
  strongpoint: (w, h) => {
    const x = round(w * 0.2);
    const y = round(h * 0.25);
    return {
      lines: [],
      solid: [
        M,
        -3 * x,
        2 * y,
        L,
        -3 * x,
        -y,
        L,
        -2 * x,
        -y,
        L,
        -2 * x,
        0,
        L,
        -x,
        0,
        L,
        -x,
        -y,
        L,
        x,
        -y,
        L,
        x,
        0,
        L,
        2 * x,
        0,
        L,
        2 * x,
        -y,
        L,
        3 * x,
        -y,
        L,
        3 * x,
        2 * y,
        Z,
      ],
      box: false,
    };
  },
  naval: (w, h) => ({
    lines: [],
    solid: [
      M,
      -w,
      0,
      L,
      w,
      0,
      L,
      round(w * 0.7),
      round(h * 0.8),
      L,
      -round(w * 0.7),
      round(h * 0.8),
      Z,
      ...rectangle(-round(w * 0.3), -round(h * 0.6), round(w * 0.6), round(h * 0.5)),
    ],
    box: false,
  }),
  leader: (_w, h) => ({ lines: [], solid: star(0, 0, round(h * 0.95)), box: false }),
  sniper: (w, h) => ({
    lines: [...circle(0, 0, round(h * 0.7)), M, -h, 0, L, h, 0, M, 0, -h, L, 0, h, M, w, 0, L, w, 0],
    solid: [],
    box: false,
  }),
  marker: () => ({ lines: [], solid: [], box: false }),
};

/** Other words for the same branch. */
const SAME: Record<string, string> = {
  armour: 'armor',
  'armoured-infantry': 'armored-infantry',
  'mechanized-infantry': 'armored-infantry',
  paratroops: 'paratroop',
  paratroopers: 'paratroop',
  airborne: 'paratroop',
  reconnaissance: 'recon',
  hq: 'headquarters',
  'self-propelled-gun': 'sp-gun',
  antitank: 'anti-tank',
  'anti-aircraft': 'flak',
  engineers: 'engineer',
  'assault-engineer': 'engineer',
  ship: 'naval',
  squad: 'infantry',
  team: 'infantry',
  weapon: 'machine-gun',
};

/** A five-pointed star as a solid path. */
export function star(x: number, y: number, r: number): Path {
  const path: Path = [];
  for (let i = 0; i < 10; i++) {
    const a = (i * Math.PI) / 5 - Math.PI / 2;
    const l = i % 2 === 0 ? r : r * 0.42;
    path.push(i === 0 ? M : L, Math.round(x + l * Math.cos(a)), Math.round(y + l * Math.sin(a)));
  }
  path.push(Z);
  return path;
}

/** Is there a sign of its own for this branch? */
export function knownBranch(name: string): boolean {
  return (SAME[name] ?? name) in SIGNS;
}

/** The branch symbol of the given size; unknown branches get an empty box. `line` is the stroke width. */
export function branchStamp(theme: Theme, name: string, width: number, height: number, line: number): Stamp {
  const w = Math.round(width / 2);
  const h = Math.round(height / 2);
  const draw = SIGNS[SAME[name] ?? name];
  const made = draw ? draw(w, h) : sign([]);
  const ops: Op[] = [];
  if (made.box !== false)
    ops.push({ op: 'path', path: rectangle(-w, -h, 2 * w, 2 * h), fill: theme.blackOnly ? '#ffffff' : '#fffdf4' });
  if (made.solid.length > 0) ops.push({ op: 'path', path: made.solid, fill: theme.ink });
  if (made.lines.length > 0) ops.push({ op: 'path', path: made.lines, stroke: theme.ink, width: line });
  if (made.box !== false)
    ops.push({ op: 'path', path: rectangle(-w, -h, 2 * w, 2 * h), stroke: theme.ink, width: line });
  const box = Math.max(w, h) + line * 2;
  return { name: `branch-${name}`, box: [-box, -box, box, box], ops };
}
