/** The sequence of play (Sequence of Movement): one table of steps, and what each part of a step does. */
import { assert } from '../../../kernel/assert.ts';
import type { Decision, GameState, PhaseId, Ruling } from '../../../kernel/types.ts';
import { interdictionFault, rollWeather } from '../combat/air.ts';
import { planCombat } from '../combat/attacks.ts';
import { type Combat, fightAll } from '../combat/battle.ts';
import { type Campaign, turnOf } from '../content/campaign.ts';
import { startOf } from '../field/condition.ts';
import { type Field, openField } from '../field/field.ts';
import { repairBeaches } from '../field/ground.ts';
import { isMovement, type LineLog } from '../field/line.ts';
import type { Overlord, OverlordEvent, OverlordOrder, OverlordQuestion, OverlordSide } from '../types.ts';
import { runMovement } from './moves.ts';
import { withdraw } from './withdrawal.ts';

/** Parts in the order in which a step runs them. */
type Part = 'interdict before' | 'releases' | 'withdrawal' | 'movement' | 'lift' | 'combat' | 'turn end';

/** One step of the sequence of play. */
export interface SequenceStep {
  name: string;
  /** Who owes orders. */
  side: OverlordSide;
  parts: readonly Part[];
  next: string;
}

/**
 * Set-up: the Allies place interdiction before the first German move, then the held divisions are rolled for. Each turn:
 * German movement, German combat, Allied movement, Allied combat (OVL-SEQ-01 to 05); in split mode each in a mail of its
 * own. Interdiction is lifted as soon as the Germans have moved, since it lasts until the end of their movement. The
 * end of a turn prepares the next: weather, arrivals, repairs, so that the German report shows them.
 */
const STEPS: Record<'whole' | 'split', readonly SequenceStep[]> = {
  whole: [
    { name: 'set-up', side: 'allied', parts: ['interdict before', 'releases'], next: 'german' },
    { name: 'german', side: 'german', parts: ['withdrawal', 'movement', 'lift', 'combat'], next: 'allied' },
    { name: 'allied', side: 'allied', parts: ['movement', 'combat', 'turn end'], next: 'german' },
  ],
  split: [
    { name: 'set-up', side: 'allied', parts: ['interdict before', 'releases'], next: 'german-moves' },
    { name: 'german-moves', side: 'german', parts: ['withdrawal', 'movement', 'lift'], next: 'german-combat' },
    { name: 'german-combat', side: 'german', parts: ['combat'], next: 'allied-moves' },
    { name: 'allied-moves', side: 'allied', parts: ['movement'], next: 'allied-combat' },
    { name: 'allied-combat', side: 'allied', parts: ['combat', 'turn end'], next: 'german-moves' },
  ],
};

/** The step a phase is in; undefined when the game is over. */
export function stepOf(mode: 'whole' | 'split', phase: PhaseId): SequenceStep | undefined {
  return STEPS[mode].find((step) => step.name === phase.step);
}

/** One phase, start to end (see `Rules.adjudicate`). */
export function* runPhase(
  campaign: Campaign,
  draft: GameState<Overlord>,
  orders: Record<string, OverlordOrder[]>,
  ruling: Ruling<Overlord>,
): Generator<OverlordQuestion[], void, Decision[]> {
  const step = stepOf(draft.table.options.mode, draft.phase);
  assert(step && !draft.table.over, `no phase to run: ${draft.phase.step}`);
  const field = openField(campaign, draft.table, draft.phase.turn);
  const own = orders[step.side] ?? [];
  for (const side of ruling.nmr)
    if (side === step.side) ruling.emit({ type: 'no-orders', audience: 'all', side: step.side });
  const log: LineLog = {
    emit: ruling.emit,
    say(diagnostic) {
      if (diagnostic.severity !== 'error' || diagnostic.line === 'mail') return;
      const { line, code } = diagnostic;
      const params = diagnostic.params as Record<string, string | number | string[]>;
      const event: OverlordEvent = { type: 'order-dropped', audience: [step.side], line, code, params };
      ruling.emit(diagnostic.rule === undefined ? event : { ...event, rule: diagnostic.rule });
    },
  };
  let ended = false;
  for (const part of step.parts) {
    if (draft.table.over) break;
    if (part === 'turn end') {
      endTurn(field, ruling);
      ended = true;
    } else yield* runPart(part, { field, step, own, log, ruling });
  }
  const { n, turn } = draft.phase;
  if (draft.table.over) draft.phase = { n: n + 1, turn, step: 'over' };
  else draft.phase = { n: n + 1, turn: ended ? turn + 1 : turn, step: step.next };
}

interface Running {
  field: Field;
  step: SequenceStep;
  own: OverlordOrder[];
  log: LineLog;
  ruling: Ruling<Overlord>;
}

function* runPart(part: Exclude<Part, 'turn end'>, running: Running): Generator<OverlordQuestion[], void, Decision[]> {
  const { field, step, own, log, ruling } = running;
  switch (part) {
    case 'interdict before':
      interdictBefore(field, own, log);
      return;
    case 'releases':
      rollReleases(field, ruling);
      return;
    case 'withdrawal':
      yield* withdraw(field, ruling.emit);
      return;
    case 'movement':
      runMovement(field, step.side, own, startOf(field, step.side), log);
      return;
    case 'lift':
      if (Object.keys(field.table.interdiction).length === 0) return;
      field.table.interdiction = {};
      ruling.emit({ type: 'interdiction-lifted', audience: 'all', rule: 'OVL-EXM-05' });
      return;
    case 'combat':
      yield* runCombat(running);
  }
}

function* runCombat({ field, step, own, log, ruling }: Running): Generator<OverlordQuestion[], void, Decision[]> {
  const plan = planCombat(
    field,
    step.side,
    own.filter((order) => !isMovement(order)),
    log,
  );
  const combat: Combat = {
    field,
    side: step.side,
    start: startOf(field, step.side),
    dice: ruling.dice,
    emit: ruling.emit,
    attacked: new Set(),
    defended: new Set(),
    spoiled: new Set(),
    begun: new Set(),
    navalLeft: field.campaign.data.house.naval.perCombat,
    alliedDoctrine: ruling.standing.allied ?? [],
  };
  yield* fightAll(combat, plan);
  if (field.table.over || plan.interdiction.length === 0) return;
  place(field, plan.interdiction, ruling.emit);
}

function place(field: Field, hexes: { hex: string; factors: number }[], emit: (event: OverlordEvent) => void): void {
  for (const { hex, factors } of hexes) field.table.interdiction[hex] = factors;
  emit({ type: 'interdicted', audience: 'all', rule: 'OVL-EXM-05', hexes });
}

/** Step 1.set-up: up to the first turn's factors of interdiction before the first German move (house). */
function interdictBefore(field: Field, own: readonly OverlordOrder[], log: LineLog): void {
  const placed = planFirstInterdiction(field, own, log);
  if (placed.length > 0) place(field, placed, log.emit);
}

/** What the INTERDICT lines of the set-up place; every other order is refused. Shared by check and judge. */
export function planFirstInterdiction(
  field: Field,
  own: readonly OverlordOrder[],
  log: LineLog,
): { hex: string; factors: number }[] {
  const placed = new Map<string, number>();
  let budget = field.table.options.interdiction ? field.campaign.data.house.interdiction.firstTurn : 0;
  for (const order of own) {
    const say = (code: string, params: Record<string, string | number>, rule: string): void =>
      log.say({ code, severity: 'error', line: order.line, params, rule });
    if (order.verb !== 'INTERDICT') {
      say('WRONG STEP', { verb: order.verb, step: 'set-up' }, 'OVL-SEQ-01');
      continue;
    }
    if (!field.table.options.interdiction) {
      say('MODULE OFF', { module: 'INTERDICT' }, 'OVL-EXM-05');
      continue;
    }
    const fault = interdictionFault(field, order, budget, placed);
    if (fault) {
      say(fault.code, { ...fault.params, allotment: field.campaign.data.house.interdiction.firstTurn }, fault.rule);
      continue;
    }
    for (const { hex, factors } of order.hexes) {
      placed.set(hex, (placed.get(hex) ?? 0) + factors);
      budget -= factors;
    }
  }
  return [...placed].map(([hex, factors]) => ({ hex, factors }));
}

/** June 6: each held division is free to move on a 1, 2 or 3, rolled one by one (OVL-GOB-02). */
function rollReleases(field: Field, ruling: Ruling<Overlord>): void {
  const { setup } = field.campaign.data;
  const held: string[] = [];
  for (const formation of setup.held) {
    const die = ruling.dice.roll(`release of ${formation}`, 1, 6)[0]!;
    const released = setup.releasedOn.includes(die);
    if (!released) held.push(formation);
    ruling.emit({ type: 'release', audience: 'all', rule: 'OVL-GOB-02', formation, die, released });
  }
  field.table.held = held;
}

/** The last turn ends the game (OVL-VIC-07, OVL-INT-01); otherwise the next is prepared: weather, arrivals, repairs. */
function endTurn(field: Field, ruling: Ruling<Overlord>): void {
  const { table, campaign } = field;
  if (field.turn >= campaign.turns.length) {
    const count = table.exits.length;
    table.over = { winner: 'german', reason: 'time', score: { allied: count, german: 0 } };
    ruling.emit({ type: 'victory', audience: 'all', rule: 'OVL-VIC-07', winner: 'german', count, reason: 'time' });
    return;
  }
  const turn = field.turn + 1;
  const { weather, die } = rollWeather(field, turn, ruling.dice);
  table.weather = weather;
  // All held divisions may move from the second turn on (OVL-GOB-03).
  table.held = [];
  const { date } = turnOf(campaign, turn);
  ruling.emit({ type: 'turn-began', audience: 'all', rule: 'OVL-SEQ-01', turn, date, weather, die });
  const next: Field = { ...field, turn };
  repairBeaches(next, ruling.emit);
  for (const formation of campaign.formations.values()) {
    if (formation.turn !== turn) continue;
    for (const unit of formation.units) table.units[unit] = 'off';
    const { side, units, road } = formation;
    const rule = side === 'german' ? 'OVL-APP-02' : 'OVL-APP-05';
    ruling.emit({ type: 'arrived', audience: 'all', rule, side, units: [...units], road });
  }
}
