/**
 * Rate limits by key: a bucket that holds `burst` tokens and fills up by `perMinute`.
 */

/** Keys remembered; beyond that the oldest are forgotten, so that a flood of senders can't fill the memory. */
const KEYS_MAX = 20_000;
const MINUTE_MS = 60_000;

export interface RateLimit {
  /** Whether one more is allowed now; takes a token if so. `now` in milliseconds. */
  take(key: string, now: number): boolean;
  /** Milliseconds until one more would be allowed; 0 when it is now. */
  wait(key: string, now: number): number;
}

/** Makes a limit of `perMinute` on average and `burst` at once. */
export function rateLimit(perMinute: number, burst: number): RateLimit {
  const buckets = new Map<string, { tokens: number; at: number }>();
  const bucketOf = (key: string, now: number): { tokens: number; at: number } => {
    const bucket = buckets.get(key) ?? { tokens: burst, at: now };
    bucket.tokens = Math.min(burst, bucket.tokens + (Math.max(0, now - bucket.at) * perMinute) / MINUTE_MS);
    bucket.at = now;
    buckets.delete(key);
    buckets.set(key, bucket);
    if (buckets.size > KEYS_MAX) buckets.delete(buckets.keys().next().value!);
    return bucket;
  };
  return {
    take(key, now) {
      const bucket = bucketOf(key, now);
      if (bucket.tokens < 1) return false;
      bucket.tokens -= 1;
      return true;
    },
    wait(key, now) {
      const bucket = bucketOf(key, now);
      return bucket.tokens >= 1 ? 0 : Math.ceil(((1 - bucket.tokens) * MINUTE_MS) / perMinute);
    },
  };
}
