/** `IF CLEAR hex` and `IF STANDS unit`, looked at in the moment the line comes up. */

import { enemyOf, type MoveCondition, type OverlordSide, type Whereabouts } from '../types.ts';
import { type Field, stackIn } from './field.ts';

/** Where every unit stood when the phase began, and who writes the orders. */
export interface Start {
  side: OverlordSide;
  units: Readonly<Record<string, Whereabouts>>;
}

/** Remembers where everybody stands now. */
export function startOf(field: Field, side: OverlordSide): Start {
  return { side, units: { ...field.table.units } };
}

/** Do all conditions hold now? No condition always holds. */
export function holds(field: Field, start: Start, when: readonly MoveCondition[]): boolean {
  return when.every(({ kind, what }) =>
    kind === 'CLEAR' ? isClear(field, start.side, what) : stands(field, start, what),
  );
}

function isClear(field: Field, side: OverlordSide, hex: string): boolean {
  const cell = field.campaign.board.grid.index.get(hex)!;
  const enemy = enemyOf(side);
  return !stackIn(field, cell).some((unit) => field.campaign.units[unit]!.side === enemy);
}

/** The unit (or any unit of the formation) is on the map where it stood when the phase began. */
function stands(field: Field, start: Start, what: string): boolean {
  const units = field.campaign.formations.get(what)?.units ?? [what];
  return units.some((id) => {
    const now = field.table.units[id]!;
    return field.campaign.board.grid.index.has(now) && now === start.units[id];
  });
}
