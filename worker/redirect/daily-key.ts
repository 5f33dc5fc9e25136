import { DAY_MS } from '#contract/time.ts';

/** The KV key that holds a day's key. `day` in UTC days since 1970. */
export const dailyKeyName = (day: number): string => `visitor-key:${day}`;

/**
 * When a day's key must be destroyed, in ms since 1970: 48 hours after the day began
 * (docs/decisions.md#d20).
 */
export const dailyKeyExpiry = (day: number): number => (day + 2) * DAY_MS;

/**
 * The key of a day as base64. D1 ensures that every isolate worldwide gets the same key: the first
 * one to call this stores `fresh`. The key is then copied to KV for other isolates. Throws if D1
 * fails.
 */
export async function ensureDailyKey(
  env: Pick<Env, 'DB' | 'LINKS'>,
  day: number,
  fresh: string,
): Promise<string> {
  const [, stored] = await env.DB.batch<{ key: string }>([
    env.DB.prepare('INSERT OR IGNORE INTO visitor_keys (day, key) VALUES (?1, ?2)').bind(
      day,
      fresh,
    ),
    env.DB.prepare('SELECT key FROM visitor_keys WHERE day = ?1').bind(day),
  ]);
  const key = stored?.results[0]?.key;
  if (key === undefined) throw new Error(`D1 returned no visitor key for day ${day}.`);
  // The copy only saves the next isolate a read of D1, so this window must not lose its visitor ids
  // when KV fails.
  await env.LINKS.put(dailyKeyName(day), key, {
    expiration: Math.floor(dailyKeyExpiry(day) / 1000),
  }).catch(() => undefined);
  return key;
}

/** 32 random bytes as base64. */
export function generateDailyKey(): string {
  return btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(32))));
}
