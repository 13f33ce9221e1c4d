/** Two-hex worlds for tests of Overlord: the campaign map or the case board, units put where a test wants them. */
import fs from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Adjudication, type Answer, adjudicate } from '../../src/kernel/judge.ts';
import { readBlock, standingAfter } from '../../src/kernel/orders.ts';
import type { Diagnostic, Filed, GameState, Rules } from '../../src/kernel/types.ts';
import { viewFor } from '../../src/kernel/view.ts';
import { openWording } from '../../src/render/words.ts';
import { openScenarios, SCENARIOS } from '../../src/scenarios.ts';
import { type Campaign, openCampaign } from '../../src/systems/overlord/content/campaign.ts';
import type { OverlordData } from '../../src/systems/overlord/content/scenario.ts';
import { type Field, openField } from '../../src/systems/overlord/field/field.ts';
import { overlord } from '../../src/systems/overlord/system.ts';
import type {
  Overlord,
  OverlordEvent,
  OverlordSide,
  OverlordStanding,
  OverlordTable,
} from '../../src/systems/overlord/types.ts';
import { type ScriptedRoll, scriptedDice } from './dice.ts';

const store = openScenarios([SCENARIOS]);
const opened = store.open('overlord/campaign');
/** The campaign's content, a copy to change. */
export const campaignData = (): OverlordData => structuredClone(opened.scenario.data) as OverlordData;
export const campaignFiles = (): Record<string, unknown> => structuredClone(opened.files);
export const wording = openWording();

export interface World {
  rules: Rules<Overlord>;
  campaign: Campaign;
}

function world(data: OverlordData): World {
  return { rules: overlord.open({ ...opened.scenario, data }), campaign: openCampaign(data) };
}

const caseMap = JSON.parse(
  fs.readFileSync(fileURLToPath(new URL('../systems/overlord/fixtures/case-board.json', import.meta.url)), 'utf8'),
) as OverlordData['map'];

/** The campaign map. */
export const normandy = world(campaignData());
/** The board of the worked cases: 9 columns by 30 rows, mostly plain. */
export const board = world({ ...campaignData(), map: caseMap });

export interface Position {
  turn?: number;
  step?: string;
  /** Unit or formation to hex or place; everybody else is still to come. */
  units?: Record<string, string>;
  table?: Partial<OverlordTable>;
  options?: Partial<OverlordTable['options']>;
}

/** A state with these units and no others on the map. */
export function position({ rules, campaign }: World, given: Position): GameState<Overlord> {
  const state = rules.setup(given.options ?? {}, scriptedDice([]));
  for (const unit of campaign.units) state.table.units[unit.id] = 'due';
  for (const [name, place] of Object.entries(given.units ?? {}))
    for (const id of campaign.formations.get(name)?.units ?? [name]) state.table.units[id] = place;
  state.table.held = [];
  Object.assign(state.table, structuredClone(given.table ?? {}));
  state.phase = { n: 7, turn: given.turn ?? 3, step: given.step ?? 'german' };
  return state;
}

export function fieldOf({ campaign }: World, state: GameState<Overlord>): Field {
  return openField(campaign, state.table, state.phase.turn);
}

export interface Read extends Filed<Overlord> {
  diagnostics: Diagnostic[];
}

/** Reads and checks the lines of one side; nothing is dropped. */
export function read(
  { rules }: World,
  state: GameState<Overlord>,
  side: OverlordSide,
  texts: readonly string[],
  kept: readonly OverlordStanding[] = [],
): Read {
  const view = viewFor(state, side);
  const block = readBlock(texts);
  const parsed = rules.parse(block.lines, view);
  const checked = rules.check(view, parsed.orders, standingAfter(kept, parsed.standing));
  return {
    orders: parsed.orders,
    standing: parsed.standing,
    diagnostics: [...block.diagnostics, ...parsed.diagnostics, ...checked],
  };
}

/** Codes of errors (and of warnings, if asked) as `line CODE`. */
export function codes(diagnostics: readonly Diagnostic[], severity: 'error' | 'warning' = 'error'): string[] {
  return diagnostics.filter((one) => one.severity === severity).map((one) => `${one.line} ${one.code}`);
}

/** What a player reads of each complaint, with its line. */
export function complaints(diagnostics: readonly Diagnostic[]): string[] {
  return diagnostics.map((one) => `${one.line}: ${wording.complain('overlord', one)}`);
}

export interface Played {
  state: GameState<Overlord>;
  events: OverlordEvent[];
  decisions: { id: string; chosen: string[]; by: string }[];
}

export interface Play {
  german?: string[];
  allied?: string[];
  dice?: ScriptedRoll[];
  answers?: Record<string, Answer>;
  nmr?: OverlordSide[];
}

/** Runs one phase; every line that was written counts, however wrong, and all scripted dice must be used. */
export function play(given: World, state: GameState<Overlord>, orders: Play): Played {
  const result = judge(given, state, orders);
  if (result.status !== 'done') throw new Error(`waiting for ${result.requests.map((one) => one.id).join(', ')}`);
  return { state: result.state, events: result.events, decisions: result.decisions };
}

/** As `play`, but may wait for answers. */
export function judge(given: World, state: GameState<Overlord>, orders: Play): Adjudication<Overlord> {
  const dice = scriptedDice(orders.dice ?? []);
  const filed: Record<string, Filed<Overlord>> = {};
  for (const side of ['german', 'allied'] as const) {
    const { orders: own, standing } = read(given, state, side, orders[side] ?? []);
    filed[side] = { orders: own, standing: standingAfter([], standing) };
  }
  const input = { state, filed, answers: orders.answers ?? {}, nmr: orders.nmr ?? [] };
  const result = adjudicate(given.rules, input, dice);
  if (result.status === 'done') dice.done();
  return result;
}

/** The events of a type. */
export function eventsOf<T extends OverlordEvent['type']>(
  events: readonly OverlordEvent[],
  type: T,
): Extract<OverlordEvent, { type: T }>[] {
  return events.filter((event): event is Extract<OverlordEvent, { type: T }> => event.type === type);
}

/** Every line of a report as its reader gets it. */
export function reportLines(
  given: World,
  state: GameState<Overlord>,
  viewer: string,
  events: OverlordEvent[],
): string[] {
  const heard = events.filter((event) => event.audience === 'all' || event.audience.includes(viewer));
  const report = given.rules.report(viewFor(state, viewer), heard, { orders: [], standing: [] });
  return [
    wording.say(report.headline),
    ...report.sections.flatMap((section) => [
      wording.say(section.title),
      ...section.lines.map((line) => wording.say(line)),
    ]),
  ];
}
