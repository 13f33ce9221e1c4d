/** Where units go: each objective gets as many as it is worth, the nearest first; without objectives they go for the enemy. */
import { best } from '../../../kernel/planner.ts';
import { classOf, moveValue, squaresOf } from '../counters/units.ts';
import type { Objective } from '../data.ts';
import type { NormandieUnit } from '../types.ts';
import { apart, FAR, type HeroesDesk, waysTo } from './playerdesk.ts';

/** An aim of one unit: how far every place is from it. */
export interface UnitAim {
  away: ReadonlyMap<string, number>;
  goals: readonly string[];
  /** The unit is to leave the board there. */
  leaves: boolean;
  /** Points in sight. */
  worth: number;
}

/** Squares of an objective that a unit may stand on. */
function standsOf(desk: HeroesDesk, objective: Objective): string[] {
  if (objective.kind !== 'building') return objective.squares;
  if (desk.known.table.rubble.includes(objective.building ?? '')) return [];
  return [...desk.book.places.values()]
    .filter((place) => place.building === objective.building)
    .map((place) => place.name);
}

/** What an objective may still bring this side, in points; an enemy's exit brings nothing. */
function pointsLeft(desk: HeroesDesk, objective: Objective): number {
  const { turn } = desk.known;
  const { turns } = desk.known.table;
  if (objective.kind === 'exit') return objective.side === desk.side ? objective.points * 2 : 0;
  if (objective.score !== 'each-turn') return objective.points;
  return objective.points * Math.max(0, turns + 1 - Math.max(turn, objective.from));
}

interface Place {
  squares: string[];
  leaves: boolean;
  worth: number;
  /** Units that it can use. */
  wants: number;
}

function placesOf(desk: HeroesDesk): Place[] {
  const { known, own, enemies, side } = desk;
  return known.table.objectives.flatMap((objective): Place[] => {
    const squares = standsOf(desk, objective);
    const worth = pointsLeft(desk, objective);
    if (squares.length === 0 || worth === 0) return [];
    if (objective.kind === 'exit') return [{ squares, leaves: true, worth, wants: own.length }];
    const near = (units: readonly NormandieUnit[]): number =>
      units.filter((unit) => squares.some((square) => apart(desk, unit.at, square) <= 4)).length;
    const held = known.table.held[objective.id] === side;
    const wants = held ? 1 + near(enemies) : 2 + near(enemies);
    return [{ squares, leaves: false, worth, wants }];
  });
}

/** An aim for every unit. */
export function aimsOf(desk: HeroesDesk): Map<NormandieUnit, UnitAim> {
  const aims = new Map<NormandieUnit, UnitAim>();
  const places = placesOf(desk).sort((a, b) => b.worth - a.worth);
  const ways = new Map<string, ReadonlyMap<string, number>>();
  const wayTo = (place: Place, unit: NormandieUnit): ReadonlyMap<string, number> => {
    const kind = classOf(desk.book, unit);
    const key = `${kind} ${place.squares.join()}`;
    const away = ways.get(key) ?? waysTo(desk, place.squares, kind);
    ways.set(key, away);
    return away;
  };
  const left = new Set(desk.own.filter((unit) => unit.aboard === null));
  for (let round = 0; round < desk.own.length && left.size > 0; round++) {
    for (const place of places) {
      if (place.wants <= round) continue;
      const turnsAway = (unit: NormandieUnit): number => {
        const move = moveValue(desk.book, desk.known, unit);
        return (wayTo(place, unit).get(unit.at) ?? FAR) * 4 - (move === 'X' ? 0 : move);
      };
      const nearest = best([...left], (unit) => -turnsAway(unit));
      if (!nearest || turnsAway(nearest) >= FAR * 3) continue;
      left.delete(nearest);
      aims.set(nearest, {
        away: wayTo(place, nearest),
        goals: place.squares,
        leaves: place.leaves,
        worth: place.worth,
      });
    }
  }
  const foes = desk.enemies.flatMap((unit) => squaresOf(unit));
  for (const unit of left) {
    const [place] = places;
    const goals = place && desk.known.table.objectives.length > 0 ? place.squares : foes;
    const target: Place = { squares: goals, leaves: false, worth: 1, wants: 0 };
    aims.set(unit, { away: wayTo(target, unit), goals, leaves: false, worth: 1 });
  }
  return aims;
}
