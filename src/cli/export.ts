/** `fieldpost export`: a game as one archive that any club can replay. */
import type { Command } from 'commander';
import { gameByRef } from '../store/games.ts';
import { exportGame } from '../turn/archive/export.ts';
import { type Connect, withStore } from './connect.ts';
import { writeNew } from './namedfiles.ts';

/** Adds the verb to the command line. */
export function exportVerb(program: Command, connect: Connect): void {
  program
    .command('export')
    .description('write a game with everything that belongs to it into one archive')
    .argument('<game>', 'such as OVL-0017')
    .argument('[file]', 'where to (default: GAME.zip)')
    .option('--no-mails', 'leave out mails, letters between players and addresses')
    .action(async (ref: string, file: string | undefined, options: { mails: boolean }) => {
      await withStore(connect, async (service) => {
        const game = await gameByRef(service.db, ref);
        if (!game) throw new Error(`no game ${ref}`);
        const target = file ?? `${game.ref}.zip`;
        const bytes = await exportGame(service, game.ref, { noMails: !options.mails, by: 'operator', door: 'cli' });
        const running = game.status !== 'over' && game.status !== 'cancelled';
        writeNew(target, bytes, running);
        process.stdout.write(`${target}: ${game.ref}, ${bytes.length} bytes\n`);
        if (running)
          process.stderr.write(
            'this game is not over: the file holds hands, orders and dice keys, show it to no player\n',
          );
      });
    });
}
