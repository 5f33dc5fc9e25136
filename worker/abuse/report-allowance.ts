import { runNamedBatch } from '#worker/db/batch.ts';
import type { Db } from '#worker/db/client.ts';
import { takeFromDay, type DayAllowance, type Networks } from '#worker/http/day-allowance.ts';

/**
 * Reports that a network, and the IPv6 /48 around it, may send a day: enough for people, too few to flood the queue. One
 * customer of a provider may hold a whole /48, which has 65,536 networks.
 */
export const REPORTS: DayAllowance = { purpose: 'reports', perNetwork: 20, perSite: 400 };

/** Takes one report off the day's allowance. False where it is used up. */
export async function takeReport(db: Db, networks: Networks, secret: string, now: number): Promise<boolean> {
  const { used } = await runNamedBatch(db, { used: await takeFromDay(REPORTS, networks, secret, now) });
  return used.rows.length > 0;
}
