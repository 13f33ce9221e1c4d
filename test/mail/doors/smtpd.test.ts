import net from 'node:net';
import nodemailer from 'nodemailer';
import { afterEach, describe, expect, test } from 'vitest';
import { hostOf } from '../../../src/mail/doors/patience.ts';
import { type Envelope, type Listener, type ListenerOptions, startListener } from '../../../src/mail/doors/smtpd.ts';
import { readInbound } from '../../../src/mail/inbound.ts';
import { listeningLog } from '../log.ts';
import { mail, profile } from '../mails.ts';

let listener: Listener | undefined;
afterEach(async () => {
  await listener?.close();
  listener = undefined;
});

interface Came {
  raw: Buffer;
  envelope: Envelope;
}

async function listen(options: Partial<ListenerOptions> = {}): Promise<{ port: number; came: Came[] }> {
  const came: Came[] = [];
  listener = await startListener({
    host: '127.0.0.1',
    port: 0,
    lmtp: false,
    ownDomain: 'pbem.example.org',
    log: listeningLog(),
    onMail: async (raw, envelope) => void came.push({ raw, envelope }),
    ...options,
  });
  return { port: listener.port, came };
}

/** Speaks lines to the port, one after each answer, and gives all answers. */
function speak(port: number, lines: readonly string[]): Promise<string[]> {
  return new Promise((resolve, reject) => {
    const socket = net.connect(port, '127.0.0.1');
    const answers: string[] = [];
    const left = [...lines];
    let buffer = '';
    socket.setTimeout(10_000, () => socket.destroy(new Error('no answer')));
    socket.on('error', reject);
    socket.on('close', () => resolve(answers));
    socket.on('data', (data) => {
      buffer += data.toString('latin1');
      for (let end = buffer.indexOf('\r\n'); end >= 0; end = buffer.indexOf('\r\n')) {
        const line = buffer.slice(0, end);
        buffer = buffer.slice(end + 2);
        if (/^\d{3}-/.test(line)) continue;
        answers.push(line);
        const next = left.shift();
        if (next === undefined) socket.end();
        else socket.write(Buffer.from(`${next}\r\n`, 'latin1'));
      }
    });
  });
}

const codes = (answers: readonly string[]): number[] => answers.map((line) => Number(line.slice(0, 3)));
const HELLO = ['EHLO client.example.com', 'MAIL FROM:<anna@example.com>'];
const ORDERS = 'From: anna@example.com\r\n\r\nGAME OVL-0007\r\nTURN 3\r\nEND\r\n.';

describe('the SMTP listener', () => {
  test('takes a mail and writes the trace of a delivery agent on top', async () => {
    const { port, came } = await listen();
    const answers = await speak(port, [...HELLO, 'RCPT TO:<orders+K7F2@pbem.example.org>', 'DATA', ORDERS, 'QUIT']);
    expect(codes(answers)).toEqual([220, 250, 250, 250, 354, 250, 221]);
    expect(came.length).toBe(1);
    expect(came[0]!.envelope).toMatchObject({
      mailFrom: 'anna@example.com',
      rcptTo: ['orders+k7f2@pbem.example.org'],
      remoteAddress: '127.0.0.1',
    });
    const text = came[0]!.raw.toString('latin1');
    expect(text).toMatch(
      /^Return-Path: <anna@example.com>\r\nDelivered-To: orders\+k7f2@pbem.example.org\r\nReceived: /,
    );
    const message = await readInbound(came[0]!.raw, profile);
    expect(message.recipients).toEqual(['orders+k7f2@pbem.example.org']);
    expect(message.orderLines).toEqual(['GAME OVL-0007', 'TURN 3', 'END']);
  });

  test('answers 250 only after the mail is safe, 451 when it could not be stored', async () => {
    let release = (): void => {};
    const safe = new Promise<void>((resolve) => {
      release = resolve;
    });
    const order: string[] = [];
    const { port } = await listen({
      onMail: async () => {
        await safe;
        order.push('stored');
      },
    });
    const talk = speak(port, [...HELLO, 'RCPT TO:<orders@pbem.example.org>', 'DATA', ORDERS]).then((answers) => {
      order.push('answered');
      return answers;
    });
    await new Promise((resolve) => setTimeout(resolve, 400));
    expect(order).toEqual([]);
    release();
    expect(codes(await talk).at(-1)).toBe(250);
    expect(order).toEqual(['stored', 'answered']);
    await listener!.close();

    const broken = await listen({ onMail: () => Promise.reject(new Error('no store')) });
    const answers = await speak(broken.port, [...HELLO, 'RCPT TO:<orders@pbem.example.org>', 'DATA', ORDERS]);
    expect(codes(answers).at(-1)).toBe(451);
    expect(answers.at(-1)).not.toContain('no store');
  });

  test('only our own domain, the same words for every other address, every right tag', async () => {
    const { port, came } = await listen({ ownMailboxes: profile.ownMailboxes });
    const answers = await speak(port, [
      ...HELLO,
      'RCPT TO:<victim@example.net>',
      'RCPT TO:<nobody@pbem.example.org>',
      'RCPT TO:<orders@pbem.example.org.evil.example>',
      'RCPT TO:<orders%example.net@pbem.example.org>',
      'RCPT TO:<orders+@pbem.example.org>',
      'RCPT TO:<orders+any.thing-at_all=1@PBEM.example.org>',
      'RCPT TO:<postmaster@pbem.example.org>',
    ]);
    expect(codes(answers).slice(3)).toEqual([550, 550, 550, 550, 250, 250, 250]);
    expect(new Set(answers.slice(3, 7)).size).toBe(1);
    expect(came).toEqual([]);
  });

  test('refuses what is too large, announced or not, and reads on', async () => {
    const { port, came } = await listen({ limits: { size: 2000 } });
    const announced = await speak(port, ['EHLO c.example.com', 'MAIL FROM:<anna@example.com> SIZE=5000']);
    expect(codes(announced).at(-1)).toBe(552);
    const big = `From: a@example.com\r\n\r\n${'x'.repeat(70)}\r\n`.padEnd(6000, 'y\r\n');
    const answers = await speak(port, [
      ...HELLO,
      'RCPT TO:<orders@pbem.example.org>',
      'DATA',
      `${big}\r\n.`,
      'MAIL FROM:<anna@example.com>',
      'RCPT TO:<orders@pbem.example.org>',
      'DATA',
      ORDERS,
    ]);
    expect(codes(answers).slice(4)).toEqual([354, 552, 250, 250, 354, 250]);
    expect(came.length).toBe(1);
  });

  test('holds mail back by sender, by recipient, by host and overall, before it is read', async () => {
    const { port, came } = await listen({ limits: { senderBurst: 2, senderPerMinute: 1 } });
    const one = ['MAIL FROM:<anna@example.com>', 'RCPT TO:<orders@pbem.example.org>', 'DATA', ORDERS];
    const answers = await speak(port, ['EHLO c.example.com', ...one, ...one, 'MAIL FROM:<ANNA@example.com>']);
    expect(codes(answers).at(-1)).toBe(450);
    expect(codes(await speak(port, ['EHLO c.example.com', 'MAIL FROM:<bob@example.com>'])).at(-1)).toBe(250);
    expect(came.length).toBe(2);
    await listener!.close();

    for (const limits of [
      { hostBurst: 2, hostPerMinute: 1 },
      { overallBurst: 2, overallPerMinute: 1 },
    ]) {
      const { port: other } = await listen({ limits });
      const from = (n: number): string[] => [`MAIL FROM:<p${n}@example.com>`, 'RSET'];
      const said = await speak(other, ['EHLO c.example.com', ...from(1), ...from(2), ...from(3)]);
      expect(codes(said).slice(2)).toEqual([250, 250, 250, 250, 450, 250]);
      await listener!.close();
    }

    const { port: third } = await listen({ limits: { recipientBurst: 1, recipientPerMinute: 1 } });
    const said = await speak(third, [
      ...HELLO,
      'RCPT TO:<orders+A@pbem.example.org>',
      'RCPT TO:<orders+a@pbem.example.org>',
      'RCPT TO:<orders+b@pbem.example.org>',
    ]);
    expect(codes(said).slice(3)).toEqual([250, 450, 250]);
  });

  test('a rate recovers with time', async () => {
    let now = 0;
    const { port } = await listen({ limits: { senderBurst: 1, senderPerMinute: 1 }, now: () => new Date(now) });
    const once = ['EHLO c.example.com', 'MAIL FROM:<anna@example.com>'];
    expect(codes(await speak(port, once)).at(-1)).toBe(250);
    expect(codes(await speak(port, once)).at(-1)).toBe(450);
    now = 61_000;
    expect(codes(await speak(port, once)).at(-1)).toBe(250);
  });

  test('limits connections and recipients', async () => {
    const { port } = await listen({ limits: { clients: 1, recipients: 2 } });
    const held = net.connect(port, '127.0.0.1');
    await new Promise((resolve) => held.once('data', resolve));
    expect(codes(await speak(port, ['EHLO c.example.com']))[0]).toBe(421);
    held.destroy();
    await new Promise((resolve) => setTimeout(resolve, 100));
    const to = (n: number): string => `RCPT TO:<orders+${n}@pbem.example.org>`;
    expect(codes(await speak(port, [...HELLO, to(1), to(2), to(3)])).at(-1)).toBe(452);
  });

  /** Speaks a line again and again until the other side ends the connection; gives the last answer. */
  function nag(port: number, first: readonly string[], again: string): Promise<string> {
    return new Promise((resolve, reject) => {
      const socket = net.connect(port, '127.0.0.1');
      let said = '';
      const left = [...first];
      const timer = setInterval(() => socket.writable && socket.write(left.shift() ?? again), 40);
      socket.on('error', (problem) => (said.includes('421') ? undefined : reject(problem)));
      socket.on('data', (data) => {
        said += data.toString('latin1');
      });
      socket.on('close', () => {
        clearInterval(timer);
        resolve(said.trim().split('\r\n').at(-1) ?? '');
      });
    });
  }

  test('NOOP, RSET and a byte now and then keep no connection open', async () => {
    const limits = { stepMs: 400, dataMs: 400 };
    const { port, came } = await listen({ limits });
    const data = [...HELLO, 'RCPT TO:<orders@pbem.example.org>', 'DATA'].map((line) => `${line}\r\n`);
    const ends = await Promise.all([
      nag(port, [], 'NOOP\r\n'),
      nag(port, ['EHLO c.example.com\r\n'], 'RSET\r\n'),
      nag(port, data, 'x'),
    ]);
    for (const end of ends) expect(end).toMatch(/^421 /);
    expect(came).toEqual([]);
  });

  test('a session that always goes forward ends too', async () => {
    const { port } = await listen({ limits: { sessionMs: 600, senderBurst: 1000 } });
    expect(await nag(port, ['EHLO c.example.com\r\n'], 'MAIL FROM:<a@example.com>\r\nRSET\r\n')).toMatch(/^421 /);
  });

  test('one host holds only so many places, and no other host is kept out', async () => {
    const { port } = await listen({ limits: { hostClients: 2 } });
    const held = [net.connect(port, '127.0.0.1'), net.connect(port, '127.0.0.1')];
    for (const socket of held) await new Promise((resolve) => socket.once('data', resolve));
    expect(codes(await speak(port, ['EHLO c.example.com']))).toEqual([421]);
    const other = net.connect({ port, host: '127.0.0.1', localAddress: '127.0.0.2' });
    expect(String(await new Promise((resolve) => other.once('data', resolve)))).toMatch(/^220 /);
    for (const socket of [...held, other]) socket.destroy();
  });

  test('no rate is keyed on what a stranger says alone: who names a player’s address shuts nobody out', async () => {
    const limits = { senderBurst: 2, senderPerMinute: 1, recipientBurst: 2, recipientPerMinute: 1 };
    const { port } = await listen({ limits });
    const flood = ['MAIL FROM:<anna@example.com>', 'RCPT TO:<orders@pbem.example.org>', 'RSET'];
    const answers = await speak(port, ['EHLO evil.example.net', ...flood, ...flood, ...flood]);
    expect(codes(answers)).toContain(450);
    const said = await new Promise<string>((resolve) => {
      const socket = net.connect({ port, host: '127.0.0.1', localAddress: '127.0.0.3' });
      let all = '';
      const lines = [...HELLO, 'RCPT TO:<orders@pbem.example.org>', 'QUIT'];
      socket.on('data', (data) => {
        all += data.toString('latin1');
        if (/^\d{3} .*\r\n$/m.test(data.toString('latin1'))) socket.write(`${lines.shift() ?? 'QUIT'}\r\n`);
      });
      socket.on('close', () => resolve(all));
    });
    expect(said).not.toContain('450');
  });

  test.each([
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
    ['2001:db8:1:2::9', '2001:db8:1:2'],
    ['2001:db8::9', '2001:db8:0:0'],
    ['::1', '0:0:0:0'],
  ])('%s belongs to %s', (address, host) => expect(hostOf(address)).toBe(host));

  test('a bounce has the null sender, and no tricks with line ends smuggle a second mail', async () => {
    const { port, came } = await listen();
    await speak(port, [
      'EHLO c.example.com',
      'MAIL FROM:<>',
      'RCPT TO:<orders@pbem.example.org>',
      'DATA',
      'From: a@example.com\r\n\r\nfirst\n.\nMAIL FROM:<evil@example.net>\r\n..stuffed\r\n.',
    ]);
    expect(came.length).toBe(1);
    expect(came[0]!.envelope.mailFrom).toBe('');
    expect(came[0]!.raw.toString('latin1')).toMatch(/^Return-Path: <>\r\n/);
    expect(came[0]!.raw.toString('latin1')).toContain('first\n.\nMAIL FROM:<evil@example.net>\r\n.stuffed\r\n');
  });

  test('a greeting with line ends or brackets in it stays one harmless word', async () => {
    const { port, came } = await listen();
    await speak(port, [
      'EHLO a<b>"x:y',
      'MAIL FROM:<anna@example.com>',
      'RCPT TO:<orders@pbem.example.org>',
      'DATA',
      ORDERS,
    ]);
    expect(came[0]!.raw.toString('latin1').split('\r\n')[2]).toMatch(
      /^Received: from [A-Za-z0-9.:[\]-]+ \(\[127\.0\.0\.1\]\)$/,
    );
  });
});

test('LMTP takes a mail for several recipients and answers for each', async () => {
  const { port, came } = await listen({ lmtp: true });
  const transport = nodemailer.createTransport({ host: '127.0.0.1', port, lmtp: true, ignoreTLS: true });
  const to = ['orders+a@pbem.example.org', 'orders+b@pbem.example.org'];
  const info = await transport.sendMail({ raw: mail({}, 'HELP\n'), envelope: { from: 'anna@example.com', to } });
  transport.close();
  expect(info.accepted).toEqual(to);
  expect(came[0]!.envelope.rcptTo).toEqual(to);
  expect((await readInbound(came[0]!.raw, profile)).recipients).toEqual(['orders@pbem.example.org', ...to]);
});
