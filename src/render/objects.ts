/** Things that lie on squares and hexes: smoke, wire, foxholes, wrecks, fires, mines, and what was lost here. */
import type { Bench } from './counters.ts';
import { once } from './counters.ts';
import type { Op, Path } from './drawing.ts';
import { circle, L, M, Q, roundRectangle, Z } from './drawing.ts';
import { sequence } from './jitter.ts';

const round = Math.round;

/** Draws about (0, 0); `q` is the room across. Undefined when the marker has no picture of its own. */
function picture(bench: Bench, kind: string, q: number): Op[] | undefined {
  const { theme } = bench;
  const ink = theme.ink;
  const black = theme.blackOnly;
  const thin = Math.max(5, q * 0.016);
  switch (kind) {
    case 'smoke': {
      const next = sequence(91);
      const path: Path = [];
      for (let i = 0; i < 7; i++)
        path.push(
          ...circle(
            round((next() - 0.5) * q * 0.5),
            round((next() - 0.5) * q * 0.4),
            round(q * (0.13 + 0.08 * next())),
          ),
        );
      return [
        { op: 'path', path, stroke: black ? '#000000' : '#7b766b', width: thin * 3 },
        { op: 'path', path, fill: black ? '#ffffff' : '#dedbd2' },
      ];
    }
    case 'wire':
    case 'barbed-wire': {
      const path: Path = [M, round(-q * 0.42), 0];
      for (let i = 0; i < 6; i++) {
        const x = round(-q * 0.42 + ((i + 1) * q * 0.84) / 6);
        const y = round((i % 2 === 0 ? -1 : 1) * q * 0.16);
        path.push(Q, round(x - q * 0.07), y, x, 0);
      }
      path.push(
        M,
        round(-q * 0.42),
        round(-q * 0.1),
        L,
        round(q * 0.42),
        round(q * 0.1),
        M,
        round(-q * 0.42),
        round(q * 0.1),
        L,
        round(q * 0.42),
        round(-q * 0.1),
      );
      return [{ op: 'path', path, stroke: ink, width: thin }];
    }
    case 'foxhole':
    case 'foxholes': {
      const path: Path = [
        M,
        round(-q * 0.28),
        round(q * 0.14),
        Q,
        round(-q * 0.28),
        round(-q * 0.22),
        0,
        round(-q * 0.22),
        Q,
        round(q * 0.28),
        round(-q * 0.22),
        round(q * 0.28),
        round(q * 0.14),
      ];
      return [
        { op: 'path', path, stroke: ink, width: q * 0.16, round: true },
        { op: 'path', path, stroke: black ? '#ffffff' : '#b8935c', width: q * 0.12, round: true },
      ];
    }
    case 'trench': {
      const path: Path = [
        M,
        round(-q * 0.4),
        round(q * 0.1),
        L,
        round(-q * 0.15),
        round(-q * 0.1),
        L,
        round(q * 0.1),
        round(q * 0.1),
        L,
        round(q * 0.4),
        round(-q * 0.1),
      ];
      return [
        { op: 'path', path, stroke: ink, width: q * 0.16 },
        { op: 'path', path, stroke: black ? '#ffffff' : '#b8935c', width: q * 0.12 },
      ];
    }
    case 'bunker':
    case 'pillbox': {
      const r = round(q * 0.26);
      const path: Path = [
        M,
        -r,
        round(r * 0.8),
        L,
        -r,
        round(-r * 0.3),
        Q,
        -r,
        -r,
        0,
        -r,
        Q,
        r,
        -r,
        r,
        round(-r * 0.3),
        L,
        r,
        round(r * 0.8),
        Z,
      ];
      return [
        { op: 'path', path, fill: black ? '#ffffff' : '#b9b4a6', stroke: ink, width: thin * 1.4 },
        {
          op: 'path',
          path: [M, round(-r * 0.6), round(-r * 0.15), L, round(r * 0.6), round(-r * 0.15)],
          stroke: ink,
          width: q * 0.07,
        },
      ];
    }
    case 'mines': {
      const path: Path = [];
      for (const [x, y] of [
        [-0.2, 0.1],
        [0.2, 0.1],
        [0, -0.14],
      ] as const)
        path.push(...circle(round(x * q), round(y * q), round(q * 0.09)));
      return [{ op: 'path', path, fill: ink, stroke: '#ffffff', width: thin }];
    }
    case 'fire': {
      const flame = (k: number): Path => [
        M,
        0,
        round(q * 0.28 * k),
        Q,
        round(-q * 0.26 * k),
        round(q * 0.22 * k),
        round(-q * 0.2 * k),
        round(-q * 0.02 * k),
        Q,
        round(-q * 0.06 * k),
        round(q * 0.06 * k),
        round(-q * 0.02 * k),
        round(-q * 0.34 * k),
        Q,
        round(q * 0.26 * k),
        round(-q * 0.05 * k),
        round(q * 0.2 * k),
        round(q * 0.12 * k),
        Q,
        round(q * 0.16 * k),
        round(q * 0.28 * k),
        0,
        round(q * 0.28 * k),
        Z,
      ];
      return [
        { op: 'path', path: flame(1), fill: black ? '#ffffff' : '#e8622c', stroke: ink, width: thin },
        { op: 'path', path: flame(0.55), fill: black ? '#ffffff' : '#f2c230' },
      ];
    }
    case 'wreck':
      return [
        {
          op: 'path',
          path: roundRectangle(round(-q * 0.26), round(-q * 0.34), round(q * 0.52), round(q * 0.68), round(q * 0.06)),
          fill: black ? '#dddddd' : '#6b6452',
          stroke: ink,
          width: thin * 1.3,
        },
        {
          op: 'path',
          path: [
            M,
            round(-q * 0.2),
            round(-q * 0.28),
            L,
            round(q * 0.2),
            round(q * 0.28),
            M,
            round(-q * 0.2),
            round(q * 0.28),
            L,
            round(q * 0.2),
            round(-q * 0.28),
          ],
          stroke: ink,
          width: thin * 2,
        },
      ];
    case 'no-passage': {
      const r = round(q * 0.11);
      const k = round(r * 0.7);
      return [
        { op: 'path', path: circle(0, 0, r), fill: '#ffffff', stroke: theme.marks.lost, width: q * 0.04 },
        { op: 'path', path: [M, -k, k, L, k, -k], stroke: theme.marks.lost, width: q * 0.04 },
      ];
    }
    case 'lost':
    case 'eliminated': {
      const k = round(q * 0.27);
      const path: Path = [M, -k, -k, L, k, k, M, -k, k, L, k, -k];
      return [
        { op: 'path', path, stroke: '#ffffff', width: q * 0.13, round: true },
        { op: 'path', path, stroke: theme.marks.lost, width: q * 0.075, round: true },
      ];
    }
    case 'passage':
      return [
        {
          op: 'path',
          path: [M, 0, round(-q * 0.3), L, 0, round(q * 0.3)],
          stroke: ink,
          width: q * 0.12,
          dash: [round(q * 0.06), round(q * 0.05)],
        },
      ];
    default:
      return undefined;
  }
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
