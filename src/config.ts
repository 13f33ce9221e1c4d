/** The settings of one service: read from the environment once, each bad value with one clear line. */
import fs from 'node:fs';
import { isIP } from 'node:net';
import path from 'node:path';
import { Fault } from './kernel/assert.ts';

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
type LogLevel = (typeof LOG_LEVELS)[number];

/** The settings of one service, frozen. */
export interface Config {
  /** Undefined: our own server in the data folder. */
  databaseUrl: string | undefined;
  dataDir: string;
  /** PostgreSQL binaries to use instead of npm's (`FIELDPOST_PG_BIN`). */
  postgresBin: string | undefined;
  http: { host: string; port: number };
  smtpd: { host: string; port: number; lmtp: boolean; tlsCert: string | undefined; tlsKey: string | undefined };
  imapUrl: string | undefined;
  /** Undefined: mails are kept and shown on the page, not sent. */
  smtpUrl: string | undefined;
  /** Whose Authentication-Results are believed in mails of LMTP and IMAP; undefined: nobody's. */
  authservId: string | undefined;
  dkim: { domain: string; selector: string; keyFile: string } | undefined;
  club: { name: string; domain: string; zone: string };
  /** Without a slash at the end. */
  baseUrl: string;
  operatorEmail: string | undefined;
  /** `SECRET` as given; undefined: the one in the data folder. */
  secret: string | undefined;
  /** Raw mails are kept for so many days. */
  rawMailDays: number;
  logLevel: LogLevel;
  /** Proxies whose word on the asker's address is taken, besides those of this machine. */
  trustedProxies: readonly string[];
  /** Anybody may read /metrics; else only this machine. */
  metrics: boolean;
  /** A demo club is made once and its mailboxes are shown. */
  demo: boolean;
}

export type Environment = Readonly<Record<string, string | undefined>>;

export interface Setting {
  name: string;
  fallback: string;
  help: string;
}

/** Every setting, as `serve --help` and the README show them. */
export const SETTINGS: readonly Setting[] = [
  { name: 'DATABASE_URL', fallback: 'own server in DATA_DIR', help: 'PostgreSQL 15 or newer, postgres://…' },
  { name: 'DATA_DIR', fallback: './data', help: 'folder for the own database and the secret' },
  { name: 'HTTP_PORT', fallback: '8080', help: 'port of the web pages' },
  { name: 'HTTP_HOST', fallback: '127.0.0.1', help: 'address the web pages listen on' },
  { name: 'SMTPD_PORT', fallback: '2525', help: 'port of the mail listener' },
  { name: 'SMTPD_HOST', fallback: '127.0.0.1', help: 'address the mail listener listens on' },
  { name: 'SMTPD_LMTP', fallback: 'off', help: 'on: the listener speaks LMTP' },
  { name: 'SMTPD_TLS_CERT', fallback: 'none', help: 'certificate file of the listener' },
  { name: 'SMTPD_TLS_KEY', fallback: 'none', help: 'key file of the listener' },
  { name: 'IMAP_URL', fallback: 'none', help: 'mailbox to read: imaps://user:password@host/INBOX' },
  {
    name: 'SMTP_URL',
    fallback: 'none: mails are kept, not sent',
    help: 'server to send by: smtps://user:password@host',
  },
  {
    name: 'AUTHSERV_ID',
    fallback: 'none: LMTP and IMAP mail proves nobody',
    help: 'host whose Authentication-Results are believed',
  },
  { name: 'DKIM_DOMAIN', fallback: 'none', help: 'domain to sign outgoing mail for' },
  { name: 'DKIM_SELECTOR', fallback: 'none', help: 'selector of the DKIM key' },
  { name: 'DKIM_KEY_FILE', fallback: 'none', help: 'file with the private DKIM key' },
  { name: 'CLUB_NAME', fallback: 'Fieldpost', help: 'name of the club' },
  { name: 'CLUB_DOMAIN', fallback: 'club.example', help: 'domain of the club’s addresses' },
  { name: 'CLUB_TIMEZONE', fallback: 'UTC', help: 'time zone of deadlines unless a game says otherwise' },
  { name: 'BASE_URL', fallback: 'http://HTTP_HOST:HTTP_PORT', help: 'how the pages are reached from outside' },
  { name: 'OPERATOR_EMAIL', fallback: 'none', help: 'who is told of failures and is game master by default' },
  { name: 'SECRET', fallback: 'made once in DATA_DIR', help: 'seals dice keys and seat tokens; 32 characters or more' },
  { name: 'RAW_MAIL_DAYS', fallback: '400', help: 'how long received mails are kept raw' },
  { name: 'LOG_LEVEL', fallback: 'info', help: LOG_LEVELS.join(' ') },
  { name: 'DEMO', fallback: 'on when nothing but loopback is set', help: 'on or off: the demo club' },
  { name: 'TRUSTED_PROXIES', fallback: 'those of this machine', help: 'addresses or networks of proxies, with commas' },
  { name: 'METRICS', fallback: 'off', help: 'on: anybody may read /metrics, else only this machine' },
  { name: 'FIELDPOST_PG_BIN', fallback: 'from npm', help: 'folder with other PostgreSQL binaries' },
];

const PORT_MAX = 65535;
const SECRET_CHARS_MIN = 32;
const RAW_MAIL_DAYS_MAX = 36_500;
const LOOPBACK = new Set(['127.0.0.1', '::1', 'localhost']);

/** Reads every setting; throws a Fault with one line for each bad value. An empty value counts as not given. */
export function readConfig(env: Environment): Config {
  const faults: string[] = [];
  const config = gather(env, faults);
  if (faults.length > 0) throw new Fault(faults.join('\n'));
  return deepFreeze(config);
}

function gather(env: Environment, faults: string[]): Config {
  const read = reader(env, faults);
  const http = { host: read.host('HTTP_HOST'), port: read.port('HTTP_PORT', 8080) };
  const smtpd = {
    host: read.host('SMTPD_HOST'),
    port: read.port('SMTPD_PORT', 2525),
    lmtp: read.flag('SMTPD_LMTP') ?? false,
    tlsCert: read.file('SMTPD_TLS_CERT'),
    tlsKey: read.file('SMTPD_TLS_KEY'),
  };
  if ((smtpd.tlsCert === undefined) !== (smtpd.tlsKey === undefined))
    faults.push('SMTPD_TLS_CERT and SMTPD_TLS_KEY must be set together');
  const domain = read.domain('CLUB_DOMAIN') ?? 'club.example';
  const urls = {
    databaseUrl: read.url('DATABASE_URL', ['postgres:', 'postgresql:']),
    imapUrl: read.url('IMAP_URL', ['imap:', 'imaps:']),
    smtpUrl: read.url('SMTP_URL', ['smtp:', 'smtps:']),
  };
  const alone = Object.values(urls).every((url) => url === undefined);
  const loopback = LOOPBACK.has(http.host) && LOOPBACK.has(smtpd.host);
  const demo = read.flag('DEMO');
  if (demo === true && !loopback) faults.push('DEMO=on: the demo club is only for loopback hosts');
  const base = read.url('BASE_URL', ['http:', 'https:']) ?? `http://${urlHost(http.host)}:${http.port}`;
  const trustedProxies = read.networks('TRUSTED_PROXIES');
  if (!trustedProxies.every(isNetwork))
    faults.push('TRUSTED_PROXIES must be addresses or networks such as 172.16.0.0/12, with commas between');
  const operatorEmail = read.address('OPERATOR_EMAIL');
  if (operatorEmail !== undefined && isOwnAddress(operatorEmail, domain))
    faults.push(
      `OPERATOR_EMAIL must be a mailbox that you read yourself, not "${operatorEmail}", which is one of the club's own`,
    );
  return {
    ...urls,
    dataDir: path.resolve(read.text('DATA_DIR') ?? './data'),
    postgresBin: read.text('FIELDPOST_PG_BIN'),
    http,
    smtpd,
    authservId: read.domain('AUTHSERV_ID'),
    dkim: readDkim(read, faults),
    club: { name: read.line('CLUB_NAME') ?? 'Fieldpost', domain, zone: read.zone('CLUB_TIMEZONE') ?? 'UTC' },
    baseUrl: base.replace(/\/+$/, ''),
    operatorEmail,
    secret: read.secret('SECRET'),
    rawMailDays: read.number('RAW_MAIL_DAYS', 1, RAW_MAIL_DAYS_MAX) ?? 400,
    logLevel: read.choice('LOG_LEVEL', LOG_LEVELS) ?? 'info',
    trustedProxies,
    metrics: read.flag('METRICS') ?? false,
    demo: loopback && (demo ?? alone),
  };
}

/** The mailboxes of a club: orders (the default), the game master, where reports come from, where bounces go. */
export const MAILBOXES = ['orders', 'gm', 'reports', 'bounces'] as const;

/** Is it an address that the service takes mail for, with or without a tag? */
function isOwnAddress(address: string, domain: string): boolean {
  const [mailbox, host] = address.split('@');
  return host === domain && MAILBOXES.some((own) => own === mailbox?.split('+')[0]);
}

function readDkim(read: ReturnType<typeof reader>, faults: string[]): Config['dkim'] {
  const domain = read.domain('DKIM_DOMAIN');
  const selector = read.domain('DKIM_SELECTOR');
  const keyFile = read.file('DKIM_KEY_FILE');
  if (domain && selector && keyFile) return { domain, selector, keyFile };
  if (domain || selector || keyFile) faults.push('DKIM_DOMAIN, DKIM_SELECTOR and DKIM_KEY_FILE must be set together');
  return undefined;
}

/** One small reader a kind of value; each pushes a line on a fault and then gives a harmless value. */
function reader(env: Environment, faults: string[]) {
  const text = (name: string): string | undefined => {
    const value = env[name]?.trim();
    return value === '' ? undefined : value;
  };
  const bad = (name: string, wanted: string): undefined => {
    const shown = /SECRET|URL/.test(name) ? '' : `, not "${text(name)}"`;
    faults.push(`${name} must be ${wanted}${shown}`);
    return undefined;
  };
  const number = (name: string, min: number, max: number): number | undefined => {
    const value = text(name);
    if (value === undefined) return undefined;
    const given = Number(value);
    return /^\d+$/.test(value) && given >= min && given <= max
      ? given
      : bad(name, `a whole number from ${min} to ${max}`);
  };
  const matching = (name: string, pattern: RegExp, wanted: string): string | undefined => {
    const value = text(name);
    return value === undefined || pattern.test(value) ? value : bad(name, wanted);
  };
  return {
    text,
    number,
    port: (name: string, fallback: number): number => number(name, 0, PORT_MAX) ?? fallback,
    line: (name: string) => matching(name, /^[^\p{Cc}<>"]{1,80}$/u, 'a name of at most 80 characters'),
    host: (name: string): string => matching(name, /^[\w.:-]+$/, 'a host name or address') ?? '127.0.0.1',
    domain: (name: string) =>
      matching(name, /^(?=.{1,253}$)[a-z0-9_-]+(\.[a-z0-9_-]+)*$/i, 'a domain name')?.toLowerCase(),
    address: (name: string) =>
      matching(name, /^[\w.+-]{1,64}@[a-z0-9-]+(\.[a-z0-9-]+)+$/i, 'a mail address')?.toLowerCase(),
    secret: (name: string) =>
      matching(name, new RegExp(`^.{${SECRET_CHARS_MIN},}$`), `at least ${SECRET_CHARS_MIN} characters`),
    networks: (name: string) => (text(name) ?? '').split(/[\s,]+/).filter((one) => one !== ''),
    flag(name: string): boolean | undefined {
      const value = text(name)?.toLowerCase();
      if (value === undefined) return undefined;
      if (['on', 'true', 'yes', '1'].includes(value)) return true;
      return ['off', 'false', 'no', '0'].includes(value) ? false : bad(name, 'on or off');
    },
    choice<T extends string>(name: string, values: readonly T[]): T | undefined {
      const value = text(name)?.toLowerCase();
      if (value === undefined) return undefined;
      return values.find((candidate) => candidate === value) ?? bad(name, `one of ${values.join(' ')}`);
    },
    file(name: string): string | undefined {
      const value = text(name);
      if (value === undefined) return undefined;
      try {
        fs.accessSync(value, fs.constants.R_OK);
        return path.resolve(value);
      } catch {
        return bad(name, 'a file that can be read');
      }
    },
    url(name: string, protocols: readonly string[]): string | undefined {
      const value = text(name);
      if (value === undefined) return undefined;
      const parsed = URL.canParse(value) ? new URL(value) : undefined;
      const fits = parsed && protocols.includes(parsed.protocol) && parsed.hostname !== '';
      return fits ? value : bad(name, `a URL that begins with ${protocols.map((name) => `${name}//`).join(' or ')}`);
    },
    zone(name: string): string | undefined {
      const value = text(name);
      return value === undefined ? undefined : (zoneNamed(value) ?? bad(name, 'a time zone such as Europe/Vienna'));
    },
  };
}

/** `10.0.0.7`, `fd00::/8`: an address, or a network of them. */
function isNetwork(written: string): boolean {
  const [address = '', bits, more] = written.split('/');
  const version = isIP(address);
  if (version === 0 || more !== undefined) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128));
}

function zoneNamed(value: string): string | undefined {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: value }).resolvedOptions().timeZone;
  } catch {
    return undefined;
  }
}

function urlHost(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}

function deepFreeze<T extends object>(value: T): T {
  for (const inner of Object.values(value)) if (typeof inner === 'object' && inner !== null) deepFreeze(inner);
  return Object.freeze(value);
}
