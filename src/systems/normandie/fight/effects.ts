/** Hits, Suppressed Markers, damage, destruction of units, broken tiles (3.2.3, 4.1, 6.4; windows W4 and W5). */

import { known as must } from '../../../kernel/assert.ts';
import { type Book, type Place, placeOf, standing } from '../content/opened.ts';
import { dropToken, hasActed, holdsCard, playCard } from '../counters/hands.ts';
import { type Asking, ask, handOf, type Play, wantsAsking } from '../counters/play.ts';
import { reveal, turnOver } from '../counters/states.ts';
import {
  abilitiesOf,
  can,
  classOf,
  counterOf,
  enemyOf,
  faceOf,
  memberOf,
  ownCode,
  passengersOf,
  printedMove,
  squaresOf,
} from '../counters/units.ts';
import type { Class, DamageKind } from '../data.ts';
import type { Term } from '../events.ts';
import { barredFor } from '../ground/ground.ts';
import { rangeBetween } from '../ground/sightline.ts';
import { passageRefusal, stopRefusal } from '../ground/steps.ts';
import { inEnemyZone } from '../ground/zones.ts';
import type { NormandieUnit, Wreck } from '../types.ts';
import { besideOf, forcedSquares, inOrder, sendTo } from './forced.ts';
import { plusOf, rollDice } from './rolls.ts';

/** Gives Suppressed Markers one by one; Iron Nerves may cancel one, Desertion may follow one (W4). */
export function* suppress(play: Play, unit: NormandieUnit, n: number, why: string): Asking<void> {
  let given = 0;
  for (let i = 0; i < n && onBoard(play, unit); i++) {
    play.table.moment = { at: 'effect', effect: 'suppressed', unit: unit.code, by: null };
    if ((yield* reactTo(play, unit, unit.side, 'eisern')) === 'eisern') {
      playCard(play, unit.side, 'eisern', 'event', unit.code);
      play.emit({ type: 'cancelled', audience: 'all', what: 'suppressed', unit: unit.code });
      continue;
    }
    const again = unit.suppressed > 0;
    unit.suppressed++;
    given++;
    if (again && (yield* deserts(play, unit))) return;
  }
  if (given > 0)
    play.emit({
      type: 'suppressed',
      audience: 'all',
      unit: unit.code,
      n: given,
      total: unit.suppressed,
      why,
      rule: '8.2-supp-a',
    });
}

function* deserts(play: Play, unit: NormandieUnit): Asking<boolean> {
  const found = unit.concealed === null ? counterOf(play.book, play.known, unit) : undefined;
  if (found?.counter.class !== 'inf' || found.counter.character) return false;
  const enemy = enemyOf(unit.side);
  if ((yield* reactTo(play, unit, enemy, 'desertion')) !== 'desertion') return false;
  playCard(play, enemy, 'desertion', 'event', unit.code);
  yield* destroy(play, unit, null, 'desertion');
  return true;
}

function* reactTo(play: Play, unit: NormandieUnit, side: NormandieUnit['side'], card: string): Asking<string> {
  const belongs = play.book.cards.get(card)?.sides.includes(side) ?? false;
  const always = belongs && wantsAsking(play, side, 'CARD') && play.table.cards[side].hand > 0;
  const options = holdsCard(play, side, card) ? ['PASS', card] : ['PASS'];
  return yield* ask(play, {
    id: `card ${card} on ${unit.code}`,
    to: side,
    kind: 'card',
    options,
    fallback: 'PASS',
    params: { unit: unit.code, card },
    always,
  });
}

export function onBoard(play: Play, unit: NormandieUnit): boolean {
  return play.table.units.includes(unit);
}

/** What becomes of the wreck of a vehicle before its passengers get out, where an assault moves it. */
export type WreckGoes = (wreck: Wreck | null) => Asking<void>;

/** A Hit (3.2.3-hit): infantry turns over or is destroyed, a light vehicle is destroyed, a heavy one takes damage. */
export function* hit(
  play: Play,
  unit: NormandieUnit,
  by: NormandieUnit | null,
  piercing: boolean,
  context: string,
  goes?: WreckGoes,
): Asking<void> {
  if (classOf(play.book, unit) === 'heavy') {
    yield* damage(play, unit, by, piercing, context, goes);
    return;
  }
  play.emit({ type: 'hit', audience: 'all', unit: unit.code, by: by?.code ?? null, rule: '3.2.3-hit-a' });
  const face = must(faceOf(play.book, play.known, unit), `${unit.code} is not known`);
  const reduced = counterOf(play.book, play.known, unit)!.counter.faces.reduced;
  if (face.hit === 'flip' && classOf(play.book, unit) === 'inf' && reduced) {
    unit.face = 'reduced';
    play.emit({ type: 'flipped', audience: 'all', unit: unit.code, face: 'reduced', why: 'hit', rule: '3.2.3-hit-b' });
  } else yield* destroy(play, unit, by, 'fire', goes);
}

/** One Damage, localised (3.2.3-dmg): Piercing adds 1 (R4), with Positive Waves the owner picks one of two dice. */
export function* damage(
  play: Play,
  unit: NormandieUnit,
  by: NormandieUnit | null,
  piercing: boolean,
  context: string,
  goes?: WreckGoes,
): Asking<void> {
  const waves = can(play.book, play.known, unit, 'positive-waves');
  const part = (die: number, more: readonly Term[]): DamageKind | '6' => {
    const place = Math.min(6, die + (piercing ? 1 : 0) + plusOf(more));
    return place === 3 || place === 4 ? '3-4' : (`${place}` as '1' | '2' | '5' | '6');
  };
  const { dice, more } = yield* rollDice(play, {
    side: by?.side ?? enemyOf(unit.side),
    unit: by?.code ?? unit.code,
    target: unit.code,
    purpose: 'damage',
    context: `damage to ${unit.code}, ${context}`,
    count: waves ? 2 : 1,
    judge: (rolled, extra) => ({
      total: rolled[0]! + plusOf(extra),
      need: 6,
      result: { effect: 'damage', part: part(rolled[0]!, extra) },
    }),
    chance: 16,
  });
  const parts = [...new Set(dice.map((die) => part(die, more)))];
  const chosen = (yield* ask(play, {
    id: `damage ${unit.code}`,
    to: unit.side,
    kind: 'damage',
    options: parts,
    fallback: mildest(unit, parts),
    params: { unit: unit.code, dice: dice.join(' ') },
    rule: '6.4-waves-a',
    always: false,
  })) as DamageKind | '6';
  play.emit({ type: 'damaged', audience: 'all', unit: unit.code, dice, part: chosen, rule: '3.2.3-dmg-a' });
  if (chosen === '6' || unit.damage.includes(chosen)) {
    yield* destroy(play, unit, by, chosen === '6' ? 'damage 6' : 'second damage', goes);
    return;
  }
  unit.damage.push(chosen);
  if ((chosen === '2' || chosen === '3-4') && play.mover?.unit === unit) play.mover.stopped = true;
  if (chosen === '3-4') yield* suppress(play, unit, 2, 'damage');
}

/** Default of 3.6: keep the vehicle alive, then crew, primary, 3-4, tracks. */
function mildest(unit: NormandieUnit, parts: readonly (DamageKind | '6')[]): string {
  const order: (DamageKind | '6')[] = ['1', '5', '3-4', '2', '6'];
  const kills = (part: DamageKind | '6'): boolean => part === '6' || unit.damage.includes(part);
  const sorted = [...parts].sort((a, b) => Number(kills(a)) - Number(kills(b)) || order.indexOf(a) - order.indexOf(b));
  return sorted[0]!;
}

/** Destroys a unit: Dynamic (W5), token, passengers, wreck, Breaking Point. */
export function* destroy(
  play: Play,
  unit: NormandieUnit,
  by: NormandieUnit | null,
  why: string,
  goes?: WreckGoes,
): Asking<void> {
  const { book, table } = play;
  reveal(play, unit, 'forced');
  const { counter } = must(counterOf(book, play.known, unit), 'an unknown unit');
  const spared = why === 'fire' && 'flamethrower' in (faceOf(book, play.known, unit)?.abilities ?? {});
  if (spared && unit.face === 'full' && counter.faces.reduced) {
    unit.face = 'reduced';
    play.emit({ type: 'flipped', audience: 'all', unit: unit.code, face: 'reduced', why: 'hit', rule: '6.2-flame-j' });
    return;
  }
  yield* passTokenOn(play, unit);
  dropToken(play, unit);
  table.units = table.units.filter((each) => each !== unit);
  const member = must(memberOf(table, unit.code), `no member ${unit.code}`);
  member.fate = 'lost';
  table.bombs = table.bombs.filter((bomb) => bomb.target !== unit.code);
  const squares = squaresOf(unit);
  const id = counter.wreck && squares.length > 0 ? `W${table.nextWreck++}` : null;
  const wreck = id && { id, kind: counter.wreck!, squares, facing: unit.facing, points: 0 };
  if (wreck) table.wrecks.push(wreck);
  play.emit({
    type: 'destroyed',
    audience: 'all',
    unit: unit.code,
    counter: counter.id,
    by: by?.code ?? null,
    why,
    wreck: id,
    rule: '3.2.3-dest-a',
  });
  checkBreaking(play, member.tile);
  if (goes) yield* goes(wreck || null);
  const lies = wreck ? wreck.squares : squares;
  yield* bailOut(play, unit, lies);
  yield* makeWay(play, lies);
  yield* swallow(play);
}

/** Infantry under a vehicle that has come to its end there gives way, as under one that stops (3.2.1-over-b). */
function* makeWay(play: Play, squares: readonly string[]): Asking<void> {
  const under = play.table.units.filter((unit) => unit.aboard === null && squares.includes(unit.at));
  for (const unit of under.sort((a, b) => (a.code < b.code ? -1 : 1)))
    if (onBoard(play, unit) && classOf(play.book, unit) === 'inf') yield* displace(play, unit, 'run over');
}

/**
 * Whoever has come to be in Water or in terrain barred to it is destroyed (5.1-water-b, 5.1-imp-b, 5.1-imps-b). A
 * vehicle's wreck goes as near as possible outside (5.1-imp-c), none stays in water.
 */
export function* swallow(play: Play): Asking<void> {
  const { book, table } = play;
  for (const unit of [...table.units]) {
    if (unit.aboard !== null || !onBoard(play, unit)) continue;
    const kind = classOf(book, unit);
    const why = squaresOf(unit)
      .map((name) => barredFor(book, table, placeOf(book, name), kind))
      .find((each) => each !== null);
    if (!why) continue;
    const before = table.wrecks.length;
    yield* destroy(play, unit, null, why);
    const wreck = table.wrecks.length > before ? table.wrecks.at(-1) : undefined;
    if (!wreck) continue;
    if (why === 'water') table.wrecks = table.wrecks.filter((each) => each !== wreck);
    else wreck.squares = nearestOpen(play, wreck.squares, kind);
  }
}

/** As many squares as the wreck needs, open to its class, nearest first, then north-west. */
function nearestOpen(play: Play, from: readonly string[], kind: Class): string[] {
  const { book, table } = play;
  const others = { ...table, wrecks: table.wrecks.slice(0, -1) };
  const open = standing(book).filter(
    (place) => !place.offset && place.building === null && barredFor(book, others, place, kind) === null,
  );
  const distance = (name: string): number => rangeBetween(book, [name], from);
  return open
    .map((place) => place.name)
    .sort((a, b) => distance(a) - distance(b))
    .slice(0, from.length);
}

/** Dynamic: the hidden numbered token of a unit about to be removed goes to another (4.2-dynamic). */
function* passTokenOn(play: Play, unit: NormandieUnit): Asking<void> {
  const hand = handOf(play, unit.side);
  const token = hand.tokens[unit.code];
  const always = wantsAsking(play, unit.side, 'CARD') && unit.token === 'back' && play.table.cards[unit.side].hand > 0;
  const usable = holdsCard(play, unit.side, 'dynamic') && unit.token === 'back' && typeof token === 'number';
  if (!usable && !always) return;
  const takers = usable
    ? play.table.units.filter(
        (each) => each.side === unit.side && each !== unit && each.token === null && !hasActed(each),
      )
    : [];
  play.table.moment = { at: 'effect', effect: 'removed', unit: unit.code, by: null };
  const chosen = yield* ask(play, {
    id: `dynamic ${unit.code}`,
    to: unit.side,
    kind: 'dynamic',
    options: ['PASS', ...takers.map((each) => ownCode(play.known, each))],
    fallback: 'PASS',
    params: { unit: unit.code },
    rule: '4.2-dynamic',
    always,
  });
  const taker = takers.find((each) => ownCode(play.known, each) === chosen);
  if (!taker || token === undefined) return;
  playCard(play, unit.side, 'dynamic', 'event', null);
  delete hand.tokens[unit.code];
  hand.tokens[taker.code] = token;
  unit.token = null;
  taker.token = 'back';
  play.emit({ type: 'token-moved', audience: 'all', from: unit.code, to: taker.code, rule: '4.2-dynamic' });
}

/** Flips the tile of a combat group that has lost its Breaking Point (3.2.3-break-a, 2.1-i), or back (Hitlerjugend). */
export function checkBreaking(play: Play, index: number): void {
  const { table, book } = play;
  const holder = must(table.tiles[index], 'no tile');
  const tile = must(book.tiles.get(holder.tile), `no tile ${holder.tile}`);
  const lost = table.roster.filter(
    (member) => member.tile === index && member.fate === 'lost' && (tile.breakingCounts?.includes(member.type) ?? true),
  ).length;
  const broken = lost >= tile.breakingPoint;
  if (broken === holder.broken) return;
  holder.broken = broken;
  play.emit({
    type: 'broken',
    audience: 'all',
    tile: tile.id,
    side: holder.side,
    points: tile.victoryPoints,
    restored: !broken,
    rule: '3.2.3-break-b',
  });
}

/** Turns a set-up unit to its Inactive Side before a Forced Move (3.2.1-forced-c). */
export function standDown(play: Play, unit: NormandieUnit): void {
  const found = counterOf(play.book, play.known, unit);
  if (unit.concealed !== null) reveal(play, unit, 'forced');
  else if (found?.face === 'active') turnOver(play, unit, 'inactive', 'forced');
}

/**
 * Infantry that must leave its square for another beside it (run over, wreck pushed, beaten by a vehicle); never for
 * `taken`, the square that the vehicle behind a wreck rolls onto.
 */
export function* displace(
  play: Play,
  unit: NormandieUnit,
  why: 'run over' | 'wreck' | 'assault',
  taken = '',
): Asking<void> {
  standDown(play, unit);
  const printed = printedMove(play.book, play.known, unit);
  const stuck = printed === 'X' || (printed === 0 && why !== 'assault');
  const beside = besideOf(play.book, play.table, unit.at).filter((name) => name !== taken);
  const squares = stuck ? [] : forcedSquares(play, unit, beside, false);
  if (squares.length === 0) {
    yield* destroy(play, unit, null, why);
    return;
  }
  yield* sendTo(play, unit, squares, 'displaced', inOrder(play, unit, squares, 'own edge')[0]!);
  if (why === 'run over' && onBoard(play, unit)) yield* suppress(play, unit, 1, 'run over');
}

// ---- Passengers and crew of a destroyed vehicle (6.6-transport-l to -o, 6.1-crew-g)

/** Puts everybody aboard on free squares beside the wreck, inactive and suppressed; who finds none is destroyed. */
function* bailOut(play: Play, vehicle: NormandieUnit, squares: readonly string[]): Asking<void> {
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

function freeBeside(play: Play, unit: NormandieUnit, squares: readonly string[]): string[] {
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

function* land(play: Play, unit: NormandieUnit, squares: readonly string[]): Asking<void> {
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
