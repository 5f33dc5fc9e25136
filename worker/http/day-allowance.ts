import { DAY_MS } from '#contract/time.ts';
import type { Db } from '#worker/db/client.ts';

/** The network a request comes from and, for IPv6, the /48 around it ('' for IPv4). */
export type Networks = { network: string; site: string };

/** How often a network, and the IPv6 /48 around it, may do something per UTC day. `purpose` is the prefix of the counter keys. */
export type DayAllowance = { purpose: string; perNetwork: number; perSite: number };

/**
 * Returns the statements that count one use of a daily allowance, for the batch that they guard. The last statement
 * changes no row if the allowance of the network or of its /48 is used up, and then neither is counted.
 * A counter's key is an HMAC of the network and the day under a secret of the deployment, so no address is stored and
 * the counters of two days cannot be linked.
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
  // A network over its limit must not use up the allowance of its /48, which other networks share.
  const hasRoom = 'coalesce((SELECT count FROM counters WHERE key = ?4), 0) < ?5';
  return [take(await keyOf(site), perSite, hasRoom, key, perNetwork), take(key, perNetwork, 'changes() = 1')];
}

/** Whole seconds until the allowance resets at midnight UTC. */
export const secondsToNextDay = (now: number): number => Math.ceil((DAY_MS - (now % DAY_MS)) / 1000);

async function keyed(secret: string, text: string): Promise<string> {
  const bytes = new TextEncoder();
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', bytes.encode(secret), algorithm, false, ['sign']);
  const mac = new Uint8Array(await crypto.subtle.sign('HMAC', key, bytes.encode(text)));
  return Array.from(mac.slice(0, 16), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
