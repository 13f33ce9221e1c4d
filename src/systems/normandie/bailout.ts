/** Passengers and crew of a destroyed vehicle (6.6-transport-l to -o, 6.1-crew-g; F-17). */
import { type Book, type Place, placeOf, standing } from './book.ts';
import { destroy, standDown, suppress } from './effects.ts';
import { inOrder } from './forced.ts';
import { type Asking, ask, type Play } from './play.ts';
import { passageRefusal, stopRefusal } from './steps.ts';
import type { Unit } from './types.ts';
import { abilitiesOf, passengersOf } from './units.ts';
import { inEnemyZone } from './zones.ts';

/** Puts everybody aboard on free squares beside the wreck, inactive and suppressed; who finds none is destroyed. */
export function* bailOut(play: Play, vehicle: Unit, squares: readonly string[]): Asking<void> {
  const aboard = passengersOf(play.table, vehicle.code).sort((a, b) => (a.code < b.code ? -1 : 1));
  for (const unit of aboard) unit.at = squares[0]!;
  while (aboard.length > 0) {
    const choices = aboard.map((unit) => ({ unit, squares: freeBeside(play, unit, squares) }));
    const room = new Set(choices.flatMap((choice) => choice.squares)).size;
    let next = choices[0]!;
    if (room > 0 && room < aboard.length) {
      const able = choices.filter((choice) => choice.squares.length > 0);
      const first = yield* ask(play, {
        id: `bail out of ${vehicle.code}`,
        to: vehicle.side,
        kind: 'bailout',
        options: able.map((choice) => choice.unit.code),
        fallback: able[0]!.unit.code,
        params: { unit: vehicle.code },
        rule: '6.6-transport-l',
      });
      next = able.find((choice) => choice.unit.code === first)!;
    }
    aboard.splice(aboard.indexOf(next.unit), 1);
    yield* land(play, next.unit, next.squares);
  }
}

function freeBeside(play: Play, unit: Unit, squares: readonly string[]): string[] {
  const { book, table, known } = play;
  const crew = 'crew' in abilitiesOf(book, known, unit);
  const beside = standing(book).filter((place) => squares.some((name) => isBeside(book, play, name, place)));
  return beside
    .filter((place) => !squares.includes(place.name) && !stopRefusal(book, known, unit, place.name))
    .filter(
      (place) => !table.units.some((other) => other.aboard === null && [other.at, other.rear].includes(place.name)),
    )
    .filter((place) => crew || !inEnemyZone(book, table, unit.side, place.name))
    .map((place) => place.name);
}

function isBeside(book: Book, play: Play, from: string, place: Place): boolean {
  return passageRefusal(book, play.table, placeOf(book, from), place, 'inf') === undefined;
}

function* land(play: Play, unit: Unit, squares: readonly string[]): Asking<void> {
  unit.aboard = null;
  if (squares.length === 0) {
    yield* destroy(play, unit, null, 'no way out');
    return;
  }
  const ordered = inOrder(play, unit, squares, 'own edge');
  const to = yield* ask(play, {
    id: `bail out ${unit.code}`,
    to: unit.side,
    kind: 'bailout',
    options: ordered,
    fallback: ordered[0]!,
    params: { unit: unit.code },
    rule: '6.6-transport-l',
  });
  const from = unit.at;
  unit.at = to;
  standDown(play, unit);
  play.emit({
    type: 'moved',
    audience: 'all',
    unit: unit.code,
    from,
    to,
    rear: null,
    facing: unit.facing,
    how: 'bail out',
    aboard: null,
    spent: 0,
    of: 0,
    rule: '6.6-transport-l',
  });
  yield* suppress(play, unit, 1, 'vehicle destroyed');
}
