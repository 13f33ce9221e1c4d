/** `fieldpost rewind`: a game goes back to the beginning of an earlier phase, and its players are told why. */
import type { Command } from 'commander';
import { Fault } from '../kernel/assert.ts';
import { inTransaction } from '../store/db.ts';
import { gameByRef } from '../store/games.ts';
import { linePhases, rewindGame } from '../turn/phase/course.ts';
import { type Connect, withStore } from './connect.ts';

/** Adds the verb to the command line. */
export function rewindVerb(program: Command, connect: Connect): void {
  program
    .command('rewind')
    .description('set a game back to the beginning of a phase and tell its players')
    .argument('<game>', 'such as OVL-0017')
    .argument('<phase>', 'number of the phase', Number)
    .requiredOption('--why <reason>', 'what the players are told')
    .option('--keep', 'file the orders of that phase again')
    .action(async (ref: string, n: number, flags: { why: string; keep?: boolean }) => {
      const done = await withStore(connect, (service) =>
        inTransaction(service.db, async (trx) => {
          const game = await gameByRef(trx, ref);
          if (!game) throw new Fault(`no game ${ref}`);
          const deed = { service, trx, now: service.now(), who: 'operator', door: 'cli', why: flags.why };
          const result = await rewindGame(deed, game, n, { keep: flags.keep === true });
          if (!('fault' in result)) return result.phase;
          const numbers = (await linePhases(trx, game)).map((phase) => phase.n).join(', ');
          throw new Fault(
            numbers === '' ? `${game.ref} has not started` : `${game.ref} has the phases ${numbers}, not ${n}`,
          );
        }),
      );
      process.stdout.write(`${ref}: turn ${done.turn}, ${done.step} begins again as phase ${done.n}\n`);
    });
}
