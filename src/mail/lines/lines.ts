/**
 * From the text of a part to what its writer says: quotes and our own text set aside, the order blocks and the commands
 * found, and every other line of his named. Everything here is linear in the number of
 * lines.
 */
import { isFrameLine, looksLikeOrder, unmarked } from '../../kernel/frame.ts';
import { lineForm, readableCharacters, splitLines } from '../bytes/lineform.ts';
import {
  chatIn,
  counts,
  finalIn,
  findStart,
  findStop,
  gameOf,
  isHeader,
  type Joined,
  joinBlock,
  type Lines,
  nextHead,
  type Wrapping,
} from './block.ts';
import { attributionLength, isHeaderBlock, isOldMessage, isSeparator, isSignature } from './ends.ts';
import { labelRun } from './labels.ts';
import { oursFrom } from './ours.ts';
import { firstWord, isCommand, opensOrder, type ProfileWords, surelyOrder } from './profilewords.ts';
import { quotedBlocks } from './quoted.ts';
import { undoClearSigning, unflow } from './unflow.ts';

/** Characters of one line that are looked at. An order line is never that long. */
const LINE_LENGTH_MAX = 10_000;
/** Lines of one part that are looked at: as many as its bytes allow. */
const LINES_MAX = 256 * 1024;
/** Commands read from one mail. */
const COMMANDS_MAX = 40;
/** Characters of one PRESS text. */
const PRESS_LENGTH_MAX = 20_000;
/** Lines of a mail that are named because they were not read. */
const NAMED_MAX = 200;

/** A mail command as it was written, in line form. */
export interface MailCommand {
  text: string;
  where: 'subject' | 'body';
  /** The words between PRESS and ENDPRESS as written: decoded and unflowed, nothing else done to them. */
  press?: string;
}

/** What a text says. */
export interface MailReading {
  /** The order block, or undefined where there is none; further blocks with a header of their own follow the first. */
  block?: string[];
  /** Nothing ends the block before the text does. */
  toTheEnd?: true;
  /** Lines of the block that are chat, by their place in it. */
  chat: ReadonlySet<number>;
  /** The reference of the block's GAME line, upper case. */
  gameRef?: string | undefined;
  commands: MailCommand[];
  /** Those of them that stand outside of the block. */
  commandsOutside: MailCommand[];
  /** The writer's own lines that are neither orders nor commands, in the order written. */
  notRead: string[];
  /** Own lines outside of any block that look like orders. */
  strays: string[];
  /** Typed numbers before the lines of the block don't run 1, 2, 3. */
  misnumbered: boolean;
  /** Lines of the block with a typed number, as written. */
  numbered: string[];
  /** Words of the writer stand above the block. */
  proseAbove: boolean;
  /** Forms that stand in quoted text. */
  quotedBlocks: string[][];
  /** A PGP message stands in the text. */
  encrypted: boolean;
}

/** A text that says nothing. */
export function nothingRead(): MailReading {
  return {
    chat: new Set(),
    commands: [],
    commandsOutside: [],
    notRead: [],
    strays: [],
    misnumbered: false,
    numbered: [],
    proseAbove: false,
    quotedBlocks: [],
    encrypted: false,
  };
}

/** The raw lines of a part's text with PGP and flowing undone, none longer than the limit. */
export function rawLines(
  text: string,
  flow: { flowed: boolean; delSp: boolean },
  words: ProfileWords,
): readonly string[] {
  const all = splitLines(text);
  const lines = all.length > LINES_MAX ? all.slice(0, LINES_MAX) : all;
  for (let i = 0; i < lines.length; i++)
    if (lines[i]!.length > LINE_LENGTH_MAX) lines[i] = lines[i]!.slice(0, LINE_LENGTH_MAX);
  const open = undoClearSigning(lines);
  return flow.flowed ? unflow(open, flow.delSp, (line) => opensOrder(lineForm(line), words)) : open;
}

/** Reads raw lines. `wrapping` tells of each line how its text came. */
export function readLines(
  raw: readonly string[],
  wrapping: (line: number) => Wrapping,
  words: ProfileWords,
): MailReading {
  const written = raw.map(lineForm);
  const own = scanOwn(raw, written, words);
  const { forms, firsts, numbers, end } = own;
  const lines: Lines = { raw, forms, firsts, numbers, taken: own.taken, end, wrapping };
  const reading = nothingRead();
  reading.encrypted = written.some((line) => line.startsWith('-----BEGIN PGP MESSAGE-----'));
  const { block, ranges } = blocksIn(lines, words);
  if (block.length > 0) {
    reading.block = block.map(({ text }) => text);
    if (ranges.at(-1)![1] >= forms.length) reading.toTheEnd = true;
    reading.chat = chatIn(block, finalIn(lines, ranges[0]![0], ranges.at(-1)![1]), words);
    reading.misnumbered = !runOn(block, numbers);
    reading.numbered =
      numbers.size === 0 ? [] : block.filter(({ from }) => numbers.has(from)).map(({ from }) => written[from]!);
    for (const { text, word } of block) if (word === 'GAME') reading.gameRef ??= gameOf(text, words);
  }
  if (own.commands.length > 0) sortCommands(reading, own, block, ranges, words);
  nameTheRest(reading, lines, written, block, ranges, words);
  reading.proseAbove = proseAbove(lines, ranges[0]?.[0] ?? -1);
  if (block.length === 0) reading.quotedBlocks = quotedBlocks(raw, written, end, words);
  return reading;
}

/** A stretch of lines: the first, and the first behind it. */
type Range = [from: number, to: number];

function isWithin(ranges: readonly Range[], i: number): boolean {
  return ranges.some(([from, to]) => i >= from && i < to);
}

/** Which commands count: an order word is none inside a block that holds more than it. */
function sortCommands(
  reading: MailReading,
  { commands, firsts }: OwnWords,
  block: readonly Joined[],
  ranges: readonly Range[],
  words: ProfileWords,
): void {
  const alone = block.filter(({ word }) => words.order.has(word)).length < 2;
  for (const { command, at } of commands) {
    const inside = isWithin(ranges, at);
    if (inside && !alone && words.verbs.has(firsts[at]!)) continue;
    reading.commands.push(command);
    if (!inside) reading.commandsOutside.push(command);
  }
}

function proseAbove(lines: Lines, start: number): boolean {
  for (let i = 0; i < start; i++) if (lines.forms[i]!.includes(' ') && counts(lines, i)) return true;
  return false;
}

interface OwnWords {
  /** Own lines without list marks, all others as they are. */
  forms: string[];
  /** The first words of own lines, in upper case; of all others nothing. */
  firsts: string[];
  /** Numbers that stood before lines. */
  numbers: Map<number, number>;
  commands: { command: MailCommand; at: number }[];
  /** Lines that are no part of a block: press texts, commands and attributions above marked quotes. */
  taken: Set<number>;
  /** The first line that isn't the writer's own: signature, forwarded or original message, unmarked quote, our text. */
  end: number;
}

function scanOwn(raw: readonly string[], written: readonly string[], words: ProfileWords): OwnWords {
  const opens = (text: string): boolean => opensOrder(text, words) || isCommand(text, words);
  const own: OwnWords = {
    forms: [...written],
    firsts: written.map(() => ''),
    numbers: new Map(),
    commands: [],
    taken: new Set(),
    end: written.length,
  };
  const { forms, firsts, taken } = own;
  let lastEnd = -1;
  for (let i = written.length - 1; i >= 0 && lastEnd < 0; i--) if (/^ENDPRESS$/i.test(written[i]!)) lastEnd = i;
  for (let i = 0; i < written.length; i++) {
    const line = written[i]!;
    if (line === '' || line.startsWith('>')) continue;
    let word = firstWord(line);
    const quoted = quotedFrom(written, i, word, words);
    if (quoted === 'all') {
      own.end = i;
      break;
    }
    if (quoted > 0) {
      for (let at = i; at < i + quoted; at++) taken.add(at);
      i += quoted - 1;
      continue;
    }
    let text = line;
    if (line.includes('*') || !words.order.has(word)) {
      const bare = unmarked(line, opens);
      if (bare.number !== undefined) own.numbers.set(i, bare.number);
      if (bare.text !== line) {
        text = bare.text;
        forms[i] = text;
        word = firstWord(text);
      }
    }
    firsts[i] = word;
    if (!isCommand(text, words) || own.commands.length >= COMMANDS_MAX) continue;
    const command: MailCommand = { text, where: 'body' };
    own.commands.push({ command, at: i });
    if (!words.order.has(word)) taken.add(i);
    if (word !== 'PRESS' || lastEnd <= i) continue;
    let close = i + 1;
    while (!/^ENDPRESS$/i.test(written[close]!)) close++;
    const press = raw.slice(i + 1, close).map((rest) => readableCharacters(rest).replaceAll('\0', '').trimEnd());
    command.press = press.join('\n').slice(0, PRESS_LENGTH_MAX);
    for (let at = i; at <= close; at++) taken.add(at);
    i = close;
  }
  const { isOurs } = words;
  if (isOurs) {
    // A heading of ours may read like a command.
    const heads = new Set(own.commands.map(({ at }) => at).filter((at) => isHeading(written[at]!)));
    own.end = oursFrom(written, own.end, (line, i) => (!taken.has(i) || heads.has(i)) && isOurs(line));
  }
  own.commands = own.commands.filter(({ at }) => at < own.end);
  return own;
}

/** Some words in capitals. */
function isHeading(line: string): boolean {
  return line.includes(' ') && !/\p{Ll}|\d/u.test(line);
}

/**
 * Whether quoted text begins at a line: `all` from there on, or the number of lines of an attribution below which the
 * quote is marked.
 */
function quotedFrom(lines: readonly string[], i: number, word: string, words: ProfileWords): 'all' | number {
  const line = lines[i]!;
  // Most lines of an order mail are told by their first word.
  if (surelyOrder(word, line, words)) return labelRun(lines, i, words) > 0 ? 'all' : 0;
  if (isSignature(line) || isOldMessage(line) || isHeaderBlock(lines, i) || labelRun(lines, i, words) > 0) return 'all';
  const attribution = attributionLength(
    lines,
    i,
    (text) => surelyOrder(firstWord(text), text, words),
    (text) => words.ownAddress.test(text),
  );
  if (attribution === 0) return 0;
  // A quote without marks follows: none of it is the player's.
  const next = lines.slice(i + attribution, i + attribution + 6).find((below) => below !== '');
  return next !== undefined && !next.startsWith('>') ? 'all' : attribution;
}

/** The first block, and every later one with a header of its own. */
function blocksIn(lines: Lines, words: ProfileWords): { block: Joined[]; ranges: Range[] } {
  const block: Joined[] = [];
  const ranges: Range[] = [];
  let start = findStart(lines, words);
  while (start >= 0) {
    const stop = findStop(lines, start, words);
    block.push(...joinBlock(lines, start, stop, words));
    ranges.push([start, stop]);
    start = nextHead(lines, stop, words);
  }
  return { block, ranges };
}

/** Whether typed numbers before the lines of a block, where there are any, run 1, 2, 3. */
function runOn(block: readonly Joined[], numbers: ReadonlyMap<number, number>): boolean {
  if (numbers.size === 0) return true;
  const typed = block.flatMap(({ from }) => numbers.get(from) ?? []);
  return typed.every((number, i) => number === i + 1);
}

/** Every own line that is no order and no command is named; what looks like an order is told apart. */
function nameTheRest(
  reading: MailReading,
  lines: Lines,
  written: readonly string[],
  block: readonly Joined[],
  ranges: readonly Range[],
  words: ProfileWords,
): void {
  const chat = new Set<number>();
  for (const place of reading.chat) for (let i = block[place]!.from; i <= block[place]!.at; i++) chat.add(i);
  for (let i = 0; i < lines.end && reading.notRead.length + reading.strays.length < NAMED_MAX; i++) {
    if (!counts(lines, i) || (!chat.has(i) && isWithin(ranges, i))) continue;
    const line = lines.forms[i]!;
    if (isSeparator(line) || isFrameLine(line, 'END') || isCommand(line, words) || isHeader(line, words)) continue;
    if (!chat.has(i) && looksLikeOrder(line, words.verbs)) reading.strays.push(line);
    else reading.notRead.push(written[i]!);
  }
}

/** The commands of a subject: behind `Re:` and bracketed references it must be one whole command. */
export function subjectCommands(subject: string, words: ProfileWords): MailCommand[] {
  if (words.command === undefined) return [];
  const text = subject
    .replace(/^(?:(?:re|aw|antw|antwort|sv|vs|odp|ref|rif|res|r|回复|答复)(?:\[\d{1,3}\])? ?: ?){1,10}/iu, '')
    .replace(/^(?:\[[^\][]{1,60}\] ?){1,5}/, '')
    .replace(/^(?:(?:re|aw|antw|antwort|sv|vs|odp|ref|rif|res|r)(?:\[\d{1,3}\])? ?: ?){1,10}/iu, '')
    .trim();
  return isCommand(text, words) ? [{ text, where: 'subject' }] : [];
}
