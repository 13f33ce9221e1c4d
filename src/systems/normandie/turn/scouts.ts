/** The scout move before the first turn (6.5-scout). */
import { squaresBetween } from '../../../board/square.ts';
import { moveRefusal } from '../actions/plan.ts';
import { type Book, placeOf } from '../content/opened.ts';
import { abilitiesOf, passengersOf } from '../counters/units.ts';
import type { MoveAction } from '../language.ts';
import { never, type Refusal, refuse } from '../refusal.ts';
import type { Known, NormandieUnit } from '../types.ts';

/** How many of the ordered steps a scout may take, and why not the next. */
export function scoutPlan(
  book: Book,
  known: Known,
  unit: NormandieUnit,
  move: MoveAction,
): { steps: number; refusal: Refusal | undefined } {
  const params = { unit: unit.code };
  if (!('scout' in abilitiesOf(book, known, unit)))
    return { steps: 0, refusal: never('NO SCOUT', '6.5-scout-a', params) };
  if (unit.aboard !== null) return { steps: 0, refusal: never('ABOARD', '6.5-scout-g', params) };
  const carries = passengersOf(known.table, unit.code).some((each) => !('scout' in abilitiesOf(book, known, each)));
  if (carries) return { steps: 0, refusal: never('PASSENGERS DO NOT SCOUT', '6.5-scout-f', params) };
  const whole = moveRefusal(book, known, unit, move, 'scout');
  let refusal = whole.refusal;
  for (let steps = whole.steps; steps > 0; steps--) {
    const part = moveRefusal(book, known, unit, { ...move, steps: move.steps.slice(0, steps) }, 'scout');
    if (part.refusal || !part.end) continue;
    if (!nearObjective(book, known, [part.end.at, ...(part.end.rear === null ? [] : [part.end.rear])]))
      return { steps, refusal };
    refusal = refuse('NEAR AN OBJECTIVE', '6.5-scout-d', { ...params, at: part.end.at });
  }
  return { steps: 0, refusal };
}

/** Inside an objective's area or adjacent to it (6.5-scout-d). */
function nearObjective(book: Book, known: Known, squares: readonly string[]): boolean {
  const areas = known.table.objectives.flatMap((objective) =>
    objective.kind === 'building'
      ? [...book.places.values()].filter((place) => place.building === objective.building).map((place) => place.name)
      : objective.squares,
  );
  return squares.some((name) =>
    areas.some((area) => squaresBetween(placeOf(book, name).centre, placeOf(book, area).centre) <= 1),
  );
}
