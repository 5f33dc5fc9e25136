import type { Context } from 'hono';
import { findExceededNetwork } from '#worker/redirect/network-limit.ts';
import type { ApiEnv } from './context.ts';
import { cached, KEEP_SECONDS } from './edge-cache.ts';
import { ApiError } from './errors.ts';

/** Where a read comes from. `now` in ms since 1970; `wait` keeps work alive after the answer: `ctx.waitUntil`. */
export type Reader = {
  request: Request;
  env: Pick<Env, 'LIMIT_READS' | 'LIMIT_SITES'>;
  now: number;
  wait: (work: Promise<unknown>) => void;
};
/** `value` is null where there is nothing to read. */
export type PublicRead<T> = { ok: true; value: T | null } | { ok: false; reason: 'limited' };

/**
 * A read of D1 that anybody may cause, without a sign-in: from the edge cache under `key`, or by `load`, then kept for
 * `seconds`. Only what reaches D1 counts against the network's minute. Throws what `load` throws.
 */
export async function readPublic<T>(
  { request, env, now, wait }: Reader,
  key: string,
  seconds: number,
  load: () => Promise<T | null>,
): Promise<PublicRead<T>> {
  let isLimited = false;
  const value = await cached(key, seconds, now, wait, async () => {
    isLimited = (await findExceededNetwork(env, env.LIMIT_READS, 'read', request)) !== null;
    return isLimited ? null : load();
  });
  return isLimited ? { ok: false, reason: 'limited' } : { ok: true, value };
}

/** `readPublic` for a route of the API: null where there is nothing, 429 where this network has used up its minute. */
export async function readForAnyone<T>(c: Context<ApiEnv>, key: string, load: () => Promise<T | null>): Promise<T | null> {
  const reader = {
    request: c.req.raw,
    env: c.env,
    now: c.get('now'),
    wait: (work: Promise<unknown>) => c.executionCtx.waitUntil(work),
  };
  const read = await readPublic(reader, key, KEEP_SECONDS, load);
  if (read.ok) return read.value;
  throw new ApiError('rate_limited', 'Too many requests. Please wait a minute.', { upgradeRequired: false, retryAfter: 60 });
}
