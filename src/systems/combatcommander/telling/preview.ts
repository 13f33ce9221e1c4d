/** How filed orders would be read: costs, the marker, the pieces on the map. On a copy, without dice and other hands. */
import type { MapScene, Text, View } from '../../../kernel/types.ts';
import { completeSetup, mergeSetup } from '../campaign/placement.ts';
import { costOf, forceOf } from '../content/forces.ts';
import type { CampaignData } from '../content/scenario.ts';
import { fortCost, pickItems } from '../content/support.ts';
import {
  type CampaignEvent,
  type CampaignOrder,
  type CombatCommander,
  type CommanderSide,
  type CommanderTable,
  isSide,
} from '../types.ts';
import { campaignScene } from './scene.ts';

function forecast(
  data: CampaignData,
  table: CommanderTable,
  side: CommanderSide,
  order: CampaignOrder,
): CampaignEvent | undefined {
  const audience = [side];
  switch (order.verb) {
    case 'SECTIONS': {
      const cost = costOf(data, side, order.letters);
      const from = table.campaign.vp;
      const to = from + (side === 'american' ? -cost : cost);
      return { type: 'forecast-sections', audience, cost, letters: order.letters, from, to };
    }
    case 'SUPPORT': {
      const roll = table.battle.support.find((one) => one.side === side && one.bought === null);
      if (!roll) return undefined;
      const names = typeof order.buy === 'string' ? pickItems(roll.items, order.buy) : order.buy;
      const cost = roll.items.filter((one) => names.includes(one.item)).reduce((sum, one) => sum + one.cost, 0);
      return { type: 'forecast-support', audience, cost };
    }
    case 'FORT': {
      const items = order.items.map((one) => one.item);
      return items.length === 0 ? undefined : { type: 'forecast-fort', audience, cost: fortCost(data, items) };
    }
    case 'REPORT':
      return { type: 'forecast-result', audience, winner: order.winner, battle: order.battle };
    default:
      return undefined;
  }
}

/** The forecast of a side's orders, and the map with its pieces where it would place them. */
export function previewOf(
  data: CampaignData,
  view: View<CombatCommander>,
  orders: readonly CampaignOrder[],
): { events: CampaignEvent[]; scene: MapScene<Text> } {
  const { viewer, phase } = view;
  const table = structuredClone(view.table);
  if (!isSide(viewer)) return { events: [], scene: campaignScene(data, table, phase.step) };
  const events: CampaignEvent[] = [];
  for (const order of orders) {
    const event = forecast(data, table, viewer, order);
    if (event) events.push(event);
  }
  const setups = orders.filter((order) => order.verb === 'SETUP');
  if (setups.length > 0 && table.battle.bought && phase.step.startsWith('setup')) {
    const placement = completeSetup(data, table, viewer, mergeSetup(setups));
    table.battle.setup[viewer] = placement;
    const total = forceOf(data, table.campaign, table.battle, viewer).length;
    const audience = [viewer];
    events.push({ type: 'forecast-setup', audience, placed: total - placement.auto.length, total });
  }
  return { events, scene: campaignScene(data, table, phase.step) };
}
