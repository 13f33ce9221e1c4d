/** The map of a view: board, walls and openings, counters, tokens, lines of fire and moves of the last phase. */
import type { Cell, MapScene, Param, SceneCounter, SceneItem, ScenePanel, Text, Words } from '../../../kernel/types.ts';
import type { Book, Place } from '../content/opened.ts';
import { counterOf, faceOf, isVehicle, knownFrom, moveValue, ownCode, passengersOf } from '../counters/units.ts';
import type { CounterType, Direction, NormandieSide } from '../data.ts';
import type { NormandieEvent } from '../events.ts';
import { DIRECTIONS } from '../text/reader.ts';
import type { Known, NormandieTable, NormandieUnit, SideView } from '../types.ts';

/** Lattice point to scene cell: column and row from 1 at a square's centre, halves in between. */
const cellAt = ([x, y]: readonly [number, number]): Cell => [(x + 1) * 0.5, (y + 1) * 0.5];
const cellOf = (place: Place): Cell => cellAt(place.centre);
const CORNER = 0.5;

const words = (key: string, params: Record<string, Param> = {}): Words => ({ key: `normandie.${key}`, params });

/** Draws what the viewer may know; `events` are those of the last phase that he may hear. */
export function scene(book: Book, view: SideView, events: readonly NormandieEvent[]): MapScene<Text> {
  const known = knownFrom(view);
  const { board, scenario } = book.data;
  const heard = events.filter((event) => event.audience === 'all' || event.audience.includes(view.viewer));
  return {
    title: scenario.name,
    subtitle: board.name,
    size: { kind: 'square', columns: [1, board.columns], rows: [1, board.rows.length] },
    items: [
      ...groundItems(book, known.table),
      ...buildingItems(book, known.table),
      ...markItems(book, known.table),
      ...counterItems(book, known),
      ...tracks(book, known.table, heard),
    ],
    panels: panels(book, known),
    house: scenario.house.map((what) => words('map house', { what })),
  };
}

function groundItems(book: Book, table: NormandieTable): SceneItem[] {
  const items: SceneItem[] = [];
  for (const place of book.places.values()) {
    const floor = place.building !== null && !table.rubble.includes(place.building);
    const rubble = place.building !== null && table.rubble.includes(place.building);
    const char = place.terrain === null ? undefined : book.data.terrain[place.terrain];
    const plain = place.offset ? 'offset' : place.incomplete ? 'open' : (char?.id ?? 'open');
    items.push({
      kind: 'cell',
      at: cellOf(place),
      terrain: rubble ? 'rubble' : floor ? 'building' : plain,
      number: place.name,
      tags: [
        ...(place.offset ? ['offset'] : []),
        ...(place.defensivePosition ? ['position'] : []),
        ...(place.symbols.some((symbol) => symbol.is === 'blocks') ? ['blocks'] : []),
      ],
    });
  }
  for (const [a, b] of book.data.board.noPassage) {
    const [p, q] = [book.places.get(a), book.places.get(b)];
    if (p && q) items.push({ kind: 'marker', at: between(cellOf(p), cellOf(q)), marker: 'no-passage' });
  }
  return items;
}

const between = (a: Cell, b: Cell): Cell => [(a[0] + b[0]) * 0.5, (a[1] + b[1]) * 0.5];

/** Outlines as one region a building, walls inside, doors and windows between the squares they join. */
function buildingItems(book: Book, table: NormandieTable): SceneItem[] {
  const items: SceneItem[] = [];
  for (const building of book.data.board.buildings) {
    if (table.rubble.includes(building.id)) continue;
    const names = [...building.squares, ...Object.keys(building.offsetSquares)];
    const cells = names.flatMap((name) => placeCell(book, name));
    items.push({ kind: 'region', cells, style: 'building', label: `${building.name} ${building.structure}` });
    for (const opening of building.openings)
      items.push(...edge(book, opening.inside, opening.outside[0] ?? opening.inside, opening.kind));
    for (const wall of building.interiorWalls)
      items.push(...edge(book, wall.between[0], wall.between[1], wall.kind === 'wall' ? 'inner-wall' : 'inner-door'));
  }
  return items;
}

function placeCell(book: Book, name: string): Cell[] {
  const place = book.places.get(name);
  return place ? [cellOf(place)] : [];
}

function edge(book: Book, a: string, b: string, feature: string): SceneItem[] {
  const [p, q] = [placeCell(book, a)[0], placeCell(book, b)[0]];
  return p && q ? [{ kind: 'edge', a: p, b: q, feature }] : [];
}

function markItems(book: Book, table: NormandieTable): SceneItem[] {
  const items: SceneItem[] = [];
  const mark = (squares: readonly string[], marker: string, text?: string, side?: NormandieSide): void => {
    for (const square of squares)
      for (const at of placeCell(book, square))
        items.push({
          kind: 'marker',
          at,
          marker,
          ...(text === undefined ? {} : { text }),
          ...(side === undefined ? {} : { side }),
        });
  };
  mark(table.smoke, 'smoke');
  mark(table.wire, 'wire');
  mark(table.foxholes, 'foxhole');
  mark(table.passages, 'passage');
  for (const wreck of table.wrecks) mark(wreck.squares, 'wreck', wreck.kind);
  for (const [id, points] of Object.entries(table.destruction)) {
    const building = book.buildings.get(id);
    const first = building?.squares[0] ?? Object.keys(building?.offsetSquares ?? {})[0];
    if (first !== undefined && points > 0) mark([first], 'destruction', `${points}`);
  }
  for (const objective of table.objectives) {
    const squares = objective.building ? (book.buildings.get(objective.building)?.squares ?? []) : objective.squares;
    const offset = objective.building ? Object.keys(book.buildings.get(objective.building)?.offsetSquares ?? {}) : [];
    const holder = table.held[objective.id] ?? undefined;
    mark([...squares, ...offset].slice(0, 1), 'objective', `${objective.points}`, holder);
  }
  return items;
}

function counterItems(book: Book, known: Known): SceneItem<Text>[] {
  return known.table.units
    .filter((unit) => unit.aboard === null)
    .flatMap((unit): SceneItem<Text>[] =>
      placeCell(book, unit.at).map((at) => ({ kind: 'counter', at, counter: counter(book, known, unit) })),
    );
}

/** The counter as it lies: values of the side in view, or a back with its letter for an enemy under concealment. */
function counter(book: Book, known: Known, unit: NormandieUnit): SceneCounter<Text> {
  const seen = counterOf(book, known, unit);
  const token = known.hands[unit.side]?.tokens[unit.code] ?? unit.token ?? undefined;
  const aboard = passengersOf(known.table, unit.code).map((rider) =>
    words('map carries', { unit: ownCode(known, rider) }),
  );
  const states = [
    ...(unit.concealed === null ? [] : ['concealed']),
    ...(unit.suppressed > 0 ? [`suppressed:${unit.suppressed}`] : []),
    ...unit.damage.map((part) => `damage:${part}`),
    ...(unit.activated ? ['activated'] : []),
    ...(unit.face === 'reduced' ? ['reduced'] : []),
  ];
  const drawn: SceneCounter<Text> = {
    id: ownCode(known, unit),
    side: unit.side,
    nation: unit.side === 'us' ? 'US' : 'DE',
    symbol: seen ? symbolOf(seen.counter) : 'unknown',
    size: '',
    formation: seen?.counter.name ?? '??',
    unit: ownCode(known, unit),
    factors: seen ? [`${moveValue(book, known, unit)}`] : [],
    states,
    ...(aboard.length > 0 ? { notes: aboard } : {}),
    ...(token === undefined ? {} : { token: `${token}` }),
    ...(unit.rear === null ? {} : { footprint: [...placeCell(book, unit.at), ...placeCell(book, unit.rear)] }),
  };
  if (!seen) return { ...drawn, faceDown: true };
  const face = faceOf(book, known, unit);
  const cv = face?.cv ?? face?.weapons?.[0]?.cv;
  if (cv) drawn.column = [`${cv.inf}`, `${cv.light}`, `${cv.heavy}`];
  const kind = seen.counter.class === 'inf' ? 'infantry' : seen.counter.class;
  const defense = face?.defense;
  if (defense !== undefined)
    drawn.shield = {
      kind,
      value: typeof defense === 'number' ? `${defense}` : `${defense.front}/${defense.side}/${defense.rear}`,
    };
  if (isVehicle(book, unit) || unit.face === 'active') drawn.facing = unit.facing;
  return drawn;
}

function symbolOf(type: CounterType): string {
  const face = Object.values(type.faces)[0];
  const able = face?.abilities ?? {};
  if (type.role === 'officer') return 'leader';
  if (type.class === 'heavy') return 'armor';
  if (type.class === 'light') return 'vehicle';
  if ('sniper' in able) return 'sniper';
  if (type.role !== 'heavy-weapon') return 'infantry';
  const active = type.faces.active ?? face;
  if (active?.abilities['indirect-fire'] !== undefined) return 'mortar';
  return active?.abilities['machine-gunner'] !== undefined ? 'machine-gun' : 'anti-tank';
}

/** Moves, retreats and shots of the last phase. A shooter stands where it stood at the moment of its fire. */
function tracks(book: Book, table: NormandieTable, events: readonly NormandieEvent[]): SceneItem[] {
  const items: SceneItem[] = [];
  const paths = new Map<string, { how: string; path: Cell[]; side: NormandieSide | undefined }>();
  const finish = (unit: string): void => {
    const track = paths.get(unit);
    paths.delete(unit);
    if (!track || track.path.length < 2) return;
    const arrow = ['retreat', 'displaced', 'back', 'forced'].includes(track.how) ? 'retreat' : 'move';
    items.push({
      kind: 'arrow',
      arrow,
      path: track.path,
      label: unit,
      ...(track.side === undefined ? {} : { side: track.side }),
    });
  };
  events.forEach((event, index) => {
    if (event.type === 'moved') {
      const track = paths.get(event.unit);
      const arrowKind = event.how === 'retreat' || event.how === 'displaced' ? 'retreat' : 'move';
      const [from, to] = [placeCell(book, event.from)[0], placeCell(book, event.to)[0]];
      if (!from || !to || event.from === event.to) return;
      if (track && (track.how === event.how || arrowKind === 'move')) track.path.push(to);
      else {
        finish(event.unit);
        paths.set(event.unit, { how: event.how, path: [from, to], side: sideOf(table, event.unit) });
      }
    } else if (event.type === 'fired' || event.type === 'assault') {
      finish(event.unit);
      const targets = event.type === 'fired' ? event.targets : [event.target];
      const places = event.type === 'fired' && event.at !== null && targets.length === 0 ? [event.at] : [];
      const from = whereAt(book, table, events, index, event.unit);
      for (const to of [
        ...targets.map((code) => whereAt(book, table, events, index, code)),
        ...places.map((name) => spot(book, name)),
      ])
        if (from && to)
          items.push({
            kind: 'arrow',
            arrow: event.type === 'fired' ? 'fire' : 'attack',
            path: [from, to],
            label: event.unit,
          });
    } else if (event.type === 'destroyed') {
      finish(event.unit);
      const at = whereAt(book, table, events, index, event.unit);
      if (at) items.push({ kind: 'marker', at, marker: 'lost', text: event.unit });
    }
  });
  for (const unit of [...paths.keys()]) finish(unit);
  return items;
}

function sideOf(table: NormandieTable, code: string): NormandieSide | undefined {
  return (
    table.units.find((unit) => unit.code === code)?.side ?? table.roster.find((member) => member.code === code)?.side
  );
}

/** A square, or the south-east corner of one for an interspace. */
function spot(book: Book, name: string): Cell | undefined {
  if (!name.startsWith('@')) return placeCell(book, name)[0];
  const cell = placeCell(book, name.slice(1))[0];
  return cell && [cell[0] + CORNER, cell[1] + CORNER];
}

/** Where a counter was when event `index` happened: its last move before, else its first after, else where it is now. */
function whereAt(
  book: Book,
  table: NormandieTable,
  events: readonly NormandieEvent[],
  index: number,
  code: string,
): Cell | undefined {
  const moves = events
    .map((event, i) => ({ event, i }))
    .filter(({ event }) => event.type === 'moved' && event.unit === code) as {
    event: Extract<NormandieEvent, { type: 'moved' }>;
    i: number;
  }[];
  const before = moves.filter(({ i }) => i < index).at(-1);
  const after = moves.find(({ i }) => i > index);
  const square = before?.event.to ?? after?.event.from ?? table.units.find((unit) => unit.code === code)?.at;
  return square === undefined ? undefined : spot(book, square);
}

function panels(book: Book, known: Known): ScenePanel<Text>[] {
  return (['us', 'ge'] as const).map((side) => ({
    title: words(`map side ${side}`),
    columns: ['unit', 'name', 'where', 'state'].map((name) => words(`column ${name}`)),
    rows: known.table.units
      .filter((unit) => unit.side === side)
      .map((unit) => {
        const seen = counterOf(book, known, unit);
        const at = placeCell(book, unit.at)[0];
        const facing = isVehicle(book, unit) ? ` ${DIRECTIONS[unit.facing as Direction]}` : '';
        const states: Words[] = [];
        if (unit.suppressed > 0) states.push(words('map suppressed', { n: unit.suppressed }));
        if (unit.damage.length > 0) states.push(words('map damaged', { parts: unit.damage.join(' ') }));
        if (unit.activated) states.push(words('map activated'));
        const where = unit.aboard === null ? `${unit.at}${facing}` : words('map aboard', { unit: unit.aboard });
        const state = states.length === 0 ? '' : words('map states', { states });
        const cells = [ownCode(known, unit), seen?.counter.name ?? '??', where, state];
        return at ? { at, cells } : { cells };
      }),
  }));
}
