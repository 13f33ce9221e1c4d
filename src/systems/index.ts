/** All games of the service: one line each. The folder tiny/ is no game of it: new games begin as its copy. */
import type { GameSystem } from '../kernel/types.ts';
import { combatcommander } from './combatcommander/system.ts';
import { normandie } from './normandie/system.ts';
import { overlord } from './overlord/system.ts';

export const systems: readonly GameSystem[] = [overlord, normandie, combatcommander];

/** The system of that id (`overlord`) or game letters (`OVL`), if there is one. */
export function findSystem(idOrPrefix: string): GameSystem | undefined {
  return systems.find((system) => system.id === idOrPrefix || system.prefix === idOrPrefix.toUpperCase());
}
