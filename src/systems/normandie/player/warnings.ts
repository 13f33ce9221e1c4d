/** What a player may have overlooked: nothing is dropped for it (W04, W05). */
import { warning } from '../../../kernel/orders.ts';
import type { Diagnostic } from '../../../kernel/types.ts';
import { rulesFor } from '../actions/plan.ts';
import type { Book } from '../content/opened.ts';
import type { NormandieSide } from '../data.ts';
import { unitNamed } from '../fight/odds.ts';
import { mayReact, offersAt } from '../fight/opportunity.ts';
import { startWalk, walkStep } from '../ground/walk.ts';
import type { Action, MoveAction, NormandieOrder } from '../language.ts';
import type { Known, NormandieUnit } from '../types.ts';

/** Moves of scripts and of Supply, each with its line; only the first clause of a script counts. */
function movesOf(
  orders: readonly NormandieOrder[],
): { line: number; action: MoveAction | Extract<Action, { do: 'assault' }> }[] {
  return orders.flatMap((order) => {
    if (order.verb === 'SUPPLY') return [{ line: order.line, action: order.move }];
    if (order.verb !== 'ON') return [];
    const action = order.clauses[0]?.parts[0]?.action;
    return action && (action.do === 'move' || action.do === 'assault') ? [{ line: order.line, action }] : [];
  });
}

/** W05: two units would end on the same square. */
export function sameEnds(orders: readonly NormandieOrder[]): Diagnostic[] {
  const ends = new Map<string, string>();
  const found: Diagnostic[] = [];
  for (const { line, action } of movesOf(orders)) {
    const last = action.do === 'move' ? action.steps.at(-1) : undefined;
    if (last?.step !== 'to') continue;
    const other = ends.get(last.square);
    if (other !== undefined && other !== action.unit)
      found.push(warning('W05', line, { a: other, b: action.unit, square: last.square }, '3.2.1-d'));
    ends.set(last.square, action.unit);
  }
  return found;
}

/** W04: how many known enemy units could use Opportunity Fire along a path as the board stands. */
export function underFire(
  book: Book,
  known: Known,
  side: NormandieSide,
  orders: readonly NormandieOrder[],
): Diagnostic[] {
  const found: Diagnostic[] = [];
  for (const { line, action } of movesOf(orders.filter((order) => order.verb === 'ON'))) {
    const unit = unitNamed(known, side, action.unit);
    if (!unit || unit.side !== side) continue;
    const path = action.do === 'move' ? action.steps : action.via;
    const rules = rulesFor(book, known, unit, 'activation', 0);
    const watching = new Set<string>();
    let walk = startWalk(unit, rules);
    for (const step of path) {
      const next = walkStep(book, known, unit, walk, step, rules);
      if ('code' in next) break;
      walk = next;
      const there: NormandieUnit = { ...unit, at: walk.at, rear: walk.rear, facing: walk.facing, aboard: walk.aboard };
      for (const enemy of known.table.units)
        if (
          enemy.side !== side &&
          enemy.concealed === null &&
          mayReact(book, known, enemy) &&
          offersAt(book, known, enemy, there).length > 0
        )
          watching.add(enemy.code);
    }
    if (watching.size > 0)
      found.push(
        warning('W04', line, { unit: action.unit, n: watching.size, units: [...watching].join(', ') }, '6.2-opp-c'),
      );
  }
  return found;
}
