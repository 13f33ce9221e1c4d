/** `fieldpost import`: an exported game into this club's store. */
import type { Command } from 'commander';
import { gameById } from '../store/games.ts';
import { readBundle, recordedGame } from '../turn/archive/export.ts';
import { importGame } from '../turn/archive/takein.ts';
import { verifyGame } from '../turn/phase/replay.ts';
import { type Connect, withStore } from './connect.ts';
import { progress, readBytes } from './namedfiles.ts';

/** Adds the verb to the command line. */
export function importVerb(program: Command, connect: Connect): void {
  program
    .command('import')
    .description('take an exported game into this club; one that is not over is paused')
    .argument('<file>', 'the archive')
    .option('--force', 'take it even when the replay finds faults')
    .option('--as <number>', 'its number here, such as OVL-0042, when the one it has is taken')
    .action(async (file: string, options: { force?: boolean; as?: string }) => {
      const bundle = await readBundle(readBytes(file));
      const { faults } = verifyGame(recordedGame(bundle.record), bundle.open, progress('phase'));
      if (faults.length > 0 && !options.force)
        throw new Error(
          `the replay of this game finds ${faults.length} faults, the first: ${faults[0]!.what} (see verify)`,
        );
      await withStore(connect, async (service) => {
        const game = await gameById(
          service.db,
          await importGame(service, bundle, { by: 'operator', door: 'cli', ...options }),
        );
        process.stdout.write(`${game.ref}: taken in, ${game.status}\n`);
      });
    });
}
