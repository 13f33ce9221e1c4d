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
    expect(corpus('m').length).toBe(20);
    expect(fs.readFileSync(new URL('./fixtures/s43-lf-only-bare-cr-nul.eml', import.meta.url)).includes(0)).toBe(true);
  });

  test.each(corpus().map((entry) => [entry.name, entry] as const))('%s', async (_, entry) => {
    const message = await readInbound(entry.raw, profile);
    const { commands, ...record } = corpusRecord(message);
    const { dupOf: _copy, ...wanted } = expected(entry);
    // Where a mail's text may be read from is fixed only where its expectation says so.
    const source = wanted.source === undefined ? undefined : record.source;
    expect({ reason: undefined, bounce: undefined, ...record, source }).toEqual(wanted);
    expect(commands).toEqual(entry.expected.commands);
    if (entry.expected.quotedForm !== undefined) expect(message.quotedForm).toBe(entry.expected.quotedForm);
  });

  test('read in order, copies are named and nothing else is', async () => {
    const isCopy = copyFinder();
    const found: [string, string | undefined][] = [];
    for (const { name, raw } of corpus())
      found.push([name, isCopy(name, await readInbound(raw, profile)) ?? undefined]);
    expect(found).toEqual(corpus().map((entry) => [entry.name, entry.expected.dupOf]));
    expect(found.filter(([, dupOf]) => dupOf !== undefined).length).toBe(2);
  });
});
