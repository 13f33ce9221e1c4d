/**
 * Lines that our own mails are made of, known by the texts they are made from and not by how a client quotes them: in any
 * layout, behind any mark, below labels of any language.
 */
import { readHeaderLine } from '../../kernel/frame.ts';
import type { Profile } from '../profile.ts';

/** Lines of ours that stand close together: two of them are a mail of ours. */
const NEAR = 12;
const LINE_LENGTH_MAX = 400;
/**
 * What clients put before quoted lines besides `>`: bars, arrows, bullets, an escaped `>`. A comment's `#` is none: the
 * comments of a form are the player's where he pastes it.
 */
const QUOTE_MARKS = /^(?:(?:&gt;|[^\p{L}\p{N}\s#])\s*){1,12}/u;

/** Tells lines of ours, in line form; undefined for a profile without `ownLines`. */
export function oursOf(profile: Profile): ((line: string) => boolean) | undefined {
  const sources = profile.ownLines ?? [];
  if (sources.length === 0) return undefined;
  // A line is compared with the texts of its first letter alone, and with those that begin with none.
  const letters = new Map<string, string[]>();
  const others: string[] = [];
  for (const source of sources) {
    const letter = /^\p{L}(?![?*{])/u.exec(source)?.[0].toLowerCase();
    if (letter === undefined) others.push(source);
    else letters.set(letter, [...(letters.get(letter) ?? []), source]);
  }
  const joined = (some: readonly string[]): RegExp =>
    new RegExp(some.length === 0 ? '(?!)' : `^(?:${some.map((source) => `(?:${source})`).join('|')})`, 'iu');
  const patterns = new Map([...letters].map(([letter, some]) => [letter, joined([...some, ...others])]));
  const rest = joined(others);
  const isText = (text: string): boolean => (patterns.get(text.slice(0, 1).toLowerCase()) ?? rest).test(text);
  return (line) => {
    if (line.length > LINE_LENGTH_MAX) return false;
    if (isText(line)) return true;
    const bare = line.replace(QUOTE_MARKS, '');
    return bare !== line && bare !== '' && isText(bare);
  };
}

/**
 * Where quoted text of ours begins without any mark: the first of two lines of ours that stand close together. A single
 * one proves nothing, unless it is the title of a form. Gives `end` where there is none.
 */
export function oursFrom(lines: readonly string[], end: number, isOurs: (line: string, i: number) => boolean): number {
  let last = -1;
  let between = 0;
  let titled = -1;
  for (let i = 0; i < end; i++) {
    const line = lines[i]!;
    if (line === '' || line.startsWith('>')) continue;
    between++;
    if (!isOurs(line, i)) continue;
    if (last >= 0 && between <= NEAR) return titled < 0 ? last : titled;
    last = i;
    between = 0;
    if (titled < 0 && isTitle(lines, i, end)) titled = i;
  }
  return titled < 0 ? end : titled;
}

/** Lines below a single line of ours in which a form is looked for. */
const FORM_NEAR = 6;

/** Whether a form stands below a line of ours. A form is known by its header, with turn and side, or by our comments. */
function isTitle(lines: readonly string[], at: number, end: number): boolean {
  let seen = 0;
  for (let i = at + 1; i < end && seen < FORM_NEAR; i++) {
    const line = lines[i]!;
    if (line === '') continue;
    seen++;
    const fields = readHeaderLine(line)?.map(({ name }) => name);
    const isForm = fields?.includes('SIDE') && (fields.includes('TURN') || fields.includes('BATTLE'));
    if (isForm || /\S # ?\S/.test(line)) return true;
  }
  return false;
}
