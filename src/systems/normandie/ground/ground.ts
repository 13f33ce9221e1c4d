/** Terrain as it is now: printed symbols with rubble, wrecks, smoke, foxholes, wire and passages laid over them (5.1 to 5.4). */
import { type Book, type Place, placeOf } from '../content/opened.ts';
import { squaresOf, wreckOn } from '../counters/units.ts';
import type { Class, TerrainSymbol } from '../data.ts';
import type { NormandieTable, NormandieUnit } from '../types.ts';

/** Symbols in force on a place (5.1-prec-a: the printed ones hold). */
export function symbolsAt(book: Book, table: NormandieTable, place: Place): readonly TerrainSymbol[] {
  const { overlays } = book.data;
  const ruined = place.building !== null && table.rubble.includes(place.building);
  let symbols: readonly TerrainSymbol[] = ruined ? (overlays.rubble?.symbols ?? []) : place.symbols;
  const lay = (kind: string): void => {
    symbols = [...symbols, ...(overlays[kind]?.symbols ?? [])];
  };
  if (table.passages.includes(place.name))
    symbols = symbols.filter((symbol) => symbol.is !== 'impassable' || symbol.to === 'inf');
  const wreck = wreckOn(table, place.name);
  if (wreck) lay(wreck.kind);
  if (table.smoke.includes(place.name)) lay('smoke');
  if (table.foxholes.includes(place.name)) lay('foxhole-token');
  if (table.wire.includes(place.name)) lay('barbed-wire');
  return symbols;
}

/** Building a place belongs to, none once it is rubble. */
export function buildingAt(table: NormandieTable, place: Place): string | null {
  return place.building !== null && !table.rubble.includes(place.building) ? place.building : null;
}

/** Room a place belongs to while its building stands. */
function roomAt(table: NormandieTable, place: Place): string | null {
  return buildingAt(table, place) === null ? null : place.room;
}

/** The defensive position (5.3) a place is in, if any: its squares share the id. */
export function positionAt(table: NormandieTable, place: Place): string | null {
  if (table.foxholes.includes(place.name)) return `foxhole ${place.name}`;
  return place.defensivePosition ? place.element : null;
}

/** Why a class of unit may not be on a place: Impassable (5.1-imp-a, 5.1-imps-a) or Water (5.1-water-a). */
export function barredFor(book: Book, table: NormandieTable, place: Place, kind: Class): 'impassable' | 'water' | null {
  for (const symbol of symbolsAt(book, table, place)) {
    if (symbol.is === 'water') return 'water';
    if (symbol.is === 'impassable' && (symbol.to === 'all' || symbol.to === kind)) return 'impassable';
  }
  return null;
}

/** Must a unit of that class stop when it enters (5.1-diff-a)? Wire stops infantry only. */
export function isDifficult(book: Book, table: NormandieTable, place: Place, kind: Class): boolean {
  return symbolsAt(book, table, place).some(
    (symbol) => symbol.is === 'difficult' && (kind === 'inf' || !symbol.infantryOnly),
  );
}

/** Is the place part of a Terrain Element, for spotting (6.1-ambush-i)? Open ground and roads are not. */
export function inElement(book: Book, table: NormandieTable, place: Place): boolean {
  return symbolsAt(book, table, place).length > 0;
}

export interface Cover {
  value: number;
  /** `terrain`, `building`, `position`. */
  what: string;
  place: string;
}

/**
 * Defensive bonus of a unit that is wholly inside an element (5.1-def-a, 5.2-c): the least of its squares. None when the
 * attacker is in the same position (5.3-c) or, as `shared` says, in the same building or room (5.4-g, R15).
 */
export function coverOf(
  book: Book,
  table: NormandieTable,
  unit: NormandieUnit,
  kind: Class,
  attackers: readonly Place[],
  shared: 'building' | 'room',
): Cover {
  let least: Cover | undefined;
  for (const name of squaresOf(unit)) {
    const place = placeOf(book, name);
    const cover = coverAt(book, table, place, kind, attackers, shared);
    if (!least || cover.value < least.value) least = cover;
  }
  return least ?? { value: 0, what: 'none', place: unit.at };
}

function coverAt(
  book: Book,
  table: NormandieTable,
  place: Place,
  kind: Class,
  attackers: readonly Place[],
  shared: 'building' | 'room',
): Cover {
  let value = 0;
  for (const symbol of symbolsAt(book, table, place))
    if (symbol.is === 'defense' && symbol.class === kind) value += symbol.value;
  const building = buildingAt(table, place);
  if (building !== null) {
    const same = attackers.some((other) =>
      shared === 'building' ? buildingAt(table, other) === building : roomAt(table, other) === place.room,
    );
    return { value: same ? 0 : value, what: 'building', place: place.name };
  }
  const position = positionAt(table, place);
  if (position !== null) {
    const same = attackers.some((other) => positionAt(table, other) === position);
    return { value: same ? 0 : value, what: 'position', place: place.name };
  }
  return { value, what: 'terrain', place: place.name };
}

/** Does a position give infantry on it Opportunity Fire (5.3-e)? */
export function givesOpportunity(book: Book, table: NormandieTable, place: Place): boolean {
  return symbolsAt(book, table, place).some((symbol) => symbol.is === 'opportunity-fire');
}
