/**
 * Cuts a TTF down to the letters that occur, for embedding in SVG. Glyph numbers stay as they are: unused outlines are
 * emptied, so that nothing has to be renumbered and the rest compresses to next to nothing.
 */
import type { Typeface } from './drawing.ts';
import { FAMILY, faceBytes, metrics, tableOffset } from './fonts.ts';

/** Tables a browser asks for, besides those made anew here. */
const COPIED = ['OS/2', 'head', 'hhea', 'hmtx', 'maxp', 'name'] as const;
const COMPOSITE_ARGUMENTS_ARE_WORDS = 1;
const COMPOSITE_SCALE = 8;
const COMPOSITE_MORE = 32;
const COMPOSITE_TWO_SCALES = 64;
const COMPOSITE_MATRIX = 128;

interface Outlines {
  /** Start and end of a glyph within the glyf table. */
  range(glyph: number): [number, number];
  count: number;
  at: number;
}

function outlinesOf(font: Buffer): Outlines {
  const long = font.readInt16BE(tableOffset(font, 'head').at + 50) === 1;
  const loca = tableOffset(font, 'loca').at;
  const count = font.readUInt16BE(tableOffset(font, 'maxp').at + 4);
  const offset = (i: number): number => (long ? font.readUInt32BE(loca + 4 * i) : 2 * font.readUInt16BE(loca + 2 * i));
  return { range: (glyph) => [offset(glyph), offset(glyph + 1)], count, at: tableOffset(font, 'glyf').at };
}

/** Adds the parts of composite glyphs such as é. */
function withParts(font: Buffer, outlines: Outlines, glyphs: Set<number>): void {
  const open = [...glyphs];
  while (open.length > 0) {
    const [from, to] = outlines.range(open.pop()!);
    if (to <= from || font.readInt16BE(outlines.at + from) >= 0) continue;
    let at = outlines.at + from + 10;
    for (;;) {
      const flags = font.readUInt16BE(at);
      const part = font.readUInt16BE(at + 2);
      if (!glyphs.has(part)) {
        glyphs.add(part);
        open.push(part);
      }
      at += flags & COMPOSITE_ARGUMENTS_ARE_WORDS ? 8 : 6;
      if (flags & COMPOSITE_SCALE) at += 2;
      else if (flags & COMPOSITE_TWO_SCALES) at += 4;
      else if (flags & COMPOSITE_MATRIX) at += 8;
      if (!(flags & COMPOSITE_MORE)) break;
    }
  }
}

/** A character map of format 4 with one segment a letter. */
function characterMap(pairs: readonly (readonly [number, number])[]): Buffer {
  const segments = [...pairs, [0xffff, 0] as const];
  const n = segments.length;
  const table = Buffer.alloc(12 + 16 + 8 * n);
  table.writeUInt16BE(1, 2);
  table.writeUInt16BE(3, 4);
  table.writeUInt16BE(1, 6);
  table.writeUInt32BE(12, 8);
  const power = 2 ** Math.floor(Math.log2(n));
  [4, 16 + 8 * n, 0, 2 * n, 2 * power, Math.log2(power), 2 * (n - power)].forEach((value, i) => {
    table.writeUInt16BE(value, 12 + 2 * i);
  });
  segments.forEach(([code, glyph], i) => {
    table.writeUInt16BE(code, 26 + 2 * i);
    table.writeUInt16BE(code, 28 + 2 * n + 2 * i);
    table.writeUInt16BE((i === n - 1 ? 1 : glyph - code) & 0xffff, 28 + 4 * n + 2 * i);
  });
  return table;
}

function assembled(tables: ReadonlyMap<string, Buffer>): Buffer {
  const names = [...tables.keys()].sort();
  const n = names.length;
  const power = 2 ** Math.floor(Math.log2(n));
  const head = Buffer.alloc(12 + 16 * n);
  head.writeUInt32BE(0x00010000, 0);
  head.writeUInt16BE(n, 4);
  head.writeUInt16BE(16 * power, 6);
  head.writeUInt16BE(Math.log2(power), 8);
  head.writeUInt16BE(16 * (n - power), 10);
  const parts: Buffer[] = [head];
  let at = head.length;
  names.forEach((name, i) => {
    const table = tables.get(name)!;
    head.write(name, 12 + 16 * i, 'latin1');
    head.writeUInt32BE(at, 20 + 16 * i);
    head.writeUInt32BE(table.length, 24 + 16 * i);
    const padded = Buffer.alloc(Math.ceil(table.length / 4) * 4);
    table.copy(padded);
    parts.push(padded);
    at += padded.length;
  });
  return Buffer.concat(parts);
}

/** A TTF with only the given letters. */
function subsetFont(face: Typeface, letters: ReadonlySet<string>): Buffer {
  const font = faceBytes(face);
  const { glyph } = metrics(face);
  const codes = [...letters]
    .map((letter) => letter.codePointAt(0)!)
    .filter((code) => code < 0xffff && glyph(code) !== 0);
  const pairs = codes.sort((a, b) => a - b).map((code) => [code, glyph(code)] as const);
  const outlines = outlinesOf(font);
  const glyphs = new Set([0, ...pairs.map(([, id]) => id)]);
  withParts(font, outlines, glyphs);
  const loca = Buffer.alloc(4 * (outlines.count + 1));
  const kept: Buffer[] = [];
  let at = 0;
  for (let id = 0; id < outlines.count; id++) {
    loca.writeUInt32BE(at, 4 * id);
    if (!glyphs.has(id)) continue;
    const [from, to] = outlines.range(id);
    kept.push(font.subarray(outlines.at + from, outlines.at + to));
    at += to - from;
  }
  loca.writeUInt32BE(at, 4 * outlines.count);
  const post = Buffer.alloc(32);
  post.writeUInt32BE(0x00030000, 0);
  const tables = new Map<string, Buffer>([
    ['cmap', characterMap(pairs)],
    ['glyf', Buffer.concat(kept)],
    ['loca', loca],
    ['post', post],
  ]);
  for (const name of COPIED) {
    const { at: start, length } = tableOffset(font, name);
    tables.set(name, Buffer.from(font.subarray(start, start + length)));
  }
  // The offsets above are long ones.
  tables.get('head')!.writeInt16BE(1, 50);
  return assembled(tables);
}

/** Style rules that carry the faces within the document. */
export function embeddedFaces(letters: ReadonlyMap<Typeface, ReadonlySet<string>>): string {
  return [...letters]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([face, used]) => {
      const { family, weight, italic } = FAMILY[face];
      const data = subsetFont(face, used).toString('base64');
      return `@font-face{font-family:'${family}';font-weight:${weight};font-style:${italic ? 'italic' : 'normal'};src:url(data:font/ttf;base64,${data})}`;
    })
    .join('');
}
