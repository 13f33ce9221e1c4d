/** Answers to the questions of a waiting phase: by number or words of an option, or as order lines where a form was given. */
import { known } from '../../kernel/assert.ts';
import { error } from '../../kernel/orders.ts';
import type { Choice, DecisionRequest, Diagnostic } from '../../kernel/types.ts';
import type { Wording } from '../../render/words.ts';
import type { EchoLine } from '../../store/schema.ts';
import type { SeatDesk } from './openseat.ts';
import type { GivenAnswer } from './reading.ts';

type Read = { chosen: string[] } | { diagnostics: Diagnostic[] };

export interface TakenAnswer {
  requestId: number;
  chosen: string[];
}

/**
 * Reads every answer that fits an open question of the side, and echoes each as a line. An answer may be changed until
 * the phase goes on.
 */
export function readAnswers(
  ground: SeatDesk,
  answers: readonly GivenAnswer[],
): { echo: EchoLine[]; taken: TakenAnswer[] } {
  const echo: EchoLine[] = [];
  const taken: TakenAnswer[] = [];
  for (const answer of answers) {
    const request = ground.requests.find((one) => one.number === answer.number && one.side === ground.seat.side);
    const open = request && request.decided_by !== 'fallback';
    const read: Read = open
      ? readAnswer(ground, request.body, answer)
      : { diagnostics: [error('NO SUCH QUESTION', answer.at.n, { number: answer.number })] };
    const text = [
      answer.at.text,
      ...answer.lines.filter((line) => line !== answer.at && line.n !== answer.at.n).map((line) => line.text),
    ].join(' | ');
    if ('diagnostics' in read) {
      const diagnostics = read.diagnostics.map((one) => ({ ...one, line: answer.at.n }));
      echo.push({ n: answer.at.n, text, status: 'error', diagnostics });
      continue;
    }
    echo.push({ n: answer.at.n, text, status: 'ok', diagnostics: [] });
    if (request) taken.push({ requestId: request.id, chosen: read.chosen });
  }
  return { echo, taken };
}

function readAnswer(ground: SeatDesk, request: DecisionRequest, answer: GivenAnswer): Read {
  const view = known(ground.views[ground.seat.side], 'a question without a view');
  if (request.form) return ground.rules.parseAnswer(view, request, answer.lines);
  const plain = optionsOf(request, answer, ground.wording);
  if (!plain) return ground.rules.parseAnswer(view, request, answer.lines);
  if (plain.length >= request.min && plain.length <= request.max) return { chosen: plain };
  const params = { min: request.min, max: request.max, given: plain.length };
  return { diagnostics: [error('WRONG NUMBER OF CHOICES', answer.at.n, params)] };
}

/** The options meant by numbers (`2`, `1,3`) or by their words; undefined when it is neither. */
function optionsOf(request: DecisionRequest, answer: GivenAnswer, wording: Wording): string[] | undefined {
  const written = answer.lines.map((line) => line.text).join(',');
  const means = ({ value, words }: Choice, text: string): boolean =>
    sameWords(value, text) || sameWords(wording.say(words), text);
  const whole = request.options.find((option) => means(option, written));
  if (whole) return [whole.value];
  if (/^(none|no|-|0)$/i.test(written.trim()) && request.min === 0) return [];
  const chosen: string[] = [];
  for (const part of written.split(',').map((text) => text.trim())) {
    if (part === '') continue;
    const option = /^\d+$/.test(part)
      ? request.options[Number(part) - 1]
      : request.options.find((candidate) => means(candidate, part));
    if (option === undefined || chosen.includes(option.value)) return undefined;
    chosen.push(option.value);
  }
  return chosen.length > 0 ? chosen : undefined;
}

function sameWords(a: string, b: string): boolean {
  const plain = (text: string): string => text.trim().replace(/\s+/g, ' ').toUpperCase();
  return plain(a) === plain(b);
}
