/** A mail as a person reads it: its header and its text parts decoded, of everything else the names. For people who look into it. */
import { clip, decodeText } from './charset.ts';
import { type MailField, readable } from './headers.ts';
import { htmlToLines } from './html.ts';
import { splitMail } from './mime.ts';

/** Text parts that are shown. */
const PARTS_SHOWN = 10;

export interface PlainMail {
  /** Header lines in their order, each one line. */
  header: string[];
  text: string;
  /** Parts that are no text: type and name. */
  files: string[];
}

/** The words of a raw mail. Never throws; of a mail that breaks a limit there is only the header. */
export async function plainMail(raw: Buffer): Promise<PlainMail> {
  const { fields, leaves, broken } = await splitMail(raw);
  const shown = broken ? [] : leaves;
  const texts = shown.filter((leaf) => leaf.type.startsWith('text/')).slice(0, PARTS_SHOWN);
  return {
    header: fields.map((field: MailField) => `${field.name}: ${readable(field.value)}`),
    text: texts
      .map((leaf) => {
        const text = decodeText(clip(leaf.bytes()).bytes, leaf.charset);
        return (leaf.type === 'text/html' ? htmlToLines(text, 'with-quotes') : text).replace(/\r\n?/g, '\n').trimEnd();
      })
      .join('\n\n'),
    files: shown
      .filter((leaf) => !texts.includes(leaf))
      .map((leaf) => `${leaf.type} ${readable(leaf.fileName)}`.trim()),
  };
}
