/**
 * The tree of a mail, flattened to its leaves, with limits that hold before anything is decoded.
 */
import type { EventEmitter } from 'node:events';
import { MimeNode, Splitter } from '@zone-eu/mailsplit';
import { type MailField, parseFields, structured } from './headers.ts';

/** Bytes of a mail that is read at all. */
export const MAIL_BYTES_MAX = 2 * 1024 * 1024;
/** Bytes of one header block. */
const HEAD_BYTES_MAX = 64 * 1024;
const PARTS_MAX = 200;
const DEPTH_MAX = 20;
/** Padded pieces of base64 in one part; of more only the first is read. */
const RUNS_MAX = 2000;

/** One part without parts of its own. */
export interface Leaf {
  /** Lower case, `text/plain` where none is given. */
  type: string;
  /** The declared charset, or empty. */
  charset: string;
  fileName: string;
  /** Lower case: `attachment`, `inline` or empty. */
  disposition: string;
  flowed: boolean;
  delSp: boolean;
  contentId: boolean;
  /** Type of the multipart it stands in, or empty. */
  parent: string;
  /** Parameters of the Content-Type. */
  params(): Record<string, string>;
  /** The bytes as they were before transfer. */
  bytes(): Buffer;
}

export interface MailTree {
  fields: MailField[];
  /** The top-level Content-Type. */
  type: string;
  leaves: Leaf[];
  /** Types of all multiparts in the mail. */
  multiparts: Set<string>;
  /** A limit was broken; `leaves` is then incomplete and not to be used. */
  broken?: 'too-large' | 'bomb';
}

/** Splits a raw mail. A cut-off or malformed mail gives what there is of it. */
export async function splitMail(raw: Buffer): Promise<MailTree> {
  const bytes = onlyBareCr(raw) ? Buffer.from(raw.toString('latin1').replaceAll('\r', '\n'), 'latin1') : raw;
  const headEnd = endOfHead(bytes);
  const fields = parseFields(bytes.subarray(0, Math.min(headEnd, MAIL_BYTES_MAX)));
  const empty: MailTree = { fields, type: '', leaves: [], multiparts: new Set() };
  if (raw.length > MAIL_BYTES_MAX) return { ...empty, broken: 'too-large' };
  if (headEnd > HEAD_BYTES_MAX) return { ...empty, broken: 'bomb' };
  return undivided(bytes, empty) ?? walk(bytes, empty);
}

/** A head of so few bytes breaks no limit, whatever its lines. */
const SHORT_HEAD = 8 * 1024;

/** A mail that has no parts needs no splitting. Undefined where it may have some. */
function undivided(bytes: Buffer, tree: MailTree): MailTree | undefined {
  const crlf = bytes.indexOf('\n\r\n');
  const lf = bytes.indexOf('\n\n');
  const body = crlf >= 0 && (lf < 0 || crlf < lf) ? crlf + 3 : lf < 0 ? 0 : lf + 2;
  if (body === 0 || body > SHORT_HEAD || bytes[0] === 0x0a || bytes[0] === 0x0d) return undefined;
  const node = new MimeNode(false, {});
  node.addHeaderChunk(bytes.subarray(0, body));
  node.parseHeaders();
  if (node.multipart || node.rfc822 || node._boundary) return undefined;
  return flatten(tree, [{ node, chunks: [bytes.subarray(body)], children: 0 }]);
}

interface Collected {
  node: MimeNode;
  chunks: Buffer[];
  children: number;
}

function walk(bytes: Buffer, tree: MailTree): Promise<MailTree> {
  return new Promise((resolve) => {
    const splitter = new Splitter({
      ignoreEmbedded: true,
      maxHeadSize: 4 * HEAD_BYTES_MAX,
      maxChildNodes: PARTS_MAX,
    });
    const parts = new Map<object, Collected>();
    const depths = new Map<object, number>();
    let done = false;
    const finish = (broken?: 'bomb'): void => {
      if (done) return;
      done = true;
      if (broken) {
        splitter.destroy();
        resolve({ ...tree, broken });
      } else resolve(flatten(tree, [...parts.values()]));
    };
    splitter.on('data', (chunk) => {
      if (done) return;
      if (chunk.type === 'node') {
        const parent = chunk.parentNode || undefined;
        const depth = parent ? (depths.get(parent) ?? 0) + 1 : 0;
        depths.set(chunk, depth);
        if (depth > DEPTH_MAX || chunk._headerlen > HEAD_BYTES_MAX) finish('bomb');
        const owner = parent && parts.get(parent);
        if (owner) owner.children++;
        parts.set(chunk, { node: chunk as MimeNode, chunks: [], children: 0 });
      } else if (chunk.value) parts.get(chunk.node)?.chunks.push(chunk.value);
    });
    const stream: EventEmitter = splitter;
    stream.on('error', () => finish('bomb'));
    stream.on('end', () => finish());
    splitter.end(bytes);
  });
}

function flatten(tree: MailTree, parts: readonly Collected[]): MailTree {
  const multiparts = new Set<string>();
  const leaves: Leaf[] = [];
  parts.forEach(({ node, chunks, children }, index) => {
    const type = typeOf(node.contentType);
    if (index === 0) tree.type = type;
    if (!node.multipart) leaves.push(leafOf(node, chunks, type));
    else {
      multiparts.add(type);
      // A multipart whose boundary never comes is read as the plain text that it must be for a reader.
      if (children === 0) leaves.push({ ...leafOf(node, chunks, 'text/plain'), charset: '' });
    }
  });
  return { ...tree, leaves, multiparts };
}

/** `text`, `text/plain charset=utf-8` and other slips are read as what was meant. */
function typeOf(contentType: string | false): string {
  const type = /^[^\s;,]*/.exec(contentType || 'text/plain')![0];
  return type === '' || type === 'text' || type === 'plain' || !type.includes('/') ? 'text/plain' : type;
}

function leafOf(node: MimeNode, chunks: readonly Buffer[], type: string): Leaf {
  let decoded: Buffer | undefined;
  return {
    type,
    charset: node.charset || '',
    fileName: node.filename || '',
    disposition: node.disposition || '',
    flowed: node.flowed,
    delSp: node.delSp,
    contentId: node.headers !== false && node.headers.hasHeader('content-id'),
    parent: node.parentNode ? typeOf(node.parentNode.contentType) : '',
    params: () => structured(node.headers ? (node.headers.getFirst('content-type') ?? '') : '').params,
    bytes: () => {
      decoded ??= decodeTransfer(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks), node.encoding || '');
      return decoded;
    },
  };
}

/** Undoes base64 or quoted-printable; anything else is as it is. Damaged encodings give what can be read. */
function decodeTransfer(bytes: Buffer, encoding: string): Buffer {
  const name = encoding.replace(/["']/g, '').trim();
  if (name === 'base64') {
    const text = withoutFooter(bytes.toString('latin1')).replace(/[^A-Za-z0-9+/=]/g, '');
    const runs = text.split(/=+/).filter((run) => run !== '');
    return runs.length === 1 || runs.length > RUNS_MAX
      ? Buffer.from(runs[0]!, 'base64')
      : Buffer.concat(runs.map((run) => Buffer.from(run, 'base64')));
  }
  return name === 'quoted-printable' ? decodeQuoted(bytes) : bytes;
}

/** What a list appended behind base64 is no part of it: lines with other characters, below the padding or to the end. */
function withoutFooter(text: string): string {
  const lines = text.split(/\r\n|\n|\r/);
  const foreign = (line: string): boolean => /[^A-Za-z0-9+/=\s]|\S\s\S/.test(line);
  const padded = lines.findIndex((line) => /=\s*$/.test(line));
  const from = lines.findIndex((line, i) => (padded < 0 || i > padded) && foreign(line));
  if (from < 0) return text;
  if (padded >= 0) return lines.slice(0, padded + 1).join('\n');
  return lines.slice(from).some((line) => line.length > 60 && !foreign(line)) ? text : lines.slice(0, from).join('\n');
}

function decodeQuoted(bytes: Buffer): Buffer {
  const out = Buffer.allocUnsafe(bytes.length);
  let length = 0;
  /** Where the run of blanks at the end of `out` begins: blanks before a line end were added on the way. */
  let solid = 0;
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i]!;
    if (byte === 0x3d) {
      const high = hexDigit(bytes[i + 1]);
      const low = hexDigit(bytes[i + 2]);
      if (high >= 0 && low >= 0) {
        out[length++] = high * 16 + low;
        solid = length;
        i += 2;
        continue;
      }
      let end = i + 1;
      while (bytes[end] === 0x20 || bytes[end] === 0x09) end++;
      if (end >= bytes.length || bytes[end] === 0x0a || bytes[end] === 0x0d) {
        i = bytes[end] === 0x0d && bytes[end + 1] === 0x0a ? end + 1 : end;
        solid = length;
        continue;
      }
    } else if (byte === 0x0a || byte === 0x0d) length = solid;
    out[length++] = byte;
    if (byte !== 0x20 && byte !== 0x09) solid = length;
  }
  return out.subarray(0, length);
}

function hexDigit(byte: number | undefined): number {
  if (byte === undefined) return -1;
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const letter = byte | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
}

function onlyBareCr(raw: Buffer): boolean {
  return !raw.includes(0x0a) && raw.includes(0x0d);
}

/** Where the first empty line is, or the length where there is none. */
function endOfHead(raw: Buffer): number {
  const crlf = raw.indexOf('\r\n\r\n');
  const lf = raw.indexOf('\n\n');
  const ends = [crlf, lf].filter((at) => at >= 0);
  return ends.length === 0 ? raw.length : Math.min(...ends);
}
