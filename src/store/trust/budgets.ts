/**
 * What may be spent in a time, by keys: rows that all processes share. The counting is rate-limiter-flexible's; the table
 * is ours, and so is its cleaning. Spent outside the transaction of whoever asks: what is refused stays counted.
 */
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import { type Db, poolOf, tables } from '../db.ts';

/** Keys are short; a longer one (an address may have 254 characters) is cut, which only makes it share its budget. */
const KEY_CHARS_MAX = 200;

/** So much in so many seconds. The name keeps the keys of one budget apart from another's. */
export interface Budget {
  name: string;
  most: number;
  seconds: number;
}

/** `ok`: it was spent. `used up`: no more for now. `unreachable`: the table could not be asked, nothing is known. */
export type Spent = 'ok' | 'used up' | 'unreachable';

const LIMITERS = new WeakMap<object, Map<string, RateLimiterPostgres>>();

function limiterOf(db: Db, budget: Budget): RateLimiterPostgres {
  const pool = poolOf(db);
  const known = LIMITERS.get(pool) ?? new Map<string, RateLimiterPostgres>();
  LIMITERS.set(pool, known);
  const limiter =
    known.get(budget.name) ??
    new RateLimiterPostgres({
      storeClient: pool,
      storeType: 'pool',
      tableName: 'budget',
      tableCreated: true,
      clearExpiredByTimeout: false,
      keyPrefix: budget.name,
      points: budget.most,
      duration: budget.seconds,
    });
  known.set(budget.name, limiter);
  return limiter;
}

/** Spends one (or so many) of a key's budget. Never throws. */
export async function spend(db: Db, budget: Budget, key: string, points = 1): Promise<Spent> {
  try {
    await limiterOf(db, budget).consume(key.toLowerCase().slice(0, KEY_CHARS_MAX), points);
    return 'ok';
  } catch (problem) {
    return problem instanceof RateLimiterRes ? 'used up' : 'unreachable';
  }
}

/** Rows whose time is over are gone. */
export async function clearBudgets(db: Db, now: Date): Promise<void> {
  await tables(db).deleteFrom('budget').where('expire', '<', now.getTime()).execute();
}
