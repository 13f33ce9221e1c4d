/**
 * A language that nobody speaks: every letter of our templates is written wide, so that a word in plain letters comes from
 * somewhere else. Words in capitals stay: they belong to the order language, which is the same in every language.
 */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { TEMPLATES } from '../../src/render/words.ts';
import { TINY_TEMPLATES } from './tiny.ts';

const WIDE = 0xfee0;
const wide = (text: string): string =>
  text.replace(/[a-z]/gi, (letter) => String.fromCodePoint(letter.codePointAt(0)! + WIDE));

/** Words with a small letter in them, in wide letters; addresses, marks of HTML and entities stay. */
const marked = (text: string): string =>
  text.replace(/<(?:style|script)[\s\S]*?<\/(?:style|script)>|<[^>]*>|&\w+;|https?:\S+|[A-Za-z]+/g, (part) =>
    /^[A-Za-z]+$/.test(part) && /[a-z]/.test(part) ? wide(part) : part.startsWith('<') ? markedTag(part) : part,
  );

/** What a reader is told by a tag: its label, its title, the words beside a picture. */
const markedTag = (tag: string): string =>
  tag.replace(/\b(aria-label|title|alt|placeholder)="([^"]*)"/g, (_, name: string, text: string) => {
    return `${name}="${text.replace(/\{\{[\s\S]*?\}\}|[A-Za-z]+/g, (part) => (/^\{\{/.test(part) ? part : wide(part)))}"`;
  });

/** A template with its own words marked; what is filled in stays as it comes. */
function markedTemplate(text: string): string {
  const held: string[] = [];
  const open = text.replace(/\{\{[\s\S]*?\}\}\}?/g, (call) => {
    held.push(call.startsWith('{{plural') ? call.replace(/"[^"]*"|'[^']*'/g, (word) => wide(word)) : call);
    return `\u0001${held.length - 1}\u0002`;
  });
  return marked(open).replace(/\u0001(\d+)\u0002/g, (_, n: string) => held[Number(n)]!);
}

/** Lays our templates down once more as the language `xx`; gives the folder for `openWording('xx', [folder])`. */
export function pseudoTemplates(): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pseudo-'));
  fs.mkdirSync(path.join(folder, 'xx'));
  for (const from of [path.join(TEMPLATES, 'en'), path.join(TINY_TEMPLATES, 'en')])
    for (const name of fs.readdirSync(from).filter((file) => file.endsWith('.json'))) {
      const texts = JSON.parse(fs.readFileSync(path.join(from, name), 'utf8')) as Record<string, string>;
      const wording = Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, markedTemplate(text)]));
      fs.writeFileSync(path.join(folder, 'xx', name), JSON.stringify(wording));
    }
  for (const kind of ['web', 'mail']) {
    fs.mkdirSync(path.join(folder, kind));
    for (const name of fs.readdirSync(path.join(TEMPLATES, kind)).filter((file) => file.endsWith('.hbs'))) {
      const text = fs.readFileSync(path.join(TEMPLATES, kind, name), 'utf8');
      fs.writeFileSync(path.join(folder, kind, name), markedTemplate(text));
    }
  }
  return folder;
}

/** What a reader of a page or of a mail's HTML sees or is read out, without marks and addresses. */
export function readOut(html: string): string {
  const labels = [...html.matchAll(/\b(?:aria-label|title|alt|placeholder)="([^"]*)"/g)].map((match) => match[1]);
  const text = html
    .replace(/<(style|script|code|pre|textarea)\b[\s\S]*?<\/\1>/g, ' ')
    .replace(/<[^>]*>/g, ' ')
    .replace(/&nbsp;/g, ' ')
    .replace(/&#x?[0-9a-f]+;|&\w+;/gi, ' ');
  return [text, ...labels].join('\n');
}

const NAMES = new Set(['name', 'title', 'place', 'text', 'house']);
const REMARKS = new Set(['status', 'source', 'note', 'notes', 'printed', 'comment', 'description']);

/** Every name of the content: ids of one word, keys and values that begin with a capital; remarks are left out. */
export function namesIn(value: unknown): Set<string> {
  if (Array.isArray(value)) return new Set(value.flatMap((each) => [...namesIn(each)]));
  if (typeof value === 'string') return new Set(/^\P{Ll}|^\S+$/u.test(value) ? wordsOf(value) : []);
  if (typeof value !== 'object' || value === null) return new Set();
  return new Set(
    Object.entries(value).flatMap(([key, inner]) => {
      if (REMARKS.has(key)) return [];
      // Names, and what a scenario calls its own completion, stand in the scenario whatever they look like.
      if (NAMES.has(key)) return wordsOf(JSON.stringify(inner));
      return [...(/^\P{Ll}/u.test(key) ? wordsOf(key) : []), ...namesIn(inner)];
    }),
  );
}

/** Every word of a text. */
export function wordsOf(text: string): string[] {
  const words = text.match(/[A-Za-zÀ-ÿ]+/g) ?? [];
  // A counter has room for three letters of a name.
  return words.flatMap((word) => [word, word.slice(0, 3)]).map((word) => word.toLowerCase());
}

/** Words in plain small letters that no set knows, each with its line: somebody wrote them into the code. */
export function unmarked(text: string, ...known: readonly ReadonlySet<string>[]): string[] {
  const found = new Map<string, string>();
  for (const line of text.split('\n'))
    for (const word of plainWords(line))
      if (!known.some((set) => set.has(word.toLowerCase())) && !found.has(word)) found.set(word, line.trim());
  return [...found].map(([word, line]) => `${word} in: ${line.slice(0, 120)}`);
}

function plainWords(text: string): string[] {
  // Rules are named by id in brackets; the header of a form is of the order language.
  if (/^(?:GAME|TURN|BATTLE) [\w-]+ .*STEP/.test(text)) return [];
  const plain = text
    .replace(/\[[^\]]*\]/g, ' ')
    .replace(/\S+@\S+|https?:\S+|<[^>\s]+>|[\w-]+\.(?:pdf|txt|zip|png|html)\b/g, ' ');
  return plain.match(/(?<![\wÀ-ÿ])[A-Za-zÀ-ÿ]*[a-zà-ÿ]{2}[A-Za-zÀ-ÿ]*(?![\wÀ-ÿ])/g) ?? [];
}
