import { VISITOR_LINKS_PER_DAY } from '#contract/limits.ts';
import type { DayAllowance } from '#worker/http/day-allowance.ts';

/** Links that a visitor's network, and the IPv6 /48 around it, may make a day (decision 11). */
export const VISITOR_LINKS: DayAllowance = {
  purpose: 'visitor-links',
  perNetwork: VISITOR_LINKS_PER_DAY,
  // An IPv6 /48 may hold 65,536 networks.
  perSite: 1000,
};
