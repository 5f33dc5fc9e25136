import { VISITOR_LINKS_PER_DAY } from '#contract/limits.ts';
import type { Db } from '#worker/db/client.ts';

const DAY_MS = 86_400_000;

/**
 * The statement that takes one link off a visitor network's daily allowance (decision 11), for the batch that inserts
 * the link: it changes no row when the day's allowance is used up. The counter's key is an HMAC of network and day under a
 * secret of the deployment: no raw address is stored, and days cannot be joined.
 */
export async function takeFromDay(db: Db, network: string, secret: string, now: number): Promise<[D1PreparedStatement]> {
  const day = Math.floor(now / DAY_MS);
  const key = `visitor-links:${day}:${await keyed(secret, `${day} ${network}`)}`;
  const count = db.$client
    .prepare(
      `INSERT INTO counters (key, count, expires_at) VALUES (?1, 1, ?2)
       ON CONFLICT (key) DO UPDATE SET count = count + 1 WHERE count < ?3`,
    )
    .bind(key, (day + 1) * DAY_MS, VISITOR_LINKS_PER_DAY);
  return [count];
}

/** Whole seconds until the allowance starts anew (midnight UTC). */
export const secondsToNextDay = (now: number): number => Math.ceil((DAY_MS - (now % DAY_MS)) / 1000);

async function keyed(secret: string, text: string): Promise<string> {
  const bytes = new TextEncoder();
  const key = await crypto.subtle.importKey(
    'raw',
    bytes.encode(`visitor-links ${secret}`),
    { name: 'HMAC', hash: 'SHA-256' },
    false,
    ['sign'],
  );
  const mac = new Uint8Array(await crypto.subtle.sign('HMAC', key, bytes.encode(text)));
  return Array.from(mac.slice(0, 16), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
