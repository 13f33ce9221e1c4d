/**
 * Lines that our own mails are made of, known by the texts they are made from and not by how a client quotes them: in any
 * layout, behind any mark, below labels of any language.
 */
import { readHeaderLine } from '../../kernel/frame.ts';
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

/** Lines below a single line of ours in which a form is looked for. */
const FORM_NEAR = 6;

/**
 * Where a form of ours stands below a single line of ours, such as its title: from that line on the text is quoted. A form
 * is known by its header, which names turn and side on one line, or by our comments. Gives `end` where there is none.
 */
export function formFrom(lines: readonly string[], end: number, isOurs: (line: string, i: number) => boolean): number {
  for (let i = 0; i < end; i++) {
    if (lines[i] === '' || lines[i]!.startsWith('>') || !isOurs(lines[i]!, i)) continue;
    let seen = 0;
    for (let below = i + 1; below < end && seen < FORM_NEAR; below++) {
      const line = lines[below]!;
      if (line === '') continue;
      seen++;
      const fields = readHeaderLine(line)?.map(({ name }) => name);
      const ours = fields?.includes('SIDE') && (fields.includes('TURN') || fields.includes('BATTLE'));
      if (ours || /\S # ?\S/.test(line)) return i;
    }
  }
  return end;
}
