/** Recruitment by points: sealed lists, checked against slots, stripes, cost and limits (2, 2.1, 7.1). */
import { error } from '../../../kernel/orders.ts';
import type { Diagnostic } from '../../../kernel/types.ts';
import { armyCost, armyFaults } from '../content/lint.ts';
import type { Book } from '../content/opened.ts';
import type { Asking, Play } from '../counters/play.ts';
import { type ArmyTile, type Data, type NormandieSide, SIDES } from '../data.ts';
import type { NormandieOrder, RecruitOrder } from '../language.ts';
import type { SideView } from '../types.ts';
import { muster } from './setup.ts';

const TILES_MAX = 30;

/** The army a side's RECRUIT lines name. */
function armyOf(orders: readonly NormandieOrder[]): ArmyTile[] {
  return orders
    .filter((order): order is RecruitOrder => order.verb === 'RECRUIT')
    .map(({ tile, slots }) => ({ tile, slots }));
}

/** What is wrong with a sealed list (E29): told to its owner only, line by line where one line is to blame. */
export function checkRecruitment(book: Book, view: SideView, orders: readonly NormandieOrder[]): Diagnostic[] {
  const lines = orders.filter((order): order is RecruitOrder => order.verb === 'RECRUIT');
  if (lines.length === 0) return [];
  const side = view.viewer as NormandieSide;
  const budget = view.table.points?.[side] ?? null;
  return armyFaults(book.data, side, armyOf(lines), budget).map((fault) =>
    error(
      'E29',
      fault.pick === undefined ? 'mail' : (lines[fault.pick]?.line ?? 'mail'),
      { what: fault.what, detail: fault.words },
      '2.1',
    ),
  );
}

/** Opens both sealed lists at once and musters them; a side without a legal list takes the sample. */
// biome-ignore lint/correctness/useYield: a phase may ask
export function* recruit(play: Play): Asking<void> {
  const { data } = play.book;
  for (const side of SIDES) {
    const budget = play.table.points?.[side] ?? null;
    const filed = armyOf(play.orders[side]);
    const legal = filed.length > 0 && armyFaults(data, side, filed, budget).length === 0;
    const army = legal ? filed : sampleArmy(data, side, budget ?? 0);
    if (!legal)
      play.emit({
        type: 'defaulted',
        audience: 'all',
        side,
        what: 'recruit',
        filed: filed.length > 0,
        units: [],
        rule: '2.1',
      });
    muster(play.book, play.draft, side, army);
    play.emit({ type: 'drafted', audience: 'all', side, army, cost: armyCost(data, army), rule: '2.1' });
  }
}

/**
 * A legal army within the budget: the scenario's own sample if it has one, else tiles in the order of the data, infantry
 * first, as long as the limits and the points allow.
 */
export function sampleArmy(data: Data, side: NormandieSide, budget: number): ArmyTile[] {
  const sample = data.scenario.armies[side];
  if (sample.length > 0) return sample;
  const tiles = data.tiles.filter((tile) => tile.side === side && tile.kind === 'tile');
  const infantry = (id: string): boolean => data.counters.find((counter) => counter.id === id)?.class === 'inf';
  const ranked = [
    ...tiles.filter((tile) => tile.units.length > 1 && tile.units.every(infantry)),
    ...tiles.filter((tile) => !(tile.units.length > 1 && tile.units.every(infantry))),
  ];
  let army: ArmyTile[] = [];
  for (const tile of ranked) {
    const longer = [...army, { tile: tile.id, slots: {} }];
    const faults = armyFaults(data, side, longer, budget).filter((fault) => fault.what !== 'INFANTRY TILES');
    if (faults.length === 0 && longer.length <= TILES_MAX) army = longer;
  }
  return army;
}
