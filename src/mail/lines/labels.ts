/**
 * Header blocks above quoted text in any language: a run of `Label: value` lines, told by what the values hold and not by
 * what the labels say.
 */
import { firstWord, type ProfileWords } from './profilewords.ts';

/** A run has at least so many labels. */
const LABELS_MIN = 3;
/** Where the colon of a label stands at the latest, with what may be around it. */
const LABEL_LENGTH_MAX = 48;
const RUN_LINES_MAX = 24;
/** A value longer than this may go on in the next line. */
const LONG_VALUE = 50;

const LABEL = /^[*_]{0,2}(?=[\p{L}\p{M}])([\p{L}\p{M}\p{N}'. /()-]{1,40}?)[*_]{0,2} ?:[*_]{0,2}(?: ?(\S.*))?$/u;
const TIME = /(?<!\d)\d{1,2}[:.h]\d{2}(?!\d)/;

/**
 * How many lines, from `at` on, are such a run; 0 for none. One of its values holds an address of ours, a game reference,
 * or some address and a time stand in it. A run of frame or order words (`GAME: …`, `TURN: …`) is a player's header.
 */
export function labelRun(lines: readonly string[], at: number, words: ProfileWords): number {
  const colon = lines[at]!.indexOf(':');
  if (colon < 1 || colon > LABEL_LENGTH_MAX || !LABEL.test(lines[at]!)) return 0;
  let labels = 0;
  let own = 0;
  let length = 0;
  let blanks = 0;
  let above = '';
  let ours = false;
  let address = false;
  let time = false;
  for (let i = at; i < lines.length && i - at < RUN_LINES_MAX; i++) {
    const line = lines[i]!;
    if (line === '') {
      if (++blanks > 1) break;
      continue;
    }
    const label = LABEL.exec(line);
    if (!label && (blanks > 0 || !goesOn(above, line))) break;
    if (label) {
      labels++;
      if (words.order.has(firstWord(label[1]!))) own++;
    }
    blanks = 0;
    length = i - at + 1;
    above = line;
    const value = label ? (label[2] ?? '') : line;
    ours ||= words.ownAddress.test(value) || words.referenceWithin.test(value);
    address ||= value.includes('@');
    time ||= TIME.test(value);
  }
  if (labels < LABELS_MIN || own * 2 >= labels) return 0;
  return ours || (address && time) ? length : 0;
}

/** Whether a line can be the rest of the value above it. */
function goesOn(above: string, line: string): boolean {
  return /[,;<]$/.test(above) || line.startsWith('<') || (above.length > LONG_VALUE && above.length < 200);
}
