/** After an assault: hits, retreats, who takes which square (6.3-win, 6.3-lose, 6.3-tie, 6.2-flame-i; window W9). */
import { known as must } from '../../../kernel/assert.ts';
import { type Asking, ask, type Play } from '../counters/play.ts';
import { classOf, faceOf, passengersOf } from '../counters/units.ts';
import { addPoints } from '../fight/destruction.ts';
import { damage, destroy, displace, hit, onBoard, type WreckGoes } from '../fight/effects.ts';
import { retreat } from '../fight/retreat.ts';
import { stepRefusal, stopRefusal } from '../ground/steps.ts';
import { canBoard } from '../ground/transport.ts';
import type { NormandieUnit, Wreck } from '../types.ts';

/** The squares between which the assault was made. */
export interface Entry {
  from: string;
  to: string;
}

/** A defender that can't fight back: destroyed, or a heavy vehicle takes one damage (6.3-s, 6.3-t); the attacker has won (R14). */
export function* automatic(play: Play, unit: NormandieUnit, target: NormandieUnit, entry: Entry): Asking<void> {
  const kind = classOf(play.book, target);
  if (kind === 'heavy') yield* damage(play, target, unit, false, `assault by ${unit.code}`);
  else {
    yield* destroy(play, target, unit, 'assault');
    if (kind === 'inf') advance(play, unit, entry);
    else if (classOf(play.book, unit) === 'heavy') yield* rollOnto(play, unit, entry);
  }
}

export function* attackerWins(play: Play, unit: NormandieUnit, target: NormandieUnit, entry: Entry): Asking<void> {
  const kind = classOf(play.book, target);
  if (kind === 'heavy') yield* damage(play, target, unit, false, `assault by ${unit.code}`);
  else if (kind === 'light') {
    yield* destroy(play, target, unit, 'assault');
    if (classOf(play.book, unit) === 'heavy') yield* rollOnto(play, unit, entry);
  } else {
    yield* beaten(play, target, unit, entry);
    advance(play, unit, entry);
  }
}

/** Beaten infantry: removed with the Destroyed symbol or a flamethrower, else hit and driven back (6.3-win-inf, 6.2-flame-i). */
function* beaten(play: Play, target: NormandieUnit, unit: NormandieUnit, entry: Entry): Asking<void> {
  const face = must(faceOf(play.book, play.known, target), 'an unknown unit');
  if (face.hit === 'destroyed' || 'flamethrower' in face.abilities) {
    yield* destroy(play, target, unit, 'assault');
    return;
  }
  yield* hit(play, target, unit, false, `assault by ${unit.code}`);
  play.table.moment = {
    at: 'assault',
    stage: 'lost',
    unit: target.code,
    target: unit.code,
    from: entry.from,
    chance: 0,
  };
  if (onBoard(play, target)) yield* retreat(play, target, entry.from);
}

/** The winner must take the square if it can still be entered (6.3-win-inf-f). */
function advance(play: Play, unit: NormandieUnit, entry: Entry): void {
  if (!onBoard(play, unit)) return;
  const ghost = { ...unit, at: entry.from };
  const refusal =
    stepRefusal(play.book, play.known, ghost, entry.from, entry.to, { assault: true, window: true }) ??
    stopRefusal(play.book, play.known, unit, entry.to);
  if (!refusal) moveInto(play, unit, entry);
}

function moveInto(play: Play, unit: NormandieUnit, entry: Entry): void {
  const was = unit.at;
  if (unit.rear === null) {
    unit.at = entry.to;
    unit.aboard = null;
  } else if (entry.from === unit.at) [unit.at, unit.rear] = [entry.to, unit.at];
  else [unit.at, unit.rear] = [unit.rear, entry.to];
  for (const passenger of passengersOf(play.table, unit.code)) passenger.at = unit.at;
  play.emit({
    type: 'moved',
    audience: 'all',
    unit: unit.code,
    from: was,
    to: unit.at,
    rear: unit.rear,
    facing: unit.facing,
    how: 'advance',
    aboard: null,
    spent: 0,
    of: 0,
    rule: '6.3-win-inf-f',
  });
}

/** A heavy winner drives onto the wreck and deals it a point (6.3-win-light-e). */
function* rollOnto(play: Play, unit: NormandieUnit, entry: Entry): Asking<void> {
  const wreck = play.table.wrecks.find((each) => each.squares.includes(entry.to));
  advance(play, unit, entry);
  if (wreck) yield* addPoints(play, wreck.id, 1, []);
}

export function* defenderWins(play: Play, unit: NormandieUnit, target: NormandieUnit, entry: Entry): Asking<void> {
  const { book, known, table } = play;
  const kind = classOf(book, unit);
  const removed = kind === 'inf' && 'flamethrower' in (faceOf(book, known, unit)?.abilities ?? {});
  const rams = kind !== 'inf' && classOf(book, target) === 'inf';
  const goes: WreckGoes = (wreck) => wreckTakesPlace(play, wreck, target, entry);
  if (removed) yield* destroy(play, unit, target, 'assault');
  else yield* hit(play, unit, target, false, `defence by ${target.code}`, rams ? goes : undefined);
  if (rams) {
    if (onBoard(play, unit)) yield* takePlace(play, unit, target, entry);
    return;
  }
  if (kind !== 'inf' || !onBoard(play, unit) || unit.aboard !== null) return;
  const rides = table.units.filter(
    (vehicle) => vehicle.side === unit.side && canBoard(book, known, unit, vehicle) === undefined,
  );
  const options = [unit.at, ...rides.map((vehicle) => `IN ${vehicle.code}`)];
  const to = yield* ask(play, {
    id: `back ${unit.code}`,
    to: unit.side,
    kind: 'retreat',
    options,
    fallback: unit.at,
    params: { unit: unit.code },
    rule: '6.6-transport-j',
  });
  const ride = rides.find((vehicle) => `IN ${vehicle.code}` === to);
  if (!ride) return;
  const from = unit.at;
  unit.aboard = ride.code;
  unit.at = ride.at;
  play.emit({
    type: 'moved',
    audience: 'all',
    unit: unit.code,
    from,
    to: unit.at,
    rear: null,
    facing: unit.facing,
    how: 'retreat',
    aboard: ride.code,
    spent: 0,
    of: 0,
    rule: '6.6-transport-j',
  });
}

/** A vehicle takes the square of infantry that has beaten or held it; the infantry gives way unharmed (6.3-lose-c, 6.3-tie-b). */
export function* takePlace(play: Play, unit: NormandieUnit, target: NormandieUnit, entry: Entry): Asking<void> {
  yield* displace(play, target, 'assault');
  advance(play, unit, entry);
}

/** The wreck of the beaten vehicle lies on the square of its victor (6.3-lose-c); whoever was in it gets out there (6.6-transport-l). */
function* wreckTakesPlace(play: Play, wreck: Wreck | null, target: NormandieUnit, entry: Entry): Asking<void> {
  yield* displace(play, target, 'assault');
  if (!wreck) return;
  wreck.squares = wreck.squares.length === 1 ? [entry.to] : [entry.to, entry.from];
  play.emit({
    type: 'wreck-pushed',
    audience: 'all',
    wreck: wreck.id,
    by: target.code,
    to: [...wreck.squares],
    sunk: false,
    rule: '6.3-lose-c',
  });
}
