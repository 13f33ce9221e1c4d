/**
 * Second copies of a mail: a relay that tried twice, a list and a direct copy.
 */
import type { InboundMessage } from './inbound.ts';

/**
 * What makes two mails copies of each other: the Message-ID with the same orders, or without one the same author, date,
 * subject and orders. The same Message-ID with other orders is a new mail.
 */
function copyKey(message: InboundMessage): string {
  const said = [message.orderLines, message.commands];
  return message.messageId === null
    ? JSON.stringify([message.from, message.date, message.subject, ...said])
    : JSON.stringify([message.messageId, ...said]);
}

/** Finds copies in a sequence of mails: gives the name under which the first copy was handed in, or null. */
export function copyFinder(): (name: string, message: InboundMessage) => string | null {
  const seen = new Map<string, string>();
  return (name, message) => {
    const key = copyKey(message);
    const first = seen.get(key);
    if (first === undefined) seen.set(key, name);
    return first ?? null;
  };
}
