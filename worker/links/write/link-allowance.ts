import type { SQL } from 'drizzle-orm';
import { VISITOR_LINKS_PER_DAY } from '#contract/limits.ts';
import type { TakeStep } from '#worker/db/batch.ts';
import type { Db } from '#worker/db/client.ts';
import { consumeDayAllowance, type DayAllowance, type Networks } from '#worker/http/allowances.ts';
import { readCycleStart, consumeQuota } from '#worker/plans/quota.ts';

/**
 * The creator of a link: a member or a visitor. `secret` keys the hash under which the visitor's
 * network is counted.
 */
export type Creator = { userId: string } | (Networks & { secret: string });

/**
 * How many links visitors may create per day from one network, and from the IPv6 /48 around it
 * (docs/decisions.md#d11).
 */
export const VISITOR_LINKS: DayAllowance = {
  purpose: 'visitor-links',
  perNetwork: VISITOR_LINKS_PER_DAY,
  perSite: 1000,
};

/**
 * Returns the statements that charge new links to an allowance, if `when` is true in SQL. They
 * return no row if the allowance does not cover all the links. `moved` of them come from another
 * service with their codes.
 */
export type TakeAllowance = (links: number, when: SQL, moved?: number) => TakeStep;

/**
 * Returns the allowance of this creator: a member's monthly quota, or the daily allowance of a
 * visitor's network.
 */
export async function readAllowance(db: Db, creator: Creator, now: number): Promise<TakeAllowance> {
  if (!('userId' in creator))
    return (_one, when) => consumeDayAllowance(VISITOR_LINKS, creator, creator.secret, now, when);
  const { userId } = creator;
  const cycleStart = await readCycleStart(db, userId, now);
  return (links, when, moved = 0) => consumeQuota({ userId, links, moved, cycleStart, now, when });
}
