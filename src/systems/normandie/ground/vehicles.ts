/** Two-square vehicles: forward and back, pivots, and the squares they come to stand on (3.2.1-veh2, G-13, R20). */
import { OCTANTS, octantOf, squareName, turned } from '../../../board/square.ts';
import { known as must } from '../../../kernel/assert.ts';
import { floorDiv } from '../../../kernel/fraction.ts';
import { type Book, placeOf } from '../content/opened.ts';
import { classOf, unitsOn } from '../counters/units.ts';
import type { Direction } from '../data.ts';
import type { MoveStep } from '../language.ts';
import { type Refusal, refuse } from '../refusal.ts';
import type { Known, NormandieUnit } from '../types.ts';
import { passageRefusal, placeRefusal } from './steps.ts';

/** Where a long vehicle stands. */
export interface Stance {
  at: string;
  rear: string;
  facing: Direction;
}

/** The square one step from another; undefined off the board or where there is none. */
export function neighbour(book: Book, from: string, direction: Direction): string | undefined {
  const [x, y] = placeOf(book, from).centre;
  const [dx, dy] = OCTANTS[direction]!;
  const column = floorDiv(x - 1, 2) + dx;
  const row = floorDiv(y - 1, 2) + dy;
  const { board } = book.data;
  if (column < 0 || row < 0 || column >= board.columns || row >= board.rows.length) return undefined;
  const name = squareName(column, row);
  return book.places.has(name) ? name : undefined;
}

/** Facing of a vehicle whose rear and front stand on neighbouring squares; undefined if they are not neighbours. */
export function facingOf(book: Book, at: string, rear: string): Direction | undefined {
  const front = placeOf(book, at).centre;
  const back = placeOf(book, rear).centre;
  if (Math.max(Math.abs(front[0] - back[0]), Math.abs(front[1] - back[1])) !== 2) return undefined;
  return octantOf(back, front);
}

/** How a step would leave the vehicle, and which square it newly enters. `lead`: the end that went first last time. */
export function stanceAfter(
  book: Book,
  stance: Stance,
  step: MoveStep,
  lead: 'front' | 'rear' | null,
): { stance: Stance; entered: string; lead: 'front' | 'rear' | null; pivot: boolean } | Refusal {
  const ahead = neighbour(book, stance.at, stance.facing);
  const behind = neighbour(book, stance.rear, turned(stance.facing, 4));
  const off = (): Refusal => refuse('OFF THE BOARD', '3.2.1-a', { from: stance.at });
  if (step.step === 'fwd' || (step.step === 'to' && step.square === ahead)) {
    if (!ahead) return off();
    return {
      stance: { at: ahead, rear: stance.at, facing: stance.facing },
      entered: ahead,
      lead: 'front',
      pivot: false,
    };
  }
  if (step.step === 'back' || (step.step === 'to' && step.square === behind)) {
    if (!behind) return off();
    return {
      stance: { at: stance.rear, rear: behind, facing: stance.facing },
      entered: behind,
      lead: 'rear',
      pivot: false,
    };
  }
  if (step.step !== 'pivot') return refuse('NOT FOR A LONG VEHICLE', '3.2.1-veh2-a', { from: stance.at });
  const facing = turned(stance.facing, step.turn === 'L' ? -1 : 1);
  const keep = lead ?? step.keep ?? 'front';
  const swung = keep === 'front' ? neighbour(book, stance.at, turned(facing, 4)) : neighbour(book, stance.rear, facing);
  if (!swung) return off();
  const next: Stance =
    keep === 'front' ? { at: stance.at, rear: swung, facing } : { at: swung, rear: stance.rear, facing };
  return { stance: next, entered: swung, lead, pivot: true };
}

/** Why a long vehicle may not come to stand so: the square entered, walls on the way, other vehicles. */
export function stanceRefusal(
  book: Book,
  known: Known,
  unit: NormandieUnit,
  from: Stance,
  to: Stance,
  entered: string,
  pivot: boolean,
  cuts: boolean,
): Refusal | undefined {
  const { table } = known;
  const kind = classOf(book, unit);
  const place = placeOf(book, entered);
  if (place.incomplete) return refuse('NO PLACE TO STAND', '3.2.1-offset-e', { to: entered });
  if (place.offset) return refuse('OFFSET GRID', '3.2.1-offset-a', { to: entered });
  const hinge = pivot ? (to.at === entered ? to.rear : to.at) : entered === to.at ? from.at : from.rear;
  const passage = passageRefusal(book, table, placeOf(book, hinge), place, kind);
  const hedge = cuts && passage?.code === 'IMPASSABLE' && isHedge(book, known, entered);
  if (passage && !hedge) return passage;
  const other = unitsOn(table, entered).find((each) => each.code !== unit.code && classOf(book, each) !== 'inf');
  return other && refuse('VEHICLE IN THE WAY', '3.2.1-d', { to: entered, unit: other.code });
}

/** A hedgerow square no vehicle may enter without a Culin cutter (7.2-culin-a). */
export function isHedge(book: Book, known: Known, name: string): boolean {
  const place = placeOf(book, name);
  if (place.terrain === null || known.table.passages.includes(name)) return false;
  const terrain = must(book.data.terrain[place.terrain], `no terrain ${place.terrain}`);
  return terrain.id === 'bocage' && placeRefusal(book, known.table, place, 'heavy')?.code === 'IMPASSABLE';
}
