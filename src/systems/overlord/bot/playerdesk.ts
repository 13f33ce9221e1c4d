/** What a planner of Overlord works with: a copy of what its side sees, changed as its own orders go along. */
import { flood } from '../../../board/path.ts';
import type { View } from '../../../kernel/types.ts';
import type { Campaign } from '../content/campaign.ts';
import { beachUsable, type Field, heldBy, mayStack, openField, place } from '../field/field.ts';
import { entryHex } from '../turn/arrival.ts';
import type { Overlord, OverlordSide } from '../types.ts';

/** Longest way looked at, in quarters of a movement point. */
const WAY_COST_MAX = 2000;

export interface OverlordDesk {
  campaign: Campaign;
  field: Field;
  side: OverlordSide;
  lines: string[];
}

/** The desk of the view's side; the view stays as it is. */
export function deskOf(campaign: Campaign, view: View<Overlord>): OverlordDesk {
  const field = openField(campaign, structuredClone(view.table), view.phase.turn);
  return { campaign, field, side: view.viewer as OverlordSide, lines: [] };
}

export const hexOf = (desk: OverlordDesk, cell: number): string => desk.campaign.board.grid.ids[cell]!;
export const nameOf = (desk: OverlordDesk, unit: number): string => desk.campaign.units[unit]!.id;

/** Units of the side in counter order for which `wanted` holds. */
export function unitsWhere(desk: OverlordDesk, wanted: (unit: number, place: string) => boolean): number[] {
  const found: number[] = [];
  desk.campaign.units.forEach((counter, unit) => {
    if (counter.side === desk.side && wanted(unit, desk.field.table.units[counter.id]!)) found.push(unit);
  });
  return found;
}

/** The cells around one, those off the map left out. */
export function neighboursOf(desk: OverlordDesk, cell: number): number[] {
  const { neighbours } = desk.campaign.board.grid;
  return [...neighbours.subarray(cell * 6, cell * 6 + 6)].filter((near) => near >= 0);
}

/** Beach hexes where a unit of the formation may land now. */
export function beachesFor(desk: OverlordDesk, unit: number): number[] {
  const { board, formations, units } = desk.campaign;
  const nation = formations.get(units[unit]!.formation)!.beaches;
  return [...board.beaches]
    .filter(
      ([cell, beach]) =>
        beach.nation === nation && beachUsable(desk.field, cell) && !heldBy(desk.field, cell, 'german'),
    )
    .map(([cell]) => cell);
}

/** A path as it is written after its unit; nothing for an empty one. */
export function arrow(desk: OverlordDesk, way: readonly number[]): string {
  return way.length > 0 ? ` -> ${way.map((cell) => hexOf(desk, cell)).join(' ')}` : '';
}

/** How far every land hex lies from the nearest goal. */
export function awayFrom(desk: OverlordDesk, goals: readonly number[]): Int32Array {
  const { board } = desk.campaign;
  const step = (_: number, to: number): number => (board.sea[to] === 1 ? -1 : Math.max(2, board.enter[to]!));
  return flood(board.grid, goals, WAY_COST_MAX, step).cost;
}

/** Brings on who waits at sea or at a road. Whoever arrives stays where he is for this turn: he is put among the held. */
export function arrive(desk: OverlordDesk): void {
  for (const unit of unitsWhere(desk, (_, where) => where === 'off')) {
    if (desk.side === 'german') {
      const { road } = desk.campaign.formations.get(desk.campaign.units[unit]!.formation)!;
      const entry = entryHex(desk.field, road ?? 0, null);
      if ('fault' in entry || !mayStack(desk.field, unit, entry.cell)) continue;
      desk.lines.push(`ENTER ${nameOf(desk, unit)} ROAD ${road}`);
      place(desk.field, unit, entry.cell);
      desk.field.table.held.push(nameOf(desk, unit));
      continue;
    }
    const beach = beachesFor(desk, unit).find((cell) => mayStack(desk.field, unit, cell));
    if (beach === undefined) continue;
    desk.lines.push(`LAND ${nameOf(desk, unit)} AT ${hexOf(desk, beach)}`);
    place(desk.field, unit, beach);
    desk.field.table.held.push(nameOf(desk, unit));
  }
}
