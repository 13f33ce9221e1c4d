/** The order form that a seat was sent, told from what comes back: a form that nobody changed is no order. */
import { isFrameLine, readHeaderLine, withoutComment } from '../../kernel/frame.ts';
import type { GameState, Rules, SideId } from '../../kernel/types.ts';
import { viewFor } from '../../kernel/view.ts';
import { saidForm, type Wording } from '../../render/words.ts';

/** Tells whether order lines are, unchanged, those of the form that a side was sent for a phase. */
export function formSent(
  rules: Rules,
  state: GameState,
  side: SideId,
  wording: Wording,
): (lines: readonly string[]) => boolean {
  const { orderForm, fullForm = [] } = rules.report(viewFor(state, side), [], { orders: [], standing: [] });
  const sent = [orderForm, fullForm].map((form) => orderPart(saidForm(form, wording)));
  return (lines) => sent.some((form) => form.length > 0 && orderPart(lines).join('\n') === form.join('\n'));
}

/** The lines of a form without comments and blanks, in one way of writing. */
function orderPart(lines: readonly string[]): string[] {
  return lines
    .map((line) => withoutComment(line).replace(/\s+/g, ' ').trim().toUpperCase())
    .filter((line) => line !== '' && !isFrameLine(line, 'END'));
}

/** Whether a form's header names another turn or step than the open one. */
export function ofAnotherTime(lines: readonly string[], phase: { turn: number; step: string }): boolean {
  const fields = lines.flatMap((line) => readHeaderLine(line) ?? []);
  return fields.some(
    ({ name, value }) =>
      (name === 'TURN' && Number(value) !== phase.turn) ||
      (name === 'STEP' && value.toLowerCase() !== phase.step.toLowerCase()),
  );
}
