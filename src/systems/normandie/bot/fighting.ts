/** What a unit does when its order is shown: the shot or assault that promises most, told as clauses of a script. */
import { assaultOrderRefusal, entryOf, winChance } from '../actions/assault.ts';
import { actionRefusal } from '../actions/legality.ts';
import { placeOf, pointOf } from '../content/opened.ts';
import { counterOf, ownCode, squaresOf } from '../counters/units.ts';
import { allWeapons } from '../counters/weapons.ts';
import { legalTargets } from '../fight/targets.ts';
import { blastSquares, interspacesAt, isAimPoint, unitsUnder } from '../fight/templates.ts';
import type { Action, Clause, FireAction } from '../language.ts';
import type { NormandieUnit } from '../types.ts';
import { type HeroesDesk, worthOf } from './playerdesk.ts';

/** From these chances on, in per cent, it is worth trying. */
const TRIES = { bold: { fire: 15, assault: 50 }, careful: { fire: 25, assault: 70 } };

export interface Blow {
  action: Action;
  /** Chance times what is at stake. */
  gain: number;
}

/** Does a unit sit on something that counts? */
function onObjective(desk: HeroesDesk, unit: NormandieUnit): boolean {
  const squares = squaresOf(unit);
  return desk.known.table.objectives.some((objective) =>
    objective.kind === 'building'
      ? squares.some((name) => desk.book.places.get(name)?.building === objective.building)
      : squares.some((name) => objective.squares.includes(name)),
  );
}

function stake(desk: HeroesDesk, target: NormandieUnit): number {
  return worthOf(desk, target) + (onObjective(desk, target) ? 8 : 0) + (target.token === 'back' ? 3 : 0);
}

/** The shots that a unit has now, best first. */
function shots(desk: HeroesDesk, unit: NormandieUnit): Blow[] {
  const { book, known } = desk;
  const code = ownCode(known, unit);
  const least = TRIES[desk.temper].fire;
  return allWeapons(book, known, unit).flatMap((use): Blow[] => {
    if (use.manner !== 'direct' && use.manner !== 'sniper') return [];
    return legalTargets(book, known, unit, use, null)
      .filter(({ chance }) => chance >= least)
      .map(({ unit: target, chance }) => {
        const action: FireAction = {
          do: 'fire',
          unit: code,
          targets: [
            { target: 'unit', code: target.code },
            { target: 'any', class: null },
          ],
        };
        if (use.label !== 'main') action.weapon = use.gear ? use.label : use.label.toUpperCase();
        // What is in short supply is kept for better chances.
        const spare = use.gear && use.gear.left !== null ? 20 : 0;
        return { action, gain: (chance - spare) * stake(desk, target) };
      })
      .filter(({ action }) => !actionRefusal(book, known, unit, action, []));
  });
}

/** Chance in per cent that whoever lies under a template is hurt: scatter and all. */
const UNDER_TEMPLATE = 35;

/** Grenades, mortars and howitzers: on the interspace beside an enemy under which most enemies and fewest of ours lie. */
function templates(desk: HeroesDesk, unit: NormandieUnit): Blow[] {
  const { book, known, side } = desk;
  const code = ownCode(known, unit);
  return allWeapons(book, known, unit).flatMap((use): Blow[] => {
    if (use.manner !== 'howitzer' && use.manner !== 'indirect' && use.manner !== 'grenade') return [];
    const blows = aimPoints(desk).flatMap((place): Blow[] => {
      const squares = blastSquares(book, known.table, pointOf(book, place)!).map(({ name }) => name);
      const under = unitsUnder(known.table, squares, false);
      const sum = under.reduce((total, each) => total + (each.side === side ? -2 : 1) * stake(desk, each), 0);
      if (sum <= 0) return [];
      const action: FireAction = { do: 'fire', unit: code, targets: [{ target: 'place', place }] };
      action.weapon = use.gear ? use.label : use.label.toUpperCase();
      return [{ action, gain: UNDER_TEMPLATE * sum }];
    });
    const ranked = blows.sort((a, b) => b.gain - a.gain);
    const legal = ranked.find(({ action }) => !actionRefusal(book, known, unit, action, []));
    return legal ? [legal] : [];
  });
}

/** The interspaces at the corners of the squares on which enemies are seen. */
function aimPoints(desk: HeroesDesk): string[] {
  const { book, known } = desk;
  const points = desk.enemies.flatMap((enemy) =>
    enemy.concealed !== null || enemy.aboard !== null
      ? []
      : [-1, 1].flatMap((dx) =>
          [-1, 1].flatMap((dy) => {
            const [x, y] = placeOf(book, enemy.at).centre;
            return interspacesAt(book, [x + dx, y + dy]);
          }),
        ),
  );
  return [...new Set(points)].filter((name) => pointOf(book, name) && isAimPoint(book, known.table, name));
}

/** Assaults that can be launched now. */
function assaults(desk: HeroesDesk, unit: NormandieUnit): Blow[] {
  const { book, known } = desk;
  if (!('assault' in (counterOf(book, known, unit)?.counter.faces.full?.abilities ?? {}))) return [];
  const code = ownCode(known, unit);
  return desk.enemies.flatMap((target): Blow[] => {
    const action: Action = { do: 'assault', unit: code, via: [], at: target.code };
    if (target.concealed !== null || assaultOrderRefusal(book, known, unit, action)) return [];
    const entry = entryOf(book, known, unit, target, 0);
    const chance = entry ? winChance(book, known, unit, target, entry) : 0;
    if (chance < TRIES[desk.temper].assault) return [];
    return [{ action, gain: chance * stake(desk, target) - (100 - chance) * worthOf(desk, unit) * 0.5 }];
  });
}

/** What a unit could do to the enemy from where it stands, best first. */
export function blowsOf(desk: HeroesDesk, unit: NormandieUnit): Blow[] {
  if (unit.aboard !== null) return [];
  return [...shots(desk, unit), ...templates(desk, unit), ...assaults(desk, unit)]
    .filter(({ gain }) => gain > 0)
    .sort((a, b) => b.gain - a.gain);
}

/** At most so many clauses a script, the move or the last shot and HOLD among them. */
const CLAUSES_MAX = 4;

/** Blows best first, each target once, then the move, then whatever is there to be fired at. */
export function scriptOf(
  desk: HeroesDesk,
  unit: NormandieUnit,
  blows: readonly Blow[],
  move: Action | undefined,
): Clause[] {
  const clauses: Clause[] = [];
  for (const { action } of blows.slice(0, CLAUSES_MAX - 2)) clauses.push({ parts: [{ action, riders: [] }] });
  const code = ownCode(desk.known, unit);
  const any: Action = { do: 'fire', unit: code, targets: [{ target: 'any', class: null }] };
  if (move) clauses.push({ parts: [{ action: move, riders: [] }] });
  else if (clauses.length > 0 && !actionRefusal(desk.book, desk.known, unit, any, []))
    clauses.push({ parts: [{ action: any, riders: [] }] });
  clauses.push({ parts: [{ action: { do: 'hold' }, riders: [] }] });
  return clauses;
}
