/**
 * What players really answer: thirty mails as the common mail programs send them, in several languages, for every game.
 * Of each, what its sender would get: filed lines, FINAL, errors, what is named as not read, commands.
 */
import { expect, test } from 'vitest';
import { answer, mailsTo, readFor, type Seat, seats } from './seats.ts';

const seatOf = (side: string): Seat => seats.find((one) => one.side === side)!;
const [german, allied, us, ge, american] = ['german', 'allied', 'us', 'ge', 'american'].map(seatOf) as [
  Seat,
  Seat,
  Seat,
  Seat,
  Seat,
];
const marked = (text: string): string => text.replace(/^/gm, '> ');
const report = (seat: Seat): string => mailsTo(seat)[0]!.text;
const receipt = (seat: Seat): string => mailsTo(seat)[1]!.text;
const page = (seat: Seat): string => mailsTo(seat)[0]!.html;
const HTML = { 'Content-Type': 'text/html; charset=utf-8' };
const FLOWED = { 'Content-Type': 'text/plain; charset=utf-8; format=flowed' };

interface Row {
  name: string;
  seat: Seat;
  headers?: Record<string, string>;
  body: string;
  /** What he gets; fields left out are empty, `final` false. */
  gets: {
    filed?: string[];
    standing?: string[];
    final?: true;
    errors?: string[];
    notRead?: string[];
    commands?: string[];
  };
}

const ROWS: Row[] = [
  {
    name: 'Gmail, German, no FINAL',
    seat: german,
    body: `Hallo zusammen,\n\nanbei meine Züge:\n\nHOLD DE709\nHOLD DE243\n\nViele Grüße\nKarl-Heinz\n\nAm Mo., 30. Nov. 2026 um 21:21 Uhr schrieb Fieldpost <orders@club.example>:\n\n${marked(report(german))}\n`,
    gets: {
      filed: ['HOLD DE709', 'HOLD DE243'],
      notRead: ['Hallo zusammen,', 'anbei meine Züge:', 'Viele Grüße', 'Karl-Heinz'],
    },
  },
  {
    name: 'Outlook, German, the sign-off touching the orders',
    seat: german,
    body: `Hi Ben,\nHOLD DE709\nMOVE DE243 -> 0807 0907\nDanke und Gruß\nKarl\n\nVon: Fieldpost <orders@club.example>\nGesendet: Montag, 30. November 2026 21:21\nAn: Karl <karl@players.example>\nBetreff: [OVL-0001] Turn 1\n\n${report(german)}`,
    gets: { filed: ['HOLD DE709', 'MOVE DE243 -> 0807 0907'], notRead: ['Hi Ben,', 'Danke und Gruß', 'Karl'] },
  },
  {
    name: 'a second thought below END',
    seat: german,
    body: 'HOLD DE709\nFINAL\nEND\n\nPS I forgot\nMOVE DE243 -> 0807\n',
    gets: {
      filed: ['HOLD DE709'],
      errors: ['OUTSIDE THE BLOCK'],
      notRead: ['PS I forgot'],
      commands: ['FINAL'],
    },
  },
  {
    name: 'a slip in the first line',
    seat: german,
    body: 'Hi,\n\nMVOE DE243 -> 0807\nHOLD DE709\nFINAL\n',
    gets: { filed: ['HOLD DE709'], errors: ['OUTSIDE THE BLOCK'], notRead: ['Hi,'], commands: ['FINAL'] },
  },
  {
    name: 'the same slip in a word without an arrow',
    seat: german,
    body: 'HLOD DE243\nHOLD DE709\nFINAL\n',
    gets: { filed: ['HOLD DE709'], errors: ['OUTSIDE THE BLOCK'], commands: ['FINAL'] },
  },
  {
    name: 'a command and a question',
    seat: german,
    body: 'STATUS\nWHO IS LATE\n',
    gets: { notRead: ['WHO IS LATE'], commands: ['STATUS'] },
  },
  {
    name: 'a command and a line that looks like an order',
    seat: german,
    body: 'STATUS\nDE709 HOLD\n',
    gets: { errors: ['OUTSIDE THE BLOCK'], commands: ['STATUS'] },
  },
  {
    name: 'two commands',
    seat: german,
    body: 'MAP 2 BW PNG\nHELP MAP\n',
    gets: { commands: ['MAP 2 BW PNG', 'HELP MAP'] },
  },
  {
    name: 'Gmail, French',
    seat: us,
    body: `Bonjour,\n\nvoici mes ordres pour le tour 1 :\n\nDEPLOY US1 AT I9\nDEPLOY US2 AT A10\nFINAL\n\nBonne partie !\nAmicalement,\nJean-Luc\n\nLe lun. 30 nov. 2026 à 21:21, Fieldpost <orders@club.example> a écrit :\n\n${marked(report(us))}`,
    gets: {
      filed: ['DEPLOY US1 AT I9', 'DEPLOY US2 AT A10'],
      final: true,
      notRead: ['Bonjour,', 'voici mes ordres pour le tour 1 :', 'Bonne partie !', 'Amicalement,', 'Jean-Luc'],
      commands: ['FINAL'],
    },
  },
  {
    name: 'Polish, two orders on a line, the name on the line below a comma',
    seat: allied,
    body: `Cześć,\n\nINTERDICT 3113 2; INTERDICT 3814 2\n\nPozdrawiam,\nZbyszek\n\nW dniu 2026-11-30 o 21:21, Fieldpost pisze:\n${marked(report(allied))}`,
    gets: { filed: ['INTERDICT 3113 2', 'INTERDICT 3814 2'], notRead: ['Cześć,', 'Pozdrawiam,', 'Zbyszek'] },
  },
  {
    name: 'a phone, in small letters',
    seat: german,
    body: `hold de709\nmove de243 -> 0807\nfinal\nSent from my iPhone\n\n> On 30 Nov 2026, at 21:21, Fieldpost <orders@club.example> wrote:\n> \n${marked(report(german))}`,
    gets: {
      filed: ['HOLD DE709', 'MOVE DE243 -> 0807'],
      final: true,
      notRead: ['Sent from my iPhone'],
      commands: ['final'],
    },
  },
  {
    name: 'mutt, the form edited within the quotation: asked about',
    seat: german,
    body: `On Mon, Nov 30, 2026 at 09:21:00PM +0100, Fieldpost wrote:\n${marked(report(german)).replace('HOLD DE243', 'MOVE DE243 -> 0807')}\n\n-- \nAnna`,
    gets: {},
  },
  {
    name: 'GMX, thanks above an unmarked receipt',
    seat: german,
    body: `Danke!\n\nGesendet: Montag, 30. November 2026 um 21:21 Uhr\nVon: "Fieldpost" <orders@club.example>\nAn: karl@players.example\nBetreff: [OVL-0001] Receipt 16\n\n${receipt(german)}`,
    gets: { errors: ['MAIL EMPTY'], notRead: ['Danke!'] },
  },
  {
    name: 'no number in the orders, one full stop, no FINAL',
    seat: american,
    body: 'Hallo,\n\nSections C, E.\n\nGruß\nUwe',
    gets: { filed: ['SECTIONS C E'], notRead: ['Hallo,', 'Gruß', 'Uwe'] },
  },
  {
    name: 'names of leaders, a signature with a number',
    seat: american,
    body: 'Hi Tom,\n\nsorry for the delay.\n\nSECTIONS Krauss, Bowen.\nFINAL.\n\nCheers\nMike\n+1 555 123 4567\n',
    gets: {
      filed: ['SECTIONS C E'],
      final: true,
      notRead: ['Hi Tom,', 'sorry for the delay.', 'Cheers', 'Mike', '+1 555 123 4567'],
      commands: ['FINAL.'],
    },
  },
  {
    name: 'doctrine alone',
    seat: american,
    body: 'Hi\n\nDoctrine Armor yes\n\nBob',
    gets: { standing: ['DOCTRINE ARMOR YES'], notRead: ['Hi', 'Bob'] },
  },
  {
    name: 'words that only begin like orders',
    seat: american,
    body: 'Support your local sheriff, he said.\nReport follows tomorrow.\n\nSECTIONS NONE\nFINAL\n\nChoose well, Tom!',
    gets: {
      filed: ['SECTIONS NONE'],
      final: true,
      notRead: ['Support your local sheriff, he said.', 'Report follows tomorrow.', 'Choose well, Tom!'],
      commands: ['FINAL'],
    },
  },
  {
    name: 'Outlook, HTML, its arrow in Wingdings',
    seat: german,
    headers: HTML,
    body: `<div class="WordSection1"><p class="MsoNormal">Hi all,<o:p></o:p></p><p class="MsoNormal"><o:p>&nbsp;</o:p></p><p class="MsoNormal">HOLD DE709<o:p></o:p></p><p class="MsoNormal">MOVE DE243 <span style="font-family:Wingdings">à</span> 0807<o:p></o:p></p><p class="MsoNormal">FINAL<o:p></o:p></p><p class="MsoNormal">&nbsp;</p><p class="MsoNormal">Best,<o:p></o:p></p><p class=MsoNormal>Karl<o:p></o:p></p><div><p class="MsoNormal"><b>From:</b> Fieldpost &lt;orders@club.example&gt; <br><b>Sent:</b> Monday, November 30, 2026 9:21 PM<br><b>To:</b> Karl<br><b>Subject:</b> [OVL-0001]</p></div>${page(german)}</div>`,
    gets: {
      filed: ['HOLD DE709', 'MOVE DE243 -> 0807'],
      final: true,
      notRead: ['Hi all,', 'Best,', 'Karl'],
      commands: ['FINAL'],
    },
  },
  {
    name: 'Gmail, HTML, French',
    seat: ge,
    headers: HTML,
    body: `<div dir="ltr">Salut,<div><br></div><div>DEPLOY GE1 AT C1</div><div>DEPLOY GE2 AT G1</div><div><br></div><div>A+</div><div>Marc</div></div><br><div class="gmail_quote gmail_quote_container"><div dir="ltr" class="gmail_attr">Le lun. 30 nov. 2026 à 21:21, Fieldpost &lt;<a href="mailto:orders@club.example">orders@club.example</a>&gt; a écrit :<br></div><blockquote class="gmail_quote">${page(ge)}</blockquote></div>`,
    gets: { filed: ['DEPLOY GE1 AT C1', 'DEPLOY GE2 AT G1'], notRead: ['Salut,', 'A+', 'Marc'] },
  },
  {
    name: 'answers between the lines of a receipt',
    seat: german,
    body: 'Hi,\n\n> 3 ok HOLD DE243\nNo, please:\nMOVE DE243 -> 0807\n\n> 4 ok HOLD DE91\nfine\n\nKarl',
    gets: { filed: ['MOVE DE243 -> 0807'], notRead: ['Hi,', 'No, please:', 'fine', 'Karl'] },
  },
  {
    name: 'an HTML list with numbers',
    seat: german,
    headers: HTML,
    body: '<p>My orders:</p><ol><li>HOLD DE709</li><li>MOVE DE243 -&gt; 0807</li></ol><p>FINAL</p><p>Best<br>Karl</p>',
    gets: {
      filed: ['HOLD DE709', 'MOVE DE243 -> 0807'],
      final: true,
      notRead: ['My orders:', 'Best', 'Karl'],
      commands: ['FINAL'],
    },
  },
  {
    name: 'orders as a sentence',
    seat: german,
    body: 'Hi, please move DE243 to 0807 and hold DE709. FINAL. Thanks, Karl',
    gets: { errors: ['MAIL EMPTY', 'OUTSIDE THE BLOCK'] },
  },
  {
    name: 'orders, a press text that speaks of orders, and a name',
    seat: german,
    body: 'HOLD DE709\nFINAL\n\nPRESS TO allied\nGood luck old chap!\nMOVE your tanks\nENDPRESS\n\nKarl',
    gets: { filed: ['HOLD DE709'], final: true, notRead: ['Karl'], commands: ['FINAL', 'PRESS TO allied'] },
  },
  {
    name: 'Thunderbird, flowed',
    seat: german,
    headers: FLOWED,
    body: 'Moin,\n\nHOLD DE709\nMOVE DE243 -> 0807 \n0907\nFINAL\n\nGruß \nKarl\n',
    gets: {
      filed: ['HOLD DE709', 'MOVE DE243 -> 0807 0907'],
      final: true,
      notRead: ['Moin,', 'Gruß Karl'],
      commands: ['FINAL'],
    },
  },
  {
    name: 'a signature with an address, no FINAL',
    seat: german,
    body: 'HOLD DE709\n\nKarl Meier\nHauptstr. 12\n50667 Köln\nTel 0221 123456',
    gets: { filed: ['HOLD DE709'], notRead: ['Karl Meier', 'Hauptstr. 12', '50667 Köln', 'Tel 0221 123456'] },
  },
  {
    name: 'the same, touching the orders',
    seat: german,
    body: 'HOLD DE709\nKarl Meier\n50667 Köln\nTel 0221 123456',
    gets: { filed: ['HOLD DE709'], notRead: ['Karl Meier', '50667 Köln', 'Tel 0221 123456'] },
  },
  {
    name: 'lines mistyped beyond recognition among orders',
    seat: german,
    body: 'HOLD DE709\nDE243: 0807\nDE91 0908\nFINAL',
    gets: { filed: ['HOLD DE709'], errors: ['VERB UNKNOWN', 'VERB UNKNOWN'], commands: ['FINAL'] },
  },
  {
    name: 'Spanish, a date that begins like an order, a device line',
    seat: allied,
    body: 'Hola Juan:\n\nINTERDICT 3113 3, 3814 2\nFINAL\n\nEl 5 de mayo estaré fuera, así que vuelvo el 8.\nUn abrazo,\nPedro\n\nEnviado desde mi iPhone',
    gets: {
      filed: ['INTERDICT 3113 3, 3814 2'],
      final: true,
      notRead: [
        'Hola Juan:',
        'El 5 de mayo estaré fuera, así que vuelvo el 8.',
        'Un abrazo,',
        'Pedro',
        'Enviado desde mi iPhone',
      ],
      commands: ['FINAL'],
    },
  },
  {
    name: 'Seznam, Czech, an unmarked quotation',
    seat: american,
    body: `Ahoj Tome,\n\nposílám rozkazy na bitvu 1:\n\nSECTIONS C E\nFINAL\n\nZdraví\nPetr\n\n---------- Původní e-mail ----------\nOd: Fieldpost <orders@club.example>\nKomu: petr@players.example\nDatum: 30. 11. 2026 21:21:00\nPředmět: [CCN-0001] Battle 1\n\n${report(american)}`,
    gets: {
      filed: ['SECTIONS C E'],
      final: true,
      notRead: ['Ahoj Tome,', 'posílám rozkazy na bitvu 1:', 'Zdraví', 'Petr'],
      commands: ['FINAL'],
    },
  },
  {
    name: 'a date that begins like a script, above and below the orders',
    seat: us,
    body: "On 3 May I'm away, on 1: june I am back.\n\nDEPLOY US1 AT I9\nFINAL\n\nOn 3: May I come home\n",
    gets: {
      filed: ['DEPLOY US1 AT I9'],
      final: true,
      notRead: ["On 3 May I'm away, on 1: june I am back.", 'On 3: May I come home'],
      commands: ['FINAL'],
    },
  },
  {
    name: 'an order of small letters and no numbers below FINAL',
    seat: american,
    body: 'SECTIONS NONE\nFINAL\n\nno, wait:\nsections krauss bowen\n',
    gets: {
      filed: ['SECTIONS NONE'],
      errors: ['OUTSIDE THE BLOCK'],
      notRead: ['no, wait:'],
      commands: ['FINAL'],
    },
  },
];

test.each(ROWS.map((row) => [row.name, row] as const))('%s', async (_, { seat, headers, body, gets }) => {
  const { filed, standing, final, errors, notRead, commands } = answer(await readFor(seat, headers ?? {}, body), seat);
  expect({
    filed,
    standing,
    final,
    errors: errors.map(({ code }) => code),
    notRead,
    commands: commands.map(({ text }) => text),
  }).toEqual({
    filed: gets.filed ?? [],
    standing: gets.standing ?? [],
    final: gets.final ?? false,
    errors: gets.errors ?? [],
    notRead: gets.notRead ?? [],
    commands: gets.commands ?? [],
  });
});
