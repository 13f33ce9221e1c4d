/** Spotting concealed units (6.1-ambush-h to -o, 7.4-concealed-e). */
import { type Book, placeOf } from '../content/opened.ts';
import type { Play } from '../counters/play.ts';
import { reveal } from '../counters/states.ts';
import { classOf } from '../counters/units.ts';
import { inElement } from '../ground/ground.ts';
import { aimAt, rangeOf } from '../ground/sightline.ts';
import type { Known, NormandieUnit } from '../types.ts';

const SPOT_IN_TERRAIN = 2;

/** Does a unit spot a concealed enemy now: a clear line, and within 2 squares if that one is in a Terrain Element? */
function spots(book: Book, known: Known, eye: NormandieUnit, concealed: NormandieUnit): boolean {
  if (eye.side === concealed.side || classOf(book, eye) === 'heavy') return false;
  const found = aimAt(book, known, eye, concealed);
  if (!('aim' in found) || found.aim.line.penalty > 0) return false;
  if (!inElement(book, known.table, placeOf(book, concealed.at))) return true;
  return rangeOf(book, known.table, eye, concealed) <= SPOT_IN_TERRAIN;
}

/** A concealed unit that has entered a square is spotted by any enemy (6.1-ambush-k); true if it was. */
export function spotMover(play: Play, mover: NormandieUnit): boolean {
  if (mover.concealed === null || mover.aboard !== null) return false;
  if (!play.table.units.some((eye) => spots(play.book, play.known, eye, mover))) return false;
  reveal(play, mover, 'spotted');
  return true;
}

/** At the end of a Movement Action every other concealed unit is checked (8.2-move-d). */
export function spotAll(play: Play, mover: NormandieUnit | null): void {
  for (const unit of [...play.table.units]) {
    if (unit === mover || unit.concealed === null || unit.aboard !== null) continue;
    if (play.table.units.some((eye) => spots(play.book, play.known, eye, unit))) reveal(play, unit, 'spotted');
  }
}
