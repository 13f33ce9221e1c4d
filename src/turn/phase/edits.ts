/** Edits of a state by a ruling: a path such as `table.places.red` or `hands.allied.cards[2]`, a JSON value, and back. */
import { canonical } from '../../kernel/hash.ts';
import type { GameState } from '../../kernel/types.ts';
import type { RulingEdit } from '../../store/club-schema.ts';

const PATH_STEPS_MAX = 12;
const VALUE_CHARS_MAX = 4000;
/** Names that could reach outside of plain data. */
const FORBIDDEN = new Set(['__proto__', 'constructor', 'prototype']);

export type EditResult = { edit: RulingEdit; state: GameState } | { fault: EditFault };
export type EditFault = 'bad path' | 'no such place' | 'not JSON' | 'no change' | 'other kind';

/** The steps of a path; undefined when it is none. `a.b[2]` and `a.b.2` are the same; `"a b"` may be quoted. */
function pathSteps(path: string): string[] | undefined {
  const steps: string[] = [];
  const pattern = /(?:^|\.)(?:"([^"]+)"|([^.[\]"]+))|\[(\d+)\]|(.)/gy;
  for (const match of path.trim().matchAll(pattern)) {
    const step = match[1] ?? match[2] ?? match[3];
    if (step === undefined || FORBIDDEN.has(step)) return undefined;
    steps.push(step);
  }
  const root = steps[0];
  if (steps.length < 2 || steps.length > PATH_STEPS_MAX) return undefined;
  return root === 'table' || root === 'hands' || root === 'cup' ? steps : undefined;
}

/** The JSON value of what a game master wrote; a bare word is a text. */
function jsonOf(written: string): { value: unknown } | undefined {
  const text = written.trim();
  if (text.length > VALUE_CHARS_MAX) return undefined;
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return /^[\p{L}\p{N} ._-]+$/u.test(text) ? { value: text } : undefined;
  }
}

function holderOfPath(state: GameState, steps: readonly string[]): Record<string, unknown> | undefined {
  let at: unknown = state;
  for (const step of steps.slice(0, -1)) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, step)) return undefined;
    at = (at as Record<string, unknown>)[step];
  }
  return typeof at === 'object' && at !== null ? (at as Record<string, unknown>) : undefined;
}

const kindOf = (value: unknown): string => (value === null ? 'null' : Array.isArray(value) ? 'list' : typeof value);

/** Applies one edit to a copy. The place must exist and keep its kind of value, so that a slip can't break the rules. */
export function applyEdit(state: GameState, path: string, written: string): EditResult {
  const steps = pathSteps(path);
  if (!steps) return { fault: 'bad path' };
  const read = jsonOf(written);
  if (!read) return { fault: 'not JSON' };
  const copy = structuredClone(state);
  const holder = holderOfPath(copy, steps);
  const last = steps.at(-1)!;
  if (!holder || !Object.hasOwn(holder, last)) return { fault: 'no such place' };
  const before = holder[last];
  if (canonical(before) === canonical(read.value)) return { fault: 'no change' };
  const kinds = [kindOf(before), kindOf(read.value)];
  if (kinds[0] !== kinds[1] && !kinds.includes('null')) return { fault: 'other kind' };
  holder[last] = read.value;
  return { edit: { path: steps.join('.'), before, after: read.value }, state: copy };
}

/** Takes an edit back; undefined when something else stands there by now. */
export function revertEdit(state: GameState, edit: RulingEdit): GameState | undefined {
  const steps = pathSteps(edit.path);
  const copy = structuredClone(state);
  const holder = steps && holderOfPath(copy, steps);
  const last = steps?.at(-1);
  if (!holder || last === undefined || !Object.hasOwn(holder, last)) return undefined;
  if (canonical(holder[last]) !== canonical(edit.after)) return undefined;
  holder[last] = edit.before;
  return copy;
}

/** Who may be told the details of an edit: everybody for the table, one side for its hand, nobody for the cup. */
export function knownTo(edit: Pick<RulingEdit, 'path'>): 'all' | 'nobody' | string {
  const [root, side] = edit.path.split('.');
  if (root === 'table') return 'all';
  return root === 'hands' && side !== undefined ? side : 'nobody';
}
