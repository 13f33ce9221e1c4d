/** Cards played at the edges of phases (W10): High Command, Go, Smoke, Fury, Artillery call, Medic, Hitlerjugend (4.2). */

import { squaresBetween } from '../../../board/square.ts';
import { known as must } from '../../../kernel/assert.ts';
import { type Book, placeOf, placesTouching, pointOf } from '../content/opened.ts';
import { holdsCard, playCard } from '../counters/hands.ts';
import { type Asking, handOf, type Play } from '../counters/play.ts';
import { abilitiesOf, bothSides, classOf, counterOf, footprintOf, memberOf, printedMove } from '../counters/units.ts';
import type { WeaponUse } from '../counters/weapons.ts';
import type { NormandieSide } from '../data.ts';
import { checkBreaking, standDown } from '../fight/effects.ts';
import { canStand } from '../fight/forced.ts';
import { unitNamed } from '../fight/odds.ts';
import { attackSquares, blastAt, isAimPoint, scatter } from '../fight/templates.ts';
import { endsOf, lineToPlace, rangeBetween } from '../ground/sightline.ts';
import { startWalk, type WalkRules, walkStep, walkStop } from '../ground/walk.ts';
import { inEnemyZone } from '../ground/zones.ts';
import type { CardOrder, PlayTime } from '../language.ts';
import type { Known, NormandieUnit } from '../types.ts';

const GO_SQUARES = 2;
const SMOKE_REACH = 6;
const MEDIC_REACH = 4;
const SHELLS: WeaponUse = {
  label: 'shells',
  manner: 'indirect',
  cv: { inf: 4, light: 3, heavy: 1 },
  abilities: { 'indirect-fire': 3 },
  arc: 360,
  limit: null,
  overTerrain: false,
  onTheMove: null,
  gear: null,
  slot: 'shells',
};

/** Plays both sides' cards of a phase edge, the initiative player's first (4.2-c). Returns High Commands played. */
export function* playPhaseCards(play: Play, at: PlayTime): Asking<Record<NormandieSide, number>> {
  const commands: Record<NormandieSide, number> = { us: 0, ge: 0 };
  play.table.moment = at === 'supply' ? null : { at: 'phase', window: at };
  for (const side of bothSides(play.table.initiative)) {
    for (const order of handOf(play, side).plan.cards.filter((each) => each.at === at)) {
      const why = yield* playOne(play, side, order);
      if (why)
        play.emit({ type: 'order-lost', audience: [side], side, line: order.line, text: `PLAY ${order.card}`, why });
      else if (order.card === 'highcmd') commands[side]++;
    }
  }
  play.table.moment = null;
  return commands;
}

/** Plays a card if it may be played then; else the reason. */
export function* playOne(play: Play, side: NormandieSide, order: CardOrder): Asking<string | undefined> {
  if (!holdsCard(play, side, order.card)) return 'CARD NOT IN HAND';
  const card = play.book.cards.get(order.card);
  if (!card?.windows.includes(order.at)) return 'WRONG WINDOW';
  switch (order.card) {
    case 'highcmd':
      playCard(play, side, 'highcmd', 'event', null);
      return undefined;
    case 'fury':
      playCard(play, side, 'fury', 'event', null);
      play.table.fury.push(side);
      return undefined;
    case 'go':
      return goGoGo(play, side, order.on ?? '', order.path ?? []);
    case 'smoke':
      return smoke(play, side, order.on ?? '');
    case 'shells':
      return yield* shells(play, side, order.on ?? '');
    case 'medic':
      return medic(play, side, order.on ?? '');
    case 'hj':
      return returns(play, side, order.on ?? '', order.path?.[0] ?? '');
    default:
      return 'WRONG WINDOW';
  }
}

/** Go Go Go!: a Forced Move of up to 2 squares, markers do not slow it; an X unit stays (4.2-gogo, 3.2.1-x-c). */
export function goGoGo(play: Play, side: NormandieSide, code: string, path: readonly string[]): string | undefined {
  const { book, known } = play;
  const unit = unitNamed(known, side, code);
  if (!unit || unit.side !== side || unit.aboard !== null) return 'NO SUCH UNIT';
  if (classOf(book, unit) === 'heavy') return 'NOT FOR HEAVY VEHICLES';
  const face = counterOf(book, known, unit);
  const after = face?.face === 'active' ? face.counter.faces.inactive?.move : printedMove(book, known, unit);
  if (after === 'X' || after === undefined) return 'CANNOT MOVE';
  playCard(play, side, 'go', 'event', unit.code);
  standDown(play, unit);
  const rules: WalkRules = { budget: GO_SQUARES, scout: false, windows: 0, cutters: 0 };
  let walk = startWalk(unit, rules);
  let stop = walk;
  for (const square of path) {
    const next = walkStep(book, known, unit, walk, { step: 'to', square }, rules);
    if ('code' in next) break;
    walk = next;
    if (!walkStop(book, known, unit, walk)) stop = walk;
  }
  const from = unit.at;
  [unit.at, unit.rear, unit.facing] = [stop.at, stop.rear, stop.facing];
  for (const passenger of play.table.units) if (passenger.aboard === unit.code) passenger.at = unit.at;
  play.emit({
    type: 'moved',
    audience: 'all',
    unit: unit.code,
    from,
    to: unit.at,
    rear: unit.rear,
    facing: unit.facing,
    how: 'forced',
    aboard: null,
    spent: stop.spent,
    of: GO_SQUARES,
    rule: '4.2-gogo',
  });
  return undefined;
}

/**
 * Why a card could not be played on what it names if it were played now, as far as its owner can see: a unit, an
 * interspace, its range. Undefined for cards that name nothing.
 */
export function playRefusal(book: Book, known: Known, side: NormandieSide, order: CardOrder): string | undefined {
  switch (order.card) {
    case 'smoke':
      return smokeRefusal(book, known, side, order.on ?? '');
    case 'shells':
      return isAimPoint(book, known.table, order.on ?? '') ? undefined : 'NO AIM POINT';
    case 'go':
    case 'medic': {
      const unit = unitNamed(known, side, order.on ?? '');
      if (!unit || unit.side !== side) return 'NO SUCH UNIT';
      return order.card === 'go' && classOf(book, unit) === 'heavy' ? 'NOT FOR HEAVY VEHICLES' : undefined;
    }
    default:
      return undefined;
  }
}

function smokeRefusal(book: Book, { table }: Known, side: NormandieSide, at: string): string | undefined {
  const point = pointOf(book, at);
  if (!point || !isAimPoint(book, table, at)) return 'NO AIM POINT';
  const near = table.units.some(
    (unit) =>
      unit.side === side && endsOf(book, table, unit).some((end) => squaresBetween(end.point, point) <= SMOKE_REACH),
  );
  return near ? undefined : 'OUT OF RANGE';
}

/** Smoke on an interspace within 6 of an own unit, until the Supply Phase. */
function smoke(play: Play, side: NormandieSide, at: string): string | undefined {
  const { book, table } = play;
  const why = smokeRefusal(book, play.known, side, at);
  if (why) return why;
  const point = must(pointOf(book, at), `no interspace ${at}`);
  playCard(play, side, 'smoke', 'event', at);
  const squares = placesTouching(book, point)
    .map((place) => place.name)
    .filter((name) => placeOf(book, name).building === null);
  table.smoke.push(...squares.filter((name) => !table.smoke.includes(name)));
  play.emit({ type: 'smoke', audience: 'all', squares });
  return undefined;
}

/** Artillery call: Indirect Fire on an interspace that a spotter or officer sees. */
function* shells(play: Play, side: NormandieSide, at: string): Asking<string | undefined> {
  const { book, table } = play;
  if (!isAimPoint(book, table, at)) return 'NO AIM POINT';
  const observer = table.units.find(
    (unit) => unit.side === side && directs(play, unit) && lineToPlace(book, table, unit, at),
  );
  if (!observer) return 'NO LINE OF SIGHT';
  playCard(play, side, 'shells', 'event', at);
  const context = `artillery call at ${at}`;
  const landed = yield* scatter(play, observer, SHELLS, at, context);
  if (landed === undefined) return undefined;
  const blast = blastAt(book, table, must(pointOf(book, landed), `no interspace ${landed}`));
  yield* attackSquares(
    play,
    { side, by: observer.code, use: SHELLS, terms: [], once: null, cover: true, flame: false, context, dug: null },
    blast,
  );
  return undefined;
}

function directs(play: Play, unit: NormandieUnit): boolean {
  const found = counterOf(play.book, play.known, unit);
  return found?.counter.role === 'officer' || 'artillery-spotter' in abilitiesOf(play.book, play.known, unit);
}

/** Medic: all Suppressed Markers off, or a reduced team to full with no enemy within 4 squares. */
function medic(play: Play, side: NormandieSide, code: string): string | undefined {
  const { book, known, table } = play;
  const unit = unitNamed(known, side, code);
  if (!unit || unit.side !== side) return 'NO SUCH UNIT';
  const found = counterOf(book, known, unit);
  const near = table.units.some(
    (enemy) =>
      enemy.side !== side && rangeBetween(book, footprintOf(table, enemy), footprintOf(table, unit)) <= MEDIC_REACH,
  );
  const heals = unit.suppressed === 0;
  if (heals && (near || unit.face !== 'reduced' || found?.counter.character || found?.counter.class !== 'inf'))
    return 'NOTHING TO HEAL';
  playCard(play, side, 'medic', 'event', unit.code);
  if (heals) {
    unit.face = 'full';
    play.emit({ type: 'flipped', audience: 'all', unit: unit.code, face: 'full', why: 'medic' });
  } else {
    unit.suppressed = 0;
    play.emit({ type: 'rallied', audience: 'all', unit: unit.code, left: 0 });
  }
  return undefined;
}

/** Hitlerjugend: a destroyed team comes back reduced or inactive; its tile may be whole again (4.2-hitlerjugend). */
function returns(play: Play, side: NormandieSide, code: string, square: string): string | undefined {
  const { book, table } = play;
  const member = memberOf(table, code);
  const counter = member && book.counters.get(member.type);
  if (!member || !counter || member.side !== side || member.fate !== 'lost') return 'NO SUCH UNIT';
  if (counter.class !== 'inf' || counter.character) return 'NOT FOR CHARACTERS';
  const place = book.places.get(square);
  if (!place || !inZone(play, side, square) || place.incomplete) return 'OUTSIDE THE ZONE';
  const unit: NormandieUnit = {
    code,
    side,
    type: member.type,
    face: counter.faces.reduced ? 'reduced' : counter.faces.inactive ? 'inactive' : 'full',
    concealed: null,
    at: square,
    rear: null,
    facing: 0,
    aboard: null,
    suppressed: 0,
    activated: false,
    damage: [],
    token: null,
    fired: [],
  };
  if (!canStand(play, unit, square) || inEnemyZone(book, table, side, square)) return 'OCCUPIED';
  playCard(play, side, 'hj', 'event', code);
  table.units.push(unit);
  member.fate = 'in play';
  play.emit({ type: 'restored', audience: 'all', unit: code, at: square, rule: '4.2-hitlerjugend-a' });
  checkBreaking(play, member.tile);
  return undefined;
}

/** Is a square in a side's deployment zone? */
function inZone(play: Play, side: NormandieSide, square: string): boolean {
  const [x, y] = placeOf(play.book, square).centre;
  const zone = play.table.zones[side];
  const column = (x + 1) >> 1;
  const row = (y + 1) >> 1;
  return column >= zone.columns[0] && column <= zone.columns[1] && row >= zone.rows[0] && row <= zone.rows[1];
}
