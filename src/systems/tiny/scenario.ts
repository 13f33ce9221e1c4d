/** Content: checked for shape and sense before anything is played with it. */
import { unnamed } from '../../kernel/looks.ts';
import type { Scenario, ScenarioOption } from '../../kernel/types.ts';
import { SIDES } from './types.ts';

const LENGTHS = [6, 12, 1000];
const DAYS = 3;

/** What a scenario of this game holds. */
export interface TinyData {
  squares: number;
}

/** The scenarios among the file names of a folder, each with the files it uses. */
export function offered(fileNames: readonly string[]): { id: string; files: string[] }[] {
  return fileNames.flatMap((name) => {
    const id = /^scenario-(.+)\.json$/.exec(name)?.[1];
    return id === undefined ? [] : [{ id: `tiny/${id}`, files: [name] }];
  });
}

/** One scenario, or every fault of its files. The names of its sides stand in looks.json. */
export function readRace(id: string, files: Record<string, unknown>): { scenario: Scenario } | { faults: string[] } {
  const [data] = Object.values(files) as { squares?: unknown }[];
  if (!Number.isInteger(data?.squares)) return { faults: [`${id}: squares must be a whole number`] };
  const squares = data!.squares as number;
  const options: ScenarioOption[] = [
    { name: 'squares', help: { key: 'tiny.option squares' }, values: LENGTHS, fallback: squares },
  ];
  return { scenario: { id, title: 'A race', sides: unnamed(SIDES), options, daysPerPhase: DAYS, data: { squares } } };
}
