/**
 * Reads an order block the way the judge will: parse and check against the player's own view, good lines stand, bad ones
 * are listed. Pure: mail, web and the desk get exactly the same answer from the same words.
 */
import { isHarmless, remarkOf, withoutFullStop } from '../../kernel/frame.ts';
import { error, grammarOf, type OrderBlock, ordersOfLine, readBlock, standingAfter } from '../../kernel/orders.ts';
import type {
  Diagnostic,
  GameState,
  Order,
  OrderLine,
  PhaseId,
  Rules,
  Scenario,
  SideId,
  Standing,
  View,
} from '../../kernel/types.ts';
import { viewFor } from '../../kernel/view.ts';
import type { EchoLine } from '../../store/schema.ts';

/** Rounds of dropping a line and checking what depended on it. */
const ROUNDS_MAX = 12;

export interface OrdersRead {
  block: OrderBlock;
  /** Orders that stand, and the same as text (as the rules print them). */
  orders: Order[];
  lines: string[];
  standing: Standing[];
  standingLines: string[];
  echo: EchoLine[];
  /** Faults and warnings of the whole mail; an error among them files nothing. */
  mail: Diagnostic[];
  /** `ANSWER 3` with the lines that answer. */
  answers: GivenAnswer[];
}

export interface GivenAnswer {
  number: number;
  lines: OrderLine[];
  /** The line that begins it, for the echo. */
  at: OrderLine;
}

const ANSWER = /^ANSWER\s+#?(\d{1,6})\s*[:=]?\s*(.*)$/i;

/** Lines kept from before by `ADD` are numbered from here, so that they are told from those just written. */
const KEPT_FROM = 10_001;

/** What a side has on file when a block comes: the orders that stand so far, and its standing orders. */
export interface OnFile {
  orders?: readonly Order[];
  standing?: readonly Standing[];
}

/** Reads a block for one side of a state. Of the orders on file `ADD` keeps those that speak for other units. */
export function readOrders(
  rules: Rules,
  state: GameState,
  side: SideId,
  texts: readonly string[],
  before: OnFile = {},
): OrdersRead {
  const block = readBlock(texts, rules.verbs, rules.linesMost);
  const { answers, rest } = splitAnswers(block.lines);
  const view = viewFor(state, side);
  const meant = rest.map((line) => meantBy(rules, view, line));
  const read: OrdersRead = {
    block,
    orders: [],
    lines: [],
    standing: [],
    standingLines: [],
    echo: [],
    mail: block.diagnostics.filter((diagnostic) => diagnostic.line === 'mail'),
    answers,
  };
  const complaints = block.diagnostics.filter((diagnostic) => diagnostic.line !== 'mail');
  complaints.push(...meant.flatMap(({ faults }) => faults));
  const written = meant.flatMap(({ orders }) => orders);
  if (written.length > 0) {
    const judge = (lines: readonly OrderLine[]): Diagnostic[] =>
      judgeLines(rules, view, before.standing ?? [], lines, read);
    const first = judge(written);
    const kept = block.add ? keptLines(rules, before.orders ?? [], read.orders) : [];
    complaints.push(...(kept.length > 0 ? judge([...kept, ...written]) : first));
  }
  read.mail.push(...complaints.filter((diagnostic) => diagnostic.line === 'mail'));
  const tooLong = block.diagnostics.filter((one) => one.line !== 'mail');
  read.echo = [...rest, ...tooLong.map((one) => ({ n: Number(one.line), text: texts[Number(one.line) - 1] ?? '' }))]
    .sort((a, b) => a.n - b.n)
    .map((line) => echoOf(line, complaints, understood(rules, read, line)));
  return read;
}

/**
 * What a line was understood to say, as the rules print it and in the order written; empty where nothing of it stands.
 */
function understood(rules: Rules, read: OrdersRead, line: OrderLine): string {
  const own = [...read.orders, ...read.standing].filter((order) => order.line === line.n);
  if (own.length > 1) {
    const written = line.text.toUpperCase();
    own.sort((a, b) => written.indexOf(a.verb) - written.indexOf(b.verb));
  }
  return own.map((order) => rules.print(order)).join(' ; ');
}

/**
 * The orders that a line means: parted at `;`, without the full stop that may end it and without a remark in parentheses
 * that can't change it. A remark that could is a fault, and the line then means nothing.
 */
function meantBy(rules: Rules, view: View, line: OrderLine): { orders: OrderLine[]; faults: Diagnostic[] } {
  const plain = { n: line.n, text: withoutFullStop(line.text) };
  const orders = ordersOfLine(plain, rules.verbs);
  const split = remarkOf(line.text);
  // Parentheses belong to the language of some games: what they read as it stands has no remark.
  if (!split || rules.parse(orders, view).diagnostics.every(({ severity }) => severity !== 'error'))
    return { orders, faults: [] };
  if (isHarmless(split.remark, (word) => grammarOf(rules.verbs).has(word) || rules.knows(view, word)))
    return { orders: ordersOfLine({ n: line.n, text: split.order }, rules.verbs), faults: [] };
  return { orders: [], faults: [error('REMARK UNCLEAR', line.n, { remark: split.remark, order: split.order })] };
}

/** Parses and checks until what is left has no error; fills orders and standing, returns every complaint. */
function judgeLines(
  rules: Rules,
  view: View,
  kept: readonly Standing[],
  lines: readonly OrderLine[],
  read: OrdersRead,
): Diagnostic[] {
  const parsed = rules.parse(lines, view);
  const complaints: Diagnostic[] = [...parsed.diagnostics];
  const bad = new Set(complaints.filter((one) => one.severity === 'error').map((one) => one.line));
  const good = (): Order[] => parsed.orders.filter((order) => !bad.has(order.line));
  const standing = (): Standing[] => parsed.standing.filter((order) => !bad.has(order.line));
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const found = rules.check(view, good(), standingAfter(kept, standing()));
    const fresh = found.filter((one) => !complaints.some((old) => same(old, one)));
    complaints.push(...fresh);
    const errors = fresh.filter((one) => one.severity === 'error' && !bad.has(one.line));
    for (const one of errors) bad.add(one.line);
    if (errors.every((one) => one.line === 'mail')) break;
  }
  read.orders = good();
  read.lines = read.orders.map((order) => rules.print(order));
  read.standing = standing();
  read.standingLines = read.standing.map((order) => rules.print(order));
  return complaints;
}

function same(a: Diagnostic, b: Diagnostic): boolean {
  return a.code === b.code && a.line === b.line && JSON.stringify(a.params) === JSON.stringify(b.params);
}

/** A line that stands is echoed as it was understood, every other one as it was written. */
function echoOf(line: OrderLine, complaints: readonly Diagnostic[], meant: string): EchoLine {
  const diagnostics = complaints.filter((one) => one.line === line.n);
  const status = diagnostics.some((one) => one.severity === 'error')
    ? 'error'
    : diagnostics.length > 0
      ? 'warning'
      : 'ok';
  return { n: line.n, text: status === 'error' || meant === '' ? line.text : meant, status, diagnostics };
}

/** Takes `ANSWER q: …` out of the lines; an `ANSWER q` with nothing after it takes the lines below it. */
function splitAnswers(lines: readonly OrderLine[]): { answers: GivenAnswer[]; rest: OrderLine[] } {
  const answers: GivenAnswer[] = [];
  const rest: OrderLine[] = [];
  let open: GivenAnswer | undefined;
  for (const line of lines) {
    const match = ANSWER.exec(line.text);
    if (match) {
      const text = match[2]!.replace(/\s*#.*$/, '').trim();
      const answer: GivenAnswer = { number: Number(match[1]), lines: [], at: line };
      if (text !== '') answer.lines.push({ n: line.n, text });
      answers.push(answer);
      open = text === '' ? answer : undefined;
    } else if (open) open.lines.push(line);
    else rest.push(line);
  }
  return { answers, rest };
}

/** Does the header of a block agree with the seat and the open phase? Every word that doesn't is a fault of the mail. */
export function headerFaults(
  block: OrderBlock,
  expected: { ref: string; side: SideId; scenario: Scenario; phase: PhaseId },
): Diagnostic[] {
  const { ref, side, scenario, phase } = expected;
  const faults: Diagnostic[] = [];
  const differ = (code: string, written: string | number, wanted: string | number): void => {
    faults.push(error(code, 'mail', { written, wanted }));
  };
  if (block.game !== undefined && block.game !== ref) differ('OTHER GAME', block.game, ref);
  if (block.turn !== undefined && block.turn !== phase.turn) differ('OTHER TURN', block.turn, phase.turn);
  if (block.battle !== undefined && block.battle !== phase.battle)
    differ('OTHER BATTLE', block.battle, phase.battle ?? 'none');
  const own = scenario.sides.find((candidate) => candidate.id === side);
  const names = [side, own?.name, own?.short].map((name) => name?.toLowerCase());
  if (block.side !== undefined && !names.includes(block.side)) differ('OTHER SIDE', block.side, own?.name ?? side);
  if (block.step !== undefined && block.step !== phase.step.toLowerCase()) differ('OTHER STEP', block.step, phase.step);
  return faults;
}

/** `ADD`: of the old orders those that speak for none of what the new ones speak for. */
function keptLines(rules: Rules, old: readonly Order[], added: readonly Order[]): OrderLine[] {
  const named = new Set(added.flatMap((order) => rules.subjects(order)));
  const kept = old.filter((order) => !rules.subjects(order).some((subject) => named.has(subject)));
  return kept.map((order, i) => ({ n: KEPT_FROM + i, text: rules.print(order) }));
}

/** Earlier lines that no longer stand, and whether fewer than half of what they spoke for is named again. */
export function droppedLines(
  rules: Rules,
  old: readonly Order[],
  now: readonly Order[],
): { dropped: string[]; mostly: boolean } {
  const left = new Set(now.map((order) => rules.print(order)));
  const before = new Set(old.flatMap((order) => rules.subjects(order)));
  const named = new Set(now.flatMap((order) => rules.subjects(order)));
  const again = [...before].filter((subject) => named.has(subject)).length;
  const dropped = old.map((order) => rules.print(order)).filter((line) => !left.has(line));
  return { dropped, mostly: again * 2 < before.size };
}
