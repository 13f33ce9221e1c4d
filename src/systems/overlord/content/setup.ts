/** The table before the first phase (The Initial Set-Up, At Start). */
import type { GameState } from '../../../kernel/types.ts';
import type { Options, Overlord, OverlordTable } from '../types.ts';
import type { Campaign } from './campaign.ts';

/** The options of a game: the scenario's, changed as chosen. Interdiction lives on TAC factors and falls with them. */
function readOptions(campaign: Campaign, chosen: Record<string, unknown>): Options {
  const defaults = campaign.options;
  const flag = (name: 'tac' | 'interdiction' | 'naval' | 'weather'): boolean =>
    typeof chosen[name] === 'boolean' ? (chosen[name] as boolean) : defaults[name];
  const tac = flag('tac');
  return {
    tac,
    interdiction: tac && flag('interdiction'),
    naval: flag('naval'),
    weather: flag('weather'),
    tacPerTurn: typeof chosen.tacPerTurn === 'number' ? chosen.tacPerTurn : defaults.tacPerTurn,
    mode: chosen.mode === 'split' || chosen.mode === 'whole' ? chosen.mode : defaults.mode,
  };
}

/** At-start units on their hexes, everybody else to come (OVL-SET-02 to 04, OVL-AOB-00, OVL-GOB-00, 01; OVR-35). */
export function setUp(campaign: Campaign, chosen: Record<string, unknown>): GameState<Overlord> {
  const { board, data } = campaign;
  const units: Record<string, string> = {};
  for (const unit of campaign.units) units[unit.id] = data.setup.start[unit.formation] ?? 'due';
  const table: OverlordTable = {
    options: readOptions(campaign, chosen),
    units,
    held: [...data.setup.held],
    weather: 'clear',
    interdiction: {},
    beaches: {},
    control: {},
    exits: [],
    owed: [],
    over: null,
  };
  for (const cell of [...board.beaches.keys()].sort((a, b) => a - b)) {
    table.beaches[board.grid.ids[cell]!] = { destroyed: false, usableFrom: null };
    table.control[board.grid.ids[cell]!] = 'allied';
  }
  for (const cell of board.ports.keys()) table.control[board.grid.ids[cell]!] = 'german';
  return { phase: { n: 1, turn: 1, step: 'set-up' }, table, hands: { german: {}, allied: {} }, cup: {} };
}
