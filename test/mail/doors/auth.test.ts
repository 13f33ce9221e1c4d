import { generateKeyPairSync } from 'node:crypto';
import nodemailer from 'nodemailer';
import { describe, expect, test } from 'vitest';
import { type Resolver, verifySender } from '../../../src/mail/doors/auth.ts';
import { readInbound } from '../../../src/mail/inbound.ts';
import { mail, profile } from '../mails.ts';

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const key = publicKey.export({ type: 'spki', format: 'der' }).toString('base64');

const records: Record<string, string> = {
  'example.com/TXT': 'v=spf1 ip4:192.0.2.10 -all',
  '_dmarc.example.com/TXT': 'v=DMARC1; p=reject',
  's1._domainkey.example.com/TXT': `v=DKIM1; k=rsa; p=${key}`,
  'evil.example.net/TXT': 'v=spf1 ip4:203.0.113.9 -all',
};
const resolver: Resolver = async (name, type) => {
  const record = records[`${name}/${type}`];
  if (record === undefined) throw Object.assign(new Error('none'), { code: 'ENOTFOUND' });
  return [[record]];
};
const silent: Resolver = async () => {
  throw Object.assign(new Error('no answer'), { code: 'ETIMEOUT' });
};

async function signed(text: string): Promise<Buffer> {
  const transport = nodemailer.createTransport({
    streamTransport: true,
    buffer: true,
    newline: 'windows',
    dkim: {
      domainName: 'example.com',
      keySelector: 's1',
      privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    },
  });
  const info = await transport.sendMail({
    from: 'anna@example.com',
    to: 'orders@pbem.example.org',
    subject: 'x',
    text,
  });
  return info.message as Buffer;
}

const ORDERS = 'GAME OVL-0007\nTURN 3\nEND\n';
const plain = (): Buffer => mail({ 'Authentication-Results': [] }, ORDERS);
const from = (remoteAddress: string, mailFrom: string) => ({
  remoteAddress,
  mailFrom,
  rcptTo: ['orders@pbem.example.org'],
  helo: 'out.example.com',
});
const options = { receivingHost: profile.receivingHost, verify: true, resolver };

describe('verifying a sender as the mail exchanger', () => {
  test.each([
    ['from the host of the domain', '192.0.2.10', 'anna@example.com', 'pass', 'orders'],
    ['from another host', '203.0.113.9', 'anna@example.com', 'fail', 'reject'],
    ['with a valid envelope of another domain', '203.0.113.9', 'x@evil.example.net', 'fail', 'reject'],
  ])('%s', async (_, ip, envelopeFrom, dmarc, kind) => {
    const verified = await verifySender(plain(), from(ip, envelopeFrom), options);
    expect(verified.dmarc).toBe(dmarc);
    const message = await readInbound(verified.raw, profile);
    expect([message.dmarc, message.kind]).toEqual([dmarc, kind]);
  });

  test('a signature passes from anywhere, and fails once a word is changed', async () => {
    const good = await signed(ORDERS);
    expect((await verifySender(good, from('203.0.113.9', 'list@lists.example.net'), options)).dmarc).toBe('pass');
    const changed = Buffer.from(good.toString('latin1').replace('TURN 3', 'TURN 4'), 'latin1');
    expect((await verifySender(changed, from('203.0.113.9', 'list@lists.example.net'), options)).dmarc).toBe('fail');
  });

  test('a DNS that does not answer is no refusal', async () => {
    const verified = await verifySender(plain(), from('192.0.2.10', 'anna@example.com'), {
      ...options,
      resolver: silent,
    });
    expect(verified.dmarc).toBe('temperror');
    expect((await readInbound(verified.raw, profile)).kind).toBe('orders');
  });

  test('what the mail says of itself counts for nothing, verified or not', async () => {
    const claim = { 'Authentication-Results': 'mx.pbem.example.org; dmarc=pass header.from=example.com' };
    const forged = mail(claim, ORDERS);
    const unverified = await verifySender(forged, from('203.0.113.9', 'x@evil.example.net'), {
      ...options,
      verify: false,
    });
    expect((await readInbound(unverified.raw, profile)).dmarc).toBe('none');
    const verified = await verifySender(forged, from('203.0.113.9', 'x@evil.example.net'), options);
    expect((await readInbound(verified.raw, profile)).reason).toBe('spoof');
  });

  test.each([
    ['nothing', ''],
    ['no header', '\r\nGAME OVL-0007\r\n'],
    ['two From headers', 'From: a@example.com\r\nFrom: b@example.com\r\n\r\nx'],
    ['a broken signature', 'From: a@example.com\r\nDKIM-Signature: v=1; a=rsa-sha256; b=;;;=\r\n\r\nx'],
  ])('%s does not throw', async (_, text) => {
    const verified = await verifySender(Buffer.from(text), from('203.0.113.9', 'anna@example.com'), options);
    expect(verified.dmarc).not.toBe('pass');
  });
});
