/** The sequence of a campaign battle: B0 to B5, the battle itself, A1. Who owes what, when it runs, and what it does. */
import { never } from '../../../kernel/assert.ts';
import { everyFinal } from '../../../kernel/judge.ts';
import type { Decision, GameState, Pace, PublicView, Ruling, SideId } from '../../../kernel/types.ts';
import { forceOf, unitsOf, weaponsOf } from '../content/forces.ts';
import type { CampaignData } from '../content/scenario.ts';
import {
  airSuperiority,
  americanArmor,
  buyForts,
  type Desk,
  fortCost,
  germanArmor,
  germanArtillery,
  openSupport,
  pay,
  revealSections,
  standardSupport,
} from '../content/support.ts';
import { orderOrDoctrine, standingValue } from '../text/doctrine.ts';
import { readOrder } from '../text/orders.ts';
import {
  type CampaignDoctrine,
  type CampaignOrder,
  type CampaignQuestion,
  type CombatCommander,
  type CommanderSide,
  type CommanderTable,
  enemyOf,
  type Letter,
  SIDES,
  type SupportPick,
} from '../types.ts';
import { inBox } from './campaignsheet.ts';
import { faultsOf } from './check.ts';
import { rulingOf, runOutside } from './outside.ts';
import { completeSetup, mergeSetup, placeForts, unplacedForts } from './placement.ts';
import { defenderOf, setPosture, suddenDeathOf } from './posture.ts';
import { goTo, mustChoose, reopenBattle, settleAfter } from './results.ts';

/**
 * The steps in order. `sections`: B1, both seal their choice (C1.55). `support`: B2, both (C1.7). `setup-first`: B3, the
 * Defender or first Recon side (C1.9, C1.10). `setup-second`: B4, the other side. `setup-forts`: B5, fortifications
 * bought with VP. `battle`, `confirm`, `dispute`, `ruling`: the battle outside and its result. `after`: A1 (C3.5-C3.7).
 */
export type CommanderStep =
  | 'sections'
  | 'support'
  | 'setup-first'
  | 'setup-second'
  | 'setup-forts'
  | 'battle'
  | 'confirm'
  | 'dispute'
  | 'ruling'
  | 'after'
  | 'over';

type State = GameState<CombatCommander>;
type CampaignView = PublicView<CombatCommander>;

/** Who owes orders or may file some; nobody when the campaign is over. */
export function asksOf(view: CampaignView): { side: CommanderSide; must: boolean }[] {
  return owedIn(view.table, view.phase.step);
}

/** Who owes orders in a step, as anybody can see it on the table. */
export function owedIn(table: CommanderTable, step: string): { side: CommanderSide; must: boolean }[] {
  const { battle, after, campaign } = table;
  if (table.ended) return [];
  const both = (must: (side: CommanderSide) => boolean) => SIDES.map((side) => ({ side, must: must(side) }));
  switch (step as CommanderStep) {
    case 'sections':
      return both((side) => !battle.sealed[side]);
    case 'support':
      return both((side) => owesSupport(table, side));
    case 'setup-first':
    case 'setup-forts':
      return battle.first ? [{ side: battle.first, must: true }] : [];
    case 'setup-second':
      return battle.first ? [{ side: enemyOf(battle.first), must: true }] : [];
    case 'battle':
    case 'dispute':
      return both(() => true);
    case 'confirm':
      return both((side) => battle.reports[side] === null);
    case 'ruling':
      return both(() => false);
    case 'after':
      return after ? both((side) => mustChoose(campaign, after, side)) : [];
    default:
      return [];
  }
}

/** Something to decide in B2: a support roll, or points for armor or artillery. */
function owesSupport(table: CommanderTable, side: CommanderSide): boolean {
  const { points } = table.campaign;
  if (table.battle.support.some((roll) => roll.side === side && roll.bought === null)) return true;
  return side === 'american' ? points.americanArmor > 0 : points.germanArmor + points.germanArtillery > 0;
}

/**
 * One report is enough to go on from `battle`, one word from `ruling`, and the game master's ruling from every step of the
 * battle. The term of `confirm` is the other side's: the reporter can't cut it short. Else all who owe must be final. In
 * these three steps a bare FINAL (the form sent back as it came) is no word: nothing was fought or confirmed by it.
 */
export function isReady(view: CampaignView, final: readonly SideId[], spoken: readonly SideId[] = final): boolean {
  if (view.table.ended) return false;
  const { step } = view.phase;
  const outside = step === 'battle' || step === 'confirm' || step === 'dispute' || step === 'ruling';
  if (outside && rulingOf(view.table.battle)) return true;
  const words = final.filter((side) => spoken.includes(side));
  if (step === 'battle' || step === 'ruling') return words.length > 0;
  return everyFinal({ asks: asksOf }, view, step === 'confirm' ? words : final);
}

/** A battle has its own time, and one report stands when the other side stays silent. */
export function paceOf(view: CampaignView): Pace | undefined {
  const { options } = view.table;
  switch (view.phase.step as CommanderStep) {
    case 'battle':
      return { days: options.battleDays, silence: 'hold' };
    case 'confirm':
      return { days: options.confirmDays, silence: 'accept' };
    case 'dispute':
    case 'ruling':
      return { silence: 'hold' };
    default:
      return undefined;
  }
}

type Filing = { orders: Record<CommanderSide, CampaignOrder[]>; standing: Record<CommanderSide, CampaignDoctrine[]> };

/** Orders that are legal now; the others are dropped, and their owner is told why. */
function legalOrders(desk: Desk, side: CommanderSide, orders: readonly CampaignOrder[]): CampaignOrder[] {
  const { draft, data, ruling } = desk;
  const numbered = orders.map((order, i) => ({ ...order, line: i + 1 }));
  // What doctrine excludes is told as it comes, with the step where it does.
  const bench = { data, table: draft.table, side, step: draft.phase.step, standing: [] };
  const faults = faultsOf(bench, numbered).filter((fault) => fault.severity === 'error');
  return orders.filter((order, i) => {
    const fault = faults.find((one) => one.line === i + 1);
    if (fault) ruling.emit({ type: 'refused', audience: [side], side, code: fault.code, line: order.line });
    return !fault;
  });
}

/** Runs one phase on the draft and leaves it at the next. */
export function* runPhase(
  data: CampaignData,
  draft: State,
  filed: Record<SideId, CampaignOrder[]>,
  ruling: Ruling<CombatCommander>,
): Generator<CampaignQuestion[], void, Decision[]> {
  const desk: Desk = { data, draft, ruling };
  const filing: Filing = {
    orders: {
      american: legalOrders(desk, 'american', filed.american ?? []),
      german: legalOrders(desk, 'german', filed.german ?? []),
    },
    standing: { american: ruling.standing.american ?? [], german: ruling.standing.german ?? [] },
  };
  const step = draft.phase.step as CommanderStep;
  switch (step) {
    case 'sections':
      yield* runSections(desk, filing);
      return;
    case 'support':
      yield* support(desk, filing);
      return;
    case 'setup-first':
      setUpFirst(desk, filing);
      return;
    case 'setup-second':
      setUpSecond(desk, filing);
      return;
    case 'setup-forts':
      settleForts(desk, draft.table.battle.first ?? 'american', 'vp', filing);
      openBattle(desk);
      return;
    case 'battle':
    case 'confirm':
    case 'dispute':
    case 'ruling':
      runOutside(desk, filing.orders);
      return;
    case 'after':
      runAfter(desk, filing);
      return;
    case 'over':
      goTo(desk, 'over');
      return;
    default:
      never(step, 'step');
  }
}

/** B1: reopening if both want it, else sealing, and the reveal once both choices are in. */
function* runSections(desk: Desk, filing: Filing): Generator<CampaignQuestion[], void, Decision[]> {
  const fresh = askReopening(desk, filing);
  if (allReopen(desk.draft.table)) reopenBattle(desk);
  else if (sealAll(desk, filing, fresh)) yield* reveal(desk, filing);
  else goTo(desk, 'sections');
}

/** Notes who asks for the last battle to be reopened, and gives those who ask for the first time. */
function askReopening(desk: Desk, filing: Filing): CommanderSide[] {
  const { table } = desk.draft;
  if (!table.before) return [];
  const fresh = SIDES.filter(
    (side) => filing.orders[side].some((order) => order.verb === 'REOPEN') && !table.reopen.includes(side),
  );
  for (const side of fresh) {
    table.reopen.push(side);
    const battle = table.campaign.fought.at(-1)?.battle ?? 0;
    desk.ruling.emit({ type: 'reopen-asked', audience: 'all', side, battle });
  }
  return fresh;
}

/** Both sides want the last battle back. */
function allReopen(table: CommanderTable): boolean {
  return table.before !== null && table.reopen.length === SIDES.length;
}

/**
 * C1.55a: puts each choice into its owner's hand, where nobody else can see it and nobody can change it. A side that lets
 * its term pass gets a second one; then doctrine or an empty fist stands for it. One who asks for the first time to reopen
 * the last battle gets a term for that too. True when both are in.
 */
function sealAll(desk: Desk, filing: Filing, asksToReopen: readonly CommanderSide[]): boolean {
  const { data, draft, ruling } = desk;
  const { battle, campaign } = draft.table;
  const now: CommanderSide[] = [];
  for (const side of SIDES) {
    if (battle.sealed[side]) continue;
    const silent = !asksToReopen.includes(side);
    const own = filing.orders[side].find((order) => order.verb === 'SECTIONS');
    const order =
      own || silent
        ? orderOrDoctrine(
            data,
            draft.table,
            side,
            { orders: filing.orders[side], standing: filing.standing[side] },
            'SECTIONS',
            readOrder,
          )
        : undefined;
    if (!order && (!silent || battle.waited[side]++ === 0)) {
      ruling.emit({ type: 'waiting-sections', audience: 'all', side });
      continue;
    }
    const pool = inBox(campaign, side, 'pool');
    const letters: Letter[] = (order?.letters ?? []).filter((letter) => pool.includes(letter));
    if (!order) ruling.emit({ type: 'no-sections', audience: [side], rule: 'C1.55a', side });
    draft.hands[side]!.sealed = letters;
    battle.sealed[side] = true;
    now.push(side);
  }
  if (SIDES.every((side) => battle.sealed[side])) return true;
  for (const side of now) {
    const letters = draft.hands[side]!.sealed ?? [];
    ruling.emit({ type: 'sealed', audience: 'all', rule: 'C1.55a', side });
    ruling.emit({ type: 'sealed-own', audience: [side], rule: 'C1.55a', side, letters });
  }
  return false;
}

/** C1.55b-e and the first support roll; from here on the last battle can't be reopened. */
function* reveal(desk: Desk, filing: Filing): Generator<CampaignQuestion[], void, Decision[]> {
  const { draft } = desk;
  const { table } = draft;
  table.before = null;
  table.reopen = [];
  for (const side of SIDES) draft.hands[side]!.chitBefore = null;
  draft.cup.chitsBefore = null;
  revealSections(desk, {
    american: draft.hands.american!.sealed ?? [],
    german: draft.hands.german!.sealed ?? [],
  });
  openSupport(desk);
  if (SIDES.some((side) => owesSupport(table, side))) goTo(desk, 'support');
  else yield* support(desk, { ...filing, orders: { american: [], german: [] } });
}

/** What a side buys by roll: its order, its doctrine, or the cheapest item, since it must buy (RS.7). */
function supportWish(filing: Filing, side: CommanderSide): string[] | SupportPick {
  const order = filing.orders[side].filter((one) => one.verb === 'SUPPORT').at(-1);
  if (order?.verb === 'SUPPORT') return order.buy;
  const standing = standingValue(filing.standing[side], 'SUPPORT');
  return standing === undefined || standing === 'ASK' ? 'cheapest' : (standing.toLowerCase() as SupportPick);
}

/** C1.71 to C1.8 in the printed order, then Defense in Depth of a German who does not set up first (C1.91). */
function* support(desk: Desk, filing: Filing): Generator<CampaignQuestion[], void, Decision[]> {
  const { data, draft } = desk;
  const { table } = draft;
  yield* standardSupport(desk, {
    american: supportWish(filing, 'american'),
    german: supportWish(filing, 'german'),
  });
  const filed = (side: CommanderSide) => ({ orders: filing.orders[side], standing: filing.standing[side] });
  const armor = (side: CommanderSide) => orderOrDoctrine(data, table, side, filed(side), 'ARMOR', readOrder);
  americanArmor(desk, armor('american'));
  germanArmor(desk, armor('german'));
  germanArtillery(desk, orderOrDoctrine(data, table, 'german', filed('german'), 'ARTILLERY', readOrder));
  airSuperiority(desk);
  setPosture(desk);
  const left = table.campaign.points.fortification;
  if (table.battle.first === 'german' && filing.orders.german.some((order) => order.verb === 'FORT'))
    desk.ruling.emit({ type: 'fort-waits', audience: ['german'], rule: 'C1.91b' });
  if (table.battle.first === 'american' && left > 0) {
    const decisions = yield [defenseInDepth(data, left)];
    const items = (decisions[0]?.chosen ?? []).filter((item) =>
      data.forces.fortifications.list.some((entry) => entry.item === item),
    );
    const bought: string[] = [];
    for (const item of items) if (fortCost(data, [...bought, item]) <= left) bought.push(item);
    buyForts(
      desk,
      'german',
      'points',
      bought.map((item) => ({ item, hexes: [] })),
    );
  }
  goToSetup(desk, 'setup-first');
}

/** The question to the German whose turn to set up comes second; he answers with a FORT line. */
function defenseInDepth(data: CampaignData, left: number): CampaignQuestion {
  const prices = data.forces.fortifications.list.map((entry) => `${entry.item} ${entry.cost}`);
  return {
    id: 'defense in depth',
    to: 'german',
    kind: 'fortify',
    about: { kind: 'fortify', left },
    options: [],
    form: ['FORT NONE'],
    min: 0,
    max: left,
    fallback: [],
    words: { key: 'combatcommander.ask-fortify', params: { left, prices } },
    rule: 'C1.91b',
  };
}

/** The next step of the set-up that has something to decide; the battle when there is none. */
function goToSetup(desk: Desk, from: 'setup-first' | 'setup-second' | 'setup-forts'): void {
  const { table } = desk.draft;
  const { battle, campaign, options } = table;
  const mail = options.placement === 'mail';
  const buys = battle.first === defenderOf(battle) || (battle.first === 'german' && campaign.points.fortification > 0);
  if (from === 'setup-first' && (mail || buys)) goTo(desk, 'setup-first');
  else if (from !== 'setup-forts' && (mail || defenderOf(battle))) goTo(desk, 'setup-second');
  else if (mail && unplacedForts(desk.data, table, battle.first ?? 'american', 'vp').length > 0)
    goTo(desk, 'setup-forts');
  else openBattle(desk);
}

const OTHER_MEANS = { vp: 'points', points: 'vp' } as const;

/** B3: RS.9 and C1.91, then the units of the side that sets up first, with the fortifications paid by points. */
function setUpFirst(desk: Desk, filing: Filing): void {
  const side = desk.draft.table.battle.first ?? 'american';
  for (const means of ['vp', 'points'] as const) {
    const order = filing.orders[side].filter((one) => one.verb === 'FORT' && one.pay !== OTHER_MEANS[means]).at(-1);
    if (order?.verb === 'FORT' && order.pay === means) buyForts(desk, side, means, order.items);
  }
  placeUnits(desk, side, filing);
  settleForts(desk, side, 'points', filing);
  goToSetup(desk, 'setup-second');
}

/** B4: the Attacker's Radio (RS.11.1), then the second side's units. */
function setUpSecond(desk: Desk, filing: Filing): void {
  const side = enemyOf(desk.draft.table.battle.first ?? 'german');
  const order = filing.orders[side].filter((one) => one.verb === 'RADIO').at(-1);
  const wish = order?.verb === 'RADIO' ? order.roll : standingValue(filing.standing[side], 'RADIO') === 'ROLL';
  if (wish && desk.draft.table.battle.posture?.[side] === 'attack') rollRadio(desk, side);
  placeUnits(desk, side, filing);
  settleForts(desk, side, 'points', filing);
  goToSetup(desk, 'setup-forts');
}

/** RS.11.1: two dice on the Radio table; a Radio shown must be bought. */
function rollRadio(desk: Desk, side: CommanderSide): void {
  const { data, draft, ruling } = desk;
  const dice = ruling.dice.roll(`${side} radio roll`, 2, 6);
  const total = dice[0]! + dice[1]!;
  const row = data.forces.radioTable.rows.find((one) => one.from <= total && total <= one.to);
  const cost = row?.cost ?? 0;
  const calibre = row?.calibre ?? null;
  draft.table.battle.radio = { dice, calibre, fp: row?.fp ?? 0, cost };
  const move = pay(draft.table.campaign, side, cost);
  ruling.emit({
    type: 'radio',
    audience: 'all',
    rule: 'C1.10a',
    side,
    dice,
    calibre: calibre ?? 'none',
    cost,
    ...move,
  });
}

/** RS.10, RS.11, RS.13: the ordered placement, completed where the player left something out. */
function placeUnits(desk: Desk, side: CommanderSide, filing: Filing): void {
  const { data, draft, ruling } = desk;
  const { table } = draft;
  if (table.options.placement === 'table') return;
  const given = mergeSetup(filing.orders[side].filter((order) => order.verb === 'SETUP'));
  const placement = completeSetup(data, table, side, given);
  table.battle.setup[side] = placement;
  if (placement.deploy !== null)
    ruling.emit({ type: 'deployed', audience: 'all', rule: 'C1.72i', side, unit: placement.deploy });
  const force = forceOf(data, table.campaign, table.battle, side);
  const pieces = unitsOf(force).length + weaponsOf(force).length;
  ruling.emit({ type: 'set-up', audience: 'all', rule: 'C1.10a', side, pieces, auto: placement.auto });
}

/** C1.10g with the units, RS.12 for those bought with VP: fortifications get their hexes. */
function settleForts(desk: Desk, side: CommanderSide, means: 'vp' | 'points', filing: Filing): void {
  const { data, draft, ruling } = desk;
  if (draft.table.options.placement === 'table') return;
  const orders = filing.orders[side].filter((order) => order.verb === 'PLACE');
  placeForts(data, draft.table, side, means, orders);
  for (const fort of draft.table.battle.forts.filter((one) => one.side === side && one.pay === means))
    ruling.emit({ type: 'fort-placed', audience: 'all', rule: 'C1.10g', side, item: fort.item, hexes: fort.hexes });
}

/** Both sides have the battle sheet; the battle is fought outside. */
function openBattle(desk: Desk): void {
  const { data, draft, ruling } = desk;
  const { campaign, battle } = draft.table;
  const suddenDeath = suddenDeathOf(data, battle);
  ruling.emit({ type: 'battle-ready', audience: 'all', rule: 'C1.10a', battle: campaign.battle, suddenDeath });
  goTo(desk, 'battle');
}

/** A1: waits once for a winner who only asked for reopening; else books the choices and opens the next battle. */
function runAfter(desk: Desk, filing: Filing): void {
  const { after, campaign } = desk.draft.table;
  const fresh = askReopening(desk, filing);
  if (allReopen(desk.draft.table)) {
    reopenBattle(desk);
    return;
  }
  const waits = fresh.some(
    (side) =>
      after && mustChoose(campaign, after, side) && !filing.orders[side].some((order) => order.verb === 'CHOOSE'),
  );
  if (waits) goTo(desk, 'after');
  else settleAfter(desk, filing);
}
