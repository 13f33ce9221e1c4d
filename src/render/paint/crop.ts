/** Cuts a drawing down to a window, so that a tile carries only what shows on it. */
import { ARGUMENTS, type Box, boxOf, grown, L, M, type Op, overlaps, type Path, Z } from './drawing.ts';
import { faceFor, textWidth } from './fonts.ts';

const boxes = new WeakMap<Op, Box>();
const pathBoxes = new WeakMap<Path, Box>();

function pathBox(path: Path): Box {
  let box = pathBoxes.get(path);
  if (!box) {
    box = boxOf(path);
    pathBoxes.set(path, box);
  }
  return box;
}

/** The room an op takes, strokes included. */
export function opBox(op: Op): Box {
  const known = boxes.get(op);
  if (known) return known;
  const box = findBox(op);
  boxes.set(op, box);
  return box;
}

function findBox(op: Op): Box {
  switch (op.op) {
    case 'path':
      return grown(pathBox(op.path), (op.width ?? 0) / 2 + 2);
    case 'clip': {
      const [left, top, right, bottom] = pathBox(op.path);
      const [dx, dy] = op.shift ?? [0, 0];
      return [left + dx, top + dy, right + dx, bottom + dy];
    }
    case 'use': {
      const reach = Math.max(...op.symbol.box.map(Math.abs)) * (op.scale ?? 1) * (op.angle ? 1.42 : 1);
      if (op.angle || op.scale) return [op.x - reach, op.y - reach, op.x + reach, op.y + reach];
      const [left, top, right, bottom] = op.symbol.box;
      return [op.x + left, op.y + top, op.x + right, op.y + bottom];
    }
    case 'text': {
      const width = textWidth(faceFor(op.face, op.text), op.text, op.size, op.spacing) + op.size;
      if (op.angle) return [op.x - width, op.y - width, op.x + width, op.y + width];
      const left = op.anchor === 'middle' ? width / 2 : op.anchor === 'end' ? width : op.size / 2;
      return [op.x - left, op.y - op.size, op.x - left + width, op.y + op.size * 0.4];
    }
    case 'numbers':
      return [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
    case 'target':
      return [op.x, op.y, op.x + 1, op.y + 1];
    case 'link':
      return op.box;
  }
}

function contains(outer: Box, inner: Box): boolean {
  return inner[0] >= outer[0] && inner[1] >= outer[1] && inner[2] <= outer[2] && inner[3] <= outer[3];
}

/** One segment with the point it starts from. */
interface Segment {
  code: number;
  at: number;
  fromX: number;
  fromY: number;
  toX: number;
  toY: number;
}

/** Walks the drawn segments of a path; moves and closings are told apart by their code. */
function walk(path: Path, visit: (segment: Segment) => void): void {
  const s: Segment = { code: M, at: 0, fromX: 0, fromY: 0, toX: 0, toY: 0 };
  let startX = 0;
  let startY = 0;
  for (let i = 0; i < path.length; ) {
    s.code = path[i]!;
    s.at = i;
    const count = ARGUMENTS[s.code as 0];
    s.fromX = s.toX;
    s.fromY = s.toY;
    if (s.code === Z) {
      s.toX = startX;
      s.toY = startY;
    } else {
      s.toX = path[i + count - 1]!;
      s.toY = path[i + count]!;
      if (s.code === M) {
        startX = s.toX;
        startY = s.toY;
      }
    }
    visit(s);
    i += count + 1;
  }
}

/** Which sides of the window a whole segment lies beyond, as bits. */
function beyond(path: Path, s: Segment, window: Box): number {
  let bits = 15;
  const test = (x: number, y: number): void => {
    if (x >= window[0]) bits &= ~1;
    if (x <= window[2]) bits &= ~2;
    if (y >= window[1]) bits &= ~4;
    if (y <= window[3]) bits &= ~8;
  };
  test(s.fromX, s.fromY);
  for (let k = 0; k < ARGUMENTS[s.code as 0]; k += 2) test(path[s.at + 1 + k]!, path[s.at + 2 + k]!);
  return bits;
}

/** An open line: segments wholly outside are dropped. */
function cropOpen(path: Path, window: Box): Path {
  const out: Path = [];
  let penX = Number.NaN;
  let penY = Number.NaN;
  walk(path, (s) => {
    if (s.code === M) return;
    if (beyond(path, s, window) !== 0) return;
    if (penX !== s.fromX || penY !== s.fromY) out.push(M, s.fromX, s.fromY);
    if (s.code === Z) out.push(L, s.toX, s.toY);
    else for (let k = 0; k <= ARGUMENTS[s.code as 0]; k++) out.push(path[s.at + k]!);
    penX = s.toX;
    penY = s.toY;
  });
  return out;
}

/** A closed shape: runs wholly beyond one side become one straight line there, which cannot show. */
function cropClosed(path: Path, window: Box): Path {
  const out: Path = [];
  let run = 0;
  let runX = 0;
  let runY = 0;
  const flush = (): void => {
    if (run !== 0) out.push(L, runX, runY);
    run = 0;
  };
  walk(path, (s) => {
    if (s.code === M || s.code === Z) {
      flush();
      if (s.code === M) out.push(M, s.toX, s.toY);
      else out.push(Z);
      return;
    }
    const bits = beyond(path, s, window);
    if (bits === 0) {
      flush();
      for (let k = 0; k <= ARGUMENTS[s.code as 0]; k++) out.push(path[s.at + k]!);
      return;
    }
    if ((run & bits) === 0) {
      flush();
      run = bits;
    } else run &= bits;
    runX = s.toX;
    runY = s.toY;
  });
  flush();
  return withoutFarLoops(out, window);
}

/** Leaves out loops that lie wholly beyond the window. */
function withoutFarLoops(path: Path, window: Box): Path {
  const out: Path = [];
  let loop: Path = [];
  const keep = (): void => {
    if (loop.length > 0 && overlaps(boxOf(loop), window)) out.push(...loop);
    loop = [];
  };
  for (let i = 0; i < path.length; ) {
    const code = path[i]!;
    if (code === M) keep();
    for (let k = 0; k <= ARGUMENTS[code as 0]; k++) loop.push(path[i + k]!);
    i += ARGUMENTS[code as 0] + 1;
  }
  keep();
  return out;
}

/** The ops that show in the window, long paths shortened. A path used twice stays one object. */
export function cropped(ops: readonly Op[], window: Box): Op[] {
  const wide = grown(window, 60);
  const cut = new Map<Path, Path>();
  const shortened = (path: Path, closed: boolean, margin: number): Path => {
    if (path.length < 40 || contains(wide, pathBox(path))) return path;
    const known = cut.get(path);
    if (known) return known;
    const made = closed ? cropClosed(path, grown(window, margin)) : cropOpen(path, grown(window, margin));
    cut.set(path, made);
    return made;
  };
  const all = (list: readonly Op[]): Op[] => {
    const out: Op[] = [];
    for (const op of list) {
      if (op.op === 'numbers') {
        const at = op.at.filter(
          ({ x, y }) => x > wide[0] - 150 && x < wide[2] + 150 && y > wide[1] && y < wide[3] + op.size,
        );
        if (at.length > 0) out.push({ ...op, at });
        continue;
      }
      const box = opBox(op);
      if (!overlaps(box, window)) continue;
      if (op.op === 'path') {
        const path = shortened(op.path, op.fill !== undefined, (op.width ?? 0) / 2 + 30);
        if (path.length > 0) out.push({ ...op, path });
      } else if (op.op === 'clip') {
        const path = shortened(op.path, true, 30);
        if (path.length > 0) out.push({ ...op, path, ops: all(op.ops) });
      } else out.push(op);
    }
    return out;
  };
  return all(ops);
}
