/**
 * RERUN: a phase that was run is adjudicated again from the same inputs with the same dice, to show what today's rules
 * would have made of it and for whom it would differ. Nothing changes until PUBLISH: then a new line opens after it.
 */
import { canonical } from '../../kernel/hash.ts';
import { type Answer, adjudicate } from '../../kernel/judge.ts';
import type { Decision, DieRoll, Event, GameState, Rules, Viewer } from '../../kernel/types.ts';
import { publicView } from '../../kernel/view.ts';
import { lockGame } from '../../store/db.ts';
import {
  currentPhase,
  gameById,
  lastNumber,
  logAction,
  markOver,
  markRunning,
  phasesOf,
  seatsOf,
} from '../../store/games.ts';
import { requestsOf } from '../../store/orders.ts';
import { dropPhase, openPhase } from '../../store/phases.ts';
import type { GameRow, PhaseRow } from '../../store/schema.ts';
import { noteSeen } from '../../store/trust/seen.ts';
import { confirmFirst, type Errand, gameMeant, mayMaster, no, type Said, words, yes } from '../errand.ts';
import { gameDice } from '../keys.ts';
import { type Deed, deedOf, linePhases } from '../phase/course.ts';
import { mailReports, phaseOf } from '../phase/newgame.ts';
import { planDeadline } from '../phase/pace.ts';
import { tellGame } from '../post/notices.ts';
import { phaseDue } from '../time/deadlines.ts';
import { reportLines } from './gamemaster.ts';
import { sideName } from './signup.ts';

interface Difference {
  viewer: Viewer;
  /** Lines of the report that would go, and lines that would come. */
  gone: string[];
  come: string[];
}

type RerunResult =
  | {
      same: boolean;
      differences: Difference[];
      state: GameState;
      events: Event[];
      decisions: Decision[];
      dice: DieRoll[];
      target: PhaseRow;
    }
  | { fault: 'no such phase' | 'not run yet' | 'asks again'; why?: string };

/** Adjudicates a finished phase of the present line again and compares what each viewer is told. Changes nothing. */
async function rerunPhase(deed: Pick<Deed, 'service' | 'trx'>, game: GameRow, n: number): Promise<RerunResult> {
  const { service, trx } = deed;
  const line = await linePhases(trx, game);
  const target = line.find((phase) => phase.n === n);
  if (!target) return { fault: 'no such phase' };
  const after = line[line.indexOf(target) + 1];
  if (target.status !== 'done' || !target.inputs || !after) return { fault: 'not run yet' };
  const { rules, scenario } = service.scenarios.open(game.scenario);
  const answers: Record<string, Answer> = {};
  for (const request of await requestsOf(trx, target.id))
    answers[request.request_id] = { chosen: request.chosen ?? [], by: request.decided_by ?? 'fallback' };
  const dice = await gameDice(service, trx, game, target.snapshot.phase);
  const { filed, nmr } = target.inputs;
  const result = adjudicate(rules, { state: target.snapshot, filed, answers, nmr }, dice);
  if (result.status === 'waiting') return { fault: 'asks again', why: result.requests.map((one) => one.id).join(', ') };
  const sides = scenario.sides.map((side) => side.id);
  const told = (state: GameState, events: readonly Event[], viewer: Viewer): string[] =>
    reportLines(deed, rules as Rules, state, viewer, events);
  const differences = ['public', ...sides]
    .map((viewer) => {
      const before = told(after.snapshot, target.events ?? [], viewer);
      const now = told(result.state, result.events, viewer);
      return { viewer, gone: minus(before, now), come: minus(now, before) };
    })
    .filter((difference) => difference.gone.length + difference.come.length > 0);
  const same = canonical(withoutNumber(result.state)) === canonical(withoutNumber(after.snapshot));
  const { state, events, decisions } = result;
  return { same, differences, state, events, decisions, dice: result.dice, target };
}

function withoutNumber(state: GameState): unknown {
  return { ...state, phase: { ...state.phase, n: 0 } };
}

/** Lines of `a` that `b` lacks, counted. */
function minus(a: readonly string[], b: readonly string[]): string[] {
  const left = [...b];
  return a.filter((line) => {
    const at = left.indexOf(line);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}

/** Makes the re-run the record: a new line with the phase as it ran now, and an open phase after it with fresh dice. */
async function publishRerun(
  deed: Deed,
  game: GameRow,
  rerun: Extract<RerunResult, { target: PhaseRow }>,
): Promise<PhaseRow> {
  const { service, trx, now } = deed;
  const { rules, system } = service.scenarios.open(game.scenario);
  const current = await currentPhase(trx, game);
  const { target } = rerun;
  const line = Math.max(...(await phasesOf(trx, game.id)).map((phase) => phase.line)) + 1;
  if (current) await dropPhase(trx, current.id, now);
  const notice = { to: 'all' as const, key: 'club.rerun published', params: { n: target.n, why: deed.why ?? '' } };
  const ran = await openPhase(trx, {
    ...phaseOf(target.snapshot),
    status: 'done',
    game_id: game.id,
    line,
    opened_by: 'ruling',
    from_phase_id: target.from_phase_id,
    previous_hash: target.previous_hash,
    rules_version: system.rulesVersion,
    inputs: target.inputs,
    events: rerun.events,
    decisions: rerun.decisions,
    dice: rerun.dice,
    notices: [...target.notices, notice],
    open_key: target.open_key,
    secret_key: target.secret_key,
    due_at: null,
    opened_at: target.opened_at,
    done_at: now,
  });
  const state = structuredClone(rerun.state);
  state.phase.n = (await lastNumber(trx, game.id)) + 1;
  const outcome = rules.outcome(state);
  const over = outcome !== undefined || rules.asks(publicView(state)).length === 0;
  if (over) await markOver(trx, game.id, outcome ?? { winner: null, reason: 'over' }, now);
  else await markRunning(trx, game.id);
  const again = await gameById(trx, game.id);
  const next = await openPhase(trx, {
    ...phaseOf(state),
    game_id: game.id,
    line,
    opened_by: 'ruling',
    from_phase_id: ran.id,
    previous_hash: ran.hash,
    rules_version: system.rulesVersion,
    due_at: over ? null : await phaseDue(trx, again, now, { pace: rules.pace(publicView(state)) }),
    opened_at: now,
  });
  await tellRerun(deed, again, target, next);
  return next;
}

/** Records the new line, plans its deadline, tells everybody. */
async function tellRerun(deed: Deed, game: GameRow, target: PhaseRow, next: PhaseRow): Promise<void> {
  const { service, trx, now } = deed;
  await logAction(trx, {
    at: now,
    gameId: game.id,
    who: deed.who,
    door: deed.door,
    what: 'rerun',
    why: deed.why,
    detail: { n: target.n, line: next.line },
    public: true,
  });
  await planDeadline(service, trx, game, next);
  await tellGame(service, trx, game, {
    key: 'rerun done',
    params: { game: game.ref, n: target.n, turn: target.turn, why: deed.why ?? '' },
  });
  await mailReports(service, trx, next, await seatsOf(trx, game.id));
}

/** `RERUN game n`: what would differ and for whom. `RERUN game n PUBLISH reason`: make it so. */
export async function rerun(errand: Errand): Promise<Said> {
  const meant = await gameMeant(errand);
  if (!meant || !(await mayMaster(errand, meant))) return no(errand, 'not the master');
  if (!errand.trusted) return confirmFirst(errand);
  await lockGame(errand.trx, meant.id);
  const game = await gameById(errand.trx, meant.id);
  const n = Number(errand.args.n);
  const result = await rerunPhase(errand, game, n);
  if (errand.person && !('fault' in result))
    await noteSeen(errand.trx, {
      gameId: game.id,
      personId: errand.person.id,
      side: null,
      how: 'rerun',
      now: errand.now,
    });
  if ('fault' in result) {
    const numbers = (await linePhases(errand.trx, game)).map((phase) => String(phase.n));
    return no(errand, result.fault, { n, numbers, why: result.why ?? '' });
  }
  const paragraphs = result.differences.map((difference) => differenceText(errand, game, difference));
  const head = result.same && paragraphs.length === 0 ? 'rerun same' : 'rerun differs';
  if (errand.args.publish === undefined)
    return { ok: true, paragraphs: [words(errand, head, { n, game: game.ref }), ...paragraphs] };
  if (!errand.args.rest) return no(errand, 'reason needed');
  if (head === 'rerun same') return no(errand, 'rerun same', { n, game: game.ref });
  const next = await publishRerun(deedOf(errand, errand.args.rest), game, result);
  return yes(errand, 'rerun now', { n, game: game.ref, next: next.n });
}

/** One viewer's difference in lines: `-` what would go, `+` what would come. */
function differenceText(errand: Pick<Errand, 'service'>, game: GameRow, difference: Difference): string {
  const who =
    difference.viewer === 'public' ? words(errand, 'everybody') : sideName(errand.service, game, difference.viewer);
  return [
    words(errand, 'rerun for', { who }),
    ...difference.gone.map((line) => `- ${line.trim()}`),
    ...difference.come.map((line) => `+ ${line.trim()}`),
  ].join('\n');
}
