/** The scenario opened: the board as flat arrays, the counters, the tables, ready for the rules to read. */
import { type EdgeMarks, edgeMarks, markEdge } from '../../../board/edges.ts';
import { cellOf, type HexGrid, hexGrid } from '../../../board/hex.ts';
import { known } from '../../../kernel/assert.ts';
import type { BeachNation, Formation, HexTerrain, Options, OverlordEdge, OverlordUnit, Result } from '../types.ts';
import type { OverlordData } from './scenario.ts';

/** Flags of hexsides. */
export const RIVER = 1;
export const ROAD = 2;

/** The map as flat arrays, one entry a cell. */
interface CellMap {
  grid: HexGrid;
  terrain: readonly HexTerrain[];
  sea: Uint8Array;
  marks: EdgeMarks;
  /** Quarters of a point to enter, by cell; for pure armor beside it. Sea: 0. */
  enter: Int16Array;
  enterArmor: Int16Array;
  crossRiver: number;
  alongRoad: number;
  /** Multiplier for the defender. */
  defence: Uint8Array;
  halvesArmor: Uint8Array;
  onRoad: Uint8Array;
  beaches: ReadonlyMap<number, { name: string; nation: BeachNation }>;
  ports: ReadonlyMap<number, string>;
  /** Entry hexes by road number, in the order listed. */
  entries: ReadonlyMap<number, number[]>;
  /** Land cells of each map edge. */
  edgeCells: Record<OverlordEdge, number[]>;
  germanSources: number[];
  exitEdges: readonly OverlordEdge[];
  fortress: number;
  names: ReadonlyMap<number, string>;
}

/** A turn of the printed calendar. */
export interface Turn {
  date: string;
  month: 'June' | 'July' | 'August';
  iso: string;
}

/** A cell of a combat results table. */
export interface CrtCell {
  result: Result;
  house: boolean;
}

/** A scenario opened. */
export interface Campaign {
  data: OverlordData;
  board: CellMap;
  /** German first, then Allied, as listed; the index is a unit's number in the rules. */
  units: readonly OverlordUnit[];
  unitIndex: ReadonlyMap<string, number>;
  formations: ReadonlyMap<string, Formation>;
  turns: readonly Turn[];
  crt: Record<'June' | 'July-August', ReadonlyMap<string, CrtCell[]>>;
  options: Options;
}

/** The printed id of a column and row: two digits each. */
export function hexId(column: number, row: number): string {
  return `${String(column).padStart(2, '0')}${String(row).padStart(2, '0')}`;
}

/** Derives everything the rules look up, once. The data must have passed the lint. */
export function openCampaign(data: OverlordData): Campaign {
  const formations = openFormations(data);
  const units: OverlordUnit[] = [];
  for (const [id, entry] of Object.entries(data.counters.formations)) {
    let number = 0;
    for (const [type, cf, mf, count] of entry.corrected ?? entry.printed) {
      for (let i = 0; i < count; i++) {
        number += 1;
        const { side, nation, mark } = entry;
        units.push({ id: `${id}/${number}`, formation: id, side, nation, type, cf, mf, mark });
      }
    }
  }
  units.sort((a, b) => (a.side === b.side ? 0 : a.side === 'german' ? -1 : 1));
  const unitIndex = new Map(units.map((unit, index) => [unit.id, index]));
  return {
    data,
    board: openBoard(data),
    units,
    unitIndex,
    formations,
    turns: data.tables.turns,
    crt: { June: openCrt(data, 'June'), 'July-August': openCrt(data, 'July-August') },
    options: { ...data.options },
  };
}

function openFormations(data: OverlordData): Map<string, Formation> {
  const formations = new Map<string, Formation>();
  for (const [id, entry] of Object.entries(data.counters.formations)) {
    const count = (entry.corrected ?? entry.printed).reduce((sum, [, , , counters]) => sum + counters, 0);
    formations.set(id, {
      id,
      name: entry.name,
      side: entry.side,
      nation: entry.nation,
      size: entry.size,
      turn: entry.turn,
      road: entry.road ?? null,
      beaches: entry.beaches ?? null,
      units: Array.from({ length: count }, (_, i) => `${id}/${i + 1}`),
    });
  }
  return formations;
}

/** Cells by die, 1 to 6 at 0 to 5. A printed cell wins over a house cell. */
function openCrt(data: OverlordData, table: 'June' | 'July-August'): Map<string, CrtCell[]> {
  const columns = new Map<string, CrtCell[]>();
  for (const name of data.tables.crt.columns) {
    const column = known(data.tables.crt[table][name], `no column ${name}`);
    const cells = (['1', '2', '3', '4', '5', '6'] as const).map((die): CrtCell => {
      const printed = column.printed[die];
      return { result: known(printed ?? column.house[die], `no result ${name} ${die}`), house: printed === undefined };
    });
    columns.set(name, cells);
  }
  return columns;
}

/** The letters of the map's terrain rows, row by row, column by column. */
export function terrainLetters(data: OverlordData): string[][] {
  return data.map.terrain.map((line) => line.slice(3).split(' '));
}

function openBoard(data: OverlordData): CellMap {
  const { map, tables } = data;
  const grid = hexGrid(
    { kind: 'columns', columns: map.grid.columns, rows: map.grid.rows, lowered: 'even' },
    (column, row) => hexId(column, row),
  );
  const letters = terrainLetters(data);
  const terrain: HexTerrain[] = [];
  for (let cell = 0; cell < grid.size; cell++) {
    const letter = letters[grid.rows[cell]! - map.grid.rows[0]]![grid.columns[cell]! - map.grid.columns[0]]!;
    terrain.push(known(map.legend[letter], `no terrain "${letter}"`));
  }
  const enter = new Int16Array(grid.size);
  const enterArmor = new Int16Array(grid.size);
  const defence = new Uint8Array(grid.size).fill(1);
  const halvesArmor = new Uint8Array(grid.size);
  terrain.forEach((kind, cell) => {
    if (kind === 'sea') return;
    const line = tables.terrain[kind];
    enter[cell] = line.enter;
    enterArmor[cell] = line.enterArmor ?? line.enter;
    defence[cell] = line.defence;
    halvesArmor[cell] = line.halvesArmor ? 1 : 0;
  });
  const sea = Uint8Array.from(terrain, (kind) => (kind === 'sea' ? 1 : 0));
  const { marks, onRoad } = openMarks(data, grid);
  const edgeCells = landEdges(grid, sea);
  return {
    grid,
    terrain,
    sea,
    marks,
    enter,
    enterArmor,
    crossRiver: tables.river.cross,
    alongRoad: tables.road.along,
    defence,
    halvesArmor,
    onRoad,
    beaches: openBeaches(data, grid),
    ports: new Map(Object.entries(map.ports).map(([name, id]) => [cellOf(grid, id), name])),
    entries: new Map(
      Object.entries(map.entryRoads).map(([road, ids]) => [Number(road), ids.map((id) => cellOf(grid, id))]),
    ),
    edgeCells,
    germanSources: [...new Set(map.edges.germanSupply.flatMap((edge) => edgeCells[edge]))],
    exitEdges: map.edges.exit,
    fortress: cellOf(grid, known(map.ports[data.setup.fortress], `no port ${data.setup.fortress}`)),
    names: openNames(data, grid),
  };
}

function openMarks(data: OverlordData, grid: HexGrid): { marks: EdgeMarks; onRoad: Uint8Array } {
  const marks = edgeMarks(grid);
  const onRoad = new Uint8Array(grid.size);
  for (const sides of Object.values(data.map.hexsides.river)) {
    for (const side of sides) {
      const [a, b] = side.split('-') as [string, string];
      markEdge(grid, marks, cellOf(grid, a), cellOf(grid, b), RIVER);
    }
  }
  for (const path of Object.values(data.map.lines.road).flat()) {
    const cells = path.split(' ').map((id) => cellOf(grid, id));
    for (let i = 0; i < cells.length; i++) {
      onRoad[cells[i]!] = 1;
      if (i > 0) markEdge(grid, marks, cells[i - 1]!, cells[i]!, ROAD);
    }
  }
  return { marks, onRoad };
}

function openBeaches(data: OverlordData, grid: HexGrid): Map<number, { name: string; nation: BeachNation }> {
  const beaches = new Map<number, { name: string; nation: BeachNation }>();
  for (const nation of ['US', 'British'] as const)
    for (const [name, ids] of Object.entries(data.map.beaches[nation]))
      for (const id of ids) beaches.set(cellOf(grid, id), { name, nation });
  return beaches;
}

function landEdges(grid: HexGrid, sea: Uint8Array): Record<OverlordEdge, number[]> {
  const [firstColumn, lastColumn] = grid.layout.columns;
  const [firstRow, lastRow] = grid.layout.rows;
  const edges: Record<OverlordEdge, number[]> = { N: [], S: [], E: [], W: [] };
  for (let cell = 0; cell < grid.size; cell++) {
    if (sea[cell] === 1) continue;
    if (grid.rows[cell] === firstRow) edges.N.push(cell);
    if (grid.rows[cell] === lastRow) edges.S.push(cell);
    if (grid.columns[cell] === lastColumn) edges.E.push(cell);
    if (grid.columns[cell] === firstColumn) edges.W.push(cell);
  }
  return edges;
}

function openNames(data: OverlordData, grid: HexGrid): Map<number, string> {
  const names = new Map<number, string>();
  for (const [id, name] of Object.entries(data.map.towns)) names.set(cellOf(grid, id), name);
  for (const [name, ids] of Object.entries(data.map.cities)) for (const id of ids) names.set(cellOf(grid, id), name);
  return names;
}

/** The unit of an index or id, which must exist. */
export function unitOf(campaign: Campaign, index: number): OverlordUnit {
  return campaign.units[index]!;
}

/** The index of a unit's id, which must exist. */
export function indexOf(campaign: Campaign, id: string): number {
  return known(campaign.unitIndex.get(id), `no unit ${id}`);
}

/** Only the type armor is pure armor; armored infantry, recon and guns are not (OVR-11, OVL-TMV-04). */
export function isPureArmor(unit: OverlordUnit): boolean {
  return unit.type === 'armor';
}

/** Paratroops of either side keep their combat factor when isolated (OVL-SUP-09, OVL-SUP-11). */
export function isAirborne(unit: OverlordUnit): boolean {
  return unit.type === 'paratroop';
}

/** The turn of a number, from 1. There is none after the last (OVL-INT-01). */
export function turnOf(campaign: Campaign, turn: number): Turn {
  return known(campaign.turns[turn - 1], `no turn ${turn}`);
}

/** Which combat results table a turn uses (OVL-CRT-01, OVL-CRT-02). */
export function crtTableOf(campaign: Campaign, turn: number): 'June' | 'July-August' {
  return campaign.data.tables.crtMonths[turnOf(campaign, turn).month];
}
