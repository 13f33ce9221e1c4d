/** `fieldpost read-mail`: what the intake reads from raw mails. Changes nothing and needs no store. */
import fs from 'node:fs';
import path from 'node:path';
import type { Command } from 'commander';
import { readConfig } from '../config.ts';
import { copyFinder } from '../mail/copies.ts';
import { corpusRecord, readInbound } from '../mail/inbound.ts';
import type { Profile } from '../mail/profile.ts';
import { profileOf } from '../turn/intake/ourselves.ts';
import { readBytes, readJson } from './files.ts';
import { localScenarios } from './scenarios.ts';

const EXTENSION = '.eml';

/** The mails of a file or folder, in name order. In a folder with `.eml` files only these are mails. */
export function mailsIn(place: string): string[] {
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
const EXTRAS = ['commandPatterns', 'scriptWords'] as const;

/** Checks a profile read from a file; throws one clear line. */
export function checkProfile(value: unknown, file: string): Profile {
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

/** Adds the verb to the command line. */
export function readMailVerb(program: Command): void {
  program
    .command('read-mail')
    .description('show what the intake reads from raw mails, one JSON object a line')
    .argument('<place>', 'a raw mail, or a folder of them')
    .option('--profile <file>', "whose mail it is: host, domain, order words (default: this club's)")
    .action(async (place: string, options: { profile?: string }) => {
      const mails = mailsIn(place);
      const profile =
        options.profile === undefined
          ? profileOf(readConfig(process.env), localScenarios())
          : checkProfile(readJson(options.profile), options.profile);
      const firstOf = copyFinder();
      for (const file of mails) {
        const message = await readInbound(readBytes(file), profile);
        const name = path.basename(file);
        const dupOf = firstOf(name.replace(/\.eml$/i, ''), message);
        const record = { file: name, ...corpusRecord(message), ...(dupOf === null ? {} : { dupOf }) };
        process.stdout.write(`${JSON.stringify(record)}\n`);
      }
    });
}
