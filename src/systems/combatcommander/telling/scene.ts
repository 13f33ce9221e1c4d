/** Pictures: the campaign track between battles, and the battle map with edges, zones, pieces and the battle sheet. */
import type { Cell, MapScene, SceneCounter, SceneItem, ScenePanel, Text, Words } from '../../../kernel/types.ts';
import { edgeOf, zoneOf } from '../campaign/placement.ts';
import { suddenDeathOf } from '../campaign/posture.ts';
import { forceOf, limitsOf, type Piece, unitsOf, valuesOf, weaponsOf } from '../content/forces.ts';
import { allHexes, cellOf, type MapData, terrainOf } from '../content/ground.ts';
import { mapOf, sideName } from '../content/names.ts';
import type { CampaignData } from '../content/scenario.ts';
import { type CommanderEdge, type CommanderSide, type CommanderTable, SIDES } from '../types.ts';
import { dateOf, inRow, placeOf, say, vpName } from './telling.ts';
import { campaignPanels, trackScene } from './track.ts';

function cell(map: MapData, hex: string): Cell {
  return cellOf(map, hex) ?? [1, 1];
}

function groundItems(map: MapData): SceneItem[] {
  const items: SceneItem[] = [];
  for (const hex of allHexes(map)) {
    const level = map.elevation[hex] ?? 0;
    const terrain = terrainOf(map, hex);
    const item: SceneItem = { kind: 'cell', at: cell(map, hex), terrain, number: hex };
    items.push(level > 0 ? { ...item, hill: true, tags: [`level-${level}`] } : item);
  }
  for (const [a, b] of map.hedges) items.push({ kind: 'edge', a: cell(map, a), b: cell(map, b), feature: 'bocage' });
  for (const [a, b] of map.roads) items.push({ kind: 'line', feature: 'road', path: [cell(map, a), cell(map, b)] });
  for (const hexes of map.multiHexBuildings)
    items.push({ kind: 'region', cells: hexes.map((hex) => cell(map, hex)), style: 'building' });
  return items;
}

/** Objectives as markers; where counters stand on one and would hide it, as a plate beside the hex. */
function objectiveItems(table: CommanderTable, map: MapData): SceneItem<Text>[] {
  const held = new Set(SIDES.flatMap((side) => Object.values(table.battle.setup[side]?.places ?? {})));
  return Object.entries(map.objectives).map(([number, hex]): SceneItem<Text> => {
    const at = cell(map, hex);
    return held.has(hex)
      ? { kind: 'plate', at, big: number, small: say('map-objective') }
      : { kind: 'marker', at, marker: 'objective', text: number };
  });
}

/** Where the name of an edge is written: half a hex outside would leave the grid, so it stands on the rim. */
function edgeLabel(map: MapData, edge: CommanderEdge, text: Text): SceneItem<Text> {
  const middle: Record<CommanderEdge, Cell> = {
    top: [Math.ceil((map.columns + 1) * 0.5), 1],
    bottom: [Math.ceil((map.columns + 1) * 0.5), map.rows],
    left: [2, Math.ceil(map.rows * 0.5)],
    right: [map.columns - 1, Math.ceil(map.rows * 0.5)],
  };
  return { kind: 'label', at: middle[edge], text, style: 'city' };
}

const SYMBOLS: Record<string, string> = { leader: 'leader', squad: 'infantry', team: 'infantry' };

function counterOf(side: CommanderSide, piece: Piece, weapons: readonly Piece[]): SceneCounter {
  const { counter } = piece;
  const weapon = weapons[0];
  const mortar = weapon && /Mortar/.test(weapon.key);
  const gun = weapon && /MG/.test(weapon.key);
  return {
    id: piece.id,
    side,
    nation: side === 'german' ? 'DE' : 'US',
    symbol: mortar ? 'mortar' : gun ? 'machine-gun' : (SYMBOLS[counter.kind] ?? 'infantry'),
    size: counter.kind === 'leader' ? '' : counter.kind === 'squad' ? '••' : '•',
    formation: piece.section,
    unit: counter.kind === 'leader' ? piece.id.slice(0, 3) : (piece.id.split('/')[1] ?? ''),
    factors: [String(counter.fp), String(counter.range ?? 0), String(counter.morale ?? 0)],
    states: [],
  };
}

function pieceItems(data: CampaignData, table: CommanderTable, side: CommanderSide, map: MapData): SceneItem[] {
  const placement = table.battle.setup[side];
  if (!placement) return [];
  const force = forceOf(data, table.campaign, table.battle, side);
  const weapons = weaponsOf(force);
  return unitsOf(force).map((piece) => ({
    kind: 'counter',
    at: cell(map, placement.places[piece.id] ?? 'A1'),
    counter: counterOf(
      side,
      piece,
      weapons.filter((weapon) => placement.carry[weapon.id] === piece.id),
    ),
  }));
}

function fortItems(table: CommanderTable, map: MapData): SceneItem[] {
  return table.battle.forts.flatMap((fort) =>
    fort.hexes.map(
      (hex): SceneItem => ({ kind: 'marker', at: cell(map, hex), marker: fort.item, text: fort.item, side: fort.side }),
    ),
  );
}

/** One table a side: pieces with values, where they stand and what they carry. */
function forcePanel(data: CampaignData, table: CommanderTable, side: CommanderSide): ScenePanel<Text> {
  const force = forceOf(data, table.campaign, table.battle, side);
  const placement = table.battle.setup[side];
  const rows = force.map((piece) => {
    const place = placement?.places[piece.id] ?? placement?.carry[piece.id] ?? '';
    return { cells: [piece.id, piece.name, valuesOf(piece), place] };
  });
  return {
    title: say('panel-force', { side: sideName(side) }),
    columns: ['piece', 'kind', 'values', 'place'].map((name) => say(`column-${name}`)),
    rows,
  };
}

function sheetPanel(data: CampaignData, table: CommanderTable): ScenePanel<Text> {
  const { battle, campaign } = table;
  const rows: { cells: Text[] }[] = [];
  const row = (name: string, cells: readonly Text[]): void => {
    rows.push({ cells: [say(`row-${name}`), ...cells] });
  };
  const each = (name: string, cell: (side: CommanderSide) => Text): void => row(name, SIDES.map(cell));
  each('edge', (side) => say(`edge-${edgeOf(table, side)}`));
  each('posture', (side) => (battle.posture ? say(`posture-${battle.posture[side]}`) : ''));
  each('hand', (side) => (battle.posture ? String(data.tables.hands[battle.posture[side]]) : ''));
  const limits = (side: CommanderSide) => limitsOf(data, side, battle.bought?.[side] ?? []);
  each('orders', (side) => String(limits(side).orders));
  each('initiative', (side) => String(limits(side).initiative));
  each('surrender', (side) => String(limits(side).surrender));
  row('vp', [vpName(campaign.vp), '']);
  row('sudden-death', [String(suddenDeathOf(data, battle)), '']);
  row('first', [battle.initiative ? sideName(battle.initiative) : '', '']);
  const objectives = Object.entries(mapOf(data, table).objectives).map(([number, hex]) => `${number} ${hex}`);
  row('objectives', [objectives.join(', '), '']);
  row('chit', [battle.chit, '']);
  each('radios', (side) => inRow(radiosOf(data, table, side)));
  each('forts', (side) => fortsOf(data, table, side).join('; '));
  row('air', [say(`air-${campaign.air}`), '']);
  return {
    title: say('panel-battle', { battle: campaign.battle }),
    columns: ['', ...SIDES.map((side) => sideName(side))],
    rows,
  };
}

function radiosOf(data: CampaignData, table: CommanderTable, side: CommanderSide): Words[] {
  const { battle } = table;
  const { support } = data.tables;
  const name = ({ calibre, fp }: { calibre: string; fp: number }): Words => say('radio', { calibre, fp });
  const radios: Words[] = [];
  if (battle.armor[side] === 'taken')
    radios.push(name(side === 'american' ? support.americanArmor.radio : support.germanArmor.radio));
  if (side === 'german' && battle.artillery > 0)
    radios.push(say('radio-registered', { radio: name(support.germanArtillery.radio), markers: battle.artillery }));
  if (battle.radio?.calibre && battle.posture?.[side] === 'attack')
    radios.push(name({ calibre: battle.radio.calibre, fp: battle.radio.fp }));
  return radios;
}

function fortsOf(data: CampaignData, table: CommanderTable, side: CommanderSide): string[] {
  return table.battle.forts
    .filter((fort) => fort.side === side)
    .map((fort) => {
      const name = data.forces.fortifications.list.find((entry) => entry.item === fort.item)?.name ?? fort.item;
      return fort.hexes.length > 0 ? `${name} ${fort.hexes.join(' ')}` : name;
    });
}

/** The battle map: terrain, bocage, roads, objectives, edges, pieces where they are placed, and the battle sheet. */
function battleScene(data: CampaignData, table: CommanderTable, zone?: CommanderSide): MapScene<Text> {
  const map = mapOf(data, table);
  const { campaign, battle } = table;
  const items: SceneItem<Text>[] = [...groundItems(map), ...objectiveItems(table, map)];
  for (const side of SIDES) items.push(edgeLabel(map, edgeOf(table, side), say('map-edge', { side: sideName(side) })));
  if (zone)
    items.push({
      kind: 'region',
      cells: zoneOf(data, table, zone).map((hex) => cell(map, hex)),
      style: 'setup-zone',
      label: say('map-zone', { side: sideName(zone) }),
    });
  items.push(...fortItems(table, map));
  for (const side of SIDES) items.push(...pieceItems(data, table, side, map));
  const panels = battle.bought ? [sheetPanel(data, table), ...SIDES.map((side) => forcePanel(data, table, side))] : [];
  return {
    title: say('map-title', { battle: campaign.battle, map: map.name }),
    subtitle: say('map-subtitle', {
      date: dateOf(data, campaign.battle),
      position: campaign.position,
      place: placeOf(data, campaign.position),
    }),
    size: { kind: 'hex-columns', columns: [1, map.columns], rows: [1, map.rows], lowered: 'even' },
    items,
    panels: [...panels, ...campaignPanels(data, table)],
    legend: [
      { sample: 'marker:objective', text: say('legend-objective') },
      { sample: 'edge:bocage', text: say('legend-bocage') },
      { sample: 'line:road', text: say(map.ruralRoads ? 'legend-rural-road' : 'legend-road') },
    ],
    house: [say('map-house-map'), say('map-house-tables')],
  };
}

/** What a viewer's report shows: the battle from the reveal to its end, the track between battles. */
export function campaignScene(data: CampaignData, table: CommanderTable, step: string): MapScene<Text> {
  if (step === 'sections' || step === 'after' || step === 'over') return trackScene(data, table);
  const { first } = table.battle;
  const second = first === 'american' ? 'german' : 'american';
  if (step === 'setup-first') return battleScene(data, table, first ?? undefined);
  if (step === 'setup-second') return battleScene(data, table, second);
  return battleScene(data, table);
}
