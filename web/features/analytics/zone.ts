import { startOfDay } from '#contract/reports/periods.ts';
import { CLOCK, localDateFormat } from '#web/shared/texts/format.ts';

/** The reader's time zone, in which the pages show every time. */
export const TIME_ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;

const formatClock = localDateFormat(CLOCK);

/**
 * Says in which time zone times are, and when a day begins there, because clicks are counted by UTC
 * day (docs/decisions.md#d21).
 */
export function describeZone(now: number): string {
  const begins = new Date(startOfDay(now));
  return begins.getHours() === 0 && begins.getMinutes() === 0
    ? `Times are in ${TIME_ZONE}.`
    : `Times are in your time zone (${TIME_ZONE}). A day begins at ${formatClock(begins)} there, which is midnight UTC.`;
}
