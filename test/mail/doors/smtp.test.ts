import { generateKeyPairSync } from 'node:crypto';
import net from 'node:net';
import { authenticate } from 'mailauth';
import { SMTPServer } from 'smtp-server';
import { afterEach, describe, expect, test } from 'vitest';
import { parseFields } from '../../../src/mail/bytes/headers.ts';
import { splitMail } from '../../../src/mail/bytes/mime.ts';
import { composeMail, flow, type OutMail, openSender } from '../../../src/mail/doors/smtp.ts';
import { readInbound } from '../../../src/mail/inbound.ts';
import { unflow } from '../../../src/mail/lines/unflow.ts';
import { listeningLog } from '../log.ts';
import { profile } from '../mails.ts';

const TEXT = [
  'Turn 3 of Overlord — your corps stands at Čáslav.',
  '  indented table   with   columns',
  '> a line that looks quoted',
  'From here on all is well.',
  `MOVE ${Array.from({ length: 20 }, (_, i) => `F${1411 + i}`).join(' -> ')}`,
  'x'.repeat(200),
  '',
  '-- ',
  'The club',
].join('\n');

const out: OutMail = {
  from: { name: 'Club, the "best"', address: 'orders+k7f2@pbem.example.org' },
  to: { name: 'Jörg', address: 'joerg@example.net' },
  subject: 'Receipt 17 — Čáslav',
  text: TEXT,
  html: '<p>Turn 3 <img src="cid:map@club"></p>',
  attachments: [
    { filename: 'orders.txt', contentType: 'text/plain; charset=utf-8', content: Buffer.from('GAME OVL-0007\nEND\n') },
    { filename: 'map.png', contentType: 'image/png', content: Buffer.from([0x89, 0x50]), cid: 'map@club' },
  ],
  messageId: '<r17.ovl7@pbem.example.org>',
  inReplyTo: '<s01@example.com>',
  references: ['<s00@example.com>'],
  date: new Date('2026-03-03T18:12:44Z'),
  kind: 'receipt',
  loopHeader: profile.loopHeader,
  envelopeFrom: '',
  unsubscribe: { links: ['mailto:orders+k7f2@pbem.example.org?subject=RESIGN'], oneClick: false },
};

async function headersOf(bytes: Buffer): Promise<Record<string, string>> {
  const end = bytes.indexOf('\r\n\r\n');
  return Object.fromEntries(parseFields(bytes.subarray(0, end)).map(({ name, value }) => [name, value]));
}

describe('composing', () => {
  test('a mail carries thread, marks of a robot and our own marker', async () => {
    const bytes = await composeMail(out);
    const headers = await headersOf(bytes);
    expect(headers).toMatchObject({
      'message-id': '<r17.ovl7@pbem.example.org>',
      'in-reply-to': '<s01@example.com>',
      references: '<s00@example.com> <s01@example.com>',
      'auto-submitted': 'auto-replied',
      'x-auto-response-suppress': 'All',
      'x-pbem-loop': 'pbem.example.org',
      'list-unsubscribe': '<mailto:orders+k7f2@pbem.example.org?subject=RESIGN>',
      date: 'Tue, 03 Mar 2026 18:12:44 +0000',
    });
    expect(headers.precedence).toBeUndefined();
    expect(headers['return-path']).toBeUndefined();
    expect(bytes.toString('latin1')).not.toMatch(/[^\r]\n/);
    // RFC 3834: what answers a mail is a reply, whatever it holds; what nobody asked for is generated.
    const { inReplyTo: _, ...unasked } = out;
    for (const [mail, mark] of [
      [{ ...out, kind: 'report' as const }, 'auto-replied'],
      [{ ...unasked, kind: 'report' as const }, 'auto-generated'],
      [{ ...unasked, kind: 'notice' as const }, 'auto-generated'],
      [{ ...unasked, kind: 'receipt' as const }, 'auto-replied'],
    ] as const)
      expect((await headersOf(await composeMail(mail)))['auto-submitted']).toBe(mark);
  });

  test('the same mail gives the same bytes', async () => {
    expect((await composeMail(out)).equals(await composeMail(out))).toBe(true);
  });

  test('our own reader knows it as a loop, and finds text, page, form and picture in it', async () => {
    const bytes = await composeMail(out);
    expect((await readInbound(bytes, profile)).kind).toBe('loop');
    const { leaves } = await splitMail(bytes);
    expect(leaves.map((leaf) => leaf.type)).toEqual(['text/plain', 'text/html', 'image/png', 'text/plain']);
    const [text] = leaves;
    expect(text!.flowed).toBe(true);
    const lines = unflow(text!.bytes().toString('utf8').split('\r\n'), false, () => false);
    expect(lines.join('\n')).toBe(TEXT);
    expect(leaves[3]!.fileName).toBe('orders.txt');
    expect(leaves[3]!.bytes().toString()).toBe('GAME OVL-0007\nEND\n');
  });

  test('text that is flowed already goes out as it is, with its soft line ends', async () => {
    const text = 'A paragraph that goes on \nin the next line.\n  1 ok\n-- \nThe club\n';
    const { leaves } = await splitMail(await composeMail({ ...out, text, flowed: true }));
    expect(leaves[0]!.flowed).toBe(true);
    expect(leaves[0]!.bytes().toString('utf8').trimEnd()).toBe(text.replaceAll('\n', '\r\n').trimEnd());
    const lines = unflow(text.split('\n'), false, () => false);
    expect(lines.slice(0, 2)).toEqual(['A paragraph that goes on in the next line.', ' 1 ok']);
  });

  test('flowed lines are never longer than 78 columns where there is a blank to break at', () => {
    for (const line of flow(TEXT).split('\r\n')) if (line.includes(' ')) expect(line.length).toBeLessThanOrEqual(78);
  });

  test('an optional mail of a list can be left with one click, and both fields are signed', async () => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const bytes = await composeMail({
      ...out,
      list: { name: 'Overlord: the <campaign>', id: 'ovl-0001.pbem.example.org' },
      unsubscribe: { links: ['https://pbem.example.org/unsubscribe/x', 'mailto:a@b.example'], oneClick: true },
      dkim: {
        domain: 'pbem.example.org',
        selector: 's1',
        privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
      },
    });
    const headers = await headersOf(bytes);
    expect(headers).toMatchObject({
      'list-id': 'Overlord: the  campaign  <ovl-0001.pbem.example.org>',
      'list-unsubscribe': '<https://pbem.example.org/unsubscribe/x>, <mailto:a@b.example>',
      'list-unsubscribe-post': 'List-Unsubscribe=One-Click',
    });
    const signed = /\bh=([^;]*);/.exec(headers['dkim-signature']!)![1]!.replace(/\s+/g, '').toLowerCase();
    expect(signed.split(':')).toEqual(expect.arrayContaining(['list-unsubscribe', 'list-unsubscribe-post', 'list-id']));
  });

  test('nothing in a name, subject, file name or reference makes a header or a recipient', async () => {
    const evil = 'x\r\nBcc: victim@example.net\r\n\r\nbody';
    const bytes = await composeMail({
      ...out,
      from: { name: evil, address: out.from.address },
      to: { name: evil, address: out.to.address },
      subject: evil,
      references: [evil, '<ok@example.com>', '<a@b>\r\nBcc: c@d'],
      attachments: [{ filename: `../${evil}.txt`, contentType: 'text/plain', content: Buffer.from('x') }],
      loopHeader: `X-Loop: ${evil}`,
    });
    const headers = await headersOf(bytes);
    expect(headers.bcc).toBeUndefined();
    expect(headers.references).toBe('<ok@example.com> <s01@example.com>');
    expect(bytes.toString('latin1')).not.toMatch(/^Bcc:/im);
    const { leaves } = await splitMail(bytes);
    expect(leaves.find((leaf) => leaf.disposition === 'attachment')!.fileName).not.toMatch(/[\r\n/\\]/);
  });

  test.each([
    ['a recipient with a second one', { to: { address: 'a@example.com\r\nBcc: v@example.net' } }],
    ['a recipient list', { to: { address: 'a@example.com, b@example.com' } }],
    ['a sender without domain', { from: { address: 'orders' } }],
    ['a Message-ID with a line end', { messageId: '<a@b>\r\nX: y' }],
    ['a reply to no Message-ID', { inReplyTo: 'hello' }],
    ['a marker that is no header name', { loopHeader: 'X Loop\r\nBcc: v@example.net' }],
    ['a link that is none', { unsubscribe: { links: ['javascript:alert(1)'], oneClick: false } }],
    ['a list with a line end', { list: { name: 'x', id: 'a.b\r\nBcc: v@example.net' } }],
  ])('%s is our own fault and throws', async (_, change) => {
    await expect(composeMail({ ...out, ...change })).rejects.toThrow(/composeMail/);
  });

  test('a signed mail verifies', async () => {
    const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const key = publicKey.export({ type: 'spki', format: 'der' }).toString('base64');
    const bytes = await composeMail({
      ...out,
      dkim: {
        domain: 'pbem.example.org',
        selector: 'k1',
        privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
      },
    });
    const result = await authenticate(bytes, {
      ip: '192.0.2.10',
      sender: 'bounces@pbem.example.org',
      mta: 'mx.example.net',
      disableArc: true,
      disableBimi: true,
      resolver: async (name: string, type: string) => {
        if (name === 'k1._domainkey.pbem.example.org' && type === 'TXT') return [[`v=DKIM1; k=rsa; p=${key}`]];
        throw Object.assign(new Error('none'), { code: 'ENOTFOUND' });
      },
    });
    expect(result.dkim!.results[0]!.status.result).toBe('pass');
  });
});

describe('sending', () => {
  const closers: (() => Promise<void> | void)[] = [];
  afterEach(async () => {
    for (const close of closers.splice(0).reverse()) await close();
  });

  /** A server that answers a recipient by the digits in its local part: `u450@…` gets 450, others are taken. */
  async function server(kept: { from: string; to: string[]; raw: Buffer }[]): Promise<string> {
    const smtp = new SMTPServer({
      disabledCommands: ['AUTH', 'STARTTLS'],
      disableReverseLookup: true,
      onRcptTo: (address, _session, callback) => {
        const code = Number(/^u(\d{3})@/.exec(address.address)?.[1] ?? 250);
        callback(code === 250 ? null : Object.assign(new Error('as asked'), { responseCode: code }));
      },
      onData: (stream, session, callback) => {
        const chunks: Buffer[] = [];
        stream.on('data', (chunk: Buffer) => chunks.push(chunk));
        stream.on('end', () => {
          const { mailFrom, rcptTo } = session.envelope;
          kept.push({
            from: mailFrom ? mailFrom.address : '',
            to: rcptTo.map((to) => to.address),
            raw: Buffer.concat(chunks),
          });
          callback();
        });
      },
    });
    await new Promise<void>((resolve) => smtp.listen(0, '127.0.0.1', resolve));
    closers.push(() => new Promise<void>((resolve) => smtp.close(resolve)));
    return `smtp://127.0.0.1:${(smtp.server.address() as net.AddressInfo).port}`;
  }

  function sender(url: string, rate?: { perMinute?: number; perDomainPerMinute?: number }) {
    const opened = openSender({ url, log: listeningLog(), ...(rate ? { rate } : {}) });
    closers.push(() => opened.close());
    return opened;
  }

  test('the very bytes go to the one recipient, with the null sender where asked', async () => {
    const kept: { from: string; to: string[]; raw: Buffer }[] = [];
    const { send } = sender(await server(kept));
    const bytes = await composeMail(out);
    expect(await send(bytes, { from: '', to: 'joerg@example.net' })).toMatchObject({ ok: true });
    expect(await send(bytes, { from: 'bounces+17@pbem.example.org', to: 'a@example.com' })).toMatchObject({ ok: true });
    expect(kept.map(({ from, to }) => [from, to])).toEqual([
      ['', ['joerg@example.net']],
      ['bounces+17@pbem.example.org', ['a@example.com']],
    ]);
    // The DATA command ends the last line, where the mail didn't.
    expect(kept[0]!.raw.toString('latin1').trimEnd()).toBe(bytes.toString('latin1').trimEnd());
  });

  test('4xx is worth another try, 5xx is not, our own login is nobody else’s fault', async () => {
    const { send } = sender(await server([]));
    const bytes = await composeMail(out);
    const say = (to: string) => send(bytes, { from: '', to });
    expect(await say('u450@example.com')).toMatchObject({ ok: false, permanent: false });
    expect(await say('u452@example.com')).toMatchObject({ ok: false, permanent: false });
    expect(await say('u550@example.com')).toMatchObject({ ok: false, permanent: true });
    expect(await say('u530@example.com')).toMatchObject({ ok: false, permanent: false });
    expect(await say('a@b, c@d')).toMatchObject({ ok: false, permanent: true });
  });

  test('no server, a server that hangs up after the data, a wrong greeting: not permanent', async () => {
    const bytes = await composeMail(out);
    expect(await sender('smtp://127.0.0.1:1').send(bytes, { from: '', to: 'a@example.com' })).toMatchObject({
      ok: false,
      permanent: false,
    });
    let got = '';
    const rude = net.createServer((socket) => {
      socket.on('error', () => {});
      socket.write('220 hello\r\n');
      let data = false;
      socket.on('data', (chunk) => {
        const text = chunk.toString('latin1');
        got += text;
        if (data && got.endsWith('\r\n.\r\n')) socket.destroy();
        else if (/^DATA/m.test(text)) {
          data = true;
          socket.write('354 go on\r\n');
        } else if (!data) socket.write('250 ok\r\n');
      });
    });
    await new Promise<void>((resolve) => rude.listen(0, '127.0.0.1', resolve));
    closers.push(() => new Promise<void>((resolve) => void rude.close(() => resolve())));
    const url = `smtp://127.0.0.1:${(rude.address() as net.AddressInfo).port}`;
    expect(await sender(url).send(bytes, { from: '', to: 'a@example.com' })).toMatchObject({
      ok: false,
      permanent: false,
    });
    expect(got).toContain('Message-ID: <r17.ovl7@pbem.example.org>');
  });

  test('our own rate holds mails back without asking the server', async () => {
    const kept: { from: string; to: string[]; raw: Buffer }[] = [];
    const { send } = sender(await server(kept), { perDomainPerMinute: 6 });
    const bytes = await composeMail(out);
    expect(await send(bytes, { from: '', to: 'a@example.com' })).toMatchObject({ ok: true });
    expect(await send(bytes, { from: '', to: 'b@example.com' })).toMatchObject({ ok: false, permanent: false });
    expect(await send(bytes, { from: '', to: 'b@example.net' })).toMatchObject({ ok: true });
    expect(kept.length).toBe(2);
  });
});
