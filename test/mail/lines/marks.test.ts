import { describe, expect, test } from 'vitest';
import { lineForm } from '../../../src/mail/bytes/lineform.ts';
import {
  attributionLength,
  isDeviceSignature,
  isHeaderBlock,
  isOldMessage,
  isSeparator,
  isSignature,
} from '../../../src/mail/lines/ends.ts';

const none = (): boolean => false;
const lines = (text: string): string[] => text.split('\n').map(lineForm);

describe('attributions', () => {
  test.each([
    'On Mon, 2 Mar 2026 at 20:00, PBEM <r@pbem.example.org> wrote:',
    'PBEM <r@pbem.example.org> wrote on 2 Mar 2026:',
    'Am 02.03.2026 um 20:00 schrieb PBEM:',
    'Am Mo., 2. März 2026 um 20:00 Uhr hat PBEM <r@pbem.example.org> geschrieben:',
    'Le lun. 2 mars 2026 à 20:00, PBEM <r@pbem.example.org> a écrit :',
    'El lun, 2 mar 2026 a las 20:00, PBEM (<r@pbem.example.org>) escribió:',
    'Il giorno lun 2 mar 2026 alle ore 20:00 PBEM <r@pbem.example.org> ha scritto:',
    'Op ma 2 mrt 2026 om 20:00 schreef PBEM <r@pbem.example.org>:',
    'Op 02-03-2026 om 20:00 heeft PBEM geschreven:',
    'Em seg., 2 de mar. de 2026 às 20:00, PBEM <r@pbem.example.org> escreveu:',
    'A 02/03/2026 20:00, PBEM escreveu:',
    'Den man. 2. mar. 2026 kl. 20.00 skrev PBEM <r@pbem.example.org>:',
    'man. 2. mars 2026 kl. 20:00 skrev PBEM <r@pbem.example.org>:',
    'På mandag 2. mars 2026 skrev PBEM:',
    'Den mån 2 mars 2026 kl 20:00 skrev PBEM <r@pbem.example.org>:',
    'W dniu 02.03.2026 o 20:00, PBEM pisze:',
    'pon., 2 mar 2026 o 20:00 PBEM <r@pbem.example.org> napisał(a):',
    'Dne 2. 3. 2026 v 20:00 PBEM napsal(a):',
    'po 2. 3. 2026 v 20:00 odesílatel PBEM <r@pbem.example.org> napsal:',
    '2026-03-02 20:00 GMT+01:00 PBEM <r@pbem.example.org> wrote:',
  ])('%s', (line) => expect(attributionLength(lines(line), 0, none)).toBe(1));

  test('over two and three lines', () => {
    expect(
      attributionLength(lines('On Monday, 2 March 2026 at 20:00, PBEM\n<r@pbem.example.org> wrote:'), 0, none),
    ).toBe(2);
    expect(
      attributionLength(lines('Le lundi 2 mars 2026\nà 20:00, PBEM <r@pbem.example.org>\na écrit :'), 0, none),
    ).toBe(3);
    expect(attributionLength(lines('On 1\n2\n3\nPBEM wrote:'), 0, none)).toBe(0);
  });

  test.each([
    'On turn 3 I wrote to you about the bridge.',
    'He wrote:',
    'My orders:',
    'On Monday 2 March:',
    'see http://x@y wrote nothing',
    `On 2 March ${'x'.repeat(500)} wrote:`,
  ])('not %s', (line) => expect(attributionLength(lines(line), 0, none)).toBe(0));

  test('an order line is never one, nor a part of one', () => {
    const isOrder = (line: string): boolean => line.startsWith('ON ') || line.startsWith('NOTE');
    expect(attributionLength(lines('ON 1 Mar what he wrote:'), 0, isOrder)).toBe(0);
    expect(attributionLength(lines('On 1 Mar PBEM\nNOTE he wrote:'), 0, isOrder)).toBe(0);
  });
});

test.each([
  '-----Original Message-----',
  '-------- Original Message --------',
  '---------- Forwarded message ---------',
  '————— Ursprüngliche Nachricht —————',
  '-----Message d’origine-----',
  '-----Mensaje original-----',
  '-----Messaggio originale-----',
  '-----Oorspronkelijk bericht-----',
  '-----Mensagem original-----',
  '-----Oprindelig meddelelse-----',
  '-----Ursprungligt meddelande-----',
  '-----Oryginalna wiadomość-----',
  '---------- Původní zpráva ----------',
  'Begin forwarded message:',
  'Anfang der weitergeleiteten Nachricht:',
  'Début du message réexpédié :',
])('an older message begins at %s', (line) => expect(isOldMessage(lineForm(line))).toBe(true));

test.each(['--- my orders ---', '-----', 'Original message: I like it', '--- original ideas for the message ---'])(
  '%s is the player’s own',
  (line) => expect(isOldMessage(lineForm(line))).toBe(false),
);

test.each([
  ['From: PBEM', 'Sent: Monday'],
  ['Von: PBEM', 'Gesendet: Montag'],
  ['De : PBEM', 'Envoyé : lundi'],
  ['De: PBEM', 'Enviado el: lunes'],
  ['Da: PBEM', 'Inviato: lunedì'],
  ['Van: PBEM', 'Verzonden: maandag'],
  ['De: PBEM', 'Enviada: segunda\nData: 2'],
  ['Fra: PBEM', 'Sendt: mandag'],
  ['Från: PBEM', 'Skickat: måndag'],
  ['Od: PBEM', 'Wysłano: poniedziałek'],
  ['Od: PBEM', 'Odesláno: pondělí'],
  ['*From:* PBEM', '*To:* x\n*Sent:* Monday'],
])('a header block of Outlook: %s, %s', (first, second) => {
  expect(isHeaderBlock(lines(`${first}\n\n${second}`), 0)).toBe(true);
  expect(isHeaderBlock(lines(`${first}\nmore\nwords\n`), 0)).toBe(false);
});

test.each([
  'Sent from my iPhone',
  'Get Outlook for Android',
  'Von meinem iPhone gesendet',
  'Gesendet mit der GMX Mail App',
  'Envoyé de mon iPad',
  'Enviado desde mi iPhone',
  'Inviato da iPad',
  'Verstuurd vanaf mijn iPhone',
  'Enviado do meu iPhone',
  'Sendt fra min iPhone',
  'Skickat från min iPhone',
  'Wysłane z iPhone’a',
  'Odesláno z iPhonu',
])('a device signs: %s', (line) => expect(isDeviceSignature(lineForm(line))).toBe(true));

test('signature and separator', () => {
  expect(isSignature(lineForm('-- '))).toBe(true);
  expect(isSignature(lineForm('---'))).toBe(false);
  for (const line of ['_____', '-----', '=====', '*****', '- - - - -', '-=-=-']) expect(isSeparator(line)).toBe(true);
  for (const line of ['____', '-> -> -> -> ->', '----- x', '-']) expect(isSeparator(line)).toBe(false);
});
