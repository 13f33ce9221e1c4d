/** `fieldpost gm`: a game master's mail command from the command line, with the operator's rights. */
import type { Command } from 'commander';
import { Fault } from '../kernel/assert.ts';
import { inTransaction } from '../store/db.ts';
import { commandOf } from '../turn/commands/obey.ts';
import { type Connect, withStore } from './connect.ts';

/** Adds the verb to the command line. */
export function gmVerb(program: Command, connect: Connect): void {
  program
    .command('gm')
    .description('obey a mail command of the game master, such as: gm PAUSE OVL-0017 Christmas')
    .argument('<command...>', 'as in a mail; HELP lists them')
    .action(async (words: string[]) => {
      const said = await withStore(connect, (service) =>
        inTransaction(service.db, (trx) =>
          commandOf(service, trx, { person: null, door: 'cli', text: words.join(' ') }),
        ),
      );
      if (!said.ok) throw new Fault(said.paragraphs.join('\n'));
      process.stdout.write(`${said.paragraphs.join('\n\n')}\n`);
    });
}
