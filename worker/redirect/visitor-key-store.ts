import { DAY_MS } from '#contract/time.ts';

/** The KV key that holds a day's visitor key. Day = UTC days since 1970. */
export const visitorKeyName = (day: number): string => `visitor-key:${day}`;

export const dayOf = (ms: number): number => Math.floor(ms / DAY_MS);

/** When a day's key must be gone, ms since 1970: 48 h after its day began (decision 20). */
export const visitorKeyEnd = (day: number): number => (day + 2) * DAY_MS;

/**
 * A day's key as base64, from D1, which makes sure that all the world's isolates get the same one; made there with
 * `fresh` where nobody was first. A copy goes to KV, for the next isolate.
 */
export async function ensureVisitorKey(env: Pick<Env, 'DB' | 'LINKS'>, day: number, fresh: string): Promise<string> {
  const [, read] = await env.DB.batch<{ key: string }>([
    env.DB.prepare('INSERT OR IGNORE INTO visitor_keys (day, key) VALUES (?1, ?2)').bind(day, fresh),
    env.DB.prepare('SELECT key FROM visitor_keys WHERE day = ?1').bind(day),
  ]);
  const key = read?.results[0]?.key;
  if (key === undefined) throw new Error('no visitor key');
  // The copy only spares the next isolate this read: a KV that fails must not cost the clicks at hand their visitors.
  await env.LINKS.put(visitorKeyName(day), key, { expiration: Math.floor(visitorKeyEnd(day) / 1000) }).catch(() => undefined);
  return key;
}

/** 32 random bytes as base64. */
export function freshKey(): string {
  return btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(32))));
}
