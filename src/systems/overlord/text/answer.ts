/** Reading a player's answer to a question: numbers or words of the options, or ADVANCE and BREAKOUT lines. */
import { error } from '../../../kernel/orders.ts';
import type { DecisionRequest, Diagnostic, OrderLine } from '../../../kernel/types.ts';
import { advanceText, readAdvance } from '../combat/advance.ts';
import { FACTOR } from '../combat/odds.ts';
import { type Campaign, indexOf } from '../content/campaign.ts';
import { resolveUnit } from '../content/names.ts';
import { partsOf } from './parse.ts';
import { type Draft, emptyDraft, failed, type Reading, readAttackPaths } from './reading.ts';

type Answer = { chosen: string[] } | { diagnostics: Diagnostic[] };

/** The answer in the request's own words, or what is wrong with it. */
export function readAnswer(campaign: Campaign, request: DecisionRequest, lines: readonly OrderLine[]): Answer {
  return request.form ? readForm(campaign, request, lines) : readOptions(campaign, request, lines);
}

/** `ADVANCE US1/1 -> 2110 2211`, one a line; NONE for nobody. */
function readForm(campaign: Campaign, request: DecisionRequest, lines: readonly OrderLine[]): Answer {
  const diagnostics: Diagnostic[] = [];
  const chosen: string[] = [];
  const open = (request.form ?? []).map((line) => readAdvance(line.replace(/^\w+ /, '')));
  const target = open[0]?.path[0] ?? null;
  const word = request.kind.toUpperCase();
  for (const line of lines) {
    const draft = emptyDraft(line.n);
    if (
      !partsOf(line).every((words) =>
        readWishes({ campaign, n: line.n, words, at: 0, faults: diagnostics }, draft, request),
      )
    )
      continue;
    const named = draft.advance.flatMap((advance) => {
      const formation = campaign.formations.get(advance.unit);
      const mine = open.filter(({ unit }) => formation?.units.includes(unit));
      return mine.length > 0 ? mine.map(({ unit }) => ({ ...advance, unit })) : [advance];
    });
    for (const advance of named) {
      if (!open.some(({ unit }) => unit === advance.unit))
        diagnostics.push(
          error('ADVANCE OF A NON-ATTACKER', line.n, { unit: advance.unit, clause: word }, 'OVL-CRE-09'),
        );
      else if (advance.path[0] !== target)
        diagnostics.push(
          error('ADVANCE ELSEWHERE', line.n, {
            unit: advance.unit,
            clause: word,
            first: advance.path[0] ?? '',
            target: target ?? '',
          }),
        );
      else chosen.push(advanceText(advance));
    }
  }
  return diagnostics.length > 0 ? { diagnostics } : { chosen };
}

/** Words for going on after a battle: whoever is asked means this question by either. */
const FOLLOWING = ['ADVANCE', 'BREAKOUT'];

/** `ADVANCE US1/1 -> 2110` again and again to the end of the words, or NONE; false when there is anything else. */
function readWishes(reading: Reading, draft: Draft, { form }: DecisionRequest): boolean {
  const target = readAdvance((form?.[0] ?? '').replace(/^\w+ /, '')).path[0] ?? null;
  if (reading.words.length === 1 && reading.words[0]!.upper === 'NONE') return true;
  while (reading.at < reading.words.length) {
    const word = reading.words[reading.at]!;
    if (!FOLLOWING.includes(word.upper)) {
      const text = reading.words.map((each) => each.text).join(' ');
      return failed(reading, 'ANSWER UNCLEAR', { text, form: form ?? [] });
    }
    reading.at += 1;
    if (!readAttackPaths(reading, draft.advance, target)) return false;
  }
  return true;
}

/** Numbers of the options, or the options themselves. */
function readOptions(campaign: Campaign, request: DecisionRequest, lines: readonly OrderLine[]): Answer {
  const text = lines.map((line) => line.text.replace(/#.*$/, '').trim()).join(' ');
  const line = lines[0]?.n ?? 1;
  const chosen = pick(campaign, request, text.replace(/,/g, ' ').trim());
  if (!chosen || chosen.length < request.min || chosen.length > request.max)
    return { diagnostics: [error('ANSWER UNCLEAR', line, { text, form: request.options })] };
  if (request.kind === 'losses') {
    const due = Number(request.words?.params?.eighths ?? 0);
    const paid = chosen.reduce((sum, name) => sum + campaign.units[indexOf(campaign, name)]!.cf * FACTOR, 0);
    if (paid < due)
      return {
        diagnostics: [error('LOSSES TOO SMALL', line, { due: String(request.words?.params?.due ?? '') }, 'OVR-08')],
      };
  }
  return { chosen };
}

function pick(campaign: Campaign, request: DecisionRequest, text: string): string[] | undefined {
  const whole = request.options.find((option) => option.toUpperCase() === text.toUpperCase());
  if (whole !== undefined) return [whole];
  const chosen: string[] = [];
  for (const word of text.split(/\s+/).filter((part) => part !== '')) {
    const numbered = /^\d{1,2}$/.test(word) ? request.options[Number(word) - 1] : undefined;
    const resolved = numbered === undefined ? resolveUnit(campaign, word) : undefined;
    const name = numbered ?? (resolved && 'name' in resolved ? resolved.name : word);
    if (!request.options.includes(name)) return undefined;
    if (!chosen.includes(name)) chosen.push(name);
  }
  return chosen;
}
