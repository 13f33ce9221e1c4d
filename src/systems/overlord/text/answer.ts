/** Reading a player's answer to a question: numbers or words of the options, or ADVANCE and BREAKOUT lines. */

import { error } from '../../../kernel/orders.ts';
import { valuesOf } from '../../../kernel/questions.ts';
import type { Diagnostic, OrderLine } from '../../../kernel/types.ts';
import { advanceText } from '../combat/advance.ts';
import { FACTOR, worthText } from '../combat/odds.ts';
import { type Campaign, indexOf } from '../content/campaign.ts';
import { resolveUnit } from '../content/names.ts';
import type { OverlordAbout, OverlordQuestion } from '../types.ts';
import { type Draft, emptyDraft, failed, type LineReading, readAttackPaths } from './linereading.ts';
import { partsOf } from './parse.ts';

type Answer = { chosen: string[] } | { diagnostics: Diagnostic[] };

/** The answer in the request's own words, or what is wrong with it. */
export function readAnswer(campaign: Campaign, request: OverlordQuestion, lines: readonly OrderLine[]): Answer {
  return request.form ? readForm(campaign, request, lines) : readOptions(campaign, request, lines);
}

/** `ADVANCE US1/1 -> 2110 2211`, one a line; NONE for nobody. */
function readForm(campaign: Campaign, request: OverlordQuestion, lines: readonly OrderLine[]): Answer {
  const diagnostics: Diagnostic[] = [];
  const chosen: string[] = [];
  const { units, target } = request.about as Extract<OverlordAbout, { line: number; units: string[] }>;
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
      const mine = units.filter((unit) => formation?.units.includes(unit));
      return mine.length > 0 ? mine.map((unit) => ({ ...advance, unit })) : [advance];
    });
    for (const advance of named) {
      if (!units.includes(advance.unit))
        diagnostics.push(
          error('ADVANCE OF A NON-ATTACKER', line.n, { unit: advance.unit, clause: word }, 'OVL-CRE-09'),
        );
      else if (advance.path[0] !== target)
        diagnostics.push(
          error('ADVANCE ELSEWHERE', line.n, {
            unit: advance.unit,
            clause: word,
            first: advance.path[0] ?? '',
            target,
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
function readWishes(reading: LineReading, draft: Draft, { form, about }: OverlordQuestion): boolean {
  const target = 'target' in about ? about.target : null;
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
function readOptions(campaign: Campaign, request: OverlordQuestion, lines: readonly OrderLine[]): Answer {
  const text = lines.map((line) => line.text.replace(/#.*$/, '').trim()).join(' ');
  const line = lines[0]?.n ?? 1;
  const chosen = pick(campaign, request, text.replace(/,/g, ' ').trim());
  if (!chosen || chosen.length < request.min || chosen.length > request.max)
    return { diagnostics: [error('ANSWER UNCLEAR', line, { text, form: valuesOf(request) })] };
  const { about } = request;
  if (about.kind === 'losses') {
    const paid = chosen.reduce((sum, name) => sum + campaign.units[indexOf(campaign, name)]!.cf * FACTOR, 0);
    if (paid < about.eighths)
      return {
        diagnostics: [error('LOSSES TOO SMALL', line, { due: worthText(about.eighths) }, 'OVR-08')],
      };
  }
  return { chosen };
}

function pick(campaign: Campaign, request: OverlordQuestion, text: string): string[] | undefined {
  const values = valuesOf(request);
  const whole = values.find((option) => option.toUpperCase() === text.toUpperCase());
  if (whole !== undefined) return [whole];
  const chosen: string[] = [];
  for (const word of text.split(/\s+/).filter((part) => part !== '')) {
    const numbered = /^\d{1,2}$/.test(word) ? values[Number(word) - 1] : undefined;
    const resolved = numbered === undefined ? resolveUnit(campaign, word) : undefined;
    const name = numbered ?? (resolved && 'name' in resolved ? resolved.name : word);
    if (!values.includes(name)) return undefined;
    if (!chosen.includes(name)) chosen.push(name);
  }
  return chosen;
}
