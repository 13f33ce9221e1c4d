/** `fieldpost verify`: replays a game of the store, or an exported one without any store, and checks every hash and die. */
import fs from 'node:fs';
import type { Command } from 'commander';
import { gameByRef } from '../store/games.ts';
import { readBundle, recordedGame, recordOf } from '../turn/archive/export.ts';
import { type Verification, verifyGame } from '../turn/phase/replay.ts';
import { type Connect, withStore } from './connect.ts';
import { printJson, progress, readBytes } from './namedfiles.ts';

function show(result: Verification): void {
  const { ref, phases, keys, dice, shuffles, faults, notes } = result;
  const counted = [`${phases} phases replayed`, `${keys} keys`, `${dice} dice`, `${shuffles} shuffles checked`];
  process.stdout.write(`${ref}: ${counted.join(', ')}\n`);
  for (const note of notes) process.stdout.write(`note: ${note}\n`);
  for (const { n, line, what } of faults) {
    const where = n === null ? 'the game' : `phase ${n}${line === 1 ? '' : ` of line ${line}`}`;
    process.stdout.write(`fault in ${where}: ${what}\n`);
  }
  process.stdout.write(faults.length === 0 ? 'everything agrees\n' : `${faults.length} faults\n`);
}

/** Adds the verb to the command line. */
export function verifyVerb(program: Command, connect: Connect): void {
  program
    .command('verify')
    .description('replay a whole game and compare every state, event, key and die with what is on record')
    .argument('<game|file>', 'a game such as OVL-0017, or the file of an exported game')
    .option('--json', 'as JSON, for programs')
    .action(async (what: string, options: { json?: boolean }) => {
      const watch = progress('phase');
      let result: Verification;
      if (fs.existsSync(what)) {
        const { record, open } = await readBundle(readBytes(what));
        result = verifyGame(recordedGame(record), open, watch);
      } else
        result = await withStore(connect, async (service) => {
          const game = await gameByRef(service.db, what);
          if (!game) throw new Error(`there is no file and no game ${what}`);
          const record = await recordOf(service, service.db, game.id);
          return verifyGame(recordedGame(record), service.scenarios.open(game.scenario), watch);
        });
      if (options.json) printJson(result);
      else show(result);
      if (result.faults.length > 0) process.exitCode = 1;
    });
}
