import { runNamedBatch, type TakeStep } from '#worker/db/batch.ts';
import type { Db } from '#worker/db/client.ts';
import { consumeDayAllowance, type DayAllowance, type Networks } from '#worker/http/allowances.ts';

/**
 * How many reports a network, and the IPv6 /48 around it, may send per day: enough for people, too
 * few to flood the queue. The /48 has its own limit because one customer of a provider may hold all
 * of its 65,536 networks.
 */
const REPORTS: DayAllowance = { purpose: 'reports', perNetwork: 20, perSite: 400 };
/**
 * How many reports about the same link for the same reason are stored. The others are only counted.
 */
const SAME_REPORTS: DayAllowance = { purpose: 'same-reports', perNetwork: 1, perSite: 3 };

/** Counts one report against the day's allowance. Returns false if it is used up. */
export async function takeReport(
  db: Db,
  networks: Networks,
  secret: string,
  now: number,
): Promise<boolean> {
  const { used } = await runNamedBatch(db, {
    used: consumeDayAllowance(REPORTS, networks, secret, now).statements,
  });
  return used.rows.length > 0;
}

/** Counts one report about a link for a reason against the day's allowance. */
export function takeSameReport(
  { network, site }: Networks,
  { linkId, reason }: { linkId: number; reason: string },
  secret: string,
  now: number,
): TakeStep {
  const about = (from: string): string => (from === '' ? '' : `${from} ${linkId} ${reason}`);
  return consumeDayAllowance(
    SAME_REPORTS,
    { network: about(network), site: about(site) },
    secret,
    now,
  );
}
