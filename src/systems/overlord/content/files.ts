/** The files of a scenario: which belong to it, and reading them, shape first and then sense. */
import { unnamed } from '../../../kernel/looks.ts';
import type { Scenario, ScenarioOption } from '../../../kernel/types.ts';
import { lintCampaign } from './lint.ts';
import {
  countersFile,
  houseFile,
  mapFile,
  type OverlordData,
  type Shape,
  scenarioFile,
  setupFile,
  tablesFile,
} from './scenario.ts';

/** Files every scenario may use; a file whose name ends in `-<scenario>.json` belongs to that scenario alone. */
const COMMON_FILES = ['map-normandy.json', 'counters.json', 'tables.json', 'setup.json', 'house.json'];

/** The scenarios among the file names of a folder, each with the files it may use. */
export function scenarioFiles(fileNames: readonly string[]): { id: string; files: string[] }[] {
  const own = fileNames.filter((name) => /^scenario-[a-z0-9]+\.json$/.test(name));
  return own.map((name) => {
    const short = name.slice('scenario-'.length, -'.json'.length);
    const files = fileNames.filter((other) => COMMON_FILES.includes(other) || other.endsWith(`-${short}.json`));
    return { id: `overlord/${short}`, files };
  });
}

/** Shape, then sense, of one scenario's files: the scenario, or every fault found. */
export function readScenario(
  id: string,
  files: Record<string, unknown>,
): { scenario: Scenario } | { faults: string[] } {
  const faults: string[] = [];
  const shaped = <T>(name: string, schema: Shape<T>): T | undefined => {
    if (!Object.hasOwn(files, name)) {
      faults.push(`there is no file ${name} for ${id} (its name must be one of ours or end in the scenario's name)`);
      return undefined;
    }
    const parsed = schema.safeParse(files[name]);
    if (parsed.success) return parsed.data;
    for (const issue of parsed.error.issues)
      faults.push(`${name}: ${issue.path.join('.') || 'file'}: ${issue.message}`);
    return undefined;
  };
  const main = shaped(`scenario-${id.replace(/^overlord\//, '')}.json`, scenarioFile);
  if (!main) return { faults };
  const map = shaped(main.map, mapFile);
  const counters = shaped(main.counters, countersFile);
  const tables = shaped(main.tables, tablesFile);
  const setup = shaped(main.setup, setupFile);
  const house = shaped(main.house, houseFile);
  if (!map || !counters || !tables || !setup || !house) return { faults };
  const data: OverlordData = { map, counters, tables, setup, house, options: main.options };
  faults.push(...lintCampaign(data));
  if (faults.length > 0) return { faults };
  const scenario: Scenario = {
    id,
    title: main.title,
    sides: unnamed(['german', 'allied']),
    options: optionsOf(main.options),
    daysPerPhase: main.daysPerPhase,
    turns: tables.turns.length,
    data,
  };
  return { scenario };
}

function optionsOf(defaults: OverlordData['options']): ScenarioOption[] {
  const onOff = (name: keyof OverlordData['options']): ScenarioOption => ({
    name,
    help: { key: `overlord.option ${name}` },
    values: [true, false],
    fallback: defaults[name],
  });
  return [
    onOff('tac'),
    onOff('interdiction'),
    onOff('naval'),
    onOff('weather'),
    {
      name: 'tacPerTurn',
      help: { key: 'overlord.option tacPerTurn' },
      values: [0, 4, 8, 12, 16, 20, 24, 28, 32],
      fallback: defaults.tacPerTurn,
    },
    {
      name: 'mode',
      help: { key: 'overlord.option mode' },
      values: ['whole', 'split'],
      fallback: defaults.mode,
    },
  ];
}
