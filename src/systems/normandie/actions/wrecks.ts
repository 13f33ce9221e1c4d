/** Wrecks that a moving vehicle pushes or drives over (3.2.1-push, 3.2.1-crush). */
import { known as must } from '../../../kernel/assert.ts';
import { placeOf } from '../content/opened.ts';
import type { Asking, Play } from '../counters/play.ts';
import { classOf, isVehicle, squaresOf, wreckOn } from '../counters/units.ts';
import { addPoints, CRUSH_MAX } from '../fight/destruction.ts';
import { displace, onBoard, swallow } from '../fight/effects.ts';
import { neighbour } from '../ground/vehicles.ts';
import { pushDirection, type Walk } from '../ground/walk.ts';
import type { NormandieUnit } from '../types.ts';

/** A heavy vehicle driving over a wreck deals it a point, two at most an action (3.2.1-crush). */
export function* crush(
  play: Play,
  unit: NormandieUnit,
  crushed: Map<string, number>,
  before: readonly string[],
): Asking<void> {
  if (classOf(play.book, unit) !== 'heavy') return;
  for (const entered of squaresOf(unit)) {
    const wreck = before.includes(entered) ? undefined : wreckOn(play.table, entered);
    if (!wreck || (crushed.get(wreck.id) ?? 0) >= CRUSH_MAX) continue;
    crushed.set(wreck.id, (crushed.get(wreck.id) ?? 0) + 1);
    yield* addPoints(play, wreck.id, 1, []);
  }
}

/** Shifts the wreck ahead of the pusher; infantry there gives way; in water it sinks (3.2.1-push). */
export function* pushWreck(play: Play, pusher: NormandieUnit, walk: Walk, square: string): Asking<void> {
  const { table, book } = play;
  const wreck = must(wreckOn(table, square), 'no wreck to push');
  const direction = must(pushDirection(book, walk, square), 'no direction');
  wreck.squares = wreck.squares.map((name) => must(neighbour(book, name, direction), 'off the board'));
  const sunk = wreck.squares.every((name) => placeOf(book, name).symbols.some((symbol) => symbol.is === 'water'));
  if (sunk) table.wrecks = table.wrecks.filter((each) => each !== wreck);
  play.emit({
    type: 'wreck-pushed',
    audience: 'all',
    wreck: wreck.id,
    by: pusher.code,
    to: [...wreck.squares],
    sunk,
    rule: '3.2.1-push-e',
  });
  for (const unit of table.units.filter((each) => each.aboard === null && wreck.squares.includes(each.at)))
    if (onBoard(play, unit) && !isVehicle(book, unit)) yield* displace(play, unit, 'wreck', square);
  yield* swallow(play);
}
