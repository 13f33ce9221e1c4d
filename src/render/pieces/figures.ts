/** Silhouettes seen from above for squares games: soldiers by weapon, vehicles by kind. Drawn about (0, 0), front upwards. */
import {
  circle,
  ellipse,
  L,
  M,
  type Op,
  type Path,
  type Point,
  placed,
  polyline,
  rectangle,
  roundRectangle,
} from '../paint/drawing.ts';
import type { FigureLivery } from '../paint/livery.ts';

const METAL = '#1d1a15';
const round = Math.round;

/** Uniform and helmet of the side. */
type Kit = Pick<FigureLivery, 'body' | 'helmet'>;

/** One man: shoulders, helmet, and what he carries, turned by `angle`. */
function man(kit: Kit, x: number, y: number, u: number, angle: number, carried: Path = []): Op[] {
  const turn = (path: Path): Path => placed(path, x, y, angle);
  const ops: Op[] = [
    {
      op: 'path',
      path: turn(ellipse(0, round(u * 0.12), round(u * 0.62), round(u * 0.36))),
      fill: kit.body,
      stroke: METAL,
      width: Math.max(2, u * 0.08),
    },
  ];
  if (carried.length > 0)
    ops.push({ op: 'path', path: turn(carried), stroke: METAL, width: Math.max(4, u * 0.18), round: true });
  ops.push({
    op: 'path',
    path: turn(circle(0, 0, round(u * 0.34))),
    fill: kit.helmet,
    stroke: METAL,
    width: Math.max(2, u * 0.08),
  });
  return ops;
}

const rifle = (u: number): Path => [M, round(u * 0.45), round(u * 0.2), L, round(u * 0.3), round(-u * 1.0)];
const longRifle = (u: number): Path => [
  M,
  round(u * 0.4),
  round(u * 0.3),
  L,
  round(u * 0.1),
  round(-u * 1.9),
  M,
  round(u * 0.12),
  round(-u * 0.5),
  L,
  round(u * 0.42),
  round(-u * 0.6),
];
const tube = (u: number): Path => [M, round(u * 0.55), round(u * 1.0), L, round(u * 0.35), round(-u * 1.3)];

/** Places of men in a section of that many. */
const SECTION: readonly Point[] = [
  [-0.55, 0.35],
  [0.6, 0.2],
  [0.02, -0.5],
  [-0.9, -0.35],
];

function section(kit: Kit, u: number, count: number): Op[] {
  return SECTION.slice(0, count).flatMap(([x, y], i) =>
    man(kit, round(x * u * 1.5), round(y * u * 1.5), u, -18 + i * 16, rifle(u)),
  );
}

function machineGun(kit: Kit, u: number): Op[] {
  const gun: Op[] = [
    {
      op: 'path',
      path: [
        M,
        0,
        round(-u * 0.1),
        L,
        round(-u * 0.65),
        round(u * 0.55),
        M,
        0,
        round(-u * 0.1),
        L,
        round(u * 0.65),
        round(u * 0.55),
        M,
        0,
        round(-u * 0.1),
        L,
        0,
        round(-u * 0.9),
      ],
      stroke: METAL,
      width: u * 0.14,
    },
    { op: 'path', path: [M, 0, round(u * 0.5), L, 0, round(-u * 1.7)], stroke: METAL, width: u * 0.26 },
    {
      op: 'path',
      path: rectangle(round(-u * 0.62), round(-u * 0.2), round(u * 0.45), round(u * 0.34)),
      fill: '#6b6452',
      stroke: METAL,
      width: u * 0.06,
    },
  ];
  return [...gun, ...man(kit, 0, round(u * 0.95), u, 0), ...man(kit, round(-u * 1.15), round(u * 0.25), u, 40)];
}

function mortar(kit: Kit, u: number): Op[] {
  return [
    {
      op: 'path',
      path: ellipse(0, round(u * 0.35), round(u * 0.55), round(u * 0.4)),
      fill: '#6b6452',
      stroke: METAL,
      width: u * 0.1,
    },
    { op: 'path', path: [M, 0, round(u * 0.35), L, 0, round(-u * 1.3)], stroke: METAL, width: u * 0.42, round: true },
    {
      op: 'path',
      path: [
        M,
        0,
        round(-u * 0.6),
        L,
        round(-u * 0.55),
        round(-u * 1.2),
        M,
        0,
        round(-u * 0.6),
        L,
        round(u * 0.55),
        round(-u * 1.2),
      ],
      stroke: METAL,
      width: u * 0.12,
    },
    ...man(kit, round(-u * 1.1), round(u * 0.5), u, 60),
    ...man(kit, round(u * 1.1), round(u * 0.6), u, -60),
  ];
}

function antiTank(kit: Kit, u: number): Op[] {
  return [
    ...man(kit, round(-u * 0.2), round(u * 0.1), u, 14, tube(u)),
    ...man(kit, round(u * 0.75), round(u * 0.95), u, 0),
  ];
}

/** Tracks, hull, turret and gun of a tank; `long` and `wide` of the hull. */
function tank(kit: Kit, wide: number, long: number, turret: boolean): Op[] {
  const w = round(wide / 2);
  const l = round(long / 2);
  const track = round(wide * 0.2);
  const ops: Op[] = [];
  for (const x of [-w, w - track]) {
    const belt = roundRectangle(x, -l, track, 2 * l, round(track * 0.4));
    const links: Path = [M, x + round(track / 2), -l + 8, L, x + round(track / 2), l - 8];
    ops.push({ op: 'path', path: belt, fill: '#4a463b', stroke: METAL, width: 6 });
    ops.push({ op: 'path', path: links, stroke: '#8a8472', width: track * 0.7, dash: [5, 16] });
  }
  ops.push(...hullOps(kit, w - round(track * 0.7), l));
  if (turret) ops.push(...turretOps(kit, round(wide * 0.27), wide * 0.1, l));
  return ops;
}

function hullOps(kit: Kit, hull: number, l: number): Op[] {
  const nose: Point[] = [
    [-hull, -l + 24],
    [-hull + 24, -l],
    [hull - 24, -l],
    [hull, -l + 24],
  ];
  const tail: Point[] = [
    [hull, l - 14],
    [hull - 14, l],
    [-hull + 14, l],
    [-hull, l - 14],
  ];
  const grille: Path = [0.5, 0.65, 0.8].flatMap((t) => [M, -hull, round(l * t), L, hull, round(l * t)]);
  return [
    { op: 'path', path: polyline([...nose, ...tail], true), fill: kit.body, stroke: METAL, width: 8 },
    { op: 'path', path: grille, stroke: METAL, width: 4 },
  ];
}

function turretOps(kit: Kit, r: number, gun: number, l: number): Op[] {
  const body = roundRectangle(-r, round(-r * 0.9), 2 * r, round(r * 2.1), round(r * 0.6));
  const hatch = circle(round(r * 0.3), round(r * 0.35), round(r * 0.3));
  return [
    { op: 'path', path: [M, 0, 0, L, 0, round(-l * 1.02)], stroke: METAL, width: gun },
    { op: 'path', path: body, fill: kit.helmet, stroke: METAL, width: 8 },
    { op: 'path', path: hatch, fill: kit.body, stroke: METAL, width: 5 },
  ];
}

function truck(kit: Kit, wide: number, long: number): Op[] {
  const w = round(wide * 0.42);
  const l = round(long / 2);
  const ops: Op[] = [];
  for (const [x, y] of [
    [-w, -l * 0.62],
    [w, -l * 0.62],
    [-w, l * 0.55],
    [w, l * 0.55],
  ] as const)
    ops.push({
      op: 'path',
      path: roundRectangle(round(x - wide * 0.09), round(y - long * 0.1), round(wide * 0.18), round(long * 0.2), 10),
      fill: METAL,
    });
  ops.push({ op: 'path', path: roundRectangle(-w, -l, 2 * w, 2 * l, 30), fill: kit.body, stroke: METAL, width: 8 });
  ops.push({
    op: 'path',
    path: rectangle(-w + 14, round(-l * 0.5), 2 * w - 28, round(l * 0.2)),
    fill: '#c6dde3',
    stroke: METAL,
    width: 5,
  });
  ops.push({
    op: 'path',
    path: rectangle(-w + 14, round(-l * 0.1), 2 * w - 28, round(l * 0.95)),
    fill: kit.helmet,
    stroke: METAL,
    width: 5,
  });
  return ops;
}

/** The figures of a counter; `room` is the free square they may fill. */
export function figures(kit: Kit, symbol: string, room: number): Op[] {
  const u = room * 0.2;
  switch (symbol) {
    case 'leader':
      return man(kit, 0, 0, u * 1.5, 0, rifle(u * 1.1));
    case 'sniper':
      return man(kit, round(-u * 0.2), round(u * 0.7), u * 1.35, 0, longRifle(u * 1.1));
    case 'machine-gun':
      return machineGun(kit, u);
    case 'mortar':
      return mortar(kit, u);
    case 'anti-tank':
      return antiTank(kit, u * 1.1);
    case 'armor':
      return tank(kit, room * 0.75, room, true);
    case 'vehicle':
      return truck(kit, room * 0.75, room);
    case 'engineer':
      return section(kit, u, 2);
    default:
      return section(kit, u, 3);
  }
}

/** A vehicle over two squares: its hull between the values at its faces. */
export function vehicleFigure(kit: Kit, symbol: string, wide: number, long: number): Op[] {
  return symbol === 'armor'
    ? tank(kit, wide, long, true)
    : symbol === 'vehicle'
      ? truck(kit, wide, long)
      : tank(kit, wide, long, false);
}
