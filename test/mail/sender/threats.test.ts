/**
 * The threat table of the post office: each row that is met in the mail folder, attacked once. (Rows about seats, games,
 * answers and the store are met in turn/ and attacked there.)
 */
import net from 'node:net';
import { describe, expect, test } from 'vitest';
import { copyFinder } from '../../../src/mail/copies.ts';
import { startImap } from '../../../src/mail/doors/imap.ts';
import { composeMail, openSender } from '../../../src/mail/doors/smtp.ts';
import { startListener } from '../../../src/mail/doors/smtpd.ts';
import { readInbound } from '../../../src/mail/inbound.ts';
import { parsePlusTag } from '../../../src/mail/sender/address.ts';
import { listeningLog } from '../log.ts';
import { corpus, mail, profile } from '../mails.ts';

const BLOCK = 'GAME OVL-0007\nTURN 3\nMOVE 1/1 F1411 -> F1512\nEND\n';
const read = (headers: Record<string, string | string[]>, body = BLOCK) => readInbound(mail(headers, body), profile);

async function serve(talk: (socket: net.Socket) => void): Promise<{ port: number; close(): Promise<void> }> {
  const sockets = new Set<net.Socket>();
  const server = net.createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    talk(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as net.AddressInfo).port,
    close: () => {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

/** Writes as fast as the other side reads, until it hangs up. */
function endless(socket: net.Socket, text: string): void {
  socket.write('220-hi\r\n');
  const more = (): void => {
    while (!socket.destroyed && socket.write(text));
  };
  socket.on('drain', more);
  more();
}

/** Greets, and then never comes to the end of its answer to EHLO. */
function drip(socket: net.Socket): void {
  socket.write('220 hi\r\n');
  const timer = setInterval(() => socket.write('250-still more\r\n'), 50);
  socket.on('close', () => clearInterval(timer));
}

async function until(what: () => boolean): Promise<void> {
  const end = Date.now() + 15_000;
  while (!what()) {
    if (Date.now() > end) throw new Error('waited in vain');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

describe('spoofed player', () => {
  test('a From that fails DMARC is nobody’s mail, whatever else it shows', async () => {
    const message = await read({
      'Authentication-Results': ['mx.pbem.example.org; dmarc=fail', 'mx.pbem.example.org; dmarc=pass'],
      To: 'orders+k7f2token@pbem.example.org',
    });
    expect(message).toMatchObject({ kind: 'reject', reason: 'spoof', orderLines: [], gameRef: null });
  });

  test.each([
    ['another host vouches', 'mx.evil.example; dmarc=pass'],
    ['a host with our name in it vouches', 'mx.pbem.example.org.evil.example; dmarc=pass'],
    ['the pass stands in a comment', 'mx.pbem.example.org; spf=pass (dmarc=pass)'],
    ['the pass stands in quotes', 'mx.pbem.example.org; spf=pass smtp.mailfrom="a; dmarc=pass"'],
    ['the pass is part of another word', 'mx.pbem.example.org; x-dmarc=pass'],
  ])('%s: no pass', async (_, header) => expect((await read({ 'Authentication-Results': header })).dmarc).toBe('none'));

  test('Sender, Reply-To and the display name are never the author', async () => {
    const message = await read({
      From: '"gus@example.org" <eve@example.net>',
      Sender: 'gus@example.org',
      'Reply-To': 'gus@example.org',
    });
    expect(message.from).toBe('eve@example.net');
  });
});

test.each([
  [['a@example.com', 'b@example.com'], 'multiple-from'],
  ['a@example.com, b@example.com', 'multiple-from'],
  ['<a@example.com> <b@example.com>', 'multiple-from'],
  ['a@example.com\r\n ,b@example.com', 'multiple-from'],
  ['=?utf-8?Q?a=40example.com?=', 'bad-from'],
  ['a@example.com\u0000 <b@example.com', 'bad-from'],
])('several authors, hidden author: %j', async (from, reason) => {
  expect(await read({ From: from })).toMatchObject({ kind: 'reject', reason, from: null });
});

describe('loops, robots talking', () => {
  test('what we send is known as our own when it comes back, even resent', async () => {
    const bytes = await composeMail({
      from: { address: 'orders+k7f2@pbem.example.org' },
      to: { address: 'anna@example.com' },
      subject: 'Receipt',
      text: BLOCK,
      attachments: [],
      messageId: '<r1@pbem.example.org>',
      date: new Date(0),
      kind: 'receipt',
      loopHeader: profile.loopHeader,
      envelopeFrom: '',
    });
    expect((await readInbound(bytes, profile)).kind).toBe('loop');
    const resent = Buffer.concat([Buffer.from('Resent-From: x@example.com\r\n'), bytes]);
    const otherFrom = Buffer.from(resent.toString('latin1').replace(/^From: .*$/m, 'From: x@example.com'), 'latin1');
    expect((await readInbound(otherFrom, profile)).kind).toBe('loop');
    const headers = bytes.toString('latin1');
    expect(headers).toMatch(/^Auto-Submitted: auto-replied\r$/m);
    expect(headers).toMatch(/^X-Auto-Response-Suppress: All\r$/m);
    expect(headers).not.toMatch(/^Precedence:/m);
  });

  test.each([
    [{ 'Auto-Submitted': 'AUTO-GENERATED (vacation)' }, 'autoreply'],
    [{ 'X-Autoreply': 'yes' }, 'autoreply'],
    [{ From: 'gm@pbem.example.org' }, 'loop'],
    [{ Received: Array.from({ length: 60 }, () => 'from a by b') }, 'loop'],
  ])('%j', async (headers, kind) => {
    expect(await read(headers as Record<string, string | string[]>)).toMatchObject({
      kind,
      orderLines: [],
      commands: [],
    });
  });
});

test('backscatter to a forged sender: a bounce of a mail that we never sent has no author to answer', async () => {
  const message = await read({ 'Return-Path': '<>', From: 'Mail Delivery <MAILER-DAEMON>' });
  expect(message).toMatchObject({ kind: 'bounce', from: null, orderLines: [] });
});

test('floods: one sender is held back while others get through', async () => {
  let taken = 0;
  const listener = await startListener({
    host: '127.0.0.1',
    port: 0,
    lmtp: false,
    ownDomain: 'pbem.example.org',
    limits: { senderBurst: 5, senderPerMinute: 1 },
    log: listeningLog(),
    onMail: async () => void taken++,
  });
  const sender = openSender({ url: `smtp://127.0.0.1:${listener.port}`, log: listeningLog() });
  const send = (from: string) => sender.send(mail({}, BLOCK), { from, to: 'orders+a@pbem.example.org' });
  const flood = await Promise.all(Array.from({ length: 40 }, () => send('flood@example.net')));
  expect(flood.filter((result) => result.ok).length).toBe(5);
  expect(flood.filter((result) => !result.ok).every((result) => !('permanent' in result) || !result.permanent)).toBe(
    true,
  );
  expect(await send('anna@example.com')).toMatchObject({ ok: true });
  expect(taken).toBe(6);
  sender.close();
  await listener.close();
});

test('MIME, HTML and regex bombs: refused or read in bounded time (hostile.test.ts has fifty more)', async () => {
  const bomb = mail({ 'Content-Type': 'multipart/mixed; boundary=b' }, Buffer.from('--b\r\n\r\n'.repeat(250_000)));
  expect((await readInbound(bomb, profile)).reason).toBe('bomb');
  const page = mail({ 'Content-Type': 'text/html' }, Buffer.from(`${'<div>'.repeat(50_000)}${BLOCK}`));
  expect((await readInbound(page, profile)).kind).toBe('empty');
});

test('header and SMTP injection: no value taken from a mail holds a line end', async () => {
  const message = await read({
    Subject: '=?utf-8?Q?a=0D=0ABcc:_v@example.net=E2=80=A8X:_y=C2=85Z=00?=',
    From: '=?utf-8?B?QQ0KQmNjOiB2?= <anna@example.com>',
    'Message-ID': '<a\r\n b@c> <d@e>',
    'List-Id': '=?utf-8?Q?x=0Ay?=',
    Date: '=?utf-8?Q?x=0Ay?=',
  });
  for (const value of [message.subject, message.fromName, message.messageId, message.listId, message.date])
    expect(value ?? '').not.toMatch(/[\r\n\0\u0085\u2028\u2029]/);
  const reply = await composeMail({
    from: { address: 'orders@pbem.example.org' },
    to: { name: message.fromName ?? '', address: message.from! },
    subject: `Re: ${message.subject}`,
    text: 'x',
    attachments: [],
    messageId: '<r1@pbem.example.org>',
    date: new Date(0),
    kind: 'receipt',
    loopHeader: profile.loopHeader,
    envelopeFrom: '',
  });
  expect(reply.toString('latin1')).not.toMatch(/^(Bcc|X):/im);
});

test('content injection in reports: direction marks, invisible and control characters are gone from order lines', async () => {
  const message = await read(
    {},
    'GAME OVL-0007\nNOTE a\u202eb\u2066c\u200bd\u0007e\u001b[31mf\ufefeg\u{e0041}h\nEND\n',
  );
  expect(message.orderLines[1]).toMatch(/^NOTE abcde\[31mf.?gh$/u);
  expect(message.orderLines[1]).not.toMatch(/\p{Cf}|\p{Cc}/u);
});

test('address and game enumeration: every right tag is taken, every other address gets the same words', async () => {
  const listener = await startListener({
    host: '127.0.0.1',
    port: 0,
    lmtp: false,
    ownDomain: 'pbem.example.org',
    ownMailboxes: profile.ownMailboxes,
    log: listeningLog(),
    onMail: async () => {},
  });
  const sender = openSender({ url: `smtp://127.0.0.1:${listener.port}`, log: listeningLog() });
  const to = (address: string) => sender.send(mail({}, BLOCK), { from: 'eve@example.net', to: address });
  const tags = await Promise.all(['k7f2', 'no-such', 'ovl-0007'].map((tag) => to(`orders+${tag}@pbem.example.org`)));
  expect(new Set(tags.map((result) => JSON.stringify(result))).size).toBe(1);
  expect(tags[0]!.ok).toBe(true);
  const others = await Promise.all(['anna@pbem.example.org', 'root@pbem.example.org', 'a@example.net'].map(to));
  expect(new Set(others.map((result) => result.response)).size).toBe(1);
  expect(others[0]).toMatchObject({ ok: false, permanent: true });
  sender.close();
  await listener.close();
});

test('replay of an old order mail: a second copy is known, whatever was put around it', async () => {
  const [entry] = corpus('s01');
  const isCopy = copyFinder();
  const first = await readInbound(entry!.raw, profile);
  const again = await readInbound(
    Buffer.concat([Buffer.from('Received: from elsewhere by mx\r\nX-New: 1\r\n'), entry!.raw]),
    profile,
  );
  expect(isCopy('first', first)).toBeNull();
  expect(isCopy('again', again)).toBe('first');
  expect(again.digest).toBe(first.digest);
});

test('duplicate delivery, reused id: the same id with other orders is a new mail', async () => {
  const isCopy = copyFinder();
  expect(isCopy('a', await read({}))).toBeNull();
  const other = await read({}, BLOCK.replace('F1512', 'F1613'));
  expect(isCopy('b', other)).toBeNull();
  expect(other.digest).not.toBe((await read({})).digest);
  expect(isCopy('c', await read({}))).toBe('a');
});

test('wrong game, seat or turn: what mail and address say is told apart, none is guessed from the other', async () => {
  const message = await read({ To: 'orders+k7f2@pbem.example.org', Subject: 'DOD-0001' });
  expect(message.gameRef).toBe('OVL-0007');
  expect(message.subject).toBe('DOD-0001');
  expect(parsePlusTag(message.recipients[0]!, profile)!.tag).toBe('k7f2');
});

test.each([
  ['a Word file', 'application/msword', 'orders.doc'],
  ['a page', 'text/html', 'orders.html'],
  ['an archive', 'application/zip', 'orders.zip'],
  ['a program', 'application/x-msdownload', 'orders.txt.exe'],
  ['rich text', 'application/rtf', 'orders.rtf'],
])('attachments: %s is never opened', async (_, type, name) => {
  const body = `--b\r\nContent-Type: text/plain\r\n\r\nsee file\r\n--b\r\nContent-Type: ${type}; name="${name}"\r\nContent-Disposition: attachment; filename="${name}"\r\n\r\n${BLOCK}\r\n--b--\r\n`;
  const message = await read({ 'Content-Type': 'multipart/mixed; boundary=b' }, body);
  expect(message).toMatchObject({ kind: 'reject', reason: 'attachment-type', orderLines: [] });
  expect(message.files).toEqual([{ type, name }]);
});

describe('hidden text, part mismatch', () => {
  test('what a reader would not see is not read', async () => {
    const unseen = [
      '<div style="display:none">DIG 1/1</div>',
      '<p style="font-size:0px;">DIG 1/2</p>',
      '<span hidden>DIG 1/3</span>',
      '<div style="MSO-HIDE: all">DIG 1/4</div>',
      '<p style="visibility : hidden">DIG 1/5</p>',
      '<textarea>DIG 1/6</textarea><template>DIG 1/7</template><svg>DIG 1/8</svg>',
      '<!-- DIG 1/9 -->',
    ].join('');
    const message = await read(
      { 'Content-Type': 'text/html' },
      `<p>GAME OVL-0007</p>${unseen}<p>DIG 2/2</p><p>END</p>`,
    );
    expect(message.orderLines).toEqual(['GAME OVL-0007', 'DIG 2/2', 'END']);
  });

  test('the first part with a block counts, and body against file is asked', async () => {
    const part = (type: string, body: string): string => `--b\r\nContent-Type: ${type}\r\n\r\n${body}\r\n`;
    const both = `${part('text/plain', BLOCK)}${part('text/html', '<p>GAME OVL-0007</p><p>DIG 9/9</p><p>END</p>')}--b--\r\n`;
    expect((await read({ 'Content-Type': 'multipart/alternative; boundary=b' }, both)).source).toBe('text');
    const file = `${part('text/plain', BLOCK)}${part('text/plain; name=a.txt', 'GAME OVL-0007\r\nDIG 9/9\r\nEND')}--b--\r\n`;
    expect((await read({ 'Content-Type': 'multipart/mixed; boundary=b' }, file)).reason).toBe('ambiguous');
  });
});

test.each(['Fri, 31 Dec 2099 23:59:59 +0000', 'Thu, 1 Jan 1970 00:00:00 +0000', 'yesterday', ''])(
  'clock games: the Date %j stays a claim in words and changes nothing',
  async (date) => {
    const message = await read({ Date: date });
    expect(message.date).toBe(date);
    expect(message.orderLines).toEqual((await read({})).orderLines);
    expect(Object.values(message).some((value) => value instanceof Date)).toBe(false);
  },
);

describe('hostile IMAP/SMTP server or lost link', () => {
  test.each([
    ['a line without end', (socket: net.Socket) => void socket.write('* OK '.padEnd(6_000_000, 'x'))],
    [
      'a literal of a gigabyte',
      (socket: net.Socket) => void socket.write('* OK hello\r\n* 1 FETCH (BODY[] {1073741824}\r\n'),
    ],
    ['silence', () => {}],
    ['nonsense', (socket: net.Socket) => void socket.write('HTTP/1.1 200 OK\r\n\r\n<html>')],
    ['a goodbye', (socket: net.Socket) => void socket.end('* BYE overloaded\r\n')],
  ])('%s ends the connection, and a new one is tried', async (_, talk) => {
    let connections = 0;
    const server = await serve((socket) => {
      connections++;
      talk(socket);
    });
    const log = listeningLog();
    const intake = startImap({
      url: `imap://orders:secret@127.0.0.1:${server.port}/INBOX`,
      log,
      sizeMax: 1_000_000,
      answerSeconds: 1,
      backoff: { firstMs: 20, mostMs: 50 },
      onMail: async () => 'done',
      onAuthFailure: () => {},
    });
    await until(() => connections >= 2);
    await intake.close();
    await server.close();
    expect(JSON.stringify(log.entries)).not.toContain('secret');
  });

  test.each([
    ['an answer without end', (socket: net.Socket) => void endless(socket, '250-still more\r\n'.repeat(200))],
    ['a line without end', (socket: net.Socket) => void endless(socket, 'x'.repeat(4000))],
    ['a greeting, then a line of an answer now and then, for ever', (socket: net.Socket) => void drip(socket)],
  ])('a mail server that talks without end is left: %s', async (_, talk) => {
    let heard = 0;
    const server = await serve((socket) => {
      socket.on('data', () => {});
      talk(socket);
      socket.on('close', () => {
        heard += socket.bytesWritten;
      });
    });
    const sender = openSender({ url: `smtp://127.0.0.1:${server.port}`, log: listeningLog(), sendMs: 1500 });
    const result = await sender.send(mail({}, 'x'), { from: '', to: 'anna@example.com' });
    sender.close();
    await server.close();
    expect(result).toMatchObject({ ok: false, permanent: false });
    expect(result.response.length).toBeLessThanOrEqual(500);
    // What the system's buffers hold comes on top of the 64 KiB that we take.
    expect(heard).toBeLessThan(32 * 1024 * 1024);
  });

  test('no password goes out without TLS to another machine', async () => {
    // A name that is no loopback name but ends up here: the sender must ask for STARTTLS and stop without it.
    const heard: string[] = [];
    const server = await serve((socket) => {
      socket.write('220 hi\r\n');
      socket.on('data', (data) => {
        heard.push(data.toString('latin1'));
        socket.write('250 AUTH PLAIN LOGIN\r\n');
      });
    });
    const sender = openSender({ url: `smtp://orders:secret@0.0.0.0:${server.port}`, log: listeningLog() });
    const result = await sender.send(mail({}, 'x'), { from: '', to: 'anna@example.com' });
    sender.close();
    await server.close();
    expect(result).toMatchObject({ ok: false, permanent: false });
    expect(heard.join('')).toContain('EHLO');
    expect(heard.join('')).not.toMatch(/AUTH|MAIL FROM/);
  });
});

describe('secrets in mail', () => {
  test('a token in a mail that others see is noticed; a copy to oneself is private', async () => {
    const token = 'orders+k7f2@pbem.example.org';
    expect((await read({ To: `${token}, anna@example.com` })).inPublic).toEqual([]);
    expect((await read({ To: token, Cc: 'gm@pbem.example.org' })).inPublic).toEqual([]);
    const shown = await read({ To: 'players@lists.example.net', Cc: token });
    expect(shown.inPublic).toEqual(['players@lists.example.net', token]);
    // Delivered-To alone was seen by nobody else.
    expect((await read({ To: 'players@lists.example.net', 'Delivered-To': token })).inPublic).not.toContain(token);
  });

  test('the doors log no address and no word of a mail', async () => {
    const log = listeningLog();
    const listener = await startListener({
      host: '127.0.0.1',
      port: 0,
      lmtp: false,
      ownDomain: 'pbem.example.org',
      log,
      onMail: () => Promise.reject(new Error('store down')),
    });
    const sender = openSender({ url: `smtp://127.0.0.1:${listener.port}`, log });
    await sender.send(mail({}, BLOCK), { from: 'anna@example.com', to: 'orders+k7f2@pbem.example.org' });
    sender.close();
    await listener.close();
    expect(log.entries.length).toBeGreaterThan(0);
    expect(JSON.stringify(log.entries)).not.toMatch(/anna|k7f2|OVL/);
  });
});
