/**
 * The game master's verbs that touch a game's course: conclude, rewind, ruling, preview. The same functions serve mail,
 * desk and command line; every one runs inside the caller's transaction under the game's lock, is logged with who and why,
 * and tells the players. Dice keys are never used twice: whatever is played again is played under a fresh number.
 */
import { hashOf } from '../../kernel/hash.ts';
import { adjudicate } from '../../kernel/judge.ts';
import type { Event, GameState, SideId } from '../../kernel/types.ts';
import { publicView } from '../../kernel/view.ts';
import { addRuling, closeProposal, openProposals, rulingsIn, undoRuling } from '../../store/club.ts';
import type { RulingEdit } from '../../store/club-schema.ts';
import { lockGame, type Reader, type Trx } from '../../store/db.ts';
import {
  currentPhase,
  gameById,
  lastNumber,
  logAction,
  markCancelled,
  markOver,
  markRunning,
  phasesOf,
  seatsOf,
} from '../../store/games.ts';
import { forgetTurnout } from '../../store/members.ts';
import { allInForce, dropStanding, putStanding } from '../../store/orders.ts';
import { closePhase, dropPhase, openPhase, setNotices, setSnapshot } from '../../store/phases.ts';
import type { GameRow, PhaseNotice, PhaseRow } from '../../store/schema.ts';
import { setMissed } from '../../store/seats.ts';
import type { Service } from '../context.ts';
import { actor, type Errand, words } from '../errand.ts';
import { fileOrders } from '../filing/filing.ts';
import { gameDice, makeChains } from '../keys.ts';
import { tellGame, tellSeat } from '../post/notices.ts';
import { phaseDue, runSoon } from '../time/deadlines.ts';
import { applyEdit, type EditFault, knownTo, revertEdit } from './edits.ts';
import { mailReports, phaseOf } from './newgame.ts';
import { planDeadline } from './pace.ts';
import { gatherInputs } from './run.ts';

/** Who does something to a game, for its log. */
export interface Deed {
  service: Service;
  trx: Trx;
  now: Date;
  who: string;
  door: string;
  why: string | null;
}

/** The deed of a command. */
export function deedOf(errand: Errand, why: string | null = null): Deed {
  return { service: errand.service, trx: errand.trx, now: errand.now, who: actor(errand), door: errand.door, why };
}

async function record(deed: Deed, game: GameRow, what: string, detail?: Record<string, unknown>): Promise<void> {
  const { trx, now, who, door, why } = deed;
  await logAction(trx, { at: now, gameId: game.id, who, door, what, why, public: true, ...(detail ? { detail } : {}) });
}

/** Adds something to be said in the report of the open phase. */
async function addNotice(trx: Trx, phase: PhaseRow, notices: PhaseNotice[]): Promise<void> {
  const all = [...phase.notices, ...notices];
  await setNotices(trx, phase.id, all);
  phase.notices = all;
}

async function closeProposals(deed: Deed, game: GameRow): Promise<void> {
  for (const proposal of await openProposals(deed.trx, game.id))
    await closeProposal(deed.trx, proposal.id, 'lapsed', deed.now);
}

/** Ends a game by agreement, surrender or the master's word. The last report goes to everybody, the game opens. */
export async function concludeGame(
  errand: Errand | Deed,
  given: GameRow,
  how: 'concede' | 'draw' | 'abandon',
  side?: SideId,
): Promise<void> {
  const deed = 'who' in errand ? errand : deedOf(errand);
  const { service, trx, now } = deed;
  await lockGame(trx, given.id);
  const game = await gameById(trx, given.id);
  const phase = await currentPhase(trx, game);
  if (!phase || (game.status !== 'running' && game.status !== 'paused')) return;
  const { rules, scenario, system } = service.scenarios.open(game.scenario);
  const state: GameState = structuredClone(phase.snapshot);
  rules.conclude(state, how, side);
  state.phase.n = (await lastNumber(trx, game.id)) + 1;
  const name = scenario.sides.find((candidate) => candidate.id === side)?.name ?? '';
  await addNotice(trx, phase, [{ to: 'all', key: `club.ended ${how}`, params: { side: name } }]);
  await dropPhase(trx, phase.id, now);
  const last = await openPhase(trx, {
    ...phaseOf(state),
    game_id: game.id,
    line: phase.line,
    opened_by: 'ruling',
    from_phase_id: phase.id,
    previous_hash: phase.hash,
    rules_version: system.rulesVersion,
    due_at: null,
    opened_at: now,
  });
  const outcome = rules.outcome(state) ?? { winner: null, reason: how };
  await markOver(trx, game.id, outcome, now);
  await closeProposals(deed, game);
  await record(deed, game, how, side ? { side } : undefined);
  await mailReports(service, trx, last, await seatsOf(trx, game.id));
}

/** The phases of the present line that a game can be rewound to, oldest first. */
export async function linePhases(db: Reader, game: GameRow): Promise<PhaseRow[]> {
  const all = await phasesOf(db, game.id);
  const byId = new Map(all.map((phase) => [phase.id, phase]));
  const line: PhaseRow[] = [];
  let at = game.phase_id === null ? undefined : byId.get(game.phase_id);
  while (at) {
    line.unshift(at);
    at = at.from_phase_id === null ? undefined : byId.get(at.from_phase_id);
  }
  return line;
}

export type RewindResult = { phase: PhaseRow; kept: SideId[] } | { fault: 'no such phase' | 'not started' };

/**
 * Goes back to the beginning of phase n: a new line opens from its snapshot, under a number whose key nobody has seen.
 * Standing orders and missed deadlines are what they were; `keep` files the orders of that phase again.
 */
export async function rewindGame(
  deed: Deed,
  given: GameRow,
  n: number,
  options: { keep?: boolean } = {},
): Promise<RewindResult> {
  const { service, trx, now } = deed;
  await lockGame(trx, given.id);
  const game = await gameById(trx, given.id);
  const current = await currentPhase(trx, game);
  if (!current) return { fault: 'not started' };
  const line = await linePhases(trx, game);
  const target = line.find((phase) => phase.n === n);
  if (!target) return { fault: 'no such phase' };
  const { rules, system } = service.scenarios.open(game.scenario);
  const state = structuredClone(target.snapshot);
  state.phase.n = (await lastNumber(trx, game.id)) + 1;
  await dropPhase(trx, current.id, now);
  // A game that was over has shown its secrets: it goes on with chains that nobody knows.
  if (game.status === 'over') await makeChains(service, trx, game.id, state.phase.n);
  await markRunning(trx, game.id);
  const again = await gameById(trx, game.id);
  const due = await phaseDue(trx, again, now, { pace: rules.pace(publicView(state)) });
  const newLine = Math.max(...(await phasesOf(trx, game.id)).map((phase) => phase.line)) + 1;
  const phase = await openPhase(trx, {
    ...phaseOf(state),
    game_id: game.id,
    line: newLine,
    opened_by: 'rewind',
    from_phase_id: target.from_phase_id,
    previous_hash: target.previous_hash,
    rules_version: system.rulesVersion,
    due_at: due,
    opened_at: now,
  });
  await restoreStanding(deed, game, options.keep ? target : line[line.indexOf(target) - 1]);
  await restoreMissed(deed, game, line, target);
  await forgetTurnout(
    trx,
    line.slice(line.indexOf(target)).map((undone) => undone.id),
  );
  await closeProposals(deed, game);
  const kept = options.keep ? await keepOrders(deed, await gameById(trx, game.id), target, phase) : [];
  await record(deed, game, 'rewind', { to: n, from: current.n, line: newLine, kept });
  await planDeadline(service, trx, again, phase);
  await tellGame(service, trx, again, {
    key: 'rewound',
    params: { game: game.ref, n, turn: target.turn, step: target.step, why: deed.why ?? '' },
  });
  await mailReports(service, trx, phase, await seatsOf(trx, game.id));
  return { phase, kept };
}

/** Standing orders as they were when a phase was run: the one before, or with `keep` the one we go back to. */
async function restoreStanding(deed: Deed, game: GameRow, run: PhaseRow | undefined): Promise<void> {
  if (run && !run.inputs) return;
  await dropStanding(deed.trx, game.id);
  for (const [side, filed] of Object.entries(run?.inputs?.filed ?? {})) {
    for (const [i, order] of filed.standing.entries())
      await putStanding(deed.trx, {
        gameId: game.id,
        side,
        order,
        text: filed.standingLines[i] ?? '',
        receiptId: null,
        at: new Date(deed.now.getTime() + i),
      });
  }
}

/** Deadlines missed in a row, counted again from the phases before the one we go back to. */
async function restoreMissed(deed: Deed, game: GameRow, line: PhaseRow[], target: PhaseRow): Promise<void> {
  const before = line.filter((phase) => phase.n < target.n && phase.inputs).reverse();
  for (const seat of await seatsOf(deed.trx, game.id)) {
    let missed = 0;
    for (const phase of before) {
      if (!phase.inputs?.nmr.includes(seat.side)) break;
      missed++;
    }
    await setMissed(deed.trx, seat.id, missed);
  }
}

async function keepOrders(deed: Deed, game: GameRow, target: PhaseRow, phase: PhaseRow): Promise<SideId[]> {
  const { service, trx } = deed;
  const { rules, scenario } = service.scenarios.open(game.scenario);
  const kept: SideId[] = [];
  const onFile = await allInForce(trx, target.id);
  for (const seat of await seatsOf(trx, game.id)) {
    const receipt = onFile.get(seat.side);
    if (!receipt || receipt.lines.length === 0) continue;
    await fileOrders(
      service,
      trx,
      { game, phase, seat, rules, scenario },
      {
        lines: receipt.lines,
        source: 'desk',
        unmailed: true,
        mailId: null,
        replyTo: { subject: words(deed, 'kept orders'), date: null, messageId: null },
      },
    );
    kept.push(seat.side);
  }
  return kept;
}

export type RulingResult =
  | { number: number; edits: RulingEdit[] }
  | { fault: EditFault | 'not running' | 'closed' | 'phase is running'; path?: string };

/** A ruling: words, and edits of the open phase's state. Everybody hears the words; who may know it, hears the edits. */
export async function makeRuling(
  deed: Deed,
  given: GameRow,
  text: string,
  changes: readonly { path: string; value: string }[] = [],
  byPerson: number | null = null,
): Promise<RulingResult> {
  const { service, trx } = deed;
  await lockGame(trx, given.id);
  const game = await gameById(trx, given.id);
  const phase = await currentPhase(trx, game);
  if (!phase || game.status === 'over' || game.status === 'cancelled') return { fault: 'not running' };
  if (changes.length > 0 && phase.status === 'waiting') return { fault: 'phase is running' };
  if (changes.length > 0 && phase.closed_at !== null) return { fault: 'closed' };
  let state = phase.snapshot;
  const edits: RulingEdit[] = [];
  for (const { path, value } of changes) {
    const result = applyEdit(state, path, value);
    if ('fault' in result) return { fault: result.fault, path };
    state = result.state;
    edits.push(result.edit);
  }
  if (edits.length > 0) await replaceSnapshot(trx, phase, state);
  const number = await addRuling(trx, { gameId: game.id, phaseId: phase.id, text, edits, byPerson, now: deed.now });
  await addNotice(trx, phase, rulingNotices(number, text, edits));
  await record({ ...deed, why: text }, game, 'ruling', { number, paths: edits.map((edit) => edit.path) });
  await tellRuling(service, trx, game, 'ruling', number, text, edits);
  // An edit may be all the phase was waiting for: a battle decided by the master.
  if (edits.length > 0 && game.status === 'running') await runSoon(service, trx, game.id);
  return { number, edits };
}

function rulingNotices(number: number, text: string, edits: readonly RulingEdit[]): PhaseNotice[] {
  const notices: PhaseNotice[] = [{ to: 'all', key: 'club.ruling said', params: { number, text } }];
  for (const edit of edits) {
    const to = knownTo(edit);
    if (to === 'nobody') notices.push({ to: 'all', key: 'club.ruling hidden', params: { number } });
    else notices.push({ to, key: 'club.ruling edit', params: editParams(number, edit) });
  }
  return notices;
}

function editParams(number: number, edit: RulingEdit): Record<string, string | number> {
  return { number, path: edit.path, before: JSON.stringify(edit.before), after: JSON.stringify(edit.after) };
}

/** Mails a ruling to each seat with as much of the edits as it may know. */
async function tellRuling(
  service: Service,
  trx: Trx,
  game: GameRow,
  key: 'ruling' | 'ruling undone',
  number: number,
  text: string,
  edits: readonly RulingEdit[],
): Promise<void> {
  for (const seat of await seatsOf(trx, game.id)) {
    const lines = edits.map((edit) => {
      const to = knownTo(edit);
      const known = to === 'all' || to === seat.side;
      return words({ service }, known ? 'ruling edit' : 'ruling hidden', known ? editParams(number, edit) : { number });
    });
    const params = { game: game.ref, number, text };
    await tellSeat(service, trx, game, seat, { key, params, paragraphs: [words({ service }, key, params), ...lines] });
  }
}

/** Puts another state into the open phase; orders on file stay and are read again when it runs. */
async function replaceSnapshot(trx: Trx, phase: PhaseRow, state: GameState): Promise<void> {
  const hash = hashOf(state);
  await setSnapshot(trx, phase.id, state, hash);
  phase.snapshot = state;
  phase.hash = hash;
}

export type UndoResult = { undone: number } | { fault: 'no such ruling' | 'undone already' | 'moved on' };

/** Takes a ruling back while the phase it was made in is still open and what it put there still stands. */
export async function takeBackRuling(deed: Deed, given: GameRow, number: number): Promise<UndoResult> {
  const { service, trx, now } = deed;
  await lockGame(trx, given.id);
  const game = await gameById(trx, given.id);
  const ruling = (await rulingsIn(trx, game.id)).find((row) => row.number === number);
  if (!ruling) return { fault: 'no such ruling' };
  if (ruling.undone_at !== null) return { fault: 'undone already' };
  const phase = await currentPhase(trx, game);
  if (!phase || phase.id !== ruling.phase_id || phase.status !== 'open' || phase.closed_at !== null)
    return { fault: 'moved on' };
  let state: GameState | undefined = phase.snapshot;
  for (const edit of [...ruling.edits].reverse()) state = state && revertEdit(state, edit);
  if (!state) return { fault: 'moved on' };
  if (ruling.edits.length > 0) await replaceSnapshot(trx, phase, state);
  await undoRuling(trx, ruling.id, deed.why ?? '', now);
  await addNotice(trx, phase, [{ to: 'all', key: 'club.ruling taken back', params: { number, why: deed.why ?? '' } }]);
  await record(deed, game, 'ruling undone', { number });
  await tellRuling(service, trx, game, 'ruling undone', number, deed.why ?? '', []);
  return { undone: number };
}

export type PreviewResult =
  | { events: Event[]; state: GameState | null; waitingFor: SideId[]; missing: SideId[]; phase: PhaseRow }
  | { fault: 'not running' | 'phase is running' };

/**
 * What would happen, with the real key. From here on no order is accepted for this phase, everybody is told that the
 * master has looked, and the phase runs as it was seen.
 */
export async function previewPhase(deed: Deed, given: GameRow): Promise<PreviewResult> {
  const { service, trx, now } = deed;
  await lockGame(trx, given.id);
  const game = await gameById(trx, given.id);
  const phase = await currentPhase(trx, game);
  if (!phase || (game.status !== 'running' && game.status !== 'paused')) return { fault: 'not running' };
  if (phase.status !== 'open') return { fault: 'phase is running' };
  const { rules } = service.scenarios.open(game.scenario);
  const onFile = await allInForce(trx, phase.id);
  const owing = rules.asks(publicView(phase.snapshot)).flatMap((ask) => (ask.must ? [ask.side] : []));
  const missing = owing.filter((side) => onFile.get(side)?.verdict !== 'filed');
  const { inputs } = await gatherInputs(trx, { game, phase, rules }, onFile, missing);
  const dice = await gameDice(service, trx, game, phase.snapshot.phase);
  const result = adjudicate(rules, { state: phase.snapshot, filed: inputs.filed, answers: {}, nmr: missing }, dice);
  if (phase.closed_at === null) {
    await closePhase(trx, phase.id, now);
    await addNotice(trx, phase, [{ to: 'all', key: 'club.previewed', params: {} }]);
    await tellGame(service, trx, game, { key: 'preview made', params: { game: game.ref } });
  }
  await record(deed, game, 'preview');
  return {
    events: result.events,
    state: result.status === 'done' ? result.state : null,
    waitingFor: result.status === 'waiting' ? [...new Set(result.requests.map((request) => request.to))] : [],
    missing,
    phase,
  };
}

/** Calls a game off before or while it runs. */
export async function cancelGame(deed: Deed, given: GameRow): Promise<boolean> {
  const { service, trx, now } = deed;
  await lockGame(trx, given.id);
  const game = await gameById(trx, given.id);
  if (game.status === 'over' || game.status === 'cancelled') return false;
  const phase = await currentPhase(trx, game);
  if (phase) await dropPhase(trx, phase.id, now);
  await markCancelled(trx, game.id, now);
  await closeProposals(deed, game);
  await record(deed, game, 'cancel');
  await tellGame(service, trx, game, { key: 'cancelled', params: { game: game.ref, why: deed.why ?? '' } });
  return true;
}
