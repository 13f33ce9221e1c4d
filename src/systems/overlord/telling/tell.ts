/** Events in words: one line or a few for each, as keys of templates/en/overlord.json with their parameters. */

import type { Param, Words } from '../../../kernel/types.ts';
import { worthText } from '../combat/odds.ts';
import type { Campaign } from '../content/campaign.ts';
import { nameUnits } from '../content/names.ts';
import { points } from '../field/movement.ts';
import type { Odds, OverlordEvent, Share } from '../types.ts';

/** A key of the system's wording. */
export function words(key: string, params: Record<string, Param> = {}): Words {
  return { key: `overlord.${key}`, params };
}

/** A hex with its name, where it has one: `2814 Caen`. */
export function placeName(campaign: Campaign, hex: string): string {
  const { grid, names, beaches } = campaign.board;
  const cell = grid.index.get(hex);
  if (cell === undefined) return hex;
  const name = names.get(cell) ?? beaches.get(cell)?.name;
  return name === undefined ? hex : `${hex} ${name}`;
}

/** What one event says; nothing for events told elsewhere. */
export function tell(campaign: Campaign, event: OverlordEvent): Words[] {
  const rule = event.rule ?? '';
  const names = (ids: readonly string[]): string => nameUnits(campaign, ids);
  const place = (hex: string): string => placeName(campaign, hex);
  switch (event.type) {
    case 'moved':
      return [movedWords(campaign, event)];
    case 'landed':
      return [
        words(`report.${event.how}`, {
          units: names(event.units),
          hex: place(event.hex),
          cost: points(event.cost),
          rule,
        }),
      ];
    case 'entered': {
      const params = { units: names(event.units), hex: place(event.hex), road: event.road, rule };
      return [
        words(event.diverted ? 'report.diverted' : 'report.entered', { ...params, blocked: event.blocked ?? '' }),
      ];
    }
    case 'exited':
      return [
        words('report.exited', {
          ...pick(event, 'unit', 'count', 'cf'),
          hex: place(event.hex),
          edge: event.edge,
          rule,
        }),
      ];
    case 'withdrawal':
      return withdrawalWords(campaign, event);
    case 'beach-destroyed':
      return [words('report.beach destroyed', { hex: place(event.hex), by: event.by, rule })];
    case 'beach-recaptured':
      return [words('report.beach recaptured', { hex: place(event.hex), turn: event.usableFrom, rule })];
    case 'beach-repaired':
      return [words('report.beach repaired', { hex: place(event.hex), rule })];
    case 'port-taken':
      return [words('report.port taken', { hex: place(event.hex), side: sideName(event.side), rule })];
    case 'interdicted':
      return [words('report.interdicted', { hexes: event.hexes.map(({ hex, factors }) => `${hex} ${factors}`), rule })];
    case 'interdiction-lifted':
      return [words('report.lifted', { rule })];
    case 'turn-began':
      return [
        words('report.turn', { turn: event.turn, date: event.date, weather: event.weather, die: event.die ?? 0 }),
      ];
    case 'arrived': {
      const params = { units: names(event.units), road: event.road ?? 0, rule };
      return [words(event.side === 'german' ? 'report.waiting' : 'report.at sea', params)];
    }
    case 'release':
      return [
        words(event.released ? 'report.released' : 'report.not released', { ...pick(event, 'formation', 'die'), rule }),
      ];
    case 'no-orders':
      return [words('report.no orders', { side: sideName(event.side) })];
    case 'victory':
      return [words(`report.victory ${event.winner}`, { count: event.count, rule })];
    case 'order-dropped':
      return [{ key: `overlord.report.dropped`, params: { line: event.line, code: event.code, rule } }];
    default:
      return tellCombat(campaign, event);
  }
}

function pick<T, K extends keyof T & string>(from: T, ...keys: K[]): Record<string, Param> {
  return Object.fromEntries(keys.map((key) => [key, from[key] as Param]));
}

/** `German` or `Allied`. */
export function sideName(side: string): string {
  return side === 'german' ? 'German' : 'Allied';
}

function tellCombat(campaign: Campaign, event: OverlordEvent): Words[] {
  const rule = event.rule ?? '';
  const place = (hex: string): string => placeName(campaign, hex);
  switch (event.type) {
    case 'forecast':
      return [words('report.forecast', { ...oddsParams(campaign, event.odds), line: event.line })];
    case 'battle':
      return [
        words('report.battle', { ...oddsParams(campaign, event.odds), side: sideName(event.side) }),
        ...shareWords('report.attackers', event.odds.attackers),
        ...shareWords('report.defenders', event.odds.defenders),
        words(event.die === null ? 'report.automatic' : 'report.result', {
          die: event.die ?? 0,
          result: event.result,
          column: event.odds.column ?? '',
          table: event.odds.table,
          house: event.house,
          rule,
        }),
      ];
    case 'battle-void':
      return [words(`report.void ${event.why}`, { line: event.line, hex: place(event.hex), what: event.what, rule })];
    case 'lost':
      return [
        words(`report.lost ${event.cause}`, {
          units: nameUnits(campaign, event.units),
          hexes: [...new Set(event.hexes)].map(place),
          due: event.due === null ? '' : worthText(event.due),
          factors: event.factors,
          side: sideName(event.side),
          rule,
        }),
      ];
    case 'retreated':
      return [
        words('report.retreated', {
          unit: event.unit,
          from: event.from,
          path: event.path.join(' '),
          cost: points(event.cost),
          road: event.road,
          rule,
        }),
      ];
    default:
      return tellFollowing(campaign, event);
  }
}

/** Breakouts, advances, and what comes to nothing of them. */
function tellFollowing(campaign: Campaign, event: OverlordEvent): Words[] {
  const rule = event.rule ?? '';
  const place = (hex: string): string => placeName(campaign, hex);
  switch (event.type) {
    case 'breakout-roll':
      return [
        words('report.breakout', {
          die: event.die,
          hex: place(event.hex),
          allowances: event.allowances.map(({ unit, quarters }) => `${unit} ${points(quarters)}`),
          rule,
        }),
      ];
    case 'advanced':
      return [
        words(event.breakout ? 'report.broke out' : 'report.advanced', {
          unit: event.unit,
          path: event.path.join(' '),
          cost: event.cost === null ? '' : points(event.cost),
          stopped: event.stopped ?? '',
          rule,
        }),
      ];
    case 'advance-short':
      return [
        words(`report.short ${event.code}`, {
          units: nameUnits(campaign, event.units),
          target: place(event.hex),
          ...event.params,
          rule,
        }),
      ];
    default:
      return [];
  }
}

function movedWords(campaign: Campaign, event: Extract<OverlordEvent, { type: 'moved' }>): Words {
  const range = (values: readonly number[]): string => [...new Set(values)].map(points).join(' or ');
  return words('report.moved', {
    units: nameUnits(campaign, event.units),
    from: event.from,
    path: event.path.join(' '),
    cost: range(event.costs),
    allowance: range(event.allowances),
    isolated: event.isolated.length > 0,
    stopped: event.stopped ?? '',
  });
}

function withdrawalWords(campaign: Campaign, event: Extract<OverlordEvent, { type: 'withdrawal' }>): Words[] {
  const base = { hex: placeName(campaign, event.hex), factors: event.factors, rule: event.rule ?? '' };
  const lines = [
    words('report.withdrawal', { ...base, units: nameUnits(campaign, event.units) || '-', removed: event.removed }),
  ];
  if (event.passedOver.length > 0)
    lines.push(words('report.passed over', { ...base, units: nameUnits(campaign, event.passedOver) }));
  return lines;
}

function oddsParams(campaign: Campaign, odds: Odds): Record<string, Param> {
  return {
    hex: placeName(campaign, odds.hex),
    attackers: nameUnits(
      campaign,
      odds.attackers.map((share) => share.unit),
    ),
    defenders: nameUnits(
      campaign,
      odds.defenders.map((share) => share.unit),
    ),
    attack: worthText(odds.attack),
    defence: worthText(odds.defence),
    ratio: odds.ratio,
    column: odds.column ?? '',
    terrain: odds.terrain,
    times: odds.terrainTimes,
    tac: odds.tac,
    naval: odds.naval,
    navalDefence: odds.navalDefence,
  };
}

/** Only where something changed a unit's printed factor. */
function shareWords(key: string, shares: readonly Share[]): Words[] {
  const changed = shares.filter((share) => share.notes.length > 0);
  if (changed.length === 0) return [];
  return [
    words(key, {
      shares: changed.map(({ unit, worth, notes }) => `${unit} ${worthText(worth)} (${notes.join(', ')})`),
    }),
  ];
}
