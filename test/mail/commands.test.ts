import { describe, expect, test } from 'vitest';
import { readInbound } from '../../src/mail/inbound.ts';
import { clubProfile, mail, profile } from './mails.ts';

const read = (body: string, headers: Record<string, string> = {}) => readInbound(mail(headers, body), clubProfile);

describe('mail commands (rule 12)', () => {
  test.each([
    ['STATUS', 'STATUS'],
    ['Re: [OVL-0007] status', 'status'],
    ['AW: Re: [OVL-0007] [club] Accept 17', 'Accept 17'],
    ['=?utf-8?Q?HELP_MOVE?=', 'HELP MOVE'],
  ])('the subject %j is one', async (subject, text) => {
    const message = await read('Hello there.\n', { Subject: subject });
    expect(message.kind).toBe('orders');
    expect(message.orderLines).toEqual([]);
    expect(message.commands).toEqual([{ text, where: 'subject' }]);
  });

  test.each([
    'Fwd: STATUS',
    'my STATUS',
    'STATUS please',
    '[OVL-0007] Turn 3 report',
    'Re: ACCEPT',
    'STATUS\u2028HELP',
  ])('the subject %j is none', async (subject) => {
    expect((await read('Hello there.\n', { Subject: subject })).commands).toEqual([]);
  });

  test('an unquoted line of its own is one, a quoted line, a sentence and a signature are none', async () => {
    const message = await read(
      'Hi,\n\n  help  move \nPlease HELP me, and send STATUS soon.\n> STATUS\nCHECK\n-- \nSTATUS\nHELP\n',
    );
    expect(message.commands.map((command) => command.text)).toEqual(['help move', 'CHECK']);
    expect(message.kind).toBe('orders');
  });

  test('above the block, inside it and below END they count; in quoted text they do not', async () => {
    const message = await read(
      'STATUS\nGAME OVL-0007\nTURN 3\nCHECK\nDIG 1/1\nFINAL\nEND\nHELP\n\n-- \nSTATUS\n> STATUS\n',
    );
    expect(message.commands.map((command) => command.text)).toEqual(['STATUS', 'CHECK', 'FINAL', 'HELP']);
    // FINAL is an order word of this club too, so it stays in the block; CHECK is not.
    expect(message.orderLines).toEqual(['GAME OVL-0007', 'TURN 3', 'DIG 1/1', 'FINAL', 'END']);
  });

  test('a command is never the continuation of a long line above', async () => {
    const long = `MOVE 1/1 ${'F1411 -> '.repeat(7)}F2017`;
    expect(long.length).toBeGreaterThan(72);
    const message = await read(`GAME OVL-0007\n${long}\nCHECK\nEND\n`);
    expect(message.orderLines).toEqual(['GAME OVL-0007', long, 'END']);
    expect(message.commands.map((command) => command.text)).toEqual(['CHECK']);
  });

  test('PRESS keeps its words as written, with whatever they look like', async () => {
    const words =
      'Dear  all —\n\n“No” to  peace!\nGAME OVL-0001\nDIG 9/9\nEND\n-- \n-----Original Message-----\n> HELP';
    const message = await read(`PRESS TO ALL\n${words}\nENDPRESS\nGAME OVL-0007\nDIG 1/1\nEND\n`);
    expect(message.commands).toEqual([{ text: 'PRESS TO ALL', where: 'body', press: words.replace('-- ', '--') }]);
    expect(message.orderLines).toEqual(['GAME OVL-0007', 'DIG 1/1', 'END']);
  });

  test('PRESS in flowed text is unflowed', async () => {
    const message = await read('PRESS ALL\nOne long \nparagraph.\nENDPRESS\n', {
      'Content-Type': 'text/plain; format=flowed; charset=utf-8',
    });
    expect(message.commands[0]!.press).toBe('One long paragraph.');
  });

  test('PRESS without ENDPRESS takes nothing with it, a quoted one is none', async () => {
    const open = await read('PRESS ALL\nGAME OVL-0007\nDIG 1/1\nEND\n');
    expect(open.commands).toEqual([{ text: 'PRESS ALL', where: 'body' }]);
    expect(open.orderLines).toEqual(['GAME OVL-0007', 'DIG 1/1', 'END']);
    expect((await read('> PRESS ALL\n> hi\n> ENDPRESS\n')).commands).toEqual([]);
  });

  test('an alternative says a command once', async () => {
    const body = '--b\nContent-Type: text/plain\n\nSTATUS\n--b\nContent-Type: text/html\n\n<p>STATUS</p>\n--b--\n';
    const message = await read(body, { 'Content-Type': 'multipart/alternative; boundary=b' });
    expect(message.commands.length).toBe(1);
    const page = await read('<div>Hi</div><div>STATUS</div>', { 'Content-Type': 'text/html' });
    expect(page.commands).toEqual([{ text: 'STATUS', where: 'body' }]);
  });

  test('a robot has no commands, and without patterns there are none', async () => {
    expect((await read('STATUS\n', { 'Auto-Submitted': 'auto-replied', Subject: 'HELP' })).commands).toEqual([]);
    expect((await readInbound(mail({ Subject: 'HELP' }, 'STATUS\n'), profile)).kind).toBe('empty');
  });

  test('an activation script keeps its bars', async () => {
    const message = await read('GAME OVL-0007\nON 1: MOVE A1\n| FIRE B2\n| HIDE\nMOVE 1/1 F1\n| -> F2\nEND\n');
    expect(message.orderLines).toEqual(['GAME OVL-0007', 'ON 1: MOVE A1 | FIRE B2 | HIDE', 'MOVE 1/1 F1 -> F2', 'END']);
  });
});

describe('a block without a number (rule 8 and its exception)', () => {
  test.each([
    ['closed by END', 'Hi,\nSUPPORT DIG 1\nDIG HERE\nEND\n', ['SUPPORT DIG 1', 'DIG HERE', 'END']],
    [
      'orders alone',
      'DIG HERE\n# with care\nSUPPORT THAT\nFINAL\n',
      ['DIG HERE', '# with care', 'SUPPORT THAT', 'FINAL'],
    ],
    ['above a line with one', 'DIG HERE\nDIG 1/1\nEND\n', ['DIG HERE', 'DIG 1/1', 'END']],
    ['one line', 'Hello,\n\nDIG HERE\n\n-- \nAnna\n', ['DIG HERE']],
    ['a sentence above orders', 'Move on, I say.\nDIG 1/1\nEND\n', ['DIG 1/1', 'END']],
    ['prose', 'Move on, I say.\nSupport is near\nand so is tea\n', []],
  ])('%s', async (_title, body, lines) => {
    expect((await read(body)).orderLines).toEqual(lines);
  });
});

test('where ON opens an order, an attribution is still an attribution, and a date no order', async () => {
  const message = await read(
    'GAME OVL-0007\nON 1: MOVE A1\nOn Mon, 2 Mar 2026 at 20:00, PBEM <reports@pbem.example.org>\nwrote:\n\n> END\n',
  );
  expect(message.orderLines).toEqual(['GAME OVL-0007', 'ON 1: MOVE A1']);
  expect((await read('On 3 May I am away.\n')).kind).toBe('empty');
  expect((await read('ON 1: MOVE A1\nEND\n')).orderLines).toEqual(['ON 1: MOVE A1', 'END']);
});

describe('a form edited inside the quote', () => {
  test('is shown, not filed', async () => {
    const message = await read(
      'see below\n\nOn 2 March 2026 PBEM wrote:\n> Your form:\n> GAME OVL-0007\n> DIG 1/1\n> END\n',
    );
    expect(message).toMatchObject({
      kind: 'empty',
      quotedForm: true,
      quotedLines: ['GAME OVL-0007', 'DIG 1/1', 'END'],
      orderLines: [],
    });
  });

  test('is found in a quote that only the HTML has', async () => {
    const message = await read(
      '<p>ok</p><blockquote type="cite"><p>GAME OVL-0007</p><p>DIG 1/1</p><p>END</p></blockquote>',
      {
        'Content-Type': 'text/html',
      },
    );
    expect(message).toMatchObject({
      kind: 'empty',
      quotedForm: true,
      quotedLines: ['GAME OVL-0007', 'DIG 1/1', 'END'],
    });
  });

  test('does not count beside orders or a command', async () => {
    expect((await read('STATUS\n> GAME OVL-0007\n> DIG 1/1\n> END\n')).quotedForm).toBe(false);
    expect((await read('GAME OVL-0007\nDIG 2/2\nEND\n> GAME OVL-0007\n> DIG 1/1\n> END\n')).quotedLines).toEqual([]);
  });
});
