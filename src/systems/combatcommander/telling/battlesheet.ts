/** The battle sheet and the campaign sheet as lines of a report: everything two players need to fight the battle. */
import type { Words } from '../../../kernel/types.ts';
import { inBox, winsOf } from '../campaign/campaignsheet.ts';
import { edgeOf, zoneDepth } from '../campaign/placement.ts';
import { suddenDeathOf } from '../campaign/posture.ts';
import {
  contentsOf,
  forceOf,
  leaderName,
  limitsOf,
  type Piece,
  sectionName,
  sectionOf,
  unitsOf,
  valuesOf,
  weaponsOf,
} from '../content/forces.ts';
import { mapOf, sideName } from '../content/names.ts';
import type { CampaignData } from '../content/scenario.ts';
import { type CommanderHand, type CommanderSide, type CommanderTable, SIDES } from '../types.ts';
import { chitWords, dateOf, placeOf, say, vpName } from './telling.ts';

/** Where and when, edges, VP marker, posture and limits, radios, air, fortifications, special rules. */
export function battleSheet(data: CampaignData, table: CommanderTable, hand: CommanderHand | undefined): Words[] {
  const { battle, campaign, options } = table;
  const map = mapOf(data, table);
  const lines = [
    say('sheet-place', {
      battle: campaign.battle,
      date: dateOf(data, campaign.battle),
      position: campaign.position,
      place: placeOf(data, campaign.position),
      printed: map.id,
      map: map.name,
    }),
    say('sheet-objectives', {
      objectives: Object.entries(map.objectives).map(([number, hex]) => `${number} ${hex}`),
    }),
    say('sheet-edges', { american: edgeOf(table, 'american'), german: edgeOf(table, 'german') }),
    say('sheet-vp', { vp: vpName(campaign.vp) }),
    { ...chitWords(data, battle.chit), key: `${chitWords(data, battle.chit).key}-open` },
  ];
  if (hand) lines.push({ ...chitWords(data, hand.chit), key: `${chitWords(data, hand.chit).key}-secret` });
  if (battle.posture) {
    for (const side of SIDES) lines.push(limitLine(data, table, side));
    lines.push(say('sheet-start', { side: sideName(battle.initiative ?? 'american') }));
    lines.push(say('sheet-sudden-death', { space: suddenDeathOf(data, battle) }));
    if (battle.first && options.placement === 'mail') lines.push(say('sheet-first', { side: sideName(battle.first) }));
  }
  lines.push(...supportLines(data, table));
  for (const fort of battle.forts) {
    const name = data.forces.fortifications.list.find((entry) => entry.item === fort.item)?.name ?? fort.item;
    lines.push(
      say(fort.hexes.length === 0 ? 'sheet-fort' : 'sheet-fort-placed', {
        side: sideName(fort.side),
        name,
        hexes: fort.hexes,
      }),
    );
  }
  lines.push(say(map.ruralRoads ? 'sheet-rules-rural' : 'sheet-rules'));
  return lines;
}

function limitLine(data: CampaignData, table: CommanderTable, side: CommanderSide): Words {
  const posture = table.battle.posture?.[side] ?? 'recon';
  return say('sheet-limits', {
    side: sideName(side),
    posture: say(`posture-${posture}`),
    hand: data.tables.hands[posture],
    ...limitsOf(data, side, table.battle.bought?.[side] ?? []),
    rows: zoneDepth(data, table, side),
    edge: edgeOf(table, side),
  });
}

/** Radios and markers a battle has beside the pieces (C1.72 to C1.75, C2.3 to C2.6). */
function supportLines(data: CampaignData, table: CommanderTable): Words[] {
  const { battle, options, campaign } = table;
  const { support } = data.tables;
  const lines: Words[] = [];
  if (battle.armor.american === 'taken')
    lines.push(say(`sheet-american-armor-${options.armor}`, { ...support.americanArmor.radio }));
  if (battle.armor.american === 'cancelled') lines.push(say('sheet-american-armor-cancelled'));
  if (battle.armor.german === 'taken')
    lines.push(
      say(`sheet-german-armor-${options.armor}`, {
        ...support.germanArmor.radio,
        attacks: options.germanArmorAttacks,
      }),
    );
  if (battle.artillery > 0)
    lines.push(say('sheet-artillery', { ...support.germanArtillery.radio, markers: battle.artillery }));
  if (battle.radio?.calibre) {
    const attacker = SIDES.find((side) => battle.posture?.[side] === 'attack') ?? 'american';
    lines.push(say('sheet-radio', { side: sideName(attacker), calibre: battle.radio.calibre, fp: battle.radio.fp }));
  }
  if (battle.posture) lines.push(say(`sheet-air-${campaign.air}`));
  return lines;
}

/** One piece: `C/1 Line (FP 6 …) in C5 with MMG`. */
function pieceLine(table: CommanderTable, side: CommanderSide, piece: Piece, weapons: readonly Piece[]): Words {
  const placement = table.battle.setup[side];
  const carried = weapons.filter((weapon) => placement?.carry[weapon.id] === piece.id);
  return say(carried.length > 0 ? 'piece-armed' : 'piece', {
    id: piece.id,
    name: piece.name,
    values: valuesOf(piece),
    hex: placement?.places[piece.id] ?? '',
    weapons: carried.map((weapon) => say('weapon', { id: weapon.id, name: weapon.name, values: valuesOf(weapon) })),
  });
}

/** A side's force by Section, with values; hexes and who carries what once it is placed. */
export function forceLines(data: CampaignData, table: CommanderTable, side: CommanderSide): Words[] {
  const { campaign, battle } = table;
  const force = forceOf(data, campaign, battle, side);
  const weapons = weaponsOf(force);
  const lines: Words[] = [];
  for (const section of ['Q', ...(battle.bought?.[side] ?? []), 'S', 'X']) {
    const pieces = force.filter((piece) => piece.section === section);
    if (pieces.length === 0) continue;
    if (unitsOf(pieces).length === 0 && battle.setup[side]) continue;
    if (section === 'S' || section === 'X') lines.push(say(`force-${section}`));
    else lines.push(say('force-section', { section: sectionName(data, campaign, side, section) }));
    for (const unit of unitsOf(pieces)) lines.push(pieceLine(table, side, unit, weapons));
    if (battle.setup[side]) continue;
    for (const weapon of weaponsOf(pieces))
      lines.push(say('piece', { id: weapon.id, name: weapon.name, values: valuesOf(weapon), hex: '' }));
  }
  return lines;
}

/** The Campaign Forces Table as far as it counts now: what each side's Command Section brings and what it can buy. */
export function poolLines(data: CampaignData, table: CommanderTable): Words[] {
  const { campaign } = table;
  return SIDES.flatMap((side) =>
    inBox(campaign, side, 'pool').map((letter) => {
      const { cost, orders, initiative, surrender } = sectionOf(data, side, letter);
      const contents = Object.entries(contentsOf(data, campaign, side, letter)).map(
        ([key, many]) => `${many} ${data.counters[side][key]?.name ?? key}`,
      );
      const section = sectionName(data, campaign, side, letter);
      const params = { side: sideName(side), section, cost, contents, orders, initiative, surrender };
      return say(letter === 'Q' ? 'pool-command' : 'pool-section', params);
    }),
  );
}

/** The campaign sheet: track, wins, quality, leaders, boxes, support track. */
export function campaignSheet(data: CampaignData, table: CommanderTable): Words[] {
  const { campaign } = table;
  const { points } = campaign;
  const lines = [
    say('campaign-wins', {
      american: winsOf(campaign.fought, 'american'),
      german: winsOf(campaign.fought, 'german'),
      needed: data.campaign.winsNeeded,
    }),
    say('campaign-track', { track: trackText(data, table) }),
    say('campaign-quality', { ...campaign.quality }),
    say('campaign-points', { ...points }),
  ];
  for (const side of SIDES) {
    const list = (box: 'pool' | 'available' | 'exhausted' | 'battle'): string[] =>
      inBox(campaign, side, box).map((letter) =>
        letter === 'Q' ? leaderName(data, campaign, side, 'Q') : sectionName(data, campaign, side, letter),
      );
    const battle = list('battle');
    const boxes = { pool: list('pool'), available: list('available'), exhausted: list('exhausted'), battle };
    lines.push(
      say('campaign-boxes', {
        side: sideName(side),
        pool: orNobody(boxes.pool),
        available: orNobody(boxes.available),
        exhausted: orNobody(boxes.exhausted),
        battle: battle.length > 0 ? battle.join(', ') : '',
      }),
    );
  }
  return lines;
}

function orNobody(names: readonly string[]): string {
  return names.length === 0 ? '-' : names.join(', ');
}

/** The positions in a row, the present one in brackets: `A1 W, [A2], A3, A4; G1 L`. */
function trackText(data: CampaignData, table: CommanderTable): string {
  const { campaign } = table;
  const mark = (position: string): string => {
    const results = campaign.fought
      .filter((battle) => battle.position === position)
      .map((battle) => (battle.winner === 'american' ? 'W' : 'L'));
    const here = !table.ended && campaign.position === position ? `[${position}]` : position;
    return [here, ...results].join(' ');
  };
  return `${data.tables.positions.order.map(mark).join(' - ')} - St. Lô; ${mark('G1')}`;
}

/** One line a battle fought: the diary so far. */
export function diary(data: CampaignData, table: CommanderTable): Words[] {
  return table.campaign.fought.map((battle) =>
    say('diary-line', {
      battle: battle.battle,
      date: dateOf(data, battle.battle),
      position: battle.position,
      winner: sideName(battle.winner),
      vp: battle.vp ?? 0,
      told: battle.vp !== null,
      american: battle.bought.american.length === 0 ? '-' : battle.bought.american.join(' '),
      german: battle.bought.german.length === 0 ? '-' : battle.bought.german.join(' '),
      note: battle.note,
    }),
  );
}
