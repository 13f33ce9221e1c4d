/** Arrivals: landing on beaches, replacements, entry by road (Order of Appearance, Cost to Land, corrections). */
import { directionTo, hexDistance } from '../../../board/hex.ts';
import { warning } from '../../../kernel/orders.ts';
import { isPureArmor, turnOf } from '../content/campaign.ts';
import { beachUsable, type Field, heldBy, inZoneOf, mayStack } from '../field/field.ts';
import { enterHex } from '../field/ground.ts';
import { follow, halts, type LineAtWork, movedOn, onMap, put, refuse, unitsOf } from '../field/line.ts';
import { POINT, settleWalk, walk } from '../field/movement.ts';
import type { EnterOrder, LandOrder, OverlordEdge, OverlordUnit } from '../types.ts';

/** Points to land this turn: by month (OVL-LND-01 to 03), one more in a storm (house). */
export function landingCost(field: Field): number {
  const { data } = field.campaign;
  const storm = field.table.weather === 'storm' ? data.house.weather.stormLandingCost : 0;
  return data.tables.landing[turnOf(field.campaign, field.turn).month] + storm;
}

/** LAND: Allied reinforcements come ashore on a beach of their nation (OVL-APP-05, OVL-LND-04, OVL-AOB-26, 27). */
export function runLand(line: LineAtWork, order: LandOrder): void {
  const { field } = line.march;
  if (line.march.side !== 'allied') {
    refuse(line, 'WRONG SIDE', { verb: 'LAND', side: 'Allied' }, 'OVL-APP-05');
    return;
  }
  const { campaign } = field;
  const units = unitsOf(line, order.subject, (unit) => field.table.units[campaign.units[unit]!.id] === 'off');
  const cell = campaign.board.grid.index.get(order.at)!;
  for (const unit of units) {
    const counter = campaign.units[unit]!;
    if (!isOff(line, unit)) continue;
    const beach = campaign.board.beaches.get(cell);
    const nation = campaign.formations.get(counter.formation)!.beaches;
    if (!beach) refuse(line, 'NOT A BEACH', { unit: counter.id, hex: order.at }, 'OVL-APP-05');
    else if (beach.nation !== nation) {
      const params = { unit: counter.id, hex: order.at, beach: beach.name, nation: nation ?? '' };
      refuse(line, "WRONG NATION'S BEACH", params, nation === 'US' ? 'OVL-AOB-26' : 'OVL-AOB-27');
    } else ashore(line, unit, cell, order);
  }
}

/** REPLACE: eliminated Allied units return, 16 printed factors on each of the last turns (OVL-AOB-25, 28; OVR house). */
export function runReplace(line: LineAtWork, order: LandOrder): void {
  const { field } = line.march;
  const { campaign } = field;
  const { turns, factors } = campaign.data.house.replacements;
  if (line.march.side !== 'allied') {
    refuse(line, 'WRONG SIDE', { verb: 'REPLACE', side: 'Allied' }, 'OVL-AOB-25');
    return;
  }
  if (!turns.includes(field.turn)) {
    refuse(line, 'WRONG TURN', { verb: 'REPLACE', turn: field.turn, turns: turns.map(String) }, 'OVL-AOB-25');
    return;
  }
  const cell = campaign.board.grid.index.get(order.at)!;
  const usable = campaign.board.beaches.has(cell) || field.table.control[order.at] === 'allied';
  for (const unit of unitsOf(line, order.subject, (u) => field.table.units[campaign.units[u]!.id] === 'lost')) {
    const counter = campaign.units[unit]!;
    if (field.table.units[counter.id] !== 'lost') refuse(line, 'NOT LOST', { unit: counter.id }, 'OVL-AOB-25');
    else if (!usable) refuse(line, 'NOT A LANDING PLACE', { unit: counter.id, hex: order.at }, 'OVL-AOB-28');
    else if (line.march.replaced + counter.cf > factors) {
      const params = { unit: counter.id, cf: counter.cf, used: line.march.replaced, most: factors };
      refuse(line, 'REPLACEMENT OVER 16', params, 'OVL-AOB-25');
    } else {
      line.march.replaced += counter.cf;
      ashore(line, unit, cell, order);
    }
  }
}

/** Is the unit waiting off the board? Says why not. */
function isOff(line: LineAtWork, unit: number): boolean {
  const { field, moved } = line.march;
  const { id } = field.campaign.units[unit]!;
  if (moved.has(unit)) {
    refuse(line, 'ALREADY MOVED', { unit: id, verb: line.verb }, 'OVL-MOV-01');
    return false;
  }
  if (field.table.units[id] === 'off') return true;
  if (field.at[unit]! >= 0)
    refuse(line, 'ON MAP', { unit: id, hex: field.table.units[id]!, verb: line.verb }, 'OVL-APP-01');
  else onMap(line, unit);
  return false;
}

/** Puts one unit on a beach or in a port and lets it move on with what is left (OVL-LND-04, 05; OVR-25). */
function ashore(line: LineAtWork, unit: number, cell: number, order: LandOrder): void {
  const { field } = line.march;
  const { grid, beaches } = field.campaign.board;
  const counter = field.campaign.units[unit]!;
  if (beaches.has(cell) && !beachUsable(field, cell) && !heldBy(field, cell, 'german')) {
    const from = field.table.beaches[order.at]!.usableFrom;
    refuse(line, 'BEACH DESTROYED', { unit: counter.id, hex: order.at, until: from ?? 0 }, 'OVL-CLR-07');
    return;
  }
  if (heldBy(field, cell, 'german')) {
    const enemies = field.stacks[cell]!.map((index) => field.campaign.units[index]!.id);
    refuse(line, 'ENEMY IN HEX', { unit: counter.id, hex: order.at, enemies }, 'OVL-CBT-01');
    return;
  }
  const cost = landingCost(field) * POINT;
  const allowance = counter.mf * POINT;
  const path = order.path.map((hex) => grid.index.get(hex)!);
  if (!goOn(line, unit, cell, path, Math.max(0, allowance - cost))) return;
  const how = order.verb === 'REPLACE' ? 'replaced' : 'landed';
  const rule = how === 'replaced' ? 'OVL-AOB-25' : 'OVL-LND-04';
  const landed = line.events.find((event) => event.type === 'landed' && event.hex === order.at);
  if (landed?.type === 'landed') landed.units.push(counter.id);
  else line.events.unshift({ type: 'landed', audience: 'all', rule, units: [counter.id], hex: order.at, how, cost });
}

/** Puts a unit into its first hex and walks the rest of its path. False when it can't stay anywhere. */
function goOn(line: LineAtWork, unit: number, cell: number, path: readonly number[], left: number): boolean {
  const { field } = line.march;
  const { grid } = field.campaign.board;
  const steps = path[0] === cell ? path.slice(1) : path;
  put(line, unit, cell);
  enterHex(field, unit, cell, (event) => line.events.push(event));
  const walked = settleWalk(
    field,
    unit,
    cell,
    walk(field, unit, cell, steps, { left, firstFree: false, hasMoved: true }),
  );
  if (walked.cells.length === 0 && !mayStack(field, unit, cell) && !walked.fault) {
    const there = field.stacks[cell]!.filter((other) => other !== unit).map((other) => field.campaign.units[other]!.id);
    walked.fault = {
      code: 'STACK FULL',
      params: { unit: field.campaign.units[unit]!.id, hex: grid.ids[cell]!, there },
      rule: 'OVL-STK-01',
    };
  }
  if (!halts(line, walked, true)) return false;
  follow(line, unit, walked);
  movedOn(line, unit, cell, walked, left);
  return true;
}

/** ENTER: German reinforcements come on by the road of the order of battle (OVL-APP-02 to 04, OVR-27). */
export function runEnter(line: LineAtWork, order: EnterOrder): void {
  const { field } = line.march;
  const { campaign } = field;
  if (line.march.side !== 'german') {
    refuse(line, 'WRONG SIDE', { verb: 'ENTER', side: 'German' }, 'OVL-APP-02');
    return;
  }
  const units = unitsOf(line, order.subject, (unit) => field.table.units[campaign.units[unit]!.id] === 'off');
  for (const unit of units) {
    if (!isOff(line, unit)) continue;
    const counter = campaign.units[unit]!;
    const road = campaign.formations.get(counter.formation)!.road;
    if (road === null || (order.road !== null && order.road !== road)) {
      refuse(line, 'ROAD UNKNOWN', { unit: counter.id, road: order.road ?? 0, expected: road ?? 0 }, 'OVL-APP-02');
      continue;
    }
    enterBy(line, unit, road, order);
  }
}

function enterBy(line: LineAtWork, unit: number, road: number, order: EnterOrder): void {
  const { field } = line.march;
  const { board, units } = field.campaign;
  const counter = units[unit]!;
  const wanted = order.at === null ? null : board.grid.index.get(order.at)!;
  const entry = entryHex(field, road, wanted);
  if ('fault' in entry) {
    const params = {
      unit: counter.id,
      road,
      hex: order.at ?? '',
      hexes: entry.hexes.map((cell) => board.grid.ids[cell]!),
    };
    refuse(line, entry.fault, params, 'OVL-APP-04');
    return;
  }
  const cost = entry.diverted ? entryTerrain(field, counter, entry.cell) : board.alongRoad;
  let path = order.path.map((hex) => board.grid.index.get(hex)!);
  if (entry.diverted) {
    const hex = board.grid.ids[entry.cell]!;
    const params = { unit: counter.id, road, blocked: board.grid.ids[entry.blocked!]!, hex };
    const told = line.faults.some((fault) => fault.code === 'ENTRY BLOCKED' && fault.params.hex === hex);
    if (!told) line.faults.push(warning('ENTRY BLOCKED', line.line, params, 'OVL-APP-04'));
    // A path written from the road does not fit the other hex: the unit stops where it came on.
    const first = path[0] === entry.cell ? path[1] : path[0];
    if (first !== undefined && directionTo(board.grid, entry.cell, first) < 0) path = [];
  }
  const left = Math.max(0, counter.mf * POINT - cost);
  if (!goOn(line, unit, entry.cell, path, left)) return;
  const hex = board.grid.ids[entry.cell]!;
  const entered = line.events.find((event) => event.type === 'entered' && event.hex === hex);
  if (entered?.type === 'entered') entered.units.push(counter.id);
  else {
    const blocked = entry.blocked === null ? null : board.grid.ids[entry.blocked]!;
    const { diverted } = entry;
    const rule = diverted ? 'OVL-APP-04' : 'OVL-APP-02';
    line.events.unshift({ type: 'entered', audience: 'all', rule, units: [counter.id], hex, road, diverted, blocked });
  }
}

function entryTerrain(field: Field, counter: OverlordUnit, cell: number): number {
  const { board } = field.campaign;
  return isPureArmor(counter) ? board.enterArmor[cell]! : board.enter[cell]!;
}

interface Entry {
  cell: number;
  diverted: boolean;
  /** The road hex that was blocked, when diverted. */
  blocked: number | null;
}

/** Obstructed for entry: an Allied unit, an Allied zone or interdiction (OVL-APP-04, OVL-GOB-27). */
function entryBlocked(field: Field, cell: number): boolean {
  const hex = field.campaign.board.grid.ids[cell]!;
  if (heldBy(field, cell, 'allied') || inZoneOf(field, cell, 'allied')) return true;
  return (field.table.interdiction[hex] ?? 0) > 0;
}

/**
 * Where a unit of a road comes on. Of several entries the one wanted, else the first clear one. If it is blocked, the
 * nearest clear hex of the same edge; between equally near ones the German chooses, else the lowest (OVR-27).
 */
export function entryHex(
  field: Field,
  road: number,
  wanted: number | null,
): Entry | { fault: 'ENTRY BLOCKED' | 'ENTRY NOT THERE'; hexes: number[] } {
  const { board } = field.campaign;
  const entries = board.entries.get(road) ?? [];
  const chosen = wanted !== null && entries.includes(wanted) ? [wanted] : entries;
  const clear = chosen.find((cell) => !entryBlocked(field, cell));
  if (clear !== undefined) {
    if (wanted !== null && wanted !== clear && !entries.includes(wanted))
      return { fault: 'ENTRY NOT THERE', hexes: entries };
    return { cell: clear, diverted: false, blocked: null };
  }
  const from = chosen[0]!;
  const others = (['N', 'S', 'E', 'W'] as OverlordEdge[])
    .filter((edge) => board.edgeCells[edge].includes(from))
    .flatMap((edge) => board.edgeCells[edge])
    .filter((cell) => !entryBlocked(field, cell));
  if (others.length === 0) return { fault: 'ENTRY BLOCKED', hexes: [from] };
  const near = Math.min(...others.map((cell) => hexDistance(board.grid, from, cell)));
  const nearest = others.filter((cell) => hexDistance(board.grid, from, cell) === near).sort((a, b) => a - b);
  if (wanted !== null && !entries.includes(wanted) && !nearest.includes(wanted))
    return { fault: 'ENTRY NOT THERE', hexes: nearest };
  const cell = wanted !== null && nearest.includes(wanted) ? wanted : nearest[0]!;
  return { cell, diverted: true, blocked: from };
}
