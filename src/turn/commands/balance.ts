/** How a scenario is balanced, as players read it by mail and on its page. */
import type { Wording } from '../../render/words.ts';
import type { ScenarioStore } from '../../scenarios.ts';

/** The figures with names in words. */
export interface BalanceShown {
  games: number;
  /** The content has been changed since it was measured. */
  old: boolean;
  command: string;
  sides: string[];
  rows: { players: string[]; wins: number[]; games: number }[];
  shares: { side: string; wins: number; percent: number; low: number; high: number }[];
}

/** What a new game may be made of: a scenario that another has replaced is kept for the games that run. */
export function offeredScenarios(scenarios: ScenarioStore): ReturnType<ScenarioStore['list']> {
  return scenarios.list().filter(({ replacedBy }) => replacedBy === undefined);
}

/** What was measured of a scenario; undefined where nothing was. */
export function shownBalance(scenarios: ScenarioStore, wording: Wording, id: string): BalanceShown | undefined {
  const balance = scenarios.balance(id);
  if (!balance) return undefined;
  const { scenario, hash } = scenarios.open(id);
  const { sides } = scenario;
  const name = (player: string): string => wording.say({ key: `club.planner ${player}` });
  return {
    games: balance.games,
    old: balance.content !== hash,
    command: balance.command,
    sides: sides.map((side) => side.name),
    rows: balance.rows.map(({ players, wins, games }) => ({
      players: sides.map(({ id: side }) => name(players[side] ?? '')),
      wins: sides.map(({ id: side }) => wins[side] ?? 0),
      games,
    })),
    shares: sides.flatMap(({ id: side, name: called }) => {
      const share = balance.shares[side];
      return share ? [{ side: called, ...share }] : [];
    }),
  };
}

/** A paragraph for HELP: one line a side for every scenario of a system that was measured; empty when none was. */
export function balanceParagraph(scenarios: ScenarioStore, wording: Wording, systemId: string): string[] {
  const lines = offeredScenarios(scenarios).flatMap(({ id, system }) => {
    const balance = system.id === systemId ? shownBalance(scenarios, wording, id) : undefined;
    if (!balance) return [];
    const { games } = balance;
    const key = balance.old ? 'club.help balance old' : 'club.help balance of';
    const shares = balance.shares.map((share) => wording.say({ key: 'club.help balance side', params: { ...share } }));
    return [wording.say({ key, params: { id, games, shares } })];
  });
  return lines.length === 0 ? [] : [[wording.say({ key: 'club.help balance' }), ...lines].join('\n')];
}
