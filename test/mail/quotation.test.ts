/** Property (a): our own text, quoted without any mark in any layout, files nothing. 2,000 runs: `FIELDPOST_MAIL_RUNS=2000`. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readInbound } from '../../src/mail/inbound.ts';
import { mail } from './mails.ts';
import { answer, mailsTo, seats } from './seats.ts';

const RUNS = Number(process.env.FIELDPOST_MAIL_RUNS ?? 100);
const SEED = Number(process.env.FIELDPOST_SEED ?? 1944);

/** From, sent, to, subject as mail programs write them. */
const LABELS: readonly (readonly string[])[] = [
  ['From', 'Sent', 'To', 'Subject'],
  ['Von', 'Gesendet', 'An', 'Betreff'],
  ['De', 'Envoyé', 'À', 'Objet'],
  ['De', 'Enviado', 'Para', 'Asunto'],
  ['Da', 'Inviato', 'A', 'Oggetto'],
  ['Van', 'Verzonden', 'Aan', 'Onderwerp'],
  ['De', 'Enviada em', 'Para', 'Assunto'],
  ['Fra', 'Sendt', 'Til', 'Emne'],
  ['Från', 'Skickat', 'Till', 'Ämne'],
  ['Lähettäjä', 'Lähetetty', 'Vastaanottaja', 'Aihe'],
  ['Od', 'Wysłane', 'Do', 'Temat'],
  ['Od', 'Odesláno', 'Komu', 'Předmět'],
  ['Feladó', 'Elküldve', 'Címzett', 'Tárgy'],
  ['Kimden', 'Gönderildi', 'Kime', 'Konu'],
  ['От', 'Отправлено', 'Кому', 'Тема'],
  ['Від', 'Надіслано', 'Кому', 'Тема'],
  ['Από', 'Στάλθηκε', 'Προς', 'Θέμα'],
  ['De la', 'Trimis', 'Către', 'Subiect'],
  ['差出人', '送信日時', '宛先', '件名'],
  ['发件人', '发送时间', '收件人', '主题'],
  ['寄件者', '寄件日期', '收件者', '主旨'],
  ['보낸 사람', '보낸 날짜', '받는 사람', '제목'],
  ['מאת', 'נשלח', 'אל', 'נושא'],
  ['من', 'تم الإرسال', 'إلى', 'الموضوع'],
  ['จาก', 'ส่ง', 'ถึง', 'เรื่อง'],
];
/** First letters of scripts, for labels of no language at all. */
const SCRIPTS = [0x61, 0x410, 0x3b1, 0x531, 0x5d0, 0x627, 0x905, 0xe01, 0x10d0, 0x3042, 0x4e00, 0xac00, 0x1200];
const letters = fc
  .record({ script: fc.constantFrom(...SCRIPTS), at: fc.array(fc.nat(20), { minLength: 2, maxLength: 9 }) })
  .map(({ script, at }) => at.map((n) => String.fromCodePoint(script + n)).join(''));
const labels = fc.oneof(
  fc.constantFrom(...LABELS),
  fc.tuple(letters, letters, letters, letters).filter((four) => new Set(four).size === 4),
);

interface Quote {
  ours: string;
  subject: string;
  labels: readonly string[];
  order: number;
}
type Layout = (quote: Quote) => string;

function head({ subject, labels: [from, sent, to, about], order }: Quote, colon: string, bold = ''): string[] {
  const lines = [
    `${bold}${from}${colon}${bold} "Fieldpost" <orders@club.example>`,
    `${bold}${sent}${colon}${bold} 30.11.2026 21:21`,
    `${bold}${to}${colon}${bold} Anna <anna@players.example>`,
    `${bold}${about}${colon}${bold} ${subject}`,
  ];
  return [...lines.slice(order), ...lines.slice(0, order)];
}

const wrapped = (text: string, width: number): string =>
  text
    .split('\n')
    .map((line) => (line.length <= width ? line : line.replace(new RegExp(`(.{20,${width}}) `, 'g'), '$1\n')))
    .join('\n');
const each = (text: string, change: (line: string) => string): string => text.split('\n').map(change).join('\n');

/** Ways in which a quotation stands below an answer: with labels of any language, and with nothing but our own words. */
const LABELLED: Layout[] = [
  (quote) => [...head(quote, ':'), '', quote.ours].join('\n'),
  (quote) => [...head(quote, '：'), '', quote.ours].join('\n'),
  (quote) => [...head(quote, ' :'), '', quote.ours].join('\n'),
  (quote) => [...head(quote, ':', '*'), '', quote.ours].join('\n'),
  (quote) => ['________________________________', ...head(quote, ':'), quote.ours].join('\n'),
  (quote) => ['-----', ...head(quote, ':'), '', quote.ours].join('\n'),
  (quote) => [head(quote, ':').join('\n\n'), '', quote.ours].join('\n'),
  (quote) => each([...head(quote, ':'), '', quote.ours].join('\n'), (line) => `  ${line}`),
  (quote) => [...head(quote, ':\t'), '', quote.ours].join('\n'),
  (quote) => ['~~~~~~~~~~', ...head(quote, ':', '**'), '', quote.ours].join('\n'),
  (quote) => ['Begin forwarded message:', '', ...head(quote, ':'), '', quote.ours].join('\n'),
  (quote) => [...head(quote, ':'), 'Reply-To: orders@club.example', '', '', quote.ours].join('\n'),
  (quote) => [...head(quote, ':').map((line) => line.replace(':', ':\u00a0')), quote.ours].join('\n'),
];
const BARE: Layout[] = [
  ({ ours }) => ours,
  ({ ours }) => `\n\n${ours}`,
  ({ ours }) => each(ours, (line) => `    ${line}`),
  ({ ours }) => each(ours, (line) => `\t${line}`),
  ({ ours }) => each(ours, (line) => `| ${line}`),
  ({ ours }) => each(ours, (line) => `» ${line}`),
  ({ ours }) => each(ours, (line) => `: ${line}`),
  ({ ours }) => each(ours, (line) => `* ${line}`),
  ({ ours }) => each(ours, (line) => `${line}\n`),
  ({ ours }) => each(ours, (line) => `${line}  `),
  ({ ours }) => wrapped(ours, 64),
  ({ ours }) => wrapped(ours, 50),
  ({ ours }) => ours.replace(/^\n+/gm, ''),
  ({ ours }) => ours.replaceAll(' ', '\u00a0'),
  ({ ours }) => `Test club <orders@club.example> 30.11.2026 21:21:\n\n${ours}`,
  ({ ours }) => `2026年11月30日(月) 21:30 Fieldpost <orders@club.example>:\n${ours}`,
  ({ ours }) => `30.11.2026, 21:21, "Fieldpost" <orders@club.example>:\n\n${ours}`,
  ({ ours }) => `On Mon, 30 Nov 2026 at 21:21, Fieldpost\n<orders@club.example> wrote:\n\n${ours}`,
  ({ ours }) => `---------- Forwarded message ---------\n${ours}`,
  ({ ours }) => each(ours, (line) => `│ ${line}`),
  ({ ours }) => each(ours, (line) => `&gt; ${line}`),
  ({ ours }) => each(ours, (line) => `- ${line}`),
  ({ ours }) => each(ours, (line) => line.trim()),
  ({ ours }) => wrapped(ours, 40),
  ({ ours }) => ours.replace(/([^\n])\n(?=[^\n])/g, '$1  \n'),
  ({ ours }) => ours.split('\n').slice(2).join('\n'),
  ({ ours }) => `"${ours}"`,
  ({ ours }) => `Fieldpost skrifaði 30.11.2026 kl. 21:21 <orders@club.example>:\n${ours}`,
];
const layout = fc.oneof(fc.constantFrom(...LABELLED), fc.constantFrom(...BARE));

test('there are forty layouts and more', () => {
  expect(LABELLED.length + BARE.length).toBeGreaterThanOrEqual(40);
});

const ours = seats.flatMap((seat) => mailsTo(seat).map((composed) => ({ seat, composed })));
const chat = fc.constantFrom(
  'Danke!',
  'Thanks, mine come tomorrow.',
  'ok',
  'Merci\n\nAnna',
  'Super gespielt, Ben!\nLG',
  '👍',
);

describe('our own text is never an order by itself', () => {
  test('below any chat, in any layout, with labels of any language: nothing is filed', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.nat(ours.length - 1),
        layout,
        labels,
        chat,
        fc.nat(3),
        async (which, lay, four, words, order) => {
          const { seat, composed } = ours[which]!;
          const quote = { ours: composed.text, subject: composed.subject, labels: four, order };
          const body = `${words}\n\n${lay(quote)}\n`;
          const message = await readInbound(mail({ Subject: `Re: ${composed.subject}` }, body), seat.profile);
          const said = answer(message, seat);
          expect(message.orderLines, body).toEqual([]);
          expect(message.commands, body).toEqual([]);
          expect([said.filed, said.final], body).toEqual([[], false]);
          expect(message.strays, body).toEqual([]);
        },
      ),
      { numRuns: RUNS, seed: SEED },
    );
  });

  test.each(ours.map(({ seat, composed }) => [composed.subject, seat, composed] as const))(
    'as a page below a thank-you: %s',
    async (_, seat, composed) => {
      const page = `<div>Danke!</div><div>&nbsp;</div><div>${composed.html}</div>`;
      const raw = mail({ Subject: 'Re: your turn', 'Content-Type': 'text/html; charset=utf-8' }, page);
      const message = await readInbound(raw, seat.profile);
      expect([message.orderLines, message.commands, answer(message, seat).filed]).toEqual([[], [], []]);
    },
  );

  test.each(seats.map((seat) => [`${seat.open.scenario.id} ${seat.side}`, seat] as const))(
    'a form edited within the quoted report is the form alone, asked about: %s',
    async (_, seat) => {
      const [report] = mailsTo(seat);
      const body = each(report!.text, (line) => `> ${line}`);
      const message = await readInbound(
        mail({ Subject: 'Re: your turn' }, `Here they are:\n\n${body}\n`),
        seat.profile,
      );
      expect(message.quotedForm).toBe(true);
      const plain = (lines: readonly string[]): string[] => lines.map((line) => line.replace(/\s+/g, ' ').trim());
      expect(message.quotedLines.join(' ')).toBe(plain(seat.form).join(' '));
    },
  );
});
