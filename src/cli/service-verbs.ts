/** Verbs around the running service: `worker`, `migrate`, `new-game`. */
import type { Command } from 'commander';
import { readConfig } from '../config.ts';
import { Fault } from '../kernel/assert.ts';
import { isPlainAddress } from '../mail/sender/address.ts';
import { inTransaction } from '../store/db.ts';
import { personFor } from '../store/people.ts';
import { createGameIn, type NewGame } from '../turn/phase/newgame.ts';
import { readRule, usualRule } from '../turn/time/instants.ts';
import { type Connect, withStore } from './connect.ts';
import { untilStopped } from './serve.ts';

/** `worker`: more hands on a shared database. */
export function workerVerb(program: Command): void {
  program
    .command('worker')
    .description('work beside a service on the same DATABASE_URL: read mails, run phases, send')
    .action(async () => {
      const { startWorkerOnly } = await import('../main.ts');
      const stopped = untilStopped();
      const worker = await startWorkerOnly(readConfig(process.env));
      process.stdout.write('A worker is up.\n');
      await stopped;
      await worker.close();
    });
}

/** `migrate`: brings the database to the newest schema (every start does, too). */
export function migrateVerb(program: Command, connect: Connect): void {
  program
    .command('migrate')
    .description('bring the database to the newest schema')
    .action(() =>
      withStore(connect, async () => {
        process.stdout.write('The database is up to date.\n');
      }),
    );
}

interface NewGameFlags {
  seat: string[];
  option: string[];
  master?: string;
  title?: string;
  deadline?: string;
}

/** `new-game SCENARIO --seat SIDE=ADDRESS …`: makes a game, and starts it when every side has a player. */
export function newGameVerb(program: Command, connect: Connect): void {
  const several = (value: string, before: string[]): string[] => [...before, value];
  program
    .command('new-game <scenario>')
    .description('make a game, and start it when every side has a player')
    .option('--seat <side=address>', 'who plays a side; "Name <address>" gives a name too', several, [])
    .option('--option <name=value>', 'an option of the scenario', several, [])
    .option('--master <address>', 'the game master')
    .option('--title <title>', 'a title of your own')
    .option('--deadline <rule>', 'such as "3 DAYS AT 20:00", "TUE,FRI AT 21:00", or NONE')
    .action((scenario: string, flags: NewGameFlags) =>
      withStore(connect, async (service) => {
        const zone = service.config.club.zone;
        const given: NewGame = {
          scenarioId: scenario,
          seats: flags.seat.map(readSeat),
          options: Object.fromEntries(flags.option.map(readOption)),
          ...(flags.title === undefined ? {} : { title: flags.title }),
          by: 'operator',
          door: 'cli',
        };
        if (flags.deadline !== undefined) {
          const days = service.scenarios.open(scenario).scenario.daysPerPhase;
          const rule = /^none$/i.test(flags.deadline) ? null : readRule(flags.deadline, usualRule(days, zone));
          if (rule === undefined) throw new Fault(`--deadline: "${flags.deadline}" is no deadline rule`);
          given.deadlineRule = rule;
        }
        const game = await inTransaction(service.db, async (trx) => {
          if (flags.master !== undefined) {
            const master = readPerson(flags.master, '--master');
            given.masterId = (await personFor(trx, { ...master, zone }, service.now())).id;
          }
          return createGameIn(service, trx, given);
        });
        process.stdout.write(`${game.ref} ${game.status}\n`);
      }),
    );
}

function readSeat(text: string): NewGame['seats'][number] {
  const at = text.indexOf('=');
  if (at < 1) throw new Fault(`--seat: "${text}" is not SIDE=ADDRESS`);
  return { side: text.slice(0, at).trim(), ...readPerson(text.slice(at + 1), '--seat') };
}

function readPerson(text: string, flag: string): { address: string; name: string } {
  const match = /^\s*(?:"?([^"<>]*?)"?\s*<([^<>]+)>|(\S+))\s*$/.exec(text);
  const address = match?.[2] ?? match?.[3] ?? '';
  if (!isPlainAddress(address)) throw new Fault(`${flag}: "${text}" holds no mail address`);
  return { address: address.toLowerCase(), name: match?.[1] || address.split('@')[0]! };
}

function readOption(text: string): [string, string] {
  const at = text.indexOf('=');
  if (at < 1) throw new Fault(`--option: "${text}" is not NAME=VALUE`);
  return [text.slice(0, at).trim(), text.slice(at + 1).trim()];
}
