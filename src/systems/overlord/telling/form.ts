/** The order form at the end of a report: a valid block with every unit at its present hex, ready to edit. */

import { joined } from '../../../kernel/joined.ts';
import type { Filed, Text, View, Words } from '../../../kernel/types.ts';
import { nameUnits } from '../content/names.ts';
import { beachUsable, type Field, heldBy, isIsolated, stackIn } from '../field/field.ts';
import { allowanceOf, points } from '../field/movement.ts';
import { printOrder } from '../text/orders.ts';
import { stepOf } from '../turn/phases.ts';
import { enemyOf, type Overlord, type OverlordSide } from '../types.ts';
import { placeName, words } from './tell.ts';

/** The form for the viewer's own step, for the other side one for doctrine; none for the public or after the end. */
export function orderForm(field: Field, view: View<Overlord>, filed: Filed<Overlord>): Text[] {
  const step = field.table.over ? undefined : stepOf(field.table.options.mode, view.phase);
  if (!step || view.viewer === 'public') return [];
  if (step.side !== view.viewer) {
    const header = `TURN ${view.phase.turn} SIDE ${view.viewer.toUpperCase()} STEP ${step.name.toUpperCase()}`;
    return [header, words('form doctrine only'), ...inForce(filed), 'FINAL', 'END'];
  }
  const lines: Text[] = [`TURN ${view.phase.turn} SIDE ${step.side.toUpperCase()} STEP ${step.name.toUpperCase()}`];
  if (step.name === 'set-up') lines.push(words('form interdict'));
  else {
    if (step.parts.includes('movement')) lines.push(...arrivalLines(field, step.side));
    lines.push(...unitLines(field, step.side));
    if (step.parts.includes('combat')) lines.push(...targetLines(field, step.side));
  }
  lines.push(...inForce(filed), 'FINAL', 'END');
  return lines;
}

/** Standing orders that hold, as comments. */
function inForce(filed: Filed<Overlord>): Words[] {
  return filed.standing
    .filter((order) => !order.withdraw)
    .map((order) => words('form in force', { order: printOrder(order) }));
}

/** One of several: `4 or 6`. */
function either(names: readonly string[]): Text {
  return joined('overlord.form or', names);
}

/** Units off the map, as comments: what may come on, and where. */
function arrivalLines(field: Field, side: OverlordSide): Words[] {
  const { campaign, table } = field;
  const lines: Words[] = [];
  for (const formation of campaign.formations.values()) {
    const waiting = formation.units.filter((id) => table.units[id] === 'off');
    if (formation.side !== side || waiting.length === 0) continue;
    const name = nameUnits(campaign, waiting).replace(/,/g, '');
    if (side === 'german') {
      const entries = (campaign.board.entries.get(formation.road ?? 0) ?? []).map(
        (cell) => campaign.board.grid.ids[cell]!,
      );
      lines.push(words('form enter', { units: name, road: formation.road ?? 0, entries: either(entries) }));
    } else {
      const beaches = beachesFor(field, formation.beaches);
      lines.push(
        beaches.length > 0
          ? words('form land', { units: name, where: either(beaches) })
          : words('form land nowhere', { units: name }),
      );
    }
  }
  const { turns, factors } = campaign.data.house.replacements;
  if (side === 'allied' && turns.includes(field.turn)) {
    const lost = campaign.units.filter((unit) => unit.side === 'allied' && table.units[unit.id] === 'lost');
    if (lost.length > 0)
      lines.push(
        words('form replace', {
          factors,
          units: nameUnits(
            campaign,
            lost.map((unit) => unit.id),
          ),
        }),
      );
  }
  return lines;
}

/** The beach hexes of a nation that can be landed on now. */
function beachesFor(field: Field, nation: string | null): string[] {
  const { board } = field.campaign;
  const open = (cell: number): boolean => beachUsable(field, cell) && !heldBy(field, cell, 'german');
  return [...board.beaches]
    .filter(([cell, beach]) => beach.nation === nation && open(cell))
    .map(([cell]) => board.grid.ids[cell]!);
}

/** One line a stack part: units of one formation in one hex. */
function unitLines(field: Field, side: OverlordSide): Words[] {
  const { campaign, table } = field;
  const { grid } = campaign.board;
  const lines: Words[] = [];
  for (const formation of campaign.formations.values()) {
    if (formation.side !== side) continue;
    const byHex = new Map<number, number[]>();
    for (const id of formation.units) {
      const unit = campaign.unitIndex.get(id)!;
      const cell = field.at[unit]!;
      if (cell >= 0) byHex.set(cell, [...(byHex.get(cell) ?? []), unit]);
    }
    for (const [cell, units] of byHex) {
      const ids = units.map((unit) => campaign.units[unit]!.id);
      const factors = units.map((unit) => `${campaign.units[unit]!.cf}-${campaign.units[unit]!.mf}`).join(' ');
      const notes: Text[] = [placeName(campaign, grid.ids[cell]!), factors];
      const left = either([...new Set(units.map((unit) => allowanceOf(field, unit)))].map(points));
      notes.push(table.held.includes(formation.id) ? words('form held') : words('form points', { left }));
      if (units.some((unit) => isIsolated(field, unit))) notes.push(words('form isolated'));
      lines.push(words('form unit', { units: nameUnits(campaign, ids).replace(/,/g, ''), notes }));
    }
  }
  return lines;
}

/** Enemy stacks next to own units, as comments. */
function targetLines(field: Field, side: OverlordSide): string[] {
  const { campaign } = field;
  const { grid } = campaign.board;
  const lines: string[] = [];
  for (let cell = 0; cell < grid.size; cell++) {
    if (!heldBy(field, cell, enemyOf(side))) continue;
    const near: number[] = [];
    for (let dir = 0; dir < 6; dir++) {
      const beside = grid.neighbours[cell * 6 + dir]!;
      if (beside >= 0 && heldBy(field, beside, side)) near.push(...stackIn(field, beside));
    }
    if (near.length === 0) continue;
    const names = (units: readonly number[]): string =>
      nameUnits(
        campaign,
        units.map((unit) => campaign.units[unit]!.id),
      ).replace(/,/g, '');
    lines.push(`# ATTACK ${grid.ids[cell]} WITH ${names(near)}    (${names(stackIn(field, cell))})`);
  }
  return lines;
}
