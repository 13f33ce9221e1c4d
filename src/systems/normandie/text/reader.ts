/**
 * Reads one order line word by word. The first thing that does not fit is remembered as the line's complaint; whatever is
 * read after it is thrown away with the line, so the grammar needs no error paths of its own.
 */
import { error, suggest } from '../../../kernel/orders.ts';
import type { Diagnostic, OrderLine, Param } from '../../../kernel/types.ts';
import type { Book } from '../content/opened.ts';
import type { Direction, NormandieSide } from '../data.ts';
import type { SideView } from '../types.ts';

export const CLAUSES_MAX = 4;
export const RIDERS_MAX = 3;
export const DOCTRINE_LINES_MAX = 20;
const DEPTH_MAX = 20;

export const DIRECTIONS = ['N', 'NE', 'E', 'SE', 'S', 'SW', 'W', 'NW'] as const;

export interface Token {
  text: string;
  upper: string;
}

/** What may be named on this board by this player. */
export interface Names {
  me: NormandieSide;
  own: string[];
  enemies: string[];
  places: Set<string>;
  buildings: string[];
  objectives: string[];
  cards: string[];
  options: string[];
  tiles: string[];
}

/** `D9`, `CH.a`, `30..65`, `3-4`, `GE?A`, `us-t-16a` are one word; marks stand alone. `C3:F6` is one word too. */
const TOKENS = /->|>=|<=|[a-z]+\d+:[a-z]+\d+|[,;|:()=]|[^\s,;|:()=<>#]+|#.*/gi;

/** The words and marks of a line, comment dropped. A hyphen before `>` belongs to the arrow. */
export function lex(text: string): Token[] {
  const tokens: Token[] = [];
  for (const [word] of text.replace(/->/g, ' -> ').matchAll(TOKENS)) {
    if (word.startsWith('#')) break;
    tokens.push({ text: word, upper: word.toUpperCase() });
  }
  return tokens;
}

/** Collects what a player of this view may name: public rosters, his own hand's anonymous counters, the board. */
export function namesFor(book: Book, view: SideView): Names {
  const { data } = book;
  const me = view.viewer === 'ge' ? 'ge' : 'us';
  const own = view.table.roster.filter((member) => member.side === me).map((member) => member.code);
  const open = view.table.units.filter((unit) => unit.side !== me).map((unit) => unit.code);
  const listed = view.table.roster.filter((member) => member.side !== me).map((member) => member.code);
  const places = new Set([...book.places.values()].map((place) => place.name.toUpperCase()));
  return {
    me,
    own,
    enemies: [...new Set([...open, ...listed])],
    places,
    buildings: data.board.buildings.map((building) => building.id),
    objectives: view.table.objectives.map((objective) => objective.id),
    cards: data.cards.map((card) => card.id),
    options: data.options.map((option) => option.id),
    tiles: data.tiles.map((tile) => tile.id),
  };
}

/** Whether a word (upper case) names a unit, a place, a building, an objective, a card, an option or a tile. */
export function isName(names: Names, word: string): boolean {
  if (names.places.has(word.replace(/^@/, ''))) return true;
  const { own, enemies, buildings, objectives, cards, options, tiles } = names;
  return [own, enemies, buildings, objectives, cards, options, tiles].some((list) =>
    list.some((name) => name.toUpperCase() === word),
  );
}

export interface LineReader {
  readonly n: number;
  readonly names: Names;
  /** Doctrine lines may use the words about the moment at hand. */
  readonly doctrine: boolean;
  problem: Diagnostic | null;
  depth: number;
  peek(ahead?: number): string;
  done(): boolean;
  take(): Token;
  accept(...words: string[]): boolean;
  expect(what: string, ...words: string[]): string;
  fail(code: string, params?: Record<string, Param>, rule?: string): void;
  number(least: number, most: number): number;
  own(): string;
  enemy(): string;
  anyUnit(): string;
  square(): string;
  interspaceOrSquare(): string;
  direction(): Direction;
  oneOf(what: string, choices: readonly string[]): string;
}

/** A reader over one line. `doctrine` allows the words of doctrine lines in conditions. */
export function readerOf(line: OrderLine, names: Names, doctrine: boolean): LineReader {
  const tokens = lex(line.text);
  let at = 0;
  const end: Token = { text: '', upper: '' };
  const reader: LineReader = {
    n: line.n,
    names,
    doctrine,
    problem: null,
    depth: 0,
    peek: (ahead = 0) => (reader.problem ? '' : (tokens[at + ahead]?.upper ?? '')),
    done: () => reader.problem !== null || at >= tokens.length,
    take: () => (reader.problem ? end : (tokens[at++] ?? end)),
    accept(...words) {
      if (reader.problem || !words.includes(tokens[at]?.upper ?? '')) return false;
      at++;
      return true;
    },
    expect(what, ...words) {
      const next = reader.peek();
      if (words.includes(next)) return reader.take().upper;
      const near = suggest(next, words);
      reader.fail('E02', { text: next === '' ? 'end of line' : next, expected: what, near });
      return '';
    },
    fail(code, params = {}, rule) {
      reader.problem ??= error(code, line.n, params, rule);
    },
    number(least, most) {
      const word = reader.take().text;
      const value = Number(word);
      if (!/^[+-]?\d+$/.test(word) || value < least || value > most)
        reader.fail('E02', { text: word || 'end of line', expected: `a number from ${least} to ${most}`, near: [] });
      return value;
    },
    own: () => unitName(reader, names.own, 'own'),
    enemy: () => unitName(reader, names.enemies, 'enemy'),
    anyUnit: () => unitName(reader, [...names.own, ...names.enemies], 'any'),
    square() {
      const word = reader.take();
      if (names.places.has(word.upper)) return printedPlace(word.upper);
      reader.fail('E04', { text: word.text || 'end of line', near: suggest(word.upper, names.places) });
      return '';
    },
    interspaceOrSquare() {
      if (!reader.peek().startsWith('@')) return reader.square();
      const word = reader.take();
      if (names.places.has(word.upper.slice(1))) return `@${printedPlace(word.upper.slice(1))}`;
      reader.fail('E04', { text: word.text, near: [] });
      return '';
    },
    direction() {
      const word = reader.expect('a direction (N NE E SE S SW W NW)', ...DIRECTIONS);
      return Math.max(0, (DIRECTIONS as readonly string[]).indexOf(word)) as Direction;
    },
    oneOf(what, choices) {
      const word = reader.take();
      const found = choices.find((choice) => choice.toUpperCase() === word.upper);
      if (found === undefined)
        reader.fail('E02', { text: word.text || 'end of line', expected: what, near: suggest(word.upper, choices) });
      return found ?? '';
    },
  };
  return reader;
}

/** Written like a square or interspace, whether it is on this board or not: the fault is then E04 and says so. */
export function looksLikePlace(reader: LineReader): boolean {
  const word = reader.peek();
  return word.startsWith('@') || reader.names.places.has(word) || /^[A-Z]\d{1,2}$/.test(word);
}

/** Offset squares are printed `CH.a`: element in capitals, square in small letters. */
function printedPlace(upper: string): string {
  const [element, square] = upper.split('.');
  return square === undefined ? upper : `${element}.${square.toLowerCase()}`;
}

function unitName(reader: LineReader, codes: readonly string[], whose: 'own' | 'enemy' | 'any'): string {
  const word = reader.take();
  const found = codes.find((code) => code.toUpperCase() === word.upper);
  if (found === undefined)
    reader.fail('E03', { text: word.text || 'end of line', whose, near: suggest(word.upper, codes) });
  return found ?? '';
}

/** Runs `read` one level deeper; bounds what brackets may nest. */
export function deeper<T>(reader: LineReader, read: () => T, fallback: T): T {
  if (reader.depth >= DEPTH_MAX) {
    reader.fail('E02', { text: reader.peek(), expected: `at most ${DEPTH_MAX} nested brackets`, near: [] });
    return fallback;
  }
  reader.depth++;
  const value = read();
  reader.depth--;
  return value;
}
