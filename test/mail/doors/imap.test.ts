/**
 * The intake from IMAP against a real Dovecot: goal is that whatever happens to the server, each mail reaches the
 * receiver at least once, and a receiver that knows copies has it exactly once.
 */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sha256 } from '../../../src/kernel/hash.ts';
import { type ImapIntake, type ImapOptions, startImap } from '../../../src/mail/doors/imap.ts';
import { corpusRecord, readInbound } from '../../../src/mail/inbound.ts';
import { type Dovecot, dovecotAvailable, startDovecot } from '../../helpers/dovecot.ts';
import { listeningLog } from '../log.ts';
import { corpus, mail, profile } from '../mails.ts';

const here = dovecotAvailable();

/** A receiver as the store is one: it knows copies by their content. */
function receiver() {
  const kept: string[] = [];
  const digests = new Set<string>();
  let calls = 0;
  return {
    kept,
    calls: () => calls,
    async take(raw: Buffer): Promise<'done'> {
      calls++;
      const digest = sha256(raw);
      if (!digests.has(digest)) {
        digests.add(digest);
        kept.push(/NOTE n(\d+)/.exec(raw.toString('latin1'))?.[1] ?? '');
      }
      return 'done';
    },
  };
}

function numbered(from: number, count: number): Buffer[] {
  return Array.from({ length: count }, (_, i) =>
    mail({ 'Message-ID': `<n${from + i}@example.com>` }, `GAME OVL-0007\nTURN 3\nNOTE n${from + i}\nEND\n`),
  );
}

const numbers = (count: number): string[] => Array.from({ length: count }, (_, i) => String(i));

async function until(what: () => boolean | Promise<boolean>, seconds = 20): Promise<void> {
  const end = Date.now() + seconds * 1000;
  while (!(await what())) {
    if (Date.now() > end) throw new Error('waited in vain');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

describe.skipIf(!here)('mail from a real Dovecot', () => {
  let dovecot: Dovecot;
  let intake: ImapIntake | undefined;
  const log = listeningLog();

  beforeAll(async () => {
    dovecot = await startDovecot();
  });
  afterAll(() => dovecot?.stop());
  beforeEach(async () => {
    log.entries.length = 0;
    const client = await dovecot.client();
    for (const folder of ['INBOX', 'Processed', 'Rejected']) {
      await client.mailboxOpen(folder);
      await client.messageDelete('1:*');
    }
    await client.logout();
  });
  afterEach(async () => {
    await intake?.close();
    intake = undefined;
  });

  function start(options: Partial<ImapOptions> & Pick<ImapOptions, 'onMail'>): ImapIntake {
    intake = startImap({
      url: dovecot.url,
      log,
      sizeMax: 2 * 1024 * 1024,
      pollSeconds: 60,
      answerSeconds: 5,
      backoff: { firstMs: 50, mostMs: 400 },
      onAuthFailure: () => {},
      ...options,
    });
    return intake;
  }

  test.each(['APPEND', 'LMTP'])('the corpus reads the same after a trip by %s', async (way) => {
    const entries = corpus();
    // Dovecot turns NUL into 0x80; that is known and not ours.
    const sent = entries.map(({ raw }) => Buffer.from(raw.toString('latin1').replaceAll('\0', ''), 'latin1'));
    await (way === 'APPEND' ? dovecot.append(sent) : dovecot.deliver(sent));
    const came: Buffer[] = [];
    const keep = async (raw: Buffer): Promise<'done'> => {
      came.push(raw);
      return 'done';
    };
    await start({ onMail: keep }).drained();
    expect(came.length).toBe(entries.length);
    for (const [i, { name }] of entries.entries()) {
      const before = corpusRecord(await readInbound(sent[i]!, profile));
      expect({ name, ...corpusRecord(await readInbound(came[i]!, profile)) }).toEqual({ name, ...before });
    }
  });

  test('a mail is pushed by IDLE, long before the next poll, and moved to Processed', async () => {
    const inbox = receiver();
    const times: Date[] = [];
    const take = async (raw: Buffer, receivedAt: Date): Promise<'done'> => {
      times.push(receivedAt);
      return inbox.take(raw);
    };
    await start({ onMail: take }).drained();
    await dovecot.deliver(numbered(0, 1));
    await until(() => inbox.kept.length === 1, 5);
    // The server's time of receipt, whatever the Date header claims.
    expect(Math.abs(times[0]!.getTime() - Date.now())).toBeLessThan(60_000);
    await until(async () => (await dovecot.count('Processed')) === 1);
    expect(await dovecot.count('INBOX')).toBe(0);
  });

  test('what the receiver rejects goes to Rejected', async () => {
    await dovecot.append(numbered(0, 3));
    const verdicts = ['done', 'rejected', 'done'] as const;
    let n = 0;
    await start({ onMail: async () => verdicts[n++]! }).drained();
    await until(async () => (await dovecot.count('Processed')) === 2 && (await dovecot.count('Rejected')) === 1);
  });

  const killed = async (d: Dovecot): Promise<void> => {
    await d.kill();
    await pause(200);
    await d.start();
  };
  const frozen = async (d: Dovecot): Promise<void> => {
    d.freeze();
    await pause(3500);
    d.thaw();
  };
  const restarted = async (d: Dovecot): Promise<void> => {
    await killed(d);
    await pause(150);
    await killed(d);
  };
  test.each([
    ['killed', killed],
    ['frozen', frozen],
    ['restarted', restarted],
  ])('a server that is %s under load loses no mail and doubles none', async (what, trouble) => {
    await dovecot.append(numbered(0, 120));
    const inbox = receiver();
    const running = start({
      answerSeconds: what === 'frozen' ? 2 : 5,
      onMail: async (raw) => {
        await pause(2);
        return inbox.take(raw);
      },
    });
    await until(() => inbox.calls() >= 30);
    await trouble(dovecot);
    await dovecot.deliver(numbered(120, 30));
    await until(() => inbox.kept.length === 150);
    await until(async () => (await dovecot.count('INBOX')) === 0);
    expect([...inbox.kept].sort((a, b) => Number(a) - Number(b))).toEqual(numbers(150));
    expect(await dovecot.count('Processed')).toBe(150);
    await until(() => running.state() === 'idle');
  });

  test('a server that freezes while nothing happens is noticed by the poll', async () => {
    const inbox = receiver();
    await start({ onMail: inbox.take, pollSeconds: 1, answerSeconds: 1 }).drained();
    dovecot.freeze();
    await until(() => intake!.state() !== 'idle', 8);
    dovecot.thaw();
    await dovecot.deliver(numbered(0, 1));
    await until(() => inbox.kept.length === 1);
  });

  test('a wrong password is told once and not tried again at once', async () => {
    const told: string[] = [];
    const before = dovecot.failedLogins();
    start({
      url: dovecot.url.replace(':pw@', ':wrong@'),
      onMail: async () => 'done',
      onAuthFailure: (message) => told.push(message),
    });
    await until(() => told.length === 1);
    await pause(1500);
    expect(told.length).toBe(1);
    expect(told[0]).not.toContain('wrong');
    expect(intake!.state()).toBe('auth-failed');
    expect(dovecot.failedLogins() - before).toBe(1);
  });

  test('a renumbered inbox (new UIDVALIDITY) is read anew', async () => {
    const inbox = receiver();
    await start({ onMail: inbox.take }).drained();
    await dovecot.deliver(numbered(0, 5));
    await until(async () => inbox.kept.length === 5 && (await dovecot.count('INBOX')) === 0);
    await dovecot.kill();
    dovecot.renumber();
    await dovecot.start();
    await dovecot.append(numbered(5, 5));
    await until(() => inbox.kept.length === 10);
    await until(async () => (await dovecot.count('INBOX')) === 0);
    expect(log.entries.some((entry) => entry.message.includes('renumbered'))).toBe(true);
    expect(inbox.kept).toEqual(numbers(10));
  });

  test('an oversized mail goes to Rejected unread, its headers can be answered', async () => {
    const big = mail({ Subject: 'a photo' }, 'x'.repeat(300_000));
    await dovecot.append([...numbered(0, 1), big, ...numbered(1, 1)]);
    const inbox = receiver();
    const heads: string[] = [];
    await start({
      sizeMax: 100_000,
      onMail: inbox.take,
      onOversize: async (head, _at, size) => void heads.push(`${size > 300_000} ${head.toString('latin1')}`),
    }).drained();
    expect(inbox.kept).toEqual(['0', '1']);
    expect(heads.length).toBe(1);
    expect(heads[0]).toMatch(/^true [\s\S]*Subject: a photo\r\n[\s\S]*\r\n\r\n$/);
    await until(async () => (await dovecot.count('Rejected')) === 1);
  });

  test('while the store is down mails stay in the inbox and their order is kept', async () => {
    await dovecot.append(numbered(0, 6));
    const inbox = receiver();
    let down = true;
    let tries = 0;
    start({
      onMail: async (raw) => {
        tries++;
        if (down) throw new Error('no store');
        return inbox.take(raw);
      },
    });
    await until(() => tries >= 6);
    expect(await dovecot.count('INBOX')).toBe(6);
    down = false;
    await until(() => inbox.kept.length === 6);
    expect(inbox.kept).toEqual(numbers(6));
  });

  test('a mail that fails again and again while others go through is set aside', async () => {
    await dovecot.append(numbered(0, 4));
    const inbox = receiver();
    start({
      onMail: async (raw) => {
        if (raw.includes('NOTE n1')) throw new Error('poison');
        return inbox.take(raw);
      },
    });
    await until(async () => (await dovecot.count('Rejected')) === 1);
    await until(async () => (await dovecot.count('INBOX')) === 0);
    expect(inbox.kept).toEqual(['0', '2', '3']);
  });
});

test('outside this machine a connection without TLS is refused before the password is sent', async () => {
  const { createServer } = await import('node:net');
  const heard: string[] = [];
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.on('data', (data) => {
      heard.push(data.toString());
      const tag = data.toString().split(' ')[0];
      socket.write(`* CAPABILITY IMAP4rev1 AUTH=PLAIN\r\n${tag} OK done\r\n`);
    });
    socket.write('* OK [CAPABILITY IMAP4rev1 AUTH=PLAIN] hello\r\n');
  });
  await new Promise<void>((resolve) => server.listen(0, '0.0.0.0', resolve));
  const port = (server.address() as { port: number }).port;
  const { networkInterfaces } = await import('node:os');
  const own = Object.values(networkInterfaces())
    .flat()
    .find((entry) => entry && entry.family === 'IPv4' && !entry.internal)?.address;
  // 0.0.0.0 reaches this machine and isn't a loopback name, for machines without another address.
  const log = listeningLog();
  const intake = startImap({
    url: `imap://orders:secret@${own ?? '0.0.0.0'}:${port}/INBOX`,
    log,
    sizeMax: 1000,
    onMail: async () => 'done',
    backoff: { firstMs: 50, mostMs: 100 },
    onAuthFailure: () => {},
  });
  await until(() => log.entries.length > 0);
  await intake.close();
  await new Promise((resolve) => server.close(resolve));
  expect(heard.join('')).not.toContain('secret');
  expect(heard.join('')).not.toMatch(/LOGIN|AUTHENTICATE/);
});
