/** Things that lie on squares and hexes: smoke, wire, foxholes, wrecks, fires, mines, and what was lost here. */

import { circle, L, M, type Op, type Path, Q, roundRectangle, Z } from '../paint/drawing.ts';
import { sequence } from '../paint/jitter.ts';
import { type Bench, once } from './counters.ts';

const round = Math.round;

/** What a picture is drawn with: the room across and the colours of the mode. */
interface Brush {
  q: number;
  ink: string;
  black: boolean;
  thin: number;
  lost: string;
}
type Picture = (b: Brush) => Op[];

/** Coordinates as shares of the room: a path from opcodes and shares. */
function shares(q: number, path: readonly (readonly [number, ...number[]])[]): Path {
  return path.flatMap(([code, ...numbers]) => [code, ...numbers.map((n) => round(n * q))]);
}

function smoke({ q, black, thin }: Brush): Op[] {
  const next = sequence(91);
  const path: Path = [];
  for (let i = 0; i < 7; i++) {
    const [x, y] = [round((next() - 0.5) * q * 0.5), round((next() - 0.5) * q * 0.4)];
    path.push(...circle(x, y, round(q * (0.13 + 0.08 * next()))));
  }
  return [
    { op: 'path', path, stroke: black ? '#000000' : '#7b766b', width: thin * 3 },
    { op: 'path', path, fill: black ? '#ffffff' : '#dedbd2' },
  ];
}

function wire({ q, ink, thin }: Brush): Op[] {
  const path = shares(q, [[M, -0.42, 0]]);
  for (let i = 0; i < 6; i++) {
    const x = -0.42 + ((i + 1) * 0.84) / 6;
    path.push(...shares(q, [[Q, x - 0.07, i % 2 === 0 ? -0.16 : 0.16, x, 0]]));
  }
  path.push(
    ...shares(q, [
      [M, -0.42, -0.1],
      [L, 0.42, 0.1],
      [M, -0.42, 0.1],
      [L, 0.42, -0.1],
    ]),
  );
  return [{ op: 'path', path, stroke: ink, width: thin }];
}

/** Earth thrown up along a line. */
function earth({ q, ink, black }: Brush, path: Path): Op[] {
  return [
    { op: 'path', path, stroke: ink, width: q * 0.16, round: true },
    { op: 'path', path, stroke: black ? '#ffffff' : '#b8935c', width: q * 0.12, round: true },
  ];
}

function bunker({ q, ink, black, thin }: Brush): Op[] {
  const r = 0.26;
  const roof = shares(q, [
    [M, -r, r * 0.8],
    [L, -r, -r * 0.3],
    [Q, -r, -r, 0, -r],
    [Q, r, -r, r, -r * 0.3],
    [L, r, r * 0.8],
    [Z],
  ]);
  const slit = shares(q, [
    [M, -r * 0.6, -r * 0.15],
    [L, r * 0.6, -r * 0.15],
  ]);
  return [
    { op: 'path', path: roof, fill: black ? '#ffffff' : '#b9b4a6', stroke: ink, width: thin * 1.4 },
    { op: 'path', path: slit, stroke: ink, width: q * 0.07 },
  ];
}

function mines({ q, ink, thin }: Brush): Op[] {
  const path: Path = [];
  for (const [x, y] of [
    [-0.2, 0.1],
    [0.2, 0.1],
    [0, -0.14],
  ] as const)
    path.push(...circle(round(x * q), round(y * q), round(q * 0.09)));
  return [{ op: 'path', path, fill: ink, stroke: '#ffffff', width: thin }];
}

function fire({ q, ink, black, thin }: Brush): Op[] {
  const flame = (k: number): Path =>
    shares(q * k, [
      [M, 0, 0.28],
      [Q, -0.26, 0.22, -0.2, -0.02],
      [Q, -0.06, 0.06, -0.02, -0.34],
      [Q, 0.26, -0.05, 0.2, 0.12],
      [Q, 0.16, 0.28, 0, 0.28],
      [Z],
    ]);
  return [
    { op: 'path', path: flame(1), fill: black ? '#ffffff' : '#e8622c', stroke: ink, width: thin },
    { op: 'path', path: flame(0.55), fill: black ? '#ffffff' : '#f2c230' },
  ];
}

function wreck({ q, ink, black, thin }: Brush): Op[] {
  const hull = roundRectangle(round(-q * 0.26), round(-q * 0.34), round(q * 0.52), round(q * 0.68), round(q * 0.06));
  const cross = shares(q, [
    [M, -0.2, -0.28],
    [L, 0.2, 0.28],
    [M, -0.2, 0.28],
    [L, 0.2, -0.28],
  ]);
  return [
    { op: 'path', path: hull, fill: black ? '#dddddd' : '#6b6452', stroke: ink, width: thin * 1.3 },
    { op: 'path', path: cross, stroke: ink, width: thin * 2 },
  ];
}

function noPassage({ q, lost }: Brush): Op[] {
  const r = round(q * 0.11);
  const k = round(r * 0.7);
  return [
    { op: 'path', path: circle(0, 0, r), fill: '#ffffff', stroke: lost, width: q * 0.04 },
    { op: 'path', path: [M, -k, k, L, k, -k], stroke: lost, width: q * 0.04 },
  ];
}

function eliminated({ q, lost }: Brush): Op[] {
  const path = shares(q, [
    [M, -0.27, -0.27],
    [L, 0.27, 0.27],
    [M, -0.27, 0.27],
    [L, 0.27, -0.27],
  ]);
  return [
    { op: 'path', path, stroke: '#ffffff', width: q * 0.13, round: true },
    { op: 'path', path, stroke: lost, width: q * 0.075, round: true },
  ];
}

function passage({ q, ink }: Brush): Op[] {
  const path = shares(q, [
    [M, 0, -0.3],
    [L, 0, 0.3],
  ]);
  return [{ op: 'path', path, stroke: ink, width: q * 0.12, dash: [round(q * 0.06), round(q * 0.05)] }];
}

function foxhole(b: Brush): Op[] {
  return earth(
    b,
    shares(b.q, [
      [M, -0.28, 0.14],
      [Q, -0.28, -0.22, 0, -0.22],
      [Q, 0.28, -0.22, 0.28, 0.14],
    ]),
  );
}

function trench(b: Brush): Op[] {
  return earth(
    b,
    shares(b.q, [
      [M, -0.4, 0.1],
      [L, -0.15, -0.1],
      [L, 0.1, 0.1],
      [L, 0.4, -0.1],
    ]),
  );
}

const PICTURES: Record<string, Picture> = {
  smoke,
  wire,
  'barbed-wire': wire,
  foxhole,
  foxholes: foxhole,
  trench,
  bunker,
  pillbox: bunker,
  mines,
  fire,
  wreck,
  'no-passage': noPassage,
  lost: eliminated,
  eliminated,
  passage,
};

/** Draws about (0, 0); `q` is the room across. Undefined when the marker has no picture of its own. */
function picture(bench: Bench, kind: string, q: number): Op[] | undefined {
  const { theme } = bench;
  const draw = Object.hasOwn(PICTURES, kind) ? PICTURES[kind] : undefined;
  return draw?.({ q, ink: theme.ink, black: theme.blackOnly, thin: Math.max(5, q * 0.016), lost: theme.marks.lost! });
}

/** The stamp of a marker that is a thing; undefined for markers that are signs. */
export function objectOps(bench: Bench, kind: string, x: number, y: number, q: number): Op[] | undefined {
  const known = bench.made.get(`object-${kind}-${q}`);
  if (known) return [{ op: 'use', symbol: known, x, y }];
  const ops = picture(bench, kind, q);
  if (!ops) return undefined;
  const symbol = once(bench, `object-${kind}-${q}`, () => ({ name: kind, box: [-q, -q, q, q], ops }));
  return [{ op: 'use', symbol, x, y }];
}
