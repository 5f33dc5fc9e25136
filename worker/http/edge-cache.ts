import { withTimeout } from '#worker/redirect/with-timeout.ts';

/**
 * What D1 says to everybody alike, kept for some seconds in the data centre that read it: a crowd of visitors, or one who
 * repeats a request, costs D1 one read. Only data is kept, never a response, so that no header and no request id of one
 * visitor reaches another.
 */

/** An entry's life in seconds. A preview's is no longer than KV's, so that the bound for disabled links holds for previews too. */
export const KEEP_PREVIEW_SECONDS = 30;
export const KEEP_SECONDS = 60;

const CACHE_LIMIT_MS = 1_000;

/** `until` in ms since 1970: an entry ends on time whatever the zone's settings do to its headers. */
type Entry<T> = { until: number; value: T };

/** Keeps work alive after the answer: `ctx.waitUntil`. */
type Wait = (work: Promise<unknown>) => void;

/**
 * The value kept under `key` (one of cache-keys.ts), or what `load` reads, which is then kept for `seconds`. Null and whatever `load` throws are
 * not kept. A cache that is missing, fails or is slow is left out.
 */
export async function cached<T>(
  key: string,
  seconds: number,
  now: number,
  wait: Wait,
  load: () => Promise<T | null>,
): Promise<T | null> {
  const entry = await recall<T>(key);
  if (entry !== null && entry.until > now) return entry.value;
  const value = await load();
  if (value !== null) wait(keep(key, { until: now + seconds * 1000, value }, seconds));
  return value;
}

/** Ends entries in this data centre at once, after a change; elsewhere they end by themselves. Never rejects. */
export async function forget(keys: readonly string[]): Promise<void> {
  await Promise.all(keys.map((key) => quietly((cache) => cache.delete(key))));
}

async function recall<T>(key: string): Promise<Entry<T> | null> {
  const hit = await quietly((cache) => cache.match(key));
  return hit === undefined ? null : hit.json<Entry<T>>().catch(() => null);
}

async function keep(key: string, entry: Entry<unknown>, seconds: number): Promise<void> {
  const headers = { 'Content-Type': 'application/json', 'Cache-Control': `public, max-age=${seconds}` };
  await quietly((cache) => cache.put(key, new Response(JSON.stringify(entry), { headers })));
}

/** Undefined where there is no cache, or where it fails: then D1 answers. */
async function quietly<T>(work: (cache: Cache) => Promise<T>): Promise<T | undefined> {
  try {
    return await withTimeout(CACHE_LIMIT_MS, work(caches.default));
  } catch {
    return undefined;
  }
}
