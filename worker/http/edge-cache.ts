import { withTimeout } from '#worker/redirect/with-timeout.ts';
import type { WaitUntil } from '#worker/redirect/shared-timeout.ts';
import type { Context } from 'hono';
import { findExceededNetwork } from '#worker/redirect/network-limit.ts';
import type { ApiEnv } from './context.ts';
import { apiError } from './errors.ts';

/**
 * Caches public data from D1 for some seconds in the data center that read it, so that repeated
 * requests cost D1 one read. It caches data and never responses, so no header or request id of one
 * visitor reaches another.
 */

/**
 * The lifetime of an entry, in seconds. A preview lives no longer than KV's cache, so that
 * DISABLE_BOUND_SECONDS also holds for previews.
 */
export const PREVIEW_CACHE_SECONDS = 30;
export const CACHE_SECONDS = 60;
export const CARD_CACHE_SECONDS = 600;

const CACHE_TIME_LIMIT_MS = 1_000;

/**
 * `until` is in ms since 1970. It expires an entry on time even if the zone's cache settings
 * override its headers.
 */
type Entry<T> = { until: number; value: T };

/**
 * Returns the value cached under `key` (see cache-keys.ts), or the result of `load`, which is then
 * cached for `seconds` unless it is null. Throws what `load` throws. A cache that is missing, slow
 * or failing is skipped.
 */
export async function readCached<T>(
  key: string,
  seconds: number,
  now: number,
  waitUntil: WaitUntil,
  load: () => Promise<T | null>,
): Promise<T | null> {
  const entry = await read<T>(key);
  if (entry !== null && entry.until > now) return entry.value;
  const value = await load();
  if (value !== null) waitUntil(write(key, { until: now + seconds * 1000, value }, seconds));
  return value;
}

/**
 * Removes entries from the cache of this data center; in other data centers they expire. Never
 * rejects.
 */
export async function evict(keys: readonly string[]): Promise<void> {
  await Promise.all(keys.map((key) => tryCache((cache) => cache.delete(key))));
}

async function read<T>(key: string): Promise<Entry<T> | null> {
  const hit = await tryCache((cache) => cache.match(key));
  return hit === undefined ? null : hit.json<Entry<T>>().catch(() => null);
}

async function write(key: string, entry: Entry<unknown>, seconds: number): Promise<void> {
  const headers = {
    'Content-Type': 'application/json',
    'Cache-Control': `public, max-age=${seconds}`,
  };
  await tryCache((cache) => cache.put(key, new Response(JSON.stringify(entry), { headers })));
}

/** Returns undefined if there is no cache or the cache fails. */
async function tryCache<T>(work: (cache: Cache) => Promise<T>): Promise<T | undefined> {
  try {
    return await withTimeout(CACHE_TIME_LIMIT_MS, work(caches.default));
  } catch {
    return undefined;
  }
}

/** The request that needs the data. `now` is in ms since 1970; `wait` is `ctx.waitUntil`. */
export type Reader = {
  request: Request;
  env: Env;
  now: number;
  wait: (work: Promise<unknown>) => void;
};

export const publicReader = (
  request: Request,
  env: Env,
  ctx: Pick<ExecutionContext, 'waitUntil'>,
  now: number,
): Reader => ({ request, env, now, wait: (work) => ctx.waitUntil(work) });

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
  const reader = publicReader(c.req.raw, c.env, c.executionCtx, c.get('now'));
  const answer = await readPublic(reader, key, CACHE_SECONDS, load);
  if (answer.ok) return answer.value;
  throw apiError('too_many_requests');
}
