/** Reading one order line word by word into a draft. Faults are collected, never thrown; a reader that failed says false. */
import { error, type Word } from '../../../kernel/orders.ts';
import type { Diagnostic, Param } from '../../../kernel/types.ts';
import type { Campaign } from '../content/campaign.ts';
import { type Resolved, resolveHex, resolveUnit } from '../content/names.ts';
import type { ExitEdge, MoveCondition, UnitPath } from '../types.ts';

/** Largest number that an order may hold. */
const NUMBER_MAX = 999;

/** Everything a line may hold before it becomes an order. */
export interface Draft {
  line: number;
  subject: string[];
  path: string[];
  edge: ExitEdge | null;
  road: number | null;
  at: string | null;
  target: string | null;
  only: string[];
  with: string[];
  tac: number;
  naval: number;
  losses: string[];
  advance: UnitPath[];
  breakout: UnitPath[];
  when: MoveCondition[];
  hexes: { hex: string; factors: number }[];
  about: string;
  values: string[];
  most: number | null;
}

/** A line of which nothing has been read. */
export function emptyDraft(line: number): Draft {
  return {
    line,
    subject: [],
    path: [],
    edge: null,
    road: null,
    at: null,
    target: null,
    only: [],
    with: [],
    tac: 0,
    naval: 0,
    losses: [],
    advance: [],
    breakout: [],
    when: [],
    hexes: [],
    about: '',
    values: [],
    most: null,
  };
}

/** One line while it is read. */
export interface LineReading {
  readonly campaign: Campaign;
  readonly n: number;
  readonly words: readonly Word[];
  at: number;
  readonly faults: Diagnostic[];
}

/** Words that open a clause. */
export const CLAUSE_WORDS: ReadonlySet<string> = new Set([
  '->',
  'ROAD',
  'AT',
  'ONLY',
  'WITH',
  'SUPPORT',
  'LOSSES',
  'ADVANCE',
  'BREAKOUT',
  'IF',
]);

/** Does the word open a clause? */
export function clauseWord(word: Word): boolean {
  return CLAUSE_WORDS.has(word.upper);
}

/** Notes a fault of the line. Always false, so that a reader can return it. */
export function failed(reading: LineReading, code: string, params: Record<string, Param>, rule?: string): false {
  reading.faults.push(error(code, reading.n, params, rule));
  return false;
}

/** The next word, taken; undefined at the end. */
export function takeWord(reading: LineReading): Word | undefined {
  const word = reading.words[reading.at];
  reading.at += 1;
  return word;
}

function accept(reading: LineReading, resolved: Resolved, put: (name: string) => void): boolean {
  if (!('name' in resolved)) return failed(reading, resolved.code, resolved.params, resolved.rule);
  put(resolved.name);
  return true;
}

/** Words that players write where the way begins. */
const BETWEEN = new Set([
  'TO',
  'AT',
  'ON',
  'VIA',
  'INTO',
  'BY',
  '-',
  '--',
  '>',
  '=>',
  '-->',
  '\u2192',
  '\u2013',
  '\u2014',
]);
const NO_EXIT = new Set(['WEST', 'NORTH', 'W', 'N']);

/**
 * What a player may have meant by a word where a unit or a hex is expected: an edge that counts for nothing, or a way
 * without its mark. False with the fault noted; undefined when it is something else.
 */
function misplaced(reading: LineReading, word: Word): false | undefined {
  const verb = reading.words[0]!.upper;
  if (verb === 'EXIT' && NO_EXIT.has(word.upper))
    return failed(reading, 'NO SUCH EDGE', { edge: word.text }, 'OVL-VIC-01');
  const next = reading.words[reading.at];
  const hexOf = (one: Word | undefined): string | undefined => {
    const found = one && resolveHex(reading.campaign, one.text);
    return found && 'name' in found ? found.name : undefined;
  };
  const hex = BETWEEN.has(word.upper) ? (hexOf(next) ?? next?.text ?? '') : hexOf(word);
  if (hex === undefined) return undefined;
  const written = reading.words.slice(0, reading.at);
  const shore =
    (verb === 'LAND' || verb === 'REPLACE') && !written.some(({ upper }) => upper === 'AT' || upper === '->');
  if (shore) return failed(reading, 'AT WANTED', { word: word.text, verb, hex });
  if (!['MOVE', 'ENTER', 'EXIT', 'LAND', 'REPLACE'].includes(verb)) return undefined;
  return failed(reading, 'ARROW WANTED', { word: word.text, hex });
}

/** One or more units or formations, up to the next clause or the end. */
export function readUnits(reading: LineReading, into: string[]): boolean {
  const before = into.length;
  while (reading.at < reading.words.length) {
    const word = reading.words[reading.at]!;
    if (clauseWord(word) || word.upper === 'SOUTH' || word.upper === 'EAST' || word.upper === 'KEEP') break;
    reading.at += 1;
    if (misplaced(reading, word) === false) return false;
    if (!accept(reading, resolveUnit(reading.campaign, word.text), (name) => into.push(name))) return false;
  }
  return into.length > before || failed(reading, 'UNIT MISSING', { after: reading.words[reading.at - 1]?.upper ?? '' });
}

/** One hex. */
export function readHex(reading: LineReading, put: (hex: string) => void): boolean {
  const word = takeWord(reading);
  if (!word || clauseWord(word)) {
    const after = reading.words[reading.at - 2]?.upper ?? '';
    return failed(reading, after === 'ATTACK' ? 'TARGET MISSING' : 'HEX MISSING', { after });
  }
  if (NO_EXIT.has(word.upper) && misplaced(reading, word) === false) return false;
  return accept(reading, resolveHex(reading.campaign, word.text), put);
}

/** Hexes up to the next clause; SOUTH or EAST ends the path off the board. At least one of the two must be there. */
export function readPath(reading: LineReading, into: string[], edge: (edge: ExitEdge) => void): boolean {
  const before = into.length;
  while (reading.at < reading.words.length) {
    const word = reading.words[reading.at]!;
    if (word.upper === '->' && into.length > before) {
      reading.at += 1;
      continue;
    }
    if (word.upper === 'SOUTH' || word.upper === 'EAST') {
      reading.at += 1;
      edge(word.upper);
      return true;
    }
    if (clauseWord(word)) break;
    if (!readHex(reading, (hex) => into.push(hex))) return false;
  }
  return into.length > before || failed(reading, 'HEX MISSING', { after: '->' });
}

/** A whole number of 0 to 999. */
export function readNumber(reading: LineReading, put: (n: number) => void): boolean {
  const word = takeWord(reading);
  if (!word || !/^\d+$/.test(word.text) || Number(word.text) > NUMBER_MAX)
    return failed(reading, 'NUMBER MISSING', {
      after: reading.words[reading.at - 2]?.upper ?? '',
      word: word?.text ?? '',
    });
  put(Number(word.text));
  return true;
}

/** `2810 3, 2911 2`: pairs of hex and factors. */
export function readHexes(reading: LineReading, draft: Draft): boolean {
  while (reading.at < reading.words.length) {
    const pair = { hex: '', factors: 0 };
    if (
      !readHex(reading, (hex) => {
        pair.hex = hex;
      }) ||
      !readNumber(reading, (n) => {
        pair.factors = n;
      })
    )
      return false;
    if (pair.factors === 0) return failed(reading, 'NUMBER MISSING', { after: pair.hex, word: '0' });
    draft.hexes.push(pair);
  }
  return draft.hexes.length > 0 || failed(reading, 'HEX MISSING', { after: 'INTERDICT' });
}

/** `unit … -> hex …` after ADVANCE or BREAKOUT; without a path the target hex is meant. */
export function readAttackPaths(reading: LineReading, into: UnitPath[], target: string | null): boolean {
  const units: string[] = [];
  if (!readUnits(reading, units)) return false;
  const path: string[] = [];
  let leaves: ExitEdge | null = null;
  if (reading.words[reading.at]?.upper === '->') {
    reading.at += 1;
    if (
      !readPath(reading, path, (edge) => {
        leaves = edge;
      })
    )
      return false;
  } else if (target !== null) path.push(target);
  for (const unit of units) into.push({ unit, path: [...path], edge: leaves });
  return true;
}
