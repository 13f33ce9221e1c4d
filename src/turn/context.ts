/**
 * What everything in turn/ is given: the service's settings, store, scenarios, words, and the outside world (clock, chance,
 * log) as arguments. Made once in main.ts, or by a test.
 */
import type { Profile } from '../mail/profile.ts';
import type { Wording } from '../render/words.ts';
import type { ScenarioStore } from '../scenarios.ts';
import type { Db } from '../store/db.ts';

/** The settings of one service, frozen. Read from the environment by config.ts. */
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
  /** Whose Authentication-Results are trusted. */
  authservId: string;
  dkim: { domain: string; selector: string; keyFile: string } | undefined;
  club: { name: string; domain: string; zone: string };
  /** Without a slash at the end. */
  baseUrl: string;
  operatorEmail: string | undefined;
  /** `SECRET` as given; undefined: the one in the data folder. */
  secret: string | undefined;
  /** Raw mails are kept for so many days. */
  rawMailDays: number;
  logLevel: 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent';
  /** A demo club is made once and its mailboxes are shown. */
  demo: boolean;
}

/** The part of pino that we use. */
export interface Log {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** The service as the verbs of turn/ see it. */
export interface Service {
  config: Config;
  db: Db;
  scenarios: ScenarioStore;
  wording: Wording;
  log: Log;
  /** The time of the service; tests run months in seconds. */
  now(): Date;
  randomBytes(count: number): Buffer;
  /** 32 bytes: seals dice keys and seat tokens. */
  secret: Buffer;
  /** What the intake knows of our own addresses and words. */
  profile: Profile;
  /** Called with the name of each point at which the process may be killed; tests do. */
  at(point: string): void;
}
