/** Combat arithmetic: what each unit is worth in a battle, the odds, the column, the result. All worth in eighths. */
import { edgeHas } from '../../../board/edges.ts';
import { directionTo } from '../../../board/hex.ts';
import { assert, known } from '../../../kernel/assert.ts';
import { ceilDiv, floorDiv, mixed } from '../../../kernel/fraction.ts';
import { type Campaign, type CrtCell, crtTableOf, RIVER } from '../content/campaign.ts';
import { combatEighths, type Field, isIsolated, swampHalves } from '../field/field.ts';
import type { Odds, Share } from '../types.ts';

/** Parts of one combat factor, so that halves of halves of halves stay whole (OVR-01). */
export const FACTOR = 8;

/** Combat factors as players read them: 20 eighths are `2½`. */
export function worthText(eighths: number): string {
  return mixed(eighths, FACTOR);
}

/** What a unit attacking `target` is worth: isolation, river and swamp each halve (OVL-TCB-03, 04; OVL-SUP-01; OVR-10). */
export function attackShare(field: Field, unit: number, target: number): Share {
  const counter = field.campaign.units[unit]!;
  const { board } = field.campaign;
  const at = field.at[unit]!;
  const notes: string[] = [];
  const isolated = isIsolated(field, unit);
  let worth = combatEighths(counter, isolated);
  if (isolated) notes.push(counter.type === 'paratroop' ? 'isolated airborne' : 'isolated');
  if (edgeHas(board.marks, at, directionTo(board.grid, at, target), RIVER)) {
    notes.push('river');
    worth = floorDiv(worth, 2);
  }
  if (swampHalves(field, counter, at)) {
    notes.push('swamp');
    worth = floorDiv(worth, 2);
  }
  return { unit: counter.id, hex: board.grid.ids[at]!, cf: counter.cf, worth, notes };
}

/** What a unit defending where it stands is worth before the hex's multiplier (OVL-TCB-04, OVL-SUP-02). */
export function defenceShare(field: Field, unit: number): Share {
  const counter = field.campaign.units[unit]!;
  const at = field.at[unit]!;
  const notes: string[] = [];
  const isolated = isIsolated(field, unit);
  let worth = combatEighths(counter, isolated);
  if (isolated) notes.push(counter.type === 'paratroop' ? 'isolated airborne' : 'isolated');
  if (swampHalves(field, counter, at)) {
    notes.push('swamp');
    worth = floorDiv(worth, 2);
  }
  return { unit: counter.id, hex: field.campaign.board.grid.ids[at]!, cf: counter.cf, worth, notes };
}

/** Factors from the air and the sea in one battle. */
export interface Support {
  tac: number;
  naval: number;
  navalDefence: number;
}

/**
 * The arithmetic of one battle as things stand. TAC and naval factors are added after all halving and multiplying (house).
 * `attackers` and `defenders` must not be empty.
 */
export function oddsOf(
  field: Field,
  target: number,
  attackers: readonly number[],
  defenders: readonly number[],
  support: Support,
): Odds {
  const { board } = field.campaign;
  const attack = attackers.map((unit) => attackShare(field, unit, target));
  const defend = defenders.map((unit) => defenceShare(field, unit));
  const times = board.defence[target]!;
  const a = sum(attack) + (support.tac + support.naval) * FACTOR;
  const d = sum(defend) * times + support.navalDefence * FACTOR;
  return {
    hex: board.grid.ids[target]!,
    terrain: board.terrain[target]!,
    terrainTimes: times,
    attackers: attack,
    defenders: defend,
    ...support,
    attack: a,
    defence: d,
    ...ratioOf(field.campaign, a, d),
    table: crtTableOf(field.campaign, field.turn),
  };
}

function sum(shares: readonly Share[]): number {
  return shares.reduce((total, share) => total + share.worth, 0);
}

/**
 * Odds always rounded in the defender's favour (OVL-CBT-05, OVR-02) and the column they use: 7-1 that of 6-1, 9-1 and 10-1
 * that of 8-1, beyond 10-1 none (OVR-03), worse than 1-6 that of 1-6 (OVR-04).
 */
export function ratioOf(
  campaign: Campaign,
  attack: number,
  defence: number,
): { ratio: string; column: string | null; times: number } {
  assert(attack > 0 && defence > 0, `no odds of ${attack} to ${defence}`);
  const columns = campaign.data.tables.crt.columns;
  if (attack >= defence) {
    const times = floorDiv(attack, defence);
    if (times > AUTO_BEYOND) return { ratio: `${times}-1`, column: null, times };
    const best = columns.filter((name) => name.endsWith('-1') && Number(name.split('-')[0]) <= times).at(-1);
    return { ratio: `${times}-1`, column: known(best, `no column for ${times}-1`), times };
  }
  const times = ceilDiv(defence, attack);
  const own = columns.find((name) => name === `1-${times}`);
  return { ratio: `1-${times}`, column: own ?? known(columns[0], 'no columns'), times: -times };
}

/** Odds beyond this to one are an automatic D ELIM (OVL-CRT-03). */
const AUTO_BEYOND = 10;

/** The cell of the table in force (OVL-CBT-04, OVL-CRT-01, 02). */
export function resultOf(campaign: Campaign, turn: number, column: string, die: number): CrtCell {
  const cells = known(campaign.crt[crtTableOf(campaign, turn)].get(column), `no column ${column}`);
  return known(cells[die - 1], `no row ${die}`);
}

/**
 * What the attacker pays in an exchange or A ELIM, in eighths: the defenders with the multiplier of their terrain, their
 * isolation and swamp on their armor; never river, attackers' swamp, TAC or naval fire (OVL-TCB-11 to 13, OVL-EXC-01,
 * OVL-CRE-01, OVR-09).
 */
export function defendersWorth(odds: Odds): number {
  return sum(odds.defenders) * odds.terrainTimes;
}
