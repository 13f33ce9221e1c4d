/** The campaign sheet: how it starts (CS), where the next battle is (C3.3), who has won (C3.1), and how a battle opens. */
import type { Dice, GameState } from '../../../kernel/types.ts';
import { LETTERS } from '../content/forces.ts';
import type { CampaignData } from '../content/scenario.ts';
import {
  type Battle,
  type CampaignEvent,
  type CampaignOptions,
  type CampaignSheet,
  type CombatCommander,
  type CommanderCup,
  type CommanderHand,
  type CommanderSide,
  type CommanderTable,
  type Fought,
  type LeaderBox,
  type Letter,
  type PositionId,
  SIDES,
} from '../types.ts';

/** The sheet before the first battle (CS.1 to CS.9). */
function newCampaign(data: CampaignData): CampaignSheet {
  const { start } = data.campaign;
  const boxes = (side: CommanderSide): Record<Letter, LeaderBox> => {
    const box: Record<Letter, LeaderBox> = {};
    for (const letter of LETTERS) box[letter] = start.pool[side].includes(letter) ? 'pool' : 'available';
    return box;
  };
  return {
    battle: 1,
    position: start.position,
    fought: [],
    quality: { ...start.quality },
    rank: { american: 0, german: 0 },
    boxes: { american: boxes('american'), german: boxes('german') },
    points: { ...start.points },
    vp: start.vp,
    air: start.air,
    rested: false,
  };
}

/** Section letters of a side in one box, in order. */
export function inBox(campaign: CampaignSheet, side: CommanderSide, box: LeaderBox): Letter[] {
  return LETTERS.filter((letter) => campaign.boxes[side][letter] === box);
}

/** Battles won so far. */
export function winsOf(fought: readonly Fought[], side: CommanderSide): number {
  return fought.filter((battle) => battle.winner === side).length;
}

/** C3.1: the side with enough wins, if there is one. */
export function campaignWinner(data: CampaignData, fought: readonly Fought[]): CommanderSide | undefined {
  return SIDES.find((side) => winsOf(fought, side) >= data.campaign.winsNeeded);
}

/**
 * C3.3: the position of the next battle. After an American win the lowest of A1, A2, A3, A4 above every one fought;
 * after a loss G1, but A4 again after a loss at A4.
 */
export function nextPosition(data: CampaignData, fought: readonly Fought[]): PositionId {
  const { order } = data.tables.positions;
  const last = fought.at(-1);
  if (!last) return data.campaign.start.position;
  if (last.winner === 'german') return last.position === 'A4' ? 'A4' : 'G1';
  const highest = Math.max(...fought.map((battle) => order.indexOf(battle.position)));
  return order[Math.min(highest + 1, order.length - 1)]!;
}

/** The chit ids of a full cup (C1.4). */
function allChits(data: CampaignData): string[] {
  return data.tables.chits.list.map((chit) => chit.id);
}

/** A battle of which nothing is known but where it is fought. */
function newBattle(edge: Battle['edge'], chit: string): Battle {
  return {
    edge,
    chit,
    sealed: { american: false, german: false },
    waited: { american: 0, german: 0 },
    bought: null,
    support: [],
    armor: { american: 'none', german: 'none' },
    charges: 0,
    artillery: 0,
    posture: null,
    initiative: null,
    first: null,
    forts: [],
    radio: null,
    setup: { american: null, german: null },
    reports: { american: null, german: null },
    rounds: 0,
    disputed: false,
    ruling: null,
  };
}

/**
 * B0: the American edge by his die (C1.12a, anew for every battle C1.12b), the open chit and a secret chit for each side
 * from a full cup (C1.4). Returns what was drawn and the events that tell of it; the secret chits only to their owners.
 */
export function drawBattle(
  data: CampaignData,
  campaign: CampaignSheet,
  dice: Dice,
): { battle: Battle; chits: Record<CommanderSide, string>; cup: string[]; events: CampaignEvent[] } {
  const die = dice.roll(`orientation of the map for battle ${campaign.battle}, white die`, 1, 6)[0]!;
  const edge = data.tables.orientation.edges[die - 1]!;
  const [chit, american, german, ...cup] = dice.shuffle(`objective chits of battle ${campaign.battle}`, allChits(data));
  const battle = newBattle(edge, chit!);
  const chits = { american: american!, german: german! };
  const events: CampaignEvent[] = [
    {
      type: 'battle-opened',
      audience: 'all',
      rule: 'C1.12a',
      battle: campaign.battle,
      position: campaign.position,
      edge,
      die,
      chit: chit!,
    },
    ...SIDES.map(
      (side): CampaignEvent => ({ type: 'secret-chit', audience: [side], rule: 'C1.4', side, chit: chits[side] }),
    ),
  ];
  return { battle, chits, cup, events };
}

/** The state before the first Sections are chosen. */
export function newGame(data: CampaignData, options: CampaignOptions, dice: Dice): GameState<CombatCommander> {
  const campaign = newCampaign(data);
  const { battle, chits, cup } = drawBattle(data, campaign, dice);
  const table: CommanderTable = { options, campaign, battle, after: null, before: null, reopen: [], ended: null };
  const hand = (side: CommanderSide): CommanderHand => ({ chit: chits[side], sealed: null, chitBefore: null });
  const hidden: CommanderCup = { chits: cup, chitsBefore: null };
  return {
    phase: { n: 1, turn: 1, step: 'sections', battle: 1 },
    table,
    hands: { american: hand('american'), german: hand('german') },
    cup: hidden,
  };
}

/** Reads the options a club chose; values the scenario does not offer fall back. */
export function optionsOf(raw: Record<string, unknown>): CampaignOptions {
  const among = <T>(name: string, values: readonly T[]): T =>
    values.find((value) => String(value) === String(raw[name])) ?? values[0]!;
  return {
    placement: among('placement', ['mail', 'table'] as const),
    armor: among('armor', ['standard', 'optional'] as const),
    germanArmorAttacks: among('germanArmorAttacks', [1, 2] as const),
    battleDays: among('battleDays', [14, 7, 28]),
    confirmDays: among('confirmDays', [7, 3, 14]),
  };
}
