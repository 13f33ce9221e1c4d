/**
 * The battle that is fought outside the service (C0.6), as planners judge it and as tournaments fight it. House: nobody's
 * rule says how a battle ends; here the VP marker moves by each side's share of the strength on the map, and two dice.
 */
import { floorDiv } from '../../../kernel/fraction.ts';
import type { Dice } from '../../../kernel/types.ts';
import { forceOf, type Piece } from '../content/forces.ts';
import type { CampaignData } from '../content/scenario.ts';
import { type Battle, type CampaignSheet, type CommanderSide, SIDES } from '../types.ts';

/** The whole map is worth so many VP. */
const GROUND = 60;
/** A Radio's firepower counts as often as it is expected to fire. */
const RADIO_TIMES = 2;
/** Morale at which firepower counts as printed. */
const PLAIN_MORALE = 6;

/** A piece's strength in tenths: firepower by morale; a leader counts by whom he commands. */
function strengthOf({ counter }: Piece): number {
  const morale = counter.morale ?? PLAIN_MORALE;
  const led = counter.kind === 'leader' ? (counter.command ?? 0) * 3 : 0;
  const fp = counter.kind === 'weapon' ? floorDiv(counter.fp, 2) : counter.fp;
  return (fp + led) * (10 + morale - PLAIN_MORALE);
}

/** The strength that a side has on the map, in tenths of firepower, support of the battle included. */
export function strengthIn(data: CampaignData, campaign: CampaignSheet, battle: Battle, side: CommanderSide): number {
  const force = forceOf(data, campaign, battle, side, null).reduce((sum, piece) => sum + strengthOf(piece), 0);
  return force + radioStrength(data, battle, side);
}

function radioStrength(data: CampaignData, battle: Battle, side: CommanderSide): number {
  const { americanArmor, germanArmor, germanArtillery } = data.tables.support;
  if (side === 'american') return battle.armor.american === 'taken' ? americanArmor.radio.fp * RADIO_TIMES * 10 : 0;
  const armor = battle.armor.german === 'taken' ? germanArmor.radio.fp * RADIO_TIMES * 10 : 0;
  const guns = battle.artillery > 0 ? germanArtillery.radio.fp * RADIO_TIMES * 10 + battle.artillery * 20 : 0;
  return armor + guns;
}

/** Where the marker would stand without luck, in tenths of a VP: plus is American. */
export function expectedVp(vp: number, american: number, german: number): number {
  const total = american + german;
  return vp * 10 + floorDiv(GROUND * 10 * american, Math.max(1, total)) - GROUND * 5;
}

/** Fights the battle in hand: who holds more VP when the dice are thrown; the American attacks, so a tie is the German's. */
export function fightBattle(
  data: CampaignData,
  campaign: CampaignSheet,
  battle: Battle,
  dice: Pick<Dice, 'roll'>,
): CommanderSide {
  const [american, german] = SIDES.map((side) => strengthIn(data, campaign, battle, side));
  const [one, two] = dice.roll(`battle ${campaign.battle} outside`, 2, 6);
  return expectedVp(campaign.vp, american!, german!) + (one! + two! - 7) * 10 > 0 ? 'american' : 'german';
}
