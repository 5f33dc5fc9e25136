import { VISITOR_LINKS_PER_DAY, VISITOR_LINKS_PER_DAY_AND_SITE } from '#contract/limits.ts';
import type { Db } from '#worker/db/client.ts';

const DAY_MS = 86_400_000;

/** Where a visitor's link comes from: the network and, for IPv6, the /48 around it ('' for IPv4). */
export type VisitorNetworks = { network: string; site: string };

/**
 * The statements that take one link off the daily allowance of a visitor's network (decision 11) and of the IPv6 /48 around
 * it, for the batch that inserts the link: the last changes no row when either is used up, and then neither is counted.
 * A counter's key is an HMAC of network and day under a secret of the deployment: no raw address is stored, and days
 * cannot be joined.
 */
export async function takeFromDay(
  db: Db,
  { network, site }: VisitorNetworks,
  secret: string,
  now: number,
): Promise<D1PreparedStatement[]> {
  const day = Math.floor(now / DAY_MS);
  const keyOf = async (from: string) => `visitor-links:${day}:${await keyed(secret, `${day} ${from}`)}`;
  const take = (key: string, most: number, condition: string, ...values: unknown[]) =>
    db.$client
      .prepare(
        `INSERT INTO counters (key, count, expires_at) SELECT ?1, 1, ?2 WHERE ${condition}
         ON CONFLICT (key) DO UPDATE SET count = count + 1 WHERE count < ?3`,
      )
      .bind(key, (day + 1) * DAY_MS, most, ...values);
  const key = await keyOf(network);
  if (site === '') return [take(key, VISITOR_LINKS_PER_DAY, 'true')];
  // A network that is refused must not go on using up what its neighbours share with it.
  const hasRoom = 'coalesce((SELECT count FROM counters WHERE key = ?4), 0) < ?5';
  return [
    take(await keyOf(site), VISITOR_LINKS_PER_DAY_AND_SITE, hasRoom, key, VISITOR_LINKS_PER_DAY),
    take(key, VISITOR_LINKS_PER_DAY, 'changes() = 1'),
  ];
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
