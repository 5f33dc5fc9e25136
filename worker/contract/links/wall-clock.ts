import { WEEKDAYS } from './rule-conditions.ts';

/** The time on a clock in a time zone. Rules compare it; no text shows it. */

/** Creating a format takes about 30 times as long as using it. */
const formats = new Map<string, Intl.DateTimeFormat>();
const MAX_FORMATS = 50;

function formatIn(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone);
  if (known !== undefined) return known;
  const created = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    weekday: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
  if (formats.size >= MAX_FORMATS) formats.clear();
  formats.set(zone, created);
  return created;
}

/**
 * The day of the week (0 = Sunday) and the time as 09:30 at `now`, in ms since 1970. Null for an
 * unknown time zone.
 */
export function wallClock(zone: string, now: number): { day: number; time: string } | null {
  try {
    const [weekday = '', time = ''] = formatIn(zone).format(now).split(/,? /);
    return { day: WEEKDAYS.findIndex((name) => weekday.toLowerCase() === name), time };
  } catch {
    return null;
  }
}

export const isTimeZone = (name: string): boolean =>
  /^[A-Za-z]/.test(name) && wallClock(name, 0) !== null;
