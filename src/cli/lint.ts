/** `fieldpost lint`: shape and sense of every scenario file. */
import fs from 'node:fs';
import type { Command } from 'commander';
import { openScenarios, SCENARIOS } from '../scenarios.ts';
import { localScenarios } from './content.ts';
import { printJson } from './namedfiles.ts';

/** Adds the verb to the command line. */
export function lintVerb(program: Command): void {
  program
    .command('lint')
    .description('check every scenario file: shape, sense, ids, counts')
    .argument('[folder]', "a folder of scenarios laid over ours (default: the club's in the data folder)")
    .option('--json', 'as JSON, for programs')
    .action((folder: string | undefined, options: { json?: boolean }) => {
      if (folder !== undefined && !fs.existsSync(folder)) throw new Error(`there is no folder ${folder}`);
      const store = folder === undefined ? localScenarios() : openScenarios([SCENARIOS, folder]);
      const faults = store.lint();
      if (options.json) printJson(faults);
      else {
        for (const { file, fault } of faults) process.stdout.write(`${file}: ${fault}\n`);
        if (faults.length === 0) process.stdout.write(`${store.list().length} scenarios, no fault\n`);
      }
      if (faults.length > 0) process.exitCode = 1;
    });
}
