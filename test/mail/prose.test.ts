/**
 * Properties (b), (c), (d): orders are found inside any prose and nothing else is; every line is accounted for; the author
 * is found behind any name. 2,000 runs: `FIELDPOST_MAIL_RUNS=2000`.
 */
import fc from 'fast-check';
import libmime from 'libmime';
import { describe, expect, test } from 'vitest';
import { readInbound } from '../../src/mail/inbound.ts';
import { mail, profile } from './mails.ts';
import { answer, type Seat, seats } from './seats.ts';

const RUNS = Number(process.env.FIELDPOST_MAIL_RUNS ?? 100);
const SEED = Number(process.env.FIELDPOST_SEED ?? 1944);
const runs = { numRuns: RUNS, seed: SEED };

const GREETINGS = [
  'Hi Ben,',
  'Hello all',
  'Turn 1 was great fun, thanks!',
  'Move along, 2 beers for you.',
  'Sorry for being late.\nHere are my orders for the 1st turn:',
  'Hallo Anna!\nHier meine Befehle.',
  'Guten Abend,\n\nhier kommt mein Zug. Bis Montag, 19:30!',
  'Bonjour,\nvoici mes ordres.',
  'Salut Ben, j’ai mis 2 heures pour ça…',
  'Hola,\nadjunto mis órdenes:',
  'Ciao a tutti,',
  'Hoi,\nhier zijn mijn orders',
  'Hej!\nHär är mina order.',
  'Cześć,\noto moje rozkazy:',
  'Ahoj,',
  'Привет, Бен!',
  'こんにちは。',
  '你好，本：',
  '안녕하세요',
  'Merhaba,',
];
const SIGNOFFS = [
  'Good luck, Ben!\nAnna',
  'Cheers\nAnna',
  'Best wishes, and see you on 5 May at 19:30',
  'Kind regards,\n\nAnna Berg\n12 High Street\nTel. +49 171 2345678',
  'Sent from my iPhone',
  'Sent from my Galaxy S21',
  'Get Outlook for Android',
  'Sent from Yahoo Mail on Android',
  'Sent with Proton Mail secure email.',
  'Sent from Mailspring',
  'Sent via BlackBerry',
  'Viele Grüße\nAnna',
  'Schöne Grüße aus Köln,\nAnna',
  'MfG\nA. Berg',
  'Gesendet von Mail für Windows',
  'Von meinem iPhone gesendet',
  'Diese Nachricht wurde von meinem Android-Gerät mit GMX Mail gesendet.',
  'Cordialement\nAnne',
  'Envoyé de mon iPhone',
  'Bonne chance !',
  'Enviado desde mi iPhone',
  'Un saludo,\nAna',
  'Saludos',
  'Inviato da iPhone',
  'Ciao, Anna',
  'Verstuurd vanaf mijn iPhone',
  'Groetjes, Anna',
  'Enviado do meu iPhone',
  'Abraço\nAna',
  'Skickat från min iPhone',
  'Hälsningar\nAnna',
  'Med venlig hilsen\nAnna',
  'Wysłane z iPhone’a',
  'Pozdrawiam\nAnna',
  'S pozdravem\nAnna',
  'Odesláno z iPhonu',
  'Terveisin Anna',
  'Отправлено с iPhone',
  'С уважением,\nАнна',
  'iPhoneから送信',
  'よろしくお願いします',
  '发自我的 iPhone',
  '나의 iPhone에서 보냄',
  'iPhone’umdan gönderildi',
  'Σταλμένο από το iPhone μου',
  'The information in this e-mail is confidential. If you are not the addressee, please delete it.\nABC Ltd, registered in England no. 1234567',
  'PS: great game, 10 out of 10!',
  '*Anna Berg*\n_Head of Nothing_\nT: 0221-123456',
];

interface Writing {
  name: string;
  write(line: string, n: number): string;
}
const WRITINGS: Writing[] = [
  { name: 'plain', write: (line) => line },
  { name: 'dashes', write: (line) => `- ${line}` },
  { name: 'stars', write: (line) => `* ${line}` },
  { name: 'bullets', write: (line) => `• ${line}` },
  { name: 'numbers', write: (line, n) => `${n}. ${line}` },
  { name: 'numbers in brackets', write: (line, n) => `${n}) ${line}` },
  { name: 'bold verbs', write: (line) => line.replace(/^\S+/, '*$&*') },
  { name: 'bold lines', write: (line) => `*${line}*` },
  { name: 'twice bold', write: (line) => `**${line}**` },
  { name: 'full stops', write: (line) => `${line}.` },
  { name: 'remarks', write: (line) => `${line} (my favourite)` },
  { name: 'small letters', write: (line) => line.toLowerCase() },
];
const FINALS = ['FINAL', 'FINAL!', 'Final.', 'final', 'READY', '- FINAL', '*FINAL*', ''];

/** Header and orders of a seat's form; a comment says nothing. */
function blockOf({ form }: Seat): { head: string; orders: string[] } {
  const lines = form.map((line) => line.split('#')[0]!.trim()).filter((line) => line !== '');
  return { head: lines[0]!, orders: lines.slice(1).filter((line) => !/^(?:FINAL|END)$/.test(line)) };
}

/** Seats whose form holds an order. */
const speaking = seats.filter((one) => blockOf(one).orders.length > 0);
const seat = fc.nat(seats.length - 1);

describe('orders inside any prose', () => {
  test('exactly those orders are filed, and FINAL is as it was meant', async () => {
    await fc.assert(
      fc.asyncProperty(
        seat,
        fc.constantFrom(...WRITINGS),
        fc.constantFrom(...GREETINGS, ''),
        fc.constantFrom(...SIGNOFFS, ''),
        fc.constantFrom(...FINALS),
        fc.boolean(),
        async (which, writing, greeting, signoff, final, end) => {
          const one = speaking[which % speaking.length]!;
          const { head, orders } = blockOf(one);
          const wanted = answer(
            await readInbound(mail({ Subject: 'x' }, [head, ...orders, 'END'].join('\n')), one.profile),
            one,
          );
          const block = [
            head,
            ...orders.map((line, i) => writing.write(line, i + 1)),
            ...(final === '' ? [] : [final]),
          ];
          const body = [greeting, '', ...block, ...(end ? ['END'] : []), '', signoff, ''].join('\n');
          const message = await readInbound(mail({ Subject: 'Re: your turn' }, body), one.profile);
          const said = answer(message, one);
          expect({ errors: said.errors, filed: said.filed, final: said.final }, body).toEqual({
            errors: [],
            filed: wanted.filed,
            final: final !== '',
          });
        },
      ),
      runs,
    );
  });
});

describe('every line is accounted for', () => {
  const word = fc.string({
    unit: fc.constantFrom(...'abcdefgHIJKLMNO0123456789-/,.!?äöü'),
    minLength: 1,
    maxLength: 9,
  });
  const line = fc.oneof(
    fc.constantFrom(...GREETINGS, ...SIGNOFFS).map((text) => text.split('\n')[0]!),
    fc.constantFrom(
      'MOVE DE3P -> 1025 1024',
      'HOLD DE243',
      'Hi Ben, HOLD DE243',
      'MVOE DE3P -> 1025',
      'STATUS',
      'HELP',
    ),
    fc.constantFrom(
      'WHO IS LATE',
      'and one more thing',
      'TOKEN 1 US4; TOKEN 2 US5',
      '1. HOLD DE243',
      'FINAL',
      'ADD DE3P',
    ),
    fc.array(word, { minLength: 1, maxLength: 6 }).map((words) => words.join(' ')),
  );

  test('filed, refused, obeyed or named: never absent', async () => {
    await fc.assert(
      fc.asyncProperty(seat, line, fc.nat(30), fc.boolean(), async (which, written, at, end) => {
        const one = seats[which]!;
        const { head, orders } = blockOf(one);
        const lines = ['Hello', '', head, ...orders.slice(0, 4), 'FINAL', ...(end ? ['END'] : []), '', 'Bye'];
        lines.splice(at % (lines.length + 1), 0, written);
        const message = await readInbound(mail({ Subject: 'Re: your turn' }, lines.join('\n')), one.profile);
        const said = [
          ...message.orderLines,
          ...message.notRead,
          ...message.strays,
          ...message.commands.map((c) => c.text),
        ];
        const plain = (text: string): string => text.replace(/[^\p{L}\p{N}]+/gu, '').toUpperCase();
        const all = said.map(plain).join(' ');
        const [wanted, unnumbered] = [plain(written), plain(written.replace(/^\d+[.)] /, ''))];
        expect(all.includes(wanted) || all.includes(unnumbered), `${written}\n---\n${lines.join('\n')}`).toBe(true);
        // What is in the block and no chat is a line of the receipt; all other lines are named there.
        const answered = answer(message, one);
        for (const stray of message.strays) expect(answered.errors.length, stray).toBeGreaterThan(0);
        expect(answered.notRead).toEqual(message.notRead);
      }),
      runs,
    );
  });
});

describe('the author behind any name', () => {
  const name = fc.string({ unit: fc.constantFrom(...'ab Zé,:;.()\'"äßЖ中-_&!'), maxLength: 24 });

  test('quoted, encoded or bare, with commas and colons', async () => {
    await fc.assert(
      fc.asyncProperty(
        name,
        fc.constantFrom('bare', 'quoted', 'encoded', 'encoded with a bare comma'),
        async (text, how) => {
          const shown = {
            bare: text,
            quoted: `"${text.replace(/["\\]/g, '\\$&')}"`,
            encoded: libmime.encodeWord(text === '' ? 'x' : text, 'Q'),
            'encoded with a bare comma': `=?utf-8?q?Berg,_${encodeURIComponent(text)
              .replaceAll('%', '=')
              .slice(0, 9 * 4)}?=`,
          }[how];
          const message = await readInbound(
            mail({ From: `${shown} <anna@example.com>` }, 'GAME OVL-0007\nTURN 3\nDIG 1/1\nEND\n'),
            profile,
          );
          expect([message.from, message.reason], shown).toEqual(['anna@example.com', undefined]);
        },
      ),
      runs,
    );
  });

  test.each([
    'anna@example.com, ben@example.net',
    'anna@example.com <ben@example.net>, "x" <carl@example.org>',
    'Berg, anna@example.com <ben@example.net>',
    '<anna@example.com> <ben@example.net>',
    'Anna, Ben',
    'Anna <>',
  ])('%s names nobody', async (from) => {
    const message = await readInbound(mail({ From: from }, 'hello'), profile);
    expect([message.kind, message.from]).toEqual(['reject', null]);
  });
});
