import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { COLUMNS, folded, laidOut } from '../../../src/render/letters/flow.ts';
import {
  composeNotice,
  composeReport,
  HTML_LIMIT,
  MAILTO_LIMIT,
  mailtoLink,
  orderFormText,
} from '../../../src/render/letters/letters.ts';
import { openWording, templateFolders } from '../../../src/render/words.ts';
import { FORM, FRAME, sampleMails } from '../../gallery/mails.ts';

const mails = sampleMails();

describe('HTML of mails', () => {
  it('stays within the limits of mail programs', () => {
    for (const { html } of Object.values(mails)) {
      expect(Buffer.byteLength(html)).toBeLessThan(102_000);
      const targets = [...html.matchAll(/(?:src|href|background)="([^"]*)"/g)].map((m) => m[1]!);
      for (const target of targets) expect(target).toMatch(/^(cid:|mailto:|https:\/\/club\.example)/);
      expect(html).not.toMatch(
        /<(script|link|iframe|form|input|video|svg|object)\b|@import|url\(|position:|display:\s*(flex|grid)|float:/,
      );
      for (const [, width] of html.matchAll(/width="(\d+)"/g)) expect(Number(width)).toBeLessThanOrEqual(600);
      // Every cell carries its own style: programs that drop the head still show the mail.
      for (const [cell] of html.matchAll(/<td\b[^>]*>/g)) expect(cell).toMatch(/style=|align="center"/);
      expect(html).toContain('name="color-scheme"');
    }
  });

  it('shows what players wrote as text', () => {
    expect(mails.report.html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
    expect(mails.receipt.html).toContain('3030 &lt;b&gt;');
    expect(mails.notice.html).not.toContain('javascript:');
  });

  it('names what is due before all else', () => {
    const order = [
      'Your orders for turn 4 are due',
      'Caen holds',
      'What happened to you',
      'The enemy',
      'Reinforcements',
      'Dice',
      'House marks',
      'Order form',
    ];
    const at = order.map((words) => mails.report.html.indexOf(words));
    expect(at).toEqual([...at].sort((a, b) => a - b));
    expect(at[0]).toBeGreaterThan(0);
  });

  it('is shortened, never cut in the middle, when a report is very long', () => {
    const words = openWording();
    const lines = Array.from({ length: 3000 }, (_, i) => ({
      key: 'service.receipt.hash',
      params: { hash: `${i} ${'x'.repeat(60)}` },
    }));
    const { html, text } = composeReport(
      {
        frame: FRAME,
        system: 'overlord',
        report: { headline: lines[0]!, sections: [{ title: lines[1]!, lines }], orderForm: FORM },
        decisions: [],
        dice: [],
        house: [],
        notices: [],
      },
      words,
    );
    expect(Buffer.byteLength(html)).toBeLessThanOrEqual(HTML_LIMIT);
    expect(html).toContain('too long for some mail programs');
    expect(html.trimEnd().endsWith('</html>')).toBe(true);
    expect(text).toMatch(/2999 \nx/);
  });
});

describe('text of mails', () => {
  it('folds at 72 columns with soft breaks and leaves order lines alone', () => {
    for (const { text } of Object.values(mails))
      for (const line of text.split('\n')) if (line.includes(' ')) expect(line.length).toBeLessThanOrEqual(COLUMNS);
    for (const line of FORM) expect(mails.report.text.split('\n')).toContain(line);
  });

  it('unfolds to the words that went in', () => {
    const words = 'Lorem ipsum dolor sit amet consectetur '.repeat(9).trim();
    expect(folded(words).join('')).toBe(words);
  });

  it('keeps quotes, From and blanks at a line start from being misread', () => {
    expect(laidOut('> not a quote\nFrom here on\n\n\n\nend')).toBe(' > not a quote\n From here on\n\nend\n');
  });

  it('a line that belongs to the one above keeps its blanks, within the columns', () => {
    const deep = `  the shot ${'far and wide '.repeat(12)}`;
    const text = laidOut(`\u0002GE shows 1\n\u0002${deep}\n${deep}`);
    const lines = text.split('\n');
    expect(lines[0]).toBe('- GE shows 1');
    // Three blanks: a reader of format=flowed takes the first away.
    expect(lines[1]).toMatch(/^ {3}- the shot/);
    expect(lines.filter((line) => /^ {3}the shot/.test(line))).toHaveLength(1);
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(COLUMNS);
  });

  it('tells the check of the dice and lists no secret roll', () => {
    expect(mails.report.text).toContain('CDN3/7, CDN3/8 on 2714: 3 (d6)');
    expect(mails.report.text).not.toContain('deck');
    expect(mails.report.text).toContain('SHA-256');
  });

  it('repeats every order line with what became of it', () => {
    expect(mails.receipt.text).toContain(' 1 ok      MOVE 716/1 -> 2814');
    expect(mails.receipt.text).toContain('2 ERROR   MOVE 21/1 -> 3030 <b>');
    expect(mails.receipt.text).toContain('TOO FAR: 21/1 has 6 movement points, 3030 costs 9 (rule 7.3)');
    expect(mails.receipt.text.split('\n')[0]).toBe('Receipt 3 for turn 3, 12 June 1944, German: 1 line not accepted');
  });
});

describe('a club with templates of its own', () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'fieldpost-club-'));
  const lay = (file: string, text: string): void => {
    const at = path.join(folder, 'templates', file);
    fs.mkdirSync(path.dirname(at), { recursive: true });
    fs.writeFileSync(at, text);
  };
  afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

  it('changes a word and a layout and keeps the rest of ours', () => {
    lay('en/service.json', JSON.stringify({ 'foot.sent': 'Yours, the {{club}}.' }));
    lay(
      'mail/notice.text.hbs',
      "{{title}}!\n{{#each paragraphs}}{{this}}\n{{/each}}{{say 'service.foot.sent' club=club}}\n",
    );
    const notice = composeNotice(
      { frame: FRAME, title: 'Paused', paragraphs: ['Until Monday.'] },
      openWording('en', templateFolders(folder)),
    );
    expect(notice.text).toBe('Paused!\nUntil Monday.\nYours, the Normandy Club.\n');
    expect(notice.html).toContain('Yours, the Normandy Club.');
    expect(notice.html).toContain('Answer HELP for the commands');
  });

  it('is told at once which file and which words are wrong', () => {
    lay('en/service.json', '{ "foot.sent": "Yours, {{club" }');
    expect(() => openWording('en', templateFolders(folder))).toThrow(/service\.json "foot\.sent": /);
    lay('en/service.json', '{ "foot.sent" ');
    expect(() => openWording('en', templateFolders(folder))).toThrow(/wording .*service\.json: /);
  });
});

describe('paragraphs of several lines', () => {
  it('keep their lines and the blanks before them, as text and as HTML', () => {
    const { text, html } = composeNotice(
      { frame: FRAME, title: 'Question', paragraphs: ['1) Retreat\n  1. 2715\n  2. <b>'] },
      openWording(),
    );
    expect(text).toContain('1) Retreat\n   1. 2715\n   2. <b>\n');
    expect(html).toContain('1) Retreat<br>\u00a0\u00a01. 2715<br>\u00a0\u00a02. &lt;b&gt;');
  });
});

describe('the order form', () => {
  it('fits a mailto link, never loses FINAL and END, and says when it is shortened', () => {
    const long = [...Array.from({ length: 200 }, (_, i) => `MOVE ${i}/1 -> 2814`), 'FINAL', 'END'];
    const link = mailtoLink('orders+abc@club.example', 'OVL-0417 turn 4', long, '# shortened');
    expect(link.length).toBeLessThanOrEqual(MAILTO_LIMIT);
    expect(link).toContain('orders%2Babc@club.example');
    expect(decodeURIComponent(link)).toMatch(/-> 2814\r\n# shortened\r\nFINAL\r\nEND$/);
    const short = mailtoLink('orders+abc@club.example', 'OVL-0417', ['HOLD 1/1', 'FINAL', 'END'], '# shortened');
    expect(decodeURIComponent(short)).toMatch(/body=HOLD 1\/1\r\nFINAL\r\nEND$/);
  });

  it('is one order a line', () => {
    expect(orderFormText(['GAME OVL-0417  ', 'MOVE a\r\nb'])).toBe('GAME OVL-0417\nMOVE a b\n');
  });
});
