/** Whole games of Overlord between test players, with everything that must hold after each phase. */
import { createHash } from 'node:crypto';
import { type LoggedDice, phaseDice } from '../../src/kernel/dice.ts';
import { canonical, hashOf } from '../../src/kernel/hash.ts';
import { type Adjudication, type Answer, adjudicate, type PhaseInput } from '../../src/kernel/judge.ts';
import { standingAfter } from '../../src/kernel/orders.ts';
import type { DecisionRequest, Filed, GameState, PhaseId, View } from '../../src/kernel/types.ts';
import { publicView, viewFor } from '../../src/kernel/view.ts';
import {
  OFF_MAP,
  type Overlord,
  type OverlordEvent,
  type OverlordSide,
  type OverlordStanding,
  SIDES,
} from '../../src/systems/overlord/types.ts';
import { reportLines, type World } from './overlord.ts';

const PHASES_MAX = 200;
const ROUNDS_MAX = 500;

/** Writes a side's order lines from what it sees. */
export type Player = (view: View<Overlord>) => string[];

export interface GameRecord {
  phases: { input: PhaseInput<Overlord>; seed: string; hash: string; events: OverlordEvent[] }[];
  state: GameState<Overlord>;
}

export function diceFor(seed: string, phase: PhaseId): LoggedDice {
  const key = createHash('sha256').update(`${seed}/${phase.n}`).digest();
  return phaseDice(key, key, 'OVL-0001', phase);
}

/** Files the lines as the service does: lines with an error fall until the rest has none. */
export function file(
  world: World,
  state: GameState<Overlord>,
  side: OverlordSide,
  texts: readonly string[],
  kept: readonly OverlordStanding[] = [],
): Filed<Overlord> {
  const view = viewFor(state, side);
  const parsed = world.rules.parse(
    texts.map((text, i) => ({ n: i + 1, text })),
    view,
  );
  const bad = new Set<number | 'mail'>(
    parsed.diagnostics.filter((one) => one.severity === 'error').map((one) => one.line),
  );
  const standing = standingAfter(kept, parsed.standing);
  let orders = parsed.orders;
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const errors = world.rules.check(view, orders, standing).filter((one) => one.severity === 'error');
    if (errors.length === 0) break;
    for (const one of errors) bad.add(one.line);
    orders = orders.filter((order) => !bad.has(order.line));
  }
  return { orders, standing: parsed.standing };
}

/** Runs one phase, putting every question to `answer`. */
export function runPhase(
  world: World,
  input: PhaseInput<Overlord>,
  seed: string,
  answer: (request: DecisionRequest) => string[],
): Extract<Adjudication<Overlord>, { status: 'done' }> {
  const answers: Record<string, Answer> = input.answers;
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const result = adjudicate(world.rules, input, diceFor(seed, input.state.phase));
    if (result.status === 'done') return result;
    for (const request of result.requests) answers[request.id] = { chosen: answer(request), by: 'answer' };
  }
  throw new Error('questions without end');
}

/** Plays from a state to the end of the game, checking after every phase. */
export function playGame(
  world: World,
  start: GameState<Overlord>,
  players: Record<OverlordSide, Player>,
  seed: string,
  answer: (request: DecisionRequest) => string[] = (request) => request.fallback,
): GameRecord {
  const record: GameRecord = { phases: [], state: start };
  const kept: Record<OverlordSide, OverlordStanding[]> = { german: [], allied: [] };
  while (world.rules.asks(publicView(record.state)).length > 0) {
    if (record.phases.length > PHASES_MAX) throw new Error('a game without end');
    const { state } = record;
    const filed: Record<string, Filed<Overlord>> = {};
    for (const side of SIDES) {
      const { orders, standing } = file(world, state, side, players[side](viewFor(state, side)), kept[side]);
      kept[side] = standingAfter(kept[side], standing);
      filed[side] = { orders, standing: kept[side] };
    }
    const input: PhaseInput<Overlord> = { state, filed, answers: {}, nmr: [] };
    const result = runPhase(world, input, seed, answer);
    record.phases.push({ input, seed, hash: result.hash, events: result.events });
    record.state = result.state;
    const faults = faultsOf(world, state, result.state, result.events);
    if (faults.length > 0) throw new Error(`seed ${seed}, phase ${state.phase.n}: ${faults.join('; ')}`);
  }
  return record;
}

/** Everything that must hold after a phase; the faults found. */
function faultsOf(
  { rules, campaign }: World,
  before: GameState<Overlord>,
  state: GameState<Overlord>,
  events: readonly OverlordEvent[],
): string[] {
  const faults: string[] = [];
  const { grid, sea } = campaign.board;
  const stacks = new Map<string, string[]>();
  if (Object.keys(state.table.units).length !== campaign.units.length) faults.push('units are missing from the table');
  for (const unit of campaign.units) {
    const where = state.table.units[unit.id];
    const cell = where === undefined ? undefined : grid.index.get(where);
    if (where === undefined || (cell === undefined && !OFF_MAP.includes(where))) faults.push(`${unit.id} is nowhere`);
    else if (cell !== undefined) {
      if (sea[cell] === 1) faults.push(`${unit.id} is in the sea at ${where}`);
      stacks.set(where, [...(stacks.get(where) ?? []), unit.id]);
    }
    const gone = before.table.units[unit.id]!;
    if ((gone === 'exited' || gone === 'withdrawn') && where !== gone) faults.push(`${unit.id} came back from ${gone}`);
    if (gone === 'lost' && where !== 'lost' && unit.side === 'german') faults.push(`${unit.id} rose from the dead`);
  }
  for (const [hex, ids] of stacks) {
    const formations = new Set(ids.map((id) => id.split('/')[0]));
    const sides = new Set(ids.map((id) => campaign.units[campaign.unitIndex.get(id)!]!.side));
    if (ids.length > 3 && formations.size > 1) faults.push(`${hex} is over-full: ${ids.join(' ')}`);
    if (sides.size > 1) faults.push(`both sides stand in ${hex}`);
  }
  const exited = campaign.units.filter((unit) => state.table.units[unit.id] === 'exited').length;
  if (exited !== state.table.exits.length) faults.push(`${exited} units off, ${state.table.exits.length} booked`);
  if (hashOf(JSON.parse(canonical(state))) !== hashOf(state)) faults.push('the state changes in JSON');
  if (state.phase.n !== before.phase.n + 1) faults.push('the phase number jumps');
  for (const event of events)
    if (event.audience !== 'all' && event.audience.length === 0) faults.push(`${event.type} is heard by nobody`);
  if (state.table.over && rules.asks(publicView(state)).length > 0) faults.push('the game is over and still asks');
  return faults;
}

/** Runs every phase of a record again from its inputs; the phases whose hash differs. */
export function replayFaults(world: World, record: GameRecord): number[] {
  const wrong: number[] = [];
  for (const { input, seed, hash } of record.phases) {
    const again = adjudicate(world.rules, structuredClone(input), diceFor(seed, input.state.phase));
    if (again.status !== 'done' || again.hash !== hash) wrong.push(input.state.phase.n);
  }
  return wrong;
}

/** Words for every viewer, and a scene: throws when anything can't be said. */
export function sayAll(world: World, record: GameRecord, every: number): void {
  record.phases.forEach(({ events }, i) => {
    if (i % every !== 0) return;
    const state = record.phases[i + 1]?.input.state ?? record.state;
    for (const viewer of ['german', 'allied', 'public']) {
      reportLines(world, state, viewer, events);
      world.rules.scenes(viewFor(state, viewer), events)[0]!;
    }
  });
}
