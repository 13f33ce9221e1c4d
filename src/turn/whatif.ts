/**
 * What would happen: one phase adjudicated on a copy, with dice of nobody's game or with a list of dice. The tool for
 * rulings, disputes and rule tests; it changes nothing and needs no database. Its result is plain JSON.
 */
import { Fault } from '../kernel/assert.ts';
import { type LoggedDice, listDice, phaseDice } from '../kernel/dice.ts';
import { hashOf } from '../kernel/hash.ts';
import { type Answer, adjudicate } from '../kernel/judge.ts';
import { readBlock } from '../kernel/orders.ts';
import type {
  Decision,
  DecisionRequest,
  Diagnostic,
  DieRoll,
  Event,
  Filed,
  GameState,
  OrderLine,
  PhaseId,
  Report,
  Rules,
  SideId,
  Standing,
  Viewer,
  Words,
} from '../kernel/types.ts';
import { viewFor } from '../kernel/view.ts';
import type { Wording } from '../render/words.ts';
import type { OpenScenario } from '../scenarios.ts';

/** Rounds of questions answered one after the other; more is a fault of the rules. */
const ROUNDS_MAX = 2000;
/** What stands for the game's reference in the contexts of the dice. */
const GAME = 'what-if';
export const SETUP_PHASE: PhaseId = { n: 0, turn: 0, step: 'setup' };

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
  /** Thirty-two bytes of chance: throw-away keys, never a game's own. */
  seed: Uint8Array;
}

export interface ReceiptLine {
  line: number | 'mail';
  status: 'ok' | 'warning' | 'error';
  code: string | null;
  rule: string | null;
  /** What the player is told; for a line without complaint the order as it was understood. */
  text: string;
  /** The line as it was written; null for the whole mail. */
  order: string | null;
}

export interface WorkedReport {
  headline: string;
  sections: { title: string; lines: string[] }[];
  orderForm: string[];
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
  const state = input.state ?? rules.setup(checkedOptions(input), setupDice);
  if (rules.asks(state).length === 0) throw new Error('the game is over: no phase to run');
  const spent = input.state ? 0 : rolledBy(setupDice);
  const filed: Record<SideId, Filed> = {};
  const receipts: WhatIf['receipts'] = [];
  for (const side of sides) {
    const before = input.standing?.[side] ?? [];
    const texts = input.orders[side];
    if (!texts) {
      if (before.length > 0) filed[side] = { orders: [], standing: before };
      continue;
    }
    const read = readOrders(rules, state, side, texts);
    receipts.push({ side, lines: receiptLines(rules, system.id, read, wording) });
    filed[side] = { orders: read.orders, standing: inForce(before, read.standing) };
  }
  const nmr = rules
    .asks(state)
    .filter(({ side, must }) => must && !input.orders[side])
    .map(({ side }) => side);
  const { result, asked } = run(input, state, filed, nmr, spent);
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
  if (input.dice) return listDice(GAME, phase, input.dice.slice(spent));
  const seed = Buffer.from(input.seed).toString('hex');
  const key = (kind: string): Buffer => Buffer.from(hashOf([seed, phase.n, kind]), 'hex');
  return phaseDice(key('open'), key('secret'), GAME, phase);
}

function rolledBy(dice: LoggedDice): number {
  return dice.log.reduce((sum, roll) => sum + (roll.secret ? 0 : roll.rolls.length), 0);
}

function checkedOptions(input: WhatIfInput): Record<string, unknown> {
  const { scenario } = input.open;
  for (const [name, value] of Object.entries(input.options ?? {})) {
    const option = scenario.options.find((candidate) => candidate.name === name);
    if (!option) {
      const names = scenario.options.map((candidate) => candidate.name).join(', ');
      throw new Error(`no option "${name}" in ${scenario.id}; there are ${names || 'none'}`);
    }
    if (!option.values.some((allowed) => allowed === value))
      throw new Error(`option "${name}" can't be ${JSON.stringify(value)}; it can be ${option.values.join(', ')}`);
  }
  return { ...input.options };
}

interface ReadOrders extends Filed {
  lines: OrderLine[];
  diagnostics: Diagnostic[];
}

/** The same steps as an order mail: frame, parse, check; a line with an error is dropped, a faulty mail files nothing. */
function readOrders(rules: Rules, state: GameState, side: SideId, texts: readonly string[]): ReadOrders {
  const block = readBlock(texts);
  const view = viewFor(state, side);
  const parsed = rules.parse(block.lines, view);
  const wrongIn = (diagnostics: readonly Diagnostic[]): Set<number | 'mail'> =>
    new Set(diagnostics.filter(({ severity }) => severity === 'error').map(({ line }) => line));
  const unread = wrongIn(parsed.diagnostics);
  const readable = parsed.orders.filter((order) => !unread.has(order.line));
  const diagnostics = [...block.diagnostics, ...parsed.diagnostics, ...rules.check(view, readable)];
  const wrong = wrongIn(diagnostics);
  return {
    lines: block.lines,
    diagnostics,
    orders: wrong.has('mail') ? [] : readable.filter((order) => !wrong.has(order.line)),
    standing: wrong.has('mail') ? [] : parsed.standing.filter((order) => !wrong.has(order.line)),
  };
}

function receiptLines(rules: Rules, system: string, read: ReadOrders, wording: Wording): ReceiptLine[] {
  const told = (diagnostic: Diagnostic, order: string | null): ReceiptLine => ({
    line: diagnostic.line,
    status: diagnostic.severity,
    code: diagnostic.code,
    rule: diagnostic.rule ?? null,
    text: wording.complain(system, diagnostic),
    order,
  });
  const written = new Map(read.lines.map(({ n, text }) => [n, text]));
  const lines: ReceiptLine[] = [];
  for (const diagnostic of read.diagnostics)
    if (diagnostic.line === 'mail' || !written.has(diagnostic.line)) lines.push(told(diagnostic, null));
  for (const { n, text } of read.lines) {
    const complaints = read.diagnostics.filter(({ line }) => line === n);
    if (complaints.length > 0) {
      lines.push(...complaints.map((diagnostic) => told(diagnostic, text)));
      continue;
    }
    const understood = [...read.orders, ...read.standing]
      .filter((order) => order.line === n)
      .map((o) => rules.print(o));
    lines.push({ line: n, status: 'ok', code: null, rule: null, text: understood.join('; ') || text, order: text });
  }
  return lines;
}

/** A standing order replaces the one with its key; `withdraw` takes it off. */
function inForce(before: readonly Standing[], now: readonly Standing[]): Standing[] {
  const byKey = new Map(before.map((order) => [order.key, order]));
  for (const order of now) {
    byKey.delete(order.key);
    if (!order.withdraw) byKey.set(order.key, order);
  }
  return [...byKey.values()];
}

function run(input: WhatIfInput, state: GameState, filed: Record<SideId, Filed>, nmr: SideId[], spent: number) {
  const answers: Record<string, Answer> = {};
  const asked: DecisionRequest[] = [];
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const dice = diceFor(input, state.phase, spent);
    const result = adjudicate(input.open.rules, { state, filed, answers, nmr }, dice);
    if (result.status === 'done') {
      dice.finish?.();
      const idle = Object.keys(input.answers ?? {}).find((id) => !asked.some((request) => request.id === id));
      if (idle !== undefined) throw new Error(`nothing asks "${idle}"`);
      return { result, asked };
    }
    for (const request of result.requests) {
      asked.push(request);
      const chosen = input.answers?.[request.id];
      if (chosen) checkAnswer(request, chosen);
      answers[request.id] = chosen ? { chosen, by: 'answer' } : { chosen: request.fallback, by: 'fallback' };
    }
  }
  throw new Fault(`phase ${state.phase.n} asks without end`);
}

function checkAnswer(request: DecisionRequest, chosen: readonly string[]): void {
  const wrong = request.form ? undefined : chosen.find((choice) => !request.options.includes(choice));
  if (wrong !== undefined)
    throw new Error(`"${wrong}" is no answer to "${request.id}"; there are ${request.options.join(', ')}`);
}

function inWords(report: Report, wording: Wording): WorkedReport {
  const say = (words: Words): string => wording.say(words);
  return {
    headline: say(report.headline),
    sections: report.sections.map(({ title, lines }) => ({ title: say(title), lines: lines.map(say) })),
    orderForm: report.orderForm,
  };
}
