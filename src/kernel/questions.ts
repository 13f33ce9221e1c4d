/** Questions of the rules: their choices as values with words, and which of them are put to a player at all. */
import type { Choice, DecisionRequest, QuestionPolicy } from './types.ts';

/** Choices that a player reads and writes as they are: unit ids, hexes, words of the order language. */
export function asWritten(values: readonly string[]): Choice[] {
  return values.map((value) => ({ value, words: { key: 'kernel.choice', params: { value } } }));
}

/** What may be chosen, as it is recorded. */
export function valuesOf(request: Pick<DecisionRequest, 'options'>): string[] {
  return request.options.map(({ value }) => value);
}

/** Questions a phase and side in a game that says nothing else. */
const QUESTIONS_MOST = 24;

/** The policy in a game's settings (`questions`), with what it leaves out. */
export function questionPolicy({ questions: own = {} }: { questions?: QuestionPolicy }): QuestionPolicy {
  return { kinds: own.kinds ?? {}, most: own.most ?? QUESTIONS_MOST };
}
