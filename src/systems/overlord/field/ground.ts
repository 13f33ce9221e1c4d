/** What happens when a unit enters a hex: control of beaches and ports, destroyed and recaptured landing places. */

import type { BeachState, OverlordEvent, OverlordTable } from '../types.ts';
import { beachUsable, type Field, forgetSupply } from './field.ts';

/** Where events go. */
export type Emit = (event: OverlordEvent) => void;

/**
 * A unit has entered a cell, in whatever way. Germans destroy an invasion beach (OVL-CLR-06, OVR-26); Allies who recapture
 * it may land there again three turns later (OVL-CLR-08); the last to enter controls beach or port (OVR-35).
 */
export function enterHex(field: Field, unit: number, cell: number, emit: Emit): void {
  const { board, data, units } = field.campaign;
  const hex = board.grid.ids[cell]!;
  const { side, id } = units[unit]!;
  const beach = field.table.beaches[hex];
  const before = field.table.control[hex];
  if (before === undefined) return;
  if (before === side && !(beach && side === 'german' && !beach.destroyed)) return;
  // Never changed in place: a line that falls puts the old records back.
  field.table.control = { ...field.table.control, [hex]: side };
  const setBeach = (state: BeachState): void => {
    field.table.beaches = { ...field.table.beaches, [hex]: state };
  };
  if (beach && side === 'german') {
    setBeach({ destroyed: true, usableFrom: null });
    emit({ type: 'beach-destroyed', audience: 'all', rule: 'OVL-CLR-06', hex, by: id });
  } else if (beach?.destroyed && beach.usableFrom === null) {
    const usableFrom = field.turn + data.house.beachRepairTurns;
    setBeach({ destroyed: true, usableFrom });
    emit({ type: 'beach-recaptured', audience: 'all', rule: 'OVL-CLR-08', hex, usableFrom });
  } else if (!beach) emit({ type: 'port-taken', audience: 'all', rule: 'OVR-35', hex, side });
  forgetSupply(field);
}

/** At the start of a turn: beaches whose time has come are whole again (OVL-CLR-08). */
export function repairBeaches(field: Field, emit: Emit): void {
  for (const [hex, state] of Object.entries(field.table.beaches)) {
    const cell = field.campaign.board.grid.index.get(hex)!;
    if (!state.destroyed || !beachUsable(field, cell)) continue;
    field.table.beaches = { ...field.table.beaches, [hex]: { destroyed: false, usableFrom: null } };
    emit({ type: 'beach-repaired', audience: 'all', rule: 'OVL-CLR-08', hex });
  }
}

/** What `enterHex` may change, to take a dropped line back. */
export function groundOf(table: OverlordTable): Pick<OverlordTable, 'beaches' | 'control'> {
  return { beaches: table.beaches, control: table.control };
}
