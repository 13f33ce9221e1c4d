/** The words of a profile made ready for use on many lines: what opens an order, what is a command, what is ours. */
import { FRAME_WORDS, looksLikeOrder } from '../../kernel/frame.ts';
import type { Profile } from '../profile.ts';
import { oursOf } from './ours.ts';

/** No order word is longer. */
const WORD_LENGTH_MAX = 40;
const [BLANK, COLON] = [0x20, 0x3a];
/** Characters of a command; longer lines are none. */
const COMMAND_LENGTH_MAX = 200;

/** A profile made ready for use on many lines. */
export interface ProfileWords {
  /** Upper case. */
  order: ReadonlySet<string>;
  /** The order words that belong to a game, not to the frame. */
  verbs: ReadonlySet<string>;
  freeText: ReadonlySet<string>;
  script: ReadonlySet<string>;
  /** What may follow an order word, upper case. */
  grammar: ReadonlySet<string>;
  /** A whole game reference. */
  reference: RegExp;
  /** A game reference inside a text. */
  referenceWithin: RegExp;
  /** An address of ours inside a text. */
  ownAddress: RegExp;
  command: RegExp | undefined;
  /** Whether a line in line form is one that our mails are made of; undefined where nothing is known of them. */
  isOurs: ((line: string) => boolean) | undefined;
}

const prepared = new WeakMap<Profile, ProfileWords>();

/** The words of a profile; made once for each profile. */
export function wordsOf(profile: Profile): ProfileWords {
  let words = prepared.get(profile);
  if (!words) {
    const upper = (list: readonly string[]): Set<string> => new Set(list.map((word) => word.toUpperCase()));
    const commands = profile.commandPatterns ?? [];
    const order = upper(profile.orderWords);
    const mailboxes = profile.ownMailboxes.map(literal).join('|');
    words = {
      order,
      verbs: new Set([...order].filter((word) => !FRAME_WORDS.includes(word))),
      freeText: upper(profile.freeTextWords),
      script: upper(profile.scriptWords ?? []),
      grammar: upper(profile.grammarWords ?? []),
      reference: new RegExp(`^(?:${profile.gameRefPattern})$`, 'i'),
      referenceWithin: new RegExp(`(?<![A-Za-z0-9])(?:${profile.gameRefPattern})(?![A-Za-z0-9])`, 'i'),
      ownAddress: new RegExp(
        `(?<![\\w.+-])(?:${mailboxes})(?:\\+[\\w.-]{1,64})?@${literal(profile.ownDomain)}(?![\\w-])`,
        'i',
      ),
      command:
        commands.length === 0 ? undefined : new RegExp(`^(?:${commands.map((c) => `(?:${c})`).join('|')})$`, 'iu'),
      isOurs: oursOf(profile),
    };
    prepared.set(profile, words);
  }
  return words;
}

function literal(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

/** The first word of a line in upper case; empty when it is longer than any word. */
export function firstWord(line: string): string {
  let end = 0;
  for (; end < line.length; end++) {
    const code = line.charCodeAt(end);
    if (code === BLANK || code === COLON) break;
    if (end === WORD_LENGTH_MAX) return '';
  }
  return line.slice(0, end).toUpperCase();
}

/** Whether a line in line form begins with an order word. */
export function opensOrder(line: string, words: ProfileWords): boolean {
  return words.order.has(firstWord(line));
}

/** Words of an order that has no number in it. */
const SPELLED_WORDS_MAX = 12;

/**
 * Whether a line without a number (`Sections C, E.`, `DOCTRINE RETREAT ROAD, EAST`) is written as an order and not as a
 * sentence: its verb in capitals, or behind the verb nothing but names and words of the grammar.
 */
export function spellsOrder(line: string, words: ProfileWords): boolean {
  if (/[!?:]$/.test(line) || !words.verbs.has(firstWord(line))) return false;
  const rest = line
    .split(' ')
    .slice(1)
    .map((word) => word.replace(/^[("']+|[)"'.,;]+$/g, ''))
    .filter((word) => word !== '');
  if (rest.length === 0 || rest.length > SPELLED_WORDS_MAX) return false;
  if (looksLikeOrder(line, words.verbs)) return true;
  return (
    !line.endsWith(',') && rest.every((word) => /^[\p{Lu}\d]/u.test(word) || words.grammar.has(word.toUpperCase()))
  );
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

/** Whether a line whose first word this is can only be an order, never the beginning of an attribution. */
export function surelyOrder(word: string, line: string, words: ProfileWords): boolean {
  if (!words.order.has(word)) return false;
  // The colon of a script has a blank behind it, that of a time has not.
  return !OPENS_ATTRIBUTION.has(word) || (words.script.has(word) && line.includes(': '));
}

/** Whether a line in line form is a mail command as a whole. */
export function isCommand(line: string, words: ProfileWords): boolean {
  return words.command !== undefined && line.length <= COMMAND_LENGTH_MAX && words.command.test(line);
}
