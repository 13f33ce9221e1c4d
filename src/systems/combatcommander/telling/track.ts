/** The campaign track as a drawn page: the five positions, the way so far, the ways ahead, and the sheet beside it. */

import { joined } from '../../../kernel/joined.ts';
import type { Cell, MapScene, SceneItem, ScenePanel, Text } from '../../../kernel/types.ts';
import { campaignWinner, nextPosition, winsOf } from '../campaign/campaignsheet.ts';
import { LETTERS, leaderName, sectionOf } from '../content/forces.ts';
import { sideName } from '../content/names.ts';
import type { CampaignData } from '../content/scenario.ts';
import { type CommanderSide, type CommanderTable, type PositionId, SIDES } from '../types.ts';
import { dateOf, placeOf, say, vpName } from './telling.ts';

const AT: Record<PositionId, Cell> = { A1: [1, 1], A2: [4, 1], A3: [7, 1], A4: [10, 1], G1: [4, 4] };
const GOAL: Cell = [13, 1];
const GROUND: Record<PositionId, string> = {
  A1: 'bocage',
  A2: 'hill',
  A3: 'hill+bocage',
  A4: 'light-bocage',
  G1: 'heavy-bocage',
};
const POSITIONS: readonly PositionId[] = ['A1', 'A2', 'A3', 'A4', 'G1'];

function positionItems(data: CampaignData, table: CommanderTable): SceneItem<Text>[] {
  const items: SceneItem<Text>[] = [];
  for (const position of POSITIONS) {
    const [column, row] = AT[position];
    for (const at of [
      [column, row],
      [column + 1, row],
    ] as Cell[])
      items.push({ kind: 'cell', at, terrain: GROUND[position] });
    const won = table.campaign.fought
      .filter((battle) => battle.position === position)
      .map((battle) => say(battle.winner === 'american' ? 'track-won' : 'track-lost', { battle: battle.battle }));
    items.push({
      kind: 'region',
      cells: [
        [column, row],
        [column + 1, row],
      ],
      style: 'position',
      label: position,
    });
    items.push({
      kind: 'plate',
      at: [column, row],
      big: position,
      small: won.length > 0 ? joined('combatcommander.track-row', won) : '-',
    });
    items.push({
      kind: 'label',
      at: [column, row + 1],
      text: say('track-map', { map: data.tables.positions[position].map }),
      style: 'village',
    });
  }
  items.push({ kind: 'cell', at: GOAL, terrain: 'city' });
  items.push({ kind: 'label', at: [GOAL[0], GOAL[1] - 1], text: 'St. Lô', style: 'city' });
  return items;
}

/** The battles fought as moves of the Battle marker, and the two ways on as thin ones. */
function wayItems(data: CampaignData, table: CommanderTable): SceneItem[] {
  const { campaign } = table;
  const items: SceneItem[] = [];
  const ways = [...campaign.fought.map((battle) => battle.position), campaign.position];
  const end = table.ended ? ways.slice(0, -1) : ways;
  for (let i = 1; i < end.length; i++) {
    const from = end[i - 1]!;
    const to = end[i]!;
    if (from !== to) items.push({ kind: 'arrow', arrow: 'move', path: [AT[from], AT[to]] });
  }
  const taken = campaignWinner(data, campaign.fought) === 'american';
  if (taken) items.push({ kind: 'arrow', arrow: 'move', path: [AT[campaign.position], GOAL] });
  if (table.ended) return items;
  const here = campaign.position;
  items.push({ kind: 'marker', at: [AT[here][0] + 1, AT[here][1]], marker: 'victory', text: String(campaign.battle) });
  if (table.after) return items;
  for (const winner of SIDES) {
    const after = [...campaign.fought, { ...nobodyYet(campaign.battle, here), winner }];
    const last = winsOf(after, winner) >= data.campaign.winsNeeded;
    const to = winner === 'american' && last ? GOAL : AT[nextPosition(data, after)];
    if (to !== AT[here] && !(last && winner === 'german'))
      items.push({
        kind: 'arrow',
        arrow: winner === 'american' ? 'move' : 'retreat',
        path: [AT[here], to],
        inferred: true,
      });
  }
  return items;
}

function nobodyYet(battle: number, position: PositionId) {
  return {
    battle,
    position,
    edge: 'top' as const,
    vp: null,
    how: 'agreed' as const,
    note: '',
    bought: { american: [], german: [] },
  };
}

/** One row a Section: who leads it and where its leader is. */
function boxRows(data: CampaignData, table: CommanderTable, side: CommanderSide): { cells: Text[] }[] {
  const { campaign } = table;
  return LETTERS.map((letter) => {
    const section = letter === 'Q' ? say('track-command') : `${letter} ${sectionOf(data, side, letter).type}`;
    const box = say(`box-${campaign.boxes[side][letter] ?? 'available'}`);
    return { cells: [section, leaderName(data, campaign, side, letter), box] };
  });
}

/** Tables beside track and map: history, support track, boxes. */
export function campaignPanels(data: CampaignData, table: CommanderTable): ScenePanel<Text>[] {
  const { campaign } = table;
  const { points } = campaign;
  const panels: ScenePanel<Text>[] = [
    {
      title: say('panel-battles'),
      columns: ['number', 'day', 'position', 'winner'].map((name) => say(`column-${name}`)),
      rows: campaign.fought.map((battle) => ({
        cells: [
          String(battle.battle),
          dateOf(data, battle.battle),
          battle.position,
          battle.vp === null
            ? sideName(battle.winner)
            : say('vp-side', { side: sideName(battle.winner), vp: battle.vp }),
        ],
      })),
    },
    {
      title: say('panel-campaign'),
      columns: ['', ...SIDES.map((side) => sideName(side))],
      rows: [
        { cells: [say('row-wins'), ...SIDES.map((side) => String(winsOf(campaign.fought, side)))] },
        { cells: [say('row-quality'), ...SIDES.map((side) => say(`quality-${campaign.quality[side]}`))] },
        { cells: [say('row-leader'), ...SIDES.map((side) => leaderName(data, campaign, side, 'Q'))] },
        { cells: [say('row-armor-points'), String(points.americanArmor), String(points.germanArmor)] },
        { cells: [say('row-artillery-points'), '', String(points.germanArtillery)] },
        { cells: [say('row-fortification-points'), '', String(points.fortification)] },
        { cells: [say('row-vp'), vpName(campaign.vp), ''] },
      ],
    },
  ];
  for (const side of SIDES)
    panels.push({
      title: say('panel-leaders', { side: sideName(side) }),
      columns: ['section', 'leader', 'box'].map((name) => say(`column-${name}`)),
      rows: boxRows(data, table, side),
    });
  return panels.filter((panel) => panel.rows.length > 0);
}

/** The track with the sheet: drawn between battles, when no battle map has anything new to show. */
export function trackScene(data: CampaignData, table: CommanderTable): MapScene<Text> {
  const { campaign } = table;
  const items: SceneItem<Text>[] = [];
  for (let column = 0; column <= 14; column++)
    for (let row = 0; row <= 5; row++) items.push({ kind: 'cell', at: [column, row], terrain: 'plain' });
  const over = new Map<string, SceneItem<Text>>();
  for (const item of positionItems(data, table)) if (item.kind === 'cell') over.set(item.at.join(), item);
  const ground = items.map((item) => (item.kind === 'cell' ? (over.get(item.at.join()) ?? item) : item));
  return {
    title: say('track-title'),
    subtitle: table.ended
      ? say('track-over', { battle: campaign.battle })
      : say('track-subtitle', {
          battle: campaign.battle,
          date: dateOf(data, campaign.battle),
          position: campaign.position,
          place: placeOf(data, campaign.position),
        }),
    size: { kind: 'square', columns: [0, 14], rows: [0, 5] },
    items: [...ground, ...positionItems(data, table).filter((item) => item.kind !== 'cell'), ...wayItems(data, table)],
    panels: campaignPanels(data, table),
    legend: [
      { sample: 'marker:victory', text: say('legend-marker-victory') },
      { sample: 'plate', text: say('legend-plate') },
      { sample: 'arrow:move', text: say('legend-arrow-move') },
      { sample: 'arrow:retreat', text: say('legend-arrow-retreat') },
    ],
    house: [say('map-house-tables')],
  };
}
