/** Sample mails: a report, a receipt and a notice with everything in them, some of it hostile. */
import type { Words } from '../../src/kernel/types.ts';
import {
  type ComposedMail,
  composeNotice,
  composeReceipt,
  composeReport,
  type MailFrame,
  mailtoLink,
} from '../../src/render/letters/letters.ts';
import { openWording, type Wording } from '../../src/render/words.ts';

export const FORM = [
  'GAME OVL-0417 TURN 4 SIDE german',
  '# 716/1 at 2813: combat 2, movement 2',
  'MOVE 716/1 -> 2814',
  'HOLD 21/1',
  'ATTACK 12SS/1, 12SS/2 -> 2714 ; ADVANCE 12SS/1',
  'FINAL',
  'END',
];

export const FRAME: MailFrame = {
  club: 'Normandy Club',
  game: 'OVL-0417',
  title: 'Overlord, the campaign',
  side: 'german',
  sideName: 'German',
  turnLabel: 'turn 3, 12 June 1944',
  due: 'Friday 12 June 2026, 20:00 (Europe/Berlin)',
  nextTurn: 'turn 4',
  mailto: mailtoLink('orders+abc@club.example', 'OVL-0417 turn 4', FORM, '# shortened'),
};

/** A wording in which every key of the report stands for itself, on top of the service's words. */
function withPlainWords(words: Wording): Wording {
  return {
    ...words,
    say: (asked: Words) => (asked.key.startsWith('plain.') ? String(asked.params?.text ?? '') : words.say(asked)),
  };
}

export function plain(text: string): Words {
  return { key: 'plain.text', params: { text } };
}

/** The three kinds of mail. */
export function sampleMails(): Record<'report' | 'receipt' | 'notice', ComposedMail> {
  const words = withPlainWords(openWording());
  const report = composeReport(
    {
      frame: FRAME,
      system: 'overlord',
      report: {
        headline: plain('Caen holds; two German regiments fell back.'),
        sections: [
          {
            title: plain('What happened to you'),
            lines: [
              plain(
                'B1 CDN3/7, CDN3/8 and 8A/1 attack 2714 (12SS/2, 12SS/3): 12 + 6, naval 4, air 6 = 28 against 12, 2-1, die 3: defenders back two (rule 9.4). 12SS/2 and 12SS/3 retreat 2714 -> 2715 -> 2716.',
              ),
              plain(
                'B2 3/8 attacks Caen 2813 (716/1): 12 against 2, city x3 = 6: 2-1, die 6: attackers back one (9.4).',
              ),
              plain('716/2 is isolated at 2712 <script>alert(1)</script> & was eliminated (11.2).'),
            ],
          },
          { title: plain('The enemy, as far as seen'), lines: [plain('Seen at 2415: Lehr, 2 counters.')] },
          {
            title: plain('Reinforcements and victory'),
            lines: [
              plain('Due on turn 4 by road 4: 17SS (3 counters).'),
              plain('Allied factors beyond the line: 12 of 40.'),
            ],
          },
        ],
        orderForm: FORM,
      },
      decisions: [
        { text: 'Retreat of 12SS/2 to 2716', by: 'doctrine' },
        { text: 'Advance after combat: none', by: 'fallback' },
      ],
      dice: [
        { context: 'OVL-0417/3.combat/CDN3/7, CDN3/8 on 2714', sides: 6, rolls: [3] },
        { context: 'OVL-0417/3.combat/3/8 on 2813', sides: 6, rolls: [6] },
        { context: 'OVL-0417/3.combat/deck', sides: 3, rolls: [2, 1, 3], secret: true },
      ],
      key: {
        n: 7,
        open: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
        previous: '60303ae22b998861bce3b28f33eec1be758a213c86c93c076dbe9f558c11c752',
      },
      house: ['House map: the rules do not print one.'],
      notices: ['The Allied side asked for two days more; the deadline moved.'],
      thumbnail: true,
    },
    words,
  );
  const receipt = composeReceipt(
    {
      frame: FRAME,
      number: 3,
      supersedes: 2,
      replaced: 'orders',
      hash: 'a1b2c3d4e5',
      replyTo: { subject: 'Re: orders', date: '8 June 2026, 21:14', messageId: '<x@y.example>' },
      lines: [
        { n: 1, text: 'MOVE 716/1 -> 2814', status: 'ok', messages: [] },
        {
          n: 2,
          text: 'MOVE 21/1 -> 3030 <b>',
          status: 'error',
          messages: [{ text: 'TOO FAR: 21/1 has 6 movement points, 3030 costs 9', rule: '7.3' }],
        },
        {
          n: 3,
          text: 'ATTACK 12SS/1, 12SS/2 -> 2714 ; ADVANCE 12SS/1',
          status: 'warning',
          messages: [{ text: 'the odds may be as low as 1-2' }],
        },
      ],
      mailProblems: [],
      dropped: ['HOLD 21/2'],
      forecast: ['716/1: 2813 -> 2814, 1 of 2 points'],
      final: false,
      wait: true,
      due: 'Friday 12 June 2026, 20:00',
    },
    words,
  );
  const notice = composeNotice(
    {
      frame: FRAME,
      title: 'The game is paused',
      paragraphs: ['The game master has paused the game <b>until Monday</b>.'],
      facts: [['Since', 'Friday']],
      links: [
        { text: 'Game page', url: 'https://club.example/g/OVL-0417' },
        { text: 'Bad link', url: 'javascript:alert(1)' },
      ],
    },
    words,
  );
  return { report, receipt, notice };
}
