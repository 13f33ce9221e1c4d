/**
 * Dice that anyone can check. A game has two hash chains, K(n) = SHA-256(K(n+1)), one for open dice, one for secrets.
 * A phase n reads the bytes of HMAC-SHA-256(K(n), "context:block"); for a die of s sides a byte b counts if
 * b < 256 - 256 mod s and gives b mod s + 1. Heads are mailed at the start, K(n) when phase n is done.
 */
import { createHash, createHmac } from 'node:crypto';
import { assert, Fault } from './assert.ts';
import type { Dice, DieRoll, Drawn, PhaseId } from './types.ts';

/** Keys in one chain; the next chain's head is committed before it runs out. */
export const CHAIN_LENGTH = 4096;
const ROLLS_MAX = 1000;

/** Walks a chain from its root: `chainKey(root, n)` is K(n), K(CHAIN_LENGTH) the root itself, K(0) the mailed head. */
export function chainKey(root: Buffer, n: number): Buffer {
  assert(Number.isInteger(n) && n >= 0 && n <= CHAIN_LENGTH, `no chain key ${n}`);
  return earlierKey(root, CHAIN_LENGTH - n);
}

/** Walks a key back by so many steps: from K(n) in n steps to the mailed head, whatever the root. */
export function earlierKey(key: Buffer, steps: number): Buffer {
  assert(Number.isInteger(steps) && steps >= 0 && steps <= CHAIN_LENGTH, `cannot walk ${steps} keys back`);
  let earlier = key;
  for (let left = steps; left > 0; left--) earlier = createHash('sha256').update(earlier).digest();
  return earlier;
}

/** What a side puts into the dice before the game begins. */
export interface DiceWords {
  side: string;
  text: string;
}

/** What a club mails before it reads any player's words: it can't change its secret any more. */
export function commitmentTo(secret: Buffer): string {
  return createHash('sha256')
    .update(`fieldpost secret\n${secret.toString('hex')}`)
    .digest('hex');
}

/** The root of a game's first chain of a kind: made of the club's secret and the words of all sides, so that nobody chose it. */
export function rootOf(secret: Buffer, words: readonly DiceWords[], kind: 'open' | 'secret'): Buffer {
  const said = words.map(({ side, text }) => `${side} ${createHash('sha256').update(text).digest('hex')}`);
  const lines = ['fieldpost dice', kind, secret.toString('hex'), ...said.sort((a, b) => (a < b ? -1 : 1))];
  return createHash('sha256').update(lines.join('\n')).digest();
}

/** The dice of a key for one context, without any logging: what the ten-line check in the README does. */
export function rollsOf(key: Uint8Array, context: string, count: number, sides: number): number[] {
  assert(Number.isInteger(sides) && sides >= 2 && sides <= 256, `no die of ${sides} sides`);
  assert(Number.isInteger(count) && count >= 1 && count <= ROLLS_MAX, `cannot roll ${count} dice`);
  const limit = 256 - (256 % sides);
  const rolls: number[] = [];
  for (let block = 0; rolls.length < count; block++) {
    for (const byte of createHmac('sha256', key).update(`${context}:${block}`).digest()) {
      if (byte < limit && rolls.length < count) rolls.push((byte % sides) + 1);
    }
  }
  return rolls;
}

/** Fisher-Yates from the last place down; each place draws below itself by rejection on two bytes. */
function permutationOf(key: Uint8Array, context: string, size: number): number[] {
  const order = Array.from({ length: size }, (_, i) => i);
  let block = 0;
  let bytes = Buffer.alloc(0);
  let at = 0;
  const draw = (bound: number): number => {
    const limit = 65536 - (65536 % bound);
    for (;;) {
      if (at + 2 > bytes.length) {
        bytes = createHmac('sha256', key).update(`${context}:${block++}`).digest();
        at = 0;
      }
      const value = bytes.readUInt16BE(at);
      at += 2;
      if (value < limit) return value % bound;
    }
  };
  for (let i = size - 1; i > 0; i--) {
    const j = draw(i + 1);
    [order[i], order[j]] = [order[j]!, order[i]!];
  }
  return order;
}

/** The phase that set-up counts as, for the contexts of its dice. It draws on the keys of phase 1. */
export const SETUP_PHASE: PhaseId = { n: 0, turn: 0, step: 'setup' };

/** The full context of a roll: `OVL-0017/3.move/battle 2810`. */
export function fullContext(game: string, phase: PhaseId, purpose: string): string {
  const battle = phase.battle === undefined ? '' : `.b${phase.battle}`;
  return `${game}/${phase.turn}.${phase.step}${battle}/${purpose}`;
}

export interface LoggedDice extends Dice {
  readonly log: DieRoll[];
}

/** The dice of one phase of one game. Every context may be used once; a re-roll says so in its purpose. */
export function phaseDice(open: Uint8Array, secret: Uint8Array, game: string, phase: PhaseId): LoggedDice {
  const log: DieRoll[] = [];
  const used = new Set<string>();
  const claim = (purpose: string): string => {
    const context = fullContext(game, phase, purpose);
    assert(!used.has(context), `dice context used twice: ${context}`);
    used.add(context);
    return context;
  };
  return {
    log,
    roll(purpose, count, sides) {
      const context = claim(purpose);
      const rolls = rollsOf(open, context, count, sides);
      log.push({ context, sides, rolls });
      return [...rolls];
    },
    shuffle(purpose, items) {
      const context = claim(purpose);
      const rolls = permutationOf(secret, context, items.length);
      log.push({ context, sides: items.length, rolls, secret: true });
      return rolls.map((i) => items[i]!);
    },
    draw(purpose, drawn) {
      log.push(turned(claim(purpose), drawn));
    },
  };
}

function turned(context: string, drawn: Drawn): DieRoll {
  return { context, sides: 0, rolls: [], drawn: { ...drawn } };
}

/** The order that a shuffle is to give, by its purpose: the items named come first, so written; the others stay behind. */
export type ShuffleOrders = Readonly<Record<string, readonly string[]>>;

/** What an item of a shuffle is called: itself, or its `id` or `name`. */
function nameOf(item: unknown): string {
  if (typeof item !== 'object' || item === null) return String(item);
  const { id, name } = item as { id?: unknown; name?: unknown };
  return String(id ?? name ?? JSON.stringify(item));
}

/** The permutation that puts the named items first. Throws on a name that is not, or no longer, among the items. */
function orderedAs(context: string, items: readonly unknown[], names: readonly string[]): number[] {
  const rest = items.map((_, i) => i);
  const first = names.map((name) => {
    const at = rest.findIndex((i) => nameOf(items[i]) === name);
    if (at < 0) throw new DiceListError(`"${name}" is not among what is shuffled (${context})`);
    return rest.splice(at, 1)[0]!;
  });
  return [...first, ...rest];
}

/** A dice list that did not fit what the rules asked for. */
export class DiceListError extends Error {
  override name = 'DiceListError';
}

/**
 * Dice read from a list, for rulings and tests. Shuffles keep the order given, but for those that `shuffles` names. A list
 * too short throws at the roll; call `finish` afterwards, it throws when rolls or named shuffles are left over.
 */
export function listDice(
  game: string,
  phase: PhaseId,
  values: readonly number[],
  shuffles: ShuffleOrders = {},
): LoggedDice & { finish(): void } {
  const log: DieRoll[] = [];
  const left = new Set(Object.keys(shuffles));
  let next = 0;
  return {
    log,
    roll(purpose, count, sides) {
      const context = fullContext(game, phase, purpose);
      const rolls = values.slice(next, next + count);
      if (rolls.length < count) throw new DiceListError(`the dice list is too short: no die left for ${context}`);
      for (const roll of rolls) {
        if (!Number.isInteger(roll) || roll < 1 || roll > sides)
          throw new DiceListError(`${roll} is no roll of a ${sides}-sided die (${context})`);
      }
      next += count;
      log.push({ context, sides, rolls });
      return [...rolls];
    },
    shuffle(purpose, items) {
      const context = fullContext(game, phase, purpose);
      left.delete(purpose);
      const rolls = orderedAs(context, items, shuffles[purpose] ?? []);
      log.push({ context, sides: items.length, rolls, secret: true });
      return rolls.map((i) => items[i]!);
    },
    draw(purpose, drawn) {
      log.push(turned(fullContext(game, phase, purpose), drawn));
    },
    finish() {
      if (left.size > 0) throw new DiceListError(`never shuffled: ${[...left].join(', ')}`);
      if (next !== values.length)
        throw new DiceListError(`the dice list is too long: ${values.length - next} of ${values.length} not used`);
    },
  };
}

/** Dice for a place where none may be rolled (previews). */
export const noDice: Dice = {
  roll(purpose) {
    throw new Fault(`no dice may be rolled here: ${purpose}`);
  },
  shuffle(purpose) {
    throw new Fault(`no cards may be shuffled here: ${purpose}`);
  },
  draw(purpose) {
    throw new Fault(`no cards may be turned here: ${purpose}`);
  },
};
