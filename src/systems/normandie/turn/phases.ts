/** The phases of a game and which follows which: recruit, setup, tokens, orders, pause, supply. */
import { beginActivation, runActivation } from '../actions/activation.ts';
import { endBySuddenDeath } from '../actions/victory.ts';
import { type Asking, handOf, type Play } from '../counters/play.ts';
import { bothSides } from '../counters/units.ts';
import type { NormandieSide } from '../data.ts';
import type { ConcealOrder, NormandieOrder, ScriptOrder } from '../language.ts';
import type { NormandieStep } from '../types.ts';
import { deploy } from './deployment.ts';
import { playPhaseCards } from './phasecards.ts';
import { recruit } from './recruitment.ts';
import { dealCards } from './setup.ts';
import { supply } from './supply.ts';
import { placeTokens, suddenDeath, tokensOf } from './tokens.ts';

/** Runs the phase at hand and leaves the draft at the next one. */
export function* runPhase(play: Play): Asking<void> {
  const step = play.draft.phase.step as NormandieStep;
  switch (step) {
    case 'recruit':
      yield* recruit(play);
      dealCards(play.book, play.draft, play);
      return next(play, 'setup');
    case 'setup':
      yield* deploy(play);
      return newTurn(play, play.draft.phase.turn);
    case 'tokens':
      fileAll(play);
      yield* orderPhase(play);
      return play.table.ended ? next(play, 'tokens') : next(play, 'orders');
    case 'orders':
      fileAll(play);
      if (!tokensLieFirst(play)) yield* orderPhase(play);
      if (play.table.ended) return next(play, 'orders');
      yield* playPhaseCards(play, 'order-end');
      beginActivation(play);
      return yield* activationPhase(play);
    case 'pause':
      fileAll(play);
      return yield* activationPhase(play);
    case 'supply':
      fileAll(play);
      return yield* supplyPhase(play);
  }
}

/** Placed and live games put tokens down before scripts are written (3.2). */
function tokensLieFirst(play: Play): boolean {
  return play.table.mode === 'placed' || play.table.mode === 'live';
}

/** Order Phase, steps 1 to 3: start effects, counting, Sudden Death, placing (3.1). */
function* orderPhase(play: Play): Asking<void> {
  const { table } = play;
  play.emit({ type: 'turn', audience: 'all', turn: play.draft.phase.turn, initiative: table.initiative, rule: '3-c' });
  const commands = yield* playPhaseCards(play, 'order-start');
  for (const side of bothSides(table.initiative))
    table.tokens[side] = tokensOf(play.book, play.known, side, commands[side]);
  const dead = suddenDeath(table);
  if (dead.length > 0) {
    endBySuddenDeath(play, dead);
    return;
  }
  for (const side of bothSides(table.initiative)) placeTokens(play, side, handOf(play, side).plan.tokens);
}

function* activationPhase(play: Play): Asking<void> {
  const through = yield* runActivation(play);
  if (!through) return next(play, 'pause');
  if (play.table.ended) return next(play, 'orders');
  if (play.table.mode === 'one-mail') return yield* supplyPhase(play);
  return next(play, 'supply');
}

function* supplyPhase(play: Play): Asking<void> {
  const conceals = { us: concealsOf(play, 'us'), ge: concealsOf(play, 'ge') };
  yield* supply(play, conceals);
  const { turn } = play.draft.phase;
  return play.table.ended ? next(play, 'supply') : newTurn(play, turn + 1);
}

function concealsOf(play: Play, side: NormandieSide): ConcealOrder[] {
  return play.orders[side].filter((order): order is ConcealOrder => order.verb === 'CONCEAL');
}

function newTurn(play: Play, turn: number): void {
  next(play, tokensLieFirst(play) ? 'tokens' : 'orders', turn);
}

function next(play: Play, step: NormandieStep, turn = play.draft.phase.turn): void {
  play.table.moment = null;
  play.draft.phase = { n: play.draft.phase.n + 1, turn, step };
}

/** Files both sides' orders in their hands, over what stands from before a pause. */
function fileAll(play: Play): void {
  for (const side of bothSides('us')) for (const order of play.orders[side]) file(play, side, order);
}

function file(play: Play, side: NormandieSide, order: NormandieOrder): void {
  const { plan } = handOf(play, side);
  switch (order.verb) {
    case 'TOKEN':
      plan.tokens.push(order);
      break;
    case 'ON':
      plan.scripts = [...plan.scripts.filter((other) => !sameKey(other, order)), order];
      break;
    case 'CLAIM':
      plan.claims = [
        ...plan.claims.filter((other) => JSON.stringify(other.what) !== JSON.stringify(order.what)),
        order,
      ];
      break;
    case 'PLAY':
      plan.cards = [...plan.cards.filter((other) => other.card !== order.card || other.on !== order.on), order];
      break;
    case 'SUPPLY':
      plan.supply.push(order);
      break;
    case 'DISCARD':
      plan.discards = [...(plan.discards ?? []), ...order.cards];
      break;
    case 'PAUSE':
      if (play.draft.phase.step === 'orders' && play.table.mode !== 'one-mail') plan.pauseAfter = order.after;
      break;
    default:
      break;
  }
}

function sameKey(a: ScriptOrder, b: ScriptOrder): boolean {
  return JSON.stringify(a.on) === JSON.stringify(b.on);
}
