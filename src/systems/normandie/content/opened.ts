/**
 * The content of one scenario, opened: places with their geometry and terrain, rooms and positions, the ground that
 * sight is traced over (one for each set of buildings in rubble), and everything by id.
 */
import {
  type SightGround,
  type SightOpening,
  type SightPlace,
  type SightWall,
  type Trace,
  traceLine,
} from '../../../board/sight.ts';
import { interspaceAt, type LatticePoint, squareAt, squareName } from '../../../board/square.ts';
import { assert, known } from '../../../kernel/assert.ts';
import type { Building, Card, CounterType, Data, RecruitOption, TerrainSymbol, Tile } from '../data.ts';

/** A square or offset square that exists on the board. */
export interface Place {
  name: string;
  centre: LatticePoint;
  corner: LatticePoint;
  offset: boolean;
  /** Partly covered by an offset element: nobody stops here (G-16). */
  incomplete: boolean;
  /** Character of `Data.terrain`; floors have none. */
  terrain: string | null;
  building: string | null;
  /** Room of the building: rooms are told apart by inner walls. */
  room: string | null;
  /** Offset element or defensive position it belongs to; squares of one position share the id. */
  element: string | null;
  defensivePosition: boolean;
  symbols: readonly TerrainSymbol[];
}

/** Sight over the board with certain buildings in rubble; lines are traced once and kept. */
interface TracedGround {
  sight: SightGround;
  trace(p: LatticePoint, q: LatticePoint): Trace;
}

export interface Book {
  data: Data;
  counters: ReadonlyMap<string, CounterType>;
  tiles: ReadonlyMap<string, Tile>;
  options: ReadonlyMap<string, RecruitOption>;
  cards: ReadonlyMap<string, Card>;
  buildings: ReadonlyMap<string, Building>;
  places: ReadonlyMap<string, Place>;
  ground(rubble: readonly string[]): TracedGround;
}

/** Opens the data of a scenario; lint has passed it. */
export function openBook(data: Data): Book {
  const places = placesOf(data);
  const grounds = new Map<string, TracedGround>();
  return {
    data,
    counters: byId(data.counters),
    tiles: byId(data.tiles),
    options: byId(data.options),
    cards: byId(data.cards),
    buildings: byId(data.board.buildings),
    places,
    ground(rubble) {
      const key = [...rubble].sort((a, b) => (a < b ? -1 : 1)).join();
      let found = grounds.get(key);
      if (!found) {
        found = groundOf(data, places, rubble);
        grounds.set(key, found);
      }
      return found;
    },
  };
}

function byId<T extends { id: string }>(list: readonly T[]): Map<string, T> {
  return new Map(list.map((each) => [each.id, each]));
}

function placesOf(data: Data): Map<string, Place> {
  const { board } = data;
  const places = new Map<string, Place>();
  board.rows.forEach((row, r) => {
    [...row].forEach((char, c) => {
      if (char === 'O') return;
      const name = squareName(c, r);
      const building = board.buildings.find((each) => each.squares.includes(name));
      const terrain = building ? undefined : known(data.terrain[char], `no terrain ${char}`);
      places.set(name, {
        name,
        centre: [2 * c + 1, 2 * r + 1],
        corner: [2 * c, 2 * r],
        offset: false,
        incomplete: char === 'o',
        terrain: building ? null : char,
        building: building?.id ?? null,
        room: building ? roomOf(building, name) : null,
        element: terrain?.defensivePosition ? positionOf(board.rows, c, r) : null,
        defensivePosition: terrain?.defensivePosition ?? false,
        symbols: building?.symbols ?? terrain?.symbols ?? [],
      });
    });
  });
  const offset = (name: string, [x, y]: [number, number], part: Partial<Place>): void => {
    places.set(name, {
      name,
      centre: [x, y],
      corner: [x - 1, y - 1],
      offset: true,
      incomplete: false,
      terrain: null,
      building: null,
      room: null,
      element: null,
      defensivePosition: false,
      symbols: [],
      ...part,
    });
  };
  for (const building of board.buildings)
    for (const [name, centre] of Object.entries(building.offsetSquares))
      offset(name, centre, { building: building.id, room: roomOf(building, name), symbols: building.symbols });
  for (const element of board.offsetElements)
    for (const [name, centre] of Object.entries(element.offsetSquares))
      offset(name, centre, { element: element.id, symbols: element.symbols });
  return places;
}

/** The room of a square: the first square (in the building's list) that inner walls do not cut off from it. */
function roomOf(building: Building, start: string): string {
  const offsets = Object.keys(building.offsetSquares);
  const all = [...building.squares, ...offsets];
  const centre = (name: string): LatticePoint => {
    const offset = building.offsetSquares[name];
    if (offset) return offset;
    const square = known(squareAt(name), `no square ${name}`);
    return [2 * square.column + 1, 2 * square.row + 1];
  };
  const parted = (a: string, b: string): boolean =>
    building.interiorWalls.some((wall) => wall.between.includes(a) && wall.between.includes(b));
  const seen = new Set([start]);
  const open = [start];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    const [x, y] = centre(at);
    for (const other of all) {
      const [ox, oy] = centre(other);
      if (seen.has(other) || Math.abs(ox - x) + Math.abs(oy - y) !== 2 || parted(at, other)) continue;
      seen.add(other);
      open.push(other);
    }
  }
  return `${building.id}/${known(
    all.find((name) => seen.has(name)),
    'an empty building',
  )}`;
}

/** Squares of the same position are joined by their sides; the first in reading order names it. */
function positionOf(rows: readonly string[], column: number, row: number): string {
  const char = rows[row]![column];
  const seen = new Set([`${column},${row}`]);
  const open: [number, number][] = [[column, row]];
  let first: [number, number] = [column, row];
  for (let at = open.pop(); at; at = open.pop()) {
    const [c, r] = at;
    if (r < first[1] || (r === first[1] && c < first[0])) first = at;
    for (const [dc, dr] of [
      [0, 1],
      [1, 0],
      [0, -1],
      [-1, 0],
    ] as const) {
      const key = `${c + dc},${r + dr}`;
      if (seen.has(key) || rows[r + dr]?.[c + dc] !== char) continue;
      seen.add(key);
      open.push([c + dc, r + dr]);
    }
  }
  return squareName(first[0], first[1]);
}

function groundOf(data: Data, places: ReadonlyMap<string, Place>, rubble: readonly string[]): TracedGround {
  const sight: SightGround = {
    places: [...places.values()].map(
      (place): SightPlace => ({
        name: place.name,
        centre: place.centre,
        corner: place.corner,
        building: place.building !== null && rubble.includes(place.building) ? null : place.building,
      }),
    ),
    walls: [],
    openings: [],
    barriers: data.board.noPassage.map(([a, b]) => {
      const p = known(squareAt(a), `no square ${a}`);
      const q = known(squareAt(b), `no square ${b}`);
      return [2 * Math.max(p.column, q.column), 2 * Math.max(p.row, q.row)];
    }),
  };
  const walls: SightWall[] = [];
  const openings: SightOpening[] = [];
  for (const building of data.board.buildings) {
    if (rubble.includes(building.id)) continue;
    wallsOf(building, places, walls, openings);
  }
  const whole: SightGround = { ...sight, walls, openings };
  const traces = new Map<string, Trace>();
  return {
    sight: whole,
    trace(p, q) {
      const flip = q[0] < p[0] || (q[0] === p[0] && q[1] < p[1]);
      const key = flip ? `${q[0]},${q[1]},${p[0]},${p[1]}` : `${p[0]},${p[1]},${q[0]},${q[1]}`;
      let found = traces.get(key);
      if (!found) {
        found = flip ? traceLine(whole, q, p) : traceLine(whole, p, q);
        traces.set(key, found);
      }
      return found;
    },
  };
}

function wallsOf(
  building: Building,
  places: ReadonlyMap<string, Place>,
  walls: SightWall[],
  openings: SightOpening[],
): void {
  const edges = new Map<string, { segment: [LatticePoint, LatticePoint]; cells: string[] }>();
  for (const name of [...building.squares, ...Object.keys(building.offsetSquares)]) {
    const [x, y] = known(places.get(name), `no place ${name}`).corner;
    const sides: [LatticePoint, LatticePoint][] = [
      [
        [x, y],
        [x + 2, y],
      ],
      [
        [x, y + 2],
        [x + 2, y + 2],
      ],
      [
        [x, y],
        [x, y + 2],
      ],
      [
        [x + 2, y],
        [x + 2, y + 2],
      ],
    ];
    for (const segment of sides) {
      const key = segment.join();
      const edge = edges.get(key) ?? { segment, cells: [] };
      edge.cells.push(name);
      edges.set(key, edge);
    }
  }
  const outline = new Map([...edges].filter(([, edge]) => edge.cells.length === 1));
  for (const opening of building.openings) {
    const [cx, cy] = known(places.get(opening.inside), `no place ${opening.inside}`).centre;
    const [ox, oy] = known(places.get(opening.outside[0]!), `no place ${opening.outside[0]}`).centre;
    const dx = ox - cx;
    const dy = oy - cy;
    const upright = Math.abs(dx) > Math.abs(dy);
    const at = upright ? cx + Math.sign(dx) : cy + Math.sign(dy);
    const segment: [LatticePoint, LatticePoint] = upright
      ? [
          [at, cy - 1],
          [at, cy + 1],
        ]
      : [
          [cx - 1, at],
          [cx + 1, at],
        ];
    assert(outline.delete(segment.join()), `no outline at the opening of ${opening.inside}`);
    openings.push({ ...opening, segment, building: building.id });
  }
  for (const { segment } of outline.values()) walls.push({ segment, building: building.id, interior: false });
  for (const wall of building.interiorWalls) {
    if (wall.kind !== 'wall') continue;
    for (const edge of edges.values())
      if (wall.between.every((name) => edge.cells.includes(name)))
        walls.push({ segment: edge.segment, building: building.id, interior: true });
  }
}

/** The place of a name that must exist. */
export function placeOf(book: Book, name: string): Place {
  return known(book.places.get(name), `no place "${name}"`);
}

/** The lattice point of a place (its centre) or of an interspace (`@D9`, `@CH.a`: its south-east corner). */
export function pointOf(book: Book, name: string): LatticePoint | undefined {
  if (!name.startsWith('@')) return book.places.get(name)?.centre;
  const place = book.places.get(name.slice(1));
  if (place?.offset) return [place.centre[0] + 1, place.centre[1] + 1];
  const point = interspaceAt(name);
  if (!point) return undefined;
  const { board } = book.data;
  return point[0] <= 2 * board.columns && point[1] <= 2 * board.rows.length ? point : undefined;
}

/** Every place whose closed area touches a point, covered squares left out. */
export function placesTouching(book: Book, point: LatticePoint): Place[] {
  return [...book.places.values()].filter(
    (place) => Math.abs(place.centre[0] - point[0]) <= 1 && Math.abs(place.centre[1] - point[1]) <= 1,
  );
}

/** All places a unit could stand on. */
export function standing(book: Book): Place[] {
  return [...book.places.values()].filter((place) => !place.incomplete);
}
