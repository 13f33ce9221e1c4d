/** A stored mail as a page shows it: its headers, its plain text, its files. */
import { decodeText } from '../../mail/bytes/charset.ts';
import { allFields, readable } from '../../mail/bytes/headers.ts';
import { type Leaf, splitMail } from '../../mail/bytes/mime.ts';
import { DEMO_ADDRESSES } from '../democlub.ts';

const TEXT_CHARS_MAX = 200_000;

export interface MailView {
  subject: string;
  from: string;
  to: string;
  replyTo: string;
  date: string;
  text: string;
  files: { name: string; type: string; bytes: Buffer }[];
}

/** Reads a mail of ours (or anybody's) for showing. Never throws for a malformed one. */
export async function viewMail(raw: Buffer): Promise<MailView> {
  const tree = await splitMail(raw);
  const field = (name: string): string => readable(allFields(tree.fields, name)[0] ?? '');
  const isFile = (leaf: Leaf): boolean => leaf.disposition === 'attachment' || leaf.fileName !== '';
  const body = tree.leaves.find((leaf) => leaf.type === 'text/plain' && !isFile(leaf));
  const text = body ? decodeText(body.bytes(), body.charset) : '';
  return {
    subject: field('subject'),
    from: field('from'),
    to: field('to'),
    replyTo: field('reply-to'),
    date: field('date'),
    text: (body?.flowed ? unflow(text) : text).replaceAll('\r\n', '\n').slice(0, TEXT_CHARS_MAX),
    files: tree.leaves
      .filter(isFile)
      .map((leaf) => ({ name: readable(leaf.fileName) || 'file', type: leaf.type, bytes: leaf.bytes() })),
  };
}

/** Undoes the soft line ends of our own flowed text. */
function unflow(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .split('\n')
    .reduce<string[]>((lines, raw) => {
      const line = raw.startsWith(' ') ? raw.slice(1) : raw;
      const above = lines.at(-1);
      if (above?.endsWith(' ') && above !== '-- ') lines[lines.length - 1] = above + line;
      else lines.push(line);
      return lines;
    }, [])
    .join('\n');
}

/** Whether a page may show the mailbox of this address without asking who is looking: only the demo's own. */
export function isDemoAddress(address: string): boolean {
  return DEMO_ADDRESSES.includes(address);
}
