/**
 * What lines of our own mails look like, made from the texts that the mails are made from, in every language that stands
 * in templates: the intake knows a quotation of ours by them.
 */
import { wordingTexts } from '../../render/words.ts';

/** Letters that a line must share with a text of ours, and as many are compared: lines are wrapped. */
const LETTERS_MIN = 18;
const LETTERS_MOST = 34;
/** Headings stand alone on their line, in capitals. */
const HEADING_LETTERS_MIN = 8;
const ANYTHING = '.{1,80}?';
/** A parameter in which a number stands: of a turn, of a receipt. */
const NUMBERED = '\\D{0,20}\\d.{0,80}?';
const HEADINGS = /^(?:report|receipt)\.[a-z]+(?:\.standing)?$/;

/**
 * Sources of regular expressions for the beginnings of our lines. `reference` is the pattern of a game reference, `games`
 * are the systems whose reports we send.
 */
export function ownLines(folders: readonly string[], reference: string, games: readonly string[] = []): string[] {
  const lines: string[] = [`${reference} · \\S`];
  for (const [name, key, text] of wordingTexts(['service', 'post', 'club', ...games], folders)) {
    if ((name === 'club' || games.includes(name)) && key.startsWith('help')) continue;
    if (/^subject\.|^map\.|^legend\./.test(key)) continue;
    if (name === 'post' && key.startsWith('turn label')) lines.push(`${source(text, 99)} · \\S`);
    else if (key === 'receipt.title') lines.push(...numbered(text));
    else if (key.startsWith('summary.')) lines.push(source(text, 99).replace(ANYTHING, NUMBERED));
    else if (/^receipt\.(?:ok|warning|error)$/.test(key)) lines.push(`\\d{1,4} ${source(text, 99)} +\\S`);
    else if (name === 'service' && HEADINGS.test(key) && isHeading(text)) lines.push(`${source(text, 99)}$`);
    else if (letters(text) >= LETTERS_MIN) lines.push(source(text, LETTERS_MOST));
  }
  return [...new Set(lines)].filter(
    (line) => !line.startsWith(ANYTHING) && !line.startsWith('#') && saysSomething(line),
  );
}

/** The title of a receipt, in each of its forms that has a number. */
function numbered(text: string): string[] {
  const forms = text.split(/\{\{(?:[#^/][^}]*|else)\}\}/).filter((form) => form.includes('{{'));
  return forms.map((form) => `${source(form, 99).replace(ANYTHING, '\\d{1,6}')}(?:\\.|$)`);
}

/** A pattern that nothing at all fits is no line of ours. */
function saysSomething(line: string): boolean {
  return !new RegExp(`^(?:${line})`, 'iu').test('');
}

function isHeading(text: string): boolean {
  return !/[{.,:;]/.test(text) && letters(text) >= HEADING_LETTERS_MIN;
}

/** The text up to the first condition in it, which may be missing. */
function certain(text: string): string {
  return text.split(/\{\{[#^/]|\n/)[0]!;
}

function letters(text: string): number {
  return (
    certain(text)
      .replace(/\{\{[^}]*\}\}/g, ' ')
      .match(/\p{L}/gu) ?? []
  ).length;
}

/** A text as the source of a pattern in which anything may stand for a parameter, until enough letters are compared. */
function source(text: string, most: number): string {
  let compared = 0;
  let pattern = '';
  for (const piece of certain(text)
    .trim()
    .split(/(\{\{[^}]*\}\}|\s+)/)) {
    if (compared >= most) break;
    if (piece.startsWith('{{')) pattern += ANYTHING;
    else if (piece.trim() === '') pattern += piece === '' ? '' : ' ?';
    else {
      pattern += piece.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&').replace(/['"]/g, '[\'"]');
      compared += piece.length;
    }
  }
  return pattern.replace(/(?: \?)+$/, '');
}
