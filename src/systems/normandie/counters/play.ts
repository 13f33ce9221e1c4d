/** What the rules of a running phase hand around: the draft, the dice, the orders, and how to ask a side. */
import { assert } from '../../../kernel/assert.ts';
import { asWritten } from '../../../kernel/questions.ts';
import type { Decision, DecisionRequest, Param, Ruling } from '../../../kernel/types.ts';
import type { Book } from '../content/opened.ts';
import type { BonusType, NormandieSide } from '../data.ts';
import type { NormandieEvent } from '../events.ts';
import type { AskWord, Doctrine, NormandieOrder, QuestionKind } from '../language.ts';
import type { Known, Normandie, NormandieHand, NormandieTable, NormandieUnit, Offered, State } from '../types.ts';
import { knownOf } from './units.ts';

/** A rule that may have to ask somebody. */
export type Asking<T> = Generator<DecisionRequest<Normandie>[], T, Decision[]>;

export interface Play {
  book: Book;
  draft: State;
  table: NormandieTable;
  /** All hands: the engine may look everywhere. */
  known: Known;
  orders: Record<NormandieSide, NormandieOrder[]>;
  standing: Record<NormandieSide, Doctrine[]>;
  nmr: NormandieSide[];
  emit(event: NormandieEvent): void;
  /** Open dice, six-sided. A context used before in this phase says what was rolled then. */
  roll(context: string, count: number): number[];
  /** A secret order of cards. */
  shuffle<T>(context: string, items: readonly T[]): T[];
  /** A question id made unique within the phase. */
  unique(id: string): string;
  /** The unit whose Movement Action is under way, and whether damage has stopped it (3.2.3-dmg-2, R16). */
  mover: { unit: NormandieUnit; stopped: boolean } | null;
  /** The type of Alternate Bonus that the action of a unit has been given so far (4.2-j), by code. */
  boosted: Map<string, BonusType>;
}

/** Binds the arguments of `adjudicate` together. */
export function openPlay(
  book: Book,
  draft: State,
  orders: Record<string, NormandieOrder[]>,
  ruling: Ruling<Normandie>,
): Play {
  const used = new Map<string, number>();
  const unique = (text: string): string => {
    const times = (used.get(text) ?? 0) + 1;
    used.set(text, times);
    return times === 1 ? text : `${text} (${times})`;
  };
  return {
    book,
    draft,
    table: draft.table,
    known: knownOf(draft),
    orders: { us: orders.us ?? [], ge: orders.ge ?? [] },
    standing: { us: ruling.standing.us ?? [], ge: ruling.standing.ge ?? [] },
    nmr: ruling.nmr as NormandieSide[],
    emit: (event) => ruling.emit(event),
    ...diceOf(ruling, unique),
    unique: (id) => unique(`? ${id}`).slice(2),
    mover: null,
    boosted: new Map(),
  };
}

/** Rules up to this version numbered a repeated roll; their phases are judged again by the contexts they had. */
const NUMBERED_VERSION = '1';

/**
 * The dice of a phase. A roll made again says in its context what came of the one before it (`…, again after 4`): no
 * running number, so that nothing rolled elsewhere can change it.
 */
function diceOf(
  { dice, version }: Ruling<Normandie>,
  numbered: (context: string) => string,
): Pick<Play, 'roll' | 'shuffle'> {
  if (version === NUMBERED_VERSION)
    return {
      roll: (context, count) => dice.roll(numbered(context), count, 6),
      shuffle: (context, items) => dice.shuffle(numbered(context), items),
    };
  const next = new Map<string, string>();
  return {
    roll(context, count) {
      const full = next.get(context) ?? context;
      const rolls = dice.roll(full, count, 6);
      next.set(context, `${full}, again after ${rolls.join(' ')}`);
      return rolls;
    },
    shuffle(context, items) {
      const full = next.get(context) ?? context;
      next.set(context, `${full}, again`);
      return dice.shuffle(full, items);
    },
  };
}

export interface AskedQuestion {
  id: string;
  to: NormandieSide;
  kind: QuestionKind;
  options: string[];
  /** What a choice stands for, by its value, where it is more than a name. */
  of?: Record<string, Offered>;
  fallback: string;
  /** Public facts named in the question: `unit`, `target` … */
  params?: Record<string, Param>;
  rule?: string;
  /** Put the question although only one answer is left: the pause must not tell what is in a hand (3.7). */
  always?: boolean;
}

/** Does a side want windows of that kind put to it by mail? */
export function wantsAsking(play: Play, side: NormandieSide, word: AskWord): boolean {
  return play.standing[side].some((line) =>
    line.rules.some((rule) => rule.rule === 'ASK' && rule.windows.includes(word)),
  );
}

/**
 * Asks one side one thing. A single option is taken silently (the choice is no choice); an answer that is no option falls
 * back. Returns the option chosen.
 */
export function* ask(play: Play, question: AskedQuestion): Asking<string> {
  assert(question.options.includes(question.fallback), `${question.id}: the fallback is no option`);
  if (question.options.length === 1 && !question.always) return question.options[0]!;
  const request: DecisionRequest<Normandie> = {
    id: play.unique(question.id),
    to: question.to,
    kind: question.kind,
    about: { unit: String(question.params?.unit ?? ''), of: question.of ?? {} },
    options: asWritten(question.options),
    min: 1,
    max: 1,
    fallback: [question.fallback],
    words: { key: `normandie.ask ${question.kind}`, params: question.params ?? {} },
    ...(question.rule === undefined ? {} : { rule: question.rule }),
  };
  const [decision] = yield [request];
  const chosen = decision?.chosen[0] ?? question.fallback;
  const valid = question.options.includes(chosen) ? chosen : question.fallback;
  if (question.kind === 'reroll' || question.kind === 'card' || question.kind === 'bonus')
    countUse(play, question, valid);
  if (decision && decision.by !== 'fallback')
    play.emit({
      type: 'considered',
      audience: [question.to],
      side: question.to,
      window: question.kind,
      unit: String(question.params?.unit ?? ''),
      chosen: valid,
    });
  return valid;
}

/** Books a re-roll or card towards the `MAX` of doctrine lines, turn by turn. */
function countUse(play: Play, { to, kind, of }: AskedQuestion, chosen: string): void {
  if (chosen === 'PASS') return;
  const hand = handOf(play, to);
  const { turn } = play.draft.phase;
  if (hand.used.turn !== turn) hand.used = { turn, times: {} };
  const what = kind === 'reroll' ? `REROLL ${chosen.toLowerCase()}` : `CARD ${offeredCard(of, chosen)}`;
  hand.used.times[what] = (hand.used.times[what] ?? 0) + 1;
}

/** The card that a choice plays; a choice that is a card's name alone needs no saying. */
export function offeredCard(of: Record<string, Offered> | undefined, chosen: string): string {
  const offered = of?.[chosen];
  return offered?.is === 'card' ? offered.card : chosen;
}

export function handOf(play: Play, side: NormandieSide): NormandieHand {
  return play.draft.hands[side]!;
}

/** What one side knows of the draft: its own hand only. Conditions are evaluated on this. */
export function sideKnown(play: Play, side: NormandieSide): Known {
  return { table: play.table, hands: { [side]: handOf(play, side) }, turn: play.draft.phase.turn };
}
