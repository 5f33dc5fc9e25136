import { DELETE_RECENT_CLICKS_DAYS, RECENT_CLICKS_MAX } from '#contract/limits.ts';

/** How clicks are stored, in the words that every page uses. */
export const STORED_CLICKS = `Totals are kept per place, device and source, and per pair of country and device and of country and source; the last ${RECENT_CLICKS_MAX} clicks one by one, for at most ${DELETE_RECENT_CLICKS_DAYS} days.`;
