/**
 * Reads an order block the way the judge will: parse and check against the player's own view, good lines stand, bad ones
 * are listed. Pure: mail, web and the desk get exactly the same answer from the same words.
 */
import { error, type OrderBlock, readBlock, standingAfter } from '../../kernel/orders.ts';
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

/** What a side has on file when a block comes: the lines that stand so far, and its standing orders. */
export interface OnFile {
  lines?: readonly string[];
  standing?: readonly Standing[];
}

/** Reads a block for one side of a state. Of the lines on file `ADD` keeps those about units it doesn't name. */
export function readOrders(
  rules: Rules,
  state: GameState,
  side: SideId,
  texts: readonly string[],
  before: OnFile = {},
): OrdersRead {
  const block = readBlock(texts);
  const { answers, rest } = splitAnswers(block.lines);
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
  if (rest.length > 0) {
    const judge = (lines: readonly OrderLine[]): Diagnostic[] =>
      judgeLines(rules, { state, side, kept: before.standing ?? [] }, lines, read);
    const first = judge(rest);
    const kept = block.add ? keptLines(before.lines ?? [], read.lines) : [];
    complaints.push(...(kept.length > 0 ? judge([...kept, ...rest]) : first));
  }
  read.mail.push(...complaints.filter((diagnostic) => diagnostic.line === 'mail'));
  const tooLong = block.diagnostics.filter((one) => one.line !== 'mail');
  read.echo = [...rest, ...tooLong.map((one) => ({ n: Number(one.line), text: texts[Number(one.line) - 1] ?? '' }))]
    .sort((a, b) => a.n - b.n)
    .map((line) => echoOf(line, complaints));
  return read;
}

/** Parses and checks until what is left has no error; fills orders and standing, returns every complaint. */
function judgeLines(
  rules: Rules,
  { state, side, kept }: { state: GameState; side: SideId; kept: readonly Standing[] },
  lines: readonly OrderLine[],
  read: OrdersRead,
): Diagnostic[] {
  const view = viewFor(state, side);
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

function echoOf(line: OrderLine, complaints: readonly Diagnostic[]): EchoLine {
  const diagnostics = complaints.filter((one) => one.line === line.n);
  const status = diagnostics.some((one) => one.severity === 'error')
    ? 'error'
    : diagnostics.length > 0
      ? 'warning'
      : 'ok';
  return { n: line.n, text: line.text, status, diagnostics };
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

/** The units (or hexes) that an order is about, from its printed line: what `ADD` replaces by. */
export function subjectsOf(line: string): string[] {
  const words = line.toUpperCase().match(/[^\s,;]+/g) ?? [];
  const end = words.findIndex((word, i) => i > 0 && BETWEEN.has(word));
  return words.slice(1, end < 0 ? undefined : end);
}

/** Words that end the list of units in an order line, in every system. */
const BETWEEN = new Set(['->', 'TO', 'AT', 'ON', 'BY', 'WITH', 'FROM', 'INTO', 'VIA']);

/** `ADD`: of the old lines those about other units than the new ones. */
function keptLines(old: readonly string[], added: readonly string[]): OrderLine[] {
  const named = new Set(added.flatMap(subjectsOf));
  const kept = old.filter((line) => !subjectsOf(line).some((subject) => named.has(subject)));
  return kept.map((text, i) => ({ n: KEPT_FROM + i, text }));
}

/** Earlier lines that no longer stand, and whether fewer than half of the earlier units are named again. */
export function droppedLines(old: readonly string[], now: readonly string[]): { dropped: string[]; mostly: boolean } {
  const left = new Set(now);
  const before = new Set(old.flatMap(subjectsOf));
  const named = new Set(now.flatMap(subjectsOf));
  const again = [...before].filter((subject) => named.has(subject)).length;
  return { dropped: old.filter((line) => !left.has(line)), mostly: again * 2 < before.size };
}
