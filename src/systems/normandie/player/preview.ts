/** How a side's orders would be read: each token's script in words, and the planned paths on the map. No dice. */

import { holds } from '../actions/conditions.ts';
import { actionRefusal } from '../actions/legality.ts';
import { moveRefusal, rulesFor } from '../actions/plan.ts';
import type { Book } from '../content/opened.ts';
import { knownFrom, ownCode } from '../counters/units.ts';
import { weaponFor } from '../counters/weapons.ts';
import type { NormandieSide, TokenKind } from '../data.ts';
import type { NormandieEvent } from '../events.ts';
import { PLAIN_SHOT } from '../fight/attack.ts';
import { shotChance, unitNamed } from '../fight/odds.ts';
import { legalTargets, targetNamed } from '../fight/targets.ts';
import { startWalk, walkStep } from '../ground/walk.ts';
import type { Action, Clause, NormandieOrder, Part, ScriptOrder, TokenOrder } from '../language.ts';
import { printAction, printCondition } from '../text/print.ts';
import type { Known, NormandieUnit, SideView } from '../types.ts';

interface Planning {
  book: Book;
  known: Known;
  side: NormandieSide;
  events: NormandieEvent[];
}

/** Events of the forecast (`planned`) and of the map (`moved`), both for the owner alone. */
export function planned(book: Book, view: SideView, orders: readonly NormandieOrder[]): NormandieEvent[] {
  if (view.viewer === 'public') return [];
  const p: Planning = { book, known: knownFrom(view), side: view.viewer as NormandieSide, events: [] };
  const tokens = tokensOf(p, orders);
  const scripts = orders.filter((order): order is ScriptOrder => order.verb === 'ON');
  const told = new Set<ScriptOrder>();
  for (const [token, name] of tokens) {
    const unit = unitNamed(p.known, p.side, name);
    if (!unit) continue;
    const own = scripts.filter((script) => serves(script, token, name));
    for (const script of own) told.add(script);
    if (own.length === 0) line(p, tokenName(token), name, 0, null, token === 'bluff' ? 'BLUFF' : 'DEFAULT', '', null);
    for (const script of own)
      for (const [i, clause] of script.clauses.entries()) clauseLines(p, tokenName(token), unit, clause, i + 1);
  }
  for (const script of scripts) {
    if (told.has(script) || !('unit' in script.on)) continue;
    const unit = unitNamed(p.known, p.side, script.on.unit);
    if (unit) for (const [i, clause] of script.clauses.entries()) clauseLines(p, 'AUTONOMOUS', unit, clause, i + 1);
  }
  for (const order of orders) if (order.verb === 'SUPPLY') supplyLine(p, order.move, 'SUPPLY');
  return p.events;
}

/** Tokens of this mail, or those that lie already, by number; Special and Bluff last. */
function tokensOf(p: Planning, orders: readonly NormandieOrder[]): [TokenKind, string][] {
  const filed = orders.filter((order): order is TokenOrder => order.verb === 'TOKEN');
  const lying = Object.entries(p.known.hands[p.side]?.tokens ?? {}).map(([code, token]): [TokenKind, string] => {
    const unit = p.known.table.units.find((each) => each.code === code);
    return [token, unit ? ownCode(p.known, unit) : code];
  });
  const all = filed.length > 0 ? filed.map((order): [TokenKind, string] => [order.token, order.unit]) : lying;
  const rank = (token: TokenKind): number => (typeof token === 'number' ? token : token === 'special' ? 98 : 99);
  return all.sort((a, b) => rank(a[0]) - rank(b[0]));
}

function serves(script: ScriptOrder, token: TokenKind, name: string): boolean {
  if ('n' in script.on) return script.on.n === token;
  if ('special' in script.on) return token === 'special';
  return script.on.unit === name;
}

const tokenName = (token: TokenKind): string => (typeof token === 'number' ? `${token}` : token.toUpperCase());

function line(
  p: Planning,
  token: string,
  unit: string,
  clause: number,
  when: string | null,
  action: string,
  outlook: string,
  chance: number | null,
): void {
  p.events.push({
    type: 'planned',
    audience: [p.side],
    side: p.side,
    token,
    unit,
    clause,
    when,
    action,
    outlook,
    chance,
  });
}

function clauseLines(p: Planning, token: string, unit: NormandieUnit, clause: Clause, n: number): void {
  const name = ownCode(p.known, unit);
  for (const [i, part] of clause.parts.entries()) {
    const when = i > 0 ? 'AND' : clause.when ? printCondition(clause.when) : null;
    const stands = !clause.when || holds(p.book, p.known, p.side, clause.when);
    const refusal = actionRefusal(p.book, p.known, unit, part.action, part.riders);
    const outlook = !stands ? 'IF' : refusal ? refusal.code : '';
    line(p, token, name, n, when, printAction(part.action), outlook, refusal ? null : chanceOf(p, unit, part.action));
    paths(p, unit, part);
  }
}

/** Chance of the first target that can be fired at now. */
function chanceOf(p: Planning, unit: NormandieUnit, action: Action): number | null {
  if (action.do !== 'fire' || action.split) return null;
  const use = weaponFor(p.book, p.known, unit, action.weapon);
  if ('code' in use) return null;
  const context = { ...PLAIN_SHOT, suppress: action.suppress === true };
  for (const target of action.targets) {
    if (target.target === 'any') {
      const [best] = legalTargets(p.book, p.known, unit, use, target.class, context);
      if (best) return best.chance;
    }
    if (target.target !== 'unit') continue;
    const enemy = targetNamed(p.known, target.code);
    const chance = enemy && shotChance(p.book, p.known, unit, use, enemy, context);
    if (chance !== undefined) return chance;
  }
  return null;
}

function paths(p: Planning, unit: NormandieUnit, part: Part): void {
  const { action } = part;
  if (action.do === 'move') steps(p, unit, action.steps, 'step');
  if (action.do === 'assault') steps(p, unit, action.via, 'step');
}

function supplyLine(p: Planning, move: Extract<Action, { do: 'move' }>, token: string): void {
  const unit = unitNamed(p.known, p.side, move.unit);
  if (!unit) return;
  const { refusal } = moveRefusal(p.book, p.known, unit, move, 'supply');
  line(p, token, move.unit, 0, null, printAction(move), refusal?.code ?? '', null);
  steps(p, unit, move.steps, 'supply');
}

/** Arrows: the steps as far as they are legal now. */
function steps(p: Planning, unit: NormandieUnit, path: Parameters<typeof walkStep>[4][], how: 'step' | 'supply'): void {
  const rules = rulesFor(p.book, p.known, unit, how === 'step' ? 'activation' : 'supply', 0);
  let walk = startWalk(unit, rules);
  for (const step of path) {
    const next = walkStep(p.book, p.known, unit, walk, step, rules);
    if ('code' in next) return;
    p.events.push({
      type: 'moved',
      audience: [p.side],
      unit: unit.code,
      from: walk.at,
      to: next.at,
      rear: next.rear,
      facing: next.facing,
      how,
      aboard: next.aboard,
      spent: next.spent,
      of: rules.budget,
    });
    walk = next;
  }
}
