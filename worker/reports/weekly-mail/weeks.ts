import { dayNumber } from '#contract/reports/periods.ts';
import { DAY_MS, HOUR_MS } from '#contract/time.ts';

/** Mails are sent on Mondays from 06:00 UTC on, and for two days if jobs are late. */
const SEND_FROM_MS = 6 * HOUR_MS;
const SEND_UNTIL_MS = 2 * DAY_MS;

/** The Monday of the week of `now`, in days since 1970. 1970-01-01 was a Thursday. */
export function mondayOf(now: number): number {
  const day = dayNumber(now);
  return day - ((day + 3) % 7);
}

/** The Monday whose mails may be sent now, or null. */
export function weekToSend(now: number): number | null {
  const monday = mondayOf(now);
  const since = now - monday * DAY_MS;
  return since >= SEND_FROM_MS && since < SEND_UNTIL_MS ? monday : null;
}
