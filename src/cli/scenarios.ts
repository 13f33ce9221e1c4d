/** The scenarios a verb works with when it needs no store: ours, and a club's beside them in its data folder. */
import path from 'node:path';
import { openScenarios, SCENARIOS, type ScenarioStore } from '../scenarios.ts';

/** Folders in the order in which they are laid over one another. */
export function scenarioFolders(dataDir: string): string[] {
  return [SCENARIOS, path.join(dataDir, 'scenarios')];
}

export function localScenarios(dataDir = path.resolve(process.env.DATA_DIR ?? './data')): ScenarioStore {
  return openScenarios(scenarioFolders(dataDir));
}
