/**
 * Billing cycles: one month each, on the anchor's day of the month (docs/decisions.md#d7). All in
 * UTC.
 */

/**
 * Returns the time `months` months after `anchor` (ms), at the same day and time. In a month
 * without that day it is the last day.
 */
export function addMonths(anchor: number, months: number): number {
  const from = new Date(anchor);
  const first = Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + months, 1);
  const start = new Date(first);
  const lastDay = new Date(
    Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1, 0),
  ).getUTCDate();
  const day = Math.min(from.getUTCDate(), lastDay);
  const timeOfDay = anchor - Date.UTC(from.getUTCFullYear(), from.getUTCMonth(), from.getUTCDate());
  return Date.UTC(start.getUTCFullYear(), start.getUTCMonth(), day) + timeOfDay;
}

/**
 * Returns the cycle that contains `now`, from `start` up to but not including `end` (ms). It counts
 * from the anchor and not from the previous cycle, so that an anchor on the 31st returns to the
 * 31st after a short month. If `now` is before the anchor (a clock that is behind), it is the first
 * cycle.
 */
export function cycleAt(anchor: number, now: number): { start: number; end: number } {
  const from = new Date(anchor);
  const to = new Date(now);
  let months = Math.max(
    0,
    (to.getUTCFullYear() - from.getUTCFullYear()) * 12 + to.getUTCMonth() - from.getUTCMonth(),
  );
  if (months > 0 && addMonths(anchor, months) > now) months -= 1;
  return { start: addMonths(anchor, months), end: addMonths(anchor, months + 1) };
}
