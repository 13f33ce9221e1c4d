/** The operator's verbs: `fieldpost VERB`. Each verb is a file in cli/; here they are only registered. */
import { Command } from 'commander';
import { backupVerb, restoreVerb } from './cli/backup.ts';
import type { Connect } from './cli/connect.ts';
import { exportVerb } from './cli/export.ts';
import { gmVerb } from './cli/gm.ts';
import { importVerb } from './cli/import.ts';
import { ledgerVerb } from './cli/ledger.ts';
import { lintVerb } from './cli/lint.ts';
import { newSystemVerb } from './cli/new-system.ts';
import { readMailVerb } from './cli/read-mail.ts';
import { renderVerb } from './cli/render.ts';
import { rewindVerb } from './cli/rewind.ts';
import { serveVerb } from './cli/serve.ts';
import { migrateVerb, newGameVerb, workerVerb } from './cli/service-verbs.ts';
import { verifyVerb } from './cli/verify.ts';
import { whatIfVerb } from './cli/what-if.ts';
import { readConfig } from './config.ts';

/** The service with all its parts is loaded only by verbs that need it: the others answer sooner. */
const connect: Connect = async () => (await import('./main.ts')).openService(readConfig(process.env));

const program = new Command('fieldpost')
  .description('Play-by-email turn processing for board wargames')
  .showHelpAfterError('(--help shows how)')
  .configureOutput({ outputError: (text, write) => write(text.replace(/^error: /, 'fieldpost: ')) });

serveVerb(program);
workerVerb(program);
migrateVerb(program, connect);
newGameVerb(program, connect);
rewindVerb(program, connect);
gmVerb(program, connect);
backupVerb(program, connect);
restoreVerb(program);
verifyVerb(program, connect);
exportVerb(program, connect);
importVerb(program, connect);
whatIfVerb(program, connect);
renderVerb(program, connect);
readMailVerb(program);
lintVerb(program);
newSystemVerb(program);
ledgerVerb(program);

try {
  const [verb] = process.argv.slice(2);
  const verbs = program.commands.map((command) => command.name());
  if (verb !== undefined && /^\w/.test(verb) && ![...verbs, 'help'].includes(verb))
    throw new Error(`there is no verb ${verb}; there are ${verbs.join(', ')}`);
  await program.parseAsync(process.argv);
} catch (problem) {
  process.stderr.write(`${(problem instanceof Error ? problem.message : String(problem)).trim()}\n`);
  process.exitCode = 1;
}
