import { sql } from 'drizzle-orm';
import type { Db } from '#worker/db/client.ts';
import { counters } from '#worker/db/schema.ts';

const DAY_MS = 86_400_000;
/** Reports a network may send a day: enough for a person, too few to flood the queue. */
export const REPORTS_PER_DAY = 20;

/**
 * The statement that takes one report off a network's daily allowance; it returns a row only where there was one left.
 * The counter's key is an HMAC of network and day under a secret of the deployment: no address is stored.
 */
export async function takeReport(db: Db, network: string, secret: string, now: number) {
  const day = Math.floor(now / DAY_MS);
  const key = `reports:${day}:${await markOf(network, day, secret)}`;
  return db
    .insert(counters)
    .values({ key, count: 1, expires_at: (day + 1) * DAY_MS })
    .onConflictDoUpdate({
      target: counters.key,
      set: { count: sql`${counters.count} + 1` },
      setWhere: sql`${counters.count} < ${REPORTS_PER_DAY}`,
    })
    .returning({ count: counters.count });
}

async function markOf(network: string, day: number, secret: string): Promise<string> {
  const encoder = new TextEncoder();
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', encoder.encode(`reports ${secret}`), algorithm, false, ['sign']);
  const mac = new Uint8Array(await crypto.subtle.sign('HMAC', key, encoder.encode(`${day} ${network}`)));
  return Array.from(mac.slice(0, 16), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
