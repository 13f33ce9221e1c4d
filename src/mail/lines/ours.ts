/**
 * Lines that our own mails are made of, known by the texts they are made from and not by how a client quotes them: in any
 * layout, behind any mark, below labels of any language.
 */
import type { Profile } from '../profile.ts';

/** Lines of ours that stand close together: two of them are a mail of ours. */
const NEAR = 12;
const LINE_LENGTH_MAX = 400;
/** What clients put before quoted lines besides `>`. */
const QUOTE_MARKS = /^(?:[|»"':*•·\]}>-]\s*)+/;

/** Tells lines of ours, in line form; a profile without `ownLines` knows none. */
export function oursOf(profile: Profile): (line: string) => boolean {
  const sources = profile.ownLines ?? [];
  if (sources.length === 0) return () => false;
  const pattern = new RegExp(`^(?:${sources.map((source) => `(?:${source})`).join('|')})`, 'iu');
  return (line) => line.length <= LINE_LENGTH_MAX && pattern.test(line.replace(QUOTE_MARKS, ''));
}

/**
 * Where quoted text of ours begins without any mark: the first of two lines of ours that stand close together. A single
 * one proves nothing. Gives `end` where there is none.
 */
export function oursFrom(lines: readonly string[], end: number, isOurs: (line: string, i: number) => boolean): number {
  let last = -1;
  let between = 0;
  for (let i = 0; i < end; i++) {
    const line = lines[i]!;
    if (line === '' || line.startsWith('>')) continue;
    between++;
    if (!isOurs(line, i)) continue;
    if (last >= 0 && between <= NEAR) return last;
    last = i;
    between = 0;
  }
  return end;
}
