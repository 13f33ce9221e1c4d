/**
 * Counters as they lie: which unit a counter is (as far as one may know), the side in view and its values, what it
 * occupies. Rulebook 1, 6.1 (active and inactive sides), 4.1 (markers).
 */
import { type LatticePoint, OCTANTS } from '../../../board/square.ts';
import { assert, known as must } from '../../../kernel/assert.ts';
import { floorDiv } from '../../../kernel/fraction.ts';
import { type Book, placeOf } from '../content/opened.ts';
import {
  type Abilities,
  type AbilityName,
  type Class,
  type CombatValues,
  type CounterType,
  type Direction,
  type Face,
  type FaceValues,
  type NormandieSide,
  SIDES,
  type Value,
  type Weapon,
} from '../data.ts';
import type { Known, Member, NormandieHand, NormandieTable, NormandieUnit, SideView, State, Wreck } from '../types.ts';

export const SUPPRESSED_PENALTY = 2;

/** Everything, for the engine. The hands are the draft's own: changes show. */
export function knownOf(state: State): Known {
  return { table: state.table, hands: state.hands as Record<NormandieSide, NormandieHand>, turn: state.phase.turn };
}

/** What a viewer may look at. */
export function knownFrom(view: SideView): Known {
  const hands: Known['hands'] = {};
  if (view.viewer !== 'public' && view.hand) hands[view.viewer as NormandieSide] = view.hand;
  return { table: view.table, hands, turn: view.phase.turn };
}

export function enemyOf(side: NormandieSide): NormandieSide {
  return side === 'us' ? 'ge' : 'us';
}

/** The counter with that table code, if it lies on the board or aboard. */
export function findUnit(table: NormandieTable, code: string): NormandieUnit | undefined {
  return table.units.find((unit) => unit.code === code);
}

function unitOf(table: NormandieTable, code: string): NormandieUnit {
  return must(findUnit(table, code), `no unit ${code} on the board`);
}

/** Table code of an own code: an anonymous counter's when the unit is concealed; undefined when it is not on the board. */
export function tableCode(known: Known, side: NormandieSide, code: string): string | undefined {
  if (findUnit(known.table, code)) return code;
  const hand = known.hands[side];
  return hand && Object.keys(hand.identities).find((anonymous) => hand.identities[anonymous]!.code === code);
}

/** Own code of a counter: what its owner calls it. The anonymous code itself for those who may not know. */
export function ownCode(known: Known, unit: NormandieUnit): string {
  return known.hands[unit.side]?.identities[unit.code]?.code ?? unit.code;
}

export function memberOf(table: NormandieTable, code: string): Member | undefined {
  return table.roster.find((member) => member.code === code);
}

/** Its entry in the army list; undefined for an anonymous counter one may not look under. */
export function memberOfUnit(known: Known, unit: NormandieUnit): Member | undefined {
  return memberOf(known.table, ownCode(known, unit));
}

/** Counter and face of a unit as far as `known` reaches; undefined for an enemy's concealed unit. */
export function counterOf(
  book: Book,
  known: Known,
  unit: NormandieUnit,
): { counter: CounterType; face: Face } | undefined {
  const type = unit.type ?? known.hands[unit.side]?.identities[unit.code]?.type;
  const face = unit.face ?? known.hands[unit.side]?.identities[unit.code]?.face;
  if (!type || !face) return undefined;
  return { counter: must(book.counters.get(type), `no counter ${type}`), face };
}

/** Values of the side in view. Under a Concealed marker: those of the unit, but moving as the marker does (7.4). */
export function faceOf(book: Book, known: Known, unit: NormandieUnit): FaceValues | undefined {
  const found = counterOf(book, known, unit);
  return found && must(found.counter.faces[found.face], `${found.counter.id} has no ${found.face} side`);
}

/** Only infantry can be concealed, so the class is always known. */
export function classOf(book: Book, unit: NormandieUnit): Class {
  return unit.type === null ? 'inf' : must(book.counters.get(unit.type), `no counter ${unit.type}`).class;
}

export function isVehicle(book: Book, unit: NormandieUnit): boolean {
  return classOf(book, unit) !== 'inf';
}

/** Squares it occupies: none aboard a vehicle. */
export function squaresOf(unit: NormandieUnit): string[] {
  if (unit.aboard !== null) return [];
  return unit.rear === null ? [unit.at] : [unit.at, unit.rear];
}

/** Squares it can be reached or seen from: aboard, those of its vehicle (6.6-transport-f). */
export function footprintOf(table: NormandieTable, unit: NormandieUnit): string[] {
  if (unit.aboard === null) return squaresOf(unit);
  return squaresOf(unitOf(table, unit.aboard));
}

/** Units standing on a square; two only for a moment during a move. */
export function unitsOn(table: NormandieTable, square: string): NormandieUnit[] {
  return table.units.filter((unit) => unit.aboard === null && (unit.at === square || unit.rear === square));
}

export function wreckOn(table: NormandieTable, square: string): Wreck | undefined {
  return table.wrecks.find((wreck) => wreck.squares.includes(square));
}

export function passengersOf(table: NormandieTable, vehicle: string): NormandieUnit[] {
  return table.units.filter((unit) => unit.aboard === vehicle);
}

/** Centre of a counter on the lattice. */
export function centreOf(book: Book, table: NormandieTable, unit: NormandieUnit): LatticePoint {
  const [front, rear] = footprintOf(table, unit).map((name) => placeOf(book, name).centre);
  if (!rear) return must(front, `${unit.code} stands nowhere`);
  return [floorDiv(front![0] + rear[0], 2), floorDiv(front![1] + rear[1], 2)];
}

/** Abilities of the side in view, those of the crew aboard and of the turn (The Fury) included. */
export function abilitiesOf(book: Book, known: Known, unit: NormandieUnit): Abilities {
  const face = faceOf(book, known, unit);
  if (!face) return { ambush: 0 };
  let abilities = face.abilities;
  if (unit.concealed === 'marker') abilities = { ...abilities, ambush: 0 };
  if (isVehicle(book, unit)) {
    for (const crew of passengersOf(known.table, unit.code)) {
      const inner = faceOf(book, known, crew);
      if (crew.face !== 'active' || !inner || !('crew' in inner.abilities)) continue;
      const { crew: _crew, ...others } = inner.abilities;
      abilities = { ...abilities, ...others };
    }
  }
  if (known.table.fury.includes(unit.side)) abilities = { ...abilities, assault: Math.max(2, abilities.assault ?? 0) };
  return abilities;
}

export function can(book: Book, known: Known, unit: NormandieUnit, ability: AbilityName): boolean {
  return ability in abilitiesOf(book, known, unit);
}

/** Printed Movement Value of the side in view, markers left out. */
export function printedMove(book: Book, known: Known, unit: NormandieUnit): Value {
  if (unit.concealed === 'marker') return book.options.get('concealed')?.markerMove ?? 0;
  return faceOf(book, known, unit)?.move ?? 0;
}

/** Movement Value with Suppressed Markers; 0 or less: immobilised (3.2-j, 4.1-b). */
export function moveValue(book: Book, known: Known, unit: NormandieUnit): Value {
  const printed = printedMove(book, known, unit);
  return printed === 'X' ? 'X' : Math.max(0, printed - SUPPRESSED_PENALTY * unit.suppressed);
}

/** Weapons a unit fires with: a heavy vehicle's own, otherwise one made of the face (1.3-d, 1.3-f). */
export function weaponsOf(book: Book, known: Known, unit: NormandieUnit): Weapon[] {
  const face = faceOf(book, known, unit);
  if (!face) return [];
  if (face.weapons) return face.weapons;
  const abilities = abilitiesOf(book, known, unit);
  const weapon: Weapon = {
    slot: 'both',
    cv: must(face.cv, 'a face without Combat Values'),
    abilities,
    arc: abilities['limited-fire-arc'] ?? 360,
  };
  return [face.template ? { ...weapon, template: face.template } : weapon];
}

/** Combat Values for an assault or a vehicle's defence in one (6.3-r, R12): the secondary weapon's. */
export function assaultValues(
  book: Book,
  known: Known,
  unit: NormandieUnit,
  attacking: boolean,
): CombatValues | undefined {
  const face = faceOf(book, known, unit);
  if (!face) return undefined;
  if (face.cv) return face.cv;
  const destroyed = unit.damage.includes('5');
  const weapons = face.weapons ?? [];
  if (attacking) {
    const usable = weapons.filter((weapon) => !(destroyed && weapon.slot !== 'secondary'));
    return (usable.find((weapon) => weapon.slot !== 'secondary') ?? usable[0])?.cv;
  }
  return weapons.find((weapon) => weapon.slot === 'secondary' || (weapon.slot === 'both' && !destroyed))?.cv;
}

export function turnTowards(from: LatticePoint, to: LatticePoint): Direction | undefined {
  const dx = Math.sign(to[0] - from[0]);
  const dy = Math.sign(to[1] - from[1]);
  const found = OCTANTS.findIndex(([x, y]) => x === dx && y === dy);
  return found < 0 ? undefined : (found as Direction);
}

/** Renames a counter everywhere on the table and in its owner's hand. */
export function rename(state: State, unit: NormandieUnit, to: string): void {
  const was = unit.code;
  if (was === to) return;
  const hand = must(state.hands[unit.side], 'no hand');
  assert(!findUnit(state.table, to), `${to} is on the board already`);
  unit.code = to;
  if (hand.tokens[was] !== undefined) {
    hand.tokens[to] = hand.tokens[was];
    delete hand.tokens[was];
  }
  for (const bomb of state.table.bombs) {
    if (bomb.target === was) bomb.target = to;
    if (bomb.by === was) bomb.by = to;
  }
  for (const other of state.table.units) if (other.aboard === was) other.aboard = to;
}

export function bothSides(first: NormandieSide): readonly NormandieSide[] {
  return first === SIDES[0] ? SIDES : [SIDES[1], SIDES[0]];
}
