/** C3 Battle Results: what happens between the end of one battle and the choice of Sections for the next. */
import type { Dice } from '../../../kernel/types.ts';
import { leaderName } from '../content/forces.ts';
import type { CampaignData } from '../content/scenario.ts';
import type { Desk } from '../content/support.ts';
import { qualityWish, requestWishes } from '../text/doctrine.ts';
import {
  type After,
  type BattleReport,
  type CampaignDoctrine,
  type CampaignOrder,
  type CampaignSheet,
  type Closing,
  type CommanderSide,
  enemyOf,
  type Letter,
  type Quality,
  type QualityChoice,
  type ReserveRoll,
  SIDES,
} from '../types.ts';
import { campaignWinner, drawBattle, inBox, nextPosition, winsOf } from './campaignsheet.ts';

const LEVELS: readonly Quality[] = ['Green', 'Line', 'Elite'];

/** The next step after what has been done: the phase number runs on, the turn is the battle. */
export function goTo(desk: Desk, step: string): void {
  const { draft } = desk;
  const { battle } = draft.table.campaign;
  draft.phase = { n: draft.phase.n + 1, turn: battle, step, battle };
}

/**
 * C3.0 to C3.4 and the rolls of C3.6 and C3.7: notes the winner and either ends the campaign (C3.1) or leads to the
 * step in which the choices are made. The sheet as it was is kept, so that both together can reopen the battle.
 */
export function closeBattle(desk: Desk, result: BattleReport, how: Closing): void {
  const { data, draft, ruling } = desk;
  const { table } = draft;
  table.before = structuredClone({ campaign: table.campaign, battle: table.battle });
  for (const side of SIDES) draft.hands[side]!.chitBefore = draft.hands[side]!.chit;
  draft.cup.chitsBefore = draft.cup.chits;
  table.reopen = [];
  const { campaign, battle } = table;
  const { winner, vp, note } = result;
  const bought = battle.bought ?? { american: [], german: [] };
  campaign.fought.push({
    battle: campaign.battle,
    position: campaign.position,
    edge: battle.edge,
    winner,
    vp,
    how,
    note,
    bought,
  });
  const told = vp !== null;
  ruling.emit({
    type: 'closed',
    audience: 'all',
    rule: 'C3.0',
    battle: campaign.battle,
    winner,
    vp: vp ?? 0,
    told,
    how,
    note,
  });
  const champion = campaignWinner(data, campaign.fought);
  if (champion) {
    ruling.emit({ type: 'campaign-won', audience: 'all', rule: 'C3.1', side: champion, battle: campaign.battle });
    table.before = null;
    table.ended = { winner: champion, reason: 'won four battles', score: scoreOf(campaign) };
    goTo(desk, 'over');
    return;
  }
  fatigue(desk);
  moveOn(desk, winner);
  promote(desk, winner);
  const rest = dayOfRest(desk);
  table.after = { battle: campaign.battle, winner, requests: rollRequests(desk, winner), rest };
  goTo(desk, 'after');
}

/** Battles won by each side. */
export function scoreOf(campaign: CampaignSheet): Record<CommanderSide, number> {
  return { american: winsOf(campaign.fought, 'american'), german: winsOf(campaign.fought, 'german') };
}

/** C3.2: the Command Leader back to his pool, every other leader who fought to Exhausted, dead or alive (CCR-13). */
function fatigue(desk: Desk): void {
  const { campaign } = desk.draft.table;
  for (const side of SIDES) {
    const used = inBox(campaign, side, 'battle').filter((letter) => letter !== 'Q');
    campaign.boxes[side].Q = 'pool';
    for (const letter of used) campaign.boxes[side][letter] = 'exhausted';
    desk.ruling.emit({
      type: 'fatigued',
      audience: 'all',
      rule: 'C3.2b',
      side,
      leader: leaderName(desk.data, campaign, side, 'Q'),
      exhausted: used.map((letter) => leaderName(desk.data, campaign, side, letter)),
    });
  }
}

/** C3.3: the Battle marker moves. */
function moveOn(desk: Desk, winner: CommanderSide): void {
  const { campaign } = desk.draft.table;
  const from = campaign.position;
  campaign.position = nextPosition(desk.data, campaign.fought);
  desk.ruling.emit({ type: 'moved', audience: 'all', rule: 'C3.3a', from, to: campaign.position, winner });
}

/** C3.4: the winner's Command Leader rises one rank, whether or not he was killed. */
function promote(desk: Desk, winner: CommanderSide): void {
  const { campaign } = desk.draft.table;
  const top = desk.data.tables.ranks.names.length - 1;
  campaign.rank[winner] = Math.min(top, campaign.rank[winner] + 1);
  const leader = leaderName(desk.data, campaign, winner, 'Q');
  desk.ruling.emit({ type: 'promoted', audience: 'all', rule: 'C3.4a', side: winner, leader });
}

/** One roll on the Divisional Reserves Table (C1.52). */
function rollReserves(data: CampaignData, dice: Dice, context: string): ReserveRoll {
  const rolled = dice.roll(context, 2, 6);
  return { dice: rolled, names: data.forces.reserves.table[rolled[0]! + rolled[1]!] ?? 'none' };
}

/** C3.6, once, after exactly three battles: all tired Americans recover; the German makes two rolls. */
function dayOfRest(desk: Desk): ReserveRoll[] | null {
  const { data, draft, ruling } = desk;
  const { campaign } = draft.table;
  if (campaign.rested || campaign.fought.length !== data.campaign.restAfterBattle) return null;
  campaign.rested = true;
  const tired = inBox(campaign, 'american', 'exhausted');
  for (const letter of tired) campaign.boxes.american[letter] = 'available';
  ruling.emit({
    type: 'rest-american',
    audience: 'all',
    rule: 'C3.6b',
    leaders: tired.map((letter) => leaderName(data, campaign, 'american', letter)),
  });
  return ['first', 'second'].map((nth) => {
    const roll = rollReserves(data, ruling.dice, `day of rest, ${nth} German roll`);
    ruling.emit({ type: 'rest-roll', audience: 'all', rule: 'C3.6c', dice: roll.dice, names: roll.names });
    return roll;
  });
}

/** C3.7a-b: one roll for the loser, two for the winner. */
function rollRequests(desk: Desk, winner: CommanderSide): Record<CommanderSide, ReserveRoll[]> {
  const { data, ruling } = desk;
  const requests: Record<CommanderSide, ReserveRoll[]> = { american: [], german: [] };
  for (const side of SIDES) {
    for (const nth of side === winner ? ['first', 'second'] : ['only']) {
      const roll = rollReserves(data, ruling.dice, `${side} request, ${nth} roll`);
      requests[side].push(roll);
      const rule = side === winner ? 'C3.7b' : 'C3.7a';
      ruling.emit({ type: 'request-roll', audience: 'all', rule, side, dice: roll.dice, names: roll.names });
    }
  }
  return requests;
}

/** C3.5: what the winner may do to the qualities; neither is always allowed (CCR-16). */
export function qualityOptions(campaign: CampaignSheet, winner: CommanderSide): QualityChoice[] {
  const options: QualityChoice[] = ['none'];
  if (campaign.quality[winner] !== 'Elite') options.push('own');
  if (campaign.quality[enemyOf(winner)] !== 'Green') options.push('opponent');
  return options;
}

/** C3.5: books one step of quality; a step beyond Elite or Green changes nothing. */
export function adjustQuality(campaign: CampaignSheet, winner: CommanderSide, option: QualityChoice): void {
  if (!qualityOptions(campaign, winner).includes(option) || option === 'none') return;
  const whose = option === 'own' ? winner : enemyOf(winner);
  const level = LEVELS.indexOf(campaign.quality[whose]) + (option === 'own' ? 1 : -1);
  campaign.quality[whose] = LEVELS[level]!;
}

/** The rolls of which a side uses one: both of the winner's, the loser's single one. */
export function requestOf(after: After, side: CommanderSide): ReserveRoll[] {
  return after.requests[side];
}

/** Leaders a side could take where the table gives a choice: those Available, and those the day of rest may bring. */
export function leaderChoices(campaign: CampaignSheet, after: After, side: CommanderSide): Letter[] {
  const choices = inBox(campaign, side, 'available');
  if (side !== 'german' || !after.rest) return choices;
  return [...choices, ...restCandidates(campaign, after.rest).filter((letter) => !choices.includes(letter))];
}

/** C3.6d: Exhausted Germans whom a roll names, or any of them where the table gives a choice. */
export function restCandidates(campaign: CampaignSheet, rolls: readonly ReserveRoll[]): Letter[] {
  const tired = inBox(campaign, 'german', 'exhausted');
  const any = rolls.some((roll) => roll.names === 'choice');
  return tired.filter((letter) => any || rolls.some((roll) => roll.names === letter));
}

/** Whether the rolls allow these leaders to rest: each by a roll of its own. */
export function restMatches(
  campaign: CampaignSheet,
  rolls: readonly ReserveRoll[],
  letters: readonly Letter[],
): boolean {
  const tired = inBox(campaign, 'german', 'exhausted');
  if (letters.some((letter) => !tired.includes(letter))) return false;
  const free = rolls.filter((roll) => roll.names === 'choice').length;
  const unnamed = letters.filter((letter) => !rolls.some((roll) => roll.names === letter));
  return unnamed.length <= free;
}

/** Who must decide something after a battle: always the winner, the loser only where he has a choice. */
export function mustChoose(campaign: CampaignSheet, after: After, side: CommanderSide): boolean {
  if (side === after.winner) return true;
  if (side === 'german' && after.rest && restCandidates(campaign, after.rest).length > 0) return true;
  const [roll] = requestOf(after, side);
  return roll?.names === 'choice' && leaderChoices(campaign, after, side).length > 1;
}

type Choices = {
  orders: Record<CommanderSide, CampaignOrder[]>;
  standing: Record<CommanderSide, CampaignDoctrine[]>;
};

function chosen<W extends 'quality' | 'request' | 'leader' | 'rest'>(
  orders: readonly CampaignOrder[],
  what: W,
): Extract<CampaignOrder, { what: W }> | undefined {
  const found = orders.filter((order) => order.verb === 'CHOOSE' && order.what === what).at(-1);
  return found as Extract<CampaignOrder, { what: W }> | undefined;
}

/** C3.5 to C3.8: the choices are booked in the printed order, then the next battle opens. */
export function settleAfter(desk: Desk, choices: Choices): void {
  const { draft, ruling } = desk;
  const { campaign, after } = draft.table;
  if (!after) return;
  const { winner } = after;
  const quality = chosen(choices.orders[winner], 'quality')?.option;
  const option = quality ?? qualityWish(choices.standing[winner], qualityOptions(campaign, winner));
  adjustQuality(campaign, winner, option);
  ruling.emit({
    type: 'quality',
    audience: 'all',
    rule: 'C3.5a',
    side: winner,
    option,
    own: campaign.quality[winner],
    opponent: campaign.quality[enemyOf(winner)],
  });
  settleRest(desk, after, choices);
  for (const side of SIDES) settleRequest(desk, after, side, choices);
  beginHostilities(desk);
}

/** C3.6d: the German moves the leaders he names; without a word from him every one that a roll names rests. */
function settleRest(desk: Desk, after: After, choices: Choices): void {
  if (!after.rest) return;
  const { campaign } = desk.draft.table;
  const standing = choices.standing.german;
  const ordered = chosen(choices.orders.german, 'rest')?.letters;
  let letters = ordered ?? [];
  if (!ordered && standing.filter((one) => one.key === 'REST').at(-1)?.value !== 'NO') {
    for (const roll of after.rest) {
      const candidates = restCandidates(campaign, [roll]).filter((letter) => !letters.includes(letter));
      const best = requestWishes(standing).find((letter) => candidates.includes(letter)) ?? candidates[0];
      if (best) letters = [...letters, best];
    }
    if (letters.length > 0)
      desk.ruling.emit({ type: 'decided-for', audience: ['german'], rule: 'C3.6d', side: 'german', what: 'REST' });
  }
  for (const letter of letters) campaign.boxes.german[letter] = 'available';
  desk.ruling.emit({
    type: 'rest-moved',
    audience: 'all',
    rule: 'C3.6d',
    leaders: letters.map((letter) => leaderName(desk.data, campaign, 'german', letter)),
  });
}

/** The Section a roll gives: the one named, or for a choice the one ordered, wished for, or first in the box. */
function sectionFor(campaign: CampaignSheet, side: CommanderSide, roll: ReserveRoll, choices: Choices): Letter {
  if (roll.names !== 'choice') return roll.names;
  const box = inBox(campaign, side, 'available');
  const ordered = chosen(choices.orders[side], 'leader')?.letter;
  if (ordered !== undefined && box.includes(ordered)) return ordered;
  const wished = requestWishes(choices.standing[side]).find((letter) => box.includes(letter));
  return wished ?? box[0] ?? 'none';
}

/** The winner's roll: the one he chose; else the one that brings what he wishes most; else one that brings anything. */
function rollFor(campaign: CampaignSheet, after: After, side: CommanderSide, choices: Choices): ReserveRoll {
  const rolls = requestOf(after, side);
  const ordered = chosen(choices.orders[side], 'request')?.roll;
  if (ordered !== undefined && rolls[ordered - 1]) return rolls[ordered - 1]!;
  const useful = rolls.filter(
    (roll) => campaign.boxes[side][sectionFor(campaign, side, roll, choices)] === 'available',
  );
  const wishes = requestWishes(choices.standing[side]);
  const rank = (roll: ReserveRoll): number => {
    const at = wishes.indexOf(sectionFor(campaign, side, roll, choices));
    return at < 0 ? wishes.length : at;
  };
  return [...useful].sort((a, b) => rank(a) - rank(b))[0] ?? rolls[0]!;
}

/** C3.7c-d: a leader who is Available joins the pool; otherwise the player gets nothing. */
function settleRequest(desk: Desk, after: After, side: CommanderSide, choices: Choices): void {
  const { campaign } = desk.draft.table;
  const roll = rollFor(campaign, after, side, choices);
  const letter = sectionFor(campaign, side, roll, choices);
  const total = roll.dice[0]! + roll.dice[1]!;
  const base = { type: 'request', audience: 'all', side, total } as const;
  if (letter === 'none') {
    desk.ruling.emit({ ...base, rule: 'C3.7d', leader: '', why: 'none' });
    return;
  }
  const leader = leaderName(desk.data, campaign, side, letter);
  const joins = campaign.boxes[side][letter] === 'available';
  if (joins) campaign.boxes[side][letter] = 'pool';
  desk.ruling.emit({ ...base, rule: joins ? 'C3.7c' : 'C3.7d', leader, why: joins ? 'joins' : 'not-available' });
}

/** C3.8: VP marker to 0, air marker to Recall, and the next battle starts at C1.1 with a new map edge and new chits. */
function beginHostilities(desk: Desk): void {
  const { data, draft, ruling } = desk;
  const { table } = draft;
  table.campaign.vp = data.campaign.start.vp;
  table.campaign.air = data.campaign.start.air;
  table.campaign.battle++;
  table.after = null;
  const drawn = drawBattle(data, table.campaign, ruling.dice);
  table.battle = drawn.battle;
  for (const side of SIDES) Object.assign(draft.hands[side]!, { chit: drawn.chits[side], sealed: null });
  draft.cup.chits = drawn.cup;
  for (const event of drawn.events) ruling.emit(event);
  goTo(desk, 'sections');
}

/** Takes the last closed battle up again as it stood before the reports, when both have asked (before Sections open). */
export function reopenBattle(desk: Desk): void {
  const { draft, ruling } = desk;
  const { table } = draft;
  if (!table.before) return;
  table.campaign = table.before.campaign;
  table.battle = table.before.battle;
  table.battle.reports = { american: null, german: null };
  table.battle.rounds = 0;
  table.battle.disputed = false;
  table.battle.ruling = null;
  table.before = null;
  table.after = null;
  table.reopen = [];
  for (const side of SIDES) {
    const hand = draft.hands[side]!;
    hand.chit = hand.chitBefore ?? hand.chit;
    hand.chitBefore = null;
    hand.sealed = null;
  }
  draft.cup = { chits: draft.cup.chitsBefore ?? draft.cup.chits, chitsBefore: null };
  ruling.emit({ type: 'reopened', audience: 'all', battle: table.campaign.battle });
  goTo(desk, 'battle');
}
