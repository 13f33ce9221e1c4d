/** Events put into words for the campaign diary. One place knows how every event is told. */

import { joined } from '../../../kernel/joined.ts';
import type { Param, Text, Words } from '../../../kernel/types.ts';
import { sectionName } from '../content/forces.ts';
import { sideName } from '../content/names.ts';
import type { CampaignData } from '../content/scenario.ts';
import type { CampaignEvent, CampaignSheet, CommanderSide, CommanderTable, Letter } from '../types.ts';

/** A wording key of this system with its parameters. */
export function say(key: string, params: Record<string, Param> = {}): Words {
  return { key: `combatcommander.${key}`, params };
}

/** Entries with a semicolon between them; empty where there are none. */
export function inRow(entries: readonly Words[]): Text {
  return joined('combatcommander.list-more', entries);
}

/** The VP marker as players read it: `0`, `American 4`, `German 9`. */
export function vpName(vp: number): string {
  if (vp === 0) return '0';
  return vp > 0 ? `American ${vp}` : `German ${-vp}`;
}

/** `outside St. André de l’Épine` for a position. */
export function placeOf(data: CampaignData, position: CampaignSheet['position']): string {
  return data.tables.positions[position].place;
}

/** The day a battle stands for (C0.3). */
export function dateOf(data: CampaignData, battle: number): string {
  return data.campaign.dates[battle - 1] ?? '';
}

/** A chit in a player's words. */
export function chitWords(data: CampaignData, id: string): Words {
  const chit = data.tables.chits.list.find((one) => one.id === id);
  return say(`chit-${chit?.kind ?? 'exit'}`, { id, objective: chit?.objective ?? 0, vp: chit?.vp ?? 0 });
}

function sectionsText(
  data: CampaignData,
  campaign: CampaignSheet,
  side: CommanderSide,
  letters: readonly Letter[],
): string[] {
  return letters.map((letter) => sectionName(data, campaign, side, letter));
}

function reserveName(data: CampaignData, campaign: CampaignSheet, side: CommanderSide, names: string): string {
  return names === 'choice' || names === 'none' ? names : sectionName(data, campaign, side, names);
}

/** Steps up to the reveal and the support of a battle. */
function tellSupport(data: CampaignData, table: CommanderTable, event: CampaignEvent): Words | undefined {
  const { campaign } = table;
  switch (event.type) {
    case 'sealed':
      return say('event-sealed', { side: sideName(event.side) });
    case 'sealed-own':
      return event.letters.length === 0
        ? say('event-sealed-none')
        : say('event-sealed-own', { sections: sectionsText(data, campaign, event.side, event.letters) });
    case 'waiting-sections':
    case 'no-sections':
      return say(`event-${event.type}`, { side: sideName(event.side) });
    case 'revealed':
      return say(event.letters.length === 0 ? 'event-revealed-none' : 'event-revealed', {
        side: sideName(event.side),
        sections: sectionsText(data, campaign, event.side, event.letters),
      });
    case 'cost':
      return event.cost === 0
        ? undefined
        : say('event-cost', { side: sideName(event.side), cost: event.cost, ...marker(event) });
    case 'support-roll':
      return say('event-support-roll', { side: sideName(event.side), ...diceOf(event.dice), items: event.items });
    case 'support-none':
      return say('event-support-none');
    case 'support-bought':
      return say(event.forced ? 'event-support-forced' : 'event-support-bought', {
        side: sideName(event.side),
        items: event.items,
        cost: event.cost,
        ...marker(event),
      });
    case 'armor':
      return say(`event-armor-${event.side}`, { left: event.left, ...marker(event) });
    case 'charges':
      return say('event-charges', marker(event));
    case 'armor-declined':
      return say(event.left === 0 ? 'event-armor-gone' : 'event-armor-declined', {
        side: sideName(event.side),
        left: event.left,
      });
    case 'armor-cancelled':
    case 'artillery-excluded':
      return say(`event-${event.type}`);
    case 'artillery':
      return say('event-artillery', { points: event.points, left: event.left, ...marker(event) });
    case 'air':
      return say(`event-air-${event.face}`);
    default:
      return undefined;
  }
}

function marker(event: { from: number; to: number }): Record<string, Param> {
  return { from: vpName(event.from), to: vpName(event.to) };
}

function diceOf(dice: readonly number[]): Record<string, Param> {
  return { dice: dice.join(' and '), total: dice.reduce((sum, die) => sum + die, 0) };
}

function setUpKey(event: { pieces: number; auto: string[] }): string {
  if (event.auto.length === 0) return 'event-set-up';
  return event.auto.length >= event.pieces ? 'event-set-up-all' : 'event-set-up-auto';
}

/** Posture, preparation and set-up. */
function tellSetup(event: CampaignEvent): Words | undefined {
  switch (event.type) {
    case 'posture':
      return event.defender === 'none'
        ? say('event-posture-recon')
        : say('event-posture', { defender: sideName(event.defender) });
    case 'limits':
      return say('event-limits', {
        side: sideName(event.side),
        posture: say(`posture-${event.posture}`),
        hand: event.hand,
        orders: event.orders,
        initiative: event.initiative,
        surrender: event.surrender,
      });
    case 'initiative':
      return say(`event-initiative-${event.how}`, { side: sideName(event.side), die: event.die });
    case 'fort':
      return say(`event-fort-${event.pay}`, {
        side: sideName(event.side),
        items: event.items,
        cost: event.cost,
        left: event.left,
        ...marker(event),
      });
    case 'fort-waits':
      return say('event-fort-waits');
    case 'fort-placed':
      return say('event-fort-placed', { side: sideName(event.side), item: event.item, hexes: event.hexes });
    case 'radio':
      return say(event.cost === 0 ? 'event-radio-none' : 'event-radio', {
        side: sideName(event.side),
        ...diceOf(event.dice),
        calibre: event.calibre,
        cost: event.cost,
        ...marker(event),
      });
    case 'deployed':
      return say('event-deployed', { unit: event.unit });
    case 'set-up':
      return say(setUpKey(event), {
        side: sideName(event.side),
        pieces: event.pieces,
        auto: event.auto,
      });
    case 'battle-ready':
      return say('event-battle-ready', { battle: event.battle, space: event.suddenDeath });
    default:
      return undefined;
  }
}

/** Reports, closing, reopening. */
function tellOutside(event: CampaignEvent): Words | undefined {
  switch (event.type) {
    case 'battle-awaited':
    case 'disputed':
    case 'reopened':
      return say(`event-${event.type}`, { battle: event.battle });
    case 'reported':
      return say('event-reported', {
        side: sideName(event.side),
        battle: event.battle,
        winner: sideName(event.winner),
        vp: event.vp,
        told: event.told,
        note: event.note,
      });
    case 'reports-differ':
      return say('event-reports-differ', { battle: event.battle, round: event.round });
    case 'closed':
      return say(`event-closed-${event.how}`, {
        battle: event.battle,
        winner: sideName(event.winner),
        vp: event.vp,
        told: event.told,
        note: event.note,
      });
    case 'reopen-asked':
      return say('event-reopen-asked', { side: sideName(event.side), battle: event.battle });
    default:
      return undefined;
  }
}

/** C3: what a result leads to. */
function tellResults(data: CampaignData, table: CommanderTable, event: CampaignEvent): Words | undefined {
  const { campaign } = table;
  switch (event.type) {
    case 'campaign-won':
      return say('event-campaign-won', { side: sideName(event.side), battle: event.battle });
    case 'fatigued':
      return say(event.exhausted.length === 0 ? 'event-fatigued-none' : 'event-fatigued', {
        side: sideName(event.side),
        leader: event.leader,
        exhausted: event.exhausted,
      });
    case 'moved':
      return say(event.winner === 'american' ? 'event-moved-on' : 'event-moved-back', {
        from: event.from,
        to: event.to,
        place: placeOf(data, event.to),
      });
    case 'promoted':
      return say('event-promoted', { side: sideName(event.side), leader: event.leader });
    case 'rest-american':
    case 'rest-moved':
      return say(event.leaders.length === 0 ? `event-${event.type}-none` : `event-${event.type}`, {
        leaders: event.leaders,
      });
    case 'rest-roll':
      return say('event-rest-roll', {
        ...diceOf(event.dice),
        names: reserveName(data, campaign, 'german', event.names),
      });
    case 'request-roll':
      return say('event-request-roll', {
        side: sideName(event.side),
        ...diceOf(event.dice),
        names: reserveName(data, campaign, event.side, event.names),
      });
    case 'quality':
      return say(`event-quality-${event.option}`, {
        side: sideName(event.side),
        own: event.own,
        opponent: event.opponent,
      });
    case 'request':
      return say(`event-request-${event.why}`, {
        side: sideName(event.side),
        total: event.total,
        leader: event.leader,
      });
    case 'decided-for':
      return say('event-decided-for', { what: event.what });
    case 'battle-opened':
      return say('event-battle-opened', {
        battle: event.battle,
        date: dateOf(data, event.battle),
        position: event.position,
        place: placeOf(data, event.position),
        die: event.die,
        edge: event.edge,
      });
    default:
      return undefined;
  }
}

/** What is told only in a preview, and refusals. */
function tellOwn(event: CampaignEvent): Words | undefined {
  switch (event.type) {
    case 'refused':
      return say('event-refused', { code: event.code, line: event.line });
    case 'forecast-sections':
      return say('forecast-sections', { cost: event.cost, ...marker(event) });
    case 'forecast-support':
    case 'forecast-fort':
      return say(event.type, { cost: event.cost });
    case 'forecast-setup':
      return say('forecast-setup', { placed: event.placed, total: event.total });
    case 'forecast-result':
      return say('forecast-result', { winner: sideName(event.winner), battle: event.battle });
    default:
      return undefined;
  }
}

/** An event in words; undefined when there is nothing to say (the secret chit stands on the battle sheet). */
export function tell(data: CampaignData, table: CommanderTable, event: CampaignEvent): Words | undefined {
  return (
    tellSupport(data, table, event) ??
    tellSetup(event) ??
    tellOutside(event) ??
    tellResults(data, table, event) ??
    tellOwn(event)
  );
}
