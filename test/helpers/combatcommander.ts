/** Combat Commander in tests: a campaign on the table, phases played with scripted or seeded dice, and two bots. */

import { createHash } from 'node:crypto';
import { phaseDice } from '../../src/kernel/dice.ts';
import { type Adjudication, type Answer, adjudicate } from '../../src/kernel/judge.ts';
import { readBlock, standingAfter } from '../../src/kernel/orders.ts';
import type {
  DecisionRequest,
  Diagnostic,
  Dice,
  DieRoll,
  Filed,
  GameState,
  Rules,
  SideId,
  Words,
} from '../../src/kernel/types.ts';
import { publicView, viewFor } from '../../src/kernel/view.ts';
import { openWording } from '../../src/render/words.ts';
import { openScenarios, SCENARIOS } from '../../src/scenarios.ts';
import type { CampaignData } from '../../src/systems/combatcommander/content/scenario.ts';
import {
  type CampaignDoctrine,
  type CampaignEvent,
  type CombatCommander,
  type CommanderSide,
  enemyOf,
  SIDES,
} from '../../src/systems/combatcommander/types.ts';
import { formOf } from './play.ts';

export type State = GameState<CombatCommander>;
type Done = Extract<Adjudication<CombatCommander>, { status: 'done' }>;

const store = openScenarios([SCENARIOS]);
const opened = store.open('combatcommander/campaign');
export const data = opened.scenario.data as CampaignData;
export const files = opened.files;
export const rules = opened.rules as unknown as Rules<CombatCommander>;
export const wording = openWording();

/** Rolls by a part of their purpose; what is not scripted shows ones. Shuffles keep their order unless `chits` says so. */
function tableDice(script: Record<string, number[]> = {}): Dice & { log: DieRoll[] } {
  const log: DieRoll[] = [];
  return {
    log,
    roll(purpose, count, sides) {
      const key = Object.keys(script).find((part) => purpose.includes(part));
      const rolls = (key && script[key]) || Array.from({ length: count }, () => 1);
      if (rolls.length !== count) throw new Error(`"${purpose}" rolls ${count} dice, the script gives ${rolls.length}`);
      log.push({ context: purpose, sides, rolls });
      return [...rolls];
    },
    shuffle(purpose, items) {
      log.push({ context: purpose, sides: items.length, rolls: items.map((_, i) => i), secret: true });
      return [...items];
    },
    draw(purpose, drawn) {
      log.push({ context: purpose, sides: 0, rolls: [], drawn });
    },
  };
}

/** Keyed dice: the same word and phase, the same rolls. */
function seededDice(seed: string, state: Pick<State, 'phase'>) {
  const key = (kind: string): Buffer => createHash('sha256').update(`${seed}/${state.phase.n}/${kind}`).digest();
  return phaseDice(key('open'), key('secret'), 'CCN-0001', state.phase);
}

/** A campaign before its first battle. */
export function newCampaign(options: Record<string, unknown> = {}, script: Record<string, number[]> = {}): State {
  return rules.setup(options, tableDice(script));
}

export interface Reading extends Filed<CombatCommander> {
  diagnostics: Diagnostic[];
  codes: string[];
}

/** Reads a block as a mail would be read: errors drop their lines. */
export function read(
  state: State,
  side: CommanderSide,
  lines: readonly string[],
  kept: readonly CampaignDoctrine[] = [],
): Reading {
  const view = viewFor(state, side);
  const block = readBlock(lines);
  const parsed = rules.parse(block.lines, view);
  const checked = rules.check(view, parsed.orders, standingAfter(kept, parsed.standing));
  const diagnostics = [...block.diagnostics, ...parsed.diagnostics, ...checked];
  for (const diagnostic of diagnostics) wording.complain('combatcommander', diagnostic);
  const wrong = new Set(diagnostics.filter((one) => one.severity === 'error').map((one) => one.line));
  return {
    orders: parsed.orders.filter((order) => !wrong.has(order.line)),
    standing: parsed.standing.filter((order) => !wrong.has(order.line)),
    diagnostics,
    codes: diagnostics.map((one) => one.code),
  };
}

/** Codes of the complaints about a block. */
export function codes(state: State, side: CommanderSide, ...lines: string[]): string[] {
  return read(state, side, lines).codes;
}

/** Complaints in words. */
export function complaints(state: State, side: CommanderSide, ...lines: string[]): string[] {
  return read(state, side, lines).diagnostics.map((one) => wording.complain('combatcommander', one));
}

export interface Played {
  state: State;
  events: CampaignEvent[];
  requests: DecisionRequest[];
  result: Done;
}

type Block = readonly string[];
export interface PlayOptions {
  dice?: Record<string, number[]>;
  seed?: string;
  answer?: (request: DecisionRequest) => string[];
  /** Doctrine lines in force, by side. */
  standing?: Partial<Record<CommanderSide, Block>>;
}

/** Runs the open phase. A side not named has filed nothing; bad lines fail the test. */
export function play(state: State, blocks: Partial<Record<CommanderSide, Block>>, options: PlayOptions = {}): Played {
  const filed: Record<SideId, Filed<CombatCommander>> = {};
  for (const side of SIDES) {
    const standing = read(state, side, options.standing?.[side] ?? []).standing;
    const reading = read(state, side, blocks[side] ?? []);
    const wrong = reading.diagnostics.filter((one) => one.severity === 'error');
    if (wrong.length > 0) throw new Error(complaints(state, side, ...(blocks[side] ?? [])).join('\n'));
    filed[side] = { orders: reading.orders, standing: [...standing, ...reading.standing] };
  }
  return playFiled(state, filed, (side) => blocks[side] !== undefined, options);
}

/** Runs the open phase with orders as they are, illegal ones included. */
export function playFiled(
  state: State,
  filed: Record<SideId, Filed<CombatCommander>>,
  hasFiled: (side: CommanderSide) => boolean,
  options: PlayOptions = {},
): Played {
  const nmr = rules
    .asks(publicView(state))
    .filter((ask) => ask.must && !hasFiled(ask.side as CommanderSide))
    .map((ask) => ask.side);
  const silent = rules.pace(publicView(state))?.silence === 'accept';
  const answers: Record<string, Answer> = {};
  const requests: DecisionRequest[] = [];
  for (let round = 0; round < 10; round++) {
    const dice = options.seed === undefined ? tableDice(options.dice) : seededDice(options.seed, state);
    const input = { state, filed, answers, nmr: silent ? [] : nmr };
    const result = adjudicate(rules, input, dice as ReturnType<typeof seededDice>);
    if (result.status === 'done') return { state: result.state, events: result.events, requests, result };
    for (const request of result.requests) {
      requests.push(request);
      answers[request.id] = { chosen: (options.answer ?? ((one) => one.fallback))(request), by: 'answer' };
    }
  }
  throw new Error('the phase asks without end');
}

/** The first event of a type; fails when there is none. */
export function first<T extends CampaignEvent['type']>(
  events: readonly CampaignEvent[],
  type: T,
): Extract<CampaignEvent, { type: T }> {
  const found = events.find((event) => event.type === type);
  if (!found) throw new Error(`no event ${type} among ${events.map((event) => event.type).join(', ')}`);
  return found as Extract<CampaignEvent, { type: T }>;
}

/** All events of a type. */
export function all<T extends CampaignEvent['type']>(
  events: readonly CampaignEvent[],
  type: T,
): Extract<CampaignEvent, { type: T }>[] {
  return events.filter((event): event is Extract<CampaignEvent, { type: T }> => event.type === type);
}

/** The report of one viewer as lines of text. */
export function reportText(
  state: State,
  viewer: CommanderSide | 'public',
  events: readonly CampaignEvent[] = [],
): string[] {
  const heard = events.filter((event) => event.audience === 'all' || event.audience.includes(viewer as CommanderSide));
  const report = rules.report(viewFor(state, viewer), heard, { orders: [], standing: [] });
  const say = (words: Words): string => wording.say(words);
  return [
    say(report.headline),
    ...report.sections.flatMap((section) => [`== ${say(section.title)}`, ...section.lines.map(say)]),
    ...formOf(report).map((line) => `> ${line}`),
  ];
}

/** Plays on with empty choices until a step is reached. */
export function playTo(state: State, step: string, options: PlayOptions = {}): State {
  let at = state;
  for (let i = 0; at.phase.step !== step; i++) {
    if (i > 20) throw new Error(`${step} is never reached`);
    const blocks: Partial<Record<CommanderSide, Block>> = {};
    for (const { side, must } of rules.asks(publicView(at))) if (must) blocks[side as CommanderSide] = passive(at);
    at = play(at, blocks, options).state;
  }
  return at;
}

function passive(state: State): Block {
  if (state.phase.step === 'sections') return ['SECTIONS NONE'];
  return state.phase.step === 'support' ? ['ARMOR NO'] : [];
}

/** Fights the battle in hand: the winner reports, the loser confirms, and A1 is left open. */
export function fight(state: State, winner: CommanderSide, dice: Record<string, number[]> = {}, tail = ''): Played {
  const ready = playTo(state, 'battle', { dice });
  const number = ready.table.campaign.battle;
  const reported = play(ready, { [winner]: [`REPORT BATTLE ${number} WINNER ${winner.toUpperCase()}${tail}`] }).state;
  return play(reported, { [enemyOf(winner)]: [`CONFIRM BATTLE ${number}`] }, { dice });
}

/** Fights battles with these winners; between them the winner leaves all as it is. Stands after the last one is closed. */
export function fightAll(winners: string, start = newCampaign(), dice: Record<string, number[]> = {}): Played {
  let played: Played | undefined;
  let state = start;
  for (const letter of winners) {
    if (state.phase.step === 'after') state = settle(state).state;
    played = fight(state, letter === 'W' ? 'american' : 'german', dice);
    state = played.state;
  }
  if (!played) throw new Error('no battle to fight');
  return played;
}

/** Leaves everything as it is in A1. */
export function settle(
  state: State,
  winner: Block = ['CHOOSE QUALITY NONE', 'CHOOSE REQUEST 1'],
  loser?: Block,
): Played {
  const side = state.table.after?.winner ?? 'american';
  return play(state, { [side]: winner, ...(loser ? { [enemyOf(side)]: loser } : {}) });
}

/** The campaign at the end of the printed example's choice: American C and E, German D, German 4 VP. */
export function printedExample(dice: Record<string, number[]> = {}, options: Record<string, unknown> = {}): Played {
  return play(newCampaign(options), { american: ['SECTIONS C E'], german: ['SECTIONS D'] }, { dice });
}
