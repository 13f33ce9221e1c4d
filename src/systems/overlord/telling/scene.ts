/** The map to draw: ground, counters, what happened. The renderer knows shapes and colours; here stands what lies where. */
import type { Cell, MapScene, SceneItem, ScenePanel, Text, View } from '../../../kernel/types.ts';
import { type Campaign, turnOf, unitOf } from '../content/campaign.ts';
import { nameUnits } from '../content/names.ts';
import { counterOf } from '../content/unitcounter.ts';
import { beachUsable, type Field, isIsolated, openField, stackIn } from '../field/field.ts';
import type { Overlord, OverlordEvent, OverlordSide } from '../types.ts';
import { markOf } from './eventmarks.ts';
import { words } from './tell.ts';

/** Looks of the ground by terrain: base tint and whether it rises. */
const GROUND = {
  sea: { terrain: 'sea' },
  plain: { terrain: 'plain' },
  bocage: { terrain: 'bocage' },
  hill: { terrain: 'plain', hill: true },
  'hill+bocage': { terrain: 'bocage', hill: true },
  swamp: { terrain: 'swamp' },
  city: { terrain: 'city' },
} as const;

/** The map with the marks of the events (last phase, or a preview). */
export function sceneOf(campaign: Campaign, view: View<Overlord>, events: readonly OverlordEvent[]): MapScene<Text> {
  const { board, data } = campaign;
  const field = openField(campaign, view.table, view.phase.turn);
  const items: SceneItem<Text>[] = [
    ...fixedItems(campaign),
    ...stateItems(field),
    ...counterItems(field, events),
    ...events.flatMap((event) => markOf(campaign, event)),
  ];
  const turn = turnOf(campaign, Math.min(view.phase.turn, campaign.turns.length));
  return {
    title: words('map title'),
    subtitle: words('map subtitle', { turn: view.phase.turn, date: turn.date }),
    size: { kind: 'hex-columns', columns: board.grid.layout.columns, rows: board.grid.layout.rows, lowered: 'even' },
    items,
    panels: panelsOf(field),
    legend: LEGEND,
    cellMetres: data.map.grid.hexMetres,
    house: data.map.houseMap ? ['map', 'set-up', 'table'].map((what) => words(`map house ${what}`)) : [],
    credits: [data.map.licence],
  };
}

/** What never changes on a map: ground, rivers, roads, names. Made once for each campaign opened. */
const fixed = new WeakMap<Campaign, readonly SceneItem[]>();

function fixedItems(campaign: Campaign): readonly SceneItem[] {
  const known = fixed.get(campaign);
  if (known) return known;
  const items = [...groundItems(campaign), ...nameItems(campaign)];
  fixed.set(campaign, items);
  return items;
}

const LEGEND = [
  { sample: 'plain', text: { key: 'overlord.legend plain' } },
  { sample: 'bocage', text: { key: 'overlord.legend bocage' } },
  { sample: 'hill', text: { key: 'overlord.legend hill' } },
  { sample: 'hill+bocage', text: { key: 'overlord.legend hill+bocage' } },
  { sample: 'swamp', text: { key: 'overlord.legend swamp' } },
  { sample: 'city', text: { key: 'overlord.legend city' } },
  { sample: 'river', text: { key: 'overlord.legend river' } },
  { sample: 'road', text: { key: 'overlord.legend road' } },
  { sample: 'beach', text: { key: 'overlord.legend beach' } },
];

function at(campaign: Campaign, cell: number): Cell {
  const { grid } = campaign.board;
  return [grid.columns[cell]!, grid.rows[cell]!];
}

function groundItems(campaign: Campaign): SceneItem[] {
  const { board, data } = campaign;
  const cellAt = (hex: string): Cell => at(campaign, board.grid.index.get(hex)!);
  const items: SceneItem[] = board.terrain.map((terrain, cell) => {
    const look = GROUND[terrain];
    const item: SceneItem = {
      kind: 'cell',
      at: at(campaign, cell),
      terrain: look.terrain,
      number: board.grid.ids[cell]!,
      ...('hill' in look ? { hill: true } : {}),
    };
    const tags: string[] = [];
    if (board.beaches.has(cell)) tags.push('beach');
    if (terrain !== 'city' && board.names.has(cell)) tags.push('village');
    return tags.length > 0 ? { ...item, tags } : item;
  });
  for (const [name, sides] of Object.entries(data.map.hexsides.river)) {
    for (const side of sides) {
      const [a, b] = side.split('-') as [string, string];
      items.push({ kind: 'edge', a: cellAt(a), b: cellAt(b), feature: 'river', name });
    }
  }
  for (const [name, paths] of Object.entries(data.map.lines.road))
    for (const path of paths) items.push({ kind: 'line', feature: 'road', path: path.split(' ').map(cellAt), name });
  return items;
}

function nameItems(campaign: Campaign): SceneItem[] {
  const { board, data } = campaign;
  const cellAt = (hex: string): Cell => at(campaign, board.grid.index.get(hex)!);
  const items: SceneItem[] = [];
  const label = (hex: string, text: string, style: string): void => {
    items.push({ kind: 'label', at: cellAt(hex), text, style });
  };
  for (const [name, hexes] of Object.entries(data.map.cities)) label(hexes[0]!, name, 'city');
  for (const [hex, name] of Object.entries(data.map.towns)) label(hex, name, 'village');
  for (const nation of ['US', 'British'] as const)
    for (const [name, hexes] of Object.entries(data.map.beaches[nation]))
      label(hexes[0]!, name, `beach:${nation === 'US' ? 'US' : 'BR'}`);
  for (const { text, style, at: place } of data.map.labels) items.push({ kind: 'label', at: place, text, style });
  for (const [road, hexes] of Object.entries(data.map.entryRoads))
    for (const hex of hexes) items.push({ kind: 'marker', at: cellAt(hex), marker: 'entry', text: road });
  return items;
}

/** What the table shows besides counters: interdiction, destroyed beaches, ports, objectives. */
function stateItems(field: Field): SceneItem<Text>[] {
  const { campaign, table } = field;
  const { grid } = campaign.board;
  const items: SceneItem<Text>[] = [];
  for (const [hex, factors] of Object.entries(table.interdiction))
    items.push({
      kind: 'marker',
      at: at(campaign, grid.index.get(hex)!),
      marker: 'interdiction',
      text: String(factors),
    });
  for (const [hex, state] of Object.entries(table.beaches)) {
    const cell = grid.index.get(hex)!;
    if (!state.destroyed || beachUsable(field, cell)) continue;
    const text =
      state.usableFrom === null ? words('map beach destroyed') : words('map beach from', { turn: state.usableFrom });
    items.push({ kind: 'marker', at: at(campaign, cell), marker: 'beach destroyed', text });
  }
  for (const cell of campaign.board.ports.keys()) {
    const side = table.control[grid.ids[cell]!] ?? 'german';
    items.push({ kind: 'marker', at: at(campaign, cell), marker: 'objective', text: words('map port'), side });
  }
  return items;
}

function counterItems(field: Field, events: readonly OverlordEvent[]): SceneItem[] {
  const { campaign } = field;
  const moved = new Set<string>();
  const fresh = new Set<string>();
  for (const event of events) {
    if (event.type === 'moved') for (const unit of event.units) moved.add(unit);
    else if (event.type === 'landed' || event.type === 'entered') for (const unit of event.units) fresh.add(unit);
    else if (event.type === 'retreated' || event.type === 'advanced') moved.add(event.unit);
  }
  const items: SceneItem[] = [];
  for (let cell = 0; cell < campaign.board.grid.size; cell++) {
    for (const index of stackIn(field, cell)) {
      const unit = unitOf(campaign, index);
      const states: string[] = [];
      if (isIsolated(field, index)) states.push('isolated');
      if (fresh.has(unit.id)) states.push('new');
      else if (moved.has(unit.id)) states.push('moved');
      items.push({ kind: 'counter', at: at(campaign, cell), counter: counterOf(unit, states) });
    }
  }
  return items;
}

type Panel = ScenePanel<Text>;

/** Stacks, units off the map, losses, what has left. */
function panelsOf(field: Field): Panel[] {
  const { campaign, table } = field;
  const panels: Panel[] = [];
  const stacks: Panel['rows'] = [];
  for (let cell = 0; cell < campaign.board.grid.size; cell++) {
    const stack = stackIn(field, cell);
    if (stack.length < 2) continue;
    const units = stack.map((index) => unitOf(campaign, index));
    stacks.push({
      at: at(campaign, cell),
      cells: [
        campaign.board.grid.ids[cell]!,
        nameUnits(
          campaign,
          units.map((unit) => unit.id),
        ),
        units.map((unit) => `${unit.cf}-${unit.mf}`).join(' '),
      ],
    });
  }
  panels.push({
    title: words('panel stacks'),
    columns: ['hex', 'units', 'factors'].map((name) => words(`column ${name}`)),
    rows: stacks,
  });
  const list = (side: OverlordSide, place: string): void => {
    const ids = campaign.units
      .filter((unit) => unit.side === side && table.units[unit.id] === place)
      .map(({ id }) => id);
    if (ids.length === 0) return;
    panels.push({
      title: words(`panel ${side} ${place}`),
      columns: ['units', 'count'].map((name) => words(`column ${name}`)),
      rows: [{ cells: [nameUnits(campaign, ids), String(ids.length)] }],
    });
  };
  list('allied', 'off');
  list('german', 'off');
  list('allied', 'lost');
  list('german', 'lost');
  list('allied', 'exited');
  list('german', 'withdrawn');
  panels.push({
    title: words('panel arrivals'),
    columns: ['turn', 'formations'].map((name) => words(`column ${name}`)),
    rows: arrivalRows(campaign, field.turn),
  });
  return panels;
}

const TURNS_AHEAD = 3;

function arrivalRows(campaign: Campaign, turn: number): Panel['rows'] {
  const rows: Panel['rows'] = [];
  for (let next = turn + 1; next <= Math.min(turn + TURNS_AHEAD, campaign.turns.length); next++) {
    const formations = [...campaign.formations.values()]
      .filter((formation) => formation.turn === next)
      .map(({ id, road }) => (road === null ? id : words('panel by road', { id, road })));
    const turn = words('panel turn', { turn: next, date: turnOf(campaign, next).date });
    rows.push({ cells: [turn, formations.length > 0 ? words('panel list', { names: formations }) : '-'] });
  }
  return rows;
}
