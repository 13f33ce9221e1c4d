/** Conditions of scripts and doctrine, evaluated on what one side knows (3.4): never on the full state. */
import { squareAt } from '../../../board/square.ts';
import type { Book } from '../content/opened.ts';
import { enemyOf, findUnit, footprintOf, memberOf, tableCode, unitsOn, wreckOn } from '../counters/units.ts';
import type { NormandieSide } from '../data.ts';
import { oddsOf } from '../fight/odds.ts';
import { rangeBetween, sees, sightBetweenPlaces } from '../ground/sightline.ts';
import type { Compare, Condition, FireAction, ZoneWords } from '../language.ts';
import type { Known, NormandieUnit } from '../types.ts';

/** What a question offers, where that decides: the shot of an Opportunity Fire option, the gain of a re-roll. */
export interface Offer {
  /** Own code of the unit that would act. */
  unit?: string;
  /** Per cent. */
  chance?: number;
  /** Squares. */
  range?: number;
}

/**
 * Does the condition hold for `side`? `known` must be that side's own knowledge (`sideKnown` in play.ts), so that a
 * concealed enemy can't be probed. Doctrine words look at `known.table.moment` and at the offer.
 */
export function holds(book: Book, known: Known, side: NormandieSide, condition: Condition, offer: Offer = {}): boolean {
  switch (condition.is) {
    case 'and':
      return condition.of.every((part) => holds(book, known, side, part, offer));
    case 'or':
      return condition.of.some((part) => holds(book, known, side, part, offer));
    case 'not':
      return !holds(book, known, side, condition.of, offer);
    case 'alive':
    case 'lost':
    case 'seen':
    case 'hit':
    case 'wrecked':
    case 'activated':
    case 'marked':
      return unitHolds(book, known, side, condition.is, condition.unit);
    case 'turn':
      return compares(known.turn, condition);
    case 'cards':
      return compares(known.hands[side]?.cards.length ?? 0, condition);
    case 'hold':
      return known.table.held[condition.objective] === side;
    case 'shown':
      return (known.table.activation?.shown[condition.side] ?? 0) >= condition.n;
    default:
      return boardHolds(book, known, side, condition, offer);
  }
}

function compares(value: number, test: { compare: Compare; value: number }): boolean {
  return test.compare === '>=' ? value >= test.value : value <= test.value;
}

/** The counter a player means by a code: his own by own code, an enemy by what lies on the table. */
function counterNamed(known: Known, side: NormandieSide, code: string): NormandieUnit | undefined {
  return findUnit(known.table, tableCode(known, side, code) ?? code);
}

type UnitTest = 'alive' | 'lost' | 'seen' | 'hit' | 'wrecked' | 'activated' | 'marked';

function unitHolds(book: Book, known: Known, side: NormandieSide, is: UnitTest, code: string): boolean {
  const unit = counterNamed(known, side, code);
  const member = memberOf(known.table, code);
  switch (is) {
    case 'alive':
      return unit !== undefined || member?.fate === 'in play';
    case 'lost':
      return member?.fate === 'lost';
    case 'wrecked':
      return member?.fate === 'lost' && isVehicleType(book, member.type);
    case 'seen':
      return unit !== undefined && unit.concealed === null;
    case 'hit':
      return unit !== undefined && (unit.face === 'reduced' || unit.damage.length > 0);
    case 'activated':
      return unit?.activated ?? false;
    default:
      return unit !== undefined && unit.token !== null;
  }
}

function isVehicleType(book: Book, type: string): boolean {
  return book.counters.get(type)?.class !== 'inf';
}

function boardHolds(
  book: Book,
  known: Known,
  side: NormandieSide,
  condition: Exclude<Condition, { of: Condition[] } | { of: Condition }>,
  offer: Offer,
): boolean {
  const { table } = known;
  switch (condition.is) {
    case 'at': {
      const unit = counterNamed(known, side, condition.unit);
      const zone = squaresOfZone(book, known, side, condition.zone);
      return unit !== undefined && footprintOf(table, unit).some((square) => zone.has(square));
    }
    case 'los':
      return sightHolds(book, known, side, condition.from, condition.to);
    case 'canfire':
      return [false, true].some(
        (suppress) => chanceOf(book, known, side, condition.unit, condition.target, suppress) >= 0,
      );
    case 'odds': {
      const chance = chanceOf(book, known, side, condition.unit, condition.target, condition.suppress);
      return chance >= 0 && compares(chance, condition);
    }
    case 'range': {
      const [from, to] = [condition.from, condition.to].map((end) => lineEnds(book, known, side, end));
      return from !== undefined && to !== undefined && compares(rangeBetween(book, from, to), condition);
    }
    case 'suppressed': {
      const unit = counterNamed(known, side, condition.unit);
      return unit !== undefined && compares(unit.suppressed, condition);
    }
    case 'free':
      return unitsOn(table, condition.square).length === 0 && wreckOn(table, condition.square) === undefined;
    case 'enemy':
    case 'friend': {
      const whose = condition.is === 'friend' ? side : enemyOf(side);
      const zone = squaresOfZone(book, known, side, condition.zone);
      const inside = table.units.filter(
        (unit) => unit.side === whose && footprintOf(table, unit).some((square) => zone.has(square)),
      );
      return compares(inside.length, condition);
    }
    default:
      return momentHolds(book, known, side, condition, offer);
  }
}

/** Chance of a plain or suppressive shot; -1 when the unit may not fire at that target now, or does not know it. */
function chanceOf(
  book: Book,
  known: Known,
  side: NormandieSide,
  unit: string,
  target: string,
  suppress: boolean,
): number {
  const code = counterNamed(known, side, target)?.code;
  if (code === undefined || !counterNamed(known, side, unit)) return -1;
  const shot: FireAction = { do: 'fire', unit, targets: [{ target: 'unit', code }] };
  if (suppress) shot.suppress = true;
  return oddsOf(book, known, side, shot, code) ?? -1;
}

function sightHolds(book: Book, known: Known, side: NormandieSide, from: string, to: string): boolean {
  const [a, b] = [counterNamed(known, side, from), counterNamed(known, side, to)];
  if (a && b) {
    const sight = sees(book, known, a, b);
    return sight.clear || sight.obscured;
  }
  const starts = lineEnds(book, known, side, from) ?? [];
  const ends = lineEnds(book, known, side, to) ?? [];
  return starts.some((start) =>
    ends.some((end) => start === end || sightBetweenPlaces(book, known.table, start, end)?.clear === true),
  );
}

/** Squares at one end of a line or range: those of a unit, or the square itself. */
function lineEnds(book: Book, known: Known, side: NormandieSide, name: string): string[] | undefined {
  if (book.places.has(name)) return [name];
  const unit = counterNamed(known, side, name);
  return unit && footprintOf(known.table, unit);
}

/** The squares a zone means right now. */
function squaresOfZone(book: Book, known: Known, side: NormandieSide, zone: ZoneWords): Set<string> {
  switch (zone.zone) {
    case 'squares':
      return new Set(zone.squares);
    case 'block': {
      const [a, b] = [squareAt(zone.from), squareAt(zone.to)];
      if (!a || !b) return new Set();
      const inside = (value: number, one: number, other: number): boolean =>
        value >= Math.min(one, other) && value <= Math.max(one, other);
      return namesWhere(book, (name) => {
        const at = squareAt(name);
        return at !== undefined && inside(at.column, a.column, b.column) && inside(at.row, a.row, b.row);
      });
    }
    case 'building':
      return namesWhere(book, (name) => book.places.get(name)?.building === zone.id);
    case 'objective': {
      const objective = known.table.objectives.find((each) => each.id === zone.id);
      if (objective?.building === undefined) return new Set(objective?.squares ?? []);
      return namesWhere(book, (name) => book.places.get(name)?.building === objective.building);
    }
    default: {
      const around = lineEnds(book, known, side, zone.of);
      return namesWhere(book, (name) => around !== undefined && rangeBetween(book, around, [name]) <= zone.n);
    }
  }
}

function namesWhere(book: Book, test: (name: string) => boolean): Set<string> {
  return new Set([...book.places.keys()].filter(test));
}

type MomentTest = Extract<
  Condition,
  {
    is:
      | 'this-odds'
      | 'this-range'
      | 'chance'
      | 'token'
      | 'enters'
      | 'assaults'
      | 'afterfire'
      | 'failed'
      | 'hits'
      | 'suppresses'
      | 'loses-assault'
      | 'damages'
      | 'scattered';
  }
>;

function momentHolds(book: Book, known: Known, side: NormandieSide, test: Condition, offer: Offer): boolean {
  const condition = test as MomentTest;
  const { moment } = known.table;
  switch (condition.is) {
    case 'this-odds':
    case 'chance': {
      const chance = offer.chance ?? (moment && 'chance' in moment ? moment.chance : undefined);
      return chance !== undefined && compares(chance, condition);
    }
    case 'this-range':
      return offer.range !== undefined && compares(offer.range, condition);
    case 'token': {
      const code = offer.unit === undefined ? undefined : tableCode(known, side, offer.unit);
      const token = code === undefined ? undefined : known.hands[side]?.tokens[code];
      return typeof token === 'number' && compares(token, condition);
    }
    case 'enters':
      return moment?.at === 'move' && squaresOfZone(book, known, side, condition.zone).has(moment.to);
    case 'assaults': {
      const victim = counterNamed(known, side, condition.unit)?.code;
      if (victim === undefined || !moment) return false;
      if (moment.at === 'move') return moment.assaults === victim;
      return moment.at === 'assault' && moment.target === victim;
    }
    case 'afterfire':
      return moment?.at === 'fire' && moment.stage === 'done';
    default:
      return moment?.at === 'roll' && rollHolds(known, side, condition, moment);
  }
}

type Rolled = Extract<NonNullable<Known['table']['moment']>, { at: 'roll' }>;

/** What a roll does as it lies, from the side's point of view. */
function rollHolds(known: Known, side: NormandieSide, condition: MomentTest, roll: Rolled): boolean {
  const { effect, part } = roll.result;
  const strikes = (who: string): boolean => who === 'ANY' || counterNamed(known, side, who)?.code === roll.target;
  switch (condition.is) {
    case 'failed':
      return effect === 'none' || effect === 'lost';
    case 'scattered':
      return effect === 'scattered';
    case 'hits':
      return (effect === 'hit' || effect === 'destroyed' || effect === 'damage') && strikes(condition.unit);
    case 'suppresses':
      return effect === 'suppressed' && strikes(condition.unit);
    case 'damages':
      return effect === 'damage' && Number((part ?? '0')[0]) >= condition.part && strikes(condition.unit);
    case 'loses-assault': {
      if (condition.unit === 'ANY') return effect === 'lost' || effect === 'won';
      const mine = counterNamed(known, side, condition.unit)?.code;
      return (effect === 'lost' && mine === roll.unit) || (effect === 'won' && mine === roll.target);
    }
    default:
      return false;
  }
}
