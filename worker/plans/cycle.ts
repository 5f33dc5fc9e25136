/** Billing cycles (decision 7): one month each, on the anchor's day of month, clamped to the month's end. All in UTC. */

/** The moment `months` months after `anchor` (ms): same day and time, or the month's last day where it has no such day. */
export function addMonths(anchor: number, months: number): number {
  const from = new Date(anchor);
  const first = Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + months, 1);
  const start = new Date(first);
  const lastDay = new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1, 0)).getUTCDate();
  const day = Math.min(from.getUTCDate(), lastDay);
  const timeOfDay = anchor - Date.UTC(from.getUTCFullYear(), from.getUTCMonth(), from.getUTCDate());
  return Date.UTC(start.getUTCFullYear(), start.getUTCMonth(), day) + timeOfDay;
}

/**
 * The cycle that `now` falls into, both ends in ms, the end excluded. Counted from the anchor and never from the last
 * cycle, so that the 31st comes back after a short month. Before the anchor (a clock set back) the first cycle is meant.
 */
export function cycleAt(anchor: number, now: number): { start: number; end: number } {
  const a = new Date(anchor);
  const n = new Date(now);
  let months = Math.max(0, (n.getUTCFullYear() - a.getUTCFullYear()) * 12 + n.getUTCMonth() - a.getUTCMonth());
  if (months > 0 && addMonths(anchor, months) > now) months -= 1;
  return { start: addMonths(anchor, months), end: addMonths(anchor, months + 1) };
}
