/** The report of one viewer: what happened to him first, battle by battle, movement, arrivals, supply, what comes next. */

import type { Filed, Report, View, Words } from '../../../kernel/types.ts';
import { tacAllotment } from '../combat/air.ts';
import { type Campaign, turnOf } from '../content/campaign.ts';
import { nameUnits } from '../content/names.ts';
import { type Field, isIsolated, openField } from '../field/field.ts';
import { settleQuestion } from '../text/doctrine.ts';
import { landingCost } from '../turn/arrival.ts';
import { stepOf } from '../turn/phases.ts';
import { rehearseWithdrawal } from '../turn/withdrawal.ts';
import type { Overlord, OverlordEvent, OverlordSide, OverlordStanding, OverlordTable } from '../types.ts';
import { orderForm } from './form.ts';
import { placeName, sideName, tell, words } from './tell.ts';

const BATTLE_EVENTS = new Set([
  'battle',
  'battle-void',
  'lost',
  'retreated',
  'breakout-roll',
  'advanced',
  'advance-short',
]);
const MOVE_EVENTS = new Set(['moved', 'landed', 'entered', 'exited']);
const STATE_EVENTS = new Set([
  'beach-destroyed',
  'beach-recaptured',
  'beach-repaired',
  'port-taken',
  'interdicted',
  'interdiction-lifted',
  'withdrawal',
]);
const TURN_EVENTS = new Set(['turn-began', 'arrived', 'release']);

interface Section {
  title: Words;
  lines: Words[];
}

/** See `Rules.report`. A preview's events (they hold forecasts and no dice) make a short one: moves and odds alone. */
export function reportOf(
  campaign: Campaign,
  view: View<Overlord>,
  events: readonly OverlordEvent[],
  filed: Filed<Overlord>,
): Report {
  const field = openField(campaign, view.table, view.phase.turn);
  const viewer = view.viewer === 'public' ? null : (view.viewer as OverlordSide);
  if (events[0]?.type === 'rehearsal') return rehearsalReport(campaign, view, events);
  const sections: Section[] = [
    { title: words('title.outcome'), lines: eventLines(campaign, events, (event) => event.type === 'victory') },
    { title: words('title.you'), lines: viewer ? toYou(field, viewer, events, filed.standing) : [] },
    { title: words('title.battles'), lines: eventLines(campaign, events, (event) => BATTLE_EVENTS.has(event.type)) },
    ...moveSections(campaign, viewer, events),
    { title: words('title.ground'), lines: eventLines(campaign, events, (event) => STATE_EVENTS.has(event.type)) },
    { title: words('title.turn'), lines: eventLines(campaign, events, (event) => TURN_EVENTS.has(event.type)) },
    { title: words('title.supply'), lines: supplyLines(field) },
    { title: words('title.victory'), lines: victoryLines(field) },
    { title: words('title.next'), lines: nextLines(field, view) },
  ];
  return {
    headline: headlineOf(campaign, view),
    sections: sections.filter((section) => section.lines.length > 0),
    orderForm: orderForm(field, view, filed),
  };
}

function rehearsalReport(campaign: Campaign, view: View<Overlord>, events: readonly OverlordEvent[]): Report {
  const sections: Section[] = [
    { title: words('title.own moves'), lines: eventLines(campaign, events, (event) => MOVE_EVENTS.has(event.type)) },
    { title: words('title.ground'), lines: eventLines(campaign, events, (event) => STATE_EVENTS.has(event.type)) },
    { title: words('title.battles'), lines: eventLines(campaign, events, (event) => event.type === 'forecast') },
  ];
  return {
    headline: headlineOf(campaign, view),
    sections: sections.filter((section) => section.lines.length > 0),
    orderForm: [],
  };
}

function headlineOf(campaign: Campaign, view: View<Overlord>): Words {
  const { phase, table } = view;
  if (table.over) return words(`headline.over ${table.over.winner ?? 'nobody'}`, { reason: table.over.reason });
  const step = stepOf(table.options.mode, phase);
  const { date } = turnOf(campaign, phase.turn);
  const key = step?.side === view.viewer ? 'headline.your move' : 'headline.their move';
  return words(key, { turn: phase.turn, date, step: phase.step, side: sideName(step?.side ?? 'allied') });
}

function eventLines(
  campaign: Campaign,
  events: readonly OverlordEvent[],
  wanted: (event: OverlordEvent) => boolean,
): Words[] {
  return joinedMoves(events.filter(wanted)).flatMap((event) => tell(campaign, event));
}

/** Units that went the same way are told in one line, whichever lines of the mail moved them. */
function joinedMoves(events: readonly OverlordEvent[]): OverlordEvent[] {
  const joined: OverlordEvent[] = [];
  for (const event of events) {
    const before = joined.at(-1);
    const same =
      event.type === 'moved' &&
      before?.type === 'moved' &&
      before.from === event.from &&
      before.path.join() === event.path.join() &&
      before.stopped === event.stopped;
    if (!same) {
      joined.push(event);
      continue;
    }
    joined[joined.length - 1] = {
      ...before,
      units: [...before.units, ...event.units],
      costs: [...before.costs, ...event.costs],
      allowances: [...before.allowances, ...event.allowances],
      isolated: [...before.isolated, ...event.isolated],
    };
  }
  return joined;
}

/** Losses, retreats, isolation and dropped orders of the viewer's own side, in short. */
function toYou(
  field: Field,
  viewer: OverlordSide,
  events: readonly OverlordEvent[],
  standing: readonly OverlordStanding[],
): Words[] {
  const { campaign, table } = field;
  const lines: Words[] = [];
  for (const event of events) {
    if (event.type === 'no-orders' && event.side === viewer) lines.push(...tell(campaign, event));
    if (event.type === 'order-dropped') {
      lines.push(...tell(campaign, event), { key: `overlord.${event.code}`, params: event.params });
    }
    if (event.type === 'no-orders' && event.side !== viewer) lines.push(...tell(campaign, event));
  }
  const lost = events.flatMap((event) => (event.type === 'lost' && event.side === viewer ? event.units : []));
  if (lost.length > 0) {
    const factors = lost.reduce((sum, id) => sum + campaign.units[campaign.unitIndex.get(id)!]!.cf, 0);
    lines.push(words('report.your losses', { units: nameUnits(campaign, lost), factors }));
  }
  const back = events.flatMap((event) => (event.type === 'retreated' && event.side === viewer ? [event.unit] : []));
  if (back.length > 0) lines.push(words('report.your retreats', { units: nameUnits(campaign, back) }));
  const gone = events.flatMap((event) => (event.type === 'withdrawal' && viewer === 'german' ? event.units : []));
  if (gone.length > 0)
    lines.push(words('report.your withdrawal', { units: nameUnits(campaign, gone), rule: 'OVL-VIC-03' }));
  const cut = isolatedUnits(field, viewer);
  if (cut.length > 0)
    lines.push(words('report.your isolated', { units: nameUnits(campaign, cut), rule: 'OVL-SUP-05' }));
  if (viewer === 'german')
    for (const { hex, factors } of table.owed)
      lines.push(words('report.owed', { factors, hex: placeName(campaign, hex), rule: 'OVL-VIC-03' }));
  if (viewer === 'german' && table.owed.length > 0) lines.push(...withdrawalAhead(field, standing));
  if (lines.length === 0 && events.length > 0) lines.push(words('report.nothing'));
  return lines;
}

/** Which units the withdrawal would take as things stand: ties can be ordered by DOCTRINE WITHDRAW. */
function withdrawalAhead(field: Field, standing: readonly OverlordStanding[]): Words[] {
  const units: string[] = [];
  const scratch = openField(field.campaign, structuredClone(field.table), field.turn);
  const tell = (event: OverlordEvent): void => {
    if (event.type === 'withdrawal') units.push(...event.units);
  };
  rehearseWithdrawal(scratch, tell, (request) => {
    const said = settleQuestion(
      field.campaign,
      field.table,
      field.turn,
      { orders: [], standing: [...standing] },
      request,
      true,
    );
    return said === undefined || said === 'ask' ? request.fallback : said.chosen;
  });
  if (units.length === 0) return [];
  return [words('report.withdrawal ahead', { units: nameUnits(field.campaign, units), rule: 'OVL-VIC-05' })];
}

function moveSections(campaign: Campaign, viewer: OverlordSide | null, events: readonly OverlordEvent[]): Section[] {
  const sideOf = (event: OverlordEvent): OverlordSide =>
    event.type === 'moved' ? event.side : event.type === 'entered' ? 'german' : 'allied';
  const lines = (side: OverlordSide): Words[] =>
    eventLines(campaign, events, (event) => MOVE_EVENTS.has(event.type) && sideOf(event) === side);
  const title = (side: OverlordSide): Words =>
    viewer === null ? words(`title.moves ${side}`) : words(side === viewer ? 'title.own moves' : 'title.enemy moves');
  return (['german', 'allied'] as OverlordSide[]).map((side) => ({ title: title(side), lines: lines(side) }));
}

function isolatedUnits(field: Field, side: OverlordSide): string[] {
  const { units } = field.campaign;
  return units.filter((unit, index) => unit.side === side && isIsolated(field, index)).map((unit) => unit.id);
}

function supplyLines(field: Field): Words[] {
  return (['german', 'allied'] as OverlordSide[]).flatMap((side) => {
    const units = isolatedUnits(field, side);
    if (units.length === 0) return [];
    const params = { side: sideName(side), units: nameUnits(field.campaign, units), rule: 'OVL-SUP-01' };
    return [words('report.isolated', params)];
  });
}

function victoryLines(field: Field): Words[] {
  const { table, campaign } = field;
  const needed = campaign.data.house.unitsForVictory;
  const lost = (side: OverlordSide): number =>
    campaign.units.filter((unit) => unit.side === side && table.units[unit.id] === 'lost').length;
  return [
    words('report.count', { count: table.exits.length, needed, left: needed - table.exits.length, rule: 'OVL-VIC-08' }),
    words('report.losses', { german: lost('german'), allied: lost('allied') }),
  ];
}

/** What comes next: whose orders, TAC factors, landing cost, held divisions, arrivals, withdrawal owed. */
function nextLines(field: Field, view: View<Overlord>): Words[] {
  const { campaign, table, turn } = field;
  const step = table.over ? undefined : stepOf(table.options.mode, view.phase);
  if (!step) return [];
  const { date } = turnOf(campaign, turn);
  const lines = [words('report.due', { side: sideName(step.side), step: step.name, turn, date })];
  if (step.name === 'set-up') {
    if (table.options.interdiction) {
      const { firstTurn } = campaign.data.house.interdiction;
      lines.push(words('report.first interdiction', { factors: firstTurn }));
    }
    return lines;
  }
  if (step.side === 'allied') {
    if (table.options.tac)
      lines.push(words('report.tac', { factors: tacAllotment(field), weather: table.weather, rule: 'OVL-CLR-10' }));
    lines.push(words('report.landing cost', { cost: landingCost(field), rule: 'OVL-LND-01' }));
    const { turns, factors } = campaign.data.house.replacements;
    if (turns.includes(turn)) lines.push(words('report.replacements', { factors, rule: 'OVL-AOB-25' }));
  }
  if (table.held.length > 0) lines.push(words('report.held', { formations: table.held, rule: 'OVL-GOB-02' }));
  if (step.side === 'german' && turn === 1) lines.push(words('report.confusion', { rule: 'OVL-CLR-11' }));
  const coming = [...campaign.formations.values()].filter((formation) => formation.turn === turn + 1);
  for (const side of ['german', 'allied'] as OverlordSide[]) {
    const names = coming.filter((formation) => formation.side === side).map((formation) => formation.id);
    if (names.length > 0)
      lines.push(words('report.coming', { side: sideName(side), formations: names, turn: turn + 1 }));
  }
  return lines;
}

/** Which house content a game uses, as the report and the map footer say it. */
export function houseLines(table: OverlordTable): Words[] {
  const { options } = table;
  const lines = ['map', 'set-up', 'combat', 'replacements', 'counters'].map((what) => words(`house ${what}`));
  if (options.tac) lines.push(words('house tac', { factors: options.tacPerTurn }));
  for (const module of ['interdiction', 'naval', 'weather'] as const)
    if (options[module]) lines.push(words(`house ${module}`));
  return lines;
}
