/**
 * Two players by rule of Overlord. The bold one goes for the edges or for the enemy and attacks whatever promises something;
 * the careful one stands where the ground helps, bars ways and attacks when it costs little.
 */

import { hexDistance } from '../../../board/hex.ts';
import { best, type Planner, TEMPERS, type Temper } from '../../../kernel/planner.ts';
import type { Scenario, View } from '../../../kernel/types.ts';
import { type Campaign, openCampaign } from '../content/campaign.ts';
import type { OverlordData } from '../content/scenario.ts';
import { stepOf } from '../turn/phases.ts';
import { rehearseWithdrawal } from '../turn/withdrawal.ts';
import type { Overlord } from '../types.ts';
import { awayFromExits, marchAgainst, marchOut } from './marching.ts';
import { arrive, deskOf } from './playerdesk.ts';
import { strike } from './striking.ts';

/** Hexes from a beach where interdiction delays whoever comes to it. */
const INLAND = 4;

/** The two planners for a scenario. */
export function overlordPlanners(scenario: Scenario): Planner<Overlord>[] {
  const campaign = openCampaign(scenario.data as OverlordData);
  return TEMPERS.map((temper) => ({
    temper,
    orders: (view) => ordersOf(campaign, view, temper),
    answer: (_view, request) => request.fallback,
  }));
}

function ordersOf(campaign: Campaign, view: View<Overlord>, temper: Temper): string[] {
  const desk = deskOf(campaign, view);
  const step = stepOf(view.table.options.mode, view.phase);
  if (!step || step.side !== desk.side) return [];
  if (step.name === 'set-up') return view.table.options.interdiction ? firstInterdiction(campaign) : [];
  // Who must leave before the march is not there to be ordered.
  if (step.parts.includes('withdrawal')) rehearseWithdrawal(desk.field, () => undefined);
  if (step.parts.includes('movement')) {
    arrive(desk);
    if (desk.side === 'allied') marchOut(desk, temper, awayFromExits(desk));
    else marchAgainst(desk, temper);
  }
  // With the last exit the game is won: nothing written after it would happen.
  const exits = Object.values(desk.field.table.units).filter((where) => where === 'exited').length;
  if (exits >= campaign.data.house.unitsForVictory) return desk.lines;
  if (step.parts.includes('combat')) strike(desk, temper, awayFromExits(desk));
  return desk.lines;
}

/** Before the first German march: the road hexes nearest to the beaches that lie inland. */
function firstInterdiction(campaign: Campaign): string[] {
  const { board, data } = campaign;
  const { firstTurn, mostPerHex } = data.house.interdiction;
  const beaches = [...board.beaches.keys()];
  const toBeach = (cell: number): number => Math.min(...beaches.map((beach) => hexDistance(board.grid, beach, cell)));
  const roads = board.grid.ids.flatMap((_, cell) =>
    board.onRoad[cell] === 1 && toBeach(cell) >= INLAND ? [cell] : [],
  );
  const placed: string[] = [];
  for (let left = firstTurn; left > 0; left -= mostPerHex) {
    const next = best(
      roads.filter((cell) => !placed.some((line) => line.startsWith(board.grid.ids[cell]!))),
      (cell) => -toBeach(cell),
    );
    if (next === undefined) break;
    placed.push(`${board.grid.ids[next]} ${Math.min(left, mostPerHex)}`);
  }
  return placed.length > 0 ? [`INTERDICT ${placed.join(', ')}`] : [];
}
