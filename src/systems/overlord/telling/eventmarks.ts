/** The marks of one event on the map: arrows, plates, faded counters. */
import type { Cell, SceneItem, Text } from '../../../kernel/types.ts';
import { type Campaign, indexOf, unitOf } from '../content/campaign.ts';
import { counterOf } from '../content/unitcounter.ts';
import type { Odds, OverlordEvent } from '../types.ts';
import { words } from './tell.ts';

function at(campaign: Campaign, hex: string): Cell {
  const { grid } = campaign.board;
  const cell = grid.index.get(hex)!;
  return [grid.columns[cell]!, grid.rows[cell]!];
}

/** Arrows and plates of what happened; nothing for events without a place. */
export function markOf(campaign: Campaign, event: OverlordEvent): SceneItem<Text>[] {
  const path = (hexes: readonly string[]): Cell[] => hexes.map((hex) => at(campaign, hex));
  switch (event.type) {
    case 'moved':
      return [{ kind: 'arrow', arrow: 'move', path: path([event.from, ...event.path]), side: event.side }];
    case 'landed': {
      const { grid, sea } = campaign.board;
      const cell = grid.index.get(event.hex)!;
      const water = [...grid.neighbours.subarray(cell * 6, cell * 6 + 6)].find((near) => near >= 0 && sea[near] === 1);
      if (water === undefined) return [];
      return [{ kind: 'arrow', arrow: 'landing', path: path([grid.ids[water]!, event.hex]), side: 'allied' }];
    }
    case 'retreated':
      return [{ kind: 'arrow', arrow: 'retreat', path: path([event.from, ...event.path]), side: event.side }];
    case 'advanced':
      return [{ kind: 'arrow', arrow: 'advance', path: path([event.from, ...event.path]), side: event.side }];
    case 'withdrawal':
      return Object.values(event.paths)
        .filter((way) => way.length > 1)
        .map((way) => ({ kind: 'arrow', arrow: 'retreat', path: path(way), side: 'german' }));
    case 'forecast':
      return battleMarks(campaign, event.odds, words('map forecast'), 'allied');
    case 'battle':
      return battleMarks(
        campaign,
        event.odds,
        event.die === null ? event.result : `${event.result} (${event.die})`,
        event.side,
      );
    case 'lost':
      return event.units.map((id, i) => ({
        kind: 'counter',
        at: at(campaign, event.hexes[i]!),
        counter: { ...counterOf(unitOf(campaign, indexOf(campaign, id)), ['lost']), ghost: true },
      }));
    case 'exited':
      return [
        { kind: 'marker', at: at(campaign, event.hex), marker: 'victory', text: String(event.count), side: 'allied' },
      ];
    default:
      return [];
  }
}

function battleMarks(campaign: Campaign, odds: Odds, small: Text, side: string): SceneItem<Text>[] {
  const from = [...new Set(odds.attackers.map((share) => share.hex))];
  const target = at(campaign, odds.hex);
  return [
    ...from.map((hex): SceneItem => ({ kind: 'arrow', arrow: 'attack', path: [at(campaign, hex), target], side })),
    { kind: 'plate', at: target, big: odds.ratio, small },
  ];
}
