import { DAY_MS } from '#contract/time.ts';
import type { Db } from '#worker/db/client.ts';

/** Where a request comes from: the network and, for IPv6, the /48 around it ('' for IPv4). */
export type Networks = { network: string; site: string };

/** What a network, and the IPv6 /48 around it, may do on one day (UTC). `purpose` begins the counters' keys. */
export type DayAllowance = { purpose: string; perNetwork: number; perSite: number };

/**
 * The statements that take one off the day's allowance of a network and of the IPv6 /48 around it, for the batch that they
 * guard: the last changes no row when either is used up, and then neither is counted.
 * A counter's key is an HMAC of network and day under a secret of the deployment: no raw address is stored, and days
 * cannot be joined.
 */
export async function takeFromDay(
  db: Db,
  { purpose, perNetwork, perSite }: DayAllowance,
  { network, site }: Networks,
  secret: string,
  now: number,
): Promise<D1PreparedStatement[]> {
  const day = Math.floor(now / DAY_MS);
  const keyOf = async (from: string) => `${purpose}:${day}:${await keyed(`${purpose} ${secret}`, `${day} ${from}`)}`;
  const take = (key: string, most: number, condition: string, ...values: unknown[]) =>
    db.$client
      .prepare(
        `INSERT INTO counters (key, count, expires_at) SELECT ?1, 1, ?2 WHERE ${condition}
         ON CONFLICT (key) DO UPDATE SET count = count + 1 WHERE count < ?3`,
      )
      .bind(key, (day + 1) * DAY_MS, most, ...values);
  const key = await keyOf(network);
  if (site === '') return [take(key, perNetwork, 'true')];
  // A network that is refused must not go on using up what its neighbours share with it.
  const hasRoom = 'coalesce((SELECT count FROM counters WHERE key = ?4), 0) < ?5';
  return [take(await keyOf(site), perSite, hasRoom, key, perNetwork), take(key, perNetwork, 'changes() = 1')];
}

/** Whole seconds until the allowance starts anew (midnight UTC). */
export const secondsToNextDay = (now: number): number => Math.ceil((DAY_MS - (now % DAY_MS)) / 1000);

async function keyed(secret: string, text: string): Promise<string> {
  const bytes = new TextEncoder();
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', bytes.encode(secret), algorithm, false, ['sign']);
  const mac = new Uint8Array(await crypto.subtle.sign('HMAC', key, bytes.encode(text)));
  return Array.from(mac.slice(0, 16), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
