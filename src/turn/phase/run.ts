/**
 * Running a phase: when it is ready or its time is up, adjudicate it with its keyed dice and write everything that comes
 * of it in one transaction. A question stops it; the answer runs it again from its snapshot to the same point.
 */
import { assert } from '../../kernel/assert.ts';
import { hashOf } from '../../kernel/hash.ts';
import { type Adjudication, type Answer, adjudicate } from '../../kernel/judge.ts';
import { questionPolicy } from '../../kernel/questions.ts';
import type {
  Decision,
  DecisionRequest,
  Event,
  GameState,
  GameTypes,
  Rules,
  SideId,
  Words,
} from '../../kernel/types.ts';
import { publicView } from '../../kernel/view.ts';
import { inTransaction, lockGame, type Trx } from '../../store/db.ts';
import { currentPhase, gameById, logAction, markOver, markPaused, seatsOf } from '../../store/games.ts';
import { allInForce, requestsOf, standingOf } from '../../store/orders.ts';
import { addQuestion, decideQuestion, keepDone, keepWaiting, openPhase } from '../../store/phases.ts';
import type { GameRow, PhaseInputs, PhaseNotice, PhaseRow, ReceiptRow, RequestRow } from '../../store/schema.ts';
import { setMissed } from '../../store/seats.ts';
import type { Service } from '../context.ts';
import { readOrders } from '../filing/reading.ts';
import { gameDice, phaseKeys, renewChains } from '../keys.ts';
import { mailMaster, mailSeat, notice } from '../post/outbox.ts';
import { answerDue, continuedDue, isUp, phaseDue, planSoon, runAt, runSoon, runTime } from '../time/deadlines.ts';
import { mailReports, phaseOf } from './newgame.ts';
import { noteTurnout } from './turnout.ts';

const HOUR_MS = 3_600_000;

export type RunResult =
  | { result: 'not running' }
  | { result: 'not ready'; waitingFor: SideId[] }
  | { result: 'held'; why: string }
  | { result: 'asked'; to: SideId[] }
  | { result: 'done'; phaseId: number; nextId: number; over: boolean }
  | { result: 'stopped'; why: string };

export interface RunOptions {
  /** The game master says so: whatever is filed counts, missing orders are missing. */
  force?: boolean;
  /** May hold a run back that nobody forces (unread mail, outages); returns why. */
  brake?: Brake;
}

/** `up`: when the time was up, if only that asks for the run. */
export type Brake = (
  trx: Trx,
  game: GameRow,
  phase: PhaseRow,
  why: { missing: SideId[]; up: Date | null },
) => Promise<string | undefined>;

/** The rules broke off, or a re-run told another story: the game stops and its master is called. */
class Stop extends Error {
  override name = 'Stop';
}

/** Looks at a game and runs its phase if it is ready or due. Safe to call at any time, from any process. */
export async function runGame(service: Service, gameId: number, options: RunOptions = {}): Promise<RunResult> {
  try {
    return await inTransaction(service.db, async (trx) => {
      await lockGame(trx, gameId);
      return runLocked(service, trx, gameId, options);
    });
  } catch (problem) {
    if (!(problem instanceof Stop)) throw problem;
    service.log.error({ gameId, why: problem.message }, 'a game was stopped');
    await stopGame(service, gameId, problem.message);
    return { result: 'stopped', why: problem.message };
  }
}

async function runLocked(service: Service, trx: Trx, gameId: number, options: RunOptions): Promise<RunResult> {
  const game = await gameById(trx, gameId);
  const phase = await currentPhase(trx, game);
  if (game.status !== 'running' || !phase) return { result: 'not running' };
  const { rules } = service.scenarios.open(game.scenario);
  return phase.status === 'waiting'
    ? runWaiting(service, trx, { game, phase, rules }, options)
    : runOpen(service, trx, { game, phase, rules }, options);
}

interface Table {
  game: GameRow;
  phase: PhaseRow;
  rules: Rules;
}

async function runOpen(service: Service, trx: Trx, table: Table, options: RunOptions): Promise<RunResult> {
  const { game, phase, rules } = table;
  const onFile = await allInForce(trx, phase.id);
  const standing = [...onFile.values()].filter((receipt) => receipt.verdict === 'filed');
  const final = standing.filter((receipt) => receipt.final).map((receipt) => receipt.side);
  const asks = rules.asks(publicView(phase.snapshot));
  const owing = asks.filter((ask) => ask.must).map((ask) => ask.side);
  const missing = owing.filter((side) => !standing.some((receipt) => receipt.side === side));
  const held = standing.some((receipt) => receipt.wait);
  const spoken = standing.filter((receipt) => receipt.lines.length > 0).map((receipt) => receipt.side);
  const early = !held && rules.ready(publicView(phase.snapshot), final, spoken);
  if (!options.force) {
    if (!early && !isUp(game, phase.due_at, service.now()))
      return { result: 'not ready', waitingFor: owing.filter((side) => !final.includes(side)) };
    const why = await options.brake?.(trx, game, phase, { missing, up: early ? null : runTime(game, phase.due_at) });
    if (why !== undefined) return { result: 'held', why };
  }
  const pace = rules.pace(publicView(phase.snapshot));
  const nmr = early || pace?.silence === 'accept' ? [] : missing;
  const { inputs, notices } = await gatherInputs(trx, table, onFile, nmr);
  // Where there is no deadline nobody misses one.
  const missed = phase.due_at === null ? [] : nmr;
  // What goes on with a turn was counted when the turn began.
  if (!pace?.continues) {
    await noteTurnout(service, trx, game, phase, owing, missed);
    await noteMissed(service, trx, table, missed, owing);
  }
  return adjudicateNow(service, trx, table, { inputs, notices, answers: {} });
}

/** What is adjudicated: orders on file read again with today's rules and view, standing orders, who was silent. */
export async function gatherInputs(
  trx: Trx,
  { game, phase, rules }: Table,
  onFile: ReadonlyMap<SideId, ReceiptRow>,
  nmr: SideId[],
): Promise<{ inputs: PhaseInputs; notices: PhaseNotice[] }> {
  const inputs: PhaseInputs = { filed: {}, nmr, questions: questionPolicy(game.settings) };
  const notices: PhaseNotice[] = [...phase.notices];
  for (const side of Object.keys(phase.snapshot.hands)) {
    const receipt = onFile.get(side);
    const rows = await standingOf(trx, game.id, side);
    const standing = rows.map((row) => row.body);
    const read = readOrders(rules, phase.snapshot, side, receipt?.lines ?? [], { standing });
    for (const line of read.echo.filter((one) => one.status === 'error'))
      notices.push({ to: side, key: 'post.line no longer legal', params: { line: line.text } });
    inputs.filed[side] = {
      orders: read.orders,
      standing,
      lines: read.lines,
      standingLines: rows.map((row) => row.text),
      notes: receipt?.notes ?? [],
      receipt: receipt?.number ?? null,
    };
  }
  for (const side of nmr) notices.push({ to: 'all', key: 'post.no orders', params: { side } });
  return { inputs, notices };
}

/** Counts deadlines missed in a row; the second time running the game master is told. */
async function noteMissed(
  service: Service,
  trx: Trx,
  { game, phase }: Table,
  late: readonly SideId[],
  owing: readonly SideId[],
): Promise<void> {
  for (const seat of await seatsOf(trx, game.id)) {
    if (!owing.includes(seat.side)) continue;
    const missed = late.includes(seat.side) ? seat.missed + 1 : 0;
    if (missed === seat.missed) continue;
    await setMissed(trx, seat.id, missed);
    if (missed < 2) continue;
    const facts = notice(service, 'missed again', { game: game.ref, side: seat.side, times: missed, turn: phase.turn });
    await mailMaster(service, trx, game, { kind: 'notice', facts });
  }
}

async function runWaiting(service: Service, trx: Trx, table: Table, options: RunOptions): Promise<RunResult> {
  const { phase } = table;
  const requests = await requestsOf(trx, phase.id);
  const open = requests.filter((request) => request.decided_by === null);
  const now = service.now();
  const up = options.force || open.every((request) => isUp(table.game, request.due_at, now));
  if (open.length > 0 && !up) return { result: 'not ready', waitingFor: sidesOf(open) };
  if (!options.force) {
    const dues = open.map((request) => runTime(table.game, request.due_at)?.getTime() ?? 0);
    const over = open.length === 0 ? null : new Date(Math.max(...dues));
    const why = await options.brake?.(trx, table.game, phase, { missing: [], up: over });
    if (why !== undefined) return { result: 'held', why };
  }
  for (const request of open) {
    const chosen = request.body.fallback;
    await decideQuestion(trx, request.id, { chosen, by: 'fallback', now });
    Object.assign(request, { answered_at: now, chosen, decided_by: 'fallback' });
  }
  const answers: Record<string, Answer> = {};
  for (const request of requests)
    answers[request.request_id] = { chosen: request.chosen ?? [], by: request.decided_by ?? 'fallback' };
  const inputs = phase.inputs;
  assert(inputs, `phase ${phase.id} waits but has no inputs`);
  return adjudicateNow(service, trx, table, { inputs, notices: phase.notices, answers });
}

function sidesOf(requests: readonly Pick<RequestRow, 'side'>[]): SideId[] {
  return [...new Set(requests.map((request) => request.side))];
}

interface Judged {
  inputs: PhaseInputs;
  notices: PhaseNotice[];
  answers: Record<string, Answer>;
}

async function adjudicateNow(service: Service, trx: Trx, table: Table, given: Judged): Promise<RunResult> {
  const { game, phase, rules } = table;
  const dice = await gameDice(service, trx, game, phase.snapshot.phase);
  const asked: DecisionRequest[] = [];
  let result: Adjudication<GameTypes>;
  try {
    const input = {
      state: phase.snapshot,
      ...given.inputs,
      answers: given.answers,
      version: versionOf(service, table),
    };
    result = adjudicate(listening(rules, asked), input, dice);
  } catch (problem) {
    throw new Stop(problem instanceof Error ? problem.message : String(problem));
  }
  checkPrefix(phase, result.events);
  service.at('adjudicated');
  if (result.status === 'waiting') return waitForAnswers(service, trx, table, given, result);
  tellCapped(given, result.decisions, asked);
  return finishPhase(service, trx, table, { ...given, asked }, result);
}

/** A phase that waits is judged to its end by the rules it began under; any other by today's. */
function versionOf(service: Service, { game, phase }: Table): string {
  return phase.status === 'waiting' ? phase.rules_version : service.scenarios.open(game.scenario).system.rulesVersion;
}

/** The same rules, and every question they ask is noted: a decision alone doesn't say whose it was. */
function listening(rules: Rules, asked: DecisionRequest[]): Rules {
  return {
    ...rules,
    *adjudicate(draft, orders, ruling) {
      const run = rules.adjudicate(draft, orders, ruling);
      try {
        for (let step = run.next(); !step.done; ) {
          asked.push(...step.value);
          step = run.next(yield step.value);
        }
      } finally {
        run.return();
      }
    },
  };
}

/** Who has had as many questions as a phase may put is told how many more his doctrine has answered. */
function tellCapped(given: Judged, decisions: readonly Decision[], asked: readonly DecisionRequest[]): void {
  const capped = new Set(decisions.filter((one) => one.capped).map((one) => one.id));
  const most = given.inputs.questions?.most ?? 0;
  for (const side of new Set(asked.filter(({ id }) => capped.has(id)).map(({ to }) => to))) {
    const count = asked.filter(({ id, to }) => to === side && capped.has(id)).length;
    given.notices.push({ to: side, key: 'post.questions capped', params: { most, count } });
  }
}

/** What was already told must come out the same when the phase runs again. */
function checkPrefix(phase: PhaseRow, events: readonly Event[]): void {
  if (phase.prefix_hash === null) return;
  const told = phase.events?.length ?? 0;
  if (hashOf(events.slice(0, told)) !== phase.prefix_hash)
    throw new Stop(`phase ${phase.n} ran differently after an answer than before it`);
}

async function waitForAnswers(
  service: Service,
  trx: Trx,
  table: Table,
  given: Judged,
  result: Extract<Adjudication<GameTypes>, { status: 'waiting' }>,
): Promise<RunResult> {
  const { game, phase } = table;
  const now = service.now();
  const usual = await answerDue(trx, game, now);
  let number = (await requestsOf(trx, phase.id)).length;
  const halt = number + 1;
  for (const body of result.requests) {
    const due = usual && body.hours !== undefined ? new Date(now.getTime() + body.hours * HOUR_MS) : usual;
    await addQuestion(trx, { phaseId: phase.id, number: ++number, halt, body, due, now });
    if (due) await runAt(service, trx, game, due);
  }
  await keepWaiting(trx, phase.id, {
    inputs: given.inputs,
    notices: given.notices,
    prefixHash: result.prefixHash,
    events: result.events,
    dice: result.dice,
    views: result.views,
    rulesVersion: versionOf(service, table),
  });
  await mailQuestions(service, trx, table, result.requests);
  return { result: 'asked', to: [...new Set(result.requests.map((request) => request.to))] };
}

/** One mail a side and window: what was asked together is answered together. */
async function mailQuestions(
  service: Service,
  trx: Trx,
  { game, phase }: Table,
  requests: readonly DecisionRequest[],
): Promise<void> {
  for (const seat of await seatsOf(trx, game.id)) {
    const own = requests.filter(({ to }) => to === seat.side);
    for (const batch of new Set(own.map((request) => request.batch ?? '')))
      await mailSeat(service, trx, seat, {
        kind: 'question',
        phaseId: phase.id,
        facts: { make: 'question', phaseId: phase.id, side: seat.side, batch },
      });
  }
}

async function finishPhase(
  service: Service,
  trx: Trx,
  table: Table,
  given: Judged & { asked: DecisionRequest[] },
  result: Extract<Adjudication<GameTypes>, { status: 'done' }>,
): Promise<RunResult> {
  const { game, phase, rules } = table;
  const now = service.now();
  const { system } = service.scenarios.open(game.scenario);
  const keys = await phaseKeys(service, trx, game.id, phase.n);
  const renewed = await renewChains(service, trx, game.id, phase.n);
  if (renewed) {
    const { open, secret, firstN } = renewed;
    given.notices.push({ to: 'all', key: 'post.new chains', params: { open, secret, firstN } });
  }
  const secretKey = rules.opens?.(publicView(result.state)) === true ? keys.secret.toString('hex') : null;
  if (secretKey !== null)
    given.notices.push({ to: 'all', key: 'post.secret key shown', params: { n: phase.n, key: secretKey } });
  await keepDone(trx, phase.id, {
    inputs: given.inputs,
    notices: given.notices,
    asked: given.asked,
    events: result.events,
    decisions: result.decisions,
    dice: result.dice,
    openKey: keys.open.toString('hex'),
    secretKey,
    rulesVersion: versionOf(service, table),
    now,
  });
  const outcome = rules.outcome(result.state);
  const over = outcome !== undefined || rules.asks(publicView(result.state)).length === 0;
  const due = over ? null : await nextDue(trx, table, result.state, now);
  const next = await openPhase(trx, {
    ...phaseOf(result.state),
    game_id: game.id,
    line: phase.line,
    opened_by: 'phase',
    from_phase_id: phase.id,
    previous_hash: phase.hash,
    rules_version: system.rulesVersion,
    due_at: due,
    opened_at: now,
  });
  assert(next.hash === result.hash, `phase ${next.n}: the stored state has another hash than the judge's`);
  if (over) await markOver(trx, game.id, outcome ?? { winner: null, reason: 'over' }, now);
  await mailReports(service, trx, next, await seatsOf(trx, game.id));
  if (due) {
    await runAt(service, trx, game, due);
    await planSoon(service, trx, game.id);
  }
  if (!over) await runSoon(service, trx, game.id);
  if (!over) await callMaster(service, trx, game, rules.master?.(publicView(result.state)));
  service.at('phase written');
  return { result: 'done', phaseId: phase.id, nextId: next.id, over };
}

async function nextDue(trx: Trx, { game, phase, rules }: Table, next: GameState, now: Date): Promise<Date | null> {
  const pace = rules.pace(publicView(next));
  return pace?.continues ? continuedDue(trx, game, now, phase.due_at) : phaseDue(trx, game, now, { pace });
}

/** Tells the master that a phase waits for his decision; `asked` are the rules' words for it. */
async function callMaster(service: Service, trx: Trx, game: GameRow, asked: Words | undefined): Promise<void> {
  if (!asked) return;
  const title = service.wording.say({ key: 'post.master asked title', params: { game: game.ref } });
  const text = service.wording.say({ key: asked.key, params: { ...asked.params, game: game.ref } });
  await mailMaster(service, trx, game, { kind: 'notice', facts: { make: 'notice', title, paragraphs: [text] } });
}

/** Pauses a game whose phase can't be run, and calls its master. */
async function stopGame(service: Service, gameId: number, why: string): Promise<void> {
  await inTransaction(service.db, async (trx) => {
    await lockGame(trx, gameId);
    const game = await gameById(trx, gameId);
    if (game.status !== 'running') return;
    await markPaused(trx, gameId, `stopped: ${why}`);
    await logAction(trx, { at: service.now(), gameId, who: 'service', door: 'service', what: 'stop', why });
    const facts = notice(service, 'game stopped', { game: game.ref, why });
    await mailMaster(service, trx, game, { kind: 'notice', facts });
  });
}
