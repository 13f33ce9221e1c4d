/**
 * The faces of maps: which file each is, and how wide its text is. Widths are read from the files' own tables (horizontal
 * metrics and character map), so that layout needs no renderer and is the same in PDF, SVG and PNG. No kerning anywhere.
 */
import fs from 'node:fs';
import { createRequire } from 'node:module';
import type { Typeface } from './drawing.ts';

const require = createRequire(import.meta.url);

const FILES: Record<Typeface, string> = {
  num: '@expo-google-fonts/barlow-condensed/500Medium/BarlowCondensed_500Medium.ttf',
  bold: '@expo-google-fonts/barlow-condensed/700Bold/BarlowCondensed_700Bold.ttf',
  sans: '@expo-google-fonts/alegreya-sans/500Medium/AlegreyaSans_500Medium.ttf',
  strong: '@expo-google-fonts/alegreya-sans/800ExtraBold/AlegreyaSans_800ExtraBold.ttf',
  italic: '@expo-google-fonts/alegreya/500Medium_Italic/Alegreya_500Medium_Italic.ttf',
  serif: '@expo-google-fonts/alegreya/800ExtraBold/Alegreya_800ExtraBold.ttf',
  fallback: 'dejavu-fonts-ttf/ttf/DejaVuSansCondensed.ttf',
};

/** How a face is called in SVG and on the canvas, with what stands in where it is missing. */
export const FAMILY: Record<Typeface, { family: string; weight: number; italic?: true; generic: string }> = {
  num: { family: 'Barlow Condensed', weight: 500, generic: "'Arial Narrow',sans-serif" },
  bold: { family: 'Barlow Condensed', weight: 700, generic: "'Arial Narrow',sans-serif" },
  sans: { family: 'Alegreya Sans', weight: 500, generic: 'sans-serif' },
  strong: { family: 'Alegreya Sans', weight: 800, generic: 'sans-serif' },
  italic: { family: 'Alegreya', weight: 500, italic: true, generic: 'serif' },
  serif: { family: 'Alegreya', weight: 800, generic: 'serif' },
  fallback: { family: 'DejaVu Sans', weight: 400, generic: 'sans-serif' },
};
export const FACES = Object.keys(FILES) as Typeface[];

interface Metrics {
  unitsPerEm: number;
  glyph(codePoint: number): number;
  advance(glyph: number): number;
}

const bytesOf = new Map<Typeface, Buffer>();
const metricsOf = new Map<Typeface, Metrics>();

/** Where the TTF of a face lies on this machine. */
export function faceFile(face: Typeface): string {
  return require.resolve(FILES[face]);
}

/** The whole TTF of a face, read once. */
export function faceBytes(face: Typeface): Buffer {
  let bytes = bytesOf.get(face);
  if (!bytes) {
    bytes = fs.readFileSync(faceFile(face));
    bytesOf.set(face, bytes);
  }
  return bytes;
}

/** Offset of a table in a TTF; throws when the font lacks it. */
export function tableOffset(font: Buffer, tag: string): { at: number; length: number } {
  const count = font.readUInt16BE(4);
  for (let i = 0; i < count; i++) {
    const at = 12 + 16 * i;
    if (font.toString('latin1', at, at + 4) === tag)
      return { at: font.readUInt32BE(at + 8), length: font.readUInt32BE(at + 12) };
  }
  throw new Error(`font without table ${tag}`);
}

/** Reads the format 4 character map: code point to glyph. */
function characterMap(font: Buffer): Map<number, number> {
  const { at: cmap } = tableOffset(font, 'cmap');
  const glyphs = new Map<number, number>();
  for (let i = 0; i < font.readUInt16BE(cmap + 2); i++) {
    const at = cmap + font.readUInt32BE(cmap + 4 + 8 * i + 4);
    if (font.readUInt16BE(at) !== 4) continue;
    const segments = font.readUInt16BE(at + 6) / 2;
    const ends = at + 14;
    const starts = ends + 2 * segments + 2;
    for (let s = 0; s < segments; s++) {
      const start = font.readUInt16BE(starts + 2 * s);
      const end = font.readUInt16BE(ends + 2 * s);
      const delta = font.readUInt16BE(starts + 2 * segments + 2 * s);
      const rangeAt = starts + 4 * segments + 2 * s;
      const range = font.readUInt16BE(rangeAt);
      for (let code = start; code <= end && code !== 0xffff; code++) {
        let glyph = range === 0 ? code : font.readUInt16BE(rangeAt + range + 2 * (code - start));
        if (glyph !== 0 || range === 0) glyph = (glyph + delta) & 0xffff;
        if (glyph !== 0) glyphs.set(code, glyph);
      }
    }
    return glyphs;
  }
  throw new Error('font without a character map of format 4');
}

/** The metrics of a face, read once. */
export function metrics(face: Typeface): Metrics {
  let found = metricsOf.get(face);
  if (!found) {
    const font = faceBytes(face);
    const glyphs = characterMap(font);
    const unitsPerEm = font.readUInt16BE(tableOffset(font, 'head').at + 18);
    const count = font.readUInt16BE(tableOffset(font, 'hhea').at + 34);
    const { at } = tableOffset(font, 'hmtx');
    found = {
      unitsPerEm,
      glyph: (codePoint) => glyphs.get(codePoint) ?? 0,
      advance: (glyph) => font.readUInt16BE(at + 4 * Math.min(glyph, count - 1)),
    };
    metricsOf.set(face, found);
  }
  return found;
}

/** Has the face every letter of the text? */
export function covers(face: Typeface, text: string): boolean {
  const m = metrics(face);
  for (const letter of text) if (m.glyph(letter.codePointAt(0)!) === 0) return false;
  return true;
}

const measured = new Map<string, { face: Typeface; width: number; letters: number }>();
const MEASURED_LIMIT = 20_000;

function measure(face: Typeface, text: string): { face: Typeface; width: number; letters: number } {
  const key = `${face}|${text}`;
  let found = measured.get(key);
  if (found) return found;
  const real = covers(face, text) ? face : 'fallback';
  const m = metrics(real);
  let width = 0;
  let letters = 0;
  for (const letter of text) {
    width += m.advance(m.glyph(letter.codePointAt(0)!)) / m.unitsPerEm;
    letters++;
  }
  found = { face: real, width, letters };
  if (measured.size >= MEASURED_LIMIT) measured.clear();
  measured.set(key, found);
  return found;
}

/** The face that can set the text: the wished one or, for letters it lacks, the fallback. */
export function faceFor(face: Typeface, text: string): Typeface {
  return measure(face, text).face;
}

/** Width of a text in the unit of `size`, letter by letter. */
export function textWidth(face: Typeface, text: string, size: number, spacing = 0): number {
  const { width, letters } = measure(face, text);
  return width * size + spacing * Math.max(0, letters - 1);
}

/** Height of capitals as a share of the size, for centring text on a point. */
export const CAP: Record<Typeface, number> = {
  num: 0.7,
  bold: 0.7,
  sans: 0.64,
  strong: 0.64,
  italic: 0.64,
  serif: 0.64,
  fallback: 0.73,
};
