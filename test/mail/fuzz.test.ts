/**
 * Goal: no mail, however broken, crashes or hangs the reader. Method: seeded mutations of the corpus. CI runs a few
 * hundred; FIELDPOST_MAIL_FUZZ=20000 runs the full count and prints its figures.
 */
import { expect, test } from 'vitest';
import { corpusRecord, readInbound } from '../../src/mail/inbound.ts';
import { clubProfile, corpus } from './mails.ts';

const COUNT = Number(process.env.FIELDPOST_MAIL_FUZZ ?? 500);
const SEED = Number(process.env.FIELDPOST_SEED ?? 1944);

/** A small generator with a seed: whole numbers below `n`. */
function random(seed: number): (n: number) => number {
  let state = seed >>> 0;
  return (n) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * n);
  };
}

const PIECES = [
  '\r\n\r\n',
  '\r\n',
  '\n',
  '\r',
  '\0',
  '=',
  '=?utf-8?Q?',
  '?=',
  '--',
  '-- \r\n',
  '>',
  '"',
  '<',
  '(',
  ')',
  ',',
  ';',
  ':',
  '\\',
  'Content-Type: multipart/mixed; boundary=x\r\n',
  'Content-Transfer-Encoding: base64\r\n',
  'Content-Type: text/html\r\n',
  'Content-Type: text/plain; format=flowed; delsp=yes\r\n',
  'charset=utf-16',
  'charset=gb18030',
  'charset=utf-7',
  'END\r\n',
  'GAME OVL-0007\r\n',
  'PRESS ALL\r\n',
  'ENDPRESS\r\n',
  '<div>',
  '</p>',
  '<!--',
  '&#0;',
  '&#xD800;',
  '\xef\xbb\xbf',
  '\xff\xfe',
  'From: a@b\r\n',
  '-----BEGIN PGP SIGNED MESSAGE-----\r\n',
  ' '.repeat(500),
  'a'.repeat(2000),
  '>'.repeat(300),
  '('.repeat(300),
];

function mutate(raw: Buffer, other: Buffer, next: (n: number) => number): Buffer {
  let bytes = Buffer.from(raw);
  for (let times = 1 + next(6); times > 0; times--) {
    const at = next(bytes.length + 1);
    const to = Math.min(bytes.length, at + next(1 + next(200)));
    switch (next(7)) {
      case 0:
        bytes = Buffer.concat([bytes.subarray(0, at), bytes.subarray(to)]);
        break;
      case 1:
        bytes = Buffer.concat([
          bytes.subarray(0, at),
          Buffer.from(PIECES[next(PIECES.length)]!, 'latin1'),
          bytes.subarray(at),
        ]);
        break;
      case 2:
        for (let i = at; i < to; i++) bytes[i] = next(256);
        break;
      case 3:
        if (bytes.length > 0) bytes[next(bytes.length)]! ^= 1 << next(8);
        break;
      case 4:
        bytes = Buffer.concat([bytes.subarray(0, to), bytes.subarray(at)]);
        break;
      case 5: {
        const from = next(other.length + 1);
        bytes = Buffer.concat([bytes.subarray(0, at), other.subarray(from, from + next(600)), bytes.subarray(to)]);
        break;
      }
      default:
        bytes = bytes.subarray(0, at);
    }
    if (bytes.length > 300_000) bytes = bytes.subarray(0, 300_000);
  }
  return bytes;
}

test(`${COUNT} mutated mails are read without a crash, and what is read is clean`, { timeout: 900_000 }, async () => {
  const next = random(SEED);
  const entries = corpus();
  const kinds: Record<string, number> = {};
  let slowest = 0;
  let slow = '';
  const began = performance.now();
  for (let n = 0; n < COUNT; n++) {
    const entry = entries[next(entries.length)]!;
    const raw = mutate(entry.raw, entries[next(entries.length)]!.raw, next);
    const start = performance.now();
    const message = await readInbound(raw, clubProfile);
    const took = performance.now() - start;
    if (took > slowest) [slowest, slow] = [took, `${entry.name} (mutation ${n})`];
    kinds[message.kind] = (kinds[message.kind] ?? 0) + 1;
    const said = [
      message.subject,
      message.fromName ?? '',
      message.messageId ?? '',
      ...message.orderLines,
      ...message.recipients,
    ];
    for (const text of said) expect(text).not.toMatch(/[\x00-\x1f\x7f-\x9f\ufffd\ufeff\u202a-\u202e\u2066-\u2069]/);
    if (message.kind !== 'orders') expect(message.orderLines).toEqual([]);
    expect(JSON.parse(JSON.stringify(corpusRecord(message)))).toEqual(corpusRecord(message));
  }
  const seconds = (performance.now() - began) / 1000;
  if (COUNT > 1000)
    console.info(
      `${COUNT} mutated mails in ${seconds.toFixed(1)} s (${Math.round(COUNT / seconds)}/s), slowest ${slowest.toFixed(0)} ms: ${slow}; kinds ${JSON.stringify(kinds)}`,
    );
  expect(Object.values(kinds).reduce((a, b) => a + b, 0)).toBe(COUNT);
});
