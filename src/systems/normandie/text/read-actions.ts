/** Actions of scripts and supply: moves, assaults, fire, and the riders that hang on them. */
import type {
  Action,
  AssaultAction,
  Clause,
  FireAction,
  FireTarget,
  MoveAction,
  MoveStep,
  Part,
  Rider,
  TargetClass,
  WeaponWord,
} from '../language.ts';
import { readCondition } from './read-conditions.ts';
import { CLAUSES_MAX, type LineReader, looksLikePlace, RIDERS_MAX } from './reader.ts';

const STEPS_MAX = 40;
const TARGETS_MAX = 12;
const WEAPONS: readonly string[] = ['PRIMARY', 'SECONDARY', 'HOWITZER', 'INDIRECT', 'SNIPER', 'FLAME'];
const CLASSES: readonly string[] = [
  'INF',
  'LIGHT',
  'HEAVY',
  'OFFICER',
  'CHARACTER',
  'HEAVY-WEAPON',
  'TRANSPORT',
  'ASSAULTER',
  'REDUCED',
  'SUPPRESSED',
  'NEAREST',
  'BEST',
  'ANY',
];

/** The clauses of a script, read top to bottom and parted by bars. */
export function readClauses(reader: LineReader): Clause[] {
  const clauses = [readClause(reader)];
  while (reader.accept('|')) clauses.push(readClause(reader));
  if (clauses.length > CLAUSES_MAX)
    reader.fail('E02', { text: `${clauses.length} clauses`, expected: `at most ${CLAUSES_MAX} clauses`, near: [] });
  return clauses;
}

function readClause(reader: LineReader): Clause {
  if (reader.accept('IF')) {
    const when = readCondition(reader);
    reader.expect('":" after the condition', ':');
    return { when, parts: readParts(reader) };
  }
  if (reader.accept('ELSE')) reader.accept(':');
  return { parts: readParts(reader) };
}

function readParts(reader: LineReader): Part[] {
  const parts: Part[] = [{ action: readAction(reader), riders: [] }];
  while (reader.accept(';')) {
    if (reader.done()) break;
    const last = parts[parts.length - 1]!;
    if (['FOM', 'USE', 'CARD', 'STOP'].includes(reader.peek())) last.riders.push(readRider(reader, last.action));
    else parts.push({ action: readAction(reader), riders: [] });
  }
  const riders = parts.reduce((sum, part) => sum + part.riders.length, 0);
  if (riders > RIDERS_MAX)
    reader.fail('E02', { text: `${riders} riders`, expected: `at most ${RIDERS_MAX} riders in a clause`, near: [] });
  return parts;
}

function readAction(reader: LineReader): Action {
  const word = reader.expect('MOVE, FIRE, ASSAULT or HOLD', 'MOVE', 'FIRE', 'ASSAULT', 'HOLD');
  if (word === 'MOVE') return readMove(reader);
  if (word === 'ASSAULT') return readAssault(reader);
  if (word === 'FIRE') return readFire(reader);
  return { do: 'hold' };
}

/** `FOM`, `USE`, `STOP` or `CARD`, which is the next word, and what belongs to it. */
export function readRider(reader: LineReader, action: Action): Rider {
  const word = reader.take().upper;
  if (word === 'FOM') {
    const at = reader.square();
    reader.expect('FIRE', 'FIRE');
    return { rider: 'fom', at, fire: readFire(reader) };
  }
  if (word === 'USE') {
    const option = reader.oneOf('an option', reader.names.options);
    return { rider: 'use', option, n: /^\d+$/.test(reader.peek()) ? reader.number(1, 9) : 1 };
  }
  if (word === 'STOP') {
    reader.expect('IF', 'IF');
    return { rider: 'stop', when: readCondition(reader) };
  }
  const card = reader.oneOf('a card', reader.names.cards);
  let as: 'event' | 'bonus' = 'event';
  if (reader.accept('AS')) as = reader.expect('EVENT or BONUS', 'EVENT', 'BONUS') === 'BONUS' ? 'bonus' : 'event';
  if (action.do === 'hold') reader.fail('E24', { card });
  if (!reader.accept('ON')) return { rider: 'card', card, as };
  return { rider: 'card', card, as, target: placeOrUnit(reader) };
}

/** A unit of either side, a square or an interspace. */
export function placeOrUnit(reader: LineReader): string {
  return looksLikePlace(reader) ? reader.interspaceOrSquare() : reader.anyUnit();
}

/** `MOVE` is read already. `MOVE US3 ->` is a 0 move (3.2.1-b). */
export function readMove(reader: LineReader): MoveAction {
  const unit = reader.own();
  const arrow = reader.accept('->');
  const steps = readSteps(reader);
  const move: MoveAction = { do: 'move', unit, steps };
  for (;;) {
    if (reader.accept('FACE')) move.face = reader.direction();
    else if (reader.accept('FLIP')) {
      if (move.flip) reader.fail('E17', { unit });
      move.flip = reader.expect('START or END', 'START', 'END') === 'START' ? 'start' : 'end';
      if (move.flip === 'start' && steps.length === 0) {
        reader.accept('->');
        steps.push(...readSteps(reader));
      }
    } else break;
  }
  if (!arrow && steps.length === 0 && move.face === undefined && !move.flip)
    reader.fail('E02', { text: reader.peek() || 'end of line', expected: 'squares, FACE or FLIP', near: [] });
  if (isStep(reader)) reader.fail('E17', { unit });
  return move;
}

function isStep(reader: LineReader): boolean {
  const next = reader.peek();
  return ['->', 'FWD', 'BACK', 'OFF', 'PIVOT', 'IN', 'OUT', 'PUSH'].includes(next) || looksLikePlace(reader);
}

/** Steps up to the first word that is none. */
export function readSteps(reader: LineReader): MoveStep[] {
  const steps: MoveStep[] = [];
  while (isStep(reader) && steps.length < STEPS_MAX) {
    if (reader.accept('->')) continue;
    steps.push(readStep(reader));
  }
  if (steps.length >= STEPS_MAX)
    reader.fail('E02', { text: 'path', expected: `at most ${STEPS_MAX - 1} steps`, near: [] });
  return steps;
}

function readStep(reader: LineReader): MoveStep {
  if (reader.accept('FWD')) return { step: 'fwd' };
  if (reader.accept('BACK')) return { step: 'back' };
  if (reader.accept('OFF')) return { step: 'off' };
  if (reader.accept('IN')) return { step: 'in', unit: reader.own() };
  if (reader.accept('OUT')) return { step: 'out', square: reader.square() };
  if (reader.accept('PUSH')) return { step: 'push', square: reader.square() };
  if (!reader.accept('PIVOT')) return { step: 'to', square: reader.square() };
  const turn = reader.expect('L or R', 'L', 'R') as 'L' | 'R';
  if (!reader.accept('KEEP')) return { step: 'pivot', turn };
  return { step: 'pivot', turn, keep: reader.expect('FRONT or REAR', 'FRONT', 'REAR') === 'REAR' ? 'rear' : 'front' };
}

function readAssault(reader: LineReader): AssaultAction {
  const unit = reader.own();
  const via = reader.accept('VIA', '->') ? readSteps(reader) : [];
  reader.expect('VIA squares or AT target', 'AT');
  const assault: AssaultAction = { do: 'assault', unit, via, at: reader.enemy() };
  if (reader.accept('FLIP')) {
    reader.expect('START', 'START');
    assault.flip = 'start';
  }
  return assault;
}

/** `FIRE` is read already. A flame needs a direction, or `AT` a square of a position or building beside it. */
function readFire(reader: LineReader): FireAction {
  const fire: FireAction = { do: 'fire', unit: reader.own(), targets: [] };
  if (reader.accept('WITH')) {
    fire.weapon = reader.oneOf('a weapon or an option', [...WEAPONS, ...reader.names.options]) as WeaponWord | string;
    const flames = fire.weapon === 'FLAME' || fire.weapon === 'flamer';
    if (flames && reader.peek() !== 'AT') fire.direction = reader.direction();
  }
  if (fire.direction === undefined || reader.peek() === 'AT') {
    reader.expect('AT target', 'AT');
    fire.targets.push(readTarget(reader));
    while (fire.targets.length < TARGETS_MAX && reader.accept(',')) fire.targets.push(readTarget(reader));
  }
  for (;;) {
    if (reader.accept('SUPPRESS')) fire.suppress = true;
    else if (reader.accept('SPLIT')) {
      fire.split = [reader.number(1, 20)];
      while (reader.accept(',')) fire.split.push(reader.number(1, 20));
    } else break;
  }
  if (fire.split && fire.split.length !== fire.targets.length)
    reader.fail('E21', { unit: fire.unit, targets: fire.targets.length, parts: fire.split.length }, '6.1');
  return fire;
}

function readTarget(reader: LineReader): FireTarget {
  if (reader.accept('BUILDING')) return { target: 'building', id: reader.oneOf('a building', reader.names.buildings) };
  if (reader.accept('ANY')) {
    const named = CLASSES.includes(reader.peek());
    return { target: 'any', class: named ? (reader.take().upper as TargetClass) : null };
  }
  if (looksLikePlace(reader)) return { target: 'place', place: reader.interspaceOrSquare() };
  return { target: 'unit', code: reader.enemy() };
}

/** A list of target classes, best first. */
export function readClasses(reader: LineReader): TargetClass[] {
  const classes = [reader.expect('a kind of target', ...CLASSES) as TargetClass];
  while (reader.accept(',')) classes.push(reader.expect('a kind of target', ...CLASSES) as TargetClass);
  return classes;
}
