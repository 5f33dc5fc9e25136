import { VISITOR_LINKS_PER_DAY, VISITOR_LINKS_PER_DAY_AND_SITE } from '#contract/limits.ts';
import type { DayAllowance } from '#worker/http/day-allowance.ts';

/** Links that a visitor's network, and the IPv6 /48 around it, may make a day (decision 11). */
export const VISITOR_LINKS: DayAllowance = {
  purpose: 'visitor-links',
  perNetwork: VISITOR_LINKS_PER_DAY,
  perSite: VISITOR_LINKS_PER_DAY_AND_SITE,
};
