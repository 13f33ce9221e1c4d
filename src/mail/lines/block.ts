/** The order block among a player's own lines: where it begins, where it ends, which lines belong together (rules 7, 8). */
import { isFrameLine, looksLikeOrder, NOTE_MARK, readHeaderLine } from '../../kernel/frame.ts';
import { isArmour, isDeviceSignature, isSeparator } from './ends.ts';
import { firstWord, isCommand, type ProfileWords, spellsOrder, surelyOrder } from './profilewords.ts';

/** Where mail clients wrap at the earliest. */
const WRAP_COLUMN = 72;

/** How lines are joined: flowed text and HTML already have whole lines, wrapped text may not. */
export type Wrapping = 'flowed' | 'wrapped' | 'html';

/** The lines of a text while it is read: raw, in line form, and without list marks. Blocks are looked for below `end`. */
export interface Lines {
  raw: readonly string[];
  forms: readonly string[];
  /** The first words of the forms, in upper case; of lines that are not the player's own nothing. */
  firsts: readonly string[];
  /** Numbers that stood before lines, as typed lists have them. */
  numbers: ReadonlyMap<number, number>;
  /** Lines that are no part of a block: press texts, commands and attributions. */
  taken: ReadonlySet<number>;
  /** The first line that isn't the player's own. */
  end: number;
  wrapping(line: number): Wrapping;
}

/** A line that can be part of a block at all. */
export function counts({ forms, taken }: Pick<Lines, 'forms' | 'taken'>, i: number): boolean {
  const line = forms[i]!;
  return line !== '' && !line.startsWith('>') && !taken.has(i);
}

/** The answer stands in the lines below it. */
const BARE_ANSWER = /^answer\s+#?\d{1,6}\s*[:=]?$/i;

/** The reference of a GAME line, upper case; undefined for every other line, also a sentence that begins so. */
export function gameOf(line: string, words: ProfileWords): string | undefined {
  if (firstWord(line) !== 'GAME') return undefined;
  const match = /^GAME[ :=]+(\S+?)[.,;:]?(?: (\S+).*)?$/i.exec(line);
  if (!match || !words.reference.test(match[1]!)) return undefined;
  const next = match[2];
  const fits =
    next === undefined || next.startsWith('#') || words.order.has(next.toUpperCase()) || /^AFTER$/i.test(next);
  return fits ? match[1]!.toUpperCase() : undefined;
}

/** Whether a line is a header line: its words are used here, and a game it names can be one of ours. */
export function isHeader(line: string, words: ProfileWords): boolean {
  const fields = readHeaderLine(line);
  if (!fields || !words.order.has(fields[0]!.name)) return false;
  return fields.every(({ name, value }) => name !== 'GAME' || words.reference.test(value));
}

/** Whether a line opens a header that names a game or a turn. */
function isHead(line: string, words: ProfileWords): boolean {
  return gameOf(line, words) !== undefined || (/^(?:TURN|BATTLE)\b/i.test(line) && isHeader(line, words));
}

/** The first line of a header of its own, from `from` on; -1 for none. */
export function nextHead(lines: Lines, from: number, words: ProfileWords): number {
  for (let i = from; i < lines.end; i++) if (counts(lines, i) && isHead(lines.forms[i]!, words)) return i;
  return -1;
}

/**
 * Where the block begins: the first GAME line, or where there is none the first TURN line or order word with an argument
 * that holds a digit. A sentence that only begins so gives way to what stands below it.
 */
export function findStart(lines: Lines, words: ProfileWords): number {
  const { forms, firsts, end } = lines;
  let second = -1;
  let hopeless = 0;
  for (let i = 0; i < end; i++) {
    const word = firsts[i]!;
    if (!words.order.has(word) || !counts(lines, i)) continue;
    const line = forms[i]!;
    if (word === 'GAME' && gameOf(line, words) !== undefined) return i;
    if (second >= 0) continue;
    if (!words.verbs.has(word)) {
      const answers = word === 'ANSWER' && (BARE_ANSWER.test(line) || isCommand(line, words));
      if (answers || isHeader(line, words)) second = i;
      continue;
    }
    // A script line has a colon; without one `On 3 May` is a date.
    if (!line.includes(' ') || (words.script.has(word) && !line.includes(':'))) continue;
    if (/\d/.test(line)) {
      if (!isProse(lines, i, words)) second = i;
    } else if (spellsOrder(line, words)) second = i;
    else if (i >= hopeless && !/[.,:!?]$/.test(line)) {
      const prose = firstProse(lines, i, words);
      if (prose < 0) second = i;
      else hopeless = prose;
    }
  }
  return second;
}

/** A sentence with a digit that begins with an order word: only where a better beginning stands below it. */
function isProse(lines: Lines, at: number, words: ProfileWords): boolean {
  const line = lines.forms[at]!;
  if (looksLikeOrder(line, words.verbs) || !/[,.!?;:]/.test(line)) return false;
  for (let i = at + 1; i < lines.end; i++) {
    const below = lines.forms[i]!;
    if (
      counts(lines, i) &&
      (isHead(below, words) || (words.order.has(lines.firsts[i]!) && looksLikeOrder(below, words.verbs)))
    )
      return true;
  }
  return false;
}

/**
 * `SECTIONS C E` has no number, but where nothing else than order lines stands down to FINAL, END or the end of the
 * player's words it is no prose. Gives the first line that is none, or -1; a start above that line is as hopeless.
 */
function firstProse(lines: Lines, from: number, words: ProfileWords): number {
  for (let i = from; i < lines.end; i++) {
    const line = lines.forms[i]!;
    if (line === '' || line.startsWith('#') || lines.taken.has(i)) continue;
    if (isFrameLine(line, 'END') || isFrameLine(line, 'FINAL')) return -1;
    if (!words.order.has(lines.firsts[i]!)) return i;
  }
  return -1;
}

/** The first line behind the block: after END, or where without END the player's words stop. */
export function findStop(lines: Lines, start: number, words: ProfileWords): number {
  const { forms, firsts, end } = lines;
  let separator = -1;
  let stop = end;
  for (let i = start + 1; i < end; i++) {
    const line = forms[i]!;
    if (line === '' || line.startsWith('>')) continue;
    if (isFrameLine(line, 'END')) return i + 1;
    if (surelyOrder(firsts[i]!, line, words)) continue;
    if (isArmour(line) || isDeviceSignature(line)) {
      stop = i;
      break;
    }
    if (separator < 0 && isSeparator(line)) separator = i;
  }
  if (separator >= 0) stop = separator;
  return afterFinal(lines, start, stop, words);
}

/** The first FINAL of a stretch of lines, in whatever word; -1 for none. */
export function finalIn({ forms }: Pick<Lines, 'forms'>, start: number, stop: number): number {
  for (let i = start; i < stop; i++) if (isFrameLine(forms[i]!, 'FINAL')) return i;
  return -1;
}

/** Without END, a blank line after FINAL ends the block, unless a line below it begins with an order word. */
function afterFinal(lines: Lines, start: number, stop: number, words: ProfileWords): number {
  const { forms, firsts } = lines;
  const final = finalIn(lines, start, stop);
  if (final < 0) return stop;
  const blank = forms.indexOf('', final + 1);
  if (blank < 0 || blank >= stop) return stop;
  for (let i = blank; i < stop; i++) if (counts(lines, i) && surelyOrder(firsts[i]!, forms[i]!, words)) return stop;
  return blank;
}

// ---------------------------------------------------------------------------------------------------------------------
// Lines that belong together.

/** One line of a block, made of one or more lines of the text. */
export interface Joined {
  text: string;
  /** Its first word in upper case. */
  word: string;
  /** Its first and last line in the text. */
  from: number;
  at: number;
}

interface Piece {
  /** What the line is made of; joined only at the end, so that a thousand pieces cost no more than their length. */
  pieces: string[];
  word: string;
  /** Length of the last line as it was written. */
  length: number;
  from: number;
  at: number;
  free: boolean;
  script: boolean;
}

/** The lines of a block, those joined that belong together. */
export function joinBlock(lines: Lines, start: number, stop: number, words: ProfileWords): Joined[] {
  const { raw, forms, firsts, wrapping } = lines;
  const joined: Piece[] = [];
  // All of them: how many a game takes is said where they are filed.
  for (let i = start; i < stop; i++) {
    if (!counts(lines, i)) continue;
    const line = forms[i]!;
    const above = joined.at(-1);
    const length = raw[i]!.trimEnd().length;
    const touching = above !== undefined && above.at === i - 1 && wrapping(i) !== 'flowed';
    if (touching && !words.order.has(firsts[i]!) && continues(above, line, wrapping(i), words)) {
      append(above, line);
      above.length = length;
      above.at = i;
    } else {
      const word = firsts[i]!;
      const free = words.freeText.has(word);
      joined.push({ pieces: [line], word, length, from: i, at: i, free, script: words.script.has(word) });
    }
  }
  return joined.map(({ pieces, word, free, from, at }) => {
    const whole = pieces.length === 1 ? pieces[0]! : pieces.join('');
    const text = free ? whole : letterArrows(whole);
    return { text, word: pieces.length === 1 ? word : firstWord(text), from, at };
  });
}

/** Outlook's arrow, typed in Wingdings, comes as a lone `à` once the font is lost. */
function letterArrows(text: string): string {
  return text.includes('à') ? text.replace(/ à(?= |$)/g, ' ->') : text;
}

function continues(above: Piece, line: string, wrapping: Wrapping, words: ProfileWords): boolean {
  if (isCommand(line, words) || line.startsWith(NOTE_MARK)) return false;
  const last = above.pieces.at(-1)!;
  if (/^(?:->|,|\|)/.test(line) || last.endsWith('->') || last.endsWith(',') || last.endsWith('|')) return true;
  if (!above.free && (line.startsWith('à ') || last.endsWith(' à'))) return true;
  if (wrapping === 'html') return false;
  const word = line.indexOf(' ') < 0 ? line.length : line.indexOf(' ');
  return above.length + 1 + word > WRAP_COLUMN;
}

function append(above: Piece, line: string): void {
  let left = above.pieces.pop()!;
  let right = line;
  if (!above.script) {
    if (right.startsWith('|')) right = right.slice(1).trimStart();
    if (left.endsWith('|')) left = left.slice(0, -1).trimEnd();
  }
  if (!above.free && right.startsWith('à ')) right = `->${right.slice(1)}`;
  above.pieces.push(left);
  if (right === '') return;
  const comma = left.endsWith(',') || right.startsWith(',');
  above.pieces.push(comma || left === '' ? right : ` ${right}`);
}

// ---------------------------------------------------------------------------------------------------------------------
// What is no order in a block.

/**
 * Which lines of a block are a player's chat: greetings, sign-offs and remarks that don't look like an order and could not
 * be a mistyped one. By their place in the block. `finalAt`: the line of FINAL, or -1.
 */
export function chatIn(block: readonly Joined[], finalAt: number, words: ProfileWords): Set<number> {
  const chat = new Set<number>();
  const says = block.map((line) => isOrderLine(line, words));
  const lastOrder = says.lastIndexOf(true);
  let answering = false;
  let closing = false;
  block.forEach(({ text, word, from }, i) => {
    const final = finalAt >= 0 && from >= finalAt;
    if (says[i]) {
      if (words.order.has(word)) answering = word === 'ANSWER' && BARE_ANSWER.test(text);
      if (!final || !words.verbs.has(word)) return;
      if (looksLikeOrder(text, words.verbs) || spellsOrder(text, words)) return;
    } else {
      if (answering && block[i - 1]?.at === from - 1) return;
      if (looksLikeOrder(text, words.verbs)) return;
      // Below the last order a sign-off begins with the first line that is none, or behind a blank line.
      closing ||= i > lastOrder && (!couldBeOrder(text) || block[i - 1]?.at !== from - 1);
      if (!final && !closing && couldBeOrder(text)) return;
    }
    chat.add(i);
  });
  return chat;
}

/** Whether a line of a block is one of its language: header, flag, note, comment, answer, or begins with a verb. */
function isOrderLine({ text, word }: Joined, words: ProfileWords): boolean {
  if (words.verbs.has(word) || text.startsWith('#') || text.startsWith(NOTE_MARK)) return true;
  if (!words.order.has(word)) return false;
  if (word === 'ANSWER') return /\d/.test(text);
  return (
    isHeader(text, words) ||
    gameOf(text, words) !== undefined ||
    (['END', 'FINAL', 'WAIT', 'ADD'] as const).some((one) => isFrameLine(text, one))
  );
}

/** A line among orders that begins with no order word, but may be one that was mistyped beyond recognition. */
function couldBeOrder(text: string): boolean {
  if (/\d|->/.test(text)) return true;
  return text.includes(' ') && text === text.toUpperCase() && /\p{Lu}/u.test(text);
}
