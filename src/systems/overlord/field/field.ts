/**
 * The position while the rules work on it: the table beside the lookups that follow from it (who is where, zones of
 * control, lines of supply). `place` is the only way to move a counter, so the two never disagree.
 */
import { reach } from '../../../board/trace.ts';
import { addZone, type ZoneCounts, zoneCounts } from '../../../board/zoc.ts';
import { assert } from '../../../kernel/assert.ts';
import { type Campaign, isAirborne, isPureArmor } from '../content/campaign.ts';
import { OFF_MAP, type OverlordSide, type OverlordTable, type OverlordUnit, type Whereabouts } from '../types.ts';

/** Units a hex may hold unless they are of one formation (OVL-STK-01). */
const STACK_MAX = 3;

/** A table with its lookups. */
export interface Field {
  readonly campaign: Campaign;
  readonly table: OverlordTable;
  readonly turn: number;
  /** Cell by unit; -1 off the map. */
  readonly at: Int16Array;
  /** Units by cell, in the order of the counter list. */
  readonly stacks: (number[] | undefined)[];
  /** Who holds each cell: 0 nobody, 1 German, 2 Allied. */
  readonly owner: Uint8Array;
  readonly zones: Record<OverlordSide, ZoneCounts>;
  /** While orders are carried out: units that will still leave their hex, so that they take no room (OVR-16). */
  leaving: ((unit: number) => boolean) | undefined;
  /** Cells each side can supply, kept until something changes. */
  supplied: Record<OverlordSide, Uint8Array | undefined>;
}

/** The lookups of a table. The field writes every change back to the same table. */
export function openField(campaign: Campaign, table: OverlordTable, turn: number): Field {
  const { grid } = campaign.board;
  const field: Field = {
    campaign,
    table,
    turn,
    at: new Int16Array(campaign.units.length).fill(-1),
    stacks: new Array<number[] | undefined>(grid.size).fill(undefined),
    owner: new Uint8Array(grid.size),
    zones: { german: zoneCounts(grid), allied: zoneCounts(grid) },
    leaving: undefined,
    supplied: { german: undefined, allied: undefined },
  };
  campaign.units.forEach((unit, index) => {
    const where = table.units[unit.id]!;
    const cell = grid.index.get(where);
    if (cell === undefined) assert(OFF_MAP.includes(where), `${unit.id} is nowhere: ${where}`);
    else settle(field, index, cell);
  });
  return field;
}

/** Marks of `owner`. */
const MARK: Record<OverlordSide, number> = { german: 1, allied: 2 };

function settle(field: Field, unit: number, cell: number): void {
  field.at[unit] = cell;
  field.owner[cell] = MARK[field.campaign.units[unit]!.side];
  const stack = field.stacks[cell];
  if (!stack) field.stacks[cell] = [unit];
  else {
    // Kept in counter order: what a list shows never depends on who came first.
    let i = stack.length;
    while (i > 0 && stack[i - 1]! > unit) i--;
    stack.splice(i, 0, unit);
  }
  addZone(field.campaign.board.grid, field.zones[field.campaign.units[unit]!.side], cell, 1);
}

/** Puts a counter somewhere: a cell, or a word for off the map. Stacking and control are the caller's business. */
export function place(field: Field, unit: number, where: number | Whereabouts): void {
  const { campaign } = field;
  const counter = campaign.units[unit]!;
  const from = field.at[unit]!;
  // A hex without an enemy zone is open for supply with or without a friendly unit: such moves change nothing for the mover.
  const threatened = field.zones[counter.side === 'german' ? 'allied' : 'german'];
  const known = field.supplied[counter.side];
  const opens = typeof where === 'number' && threatened[where]! > 0;
  const closes = from >= 0 && threatened[from]! > 0;
  if (from >= 0) {
    const stack = field.stacks[from]!;
    stack.splice(stack.indexOf(unit), 1);
    if (stack.length === 0) field.owner[from] = 0;
    addZone(campaign.board.grid, field.zones[counter.side], from, -1);
    field.at[unit] = -1;
  }
  if (typeof where === 'number') {
    settle(field, unit, where);
    field.table.units[counter.id] = campaign.board.grid.ids[where]!;
  } else field.table.units[counter.id] = where;
  forgetSupply(field);
  if (!opens && !closes) field.supplied[counter.side] = known;
}

/** After a change that supply depends on (a unit, a beach, a port). */
export function forgetSupply(field: Field): void {
  field.supplied = { german: undefined, allied: undefined };
}

/** The units in a cell, in counter order. */
export function stackIn(field: Field, cell: number): readonly number[] {
  return field.stacks[cell] ?? [];
}

/** Has `side` a unit in the cell? A hex never holds both sides. */
export function heldBy(field: Field, cell: number, side: OverlordSide): boolean {
  return field.owner[cell] === MARK[side];
}

/** Does a unit of `side` have the cell in its zone of control (OVL-ZOC-01)? Any terrain, never sea (OVR-14). */
export function inZoneOf(field: Field, cell: number, side: OverlordSide): boolean {
  return field.zones[side][cell]! > 0;
}

/** May the unit end in the cell with who is there already (OVL-STK-01, OVL-STK-02)? Its own presence is not counted. */
export function mayStack(field: Field, unit: number, cell: number): boolean {
  const formation = field.campaign.units[unit]!.formation;
  let count = 0;
  let others = 0;
  for (const there of stackIn(field, cell)) {
    if (there === unit || field.leaving?.(there)) continue;
    count += 1;
    if (field.campaign.units[there]!.formation !== formation) others += 1;
  }
  return count < STACK_MAX || others === 0;
}

/** May the beach be used for landing and supply on this turn (OVL-CLR-06 to 08, OVR-26)? */
export function beachUsable(field: Field, cell: number): boolean {
  const state = field.table.beaches[field.campaign.board.grid.ids[cell]!];
  if (!state) return false;
  return !state.destroyed || (state.usableFrom !== null && field.turn >= state.usableFrom);
}

/** Where a side's supply comes from now (OVL-SUP-05, OVR-23). */
export function supplySources(field: Field, side: OverlordSide): number[] {
  const { board } = field.campaign;
  if (side === 'german') return board.germanSources;
  const sources: number[] = [];
  for (const cell of board.beaches.keys()) {
    if (field.table.control[board.grid.ids[cell]!] === 'allied' && beachUsable(field, cell)) sources.push(cell);
  }
  for (const cell of board.ports.keys())
    if (field.table.control[board.grid.ids[cell]!] === 'allied') sources.push(cell);
  return sources;
}

/**
 * Cells from which a line of supply can be traced now: over land, free of enemy units and of enemy zones except where a
 * friendly unit stands (OVL-SUP-05 to 07).
 */
export function suppliedCells(field: Field, side: OverlordSide): Uint8Array {
  const known = field.supplied[side];
  if (known) return known;
  const enemy: OverlordSide = side === 'german' ? 'allied' : 'german';
  const { board } = field.campaign;
  const zone = field.zones[enemy];
  const { owner } = field;
  const own = MARK[side];
  const { sea } = board;
  const open = (cell: number): boolean =>
    sea[cell] === 0 && (owner[cell] === own || (owner[cell] === 0 && zone[cell] === 0));
  const reached = reach(board.grid, supplySources(field, side), open);
  field.supplied[side] = reached;
  return reached;
}

/** Is the unit isolated at this instant (OVL-SUP-04)? Germans in the fortress never are (OVL-SUP-08, OVR-24). */
export function isIsolated(field: Field, unit: number): boolean {
  const cell = field.at[unit]!;
  if (cell < 0) return false;
  const { side } = field.campaign.units[unit]!;
  if (side === 'german' && cell === field.campaign.board.fortress) return false;
  return suppliedCells(field, side)[cell] === 0;
}

/** The combat factor in eighths before river and swamp: halved in isolation, except for airborne (OVL-SUP-01, 02, 09). */
export function combatEighths(unit: OverlordUnit, isolated: boolean): number {
  return unit.cf * (isolated && !isAirborne(unit) ? 4 : 8);
}

/** Does the swamp in `cell` halve this unit, attacking from or defending in it (OVL-TCB-04, OVL-TCB-05)? */
export function swampHalves(field: Field, unit: OverlordUnit, cell: number): boolean {
  return field.campaign.board.halvesArmor[cell] === 1 && isPureArmor(unit);
}
