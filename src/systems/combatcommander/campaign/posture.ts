/** C1.8 and C1.10: posture, order limits, initiative, who sets up first, and the numbers of the battle sheet. */
import { limitsOf } from '../content/forces.ts';
import type { CampaignData } from '../content/scenario.ts';
import type { Desk } from '../content/support.ts';
import { type Battle, type CommanderSide, enemyOf, type Posture, SIDES } from '../types.ts';

/** RS.8: the side with VP defends, the other attacks; with the marker on 0 both are Recon (C1.8a). */
export function postureOf(vp: number): Record<CommanderSide, Posture> {
  if (vp === 0) return { american: 'recon', german: 'recon' };
  return vp > 0 ? { american: 'defend', german: 'attack' } : { american: 'attack', german: 'defend' };
}

/** The Defender, if there is one. */
export function defenderOf(battle: Battle): CommanderSide | undefined {
  return SIDES.find((side) => battle.posture?.[side] === 'defend');
}

/** Sudden Death starts on the sum of both Order Limits (RS.14). */
export function suddenDeathOf(data: CampaignData, battle: Battle): number {
  return SIDES.reduce((sum, side) => sum + limitsOf(data, side, battle.bought?.[side] ?? []).orders, 0);
}

/**
 * Sets postures (C1.8a), limits (C1.8b, C1.10b) and the holder of the Initiative card, who plays first (C1.10e): the higher
 * total; when equal the Attacker, and in a Recon battle a die (ruling CCR-19). The Defender sets up first, in a Recon
 * battle the holder (RS.13).
 */
export function setPosture(desk: Desk): void {
  const { data, draft, ruling } = desk;
  const { campaign, battle } = draft.table;
  const posture = postureOf(campaign.vp);
  battle.posture = posture;
  const defender = defenderOf(battle);
  ruling.emit({ type: 'posture', audience: 'all', rule: 'C1.8a', defender: defender ?? 'none' });
  const totals = { american: 0, german: 0 };
  for (const side of SIDES) {
    const limits = limitsOf(data, side, battle.bought?.[side] ?? []);
    totals[side] = limits.initiative;
    const hand = data.tables.hands[posture[side]];
    ruling.emit({ type: 'limits', audience: 'all', rule: 'C1.8b', side, posture: posture[side], hand, ...limits });
  }
  if (totals.american !== totals.german) {
    battle.initiative = totals.american > totals.german ? 'american' : 'german';
    ruling.emit({
      type: 'initiative',
      audience: 'all',
      rule: 'C1.10e',
      side: battle.initiative,
      how: 'total',
      die: 0,
    });
  } else if (defender) {
    battle.initiative = enemyOf(defender);
    ruling.emit({
      type: 'initiative',
      audience: 'all',
      rule: 'C1.10e',
      side: battle.initiative,
      how: 'attacker',
      die: 0,
    });
  } else {
    const die = ruling.dice.roll('equal initiative, 1 to 3 American', 1, 6)[0]!;
    battle.initiative = die <= 3 ? 'american' : 'german';
    ruling.emit({ type: 'initiative', audience: 'all', rule: 'C1.10e', side: battle.initiative, how: 'roll', die });
  }
  battle.first = defender ?? battle.initiative;
}
