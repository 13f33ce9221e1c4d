/** The campaign track as a drawn page: the five positions, the way so far, the ways ahead, and the sheet beside it. */
import type { Cell, MapScene, SceneItem } from '../../../kernel/types.ts';
import { campaignWinner, nextPosition, winsOf } from '../campaign/campaign.ts';
import { LETTERS, leaderName, sectionOf } from '../content/forces.ts';
import { sideName } from '../content/names.ts';
import type { CampaignData } from '../content/scenario.ts';
import { type PositionId, SIDES, type Side, type Table } from '../types.ts';
import { dateOf, placeOf, vpName } from './telling.ts';

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

function positionItems(data: CampaignData, table: Table): SceneItem[] {
  const items: SceneItem[] = [];
  for (const position of POSITIONS) {
    const [column, row] = AT[position];
    for (const at of [
      [column, row],
      [column + 1, row],
    ] as Cell[])
      items.push({ kind: 'cell', at, terrain: GROUND[position] });
    const won = table.campaign.fought
      .filter((battle) => battle.position === position)
      .map((battle) => `${battle.battle}${battle.winner === 'american' ? 'W' : 'L'}`);
    items.push({
      kind: 'region',
      cells: [
        [column, row],
        [column + 1, row],
      ],
      style: 'position',
      label: position,
    });
    items.push({ kind: 'plate', at: [column, row], big: position, small: won.join(' ') || '-' });
    items.push({
      kind: 'label',
      at: [column, row + 1],
      text: `map ${data.tables.positions[position].map}`,
      style: 'village',
    });
  }
  items.push({ kind: 'cell', at: GOAL, terrain: 'city' });
  items.push({ kind: 'label', at: [GOAL[0], GOAL[1] - 1], text: 'St. Lô', style: 'city' });
  return items;
}

/** The battles fought as moves of the Battle marker, and the two ways on as thin ones. */
function wayItems(data: CampaignData, table: Table): SceneItem[] {
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

const BOX_NAMES = { pool: 'pool', available: 'available', exhausted: 'exhausted', battle: 'in battle' } as const;

/** One row a Section: who leads it and where its leader is. */
function boxRows(data: CampaignData, table: Table, side: Side): { cells: string[] }[] {
  const { campaign } = table;
  return LETTERS.map((letter) => {
    const section = letter === 'Q' ? 'Command' : `${letter} ${sectionOf(data, side, letter).type}`;
    const box = BOX_NAMES[campaign.boxes[side][letter] ?? 'available'];
    return { cells: [section, leaderName(data, campaign, side, letter), box] };
  });
}

/** Tables beside track and map: history, support track, boxes. */
export function campaignPanels(data: CampaignData, table: Table): NonNullable<MapScene['panels']> {
  const { campaign } = table;
  const { points } = campaign;
  const panels: NonNullable<MapScene['panels']> = [
    {
      title: 'Battles',
      columns: ['No.', 'Day', 'Position', 'Winner'],
      rows: campaign.fought.map((battle) => ({
        cells: [
          String(battle.battle),
          dateOf(data, battle.battle),
          battle.position,
          `${sideName(battle.winner)}${battle.vp === null ? '' : ` ${battle.vp}`}`,
        ],
      })),
    },
    {
      title: 'Campaign sheet',
      columns: ['', 'American', 'German'],
      rows: [
        { cells: ['Wins', ...SIDES.map((side) => String(winsOf(campaign.fought, side)))] },
        { cells: ['Troop quality', campaign.quality.american, campaign.quality.german] },
        { cells: ['Command leader', ...SIDES.map((side) => leaderName(data, campaign, side, 'Q'))] },
        { cells: ['Armor points', String(points.americanArmor), String(points.germanArmor)] },
        { cells: ['Artillery points', '', String(points.germanArtillery)] },
        { cells: ['Fortification points', '', String(points.fortification)] },
        { cells: ['VP marker', vpName(campaign.vp), ''] },
      ],
    },
  ];
  for (const side of SIDES)
    panels.push({
      title: `${sideName(side)} leaders`,
      columns: ['Section', 'Leader', 'Box'],
      rows: boxRows(data, table, side),
    });
  return panels.filter((panel) => panel.rows.length > 0);
}

/** The track with the sheet: drawn between battles, when no battle map has anything new to show. */
export function trackScene(data: CampaignData, table: Table): MapScene {
  const { campaign } = table;
  const items: SceneItem[] = [];
  for (let column = 0; column <= 14; column++)
    for (let row = 0; row <= 5; row++) items.push({ kind: 'cell', at: [column, row], terrain: 'plain' });
  const over = new Map<string, SceneItem>();
  for (const item of positionItems(data, table)) if (item.kind === 'cell') over.set(item.at.join(), item);
  const ground = items.map((item) => (item.kind === 'cell' ? (over.get(item.at.join()) ?? item) : item));
  return {
    title: 'The road to St. Lô',
    subtitle: table.ended
      ? `Campaign over after battle ${campaign.battle}`
      : `Battle ${campaign.battle}, ${dateOf(data, campaign.battle)}: ${campaign.position}, ${placeOf(data, campaign.position)}`,
    size: { kind: 'square', columns: [0, 14], rows: [0, 5] },
    items: [...ground, ...positionItems(data, table).filter((item) => item.kind !== 'cell'), ...wayItems(data, table)],
    panels: campaignPanels(data, table),
    legend: [
      { sample: 'marker:victory', text: 'Battle marker with the number of the battle' },
      { sample: 'plate', text: 'position; battles fought there, W and L for the American' },
      { sample: 'arrow:move', text: 'an American win leads on' },
      { sample: 'arrow:retreat', text: 'a loss leads to G1 (from A4: A4 again)' },
    ],
    house: ['forces and tables'],
  };
}
