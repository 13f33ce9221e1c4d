/** Pictures with a palette: a quarter of the bytes of a true-colour PNG, for mails. */
import { crc32, deflateSync } from 'node:zlib';

/** Colours of a palette. */
const PALETTE = 256;
/** Of these, the ones taken because they are common. */
const COMMONEST = 96;
/** Bits of each channel that are told apart. */
const BITS = 5;
const LEVELS = 1 << BITS;
/** What every PNG begins with. */
const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10]);

type Colour = [red: number, green: number, blue: number];

/** A colour as one number of 15 bits. */
function bin(pixels: Uint8ClampedArray, at: number): number {
  const cut = 8 - BITS;
  return ((pixels[at]! >> cut) * LEVELS + (pixels[at + 1]! >> cut)) * LEVELS + (pixels[at + 2]! >> cut);
}

/** Red, green and blue of a bin, 0 to 255. */
function channels(of: number): Colour {
  const full = (level: number): number => Math.round((level * 255) / (LEVELS - 1));
  return [full(Math.floor(of / (LEVELS * LEVELS))), full(Math.floor(of / LEVELS) % LEVELS), full(of % LEVELS)];
}

/** How unlike two colours are; green weighs most, as in the eye. */
function unlike(a: Colour, b: Colour): number {
  return 2 * (a[0] - b[0]) ** 2 + 4 * (a[1] - b[1]) ** 2 + 3 * (a[2] - b[2]) ** 2;
}

/**
 * The commonest colours, then those that are worst served by them (a red arrow is small, but it must stay red), and for each
 * bin in use the nearest of them.
 */
function paletteOf(pixels: Uint8ClampedArray): { palette: Colour[]; nearest: Uint8Array } {
  const counts = new Uint32Array(LEVELS ** 3);
  for (let at = 0; at < pixels.length; at += 4) counts[bin(pixels, at)]!++;
  const used = [...counts.keys()].filter((of) => counts[of]! > 0);
  used.sort((a, b) => counts[b]! - counts[a]! || a - b);
  const colours = used.map(channels);
  const palette: Colour[] = [];
  const nearest = new Uint8Array(LEVELS ** 3);
  const least = colours.map(() => Number.POSITIVE_INFINITY);
  const take = (colour: Colour): void => {
    const index = palette.push(colour) - 1;
    colours.forEach((other, i) => {
      const off = unlike(colour, other);
      if (off >= least[i]!) return;
      least[i] = off;
      nearest[used[i]!] = index;
    });
  };
  for (const colour of colours.slice(0, COMMONEST)) take(colour);
  while (palette.length < Math.min(PALETTE, colours.length)) {
    let worst = 0;
    const cost = (i: number): number => least[i]! * Math.sqrt(counts[used[i]!]!);
    for (let i = 1; i < colours.length; i++) if (cost(i) > cost(worst)) worst = i;
    take(colours[worst]!);
  }
  return { palette, nearest };
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const ends = Buffer.alloc(8);
  ends.writeUInt32BE(data.length, 0);
  ends.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)]);
}

/** A PNG of at most 256 colours; `pixels` are red, green, blue and alpha of each, row by row. Same pixels, same bytes. */
export function indexedPng(pixels: Uint8ClampedArray, width: number, height: number): Buffer {
  const { palette, nearest } = paletteOf(pixels);
  const rows = Buffer.alloc((width + 1) * height);
  for (let y = 0, at = 0, out = 0; y < height; y++) {
    // The first byte of a row says that it is not filtered.
    out++;
    for (let x = 0; x < width; x++, at += 4) rows[out++] = nearest[bin(pixels, at)]!;
  }
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  // Eight bits a pixel, each an entry of the palette.
  head[8] = 8;
  head[9] = 3;
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', head),
    chunk('PLTE', Buffer.from(palette.flat())),
    chunk('IDAT', deflateSync(rows, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}
