/** Does the content of a scenario make sense? Every fault is one line; nothing here knows files or zod. */
import { directionTo, type HexGrid, hexGrid } from '../../../board/hex.ts';
import { hexId, terrainLetters } from './campaign.ts';
import type { OverlordData } from './scenario.ts';

type Say = (fault: string) => void;

/** Every fault of the content: nothing when all is well. */
export function lintCampaign(data: OverlordData): string[] {
  const faults: string[] = [];
  const say: Say = (fault) => {
    faults.push(fault);
  };
  if (!lintTerrain(data, say)) return faults;
  const grid = hexGrid(
    { kind: 'columns', columns: data.map.grid.columns, rows: data.map.grid.rows, lowered: 'even' },
    hexId,
  );
  const land = landOf(data, grid);
  const isLand = (id: string): boolean => land.has(id);
  lintEdges(data, grid, isLand, say);
  lintPlaces(data, isLand, say);
  lintCounters(data, say);
  lintSetup(data, isLand, say);
  lintTables(data, say);
  lintHouse(data, say);
  return faults;
}

function lintTerrain(data: OverlordData, say: Say): boolean {
  const { rows, columns } = data.map.grid;
  const height = rows[1] - rows[0] + 1;
  const width = columns[1] - columns[0] + 1;
  if (data.map.terrain.length !== height) say(`map: ${data.map.terrain.length} terrain rows, ${height} expected`);
  terrainLetters(data).forEach((letters, i) => {
    const number = data.map.terrain[i]!.slice(0, 2);
    if (Number(number) !== rows[0] + i) say(`map: terrain row ${number} stands where ${rows[0] + i} belongs`);
    if (letters.length !== width) say(`map: terrain row ${number} has ${letters.length} hexes, ${width} expected`);
    for (const letter of letters)
      if (data.map.legend[letter] === undefined) say(`map: letter "${letter}" in row ${number} is not in the legend`);
  });
  const clean = data.map.terrain.length === height;
  return clean && terrainLetters(data).every((letters) => letters.length === width);
}

function landOf(data: OverlordData, grid: HexGrid): Set<string> {
  const letters = terrainLetters(data);
  const land = new Set<string>();
  grid.ids.forEach((id, cell) => {
    const letter = letters[grid.rows[cell]! - data.map.grid.rows[0]]![grid.columns[cell]! - data.map.grid.columns[0]]!;
    if (data.map.legend[letter] !== 'sea') land.add(id);
  });
  return land;
}

function lintEdges(data: OverlordData, grid: HexGrid, isLand: (id: string) => boolean, say: Say): void {
  const joined = (what: string, a: string, b: string): void => {
    const from = grid.index.get(a);
    const to = grid.index.get(b);
    if (from === undefined || to === undefined) say(`map: ${what}: no hex ${from === undefined ? a : b}`);
    else if (directionTo(grid, from, to) < 0) say(`map: ${what}: ${a} and ${b} are not neighbours`);
    else if (!isLand(a) || !isLand(b)) say(`map: ${what}: ${isLand(a) ? b : a} is sea`);
  };
  const seen = new Map<string, string>();
  for (const [name, sides] of Object.entries(data.map.hexsides.river)) {
    for (const side of sides) {
      const [a, b] = side.split('-') as [string, string];
      joined(`river ${name}`, a, b);
      const key = [a, b].sort((x, y) => (x < y ? -1 : 1)).join('-');
      if (seen.has(key)) say(`map: hexside ${key} belongs to ${seen.get(key)} and ${name}`);
      seen.set(key, name);
    }
  }
  for (const [name, paths] of Object.entries(data.map.lines.road)) {
    for (const path of paths) {
      const ids = path.split(' ');
      if (ids.length < 2) say(`map: road ${name}: "${path}" joins nothing`);
      for (let i = 1; i < ids.length; i++) joined(`road ${name}`, ids[i - 1]!, ids[i]!);
    }
  }
}

function lintPlaces(data: OverlordData, isLand: (id: string) => boolean, say: Say): void {
  const { map } = data;
  const { rows, columns } = map.grid;
  const onEdge = (id: string): boolean =>
    [columns[0], columns[1]].includes(Number(id.slice(0, 2))) || [rows[0], rows[1]].includes(Number(id.slice(2)));
  const landOnly = (what: string, id: string): void => {
    if (!isLand(id)) say(`map: ${what}: ${id} is not a land hex`);
  };
  const letters = terrainLetters(data);
  for (const [name, ids] of Object.entries(map.cities)) {
    for (const id of ids) {
      landOnly(`city ${name}`, id);
      const letter = letters[Number(id.slice(2)) - rows[0]]?.[Number(id.slice(0, 2)) - columns[0]] ?? '';
      if (map.legend[letter] !== 'city') say(`map: city ${name}: ${id} is not drawn as a city`);
    }
  }
  for (const [id, name] of Object.entries(map.towns)) landOnly(`town ${name}`, id);
  for (const [name, id] of Object.entries(map.ports)) landOnly(`port ${name}`, id);
  const beaches = [...Object.entries(map.beaches.US), ...Object.entries(map.beaches.British)];
  for (const [name, ids] of beaches) for (const id of ids) landOnly(`beach ${name}`, id);
  for (const [road, ids] of Object.entries(map.entryRoads)) {
    if (ids.length === 0) say(`map: road ${road} has no entry hex`);
    for (const id of ids) {
      landOnly(`entry of road ${road}`, id);
      if (!onEdge(id)) say(`map: entry of road ${road}: ${id} does not lie on the map edge`);
      const reached = Object.values(map.lines.road).some((paths) => paths.some((path) => path.split(' ').includes(id)));
      if (!reached) say(`map: entry of road ${road}: no road reaches ${id}`);
    }
  }
  if (map.ports[data.setup.fortress] === undefined) say(`setup: the fortress ${data.setup.fortress} is not a port`);
}

function lintCounters(data: OverlordData, say: Say): void {
  const counted = { german: 0, allied: 0 };
  for (const [id, entry] of Object.entries(data.counters.formations)) {
    const count = (lines: typeof entry.printed): number => lines.reduce((sum, [, , , counters]) => sum + counters, 0);
    counted[entry.side] += count(entry.corrected ?? entry.printed);
    if (entry.corrected && count(entry.corrected) !== count(entry.printed))
      say(`counters: ${id}: the correction changes the number of counters`);
    if (entry.turn > data.tables.turns.length) say(`counters: ${id} arrives on turn ${entry.turn}, after the last`);
    if (entry.arrival === 'start' && entry.turn !== 1) say(`counters: ${id} is at start but has turn ${entry.turn}`);
    if (entry.arrival === 'road' && data.map.entryRoads[String(entry.road)] === undefined)
      say(`counters: ${id} has no entry hex: road ${entry.road ?? 'missing'}`);
    if (entry.side === 'allied' && entry.beaches === undefined) say(`counters: ${id} has no landing beaches`);
    if ((entry.arrival === 'beach') !== (entry.side === 'allied' && entry.turn > 1))
      say(`counters: ${id}: ${entry.arrival} is no way for this side to arrive on turn ${entry.turn}`);
  }
  for (const side of ['german', 'allied'] as const)
    if (counted[side] !== data.counters.counted[side])
      say(`counters: ${counted[side]} ${side} counters, ${data.counters.counted[side]} expected`);
}

/** At start: every formation has a hex, and no hex holds more than three units or one formation (OVL-STK-01). */
function lintSetup(data: OverlordData, isLand: (id: string) => boolean, say: Say): void {
  const { formations } = data.counters;
  const stacks = new Map<string, string[]>();
  const hexes = new Map<string, Set<string>>();
  for (const [id, at] of Object.entries(data.setup.start)) {
    const entry = formations[id];
    if (!entry) {
      say(`setup: no formation ${id}`);
      continue;
    }
    if (entry.arrival !== 'start') say(`setup: ${id} is not an at-start formation`);
    if (!isLand(at)) say(`setup: ${id} stands in ${at}, which is not a land hex`);
    const count = (entry.corrected ?? entry.printed).reduce((sum, [, , , counters]) => sum + counters, 0);
    stacks.set(at, [...(stacks.get(at) ?? []), ...Array.from({ length: count }, () => id)]);
    hexes.set(at, (hexes.get(at) ?? new Set()).add(entry.side));
  }
  for (const [id, entry] of Object.entries(formations))
    if (entry.arrival === 'start' && data.setup.start[id] === undefined) say(`setup: ${id} has no hex`);
  for (const [at, stack] of stacks) {
    if (stack.length > 3 && new Set(stack).size > 1) say(`setup: ${stack.length} units in ${at}`);
    if (hexes.get(at)!.size > 1) say(`setup: both sides stand in ${at}`);
  }
  for (const id of data.setup.held)
    if (formations[id]?.side !== 'german') say(`setup: held formation ${id} is unknown`);
}

/** Both tables are total: every column, every die. */
function lintTables(data: OverlordData, say: Say): void {
  const { crt, turns } = data.tables;
  for (const table of ['June', 'July-August'] as const) {
    for (const column of crt.columns) {
      for (const die of ['1', '2', '3', '4', '5', '6'] as const) {
        const cells = crt[table][column];
        if (cells?.printed[die] === undefined && cells?.house[die] === undefined)
          say(`tables: ${table} has no result at ${column}, die ${die}`);
      }
    }
    for (const column of Object.keys(crt[table]))
      if (!crt.columns.includes(column)) say(`tables: ${table} has a column ${column} that is not listed`);
  }
  if (turns.length === 0) say('tables: no turns');
  for (let i = 1; i < turns.length; i++)
    if (turns[i]!.iso <= turns[i - 1]!.iso) say(`tables: turn ${i + 1} is not later than turn ${i}`);
}

function lintHouse(data: OverlordData, say: Say): void {
  if (data.options.interdiction && !data.options.tac) say('options: interdiction needs tac');
  for (const turn of data.house.replacements.turns)
    if (turn < 1 || turn > data.tables.turns.length) say(`house: replacements on turn ${turn}, which does not exist`);
}
