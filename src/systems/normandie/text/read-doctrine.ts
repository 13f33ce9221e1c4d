/** Doctrine lines: standing answers to the questions of 3.7, kept until the same kind for the same unit is written again. */
import type { AskWord, Doctrine, Rule } from '../language.ts';
import { readClasses } from './read-actions.ts';
import { readCondition } from './read-conditions.ts';
import type { LineReader } from './reader.ts';

const KINDS = [
  'OPFIRE',
  'REROLL',
  'CARD',
  'GEAR',
  'RETREAT',
  'DAMAGE',
  'TARGET',
  'SPOTTED',
  'AIM',
  'FRIGHTEN',
  'ASK',
] as const;
const WINDOWS = [
  'TARGETED',
  'GRENADED',
  'SUPPRESSED',
  'REMOVED',
  'OPFIRED',
  'ENTERS',
  'MOVES',
  'LOST-ASSAULT',
] as const;
const ASKS = ['OPFIRE', 'REROLL', 'CARD', 'RETREAT', 'DAMAGE', 'TARGET'] as const;
/** What one doctrine line says; `none` takes the lines of that kind and unit off. */
export type DoctrineLine = { rule: Rule } | { none: { kind: string; who: string } };

/** The rules of a line, parted by bars as a standing order is printed. `DOCTRINE` is read already. */
export function readDoctrine(reader: LineReader): DoctrineLine[] {
  const lines = [readRule(reader)];
  while (reader.accept('|')) lines.push(readRule(reader));
  return lines.filter((line) => line !== null);
}

function readRule(reader: LineReader): DoctrineLine | null {
  const kind = reader.expect('a kind of doctrine', ...KINDS);
  switch (kind) {
    case 'OPFIRE':
      return withWho(reader, kind, readOpfire);
    case 'REROLL':
      return readReroll(reader);
    case 'CARD':
      return readCard(reader);
    case 'GEAR':
      return readGear(reader);
    case 'RETREAT':
      return withWho(reader, kind, readRetreat);
    case 'DAMAGE':
      return withWho(reader, kind, readDamage);
    case 'TARGET':
      return withWho(reader, kind, (inner, who) => ({ rule: 'TARGET', who, classes: readClasses(inner) }));
    case 'SPOTTED':
      return withWho(reader, kind, readSpotted);
    case 'AIM':
      return withWho(reader, kind, (inner, who) => ({
        rule: 'AIM',
        who,
        at: inner.expect('UNIT or BUILDING', 'UNIT', 'BUILDING') === 'UNIT' ? 'unit' : 'building',
      }));
    case 'FRIGHTEN':
      return withWho(reader, kind, (inner, who) => ({
        rule: 'FRIGHTEN',
        who,
        use: inner.expect('YES or NO', 'YES', 'NO') === 'YES',
      }));
    case 'ASK': {
      if (reader.accept('NONE')) return { none: { kind, who: 'ALL' } };
      const windows = [reader.expect('a window to be asked in', ...ASKS) as AskWord];
      while (reader.accept(',')) windows.push(reader.expect('a window to be asked in', ...ASKS) as AskWord);
      return { rule: { rule: 'ASK', windows } };
    }
    default:
      return null;
  }
}

/** A unit's own code, a tile's id, or ALL. */
function readWho(reader: LineReader): string {
  if (reader.accept('ALL')) return 'ALL';
  const tile = reader.names.tiles.find((id) => id.toUpperCase() === reader.peek());
  if (tile === undefined) return reader.own();
  reader.take();
  return tile;
}

function withWho(reader: LineReader, kind: string, read: (reader: LineReader, who: string) => Rule): DoctrineLine {
  const who = readWho(reader);
  return reader.accept('NONE') ? { none: { kind, who } } : { rule: read(reader, who) };
}

function readOpfire(reader: LineReader, who: string): Rule {
  const fire = reader.expect('YES or NO', 'YES', 'NO') === 'YES';
  const rule: Extract<Rule, { rule: 'OPFIRE' }> = { rule: 'OPFIRE', who, fire, targets: [], wait: 0 };
  for (;;) {
    if (reader.accept('IF')) rule.when = readCondition(reader);
    else if (reader.accept('TARGET')) rule.targets = readClasses(reader);
    else if (reader.accept('WAIT')) rule.wait = reader.number(0, 20);
    else return rule;
  }
}

function readReroll(reader: LineReader): DoctrineLine {
  const source = reader.expect('VETERAN or SECOND', 'VETERAN', 'SECOND').toLowerCase() as 'veteran' | 'second';
  if (reader.accept('NONE')) return { none: { kind: 'REROLL', who: source } };
  const whose = reader.expect('OWN or ENEMY', 'OWN', 'ENEMY').toLowerCase() as 'own' | 'enemy';
  reader.expect('IF', 'IF');
  const when = readCondition(reader);
  return { rule: { rule: 'REROLL', source, whose, when, max: readMax(reader) } };
}

function readMax(reader: LineReader): number | null {
  return reader.accept('MAX') ? reader.number(1, 20) : null;
}

function readCard(reader: LineReader): DoctrineLine {
  const card = reader.oneOf('a card', reader.names.cards);
  if (reader.accept('NONE')) return { none: { kind: 'CARD', who: card } };
  const rule: Extract<Rule, { rule: 'CARD' }> = {
    rule: 'CARD',
    card,
    bonus: null,
    window: null,
    unit: null,
    path: [],
    max: null,
    keep: 0,
  };
  for (;;) {
    if (reader.accept('AS')) {
      reader.expect('BONUS', 'BONUS');
      reader.expect('ON', 'ON');
      const type = reader.expect('FIRE, ASSAULT, MOVE or ANY', 'FIRE', 'ASSAULT', 'MOVE', 'ANY').toLowerCase();
      const own = reader.names.own.some((code) => code.toUpperCase() === reader.peek());
      rule.bonus = { type: type as 'assault' | 'fire' | 'move' | 'any', unit: own ? reader.own() : null };
    } else if (reader.accept('WHEN')) {
      rule.window = reader.expect('a moment', ...WINDOWS);
      if (!reader.accept('ANY') && isUnit(reader)) rule.unit = reader.anyUnit();
    } else if (reader.accept('IF')) rule.when = readCondition(reader);
    else if (reader.accept('->')) rule.path.push(reader.interspaceOrSquare());
    else if (rule.path.length > 0 && (reader.peek().startsWith('@') || reader.names.places.has(reader.peek())))
      rule.path.push(reader.interspaceOrSquare());
    else if (reader.accept('MAX')) rule.max = reader.number(1, 20);
    else if (reader.accept('KEEP')) rule.keep = reader.number(0, 20);
    else return { rule };
  }
}

function isUnit(reader: LineReader): boolean {
  return [...reader.names.own, ...reader.names.enemies].some((code) => code.toUpperCase() === reader.peek());
}

function readGear(reader: LineReader): DoctrineLine {
  const option = reader.oneOf('an option', reader.names.options);
  const who = readWho(reader);
  if (reader.accept('NONE')) return { none: { kind: 'GEAR', who: `${option} ${who}` } };
  const rule: Extract<Rule, { rule: 'GEAR' }> = { rule: 'GEAR', option, who, in: null, count: 1 };
  if (reader.expect('ALWAYS or IF', 'ALWAYS', 'IF') === 'IF') rule.when = readCondition(reader);
  for (;;) {
    if (reader.accept('IN'))
      rule.in = reader.expect('FIRE or ASSAULT', 'FIRE', 'ASSAULT') === 'FIRE' ? 'fire' : 'assault';
    else if (reader.accept('COUNT')) rule.count = reader.number(1, 9);
    else return { rule };
  }
}

function readRetreat(reader: LineReader, who: string): Rule {
  reader.expect('TOWARD', 'TOWARD');
  const toward = [reader.direction()];
  while (reader.accept(',')) toward.push(reader.direction());
  return { rule: 'RETREAT', who, toward, cover: reader.accept('COVER') };
}

function readDamage(reader: LineReader, who: string): Rule {
  reader.expect('PREFER', 'PREFER');
  const parts = ['1', '2', '3-4', '5', '6'];
  const prefer = [reader.oneOf('a part (1, 2, 3-4, 5 or 6)', parts)];
  while (reader.accept(',')) prefer.push(reader.oneOf('a part (1, 2, 3-4, 5 or 6)', parts));
  return { rule: 'DAMAGE', who, prefer };
}

function readSpotted(reader: LineReader, who: string): Rule {
  const word = reader.expect('HOLD, FIRE or GO ON', 'HOLD', 'FIRE', 'GO');
  if (word === 'GO') reader.accept('ON');
  return { rule: 'SPOTTED', who, do: word === 'GO' ? 'go on' : word === 'FIRE' ? 'fire' : 'hold' };
}

/** For whom a rule is written, as far as it decides which earlier lines it replaces. */
function subjectOf(rule: Rule): string {
  switch (rule.rule) {
    case 'REROLL':
      return rule.source;
    case 'CARD':
      return rule.card;
    case 'GEAR':
      return `${rule.option} ${rule.who}`;
    case 'ASK':
      return 'ALL';
    default:
      return rule.who;
  }
}

/**
 * The standing orders of a mail's doctrine lines. All rules of one kind for one unit make one standing order, which
 * replaces what stood there before; NONE takes it off.
 */
export function standingOf(lines: readonly { n: number; line: DoctrineLine }[]): Doctrine[] {
  const standing = new Map<string, Doctrine>();
  for (const { n, line } of lines) {
    const key = 'rule' in line ? keyOf(line.rule.rule, subjectOf(line.rule)) : keyOf(line.none.kind, line.none.who);
    const before = standing.get(key);
    if ('none' in line) standing.set(key, { verb: 'DOCTRINE', line: n, key, rules: [], withdraw: true });
    else if (before && !before.withdraw) before.rules.push(line.rule);
    else standing.set(key, { verb: 'DOCTRINE', line: n, key, rules: [line.rule] });
  }
  return [...standing.values()];
}

/** `OPFIRE US7`; ASK has no subject. */
function keyOf(kind: string, subject: string): string {
  return kind === 'ASK' ? kind : `${kind} ${subject}`;
}
