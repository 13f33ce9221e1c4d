/** Set-up: sealed deployment, Concealed markers, foxholes, scout moves (6.1-c, 6.5-scout, 7.4-concealed; H-01). */
import { error } from '../../../kernel/orders.ts';
import type { Diagnostic } from '../../../kernel/types.ts';
import { moveAction } from '../actions/movement.ts';
import { type Book, placeOf, standing } from '../content/opened.ts';
import { countCards } from '../counters/hands.ts';
import { type Asking, handOf, type Play } from '../counters/play.ts';
import { bothSides, classOf, findUnit, knownFrom, memberOf, unitsOn } from '../counters/units.ts';
import type { Direction, Face, NormandieSide } from '../data.ts';
import { unitNamed } from '../fight/odds.ts';
import { coverOf } from '../ground/ground.ts';
import { placeRefusal } from '../ground/steps.ts';
import { canBoard } from '../ground/transport.ts';
import { facingOf, neighbour } from '../ground/vehicles.ts';
import type { ConcealOrder, DeployOrder, FoxholeOrder, NormandieOrder, ScoutOrder } from '../language.ts';
import { never, type Refusal, refuse } from '../refusal.ts';
import type { Known, Member, NormandieTable, NormandieUnit, SideView } from '../types.ts';
import { scoutPlan } from './scouts.ts';
import { ordersOptions } from './setup.ts';

/** Places both armies, then makes the scout moves, initiative player first. Units not placed stand where there is room. */
export function* deploy(play: Play): Asking<void> {
  for (const side of bothSides(play.table.initiative)) deploySide(play, side);
  for (const side of bothSides(play.table.initiative)) yield* scouts(play, side);
  for (const side of bothSides(play.table.initiative)) discardExtra(play, side);
}

function deploySide(play: Play, side: NormandieSide): void {
  const { book, table, known } = play;
  const orders = play.orders[side];
  const own: NormandieUnit[] = [];
  const lost = (order: NormandieOrder, text: string, why: string): void =>
    play.emit({ type: 'order-lost', audience: [side], side, line: order.line, text, why });
  for (const order of orders) {
    if (order.verb === 'FOXHOLE') {
      const refusal = foxholeRefusal(book, known, side, order);
      if (refusal) lost(order, `FOXHOLE ${order.square}`, refusal.code);
      else dig(play, side, order.square);
    }
    if (order.verb !== 'DEPLOY') continue;
    const placed = placement(book, known, side, order);
    if ('lasting' in placed) lost(order, `DEPLOY ${order.unit}`, placed.code);
    else own.push(putDown(play, placed));
  }
  const missing = table.roster.filter((member) => member.side === side && member.fate === 'unplaced');
  const filed = orders.some((order) => order.verb === 'DEPLOY');
  const units = missing.map((member) => member.code);
  if (missing.length > 0) play.emit({ type: 'defaulted', audience: [side], side, what: 'setup', filed, units });
  for (const member of missing) {
    const unit = somewhere(book, known, side, member);
    if (unit) own.push(putDown(play, unit));
  }
  coverUp(
    play,
    side,
    own,
    orders.filter((order): order is ConcealOrder => order.verb === 'CONCEAL'),
  );
  tellDeployment(play, side, own);
}

function putDown(play: Play, unit: NormandieUnit): NormandieUnit {
  play.table.units.push(unit);
  const member = memberOf(play.table, unit.code);
  if (member) member.fate = 'in play';
  return unit;
}

/** The unit as an order would put it down, or why it may not stand so. Boarded vehicles must have been placed before. */
export function placement(book: Book, known: Known, side: NormandieSide, order: DeployOrder): NormandieUnit | Refusal {
  const { table } = known;
  const member = memberOf(table, order.unit);
  const params = { unit: order.unit };
  if (!member || member.side !== side) return never('NO SUCH UNIT', '2.1-a', params);
  if (findUnit(table, order.unit) || member.fate !== 'unplaced') return never('SET UP TWICE', '2.1-a', params);
  const unit = counterFor(book, table, member, order.face ?? null);
  if ('lasting' in unit) return unit;
  if (order.facing !== undefined) unit.facing = order.facing;
  if (order.in !== undefined) return aboard(book, known, unit, order.in);
  const [at, rear] = order.at;
  if (at === undefined) return never('NO SUCH SQUARE', '2.1-a', params);
  const fault = setSquares(book, unit, at, rear, order.facing);
  return fault ?? standRefusal(book, known, side, unit, member) ?? unit;
}

function counterFor(
  book: Book,
  table: NormandieTable,
  member: Member,
  wanted: 'active' | 'inactive' | null,
): NormandieUnit | Refusal {
  const counter = book.counters.get(member.type)!;
  const two = counter.faces.active !== undefined;
  if (wanted !== null && !two) return never('NO OTHER STATE', '6.1-c', { unit: member.code });
  const crew = 'crew' in (counter.faces.active?.abilities ?? {});
  const face: Face = !two ? 'full' : (wanted ?? (crew ? 'inactive' : 'active'));
  return {
    code: member.code,
    side: member.side,
    type: member.type,
    face,
    concealed: null,
    at: '',
    rear: null,
    facing: towardsEnemy(table, member.side),
    aboard: null,
    suppressed: 0,
    activated: false,
    damage: [],
    token: null,
    fired: [],
  };
}

/** North for the side with the southern zone, south for the other. */
function towardsEnemy(table: NormandieTable, side: NormandieSide): Direction {
  const other = side === 'us' ? 'ge' : 'us';
  return table.zones[side].rows[0] > table.zones[other].rows[0] ? 0 : 4;
}

/** Front and rear; a long vehicle named by one square stands along its facing. */
function setSquares(
  book: Book,
  unit: NormandieUnit,
  at: string,
  rear: string | undefined,
  facing: Direction | undefined,
): Refusal | undefined {
  const params = { unit: unit.code, to: at };
  if (!book.places.has(at) || (rear !== undefined && !book.places.has(rear)))
    return never('NO SUCH SQUARE', '2.1-a', params);
  unit.at = at;
  if (book.counters.get(unit.type!)!.footprint === 1) return undefined;
  const behind = rear ?? neighbour(book, at, ((unit.facing + 4) % 8) as Direction);
  if (behind === undefined) return never('OFF THE BOARD', '2.1-a', params);
  const seen = placeOf(book, behind).offset ? undefined : facingOf(book, at, behind);
  if (seen === undefined) return never('NOT ADJACENT', '1.2-a', params);
  if (facing !== undefined && rear !== undefined && facing !== seen) return never('PIVOT INSTEAD', '1.2-a', params);
  unit.rear = behind;
  unit.facing = seen;
  return undefined;
}

function aboard(book: Book, known: Known, unit: NormandieUnit, code: string): NormandieUnit | Refusal {
  const vehicle = findUnit(known.table, code);
  if (!vehicle) return refuse('NO TRANSPORT', '6.6-transport-a', { vehicle: code, unit: unit.code });
  const boarding: NormandieUnit = { ...unit, at: vehicle.at, aboard: vehicle.code };
  const refusal = canBoard(book, known, boarding, vehicle);
  if (refusal) return refusal;
  const crew = 'crew' in (book.counters.get(unit.type!)?.faces.active?.abilities ?? {});
  return crew ? { ...boarding, face: 'active' } : boarding;
}

/** Zone, terrain, other counters; units that drive in have their rear on an entry square (H-01). */
function standRefusal(
  book: Book,
  known: Known,
  side: NormandieSide,
  unit: NormandieUnit,
  member: Member,
): Refusal | undefined {
  const { table } = known;
  const kind = classOf(book, unit);
  const squares = unit.rear === null ? [unit.at] : [unit.at, unit.rear];
  const entry = entryOf(book, table, member);
  for (const name of squares) {
    const place = placeOf(book, name);
    const params = { unit: unit.code, to: name };
    if (place.incomplete) return never('NO PLACE TO STAND', '2.1-a', params);
    if (place.offset && kind !== 'inf') return never('OFFSET GRID', '3.2.1-offset-a', params);
    const barred = placeRefusal(book, table, place, kind);
    if (barred) return { ...barred, lasting: true };
    if (!inZoneOf(book, table, side, name)) return never('OUTSIDE THE ZONE', '2.1-a', params);
    const other = unitsOn(table, name)[0];
    if (other) return never('OCCUPIED', '3.2.1-d', { ...params, unit: other.code });
  }
  if (entry && !entry.includes(unit.rear ?? unit.at))
    return never('ENTRY SQUARE', '2.1-a', { unit: unit.code, squares: entry });
  return undefined;
}

function entryOf(book: Book, table: NormandieTable, member: Member): string[] | undefined {
  const tile = table.tiles[member.tile];
  const entry = book.data.scenario.entry.find(
    (each) => each.side === member.side && tile && each.tiles.includes(tile.tile),
  );
  return entry?.squares;
}

function inZoneOf(book: Book, table: NormandieTable, side: NormandieSide, name: string): boolean {
  const [x, y] = placeOf(book, name).centre;
  const zone = table.zones[side];
  const column = (x + 1) >> 1;
  const row = (y + 1) >> 1;
  return column >= zone.columns[0] && column <= zone.columns[1] && row >= zone.rows[0] && row <= zone.rows[1];
}

/** Where a unit without orders stands: in the best cover of the zone, then nearest to the own edge, then west. */
function somewhere(book: Book, known: Known, side: NormandieSide, member: Member): NormandieUnit | undefined {
  const { table } = known;
  const south = towardsEnemy(table, side) === 0;
  const rank = (unit: NormandieUnit): number[] => {
    const [x, y] = placeOf(book, unit.at).centre;
    return [-coverOf(book, table, unit, classOf(book, unit), [], 'building').value, south ? -y : y, x];
  };
  let best: { unit: NormandieUnit; rank: number[] } | undefined;
  for (const place of standing(book)) {
    const unit = placement(book, known, side, { verb: 'DEPLOY', line: 0, unit: member.code, at: [place.name] });
    if ('lasting' in unit) continue;
    const own = rank(unit);
    const better = !best || (own.map((n, i) => n - best!.rank[i]!).find((step) => step !== 0) ?? 0) < 0;
    if (better) best = { unit, rank: own };
  }
  return best?.unit;
}

/** Where the units of a side not set up yet would be placed, one after the other: for the order form. */
export function proposal(book: Book, known: Known, side: NormandieSide): DeployOrder[] {
  const scratch: Known = { ...known, table: structuredClone(known.table) };
  const orders: DeployOrder[] = [];
  for (const member of scratch.table.roster) {
    if (member.side !== side || member.fate !== 'unplaced') continue;
    const unit = somewhere(book, scratch, side, member);
    if (!unit) continue;
    scratch.table.units.push(unit);
    orders.push({
      verb: 'DEPLOY',
      line: 0,
      unit: member.code,
      at: unit.rear === null ? [unit.at] : [unit.at, unit.rear],
    });
  }
  return orders;
}

/** Units under their Ambush side or a Concealed marker become anonymous before anybody sees them (6.1-ambush-g). */
function coverUp(play: Play, side: NormandieSide, own: NormandieUnit[], conceals: readonly ConcealOrder[]): void {
  const hand = handOf(play, side);
  const prefix = side.toUpperCase();
  const marked = new Map<NormandieUnit, string>();
  for (const order of conceals) {
    const unit = own.find((each) => each.code === order.unit);
    const refusal = markerRefusal(play.book, play.known, side, order, unit, [...marked.values()]);
    if (refusal || !unit)
      play.emit({
        type: 'order-lost',
        audience: [side],
        side,
        line: order.line,
        text: `CONCEAL ${order.unit}`,
        why: refusal?.code ?? 'NO SUCH UNIT',
      });
    else marked.set(unit, order.letter);
  }
  const ambushers = own.filter((unit) => !marked.has(unit) && unit.aboard === null && isAmbush(play.book, unit));
  const letters = play.shuffle(
    `letters of the concealed units of ${prefix}`,
    [...'MNPQRSTUVWXYZ'].slice(0, ambushers.length),
  );
  const conceal = (unit: NormandieUnit, letter: string, by: 'ambush' | 'marker'): void => {
    const code = `${prefix}?${letter}`;
    hand.identities[code] = { code: unit.code, type: unit.type!, face: unit.face! };
    for (const other of play.table.units) if (other.aboard === unit.code) other.aboard = code;
    Object.assign(unit, { code, type: null, face: null, concealed: by });
  };
  for (const [unit, letter] of marked) conceal(unit, letter, 'marker');
  for (const [i, unit] of ambushers.entries()) conceal(unit, letters[i]!, 'ambush');
  const hidden = play.table.units.filter((unit) => unit.side === side && unit.concealed !== null);
  hidden.sort((a, b) => (a.code < b.code ? -1 : 1));
  play.table.units = [...play.table.units.filter((unit) => !hidden.includes(unit)), ...hidden];
}

function isAmbush(book: Book, unit: NormandieUnit): boolean {
  return unit.face === 'active' && 'ambush' in (book.counters.get(unit.type!)?.faces.active?.abilities ?? {});
}

/** Why a lettered marker may not cover a unit at set-up (7.4-concealed-a, -b). */
function markerRefusal(
  book: Book,
  known: Known,
  side: NormandieSide,
  order: ConcealOrder,
  unit: NormandieUnit | undefined,
  used: readonly string[],
): Refusal | undefined {
  const params = { unit: order.unit, letter: order.letter };
  if (ordersOptions(known.table, side, 'concealed') === 0 || !['A', 'B'].includes(order.letter))
    return never('NO CONCEALED MARKER', '7.4-concealed-a', params);
  if (used.includes(order.letter)) return never('MARKER IN USE', '7.4-concealed-b', params);
  if (!unit) return never('NO SUCH UNIT', '7.4-concealed-b', params);
  if (classOf(book, unit) !== 'inf') return never('INFANTRY ONLY', '7.4-concealed-a', params);
  return unit.aboard === null ? undefined : never('ABOARD', '7.4-concealed-b', params);
}

function tellDeployment(play: Play, side: NormandieSide, own: readonly NormandieUnit[]): void {
  const sorted = [...own].sort((a, b) => (a.code < b.code ? -1 : 1));
  for (const unit of sorted)
    play.emit({
      type: 'deployed',
      audience: 'all',
      unit: unit.code,
      side,
      at: unit.at,
      rear: unit.rear,
      facing: unit.facing,
      aboard: unit.aboard,
      rule: '2.1-a',
    });
  const { identities } = handOf(play, side);
  for (const unit of sorted) {
    const identity = identities[unit.code];
    if (identity)
      play.emit({ type: 'identity', audience: [side], unit: unit.code, code: identity.code, counter: identity.type });
  }
}

/** Why a foxhole may not be dug there: own zone, open ground, one left. */
function foxholeRefusal(book: Book, known: Known, side: NormandieSide, order: FoxholeOrder): Refusal | undefined {
  const { table } = known;
  const params = { to: order.square, unit: order.square };
  const place = book.places.get(order.square);
  if (!place) return never('NO SUCH SQUARE', '5-b', params);
  if (table.foxholesLeft[side] < 1) return never('NO FOXHOLE LEFT', '5-b', params);
  if (!inZoneOf(book, table, side, order.square)) return never('OUTSIDE THE ZONE', '5-b', params);
  if (place.symbols.length > 0 || place.incomplete || table.foxholes.includes(order.square))
    return never('NOT OPEN GROUND', '5-b', params);
  return undefined;
}

function dig(play: Play, side: NormandieSide, square: string): void {
  play.table.foxholes.push(square);
  play.table.foxholesLeft[side]--;
  play.emit({ type: 'foxhole', audience: 'all', side, square });
}

/** Scout moves as ordered (6.5-scout-a to -g). */
function* scouts(play: Play, side: NormandieSide): Asking<void> {
  const moved = new Set<string>();
  for (const order of play.orders[side]) {
    if (order.verb !== 'SCOUT') continue;
    const unit = unitNamed(play.known, side, order.move.unit);
    const plan = unit && unit.side === side ? scoutPlan(play.book, play.known, unit, order.move) : undefined;
    const why =
      !unit || !plan
        ? 'NO SUCH UNIT'
        : moved.has(unit.code)
          ? 'MOVED ALREADY'
          : plan.steps === 0
            ? (plan.refusal?.code ?? 'NO SCOUT')
            : undefined;
    if (why !== undefined || !unit || !plan) {
      play.emit({
        type: 'order-lost',
        audience: [side],
        side,
        line: order.line,
        text: `SCOUT MOVE ${order.move.unit}`,
        why: why ?? 'NO SUCH UNIT',
      });
      continue;
    }
    moved.add(unit.code);
    yield* moveAction(play, unit, { ...order.move, steps: order.move.steps.slice(0, plan.steps) }, [], 'scout');
  }
}

/** Improvisation: the card too many goes, the last drawn unless another was named (7.4-improvisation). */
function discardExtra(play: Play, side: NormandieSide): void {
  const hand = handOf(play, side);
  const wanted = play.orders[side].flatMap((order) => (order.verb === 'DISCARD' ? order.cards : []));
  while (hand.cards.length > play.table.cards[side].size) {
    const card = wanted.find((each) => hand.cards.includes(each)) ?? hand.cards.at(-1)!;
    hand.cards.splice(hand.cards.lastIndexOf(card), 1);
    hand.discards.push(card);
    play.emit({ type: 'drew-cards', audience: [side], side, cards: [], discarded: [card], rule: '7.4-improvisation' });
  }
  countCards(play.draft, side);
}

/** Complaints about the set-up of one side, in the order of its lines, each seeing what those above have placed. */
export function checkDeployment(book: Book, view: SideView, orders: readonly NormandieOrder[]): Diagnostic[] {
  const side = view.viewer as NormandieSide;
  const known = knownFrom({ ...view, table: structuredClone(view.table) } as SideView);
  const found: Diagnostic[] = [];
  const complain = (order: NormandieOrder, refusal: Refusal | undefined): void => {
    if (refusal) found.push(error(refusal.code, order.line, refusal.params, refusal.rule));
  };
  const letters: string[] = [];
  for (const order of orders) {
    if (order.verb === 'DEPLOY') {
      const unit = placement(book, known, side, order);
      if ('lasting' in unit) complain(order, unit);
      else known.table.units.push(unit);
    } else if (order.verb === 'FOXHOLE') {
      const refusal = foxholeRefusal(book, known, side, order);
      complain(order, refusal);
      if (!refusal) {
        known.table.foxholes.push(order.square);
        known.table.foxholesLeft[side]--;
      }
    } else if (order.verb === 'CONCEAL') {
      complain(order, markerRefusal(book, known, side, order, findUnit(known.table, order.unit), letters));
      letters.push(order.letter);
    } else if (order.verb === 'SCOUT') complain(order, scoutRefusal(book, known, side, order));
  }
  return found;
}

function scoutRefusal(book: Book, known: Known, side: NormandieSide, order: ScoutOrder): Refusal | undefined {
  const unit = findUnit(known.table, order.move.unit);
  if (!unit || unit.side !== side) return never('NO SUCH UNIT', '6.5-scout-a', { unit: order.move.unit });
  const plan = scoutPlan(book, known, unit, order.move);
  return plan.steps < order.move.steps.length ? plan.refusal : undefined;
}
