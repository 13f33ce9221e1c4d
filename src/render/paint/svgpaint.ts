/** Paints one sheet as SVG text: the same ops as the PDF, symbols and repeated paths as `<use>`. No external reference. */
import {
  C,
  L,
  M,
  type Op,
  type Paint,
  type Path,
  Q,
  type Sheet,
  type Stamp,
  type TextOp,
  type Typeface,
} from './drawing.ts';
import { FAMILY, faceFor, textWidth } from './fonts.ts';

interface Writer {
  defs: string[];
  symbols: Map<Stamp, string>;
  paths: Map<Path, { uses: number; id?: string }>;
  clips: number;
  letters: Map<Typeface, Set<string>>;
}

/** Text made safe for XML content and attributes; control characters are left out. */
export function escapeXml(text: string): string {
  return text
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '')
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    .replace(/"/g, '&quot;');
}

/** Path data with relative coordinates, which are shorter. */
function pathData(path: Path): string {
  let out = '';
  let x = 0;
  let y = 0;
  let startX = 0;
  let startY = 0;
  const step = (letter: string, numbers: number[]): void => {
    out += letter;
    numbers.forEach((n, i) => {
      out += i === 0 || n < 0 ? String(n) : ` ${n}`;
    });
  };
  for (let i = 0; i < path.length; ) {
    const code = path[i++];
    if (code === M) {
      step('M', [path[i]!, path[i + 1]!]);
      x = startX = path[i]!;
      y = startY = path[i + 1]!;
      i += 2;
    } else if (code === L) {
      step('l', [path[i]! - x, path[i + 1]! - y]);
      x = path[i]!;
      y = path[i + 1]!;
      i += 2;
    } else if (code === Q || code === C) {
      const count = code === Q ? 4 : 6;
      const numbers: number[] = [];
      for (let k = 0; k < count; k += 2) numbers.push(path[i + k]! - x, path[i + k + 1]! - y);
      step(code === Q ? 'q' : 'c', numbers);
      x = path[i + count - 2]!;
      y = path[i + count - 1]!;
      i += count;
    } else {
      out += 'z';
      x = startX;
      y = startY;
    }
  }
  return out;
}

function paintAttributes(paint: Paint, strokes: boolean, fills: boolean): string {
  let out = '';
  if (fills) {
    if (paint.fill) out += ` fill="${paint.fill}"`;
  } else out += ' fill="none"';
  if (paint.stroke) out += ` stroke="${paint.stroke}"`;
  if (strokes && paint.width !== undefined) out += ` stroke-width="${paint.width}"`;
  if (paint.dash) out += ` stroke-dasharray="${paint.dash.join(' ')}"`;
  if (paint.round) out += ' stroke-linecap="round" stroke-linejoin="round"';
  if (paint.opacity !== undefined) out += ` opacity="${paint.opacity}"`;
  return out;
}

function pathElement(w: Writer, op: Extract<Op, { op: 'path' }>): string {
  const strokes = op.stroke !== undefined || op.width !== undefined;
  const fills = op.fill !== undefined || !strokes;
  const attributes = paintAttributes(op, strokes, fills);
  const use = w.paths.get(op.path);
  if (use && use.uses > 1 && op.path.length >= 24) {
    if (!use.id) {
      use.id = `p${w.defs.length}`;
      w.defs.push(`<path id="${use.id}" d="${pathData(op.path)}"/>`);
    }
    return `<use href="#${use.id}"${attributes}/>`;
  }
  // A stroke without a colour takes the stamp's fill colour through currentColor.
  const stroke = strokes && !op.stroke ? ' stroke="currentColor"' : '';
  return `<path d="${pathData(op.path)}"${attributes}${stroke}/>`;
}

/** Remembers which letters of which face occur. */
function note(w: Writer, face: Typeface, text: string): void {
  const letters = w.letters.get(face) ?? new Set();
  for (const letter of text) letters.add(letter);
  w.letters.set(face, letters);
}

function textElement(w: Writer, op: TextOp): string {
  if (op.text === '') return '';
  const face = faceFor(op.face, op.text);
  note(w, face, op.text);
  const anchor = op.anchor ? ` text-anchor="${op.anchor}"` : '';
  const turn = op.angle ? ` transform="rotate(${op.angle} ${op.x} ${op.y})"` : '';
  const spacing = op.spacing ? ` letter-spacing="${op.spacing}"` : '';
  const halo = op.halo
    ? ` stroke="${op.halo.colour}" stroke-width="${op.halo.width}" stroke-linejoin="round" paint-order="stroke"`
    : '';
  const opacity = op.opacity === undefined ? '' : ` opacity="${op.opacity}"`;
  // Where the face is missing the words keep their width, so that plates and boxes still fit.
  const length = op.spacing
    ? ''
    : ` textLength="${Math.round(textWidth(face, op.text, op.size))}" lengthAdjust="spacingAndGlyphs"`;
  return `<text class="${face}" x="${op.x}" y="${op.y}" font-size="${op.size}" fill="${op.fill}"${anchor}${turn}${spacing}${halo}${opacity}${length}>${escapeXml(op.text)}</text>`;
}

function symbolId(w: Writer, symbol: Stamp): string {
  let id = w.symbols.get(symbol);
  if (!id) {
    id = `s${w.symbols.size}`;
    w.symbols.set(symbol, id);
    const content = elements(w, symbol.ops);
    w.defs.push(`<g id="${id}">${content}</g>`);
  }
  return id;
}

function element(w: Writer, op: Op): string {
  if (op.op === 'path') return pathElement(w, op);
  if (op.op === 'text') return textElement(w, op);
  if (op.op === 'use') {
    const id = symbolId(w, op.symbol);
    const turn = op.angle || (op.scale ?? 1) !== 1;
    const place = turn
      ? ` transform="translate(${op.x} ${op.y})${op.angle ? ` rotate(${op.angle})` : ''}${(op.scale ?? 1) === 1 ? '' : ` scale(${op.scale})`}"`
      : ` x="${op.x}" y="${op.y}"`;
    const fill = op.fill ? ` fill="${op.fill}"` : '';
    const colour = op.stroke ? ` color="${op.stroke}"` : '';
    const width = op.width === undefined ? '' : ` stroke-width="${op.width}"`;
    const opacity = op.opacity === undefined ? '' : ` opacity="${op.opacity}"`;
    return `<use href="#${id}"${place}${fill}${colour}${width}${opacity}/>`;
  }
  if (op.op === 'numbers') {
    for (const entry of op.at) note(w, op.face, entry.text);
    const texts = op.at.map((entry) => `<text x="${entry.x}" y="${entry.y}">${escapeXml(entry.text)}</text>`);
    return `<g class="${op.face}" font-size="${op.size}" fill="${op.fill}" text-anchor="middle">${texts.join('')}</g>`;
  }
  if (op.op === 'clip') {
    const id = `c${w.clips++}`;
    const inside = elements(w, op.ops);
    const clip = `<clipPath id="${id}"><path d="${pathData(op.path)}"/></clipPath><g clip-path="url(#${id})">${inside}</g>`;
    return op.shift ? `<g transform="translate(${op.shift[0]} ${op.shift[1]})">${clip}</g>` : clip;
  }
  return '';
}

function elements(w: Writer, ops: readonly Op[]): string {
  let out = '';
  for (const op of ops) out += element(w, op);
  return out;
}

function countPaths(ops: readonly Op[], w: Writer): void {
  for (const op of ops) {
    if (op.op === 'path') {
      const use = w.paths.get(op.path);
      if (use) use.uses++;
      else w.paths.set(op.path, { uses: 1 });
    } else if (op.op === 'clip') countPaths(op.ops, w);
  }
}

/** The sheet as a stand-alone SVG document; `faces` may give a style sheet for the letters that occur. */
export function paintSvg(
  sheet: Sheet,
  faces?: (letters: ReadonlyMap<Typeface, ReadonlySet<string>>) => string,
): string {
  const w: Writer = { defs: [], symbols: new Map(), paths: new Map(), clips: 0, letters: new Map() };
  countPaths(sheet.ops, w);
  const body = elements(w, sheet.ops);
  const style = [...w.letters.keys()]
    .sort()
    .map((face) => {
      const { family, weight, italic, generic } = FAMILY[face];
      return `.${face}{font-family:'${family}',${generic};font-weight:${weight};font-style:${italic ? 'italic' : 'normal'}}`;
    })
    .join('');
  const embedded = faces ? faces(w.letters) : '';
  const { width, height } = sheet;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width / 10}pt" height="${height / 10}pt" role="img" aria-label="${escapeXml(sheet.title)}">`,
    `<title>${escapeXml(sheet.title)}</title>`,
    `<style>${embedded}${style}text{white-space:pre;font-kerning:none;font-variant-ligatures:none}</style>`,
    `<defs>${w.defs.join('')}</defs>`,
    `<rect width="${width}" height="${height}" fill="${sheet.paper}"/>`,
    body,
    '</svg>',
  ].join('\n');
}
