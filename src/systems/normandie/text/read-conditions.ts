/** Conditions of scripts and doctrine: OR binds loosest, then AND, NOT, brackets. */

import type { NormandieSide } from '../data.ts';
import type { Compare, Condition, ZoneWords } from '../language.ts';
import { deeper, type LineReader } from './reader.ts';

const NEVER: Condition = { is: 'turn', compare: '<=', value: 0 };

/** Reads a condition; the reader's problem says when there is none. */
export function readCondition(reader: LineReader): Condition {
  return deeper(reader, () => chain(reader, 'or', () => chain(reader, 'and', () => negation(reader))), NEVER);
}

function chain(reader: LineReader, is: 'and' | 'or', part: () => Condition): Condition {
  const of = [part()];
  while (reader.accept(is.toUpperCase())) of.push(part());
  return of.length === 1 ? of[0]! : { is, of };
}

function negation(reader: LineReader): Condition {
  if (reader.accept('NOT')) return deeper(reader, (): Condition => ({ is: 'not', of: negation(reader) }), NEVER);
  if (reader.accept('(')) {
    const inner = readCondition(reader);
    reader.expect('a closing bracket', ')');
    return inner;
  }
  return test(reader);
}

const UNIT_TESTS = ['ALIVE', 'LOST', 'SEEN', 'HIT', 'WRECKED', 'ACTIVATED', 'MARKED'] as const;
const TESTS = [
  ...UNIT_TESTS,
  'AT',
  'LOS',
  'CANFIRE',
  'ODDS',
  'RANGE',
  'SUPPRESSED',
  'FREE',
  'ENEMY',
  'FRIEND',
  'SHOWN',
  'TURN',
  'HOLD',
  'CARDS',
] as const;
const DOCTRINE_TESTS = [
  'CHANCE',
  'TOKEN',
  'MINRANGE',
  'ENTERS',
  'ASSAULTS',
  'AFTERFIRE',
  'FAILED',
  'HITS',
  'SUPPRESSES',
  'LOSES',
  'DAMAGES',
  'SCATTERED',
] as const;

function test(reader: LineReader): Condition {
  const next = reader.peek();
  const ahead = reader.peek(1);
  if ((DOCTRINE_TESTS as readonly string[]).includes(next)) {
    if (!reader.doctrine) reader.fail('E11', { text: next }, '3.4');
    return momentTest(reader, reader.take().upper);
  }
  if (reader.doctrine && (next === 'ODDS' || next === 'RANGE') && /^[<>]=$/.test(ahead)) {
    reader.take();
    return { is: next === 'ODDS' ? 'this-odds' : 'this-range', ...comparison(reader) };
  }
  if (next === 'HAND' || next === 'SCRIPT' || next === 'NUMBER') reader.fail('E11', { text: next }, '3.4');
  const word = reader.expect('a condition word', ...TESTS);
  if ((UNIT_TESTS as readonly string[]).includes(word)) {
    const is = word.toLowerCase() as 'alive' | 'lost' | 'seen' | 'hit' | 'wrecked' | 'activated' | 'marked';
    return { is, unit: reader.anyUnit() };
  }
  return boardTest(reader, word);
}

function boardTest(reader: LineReader, word: string): Condition {
  switch (word) {
    case 'AT':
      return { is: 'at', unit: reader.anyUnit(), zone: readZone(reader) };
    case 'LOS':
      return { is: 'los', from: unitOrPlace(reader), to: unitOrPlace(reader) };
    case 'CANFIRE':
      return { is: 'canfire', unit: reader.own(), target: reader.enemy() };
    case 'ODDS': {
      const unit = reader.own();
      const target = reader.enemy();
      const suppress = reader.accept('SUPPRESS');
      return { is: 'odds', unit, target, suppress, ...comparison(reader) };
    }
    case 'RANGE':
      return { is: 'range', from: unitOrPlace(reader), to: unitOrPlace(reader), ...comparison(reader) };
    case 'SUPPRESSED':
      return { is: 'suppressed', unit: reader.anyUnit(), ...optionalComparison(reader) };
    case 'FREE':
      return { is: 'free', square: reader.square() };
    case 'ENEMY':
    case 'FRIEND':
      reader.accept('IN');
      return { is: word === 'ENEMY' ? 'enemy' : 'friend', zone: readZone(reader), ...optionalComparison(reader) };
    case 'SHOWN': {
      const side = reader.expect('US or GE', 'US', 'GE').toLowerCase() as NormandieSide;
      return { is: 'shown', side, n: reader.number(1, 10) };
    }
    case 'HOLD':
      return { is: 'hold', objective: reader.oneOf('an objective', reader.names.objectives) };
    default:
      return { is: word === 'CARDS' ? 'cards' : 'turn', ...comparison(reader) };
  }
}

function momentTest(reader: LineReader, word: string): Condition {
  switch (word) {
    case 'CHANCE': {
      const span = /^(\d+)\.\.(\d+)$/.exec(reader.peek());
      if (!span) return { is: 'chance', ...comparison(reader) };
      reader.take();
      return {
        is: 'and',
        of: [
          { is: 'chance', compare: '>=', value: Number(span[1]) },
          { is: 'chance', compare: '<=', value: Number(span[2]) },
        ],
      };
    }
    case 'TOKEN':
      return { is: 'token', ...comparison(reader) };
    case 'MINRANGE':
      return { is: 'this-range', compare: '>=', value: reader.number(0, 30) };
    case 'ENTERS':
      return { is: 'enters', zone: readZone(reader) };
    case 'ASSAULTS':
      return { is: 'assaults', unit: reader.own() };
    case 'AFTERFIRE':
      return { is: 'afterfire' };
    case 'FAILED':
      return { is: 'failed' };
    case 'SCATTERED':
      return { is: 'scattered' };
    case 'LOSES':
      reader.expect('ASSAULT', 'ASSAULT');
      return { is: 'loses-assault', unit: unitOrAny(reader) };
    case 'DAMAGES': {
      const unit = unitOrAny(reader);
      reader.accept('>=');
      return { is: 'damages', unit, part: reader.number(1, 6) };
    }
    default:
      return { is: word === 'HITS' ? 'hits' : 'suppresses', unit: unitOrAny(reader) };
  }
}

function unitOrAny(reader: LineReader): string {
  return reader.accept('ANY') ? 'ANY' : reader.anyUnit();
}

function unitOrPlace(reader: LineReader): string {
  return reader.names.places.has(reader.peek()) ? reader.square() : reader.anyUnit();
}

function comparison(reader: LineReader): { compare: Compare; value: number } {
  const compare = reader.expect('>= or <=', '>=', '<=') as Compare;
  return { compare, value: reader.number(0, 100) };
}

/** A test without a number means "at least one". */
function optionalComparison(reader: LineReader): { compare: Compare; value: number } {
  return /^[<>]=$/.test(reader.peek()) ? comparison(reader) : { compare: '>=', value: 1 };
}

/** A set of squares: `D9`, `D9, E9`, `C3:F6`, `BUILDING 1`, `OBJECTIVE farm`, `WITHIN 2 OF US3`. */
function readZone(reader: LineReader): ZoneWords {
  if (reader.accept('BUILDING')) return { zone: 'building', id: reader.oneOf('a building', reader.names.buildings) };
  if (reader.accept('OBJECTIVE'))
    return { zone: 'objective', id: reader.oneOf('an objective', reader.names.objectives) };
  if (reader.accept('WITHIN')) {
    const n = reader.number(0, 30);
    reader.expect('OF', 'OF');
    return { zone: 'within', n, of: unitOrPlace(reader) };
  }
  const block = /^([A-Z]+\d+):([A-Z]+\d+)$/.exec(reader.peek());
  if (block) {
    const word = reader.take().text;
    for (const corner of [block[1]!, block[2]!])
      if (!reader.names.places.has(corner)) reader.fail('E04', { text: word, near: [] });
    return { zone: 'block', from: block[1]!, to: block[2]! };
  }
  const squares = [reader.square()];
  while (reader.peek() === ',' && reader.names.places.has(reader.peek(1))) {
    reader.take();
    squares.push(reader.square());
  }
  return { zone: 'squares', squares };
}
