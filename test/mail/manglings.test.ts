/**
 * Goal: whatever a mail client does to an order block on its way, the same lines come out. Method: random blocks, put
 * through the manglings of each kind of client, alone and with chatter, quotes and signature around them.
 */
import fc from 'fast-check';
import iconv from 'iconv-lite';
import { describe, expect, test } from 'vitest';
import { readInbound } from '../../src/mail/inbound.ts';
import { mail, profile } from './mails.ts';

const RUNS = Number(process.env.FIELDPOST_MAIL_RUNS ?? 60);

const hex = fc.integer({ min: 101, max: 2999 }).map((n) => `F${String(n).padStart(4, '0')}`);
const unit = fc
  .tuple(fc.integer({ min: 1, max: 99 }), fc.constantFrom('SS', 'GD', 'RG', 'Pz', ''), fc.integer({ min: 1, max: 99 }))
  .map(([division, kind, regiment]) => `${division}${kind}/${regiment}`);
const move = fc
  .tuple(unit, fc.array(hex, { minLength: 2, maxLength: 14 }))
  .map(([who, path]) => `MOVE ${who} ${path.join(' -> ')}`);
const attack = fc
  .tuple(fc.array(hex, { minLength: 1, maxLength: 16 }), hex)
  .map(([fromHexes, target]) => `ATTACK ${fromHexes.join(',')} ON ${target}`);
const word = fc.constantFrom(
  'hold',
  'the',
  'bridge',
  'at',
  'Metz',
  'Čáslav',
  'Köln,',
  '"now"',
  "don't",
  'Straße',
  '-',
  '5€',
);
const note = fc.array(word, { minLength: 1, maxLength: 25 }).map((words) => `NOTE ${words.join(' ')}`);
const simple = fc
  .tuple(fc.constantFrom('DIG', 'Supply', 'barrage', 'SUPPORT'), unit)
  .map(([verb, who]) => `${verb} ${who}`);
const block = fc
  .array(fc.oneof(move, attack, note, simple), { minLength: 1, maxLength: 12 })
  .map((lines) => ['GAME OVL-0007', 'TURN 3', ...lines, 'END']);

/** Text before and after the block, as people leave it. */
const around = fc.record({
  above: fc.constantFrom('', 'Hi,\n\nmy orders:\n\n', 'Hallo zusammen,\nanbei.\n\n'),
  below: fc.constantFrom(
    '',
    '\nCheers\nAnna\n',
    '\n-- \nAnna\nMOVE 1/1 F0101 -> F0102\n',
    '\nSent from my iPhone\n',
    '\nOn Mon, 2 Mar 2026 at 20:00, PBEM <reports@pbem.example.org> wrote:\n> GAME OVL-0007\n> TURN 2\n> MOVE 1/1 F0101 -> F0102\n> END\n',
    '\n-----Original Message-----\nFrom: PBEM\nSent: Monday\n\nGAME OVL-0007\nTURN 2\nEND\n',
  ),
});

const ONLY_WESTERN: Record<string, string> = { Č: 'C', á: 'a' };
const western = (text: string): string => text.replace(/[Čá]/g, (c) => ONLY_WESTERN[c] ?? c);

/** Wraps as clients do: at the last blank before the column, never inside a word. */
function wrap(text: string, column: number, flowed: boolean): string {
  return text
    .split('\n')
    .flatMap((line) => {
      if (line === '-- ') return [line];
      const out: string[] = [];
      let left = line;
      while (left.length > column) {
        const cut = left.lastIndexOf(' ', column);
        if (cut <= 0) break;
        out.push(left.slice(0, cut) + (flowed ? ' ' : ''));
        left = left.slice(cut + 1);
      }
      return [...out, left].map((part) => (flowed && /^( |>|From )/.test(part) ? ` ${part}` : part));
    })
    .join('\n');
}

/** Cuts at any place and marks the cut by a blank, as delsp=yes allows. */
function cutAnywhere(text: string, column: number): string {
  return text
    .split('\n')
    .flatMap((line) => {
      if (line === '-- ') return [line];
      const parts: string[] = [];
      for (let at = 0; at < line.length || at === 0; at += column) parts.push(line.slice(at, at + column));
      return parts.map((part, i) => `${/^[ >]|^From /.test(part) ? ' ' : ''}${part}${i < parts.length - 1 ? ' ' : ''}`);
    })
    .join('\n');
}

function quotedPrintable(bytes: Buffer): string {
  return bytes
    .toString('latin1')
    .split('\r\n')
    .map((line) => {
      const coded = [...line].map((c, i) =>
        c === '=' || c < ' ' || c > '~' || (c === ' ' && i === line.length - 1)
          ? `=${c.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`
          : c,
      );
      let out = '';
      let column = 0;
      for (const piece of coded) {
        if (column + piece.length > 75) {
          out += '=\r\n';
          column = 0;
        }
        out += piece;
        column += piece.length;
      }
      return out;
    })
    .join('\r\n');
}

const crlf = (text: string): string => text.replace(/\n/g, '\r\n');
const entities = (text: string): string =>
  text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;');

type Mangle = (text: string) => Buffer;
const plain = (type: string, encoding: string, body: Buffer | string): Buffer =>
  mail(
    { 'Content-Type': type, 'Content-Transfer-Encoding': encoding },
    typeof body === 'string' ? Buffer.from(body) : body,
  );

const clients: Record<string, Mangle> = {
  'plain UTF-8': (text) => plain('text/plain; charset=utf-8', '8bit', crlf(text)),
  'bare line feeds': (text) => plain('text/plain; charset=utf-8', '8bit', text),
  'bare carriage returns': (text) => plain('text/plain; charset=utf-8', '8bit', text.replace(/\n/g, '\r')),
  flowed: (text) => plain('text/plain; charset=utf-8; format=flowed', '8bit', crlf(wrap(text, 70, true))),
  'flowed, 66 columns, quoted-printable': (text) =>
    plain(
      'text/plain; charset="utf-8"; format="flowed"',
      'quoted-printable',
      quotedPrintable(Buffer.from(crlf(wrap(text, 66, true)))),
    ),
  'flowed with delsp': (text) =>
    plain('text/plain; charset=utf-8; format=flowed; delsp=yes', '8bit', crlf(cutAnywhere(text, 68))),
  'wrapped at 72': (text) => plain('text/plain; charset=utf-8', '8bit', crlf(wrap(text, 72, false))),
  'wrapped at 76': (text) => plain('text/plain; charset=utf-8', '8bit', crlf(wrap(text, 76, false))),
  'quoted-printable': (text) =>
    plain('text/plain; charset=utf-8', 'quoted-printable', quotedPrintable(Buffer.from(crlf(text)))),
  base64: (text) =>
    plain(
      'text/plain; charset=utf-8',
      'base64',
      Buffer.from(crlf(text)).toString('base64').replace(/.{76}/g, '$&\r\n'),
    ),
  'windows-1252': (text) =>
    plain('text/plain; charset=windows-1252', '8bit', iconv.encode(crlf(western(text)), 'win1252')),
  'windows-1252 called iso-8859-1': (text) =>
    plain('text/plain; charset=ISO-8859-1', '8bit', iconv.encode(crlf(western(text)), 'win1252')),
  'iso-8859-15': (text) =>
    plain('text/plain; charset=iso-8859-15', '8bit', iconv.encode(crlf(western(text)), 'iso885915')),
  'UTF-8 called iso-8859-1': (text) => plain('text/plain; charset=iso-8859-1', '8bit', crlf(`${text}\nčé`)),
  'UTF-16 with a mark': (text) =>
    plain('text/plain; charset=utf-16', 'base64', iconv.encode(crlf(text), 'utf-16').toString('base64')),
  'UTF-16BE': (text) =>
    plain('text/plain; charset=utf-16be', 'base64', iconv.encode(crlf(text), 'utf-16be').toString('base64')),
  gb18030: (text) => plain('text/plain; charset=gb2312', '8bit', iconv.encode(crlf(text), 'gb18030')),
  'smart punctuation': (text) =>
    plain(
      'text/plain; charset=utf-8',
      '8bit',
      crlf(
        text
          .split('\n')
          .map((line) =>
            line === '-- '
              ? line
              : line
                  .replace(/ -> /g, ' \u2192 ')
                  .replace(/ - /g, ' \u2013 ')
                  .replace(/"(\w+)"/g, '\u201e$1\u201c')
                  .replace(/'/g, '\u2019')
                  .replace(/ (?=\S)/g, (_, at: number) => (at % 3 === 0 ? '\u00a0' : at % 3 === 1 ? '\u2003' : ' ')),
          )
          .join('\n'),
      ),
    ),
  'fullwidth and invisible characters': (text) =>
    plain(
      'text/plain; charset=utf-8',
      '8bit',
      crlf(
        text.replace(/F\d{4}/g, (hexName) =>
          [...hexName].map((c) => `\u200b${String.fromCharCode(c.charCodeAt(0) + 0xfee0)}\u200e`).join(''),
        ),
      ),
    ),
  'Outlook HTML': (text) =>
    plain(
      'text/html; charset=utf-8',
      'quoted-printable',
      quotedPrintable(
        Buffer.from(
          `<html><head><style>p {margin:0}</style><title>MOVE 9/9 F0101</title></head><body>${text
            .split('\n')
            .map(
              (line) =>
                `<p class="MsoNormal"><span lang="DE">${entities(line).replace(/ /g, '\r\n ')}<o:p></o:p></span></p>`,
            )
            .join('\r\n')}</body></html>`,
        ),
      ),
    ),
  'Gmail HTML': (text) =>
    plain(
      'text/html; charset=utf-8',
      '8bit',
      `<div dir="ltr">${text
        .split('\n')
        .map((line) => `<div>${line === '' ? '<br>' : entities(line).replace(/ {2,}/g, ' &nbsp;')}</div>`)
        .join(
          '',
        )}</div><br><div class="gmail_quote"><div class="gmail_attr">On Monday PBEM wrote:</div>GAME OVL-0007<br>TURN 1<br>END</div>`,
    ),
  'Apple HTML with br': (text) =>
    plain(
      'text/html; charset=utf-8',
      '8bit',
      `<html><body style="word-wrap: break-word">${text.split('\n').map(entities).join('<br>')}<blockquote type="cite">GAME OVL-0007<br>END</blockquote></body></html>`,
    ),
  'HTML table and pre': (text) =>
    plain('text/html; charset=utf-8', '8bit', `<table><tr><td><pre>${entities(text)}</pre></td></tr></table>`),
  'alternative with an empty text': (text) =>
    mail(
      { 'Content-Type': 'multipart/alternative; boundary=b' },
      Buffer.from(
        `--b\r\nContent-Type: text/plain\r\n\r\n \r\n--b\r\nContent-Type: text/html; charset=utf-8\r\n\r\n${text
          .split('\n')
          .map((line) => `<p>${entities(line)}</p>`)
          .join('\r\n')}\r\n--b--\r\n`,
      ),
    ),
  'a file': (text) =>
    mail(
      { 'Content-Type': 'multipart/mixed; boundary="=_x"' },
      Buffer.from(
        `--=_x\r\nContent-Type: text/plain\r\n\r\nsee file\r\n--=_x\r\nContent-Type: application/octet-stream; name="O.TXT"\r\nContent-Disposition: attachment; filename="O.TXT"\r\nContent-Transfer-Encoding: base64\r\n\r\n${Buffer.from(`\ufeff${crlf(text)}`).toString('base64')}\r\n--=_x--\r\n`,
      ),
    ),
  'clear-signed': (text) =>
    plain(
      'text/plain; charset=utf-8',
      '8bit',
      crlf(
        `-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\n${text.replace(/^-/gm, '- -')}\n-----BEGIN PGP SIGNATURE-----\n\nabc=\n=abcd\n-----END PGP SIGNATURE-----\n`,
      ),
    ),
  'orders between quoted lines': (text) =>
    plain(
      'text/plain; charset=utf-8',
      '8bit',
      crlf(
        `On Mon, 2 Mar 2026 at 20:00, PBEM <reports@pbem.example.org> wrote:\n> Your orders, please.\n${text
          .split('\n')
          .map((line) => (line === '' || line === '-- ' ? line : `${line}\n> > MOVE 1/1 F0101 -> F0102\n>`))
          .join('\n')}`,
      ),
    ),
};

/** What is lost for good: characters that a set doesn't hold. */
const known: Record<string, (line: string) => string> = {
  'windows-1252': western,
  'windows-1252 called iso-8859-1': western,
  'iso-8859-15': western,
};

describe('any order text comes back the same', () => {
  test.each(Object.entries(clients))('%s', async (name, mangle) => {
    await fc.assert(
      fc.asyncProperty(block, around, async (lines, { above, below }) => {
        const message = await readInbound(mangle(`${above}${lines.join('\n')}\n${below}`), profile);
        expect(message.orderLines).toEqual(lines.map(known[name] ?? ((line) => line)));
        expect(message.kind).toBe('orders');
      }),
      { numRuns: RUNS, seed: Number(process.env.FIELDPOST_SEED ?? 1944) },
    );
  });

  test('what has been read once reads the same again', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.string({ unit: 'binary', maxLength: 120 }), { maxLength: 20 }), async (lines) => {
        const text = [
          'GAME OVL-0007',
          ...lines.map((line) => `NOTE ${line.replace(/[\r\n\u0085\u2028\u2029]/g, '')}`),
          'END',
        ];
        const once = await readInbound(clients['plain UTF-8']!(text.join('\n')), profile);
        const twice = await readInbound(clients['plain UTF-8']!(once.orderLines.join('\n')), profile);
        expect(twice.orderLines).toEqual(once.orderLines);
      }),
      { numRuns: RUNS, seed: Number(process.env.FIELDPOST_SEED ?? 1944) },
    );
  });
});
