/**
 * What every order language shares: blocks, headers, words, clauses, and "did you mean". The verbs are the systems' own.
 */
import { distance } from 'fastest-levenshtein';
import { type HeaderField, isFrameLine, NOTE_MARK, readHeaderLine, withoutComment } from './frame.ts';
import type { Diagnostic, OrderLine, Param, Standing, Verb } from './types.ts';

/** Lines of an order block where the rules and the scenario say nothing else. */
export const ORDER_LINES_MAX = 400;
export const LINE_LENGTH_MAX = 500;
const SUGGESTIONS_MAX = 3;

/** One word of an order line. `->` and `,` are words of their own; quoted text is one word without its quotes. */
export interface Word {
  text: string;
  /** Upper case, for comparing. */
  upper: string;
  /** Column in the line, from 1. */
  column: number;
}

export interface SplitLine {
  n: number;
  /** Never empty; each clause holds at least one word. */
  clauses: Word[][];
}

/** A diagnostic of severity error. */
export function error(
  code: string,
  line: number | 'mail',
  params: Record<string, Param> = {},
  rule?: string,
): Diagnostic {
  return rule === undefined
    ? { code, severity: 'error', line, params }
    : { code, severity: 'error', line, params, rule };
}

/** A diagnostic of severity warning. */
export function warning(
  code: string,
  line: number | 'mail',
  params: Record<string, Param> = {},
  rule?: string,
): Diagnostic {
  return { ...error(code, line, params, rule), severity: 'warning' };
}

/**
 * Splits a line into words and clauses: `;` begins a clause, never a comment; what follows `#` is one and dropped.
 * Returns undefined for a line with nothing in it.
 */
export function splitLine(line: OrderLine): SplitLine | undefined {
  const words = /"([^"]*)"?|(->)|([,;#])|((?:(?!->)[^\s,;#"])+)/g;
  const clauses: Word[][] = [[]];
  for (let match = words.exec(line.text); match; match = words.exec(line.text)) {
    const mark = match[3];
    if (mark === '#') break;
    if (mark === ';') {
      clauses.push([]);
      continue;
    }
    const text = match[1] ?? match[0];
    clauses.at(-1)!.push({ text, upper: text.toUpperCase(), column: match.index + 1 });
  }
  const full = clauses.filter((clause) => clause.length > 0);
  return full.length === 0 ? undefined : { n: line.n, clauses: full };
}

/** The flags and header of an order block, and the lines that are orders. */
export interface OrderBlock {
  game?: string;
  turn?: number;
  battle?: number;
  side?: string;
  step?: string;
  /** Everything is in: the phase may run early. */
  final: boolean;
  /** Not before the deadline. */
  wait: boolean;
  /** Add to or replace per unit instead of replacing all. */
  add: boolean;
  /** Orders, with their numbers in the block. */
  lines: OrderLine[];
  /** `//` notes, kept for the player's next form. */
  notes: string[];
  diagnostics: Diagnostic[];
}

/**
 * Reads the frame of an order block: header lines, FINAL, WAIT, ADD, notes, END, and lines that continue the one above. A
 * second block with a header of its own is read like the first. Faults of the frame are diagnostics of line `mail`.
 * Whether the header fits the seat is the caller's question. `verbs` are those of the game: which lines are scripts;
 * `most` are the lines that the game allows.
 */
export function readBlock(
  texts: readonly string[],
  verbs: readonly Verb[] = [],
  most: number = ORDER_LINES_MAX,
): OrderBlock {
  const block: OrderBlock = { final: false, wait: false, add: false, lines: [], notes: [], diagnostics: [] };
  if (texts.length > most) {
    block.diagnostics.push(error('TOO MANY LINES', 'mail', { lines: texts.length, most }));
    return block;
  }
  const own = new Set(verbs.map(({ verb }) => verb));
  let ended = false;
  for (const line of joinLines(texts, verbs)) {
    const text = line.text.trim();
    const header = readHeaderLine(text);
    if (header && (block.lines.length === 0 || !own.has(header[0]!.name))) {
      ended = false;
      readHeader(header, line.n, block);
    } else if (ended || withoutComment(text) === '') continue;
    else if (text.startsWith(NOTE_MARK)) block.notes.push(text.slice(NOTE_MARK.length).trim());
    else if (text.length > LINE_LENGTH_MAX)
      block.diagnostics.push(error('LINE TOO LONG', line.n, { length: text.length, most: LINE_LENGTH_MAX }));
    else if (isFrameLine(text, 'END')) ended = true;
    else if (isFrameLine(text, 'FINAL')) block.final = true;
    else if (isFrameLine(text, 'WAIT')) block.wait = true;
    else if (isFrameLine(text, 'ADD')) block.add = true;
    else block.lines.push({ n: line.n, text });
  }
  return block;
}

function readHeader(fields: readonly HeaderField[], n: number, block: OrderBlock): void {
  for (const { name, value } of fields) {
    const put = <K extends 'game' | 'turn' | 'battle' | 'side' | 'step'>(key: K, given: OrderBlock[K]): void => {
      if (block[key] !== undefined && block[key] !== given)
        block.diagnostics.push(error('HEADER TWICE', 'mail', { word: name, line: n }));
      block[key] = given;
    };
    if (name === 'GAME') put('game', value.toUpperCase());
    else if (name === 'TURN') put('turn', Number(value));
    else if (name === 'BATTLE' || name === 'AFTER') put('battle', Number(value));
    else if (name === 'SIDE') put('side', value.toLowerCase());
    else put('step', value.toLowerCase());
  }
}

/**
 * Joins a line that begins with `|`, `->` or `,` to the one above; the bar is dropped, but for lines that are scripts, where
 * it parts clauses. Numbers are those of the first.
 */
export function joinLines(texts: readonly string[], verbs: readonly Verb[] = []): OrderLine[] {
  const scripts = new Set(verbs.filter((verb) => verb.script).map(({ verb }) => verb));
  const lines: OrderLine[] = [];
  texts.forEach((raw, index) => {
    const text = raw.trim();
    const above = lines.at(-1);
    if (above && /^(\||->|,)/.test(text) && !above.text.startsWith(NOTE_MARK)) {
      const keeps = scripts.has(above.text.split(' ')[0]!.toUpperCase()) && above.text.includes(':');
      above.text = `${withoutComment(above.text)} ${text.startsWith('|') && !keeps ? text.slice(1).trim() : text}`;
    } else lines.push({ n: index + 1, text });
  });
  return lines;
}

/** Whether an order has come to a player's own words: what follows belongs to them. */
function saysFreely(verb: Verb | undefined, order: string): boolean {
  return verb?.freeAfter !== undefined && new RegExp(`\\s${verb.freeAfter}\\b`, 'i').test(order);
}

/**
 * The orders that stand on one line, parted by `;`: a piece that begins with a verb of the game is an order of its own,
 * unless the order before it has a clause of that name. Every other piece stays with the order before it.
 */
export function ordersOfLine(line: OrderLine, verbs: readonly Verb[]): OrderLine[] {
  if (!line.text.includes(';')) return [line];
  const byName = new Map(verbs.map((verb) => [verb.verb, verb]));
  const verbOf = (piece: string): Verb | undefined =>
    byName.get(
      piece
        .trim()
        .split(/[\s:]+/)[0]!
        .toUpperCase(),
    );
  const comment = line.text.slice(withoutComment(line.text).length);
  const orders: string[] = [];
  let present: Verb | undefined;
  for (const piece of withoutComment(line.text).split(';')) {
    const verb = verbOf(piece);
    const clause = present?.clauses.some(({ name }) => name.split(' ')[0] === verb?.verb) ?? false;
    if (orders.length === 0 || (verb && !clause && !saysFreely(present, orders.at(-1)!))) {
      orders.push(piece.trim());
      present = verb;
    } else orders[orders.length - 1] += `;${piece}`;
  }
  return orders
    .filter((text) => text !== '')
    .map((text, i, all) => ({ n: line.n, text: i === all.length - 1 ? `${text}${comment}` : text }));
}

const grammars = new WeakMap<readonly Verb[], ReadonlySet<string>>();

/** The words of a game's order language in upper case, as its verbs and clauses show them. */
export function grammarOf(verbs: readonly Verb[]): ReadonlySet<string> {
  let grammar = grammars.get(verbs);
  if (!grammar) {
    const texts = verbs.flatMap(({ verb, pattern, clauses }) => [
      verb,
      pattern,
      ...clauses.flatMap((clause) => [clause.name, clause.pattern]),
    ]);
    grammar = new Set(texts.join(' ').match(/\b[A-Z][A-Z-]*\b/g) ?? []);
    grammars.set(verbs, grammar);
  }
  return grammar;
}

/**
 * The standing orders in force once `fresh` have come in: each replaces the one with its key, and one that is withdrawn
 * takes its key off the list.
 */
export function standingAfter<S extends Standing>(before: readonly S[], fresh: readonly S[]): S[] {
  const byKey = new Map(before.map((order) => [order.key, order]));
  for (const order of fresh) {
    byKey.delete(order.key);
    if (!order.withdraw) byKey.set(order.key, order);
  }
  return [...byKey.values()];
}

/** Up to three candidates near to what was written, best first; none when nothing is near. */
export function suggest(word: string, candidates: Iterable<string>): string[] {
  const upper = word.toUpperCase();
  const reach = Math.max(1, Math.floor(upper.length * 0.34));
  const near: { candidate: string; steps: number }[] = [];
  for (const candidate of candidates) {
    const steps = distance(upper, candidate.toUpperCase());
    if (steps <= reach) near.push({ candidate, steps });
  }
  near.sort((a, b) => a.steps - b.steps || (a.candidate < b.candidate ? -1 : a.candidate > b.candidate ? 1 : 0));
  return near.slice(0, SUGGESTIONS_MAX).map((hit) => hit.candidate);
}

export type NameMatch = { name: string } | { among: string[] } | { near: string[] };

/**
 * Finds a printed id from what a player wrote: the id itself in any case, else the only id that begins with it, else
 * suggestions. `among` lists the candidates of an ambiguous shortening.
 */
export function matchName(written: string, names: readonly string[]): NameMatch {
  const upper = written.toUpperCase();
  const exact = names.find((name) => name.toUpperCase() === upper);
  if (exact !== undefined) return { name: exact };
  const starts = names.filter((name) => name.toUpperCase().startsWith(upper));
  if (starts.length === 1) return { name: starts[0]! };
  if (starts.length > 1) return { among: starts };
  return { near: suggest(written, names) };
}
