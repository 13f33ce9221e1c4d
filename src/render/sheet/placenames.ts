/** Names set by rule: every candidate place has a cost, the cheapest wins; what finds no place is left out. */
import {
  type Box,
  L,
  M,
  type Op,
  overlaps,
  type Path,
  type Point,
  roundRectangle,
  sharedArea,
} from '../paint/drawing.ts';
import { CAP, textWidth } from '../paint/fonts.ts';
import { SMALLEST_TYPE, type Theme, typeSize } from '../paint/theme.ts';

export type NameStyle = 'city' | 'beach' | 'river' | 'village' | 'feature' | 'region' | 'sea' | 'entry';

export interface Name {
  text: string;
  style: NameStyle;
  /** The place named. */
  at: Point;
  angle?: number | undefined;
  /** Letter spacing in shares of the size, for names of wide areas. */
  spread?: number | undefined;
  /** Ground colour around it, for the halo. */
  ground: string;
  /** Side or nation, for plates. */
  plate?: string | undefined;
}

/** What names should keep clear of. */
export interface Obstacles {
  frame: Box;
  /** Costly to cover: counters, plates. */
  boxes: Box[];
  /** Cheap to cover: rivers, roads, coasts, hex numbers. */
  points: Point[];
  /** Coasts: a name of the sea that would cross one is written in two lines. */
  shores: Point[];
}

const DROP_OVER = 40;

interface Grown {
  boxes: Box[];
  /** Names of wide areas: others may cross them, the title plate may not. */
  wide: Box[];
  near: Map<number, Point[]>;
}

function bucket(x: number, y: number): number {
  return Math.floor(x / 400) * 65536 + Math.floor(y / 400);
}

function pointsIn(near: Map<number, Point[]>, box: Box): number {
  let count = 0;
  for (let i = Math.floor(box[0] / 400); i <= Math.floor(box[2] / 400); i++)
    for (let j = Math.floor(box[1] / 400); j <= Math.floor(box[3] / 400); j++)
      for (const [x, y] of near.get(i * 65536 + j) ?? [])
        if (x >= box[0] && x <= box[2] && y >= box[1] && y <= box[3]) count++;
  return count;
}

function cost(box: Box, order: number, frame: Box, grown: Grown): number {
  const outside = box[0] < frame[0] || box[1] < frame[1] || box[2] > frame[2] || box[3] > frame[3];
  let sum = (outside ? 500 : 0) + 0.5 * order;
  for (const other of grown.boxes) if (overlaps(box, other)) sum += 40 + sharedArea(box, other) / 100;
  return sum + pointsIn(grown.near, box);
}

/** The sizes of names at this scale; 0 leaves the style out. */
function nameSize(radius: number, style: NameStyle): number {
  const size =
    style === 'city' || style === 'entry'
      ? typeSize(radius, 7, 9, 13)
      : style === 'beach'
        ? typeSize(radius, 7, 9, 12)
        : style === 'river'
          ? typeSize(radius, 6.8, 9, 12)
          : style === 'region'
            ? typeSize(radius, 9, 15, 21)
            : style === 'sea'
              ? typeSize(radius, 14, 20, 26)
              : typeSize(radius, 6.8, 8.4, 10.5);
  return size < SMALLEST_TYPE ? 0 : size;
}

interface Placed {
  x: number;
  y: number;
  box: Box;
}

/** Candidate boxes about a place: right, left, above, below, diagonals, then the same farther off. */
function candidates(at: Point, width: number, height: number, gap: number): Placed[] {
  const out: Placed[] = [];
  for (const far of [1, 1.5, 2.1]) {
    const g = gap * far;
    const places: [number, number][] = [
      [g, -height / 2],
      [-g - width, -height / 2],
      [-width / 2, -g - height],
      [-width / 2, g],
      [g * 0.7, -g * 0.7 - height],
      [g * 0.7, g * 0.7],
      [-g * 0.7 - width, -g * 0.7 - height],
      [-g * 0.7 - width, g * 0.7],
    ];
    for (const [dx, dy] of places) {
      const x = Math.round(at[0] + dx);
      const y = Math.round(at[1] + dy);
      out.push({ x, y, box: [x, y, x + width, y + height] });
    }
  }
  return out;
}

function plateOps(theme: Theme, name: Name, place: Placed, size: number, pad: number): Op[] {
  const [left, top, right, bottom] = place.box.map(Math.round) as [number, number, number, number];
  const beach = name.style === 'beach';
  const fill = beach ? (name.plate ?? theme.marks.beachPlate!) : theme.blackOnly ? '#ffffff' : '#fffdf6';
  const path = roundRectangle(left, top, right - left, bottom - top, Math.round(size * 0.18));
  return [
    { op: 'path', path, fill, stroke: beach ? '#ffffff' : theme.ink, width: Math.max(4, Math.round(size * 0.06)) },
    {
      op: 'text',
      x: left + pad,
      y: Math.round((top + bottom) / 2 + (size * CAP[beach ? 'bold' : 'strong']) / 2),
      text: name.text,
      face: beach ? 'bold' : 'strong',
      size,
      fill: beach ? '#ffffff' : theme.ink,
      spacing: Math.round(size * 0.05),
    },
  ];
}

function leader(theme: Theme, at: Point, box: Box): Op {
  const x = Math.max(box[0], Math.min(box[2], at[0]));
  const y = Math.max(box[1], Math.min(box[3], at[1]));
  const path: Path = [M, at[0], at[1], L, Math.round(x), Math.round(y)];
  return { op: 'path', path, stroke: theme.ink, width: 6 };
}

function place(theme: Theme, name: Name, radius: number, frame: Box, grown: Grown): Op[] {
  const size = nameSize(radius, name.style);
  if (size === 0) return [];
  const plated = name.style === 'city' || name.style === 'beach';
  const face = plated ? (name.style === 'beach' ? 'bold' : 'strong') : name.style === 'feature' ? 'italic' : 'sans';
  const text = name.style === 'city' ? name.text.toLocaleUpperCase('fr') : name.text;
  const pad = plated ? Math.round(size * 0.3) : 0;
  const spacing = plated ? Math.round(size * 0.05) : 0;
  const width = textWidth(face, text, size, spacing) + 2 * pad;
  const height = size * (plated ? 1.12 : 0.9);
  const gap = radius * (name.style === 'city' ? 0.62 : name.style === 'village' ? 0.34 : 0.5);
  let best: Placed | undefined;
  let least = Number.POSITIVE_INFINITY;
  candidates(name.at, width, height, gap).forEach((candidate, i) => {
    const price = cost(candidate.box, i, frame, grown);
    if (price < least) {
      least = price;
      best = candidate;
    }
  });
  if (!best || least >= 500) return [];
  if (least > DROP_OVER && (name.style === 'village' || name.style === 'feature')) return [];
  grown.boxes.push(best.box);
  if (plated) {
    const ops = plateOps(theme, { ...name, text }, best, size, pad);
    return least > DROP_OVER ? [leader(theme, name.at, best.box), ...ops] : ops;
  }
  return [
    {
      op: 'text',
      x: best.x,
      y: Math.round((best.box[1] + best.box[3]) / 2 + size * 0.3),
      text,
      face,
      size,
      fill: theme.ink,
      halo: { colour: name.ground, width: Math.round(size * 0.3) },
    },
  ];
}

interface Wide {
  size: number;
  face: 'italic' | 'serif';
  spacing: number;
  turned: boolean;
}

/** Where a line of a wide name stands: inside the frame, its middle at `at` where there is room. */
function wideLine(text: string, at: Point, frame: Box, { size, face, spacing, turned }: Wide): Placed {
  const half = textWidth(face, text, size, spacing) / 2 + size * 0.3;
  const x = turned ? at[0] : Math.round(Math.max(frame[0] + half, Math.min(frame[2] - half, at[0])));
  const y = Math.max(frame[1] + size, Math.min(frame[3] - Math.round(size * 0.4), at[1]));
  const [dx, dy] = turned ? [size, half] : [half, size];
  return { x, y, box: [x - dx, y - dy, x + dx, y + dy * 0.4] };
}

/** The two lines of a name, cut at the blank nearest its middle but not after a small word (de, la); itself when it has none. */
function halves(text: string): string[] {
  const words = text.split(' ');
  const cuts = words.map((_, i) => i).filter((i) => i > 0 && words[i - 1]!.length > 3);
  const off = (cut: number): number => Math.abs(words.slice(0, cut).join(' ').length - text.length / 2);
  const best = cuts.sort((a, b) => off(a) - off(b))[0];
  return best === undefined ? [text] : [words.slice(0, best).join(' '), words.slice(best).join(' ')];
}

/** Names of wide areas stand where the map says, spaced and in capitals; one wider than the map is left out. */
function wide(theme: Theme, name: Name, radius: number, { frame, shores }: Obstacles, grown: Grown): Op[] {
  const size = nameSize(radius, name.style);
  if (size === 0) return [];
  const sea = name.style === 'sea';
  const face = sea ? 'italic' : 'serif';
  const turned = Math.abs(name.angle ?? 0) > 45;
  const how: Wide = { size, face, spacing: Math.round(size * (name.spread ?? 0.22)), turned };
  const lay = (lines: readonly string[]): { text: string; place: Placed }[] =>
    lines.map((text, i) => {
      const down = Math.round((i - (lines.length - 1) / 2) * size * 1.35);
      return { text, place: wideLine(text, [name.at[0], name.at[1] + down], frame, how) };
    });
  const crossed = (laid: readonly { place: Placed }[]): number =>
    shores.filter(([x, y]) => laid.some(({ place: { box } }) => x > box[0] && x < box[2] && y > box[1] && y < box[3]))
      .length;
  const text = name.text.toLocaleUpperCase('fr');
  let laid = lay([text]);
  if (sea && !turned && !name.angle && crossed(laid) > 0) {
    const two = lay(halves(text));
    if (crossed(two) < crossed(laid)) laid = two;
  }
  laid = laid.filter(({ place: { box } }) => turned || box[2] - box[0] <= frame[2] - frame[0]);
  grown.wide.push(...laid.map(({ place: { box } }) => box));
  return laid.map(({ text: line, place: { x, y } }) => ({
    op: 'text',
    x,
    y,
    text: line,
    face,
    size,
    fill: sea ? theme.water.seaName : theme.blackOnly ? '#000000' : '#6b6247',
    anchor: 'middle',
    angle: name.angle,
    spacing: how.spacing,
    halo: sea ? undefined : { colour: name.ground, width: Math.round(size * 0.2) },
  }));
}

/** Places all names in the order cities, beaches, villages, features, then regions and seas. */
export function nameOps(
  theme: Theme,
  radius: number,
  names: readonly Name[],
  obstacles: Obstacles,
): { under: Op[]; over: Op[]; boxes: Box[] } {
  const near = new Map<number, Point[]>();
  for (const point of obstacles.points) {
    const id = bucket(point[0], point[1]);
    const list = near.get(id);
    if (list) list.push(point);
    else near.set(id, [point]);
  }
  const grown: Grown = { boxes: [...obstacles.boxes], wide: [], near };
  const under: Op[] = [];
  const over: Op[] = [];
  for (const style of ['region', 'sea'] as const)
    for (const name of names) if (name.style === style) under.push(...wide(theme, name, radius, obstacles, grown));
  for (const style of ['city', 'beach', 'village', 'feature'] as const)
    for (const name of names)
      if (name.style === style) over.push(...place(theme, name, radius, obstacles.frame, grown));
  return { under, over, boxes: [...grown.boxes.slice(obstacles.boxes.length), ...grown.wide] };
}

/** River names along the line: the straightest stretch that is long enough, never upside down. */
export function riverNameOps(
  theme: Theme,
  radius: number,
  lines: readonly { name: string; points: readonly Point[] }[],
  obstacles: Obstacles,
): Op[] {
  const size = nameSize(radius, 'river');
  if (size === 0) return [];
  const best = new Map<string, { price: number; op: Op }>();
  for (const line of lines) {
    const width = textWidth('italic', line.name, size);
    for (let i = 0; i < line.points.length; i++) {
      let j = i + 1;
      let length = 0;
      for (; j < line.points.length && length < width * 1.15; j++)
        length += Math.hypot(line.points[j]![0] - line.points[j - 1]![0], line.points[j]![1] - line.points[j - 1]![1]);
      if (length < width * 1.15) break;
      const a = line.points[i]!;
      const b = line.points[j - 1]!;
      const chord = Math.hypot(b[0] - a[0], b[1] - a[1]);
      if (chord < width * 0.8) continue;
      const bend = length - chord;
      let angle = (Math.atan2(b[1] - a[1], b[0] - a[0]) * 180) / Math.PI;
      if (angle > 90) angle -= 180;
      if (angle <= -90) angle += 180;
      const middle: Point = [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2];
      const radians = (angle * Math.PI) / 180;
      const off = radius * 0.3;
      const x = Math.round(middle[0] + Math.sin(radians) * off);
      const y = Math.round(middle[1] - Math.cos(radians) * off);
      const reach = width / 2;
      const box: Box = [
        x - reach * Math.abs(Math.cos(radians)) - 20,
        y - reach * Math.abs(Math.sin(radians)) - size,
        x + reach * Math.abs(Math.cos(radians)) + 20,
        y + reach * Math.abs(Math.sin(radians)) + size,
      ];
      let price = bend + Math.abs(angle) * 0.3 * (size / 100) * 10;
      for (const other of obstacles.boxes) if (overlaps(box, other)) price += 2000 + sharedArea(box, other) / 50;
      const known = best.get(line.name);
      if (known && known.price <= price) continue;
      best.set(line.name, {
        price,
        op: {
          op: 'text',
          x,
          y,
          text: line.name,
          face: 'italic',
          size,
          fill: theme.water.name,
          anchor: 'middle',
          angle: Math.round(angle),
          halo: { colour: theme.ground('bocage').tint, width: Math.round(size * 0.24) },
        },
      });
    }
  }
  return [...best.values()].map((entry) => entry.op);
}
