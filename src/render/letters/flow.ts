/**
 * Plain text for mails: paragraphs folded at 72 columns with soft breaks (format=flowed, RFC 3676), other lines left alone.
 *
 * Marks inside a text to be laid out: lines that start with `EXACT` are copied as they are; lines that start with `BULLET`
 * hang under a dash.
 */
export const EXACT = '\u0001';
export const BULLET = '\u0002';
/** Columns of a line, the soft break's space included. */
export const COLUMNS = 72;

/** A line that a reader might take for a quote, a mailbox separator or stuffing gets a space before it (RFC 3676 4.4). */
function stuffed(line: string): string {
  return /^( |>|From )/.test(line) ? ` ${line}` : line;
}

/**
 * Folds one paragraph; every line but the last ends in a space. Words longer than a line stand alone. `first`: columns of
 * the first line that something else takes.
 */
export function folded(text: string, indent = '', first = 0): string[] {
  const words = text.split(/\s+/).filter((word) => word !== '');
  const lines: string[] = [];
  let line = '';
  for (const word of words) {
    const hang = lines.length === 0 ? '' : indent;
    const next = line === '' ? hang + word : `${line} ${word}`;
    const taken = lines.length === 0 ? first : 0;
    if (next.length + 1 + taken > COLUMNS && line !== '') {
      lines.push(`${line} `);
      line = indent + word;
    } else line = next;
  }
  if (line !== '') lines.push(line);
  return lines;
}

/** Lays out a rendered text template: no more than one blank line in a row, paragraphs folded, one newline at the end. */
export function laidOut(text: string): string {
  const out: string[] = [];
  for (const raw of text.split('\n')) {
    if (raw.startsWith(EXACT)) {
      const exact = raw.slice(1);
      // A trailing space would join the line to the next one; only the signature mark keeps its own.
      out.push(exact === '-- ' ? exact : stuffed(exact.trimEnd()));
    } else if (raw.startsWith(BULLET)) {
      // Blanks before a bullet's words say how deep it stands; one more goes for the stuffing.
      const blanks = /^ */.exec(raw.slice(1))![0];
      const lines = folded(`- ${raw.slice(1)}`, '  ', blanks === '' ? 0 : blanks.length + 1);
      out.push(...lines.map((line, i) => (i === 0 ? stuffed(blanks + line) : line.trimStart())));
    } else if (raw.trim() === '') {
      if (out.length > 0 && out[out.length - 1] !== '') out.push('');
    } else {
      const blanks = /^ */.exec(raw)![0];
      const room = blanks === '' ? 0 : blanks.length + 1;
      out.push(...folded(raw, '', room).map((line, i) => stuffed(i === 0 ? blanks + line : line)));
    }
  }
  while (out[out.length - 1] === '') out.pop();
  return `${out.join('\n')}\n`;
}
