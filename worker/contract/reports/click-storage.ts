import { DELETE_RECENT_CLICKS_DAYS, RECENT_CLICKS_MAX } from '#contract/limits.ts';

/** What is kept of clicks, in the words of all pages. */
export const CLICK_STORAGE = `Totals are kept per place, device and source, and for each country per device and source; the last ${RECENT_CLICKS_MAX} clicks one by one, for at most ${DELETE_RECENT_CLICKS_DAYS} days.`;
