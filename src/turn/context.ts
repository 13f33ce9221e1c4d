/**
 * What everything in turn/ is given: the service's settings, store, scenarios, words, and the outside world (clock, chance,
 * log) as arguments. Made once in main.ts, or by a test.
 */
import type { Config } from '../config.ts';
import type { Log } from '../mail/log.ts';
import type { Profile } from '../mail/profile.ts';
import type { Wording } from '../render/words.ts';
import type { ScenarioStore } from '../scenarios.ts';
import type { Db, Reader } from '../store/db.ts';

/** The service as whoever only looks sees it: the pages do. */
export interface Looking {
  config: Config;
  db: Reader;
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
}

/** The service as the verbs of turn/ see it. */
export interface Service extends Looking {
  db: Db;
  /** Signs outgoing mail. */
  dkim?: { domain: string; selector: string; privateKey: string };
  /** Called with the name of each point at which the process may be killed; tests do. */
  at(point: string): void;
}
