/**
 * From the text of a part to the order block in it: quotes dropped, lines joined, the block and the commands found
 * (corpus rules 6 to 8 and 12). Everything here is linear in the number of lines.
 */
import { LINE_BREAK, lineForm, readableCharacters } from '../bytes/lineform.ts';
import type { Profile } from '../profile.ts';
import {
  attributionLength,
  isArmour,
  isDeviceSignature,
  isHeaderBlock,
  isOldMessage,
  isSeparator,
  isSignature,
} from './marks.ts';
import { undoClearSigning, unflow } from './unflow.ts';

/** Characters of one line that are looked at. An order line is never that long. */
export const LINE_LENGTH_MAX = 10_000;
/** Lines of one part that are looked at: as many as its bytes allow. */
export const LINES_MAX = 256 * 1024;
/** Order lines of one block. */
export const BLOCK_LINES_MAX = 5000;
/** Commands read from one mail. */
export const COMMANDS_MAX = 40;
/** Characters of a command; longer lines are none. */
const COMMAND_LENGTH_MAX = 200;
/** Characters of one PRESS text. */
export const PRESS_LENGTH_MAX = 20_000;
/** Where mail clients wrap at the earliest. */
const WRAP_COLUMN = 72;

/** A mail command as it was written, in line form. */
export interface MailCommand {
  text: string;
  where: 'subject' | 'body';
  /** The words between PRESS and ENDPRESS as written: decoded and unflowed, nothing else done to them. */
  press?: string;
}

/** A profile made ready for use on many lines. */
export interface Words {
  /** Upper case. */
  order: Set<string>;
  freeText: Set<string>;
  script: Set<string>;
  /** A whole game reference. */
  reference: RegExp;
  /** A game reference inside a text, global. */
  referenceWithin: RegExp;
  command: RegExp | undefined;
}

const prepared = new WeakMap<Profile, Words>();

/** The words of a profile; made once for each profile. */
export function wordsOf(profile: Profile): Words {
  let words = prepared.get(profile);
  if (!words) {
    const upper = (list: readonly string[]): Set<string> => new Set(list.map((word) => word.toUpperCase()));
    const commands = profile.commandPatterns ?? [];
    words = {
      order: upper(profile.orderWords),
      freeText: upper(profile.freeTextWords),
      script: upper(profile.scriptWords ?? []),
      reference: new RegExp(`^(?:${profile.gameRefPattern})$`, 'i'),
      referenceWithin: new RegExp(`(?<![A-Za-z0-9])(?:${profile.gameRefPattern})(?![A-Za-z0-9])`, 'i'),
      command:
        commands.length === 0 ? undefined : new RegExp(`^(?:${commands.map((c) => `(?:${c})`).join('|')})$`, 'iu'),
    };
    prepared.set(profile, words);
  }
  return words;
}

function firstWord(line: string): string {
  const blank = line.indexOf(' ');
  const word = blank < 0 ? line : line.slice(0, blank);
  return word.length > 40 ? '' : word.toUpperCase();
}

/** Whether a line in line form begins with an order word. */
export function opensOrder(line: string, words: Words): boolean {
  return words.order.has(firstWord(line));
}

/** Order words that an attribution may begin with as well: `ON 1: …` and `On Monday PBEM wrote:`. */
const OPENS_ATTRIBUTION = new Set([
  'ON',
  'AM',
  'AT',
  'LE',
  'EL',
  'IL',
  'OP',
  'EM',
  'A',
  'DEN',
  'DNE',
  'DNIA',
  'W',
  'I',
]);

/** Whether a line can only be an order, never the beginning of an attribution. */
function surelyOrder(words: Words): (line: string) => boolean {
  return (line) => {
    const word = firstWord(line);
    // The colon of a script has a blank behind it, that of a time has not.
    return words.order.has(word) && (!OPENS_ATTRIBUTION.has(word) || (words.script.has(word) && line.includes(': ')));
  };
}

/** Whether a line in line form is a mail command as a whole. */
function isCommand(line: string, words: Words): boolean {
  return words.command !== undefined && line.length <= COMMAND_LENGTH_MAX && words.command.test(line);
}

/** `END` alone, as people write it. */
function isEnd(line: string): boolean {
  return /^END(?: OF (?:ORDERS|TURN|MAIL))?[.!;]?(?: ?#.*)?$/i.test(line);
}

/** The raw lines of a part's text with PGP and flowing undone, none longer than the limit. */
export function rawLines(text: string, flow: { flowed: boolean; delSp: boolean }, words: Words): string[] {
  const all = text.split(LINE_BREAK);
  const lines = (all.length > LINES_MAX ? all.slice(0, LINES_MAX) : all).map((line) =>
    line.length > LINE_LENGTH_MAX ? line.slice(0, LINE_LENGTH_MAX) : line,
  );
  const open = undoClearSigning(lines);
  return flow.flowed ? unflow(open, flow.delSp, (line) => opensOrder(lineForm(line), words)) : [...open];
}

/** What a text says. */
export interface Reading {
  /** The order block, or undefined where there is none. */
  block?: string[];
  /** The reference of the block's GAME line, upper case. */
  gameRef?: string;
  commands: MailCommand[];
  /** The block that stands in quoted text; looked for only when there is no block and no command. */
  quotedBlock?: string[];
  /** A PGP message stands in the text. */
  encrypted: boolean;
}

/** How lines are joined: flowed text and HTML already have whole lines, wrapped text may not. */
export type Wrapping = 'flowed' | 'wrapped' | 'html';

/**
 * Reads raw lines: finds the block, the commands and, failing both, a quoted order form. `wrapping` tells of each line
 * how its text came.
 */
export function readLines(raw: readonly string[], wrapping: (line: number) => Wrapping, words: Words): Reading {
  const forms = raw.map(lineForm);
  const { commands, taken, end } = scanOwnWords(raw, forms, words);
  const start = findStart(forms, 0, end, taken, words);
  const reading: Reading = {
    commands: commands.map(({ command }) => command),
    encrypted: forms.some((line) => line.startsWith('-----BEGIN PGP MESSAGE-----')),
  };
  if (start >= 0) {
    const stop = findStop(forms, start, words);
    // Commands count above the block and inside it, never below.
    reading.commands = commands.filter(({ at }) => at < stop).map(({ command }) => command);
    reading.block = joinBlock(raw, forms, start, stop, taken, wrapping, words);
    const reference = gameOf(reading.block[0] ?? '', words);
    if (reference !== undefined) reading.gameRef = reference;
  } else if (commands.length === 0) {
    const quoted = quotedBlock(raw, forms, end, words);
    if (quoted) reading.quotedBlock = quoted;
  }
  return reading;
}

interface OwnWords {
  commands: { command: MailCommand; at: number }[];
  /** Lines that are no part of a block: press texts, commands and attributions. */
  taken: Set<number>;
  /** The first line that can't be the player's own: signature, forwarded or original message, unmarked quote. */
  end: number;
}

function scanOwnWords(raw: readonly string[], forms: readonly string[], words: Words): OwnWords {
  const own: OwnWords = { commands: [], taken: new Set(), end: forms.length };
  const isOrder = surelyOrder(words);
  let lastEnd = -1;
  for (let i = forms.length - 1; i >= 0 && lastEnd < 0; i--) if (/^ENDPRESS$/i.test(forms[i]!)) lastEnd = i;
  for (let i = 0; i < forms.length; i++) {
    const line = forms[i]!;
    if (line === '' || line.startsWith('>')) continue;
    if (isSignature(line) || isOldMessage(line) || isHeaderBlock(forms, i)) {
      own.end = i;
      break;
    }
    const attribution = attributionLength(forms, i, isOrder);
    if (attribution > 0) {
      // A quote without marks follows: none of it is the player's.
      const next = forms.slice(i + attribution, i + attribution + 6).find((below) => below !== '');
      if (next !== undefined && !next.startsWith('>')) {
        own.end = i;
        break;
      }
      for (let at = i; at < i + attribution; at++) own.taken.add(at);
      i += attribution - 1;
      continue;
    }
    if (!isCommand(line, words) || own.commands.length >= COMMANDS_MAX) continue;
    const command: MailCommand = { text: line, where: 'body' };
    own.commands.push({ command, at: i });
    if (!words.order.has(firstWord(line))) own.taken.add(i);
    if (firstWord(line) !== 'PRESS' || lastEnd <= i) continue;
    let close = i + 1;
    while (!/^ENDPRESS$/i.test(forms[close]!)) close++;
    const text = raw.slice(i + 1, close).map((rest) => readableCharacters(rest).replaceAll('\0', '').trimEnd());
    command.press = text.join('\n').slice(0, PRESS_LENGTH_MAX);
    for (let at = i; at <= close; at++) own.taken.add(at);
    i = close;
  }
  return own;
}

function gameOf(line: string, words: Words): string | undefined {
  const match = /^GAME (\S+?)[.,;:]?(?: (\S+).*)?$/i.exec(line);
  if (!match || !words.reference.test(match[1]!)) return undefined;
  const next = match[2];
  const fits = next === undefined || next.startsWith('#') || words.order.has(next.toUpperCase()) || HEADER.test(next);
  return fits ? match[1]!.toUpperCase() : undefined;
}

/** Words that may follow on a GAME line. */
const HEADER = /^(?:TURN|BATTLE|SIDE|STEP|MAIL|AFTER)$/i;

function findStart(
  forms: readonly string[],
  from: number,
  end: number,
  taken: ReadonlySet<number>,
  words: Words,
): number {
  let second = -1;
  let hopeless = from;
  for (let i = from; i < end; i++) {
    const line = forms[i]!;
    if (line === '' || line.startsWith('>') || taken.has(i) || !words.order.has(firstWord(line))) continue;
    if (gameOf(line, words) !== undefined) return i;
    // A script line has a colon; without one `On 3 May` is a date.
    if (words.script.has(firstWord(line)) && !line.includes(':')) continue;
    if (second >= 0 || !line.includes(' ')) continue;
    if (/\d/.test(line)) second = i;
    else if (i >= hopeless && !/[.,:!?]$/.test(line)) {
      const prose = firstProse(forms, i, end, taken, words);
      if (prose < 0) second = i;
      else hopeless = prose;
    }
  }
  return second;
}

/**
 * `SECTIONS C E` has no number, but where nothing else than order lines stands down to FINAL, END or the end of the
 * player's words it is no prose. Gives the first line that is none, or -1; a start above that line is as hopeless.
 */
function firstProse(
  forms: readonly string[],
  from: number,
  end: number,
  taken: ReadonlySet<number>,
  words: Words,
): number {
  for (let i = from; i < end; i++) {
    const line = forms[i]!;
    if (line === '' || line.startsWith('#') || taken.has(i)) continue;
    if (isEnd(line) || /^FINAL[.!]?$/i.test(line)) return -1;
    if (!words.order.has(firstWord(line))) return i;
  }
  return -1;
}

/** The first line behind the block: after END, or where without END the player's words stop. */
function findStop(forms: readonly string[], start: number, words: Words): number {
  const isOrder = surelyOrder(words);
  let separator = -1;
  for (let i = start + 1; i < forms.length; i++) {
    const line = forms[i]!;
    if (line === '' || line.startsWith('>')) continue;
    if (isEnd(line)) return i + 1;
    if (isOrder(line)) continue;
    const sure =
      isSignature(line) ||
      isOldMessage(line) ||
      isArmour(line) ||
      isDeviceSignature(line) ||
      isHeaderBlock(forms, i) ||
      attributionLength(forms, i, isOrder) > 0;
    if (sure) return separator >= 0 ? separator : i;
    if (separator < 0 && isSeparator(line)) separator = i;
  }
  return separator >= 0 ? separator : forms.length;
}

interface Joined {
  /** What the line is made of; joined only at the end, so that a thousand pieces cost no more than their length. */
  pieces: string[];
  /** Length of the last line as it was written. */
  length: number;
  at: number;
  free: boolean;
  script: boolean;
}

function joinBlock(
  raw: readonly string[],
  forms: readonly string[],
  start: number,
  stop: number,
  taken: ReadonlySet<number>,
  wrapping: (line: number) => Wrapping,
  words: Words,
): string[] {
  const joined: Joined[] = [];
  for (let i = start; i < stop && joined.length < BLOCK_LINES_MAX; i++) {
    const line = forms[i]!;
    if (line === '' || line.startsWith('>') || taken.has(i)) continue;
    const above = joined.at(-1);
    const length = raw[i]!.trimEnd().length;
    const touching = above !== undefined && above.at === i - 1 && wrapping(i) !== 'flowed';
    if (touching && continues(above, line, wrapping(i), words)) {
      append(above, line);
      above.length = length;
      above.at = i;
    } else {
      const word = firstWord(line);
      joined.push({ pieces: [line], length, at: i, free: words.freeText.has(word), script: words.script.has(word) });
    }
  }
  return joined.map(({ pieces, free }) => (free ? pieces.join('') : letterArrows(pieces.join(''))));
}

/** Outlook's arrow, typed in Wingdings, comes as a lone `à` once the font is lost. */
function letterArrows(text: string): string {
  return text.includes('à') ? text.replace(/ à(?= |$)/g, ' ->') : text;
}

function continues(above: Joined, line: string, wrapping: Wrapping, words: Words): boolean {
  if (words.order.has(firstWord(line)) || isCommand(line, words)) return false;
  if (line.startsWith('//')) return false;
  const last = above.pieces.at(-1)!;
  if (/^(?:->|,|\|)/.test(line) || last.endsWith('->') || last.endsWith(',') || last.endsWith('|')) return true;
  if (!above.free && (line.startsWith('à ') || last.endsWith(' à'))) return true;
  if (wrapping === 'html') return false;
  const word = line.indexOf(' ') < 0 ? line.length : line.indexOf(' ');
  return above.length + 1 + word > WRAP_COLUMN;
}

function append(above: Joined, line: string): void {
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

/** A block in quoted words: lines behind `>`, or everything below the player's own. */
function quotedBlock(
  raw: readonly string[],
  forms: readonly string[],
  end: number,
  words: Words,
): string[] | undefined {
  const quotedRaw: string[] = [];
  forms.forEach((line, i) => {
    if (line.startsWith('>')) quotedRaw.push(raw[i]!.replace(/^[\s>]+/, ''));
    else if (i > end) quotedRaw.push(raw[i]!);
  });
  if (quotedRaw.length === 0) return undefined;
  const quotedForms = quotedRaw.map(lineForm);
  const none = new Set<number>();
  const start = findStart(quotedForms, 0, quotedForms.length, none, words);
  if (start < 0) return undefined;
  return joinBlock(quotedRaw, quotedForms, start, findStop(quotedForms, start, words), none, () => 'wrapped', words);
}

/** The commands of a subject: behind `Re:` and bracketed references it must be one whole command. */
export function subjectCommands(subject: string, words: Words): MailCommand[] {
  const text = subject
    .replace(/^(?:(?:re|aw|antw|antwort|sv|vs|odp|ref|rif|res|r|回复|答复)(?:\[\d{1,3}\])? ?: ?){1,10}/iu, '')
    .replace(/^(?:\[[^\][]{1,60}\] ?){1,5}/, '')
    .replace(/^(?:(?:re|aw|antw|antwort|sv|vs|odp|ref|rif|res|r)(?:\[\d{1,3}\])? ?: ?){1,10}/iu, '')
    .trim();
  return isCommand(text, words) ? [{ text, where: 'subject' }] : [];
}
