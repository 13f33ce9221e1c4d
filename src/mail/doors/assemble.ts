/**
 * From checked values to the exact bytes of a mail: header fields, parts, transfer encodings (RFC 5322, 2045 to 2047,
 * 2231). By hand and without streams: a receipt is composed for every order mail, and streams took most of its time.
 */

/** Columns of a header line, of an encoded word's text, of a line of an encoded body. */
const HEADER_COLUMNS = 76;
const WORD_COLUMNS = 62;
const BODY_COLUMNS = 76;
/** Bytes of a body line that goes as it is; mail servers take 998. */
const LINE_BYTES_MAX = 900;

/** A part of a mail: fields of its own, and its body, ASCII with CRLF. */
export interface MailPart {
  fields: string[];
  body: string;
}

/** One header field, folded. The name is a constant; the value is one line. */
export function field(name: string, value: string): string {
  let out = `${name}:`;
  let column = out.length;
  for (const word of value.split(' ')) {
    if (column > name.length + 1 && column + 1 + word.length > HEADER_COLUMNS) {
      out += '\r\n';
      column = 0;
    }
    out += ` ${word}`;
    column += 1 + word.length;
  }
  return out;
}

/** Text of a header: as it is where it may be, from the first to the last other word as encoded words. */
export function headerText(text: string): string {
  const words = text.split(' ');
  const odd = (word: string): boolean => /[^\x21-\x7e]|=\?/.test(word) && word !== '';
  const first = words.findIndex(odd);
  if (first < 0) return text;
  const last = words.findLastIndex(odd);
  const inside = encodedWords(words.slice(first, last + 1).join(' '));
  return [...words.slice(0, first), inside, ...words.slice(last + 1)].join(' ');
}

/** Encoded words of whole characters, each short enough for a line. */
function encodedWords(text: string): string {
  const words: string[] = [];
  let word = '';
  for (const character of text) {
    const safe = /^[A-Za-z0-9!*+/-]$/.test(character);
    const code = safe ? character : character === ' ' ? '_' : hex(Buffer.from(character));
    if (word.length + code.length > WORD_COLUMNS) {
      words.push(word);
      word = '';
    }
    word += code;
  }
  words.push(word);
  return words.map((part) => `=?utf-8?Q?${part}?=`).join(' ');
}

function hex(bytes: Buffer): string {
  return bytes
    .toString('hex')
    .toUpperCase()
    .replace(/../g, (pair) => `=${pair}`);
}

/** A mailbox of a header; the address was checked. */
export function mailbox({ name, address }: { name: string; address: string }): string {
  if (name === '') return address;
  if (/^[A-Za-z0-9][A-Za-z0-9 ]*$/.test(name)) return `${name} <${address}>`;
  const phrase = /[^\x20-\x7e]|=\?/.test(name) ? encodedWords(name) : quoted(name);
  return `${phrase} <${address}>`;
}

function quoted(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&')}"`;
}

/** A parameter of Content-Type or Content-Disposition. */
function parameter(name: string, value: string): string {
  if (/^[A-Za-z0-9._-]+$/.test(value)) return `${name}=${value}`;
  if (/^[\x20-\x7e]*$/.test(value) && !value.includes('=?')) return `${name}=${quoted(value)}`;
  const bytes = [...Buffer.from(value)].map((byte) => {
    const character = String.fromCharCode(byte);
    return /[A-Za-z0-9._-]/.test(character) ? character : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  });
  return `${name}*=utf-8''${bytes.join('')}`;
}

/** A part of text, as it is where it may be, else quoted-printable. */
export function textPart(type: string, text: string): MailPart {
  const body = text.replace(/\r\n|\n|\r/g, '\r\n');
  const plain = /^[\t\r\n\x20-\x7e]*$/.test(body) && !tooLong(body);
  return {
    fields: [field('Content-Type', type), field('Content-Transfer-Encoding', plain ? '7bit' : 'quoted-printable')],
    body: plain ? body : quotedPrintable(Buffer.from(body)),
  };
}

function tooLong(body: string): boolean {
  for (let from = 0; ; ) {
    const end = body.indexOf('\r\n', from);
    if ((end < 0 ? body.length : end) - from > LINE_BYTES_MAX) return true;
    if (end < 0) return false;
    from = end + 2;
  }
}

/** A page: other characters become references, so that it may go as it is. */
export function pagePart(html: string): MailPart {
  const ascii = html.replace(/[^\x00-\x7f]/gu, (character) => `&#${character.codePointAt(0)};`);
  return textPart('text/html; charset=utf-8', ascii);
}

/** A file; with a content id it is shown inside the page. */
export function filePart(file: { filename: string; contentType: string; content: Buffer; cid?: string }): MailPart {
  const { filename, contentType, content, cid } = file;
  return {
    fields: [
      field('Content-Type', `${contentType}; ${parameter('name', filename)}`),
      field('Content-Transfer-Encoding', 'base64'),
      field(
        'Content-Disposition',
        `${cid === undefined ? 'attachment' : 'inline'}; ${parameter('filename', filename)}`,
      ),
      ...(cid === undefined ? [] : [field('Content-ID', `<${cid.replace(/[^\x21-\x3b\x3f-\x7e]/g, '')}>`)]),
    ],
    body: content.toString('base64').replace(new RegExp(`.{${BODY_COLUMNS}}`, 'g'), '$&\r\n'),
  };
}

/** Parts in a row; a single one stays by itself. */
export function together(
  kind: 'mixed' | 'alternative' | 'related',
  parts: readonly MailPart[],
  boundary: string,
): MailPart {
  if (parts.length === 1) return parts[0]!;
  const inner = parts.map((part) => `--${boundary}\r\n${whole(part)}\r\n`).join('');
  return {
    fields: [field('Content-Type', `multipart/${kind}; boundary="${boundary}"`)],
    body: `${inner}--${boundary}--\r\n`,
  };
}

/** Fields and body of a part. */
export function whole({ fields, body }: MailPart): string {
  return `${fields.join('\r\n')}\r\n\r\n${body}`;
}

/** Quoted-printable, with blanks at a line's end kept (flowed text needs them). */
export function quotedPrintable(bytes: Buffer): string {
  let out = '';
  let column = 0;
  const put = (code: string): void => {
    if (column + code.length > BODY_COLUMNS - 1) {
      out += '=\r\n';
      column = 0;
    }
    out += code;
    column += code.length;
  };
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i]!;
    if (byte === 13 && bytes[i + 1] === 10) {
      out += '\r\n';
      column = 0;
      i++;
      continue;
    }
    const blank = byte === 32 || byte === 9;
    const ends = i + 1 === bytes.length || (bytes[i + 1] === 13 && bytes[i + 2] === 10);
    const asIs = blank ? !ends : byte > 32 && byte < 127 && byte !== 61;
    put(asIs ? CODES[byte]! : `=${byte.toString(16).toUpperCase().padStart(2, '0')}`);
  }
  return out;
}

const CODES = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code));
