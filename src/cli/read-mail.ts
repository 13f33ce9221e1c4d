/** `fieldpost read-mail`: what the intake reads from raw mails. Changes nothing and needs no store. */
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import type { Command } from 'commander';
import { readConfig } from '../config.ts';
import type { GameState } from '../kernel/types.ts';
import { copyFinder } from '../mail/copies.ts';
import { corpusRecord, type InboundMessage, readInbound } from '../mail/inbound.ts';
import type { Profile } from '../mail/profile.ts';
import { openWording } from '../render/words.ts';
import type { OpenScenario } from '../scenarios.ts';
import { formSent } from '../turn/intake/forms.ts';
import { profileFor, profileOf } from '../turn/intake/ourselves.ts';
import { answerTo, type WouldBe } from '../turn/intake/wouldbe.ts';
import { type FirstPhaseInput, firstPhaseOf } from '../turn/phase/firstphase.ts';
import { localScenarios } from './content.ts';
import { parseJson, readBytes, readJson } from './namedfiles.ts';
import { readDice, readState } from './what-if.ts';

const EXTENSION = '.eml';

/** The mails of a file or folder, in name order. In a folder with `.eml` files only these are mails. */
function mailsIn(place: string): string[] {
  if (!fs.existsSync(place)) throw new Error(`there is no file or folder ${place}`);
  if (!fs.statSync(place).isDirectory()) return [place];
  const files = fs
    .readdirSync(place, { withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
    .map((entry) => entry.name)
    .sort();
  const named = files.filter((name) => name.toLowerCase().endsWith(EXTENSION));
  return (named.length > 0 ? named : files).map((name) => path.join(place, name));
}

const TEXTS = ['receivingHost', 'ownDomain', 'loopHeader', 'gameRefPattern'] as const;
const LISTS = ['ownMailboxes', 'orderWords', 'freeTextWords'] as const;
const EXTRAS = ['commandPatterns', 'scriptWords', 'grammarWords'] as const;

/** Checks a profile read from a file; throws one clear line. */
function checkProfile(value: unknown, file: string): Profile {
  const profile = (value ?? {}) as Record<string, unknown>;
  const isList = (list: unknown): boolean => Array.isArray(list) && list.every((item) => typeof item === 'string');
  for (const key of TEXTS) if (typeof profile[key] !== 'string') throw new Error(`${file}: "${key}" must be a text`);
  for (const key of LISTS) if (!isList(profile[key])) throw new Error(`${file}: "${key}" must be a list of texts`);
  for (const key of EXTRAS)
    if (profile[key] !== undefined && !isList(profile[key]))
      throw new Error(`${file}: "${key}" must be a list of texts`);
  for (const pattern of [profile.gameRefPattern as string, ...((profile.commandPatterns ?? []) as string[])]) {
    try {
      new RegExp(pattern);
    } catch {
      throw new Error(`${file}: "${pattern}" is no pattern`);
    }
  }
  return value as Profile;
}

interface Options {
  profile?: string;
  receipt?: boolean;
  scenario?: string;
  side?: string;
  state?: string;
  dice?: string;
  options?: string;
}

/** How `--receipt` reads and answers; undefined without it. */
function answerer(
  options: Options,
): { sent: (lines: readonly string[]) => boolean; answer: (message: InboundMessage) => WouldBe } | undefined {
  const only = (['scenario', 'side', 'state', 'dice', 'options'] as const).find((name) => options[name] !== undefined);
  if (!options.receipt) {
    if (only) throw new Error(`--${only} goes with --receipt`);
    return undefined;
  }
  if (options.scenario === undefined || options.side === undefined)
    throw new Error('--receipt needs --scenario and --side');
  if (options.state !== undefined && (options.dice !== undefined || options.options !== undefined))
    throw new Error('--state goes with neither --dice nor --options');
  const open = localScenarios().open(options.scenario);
  const wanted = options.side.toLowerCase();
  const side = open.scenario.sides.find(({ id, name, short }) =>
    [id.toLowerCase(), name.toLowerCase(), short.toLowerCase()].includes(wanted),
  );
  if (!side) {
    const sides = open.scenario.sides.map(({ id }) => id).join(', ');
    throw new Error(`no side "${options.side}" in ${open.scenario.id}; there are ${sides}`);
  }
  const seat = { open, side: side.id, state: stateFor(open, side.id, options) };
  const wording = openWording();
  return {
    sent: formSent(open.rules, seat.state, seat.side, wording),
    answer: (message) => answerTo(message, seat, wording),
  };
}

/** The state that `--state` holds, else that of the side's first own phase. */
function stateFor(open: OpenScenario, side: string, options: Options): GameState {
  if (options.state !== undefined) {
    const read = readState(readJson(options.state), options.state);
    if (read.scenario !== undefined && read.scenario !== open.scenario.id)
      throw new Error(`${options.state} is a state of ${read.scenario}, not of ${open.scenario.id}`);
    return read.state;
  }
  const input: FirstPhaseInput = { open, side, seed: randomBytes(32) };
  if (options.dice !== undefined) input.dice = readDice(options.dice);
  if (options.options !== undefined) {
    const chosen = parseJson(options.options, '--options');
    if (typeof chosen !== 'object' || chosen === null || Array.isArray(chosen))
      throw new Error('--options must be a JSON object');
    input.options = chosen as Record<string, unknown>;
  }
  const { state, diceLeft } = firstPhaseOf(input);
  if (diceLeft > 0) process.stderr.write(`${diceLeft} of the dice were not rolled before the phase of ${side}\n`);
  return state;
}

/** Whose mail it is: the club's, with the words of the one game where its scenario is named. */
function profileFrom(options: Options): Profile {
  if (options.profile !== undefined) return checkProfile(readJson(options.profile), options.profile);
  const scenarios = localScenarios();
  const profile = profileOf(readConfig(process.env), scenarios);
  if (options.scenario === undefined) return profile;
  return profileFor({ profile, scenarios }, scenarios.open(options.scenario).system.id);
}

/** Adds the verb to the command line. */
export function readMailVerb(program: Command): void {
  program
    .command('read-mail')
    .description('show what the intake reads from raw mails, one JSON object a line; with --receipt also the answer')
    .argument('<place>', 'a raw mail, or a folder of them')
    .option('--profile <file>', "whose mail it is: host, domain, order words (default: this club's)")
    .option('--receipt', 'also what the service would answer: filed, standing, final, errors, notRead, commands')
    .option('--scenario <id>', 'with --receipt: the scenario, such as overlord/campaign')
    .option(
      '--side <side>',
      'with --receipt: the side whose seat the mail is for; its first own phase unless --state is given',
    )
    .option('--state <file>', 'with --receipt: a state that what-if printed')
    .option('--dice <list>', 'with --receipt: the dice of the phases before it, in order, such as 3,5,1')
    .option('--options <json>', 'with --receipt: options of the scenario')
    .action(async (place: string, options: Options) => {
      const mails = mailsIn(place);
      const desk = answerer(options);
      const profile = profileFrom(options);
      const firstOf = copyFinder();
      for (const file of mails) {
        const message = await readInbound(readBytes(file), profile, desk ? { sent: desk.sent } : {});
        const name = path.basename(file);
        const dupOf = firstOf(name.replace(/\.eml$/i, ''), message);
        const copy = dupOf === null ? {} : { dupOf };
        const record = { file: name, ...corpusRecord(message), ...copy, ...desk?.answer(message) };
        process.stdout.write(`${JSON.stringify(record)}\n`);
      }
    });
}
