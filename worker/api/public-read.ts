import type { Context } from 'hono';
import { KEEP_SECONDS } from '#worker/http/edge-cache.ts';
import { readPublic } from '#worker/http/public-read.ts';
import type { ApiEnv } from './context.ts';
import { ApiError } from './problem.ts';

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
