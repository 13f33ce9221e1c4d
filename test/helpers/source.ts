/**
 * Reads TypeScript well enough to check it: comments, strings and patterns are told from code, functions are measured.
 * `bare` keeps every character's place: what is not code becomes blanks, quotes stay.
 */
import fs from 'node:fs';
import path from 'node:path';

/** A word after which a slash opens a pattern, although it looks like a name. */
const BEFORE_PATTERN = new Set(
  'return typeof case in of do else void delete throw new instanceof yield await default'.split(' '),
);

/** Code alone: comments, the insides of strings, templates and patterns are blanked out; lines and columns stay. */
export function bare(text: string): string {
  return split(text).code;
}

/** The comments of a file, each as it stands. */
export function commentsOf(text: string): string[] {
  return split(text).comments;
}

function split(text: string): { code: string; comments: string[] } {
  const out: string[] = [];
  const comments: string[] = [];
  const blank = (from: number, to: number): void => {
    for (let i = from; i < to; i++) out[i] = text[i] === '\n' ? '\n' : ' ';
  };
  /** Depths of braces at which an interpolation ends. */
  const templates: number[] = [];
  let depth = 0;
  let i = 0;
  const templateText = (start: number): number => {
    let at = start;
    while (at < text.length) {
      if (text[at] === '\\') at += 2;
      else if (text[at] === '`') {
        blank(start, at);
        out[at] = '`';
        return at + 1;
      } else if (text[at] === '$' && text[at + 1] === '{') {
        blank(start, at);
        out[at] = ' ';
        out[at + 1] = '{';
        templates.push(depth);
        depth++;
        return at + 2;
      } else at++;
    }
    return at;
  };
  while (i < text.length) {
    const c = text[i]!;
    if (c === '/' && text[i + 1] === '/') {
      const end = endOf(text.indexOf('\n', i), text);
      comments.push(text.slice(i, end));
      blank(i, end);
      i = end;
    } else if (c === '/' && text[i + 1] === '*') {
      const end = endOf(text.indexOf('*/', i + 2), text, 2);
      comments.push(text.slice(i, end));
      blank(i, end);
      i = end;
    } else if (c === "'" || c === '"') {
      const end = skipTo(text, i + 1, c);
      out[i] = c;
      blank(i + 1, end - 1);
      out[end - 1] = c;
      i = end;
    } else if (c === '`') {
      out[i] = c;
      i = templateText(i + 1);
    } else if (c === '/' && opensPattern(out.slice(Math.max(0, i - 200), i).join(''))) {
      const end = patternEnd(text, i);
      out[i] = '"';
      blank(i + 1, end - 1);
      out[end - 1] = '"';
      i = end;
    } else {
      out[i] = c;
      if (c === '{') depth++;
      if (c === '}') {
        depth--;
        if (templates.at(-1) === depth) {
          templates.pop();
          i = templateText(i + 1);
          continue;
        }
      }
      i++;
    }
  }
  return { code: out.join(''), comments };
}

function endOf(at: number, text: string, length = 0): number {
  return at < 0 ? text.length : at + length;
}

function skipTo(text: string, from: number, quote: string): number {
  let at = from;
  while (at < text.length && text[at] !== quote) at += text[at] === '\\' ? 2 : 1;
  return at + 1;
}

function patternEnd(text: string, from: number): number {
  let inClass = false;
  let at = from + 1;
  while (at < text.length) {
    const c = text[at];
    if (c === '\\') at++;
    else if (c === '[') inClass = true;
    else if (c === ']') inClass = false;
    else if (c === '/' && !inClass) break;
    at++;
  }
  at++;
  while (/[a-z]/.test(text[at] ?? '')) at++;
  return at;
}

/** A slash after a value divides; after an operator or a keyword it opens a pattern. */
function opensPattern(codeBefore: string): boolean {
  const before = codeBefore.trimEnd();
  const word = /[\w$]+$/.exec(before)?.[0];
  if (word !== undefined) return BEFORE_PATTERN.has(word);
  return !/[)\]}"'`]$/.test(before);
}

function lineAt(text: string, index: number): number {
  let line = 1;
  for (let i = 0; i < index; i++) if (text[i] === '\n') line++;
  return line;
}

/** Specifiers of imports and re-exports, dynamic ones with a literal included. */
export function importsOf(text: string): { specifier: string }[] {
  const code = bare(text);
  const found: { specifier: string }[] = [];
  for (const match of code.matchAll(/\b(from|import)\s*\(?\s*(['"])/g)) {
    const open = match.index + match[0].length;
    const close = code.indexOf(match[2]!, open);
    const specifier = text.slice(open, close);
    if (specifier !== '' && !specifier.includes('\n')) found.push({ specifier });
  }
  return found;
}

/** Names used in the code; `before` is the object and dot in front, if any. A key of an object literal counts too. */
export function identifiersOf(text: string): { name: string; before: string; line: number }[] {
  const code = bare(text);
  const found: { name: string; before: string; line: number }[] = [];
  for (const match of code.matchAll(/((?:\b[\w$]+)?\.)?\b([A-Za-z_$][\w$]*)\b/g))
    found.push({ name: match[2]!, before: match[1] ?? '', line: lineAt(code, match.index) });
  return found;
}

/** Lines with the division operator. */
export function divisions(text: string): number[] {
  const code = bare(text);
  return [...code.matchAll(/\//g)].map((match) => lineAt(code, match.index));
}

/** Lines with `.sort()` or `.toSorted()` called without an order. */
export function sortsWithoutOrder(text: string): number[] {
  const code = bare(text);
  return [...code.matchAll(/\.(sort|toSorted)\(\s*\)/g)].map((match) => lineAt(code, match.index));
}

const NO_METHODS = new Set('if for while switch catch with return'.split(' '));

/** Functions, methods and arrow functions with a body, and how many lines each has from its name to its closing brace. */
export function functionsOf(text: string): { name: string; line: number; lines: number }[] {
  const code = bare(text);
  const found: { name: string; line: number; lines: number }[] = [];
  const add = (name: string, start: number, open: number): void => {
    const end = matching(code, open);
    const line = lineAt(code, start);
    found.push({ name, line, lines: lineAt(code, end) - line + 1 });
  };
  for (const match of code.matchAll(/([\w$]+)\s*(?=[<(])/g)) {
    const name = match[1]!;
    if (NO_METHODS.has(name)) continue;
    let at = match.index + match[0].length;
    if (code[at] === '<') at = angleEnd(code, at);
    if (code[at] !== '(') continue;
    const open = bodyAfter(code, matching(code, at) + 1);
    if (open !== undefined) add(name, match.index, open);
  }
  for (const match of code.matchAll(/=>\s*\{/g)) {
    const head = code.slice(Math.max(0, match.index - 300), match.index);
    const name = /(?:const|let)\s+([\w$]+)[^;]*$/.exec(head)?.[1] ?? 'an arrow function';
    add(name, match.index, match.index + match[0].length - 1);
  }
  return found;
}

const PAIRS: Record<string, string> = { '(': ')', '[': ']', '{': '}' };

/** Index of the bracket that closes the one at `open`. */
function matching(code: string, open: number): number {
  const stack: string[] = [];
  for (let i = open; i < code.length; i++) {
    const c = code[i]!;
    if (PAIRS[c]) stack.push(PAIRS[c]);
    else if (c === stack.at(-1)) {
      stack.pop();
      if (stack.length === 0) return i;
    }
  }
  return code.length;
}

/** The index of the brace that opens a body right after a parameter list, past a return type; undefined: no body. */
function bodyAfter(code: string, from: number): number | undefined {
  const token = /\s*([A-Za-z_$][\w$]*|=>|.)/sy;
  token.lastIndex = from;
  const first = token.exec(code);
  if (!first) return undefined;
  if (first[1] === '{') return token.lastIndex - 1;
  if (first[1] !== ':') return undefined;
  let wanted = true;
  for (let match = token.exec(code); match; match = token.exec(code)) {
    const word = match[1]!;
    const at = token.lastIndex - word.length;
    if (word === '{' && !wanted) return at;
    if (word === '{' || word === '(' || word === '[') {
      token.lastIndex = matching(code, at) + 1;
      wanted = false;
    } else if (word === '<') token.lastIndex = angleEnd(code, at);
    else if (/^(keyof|readonly|asserts|typeof|unique)$/.test(word)) wanted = true;
    else if (/^(is|extends)$/.test(word) || /^(=>|[|&.])$/.test(word)) wanted = true;
    else if (word === "'" || word === '"') {
      token.lastIndex = code.indexOf(word, at + 1) + 1;
      wanted = false;
    } else if (/^[\w$]+$/.test(word)) wanted = false;
    else return undefined;
  }
  return undefined;
}

function angleEnd(code: string, open: number): number {
  let depth = 0;
  for (let i = open; i < code.length; i++) {
    if (code[i] === ';') return i;
    if (code[i] === '<') depth++;
    if (code[i] === '>' && code[i - 1] !== '=') {
      depth--;
      if (depth === 0) return i + 1;
    }
  }
  return code.length;
}

/**
 * Codes of complaints and keys of wording as written in the sources of a system (a file or a folder): the first argument
 * of `error` and `warning`, `code: '…'`, and every text that looks like a key of that system (`overlord.headline`).
 */
export function literalsOf(place: string, system: string): { code?: string; key?: string }[] {
  const found: { code?: string; key?: string }[] = [];
  for (const file of typescriptIn(place)) {
    const text = fs.readFileSync(file, 'utf8');
    for (const match of text.matchAll(/\b(?:error|warning)\(\s*'([A-Z][^']*)'/g)) found.push({ code: match[1]! });
    for (const match of text.matchAll(/\bcode:\s*'([A-Z][^']*)'/g)) found.push({ code: match[1]! });
    for (const match of text.matchAll(new RegExp(`'(${system}\\.[\\w .-]*\\w)'`, 'g'))) found.push({ key: match[1]! });
  }
  return found;
}

/** Every text of two or more words in capitals: codes of complaints, words of the order language, results of tables. */
export function capitalsIn(place: string): Set<string> {
  const found = new Set<string>();
  for (const file of typescriptIn(place))
    for (const match of fs.readFileSync(file, 'utf8').matchAll(/'([A-Z][A-Z0-9'-]*(?: [A-Z0-9'-]+)+)'/g))
      found.add(match[1]!);
  return found;
}

function typescriptIn(place: string): string[] {
  if (fs.statSync(place).isFile()) return [place];
  return fs
    .readdirSync(place, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => path.join(place, name));
}
