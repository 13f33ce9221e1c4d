/**
 * What would happen: one phase adjudicated on a copy, with dice of nobody's game or with a list of dice. The tool for
 * rulings, disputes and rule tests; it changes nothing and needs no database. Its result is plain JSON.
 */

import { Fault, known } from '../../kernel/assert.ts';
import {
  fullContext,
  type LoggedDice,
  listDice,
  phaseDice,
  SETUP_PHASE,
  type ShuffleOrders,
} from '../../kernel/dice.ts';
import { hashOf } from '../../kernel/hash.ts';
import { adjudicate, type PhaseInput } from '../../kernel/judge.ts';
import { standingAfter } from '../../kernel/orders.ts';
import { valuesOf } from '../../kernel/questions.ts';
import type {
  Decision,
  DecisionRequest,
  Diagnostic,
  DieRoll,
  Event,
  Filed,
  GameState,
  GameTypes,
  PhaseId,
  Rules,
  SideId,
  Standing,
  View,
  Viewer,
} from '../../kernel/types.ts';
import { publicView, viewFor } from '../../kernel/view.ts';
import type { Wording } from '../../render/words.ts';
import type { OpenScenario } from '../../scenarios.ts';
import { type GivenAnswer, headerFaults, type OrdersRead, readOrders } from '../filing/reading.ts';
import { complain, inWords, type WorkedReport } from '../post/reporttext.ts';
import { chooseOptions } from './newgame.ts';
import { opening } from './replay.ts';

/** Rounds of questions answered one after the other; more is a fault of the rules. */
const ROUNDS_MAX = 2000;
/** What stands for the game's reference in the contexts of the dice. */
const GAME = 'what-if';

export interface WhatIfInput {
  open: OpenScenario;
  /** The state to start from; undefined: the set-up with these options. */
  state?: GameState;
  options?: Record<string, unknown>;
  /** Order lines by side, as a player would write them. A side left out has filed nothing. */
  orders: Record<SideId, string[]>;
  /** Standing orders in force before. */
  standing?: Record<SideId, Standing[]>;
  /** Answers to questions that would go out by mail, by request id; without one the fallback is taken. */
  answers?: Record<string, string[]>;
  /** The dice in the order they are rolled; undefined: thrown from `seed`. */
  dice?: number[];
  /** With `dice`: what lies on top after a shuffle, by its purpose; the set-up's shuffles and the phase's. */
  shuffles?: ShuffleOrders;
  /** Thirty-two bytes of chance: throw-away keys, never a game's own. */
  seed: Uint8Array;
}

interface ReceiptLine {
  line: number | 'mail';
  status: 'ok' | 'warning' | 'error';
  code: string | null;
  rule: string | null;
  /** What the player is told; for a line without complaint the order as it was understood. */
  text: string;
  /** The line as it was written; null for the whole mail. */
  order: string | null;
}

export interface WhatIf {
  /** The phase that was run. */
  phase: PhaseId;
  receipts: { side: SideId; lines: ReceiptLine[] }[];
  events: Event[];
  decisions: Decision[];
  dice: DieRoll[];
  /** Questions that would have gone out by mail. */
  asked: DecisionRequest[];
  /** By viewer: every side and `public`. */
  report: Record<Viewer, WorkedReport>;
  /** The state afterwards; `scenario` tells which rules it belongs to. */
  state: GameState & { scenario: string };
}

/** Throws one clear line when a side, an option or the list of dice does not fit. */
export function whatIf(input: WhatIfInput, wording: Wording): WhatIf {
  const { rules, scenario, system } = input.open;
  const sides = scenario.sides.map((side) => side.id);
  for (const side of Object.keys(input.orders))
    if (!sides.includes(side)) throw new Error(`no side "${side}" in ${scenario.id}; there are ${sides.join(', ')}`);
  const setupDice = diceFor(input, SETUP_PHASE, 0);
  const state = input.state ?? opening(rules, chooseOptions(scenario, input.options ?? {}), setupDice);
  if (rules.asks(publicView(state)).length === 0) throw new Error('the game is over: no phase to run');
  const spent = input.state ? 0 : rolledBy(setupDice);
  const done = input.state ? [] : setupDice.log.map(({ context }) => context);
  const left = Object.entries(input.shuffles ?? {}).filter(
    ([purpose]) => !done.includes(fullContext(GAME, SETUP_PHASE, purpose)),
  );
  const filed: Record<SideId, Filed> = {};
  const receipts: WhatIf['receipts'] = [];
  const answered: Record<SideId, GivenAnswer[]> = {};
  for (const side of sides) {
    const before = input.standing?.[side] ?? [];
    const texts = input.orders[side];
    if (!texts) {
      if (before.length > 0) filed[side] = { orders: [], standing: before };
      continue;
    }
    const read = readOrders(rules, state, side, texts, { standing: before });
    // Whose game the lines were written for doesn't matter here.
    const expected = { ref: read.block.game ?? '', side, scenario, phase: state.phase };
    read.mail.push(...headerFaults(read.block, expected));
    receipts.push({ side, lines: receiptLines(rules, system.id, read, texts, wording) });
    answered[side] = read.answers;
    const faulty = read.mail.some(({ severity }) => severity === 'error');
    filed[side] = { orders: faulty ? [] : read.orders, standing: standingAfter(before, faulty ? [] : read.standing) };
  }
  const nmr = rules
    .asks(publicView(state))
    .filter(({ side, must }) => must && !input.orders[side])
    .map(({ side }) => side);
  const { result, asked } = run(
    { ...input, shuffles: Object.fromEntries(left) },
    { state, filed, nmr, answers: {} },
    answered,
    spent,
  );
  const report: Record<Viewer, WorkedReport> = {};
  for (const viewer of [...sides, 'public']) {
    const heard = result.events.filter((event) => event.audience === 'all' || event.audience.includes(viewer));
    const own = filed[viewer] ?? { orders: [], standing: [] };
    report[viewer] = inWords(rules.report(viewFor(result.state, viewer), heard, own), wording);
  }
  return {
    phase: state.phase,
    receipts,
    events: result.events,
    decisions: result.decisions,
    dice: result.dice,
    asked,
    report,
    state: { scenario: scenario.id, ...result.state },
  };
}

function diceFor(input: WhatIfInput, phase: PhaseId, spent: number): LoggedDice & { finish?(): void } {
  if (input.dice) return listDice(GAME, phase, input.dice.slice(spent), input.shuffles);
  const seed = Buffer.from(input.seed).toString('hex');
  const key = (kind: string): Buffer => Buffer.from(hashOf([seed, phase.n, kind]), 'hex');
  return phaseDice(key('open'), key('secret'), GAME, phase);
}

function rolledBy(dice: LoggedDice): number {
  return dice.log.reduce((sum, roll) => sum + (roll.secret ? 0 : roll.rolls.length), 0);
}

function receiptLines(
  rules: Rules,
  system: string,
  read: OrdersRead,
  written: readonly string[],
  wording: Wording,
): ReceiptLine[] {
  const told = (diagnostic: Diagnostic, order: string | null): ReceiptLine => ({
    line: diagnostic.line,
    status: diagnostic.severity,
    code: diagnostic.code,
    rule: diagnostic.rule ?? null,
    text: complain(wording, system, diagnostic),
    order,
  });
  const lines = read.mail.map((diagnostic) => told(diagnostic, null));
  for (const { n, text, diagnostics } of read.echo) {
    const understood = [...read.orders, ...read.standing]
      .filter((order) => order.line === n)
      .map((o) => rules.print(o));
    const said = understood.join('; ') || text;
    // The echo shows a line that stands as it was understood; beside that stands what was written.
    const order = written[n - 1]?.trim() ?? text;
    if (diagnostics.length > 0) lines.push(...diagnostics.map((diagnostic) => told(diagnostic, order)));
    else lines.push({ line: n, status: 'ok', code: null, rule: null, text: said, order });
  }
  return lines;
}

/** Runs the phase again with each answer it asks for, until it is done. */
function run(input: WhatIfInput, phase: PhaseInput<GameTypes>, answered: Record<SideId, GivenAnswer[]>, spent: number) {
  const { rules } = input.open;
  const asked: DecisionRequest[] = [];
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const dice = diceFor(input, phase.state.phase, spent);
    const result = adjudicate(rules, phase, dice);
    if (result.status === 'done') {
      dice.finish?.();
      const idle = Object.keys(input.answers ?? {}).find((id) => !asked.some((request) => request.id === id));
      if (idle !== undefined) throw new Error(`nothing asks "${idle}"`);
      return { result, asked };
    }
    for (const request of result.requests) {
      asked.push(request);
      const given = answered[request.to]?.find((answer) => answer.number === asked.length);
      const chosen =
        input.answers?.[request.id] ??
        (given && readAnswer(rules, known(result.views[request.to], 'no view'), request, given));
      if (chosen) checkAnswer(request, chosen);
      phase.answers[request.id] = chosen ? { chosen, by: 'answer' } : { chosen: request.fallback, by: 'fallback' };
    }
  }
  throw new Fault(`phase ${phase.state.phase.n} asks without end`);
}

/** `ANSWER 2: …` in the orders answers the second question that this phase asks. */
function readAnswer(rules: Rules, view: View, request: DecisionRequest, given: GivenAnswer): string[] {
  const read = rules.parseAnswer(view, request, given.lines);
  if ('chosen' in read) return read.chosen;
  const codes = read.diagnostics.map(({ code }) => code).join(', ');
  throw new Error(`line ${given.at.n} of ${request.to}: "${given.at.text}" is no answer to "${request.id}" (${codes})`);
}

function checkAnswer(request: DecisionRequest, chosen: readonly string[]): void {
  const wrong = request.form ? undefined : chosen.find((choice) => !valuesOf(request).includes(choice));
  if (wrong !== undefined)
    throw new Error(`"${wrong}" is no answer to "${request.id}"; there are ${valuesOf(request).join(', ')}`);
}
