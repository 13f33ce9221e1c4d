/**
 * The header block of a mail or a part as a list of fields.
 */
import libmime from 'libmime';
import { decodeHeaderBytes } from './charset.ts';
import { lineForm } from './lineform.ts';

/** Characters of one field that are decoded for reading. */
const DECODE_MAX = 4096;
/** Characters of a decoded value that are kept. */
const VALUE_MAX = 500;
const ID_MAX = 250;
const REFERENCES_MAX = 50;

export interface MailField {
  /** Lower case. */
  name: string;
  /** Unfolded, undecoded, trimmed. */
  value: string;
}

/** Splits raw header bytes into fields, in order; lines that are no field are dropped. */
export function parseFields(bytes: Buffer): MailField[] {
  const fields: MailField[] = [];
  for (const line of decodeHeaderBytes(bytes).split(/\r\n|\n|\r/)) {
    if (line === '') continue;
    const last = fields.at(-1);
    if (line[0] === ' ' || line[0] === '\t') {
      if (last) last.value += ` ${line.trim()}`;
      continue;
    }
    const colon = line.indexOf(':');
    if (colon <= 0) continue;
    fields.push({ name: line.slice(0, colon).trim().toLowerCase(), value: line.slice(colon + 1).trim() });
  }
  return fields;
}

/** The value of the first field of that (lower-case) name. */
export function firstField(fields: readonly MailField[], name: string): string | undefined {
  return fields.find((field) => field.name === name)?.value;
}

/** All values of fields of that (lower-case) name, topmost first. */
export function allFields(fields: readonly MailField[], name: string): string[] {
  return fields.filter((field) => field.name === name).map((field) => field.value);
}

/** A value for people: encoded words decoded, in line form (so without any line break), cut at 500 characters. */
export function readable(value: string): string {
  const raw = value.slice(0, DECODE_MAX);
  let text = raw;
  if (raw.includes('=?')) {
    try {
      text = libmime.decodeWords(raw);
    } catch {
      text = raw;
    }
  }
  return lineForm(text.replace(/[\r\n\u0085\u2028\u2029]+/g, ' ')).slice(0, VALUE_MAX);
}

const ONE_ID = /^<[^<>\s\x00-\x1f\x7f]{1,250}>$/;

/** Message ids in angle brackets, at most fifty, the last ones where there are more. */
export function messageIds(value: string | undefined): string[] {
  if (value === undefined) return [];
  if (ONE_ID.test(value)) return [value];
  const ids: string[] = [];
  for (const match of value.slice(-64 * ID_MAX).matchAll(/<([^<>\s\x00-\x1f\x7f]{1,250})>/g)) ids.push(`<${match[1]}>`);
  return ids.slice(-REFERENCES_MAX);
}

/** A structured header such as Content-Type: the value and its parameters, names in lower case. */
export function structured(value: string): { value: string; params: Record<string, string> } {
  try {
    const parsed = libmime.parseHeaderValue(value.slice(0, DECODE_MAX));
    return { value: parsed.value.trim().toLowerCase(), params: parsed.params };
  } catch {
    return { value: value.split(';')[0]!.trim().toLowerCase(), params: {} };
  }
}
