/**
 * The line form: what mail clients and word processors do to punctuation, undone.
 */

const DOUBLE_QUOTES = /[\u201c-\u201f\u00ab\u00bb\u2033\u2036\u02ba\u301d-\u301f\uff02]/g;
const SINGLE_QUOTES =
  /[\u2018-\u201b\u2039\u203a\u2032\u2035\u00b4`\u02b9\u02bb-\u02bd\u02ca\u02cb\u055a\uff07\uff40]/g;
const DASHES = /[\u2010-\u2015\u2212\u2043\u02d7\u058a\u05be\u1806\u2e3a\u2e3b\u2e40\ufe31\ufe32\ufe58\ufe63\uff0d]/g;
/** Arrows that point to the right, Outlook's private-use one included. Others stay and are reported. */
const ARROWS =
  /[\u2192\u219b\u219d\u21a0\u21a3\u21a6\u21aa\u21c0\u21c1\u21c9\u21d2\u21db\u21dd\u21e2\u21e5\u21e8\u21f0\u21f4\u21f6\u21fe\u2794\u2799\u279b-\u27af\u27b1-\u27b3\u27b5\u27b8\u27ba-\u27be\u27f6\u27f9\u27fc\u27fe\u27ff\u2911\u2933\u2b46\u2b62\u2b95\ue0e0\ue0e8\uf0e0\uf0e8\uffeb\u{1f806}\u{1f846}\u{1f862}\u{1f872}\u{1f87a}]/gu;
const INVISIBLE =
  /\p{Cf}|\u034f|\u17b4|\u17b5|[\u115f\u1160\u2800\u3164\uffa0\ufffe\uffff]|[\ufe00-\ufe0f]|[\u{e0100}-\u{e01ef}]/gu;
/** Halves of a surrogate pair, and the sign for what could not be read. */
const UNREADABLE = /[\ud800-\udfff\ufffd]/gu;
const CONTROLS = /[\x00-\x08\x0e-\x1f\x7f-\x9f]/g;
const NEEDS_WORK = /[^\x20-\x5f\x61-\x7e]| {2}|^ | $|-->|=>/;
const PLAIN_ASCII = /^[\x00-\x7f]*$/;
const LINE_BREAK = /\r\n|[\n\r\u0085\u2028\u2029]/;
const RARE_BREAK = /\r(?!\n)|[\u0085\u2028\u2029]/;

/** The lines of a decoded text, whatever kinds of line breaks it holds. */
export function splitLines(text: string): string[] {
  return RARE_BREAK.test(text) ? text.split(LINE_BREAK) : text.replaceAll('\r\n', '\n').split('\n');
}

/** One line in line form. The letter case stays. */
export function lineForm(line: string): string {
  if (!NEEDS_WORK.test(line)) return line;
  let text = line;
  if (!PLAIN_ASCII.test(text)) {
    text = marks(text).normalize('NFKC');
    text = readableCharacters(marks(text).replace(INVISIBLE, ''));
  } else if (text.includes('`')) text = text.replaceAll('`', "'");
  return text
    .replace(CONTROLS, '')
    .replace(/(?<!-)-{2,}>|={1,2}>/g, '->')
    .replace(/\s+/g, ' ')
    .trim();
}

/** Signs for what could not be read become `?`: a broken word is reported, never mended by guess. */
export function readableCharacters(text: string): string {
  return text.replace(UNREADABLE, '?');
}

function marks(text: string): string {
  return text.replace(DOUBLE_QUOTES, '"').replace(SINGLE_QUOTES, "'").replace(DASHES, '-').replace(ARROWS, '->');
}
