/**
 * Bytes to text: the byte order mark first, then what the bytes are, then what the label says.
 */
import iconv from 'iconv-lite';
import { readableCharacters } from './lineform.ts';

/** Bytes read of one part; the rest is not looked at. */
export const PART_TEXT_MAX = 256 * 1024;

const MULTI_BYTE =
  /^(utf|ucs|unicode|gb|hz|big5|cp?9[345]|shift|sjis|ms_?kanji|windows-?(31j|932|936|949|950)|euc|iso-?2022|ks_?c|korean|johab)/;
const CHINESE = new Set(['gb2312', 'gbk', 'gb_2312-80', 'gb2312-80', 'cp936', 'x-gbk', 'euc-cn', 'windows-936']);
const WESTERN = new Set([
  '',
  'us-ascii',
  'ascii',
  'ansi_x3.4-1968',
  'iso-8859-1',
  'iso8859-1',
  'iso_8859-1',
  'latin1',
  'l1',
]);
/** Bytes that windows-1252 leaves open; iconv-lite gives U+FFFD for them, other readers a control character. */
const OPEN_IN_1252 = /�/g;

/**
 * Decodes the text of one part. `label` is the declared charset, or empty. Never gives U+FFFD: what an eight-bit set
 * leaves open is dropped like any control character, what a multi-byte set can't read becomes `?`, so that a broken
 * order is reported and not silently another one.
 */
export function decodeText(bytes: Buffer, label: string): string {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) {
    const rest = bytes.subarray(3);
    return isUtf8(rest) ? readableCharacters(rest.toString('utf8')) : western(rest);
  }
  if (bytes[0] === 0xff && bytes[1] === 0xfe)
    return readableCharacters(iconv.decode(even(bytes.subarray(2)), 'utf-16le'));
  if (bytes[0] === 0xfe && bytes[1] === 0xff)
    return readableCharacters(iconv.decode(even(bytes.subarray(2)), 'utf-16be'));
  const name = label
    .trim()
    .toLowerCase()
    .replace(/^["']|["']$/g, '');
  if (name === 'iso-2022-jp') return readableCharacters(new TextDecoder('iso-2022-jp').decode(bytes));
  const known = name !== '' && name.length <= 40 && iconv.encodingExists(name);
  if (!known || !MULTI_BYTE.test(name)) {
    if (isAscii(bytes)) return bytes.toString('latin1');
    if (isUtf8(bytes)) return readableCharacters(bytes.toString('utf8'));
    if (!known || WESTERN.has(name)) return western(bytes);
    return iconv.decode(bytes, name).replace(OPEN_IN_1252, '');
  }
  if (/^utf-?8$|^unicode-1-1-utf-8$/.test(name))
    return isUtf8(bytes) ? readableCharacters(bytes.toString('utf8')) : western(bytes);
  if (/^(utf-?16|ucs-?2|utf-?32)/.test(name) && !bytes.includes(0) && isAscii(bytes)) return bytes.toString('latin1');
  return readableCharacters(iconv.decode(bytes, CHINESE.has(name) ? 'gb18030' : name));
}

/** A header's raw bytes as text: ASCII or UTF-8 if they are that, else windows-1252. */
export function decodeHeaderBytes(bytes: Buffer): string {
  if (isAscii(bytes)) return bytes.toString('latin1');
  return isUtf8(bytes) ? readableCharacters(bytes.toString('utf8')) : western(bytes);
}

/**
 * Whether the bytes of a file can be text: no NUL (unless it is UTF-16 by mark or label) and hardly any other control
 * characters.
 */
export function looksLikeText(bytes: Buffer, label: string): boolean {
  if ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)) return true;
  if (/^(utf-?(16|32)|ucs)/i.test(label.trim())) return true;
  if (bytes.includes(0)) return false;
  let controls = 0;
  for (const byte of bytes) if (byte < 9 || (byte > 13 && byte < 32 && byte !== 0x1a && byte !== 0x1b)) controls++;
  return controls * 100 <= bytes.length;
}

/** The first `PART_TEXT_MAX` bytes without a character cut in two at the end. `cut` says whether something is missing. */
export function clip(bytes: Buffer): { bytes: Buffer; cut: boolean } {
  if (bytes.length <= PART_TEXT_MAX) return { bytes, cut: false };
  let end = PART_TEXT_MAX;
  for (let back = 0; back < 3 && (bytes[end]! & 0xc0) === 0x80; back++) end--;
  return { bytes: bytes.subarray(0, end), cut: true };
}

function western(bytes: Buffer): string {
  return iconv.decode(bytes, 'win1252').replace(OPEN_IN_1252, '');
}

function even(bytes: Buffer): Buffer {
  return bytes.length % 2 === 0 ? bytes : bytes.subarray(0, bytes.length - 1);
}

function isAscii(bytes: Buffer): boolean {
  for (let i = 0; i < bytes.length; i++) if (bytes[i]! > 0x7f) return false;
  return true;
}

const strictUtf8 = new TextDecoder('utf-8', { fatal: true });

function isUtf8(bytes: Buffer): boolean {
  try {
    strictUtf8.decode(bytes);
    return true;
  } catch {
    return false;
  }
}
