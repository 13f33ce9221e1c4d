/** The sniper's table (6.2-sniper): no Combat or Defense Value, only Suppressed Markers and obstacles count. */

import type { Book } from '../content/opened.ts';
import type { Asking, Play } from '../counters/play.ts';
import { memberOfUnit } from '../counters/units.ts';
import type { SniperRow } from '../data.ts';
import type { Term } from '../events.ts';
import type { Aim } from '../ground/sightline.ts';
import type { Known, NormandieUnit, RollResult } from '../types.ts';
import { chanceOf, penalties, type ShotContext, withDice } from './attack.ts';
import { hit, onBoard, suppress } from './effects.ts';
import { rollDice } from './rolls.ts';

/** 1 nothing, 2 and 3 a Suppressed Marker, 4 and 5 a Hit, 6 and more both (6.2-sniper-c to -f). */
const PRINTED: readonly SniperRow[] = [
  { from: 2, hit: false, suppressed: 1 },
  { from: 4, hit: true, suppressed: 0 },
  { from: 6, hit: true, suppressed: 1 },
];

/** The table a unit reads: that of its Recruitment Tile, if there is one on it (6.2-sniper-g). */
export function sniperTable(book: Book, known: Known, unit: NormandieUnit): readonly SniperRow[] {
  const holder = known.table.tiles[memberOfUnit(known, unit)?.tile ?? -1];
  return (holder && book.tiles.get(holder.tile)?.sniper) ?? PRINTED;
}

/** The line of a table that a total comes to; nothing happens below the first. */
export function sniperRow(table: readonly SniperRow[], total: number): SniperRow {
  return table.findLast((row) => row.from <= total) ?? { from: total, hit: false, suppressed: 0 };
}

/** What changes the die: bonuses, Suppressed Markers, obscuring squares (6.2-sniper-b). */
function sniperTerms(unit: NormandieUnit, aim: Aim, context: ShotContext): Term[] {
  return [...context.bonus, ...penalties(unit, null, aim.line.obscuring, context.steady)];
}

/** Per cent that the target is hit or, by a table without a Hit, suppressed. */
export function sniperChance(book: Book, known: Known, unit: NormandieUnit, aim: Aim, context: ShotContext): number {
  const table = sniperTable(book, known, unit);
  const row = table.find((each) => each.hit) ?? table.find((each) => each.suppressed > 0);
  return row ? chanceOf(sniperTerms(unit, aim, context), row.from, 1) : 0;
}

/** Rolls on the table and does what it says: the Hit first, the markers on whoever is left. */
export function* snipe(
  play: Play,
  unit: NormandieUnit,
  target: NormandieUnit,
  shot: { aim: Aim; context: ShotContext; words: string },
): Asking<RollResult['effect']> {
  const { book, known } = play;
  const terms = sniperTerms(unit, shot.aim, shot.context);
  const table = sniperTable(book, known, unit);
  const judge = (dice: readonly number[], more: readonly Term[]) => {
    const { total } = withDice(dice, [...terms, ...more], []);
    const row = sniperRow(table, total);
    const effect: RollResult['effect'] = row.hit ? 'hit' : row.suppressed > 0 ? 'suppressed' : 'none';
    return { total, need: table[0]?.from ?? 0, result: { effect, n: row.suppressed }, row };
  };
  const { dice, more } = yield* rollDice(play, {
    side: unit.side,
    unit: unit.code,
    target: target.code,
    purpose: 'sniper',
    context: shot.words,
    count: 1,
    judge,
    chance: sniperChance(book, known, unit, shot.aim, shot.context),
    declared: true,
  });
  const { result, row } = judge(dice, more);
  play.emit({
    type: 'sniper',
    audience: 'all',
    unit: unit.code,
    target: target.code,
    sum: withDice(dice, [...terms, ...more], []),
    result: result.effect,
    rule: '6.2-sniper-b',
  });
  if (row.hit) yield* hit(play, target, unit, false, shot.words);
  if (row.suppressed > 0 && onBoard(play, target)) yield* suppress(play, target, row.suppressed, 'sniper');
  return result.effect;
}
