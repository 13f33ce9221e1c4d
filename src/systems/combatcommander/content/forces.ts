/** C1.5 Orders of Battle: which pieces a side brings, what its Sections cost, and the limits they give it. */

import { known } from '../../../kernel/assert.ts';
import type { Words } from '../../../kernel/types.ts';
import type { Battle, CampaignSheet, CommanderSide, Letter, Placement } from '../types.ts';
import type { CampaignData, CounterData, SectionData } from './scenario.ts';

/** The Campaign Sections of a side; `Q` is the Command Section. */
export const LETTERS: readonly Letter[] = ['Q', 'A', 'B', 'C', 'D', 'E', 'F', 'G'];

/** One counter of a side in a battle. */
export interface Piece {
  /** As orders name it: `Craighead`, `C/1`, `Q/MMG`. */
  id: string;
  /** Section letter, `S` for support bought by roll, `X` for Demolition Charges. */
  section: Letter;
  /** Key of the counter in the data. */
  key: string;
  counter: CounterData;
  /** As players read it: `Sgt Krauss`, `Line squad`. */
  name: string;
}

/** The data of a Section. */
export function sectionOf(data: CampaignData, side: CommanderSide, letter: Letter): SectionData {
  return known(
    data.forces[side].find((section) => section.letter === letter),
    `Section ${letter} of ${side}`,
  );
}

/** The Section Leader without his rank: `Von Hoffman`. */
function surnameOf(data: CampaignData, side: CommanderSide, letter: Letter): string {
  return sectionOf(data, side, letter).leader.replace(/^\S+ /, '');
}

/** The Section Leader's name as one word of an order: `VonHoffman`. */
export function leaderWord(data: CampaignData, side: CommanderSide, letter: Letter): string {
  return surnameOf(data, side, letter).replace(/\s+/g, '');
}

/** The Section Leader with his rank; the Command Leader's is the one he has been promoted to (C3.4). */
export function leaderName(data: CampaignData, campaign: CampaignSheet, side: CommanderSide, letter: Letter): string {
  if (letter !== 'Q') return sectionOf(data, side, letter).leader;
  return `${data.tables.ranks.names[campaign.rank[side]]} ${surnameOf(data, side, 'Q')}`;
}

/** `C Rifle (Sgt Krauss)`: a Section as reports name it. */
export function sectionName(data: CampaignData, campaign: CampaignSheet, side: CommanderSide, letter: Letter): string {
  const section = sectionOf(data, side, letter);
  const title = letter === 'Q' ? 'Command Section' : `${letter} ${section.type}`;
  return `${title} (${leaderName(data, campaign, side, letter)})`;
}

/** Total price in VP of the Sections bought (C1.55c). */
export function costOf(data: CampaignData, side: CommanderSide, letters: readonly Letter[]): number {
  return letters.reduce((sum, letter) => sum + sectionOf(data, side, letter).cost, 0);
}

/** Order Limit (C1.8b), Initiative and Surrender Level (C1.10b): totals over the Command Section and those bought. */
export function limitsOf(
  data: CampaignData,
  side: CommanderSide,
  bought: readonly Letter[],
): { orders: number; initiative: number; surrender: number } {
  const total = { orders: 0, initiative: 0, surrender: 0 };
  for (const letter of ['Q', ...bought]) {
    const section = sectionOf(data, side, letter);
    total.orders += section.orders;
    total.initiative += section.initiative;
    total.surrender += section.surrender;
  }
  return total;
}

/** Units and weapons of a Section but its leader; those of the Command Section by Troop Quality (C1.54b). */
export function contentsOf(
  data: CampaignData,
  campaign: CampaignSheet,
  side: CommanderSide,
  letter: Letter,
): Record<string, number> {
  const section = sectionOf(data, side, letter);
  if (section.letter !== 'Q') return section.contents as Record<string, number>;
  return (section.contents as Record<string, Record<string, number>>)[campaign.quality[side]]!;
}

function pieceOf(
  data: CampaignData,
  side: CommanderSide,
  section: Letter,
  key: string,
  id: string,
  name?: string,
): Piece {
  const counter = known(data.counters[side][key], `${side} counter ${key}`);
  return { id, section, key, counter, name: name ?? counter.name };
}

/** Lists pieces of a Section, numbering units in order: `C/1`, `C/2`; weapons by kind: `Q/MMG`, `Q/LightMortar1`. */
function piecesOf(data: CampaignData, side: CommanderSide, section: Letter, keys: readonly string[]): Piece[] {
  const pieces: Piece[] = [];
  let units = 0;
  for (const key of keys) {
    const counter = known(data.counters[side][key], `${side} counter ${key}`);
    const alike = keys.filter((other) => other === key).length;
    const nth = pieces.filter((piece) => piece.key === key).length + 1;
    const numbered = alike > 1 ? `${key}${nth}` : key;
    if (counter.kind === 'squad' || counter.kind === 'team')
      pieces.push(pieceOf(data, side, section, key, `${section}/${++units}`));
    else pieces.push(pieceOf(data, side, section, key, `${section}/${numbered}`));
  }
  return pieces;
}

function keysOf(contents: Record<string, number>): string[] {
  return Object.entries(contents).flatMap(([key, many]) => Array.from({ length: many }, () => key));
}

/**
 * Every piece of a side in the battle (C1.51d, C1.54a): leaders, squads, teams and weapons of the Command Section and the
 * Sections bought, support bought by roll, and the Demolition Charges. A deployed squad is replaced by its two teams.
 */
export function forceOf(
  data: CampaignData,
  campaign: CampaignSheet,
  battle: Battle,
  side: CommanderSide,
  deploy: string | null = battle.setup[side]?.deploy ?? null,
): Piece[] {
  const force: Piece[] = [];
  for (const letter of ['Q', ...(battle.bought?.[side] ?? [])]) {
    const key =
      letter === 'Q'
        ? data.forces.commandCounters[side][campaign.rank[side]]!
        : known(sectionOf(data, side, letter).counter, `counter of Section ${letter}`);
    const word = leaderWord(data, side, letter);
    force.push(pieceOf(data, side, letter, key, word, leaderName(data, campaign, side, letter)));
    force.push(...piecesOf(data, side, letter, keysOf(contentsOf(data, campaign, side, letter))));
  }
  const support = battle.support.filter((roll) => roll.side === side).flatMap((roll) => roll.bought ?? []);
  force.push(
    ...piecesOf(
      data,
      side,
      'S',
      support.flatMap((item) => item.split('-')),
    ),
  );
  if (side === 'american')
    for (let n = 1; n <= battle.charges; n++) force.push(pieceOf(data, side, 'X', 'Charge', `Charge${n}`));
  return deploy === null ? force : deployed(data, side, force, deploy);
}

/** The free Deploy event (C1.72i, ruling CCR-29): one squad becomes two teams of the same quality. */
function deployed(data: CampaignData, side: CommanderSide, force: readonly Piece[], squad: string): Piece[] {
  return force.flatMap((piece) => {
    const team = piece.id === squad ? piece.counter.deploysInto : undefined;
    if (team === undefined) return [piece];
    return ['A', 'B'].map((half) => pieceOf(data, side, piece.section, team, `${squad}${half}`));
  });
}

/** Leaders, squads and teams: what is placed in a hex. */
export function unitsOf(force: readonly Piece[]): Piece[] {
  return force.filter((piece) => piece.counter.kind !== 'weapon');
}

/** Weapons: what is carried. */
export function weaponsOf(force: readonly Piece[]): Piece[] {
  return force.filter((piece) => piece.counter.kind === 'weapon');
}

/** The values printed on a counter, in a line: `FP 6, range 6, move 4, morale 6`. */
export function valuesOf({ counter }: Piece): Words {
  const { fp } = counter;
  if (counter.kind === 'weapon') {
    const { reach, penalty = '' } = counter;
    return { key: 'combatcommander.values-weapon', params: { fp, range: reach ?? 0, penalty: penalty || '' } };
  }
  const { range, move, command, morale } = counter;
  return {
    key: 'combatcommander.values',
    params: {
      fp,
      range: range ?? 0,
      move: move ?? 0,
      command: command === undefined ? '' : String(command),
      morale: morale ?? 0,
    },
  };
}

/** An empty placement to start from. */
export function noPlacement(): Placement {
  return { places: {}, carry: {}, deploy: null, auto: [] };
}
