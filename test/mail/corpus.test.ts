import fs from 'node:fs';
import { describe, expect, test } from 'vitest';
import { copyFinder } from '../../src/mail/copies.ts';
import { corpusRecord, readInbound } from '../../src/mail/inbound.ts';
import { type CorpusEntry, corpus, profile } from './mails.ts';

/** The fields that an expectation fixes, as far as it gives them. */
function expected(entry: CorpusEntry): Record<string, unknown> {
  const { kind, from, gameRef, orderLines, reason, source, bounce, dupOf } = entry.expected;
  return { kind, from, gameRef, orderLines, reason, source, bounce, dupOf };
}

describe('the mail corpus', () => {
  test('holds the 47 mails it came with, byte for byte', () => {
    expect(corpus('s').length).toBe(47);
    expect(fs.readFileSync(new URL('./fixtures/s43-lf-only-bare-cr-nul.eml', import.meta.url)).includes(0)).toBe(true);
  });

  const isCopy = copyFinder();
  test.each(corpus().map((entry) => [entry.name, entry] as const))('%s', async (name, entry) => {
    const message = await readInbound(entry.raw, profile);
    const { commands, ...record } = corpusRecord(message);
    const dupOf = isCopy(name, message) ?? undefined;
    const blank = { reason: undefined, source: undefined, bounce: undefined };
    expect({ ...blank, ...record, dupOf }).toEqual(expected(entry));
    expect(commands).toEqual(entry.expected.commands);
    if (entry.expected.quotedForm !== undefined) expect(message.quotedForm).toBe(entry.expected.quotedForm);
  });
});
