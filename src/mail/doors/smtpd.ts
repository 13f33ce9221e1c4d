/**
 * The front door: takes mail by SMTP or LMTP. A mail is acknowledged only once it is safe, and refused before it costs
 * anything: by size, by rate, by address.
 */
import { SMTPServer, type SMTPServerAddress, type SMTPServerSession } from 'smtp-server';
import { MAIL_BYTES_MAX } from '../bytes/mime.ts';
import type { Log } from '../log.ts';
import { isPlainAddress } from '../sender/address.ts';
import { hostOf, openPatience, type PatienceLimits } from './patience.ts';
import { rateLimit } from './rates.ts';

/** What the listener allows. Rates are mails a minute on average; the burst is what may come at once. */
interface ListenerLimits extends PatienceLimits {
  /** Bytes of a mail. */
  size: number;
  recipients: number;
  /** Connections at a time. */
  clients: number;
  overallPerMinute: number;
  overallBurst: number;
  /** By sending host (SMTP only: behind LMTP all mail comes from one host). */
  hostPerMinute: number;
  hostBurst: number;
  /** By envelope sender, for each sending host: nobody can use up what another host may send (SMTP only). */
  senderPerMinute: number;
  senderBurst: number;
  /** By recipient, tag included, for each sending host, so that no host can flood one seat (SMTP only). */
  recipientPerMinute: number;
  recipientBurst: number;
  /** Milliseconds a silent connection is kept. */
  idleMs: number;
}

const LISTENER_LIMITS: ListenerLimits = {
  size: MAIL_BYTES_MAX,
  recipients: 10,
  clients: 200,
  hostClients: 20,
  overallPerMinute: 6000,
  overallBurst: 3000,
  hostPerMinute: 600,
  hostBurst: 600,
  senderPerMinute: 20,
  senderBurst: 60,
  recipientPerMinute: 30,
  recipientBurst: 90,
  idleMs: 60_000,
  sessionMs: 15 * 60_000,
  stepMs: 2 * 60_000,
  dataMs: 5 * 60_000,
};

/** The envelope of a mail, as the sending host gave it. Addresses in lower case. */
export interface Envelope {
  /** Empty for the null sender. */
  mailFrom: string;
  rcptTo: string[];
  remoteAddress: string;
  /** What the sending host calls itself. */
  helo: string;
}

export interface ListenerOptions {
  host: string;
  /** 0 for any free port. */
  port: number;
  lmtp: boolean;
  ownDomain: string;
  /** Local parts that are accepted, with or without tag; all of them when absent. */
  ownMailboxes?: readonly string[];
  /** Offers STARTTLS. */
  tls?: { key: string | Buffer; cert: string | Buffer };
  limits?: Partial<ListenerLimits>;
  log: Log;
  now?: () => Date;
  /** Resolves once the mail is safe (answered 250); rejects to have it sent again later (451). */
  onMail(raw: Buffer, envelope: Envelope): Promise<void>;
}

export interface Listener {
  port: number;
  close(): Promise<void>;
}

/** An answer with its code. The words are the same whatever the reason, so that nobody learns which addresses exist. */
function refusal(code: number, text: string): Error & { responseCode: number } {
  return Object.assign(new Error(text), { responseCode: code });
}

/**
 * Starts the listener. `raw` is the mail with the trace that a delivery agent writes on top of it: Return-Path,
 * Delivered-To for each recipient, Received.
 */
export async function startListener(options: ListenerOptions): Promise<Listener> {
  const limits = { ...LISTENER_LIMITS, ...options.limits };
  const now = options.now ?? (() => new Date());
  const admit = admission(options, limits, now);
  const patience = openPatience(limits, options.lmtp, () => server.connections);
  const server = new SMTPServer({
    name: options.ownDomain,
    lmtp: options.lmtp,
    ...(options.tls ? { key: options.tls.key, cert: options.tls.cert } : {}),
    disabledCommands: options.tls ? ['AUTH'] : ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    logger: false,
    size: limits.size,
    rejectOversized: true,
    maxRecipients: limits.recipients,
    maxClients: limits.clients,
    socketTimeout: limits.idleMs,
    closeTimeout: 5000,
    onConnect: (session, callback) =>
      callback(patience.admits(session) ? null : refusal(421, '4.7.0 Too many connections of yours, try again later')),
    onClose: (session) => patience.ended(session),
    onMailFrom: (address, session, callback) => {
      const refused = admit.sender(address.address, session);
      if (!refused) patience.step(session);
      callback(refused);
    },
    onRcptTo: (address, session, callback) => {
      const refused = admit.recipient(address.address, session);
      if (!refused) patience.step(session);
      callback(refused);
    },
    onData: (stream, session, callback) => {
      patience.step(session, 'data');
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => {
        if (stream.sizeExceeded) chunks.length = 0;
        else chunks.push(chunk);
      });
      stream.on('error', () => callback(refusal(451, '4.3.0 The mail was cut off')));
      stream.on('end', () => {
        patience.step(session);
        if (stream.sizeExceeded) return callback(refusal(552, '5.3.4 The mail is too large'));
        const envelope = envelopeOf(session);
        const raw = Buffer.concat([trace(envelope, session, options, now()), ...chunks]);
        options.onMail(raw, envelope).then(
          () => callback(null, '2.0.0 Accepted'),
          (error: unknown) => {
            options.log.error({ error: String(error) }, 'a mail could not be stored and was put off');
            callback(refusal(451, '4.3.0 Try again later'));
          },
        );
      });
    },
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, options.host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  server.on('error', (error) => options.log.warn({ error: error.message }, 'a connection of the mail listener failed'));
  const address = server.server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : options.port,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

function admission(options: ListenerOptions, limits: ListenerLimits, now: () => Date) {
  const overall = rateLimit(limits.overallPerMinute, limits.overallBurst);
  const byHost = rateLimit(limits.hostPerMinute, limits.hostBurst);
  const bySender = rateLimit(limits.senderPerMinute, limits.senderBurst);
  const byRecipient = rateLimit(limits.recipientPerMinute, limits.recipientBurst);
  const slow = (): Error => refusal(450, '4.7.1 Too many mails, try again later');
  const domain = `@${options.ownDomain.toLowerCase()}`;
  const mailboxes = options.ownMailboxes?.map((mailbox) => mailbox.toLowerCase());
  return {
    sender(written: string, session: SMTPServerSession): Error | null {
      const at = now().getTime();
      const address = written.toLowerCase();
      if (address !== '' && !isPlainAddress(address)) return refusal(553, '5.1.7 Not an address');
      const host = hostOf(session.remoteAddress);
      if (!options.lmtp && !byHost.take(host, at)) return slow();
      if (!options.lmtp && address !== '' && !bySender.take(`${host} ${address}`, at)) return slow();
      return overall.take('', at) ? null : slow();
    },
    recipient(written: string, session: SMTPServerSession): Error | null {
      const address = written.toLowerCase();
      if (!isPlainAddress(address) || !address.endsWith(domain)) return refusal(550, '5.7.1 No such address here');
      const mailbox = address.slice(0, -domain.length).split('+')[0]!;
      if (mailboxes && mailbox !== 'postmaster' && !mailboxes.includes(mailbox))
        return refusal(550, '5.7.1 No such address here');
      const key = `${hostOf(session.remoteAddress)} ${address}`;
      return options.lmtp || byRecipient.take(key, now().getTime()) ? null : slow();
    },
  };
}

function envelopeOf(session: SMTPServerSession): Envelope {
  const from: SMTPServerAddress | false = session.envelope.mailFrom;
  return {
    mailFrom: from ? from.address.toLowerCase() : '',
    rcptTo: session.envelope.rcptTo.map((address) => address.address.toLowerCase()),
    remoteAddress: session.remoteAddress,
    helo: session.hostNameAppearsAs || '',
  };
}

/** Only checked addresses and characters of host names go into the trace. */
function trace(envelope: Envelope, session: SMTPServerSession, options: ListenerOptions, at: Date): Buffer {
  const helo = envelope.helo.replace(/[^A-Za-z0-9.:[\]-]/g, '').slice(0, 200) || 'unknown';
  const remote = envelope.remoteAddress.replace(/[^A-Fa-f0-9.:]/g, '');
  const protocol = options.lmtp ? 'LMTP' : session.secure ? 'ESMTPS' : 'ESMTP';
  const lines = [
    `Return-Path: <${envelope.mailFrom}>`,
    ...envelope.rcptTo.map((recipient) => `Delivered-To: ${recipient}`),
    `Received: from ${helo} ([${remote}])`,
    `\tby ${options.ownDomain} with ${protocol} id ${session.id.replace(/[^A-Za-z0-9]/g, '')};`,
    `\t${at.toUTCString().replace('GMT', '+0000')}`,
  ];
  return Buffer.from(`${lines.join('\r\n')}\r\n`, 'latin1');
}
