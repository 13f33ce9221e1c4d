import { headerOf, letter, type TestService, textOf } from './service.ts';

export const GM = 'gm@club.example.org';
export const DESK = 'orders@club.example';

/** One mail that came to a person: subject, words with folded lines joined, and where an answer goes. */
export interface Got {
  subject: string;
  text: string;
  replyTo: string;
  raw: Buffer;
}

/** A person who writes to the club and reads what comes back. */
export interface Correspondent {
  address: string;
  /** Writes a new mail to the club's address (or to `to`); returns what came back to him. */
  write(
    lines: string | string[],
    options?: { subject?: string; to?: string; headers?: Record<string, string> },
  ): Promise<Got[]>;
  /** Answers the newest mail that has a secret address of a game. */
  answer(lines: string | string[], subject?: string): Promise<Got[]>;
  /** Confirms with the code of the newest mail that carries one, by its subject alone. */
  confirm(extra?: string): Promise<Got[]>;
  /** Everything that came, oldest first. */
  inbox(): Got[];
  newest(): Got;
}

/** The words of the whole mail in one line, so that folding does not matter. */
export function flat(text: string): string {
  return text.replace(/\s+/g, ' ');
}

/** A person of the test. A mail of his passes DMARC unless `proved` is false. */
export function correspondent(one: TestService, address: string, proved = true): Correspondent {
  const inbox = (): Got[] =>
    one.sent
      .filter((mail) => mail.to === address)
      .map((mail) => ({
        subject: decodeHeader(headerOf(mail.raw, 'Subject') ?? ''),
        text: textOf(mail.raw),
        replyTo: /<?([^\s<>]+@[^\s<>]+?)>?$/.exec(headerOf(mail.raw, 'Reply-To') ?? '')?.[1] ?? DESK,
        raw: mail.raw,
      }));
  const send = async (to: string, lines: string | string[], headers: Record<string, string>): Promise<Got[]> => {
    const before = inbox().length;
    const proof = proved
      ? {
          'Authentication-Results': `${one.service.profile.receivingHost}; dmarc=pass header.from=${address.split('@')[1]}`,
        }
      : {};
    await one.receive(letter(address, to, [lines].flat(), { ...proof, ...headers }));
    return inbox().slice(before);
  };
  return {
    address,
    inbox,
    newest: () => {
      const last = inbox().at(-1);
      if (!last) throw new Error(`no mail came to ${address}`);
      return last;
    },
    write: (lines, options = {}) =>
      send(options.to ?? DESK, lines, { Subject: options.subject ?? 'hello', ...options.headers }),
    answer(lines, subject = 'Re: your mail') {
      const from = inbox().filter((mail) => mail.replyTo.includes('+'));
      const last = from.at(-1);
      if (!last) throw new Error(`${address} has no mail to answer`);
      return send(last.replyTo, lines, { Subject: subject });
    },
    confirm(extra = '') {
      const asked = inbox()
        .map((mail) => /CONFIRM [A-Z0-9]{4}-[A-Z0-9]{4}-[A-Z0-9]{4}/.exec(mail.text)?.[0])
        .filter((code) => code !== undefined)
        .at(-1);
      if (!asked) throw new Error(`no code came to ${address}`);
      return send(DESK, '', { Subject: `Re: ${asked}${extra}` });
    },
  };
}

function decodeHeader(value: string): string {
  return value.replace(/=\?utf-8\?q\?([^?]*)\?=\s*/gi, (_, text: string) =>
    decodeURIComponent(text.replace(/_/g, ' ').replace(/=([0-9A-F]{2})/g, '%$1')),
  );
}
