/**
 * Who really sent a mail, when we are the mail exchanger ourselves: SPF, DKIM and DMARC, written on top of the mail as
 * `Authentication-Results`, so that reading it again later gives the same.
 */
import { resolve as resolveDns } from 'node:dns/promises';
import { authenticate } from 'mailauth';
import type { Dmarc } from '../sender/screen.ts';
import type { Envelope } from './smtpd.ts';

/** Milliseconds for one look-up, and for the whole verification. */
const LOOKUP_MS = 5000;
const VERIFY_MS = 20_000;
/** Look-ups for one mail. */
const LOOKUPS_MAX = 60;

/** Looks up DNS records. Throws with `code: 'ENOTFOUND'` or `'ENODATA'` where there are none. */
export type Resolver = (name: string, type: string) => Promise<string[] | string[][]>;

export interface AuthOptions {
  /** The host that vouches: `Profile.receivingHost`. */
  receivingHost: string;
  /** Off: every mail is marked `none`, whatever it says of itself. */
  verify: boolean;
  resolver?: Resolver;
}

export interface Verified {
  dmarc: Dmarc;
  /** The mail with our `Authentication-Results` on top. */
  raw: Buffer;
}

/**
 * Verifies a mail that came straight from its sender. A DNS that doesn't answer gives `temperror`: the mail may be put
 * off, it is never refused for that. Never throws for a bad mail.
 */
export async function verifySender(raw: Buffer, envelope: Envelope, options: AuthOptions): Promise<Verified> {
  const results = options.verify
    ? await verdicts(raw, envelope, options)
    : { spf: 'none', dkim: 'none', dmarc: 'none' };
  const dmarc = dmarcWord(results.dmarc);
  const line = `Authentication-Results: ${options.receivingHost};\r\n\tspf=${results.spf}; dkim=${results.dkim}; dmarc=${dmarc}\r\n`;
  return { dmarc, raw: Buffer.concat([Buffer.from(line, 'latin1'), raw]) };
}

function dmarcWord(word: string): Dmarc {
  return word === 'pass' || word === 'fail' || word === 'temperror' ? word : 'none';
}

async function verdicts(
  raw: Buffer,
  envelope: Envelope,
  options: AuthOptions,
): Promise<{ spf: string; dkim: string; dmarc: string }> {
  let lookups = 0;
  let silent = false;
  const ask: Resolver = options.resolver ?? ((name, type) => resolveDns(name, type) as Promise<string[]>);
  const resolver: Resolver = async (name, type) => {
    if (++lookups > LOOKUPS_MAX) throw Object.assign(new Error('too many look-ups'), { code: 'ENODATA' });
    try {
      return await within(LOOKUP_MS, ask(name, type));
    } catch (error) {
      const code = (error as { code?: string }).code;
      if (code !== 'ENOTFOUND' && code !== 'ENODATA' && code !== 'EBADNAME') silent = true;
      throw error;
    }
  };
  try {
    const result = await within(
      VERIFY_MS,
      authenticate(raw, {
        ip: envelope.remoteAddress.replace(/^::ffff:/i, ''),
        helo: envelope.helo,
        sender: envelope.mailFrom,
        mta: options.receivingHost,
        resolver,
        disableArc: true,
        disableBimi: true,
      }),
    );
    const spf = word(result.spf ? result.spf.status?.result : undefined);
    const signatures = (result.dkim?.results ?? []).map((one) => word(one.status?.result));
    const dkim = signatures.includes('pass') ? 'pass' : (signatures[0] ?? 'none');
    const said = word(result.dmarc ? result.dmarc.status?.result : undefined);
    return { spf, dkim, dmarc: silent && said !== 'pass' ? 'temperror' : said };
  } catch {
    return { spf: 'temperror', dkim: 'temperror', dmarc: 'temperror' };
  }
}

/** Results are words of the standard; anything else is none. */
function word(result: string | undefined): string {
  return result !== undefined && /^[a-z]{2,20}$/.test(result) ? result : 'none';
}

async function within<T>(milliseconds: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(Object.assign(new Error('timed out'), { code: 'ETIMEOUT' })), milliseconds);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
