/** Air and sea support: TAC factors, interdiction, naval gunfire, weather. Names printed, values house (house.json). */
import { hexDistance } from '../../../board/hex.ts';
import { floorDiv } from '../../../kernel/fraction.ts';
import type { Dice } from '../../../kernel/types.ts';
import { beachUsable, type Field } from '../field/field.ts';
import type { InterdictOrder, Weather } from '../types.ts';

/** TAC factors the Allies may commit this turn: the option's number, half when overcast, none in a storm. */
export function tacAllotment(field: Field): number {
  const { options, weather } = field.table;
  if (!options.tac) return 0;
  return floorDiv(options.tacPerTurn * field.campaign.data.house.weather.tacHalves[weather], 2);
}

/** The weather of a turn: clear on turn 1 and with the module off, else one die. */
export function rollWeather(field: Field, turn: number, dice: Dice): { weather: Weather; die: number | null } {
  if (!field.table.options.weather || turn === 1) return { weather: 'clear', die: null };
  const die = dice.roll(`weather of turn ${turn}`, 1, 6)[0]!;
  return { weather: field.campaign.data.house.weather.die[die - 1]!, die };
}

/** Within reach of the guns: a beach in Allied hands that still stands lies near enough (house). */
export function inNavalRange(field: Field, cell: number): boolean {
  const { board, data } = field.campaign;
  for (const beach of board.beaches.keys()) {
    const hex = board.grid.ids[beach]!;
    if (field.table.control[hex] !== 'allied' || !beachUsable(field, beach)) continue;
    if (hexDistance(board.grid, beach, cell) <= data.house.naval.range) return true;
  }
  return false;
}

/** Why an INTERDICT line cannot stand. */
export interface InterdictionFault {
  code: string;
  params: Record<string, string | number>;
  rule: string;
}

/** Is an INTERDICT line in order? `budget` are the TAC factors still free, `placed` what earlier lines put where. */
export function interdictionFault(
  field: Field,
  order: InterdictOrder,
  budget: number,
  placed: ReadonlyMap<string, number>,
): InterdictionFault | undefined {
  const { board, data } = field.campaign;
  const most = data.house.interdiction.mostPerHex;
  const here = new Map<string, number>();
  let total = 0;
  for (const { hex, factors } of order.hexes) {
    const cell = board.grid.index.get(hex)!;
    if (board.onRoad[cell] !== 1) return { code: 'INTERDICTION NOT ON ROAD', params: { hex }, rule: 'OVL-EXM-05' };
    const sum = (here.get(hex) ?? placed.get(hex) ?? 0) + factors;
    if (sum > most) return { code: 'INTERDICTION OVER 4', params: { hex, factors: sum, most }, rule: 'OVL-EXM-05' };
    here.set(hex, sum);
    total += factors;
  }
  if (total > budget)
    return {
      code: 'TAC OVER ALLOTMENT',
      params: { wanted: total, left: budget, allotment: allotmentOf(field) },
      rule: 'OVL-CLR-10',
    };
  return undefined;
}

function allotmentOf(field: Field): number {
  return tacAllotment(field);
}
