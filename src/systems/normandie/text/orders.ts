/**
 * The order language of 3.5: one table of verbs is the source of parsing, echo, HELP and the form. Faults of a single line
 * drop the line; legality on the board is checked in check.ts.
 */

import { error, suggest } from '../../../kernel/orders.ts';
import { valuesOf } from '../../../kernel/questions.ts';
import type { DecisionRequest, Diagnostic, OrderLine, Parsed, Verb } from '../../../kernel/types.ts';
import type { Book } from '../content/opened.ts';
import type { NormandieOrder, PlayTime, Rider, ScriptKey, SupplyOrder } from '../language.ts';
import type { Normandie, SideView } from '../types.ts';
import { printOrder } from './print.ts';
import { placeOrUnit, readClauses, readMove, readRider, readSteps } from './read-actions.ts';
import { readCondition } from './read-conditions.ts';
import { type DoctrineLine, readDoctrine, standingOf } from './read-doctrine.ts';
import { DOCTRINE_LINES_MAX, type LineReader, lex, namesFor, readerOf } from './reader.ts';

export const verbs: Verb[] = [
  {
    verb: 'TOKEN',
    pattern: 'TOKEN n|SPECIAL|BLUFF unit',
    help: { key: 'normandie.help TOKEN' },
    clauses: [],
    examples: ['TOKEN 1 US4', 'TOKEN BLUFF US7', 'TOKEN SPECIAL US9'],
  },
  {
    verb: 'ON',
    pattern: 'ON n|SPECIAL k|unit: [IF condition:] action [; rider…] | … | ELSE: action',
    help: { key: 'normandie.help ON' },
    clauses: [
      {
        name: 'MOVE',
        pattern: 'MOVE unit -> squares [FACE dir] [FLIP START|END]',
        help: { key: 'normandie.help ON MOVE' },
      },
      {
        name: 'FIRE',
        pattern: 'FIRE unit [WITH weapon] AT target, … [SUPPRESS] [SPLIT n, n]',
        help: { key: 'normandie.help ON FIRE' },
      },
      {
        name: 'ASSAULT',
        pattern: 'ASSAULT unit [VIA squares] AT target',
        help: { key: 'normandie.help ON ASSAULT' },
      },
      { name: 'HOLD', pattern: 'HOLD', help: { key: 'normandie.help ON HOLD' } },
      { name: 'FOM', pattern: '; FOM square FIRE …', help: { key: 'normandie.help ON FOM' } },
      { name: 'USE', pattern: '; USE option n', help: { key: 'normandie.help ON USE' } },
      { name: 'CARD', pattern: '; CARD card AS EVENT|BONUS [ON target]', help: { key: 'normandie.help ON CARD' } },
      { name: 'STOP IF', pattern: '; STOP IF condition', help: { key: 'normandie.help ON STOP IF' } },
    ],
    examples: [
      'ON 1: IF CANFIRE US4 GE6: FIRE US4 AT GE6 SUPPRESS ; CARD aim AS BONUS | ELSE: MOVE US4 -> F12 F11',
      'ON 2: ASSAULT US3 VIA F10 F9 AT GE6',
      'ON SPECIAL 1: MOVE US9 -> FWD FWD FACE N',
    ],
    script: true,
  },
  {
    verb: 'CLAIM',
    pattern: 'CLAIM SPECIAL|INITIATIVE|unit WHEN condition',
    help: { key: 'normandie.help CLAIM' },
    clauses: [],
    examples: ['CLAIM SPECIAL WHEN SHOWN GE 2 OR WRECKED US12'],
  },
  {
    verb: 'PLAY',
    pattern: 'PLAY card [ON target [-> squares]] AT ORDER-START|ORDER-END|SUPPLY-START|SUPPLY',
    help: { key: 'normandie.help PLAY' },
    clauses: [],
    examples: ['PLAY go ON US3 -> F11 F10 AT ORDER-END'],
  },
  {
    verb: 'SUPPLY',
    pattern: 'SUPPLY [IF condition:] MOVE unit -> squares [ELSE squares]',
    help: { key: 'normandie.help SUPPLY' },
    clauses: [{ name: 'CARD', pattern: 'CARD card AS BONUS', help: { key: 'normandie.help SUPPLY CARD' } }],
    examples: ['SUPPLY MOVE US10 -> D12 D11 ELSE D12', 'SUPPLY MOVE US10 -> D12 D11 D10 D9 D8 ; CARD go AS BONUS'],
  },
  {
    verb: 'CONCEAL',
    pattern: 'CONCEAL unit AS letter',
    help: { key: 'normandie.help CONCEAL' },
    clauses: [],
    examples: ['CONCEAL US5 AS A'],
  },
  {
    verb: 'DISCARD',
    pattern: 'DISCARD card…',
    help: { key: 'normandie.help DISCARD' },
    clauses: [],
    examples: ['DISCARD mine second'],
  },
  { verb: 'KEEP', pattern: 'KEEP ALL', help: { key: 'normandie.help KEEP' }, clauses: [], examples: ['KEEP ALL'] },
  {
    verb: 'PAUSE',
    pattern: 'PAUSE AFTER n',
    help: { key: 'normandie.help PAUSE' },
    clauses: [],
    examples: ['PAUSE AFTER 3'],
  },
  {
    verb: 'DEPLOY',
    pattern: 'DEPLOY unit AT square [square]|IN vehicle [FACE dir] [ACTIVE|INACTIVE]',
    help: { key: 'normandie.help DEPLOY' },
    clauses: [],
    examples: ['DEPLOY US3 AT F12', 'DEPLOY US7 AT G13 FACE N ACTIVE'],
  },
  {
    verb: 'FOXHOLE',
    pattern: 'FOXHOLE square',
    help: { key: 'normandie.help FOXHOLE' },
    clauses: [],
    examples: ['FOXHOLE G5'],
  },
  {
    verb: 'SCOUT',
    pattern: 'SCOUT MOVE unit -> squares',
    help: { key: 'normandie.help SCOUT' },
    clauses: [],
    examples: ['SCOUT MOVE US2 -> E11 E10'],
  },
  {
    verb: 'RECRUIT',
    pattern: 'RECRUIT tile [slot=option …]',
    help: { key: 'normandie.help RECRUIT' },
    clauses: [],
    examples: ['RECRUIT us-t-16a L=grenades R=veteran'],
  },
  {
    verb: 'DOCTRINE',
    pattern: 'DOCTRINE OPFIRE|REROLL|CARD|GEAR|RETREAT|DAMAGE|TARGET|SPOTTED|AIM|FRIGHTEN|ASK …',
    help: { key: 'normandie.help DOCTRINE' },
    clauses: [
      {
        name: 'OPFIRE',
        pattern: 'OPFIRE who YES|NO [IF condition] [TARGET kind, …] [WAIT n]',
        help: { key: 'normandie.help DOCTRINE OPFIRE' },
      },
      {
        name: 'REROLL',
        pattern: 'REROLL VETERAN|SECOND OWN|ENEMY IF test [MAX n]',
        help: { key: 'normandie.help DOCTRINE REROLL' },
      },
      {
        name: 'CARD',
        pattern:
          'CARD card [AS BONUS ON kind [unit]] [WHEN moment [unit]] [IF condition] [-> squares] [MAX n] [KEEP n]',
        help: { key: 'normandie.help DOCTRINE CARD' },
      },
      {
        name: 'GEAR',
        pattern: 'GEAR option who ALWAYS|IF condition [IN FIRE|ASSAULT] [COUNT n]',
        help: { key: 'normandie.help DOCTRINE GEAR' },
      },
      {
        name: 'RETREAT',
        pattern: 'RETREAT who TOWARD dir, … [COVER]',
        help: { key: 'normandie.help DOCTRINE RETREAT' },
      },
      { name: 'DAMAGE', pattern: 'DAMAGE who PREFER part, …', help: { key: 'normandie.help DOCTRINE DAMAGE' } },
      { name: 'TARGET', pattern: 'TARGET who kind, …', help: { key: 'normandie.help DOCTRINE TARGET' } },
      { name: 'SPOTTED', pattern: 'SPOTTED who HOLD|FIRE|GO ON', help: { key: 'normandie.help DOCTRINE SPOTTED' } },
      { name: 'ASK', pattern: 'ASK window, …', help: { key: 'normandie.help DOCTRINE ASK' } },
    ],
    examples: [
      'DOCTRINE OPFIRE ALL NO IF TOKEN <= 2',
      'DOCTRINE REROLL veteran OWN IF FAILED AND CHANCE >= 50 MAX 2',
      'DOCTRINE RETREAT ALL TOWARD S, W',
    ],
    standing: true,
  },
];

const PLAY_TIMES: readonly string[] = ['ORDER-START', 'ORDER-END', 'SUPPLY-START', 'SUPPLY'];

/** Reads the order lines of a mail (3.5). Every fault names its line; a line with a fault is dropped. */
export function parse(book: Book, lines: readonly OrderLine[], view: SideView): Parsed<Normandie> {
  const parsed: Parsed<Normandie> = { orders: [], standing: [], diagnostics: [] };
  const names = namesFor(book, view);
  const doctrine: { n: number; line: DoctrineLine }[] = [];
  for (const line of lines) {
    const isDoctrine = /^\s*DOCTRINE\b/i.test(line.text);
    const reader = readerOf(line, names, isDoctrine);
    if (lex(line.text).length === 0) continue;
    const said = isDoctrine ? readDoctrineLine(reader) : [];
    const read = isDoctrine ? null : readOrder(reader);
    if (!reader.problem && !reader.done())
      reader.fail('E02', { text: reader.peek(), expected: 'the end of the line', near: [] });
    if (reader.problem) parsed.diagnostics.push(reader.problem);
    else if (read) parsed.orders.push(read);
    else doctrine.push(...said.map((each) => ({ n: line.n, line: each })));
  }
  if (doctrine.length > DOCTRINE_LINES_MAX) {
    for (const late of doctrine.splice(DOCTRINE_LINES_MAX))
      parsed.diagnostics.push(
        error('E02', late.n, { text: 'DOCTRINE', expected: `at most ${DOCTRINE_LINES_MAX} doctrine lines`, near: [] }),
      );
  }
  parsed.standing = standingOf(doctrine);
  return parsed;
}

/** An order or doctrine line as text. */
export const print = printOrder;

/** Blanks and case don't matter in an answer: `fire us7 at GE3` is `FIRE US7 AT GE3`. */
function folded(text: string): string {
  return text.toUpperCase().replace(/\s+/g, ' ').trim();
}

/** Reads an answer to a question: an option as written, or its number (from 1) in the list. */
export function parseAnswer(
  _book: Book,
  _view: SideView,
  request: DecisionRequest<Normandie>,
  lines: readonly OrderLine[],
): { chosen: string[] } | { diagnostics: Diagnostic[] } {
  const values = valuesOf(request);
  const chosen: string[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const line of lines) {
    const text = folded(line.text.replace(/#.*$/, ''));
    if (text === '') continue;
    const numbered = /^\d+$/.test(text) ? values[Number(text) - 1] : undefined;
    const option = values.find((each) => folded(each) === text) ?? numbered;
    if (option === undefined)
      diagnostics.push(
        error('E02', line.n, {
          text,
          expected: 'one of the options of the question',
          near: suggest(text, values),
        }),
      );
    else if (!chosen.includes(option)) chosen.push(option);
  }
  if (diagnostics.length === 0 && (chosen.length < request.min || chosen.length > request.max)) {
    const expected = request.min === request.max ? `${request.min}` : `${request.min} to ${request.max}`;
    diagnostics.push(
      error('E02', 'mail', { text: `${chosen.length}`, expected: `${expected} of the options`, near: [] }),
    );
  }
  return diagnostics.length > 0 ? { diagnostics } : { chosen };
}

function readDoctrineLine(reader: LineReader): DoctrineLine[] {
  reader.take();
  return readDoctrine(reader);
}

function readOrder(reader: LineReader): NormandieOrder | null {
  const line = reader.n;
  const verb = reader.expect('an order', ...verbs.map((known) => known.verb));
  switch (verb) {
    case 'TOKEN': {
      if (reader.accept('SPECIAL')) return { verb, line, token: 'special', unit: reader.own() };
      if (reader.accept('BLUFF')) return { verb, line, token: 'bluff', unit: reader.own() };
      return { verb, line, token: reader.number(1, 10), unit: reader.own() };
    }
    case 'ON': {
      const on = readKey(reader);
      reader.expect('":"', ':');
      return { verb, line, on, clauses: readClauses(reader) };
    }
    case 'CLAIM': {
      const what = reader.accept('SPECIAL')
        ? 'special'
        : reader.accept('INITIATIVE')
          ? 'initiative'
          : { unit: reader.own() };
      reader.expect('WHEN', 'WHEN');
      return { verb, line, what, when: readCondition(reader) };
    }
    case 'PLAY':
      return readPlay(reader);
    case 'SUPPLY':
      return readSupply(reader);
    case 'PAUSE':
      reader.expect('AFTER', 'AFTER');
      return { verb, line, after: reader.number(1, 10) };
    default:
      return readSetup(reader, verb);
  }
}

function readKey(reader: LineReader): ScriptKey {
  if (/^\d+$/.test(reader.peek())) return { n: reader.number(1, 10) };
  if (reader.accept('SPECIAL')) return { special: /^\d+$/.test(reader.peek()) ? reader.number(1, 10) : 1 };
  return { unit: reader.own() };
}

function readPlay(reader: LineReader): NormandieOrder {
  const card = reader.oneOf('a card', reader.names.cards);
  const on = reader.accept('ON') ? placeOrUnit(reader) : undefined;
  const path: string[] = [];
  if (reader.accept('->')) while (reader.names.places.has(reader.peek())) path.push(reader.square());
  reader.expect('AT and a moment', 'AT');
  const at = reader.oneOf('ORDER-START, ORDER-END, SUPPLY-START or SUPPLY', PLAY_TIMES).toLowerCase() as PlayTime;
  return {
    verb: 'PLAY',
    line: reader.n,
    card,
    at,
    ...(on === undefined ? {} : { on }),
    ...(path.length > 0 ? { path } : {}),
  };
}

function readSupply(reader: LineReader): SupplyOrder | null {
  const when = reader.accept('IF') ? readCondition(reader) : undefined;
  if (when) reader.expect('":" after the condition', ':');
  if (reader.peek() === 'FIRE' || reader.peek() === 'ASSAULT') {
    reader.fail('E28', { word: reader.peek() }, '3.3');
    return null;
  }
  reader.expect('MOVE', 'MOVE');
  const move = readMove(reader);
  const order: SupplyOrder = { verb: 'SUPPLY', line: reader.n, move };
  if (when) order.when = when;
  if (reader.accept('ELSE')) order.otherwise = readSteps(reader);
  const riders: Rider[] = [];
  for (;;) {
    const parted = reader.accept(';');
    if (reader.peek() !== 'CARD' && (!parted || reader.done())) break;
    if (reader.peek() !== 'CARD') reader.expect('CARD card AS BONUS', 'CARD');
    riders.push(readRider(reader, move));
  }
  if (riders.length > 0) order.riders = riders;
  return order;
}

function readSetup(reader: LineReader, verb: string): NormandieOrder | null {
  const line = reader.n;
  switch (verb) {
    case 'CONCEAL': {
      const unit = reader.own();
      reader.expect('AS', 'AS');
      const letter = reader.take().upper;
      if (!/^[A-Z]$/.test(letter)) reader.fail('E02', { text: letter, expected: 'a letter', near: [] });
      return { verb, line, unit, letter };
    }
    case 'DISCARD': {
      const cards = [reader.oneOf('a card', reader.names.cards)];
      while (!reader.done()) if (!reader.accept(',')) cards.push(reader.oneOf('a card', reader.names.cards));
      return { verb, line, cards };
    }
    case 'KEEP':
      reader.expect('ALL', 'ALL');
      return { verb: 'DISCARD', line, cards: [] };
    case 'DEPLOY':
      return readDeploy(reader);
    case 'FOXHOLE':
      return { verb, line, square: reader.square() };
    case 'SCOUT':
      reader.expect('MOVE', 'MOVE');
      return { verb, line, move: readMove(reader) };
    case 'RECRUIT': {
      const tile = reader.oneOf('a Recruitment Tile', reader.names.tiles);
      const slots: Record<string, string> = {};
      while (!reader.done()) {
        const slot = reader.take().upper;
        reader.expect('"=" between slot and option', '=');
        slots[slot] = reader.oneOf('an option or support tile', [...reader.names.options, ...reader.names.tiles]);
      }
      return { verb, line, tile, slots };
    }
    default:
      return null;
  }
}

function readDeploy(reader: LineReader): NormandieOrder {
  const line = reader.n;
  const unit = reader.own();
  const order: NormandieOrder = { verb: 'DEPLOY', line, unit, at: [] };
  if (reader.expect('AT square or IN vehicle', 'AT', 'IN') === 'IN') order.in = reader.own();
  else {
    order.at.push(reader.square());
    if (reader.names.places.has(reader.peek())) order.at.push(reader.square());
  }
  for (;;) {
    if (reader.accept('FACE')) order.facing = reader.direction();
    else if (reader.accept('ACTIVE')) order.face = 'active';
    else if (reader.accept('INACTIVE')) order.face = 'inactive';
    else return order;
  }
}
