/**
 * The frame of an order mail in one table: the words around the orders, how they may be written, where they may stand and
 * what punctuation they forgive. Mail, filing, HELP and the pages read it here; a game's own words are in its verbs.
 */

import { known } from './assert.ts';

/** Where a word of the frame may stand: at the head of a block, inside one, or on any line that is the player's own. */
type Place = 'head' | 'block' | 'anywhere';

export interface FrameWord {
  word: string;
  /** Source of the line without the word's forgiven ending, in any case; named groups are its arguments. */
  pattern: string;
  /** Older words for the same: sources of whole lines. */
  synonyms: readonly string[];
  stands: Place;
  /** Characters that may follow and mean nothing. */
  forgives: string;
  /** It opens a line of a block; other words of the table are commands that belong to a block. */
  opens: boolean;
}

const head = (word: string, pattern: string): FrameWord => ({
  word,
  pattern,
  synonyms: [],
  stands: 'head',
  forgives: '.,;:!',
  opens: true,
});

const FINAL: FrameWord = {
  word: 'FINAL',
  pattern: 'final',
  synonyms: ['set +final', '(?:set +)?nowait', '(?:set +)?commit', '(?:set +)?ready', 'finalorders'],
  stands: 'anywhere',
  forgives: '.!;',
  opens: true,
};
const WAIT: FrameWord = {
  word: 'WAIT',
  pattern: 'wait',
  synonyms: ['set +wait'],
  stands: 'anywhere',
  forgives: '.!;',
  opens: true,
};
const ADD: FrameWord = {
  word: 'ADD',
  pattern: 'add',
  synonyms: [],
  stands: 'block',
  forgives: '.!;:',
  opens: true,
};
const END: FrameWord = {
  word: 'END',
  pattern: 'end(?: +of +(?:orders|turn|mail))?',
  synonyms: [],
  stands: 'block',
  forgives: '.!;',
  opens: true,
};

/** Every word of the frame. Header words take one value each and may share a line. */
export const FRAME: readonly FrameWord[] = [
  head('GAME', '\\S+?'),
  head('TURN', '#?\\d{1,6}'),
  head('BATTLE', '#?\\d{1,6}'),
  head('SIDE', '[\\p{L}-]+'),
  head('STEP', '[\\p{L}.-]+?'),
  head('MAIL', '[\\p{L}-]+'),
  ADD,
  {
    word: 'ANSWER',
    pattern: 'answer +(?:#)?(?<q>\\d{1,6}) *[:=]? *(?<rest>\\S.*)',
    synonyms: [],
    stands: 'anywhere',
    forgives: '',
    opens: true,
  },
  FINAL,
  WAIT,
  END,
  { word: 'CHECK', pattern: 'check', synonyms: ['forecast'], stands: 'anywhere', forgives: '.!;:', opens: false },
  {
    word: 'CLEAR',
    pattern: 'clear(?: +orders)?',
    synonyms: ['clear +all'],
    stands: 'anywhere',
    forgives: '.!;',
    opens: false,
  },
  {
    word: 'ACCEPT',
    pattern: 'accept +(?:#)?(?<n>\\d{1,6})',
    synonyms: [],
    stands: 'anywhere',
    forgives: '.!;',
    opens: false,
  },
];

/** The words that open a line of a block in every game. */
export const FRAME_WORDS: readonly string[] = FRAME.filter(({ opens }) => opens).map(({ word }) => word);

/** The row of a word of the frame; our own fault when there is none. */
export function frameWord(word: string): FrameWord {
  return known(
    FRAME.find((one) => one.word === word),
    `no word ${word} in the frame`,
  );
}

/** Source of what is forgiven behind a word. */
export function forgiven({ forgives }: FrameWord): string {
  return forgives === '' ? '' : `[${forgives}]{0,3}`;
}

function whole(row: FrameWord): RegExp {
  return new RegExp(`^(?:${[row.pattern, ...row.synonyms].join('|')}) ?${forgiven(row)}$`, 'iu');
}

const WHOLE = { FINAL: whole(FINAL), WAIT: whole(WAIT), ADD: whole(ADD), END: whole(END) };

/** The letters that these words and their synonyms begin with. */
const BEGINS = { FINAL: 'fsncr', WAIT: 'ws', ADD: 'a', END: 'e' };

/** Whether a line is FINAL, WAIT, ADD or END and nothing else; a comment behind it doesn't count. */
export function isFrameLine(line: string, word: keyof typeof WHOLE): boolean {
  // Asked of every line of a mail: most are told by their first letter.
  if (line.length > 200 || !BEGINS[word].includes(line[0]?.toLowerCase() ?? '-')) return false;
  return WHOLE[word].test(withoutComment(line).trim());
}

/** `#` begins a comment, in every game. */
export function withoutComment(line: string): string {
  const at = line.indexOf('#');
  return at < 0 ? line : line.slice(0, at).trimEnd();
}

/** `//` begins a note that the player gets back in his next form. */
export const NOTE_MARK = '//';

// ---------------------------------------------------------------------------------------------------------------------
// Header lines.

export interface HeaderField {
  name: 'GAME' | 'TURN' | 'BATTLE' | 'AFTER' | 'SIDE' | 'STEP' | 'MAIL';
  value: string;
}

const VALUES: Record<HeaderField['name'], RegExp> = {
  GAME: /^\S+$/,
  TURN: /^#?\d{1,6}$/,
  BATTLE: /^#?\d{1,6}$/,
  AFTER: /^#?\d{1,6}$/,
  SIDE: /^[\p{L}-]+$/u,
  STEP: /^[\p{L}.-]+$/u,
  MAIL: /^[\p{L}-]+$/u,
};
const HEADER_LENGTH_MAX = 200;
const HEADER_BEGINS = /^\s*(?:game|turn|battle|side|step|mail)\b/i;

/**
 * The fields of a header line such as `GAME OVL-0017 TURN 3 SIDE German` or `Turn: 3`; undefined for every other line,
 * also for a sentence that only begins with a header word.
 */
export function readHeaderLine(line: string): HeaderField[] | undefined {
  if (!HEADER_BEGINS.test(line)) return undefined;
  const text = withoutComment(line).trim();
  if (text.length > HEADER_LENGTH_MAX) return undefined;
  const words = text
    .replace(/[.,;:!]+$/, '')
    .replace(/ *[:=,;] */g, ' ')
    .trim()
    .split(/\s+/);
  if (words.length % 2 !== 0) return undefined;
  const fields: HeaderField[] = [];
  for (let i = 0; i < words.length; i += 2) {
    const name = words[i]!.toUpperCase() as HeaderField['name'];
    if (!Object.hasOwn(VALUES, name) || !VALUES[name].test(words[i + 1]!)) return undefined;
    fields.push({ name, value: words[i + 1]!.replace(/^#/, '') });
  }
  return fields;
}

// ---------------------------------------------------------------------------------------------------------------------
// What writing programs put before, around and behind an order.

const NUMBER_MARK = /^\(?(\d{1,3})(?:[.)]|\.\))\s*(?=[\p{L}*_])/u;
const BULLET_MARK = /^(?:[-*+•·◦▪▫‣∙●○■□§]\s*|o\s+)(?=[\p{L}\d*_(])/u;
const WHOLE_BOLD = /^(\*{1,2}|__?)(?=\S)(.*?\S)\1(?=$|[\s.,:;!])/u;
const INNER_BOLD = /(^|\s)\*{1,2}(?=[^\s*])([^*]*[^\s*])\*{1,2}(?=$|[\s.,:;!])/gu;
/** What one of these begins with. */
const MARK_BEGINS = /^(?:[^\p{L}]|o\s)/u;
const MARKS_MAX = 4;

export interface Unmarked {
  text: string;
  /** The number that stood before it, as typed lists have one. */
  number?: number;
}

/**
 * A line without list marks (`1.` `1)` `-` `*` `•`) and Markdown bold where an order or header word follows them, as
 * `opens` says; every other line as it is. `HOLD *` is no bold.
 */
export function unmarked(line: string, opens: (text: string) => boolean): Unmarked {
  if (opens(line)) return { text: line.includes('*') ? line.replace(INNER_BOLD, '$1$2') : line };
  if (!MARK_BEGINS.test(line)) return { text: line };
  let text = line;
  let number: number | undefined;
  for (let n = 0; n < MARKS_MAX; n++) {
    const typed = number === undefined ? NUMBER_MARK.exec(text) : null;
    if (typed) {
      number = Number(typed[1]);
      text = text.slice(typed[0].length);
    } else if (WHOLE_BOLD.test(text)) text = text.replace(WHOLE_BOLD, '$2');
    else if (BULLET_MARK.test(text)) text = text.replace(BULLET_MARK, '');
    else return { text: line };
    if (!opens(text)) continue;
    const plain = text.replace(INNER_BOLD, '$1$2');
    return number === undefined ? { text: plain } : { text: plain, number };
  }
  return { text: line };
}

/** An order without the one full stop that may end it; its comment stays. */
export function withoutFullStop(order: string): string {
  const bare = withoutComment(order);
  if (!/[^.\s] ?\.$/.test(bare)) return order;
  return `${bare.slice(0, -1).trimEnd()}${order.slice(bare.length)}`;
}

/** A remark in parentheses at the end of an order, and the order without it; undefined where there is none. */
export function remarkOf(order: string): { order: string; remark: string } | undefined {
  const bare = withoutComment(order).replace(/(?<=\)) ?\.$/, '');
  const match = /^(.*\S)\s*\(([^()]*)\)$/.exec(bare);
  return match ? { order: withoutFullStop(match[1]!), remark: match[2]! } : undefined;
}

/** Words that make a condition or a choice of a remark, in every game. */
const CONDITIONS = new Set(['IF', 'ONLY', 'NOT', 'UNLESS', 'VIA', 'THEN', 'OR', 'ELSE', 'AFTER']);

/** Whether a remark changes nothing: no digit, no word of a condition, none that `known` holds for a word of the game. */
export function isHarmless(remark: string, known: (word: string) => boolean): boolean {
  if (/\p{N}|->/u.test(remark)) return false;
  const words = remark.match(/[\p{L}\p{M}'/.-]+/gu) ?? [];
  return words.every((written) => {
    const word = written.replace(/\.+$/, '').toUpperCase();
    // A single small letter is an article, not the Section of that letter.
    return !CONDITIONS.has(word) && (/^\p{Ll}$/u.test(written) || !known(word));
  });
}

// ---------------------------------------------------------------------------------------------------------------------
// Lines that stand outside of a block.

/** Steps of typing that a word may be away from an order word and still be meant for it. */
function nearly(word: string, orderWord: string): boolean {
  if (word.length < 3 || Math.abs(word.length - orderWord.length) > 1 || word === orderWord) return false;
  return slips(word, orderWord) <= 1;
}

/** 0, 1 or 2 (many): letters left out, doubled, exchanged or mistaken. */
function slips(a: string, b: string): number {
  let start = 0;
  while (start < a.length && a[start] === b[start]) start++;
  let [endA, endB] = [a.length, b.length];
  while (endA > start && endB > start && a[endA - 1] === b[endB - 1]) {
    endA--;
    endB--;
  }
  const [restA, restB] = [a.slice(start, endA), b.slice(start, endB)];
  if (restA.length <= 1 && restB.length <= 1) return restA === '' && restB === '' ? 0 : 1;
  return restA.length === 2 && restB.length === 2 && restA[0] === restB[1] && restA[1] === restB[0] ? 1 : 2;
}

/** A unit or a place as the games print them: letters and digits in one word, or three and more digits. */
const NAMED = /^(?=[^\s]*\d)(?:[\p{L}\d]+(?:[/.][\p{L}\d]+)*)$/u;
const NO_NAME =
  /^(?:\d{1,2}|\d+(?:st|nd|rd|th|h|am|pm|uhr|km|m|min|kg|e|er)|(?:19|20)\d\d|\d+\/\d+(?:\/\d+)?|\d+\.\d+(?:\.\d+)*)$/i;

function namesSomething(word: string): boolean {
  const bare = word.replace(/^[("']+|[)"'.,;:!?]+$/g, '');
  return NAMED.test(bare) && !NO_NAME.test(bare);
}

const SENTENCE_WORDS_MAX = 12;

/**
 * Whether a line looks like an order, so that it must not be passed over: it begins, or nearly begins, with an order word
 * and goes on like one, or an order word stands within it beside a unit or a place. `verbs` in upper case.
 */
export function looksLikeOrder(line: string, verbs: ReadonlySet<string>): boolean {
  const text = withoutComment(line);
  const digit = /\d/.test(text);
  // One word without a digit names nothing.
  if (!digit && !text.includes(' ')) return false;
  const words = text
    .split(' ')
    .filter((word) => word !== '')
    .slice(0, 60);
  const bare = words.map((word) => word.replace(BARE, ''));
  const names = digit ? words.map(namesSomething) : [];
  const named = names.includes(true) || words.includes('->');
  const first = bare[0]?.toUpperCase() ?? '';
  const shouted = (): boolean => words.length > 1 && bare.every((word) => word === word.toUpperCase());
  if (verbs.has(first)) {
    if (named || shouted()) return true;
    if (words.length < 2 || words.length > SENTENCE_WORDS_MAX || bare[0] !== first) return false;
    // In capitals a verb is no word of a sentence; a short one could be.
    return !/[!?:]/.test(line) && (first.length > 2 || (words.length <= 4 && !/[.,;)]/.test(line)));
  }
  if ((named || (words.length <= 6 && shouted())) && isNear(first, verbs)) return true;
  if (digit && words.includes('->')) return true;
  return digit && words.length <= 4 * SENTENCE_WORDS_MAX && speaksOfOrder(bare, names, verbs);
}

const BARE = /^[("'*_-]+|[)"'.,;:!?*_]+$/g;

function isNear(word: string, verbs: ReadonlySet<string>): boolean {
  for (const verb of verbs) if (nearly(word, verb)) return true;
  return false;
}

/** Whether an order word stands within a line close to a unit or a place. */
function speaksOfOrder(bare: readonly string[], names: readonly boolean[], verbs: ReadonlySet<string>): boolean {
  return bare.some((word, i) => {
    const upper = word.toUpperCase();
    if (!verbs.has(upper)) return false;
    const reach = word === upper && word.length > 2 ? 6 : 3;
    return names.some((name, at) => name && at !== i && Math.abs(at - i) <= reach);
  });
}
