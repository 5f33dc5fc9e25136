import type { Context } from 'hono';
import { findExceededNetwork } from '#worker/redirect/network-limit.ts';
import type { ApiEnv } from './context.ts';
import { CACHE_SECONDS, readCached } from './edge-cache.ts';
import { ApiError } from './errors.ts';

/** The request that needs the data. `now` is in ms since 1970; `wait` is `ctx.waitUntil`. */
export type Reader = {
  request: Request;
  env: Pick<Env, 'LIMIT_READS' | 'LIMIT_SITES'>;
  now: number;
  wait: (work: Promise<unknown>) => void;
};
/** `value` is null if `load` finds nothing. */
export type PublicRead<T> = { ok: true; value: T | null } | { ok: false; reason: 'limited' };

/**
 * Reads public data from the edge cache under `key`, or with `load`, whose result is cached for
 * `seconds`. Only reads that reach D1 count against the network's limit. Throws what `load` throws.
 */
export async function readPublic<T>(
  { request, env, now, wait }: Reader,
  key: string,
  seconds: number,
  load: () => Promise<T | null>,
): Promise<PublicRead<T>> {
  let isLimited = false;
  const value = await readCached(key, seconds, now, wait, async () => {
    isLimited = (await findExceededNetwork(env, env.LIMIT_READS, 'read', request)) !== null;
    return isLimited ? null : load();
  });
  return isLimited ? { ok: false, reason: 'limited' } : { ok: true, value };
}

/**
 * `readPublic` for an API route. Returns null if `load` finds nothing; throws 429 for a network
 * over its limit.
 */
export async function readPublicOrThrow<T>(
  c: Context<ApiEnv>,
  key: string,
  load: () => Promise<T | null>,
): Promise<T | null> {
  const reader = {
    request: c.req.raw,
    env: c.env,
    now: c.get('now'),
    wait: (work: Promise<unknown>) => c.executionCtx.waitUntil(work),
  };
  const read = await readPublic(reader, key, CACHE_SECONDS, load);
  if (read.ok) return read.value;
  throw new ApiError('rate_limited', 'Too many requests. Try again in a minute.', {
    upgradeRequired: false,
    retryAfter: 60,
  });
}
