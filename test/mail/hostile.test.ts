/**
 * Goal: no mail costs more than a moment. Each case would take a careless reader minutes or its stack. The bound is
 * generous, so that a busy machine doesn't fail: what it catches is growth by the square.
 */
import { describe, expect, test } from 'vitest';
import { readInbound } from '../../src/mail/inbound.ts';
import { clubProfile, corpus, mail, profile } from './mails.ts';

/** Seconds that no mail may take, on any machine. */
const BOUND = 5;

const BLOCK = 'GAME OVL-0007\r\nTURN 3\r\nMOVE 1/1 F1411 -> F1512\r\nEND\r\n';
const html = (body: string): Buffer => mail({ 'Content-Type': 'text/html; charset=utf-8' }, Buffer.from(body));
const text = (body: string, type = 'text/plain; charset=utf-8'): Buffer =>
  mail({ 'Content-Type': type }, Buffer.from(body));
const nested = (depth: number, type = 'multipart/mixed'): Buffer => {
  const parts: string[] = [];
  for (let n = depth; n > 0; n--) parts.push(`--n${n}\r\nContent-Type: ${type}; boundary="n${n - 1}"\r\n\r\n`);
  return mail({ 'Content-Type': `${type}; boundary="n${depth}"` }, Buffer.from(parts.join('')));
};

type Case = [name: string, raw: () => Buffer, kind: string, reason?: string];
const cases: Case[] = [
  ['a mail of 3 MB', () => text('x'.repeat(3_000_000)), 'reject', 'too-large'],
  ['300 levels', () => nested(300), 'reject', 'bomb'],
  ['5,000 levels', () => nested(5000), 'reject', 'bomb'],
  [
    '5,000 whole mails inside each other',
    () => text('Content-Type: message/rfc822\r\n\r\n'.repeat(5000), 'message/rfc822'),
    'empty',
  ],
  [
    '200,000 parts',
    () => mail({ 'Content-Type': 'multipart/mixed; boundary=b' }, Buffer.from('--b\r\n\r\n\r\n'.repeat(200_000))),
    'reject',
    'bomb',
  ],
  [
    '300,000 delimiter lines within one level',
    () =>
      mail({ 'Content-Type': 'multipart/mixed; boundary=b' }, Buffer.from(`--b\r\n\r\n${'--c\r\n'.repeat(300_000)}`)),
    'empty',
  ],
  ['a header block of 100 kB', () => mail({ 'X-Big': 'y'.repeat(100_000) }, BLOCK), 'reject', 'bomb'],
  [
    'a header block of 60 kB in short lines',
    () => mail({ 'X-Many': Array.from({ length: 3000 }, (_, i) => `v${i}`) }, BLOCK),
    'orders',
  ],
  [
    'a part with a header of 100 kB',
    () =>
      mail(
        { 'Content-Type': 'multipart/mixed; boundary=b' },
        Buffer.from(`--b\r\nX: ${'y'.repeat(100_000)}\r\n\r\n${BLOCK}--b--\r\n`),
      ),
    'reject',
    'bomb',
  ],
  ['a From of 60 kB of brackets', () => mail({ From: '('.repeat(60_000) }, BLOCK), 'reject', 'bad-from'],
  ['a From of 60 kB of commas and quotes', () => mail({ From: ',"'.repeat(30_000) }, BLOCK), 'reject', 'bad-from'],
  [
    'a To of 5,000 addresses',
    () =>
      mail(
        {
          To: Array.from({ length: 5000 }, (_, i) => `a${i}@b`)
            .join(',')
            .slice(0, 60_000),
        },
        BLOCK,
      ),
    'orders',
  ],
  ['a subject of 60 kB of encoded words', () => mail({ Subject: '=?utf-8?Q?=C3=A4?= '.repeat(3000) }, BLOCK), 'orders'],
  ['a subject of half encoded words', () => mail({ Subject: '=?utf-8?Q?'.repeat(6000) }, BLOCK), 'orders'],
  ['a Content-Type of 60 kB of parameters', () => text(BLOCK, `text/plain${'; a=b'.repeat(12_000)}`), 'orders'],
  [
    'a Content-Type of continued parameters',
    () =>
      text(
        BLOCK,
        `text/plain; ${Array.from({ length: 4000 }, (_, i) => `name*${i}=x`)
          .join('; ')
          .slice(0, 60_000)}`,
      ),
    'orders',
  ],
  [
    'an Authentication-Results of 60 kB',
    () => mail({ 'Authentication-Results': `mx.pbem.example.org; ${'dmarc='.repeat(9000)}` }, BLOCK),
    'orders',
  ],
  ['References of 60 kB', () => mail({ References: '<a@b>'.repeat(12_000) }, BLOCK), 'orders'],
  ['50,000 nested divs', () => html('<div>'.repeat(50_000)), 'empty'],
  ['80,000 nested spans', () => html('<span>'.repeat(80_000)), 'empty'],
  ['15,000 nested tables', () => html('<table><tr><td>'.repeat(15_000)), 'empty'],
  ['250,000 open brackets', () => html('<'.repeat(250_000)), 'empty'],
  ['60,000 open comments', () => html('<!--'.repeat(60_000)), 'empty'],
  ['20,000 attributes', () => html(`<div ${'style="display:'.repeat(20_000)}>`), 'empty'],
  ['1 MB of HTML', () => html(`<p>${'GAME OVL-0007</p><p>'.repeat(50_000)}`), 'orders'],
  ['1 MB of one line', () => text('a'.repeat(1_000_000)), 'empty'],
  ['1 MB of line ends', () => text('\r\n'.repeat(500_000)), 'empty'],
  ['1 MB of blanks', () => text(' '.repeat(1_000_000)), 'empty'],
  ['1 MB of `>`', () => text('>'.repeat(1_000_000), 'text/plain; format=flowed'), 'empty'],
  ['one flowed paragraph of 250 kB', () => text('word \r\n'.repeat(36_000), 'text/plain; format=flowed'), 'empty'],
  [
    'one flowed order of 250 kB',
    () => text(`GAME OVL-0007\r\nMOVE \r\n${'F1411 -> \r\n'.repeat(25_000)}`, 'text/plain; format=flowed'),
    'orders',
  ],
  ['20,000 continued lines', () => text(`GAME OVL-0007\r\nMOVE 1/1 F1\r\n${'-> F2\r\n'.repeat(30_000)}`), 'orders'],
  ['100,000 lines of an order', () => text(`GAME OVL-0007\r\n${'DIG 1\r\n'.repeat(100_000)}`), 'orders'],
  ['30,000 lines that might open an attribution', () => text(`${'At 1\r\n'.repeat(20_000)}`), 'empty'],
  ['From lines without a Sent', () => text('From: a\r\n'.repeat(20_000)), 'empty'],
  ['20,000 PRESS without an end', () => text(`${'PRESS ALL\r\n'.repeat(20_000)}`), 'orders'],
  ['10,000 PRESS with an end', () => text('PRESS ALL\r\nx\r\nENDPRESS\r\n'.repeat(10_000)), 'orders'],
  ['dashes for every pattern of marks', () => text(`${'-'.repeat(3000)} \r\n`.repeat(80)), 'empty'],
  ['`- ` for every pattern of marks', () => text(`${'- '.repeat(1900)}x\r\n`.repeat(60)), 'empty'],
  ['arrows without end', () => text(`GAME OVL-0007\r\nMOVE ${'-=>'.repeat(60_000)}\r\nEND\r\n`), 'orders'],
  ['combining marks', () => text(`GAME OVL-0007\r\nNOTE a${'\u0301'.repeat(60_000)}\r\nEND\r\n`), 'orders'],
  ['the longest ligature of NFKC', () => text(`GAME OVL-0007\r\nNOTE ${'\ufdfa'.repeat(60_000)}\r\nEND\r\n`), 'orders'],
  [
    '1 MB of quoted-printable signs',
    () => mail({ 'Content-Transfer-Encoding': 'quoted-printable' }, Buffer.from('='.repeat(1_000_000))),
    'empty',
  ],
  [
    '1 MB of blanks in quoted-printable',
    () => mail({ 'Content-Transfer-Encoding': 'quoted-printable' }, Buffer.from(`${'= '.repeat(500_000)}`)),
    'empty',
  ],
  [
    '1 MB of base64 padding',
    () => mail({ 'Content-Transfer-Encoding': 'base64' }, Buffer.from('a='.repeat(500_000))),
    'empty',
  ],
  [
    'a bounce of 1 MB',
    () => mail({ 'Return-Path': '<>', From: 'mailer-daemon@example.com' }, Buffer.from('<a'.repeat(500_000))),
    'bounce',
  ],
  [
    '200 files',
    () =>
      mail(
        { 'Content-Type': 'multipart/mixed; boundary=b' },
        Buffer.from(`--b\r\nContent-Type: text/plain; name=o.txt\r\n\r\n${BLOCK.repeat(100)}`.repeat(195)),
      ),
    'orders',
  ],
];

describe('a hostile mail takes a moment and gets its verdict', () => {
  test.each(cases)('%s', async (_, make, kind, reason) => {
    const raw = make();
    const start = performance.now();
    const message = await readInbound(raw, clubProfile);
    const seconds = (performance.now() - start) / 1000;
    expect([message.kind, message.reason]).toEqual([kind, reason]);
    expect(seconds).toBeLessThan(BOUND);
    // How many lines a game takes is said where they are filed; here the text that is read has its limit.
    expect(message.orderLines.join('\n').length).toBeLessThanOrEqual(256 * 1024);
  });
});

test('a mail over a limit still says who sent it, for an answer', async () => {
  expect((await readInbound(text('x'.repeat(3_000_000)), profile)).from).toBe('anna@example.com');
  expect((await readInbound(nested(300), profile)).from).toBe('anna@example.com');
  expect((await readInbound(mail({ 'X-Big': 'y'.repeat(100_000) }, BLOCK), profile)).from).toBe('anna@example.com');
});

test('a part is read to its limit and no further; an order cut at the limit is left out', async () => {
  const filler = `NOTE ${'x'.repeat(995)}\r\n`.repeat(300);
  const message = await readInbound(text(`GAME OVL-0007\r\n${filler}END\r\n`), profile);
  expect(message.kind).toBe('orders');
  expect(message.orderLines.at(-1)!.length).toBe(1000);
  expect(message.orderLines.length).toBeLessThan(270);
});

test('nothing at all, and every corpus mail cut at every hundredth byte, is read without a fault', async () => {
  expect((await readInbound(Buffer.alloc(0), profile)).reason).toBe('no-from');
  for (const { raw } of corpus('s'))
    for (let end = 0; end < Math.min(raw.length, 4000); end += 100) await readInbound(raw.subarray(0, end), profile);
});
