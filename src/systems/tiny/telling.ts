/** What a side is told and shown: report and map, by keys of the templates. */
import type { Filed, MapScene, Report, Text, View } from '../../kernel/types.ts';
import { printRace } from './orders.ts';
import { SIDES, type Tiny } from './types.ts';

/** The track with a marker for each runner. */
export function sceneOf(view: View<Tiny>): MapScene<Text> {
  return {
    title: { key: 'tiny.map' },
    size: { kind: 'square', columns: [0, view.table.squares], rows: [0, 1] },
    items: SIDES.map((side, row) => ({
      kind: 'marker',
      at: [view.table.places[side]!, row],
      marker: 'objective',
      side,
    })),
    house: [],
  };
}

/** One line an event, and the form of the next turn. */
export function reportOf(view: View<Tiny>, events: readonly Tiny['event'][], filed: Filed<Tiny>): Report {
  const { places, weather } = view.table;
  const lines = events.map(({ type, side, place }) => ({ key: `tiny.${type}`, params: { side, place } }));
  return {
    headline: { key: 'tiny.headline', params: { ...places, weather } },
    sections: [{ title: { key: 'tiny.moves' }, lines }],
    orderForm: [`TURN ${view.phase.turn}`, ...filed.standing.map(printRace), 'RUN STEADY', 'FINAL', 'END'],
  };
}
