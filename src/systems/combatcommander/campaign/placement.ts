/** C1.10 Initial Placement (RS.10 to RS.13): set-up zones, stacking, who carries what, fortifications, and a fallback. */
import { error } from '../../../kernel/orders.ts';
import type { Diagnostic } from '../../../kernel/types.ts';
import { forceOf, noPlacement, type Piece, unitsOf, weaponsOf } from '../content/forces.ts';
import { allHexes, frontOf, type MapData, oppositeEdge, rowsFrom, terrainOf } from '../content/ground.ts';
import { mapOf } from '../content/names.ts';
import type { CampaignData } from '../content/scenario.ts';
import { fortPieces } from '../content/support.ts';
import type {
  CommanderEdge,
  CommanderSide,
  CommanderTable,
  Fort,
  Placement,
  PlaceOrder,
  SetupOrder,
} from '../types.ts';

/** The side's own map edge: the American's by the die, the German's across from it. */
export function edgeOf(table: CommanderTable, side: CommanderSide): CommanderEdge {
  return side === 'american' ? table.battle.edge : oppositeEdge(table.battle.edge);
}

/** Rows of the set-up zone from the own edge: 8, 2 or 4 on a wide front, 12, 3 or 6 on a narrow one. */
export function zoneDepth(data: CampaignData, table: CommanderTable, side: CommanderSide): number {
  const posture = table.battle.posture?.[side] ?? 'recon';
  return data.tables.depth[posture][frontOf(edgeOf(table, side))];
}

/** The hexes of a side's set-up zone. */
export function zoneOf(data: CampaignData, table: CommanderTable, side: CommanderSide): string[] {
  const map = mapOf(data, table);
  const depth = zoneDepth(data, table, side);
  return allHexes(map).filter((hex) => rowsFrom(map, edgeOf(table, side), hex) <= depth);
}

/** Whether the side may use the free Deploy event: it took armor support in this battle, cancelled or not (CCR-07). */
export function mayDeploy(table: CommanderTable, side: CommanderSide): boolean {
  return side === 'american' && table.battle.armor.american !== 'none';
}

/** A squad that deploys stands for its two teams where it is placed, and for the first of them where it carries. */
function withTeams(orders: readonly SetupOrder[]): SetupOrder[] {
  const deploy = orders.find((order) => order.deploy !== null)?.deploy ?? null;
  if (deploy === null) return [...orders];
  return orders.map((order) => ({
    ...order,
    places: order.places.flatMap(({ unit, hex }) =>
      unit === deploy ? ['A', 'B'].map((half) => ({ unit: `${deploy}${half}`, hex })) : [{ unit, hex }],
    ),
    carry: order.carry.map(({ weapon, unit }) => ({ weapon, unit: unit === deploy ? `${deploy}A` : unit })),
  }));
}

/** One or several SETUP lines read as one; a later line about the same piece counts. */
export function mergeSetup(orders: readonly SetupOrder[]): Placement {
  const placement = noPlacement();
  for (const order of withTeams(orders)) {
    if (order.deploy !== null) placement.deploy = order.deploy;
    for (const { unit, hex } of order.places) placement.places[unit] = hex;
    for (const { weapon, unit } of order.carry) placement.carry[weapon] = unit;
  }
  return placement;
}

/** Figures of a piece for the stacking limit. */
function figures(data: CampaignData, piece: Piece): number {
  const { kind } = piece.counter;
  return kind === 'weapon' ? 0 : data.tables.stacking.figures[kind];
}

/** Every fault of the SETUP lines of a side, each at the line it stands in. */
export function checkSetup(
  data: CampaignData,
  table: CommanderTable,
  side: CommanderSide,
  orders: readonly SetupOrder[],
): Diagnostic[] {
  const faults: Diagnostic[] = [];
  const merged = mergeSetup(orders);
  const deploy = orders.find((order) => order.deploy !== null);
  const plain = forceOf(data, table.campaign, table.battle, side, null);
  if (deploy && !mayDeploy(table, side)) faults.push(error('NO DEPLOY', deploy.line, {}, 'C1.72i'));
  else if (deploy && !plain.some((piece) => piece.id === deploy.deploy && piece.counter.deploysInto))
    faults.push(error('NO SQUAD', deploy.line, { unit: deploy.deploy ?? '' }, 'C1.72i'));
  const force = forceOf(data, table.campaign, table.battle, side, mayDeploy(table, side) ? merged.deploy : null);
  const pieces = new Map(force.map((piece) => [piece.id, piece]));
  const zone = new Set(zoneOf(data, table, side));
  const stacks = new Map<string, number>();
  const counted = new Set<string>();
  for (const order of mayDeploy(table, side) ? withTeams(orders) : orders) {
    for (const { unit, hex } of order.places) {
      const piece = pieces.get(unit);
      if (!piece || piece.counter.kind === 'weapon')
        faults.push(error(piece ? 'A WEAPON' : 'NOT IN YOUR FORCE', order.line, { unit }));
      else if (!zone.has(hex))
        faults.push(
          error(
            'OUTSIDE SET-UP ZONE',
            order.line,
            { unit, hex, rows: zoneDepth(data, table, side), edge: edgeOf(table, side) },
            'C1.10a',
          ),
        );
      else if (merged.places[unit] === hex && !counted.has(unit)) {
        counted.add(unit);
        const sum = (stacks.get(hex) ?? 0) + figures(data, piece);
        stacks.set(hex, sum);
        const most = data.tables.stacking.most;
        if (sum > most) faults.push(error('STACK OVER 7', order.line, { unit, hex, figures: sum, most }, 'C1.10a'));
      }
    }
    faults.push(...checkCarry(order, pieces, merged));
  }
  return faults;
}

/** C1.10f: a Section's weapon stays with its Section; one weapon a unit. */
function checkCarry(order: SetupOrder, pieces: ReadonlyMap<string, Piece>, merged: Placement): Diagnostic[] {
  const faults: Diagnostic[] = [];
  for (const { weapon, unit } of order.carry) {
    const arm = pieces.get(weapon);
    const carrier = pieces.get(unit);
    if (arm?.counter.kind !== 'weapon') {
      faults.push(error(arm ? 'NO WEAPON' : 'NOT IN YOUR FORCE', order.line, { unit: weapon }));
    } else if (!carrier || carrier.counter.kind === 'weapon') {
      faults.push(error(carrier ? 'A WEAPON' : 'NOT IN YOUR FORCE', order.line, { unit }));
    } else if (/^[A-GQ]$/.test(arm.section) && carrier.section !== arm.section) {
      faults.push(
        error('WEAPON SECTION', order.line, { weapon, unit, section: arm.section, other: carrier.section }, 'C1.10f'),
      );
    } else {
      const carried = Object.entries(merged.carry).filter(([, by]) => by === unit);
      if (carried.length > 1 && carried[0]![0] !== weapon)
        faults.push(
          error('TWO WEAPONS ON ONE UNIT', order.line, { unit, first: carried[0]![0], second: weapon }, 'C1.10f'),
        );
    }
  }
  return faults;
}

const COVER: Record<string, number> = { building: 3, woods: 2, brush: 1, orchard: 1, field: 0, open: 0 };

/** The hexes of a zone as the fallback fills them: objectives, then good cover, then by name. */
function fillOrder(map: MapData, zone: readonly string[]): string[] {
  const objectives = Object.values(map.objectives);
  const score = (hex: string): number => (objectives.includes(hex) ? 10 : 0) + (COVER[terrainOf(map, hex)] ?? 0);
  return [...zone].sort((a, b) => score(b) - score(a) || (a < b ? -1 : a > b ? 1 : 0));
}

/**
 * Completes a placement: units left over go to the hexes of the zone with the best cover, weapons to the first unit that
 * may carry them. What was placed here is listed in `auto`. A complete placement comes back as it was.
 */
export function completeSetup(
  data: CampaignData,
  table: CommanderTable,
  side: CommanderSide,
  given: Placement,
): Placement {
  const placement = structuredClone(given);
  const force = forceOf(data, table.campaign, table.battle, side, placement.deploy);
  const map = mapOf(data, table);
  const hexes = fillOrder(map, zoneOf(data, table, side));
  const load = new Map<string, number>();
  const units = unitsOf(force);
  for (const unit of units) {
    const hex = placement.places[unit.id];
    if (hex) load.set(hex, (load.get(hex) ?? 0) + figures(data, unit));
  }
  let at = 0;
  let section = '';
  for (const unit of units.filter((one) => !placement.places[one.id])) {
    if (unit.section !== section && section !== '') at++;
    section = unit.section;
    const room = (hex: string): boolean => (load.get(hex) ?? 0) + figures(data, unit) <= data.tables.stacking.most;
    const from = [...hexes.slice(at), ...hexes.slice(0, at)];
    const hex = from.find(room) ?? hexes[0]!;
    at = hexes.indexOf(hex);
    placement.places[unit.id] = hex;
    load.set(hex, (load.get(hex) ?? 0) + figures(data, unit));
    placement.auto.push(unit.id);
  }
  for (const weapon of weaponsOf(force).filter((one) => !placement.carry[one.id])) {
    const bound = /^[A-GQ]$/.test(weapon.section);
    const busy = new Set(Object.values(placement.carry));
    const able = units.filter((unit) => !busy.has(unit.id) && (!bound || unit.section === weapon.section));
    const carrier =
      able.find((unit) => unit.counter.kind === 'team') ??
      able.find((unit) => unit.counter.kind === 'squad') ??
      able[0];
    if (!carrier) continue;
    placement.carry[weapon.id] = carrier.id;
    placement.auto.push(weapon.id);
  }
  return placement;
}

/** Fortifications of a side that still need hexes, in the order bought. */
export function unplacedForts(
  data: CampaignData,
  table: CommanderTable,
  side: CommanderSide,
  pay: 'vp' | 'points',
): Fort[] {
  return table.battle.forts.filter(
    (fort) => fort.side === side && fort.pay === pay && fort.hexes.length < fortPieces(data, fort.item),
  );
}

/** Faults of PLACE lines against the OBs still to be placed: number, zone, one fortification a hex. */
export function checkPlaces(
  data: CampaignData,
  table: CommanderTable,
  side: CommanderSide,
  orders: readonly PlaceOrder[],
  open: readonly Fort[],
): Diagnostic[] {
  const faults: Diagnostic[] = [];
  const zone = new Set(zoneOf(data, table, side));
  const taken = new Set(table.battle.forts.flatMap((fort) => fort.hexes));
  const room = new Map<string, number>();
  for (const fort of open)
    room.set(fort.item, (room.get(fort.item) ?? 0) + fortPieces(data, fort.item) - fort.hexes.length);
  for (const order of orders) {
    const { item } = order;
    const left = room.get(item) ?? 0;
    if (left < order.hexes.length) {
      faults.push(error('FORT NOT BOUGHT', order.line, { item, left, wanted: order.hexes.length }, 'C1.10g'));
      continue;
    }
    room.set(item, left - order.hexes.length);
    faults.push(...checkFortHexes(data, table, side, order.line, order.hexes, zone, taken));
  }
  return faults;
}

/** One line's hexes: inside the zone, one fortification a hex (house reading of RS.12). Marks them as taken. */
export function checkFortHexes(
  data: CampaignData,
  table: CommanderTable,
  side: CommanderSide,
  line: number,
  hexes: readonly string[],
  zone: ReadonlySet<string>,
  taken: Set<string>,
): Diagnostic[] {
  const faults: Diagnostic[] = [];
  for (const hex of hexes) {
    if (!zone.has(hex)) {
      const rows = zoneDepth(data, table, side);
      faults.push(error('OUTSIDE SET-UP ZONE', line, { unit: 'FORT', hex, rows, edge: edgeOf(table, side) }, 'C1.10a'));
    } else if (taken.has(hex)) faults.push(error('FORT THERE ALREADY', line, { hex }, 'C1.10g'));
    taken.add(hex);
  }
  return faults;
}

/** Puts the hexes of PLACE lines on the OBs, then fills what is left by itself. Returns the OBs that changed. */
export function placeForts(
  data: CampaignData,
  table: CommanderTable,
  side: CommanderSide,
  pay: 'vp' | 'points',
  orders: readonly PlaceOrder[],
): Fort[] {
  const open = unplacedForts(data, table, side, pay);
  for (const order of orders) {
    for (const hex of order.hexes) {
      const fort = open.find((one) => one.item === order.item && one.hexes.length < fortPieces(data, one.item));
      fort?.hexes.push(hex);
    }
  }
  const taken = new Set(table.battle.forts.flatMap((fort) => fort.hexes));
  const hexes = fillOrder(mapOf(data, table), zoneOf(data, table, side)).filter((hex) => !taken.has(hex));
  for (const fort of open)
    while (fort.hexes.length < fortPieces(data, fort.item) && hexes.length > 0) fort.hexes.push(hexes.shift()!);
  return open;
}
