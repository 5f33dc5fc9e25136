import { dateFormat } from '#contract/language.ts';
import { startOfDay } from '#contract/periods.ts';
import { CLOCK } from '#web/shared/format.ts';

/** The reader's time zone, in which the pages show every time. */
export const TIME_ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;

const formatClock = dateFormat(CLOCK);

/**
 * Says in which time zone times are, and when a day begins there, because clicks are counted by UTC
 * day (docs/decisions.md#d21).
 */
export function describeZone(now: number): string {
  const begins = formatClock(startOfDay(now));
  return begins === '00:00'
    ? `Times are in ${TIME_ZONE}.`
    : `Times are in your time zone (${TIME_ZONE}). A day begins at ${begins} there, which is midnight UTC.`;
}
