/** The corpus and the making of mails, for the tests of the mail folder. */
import fs from 'node:fs';
import type { CorpusRecord } from '../../src/mail/inbound.ts';
import type { Profile } from '../../src/mail/profile.ts';

const FIXTURES = new URL('./fixtures/', import.meta.url);

export const profile: Profile = {
  receivingHost: 'mx.pbem.example.org',
  ownDomain: 'pbem.example.org',
  ownMailboxes: ['orders', 'gm', 'reports', 'bounces'],
  loopHeader: 'X-PBEM-Loop: pbem.example.org',
  gameRefPattern: '[A-Z]{2,4}-[0-9]{4}',
  orderWords: ['GAME', 'TURN', 'MOVE', 'ATTACK', 'SUPPORT', 'BARRAGE', 'DIG', 'SUPPLY', 'NOTE', 'END'],
  freeTextWords: ['NOTE'],
};

/** The same club with its mail commands and activation scripts. */
export const clubProfile: Profile = {
  ...profile,
  orderWords: [...profile.orderWords, 'ON', 'FINAL'],
  commandPatterns: ['HELP( \\w+)?', 'STATUS', 'PRESS( TO)? [\\w, ]+', 'ACCEPT \\d+', 'FINAL', 'CHECK'],
  scriptWords: ['ON'],
};

export interface CorpusEntry {
  name: string;
  raw: Buffer;
  expected: CorpusRecord & { dupOf?: string; quotedForm?: boolean; notes: string };
}

/** The fixtures whose names begin with `prefix`, in name order. */
export function corpus(prefix = ''): CorpusEntry[] {
  return fs
    .readdirSync(FIXTURES)
    .filter((file) => file.endsWith('.eml') && file.startsWith(prefix))
    .sort()
    .map((file) => ({
      name: file.slice(0, -'.eml'.length),
      raw: fs.readFileSync(new URL(file, FIXTURES)),
      expected: JSON.parse(fs.readFileSync(new URL(file.replace(/\.eml$/, '.json'), FIXTURES), 'utf8')),
    }));
}

/** A raw mail from header lines and a body; lines are ended by CRLF. Headers given replace the usual ones. */
export function mail(headers: Record<string, string | string[]>, body: string | Buffer): Buffer {
  const usual: Record<string, string | string[]> = {
    'Authentication-Results': 'mx.pbem.example.org; dmarc=pass header.from=example.com',
    From: 'Anna Berg <anna@example.com>',
    To: 'orders@pbem.example.org',
    Subject: 'orders',
    Date: 'Tue, 03 Mar 2026 19:12:44 +0100',
    'Message-ID': '<test.1@example.com>',
    'MIME-Version': '1.0',
    'Content-Type': 'text/plain; charset=utf-8',
  };
  const head = Object.entries({ ...usual, ...headers }).flatMap(([name, value]) =>
    (typeof value === 'string' ? [value] : value).map((one) => `${name}: ${one}\r\n`),
  );
  const text = typeof body === 'string' ? Buffer.from(body.replace(/\r?\n/g, '\r\n')) : body;
  return Buffer.concat([Buffer.from(`${head.join('')}\r\n`, 'utf8'), text]);
}
