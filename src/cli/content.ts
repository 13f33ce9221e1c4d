/** The scenarios a verb works with when it needs no store: ours, and a club's beside them in its data folder. */
import path from 'node:path';
import { openScenarios, type ScenarioStore, scenarioFolders } from '../scenarios.ts';

export function localScenarios(dataDir = path.resolve(process.env.DATA_DIR ?? './data')): ScenarioStore {
  return openScenarios(scenarioFolders(dataDir));
}
