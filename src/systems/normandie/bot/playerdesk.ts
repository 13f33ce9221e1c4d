/** What a planner of Normandie works with: its view opened, its units and the enemy's, and how far places lie apart. */
import { squaresBetween } from '../../../board/square.ts';
import type { Chance, Temper } from '../../../kernel/planner.ts';
import { type Book, placeOf, standing } from '../content/opened.ts';
import { classOf, counterOf, knownFrom, memberOfUnit } from '../counters/units.ts';
import type { Class, NormandieSide } from '../data.ts';
import { isDifficult } from '../ground/ground.ts';
import { passageRefusal } from '../ground/steps.ts';
import { bearers } from '../turn/tokens.ts';
import type { Known, NormandieUnit, SideView } from '../types.ts';

/** Farther than any place on a board. */
export const FAR = 200;

export interface HeroesDesk {
  book: Book;
  known: Known;
  side: NormandieSide;
  view: SideView;
  temper: Temper;
  chance: Chance;
  own: NormandieUnit[];
  enemies: NormandieUnit[];
  /** Ways over the board by class, kept from phase to phase. */
  ways: Ways;
}

/** For each place, the places from which a class steps onto it and what that costs, and those it steps to from there. */
interface Steps {
  onto: ReadonlyMap<string, { from: string; cost: number }[]>;
  from: ReadonlyMap<string, string[]>;
}
export type Ways = Map<string, Steps>;

export function deskOf(book: Book, view: SideView, temper: Temper, chance: Chance, ways: Ways): HeroesDesk {
  const known = knownFrom(view);
  const side = view.viewer as NormandieSide;
  const enemies = known.table.units.filter((unit) => unit.side !== side);
  return { book, known, side, view, temper, chance, own: bearers(known, side), enemies, ways };
}

/** Squares between two places as the crow flies. */
export function apart(desk: HeroesDesk, a: string, b: string): number {
  return squaresBetween(placeOf(desk.book, a).centre, placeOf(desk.book, b).centre);
}

function stepsOf(desk: HeroesDesk, kind: Class): Steps {
  const { book, known } = desk;
  const { rubble, passages, wire } = known.table;
  const key = [kind, ...rubble, ...passages, ...wire].join();
  const kept = desk.ways.get(key);
  if (kept) return kept;
  const onto = new Map<string, { from: string; cost: number }[]>();
  const leads = new Map<string, string[]>();
  const places = standing(book);
  for (const to of places) {
    const cost = isDifficult(book, known.table, to, kind) ? 2 : 1;
    const near = places.filter(
      (from) =>
        from !== to &&
        Math.abs(from.centre[0] - to.centre[0]) <= 3 &&
        Math.abs(from.centre[1] - to.centre[1]) <= 3 &&
        !passageRefusal(book, known.table, from, to, kind),
    );
    for (const from of near) leads.set(from.name, [...(leads.get(from.name) ?? []), to.name]);
    onto.set(
      to.name,
      near.map((from) => ({ from: from.name, cost })),
    );
  }
  const steps = { onto, from: leads };
  desk.ways.set(key, steps);
  return steps;
}

/** The places that a class can step to from a place, whoever stands there. */
export function stepsFrom(desk: HeroesDesk, at: string, kind: Class): readonly string[] {
  return stepsOf(desk, kind).from.get(at) ?? [];
}

/** Steps from every place to the nearest of the goals for a class, whoever stands in between. */
export function waysTo(desk: HeroesDesk, goals: readonly string[], kind: Class): ReadonlyMap<string, number> {
  const { onto } = stepsOf(desk, kind);
  const away = new Map<string, number>();
  let front = [...goals];
  for (const goal of goals) away.set(goal, 0);
  while (front.length > 0) {
    const next = new Set<string>();
    for (const to of front) {
      for (const { from, cost } of onto.get(to) ?? []) {
        const total = away.get(to)! + cost;
        if (total >= (away.get(from) ?? FAR)) continue;
        away.set(from, total);
        next.add(from);
      }
    }
    front = [...next];
  }
  return away;
}

/** What the loss of a unit is worth: its part of a tile's victory points, its rank, its arms. */
export function worthOf(desk: HeroesDesk, unit: NormandieUnit): number {
  const { book, known } = desk;
  const counter = counterOf(book, known, unit)?.counter;
  if (!counter) return 8;
  let worth = 10;
  if (counter.role === 'officer') worth += 8;
  if (counter.role === 'heavy-weapon') worth += 4;
  if (classOf(book, unit) !== 'inf') worth += classOf(book, unit) === 'heavy' ? 12 : 6;
  if (counter.character) worth += 4 * book.data.scenario.characterPoints;
  const member = memberOfUnit(known, unit);
  const holder = member && known.table.tiles[member.tile];
  const tile = holder && !holder.broken ? book.tiles.get(holder.tile) : undefined;
  if (tile && member) {
    const mates = known.table.roster.filter((each) => each.tile === member.tile && each.fate !== 'lost').length;
    if (mates <= 3) worth += tile.victoryPoints * (4 - mates);
  }
  if (unit.face === 'reduced' || unit.damage.length > 0) worth += 5;
  return worth;
}
