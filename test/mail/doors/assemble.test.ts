import fc from 'fast-check';
import { simpleParser } from 'mailparser';
import { expect, test } from 'vitest';
import { splitMail } from '../../../src/mail/bytes/mime.ts';
import { filePart, headerText, quotedPrintable, textPart } from '../../../src/mail/doors/assemble.ts';
import { composeMail, type OutMail } from '../../../src/mail/doors/smtp.ts';
import { profile } from '../mails.ts';

const bare: OutMail = {
  from: { address: 'orders@pbem.example.org' },
  to: { address: 'anna@example.com' },
  subject: 'Receipt',
  text: 'Hello',
  attachments: [],
  messageId: '<a1@pbem.example.org>',
  date: new Date(0),
  kind: 'receipt',
  loopHeader: profile.loopHeader,
  envelopeFrom: '',
};

/** Words as people use them, with everything that is special in a header. */
const words = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }),
      fc.constantFrom('"', '\\', '=?utf-8?Q?x?=', '<a@b.c>', ',', '(', 'Čáslav', '½', '日本語', 'x'.repeat(90)),
    ),
    { minLength: 1, maxLength: 12 },
  )
  .map((list) =>
    list
      .join(' ')
      .replace(/[\s\p{Cc}\p{Cs}\u2028\u2029]+/gu, ' ')
      .trim(),
  )
  .filter((text) => text !== '');

test('any subject, name and file name comes back the same from another reader, on lines of a decent length', async () => {
  await fc.assert(
    fc.asyncProperty(words, words, words, async (subject, name, file) => {
      const bytes = await composeMail({
        ...bare,
        subject,
        to: { name, address: 'anna@example.com' },
        attachments: [{ filename: file, contentType: 'text/plain', content: Buffer.from('x') }],
      });
      const head = bytes.toString('latin1').split('\r\n\r\n')[0]!;
      expect(head).toMatch(/^[\x20-\x7e\r\n]*$/);
      for (const line of head.split('\r\n')) expect(line.length).toBeLessThan(300);
      const read = await simpleParser(bytes);
      expect(read.subject).toBe([...subject].slice(0, 250).join(''));
      const [to] = [read.to].flat();
      expect(to!.value).toEqual([{ name: [...name].slice(0, 120).join('').trim(), address: 'anna@example.com' }]);
      const expected = [...file].slice(0, 120).join('').replace(/[/\\]/g, '_');
      expect(read.attachments[0]!.filename).toBe(expected);
    }),
    { numRuns: 150, seed: 6 },
  );
});

test('any text comes back the same, whatever its characters, blanks and line ends', async () => {
  const text = fc.string({
    unit: fc.constantFrom('a', ' ', '\t', '\r\n', '=', '.', 'é', '→', 'x'.repeat(60), '-- '),
    maxLength: 60,
  });
  await fc.assert(
    fc.asyncProperty(text, async (given) => {
      const part = textPart('text/plain; charset=utf-8', given);
      for (const line of part.body.split('\r\n')) expect(line.length).toBeLessThanOrEqual(900);
      expect(part.body).toMatch(/^[\x09\x20-\x7e\r\n]*$/);
      const raw = Buffer.from(`From: a@b.example\r\n${part.fields.join('\r\n')}\r\n\r\n${part.body}`, 'latin1');
      const { leaves } = await splitMail(raw);
      expect((leaves[0]?.bytes() ?? Buffer.alloc(0)).toString()).toBe(given);
    }),
    { numRuns: 200, seed: 6 },
  );
});

test('quoted-printable: short lines, no blank at a line’s end, soft breaks never inside a code', () => {
  const out = quotedPrintable(Buffer.from(`${'é'.repeat(100)} \r\n${'x'.repeat(200)}\t\r\nend `));
  for (const line of out.split('\r\n')) {
    expect(line.length).toBeLessThanOrEqual(76);
    expect(line).not.toMatch(/[ \t]$|=[0-9A-F]$/);
  }
});

test('a page goes as plain ASCII and means the same', async () => {
  const bytes = await composeMail({ ...bare, html: '<p title="½">Čáslav → 日本語 😀 &amp; &lt;b&gt;</p>' });
  expect(bytes.toString('latin1')).toContain('Content-Transfer-Encoding: 7bit');
  expect(bytes.toString('latin1')).toMatch(/^[\x20-\x7e\r\n]*$/);
  const read = await simpleParser(bytes);
  expect(String(read.html)).toContain('&#128512;');
  expect(String(read.html)).toContain('&#8594;');
});

test('a header word is encoded only where it must be', () => {
  expect(headerText('plain words, (even) <these>')).toBe('plain words, (even) <these>');
  expect(headerText('turn 3 · German: receipt 7')).toBe('turn 3 =?utf-8?Q?=C2=B7?= German: receipt 7');
  expect(headerText('a =?utf-8?Q?fake?= b')).toBe('a =?utf-8?Q?=3D=3Futf-8=3FQ=3Ffake=3F=3D?= b');
});

test('a file is base64 in short lines', () => {
  const { body } = filePart({ filename: 'map.pdf', contentType: 'application/pdf', content: Buffer.alloc(500, 7) });
  expect(Math.max(...body.split('\r\n').map((line) => line.length))).toBe(76);
  expect(Buffer.from(body, 'base64').equals(Buffer.alloc(500, 7))).toBe(true);
});
