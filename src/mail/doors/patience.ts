/**
 * How long a connection may hold a place: the whole session has an end, and so has the time between two steps forward (a
 * sender, a recipient, a mail begun or ended). What keeps a line alive and says nothing (NOOP, RSET, a byte now and then)
 * is no step. And one host holds only so many places at a time.
 */
import type { SMTPServerSession } from 'smtp-server';

export interface PatienceLimits {
  /** Connections of one host at a time; of one network, where addresses are long. */
  hostClients: number;
  /** Milliseconds of a whole session. */
  sessionMs: number;
  /** Milliseconds from one step forward to the next. */
  stepMs: number;
  /** Milliseconds in which a mail's bytes must have come. */
  dataMs: number;
}

/** The part of a connection that is needed to end it. */
export interface OpenConnection {
  session: SMTPServerSession;
  remoteAddress: string;
  send(code: number, text: string, context?: false): void;
  close(): void;
}

export interface Patience {
  /** A new connection: false when its host holds too many already. */
  admits(session: SMTPServerSession): boolean;
  /** A step forward; with `data` the bytes of a mail begin. */
  step(session: SMTPServerSession, data?: 'data'): void;
  ended(session: SMTPServerSession): void;
}

/** Addresses of one owner as one: an IPv6 address by its first 64 bits. */
export function hostOf(address: string): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '').toLowerCase();
  if (!plain.includes(':')) return plain;
  const [head = '', tail] = plain.split('::');
  const groups = head === '' ? [] : head.split(':');
  const rest = tail === undefined || tail === '' ? [] : tail.split(':');
  const missing = tail === undefined ? 0 : Math.max(0, 8 - groups.length - rest.length);
  return [...groups, ...Array<string>(missing).fill('0'), ...rest].slice(0, 4).join(':');
}

/** Keeps the time of all connections of a listener. `everyHost`: all mail comes by one host, which may hold all places. */
export function openPatience(
  limits: PatienceLimits,
  everyHost: boolean,
  connections: () => Iterable<OpenConnection>,
): Patience {
  const timers = new Map<string, { whole: NodeJS.Timeout; step: NodeJS.Timeout }>();
  const stop = (session: SMTPServerSession): void => {
    const held = timers.get(session.id);
    if (!held) return;
    clearTimeout(held.whole);
    clearTimeout(held.step);
    timers.delete(session.id);
  };
  const end = (session: SMTPServerSession): void => {
    stop(session);
    for (const one of connections()) {
      if (one.session !== session) continue;
      one.send(421, '4.4.2 This took too long', false);
      one.close();
    }
  };
  const after = (session: SMTPServerSession, ms: number): NodeJS.Timeout => setTimeout(() => end(session), ms).unref();
  return {
    admits(session) {
      const host = hostOf(session.remoteAddress);
      let held = 0;
      for (const one of connections()) if (hostOf(one.remoteAddress) === host) held++;
      if (!everyHost && held > limits.hostClients) return false;
      timers.set(session.id, { whole: after(session, limits.sessionMs), step: after(session, limits.stepMs) });
      return true;
    },
    step(session, data) {
      const held = timers.get(session.id);
      if (!held) return;
      clearTimeout(held.step);
      held.step = after(session, data === 'data' ? limits.dataMs : limits.stepMs);
    },
    ended: stop,
  };
}
